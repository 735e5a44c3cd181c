//! A scenario's keys that are not one number each: paths, ready times, events.
//!
//! ```toml
//! input-ms = [0, 20, 40]
//!
//! [paths]
//! A = [50, 50, 50]                     # kbs, from the source on
//! B = [230.4, 230.4, 50]
//!
//! [[event]]
//! type = "route"                       # or line-error with hop, delay with ms
//! message = 21
//! path = "B"
//!
//! [[event]]
//! type = "pause"
//! from-ms = 3000
//! to-ms = 3400
//! ```

use super::happening::Happening;
use super::scenario::{Disturbance, Path, Scenario, ScenarioError};
use super::setup::{RATE, READY};
use crate::params::Settings;
use crate::tree::{Entry, Fits, Keyed, Misfit, Node, Refusal, Value, each};
use std::ops::Range;

impl Keyed for Scenario {
    fn settings(&self) -> &dyn Settings {
        &self.setup
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        &mut self.setup
    }

    fn keys(&self) -> &'static [&'static str] {
        &["input-ms", "paths", "event"]
    }

    fn set(&mut self, entry: &Entry) -> Result<(), Vec<Refusal>> {
        let one = |e| vec![e];
        match entry.key.as_str() {
            "input-ms" => self.input = Some(each(entry.list().map_err(one)?, |n| n.number(&READY))?),
            "paths" => self.paths = paths(entry.table().map_err(one)?)?,
            _ => self.disturbances = each(entry.list().map_err(one)?, event)?,
        }
        Ok(())
    }
}

impl Fits for Scenario {
    fn check(&self) -> Result<(), Misfit> {
        Self::check(self).map_err(|e| {
            let (key, item) = match &e {
                ScenarioError::Paths { .. } | ScenarioError::NoUsualPath | ScenarioError::Lines { .. } => {
                    ("paths", None)
                }
                ScenarioError::InputGoesBack { item } => ("input-ms", Some(item - 1)),
                ScenarioError::NoSuchPath { event, .. }
                | ScenarioError::NoSuchHop { event, .. }
                | ScenarioError::PauseGoesBack { event, .. } => ("event", Some(event - 1)),
            };
            Misfit { key: key.into(), item, message: e.to_string() }
        })
    }
}

fn paths(entries: &[Entry]) -> Result<Vec<Path>, Vec<Refusal>> {
    let (mut paths, mut refused) = (Vec::new(), Vec::new());
    for entry in entries {
        let rates = entry.list().map_err(|e| vec![e]).and_then(|rates| each(rates, |n| n.number(&RATE)));
        match rates {
            Ok(rates) => paths.push(Path { name: entry.key.clone(), rates }),
            Err(e) => refused.extend(e),
        }
    }
    if refused.is_empty() { Ok(paths) } else { Err(refused) }
}

/// The types of event and their keys, the needed ones first.
pub(super) const TYPES: [(&str, &[&str], &[&str]); 4] = [
    ("route", &["message", "path"], &["kind", "attempt"]),
    ("line-error", &["message"], &["kind", "attempt", "hop"]),
    ("delay", &["message", "ms"], &["kind", "attempt"]),
    ("pause", &["from-ms", "to-ms"], &[]),
];

fn event(node: &Node) -> Result<Disturbance, Refusal> {
    let Value::Table(entries) = &node.value else {
        return Err(node.refuse("an event is a table: [[event]], or { type = \"route\", … }"));
    };
    let of = |key: &str| entries.iter().find(|e| e.key == key);
    let types = || TYPES.map(|(name, ..)| name).join(", ");
    let Some(entry) = of("type") else {
        return Err(node.refuse(format!("an event needs a type, one of {}", types())));
    };
    let name = entry.text()?;
    let Some(of_type) = TYPES.iter().position(|(n, ..)| *n == name) else {
        return Err(refuse(&entry.range, format!("type must be one of {}, not {name:?}", types())));
    };
    let (name, needed, more) = TYPES[of_type];
    let keys = || needed.iter().chain(more);
    if let Some(stray) = entries.iter().find(|e| e.key != "type" && keys().all(|k| *k != e.key)) {
        let keys: Vec<&str> = keys().copied().collect();
        let message = format!("{} is not a key of a {name} event; there are {}", stray.key, keys.join(", "));
        return Err(refuse(&stray.key_range, message));
    }
    if let Some(missing) = needed.iter().find(|k| of(k).is_none()) {
        return Err(node.refuse(format!("a {name} event needs {missing}")));
    }
    let mut one = Happening::of_type(of_type);
    for entry in entries.iter().filter(|e| e.key != "type") {
        one.read(entry)?;
    }
    Ok(one.disturbance())
}

fn refuse(range: &Range<usize>, message: String) -> Refusal {
    Refusal::new(range, message)
}

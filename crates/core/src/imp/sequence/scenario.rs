//! A sequence scenario: parameters, items, disturbances; and its keys that are lists.
//!
//! ```toml
//! arrivals = ["dst MSG 1", "dst MSG 0"]   # what arrives in which order
//! rounds = 4                              # then the run goes on by itself, where
//! overtakes = [5]                         # these arrive before their predecessors,
//! line-errors = [7]                       # these a round late,
//! held-up = [[9, 3]]                      # and these so many rounds late
//! ```

use super::{Disturbances, ENDLESS, Impossible, Item, MOST_ITEMS, Run, Setup, run};
use crate::imp::Scheme;
use crate::imp::scheme::count;
use crate::params::{Kind, Settings, Spec};
use crate::tree::{Entry, Fits, Keyed, Misfit, Node, Refusal, Value, each};

/// All that a sequence run needs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scenario {
    pub setup: Setup,
    pub items: Vec<Item>,
    pub disturbances: Disturbances,
}

impl Scenario {
    pub fn run(&self) -> Result<Run, Impossible> {
        run(&self.setup, &self.items, &self.disturbances)
    }

    /// The same under another scheme. What follows from the items may differ, so that one of them may
    /// be impossible.
    #[must_use]
    pub fn under(&self, scheme: Scheme) -> Self {
        Self { setup: Setup { scheme, ..self.setup.clone() }, ..self.clone() }
    }
}

impl Keyed for Scenario {
    fn settings(&self) -> &dyn Settings {
        &self.setup
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        &mut self.setup
    }

    fn keys(&self) -> &'static [&'static str] {
        &["arrivals", "overtakes", "line-errors", "held-up"]
    }

    fn set(&mut self, entry: &Entry) -> Result<(), Vec<Refusal>> {
        let items = entry.list().map_err(|e| vec![e])?;
        if items.len() > MOST_ITEMS {
            let message = format!("{} takes {MOST_ITEMS} items at most, not {}", entry.key, items.len());
            return Err(vec![Refusal::new(&entry.range, message)]);
        }
        match entry.key.as_str() {
            "arrivals" => self.items = each(items, item)?,
            "overtakes" => self.disturbances.overtakes = each(items, |n| message(n, 1))?,
            "line-errors" => self.disturbances.line_errors = each(items, |n| message(n, 0))?,
            _ => self.disturbances.held_up = each(items, pair)?,
        }
        Ok(())
    }
}

impl Fits for Scenario {
    fn check(&self) -> Result<(), Misfit> {
        let misfit = |e: &Impossible, under: &str| Misfit {
            key: "arrivals".into(),
            item: Some(e.step - 1),
            message: format!("{under}{e}"),
        };
        self.run().map_err(|e| misfit(&e, ""))?;
        if let Some(scheme) = self.setup.beside {
            self.under(scheme).run().map_err(|e| misfit(&e, &format!("under {}: ", scheme.name())))?;
        }
        Ok(())
    }
}

fn item(node: &Node) -> Result<Item, Refusal> {
    let text = node.value.string().ok_or_else(|| node.refuse("an item must be text in quotes"))?;
    text.parse().map_err(|e| node.refuse(e))
}

/// A message's number, from `least` on.
fn message(node: &Node, least: u32) -> Result<u32, Refusal> {
    Ok(node.number(&whole("a message", f64::from(least), f64::from(ENDLESS)))? as u32)
}

fn pair(node: &Node) -> Result<(u32, u32), Refusal> {
    match &node.value {
        Value::List(two) => match two.as_slice() {
            [number, rounds] => {
                Ok((message(number, 0)?, rounds.number(&whole("rounds", 0.0, 100.0))? as u32))
            }
            _ => Err(node.refuse("a message and how many rounds it is late, [4, 2]")),
        },
        _ => Err(node.refuse("a message and how many rounds it is late, [4, 2]")),
    }
}

const fn whole(name: &'static str, min: f64, max: f64) -> Spec {
    Spec::new((name, "", "", ""), Kind::Number(count(min, max, (0.0, 20.0))))
}

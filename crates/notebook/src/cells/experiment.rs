//! A cell that runs an experiment, and its body.
//!
//! ```toml
//! trace = "rfc889/dcn1-local/FOE"        # which packets
//! title = "FOE, London"                  # above the cell
//! caption = "Dots are delays."           # below the figure
//! a = "mills f1=15/16 f2=3/4 g=2"        # up to four estimators, a to d
//! replay = "1983"                        # and every parameter of the experiment
//! ```
//!
//! Which of these keys there are is the experiment's to say.

use super::{Key, Source, Takes, meant, remark};
use crate::body::{Entry, Problem, Repair, quote};
use crate::nearest::nearest;
use crate::scenario;
use netspurt_core::experiments::{self, Experiment, SLOTS, Slots};
use netspurt_core::params::{Problem as Refusal, Settings};
use netspurt_core::rto::slot::SlotProblem;
use netspurt_core::rto::{all, parse_slot};
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;
use std::sync::OnceLock;

/// An experiment and what stands around it.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The trace's name (see [`crate::traces`]). `None`: not chosen yet, or not needed.
    pub trace: Option<String>,
    pub title: Option<String>,
    pub caption: Option<String>,
    pub setup: Box<dyn Experiment>,
    made: OnceLock<Option<Shared<Trace>>>,
}

impl Cell {
    /// The trace the experiment makes, made when it is first wanted. `None`: it makes none.
    pub fn made(&self) -> Option<Shared<Trace>> {
        self.made.get_or_init(|| self.setup.makes().map(Shared::new)).clone()
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        (&self.trace, &self.title, &self.caption) == (&other.trace, &other.title, &other.caption)
            && *self.setup == *other.setup
    }
}

const SLOT_KEYS: [&str; SLOTS] = ["a", "b", "c", "d"];

/// Which slot a key names.
pub fn slot(key: &str) -> Option<usize> {
    SLOT_KEYS.iter().position(|k| *k == key)
}

/// The key of a slot.
pub fn slot_key(slot: usize) -> &'static str {
    SLOT_KEYS[slot.min(SLOTS - 1)]
}

pub(super) fn keys(entry: &experiments::Entry) -> Vec<Key> {
    let setup = (entry.make)();
    let settings = setup.settings();
    let mut keys = Vec::new();
    if entry.needs_trace {
        keys.push(Key { name: "trace", takes: Takes::Trace });
    }
    keys.extend(["title", "caption"].map(|name| Key { name, takes: Takes::Text }));
    if setup.slots().is_some() {
        keys.extend(SLOT_KEYS.map(|name| Key { name, takes: Takes::Slot }));
    }
    keys.extend((0..settings.len()).map(|i| {
        let spec = settings.spec(i);
        Key { name: spec.name, takes: Takes::Param(spec) }
    }));
    keys.extend(setup.keys().iter().map(|name| Key { name, takes: Takes::Parts }));
    keys
}

pub(super) fn read(kind: &experiments::Entry, source: &Source<'_>) -> Result<Cell, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut cell =
        Cell { trace: None, title: None, caption: None, setup: (kind.make)(), made: OnceLock::new() };
    let keys = keys(kind);
    let entries = source.entries(&keys, &mut problems);
    for entry in &entries {
        let takes = keys.iter().find(|k| k.name == entry.key).map(|k| k.takes);
        let read = match (takes, cell.setup.slots_mut(), slot(&entry.key)) {
            (Some(Takes::Trace), ..) => string(entry).map(|s| cell.trace = Some(s)),
            (Some(Takes::Text), ..) if entry.key == "title" => string(entry).map(|s| cell.title = Some(s)),
            (Some(Takes::Text), ..) => string(entry).map(|s| cell.caption = Some(s)),
            (Some(Takes::Slot), Some(slots), Some(i)) => set_slot(source, entry, slots, i),
            (Some(Takes::Parts), ..) => {
                let refused = cell.setup.set(entry).err().unwrap_or_default();
                problems.extend(refused.into_iter().map(scenario::problem));
                Ok(())
            }
            _ => set_option(entry, cell.setup.settings_mut()),
        };
        problems.extend(read.err());
    }
    if problems.is_empty() {
        problems.extend(scenario::misfit(&entries, &*cell.setup));
    }
    cell.trace = cell.trace.filter(|t| !t.trim().is_empty());
    if problems.is_empty() { Ok(cell) } else { Err(problems) }
}

fn string(entry: &Entry) -> Result<String, Problem> {
    if let Some(s) = entry.string() {
        return Ok(s.to_owned());
    }
    let fix = entry.scalar().map(quote);
    Err(Problem {
        range: entry.range.clone(),
        message: format!("{} must be text in quotes", entry.key),
        remark: "text in quotes".to_owned(),
        fix: fix.map(|text| Repair::new(format!("Use {text}"), entry.range.clone(), text)),
    })
}

fn set_option(entry: &Entry, settings: &mut dyn Settings) -> Result<(), Problem> {
    let Some(text) = entry.scalar() else {
        return Err(Problem {
            range: entry.range.clone(),
            message: format!("{} takes one value", entry.key),
            remark: "one value".to_owned(),
            fix: None,
        });
    };
    settings.set_text(&entry.key, text).map_err(|e| Problem {
        range: entry.range.clone(),
        message: e.to_string(),
        remark: remark(&e),
        fix: meant(&e).map(|v| Repair::new(format!("Use {v}"), entry.range.clone(), quote(&v))),
    })
}

fn set_slot(source: &Source<'_>, entry: &Entry, slots: &mut Slots, index: usize) -> Result<(), Problem> {
    let text = string(entry)?;
    let error = match parse_slot(&text) {
        Ok(rule) => {
            slots[index] = Some(rule);
            return Ok(());
        }
        Err(e) => e,
    };
    let word = &text[error.span.clone()];
    let (remark, instead) = match &error.problem {
        SlotProblem::Param(e) => {
            let instead = meant(e).map(|m| match (&e.problem, word.split_once('=')) {
                // The name is wrong, not the value.
                (Refusal::Unknown { .. }, Some((_, value))) => (m.clone(), format!("{m}={value}")),
                _ => (m.clone(), format!("{}={m}", e.name)),
            });
            (remark(e), instead)
        }
        SlotProblem::NoSuchEstimator { id } => {
            let meant = nearest(id, all().iter().map(|e| e.id));
            let remark = meant.map_or("not an estimator".to_owned(), |m| format!("did you mean {m}?"));
            (remark, meant.map(|m| (m.to_owned(), m.to_owned())))
        }
        SlotProblem::Empty => {
            ("an estimator is missing".to_owned(), Some(("mills".to_owned(), "mills".to_owned())))
        }
        SlotProblem::NotASetting { .. } => ("name=value is expected".to_owned(), None),
        SlotProblem::Twice { .. } => ("set twice".to_owned(), None),
    };
    let range = entry.within(source.body, error.span.clone());
    let fix = instead.map(|(label, word)| {
        let mut whole = text.clone();
        whole.replace_range(error.span.clone(), &word);
        // A content with escapes is written anew; else the word alone changes.
        let text = if entry.verbatim(source.body).is_some() { word } else { quote(&whole) };
        Repair::new(format!("Use {label}"), range.clone(), text)
    });
    Err(Problem { message: format!("{}: {error}", entry.key), remark, range, fix })
}

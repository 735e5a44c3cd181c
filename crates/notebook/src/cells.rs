//! The kinds of cell: every experiment of the core, and `trace`, whose body is the data.
//!
//! An experiment's body is TOML (see [`Cell`]); a trace's is a table
//! ([`crate::csv_cell`]).

mod experiment;

use crate::body::{self, Entry, Problem, Repair};
use crate::csv_cell;
use crate::nearest::{list, nearest};
use netspurt_core::experiments;
use netspurt_core::params::{ParamError, Problem as Refusal, Unit};
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;
use std::ops::Range;
use std::sync::LazyLock;

pub use experiment::{Cell, slot, slot_key};

/// A kind of cell.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The word after `netspurt` in the fence.
    pub name: &'static str,
    /// What a reader sees as the cell's name.
    pub title: &'static str,
    /// What the body of a new cell says.
    pub fresh: &'static str,
    /// What it runs. `None`: it holds data.
    pub experiment: Option<&'static experiments::Entry>,
}

/// Equal by name: there is one of each.
impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Kind {
    /// The keys of its TOML, in the order they are written. Empty where the body is not TOML.
    pub fn keys(&self) -> Vec<Key> {
        self.experiment.map_or_else(Vec::new, experiment::keys)
    }

    /// The key of this name.
    pub fn key(&self, name: &str) -> Option<Key> {
        self.keys().into_iter().find(|k| k.name == name)
    }

    pub(crate) fn read(&self, source: &Source<'_>) -> Result<Content, Vec<Problem>> {
        match self.experiment {
            Some(entry) => Ok(Content::Experiment(experiment::read(entry, source)?)),
            None => Ok(Content::Trace(Shared::new(csv_cell::read(source.id, source.body)?))),
        }
    }
}

/// A key of a cell's TOML.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    pub name: &'static str,
    pub takes: Takes,
}

/// What a key's value is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Takes {
    /// Any text.
    Text,
    /// A trace's name.
    Trace,
    /// An estimator and its parameters: `mills f1=15/16`.
    Slot,
    /// A parameter of the cell itself.
    Param(&'static netspurt_core::params::Spec),
    /// A list or tables, written out in the source.
    Parts,
}

/// Every kind, in the order a page offers them.
pub fn kinds() -> &'static [Kind] {
    static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
        let experiments = experiments::all().iter();
        let of = |e: &'static experiments::Entry| Kind {
            name: e.kind,
            title: e.title,
            fresh: e.fresh,
            experiment: Some(e),
        };
        experiments.map(of).chain([TRACE]).collect()
    });
    &KINDS
}

const TRACE: Kind = Kind {
    name: "trace",
    title: "Trace",
    fresh: "t_s,octets,delay_ms\n0.0,64,12.4\n1.0,64,\n",
    experiment: None,
};

/// The kind of this name.
pub fn kind(name: &str) -> Option<&'static Kind> {
    kinds().iter().find(|k| k.name == name)
}

/// What a cell holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    Experiment(Cell),
    /// Data inside the document. Other cells name it by the cell's id.
    Trace(Shared<Trace>),
}

impl Content {
    /// The experiment, if it is one.
    pub fn experiment(&self) -> Option<&Cell> {
        match self {
            Self::Experiment(cell) => Some(cell),
            Self::Trace(_) => None,
        }
    }

    /// The heading the author gave the cell. `None`: none, or a kind without one.
    pub fn title(&self) -> Option<&str> {
        self.experiment()?.title.as_deref()
    }
}

/// What a kind reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) id: &'a str,
    pub(crate) body: &'a str,
}

impl Source<'_> {
    /// The TOML entries whose keys the kind knows; a problem for each other.
    fn entries(&self, keys: &[Key], problems: &mut Vec<Problem>) -> Vec<Entry> {
        let entries = match body::read(self.body) {
            Ok(entries) => entries,
            Err(unreadable) => {
                problems.extend(unreadable);
                return Vec::new();
            }
        };
        let (known, unknown): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|e| keys.iter().any(|k| k.name == e.key));
        problems.extend(
            unknown.iter().map(|e| unknown_name(&e.key, &e.key_range, "a key", keys.iter().map(|k| k.name))),
        );
        known
    }
}

/// A word that is none of the known ones, and the one that was probably meant.
pub(crate) fn unknown_name<'a>(
    word: &str,
    range: &Range<usize>,
    what: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    let meant = nearest(word, known.clone());
    let there = format!("there are {}", list(known));
    Problem {
        range: range.clone(),
        message: format!("{word} is not {what} here; {there}"),
        remark: meant.map_or(there, |m| format!("did you mean {m}?")),
        fix: meant.map(|m| Repair::new(format!("Use {m}"), range.clone(), m.to_owned())),
    }
}

/// A few words beside the line: what the parameter takes.
pub(crate) fn remark(e: &ParamError) -> String {
    let what = match &e.problem {
        Refusal::Unknown { known } => format!("there are {}", list(known.iter().copied())),
        Refusal::NotANumber { .. } => "a number such as 0.75 or 3/4".to_owned(),
        Refusal::NotWhole { .. } => "a whole number".to_owned(),
        Refusal::WrongUnit { unit: Unit::One | Unit::Count, .. } => "a pure number".to_owned(),
        Refusal::WrongUnit { unit, .. } => format!("in {}", unit.symbol()),
        Refusal::OutOfRange { min, max, unit, .. } => {
            format!("from {min} to {max} {}", unit.symbol()).trim_end().to_owned()
        }
        Refusal::NotAFlag { .. } => "true or false".to_owned(),
        Refusal::NotAChoice { choices, .. } => format!("one of {}", list(choices.iter().copied())),
    };
    match meant(e) {
        Some(m) => format!("{what}; did you mean {m}?"),
        None => what,
    }
}

/// What would have worked and is probably meant: a value, or for an unknown name another name.
fn meant(e: &ParamError) -> Option<String> {
    match &e.problem {
        Refusal::Unknown { known } => nearest(&e.name, known.iter().copied()).map(str::to_owned),
        Refusal::NotAChoice { text, choices } => nearest(text, choices.iter().copied()).map(str::to_owned),
        _ => e.suggestion(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for k in kinds() {
            assert!(k.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", k.name);
            assert_eq!(kinds().iter().filter(|o| o.name == k.name).count(), 1);
            let keys = k.keys();
            assert!(keys.iter().all(|a| keys.iter().filter(|b| b.name == a.name).count() == 1), "{}", k.name);
            let fresh = k.read(&Source { id: "x", body: k.fresh });
            assert!(fresh.is_ok(), "{}: {fresh:?}", k.name);
        }
    }
}

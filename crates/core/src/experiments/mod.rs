//! One file a kind of cell: parameters and a trace in, a report out.
//!
//! [`all`] is the registry. A notebook, a command line and a page know an experiment by its entry and
//! as a [`dyn Experiment`](Experiment), and loop over its settings and slots.
//!
//! Running one is not a method but a function ([`run`]): a program that only shows what others have
//! run, as the page does for most kinds, does not hold what it never calls.

pub mod adapt;
pub mod claims;
pub mod delay;
pub mod imp;
pub mod imp_flow;
pub mod imp_lockup;
pub mod periodicity;
pub mod rto;
pub mod run;
pub mod sweep;

use crate::parts::Parts;
use crate::rto::Rule;
use crate::shared::Shared;
use crate::trace::Trace;
use crate::tree::Keyed;
use std::any::Any;
use std::fmt;

/// How many estimators stand side by side: slots `a` to `d`.
pub const SLOTS: usize = 4;

/// The estimators of an experiment that compares some.
pub type Slots = [Option<Box<dyn Rule>>; SLOTS];

/// What an experiment works on, and what of it is looked at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inputs {
    /// `None` for an experiment that needs no trace.
    pub trace: Option<Shared<Trace>>,
    /// The slot drawn on top, from 0. It changes the figure, not the numbers.
    pub slot: usize,
    /// The row of the frame looked at, for an experiment that follows it
    /// ([`Entry::follows_row`]). It changes the figure, not the numbers.
    pub row: Option<usize>,
}

/// An experiment with its settings, the types erased.
pub trait Experiment: Keyed + Erased {
    /// Its line of the registry.
    fn entry(&self) -> &'static Entry;

    /// A word beside a parameter: where its value comes from. Empty: none.
    fn note(&self, _parameter: &str) -> &'static str {
        ""
    }

    /// What it runs on as it is set, if that is no trace of the reader's choice.
    fn subject(&self) -> Option<&'static str> {
        None
    }

    /// Whether it runs on a trace as it is set.
    fn needs_trace(&self) -> bool {
        self.entry().needs_trace && self.subject().is_none()
    }

    /// Its estimators; `None` for an experiment without.
    fn slots(&self) -> Option<&Slots> {
        None
    }

    fn slots_mut(&mut self) -> Option<&mut Slots> {
        None
    }

    /// Its parts, which a reader adds, changes and removes one by one; several lists where it is made of
    /// unlike things. None: it has no parts.
    fn parts(&self) -> Vec<Box<dyn Parts + '_>> {
        Vec::new()
    }

    /// The experiment with everything settled that was left to the trace or to the estimator of a slot.
    fn settled(&self, _trace: &Trace, _slot: usize) -> Box<dyn Experiment> {
        self.clone_box()
    }
}

impl dyn Experiment + '_ {
    /// The slots that are set, with their index.
    pub fn set_slots(&self) -> impl Iterator<Item = (usize, &dyn Rule)> {
        let slots = self.slots().into_iter().flatten();
        slots.enumerate().filter_map(|(i, s)| Some((i, s.as_deref()?)))
    }

    /// The estimator in a slot. `None`: it is empty, or there are none.
    pub fn slot(&self, index: usize) -> Option<&dyn Rule> {
        self.slots()?.get(index)?.as_deref()
    }
}

/// What every value can do, for an [`Experiment`] whose type is erased.
pub trait Erased {
    fn clone_box(&self) -> Box<dyn Experiment>;
    fn equals(&self, other: &dyn Experiment) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<E: Experiment + Clone + PartialEq + 'static> Erased for E {
    fn clone_box(&self) -> Box<dyn Experiment> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Experiment) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl fmt::Debug for dyn Experiment + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entry().fmt(f)
    }
}

impl Clone for Box<dyn Experiment> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

impl PartialEq for dyn Experiment {
    fn eq(&self, other: &Self) -> bool {
        self.equals(other)
    }
}

/// A line of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The word in documents and on the command line.
    pub kind: &'static str,
    /// What a reader sees as the cell's name.
    pub title: &'static str,
    /// What the body of a new cell says.
    pub fresh: &'static str,
    /// Whether it can run on a trace.
    pub needs_trace: bool,
    /// Whether what it shows depends on the row looked at.
    pub follows_row: bool,
    /// Whether its figure takes the whole width, with the settings above.
    pub is_wide: bool,
    /// The experiment with its defaults.
    pub make: fn() -> Box<dyn Experiment>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({})", self.kind)
    }
}

/// Every experiment, in the order a page offers them.
pub fn all() -> &'static [Entry] {
    const ALL: &[Entry] = &[
        rto::ENTRY,
        sweep::ENTRY,
        adapt::ENTRY,
        periodicity::ENTRY,
        claims::ENTRY,
        delay::ENTRY,
        delay::path::ENTRY,
        delay::printed::ENTRY,
        imp::ENTRY,
        imp_flow::ENTRY,
        imp_lockup::ENTRY,
    ];
    ALL
}

/// An experiment with its defaults.
pub(crate) fn boxed<E: Experiment + Default + 'static>() -> Box<dyn Experiment> {
    Box::new(E::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{Kind, Value};

    #[test]
    fn every_experiment_is_in_order_and_clones_as_it_is() {
        for entry in all() {
            let kebab = entry.kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
            assert!(kebab && all().iter().filter(|e| e.kind == entry.kind).count() == 1, "{}", entry.kind);
            let mut one = (entry.make)();
            assert!(*one.clone_box() == *one, "{}", entry.kind);
            let before = one.clone_box();
            let settings = one.settings_mut();
            for row in 0..settings.len() {
                let spec = settings.spec(row);
                assert!(spec.help.ends_with('.'), "{}: {}", entry.kind, spec.name);
                if let (Kind::Number(range), Value::Number(v)) = (spec.kind, settings.value(row)) {
                    settings.put(row, Value::Number(if v == range.max { range.min } else { range.max }));
                    assert!(*before != *one, "{}: {}", entry.kind, spec.name);
                    break;
                }
            }
        }
    }
}

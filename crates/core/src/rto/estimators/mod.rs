//! One file an estimator: its parameters, its update, its timeout, its source.

pub mod mills;
pub mod rfc6298;

use crate::params::{Params, Settings};
use crate::rto::replay::{self, Options, Replay, Summary};
use crate::trace::Trace;
use std::fmt;

/// A running estimator. Times are in milliseconds.
pub trait Estimator {
    /// How long it would wait for the packet about to be sent.
    fn timeout(&self) -> f64;

    /// Takes a measured delay.
    fn sample(&mut self, delay: f64);

    /// The smoothed delay (E, S or A in the sources). `None` before any sample.
    fn estimate(&self) -> Option<f64>;

    /// Offers the first record's delay as the starting value of the 1983 replay. Only the
    /// estimator of 1983 takes it; the others meet record 0 with their initial timeout.
    fn prime(&mut self, _delay: f64) -> bool {
        false
    }
}

/// An estimator's parameters: they start it.
pub trait EstimatorParams: Params + PartialEq {
    type State: Estimator;
    /// The name in documents, links and on the command line.
    const ID: &'static str;
    const TITLE: &'static str;
    /// The document and section the equations come from.
    const SOURCE: &'static str;

    /// Starts it. It will see `scale` times the trace's delays; only a starting value that is given
    /// in the trace's own unit needs to know.
    fn start(&self, scale: f64) -> Self::State;
}

/// [`EstimatorParams`] with the type erased: an estimator with its settings.
pub trait Rule: Settings {
    fn id(&self) -> &'static str;
    fn title(&self) -> &'static str;
    fn source(&self) -> &'static str;
    /// Replays the trace and keeps its steps.
    fn replay(&self, trace: &Trace, options: &Options) -> Replay;
    /// The estimate after each record, ms; NaN before any sample.
    fn estimates(&self, trace: &Trace, options: &Options) -> Vec<f64>;
    /// Replays the trace for its totals alone.
    fn summary(&self, trace: &Trace, options: &Options) -> Summary;
    fn clone_box(&self) -> Box<dyn Rule>;
}

impl<P: EstimatorParams> Rule for P {
    fn id(&self) -> &'static str {
        P::ID
    }

    fn title(&self) -> &'static str {
        P::TITLE
    }

    fn source(&self) -> &'static str {
        P::SOURCE
    }

    fn replay(&self, trace: &Trace, options: &Options) -> Replay {
        replay::replay(self, trace, options)
    }

    fn estimates(&self, trace: &Trace, options: &Options) -> Vec<f64> {
        replay::estimates(self, trace, options)
    }

    fn summary(&self, trace: &Trace, options: &Options) -> Summary {
        replay::summary(self, trace, options)
    }

    fn clone_box(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Rule> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

impl PartialEq for dyn Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id() && (0..self.len()).all(|i| self.value(i) == other.value(i))
    }
}

/// A line of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    pub id: &'static str,
    pub title: &'static str,
    /// The estimator with its defaults.
    pub make: fn() -> Box<dyn Rule>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({})", self.id)
    }
}

impl Entry {
    const fn of<P: EstimatorParams>() -> Self {
        Self { id: P::ID, title: P::TITLE, make: || Box::new(P::default()) }
    }
}

/// Every estimator, in the order of the years.
pub fn all() -> &'static [Entry] {
    const ALL: &[Entry] = &[Entry::of::<mills::Mills>(), Entry::of::<rfc6298::Rfc6298>()];
    ALL
}

/// The estimator of this id with its defaults.
pub fn rule(id: &str) -> Option<Box<dyn Rule>> {
    all().iter().find(|e| e.id == id).map(|e| (e.make)())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{Kind, Value};

    #[test]
    fn every_table_row_is_in_order() {
        for entry in all() {
            let rule = (entry.make)();
            let mut names = Vec::new();
            for i in 0..rule.len() {
                let spec = rule.spec(i);
                let kebab =
                    spec.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
                assert!(kebab && !names.contains(&spec.name), "{}: {}", entry.id, spec.name);
                names.push(spec.name);
                assert!(spec.help.ends_with('.') && spec.help.matches(". ").count() == 0, "{}", spec.name);
                assert_eq!(spec.parse(&spec.print(rule.value(i))), Ok(rule.value(i)), "{}", spec.name);
                if let (Kind::Number(r), Value::Number(_)) = (spec.kind, rule.value(i)) {
                    assert!(
                        r.min <= r.slider.0 && r.slider.0 < r.slider.1 && r.slider.1 <= r.max && r.step > 0.0
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_set_is_read_back() {
        for entry in all() {
            let mut rule = (entry.make)();
            for i in 0..rule.len() {
                let new = match (rule.spec(i).kind, rule.value(i)) {
                    (Kind::Number(r), Value::Number(v)) => {
                        Value::Number(if v == r.min { r.max } else { r.min })
                    }
                    (_, Value::Flag(b)) => Value::Flag(!b),
                    (_, other) => other,
                };
                rule.put(i, new);
                assert_eq!(rule.value(i), new, "{}: {}", entry.id, rule.spec(i).name);
            }
        }
    }
}

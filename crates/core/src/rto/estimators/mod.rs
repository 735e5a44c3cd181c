//! One file an estimator: its parameters, its update, its timeout, its back-off, its source.
//!
//! The equations are those of the source, in its order of operations; where a source is silent the
//! file says what was chosen. Times are in milliseconds.

pub mod coap;
pub mod cocoa;
pub mod eifel;
pub mod freebsd;
pub mod hindsight;
pub mod jacobson88;
pub mod linux;
pub mod mills;
pub mod peak_hopper;
pub mod quic;
pub mod rfc6298;
pub mod rfc7323;
pub mod rfc793;
pub(crate) mod rows;
mod smoothed;

use crate::params::{Params, Settings};
use crate::rto::explain::Lines;
use crate::rto::replay::{Keep, Totals, View};
use std::fmt;

/// How often back-off doubles a timeout at most: 2^30 milliseconds are twelve days.
pub const MOST_DOUBLINGS: u32 = 30;

const KARN: &str = "RTT samples MUST NOT be made using segments that were retransmitted";

/// A running estimator. Times are in milliseconds.
pub trait Estimator {
    /// How long it would wait for the packet about to be sent, before back-off.
    fn timeout(&self) -> f64;

    /// Takes a measured delay.
    fn sample(&mut self, delay: f64);

    /// The smoothed delay (E, S or A in the sources). `None` before any sample, and for ever where
    /// an estimator smooths none.
    fn estimate(&self) -> Option<f64>;

    /// Offers a first delay as the starting value: record 0 to the replay of 1983, the first sample
    /// to `protocol`. Only the estimator of 1983 takes it.
    fn prime(&mut self, _delay: f64) -> bool {
        false
    }

    /// The most that back-off makes of a timeout.
    fn max(&self) -> f64 {
        f64::INFINITY
    }

    /// The timer ran out: what back-off does. `doublings`: how often it has doubled the timeout.
    fn expire(&mut self, doublings: &mut u32) {
        double(doublings);
    }

    /// A message was answered: takes what there is to sample and says whether it did. A sample ends
    /// back-off.
    fn answer(&mut self, answer: &Answer, doublings: &mut u32) -> bool {
        let Some(delay) = answer.sample else { return false };
        if self.estimate().is_some() || !self.prime(delay) {
            self.sample(delay);
        }
        *doublings = 0;
        true
    }

    /// How [`Estimator::timeout`] comes about; the last line's result is the timeout.
    fn explain_timeout(&self, to: &mut Lines);

    /// What [`Estimator::sample`] would do.
    fn explain_sample(&self, delay: f64, to: &mut Lines);

    /// What [`Estimator::prime`] would do, and whether it would.
    fn explain_prime(&self, _delay: f64, _to: &mut Lines) -> bool {
        false
    }

    /// What [`Estimator::answer`] would do.
    fn explain_answer(&self, answer: &Answer, to: &mut Lines) {
        let Some(delay) = answer.sample else {
            if answer.since_first.is_some() {
                to.say("RFC 6298, 3", KARN);
            }
            return;
        };
        if self.estimate().is_some() || !self.explain_prime(delay, to) {
            self.explain_sample(delay, to);
        }
    }
}

/// Exponential back-off: "set RTO <- RTO * 2" (RFC 6298, 5.5).
fn double(doublings: &mut u32) {
    *doublings = (*doublings + 1).min(MOST_DOUBLINGS);
}

/// The end of a message in the replay `protocol`: from its first sending to its reply.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The delay since the last sending; `None` if it may not be sampled, being ambiguous or unknown.
    pub sample: Option<f64>,
    /// The delay since the first sending; `None` if it is unknown.
    pub since_first: Option<f64>,
    /// How often the timer ran out.
    pub expiries: u32,
}

/// The parameter that trades sending too soon against waiting too long, and values to try.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knob {
    pub name: &'static str,
    pub values: &'static [f64],
}

/// An estimator's parameters: they start it.
pub trait EstimatorParams: Params + PartialEq {
    type State: Estimator + 'static;
    /// The name in documents, links and on the command line.
    const ID: &'static str;
    const TITLE: &'static str;
    /// The document and section the equations come from.
    const SOURCE: &'static str;
    /// What was chosen where the source is silent, for whoever reads the numbers; may be empty.
    const CHOICES: &'static str = "";
    /// `None`: no parameter moves its timeout.
    const KNOB: Option<Knob>;
    /// Whether ambiguous delays are left out unless the replay is told otherwise.
    const KARN: bool = true;
    /// Known by its constants, not by its title.
    const BY_CONSTANTS: bool = false;
    /// Sees delays in the trace's own unit, whatever the scale.
    const UNSCALED: bool = false;

    /// Starts it for what it will see.
    fn start(&self, view: &View<'_>) -> Self::State;

    /// A loop of its own over the rules of 1983, which must give the bits of the common one. `None`:
    /// there is none for this view.
    fn fast(&self, _view: &View<'_>, _keep: &mut Keep<'_>) -> Option<Totals> {
        None
    }
}

/// [`EstimatorParams`] with the type erased: an estimator with its settings. Its replays are
/// methods of `dyn Rule`, in [`replay`](crate::rto::replay).
pub trait Rule: Settings {
    fn id(&self) -> &'static str;
    fn title(&self) -> &'static str;
    fn source(&self) -> &'static str;
    fn choices(&self) -> &'static str;
    fn knob(&self) -> Option<Knob>;
    fn karn(&self) -> bool;
    fn by_constants(&self) -> bool;
    fn unscaled(&self) -> bool;
    fn start(&self, view: &View<'_>) -> Box<dyn Estimator>;
    fn fast(&self, view: &View<'_>, keep: &mut Keep<'_>) -> Option<Totals>;
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

    fn choices(&self) -> &'static str {
        P::CHOICES
    }

    fn knob(&self) -> Option<Knob> {
        P::KNOB
    }

    fn karn(&self) -> bool {
        P::KARN
    }

    fn by_constants(&self) -> bool {
        P::BY_CONSTANTS
    }

    fn unscaled(&self) -> bool {
        P::UNSCALED
    }

    fn start(&self, view: &View<'_>) -> Box<dyn Estimator> {
        Box::new(EstimatorParams::start(self, view))
    }

    fn fast(&self, view: &View<'_>, keep: &mut Keep<'_>) -> Option<Totals> {
        EstimatorParams::fast(self, view, keep)
    }

    fn clone_box(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }
}

impl fmt::Debug for dyn Rule + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
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

/// Every estimator: Mills's, then in the order of the years within TCP, then the others; last the one
/// that knows the future.
pub fn all() -> &'static [Entry] {
    const ALL: &[Entry] = &[
        Entry::of::<mills::Mills>(),
        Entry::of::<rfc793::Rfc793>(),
        Entry::of::<jacobson88::Jacobson88>(),
        Entry::of::<rfc6298::Rfc6298>(),
        Entry::of::<rfc7323::Rfc7323>(),
        Entry::of::<linux::Linux>(),
        Entry::of::<freebsd::FreeBsd>(),
        Entry::of::<eifel::Eifel>(),
        Entry::of::<peak_hopper::PeakHopper>(),
        Entry::of::<quic::Quic>(),
        Entry::of::<coap::Coap>(),
        Entry::of::<cocoa::Cocoa>(),
        Entry::of::<hindsight::Hindsight>(),
    ];
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
    use crate::rto::replay::{Options, Rules};
    use crate::rto::slot::parse_slot;
    use crate::trace::Trace;

    /// An estimator that has seen nothing.
    pub(super) fn started<P: EstimatorParams>(params: &P) -> P::State {
        let trace = Trace::from_series("t", &[]).unwrap();
        EstimatorParams::start(params, &View::new(&trace, &Options::default(), params))
    }

    /// Replays a series under the rules of a transport: `kind timeout` of each record.
    #[track_caller]
    pub(super) fn check(slot: &str, series: &str, expected: &str) {
        check_with(&Options::default(), slot, series, expected);
    }

    #[track_caller]
    pub(super) fn check_with(options: &Options, slot: &str, series: &str, expected: &str) {
        let series: Vec<_> = series.split(' ').map(|s| s.parse().ok()).collect();
        let trace = Trace::from_series("t", &series).unwrap();
        let options = Options { replay: Rules::Protocol, ..options.clone() };
        let replay = parse_slot(slot).unwrap().replay(&trace, &options);
        let steps = replay.kinds.iter().zip(&replay.timeouts).map(|(k, t)| format!("{} {t}", k.name()));
        assert_eq!(steps.collect::<Vec<_>>().join(", "), expected, "{slot}");
    }

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

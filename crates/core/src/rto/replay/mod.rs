//! Replays a trace through an estimator and counts what it would have cost.
//!
//! The replay of 1983 (RFC 889, section 3), record by record, with the timeout T taken before the
//! update:
//!
//! - lost: one more lost packet, T more lost time; the estimator hears nothing;
//! - a reply after R: R more good time; if R > T, one more packet sent again (RTX) and R more RTX
//!   time, the whole late delay; then the estimator takes R, late or not.
//!
//! There is no back-off, and late replies are sampled: Karn's rule came later. The first reply
//! primes `mills` and is not tested; every other estimator meets record 0 with its initial timeout.
//!
//! The replay `protocol` has one packet in flight, and what a transport adds:
//!
//! - lost: the same, and the timer backs off; the next record is the fate of the retransmission;
//! - a late reply, counted from that record's own sending: the timer runs out and backs off until the
//!   reply is there;
//! - a reply is ambiguous if the record before was lost or it is late: under Karn's rule it is not
//!   sampled and back-off stays. A sample ends back-off.
//!
//! [`Sender`] is the definition of both.

mod fast;
mod options;
mod sender;
mod view;

pub use fast::replay as fast;
pub use options::{Correct, Options, Rules};
pub use sender::{Sender, Step};
pub use view::View;

use super::estimators::Rule;
use crate::trace::{Outcome, Trace};

/// What the replay made of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// 1983: the first reply; it set the estimate and was not tested.
    Prime,
    /// 1983: a reply in time.
    Ok,
    /// 1983: a reply after the timeout; the packet would have been sent again though it was not lost.
    Rtx,
    Lost,
    /// A reply whose delay is not known: neither tested nor sampled.
    Untimed,
    /// `protocol`: a reply in time, sampled.
    Sampled,
    /// `protocol`: a reply in time, not sampled.
    Ambiguous,
    /// `protocol`: a reply after the timeout, sampled.
    RtxSampled,
    /// `protocol`: a reply after the timeout, not sampled.
    RtxAmbiguous,
}

impl Kind {
    /// The words of the command line's `kinds`, by `Kind as usize`.
    pub const NAMES: &'static [&'static str] =
        &["prime", "ok", "rtx", "lost", "untimed", "sampled", "ambiguous", "rtx-sampled", "rtx-ambiguous"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether the packet was sent again too soon.
    pub fn is_rtx(self) -> bool {
        matches!(self, Self::Rtx | Self::RtxSampled | Self::RtxAmbiguous)
    }
}

/// The columns of RFC 889's table. Times in ms.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Replies with a known delay.
    pub replies: u64,
    /// `None` without replies.
    pub mean: Option<f64>,
    /// Standard deviation (divisor n) over mean. `None` without replies or for a mean of 0.
    pub cov: Option<f64>,
    pub lost: u64,
    /// Time waited for lost packets.
    pub lost_time: f64,
    /// Packets that would have been sent again though only late.
    pub rtx: u64,
    /// The delays of those packets, added up.
    pub rtx_time: f64,
    /// Sum of all delays.
    pub good_time: f64,
    /// Good, lost and RTX time together.
    pub total: f64,
    /// Good time over total. `None` where the total is 0.
    pub efficiency: Option<f64>,
    /// How often a late packet was sent again, at most 64 times each. `None` in the replay of 1983,
    /// which does not count it.
    pub spurious_transmissions: Option<u64>,
}

impl Summary {
    /// RTX over replies. `None` without replies.
    pub fn spurious_rate(&self) -> Option<f64> {
        (self.replies > 0).then(|| self.rtx as f64 / self.replies as f64)
    }

    /// Every figure by the name it has outside: on the command line, in digests, in JavaScript.
    pub fn figures(&self) -> impl Iterator<Item = (&'static str, Figure)> + use<> {
        use Figure::{Count, Real};
        let always = [
            ("replies", Count(self.replies)),
            ("mean", Real(self.mean)),
            ("cov", Real(self.cov)),
            ("lost", Count(self.lost)),
            ("lost_time", Real(Some(self.lost_time))),
            ("rtx", Count(self.rtx)),
            ("rtx_time", Real(Some(self.rtx_time))),
            ("total", Real(Some(self.total))),
            ("efficiency", Real(self.efficiency)),
            ("spurious_rate", Real(self.spurious_rate())),
        ];
        let protocol = self.spurious_transmissions.map(|n| ("spurious_transmissions", Count(n)));
        always.into_iter().chain(protocol)
    }
}

/// One figure of a [`Summary`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    Count(u64),
    /// A time in ms or a ratio; `None` where it is not defined.
    Real(Option<f64>),
}

impl Figure {
    /// As a number; NaN where it is not defined.
    pub fn number(self) -> f64 {
        match self {
            Self::Count(n) => n as f64,
            Self::Real(v) => v.unwrap_or(f64::NAN),
        }
    }
}

/// A replay with its steps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replay {
    pub summary: Summary,
    /// `timeouts[i]`: the timeout in force when record i is sent, ms, back-off included.
    pub timeouts: Vec<f64>,
    pub kinds: Vec<Kind>,
    /// The estimate after the last record, ms; `None` without a sample.
    pub estimate: Option<f64>,
}

impl dyn Rule + '_ {
    /// Replays the trace and keeps its steps.
    pub fn replay(&self, trace: &Trace, options: &Options) -> Replay {
        let (mut timeouts, mut kinds) = (vec![0.0; trace.len()], vec![Kind::Ok; trace.len()]);
        let totals = run(self, trace, options, &mut Keep::Steps(&mut timeouts, &mut kinds));
        Replay { summary: totals.summary(trace, options), timeouts, kinds, estimate: totals.estimate }
    }

    /// The estimate after each record, ms; NaN before any sample.
    pub fn estimates(&self, trace: &Trace, options: &Options) -> Vec<f64> {
        let mut estimates = vec![f64::NAN; trace.len()];
        run(self, trace, options, &mut Keep::Estimates(&mut estimates));
        estimates
    }

    /// Replays the trace for its totals alone.
    pub fn summary(&self, trace: &Trace, options: &Options) -> Summary {
        run(self, trace, options, &mut Keep::Nothing).summary(trace, options)
    }
}

/// What is kept of every step. Columns are as long as the trace.
#[derive(Debug)]
pub enum Keep<'a> {
    Nothing,
    /// Timeouts and kinds.
    Steps(&'a mut [f64], &'a mut [Kind]),
    Estimates(&'a mut [f64]),
}

/// What a run adds up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    pub lost: u64,
    pub lost_time: f64,
    pub rtx: u64,
    pub rtx_time: f64,
    pub good_time: f64,
    pub spurious: u64,
    /// After the last record, ms; `None` without a sample.
    pub estimate: Option<f64>,
}

impl Totals {
    fn summary(&self, trace: &Trace, options: &Options) -> Summary {
        let moments = trace.moments();
        let total = self.good_time + self.lost_time + self.rtx_time;
        Summary {
            replies: moments.map_or(0, |m| m.n as u64),
            mean: moments.map(|m| m.mean),
            cov: moments.and_then(|m| m.cov()),
            lost: self.lost,
            lost_time: self.lost_time,
            rtx: self.rtx,
            rtx_time: self.rtx_time,
            good_time: self.good_time,
            total,
            efficiency: (total > 0.0).then(|| self.good_time / total),
            spurious_transmissions: (options.replay == Rules::Protocol).then_some(self.spurious),
        }
    }
}

fn run(rule: &dyn Rule, trace: &Trace, options: &Options, keep: &mut Keep<'_>) -> Totals {
    let view = View::new(trace, options, rule);
    if options.replay == Rules::Of1983
        && let Some(totals) = rule.fast(&view, keep)
    {
        return totals;
    }
    step_by_step(rule, view, options, keep)
}

fn step_by_step(rule: &dyn Rule, view: View<'_>, options: &Options, keep: &mut Keep<'_>) -> Totals {
    let trace = view.trace;
    let mut estimator = rule.start(&view);
    let mut sender = Sender::new(view, options, rule);
    let mut t = Totals::default();
    for (i, (&r, &outcome)) in trace.delays().iter().zip(trace.outcomes().iter()).enumerate() {
        let step = sender.step(&mut *estimator, i);
        if outcome == Outcome::Lost {
            t.lost += 1;
            t.lost_time += step.timeout;
        }
        // An unknown delay is 0 in its column.
        t.good_time += r;
        if step.kind.is_rtx() {
            t.rtx += 1;
            t.rtx_time += r;
        }
        t.spurious += u64::from(step.spurious);
        match keep {
            Keep::Nothing => {}
            Keep::Steps(timeouts, kinds) => (timeouts[i], kinds[i]) = (step.timeout, step.kind),
            Keep::Estimates(estimates) => {
                estimates[i] = estimator.estimate().map_or(f64::NAN, |e| sender.view().down(i, e));
            }
        }
    }
    let last = trace.len().saturating_sub(1);
    t.estimate = estimator.estimate().map(|e| sender.view().down(last, e));
    t
}

#[cfg(test)]
mod tests;

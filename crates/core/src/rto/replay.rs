//! Replays a trace through an estimator and counts what it would have cost (RFC 889, section 3).
//!
//! The replay of 1983, record by record, with the timeout T taken before the update:
//!
//! - lost: one more lost packet, T more lost time; the estimator hears nothing;
//! - a reply after R: R more good time; if R > T, one more packet sent again (RTX) and R more RTX
//!   time, the whole late delay; then the estimator takes R, late or not.
//!
//! There is no back-off, and late replies are sampled: Karn's rule came later. The first reply
//! primes `mills` and is not tested; every other estimator meets record 0 with its initial timeout.

use super::estimators::{Estimator as _, EstimatorParams};
use crate::params::{Param, Params, Range, Unit};
use crate::trace::{Measure, Outcome, Trace};
use std::iter;

/// How a trace is replayed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// The estimator sees `scale` times each delay, and its timeouts are divided by it, so that all
    /// results stay in the trace's own unit. `None`: what fits the trace, see [`Options::scale_for`].
    pub scale: Option<f64>,
}

impl Options {
    /// 1; but 2 for one-way delays, which an estimator of round trips must see doubled.
    pub fn scale_for(&self, trace: &Trace) -> f64 {
        self.scale.unwrap_or(match trace.measure {
            Measure::RoundTrip => 1.0,
            Measure::OneWay => 2.0,
        })
    }

    /// The options with everything settled that was left to the trace.
    #[must_use]
    pub fn settled(&self, trace: &Trace) -> Self {
        Self { scale: Some(self.scale_for(trace)) }
    }
}

impl Params for Options {
    const TABLE: &'static [Param<Self>] = &[
        Param::choice(
            (
                "replay",
                "",
                "replay",
                "The rules by which the trace is replayed: those of 1983 know neither back-off nor Karn.",
            ),
            &["1983"],
            |_| "1983",
            |_, _| {},
        ),
        Param::number(
            (
                "scale",
                "",
                "scale",
                "The estimator sees this many times each delay; where it is not set, 2 for one-way delays and 1 for round trips.",
            ),
            Range {
                unit: Unit::One,
                min: 0.001,
                max: 1000.0,
                slider: (1.0, 2.0),
                step: 1.0,
                fractions: false,
            },
            |p| p.scale.unwrap_or(1.0),
            |p, v| p.scale = Some(v),
        ),
    ];
}

/// What the replay made of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The first reply: it set the estimate and was not tested.
    Prime,
    /// A reply in time.
    Ok,
    /// A reply after the timeout: the packet would have been sent again though it was not lost.
    Rtx,
    Lost,
    /// A reply whose delay is not known: neither tested nor sampled.
    Untimed,
}

impl Kind {
    /// The words of the command line's `kinds`, by `Kind as usize`.
    pub const NAMES: &'static [&'static str] = &["prime", "ok", "rtx", "lost", "untimed"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
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
}

impl Summary {
    /// RTX over replies. `None` without replies.
    pub fn spurious_rate(&self) -> Option<f64> {
        (self.replies > 0).then(|| self.rtx as f64 / self.replies as f64)
    }

    /// Every figure by the name it has outside: on the command line, in digests, in JavaScript.
    pub fn figures(&self) -> [(&'static str, Figure); 10] {
        use Figure::{Count, Real};
        [
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
        ]
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
    /// `timeouts[i]`: the timeout in force when record i is sent, ms.
    pub timeouts: Vec<f64>,
    pub kinds: Vec<Kind>,
    /// The estimate after the last record, ms; `None` without a sample.
    pub estimate: Option<f64>,
}

/// Replays the trace and keeps its steps.
pub fn replay<P: EstimatorParams>(params: &P, trace: &Trace, options: &Options) -> Replay {
    let (mut timeouts, mut kinds) = (vec![0.0; trace.len()], vec![Kind::Ok; trace.len()]);
    let steps = timeouts.iter_mut().zip(&mut kinds);
    let (summary, estimate) = run(params, trace, options, steps);
    Replay { summary, timeouts, kinds, estimate }
}

/// The estimate after each record, ms; NaN before any sample.
pub fn estimates<P: EstimatorParams>(params: &P, trace: &Trace, options: &Options) -> Vec<f64> {
    let mut estimates = vec![f64::NAN; trace.len()];
    run(params, trace, options, estimates.iter_mut().map(Estimate));
    estimates
}

/// Replays the trace for its totals alone.
pub fn summary<P: EstimatorParams>(params: &P, trace: &Trace, options: &Options) -> Summary {
    run(params, trace, options, iter::repeat(())).0
}

/// Where what is kept of one step goes.
trait Place {
    fn put(self, timeout: f64, kind: Kind, estimate: impl FnOnce() -> Option<f64>);
}

impl Place for () {
    #[inline]
    fn put(self, _: f64, _: Kind, _: impl FnOnce() -> Option<f64>) {}
}

impl Place for (&mut f64, &mut Kind) {
    #[inline]
    fn put(self, timeout: f64, kind: Kind, _: impl FnOnce() -> Option<f64>) {
        (*self.0, *self.1) = (timeout, kind);
    }
}

struct Estimate<'a>(&'a mut f64);

impl Place for Estimate<'_> {
    #[inline]
    fn put(self, _: f64, _: Kind, estimate: impl FnOnce() -> Option<f64>) {
        *self.0 = estimate().unwrap_or(f64::NAN);
    }
}

/// The totals, and the estimate after the last record.
#[inline(never)]
fn run<P: EstimatorParams, I: Iterator<Item: Place>>(
    params: &P,
    trace: &Trace,
    options: &Options,
    places: I,
) -> (Summary, Option<f64>) {
    let up = options.scale_for(trace);
    let down = 1.0 / up;
    let mut estimator = params.start(up);
    let mut t = Summary::default();
    let mut first = true;
    for ((&r, &outcome), place) in trace.delays().iter().zip(trace.outcomes().iter()).zip(places) {
        let mut timeout = estimator.timeout() * down;
        let kind = match outcome {
            Outcome::Lost => {
                t.lost += 1;
                t.lost_time += timeout;
                Kind::Lost
            }
            Outcome::Untimed => Kind::Untimed,
            Outcome::Reply | Outcome::Below => {
                t.replies += 1;
                t.good_time += r;
                if first && estimator.prime(r * up) {
                    timeout = estimator.timeout() * down;
                    Kind::Prime
                } else {
                    let late = r > timeout;
                    if late {
                        t.rtx += 1;
                        t.rtx_time += r;
                    }
                    estimator.sample(r * up);
                    if late { Kind::Rtx } else { Kind::Ok }
                }
            }
        };
        first = false;
        place.put(timeout, kind, || estimator.estimate().map(|e| e * down));
    }
    let moments = trace.moments();
    t.mean = moments.map(|m| m.mean);
    t.cov = moments.and_then(|m| m.cov());
    t.total = t.good_time + t.lost_time + t.rtx_time;
    t.efficiency = (t.total > 0.0).then(|| t.good_time / t.total);
    (t, estimator.estimate().map(|e| e * down))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rto::estimators::{mills::Mills, rfc6298::Rfc6298};
    use proptest::prelude::*;

    fn trace(series: &[Option<f64>]) -> Trace {
        Trace::from_series("t", series).unwrap()
    }

    fn mills(series: &[Option<f64>]) -> Replay {
        replay(&Mills::default(), &trace(series), &Options::default())
    }

    #[test]
    fn the_first_reply_primes_and_is_not_tested() {
        let series = [Some(100.0), Some(100.0), None, Some(250.0)];
        let r = mills(&series);
        assert_eq!(r.kinds, [Kind::Prime, Kind::Ok, Kind::Lost, Kind::Rtx]);
        assert_eq!(r.timeouts, [200.0, 200.0, 200.0, 200.0]);
        // .75·100 + .25·250
        assert_eq!(
            estimates(&Mills::default(), &trace(&series), &Options::default()),
            [100.0, 100.0, 100.0, 137.5]
        );
        assert_eq!(r.estimate, Some(137.5));
        let s = r.summary;
        assert_eq!((s.replies, s.lost, s.lost_time, s.rtx, s.rtx_time), (3, 1, 200.0, 1, 250.0));
        assert_eq!((s.good_time, s.total, s.efficiency), (450.0, 900.0, Some(0.5)));
        assert_eq!((s.mean, s.spurious_rate()), (Some(150.0), Some(1.0 / 3.0)));
    }

    #[test]
    fn a_loss_first_costs_g_times_e_cold_and_all_later_records_are_tested() {
        let r = mills(&[None, Some(151.0), Some(100.0)]);
        assert_eq!(r.kinds, [Kind::Lost, Kind::Rtx, Kind::Ok]);
        // 2·75, 2·75, then 2·(.75·75 + .25·151)
        assert_eq!(r.timeouts, [150.0, 150.0, 188.0]);
        assert!(estimates(&Mills::default(), &trace(&[None]), &Options::default())[0].is_nan());
    }

    #[test]
    fn late_means_strictly_later_than_the_timeout() {
        assert_eq!(mills(&[Some(100.0), Some(200.0)]).kinds, [Kind::Prime, Kind::Ok]);
        assert_eq!(mills(&[Some(100.0), Some(200.000_001)]).kinds, [Kind::Prime, Kind::Rtx]);
        // G·E of nothing is nothing: any delay is late, none is not.
        assert_eq!(mills(&[Some(0.0), Some(0.0), Some(1.0)]).kinds, [Kind::Prime, Kind::Ok, Kind::Rtx]);
    }

    #[test]
    fn other_estimators_meet_record_0_with_their_initial_timeout() {
        let r = replay(&Rfc6298::default(), &trace(&[Some(1500.0), Some(10.0)]), &Options::default());
        assert_eq!(r.kinds, [Kind::Rtx, Kind::Ok]);
        assert_eq!(r.timeouts, [1000.0, 4500.0]);
    }

    #[test]
    fn scale_shows_the_estimator_round_trips_and_keeps_the_columns() {
        let series = [Some(100.0), Some(300.0), None, Some(120.0)];
        let rule = Rfc6298 { min: 0.0, ..Rfc6298::default() };
        let one = replay(&rule, &trace(&series.map(|d| d.map(|d| 2.0 * d))), &Options::default());
        let two = replay(&rule, &trace(&series), &Options { scale: Some(2.0) });
        assert_eq!(one.kinds, two.kinds);
        assert_eq!(two.timeouts, one.timeouts.iter().map(|t| t / 2.0).collect::<Vec<_>>());
        // Mills's estimator is linear in the delays, and e-cold is in the trace's own unit.
        let m = |o: &Options| replay(&Mills::default(), &trace(&series), o);
        assert_eq!(m(&Options { scale: Some(2.0) }), m(&Options::default()));
        let cold = |scale| replay(&Mills::default(), &trace(&[None, Some(80.0)]), &Options { scale });
        assert_eq!((cold(Some(2.0)).timeouts, cold(None).summary.lost_time), (vec![150.0, 150.0], 150.0));
    }

    #[test]
    fn one_way_delays_are_doubled_for_the_estimator_unless_told_otherwise() {
        let mut b = crate::trace::TraceBuilder::new("t", crate::trace::Provenance::Typed);
        b.measure = Measure::OneWay;
        let one_way = b.build();
        let round = trace(&[]);
        let of = |scale| Options { scale };
        assert_eq!((of(None).scale_for(&one_way), of(None).scale_for(&round)), (2.0, 1.0));
        assert_eq!((of(Some(1.0)).scale_for(&one_way), of(None).settled(&one_way)), (1.0, of(Some(2.0))));
    }

    #[test]
    fn nothing_comes_of_nothing() {
        let s = mills(&[]).summary;
        assert_eq!(s, Summary::default());
        let s = mills(&[None, None]).summary;
        assert_eq!((s.mean, s.cov, s.lost_time, s.efficiency), (None, None, 300.0, Some(0.0)));
        let s = mills(&[Some(0.0), Some(0.0)]).summary;
        assert_eq!((s.mean, s.cov, s.efficiency), (Some(0.0), None, None));
    }

    proptest! {
        #[test]
        fn the_sums_add_up(series in prop::collection::vec(prop::option::weighted(0.9, 0.0..5000.0_f64), 0..300),
                           f1 in 0.0..=1.0_f64, f2 in 0.0..=1.0_f64, g in 0.0..4.0_f64) {
            let t = trace(&series);
            let params = Mills { f1, f2, g, ..Mills::default() };
            let r = replay(&params, &t, &Options::default());
            let s = &r.summary;
            prop_assert_eq!(s.replies + s.lost, series.len() as u64);
            prop_assert_eq!(s.rtx, r.kinds.iter().filter(|k| **k == Kind::Rtx).count() as u64);
            prop_assert_eq!(s.total, s.good_time + s.lost_time + s.rtx_time);
            prop_assert!(s.efficiency.is_none_or(|e| (0.0..=1.0).contains(&e)));
            prop_assert_eq!(s, &summary(&params, &t, &Options::default()));
        }
    }
}

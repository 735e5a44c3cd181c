//! What a timeout is worth on one trace: how often it is too soon, how long it waits, and how much a
//! fixed one would have saved.

use super::estimators::Rule;
use super::estimators::hindsight::Hindsight;
use super::replay::{Options, Summary};
use crate::stats::moments::Sum;
use crate::stats::proportion::Proportion;
use crate::stats::quantile;
use crate::trace::{Outcome, Trace};

/// How an estimator did.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The columns of 1983.
    pub summary: Summary,
    /// Late replies among all. `None` without replies.
    pub spurious: Option<Proportion>,
    /// The timeout at every record: what a loss there would have cost. `None` without records.
    pub wait: Option<Wait>,
    /// The timeout at the packets that were lost. `None` if none was.
    pub wait_lost: Option<Wait>,
    /// Geometric mean of timeout over delay, over replies that took any time. 0 if a timeout was 0,
    /// `None` without such replies.
    pub ratio: Option<f64>,
    /// Efficiency points, hundredths, that the best fixed timeout is ahead; negative where it is
    /// behind, as it may be: it does not adapt. `None` where an efficiency is not defined.
    pub regret: Option<f64>,
}

/// How long a sender waits, ms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wait {
    pub mean: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
}

/// Replays the trace and judges the estimator.
pub fn judge(rule: &dyn Rule, trace: &Trace, options: &Options) -> Judgement {
    let replay = rule.replay(trace, options);
    let timeouts = &replay.timeouts;
    let lost: Vec<f64> =
        (0..trace.len()).filter(|&i| trace.outcomes()[i] == Outcome::Lost).map(|i| timeouts[i]).collect();
    let best: &dyn Rule = &Hindsight {};
    let best = best.summary(trace, options).efficiency;
    let summary = replay.summary;
    Judgement {
        spurious: Proportion::of(summary.rtx, summary.replies),
        wait: Wait::of(timeouts),
        wait_lost: Wait::of(&lost),
        ratio: ratio(trace, timeouts),
        regret: best.zip(summary.efficiency).map(|(best, own)| 100.0 * (best - own)),
        summary,
    }
}

impl Wait {
    /// `None` for no timeouts.
    fn of(timeouts: &[f64]) -> Option<Self> {
        let at = |p| quantile::of(timeouts.iter().copied(), p);
        Some(Self { mean: mean(timeouts)?, p50: at(0.5)?, p95: at(0.95)?, p99: at(0.99)? })
    }
}

/// `None` for no numbers.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().copied().collect::<Sum>().value() / values.len() as f64)
}

/// exp of the mean of ln(T/R)
fn ratio(trace: &Trace, timeouts: &[f64]) -> Option<f64> {
    let mut logs = Sum::default();
    let mut n = 0;
    for ((&r, &outcome), &t) in trace.delays().iter().zip(trace.outcomes().iter()).zip(timeouts) {
        if outcome.is_timed() && r > 0.0 {
            if t <= 0.0 {
                return Some(0.0);
            }
            // Apart, as the quotient might be out of range.
            logs.add(libm::log(t) - libm::log(r));
            n += 1;
        }
    }
    (n > 0).then(|| libm::exp(logs.value() / f64::from(n)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rto::{Rules, parse_slot};

    fn judged(slot: &str, series: &[Option<f64>], options: &Options) -> Judgement {
        judge(&*parse_slot(slot).unwrap(), &Trace::from_series("t", series).unwrap(), options)
    }

    fn near(a: Option<f64>, b: f64) -> bool {
        a.is_some_and(|a| (a - b).abs() < 1e-12 * b.abs().max(1.0))
    }

    #[test]
    fn a_case_worked_by_hand() {
        // Timeouts 200, 200, 200, 200, 275: E = 100, 100, -, .75·100 + .25·250 = 137.5.
        let series = [Some(100.0), Some(100.0), None, Some(250.0), None];
        let j = judged("mills", &series, &Options::default());
        // 1 of 3: (1 + z²/2 ± z·√(2/3 + z²/4)) / (3 + z²)
        let p = j.spurious.unwrap();
        assert!(
            near(Some(p.rate), 1.0 / 3.0)
                && (p.low - 0.06149).abs() < 1e-5
                && (p.high - 0.79234).abs() < 1e-5
        );
        // p95: between the fourth, 200, and the fifth, 275: at 3.8; p99 at 3.96.
        let wait = j.wait.unwrap();
        assert_eq!((wait.mean, wait.p50), (215.0, 200.0));
        assert!(near(Some(wait.p95), 260.0) && near(Some(wait.p99), 272.0));
        let lost = j.wait_lost.unwrap();
        assert_eq!((lost.mean, lost.p50), (237.5, 237.5));
        assert!(near(Some(lost.p95), 271.25) && near(Some(lost.p99), 274.25));
        // Cube root of 2·2·.8
        assert!(near(j.ratio, libm::cbrt(3.2)));
        // Fixed: 100 costs 200 + 250, which is the least; 450 of 900. Mills's costs 475 + 250.
        assert!(near(j.regret, 100.0 * (450.0 / 900.0 - 450.0 / 1175.0)));
    }

    #[test]
    fn what_is_not_defined_is_none() {
        let j = judged("rfc6298", &[None, None], &Options::default());
        assert_eq!((j.spurious, j.ratio), (None, None));
        assert_eq!(j.wait_lost, Some(Wait { mean: 1000.0, p50: 1000.0, p95: 1000.0, p99: 1000.0 }));
        // The best fixed timeout is 0, which costs nothing: nothing of nothing.
        assert_eq!(j.regret, None);
        let j = judged("rfc6298", &[], &Options::default());
        assert_eq!((j.wait, j.wait_lost, j.regret), (None, None, None));
        let j = judged("rfc6298", &[Some(0.0), Some(10.0)], &Options::default());
        assert!(near(j.ratio, 100.0) && j.wait_lost.is_none() && near(j.regret, 0.0));
        assert_eq!(judged("mills g=0", &[Some(1.0)], &Options::default()).ratio, Some(0.0));
    }

    #[test]
    fn the_mark_is_replayed_by_the_same_rules() {
        let protocol = Options { replay: Rules::Protocol, ..Options::default() };
        let series = [Some(100.0), None, Some(100.0)];
        let j = judged("rfc6298 min=0", &series, &protocol);
        // 1000, 300, 600: the loss costs 300; fixed, 100.
        assert!(near(j.regret, 100.0 * (200.0 / 300.0 - 200.0 / 500.0)));
        assert!(near(judged("hindsight", &series, &protocol).regret, 0.0));
    }
}

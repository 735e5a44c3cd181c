//! `hindsight`: the one fixed timeout that would have cost least, had the trace been known.
//!
//! Not a timer that could be built: a mark to measure the others against. By the costs of RFC 889 a
//! lost packet costs T and a late one its whole delay, so T is sought among 0 and the delays with the
//! least lost·T + Σ R over R > T, the smaller T on a tie. It does not back off.

use super::{Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params};
use crate::rto::explain::Lines;
use crate::rto::replay::{Options, View};
use crate::trace::Trace;

/// It has no parameters.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hindsight {}

impl Params for Hindsight {
    const TABLE: &'static [Param<Self>] = &[];
}

impl EstimatorParams for Hindsight {
    type State = State;
    const ID: &'static str = "hindsight";
    const TITLE: &'static str = "Hindsight";
    const SOURCE: &'static str = "the whole trace";
    const CHOICES: &'static str = "No timer could know it: a mark to measure the others against.";
    const KNOB: Option<Knob> = None;
    const UNSCALED: bool = true;

    fn start(&self, view: &View<'_>) -> State {
        State { best: least_cost(view) }
    }
}

/// A fixed timeout and what it costs in lost and RTX time, ms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    pub timeout: f64,
    pub cost: f64,
    /// Lost packets, each of which costs the timeout.
    pub lost: f64,
    /// The sum of the delays beyond it, ms.
    pub late: f64,
}

/// The best fixed timeout for the trace; 0 for a trace without replies.
pub fn best(trace: &Trace) -> Best {
    least_cost(&View::new(trace, &Options::default(), &Hindsight {}))
}

/// Over a view with a length line T stands above the line, and is sought where it is not below it.
fn least_cost(view: &View<'_>) -> Best {
    let lost = view.lost() as f64;
    let mut delays: Vec<(f64, f64)> = view.timed().collect();
    delays.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // From the longest delay down, with the late ones added up so far.
    let mut late = 0.0;
    let mut best = Best { timeout: 0.0, cost: f64::INFINITY, lost, late };
    for (i, &(seen, delay)) in delays.iter().enumerate().rev() {
        // Not below the line. Equal delays are late together: only the last of them is tried.
        let last_of_equals = delays.get(i + 1).is_none_or(|above| above.0 > seen);
        if seen > 0.0 && last_of_equals {
            best = best.or(seen, late);
        }
        if seen > 0.0 {
            late += delay;
        }
    }
    best.or(0.0, late)
}

impl Best {
    /// The cheaper of two; at one price the smaller, which is the one that is tried later.
    fn or(self, timeout: f64, late: f64) -> Self {
        let cost = self.lost * timeout + late;
        if cost <= self.cost { Self { timeout, cost, late, ..self } } else { self }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    best: Best,
}

impl Estimator for State {
    fn timeout(&self) -> f64 {
        self.best.timeout
    }

    /// It has seen it all.
    fn sample(&mut self, _delay: f64) {}

    fn estimate(&self) -> Option<f64> {
        None
    }

    fn expire(&mut self, _doublings: &mut u32) {}

    fn explain_timeout(&self, to: &mut Lines) {
        let Best { timeout, cost, lost, late } = self.best;
        to.say(
            "whole trace",
            "T: of 0 and every delay the one that costs least; late: the sum of R over R > T",
        );
        let rule = "cost = lost*T + late";
        to.work("whole trace", rule, &[("lost", lost), ("T", timeout), ("late", late)], cost);
    }

    fn explain_sample(&self, _delay: f64, to: &mut Lines) {
        to.say("", "the timeout is fixed");
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;
    use proptest::prelude::*;

    fn of(series: &[Option<f64>]) -> (f64, f64) {
        let Best { timeout, cost, .. } = best(&Trace::from_series("t", series).unwrap());
        (timeout, cost)
    }

    #[test]
    fn small_cases() {
        let (a, b, lost) = (Some(100.0), Some(250.0), None);
        // Nothing lost: wait for the longest.
        assert_eq!(of(&[a, b, a]), (250.0, 0.0));
        // T = 0: 450; T = 100: 100 + 250; T = 250: 250.
        assert_eq!(of(&[a, a, lost, b]), (250.0, 250.0));
        // T = 0: 350; T = 100: 300 + 250; T = 250: 750.
        assert_eq!(of(&[a, lost, lost, lost, b]), (0.0, 350.0));
        // T = 0: 450; T = 100: 200 + 250; T = 250: 500: the smaller of two at one price.
        assert_eq!(of(&[a, a, lost, lost, b]), (0.0, 450.0));
        assert_eq!(of(&[lost, lost]), (0.0, 0.0));
        assert_eq!(of(&[]), (0.0, 0.0));
        assert_eq!(of(&[Some(0.0), lost]), (0.0, 0.0));
    }

    #[test]
    fn it_is_a_fixed_timeout_under_either_rule() {
        check("hindsight", "100 100 - 250", "sampled 250, sampled 250, lost 250, ambiguous 250");
    }

    proptest! {
        #[test]
        fn nothing_fixed_costs_less(series in prop::collection::vec(prop::option::weighted(0.8, 0.0..50.0_f64), 0..60),
                                    other in 0.0..60.0_f64) {
            let cost = |t: f64| series.iter().map(|r| match r {
                Some(r) if *r > t => *r,
                Some(_) => 0.0,
                None => t,
            }).sum::<f64>();
            let (timeout, least) = of(&series);
            prop_assert!((cost(timeout) - least).abs() < 1e-9 * (1.0 + least));
            prop_assert!(least <= cost(other) + 1e-9);
            prop_assert!(timeout == 0.0 || series.contains(&Some(timeout)));
            // No smaller one at that price.
            prop_assert!(series.iter().flatten().all(|r| *r >= timeout || cost(*r) > least - 1e-9));
        }
    }
}

//! `rfc6298`: the timer TCP computes today, mean and variation apart (RFC 6298, section 2).

use super::rows::{GRANULARITY, INITIAL, K, LONG_TIME, MAX, MIN, SHORT_TIME, TIME, TIMES};
use super::smoothed::{Smoothed, Wording};
use super::{Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params};
use crate::rto::explain::Lines;
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct Rfc6298 {
    /// Clock granularity G, ms. "There is no requirement for the clock granularity G" (section 4)
    pub granularity: f64,
    /// Least RTO, ms.
    pub min: f64,
    /// Greatest RTO, ms.
    pub max: f64,
    /// RTO before any sample, ms.
    pub initial: f64,
    /// How many variations the timeout lies above the mean.
    pub k: f64,
}

impl Default for Rfc6298 {
    fn default() -> Self {
        Self { granularity: 0.0, min: 1000.0, max: 60_000.0, initial: 1000.0, k: 4.0 }
    }
}

impl Params for Rfc6298 {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(MIN, TIME, |p| p.min, |p, v| p.min = v),
        Param::number(K, TIMES, |p| p.k, |p, v| p.k = v),
        Param::number(GRANULARITY, SHORT_TIME, |p| p.granularity, |p, v| p.granularity = v),
        Param::number(MAX, LONG_TIME, |p| p.max, |p, v| p.max = v),
        Param::number(INITIAL, TIME, |p| p.initial, |p, v| p.initial = v),
    ];
}

/// "computed using alpha=1/8 and beta=1/4 (as suggested in [JK88])" (2.3)
pub(super) const ALPHA: f64 = 0.125;
pub(super) const BETA: f64 = 0.25;

pub(super) const K_VALUES: Option<Knob> =
    Some(Knob { name: "k", values: &[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0] });

impl EstimatorParams for Rfc6298 {
    type State = State;
    const ID: &'static str = "rfc6298";
    const TITLE: &'static str = "RFC 6298";
    const SOURCE: &'static str = "RFC 6298, section 2";
    const KNOB: Option<Knob> = K_VALUES;

    fn start(&self, _view: &View<'_>) -> State {
        State::new(self.clone(), ALPHA, BETA)
    }
}

#[derive(Debug, Clone)]
pub struct State {
    params: Rfc6298,
    alpha: f64,
    beta: f64,
    smoothed: Smoothed,
}

impl State {
    pub(super) fn new(params: Rfc6298, alpha: f64, beta: f64) -> Self {
        Self { params, alpha, beta, smoothed: Smoothed::default() }
    }
}

impl Estimator for State {
    fn timeout(&self) -> f64 {
        let (p, Smoothed { s, v, begun }) = (&self.params, &self.smoothed);
        let base = if *begun {
            // RTO <- SRTT + max (G, K*RTTVAR) (2.2, 2.3), then at least 1 second (2.4), at most a
            // maximum of at least 60 seconds (2.5): both are parameters here.
            (s + p.granularity.max(p.k * v)).max(p.min)
        } else {
            // "Until a round-trip time (RTT) measurement has been made for a segment sent between
            // the sender and receiver, the sender SHOULD set RTO <- 1 second" (2.1)
            p.initial
        };
        base.min(p.max)
    }

    fn sample(&mut self, r: f64) {
        self.smoothed.sample(r, self.alpha, self.beta);
    }

    fn estimate(&self) -> Option<f64> {
        self.smoothed.mean()
    }

    /// "The maximum value discussed in (2.5) above may be used to provide an upper bound to this
    /// doubling operation." (5.5)
    fn max(&self) -> f64 {
        self.params.max
    }

    fn explain_timeout(&self, to: &mut Lines) {
        let (p, s) = (&self.params, &self.smoothed);
        let values = [
            ("SRTT", s.s),
            ("G", p.granularity),
            ("K", p.k),
            ("RTTVAR", s.v),
            ("RTO_min", p.min),
            ("RTO_max", p.max),
            ("initial", p.initial),
        ];
        if s.begun {
            let rto = s.s + p.granularity.max(p.k * s.v);
            to.work("RFC 6298, 2.3", "RTO <- SRTT + max (G, K*RTTVAR)", &values, rto);
            let values = [("RTO", rto), ("RTO_min", p.min), ("RTO_max", p.max)];
            let rule = "RTO <- min(RTO_max, max(RTO_min, RTO))";
            to.work("RFC 6298, 2.4 and 2.5", rule, &values, self.timeout());
        } else {
            to.work("RFC 6298, 2.1", "RTO <- min(RTO_max, initial)", &values, self.timeout());
        }
    }

    fn explain_sample(&self, r: f64, to: &mut Lines) {
        let mut after = self.clone();
        after.sample(r);
        WORDING.explain(&self.smoothed, &after.smoothed, (r, self.alpha, self.beta), to);
    }
}

const WORDING: Wording = Wording {
    first: ("SRTT <- R'", "RTTVAR <- R'/2", "RFC 6298, 2.2"),
    later: (
        "RTTVAR <- (1 - beta) * RTTVAR + beta * |SRTT - R'|",
        "SRTT <- (1 - alpha) * SRTT + alpha * R'",
        "RFC 6298, 2.3",
    ),
    symbols: ["SRTT", "RTTVAR", "R'", "alpha", "beta"],
};

#[cfg(test)]
mod tests {
    use super::super::tests::{check, check_with, started};
    use super::*;
    use crate::rto::Options;

    #[test]
    fn a_case_worked_by_hand() {
        let mut s = started(&Rfc6298 { min: 0.0, ..Rfc6298::default() });
        assert_eq!((s.timeout(), s.estimate()), (1000.0, None));
        s.sample(100.0);
        // S = 100, V = 50, RTO = 100 + 4·50
        assert_eq!((s.timeout(), s.estimate()), (300.0, Some(100.0)));
        s.sample(180.0);
        // V = .75·50 + .25·80 = 57.5, S = .875·100 + .125·180 = 110, RTO = 110 + 230
        assert_eq!((s.timeout(), s.estimate()), (340.0, Some(110.0)));
    }

    #[test]
    fn the_bounds_hold() {
        let mut s = started(&Rfc6298 { max: 2000.0, ..Rfc6298::default() });
        s.sample(10.0);
        assert_eq!(s.timeout(), 1000.0);
        s.sample(1e6);
        assert_eq!(s.timeout(), 2000.0);
        let mut s = started(&Rfc6298 { min: 0.0, granularity: 500.0, ..Rfc6298::default() });
        s.sample(100.0);
        // 100 + max(500, 200)
        assert_eq!(s.timeout(), 600.0);
    }

    #[test]
    fn back_off_ends_with_a_sample() {
        // 100 is ambiguous after a loss, and back-off stays; the next 100 ends it.
        check(
            "rfc6298 min=0",
            "100 - - 100 100 100",
            "sampled 1000, lost 300, lost 600, ambiguous 1200, sampled 1200, sampled 250",
        );
        // A late reply: T = 300, runs out at 300, 900 and 2100 while 2000 is awaited: twice.
        check("rfc6298 min=0", "100 2000 100", "sampled 1000, rtx-ambiguous 300, sampled 1200");
        // With timestamps: S = 100 + 1900/8 = 337.5, V = .75·50 + .25·1900 = 512.5
        let stamps = Options { karn: Some(false), ..Options::default() };
        check_with(
            &stamps,
            "rfc6298 min=0",
            "100 - 100 2000 100",
            "sampled 1000, lost 300, sampled 600, rtx-sampled 250, sampled 2350",
        );
        check(
            "rfc6298 max=2000 min=0",
            "100 - - - -",
            "sampled 1000, lost 300, lost 600, lost 1200, lost 2000",
        );
    }
}

//! `rfc6298`: the timer TCP computes today, mean and variation apart (RFC 6298, section 2).

use super::{Estimator, EstimatorParams};
use crate::params::{Param, Params, Range, Unit};

#[derive(Debug, Clone, PartialEq)]
pub struct Rfc6298 {
    /// Clock granularity G, ms. "there is no requirement for the clock granularity G" (section 4)
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

const TIME: Range = Range {
    unit: Unit::Milliseconds,
    min: 0.0,
    max: 1e10,
    slider: (0.0, 3000.0),
    step: 10.0,
    fractions: false,
};

const TIMES: Range =
    Range { unit: Unit::One, min: 0.0, max: 16.0, slider: (0.0, 8.0), step: 0.25, fractions: false };

impl Params for Rfc6298 {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("min", "", "least timeout", "The timeout is never shorter than this."),
            TIME,
            |p| p.min,
            |p, v| p.min = v,
        ),
        Param::number(
            ("k", "K", "variations above", "The timeout lies this many times the variation above the mean."),
            TIMES,
            |p| p.k,
            |p, v| p.k = v,
        ),
        Param::number(
            ("granularity", "", "clock granularity", "The least amount the timeout lies above the mean."),
            Range { slider: (0.0, 500.0), ..TIME },
            |p| p.granularity,
            |p, v| p.granularity = v,
        ),
        Param::number(
            ("max", "", "greatest timeout", "The timeout is never longer than this."),
            Range { slider: (0.0, 120_000.0), step: 1000.0, ..TIME },
            |p| p.max,
            |p, v| p.max = v,
        ),
        Param::number(
            ("initial", "", "first timeout", "The timeout before any delay has been measured."),
            TIME,
            |p| p.initial,
            |p, v| p.initial = v,
        ),
    ];
}

impl EstimatorParams for Rfc6298 {
    type State = State;
    const ID: &'static str = "rfc6298";
    const TITLE: &'static str = "RFC 6298";
    const SOURCE: &'static str = "RFC 6298, section 2";

    fn start(&self, _scale: f64) -> State {
        // "Until a round-trip time (RTT) measurement has been made for a segment sent between the
        // sender and receiver, the sender SHOULD set RTO <- 1 second" (2.1)
        State { params: self.clone(), rto: self.initial.min(self.max), s: 0.0, v: 0.0, begun: false }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    params: Rfc6298,
    rto: f64,
    s: f64,
    v: f64,
    begun: bool,
}

impl Estimator for State {
    #[inline]
    fn timeout(&self) -> f64 {
        self.rto
    }

    #[inline]
    fn sample(&mut self, r: f64) {
        if self.begun {
            // RTTVAR <- (1 - beta) * RTTVAR + beta * |SRTT - R'|
            // SRTT <- (1 - alpha) * SRTT + alpha * R'     alpha=1/8 and beta=1/4 (2.3)
            // "The value of SRTT used in the update to RTTVAR is its value before updating SRTT"
            self.v = 0.75 * self.v + 0.25 * (self.s - r).abs();
            self.s = 0.875 * self.s + 0.125 * r;
        } else {
            // SRTT <- R, RTTVAR <- R/2 (2.2)
            self.s = r;
            self.v = r / 2.0;
            self.begun = true;
        }
        // RTO <- SRTT + max (G, K*RTTVAR) (2.2, 2.3), then at least 1 second (2.4), at most a
        // maximum of at least 60 seconds (2.5): both are parameters here.
        let p = &self.params;
        self.rto = (self.s + p.granularity.max(p.k * self.v)).max(p.min).min(p.max);
    }

    fn estimate(&self) -> Option<f64> {
        self.begun.then_some(self.s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_worked_by_hand() {
        let mut s = Rfc6298 { min: 0.0, ..Rfc6298::default() }.start(1.0);
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
        let mut s = Rfc6298 { max: 2000.0, ..Rfc6298::default() }.start(1.0);
        s.sample(10.0);
        assert_eq!(s.timeout(), 1000.0);
        s.sample(1e6);
        assert_eq!(s.timeout(), 2000.0);
    }
}

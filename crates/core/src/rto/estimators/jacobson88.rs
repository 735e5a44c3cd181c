//! `jacobson88`: mean and mean deviation (Jacobson, "Congestion Avoidance and Control", 1988).
//!
//! The paper's appendix A gives the update, A + 2D in its code and, in the revision of 1990, A + 4D.
//! The first sample (A = R, D = R/2) is that of RFC 6298; 3 seconds before any sample and 240 seconds
//! at most are RFC 1122, 4.2.3.1: "RTO = 3 seconds", "the upper bound should be 2*MSL, i.e., 240
//! seconds".

use super::rows::{K, LONG_TIME, MAX, MIN, TIME, TIMES};
use super::{Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params};
use crate::rto::explain::Lines;
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct Jacobson88 {
    /// 2 in 1988, 4 since 1990.
    pub k: f64,
    /// Least and greatest timeout, ms.
    pub min: f64,
    pub max: f64,
}

impl Default for Jacobson88 {
    fn default() -> Self {
        Self { k: 2.0, min: 0.0, max: 240_000.0 }
    }
}

/// RTO before any sample, ms.
const INITIAL: f64 = 3000.0;

impl Params for Jacobson88 {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(K, TIMES, |p| p.k, |p, v| p.k = v),
        Param::number(MIN, TIME, |p| p.min, |p, v| p.min = v),
        Param::number(MAX, LONG_TIME, |p| p.max, |p, v| p.max = v),
    ];
}

impl EstimatorParams for Jacobson88 {
    type State = State;
    const ID: &'static str = "jacobson88";
    const TITLE: &'static str = "Jacobson 1988";
    const SOURCE: &'static str = "Jacobson 1988, appendix A";
    const CHOICES: &'static str =
        "A first sample is taken as RFC 6298 has it; 3 s before it and 240 s at most are those of RFC 1122.";
    const KNOB: Option<Knob> =
        Some(Knob { name: "k", values: &[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0] });

    fn start(&self, _view: &View<'_>) -> State {
        State { params: self.clone(), a: 0.0, d: 0.0, begun: false }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    params: Jacobson88,
    a: f64,
    d: f64,
    begun: bool,
}

impl Estimator for State {
    fn timeout(&self) -> f64 {
        let p = &self.params;
        let base = if self.begun { (self.a + p.k * self.d).max(p.min) } else { INITIAL };
        base.min(p.max)
    }

    /// Err = M - A, A <- A + g Err, D <- D + h (|Err| - D), with g = 1/8 and h = 1/4.
    fn sample(&mut self, r: f64) {
        if self.begun {
            let err = r - self.a;
            self.a += err / 8.0;
            self.d += (err.abs() - self.d) / 4.0;
        } else {
            self.a = r;
            self.d = r / 2.0;
            self.begun = true;
        }
    }

    fn estimate(&self) -> Option<f64> {
        self.begun.then_some(self.a)
    }

    fn max(&self) -> f64 {
        self.params.max
    }

    fn explain_timeout(&self, to: &mut Lines) {
        let p = &self.params;
        let values = [("rto_min", p.min), ("A", self.a), ("k", p.k), ("D", self.d), ("rto_max", p.max)];
        if self.begun {
            to.work("appendix A", "rto = min(rto_max, max(rto_min, A + k*D))", &values, self.timeout());
        } else {
            to.work("RFC 1122, 4.2.3.1", "rto = min(rto_max, 3000)", &values, self.timeout());
        }
    }

    fn explain_sample(&self, r: f64, to: &mut Lines) {
        let mut after = self.clone();
        after.sample(r);
        let err = r - self.a;
        let values = [("M", r), ("A", self.a), ("D", self.d), ("Err", err)];
        if self.begun {
            to.work("appendix A", "Err = M - A", &values, err);
            to.work("appendix A", "A <- A + Err/8", &values, after.a);
            to.work("appendix A", "D <- D + (|Err| - D)/4", &values, after.d);
        } else {
            to.work("first sample", "A <- M", &values, after.a);
            to.work("first sample", "D <- M/2", &values, after.d);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, started};
    use super::*;

    #[test]
    fn a_case_worked_by_hand() {
        for (k, timeouts) in [(2.0, [200.0, 225.0, 224.375]), (4.0, [300.0, 340.0, 348.125])] {
            let mut s = started(&Jacobson88 { k, ..Jacobson88::default() });
            assert_eq!((s.timeout(), s.estimate()), (3000.0, None));
            s.sample(100.0);
            // A = 100, D = 50
            assert_eq!((s.timeout(), s.estimate()), (timeouts[0], Some(100.0)));
            s.sample(180.0);
            // Err = 80, A = 100 + 10, D = 50 + (80 - 50)/4 = 57.5
            assert_eq!((s.timeout(), s.estimate()), (timeouts[1], Some(110.0)));
            s.sample(35.0);
            // Err = -75, A = 110 - 9.375, D = 57.5 + (75 - 57.5)/4 = 61.875
            assert_eq!((s.timeout(), s.estimate()), (timeouts[2], Some(100.625)));
        }
    }

    #[test]
    fn the_bounds_hold() {
        check(
            "jacobson88 max=5000",
            "100 - - - - - -",
            "sampled 3000, lost 200, lost 400, lost 800, lost 1600, lost 3200, lost 5000",
        );
        check("jacobson88 min=250", "100 100", "sampled 3000, sampled 250");
        check("jacobson88 max=2000", "100", "sampled 2000");
    }
}

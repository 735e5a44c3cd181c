//! `rfc793`: the first TCP timer, a multiple of the mean within bounds (RFC 793, section 3.7).
//!
//! Its example gives ranges, ".8 to .9" and "1.3 to 2.0"; the values here are those RFC 889 calls
//! typical, F = 7/8 and G = 2. RFC 793 has neither back-off nor Karn's rule: they are on by choice, as
//! hosts do since RFC 1122, 4.2.3.1, whose 3 seconds before any sample serve too.

use super::rows::{BACKOFF, INITIAL, LONG_TIME, TIME, TIMES, WEIGHT};
use super::{Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params, Range};
use crate::rto::explain::Lines;
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct Rfc793 {
    pub alpha: f64,
    pub beta: f64,
    /// Least and greatest timeout, ms.
    pub lbound: f64,
    pub ubound: f64,
    /// RTO before any sample, ms.
    pub initial: f64,
    pub backoff: bool,
}

impl Default for Rfc793 {
    fn default() -> Self {
        // "UBOUND is an upper bound on the timeout (e.g., 1 minute), LBOUND is a lower bound on the
        // timeout (e.g., 1 second)"
        Self { alpha: 0.875, beta: 2.0, lbound: 1000.0, ubound: 60_000.0, initial: 3000.0, backoff: true }
    }
}

impl Params for Rfc793 {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("alpha", "ALPHA", "smoothing", "How much of the smoothed delay is kept at each sample."),
            WEIGHT,
            |p| p.alpha,
            |p, v| p.alpha = v,
        ),
        Param::number(
            ("beta", "BETA", "delay variance", "The timeout is this many times the smoothed delay."),
            Range { slider: (1.0, 4.0), step: 1.0 / 16.0, ..TIMES },
            |p| p.beta,
            |p, v| p.beta = v,
        ),
        Param::number(
            ("lbound", "LBOUND", "least timeout", "The timeout is never shorter than this."),
            TIME,
            |p| p.lbound,
            |p, v| p.lbound = v,
        ),
        Param::number(
            ("ubound", "UBOUND", "greatest timeout", "The timeout is never longer than this."),
            LONG_TIME,
            |p| p.ubound,
            |p, v| p.ubound = v,
        ),
        Param::number(INITIAL, TIME, |p| p.initial, |p, v| p.initial = v),
        Param::flag(BACKOFF, |p| p.backoff, |p, v| p.backoff = v),
    ];
}

impl EstimatorParams for Rfc793 {
    type State = State;
    const ID: &'static str = "rfc793";
    const TITLE: &'static str = "RFC 793";
    const SOURCE: &'static str = "RFC 793, section 3.7";
    const CHOICES: &'static str =
        "RFC 793 gives ranges, and neither back-off nor Karn's rule: both are on by choice, as in RFC 1122.";
    const KNOB: Option<Knob> =
        Some(Knob { name: "beta", values: &[1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, 16.0] });

    fn start(&self, _view: &View<'_>) -> State {
        State { params: self.clone(), s: 0.0, begun: false }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    params: Rfc793,
    s: f64,
    begun: bool,
}

impl State {
    /// > RTO = min[UBOUND,max[LBOUND,(BETA*SRTT)]]
    fn base(&self) -> f64 {
        let p = &self.params;
        if self.begun { (p.beta * self.s).max(p.lbound) } else { p.initial }
    }
}

impl Estimator for State {
    fn timeout(&self) -> f64 {
        self.base().min(self.params.ubound)
    }

    /// > SRTT = ( ALPHA * SRTT ) + ((1-ALPHA) * RTT)
    ///
    /// The first sample is taken as it is.
    fn sample(&mut self, r: f64) {
        let alpha = self.params.alpha;
        self.s = if self.begun { alpha * self.s + (1.0 - alpha) * r } else { r };
        self.begun = true;
    }

    fn estimate(&self) -> Option<f64> {
        self.begun.then_some(self.s)
    }

    fn max(&self) -> f64 {
        self.params.ubound
    }

    fn expire(&mut self, doublings: &mut u32) {
        if self.params.backoff {
            super::double(doublings);
        }
    }

    fn explain_timeout(&self, to: &mut Lines) {
        let p = &self.params;
        let values = [
            ("UBOUND", p.ubound),
            ("LBOUND", p.lbound),
            ("BETA", p.beta),
            ("SRTT", self.s),
            ("initial", p.initial),
        ];
        if self.begun {
            to.work("RFC 793, 3.7", "RTO = min(UBOUND, max(LBOUND, BETA*SRTT))", &values, self.timeout());
        } else {
            to.work("no sample yet", "RTO = min(UBOUND, initial)", &values, self.timeout());
        }
    }

    fn explain_sample(&self, r: f64, to: &mut Lines) {
        let mut after = self.clone();
        after.sample(r);
        let values = [("ALPHA", self.params.alpha), ("SRTT", self.s), ("RTT", r)];
        if self.begun {
            to.work("RFC 793, 3.7", "SRTT = (ALPHA*SRTT) + ((1 - ALPHA)*RTT)", &values, after.s);
        } else {
            to.work("first sample", "SRTT = RTT", &values, after.s);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, started};
    use super::*;

    #[test]
    fn a_case_worked_by_hand() {
        let mut s = started(&Rfc793::default());
        assert_eq!((s.timeout(), s.estimate()), (3000.0, None));
        s.sample(800.0);
        assert_eq!((s.timeout(), s.estimate()), (1600.0, Some(800.0)));
        s.sample(400.0);
        // .875·800 + .125·400
        assert_eq!((s.timeout(), s.estimate()), (1500.0, Some(750.0)));
    }

    #[test]
    fn the_bounds_hold() {
        let mut s = started(&Rfc793::default());
        s.sample(400.0);
        assert_eq!(s.timeout(), 1000.0);
        s.sample(1e6);
        // .875·400 + .125·10⁶ is 125350.
        assert_eq!((s.timeout(), s.estimate()), (60_000.0, Some(125_350.0)));
    }

    #[test]
    fn back_off_is_capped_and_can_be_off() {
        check("rfc793", "800 - - - -", "sampled 3000, lost 1600, lost 3200, lost 6400, lost 12800");
        check("rfc793 ubound=5s", "800 - - -", "sampled 3000, lost 1600, lost 3200, lost 5000");
        check("rfc793 backoff=false", "800 - -", "sampled 3000, lost 1600, lost 1600");
    }
}

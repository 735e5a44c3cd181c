//! `peak-hopper`: the timeout hops onto every peak of delay and fades from it (Ekström and Ludwig, "The
//! Peak-Hopper: A New End-to-End Retransmission Timer for Reliable Unicast Transport", 2004).
//!
//! Written from accounts of it by others, not from the paper.

use super::rows::{COUNT, INITIAL, LONG_TIME, MAX, SHORT_TIME, TICK, TIME, TIMES};
use super::{Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params, Range};
use crate::rto::explain::Lines;
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct PeakHopper {
    /// The timeout falls by one part in so many at each sample, where a round trip gives one.
    pub fade: f64,
    pub samples_per_rtt: f64,
    /// B of the first sample, and its most.
    pub b0: f64,
    pub b_max: f64,
    /// Clock tick, ms.
    pub tick: f64,
    /// Greatest timeout, ms.
    pub max: f64,
    /// RTO before any sample, ms.
    pub initial: f64,
}

impl Default for PeakHopper {
    fn default() -> Self {
        Self {
            fade: 24.0,
            samples_per_rtt: 1.0,
            b0: 0.75,
            b_max: 1.0,
            tick: 10.0,
            max: 60_000.0,
            initial: 3000.0,
        }
    }
}

impl Params for PeakHopper {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("fade", "", "fade", "How many round trips it takes the timeout to fade from a peak."),
            COUNT,
            |p| p.fade,
            |p, v| p.fade = v,
        ),
        Param::number(
            ("b0", "", "first boost", "How far above the first delay the timeout lies, as a part of it."),
            Range { slider: (0.0, 4.0), step: 1.0 / 16.0, ..TIMES },
            |p| p.b0,
            |p, v| p.b0 = v,
        ),
        Param::number(
            (
                "b-max",
                "",
                "greatest boost",
                "How far above a peak the timeout lies at most, as a part of it.",
            ),
            Range { slider: (0.0, 4.0), step: 1.0 / 16.0, ..TIMES },
            |p| p.b_max,
            |p, v| p.b_max = v,
        ),
        Param::number(
            ("samples-per-rtt", "", "samples a round trip", "How many delays are sampled in a round trip."),
            COUNT,
            |p| p.samples_per_rtt,
            |p, v| p.samples_per_rtt = v,
        ),
        Param::number(TICK, SHORT_TIME, |p| p.tick, |p, v| p.tick = v),
        Param::number(MAX, LONG_TIME, |p| p.max, |p, v| p.max = v),
        Param::number(INITIAL, TIME, |p| p.initial, |p, v| p.initial = v),
    ];
}

impl EstimatorParams for PeakHopper {
    type State = State;
    const ID: &'static str = "peak-hopper";
    const TITLE: &'static str = "Peak-Hopper";
    const SOURCE: &'static str = "Ekström and Ludwig 2004, by way of others";
    const CHOICES: &'static str = "Written from accounts of it by others, not from the paper.";
    const KNOB: Option<Knob> =
        Some(Knob { name: "fade", values: &[1.0, 1.5, 2.0, 3.0, 6.0, 12.0, 24.0, 48.0, 96.0, 192.0] });

    fn start(&self, _view: &View<'_>) -> State {
        let f = 1.0 - 1.0 / (self.fade * self.samples_per_rtt);
        State { params: self.clone(), f, b: 0.0, rto: 0.0, p: 0.0, begun: false }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    params: PeakHopper,
    f: f64,
    b: f64,
    /// Without the maximum.
    rto: f64,
    /// The last sample.
    p: f64,
    begun: bool,
}

impl Estimator for State {
    fn timeout(&self) -> f64 {
        let p = &self.params;
        (if self.begun { self.rto } else { p.initial }).min(p.max)
    }

    fn sample(&mut self, r: f64) {
        let two_ticks = 2.0 * self.params.tick;
        if self.begun {
            let d = if self.p == 0.0 { 0.0 } else { (r - self.p) / self.p };
            self.b = (2.0 * d).max(self.f * self.b).min(self.params.b_max);
            let peak = r.max(self.p);
            self.rto = (self.f * self.rto).max((1.0 + self.b) * peak).max(peak + two_ticks);
        } else {
            self.b = self.params.b0;
            self.rto = ((1.0 + self.b) * r).max(r + two_ticks);
            self.begun = true;
        }
        self.p = r;
    }

    /// It smooths none.
    fn estimate(&self) -> Option<f64> {
        None
    }

    fn max(&self) -> f64 {
        self.params.max
    }

    fn explain_timeout(&self, to: &mut Lines) {
        let p = &self.params;
        let values = [("RTO", self.rto), ("RTO_max", p.max), ("initial", p.initial)];
        let (at, rule) = if self.begun {
            ("Ekström and Ludwig 2004", "RTO = min(RTO_max, RTO)")
        } else {
            ("no sample yet", "RTO = min(RTO_max, initial)")
        };
        to.work(at, rule, &values, self.timeout());
    }

    fn explain_sample(&self, r: f64, to: &mut Lines) {
        const AT: &str = "Ekström and Ludwig 2004";
        let mut after = self.clone();
        after.sample(r);
        let p = &self.params;
        let d = if self.p == 0.0 { 0.0 } else { (r - self.p) / self.p };
        let mut values = [
            ("RTT", r),
            ("RTT_prev", self.p),
            ("delta", d),
            ("F", self.f),
            ("B", self.b),
            ("B_max", p.b_max),
            ("RTO", self.rto),
            ("tick", p.tick),
            ("B_0", p.b0),
        ];
        if !self.begun {
            to.work("first sample", "B = B_0", &values, after.b);
            values[4].1 = after.b;
            to.work("first sample", "RTO = max((1 + B)*RTT, RTT + 2*tick)", &values, after.rto);
            return;
        }
        if self.p == 0.0 {
            to.say(AT, "RTT_prev = 0: delta is taken as 0");
        } else {
            to.work(AT, "delta = (RTT - RTT_prev)/RTT_prev", &values, d);
        }
        to.work(AT, "B = min(max(2*delta, F*B), B_max)", &values, after.b);
        values[4].1 = after.b;
        values[0].1 = r.max(self.p);
        let rule = "RTO = max(F*RTO, max((1 + B)*RTT, RTT + 2*tick))";
        let at = if r < self.p { "RTT: the longer, RTT_prev" } else { AT };
        to.work(at, rule, &values, after.rto);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, started};
    use super::*;

    #[test]
    fn a_case_worked_by_hand() {
        // f = 1 - 1/(4·2) = 7/8
        let mut s = started(&PeakHopper { fade: 4.0, samples_per_rtt: 2.0, ..PeakHopper::default() });
        let mut after = |r| {
            s.sample(r);
            (s.timeout(), s.b)
        };
        // 1.75·100
        assert_eq!(after(100.0), (175.0, 0.75));
        // d = .25, B = max(.5, .65625): max(153.125, 1.65625·125, 145)
        assert_eq!(after(125.0), (207.031_25, 0.656_25));
        // d = 1, B = min(2, 1) = 1: 2·250
        assert_eq!(after(250.0), (500.0, 1.0));
        // d = -.5, B = 7/8, the peak is still 250: max(437.5, 468.75, 270)
        assert_eq!(after(125.0), (468.75, 0.875));
        // d = 0, B = .765625: max(410.15625, 220.7…, 145): it fades.
        assert_eq!(after(125.0), (410.156_25, 0.765_625));
    }

    #[test]
    fn nothing_before_is_no_rise() {
        let mut s = started(&PeakHopper::default());
        s.sample(0.0);
        assert_eq!((s.timeout(), s.b), (20.0, 0.75));
        s.sample(100.0);
        // d is taken as 0: B = 23/24·.75 = .71875: 1.71875·100
        assert!((s.timeout() - 171.875).abs() < 1e-12 && (s.b - 0.71875).abs() < 1e-15);
    }

    #[test]
    fn the_maximum_holds() {
        check(
            "peak-hopper max=5000",
            "100 - 100000 -",
            "sampled 3000, lost 175, rtx-ambiguous 350, lost 5000",
        );
        check("peak-hopper", "50000 100", "rtx-ambiguous 3000, sampled 48000");
    }
}

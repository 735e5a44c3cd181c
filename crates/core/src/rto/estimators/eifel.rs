//! `eifel`: a deviation that rises with the gain and falls only while delay rises (Ludwig and Sklower,
//! "The Eifel Retransmission Timer", 2000).
//!
//! The paper takes a sample of every segment by timestamps, late ones too: the replay's `karn=false`
//! shows that. It gives no rule for the first sample: that of RFC 6298 is taken.

use super::rows::{INITIAL, LONG_TIME, MAX, SHORT_TIME, TICK, TIME, WEIGHT};
use super::{Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params};
use crate::rto::explain::Lines;
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct Eifel {
    /// One over the flight size where every segment gives a sample; 1/3 where a round trip gives one.
    pub gain: f64,
    /// Clock tick, ms.
    pub tick: f64,
    /// Greatest timeout, ms.
    pub max: f64,
    /// RTO before any sample, ms.
    pub initial: f64,
}

impl Default for Eifel {
    fn default() -> Self {
        Self { gain: 1.0 / 3.0, tick: 10.0, max: 60_000.0, initial: 3000.0 }
    }
}

impl Params for Eifel {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            (
                "gain",
                "",
                "gain",
                "The weight of a sample; the timeout lies the variation over this above the mean.",
            ),
            WEIGHT,
            |p| p.gain,
            |p, v| p.gain = v,
        ),
        Param::number(TICK, SHORT_TIME, |p| p.tick, |p, v| p.tick = v),
        Param::number(MAX, LONG_TIME, |p| p.max, |p, v| p.max = v),
        Param::number(INITIAL, TIME, |p| p.initial, |p, v| p.initial = v),
    ];
}

impl EstimatorParams for Eifel {
    type State = State;
    const ID: &'static str = "eifel";
    const TITLE: &'static str = "Eifel";
    const SOURCE: &'static str = "Ludwig and Sklower 2000";
    const CHOICES: &'static str = "The paper gives no rule for a first sample, so that of RFC 6298 is taken. It samples late packets too, by timestamps: karn=false shows that.";
    const KNOB: Option<Knob> =
        Some(Knob { name: "gain", values: &[1.0, 0.75, 0.5, 1.0 / 3.0, 0.25, 0.2, 0.125, 0.0625, 0.03125] });

    fn start(&self, _view: &View<'_>) -> State {
        State { params: self.clone(), s: 0.0, v: 0.0, r: 0.0, begun: false }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    params: Eifel,
    s: f64,
    v: f64,
    /// The last sample.
    r: f64,
    begun: bool,
}

impl State {
    /// V/gain, but nothing of nothing where the gain is 0.
    fn above(&self) -> f64 {
        if self.v == 0.0 { 0.0 } else { self.v / self.params.gain }
    }
}

impl Estimator for State {
    /// RTO = MAX(SRTT + RTTVAR/GAIN, RTT + 2 × tick)
    fn timeout(&self) -> f64 {
        let p = &self.params;
        let base = if self.begun { (self.s + self.above()).max(self.r + 2.0 * p.tick) } else { p.initial };
        base.min(p.max)
    }

    /// DELTA = RTT - SRTT. GAIN' = GAIN where DELTA ≥ RTTVAR, else GAIN². SRTT = SRTT + GAIN × DELTA.
    /// Only where DELTA ≥ 0: RTTVAR = RTTVAR + GAIN' × (DELTA - RTTVAR).
    fn sample(&mut self, r: f64) {
        self.r = r;
        if !self.begun {
            (self.s, self.v, self.begun) = (r, r / 2.0, true);
            return;
        }
        let gain = self.params.gain;
        let delta = r - self.s;
        let of_variation = if delta >= self.v { gain } else { gain * gain };
        self.s += gain * delta;
        if delta >= 0.0 {
            self.v += of_variation * (delta - self.v);
        }
    }

    fn estimate(&self) -> Option<f64> {
        self.begun.then_some(self.s)
    }

    fn max(&self) -> f64 {
        self.params.max
    }

    fn explain_timeout(&self, to: &mut Lines) {
        let p = &self.params;
        let values = [
            ("SRTT", self.s),
            ("RTTVAR", self.v),
            ("GAIN", p.gain),
            ("RTT", self.r),
            ("tick", p.tick),
            ("RTO_max", p.max),
            ("initial", p.initial),
        ];
        if self.begun {
            let rule = "RTO = min(RTO_max, max(SRTT + RTTVAR/GAIN, RTT + 2*tick))";
            to.work("Ludwig and Sklower 2000", rule, &values, self.timeout());
        } else {
            to.work("no sample yet", "RTO = min(RTO_max, initial)", &values, self.timeout());
        }
    }

    fn explain_sample(&self, r: f64, to: &mut Lines) {
        const AT: &str = "Ludwig and Sklower 2000";
        let mut after = self.clone();
        after.sample(r);
        let delta = r - self.s;
        let values =
            [("RTT", r), ("SRTT", self.s), ("RTTVAR", self.v), ("GAIN", self.params.gain), ("DELTA", delta)];
        if !self.begun {
            to.work("first sample", "SRTT = RTT", &values, after.s);
            to.work("first sample", "RTTVAR = RTT/2", &values, after.v);
            return;
        }
        to.work(AT, "DELTA = RTT - SRTT", &values, delta);
        to.work(AT, "SRTT = SRTT + GAIN*DELTA", &values, after.s);
        let rule = match (delta >= 0.0, delta >= self.v) {
            (false, _) => return to.say(AT, "DELTA < 0: RTTVAR stays"),
            (true, true) => "RTTVAR = RTTVAR + GAIN*(DELTA - RTTVAR)",
            (true, false) => "RTTVAR = RTTVAR + GAIN*GAIN*(DELTA - RTTVAR)",
        };
        to.work(AT, rule, &values, after.v);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, started};
    use super::*;

    #[test]
    fn a_case_worked_by_hand() {
        let mut s = started(&Eifel { gain: 0.25, ..Eifel::default() });
        assert_eq!((s.timeout(), s.estimate()), (3000.0, None));
        s.sample(100.0);
        // 100 + 50/.25
        assert_eq!((s.timeout(), s.estimate()), (300.0, Some(100.0)));
        s.sample(164.0);
        // D = 64 ≥ V = 50: S = 116, V = 50 + .25·14 = 53.5: 116 + 214
        assert_eq!((s.timeout(), s.estimate()), (330.0, Some(116.0)));
        s.sample(124.0);
        // 0 ≤ D = 8 < V: S = 118, V = 53.5 + (8 - 53.5)/16 = 50.65625: 118 + 202.625
        assert_eq!((s.timeout(), s.estimate()), (320.625, Some(118.0)));
        s.sample(18.0);
        // D = -100: S = 93, V stays: 93 + 202.625
        assert_eq!((s.timeout(), s.estimate()), (295.625, Some(93.0)));
    }

    #[test]
    fn two_ticks_above_the_last_sample_at_least() {
        let mut s = started(&Eifel { gain: 1.0, ..Eifel::default() });
        s.sample(0.0);
        assert_eq!(s.timeout(), 20.0);
        s.sample(100.0);
        // S = 100, V = 100
        assert_eq!(s.timeout(), 200.0);
        s.sample(100.0);
        // D = 0 < V, and the gain squared is 1: V = 0.
        assert_eq!(s.timeout(), 120.0);
    }

    #[test]
    fn no_gain_gives_the_maximum_and_never_nothing_over_nothing() {
        check("eifel gain=0", "100 100 0 -", "sampled 3000, sampled 60000, sampled 60000, lost 60000");
        check("eifel gain=0", "0 0", "sampled 3000, sampled 20");
    }
}

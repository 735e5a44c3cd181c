//! `freebsd`: integer clock ticks, as BSD has kept time since 1988.
//!
//! `tcp_xmit_timer` and `TCP_REXMTVAL` of FreeBSD, `sys/netinet/tcp_input.c` and `tcp_var.h`. srtt has
//! five bits below the tick, rttvar four.

use super::rows::{INITIAL, LONG_TIME, MAX, MIN, TIME};
use super::{Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params, Range, Unit};
use crate::rto::explain::Lines;
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct FreeBsd {
    /// Ticks a second.
    pub hz: f64,
    /// Least timeout, ms: `tcp_rexmit_min`.
    pub min: f64,
    /// Always added, ms: `tcp_rexmit_slop`, for the other side's delayed acknowledgement.
    pub slop: f64,
    /// Greatest timeout, ms: `TCPTV_REXMTMAX`.
    pub max: f64,
    /// Timeout before any sample, ms.
    pub initial: f64,
}

impl Default for FreeBsd {
    fn default() -> Self {
        Self { hz: 1000.0, min: 30.0, slop: 200.0, max: 64_000.0, initial: 1000.0 }
    }
}

impl Params for FreeBsd {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("hz", "", "ticks a second", "Delays are counted in ticks of a clock that has so many a second."),
            Range {
                unit: Unit::One,
                min: 1.0,
                max: 1e6,
                slider: (100.0, 1000.0),
                step: 100.0,
                fractions: false,
            },
            |p| p.hz,
            |p, v| p.hz = v,
        ),
        Param::number(MIN, TIME, |p| p.min, |p, v| p.min = v),
        Param::number(
            ("slop", "", "slop", "Always added, for the other side's delayed acknowledgement."),
            TIME,
            |p| p.slop,
            |p, v| p.slop = v,
        ),
        Param::number(MAX, LONG_TIME, |p| p.max, |p, v| p.max = v),
        Param::number(INITIAL, TIME, |p| p.initial, |p, v| p.initial = v),
    ];
}

impl EstimatorParams for FreeBsd {
    type State = State;
    const ID: &'static str = "freebsd";
    const TITLE: &'static str = "FreeBSD";
    const SOURCE: &'static str = "FreeBSD, sys/netinet/tcp_input.c";
    const KNOB: Option<Knob> = Some(Knob {
        name: "slop",
        values: &[0.0, 5.0, 20.0, 50.0, 100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0],
    });

    fn start(&self, _view: &View<'_>) -> State {
        let ticks = |ms| ticks(ms, self.hz);
        let (min, slop) = (ticks(self.min), ticks(self.slop));
        let Self { hz, max, initial, .. } = *self;
        State { hz, max, initial, min, slop, rtt: 0, srtt: 0, rttvar: 0 }
    }
}

/// Whole ticks, below any that could overflow.
fn ticks(ms: f64, hz: f64) -> i64 {
    (ms * hz / 1000.0).floor().clamp(0.0, 1e16) as i64
}

/// As in `struct tcpcb`; srtt 0 before any sample.
#[derive(Debug, Clone)]
pub struct State {
    hz: f64,
    max: f64,
    initial: f64,
    min: i64,
    slop: i64,
    /// The last sample.
    rtt: i64,
    srtt: i64,
    rttvar: i64,
}

impl State {
    /// In ticks, without the maximum.
    fn rexmtval(&self) -> i64 {
        let val = self.min.max(((self.srtt >> 3) + self.rttvar) >> 2);
        (val + self.slop).max(self.min).max(self.rtt + 2)
    }

    fn ms(&self, ticks: i64) -> f64 {
        ticks as f64 * 1000.0 / self.hz
    }
}

impl Estimator for State {
    fn timeout(&self) -> f64 {
        let base = if self.srtt > 0 { self.ms(self.rexmtval()) } else { self.initial };
        base.min(self.max)
    }

    fn sample(&mut self, r: f64) {
        // The clock is read at the tick, so a delay has one more than it has whole ticks.
        let rtt = ticks(r, self.hz) + 1;
        self.rtt = rtt;
        if self.srtt == 0 {
            self.srtt = rtt << 5;
            self.rttvar = rtt << 3;
            return;
        }
        let d = ((rtt - 1) << 2) - (self.srtt >> 3);
        self.srtt = (self.srtt + d).max(1);
        self.rttvar = (self.rttvar + d.abs() - (self.rttvar >> 2)).max(1);
    }

    fn estimate(&self) -> Option<f64> {
        (self.srtt > 0).then(|| self.ms(self.srtt) / 32.0)
    }

    fn max(&self) -> f64 {
        self.max
    }

    fn explain_timeout(&self, to: &mut Lines) {
        let val = self.min.max(((self.srtt >> 3) + self.rttvar) >> 2);
        let ticks = self.rexmtval();
        let values = [
            ("srtt", self.srtt as f64),
            ("rttvar", self.rttvar as f64),
            ("rttmin", self.min as f64),
            ("slop", self.slop as f64),
            ("rtt", self.rtt as f64),
            ("hz", self.hz),
            ("rexmtmax", self.max),
            ("initial", self.initial),
            ("REXMTVAL", val as f64),
            ("rxtcur", ticks as f64),
        ];
        if self.srtt == 0 {
            to.work("no sample yet", "rxtcur = min(rexmtmax, initial)", &values, self.timeout());
            return;
        }
        let rule = "REXMTVAL = max(rttmin, ((srtt >> 3) + rttvar) >> 2)";
        to.work("TCP_REXMTVAL, ticks", rule, &values, val as f64);
        let rule = "rxtcur = max(REXMTVAL + slop, max(rttmin, rtt + 2))";
        to.work("TCPT_RANGESET, ticks", rule, &values, ticks as f64);
        to.work("in ms", "rxtcur = min(rexmtmax, rxtcur*1000/hz)", &values, self.timeout());
    }

    fn explain_sample(&self, r: f64, to: &mut Lines) {
        const AT: &str = "tcp_xmit_timer, ticks";
        let mut after = self.clone();
        after.sample(r);
        let d = ((after.rtt - 1) << 2) - (self.srtt >> 3);
        let values = [
            ("R", r),
            ("hz", self.hz),
            ("rtt", after.rtt as f64),
            ("srtt", self.srtt as f64),
            ("rttvar", self.rttvar as f64),
            ("delta", d as f64),
        ];
        // Below 0 only where a length line was taken off.
        let rule = if r < 0.0 { "rtt = floor(max(0, R)*hz/1000) + 1" } else { "rtt = floor(R*hz/1000) + 1" };
        to.work(AT, rule, &values, after.rtt as f64);
        if self.srtt == 0 {
            to.work(AT, "srtt = rtt << 5", &values, after.srtt as f64);
            to.work(AT, "rttvar = rtt << 3", &values, after.rttvar as f64);
            return;
        }
        to.work(AT, "delta = ((rtt - 1) << 2) - (srtt >> 3)", &values, d as f64);
        to.work(AT, "srtt = max(1, srtt + delta)", &values, after.srtt as f64);
        let rule = "rttvar = max(1, rttvar + |delta| - (rttvar >> 2))";
        to.work(AT, rule, &values, after.rttvar as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, started};
    use super::*;

    fn timeouts(params: &FreeBsd, samples: &[f64]) -> Vec<f64> {
        let mut s = started(params);
        samples.iter().map(|r| (s.sample(*r), s.timeout()).1).collect()
    }

    #[test]
    fn a_case_worked_by_hand() {
        // 100 ms: rtt = 101, srtt = 3232, rttvar = 808; ((3232 >> 3) + 808) >> 2 = 303, + 200.
        // 180: rtt = 181, d = 720 - 404 = 316, srtt = 3548, rttvar = 808 + 316 - 202 = 922;
        // (443 + 922) >> 2 = 341, + 200.
        // 100: rtt = 101, d = 400 - 443 = -43, srtt = 3505, rttvar = 922 + 43 - 230 = 735;
        // (438 + 735) >> 2 = 293, + 200.
        assert_eq!(timeouts(&FreeBsd::default(), &[100.0, 180.0, 100.0]), [503.0, 541.0, 493.0]);
    }

    #[test]
    fn coarse_ticks_and_bounds() {
        // 10 ms ticks: 100 ms are 11, srtt = 352, rttvar = 88; (44 + 88) >> 2 = 33 ticks, + 20.
        let coarse = FreeBsd { hz: 100.0, ..FreeBsd::default() };
        assert_eq!(timeouts(&coarse, &[100.0]), [530.0]);
        // No delay at all: rtt = 1, srtt = 32, rttvar = 8: (4 + 8) >> 2 = 3 < 30, + 200.
        assert_eq!(timeouts(&FreeBsd::default(), &[0.0]), [230.0]);
        // Without slop and minimum it is two ticks above the sample at least. Later samples of 0 take
        // srtt to 1 and rttvar to 1, not to 0.
        let bare = FreeBsd { min: 0.0, slop: 0.0, ..FreeBsd::default() };
        assert_eq!(timeouts(&bare, &[0.0; 200])[199], 3.0);
        check("freebsd", "20000 - - -", "rtx-ambiguous 1000, lost 16000, lost 32000, lost 64000");
        check(
            "freebsd",
            "20000 - - - -",
            "rtx-ambiguous 1000, lost 16000, lost 32000, lost 64000, lost 64000",
        );
    }
}

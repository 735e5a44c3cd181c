//! `linux`: integer microseconds, and a variation that falls slowly and rises at once.
//!
//! `tcp_rtt_estimator`, `tcp_set_rto` and `__tcp_set_rto` of Linux, `net/ipv4/tcp_input.c` and
//! `include/net/tcp.h`. srtt is kept eightfold, mdev fourfold. Every sample after the first ends a
//! window here, as one packet is in flight.

use super::rows::{INITIAL, LONG_TIME, MAX, TIME};
use super::{Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params};
use crate::rto::explain::Lines;
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct Linux {
    /// Least variation, ms: `tcp_rto_min`.
    pub min: f64,
    /// Greatest timeout, ms: `TCP_RTO_MAX`.
    pub max: f64,
    /// Timeout before any sample, ms: `TCP_TIMEOUT_INIT`.
    pub initial: f64,
}

impl Default for Linux {
    fn default() -> Self {
        Self { min: 200.0, max: 120_000.0, initial: 1000.0 }
    }
}

impl Params for Linux {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("min", "", "least variation", "The timeout lies at least this much above the mean."),
            TIME,
            |p| p.min,
            |p, v| p.min = v,
        ),
        Param::number(MAX, LONG_TIME, |p| p.max, |p, v| p.max = v),
        Param::number(INITIAL, TIME, |p| p.initial, |p, v| p.initial = v),
    ];
}

impl EstimatorParams for Linux {
    type State = State;
    const ID: &'static str = "linux";
    const TITLE: &'static str = "Linux";
    const SOURCE: &'static str = "Linux, net/ipv4/tcp_input.c";
    const CHOICES: &'static str = "One packet is in flight, so every sample after the first ends a window.";
    const KNOB: Option<Knob> = Some(Knob {
        name: "min",
        values: &[0.0, 1.0, 5.0, 20.0, 50.0, 100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0],
    });

    fn start(&self, _view: &View<'_>) -> State {
        let min = microseconds(self.min);
        State { max: self.max, initial: self.initial, min, srtt: 0, mdev: 0, mdev_max: 0, rttvar: 0 }
    }
}

/// Whole microseconds, below any that could overflow.
fn microseconds(ms: f64) -> i64 {
    (ms * 1000.0).round().clamp(0.0, 1e17) as i64
}

/// As in `struct tcp_sock`; srtt 0 before any sample.
#[derive(Debug, Clone)]
pub struct State {
    max: f64,
    initial: f64,
    min: i64,
    srtt: i64,
    mdev: i64,
    mdev_max: i64,
    rttvar: i64,
}

impl State {
    /// `usecs_to_jiffies((srtt >> 3) + rttvar)` with a jiffy of 1 ms: rounded up.
    fn rto(&self) -> f64 {
        let us = (self.srtt >> 3) + self.rttvar;
        ((us + 999) / 1000) as f64
    }
}

impl Estimator for State {
    fn timeout(&self) -> f64 {
        if self.srtt > 0 { self.rto().min(self.max) } else { self.initial.min(self.max) }
    }

    fn sample(&mut self, r: f64) {
        let m = microseconds(r).max(1);
        if self.srtt == 0 {
            self.srtt = m << 3;
            self.mdev = m << 1;
            self.rttvar = self.mdev.max(self.min);
            self.mdev_max = self.rttvar;
            return;
        }
        let mut d = m - (self.srtt >> 3);
        self.srtt += d;
        if d < 0 {
            d = -d - (self.mdev >> 2);
            // A shorter delay that would raise the deviation counts an eighth.
            if d > 0 {
                d >>= 3;
            }
        } else {
            d -= self.mdev >> 2;
        }
        self.mdev += d;
        if self.mdev > self.mdev_max {
            self.mdev_max = self.mdev;
            self.rttvar = self.rttvar.max(self.mdev_max);
        }
        // The window ends.
        if self.mdev_max < self.rttvar {
            self.rttvar -= (self.rttvar - self.mdev_max) >> 2;
        }
        self.mdev_max = self.min;
    }

    fn estimate(&self) -> Option<f64> {
        (self.srtt > 0).then(|| self.srtt as f64 / 8000.0)
    }

    fn max(&self) -> f64 {
        self.max
    }

    fn explain_timeout(&self, to: &mut Lines) {
        let values = [
            ("srtt", self.srtt as f64),
            ("rttvar", self.rttvar as f64),
            ("RTO_MAX", self.max),
            ("TIMEOUT_INIT", self.initial),
        ];
        if self.srtt == 0 {
            to.work("no sample yet", "rto = min(RTO_MAX, TIMEOUT_INIT)", &values, self.timeout());
            return;
        }
        let rto = self.rto();
        to.work("__tcp_set_rto, µs to whole ms", "rto = ceil(((srtt >> 3) + rttvar)/1000)", &values, rto);
        if rto > self.max {
            to.work("tcp_bound_rto", "rto = min(RTO_MAX, rto)", &[values[2], ("rto", rto)], self.timeout());
        }
    }

    fn explain_sample(&self, r: f64, to: &mut Lines) {
        const AT: &str = "tcp_rtt_estimator, µs";
        let mut after = self.clone();
        after.sample(r);
        let m = microseconds(r).max(1);
        let (srtt, mdev, rttvar) = (self.srtt as f64, self.mdev as f64, self.rttvar as f64);
        let min = self.min as f64;
        if self.srtt == 0 {
            let values = [("m", m as f64), ("mdev", after.mdev as f64), ("rto_min", min)];
            to.work(AT, "srtt = m << 3", &values, after.srtt as f64);
            to.work(AT, "mdev = m << 1", &values, after.mdev as f64);
            to.work(AT, "rttvar = max(mdev, rto_min)", &values, after.rttvar as f64);
            return;
        }
        let d = m - (self.srtt >> 3);
        let values = [("m", m as f64), ("srtt", srtt), ("mdev", mdev), ("d", d as f64)];
        to.work(AT, "d = m - (srtt >> 3)", &values, d as f64);
        to.work(AT, "srtt = srtt + d", &values, after.srtt as f64);
        let rule = match d {
            0.. => "mdev = mdev + d - (mdev >> 2)",
            _ if -d > self.mdev >> 2 => "mdev = mdev + ((-d - (mdev >> 2)) >> 3)",
            _ => "mdev = mdev - d - (mdev >> 2)",
        };
        to.work(AT, rule, &values, after.mdev as f64);
        let peak = after.mdev.max(self.mdev_max);
        let values = [("mdev", after.mdev as f64), ("mdev_max", self.mdev_max as f64)];
        to.work(AT, "mdev_max = max(mdev_max, mdev)", &values, peak as f64);
        let values = [("rttvar", rttvar), ("mdev_max", peak as f64)];
        let rule = if peak < self.rttvar {
            "rttvar = rttvar - ((rttvar - mdev_max) >> 2)"
        } else {
            "rttvar = max(rttvar, mdev_max)"
        };
        to.work(AT, rule, &values, after.rttvar as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, started};
    use super::*;

    /// Timeouts after each sample.
    fn timeouts(params: &Linux, samples: &[f64]) -> Vec<f64> {
        let mut s = started(params);
        samples.iter().map(|r| (s.sample(*r), s.timeout()).1).collect()
    }

    #[test]
    fn a_case_worked_by_hand() {
        // 100 ms: srtt = 800 000, mdev = 200 000, rttvar = mdev_max = 200 000: 300 ms.
        // 180: d = 80 000, srtt = 880 000, mdev = 200 000 + 80 000 - 50 000 = 230 000, rttvar rises at
        // once: 110 + 230. mdev_max = 200 000 again.
        // 30: d = -80 000, srtt = 800 000; 80 000 - 57 500 = 22 500 > 0, an eighth is 2812: mdev =
        // 232 812 = mdev_max = rttvar: 100 + 232.812, rounded up.
        // 100: d = 0, mdev = 232 812 - 58 203 = 174 609 < mdev_max = 200 000 < rttvar, which falls by
        // 32 812 >> 2 = 8203 to 224 609: 100 + 224.609, rounded up.
        assert_eq!(timeouts(&Linux::default(), &[100.0, 180.0, 30.0, 100.0]), [300.0, 340.0, 333.0, 325.0]);
        // 80 after 100: d = -20 000, srtt = 780 000; 20 000 - 50 000 is below 0 and counts whole: mdev =
        // 170 000. mdev_max is still that of the first sample, so rttvar stays: 97.5 + 200, rounded up.
        let low = Linux { min: 0.0, ..Linux::default() };
        assert_eq!(timeouts(&low, &[100.0, 80.0]), [300.0, 298.0]);
    }

    #[test]
    fn whole_microseconds_in_whole_milliseconds_out() {
        // 0.0004 ms counts as 1 µs; 8 >> 3 = 1, and 1 + 200 000 µs round up to 201 ms.
        assert_eq!(timeouts(&Linux::default(), &[0.0004]), [201.0]);
        let mut s = started(&Linux { min: 0.0, ..Linux::default() });
        s.sample(0.0026);
        // 3 µs: srtt = 24, mdev = 6: 9 µs round up to 1 ms.
        assert_eq!((s.timeout(), s.estimate()), (1.0, Some(0.003)));
    }

    #[test]
    fn back_off_stops_at_two_minutes() {
        check(
            "linux",
            "10000 - - - - -",
            "rtx-ambiguous 1000, lost 8000, lost 16000, lost 32000, lost 64000, lost 120000",
        );
    }
}

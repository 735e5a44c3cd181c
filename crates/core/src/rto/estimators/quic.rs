//! `quic`: the probe timeout (RFC 9002, sections 5.3 and 6.2).
//!
//! Packet numbers are never used twice, so no reply is ambiguous: Karn's rule is off unless asked for.
//! Section 5.3 prints `smoothed_rtt` before rttvar, which erratum 7539 reports; the order is that of
//! Appendix A.7, rttvar first.

use super::rfc6298::{ALPHA, BETA};
use super::rows::{GRANULARITY, SHORT_TIME, TIME};
use super::smoothed::{Smoothed, Wording};
use super::{Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params};
use crate::rto::explain::Lines;
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct Quic {
    /// kInitialRtt, ms.
    pub initial_rtt: f64,
    /// kGranularity, ms.
    pub granularity: f64,
    /// 0 for Initial and Handshake packets, "since the peer is expected to not delay these packets
    /// intentionally" (6.2.1); 25 ms is usual for application data.
    pub max_ack_delay: f64,
}

impl Default for Quic {
    fn default() -> Self {
        // "the initial RTT SHOULD be set to 333 milliseconds" (6.2.2); "Section 6.1.2 recommends a
        // value of 1 ms" (A.2)
        Self { initial_rtt: 333.0, granularity: 1.0, max_ack_delay: 0.0 }
    }
}

impl Params for Quic {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            (
                "initial-rtt",
                "",
                "first round trip",
                "The round-trip time that stands for one never measured.",
            ),
            TIME,
            |p| p.initial_rtt,
            |p, v| p.initial_rtt = v,
        ),
        Param::number(
            (
                "max-ack-delay",
                "",
                "acknowledgement delay",
                "Always added: how long the other side may hold back its acknowledgement.",
            ),
            SHORT_TIME,
            |p| p.max_ack_delay,
            |p, v| p.max_ack_delay = v,
        ),
        Param::number(GRANULARITY, SHORT_TIME, |p| p.granularity, |p, v| p.granularity = v),
    ];
}

impl EstimatorParams for Quic {
    type State = State;
    const ID: &'static str = "quic";
    const TITLE: &'static str = "QUIC";
    const SOURCE: &'static str = "RFC 9002, sections 5.3 and 6.2";
    const CHOICES: &'static str =
        "max-ack-delay is that of Initial and Handshake packets; for application data 25 ms are usual.";
    const KARN: bool = false;
    const KNOB: Option<Knob> = Some(Knob {
        name: "max-ack-delay",
        values: &[0.0, 5.0, 25.0, 50.0, 100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0],
    });

    fn start(&self, _view: &View<'_>) -> State {
        State { params: self.clone(), smoothed: Smoothed::default() }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    params: Quic,
    smoothed: Smoothed,
}

impl State {
    /// `smoothed_rtt` and `rttvar`; before a sample `kInitialRtt` and `kInitialRtt / 2` (5.3).
    fn pair(&self) -> (f64, f64) {
        let initial = self.params.initial_rtt;
        if self.smoothed.begun { (self.smoothed.s, self.smoothed.v) } else { (initial, initial / 2.0) }
    }
}

impl Estimator for State {
    /// > PTO = smoothed_rtt + max(4*rttvar, kGranularity) + max_ack_delay (6.2.1)
    fn timeout(&self) -> f64 {
        let (s, v) = self.pair();
        s + (4.0 * v).max(self.params.granularity) + self.params.max_ack_delay
    }

    /// > rttvar = 3/4 * rttvar + 1/4 * abs(smoothed_rtt - adjusted_rtt)
    /// > smoothed_rtt = 7/8 * smoothed_rtt + 1/8 * adjusted_rtt (A.7)
    fn sample(&mut self, r: f64) {
        self.smoothed.sample(r, ALPHA, BETA);
    }

    fn estimate(&self) -> Option<f64> {
        self.smoothed.mean()
    }

    fn explain_timeout(&self, to: &mut Lines) {
        let (p, (s, v)) = (&self.params, self.pair());
        let values = [
            ("smoothed_rtt", s),
            ("rttvar", v),
            ("kGranularity", p.granularity),
            ("max_ack_delay", p.max_ack_delay),
            ("kInitialRtt", p.initial_rtt),
        ];
        if !self.smoothed.begun {
            to.work("RFC 9002, 5.3", "smoothed_rtt = kInitialRtt", &values, s);
            to.work("RFC 9002, 5.3", "rttvar = kInitialRtt / 2", &values, v);
        }
        let rule = "PTO = smoothed_rtt + max(4*rttvar, kGranularity) + max_ack_delay";
        to.work("RFC 9002, 6.2.1", rule, &values, self.timeout());
    }

    fn explain_sample(&self, r: f64, to: &mut Lines) {
        let mut after = self.clone();
        after.sample(r);
        WORDING.explain(&self.smoothed, &after.smoothed, (r, ALPHA, BETA), to);
    }
}

const WORDING: Wording = Wording {
    first: ("smoothed_rtt = latest_rtt", "rttvar = latest_rtt / 2", "RFC 9002, 5.3"),
    later: (
        "rttvar = 3/4 * rttvar + 1/4 * |smoothed_rtt - latest_rtt|",
        "smoothed_rtt = 7/8 * smoothed_rtt + 1/8 * latest_rtt",
        "RFC 9002, A.7",
    ),
    symbols: ["smoothed_rtt", "rttvar", "latest_rtt", "", ""],
};

#[cfg(test)]
mod tests {
    use super::super::tests::{check, started};
    use super::*;

    #[test]
    fn a_case_worked_by_hand() {
        let mut s = started(&Quic::default());
        // 333 + 4·166.5
        assert_eq!((s.timeout(), s.estimate()), (999.0, None));
        s.sample(100.0);
        assert_eq!((s.timeout(), s.estimate()), (300.0, Some(100.0)));
        s.sample(180.0);
        // rttvar = .75·50 + .25·80 = 57.5, smoothed_rtt = 110. The order printed in 5.3 would take the
        // new mean: .75·50 + .25·70.
        assert_eq!((s.timeout(), s.estimate()), (340.0, Some(110.0)));
    }

    #[test]
    fn granularity_and_acknowledgement_delay() {
        let mut s = started(&Quic { max_ack_delay: 25.0, ..Quic::default() });
        assert_eq!(s.timeout(), 1024.0);
        s.sample(0.0);
        assert_eq!(s.timeout(), 26.0);
    }

    #[test]
    fn no_reply_is_ambiguous() {
        // S = 100 + 1900/8 = 337.5, V = .75·50 + .25·1900 = 512.5
        check(
            "quic",
            "100 - 100 2000 100",
            "sampled 999, lost 300, sampled 600, rtx-sampled 250, sampled 2350",
        );
    }
}

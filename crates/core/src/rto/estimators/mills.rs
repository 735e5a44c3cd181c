//! `mills`: one smoothing factor while delay falls, another while it rises (RFC 889, section 3.3).

use super::rows::{BACKOFF, TIME, TIMES, WEIGHT};
use super::{Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params, Range};
use crate::rto::explain::Lines;
use crate::rto::replay::{Keep, Totals, View, fast};

/// > two values of F, one (F1) when R < E in the expression above and the other (F2) when R >= E,
/// > with F1 > F2.
#[derive(Debug, Clone, PartialEq)]
pub struct Mills {
    pub f1: f64,
    pub f2: f64,
    pub g: f64,
    /// E before any reply, in ms. Not in the RFC: inferred from its RICE-1 row, where one loss
    /// costs .1 s and three retransmissions then cost 2.3 s.
    pub e_cold: f64,
    pub backoff: bool,
}

impl Default for Mills {
    fn default() -> Self {
        // "values of F1 = 15/16 and F2 = 3/4 (with G = 2) gave the best all-around performance"
        // (section 3.3)
        Self { f1: 15.0 / 16.0, f2: 0.75, g: 2.0, e_cold: 75.0, backoff: false }
    }
}

const GAIN: Range = Range { slider: (1.0, 4.0), step: 1.0 / 16.0, ..TIMES };

impl Params for Mills {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            (
                "f1",
                "F1",
                "delay falling",
                "How much of the estimate is kept when a delay is shorter than it.",
            ),
            WEIGHT,
            |p| p.f1,
            |p, v| p.f1 = v,
        ),
        Param::number(
            (
                "f2",
                "F2",
                "delay rising",
                "How much of the estimate is kept when a delay is as long or longer.",
            ),
            WEIGHT,
            |p| p.f2,
            |p, v| p.f2 = v,
        ),
        Param::number(
            ("g", "G", "threshold", "The timeout is this many times the estimate."),
            GAIN,
            |p| p.g,
            |p, v| p.g = v,
        ),
        Param::number(
            (
                "e-cold",
                "",
                "estimate before any reply",
                "The estimate a trace begins with if its first packet is lost.",
            ),
            Range { step: 5.0, ..TIME },
            |p| p.e_cold,
            |p, v| p.e_cold = v,
        ),
        Param::flag(BACKOFF, |p| p.backoff, |p, v| p.backoff = v),
    ];
}

impl EstimatorParams for Mills {
    type State = State;
    const ID: &'static str = "mills";
    const TITLE: &'static str = "RFC 889";
    const SOURCE: &'static str = "RFC 889, section 3.3";
    const CHOICES: &'static str = "RFC 889 does not say what E is before any reply: 75 ms are inferred from its RICE-1 row. It has no back-off.";
    const BY_CONSTANTS: bool = true;
    // "increasing G makes superfluous retransmissions less likely, but increases the total delay when
    // packets are lost" (section 3.3)
    const KNOB: Option<Knob> =
        Some(Knob { name: "g", values: &[1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, 16.0] });

    /// E before any reply is in the trace's own unit: a loss as record 0 costs G·e-cold whatever the
    /// scale.
    fn start(&self, view: &View<'_>) -> State {
        self.state(view.scale)
    }

    fn fast(&self, view: &View<'_>, keep: &mut Keep<'_>) -> Option<Totals> {
        fast(self.start(view), view, keep)
    }
}

impl Mills {
    /// Starts it for delays that it will see multiplied by `scale`.
    pub(crate) fn state(&self, scale: f64) -> State {
        let Self { f1, f2, g, e_cold, backoff } = *self;
        State { f1, f2, g, e: e_cold * scale, begun: false, backoff }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    f1: f64,
    f2: f64,
    g: f64,
    e: f64,
    begun: bool,
    backoff: bool,
}

#[expect(clippy::inline_always, reason = "a call a packet would cost a third of the replay")]
impl Estimator for State {
    /// "if an interval equal to G*E expires after transmitting a packet, the packet is retransmitted"
    /// (section 3.3)
    #[inline(always)]
    fn timeout(&self) -> f64 {
        self.g * self.e
    }

    /// > E = F*E + (1 - F)*R
    ///
    /// Both candidates are worked out before one is chosen, so that the comparison does not wait
    /// for the arithmetic. The larger of the two would be the same for F1 > F2 but for last bits.
    #[inline(always)]
    fn sample(&mut self, r: f64) {
        let falling = self.f1 * self.e + (1.0 - self.f1) * r;
        let rising = self.f2 * self.e + (1.0 - self.f2) * r;
        self.e = if r < self.e { falling } else { rising };
        self.begun = true;
    }

    fn estimate(&self) -> Option<f64> {
        self.begun.then_some(self.e)
    }

    #[inline(always)]
    fn prime(&mut self, delay: f64) -> bool {
        self.e = delay;
        self.begun = true;
        true
    }

    /// The RFC has no back-off: it is there by choice.
    fn expire(&mut self, doublings: &mut u32) {
        if self.backoff {
            super::double(doublings);
        }
    }

    fn explain_timeout(&self, to: &mut Lines) {
        if !self.begun {
            to.compare("no reply yet", "E = e-cold", &[("E", self.e)]);
        }
        to.work("RFC 889, 3.3", "T = G*E", &[("G", self.g), ("E", self.e)], self.timeout());
    }

    fn explain_sample(&self, r: f64, to: &mut Lines) {
        let mut after = self.clone();
        after.sample(r);
        let falls = r < self.e;
        let rule = if falls { "R < E: F = F1" } else { "R >= E: F = F2" };
        let f = if falls { self.f1 } else { self.f2 };
        to.compare("RFC 889, 3.3", rule, &[("R", r), ("E", self.e), ("F1", f), ("F2", f)]);
        let values = [("F", f), ("E", self.e), ("R", r)];
        to.work("RFC 889, 3.3", "E = F*E + (1 - F)*R", &values, after.e);
    }

    fn explain_prime(&self, r: f64, to: &mut Lines) -> bool {
        to.work("first reply", "E = R", &[("R", r)], r);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, started};
    use super::*;

    /// The update as RFC 889 states it, taken literally.
    fn literal(f1: f64, f2: f64, e: f64, r: f64) -> f64 {
        let f = if r < e { f1 } else { f2 };
        f * e + (1.0 - f) * r
    }

    #[test]
    fn follows_the_printed_formula_to_the_bit() {
        for (f1, f2) in [(15.0 / 16.0, 0.75), (0.875, 0.875), (0.3, 0.9), (1.0, 0.0)] {
            let mut s = started(&Mills { f1, f2, ..Mills::default() });
            s.prime(100.0);
            let mut e = 100.0;
            for r in [100.0, 250.0, 80.0, 80.1, 1e4, 0.0, e] {
                s.sample(r);
                e = literal(f1, f2, e, r);
                assert_eq!(s.estimate(), Some(e));
                assert_eq!(s.timeout().to_bits(), (2.0 * e).to_bits());
            }
        }
    }

    #[test]
    fn a_transport_begins_with_the_first_sample() {
        // 2·75 until a sample: 100 may answer the lost packet, 300 is late. Then E = 60.
        check(
            "mills",
            "- 100 300 60 60",
            "lost 150, ambiguous 150, rtx-ambiguous 150, sampled 150, sampled 120",
        );
        check(
            "mills backoff=true",
            "- - 100 60 100",
            "lost 150, lost 300, ambiguous 600, sampled 600, sampled 120",
        );
    }
}

//! `mills`: one smoothing factor while delay falls, another while it rises (RFC 889, section 3.3).

use super::{Estimator, EstimatorParams};
use crate::params::{Param, Params, Range, Unit};

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
        // "the values F1 = 15/16, F2 = 3/4 and G = 2" (section 3.3)
        Self { f1: 15.0 / 16.0, f2: 0.75, g: 2.0, e_cold: 75.0, backoff: false }
    }
}

const WEIGHT: Range =
    Range { unit: Unit::One, min: 0.0, max: 1.0, slider: (0.0, 1.0), step: 1.0 / 64.0, fractions: true };

const GAIN: Range = Range { max: 16.0, slider: (1.0, 4.0), step: 1.0 / 16.0, fractions: false, ..WEIGHT };

const TIME: Range = Range {
    unit: Unit::Milliseconds,
    min: 0.0,
    max: 1e10,
    slider: (0.0, 3000.0),
    step: 5.0,
    fractions: false,
};

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
            TIME,
            |p| p.e_cold,
            |p, v| p.e_cold = v,
        ),
        Param::flag(
            (
                "backoff",
                "",
                "back-off",
                "Double the timeout after each expiry, which the replay of 1983 never does.",
            ),
            |p| p.backoff,
            |p, v| p.backoff = v,
        ),
    ];
}

impl EstimatorParams for Mills {
    type State = State;
    const ID: &'static str = "mills";
    const TITLE: &'static str = "RFC 889";
    const SOURCE: &'static str = "RFC 889, section 3.3";

    /// E before any reply is in the trace's own unit: a loss as record 0 costs G·e-cold whatever the
    /// scale.
    fn start(&self, scale: f64) -> State {
        State { f1: self.f1, f2: self.f2, g: self.g, e: self.e_cold * scale, begun: false }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    f1: f64,
    f2: f64,
    g: f64,
    e: f64,
    begun: bool,
}

impl Estimator for State {
    /// "This value is then multiplied by a factor G" (section 3.3)
    #[inline]
    fn timeout(&self) -> f64 {
        self.g * self.e
    }

    /// > E = F*E + (1 - F)*R
    ///
    /// Both candidates are worked out before one is chosen, so that the comparison does not wait
    /// for the arithmetic. The larger of the two would be the same for F1 > F2 but for last bits.
    #[inline]
    fn sample(&mut self, r: f64) {
        let falling = self.f1 * self.e + (1.0 - self.f1) * r;
        let rising = self.f2 * self.e + (1.0 - self.f2) * r;
        self.e = if r < self.e { falling } else { rising };
        self.begun = true;
    }

    fn estimate(&self) -> Option<f64> {
        self.begun.then_some(self.e)
    }

    fn prime(&mut self, delay: f64) -> bool {
        self.e = delay;
        self.begun = true;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The update as RFC 889 states it, taken literally.
    fn literal(f1: f64, f2: f64, e: f64, r: f64) -> f64 {
        let f = if r < e { f1 } else { f2 };
        f * e + (1.0 - f) * r
    }

    #[test]
    fn follows_the_printed_formula_to_the_bit() {
        for (f1, f2) in [(15.0 / 16.0, 0.75), (0.875, 0.875), (0.3, 0.9), (1.0, 0.0)] {
            let mut s = Mills { f1, f2, ..Mills::default() }.start(1.0);
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
}

//! Mean and mean deviation, smoothed: the pair that RFC 6298 and its heirs keep.

use crate::rto::explain::Lines;

/// SRTT and RTTVAR.
#[derive(Debug, Clone, Default)]
pub(super) struct Smoothed {
    pub(super) s: f64,
    pub(super) v: f64,
    pub(super) begun: bool,
}

impl Smoothed {
    #[inline]
    pub(super) fn sample(&mut self, r: f64, alpha: f64, beta: f64) {
        if self.begun {
            // RTTVAR <- (1 - beta) * RTTVAR + beta * |SRTT - R'|
            // SRTT <- (1 - alpha) * SRTT + alpha * R' (RFC 6298, 2.3)
            // "The value of SRTT used in the update to RTTVAR is its value before updating SRTT"
            self.v = (1.0 - beta) * self.v + beta * (self.s - r).abs();
            self.s = (1.0 - alpha) * self.s + alpha * r;
        } else {
            // SRTT <- R, RTTVAR <- R/2 (RFC 6298, 2.2)
            self.s = r;
            self.v = r / 2.0;
            self.begun = true;
        }
    }

    pub(super) fn mean(&self) -> Option<f64> {
        self.begun.then_some(self.s)
    }
}

/// How a source writes the pair's equations.
#[derive(Debug)]
pub(super) struct Wording {
    /// Mean and deviation of a first sample, and the section.
    pub(super) first: (&'static str, &'static str, &'static str),
    /// Deviation, then mean, of a later one.
    pub(super) later: (&'static str, &'static str, &'static str),
    /// What they call the mean, the deviation, the sample and the two weights.
    pub(super) symbols: [&'static str; 5],
}

impl Wording {
    pub(super) fn explain(
        &self,
        before: &Smoothed,
        after: &Smoothed,
        (r, alpha, beta): (f64, f64, f64),
        to: &mut Lines,
    ) {
        let [s, v, sample, a, b] = self.symbols;
        let values = [(s, before.s), (v, before.v), (sample, r), (a, alpha), (b, beta)];
        if before.begun {
            to.work(self.later.2, self.later.0, &values, after.v);
            to.work(self.later.2, self.later.1, &values, after.s);
        } else {
            to.work(self.first.2, self.first.0, &values, after.s);
            to.work(self.first.2, self.first.1, &values, after.v);
        }
    }
}

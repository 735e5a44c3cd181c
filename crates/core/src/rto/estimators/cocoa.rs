//! `cocoa`: CoAP with two estimators, of messages that were answered at once and of those that were
//! sent again (CoCoA, draft-ietf-core-cocoa-03, without ageing and dithering).
//!
//! It times a message from its *first* sending, so Karn's rule does not apply: the weak estimator is
//! for ambiguous delays.

use super::rfc6298::{ALPHA, BETA};
use super::rows::LONG_TIME;
use super::smoothed::{Smoothed, Wording};
use super::{Answer, Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params};
use crate::rto::explain::Lines;
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct Cocoa {
    /// The most that back-off makes of a timer, ms.
    pub max: f64,
}

impl Default for Cocoa {
    fn default() -> Self {
        Self { max: 32_000.0 }
    }
}

/// RTO before any message was answered, ms.
const INITIAL: f64 = 2000.0;

/// More expiries than this and a message gives no sample.
const MOST_WEAK: u32 = 2;

impl Params for Cocoa {
    const TABLE: &'static [Param<Self>] = &[Param::number(
        ("max", "", "greatest backed-off timeout", "Back-off makes the timeout no longer than this."),
        LONG_TIME,
        |p| p.max,
        |p, v| p.max = v,
    )];
}

impl EstimatorParams for Cocoa {
    type State = State;
    const ID: &'static str = "cocoa";
    const TITLE: &'static str = "CoCoA";
    const SOURCE: &'static str = "draft-ietf-core-cocoa-03";
    const CHOICES: &'static str = "Without ageing and dithering. A message is timed from its first sending, so Karn's rule does not apply.";
    const KNOB: Option<Knob> = None;

    fn start(&self, _view: &View<'_>) -> State {
        State {
            max: self.max,
            rto: INITIAL,
            timer: INITIAL,
            strong: Smoothed::default(),
            weak: Smoothed::default(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    max: f64,
    /// What a message begins with.
    rto: f64,
    /// What is in force.
    timer: f64,
    strong: Smoothed,
    weak: Smoothed,
}

impl State {
    /// What an expiry multiplies the timer by.
    fn factor(&self) -> f64 {
        match self.rto {
            rto if rto < 1000.0 => 3.0,
            rto if rto > 3000.0 => 1.5,
            _ => 2.0,
        }
    }

    /// `RTO = .25·E_weak + .75·RTO`, with `E_weak = S + V`
    fn sample_weak(&mut self, t: f64) {
        self.weak.sample(t, ALPHA, BETA);
        self.rto = (self.weak.s + self.weak.v) / 4.0 + 0.75 * self.rto;
    }
}

impl Estimator for State {
    fn timeout(&self) -> f64 {
        self.timer
    }

    /// `RTO = .5·E_strong + .5·RTO`, with `E_strong = S + 4V`
    #[expect(clippy::manual_midpoint, reason = "two terms, as the draft has them")]
    fn sample(&mut self, t: f64) {
        self.strong.sample(t, ALPHA, BETA);
        self.rto = (self.strong.s + 4.0 * self.strong.v) / 2.0 + self.rto / 2.0;
        self.timer = self.rto;
    }

    /// Of the strong estimator.
    fn estimate(&self) -> Option<f64> {
        self.strong.mean()
    }

    /// The timer is multiplied rather than doubled so many times.
    fn expire(&mut self, _doublings: &mut u32) {
        self.timer = (self.timer * self.factor()).min(self.max);
    }

    fn answer(&mut self, answer: &Answer, _doublings: &mut u32) -> bool {
        let sampled = match (answer.since_first, answer.expiries) {
            (Some(t), 0) => {
                self.sample(t);
                true
            }
            (Some(t), ..=MOST_WEAK) => {
                self.sample_weak(t);
                true
            }
            _ => false,
        };
        self.timer = self.rto;
        sampled
    }

    fn explain_timeout(&self, to: &mut Lines) {
        let values = [("RTO", self.rto), ("factor", self.factor()), ("max", self.max)];
        to.compare(DRAFT, "a message begins with RTO", &values);
        if self.timer != self.rto {
            to.compare(DRAFT, "an expiry multiplies the timer by factor", &values);
        }
        to.work("in force", "T = timer", &[("timer", self.timer)], self.timer);
    }

    fn explain_sample(&self, t: f64, to: &mut Lines) {
        let mut after = self.clone();
        after.sample(t);
        WORDING.explain(&self.strong, &after.strong, (t, ALPHA, BETA), to);
        let values = [("S", after.strong.s), ("V", after.strong.v), ("RTO", self.rto)];
        to.work("strong estimator", "RTO = (S + 4*V)/2 + RTO/2", &values, after.rto);
    }

    fn explain_answer(&self, answer: &Answer, to: &mut Lines) {
        match (answer.since_first, answer.expiries) {
            (Some(t), 0) => self.explain_sample(t, to),
            (Some(t), ..=MOST_WEAK) => {
                let mut after = self.clone();
                after.sample_weak(t);
                WORDING.explain(&self.weak, &after.weak, (t, ALPHA, BETA), to);
                let values = [("S", after.weak.s), ("V", after.weak.v), ("RTO", self.rto)];
                to.work("weak estimator", "RTO = (S + V)/4 + 3/4*RTO", &values, after.rto);
            }
            _ => to.say(DRAFT, "sent more than three times: no sample"),
        }
    }
}

const DRAFT: &str = "draft-ietf-core-cocoa-03";

const WORDING: Wording = Wording {
    first: ("S = t", "V = t/2", "RFC 6298, 2.2, t since the first sending"),
    later: (
        "V = (1 - beta)*V + beta*|S - t|",
        "S = (1 - alpha)*S + alpha*t",
        "RFC 6298, 2.3, t since the first sending",
    ),
    symbols: ["S", "V", "t", "alpha", "beta"],
};

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn the_strong_estimator_worked_by_hand() {
        // t = 400: S = 400, V = 200: (400 + 800)/2 + 2000/2 = 1600
        // t = 480: V = 170, S = 410: (410 + 680)/2 + 800 = 1345
        check("cocoa", "400 480 10", "sampled 2000, sampled 1600, sampled 1345");
    }

    #[test]
    fn the_weak_estimator_times_from_the_first_sending() {
        // Lost at 2000, answered 400 later: t = 2400, S = 2400, V = 1200: 3600/4 + 1500 = 2400.
        check("cocoa", "- 400 10", "lost 2000, sampled 4000, sampled 2400");
        // Late: t = 2400 with one expiry, the same.
        check("cocoa", "2400 10", "rtx-sampled 2000, sampled 2400");
        // Three expiries give no sample, and the next message begins with RTO again.
        check("cocoa", "- - - 10 10", "lost 2000, lost 4000, lost 8000, ambiguous 16000, sampled 2000");
    }

    #[test]
    fn back_off_hangs_on_rto() {
        // S = 10, V = 5: 15 + 1000 = 1015; then V = 3.75: 12.5 + 507.5 = 520, below a second: threefold.
        check("cocoa", "10 10 - - -", "sampled 2000, sampled 1015, lost 520, lost 1560, lost 4680");
        // S = 1990, V = 995: 2985 + 1000 = 3985, above three seconds: one and a half, 32 s at most.
        check(
            "cocoa",
            "1990 - - - - - - -",
            "sampled 2000, lost 3985, lost 5977.5, lost 8966.25, lost 13449.375, lost 20174.0625, \
             lost 30261.09375, lost 32000",
        );
        check("cocoa max=3000", "- -", "lost 2000, lost 3000");
    }
}

//! `coap`: a fixed first timeout, doubled a few times for one message (RFC 7252, section 4.2).
//!
//! The RFC draws the first timeout of each message `between ACK_TIMEOUT and (ACK_TIMEOUT *
//! ACK_RANDOM_FACTOR)`; here the factor is a parameter.

use super::rows::TIME;
use super::{Answer, Estimator, EstimatorParams, Knob};
use crate::params::{Param, Params, Range, Unit};
use crate::rto::explain::Lines;
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct Coap {
    /// `ACK_TIMEOUT`, ms.
    pub ack_timeout: f64,
    /// From 1 to `ACK_RANDOM_FACTOR`.
    pub factor: f64,
    /// `MAX_RETRANSMIT`: a message is given up after the timeout that follows so many retransmissions.
    pub max_retransmit: f64,
}

impl Default for Coap {
    fn default() -> Self {
        // Table 2 of section 4.8
        Self { ack_timeout: 2000.0, factor: 1.0, max_retransmit: 4.0 }
    }
}

impl Params for Coap {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("ack-timeout", "", "first timeout", "The least timeout of a message's first sending."),
            Range { slider: (0.0, 6000.0), ..TIME },
            |p| p.ack_timeout,
            |p, v| p.ack_timeout = v,
        ),
        Param::number(
            (
                "factor",
                "",
                "random factor",
                "What the first timeout is multiplied by, drawn anew in practice.",
            ),
            Range {
                unit: Unit::One,
                min: 1.0,
                max: 1.5,
                slider: (1.0, 1.5),
                step: 1.0 / 64.0,
                fractions: false,
            },
            |p| p.factor,
            |p, v| p.factor = v,
        ),
        Param::number(
            (
                "max-retransmit",
                "",
                "retransmissions",
                "After so many a message is given up, and the next begins anew.",
            ),
            Range { unit: Unit::One, min: 0.0, max: 30.0, slider: (0.0, 10.0), step: 1.0, fractions: false },
            |p| p.max_retransmit,
            |p, v| p.max_retransmit = v,
        ),
    ];
}

impl EstimatorParams for Coap {
    type State = State;
    const ID: &'static str = "coap";
    const TITLE: &'static str = "CoAP";
    const SOURCE: &'static str = "RFC 7252, section 4.2";
    const CHOICES: &'static str = "The RFC draws the factor anew for each message, from 1 to 1.5.";
    const KNOB: Option<Knob> = Some(Knob {
        name: "ack-timeout",
        values: &[50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 16_000.0],
    });

    fn start(&self, _view: &View<'_>) -> State {
        State { params: self.clone() }
    }
}

#[derive(Debug, Clone)]
pub struct State {
    params: Coap,
}

impl Estimator for State {
    fn timeout(&self) -> f64 {
        self.params.ack_timeout * self.params.factor
    }

    /// It measures nothing.
    fn sample(&mut self, _delay: f64) {}

    fn estimate(&self) -> Option<f64> {
        None
    }

    /// "When the timeout is triggered and the retransmission counter is less than `MAX_RETRANSMIT`, the
    /// message is retransmitted, the retransmission counter is incremented, and the timeout is doubled.
    /// If the retransmission counter reaches `MAX_RETRANSMIT` on a timeout […] the attempt to transmit
    /// the message is canceled". The next sending is then that of a new message.
    fn expire(&mut self, doublings: &mut u32) {
        if f64::from(*doublings) < self.params.max_retransmit.floor() {
            super::double(doublings);
        } else {
            *doublings = 0;
        }
    }

    /// Back-off is the message's own: any reply ends it.
    fn answer(&mut self, answer: &Answer, doublings: &mut u32) -> bool {
        *doublings = 0;
        answer.sample.is_some()
    }

    fn explain_timeout(&self, to: &mut Lines) {
        let values = [("ACK_TIMEOUT", self.params.ack_timeout), ("factor", self.params.factor)];
        to.work("RFC 7252, 4.2", "timeout = ACK_TIMEOUT * factor", &values, self.timeout());
    }

    fn explain_sample(&self, _delay: f64, to: &mut Lines) {
        to.say("RFC 7252, 4.8", "delays are not measured: the next message begins with the same timeout");
    }

    fn explain_answer(&self, _answer: &Answer, to: &mut Lines) {
        self.explain_sample(0.0, to);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, started};
    use super::*;

    #[test]
    fn delays_do_not_move_it() {
        let mut s = started(&Coap { factor: 1.25, ..Coap::default() });
        s.sample(100_000.0);
        assert_eq!((s.timeout(), s.estimate()), (2500.0, None));
    }

    #[test]
    fn four_retransmissions_then_a_new_message() {
        check(
            "coap",
            "- - - - - - 10 10",
            "lost 2000, lost 4000, lost 8000, lost 16000, lost 32000, lost 2000, ambiguous 4000, sampled 2000",
        );
        check("coap max-retransmit=0", "- - 10", "lost 2000, lost 2000, ambiguous 2000");
    }

    #[test]
    fn a_late_reply_ends_back_off_too() {
        check("coap", "5000 10", "rtx-ambiguous 2000, sampled 2000");
    }
}

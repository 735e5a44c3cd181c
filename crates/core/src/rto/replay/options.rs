//! How a trace is replayed, and the table of it.

use crate::params::{Param, Params, Range, Unit};
use crate::report::RunError;
use crate::rto::length::LengthLine;
use crate::trace::{Measure, Trace};

/// By which rules a trace is replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rules {
    #[default]
    Of1983,
    Protocol,
}

/// What is taken off the delays before an estimator sees them, and added back to its timeouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Correct {
    #[default]
    None,
    /// What a packet's length explains of its delay: see [`LengthLine`].
    Length,
}

/// How a trace is replayed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    pub replay: Rules,
    /// Karn's rule: ambiguous delays are not sampled. Of no effect in the replay of 1983. `None`: as
    /// the estimator's source has it.
    pub karn: Option<bool>,
    /// The estimator sees `scale` times each delay, and its timeouts are divided by it, so that all
    /// results stay in the trace's own unit. `None`: what fits the trace, see [`Options::scale_for`].
    pub scale: Option<f64>,
    pub correct: Correct,
}

impl Options {
    /// 1; but 2 for one-way delays, which an estimator of round trips must see doubled.
    pub fn scale_for(&self, trace: &Trace) -> f64 {
        self.scale.unwrap_or(match trace.measure {
            Measure::RoundTrip => 1.0,
            Measure::OneWay => 2.0,
        })
    }

    /// The options with everything settled that was left to the trace.
    #[must_use]
    pub fn settled(&self, trace: &Trace) -> Self {
        Self { scale: Some(self.scale_for(trace)), ..self.clone() }
    }

    /// Why this trace cannot be replayed so.
    pub fn refused(&self, trace: &Trace) -> Option<RunError> {
        let corrected = self.correct == Correct::Length;
        (corrected && LengthLine::fit(trace).is_none())
            .then(|| RunError::NoLengths { trace: trace.name.clone() })
    }
}

impl Params for Options {
    const TABLE: &'static [Param<Self>] = &[
        Param::choice(
            (
                "replay",
                "",
                "replay",
                "The rules by which the trace is replayed: those of 1983, or a transport's, with back-off and Karn.",
            ),
            &["1983", "protocol"],
            |p| match p.replay {
                Rules::Of1983 => "1983",
                Rules::Protocol => "protocol",
            },
            |p, v| p.replay = if v == "protocol" { Rules::Protocol } else { Rules::Of1983 },
        ),
        Param::flag(
            (
                "karn",
                "",
                "Karn's rule, in a transport's replay",
                "In the replay of a transport, leave out delays that may belong to an earlier sending; where it is not set, as the estimator's source has it.",
            ),
            |p: &Self| p.karn.unwrap_or(true),
            |p: &mut Self, v| p.karn = Some(v),
        )
        .left_open(),
        Param::number(
            (
                "scale",
                "",
                "scale",
                "The estimator sees this many times each delay; where it is not set, 2 for one-way delays and 1 for round trips.",
            ),
            Range {
                unit: Unit::One,
                min: 0.001,
                max: 1000.0,
                slider: (1.0, 2.0),
                step: 1.0,
                fractions: false,
            },
            |p: &Self| p.scale.unwrap_or(1.0),
            |p: &mut Self, v| p.scale = Some(v),
        )
        .left_open(),
        Param::choice(
            (
                "correct",
                "",
                "correct for",
                "What the estimator does not see of a delay and gets back in its timeout: with length, what the packet's length explains.",
            ),
            &["none", "length"],
            |p| match p.correct {
                Correct::None => "none",
                Correct::Length => "length",
            },
            |p, v| p.correct = if v == "length" { Correct::Length } else { Correct::None },
        ),
    ];
}

//! The parameters of a timed run, and which of them history documents.

use crate::imp::scheme::{self, PLENTY, count};
use crate::imp::{RejectUntil, Scheme};
use crate::params::{Kind, Param, Params, Range, Spec, Unit};

/// What a timed run is set to. Times in ms, lengths in bits.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    pub scheme: Scheme,
    pub window: u32,
    pub buffers: u32,
    pub message_bits: f64,
    pub header_bits: f64,
    pub control_bits: f64,
    /// From the end of a sending that was hit by a line error until the packet is put on the line
    /// again.
    pub line_error_timeout: f64,
    pub prop: f64,
    pub proc: f64,
    pub host: f64,
    pub gap: f64,
    pub all: f64,
    pub retx: f64,
    pub duration: f64,
    /// Between messages of a constant rate; 0: a message is always ready.
    pub input_every: f64,
    pub error_rate: f64,
    pub seed: f64,
    pub reject_until: RejectUntil,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            scheme: Scheme::Current,
            window: 4,
            buffers: 10,
            // "assuming a message length of about 1000 bits" (page 1)
            message_bits: 1000.0,
            header_bits: 168.0,
            control_bits: 168.0,
            // "within 125 msec, the error retransmission timeout interval" (page 2)
            line_error_timeout: 125.0,
            prop: 0.1,
            proc: 1.0,
            host: 10.0,
            gap: 8.0,
            all: 10.5,
            retx: 0.0,
            duration: 10_000.0,
            input_every: 0.0,
            error_rate: 0.0,
            seed: 1.0,
            reject_until: RejectUntil::Arrival,
        }
    }
}

const fn bits(min: f64, slider: (f64, f64)) -> Range {
    Range { unit: Unit::Bits, min, max: 100_000.0, slider, step: 8.0, fractions: false }
}

pub(super) const fn time(max: f64, slider: f64, step: f64) -> Range {
    Range { unit: Unit::Milliseconds, min: 0.0, max, slider: (0.0, slider), step, fractions: false }
}

impl Params for Setup {
    const TABLE: &'static [Param<Self>] = &[
        Param::choice(
            scheme::SCHEME,
            Scheme::NAMES,
            |p| p.scheme.name(),
            |p, v| p.scheme = Scheme::named(v).unwrap_or(p.scheme),
        ),
        Param::number(
            scheme::WINDOW,
            count(1.0, scheme::MOST_WINDOW as f64, (1.0, 8.0)),
            |p| f64::from(p.window),
            |p, v| p.window = v as u32,
        ),
        Param::number(
            scheme::BUFFERS,
            count(1.0, PLENTY as f64, (1.0, 12.0)),
            |p| f64::from(p.buffers),
            |p, v| p.buffers = v as u32,
        ),
        Param::number(
            ("message-bits", "", "message", "Bits of a message, without its header."),
            bits(1.0, (100.0, 1008.0)),
            |p| p.message_bits,
            |p, v| p.message_bits = v,
        ),
        Param::number(
            ("header-bits", "", "header", "Bits that travel with each message beside its own."),
            bits(0.0, (0.0, 400.0)),
            |p| p.header_bits,
            |p, v| p.header_bits = v,
        ),
        Param::number(
            ("control-bits", "", "RFNM, ALL", "Bits of an RFNM and of an ALL."),
            bits(1.0, (8.0, 400.0)),
            |p| p.control_bits,
            |p, v| p.control_bits = v,
        ),
        Param::number(
            (
                "line-error-timeout-ms",
                "",
                "after a line error",
                "How long after a failed sending a packet is put on the line again.",
            ),
            time(1e5, 500.0, 5.0),
            |p| p.line_error_timeout,
            |p, v| p.line_error_timeout = v,
        ),
        Param::number(
            ("prop-ms", "", "propagation", "How long a bit is under way on each line."),
            time(1e4, 50.0, 0.1),
            |p| p.prop,
            |p, v| p.prop = v,
        ),
        Param::number(
            ("proc-ms", "", "processing", "How long each IMP works on a packet."),
            time(1e4, 10.0, 0.1),
            |p| p.proc,
            |p, v| p.proc = v,
        ),
        Param::number(
            ("host-ms", "", "host", "How long the host takes over each message."),
            time(1e5, 50.0, 0.5),
            |p| p.host,
            |p, v| p.host = v,
        ),
        Param::number(
            ("gap-ms", "", "turn-round", "How long after an RFNM the source sends the next message."),
            time(1e5, 50.0, 0.5),
            |p| p.gap,
            |p, v| p.gap = v,
        ),
        Param::number(
            ("all-ms", "", "RFNM to ALL", "How long after the event that grants it an ALL leaves."),
            time(1e5, 50.0, 0.5),
            |p| p.all,
            |p, v| p.all = v,
        ),
        Param::number(
            ("retx-ms", "", "ALL to message", "How long after an ALL the source sends the message again."),
            time(1e5, 50.0, 0.5),
            |p| p.retx,
            |p, v| p.retx = v,
        ),
        Param::number(
            ("duration-ms", "", "duration", "How long the run lasts."),
            Range { min: 1.0, slider: (1000.0, 60_000.0), ..time(1e8, 0.0, 1000.0) },
            |p| p.duration,
            |p, v| p.duration = v,
        ),
        Param::number(
            (
                "input-every-ms",
                "",
                "input every",
                "The time between messages of a constant rate, as of speech; none where one is always ready.",
            ),
            time(1e6, 200.0, 1.0),
            |p: &Self| p.input_every,
            |p, v| p.input_every = v,
        )
        .named(&[(0.0, "none")]),
        Param::number(
            (
                "error-rate",
                "",
                "line errors",
                "The share of sendings of a message on a line that a line error hits.",
            ),
            Range {
                unit: Unit::One,
                min: 0.0,
                max: 1.0,
                slider: (0.0, 0.01),
                step: 0.0005,
                fractions: false,
            },
            |p| p.error_rate,
            |p, v| p.error_rate = v,
        ),
        Param::number(
            ("seed", "", "seed", "Which line errors: the same seed gives the same run."),
            count(0.0, 9_007_199_254_740_991.0, (0.0, 100.0)),
            |p| p.seed,
            |p, v| p.seed = v,
        ),
        Param::choice(
            scheme::REJECT_UNTIL,
            RejectUntil::NAMES,
            |p| p.reject_until.name(),
            |p, v| p.reject_until = RejectUntil::named(v).unwrap_or(p.reject_until),
        ),
    ];
}

/// Where a default comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Printed in an RFC of the time, or follows from one.
    Documented,
    /// Chosen within historical bounds so that the run of 1 April 1974 comes out.
    Fitted,
    /// Of the simulation, not of the network.
    Ours,
}

impl Origin {
    pub fn name(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::Fitted => "fitted",
            Self::Ours => "ours",
        }
    }
}

/// Where the default of a parameter comes from, by its name; `paths` is the lines.
pub fn origin(name: &str) -> Origin {
    match name {
        "scheme" | "window" | "message-bits" | "line-error-timeout-ms" | "paths" | "reject-until" => {
            Origin::Documented
        }
        "buffers" | "header-bits" | "control-bits" | "prop-ms" | "proc-ms" | "host-ms" | "gap-ms"
        | "all-ms" | "retx-ms" => Origin::Fitted,
        _ => Origin::Ours,
    }
}

/// A line's rate.
pub const RATE: Spec = Spec::new(
    ("a line's rate", "", "rate", "The rate of a line."),
    Kind::Number(Range {
        unit: Unit::Kbs,
        min: 0.1,
        max: 1e7,
        slider: (1.0, 250.0),
        step: 0.1,
        fractions: false,
    }),
);

/// When a message is ready to be sent, from the start of the run.
pub const READY: Spec = Spec::new(
    ("a ready time", "", "ready", "When a message is ready."),
    Kind::Number(time(1e8, 10_000.0, 1.0)),
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Settings as _;

    #[test]
    fn every_parameter_says_where_its_default_comes_from() {
        let setup = Setup::default();
        let of =
            |which| (0..setup.len()).filter(move |&i| origin(Setup::default().spec(i).name) == which).count();
        assert_eq!((of(Origin::Documented), of(Origin::Fitted), of(Origin::Ours)), (5, 9, 4));
    }
}

//! A run: the probes to one target, by their numbers or in the order of the lines.
//!
//! The rules that all tools share live here. A gap in the numbers is lost probes; a number that
//! comes again is a duplicate; a reply after "no answer yet" is received; numbers wrap at 65 535;
//! a number too far back begins a new run. `run` gathers the probes of one run, `records` puts
//! finished runs into a trace and holds each against its own summary.

pub(crate) mod records;
mod run;

pub(crate) use records::Records;
pub(crate) use run::{Probe, Run, State};

/// How the lines of a run stand for its probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Replies carry sequence numbers.
    Numbered,
    /// Each line is the next probe.
    Sequential,
}

/// When an answer came, as it is printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Time {
    /// Milliseconds.
    Exact(f64),
    /// Less than so many milliseconds.
    Below(f64),
    /// Not printed: the packet was too short for a time stamp.
    Missing,
    /// The line breaks off within the time.
    Cut,
    /// Printed, but no delay: negative, or a sentinel.
    Unusable,
}

impl Time {
    /// A time that was read as `ms`.
    pub(crate) fn of(ms: f64) -> Self {
        // Old Windows prints 2^32 − 1 and its neighbours where its clock went back.
        if (0.0..=4_294_000_000.0).contains(&ms) { Self::Exact(ms) } else { Self::Unusable }
    }
}

/// One answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reply {
    /// `None`: the tool prints none.
    pub(crate) seq: Option<u32>,
    pub(crate) time: Time,
    /// As printed.
    pub(crate) octets: Option<u32>,
    /// Marked by the tool as a second reply.
    pub(crate) duplicate: bool,
    /// The time stood without a unit and was taken for milliseconds.
    pub(crate) unit_guessed: bool,
    /// Where the number and the time stand in the line; empty where that is not known. The next
    /// line is most often the same but for these.
    pub(crate) spans: Spans,
}

/// Bytes of a line: first, and first behind.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Spans {
    pub(crate) seq: (u16, u16),
    pub(crate) time: (u16, u16),
}

impl Reply {
    /// An answer of which the tool prints nothing else.
    pub(crate) fn new(seq: Option<u32>, time: Time) -> Self {
        let spans = Spans { seq: (0, 0), time: (0, 0) };
        Self { seq, time, octets: None, duplicate: false, unit_guessed: false, spans }
    }

    pub(crate) fn octets(mut self, octets: Option<u32>) -> Self {
        self.octets = octets;
        self
    }

    pub(crate) fn duplicate(mut self, duplicate: bool) -> Self {
        self.duplicate = duplicate;
        self
    }
}

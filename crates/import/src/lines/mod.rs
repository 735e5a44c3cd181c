//! Tools that print a line for each probe.
//!
//! A dialect reads one line and says what it is; `reader` makes runs of the lines of a file. What
//! loggers and terminals put around a line is taken off first (`prefix`). `address` and `pairs`
//! are what dialects read lines with.

mod address;
mod pairs;
mod prefix;
mod reader;
mod spacing;
mod template;

pub(crate) use address::{address, is_address};
pub(crate) use pairs::{Pair, Pairs, Unit};
pub(crate) use prefix::content;
pub(crate) use reader::read;

use crate::runs::Reply;

/// How a tool's lines are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dialect {
    /// The format's.
    pub(crate) id: &'static str,
    /// The tool's name, to say who reported something.
    pub(crate) tool: &'static str,
    /// Reads a line from which time of day and blanks are gone.
    pub(crate) line: for<'a> fn(&'a [u8]) -> Line<'a>,
    /// What is said of an address, and no time with it, is a probe that failed.
    pub(crate) failures: bool,
    /// A sentence among replies without numbers is a probe without a reply.
    pub(crate) sentences: bool,
    /// What a printed length counts; empty where the tool prints none.
    pub(crate) lengths: &'static str,
}

impl Dialect {
    /// A tool that prints nothing but what its line reader tells.
    pub(crate) const fn new(
        id: &'static str,
        tool: &'static str,
        line: for<'a> fn(&'a [u8]) -> Line<'a>,
    ) -> Self {
        Self { id, tool, line, failures: false, sentences: false, lengths: "" }
    }
}

/// The statistics a tool prints at its end.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Counts {
    pub(crate) sent: u64,
    pub(crate) received: u64,
    pub(crate) lost: Option<u64>,
    pub(crate) duplicates: Option<u64>,
    pub(crate) errors: Option<u64>,
    pub(crate) loss_pct: Option<f64>,
    /// Told only by its numbers: believed behind the heading of the statistics.
    pub(crate) loose: bool,
    /// The number the tool gives its first probe, where the form of the line tells it.
    pub(crate) first: Option<u32>,
    /// Where the same line has them.
    pub(crate) times: Option<Times>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Times {
    pub(crate) min: f64,
    pub(crate) mean: f64,
    pub(crate) max: f64,
    pub(crate) deviation: Option<f64>,
}

/// A part of the statistics, where they go over several lines.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Tally {
    pub(crate) sent: Option<u64>,
    pub(crate) received: Option<u64>,
    pub(crate) lost: Option<u64>,
    pub(crate) loss_pct: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Header<'a> {
    pub(crate) target: &'a [u8],
    /// Where the line gives it beside the name.
    pub(crate) address: &'a [u8],
    /// The tool prints no sequence numbers.
    pub(crate) sequential: bool,
    /// The number the tool gives its first probe, where the form of the line tells it.
    pub(crate) first: Option<u32>,
    /// The length of all probes.
    pub(crate) octets: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Line<'a> {
    Blank,
    Header(Header<'a>),
    Reply(Reply),
    /// No answer to this probe, so far or at all. Without a number, the next probe.
    Silence(Option<u32>),
    /// An ICMP error, with the number of its probe if the tool prints it.
    Error(Option<u32>),
    /// A probe that failed, or an error within it.
    Failure,
    /// One letter a probe: `!` answered, `.` not, others are errors.
    Marks(&'a [u8]),
    /// `--- host ping statistics ---` and its like.
    Heading,
    Counts(Counts),
    /// Counts that have a line of their own.
    Tally(Tally),
    Times(Times),
    /// The tool reports its own trouble.
    Complaint,
    /// The head of a dump of IP fields; the dump is on the next line.
    DumpHead,
    /// So many of the replies to come do not count.
    Warmup(u32),
    /// Known, and says nothing about a probe.
    Aside,
    Unknown,
}

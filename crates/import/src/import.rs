//! What an importer is asked and what it answers.

use std::ops::Range;

use netspurt_core::trace::{Outcome, Trace};
use serde::{Deserialize, Serialize};

use crate::csv::Reading;

#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The trace's name, most often the file's.
    pub name: String,
    pub bad_rows: BadRows,
    /// How to read a table, where the reader knows better than the guess. Line and column numbers
    /// are those of an earlier [`Import::reading`].
    pub reading: Option<Reading>,
}

/// What to do with a row of a table that has too few values, or a delay that is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum BadRows {
    /// Stop with an error that offers the other two.
    #[default]
    Ask,
    /// Count a lost packet.
    Lost,
    /// Leave the row out and note it.
    LeaveOut,
}

/// A file, read.
#[derive(Debug, Clone)]
pub struct Import {
    /// The id of one of [`crate::formats`].
    pub format: &'static str,
    /// Probes in the order in which they were sent. Empty where the file holds only a summary.
    pub trace: Trace,
    /// Sums over `parts`.
    pub counts: Counts,
    /// The file's own summary; of several, the sums.
    pub printed: Option<Printed>,
    /// Which columns of a table were taken for what.
    pub reading: Option<Reading>,
    /// The runs or targets inside, one after the other in the trace.
    pub parts: Vec<Part>,
    /// The answered records in the order in which their answers stand in the file, where that is
    /// not the order of the trace.
    pub arrivals: Option<Vec<u32>>,
    /// When the first record was sent, in nanoseconds since 1970, where the file gives a date.
    pub started_ns: Option<i64>,
}

impl Import {
    /// The delay of each answered and timed probe in ms, in the order of the file.
    pub fn delays_in_file_order(&self) -> Vec<f64> {
        let Some(arrivals) = &self.arrivals else { return self.trace.timed().collect() };
        let (delays, outcomes) = (self.trace.delays(), self.trace.outcomes());
        let indices = arrivals.iter().map(|&i| i as usize);
        indices.filter(|&i| outcomes[i].is_timed()).map(|i| delays[i]).collect()
    }

    /// How many answers carry a time.
    pub fn timed(&self) -> usize {
        self.trace.count(Outcome::Reply) + self.trace.count(Outcome::Below)
    }
}

/// `None`: the format does not say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    pub sent: Option<u64>,
    /// Distinct probes answered. An ICMP error is no answer.
    pub received: Option<u64>,
    /// `sent` less `received`.
    pub lost: Option<u64>,
    /// Further answers to a probe already answered.
    pub duplicates: Option<u64>,
    /// ICMP errors.
    pub errors: u64,
    pub replies_without_time: u64,
    /// Rows of a table that were left out: faulty, or with a delay that is none.
    pub left_out: u64,
    /// The bounds in ms of the answers whose delay was printed as `<N`.
    pub censored_lt: Vec<f64>,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        let sum = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
        self.sent = sum(self.sent, other.sent);
        self.received = sum(self.received, other.received);
        self.lost = sum(self.lost, other.lost);
        self.duplicates = sum(self.duplicates, other.duplicates);
        self.errors += other.errors;
        self.replies_without_time += other.replies_without_time;
        self.left_out += other.left_out;
        self.censored_lt.extend_from_slice(&other.censored_lt);
    }

    pub(crate) fn zero() -> Self {
        let none = Some(0);
        Self { sent: none, received: none, lost: none, duplicates: none, ..Self::default() }
    }
}

/// A file's own summary, as it stands there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Printed {
    pub sent: Option<u64>,
    pub received: Option<u64>,
    pub lost: Option<u64>,
    pub duplicates: Option<u64>,
    pub errors: Option<u64>,
    pub loss_pct: Option<f64>,
    pub min_ms: Option<f64>,
    pub mean_ms: Option<f64>,
    pub max_ms: Option<f64>,
    /// Standard or mean deviation, whichever the tool prints.
    pub deviation_ms: Option<f64>,
}

/// One run or one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Host name or address; empty where the file does not say.
    pub name: String,
    /// Its records in the trace.
    pub records: Range<usize>,
    pub counts: Counts,
    pub printed: Option<Printed>,
}

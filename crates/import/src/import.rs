//! What an importer is asked and what it answers.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use netspurt_core::trace::{Clock, Outcome, Trace, TraceBuilder};

use crate::choice::Choice;
use crate::csv::{Reading, Table};
use crate::index::{self, Index};
use crate::printed::Printed;
use crate::text::Decoder;

#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The trace's name, most often the file's.
    pub name: String,
    pub bad_rows: BadRows,
    /// How to read a table, where the reader knows better than the guess: an earlier
    /// [`Table::reading`], corrected.
    pub reading: Option<Reading>,
    /// Which of the runs, targets, hops, flows or series inside.
    pub choice: Choice,
    /// What knows the encodings that are not known here.
    pub decoder: Option<Decoder>,
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
    /// The records of the chosen parts, one part after the other, each in the order in which its
    /// probes were sent. Empty where the file holds only summaries.
    pub trace: Trace,
    /// Sums over the chosen parts.
    pub counts: Counts,
    /// The file's own summary; of several, the sums.
    pub printed: Option<Printed>,
    /// Which columns of a table were taken for what.
    pub table: Option<Table>,
    /// Everything inside, chosen or not.
    pub parts: Vec<Part>,
    /// The answered records in the order in which their answers stand in the file, where that is
    /// not the order of the trace.
    pub arrivals: Option<Vec<u32>>,
    /// When the first record was sent, in nanoseconds since 1970, where the file gives a date.
    pub started_ns: Option<i64>,
    /// The TCP connections of a capture.
    pub flows: Vec<Flow>,
}

impl Import {
    /// All parts, those chosen that usually are.
    pub(crate) fn new(format: &'static str, trace: Trace, parts: Vec<Part>) -> Self {
        let mut import = Self {
            format,
            trace,
            counts: Counts::zero(),
            printed: None,
            table: None,
            parts,
            arrivals: None,
            started_ns: None,
            flows: Vec::new(),
        };
        import.sum(Choice::Usual);
        import
    }

    /// The delay of each answered and timed probe in ms, in the order of the file.
    pub fn delays_in_file_order(&self) -> Vec<f64> {
        let Some(arrivals) = &self.arrivals else { return self.trace.timed().collect() };
        let (delays, outcomes) = (self.trace.delays(), self.trace.outcomes());
        let indices = arrivals.iter().map(|&i| i as usize);
        indices.filter(|&i| outcomes[i].is_timed()).map(|i| delays[i]).collect()
    }

    /// The names of the parts, each a different one: `10.0.0.1`, then `10.0.0.1 (2)`. What has no name is
    /// called by its kind and its place among all.
    pub fn names(&self) -> Vec<String> {
        let mut firsts = Index::default();
        let mut times = vec![0_u32; self.parts.len()];
        let named = |(i, part): (usize, &Part)| {
            let hash = index::hash(part.name.as_bytes());
            let same =
                |of: usize| self.parts.get(of).is_some_and(|p| p.name == part.name && p.kind == part.kind);
            let first = firsts.find(hash, &same).unwrap_or_else(|| {
                firsts.add(hash, i);
                i
            });
            times[first] += 1;
            match (part.name.as_str(), times[first]) {
                ("", _) => format!("{} {}", part.kind.label(), i + 1),
                (name, 1) => name.to_owned(),
                (name, n) => format!("{name} ({n})"),
            }
        };
        self.parts.iter().enumerate().map(named).collect()
    }

    /// How many answers carry a time.
    pub fn timed(&self) -> usize {
        self.trace.count(Outcome::Reply) + self.trace.count(Outcome::Below)
    }

    /// What is left with another choice. Only what was read with [`Choice::All`] can be anything
    /// but itself. `None`: there is no such part.
    pub fn only(mut self, choice: Choice) -> Option<Self> {
        let chosen = |i: usize, part: &Part| choice.takes(i, part.usual);
        if let Choice::One(n) = choice
            && n >= self.parts.len()
        {
            return None;
        }
        let left_out = |(i, part): (usize, &Part)| !chosen(i, part) && !part.records.is_empty();
        if self.parts.iter().enumerate().any(left_out) {
            self.keep(choice);
        }
        self.sum(choice);
        Some(self)
    }

    /// Drops the records of the parts that are not chosen.
    fn keep(&mut self, choice: Choice) {
        const GONE: u32 = u32::MAX;
        let old = &self.trace;
        let mut builder = TraceBuilder::new(&old.name, old.provenance.clone());
        builder.measure = old.measure;
        builder.notes.clone_from(&old.notes);
        let mut moved = vec![GONE; old.len()];
        let mut first = None;
        for (i, part) in self.parts.iter_mut().enumerate() {
            let range = std::mem::take(&mut part.records);
            let start = builder.len();
            if choice.takes(i, part.usual) {
                for at in range {
                    let record = old.record(at);
                    let sent = (old.clock == Clock::Elapsed).then_some(record.sent);
                    first = first.or(sent);
                    moved[at] = u32::try_from(builder.len()).unwrap_or(GONE);
                    let pushed = builder.push(sent, record.octets, record.fate);
                    debug_assert!(pushed.is_ok(), "the records were good before");
                }
            }
            part.records = start..builder.len();
        }
        if let Some(arrivals) = &mut self.arrivals {
            for i in arrivals.iter_mut() {
                *i = moved[*i as usize];
            }
            arrivals.retain(|i| *i != GONE);
        }
        self.started_ns = self.started_ns.zip(first).map(|(at, ms)| at.saturating_add((ms * 1e6) as i64));
        self.trace = builder.build();
    }

    /// Works out the counts of the chosen parts.
    fn sum(&mut self, choice: Choice) {
        let mut counts = Counts::zero();
        let mut printed: Vec<&Printed> = Vec::new();
        let mut any = false;
        for (_, part) in self.parts.iter().enumerate().filter(|(i, part)| choice.takes(*i, part.usual)) {
            any = true;
            counts.add(&part.counts);
            printed.extend(&part.printed);
        }
        self.printed = Printed::sum(&printed);
        self.counts = if any { counts } else { Counts::default() };
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
    /// Rows or records that were left out: faulty, or with a delay that is none.
    pub left_out: u64,
    /// The bounds in ms of the answers whose delay was printed as `<N`.
    pub censored_lt: Vec<f64>,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        let sum = |a: Option<u64>, b: Option<u64>| a?.checked_add(b?);
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
        Self::of(0, 0, 0)
    }

    /// Counts of probes. No more are received than were sent.
    pub(crate) fn of(sent: u64, received: u64, duplicates: u64) -> Self {
        let received = received.min(sent);
        Self {
            sent: Some(sent),
            received: Some(received),
            lost: Some(sent - received),
            duplicates: Some(duplicates),
            ..Self::default()
        }
    }
}

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// A run of a tool, to one target.
    Run,
    /// One of several targets of one run.
    Target,
    /// A router on the path.
    Hop,
    /// A connection, seen from one side.
    Flow,
    /// A column or a list of delays.
    Series,
}

impl PartKind {
    pub fn label(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Target => "target",
            Self::Hop => "hop",
            Self::Flow => "flow",
            Self::Series => "series",
        }
    }
}

/// One of the things inside a file, to choose from.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Host name or address, or the series' name; empty where the file does not say.
    pub name: String,
    pub kind: PartKind,
    /// Of a hop: how far along the path, from 1.
    pub position: Option<u32>,
    /// Its records in the trace; empty if it was not chosen.
    pub records: Range<usize>,
    /// Whether it is read where nothing was chosen.
    pub usual: bool,
    pub counts: Counts,
    pub printed: Option<Printed>,
}

impl Part {
    pub(crate) fn new(name: String, kind: PartKind, records: Range<usize>, counts: Counts) -> Self {
        Self { name, kind, position: None, records, usual: true, counts, printed: None }
    }
}

/// A TCP connection in a capture.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    /// Its number in the capture, from 0.
    pub stream: u32,
    /// Who sent the first packet: address and port.
    pub a: String,
    pub b: String,
    pub packets: u64,
    pub retransmissions: u64,
    pub acked_by: Vec<Acked>,
}

/// Times from a segment to the acknowledgement that ends with it, by the side that acknowledges.
#[derive(Debug, Clone, PartialEq)]
pub struct Acked {
    /// `a` or `b` of the flow.
    pub by: String,
    pub n: u64,
    pub min_ms: f64,
    pub mean_ms: f64,
    pub max_ms: f64,
}

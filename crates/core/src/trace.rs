//! A trace: an ordered list of probes, held as columns.
//!
//! A probe has a send time, a length in octets if known, and a [`Fate`]. Columns are kept apart so
//! that an estimator runs over delays alone; a lost probe is told by the outcome column, never by
//! a special delay.

use crate::stats::moments::Moments;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, OnceLock};

mod pieces;

pub use pieces::{Arriving, Piece};

/// What became of one probe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fate {
    /// Answered after this many milliseconds.
    Reply(f64),
    /// Answered sooner than this many milliseconds: the tool printed only the bound (`<1 ms`).
    Below(f64),
    /// Never answered.
    Lost,
    /// Answered, but the tool did not print how soon.
    Untimed,
}

/// The outcome column: [`Fate`] without its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Outcome {
    Reply,
    Below,
    Lost,
    Untimed,
}

impl Outcome {
    /// Whether the delay column holds a number for this record.
    pub fn is_timed(self) -> bool {
        matches!(self, Self::Reply | Self::Below)
    }
}

/// What the delay column measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    #[default]
    RoundTrip,
    /// RFC 889 prints one-way delays: half of each round trip.
    OneWay,
}

impl Measure {
    pub fn label(self) -> &'static str {
        match self {
            Self::RoundTrip => "round-trip time",
            Self::OneWay => "one-way delay",
        }
    }
}

/// What the send-time column means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// Milliseconds since the first record.
    Elapsed,
    /// The source had no times: record 0, 1, 2 …, one unit apart.
    #[default]
    Index,
}

/// Where a trace comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Provenance {
    /// Read from a file: the importer's name for the format.
    Opened { format: String },
    /// Rebuilt from a row RFC 889 printed. The samples of 1983 were never published.
    Rebuilt {
        section: String,
        run: String,
        seed: u64,
        generator: u32,
        /// Fitted as if F = 7/8 had printed the row, to show how much a fit favours its setting.
        control: bool,
        /// Its delays vary as behind a queue, not in surges.
        queue: bool,
        /// Whether it prints the whole row again.
        exact: bool,
    },
    /// Written out in a document or typed on a command line.
    Typed,
}

impl Provenance {
    /// What a reader of a rebuilt trace must know, as a sentence or two; `None` of any other.
    pub fn rebuilt(&self) -> Option<String> {
        let Self::Rebuilt { seed, generator, queue, .. } = self else { return None };
        let law = if *queue { ", delays as behind a queue" } else { "" };
        Some(format!(
            "Rebuilt from the printed summary, seed {seed}, generator {generator}{law}. The samples of 1983 were not published."
        ))
    }
}

/// Something an importer noticed, with the line it stands on (from 1; 0 where no one line is meant).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub line: usize,
    pub text: String,
}

/// One record, put together from the columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// Milliseconds since the first record, or the record's index ([`Clock`]).
    pub sent: f64,
    /// `None`: the source does not say.
    pub octets: Option<u32>,
    pub fate: Fate,
}

/// Why a record was refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BadRecord {
    /// A delay or bound that is negative, infinite or not a number.
    Delay(f64),
    /// A send time that is infinite or not a number.
    SendTime(f64),
    /// The columns are not of one length.
    Columns,
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Delay(v) if v.is_finite() => write!(f, "the delay {v} ms is negative"),
            Self::Delay(v) => write!(f, "the delay {v} is not a finite number"),
            Self::SendTime(v) => write!(f, "the send time {v} is not a finite number"),
            Self::Columns => f.write_str("the columns are not of one length"),
        }
    }
}

impl std::error::Error for BadRecord {}

/// Numbers, one a record, shared with whoever draws or replays them.
pub type Column = Arc<[f64]>;

/// Stands in the length column where the source gives none.
pub const NO_LENGTH: u32 = u32::MAX;

/// An ordered list of probes. Built by [`TraceBuilder`], then never changed.
#[derive(Debug, Clone)]
pub struct Trace {
    pub name: String,
    pub measure: Measure,
    pub clock: Clock,
    pub provenance: Provenance,
    pub notes: Vec<Note>,
    sent: Column,
    octets: Arc<[u32]>,
    delays: Column,
    outcomes: Arc<[Outcome]>,
    counts: OnceLock<[usize; 4]>,
    moments: OnceLock<Option<Moments>>,
    points: OnceLock<(Column, Column)>,
}

impl Trace {
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// Send times: milliseconds since the first record, or indices ([`Clock`]).
    pub fn sent(&self) -> &Column {
        &self.sent
    }

    /// Delays in milliseconds, 0 where [`Outcome::is_timed`] is false.
    pub fn delays(&self) -> &Column {
        &self.delays
    }

    pub fn outcomes(&self) -> &Arc<[Outcome]> {
        &self.outcomes
    }

    /// `None`: the source does not say.
    pub fn octets(&self, i: usize) -> Option<u32> {
        self.octets.get(i).copied().filter(|&n| n != NO_LENGTH)
    }

    /// Whether any record has a length.
    pub fn has_lengths(&self) -> bool {
        !self.octets.is_empty()
    }

    pub fn record(&self, i: usize) -> Record {
        let fate = match self.outcomes[i] {
            Outcome::Reply => Fate::Reply(self.delays[i]),
            Outcome::Below => Fate::Below(self.delays[i]),
            Outcome::Lost => Fate::Lost,
            Outcome::Untimed => Fate::Untimed,
        };
        Record { sent: self.sent[i], octets: self.octets(i), fate }
    }

    pub fn records(&self) -> impl ExactSizeIterator<Item = Record> + '_ {
        (0..self.len()).map(|i| self.record(i))
    }

    /// Delays of the answered, timed records, in order.
    pub fn timed(&self) -> impl Iterator<Item = f64> + Clone + '_ {
        self.delays.iter().zip(self.outcomes.iter()).filter(|(_, o)| o.is_timed()).map(|(d, _)| *d)
    }

    /// Send times and delays of the answered, timed records: what is drawn. Picked out once.
    pub fn points(&self) -> (Column, Column) {
        let timed = |column: &[f64]| -> Column {
            column.iter().zip(self.outcomes.iter()).filter(|(_, o)| o.is_timed()).map(|(v, _)| *v).collect()
        };
        self.points
            .get_or_init(|| {
                if self.outcomes.iter().all(|o| o.is_timed()) {
                    (self.sent.clone(), self.delays.clone())
                } else {
                    (timed(&self.sent), timed(&self.delays))
                }
            })
            .clone()
    }

    /// Mean and spread of the answered, timed records, worked out once. `None` if there are none.
    pub fn moments(&self) -> Option<Moments> {
        *self.moments.get_or_init(|| Moments::of(self.timed()))
    }

    /// How many records have this outcome. All are counted once: a page asks whenever it is drawn.
    pub fn count(&self, outcome: Outcome) -> usize {
        let counts = self.counts.get_or_init(|| {
            let mut counts = [0; 4];
            self.outcomes.iter().for_each(|o| counts[*o as usize] += 1);
            counts
        });
        counts[outcome as usize]
    }

    /// A trace typed in: milliseconds, `None` for a lost probe.
    pub fn from_series(name: &str, series: &[Option<f64>]) -> Result<Self, BadRecord> {
        let mut b = TraceBuilder::new(name, Provenance::Typed);
        for d in series {
            b.push(None, None, d.map_or(Fate::Lost, Fate::Reply))?;
        }
        Ok(b.build())
    }
}

/// Collects records into a [`Trace`].
#[derive(Debug)]
pub struct TraceBuilder {
    name: String,
    provenance: Provenance,
    pub measure: Measure,
    pub notes: Vec<Note>,
    /// As many as there are records, unless one has no send time.
    sent: Vec<f64>,
    /// Empty until a record has a length.
    octets: Vec<u32>,
    delays: Vec<f64>,
    outcomes: Vec<Outcome>,
}

impl TraceBuilder {
    pub fn new(name: &str, provenance: Provenance) -> Self {
        Self {
            name: name.to_owned(),
            provenance,
            measure: Measure::RoundTrip,
            notes: Vec::new(),
            sent: Vec::new(),
            octets: Vec::new(),
            delays: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// Makes room for so many more records.
    pub fn reserve(&mut self, records: usize) {
        self.delays.reserve_exact(records);
        self.outcomes.reserve_exact(records);
    }

    fn all_sent(&self) -> bool {
        self.sent.len() == self.outcomes.len()
    }

    /// Adds a record. `sent` is in milliseconds from any origin; if one record has none, the
    /// finished trace counts records instead ([`Clock::Index`]).
    pub fn push(&mut self, sent: Option<f64>, octets: Option<u32>, fate: Fate) -> Result<(), BadRecord> {
        let (outcome, delay) = match fate {
            Fate::Reply(d) => (Outcome::Reply, d),
            Fate::Below(d) => (Outcome::Below, d),
            Fate::Lost => (Outcome::Lost, 0.0),
            Fate::Untimed => (Outcome::Untimed, 0.0),
        };
        if !delay.is_finite() || delay < 0.0 {
            return Err(BadRecord::Delay(delay));
        }
        match sent {
            Some(t) if !t.is_finite() => return Err(BadRecord::SendTime(t)),
            Some(t) if self.all_sent() => {
                self.sent.reserve_exact(if self.sent.is_empty() { self.delays.capacity() } else { 0 });
                self.sent.push(t);
            }
            Some(_) => {}
            None => self.sent = Vec::new(),
        }
        if octets.is_some() && self.octets.is_empty() {
            self.octets.reserve_exact(self.delays.capacity());
            self.octets.resize(self.len(), NO_LENGTH);
        }
        if octets.is_some() || !self.octets.is_empty() {
            self.octets.push(octets.unwrap_or(NO_LENGTH));
        }
        // -0.0 would print and digest differently from 0.0.
        self.delays.push(delay + 0.0);
        self.outcomes.push(outcome);
        Ok(())
    }

    /// Puts whole columns in the place of the records that are there: delays of 0 where
    /// [`Outcome::is_timed`] is false; send times in milliseconds from any origin, or none; lengths, those
    /// that are not known [`NO_LENGTH`], or none.
    pub fn set_columns(
        &mut self,
        sent: Vec<f64>,
        octets: Vec<u32>,
        delays: Vec<f64>,
        outcomes: Vec<Outcome>,
    ) -> Result<(), BadRecord> {
        let n = outcomes.len();
        let fits = |length: usize| length == 0 || length == n;
        if delays.len() != n || !fits(sent.len()) || !fits(octets.len()) {
            return Err(BadRecord::Columns);
        }
        if let Some(bad) = delays.iter().find(|d| !(d.is_finite() && **d >= 0.0)) {
            return Err(BadRecord::Delay(*bad));
        }
        if let Some(bad) = sent.iter().find(|t| !t.is_finite()) {
            return Err(BadRecord::SendTime(*bad));
        }
        let has_lengths = octets.iter().any(|n| *n != NO_LENGTH);
        self.octets = if has_lengths { octets } else { Vec::new() };
        (self.sent, self.delays, self.outcomes) = (sent, delays, outcomes);
        Ok(())
    }

    pub fn note(&mut self, line: usize, text: impl Into<String>) {
        self.notes.push(Note { line, text: text.into() });
    }

    pub fn build(mut self) -> Trace {
        let clock = if self.all_sent() && !self.sent.is_empty() { Clock::Elapsed } else { Clock::Index };
        match clock {
            Clock::Elapsed => {
                let origin = self.sent[0];
                self.sent.iter_mut().for_each(|t| *t -= origin);
            }
            Clock::Index => self.sent = (0..self.delays.len()).map(|i| i as f64).collect(),
        }
        Trace {
            name: self.name,
            measure: self.measure,
            clock,
            provenance: self.provenance,
            notes: self.notes,
            sent: self.sent.into(),
            octets: self.octets.into(),
            delays: self.delays.into(),
            outcomes: self.outcomes.into(),
            counts: OnceLock::new(),
            moments: OnceLock::new(),
            points: OnceLock::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_record_is_told_by_its_outcome() {
        let t = Trace::from_series("t", &[Some(10.0), None, Some(0.0)]).unwrap();
        let fates: Vec<_> = t.records().map(|r| r.fate).collect();
        assert_eq!(fates, [Fate::Reply(10.0), Fate::Lost, Fate::Reply(0.0)]);
        assert_eq!(t.timed().collect::<Vec<_>>(), [10.0, 0.0]);
    }

    #[test]
    fn times_count_from_the_first_record_and_one_missing_time_means_an_index() {
        let mut b = TraceBuilder::new("t", Provenance::Typed);
        b.push(Some(500.0), None, Fate::Lost).unwrap();
        b.push(Some(750.0), None, Fate::Lost).unwrap();
        assert_eq!(b.build().sent()[..], [0.0, 250.0]);
        let mut b = TraceBuilder::new("t", Provenance::Typed);
        b.push(Some(500.0), None, Fate::Lost).unwrap();
        b.push(None, Some(40), Fate::Lost).unwrap();
        let t = b.build();
        assert_eq!((t.clock, t.sent()[1], t.octets(0), t.octets(1)), (Clock::Index, 1.0, None, Some(40)));
    }

    #[test]
    fn whole_columns_make_the_trace_that_records_make() {
        let mut records = TraceBuilder::new("t", Provenance::Typed);
        records.push(Some(500.0), Some(64), Fate::Reply(1.5)).unwrap();
        records.push(Some(750.0), None, Fate::Lost).unwrap();
        let mut columns = TraceBuilder::new("t", Provenance::Typed);
        let outcomes = vec![Outcome::Reply, Outcome::Lost];
        columns.set_columns(vec![500.0, 750.0], vec![64, NO_LENGTH], vec![1.5, 0.0], outcomes).unwrap();
        assert!(records.build().records().eq(columns.build().records()));
        let mut bad = TraceBuilder::new("t", Provenance::Typed);
        assert!(bad.set_columns(vec![], vec![], vec![-1.0], vec![Outcome::Reply]).is_err());
        assert!(bad.set_columns(vec![0.0], vec![], vec![1.0; 2], vec![Outcome::Reply; 2]).is_err());
    }

    #[test]
    fn delays_that_are_no_delays_are_refused() {
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(Trace::from_series("t", &[Some(bad)]).is_err());
        }
    }
}

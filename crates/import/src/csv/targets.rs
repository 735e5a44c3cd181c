//! Whom the probes of a table were sent to, row by row: its parts, where a column tells it.

use std::ops::Range;

use netspurt_core::trace::Outcome;

use super::kept::Columns;
use super::rows::Record;
use crate::import::Counts;
use crate::index::{self, Index};

/// The targets of the rows, as they are read.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// The column that names them.
    pub(super) column: Option<usize>,
    names: Vec<String>,
    index: Index,
    /// Of each row.
    of: Vec<u32>,
}

/// The rows of one target, and then its records.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Empty where the table names none.
    pub(super) name: String,
    pub(super) rows: Range<usize>,
    pub(super) records: Range<usize>,
    pub(super) duplicates: u64,
    pub(super) left_out: u64,
}

impl Targets {
    pub(super) fn new(column: Option<usize>) -> Self {
        Self { column, ..Self::default() }
    }

    /// Adds a row's.
    pub(super) fn add(&mut self, record: &Record<'_>) {
        let Some(column) = self.column else { return };
        let name = record.field(column);
        let hash = index::hash(name);
        let known = self.index.find(hash, &|i| self.names.get(i).is_some_and(|n| n.as_bytes() == name));
        let target = known.unwrap_or_else(|| {
            self.index.add(hash, self.names.len());
            self.names.push(String::from_utf8_lossy(name).into_owned());
            self.names.len() - 1
        });
        self.of.push(u32::try_from(target).unwrap_or(u32::MAX));
    }

    /// There are several, and most have more than one row.
    pub(super) fn several(&self) -> bool {
        self.names.len() > 1 && self.names.len() * 2 <= self.of.len()
    }

    /// Puts the rows of each target together, the targets in the order of their first rows. Also tells
    /// where each row stood before; of a single group nothing is moved and nothing told.
    pub(super) fn arrange(self, rows: &mut Columns, backwards: bool) -> (Vec<Group>, Vec<u32>) {
        let all = rows.marks.len();
        if !self.several() {
            return (vec![Group { rows: 0..all, ..Group::default() }], Vec::new());
        }
        let mut groups: Vec<Group> =
            self.names.into_iter().map(|name| Group { name, ..Group::default() }).collect();
        for target in &self.of {
            groups[*target as usize].rows.end += 1;
        }
        let mut at = 0;
        for group in &mut groups {
            let n = group.rows.end;
            group.rows = at..at;
            at += n;
        }
        let mut order = vec![0; all];
        for k in 0..all {
            let i = if backwards { all - 1 - k } else { k };
            let group = &mut groups[self.of[i] as usize];
            order[group.rows.end] = u32::try_from(i).unwrap_or(u32::MAX);
            group.rows.end += 1;
        }
        rows.arrange(&order);
        if !rows.seqs.is_empty() {
            rows.seqs = order.iter().map(|i| rows.seqs[*i as usize]).collect();
        }
        (groups, order)
    }
}

impl Group {
    /// The counts of its records, of these of the whole table.
    pub(super) fn counts(&self, outcomes: &[Outcome], delays: &[f64]) -> Counts {
        let (outcomes, delays) = (&outcomes[self.records.clone()], &delays[self.records.clone()]);
        let of = |outcome| outcomes.iter().filter(|o| **o == outcome).count() as u64;
        let (sent, lost) = (outcomes.len() as u64, of(Outcome::Lost));
        let mut counts = Counts::of(sent, sent - lost, self.duplicates);
        counts.left_out = self.left_out;
        counts.replies_without_time = of(Outcome::Untimed);
        let bounds = delays.iter().zip(outcomes).filter(|(_, o)| **o == Outcome::Below);
        counts.censored_lt = bounds.map(|(bound, _)| *bound).collect();
        counts
    }
}

/// The answered records in the order of the rows that they were. `order` tells where each row stood, `kept`
/// which row a record was, if not its own.
pub(super) fn in_file_order(order: &[u32], kept: &[u32], outcomes: &[Outcome]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut arrivals = vec![NONE; order.len()];
    for (record, _) in outcomes.iter().enumerate().filter(|(_, o)| **o != Outcome::Lost) {
        let row = kept.get(record).map_or(record, |row| *row as usize);
        if let Some(place) = order.get(row).and_then(|row| arrivals.get_mut(*row as usize)) {
            *place = u32::try_from(record).unwrap_or(NONE);
        }
    }
    arrivals.retain(|record| *record != NONE);
    arrivals
}

//! The rows of a table as they were read, kept as columns.

use netspurt_core::trace::NO_LENGTH;

use crate::times::UNKNOWN;

/// What a row says of its probe, without the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Value,
    Below,
    /// 3600 without a unit.
    Hour,
    Lost,
    Untimed,
    Nan,
    MinusOne,
    Negative,
    Infinite,
    Sentinel,
    /// The row cannot be read.
    Faulty,
    /// Left out.
    Gone,
}

/// Stands for a row that is not there.
const MISSING: u32 = u32::MAX;
/// Stands in the column of numbers where a row has none.
pub(super) const NO_NUMBER: u64 = u64::MAX;

/// The rows, as columns. Those of times, lengths and numbers are empty where the table has none.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) marks: Vec<Mark>,
    /// In ms; of bounds the bound.
    pub(super) delays: Vec<f64>,
    /// The line of a row where it is not that behind the row before: the row's index, and the line.
    pub(super) lines: Vec<(u32, u32)>,
    pub(super) times: Vec<i64>,
    pub(super) octets: Vec<u32>,
    pub(super) seqs: Vec<u64>,
}

impl Columns {
    /// Makes room for as many rows as the rest of the text will have, so that nothing is copied
    /// while it grows.
    pub(super) fn make_room(&mut self, done: usize, of: usize) {
        if self.marks.capacity() > self.marks.len() + 4096 || done == 0 {
            return;
        }
        let total = self.marks.len() as f64 * 1.01 * (of as f64 / done as f64);
        let more = (total as usize).saturating_sub(self.marks.len());
        self.marks.reserve_exact(more);
        self.delays.reserve_exact(more);
        if !self.times.is_empty() {
            self.times.reserve_exact(more);
        }
        if !self.octets.is_empty() {
            self.octets.reserve_exact(more);
        }
        if !self.seqs.is_empty() {
            self.seqs.reserve_exact(more);
        }
    }

    /// Puts these rows in the place of those that are there.
    pub(super) fn arrange(&mut self, rows: &[u32]) {
        fn column<T: Copy>(column: &mut Vec<T>, rows: &[u32], missing: T) {
            if !column.is_empty() {
                *column = rows.iter().map(|i| column.get(*i as usize).copied().unwrap_or(missing)).collect();
            }
        }
        column(&mut self.marks, rows, Mark::Lost);
        column(&mut self.delays, rows, 0.0);
        column(&mut self.times, rows, UNKNOWN);
        column(&mut self.octets, rows, NO_LENGTH);
    }

    /// Adds a row's line.
    pub(super) fn at_line(&mut self, line: usize) {
        let i = self.marks.len();
        // Most rows stand on the line behind the one before.
        let before = self.lines.last().map(|(row, line)| *line as usize + i - *row as usize);
        if before != Some(line) {
            self.lines.push((u32::try_from(i).unwrap_or(u32::MAX), u32::try_from(line).unwrap_or(u32::MAX)));
        }
    }

    pub(super) fn line(&self, i: usize) -> usize {
        let before = self.lines.partition_point(|(row, _)| *row as usize <= i);
        self.lines.get(before.wrapping_sub(1)).map_or(0, |(row, line)| *line as usize + i - *row as usize)
    }
}

/// What each record is: a row, or a probe that the numbers show to be missing.
pub(super) fn records(
    marks: &[Mark],
    none: impl Fn(&Mark) -> bool,
    gaps: &[(usize, u64)],
    backwards: bool,
) -> Vec<u32> {
    let mut records: Vec<u32> = Vec::with_capacity(marks.len());
    let mut gaps = gaps.iter().peekable();
    for (i, mark) in marks.iter().enumerate() {
        if let Some((_, n)) = gaps.next_if(|(at, _)| *at == i) {
            (0..*n).for_each(|_| records.push(MISSING));
        }
        if !none(mark) {
            records.push(u32::try_from(i).unwrap_or(MISSING));
        }
    }
    if backwards {
        records.reverse();
    }
    records
}

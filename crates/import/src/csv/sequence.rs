//! What the numbers of probes tell: which were lost, and which were answered twice.

use std::ops::Range;

use super::kept::{Columns, Mark, NO_NUMBER};

#[derive(Debug, Default)]
pub(super) struct Sequence {
    pub(super) duplicates: u64,
    /// Before which rows probes are missing, and how many.
    pub(super) gaps: Vec<(usize, u64)>,
    pub(super) missing: u64,
    pub(super) not_filled: u64,
}

/// Adds what the numbers of these rows tell. Gaps in a column that counts probes are lost probes, where
/// the table has no other mark of loss (`marked`); a number that comes again is a duplicate.
pub(super) fn add(found: &mut Sequence, rows: &mut Columns, range: Range<usize>, marked: bool) {
    if rows.seqs.is_empty() || !counts_probes(rows, range.clone()) {
        return;
    }
    let room = (100_000 + 8 * rows.seqs.len() as u64).min(4_000_000);
    let mut last: Option<u64> = None;
    for i in range.clone() {
        let seq = Some(rows.seqs[i]).filter(|n| *n != NO_NUMBER);
        let step = match (last, seq) {
            (Some(a), Some(b)) if b < a => b + 65_536 - a,
            (Some(a), Some(b)) => b - a,
            _ => 1,
        };
        last = seq.or(last);
        if step == 0 {
            // A second reply, or the first that can be read.
            let before = (range.start..i).rev().find(|j| rows.seqs[*j] == rows.seqs[i]);
            let unread = |m: Mark| matches!(m, Mark::Gone | Mark::Faulty);
            if let Some(j) = before.filter(|j| unread(rows.marks[*j])) {
                rows.marks[j] = Mark::Gone;
            } else {
                found.duplicates += 1;
                rows.marks[i] = Mark::Gone;
            }
        } else if step > 1 && !marked && found.missing + step - 1 <= room {
            found.missing += step - 1;
            found.gaps.push((i, step - 1));
        } else if step > 1 {
            found.not_filled += step - 1;
        }
    }
}

/// The numbers that are missing, if all rows are numbered as one, whomever they were sent to.
pub(super) fn missing_from_all(rows: &Columns) -> Option<u64> {
    let mut last: Option<u64> = None;
    let mut missing = 0;
    for seq in rows.seqs.iter().filter(|n| **n != NO_NUMBER) {
        if let Some(before) = last.replace(*seq) {
            missing += seq.checked_sub(before)?.checked_sub(1)?;
        }
    }
    counts_probes(rows, 0..rows.seqs.len()).then_some(missing)
}

/// Whether a column of numbers goes up by one from row to row, but for gaps, repetitions and wraps.
fn counts_probes(rows: &Columns, range: Range<usize>) -> bool {
    let next = |n: u64| if n == 65_535 { 0 } else { n.saturating_add(1) };
    let (mut all, mut by_one, mut same, mut back) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut last: Option<u64> = None;
    for i in range {
        let seq = rows.seqs[i];
        if seq == NO_NUMBER {
            if matches!(rows.marks[i], Mark::Gone | Mark::Faulty) {
                continue;
            }
            return false;
        }
        if let Some(a) = last.replace(seq) {
            all += 1;
            by_one += u64::from(seq == next(a));
            same += u64::from(seq == a);
            back += u64::from(seq < a && !((60_000..65_536).contains(&a) && seq < 5_000));
        }
    }
    // What is the same in all rows counts nothing.
    back == 0 && (by_one + same) * 2 >= all && by_one > 0 && (same <= by_one || same < 2)
}

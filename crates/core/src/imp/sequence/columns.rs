//! A run as RFC 632 prints its tables: two columns, time downward, steps not to scale.
//!
//! Each column holds its events in order. Read row by row, left before right, the items stand in the
//! order in which they happen. What arrives stands below where it was sent; only a message sent again
//! may stand beside it. These rules give the rows of Tables 1 and 2 as printed.

use super::{Event, Run};
use crate::imp::{Disposition, Relative, Scheme, Site, Word};
use std::fmt;

/// One row: the events in the source's and in the destination's column, by their place in the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Line {
    pub source: Option<usize>,
    pub destination: Option<usize>,
}

/// The rows of a run, and for each event its row.
pub fn columns(run: &Run) -> (Vec<Line>, Vec<usize>) {
    let mut rows: Vec<usize> = Vec::with_capacity(run.events.len());
    // The next free row of each column, and where the item before this one stands.
    let mut free = [0, 0];
    let mut before: Option<(usize, usize)> = None;
    for (i, event) in run.events.iter().enumerate() {
        let column = event.site as usize;
        let mut row = free[column];
        if let Some(&sent) = event.sent.and_then(|s| rows.get(s)) {
            row = row.max(if event.again { sent } else { sent + 1 });
        }
        let begins = event.step > 0 && (i == 0 || run.events[i - 1].step != event.step);
        if begins {
            if let Some((row_before, column_before)) = before {
                row = row.max(if column < column_before { row_before + 1 } else { row_before });
            }
            before = Some((row, column));
        }
        free[column] = row + 1;
        rows.push(row);
    }
    let mut lines = vec![Line::default(); free[0].max(free[1])];
    for (i, (event, &row)) in run.events.iter().zip(&rows).enumerate() {
        let line = &mut lines[row];
        match event.site {
            Site::Source => line.source = Some(i),
            Site::Destination => line.destination = Some(i),
        }
    }
    (lines, rows)
}

impl Event {
    /// As a table's entry: `MSG(i+1) arr (rejected)`. Table 1 of the RFC says nothing of what becomes
    /// of a message; Table 2 does.
    pub fn entry(&self, scheme: Scheme) -> Entry<'_> {
        Entry { event: self, brackets: scheme != Scheme::Current }
    }
}

/// An event as the tables write it.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    event: &'a Event,
    brackets: bool,
}

impl fmt::Display for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Event { pdu, message, word, disposition, .. } = self.event;
        write!(f, "{}({}) {}", pdu.name(), Relative(message.number), word.name())?;
        if let Some(disposition) = disposition.filter(|_| self.brackets && *word == Word::Arrived) {
            let word = match disposition {
                Disposition::Output => "HOST output",
                other => other.name(),
            };
            write!(f, " ({word})")?;
        }
        if message.source == 0 { Ok(()) } else { write!(f, " @{}", message.source) }
    }
}

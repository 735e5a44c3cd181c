//! Tables: CSV, TSV, semicolons with decimal commas, columns parted by blanks.
//!
//! `layout` finds separator, heading and first row; `columns` decides by names and values which
//! column is the delay, the time, the length, the sequence number and the mark of loss; `collect`
//! reads the rows. What was decided is a [`Reading`]: shown to the reader, who may change it and
//! hand it back in [`crate::Options::reading`].

mod cell;
mod collect;
mod columns;
mod fault;
mod layout;
mod names;
mod numbers;
mod rows;
#[cfg(test)]
mod tests;

pub use numbers::{Numbers, numbers};

use netspurt_core::trace::Note;

use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::text::{Encoding, line_at};

pub(crate) const ID: &str = "csv";

/// What parts the values of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    Tab,
    Semicolon,
    Comma,
    Bar,
    /// Any number of blanks and tabs.
    Blanks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Seconds,
    Millis,
    Micros,
    Nanos,
    /// Dates and times of day; for the time column only.
    Calendar,
}

impl Unit {
    /// As it is written behind a number.
    pub fn label(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Millis => "ms",
            Self::Micros => "µs",
            Self::Nanos => "ns",
            Self::Calendar => "date and time",
        }
    }

    pub(crate) fn nanoseconds(self) -> i64 {
        match self {
            Self::Seconds | Self::Calendar => 1_000_000_000,
            Self::Millis => 1_000_000,
            Self::Micros => 1000,
            Self::Nanos => 1,
        }
    }

    /// A number of this unit in ms. Divides where it can: 1.6 µs is 0.0016 ms, correctly rounded.
    pub(crate) fn to_ms(self, value: f64) -> f64 {
        match self {
            Self::Seconds | Self::Calendar => value * 1000.0,
            Self::Millis => value,
            Self::Micros => value / 1000.0,
            Self::Nanos => value / 1_000_000.0,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// From 0.
    pub index: usize,
    pub unit: Unit,
    /// The file does not say the unit.
    pub guessed: bool,
}

/// How a table was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub separator: Separator,
    /// `.` or `,`.
    pub decimal: char,
    /// The line of the heading, or of the first row if there is none; from 1.
    pub first_line: usize,
    pub heading: bool,
    /// One a column: the heading's, or "column 1" and so on.
    pub names: Vec<String>,
    /// Dates such as 3/4/2026 are of March.
    pub month_first: bool,
    pub delay: Column,
    pub time: Option<Column>,
    pub octets: Option<usize>,
    pub seq: Option<usize>,
    /// A column that says of each row whether it was answered.
    pub loss: Option<usize>,
}

pub(crate) fn sniff(input: &Input<'_>) -> bool {
    let text = input.text().text.as_bytes();
    layout::series(text).is_some() || layout::guess(input.head(), text.len()).is_some()
}

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let text = input.text().text.as_bytes();
    crate::error::refuse_long_lines(text)?;
    let unknown_letters = input.text().encoding == Encoding::Unknown;
    let series = layout::series(text);
    let (text, head) = match &series {
        Some(column) => (column.as_bytes(), crate::input::head(column.as_bytes())),
        None => (text, input.head()),
    };
    let guessed = options.reading.is_none().then(|| layout::guess(head, text.len())).flatten();
    let Some(mut reading) = options.reading.clone().or(guessed) else {
        return Err(crate::formats::unknown(input));
    };
    // A reading that was changed by hand may name columns that are not there.
    let used =
        [Some(reading.delay.index), reading.time.map(|c| c.index), reading.octets, reading.seq, reading.loss];
    let needed = used.into_iter().flatten().max().map_or(1, |i| i.min(10_000) + 1);
    while reading.names.len() < needed {
        reading.names.push(unnamed(reading.names.len()));
    }
    let mut import = collect::read(text, reading, options, unknown_letters)?;
    if series.is_some() {
        let text = "one line of several values: read as delays, one after the other".to_owned();
        import.trace.notes.insert(0, Note { line: 1, text });
    }
    Ok(import)
}

/// The heading of a table of delays, without a row below it that has a number.
pub(crate) fn heading_alone(text: &[u8]) -> Option<ImportError> {
    let (heading, below) = layout::heading_alone(text)?;
    Some(match below {
        None => fault::no_rows(text, true, heading),
        Some(row) => fault::no_numbers(text, heading, row),
    })
}

/// What a column without a name is called.
fn unnamed(i: usize) -> String {
    format!("column {}", i + 1)
}

/// The first byte of a line.
fn line_start(text: &[u8], line: usize) -> usize {
    let mut at = 0;
    for _ in 1..line {
        if at < text.len() {
            at += line_at(text, at).len() + 1;
        }
    }
    at.min(text.len())
}

//! Tables: CSV, TSV, semicolons with decimal commas, columns parted by blanks; and what `rewritten` makes
//! one of, such as lists in JSON.
//!
//! `layout` finds separator, heading and first row; `columns` decides by names and values which
//! column is the delay, the time, the length, the sequence number and the mark of loss; `collect`
//! reads the rows. What was decided is a [`Reading`]: shown to the reader, who may change it and
//! hand it back in [`crate::Options::reading`].

mod cell;
mod collect;
mod columns;
mod duration;
mod fault;
mod form;
mod kept;
mod layout;
mod names;
mod numbers;
mod objects;
mod plain;
mod reading;
mod rewritten;
mod rows;
mod sequence;
mod targets;
#[cfg(test)]
mod tests;
mod units;

pub use form::{Answer, Question};
pub use numbers::{Numbers, numbers};

use netspurt_core::trace::{Note, Provenance};

use crate::choice::Choice;
use crate::error::{ImportError, no_such_part};
use crate::import::{BadRows, Counts, Import, Options, Part, PartKind};
use crate::input::Input;
use crate::number;
use crate::text::line_at;

pub(crate) use rewritten::is_point;

pub(crate) const ID: &str = "csv";
/// The line protocol of `InfluxDB`.
pub(crate) const POINTS: &str = "influx-text";

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

/// In what a column of delays or of times counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Seconds,
    Millis,
    Micros,
    Nanos,
    /// Days since 1900, as spreadsheets count them; for the time column only.
    Days,
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
            Self::Days => "days since 1900",
            Self::Calendar => "date and time",
        }
    }

    pub(crate) fn nanoseconds(self) -> i64 {
        match self {
            Self::Seconds | Self::Calendar => 1_000_000_000,
            Self::Millis => 1_000_000,
            Self::Micros => 1000,
            Self::Nanos => 1,
            Self::Days => 86_400_000_000_000,
        }
    }

    /// A number of this unit in ms: 1.6 µs is 0.0016 ms, 0.0131 s is 13.1 ms, correctly rounded.
    pub(crate) fn to_ms(self, value: f64) -> f64 {
        match self {
            Self::Seconds | Self::Calendar => number::seconds_to_ms(value),
            Self::Millis => value,
            Self::Micros => value / 1000.0,
            Self::Nanos => value / 1_000_000.0,
            Self::Days => value * 86_400_000.0,
        }
    }
}

/// A column of delays or of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// From 0.
    pub index: usize,
    pub unit: Unit,
    /// The file does not say the unit.
    pub guessed: bool,
}

/// How a table is read: what was guessed, for the reader to see and to correct. What it prints as,
/// it parses from (`reading`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub separator: Separator,
    /// `.` or `,`.
    pub decimal: char,
    /// The line of the heading, or of the first row if there is none; from 1.
    pub first_line: usize,
    pub heading: bool,
    /// Dates such as 3/4/2026 are of March.
    pub month_first: bool,
    pub delay: Column,
    /// When each probe was sent. `None`: the table does not say.
    pub time: Option<Column>,
    /// The column of packet lengths, from 0. `None`: the lengths are not known.
    pub octets: Option<usize>,
    /// The column that numbers the probes, from 0: gaps in it are lost probes where no other mark says so.
    /// `None`: no number is looked for.
    pub seq: Option<usize>,
    /// The column that says of each row whether it was answered, from 0. `None`: only the delay says so.
    pub loss: Option<usize>,
    /// The column that says whom each probe was sent to, from 0: the table has a part for each. `None`: all
    /// rows are one series.
    pub target: Option<usize>,
}

impl Reading {
    /// The columns that are used.
    fn columns(&self) -> impl Iterator<Item = Option<usize>> {
        let time = self.time.map(|c| c.index);
        [Some(self.delay.index), time, self.octets, self.seq, self.loss, self.target].into_iter()
    }
}

/// A table as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub reading: Reading,
    /// One a column: the heading's, or "column 1" and so on.
    pub names: Vec<String>,
    /// The columns that could as well be the delay, the one that was read among them.
    pub delays: Vec<usize>,
}

/// The beginning of a table, to be shown while its reading is corrected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    pub table: Table,
    /// What of the reading can be corrected.
    pub questions: Vec<Question>,
    /// The first rows below the heading, as they stand.
    pub rows: Vec<Vec<String>>,
}

pub(crate) fn sniff(input: &Input<'_>) -> bool {
    let text = input.text().text.as_bytes();
    let is_one = |table: &Table| {
        !table.reading.heading || names::read(&table.names[table.reading.delay.index]).says_something()
    };
    layout::series(text).is_some()
        || layout::guess(input.head(), text.len(), false).is_some()
        || rewritten::read(input.head()).is_some_and(|made| {
            let rows = made.rows.as_bytes();
            layout::guess(rows, rows.len(), made.headed).is_some_and(|table| is_one(&table))
        })
}

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let text = input.text().text.as_bytes();
    crate::error::refuse_long_lines(text)?;
    let rewritten = rewritten::read(text);
    let (text, head) = match &rewritten {
        Some(made) => (made.rows.as_bytes(), crate::input::head(made.rows.as_bytes())),
        None => (text, input.head()),
    };
    let headed = rewritten.as_ref().is_some_and(|made| made.headed);
    let Some(mut table) = table(head, text.len(), headed, options.reading.as_ref()) else {
        return Err(crate::formats::unknown(input));
    };
    let all = table.delays.len();
    let chosen = match options.choice {
        Choice::One(n) if all > 1 || table.reading.target.is_none() => {
            *table.delays.get(n).ok_or_else(|| no_such_part(options.choice, all))?
        }
        _ => table.reading.delay.index,
    };
    if chosen != table.reading.delay.index {
        table.reading.delay = layout::delay_column_at(head, &table, chosen);
    }
    let mut import = collect::read(input, text, &table, options).map_err(|error| {
        // A target that is not there is said before a row that cannot be read.
        let lenient = Options { bad_rows: BadRows::LeaveOut, ..options.clone() };
        let parts = || collect::read(input, text, &table, &lenient).map_or(usize::MAX, |i| i.parts.len());
        match options.choice {
            Choice::One(n) if all < 2 && n > 0 && n >= parts() => no_such_part(options.choice, parts()),
            _ => error,
        }
    })?;
    import.parts = parts(&table, import.parts);
    if all < 2 {
        let parts = import.parts.len();
        import = import.only(options.choice).ok_or_else(|| no_such_part(options.choice, parts))?;
    }
    import.table = Some(table);
    for how in rewritten.into_iter().flat_map(|made| made.said).rev() {
        import.trace.notes.insert(0, Note { line: 1, text: how.into_owned() });
    }
    Ok(import)
}

pub(crate) fn read_points(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut import = read(input, options)?;
    import.format = POINTS;
    import.trace.provenance = Provenance::Opened { format: POINTS.to_owned() };
    Ok(import)
}

/// The columns of delays, of which one was read.
fn parts(table: &Table, read: Vec<Part>) -> Vec<Part> {
    let [part] = &read[..] else { return read };
    if table.delays.len() < 2 {
        return read;
    }
    let mut at = 0;
    let column = |i: &usize| {
        let name = table.names[*i].clone();
        if *i == table.reading.delay.index {
            at = part.records.end;
            Part { name, kind: PartKind::Series, ..part.clone() }
        } else {
            Part { usual: false, ..Part::new(name, PartKind::Series, at..at, Counts::default()) }
        }
    };
    table.delays.iter().map(column).collect()
}

/// How to read the table: as told, or as guessed from its first lines.
fn table(head: &[u8], length: usize, headed: bool, reading: Option<&Reading>) -> Option<Table> {
    let mut table = match reading {
        Some(reading) => layout::apply(head, reading.clone()),
        None => layout::guess(head, length, headed)?,
    };
    // A reading that was changed by hand may name columns that are not there.
    let r = &table.reading;
    let needed = r.columns().flatten().max().map_or(1, |i| i.min(10_000) + 1);
    while table.names.len() < needed {
        table.names.push(unnamed(table.names.len()));
    }
    Some(table)
}

/// The beginning of a table, read as told or as guessed. `None`: this is no table.
pub(crate) fn preview(input: &Input<'_>, reading: Option<&Reading>, rows: usize) -> Option<Preview> {
    let text = input.text().text.as_bytes();
    // As when it is read.
    let rewritten = rewritten::read(text);
    let (text, head) = match &rewritten {
        Some(made) => (made.rows.as_bytes(), crate::input::head(made.rows.as_bytes())),
        None => (text, input.head()),
    };
    let headed = rewritten.as_ref().is_some_and(|made| made.headed);
    let table =
        table(head, text.len(), headed, reading).or_else(|| layout::without_delays(head, text.len()))?;
    let rows = layout::first_rows(head, &table.reading, rows);
    let questions = form::questions(head, &table);
    Some(Preview { table, questions, rows })
}

/// A table none of whose columns looks like delays.
pub(crate) fn without_delays(input: &Input<'_>) -> Option<ImportError> {
    let table = layout::without_delays(input.head(), input.text().text.len())?;
    Some(fault::no_delays(input.text().text.as_bytes(), &table))
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

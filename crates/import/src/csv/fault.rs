//! Rows that cannot be read or hold no delay, said in words.

use super::Table;
use super::rows::Spot;
use crate::error::{ErrorKind, ImportError, Others, Place, Remedy, place};
use crate::number::in_words;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// Fewer values than columns.
    Short { values: usize },
    /// More values than columns.
    Long { values: usize },
    /// A delay that is neither a number nor a mark of loss.
    Unreadable { field: Vec<u8> },
}

impl Fault {
    /// One line: "two values where the heading names three".
    pub(super) fn short(&self, table: &Table) -> String {
        match self {
            Self::Short { values } | Self::Long { values } => counted(*values, table),
            Self::Unreadable { field } => format!("“{}” is no delay", crate::error::clip(field)),
        }
    }

    pub(super) fn error(&self, table: &Table, text: &[u8], at: &At, others: Others) -> ImportError {
        let line = at.spot.line;
        let what = match self {
            Self::Short { values } => {
                let names = &table.names[*values..];
                let end = if table.reading.delay.index >= *values {
                    "The delay is missing: a lost packet, or a line cut short".to_owned()
                } else {
                    format!("The line ends before {}: it may be cut short", names[0])
                };
                format!("Line {line} has {}. {end}. Nothing was guessed.", counted(*values, table))
            }
            Self::Long { values } => {
                format!("Line {line} has {}. Nothing was guessed.", counted(*values, table))
            }
            Self::Unreadable { field } => {
                let field = crate::error::clip(field);
                format!("Line {line} has “{field}” where a delay should be. Nothing was guessed.")
            }
        };
        let mut place = quoted(text, at.spot, at.heading);
        place.remark = match self {
            Self::Short { values } => missing(&table.names[*values..]),
            Self::Long { .. } => "too many values".to_owned(),
            Self::Unreadable { .. } => "not a number".to_owned(),
        };
        if let Self::Unreadable { field } = self {
            place.column = column(&place, field);
        }
        ImportError {
            kind: ErrorKind::BadRow,
            what,
            place: Some(Box::new(place)),
            remedies: vec![Remedy::CountAsLost, Remedy::LeaveOut, Remedy::ChooseColumns, Remedy::OpenAnother],
            others: Some(others),
        }
    }
}

/// Where the row stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    pub(super) spot: Spot,
    pub(super) heading: Option<Spot>,
}

fn quoted(text: &[u8], spot: Spot, heading: Option<Spot>) -> Place {
    place(text, spot.line, spot.start, heading.map(|h| (h.line, h.start)))
}

/// Why a row has no place in the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    Nan,
    Infinite,
    Negative,
    /// 3600, 2^32 − 1 and the like.
    Failure,
    Fault,
}

const WHYS: [(Why, &str, &str); 5] = [
    (Why::Nan, "delay of NaN", "delays of NaN"),
    (Why::Infinite, "infinite delay", "infinite delays"),
    (Why::Negative, "negative delay", "negative delays"),
    (Why::Failure, "number that stands for a failure", "numbers that stand for a failure"),
    (Why::Fault, "row that cannot be read", "rows that cannot be read"),
];

impl Why {
    /// `2 negative delays`.
    pub(super) fn count(self, n: u64) -> String {
        let (_, one, more) = WHYS[self as usize];
        format!("{n} {}", if n == 1 { one } else { more })
    }
}

/// How many rows are left out for each reason, and the line of the first.
#[derive(Debug, Default)]
pub(super) struct LeftOut([(u64, usize); WHYS.len()]);

impl LeftOut {
    pub(super) fn add(&mut self, why: Why, line: usize) {
        let (n, first) = &mut self.0[why as usize];
        if *n == 0 {
            *first = line;
        }
        *n += 1;
    }

    pub(super) fn each(&self) -> impl Iterator<Item = (Why, u64, usize)> {
        WHYS.iter().zip(&self.0).filter(|(_, (n, _))| *n > 0).map(|((why, ..), (n, line))| (*why, *n, *line))
    }

    /// Every row was left out.
    pub(super) fn error(&self, text: &[u8], heading: Option<Spot>) -> ImportError {
        let mut what = "This table has no samples, only ".to_owned();
        let mut first = (Why::Fault, usize::MAX);
        let reasons = self.each().count();
        for (i, (why, n, line)) in self.each().enumerate() {
            what += match i {
                0 => "",
                _ if i + 1 == reasons => " and ",
                _ => ", ",
            };
            what += &why.count(n);
            if line < first.1 {
                first = (why, line);
            }
        }
        let (why, line) = first;
        let mut place = quoted(text, Spot { line, start: super::line_start(text, line) }, heading);
        WHYS[why as usize].1.clone_into(&mut place.remark);
        no_samples(what + ".").at(place)
    }
}

fn no_samples(what: String) -> ImportError {
    let advice = "open a table in which at least one delay is a number from 0 up";
    ImportError::new(ErrorKind::NoSamples, what).advise(advice)
}

/// A table with a heading and rows of words.
pub(super) fn no_numbers(text: &[u8], heading: Spot, row: Spot) -> ImportError {
    let what = "This table of delays has no samples: no row has a delay that is a number.".to_owned();
    no_samples(what).at(quoted(text, row, Some(heading)))
}

/// A table none of whose columns looks like delays.
pub(super) fn no_delays(text: &[u8], table: &Table) -> ImportError {
    const NAMED: usize = 8;
    let named: Vec<String> = table.names.iter().take(NAMED).map(|name| format!("“{name}”")).collect();
    let more = table.names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let what =
        format!("This is a table, but none of its columns looks like delays: {}{more}.", named.join(", "));
    let mut error = ImportError::new(ErrorKind::Unknown, what)
        .advise("head the column of delays with what it holds, such as rtt_ms");
    error.remedies.insert(0, Remedy::ChooseColumns);
    let line = table.reading.first_line;
    error.at(quoted(text, Spot { line, start: super::line_start(text, line) }, None))
}

/// A table that ends with its heading, or is empty.
pub(super) fn no_rows(text: &[u8], heading: bool, first: Spot) -> ImportError {
    let what = if heading { "a heading and no rows" } else { "no rows" };
    let error = ImportError::new(ErrorKind::NoSamples, format!("This table of delays has {what}."))
        .advise("add rows to it");
    if first.start < text.len() { error.at(quoted(text, first, None)) } else { error }
}

fn counted(values: usize, table: &Table) -> String {
    let s = if values == 1 { "" } else { "s" };
    let others = if table.reading.heading { "the heading names" } else { "the other lines have" };
    format!("{} value{s} where {others} {}", in_words(values), in_words(table.names.len()))
}

/// `octets is missing`, `octets, ttl and 3 more are missing`.
fn missing(names: &[String]) -> String {
    match names {
        [one] => format!("{one} is missing"),
        _ if names.len() <= 4 => format!("{} are missing", names.join(", ")),
        _ => format!("{} and {} more are missing", names[..3].join(", "), names.len() - 3),
    }
}

fn column(place: &Place, field: &[u8]) -> Option<usize> {
    let line = &place.excerpt.get(place.marked)?.1;
    let at = line.find(std::str::from_utf8(field).ok()?)?;
    Some(line[..at].chars().count() + 1)
}

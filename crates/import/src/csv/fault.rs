//! A row that cannot be read, said in words.

use super::Reading;
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
    pub(super) fn short(&self, reading: &Reading) -> String {
        match self {
            Self::Short { values } | Self::Long { values } => counted(*values, reading),
            Self::Unreadable { field } => format!("“{}” is no delay", crate::error::clip(field)),
        }
    }

    pub(super) fn error(&self, reading: &Reading, text: &[u8], at: &At, others: Others) -> ImportError {
        let line = at.line;
        let what = match self {
            Self::Short { values } => {
                let names = &reading.names[*values..];
                let end = if reading.delay.index >= *values {
                    "The delay is missing: a lost packet, or a line cut short".to_owned()
                } else {
                    format!("{}: a line cut short", missing(names))
                };
                format!("Line {line} has {}. {end}. Nothing was guessed.", counted(*values, reading))
            }
            Self::Long { values } => {
                format!("Line {line} has {}. Nothing was guessed.", counted(*values, reading))
            }
            Self::Unreadable { field } => {
                let field = crate::error::clip(field);
                format!("Line {line} has “{field}” where a delay should be. Nothing was guessed.")
            }
        };
        let mut place = place(text, line, at.start, at.heading);
        place.remark = match self {
            Self::Short { values } => missing(&reading.names[*values..]),
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
    pub(super) line: usize,
    pub(super) start: usize,
    /// Line and first byte of the heading.
    pub(super) heading: Option<(usize, usize)>,
}

fn counted(values: usize, reading: &Reading) -> String {
    let s = if values == 1 { "value" } else { "values" };
    let where_ = if reading.heading { "the heading names" } else { "the other lines have" };
    format!("{} {s} where {where_} {}", in_words(values), in_words(reading.names.len()))
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

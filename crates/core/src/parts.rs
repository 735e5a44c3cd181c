//! What an experiment is made of, one like thing after the other: the links of a path, the events of a
//! flow. A reader adds, changes and removes them one by one; here is what a document has to say then.

use crate::params::{ParamError, Settings};
use crate::tree::Value;
use std::fmt;

/// Like things one after the other, each with settings of its own. A document holds them in one key,
/// which may hold several such lists.
pub trait Parts {
    /// The key.
    fn key(&self) -> &'static str;

    /// Which list of the key it is. Empty: the key holds one.
    #[expect(clippy::unnecessary_literal_bound, reason = "an implementation may lend its own name")]
    fn list(&self) -> &str {
        ""
    }

    /// What a reader sees the list called: `path A`. Empty: it has no name.
    fn title(&self) -> String {
        String::new()
    }

    /// What one is called: `link`.
    fn one(&self) -> &'static str;

    /// How many there may be, at the least and at the most.
    fn count(&self) -> (usize, usize);

    /// `None` beyond the last.
    fn part(&self, index: usize) -> Option<&dyn Settings>;

    /// A few words that tell a part from the others.
    fn gloss(&self, index: usize) -> String;

    /// The list after a change; refused where a value is, or for too many parts or too few.
    fn changed(&self, change: Change<'_>) -> Result<Written, Refused>;
}

/// What is changed about the parts of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<'a> {
    /// A setting of one part.
    Set {
        part: usize,
        name: &'a str,
        text: &'a str,
    },
    /// One more at the end, like the last.
    Add,
    Remove {
        part: usize,
    },
}

/// How a document holds the parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// As one text.
    Text(String),
    /// As a list of numbers in a table, under the list's name. `table`: all of the table, for a document
    /// that has none of it yet.
    Numbers { items: Vec<String>, table: String },
    /// As a list of tables.
    Tables(Vec<Vec<(&'static str, Value)>>),
}

/// Why parts were not changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    Param(ParamError),
    /// There is no such part.
    NoSuchPart {
        part: usize,
    },
    /// So many are the least and the most there may be.
    Count {
        least: usize,
        most: usize,
    },
}

/// Changes a list of parts. `more`: what one more is like, after the last.
pub(crate) fn change<S: Settings>(
    parts: &mut Vec<S>,
    change: Change<'_>,
    (least, most): (usize, usize),
    more: impl FnOnce(Option<&S>) -> S,
) -> Result<(), Refused> {
    let none = |part| Refused::NoSuchPart { part };
    match change {
        Change::Set { part, name, text } => {
            let part = parts.get_mut(part).ok_or(none(part))?;
            part.set_text(name, text).map_err(Refused::Param)?;
        }
        Change::Add if parts.len() < most => {
            let one = more(parts.last());
            parts.push(one);
        }
        Change::Remove { part } if part >= parts.len() => return Err(none(part)),
        Change::Remove { part } if parts.len() > least => drop(parts.remove(part)),
        Change::Add | Change::Remove { .. } => return Err(Refused::Count { least, most }),
    }
    Ok(())
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Param(e) => e.fmt(f),
            Self::NoSuchPart { part } => write!(f, "there is no part {}", part + 1),
            Self::Count { least, most } => write!(f, "there may be from {least} to {most}"),
        }
    }
}

impl std::error::Error for Refused {}

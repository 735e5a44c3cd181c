//! Edits: each one splice of the text, or an error and no change.
//!
//! Values are set where they stand, so that comments, order and layout stay. A parameter of an
//! estimator is one word in a string; that word alone is written anew. An edit that would close a
//! cell's fence, swallow the next cell or otherwise touch what it is not about is refused.
//!
//! An [`Address`] names what is set: `foe.title`, `foe.replay`, `foe.b` or `foe.b.f2`; of a list that is
//! one text, such as the links of a path, `way.links.2-rate`; of one of several, `flow.paths.A-2-rate`.

mod blocks;
mod parts;
mod values;

pub use blocks::{
    add_cell, add_prose, add_trace, delete_cell, duplicate_cell, move_cell, set_body, set_prose,
};
pub use parts::{change_parts, found_part};
pub use values::{set, set_value, unset};

use crate::document::{Cell, Document};
use crate::nearest::{list, nearest};
use crate::splice::Splice;
use netspurt_core::params::ParamError;
use netspurt_core::parts::{Parts, Refused};
use netspurt_core::rto::SlotError;
use std::fmt;

/// A changed document, and how its text got there.
#[derive(Debug, Clone)]
pub struct Edit {
    pub document: Document,
    /// Empty if nothing had to change.
    pub splice: Splice,
    /// The cell it was about, as it is called now. `None` for prose, and after a deletion.
    pub cell: Option<String>,
}

/// A cell's key, or a parameter of the estimator or the parts in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    pub cell: String,
    pub key: String,
    pub param: Option<String>,
}

impl Address {
    /// A key of a cell: `foe.title`.
    pub fn key(cell: &str, key: &str) -> Self {
        Self { cell: cell.to_owned(), key: key.to_owned(), param: None }
    }

    /// A setting of one of a cell's parts, from 0: `way.links.2-rate` is that of part 1, and
    /// `flow.paths.A-2-rate` that of the list `A` of a key with several.
    pub fn part(cell: &str, parts: &dyn Parts, part: usize, name: &str) -> Self {
        let dash = if parts.list().is_empty() { "" } else { "-" };
        let param = format!("{}{dash}{}-{name}", parts.list(), part + 1);
        Self { param: Some(param), ..Self::key(cell, parts.key()) }
    }

    /// A parameter of an estimator: `foe.b.f2`.
    pub fn param(cell: &str, slot: &str, param: &str) -> Self {
        Self { param: Some(param.to_owned()), ..Self::key(cell, slot) }
    }

    /// Reads `foe.b.f2`. `None`: not two or three words with points between.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split('.');
        let (cell, key, param) = (words.next()?, words.next()?, words.next());
        let fits = !cell.is_empty() && !key.is_empty() && param != Some("") && words.next().is_none();
        fits.then(|| Self { param: param.map(str::to_owned), ..Self::key(cell, key) })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.cell, self.key)?;
        self.param.as_ref().map_or(Ok(()), |p| write!(f, ".{p}"))
    }
}

/// Why an edit was not made. Nothing has changed then.
#[derive(Debug, Clone, PartialEq)]
pub enum EditError {
    NoSuchCell {
        id: String,
        there_are: Vec<String>,
    },
    /// A place among the blocks that does not exist, or is not of the sort meant.
    NoSuchBlock {
        index: usize,
    },
    /// A kind this version does not know.
    NoSuchKind {
        word: String,
    },
    NoSuchKey {
        key: String,
        there_are: Vec<&'static str>,
    },
    /// The slot holds no estimator whose parameter could be set.
    EmptySlot {
        cell: String,
        slot: String,
    },
    /// The cell's source has an error that hides what is to be set.
    Unreadable {
        cell: String,
        line: usize,
        message: String,
    },
    /// Text that is not one TOML value.
    NotAValue {
        text: String,
    },
    Param(ParamError),
    Slot(SlotError),
    Parts(Refused),
    /// A name that is taken, or has letters a name may not have.
    BadName {
        name: String,
        taken: bool,
    },
    /// The change would open or close a fence and so change other parts of the document.
    Spills,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchCell { id, there_are } => {
                let names = there_are.iter().map(String::as_str);
                write!(f, "there is no cell called {id}; there are {}", list(names.clone()))?;
                nearest(id, names).map_or(Ok(()), |n| write!(f, "; did you mean {n}?"))
            }
            Self::NoSuchBlock { index } => write!(f, "there is no such part of the notebook: {index}"),
            Self::NoSuchKind { word } => write!(f, "{word:?} is not a kind of cell here"),
            Self::NoSuchKey { key, there_are } => {
                write!(f, "{key} is not a key here; there are {}", list(there_are.iter().copied()))
            }
            Self::EmptySlot { cell, slot } => write!(f, "{cell} has no estimator {slot} to set"),
            Self::Unreadable { cell, line, message } => {
                write!(f, "{cell} cannot be changed before line {line} is mended: {message}")
            }
            Self::NotAValue { text } => write!(f, "{text:?} is not one value; put text in quotes"),
            Self::Param(e) => e.fmt(f),
            Self::Slot(e) => e.fmt(f),
            Self::Parts(e) => e.fmt(f),
            Self::BadName { name, taken: true } => write!(f, "there is another cell called {name}"),
            Self::BadName { name, taken: false } => {
                write!(f, "a cell's name is made of letters, digits, - and _, not {name:?}")
            }
            Self::Spills => {
                write!(
                    f,
                    "this text would open or close a cell and change other parts: a line of ``` stands in it"
                )
            }
        }
    }
}

impl std::error::Error for EditError {}

/// The cell of this id.
fn cell_of<'a>(document: &'a Document, id: &str) -> Result<&'a Cell, EditError> {
    document.cell(id).ok_or_else(|| EditError::NoSuchCell {
        id: id.to_owned(),
        there_are: document.cells().map(|c| c.id.clone()).collect(),
    })
}

/// What must not change of a cell that an edit is not about.
type Print<'a> = (&'a str, Option<&'a str>, &'a str);

fn prints(document: &Document) -> Vec<Print<'_>> {
    document.cells().map(|c| print_of(document, c)).collect()
}

fn print_of<'a>(document: &'a Document, cell: &'a Cell) -> Print<'a> {
    (&cell.word, cell.id_is_written.then_some(cell.id.as_str()), document.body(cell))
}

/// The line ends of a text.
fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A text with the line ends of the document it comes into.
fn with_newlines(text: &str, newline: &str) -> String {
    let text = text.replace("\r\n", "\n");
    if newline == "\n" { text } else { text.replace('\n', newline) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_written() {
        for text in ["foe.b.f2", "foe.title", "a-1.b.e-cold", "way.links.2-rate"] {
            assert_eq!(Address::parse(text).unwrap().to_string(), text);
        }
        for bad in ["", "foe", "foe.", ".b", "foe.b.", "foe.b.f2.x", "foe..f2"] {
            assert_eq!(Address::parse(bad), None, "{bad}");
        }
    }
}

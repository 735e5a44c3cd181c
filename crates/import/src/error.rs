//! Why a file was not read: what, where, and what to do.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::choice::Choice;
use crate::text;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorKind {
    /// No bytes, or none but zeros.
    Empty,
    /// A kind of file that is known by name but not read.
    Refused,
    /// Nothing known here looks like this.
    Unknown,
    /// The format is known and the file holds no measurement.
    NoSamples,
    /// A row of a table cannot be read, and [`crate::BadRows::Ask`] was set.
    BadRow,
    /// A line too long for any format.
    TooLong,
    /// [`crate::Choice::One`] names a part that is not there.
    NoSuchPart,
    /// Whoever asked for the reading stopped it.
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportError {
    pub kind: ErrorKind,
    /// One or more whole sentences.
    pub what: String,
    pub place: Option<Box<Place>>,
    /// In the order in which to offer them.
    pub remedies: Vec<Remedy>,
    /// How many other lines could be read and how many could not, where that was counted.
    pub others: Option<Others>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Others {
    pub fine: u64,
    pub bad: u64,
}

/// A line of the file with its neighbours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// From 1.
    pub line: usize,
    /// In characters from 1; `None` where the whole line is meant.
    pub column: Option<usize>,
    /// Line numbers and texts, cut to what fits on a line. Numbers may leap: the heading comes first.
    pub excerpt: Vec<(usize, String)>,
    /// Which entry of `excerpt` is meant.
    pub marked: usize,
    /// A few words to stand beside the marked line; may be empty.
    pub remark: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Remedy {
    CountAsLost,
    LeaveOut,
    ChooseColumns,
    OpenAnother,
    /// A sentence without its full stop, such as "save it as CSV".
    Advice(String),
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CountAsLost => "count it as a lost packet",
            Self::LeaveOut => "leave the line out",
            Self::ChooseColumns => "choose the columns again",
            Self::OpenAnother => "open another file",
            Self::Advice(text) => text,
        })
    }
}

impl fmt::Display for ImportError {
    /// `<what>: <where>: <what to do>`, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what.trim_end_matches('.'))?;
        if let Some(place) = &self.place {
            write!(f, ": line {}", place.line)?;
            if let Some((_, text)) = place.excerpt.get(place.marked) {
                write!(f, " “{text}”")?;
            }
        }
        for (i, remedy) in self.remedies.iter().enumerate() {
            let last = i > 0 && i + 1 == self.remedies.len();
            let before = match i {
                0 => ": ",
                _ if last => " or ",
                _ => ", ",
            };
            write!(f, "{before}{remedy}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ImportError {}

impl ImportError {
    pub(crate) fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), place: None, remedies: vec![Remedy::OpenAnother], others: None }
    }

    pub(crate) fn advise(mut self, advice: &str) -> Self {
        self.remedies.insert(0, Remedy::Advice(advice.to_owned()));
        self
    }

    pub(crate) fn at(mut self, place: Place) -> Self {
        self.place = Some(Box::new(place));
        self
    }
}

/// The line that begins at byte `start`, two lines before and one after, headed by `heading`.
pub(crate) fn place(text: &[u8], line: usize, start: usize, heading: Option<(usize, usize)>) -> Place {
    let mut excerpt = Vec::with_capacity(5);
    let shown = |number: usize, at: usize| (number, clip(text::line_at(text, at)));
    let (mut at, mut number) = (start, line);
    while at > 0 && number > 1 && excerpt.len() < 2 {
        at = text::line_start(text, at - 1);
        number -= 1;
        excerpt.push(shown(number, at));
    }
    if let Some((first, at)) = heading
        && first < number
    {
        excerpt.push(shown(first, at));
    }
    excerpt.reverse();
    let marked = excerpt.len();
    excerpt.push(shown(line, start));
    let next = start + text::line_at(text, start).len() + 1;
    if next < text.len() {
        excerpt.push(shown(line + 1, next));
    }
    Place { line, column: None, excerpt, marked, remark: String::new() }
}

/// A part was chosen that the file does not have.
pub(crate) fn no_such_part(choice: Choice, parts: usize) -> ImportError {
    let there = match parts {
        0 | 1 => "there is only one".to_owned(),
        n => format!("there are {n}"),
    };
    let what = format!("The file has no part {choice}: {there}.");
    ImportError::new(ErrorKind::NoSuchPart, what).advise("choose another part")
}

/// Every line is held whole: none may be longer than a megabyte.
pub(crate) fn refuse_long_lines(text: &[u8]) -> Result<(), ImportError> {
    const LONGEST: usize = 1 << 20;
    let mut at = 0;
    // From each line's start as far as a line may go: the last line end there begins the next look.
    while text.len() - at > LONGEST {
        let Some(end) = memchr::memrchr(b'\n', &text[at..=at + LONGEST]) else {
            let length = text::line_at(text, at).len();
            let line = 1 + memchr::memchr_iter(b'\n', &text[..at]).count();
            let what = format!("Line {line} is {length} bytes long: no log and no table has such lines.");
            let error =
                ImportError::new(ErrorKind::TooLong, what).advise("write each row on a line of its own");
            return Err(error.at(place(text, line, at, None)));
        };
        at += end + 1;
    }
    Ok(())
}

/// A line made fit to be quoted: at most 80 characters, without control characters.
pub(crate) fn clip(line: &[u8]) -> String {
    const LONGEST: usize = 80;
    let head = &line[..line.len().min(4 * LONGEST + 4)];
    let text = String::from_utf8_lossy(head);
    let mut chars = text.trim_end().chars();
    let mut out: String =
        chars.by_ref().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if chars.next().is_some() || head.len() < line.len() {
        out.pop();
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_shows_the_heading_two_lines_before_and_one_after() {
        let text = b"h\n1\n2\n3\n4\r\n5\n6\n";
        let p = place(text, 5, 8, Some((1, 0)));
        let lines: Vec<_> = p.excerpt.iter().map(|(n, t)| format!("{n} {t}")).collect();
        assert_eq!(lines, ["1 h", "3 2", "4 3", "5 4", "6 5"]);
        assert_eq!(p.marked, 3);
        let p = place(text, 2, 2, Some((1, 0)));
        assert_eq!((p.excerpt.len(), p.marked), (3, 1));
        let p = place(text, 7, 13, None);
        assert_eq!((p.excerpt.len(), p.marked), (3, 2));
    }

    #[test]
    fn a_quoted_line_is_short_and_clean() {
        assert_eq!(clip(b"a\tb\x1b[0m \r"), "a b [0m");
        let long = clip("é".repeat(5000).as_bytes());
        assert_eq!(long.chars().count(), 80);
        assert!(long.ends_with('…'));
    }

    #[test]
    fn an_error_is_said_on_one_line() {
        let e = ImportError::new(ErrorKind::Refused, "This is a picture.").advise("save it as CSV");
        assert_eq!(e.to_string(), "This is a picture: save it as CSV or open another file");
    }
}

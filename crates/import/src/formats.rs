//! The registry: every format that is read, in the order in which they are tried.

use crate::error::{ErrorKind, ImportError, clip, place};
use crate::import::{Import, Options};
use crate::input::Input;
use crate::{csv, ping_text};

/// A kind of file.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Stands in results and in `netspurt import --json`.
    pub id: &'static str,
    pub title: &'static str,
    /// Which files it is, in a sentence without its full stop.
    pub reads: &'static str,
    pub(crate) sniff: fn(&Input<'_>) -> bool,
    pub(crate) read: fn(&Input<'_>, &Options) -> Result<Import, ImportError>,
}

/// Tables come last: almost any file of numbers is one.
const FORMATS: &[Format] = &[
    Format {
        id: ping_text::WINDOWS,
        title: "Ping on Windows",
        reads: "what ping prints on Windows, in any of its languages",
        sniff: ping_text::sniff_windows,
        read: ping_text::read,
    },
    Format {
        id: ping_text::UNIX,
        title: "Ping",
        reads: "what ping prints on Linux, macOS, the BSDs, BusyBox and Android",
        sniff: ping_text::sniff_unix,
        read: ping_text::read,
    },
    Format {
        id: csv::ID,
        title: "Table",
        reads: "CSV, TSV, semicolons or columns of figures, with or without a heading",
        sniff: csv::sniff,
        read: csv::read,
    },
];

pub fn formats() -> &'static [Format] {
    FORMATS
}

/// Text that no format owns to.
pub(crate) fn unknown(input: &Input<'_>) -> ImportError {
    let text = input.text().text.as_bytes();
    let mut start = 0;
    let mut line = 1;
    for part in input.head().split_inclusive(|b| *b == b'\n') {
        if !part.trim_ascii().is_empty() {
            break;
        }
        start += part.len();
        line += 1;
    }
    let what = match text[start.min(text.len())..].trim_ascii_start().first() {
        Some(b'{' | b'[') => "This looks like JSON, of a kind that is not read here.",
        Some(b'<') => "This looks like a web page or XML, of a kind that is not read here.",
        _ => "This is text, but neither the output of a known tool nor a table of delays.",
    };
    let error =
        ImportError::new(ErrorKind::Unknown, what).advise("open what a tool printed, or a table of delays");
    if start < text.len() && !clip(&text[start..]).is_empty() {
        error.at(place(text, line, start, None))
    } else {
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_plain() {
        for (i, f) in FORMATS.iter().enumerate() {
            assert!(f.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            assert!(FORMATS[..i].iter().all(|g| g.id != f.id));
            assert!(!f.title.is_empty() && !f.reads.ends_with('.'));
        }
    }
}

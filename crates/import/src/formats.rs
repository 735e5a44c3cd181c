//! The registry: every format that is read, in the order in which they are tried.

use crate::error::{ErrorKind, ImportError, clip, place, refuse_long_lines};
use crate::import::{Import, Options};
use crate::input::Input;
use crate::signs::{self, Signs};
use crate::{csv, ping_text};

/// A kind of file.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Stands in results and in `netspurt import --json`.
    pub id: &'static str,
    pub title: &'static str,
    /// Which files it is, and from which tools.
    pub reads: &'static str,
    pub(crate) signs: Signs,
    pub(crate) read: fn(&Input<'_>, &Options) -> Result<Import, ImportError>,
}

/// Tables come last: almost any file of numbers is one.
const FORMATS: &[Format] = &[
    Format {
        id: ping_text::WINDOWS,
        title: "Ping on Windows",
        reads: "what ping prints on Windows",
        signs: Signs::Test(ping_text::sniff_windows),
        read: ping_text::read_windows,
    },
    Format {
        id: ping_text::UNIX,
        title: "Ping",
        reads: "what ping prints on other systems",
        signs: Signs::Test(ping_text::sniff_unix),
        read: ping_text::read_unix,
    },
    Format {
        id: csv::ID,
        title: "Table",
        reads: "a table of delays",
        signs: Signs::Test(csv::sniff),
        read: csv::read,
    },
];

pub fn formats() -> &'static [Format] {
    FORMATS
}

/// The format of a file.
pub(crate) fn find(input: &Input<'_>) -> Result<&'static Format, ImportError> {
    FORMATS.iter().find(|f| f.signs.tell(input)).ok_or_else(|| unknown(input))
}

/// Text that no format owns to.
pub(crate) fn unknown(input: &Input<'_>) -> ImportError {
    let text = input.text().text.as_bytes();
    let content = text.trim_ascii_start();
    let what = if signs::is_json(content) {
        "This is JSON of a kind that is not known here.".to_owned()
    } else if content.first() == Some(&b'<') {
        "This is a web page or other XML of a kind that is not known here.".to_owned()
    } else if let Err(error) = refuse_long_lines(text) {
        return error;
    } else if let Some(error) = csv::heading_alone(text) {
        return error;
    } else {
        "This is text, but neither what a tool prints that is known here nor a table of delays.".to_owned()
    };
    let error = ImportError::new(ErrorKind::Unknown, what)
        .advise("write the delays into a CSV file, a row for each packet, and open that");
    let start = text.len() - content.len();
    let start = crate::text::line_start(text, start);
    if clip(&text[start..]).is_empty() {
        return error;
    }
    let line = text[..start].split(|b| *b == b'\n').count();
    error.at(place(text, line, start, None))
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

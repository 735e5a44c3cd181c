//! What a file holds: a trace, a notebook, or a link to one.
//!
//! Importers are large and files are long, so the page hands a file to a worker, which holds a
//! program of its own: [`read`] runs there, and its [`Content`] comes back as a message.

use crate::wire;
use netspurt_core::digest::sha256_hex;
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;
use netspurt_import::{BadRows, Decoder, ErrorKind, ImportError, Options};
use serde::{Deserialize, Serialize};

/// What a file turned out to hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Content {
    Trace {
        #[serde(with = "wire")]
        trace: Shared<Trace>,
        /// Of the file's octets, 64 digits in lower case.
        sha256: String,
    },
    /// The text of a notebook.
    Notebook(String),
    /// The part of a link from `#` on.
    Link(String),
    Failed(ImportError),
}

/// Reads a file's bytes. Its name is what the trace is called, and decides nothing. Encodings that
/// need large tables are left to `decoder`.
pub fn read(name: &str, bytes: &[u8], bad_rows: BadRows, decoder: Option<Decoder>) -> Content {
    let text = std::str::from_utf8(bytes).ok().filter(|t| !t.contains('\0'));
    if let Some(text) = text {
        if has_cell(text) {
            return Content::Notebook(text.to_owned());
        }
        if let Some(fragment) = link_in(text) {
            return Content::Link(fragment.to_owned());
        }
    }
    let options = Options { name: name.to_owned(), bad_rows, decoder, ..Options::default() };
    match netspurt_import::read(bytes, &options) {
        Ok(import) => Content::Trace { trace: Shared::new(import.trace), sha256: sha256_hex(bytes) },
        Err(error) => match text.filter(|t| t.trim_start().starts_with("# ")) {
            // What no importer knows and begins with a heading is a notebook without cells. Lines of
            // a log may begin so too, which is why importers are asked first.
            Some(text) if error.kind == ErrorKind::Unknown => Content::Notebook(text.to_owned()),
            _ => Content::Failed(error),
        },
    }
}

/// Whether a fence opens a cell somewhere in the text.
fn has_cell(text: &str) -> bool {
    text.lines().any(|l| {
        let word = l.trim_start().trim_start_matches(['`', '~']);
        l.trim_start().len() >= word.len() + 3 && word.trim_start().starts_with("netspurt ")
    })
}

/// The part of a link from `#` on, if the text is a link and nothing else.
fn link_in(text: &str) -> Option<&str> {
    let text = text.trim();
    let fragment = &text[text.find('#')?..];
    (!text.contains(char::is_whitespace) && is_link(fragment)).then_some(fragment)
}

/// Whether the part after `#` is meant as a link to a notebook, and not as a place on the page.
pub(crate) fn is_link(fragment: &str) -> bool {
    fragment.trim_start_matches('#').starts_with(|c: char| c.is_ascii_digit())
}

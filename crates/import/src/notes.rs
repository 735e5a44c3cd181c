//! What an importer noticed, kept short: a file of a million odd lines gives a hundred notes.

use netspurt_core::trace::Note;

use crate::error::clip;
use crate::number::plural;
use crate::text::{Encoding, Text};

const MOST: usize = 100;

#[derive(Debug, Default)]
pub(crate) struct Notes {
    list: Vec<Note>,
    dropped: usize,
}

impl Notes {
    pub(crate) fn push(&mut self, line: usize, text: impl Into<String>) {
        if self.list.len() < MOST {
            self.list.push(Note { line, text: text.into() });
        } else {
            self.dropped += 1;
        }
    }

    /// Says how the letters were read, where the file does not.
    pub(crate) fn encoding(&mut self, text: &Text<'_>) {
        match text.encoding {
            Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be => {}
            Encoding::Unknown => {
                self.push(0, "the encoding is not known: letters may be wrong, figures are not");
            }
            other => self.push(0, format!("letters taken as {}, by what they spell", other.label())),
        }
    }

    /// Quotes a line that was left out.
    pub(crate) fn quote(&mut self, number: usize, why: &str, line: &[u8]) {
        if self.list.len() < MOST {
            self.push(number, format!("{why}: “{}”", clip(line)));
        } else {
            self.dropped += 1;
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Note> {
        if self.dropped > 0 {
            let text = format!("{}, not shown", plural(self.dropped as u64, "more note"));
            self.list.push(Note { line: 0, text });
        }
        self.list
    }
}

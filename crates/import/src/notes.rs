//! What an importer noticed, kept short: a file of a million odd lines gives a hundred notes.

use netspurt_core::trace::Note;

use crate::error::clip;
use crate::number::plural;

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

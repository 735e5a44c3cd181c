//! The fence of a cell.
//!
//! ```text
//! opening = up to 3 spaces, 3 or more ` or ~, "netspurt" kind [id]
//! closing = up to 3 spaces, at least as many of the same letter
//! ```

use std::ops::Range;

/// An opening line, in bytes of the text it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Opening {
    /// `` ` `` or `~`, and how many.
    pub(crate) letter: u8,
    pub(crate) count: usize,
    /// The words after `netspurt`.
    pub(crate) words: Vec<Range<usize>>,
    /// The end of the word `netspurt`.
    pub(crate) after: usize,
}

/// Reads the line `line` of `text` as the opening of a cell.
pub(crate) fn opening(text: &str, line: Range<usize>) -> Option<Opening> {
    let (letter, fence) = run(text, &line)?;
    let info = text[fence.end..line.end].trim_end_matches(['\n', '\r']);
    // A backtick in the info string makes a code span of it.
    if letter == b'`' && info.contains('`') {
        return None;
    }
    let base = text.as_ptr() as usize;
    let mut words = info.split_whitespace().map(|w| {
        let start = w.as_ptr() as usize - base;
        start..start + w.len()
    });
    let first = words.next().filter(|w| &text[w.clone()] == "netspurt")?;
    Some(Opening { letter, count: fence.len(), words: words.collect(), after: first.end })
}

impl Opening {
    /// Whether a line closes what this opened.
    pub(crate) fn is_closed_by(&self, text: &str, line: Range<usize>) -> bool {
        run(text, &line).is_some_and(|(letter, fence)| {
            letter == self.letter && fence.len() >= self.count && text[fence.end..line.end].trim().is_empty()
        })
    }

    /// A line that closes what this opened.
    pub(crate) fn closing(&self) -> String {
        char::from(self.letter).to_string().repeat(self.count)
    }
}

/// The run of fence letters a line begins with.
fn run(text: &str, line: &Range<usize>) -> Option<(u8, Range<usize>)> {
    let bytes = text.as_bytes();
    let start = (line.start..line.end).find(|&i| bytes[i] != b' ')?;
    let letter = bytes[start];
    let end = (start..line.end).find(|&i| bytes[i] != letter).unwrap_or(line.end);
    let fits = start - line.start <= 3 && matches!(letter, b'`' | b'~') && end - start >= 3;
    fits.then_some((letter, start..end))
}

/// Whether a name can be a cell's id: letters, digits, `-` and `_`.
pub(crate) fn is_id(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

//! How a file is read, as a document remembers it.
//!
//! ```text
//! part=2 rows=lost sep=semicolon decimal=, line=3 heading delay=2:ms
//! ```
//!
//! `part` is the one of several things inside, `rows` what is done with rows of a table that cannot
//! be read (`lost` or `leave-out`), and the other words are a table's [`Reading`]. Nothing at all is
//! the usual way. The words stand behind the name of the file: `file/lab.csv#7c2a41d093be part=2`.

use netspurt_import::{BadRows, Choice, Decoder, Options, Reading};
use serde::{Deserialize, Serialize};
use std::fmt;

const PART: &str = "part=";
const ROWS: &str = "rows=";
const LOST: &str = "lost";
const LEAVE_OUT: &str = "leave-out";

/// The words, in the order of the alphabet: equal ways of reading are equal.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct How(String);

impl How {
    pub fn new(text: &str) -> Self {
        Self::of(text.split_whitespace().collect())
    }

    fn of(mut words: Vec<&str>) -> Self {
        words.sort_unstable();
        Self(words.join(" "))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_usual(&self) -> bool {
        self.0.is_empty()
    }

    /// The same, but of the part of this index.
    #[must_use]
    pub fn of_part(&self, index: usize) -> Self {
        let part = [PART, &Choice::One(index).to_string()].concat();
        self.with(PART, &part)
    }

    /// The same, but for rows that cannot be read.
    #[must_use]
    pub fn with_rows(&self, rows: BadRows) -> Self {
        match rows {
            BadRows::Ask => self.with(ROWS, ""),
            BadRows::Lost => self.with(ROWS, &[ROWS, LOST].concat()),
            BadRows::LeaveOut => self.with(ROWS, &[ROWS, LEAVE_OUT].concat()),
        }
    }

    /// The same, but a table is read so: the words of a [`Reading`], which name the column of delays.
    #[must_use]
    pub fn with_reading(&self, reading: &str) -> Self {
        let rows = self.0.split(' ').filter(|w| w.starts_with(ROWS));
        Self::of(rows.chain(reading.split_whitespace()).collect())
    }

    fn with(&self, begins: &str, word: &str) -> Self {
        let others = self.0.split(' ').filter(|w| !w.starts_with(begins));
        Self::of(others.chain([word]).filter(|w| !w.is_empty()).collect())
    }

    /// What an importer is asked. Fails with a sentence about the word that makes no sense.
    pub fn options(&self, name: &str, decoder: Option<Decoder>) -> Result<Options, String> {
        let mut options = Options { name: name.to_owned(), decoder, ..Options::default() };
        let mut reading = Vec::new();
        for word in self.0.split(' ').filter(|w| !w.is_empty()) {
            if let Some(part) = word.strip_prefix(PART) {
                options.choice = part.parse()?;
            } else if let Some(rows) = word.strip_prefix(ROWS) {
                options.bad_rows = match rows {
                    LOST => BadRows::Lost,
                    LEAVE_OUT => BadRows::LeaveOut,
                    _ => return Err(format!("“{word}”: write rows=lost or rows=leave-out")),
                };
            } else {
                reading.push(word);
            }
        }
        if !reading.is_empty() {
            options.reading = Some(reading.join(" ").parse::<Reading>()?);
        }
        Ok(options)
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_an_importer_is_asked() {
        let options = |text: &str| How::new(text).options("x", None);
        let o = options("part=2 rows=lost").unwrap();
        assert_eq!((o.choice, o.bad_rows, o.reading), (Choice::One(1), BadRows::Lost, None));
        let o = options("sep=semicolon  heading delay=2:us line=3").unwrap();
        assert_eq!(o.reading.unwrap().to_string(), "sep=semicolon decimal=. line=3 heading delay=2:us");
        for wrong in ["part=0", "rows=none", "colour=red", "delay=x"] {
            assert!(options(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_order_of_words_does_not_matter() {
        assert_eq!(How::new("part=2 heading"), How::new(" heading   part=2 "));
        assert!(How::new("  ").is_usual());
    }

    #[test]
    fn one_thing_is_changed_at_a_time() {
        let how = How::new("rows=lost").of_part(1);
        assert_eq!(how.as_str(), "part=2 rows=lost");
        assert_eq!(how.of_part(4).as_str(), "part=5 rows=lost");
        assert_eq!(how.with_rows(BadRows::Ask).as_str(), "part=2");
        assert_eq!(how.with_rows(BadRows::LeaveOut).as_str(), "part=2 rows=leave-out");
        let table = how.with_reading("sep=tab delay=3:ms");
        assert_eq!(table.as_str(), "delay=3:ms rows=lost sep=tab");
        assert_eq!(table.with_reading("sep=comma delay=1:s").as_str(), "delay=1:s rows=lost sep=comma");
    }
}

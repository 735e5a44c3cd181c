//! A reading as text, for a document to remember it by.
//!
//! ```text
//! sep=semicolon decimal=, line=3 heading delay=2:ms time=0:date octets=1 seq=4 loss=5 target=7 month-first
//! ```
//!
//! Columns count from 1 and carry their unit behind a colon; a unit that was guessed has a `?`.
//! What is not there is left out; words may come in any order.

use std::fmt;
use std::str::FromStr;

use super::{Column, Reading, Separator, Unit};

const SEPARATORS: [(&str, Separator); 5] = [
    ("tab", Separator::Tab),
    ("semicolon", Separator::Semicolon),
    ("comma", Separator::Comma),
    ("bar", Separator::Bar),
    ("blanks", Separator::Blanks),
];

const UNITS: [(&str, Unit); 6] = [
    ("s", Unit::Seconds),
    ("ms", Unit::Millis),
    ("us", Unit::Micros),
    ("ns", Unit::Nanos),
    ("days", Unit::Days),
    ("date", Unit::Calendar),
];

/// The word for a value of a table of words.
fn word<T: PartialEq + Copy>(table: &[(&'static str, T)], value: T) -> &'static str {
    table.iter().find(|(_, v)| *v == value).map_or("", |(w, _)| w)
}

fn value<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(w, _)| *w == word).map(|(_, v)| *v)
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.guessed { "?" } else { "" };
        write!(f, "{}:{}{mark}", self.index.saturating_add(1), word(&UNITS, self.unit))
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = word(&SEPARATORS, self.separator);
        write!(f, "sep={separator} decimal={} line={}", self.decimal, self.first_line)?;
        if self.heading {
            f.write_str(" heading")?;
        }
        write!(f, " delay={}", self.delay)?;
        if let Some(time) = self.time {
            write!(f, " time={time}")?;
        }
        let columns =
            [("octets", self.octets), ("seq", self.seq), ("loss", self.loss), ("target", self.target)];
        for (name, column) in columns {
            if let Some(index) = column {
                write!(f, " {name}={}", index.saturating_add(1))?;
            }
        }
        if self.month_first {
            f.write_str(" month-first")?;
        }
        Ok(())
    }
}

impl FromStr for Reading {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut reading = Self {
            separator: Separator::Comma,
            decimal: '.',
            first_line: 1,
            heading: false,
            month_first: false,
            delay: Column { index: 0, unit: Unit::Millis, guessed: true },
            time: None,
            octets: None,
            seq: None,
            loss: None,
            target: None,
        };
        for part in text.split_whitespace() {
            reading.set(part).ok_or_else(|| {
                format!("“{part}” does not tell how a table is read: write it as in sep=comma delay=2:ms")
            })?;
        }
        Ok(reading)
    }
}

impl Reading {
    fn set(&mut self, part: &str) -> Option<()> {
        let (name, text) = part.split_once('=').unwrap_or((part, ""));
        match name {
            "sep" => self.separator = value(&SEPARATORS, text)?,
            "decimal" => self.decimal = text.chars().next().filter(|c| matches!(c, '.' | ','))?,
            "line" => self.first_line = text.parse().ok().filter(|n| *n > 0)?,
            "heading" => self.heading = true,
            "month-first" => self.month_first = true,
            "delay" => self.delay = column(text)?,
            "time" => self.time = Some(column(text)?),
            "octets" => self.octets = Some(index(text)?),
            "seq" => self.seq = Some(index(text)?),
            "loss" => self.loss = Some(index(text)?),
            "target" => self.target = Some(index(text)?),
            _ => return None,
        }
        Some(())
    }
}

/// A column's number, from 1, as its index.
fn index(text: &str) -> Option<usize> {
    text.parse::<usize>().ok()?.checked_sub(1)
}

fn column(text: &str) -> Option<Column> {
    let (number, unit) = text.split_once(':')?;
    let (unit, guessed) = unit.strip_suffix('?').map_or((unit, false), |u| (u, true));
    Some(Column { index: index(number)?, unit: value(&UNITS, unit)?, guessed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) {
        let reading: Reading = text.parse().unwrap();
        assert_eq!(reading.to_string(), text);
    }

    #[test]
    fn what_is_printed_is_parsed() {
        check("sep=comma decimal=. line=1 delay=1:ms?");
        check(
            "sep=semicolon decimal=, line=3 heading delay=3:us time=1:date octets=2 seq=4 loss=5 target=7 month-first",
        );
        check("sep=blanks decimal=. line=1 heading delay=2:s time=1:ns?");
        let any_order: Reading = "heading delay=2:ms sep=tab".parse().unwrap();
        assert_eq!((any_order.separator, any_order.delay.index), (Separator::Tab, 1));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_an_example() {
        for wrong in ["sep=x", "delay=0:ms", "delay=1", "delay=1:km", "decimal=;", "line=0", "colour=red"] {
            let error = wrong.parse::<Reading>().unwrap_err();
            assert!(error.starts_with(&format!("“{wrong}” does not tell")), "{error}");
        }
    }
}

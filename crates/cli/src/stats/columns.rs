//! A file's columns of numbers, and which of them are meant.

use crate::failure::Failure;
use crate::{input, traces};
use netspurt_core::trace::{Clock, Trace};
use netspurt_import::Choice;
use netspurt_import::{Numbers, numbers};
use std::ffi::OsStr;

pub(super) struct Columns {
    /// What the file is called.
    pub(super) place: String,
    pub(super) names: Vec<String>,
    /// `None` where a row has no number.
    values: Vec<Vec<Option<f64>>>,
    /// What is summed up where nothing is asked for, and what it is fitted against.
    usual: Pair,
}

/// Columns by number from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) y: usize,
    pub(super) x: Option<usize>,
}

impl Columns {
    /// A list, a table, a data set, or any trace: its `t_s` (or `packet`), `octets` and
    /// `delay_ms`.
    pub(super) fn read(name: &OsStr) -> Result<Self, Failure> {
        if name.to_str().is_some_and(|n| n.starts_with("rfc889/")) {
            return Ok(Self::of_trace(&traces::read(name)?));
        }
        let file = input::read(name)?;
        let found = numbers(&file.bytes);
        let place = file.name.clone();
        // What a tool prints is a trace, though its lines hold numbers too.
        match traces::import(&file, Choice::default()) {
            Ok(import) if import.format != "csv" => Ok(Self::of_trace(&import.trace)),
            read => match (found, read) {
                (Ok(found), _) => Ok(Self::of_numbers(place, found)),
                (Err(_), Err(failure)) => Err(failure),
                (Err(e), Ok(_)) => Err(Failure::input(
                    e.what.trim_end_matches('.'),
                    place,
                    "write the numbers one a line, or as the columns of a CSV file",
                )),
            },
        }
    }

    fn of_numbers(place: String, found: Numbers) -> Self {
        // NIST gives y before x; elsewhere delays are looked at, or what is called y.
        let called_y = || found.names.iter().position(|n| n.eq_ignore_ascii_case("y"));
        let y = found.delay.filter(|_| !found.reference).or_else(called_y).unwrap_or(0);
        let x = match (found.columns.len(), y) {
            (2, 0) => Some(1),
            (2, 1) => Some(0),
            _ => None,
        };
        Self { place, names: found.names, values: found.columns, usual: Pair { y, x } }
    }

    fn of_trace(trace: &Trace) -> Self {
        let (time, unit) = match trace.clock {
            Clock::Elapsed => ("t_s", 1000.0),
            Clock::Index => ("packet", 1.0),
        };
        let of = |read: &dyn Fn(usize) -> Option<f64>| (0..trace.len()).map(read).collect::<Vec<_>>();
        let values = vec![
            of(&|i| Some(trace.sent()[i] / unit)),
            of(&|i| trace.octets(i).map(f64::from)),
            of(&|i| trace.outcomes()[i].is_timed().then(|| trace.delays()[i])),
        ];
        let names = [time, "octets", "delay_ms"].map(str::to_owned).to_vec();
        Self { place: trace.name.clone(), names, values, usual: Pair { y: 2, x: None } }
    }

    /// The columns that were asked for, else the usual ones.
    pub(super) fn pair(&self, asked: Option<&(String, String)>) -> Result<Pair, Failure> {
        let Some((y, x)) = asked else { return Ok(self.usual) };
        Ok(Pair { y: self.find(y)?, x: Some(self.find(x)?) })
    }

    fn find(&self, name: &str) -> Result<usize, Failure> {
        let named = self.names.iter().position(|n| n == name);
        let named = named.or_else(|| self.names.iter().position(|n| n.eq_ignore_ascii_case(name)));
        let number = || name.parse::<usize>().ok()?.checked_sub(1).filter(|i| *i < self.values.len());
        named.or_else(number).ok_or_else(|| {
            let there = format!("there are {}", self.names.join(", "));
            Failure::usage(format!("{} has no column {name}", self.place), "--regress", there)
        })
    }

    /// A column's name, its numbers, and how many rows have none there.
    pub(super) fn numbers(&self, column: usize) -> (String, Vec<f64>, usize) {
        let numbers: Vec<f64> = self.values[column].iter().copied().flatten().collect();
        let missing = self.values[column].len() - numbers.len();
        (self.names[column].clone(), numbers, missing)
    }

    /// The rows that have a number in both columns.
    pub(super) fn both(&self, x: usize, y: usize) -> (Vec<f64>, Vec<f64>) {
        self.values[x].iter().zip(&self.values[y]).filter_map(|(x, y)| Some(((*x)?, (*y)?))).unzip()
    }
}

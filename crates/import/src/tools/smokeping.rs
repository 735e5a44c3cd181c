//! `SmokePing`'s databases, as `rrdtool fetch` and `rrdtool dump` print them.
//!
//! ```text
//!                  uptime      loss    median     ping1     ping2 …
//! 1796034300: nan 0.0000000000e+00 1.2345e-02 1.1e-02 1.2e-02 …
//! <rrd><step>300</step><ds><name>loss</name>…</ds>…<rra><cf>AVERAGE</cf><pdp_per_row>1</pdp_per_row>…
//!   <database><!-- 2026-11-30 10:25:00 UTC / 1796034300 --><row><v>0</v><v>1.2e-02</v>…</row>
//! ```
//!
//! Delays are seconds, `nan` stands for nothing. Each row is a round of as many pings as there are
//! columns `ping…`; they stand sorted, those that were lost last. `loss` says how many were lost, in
//! a consolidated row perhaps a fraction. Of a dump the finest archive of averages is read. Any other
//! database is read as a series for each of its columns. Sources: `SmokePing`'s and rrdtool's
//! documentation.

use netspurt_core::number::decimal;
use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::{Gathering, reply};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::number::{integer, seconds_to_ms};
use crate::text::words;
use crate::xml;

pub(crate) const FETCH: &str = "rrdtool-fetch";
pub(crate) const DUMP: &str = "rrdtool-xml";

pub(crate) const SIGNS: &[&str] = &["@: ~", "@: nan", "@: -nan", "@: #.#e*"];

pub(crate) fn read_fetch(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut rows = Rows::new(FETCH);
    input.each_line(&mut |_, line| {
        let line = line.trim_ascii();
        let words = |s: &'_ [u8]| -> Vec<String> {
            let words = words(s);
            words.map(|w| String::from_utf8_lossy(w).into_owned()).collect()
        };
        match integer(line).filter(|(_, used)| line.get(*used) == Some(&b':')) {
            Some((seconds, used)) => {
                let values: Vec<f64> = words(&line[used + 1..]).iter().map(|w| number(w)).collect();
                rows.row(i64::try_from(seconds).ok(), &values);
            }
            None if rows.names.is_empty() && !line.is_empty() => rows.names = words(line),
            None => {}
        }
    })?;
    rows.import(options)
}

pub(crate) fn read_dump(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut rows = Rows::new(DUMP);
    let (mut in_source, mut average, mut finest) = (false, false, false);
    let mut values: Vec<f64> = Vec::new();
    let mut comment: &[u8] = &[];
    for tag in xml::tags(input.text().text.as_bytes()) {
        match (tag.name, tag.closes) {
            (b"ds", closes) => in_source = !closes,
            (b"name", false) if in_source && !rows.started => rows.names.push(xml::plain(tag.text)),
            (b"rra", false) => {
                in_source = false;
                // One archive is enough: the others are coarser.
                if rows.started {
                    break;
                }
            }
            (b"cf", false) => average = tag.text == b"AVERAGE",
            (b"pdp_per_row", false) => finest = tag.text == b"1",
            (b"row", false) => {
                values.clear();
                comment = tag.comment;
            }
            (b"v", false) => values.push(number(&String::from_utf8_lossy(tag.text))),
            (b"row", true) if average && finest => {
                let seconds = comment.rsplit(|b| *b == b'/').next().map(<[u8]>::trim_ascii);
                let seconds = seconds.and_then(integer).and_then(|(n, _)| i64::try_from(n).ok());
                rows.row(seconds, &values);
                rows.started = true;
            }
            _ => {}
        }
    }
    rows.import(options)
}

/// NaN for what is no number.
fn number(word: &str) -> f64 {
    decimal(word).unwrap_or(f64::NAN)
}

struct Rows {
    g: Gathering,
    /// The names of the columns.
    names: Vec<String>,
    started: bool,
}

impl Rows {
    fn new(format: &'static str) -> Self {
        let mut g = Gathering::new(format);
        g.dated = true;
        Self { g, names: Vec::new(), started: false }
    }

    fn is_ping(&self, i: usize) -> bool {
        let name = self.names.get(i).map_or("", String::as_str);
        name.strip_prefix("ping").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    }

    fn row(&mut self, seconds: Option<i64>, values: &[f64]) {
        let at = seconds.and_then(|s| s.checked_mul(1_000_000_000));
        let pings: Vec<f64> = (0..values.len()).filter(|i| self.is_ping(*i)).map(|i| values[i]).collect();
        if pings.is_empty() {
            return self.columns(at, values);
        }
        let column = self.names.iter().position(|n| n == "loss").and_then(|i| values.get(i)).copied();
        let answered = pings.iter().filter(|v| v.is_finite()).count();
        let lost = column.filter(|v| v.is_finite()).map(|v| v.round().max(0.0) as usize);
        // A row of which nothing is known was not measured.
        if answered == 0 && lost.is_none() {
            return;
        }
        let part = self.g.part("", PartKind::Run);
        for seconds in pings.iter().filter(|v| v.is_finite()) {
            self.g.push(part, at, None, reply(seconds_to_ms(*seconds)).unwrap_or(Fate::Untimed));
        }
        let lost = lost.unwrap_or(pings.len() - answered).min(pings.len() - answered);
        (0..lost).for_each(|_| self.g.push(part, at, None, Fate::Lost));
    }

    /// A database of something else: each column is a series.
    fn columns(&mut self, at: Option<i64>, values: &[f64]) {
        for (i, value) in values.iter().enumerate() {
            let name = self.names.get(i).cloned().unwrap_or_else(|| format!("column {}", i + 1));
            if matches!(&name[..], "loss" | "uptime") {
                continue;
            }
            let part = self.g.part(&name, PartKind::Series);
            self.g.parts[part].usual = false;
            if value.is_finite() {
                self.g.push_ms(part, at, None, seconds_to_ms(*value));
            }
        }
    }

    fn import(mut self, options: &Options) -> Result<Import, ImportError> {
        let named = self.g.parts.iter().position(|p| p.name == "median");
        let first = named.or_else(|| self.g.parts.iter().position(|p| p.len() > 0));
        if let Some(part) = first.map(|i| &mut self.g.parts[i])
            && part.kind == PartKind::Series
        {
            part.usual = true;
            self.g.notes.push(0, "values taken as seconds, as SmokePing keeps them");
        }
        self.g.import(options)
    }
}

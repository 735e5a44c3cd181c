//! What fping prints: as it measures, at its end, and as JSON.
//!
//! ```text
//! 192.0.2.1  : [0], 64 bytes, 39.8 ms (39.8 avg, 0% loss)       -c, -C, -l; with -D behind [seconds]
//! 192.0.2.17 : [0], timed out (NaN avg, 100% loss)
//! 192.0.2.11 : duplicate for [1], 64 bytes, 14.5 ms
//! 192.0.2.1  : 37.9 13.2 - 13.3                                 -C: all delays of a target
//! 192.0.2.1  : xmt/rcv/%loss = 20/20/0%, min/avg/max = 12.7/15.5/39.8
//! 192.0.2.1 is alive (5.12 ms)                                  -e
//! ```
//!
//! Times are ms; numbers count from 0, for each target. Lengths are those of the ICMP packet. In
//! JSON (fping 5.5) each line is an object of one of `resp`, `timeout`, `vSum`, `summary`, `intSum`.
//! Source: fping's code and its `doc/fping-json.md`.

use netspurt_core::number::decimal;
use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::{Gathering, fate, reply};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::json::Value;
use crate::lines::content;
use crate::number::{integer, leading, three};
use crate::printed::Printed;
use crate::text::{behind, find, first_word, past, words};
use crate::when::Stamps;

pub(crate) const TEXT: &str = "fping-text";
pub(crate) const JSON: &str = "fping-json";

pub(crate) const SIGNS: &[&str] = &[
    "*: [#], # bytes, *ms (*% loss)*",
    "*: [#], # bytes, *ms (*% return)*",
    "*: [#], timed out (*%*",
    "* : duplicate for [#], # bytes, *ms*",
    "* : xmt/rcv/%loss = #/#/#%*",
    "* : xmt/rcv/%return = #/#/#%*",
    "$ is alive",
    "$ is alive (* ms)",
    "$ is unreachable",
    "$ ($) is alive*",
    "* : ~",
];

/// What is read of a target beside its probes.
#[derive(Debug, Default, Clone)]
struct Target {
    /// The list at the end: only where the probes were not shown as they came.
    list: Vec<Option<f64>>,
    /// Sums of the summaries of intervals (`-Q`).
    printed: Option<Printed>,
}

struct Reader {
    g: Gathering,
    targets: Vec<Target>,
    /// Second answers, by the name of their target: targets stand in the order of their first ones.
    duplicates: Vec<(String, u64)>,
    stamps: Stamps,
}

pub(crate) fn read_text(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut reader = Reader::new(TEXT);
    reader.g.notes.encoding(input.text());
    input.each_line(&mut |number, line| {
        let (when, content) = content(line);
        let stamp = when.and_then(|w| reader.stamps.add(w));
        if reader.line(content, stamp).is_none() && !content.is_empty() {
            let why = if content.starts_with(b"fping: ") { "fping reported" } else { "not read" };
            reader.g.notes.quote(number, why, content);
        }
    })?;
    reader.finish(options)
}

pub(crate) fn read_json(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut reader = Reader::new(JSON);
    input.each_document(&mut |document| {
        for (kind, value) in document.members().filter(|(_, v)| v.whole) {
            reader.object(kind, value);
        }
        Ok(())
    })?;
    reader.finish(options)
}

impl Reader {
    fn new(format: &'static str) -> Self {
        let mut g = Gathering::new(format);
        g.by_part = true;
        Self { g, targets: Vec::new(), duplicates: Vec::new(), stamps: Stamps::default() }
    }

    fn target(&mut self, name: &[u8]) -> usize {
        let part = self.g.part(&String::from_utf8_lossy(name), PartKind::Target);
        self.targets.resize(self.g.parts.len(), Target::default());
        part
    }

    fn duplicate(&mut self, name: &str) {
        match self.duplicates.iter().position(|(n, _)| n == name) {
            Some(i) => self.duplicates[i].1 += 1,
            None if self.duplicates.len() < 1000 => self.duplicates.push((name.to_owned(), 1)),
            None => {}
        }
    }

    /// `None`: not understood.
    fn line(&mut self, line: &[u8], stamp: Option<i64>) -> Option<()> {
        if let Some(at) = find(line, b" is alive") {
            let ms = behind(&line[at..], "(").and_then(leading).map(|(ms, _)| ms);
            let part = self.target(&line[..at]);
            self.g.push(part, stamp, None, ms.and_then(reply).unwrap_or(Fate::Untimed));
            return Some(());
        }
        if let Some(name) = line.strip_suffix(b" is unreachable") {
            let part = self.target(name);
            self.g.push(part, stamp, None, Fate::Lost);
            return Some(());
        }
        // An address may have colons of its own.
        let at = find(line, b" : ").or_else(|| find(line, b": ["))?;
        let name = line[..at].trim_ascii();
        let rest = line[at..].trim_ascii_start().strip_prefix(b":")?.trim_ascii();
        if let Some(rest) = past(rest, "[") {
            return self.probe(name, rest, stamp);
        }
        if rest.starts_with(b"duplicate for [") {
            self.duplicate(&String::from_utf8_lossy(name));
            return Some(());
        }
        if let Some(rest) = past(rest, "xmt/rcv/%") {
            return self.summary(name, rest);
        }
        self.list(name, rest)
    }

    /// `0], 64 bytes, 39.8 ms (39.8 avg, 0% loss)`
    fn probe(&mut self, name: &[u8], rest: &[u8], stamp: Option<i64>) -> Option<()> {
        let (seq, used) = integer(rest)?;
        let rest = past(&rest[used..], "], ")?;
        let part = self.target(name);
        if rest.starts_with(b"timed out") {
            self.g.numbered(part, seq, None, None, None);
            return Some(());
        }
        let (octets, used) = integer(rest)?;
        let rest = past(&rest[used..], " bytes, ")?;
        let (ms, _) = leading(rest)?;
        // fping prints "1.23e+06" for more than a thousand seconds.
        let word = first_word(rest);
        let ms = std::str::from_utf8(word).ok().and_then(decimal).unwrap_or(ms);
        let sent = stamp.map(|t| t.saturating_sub((ms * 1e6) as i64));
        let fate = reply(ms).unwrap_or(Fate::Untimed);
        self.g.numbered(part, seq, sent, u32::try_from(octets).ok(), Some(fate));
        Some(())
    }

    /// `loss = 20/20/0%, min/avg/max = 12.7/15.5/39.8`
    fn summary(&mut self, name: &[u8], rest: &[u8]) -> Option<()> {
        let rest = behind(rest, "= ")?;
        let (sent, used) = integer(rest)?;
        let rest = past(&rest[used..], "/")?;
        let (received, _) = integer(rest)?;
        let times = behind(rest, "min/avg/max = ").and_then(three);
        let times = times.map(|(values, _)| values);
        self.add_summary(name, sent, received, times);
        Some(())
    }

    fn add_summary(&mut self, name: &[u8], sent: u64, received: u64, times: Option<[f64; 3]>) {
        let part = self.target(name);
        let (sent, received) = (sent.min(1 << 50), received.min(1 << 50));
        let p = self.targets[part].printed.get_or_insert_default();
        let before = p.received.unwrap_or(0);
        if let Some([min, mean, max]) = times {
            let all = (before + received).max(1) as f64;
            let sum = p.mean_ms.unwrap_or(0.0) * before as f64 + mean * received as f64;
            p.min_ms = Some(p.min_ms.map_or(min, |m| m.min(min)));
            p.mean_ms = Some(if before == 0 { mean } else { sum / all });
            p.max_ms = Some(p.max_ms.map_or(max, |m| m.max(max)));
        }
        p.sent = Some(p.sent.unwrap_or(0) + sent);
        p.received = Some(before + received);
    }

    /// `37.9 13.2 - 13.3`
    fn list(&mut self, name: &[u8], rest: &[u8]) -> Option<()> {
        let mut list = Vec::new();
        for word in words(rest) {
            list.push(if word == b"-" { None } else { Some(decimal(std::str::from_utf8(word).ok()?)?) });
        }
        let part = self.target(name);
        self.targets[part].list.extend(list);
        Some(())
    }

    fn object(&mut self, kind: &[u8], value: Value<'_>) {
        let host = value.shown("host");
        if host.is_empty() {
            return;
        }
        if !matches!(kind, b"resp" | b"timeout" | b"vSum" | b"summary" | b"intSum") {
            if matches!(kind, b"duplicate" | b"dup") {
                self.duplicate(&host);
            }
            return;
        }
        let part = self.target(host.as_bytes());
        match kind {
            b"resp" => {
                let stamp = crate::when::of_any_form(value.shown("timestamp").as_bytes());
                let stamp = stamp.and_then(|w| self.stamps.add(w));
                let fate = value.num("rtt").and_then(reply).unwrap_or(Fate::Untimed);
                let delay = value.num("rtt").map_or(0, |ms| (ms * 1e6) as i64);
                let octets = value.length("size");
                let sent = stamp.map(|t| t.saturating_sub(delay));
                let seq = value.uint("seq").unwrap_or(self.g.parts[part].len() as u64);
                self.g.numbered(part, seq, sent, octets, Some(fate));
            }
            b"timeout" => {
                let seq = value.uint("seq").unwrap_or(self.g.parts[part].len() as u64);
                self.g.numbered(part, seq, None, None, None);
            }
            b"vSum" => {
                let values = value.list("values");
                self.targets[part].list.extend(values.map(Value::number));
            }
            _ => {
                let times = value.num("rttMin").zip(value.num("rttAvg")).zip(value.num("rttMax"));
                let times = times.map(|((min, mean), max)| [min, mean, max]);
                let (sent, received) = (value.uint("xmt").unwrap_or(0), value.uint("rcv").unwrap_or(0));
                self.add_summary(host.as_bytes(), sent, received, times);
            }
        }
    }

    fn finish(mut self, options: &Options) -> Result<Import, ImportError> {
        for (part, target) in self.targets.into_iter().enumerate() {
            // The list at the end may know of more than was shown as it came.
            let shown = self.g.parts[part].len();
            for ms in target.list.into_iter().skip(shown) {
                self.g.push(part, None, None, fate(ms));
            }
            // What the summary knows of and no line shows.
            if self.g.parts[part].len() > 0 {
                self.g.fill_to(part, target.printed.as_ref().and_then(|p| p.sent).unwrap_or(0), None);
            }
            let part = &mut self.g.parts[part];
            let again = self.duplicates.iter().find(|(name, _)| *name == part.name);
            part.duplicates += again.map_or(0, |(_, n)| *n);
            part.printed = target.printed;
        }
        self.g.dated = self.stamps.dated();
        self.g.import(options)
    }
}

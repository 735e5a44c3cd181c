//! Reports of mtr: text, CSV, JSON, XML, and its raw format.
//!
//! ```text
//! HOST: vm            Loss%   Snt   Last   Avg  Best  Wrst StDev        -r, -w, -z
//!   1.|-- 192.0.2.254  0.0%    15    1.9   3.8   1.6  15.8   3.6
//! |              192.0.2.254 -    0 |   15 |   15 |    1 |    3 |   15 |    1 |     WinMTR
//! Mtr_Version,Start_Time,Status,Host,Hop,Ip,Loss%,Snt, ,Last,Avg,…       -C; ";" before 0.93
//! {"report":{"mtr":{…}, "hubs":[{"count":1, "host":…, "Loss%":0.0, "Snt":15, …}]}}
//! <MTR …><HUB COUNT="1" HOST="192.0.2.254"><Loss>0.0%</Loss><Snt>15</Snt>…
//! x 0 33000 / h 0 192.0.2.254 / p 0 1862 33000                           -l: sent, host, reply in µs
//! ```
//!
//! Times are ms, in the raw format µs. All but that have only aggregates of each hop; `Drop` has no
//! name in CSV. A hop that never replied is `???` with times of 0, which are none. Source: mtr's code
//! and its file `FORMATS`.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::Gathering;
use crate::hops::{self, Hop};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::number::{integer, leading, short};
use crate::printed::Figure;
use crate::signs::is_like;
use crate::text::{fields, past, words};
use crate::xml;

pub(crate) const REPORT: &str = "mtr-text";
pub(crate) const CSV: &str = "mtr-csv";
pub(crate) const JSON: &str = "mtr-json";
pub(crate) const XML: &str = "mtr-xml";
pub(crate) const RAW: &str = "mtr-raw";

/// The heading of a report, and of what mtr shows on a screen.
const HEADINGS: &[&str] = &["HOST: *", "Host *Loss% *"];

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Hop,
    Host,
    Of(Figure),
    Other,
}

fn field(name: &[u8]) -> Field {
    match name.trim_ascii() {
        b"Hop" => Field::Hop,
        b"Ip" | b"IPs" | b"Host" => Field::Host,
        b"Loss%" | b"Loss" => Field::Of(Figure::LossPct),
        b"Snt" => Field::Of(Figure::Sent),
        b"Rcv" | b"Recv" => Field::Of(Figure::Received),
        b"" | b"Drop" => Field::Of(Figure::Lost),
        b"Last" => Field::Of(Figure::Last),
        b"Best" => Field::Of(Figure::Min),
        b"Avg" => Field::Of(Figure::Mean),
        b"Wrst" | b"Worst" => Field::Of(Figure::Max),
        b"StDev" | b"StdDev" => Field::Of(Figure::Deviation),
        _ => Field::Other,
    }
}

/// Writes a value down where it belongs.
fn set(hop: &mut Hop, field: Field, value: &[u8]) {
    match field {
        Field::Hop => hop.position = short(value).unwrap_or(0),
        Field::Host => hop.host = String::from_utf8_lossy(value).into_owned(),
        Field::Of(figure) => {
            if let Some((value, _)) = leading(value).filter(|(v, _)| *v >= 0.0) {
                hop.printed.set(figure, value);
            }
        }
        Field::Other => {}
    }
}

/// What was received follows from what was dropped.
fn settle(mut hop: Hop) -> Hop {
    let p = &mut hop.printed;
    p.received = p.received.or(p.sent.zip(p.lost).map(|(sent, lost)| sent.saturating_sub(lost)));
    hop
}

pub(crate) fn read_report(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(REPORT);
    let mut fields: Vec<Field> = Vec::new();
    let mut path: Vec<Hop> = Vec::new();
    input.each_line(&mut |number, line| {
        let line = line.trim_ascii();
        if is_like(line, HEADINGS) {
            hops::add(&mut g, std::mem::take(&mut path));
            let words = words(line).skip(1);
            fields = words.map(field).skip_while(|f| *f == Field::Other).collect();
        } else if let Some((position, rest)) = hop_line(line) {
            let words: Vec<&[u8]> = words(rest).collect();
            let values = words.len().saturating_sub(fields.len());
            let mut hop = Hop { position, ..Hop::default() };
            // The host is the last word before the numbers, its address behind it in brackets; an AS
            // number may stand before it.
            let host = match words[..values] {
                [.., name, address] if address.starts_with(b"(") => name,
                [.., name] => name,
                [] => b"",
            };
            set(&mut hop, Field::Host, host);
            fields.iter().zip(&words[values..]).for_each(|(f, word)| set(&mut hop, *f, word));
            path.push(settle(hop));
        } else if let Some(mut hop) = of_winmtr(line) {
            hop.position = u32::try_from(path.len() + 1).unwrap_or(u32::MAX);
            path.push(hop);
        } else if !line.is_empty()
            && !line.starts_with(b"|")
            && !line.starts_with(b"Start:")
            && !line.starts_with(b"WinMTR ")
        {
            g.notes.quote(number, "not read", line);
        }
    })?;
    hops::add(&mut g, path);
    g.import(options)
}

/// `| host - loss | sent | received | best | average | worst | last |`
fn of_winmtr(line: &[u8]) -> Option<Hop> {
    const FIGURES: [Figure; 6] =
        [Figure::Sent, Figure::Received, Figure::Min, Figure::Mean, Figure::Max, Figure::Last];
    let mut columns = fields(line.strip_prefix(b"|")?.strip_suffix(b"|")?, b'|');
    let first = columns.next()?;
    let dash = first.iter().rposition(|b| *b == b'-')?;
    let mut hop = Hop::default();
    set(&mut hop, Field::Of(Figure::LossPct), first[dash + 1..].trim_ascii());
    // "No response from host" is no one's name.
    let host = first[..dash].trim_ascii();
    set(&mut hop, Field::Host, if host.contains(&b' ') { b"" } else { host });
    for figure in FIGURES {
        let value = columns.next()?;
        integer(value)?;
        set(&mut hop, Field::Of(figure), value);
    }
    Some(hop)
}

/// `1.|-- host …`, `1. AS1234 host …`
fn hop_line(line: &[u8]) -> Option<(u32, &[u8])> {
    let (n, used) = integer(line)?;
    let rest = line[used..].strip_prefix(b".")?;
    let rest = past(rest, "|--").unwrap_or(rest);
    Some((u32::try_from(n).ok()?, rest))
}

pub(crate) fn read_csv(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    read_table(input, options, CSV)
}

/// A report as a table, a row a hop.
pub(crate) fn read_table(
    input: &Input<'_>,
    options: &Options,
    format: &'static str,
) -> Result<Import, ImportError> {
    let mut g = Gathering::new(format);
    let mut names: Vec<Field> = Vec::new();
    let mut path: Vec<Hop> = Vec::new();
    input.each_line(&mut |_, line| {
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        let mark = if line.contains(&b';') { b';' } else { b',' };
        let values = || fields(line, mark);
        if line.starts_with(b"Mtr_Version") || line.starts_with(b"Target,") {
            names = values().map(field).collect();
            // The target is not the hop's host.
            if let Some(i) = names.iter().position(|f| *f == Field::Host)
                && names[i + 1..].contains(&Field::Host)
            {
                names[i] = Field::Other;
            }
            return;
        }
        let mut hop = Hop::default();
        if names.is_empty() {
            // Without a heading, as before 0.92: one probe a hop, in µs.
            let values: Vec<&[u8]> = values().collect();
            let [_, _, _, _, position, host, us, ..] = values[..] else { return };
            set(&mut hop, Field::Hop, position);
            set(&mut hop, Field::Host, host);
            hop.fates = vec![match leading(us) {
                Some((us, _)) if us > 0.0 => Fate::Reply(us / 1000.0),
                _ => Fate::Lost,
            }];
        } else {
            names.iter().zip(values()).for_each(|(f, value)| set(&mut hop, *f, value));
        }
        // Reports that were appended to each other.
        if path.last().is_some_and(|last| hop.position <= last.position) {
            hops::add(&mut g, std::mem::take(&mut path));
        }
        path.push(settle(hop));
    })?;
    hops::add(&mut g, path);
    g.import(options)
}

pub(crate) fn read_json(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(JSON);
    input.each_document(&mut |document| {
        let report = document.get("report").or(document);
        let mut path = Vec::new();
        for hub in report.list("hubs").filter(|h| h.whole) {
            let mut hop = Hop::default();
            for (key, value) in hub.members() {
                match key {
                    b"count" => set(&mut hop, Field::Hop, value.word().as_bytes()),
                    b"host" => hop.host = value.word(),
                    _ => set(&mut hop, field(key), value.word().as_bytes()),
                }
            }
            path.push(settle(hop));
        }
        hops::add(&mut g, path);
        Ok(())
    })?;
    g.import(options)
}

pub(crate) fn read_xml(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(XML);
    let mut path: Vec<Hop> = Vec::new();
    for tag in xml::tags(input.text().text.as_bytes()).filter(|t| !t.closes) {
        if tag.opens("MTR") {
            hops::add(&mut g, std::mem::take(&mut path));
        } else if tag.opens("HUB") {
            let mut hop = Hop::default();
            set(&mut hop, Field::Hop, tag.attribute("COUNT").unwrap_or_default());
            hop.host = xml::plain(tag.attribute("HOST").unwrap_or_default());
            path.push(hop);
        } else if let Some(hop) = path.last_mut() {
            set(hop, field(tag.name), tag.text);
        }
    }
    hops::add(&mut g, path.into_iter().map(settle).collect());
    g.import(options)
}

pub(crate) fn read_raw(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(RAW);
    // Probes by hop, and the numbers of those under way.
    let mut numbers: Vec<Vec<u64>> = Vec::new();
    input.each_line(&mut |_, line| {
        let mut words = words(line);
        let (Some(kind), Some(at)) = (words.next(), words.next().and_then(integer)) else { return };
        let Some(at) = usize::try_from(at.0).ok().filter(|n| *n < 256) else { return };
        while g.parts.len() <= at {
            let position = u32::try_from(g.parts.len()).unwrap_or(0) + 1;
            g.add("???", PartKind::Hop).position = Some(position);
            numbers.push(Vec::new());
        }
        let value = words.next().unwrap_or_default();
        let number = |word: Option<&[u8]>| word.and_then(integer).map(|(n, _)| n);
        match kind {
            b"h" => g.parts[at].name = String::from_utf8_lossy(value).into_owned(),
            b"x" => {
                numbers[at].push(number(Some(value)).unwrap_or(u64::MAX));
                g.push(at, None, None, Fate::Lost);
            }
            b"p" => {
                let Some((us, _)) = leading(value) else { return };
                let seq = number(words.next());
                let sent = numbers[at].iter().rposition(|n| seq.is_none_or(|s| *n == s));
                let rank = g.next_rank();
                let fate = Fate::Reply(us.max(0.0) / 1000.0);
                match sent.map(|i| (i, g.parts[at].fate(i))) {
                    Some((i, Some(Fate::Lost))) => g.parts[at].settle(i, fate, rank),
                    Some(_) => g.parts[at].duplicates += 1,
                    // Older versions do not say what they send.
                    None => {
                        numbers[at].push(seq.unwrap_or(u64::MAX));
                        g.push(at, None, None, fate);
                    }
                }
            }
            _ => {}
        }
    })?;
    let replied = |p: &crate::gather::Gathered| (0..p.len()).any(|i| p.fate(i) != Some(Fate::Lost));
    let last = g.parts.iter().rposition(replied);
    let destination = last.map(|last| {
        let name = &g.parts[last].name;
        let beyond = g.parts[..last].iter().rev().take_while(|p| p.name == *name && replied(p)).count();
        last - beyond
    });
    // Probes sent beyond the destination tell nothing of the path.
    g.parts.truncate(destination.map_or(g.parts.len(), |d| d + 1));
    for (i, part) in g.parts.iter_mut().enumerate() {
        part.usual = destination == Some(i);
    }
    g.import(options)
}

/// A row of a raw report: a letter, a hop, a number or a host.
pub(crate) const RAW_SIGNS: &[&str] = &["h # #.#.#.#", "h # *:*:*", "x # #", "p # # #"];

//! What traceroute prints on any system: tracert, tracepath, routers, and scamper's text.
//!
//! ```text
//! traceroute to a.example (192.0.2.10), 30 hops max, 60 byte packets
//!  1  198.51.100.1 (198.51.100.1)  4.024 ms  3.683 ms  3.706 ms
//!  2  * * *
//!  3  203.0.113.5  33.170 ms  26.593 ms 203.0.113.9  32.851 ms !X
//!   1    <1 ms     1 ms     1 ms  198.51.100.1                       Windows, in any language
//!   2  10.0.0.18 351 msec *  8 msec                                  Cisco
//!  1:  a.example                                         4.063ms     tracepath
//! ```
//!
//! A line is a hop: its number, then names and times in any order. Times are ms, with their unit
//! behind them; `*` and `no reply` are probes without an answer. What follows a time with `!` is how
//! the answer refused; it is an answer. Sources: the tools' manuals, and outputs in jc and
//! genieparser.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::{Gathering, reply};
use crate::hops::{self, Hop};
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::{address, content, is_address};
use crate::number::{integer, leading, short};
use crate::printed::Printed;
use crate::signs::is_like;
use crate::text::{behind, find, past, words};

pub(crate) const ID: &str = "traceroute-text";

const HEADINGS: &[&str] = &[
    "traceroute to *",
    "traceroute6 to *",
    "traceroute from * to *",
    "Tracing route to *",
    "Tracing the route to *",
    "trace to *",
    "#?: [LOCALHOST]*",
];

/// Whether a line tells that its file is a path: a heading, or a hop that has an address and a time.
pub(crate) fn is_path(line: &[u8]) -> bool {
    let timed = |f: &Fate| *f != Fate::Lost;
    // Where names stand first, the address stands behind them.
    let answered = |hop: Hop| {
        let named = || !hop.host.is_empty() && hop.fates.len() > 1 && address(line).is_some();
        hop.fates.iter().any(timed) && (is_address(hop.host.as_bytes()) || named())
    };
    is_like(line, HEADINGS) || hop(line).is_some_and(answered)
}

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    g.notes.encoding(input.text());
    let mut path: Vec<Hop> = Vec::new();
    let mut octets = None;
    let mut complained = None;
    input.each_line(&mut |number, raw| {
        let line = content(raw).1;
        if is_like(line, HEADINGS) {
            hops::add(&mut g, std::mem::take(&mut path));
            octets = packet_size(line);
        }
        if let Some(hop) = counted(line) {
            // The path as it was found stands before, without any probes.
            path.push(hop);
            return;
        }
        let Some(mut next) = hop(line).or_else(|| continued(raw, line, &path)) else {
            if line.starts_with(b"traceroute") && line.contains(&b':') {
                complained.get_or_insert((number, line));
            }
            return;
        };
        next.octets = octets;
        // tracepath writes a line for each answer, and late ones behind those of other hops; a
        // second run begins with the first hop again.
        let again = next.position == 1 && path.len() > 1;
        if let Some(hop) = path.iter_mut().find(|h| h.position == next.position && !again) {
            hop.fates.extend(next.fates);
            if hop.host.is_empty() {
                hop.host = next.host;
            }
        } else {
            if again {
                hops::add(&mut g, std::mem::take(&mut path));
            }
            path.push(next);
        }
    })?;
    hops::add(&mut g, path);
    if let Some((number, line)) = complained {
        g.notes.quote(number, "traceroute reported", line);
    }
    g.import(options)
}

/// `…, 60 byte packets`
fn packet_size(line: &[u8]) -> Option<u32> {
    let at = crate::text::find(line, b" byte")?;
    let digits = line[..at].iter().rev().take_while(|b| b.is_ascii_digit()).count();
    short(&line[at - digits..at])
}

/// A line that begins with the number of a hop, and has at least one probe.
fn hop(line: &[u8]) -> Option<Hop> {
    // Cisco's MPLS traces have a letter before it.
    let line = match line {
        [mark, b' ', rest @ ..] if mark.is_ascii_uppercase() || *mark == b'!' => rest,
        _ => line,
    };
    let (n, used) = integer(line)?;
    let position = u32::try_from(n).ok().filter(|n| (1..256).contains(n))?;
    let rest = &line[used..];
    let rest = match rest.first()? {
        b':' => &rest[1..],
        b' ' | b'\t' => rest,
        _ => return None,
    };
    let (host, fates) = probes(rest);
    (!fates.is_empty()).then_some(Hop { position, host, fates, ..Hop::default() })
}

/// Of pathping: `  2   12ms     3/ 100 =  3%     0/ 100 =  0%  192.0.2.10`, all the way to this hop.
fn counted(line: &[u8]) -> Option<Hop> {
    let (n, used) = integer(line)?;
    let slash = find(line, b"/ ")?;
    let mut before = words(&line[used..slash]);
    let mean_ms = leading(before.next()?).map(|(ms, _)| ms);
    let lost = integer(before.next()?)?.0;
    let sent = integer(line[slash + 1..].trim_ascii_start())?.0;
    let host = words(behind(behind(line, "%")?, "%")?).next()?;
    let printed =
        Printed { sent: Some(sent), received: sent.checked_sub(lost), mean_ms, ..Printed::default() };
    let host = String::from_utf8_lossy(host).into_owned();
    Some(Hop { position: u32::try_from(n).ok()?, host, printed, ..Hop::default() })
}

/// A line that goes on with the hop before it.
fn continued(raw: &[u8], line: &[u8], path: &[Hop]) -> Option<Hop> {
    let position = path.last()?.position;
    if !raw.first()?.is_ascii_whitespace() && line != b"*" {
        return None;
    }
    let (host, fates) = probes(line);
    (!fates.is_empty()).then_some(Hop { position, host, fates, ..Hop::default() })
}

/// The first name or address, and the outcome of each probe.
fn probes(rest: &[u8]) -> (String, Vec<Fate>) {
    let mut host: &[u8] = &[];
    let mut fates = Vec::new();
    let mut brackets = 0_usize;
    // A number waits for its unit.
    let mut waiting: Option<(f64, bool)> = None;
    let mut last: &[u8] = &[];
    for word in words(rest) {
        let was = brackets;
        brackets = (brackets + count(word, b"[(")).saturating_sub(count(word, b"])"));
        if was > 0 || matches!(word[0], b'[' | b'(') {
            // Windows writes the address in brackets, others the system or labels.
            let inner = word.trim_ascii_start().strip_prefix(b"[").and_then(|w| w.strip_suffix(b"]"));
            if host.is_empty() && inner.is_some_and(is_address) {
                host = inner.unwrap_or_default();
            }
            continue;
        }
        let (below, digits) = past(word, "<").map_or((false, word), |d| (true, d));
        let number = leading(digits).map(|(v, used)| (v, &digits[used..]));
        let time = match (waiting.take(), number) {
            (Some(time), _) if is_unit(word) => Some(time),
            (_, Some((v, b""))) => {
                waiting = Some((v, below));
                None
            }
            (_, Some((v, unit))) if is_unit(unit) => Some((v, below)),
            _ => None,
        };
        if let Some((ms, below)) = time {
            let fate = if below { Some(Fate::Below(ms)) } else { reply(ms) };
            fates.push(fate.unwrap_or(Fate::Untimed));
        } else if word == b"*" || word == b"reply" && last == b"no" {
            fates.push(Fate::Lost);
        } else if waiting.is_none() && host.is_empty() && is_host(word) {
            host = word;
        }
        last = word;
    }
    // Where nobody answered, a word of a sentence is no name.
    if fates.iter().all(|f| *f == Fate::Lost) && !host.contains(&b'.') && !is_address(host) {
        host = b"";
    }
    (String::from_utf8_lossy(host).into_owned(), fates)
}

fn count(word: &[u8], which: &[u8]) -> usize {
    word.iter().filter(|b| which.contains(b)).count()
}

fn is_unit(word: &[u8]) -> bool {
    matches!(word, b"ms" | b"msec" | b"ms." | b"\xd0\xbc\xd1\x81")
}

/// A name or address: sentences have no points within their words.
fn is_host(word: &[u8]) -> bool {
    is_address(word)
        || word.len() > 1
            && (word[0].is_ascii_alphanumeric() || word[0] == b'_')
            && !word.ends_with(b".")
            && !matches!(word, b"no" | b"reply" | b"asymm" | b"pmtu" | b"reached" | b"MRU")
            && (word.contains(&b'.')
                || word.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')))
}

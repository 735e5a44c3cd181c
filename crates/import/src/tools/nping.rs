//! What nping of Nmap prints: packets sent and received, each with its time.
//!
//! ```text
//! SENT (0.0335s) ICMP [198.51.100.1 > 192.0.2.10 Echo request (type=8/code=0) id=6126 seq=1] IP […]
//! RCVD (0.0472s) ICMP [192.0.2.10 > 198.51.100.1 Echo reply (type=0/code=0) id=6126 seq=1] IP […]
//! SENT (0.0210s) TCP 198.51.100.1:5091 > 192.0.2.10:80 S ttl=64 id=52072 iplen=40 seq=1077657388
//! SENT (0.0012s) Starting TCP Handshake > a.example:80 (192.0.2.10:80)
//! RCVD (0.0130s) Handshake with a.example:80 (192.0.2.10:80) completed
//! Max rtt: 14.021ms | Min rtt: 13.500ms | Avg rtt: 13.710ms
//! Raw packets sent: 5 (140B) | Rcvd: 5 (230B) | Lost: 0 (0.00%)
//! ```
//!
//! Times are seconds since the start, to a tenth of a millisecond; a delay is the difference of
//! two. An answer belongs to the probe of its number, else to the last one to its target. Source:
//! nping's code.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::{Gathering, reply};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::lines::{Pairs, address};
use crate::number::{after, count_after, nanoseconds, short};
use crate::printed::Printed;
use crate::text::{behind, find, past};

pub(crate) const ID: &str = "nping-text";

pub(crate) const SIGNS: &[&str] = &["SENT (#.#s) *", "RCVD (#.#s) *", "Starting Nping *"];

/// A probe under way.
struct Sent {
    part: usize,
    index: usize,
    at: i64,
    seq: Option<u32>,
}

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    let mut sent: Vec<Sent> = Vec::new();
    let mut printed = Printed::default();
    input.each_line(&mut |number, line| {
        let line = line.trim_ascii();
        if let Some((at, rest)) = stamped(line, b"SENT (") {
            let target = peer(rest, true);
            let part = g.part(&String::from_utf8_lossy(target), PartKind::Target);
            let octets = Pairs::find(rest);
            let octets = octets.named(&["iplen"]).and_then(|i| octets.list[i].integer());
            sent.push(Sent { part, index: g.parts[part].len(), at, seq: echo_number(rest) });
            g.push(part, Some(at), octets, Fate::Lost);
        } else if let Some((at, rest)) = stamped(line, b"RCVD (") {
            received(&mut g, &sent, at, rest);
        } else if !summary(&mut printed, line)
            && find(line, b"ping").is_none()
            && find(line, b"x time: ").is_none()
            && !line.is_empty()
        {
            g.notes.quote(number, "not read", line);
        }
    })?;
    if g.parts.is_empty() && printed.sent.is_some() {
        g.add("", PartKind::Run);
    }
    if let [part] = &mut g.parts[..] {
        part.printed = Some(printed).filter(|p| *p != Printed::default());
    }
    g.import(options)
}

/// `SENT (0.0335s) …`: nanoseconds, and what follows.
fn stamped<'a>(line: &'a [u8], begins: &[u8]) -> Option<(i64, &'a [u8])> {
    let rest = line.strip_prefix(begins)?;
    let end = find(rest, b"s)")?;
    Some((nanoseconds(&rest[..end], b'.', 1_000_000_000)?, rest[end + 2..].trim_ascii_start()))
}

/// The address on the other side, without its port.
fn peer(rest: &[u8], sent: bool) -> &[u8] {
    let rest = past(rest, "TCP ").or_else(|| past(rest, "UDP ")).unwrap_or(rest);
    let part = behind(rest, " > ").filter(|_| sent).unwrap_or(rest);
    let found = address(part).map(|r| &part[r]);
    let word = || {
        let part = past(part, "Handshake with ").unwrap_or(part);
        part.split(|b| matches!(b, b' ' | b':')).next().unwrap_or_default()
    };
    found.unwrap_or_else(word)
}

/// The number of an echo.
fn echo_number(rest: &[u8]) -> Option<u32> {
    let number = behind(behind(rest, "cho re")?, " seq=")?;
    short(number)
}

fn received(g: &mut Gathering, sent: &[Sent], at: i64, rest: &[u8]) {
    let error = rest.starts_with(b"ICMP") && find(rest, b"cho reply").is_none();
    if error || rest.starts_with(b"Possible TCP RST") {
        if let Some(last) = sent.last() {
            g.parts[last.part].errors += 1;
        }
        return;
    }
    let (from, seq) = (peer(rest, false), echo_number(rest));
    let mut candidates = sent
        .iter()
        .rev()
        .filter(|s| s.seq == seq && (seq.is_some() || g.parts[s.part].name.as_bytes() == from));
    let Some(probe) = candidates.next() else { return };
    let ms = (at - probe.at) as f64 / 1e6;
    let rank = g.next_rank();
    let part = &mut g.parts[probe.part];
    match (part.fate(probe.index), reply(ms)) {
        (Some(Fate::Lost), Some(fate)) => part.settle(probe.index, fate, rank),
        (Some(Fate::Lost), None) => part.settle(probe.index, Fate::Untimed, rank),
        _ => part.duplicates += 1,
    }
}

/// The lines at the end.
fn summary(printed: &mut Printed, line: &[u8]) -> bool {
    if line.starts_with(b"Max rtt:") {
        (printed.max_ms, printed.min_ms, printed.mean_ms) =
            (after(line, "Max rtt:"), after(line, "Min rtt:"), after(line, "Avg rtt:"));
        return true;
    }
    let sent = count_after(line, "packets sent:").or_else(|| count_after(line, "connection attempts:"));
    if sent.is_some() {
        printed.sent = sent;
        printed.received =
            count_after(line, "Rcvd:").or_else(|| count_after(line, "Successful connections:"));
        printed.lost = count_after(line, "Lost:").or_else(|| count_after(line, "Failed:"));
    }
    sent.is_some()
}

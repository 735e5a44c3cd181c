//! The ping of `MikroTik`'s `RouterOS`.
//!
//! ```text
//!   SEQ HOST                                     SIZE TTL TIME       STATUS
//!     0 192.0.2.10                                 56  64 157ms
//!     1 192.0.2.10                                 56  64 12ms345us
//!     2 192.0.2.10                                                   timeout
//!     sent=13 received=12 packet-loss=7% min-rtt=55ms avg-rtt=67ms max-rtt=157ms
//! 192.0.2.10 64 byte ping: ttl=57 time=12 ms                            before version 5
//! ```
//!
//! Times carry their units; numbers count from 0; the length is that of the packet. The heading and a
//! summary of all so far come again after each screen. Source: `MikroTik`'s documentation, and outputs
//! in ntc-templates.

use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::{self, Counts, Dialect, Line, Times, Unit};
use crate::number::{integer, leading};
use crate::ping_text;
use crate::runs::{Reply, Time};
use crate::text::{behind, find, past, words};

pub(crate) const ID: &str = "mikrotik-ping-text";

pub(crate) const SIGNS: &[&str] =
    &["*SEQ HOST *SIZE TTL TIME *", "sent=# received=# packet-loss=*%*", "* # byte ping: ttl=# time=* ms"];

const DIALECT: Dialect = Dialect { lengths: "the IP packet", ..Dialect::new(ID, "the router", line) };

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &DIALECT)
}

fn line(line: &[u8]) -> Line<'_> {
    if let Some(rest) = past(line, "sent=") {
        return summary(rest).map_or(Line::Unknown, Line::Counts);
    }
    if find(line, b"SIZE TTL TIME").is_some() {
        return Line::Aside;
    }
    if find(line, b"ping timeout").is_some() {
        return Line::Silence(None);
    }
    row(line).unwrap_or_else(|| ping_text::read_line(line))
}

/// `0 192.0.2.10 56 64 157ms`
fn row(line: &[u8]) -> Option<Line<'_>> {
    let mut words = words(line);
    let seq = words.next()?;
    let seq = integer(seq).filter(|(_, used)| *used == seq.len()).and_then(|(n, _)| u32::try_from(n).ok())?;
    let host = words.next()?;
    if !host.iter().any(|b| matches!(b, b'.' | b':')) {
        return None;
    }
    let mut octets = None;
    let mut time = None;
    let mut status: &[u8] = &[];
    for word in words {
        if let Some(ms) = duration(word) {
            time = Some(ms);
        } else if let Some((n, used)) = integer(word).filter(|_| time.is_none()) {
            octets = octets.or(u32::try_from(n).ok().filter(|_| used == word.len()));
        } else if status.is_empty() {
            status = word;
        }
    }
    Some(match (time, status) {
        (Some(ms), b"" | b"echo") => Line::Reply(Reply::new(Some(seq), Time::of(ms)).octets(octets)),
        (_, b"timeout") => Line::Silence(Some(seq)),
        (_, b"") => return None,
        _ => Line::Error(Some(seq)),
    })
}

/// `1s12ms345us` in ms.
fn duration(mut word: &[u8]) -> Option<f64> {
    let mut ms = 0.0;
    if !word.ends_with(b"s") {
        return None;
    }
    while !word.is_empty() {
        let (value, used) = leading(word)?;
        word = &word[used..];
        let (unit, length) = match word {
            [b'm', b's', ..] => (Unit::Millis, 2),
            [b'u', b's', ..] => (Unit::Micros, 2),
            [b's', ..] => (Unit::Seconds, 1),
            _ => return None,
        };
        ms += unit.to_ms(value);
        word = &word[length..];
    }
    Some(ms)
}

/// `13 received=12 packet-loss=7% min-rtt=55ms avg-rtt=67ms max-rtt=157ms`
fn summary(rest: &[u8]) -> Option<Counts> {
    let (sent, _) = integer(rest)?;
    let value = |name: &str| behind(rest, name).map(crate::text::first_word);
    let (received, _) = value("received=").and_then(integer)?;
    let ms = |name: &str| value(name).and_then(duration);
    let times = ms("min-rtt=").zip(ms("avg-rtt=")).zip(ms("max-rtt="));
    Some(Counts {
        sent: sent.min(1 << 50),
        received: received.min(1 << 50),
        loss_pct: value("packet-loss=").and_then(leading).map(|(v, _)| v),
        first: Some(0),
        times: times.map(|((min, mean), max)| Times { min, mean, max, deviation: None }),
        ..Counts::default()
    })
}

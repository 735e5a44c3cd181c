//! What the tools called tcping and tcpping print: the time to open a TCP connection.
//!
//! ```text
//! Probing 192.0.2.10:443/tcp - Port is open - time=69.752ms            Fulkerson's, for Windows
//! Probing 192.0.2.10:443/tcp - No response - time=2001.000ms
//! Reply from a.example (192.0.2.10) on port 443 TCP_conn=1 time=12.345 ms        Jamshidi's
//! No reply from a.example (192.0.2.10) on port 443 TCP_conn=1
//! Ping tcp://a.example:443(192.0.2.10:443) connected - time=10.2ms dns=5ms       cloverstd's
//! seq 0: tcp response from a.example (192.0.2.10) [open]  12.345 ms              tcpping
//! Connected to a.example[:443]: seq=1 time=10.61 ms                              of Python
//! ```
//!
//! Times are ms, or carry their unit. `TCP_conn` counts answers in a row and is no number of a
//! probe. Sources: the tools' code and documentation.

use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::{self, Counts, Dialect, Header, Line, Pairs, Tally, Times, Unit};
use crate::number::{integer, leading, three};
use crate::ping_text;
use crate::runs::{Reply, Time};
use crate::text::{behind, find, first_word, past};

pub(crate) const ID: &str = "tcping-text";

pub(crate) const SIGNS: &[&str] = &[
    "Probing *:#/tcp - *",
    "TCPinging * on port #",
    "Reply from * on port # *TCP_conn=# time=*ms",
    "No reply from * on port # *TCP_conn=#",
    "Ping tcp://*",
    "seq #: tcp response from * [*] * ms",
    "seq #: no response*",
    "Connected to *[:#]: seq=# time*",
];

const DIALECT: Dialect = Dialect::new(ID, "tcping", line);

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &DIALECT)
}

fn line(line: &[u8]) -> Line<'_> {
    let has = |part: &[u8]| find(line, part).is_some();
    let begins = |part: &[u8]| line.starts_with(part);
    if let Some(rest) = past(line, "TCPinging ") {
        let target = first_word(rest);
        return Line::Header(Header { target, sequential: true, ..Header::default() });
    }
    if let Some(rest) = past(line, "seq ")
        && let Some((seq, used)) = integer(rest)
    {
        let seq = u32::try_from(seq).ok();
        let last = rest[used..].rsplit(|b| *b == b']').next().unwrap_or_default();
        return match (has(b"response from"), leading(last.trim_ascii())) {
            (true, Some((ms, _))) => Line::Reply(Reply::new(seq, Time::of(ms))),
            _ => Line::Silence(seq),
        };
    }
    let probe = begins(b"Probing ") || begins(b"Ping tcp://") || begins(b"Connected to ");
    let probe = probe || has(b" on port ") && (begins(b"Reply from ") || begins(b"No reply from "));
    if probe {
        let pairs = Pairs::find(line);
        let seq = pairs.named(&["seq"]).and_then(|i| pairs.list[i].integer());
        let failed = begins(b"No reply")
            || has(b"No response")
            || has(b" - Failed")
            || has(b"closed")
            || has(b"time out")
            || has(b"timeout")
            || has(b"refused");
        let time = pairs.list.iter().find(|p| p.name.ends_with(b"time") && !p.name.ends_with(b"rcv_time"));
        return match time.filter(|_| !failed) {
            Some(pair) => Line::Reply(Reply::new(seq, Time::of(pair.unit.to_ms(pair.value)))),
            None => Line::Silence(seq),
        };
    }
    summary(line).unwrap_or_else(|| match ping_text::read_line(line) {
        Line::Reply(_) | Line::Silence(_) | Line::Error(_) | Line::Header(_) => Line::Unknown,
        other => other,
    })
}

fn summary(line: &[u8]) -> Option<Line<'_>> {
    if line.starts_with(b"Ping statistics ") || line.starts_with(b"---") {
        return Some(Line::Heading);
    }
    let first = integer(line).map(|(n, used)| (n, &line[used..]));
    if let Some((n, rest)) = first.filter(|(n, _)| *n < 1 << 53) {
        if rest.starts_with(b" probes sent") {
            return Some(Line::Tally(Tally { sent: Some(n), ..Tally::default() }));
        }
        if rest.starts_with(b" successful") {
            return Some(Line::Tally(Tally { received: Some(n), ..Tally::default() }));
        }
        // "5 probes transmitted on port 443 | 5 received, 0.00% packet loss"
        if rest.starts_with(b" probes transmitted") {
            let (received, _) = integer(behind(rest, "| ")?)?;
            return Some(Line::Counts(Counts { sent: n, received, ..Counts::default() }));
        }
        // "4 connections, 4 successed, 0 failed, 100.00% success rate"
        if let Some(rest) = past(rest, " connections, ") {
            let (received, _) = integer(rest)?;
            return Some(Line::Counts(Counts { sent: n, received, ..Counts::default() }));
        }
    }
    let (values, rest) = three(behind(line, "min/avg/max: ")?)?;
    let unit = Unit::read(rest);
    let [min, mean, max] = values.map(|v| unit.to_ms(v));
    Some(Line::Times(Times { min, mean, max, deviation: None }))
}

//! What `PsPing` of Sysinternals prints: ICMP and TCP pings.
//!
//! ```text
//! Pinging 192.0.2.10 with 32 bytes of data:
//! 5 iterations (warmup 1) ping test:
//! Reply from 192.0.2.10: 18.45ms
//! Connecting to 192.0.2.10:443 (warmup): from 198.51.100.1:54921: 20.04ms
//! Connecting to 192.0.2.10:443: from 198.51.100.1:54922: 18.68ms
//!   Sent = 4, Received = 4, Lost = 0 (0% loss),
//!   Minimum = 17.79ms, Maximum = 18.30ms, Average = 18.02ms
//! ```
//!
//! Times are ms, behind the last colon. The first answers only warm up; the summary leaves them out,
//! and so does the trace. Source: Microsoft's documentation of `PsPing`, and its output.

use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::{self, Counts, Dialect, Header, Line, Unit};
use crate::number::{count_after, leading, short};
use crate::ping_text;
use crate::runs::{Reply, Time};
use crate::text::{behind, find, past};

pub(crate) const ID: &str = "psping-text";

pub(crate) const SIGNS: &[&str] = &[
    "PsPing v* - *",
    "# iterations (warmup #)*",
    "Connecting to *: from *: *ms",
    "Reply from *: #.#ms",
    "TCP connect to *:",
];

const DIALECT: Dialect = Dialect::new(ID, "PsPing", line);

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &DIALECT)
}

fn line(line: &[u8]) -> Line<'_> {
    if let Some(rest) = behind(line, "iterations (warmup ") {
        return short(rest).map_or(Line::Aside, Line::Warmup);
    }
    if find(line, b" (warmup)").is_some() {
        return Line::Warmup(0);
    }
    // "Sent = 10, Size = 8192, Total Bytes: 81920,": of a latency test, which loses none.
    if let Some(sent) = count_after(line, "Sent =").filter(|_| find(line, b", Size =").is_some()) {
        return Line::Counts(Counts { sent, received: sent, lost: Some(0), ..Counts::default() });
    }
    if let Some(rest) = past(line, "TCP connect to ").or_else(|| behind(line, "latency test connected to ")) {
        let target = rest.strip_suffix(b":").unwrap_or(rest);
        return Line::Header(Header { target, sequential: true, ..Header::default() });
    }
    if line.starts_with(b"TCP ") && line.ends_with(b":") {
        return Line::Heading;
    }
    let probe = line.starts_with(b"Reply from ") || line.starts_with(b"Connecting to ");
    if probe && let Some(time) = last_time(line) {
        return Line::Reply(Reply::new(None, time));
    }
    if line.starts_with(b"Connecting to ") {
        // What the system says in place of a time.
        return Line::Silence(None);
    }
    ping_text::read_line(line)
}

/// The time behind the last colon.
fn last_time(line: &[u8]) -> Option<Time> {
    let at = line.iter().rposition(|b| *b == b':')?;
    let rest = line[at + 1..].trim_ascii_start();
    let (value, used) = leading(rest)?;
    let unit = Unit::read(&rest[used..]);
    unit.is_time().then(|| Time::of(unit.to_ms(value)))
}

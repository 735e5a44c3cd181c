//! What paping prints: the time to open a TCP connection.
//!
//! ```text
//! Connecting to 192.0.2.10 on TCP 443:
//! Connected to 192.0.2.10: time=12.34ms protocol=TCP port=443
//! Connection timed out
//! Connection statistics:
//!         Attempted = 4, Connected = 3, Failed = 1 (25.00%)
//! Approximate connection times:
//!         Minimum = 10.10ms, Maximum = 12.34ms, Average = 11.20ms
//! ```
//!
//! Times are ms. Source: paping's code and output.

use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::{self, Dialect, Header, Line, Pairs};
use crate::ping_text;
use crate::runs::{Reply, Time};
use crate::text::{find, past};

pub(crate) const ID: &str = "paping-text";

pub(crate) const SIGNS: &[&str] = &[
    "paping v*",
    "Connecting to * on TCP #:",
    "Connecting to * on UDP #:",
    "Connected to *: time=*ms protocol=* port=#",
];

const DIALECT: Dialect = Dialect::new(ID, "paping", line);

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &DIALECT)
}

fn line(line: &[u8]) -> Line<'_> {
    if let Some(rest) = past(line, "Connecting to ") {
        let target = rest[..find(rest, b" on ").unwrap_or(rest.len())].trim_ascii();
        return Line::Header(Header { target, sequential: true, ..Header::default() });
    }
    if line.starts_with(b"Connected to ") {
        let pairs = Pairs::find(line);
        let time = pairs.named(&["time"]).map(|i| &pairs.list[i]);
        return time.map_or(Line::Unknown, |pair| {
            Line::Reply(Reply::new(None, Time::of(pair.unit.to_ms(pair.value))))
        });
    }
    if line.starts_with(b"Connection statistics") {
        return Line::Heading;
    }
    if line.starts_with(b"Connection ") {
        return Line::Silence(None);
    }
    match ping_text::read_line(line) {
        counts @ (Line::Counts(_) | Line::Times(_) | Line::Blank) => counts,
        _ => Line::Unknown,
    }
}

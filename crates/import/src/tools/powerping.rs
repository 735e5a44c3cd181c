//! What `PowerPing` prints.
//!
//! ```text
//! Pinging 192.0.2.10 (Packet message "R U Alive?") [Type=8 Code=0] [TTL=255]:
//! Reply from: 192.0.2.10 seq=1 bytes=32 type=ECHO REPLY time=12.3ms
//! Request timed out. seq=2
//!    General: Sent [ 5 ], Received [ 4 ], Lost [ 1 ] (20.00% loss)
//!      Times: Min [ 10.1ms ], Max [ 12.3ms ], Avg [ 11.2ms ]
//! ```
//!
//! Times are ms, lengths those of the data. Source: `PowerPing`'s code.

use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::{self, Counts, Dialect, Header, Line, Pairs, Times, address};
use crate::number::{after, count_after};
use crate::runs::{Reply, Time};
use crate::text::find;

pub(crate) const ID: &str = "powerping-text";

pub(crate) const SIGNS: &[&str] =
    &["Reply from: * type=* time=*ms*", "Pinging * (Packet message *", "Pinging * [Type=# Code=#]*"];

const DIALECT: Dialect = Dialect { lengths: "the data alone", ..Dialect::new(ID, "PowerPing", line) };

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &DIALECT)
}

fn line(line: &[u8]) -> Line<'_> {
    let pairs = Pairs::find(line);
    let whole = |name: &str| pairs.named(&[name]).and_then(|i| pairs.list[i].integer());
    if line.starts_with(b"Pinging ") {
        let target = address(line).map_or(&line[8..8], |r| &line[r]);
        let numbered = Header { target, first: Some(1), ..Header::default() };
        return Line::Header(numbered);
    }
    if line.starts_with(b"Reply from") {
        let Some(pair) = pairs.named(&["time"]).map(|i| &pairs.list[i]) else { return Line::Unknown };
        let echo = find(line, b"type=").is_none_or(|i| find(&line[i..], b"REPLY").is_some());
        let ms = pair.unit.to_ms(pair.value);
        let time = if pair.below { Time::Below(ms) } else { Time::of(ms) };
        return match (echo, whole("seq")) {
            (true, seq) => Line::Reply(Reply::new(seq, time).octets(whole("bytes"))),
            (false, seq) => Line::Error(seq),
        };
    }
    if line.starts_with(b"Request timed out") || find(line, b" timed out").is_some() {
        return Line::Silence(whole("seq"));
    }
    if line.starts_with(b"---") {
        return Line::Heading;
    }
    // "Sent [ 5 ], Received [ 4 ], Lost [ 1 ]"
    if let Some((sent, received)) = count_after(line, "Sent [").zip(count_after(line, "Received [")) {
        let lost = count_after(line, "Lost [");
        return Line::Counts(Counts { sent, received, lost, ..Counts::default() });
    }
    if let Some(((min, max), mean)) = after(line, "Min [").zip(after(line, "Max [")).zip(after(line, "Avg ["))
    {
        return Line::Times(Times { min, mean, max, deviation: None });
    }
    if line.is_empty() { Line::Blank } else { Line::Unknown }
}

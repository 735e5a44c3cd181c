//! The ping of Cisco IOS, IOS XE, IOS XR, ASA and FTD, and of those that print alike (Ruijie, ZTE,
//! Aruba, Brocade): a mark for each probe.
//!
//! ```text
//! Sending 5, 100-byte ICMP Echos to 192.0.2.10, timeout is 2 seconds:
//! !!.U!
//! Success rate is 60 percent (3/5), round-trip min/avg/max = 1/2/10 ms
//! Reply to request 0 from 192.0.2.10, 3 ms                    to a broadcast or multicast address
//! Send count=10, Receive count=10 from 192.0.2.10             AireOS
//! ```
//!
//! `!` is a reply, `.` a timeout, any other letter an error (`U` unreachable, `Q` quench, `M` no
//! fragments). Times are ms, of the whole run; the length is that of the IP packet. Sources:
//! Cisco's command references, and outputs in ntc-templates and genieparser.

use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::{self, Counts, Dialect, Header, Line, Times, address};
use crate::number::{integer, leading, short, three};
use crate::ping_text;
use crate::runs::{Reply, Time};
use crate::text::{behind, past};

pub(crate) const ID: &str = "cisco-ping-text";

pub(crate) const SIGNS: &[&str] = &[
    "Sending #, #-byte * Echo* to *",
    "sending #,*#-byte * echo* to *",
    "Sending # TCP SYN requests to *",
    "Success rate is # percent*(#/#)*",
    "Reply to request # *from *, # ms",
    "Send count=#, Receive count=# from *",
];

const DIALECT: Dialect = Dialect { lengths: "the IP packet", ..Dialect::new(ID, "the router", line) };

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &DIALECT)
}

fn line(line: &[u8]) -> Line<'_> {
    if let Some(rest) = past(line, "Sending ").or_else(|| past(line, "sending "))
        && let Some(rest) = behind(rest, " to ")
    {
        let word = rest.split(|b| matches!(b, b',' | b' ')).next().unwrap_or_default();
        let target = address(rest).map_or(word, |r| &rest[r]);
        let octets = behind(line, ",").and_then(|rest| short(rest.trim_ascii_start()));
        return Line::Header(Header { target, first: Some(0), octets, ..Header::default() });
    }
    if line.starts_with(b"Success rate is ")
        && let Some(counts) = success(line)
    {
        return Line::Counts(counts);
    }
    if let Some(rest) = past(line, "Reply to request ") {
        let last = line.iter().rposition(|b| matches!(b, b',' | b'('));
        let ms = last.and_then(|i| leading(line[i + 1..].trim_ascii()));
        return Line::Reply(Reply::new(short(rest), ms.map_or(Time::Missing, |(ms, _)| Time::of(ms))));
    }
    if let Some(rest) = past(line, "Send count=") {
        let received = behind(rest, "Receive count=").and_then(short).unwrap_or(0);
        let sent = short(rest).unwrap_or(0);
        let counts = Counts { sent: sent.into(), received: received.into(), ..Counts::default() };
        return Line::Counts(counts);
    }
    // Marks: letters that each stand for an outcome, and nothing else.
    let mark = |b: &u8| matches!(b, b'!' | b'.' | b'?' | b'&' | b'*') || b.is_ascii_alphabetic();
    let marks = line.len() <= 80 && line.iter().all(mark);
    if marks && (line.iter().any(|b| matches!(b, b'!' | b'.')) || line.iter().all(|b| *b == line[0])) {
        return if line.is_empty() { Line::Blank } else { Line::Marks(line) };
    }
    match ping_text::read_line(line) {
        // Some that print as Cisco does have a line for each probe.
        probe @ (Line::Silence(_) | Line::Reply(_)) => probe,
        // A message of the router's own, `%BGP-5: neighbor 192.0.2.9 Down`, is no probe.
        Line::Failure if !line.contains(&b'%') => Line::Failure,
        _ => Line::Aside,
    }
}

/// `(3/5), round-trip min/avg/max = 1/2/10 ms`
fn success(line: &[u8]) -> Option<Counts> {
    let rest = behind(line, "(")?;
    let (received, used) = integer(rest)?;
    let (sent, _) = integer(past(&rest[used..], "/")?)?;
    let times = behind(line, "=").filter(|_| received > 0).and_then(three);
    let times = times.map(|([min, mean, max], _)| Times { min, mean, max, deviation: None });
    let (sent, received) = (sent.min(1 << 50), received.min(1 << 50));
    Some(Counts { sent, received, times, ..Counts::default() })
}

//! What hping2 and hping3 print.
//!
//! ```text
//! HPING 192.0.2.10 (tun0 192.0.2.10): S set, 40 headers + 0 data bytes
//! len=44 ip=192.0.2.10 ttl=57 id=0 sport=80 flags=SA seq=0 win=64240 rtt=18.1 ms
//! len=28 ip=192.0.2.10 ttl=57 id=1042 icmp_seq=0 rtt=18.1 ms
//! ICMP Port Unreachable from ip=192.0.2.10 name=UNKNOWN
//! ```
//!
//! Times are ms, numbers count from 0, `len` is the length of the IP packet of the answer. Source:
//! hping's code.

use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::{self, Dialect, Header, Line};
use crate::ping_text;
use crate::text::{find, first_word, past};

pub(crate) const ID: &str = "hping-text";

pub(crate) const SIGNS: &[&str] = &["HPING * (*): *", "len=# ip=* rtt=* ms", "DUP! len=# ip=*"];

const DIALECT: Dialect =
    Dialect { lengths: "the IP packet of the answer", ..Dialect::new(ID, "hping", line) };

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &DIALECT)
}

fn line(line: &[u8]) -> Line<'_> {
    if let Some(rest) = past(line, "HPING ") {
        let target = first_word(rest);
        return Line::Header(Header { target, first: Some(0), ..Header::default() });
    }
    if line.starts_with(b"ICMP ") && find(line, b" from ip=").is_some() {
        return Line::Error(None);
    }
    let (marked, rest) = past(line, "DUP! ").map_or((false, line), |rest| (true, rest));
    match ping_text::read_line(rest) {
        // Of the lines that -V adds, those that begin otherwise say nothing of the probe.
        Line::Reply(reply) if rest.starts_with(b"len=") => {
            let spans = if marked { crate::runs::Spans::default() } else { reply.spans };
            Line::Reply(crate::runs::Reply { spans, ..reply.duplicate(marked) })
        }
        Line::Reply(reply) => Line::Reply(reply.octets(None)),
        Line::Silence(_) => Line::Aside,
        // With -V the time stands on the next line.
        Line::Unknown if rest.starts_with(b"len=") => Line::Aside,
        other => other,
    }
}

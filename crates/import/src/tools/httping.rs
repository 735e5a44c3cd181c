//! What httping prints, as text and as JSON: the time of an HTTP request.
//!
//! ```text
//! PING www.example.com:80 (/):
//! connected to 192.0.2.10:80 (234 bytes), seq=0 time= 12.34 ms 200 OK
//! connected to 192.0.2.10:80 (234 bytes), seq=1 time=  0.05+ 9.87+ 2.42=12.34 ms      -S
//! --- http://www.example.com/ ping statistics ---
//! 5 connects, 4 ok, 20.00% failed, time 5012ms
//! round-trip min/avg/max = 10.1/12.3/15.2 ms
//! [{"status":"1", "seq":"0", "start_ts":"1796034244.8", "connect_ms":"9.8e+00", "total_ms":"1.2e+01"}]
//! ```
//!
//! Times are ms and cover everything from resolving the name to the answer; numbers count from 0.
//! Source: httping's code.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::{Gathering, reply};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::lines::{self, Dialect, Header, Line};
use crate::ping_text;
use crate::text::{first_word, past};

pub(crate) const TEXT: &str = "httping-text";
pub(crate) const JSON: &str = "httping-json";

// The heading is not ping's: it has a port and ends with the colon.
pub(crate) const SIGNS: &[&str] =
    &["PING *:# (*):", "connected to *, seq=# time=*ms*", "# connects, # ok, *% failed*"];

const DIALECT: Dialect = Dialect::new(TEXT, "httping", line);

pub(crate) fn read_text(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &DIALECT)
}

fn line(line: &[u8]) -> Line<'_> {
    if let Some(rest) = past(line, "PING ").filter(|_| line.ends_with(b":")) {
        let target = first_word(rest);
        return Line::Header(Header { target, first: Some(0), ..Header::default() });
    }
    let trouble: [&[u8]; 4] = [b"could not connect", b"timeout ", b"error ", b"connect time out"];
    if trouble.iter().any(|t| line.starts_with(t)) {
        // The number it would have had is missing from the others.
        return Line::Silence(None);
    }
    match ping_text::read_line(line) {
        Line::Reply(reply) => Line::Reply(reply.octets(None)),
        other => other,
    }
}

pub(crate) fn read_json(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(JSON);
    g.dated = true;
    input.each_document(&mut |probe| {
        if !probe.whole {
            return Ok(());
        }
        let number = |name: &str| probe.num(name).filter(|v| *v >= 0.0);
        let host = probe.shown("host");
        // Of a failed probe the host is not written down.
        let part = if !host.is_empty() || g.parts.is_empty() {
            g.part(&host, PartKind::Run)
        } else {
            g.parts.len() - 1
        };
        if g.parts[0].name.is_empty() && g.parts.len() > 1 {
            g.parts[0].name = host;
            g.parts.truncate(1);
        }
        let part = part.min(g.parts.len() - 1);
        let ok = matches!(&probe.shown("status")[..], "" | "1");
        let ms = number("total_ms").or_else(|| number("request_ms")).or_else(|| number("connect_ms"));
        let fate = if ok { ms.and_then(reply).unwrap_or(Fate::Untimed) } else { Fate::Lost };
        g.push(part, probe.get("start_ts").ns(1_000_000_000), None, fate);
        Ok(())
    })?;
    g.import(options)
}

//! What `Test-Connection` of PowerShell prints: a table, a row a probe.
//!
//! ```text
//!    Destination: a.example
//!
//! Ping Source           Address                   Latency BufferSize Status
//!                                                    (ms)        (B)
//! ---- ------           -------                   ------- ---------- ------
//!    1 VM               192.0.2.10                     12         32 Success
//!    2 VM               *                               *         32 TimedOut
//!
//! Source        Destination     IPV4Address      IPV6Address      Bytes    Time(ms)       before 6
//! ------        -----------     -----------      -----------      -----    --------
//! VM            a.example       192.0.2.10                        32       12
//! ```
//!
//! Times are whole ms; 0 is below 1. Source: the manual of Test-Connection, versions 5.1 and 7.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::number::{leading, short};
use crate::text::{past, words};

pub(crate) const ID: &str = "powershell-text";

const NEW: &str = "Ping Source * Latency BufferSize Status";
const OLD: &str = "Source Destination * Bytes Time(ms)";
pub(crate) const SIGNS: &[&str] = &[NEW, OLD];

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    g.notes.encoding(input.text());
    let mut target = Vec::new();
    input.each_line(&mut |number, line| {
        let line = line.trim_ascii();
        if let Some(name) = past(line, "Destination:") {
            target = name.trim_ascii().to_vec();
            return;
        }
        let row: Vec<&[u8]> = words(line).collect();
        let (name, octets, delay) = match row[..] {
            [n, _, _, delay, octets, status] if short(n).is_some() => {
                (&target[..], octets, (status == b"Success").then_some(delay))
            }
            // An address may be missing.
            [_, name, .., octets, delay] if short(octets).is_some() => (name, octets, Some(delay)),
            _ => return,
        };
        let fate = match delay.map(leading) {
            None => Fate::Lost,
            Some(Some((0.0, _))) => Fate::Below(1.0),
            Some(Some((ms, _))) if ms > 0.0 => Fate::Reply(ms),
            Some(_) => return g.notes.quote(number, "not read", line),
        };
        let part = g.part(&String::from_utf8_lossy(name), PartKind::Target);
        g.push(part, None, short(octets), fate);
    })?;
    g.import(options)
}

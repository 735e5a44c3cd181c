//! What `Test-Connection` and `Test-NetConnection` of PowerShell print: a table, a row a probe, or
//! (`Format-List`) a list of what is known of each.
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
//!
//! Destination : a.example                                                  ResponseTime : 12
//! Latency     : 12                                                         StatusCode   : 0
//! Status      : Success                                 PingReplyDetails (RTT) : 12 ms
//! ```
//!
//! Times are whole ms; 0 is below 1. Source: the manual of Test-Connection, versions 5.1 and 7.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::number::{leading, short};
use crate::text::{find, past, words};

pub(crate) const ID: &str = "powershell-text";

const NEW: &str = "Ping Source * Latency BufferSize Status";
const OLD: &str = "Source Destination * Bytes Time(ms)";
pub(crate) const SIGNS: &[&str] =
    &[NEW, OLD, "DisplayAddress : *", "ResponseTime : *", "PingSucceeded : *", "PingReplyDetails (RTT) : *"];

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    g.notes.encoding(input.text());
    let mut target = Vec::new();
    let (mut latency, mut failed) = (None, false);
    input.each_line(&mut |number, line| {
        let line = line.trim_ascii();
        if let Some(name) = past(line, "Destination:") {
            target = name.trim_ascii().to_vec();
            return;
        }
        if let Some(colon) = find(line, b" :") {
            let value = line[colon + 2..].trim_ascii();
            match line[..colon].trim_ascii_end() {
                b"Destination" | b"ComputerName" => target = value.to_vec(),
                b"Address" if target.is_empty() => target = value.to_vec(),
                b"Latency" | b"ResponseTime" => latency = leading(value).map(|(ms, _)| ms),
                b"PingSucceeded" => failed = value == b"False",
                b"PingReplyDetails (RTT)" => {
                    let ms = leading(value).filter(|_| !failed);
                    add(&mut g, &target, None, ms.map_or(Fate::Lost, |(ms, _)| whole_ms(ms)));
                }
                b"Status" | b"StatusCode" => {
                    let answered = matches!(value, b"Success" | b"0");
                    let fate = latency.take().filter(|_| answered).map_or(Fate::Lost, whole_ms);
                    add(&mut g, &target, None, fate);
                }
                _ => {}
            }
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
            Some(Some((ms, _))) if ms >= 0.0 => whole_ms(ms),
            Some(_) => return g.notes.quote(number, "not read", line),
        };
        add(&mut g, name, short(octets), fate);
    })?;
    g.import(options)
}

fn add(g: &mut Gathering, target: &[u8], octets: Option<u32>, fate: Fate) {
    let part = g.part(&String::from_utf8_lossy(target), PartKind::Target);
    g.push(part, None, octets, fate);
}

/// A delay that is cut to whole milliseconds.
fn whole_ms(ms: f64) -> Fate {
    if ms > 0.0 { Fate::Reply(ms) } else { Fate::Below(1.0) }
}

//! What sockperf prints: the summary of a ping-pong run, and the full log of its packets.
//!
//! ```text
//! sockperf: [Total Run] RunTime=1.000 sec; Warm up time=400 msec; SentMessages=40000; ReceivedMessages=39999
//! sockperf: ====> avg-latency=12.345 (std-dev=1.234)
//! sockperf: Summary: Latency is 12.345 usec
//! sockperf: ---> percentile 50.000 =   12.100
//! packet, txTime(sec), rxTime(sec), latency(usec)                              --full-log
//! 1, 12.000000000, 12.000024690, 12.345
//! ```
//!
//! **Latency is half a round trip**, in microseconds, unless `--full-rtt` was asked for: then the
//! column is called `rtt(usec)`, and the summary says `Round trip`. The full log has when each packet
//! left and came back, in seconds: their difference is the round trip. Source: sockperf's code.

use crate::error::ImportError;
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::number::{after, count_after, integer, nanoseconds};
use crate::printed::Printed;
use crate::text::{fields, find};

pub(crate) const ID: &str = "sockperf-text";

pub(crate) const SIGNS: &[&str] = &["sockperf: *", "packet, txTime(sec), rxTime(sec), *"];

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    let part = g.part("", PartKind::Run);
    let mut printed = Printed::default();
    // Half of a round trip, or all of it.
    let mut times = 2.0;
    input.each_line(&mut |_, line| {
        let line = line.trim_ascii();
        if find(line, b"full-rtt").is_some() || find(line, b"Round trip").is_some() {
            times = 1.0;
        }
        if let Some(us) = after(line, "avg-latency=").or_else(|| after(line, "avg-rtt=")) {
            printed.mean_ms = Some(us);
            printed.deviation_ms = after(line, "std-dev=");
        } else if let Some(us) = after(line, "Latency is ").or_else(|| after(line, "Round trip is ")) {
            printed.mean_ms = printed.mean_ms.or(Some(us));
        } else if let Some(us) = after(line, "<MIN> observation =") {
            printed.min_ms = Some(us);
        } else if let Some(us) = after(line, "<MAX> observation =") {
            printed.max_ms = Some(us);
        } else if let Some(sent) =
            after(line, "[Valid Duration] RunTime=").and(count_after(line, "SentMessages="))
        {
            printed.sent = Some(sent);
            printed.received = count_after(line, "ReceivedMessages=");
        } else if let Some((sent, back)) = packet(line) {
            g.push_ms(part, Some(sent), None, (back - sent) as f64 / 1e6);
        }
    })?;
    let ms = |us: Option<f64>| us.map(|us| us * times / 1000.0);
    printed.deviation_ms = ms(printed.deviation_ms);
    let printed = printed.clone().times(ms(printed.min_ms), ms(printed.mean_ms), ms(printed.max_ms));
    if printed != Printed::default() {
        if times > 1.0 {
            g.notes.push(0, "the summary's latencies are half round trips: doubled here");
        }
        g.parts[part].printed = Some(printed);
    }
    g.import(options)
}

/// `1, 12.000000000, 12.000024690, 12.345`: nanoseconds of leaving and coming back.
fn packet(line: &[u8]) -> Option<(i64, i64)> {
    let mut fields = fields(line, b',');
    integer(fields.next()?).filter(|(n, _)| *n < 1 << 40)?;
    let mut seconds = || nanoseconds(fields.next()?, b'.', 1_000_000_000);
    Some((seconds()?, seconds()?))
}

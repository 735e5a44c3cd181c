//! What netperf prints of its request/response tests.
//!
//! ```text
//! Local /Remote
//! Socket Size   Request  Resp.   Elapsed  Trans.
//! Send   Recv   Size     Size    Time     Rate
//! bytes  Bytes  bytes    bytes   secs.    per sec
//! 16384  87380  1        1       10.00    29150.15
//! RT_LATENCY=34.305                                       omni output: microseconds
//! Interim result: 29150.15 Trans/s over 1.000 seconds ending at 1796034244.812
//! ```
//!
//! One transaction at a time takes one round trip: its mean is one by the rate. Interim results
//! (`-D`) give a mean each. Named latencies (`MIN_LATENCY`, `MEAN_LATENCY`, …) are microseconds, in
//! `KEY=value` form or as a table under their names. Source: netperf's manual.

use crate::error::{ErrorKind, ImportError};
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::number::{integer, leading, nanoseconds};
use crate::printed::Printed;
use crate::text::{behind, fields, find, past, words};

pub(crate) const ID: &str = "netperf-text";

pub(crate) const SIGNS: &[&str] = &[
    "MIGRATED * REQUEST/RESPONSE TEST *",
    "* REQUEST/RESPONSE TEST from *",
    "Interim result: * Trans/s over * seconds ending at *",
    "*RT_LATENCY*",
    "*MEAN_LATENCY*",
    "*Request Resp. Elapsed Trans.*",
    "OMNI * TEST from *",
];

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    let mut printed = Printed::default();
    let mut rate = None;
    let mut below_rate = false;
    let mut names: Vec<&[u8]> = Vec::new();
    input.each_line(&mut |_, line| {
        let line = line.trim_ascii();
        let numbers = || words(line);
        if let Some(rest) = past(line, "Interim result:") {
            interim(&mut g, rest.trim_ascii_start());
        } else if let Some((name, value)) = line.iter().position(|b| *b == b'=').map(|i| line.split_at(i)) {
            latency(&mut printed, name, &value[1..]);
        } else if find(line, b"_LATENCY").is_some() {
            names = fields(line, b',').collect();
        } else if !names.is_empty() && line.split(|b| *b == b',').count() == names.len() {
            let values = fields(line, b',');
            names.iter().zip(values).for_each(|(name, value)| latency(&mut printed, name, value));
        } else if find(line, b"per sec").is_some() {
            below_rate = true;
        } else if below_rate && numbers().count() >= 6 && numbers().all(|w| leading(w).is_some()) {
            // The sixth is the rate; CPU use may follow.
            rate = numbers().nth(5).and_then(leading).map(|(v, _)| v).filter(|v| *v > 0.0);
            below_rate = false;
        }
    })?;
    let mean = printed.mean_ms.or(rate.map(|per_second| 1000.0 / per_second));
    let any = mean.is_some() || printed != Printed::default();
    if any {
        let part = g.part("", PartKind::Series);
        let (min, max) = (printed.min_ms, printed.max_ms);
        g.parts[part].printed = Some(printed.times(min, mean, max));
        if rate.is_some() {
            g.notes.push(0, "the mean is one by the rate: of one transaction at a time");
        }
    }
    g.dated = true;
    if g.is_empty() {
        let what = "This netperf output has no round trips: it is no request/response test.";
        return Err(ImportError::new(ErrorKind::NoSamples, what).advise("run it with -t TCP_RR"));
    }
    g.import(options)
}

/// `29150.15 Trans/s over 1.000 seconds ending at 1796034244.812`: the mean of an interval.
fn interim(g: &mut Gathering, rest: &[u8]) {
    let Some((rate, _)) = leading(rest).filter(|(v, _)| *v > 0.0) else { return };
    let at = behind(rest, "ending at ").and_then(|time| {
        let time = time.trim_ascii();
        integer(time).and_then(|_| nanoseconds(time, b'.', 1_000_000_000))
    });
    let part = g.part("", PartKind::Series);
    g.push_ms(part, at, None, 1000.0 / rate);
}

fn latency(printed: &mut Printed, name: &[u8], value: &[u8]) {
    let Some(us) = leading(value.trim_ascii()).map(|(v, _)| v).filter(|v| *v >= 0.0) else { return };
    let ms = Some(us / 1000.0);
    match name.trim_ascii() {
        b"RT_LATENCY" => printed.mean_ms = printed.mean_ms.or(ms),
        b"MEAN_LATENCY" => printed.mean_ms = ms,
        b"MIN_LATENCY" => printed.min_ms = ms,
        b"MAX_LATENCY" => printed.max_ms = ms,
        b"STDDEV_LATENCY" => printed.deviation_ms = ms,
        _ => {}
    }
}

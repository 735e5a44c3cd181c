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
//! (`-D`) give a mean each. Latencies are microseconds: as `MEAN_LATENCY=31.5` (`-k`), under their
//! names between commas (`-o`), or as columns whose names go over several lines (`-O`):
//!
//! ```text
//! Minimum      Mean         Stddev       Transaction
//! Latency      Latency      Latency      Rate
//! Microseconds Microseconds Microseconds Tran/s
//! 25           31.5         7.1          31633.1
//! ```
//!
//! Source: netperf's manual.

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
    let mut above: Vec<&[u8]> = Vec::new();
    input.each_line(&mut |_, line| {
        let line = line.trim_ascii();
        let numbers = || words(line);
        if let Some(rest) = past(line, "Interim result:") {
            interim(&mut g, rest.trim_ascii_start());
        } else if let Some((name, value)) = line.iter().position(|b| *b == b'=').map(|i| line.split_at(i)) {
            latency(&mut printed, name, &value[1..]);
        } else if find(line, b",").is_some() && is_latency(line) || find(line, b"_LATENCY").is_some() {
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
        } else if numbers().next().is_some() && numbers().all(|w| leading(w).is_some_and(|n| n.1 == w.len()))
        {
            columns(&mut printed, &above, line);
            above.clear();
        } else if find(line, b" TEST").is_some() || line.is_empty() {
            above.clear();
        } else {
            above.push(line);
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

/// A row of figures below names that go over several lines, each from where its figure begins.
fn columns(printed: &mut Printed, names: &[&[u8]], row: &[u8]) {
    let begins = |at: &usize| row[*at] != b' ' && at.checked_sub(1).is_none_or(|before| row[before] == b' ');
    let starts: Vec<_> = (0..row.len()).filter(begins).collect();
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(usize::MAX);
        let of = |line: &&[u8]| line.get(start..end.min(line.len())).unwrap_or_default().to_vec();
        let name = names.iter().map(of).collect::<Vec<_>>().join(&b' ');
        latency(printed, &name, &row[start..]);
    }
}

fn is_latency(name: &[u8]) -> bool {
    find(name, b"LATENCY").or_else(|| find(name, b"Latency")).is_some()
}

/// A latency in microseconds, by its name's beginning; other figures and percentiles are passed over.
fn latency(printed: &mut Printed, name: &[u8], value: &[u8]) {
    let Some(us) = leading(value.trim_ascii()).map(|(v, _)| v).filter(|v| *v >= 0.0) else { return };
    let ms = Some(us / 1000.0);
    let name = name.trim_ascii();
    let begins = |word: &[u8]| name.get(..word.len()).is_some_and(|n| n.eq_ignore_ascii_case(word));
    if !is_latency(name) {
        return;
    }
    if begins(b"RT_") || begins(b"Round") {
        printed.mean_ms = printed.mean_ms.or(ms);
    } else if begins(b"MEAN") {
        printed.mean_ms = ms;
    } else if begins(b"MIN") {
        printed.min_ms = ms;
    } else if begins(b"MAX") {
        printed.max_ms = ms;
    } else if begins(b"STDDEV") {
        printed.deviation_ms = ms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_are_read_by_name_in_each_form() {
        let columns = "\
            Minimum      Mean         90th         Maximum      Stddev       Transaction\n\
            Latency      Latency      Percentile   Latency      Latency      Rate\n\
            Microseconds Microseconds Latency      Microseconds Microseconds Tran/s\n\
            \x20                         Microseconds\n\
            25           31.5         36           210          7.1          31633.1\n";
        let commas = "\
            Minimum Latency Microseconds,Mean Latency Microseconds,90th Percentile Latency Microseconds,\
            Maximum Latency Microseconds,Stddev Latency Microseconds,Transaction Rate Tran/s\n\
            25,31.5,36,210,7.1,31633.1\n";
        let keys = "\
            MIN_LATENCY=25\nMEAN_LATENCY=31.5\nP90_LATENCY=36\nMAX_LATENCY=210\nSTDDEV_LATENCY=7.1\n";
        for form in [columns, commas, keys] {
            let text = format!("MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 port 0 AF_INET to a\n{form}");
            let import = crate::read(text.as_bytes(), &Options::default()).unwrap();
            let printed = import.printed.as_ref().unwrap();
            let times = [printed.min_ms, printed.mean_ms, printed.max_ms, printed.deviation_ms];
            assert_eq!(times, [0.025, 0.0315, 0.21, 7.1 / 1000.0].map(Some), "{text}");
        }
    }
}

//! Flent's data files, most often packed (`.flent.gz`).
//!
//! ```text
//! {"version":4, "metadata":{"NAME":"rrul", "TIME":"2026-11-30T10:24:03", …},
//!  "x_values":[0.0, 0.2, …],
//!  "results":{"Ping (ms) ICMP":[22.2, null, …], "TCP upload":[…], …},
//!  "raw_values":{"Ping (ms) ICMP":[{"t":1796034244.8, "val":22.2, "seq":1}, …]}}
//! ```
//!
//! Series are columns over `x_values`, in seconds from `TIME`; raw values have times of their own,
//! in seconds since 1970. Pings are ms. A missing value is no loss: series are resampled. Series
//! of throughput are not read. Source: Flent's documentation of its data file format.

use crate::error::{ErrorKind, ImportError};
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::json::Value;

pub(crate) const ID: &str = "flent";

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let text = input.text().text.as_bytes();
    let mut g = Gathering::new(ID);
    let root = Value::first(text);
    let metadata = root.get("metadata");
    let start = metadata.any(&["TIME", "T0"]).date().unwrap_or(0);
    g.dated = true;
    for (name, values) in root.get("raw_values").members() {
        let name = String::from_utf8_lossy(name);
        if !is_delay(&name, metadata) || !values.items().any(|v| v.get("val").exists()) {
            continue;
        }
        let part = g.part(&name, PartKind::Series);
        for value in values.items().filter(|v| v.whole) {
            let at = value.get("t").ns(1_000_000_000);
            if let Some(ms) = value.num("val") {
                g.push_ms(part, at, None, ms);
            }
        }
    }
    for (name, values) in root.get("results").members() {
        let name = String::from_utf8_lossy(name);
        if !is_delay(&name, metadata) || g.parts.iter().any(|p| p.name == name) {
            continue;
        }
        let part = g.part(&name, PartKind::Series);
        let mut x = root.list("x_values");
        for value in values.items() {
            let at = x.next().and_then(|x| x.ns(1_000_000_000));
            if let Some(ms) = value.number() {
                g.push_ms(part, at.map(|t| t.saturating_add(start)), None, ms);
            }
        }
    }
    choose(&mut g);
    if g.is_empty() {
        let what = "This Flent file has no series of delays.";
        return Err(ImportError::new(ErrorKind::NoSamples, what).advise("run a test with ping in it"));
    }
    g.import(options)
}

/// A series of ms, by its name or its metadata.
fn is_delay(name: &str, metadata: Value<'_>) -> bool {
    let units = metadata.at(&["SERIES_META", name, "UNITS"]);
    let lower = name.to_ascii_lowercase();
    units.is("ms")
        || ["ping", "rtt", "(ms)", "delay", "latency"].iter().any(|w| lower.contains(w))
            && !lower.contains("jitter")
}

/// The first ping that was measured: not an average, not what other tests report in passing.
fn choose(g: &mut Gathering) {
    let rank = |name: &str| {
        let lower = name.to_ascii_lowercase();
        (lower.contains("avg") || lower.contains("mean"), !lower.starts_with("ping"))
    };
    let filled = |i: &usize| g.parts[*i].len() > 0;
    let best = (0..g.parts.len()).filter(filled).min_by_key(|i| rank(&g.parts[*i].name));
    for (i, part) in g.parts.iter_mut().enumerate() {
        part.usual = Some(i) == best;
    }
}

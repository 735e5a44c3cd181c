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
use crate::when;

pub(crate) const ID: &str = "flent";

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let text = input.text().text.as_bytes();
    let mut g = Gathering::new(ID);
    let Some(root) = Value::first(text) else { return g.import(options) };
    let metadata = root.get("metadata");
    let start = metadata.and_then(|m| m.get("TIME").or_else(|| m.get("T0"))).map(Value::word);
    let start = start.and_then(|s| when::of_any_form(s.as_bytes())).map(|w| w.ns);
    g.dated = true;
    let raw = root.get("raw_values");
    for (name, values) in raw.into_iter().flat_map(Value::members) {
        let name = String::from_utf8_lossy(name);
        if !is_delay(&name, metadata) || !values.items().any(|v| v.get("val").is_some()) {
            continue;
        }
        let part = g.part(&name, PartKind::Series);
        for value in values.items().filter(|v| v.whole) {
            let at = value.num("t").map(|s| (s * 1e9) as i64);
            if let Some(ms) = value.num("val") {
                g.push_ms(part, at, None, ms);
            }
        }
    }
    for (name, values) in root.get("results").into_iter().flat_map(Value::members) {
        let name = String::from_utf8_lossy(name);
        if !is_delay(&name, metadata) || g.parts.iter().any(|p| p.name == name) {
            continue;
        }
        let part = g.part(&name, PartKind::Series);
        let mut x = root.list("x_values");
        for value in values.items() {
            let at = x.next().and_then(Value::number).map(|s| (s * 1e9) as i64);
            if let Some(ms) = value.number() {
                g.push_ms(part, at.map(|t| t.saturating_add(start.unwrap_or(0))), None, ms);
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
fn is_delay(name: &str, metadata: Option<Value<'_>>) -> bool {
    let units = metadata.and_then(|m| m.at(&["SERIES_META", name, "UNITS"]));
    let lower = name.to_ascii_lowercase();
    units.is_some_and(|u| u.is("ms"))
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

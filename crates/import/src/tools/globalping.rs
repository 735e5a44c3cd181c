//! Measurements of Globalping, as its API returns them.
//!
//! ```text
//! {"id":"…", "type":"ping", "target":"example.com", "results":[
//!   {"probe":{"city":"Paris", "network":"…"}, "result":{"status":"finished", "rawOutput":"PING …",
//!      "stats":{"min":9.8, "avg":…, "max":…, "total":3, "rcv":3, "drop":0, "loss":0},
//!      "timings":[{"ttl":57, "rtt":9.8}, …]}}]}
//! ```
//!
//! Times are ms. Which packets were lost stands only in the raw output, which is what ping prints.
//! Of `traceroute` and `mtr` results have `hops`. Source: Globalping's API specification.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::{Gathering, fate, reply};
use crate::hops::{self, Hop};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::json::Value;
use crate::lines::Line;
use crate::ping_text;
use crate::printed::{Figure, Printed};
use crate::runs::Time;

pub(crate) const ID: &str = "globalping-json";

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    input.each_document(&mut |measurement| {
        let target = measurement.shown("target");
        for result in measurement.list("results") {
            let inner = result.get("result");
            if inner.get("hops").exists() {
                path(&mut g, inner);
            } else if inner.exists() {
                let city = result.at(&["probe", "city"]).word();
                ping(&mut g, &format!("{target} from {city}"), inner);
            }
        }
        Ok(())
    })?;
    g.import(options)
}

const FIGURES: &[(&str, Figure)] = &[
    ("total", Figure::Sent),
    ("rcv", Figure::Received),
    ("drop", Figure::Lost),
    ("loss", Figure::LossPct),
    ("min", Figure::Min),
    ("avg", Figure::Mean),
    ("max", Figure::Max),
    ("stDev", Figure::Deviation),
];

fn stats(result: Value<'_>) -> Option<Printed> {
    let stats = result.get("stats");
    let mut printed = Printed::default();
    printed.read(stats, FIGURES, 1.0);
    stats.exists().then_some(printed)
}

fn ping(g: &mut Gathering, name: &str, result: Value<'_>) {
    let printed = stats(result);
    if printed.is_none() && !result.get("timings").exists() {
        let why = result.shown("rawOutput");
        g.notes.quote(0, &format!("no samples of {name}"), why.as_bytes());
        return;
    }
    g.add(name, PartKind::Target);
    let part = g.parts.len() - 1;
    let raw = result.shown("rawOutput");
    // The output's line ends were made blanks: replies are told apart by what begins them.
    for piece in raw.split(" bytes from ").skip(1) {
        let line = format!("64 bytes from {piece}");
        if let Line::Reply(r) = ping_text::read_line(line.trim_end().as_bytes())
            && let (Some(seq), Time::Exact(ms)) = (r.seq, r.time)
        {
            // iputils counts from 1.
            g.numbered(part, u64::from(seq.saturating_sub(1)), None, None, reply(ms));
        }
    }
    if g.parts[part].len() == 0 {
        for timing in result.list("timings") {
            g.push(part, None, None, fate(timing.num("rtt")));
        }
    }
    g.fill_to(part, printed.as_ref().and_then(|p| p.sent).unwrap_or(0), None);
    g.parts[part].printed = printed;
}

fn path(g: &mut Gathering, result: Value<'_>) {
    let mut path = Vec::new();
    for (i, hop) in result.list("hops").enumerate() {
        let host = hop.any(&["resolvedAddress", "resolvedHostname"]).word();
        let mut fates: Vec<Fate> = hop.list("timings").map(|t| fate(t.num("rtt"))).collect();
        let position = u32::try_from(i).unwrap_or(u32::MAX).saturating_add(1);
        let printed = stats(hop).unwrap_or_default();
        // The list lacks what was lost.
        let lost = printed.lost.filter(|_| !fates.is_empty()).unwrap_or(0).min(1000);
        fates.extend((0..lost).map(|_| Fate::Lost));
        path.push(Hop { position, host, printed, fates, octets: None });
    }
    hops::add(g, path);
}

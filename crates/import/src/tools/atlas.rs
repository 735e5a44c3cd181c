//! Ping and traceroute results of RIPE Atlas, as downloaded: an array of results, or one a line.
//!
//! ```text
//! {"fw":5080, "prb_id":7, "dst_addr":"192.0.2.10", "timestamp":1796034244, "size":64,
//!  "result":[{"rtt":21.2}, {"x":"*"}, {"error":"…"}, {"rtt":36.4,"dup":1}],
//!  "sent":3, "rcvd":1, "dup":1, "min":21.2, "avg":21.2, "max":21.2}
//! ```
//!
//! Times are ms, `x` is a timeout, `min`, `avg` and `max` are −1 where nothing came back. Firmware
//! before 4460 sends no list, numbers may stand in quotes, and the destination is `name` and
//! `addr`. Packets of one result are a second apart unless it says otherwise (`interval`).
//! Source: RIPE Atlas, "Data structure", and results of each firmware in RIPE's Sagan.

use netspurt_core::trace::Fate;

use crate::error::{ErrorKind, ImportError};
use crate::gather::{Gathering, fate};
use crate::hops::{self, Hop};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::json::{Value, documents};
use crate::printed::Printed;

pub(crate) const ID: &str = "ripe-atlas-json";

/// A result's own counts.
#[derive(Debug, Default, Clone, Copy)]
struct Totals {
    sent: u64,
    received: u64,
    duplicates: u64,
    min: Option<f64>,
    max: Option<f64>,
    /// Sum of the delays that the means stand for.
    sum: f64,
}

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let text = input.text().text.as_bytes();
    let mut g = Gathering::new(ID);
    g.dated = true;
    let mut totals: Vec<Totals> = Vec::new();
    let mut other = None;
    // Results without a list, told by their counts alone.
    let mut bare: Vec<(usize, u64, u64)> = Vec::new();
    for result in results(text) {
        let kind = result.get("type");
        if kind.is("traceroute") {
            hops::add(&mut g, result.list("result").filter(|h| h.whole).map(hop).collect());
            totals.resize(g.parts.len(), Totals::default());
            input.reached(result)?;
            continue;
        }
        if kind.exists() && !kind.is("ping") {
            other = Some(kind.word());
            continue;
        }
        let part = g.part(&name(result), PartKind::Target);
        totals.resize(g.parts.len(), Totals::default());
        let own = sum_up(&mut totals[part], result);
        if result.get("result").exists() {
            packets(&mut g, part, result, own.sent);
        } else {
            bare.push((part, own.sent, own.received));
        }
        input.reached(result)?;
    }
    let no_list = g.parts.iter().all(|p| p.len() == 0);
    if let (true, Some(kind)) = (g.parts.is_empty(), other) {
        let what =
            format!("This is a RIPE Atlas measurement of kind {kind}; only ping and traceroute are read.");
        return Err(ImportError::new(ErrorKind::Refused, what).advise("open a ping measurement"));
    }
    if no_list {
        g.notes.push(0, "no samples: the results have counts and means, and no list of delays");
    } else {
        for (part, sent, received) in bare {
            // What was answered without a time is told of; what is lost is filled up.
            (0..received.min(100)).for_each(|_| g.push(part, None, None, Fate::Untimed));
            g.fill(part, sent - received, None);
        }
    }
    for (part, t) in g.parts.iter_mut().zip(&totals).filter(|(part, _)| part.kind == PartKind::Target) {
        let mean = (t.received > 0 && t.min.is_some()).then(|| t.sum / t.received as f64);
        part.printed = Some(
            Printed {
                sent: Some(t.sent),
                received: Some(t.received),
                duplicates: Some(t.duplicates),
                ..Printed::default()
            }
            .times(t.min, mean, t.max),
        );
    }
    g.import(options)
}

/// The results of a download: of an array, of lines, or of an object that holds them.
fn results(text: &[u8]) -> impl Iterator<Item = Value<'_>> {
    documents(text).flat_map(|d| d.get("results").or(d).each()).filter(|r| r.is_object() && r.whole)
}

fn name(result: Value<'_>) -> String {
    let to = result.any(&["dst_name", "name", "dst_addr", "addr"]).word();
    match &result.shown("prb_id")[..] {
        "" => to,
        probe => format!("{to} from probe {probe}"),
    }
}

/// Adds a result's own counts to those of its part, and returns them.
fn sum_up(total: &mut Totals, result: Value<'_>) -> Totals {
    let count = |name: &str| result.uint(name).unwrap_or(0).min(1 << 32);
    let ms = |name: &str| result.num(name).filter(|v| *v >= 0.0);
    let own = Totals {
        sent: count("sent"),
        received: count("rcvd").min(count("sent")),
        duplicates: count("dup"),
        min: ms("min"),
        max: ms("max"),
        sum: ms("avg").unwrap_or(0.0) * count("rcvd") as f64,
    };
    let least = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a.min(b)).or(a).or(b);
    let most = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a.max(b)).or(a).or(b);
    total.sent += own.sent;
    total.received += own.received;
    total.duplicates += own.duplicates;
    total.min = least(total.min, own.min);
    total.max = most(total.max, own.max);
    total.sum += own.sum;
    own
}

/// A hop of a traceroute: `{"hop":1, "result":[{"from":"192.0.2.254", "rtt":1.1}, {"x":"*"}]}`.
fn hop(hop: Value<'_>) -> Hop {
    let mut found = Hop { position: hop.length("hop").unwrap_or(0), ..Hop::default() };
    // What came late is of a probe before.
    for packet in hop.list("result").filter(|p| p.whole && !p.get("late").exists()) {
        if found.host.is_empty() {
            found.host = packet.shown("from");
        }
        found.fates.push(fate(packet.num("rtt")));
    }
    found
}

fn packets(g: &mut Gathering, part: usize, result: Value<'_>, sent: u64) {
    let start = result.get("timestamp").ns(1_000_000_000);
    let apart = result.get("interval").ns(1_000_000).unwrap_or(1_000_000_000);
    let octets = result.length("size");
    let mut n = 0_u32;
    for packet in result.list("result").filter(|p| p.is_object() && p.whole) {
        let ms = packet.num("rtt");
        // Of a name that was not found nothing was sent.
        if sent == 0 && ms.is_none() {
            continue;
        }
        if packet.get("dup").exists() {
            g.parts[part].duplicates += u64::from(ms.is_some());
            continue;
        }
        let at = start.map(|s| s.saturating_add(apart.saturating_mul(i64::from(n))));
        n += 1;
        g.parts[part].errors += u64::from(ms.is_none() && packet.get("error").exists());
        g.push(part, at, octets, fate(ms));
    }
    // A list may lack its timeouts.
    if sent > u64::from(n) {
        g.fill(part, sent - u64::from(n), octets);
    }
}

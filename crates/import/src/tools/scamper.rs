//! What scamper and `sc_warts2json` write: pings and traces, one object a line.
//!
//! ```text
//! {"type":"ping", "src":…, "dst":"192.0.2.10", "method":"icmp-echo", "ping_sent":4, "probe_size":84,
//!  "responses":[{"from":"192.0.2.10", "seq":0, "reply_size":84, "rtt":20.123, "icmp_type":0,
//!                "tx":{"sec":1796034244, "usec":83412}}, …],
//!  "statistics":{"replies":4, "loss":0, "min":…, "max":…, "avg":…}}
//! {"type":"trace", "dst":…, "hops":[{"addr":"192.0.2.254", "probe_ttl":1, "probe_id":0, "rtt":1.6}, …]}
//! ```
//!
//! Times are ms, numbers count from 0. An ICMP error to an echo is no answer. Source: scamper's code.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::{Gathering, reply};
use crate::hops::{self, Hop};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::json::Value;
use crate::printed::{Figure, Printed};

pub(crate) const ID: &str = "scamper-json";

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    g.dated = true;
    input.each_document(&mut |document| {
        match &document.shown("type")[..] {
            "ping" => ping(&mut g, document),
            "trace" => trace(&mut g, document),
            _ => {}
        }
        Ok(())
    })?;
    g.import(options)
}

const FIGURES: &[(&str, Figure)] = &[
    ("replies", Figure::Received),
    ("ndups", Figure::Duplicates),
    ("nerrs", Figure::Errors),
    ("min", Figure::Min),
    ("avg", Figure::Mean),
    ("max", Figure::Max),
    ("stddev", Figure::Deviation),
];

fn ping(g: &mut Gathering, ping: Value<'_>) {
    let name = ping.shown("dst");
    let octets = ping.length("probe_size");
    let echo = !ping.get("method").exists() || ping.shown("method").starts_with("icmp-echo");
    g.add(&name, PartKind::Run);
    let part = g.parts.len() - 1;
    for response in ping.list("responses").filter(|r| r.whole) {
        let seq = response.uint("seq").unwrap_or(g.parts[part].len() as u64);
        let tx = response.get("tx");
        let at = tx.get("sec").ns(1_000_000_000).zip(tx.get("usec").ns(1000));
        let at = at.map(|(sec, usec)| sec.saturating_add(usec));
        // Echo replies of ICMP and ICMPv6.
        if echo && response.uint("icmp_type").is_some_and(|t| t != 0 && t != 129) {
            g.parts[part].errors += 1;
            g.numbered(part, seq, at, octets, None);
            continue;
        }
        let rtt = response.num("rtt").and_then(reply);
        g.numbered(part, seq, at, octets, Some(rtt.unwrap_or(Fate::Untimed)));
    }
    g.fill_to(part, ping.uint("ping_sent").unwrap_or(0), octets);
    let stats = ping.get("statistics");
    if stats.exists() {
        let mut printed = Printed { sent: ping.uint("ping_sent"), ..Printed::default() };
        printed.read(stats, FIGURES, 1.0);
        printed.loss_pct = stats.num("loss").map(|share| share * 100.0);
        g.parts[part].printed = Some(printed);
    }
}

fn trace(g: &mut Gathering, trace: Value<'_>) {
    let octets = trace.length("probe_size");
    let attempts = trace.uint("attempts").unwrap_or(1).clamp(1, 100);
    let count = trace.uint("hop_count").unwrap_or(0).min(255);
    let mut path: Vec<Hop> = Vec::new();
    let hop = |path: &mut Vec<Hop>, position: u64| {
        while (path.len() as u64) < position {
            let position = u32::try_from(path.len()).unwrap_or(u32::MAX) + 1;
            path.push(Hop { position, octets, ..Hop::default() });
        }
    };
    hop(&mut path, count);
    for reply_to in trace.list("hops").filter(|h| h.whole) {
        let Some(position) = reply_to.uint("probe_ttl").filter(|n| (1..256).contains(n)) else { continue };
        hop(&mut path, position);
        let at = usize::try_from(position).unwrap_or(1) - 1;
        if path[at].host.is_empty() {
            path[at].host = reply_to.shown("addr");
        }
        let ms = reply_to.num("rtt");
        path[at].fates.push(ms.and_then(reply).unwrap_or(Fate::Untimed));
    }
    for hop in path.iter_mut().filter(|h| h.fates.is_empty()) {
        hop.fates = vec![Fate::Lost; usize::try_from(attempts).unwrap_or(1)];
    }
    hops::add(g, path);
}

//! The result file of irtt (`irtt client -o`), its JSON format 1.
//!
//! ```text
//! {"config":{"remote_address":"198.51.100.2:2112", "params":{"length":60, …}},
//!  "stats":{"packets_sent":50, "packets_received":49, "duplicates":0, "rtt":{"min":…, "mean":…}},
//!  "round_trips":[{"seqno":0, "lost":"false", "delay":{"receive":…, "rtt":35411196, "send":…},
//!                  "timestamps":{"client":{"send":{"wall":…, "monotonic":…}}}}, …]}
//! ```
//!
//! All times are nanoseconds; `lost` is a word: `false`, `true`, `true_up` or `true_down`. Round
//! trips do not contain the time at the server. Source: irtt's documentation and code.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::{Gathering, reply};
use crate::import::{Import, Options, PartKind, Printed};
use crate::input::Input;
use crate::json::Value;

pub(crate) const ID: &str = "irtt-json";

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let text = input.text().text.as_bytes();
    let mut g = Gathering::new(ID);
    g.dated = true;
    let Some(root) = Value::first(text) else { return g.import(options) };
    let config = root.get("config");
    let target = config.and_then(|c| c.get("remote_address")).map(Value::word).unwrap_or_default();
    let octets = config.and_then(|c| c.at(&["params", "length"])).and_then(Value::integer);
    let octets = octets.and_then(|n| u32::try_from(n).ok());
    let part = g.part(&target, PartKind::Run);
    let ns = |v: Value<'_>| v.integer().and_then(|n| i64::try_from(n).ok());
    let trips = root.list("round_trips");
    for (i, trip) in trips.filter(|t| t.whole).enumerate() {
        let send = trip.at(&["timestamps", "client", "send"]);
        let at = send.and_then(|s| s.get("wall").or_else(|| s.get("monotonic"))).and_then(ns);
        let rtt = trip.at(&["delay", "rtt"]).and_then(Value::number).map(|ns| ns / 1e6);
        let lost = trip.get("lost").is_some_and(|l| !l.is("false"));
        match rtt.filter(|_| !lost) {
            Some(ms) if reply(ms).is_some() => g.push_ms(part, at, octets, ms),
            // The clock was set back.
            Some(_) => g.push(part, at, octets, Fate::Untimed),
            None => g.push(part, at, octets, if lost { Fate::Lost } else { Fate::Untimed }),
        }
        if i % 4096 == 0 {
            input.progress(i, i + 4096)?;
        }
    }
    if let Some(stats) = root.get("stats") {
        let count = |name: &str| stats.uint(name);
        let ms = |name: &str| stats.at(&["rtt", name]).and_then(Value::number).map(|ns| ns / 1e6);
        g.parts[part].duplicates = count("duplicates").unwrap_or(0);
        let printed = Printed {
            sent: count("packets_sent"),
            received: count("packets_received"),
            duplicates: count("duplicates"),
            loss_pct: stats.num("packet_loss_percent"),
            deviation_ms: ms("stddev"),
            ..Printed::default()
        };
        g.parts[part].printed = Some(printed.times(ms("min"), ms("mean"), ms("max")));
    }
    g.import(options)
}

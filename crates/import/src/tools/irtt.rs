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
    let root = Value::first(text);
    let config = root.get("config");
    let octets = config.get("params").length("length");
    let part = g.part(&config.shown("remote_address"), PartKind::Run);
    let trips = root.list("round_trips");
    for (i, trip) in trips.filter(|t| t.whole).enumerate() {
        let at = trip.at(&["timestamps", "client", "send"]).any(&["wall", "monotonic"]).ns(1);
        let rtt = trip.get("delay").num("rtt").map(|ns| ns / 1e6);
        let lost = trip.get("lost");
        // Where there is no delay though nothing was lost, the clock was set back.
        let fate = if lost.is("false") || !lost.exists() {
            rtt.and_then(reply).unwrap_or(Fate::Untimed)
        } else {
            Fate::Lost
        };
        g.push(part, at, octets, fate);
        if i % 4096 == 0 {
            input.progress(i, i + 4096)?;
        }
    }
    let stats = root.get("stats");
    if stats.exists() {
        let count = |name: &str| stats.uint(name);
        let ms = |name: &str| stats.get("rtt").num(name).map(|ns| ns / 1e6);
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

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
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::json::Value;
use crate::printed::{Figure, Printed};

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
    for trip in trips.filter(|t| t.whole) {
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
        input.reached(trip)?;
    }
    let stats = root.get("stats");
    if stats.exists() {
        let mut printed = Printed::default();
        printed.read(stats, COUNTS, 1.0);
        printed.read(stats.get("rtt"), TIMES, 1e6);
        g.parts[part].duplicates = printed.duplicates.unwrap_or(0);
        g.parts[part].printed = Some(printed);
    }
    g.import(options)
}

const COUNTS: &[(&str, Figure)] = &[
    ("packets_sent", Figure::Sent),
    ("packets_received", Figure::Received),
    ("duplicates", Figure::Duplicates),
    ("packet_loss_percent", Figure::LossPct),
];

const TIMES: &[(&str, Figure)] =
    &[("min", Figure::Min), ("mean", Figure::Mean), ("max", Figure::Max), ("stddev", Figure::Deviation)];

//! What jc makes of a ping's output: one object, or with `--ping-s` one a line.
//!
//! ```text
//! {"destination":"a.example", "packets_transmitted":3, "packets_received":2, "responses":[
//!  {"type":"reply", "timestamp":1796034244.8, "bytes":64, "icmp_seq":1, "ttl":57, "time_ms":20.1,
//!   "duplicate":false}, {"type":"timeout", "icmp_seq":2}]}
//! ```
//!
//! Times are ms. A reply is of type `reply`; every other type is a probe without one. Numbers wrap at
//! 65 535 and begin where the first line does. Source: jc's schemas of its parsers ping and ping-s.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::{Gathering, fate};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::json::Value;
use crate::printed::{Figure, Printed};

pub(crate) const ID: &str = "jc-ping-json";

/// Numbers begin again after so many.
const NUMBERS: u64 = 1 << 16;

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    g.dated = true;
    let mut last = None;
    input.each_document(&mut |object| {
        let name = object.any(&["destination", "destination_ip"]).word();
        let part = g.part(&name, PartKind::Target);
        if object.get("responses").exists() {
            last = None;
        }
        for response in object.list("responses").chain(object.get("type").exists().then_some(object)) {
            packet(&mut g, part, response, &mut last);
        }
        if object.uint("packets_transmitted").is_some() {
            let mut printed = Printed::default();
            printed.read(object, FIGURES, 1.0);
            if let Some(sent) = printed.sent {
                g.fill_to(part, sent, None);
            }
            g.parts[part].printed = Some(printed);
        }
        Ok(())
    })?;
    g.import(options)
}

/// Writes down what came of a packet. `last` is the number of the one before and its place.
fn packet(g: &mut Gathering, part: usize, packet: Value<'_>, last: &mut Option<(u64, u64)>) {
    let kind = packet.shown("type");
    if kind == "summary" || !packet.whole {
        return;
    }
    let at = packet.get("timestamp").ns(1_000_000_000);
    let octets = packet.length("bytes");
    let answered = kind == "reply";
    g.parts[part].errors += u64::from(!answered && kind != "timeout");
    let fate = answered.then(|| packet.num("time_ms").map_or(Fate::Untimed, |ms| fate(Some(ms))));
    let Some(seq) = packet.uint("icmp_seq") else {
        g.push(part, at, octets, fate.unwrap_or(Fate::Lost));
        return;
    };
    let place = match *last {
        // The first is where the numbers begin: at 0, at 1, or later if those before it were lost.
        None => seq.saturating_sub(1),
        // A number far below the one before has wrapped.
        Some((before, place)) => {
            let ahead = (seq + NUMBERS - before % NUMBERS) % NUMBERS;
            if ahead < NUMBERS / 2 { place + ahead } else { place.saturating_sub(NUMBERS - ahead) }
        }
    };
    *last = Some((seq, place));
    g.numbered(part, place, at, octets, fate);
}

const FIGURES: &[(&str, Figure)] = &[
    ("packets_transmitted", Figure::Sent),
    ("packets_received", Figure::Received),
    ("duplicates", Figure::Duplicates),
    ("errors", Figure::Errors),
    ("packet_loss_percent", Figure::LossPct),
    ("round_trip_ms_min", Figure::Min),
    ("round_trip_ms_avg", Figure::Mean),
    ("round_trip_ms_max", Figure::Max),
    ("round_trip_ms_stddev", Figure::Deviation),
];

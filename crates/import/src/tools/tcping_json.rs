//! What tcping prints with `-j`: an object for each probe, and one of statistics.
//!
//! ```text
//! {"type":"probe", "message":"…", "timestamp":"2026-11-30T10:24:04Z", "addr":"192.0.2.10", "port":443,
//!  "success":true, "time":12.345}
//! {"type":"statistics", "total_packets":5, "total_successful_probes":4, "latency_min":"11.2", …}
//! ```
//!
//! `time` is the time to connect in ms (`latency` in older versions). Source: tcping's code.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::{Gathering, reply};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::printed::{Figure, Printed};

pub(crate) const ID: &str = "tcping-json";

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    g.dated = true;
    input.each_document(&mut |object| {
        let kind = object.shown("type");
        match &kind[..] {
            "probe" if object.whole => {
                let part = g.part(&object.any(&["hostname", "addr"]).word(), PartKind::Run);
                let ms = object.any(&["time", "latency"]).number();
                let success = object.get("success");
                let success = success.is("true") || !success.exists() && ms.is_some();
                let fate = if success { ms.and_then(reply).unwrap_or(Fate::Untimed) } else { Fate::Lost };
                g.push(part, object.get("timestamp").date(), None, fate);
            }
            "statistics" if !g.parts.is_empty() => {
                let mut printed = Printed::default();
                printed.read(object, FIGURES, 1.0);
                g.parts[0].printed = Some(printed);
            }
            _ => {}
        }
        Ok(())
    })?;
    g.import(options)
}

const FIGURES: &[(&str, Figure)] = &[
    ("total_packets", Figure::Sent),
    ("total_successful_probes", Figure::Received),
    ("total_unsuccessful_probes", Figure::Lost),
    ("total_packet_loss", Figure::LossPct),
    ("latency_min", Figure::Min),
    ("latency_avg", Figure::Mean),
    ("latency_max", Figure::Max),
];

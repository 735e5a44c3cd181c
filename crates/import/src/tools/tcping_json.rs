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
use crate::import::{Import, Options, PartKind, Printed};
use crate::input::Input;
use crate::json::{Value, documents};

pub(crate) const ID: &str = "tcping-json";

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    g.dated = true;
    for object in documents(input.text().text.as_bytes()).flat_map(Value::each) {
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
                let printed = Printed {
                    sent: object.uint("total_packets"),
                    received: object.uint("total_successful_probes"),
                    lost: object.uint("total_unsuccessful_probes"),
                    loss_pct: object.num("total_packet_loss"),
                    ..Printed::default()
                };
                let times = (object.num("latency_min"), object.num("latency_avg"), object.num("latency_max"));
                g.parts[0].printed = Some(printed.times(times.0, times.1, times.2));
            }
            _ => {}
        }
    }
    g.import(options)
}

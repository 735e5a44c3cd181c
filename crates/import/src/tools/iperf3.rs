//! What iperf3 prints with `-J`, or line by line with `--json-stream`.
//!
//! ```text
//! {"start":{"timestamp":{"timesecs":1796034348}, …},
//!  "intervals":[{"streams":[{"socket":5, "start":0, "end":0.5, "rtt":40324, "rttvar":864}], …}],
//!  "end":{"streams":[{"sender":{"socket":5, "min_rtt":40324, "mean_rtt":53786, "max_rtt":62150}}]}}
//! ```
//!
//! `rtt` is the kernel's smoothed round-trip time at the end of each interval, in microseconds; the
//! side that sends knows it, and UDP has none. Source: iperf3's code.

use crate::error::{ErrorKind, ImportError};
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind, Printed};
use crate::input::Input;
use crate::json::{Value, documents};

pub(crate) const ID: &str = "iperf3-json";

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let text = input.text().text.as_bytes();
    let mut g = Gathering::new(ID);
    let mut start = None;
    for document in documents(text) {
        // Of a stream each line has its event's name and data.
        let event = document.shown("event");
        let data = document.get("data").filter(|_| !event.is_empty()).unwrap_or(document);
        let of = |name: &str| if event == name { Some(data) } else { data.get(name) };
        if let Some(value) = of("start").and_then(|s| s.at(&["timestamp", "timesecs"])) {
            start = value.integer().and_then(|s| i64::try_from(s).ok()?.checked_mul(1_000_000_000));
        }
        if event == "interval" {
            interval(&mut g, data, start);
        }
        for value in data.list("intervals") {
            interval(&mut g, value, start);
        }
        if let Some(end) = of("end") {
            for stream in end.list("streams") {
                summary(&mut g, stream.get("sender").unwrap_or(stream));
            }
        }
        if let Some(error) = document.get("error") {
            g.notes.push(0, format!("iperf3 reported: {}", error.word()));
        }
    }
    g.dated = start.is_some();
    if g.is_empty() {
        let what = "This iperf3 report has no round-trip times: UDP, or the receiving side.";
        return Err(ImportError::new(ErrorKind::NoSamples, what).advise("run it with TCP from the sender"));
    }
    g.notes.push(0, "delays are the kernel's smoothed round-trip times, one an interval, not single packets");
    g.import(options)
}

fn name(stream: Value<'_>) -> String {
    let socket = stream.get("socket").or_else(|| stream.get("id"));
    format!("socket {}", socket.map(Value::word).unwrap_or_default())
}

fn interval(g: &mut Gathering, interval: Value<'_>, start: Option<i64>) {
    for stream in interval.list("streams").filter(|s| s.whole) {
        let Some(us) = stream.num("rtt") else { continue };
        let part = g.part(&name(stream), PartKind::Flow);
        let end = stream.num("end").map(|s| (s * 1e9) as i64);
        // 0 stands for what the system does not tell.
        if us > 0.0 {
            let at = end.map(|t| t.saturating_add(start.unwrap_or(0)));
            g.push_ms(part, at, None, us / 1000.0);
        } else {
            g.leave_out(part, 0);
        }
    }
}

fn summary(g: &mut Gathering, stream: Value<'_>) {
    let ms = |name: &str| stream.num(name).filter(|v| *v > 0.0).map(|us| us / 1000.0);
    let times = (ms("min_rtt"), ms("mean_rtt"), ms("max_rtt"));
    if times.1.is_some() {
        let part = g.part(&name(stream), PartKind::Flow);
        g.parts[part].printed = Some(Printed::default().times(times.0, times.1, times.2));
    }
}

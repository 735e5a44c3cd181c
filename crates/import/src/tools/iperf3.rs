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
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::json::{Value, documents};
use crate::printed::Printed;

pub(crate) const ID: &str = "iperf3-json";

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let text = input.text().text.as_bytes();
    let mut g = Gathering::new(ID);
    let mut start = None;
    // With --get-server-output the other side's report stands within.
    for document in documents(text).flat_map(|d| [d, d.get("server_output_json")]) {
        // Of a stream each line has its event's name and data.
        let event = document.shown("event");
        let data = if event.is_empty() { document } else { document.get("data").or(document) };
        let of = |name: &str| if event == name { data } else { data.get(name) };
        start = of("start").at(&["timestamp", "timesecs"]).ns(1_000_000_000).or(start);
        if event == "interval" {
            interval(&mut g, data, start);
        }
        for value in data.list("intervals") {
            interval(&mut g, value, start);
        }
        for stream in of("end").list("streams") {
            summary(&mut g, stream.get("sender").or(stream));
        }
        let error = document.shown("error");
        if !error.is_empty() {
            g.notes.push(0, format!("iperf3 reported: {error}"));
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
    format!("socket {}", stream.any(&["socket", "id"]).word())
}

fn interval(g: &mut Gathering, interval: Value<'_>, start: Option<i64>) {
    for stream in interval.list("streams").filter(|s| s.whole) {
        let Some(us) = stream.num("rtt") else { continue };
        let part = g.part(&name(stream), PartKind::Flow);
        let end = stream.get("end").ns(1_000_000_000);
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

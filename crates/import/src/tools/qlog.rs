//! qlog: what a QUIC implementation logs of its connections, in each of three generations.
//!
//! ```text
//! {"qlog_version":"0.3", "traces":[{"events":[{"time":5.1, "name":"recovery:metrics_updated",
//!    "data":{"latest_rtt":53.77, "smoothed_rtt":53.77, "min_rtt":53.77}}, …]}]}
//! {"qlog_version":"draft-01", "traces":[{"configuration":{"time_units":"us"},
//!    "event_fields":["relative_time","category","event","data"],
//!    "events":[[5100, "recovery", "metrics_updated", {"latest_rtt":53770}], …]}]}
//! ␞{"qlog_format":"JSON-SEQ", "trace":{…}}
//! ␞{"time":5.1, "name":"quic:recovery_metrics_updated", "data":{…}}
//! ```
//!
//! `latest_rtt` is the latest sample, taken as it is; it stands in an event only where it changed.
//! Times are ms; up to draft 01 they may be microseconds (`time_units`). Event times count from
//! `reference_time`, or from the event before. Sources: draft-marx-qlog-main-schema-00 to
//! draft-ietf-quic-qlog-main-schema-13 and the QUIC event drafts beside them.

use crate::error::{ErrorKind, ImportError};
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::json::{Value, documents};

pub(crate) const ID: &str = "qlog";

/// How the events of a trace are written.
struct Form {
    /// ms in one unit of time.
    unit: f64,
    /// Where the data stand in an event that is an array, and the time.
    data: usize,
    time: usize,
    /// ms since 1970 that times count from.
    origin: f64,
    /// Each time counts from that of the event before.
    steps: bool,
    now: f64,
}

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let text = input.text().text.as_bytes();
    let mut g = Gathering::new(ID);
    for field in ["latest_rtt", "smoothed_rtt"] {
        let mut form = Form::of(Value::MISSING);
        let mut stream = None;
        for document in documents(text) {
            for trace in document.list("traces") {
                let name = title(trace, g.parts.len());
                let mut form = Form::of(trace);
                g.add(&name, PartKind::Series);
                let part = g.parts.len() - 1;
                for event in trace.list("events") {
                    form.event(&mut g, part, event, field);
                    input.reached(event)?;
                }
            }
            // A sequence: a head, then an event a line.
            let trace = document.get("trace");
            if trace.exists() {
                form = Form::of(trace);
                g.add(&title(trace, g.parts.len()), PartKind::Series);
                stream = Some(g.parts.len() - 1);
            } else if let Some(part) = stream {
                input.reached(document)?;
                form.event(&mut g, part, document, field);
            } else if document.get("qlog_format").exists() {
                g.add("connection 1", PartKind::Series);
                stream = Some(g.parts.len() - 1);
            }
        }
        if !g.is_empty() {
            if field == "smoothed_rtt" {
                g.notes.push(0, "the log has no latest_rtt: delays are smoothed ones");
            }
            break;
        }
        g.parts.clear();
    }
    if g.is_empty() {
        let what = "This qlog has no round-trip times: no event updates latest_rtt.";
        return Err(ImportError::new(ErrorKind::NoSamples, what).advise("log the events of recovery too"));
    }
    g.parts.retain(|p| p.len() > 0);
    for (i, part) in g.parts.iter_mut().enumerate() {
        part.usual = i == 0;
    }
    g.dated = true;
    g.import(options)
}

fn title(trace: Value<'_>, index: usize) -> String {
    let side = trace.at(&["vantage_point", "type"]).word();
    let id = trace.get("common_fields").any(&["ODCID", "group_id"]).word();
    match (side.is_empty(), id.is_empty()) {
        (false, false) => format!("{side} {id}"),
        (true, true) => format!("connection {}", index + 1),
        _ => side + &id,
    }
}

impl Form {
    fn of(trace: Value<'_>) -> Self {
        let common = trace.get("common_fields");
        let units = trace.at(&["configuration", "time_units"]).or(common.get("time_units"));
        let unit = if units.is("us") { 0.001 } else { 1.0 };
        let fields: Vec<String> = trace.list("event_fields").map(|f| f.word().to_ascii_lowercase()).collect();
        let place = |word: &str| fields.iter().position(|f| f.ends_with(word));
        let reference = common.get("reference_time");
        let epoch = reference.get("epoch").or(reference).date().map(|ns| ns as f64 / 1e6);
        Self {
            unit,
            data: place("data").unwrap_or(3),
            time: place("time").unwrap_or(0),
            origin: reference.number().map(|v| v * unit).or(epoch).unwrap_or(0.0),
            steps: matches!(&common.shown("time_format")[..], "delta" | "relative_to_previous_event"),
            now: 0.0,
        }
    }

    fn event(&mut self, g: &mut Gathering, part: usize, event: Value<'_>, field: &str) {
        let item = |index| event.items().nth(index).unwrap_or(Value::MISSING);
        let (time, data) = if event.is_array() {
            (item(self.time), item(self.data))
        } else {
            (event.any(&["time", "relative_time"]), event.get("data"))
        };
        if let Some(time) = time.number() {
            let time = time * self.unit;
            self.now = if self.steps { self.now + time } else { time };
        }
        let Some(rtt) = data.num(field).filter(|_| data.whole) else { return };
        // Where times are absolute, the reference is the first of them.
        let now = if self.now >= self.origin && self.origin > 0.0 && !self.steps {
            self.now
        } else {
            self.origin + self.now
        };
        g.push_ms(part, Some((now * 1e6) as i64), None, rtt * self.unit);
    }
}

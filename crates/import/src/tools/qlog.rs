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
use crate::when;

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
        let mut form = Form::of(None);
        let mut stream = None;
        let mut n = 0_usize;
        for document in documents(text) {
            for trace in document.list("traces") {
                let name = title(trace, g.parts.len());
                let mut form = Form::of(Some(trace));
                g.add(&name, PartKind::Series);
                let part = g.parts.len() - 1;
                for event in trace.list("events") {
                    form.event(&mut g, part, event, field);
                    n += 1;
                    if n % 4096 == 0 {
                        input.progress(n, n + 4096)?;
                    }
                }
            }
            // A sequence: a head, then an event a line.
            if let Some(trace) = document.get("trace") {
                form = Form::of(Some(trace));
                g.add(&title(trace, g.parts.len()), PartKind::Series);
                stream = Some(g.parts.len() - 1);
            } else if let Some(part) = stream {
                form.event(&mut g, part, document, field);
            } else if document.get("qlog_format").is_some() {
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
    let side = trace.at(&["vantage_point", "type"]).map(Value::word);
    let common = trace.get("common_fields");
    let id = common.and_then(|c| c.get("ODCID").or_else(|| c.get("group_id"))).map(Value::word);
    match (side, id) {
        (Some(side), Some(id)) => format!("{side} {id}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => format!("connection {}", index + 1),
    }
}

impl Form {
    fn of(trace: Option<Value<'_>>) -> Self {
        let at = |path: &[&str]| trace.and_then(|t| t.at(path));
        let common = |name: &str| at(&["common_fields", name]);
        let units = at(&["configuration", "time_units"]).or_else(|| common("time_units"));
        let unit = if units.is_some_and(|u| u.is("us")) { 0.001 } else { 1.0 };
        let fields = at(&["event_fields"]).into_iter().flat_map(Value::items);
        let fields: Vec<String> = fields.map(|f| f.word().to_ascii_lowercase()).collect();
        let place = |word: &str| fields.iter().position(|f| f.ends_with(word));
        let reference = common("reference_time");
        let number = reference.and_then(Value::number).map(|v| v * unit);
        let epoch = reference.and_then(|r| r.get("epoch")).or(reference).map(Value::word);
        let epoch = epoch.and_then(|s| when::of_any_form(s.as_bytes())).map(|w| w.ns as f64 / 1e6);
        let format = common("time_format").map(Value::word).unwrap_or_default();
        Self {
            unit,
            data: place("data").unwrap_or(3),
            time: place("time").unwrap_or(0),
            origin: number.or(epoch).unwrap_or(0.0),
            steps: matches!(&format[..], "delta" | "relative_to_previous_event"),
            now: 0.0,
        }
    }

    fn event(&mut self, g: &mut Gathering, part: usize, event: Value<'_>, field: &str) {
        let time = if event.is_array() {
            event.items().nth(self.time)
        } else {
            event.get("time").or_else(|| event.get("relative_time"))
        };
        if let Some(time) = time.and_then(Value::number) {
            let time = time * self.unit;
            self.now = if self.steps { self.now + time } else { time };
        }
        let data = if event.is_array() { event.items().nth(self.data) } else { event.get("data") };
        let Some(rtt) = data.filter(|d| d.whole).and_then(|d| d.get(field)).and_then(Value::number) else {
            return;
        };
        // Where times are absolute, the reference is the first of them.
        let now = if self.now >= self.origin && self.origin > 0.0 && !self.steps {
            self.now
        } else {
            self.origin + self.now
        };
        g.push_ms(part, Some((now * 1e6) as i64), None, rtt * self.unit);
    }
}

//! The JSON of `netspurt imp-flow`. Times in ms.

use netspurt_core::imp::Disposition;
use netspurt_core::imp::network::{Event, LineUse, Row, Run, Window};
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
pub(super) struct Answer<'a> {
    messages: Messages<'a>,
    retransmitted: &'a [u32],
    windows: Figures<'a>,
    events: Events<'a>,
    /// Places in the scenario, from 0, of events that hit nothing.
    idle: &'a [usize],
}

impl<'a> Answer<'a> {
    pub(super) fn new(window: Window, run: &'a Run) -> Self {
        let s = run.statistics;
        Self {
            messages: Messages(&run.rows),
            retransmitted: &run.retransmitted,
            windows: Figures {
                from_ms: window.from_ms,
                to_ms: window.to_ms,
                throughput_kbs: s.throughput_kbs,
                mean_rtt_ms: s.mean_rtt_ms,
                mean_in_flight: s.mean_in_flight,
                max_utilization: s.max_utilization,
                longest_gap_ms: s.longest_gap_ms,
                lines: run.lines.iter().map(Use::of).collect(),
            },
            events: Events(&run.events),
            idle: &run.idle,
        }
    }
}

#[derive(Serialize)]
struct Figures<'a> {
    from_ms: f64,
    to_ms: f64,
    throughput_kbs: f64,
    mean_rtt_ms: Option<f64>,
    mean_in_flight: f64,
    max_utilization: f64,
    longest_gap_ms: Option<f64>,
    lines: Vec<Use<'a>>,
}

#[derive(Serialize)]
struct Use<'a> {
    path: &'a str,
    line: usize,
    /// Whose direction: `data` or `control`.
    direction: &'static str,
    utilization: f64,
}

impl<'a> Use<'a> {
    fn of(l: &'a LineUse) -> Self {
        let direction = if l.back { "control" } else { "data" };
        Self { path: &l.path, line: l.line, direction, utilization: l.utilization }
    }
}

/// One a message, from number 0 on.
struct Messages<'a>(&'a [Row]);

#[derive(Serialize)]
struct MessageRow {
    message: usize,
    first_sent_ms: f64,
    rfnm_ms: Option<f64>,
    rtt_ms: Option<f64>,
    sendings: u32,
}

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(Some(self.0.len()))?;
        for (message, row) in self.0.iter().enumerate() {
            seq.serialize_element(&MessageRow {
                message,
                first_sent_ms: row.first_sent_ms(),
                rfnm_ms: row.rfnm_ms(),
                rtt_ms: row.rtt_ms(),
                sendings: row.sendings,
            })?;
        }
        seq.end()
    }
}

struct Events<'a>(&'a [Event]);

#[derive(Serialize)]
struct EventRow {
    t_ms: f64,
    site: &'static str,
    pdu: &'static str,
    message: u32,
    word: &'static str,
    disposition: Option<&'static str>,
}

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(Some(self.0.len()))?;
        for e in self.0 {
            seq.serialize_element(&EventRow {
                t_ms: e.ms(),
                site: e.site.name(),
                pdu: e.pdu.name(),
                message: e.message,
                word: e.word.name(),
                disposition: e.disposition.map(Disposition::name),
            })?;
        }
        seq.end()
    }
}

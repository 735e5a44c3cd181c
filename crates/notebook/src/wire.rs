//! A trace as a message between the page and its worker: columns of octets, copied as they are.

use netspurt_core::octets;
use netspurt_core::shared::Shared;
use netspurt_core::trace::{Clock, Fate, Measure, Note, Provenance, Trace, TraceBuilder};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
struct Message {
    name: String,
    provenance: Provenance,
    one_way: bool,
    notes: Vec<(usize, String)>,
    /// Empty where the source had no times. Numbers are eight octets, the lowest first.
    #[serde(with = "serde_bytes")]
    sent: Vec<u8>,
    /// Four octets a record, [`NO_LENGTH`] where there is none; empty where there are none at all.
    #[serde(with = "serde_bytes")]
    octets: Vec<u8>,
    /// Delays and bounds; 0 where there is none.
    #[serde(with = "serde_bytes")]
    delays: Vec<u8>,
    /// A letter a record.
    #[serde(with = "serde_bytes")]
    fates: Vec<u8>,
}

const NO_LENGTH: u32 = u32::MAX;
const REPLY: u8 = b'r';
const BELOW: u8 = b'b';
const LOST: u8 = b'l';
const UNTIMED: u8 = b'u';

pub(crate) fn serialize<S: Serializer>(trace: &Shared<Trace>, to: S) -> Result<S::Ok, S::Error> {
    let fate = |fate| match fate {
        Fate::Reply(_) => REPLY,
        Fate::Below(_) => BELOW,
        Fate::Lost => LOST,
        Fate::Untimed => UNTIMED,
    };
    let lengths = if trace.has_lengths() { 0..trace.len() } else { 0..0 };
    let message = Message {
        name: trace.name.clone(),
        provenance: trace.provenance.clone(),
        one_way: trace.measure == Measure::OneWay,
        notes: trace.notes.iter().map(|n| (n.line, n.text.clone())).collect(),
        sent: if trace.clock == Clock::Elapsed { octets::of(trace.sent()) } else { Vec::new() },
        octets: lengths.flat_map(|i| trace.octets(i).unwrap_or(NO_LENGTH).to_le_bytes()).collect(),
        delays: octets::of(trace.delays()),
        fates: trace.records().map(|r| fate(r.fate)).collect(),
    };
    message.serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Shared<Trace>, D::Error> {
    let m = Message::deserialize(from)?;
    let mut builder = TraceBuilder::new(&m.name, m.provenance);
    builder.measure = if m.one_way { Measure::OneWay } else { Measure::RoundTrip };
    builder.notes = m.notes.into_iter().map(|(line, text)| Note { line, text }).collect();
    for (i, &letter) in m.fates.iter().enumerate() {
        let delay = number(&m.delays, i).unwrap_or(0.0);
        let fate = match letter {
            REPLY => Fate::Reply(delay),
            BELOW => Fate::Below(delay),
            LOST => Fate::Lost,
            _ => Fate::Untimed,
        };
        builder.push(number(&m.sent, i), length(&m.octets, i), fate).map_err(D::Error::custom)?;
    }
    Ok(Shared::new(builder.build()))
}

/// Number `i` of a column. `None` past its end.
fn number(column: &[u8], i: usize) -> Option<f64> {
    column.as_chunks().0.get(i).map(|b| f64::from_le_bytes(*b))
}

fn length(column: &[u8], i: usize) -> Option<u32> {
    column.as_chunks().0.get(i).map(|b| u32::from_le_bytes(*b)).filter(|n| *n != NO_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{pack, unpack};

    #[derive(Serialize, Deserialize)]
    struct Wrapped(#[serde(with = "super")] Shared<Trace>);

    fn check(records: &[(Option<f64>, Option<u32>, Fate)]) {
        let mut builder = TraceBuilder::new("t", Provenance::Opened { format: "csv".to_owned() });
        builder.notes.push(Note { line: 3, text: "a note".to_owned() });
        for (sent, octets, fate) in records {
            builder.push(*sent, *octets, *fate).unwrap();
        }
        let trace = Shared::new(builder.build());
        let sent = pack(&Wrapped(trace.clone())).unwrap();
        let Wrapped(again) = unpack(&sent).unwrap();
        assert_eq!(
            (&again.name, &again.notes, &again.provenance, again.clock, again.measure),
            (&trace.name, &trace.notes, &trace.provenance, trace.clock, trace.measure)
        );
        assert!(again.records().eq(trace.records()));
    }

    #[test]
    fn a_trace_comes_back_as_it_was() {
        check(&[]);
        check(&[(None, None, Fate::Reply(0.1)), (None, None, Fate::Lost)]);
        check(&[
            (Some(0.0), Some(64), Fate::Reply(12.4)),
            (Some(1000.5), None, Fate::Below(1.0)),
            (Some(2000.25), Some(0), Fate::Untimed),
        ]);
    }
}

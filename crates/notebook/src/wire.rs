//! A trace as a message between the page and its worker: columns of octets, copied as they are.

use netspurt_core::shared::Shared;
use netspurt_core::trace::{Columns, Measure, Note, Provenance, Trace};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
struct Message {
    name: String,
    provenance: Provenance,
    one_way: bool,
    notes: Vec<(usize, String)>,
    #[serde(with = "serde_bytes")]
    sent: Vec<u8>,
    #[serde(with = "serde_bytes")]
    octets: Vec<u8>,
    #[serde(with = "serde_bytes")]
    delays: Vec<u8>,
    #[serde(with = "serde_bytes")]
    outcomes: Vec<u8>,
}

pub(crate) fn serialize<S: Serializer>(trace: &Shared<Trace>, to: S) -> Result<S::Ok, S::Error> {
    let Columns { sent, octets, delays, outcomes } = trace.to_columns();
    let message = Message {
        name: trace.name.clone(),
        provenance: trace.provenance.clone(),
        one_way: trace.measure == Measure::OneWay,
        notes: trace.notes.iter().map(|n| (n.line, n.text.clone())).collect(),
        sent,
        octets,
        delays,
        outcomes,
    };
    message.serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Shared<Trace>, D::Error> {
    let Message { name, provenance, one_way, notes, sent, octets, delays, outcomes } =
        Message::deserialize(from)?;
    let columns = Columns { sent, octets, delays, outcomes };
    let mut trace = Trace::from_columns(name, provenance, columns).map_err(D::Error::custom)?;
    trace.measure = if one_way { Measure::OneWay } else { Measure::RoundTrip };
    trace.notes = notes.into_iter().map(|(line, text)| Note { line, text }).collect();
    Ok(Shared::new(trace))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{pack, unpack};
    use netspurt_core::trace::{Fate, TraceBuilder};

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

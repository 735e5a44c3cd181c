//! A trace as a message between the page and its worker. Its columns travel apart, in pieces that come
//! before it ([`piece`]): with it goes what else is known of it.

use netspurt_core::shared::Shared;
use netspurt_core::trace::{Measure, Note, Piece, Provenance, Trace, TraceBuilder};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// So many records of a column go into one piece: 2 MiB at most.
const RECORDS: usize = 1 << 18;

/// The piece of this number of the columns of a trace. `None`: there are no more.
pub fn piece(trace: &Trace, number: usize) -> Option<Piece> {
    trace.piece(number, RECORDS)
}

#[derive(Serialize, Deserialize)]
struct Message {
    name: String,
    provenance: Provenance,
    one_way: bool,
    notes: Vec<(usize, String)>,
}

pub(crate) fn serialize<S: Serializer>(trace: &Shared<Trace>, to: S) -> Result<S::Ok, S::Error> {
    let message = Message {
        name: trace.name.clone(),
        provenance: trace.provenance.clone(),
        one_way: trace.measure == Measure::OneWay,
        notes: trace.notes.iter().map(|n| (n.line, n.text.clone())).collect(),
    };
    message.serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Shared<Trace>, D::Error> {
    let Message { name, provenance, one_way, notes } = Message::deserialize(from)?;
    let mut trace = TraceBuilder::new(&name, provenance);
    trace.measure = if one_way { Measure::OneWay } else { Measure::RoundTrip };
    trace.notes = notes.into_iter().map(|(line, text)| Note { line, text }).collect();
    Ok(Shared::new(trace.build()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{pack, unpack};
    use netspurt_core::trace::{Arriving, Fate};

    #[derive(Serialize, Deserialize)]
    struct Wrapped(#[serde(with = "super")] Shared<Trace>);

    fn check(records: &[(Option<f64>, Option<u32>, Fate)]) {
        let mut builder = TraceBuilder::new("t", Provenance::Opened { format: "csv".to_owned() });
        builder.notes.push(Note { line: 3, text: "a note".to_owned() });
        builder.measure = Measure::OneWay;
        for (sent, octets, fate) in records {
            builder.push(*sent, *octets, *fate).unwrap();
        }
        let trace = Shared::new(builder.build());
        let mut arriving = Arriving::default();
        for piece in (0..).map_while(|i| piece(&trace, i)) {
            let octets = pack(&piece).unwrap();
            arriving.put(&unpack(&octets).unwrap()).unwrap();
        }
        let Wrapped(told) = unpack(&pack(&Wrapped(trace.clone())).unwrap()).unwrap();
        let again = arriving.finish((*told).clone()).unwrap();
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
        let many = |i: u32| (Some(f64::from(i)), Some(i), Fate::Reply(f64::from(i % 7)));
        check(&(0..300_000).map(many).collect::<Vec<_>>());
    }
}

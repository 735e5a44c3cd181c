//! The columns of a trace on their way elsewhere, piece by piece: no message is so long that whoever
//! reads it stops for a time that is felt, and nothing is held twice.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::{BadRecord, Clock, NO_LENGTH, Outcome, Trace};
use crate::octets;

impl Trace {
    /// Of its columns as octets, cut into pieces of at most so many records, the one of this number. They
    /// are sent elsewhere and put together there ([`Arriving`]). `None`: there are no more.
    pub fn piece(&self, number: usize, records: usize) -> Option<Piece> {
        let n = self.len();
        let records = records.max(1);
        let of_each = n.div_ceil(records).max(1);
        let mut kinds = Kind::ALL.into_iter().filter(|kind| match kind {
            Kind::Sent => self.clock == Clock::Elapsed,
            Kind::Octets => self.has_lengths(),
            Kind::Delays | Kind::Outcomes => true,
        });
        let kind = kinds.nth(number / of_each)?;
        let start = number % of_each * records;
        let part = start..n.min(start + records);
        let octets = match kind {
            Kind::Sent => octets::of(&self.sent[part]),
            Kind::Delays => octets::of(&self.delays[part]),
            Kind::Octets => {
                let mut octets = vec![0; 4 * part.len()];
                let lengths = octets.as_chunks_mut().0.iter_mut().zip(&self.octets[part]);
                lengths.for_each(|(octets, n)| *octets = n.to_le_bytes());
                octets
            }
            Kind::Outcomes => self.outcomes[part].iter().map(|o| *o as u8).collect(),
        };
        Some(Piece { kind, of: n, octets })
    }
}

/// One of the columns of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    Sent,
    Octets,
    Delays,
    Outcomes,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Sent, Self::Octets, Self::Delays, Self::Outcomes];
}

/// A part of a column of a trace, as octets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    kind: Kind,
    /// How many records the trace has.
    of: usize,
    /// The lowest octet of each value first.
    #[serde(with = "serde_bytes")]
    octets: Vec<u8>,
}

/// The columns of a trace of which not all pieces have come. Each is put in its place at once, so that no
/// column is held twice.
#[derive(Debug, Default)]
pub struct Arriving {
    sent: Filling<f64>,
    octets: Filling<u32>,
    delays: Filling<f64>,
    outcomes: Filling<Outcome>,
}

/// A column, and how much of it has come.
#[derive(Debug)]
struct Filling<T> {
    column: Option<Arc<[T]>>,
    filled: usize,
}

impl<T> Default for Filling<T> {
    fn default() -> Self {
        Self { column: None, filled: 0 }
    }
}

impl<T: Copy> Filling<T> {
    /// Reads values of `N` octets each.
    fn put<const N: usize>(
        &mut self,
        piece: &Piece,
        empty: T,
        read: impl Fn([u8; N]) -> Result<T, BadRecord>,
    ) -> Result<(), BadRecord> {
        let column = self.column.get_or_insert_with(|| std::iter::repeat_n(empty, piece.of).collect());
        let (values, rest) = piece.octets.as_chunks::<N>();
        let places = Arc::get_mut(column).and_then(|c| c.get_mut(self.filled..self.filled + values.len()));
        let places = places.filter(|_| rest.is_empty()).ok_or(BadRecord::Columns)?;
        for (place, value) in places.iter_mut().zip(values) {
            *place = read(*value)?;
        }
        self.filled += values.len();
        Ok(())
    }

    /// The whole column of `n` values; `None`: nothing of it has come.
    fn whole(self, n: usize) -> Result<Option<Arc<[T]>>, BadRecord> {
        match self.column {
            Some(column) if column.len() == n && self.filled == n => Ok(Some(column)),
            None => Ok(None),
            Some(_) => Err(BadRecord::Columns),
        }
    }
}

impl Arriving {
    /// Puts a piece behind those of its column. Fails where its values are none of a trace.
    pub fn put(&mut self, piece: &Piece) -> Result<(), BadRecord> {
        const ALL: [Outcome; 4] = [Outcome::Reply, Outcome::Below, Outcome::Lost, Outcome::Untimed];
        let finite = |octets| Some(f64::from_le_bytes(octets)).filter(|v| v.is_finite());
        match piece.kind {
            Kind::Sent => self.sent.put(piece, 0.0, |octets| {
                finite(octets).ok_or(BadRecord::SendTime(f64::from_le_bytes(octets)))
            }),
            Kind::Octets => self.octets.put(piece, NO_LENGTH, |octets| Ok(u32::from_le_bytes(octets))),
            Kind::Delays => self.delays.put(piece, 0.0, |octets| {
                finite(octets).filter(|d| *d >= 0.0).ok_or(BadRecord::Delay(f64::from_le_bytes(octets)))
            }),
            Kind::Outcomes => self.outcomes.put(piece, Outcome::Lost, |[octet]| {
                ALL.get(usize::from(octet)).copied().ok_or(BadRecord::Columns)
            }),
        }
    }

    /// Gives the columns to a trace without any. Fails where some are missing.
    pub fn finish(self, trace: Trace) -> Result<Trace, BadRecord> {
        let n = self.outcomes.column.as_ref().map_or(0, |c| c.len());
        let (sent, delays, outcomes) = (self.sent.whole(n)?, self.delays.whole(n)?, self.outcomes.whole(n)?);
        if delays.is_none() && n > 0 {
            return Err(BadRecord::Columns);
        }
        Ok(Trace {
            clock: if sent.is_some() { Clock::Elapsed } else { Clock::Index },
            sent: sent.unwrap_or_else(|| (0..n).map(|i| i as f64).collect()),
            octets: self.octets.whole(n)?.unwrap_or_default(),
            delays: delays.unwrap_or_default(),
            outcomes: outcomes.unwrap_or_default(),
            ..trace
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Fate, Provenance, TraceBuilder};

    /// Sends the pieces on, changed, and puts them together.
    fn arrived(trace: &Trace, change: impl Fn(&mut Vec<Piece>)) -> Result<Trace, BadRecord> {
        let mut pieces: Vec<_> = (0..).map_while(|i| trace.piece(i, 2)).collect();
        change(&mut pieces);
        let mut arriving = Arriving::default();
        pieces.iter().try_for_each(|piece| arriving.put(piece))?;
        let mut empty = TraceBuilder::new(&trace.name, trace.provenance.clone());
        empty.notes.clone_from(&trace.notes);
        arriving.finish(empty.build())
    }

    #[test]
    fn columns_arrive_as_they_were_and_are_checked() {
        let mut b = TraceBuilder::new("t", Provenance::Typed);
        b.push(Some(0.5), Some(64), Fate::Below(1.0)).unwrap();
        b.push(Some(2.0), None, Fate::Untimed).unwrap();
        b.push(Some(3.25), None, Fate::Lost).unwrap();
        b.note(2, "a note");
        let t = b.build();
        let same = arrived(&t, |_| ()).unwrap();
        assert!(same.records().eq(t.records()));
        assert_eq!((same.clock, same.octets(0), same.octets(1)), (Clock::Elapsed, Some(64), None));
        assert_eq!((&same.name, &same.notes, same.measure), (&t.name, &t.notes, t.measure));
        let index = Trace::from_series("t", &[Some(1.0), None]).unwrap();
        assert!(arrived(&index, |_| ()).unwrap().records().eq(index.records()));
        let none = Trace::from_series("t", &[]).unwrap();
        assert!(arrived(&none, |_| ()).unwrap().is_empty());
        let of = |pieces: &[Piece], kind| pieces.iter().position(|p| p.kind == kind).unwrap();
        for kind in Kind::ALL {
            let gone = |pieces: &mut Vec<Piece>| drop(pieces.remove(of(pieces, kind)));
            assert!(arrived(&t, gone).is_err(), "the first part of {kind:?} is missing");
            let cut = |pieces: &mut Vec<Piece>| {
                let at = of(pieces, kind);
                pieces[at].octets.pop();
            };
            assert!(arrived(&t, cut).is_err(), "{kind:?} is cut");
        }
        let whole = |kind| move |pieces: &mut Vec<Piece>| pieces.retain(|p| p.kind != kind);
        assert!(arrived(&t, whole(Kind::Delays)).is_err());
        assert!(arrived(&t, whole(Kind::Outcomes)).is_err());
        let put = |kind, value: f64| {
            move |pieces: &mut Vec<Piece>| {
                let at = of(pieces, kind);
                pieces[at].octets = octets::of(&[0.0, value]);
            }
        };
        assert!(arrived(&t, put(Kind::Delays, -1.0)).is_err());
        assert!(arrived(&t, put(Kind::Sent, f64::NAN)).is_err());
    }
}

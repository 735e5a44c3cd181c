//! The packets a line is drawn through: answered, with a delay and a length.

use crate::stats::regression::Sums;
use crate::trace::Trace;

/// Which packets of a trace are looked at. Both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    pub octets: (f64, f64),
    /// Send time in ms, or the record's index where the trace has no times.
    pub sent: (f64, f64),
}

impl Default for Band {
    /// All of them.
    fn default() -> Self {
        Self { octets: (0.0, f64::INFINITY), sent: (f64::NEG_INFINITY, f64::INFINITY) }
    }
}

impl Band {
    pub fn holds(&self, octets: f64, sent: f64) -> bool {
        let within = |v: f64, (from, to): (f64, f64)| from <= v && v <= to;
        within(octets, self.octets) && within(sent, self.sent)
    }
}

/// Columns of the packets in a band, in the order of the trace.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    /// Lengths in octets.
    pub octets: Vec<f64>,
    /// Delays in ms. A delay given as a bound enters at the bound.
    pub delays: Vec<f64>,
    /// Their records in the trace.
    pub records: Vec<u32>,
}

impl Points {
    pub fn of(trace: &Trace, band: &Band) -> Self {
        let mut points = Self::default();
        for (i, outcome) in trace.outcomes().iter().enumerate() {
            let Some(octets) = trace.octets(i).filter(|_| outcome.is_timed()) else { continue };
            let octets = f64::from(octets);
            if band.holds(octets, trace.sent()[i]) {
                points.octets.push(octets);
                points.delays.push(trace.delays()[i]);
                points.records.push(i as u32);
            }
        }
        points
    }

    pub fn len(&self) -> usize {
        self.octets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.octets.is_empty()
    }

    /// The packets of each length, the shortest first.
    pub fn lengths(&self) -> Vec<Length> {
        let mut order: Vec<u64> =
            self.octets.iter().enumerate().map(|(i, &octets)| (octets as u64) << 32 | i as u64).collect();
        order.sort_unstable();
        let origin =
            (self.octets.first().copied().unwrap_or(0.0), self.delays.first().copied().unwrap_or(0.0));
        let mut lengths: Vec<Length> = Vec::new();
        for i in order.into_iter().map(|key| (key & 0xffff_ffff) as usize) {
            let (octets, delay) = (self.octets[i], self.delays[i]);
            if lengths.last().is_none_or(|l| f64::from(l.octets) < octets) {
                let sums = Sums::new(origin);
                lengths.push(Length { octets: octets as u32, sums, least: f64::INFINITY });
            }
            if let Some(length) = lengths.last_mut() {
                length.sums.push(octets, delay);
                length.least = length.least.min(delay);
            }
        }
        lengths
    }
}

/// The packets of one length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    pub octets: u32,
    pub sums: Sums,
    /// Their least delay, ms.
    pub least: f64,
}

/// Sums over several lengths; they are never none.
pub fn total(lengths: &[Length]) -> Sums {
    let mut all = lengths.iter().map(|l| l.sums);
    let first = all.next().unwrap_or_default();
    all.fold(first, |sum, s| sum.plus(&s))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Fate, Provenance, TraceBuilder};

    fn trace() -> Trace {
        let mut b = TraceBuilder::new("t", Provenance::Typed);
        for (sent, octets, fate) in [
            (0.0, Some(100), Fate::Reply(5.0)),
            (10.0, Some(40), Fate::Lost),
            (20.0, Some(40), Fate::Below(1.0)),
            (30.0, None, Fate::Reply(9.0)),
            (40.0, Some(100), Fate::Untimed),
            (50.0, Some(100), Fate::Reply(4.0)),
        ] {
            b.push(Some(sent), octets, fate).unwrap();
        }
        b.build()
    }

    #[test]
    fn packets_with_delay_and_length_are_taken() {
        let points = Points::of(&trace(), &Band::default());
        assert_eq!((&points.records[..], &points.delays[..]), (&[0, 2, 5][..], &[5.0, 1.0, 4.0][..]));
        let lengths = points.lengths();
        assert_eq!(
            lengths.iter().map(|l| (l.octets, l.sums.n, l.least)).collect::<Vec<_>>(),
            [(40, 1, 1.0), (100, 2, 4.0)]
        );
        assert_eq!(total(&lengths).y_mean(), 10.0 / 3.0);
    }

    #[test]
    fn a_band_on_length_or_time_selects() {
        let of = |octets, sent| Points::of(&trace(), &Band { octets, sent }).records;
        let all = Band::default();
        assert_eq!(of((40.0, 40.0), all.sent), [2]);
        assert_eq!(of(all.octets, (20.0, 50.0)), [2, 5]);
        assert_eq!(of(all.octets, (21.0, 49.0)), [0_u32; 0]);
    }
}

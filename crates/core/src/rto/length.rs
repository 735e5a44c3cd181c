//! The delay that a packet's length explains: a line through delays against lengths.
//!
//! RFC 889 leaves it for later: "There was no correction for packet length used in any of these
//! experiments, in spite of the results of the first set of experiments described previously. This
//! may be done in a future set of experiments." (section 3.2)
//!
//! Least squares, one line or two with a jump between 125 and 126 octets, where the ARPANET's messages
//! of one packet end (section 2.1). The line is that of the whole trace: a sender would have to learn
//! it first.

use crate::stats::moments::Sum;
use crate::trace::Trace;

/// The longest packet of the first segment, in octets.
const KNEE: u32 = 125;

/// Delay in ms as a function of length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LengthLine {
    short: Segment,
    /// The same as `short` where one line serves both.
    long: Segment,
    /// Stands for a packet whose length is not known.
    mean: f64,
}

/// Intercept in ms and slope in ms per octet.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Segment {
    at_0: f64,
    slope: f64,
}

impl LengthLine {
    /// `None` if the timed replies of known length are all of one length, or there are none.
    pub fn fit(trace: &Trace) -> Option<Self> {
        let (short, long) = (points(trace, |n| n <= KNEE), points(trace, |n| n > KNEE));
        let all: Vec<_> = short.iter().chain(&long).copied().collect();
        let (whole, mean) = least_squares(&all)?;
        let two = least_squares(&short).zip(least_squares(&long));
        let (short, long) = two.map_or((whole, whole), |((short, _), (long, _))| (short, long));
        Some(Self { short, long, mean })
    }

    /// The line's delay for a packet of this many octets, ms; the mean where that is not known. May
    /// be negative beyond the lengths it rests on.
    pub fn at(&self, octets: Option<u32>) -> f64 {
        let Some(n) = octets else { return self.mean };
        let segment = if n > KNEE { self.long } else { self.short };
        segment.at_0 + segment.slope * f64::from(n)
    }
}

/// Lengths and delays of the timed replies on one side of the knee.
fn points(trace: &Trace, side: fn(u32) -> bool) -> Vec<(f64, f64)> {
    let timed = (0..trace.len()).filter(|&i| trace.outcomes()[i].is_timed());
    timed
        .filter_map(|i| Some((f64::from(trace.octets(i).filter(|&n| side(n))?), trace.delays()[i])))
        .collect()
}

/// The line and the mean delay; `None` if all lengths are one.
fn least_squares(points: &[(f64, f64)]) -> Option<(Segment, f64)> {
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).collect::<Sum>().value() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let xx = points.iter().map(|p| (p.0 - x) * (p.0 - x)).collect::<Sum>().value();
    let xy = points.iter().map(|p| (p.0 - x) * (p.1 - y)).collect::<Sum>().value();
    let slope = xy / xx;
    (xx > 0.0 && slope.is_finite()).then_some((Segment { at_0: y - slope * x, slope }, y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Fate, Provenance, TraceBuilder};

    fn trace(records: &[(u32, f64)]) -> Trace {
        let mut b = TraceBuilder::new("t", Provenance::Typed);
        for &(octets, delay) in records {
            b.push(None, Some(octets), Fate::Reply(delay)).unwrap();
        }
        b.push(None, None, Fate::Lost).unwrap();
        b.build()
    }

    #[test]
    fn one_line_where_the_lengths_lie_on_one_side() {
        // Through (40, 10), (60, 12), (80, 17): mean (60, 13), slope (20·3 + 20·4) / 800.
        let line = LengthLine::fit(&trace(&[(40, 10.0), (60, 12.0), (80, 17.0)])).unwrap();
        assert_eq!((line.at(Some(60)), line.at(Some(80)), line.at(Some(200))), (13.0, 16.5, 37.5));
        assert_eq!(line.at(None), 13.0);
    }

    #[test]
    fn two_lines_with_a_jump_between() {
        let line = LengthLine::fit(&trace(&[(40, 10.0), (80, 14.0), (126, 50.0), (226, 60.0)])).unwrap();
        assert_eq!((line.at(Some(60)), line.at(Some(125)), line.at(Some(126))), (12.0, 18.5, 50.0));
        assert_eq!((line.at(Some(176)), line.at(None)), (55.0, 33.5));
    }

    #[test]
    fn one_length_gives_no_line() {
        assert_eq!(LengthLine::fit(&trace(&[(40, 10.0), (40, 12.0)])), None);
        assert_eq!(LengthLine::fit(&trace(&[])), None);
        assert_eq!(LengthLine::fit(&Trace::from_series("t", &[Some(1.0)]).unwrap()), None);
    }
}

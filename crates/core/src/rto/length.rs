//! The delay that a packet's length explains: a line through delays against lengths.
//!
//! RFC 889 leaves it for later: "There was no correction for packet length used in any of these
//! experiments, in spite of the results of the first set of experiments described previously. This
//! may be done in a future set of experiments." (section 3.2)
//!
//! Least squares, one line or two with a jump between 125 and 126 octets, where the ARPANET's messages
//! of one packet end (section 2.1). The line is that of the whole trace: a sender would have to learn
//! it first.

use crate::delay::knee;
use crate::stats::regression::{Line, Sums};
use crate::trace::Trace;

/// Delay in ms as a function of length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LengthLine {
    short: Line,
    /// The same as `short` where one line serves both.
    long: Line,
    /// Stands for a packet whose length is not known.
    mean: f64,
}

impl LengthLine {
    /// `None` if the timed replies of known length are all of one length, or there are none.
    pub fn fit(trace: &Trace) -> Option<Self> {
        let replies = || {
            let timed = (0..trace.len()).filter(|&i| trace.outcomes()[i].is_timed());
            timed.filter_map(|i| Some((trace.octets(i)?, trace.delays()[i])))
        };
        let (octets, delay) = replies().next()?;
        let mut short = Sums::new((f64::from(octets), delay));
        let mut long = short;
        for (octets, delay) in replies() {
            let side = if octets > knee::ARPANET { &mut long } else { &mut short };
            side.push(f64::from(octets), delay);
        }
        let all = short.plus(&long);
        let whole = all.line()?;
        let (short, long) = short.line().zip(long.line()).unwrap_or((whole, whole));
        Some(Self { short, long, mean: all.y_mean() })
    }

    /// The line's delay for a packet of this many octets, ms; the mean where that is not known. May
    /// be negative beyond the lengths it rests on.
    pub fn at(&self, octets: Option<u32>) -> f64 {
        let Some(n) = octets else { return self.mean };
        let line = if n > knee::ARPANET { &self.long } else { &self.short };
        line.at(f64::from(n))
    }
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

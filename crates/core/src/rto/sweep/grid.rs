//! The settings of a sweep: every F1 with every F2, each at every G.
//!
//! ```text
//! range = value / LO ":" HI ":" N        15/16    0:15/16:16    1:4:25
//! ```

use crate::params::{ParamError, Params as _, Spec, Value};
use crate::rto::estimators::mills::Mills;
use std::fmt;

/// A grid has at most this many points: what a sweep keeps of each is 20 octets.
pub const MOST_POINTS: usize = 1 << 20;

/// Values of F1 that are swept side by side.
const BAND: usize = 4;

/// Values of F1, F2 and G, none of them empty, within the ranges of `mills`.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    f1: Vec<f64>,
    f2: Vec<f64>,
    g: Vec<f64>,
}

impl Grid {
    /// Refuses values out of range, empty axes, and more than [`MOST_POINTS`].
    pub fn new(f1: Vec<f64>, f2: Vec<f64>, g: Vec<f64>) -> Result<Self, GridError> {
        for (axis, values) in Axis::ALL.into_iter().zip([&f1, &f2, &g]) {
            let spec = axis.spec();
            if values.is_empty() {
                return Err(GridError::NotARange { axis: spec.name, text: String::new() });
            }
            for v in values {
                spec.check(*v).map_err(GridError::Value)?;
            }
        }
        let points = f1.len().saturating_mul(f2.len()).saturating_mul(g.len());
        if points > MOST_POINTS {
            return Err(GridError::TooMany { points });
        }
        Ok(Self { f1, f2, g })
    }

    pub fn f1(&self) -> &[f64] {
        &self.f1
    }

    pub fn f2(&self) -> &[f64] {
        &self.f2
    }

    pub fn g(&self) -> &[f64] {
        &self.g
    }

    /// How many pairs of F1 and F2.
    pub fn pairs(&self) -> usize {
        self.f1.len() * self.f2.len()
    }

    /// How many settings.
    pub fn points(&self) -> usize {
        self.pairs() * self.g.len()
    }

    /// Indices of F1 and F2 of the pair that is swept as number `i`.
    ///
    /// Pairs go by bands of [`BAND`] values of F1, in a band by F2, then by F1, so that those swept
    /// together are neighbours and find much the same packets late.
    pub(super) fn pair(&self, i: usize) -> (usize, usize) {
        let from = i / (BAND * self.f2.len()) * BAND;
        let width = BAND.min(self.f1.len() - from);
        let i = i - from * self.f2.len();
        (from + i % width, i / width)
    }

    /// Where a point stands among all: by F1, then by F2, then by G.
    pub(super) fn point(&self, f1: usize, f2: usize, g: usize) -> usize {
        (f1 * self.f2.len() + f2) * self.g.len() + g
    }

    /// As which number a pair is swept.
    pub(super) fn number(&self, f1: usize, f2: usize) -> usize {
        let from = f1 / BAND * BAND;
        let width = BAND.min(self.f1.len() - from);
        from * self.f2.len() + f2 * width + (f1 - from)
    }
}

/// Which of the three a range is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    F1,
    F2,
    G,
}

impl Axis {
    pub const ALL: [Self; 3] = [Self::F1, Self::F2, Self::G];

    /// The range that is swept where none is named: sixteenths below 1, and the G of 1983.
    pub fn default_range(self) -> &'static str {
        match self {
            Self::F1 | Self::F2 => "0:15/16:16",
            Self::G => "2",
        }
    }

    /// The row of `mills` it is a parameter by: its name, and what values it takes.
    pub fn spec(self) -> &'static Spec {
        // The table of `mills` begins with the three.
        &Mills::TABLE[self as usize].spec
    }

    /// A value as [`Axis::parse`] reads it.
    pub fn print(self, value: f64) -> String {
        self.spec().print(Value::Number(value))
    }

    /// Reads `LO:HI:N`, N values from LO to HI with both, or one value. Values are written as
    /// parameters are: `15/16`.
    pub fn parse(self, text: &str) -> Result<Vec<f64>, GridError> {
        let spec = self.spec();
        let value = |text: &str| match spec.parse(text) {
            Ok(Value::Number(v)) => Ok(v),
            Ok(_) => Err(GridError::NotARange { axis: spec.name, text: text.to_owned() }),
            Err(e) => Err(GridError::Value(e)),
        };
        let not_a_range = || GridError::NotARange { axis: spec.name, text: text.to_owned() };
        let mut parts = text.split(':');
        let (Some(lo), hi, n, None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
            return Err(not_a_range());
        };
        let (Some(hi), Some(n)) = (hi, n) else {
            return if hi.is_none() { Ok(vec![value(lo)?]) } else { Err(not_a_range()) };
        };
        let (lo, hi) = (value(lo)?, value(hi)?);
        let n = n.trim();
        let count = Some(n).filter(|n| n.bytes().all(|b| b.is_ascii_digit())).and_then(|n| n.parse().ok());
        let count = match count {
            Some(c) if c > 1 || (c == 1 && lo == hi) => c,
            _ => return Err(GridError::Count { axis: spec.name, text: n.to_owned() }),
        };
        if lo > hi {
            return Err(GridError::Reversed { axis: spec.name, lo, hi, count });
        }
        if count > MOST_POINTS {
            return Err(GridError::TooMany { points: count });
        }
        // The product first: sixteenths come out exact.
        let last = (count - 1).max(1) as f64;
        Ok((0..count).map(|i| if i + 1 == count { hi } else { lo + (hi - lo) * i as f64 / last }).collect())
    }
}

/// Why there is no such grid.
#[derive(Debug, Clone, PartialEq)]
pub enum GridError {
    /// Not of the form `LO:HI:N`.
    NotARange {
        axis: &'static str,
        text: String,
    },
    /// LO, HI or a value is no number or out of range.
    Value(ParamError),
    /// N is no number of values.
    Count {
        axis: &'static str,
        text: String,
    },
    Reversed {
        axis: &'static str,
        lo: f64,
        hi: f64,
        count: usize,
    },
    TooMany {
        points: usize,
    },
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotARange { axis, text } => {
                write!(f, "{axis} must be LO:HI:N such as 1/2:1:9, or one value, not {text:?}")
            }
            Self::Value(e) => e.fmt(f),
            Self::Count { axis, text } => {
                write!(
                    f,
                    "{axis} must have 2 values or more from LO to HI, or LO equal to HI and 1, not {text:?}"
                )
            }
            Self::Reversed { axis, lo, hi, count } => {
                write!(f, "{axis} must rise from LO to HI; did you mean {hi}:{lo}:{count}?")
            }
            Self::TooMany { points } => {
                write!(
                    f,
                    "the grid would have {points} points or more, and {MOST_POINTS} is the most: take fewer values of f1, f2 or g"
                )
            }
        }
    }
}

impl std::error::Error for GridError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_both_ends() {
        let check = |axis: Axis, text: &str, values: &[f64]| assert_eq!(axis.parse(text).unwrap(), values);
        check(Axis::F1, "0:1:3", &[0.0, 0.5, 1.0]);
        check(Axis::F2, " 1/2 : 75% : 2 ", &[0.5, 0.75]);
        check(Axis::G, "2", &[2.0]);
        check(Axis::G, "2:2:1", &[2.0]);
        check(Axis::G, "0:0:2", &[0.0, 0.0]);
        let sixteenths = Axis::F1.parse(Axis::F1.default_range()).unwrap();
        assert_eq!(sixteenths, (0..16).map(|i| f64::from(i) / 16.0).collect::<Vec<_>>());
        assert_eq!(Axis::F1.parse("0:0.7:8").unwrap()[7], 0.7);
    }

    #[test]
    fn names_are_those_of_mills() {
        assert_eq!(Axis::ALL.map(|a| a.spec().name), ["f1", "f2", "g"]);
    }

    #[test]
    fn refusals_say_what_would_have_worked() {
        let check = |text: &str, message: &str| {
            assert_eq!(Axis::F1.parse(text).unwrap_err().to_string(), message);
        };
        let form = "f1 must be LO:HI:N such as 1/2:1:9, or one value, not ";
        check("0:1", &format!("{form}\"0:1\""));
        check("0:1:2:3", &format!("{form}\"0:1:2:3\""));
        check("", "f1 must be a number such as 0.75 or 3/4, not \"\"");
        check("0:2:3", "f1 must be from 0 to 1, not 2");
        check("0:15:16", "f1 must be from 0 to 1, not 15; did you mean 15/16?");
        check("1:0:16", "f1 must rise from LO to HI; did you mean 0:1:16?");
        let count = "f1 must have 2 values or more from LO to HI, or LO equal to HI and 1, not ";
        for n in ["0", "1", "-3", "2.5", "x", "", "99999999999999999999"] {
            check(&format!("0:1:{n}"), &format!("{count}{n:?}"));
        }
        check(
            "0:1:2000000",
            "the grid would have 2000000 points or more, and 1048576 is the most: take fewer values of f1, f2 or g",
        );
    }

    #[test]
    fn pairs_are_swept_once_each() {
        for (a, b) in [(1, 1), (3, 5), (4, 4), (6, 1), (9, 7), (16, 16)] {
            let grid = Grid::new(vec![0.5; a], vec![0.5; b], vec![2.0]).unwrap();
            let mut seen = vec![false; a * b];
            for i in 0..grid.pairs() {
                let (f1, f2) = grid.pair(i);
                assert_eq!(grid.number(f1, f2), i);
                assert!(!std::mem::replace(&mut seen[grid.point(f1, f2, 0)], true));
            }
        }
    }

    #[test]
    fn a_grid_is_bounded() {
        let n = |n: usize| vec![0.5; n];
        assert!(Grid::new(n(1024), n(1024), n(1)).is_ok());
        assert_eq!(Grid::new(n(1024), n(1024), n(2)), Err(GridError::TooMany { points: 2 * MOST_POINTS }));
        assert!(matches!(Grid::new(n(1), n(0), n(1)), Err(GridError::NotARange { axis: "f2", .. })));
        assert!(matches!(Grid::new(n(1), n(1), vec![f64::NAN]), Err(GridError::Value(_))));
        assert!(matches!(Grid::new(vec![1.5], n(1), n(1)), Err(GridError::Value(_))));
    }
}

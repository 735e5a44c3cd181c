//! What a `sweep` cell is set to.

use crate::params::{Param, Params, Range, Unit};
use crate::rto::estimators::mills::Mills;
use crate::rto::estimators::rows::TIME;
use crate::rto::sweep::{Grid, GridError};

/// What the cell is set to.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    pub colour_by: Measure,
    pub steps: Steps,
    pub over: Over,
    /// The level of G that is shown.
    pub g: f64,
    /// The ring's point.
    pub f1: f64,
    pub f2: f64,
    /// E before any reply, ms, as in [`Mills`].
    pub e_cold: f64,
}

impl Default for Sweep {
    fn default() -> Self {
        Self {
            colour_by: Measure::Efficiency,
            steps: Steps::Sixteenths,
            over: Over::ThisTrace,
            g: 2.0,
            f1: 13.0 / 16.0,
            f2: 0.5,
            e_cold: Mills::default().e_cold,
        }
    }
}

/// What the colours of the heat map say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    Efficiency,
    SpuriousTime,
    LostTime,
    SpuriousRate,
}

/// How fine the grid is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    Sixteenths,
    ThirtySeconds,
    SixtyFourths,
}

impl Steps {
    /// Values of F1, and of F2.
    pub fn count(self) -> usize {
        match self {
            Self::Sixteenths => 16,
            Self::ThirtySeconds => 32,
            Self::SixtyFourths => 64,
        }
    }
}

/// Which packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// Those of the cell's trace.
    ThisTrace,
    /// All runs of 1983 pooled: good time of all over total time of all.
    AllRuns,
}

/// The words for the choices of a table row, and how they are found again.
macro_rules! words {
    ($type:ty, $($value:ident = $word:literal),+) => {
        impl $type {
            const WORDS: &'static [&'static str] = &[$($word),+];

            pub fn word(self) -> &'static str {
                match self { $(Self::$value => $word),+ }
            }

            pub(super) fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$value),)+ _ => None }
            }
        }
    };
}

words!(
    Measure,
    Efficiency = "efficiency",
    SpuriousTime = "spurious-time",
    LostTime = "lost-time",
    SpuriousRate = "spurious-rate"
);
words!(Steps, Sixteenths = "sixteenths", ThirtySeconds = "thirty-seconds", SixtyFourths = "sixty-fourths");
words!(Over, ThisTrace = "this-trace", AllRuns = "all-runs");

const WEIGHT: Range =
    Range { unit: Unit::One, min: 0.0, max: 1.0, slider: (0.0, 1.0), step: 1.0 / 16.0, fractions: true };

/// Slider and step are those of [`Sweep::grid`].
const GAIN: Range = Range { max: 16.0, slider: (1.0, 4.0), step: 1.0 / 8.0, fractions: false, ..WEIGHT };

impl Params for Sweep {
    const TABLE: &'static [Param<Self>] = &[
        Param::choice(
            ("colour-by", "", "colour by", "What the colours of the map say of each pair of factors."),
            Measure::WORDS,
            |p| p.colour_by.word(),
            |p, v| p.colour_by = Measure::of(v).unwrap_or(p.colour_by),
        ),
        Param::choice(
            ("steps", "", "steps", "How far apart the values of each factor are."),
            Steps::WORDS,
            |p| p.steps.word(),
            |p, v| p.steps = Steps::of(v).unwrap_or(p.steps),
        ),
        Param::choice(
            ("over", "", "over", "The cell's trace alone, or all runs of 1983 pooled."),
            Over::WORDS,
            |p| p.over.word(),
            |p, v| p.over = Over::of(v).unwrap_or(p.over),
        ),
        Param::number(
            ("g", "G", "threshold", "The timeout is this many times the estimate."),
            GAIN,
            |p| p.g,
            |p, v| p.g = v,
        ),
        Param::number(
            ("f1", "F1", "this point, delay falling", "The ring's F1."),
            WEIGHT,
            |p| p.f1,
            |p, v| p.f1 = v,
        ),
        Param::number(
            ("f2", "F2", "this point, delay rising", "The ring's F2."),
            WEIGHT,
            |p| p.f2,
            |p, v| p.f2 = v,
        ),
        Param::number(
            (
                "e-cold",
                "",
                "estimate before any reply",
                "The estimate a trace begins with if its first packet is lost.",
            ),
            Range { step: 5.0, ..TIME },
            |p| p.e_cold,
            |p, v| p.e_cold = v,
        ),
    ];
}

impl Sweep {
    /// What to sweep: the factors, and every G the slider can stand at, with the one that is set.
    pub fn grid(&self) -> Result<Grid, GridError> {
        let n = self.steps.count();
        let factors = || (0..n).map(|i| i as f64 / n as f64).collect();
        let (lo, hi) = GAIN.slider;
        let levels = ((hi - lo) / GAIN.step) as usize;
        let mut g: Vec<f64> = (0..=levels).map(|i| lo + i as f64 * GAIN.step).collect();
        if !g.contains(&self.g) {
            g.push(self.g);
        }
        Grid::new(factors(), factors(), g)
    }

    /// Whether a sweep holds what the cell shows: it need not be made again.
    pub fn is_covered_by(&self, grid: &Grid) -> bool {
        grid.g().contains(&self.g)
            && self.grid().is_ok_and(|own| (own.f1(), own.f2()) == (grid.f1(), grid.f2()))
    }

    /// The settings the cell marks.
    pub(super) fn marked(&self) -> [Setting; 3] {
        let setting = |name, f1, f2| Setting { name, f1, f2 };
        [
            setting("This point", self.f1, self.f2),
            // "I concluded that values of F1 = 15/16 and F2 = 3/4 (with G = 2) gave the best all-around
            // performance" (RFC 889, section 3.3)
            setting("Chosen in 1983", 15.0 / 16.0, 0.75),
            // "the values now used in typical implementations where F = 7/8 and G = 2" (3.3)
            setting("Usual before", 0.875, 0.875),
        ]
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) f1: f64,
    pub(super) f2: f64,
}

//! Which of the many traces that print a row: a seed, and the setting that is taken to have printed
//! it.
//!
//! ```text
//! name = "rfc889/" section "/" run *( " " key "=" value )
//!
//! rfc889/dcn1-local/FOE
//! rfc889/dcn1-local/FOE seed=7 as-if=typical
//! ```

use super::SEED;
use super::noise::Noise;
use crate::params::{Param, ParamError, Params, Range, Settings as _, Unit, Value};
use crate::rto::estimators::mills::Mills;
use crate::rto::printed::{Run, find};
use std::fmt;

/// The setting that is taken to have printed the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AsIf {
    /// "The table above was constructed using F1 = 15/16, F2 = 3/4 and G = 2." (section 3.3)
    #[default]
    Recommended,
    /// The control: "the values now used in typical implementations where F = 7/8 and G = 2"
    /// (section 3.3).
    Typical,
}

impl AsIf {
    pub const ALL: [Self; 2] = [Self::Recommended, Self::Typical];
    const NAMES: &'static [&'static str] = &["recommended", "typical"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn setting(self) -> Mills {
        match self {
            Self::Recommended => Mills::default(),
            Self::Typical => Mills { f1: 0.875, f2: 0.875, ..Mills::default() },
        }
    }
}

/// What a run is rebuilt with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// Up to 2⁵³, so that it is the same number everywhere.
    pub seed: u64,
    pub as_if: AsIf,
    pub noise: Noise,
}

impl Default for Recipe {
    fn default() -> Self {
        Self { seed: SEED, as_if: AsIf::default(), noise: Noise::default() }
    }
}

impl Params for Recipe {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("seed", "", "seed", "Another seed gives another trace that prints the same row."),
            Range {
                unit: Unit::One,
                min: 0.0,
                max: 9_007_199_254_740_991.0,
                slider: (0.0, 100.0),
                step: 1.0,
                fractions: false,
            },
            |p| p.seed as f64,
            |p, v| p.seed = v as u64,
        ),
        Param::choice(
            (
                "as-if",
                "",
                "fitted to",
                "The setting taken to have printed the row: recommended is 15/16 and 3/4, which did; typical, 7/8, is the control.",
            ),
            AsIf::NAMES,
            |p| p.as_if.name(),
            |p, v| p.as_if = if v == AsIf::Typical.name() { AsIf::Typical } else { AsIf::Recommended },
        ),
        Param::choice(
            (
                "noise",
                "",
                "delays vary as",
                "The law of delays beside the printed line: surges that come and go, or a queue that fills and drains.",
            ),
            Noise::NAMES,
            |p| p.noise.name(),
            |p, v| p.noise = if v == Noise::Queue.name() { Noise::Queue } else { Noise::Surges },
        ),
    ];
}

impl Recipe {
    /// Sets one of the parameters from text.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), NameError> {
        // The table knows no whole numbers: a seed with a fraction is refused here.
        if let Some(Ok(Value::Number(v))) = self.find(name).map(|row| self.spec(row).parse(text))
            && v.fract() != 0.0
        {
            return Err(NameError::NotWhole { name: name.to_owned(), text: text.to_owned() });
        }
        self.set_text(name, text).map_err(NameError::Param)
    }

    /// The name that [`parse_name`] reads: of the recipe only what differs from the default.
    pub fn name(&self, run: &Run) -> String {
        let mut name = run.name();
        for i in (0..self.len()).filter(|&i| self.value(i) != self.default_value(i)) {
            let spec = self.spec(i);
            name = name + " " + spec.name + "=" + &spec.print(self.value(i));
        }
        name
    }
}

/// Why a name names no rebuilt run.
#[derive(Debug, Clone, PartialEq)]
pub enum NameError {
    /// RFC 889 prints no such row.
    NoSuchRun {
        run: String,
    },
    /// A word that is not of the form `name=value`.
    NotASetting {
        word: String,
    },
    /// A seed that is no whole number.
    NotWhole {
        name: String,
        text: String,
    },
    Param(ParamError),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchRun { run } => write!(f, "RFC 889 prints no run {run}"),
            Self::NotASetting { word } => write!(f, "{word:?} is not of the form name=value"),
            Self::NotWhole { name, text } => write!(f, "{name} must be a whole number, not {text}"),
            Self::Param(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for NameError {}

/// Reads a rebuilt run's name.
pub fn parse_name(name: &str) -> Result<(&'static Run, Recipe), NameError> {
    let mut words = name.split_whitespace();
    let run = words.next().unwrap_or_default();
    let run = find(run).ok_or_else(|| NameError::NoSuchRun { run: run.to_owned() })?;
    let mut recipe = Recipe::default();
    for word in words {
        let setting = word.split_once('=');
        let (key, value) = setting.ok_or_else(|| NameError::NotASetting { word: word.to_owned() })?;
        recipe.set(key, value)?;
    }
    Ok((run, recipe))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn print_then_parse_is_the_identity() {
        for (name, printed) in [
            ("rfc889/dcn1-local/FOE", "rfc889/dcn1-local/FOE"),
            ("rfc889/dcn1-arpanet/ISID*  seed=66", "rfc889/dcn1-arpanet/ISID*"),
            ("rfc889/nta-satnet/UCL  noise=queue noise=surges", "rfc889/nta-satnet/UCL"),
            ("rfc889/nta-satnet/UCL noise=queue seed=7", "rfc889/nta-satnet/UCL seed=7 noise=queue"),
            ("rfc889/nta-satnet/UCL as-if=typical seed=7", "rfc889/nta-satnet/UCL seed=7 as-if=typical"),
        ] {
            let (run, recipe) = parse_name(name).unwrap();
            assert_eq!(recipe.name(run), printed);
            assert_eq!(parse_name(printed).unwrap(), (run, recipe));
        }
    }

    #[test]
    fn what_is_no_name_says_why() {
        for (name, why) in [
            ("", "RFC 889 prints no run "),
            ("rfc889/dcn1-local/FO seed=1", "RFC 889 prints no run rfc889/dcn1-local/FO"),
            ("rfc889/dcn1-local/FOE 7", "\"7\" is not of the form name=value"),
            ("rfc889/dcn1-local/FOE seed=-1", "seed must be from 0 to 9007199254740991, not -1"),
            ("rfc889/dcn1-local/FOE seed=1.5", "seed must be a whole number, not 1.5"),
            ("rfc889/dcn1-local/FOE as-if=mine", "as-if must be one of recommended, typical, not \"mine\""),
            ("rfc889/dcn1-local/FOE g=2", "g is not a parameter here; there are seed, as-if, noise"),
        ] {
            assert_eq!(parse_name(name).unwrap_err().to_string(), why);
        }
    }
}

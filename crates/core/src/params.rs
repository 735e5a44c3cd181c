//! Parameters, each described once.
//!
//! A table row ([`Param`]) says how a parameter is called, what it means, which values it takes,
//! and how to read and write it. Sliders, number fields, document keys, link keys, command-line
//! flags, error messages and the reference are loops over the table.
//!
//! Values are parsed and printed here alone. A number may be written `0.9375`, `15/16`, `93.75%`,
//! `200ms` or `0.2 s`; a bare number is in the parameter's own unit.

use crate::number::decimal;
use std::fmt;

/// The unit a parameter's number is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A pure number.
    One,
    /// A whole number of things.
    Count,
    Milliseconds,
    Octets,
    Bits,
    /// Thousands of bits a second, as the ARPANET's papers write it.
    Kbs,
    /// `9600`, `56k`, `1.5M`.
    BitsPerSecond,
}

impl Unit {
    /// As written after a number, empty for pure numbers.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::One | Self::Count => "",
            Self::Milliseconds => "ms",
            Self::Octets => "octets",
            Self::Bits => "bits",
            Self::Kbs => "kbs",
            Self::BitsPerSecond => "bit/s",
        }
    }
}

/// A number's range, and how a slider moves through it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    pub unit: Unit,
    /// Least and greatest value allowed, both included.
    pub min: f64,
    pub max: f64,
    /// The part a slider covers; a field takes the whole range.
    pub slider: (f64, f64),
    /// One press of an arrow key.
    pub step: f64,
    /// Print multiples of 1/64 as fractions.
    pub fractions: bool,
}

impl Range {
    /// The whole step nearest to a value, within the slider.
    pub fn on_step(&self, value: f64) -> f64 {
        let (lo, hi) = self.slider;
        (lo + ((value - lo) / self.step).round() * self.step).clamp(lo, hi)
    }

    /// A value moved by so many steps.
    pub fn moved(&self, value: f64, steps: f64) -> f64 {
        self.on_step(value.clamp(self.slider.0, self.slider.1) + steps * self.step)
    }
}

/// Which values a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Number(Range),
    Flag,
    Choice(&'static [&'static str]),
}

/// A parameter's description, without its accessors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spec {
    /// Kebab-case: document key, link key, command-line flag.
    pub name: &'static str,
    /// The variable as the source writes it, `F1`; empty where it has none. Digits are subscripts.
    pub symbol: &'static str,
    /// Two or three words beside a slider.
    pub gloss: &'static str,
    /// One sentence.
    pub help: &'static str,
    pub kind: Kind,
    /// What it comes to where it is not set is left to the trace or the estimator: the default is one
    /// value of several, and must be written to be meant.
    pub open: bool,
    /// Numbers that have a word of their own, as the greatest one may be `unlimited`. They are printed
    /// so, and read either way.
    pub words: &'static [(f64, &'static str)],
    /// What the choices are called before a reader, in their order. Empty: as they are written.
    pub titles: &'static [&'static str],
    /// It is one of those that are seldom set, and stands folded away.
    pub folded: bool,
}

/// A parameter's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Number(f64),
    Flag(bool),
    Choice(&'static str),
}

/// A table row: a [`Spec`], and how to read and write the value in `P`.
#[derive(Debug)]
pub struct Param<P> {
    pub spec: Spec,
    access: Access<P>,
}

/// Reads and writes one field; of the sort that the row's [`Kind`] says.
#[derive(Debug)]
enum Access<P> {
    Number(fn(&P) -> f64, fn(&mut P, f64)),
    Flag(fn(&P) -> bool, fn(&mut P, bool)),
    Choice(fn(&P) -> &'static str, fn(&mut P, &'static str)),
}

/// What a parameter is called and means: name, symbol, gloss and help of its [`Spec`].
pub type Words = (&'static str, &'static str, &'static str, &'static str);

impl<P> Param<P> {
    pub const fn number(words: Words, range: Range, get: fn(&P) -> f64, set: fn(&mut P, f64)) -> Self {
        Self { spec: Spec::new(words, Kind::Number(range)), access: Access::Number(get, set) }
    }

    /// With words for some of its numbers.
    #[must_use]
    pub const fn named(mut self, words: &'static [(f64, &'static str)]) -> Self {
        self.spec.words = words;
        self
    }

    pub const fn flag(words: Words, get: fn(&P) -> bool, set: fn(&mut P, bool)) -> Self {
        Self { spec: Spec::new(words, Kind::Flag), access: Access::Flag(get, set) }
    }

    pub const fn choice(
        words: Words,
        choices: &'static [&'static str],
        get: fn(&P) -> &'static str,
        set: fn(&mut P, &'static str),
    ) -> Self {
        Self { spec: Spec::new(words, Kind::Choice(choices)), access: Access::Choice(get, set) }
    }

    /// With what its choices are called before a reader.
    #[must_use]
    pub const fn titled(mut self, titles: &'static [&'static str]) -> Self {
        self.spec.titles = titles;
        self
    }

    /// The same, folded away: see [`Spec::folded`].
    #[must_use]
    pub const fn folded(mut self) -> Self {
        self.spec.folded = true;
        self
    }

    /// The same, left open where it is not set: see [`Spec::open`].
    #[must_use]
    pub const fn left_open(mut self) -> Self {
        self.spec.open = true;
        self
    }

    fn get(&self, params: &P) -> Value {
        match self.access {
            Access::Number(get, _) => Value::Number(get(params)),
            Access::Flag(get, _) => Value::Flag(get(params)),
            Access::Choice(get, _) => Value::Choice(get(params)),
        }
    }

    /// A value of another sort than the row's changes nothing.
    fn set(&self, params: &mut P, value: Value) {
        match (&self.access, value) {
            (Access::Number(_, set), Value::Number(v)) => set(params, v),
            (Access::Flag(_, set), Value::Flag(v)) => set(params, v),
            (Access::Choice(_, set), Value::Choice(v)) => set(params, v),
            _ => {}
        }
    }
}

/// A set of parameters with its table. `Default` holds the defaults.
pub trait Params: Default + Clone + 'static {
    const TABLE: &'static [Param<Self>];

    /// Whether the parameter of this name changes anything as the others are set.
    fn matters(&self, _name: &str) -> bool {
        true
    }
}

/// [`Params`] with the type erased: what loops over tables see. Rows go by index.
pub trait Settings {
    fn len(&self) -> usize;
    fn spec(&self, row: usize) -> &'static Spec;
    fn value(&self, row: usize) -> Value;
    fn default_value(&self, row: usize) -> Value;
    /// Takes a value that [`Spec::parse`] or [`Spec::check`] has passed.
    fn put(&mut self, row: usize, value: Value);

    /// Whether a row changes anything as the others are set; one that does not need not be shown.
    fn matters(&self, _row: usize) -> bool {
        true
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of this name.
    fn find(&self, name: &str) -> Option<usize> {
        (0..self.len()).find(|&i| self.spec(i).name == name)
    }

    /// Itself, whatever its type.
    fn erased(&mut self) -> &mut dyn Settings;

    /// Sets a parameter by name from text, as a document or a command line gives it.
    fn set_text(&mut self, name: &str, text: &str) -> Result<(), ParamError> {
        set_text(self.erased(), name, text)
    }
}

/// Once for all types: the page holds many.
fn set_text(settings: &mut dyn Settings, name: &str, text: &str) -> Result<(), ParamError> {
    let Some(row) = settings.find(name) else {
        let known = (0..settings.len()).map(|i| settings.spec(i).name).collect();
        return Err(ParamError { name: name.to_owned(), problem: Problem::Unknown { known } });
    };
    let value = settings.spec(row).parse(text)?;
    settings.put(row, value);
    Ok(())
}

impl<P: Params> Settings for P {
    fn len(&self) -> usize {
        P::TABLE.len()
    }

    fn spec(&self, row: usize) -> &'static Spec {
        &P::TABLE[row].spec
    }

    fn value(&self, row: usize) -> Value {
        P::TABLE[row].get(self)
    }

    fn default_value(&self, row: usize) -> Value {
        P::TABLE[row].get(&P::default())
    }

    fn put(&mut self, row: usize, value: Value) {
        P::TABLE[row].set(self, value);
    }

    fn matters(&self, row: usize) -> bool {
        Params::matters(self, P::TABLE[row].spec.name)
    }

    fn erased(&mut self) -> &mut dyn Settings {
        self
    }
}

/// Why a value was refused: which parameter, and what would have worked.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamError {
    pub name: String,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    Unknown { known: Vec<&'static str> },
    NotANumber { text: String },
    NotWhole { text: String },
    WrongUnit { text: String, unit: Unit },
    OutOfRange { text: String, min: f64, max: f64, unit: Unit },
    NotAFlag { text: String },
    NotAChoice { text: String, choices: &'static [&'static str] },
}

impl ParamError {
    /// A value that would have worked and is probably meant: `15/16` for 15.
    pub fn suggestion(&self) -> Option<String> {
        let Problem::OutOfRange { text, min, max, .. } = &self.problem else { return None };
        let n: u32 = text.parse().ok()?;
        let fraction = format!("{n}/{}", n.checked_next_power_of_two()?);
        let value = parse_number(&fraction)?.0;
        (n % 2 == 1 && n > 1 && value >= *min && value <= *max).then_some(fraction)
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.problem {
            Problem::Unknown { known } if known.is_empty() => write!(f, "{name} is not a parameter here"),
            Problem::Unknown { known } => {
                write!(f, "{name} is not a parameter here; there are {}", known.join(", "))
            }
            Problem::NotANumber { text } => {
                write!(f, "{name} must be a number such as 0.75 or 3/4, not {text:?}")
            }
            Problem::NotWhole { text } => write!(f, "{name} must be a whole number, not {text:?}"),
            Problem::WrongUnit { text, unit } if unit.symbol().is_empty() => {
                write!(f, "{name} is a pure number; {text:?} has a unit")
            }
            Problem::WrongUnit { text, unit } => {
                write!(f, "{name} is in {}; {text:?} has another unit", unit.symbol())
            }
            Problem::OutOfRange { text, min, max, unit } => {
                write!(f, "{name} must be from {min} to {max}")?;
                if !unit.symbol().is_empty() {
                    write!(f, " {}", unit.symbol())?;
                }
                write!(f, ", not {text}")
            }
            Problem::NotAFlag { text } => write!(f, "{name} must be true or false, not {text:?}"),
            Problem::NotAChoice { text, choices } => {
                write!(f, "{name} must be one of {}, not {text:?}", choices.join(", "))
            }
        }?;
        match self.suggestion() {
            Some(s) => write!(f, "; did you mean {s}?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ParamError {}

impl Spec {
    pub const fn new((name, symbol, gloss, help): Words, kind: Kind) -> Self {
        Self { name, symbol, gloss, help, kind, open: false, words: &[], titles: &[], folded: false }
    }

    /// What a choice is called before a reader.
    pub fn title(&self, choice: usize) -> &'static str {
        let written = || if let Kind::Choice(all) = self.kind { all.get(choice).copied() } else { None };
        self.titles.get(choice).copied().or_else(written).unwrap_or_default()
    }

    /// Reads a value and checks it against the range.
    pub fn parse(&self, text: &str) -> Result<Value, ParamError> {
        let text = text.trim();
        let fail = |problem| Err(ParamError { name: self.name.to_owned(), problem });
        match self.kind {
            Kind::Number(range) => {
                if let Some((number, _)) = self.words.iter().find(|(_, word)| *word == text) {
                    return Ok(Value::Number(*number));
                }
                let whole = range.unit == Unit::Count;
                let Some((number, suffix)) = parse_number(text) else {
                    let text = text.to_owned();
                    if matches!(text.trim_start_matches(['+', '-']), "inf" | "infinity") {
                        let Range { min, max, unit, .. } = range;
                        return fail(Problem::OutOfRange { text, min, max, unit });
                    }
                    return fail(if whole {
                        Problem::NotWhole { text }
                    } else {
                        Problem::NotANumber { text }
                    });
                };
                let Some(value) = suffix.apply(number, range.unit) else {
                    return fail(Problem::WrongUnit { text: text.to_owned(), unit: range.unit });
                };
                if whole && value.fract() != 0.0 {
                    return fail(Problem::NotWhole { text: text.to_owned() });
                }
                if !(range.min..=range.max).contains(&value) {
                    let Range { min, max, unit, .. } = range;
                    return fail(Problem::OutOfRange { text: text.to_owned(), min, max, unit });
                }
                Ok(Value::Number(value + 0.0))
            }
            Kind::Flag => match text {
                "true" => Ok(Value::Flag(true)),
                "false" => Ok(Value::Flag(false)),
                _ => fail(Problem::NotAFlag { text: text.to_owned() }),
            },
            Kind::Choice(choices) => match choices.iter().find(|c| **c == text) {
                Some(c) => Ok(Value::Choice(c)),
                None => fail(Problem::NotAChoice { text: text.to_owned(), choices }),
            },
        }
    }

    /// Checks a number that came from a slider or a script.
    pub fn check(&self, number: f64) -> Result<Value, ParamError> {
        self.parse(&number.to_string())
    }

    /// Writes a value so that [`Spec::parse`] reads the same bits: its word if it has one, a fraction
    /// where one is exact, else the shortest decimal.
    pub fn print(&self, value: Value) -> String {
        if let Some((_, word)) = self.words.iter().find(|(number, _)| value == Value::Number(*number)) {
            return (*word).to_owned();
        }
        match (value, self.kind) {
            (Value::Number(v), Kind::Number(Range { fractions: true, .. })) => {
                fraction(v).unwrap_or_else(|| v.to_string())
            }
            (Value::Number(v), _) => v.to_string(),
            (Value::Flag(b), _) => b.to_string(),
            (Value::Choice(c), _) => c.to_owned(),
        }
    }
}

/// `15/16` for .9375: a proper fraction with a power of two up to 64 below the line, if exact.
pub fn fraction(value: f64) -> Option<String> {
    if !(0.0..1.0).contains(&value) || value == 0.0 {
        return None;
    }
    [2.0, 4.0, 8.0, 16.0, 32.0, 64.0]
        .into_iter()
        .find(|d| (value * d).fract() == 0.0)
        .map(|d| format!("{}/{d}", value * d))
}

/// What follows a number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Suffix {
    None,
    Percent,
    Seconds,
    Milliseconds,
    Microseconds,
    /// So many bits per second.
    Times(f64),
}

impl Suffix {
    /// The number in `unit`; `None` where suffix and unit do not go together.
    fn apply(self, number: f64, unit: Unit) -> Option<f64> {
        match (self, unit) {
            (Self::None, _) | (Self::Milliseconds, Unit::Milliseconds) => Some(number),
            (Self::Percent, Unit::One) => Some(number / 100.0),
            (Self::Times(times), Unit::BitsPerSecond) => Some(number * times),
            (Self::Seconds, Unit::Milliseconds) => Some(number * 1000.0),
            (Self::Microseconds, Unit::Milliseconds) => Some(number / 1000.0),
            _ => None,
        }
    }
}

/// Fractions that have a character of their own, as a phone or a word processor writes them.
const FRACTIONS: [(&str, f64); 9] = [
    ("½", 1.0 / 2.0),
    ("⅓", 1.0 / 3.0),
    ("⅔", 2.0 / 3.0),
    ("¼", 1.0 / 4.0),
    ("¾", 3.0 / 4.0),
    ("⅛", 1.0 / 8.0),
    ("⅜", 3.0 / 8.0),
    ("⅝", 5.0 / 8.0),
    ("⅞", 7.0 / 8.0),
];

/// A finite decimal or a fraction, and its suffix.
fn parse_number(text: &str) -> Option<(f64, Suffix)> {
    const SUFFIXES: [(&str, Suffix); 8] = [
        ("%", Suffix::Percent),
        ("ms", Suffix::Milliseconds),
        ("us", Suffix::Microseconds),
        ("µs", Suffix::Microseconds),
        ("s", Suffix::Seconds),
        ("k", Suffix::Times(1e3)),
        ("M", Suffix::Times(1e6)),
        ("G", Suffix::Times(1e9)),
    ];
    let (digits, suffix) = SUFFIXES
        .iter()
        .find_map(|(s, suffix)| Some((text.strip_suffix(s)?.trim_end(), *suffix)))
        .unwrap_or((text, Suffix::None));
    let decimal = |s: &str| decimal(s.trim());
    let own = FRACTIONS.iter().find(|(sign, _)| *sign == digits);
    let number = match (own, digits.split_once(['/', '⁄'])) {
        (Some((_, value)), _) => *value,
        (None, Some((over, under))) => decimal(over)? / decimal(under)?,
        (None, None) => decimal(digits)?,
    };
    number.is_finite().then_some((number, suffix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(unit: Unit, min: f64, max: f64) -> Spec {
        let kind = Kind::Number(Range { unit, min, max, slider: (min, max), step: 1.0, fractions: true });
        Spec::new(("f1", "F1", "", ""), kind)
    }

    #[test]
    fn numbers_are_read_in_every_form() {
        let one = number(Unit::One, 0.0, 1.0);
        for text in ["0.9375", "15/16", "93.75%", " 15 / 16 ", ".9375", "9.375e-1", "15⁄16"] {
            assert_eq!(one.parse(text), Ok(Value::Number(0.9375)), "{text}");
        }
        for (sign, value) in FRACTIONS {
            assert_eq!(one.parse(sign), Ok(Value::Number(value)), "{sign}");
        }
        let ms = number(Unit::Milliseconds, 0.0, 1e4);
        for text in ["200", "200ms", "0.2 s", "1/5 s", "200000us"] {
            assert_eq!(ms.parse(text), Ok(Value::Number(200.0)), "{text}");
        }
        let rate = number(Unit::BitsPerSecond, 1.0, 1e12);
        for text in ["56000", "56k", "0.056M", "56 k"] {
            assert_eq!(rate.parse(text), Ok(Value::Number(56_000.0)), "{text}");
        }
    }

    #[test]
    fn refusals_say_what_would_have_worked() {
        let one = number(Unit::One, 0.0, 1.0);
        let check = |text: &str, message: &str| {
            assert_eq!(one.parse(text).unwrap_err().to_string(), message);
        };
        check("2", "f1 must be from 0 to 1, not 2");
        check("15", "f1 must be from 0 to 1, not 15; did you mean 15/16?");
        check("fast", "f1 must be a number such as 0.75 or 3/4, not \"fast\"");
        check("NaN", "f1 must be a number such as 0.75 or 3/4, not \"NaN\"");
        check("inf", "f1 must be from 0 to 1, not inf");
        check("1/0", "f1 must be a number such as 0.75 or 3/4, not \"1/0\"");
        check("3ms", "f1 is a pure number; \"3ms\" has a unit");
        check("3k", "f1 is a pure number; \"3k\" has a unit");
    }

    #[test]
    fn some_numbers_have_words() {
        let total = Spec { words: &[(64.0, "unlimited")], ..number(Unit::Count, 1.0, 64.0) };
        assert_eq!(total.parse(" unlimited"), Ok(Value::Number(64.0)));
        assert_eq!(total.parse("64"), Ok(Value::Number(64.0)));
        assert_eq!([64.0, 63.0].map(|v| total.print(Value::Number(v))), ["unlimited", "63"]);
        assert!(total.parse("endless").is_err());
    }

    #[test]
    fn counts_are_whole() {
        let count = number(Unit::Count, 1.0, 64.0);
        assert_eq!(count.parse("4.0"), Ok(Value::Number(4.0)));
        let check = |text: &str, message: &str| {
            assert_eq!(count.parse(text).unwrap_err().to_string(), message);
        };
        check("2.5", "f1 must be a whole number, not \"2.5\"");
        check("four", "f1 must be a whole number, not \"four\"");
        check("4ms", "f1 is a pure number; \"4ms\" has a unit");
        check("0", "f1 must be from 1 to 64, not 0");
    }

    proptest! {
        #[test]
        fn print_then_parse_is_the_identity(v in 0.0..=1.0_f64, k in 0_u32..=64) {
            let one = number(Unit::One, 0.0, 1.0);
            for v in [v, f64::from(k) / 64.0] {
                prop_assert_eq!(one.parse(&one.print(Value::Number(v))), Ok(Value::Number(v)));
            }
        }
    }
}

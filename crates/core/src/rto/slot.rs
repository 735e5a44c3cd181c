//! A slot's text: an estimator's id and the parameters that differ from its defaults.
//!
//! ```text
//! slot = id *( " " name "=" value )         mills f1=7/8 f2=7/8
//! ```

use super::estimators::{Rule, all, rule};
use crate::params::{Kind, ParamError, Unit};
use std::fmt;
use std::ops::Range;

/// What is wrong with a slot, and which part of its text it is.
#[derive(Debug, Clone, PartialEq)]
pub struct SlotError {
    /// The word at fault, in bytes of the slot's text.
    pub span: Range<usize>,
    pub problem: SlotProblem,
}

#[derive(Debug, Clone, PartialEq)]
pub enum SlotProblem {
    Empty,
    NoSuchEstimator {
        id: String,
    },
    /// A word without `=` where a setting belongs.
    NotASetting {
        word: String,
    },
    /// One parameter set twice.
    Twice {
        name: String,
    },
    Param(ParamError),
}

impl SlotError {
    /// What to put in place of the word at fault.
    pub fn suggestion(&self) -> Option<String> {
        match &self.problem {
            SlotProblem::Param(e) => Some(format!("{}={}", e.name, e.suggestion()?)),
            _ => None,
        }
    }
}

impl fmt::Display for SlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = || all().iter().map(|e| e.id).collect::<Vec<_>>().join(", ");
        match &self.problem {
            SlotProblem::Empty => write!(f, "an estimator is missing; there are {}", ids()),
            SlotProblem::NoSuchEstimator { id } => {
                write!(f, "{id} is not an estimator here; there are {}", ids())
            }
            SlotProblem::NotASetting { word } => write!(f, "{word:?} is not of the form name=value"),
            SlotProblem::Twice { name } => write!(f, "{name} is set twice"),
            SlotProblem::Param(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for SlotError {}

/// Reads `mills f1=15/16 f2=3/4`.
pub fn parse_slot(text: &str) -> Result<Box<dyn Rule>, SlotError> {
    let mut words = words(text);
    let fail = |span, problem| Err(SlotError { span, problem });
    let Some((span, id)) = words.next() else { return fail(0..text.len(), SlotProblem::Empty) };
    let Some(mut rule) = rule(id) else {
        return fail(span, SlotProblem::NoSuchEstimator { id: id.to_owned() });
    };
    let mut seen = Vec::new();
    for (span, word) in words {
        let Some((name, value)) = word.split_once('=') else {
            return fail(span, SlotProblem::NotASetting { word: word.to_owned() });
        };
        if seen.contains(&name) {
            return fail(span, SlotProblem::Twice { name: name.to_owned() });
        }
        seen.push(name);
        if let Err(e) = rule.set_text(name, value) {
            return fail(span, SlotProblem::Param(e));
        }
    }
    Ok(rule)
}

/// Writes a slot so that [`parse_slot`] reads the same: only what differs from the defaults.
pub fn print_slot(rule: &dyn Rule) -> String {
    (0..rule.len()).filter(|&i| rule.value(i) != rule.default_value(i)).fold(
        rule.id().to_owned(),
        |text, i| {
            let spec = rule.spec(i);
            format!("{text} {}={}", spec.name, spec.print(rule.value(i)))
        },
    )
}

/// What an estimator is called beside its results.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// `None` for an estimator that is known by its constants.
    pub title: Option<&'static str>,
    pub settings: Vec<Setting>,
}

/// One `name = value` of a [`Description`].
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The variable, `F1`, or the gloss where the source names none.
    pub name: String,
    pub is_symbol: bool,
    pub value: String,
}

/// Calls an estimator that is known by its constants by their values, any other by its title; then
/// come the parameters that differ from the defaults. Two variables of one letter and one value are
/// written once: F = 7/8.
pub fn describe(rule: &dyn Rule) -> Description {
    let by_constants = rule.by_constants();
    let mut settings: Vec<Setting> = Vec::new();
    for i in 0..rule.len() {
        let spec = rule.spec(i);
        let is_symbol = !spec.symbol.is_empty();
        if !(by_constants && is_symbol) && rule.value(i) == rule.default_value(i) {
            continue;
        }
        let unit = match spec.kind {
            Kind::Number(range) if range.unit != Unit::One => format!("\u{a0}{}", range.unit.symbol()),
            _ => String::new(),
        };
        let value = spec.print(rule.value(i)) + &unit;
        let name = if is_symbol { spec.symbol } else { spec.gloss };
        match settings.last_mut() {
            Some(last) if is_symbol && last.value == value && numbered(&last.name, name) => {
                last.name.truncate(1);
            }
            _ => settings.push(Setting { name: name.to_owned(), is_symbol, value }),
        }
    }
    Description { title: (!by_constants).then(|| rule.title()), settings }
}

/// Whether both are variables of one letter, told apart by a digit.
fn numbered(a: &str, b: &str) -> bool {
    matches!((a.as_bytes(), b.as_bytes()), ([x, m], [y, n])
        if x == y && m.is_ascii_digit() && n.is_ascii_digit())
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = self.settings.iter().map(|s| match s {
            Setting { is_symbol: true, name, value } => format!("{name} = {value}"),
            Setting { name, value, .. } => format!("{name} {value}"),
        });
        let parts: Vec<String> = self.title.map(str::to_owned).into_iter().chain(settings).collect();
        f.write_str(&parts.join(", "))
    }
}

/// Words between white space, with their places.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    text.split_whitespace().map(|w| {
        let start = w.as_ptr() as usize - text.as_ptr() as usize;
        (start..start + w.len(), w)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn print_then_parse_is_the_identity() {
        for (text, printed) in [
            ("mills", "mills"),
            ("mills f1=15/16 f2=3/4 g=2", "mills"),
            ("  mills   g=1.5 f1=0.875 ", "mills f1=7/8 g=1.5"),
            ("rfc6298 min=0 max=2s", "rfc6298 min=0 max=2000"),
            ("mills backoff=true e-cold=80ms", "mills e-cold=80 backoff=true"),
        ] {
            let rule = parse_slot(text).unwrap();
            assert_eq!(print_slot(&*rule), printed);
            assert!(*parse_slot(printed).unwrap() == *rule);
        }
    }

    #[test]
    fn estimators_are_called_by_what_sets_them_apart() {
        for (slot, called) in [
            ("mills", "F1 = 15/16, F2 = 3/4, G = 2"),
            ("mills f1=7/8 f2=7/8", "F = 7/8, G = 2"),
            ("mills f1=0.9 e-cold=80", "F1 = 0.9, F2 = 3/4, G = 2, estimate before any reply 80\u{a0}ms"),
            ("rfc6298", "RFC 6298"),
            ("rfc793", "RFC 793"),
            ("rfc793 alpha=0.9 lbound=0", "RFC 793, ALPHA = 0.9, LBOUND = 0\u{a0}ms"),
            ("rfc6298 min=0 k=2", "RFC 6298, least timeout 0\u{a0}ms, K = 2"),
        ] {
            assert_eq!(describe(&*parse_slot(slot).unwrap()).to_string(), called);
        }
    }

    #[test]
    fn errors_name_the_word() {
        let check = |text: &str, word: &str, message: &str| {
            let e = parse_slot(text).unwrap_err();
            assert_eq!((&text[e.span.clone()], e.to_string().as_str()), (word, message));
        };
        check("mills f1=2", "f1=2", "f1 must be from 0 to 1, not 2");
        check("mills g=2 f1=15", "f1=15", "f1 must be from 0 to 1, not 15; did you mean 15/16?");
        check(
            "mill g=2",
            "mill",
            "mill is not an estimator here; there are mills, rfc793, jacobson88, rfc6298, rfc7323, linux, freebsd, \
             eifel, peak-hopper, quic, coap, cocoa, hindsight",
        );
        check("mills fast", "fast", "\"fast\" is not of the form name=value");
        check("mills g=2 g=3", "g=3", "g is set twice");
        check("mills min=2", "min=2", "min is not a parameter here; there are f1, f2, g, e-cold, backoff");
        assert_eq!(parse_slot("mills f1=15").unwrap_err().suggestion().as_deref(), Some("f1=15/16"));
    }
}

//! One value of the delay column.

use super::Unit;
use crate::number;
use crate::text::past;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    /// A number, in the unit written behind it or that of the column.
    Value(f64, Option<Unit>),
    /// `<1`.
    Below(f64, Option<Unit>),
    /// A mark that says: no answer.
    Lost,
    /// `?`: answered, and not said how soon.
    Untimed,
    /// Lost if the file has no other mark, else no delay.
    Nan,
    /// Lost, unless other negative delays stand beside it.
    MinusOne,
    Negative,
    Infinite,
    /// 2^32 − 1 and the like: what a counter shows where there was no answer.
    Sentinel,
    Unreadable,
}

/// Marks of loss, in lower case.
const LOST: &[&str] = &[
    "",
    "-",
    "--",
    "---",
    "*",
    "timeout",
    "timed out",
    "time out",
    "timedout",
    "request timed out",
    "lost",
    "loss",
    "null",
    "undefined",
    "none",
    "nil",
    "n/a",
    "na",
    "#n/a",
    "no reply",
    "no response",
    "no answer",
    "unreachable",
    "dropped",
    "drop",
    "failed",
    "fail",
    "error",
    "err",
    "-1",
    "no data",
    "unknown",
    "false",
    "verloren",
    "perdu",
    "perso",
    "perdido",
    "zeitüberschreitung",
    "délai dépassé",
    "потеря",
    "таймаут",
    "超时",
    "タイムアウト",
    "–",
    "—",
];

pub(super) fn read(field: &[u8], decimal: u8) -> Cell {
    if field.is_empty() {
        return Cell::Lost;
    }
    if let Some(value) = number::whole(field, decimal) {
        return number_cell(value, None);
    }
    let lower = field.to_ascii_lowercase();
    let bare = lower.strip_suffix(b".").unwrap_or(&lower);
    if LOST.iter().any(|m| m.as_bytes() == bare) {
        return Cell::Lost;
    }
    match past(bare, "-").or_else(|| past(bare, "+")).unwrap_or(bare) {
        b"?" => return Cell::Untimed,
        b"nan" => return Cell::Nan,
        b"inf" | b"infinity" | b"\xe2\x88\x9e" => return Cell::Infinite,
        _ => {}
    }
    let (below, rest) = match past(field, "<") {
        Some(rest) => (true, rest.trim_ascii()),
        None => (false, field),
    };
    // "12.3 ms": the number ends where the unit's letters begin.
    let end = rest.iter().rposition(u8::is_ascii_digit).map_or(0, |i| i + 1);
    let word = rest[end..].trim_ascii();
    let unit = super::names::unit_of(word);
    let Some(value) = number::whole(rest[..end].trim_ascii(), decimal) else { return Cell::Unreadable };
    match (below, word.is_empty() || unit.is_some()) {
        (_, false) => Cell::Unreadable,
        (false, _) => number_cell(value, unit),
        (true, _) => match number_cell(value, unit) {
            Cell::Value(bound, unit) if bound > 0.0 => Cell::Below(bound, unit),
            _ => Cell::Unreadable,
        },
    }
}

/// What a counter shows where there was no answer, as it stands or in thousandths.
pub(super) fn is_sentinel(value: f64) -> bool {
    const TWO_32: f64 = 4_294_967_295.0;
    value == TWO_32 || value == TWO_32 / 1000.0 || value >= 1.8e19
}

fn number_cell(value: f64, unit: Option<Unit>) -> Cell {
    #[expect(clippy::float_cmp, reason = "the mark is exact")]
    let mark = value == -1.0;
    match value {
        v if is_sentinel(v) => Cell::Sentinel,
        _ if mark => Cell::MinusOne,
        v if v < 0.0 => Cell::Negative,
        v => Cell::Value(v, unit),
    }
}

/// Yes, and true, in the languages of spreadsheets.
const YES: &[&str] = &[
    "1",
    "true",
    "yes",
    "y",
    "ja",
    "wahr",
    "oui",
    "vrai",
    "si",
    "sí",
    "verdadero",
    "sì",
    "vero",
    "sim",
    "tak",
    "да",
    "истина",
    "是",
    "はい",
];
const NO: &[&str] = &[
    "0",
    "false",
    "no",
    "n",
    "nein",
    "nee",
    "nej",
    "falsch",
    "non",
    "faux",
    "falso",
    "não",
    "nie",
    "нет",
    "ложь",
    "否",
    "いいえ",
];

/// Whether a row's column of outcomes says that it was answered. `answered` tells what 1 means.
pub(super) fn outcome(field: &[u8], answered: bool) -> Option<bool> {
    let lower = field.to_ascii_lowercase();
    let is = |list: &[&str]| list.iter().any(|word| word.as_bytes() == lower);
    match &lower[..] {
        _ if is(YES) => Some(answered),
        _ if is(NO) => Some(!answered),
        b"ok" | b"success" | b"succeeded" | b"reply" | b"received" | b"answered" | b"up" | b"alive"
        | b"online" => Some(true),
        b"down" | b"offline" => Some(false),
        b"" => None,
        // What stands in a column of errors where there was none.
        b"none" | b"null" | b"nil" | b"undefined" | b"n/a" | b"na" | b"-" | b"--" if !answered => None,
        // A code: 0 is success.
        code if !answered && code.iter().all(u8::is_ascii_digit) => Some(false),
        word => LOST.iter().any(|m| m.as_bytes() == word).then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_a_number_a_bound_a_mark_or_none_of_these() {
        use Cell::{Below, Infinite, Lost, MinusOne, Nan, Negative, Sentinel, Unreadable, Untimed, Value};
        let ms = Some(Unit::Millis);
        for (text, expected) in [
            ("22.2", Value(22.2, None)),
            ("22.2 ms", Value(22.2, ms)),
            ("22ms", Value(22.0, ms)),
            ("1.5 µs", Value(1.5, Some(Unit::Micros))),
            ("<1", Below(1.0, None)),
            ("< 1 ms", Below(1.0, ms)),
            ("<0", Unreadable),
            ("<1e300", Unreadable),
            ("?", Untimed),
            ("", Lost),
            ("-", Lost),
            ("*", Lost),
            ("Request timed out.", Lost),
            ("TIMEOUT", Lost),
            ("超时", Lost),
            ("NaN", Nan),
            ("-1", MinusOne),
            ("-1.0", MinusOne),
            ("-0.3", Negative),
            ("inf", Infinite),
            ("-Infinity", Infinite),
            ("4294967295", Sentinel),
            ("18446744073709551615", Sentinel),
            ("abc", Unreadable),
            ("1e999", Unreadable),
            ("12.3 km", Unreadable),
            ("1.2.3", Unreadable),
        ] {
            assert_eq!(read(text.as_bytes(), b'.'), expected, "{text}");
        }
    }

    #[test]
    fn an_outcome_is_a_word_or_a_bit() {
        for (text, answered, expected) in [
            ("1", true, Some(true)),
            ("1", false, Some(false)),
            ("OK", false, Some(true)),
            ("timeout", true, Some(false)),
            ("DOWN", true, Some(false)),
            ("none", false, None),
            ("-", true, Some(false)),
            ("200", true, None),
        ] {
            assert_eq!(outcome(text.as_bytes(), answered), expected);
        }
    }
}

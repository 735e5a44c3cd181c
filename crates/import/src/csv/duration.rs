//! Delays written as durations of several parts: `0:00:00.0123`, `0 days 00:00:00.012300`, `PT0.02S`, `1m2.5s`.

use super::Unit;
use super::cell::{self, Cell};
use super::names;
use crate::number::leading;
use crate::text::{find, past};

/// A value of the delay column, as [`cell::read`] reads it, or as a duration; its name may stand before it.
pub(super) fn read(field: &[u8], decimal: u8) -> Cell {
    // "rta=12.3ms"
    let named = find(field, b"=").map(|at| field.split_at(at)).filter(|(name, _)| names::is_delay_name(name));
    let field = named.map_or(field, |(_, value)| &value[1..]);
    match cell::read(field, decimal) {
        Cell::Unreadable => seconds(field).map_or(Cell::Unreadable, |s| Cell::Value(s, Some(Unit::Seconds))),
        cell => cell,
    }
}

/// A duration. One with a unit alone is none: that is a number with its unit.
pub(super) fn seconds(field: &[u8]) -> Option<f64> {
    let period = past(field, "P");
    let mut rest = period.unwrap_or(field);
    rest = past(rest, "T").unwrap_or(rest);
    let (mut total, mut parts) = (0.0, u32::from(period.is_some()));
    while !rest.is_empty() {
        let (value, used) = leading(rest).filter(|(v, _)| *v >= 0.0)?;
        rest = &rest[used..];
        if let Some(minutes) = rest.strip_prefix(b":") {
            let (m, used) = leading(minutes)?;
            let (s, end) = leading(minutes[used..].strip_prefix(b":")?)?;
            let all = end + used + 1 == minutes.len() && m < 60.0 && s < 60.0;
            // What is longer than an hour is a time of day.
            return (all && value < 1.0).then_some(total + m * 60.0 + s);
        }
        rest = rest.trim_ascii_start();
        let letters = rest.iter().take_while(|b| !b.is_ascii_digit() && **b != b' ').count();
        let unit = match &rest[..letters].to_ascii_lowercase()[..] {
            b"d" | b"day" | b"days" | b"dt" => 86_400.0,
            b"h" => 3600.0,
            b"m" | b"min" => 60.0,
            unit => names::unit_of(unit)?.to_ms(1.0) / 1000.0,
        };
        total += value * unit;
        parts += 1;
        rest = rest[letters..].trim_ascii_start();
    }
    (parts > 1).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_parts() {
        for (text, expected) in [
            ("0:00:00.0123", Some(0.0123)),
            ("00:02:03", Some(123.0)),
            ("10:24:04", None),
            ("00:00:00,0123", Some(0.0123)),
            ("0 days 00:00:00.012300", Some(0.0123)),
            ("PT0.02S", Some(0.02)),
            ("P1DT1M0.5S", Some(86_460.5)),
            ("1m2.5s", Some(62.5)),
            ("1s 20ms", Some(1.02)),
            ("12:30", None),
            ("1:99:00", None),
            ("0:00:00.1 x", None),
            ("5 m", None),
            ("12 km", None),
            ("P", None),
            ("-1:00:00", None),
            ("", None),
        ] {
            let got = seconds(text.as_bytes());
            assert_eq!(
                got.map(|s| (s * 1e9).round() / 1e9),
                expected.map(|s: f64| (s * 1e9).round() / 1e9),
                "{text}"
            );
        }
    }
}

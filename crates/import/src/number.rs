//! Decimal numbers as tools and spreadsheets print them.

use netspurt_core::number::POWERS;

/// The number at the start of `s` and how many bytes it takes. Decimals follow a point, or a comma
/// with a digit after it: a tool that measures does not group digits.
pub(crate) fn leading(s: &[u8]) -> Option<(f64, usize)> {
    let negative = s.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut i = start;
    let mut mantissa = 0_u64;
    let mut digits = 0_usize;
    let mut point = None;
    while let Some(&b) = s.get(i) {
        match b {
            b'0'..=b'9' => {
                mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(b - b'0'));
                digits += 1;
            }
            b'.' if point.is_none() && digits > 0 => point = Some(i),
            b',' if point.is_none() && digits > 0 && s.get(i + 1).is_some_and(u8::is_ascii_digit) => {
                point = Some(i);
            }
            _ => break,
        }
        i += 1;
    }
    if digits == 0 {
        return None;
    }
    let decimals = point.map_or(0, |p| i - p - 1);
    let value = if digits < POWERS.len() {
        mantissa as f64 / POWERS[decimals]
    } else {
        let text: String =
            s[start..i].iter().map(|b| if *b == b',' { '.' } else { char::from(*b) }).collect();
        netspurt_core::number::decimal(&text)?
    };
    Some((if negative { -value } else { value }, i))
}

/// The whole number at the start of `s` and how many bytes it takes.
pub(crate) fn integer(s: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0_u64;
    let mut i = 0;
    while let Some(b @ b'0'..=b'9') = s.get(i) {
        value = value.checked_mul(10)?.checked_add(u64::from(b - b'0'))?;
        i += 1;
    }
    (i > 0).then_some((value, i))
}

/// The whole number at the start of `s`, up to 2³² − 1.
#[inline(never)]
pub(crate) fn short(s: &[u8]) -> Option<u32> {
    integer(s).and_then(|(n, _)| u32::try_from(n).ok())
}

/// The number behind a name: blanks may stand between.
#[inline(never)]
pub(crate) fn after(s: &[u8], name: &str) -> Option<f64> {
    leading(crate::text::behind(s, name)?.trim_ascii_start()).map(|(value, _)| value)
}

/// The whole number behind a name.
pub(crate) fn count_after(s: &[u8], name: &str) -> Option<u64> {
    after(s, name).filter(|v| (0.0..1e15).contains(v)).map(|v| v as u64)
}

/// Three numbers parted by slashes, and what follows them.
#[inline(never)]
pub(crate) fn three(s: &[u8]) -> Option<([f64; 3], &[u8])> {
    let mut rest = s.trim_ascii_start();
    let mut values = [0.0; 3];
    for value in &mut values {
        let (v, used) = leading(rest)?;
        *value = v;
        rest = crate::text::past(&rest[used..], "/").unwrap_or(&rest[used..]);
    }
    Some((values, rest))
}

/// All of `s` as a number whose decimals follow `decimal` (`.` or `,`). Digits may stand in groups
/// of three, parted by the other mark, a space or an apostrophe.
pub(crate) fn whole(s: &[u8], decimal: u8) -> Option<f64> {
    let plain = |b: &u8| b.is_ascii_digit() || *b == decimal || *b == b'-';
    if s.len() < POWERS.len()
        && s.iter().all(plain)
        && let Some((value, used)) = leading(s)
        && used == s.len()
    {
        return Some(value);
    }
    let text = std::str::from_utf8(s).ok()?;
    let (sign, text) = match text.strip_prefix('-').or_else(|| text.strip_prefix('\u{2212}')) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let mark = char::from(decimal);
    let mut clean = sign.to_owned();
    // The mark between groups, and the digits since it.
    let (mut group, mut digits) = (None, 0);
    let mut whole = true;
    for c in text.chars() {
        let ends = whole && (c == mark || c == 'e' || c == 'E');
        match c {
            '0'..='9' => digits += 1,
            _ if ends => {
                if group.is_some() && digits != 3 {
                    return None;
                }
                whole = false;
            }
            '.' | ',' | ' ' | '\'' | '\u{a0}' | '\u{202f}' | '\u{2019}' if whole => {
                let fits = if group.is_none() { (1..=3).contains(&digits) } else { digits == 3 };
                if !fits || group.is_some_and(|g| g != c) {
                    return None;
                }
                (group, digits) = (Some(c), 0);
                continue;
            }
            'e' | 'E' | '+' | '-' if !whole => {}
            _ => return None,
        }
        clean.push(if c == mark { '.' } else { c });
    }
    if whole && group.is_some() && digits != 3 {
        return None;
    }
    netspurt_core::number::decimal(&clean)
}

/// All of `s` as a count of nanoseconds, exactly, where one unit is `ns` of them.
pub(crate) fn nanoseconds(s: &[u8], decimal: u8, ns: i64) -> Option<i64> {
    let negative = s.first() == Some(&b'-');
    let digits = &s[usize::from(negative)..];
    let point = digits.iter().position(|b| *b == decimal).unwrap_or(digits.len());
    let (whole, decimals) = (&digits[..point], digits.get(point + 1..).unwrap_or_default());
    let all_digits = whole.iter().chain(decimals).all(u8::is_ascii_digit);
    if !all_digits || whole.is_empty() || whole.len() > 20 {
        // An exponent, digits in groups: not exact, and not needed to be.
        let value = self::whole(s, decimal)? * ns as f64;
        return in_range(value);
    }
    // A ninth decimal of a second is a nanosecond; what follows does not count.
    let kept = &decimals[..decimals.len().min(9)];
    let (mut part, mut scale) = (0_i64, 1_i64);
    for b in kept {
        part = part * 10 + i64::from(b - b'0');
        scale *= 10;
    }
    let whole = i64::try_from(integer(whole)?.0).ok()?;
    let value = whole.checked_mul(ns)?.checked_add(part * ns / scale)?;
    Some(if negative { -value } else { value })
}

fn in_range(ns: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (ns.abs() < 9.0e18).then_some(ns as i64)
}

/// Seconds in ms. The product of 0.0131 and 1000 is 13.100000000000001; the decimal is found again if it ends
/// at the nanosecond.
pub(crate) fn seconds_to_ms(seconds: f64) -> f64 {
    let ms = seconds * 1000.0;
    let decimal = (ms * 1e6).round() / 1e6;
    if (decimal - ms).abs() <= ms.abs() * (2.0 * f64::EPSILON) { decimal } else { ms }
}

/// How a number is said in a sentence.
pub(crate) fn in_words(n: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(n).map_or_else(|| n.to_string(), |w| (*w).to_owned())
}

/// `1 line`, `2 lines`.
pub(crate) fn plural(n: u64, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_from_the_start_of_a_text() {
        for (text, expected) in [
            ("22.2 ms", Some((22.2, 4))),
            ("30,406 ms", Some((30.406, 6))),
            ("4, Received", Some((4.0, 1))),
            ("0. time", Some((0.0, 2))),
            ("-0.5", Some((-0.5, 4))),
            ("9007199254740993.0000", Some((9_007_199_254_740_992.0, 21))),
            ("1.2.3", Some((1.2, 3))),
            ("ms", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(leading(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(integer(b"18446744073709551616"), None);
        assert_eq!(integer(b"017 x"), Some((17, 3)));
    }

    #[test]
    fn a_field_is_a_number_as_a_whole_or_not_at_all() {
        for (text, decimal, expected) in [
            ("22,2", b',', Some(22.2)),
            ("22.2", b'.', Some(22.2)),
            ("1.234,5", b',', Some(1234.5)),
            ("1,234.5", b'.', Some(1234.5)),
            ("12,34.5", b'.', None),
            ("1 234", b'.', Some(1234.0)),
            ("-3", b'.', Some(-3.0)),
            ("\u{2212}3", b'.', Some(-3.0)),
            ("+1.5e-3", b'.', Some(0.0015)),
            ("1e999", b'.', None),
            (".5", b'.', Some(0.5)),
            ("5.", b'.', Some(5.0)),
            ("inf", b'.', None),
            ("e", b'.', None),
            ("1-2", b'.', None),
            ("1e5-2", b'.', None),
            ("1e5.2", b'.', None),
            ("1,234e-3", b'.', Some(1.234)),
            ("1.234.567", b',', Some(1_234_567.0)),
            ("1.234 567", b',', None),
            ("1 234 56", b'.', None),
            ("1.2.3", b'.', None),
            ("1\u{a0}234,5", b',', Some(1234.5)),
            ("1'234", b'.', Some(1234.0)),
            ("--1", b'.', None),
            ("+", b'.', None),
            ("", b'.', None),
        ] {
            assert_eq!(whole(text.as_bytes(), decimal), expected, "{text}");
        }
    }

    #[test]
    fn milliseconds_end_where_the_seconds_did() {
        for (seconds, ms) in
            [(0.0131, 13.1), (1.0131, 1013.1), (0.000_095, 0.095), (0.0, 0.0), (1e300, 1e303)]
        {
            assert_eq!(seconds_to_ms(seconds), ms);
        }
        assert_eq!(seconds_to_ms(1.0 / 3.0), 1000.0 / 3.0);
        assert!(seconds_to_ms(f64::NAN).is_nan() && seconds_to_ms(f64::INFINITY).is_infinite());
    }

    #[test]
    fn nanoseconds_are_exact() {
        let s = 1_000_000_000;
        assert_eq!(nanoseconds(b"1796034244.814461", b'.', s), Some(1_796_034_244_814_461_000));
        assert_eq!(nanoseconds(b"1796034244814461123", b'.', 1), Some(1_796_034_244_814_461_123));
        assert_eq!(nanoseconds(b"-0,5", b',', s), Some(-500_000_000));
        assert_eq!(nanoseconds(b"1.9999999999999999", b'.', s), Some(1_999_999_999));
        assert_eq!(nanoseconds(b"1.9999999999999999", b'.', 1000), Some(1999));
        assert_eq!(nanoseconds(b"9223372036.9", b'.', s), None);
        assert_eq!(nanoseconds(b"1e3", b'.', 1_000_000), Some(s));
        assert_eq!(nanoseconds(b"99999999999999999999", b'.', s), None);
        assert_eq!(nanoseconds(b"", b'.', s), None);
        assert_eq!(nanoseconds(b"-", b'.', s), None);
    }
}

//! The `name=value` pairs of a line.

use crate::number::{leading, seconds_to_ms};
use crate::text::past;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Seconds,
    Millis,
    Micros,
    /// Nothing behind the number but a blank, a comma or the end.
    None,
    /// Something, but no unit that is known here; it may be the next word.
    Other,
}

/// With a blank before it or without. Longer names before those that begin alike.
const UNITS: &[(&str, Unit)] = &[
    ("ms", Unit::Millis),
    ("мсек", Unit::Millis),
    ("мс", Unit::Millis),
    ("ミリ秒", Unit::Millis),
    ("毫秒", Unit::Millis),
    ("밀리초", Unit::Millis),
    ("us", Unit::Micros),
    ("µs", Unit::Micros),
    ("μs", Unit::Micros),
    ("мкс", Unit::Micros),
    ("sec", Unit::Seconds),
    // Spanish Windows prints "tiempo<1m".
    ("m", Unit::Millis),
    ("s", Unit::Seconds),
];

impl Unit {
    /// The unit that stands at the start of `s`.
    pub(crate) fn read(s: &[u8]) -> Self {
        if let [b' ', b'm', b's', ..] | [b'm', b's', ..] = s
            && !s.get(3 - usize::from(s[0] != b' ')).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'=')
        {
            return Self::Millis;
        }
        let word = past(s, " ").or_else(|| s.strip_prefix(b"\xc2\xa0")).unwrap_or(s);
        for (name, unit) in UNITS {
            if let Some(rest) = word.strip_prefix(name.as_bytes()) {
                // "bytes=32 süre=15ms": one letter is no unit where a letter of any alphabet follows.
                let letter =
                    |b: &u8| b.is_ascii_alphanumeric() || *b == b'=' || name.len() == 1 && is_letter_byte(*b);
                // "msec" and "seconds" are whole words too.
                if !rest.first().is_some_and(letter) || (name.len() > 1 && rest.starts_with(b"ec")) {
                    return *unit;
                }
            }
        }
        match s.first() {
            // Letters of an alphabet other than Latin: a unit, or the next word.
            Some(b' ') if s.get(1).is_some_and(|b| *b >= 0x80) => Self::Other,
            None | Some(b' ' | b',' | b';' | b')' | b'(' | b'/') => Self::None,
            // "、" and "，" part the numbers of a summary.
            Some(0xe3 | 0xef) if s.starts_with("、".as_bytes()) || s.starts_with("，".as_bytes()) => {
                Self::None
            }
            Some(_) => Self::Other,
        }
    }

    pub(crate) fn is_time(self) -> bool {
        matches!(self, Self::Seconds | Self::Millis | Self::Micros)
    }

    /// A number of this unit in ms; of a unit that is not known it is taken for ms.
    pub(crate) fn to_ms(self, value: f64) -> f64 {
        match self {
            Self::Seconds => seconds_to_ms(value),
            Self::Micros => value / 1000.0,
            Self::Millis | Self::None | Self::Other => value,
        }
    }
}

/// Whether a byte begins a letter beyond ASCII in UTF-8: not the punctuation of Chinese or Japanese.
fn is_letter_byte(b: u8) -> bool {
    b >= 0xc3 && !matches!(b, 0xe2 | 0xe3 | 0xef)
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<'a> {
    /// The word before the sign.
    pub(crate) name: &'a [u8],
    /// `<` in place of `=`, or behind it.
    pub(crate) below: bool,
    pub(crate) value: f64,
    pub(crate) unit: Unit,
    /// First byte of the number.
    pub(crate) start: usize,
    /// First byte behind the number.
    pub(crate) end: usize,
}

const NO_PAIR: Pair<'static> =
    Pair { name: b"", below: false, value: 0.0, unit: Unit::None, start: 0, end: 0 };

impl Pair<'_> {
    pub(crate) fn integer(&self) -> Option<u32> {
        let whole = self.value >= 0.0 && self.value <= f64::from(u32::MAX) && self.value.fract() == 0.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
        whole.then_some(self.value as u32)
    }

    pub(crate) fn is_ident(&self) -> bool {
        matches!(self.name, b"ident" | b"id" | b"tos" | b"ip")
    }

    /// Whether the name ends with one of `names`, in any case.
    pub(crate) fn is_named(&self, names: &[&str]) -> bool {
        names.iter().any(|name| {
            let at = self.name.len().checked_sub(name.len());
            at.is_some_and(|i| self.name[i..].eq_ignore_ascii_case(name.as_bytes()))
        })
    }
}

/// The first eight pairs whose value is a number.
#[derive(Debug)]
pub(crate) struct Pairs<'a> {
    pub(crate) list: PairList<'a>,
}

#[derive(Debug)]
pub(crate) struct PairList<'a> {
    pairs: [Pair<'a>; 8],
    n: usize,
}

impl<'a> std::ops::Deref for PairList<'a> {
    type Target = [Pair<'a>];

    fn deref(&self) -> &[Pair<'a>] {
        &self.pairs[..self.n]
    }
}

impl<'a> Pairs<'a> {
    pub(crate) fn find(line: &'a [u8]) -> Self {
        let mut list = PairList { pairs: [NO_PAIR; 8], n: 0 };
        let mut from = 0;
        for (at, sign) in line.iter().enumerate().filter(|(_, b)| matches!(b, b'=' | b'<')) {
            if at < from || list.n == list.pairs.len() {
                continue;
            }
            let mut below = *sign == b'<';
            let mut start = at + 1;
            while let Some(b @ (b' ' | b'=' | b'<')) = line.get(start) {
                below |= *b == b'<';
                start += 1;
            }
            let Some((value, used)) = leading(&line[start..]) else { continue };
            let before = line[from..at].trim_ascii_end();
            let name = before.rsplit(|b| matches!(b, b' ' | b',' | b'(')).next().unwrap_or_default();
            let end = start + used;
            list.pairs[list.n] = Pair { name, below, value, unit: Unit::read(&line[end..]), start, end };
            list.n += 1;
            from = end;
        }
        Self { list }
    }

    /// The first pair whose name ends with one of `names`, in any case.
    pub(crate) fn named(&self, names: &[&str]) -> Option<usize> {
        self.list.iter().position(|p| p.is_named(names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_a_name_a_value_and_a_unit() {
        use Unit::{Micros, Millis, None, Other, Seconds};
        let line = "число байт=32 時間 =4ms x<1m TTL=58 time=<2 мс y=1,5 µs z=3 sec".as_bytes();
        let pairs = Pairs::find(line);
        let got: Vec<_> = pairs.list.iter().map(|p| (p.value, p.below, p.unit)).collect();
        let expected = [
            (32.0, false, Other),
            (4.0, false, Millis),
            (1.0, true, Millis),
            (58.0, false, None),
            (2.0, true, Millis),
            (1.5, false, Micros),
            (3.0, false, Seconds),
        ];
        assert_eq!(got, expected);
        assert_eq!(pairs.named(&["ttl"]), Some(3));
    }

    #[test]
    fn what_is_no_unit_is_told_from_none() {
        for (text, unit) in [
            ("ms", Unit::Millis),
            (" ms (DUP!)", Unit::Millis),
            ("msec", Unit::Millis),
            (" TTL=5", Unit::None),
            (" s=5", Unit::None),
            (" süre=15ms", Unit::None),
            ("s、", Unit::Seconds),
            ("、受信", Unit::None),
            (" (0%", Unit::None),
            ("\u{ac}\u{e1} TTL", Unit::Other),
            ("packets", Unit::Other),
        ] {
            assert_eq!(Unit::read(text.as_bytes()), unit, "{text}");
        }
    }
}

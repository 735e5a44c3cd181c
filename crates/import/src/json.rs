//! JSON read where it lies: a value is the part of the text it takes.
//!
//! Nothing is built: members and items are found by skipping over those before. Skipping counts
//! brackets and does not call itself, so depth costs nothing. A text that was cut ends with values
//! that are not whole; what stands before the cut is read.

use memchr::memchr2;
use netspurt_core::number::decimal;

/// A value in a text. One that is not there is a value too: it has no members and no items, is no
/// number, and shows as nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'a> {
    text: &'a [u8],
    /// The text did not end within it.
    pub(crate) whole: bool,
}

/// The values of a text, one after the other: lines of JSON, a sequence with record separators
/// (RFC 7464), or a single document. What is no JSON is skipped up to the next line.
pub(crate) fn documents(text: &[u8]) -> impl Iterator<Item = Value<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            while text.get(at).is_some_and(|b| b.is_ascii_whitespace() || matches!(b, 0x1e | b',')) {
                at += 1;
            }
            let value = value_at(text.get(at..)?);
            match value {
                Some(value) => {
                    at += value.text.len();
                    return Some(value);
                }
                None if at >= text.len() => return None,
                None => at += memchr::memchr(b'\n', &text[at..]).unwrap_or(text.len() - at),
            }
        }
    })
}

/// The members of an object.
#[derive(Debug)]
pub(crate) struct Members<'a>(&'a [u8]);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a [u8], Value<'a>);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        self.0 = after_blanks(self.0);
        let key = self.0.get(..quoted(self.0).filter(|_| self.0[0] == b'"')?)?;
        self.0 = after_blanks(&self.0[key.len()..]).strip_prefix(b":")?;
        self.0 = after_blanks(self.0);
        let value = value_at(self.0)?;
        self.0 = &self.0[value.text.len()..];
        Some((&key[1..key.len() - 1], value))
    }
}

/// The items of an array.
#[derive(Debug)]
pub(crate) struct Items<'a> {
    rest: &'a [u8],
    alone: bool,
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    #[inline(never)]
    fn next(&mut self) -> Option<Value<'a>> {
        self.rest = after_blanks(self.rest);
        let value = value_at(self.rest)?;
        self.rest = if self.alone { &[] } else { &self.rest[value.text.len()..] };
        Some(value)
    }
}

/// The value that begins at the first byte. `None`: there is none, or a word that may be cut.
fn value_at(text: &[u8]) -> Option<Value<'_>> {
    let length = match text.first()? {
        b'{' | b'[' => bracketed(text),
        b'"' => quoted(text),
        b'}' | b']' | b':' | b',' => return None,
        _ => {
            let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b'}' | b']' | b':' | 0x1e);
            let length = text.iter().position(ends)?;
            return Some(Value { text: &text[..length], whole: true }).filter(|v| !v.text.is_empty());
        }
    };
    Some(match length {
        Some(length) => Value { text: &text[..length], whole: true },
        None => Value { text, whole: false },
    })
}

/// The length of a string with its quotes.
fn quoted(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// The length of an object or array.
fn bracketed(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(b) = text.get(at) {
        match b {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' => {
                at += quoted(&text[at..])?;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

impl<'a> Value<'a> {
    pub(crate) const MISSING: Self = Self { text: &[], whole: true };

    /// The first value of a text.
    pub(crate) fn first(text: &'a [u8]) -> Self {
        documents(text).next().unwrap_or(Self::MISSING)
    }

    pub(crate) fn exists(self) -> bool {
        !self.text.is_empty()
    }

    pub(crate) fn is_object(self) -> bool {
        self.text.first() == Some(&b'{')
    }

    pub(crate) fn is_array(self) -> bool {
        self.text.first() == Some(&b'[')
    }

    /// Where it begins in the text it is a part of.
    pub(crate) fn offset_in(self, text: &[u8]) -> usize {
        self.text.as_ptr().addr().saturating_sub(text.as_ptr().addr())
    }

    /// This, or the other where this is missing.
    pub(crate) fn or(self, other: Self) -> Self {
        if self.exists() { self } else { other }
    }

    /// The members of an object, none of anything else.
    pub(crate) fn members(self) -> Members<'a> {
        Members(if self.is_object() { &self.text[1..] } else { &[] })
    }

    /// The items of an array, none of anything else.
    pub(crate) fn items(self) -> Items<'a> {
        Items { rest: if self.is_array() { &self.text[1..] } else { &[] }, alone: false }
    }

    /// The items of an array; anything else is one itself.
    pub(crate) fn each(self) -> Items<'a> {
        if self.is_array() { self.items() } else { Items { rest: self.text, alone: true } }
    }

    /// A member of an object.
    #[inline(never)]
    pub(crate) fn get(self, name: &str) -> Self {
        let mut members = self.members();
        members.find(|(key, _)| *key == name.as_bytes()).map_or(Self::MISSING, |(_, value)| value)
    }

    /// A member of a member, and so on.
    pub(crate) fn at(self, path: &[&str]) -> Self {
        path.iter().fold(self, |value, name| value.get(name))
    }

    /// The first of these members that there is.
    #[inline(never)]
    pub(crate) fn any(self, names: &[&str]) -> Self {
        names.iter().fold(Self::MISSING, |found, name| found.or_else(|| self.get(name)))
    }

    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self.exists() { self } else { other() }
    }

    /// A member that is a number.
    #[inline(never)]
    pub(crate) fn num(self, name: &str) -> Option<f64> {
        self.get(name).number()
    }

    /// A member that is a whole number from 0 up.
    #[inline(never)]
    pub(crate) fn uint(self, name: &str) -> Option<u64> {
        self.get(name).integer()
    }

    /// A member that fits a length in octets.
    pub(crate) fn length(self, name: &str) -> Option<u32> {
        self.get(name).short()
    }

    /// A member as it is shown; empty where there is none.
    #[inline(never)]
    pub(crate) fn shown(self, name: &str) -> String {
        self.get(name).word()
    }

    /// The items of a member, none where there is none.
    pub(crate) fn list(self, name: &str) -> Items<'a> {
        self.get(name).items()
    }

    /// What stands within the quotes of a string, else the word itself.
    fn bare(self) -> &'a [u8] {
        match self.text {
            [b'"', inner @ .., b'"'] => inner,
            text => text,
        }
    }

    /// A number, with or without quotes.
    #[inline(never)]
    pub(crate) fn number(self) -> Option<f64> {
        if self.is_object() || self.is_array() || !self.whole {
            return None;
        }
        let bare = self.bare().trim_ascii();
        decimal(std::str::from_utf8(bare).ok()?)
    }

    /// A whole number from 0 up, exactly.
    #[inline(never)]
    pub(crate) fn integer(self) -> Option<u64> {
        let (value, used) = crate::number::integer(self.bare())?;
        (used == self.bare().len()).then_some(value)
    }

    /// A whole number from 0 to 2³² − 1.
    pub(crate) fn short(self) -> Option<u32> {
        u32::try_from(self.integer()?).ok()
    }

    /// Nanoseconds, where the unit is so many of them.
    #[inline(never)]
    pub(crate) fn ns(self, unit: i64) -> Option<i64> {
        match self.integer() {
            Some(n) => i64::try_from(n).ok()?.checked_mul(unit),
            None => self.number().map(|n| (n * unit as f64) as i64),
        }
    }

    /// Nanoseconds from 1970 to a date.
    #[inline(never)]
    pub(crate) fn date(self) -> Option<i64> {
        crate::when::of_any_form(self.word().as_bytes()).map(|w| w.ns)
    }

    /// A string, what is escaped in it undone, or another word as it is shown.
    #[inline(never)]
    pub(crate) fn word(self) -> String {
        if self.is_object() || self.is_array() || !self.whole {
            String::new()
        } else {
            unescaped(self.bare())
        }
    }

    pub(crate) fn is(self, word: &str) -> bool {
        self.bare() == word.as_bytes()
    }
}

fn after_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|b| b.is_ascii_whitespace() || **b == b',').count();
    &text[blanks..]
}

fn unescaped(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n' | 'r' | 't') => out.push(' '),
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                out.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            Some(c) => out.push(c),
            None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Value<'_> {
        Value::first(text.as_bytes())
    }

    #[test]
    fn members_and_items_are_found_where_they_lie() {
        let v = first(" {\"a\": [1, {\"x\": \"}\\\"]\"}, -2.5e1], \"b\" : null,\"c\":\"é\\u00e9\\\"\"} ");
        assert_eq!(v.at(&["b"]).word(), "null");
        let numbers: Vec<_> = v.get("a").items().map(Value::number).collect();
        assert_eq!(numbers, [Some(1.0), None, Some(-25.0)]);
        assert_eq!(v.get("c").word(), "éé\"");
        assert!(!v.get("d").exists() && !v.at(&["a", "x"]).exists());
        assert_eq!(first("\"3\" ").number(), Some(3.0));
        assert_eq!(first("[18446744073709551615]").items().next().unwrap().integer(), Some(u64::MAX));
    }

    #[test]
    fn a_cut_text_is_read_up_to_the_cut() {
        let check = |text: &str, expected: &[(f64, bool)]| {
            let list = first(text).get("r");
            let got: Vec<_> = list.items().filter_map(|v| Some((v.num("t")?, v.whole))).collect();
            assert_eq!(got, expected, "{text}");
        };
        check("{\"r\": [{\"t\": 1}, {\"t\": 2}]}", &[(1.0, true), (2.0, true)]);
        check("{\"r\": [{\"t\": 1}, {\"t\": 2, \"u\"", &[(1.0, true), (2.0, false)]);
        // The number itself may be cut.
        check("{\"r\": [{\"t\": 1}, {\"t\": 2", &[(1.0, true)]);
        check("{\"r\": [{\"t\": 1}, {\"t\": \"2", &[(1.0, true)]);
    }

    #[test]
    fn documents_follow_each_other() {
        let words = |text: &str| documents(text.as_bytes()).map(Value::word).collect::<Vec<_>>().join("|");
        assert_eq!(words("1\n2 3\n\x1e\"4\"\n, 5\n"), "1|2|3|4|5");
        assert_eq!(words("]]] x\n7\n"), "7");
        assert_eq!(documents(b"{} {\"a\":1}\n{\"b\":").count(), 3);
        assert_eq!(documents(b"").count() + documents(b"}}}").count(), 0);
    }

    #[test]
    fn depth_costs_nothing() {
        let deep = "[".repeat(1_000_000);
        assert!(!first(&deep).whole);
        let closed = deep.clone() + &"]".repeat(1_000_000);
        assert!(first(&closed).whole);
    }
}

//! What tells a format: lines of a certain form, or names that stand in JSON.
//!
//! A pattern is a whole line, blanks around it left out: `*` is anything, `#` is digits, `@` is a
//! count of seconds since 1970, `$` is a word, a blank is any number of blanks, and `~` is two or more
//! numbers or dashes up to the end.

use crate::input::Input;
use crate::lines::content;
use crate::text::{find, words};

/// How a file of a format is known.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Signs {
    /// A line like one of these.
    Lines(&'static [&'static str]),
    /// A line of which this is true.
    Line(fn(&[u8]) -> bool),
    /// JSON with all the names of one of these groups in its beginning.
    Json(&'static [&'static [&'static str]]),
    /// XML whose first element has one of these names.
    Xml(&'static [&'static str]),
    /// The first bytes.
    Bytes(&'static [&'static [u8]]),
    Test(fn(&Input<'_>) -> bool),
}

impl Signs {
    /// Whether the file as a whole is told by them.
    pub(crate) fn tell(&self, input: &Input<'_>) -> bool {
        let head = || input.head();
        match self {
            Self::Json(groups) => {
                let named = |group: &&[&str]| group.iter().all(|n| find(head(), n.as_bytes()).is_some());
                is_json(head()) && groups.iter().any(named)
            }
            Self::Xml(names) => {
                first_element(head()).is_some_and(|e| names.iter().any(|n| n.as_bytes() == e))
            }
            Self::Bytes(marks) => marks.iter().any(|m| input.bytes().starts_with(m)),
            Self::Test(test) => test(input),
            Self::Lines(_) | Self::Line(_) => false,
        }
    }

    /// Whether a line is told by them.
    pub(crate) fn tell_line(&self, line: &[u8]) -> bool {
        match self {
            Self::Lines(patterns) => is_like(line, patterns),
            Self::Line(test) => test(line),
            _ => false,
        }
    }
}

/// Whether a line is like one of the patterns.
pub(crate) fn is_like(line: &[u8], patterns: &[&str]) -> bool {
    patterns.iter().any(|p| matches(p.as_bytes(), line))
}

/// Whether a text begins as JSON does, or as a sequence of it (RFC 7464).
pub(crate) fn is_json(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    match text.strip_prefix(b"\x1e").unwrap_or(text) {
        [b'{', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'"' | b'}')),
        [b'[', rest @ ..] => {
            matches!(rest.trim_ascii_start().first(), Some(b'{' | b'[' | b'"' | b']' | b'0'..=b'9' | b'-'))
        }
        _ => false,
    }
}

/// The name of an XML document's first element.
fn first_element(text: &[u8]) -> Option<&[u8]> {
    let start = text.windows(2).take(4096).position(|w| w[0] == b'<' && w[1].is_ascii_alphabetic())?;
    let rest = &text[start + 1..];
    let end = rest.iter().position(|b| !b.is_ascii_alphanumeric())?;
    text.trim_ascii_start().starts_with(b"<").then_some(&rest[..end])
}

/// Enough lines to tell a tool by, cut to what a pattern needs, without what a logger put before them.
pub(crate) fn first_lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = head.split(|b| *b == b'\n').map(|line| content(line).1).filter(|l| !l.is_empty());
    lines.take(200).map(|l| &l[..l.len().min(1000)])
}

fn matches(pattern: &[u8], line: &[u8]) -> bool {
    let run = |s: &[u8], part: fn(&u8) -> bool| s.iter().take_while(|b| part(b)).count();
    let (mut p, mut i) = (0, 0);
    // Where to go on if what follows the last `*` does not fit.
    let mut again = None;
    loop {
        let rest = &line[i..];
        let taken = match pattern.get(p) {
            None if rest.is_empty() => return true,
            None => 0,
            Some(b'*') => {
                p += 1;
                again = Some((p, i + 1));
                continue;
            }
            Some(b'#') => run(rest, u8::is_ascii_digit),
            Some(b'@') => Some(run(rest, u8::is_ascii_digit)).filter(|n| *n > 8).unwrap_or(0),
            Some(b' ') => run(rest, |b| matches!(b, b' ' | b'\t')),
            Some(b'$') => run(rest, |b| !b.is_ascii_whitespace()),
            Some(b'~') => rest.len() * usize::from(are_numbers(rest)),
            Some(b) => usize::from(rest.first() == Some(b)),
        };
        if taken > 0 {
            (p, i) = (p + 1, i + taken);
            continue;
        }
        match again {
            Some((after, next)) if next <= line.len() => {
                (p, i) = (after, next);
                again = Some((after, next + 1));
            }
            _ => return false,
        }
    }
}

fn are_numbers(s: &[u8]) -> bool {
    let number =
        |w: &[u8]| w == b"-" || w == b"nan" || w == b"-nan" || crate::number::whole(w, b'.').is_some();
    let mut n = 0;
    words(s).all(|w| {
        n += 1;
        number(w)
    }) && n > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_whole_line() {
        for (pattern, line, expected) in [
            ("a*b", "a-b-b", true),
            ("a*b", "a-b-c", false),
            ("*#:#*", "x12:3 y", true),
            ("# #", "1 \t 22", true),
            ("# #", "1 2 ", false),
            ("@", "12345678", false),
            ("@", "123456789", true),
            ("* : ~", "a : 1.5 - 2", true),
            ("* : ~", "a : 1.5", false),
            ("* : ~", "a : 1 b", false),
            ("$ is up", "a.b is up", true),
            ("$ is up", "a b is up", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), line.as_bytes()), expected, "{pattern} {line}");
        }
    }

    #[test]
    fn what_begins_as_json_or_xml_is_told() {
        for (text, json, element) in [
            ("\x1e{\"a\": 1}", true, None),
            (" [ {", true, None),
            ("[10:24:05] x", true, None),
            ("[x] y", false, None),
            ("<?xml version=\"1.0\"?>\n<!-- c -->\n<rrd>", false, Some("rrd")),
            ("<MTR SRC=\"a\">", false, Some("MTR")),
            ("a <b> c", false, None),
        ] {
            let text = text.as_bytes();
            let got = (is_json(text), first_element(text).map(|e| std::str::from_utf8(e).unwrap()));
            assert_eq!(got, (json, element));
        }
    }
}

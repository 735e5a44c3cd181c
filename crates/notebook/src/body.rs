//! The TOML of a cell's body, with the place of every key and value.

mod tree;

pub(crate) use netspurt_core::tree::Entry;

use std::fmt::Write as _;
use std::ops::Range;
use toml_parser::parser::{Event, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{Expected, ParseError, Source};
use tree::entries;

/// Something wrong with a cell, in bytes of its body. [`crate::document`] says where that is in the
/// document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) range: Range<usize>,
    pub(crate) message: String,
    pub(crate) remark: String,
    pub(crate) fix: Option<Repair>,
}

/// A change that would mend a [`Problem`]: what a button says, what it replaces, by what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repair {
    pub(crate) label: Box<str>,
    pub(crate) range: Range<usize>,
    pub(crate) text: Box<str>,
}

impl Repair {
    pub(crate) fn new(label: String, range: Range<usize>, text: String) -> Self {
        Self { label: label.into(), range, text: text.into() }
    }
}

/// Lists and tables nested deeper than this are refused.
const DEEPEST: u32 = 32;

/// The entries in the order they are written; or what cannot be read, one problem a line.
pub(crate) fn read(body: &str) -> Result<Vec<Entry>, Vec<Problem>> {
    let source = Source::new(body);
    let tokens = source.lex().into_vec();
    let mut errors: Vec<ParseError> = Vec::new();
    let mut events: Vec<Event> = Vec::new();
    let mut checked = ValidateWhitespace::new(&mut events, source);
    let mut guarded = RecursionGuard::new(&mut checked, DEEPEST);
    parse_document(&tokens, &mut guarded, &mut errors);
    let entries = entries(source, &events, &mut errors);
    if errors.is_empty() {
        return Ok(entries);
    }
    let mut problems: Vec<Problem> = Vec::new();
    for error in &errors {
        let problem = syntax(body, error);
        let line = line_around(body, problem.range.start);
        if problems.iter().all(|p| line_around(body, p.range.start) != line) {
            problems.push(problem);
        }
    }
    Err(problems)
}

/// Says what is wrong with the syntax, and offers quotes where they are all that is missing.
fn syntax(body: &str, error: &ParseError) -> Problem {
    let span = error.unexpected().or(error.context()).map_or(0..0, |s| s.start()..s.end());
    let at = if body.get(span.clone()).is_some() { span } else { 0..0 };
    let line = line_around(body, at.start);
    if let Some((range, quoted)) = unquoted(body, &line) {
        return Problem {
            message: format!("{} must stand in quotes", &body[range.clone()]),
            remark: format!("write {quoted}"),
            fix: Some(Repair::new(format!("Use {quoted}"), range.clone(), quoted)),
            range,
        };
    }
    let mut remark = error.description().to_owned();
    for (i, expected) in error.expected().unwrap_or_default().iter().enumerate() {
        remark.push_str(if i == 0 { ", expected " } else { " or " });
        match expected {
            Expected::Literal(l) => remark.extend(["`", l, "`"]),
            Expected::Description(d) => remark.push_str(d),
            _ => remark.push_str("something else"),
        }
    }
    Problem {
        range: if at.is_empty() { line } else { at },
        message: format!("this line cannot be read: {remark}"),
        remark,
        fix: None,
    }
}

/// The value on a line, if it would be one in quotes, and these quotes.
fn unquoted(body: &str, line: &Range<usize>) -> Option<(Range<usize>, String)> {
    let text = &body[line.clone()];
    let (key, value) = text.split_once('=')?;
    let value = value.trim();
    if value.is_empty() || value.starts_with(['"', '\'', '[', '{']) {
        return None;
    }
    let quoted = quote(value);
    let works = |v: &str| {
        let mut errors: Vec<ParseError> = Vec::new();
        let line = format!("{} = {v}", key.trim());
        let source = Source::new(&line);
        let mut events: Vec<Event> = Vec::new();
        parse_document(&source.lex().into_vec(), &mut events, &mut errors);
        entries(source, &events, &mut errors);
        errors.is_empty()
    };
    let start = line.start + (value.as_ptr() as usize - text.as_ptr() as usize);
    (!works(value) && works(&quoted)).then_some((start..start + value.len(), quoted))
}

/// The line that holds a byte, without its end.
pub(crate) fn line_around(text: &str, at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let start = text.as_bytes()[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let end = text.as_bytes()[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |i| at + i);
    let end = if end > start && text.as_bytes()[end - 1] == b'\r' { end - 1 } else { end };
    start..end.max(start)
}

/// A TOML string: in double quotes, with escapes where needed.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use netspurt_core::tree::Value;
    use proptest::prelude::*;

    #[test]
    fn keys_and_values_have_places() {
        let body = "b = \"x y\" # c\n a.f1 = 1\n[t]\nz = 2\n";
        let entries = read(body).unwrap();
        let places: Vec<_> =
            entries.iter().map(|e| (&body[e.key_range.clone()], &body[e.range.clone()])).collect();
        assert_eq!(places, [("b", "\"x y\""), ("a", "1"), ("t", "[t]")]);
        assert_eq!(&body[entries[0].within(body, 2..3)], "y");
        let escaped = "b = \"x\\ty\"\n";
        assert_eq!(&escaped[read(escaped).unwrap()[0].within(escaped, 2..3)], "\"x\\ty\"");
    }

    /// A value in few letters.
    fn told(value: &Value) -> String {
        let list = |parts: Vec<String>| parts.join(" ");
        match value {
            Value::Text(s) => format!("'{s}'"),
            Value::Bare(s) => s.clone(),
            Value::List(items) => format!("[{}]", list(items.iter().map(|n| told(&n.value)).collect())),
            Value::Table(entries) => {
                format!(
                    "{{{}}}",
                    list(entries.iter().map(|e| format!("{}={}", e.key, told(&e.value))).collect())
                )
            }
            Value::Other => "?".to_owned(),
        }
    }

    #[test]
    fn lists_and_tables_are_read_however_they_are_written() {
        let check = |body: &str, expected: &str| {
            let entries = read(body).unwrap_or_else(|p| panic!("{body}: {p:?}"));
            assert_eq!(told(&Value::Table(entries)), expected, "{body}");
        };
        check("a = [1, 'x', [2.5, []],\n # c\n {b = 0x1f}]", "{a=[1 'x' [2.5 []] {b=31}]}");
        check("p = { A = [50], B = [1, 2] }", "{p={A=[50] B=[1 2]}}");
        check("p.A = [50]\np.B.c = 1\np.B.d = 2", "{p={A=[50] B={c=1 d=2}}}");
        check("[p]\nA = [50]\n[p.B]\nc = 1\n[q]\nr = true", "{p={A=[50] B={c=1}} q={r=true}}");
        check("[[e]]\nx = 1\n[e.s]\ny = 2\n[[e]]\n[e.s]\ny = 3", "{e=[{x=1 s={y=2}} {s={y=3}}]}");
        check("e = [{x = 1}, {x = 2}]\nd = 1979-05-27", "{e=[{x=1} {x=2}] d=?}");
        let body = "a = 1\n[[e]]\nx = [ 10 ]\n";
        let entries = read(body).unwrap();
        assert!(!entries[0].headed && entries[1].headed);
        let items = entries[1].list().unwrap();
        let table = Entry { value: items[0].value.clone(), ..entries[1].clone() };
        let x = &table.table().unwrap()[0];
        let places = [&x.key_range, &x.range, &x.list().unwrap()[0].range, &items[0].range];
        assert_eq!(places.map(|r| &body[r.clone()]), ["x", "[ 10 ]", "10", "[[e]]"]);
    }

    #[test]
    fn missing_quotes_are_offered() {
        let check = |body: &str, message: &str, fixed: Option<&str>| {
            let p = read(body).unwrap_err().swap_remove(0);
            assert_eq!(p.message, message);
            let after = p.fix.map(|f| {
                let mut b = body.to_owned();
                b.replace_range(f.range, &f.text);
                b
            });
            assert_eq!(after.as_deref(), fixed);
        };
        check("x = 1\ng = 15/16\n", "15/16 must stand in quotes", Some("x = 1\ng = \"15/16\"\n"));
        check(
            "trace = rfc889/a/B\r\n",
            "rfc889/a/B must stand in quotes",
            Some("trace = \"rfc889/a/B\"\r\n"),
        );
        check("F1: 15\n", "this line cannot be read: key with no value, expected `=`", None);
        check("a = 1\na = 2\n", "this line cannot be read: duplicate key", None);
        for body in [
            "a.b = 1\na = 2",
            "a = 1\na.b = 2",
            "a = 1\n[a]",
            "[a]\n[a]",
            "[a]\nb = 1\nb = 2",
            "[[a]]\n[a]",
            "a = []\n[[a]]",
            "a = { b = 1, b = 2 }",
            "a = 1\n[a.b]",
            "a = {}\n[a]",
        ] {
            check(body, "this line cannot be read: duplicate key", None);
        }
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_read_back(text in any::<String>()) {
            let body = format!("k = {}", quote(&text));
            let entries = read(&body).unwrap();
            prop_assert_eq!(entries[0].string(), Some(text.as_str()));
        }

        #[test]
        fn no_body_is_too_odd(body in "[a-c.=\"'\\[\\]{}#\n\r ,é1]{0,24}") {
            for p in read(&body).err().unwrap_or_default() {
                prop_assert!(body.get(p.range).is_some());
                prop_assert!(p.fix.is_none_or(|f| body.get(f.range).is_some()));
            }
        }
    }
}

//! The TOML of a cell's body, with the place of every key and value.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;
use toml_parser::decoder::{IntegerRadix, ScalarKind};
use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{Expected, ParseError, Source, Span};

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

/// A top-level key and its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_range: Range<usize>,
    /// Of the value; of the heading, where the value is a table with one.
    pub(crate) range: Range<usize>,
    pub(crate) value: Value,
}

/// What a key is set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    /// A number or a flag, as it would be typed.
    Bare(String),
    /// A list, an inline table, a date, a value under a dotted key.
    Other,
    /// A table with a heading of its own. Its keys are not top-level ones.
    Table,
}

impl Entry {
    /// A value as text: a string's content, a number or a flag as it would be typed.
    pub(crate) fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Text(s) | Value::Bare(s) => Some(s),
            Value::Other | Value::Table => None,
        }
    }

    /// A string's content.
    pub(crate) fn string(&self) -> Option<&str> {
        match &self.value {
            Value::Text(s) => Some(s),
            _ => None,
        }
    }

    /// Where in the body the bytes `part` of a string's content stand: the whole value where the
    /// content is written with escapes.
    pub(crate) fn within(&self, body: &str, part: Range<usize>) -> Range<usize> {
        match self.verbatim(body) {
            Some(start) => start + part.start..start + part.end,
            None => self.range.clone(),
        }
    }

    /// Where a string's content begins in the body, if it stands there letter for letter.
    pub(crate) fn verbatim(&self, body: &str) -> Option<usize> {
        let content = self.string()?;
        let raw = body.get(self.range.clone())?;
        let inner = raw.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
        (inner == content).then_some(self.range.start + 1)
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

/// Puts events together; notes further errors in scalars and keys.
fn entries(source: Source<'_>, events: &[Event], errors: &mut Vec<ParseError>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    // The key being read: its first part and how many there are.
    let mut key: Option<(String, Range<usize>)> = None;
    let mut parts = 0;
    // In a list or inline table: how deep, and where it began.
    let (mut depth, mut start) = (0_usize, 0);
    let (mut in_heading, mut in_table) = (false, false);
    for event in events {
        let range = event.span().start()..event.span().end();
        let mut value = None;
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                (in_heading, in_table) = (true, true);
                start = range.start;
                (key, parts) = (None, 0);
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose if in_heading => {
                in_heading = false;
                value = Some((Value::Table, start..range.end));
            }
            EventKind::SimpleKey => {
                let mut text = Cow::Borrowed("");
                if let Some(raw) = source.get(event) {
                    raw.decode_key(&mut text, errors);
                }
                if depth == 0 {
                    parts += 1;
                    key.get_or_insert((text.into_owned(), range));
                }
            }
            EventKind::Scalar => {
                let scalar = scalar(source, event, errors);
                if depth == 0 {
                    value = Some((if parts > 1 { Value::Other } else { scalar }, range));
                }
            }
            EventKind::ArrayOpen | EventKind::InlineTableOpen => {
                if depth == 0 {
                    start = range.start;
                }
                depth += 1;
            }
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    value = Some((Value::Other, start..range.end));
                }
            }
            _ => {}
        }
        let Some((value, range)) = value else { continue };
        let name = key.take();
        let dotted = std::mem::take(&mut parts) > 1;
        let Some((key, key_range)) = name.filter(|_| !in_table || value == Value::Table) else { continue };
        let again =
            entries.iter().any(|e| e.key == key && (e.value != value || !(dotted || value == Value::Table)));
        if again {
            let span = Span::new_unchecked(key_range.start, key_range.end);
            errors.push(ParseError::new("duplicate key").with_unexpected(span));
        }
        entries.push(Entry { key, key_range, range, value });
    }
    entries
}

fn scalar(source: Source<'_>, event: &Event, errors: &mut Vec<ParseError>) -> Value {
    let mut text = Cow::Borrowed("");
    let Some(raw) = source.get(event) else { return Value::Other };
    match raw.decode_scalar(&mut text, errors) {
        ScalarKind::String => Value::Text(text.into_owned()),
        ScalarKind::Boolean(b) => Value::Bare(b.to_string()),
        ScalarKind::Float | ScalarKind::Integer(IntegerRadix::Dec) => Value::Bare(text.into_owned()),
        ScalarKind::Integer(radix) => match i64::from_str_radix(&text, radix.value()) {
            Ok(n) => Value::Bare(n.to_string()),
            Err(_) => Value::Other,
        },
        ScalarKind::DateTime => Value::Other,
    }
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

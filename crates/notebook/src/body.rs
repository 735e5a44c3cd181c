//! The TOML of a cell's body, with the place of every key and value.

use std::fmt::Write as _;
use std::ops::Range;
use toml_edit::{Document, Item, TableLike, Value};

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
    pub(crate) range: Range<usize>,
    pub(crate) item: Item,
}

impl Entry {
    /// A value as text: a string's content, a number or a flag as it would be typed. `None` for
    /// lists, tables and dates.
    pub(crate) fn scalar(&self) -> Option<String> {
        match self.item.as_value()? {
            Value::String(s) => Some(s.value().clone()),
            Value::Integer(i) => Some(i.value().to_string()),
            Value::Float(f) => Some(f.value().to_string()),
            Value::Boolean(b) => Some(b.value().to_string()),
            _ => None,
        }
    }

    /// A string's content.
    pub(crate) fn string(&self) -> Option<&str> {
        self.item.as_str()
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

/// The entries in the order they are written.
pub(crate) fn read(body: &str) -> Result<Vec<Entry>, Problem> {
    let document = Document::parse(body).map_err(|e| syntax(body, e.message(), e.span()))?;
    let table = document.as_table();
    let mut entries: Vec<_> = table
        .iter()
        .filter_map(|(key, item)| {
            let key_range = table.get_key_value(key)?.0.span()?;
            let range = extent(item).unwrap_or_else(|| key_range.clone());
            Some(Entry { key: key.to_owned(), key_range, range, item: item.clone() })
        })
        .collect();
    entries.sort_by_key(|e| e.key_range.start);
    Ok(entries)
}

/// From the first to the last byte of an item, that of a dotted key's parts together.
fn extent(item: &Item) -> Option<Range<usize>> {
    fn within(table: &dyn TableLike) -> Option<Range<usize>> {
        let spans: Vec<_> = table.iter().filter_map(|(_, i)| extent(i)).collect();
        Some(spans.iter().map(|s| s.start).min()?..spans.iter().map(|s| s.end).max()?)
    }
    match item {
        Item::Table(t) if t.is_dotted() => within(t),
        other => other.span(),
    }
}

/// Says what is wrong with the syntax, and offers quotes where they are all that is missing.
fn syntax(body: &str, message: &str, span: Option<Range<usize>>) -> Problem {
    let at = span.unwrap_or_default();
    let at = at.start.min(body.len())..at.end.min(body.len()).max(at.start.min(body.len()));
    let line = line_around(body, at.start);
    let text = &body[line.clone()];
    let unquoted = text.split_once('=').and_then(|(key, value)| {
        let value = value.trim();
        let quoted = quote(value);
        let works = |v: &str| Document::parse(format!("{} = {v}", key.trim())).is_ok();
        let start = line.start + text.find(value)?;
        (!value.is_empty() && !value.starts_with(['"', '\'', '[', '{']) && !works(value) && works(&quoted))
            .then_some((start..start + value.len(), value, quoted))
    });
    match unquoted {
        Some((range, value, quoted)) => Problem {
            message: format!("{value} must stand in quotes"),
            remark: format!("write {quoted}"),
            fix: Some(Repair::new(format!("Use {quoted}"), range.clone(), quoted)),
            range,
        },
        None => Problem {
            range: if at.is_empty() { line } else { at },
            message: format!("this line cannot be read: {message}"),
            remark: message.to_owned(),
            fix: None,
        },
    }
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
            let p = read(body).unwrap_err();
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
            if let Err(p) = read(&body) {
                prop_assert!(body.get(p.range).is_some());
                prop_assert!(p.fix.is_none_or(|f| body.get(f.range).is_some()));
            }
        }
    }
}

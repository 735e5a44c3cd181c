//! TOML events put together: entries of tables, with the place of every part.

use netspurt_core::tree::{Entry, Node, Value};
use std::borrow::Cow;
use std::ops::Range;
use toml_parser::decoder::{IntegerRadix, ScalarKind};
use toml_parser::parser::{Event, EventKind};
use toml_parser::{ParseError, Source, Span};

/// Puts events together; notes further errors in scalars and keys.
pub(super) fn entries(source: Source<'_>, events: &[Event], errors: &mut Vec<ParseError>) -> Vec<Entry> {
    let mut reader = Reader { source, events, at: 0, errors };
    let mut root = Vec::new();
    // The heading that is in force, and all there were.
    let mut heading: Path = Vec::new();
    let mut headings: Vec<Vec<String>> = Vec::new();
    while let Some(event) = reader.next() {
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                let is_list = event.kind() == EventKind::ArrayTableOpen;
                let (path, end) = reader.path();
                let names: Vec<String> = path.iter().map(|(name, _)| name.clone()).collect();
                let range = event.span().start()..end;
                if is_list {
                    headings.retain(|h| !h.starts_with(&names));
                } else if headings.contains(&names) {
                    reader.duplicate(&path);
                }
                if !open(&mut root, &path, &range, is_list) {
                    reader.duplicate(&path);
                }
                headings.push(names);
                heading = path;
            }
            EventKind::SimpleKey => {
                reader.at -= 1;
                let (path, _) = reader.path();
                let Some(node) = reader.value() else { continue };
                let put = match under(&mut root, &heading) {
                    Some(table) => put(table, &path, node),
                    None => false,
                };
                if !put {
                    reader.duplicate(&path);
                }
            }
            _ => {}
        }
    }
    root
}

/// A key's parts, `a.b`, and where each stands.
type Path = Vec<(String, Range<usize>)>;

struct Reader<'a> {
    source: Source<'a>,
    events: &'a [Event],
    at: usize,
    errors: &'a mut Vec<ParseError>,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Event> {
        let event = self.events.get(self.at).copied();
        self.at += 1;
        event
    }

    /// The parts of a key up to `=` or the end of a heading, and where that ends.
    fn path(&mut self) -> (Path, usize) {
        let mut path = Vec::new();
        while let Some(event) = self.next() {
            let span = event.span();
            match event.kind() {
                EventKind::SimpleKey => {
                    let mut text = Cow::Borrowed("");
                    if let Some(raw) = self.source.get(event) {
                        raw.decode_key(&mut text, self.errors);
                    }
                    path.push((text.into_owned(), span.start()..span.end()));
                }
                EventKind::KeySep | EventKind::Whitespace => {}
                EventKind::KeyValSep | EventKind::StdTableClose | EventKind::ArrayTableClose => {
                    return (path, span.end());
                }
                // Only a text with errors comes here.
                _ => {
                    self.at -= 1;
                    return (path, span.start());
                }
            }
        }
        (path, self.source.input().len())
    }

    /// The next value. `None`: there is none before the line ends, in a text with errors.
    fn value(&mut self) -> Option<Node> {
        while let Some(event) = self.next() {
            let start = event.span().start();
            let value = match event.kind() {
                EventKind::Scalar => self.scalar(&event),
                EventKind::ArrayOpen => Value::List(self.list()),
                EventKind::InlineTableOpen => Value::Table(self.inline_table()),
                EventKind::Whitespace => continue,
                _ => {
                    self.at -= 1;
                    return None;
                }
            };
            let end = self.events.get(self.at.wrapping_sub(1)).map_or(start, |e| e.span().end());
            return Some(Node { range: start..end.max(start), value });
        }
        None
    }

    fn list(&mut self) -> Vec<Node> {
        let mut items = Vec::new();
        while let Some(event) = self.next() {
            match event.kind() {
                EventKind::ArrayClose => break,
                EventKind::Scalar | EventKind::ArrayOpen | EventKind::InlineTableOpen => {
                    self.at -= 1;
                    items.extend(self.value());
                }
                _ => {}
            }
        }
        items
    }

    fn inline_table(&mut self) -> Vec<Entry> {
        let mut entries = Vec::new();
        while let Some(event) = self.next() {
            match event.kind() {
                EventKind::InlineTableClose => break,
                EventKind::SimpleKey => {
                    self.at -= 1;
                    let (path, _) = self.path();
                    let Some(node) = self.value() else { continue };
                    if !put(&mut entries, &path, node) {
                        self.duplicate(&path);
                    }
                }
                _ => {}
            }
        }
        entries
    }

    fn scalar(&mut self, event: &Event) -> Value {
        let mut text = Cow::Borrowed("");
        let Some(raw) = self.source.get(event) else { return Value::Other };
        match raw.decode_scalar(&mut text, self.errors) {
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

    fn duplicate(&mut self, path: &Path) {
        let place = path.last().map_or(0..0, |(_, range)| range.clone());
        let span = Span::new_unchecked(place.start, place.end);
        self.errors.push(ParseError::new("duplicate key").with_unexpected(span));
    }
}

/// Sets a key that may have parts. Whether it was free.
fn put(table: &mut Vec<Entry>, path: &[(String, Range<usize>)], node: Node) -> bool {
    let [(key, key_range), rest @ ..] = path else { return true };
    let there = table.iter_mut().find(|e| e.key == *key);
    match (there, rest) {
        (None, []) => {
            let Node { range, value } = node;
            table.push(Entry { key: key.clone(), key_range: key_range.clone(), range, value, headed: false });
            true
        }
        (None, rest) => {
            let range = node.range.clone();
            let mut inner = Vec::new();
            let put = put(&mut inner, rest, node);
            let value = Value::Table(inner);
            table.push(Entry { key: key.clone(), key_range: key_range.clone(), range, value, headed: false });
            put
        }
        (Some(Entry { value: Value::Table(inner), .. }), rest @ [_, ..]) => put(inner, rest, node),
        (Some(_), _) => false,
    }
}

/// Makes the table that a heading opens, and in a list a further one. Whether it could be made.
fn open(
    table: &mut Vec<Entry>,
    path: &[(String, Range<usize>)],
    range: &Range<usize>,
    is_list: bool,
) -> bool {
    let [(key, key_range), rest @ ..] = path else { return true };
    let last = rest.is_empty();
    let at = table.iter().position(|e| e.key == *key).unwrap_or_else(|| {
        let value = if last && is_list { Value::List(Vec::new()) } else { Value::Table(Vec::new()) };
        table.push(Entry {
            key: key.clone(),
            key_range: key_range.clone(),
            range: range.clone(),
            value,
            headed: true,
        });
        table.len() - 1
    });
    match &mut table[at] {
        Entry { value: Value::List(items), headed: true, .. } if last && is_list => {
            items.push(Node { range: range.clone(), value: Value::Table(Vec::new()) });
            true
        }
        Entry { value: Value::Table(_), headed, .. } if last && !is_list => *headed,
        entry if !last => inside(entry).is_some_and(|inner| open(inner, rest, range, is_list)),
        _ => false,
    }
}

/// The table in force under a heading.
fn under<'a>(table: &'a mut Vec<Entry>, path: &[(String, Range<usize>)]) -> Option<&'a mut Vec<Entry>> {
    let [(key, _), rest @ ..] = path else { return Some(table) };
    under(inside(table.iter_mut().find(|e| e.key == *key)?)?, rest)
}

/// A table's entries; of a list of tables, those of the last.
fn inside(entry: &mut Entry) -> Option<&mut Vec<Entry>> {
    match &mut entry.value {
        Value::Table(inner) => Some(inner),
        Value::List(items) if entry.headed => match &mut items.last_mut()?.value {
            Value::Table(inner) => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

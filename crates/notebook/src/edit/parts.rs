//! Changes one of the parts a cell is made of where it stands in the text, and leaves the others, with
//! their comments, as they are.
//!
//! ```toml
//! links = "9600 prop=5ms, 56k"     # one text
//!
//! [paths]
//! A = [50, 50, 50]                 # numbers in a table
//!
//! [[event]]                        # tables, or event = [{ … }]
//! type = "route"
//! ```

use super::values::Place;
use super::{Address, Edit, EditError, cell_of, newline};
use crate::body::{line_around, quote};
use crate::document::Document;
use crate::splice::Splice;
use netspurt_core::experiments::Experiment;
use netspurt_core::parts::{Change, Parts, Refused, Written};
use netspurt_core::tree::{Entry, Node, Value};
use std::ops::Range;

/// Adds one to a list of a cell's parts, or removes one.
pub fn change_parts(
    document: &Document,
    cell: &str,
    list: usize,
    change: Change<'_>,
) -> Result<Edit, EditError> {
    let setup = cell_of(document, cell)?.content.as_deref().ok().and_then(|c| c.experiment());
    let lists = setup.map_or_else(Vec::new, |e| e.setup.parts());
    let Some(parts) = lists.get(list) else {
        return Err(EditError::Parts(Refused::NoSuchPart { part: list }));
    };
    let place = Place::find(document, &Address::key(cell, parts.key()))?;
    let splice = place.change(&**parts, change)?;
    place.finish(splice)
}

/// Which list, which part of it, from 0, and which setting an address names: `1-rate`, `A-2-rate`. `None`:
/// the experiment has none such.
pub fn found_part<'a>(
    setup: &'a dyn Experiment,
    key: &str,
    param: &'a str,
) -> Option<(Box<dyn Parts + 'a>, usize, &'a str)> {
    setup.parts().into_iter().filter(|p| p.key() == key).find_map(|parts| {
        let rest = match parts.list() {
            "" => param,
            list => param.strip_prefix(list)?.strip_prefix('-')?,
        };
        let (part, name) = rest.split_once('-')?;
        let part = part.parse::<usize>().ok()?.checked_sub(1)?;
        parts.part(part).is_some().then_some((parts, part, name))
    })
}

impl Place<'_> {
    /// Sets a setting of a part.
    pub(super) fn set_part(&self, param: &str, text: &str) -> Result<Splice, EditError> {
        let experiment = self.cell.content.as_deref().ok().and_then(|c| c.experiment());
        let found = experiment.and_then(|e| found_part(&*e.setup, self.key.name, param));
        let address = || Address::param(&self.cell.id, self.key.name, param);
        let (parts, part, name) = found.ok_or_else(|| self.no_such_key(&address()))?;
        self.change(&*parts, Change::Set { part, name, text })
    }

    fn change(&self, parts: &dyn Parts, change: Change<'_>) -> Result<Splice, EditError> {
        let written = parts.changed(change).map_err(|e| match e {
            Refused::Param(e) => EditError::Param(e),
            other => EditError::Parts(other),
        })?;
        Ok(match written {
            Written::Text(text) => self.write(&self.quoted(&text)),
            Written::Numbers { items, table } => match self.numbers(parts.list()) {
                Some((range, nodes)) => item(change, &range, nodes, &items),
                None => self.write(&table),
            },
            Written::Tables(tables) => self.tables(change, &tables),
        })
    }

    /// The list of this name in the key's table, where there is one.
    fn numbers(&self, list: &str) -> Option<(Range<usize>, &[Node])> {
        let entry = self.entry()?.table().ok()?.iter().find(|e| e.key == list)?;
        Some((entry.range.clone(), entry.list().ok()?))
    }

    fn tables(&self, change: Change<'_>, tables: &[Vec<(&'static str, Value)>]) -> Splice {
        let entry = self.entry();
        let nodes = entry.and_then(|e| e.list().ok()).unwrap_or_default();
        if let (Some(entry), Change::Set { part, name, .. }) = (entry, change)
            && let (Some(Node { range, value: Value::Table(old) }), Some(new)) =
                (nodes.get(part), tables.get(part))
        {
            return match one_value(old, new, name) {
                Some((Some(there), value)) => Splice::new(there.range.clone(), value),
                Some((None, value)) if entry.headed => {
                    Splice::insert(self.block(range, old).end, self.line(name, &value))
                }
                _ if entry.headed => Splice::new(self.block(range, old), self.headed(new)),
                _ => Splice::new(range.clone(), inline(new)),
            };
        }
        match (entry, change) {
            (Some(entry), _) if !entry.headed => {
                let items: Vec<String> = tables.iter().map(|t| inline(t)).collect();
                item(change, &entry.range, nodes, &items)
            }
            (_, Change::Remove { part }) => {
                let Some(Node { range, value: Value::Table(old) }) = nodes.get(part) else {
                    return Splice::insert(0, "");
                };
                let block = self.block(range, old);
                // The empty line before it goes with it.
                let before = line_around(self.body, block.start.saturating_sub(1));
                let is_empty = before.end < block.start && self.body[before.clone()].trim().is_empty();
                Splice::delete(if is_empty { before.start } else { block.start }..block.end)
            }
            _ => {
                let end = nodes.last().map_or(self.body.len(), |node| match &node.value {
                    Value::Table(old) => self.block(&node.range, old).end,
                    _ => self.body.len(),
                });
                let newline = newline(self.document.text());
                let before = &self.body[..end];
                let lead = match () {
                    () if before.is_empty() => String::new(),
                    () if before.ends_with('\n') => newline.to_owned(),
                    () => newline.repeat(2),
                };
                let table = tables.last().map_or_else(String::new, |t| self.headed(t));
                Splice::insert(end, lead + &table)
            }
        }
    }

    /// A table of a list from its heading to the end of the line of its last key.
    fn block(&self, heading: &Range<usize>, entries: &[Entry]) -> Range<usize> {
        let last = entries.iter().map(|e| e.range.end).max().unwrap_or(heading.end);
        let end = line_around(self.body, last).end;
        let next = self.body[end..].find('\n').map_or(self.body.len(), |i| end + i + 1);
        line_around(self.body, heading.start).start..next
    }

    fn headed(&self, table: &[(&'static str, Value)]) -> String {
        let lines = table.iter().map(|(name, value)| self.line(name, &toml(value)));
        format!("[[{}]]{}{}", self.key.name, newline(self.document.text()), lines.collect::<String>())
    }

    fn line(&self, name: &str, value: &str) -> String {
        format!("{name} = {value}{}", newline(self.document.text()))
    }
}

/// What a setting is set to and where it stands, if the table keeps its other keys. Outer `None`: it
/// does not.
fn one_value<'a>(
    old: &'a [Entry],
    new: &[(&'static str, Value)],
    name: &str,
) -> Option<(Option<&'a Entry>, String)> {
    let has = |n: &str| old.iter().any(|e| e.key == n);
    let keeps = old.iter().all(|e| e.key == name || new.iter().any(|(n, _)| e.key == *n))
        && new.iter().all(|(n, _)| *n == name || has(n));
    let value = new.iter().find(|(n, _)| *n == name).map(|(_, value)| toml(value))?;
    keeps.then(|| (old.iter().find(|e| e.key == name), value))
}

/// Changes one item of a list on one or several lines.
fn item(change: Change<'_>, list: &Range<usize>, nodes: &[Node], items: &[String]) -> Splice {
    let whole = || Splice::new(list.clone(), format!("[{}]", items.join(", ")));
    match change {
        Change::Set { part, .. } => match (nodes.get(part), items.get(part)) {
            (Some(node), Some(item)) => Splice::new(node.range.clone(), item.clone()),
            _ => whole(),
        },
        Change::Add => match (nodes.last(), items.last()) {
            (Some(node), Some(item)) => Splice::insert(node.range.end, format!(", {item}")),
            _ => whole(),
        },
        Change::Remove { part } => match (nodes.get(part), nodes.get(part + 1)) {
            (Some(node), Some(next)) => Splice::delete(node.range.start..next.range.start),
            (Some(node), None) if part > 0 => Splice::delete(nodes[part - 1].range.end..node.range.end),
            _ => whole(),
        },
    }
}

fn inline(table: &[(&'static str, Value)]) -> String {
    let pairs: Vec<String> = table.iter().map(|(name, value)| format!("{name} = {}", toml(value))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

fn toml(value: &Value) -> String {
    match value {
        Value::Text(text) => quote(text),
        other => other.scalar().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    enum Act<'a> {
        Set(&'a str, &'a str),
        Add(usize),
        Remove(usize, usize),
    }
    use Act::{Add, Remove, Set};

    /// The body of a flow after a change, or why it was not made.
    fn check(body: &str, act: Act<'_>, expected: &str) {
        let document = Document::parse(format!("# T\n\n```netspurt imp-flow f\n{body}```\n"));
        let edit = match act {
            Set(address, text) => super::super::set(&document, &Address::parse(address).unwrap(), text),
            Add(list) => change_parts(&document, "f", list, Change::Add),
            Remove(list, part) => change_parts(&document, "f", list, Change::Remove { part }),
        };
        let after = edit.map(|e| {
            let cell = e.document.cell("f").unwrap();
            assert!(cell.content.is_ok(), "{:?}", cell.content);
            e.document.body(cell).to_owned()
        });
        assert_eq!(after.unwrap_or_else(|e| e.to_string()), expected);
    }

    #[test]
    fn a_line_is_changed_where_it_stands() {
        let lists = "[paths] # of 1974\nA = [\n  50, # to SUMEX\n  50,\n]\nB = [230.4]\n";
        check("", Set("f.paths.A-2-rate", "9.6"), "paths = { A = [50, 9.6, 50], B = [230.4, 230.4, 50] }\n");
        check(
            "seed = 2\n\n[[event]]\ntype = \"pause\"\nfrom-ms = 1\nto-ms = 2\n",
            Add(1),
            "seed = 2\npaths = { A = [50, 50, 50], B = [230.4, 230.4, 50, 50] }\n\n[[event]]\ntype = \"pause\"\nfrom-ms = 1\nto-ms = 2\n",
        );
        check(lists, Set("f.paths.A-1-rate", "56"), &lists.replace("50, #", "56, #"));
        check(lists, Set("f.paths.A-2-rate", "56"), &lists.replace("  50,\n]", "  56,\n]"));
        check(lists, Add(0), &lists.replace("  50,\n]", "  50, 50,\n]"));
        check(lists, Remove(0, 1), &lists.replace(", # to SUMEX\n  50,\n]", ",\n]"));
        check(lists, Remove(1, 0), "there may be from 1 to 32");
        check(lists, Set("f.paths.B-1-rate", "0"), "rate must be from 0.1 to 10000000 kbs, not 0");
        check(lists, Set("f.paths.C-1-rate", "1"), &no_key("paths.C-1-rate"));
        check(lists, Set("f.paths.B-2-rate", "1"), &no_key("paths.B-2-rate"));
    }

    fn no_key(key: &str) -> String {
        let document = Document::parse("```netspurt imp-flow f\n```\n");
        super::super::set(&document, &Address::key("f", "x"), "1")
            .unwrap_err()
            .to_string()
            .replacen('x', key, 1)
    }

    #[test]
    fn an_event_is_changed_where_it_stands() {
        let two = "seed = 2\n\n# the standard one\n[[event]]\ntype = \"route\" # over B\nmessage = 21\npath = \"B\"\n\n[[event]]\ntype = \"delay\"\nmessage = 24\nms = 400\n\n[paths]\nA = [50]\nB = [50]\n";
        check(two, Set("f.event.1-message", "30"), &two.replace("21", "30"));
        check(
            two,
            Set("f.event.1-attempt", "1"),
            &two.replace("path = \"B\"\n", "path = \"B\"\nattempt = 1\n"),
        );
        check(&two.replace("24\n", "24\nattempt = 2\n"), Set("f.event.2-attempt", "0"), two);
        check(two, Set("f.event.2-ms", "0.5s"), &two.replace("400", "500"));
        check(
            two,
            Set("f.event.2-type", "line-error"),
            &two.replace(
                "type = \"delay\"\nmessage = 24\nms = 400\n",
                "type = \"line-error\"\nmessage = 24\n",
            ),
        );
        check(
            two,
            Add(2),
            &two.replace("ms = 400\n", "ms = 400\n\n[[event]]\ntype = \"delay\"\nmessage = 25\nms = 400\n"),
        );
        check(two, Remove(2, 1), &two.replace("\n[[event]]\ntype = \"delay\"\nmessage = 24\nms = 400\n", ""));
        let first = "[[event]]\ntype = \"route\" # over B\nmessage = 21\npath = \"B\"\n";
        check(two, Remove(2, 0), &two.replace(first, ""));
        check(two, Remove(2, 2), "there is no part 3");
        check("", Add(2), "[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n");
        check("seed = 2\n", Add(2), "seed = 2\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n");
        let inline = "event = [{ type = \"pause\", from-ms = 1, to-ms = 2 }]\n";
        check(inline, Set("f.event.1-to-ms", "3"), &inline.replace("= 2", "= 3"));
        check(inline, Add(2), &inline.replace("}]", "}, { type = \"pause\", from-ms = 1, to-ms = 2 }]"));
        check(inline, Remove(2, 0), "event = []\n");
        check(
            inline,
            Set("f.event.1-type", "route"),
            "event = [{ type = \"route\", message = 21, path = \"B\" }]\n",
        );
    }
}

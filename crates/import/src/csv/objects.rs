//! JSON as the rows of a table: objects or lists, one a line, in an array, or somewhere within.
//!
//! ```text
//! {"ts":"2026-11-30T10:24:04Z", "rtt_ms":12.3}                      objects, one a line
//! [{"t":0, "rtt":12.3}, {"t":1, "rtt":null}]                        in a list, alone or within
//! {"t":[0, 1], "rtt":[12.3, null]}                                  columns, as lists or objects
//! {"columns":["t","rtt"], "data":[[0, 12.3], [1, null]]}            rows as lists
//! {"data":{"result":[{"metric":{…}, "values":[[0, "0.0123"], …]}]}} series of Prometheus
//! [12.3, null, 13.1]                                                delays alone
//! ```
//!
//! Their names are the heading. Members of objects within are columns of their own, `ping.latency`;
//! lists within are left out. Of several lists the first is read that has a name of delays.

use super::names::{self, Role};
use super::units::epoch;
use crate::json::{Value, documents};

/// Objects whose names are looked for.
const LOOKED_AT: usize = 200;
/// More names than this are not one probe's.
const MOST_NAMES: usize = 200;
/// So many labels are compared to tell series apart.
const MOST_LABELS: usize = 20;
/// How deep objects lie in each other.
const DEPTH: usize = 6;

/// A table that was made: its heading, and all of it as commas and lines.
pub(super) struct Made {
    names: Vec<String>,
    pub(super) text: String,
    /// Objects of another kind, which are left out.
    pub(super) others: u64,
}

/// The table. `None`: this is no JSON, or has nothing of that kind.
pub(super) fn table(text: &[u8]) -> Option<Made> {
    if !matches!(text.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return None;
    }
    let first = Value::first(text);
    if first.is_object() && documents(text).nth(1).is_some() {
        return objects(&documents(text).collect::<Vec<_>>());
    }
    // "[10.5] x" is a line of a log.
    if documents(text).nth(1).is_some() {
        return None;
    }
    let mut other = None;
    let made = find(first, "", Value::MISSING, DEPTH, &mut other);
    let made = made.or_else(|| objects(&[first]).filter(|made| names_delays(&made.names))).or(other);
    made.filter(|made| !made.text.is_empty())
}

/// The first list within that has a name of delays. `other` is one that has none.
fn find<'a>(
    value: Value<'a>,
    name: &str,
    beside: Value<'a>,
    depth: usize,
    other: &mut Option<Made>,
) -> Option<Made> {
    let first = value.items().next().unwrap_or(Value::MISSING);
    let made = if first.get("metric").is_object() {
        series(value)
    } else if first.is_object() {
        objects(&value.items().collect::<Vec<_>>())
    } else if first.is_array() {
        lists(value, beside)
    } else if value.is_array() {
        // Times are no delays.
        let is_time = |item: Value<'_>| item.number().is_some_and(|v| epoch(v).is_some());
        if value.items().any(is_time) { None } else { columns(&[(name.to_owned(), value)]) }
    } else {
        columns_of(value)
    };
    if let Some(made) = made {
        // A list alone need not say what it holds.
        if names_delays(&made.names) || value.is_array() && name.is_empty() && !first.is_object() {
            return Some(made);
        }
        other.get_or_insert(made);
    }
    let depth = depth.checked_sub(1)?;
    let within = if value.is_array() { first } else { value };
    within.members().find_map(|(key, inner)| {
        let inside = inner.is_object() || inner.is_array();
        inside.then(|| find(inner, &String::from_utf8_lossy(key), within, depth, other))?
    })
}

fn names_delays(names: &[String]) -> bool {
    names.iter().map(|n| names::read(n)).any(|n| n.role == Some(Role::Delay) || n.unit.is_some())
}

/// A row an object. One that has less than half of what most have is of another kind, and no probe.
fn objects(list: &[Value<'_>]) -> Option<Made> {
    let list = || list.iter().filter(|v| v.is_object() && v.whole);
    let mut names: Vec<(String, usize)> = Vec::new();
    for object in list().take(LOOKED_AT) {
        each_leaf(*object, "", DEPTH, &mut |name, _| {
            if let Some((_, times)) = names.iter_mut().find(|(n, _)| n == name) {
                *times += 1;
            } else if names.len() <= MOST_NAMES {
                // One more than the most says that there are too many.
                names.push((name.to_owned(), 1));
            }
        });
    }
    let objects = list().take(LOOKED_AT).count();
    let usual: Vec<bool> = names.iter().map(|(_, times)| times * 2 > objects).collect();
    let needed = usual.iter().filter(|usual| **usual).count();
    let mut made = Made::new(names.into_iter().map(|(name, _)| name).collect())?;
    for object in list() {
        let mut values = vec![String::new(); made.names.len()];
        let mut has = 0;
        each_leaf(*object, "", DEPTH, &mut |name, value| {
            if let Some(i) = made.names.iter().position(|n| n == name) {
                has += usize::from(usual[i]);
                values[i] = cell(value);
            }
        });
        if has * 2 >= needed {
            row(&mut made.text, &values);
        } else {
            made.others += 1;
        }
    }
    Some(made)
}

/// A row a list; the names stand beside them.
fn lists(rows: Value<'_>, beside: Value<'_>) -> Option<Made> {
    let width = rows.items().next()?.items().count();
    let heading = beside.any(&["columns", "fields", "header", "names"]);
    let mut names: Vec<String> = heading.items().map(Value::word).collect();
    names.resize_with(width, String::new);
    let mut made = Made::new(names)?;
    for list in rows.items().filter(|r| r.whole) {
        row(&mut made.text, &list.items().map(cell).collect::<Vec<_>>());
    }
    Some(made)
}

/// The members of an object as columns: those that are as long as the longest.
fn columns_of(object: Value<'_>) -> Option<Made> {
    let mut list: Vec<(String, Value<'_>)> = Vec::new();
    let mut longest = 2;
    for (key, column) in object.members().take(MOST_NAMES) {
        let length = cells(column).count();
        if length >= longest && cells(column).all(is_leaf) {
            if length > longest {
                list.clear();
            }
            longest = length;
            list.push((String::from_utf8_lossy(key).into_owned(), column));
        }
    }
    columns(&list)
}

fn columns(list: &[(String, Value<'_>)]) -> Option<Made> {
    let mut made = Made::new(list.iter().map(|(name, _)| name.clone()).collect())?;
    let mut columns: Vec<_> = list.iter().map(|(_, column)| cells(*column)).collect();
    loop {
        let values: Vec<Value<'_>> = columns.iter_mut().filter_map(Iterator::next).collect();
        if values.is_empty() {
            return Some(made);
        }
        row(&mut made.text, &values.into_iter().map(cell).collect::<Vec<_>>());
    }
}

/// The items of an array, the members of an object that are numbered, as pandas writes them.
fn cells<'a>(column: Value<'a>) -> Box<dyn Iterator<Item = Value<'a>> + 'a> {
    let numbered = |(name, value): (&[u8], Value<'a>)| name[..].first()?.is_ascii_digit().then_some(value);
    if column.is_array() { Box::new(column.items()) } else { Box::new(column.members().map_while(numbered)) }
}

/// The result of a query of Prometheus: the series one after the other, told apart by their labels.
fn series(result: Value<'_>) -> Option<Made> {
    let label = |series: Value<'_>, name: &str| series.get("metric").shown(name);
    let first = result.items().next()?;
    let differ = |name: &str| result.items().any(|s| label(s, name) != label(first, name));
    let labels: Vec<String> = first
        .get("metric")
        .members()
        .take(MOST_LABELS)
        .map(|(name, _)| String::from_utf8_lossy(name).into_owned())
        .collect();
    let labels: Vec<String> = labels.into_iter().filter(|name| differ(name)).collect();
    let mut made = Made::new(vec!["target".to_owned(), "time".to_owned(), label(first, "__name__")])?;
    for series in result.items().filter(|s| s.whole) {
        let name = labels.iter().map(|l| label(series, l)).collect::<Vec<_>>().join(" ");
        let alone = series.get("value");
        for sample in series.list("values").chain(alone.exists().then_some(alone)) {
            let mut values = sample.items().map(cell);
            row(&mut made.text, &[name.clone(), values.next()?, values.next()?]);
        }
    }
    Some(made)
}

fn is_leaf(value: Value<'_>) -> bool {
    !value.is_object() && !value.is_array()
}

/// The members of an object that are words or numbers, and those of objects in it.
fn each_leaf<'a>(object: Value<'a>, path: &str, depth: usize, with: &mut dyn FnMut(&str, Value<'a>)) {
    for (name, value) in object.members() {
        let name = [path, &String::from_utf8_lossy(name)].concat();
        if is_leaf(value) {
            with(&name, value);
        } else if depth > 0 {
            each_leaf(value, &(name + "."), depth - 1, with);
        }
    }
}

fn cell(value: Value<'_>) -> String {
    if value.is("null") { String::new() } else { value.word() }
}

impl Made {
    /// A table with this heading; one without any names has none.
    fn new(names: Vec<String>) -> Option<Self> {
        if names.is_empty() || names.len() > MOST_NAMES {
            return None;
        }
        let mut text = String::new();
        if names.iter().any(|n| !n.is_empty()) {
            row(&mut text, &names);
        }
        Some(Self { names, text, others: 0 })
    }

    /// Whether the first line is the heading.
    pub(super) fn headed(&self) -> bool {
        self.names.iter().any(|name| !name.is_empty())
    }
}

/// Writes a row down. An empty one of one column would be a blank line.
pub(super) fn row(table: &mut String, values: &[String]) {
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            table.push(',');
        }
        if value.contains([',', '"', '\n', '\r']) {
            table.push('"');
            table.push_str(&value.replace('"', "\"\"").replace(['\n', '\r'], " "));
            table.push('"');
        } else {
            table.push_str(if values.len() == 1 && value.is_empty() { "-" } else { value.trim() });
        }
    }
    table.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_rows() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(table(text.as_bytes()).map(|made| made.text).as_deref(), expected, "{text}");
        };
        let rows = Some("t,rtt\n1,2.5\n2,\n");
        check("{\"t\":1,\"rtt\":2.5}\n{\"t\":2,\"rtt\":null}\n", rows);
        check("[{\"t\":1,\"rtt\":2.5},{\"t\":2}]", rows);
        check("{\"host\":\"a\",\"results\":[{\"t\":1,\"rtt\":2.5},{\"t\":2}]}", rows);
        check("{\"hosts\":[{\"id\":1},{\"id\":2}],\"a\":{\"b\":[{\"t\":1,\"rtt\":2.5},{\"t\":2}]}}", rows);
        check("{\"t\":[1,2],\"host\":\"a\",\"rtt\":[2.5,null]}", rows);
        check("{\"t\":{\"0\":1,\"1\":2},\"rtt\":{\"0\":2.5,\"1\":null}}", rows);
        check("{\"columns\":[\"t\",\"rtt\"],\"index\":[0,1,2],\"data\":[[1,2.5],[2,null]]}", rows);
        check(
            "{\"data\":{\"result\":[{\"metric\":{\"__name__\":\"rtt\",\"job\":\"j\",\"to\":\"a\"},\"values\":[[1,\"2.5\"]]},\
             {\"metric\":{\"__name__\":\"rtt\",\"job\":\"j\",\"to\":\"b\"},\"values\":[[2,\"3\"]]}]}}",
            Some("target,time,rtt\na,1,2.5\nb,2,3\n"),
        );
        check(
            "{\"t\":1,\"ping\":{\"rtt\":2.5,\"all\":[1],\"x\":{\"y\":3}},\"b\":[2]} {\"t\":2}",
            Some("t,ping.rtt,ping.x.y\n1,2.5,3\n2,,\n"),
        );
        check("[{\"a b\":\"x, \\\"y\\\"\\nz\"},{}]", Some("a b\n\"x, \"\"y\"\" z\"\n-\n"));
        check(
            "{\"kind\":\"M\",\"unit\":\"ms\"}\n{\"kind\":\"P\",\"t\":1,\"rtt\":2}\n{\"kind\":\"P\",\"t\":2,\"rtt\":3}\n",
            Some("kind,unit,t,rtt\nP,,1,2\nP,,2,3\n"),
        );
        // What was cut is left out.
        check("{\"t\":1,\"rtt\":2.5}\n{\"t\":2,\"rtt\":null}\n{\"t\":3", rows);
        check("{\"rtt\":5}", Some("rtt\n5\n"));
        check("{\"host\":\"a\",\"rtts\":[1,null,3]}", Some("rtts\n1\n-\n3\n"));
        check("[1,null,3]", Some("1\n-\n3\n"));
        check("[]", None);
        check("[1.5] 2\n[2.5] 3\n", None);
        check("[1616976024,1616976025,1616976026]", None);
        check("t,rtt\n1,2\n", None);
        check("", None);
    }
}

//! Objects of JSON as the rows of a table: one a line, or in an array, alone or within an object.
//!
//! ```text
//! {"ts":"2026-11-30T10:24:04Z", "rtt_ms":12.3}
//! {"ts":"2026-11-30T10:24:05Z", "rtt_ms":null}
//! ```
//!
//! Their names are the heading. Members of an object within are columns of their own, `ping.latency`;
//! lists are left out.

use crate::json::{Value, documents};

/// Objects whose names are looked for.
const LOOKED_AT: usize = 200;
/// More names than this are not one probe's.
const MOST_NAMES: usize = 200;

/// The table as commas and lines. `None`: this is no JSON, or no list of two objects or more.
pub(super) fn table(text: &[u8]) -> Option<String> {
    if !matches!(text.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return None;
    }
    let first = Value::first(text);
    let alone = first
        .members()
        .map(|(_, value)| value)
        .find(|list| list.items().next().is_some_and(Value::is_object));
    let list: Box<dyn Iterator<Item = Value<'_>> + '_> = if first.is_array() {
        Box::new(first.items())
    } else if let Some(list) = alone.filter(|_| documents(text).nth(1).is_none()) {
        Box::new(list.items())
    } else {
        Box::new(documents(text))
    };
    let objects: Vec<Value<'_>> = list.filter(|v| v.is_object() && v.whole).collect();
    let mut names: Vec<String> = Vec::new();
    for object in objects.iter().take(LOOKED_AT) {
        each_leaf(*object, &mut |name, _| {
            if !names.iter().any(|n| n == name) {
                names.push(name.to_owned());
            }
        });
    }
    if objects.len() < 2 || names.is_empty() || names.len() > MOST_NAMES {
        return None;
    }
    let mut table = String::new();
    row(&mut table, &names);
    for object in objects {
        let mut values = vec![String::new(); names.len()];
        each_leaf(object, &mut |name, value| {
            if let Some(i) = names.iter().position(|n| n == name) {
                values[i] = if value.is("null") { String::new() } else { value.word() };
            }
        });
        row(&mut table, &values);
    }
    Some(table)
}

/// The members of an object that are words or numbers, and those of objects in it.
fn each_leaf<'a>(object: Value<'a>, with: &mut dyn FnMut(&str, Value<'a>)) {
    for (name, value) in object.members() {
        let name = String::from_utf8_lossy(name);
        for (inner, value) in value.members().filter(|(_, v)| !v.is_object() && !v.is_array()) {
            with(&[&name, ".", &String::from_utf8_lossy(inner)].concat(), value);
        }
        if !value.is_object() && !value.is_array() {
            with(&name, value);
        }
    }
}

fn row(table: &mut String, values: &[String]) {
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            table.push(',');
        }
        if value.contains([',', '"', '\n', '\r']) {
            table.push('"');
            table.push_str(&value.replace('"', "\"\"").replace(['\n', '\r'], " "));
            table.push('"');
        } else {
            table.push_str(value.trim());
        }
    }
    table.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_rows() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(table(text.as_bytes()).as_deref(), expected, "{text}");
        };
        let rows = Some("t,rtt\n1,2.5\n2,\n");
        check("{\"t\":1,\"rtt\":2.5}\n{\"t\":2,\"rtt\":null}\n", rows);
        check("[{\"t\":1,\"rtt\":2.5},{\"t\":2}]", rows);
        check("{\"host\":\"a\",\"results\":[{\"t\":1,\"rtt\":2.5},{\"t\":2}]}", rows);
        check(
            "{\"t\":1,\"ping\":{\"rtt\":2.5,\"all\":[1]},\"b\":[2]} {\"t\":2}",
            Some("t,ping.rtt\n1,2.5\n2,\n"),
        );
        check("[{\"a b\":\"x, \\\"y\\\"\\nz\"},{}]", Some("a b\n\"x, \"\"y\"\" z\"\n\n"));
        // What was cut is left out.
        check("{\"t\":1,\"rtt\":2.5}\n{\"t\":2,\"rtt\":null}\n{\"t\":3", rows);
        check("{\"rtt\":5}", None);
        check("t,rtt\n1,2\n", None);
        check("[1,2,3]", None);
        check("", None);
    }
}

//! What `netspurt import` says in words.

use super::answer::{Measured, parts, whole};
use crate::table::aligned;
use netspurt_import::{Column, Import, Part, PartKind};

/// The whole file: counts, delays, and what was noticed.
pub(super) fn whole_file(import: &Import) -> String {
    let m = whole(import);
    let count = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let sizes = m.sizes.as_ref().map(|s| match (s.first(), s.last()) {
        (Some(a), Some(b)) if a < b => format!("{a} to {b} octets"),
        (Some(a), _) => format!("{a} octets"),
        _ => String::new(),
    });
    let some = |n: u64| (n > 0).then(|| n.to_string());
    let lines = [
        ("format", Some(import.format.to_owned())),
        ("sent", Some(count(m.sent))),
        ("received", Some(count(m.received))),
        ("lost", Some(count(m.lost))),
        ("duplicates", Some(count(m.duplicates))),
        ("ICMP errors", some(m.errors)),
        ("replies without a time", some(m.replies_without_time)),
        ("delays", Some(m.rtt_count.to_string())),
        ("of them only a bound", some(m.censored_lt as u64)),
        ("ms", spread(&m)),
        ("length", sizes),
    ];
    let lines: Vec<Vec<String>> =
        lines.into_iter().filter_map(|(name, value)| Some(vec![name.to_owned(), value?])).collect();
    let lines = [lines, table_columns(import)].concat();
    let notes = import.trace.notes.iter().map(|n| match n.line {
        0 => format!("{}\n", n.text),
        line => format!("line {line}: {}\n", n.text),
    });
    aligned(&lines, 2) + &notes.collect::<String>()
}

/// Which columns of a table were taken for what.
fn table_columns(import: &Import) -> Vec<Vec<String>> {
    let Some(table) = &import.table else { return Vec::new() };
    let reading = &table.reading;
    let name = |index: usize| table.names.get(index).map_or_else(|| index.to_string(), |n| format!("“{n}”"));
    let with_unit = |c: Column| {
        let guessed = if c.guessed { ", which is a guess" } else { "" };
        format!("{} in {}{guessed}", name(c.index), c.unit.label())
    };
    let columns = [
        ("delay column", Some(with_unit(reading.delay))),
        ("time column", reading.time.map(with_unit)),
        ("length column", reading.octets.map(name)),
        ("number column", reading.seq.map(name)),
        ("loss column", reading.loss.map(name)),
        ("target column", reading.target.map(name)),
    ];
    columns.into_iter().filter_map(|(what, which)| Some(vec![what.to_owned(), which?])).collect()
}

fn spread(m: &Measured<'_>) -> Option<String> {
    let (min, mean, max) = (m.rtt_min_ms?, m.rtt_mean_ms?, m.rtt_max_ms?);
    Some(format!("{min:.3} least, {mean:.3} mean, {max:.3} greatest"))
}

/// What is inside, a line each with the number to choose it by: what is usually read is marked where it
/// is not all.
pub(super) fn list(import: &Import) -> String {
    let head =
        ["part", "inside", "sent", "received", "lost", "delays", "mean ms"].map(str::to_owned).to_vec();
    let some = import.parts.iter().any(|p| !p.usual);
    let row = |(i, (name, part, m)): (usize, (String, &Part, Measured<'_>))| {
        let name = match part.position.filter(|_| part.kind == PartKind::Hop) {
            Some(n) => format!("{n} {name}"),
            None => name,
        };
        let mark = if some && part.usual { " *" } else { "" };
        let counts =
            [m.sent, m.received, m.lost].map(|n| n.map_or_else(|| "-".to_owned(), |n| n.to_string()));
        let mean = m.rtt_mean_ms.map_or_else(|| "-".to_owned(), |v| format!("{v:.3}"));
        [vec![(i + 1).to_string(), name + mark], counts.to_vec(), vec![m.rtt_count.to_string(), mean]]
            .concat()
    };
    let lines: Vec<Vec<String>> = [head].into_iter().chain(parts(import).enumerate().map(row)).collect();
    aligned(&lines, 2)
}

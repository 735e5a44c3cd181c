//! The readout: RFC 889's columns, the printed row first. By a transport's rules one more: how often
//! late packets were sent again.

use super::Slot;
use crate::figure::Role;
use crate::report::{Heading, Table, TableRow};
use crate::rto::printed::{PLACES, Run, columns, cut};
use crate::rto::{Summary, slot::describe};

const COLUMNS: [(&str, &str); 8] = [
    ("Total", "s"),
    ("Lost", "packets"),
    ("Lost", "s"),
    ("Spurious", "packets"),
    ("Spurious", "s"),
    ("Mean", "ms"),
    ("CoV", ""),
    ("Efficiency", ""),
];

/// After those by the rules of a transport.
const SENT_AGAIN: (&str, &str) = ("Sent again", "times");

pub(super) fn table(slots: &[Slot<'_>], printed: Option<&Run>) -> Table {
    let sent_again = slots.iter().any(|s| s.summary.spurious_transmissions.is_some()).then_some(SENT_AGAIN);
    let printed_row = printed.map(|run| TableRow {
        head: "RFC 889 (15/16, 3/4, 2)".to_owned(),
        role: Role::Printed,
        cells: run.printed.into_iter().chain(sent_again.map(|_| "–")).map(str::to_owned).collect(),
    });
    let rows = slots.iter().map(|s| TableRow {
        head: describe(s.rule).to_string(),
        role: Role::Series(s.index),
        cells: cells(&s.summary, printed.is_some()),
    });
    Table {
        caption: match printed {
            Some(_) => "Readouts beside the printed values of 1983".to_owned(),
            None => "Readouts".to_owned(),
        },
        head: "Estimator".to_owned(),
        columns: COLUMNS.into_iter().chain(sent_again).map(|(title, unit)| Heading { title, unit }).collect(),
        rows: printed_row.into_iter().chain(rows).collect(),
    }
}

fn cells(s: &Summary, as_printed: bool) -> Vec<String> {
    // Counts are whole; CoV and efficiency always have two places.
    let fixed = |i: usize| as_printed || matches!(i, 1 | 3 | 6 | 7);
    columns(s)
        .into_iter()
        .enumerate()
        .map(|(i, value)| match value {
            None => "–".to_owned(),
            Some(v) if fixed(i) => cut(v, PLACES[i]),
            Some(v) => three_figures(v),
        })
        .chain(s.spurious_transmissions.map(|n| n.to_string()))
        .collect()
}

/// Three significant figures, more for large numbers: 0.0123, 1.23, 12.3, 1234.
pub(super) fn three_figures(value: f64) -> String {
    let places = match value {
        v if v >= 99.95 || v == 0.0 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        v if v >= 0.09995 => 3,
        _ => 4,
    };
    format!("{value:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_traces_keep_their_figures() {
        for (value, text) in
            [(0.012_34, "0.0123"), (1.234, "1.23"), (99.96, "100"), (1234.5, "1234"), (0.0, "0")]
        {
            assert_eq!(three_figures(value), text);
        }
    }
}

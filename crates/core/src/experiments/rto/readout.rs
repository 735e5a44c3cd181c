//! The readout: RFC 889's columns, the printed row first.

use super::Slot;
use crate::figure::Role;
use crate::report::{Heading, Table, TableRow};
use crate::rto::printed::Run;
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

/// Decimals of the printed columns.
const PRINTED_PLACES: [usize; 8] = [0, 0, 1, 0, 1, 0, 2, 2];

pub(super) fn table(slots: &[Slot<'_>], printed: Option<&Run>) -> Table {
    let printed_row = printed.map(|run| TableRow {
        head: "RFC 889 (15/16, 3/4, 2)".to_owned(),
        role: Role::Printed,
        cells: run.printed.map(str::to_owned).to_vec(),
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
        columns: COLUMNS.map(|(title, unit)| Heading { title, unit }).to_vec(),
        rows: printed_row.into_iter().chain(rows).collect(),
    }
}

fn cells(s: &Summary, as_printed: bool) -> Vec<String> {
    let values = [
        Some(s.total / 1000.0),
        Some(s.lost as f64),
        Some(s.lost_time / 1000.0),
        Some(s.rtx as f64),
        Some(s.rtx_time / 1000.0),
        s.mean,
        s.cov,
        s.efficiency,
    ];
    // Counts are whole; CoV and efficiency always have two places.
    let fixed = |i: usize| as_printed || matches!(i, 1 | 3 | 6 | 7);
    values
        .into_iter()
        .enumerate()
        .map(|(i, value)| match value {
            None => "–".to_owned(),
            Some(v) if fixed(i) => cut(v, PRINTED_PLACES[i]),
            Some(v) => three_figures(v),
        })
        .collect()
}

/// Cuts, never rounds: so the printed table was made, and an efficiency below one never shows as 1.
pub(in crate::experiments) fn cut(value: f64, places: usize) -> String {
    // Rust prints the shortest digits that give the same bits, so cutting them is exact: 0.29 does
    // not become 0.28 by way of 28.999….
    let text = value.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    match places {
        0 => whole.to_owned(),
        n => format!("{whole}.{fraction:0<n$.n$}"),
    }
}

/// Three significant figures, more for large numbers: 0.0123, 1.23, 12.3, 1234.
fn three_figures(value: f64) -> String {
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
    fn figures_are_cut_not_rounded() {
        for (value, places, text) in [
            (0.999_9, 2, "0.99"),
            (0.29, 2, "0.29"),
            (1.0, 2, "1.00"),
            (669.9, 0, "669"),
            (7.68, 1, "7.6"),
            (1e-7, 1, "0.0"),
        ] {
            assert_eq!(cut(value, places), text);
        }
    }

    #[test]
    fn small_traces_keep_their_figures() {
        for (value, text) in
            [(0.012_34, "0.0123"), (1.234, "1.23"), (99.96, "100"), (1234.5, "1234"), (0.0, "0")]
        {
            assert_eq!(three_figures(value), text);
        }
    }
}

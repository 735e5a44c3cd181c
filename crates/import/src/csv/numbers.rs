//! Columns of numbers of any sign, for statistics: a table, a list, or a data set of NIST's.
//!
//! NIST's Statistical Reference Datasets begin with prose and certified values. Their numbers stand below the last line
//! that begins with `Data:`, which names the columns; a line of dashes may follow it.

use super::cell::{self, Cell};
use super::layout;
use super::names::{self, Role};
use super::rows::{Record, Rows, Spot};
use super::{Separator, unnamed};
use crate::error::{ErrorKind, ImportError, place};
use crate::text::{decode, line_start};
use crate::{magic, number};

/// A table's numbers by columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// The heading's, or "column 1" and so on. One a column.
    pub names: Vec<String>,
    /// Each as long as the table has rows; `None` where there is no number.
    pub columns: Vec<Vec<Option<f64>>>,
    /// A data set of NIST's.
    pub reference: bool,
    /// The column that is named as delays are.
    pub delay: Option<usize>,
    /// Rows without any number, below the first with one.
    pub left_out: u64,
}

/// Reads a file's columns of numbers.
pub fn numbers(bytes: &[u8]) -> Result<Numbers, ImportError> {
    magic::refuse(bytes)?;
    let decoded = decode(bytes);
    let text = decoded.text.as_bytes();
    crate::error::refuse_long_lines(text)?;
    let shape = reference(text).or_else(|| table(text)).ok_or_else(|| nothing(text))?;
    let mut found = Numbers {
        columns: vec![Vec::new(); shape.names.len()],
        delay: shape.names.iter().position(|n| names::read(n).role == Some(Role::Delay)),
        names: shape.names,
        reference: shape.reference,
        left_out: 0,
    };
    let mut rows = Rows::new(text, shape.separator, shape.first);
    let mut record = Record::default();
    while rows.next(&mut record).is_some() {
        // A line drawn below the names.
        if record.iter().all(|f| f.len() > 3 && f.iter().all(|b| *b == b'-')) {
            continue;
        }
        let row: Vec<Option<f64>> =
            (0..found.columns.len()).map(|i| value(record.field(i), shape.decimal)).collect();
        if row.iter().all(Option::is_none) && !record.iter().all(|f| blank(f, shape.decimal)) {
            found.left_out += 1;
            continue;
        }
        for (column, value) in found.columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    // One row of several numbers is a list.
    if found.columns.len() > 2 && found.columns.iter().all(|c| c.len() == 1) {
        found.columns = vec![found.columns.concat()];
        found.names = vec![unnamed(0)];
        found.delay = None;
    }
    // Prose with a number here and there is no table.
    let rows = found.columns.first().map_or(0, Vec::len) as u64;
    if found.columns.iter().flatten().flatten().next().is_none() || found.left_out > rows {
        return Err(nothing(text));
    }
    Ok(found)
}

/// How a file's numbers are laid out.
struct Shape {
    separator: Separator,
    decimal: u8,
    names: Vec<String>,
    /// The first row that may hold numbers.
    first: Spot,
    reference: bool,
}

fn reference(text: &[u8]) -> Option<Shape> {
    let mut rows = Rows::new(text, Separator::Blanks, Spot { line: 1, start: 0 });
    let mut record = Record::default();
    let mut data: Option<Vec<String>> = None;
    let mut first = Spot { line: 1, start: 0 };
    let (mut names_set, mut certified) = (false, false);
    while let Some(spot) = rows.next(&mut record) {
        match record.field(0) {
            b"Dataset" => names_set |= record.field(1).starts_with(b"Name"),
            b"Certified" => certified = true,
            b"Sample" | b"Residual" if names_set => certified = true,
            b"Data:" => {
                let names = record.iter().skip(1).map(|f| String::from_utf8_lossy(f).into_owned());
                data = Some(names.collect());
                first = Spot { line: spot.line + 1, start: next_line(text, spot.start) };
            }
            _ => {}
        }
        if !names_set && spot.line > 30 {
            return None;
        }
    }
    let names = data.filter(|names| names_set && certified && !names.is_empty())?;
    Some(Shape { separator: Separator::Blanks, decimal: b'.', names, first, reference: true })
}

fn next_line(text: &[u8], start: usize) -> usize {
    (start + crate::text::line_at(text, start).len() + 1).min(text.len())
}

fn table(text: &[u8]) -> Option<Shape> {
    if matches!(text.trim_ascii_start().first(), Some(b'{' | b'[' | b'<') | None) {
        return None;
    }
    let head = crate::input::head(text);
    let (separator, rows) = layout::separated(head)?;
    let (decimal, single) = layout::decimal(&rows, separator);
    // "22,2" alone on each line: the comma parts no values.
    let separator = if single { Separator::Semicolon } else { separator };
    let mut rows = Rows::new(head, separator, Spot { line: 1, start: 0 });
    let mut record = Record::default();
    let mut heading: Option<Vec<String>> = None;
    loop {
        let first = rows.next(&mut record)?;
        let is_number = |f: &[u8]| value(f, decimal).is_some();
        if !record.iter().any(is_number) {
            let words = record.iter().map(|f| String::from_utf8_lossy(f).into_owned());
            heading = (!names::are_units(&record)).then(|| words.collect()).or(heading);
            continue;
        }
        let mut width = record.len();
        // A row may end with its separator.
        while width > 1 && record.field(width - 1).is_empty() {
            width -= 1;
        }
        let mut names = heading.unwrap_or_default();
        // R writes no name above the numbers of its rows.
        if names.len() + 1 == width && width > 1 {
            names.insert(0, "row".to_owned());
        }
        names.truncate(width);
        for i in 0..width {
            if names.get(i).is_none_or(String::is_empty) {
                names.truncate(i);
                names.push(unnamed(i));
            }
        }
        return Some(Shape { separator, decimal, names, first, reference: false });
    }
}

/// A number, with or without a unit; of a bound the bound.
fn value(field: &[u8], decimal: u8) -> Option<f64> {
    number::whole(field, decimal).or_else(|| match cell::read(field, decimal) {
        Cell::Value(v, _) | Cell::Below(v, _) => Some(v),
        _ => None,
    })
}

/// Stands where a number is missing.
fn blank(field: &[u8], decimal: u8) -> bool {
    matches!(cell::read(field, decimal), Cell::Lost | Cell::Nan | Cell::Untimed)
}

fn nothing(text: &[u8]) -> ImportError {
    let error = ImportError::new(ErrorKind::NoSamples, "This file has no column of numbers.")
        .advise("write the numbers one a line, or as the columns of a CSV file");
    let start = text.len() - text.trim_ascii_start().len();
    if start == text.len() {
        return error;
    }
    let start = line_start(text, start);
    let line = text[..start].split(|b| *b == b'\n').count();
    error.at(place(text, line, start, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, names: &[&str], columns: &[&[Option<f64>]]) {
        let got = numbers(text.as_bytes()).unwrap();
        assert_eq!(got.names, names, "{text}");
        assert_eq!(got.columns, columns, "{text}");
    }

    #[test]
    fn lists_and_tables_of_numbers_of_any_sign() {
        let some = Some;
        check("1\n-2\n3.5e-3\n", &["column 1"], &[&[some(1.0), some(-2.0), some(0.0035)]]);
        check(
            "y,x\n-1,2\n,4\n5,\n",
            &["y", "x"],
            &[&[some(-1.0), None, some(5.0)], &[some(2.0), some(4.0), None]],
        );
        check(
            "1;2,5\n3;-4,5\n",
            &["column 1", "column 2"],
            &[&[some(1.0), some(3.0)], &[some(2.5), some(-4.5)]],
        );
        check(
            "  10  20\n  30  40\n",
            &["column 1", "column 2"],
            &[&[some(10.0), some(30.0)], &[some(20.0), some(40.0)]],
        );
        check("1 2 3 4", &["column 1"], &[&[some(1.0), some(2.0), some(3.0), some(4.0)]]);
        check("5,7\n", &["column 1", "column 2"], &[&[some(5.0)], &[some(7.0)]]);
        check("delay_ms\n12 ms\n-\n<1\n", &["delay_ms"], &[&[some(12.0), None, some(1.0)]]);
        check("rtt\n(ms)\n12\n13\n", &["rtt"], &[&[some(12.0), some(13.0)]]);
    }

    #[test]
    fn a_data_set_of_nist_s_is_read_below_its_prose() {
        for (text, names, rows, first, last) in [
            (&include_bytes!("../../../../traces/nist/Lew.dat")[..], &["Y"][..], 200, -213.0, 96.0),
            (include_bytes!("../../../../traces/nist/NumAcc1.dat"), &["Y"], 3, 10_000_001.0, 10_000_002.0),
            (include_bytes!("../../../../traces/nist/Norris.dat"), &["y", "x"], 36, 0.1, 0.2),
        ] {
            let got = numbers(text).unwrap();
            assert!(got.reference && got.left_out == 0, "{names:?}");
            assert_eq!(
                (&got.names[..], got.columns[0].len()),
                (&names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>()[..], rows)
            );
            assert_eq!((got.columns[0][0], got.columns[0][rows - 1]), (Some(first), Some(last)));
        }
    }

    #[test]
    fn a_column_named_as_delays_are_is_known() {
        let got = numbers(b"t_s,octets,delay_ms\n0,64,12.5\n1,65,13\n").unwrap();
        assert_eq!((got.delay, got.columns.len(), got.reference), (Some(2), 3, false));
        assert_eq!(numbers(b"y,x\n1,2\n").unwrap().delay, None);
    }

    #[test]
    fn files_without_numbers_say_so() {
        for text in [
            "",
            "\n\n",
            "no numbers here\nnor here\n",
            "{\"a\": 1}",
            "a,b\nc,d\n",
            "In 1983\nno one\nmeasured\n",
        ] {
            let e = numbers(text.as_bytes()).unwrap_err().to_string();
            assert!(e.contains("no column of numbers") || text.trim().is_empty(), "{text:?}: {e}");
        }
        assert!(numbers(&[0_u8; 100]).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_give_columns_of_one_length_or_an_error(
            bytes in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..300),
                "([0-9]{1,3}|-|[a-z]|[,; \t\n.]|Data:|Dataset Name: x\n|Certified\n){0,80}".prop_map(String::into_bytes),
            ]
        ) {
            if let Ok(got) = numbers(&bytes) {
                prop_assert_eq!(got.names.len(), got.columns.len());
                prop_assert!(got.columns.iter().all(|c| c.len() == got.columns[0].len()));
                prop_assert!(got.columns.iter().flatten().flatten().all(|v| v.is_finite()));
            }
        }
    }
}

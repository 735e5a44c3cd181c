//! The rows of a trace cell, coded by columns.
//!
//! A cell is coded so if its rows follow one pattern: the same number of fields in every row, no
//! quotes, plain decimals with the same number of decimals throughout a column, or nothing; lines
//! that all end alike. Then a column is whole numbers times a power of ten, and what is empty:
//!
//! ```text
//! rows    = unsigned number of rows, bit CRLF, bit "the last line ends", unsigned number of columns,
//!           columns
//! column  = unsigned decimals, runs, [series]        no series if all is empty
//! runs    = bit "some are empty", if so: unsigned number of runs, series of run lengths, filled and
//!           empty in turn, filled first
//! series  = bit delta, bit rice, 6 bits k, [signed first], signed centre, numbers
//! ```
//!
//! The numbers of a series are differences from its centre, the median: of the values themselves, or
//! (delta) of their steps, the first value then standing apart. They are coded by Rice's code with
//! the parameter k, or in k bits each (see [`super::bits`]): whichever is shortest. What would not
//! come back letter for letter (leading zeros, `-0.0`, `+5`) is no such pattern.

use super::bits::{Reader, Writer, rice_cost, zigzag};

/// Numbers have at most this many digits, so that differences fit.
const DIGITS: usize = 17;
const MOST_COLUMNS: u64 = 64;

/// Rows of one pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    rows: usize,
    crlf: bool,
    last_line_ends: bool,
    columns: Vec<Column>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Column {
    decimals: usize,
    /// `None`: empty.
    fields: Vec<Option<i64>>,
}

/// The rows after a heading, if they follow one pattern.
pub(super) fn scan(text: &str) -> Option<Table> {
    let last_line_ends = text.ends_with('\n');
    let text = text.strip_suffix('\n').unwrap_or(text);
    let lines: Vec<_> = text.split('\n').collect();
    let crlf = lines[0].ends_with('\r') && (lines.len() > 1 || last_line_ends);
    let last = lines.len() - 1;
    let mut columns: Vec<(Option<usize>, Vec<Option<i64>>)> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let line = match (crlf, i < last || last_line_ends) {
            (true, true) => line.strip_suffix('\r')?,
            _ => line,
        };
        let mut count = 0;
        for field in line.split(',') {
            if i == 0 {
                columns.push((None, Vec::with_capacity(lines.len())));
            }
            let (decimals, fields) = columns.get_mut(count)?;
            count += 1;
            if field.is_empty() {
                fields.push(None);
                continue;
            }
            let (value, places) = number(field)?;
            if *decimals.get_or_insert(places) != places {
                return None;
            }
            fields.push(Some(value));
        }
        if count != columns.len() || count as u64 > MOST_COLUMNS {
            return None;
        }
    }
    let columns =
        columns.into_iter().map(|(d, fields)| Column { decimals: d.unwrap_or(0), fields }).collect();
    Some(Table { rows: lines.len(), crlf, last_line_ends, columns })
}

/// A decimal that [`print`] writes the same way, and its number of decimals.
fn number(field: &str) -> Option<(i64, usize)> {
    let (negative, digits) = field.strip_prefix('-').map_or((false, field), |d| (true, d));
    let (whole, part) = match digits.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, part)) => (whole, part),
        None => (digits, ""),
    };
    let plain = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let leading = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || leading || !plain(whole) || !plain(part) || whole.len() + part.len() > DIGITS {
        return None;
    }
    let value: i64 = whole.bytes().chain(part.bytes()).fold(0, |v, b| v * 10 + i64::from(b - b'0'));
    if negative && value == 0 {
        return None;
    }
    Some((if negative { -value } else { value }, part.len()))
}

fn print(text: &mut String, value: i64, decimals: usize) {
    if value < 0 {
        text.push('-');
    }
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = decimals + 1);
    let (whole, part) = digits.split_at(digits.len() - decimals);
    text.push_str(whole);
    if decimals > 0 {
        text.push('.');
        text.push_str(part);
    }
}

impl Table {
    /// The rows as they were written.
    pub(super) fn print(&self) -> String {
        let mut text = String::new();
        for row in 0..self.rows {
            for (i, column) in self.columns.iter().enumerate() {
                if i > 0 {
                    text.push(',');
                }
                if let Some(value) = column.fields[row] {
                    print(&mut text, value, column.decimals);
                }
            }
            if row + 1 < self.rows || self.last_line_ends {
                text.push_str(if self.crlf { "\r\n" } else { "\n" });
            }
        }
        text
    }

    pub(super) fn write(&self, w: &mut Writer) {
        w.unsigned(self.rows as u64);
        w.bit(self.crlf);
        w.bit(self.last_line_ends);
        w.unsigned(self.columns.len() as u64);
        for column in &self.columns {
            w.unsigned(column.decimals as u64);
            let runs = runs(&column.fields);
            w.bit(!runs.is_empty());
            if !runs.is_empty() {
                w.unsigned(runs.len() as u64);
                series(w, &runs);
            }
            series(w, &column.fields.iter().copied().flatten().collect::<Vec<_>>());
        }
    }

    /// Reads a table of at most `most` octets of text. The second is false if the bits ran out: the
    /// table then holds the rows that came.
    pub(super) fn read(r: &mut Reader<'_>, most: usize) -> Option<(Self, bool)> {
        let rows = usize::try_from(r.unsigned()?).ok().filter(|n| *n <= most)?;
        let crlf = r.bit()?;
        let last_line_ends = r.bit()?;
        let count = r.unsigned().filter(|n| (1..=MOST_COLUMNS).contains(n))?;
        // Every field takes at least its comma or line end.
        (rows as u64).checked_mul(count).filter(|n| *n <= most as u64 + count)?;
        let mut table = Self { rows, crlf, last_line_ends, columns: Vec::new() };
        let mut whole = true;
        for _ in 0..count {
            let (column, all) =
                read_column(r, rows).unwrap_or((Column { decimals: 0, fields: Vec::new() }, false));
            table.rows = table.rows.min(column.fields.len());
            table.columns.push(column);
            whole &= all;
        }
        if !whole {
            table.last_line_ends = true;
        }
        (table.size() <= most).then_some((table, whole))
    }

    /// An upper bound of the text's length.
    fn size(&self) -> usize {
        let column = |c: &Column| -> usize {
            let of = |f: &Option<i64>| {
                f.map_or(1, |v| 3 + c.decimals + v.unsigned_abs().checked_ilog10().unwrap_or(0) as usize)
            };
            c.fields.iter().take(self.rows).map(of).sum()
        };
        self.columns.iter().map(column).sum::<usize>() + 2 * self.rows
    }
}

/// Lengths of runs of filled and empty fields in turn; none if all are filled.
fn runs(fields: &[Option<i64>]) -> Vec<i64> {
    if fields.iter().all(Option::is_some) {
        return Vec::new();
    }
    let mut runs = vec![0];
    let mut filled = true;
    for field in fields {
        if field.is_some() != filled {
            filled = !filled;
            runs.push(0);
        }
        if let Some(run) = runs.last_mut() {
            *run += 1;
        }
    }
    runs
}

/// `None`: not even the column's beginning came.
fn read_column(r: &mut Reader<'_>, rows: usize) -> Option<(Column, bool)> {
    let decimals = usize::try_from(r.unsigned()?).ok().filter(|d| *d <= DIGITS)?;
    let mut filled = vec![true; rows];
    if r.bit()? {
        let count = usize::try_from(r.unsigned()?).ok().filter(|n| *n <= rows + 1)?;
        let (runs, whole) = read_series(r, count)?;
        if !whole {
            return None;
        }
        filled.clear();
        for (i, run) in runs.iter().enumerate() {
            let run = usize::try_from(*run).ok().filter(|n| *n <= rows - filled.len())?;
            filled.extend(std::iter::repeat_n(i % 2 == 0, run));
        }
        if filled.len() != rows {
            return None;
        }
    }
    let count = filled.iter().filter(|f| **f).count();
    let (values, whole) = read_series(r, count)?;
    let mut values = values.into_iter();
    let mut fields = Vec::with_capacity(rows);
    for filled in filled {
        let value = if filled { values.next() } else { None };
        if filled && value.is_none() {
            break;
        }
        fields.push(value);
    }
    Some((Column { decimals, fields }, whole))
}

/// One way to code a series, and what it costs.
struct Plan {
    delta: bool,
    rice: bool,
    k: u32,
    centre: i64,
    cost: u64,
}

fn series(w: &mut Writer, values: &[i64]) {
    let Some(&first) = values.first() else { return };
    let steps = steps(values);
    let (direct, delta) = (plan(values, false), plan(&steps, true));
    let (plan, numbers) = if delta.cost < direct.cost { (delta, &steps[..]) } else { (direct, values) };
    w.bit(plan.delta);
    w.bit(plan.rice);
    w.bits(u64::from(plan.k), 6);
    if plan.delta {
        w.signed(first);
    }
    w.signed(plan.centre);
    for n in numbers {
        let n = zigzag(n - plan.centre);
        if plan.rice { w.rice(n, plan.k) } else { w.bits(n, plan.k) }
    }
}

/// The numbers that came, and whether that was all.
fn read_series(r: &mut Reader<'_>, count: usize) -> Option<(Vec<i64>, bool)> {
    if count == 0 {
        return Some((Vec::new(), true));
    }
    let delta = r.bit()?;
    let rice = r.bit()?;
    let k = u32::try_from(r.bits(6)?).ok()?;
    let mut values = Vec::new();
    if delta {
        values.push(r.signed()?);
    }
    let centre = r.signed()?;
    while values.len() < count {
        let Some(n) = r.series_value(rice, k) else { return Some((values, false)) };
        let from = if delta { values.last().copied().unwrap_or(0) } else { 0 };
        values.push(from.checked_add(centre)?.checked_add(n)?);
    }
    Some((values, true))
}

fn steps(values: &[i64]) -> Vec<i64> {
    values.windows(2).map(|w| w[1] - w[0]).collect()
}

/// The cheaper of Rice's code and fixed width.
fn plan(numbers: &[i64], delta: bool) -> Plan {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let centre = sorted.get(sorted.len() / 2).copied().unwrap_or(0);
    let off: Vec<_> = numbers.iter().map(|n| zigzag(n - centre)).collect();
    let width = off.iter().max().map_or(0, |m| u64::BITS - m.leading_zeros());
    let fixed = Plan { delta, rice: false, k: width, centre, cost: u64::from(width) * off.len() as u64 };
    let rice = (0..width).map(|k| {
        let cost = off.iter().map(|n| rice_cost(*n, k)).sum();
        Plan { delta, rice: true, k, centre, cost }
    });
    rice.chain([fixed]).min_by_key(|p| p.cost).unwrap_or(Plan { delta, rice: false, k: 0, centre, cost: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn coded(text: &str) -> Option<Vec<u8>> {
        let table = scan(text)?;
        let mut w = Writer::default();
        table.write(&mut w);
        let bytes = w.finish();
        let mut r = Reader::new(&bytes);
        let (again, whole) = Table::read(&mut r, 1 << 20).unwrap();
        assert!(whole && r.is_spent());
        assert_eq!(again, table);
        assert_eq!(again.print(), text);
        Some(bytes)
    }

    fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
        (0..n).map(line).collect::<Vec<_>>().join("\n") + "\n"
    }

    #[test]
    fn patterns_are_packed_and_all_else_is_not() {
        for good in [
            "0.0,64,12.4\n1.0,64,\n",
            "0.0,64,12.4\r\n1.0,64,\r\n",
            "0.0,64,12.4\r\n1.0,64,",
            "1",
            "",
            "\n",
            ",\n,\n",
            "-5.25\n0.00\n-0.01\n",
            "12345678901234567\n-12345678901234567\n",
            "0.1234567890123456\n",
        ] {
            assert!(coded(good).is_some(), "{good:?}");
        }
        for odd in [
            "-0.0\n",
            "-0\n",
            "007\n",
            "+5\n",
            ".5\n",
            "5.\n",
            "1e3\n",
            " 1\n",
            "1 \n",
            "1,2\n3\n",
            "1.0\n1.00\n",
            "\"1\"\n",
            "<1\n",
            "123456789012345678\n",
            "1\r\n2\n",
            "1\n2\r\n",
            "x",
        ] {
            assert!(coded(odd).is_none(), "{odd:?}");
        }
    }

    #[test]
    fn what_is_regular_costs_next_to_nothing() {
        let clock = lines(1000, |i| format!("{i}.0,64"));
        assert!(coded(&clock).unwrap().len() < 16);
        let spike = |i| if i % 100 == 50 { 1_000_000 } else { 480 + i % 7 };
        let spikes = lines(1000, |i| spike(i).to_string());
        assert!(coded(&spikes).unwrap().len() < 600);
    }

    #[test]
    fn a_cut_table_gives_the_rows_that_came() {
        let text = lines(100, |i| format!("{i}.0,64,{}", 40 + i * i % 17));
        let bytes = coded(&text).unwrap();
        let cut = &bytes[..bytes.len() * 2 / 3];
        let (table, whole) = Table::read(&mut Reader::new(cut), 1 << 20).unwrap();
        assert!(!whole && table.rows > 20);
        assert!(text.starts_with(&table.print()));
    }

    proptest! {
        #[test]
        fn any_text_comes_back_or_is_left_alone(text in "[0-9,.\n\r-]{0,30}") {
            coded(&text);
        }

        #[test]
        fn any_column_comes_back(
            rows in prop::collection::vec((prop::option::of(-99_999_999_999_999_999_i64..99_999_999_999_999_999), 0_i64..3), 1..60),
            decimals in 0_usize..16,
        ) {
            let mut text = String::new();
            for (a, b) in rows {
                if let Some(a) = a {
                    print(&mut text, a >> 3, decimals);
                }
                text.push(',');
                print(&mut text, b, 0);
                text.push('\n');
            }
            prop_assert!(coded(&text).is_some());
        }

        #[test]
        fn any_octets_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Some((table, _)) = Table::read(&mut Reader::new(&bytes), 1 << 12) {
                prop_assert!(table.print().len() <= 1 << 12);
            }
        }
    }
}

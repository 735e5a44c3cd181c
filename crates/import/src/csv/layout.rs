//! Where a table begins, what parts its values, and what stands in its columns: guessed from the
//! first rows.

use csv::ByteRecord;

use super::cell::{self, Cell};
use super::columns::{Stats, assign};
use super::names;
use super::rows::{Rows, Spot};
use super::{Column, Reading, Separator, Unit};
use crate::error::clip;
use crate::number;
use crate::when::{self, Order};

/// Rows that are looked at.
const SAMPLE: usize = 200;

type Row = (Spot, Vec<Vec<u8>>);

/// How to read the table that begins with `head`; `length` is that of the whole text.
pub(super) fn guess(head: &[u8], length: usize) -> Option<Reading> {
    if head.len() < length && !head.contains(&b'\n') {
        return None;
    }
    // Another format's text in brackets is no table.
    if matches!(head.trim_ascii_start().first(), Some(b'{' | b'[' | b'<') | None) {
        return None;
    }
    let (separator, rows) = match spreadsheet_mark(head) {
        Some(separator) => (separator, sample(head, separator)),
        None => separated(head)?,
    };
    let (decimal, single) = decimal(&rows, separator);
    // "22,2" alone on each line: the comma parts no values.
    let (separator, rows) =
        if single { (Separator::Semicolon, sample(head, Separator::Semicolon)) } else { (separator, rows) };
    let table = Table::find(&rows, decimal)?;
    let month_first = month_first(&table);
    let stats: Vec<Stats> = (0..table.width)
        .map(|i| {
            Stats::of(table.data.iter().map(|r| r.1.get(i).map_or(&[][..], |f| f)), decimal, month_first)
        })
        .collect();
    let mut column_names: Vec<names::Name> = table.names.iter().map(|n| names::read(n)).collect();
    if table.heading.is_none() {
        column_names.fill(names::Name::default());
    }
    let roles = assign(&column_names, &stats, table.heading.is_some())?;
    // Sentences with numbers in them are no table: half of its columns are figures, or one is named.
    let figures = stats.iter().filter(|s| s.figures()).count();
    if !column_names[roles.delay].says_something() && figures * 2 < table.width {
        return None;
    }
    let delay = delay_column(roles.delay, column_names[roles.delay], &stats[roles.delay]);
    let time = roles.time.map(|i| time_column(i, column_names[i], &stats[i]));
    let first = table.heading.unwrap_or(table.data[0].0);
    Some(Reading {
        separator,
        decimal: char::from(decimal),
        first_line: first.line,
        heading: table.heading.is_some(),
        names: table.names,
        month_first,
        delay,
        time,
        octets: roles.octets,
        seq: roles.seq,
        loss: roles.loss,
    })
}

/// The values of a text that is one line of three or more delays, one a line: a series written in
/// a row is no table.
pub(super) fn series(text: &[u8]) -> Option<String> {
    let line = text.trim_ascii();
    if line.is_empty()
        || line.len() > 1 << 20
        || line.contains(&b'\n')
        || matches!(line[0], b'{' | b'[' | b'<')
    {
        return None;
    }
    let (separator, rows) = separated(line)?;
    let (decimal, _) = decimal(&rows, separator);
    let [(_, fields)] = &rows[..] else { return None };
    let numbers = fields.iter().filter(|f| matches!(cell::read(f, decimal), Cell::Value(..))).count();
    let delay = |f: &Vec<u8>| match cell::read(f, decimal) {
        Cell::Unreadable => false,
        Cell::Value(v, _) => epoch(v).is_none(),
        _ => true,
    };
    if fields.len() < 3 || numbers == 0 || !fields.iter().all(delay) {
        return None;
    }
    let mark = |f: &Vec<u8>| if f.is_empty() { "-".into() } else { String::from_utf8_lossy(f).into_owned() };
    Some(fields.iter().map(mark).collect::<Vec<_>>().join("\n"))
}

/// Excel's `sep=;` on the first line.
fn spreadsheet_mark(head: &[u8]) -> Option<Separator> {
    match head.strip_prefix(b"sep=")?.first()? {
        b';' => Some(Separator::Semicolon),
        b',' => Some(Separator::Comma),
        b'\t' => Some(Separator::Tab),
        b'|' => Some(Separator::Bar),
        _ => None,
    }
}

fn sample(head: &[u8], separator: Separator) -> Vec<Row> {
    let mut rows = Rows::new(head, separator, 1, 0);
    let mut record = ByteRecord::new();
    let mut out = Vec::new();
    while out.len() < SAMPLE
        && let Some(spot) = rows.next(&mut record)
    {
        let mut fields: Vec<Vec<u8>> = record.iter().map(|f| f.trim_ascii().to_vec()).collect();
        // A row may end with its separator.
        while fields.len() > 1 && fields.last().is_some_and(Vec::is_empty) && separator == Separator::Blanks {
            fields.pop();
        }
        out.push((spot, fields));
    }
    out
}

/// The separator that gives most rows the same number of readable values.
fn separated(head: &[u8]) -> Option<(Separator, Vec<Row>)> {
    use Separator::{Bar, Blanks, Comma, Semicolon, Tab};
    let mut best: Option<(f64, Separator, Vec<Row>)> = None;
    for separator in [Tab, Semicolon, Comma, Bar, Blanks] {
        let rows = sample(head, separator);
        let width = usual_width(&rows)?;
        let even = rows.iter().filter(|r| r.1.len() == width).count() as f64 / rows.len() as f64;
        let fields = || rows.iter().flat_map(|r| &r.1);
        let readable =
            fields().filter(|f| looks_like_data(f)).count() as f64 / fields().count().max(1) as f64;
        let score = if width == 1 { 0.0 } else { even * (0.2 + readable) };
        if best.as_ref().is_none_or(|(s, _, _)| score > *s) {
            best = Some((score, separator, rows));
        }
    }
    let (score, separator, rows) = best?;
    if score < 0.3 { Some((Comma, sample(head, Comma))) } else { Some((separator, rows)) }
}

/// The most frequent number of values in a row; of several, the largest.
fn usual_width(rows: &[Row]) -> Option<usize> {
    let mut widths: Vec<usize> = rows.iter().map(|r| r.1.len()).collect();
    widths.sort_unstable();
    widths.chunk_by(|a, b| a == b).max_by_key(|c| c.len()).map(|c| c[0])
}

/// A number with either decimal mark, a date, or a mark of loss.
fn looks_like_data(field: &[u8]) -> bool {
    is_number(field) || when::whole(field, Order::DayFirst).is_some() || cell::read(field, b'.') == Cell::Lost
}

fn is_number(field: &[u8]) -> bool {
    let read = |decimal| !matches!(cell::read(field, decimal), Cell::Lost | Cell::Unreadable);
    read(b'.') || read(b',')
}

/// The decimal mark, and whether commas that seem to part values are decimal commas in truth.
fn decimal(rows: &[Row], separator: Separator) -> (u8, bool) {
    if separator == Separator::Comma {
        let pairs = || rows.iter().filter(|r| r.1.len() == 2).map(|r| (&r.1[0], &r.1[1]));
        let digits = |f: &[u8]| !f.is_empty() && f.iter().all(u8::is_ascii_digit);
        let two = pairs().count();
        let all_digits =
            pairs().filter(|(a, b)| digits(a.strip_prefix(b"-").unwrap_or(a)) && digits(b)).count();
        let heading_alone = rows.first().is_some_and(|r| r.1.len() == 1) && rows.len() == two + 1;
        let same = pairs().map(|(_, b)| b.len()).collect::<Vec<_>>();
        let same_length = same.windows(2).all(|w| w[0] == w[1]);
        let ascends = pairs().zip(pairs().skip(1)).all(|((a, _), (b, _))| (a.len(), a) <= (b.len(), b));
        if two > 0 && all_digits == two && (heading_alone || same_length && !ascends && two == rows.len()) {
            return (b',', true);
        }
    }
    let (mut commas, mut points, mut thousands) = (0, 0, 0);
    for field in rows.iter().flat_map(|r| &r.1) {
        let mark = |m: u8| {
            let mut parts = field.split(|b| *b == m);
            let (whole, decimals, more) = (parts.next()?, parts.next()?, parts.next());
            let digits = |p: &[u8]| !p.is_empty() && p.iter().all(u8::is_ascii_digit);
            let whole = whole.strip_prefix(b"-").unwrap_or(whole);
            (more.is_none() && digits(whole) && digits(decimals)).then_some(decimals.len())
        };
        if let Some(decimals) = mark(b',') {
            commas += 1;
            thousands += usize::from(decimals == 3);
        } else if mark(b'.').is_some() {
            points += 1;
        }
    }
    let grouping = separator == Separator::Comma && thousands == commas;
    (if commas > points && !grouping { b',' } else { b'.' }, false)
}

struct Table<'a> {
    heading: Option<Spot>,
    names: Vec<String>,
    data: &'a [Row],
    width: usize,
}

impl<'a> Table<'a> {
    fn find(rows: &'a [Row], decimal: u8) -> Option<Self> {
        let numeric = |r: &Row| {
            r.1.iter().any(|f| {
                let number = !matches!(cell::read(f, decimal), Cell::Lost | Cell::Unreadable);
                number || when::whole(f, Order::DayFirst).is_some()
            })
        };
        let width = usual_width(&rows.iter().filter(|r| numeric(r)).cloned().collect::<Vec<_>>())?;
        let lost = |r: &Row| r.1.iter().all(|f| cell::read(f, decimal) == Cell::Lost);
        let mut start = rows.iter().position(|r| r.1.len() == width && numeric(r))?;
        while start > 0 && rows[start - 1].1.len() == width && lost(&rows[start - 1]) {
            start -= 1;
        }
        let data = &rows[start..];
        let like_the_first = data.iter().filter(|r| r.1.len() == width && (numeric(r) || lost(r))).count();
        if like_the_first * 2 < data.len() {
            return None;
        }
        let above = rows[..start].last().filter(|r| !lost(r));
        let mut names: Vec<String> = above.map(|r| r.1.iter().map(|f| clip(f)).collect()).unwrap_or_default();
        rejoin_units(&mut names, width);
        while names.len() > width && names.last().is_some_and(String::is_empty) {
            names.pop();
        }
        // R writes no name above the numbers of its rows.
        if names.len() + 1 == width && width > 1 {
            names.insert(0, "row".to_owned());
        }
        let heading = above.map(|r| r.0).filter(|_| names.len() >= width);
        names.truncate(width);
        if heading.is_none() {
            names = (1..=width).map(|i| format!("column {i}")).collect();
        }
        Some(Self { heading, names, data, width })
    }
}

/// "RTT (ms)" parted at its blank: one name again.
fn rejoin_units(names: &mut Vec<String>, width: usize) {
    let mut i = 1;
    while i < names.len() && names.len() > width {
        if names[i].starts_with(['(', '[']) {
            let unit = names.remove(i);
            names[i - 1] = format!("{} {unit}", names[i - 1]);
        } else {
            i += 1;
        }
    }
}

/// Whether dates put the month first: as some date shows, else as slashes are most often meant.
fn month_first(table: &Table<'_>) -> bool {
    let mut slashes = false;
    for field in table.data.iter().flat_map(|r| &r.1) {
        if let Some((a, b)) = when::ambiguous(field) {
            if a > 12 || b > 12 {
                return b > 12;
            }
            slashes |= field.contains(&b'/');
        }
    }
    slashes
}

fn delay_column(index: usize, name: names::Name, stats: &Stats) -> Column {
    if let Some(unit) = name.unit.or(stats.unit) {
        return Column { index, unit, guessed: false };
    }
    // Where the file does not say, ordinary delays lie between a microsecond and five seconds.
    let unit = match stats.median {
        m if m >= 5e6 => Unit::Nanos,
        m if m >= 5e3 => Unit::Micros,
        m if m < 60.0 && stats.hours > 0 => Unit::Seconds,
        _ => Unit::Millis,
    };
    Column { index, unit, guessed: true }
}

fn time_column(index: usize, name: names::Name, stats: &Stats) -> Column {
    if stats.dates > stats.numbers {
        return Column { index, unit: Unit::Calendar, guessed: false };
    }
    if let Some(unit) = epoch(stats.median) {
        return Column { index, unit, guessed: false };
    }
    if let Some(unit) = name.unit {
        return Column { index, unit, guessed: false };
    }
    let unit = match stats.step {
        s if !stats.integers || s < 50.0 => Unit::Seconds,
        s if s < 5e4 => Unit::Millis,
        s if s < 5e7 => Unit::Micros,
        _ => Unit::Nanos,
    };
    Column { index, unit, guessed: true }
}

/// The unit of a count since 1970, told by its size: between 1980 and 2100.
pub(super) fn epoch(value: f64) -> Option<Unit> {
    let within = |unit: f64| (315_532_800.0 * unit..4_102_444_800.0 * unit).contains(&value);
    match () {
        () if within(1.0) => Some(Unit::Seconds),
        () if within(1e3) => Some(Unit::Millis),
        () if within(1e6) => Some(Unit::Micros),
        () if within(1e9) => Some(Unit::Nanos),
        () => None,
    }
}

/// A number in a column of times.
pub(super) fn time_number(field: &[u8], decimal: u8) -> Option<f64> {
    number::whole(field, decimal)
}

//! Where a table begins, what parts its values, and what stands in its columns: guessed from the
//! first rows.

use super::cell::{self, Cell};
use super::columns::{Roles, Stats, assign};
use super::duration;
use super::names;
use super::rewritten;
use super::rows::{Record, Rows, Spot};
use super::units::{delay_column, epoch, time_column};
use super::{Column, Reading, Separator, Table, Unit};
use crate::error::clip;
use crate::number;
use crate::text::past;
use crate::when::{self, Order};

mod found;

use found::{Found, month_first};

/// Rows that a title has at most.
const TITLE: usize = 20;

/// Rows that are looked at.
const SAMPLE: usize = 200;

type Row<'a> = (Spot, Record<'a>);

/// The first rows of the table that begins with `head`, what parts their values, and the decimal mark.
/// `length` is that of the whole text.
fn parted(head: &[u8], length: usize) -> Option<(Separator, Vec<Row<'_>>, u8)> {
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
    Some((separator, rows, decimal))
}

/// How to read the table that begins with `head`; `length` is that of the whole text, and where it is
/// `headed` the first row is the heading.
pub(super) fn guess(head: &[u8], length: usize, headed: bool) -> Option<Table> {
    let (separator, rows, decimal) = parted(head, length)?;
    let found = if headed { Found::headed(&rows, decimal) } else { Found::find(&rows, decimal) }?;
    let month_first = month_first(&found);
    let stats = found.stats(decimal, month_first);
    let read_names = found.read_names(&stats);
    let roles = assign(&read_names, &stats, found.heading.is_some())?;
    // Sentences with numbers in them are no table: half of its columns are figures, or one is named.
    let figures = stats.iter().filter(|s| s.figures()).count();
    if !read_names[roles.delay].says_something() && figures * 2 < found.width {
        return None;
    }
    let (delay, time) = columns(&roles, &read_names, &stats);
    let Roles { octets, seq, loss, .. } = roles;
    let alone = delays_alone(&found, separator, decimal, delay);
    let mut reading = Reading { time, octets, seq, loss, ..alone };
    let delays = alike(&read_names, &stats, &reading);
    reading.target = target(&read_names, &stats, &reading);
    if let Some(column) = reading.target.filter(|i| read_names[*i].quantity) {
        reading.delay = found.of_quantity(column, reading.delay, decimal);
    }
    Some(Table { reading, names: found.names, delays })
}

/// The reading of a table of which no column is used but that of delays.
fn delays_alone(found: &Found<'_>, separator: Separator, decimal: u8, delay: Column) -> Reading {
    Reading {
        separator,
        decimal: char::from(decimal),
        first_line: found.heading.unwrap_or(found.data[0].0).line,
        heading: found.heading.is_some(),
        month_first: month_first(found),
        delay,
        time: None,
        octets: None,
        seq: None,
        loss: None,
        target: None,
    }
}

/// A table with a heading, none of whose columns looks like delays: the first column of numbers, if there
/// is one, is put in their place. `None`: it has delays, or is no table.
pub(super) fn without_delays(head: &[u8], length: usize) -> Option<Table> {
    let (separator, rows, decimal) = parted(head, length)?;
    let found = Found::find(&rows, decimal)?;
    found.heading.filter(|_| found.width > 1 && separator != Separator::Blanks)?;
    let month_first = month_first(&found);
    let stats = found.stats(decimal, month_first);
    let index = stats.iter().position(Stats::numeric).unwrap_or(0);
    let delay = delay_column(index, found.read_names(&stats)[index], &stats[index]);
    let reading = delays_alone(&found, separator, decimal, delay);
    let has_delays = guess(head, length, false).is_some();
    (!has_delays).then_some(Table { reading, names: found.names, delays: vec![index] })
}

/// A table that has a time of sending and one of arrival, and no delay: its reading has the arrival for
/// the delay. `None`: it is none, or what seem such times are not.
pub(super) fn stamps(head: &[u8], length: usize, headed: bool) -> Option<Reading> {
    let (separator, rows, decimal) = parted(head, length)?;
    let found = if headed { Found::headed(&rows, decimal) } else { Found::find(&rows, decimal) }?;
    found.heading?;
    let month_first = month_first(&found);
    let stats = found.stats(decimal, month_first);
    let names = found.read_names(&stats);
    if !names.iter().any(|n| n.sent) || !names.iter().any(|n| n.arrived) {
        return None;
    }
    let dated = |i: usize| stats[i].dates > 0 && stats[i].numbers == 0 || epoch(stats[i].median).is_some();
    // Not octets or packets that were sent and received, counted in whole numbers without a unit.
    let is_time = |i: usize| match names[i].role {
        Some(names::Role::Time) => true,
        None | Some(names::Role::Answered) => names[i].unit.is_some() || !stats[i].integers,
        _ => false,
    };
    let times = |i: usize| dated(i) || stats[i].numeric() && is_time(i);
    let sent = (0..names.len()).find(|i| names[*i].sent && !names[*i].arrived && times(*i))?;
    let arrived = (0..names.len()).find(|i| names[*i].arrived && times(*i) && dated(*i) == dated(sent))?;
    let is_delay = |i: usize| names[i].role == Some(names::Role::Delay) && stats[i].numeric() && !dated(i);
    if (0..names.len()).any(is_delay) || !stats[sent].ascends {
        return None;
    }
    let unit = |i: usize| time_column(i, names[i], &stats[i]);
    let unit_of_both = if dated(arrived) { unit(arrived) } else { unit(sent) }.unit;
    let delay = Column { unit: unit_of_both, ..unit(arrived) };
    let reading = Reading { time: Some(unit(sent)), ..delays_alone(&found, separator, decimal, delay) };
    let all: Vec<i64> = found.data.iter().filter_map(|r| rewritten::difference(&r.1, &reading)).collect();
    // Intervals are as long as each other.
    let equal = all.len() > 2 && all.windows(2).all(|w| w[0] == w[1]);
    let short = all.iter().all(|ns| (0..600_000_000_000).contains(ns)) && all.iter().any(|ns| *ns > 0);
    (short && !equal).then_some(reading)
}

/// A table as a reading tells it.
pub(super) fn apply(head: &[u8], reading: Reading) -> Table {
    let rows = rows_of(head, &reading, SAMPLE);
    let decimal = if reading.decimal == ',' { b',' } else { b'.' };
    let found = Found::told(&rows, reading.heading, decimal);
    let stats = found.stats(decimal, reading.month_first);
    // Where the rows are parted by their targets, there is one column of delays.
    let target = reading.target.is_some();
    let mut delays = if target { Vec::new() } else { alike(&found.read_names(&stats), &stats, &reading) };
    if !delays.contains(&reading.delay.index) {
        delays = vec![reading.delay.index];
    }
    Table { reading, names: found.names, delays }
}

/// A table whose separator, decimal mark, first line and heading are told: what its columns are is
/// guessed. `None`: no column can be delays.
pub(super) fn columns_guessed(head: &[u8], reading: &Reading) -> Option<Reading> {
    let rows = rows_of(head, reading, SAMPLE);
    let decimal = if reading.decimal == ',' { b',' } else { b'.' };
    let found = Found::told(&rows, reading.heading, decimal);
    let month_first = month_first(&found);
    let stats = found.stats(decimal, month_first);
    let names = found.read_names(&stats);
    let roles = assign(&names, &stats, reading.heading)?;
    let (delay, time) = columns(&roles, &names, &stats);
    let Roles { octets, seq, loss, .. } = roles;
    let columns = Reading { month_first, delay, time, octets, seq, loss, target: None, ..reading.clone() };
    Some(Reading { target: target(&names, &stats, &columns), ..columns })
}

/// The columns of delays and of times, with their units.
fn columns(roles: &Roles, names: &[names::Name], stats: &[Stats]) -> (Column, Option<Column>) {
    let delay = delay_column(roles.delay, names[roles.delay], &stats[roles.delay]);
    (delay, roles.time.map(|i| time_column(i, names[i], &stats[i])))
}

/// The first lines, as they stand, with their numbers.
pub(super) fn first_lines(head: &[u8], most: usize) -> Vec<(usize, String)> {
    let lines = head.split(|b| *b == b'\n').take(most).enumerate();
    lines.map(|(i, line)| (i + 1, clip(line))).filter(|(_, line)| !line.trim().is_empty()).collect()
}

/// The rows from the first on.
fn rows_of<'a>(head: &'a [u8], reading: &Reading, most: usize) -> Vec<Row<'a>> {
    let start = super::line_start(head, reading.first_line);
    let mut rows = Rows::new(head, reading.separator, Spot { line: reading.first_line, start });
    sample_rows(&mut rows, most)
}

/// The first rows below the heading.
pub(super) fn first_rows(head: &[u8], reading: &Reading, most: usize) -> Vec<Vec<String>> {
    let heading = usize::from(reading.heading);
    let rows = rows_of(head, reading, most.saturating_add(heading));
    rows.iter().skip(heading).map(|(_, row)| row.iter().map(clip).collect()).collect()
}

/// Another column of delays: its unit is guessed anew.
pub(super) fn delay_column_at(head: &[u8], table: &Table, index: usize) -> Column {
    column_at(head, table, index, delay_column).unwrap_or(Column { index, ..table.reading.delay })
}

/// Another column of times.
pub(super) fn time_column_at(head: &[u8], table: &Table, index: usize) -> Column {
    let unknown = Column { index, unit: Unit::Seconds, guessed: true };
    column_at(head, table, index, time_column).unwrap_or(unknown)
}

/// Whether a column is a code of which 0 is success, and whether it is an amount of loss.
pub(super) fn code_or_amount(head: &[u8], table: &Table, index: usize) -> (bool, bool) {
    let rows = rows_of(head, &table.reading, SAMPLE);
    let decimal = if table.reading.decimal == ',' { b',' } else { b'.' };
    let stats = Found::told(&rows, table.reading.heading, decimal).stats(decimal, false);
    let delays = stats.get(table.reading.delay.index);
    let (Some(column), Some(delays)) = (stats.get(index), delays) else { return (false, false) };
    // Rows with a delay whose code says success, and the others. `received,rtt` counts and says no code.
    let (mut agree, mut contradict) = (0, 0);
    for (_, row) in rows.iter().skip(usize::from(table.reading.heading)) {
        let delay = duration::read(row.field(table.reading.delay.index), decimal);
        if matches!(delay, Cell::Value(v, _) if v > 0.0) {
            match row.field(index) {
                b"0" => agree += 1,
                b"" => {}
                _ => contradict += 1,
            }
        }
    }
    let loss = names::read(&table.names[index]).role == Some(names::Role::Loss);
    (column.is_code_of(delays) && !loss && agree > contradict, loss && column.is_amount())
}

/// The column that says whom a probe was sent to. Where several columns are delays there is none: these
/// are what is chosen from.
fn target(names: &[names::Name], stats: &[Stats], reading: &Reading) -> Option<usize> {
    let several = alike(names, stats, reading).len() > 1;
    let free =
        |i: &usize| names[*i].role == Some(names::Role::Target) && reading.columns().all(|c| c != Some(*i));
    let targets = || (0..names.len().min(stats.len())).filter(free);
    // What was measured comes before where.
    let quantity = targets().find(|i| names[*i].quantity && stats[*i].varies);
    quantity.or_else(|| targets().find(|i| !names[*i].quantity)).filter(|_| reading.heading && !several)
}

/// A column as its name and its values tell it. `None`: there is none of this index.
fn column_at(
    head: &[u8],
    table: &Table,
    index: usize,
    tell: fn(usize, names::Name, &Stats) -> Column,
) -> Option<Column> {
    let rows = rows_of(head, &table.reading, SAMPLE);
    let decimal = if table.reading.decimal == ',' { b',' } else { b'.' };
    let found = Found::told(&rows, table.reading.heading, decimal);
    let stats = found.stats(decimal, table.reading.month_first);
    Some(tell(index, *found.read_names(&stats).get(index)?, stats.get(index)?))
}

/// The columns that could as well be the delay: named like it, and not taken for something else. Names that
/// say nothing, beside a time, are those of hosts.
fn alike(names: &[names::Name], stats: &[Stats], reading: &Reading) -> Vec<usize> {
    let r = reading;
    let Some(delay) = names.get(r.delay.index) else { return vec![r.delay.index] };
    let same = |i: usize| {
        let name = names[i];
        i == r.delay.index
            || (delay.says_something() || r.heading && r.time.is_some() && !stats[i].counts_up)
                && (name.role, name.unit.is_some()) == (delay.role, delay.unit.is_some())
                && stats[i].numeric()
                && r.columns().all(|c| c != Some(i))
    };
    (0..names.len().min(stats.len())).filter(|i| same(*i)).collect()
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
    let mut column = String::new();
    let mut numbers = 0;
    for field in fields.iter() {
        match cell::read(field, decimal) {
            Cell::Unreadable => return None,
            Cell::Value(v, _) if epoch(v).is_some() => return None,
            Cell::Value(..) => numbers += 1,
            _ => {}
        }
        column.push_str(if field.is_empty() { "-" } else { std::str::from_utf8(field).ok()? });
        column.push('\n');
    }
    (fields.len() > 2 && numbers > 0).then_some(column)
}

/// Excel's `sep=;` on the first line.
fn spreadsheet_mark(head: &[u8]) -> Option<Separator> {
    match past(head, "sep=")?.first()? {
        b';' => Some(Separator::Semicolon),
        b',' => Some(Separator::Comma),
        b'\t' => Some(Separator::Tab),
        b'|' => Some(Separator::Bar),
        _ => None,
    }
}

fn sample(head: &[u8], separator: Separator) -> Vec<Row<'_>> {
    sample_rows(&mut Rows::new(head, separator, Spot { line: 1, start: 0 }), SAMPLE)
}

fn sample_rows<'a>(rows: &mut Rows<'a>, most: usize) -> Vec<Row<'a>> {
    let mut out = Vec::new();
    while out.len() < most {
        let mut record = Record::default();
        let Some(spot) = rows.next(&mut record) else { break };
        out.push((spot, record));
    }
    out
}

/// The separator that gives most rows the same number of readable values.
pub(super) fn separated(head: &[u8]) -> Option<(Separator, Vec<Row<'_>>)> {
    use Separator::{Bar, Blanks, Comma, Semicolon, Tab};
    let mut best: Option<(f64, Separator, Vec<Row<'_>>)> = None;
    for separator in [Tab, Semicolon, Comma, Bar, Blanks] {
        let rows = sample(head, separator);
        let width = usual_width(&rows.iter().map(|r| r.1.len()).collect::<Vec<_>>())?;
        let (mut even, mut fields, mut readable) = (0, 0, 0);
        for (i, (_, row)) in rows.iter().enumerate() {
            even += usize::from(row.len() == width);
            fields += row.len();
            let named = |f: &[u8]| i < TITLE && names::read(&clip(f)).says_something();
            readable += row.iter().filter(|f| looks_like_data(f) || named(f)).count();
        }
        let share = |n: usize, of: usize| n as f64 / of.max(1) as f64;
        let score = if width == 1 { 0.0 } else { share(even, rows.len()) * (0.2 + share(readable, fields)) };
        if best.as_ref().is_none_or(|(s, _, _)| score > *s) {
            best = Some((score, separator, rows));
        }
    }
    let (score, separator, rows) = best?;
    if score < 0.3 { Some((Comma, sample(head, Comma))) } else { Some((separator, rows)) }
}

/// The most frequent number of values in a row; of several, the largest.
fn usual_width(widths: &[usize]) -> Option<usize> {
    let times = |w: usize| widths.iter().filter(|v| **v == w).count();
    widths.iter().copied().max_by_key(|w| (times(*w), *w))
}

/// A number with either decimal mark, a date, or a mark in place of a delay.
fn looks_like_data(field: &[u8]) -> bool {
    let readable = |decimal| cell::read(field, decimal) != Cell::Unreadable;
    readable(b'.') || readable(b',') || when::whole(field, Order::DayFirst).is_some()
}

/// The decimal mark, and whether commas that seem to part values are decimal commas in truth.
pub(super) fn decimal(rows: &[Row<'_>], separator: Separator) -> (u8, bool) {
    if separator == Separator::Comma {
        let pairs = || rows.iter().filter(|r| r.1.len() == 2).map(|r| (r.1.field(0), r.1.field(1)));
        let digits = |f: &[u8]| !f.is_empty() && f.iter().all(u8::is_ascii_digit);
        let two = pairs().count();
        let all_digits = pairs().filter(|(a, b)| digits(past(a, "-").unwrap_or(a)) && digits(b)).count();
        let heading_alone = rows.first().is_some_and(|r| r.1.len() == 1) && rows.len() == two + 1;
        let same = pairs().map(|(_, b)| b.len()).collect::<Vec<_>>();
        let same_length = same.windows(2).all(|w| w[0] == w[1]);
        let ascends = pairs().zip(pairs().skip(1)).all(|((a, _), (b, _))| (a.len(), a) <= (b.len(), b));
        if two > 0 && all_digits == two && (heading_alone || same_length && !ascends && two == rows.len()) {
            return (b',', true);
        }
    }
    let (mut commas, mut points, mut thousands, mut grouped) = (0, 0, 0, 0);
    for field in rows.iter().flat_map(|r| r.1.iter()) {
        // "12,3 ms"
        let end = field.iter().rposition(u8::is_ascii_digit).map_or(0, |i| i + 1);
        let number = if names::unit_of(field[end..].trim_ascii()).is_some() { &field[..end] } else { field };
        let mark = |m: u8| {
            let mut parts = number.split(|b| *b == m);
            let (whole, decimals, more) = (parts.next()?, parts.next()?, parts.next());
            let digits = |p: &[u8]| !p.is_empty() && p.iter().all(u8::is_ascii_digit);
            let whole = past(whole, "-").unwrap_or(whole);
            (more.is_none() && digits(whole) && digits(decimals)).then_some(decimals.len())
        };
        let last = |m: u8| number.iter().rposition(|b| *b == m);
        if let (Some(comma), Some(point)) = (last(b','), last(b'.')) {
            // Of both, the last parts the decimals.
            let of = |m: u8| usize::from(number::whole(number, m).is_some());
            if comma > point { commas += of(b',') } else { points += of(b'.') }
        } else if let Some(decimals) = mark(b',') {
            commas += 1;
            thousands += usize::from(decimals == 3);
        } else if let Some(decimals) = mark(b'.') {
            points += 1;
            // "1.234"
            grouped +=
                usize::from(decimals == 3 && (1..=3).contains(&(number.len() - 4)) && number[0] != b'0');
        }
    }
    let grouping = separator == Separator::Comma && thousands == commas;
    // "12,5" is no group of thousands, and "1.234" beside it may be.
    let groups = separator != Separator::Comma && commas > thousands && points == grouped;
    (if (commas > points || groups) && !grouping { b',' } else { b'.' }, false)
}

/// The heading of a table of delays in which no row has a number, and the first row below it.
pub(super) fn heading_alone(text: &[u8]) -> Option<(Spot, Option<Spot>)> {
    use Separator::{Bar, Comma, Semicolon, Tab};
    [Comma, Semicolon, Tab, Bar].into_iter().find_map(|separator| {
        let rows = sample(text, separator);
        let ((spot, heading), rest) = rows.split_first()?;
        let blank = |r: &Row<'_>| r.1.iter().all(<[u8]>::is_empty) || names::are_units(&r.1);
        let below = rest.iter().find(|r| !blank(r));
        // Sentences may speak of delays too.
        let table = rest.iter().all(|r| blank(r) || r.1.len() == heading.len())
            && (below.is_none() || heading.len() > 1 || !heading.field(0).contains(&b' '));
        let name = |f: &[u8]| f.len() <= 40 && f.split(|b| *b == b' ').count() < 5;
        let delays = heading.iter().any(|f| names::read(&clip(f)).role == Some(names::Role::Delay));
        (table && delays && heading.iter().all(name)).then_some((*spot, below.map(|r| r.0)))
    })
}

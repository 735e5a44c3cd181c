//! The rows of a table to a trace.
//!
//! Rows are kept as columns, and only those columns that the reading uses: there may be millions.
//! What a delay means may depend on the others; that is settled once all are read.

use netspurt_core::number::rows::Batch;
use netspurt_core::trace::NO_LENGTH;

use super::cell::{self, Cell};
use super::fault::{self, At, Fault};
use super::kept::{Columns, Mark, NO_NUMBER};
use super::names::{self, Role};
use super::rows::{Record, Rows, Spot};
use super::targets::Targets;
use super::{Reading, Table, Unit, duration, layout, plain};
use crate::error::{ImportError, Others, clip};
use crate::import::{BadRows, Import, Options};
use crate::input::Input;
use crate::notes::Notes;
use crate::number;
use crate::text::past;
use crate::times::UNKNOWN;
use crate::when::{self, Order, Stamps};

mod settle;

struct Collector<'a> {
    table: &'a Table,
    reading: &'a Reading,
    decimal: u8,
    bad_rows: BadRows,
    /// What 1 means in the column of outcomes, and in one of codes any number but 0.
    answered: bool,
    /// The column of outcomes says how much was lost.
    amounts: bool,
    /// The column behind that of dates, where it has the times of day.
    clock: Option<usize>,
    rows: Columns,
    targets: Targets,
    notes: Notes,
    /// The first rows that cannot be read.
    quoted: Vec<(Fault, At)>,
    faults: u64,
    /// The one word that stands where delays are missing, if it is always the same.
    word: Option<Vec<u8>>,
    /// Lines that are no rows, and the first of them.
    remarks: (u64, Spot),
    /// Rows that are the heading again, and the line of the first.
    headings: (u64, usize),
    stamps: Stamps,
    bad_times: u64,
    text: &'a [u8],
    /// The largest number without a unit of its own, but 3600.
    largest: f64,
}

/// Faulty rows that are quoted; of the others it is said how many there are.
const QUOTED: u64 = 3;

/// The first word of a row that is none, below a table; and `p95` and the like.
const SUMS: &[&str] = &[
    "total",
    "totals",
    "sum",
    "sums",
    "ave",
    "avg",
    "average",
    "averages",
    "mean",
    "median",
    "min",
    "minimum",
    "max",
    "maximum",
    "std",
    "stdev",
    "stddev",
    "count",
    "percentile",
    "gesamt",
    "summe",
    "summen",
    "mittel",
    "mittelwert",
    "mittelwerte",
    "durchschnitt",
    "durchschnitte",
    "somme",
    "moyenne",
    "moyennes",
    "médiane",
    "suma",
    "promedio",
    "promedios",
    "media",
    "mediana",
    "totale",
    "totaal",
    "gemiddelde",
];

/// Whether the first word names a sum.
fn is_sum(field: &[u8]) -> bool {
    let end = field.iter().position(|b| !(b.is_ascii_alphanumeric() || *b >= 128)).unwrap_or(field.len());
    let word = field[..end].to_ascii_lowercase();
    let percentile = past(&word, "p").is_some_and(|n| !n.is_empty() && n.iter().all(u8::is_ascii_digit));
    percentile || SUMS.iter().any(|sum| sum.as_bytes() == word)
}

pub(super) fn read(
    input: &Input<'_>,
    text: &[u8],
    table: &Table,
    options: &Options,
) -> Result<Import, ImportError> {
    let reading = &table.reading;
    let start = Spot { line: reading.first_line, start: super::line_start(text, reading.first_line) };
    let mut c = Collector::new(text, table, options);
    c.notes.encoding(input.text());
    let mut rows = Rows::new(text, reading.separator, start);
    let mut record = Record::default();
    let mut heading = None;
    let mut below_heading = false;
    let plain = plain::rows(reading, table.names.len()).filter(|_| c.targets.column.is_none());
    let mut batch = Batch::default();
    let mut told = 0;
    loop {
        let next = rows.spot();
        if next.line >= told + 4096 {
            told = next.line;
            c.rows.make_room(next.start, text.len());
            input.progress(next.start, text.len())?;
        }
        if let Some(plain) =
            plain.as_ref().filter(|_| !reading.heading || heading.is_some() && !below_heading)
        {
            plain.read(text, next.start, &mut batch);
            let n = plain::unmarked(&batch);
            if n > 0 {
                c.plain(&batch, n, next.line);
                rows.go_on(Spot { line: next.line + n, start: batch.ends[n - 1] });
                continue;
            }
        }
        let Some(spot) = rows.next(&mut record) else { break };
        if reading.heading && heading.is_none() {
            heading = Some(spot);
            below_heading = true;
            continue;
        }
        if !(std::mem::take(&mut below_heading) && names::are_units(&record)) {
            c.row(&record, spot, heading);
        }
    }
    c.settle_word();
    if let Some((fault, at)) = c.quoted.first()
        && c.bad_rows == BadRows::Ask
    {
        let others = Others { fine: c.rows.marks.len() as u64 - c.faults, bad: c.faults - 1 };
        return Err(fault.error(table, text, at, others));
    }
    let first = heading.unwrap_or(start);
    if c.rows.marks.is_empty() {
        return Err(fault::no_rows(text, reading.heading, first));
    }
    c.finish(options).map_err(|left_out| left_out.error(text, heading))
}

impl<'a> Collector<'a> {
    fn new(text: &'a [u8], table: &'a Table, options: &Options) -> Self {
        let reading = &table.reading;
        let loss_name = reading.loss.and_then(|i| table.names.get(i));
        let role = loss_name.and_then(|n| names::read(n).role);
        let head = crate::input::head(text);
        let (is_code, amounts) =
            reading.loss.map_or((false, false), |i| layout::code_or_amount(head, table, i));
        let clock = reading.time.filter(|c| c.unit == Unit::Calendar).map(|c| c.index + 1).filter(|i| {
            let name = table.names.get(*i).map(|n| names::read(n));
            *i != reading.delay.index && name.is_some_and(|n| n.role == Some(Role::Time))
        });
        Self {
            table,
            reading,
            decimal: if reading.decimal == ',' { b',' } else { b'.' },
            bad_rows: options.bad_rows,
            answered: role != Some(Role::Loss) && !is_code,
            amounts,
            clock,
            rows: Columns::default(),
            targets: Targets::new(reading.target),
            notes: Notes::default(),
            quoted: Vec::new(),
            faults: 0,
            word: None,
            remarks: (0, Spot { line: 0, start: 0 }),
            headings: (0, 0),
            stamps: Stamps::default(),
            bad_times: 0,
            text,
            largest: 0.0,
        }
    }

    /// Adds the first `n` rows of plain numbers, the first of which stands on this line.
    fn plain(&mut self, batch: &Batch, n: usize, line: usize) {
        let delays = &batch.delays[..n];
        self.largest = delays.iter().fold(self.largest, |largest, delay| largest.max(*delay));
        let rows = &mut self.rows;
        rows.at_line(line);
        rows.marks.resize(rows.marks.len() + n, Mark::Value);
        rows.delays.extend(delays.iter().map(|delay| self.reading.delay.unit.to_ms(*delay)));
        if self.reading.time.is_some() {
            rows.times.extend_from_slice(&batch.times[..n]);
        }
        if self.reading.octets.is_some() {
            rows.octets.extend_from_slice(&batch.octets[..n]);
        }
        if self.reading.seq.is_some() {
            rows.seqs.extend_from_slice(&batch.seqs[..n]);
        }
    }

    fn row(&mut self, record: &Record<'_>, spot: Spot, heading: Option<Spot>) {
        let width = self.table.names.len();
        let mut values = record.len();
        while values > width && record.field(values - 1).is_empty() {
            values -= 1;
        }
        if width > 1 && record.iter().all(<[u8]>::is_empty) {
            return;
        }
        if self.reading.heading && self.is_heading(record) {
            self.headings.0 += 1;
            self.headings.1 = self.headings.1.max(usize::from(self.headings.0 == 1) * spot.line);
            return;
        }
        if self.is_remark(record) {
            self.remarks.0 += 1;
            if self.remarks.0 == 1 {
                self.remarks.1 = spot;
            }
            return;
        }
        let delay = record.get(self.reading.delay.index).map(|f| (f, duration::read(f, self.decimal)));
        let fault = match delay {
            _ if values < width => Some(Fault::Short { values }),
            _ if values > width => Some(Fault::Long { values }),
            Some((field, Cell::Unreadable)) => Some(Fault::Unreadable { field: field.to_vec() }),
            _ => None,
        };
        let (mut mark, delay_ms) = self.mark(delay.map_or(Cell::Lost, |(_, c)| c));
        if let Some(fault) = fault {
            let word = match &fault {
                Fault::Unreadable { field } if !field.iter().any(u8::is_ascii_digit) => Some(field),
                _ => None,
            };
            if self.faults == 0 {
                self.word = word.cloned();
            } else if self.word.as_ref() != word {
                self.word = None;
            }
            self.faults += 1;
            if self.faults <= QUOTED {
                self.quoted.push((fault, At { spot, heading }));
            }
            // A row that is left out still says that its number is not missing.
            mark = Mark::Faulty;
        } else if let Some(answered) =
            self.reading.loss.and_then(|i| self.outcome(record.get(i)?, delay.map(|(_, cell)| cell)))
        {
            if !answered {
                mark = Mark::Lost;
            } else if delay.is_some_and(|(field, _)| field.is_empty()) {
                mark = Mark::Untimed;
            }
        }
        let rows = &mut self.rows;
        rows.at_line(spot.line);
        rows.marks.push(mark);
        rows.delays.push(delay_ms);
        self.targets.add(record);
        if let Some(c) = self.reading.time {
            let time =
                self.date_and_time(record, c.index).or_else(|| self.time(record.get(c.index)?, c.unit));
            self.rows.times.push(time.unwrap_or(UNKNOWN));
        }
        if let Some(i) = self.reading.octets {
            let octets = record.get(i).and_then(|f| self.octets(f));
            self.rows.octets.push(octets.unwrap_or(NO_LENGTH));
        }
        if let Some(i) = self.reading.seq {
            let seq = record.get(i).and_then(number::integer);
            self.rows.seqs.push(seq.map_or(NO_NUMBER, |(n, _)| n));
        }
    }

    /// Whether a row says that it was answered. Where there is a delay, neither an amount of loss nor a
    /// word that is not known says that it was not.
    fn outcome(&self, field: &[u8], delay: Option<Cell>) -> Option<bool> {
        let silent = match delay {
            Some(Cell::Value(v, _)) => v == 0.0,
            cell => cell.is_none_or(|c| c == Cell::Lost),
        };
        let number = number::whole(field.strip_suffix(b"%").unwrap_or(field).trim_ascii(), self.decimal);
        if let Some(lost) = number.filter(|_| self.amounts) {
            return (silent && lost > 0.0).then_some(false);
        }
        let unknown = silent && self.answered && number.is_none() && !field.is_empty();
        cell::outcome(field, self.answered).or_else(|| unknown.then_some(false))
    }

    /// Whether this is no row but a remark or a sum: `10 rows in set`, `Average,16.75`. A word stands where
    /// other rows have a time or a number.
    fn is_remark(&self, record: &Record<'_>) -> bool {
        let word = |f: &[u8]| f.first().is_some_and(u8::is_ascii_alphabetic);
        if self.table.names.len() > 1 && record.len() == 1 {
            let text = record.field(0);
            return text.contains(&b' ') && text.iter().any(u8::is_ascii_alphabetic);
        }
        let r = self.reading;
        let seq = r.seq.map(|i| record.field(i)).filter(|f| word(f));
        let seq = seq.filter(|f| cell::read(f, self.decimal) != Cell::Lost);
        let time = r.time.map(|c| record.field(c.index)).filter(|f| {
            let dated = || when::whole(f, Order::DayFirst).is_some();
            word(f) && cell::read(f, self.decimal) == Cell::Unreadable && !dated()
        });
        let Some(field) = time.or(seq) else {
            // The sum stands before a time or number that is left empty.
            let empty = |i: usize| record.field(i).is_empty();
            let empty = r.time.is_some_and(|c| empty(c.index)) || r.seq.is_some_and(empty);
            return empty && is_sum(record.field(0));
        };
        // A number in hexadecimal or a month in another language makes no sum of a row with a delay, or with
        // a mark in its place.
        let delay = record.field(r.delay.index);
        let measured = match duration::read(delay, self.decimal) {
            Cell::Value(..) | Cell::Below(..) => true,
            Cell::Lost => !delay.is_empty(),
            _ => false,
        };
        is_sum(field) || is_sum(record.field(0)) || !measured
    }

    /// A word that stands where there is no delay, always the same, is a mark of loss, if the table has no
    /// other.
    fn settle_word(&mut self) {
        let is_loss = |word: &Vec<u8>| cell::outcome(word, true) != Some(true);
        let Some(word) = self.word.take().filter(|word| self.faults > 1 && is_loss(word)) else { return };
        let marks = &mut self.rows.marks;
        if marks.iter().any(|m| matches!(m, Mark::Lost | Mark::Nan)) || !marks.contains(&Mark::Value) {
            return;
        }
        marks.iter_mut().filter(|m| **m == Mark::Faulty).for_each(|m| *m = Mark::Lost);
        let (times, word) = (number::plural(self.faults, "time"), clip(&word));
        self.notes.push(
            self.quoted[0].1.spot.line,
            format!("“{word}” taken as a mark of loss, {times}; here first"),
        );
        self.quoted.clear();
        self.faults = 0;
    }

    /// The heading, once more.
    fn is_heading(&self, record: &Record<'_>) -> bool {
        let same = |(field, name): (&[u8], &String)| {
            field == name.as_bytes() || field.is_empty() && name.starts_with("column ")
        };
        record.iter().zip(&self.table.names).all(same)
    }

    fn mark(&mut self, cell: Cell) -> (Mark, f64) {
        let ms = |v: f64, unit: Option<Unit>| unit.unwrap_or(self.reading.delay.unit).to_ms(v);
        let mark = match cell {
            #[expect(clippy::float_cmp, reason = "the sentinel is exact")]
            Cell::Value(v, None) if v == 3600.0 => return (Mark::Hour, ms(v, None)),
            Cell::Value(v, unit) => {
                if unit.is_none() && v > self.largest {
                    self.largest = v;
                }
                return (Mark::Value, ms(v, unit));
            }
            Cell::Below(v, unit) => return (Mark::Below, ms(v, unit)),
            Cell::Lost => Mark::Lost,
            Cell::Untimed => Mark::Untimed,
            Cell::Nan => Mark::Nan,
            Cell::MinusOne => Mark::MinusOne,
            Cell::Negative => Mark::Negative,
            Cell::Infinite => Mark::Infinite,
            Cell::Sentinel => Mark::Sentinel,
            Cell::Unreadable => Mark::Faulty,
        };
        (mark, 0.0)
    }

    /// What becomes of a faulty row.
    fn fate(&self) -> &'static str {
        if self.bad_rows == BadRows::Lost { "counted as lost" } else { "left out" }
    }

    fn octets(&self, field: &[u8]) -> Option<u32> {
        let value = number::whole(field, self.decimal)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
        (0.0..1e9).contains(&value).then_some(value as u32)
    }

    /// A date, and the time of day in the column behind it.
    fn date_and_time(&mut self, record: &Record<'_>, index: usize) -> Option<i64> {
        let clock = record.get(self.clock?)?;
        let whole = [record.get(index)?, b" ", clock].concat();
        let order = if self.reading.month_first { Order::MonthFirst } else { Order::DayFirst };
        when::whole(&whole, order).and_then(|w| self.stamps.add(w))
    }

    /// A send time in nanoseconds.
    fn time(&mut self, field: &[u8], unit: Unit) -> Option<i64> {
        if field.is_empty() {
            return None;
        }
        let read = if unit == Unit::Calendar {
            let order = if self.reading.month_first { Order::MonthFirst } else { Order::DayFirst };
            // A time of day starts again at midnight.
            when::whole(field, order).and_then(|w| self.stamps.add(w))
        } else if unit == Unit::Days {
            // The first of January 1970 was day 25 569.
            number::whole(field, self.decimal)
                .map(|days| ((days - 25_569.0) * unit.nanoseconds() as f64) as i64)
        } else {
            number::nanoseconds(field, self.decimal, unit.nanoseconds())
        };
        self.bad_times += u64::from(read.is_none());
        read
    }
}

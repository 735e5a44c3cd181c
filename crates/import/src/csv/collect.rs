//! The rows of a table to a trace.

use csv::ByteRecord;
use memchr::memchr;
use netspurt_core::trace::{Fate, Provenance, TraceBuilder};

use super::cell::{self, Cell};
use super::fault::{At, Fault};
use super::names::{self, Role};
use super::rows::{Rows, Spot};
use super::{ID, Reading, Unit};
use crate::error::{ErrorKind, ImportError, Others, place};
use crate::import::{BadRows, Counts, Import, Options, Part};
use crate::notes::Notes;
use crate::number;
use crate::times::fill;
use crate::when::{self, DAY, Order, Since};

/// A row as it was read; what its delay means may still depend on the others.
#[derive(Debug, Clone, Copy)]
struct Row {
    line: usize,
    cell: Cell,
    time: Option<i64>,
    octets: Option<u32>,
    seq: Option<u64>,
    faulty: bool,
}

struct Collector<'a> {
    reading: &'a Reading,
    decimal: u8,
    bad_rows: BadRows,
    /// What 1 means in the column of outcomes.
    answered: bool,
    rows: Vec<Row>,
    notes: Notes,
    fault: Option<(Fault, At)>,
    faults: u64,
    last_clock: i64,
    days: i64,
    dated: bool,
    bad_times: u64,
    text: &'a [u8],
}

pub(super) fn read(
    text: &[u8],
    reading: Reading,
    options: &Options,
    unknown_letters: bool,
) -> Result<Import, ImportError> {
    let start = line_start(text, reading.first_line);
    let heading = reading.heading.then_some((reading.first_line, start));
    let mut c = Collector::new(text, &reading, options);
    if unknown_letters {
        c.notes.push(0, "the encoding is not known: letters may be wrong, figures are not");
    }
    let mut rows = Rows::new(text, reading.separator, reading.first_line, start);
    let mut record = ByteRecord::new();
    let mut first = reading.heading;
    while let Some(spot) = rows.next(&mut record) {
        if std::mem::take(&mut first) {
            continue;
        }
        c.row(&record, spot, heading);
    }
    if let Some((fault, at)) = &c.fault
        && c.bad_rows == BadRows::Ask
    {
        let others = Others { fine: c.rows.len() as u64 - c.faults, bad: c.faults - 1 };
        return Err(fault.error(&reading, text, at, others));
    }
    if c.rows.iter().all(|r| r.faulty && c.bad_rows != BadRows::Lost) {
        let what = "The table has no rows that could be read.";
        let error = ImportError::new(ErrorKind::NoSamples, what);
        return Err(match c.fault.map(|(_, at)| at) {
            Some(at) => error.at(place(text, at.line, at.start, at.heading)),
            None if start < text.len() => error.at(place(text, reading.first_line, start, None)),
            None => error,
        });
    }
    Ok(c.finish(options).with(reading))
}

/// The first byte of a line.
fn line_start(text: &[u8], line: usize) -> usize {
    let mut at = 0;
    for _ in 1..line {
        match memchr(b'\n', &text[at..]) {
            Some(i) => at += i + 1,
            None => return text.len(),
        }
    }
    at
}

impl<'a> Collector<'a> {
    fn new(text: &'a [u8], reading: &'a Reading, options: &Options) -> Self {
        let loss_name = reading.loss.and_then(|i| reading.names.get(i));
        let role = loss_name.and_then(|n| names::read(n).role);
        Self {
            reading,
            decimal: if reading.decimal == ',' { b',' } else { b'.' },
            bad_rows: options.bad_rows,
            answered: role != Some(Role::Loss),
            rows: Vec::new(),
            notes: Notes::default(),
            fault: None,
            faults: 0,
            last_clock: 0,
            days: 0,
            dated: false,
            bad_times: 0,
            text,
        }
    }

    fn row(&mut self, record: &ByteRecord, spot: Spot, heading: Option<(usize, usize)>) {
        let width = self.reading.names.len();
        let mut values = record.len();
        while values > width && record[values - 1].trim_ascii().is_empty() {
            values -= 1;
        }
        if width > 1 && record.iter().all(|f| f.trim_ascii().is_empty()) {
            return;
        }
        if self.reading.heading
            && record.iter().zip(&self.reading.names).all(|(f, n)| f.trim_ascii() == n.as_bytes())
        {
            self.notes.push(spot.line, "the heading again: left out");
            return;
        }
        let field = |i: usize| record.get(i).map(<[u8]>::trim_ascii);
        let delay = field(self.reading.delay.index).map(|f| (f, cell::read(f, self.decimal)));
        let time = self.reading.time.and_then(|c| self.time(field(c.index)?, c.unit));
        let octets = self.reading.octets.and_then(|i| self.octets(field(i)?));
        let seq = self.reading.seq.and_then(|i| Some(number::integer(field(i)?)?.0));
        let fault = match delay {
            _ if values < width => Some(Fault::Short { values }),
            _ if values > width => Some(Fault::Long { values }),
            Some((field, Cell::Unreadable)) => Some(Fault::Unreadable { field: field.to_vec() }),
            _ => None,
        };
        let cell = delay.map_or(Cell::Lost, |(_, c)| c);
        let mut row = Row { line: spot.line, cell, time, octets, seq, faulty: false };
        if let Some(fault) = fault {
            self.faults += 1;
            let line = &self.text[spot.start..];
            let line = &line[..memchr(b'\n', line).unwrap_or(line.len())];
            let fate = if self.bad_rows == BadRows::Lost { "counted as lost" } else { "left out" };
            self.notes.quote(spot.line, &format!("{}, {fate}", fault.short(self.reading)), line);
            self.fault.get_or_insert((fault, At { line: spot.line, start: spot.start, heading }));
            // A row that is left out still says that its number is not missing.
            (row.cell, row.faulty) = (Cell::Unreadable, true);
            return self.rows.push(row);
        }
        let outcome = self.reading.loss.and_then(|i| cell::outcome(field(i)?, self.answered));
        if outcome == Some(false) {
            row.cell = Cell::Lost;
        }
        self.rows.push(row);
    }

    fn octets(&self, field: &[u8]) -> Option<u32> {
        let value = number::whole(field, self.decimal)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
        (0.0..1e9).contains(&value).then_some(value as u32)
    }

    /// A send time in nanoseconds.
    fn time(&mut self, field: &[u8], unit: Unit) -> Option<i64> {
        if field.is_empty() {
            return None;
        }
        let read = if unit == Unit::Calendar {
            let order = if self.reading.month_first { Order::MonthFirst } else { Order::DayFirst };
            when::whole(field, order).map(|w| {
                self.dated |= w.since == Since::Epoch;
                // A time of day starts again at midnight.
                if w.since == Since::Midnight {
                    if w.ns + self.days < self.last_clock - DAY / 2 {
                        self.days += DAY;
                    }
                    self.last_clock = w.ns + self.days;
                    return self.last_clock;
                }
                w.ns
            })
        } else {
            number::nanoseconds(field, self.decimal, unit.nanoseconds())
        };
        self.bad_times += u64::from(read.is_none());
        read
    }

    fn finish(mut self, options: &Options) -> Import {
        let reading = self.reading;
        self.note_guesses();
        let left_out = self.settle();
        let seq = self.sequence();
        let lost = self.bad_rows == BadRows::Lost;
        self.rows.iter_mut().filter(|r| r.faulty && lost).for_each(|r| r.cell = Cell::Lost);
        self.rows.retain(|r| r.cell != Cell::Unreadable);
        let times = self.times();
        let mut b = TraceBuilder::new(&options.name, Provenance::Opened { format: ID.to_owned() });
        let mut counts = Counts::zero();
        counts.left_out = left_out;
        let to_ms = |v: f64, unit: Option<Unit>| unit.unwrap_or(reading.delay.unit).to_ms(v);
        let origin = times.as_ref().and_then(|t| t.first().copied());
        let (mut sent, mut received) = (0, 0);
        for (i, row) in self.rows.iter().enumerate() {
            let fate = match row.cell {
                Cell::Value(v, unit) => Fate::Reply(to_ms(v, unit)),
                Cell::Below(v, unit) => Fate::Below(to_ms(v, unit)),
                _ => Fate::Lost,
            };
            let time = times.as_ref().zip(origin).map(|(t, o)| t[i].saturating_sub(o) as f64 / 1e6);
            if b.push(time, row.octets, fate).is_err() {
                counts.left_out += 1;
                self.notes.push(row.line, "a delay too large to be one: left out");
                continue;
            }
            sent += 1;
            received += u64::from(fate != Fate::Lost);
            if let Fate::Below(bound) = fate {
                counts.censored_lt.push(bound);
            }
        }
        counts.sent = Some(sent);
        counts.received = Some(received);
        counts.lost = Some(sent - received);
        counts.duplicates = Some(seq.duplicates);
        b.notes = self.notes.finish();
        let epoch = reading.time.is_some_and(|c| match c.unit {
            Unit::Calendar => self.dated,
            unit => origin
                .is_some_and(|o| super::layout::epoch(o as f64 / 1e9).is_some() && unit != Unit::Calendar),
        });
        let records = 0..b.len();
        let parts = vec![Part { name: String::new(), records, counts: counts.clone(), printed: None }];
        Import {
            format: ID,
            trace: b.build(),
            counts,
            printed: None,
            reading: None,
            parts,
            arrivals: None,
            started_ns: origin.filter(|_| epoch),
        }
    }

    fn note_guesses(&mut self) {
        let r = self.reading;
        let name = |i: usize| &r.names[i];
        if r.delay.guessed {
            let unit = r.delay.unit.label();
            let text = format!("delay column “{}” taken as {unit}: say so if it is not", name(r.delay.index));
            self.notes.push(0, text);
        }
        if let Some(time) = r.time.filter(|c| c.guessed) {
            let unit = time.unit.label();
            self.notes
                .push(0, format!("time column “{}” taken as {unit}: say so if it is not", name(time.index)));
        }
        let used = [Some(r.delay.index), r.time.map(|c| c.index), r.octets, r.seq, r.loss];
        let unused: Vec<_> =
            (0..r.names.len()).filter(|i| !used.contains(&Some(*i))).map(|i| &r.names[i][..]).collect();
        if !unused.is_empty() {
            let some = unused.iter().take(12).copied().collect::<Vec<_>>().join(", ");
            let more = if unused.len() > 12 { ", …" } else { "" };
            self.notes.push(0, format!("columns not used: {some}{more}"));
        }
        if self.bad_times > 0 {
            let times = number::plural(self.bad_times, "send time");
            self.notes.push(0, format!("not read: {times}; placed between their neighbours"));
        }
    }

    /// Decides what depends on the whole column, and marks what is no delay as unreadable. Returns
    /// how many rows are left out, those with faults among them.
    fn settle(&mut self) -> u64 {
        let has = |f: fn(&Cell) -> bool| self.rows.iter().any(|r| f(&r.cell));
        let other_mark = has(|c| matches!(c, Cell::Lost));
        let negatives = has(|c| matches!(c, Cell::Negative));
        let other_minus = negatives && has(|c| matches!(c, Cell::MinusOne));
        let largest = self.rows.iter().filter_map(|r| match r.cell {
            Cell::Value(v, None) if v != 3600.0 => Some(v),
            _ => None,
        });
        let small = largest.fold(0.0, f64::max) < 360.0;
        let hour = |v: f64| small && (v - 3600.0).abs() < 1e-9;
        let (mut nan, mut infinite, mut negative, mut sentinel) = ((0, 0), (0, 0), (0, 0), (0, 0));
        for row in &mut self.rows {
            let tally = match row.cell {
                Cell::Nan if !other_mark => {
                    row.cell = Cell::Lost;
                    continue;
                }
                Cell::MinusOne if !negatives => {
                    row.cell = Cell::Lost;
                    continue;
                }
                Cell::Nan => &mut nan,
                Cell::Infinite => &mut infinite,
                Cell::Negative | Cell::MinusOne => &mut negative,
                Cell::Sentinel => &mut sentinel,
                Cell::Value(v, None) if hour(v) => &mut sentinel,
                _ => continue,
            };
            row.cell = Cell::Unreadable;
            tally.0 += 1;
            if tally.1 == 0 {
                tally.1 = row.line;
            }
        }
        let minus = if other_minus { ", with -1" } else { "" };
        let mut total = 0;
        for ((n, line), what) in [
            (nan, ["“NaN”", " beside other marks of loss"]),
            (infinite, ["infinite delay", ""]),
            (negative, ["negative delay", minus]),
            (sentinel, ["sentinel", " (3600, 2^32 − 1 or the like)"]),
        ] {
            if n > 0 {
                let [one, more] = what;
                self.notes.push(line, format!("left out: {}{more}, here first", number::plural(n, one)));
            }
            total += n;
        }
        if self.bad_rows == BadRows::LeaveOut { total + self.faults } else { total }
    }

    /// Gaps in a column that counts probes are lost probes, where the table has no other mark of
    /// loss; a number that comes again is a duplicate.
    fn sequence(&mut self) -> Sequence {
        let mut found = Sequence::default();
        let next = |n: u64| if n == 65_535 { 0 } else { n.saturating_add(1) };
        let numbers: Vec<u64> = self.rows.iter().filter_map(|r| r.seq).collect();
        let steps = numbers.windows(2).map(|w| (w[0], w[1]));
        let (mut all, mut by_one, mut back) = (0_u64, 0_u64, 0_u64);
        for (a, b) in steps {
            all += 1;
            by_one += u64::from(b == a || b == next(a));
            back += u64::from(b < a && !((60_000..65_536).contains(&a) && b < 5_000));
        }
        let without = self.rows.iter().any(|r| r.seq.is_none() && r.cell != Cell::Unreadable);
        if without || back > 0 || by_one * 2 < all || all == 0 {
            return found;
        }
        let marked = self.reading.loss.is_some() || self.rows.iter().any(|r| r.cell == Cell::Lost);
        let mut room = (100_000 + 8 * self.rows.len() as u64).min(4_000_000);
        let mut rows: Vec<Row> = Vec::with_capacity(self.rows.len());
        let mut last = None;
        for row in self.rows.drain(..) {
            let step = match (last, row.seq) {
                (Some(a), Some(b)) if b < a => b + 65_536 - a,
                (Some(a), Some(b)) => b - a,
                _ => 1,
            };
            last = row.seq.or(last);
            if step == 0 {
                found.duplicates += 1;
                continue;
            }
            if step > 1 && !marked && step - 1 <= room {
                room -= step - 1;
                found.gaps += step - 1;
                let missing = Row { cell: Cell::Lost, time: None, octets: None, faulty: false, ..row };
                rows.extend((1..step).map(|_| missing));
            } else if step > 1 {
                found.not_filled += step - 1;
            }
            rows.push(row);
        }
        self.rows = rows;
        let name = self.reading.seq.map_or("", |i| &self.reading.names[i]);
        for (what, n, which) in [
            ("lost", found.gaps, "missing from"),
            ("not counted", found.not_filled, "missing from"),
            ("second replies", found.duplicates, "twice in"),
        ] {
            if n > 0 {
                self.notes.push(0, format!("{what}: {} {which} “{name}”", number::plural(n, "number")));
            }
        }
        found
    }

    /// Send times of all rows, filled where some lack; rows written last first are turned round.
    fn times(&mut self) -> Option<Vec<i64>> {
        let known: Vec<i64> = self.rows.iter().filter_map(|r| r.time).collect();
        if known.len() > 1 && known.windows(2).all(|w| w[0] > w[1]) {
            self.rows.reverse();
            self.notes.push(0, "the rows go back in time: read from the last to the first");
        } else if let Some(pair) = self.rows.windows(2).find(|w| w[0].time > w[1].time && w[1].time.is_some())
        {
            self.notes.push(pair[1].line, "the time goes back here: rows are kept in their order");
        }
        let times: Vec<Option<i64>> = self.rows.iter().map(|r| r.time).collect();
        let (filled, missing) = fill(&times)?;
        if missing > self.bad_times {
            self.notes.push(
                0,
                format!("no send time: {}; placed between their neighbours", number::plural(missing, "row")),
            );
        }
        Some(filled)
    }
}

#[derive(Debug, Default)]
struct Sequence {
    duplicates: u64,
    gaps: u64,
    not_filled: u64,
}

impl Import {
    fn with(mut self, reading: Reading) -> Self {
        self.reading = Some(reading);
        self
    }
}

//! The rows of a table to a trace.

use netspurt_core::trace::{Fate, Provenance, TraceBuilder};

use super::cell::{self, Cell};
use super::fault::{self, At, Fault, LeftOut, Why};
use super::names::{self, Role};
use super::rows::{Record, Rows, Spot};
use super::{ID, Reading, Unit};
use crate::error::{ImportError, Others};
use crate::import::{BadRows, Counts, Import, Options, Part};
use crate::notes::Notes;
use crate::number;
use crate::text::line_at;
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
    /// Rows that are the heading again, and the line of the first.
    headings: (u64, usize),
    last_clock: i64,
    days: i64,
    dated: bool,
    bad_times: u64,
    text: &'a [u8],
}

/// Faulty rows that are quoted; of the others it is said how many there are.
const QUOTED: u64 = 3;

pub(super) fn read(
    text: &[u8],
    reading: Reading,
    options: &Options,
    unknown_letters: bool,
) -> Result<Import, ImportError> {
    let start = Spot { line: reading.first_line, start: super::line_start(text, reading.first_line) };
    let mut c = Collector::new(text, &reading, options);
    if unknown_letters {
        c.notes.push(0, "the encoding is not known: letters may be wrong, figures are not");
    }
    let mut rows = Rows::new(text, reading.separator, start);
    let mut record = Record::default();
    let mut heading = None;
    let mut below_heading = false;
    while let Some(spot) = rows.next(&mut record) {
        if reading.heading && heading.is_none() {
            heading = Some(spot);
            below_heading = true;
            continue;
        }
        if !(std::mem::take(&mut below_heading) && names::are_units(&record)) {
            c.row(&record, spot, heading);
        }
    }
    if let Some((fault, at)) = &c.fault
        && c.bad_rows == BadRows::Ask
    {
        let others = Others { fine: c.rows.len() as u64 - c.faults, bad: c.faults - 1 };
        return Err(fault.error(&reading, text, at, others));
    }
    let first = heading.unwrap_or(start);
    if c.rows.is_empty() {
        return Err(fault::no_rows(text, reading.heading, first));
    }
    let import = c.finish(options).map_err(|left_out| left_out.error(text, heading))?;
    Ok(import.with(reading))
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
            headings: (0, 0),
            last_clock: 0,
            days: 0,
            dated: false,
            bad_times: 0,
            text,
        }
    }

    fn row(&mut self, record: &Record, spot: Spot, heading: Option<Spot>) {
        let width = self.reading.names.len();
        let mut values = record.len();
        while values > width && record.field(values - 1).is_empty() {
            values -= 1;
        }
        if width > 1 && record.iter().all(<[u8]>::is_empty) {
            return;
        }
        let same = |(field, name): (&[u8], &String)| {
            field == name.as_bytes() || field.is_empty() && name.starts_with("column ")
        };
        if self.reading.heading && record.iter().zip(&self.reading.names).all(same) {
            self.headings.0 += 1;
            self.headings.1 = self.headings.1.max(usize::from(self.headings.0 == 1) * spot.line);
            return;
        }
        let delay = record.get(self.reading.delay.index).map(|f| (f, cell::read(f, self.decimal)));
        let time = self.reading.time.and_then(|c| self.time(record.get(c.index)?, c.unit));
        let octets = self.reading.octets.and_then(|i| self.octets(record.get(i)?));
        let seq = self.reading.seq.and_then(|i| Some(number::integer(record.get(i)?)?.0));
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
            if self.faults <= QUOTED {
                let line = line_at(self.text, spot.start);
                let why = format!("{}, {}", fault.short(self.reading), self.fate());
                self.notes.quote(spot.line, &why, line);
            }
            self.fault.get_or_insert((fault, At { spot, heading }));
            // A row that is left out still says that its number is not missing.
            (row.cell, row.faulty) = (Cell::Unreadable, true);
            return self.rows.push(row);
        }
        let outcome = self.reading.loss.and_then(|i| cell::outcome(record.get(i)?, self.answered));
        match (outcome, delay) {
            (Some(false), _) => row.cell = Cell::Lost,
            (Some(true), Some((b"", _))) => row.cell = Cell::Untimed,
            _ => {}
        }
        self.rows.push(row);
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

    /// The records; where none are left, what was left out.
    fn finish(mut self, options: &Options) -> Result<Import, LeftOut> {
        let reading = self.reading;
        self.note_guesses();
        let left_out = self.settle();
        let lost = self.bad_rows == BadRows::Lost;
        if self.rows.iter().all(|r| r.cell == Cell::Unreadable && !(r.faulty && lost)) {
            return Err(left_out);
        }
        let seq = self.sequence();
        self.rows.iter_mut().filter(|r| r.faulty && lost).for_each(|r| r.cell = Cell::Lost);
        self.rows.retain(|r| r.cell != Cell::Unreadable);
        let times = self.times();
        let mut b = TraceBuilder::new(&options.name, Provenance::Opened { format: ID.to_owned() });
        let mut counts = Counts::zero();
        counts.left_out = left_out.total();
        if lost {
            counts.left_out -= self.faults;
        }
        let to_ms = |v: f64, unit: Option<Unit>| unit.unwrap_or(reading.delay.unit).to_ms(v);
        let origin = times.as_ref().and_then(|t| t.first().copied());
        let (mut sent, mut received) = (0, 0);
        for (i, row) in self.rows.iter().enumerate() {
            let fate = match row.cell {
                Cell::Value(v, unit) => Fate::Reply(to_ms(v, unit)),
                Cell::Below(v, unit) => Fate::Below(to_ms(v, unit)),
                Cell::Untimed => Fate::Untimed,
                _ => Fate::Lost,
            };
            let time = times.as_ref().zip(origin).map(|(t, o)| t[i].saturating_sub(o) as f64 / 1e6);
            let pushed = b.push(time, row.octets, fate);
            debug_assert!(pushed.is_ok(), "delays were checked when they were read");
            sent += 1;
            received += u64::from(fate != Fate::Lost);
            match fate {
                Fate::Below(bound) => counts.censored_lt.push(bound),
                Fate::Untimed => counts.replies_without_time += 1,
                Fate::Reply(_) | Fate::Lost => {}
            }
        }
        counts.sent = Some(sent);
        counts.received = Some(received);
        counts.lost = Some(sent - received);
        counts.duplicates = Some(seq.duplicates);
        b.notes = self.notes.finish();
        let epoch = reading.time.is_some_and(|c| match c.unit {
            Unit::Calendar => self.dated,
            _ => origin.is_some_and(|o| super::layout::epoch(o as f64 / 1e9).is_some()),
        });
        let records = 0..b.len();
        let parts = vec![Part { name: String::new(), records, counts: counts.clone(), printed: None }];
        Ok(Import {
            format: ID,
            trace: b.build(),
            counts,
            printed: None,
            reading: None,
            parts,
            arrivals: None,
            started_ns: origin.filter(|_| epoch),
        })
    }

    fn note_guesses(&mut self) {
        let r = self.reading;
        if self.faults > QUOTED {
            let more = number::plural(self.faults - QUOTED, "more row");
            self.notes.push(0, format!("{more} with such faults, {}", self.fate()));
        }
        if self.headings.0 > 0 {
            let times = number::plural(self.headings.0, "time");
            self.notes.push(self.headings.1, format!("the heading again, {times}: left out, here first"));
        }
        for (what, column) in [("delay", Some(r.delay)), ("time", r.time)] {
            if let Some(c) = column.filter(|c| c.guessed) {
                let (name, unit) = (&r.names[c.index], c.unit.label());
                self.notes.push(0, format!("{what} column “{name}” taken as {unit}: say so if it is not"));
            }
        }
        let used = [Some(r.delay.index), r.time.map(|c| c.index), r.octets, r.seq, r.loss];
        let mut unused = String::new();
        let mut n = 0;
        for (_, name) in r.names.iter().enumerate().filter(|(i, _)| !used.contains(&Some(*i))) {
            n += 1;
            if n <= 12 {
                unused.push_str(if n > 1 { ", " } else { "" });
                unused.push_str(name);
            }
        }
        if n > 0 {
            let (s, more) = (if n > 1 { "s" } else { "" }, if n > 12 { ", …" } else { "" });
            self.notes.push(0, format!("column{s} not used: {unused}{more}"));
        }
        if self.bad_times > 0 {
            let times = number::plural(self.bad_times, "send time");
            self.notes.push(0, format!("not read: {times}, put between the others"));
        }
    }

    /// Decides what depends on the whole column, and marks what is no delay as unreadable.
    fn settle(&mut self) -> LeftOut {
        let (mut other_mark, mut minus, mut negatives, mut measured) = (false, false, false, false);
        let mut largest: f64 = 0.0;
        for row in &self.rows {
            match row.cell {
                Cell::Lost => other_mark = true,
                Cell::MinusOne => minus = true,
                Cell::Negative => negatives = true,
                Cell::Value(v, None) if v != 3600.0 => largest = largest.max(v),
                _ => {}
            }
            measured |= matches!(row.cell, Cell::Value(..) | Cell::Below(..) | Cell::Untimed);
        }
        let mut left_out = LeftOut::default();
        for row in &mut self.rows {
            let why = match row.cell {
                // A mark of loss, in a table that has no other and in which something was measured.
                Cell::Nan if !other_mark && measured => {
                    row.cell = Cell::Lost;
                    continue;
                }
                Cell::MinusOne if !negatives => {
                    row.cell = Cell::Lost;
                    continue;
                }
                Cell::Nan => Why::Nan,
                Cell::Infinite => Why::Infinite,
                Cell::Negative | Cell::MinusOne => Why::Negative,
                Cell::Sentinel => Why::Failure,
                #[expect(clippy::float_cmp, reason = "the sentinel is exact")]
                Cell::Value(v, None) if v == 3600.0 && largest < 360.0 => Why::Failure,
                Cell::Unreadable => Why::Fault,
                _ => continue,
            };
            row.cell = Cell::Unreadable;
            left_out.add(why, row.line);
        }
        for (why, n, line) in left_out.each().filter(|(why, ..)| *why != Why::Fault) {
            let more = match why {
                Why::Nan if other_mark => ", beside other marks of loss",
                Why::Negative if minus && negatives => ", -1 among them",
                Why::Failure => ", such as 3600 or 2^32 − 1",
                _ => "",
            };
            self.notes.push(line, format!("left out: {}{more}; here first", why.count(n)));
        }
        left_out
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
                // A second reply, or the first that can be read.
                match rows.last_mut().filter(|r| r.cell == Cell::Unreadable) {
                    Some(unreadable) => *unreadable = row,
                    None => found.duplicates += 1,
                }
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
            let rows = number::plural(missing, "row");
            self.notes.push(0, format!("put between the others in time: {rows} without a send time"));
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

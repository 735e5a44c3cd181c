//! The rows of a table to a trace.
//!
//! Rows are kept as columns, and only those columns that the reading uses: there may be millions.
//! What a delay means may depend on the others; that is settled once all are read.

use netspurt_core::number::rows::Batch;
use netspurt_core::trace::{NO_LENGTH, Outcome, Provenance, TraceBuilder};

use super::cell::{self, Cell};
use super::fault::{self, At, Fault, LeftOut, Why};
use super::kept::{Columns, Mark, NO_NUMBER, records};
use super::names::{self, Role};
use super::rows::{Record, Rows, Spot};
use super::{ID, Reading, Table, Unit, layout, plain};
use crate::error::{ImportError, Others};
use crate::import::{BadRows, Counts, Import, Options, Part, PartKind};
use crate::input::Input;
use crate::notes::Notes;
use crate::number;
use crate::text::line_at;
use crate::times::{UNKNOWN, fill};
use crate::when::{self, Order, Stamps};

struct Collector<'a> {
    table: &'a Table,
    reading: &'a Reading,
    decimal: u8,
    bad_rows: BadRows,
    /// What 1 means in the column of outcomes, and in one of codes any number but 0.
    answered: bool,
    rows: Columns,
    notes: Notes,
    fault: Option<(Fault, At)>,
    faults: u64,
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
    let plain = plain::rows(reading, table.names.len());
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
    if let Some((fault, at)) = &c.fault
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
        let is_code = reading.loss.is_some_and(|i| layout::is_code(head, table, i));
        Self {
            table,
            reading,
            decimal: if reading.decimal == ',' { b',' } else { b'.' },
            bad_rows: options.bad_rows,
            answered: role != Some(Role::Loss) && !is_code,
            rows: Columns::default(),
            notes: Notes::default(),
            fault: None,
            faults: 0,
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
        let delay = record.get(self.reading.delay.index).map(|f| (f, cell::read(f, self.decimal)));
        let fault = match delay {
            _ if values < width => Some(Fault::Short { values }),
            _ if values > width => Some(Fault::Long { values }),
            Some((field, Cell::Unreadable)) => Some(Fault::Unreadable { field: field.to_vec() }),
            _ => None,
        };
        let (mut mark, delay_ms) = self.mark(delay.map_or(Cell::Lost, |(_, c)| c));
        if let Some(fault) = fault {
            self.faults += 1;
            if self.faults <= QUOTED {
                let line = line_at(self.text, spot.start);
                let why = format!("{}, {}", fault.short(self.table), self.fate());
                self.notes.quote(spot.line, &why, line);
            }
            self.fault.get_or_insert((fault, At { spot, heading }));
            // A row that is left out still says that its number is not missing.
            mark = Mark::Faulty;
        } else if let Some(answered) =
            self.reading.loss.and_then(|i| cell::outcome(record.get(i)?, self.answered))
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
        if let Some(c) = self.reading.time {
            let time = record.get(c.index).and_then(|f| self.time(f, c.unit));
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

    /// A send time in nanoseconds.
    fn time(&mut self, field: &[u8], unit: Unit) -> Option<i64> {
        if field.is_empty() {
            return None;
        }
        let read = if unit == Unit::Calendar {
            let order = if self.reading.month_first { Order::MonthFirst } else { Order::DayFirst };
            // A time of day starts again at midnight.
            when::whole(field, order).and_then(|w| self.stamps.add(w))
        } else {
            number::nanoseconds(field, self.decimal, unit.nanoseconds())
        };
        self.bad_times += u64::from(read.is_none());
        read
    }

    /// The records; where none are left, what was left out.
    fn finish(mut self, options: &Options) -> Result<Import, LeftOut> {
        self.note_guesses();
        let left_out = self.settle();
        let lost = self.bad_rows == BadRows::Lost;
        let none = |m: &Mark| *m == Mark::Gone || *m == Mark::Faulty && !lost;
        if self.rows.marks.iter().all(none) {
            return Err(left_out);
        }
        let seq = self.sequence();
        self.rows.seqs = Vec::new();
        let backwards = self.goes_backwards();
        self.rows.lines = Vec::new();
        if backwards || !seq.gaps.is_empty() || self.rows.marks.iter().any(none) {
            self.rows.arrange(&records(&self.rows.marks, none, &seq.gaps, backwards));
        }
        self.fill_times();
        let Columns { marks, mut delays, times, octets, .. } = std::mem::take(&mut self.rows);
        let mut counts = Counts::zero();
        counts.left_out = left_out.total();
        if lost {
            counts.left_out -= self.faults;
        }
        let outcome = |(mark, delay): (&Mark, &mut f64)| {
            let outcome = match mark {
                Mark::Value | Mark::Hour => Outcome::Reply,
                Mark::Below => Outcome::Below,
                Mark::Untimed => Outcome::Untimed,
                _ => Outcome::Lost,
            };
            // -0.0 would print otherwise than 0.0.
            *delay = if outcome.is_timed() { *delay + 0.0 } else { 0.0 };
            outcome
        };
        let outcomes: Vec<Outcome> = marks.iter().zip(&mut delays).map(outcome).collect();
        drop(marks);
        let of = |outcome| outcomes.iter().filter(|o| **o == outcome).count() as u64;
        counts.sent = Some(outcomes.len() as u64);
        counts.lost = Some(of(Outcome::Lost));
        counts.received = Some(outcomes.len() as u64 - of(Outcome::Lost));
        counts.duplicates = Some(seq.duplicates);
        counts.replies_without_time = of(Outcome::Untimed);
        let bounds = delays.iter().zip(&outcomes).filter(|(_, o)| **o == Outcome::Below);
        counts.censored_lt = bounds.map(|(bound, _)| *bound).collect();
        let origin = times.first().copied();
        let since = |t: i64| t.saturating_sub(origin.unwrap_or(0)) as f64 / 1e6;
        let sent: Vec<f64> = times.into_iter().map(since).collect();
        let mut b = TraceBuilder::new(&options.name, Provenance::Opened { format: ID.to_owned() });
        let put = b.set_columns(sent, octets, delays, outcomes);
        debug_assert!(put.is_ok(), "delays were checked when they were read");
        b.notes = std::mem::take(&mut self.notes).finish();
        let epoch = self.reading.time.is_some_and(|c| match c.unit {
            Unit::Calendar => self.stamps.dated(),
            _ => origin.is_some_and(|o| layout::epoch(o as f64 / 1e9).is_some()),
        });
        let records = 0..b.len();
        let parts = vec![Part::new(String::new(), PartKind::Run, records, counts)];
        Ok(Import { started_ns: origin.filter(|_| epoch), ..Import::new(ID, b.build(), parts) })
    }

    fn note_guesses(&mut self) {
        let (r, names) = (self.reading, &self.table.names);
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
                let (name, unit) = (&names[c.index], c.unit.label());
                self.notes.push(0, format!("{what} column “{name}” taken as {unit}: say so if it is not"));
            }
        }
        let used = [Some(r.delay.index), r.time.map(|c| c.index), r.octets, r.seq, r.loss];
        let mut unused = String::new();
        let mut n = 0;
        for (_, name) in names.iter().enumerate().filter(|(i, _)| !used.contains(&Some(*i))) {
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

    /// Decides what depends on the whole column, and marks what is no delay as gone.
    fn settle(&mut self) -> LeftOut {
        let has = |marks: &[Mark], mark: Mark| marks.contains(&mark);
        let marks = &self.rows.marks;
        let other_mark = has(marks, Mark::Lost);
        let (minus, negatives) = (has(marks, Mark::MinusOne), has(marks, Mark::Negative));
        let measured =
            marks.iter().any(|m| matches!(m, Mark::Value | Mark::Hour | Mark::Below | Mark::Untimed));
        let hour_fails = self.largest < 360.0;
        let mut left_out = LeftOut::default();
        for i in 0..self.rows.marks.len() {
            let why = match self.rows.marks[i] {
                // A mark of loss, in a table that has no other and in which something was measured.
                Mark::Nan if !other_mark && measured => {
                    self.rows.marks[i] = Mark::Lost;
                    continue;
                }
                Mark::MinusOne if !negatives => {
                    self.rows.marks[i] = Mark::Lost;
                    continue;
                }
                Mark::Nan => Why::Nan,
                Mark::Infinite => Why::Infinite,
                Mark::Negative | Mark::MinusOne => Why::Negative,
                Mark::Sentinel => Why::Failure,
                Mark::Hour if hour_fails => Why::Failure,
                Mark::Faulty => {
                    left_out.add(Why::Fault, self.rows.line(i));
                    continue;
                }
                _ => continue,
            };
            self.rows.marks[i] = Mark::Gone;
            left_out.add(why, self.rows.line(i));
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
        if !self.counts_probes(&self.rows.seqs) {
            return found;
        }
        let marked = self.reading.loss.is_some() || self.rows.marks.contains(&Mark::Lost);
        let mut room = (100_000 + 8 * self.rows.seqs.len() as u64).min(4_000_000);
        let mut last: Option<u64> = None;
        let mut missing = 0;
        for i in 0..self.rows.seqs.len() {
            let seq = Some(self.rows.seqs[i]).filter(|n| *n != NO_NUMBER);
            let step = match (last, seq) {
                (Some(a), Some(b)) if b < a => b + 65_536 - a,
                (Some(a), Some(b)) => b - a,
                _ => 1,
            };
            last = seq.or(last);
            if step == 0 {
                // A second reply, or the first that can be read.
                let before = (0..i).rev().find(|j| self.rows.seqs[*j] == self.rows.seqs[i]);
                let unread = |m: Mark| matches!(m, Mark::Gone | Mark::Faulty);
                if let Some(j) = before.filter(|j| unread(self.rows.marks[*j])) {
                    self.rows.marks[j] = Mark::Gone;
                } else {
                    found.duplicates += 1;
                    self.rows.marks[i] = Mark::Gone;
                }
            } else if step > 1 && !marked && step - 1 <= room {
                room -= step - 1;
                missing += step - 1;
                found.gaps.push((i, step - 1));
            } else if step > 1 {
                found.not_filled += step - 1;
            }
        }
        let name = self.reading.seq.map_or("", |i| &self.table.names[i]);
        for (what, n, which) in [
            ("lost", missing, "missing from"),
            ("not counted", found.not_filled, "missing from"),
            ("second replies", found.duplicates, "twice in"),
        ] {
            if n > 0 {
                self.notes.push(0, format!("{what}: {} {which} “{name}”", number::plural(n, "number")));
            }
        }
        found
    }

    /// Whether a column of numbers goes up by one from row to row, but for gaps, repetitions and wraps.
    fn counts_probes(&self, seqs: &[u64]) -> bool {
        let next = |n: u64| if n == 65_535 { 0 } else { n.saturating_add(1) };
        let (mut all, mut by_one, mut back) = (0_u64, 0_u64, 0_u64);
        let mut last: Option<u64> = None;
        for (i, seq) in seqs.iter().enumerate() {
            if *seq == NO_NUMBER {
                if matches!(self.rows.marks[i], Mark::Gone | Mark::Faulty) {
                    continue;
                }
                return false;
            }
            if let Some(a) = last.replace(*seq) {
                all += 1;
                by_one += u64::from(*seq == a || *seq == next(a));
                back += u64::from(*seq < a && !((60_000..65_536).contains(&a) && *seq < 5_000));
            }
        }
        back == 0 && by_one * 2 >= all && all > 0
    }

    /// Whether the rows were written last first. One that goes back in time among others is noted.
    fn goes_backwards(&mut self) -> bool {
        let mut last: Option<(usize, i64)> = None;
        let (mut known, mut falls, mut back) = (0_usize, true, None);
        for (i, t) in self.rows.times.iter().enumerate() {
            if *t == UNKNOWN || self.rows.marks[i] == Mark::Gone {
                continue;
            }
            known += 1;
            if let Some((before, at)) = last {
                falls &= at > *t;
                if at > *t && before + 1 == i {
                    back = back.or(Some(i));
                }
            }
            last = Some((i, *t));
        }
        let turned = known > 1 && falls;
        if turned {
            self.notes.push(0, "the rows go back in time: read from the last to the first");
        } else if let Some(i) = back {
            let line = self.rows.line(i);
            self.notes.push(line, "the time goes back here: rows are kept in their order");
        }
        turned
    }

    /// Fills the send times where some lack. Where too many do, the table has none.
    fn fill_times(&mut self) {
        match fill(&mut self.rows.times) {
            Some(missing) => {
                if missing > self.bad_times {
                    let rows = number::plural(missing, "row");
                    self.notes.push(0, format!("put between the others in time: {rows} without a send time"));
                }
            }
            None => self.rows.times = Vec::new(),
        }
    }
}

#[derive(Debug, Default)]
struct Sequence {
    duplicates: u64,
    /// Before which rows probes are missing, and how many.
    gaps: Vec<(usize, u64)>,
    not_filled: u64,
}

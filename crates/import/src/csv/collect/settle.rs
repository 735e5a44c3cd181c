//! What the rows of a table come to, once all are read.

use super::super::fault::{LeftOut, Why};
use super::super::kept::{Columns, Mark, records};
use super::super::names::{self, Name};
use super::super::rows::Spot;
use super::super::sequence::{self, Sequence};
use super::super::targets::{self, Group};
use super::super::{ID, Unit, units};
use super::{Collector, QUOTED};
use crate::import::{BadRows, Import, Options, Part, PartKind};
use crate::number;
use crate::text::line_at;
use crate::times::{UNKNOWN, fill};
use netspurt_core::trace::{Outcome, Provenance, TraceBuilder};

impl Collector<'_> {
    /// The records; where none are left, what was left out.
    pub(super) fn finish(mut self, options: &Options) -> Result<Import, LeftOut> {
        self.note_guesses();
        let left_out = self.settle();
        let lost = self.bad_rows == BadRows::Lost;
        let none = |m: &Mark| *m == Mark::Gone || *m == Mark::Faulty && !lost;
        if self.rows.marks.iter().all(none) {
            return Err(left_out);
        }
        let backwards = self.goes_backwards();
        self.rows.lines = Vec::new();
        // One sequence for all targets tells nothing of each.
        let shared = if self.targets.several() { sequence::missing_from_all(&self.rows) } else { None };
        let (mut groups, order) = std::mem::take(&mut self.targets).arrange(&mut self.rows, backwards);
        let gone =
            |rows: &Columns, group: &Group| rows.marks[group.rows.clone()].iter().filter(|m| none(m)).count();
        for group in &mut groups {
            group.left_out = gone(&self.rows, group) as u64;
        }
        let seq = match shared {
            Some(missing) => Sequence { not_filled: missing, ..Sequence::default() },
            None => self.sequence(&mut groups),
        };
        self.note_sequence(&seq);
        self.rows.seqs = Vec::new();
        let (mut at, mut gaps) = (0, seq.gaps.iter().peekable());
        for group in &mut groups {
            let mut missing = 0;
            while let Some((_, n)) = gaps.next_if(|(i, _)| *i < group.rows.end) {
                missing += n;
            }
            let n = group.rows.len() - gone(&self.rows, group) + missing as usize;
            group.records = at..at + n;
            at += n;
        }
        let backwards = backwards && groups.len() == 1;
        let mut kept = Vec::new();
        if backwards || at != self.rows.marks.len() || self.rows.marks.iter().any(none) {
            kept = records(&self.rows.marks, none, &seq.gaps, backwards);
            self.rows.arrange(&kept);
        }
        self.fill_times(&groups);
        let Columns { marks, mut delays, times, octets, .. } = std::mem::take(&mut self.rows);
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
        let kind = if groups.len() > 1 { PartKind::Target } else { PartKind::Run };
        let part = |group: Group| {
            let counts = group.counts(&outcomes, &delays);
            Part::new(group.name, kind, group.records, counts)
        };
        let mut parts: Vec<Part> = groups.into_iter().map(part).collect();
        if let Some(one) = self.likeliest(&parts) {
            parts.iter_mut().enumerate().for_each(|(i, part)| part.usual = i == one);
        }
        let arrivals = (!order.is_empty()).then(|| targets::in_file_order(&order, &kept, &outcomes));
        let origin = times.first().copied();
        let since = |t: i64| t.saturating_sub(origin.unwrap_or(0)) as f64 / 1e6;
        let sent: Vec<f64> = times.into_iter().map(since).collect();
        let mut b = TraceBuilder::new(&options.name, Provenance::Opened { format: ID.to_owned() });
        let put = b.set_columns(sent, octets, delays, outcomes);
        debug_assert!(put.is_ok(), "delays were checked when they were read");
        b.notes = std::mem::take(&mut self.notes).finish();
        let epoch = self.reading.time.is_some_and(|c| match c.unit {
            Unit::Calendar => self.stamps.dated(),
            _ => origin.is_some_and(|o| units::epoch(o as f64 / 1e9).is_some()),
        });
        Ok(Import { started_ns: origin.filter(|_| epoch), arrivals, ..Import::new(ID, b.build(), parts) })
    }

    /// Of several things measured, that which is named most like the delays of packets. `None`: all are.
    fn likeliest(&self, parts: &[Part]) -> Option<usize> {
        let column = self.reading.target.filter(|_| parts.len() > 1)?;
        if !names::read(&self.table.names[column]).quantity {
            return None;
        }
        let likeness = |i: &usize| names::read(&parts[*i].name).likeness();
        let one = (0..parts.len()).min_by_key(likeness);
        one.filter(|i| likeness(i) < Name::UNLIKE)
    }

    fn note_guesses(&mut self) {
        let (r, columns) = (self.reading, &self.table.names);
        for (fault, at) in &self.quoted {
            let why = format!("{}, {}", fault.short(self.table), self.fate());
            self.notes.quote(at.spot.line, &why, line_at(self.text, at.spot.start));
        }
        if self.remarks.0 > 0 {
            let lines = number::plural(self.remarks.0, "line");
            let Spot { line, start } = self.remarks.1;
            self.notes.quote(line, &format!("not a packet: {lines}, here first"), line_at(self.text, start));
        }
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
                let (name, unit) = (&columns[c.index], c.unit.label());
                self.notes.push(0, format!("{what} column “{name}” taken as {unit}: say so if it is not"));
            }
        }
        let target = r.target.filter(|_| self.targets.several());
        if let Some(name) = target.and_then(|i| columns.get(i)) {
            let what = if names::read(name).quantity {
                "says what each row measured: the likeliest is read, and any can be chosen"
            } else {
                "says whom each probe was sent to: the packets of each stand together"
            };
            self.notes.push(0, format!("column “{name}” {what}"));
        }
        // The other columns of delays are there to choose from.
        let delays = self.table.delays.iter().map(|i| Some(*i));
        let used: Vec<Option<usize>> = (r.columns().filter(|c| *c != r.target || *c == target))
            .chain(delays)
            .chain([target, self.clock])
            .collect();
        let mut unused = String::new();
        let mut n = 0;
        for (_, name) in columns.iter().enumerate().filter(|(i, _)| !used.contains(&Some(*i))) {
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

    /// 9999 and its like, again and again and far above all else, stand for a loss.
    fn settle_nines(&mut self) {
        let nines = [999.0, 9999.0, 99_999.0, 999_999.0];
        if !nines.contains(&self.largest) {
            return;
        }
        let most = self.reading.delay.unit.to_ms(self.largest);
        let value = |(i, mark): (usize, &Mark)| (*mark == Mark::Value).then_some(i);
        let values = || self.rows.marks.iter().enumerate().filter_map(value);
        let lost: Vec<usize> = values().filter(|i| self.rows.delays[*i] >= most).collect();
        let others = values().filter(|i| self.rows.delays[*i] < most).count();
        if lost.len() < 2
            || values().any(|i| (most / 10.0..most).contains(&self.rows.delays[i]))
            || others == 0
        {
            return;
        }
        let times = number::plural(lost.len() as u64, "time");
        let line = self.rows.line(lost[0]);
        self.notes.push(line, format!("{} taken as a mark of loss, {times}; here first", self.largest));
        for i in lost {
            self.rows.marks[i] = Mark::Lost;
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
        // An endless delay is a mark of loss where nothing else is.
        let endless = !other_mark && measured && !minus && !negatives && !has(marks, Mark::Nan);
        self.settle_nines();
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
                Mark::Infinite if endless => {
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

    /// What the numbers of the probes tell, target by target.
    fn sequence(&mut self, groups: &mut [Group]) -> Sequence {
        let mut found = Sequence::default();
        let marked = self.reading.loss.is_some() || self.rows.marks.contains(&Mark::Lost);
        for group in groups {
            let before = found.duplicates;
            sequence::add(&mut found, &mut self.rows, group.rows.clone(), marked);
            group.duplicates = found.duplicates - before;
        }
        found
    }

    fn note_sequence(&mut self, found: &Sequence) {
        let name = self.reading.seq.map_or("", |i| &self.table.names[i]);
        for (what, n, which) in [
            ("lost", found.missing, "missing from"),
            ("not counted", found.not_filled, "missing from"),
            ("second replies", found.duplicates, "twice in"),
        ] {
            if n > 0 {
                self.notes.push(0, format!("{what}: {} {which} “{name}”", number::plural(n, "number")));
            }
        }
    }

    /// Whether the rows were written last first. One that goes back in time among others is noted.
    fn goes_backwards(&mut self) -> bool {
        let mut last: Option<(usize, i64)> = None;
        let several = self.targets.several();
        let (mut known, mut falls, mut back) = (0_usize, true, None);
        for (i, t) in self.rows.times.iter().enumerate() {
            if *t == UNKNOWN || self.rows.marks[i] == Mark::Gone {
                continue;
            }
            known += 1;
            if let Some((before, at)) = last {
                falls &= at > *t || several && at == *t;
                if at > *t && !several && before + 1 == i {
                    back = back.or(Some(i));
                }
            }
            last = Some((i, *t));
        }
        let turned = known > 1 && falls && last.is_some_and(|(_, t)| self.rows.times.first() != Some(&t));
        if turned {
            self.notes.push(0, "the rows go back in time: read from the last to the first");
        } else if let Some(i) = back {
            let line = self.rows.line(i);
            self.notes.push(line, "the time goes back here: rows are kept in their order");
        }
        turned
    }

    /// Fills the send times where some lack. Where too many do, the table has none.
    fn fill_times(&mut self, groups: &[Group]) {
        let mut missing = 0;
        for group in groups {
            let Some(n) = self.rows.times.get_mut(group.records.clone()).and_then(fill) else {
                self.rows.times = Vec::new();
                return;
            };
            missing += n;
        }
        if missing > self.bad_times {
            let rows = number::plural(missing, "row");
            self.notes.push(0, format!("put between the others in time: {rows} without a send time"));
        }
    }
}

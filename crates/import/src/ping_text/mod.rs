//! What ping prints, on any system, in any language.
//!
//! Lines are told apart by structure (`line`); they make up runs (`run`), and a finished run
//! becomes records in the order of its sequence numbers (`finish`). A gap in the numbers is lost
//! probes; a number that comes again is a duplicate; a reply after "no answer yet" is received.

mod address;
mod finish;
mod line;
mod pairs;
mod phrases;
mod prefix;
mod run;
#[cfg(test)]
mod tests;

use netspurt_core::trace::{Provenance, TraceBuilder};

use crate::error::{ErrorKind, ImportError, clip, place};
use crate::import::{Counts, Import, Options, Printed};
use crate::input::Input;
use crate::notes::Notes;
use crate::number::plural;
use crate::text::{Encoding, line_at};
use crate::when::{DAY, Since, When};
use finish::{Records, sum};
use line::{Line, Reply, Time};
use run::{Probe, Run, State, Style, answered};

pub(crate) const UNIX: &str = "ping-text";
pub(crate) const WINDOWS: &str = "ping-windows-text";

pub(crate) fn sniff_unix(input: &Input<'_>) -> bool {
    style(input.head()) == Some(Style::Unix)
}

pub(crate) fn sniff_windows(input: &Input<'_>) -> bool {
    style(input.head()) == Some(Style::Windows)
}

/// The style of the first line that has one.
fn style(text: &[u8]) -> Option<Style> {
    text.split(|b| *b == b'\n').find_map(|l| {
        let content = content(l).1;
        line::read(content).style(content)
    })
}

/// A line without what a logger wrote before it and a terminal into it.
fn content(line: &[u8]) -> (Option<When>, &[u8]) {
    if line.len() > 4096 {
        return (None, line);
    }
    let (when, rest) = prefix::split(without_interrupt(line));
    (when, without_interrupt(rest))
}

/// What a terminal shows where someone pressed Control-C.
fn without_interrupt(mut line: &[u8]) -> &[u8] {
    while let Some(after) = line.strip_prefix(b"^C").or_else(|| line.strip_prefix(b"\x03")) {
        line = after.trim_ascii();
    }
    line
}

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let text = input.text();
    let bytes = text.text.as_bytes();
    let mut reader = Reader::new(options, style(input.head()).unwrap_or(Style::Unix));
    if text.encoding == Encoding::Unknown {
        reader.notes.push(0, "the encoding is not known: letters may be wrong, figures are not");
    }
    let mut at = 0;
    while at < bytes.len() {
        let line = line_at(bytes, at);
        reader.number += 1;
        reader.start = at;
        at += line.len() + 1;
        reader.line(line, at <= bytes.len());
    }
    reader.finish(bytes)
}

/// A line worth quoting: number, first byte.
type Quoted = (usize, usize);

struct Reader<'a> {
    style: Style,
    run: Option<Run>,
    records: Records,
    notes: Notes,
    number: usize,
    start: usize,
    /// Records made for gaps so far.
    inferred: u64,
    skip_next: bool,
    complaint: Option<Quoted>,
    /// The complaint now being repeated, with its line and how often it came.
    repeated: Option<(usize, &'a [u8], usize)>,
    heading: Option<Quoted>,
    stamps: Stamps,
    units_guessed: usize,
    /// Runs that begin without a heading or a summary before them.
    restarts: usize,
}

/// Times of day made to go on over midnight.
#[derive(Debug, Default)]
struct Stamps {
    since: Option<Since>,
    last: i64,
    shift: i64,
    whole_seconds: bool,
}

impl Stamps {
    fn add(&mut self, when: When) -> Option<i64> {
        if *self.since.get_or_insert(when.since) != when.since {
            return None;
        }
        let round = match when.since {
            Since::Epoch => 0,
            Since::NewYear => 366 * DAY,
            Since::Midnight => DAY,
        };
        if round > 0 && when.ns + self.shift < self.last - round / 2 {
            self.shift += round;
        }
        self.whole_seconds |= when.whole_seconds;
        self.last = when.ns + self.shift;
        Some(self.last)
    }
}

impl<'a> Reader<'a> {
    fn new(options: &Options, style: Style) -> Self {
        let format = if style == Style::Windows { WINDOWS } else { UNIX };
        let provenance = Provenance::Opened { format: format.to_owned() };
        Self {
            style,
            run: None,
            records: Records {
                builder: TraceBuilder::new(&options.name, provenance),
                parts: Vec::new(),
                arrivals: Vec::new(),
                origin: None,
                interpolated: 0,
                stepped_back: 0,
                windows: style == Style::Windows,
            },
            notes: Notes::default(),
            number: 0,
            start: 0,
            inferred: 0,
            skip_next: false,
            complaint: None,
            repeated: None,
            heading: None,
            stamps: Stamps::default(),
            units_guessed: 0,
            restarts: 0,
        }
    }

    fn line(&mut self, raw: &'a [u8], whole: bool) {
        let (when, content) = content(raw);
        if std::mem::take(&mut self.skip_next) {
            return;
        }
        let stamp = when.and_then(|w| self.stamps.add(w));
        let whole = whole || content.ends_with(b".") || content.ends_with("。".as_bytes());
        match line::read(content) {
            Line::Blank | Line::Aside => {}
            Line::DumpHead => self.skip_next = true,
            Line::Header(header) => {
                self.heading.get_or_insert((self.number, self.start));
                self.close();
                let mut run = Run::new(if header.windows { Style::Windows } else { Style::Unix });
                run.target = clip(header.target);
                run.header = true;
                run.first = header.first;
                self.run = Some(run);
            }
            Line::Reply(reply) => self.reply(&reply, stamp, content),
            Line::Silence(Some(seq)) => self.unanswered(seq, State::Silent),
            Line::Error(Some(seq)) => {
                self.unanswered(seq, State::Failed);
                self.current(Style::Unix).errors += 1;
            }
            Line::Error(None) if whole => self.current(Style::Unix).errors += 1,
            Line::Silence(None) | Line::KnownSilence => self.in_place(State::Silent, content),
            Line::Failure if whole => self.in_place(State::Failed, content),
            Line::Error(None) | Line::Failure | Line::Unknown => self.unknown(content, whole),
            Line::Heading => self.heading_of_statistics(),
            Line::Counts(counts) => self.counts(&counts, content),
            Line::Times(times) => {
                let run = self.run.as_mut().filter(|r| r.ended || r.printed.is_some());
                if let Some(printed) = run.and_then(|r| r.printed.as_mut()) {
                    printed.min_ms = Some(times.min);
                    printed.mean_ms = Some(times.mean);
                    printed.max_ms = Some(times.max);
                    printed.deviation_ms = times.deviation;
                }
            }
            Line::Complaint => self.complain(content),
        }
    }

    /// The run that lines of this style belong to.
    fn current(&mut self, style: Style) -> &mut Run {
        if self.run.as_ref().is_none_or(|r| r.style != style) {
            self.close();
        }
        self.run.get_or_insert_with(|| Run::new(style))
    }

    /// How many probes may still be inferred from gaps: plenty for any outage, but bounded by what
    /// the file holds.
    fn room(&self) -> u64 {
        (100_000 + 8 * self.number as u64).min(4_000_000).saturating_sub(self.inferred)
    }

    fn reply(&mut self, reply: &Reply, stamp: Option<i64>, content: &[u8]) {
        match reply.time {
            Time::Cut => self.notes.quote(self.number, "cut within the time: received, without one", content),
            Time::Unusable => {
                self.notes.quote(self.number, "no time that can be: received, without one", content);
            }
            Time::Exact(_) | Time::Below(_) | Time::Missing => {
                if reply.unit_guessed {
                    self.units_guessed += 1;
                    if self.units_guessed == 1 {
                        self.notes.quote(self.number, "a time without a unit, taken for ms", content);
                    }
                }
            }
        }
        let Some(seq) = reply.seq else {
            let windows = self.current(Style::Windows);
            windows.ended = false;
            windows.next(answered(reply, stamp));
            return;
        };
        let at = self.locate(seq, Some(reply));
        self.current(Style::Unix).reply(at, reply, stamp);
    }

    fn unanswered(&mut self, seq: u32, state: State) {
        let at = self.locate(seq, None);
        self.current(Style::Unix).unanswered(at, state);
    }

    /// The place of a numbered probe in the current run, or in a new one if it cannot be of it.
    fn locate(&mut self, seq: u32, reply: Option<&Reply>) -> i64 {
        let room = i64::try_from(self.room()).unwrap_or_default();
        let run = self.current(Style::Unix);
        if let Some(at) = run.locate(seq, reply, room) {
            let last = run.seen.map_or(at, |(_, last)| last);
            self.inferred += u64::try_from(at - last - 1).unwrap_or_default();
            return at;
        }
        let target = std::mem::take(&mut run.target);
        let last = run.seen.map_or(0, |(_, last)| last.rem_euclid(65_536));
        if !run.ended {
            self.restarts += 1;
            if self.restarts == 1 {
                self.notes
                    .push(self.number, format!("the numbers go on from {last} to {seq}: read as a new run"));
            }
        }
        self.close();
        self.current(Style::Unix).target = target;
        i64::from(seq)
    }

    /// On Windows a line is a probe.
    fn in_place(&mut self, state: State, content: &[u8]) {
        let known = state == State::Silent || self.style == Style::Windows;
        match &mut self.run {
            Some(run) if run.style == Style::Windows && !run.ended => {
                run.next(Probe { state, ..Probe::NOT_SEEN });
            }
            // Before iputils printed numbers with errors.
            Some(run) if run.style == Style::Unix && content.starts_with(b"From ") => run.errors += 1,
            Some(run) if run.style == Style::Unix && !run.ended => {
                self.notes.quote(self.number, "not read", content);
            }
            _ if known => {
                let windows = self.current(Style::Windows);
                windows.ended = false;
                windows.next(Probe { state, ..Probe::NOT_SEEN });
            }
            _ => self.notes.quote(self.number, "not read", content),
        }
    }

    fn unknown(&mut self, content: &[u8], whole: bool) {
        if !whole {
            self.notes.quote(self.number, "the file ends within this line, which was not read", content);
            return;
        }
        // A timeout in a language that the table of phrases lacks.
        let sentence =
            content.len() < 120 && !content.ends_with(b":") && !content.iter().any(u8::is_ascii_digit);
        match &mut self.run {
            Some(run) if run.style == Style::Windows && run.ended => {}
            Some(run) if run.style == Style::Windows && sentence => {
                run.next(Probe { state: State::Unsure, ..Probe::NOT_SEEN });
                run.unsure.get_or_insert_with(|| (self.number, clip(content)));
            }
            _ => self.notes.quote(self.number, "not read", content),
        }
    }

    fn heading_of_statistics(&mut self) {
        if let Some(run) = &mut self.run {
            run.ended = true;
        }
    }

    fn counts(&mut self, counts: &line::Counts, content: &[u8]) {
        let style = if counts.lost.is_some() { Style::Windows } else { Style::Unix };
        let awaited = self.run.as_ref().is_some_and(|r| r.style == Style::Unix && r.ended);
        if counts.loose && !awaited {
            return self.notes.quote(self.number, "not read", content);
        }
        if style == Style::Unix && self.run.as_ref().is_some_and(|r| r.style == Style::Windows) {
            return;
        }
        let number = self.number;
        let run = self.current(style);
        run.ended = true;
        run.first = run.first.or(Some(u32::from(!counts.from_zero)));
        run.printed_line = number;
        run.printed = Some(Printed {
            sent: Some(counts.sent),
            received: Some(counts.received),
            lost: counts.lost,
            duplicates: counts.duplicates,
            errors: counts.errors,
            loss_pct: counts.loss_pct,
            ..Printed::default()
        });
    }

    /// Notes what the tool reports, once for each run of equal lines.
    fn complain(&mut self, content: &'a [u8]) {
        self.complaint.get_or_insert((self.number, self.start));
        match &mut self.repeated {
            Some((_, text, times)) if *text == content => *times += 1,
            _ => {
                self.note_complaint();
                self.repeated = Some((self.number, content, 1));
            }
        }
    }

    fn note_complaint(&mut self) {
        if let Some((line, text, times)) = self.repeated.take() {
            let why = if times > 1 { format!("ping reported {times} times") } else { "ping reported".into() };
            self.notes.quote(line, &why, text);
        }
    }

    fn close(&mut self) {
        if let Some(run) = self.run.take().filter(Run::has_data) {
            let room = self.room();
            let before = self.records.builder.len() + run.probes.len();
            self.records.add(run, room, &mut self.notes);
            self.inferred += self.records.builder.len().saturating_sub(before) as u64;
        }
    }

    fn finish(mut self, bytes: &[u8]) -> Result<Import, ImportError> {
        self.note_complaint();
        self.close();
        if self.records.parts.is_empty() {
            return Err(self.no_samples(bytes));
        }
        self.note_times();
        let Records { builder, parts, arrivals, origin, windows, .. } = self.records;
        let mut trace = builder.build();
        if trace.has_lengths() {
            let what = if windows { "the data alone" } else { "the data and the ICMP header of 8 octets" };
            self.notes.push(0, format!("lengths as printed: {what}"));
        }
        trace.notes = self.notes.finish();
        let mut counts = Counts::zero();
        for part in &parts {
            counts.add(&part.counts);
        }
        let in_order = arrivals.is_sorted();
        let dated = self.stamps.since == Some(Since::Epoch);
        Ok(Import {
            format: if windows { WINDOWS } else { UNIX },
            trace,
            counts,
            printed: sum(&parts),
            reading: None,
            parts,
            arrivals: (!in_order).then_some(arrivals),
            started_ns: origin.filter(|_| dated),
        })
    }

    fn note_times(&mut self) {
        let Records { interpolated, stepped_back, .. } = self.records;
        if self.stamps.since.is_some() {
            let exact = if self.stamps.whole_seconds { ", known to the second" } else { "" };
            let others = match interpolated {
                0 => String::new(),
                n => format!("; those of {} put between the others", plural(n, "other probe")),
            };
            let what = "send times: the time before each reply's line less its delay";
            self.notes.push(0, format!("{what}{exact}{others}"));
        }
        if stepped_back > 0 {
            self.notes.push(0, format!("the clock stepped back before {stepped_back} of the replies"));
        }
    }

    fn no_samples(&self, bytes: &[u8]) -> ImportError {
        let what = match self.complaint {
            Some(_) => "The file has no samples: ping reported why.",
            None => "The file has no samples: no reply, no lost probe, no summary.",
        };
        let error = ImportError::new(ErrorKind::NoSamples, what).advise("measure again");
        match self.complaint.or(self.heading) {
            Some((line, start)) => error.at(place(bytes, line, start, None)),
            None => error,
        }
    }
}

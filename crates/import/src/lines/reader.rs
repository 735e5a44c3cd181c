//! The lines of a file to runs.

use netspurt_core::trace::{Provenance, TraceBuilder};

use super::spacing::Spacing;
use super::template::Template;
use super::{Counts, Dialect, Header, Line, Times, address, content};
use crate::error::{ErrorKind, ImportError, clip, place};
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::notes::Notes;
use crate::number::plural;
use crate::printed::Printed;
use crate::runs::{Probe, Records, Reply, Run, State, Style, Time};
use crate::text::{find, line_at, words};
use crate::when::Stamps;

/// Reads the lines of a file.
pub(crate) fn read(input: &Input<'_>, options: &Options, dialect: &Dialect) -> Result<Import, ImportError> {
    crate::error::refuse_long_lines(input.text().text.as_bytes())?;
    let bytes = input.text().text.as_bytes();
    let mut reader = Reader::new(options, *dialect);
    reader.notes.encoding(input.text());
    let mut at = 0;
    while at < bytes.len() {
        let line = line_at(bytes, at);
        reader.number += 1;
        reader.start = at;
        at += line.len() + 1;
        reader.line(line, at <= bytes.len());
        if reader.number.is_multiple_of(4096) {
            input.progress(at, bytes.len())?;
        }
    }
    reader.finish(bytes)
}

/// A line worth quoting: number, first byte.
type Quoted = (usize, usize);

struct Reader<'a> {
    dialect: Dialect,
    /// The runs now going on: more than one where several were started at once.
    runs: Vec<Run>,
    /// Which of them lines belong to that name none.
    focus: usize,
    records: Records,
    notes: Notes,
    number: usize,
    start: usize,
    /// Records made for gaps so far.
    inferred: u64,
    skip_next: bool,
    spacing: Spacing,
    complaint: Option<Quoted>,
    /// The complaint now being repeated, with its line and how often it came.
    repeated: Option<(usize, &'a [u8], usize)>,
    heading: Option<Quoted>,
    stamps: Stamps,
    units_guessed: usize,
    /// Runs that begin without a heading or a summary before them.
    restarts: usize,
    template: Option<Template<'a>>,
    /// Replies still to come that do not count.
    warmup: u32,
    label: Label,
}

/// What a logger writes before each line, where its form is not known: so many words, and the mark
/// at the end of a further one. Told by the line that heads a run.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Label {
    words: usize,
    mark: Option<u8>,
}

impl Label {
    /// What stands before the heading of a run.
    fn of(line: &[u8]) -> Self {
        let before = &line[..find(line, b"PING ").unwrap_or(0)];
        let mark = before.last().copied().filter(|b| !b.is_ascii_whitespace());
        Self { words: words(before).count() - usize::from(mark.is_some()), mark }
    }

    /// A line without it.
    fn strip(self, mut line: &[u8]) -> &[u8] {
        for _ in 0..self.words {
            line = line.trim_ascii_start();
            line = &line[line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len())..];
        }
        let line = line.trim_ascii_start();
        match self.mark {
            Some(mark) => &line[line.iter().position(|b| *b == mark).map_or(0, |i| i + 1)..],
            None => line,
        }
    }
}

impl<'a> Reader<'a> {
    fn new(options: &Options, dialect: Dialect) -> Self {
        let provenance = Provenance::Opened { format: dialect.id.to_owned() };
        Self {
            dialect,
            runs: Vec::new(),
            focus: 0,
            records: Records::new(TraceBuilder::new(&options.name, provenance), PartKind::Run),
            notes: Notes::default(),
            number: 0,
            start: 0,
            inferred: 0,
            skip_next: false,
            spacing: Spacing::default(),
            complaint: None,
            repeated: None,
            heading: None,
            stamps: Stamps::default(),
            units_guessed: 0,
            restarts: 0,
            template: None,
            warmup: 0,
            label: Label::default(),
        }
    }

    fn line(&mut self, raw: &'a [u8], whole: bool) {
        let (when, mut content) = content(raw);
        self.spacing.line(content);
        if std::mem::take(&mut self.skip_next) {
            return;
        }
        let stamp = when.and_then(|w| self.stamps.add(w));
        if let Some(reply) = self.template.as_ref().and_then(|t| t.read(content)) {
            return self.reply(&reply, stamp, content);
        }
        let whole = whole || content.ends_with(b".") || content.ends_with("。".as_bytes());
        let mut line = (self.dialect.line)(content);
        let doubtful = match &line {
            Line::Unknown | Line::Failure | Line::Complaint => true,
            Line::Counts(counts) => counts.loose,
            _ => false,
        };
        if doubtful && self.label != Label::default() {
            let inner = self.label.strip(content);
            let read = (self.dialect.line)(inner);
            if read != Line::Unknown {
                (line, content) = (read, inner);
            }
        }
        match line {
            Line::Blank | Line::Aside => {}
            Line::DumpHead => self.skip_next = true,
            Line::Header(header) => {
                self.label = if header.sequential { Label::default() } else { Label::of(content) };
                self.header(&header);
            }
            Line::Reply(reply) => {
                self.template = Template::of(content, &reply).filter(|_| self.runs.len() < 2);
                self.reply(&reply, stamp, content);
            }
            Line::Silence(Some(seq)) => self.unanswered(seq, State::Silent, content),
            Line::Error(Some(seq)) => {
                self.unanswered(seq, State::Failed, content);
                self.current(Style::Numbered).errors += 1;
            }
            Line::Error(None) if whole => self.current(Style::Numbered).errors += 1,
            Line::Silence(None) => self.in_place(State::Silent, content),
            Line::Failure if whole => self.in_place(State::Failed, content),
            Line::Error(None) | Line::Failure | Line::Unknown => self.unknown(content, whole),
            Line::Warmup(n) => self.warmup = n,
            Line::Marks(marks) => self.marks(marks, content),
            Line::Heading => self.statistics(content),
            Line::Counts(counts) => self.counts(&counts, content),
            Line::Tally(tally) => {
                if let Some(run) = self.runs.get_mut(self.focus).filter(|r| r.ended) {
                    if run.printed.is_none() {
                        run.printed_line = self.number;
                    }
                    let printed = run.printed.get_or_insert_default();
                    printed.sent = tally.sent.or(printed.sent);
                    printed.received = tally.received.or(printed.received);
                    printed.lost = tally.lost.or(printed.lost);
                    printed.loss_pct = tally.loss_pct.or(printed.loss_pct);
                }
            }
            Line::Times(times) => {
                let run = self.runs.get_mut(self.focus).filter(|r| r.ended || r.printed.is_some());
                if let Some(printed) = run.and_then(|r| r.printed.as_mut()) {
                    set_times(printed, &times);
                }
            }
            Line::Complaint => self.complain(content),
        }
    }

    fn header(&mut self, header: &Header<'_>) {
        self.heading.get_or_insert((self.number, self.start));
        self.spacing.heading();
        // Several headings, and then replies from all: the runs go on at the same time.
        let idle = |run: &Run| run.header && !run.has_data() && run.style == Style::Numbered;
        if header.sequential || !self.runs.iter().all(idle) || self.runs.len() > 100 {
            self.close();
        }
        let style = if header.sequential { Style::Sequential } else { Style::Numbered };
        let mut run = Run::new(style);
        run.target = clip(header.target);
        run.address = clip(header.address);
        run.header = true;
        run.first = header.first;
        run.octets = header.octets;
        self.warmup = 0;
        self.template = None;
        self.runs.push(run);
        self.focus = self.runs.len() - 1;
    }

    /// Turns to the run that a line names, where several go on.
    fn turn_to(&mut self, content: &[u8]) {
        if self.runs.len() < 2 {
            return;
        }
        let from = address(content).map(|r| &content[r]);
        let by_address = self
            .runs
            .iter()
            .position(|r| from.is_some_and(|a| a == r.address.as_bytes() || a == r.target.as_bytes()));
        let named = |r: &Run| !r.target.is_empty() && find(content, r.target.as_bytes()).is_some();
        if let Some(i) = by_address.or_else(|| self.runs.iter().position(named)) {
            self.focus = i;
        }
    }

    /// The run that lines of this style belong to.
    fn current(&mut self, style: Style) -> &mut Run {
        // A heading does not always tell it.
        if let Some(run) =
            self.runs.get_mut(self.focus).filter(|r| r.header && !r.has_data() && r.errors == 0)
        {
            run.style = style;
        }
        if self.runs.get(self.focus).is_none_or(|r| r.style != style) {
            self.close();
            self.runs.push(Run::new(style));
        }
        &mut self.runs[self.focus]
    }

    /// How many probes may still be inferred from gaps: plenty for any outage, but bounded by what
    /// the file holds.
    fn room(&self) -> u64 {
        (100_000 + 8 * self.number as u64).min(4_000_000).saturating_sub(self.inferred)
    }

    fn reply(&mut self, reply: &Reply, stamp: Option<i64>, content: &[u8]) {
        self.turn_to(content);
        self.spacing.belongs();
        if self.warmup > 0 {
            self.warmup -= 1;
            return;
        }
        match reply.time {
            Time::Cut => self.notes.quote(self.number, "cut within the time: received, without one", content),
            Time::Unusable => {
                self.notes.quote(self.number, "no time that can be: received, without one", content);
            }
            Time::Exact(_) | Time::Below(_) | Time::Missing if reply.unit_guessed => {
                self.units_guessed += 1;
                if self.units_guessed == 1 {
                    self.notes.quote(self.number, "a time without a unit, taken for ms", content);
                }
            }
            Time::Exact(_) | Time::Below(_) | Time::Missing => {}
        }
        let Some(seq) = reply.seq else {
            let run = self.current(Style::Sequential);
            run.ended = false;
            run.next(Probe::answered(reply, stamp));
            return;
        };
        let at = self.locate(seq, Some(reply));
        self.current(Style::Numbered).reply(at, reply, stamp);
    }

    fn unanswered(&mut self, seq: u32, state: State, content: &[u8]) {
        self.turn_to(content);
        let at = self.locate(seq, None);
        self.current(Style::Numbered).unanswered(at, state);
    }

    /// The place of a numbered probe in the current run, or in a new one if it cannot be of it.
    fn locate(&mut self, seq: u32, reply: Option<&Reply>) -> i64 {
        let room = i64::try_from(self.room()).unwrap_or_default();
        let run = self.current(Style::Numbered);
        if let Some(at) = run.locate(seq, reply, room) {
            // Behind a heading the numbers before the first are inferred as well.
            let none = if run.header { 0 } else { at };
            let last = run.seen.map_or(none, |(_, last)| last);
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
        self.current(Style::Numbered).target = target;
        i64::from(seq)
    }

    /// The next probe of a run without numbers.
    fn in_place(&mut self, state: State, content: &[u8]) {
        self.spacing.belongs();
        if self.warmup > 0 {
            self.warmup -= 1;
            return;
        }
        let known = state == State::Silent || self.dialect.failures;
        match self.runs.get_mut(self.focus) {
            Some(run) if run.style == Style::Sequential && !run.ended => run.next(Probe::new(state)),
            // What tools print in place of a number that is then missing.
            Some(run) if run.style == Style::Numbered && state == State::Silent => {
                run.unnumbered += u64::from(!run.ended);
            }
            // Before iputils printed numbers with errors.
            Some(run) if run.style == Style::Numbered && content.starts_with(b"From ") => run.errors += 1,
            Some(run) if run.style == Style::Numbered && !run.ended => {
                self.notes.quote(self.number, "not read", content);
            }
            _ if known => {
                let run = self.current(Style::Sequential);
                run.ended = false;
                run.next(Probe::new(state));
            }
            _ => self.notes.quote(self.number, "not read", content),
        }
    }

    /// A row of letters, one a probe. A run without lines of its own gets its probes from them.
    fn marks(&mut self, marks: &[u8], content: &[u8]) {
        let header = self.runs.get(self.focus).is_some_and(|r| r.header && !r.ended && r.seen.is_none());
        if !header {
            return self.notes.quote(self.number, "not read", content);
        }
        let run = &mut self.runs[self.focus];
        run.style = Style::Sequential;
        for mark in marks {
            let untimed = Reply::new(None, Time::Missing);
            run.next(match mark {
                b'!' => Probe::answered(&untimed, None),
                b'.' | b'*' => Probe::new(State::Silent),
                _ => Probe::new(State::Failed),
            });
        }
    }

    fn unknown(&mut self, content: &[u8], whole: bool) {
        if !whole {
            self.notes.quote(self.number, "the file ends within this line, which was not read", content);
            return;
        }
        // A timeout in a language that the table of phrases lacks.
        let sentence = content.len() < 120
            && !content.ends_with(b":")
            && !content.ends_with(b". . .")
            && !content.iter().any(u8::is_ascii_digit);
        let sentence = sentence && self.dialect.sentences;
        let begun = self.runs.get(self.focus).is_some_and(Run::has_data);
        let sentence = !self.spacing.stands_apart(content, begun) && sentence;
        match self.runs.get_mut(self.focus) {
            Some(run) if run.style == Style::Sequential && run.ended => {}
            Some(run) if run.style == Style::Sequential && sentence => {
                run.unsure.get_or_insert_with(|| (self.number, clip(content)));
                run.next(Probe::new(State::Unsure));
                self.spacing.belongs();
            }
            _ => self.notes.quote(self.number, "not read", content),
        }
    }

    fn statistics(&mut self, content: &[u8]) {
        self.turn_to(content);
        if let Some(run) = self.runs.get_mut(self.focus) {
            run.ended = true;
        }
    }

    fn counts(&mut self, counts: &Counts, content: &[u8]) {
        let style = if counts.lost.is_some() { Style::Sequential } else { Style::Numbered };
        let current = self.runs.get(self.focus).map(|r| (r.style, r.ended, r.header));
        if counts.loose && !matches!(current, Some((Style::Numbered, true, _))) {
            return self.notes.quote(self.number, "not read", content);
        }
        let style = match current {
            // A run of marks, or of a tool that prints its losses too.
            Some((current, ended, header)) if current == style || ended || header => current,
            Some((Style::Sequential, ..)) if style == Style::Numbered => return,
            _ => style,
        };
        let number = self.number;
        let run = self.current(style);
        run.ended = true;
        run.first = run.first.or(counts.first);
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
        if let (Some(times), Some(printed)) = (&counts.times, &mut run.printed) {
            set_times(printed, times);
        }
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
            let tool = self.dialect.tool;
            let why =
                if times > 1 { format!("{tool} reported {times} times") } else { format!("{tool} reported") };
            self.notes.quote(line, &why, text);
        }
    }

    fn close(&mut self) {
        self.focus = 0;
        self.template = None;
        for run in std::mem::take(&mut self.runs) {
            if run.has_data() {
                let room = self.room();
                let before = self.records.builder.len() + run.probes.len();
                self.records.add(run, room, &mut self.notes);
                self.inferred += self.records.builder.len().saturating_sub(before) as u64;
            }
        }
    }

    fn finish(mut self, bytes: &[u8]) -> Result<Import, ImportError> {
        self.note_complaint();
        self.close();
        if self.records.parts.is_empty() {
            return Err(self.no_samples(bytes));
        }
        self.note_times();
        let mut import = self.records.import(self.dialect.id, self.stamps.dated(), Notes::default());
        if import.trace.has_lengths() && !self.dialect.lengths.is_empty() {
            self.notes.push(0, format!("lengths as printed: {}", self.dialect.lengths));
        }
        import.trace.notes = self.notes.finish();
        Ok(import)
    }

    fn note_times(&mut self) {
        let Records { interpolated, stepped_back, .. } = self.records;
        if self.stamps.any() {
            let exact = if self.stamps.whole_seconds() { ", known to the second" } else { "" };
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
        let tool = self.dialect.tool;
        let what = match self.complaint {
            Some(_) => format!("The file has no samples: {tool} reported why."),
            None => "The file has no samples: no reply, no lost probe, no summary.".to_owned(),
        };
        let error = ImportError::new(ErrorKind::NoSamples, what).advise("measure again");
        match self.complaint.or(self.heading) {
            Some((line, start)) => error.at(place(bytes, line, start, None)),
            None => error,
        }
    }
}

fn set_times(printed: &mut Printed, times: &Times) {
    printed.min_ms = Some(times.min);
    printed.mean_ms = Some(times.mean);
    printed.max_ms = Some(times.max);
    printed.deviation_ms = times.deviation;
}

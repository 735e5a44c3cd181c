//! Finished runs to records: gaps filled, summaries compared, send times worked out.

use netspurt_core::trace::{Fate, TraceBuilder};

use super::{Probe, Run, State, Style};
use crate::import::{Counts, Import, Part, PartKind};
use crate::notes::Notes;
use crate::number::plural;
use crate::times::{UNKNOWN, fill};

/// Gathers the records of all runs.
#[derive(Debug)]
pub(crate) struct Records {
    pub(crate) builder: TraceBuilder,
    pub(crate) parts: Vec<Part>,
    /// What the parts are.
    pub(crate) kind: PartKind,
    arrivals: Vec<u32>,
    /// Send time of the first record in nanoseconds.
    pub(crate) origin: Option<i64>,
    pub(crate) interpolated: u64,
    pub(crate) stepped_back: u64,
}

/// Which numbers a run has, from its lines and its summary.
struct Extent {
    start: i64,
    /// By the lines, from `start`.
    spoken: u64,
    sent: u64,
}

impl Records {
    pub(crate) fn new(builder: TraceBuilder, kind: PartKind) -> Self {
        Self {
            builder,
            parts: Vec::new(),
            kind,
            arrivals: Vec::new(),
            origin: None,
            interpolated: 0,
            stepped_back: 0,
        }
    }

    /// Adds a run. At most `room` records may be added for probes that only the summary knows of.
    pub(crate) fn add(&mut self, mut run: Run, room: u64, notes: &mut Notes) {
        settle_unsure(&mut run, notes);
        if run.probes.is_empty() && run.unnumbered <= room {
            run.probes = vec![Probe::new(State::Silent); usize::try_from(run.unnumbered).unwrap_or(0)];
        }
        let printed = run.printed.clone();
        let extent = extent(&run, room);
        let answered = run.probes.iter().filter(|p| p.state.answered()).count() as u64;
        let failed = run.probes.iter().filter(|p| p.state == State::Failed).count() as u64;
        let sequential = run.style == Style::Sequential;
        let by_summary = printed.as_ref().and_then(|p| p.received).unwrap_or(answered);
        // Windows and others count ICMP errors as received, some tools second replies.
        let explained = by_summary == answered + run.duplicates || by_summary == answered + failed;
        let received =
            if explained { answered } else { by_summary.clamp(answered, extent.sent.max(answered)) };
        compare(&run, &extent, answered, received, notes);

        let first_record = self.builder.len();
        let summary_only = run.probes.is_empty();
        let after = extent.sent - extent.spoken;
        let appended = if summary_only { 0 } else { after.min(room) };
        if appended < after && !summary_only {
            let more = plural(after - appended, "probe");
            notes.push(run.printed_line, format!("not in the trace: {more} that only the summary knows of"));
        }
        let lead = run.base - extent.start;
        let mut probes = in_order(std::mem::take(&mut run.probes), lead, &extent, appended);
        let silent_start = probes.iter().take_while(|p| p.state == State::NotSeen).count() as u64;
        if silent_start >= MANY && printed.is_none() {
            let first = plural(silent_start, "probe");
            notes.push(
                0,
                format!("no line tells of the first {first}: counted as lost, if the file is whole"),
            );
        }
        mark_untimed(&mut probes, received - answered);
        let untimed = probes.iter().filter(|p| p.state == State::Untimed).count() as u64;
        let times = self.send_times(&probes);
        let octets = common_octets(&probes).or(run.octets);
        let mut censored = Vec::new();
        for (i, probe) in probes.iter().enumerate() {
            let fate = match probe.state {
                State::Replied => Fate::Reply(probe.delay),
                State::Below => Fate::Below(probe.delay),
                State::Untimed => Fate::Untimed,
                State::NotSeen | State::Silent | State::Failed | State::Unsure => Fate::Lost,
            };
            if probe.state == State::Below {
                censored.push(probe.delay);
            }
            let sent = times.as_ref().map(|times| {
                let origin = *self.origin.get_or_insert(times[i]);
                times[i].saturating_sub(origin) as f64 / 1e6
            });
            let pushed = self.builder.push(sent, probe.octets().or(octets), fate);
            debug_assert!(pushed.is_ok(), "delays were checked when they were read");
        }
        self.arrivals.extend(run.order.iter().map(|i| {
            let record = i64::try_from(first_record).ok().map(|n| n + i64::from(*i) + lead);
            record.and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX)
        }));
        let replies_without_time = if summary_only { received } else { untimed };
        let counts = Counts {
            sent: Some(extent.sent),
            received: Some(received),
            lost: Some(extent.sent - received),
            duplicates: Some(run.duplicates),
            errors: if sequential { failed } else { run.errors },
            replies_without_time,
            left_out: 0,
            censored_lt: censored,
        };
        let records = first_record..self.builder.len();
        // A log of replies alone may restart at every line: that is one part.
        if let Some(last) = self.parts.last_mut()
            && !run.header
            && last.printed.is_none()
            && printed.is_none()
            && last.name == run.target
        {
            last.records.end = records.end;
            last.counts.add(&counts);
            return;
        }
        self.parts.push(Part { printed, ..Part::new(run.target, self.kind, records, counts) });
    }

    /// When each probe was sent: a reply's line is printed when it comes, one delay later. Probes
    /// without a reply lie evenly between their neighbours. `None`: the lines have no times.
    fn send_times(&mut self, probes: &[Probe]) -> Option<Vec<i64>> {
        let sent = |probe: &Probe| {
            #[expect(clippy::cast_possible_truncation, reason = "delays are under fifty days")]
            let delay = if probe.state == State::Replied { (probe.delay * 1e6) as i64 } else { 0 };
            probe.stamp().filter(|_| probe.state.answered()).map(|t| t.saturating_sub(delay))
        };
        if !probes.iter().any(|p| sent(p).is_some()) {
            return None;
        }
        let mut latest: Option<i64> = None;
        let mut times = Vec::with_capacity(probes.len());
        for probe in probes {
            times.push(match sent(probe) {
                None => UNKNOWN,
                Some(t) => {
                    let before = latest.unwrap_or(t);
                    self.stepped_back += u64::from(t < before.saturating_sub(1_000_000_000));
                    latest = Some(before.max(t));
                    before.max(t)
                }
            });
        }
        self.interpolated += fill(&mut times)?;
        Some(times)
    }

    /// All runs as one import. `started_ns` holds where the lines give a date.
    pub(crate) fn import(self, format: &'static str, dated: bool, notes: Notes) -> Import {
        let Self { builder, parts, arrivals, origin, .. } = self;
        let mut trace = builder.build();
        trace.notes = notes.finish();
        let arrivals = (!arrivals.is_sorted()).then_some(arrivals);
        Import { arrivals, started_ns: origin.filter(|_| dated), ..Import::new(format, trace, parts) }
    }
}

/// So many probes without a line, from the first on, may be missing from the file.
const MANY: u64 = 20;

/// Which of the sentences of an unknown language are timeouts: all, if the summary leaves room.
fn settle_unsure(run: &mut Run, notes: &mut Notes) {
    let Some((line, text)) = run.unsure.take() else { return };
    let unsure = run.probes.iter().filter(|p| p.state == State::Unsure).count();
    let sure = run.probes.len() - unsure;
    let sent = run.printed.as_ref().and_then(|p| p.sent).and_then(|n| usize::try_from(n).ok());
    let mut room = sent.map_or(usize::MAX, |n| n.saturating_sub(sure));
    let taken = unsure.min(room);
    let mut moved = Vec::with_capacity(run.probes.len());
    let mut kept = Vec::with_capacity(run.probes.len());
    for probe in run.probes.drain(..) {
        moved.push(u32::try_from(kept.len()).unwrap_or(u32::MAX));
        match probe.state {
            State::Unsure if room == 0 => {}
            State::Unsure => {
                room -= 1;
                kept.push(Probe::new(State::Silent));
            }
            _ => kept.push(probe),
        }
    }
    run.probes = kept;
    for i in &mut run.order {
        *i = moved[*i as usize];
    }
    let why = if sent.is_some() && taken == unsure { "as the summary counts" } else { "by place" };
    if taken > 0 {
        let lines = plural(taken as u64, "line");
        notes.push(line, format!("taken as lost, {why}: {lines} like “{text}”"));
    } else {
        notes.push(line, format!("not read: “{text}”"));
    }
}

fn extent(run: &Run, room: u64) -> Extent {
    let printed = run.printed.as_ref().and_then(|p| p.sent);
    if run.style == Style::Sequential {
        let spoken = run.probes.len() as u64;
        return Extent { start: 0, spoken, sent: printed.unwrap_or(0).max(spoken) };
    }
    let Some((first, last)) = run.seen else {
        let spoken = run.probes.len() as u64;
        return Extent { start: run.base, spoken, sent: printed.unwrap_or(0).max(spoken) };
    };
    let span = |start: i64| (last - start + 1).unsigned_abs();
    let near = |start: i64| run.header || (first - start).unsigned_abs() <= room;
    let fits = |start: i64| start <= first && near(start) && printed.is_none_or(|n| span(start) <= n);
    let known = run.header || printed.is_some();
    let hint = run.first.map(i64::from).filter(|_| known);
    let start =
        [hint, Some(1).filter(|_| hint.is_some())].into_iter().flatten().find(|s| fits(*s)).unwrap_or(first);
    let spoken = span(start);
    Extent { start, spoken, sent: printed.unwrap_or(0).max(spoken) }
}

/// The run's probes from its first to its last number, then those only the summary knows of.
/// `lead` is how many of the first numbers no line speaks of; it may be negative, as room is kept
/// for replies that come late.
fn in_order(mut probes: Vec<Probe>, lead: i64, extent: &Extent, appended: u64) -> Vec<Probe> {
    let total = usize::try_from(extent.spoken + appended).unwrap_or_default();
    let skipped = usize::try_from(-lead).unwrap_or(0).min(probes.len());
    probes.drain(..skipped);
    let leading = usize::try_from(lead).unwrap_or(0).min(total);
    if leading > 0 {
        probes.splice(..0, std::iter::repeat_n(Probe::NOT_SEEN, leading));
    }
    probes.resize(total, Probe::NOT_SEEN);
    probes
}

/// The summary knows of more answers than there are lines. Which probes they belong to is not
/// known; those that no line speaks of come first, from the end.
fn mark_untimed(probes: &mut [Probe], mut more: u64) {
    for state in [State::NotSeen, State::Silent] {
        for probe in probes.iter_mut().rev().filter(|p| p.state == state) {
            if more == 0 {
                return;
            }
            probe.state = State::Untimed;
            more -= 1;
        }
    }
}

/// The length of all replies, if it is one: then the others were as long.
fn common_octets(probes: &[Probe]) -> Option<u32> {
    let mut lengths = probes.iter().filter_map(Probe::octets);
    let first = lengths.next()?;
    lengths.all(|n| n == first).then_some(first)
}

fn compare(run: &Run, extent: &Extent, answered: u64, received: u64, notes: &mut Notes) {
    let Some(printed) = &run.printed else { return };
    let mut say = |text: String| notes.push(run.printed_line, text);
    if run.probes.is_empty() {
        say("no samples: the file holds a summary, and no line for any probe".to_owned());
        return;
    }
    if let Some(sent) = printed.sent.filter(|n| *n < extent.spoken) {
        say(format!("the summary says {sent} sent, the lines speak of {}", extent.spoken));
    }
    let Some(by_summary) = printed.received.filter(|n| *n != answered) else { return };
    let text = format!("the summary says {by_summary} received, the lines show {answered}");
    say(if received > answered {
        format!("{text}: the others count as received, without a time")
    } else if by_summary > answered && by_summary != answered + run.duplicates {
        format!("{text}: an ICMP error is no reply")
    } else if by_summary == answered + run.duplicates {
        format!("{text}: a second reply to one probe is counted apart")
    } else {
        text
    });
}

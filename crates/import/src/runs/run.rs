//! One run of ping: its probes by sequence number, or in the order of the lines where the tool
//! prints none.

use super::{Reply, Style, Time};
use crate::printed::Printed;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// No line speaks of it.
    NotSeen,
    /// "No answer yet", "Request timed out".
    Silent,
    /// An ICMP error.
    Failed,
    /// A sentence that may be a timeout in a language not known here.
    Unsure,
    Replied,
    Below,
    Untimed,
}

impl State {
    pub(crate) fn answered(self) -> bool {
        matches!(self, Self::Replied | Self::Below | Self::Untimed)
    }
}

/// A probe. There may be millions: what is not known has no room of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe {
    pub(crate) delay: f64,
    stamp: i64,
    octets: u32,
    pub(crate) state: State,
}

const NO_STAMP: i64 = i64::MIN;
const NO_LENGTH: u32 = u32::MAX;

impl Probe {
    pub(crate) const NOT_SEEN: Self = Self::new(State::NotSeen);

    pub(crate) const fn new(state: State) -> Self {
        Self { delay: 0.0, stamp: NO_STAMP, octets: NO_LENGTH, state }
    }

    pub(crate) fn answered(reply: &Reply, stamp: Option<i64>) -> Self {
        let (state, delay) = match reply.time {
            Time::Exact(ms) => (State::Replied, ms),
            Time::Below(ms) => (State::Below, ms),
            Time::Missing | Time::Cut | Time::Unusable => (State::Untimed, 0.0),
        };
        let octets = reply.octets.unwrap_or(NO_LENGTH);
        Self { delay, stamp: stamp.unwrap_or(NO_STAMP), octets, state }
    }

    /// When its line was printed, in nanoseconds.
    pub(crate) fn stamp(&self) -> Option<i64> {
        Some(self.stamp).filter(|t| *t != NO_STAMP)
    }

    pub(crate) fn octets(&self) -> Option<u32> {
        Some(self.octets).filter(|n| *n != NO_LENGTH)
    }
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) style: Style,
    pub(crate) target: String,
    /// The target's address, where the heading gives both.
    pub(crate) address: String,
    pub(crate) header: bool,
    /// The number the tool gives its first probe, where the form of its lines tells it.
    pub(crate) first: Option<u32>,
    /// The length of all probes, where the heading gives it.
    pub(crate) octets: Option<u32>,
    pub(crate) probes: Vec<Probe>,
    /// The sequence number of `probes[0]`, counted on where the tool's numbers wrap.
    pub(crate) base: i64,
    /// Lowest and highest number that a line speaks of.
    pub(crate) seen: Option<(i64, i64)>,
    last_delay: f64,
    least_delay: f64,
    /// The tool prints numbers above 65 535.
    wide: bool,
    /// Indices into `probes` in the order of their replies.
    pub(crate) order: Vec<u32>,
    pub(crate) duplicates: u64,
    pub(crate) errors: u64,
    /// Lines that say of some probe, not which, that it had no answer.
    pub(crate) unnumbered: u64,
    pub(crate) printed: Option<Printed>,
    pub(crate) printed_line: usize,
    /// The statistics have begun.
    pub(crate) ended: bool,
    /// The first sentence taken for a timeout, with its line.
    pub(crate) unsure: Option<(usize, String)>,
}

impl Run {
    pub(crate) fn new(style: Style) -> Self {
        Self {
            style,
            target: String::new(),
            address: String::new(),
            header: false,
            first: None,
            octets: None,
            probes: Vec::new(),
            base: 0,
            seen: None,
            last_delay: 0.0,
            least_delay: f64::INFINITY,
            wide: false,
            order: Vec::new(),
            duplicates: 0,
            errors: 0,
            unnumbered: 0,
            printed: None,
            printed_line: 0,
            ended: false,
            unsure: None,
        }
    }

    /// Where the probe of this number stands, counted on where numbers wrap. `None`: it cannot be
    /// of this run. At most `room` numbers may be skipped.
    pub(crate) fn locate(&self, seq: u32, reply: Option<&Reply>, room: i64) -> Option<i64> {
        let seq = i64::from(seq);
        let Some((first, last)) = self.seen else { return (!self.header || seq <= room).then_some(seq) };
        let wrapping = !self.wide && seq <= 65_535;
        let at = if wrapping {
            let ahead = (seq - last).rem_euclid(65_536);
            if ahead < 32_768 { last + ahead } else { last + ahead - 65_536 }
        } else {
            seq
        };
        if at > last {
            let gap = at - last - 1;
            let wraps = wrapping && seq < last.rem_euclid(65_536);
            // From 40 000 to 1 is a new run, not a wrap with a gap.
            return (gap <= room && !(wraps && gap > 4096)).then_some(at);
        }
        let marked = reply.is_some_and(|r| r.duplicate);
        if at < self.base || self.ended && !marked {
            return None;
        }
        if marked {
            return Some(at);
        }
        let Some(reply) = reply else { return (last - at <= 1000).then_some(at) };
        // A log of single pings: 1, 1, 1. These tools mark second replies.
        let lone = first == last && at <= 1 && !self.header;
        let answered = self.probe(at).state.answered();
        if answered && !self.header && (lone || at == first && at < last) {
            return None;
        }
        (at == last || self.can_be_late(at, last, reply) || at > first.max(1)).then_some(at)
    }

    /// A reply that comes after that of a later probe took longer than it, and longer by the time
    /// between the two. Anything faster is a new run that begins with the same numbers.
    fn can_be_late(&self, at: i64, last: i64, reply: &Reply) -> bool {
        let (Time::Exact(delay) | Time::Below(delay)) = reply.time else { return true };
        let between = if last - at > 2 { (last - at) as f64 * self.least_delay.min(10.0) } else { 0.0 };
        // Tools print three figures.
        delay * 1.01 + 0.01 >= self.last_delay + between
    }

    fn probe(&self, at: i64) -> Probe {
        let index = usize::try_from(at - self.base).ok();
        index.and_then(|i| self.probes.get(i)).copied().unwrap_or(Probe::NOT_SEEN)
    }

    /// The probe of number `at` as the run's slot for it, made if need be.
    fn slot(&mut self, at: i64) -> usize {
        let seen = match self.seen {
            // Replies that were sent earlier may still come.
            None => {
                self.base = if self.header { 0 } else { (at - 64).max(0) };
                (at, at)
            }
            Some((first, last)) => (first.min(at), last.max(at)),
        };
        self.seen = Some(seen);
        let index = usize::try_from(at - self.base).unwrap_or_default();
        if index >= self.probes.len() {
            self.probes.resize(index + 1, Probe::NOT_SEEN);
        }
        index
    }

    pub(crate) fn reply(&mut self, at: i64, reply: &Reply, stamp: Option<i64>) {
        self.wide |= reply.seq.is_some_and(|s| s > 65_535);
        let newest = self.seen.is_none_or(|(_, last)| at >= last);
        let index = self.slot(at);
        if self.probes[index].state.answered() {
            self.duplicates += 1;
            return;
        }
        if let Time::Exact(delay) | Time::Below(delay) = reply.time {
            self.least_delay = self.least_delay.min(delay);
            if newest {
                self.last_delay = delay;
            }
        }
        self.probes[index] = Probe::answered(reply, stamp);
        self.order.push(u32::try_from(index).unwrap_or(u32::MAX));
    }

    /// A line that says of a probe only that there is no answer, or an error.
    pub(crate) fn unanswered(&mut self, at: i64, state: State) {
        if self.seen.is_none_or(|(_, last)| at > last) {
            self.last_delay = 0.0;
        }
        let index = self.slot(at);
        let probe = &mut self.probes[index];
        if matches!(probe.state, State::NotSeen | State::Silent) {
            probe.state = state;
        }
    }

    /// The next probe of a run without numbers.
    pub(crate) fn next(&mut self, probe: Probe) {
        if probe.state.answered() {
            self.order.push(u32::try_from(self.probes.len()).unwrap_or(u32::MAX));
        }
        self.probes.push(probe);
    }

    pub(crate) fn has_data(&self) -> bool {
        !self.probes.is_empty() || self.unnumbered > 0 || self.printed.is_some()
    }
}

//! TCP connections: times from a segment to the acknowledgement that ends with it.
//!
//! Two lists are made of each direction. What `tcp.analysis.ack_rtt` of Wireshark counts, for
//! comparison: an acknowledgement whose number is the end of a segment not yet acknowledged gives the
//! time since that segment was first sent. And the trace, which obeys Karn's rule (Karn and
//! Partridge 1987; RFC 6298, section 3: "RTT samples MUST NOT be made using segments that were
//! retransmitted"): a segment sent more than once gives no sample, as the acknowledgement may be for
//! either. A retransmission is told as Wireshark tells it, from reordering and keep-alives too, but for
//! two things: a segment whose first copy is in the capture is one however soon it follows the others,
//! and the very same packet, there twice within a millisecond, is none. Wireshark gives no time where
//! it is 0; here it is one.

use netspurt_core::stats::moments::Moments;

use super::layers::{Address, Segment, name};
use super::{Key, Table};
use crate::gather::Gathering;
use crate::import::{Acked, Flow, PartKind};
use crate::number::plural;

#[derive(Debug, Default)]
pub(super) struct Flows {
    /// Connections by both ends, the smaller first, and their ports.
    table: Table,
    list: Vec<Connection>,
    /// Connections, ever.
    begun: u32,
    /// Those not listed, as there were too many that nobody had taken up, or too many at all.
    dropped: u64,
    /// Packets of those.
    beyond: u64,
    full: bool,
    /// Segments that stand in the capture again.
    pub(super) copies: u64,
}

#[derive(Debug)]
struct Connection {
    /// Its number in the capture.
    stream: u32,
    /// Who sent the first packet.
    a: (Address, u16),
    b: (Address, u16),
    packets: u64,
    retransmissions: u64,
    /// From a, from b.
    sides: [Side; 2],
    /// When the connection began, and how long its handshake took, in nanoseconds.
    began: i64,
    handshake: Option<i64>,
}

/// What one end sent.
#[derive(Debug, Default)]
struct Side {
    /// Its first number.
    first: Option<u32>,
    /// Behind the highest number sent, and when that was.
    next: Option<(u32, i64)>,
    /// Segments not acknowledged, in the order in which they were sent.
    open: Vec<Open>,
    /// Some of them are not in the order of their numbers.
    mixed: bool,
    samples: Vec<Sample>,
    last_ack: Option<(u32, u16)>,
    /// When an acknowledgement came last, and how often it was repeated.
    last_ack_at: i64,
    repeated: u32,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    at: i64,
    seq: u32,
    end: u32,
    octets: u32,
    mark: u16,
    /// Sent more than once, in whole or in part.
    again: bool,
}

/// A segment and the time to its acknowledgement.
#[derive(Debug, Clone, Copy)]
struct Sample {
    at: i64,
    octets: u32,
    ms: f64,
    again: bool,
}

fn key(a: (Address, u16), b: (Address, u16)) -> Key {
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    Key { ends: [low.0, high.0], marks: [low.1, high.1] }
}

/// Whether `a` comes before `b`: numbers go round.
fn before(a: u32, b: u32) -> bool {
    a.wrapping_sub(b) > 1 << 31
}

/// More than are ever under way: acknowledgements are not in the capture.
const MOST_OPEN: usize = 10_000;
/// Connections in memory at once, of half a kilobyte each.
const MOST: usize = 1 << 18;
/// Nanoseconds within which a segment that comes again may be the same packet.
const COPY: i64 = 1_000_000;

impl Flows {
    pub(super) fn add(&mut self, at: i64, from: Address, to: Address, segment: &Segment) {
        let (source, target) = ((from, segment.ports.0), (to, segment.ports.1));
        let key = key(source, target);
        let begins = segment.has(Segment::SYN) && !segment.has(Segment::ACK);
        // The same ports again, with another first number: another connection.
        let known = self.table.find(&key).filter(|i| {
            let c = &self.list[*i];
            let first = c.sides[usize::from(c.a != source)].first;
            !begins || first.is_none_or(|n| n == segment.seq)
        });
        let Some(index) = known.or_else(|| self.begin(at, key, source, target)) else {
            self.beyond += 1;
            return;
        };
        let connection = &mut self.list[index];
        let side = usize::from(connection.a != source);
        self.copies += u64::from(!connection.add(at, side, segment));
    }

    /// A further connection. `None`: there are too many.
    fn begin(&mut self, at: i64, key: Key, a: (Address, u16), b: (Address, u16)) -> Option<usize> {
        if self.list.len() >= MOST && !self.full {
            self.forget();
        }
        if self.full {
            return None;
        }
        self.table.set(key, self.list.len());
        self.list.push(Connection {
            stream: self.begun,
            a,
            b,
            packets: 0,
            retransmissions: 0,
            sides: [Side::default(), Side::default()],
            began: at,
            handshake: None,
        });
        self.begun += 1;
        Some(self.list.len() - 1)
    }

    /// Drops the connections that were not taken up, as those of a flood of SYNs. Were there few of
    /// them, no more are added.
    fn forget(&mut self) {
        self.list.retain(|c| c.handshake.is_some());
        self.dropped += (MOST - self.list.len()) as u64;
        self.full = self.list.len() > MOST / 2;
        self.table = Table::default();
        for (i, c) in self.list.iter().enumerate() {
            self.table.set(key(c.a, c.b), i);
        }
    }

    /// The connections, and a part for each direction that has samples.
    pub(super) fn finish(self, g: &mut Gathering) {
        let alone = g.parts.is_empty();
        let mut twice = 0_u64;
        for connection in self.list {
            let end = |(address, port): (Address, u16)| match name(&address) {
                v6 if v6.contains(':') => format!("[{v6}]:{port}"),
                v4 => format!("{v4}:{port}"),
            };
            let (a, b) = (end(connection.a), end(connection.b));
            let mut acked_by = Vec::new();
            for (side, (from, by)) in connection.sides.iter().zip([(&a, &b), (&b, &a)]) {
                let Some(m) = Moments::of(side.samples.iter().map(|s| s.ms)) else { continue };
                acked_by.push(Acked {
                    by: by.clone(),
                    n: m.n as u64,
                    min_ms: m.min,
                    mean_ms: m.mean,
                    max_ms: m.max,
                });
                g.add(&format!("{from} → {by}"), PartKind::Flow).usual = false;
                let part = g.parts.len() - 1;
                for sample in &side.samples {
                    twice += u64::from(sample.again);
                    if !sample.again {
                        g.push_ms(part, Some(sample.at), Some(sample.octets), sample.ms);
                    }
                }
            }
            g.flows.push(Flow {
                stream: connection.stream,
                a,
                b,
                packets: connection.packets,
                retransmissions: connection.retransmissions,
                acked_by,
            });
        }
        let retransmitted: u64 = g.flows.iter().map(|f| f.retransmissions).sum();
        if retransmitted > 0 {
            let flows = g.flows.iter().filter(|f| f.retransmissions > 0).count() as u64;
            let (n, m) = (plural(retransmitted, "retransmission"), plural(flows, "connection"));
            g.notes.push(0, format!("{n} in {m}"));
        }
        if twice > 0 {
            let n = plural(twice, "acknowledgement");
            let why = "of segments sent more than once: counted as Wireshark does, left out of the traces";
            g.notes.push(0, format!("{n} {why} (Karn's rule)"));
        }
        if self.copies > 0 {
            let n = plural(self.copies, "segment");
            g.notes.push(
                0,
                format!(
                    "{n}: there twice within a millisecond, as on two interfaces or ports, and counted once"
                ),
            );
        }
        if self.dropped > 0 {
            let n = plural(self.dropped, "connection");
            g.notes.push(0, format!("{n} of {} that began: not taken up, and not listed", self.begun));
        }
        if self.beyond > 0 {
            let n = plural(self.beyond, "packet");
            g.notes.push(
                0,
                format!("{n}: of further connections, behind the first {} that are listed", g.flows.len()),
            );
        }
        if alone && !g.flows.is_empty() {
            g.notes.push(0, "no echoes: choose a connection to read its round-trip times");
        }
    }
}

impl Connection {
    /// False: the packet stands in the capture again.
    fn add(&mut self, at: i64, side: usize, segment: &Segment) -> bool {
        let sides = self.sides.split_at_mut(1);
        let (own, other) =
            if side == 0 { (&mut sides.0[0], &mut sides.1[0]) } else { (&mut sides.1[0], &mut sides.0[0]) };
        let takes = segment.octets + u32::from(segment.has(Segment::SYN | Segment::FIN));
        own.first = own.first.or(Some(segment.seq));
        if takes > 0 {
            let end = segment.seq.wrapping_add(takes);
            if own.holds(at, segment, end) {
                return false;
            }
            let again = own.is_again(other, at, segment, end, self.handshake);
            self.retransmissions += u64::from(again);
            own.send(at, segment, end, again);
        }
        if segment.has(Segment::ACK) {
            own.repeat(at, segment, takes);
            other.acknowledge(at, segment.ack);
            if self.handshake.is_none() && side == 0 && !segment.has(Segment::SYN) {
                self.handshake = Some(at - self.began);
            }
        }
        self.packets += 1;
        true
    }
}

impl Side {
    /// Whether a segment is the very packet that was there a moment ago.
    fn holds(&self, at: i64, segment: &Segment, end: u32) -> bool {
        let same = |o: &Open| (o.seq, o.end, o.mark) == (segment.seq, end, segment.mark) && at - o.at < COPY;
        segment.mark != 0
            && self.next.is_some_and(|(next, _)| !before(next, end))
            && self.open.iter().rev().take(64).any(same)
    }

    /// Whether a segment was sent before, and is neither late nor a keep-alive. `other` is who
    /// acknowledges.
    fn is_again(&self, other: &Self, at: i64, segment: &Segment, end: u32, handshake: Option<i64>) -> bool {
        const FAST: i64 = 20_000_000;
        let Some((next, next_at)) = self.next else { return false };
        if !before(segment.seq, next) {
            return false;
        }
        let control = segment.has(Segment::SYN | Segment::FIN | Segment::RST);
        let probe = segment.seq == next.wrapping_sub(1);
        // A keep-alive repeats one octet; a window probe is followed by data that begin at it.
        if probe && (!control || segment.octets > 1) {
            return false;
        }
        // What was acknowledged has been there, wherever the capture was made.
        let acknowledged = other.last_ack.is_some_and(|(ack, _)| !before(ack, end));
        if acknowledged && segment.octets > 0 {
            return true;
        }
        let asked = other.last_ack.is_some_and(|(ack, _)| ack == segment.seq);
        if other.repeated >= 2 && asked && at - other.last_ack_at < FAST {
            return true;
        }
        let inside = |o: &Open| !before(segment.seq, o.seq) && !before(o.end, end);
        let seen = self.open.iter().any(inside);
        let late = at - next_at < handshake.unwrap_or(3_000_000) && next != end;
        seen || !late
    }

    fn send(&mut self, at: i64, segment: &Segment, end: u32, again: bool) {
        let overlaps = |o: &Open| before(o.seq, end) && before(segment.seq, o.end);
        let mut twice = again;
        if self.next.is_some_and(|(next, _)| before(segment.seq, next)) {
            self.mixed = true;
            for open in self.open.iter_mut().filter(|o| overlaps(o)) {
                open.again = true;
                twice = true;
            }
        }
        if self.open.len() < MOST_OPEN {
            let Segment { seq, octets, mark, .. } = *segment;
            self.open.push(Open { at, seq, end, octets, mark, again: twice });
        }
        if self.next.is_none_or(|(next, _)| before(next, end)) {
            self.next = Some((end, at));
        }
    }

    /// Counts how often an acknowledgement without data comes again. As in Wireshark, another window
    /// makes it no repetition, but only another number ends the count.
    fn repeat(&mut self, at: i64, segment: &Segment, takes: u32) {
        if self.last_ack.is_none_or(|(ack, _)| ack != segment.ack) {
            self.repeated = 0;
        } else if self.last_ack == Some((segment.ack, segment.window))
            && takes == 0
            && !segment.has(Segment::RST)
        {
            self.repeated += 1;
        }
        self.last_ack = Some((segment.ack, segment.window));
        self.last_ack_at = at;
    }

    /// Drops what is acknowledged, and takes a sample where a segment ends with it.
    fn acknowledge(&mut self, at: i64, ack: u32) {
        let mut sample = None;
        let mut gone = 0;
        for open in &mut self.open {
            if open.end == ack && sample.is_none() {
                let ms = (at - open.at) as f64 / 1e6;
                sample = Some(Sample { at: open.at, octets: open.octets, ms, again: open.again });
            }
            if !before(ack, open.end) {
                open.octets = u32::MAX;
                gone += 1;
            } else if before(open.seq, ack) {
                open.seq = ack;
            } else if !self.mixed {
                break;
            }
        }
        if gone > 0 {
            self.open.retain(|o| o.octets != u32::MAX);
            self.mixed &= !self.open.is_empty();
        }
        self.samples.extend(sample.filter(|s| s.ms >= 0.0));
    }
}

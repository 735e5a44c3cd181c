//! The destination IMP: which messages it accepts, holds, discards and asks for again.
//!
//! One pure state machine for any number of sources that share its reassembly buffers. What happens
//! comes in as [`Destination::arrive`] and [`Destination::host_takes`]; after each of them whoever
//! drives it calls [`Destination::grant`] until there is no more to grant.
//!
//! A message that is held, has a buffer reserved, or waits on the host's queue occupies one buffer.

use super::scheme::{RejectUntil, Scheme};
use super::{Message, numbers};
use std::collections::VecDeque;

/// What becomes of a message that arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disposition {
    /// In order: put on the host's queue.
    Output,
    /// Out of order: kept.
    Stored,
    /// Discarded, and turned into a request for one buffer.
    Rejected,
    /// A second copy of what is here already, or was.
    Dropped,
}

impl Disposition {
    pub const NAMES: &'static [&'static str] = &["output", "stored", "rejected", "dropped"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// What an arrival did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    pub disposition: Disposition,
    /// A message that was held out of order and gave its buffer to this one.
    pub deleted: Option<Message>,
}

/// The whole state of a destination.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Destination {
    scheme: Scheme,
    reject_until: RejectUntil,
    buffers: u32,
    used: u32,
    streams: Vec<Stream>,
    /// Accepted and not yet taken by the host.
    host_queue: VecDeque<Message>,
    /// Requests for a buffer.
    pending: VecDeque<Message>,
    /// What is held, in the order it was stored.
    held: Vec<Message>,
}

/// What is known of one source. Bit b of a set stands for the message `next + b`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct Stream {
    /// The lowest number not yet put on the host's queue.
    next: u32,
    /// The lowest number the host has not yet taken: RFNMs of all before it have been sent.
    taken: u32,
    /// Has arrived at least once, accepted or not.
    seen: u64,
    held: u64,
    /// Has a buffer set aside.
    reserved: u64,
}

impl Destination {
    pub fn new(scheme: Scheme, reject_until: RejectUntil, sources: u32, buffers: u32) -> Self {
        Self {
            scheme,
            reject_until,
            buffers,
            used: 0,
            streams: vec![Stream::default(); sources as usize],
            host_queue: VecDeque::new(),
            pending: VecDeque::new(),
            held: Vec::new(),
        }
    }

    /// A message arrives.
    pub fn arrive(&mut self, message: Message) -> Arrival {
        let dropped = Arrival { disposition: Disposition::Dropped, deleted: None };
        let free = self.free();
        let Some(stream) = self.streams.get_mut(message.source as usize) else { return dropped };
        let Some(ahead) = message.number.checked_sub(stream.next).filter(|a| *a < u64::BITS) else {
            return dropped;
        };
        let (bit, before) = (1_u64 << ahead, (1_u64 << ahead) - 1);
        // Held, or refused and not yet asked for.
        if stream.seen & bit != 0 && stream.reserved & bit == 0 {
            return dropped;
        }
        stream.seen |= bit;
        let in_order = ahead == 0 && stream.is_next_due(self.reject_until);
        let mut deleted = None;
        let accepted = if stream.reserved & bit != 0 {
            // "not accepted unless they were retransmitted in response to a previous buffer
            // allocation" (RFC 626, page 2)
            stream.reserved &= !bit;
            true
        } else if in_order && free > 0 {
            self.used += 1;
            true
        } else if in_order {
            deleted = self.displace();
            deleted.is_some()
        } else {
            let without = before & !stream.held & !stream.reserved;
            let known = stream.seen & before == before;
            let needed = 1 + without.count_ones();
            let stores = self.scheme.stores(known, needed, free);
            if stores && self.scheme.provides() {
                stream.reserved |= without;
                self.used += without.count_ones();
            }
            self.used += u32::from(stores);
            stores
        };
        let disposition = if !accepted {
            self.pending.push_back(message);
            Disposition::Rejected
        } else if ahead > 0 {
            self.hold(message, bit);
            Disposition::Stored
        } else {
            self.hold(message, bit);
            self.deliver(message.source);
            Disposition::Output
        };
        Arrival { disposition, deleted }
    }

    /// The host takes the first message of its queue, which frees the buffer. The message's RFNM is
    /// sent: "after message i has been accepted by the destination HOST the RFNM is sent to the source
    /// IMP" (page 2). `None`: the queue is empty.
    pub fn host_takes(&mut self) -> Option<Message> {
        let message = self.host_queue.pop_front()?;
        self.used -= 1;
        if let Some(stream) = self.streams.get_mut(message.source as usize) {
            stream.taken = message.number + 1;
        }
        Some(message)
    }

    /// Grants the first request that may have a buffer now: it is set aside, and the message's ALL is
    /// sent. `None`: there is nothing to grant.
    pub fn grant(&mut self) -> Option<Message> {
        let at = self.pending.iter().position(|m| self.may_grant(*m))?;
        let message = self.pending.remove(at)?;
        let stream = self.streams.get_mut(message.source as usize)?;
        let bit = 1_u64 << (message.number - stream.next);
        self.used += u32::from(stream.reserved & bit == 0);
        stream.reserved |= bit;
        Some(message)
    }

    fn may_grant(&self, message: Message) -> bool {
        let Some(stream) = self.streams.get(message.source as usize) else { return false };
        // "Requests for buffer allocation are always services in order of message number; i.e., no
        // 'ALLOCATE' is returned for message (n+1) if message (n) (or a request for buffer allocation
        // for message (n)) has not yet been received and serviced." (RFC 626, page 2)
        let due = message.number == stream.next && stream.is_next_due(RejectUntil::Rfnm);
        let provided = stream.reserved >> (message.number - stream.next) & 1 == 1;
        (due || !self.scheme.grants_in_order()) && (provided || self.free() > 0)
    }

    fn hold(&mut self, message: Message, bit: u64) {
        self.streams[message.source as usize].held |= bit;
        self.held.push(message);
    }

    /// Puts what is in order on the host's queue: the next message and its consecutive successors.
    fn deliver(&mut self, source: u32) {
        let stream = &mut self.streams[source as usize];
        let run = stream.held.trailing_ones();
        let first = stream.next;
        let shift = |bits: u64| bits.checked_shr(run).unwrap_or(0);
        stream.next += run;
        stream.seen = shift(stream.seen);
        stream.held = shift(stream.held);
        stream.reserved = shift(stream.reserved);
        self.held.retain(|m| m.source != source || m.number >= first + run);
        self.host_queue.extend((first..first + run).map(|number| Message { source, number }));
    }

    /// Deletes the held message that is furthest from delivery, the latest stored of several, and
    /// gives its buffer away: "This can also be considered as deferred rejection." (page 6)
    fn displace(&mut self) -> Option<Message> {
        if !self.scheme.displaces() {
            return None;
        }
        let ahead = |m: &Message| m.number - self.streams[m.source as usize].next;
        let (at, _) = self.held.iter().enumerate().max_by_key(|(_, m)| ahead(m))?;
        let message = self.held.remove(at);
        let stream = &mut self.streams[message.source as usize];
        stream.held &= !(1 << (message.number - stream.next));
        self.pending.push_back(message);
        Some(message)
    }

    pub fn buffers(&self) -> u32 {
        self.buffers
    }

    /// Buffers that nothing occupies.
    pub fn free(&self) -> u32 {
        self.buffers - self.used
    }

    pub fn sources(&self) -> u32 {
        self.streams.len() as u32
    }

    /// The lowest number of a source not yet put on the host's queue.
    pub fn next(&self, source: u32) -> u32 {
        self.stream(source).next
    }

    /// The last number whose RFNM was sent; `None` before the first.
    pub fn last_rfnm(&self, source: u32) -> Option<u32> {
        self.stream(source).taken.checked_sub(1)
    }

    /// Numbers of messages, not yet delivered, that have arrived at least once; ascending.
    pub fn seen(&self, source: u32) -> impl Iterator<Item = u32> + Clone {
        let s = self.stream(source);
        numbers(s.next, s.seen)
    }

    /// Numbers of messages that are held out of order, ascending.
    pub fn held(&self, source: u32) -> impl Iterator<Item = u32> + Clone {
        let s = self.stream(source);
        numbers(s.next, s.held)
    }

    /// Numbers of messages that have a buffer set aside, ascending.
    pub fn reserved(&self, source: u32) -> impl Iterator<Item = u32> + Clone {
        let s = self.stream(source);
        numbers(s.next, s.reserved)
    }

    /// What waits for the host, in order.
    pub fn host_queue(&self) -> impl ExactSizeIterator<Item = Message> + Clone + '_ {
        self.host_queue.iter().copied()
    }

    /// Requests for a buffer, in the order they will be looked at.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = Message> + Clone + '_ {
        self.pending.iter().copied()
    }

    /// What is held, in the order it was stored.
    pub fn stored(&self) -> impl ExactSizeIterator<Item = Message> + Clone + '_ {
        self.held.iter().copied()
    }

    /// A source that is not there has sent nothing.
    fn stream(&self, source: u32) -> &Stream {
        const NONE: &Stream = &Stream { next: 0, taken: 0, seen: 0, held: 0, reserved: 0 };
        self.streams.get(source as usize).unwrap_or(NONE)
    }
}

impl Stream {
    /// Whether `next` would be in order, were it to arrive now.
    fn is_next_due(&self, reject_until: RejectUntil) -> bool {
        match reject_until {
            RejectUntil::Arrival => true,
            RejectUntil::Rfnm => self.taken == self.next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Disposition::{Dropped, Output, Rejected, Stored};

    const fn msg(source: u32, number: u32) -> Message {
        Message { source, number }
    }

    fn destination(scheme: Scheme, sources: u32, buffers: u32) -> Destination {
        Destination::new(scheme, RejectUntil::Arrival, sources, buffers)
    }

    /// What becomes of messages that arrive while the host takes none.
    fn check(scheme: Scheme, buffers: u32, arrivals: &[(u32, Disposition)]) -> Destination {
        let mut d = destination(scheme, 1, buffers);
        for (number, expected) in arrivals {
            assert_eq!(d.arrive(msg(0, *number)).disposition, *expected, "{scheme:?} {number}");
            assert_eq!(d.grant(), None);
        }
        d
    }

    #[test]
    fn each_scheme_has_its_rule() {
        check(Scheme::Current, 9, &[(1, Rejected), (0, Output), (2, Rejected), (3, Rejected)]);
        let early = [(1, Stored), (3, Stored), (0, Output), (2, Output)];
        check(Scheme::Modified2, 4, &early);
        check(Scheme::Naive, 4, &early);
        // MSG 0 is not known when 1 arrives; 1 is known when 2 arrives, and 0 not yet delivered is no
        // more missing.
        check(Scheme::Modified1, 9, &[(1, Rejected), (0, Output), (2, Stored), (3, Stored), (5, Rejected)]);
    }

    #[test]
    fn modified_1_sets_buffers_aside_for_what_comes_before() {
        // 0 in order, 1 refused: then 3 needs a buffer, and 1 and 2 need one each.
        let mut d = check(Scheme::Modified1, 3, &[(1, Rejected), (0, Output), (2, Stored), (3, Rejected)]);
        assert_eq!((d.free(), d.reserved(0).collect::<Vec<_>>()), (0, vec![1]));
        assert_eq!((d.host_takes(), d.grant(), d.free()), (Some(msg(0, 0)), Some(msg(0, 1)), 1));
        // Too few for both: neither is set aside.
        let d = check(Scheme::Modified1, 2, &[(1, Rejected), (0, Output), (2, Rejected)]);
        assert_eq!((d.free(), d.reserved(0).count()), (1, 0));
    }

    #[test]
    fn modified_2_deletes_what_is_furthest_from_delivery() {
        let mut d = destination(Scheme::Modified2, 2, 3);
        for m in [msg(0, 1), msg(0, 3), msg(1, 3)] {
            assert_eq!(d.arrive(m), Arrival { disposition: Stored, deleted: None });
        }
        // Both are 3 away: the latest stored goes.
        assert_eq!(d.arrive(msg(0, 0)), Arrival { disposition: Output, deleted: Some(msg(1, 3)) });
        assert_eq!(d.host_queue().collect::<Vec<_>>(), [msg(0, 0), msg(0, 1)]);
        assert_eq!(d.arrive(msg(1, 0)).deleted, Some(msg(0, 3)));
        assert_eq!((d.free(), d.pending().collect::<Vec<_>>()), (0, vec![msg(1, 3), msg(0, 3)]));
        // Nothing is held: what is in order is refused too, and has its turn when a buffer frees.
        assert_eq!(d.arrive(msg(1, 1)).disposition, Rejected);
        assert_eq!((d.host_takes(), d.grant()), (Some(msg(0, 0)), None));
        assert_eq!((d.host_takes(), d.grant()), (Some(msg(0, 1)), None));
        assert_eq!((d.host_takes(), d.grant(), d.grant()), (Some(msg(1, 0)), Some(msg(1, 1)), None));
    }

    #[test]
    fn the_second_reading_waits_for_the_rfnm() {
        let mut d = Destination::new(Scheme::Current, RejectUntil::Rfnm, 1, 9);
        assert_eq!(d.arrive(msg(0, 0)).disposition, Output);
        assert_eq!((d.arrive(msg(0, 1)).disposition, d.grant()), (Rejected, None));
        assert_eq!((d.host_takes(), d.grant()), (Some(msg(0, 0)), Some(msg(0, 1))));
        assert_eq!(d.arrive(msg(0, 1)).disposition, Output);
        // The modified schemes have nothing to wait for.
        let mut d = Destination::new(Scheme::Modified1, RejectUntil::Rfnm, 1, 9);
        assert_eq!([0, 1, 2].map(|k| d.arrive(msg(0, k)).disposition), [Output; 3]);
    }

    #[test]
    fn second_copies_are_dropped() {
        let d = &mut check(Scheme::Naive, 9, &[(0, Output), (2, Stored), (0, Dropped), (2, Dropped)]);
        assert_eq!(d.free(), 7);
        check(Scheme::Current, 9, &[(1, Rejected), (1, Dropped)]);
        // No source sends so far ahead, and there is no second source.
        assert_eq!([msg(0, 65), msg(1, 0)].map(|m| d.arrive(m).disposition), [Dropped; 2]);
    }

    #[test]
    fn taken_at_its_word_the_second_proposal_gives_the_last_buffer_away() {
        let mut d = destination(Scheme::Modified2Literal, 2, 1);
        assert_eq!(d.arrive(msg(0, 0)).disposition, Output);
        for m in [msg(1, 1), msg(0, 1), msg(1, 0)] {
            assert_eq!(d.arrive(m).disposition, Rejected);
        }
        assert_eq!((d.host_takes(), d.grant(), d.grant()), (Some(msg(0, 0)), Some(msg(1, 1)), None));
        assert_eq!(d.arrive(msg(1, 1)).disposition, Stored);
        assert_eq!((d.free(), d.grant(), d.host_takes()), (0, None, None));
    }
}

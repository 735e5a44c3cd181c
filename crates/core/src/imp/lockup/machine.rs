//! The machine itself, in a net that may take any order: endless streams, queues first in, first out.

use super::states::{Doing, State};
use crate::imp::lockup::Setup;
use crate::imp::sequence::{ENDLESS, Item};
use crate::imp::{Destination, Message, Pdu, RejectUntil, Source};

#[derive(Debug, Clone)]
pub(super) struct Machine {
    window: u32,
    sources: Vec<Source>,
    destination: Destination,
    /// What has been sent and has not arrived, in the order sent.
    flight: Vec<(Pdu, Message)>,
}

impl Machine {
    pub(super) fn new(setup: &Setup) -> Self {
        let Setup { scheme, sources, window, buffers } = *setup;
        let mut new = Self {
            window,
            sources: vec![Source::new(window, ENDLESS); sources as usize],
            destination: Destination::new(scheme, RejectUntil::Arrival, sources, buffers),
            flight: Vec::new(),
        };
        (0..sources).for_each(|s| new.send(s));
        new
    }

    /// What can happen now.
    pub(super) fn possible(&self) -> impl Iterator<Item = Item> + '_ {
        let host = (self.destination.host_queue().len() > 0).then_some(Item::Host(None));
        self.flight.iter().map(|(pdu, message)| Item::Arrives(*pdu, *message)).chain(host)
    }

    /// Lets something possible happen. Whether a window slid, and whose.
    pub(super) fn apply(&mut self, item: Item) -> Option<u32> {
        match item {
            Item::Arrives(pdu, message) => {
                let at = self.flight.iter().position(|f| *f == (pdu, message))?;
                self.flight.remove(at);
                match pdu {
                    Pdu::Msg => {
                        self.destination.arrive(message);
                        self.grant();
                    }
                    Pdu::All => self.flight.push((Pdu::Msg, message)),
                    Pdu::Rfnm => {
                        let source = &mut self.sources[message.source as usize];
                        let base = source.base();
                        source.rfnm(message.number);
                        let slid = source.base() > base;
                        self.send(message.source);
                        return slid.then_some(message.source);
                    }
                }
            }
            Item::Host(_) => {
                let taken = self.destination.host_takes()?;
                self.flight.push((Pdu::Rfnm, taken));
                self.grant();
            }
            Item::Pause(_) | Item::Resume(_) => {}
        }
        None
    }

    fn grant(&mut self) {
        while let Some(message) = self.destination.grant() {
            self.flight.push((Pdu::All, message));
        }
    }

    fn send(&mut self, source: u32) {
        while let Some(number) = self.sources[source as usize].send() {
            self.flight.push((Pdu::Msg, Message { source, number }));
        }
    }

    /// Its abstract state.
    pub(super) fn state(&self) -> State {
        let mut state = State::initial();
        for source in 0..self.sources.len() as u32 {
            for slot in 0..self.window {
                let number = self.sources[source as usize].base() + slot;
                let doing = self.doing(Message { source, number });
                state = state.with((source * self.window + slot) as usize, doing);
            }
        }
        state
    }

    fn doing(&self, message: Message) -> Doing {
        let d = &self.destination;
        let on_its_way = |pdu| self.flight.contains(&(pdu, message));
        if on_its_way(Pdu::Rfnm) {
            Doing::Rfnm
        } else if on_its_way(Pdu::All) {
            Doing::Allocated
        } else if on_its_way(Pdu::Msg) {
            let provided = d.reserved(message.source).any(|k| k == message.number);
            if provided { Doing::SentAgain } else { Doing::Sent }
        } else if d.host_queue().any(|m| m == message) {
            Doing::HostQueue
        } else if d.stored().any(|m| m == message) {
            Doing::Held
        } else if d.pending().any(|m| m == message) {
            Doing::Refused
        } else {
            Doing::Done
        }
    }

    /// What tells two states of the machine apart: the abstract state, and the order of the queues.
    /// Numbers are relative to the bases, so that endless streams have finitely many.
    pub(super) fn key(&self) -> Vec<u8> {
        let mut key = self.state().0.to_le_bytes().to_vec();
        let d = &self.destination;
        for queue in [d.host_queue().collect::<Vec<_>>(), d.pending().collect(), d.stored().collect()] {
            key.push(u8::MAX);
            for m in queue {
                let slot = m.number - self.sources[m.source as usize].base();
                key.push((m.source * self.window + slot) as u8);
            }
        }
        key
    }
}

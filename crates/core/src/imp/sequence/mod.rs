//! The untimed run: a list of what arrives in which order, and everything that follows.
//!
//! A run is a list of events, each with the whole state after it, so that stepping back is free and a
//! link can name one event. Messages that the windows allow are sent before the first item.

mod columns;
mod item;
mod narration;
mod rounds;
mod scenario;

pub use columns::{Line, columns};
pub use item::{Item, NotAnItem};
pub use narration::{name, narrate};
pub use rounds::Disturbances;
pub use scenario::Scenario;

use super::scheme::{self, PLENTY, count};
use super::{Destination, Disposition, Message, Pdu, RejectUntil, Scheme, Site, Source, Word};
use crate::params::{Param, Params};
use std::fmt;

/// When the host takes what is put on its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Host {
    /// At once.
    #[default]
    Immediate,
    /// When an item says so.
    Explicit,
}

impl Host {
    pub const NAMES: &'static [&'static str] = &["immediate", "explicit"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Immediate, Self::Explicit].into_iter().find(|h| h.name() == name)
    }
}

/// What a run is set to.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    pub scheme: Scheme,
    pub reject_until: RejectUntil,
    pub window: u32,
    pub sources: u32,
    pub buffers: u32,
    pub host: Host,
    /// Messages each source sends in all.
    pub total: u32,
    /// How long the run goes on by itself after its items (see [`Disturbances`]).
    pub rounds: u32,
    /// A second scheme, to be shown beside the first on the same disturbance.
    pub beside: Option<Scheme>,
}

/// The choices of `beside`: none, or a scheme.
const BESIDE: &[&str] = &["none", "current", "modified-1", "modified-2", "modified-2-literal", "naive"];

/// "Endless": more messages than any run sends.
pub const ENDLESS: u32 = 1_000_000_000;

/// More items than this are refused: each event keeps the whole state.
pub const MOST_ITEMS: usize = 10_000;

impl Default for Setup {
    fn default() -> Self {
        Self {
            scheme: Scheme::Current,
            reject_until: RejectUntil::Arrival,
            // "Currently there is a limit of four messages that can simultaneously be in transmission
            // between any pair of source and destination IMPs." (RFC 626, page 1)
            window: 4,
            sources: 1,
            buffers: PLENTY,
            host: Host::Immediate,
            total: ENDLESS,
            rounds: 0,
            beside: None,
        }
    }
}

impl Params for Setup {
    const TABLE: &'static [Param<Self>] = &[
        Param::choice(
            scheme::SCHEME,
            Scheme::NAMES,
            |p| p.scheme.name(),
            |p, v| p.scheme = Scheme::named(v).unwrap_or(p.scheme),
        ),
        Param::choice(
            ("beside", "", "beside it", "A second scheme on the same disturbance, or none."),
            BESIDE,
            |p| p.beside.map_or("none", Scheme::name),
            |p, v| p.beside = Scheme::named(v),
        ),
        Param::number(
            scheme::WINDOW,
            count(1.0, scheme::MOST_WINDOW as f64, (1.0, 8.0)),
            |p| f64::from(p.window),
            |p, v| p.window = v as u32,
        ),
        Param::number(
            scheme::BUFFERS,
            count(1.0, PLENTY as f64, (1.0, 12.0)),
            |p: &Self| f64::from(p.buffers),
            |p, v| p.buffers = v as u32,
        )
        .named(&[(PLENTY as f64, "plenty")]),
        Param::number(
            scheme::SOURCES,
            count(1.0, 8.0, (1.0, 3.0)),
            |p| f64::from(p.sources),
            |p, v| p.sources = v as u32,
        ),
        Param::number(
            (
                "rounds",
                "",
                "rounds",
                "How many rounds the run goes on by itself: all messages arrive, then all that comes back.",
            ),
            count(0.0, 100.0, (0.0, 20.0)),
            |p| f64::from(p.rounds),
            |p, v| p.rounds = v as u32,
        ),
        Param::choice(
            ("host", "", "host", "Whether the host takes a message at once, or when an item says so."),
            Host::NAMES,
            |p| p.host.name(),
            |p, v| p.host = Host::named(v).unwrap_or(p.host),
        ),
        Param::number(
            ("total", "", "messages in all", "How many messages each source sends in all."),
            count(1.0, ENDLESS as f64, (1.0, 20.0)),
            |p: &Self| f64::from(p.total),
            |p, v| p.total = v as u32,
        )
        .named(&[(ENDLESS as f64, "unlimited")]),
        Param::choice(
            scheme::REJECT_UNTIL,
            RejectUntil::NAMES,
            |p| p.reject_until.name(),
            |p, v| p.reject_until = RejectUntil::named(v).unwrap_or(p.reject_until),
        ),
    ];
}

/// Something sent, arrived or deleted.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The item it belongs to, from 1; 0 for what is sent before the first.
    pub step: usize,
    pub site: Site,
    pub pdu: Pdu,
    pub message: Message,
    pub word: Word,
    /// Of a message that arrives; `None` for all else.
    pub disposition: Option<Disposition>,
    /// A message sent again, or the arrival of one.
    pub again: bool,
    /// Of an arrival: the event that sent it.
    pub sent: Option<usize>,
}

impl Event {
    /// Whether this is the sending of a message that was sent before.
    pub fn is_retransmission(&self) -> bool {
        self.again && self.word == Word::Sent
    }

    pub fn is_rejection(&self) -> bool {
        self.disposition == Some(Disposition::Rejected)
    }
}

/// Both IMPs after an event.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub sources: Vec<Source>,
    pub destination: Destination,
}

/// Something that was sent and has not arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flight {
    pub pdu: Pdu,
    pub message: Message,
    pub again: bool,
    /// The event that sent it.
    pub sent: usize,
}

/// A run, from its first event to its last.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Run {
    pub events: Vec<Event>,
    /// `states[i]`: after `events[i]`.
    pub states: Vec<State>,
    /// What was done, item by item; those of [`Disturbances`] included.
    pub items: Vec<Item>,
    /// What was sent again, in order.
    pub retransmitted: Vec<Message>,
    /// What has not arrived when the run ends, in the order it was sent.
    pub flight: Vec<Flight>,
    /// Nothing is in flight, the host's queue is empty, and some message has no RFNM.
    pub deadlock: bool,
    /// Messages that [`Disturbances`] name and do nothing to: they were not under way in any round.
    pub idle: Vec<u32>,
}

impl Run {
    /// The first event that is so; what a reader can pause on.
    pub fn first(&self, pause: Pause) -> Option<usize> {
        match pause {
            Pause::Retransmission => self.events.iter().position(Event::is_retransmission),
            Pause::Rejection => self.events.iter().position(Event::is_rejection),
            Pause::Deadlock => self.deadlock.then(|| self.events.len().saturating_sub(1)),
        }
    }
}

/// What a reader can pause on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    Retransmission,
    Rejection,
    Deadlock,
}

/// Runs the items, and then the rounds.
pub fn run(setup: &Setup, items: &[Item], disturbances: &Disturbances) -> Result<Run, Impossible> {
    let mut sequence = Sequence::new(setup);
    for item in items {
        sequence.apply(*item)?;
    }
    rounds::go_on(&mut sequence, setup.rounds, disturbances);
    Ok(sequence.finish())
}

/// An item that cannot happen.
#[derive(Debug, Clone, PartialEq)]
pub struct Impossible {
    /// Which, from 1.
    pub step: usize,
    pub item: Item,
    pub why: Why,
    /// What could have happened instead, in the order it was sent.
    pub possible: Vec<Item>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    NotInFlight,
    NoSuchSource {
        sources: u32,
    },
    /// The host takes messages by itself.
    HostIsImmediate,
    NothingForTheHost,
    /// Another message comes first.
    NotFirst {
        first: Message,
    },
    TooMany,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 12;
        write!(f, "item {}, \"{}\", cannot happen: ", self.step, self.item)?;
        match self.why {
            Why::NotInFlight => f.write_str("that is not in flight")?,
            Why::NoSuchSource { sources: 1 } => f.write_str("there is one source, number 0")?,
            Why::NoSuchSource { sources } => {
                write!(f, "there are {sources} sources, numbers 0 to {}", sources - 1)?;
            }
            Why::HostIsImmediate => {
                f.write_str("the host takes each message at once, unless host = \"explicit\"")?;
            }
            Why::NothingForTheHost => f.write_str("nothing waits for the host")?,
            Why::NotFirst { first } => {
                write!(
                    f,
                    "the host takes messages in order, and MSG {} of source {} is first",
                    first.number, first.source
                )?;
            }
            Why::TooMany => return write!(f, "a run has {MOST_ITEMS} items at most"),
        }
        match self.possible.as_slice() {
            [] => f.write_str("; nothing is possible here: the run is over"),
            [one] => write!(f, "; possible is \"{one}\""),
            some => {
                for (i, item) in some.iter().take(MOST).enumerate() {
                    let before = if i == 0 { "; possible are " } else { ", " };
                    write!(f, "{before}\"{item}\"")?;
                }
                if some.len() > MOST { write!(f, " and {} more", some.len() - MOST) } else { Ok(()) }
            }
        }
    }
}

impl std::error::Error for Impossible {}

/// A run under way.
#[derive(Debug, Clone)]
struct Sequence {
    host: Host,
    now: State,
    run: Run,
}

impl Sequence {
    /// Sends what the windows allow.
    fn new(setup: &Setup) -> Self {
        let sources = vec![Source::new(setup.window, setup.total); setup.sources as usize];
        let destination = Destination::new(setup.scheme, setup.reject_until, setup.sources, setup.buffers);
        let now = State { sources, destination };
        let mut new = Self { host: setup.host, now, run: Run::default() };
        (0..setup.sources).for_each(|s| new.send(s));
        new
    }

    fn finish(mut self) -> Run {
        let waits = |s: &Source| s.copies().next().is_some();
        self.run.deadlock = self.run.flight.is_empty()
            && self.now.destination.host_queue().len() == 0
            && self.now.sources.iter().any(waits);
        self.run
    }

    /// What can happen now, but for pauses.
    fn possible(&self) -> Vec<Item> {
        let arrivals = self.run.flight.iter().map(|f| Item::Arrives(f.pdu, f.message));
        let waits = self.host == Host::Explicit && self.now.destination.host_queue().len() > 0;
        arrivals.chain(waits.then_some(Item::Host(None))).collect()
    }

    fn apply(&mut self, item: Item) -> Result<(), Impossible> {
        if let Err(why) = self.judge(item) {
            return Err(Impossible { step: self.run.items.len() + 1, item, why, possible: self.possible() });
        }
        self.run.items.push(item);
        match item {
            Item::Arrives(pdu, message) => {
                if let Some(at) = self.in_flight(pdu, message) {
                    let flight = self.run.flight.remove(at);
                    self.arrive(flight);
                }
            }
            Item::Host(_) => self.host_takes(),
            Item::Pause(source) => self.now.sources[source as usize].pause(true),
            Item::Resume(source) => {
                self.now.sources[source as usize].pause(false);
                self.send(source);
            }
        }
        Ok(())
    }

    fn judge(&self, item: Item) -> Result<(), Why> {
        let source = match item {
            Item::Arrives(_, message) => Some(message.source),
            Item::Host(source) => source,
            Item::Pause(source) | Item::Resume(source) => Some(source),
        };
        let sources = self.now.destination.sources();
        if self.run.items.len() == MOST_ITEMS {
            return Err(Why::TooMany);
        }
        if source.is_some_and(|s| s >= sources) {
            return Err(Why::NoSuchSource { sources });
        }
        match item {
            Item::Arrives(pdu, message) if self.in_flight(pdu, message).is_none() => Err(Why::NotInFlight),
            Item::Host(_) if self.host == Host::Immediate => Err(Why::HostIsImmediate),
            Item::Host(source) => match self.now.destination.host_queue().next() {
                None => Err(Why::NothingForTheHost),
                Some(first) if source.is_some_and(|s| s != first.source) => Err(Why::NotFirst { first }),
                Some(_) => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The earliest sent of the PDUs that are alike.
    fn in_flight(&self, pdu: Pdu, message: Message) -> Option<usize> {
        self.run.flight.iter().position(|f| f.pdu == pdu && f.message == message)
    }

    fn arrive(&mut self, flight: Flight) {
        let Flight { pdu, message, again, sent } = flight;
        let event = |disposition| Event {
            step: self.run.items.len(),
            site: pdu.to(),
            pdu,
            message,
            word: Word::Arrived,
            disposition,
            again,
            sent: Some(sent),
        };
        let source = &mut self.now.sources[message.source as usize];
        match pdu {
            Pdu::Msg => {
                let arrival = self.now.destination.arrive(message);
                let event = event(Some(arrival.disposition));
                self.push(event);
                if let Some(deleted) = arrival.deleted {
                    self.note(Site::Destination, Pdu::Msg, deleted, Word::Deleted, false);
                }
                match self.host {
                    // "it is put on the proper HOST output queue" (page 2), and taken.
                    Host::Immediate => {
                        while self.now.destination.host_queue().len() > 0 {
                            self.host_takes();
                        }
                    }
                    Host::Explicit => {}
                }
                self.grant();
            }
            Pdu::Rfnm => {
                source.rfnm(message.number);
                let event = event(None);
                self.push(event);
                self.send(message.source);
            }
            Pdu::All => {
                let has_copy = source.has_copy(message.number);
                let event = event(None);
                self.push(event);
                if has_copy {
                    self.run.retransmitted.push(message);
                    self.put(Pdu::Msg, message, true);
                }
            }
        }
    }

    /// Each acceptance by the host gives its RFNM, then its grants.
    fn host_takes(&mut self) {
        if let Some(message) = self.now.destination.host_takes() {
            self.put(Pdu::Rfnm, message, false);
            self.grant();
        }
    }

    fn grant(&mut self) {
        while let Some(message) = self.now.destination.grant() {
            self.put(Pdu::All, message, false);
        }
    }

    /// Sends what the window allows.
    fn send(&mut self, source: u32) {
        while let Some(number) = self.now.sources[source as usize].send() {
            self.put(Pdu::Msg, Message { source, number }, false);
        }
    }

    /// Puts a PDU on its way.
    fn put(&mut self, pdu: Pdu, message: Message, again: bool) {
        let sent = self.run.events.len();
        let from = match pdu.to() {
            Site::Source => Site::Destination,
            Site::Destination => Site::Source,
        };
        self.note(from, pdu, message, Word::Sent, again);
        self.run.flight.push(Flight { pdu, message, again, sent });
    }

    fn note(&mut self, site: Site, pdu: Pdu, message: Message, word: Word, again: bool) {
        let step = self.run.items.len();
        self.push(Event { step, site, pdu, message, word, disposition: None, again, sent: None });
    }

    fn push(&mut self, event: Event) {
        self.run.events.push(event);
        self.run.states.push(self.now.clone());
    }
}

#[cfg(test)]
mod tests;

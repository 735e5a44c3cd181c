//! The JSON of `netspurt imp`.
//!
//! With one source a message is its number; with several it is a pair of number and source, and what
//! each source has of its own is a list.

use netspurt_core::experiments::imp::Side;
use netspurt_core::imp::sequence::{Event, State};
use netspurt_core::imp::{Disposition, Message, Source};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Answer {
    scheme: &'static str,
    events: Vec<EventRow>,
    /// After each event.
    states: Vec<StateRow>,
    retransmitted: Vec<Named>,
    deadlock: bool,
    /// The same under the second scheme, if one is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<Box<Self>>,
}

#[derive(Serialize)]
struct EventRow {
    step: usize,
    site: &'static str,
    pdu: &'static str,
    message: u32,
    source: u32,
    word: &'static str,
    disposition: Option<&'static str>,
    again: bool,
}

#[derive(Serialize)]
struct StateRow {
    source: SourceRow,
    destination: DestinationRow,
}

#[derive(Serialize)]
struct SourceRow {
    base: Each<u32>,
    copies: Vec<Named>,
}

#[derive(Serialize)]
struct DestinationRow {
    next: Each<u32>,
    seen: Vec<Named>,
    held: Vec<Named>,
    reserved: Vec<Named>,
    host_queue: Vec<Named>,
    pending: Vec<Named>,
    rfnm: Each<Option<u32>>,
    free: u32,
}

/// Of the one source, or of each.
#[derive(Serialize)]
#[serde(untagged)]
enum Each<T> {
    One(T),
    All(Vec<T>),
}

/// A number, or a pair of number and source.
#[derive(Serialize)]
#[serde(untagged)]
enum Named {
    Number(u32),
    Pair([u32; 2]),
}

impl Answer {
    pub(super) fn new(sides: &[Side]) -> Self {
        let mut answers = sides.iter().map(Self::of);
        let first = answers.next();
        let beside = answers.next().map(Box::new);
        // There is a first side always.
        let first = first.unwrap_or(Self {
            scheme: "",
            events: Vec::new(),
            states: Vec::new(),
            retransmitted: Vec::new(),
            deadlock: false,
            beside: None,
        });
        Self { beside, ..first }
    }

    fn of(side: &Side) -> Self {
        let several = side.run.states.first().is_some_and(|s| s.sources.len() > 1);
        let names = Names { several };
        Self {
            scheme: side.scheme.name(),
            events: side.run.events.iter().map(EventRow::of).collect(),
            states: side.run.states.iter().map(|s| names.state(s)).collect(),
            retransmitted: names.all(side.run.retransmitted.iter().copied()),
            deadlock: side.run.deadlock,
            beside: None,
        }
    }
}

impl EventRow {
    fn of(e: &Event) -> Self {
        Self {
            step: e.step,
            site: e.site.name(),
            pdu: e.pdu.name(),
            message: e.message.number,
            source: e.message.source,
            word: e.word.name(),
            disposition: e.disposition.map(Disposition::name),
            again: e.is_retransmission(),
        }
    }
}

/// How messages are named.
struct Names {
    several: bool,
}

impl Names {
    fn all(&self, messages: impl Iterator<Item = Message>) -> Vec<Named> {
        let name = |Message { source, number }| {
            if self.several { Named::Pair([number, source]) } else { Named::Number(number) }
        };
        messages.map(name).collect()
    }

    fn each<T>(&self, sources: u32, of: impl Fn(u32) -> T) -> Each<T> {
        if self.several { Each::All((0..sources).map(of).collect()) } else { Each::One(of(0)) }
    }

    fn state(&self, state: &State) -> StateRow {
        let (d, sources) = (&state.destination, state.sources.len() as u32);
        let set = |of: &dyn Fn(u32) -> Vec<u32>| {
            let of = |source| of(source).into_iter().map(move |number| Message { source, number });
            self.all((0..sources).flat_map(of))
        };
        let source = |s: u32| state.sources.get(s as usize);
        StateRow {
            source: SourceRow {
                base: self.each(sources, |s| source(s).map_or(0, Source::base)),
                copies: set(&|s| source(s).into_iter().flat_map(Source::copies).collect()),
            },
            destination: DestinationRow {
                next: self.each(sources, |s| d.next(s)),
                seen: set(&|s| d.seen(s).collect()),
                held: set(&|s| d.held(s).collect()),
                reserved: set(&|s| d.reserved(s).collect()),
                host_queue: self.all(d.host_queue()),
                pending: self.all(d.pending()),
                rfnm: self.each(sources, |s| d.last_rfnm(s)),
                free: d.free(),
            },
        }
    }
}

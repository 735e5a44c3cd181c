//! What both IMPs hold after an event, as chips.

use super::Side;
use crate::imp::sequence::State;
use crate::imp::{Message, Pdu, Relative, Source, Word};
use crate::report::{Chip, ChipState, Holder};

/// Up to so many buffers are shown one by one, the free ones too.
const MOST_FREE: u32 = 12;

/// A row for each source, and one for the destination.
pub(super) fn holders(side: &Side, at: usize) -> Vec<Holder> {
    let Some(state) = side.run.states.get(at) else { return Vec::new() };
    let sources = (0..state.destination.sources()).map(|i| source(side, state, at, i));
    sources.chain([destination(state)]).collect()
}

fn source(side: &Side, state: &State, at: usize, source: u32) -> Holder {
    let several = state.sources.len() > 1;
    let copies = state.sources.get(source as usize).into_iter().flat_map(Source::copies);
    let copies = copies.map(|n| chip(relative(n), ChipState::Plain)).collect();
    // An ALL is answered at once, by the next event.
    let asked = side.run.events.get(at).filter(|e| {
        (e.pdu, e.word, e.message.source) == (Pdu::All, Word::Arrived, source)
            && side.run.events.get(at + 1).is_some_and(|n| n.is_retransmission() && n.message == e.message)
    });
    let asked = asked.map(|e| chip(relative(e.message.number), ChipState::Plain));
    let name = if several { format!("Source IMP {source}") } else { "Source IMP".to_owned() };
    Holder {
        name,
        holds: vec![("copies held".into(), copies), ("may resend".into(), asked.into_iter().collect())],
    }
}

fn destination(state: &State) -> Holder {
    let destination = &state.destination;
    let several = destination.sources() > 1;
    let name = |m: Message| {
        if several { format!("{}@{}", Relative(m.number), m.source) } else { relative(m.number) }
    };
    let sources = || 0..destination.sources();
    let reserved =
        sources().flat_map(|s| destination.reserved(s).map(move |number| Message { source: s, number }));
    let leaving = destination.host_queue().map(|m| chip(name(m), ChipState::Leaving));
    let stored = destination.stored().map(|m| chip(name(m), ChipState::Stored));
    let kept = reserved.map(|m| chip(name(m), ChipState::Kept));
    let mut buffers: Vec<Chip> = leaving.chain(stored).chain(kept).collect();
    if destination.buffers() <= MOST_FREE {
        buffers.extend((0..destination.free()).map(|_| chip(String::new(), ChipState::Free)));
    } else {
        buffers.push(chip("plenty free".to_owned(), ChipState::Free));
    }
    let next = sources().map(|source| Message { source, number: destination.next(source) });
    let expects = next.map(|m| chip(name(m), ChipState::Plain)).collect();
    let waiting = destination.pending().map(|m| chip(name(m), ChipState::Plain)).collect();
    Holder {
        name: "Destination IMP".to_owned(),
        holds: vec![("buffers".into(), buffers), ("expects".into(), expects), ("refused".into(), waiting)],
    }
}

fn relative(number: u32) -> String {
    Relative(number).to_string()
}

fn chip(name: String, state: ChipState) -> Chip {
    Chip { name, state }
}

#[cfg(test)]
mod tests {
    use super::super::sides;
    use super::*;
    use crate::imp::Scheme;
    use crate::imp::sequence::{Disturbances, Scenario, Setup};

    /// All that is held, with a letter for what is not plain.
    fn check(setup: Setup, event: usize, expected: &str) {
        let disturbances = Disturbances { overtakes: vec![1], ..Disturbances::default() };
        let side = sides(&Scenario { setup, disturbances, ..Scenario::default() }).unwrap().remove(0);
        let told: Vec<String> = holders(&side, event)
            .iter()
            .map(|h| {
                let holds = h.holds.iter().map(|(name, chips)| {
                    let chips = chips.iter().map(|c| {
                        format!(
                            " {}{}",
                            c.name,
                            match c.state {
                                ChipState::Plain => "",
                                ChipState::Free => "_",
                                ChipState::Kept => "?",
                                ChipState::Stored => "*",
                                ChipState::Leaving => ">",
                            }
                        )
                    });
                    format!("{name}{}", chips.collect::<String>())
                });
                format!("{}: {}", h.name, holds.collect::<Vec<_>>().join(", "))
            })
            .collect();
        assert_eq!(told.join("; "), expected);
    }

    #[test]
    fn what_is_held_is_told_after_each_event() {
        let setup = |scheme| Setup { scheme, rounds: 2, buffers: 3, ..Setup::default() };
        // MSG(i+1) is refused.
        check(
            setup(Scheme::Current),
            4,
            "Source IMP: copies held i i+1 i+2 i+3, may resend; Destination IMP: buffers _ _ _, expects i, refused i+1",
        );
        // MSG(i) arrives, and its buffer is not free yet.
        check(
            setup(Scheme::Current),
            5,
            "Source IMP: copies held i i+1 i+2 i+3, may resend; Destination IMP: buffers i> _ _, expects i+1, refused i+1",
        );
        // ALL(i+1) is sent, and a buffer kept.
        check(
            setup(Scheme::Current),
            7,
            "Source IMP: copies held i i+1 i+2 i+3, may resend; Destination IMP: buffers i+1? _ _, expects i+1, refused",
        );
        // ALL(i+1) arrives.
        check(
            setup(Scheme::Current),
            12,
            "Source IMP: copies held i+1 i+2 i+3 i+4, may resend i+1; Destination IMP: buffers i+1? _ _, expects i+1, refused i+2 i+3",
        );
        // MSG(i+2) is stored.
        check(
            setup(Scheme::Modified1),
            8,
            "Source IMP: copies held i i+1 i+2 i+3, may resend; Destination IMP: buffers i+2* i+1? _, expects i+1, refused",
        );
    }

    #[test]
    fn several_sources_are_told_apart_and_plenty_is_said() {
        let setup = Setup { sources: 2, window: 1, rounds: 0, ..Setup::default() };
        check(
            setup,
            1,
            "Source IMP 0: copies held i, may resend; Source IMP 1: copies held i, may resend; Destination IMP: buffers plenty free_, expects i@0 i@1, refused",
        );
    }
}

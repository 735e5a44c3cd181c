//! Abstract states, and what can happen in each.
//!
//! The rules are stated here once more, in terms of what each message is doing, so that the search
//! and the machine check each other.

use crate::imp::Scheme;

/// What a message of a window is doing. Those from `HostQueue` on have been accepted in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Doing {
    /// On its way, for the first time.
    Sent,
    /// On its way again, with a buffer set aside.
    SentAgain,
    /// Held out of order.
    Held,
    /// Discarded, and waiting for its ALL.
    Refused,
    /// Its ALL is on its way, and a buffer set aside.
    Allocated,
    HostQueue,
    /// Taken by the host; its RFNM is on its way.
    Rfnm,
    /// Its RFNM has arrived, but not that of one before it.
    Done,
}

use Doing::{Allocated, Done, Held, HostQueue, Refused, Rfnm, Sent, SentAgain};

/// The lowest bit of each message's three.
const EACH: u64 = 0o111_111_111_111_111_111_111;

/// The places of the bits that [`State::all`] sets.
fn places(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (bits != 0).then(|| bits.trailing_zeros() as usize / 3)?;
        bits &= bits - 1;
        Some(at)
    })
}

const ALL: [Doing; 8] = [Sent, SentAgain, Held, Refused, Allocated, HostQueue, Rfnm, Done];

/// Three bits a message: the windows of all sources, one after the other, each from its base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State(pub(super) u64);

impl State {
    /// All windows have just been sent.
    pub(super) fn initial() -> Self {
        Self(0)
    }

    fn get(self, at: usize) -> Doing {
        ALL[(self.0 >> (3 * at) & 7) as usize]
    }

    /// The messages that are doing this: bit 3·k for message k.
    fn all(self, doing: Doing) -> u64 {
        let other = self.0 ^ (doing as u64 * EACH);
        !(other | other >> 1 | other >> 2) & EACH
    }

    #[must_use]
    pub(super) fn with(self, at: usize, doing: Doing) -> Self {
        Self(self.0 & !(7 << (3 * at)) | (doing as u64) << (3 * at))
    }
}

#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub(super) scheme: Scheme,
    pub(super) sources: usize,
    pub(super) window: usize,
    pub(super) buffers: u32,
}

impl Rules {
    /// Tells of each state that one event can lead to, and of the source whose window slid, if one did.
    pub(super) fn successors(&self, state: State, mut found: impl FnMut(State, Option<usize>)) {
        let mut after = Vec::new();
        for source in 0..self.sources {
            let (first, next) = (source * self.window, self.next(state, source));
            for at in first..first + self.window {
                after.clear();
                let mut advanced = None;
                match state.get(at) {
                    Sent | SentAgain => self.arrive(state, at, next, &mut after),
                    Allocated => after.push(state.with(at, SentAgain)),
                    // The host takes a source's messages in order.
                    HostQueue if at > first && state.get(at - 1) == HostQueue => {}
                    HostQueue => after.push(state.with(at, Rfnm)),
                    Rfnm => {
                        advanced = (at == first).then_some(source);
                        after.push(self.slide(state.with(at, Done), first));
                    }
                    Held | Refused | Done => {}
                }
                self.grant_all(&mut after, |next| found(next, advanced));
            }
        }
    }

    /// Message `at` of a source arrives, which expects `next`.
    fn arrive(&self, state: State, at: usize, next: usize, after: &mut Vec<State>) {
        let accepted = |state: State| {
            let held = state.with(at, Held);
            if at == next { self.deliver(held, at) } else { held }
        };
        let free = self.free(state);
        if state.get(at) == SentAgain || at == next && free > 0 {
            after.push(accepted(state));
        } else if at == next {
            if self.scheme.displaces() {
                after.extend(places(state.all(Held)).map(|victim| accepted(state.with(victim, Refused))));
            }
            if after.is_empty() {
                after.push(state.with(at, Refused));
            }
        } else {
            let stored = match self.scheme {
                Scheme::Current => false,
                Scheme::Modified1 => {
                    let mut before = next..at;
                    let without = |j: &usize| state.get(*j) == Refused && !self.is_provided(state, *j);
                    let needed = 1 + before.clone().filter(without).count() as u32;
                    before.all(|j| state.get(j) != Sent) && needed <= free
                }
                Scheme::Modified2 | Scheme::Modified2Literal | Scheme::Naive => free > 0,
            };
            after.push(state.with(at, if stored { Held } else { Refused }));
        }
    }

    /// Sends every ALL that can be sent, in every order of choosing; tells of each outcome.
    fn grant_all(&self, states: &mut Vec<State>, mut found: impl FnMut(State)) {
        while let Some(state) = states.pop() {
            let before = states.len();
            let refused = state.all(Refused);
            if refused != 0 {
                let free = self.free(state);
                for at in places(refused) {
                    let source = at / self.window;
                    let in_turn = at == self.next(state, source)
                        && (at == source * self.window || state.get(at - 1) != HostQueue);
                    let may = in_turn || self.scheme == Scheme::Modified2Literal;
                    if may && (free > 0 || self.is_provided(state, at)) {
                        states.push(state.with(at, Allocated));
                    }
                }
            }
            if states.len() == before {
                found(state);
            }
        }
    }

    /// The first message of a source that has not been accepted in order; one past its window's end
    /// if there is none.
    fn next(&self, state: State, source: usize) -> usize {
        let first = source * self.window;
        let accepted = state.all(HostQueue) | state.all(Rfnm) | state.all(Done);
        let rest = (EACH & !accepted) >> (3 * first);
        first + self.window.min(rest.trailing_zeros() as usize / 3)
    }

    /// What is held in order, from `at` on, goes to the host's queue.
    fn deliver(&self, mut state: State, at: usize) -> State {
        let end = (at / self.window + 1) * self.window;
        for at in at..end {
            if state.get(at) != Held {
                break;
            }
            state = state.with(at, HostQueue);
        }
        state
    }

    /// Moves a window past what is done; the source fills it at once.
    fn slide(&self, mut state: State, first: usize) -> State {
        while state.get(first) == Done {
            for at in first..first + self.window - 1 {
                state = state.with(at, state.get(at + 1));
            }
            state = state.with(first + self.window - 1, Sent);
        }
        state
    }

    /// Whether a refused message has a buffer set aside: `modified-1` does that when it stores a later
    /// one of the same source, and never deletes.
    fn is_provided(&self, state: State, at: usize) -> bool {
        let end = (at / self.window + 1) * self.window;
        self.scheme == Scheme::Modified1 && (at + 1..end).any(|k| state.get(k) == Held)
    }

    fn free(&self, state: State) -> u32 {
        let holding = state.all(SentAgain) | state.all(Held) | state.all(Allocated) | state.all(HostQueue);
        let provided = match self.scheme {
            Scheme::Modified1 => places(state.all(Refused)).filter(|at| self.is_provided(state, *at)).count(),
            _ => 0,
        };
        self.buffers - holding.count_ones() - provided as u32
    }
}

//! Lock-up, by exhaustive search: can some order of events lead to where a stream never advances?
//!
//! Endless streams from S sources, window W, B buffers. The search goes through abstract states
//! (`states`): per message of each window, relative to its base, one of eight things it can be
//! doing. Queues have no order there; any eligible grant and any victim is explored, so that what
//! never happens in the abstraction never happens in the machine either. The other way round,
//! [`example`] looks for a run of the machine itself.
//!
//! `current`, `modified-1` and `modified-2` reach no state from which some stream can never advance.
//! `naive` locks up exactly when B ≤ S(W − 1): then all buffers can be taken by messages that are not
//! next.

mod example;
mod graph;
mod machine;
mod states;

pub use example::example;

use super::scheme::{self, PLENTY, Scheme, count};
use crate::params::{Param, Params, Settings};
use crate::tree::{Keyed, Misfit};
use graph::Graph;
use states::{Rules, State};
use std::fmt;

/// What is searched.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    pub scheme: Scheme,
    pub sources: u32,
    pub window: u32,
    pub buffers: u32,
}

impl Default for Setup {
    fn default() -> Self {
        Self { scheme: Scheme::Current, sources: 2, window: 4, buffers: 2 }
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
        Param::number(
            scheme::SOURCES,
            count(1.0, MOST_SOURCES as f64, (1.0, 3.0)),
            |p| f64::from(p.sources),
            |p, v| p.sources = v as u32,
        ),
        Param::number(
            scheme::WINDOW,
            count(1.0, 10.0, (1.0, 4.0)),
            |p| f64::from(p.window),
            |p, v| p.window = v as u32,
        ),
        Param::number(
            scheme::BUFFERS,
            count(1.0, PLENTY as f64, (1.0, 9.0)),
            |p| f64::from(p.buffers),
            |p, v| p.buffers = v as u32,
        ),
    ];
}

impl Keyed for Setup {
    fn settings(&self) -> &dyn Settings {
        self
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        self
    }

    fn check(&self) -> Result<(), Misfit> {
        Search::new(self).map(|_| ()).map_err(|e| Misfit {
            key: "window",
            item: None,
            message: e.to_string(),
        })
    }
}

/// More messages than this in all windows together do not fit a state.
pub const MOST_MESSAGES: u32 = 21;

/// More sources do not fit a step.
pub const MOST_SOURCES: u32 = 7;

/// A search with more states than this is given up.
pub const MOST_STATES: usize = 10_000_000;

/// Why a search does not begin, or breaks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchError {
    TooManyMessages { sources: u32, window: u32 },
    TooManySources { sources: u32 },
    TooManyStates,
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyMessages { sources, window } => write!(
                f,
                "sources times window must be {MOST_MESSAGES} at most, not {sources} times {window}"
            ),
            Self::TooManySources { sources } => {
                write!(f, "sources must be {MOST_SOURCES} at most, not {sources}")
            }
            Self::TooManyStates => {
                write!(
                    f,
                    "there are more than {MOST_STATES} states; take fewer sources, buffers or a smaller window"
                )
            }
        }
    }
}

impl std::error::Error for SearchError {}

/// What a search has found, so far or in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Verdict {
    pub states: usize,
    /// States in which nothing can happen any more.
    pub deadlocks: usize,
    /// States from which some stream can never advance, deadlocks included.
    pub stuck: usize,
}

/// A search under way.
#[derive(Debug)]
pub struct Search {
    rules: Rules,
    graph: Graph,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// States before this one have been looked at.
    Exploring(usize),
    Judging,
    Done,
}

impl Search {
    pub fn new(setup: &Setup) -> Result<Self, SearchError> {
        let Setup { scheme, sources, window, buffers } = *setup;
        if sources.saturating_mul(window) > MOST_MESSAGES {
            return Err(SearchError::TooManyMessages { sources, window });
        }
        if sources > MOST_SOURCES {
            return Err(SearchError::TooManySources { sources });
        }
        let rules = Rules { scheme, sources: sources as usize, window: window as usize, buffers };
        let mut graph = Graph::new(rules.sources);
        graph.find_or_add(State::initial());
        Ok(Self { rules, graph, phase: Phase::Exploring(0) })
    }

    /// Looks at up to `budget` states. Whether the search is over.
    pub fn step(&mut self, budget: usize) -> Result<bool, SearchError> {
        for _ in 0..budget {
            match self.phase {
                Phase::Exploring(at) if at < self.graph.len() => {
                    self.explore(at)?;
                    self.phase = Phase::Exploring(at + 1);
                }
                Phase::Exploring(_) => self.phase = Phase::Judging,
                Phase::Judging => {
                    if self.graph.judge() {
                        self.phase = Phase::Done;
                    }
                }
                Phase::Done => return Ok(true),
            }
        }
        Ok(self.phase == Phase::Done)
    }

    /// `stuck` counts once all states are found.
    pub fn verdict(&self) -> Verdict {
        let stuck = if self.phase == Phase::Done { self.graph.stuck() } else { 0 };
        Verdict { states: self.graph.len(), deadlocks: self.graph.deadlocks(), stuck }
    }

    fn explore(&mut self, at: usize) -> Result<(), SearchError> {
        let state = self.graph.state(at);
        self.graph.begin();
        self.rules.successors(state, |next, advanced| self.graph.add_step(next, advanced));
        self.graph.end();
        if self.graph.len() > MOST_STATES { Err(SearchError::TooManyStates) } else { Ok(()) }
    }
}

/// Searches to the end.
pub fn search(setup: &Setup) -> Result<Search, SearchError> {
    let mut search = Search::new(setup)?;
    while !search.step(usize::MAX)? {}
    Ok(search)
}

/// Whether a scheme can lock up, by the theorem; `None` where it makes no statement.
pub fn theorem(setup: &Setup) -> Option<bool> {
    match setup.scheme {
        Scheme::Current | Scheme::Modified1 | Scheme::Modified2 => Some(false),
        Scheme::Naive => Some(setup.buffers <= setup.sources.saturating_mul(setup.window.saturating_sub(1))),
        Scheme::Modified2Literal => None,
    }
}

#[cfg(test)]
mod tests;

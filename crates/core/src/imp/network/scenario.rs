//! A scenario: parameters, lines, input, and what disturbs the flow.

use super::setup::Setup;
use crate::imp::Pdu;
use std::fmt;

/// The lines from source to destination, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    pub name: String,
    /// Rate of each line, kbs.
    pub rates: Vec<f64>,
}

/// What a disturbance hits: one sending of one PDU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    pub message: u32,
    pub kind: Pdu,
    /// 0: the first sending; 1: the first retransmission.
    pub attempt: u32,
}

/// One thing that goes otherwise than usual.
#[derive(Debug, Clone, PartialEq)]
pub enum Disturbance {
    /// Takes this path instead of A; an RFNM or ALL its reverse.
    Route { target: Target, path: String },
    /// Is hit by a line error on this hop, counted along the path as travelled.
    LineError { target: Target, hop: u32 },
    /// Is held up before its first line.
    Delay { target: Target, ms: f64 },
    /// No new messages are sent from one time until the other.
    Pause { from_ms: f64, to_ms: f64 },
}

impl Disturbance {
    /// `None` for a pause.
    pub fn target(&self) -> Option<Target> {
        match self {
            Self::Route { target, .. } | Self::LineError { target, .. } | Self::Delay { target, .. } => {
                Some(*target)
            }
            Self::Pause { .. } => None,
        }
    }
}

/// All that a timed run needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    pub setup: Setup,
    /// Path A is the usual one.
    pub paths: Vec<Path>,
    /// When each message is ready, ms, ascending. `None`: as [`Setup::input_every`] says.
    pub input: Option<Vec<f64>>,
    pub disturbances: Vec<Disturbance>,
}

impl Default for Scenario {
    /// "There are two three-hop paths from MOFFET to SRI, one of them involving two 230.4 kbs
    /// circuits." (page 1)
    fn default() -> Self {
        let path = |name: &str, rates: &[f64]| Path { name: name.to_owned(), rates: rates.to_vec() };
        Self {
            setup: Setup::default(),
            paths: vec![path("A", &[50.0, 50.0, 50.0]), path("B", &[230.4, 230.4, 50.0])],
            input: None,
            disturbances: Vec::new(),
        }
    }
}

/// The path that PDUs take unless a disturbance says otherwise.
pub const USUAL: &str = "A";

/// More lines than this in one path, and more paths, are refused.
pub const MOST_LINES: usize = 32;

impl Scenario {
    /// The 1974 flow, with one message over the faster path.
    #[must_use]
    pub fn overtaking(mut self, message: u32) -> Self {
        let target = Target { message, kind: Pdu::Msg, attempt: 0 };
        self.disturbances.push(Disturbance::Route { target, path: "B".to_owned() });
        self
    }

    /// Whether all parts fit each other. Ranges of single numbers are their tables' business.
    pub fn check(&self) -> Result<(), ScenarioError> {
        if self.paths.is_empty() || self.paths.len() > MOST_LINES {
            return Err(ScenarioError::Paths { count: self.paths.len() });
        }
        if self.paths.iter().all(|p| p.name != USUAL) {
            return Err(ScenarioError::NoUsualPath);
        }
        if let Some(path) = self.paths.iter().find(|p| p.rates.is_empty() || p.rates.len() > MOST_LINES) {
            return Err(ScenarioError::Lines { path: path.name.clone(), count: path.rates.len() });
        }
        if let Some(i) = self.input.as_ref().and_then(|t| t.windows(2).position(|w| w[0] > w[1])) {
            return Err(ScenarioError::InputGoesBack { item: i + 2 });
        }
        let names = || self.paths.iter().map(|p| p.name.clone()).collect();
        let longest = self.paths.iter().map(|p| p.rates.len()).max().unwrap_or(0) as u32;
        for (i, disturbance) in self.disturbances.iter().enumerate() {
            let event = i + 1;
            match disturbance {
                Disturbance::Route { path, .. } if self.paths.iter().all(|p| p.name != *path) => {
                    return Err(ScenarioError::NoSuchPath { event, path: path.clone(), there: names() });
                }
                Disturbance::LineError { hop, .. } if *hop >= longest => {
                    return Err(ScenarioError::NoSuchHop { event, hop: *hop, last: longest - 1 });
                }
                Disturbance::Pause { from_ms, to_ms } if from_ms > to_ms => {
                    return Err(ScenarioError::PauseGoesBack { event, from_ms: *from_ms, to_ms: *to_ms });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Parts of a scenario that do not fit. Events and items count from 1.
#[derive(Debug, Clone, PartialEq)]
pub enum ScenarioError {
    Paths { count: usize },
    NoUsualPath,
    Lines { path: String, count: usize },
    InputGoesBack { item: usize },
    NoSuchPath { event: usize, path: String, there: Vec<String> },
    NoSuchHop { event: usize, hop: u32, last: u32 },
    PauseGoesBack { event: usize, from_ms: f64, to_ms: f64 },
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paths { count } => write!(f, "there must be from 1 to {MOST_LINES} paths, not {count}"),
            Self::NoUsualPath => {
                write!(f, "there must be a path {USUAL}, which messages take unless an event says otherwise")
            }
            Self::Lines { path, count } => {
                write!(f, "path {path} must have from 1 to {MOST_LINES} lines, not {count}")
            }
            Self::InputGoesBack { item } => {
                write!(f, "ready times must ascend: item {item} of input-ms comes before the one before it")
            }
            Self::NoSuchPath { event, path, there } => {
                write!(f, "event {event}: there is no path {path}; there are {}", there.join(", "))
            }
            Self::NoSuchHop { event, hop, last: 0 } => {
                write!(f, "event {event}: hop must be 0, as each path has one line, not {hop}")
            }
            Self::NoSuchHop { event, hop, last } => {
                write!(f, "event {event}: hop must be from 0 to {last}, not {hop}")
            }
            Self::PauseGoesBack { event, from_ms, to_ms } => {
                write!(
                    f,
                    "event {event}: a pause must end after it begins, not at {to_ms} ms where it begins at {from_ms} ms"
                )
            }
        }
    }
}

impl std::error::Error for ScenarioError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_do_not_fit_are_named() {
        let check = |change: &dyn Fn(&mut Scenario), says: &str| {
            let mut s = Scenario::default().overtaking(3);
            change(&mut s);
            assert_eq!(s.check().unwrap_err().to_string(), says);
        };
        let target = Target { message: 0, kind: Pdu::Msg, attempt: 0 };
        check(&|s| s.paths.clear(), "there must be from 1 to 32 paths, not 0");
        check(&|s| s.paths[1].rates.clear(), "path B must have from 1 to 32 lines, not 0");
        check(
            &|s| s.paths.remove(0).name.clear(),
            "there must be a path A, which messages take unless an event says otherwise",
        );
        check(
            &|s| s.input = Some(vec![0.0, 5.0, 4.0]),
            "ready times must ascend: item 3 of input-ms comes before the one before it",
        );
        check(&|s| s.paths[1].name = "C".to_owned(), "event 1: there is no path B; there are A, C");
        check(
            &|s| s.disturbances.push(Disturbance::LineError { target, hop: 3 }),
            "event 2: hop must be from 0 to 2, not 3",
        );
        check(
            &|s| s.disturbances.push(Disturbance::Pause { from_ms: 9.0, to_ms: 8.5 }),
            "event 2: a pause must end after it begins, not at 8.5 ms where it begins at 9 ms",
        );
        assert_eq!(Scenario::default().check(), Ok(()));
    }
}

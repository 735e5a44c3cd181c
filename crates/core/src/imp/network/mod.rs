//! The timed run: the same source and destination, driven by a clock.
//!
//! Store-and-forward lines between the two IMPs, RFNM and ALL as small messages going back, a host
//! that takes its time. The clock counts whole microseconds; two things at the same time happen in
//! the order in which they were put on the clock's list. Same scenario, same seed: same log.
//!
//! ```text
//! source ──line──▶ IMP ──line──▶ IMP ──line──▶ destination ──▶ host    path A, and path B beside it
//!        ◀──line── IMP ◀──line── IMP ◀──line──
//! ```
//!
//! A line is one server in each direction: RFNM and ALL go ahead of data, nothing is preempted, else
//! first in, first out. Sending takes bits over rate; `prop` and `proc` later the packet is on the
//! next line. A packet hit by a line error is put on the same line again the timeout after the failed
//! sending ended; others may pass it.
//!
//! The defaults are those of 1 April 1974 between MOFFET and SRI (RFC 632, page 1).

mod clock;
mod closed_form;
mod happening;
mod lines;
mod parts;
mod read;
mod scenario;
mod setup;
mod simulation;
mod window;

pub use closed_form::{ClosedForm, closed_form};
pub use lines::LineUse;
pub use scenario::{Disturbance, MOST_LINES, Path, Scenario, ScenarioError, Target, USUAL};
pub use setup::{Origin, RATE, READY, Setup, origin};
pub use simulation::{Event, MOST_EVENTS, MOST_MESSAGES, Row, Run, Simulation};
pub use window::{Statistics, Window};

/// Runs a scenario to its end. `log`: keep every event.
pub fn run(scenario: &Scenario, window: Window, log: bool) -> Result<Run, ScenarioError> {
    let mut simulation = Simulation::new(scenario, window, log)?;
    while !simulation.step(usize::MAX) {}
    Ok(simulation.finish())
}

#[cfg(test)]
mod tests;

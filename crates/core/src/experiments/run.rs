//! Running an experiment, whatever it is.

pub use super::sweep::Kept;

use super::adapt::Adapt;
use super::claims::Trying;
use super::delay::{path, printed};
use super::imp_flow::Flowing;
use super::imp_lockup::Searching;
use super::periodicity::Periodicity;
use super::sweep::{Sweep, Sweeping};
use super::{Experiment, Inputs, adapt, claims, delay, periodicity, rto};
use crate::imp::{lockup, network, sequence};
use crate::report::{Report, RunError};
use crate::rto::explain::{Steps, explain as steps};
use crate::shared::Shared;
use crate::trace::Trace;
use crate::tree::{Fits, Misfit};

/// A run in steps of a few milliseconds, so that whoever does it can show what has come so far, and
/// stop.
pub trait Work {
    /// Does a part. Does nothing when all is done.
    fn step(&mut self);
    /// Parts done, of how many.
    /// 0 parts in all: it is not known how many there are.
    fn progress(&self) -> (u64, u64);
    /// What the parts are.
    fn counts(&self) -> &'static str {
        "parts"
    }
    fn is_done(&self) -> bool;
    /// What it has come to so far; [`RunError::Working`]: nothing worth showing since the last time.
    fn report(&self) -> Result<Report, RunError>;
    /// Keeps what later runs can use.
    fn keep(&self, _kept: &mut Kept) {}
}

/// Begins a run of any experiment. `kept` is what earlier runs have kept.
pub fn begin(setup: &dyn Experiment, inputs: &Inputs, kept: &Kept) -> Box<dyn Work> {
    let any = setup.as_any();
    if let Err(misfit) = check(setup) {
        return Box::new(Ended(Err(RunError::Misfit(misfit))));
    }
    if let Some(s) = any.downcast_ref::<lockup::Setup>() {
        return Box::new(Searching::new(s));
    }
    if let Some(s) = any.downcast_ref::<claims::Setup>() {
        return Box::new(Trying::new(s));
    }
    if let Some(s) = any.downcast_ref::<network::Scenario>() {
        return Box::new(Flowing::new(s));
    }
    if let Some(s) = any.downcast_ref::<Sweep>() {
        return Box::new(Sweeping::new(s, inputs.trace.as_ref(), kept));
    }
    let report = if let Some(s) = any.downcast_ref::<Periodicity>() {
        trace(inputs).and_then(|trace| periodicity::run(s, trace))
    } else if let Some(s) = any.downcast_ref::<Adapt>() {
        adapt::run(s, inputs.slot)
    } else if let Some(s) = any.downcast_ref::<delay::Setup>() {
        trace(inputs).and_then(|trace| delay::run(s, trace))
    } else if let Some(s) = any.downcast_ref::<path::Cell>() {
        Ok(path::run(s))
    } else if any.is::<printed::Setup>() {
        Ok(printed::report(inputs.row))
    } else if let Some(s) = any.downcast_ref::<sequence::Scenario>() {
        super::imp::run(s, inputs.row)
    } else if let Some(s) = any.downcast_ref::<rto::Setup>() {
        trace(inputs).and_then(|trace| rto::run(s, trace, inputs.slot))
    } else {
        Err(RunError::Unknown)
    };
    Box::new(Ended(report))
}

fn check(setup: &dyn Experiment) -> Result<(), Misfit> {
    let any = setup.as_any();
    if let Some(s) = any.downcast_ref::<lockup::Setup>() {
        Fits::check(s)
    } else if let Some(s) = any.downcast_ref::<sequence::Scenario>() {
        Fits::check(s)
    } else if let Some(s) = any.downcast_ref::<network::Scenario>() {
        Fits::check(s)
    } else {
        Ok(())
    }
}

/// Runs any experiment to its end.
pub fn run(setup: &dyn Experiment, inputs: &Inputs) -> Result<Report, RunError> {
    let mut work = begin(setup, inputs, &Kept::default());
    while !work.is_done() {
        work.step();
    }
    work.report()
}

/// Runs an experiment whose sliders are answered before the next picture. `None`: it is not one.
pub fn at_once(setup: &dyn Experiment, inputs: &Inputs) -> Option<Result<Report, RunError>> {
    let s: &rto::Setup = setup.as_any().downcast_ref()?;
    let run = || rto::packets(s, trace(inputs)?, inputs.slot);
    (s.show == rto::Show::Packets).then(run)
}

/// The trace an experiment makes, for others to run on. `None`: it makes none.
pub fn made(setup: &dyn Experiment) -> Option<Trace> {
    let s: &path::Cell = setup.as_any().downcast_ref()?;
    Some(s.trace())
}

/// How the numbers of one row of the frame came about, for the slot looked at. `None`: there is no
/// such row, or nothing to explain.
pub fn explain(setup: &dyn Experiment, inputs: &Inputs, row: usize) -> Option<Steps> {
    let s: &rto::Setup = setup.as_any().downcast_ref()?;
    steps(s.slots.get(inputs.slot)?.as_deref()?, inputs.trace.as_ref()?, &s.options, row)
}

fn trace(inputs: &Inputs) -> Result<&Shared<Trace>, RunError> {
    inputs.trace.as_ref().ok_or(RunError::NoTrace)
}

/// A run that was over as soon as it began.
struct Ended(Result<Report, RunError>);

impl Work for Ended {
    fn step(&mut self) {}

    fn progress(&self) -> (u64, u64) {
        (1, 1)
    }

    fn is_done(&self) -> bool {
        true
    }

    fn report(&self) -> Result<Report, RunError> {
        self.0.clone()
    }
}

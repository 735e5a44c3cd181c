//! A sweep in steps, and what it keeps for the next one.

use super::{Over, Steps, Sweep, report};
use crate::experiments::run::Work;
use crate::report::{Report, RunError};
use crate::rto;
use crate::rto::printed::runs;
use crate::rto::rebuild::{SEED, rebuild};
use crate::rto::sweep::Numbers;
use crate::shared::Shared;
use crate::trace::Trace;
use std::sync::LazyLock;

/// Records replayed in a step, each counted once for every pair.
const BUDGET: u64 = 2_000_000;

/// The sweep in steps.
pub(in crate::experiments) struct Sweeping {
    params: Sweep,
    traces: Vec<Shared<Trace>>,
    state: Result<State, RunError>,
}

enum State {
    UnderWay(Box<rto::sweep::Sweep>),
    Done(Shared<Numbers>),
}

/// A finished sweep, which serves every level of G, colour and point.
#[derive(Debug, Default)]
pub struct Kept(Option<Finished>);

#[derive(Debug)]
struct Finished {
    steps: Steps,
    e_cold: f64,
    traces: Vec<Shared<Trace>>,
    numbers: Shared<Numbers>,
}

impl Finished {
    fn serves(&self, params: &Sweep, traces: &[Shared<Trace>]) -> bool {
        (self.steps, self.e_cold) == (params.steps, params.e_cold)
            && self.traces == traces
            && params.is_covered_by(self.numbers.grid())
    }
}

impl Sweeping {
    /// Without a trace there is nothing to sweep over but all runs.
    pub(in crate::experiments) fn new(params: &Sweep, trace: Option<&Shared<Trace>>, kept: &Kept) -> Self {
        let traces = match params.over {
            Over::ThisTrace => trace.into_iter().cloned().collect(),
            Over::AllRuns => all_runs(),
        };
        let state = match &kept.0 {
            _ if traces.is_empty() => Err(RunError::NoTrace),
            Some(kept) if kept.serves(params, &traces) => Ok(State::Done(kept.numbers.clone())),
            _ => params
                .grid()
                .map(|grid| {
                    State::UnderWay(Box::new(rto::sweep::Sweep::new(grid, &traces, params.e_cold, None)))
                })
                .map_err(|e| RunError::Scenario { message: e.to_string() }),
        };
        Self { params: params.clone(), traces, state }
    }
}

/// All runs of 1983, rebuilt once.
fn all_runs() -> Vec<Shared<Trace>> {
    static RUNS: LazyLock<Vec<Shared<Trace>>> =
        LazyLock::new(|| runs().iter().map(|run| Shared::new(rebuild(run, SEED))).collect());
    RUNS.clone()
}

impl Work for Sweeping {
    fn step(&mut self) {
        if let Ok(State::UnderWay(sweep)) = &mut self.state
            && sweep.step(BUDGET)
        {
            self.state = Ok(State::Done(Shared::new(sweep.numbers().clone())));
        }
    }

    fn progress(&self) -> (u64, u64) {
        match &self.state {
            Ok(State::UnderWay(sweep)) => sweep.progress(),
            _ => (1, 1),
        }
    }

    fn counts(&self) -> &'static str {
        "points"
    }

    fn is_done(&self) -> bool {
        !matches!(self.state, Ok(State::UnderWay(_)))
    }

    fn report(&self) -> Result<Report, RunError> {
        match &self.state {
            Ok(State::UnderWay(sweep)) => report(&self.params, &self.traces, sweep.numbers()),
            Ok(State::Done(numbers)) => report(&self.params, &self.traces, numbers),
            Err(e) => Err(e.clone()),
        }
    }

    fn keep(&self, kept: &mut Kept) {
        if let Ok(State::Done(numbers)) = &self.state {
            let Sweep { steps, e_cold, .. } = self.params;
            kept.0 = Some(Finished { steps, e_cold, traces: self.traces.clone(), numbers: numbers.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rto::sweep::sweep;

    #[test]
    fn a_finished_sweep_serves_what_it_went_over() {
        let traces = [Shared::new(Trace::from_series("t", &[None, Some(100.0), Some(90.0)]).unwrap())];
        let own = Sweep::default();
        let numbers = Shared::new(sweep(own.grid().unwrap(), &traces, own.e_cold, None));
        let kept = Finished { steps: own.steps, e_cold: own.e_cold, traces: traces.to_vec(), numbers };
        let serves = |params: &Sweep| kept.serves(params, &traces);
        assert!(serves(&own) && serves(&Sweep { g: 3.0, f1: 0.25, ..own.clone() }));
        assert!(
            !serves(&Sweep { e_cold: 20.0, ..own.clone() }) && !serves(&Sweep { g: 2.03, ..own.clone() })
        );
        assert!(!kept.serves(&own, &[]));
    }

    #[test]
    fn all_runs_need_no_trace_and_one_trace_does() {
        let begun = |over| Sweeping::new(&Sweep { over, ..Sweep::default() }, None, &Kept::default());
        let all = begun(Over::AllRuns);
        assert_eq!((all.traces.len(), all.is_done()), (52, false));
        let none = begun(Over::ThisTrace);
        assert!(none.is_done() && none.report().is_err_and(|e| e == RunError::NoTrace));
    }
}

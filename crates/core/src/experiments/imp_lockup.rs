//! The `imp-lockup` cell: what an exhaustive search found.

use super::run::Work;
use super::{Entry, Experiment, boxed};
use crate::figure::Role;
use crate::imp::lockup::{Search, SearchError, Setup, Verdict, example, theorem};
use crate::imp::sequence::Item;
use crate::report::{Frame, FrameColumn, Heading, Report, RunError, Table, TableRow, Values};

pub(super) const ENTRY: Entry = Entry {
    kind: "imp-lockup",
    title: "IMP lock-up",
    fresh: "scheme = \"naive\"\nsources = 2\nwindow = 4\nbuffers = 2\n",
    needs_trace: false,
    follows_row: false,
    make: boxed::<Setup>,
};

impl Experiment for Setup {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }
}

/// States looked at in a step.
const BUDGET: usize = 2000;

/// The search in steps.
pub(super) struct Searching {
    setup: Setup,
    search: Result<Search, SearchError>,
    example: Option<Vec<Item>>,
}

impl Searching {
    pub(super) fn new(setup: &Setup) -> Self {
        Self { setup: setup.clone(), search: Search::new(setup), example: None }
    }
}

impl Work for Searching {
    fn step(&mut self) {
        let (Ok(search), None) = (&mut self.search, &self.example) else { return };
        match search.step(BUDGET) {
            Ok(false) => {}
            Ok(true) => self.example = Some(example(&self.setup, search).unwrap_or_default()),
            Err(e) => self.search = Err(e),
        }
    }

    /// How many states there are is known only at the end: until then one more is still to do.
    fn progress(&self) -> (u64, u64) {
        let states = self.search.as_ref().map_or(0, |s| s.verdict().states as u64);
        (states, states + u64::from(!self.is_done()))
    }

    fn is_done(&self) -> bool {
        self.search.is_err() || self.example.is_some()
    }

    fn report(&self) -> Result<Report, RunError> {
        match &self.search {
            Ok(search) => Ok(report(&self.setup, search.verdict(), self.example.as_deref())),
            Err(e) => Err(RunError::Scenario { message: e.to_string() }),
        }
    }
}

/// The report of a search and the example it found; of one that still goes on, so far.
pub fn report(setup: &Setup, verdict: Verdict, example: Option<&[Item]>) -> Report {
    Report {
        numbers: numbers(verdict),
        readout: readout(setup, verdict),
        remarks: vec![match example {
            Some(_) => sentence(setup, verdict),
            None => format!("{} states so far.", verdict.states),
        }],
        frame: frame(example.unwrap_or_default()),
        ..Report::default()
    }
}

/// The events that lead to a deadlock, one a row; no rows where there is none.
fn frame(example: &[Item]) -> Frame {
    let texts: Vec<String> = example.iter().map(ToString::to_string).collect();
    let steps = (1..=texts.len()).map(|n| n as f64).collect();
    Frame {
        rows: texts.len(),
        columns: vec![
            FrameColumn::new("step", "", Values::Numbers(steps)),
            FrameColumn::new("event", "", Values::Texts(texts.into())),
        ],
    }
}

fn numbers(verdict: Verdict) -> Vec<(String, f64)> {
    let Verdict { states, deadlocks, stuck } = verdict;
    [("states", states), ("deadlocks", deadlocks), ("stuck", stuck)]
        .map(|(n, v)| (n.to_owned(), v as f64))
        .to_vec()
}

fn readout(setup: &Setup, verdict: Verdict) -> Table {
    const COLUMNS: [&str; 6] = ["Sources", "Window", "Buffers", "States", "Deadlocks", "Stuck"];
    let Setup { scheme, sources, window, buffers } = *setup;
    let counts = [verdict.states, verdict.deadlocks, verdict.stuck].map(|n| n.to_string());
    let cells = [sources, window, buffers].map(|n| n.to_string()).into_iter().chain(counts).collect();
    Table {
        caption: "States that any order of events can lead to".to_owned(),
        head: "Scheme".to_owned(),
        columns: COLUMNS.map(|title| Heading::new(title, "")).to_vec(),
        rows: vec![TableRow { head: scheme.name().to_owned(), role: Role::Series(0), cells }],
    }
}

/// What the search says, and beside it the theorem.
fn sentence(setup: &Setup, verdict: Verdict) -> String {
    let Setup { scheme, sources, window, buffers } = *setup;
    let found = match (verdict.deadlocks, verdict.stuck) {
        (0, 0) => "From every state every stream can still advance".to_owned(),
        (0, n) => format!("Nothing comes to a stop, but from {n} states some stream can never advance"),
        (n, _) => format!("In {n} states nothing can move any more"),
    };
    let most = sources.saturating_mul(window.saturating_sub(1));
    let bound = match theorem(setup) {
        Some(true) => format!(
            ": {scheme} locks up exactly when B ≤ S(W − 1), here {buffers} ≤ {most}.",
            scheme = scheme.name()
        ),
        Some(false) if scheme == crate::imp::Scheme::Naive => {
            format!(": naive locks up exactly when B ≤ S(W − 1), here {buffers} > {most}.")
        }
        Some(false) => format!(": {} never locks up.", scheme.name()),
        None => ".".to_owned(),
    };
    found + &bound
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imp::Scheme;
    use crate::imp::sequence;
    use crate::tree::Fits as _;

    fn worked(setup: &Setup) -> Result<Report, RunError> {
        let mut work = Searching::new(setup);
        while !work.is_done() {
            let (done, total) = work.progress();
            assert!(done < total && work.report().is_ok());
            work.step();
        }
        work.report()
    }

    #[test]
    fn the_example_leads_to_a_deadlock() {
        let setup = Setup { scheme: Scheme::Naive, sources: 2, window: 2, buffers: 1 };
        let report = worked(&setup).unwrap();
        let items: Vec<Item> =
            (0..report.frame.rows).map(|i| report.frame.text(i, 1).parse().unwrap()).collect();
        assert!(!items.is_empty());
        let run = sequence::Setup {
            scheme: setup.scheme,
            sources: setup.sources,
            window: setup.window,
            buffers: setup.buffers,
            host: sequence::Host::Explicit,
            ..sequence::Setup::default()
        };
        let scenario =
            sequence::Scenario { setup: run, items, disturbances: sequence::Disturbances::default() };
        assert!(scenario.run().unwrap().deadlock);
    }

    fn check(scheme: Scheme, buffers: u32, says: &str) {
        let setup = Setup { scheme, sources: 2, window: 2, buffers };
        let report = worked(&setup).unwrap();
        assert_eq!(report.remarks, [says]);
        assert_eq!(report.readout.rows[0].cells[3], report.numbers[0].1.to_string());
    }

    #[test]
    fn search_and_theorem_are_said_together() {
        check(
            Scheme::Naive,
            1,
            "In 2 states nothing can move any more: naive locks up exactly when B ≤ S(W − 1), here 1 ≤ 2.",
        );
        check(
            Scheme::Naive,
            3,
            "From every state every stream can still advance: naive locks up exactly when B ≤ S(W − 1), here 3 > 2.",
        );
        check(
            Scheme::Modified2,
            1,
            "From every state every stream can still advance: modified-2 never locks up.",
        );
        check(Scheme::Modified2Literal, 1, "In 2 states nothing can move any more.");
        let wide = Setup { scheme: Scheme::Naive, sources: 7, window: 4, buffers: 1 };
        assert!(wide.check().is_err() && matches!(worked(&wide), Err(RunError::Scenario { .. })));
    }
}

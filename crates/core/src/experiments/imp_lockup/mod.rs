//! The `imp-lockup` cell: what an exhaustive search found, and beside it the same search for other
//! windows and numbers of buffers.

mod grid;

use super::run::Work;
use super::{Entry, Experiment, boxed};
use crate::figure::Role;
use crate::imp::lockup::{Search, SearchError, Setup, Verdict, example, theorem};
use crate::imp::printed::{self, BufferCount};
use crate::imp::sequence::Item;
use crate::report::{Heading, Opens, Report, RunError, Table, TableRow};
use grid::Grid;

pub(super) const ENTRY: Entry = Entry {
    kind: "imp-lockup",
    title: "IMP lock-up",
    fresh: "scheme = \"naive\"\nsources = 2\nwindow = 4\nbuffers = 2\n",
    needs_trace: false,
    follows_row: false,
    is_wide: false,
    make: boxed::<Setup>,
};

impl Experiment for Setup {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }
}

/// States looked at in a step.
const BUDGET: usize = 2000;

/// The search in steps: first what was asked for, then a way into a deadlock, then the other cases.
pub(super) struct Searching {
    setup: Setup,
    search: Result<Search, SearchError>,
    example: Option<Vec<Item>>,
    grid: Grid,
}

impl Searching {
    pub(super) fn new(setup: &Setup) -> Self {
        Self { setup: setup.clone(), search: Search::new(setup), example: None, grid: Grid::new(setup) }
    }
}

impl Work for Searching {
    fn step(&mut self) {
        let Ok(search) = &mut self.search else { return };
        if self.example.is_some() {
            self.grid.step(BUDGET);
            return;
        }
        match search.step(BUDGET) {
            Ok(false) => {}
            Ok(true) => {
                self.example = Some(example(&self.setup, search).unwrap_or_default());
                self.grid.know(search.verdict());
            }
            Err(e) => self.search = Err(e),
        }
    }

    /// How many states there are is known only at the end.
    fn progress(&self) -> (u64, u64) {
        match (&self.search, &self.example) {
            (Ok(search), None) => (search.verdict().states as u64, 0),
            _ => self.grid.progress(),
        }
    }

    fn counts(&self) -> &'static str {
        if self.example.is_some() { "cases" } else { "states" }
    }

    fn is_done(&self) -> bool {
        self.search.is_err() || (self.example.is_some() && self.grid.is_done())
    }

    fn report(&self) -> Result<Report, RunError> {
        match &self.search {
            Ok(search) => Ok(report(&self.setup, search.verdict(), self.example.as_deref(), &self.grid)),
            Err(e) => Err(RunError::Scenario { message: e.to_string() }),
        }
    }
}

/// The report of a search and the example it found; of one that still goes on, so far.
fn report(setup: &Setup, verdict: Verdict, example: Option<&[Item]>, grid: &Grid) -> Report {
    let found = match example {
        Some(_) => sentence(setup, verdict),
        None => format!("{} states so far.", verdict.states),
    };
    let bound = "The line in the figure is the theorem's bound, B = S(W − 1): below it all cases lock up.";
    let bound = (setup.scheme == crate::imp::Scheme::Naive).then(|| bound.to_owned());
    let other = printed::LOCKUP_SENTENCE.to_owned();
    Report {
        numbers: numbers(verdict, grid),
        readout: readout(setup, verdict),
        remarks: [found].into_iter().chain(bound).chain([other]).collect(),
        figure: grid.figure(),
        frame: grid.frame(),
        picks: grid.picks(),
        sets: Grid::sets(),
        opens: example.filter(|e| !e.is_empty()).map(|e| opens(setup, e)).into_iter().collect(),
        asides: vec![rfc626()],
        ..Report::default()
    }
}

/// The way into a deadlock, to be stepped through.
fn opens(setup: &Setup, example: &[Item]) -> Opens {
    let Setup { scheme, sources, window, buffers } = setup;
    let items: Vec<String> = example.iter().map(|item| format!("\"{item}\"")).collect();
    Opens {
        label: format!("Step through a deadlock, {} events", example.len()),
        kind: "imp".into(),
        body: format!(
            "title = \"A way into the lock-up\"\nscheme = \"{}\"\nwindow = {window}\nbuffers = {buffers}\nsources = {sources}\nhost = \"explicit\"\narrivals = [\n  {}\n]\n",
            scheme.name(),
            items.join(",\n  ")
        ),
    }
}

/// RFC 626's own lock-up, as printed.
fn rfc626() -> Table {
    let number = |n: Option<u32>| n.map_or(String::new(), |n| n.to_string());
    let row = |count: &BufferCount| TableRow {
        head: count.event.to_owned(),
        role: Role::Printed,
        cells: vec![number(count.allocated), number(count.in_use), number(count.free), count.note.to_owned()],
    };
    Table {
        caption: "RFC 626's own lock-up, as printed: 24 buffers, three IMPs".to_owned(),
        head: "Event".to_owned(),
        columns: ["Allocated", "In use", "Free", ""].map(|title| Heading::new(title, "")).to_vec(),
        rows: printed::lockup().iter().map(row).collect(),
    }
}

fn numbers(verdict: Verdict, grid: &Grid) -> Vec<(String, f64)> {
    let Verdict { states, deadlocks, stuck } = verdict;
    let (searched, locked) = grid.counts();
    [
        ("states", states),
        ("deadlocks", deadlocks),
        ("stuck", stuck),
        ("table.searched", searched),
        ("table.locked", locked),
    ]
    .map(|(n, v)| (n.to_owned(), v as f64))
    .to_vec()
}

/// What was searched, and what was found.
pub fn readout(setup: &Setup, verdict: Verdict) -> Table {
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
pub fn sentence(setup: &Setup, verdict: Verdict) -> String {
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
    use crate::tree::Fits as _;

    fn worked(setup: &Setup) -> Result<Report, RunError> {
        let mut work = Searching::new(setup);
        while !work.is_done() {
            let (done, total) = work.progress();
            assert!((done < total || total == 0) && work.report().is_ok());
            work.step();
        }
        work.report()
    }

    #[test]
    fn rfc_626_s_lock_up_stands_beside_it_as_printed() {
        let report = worked(&Setup { scheme: Scheme::Current, sources: 1, window: 1, buffers: 1 }).unwrap();
        let [table] = &report.asides[..] else { panic!("one table") };
        assert_eq!((table.rows.len(), table.rows[16].head.as_str()), (17, "deadlock"));
        assert_eq!(table.rows[4].cells, ["0", "24", "0", "printed 'Al' (letter l) for 'A1'"]);
        assert!(report.opens.is_empty());
    }

    fn check(scheme: Scheme, buffers: u32, says: &str) {
        let setup = Setup { scheme, sources: 2, window: 2, buffers };
        let report = worked(&setup).unwrap();
        assert_eq!(report.remarks[0], says);
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

//! The `imp-lockup` cell: what an exhaustive search found.

use crate::figure::Role;
use crate::imp::lockup::{Search, Setup, Verdict, search, theorem};
use crate::report::{Heading, Report, RunError, Table, TableRow};

/// Searches to the end. A page searches in steps, and makes [`report`] of what it has.
pub fn run(setup: &Setup) -> Result<Report, RunError> {
    let search = search(setup).map_err(|e| RunError::Scenario { message: e.to_string() })?;
    Ok(report(setup, &search))
}

/// The report of a search that is over.
pub fn report(setup: &Setup, search: &Search) -> Report {
    let verdict = search.verdict();
    Report {
        numbers: numbers(verdict),
        readout: readout(setup, verdict),
        remarks: vec![sentence(setup, verdict)],
        ..Report::default()
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
        columns: COLUMNS.map(|title| Heading { title, unit: "" }).to_vec(),
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

    fn check(scheme: Scheme, buffers: u32, says: &str) {
        let setup = Setup { scheme, sources: 2, window: 2, buffers };
        let report = run(&setup).unwrap();
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
        assert!(matches!(run(&wide), Err(RunError::Scenario { .. })));
    }
}

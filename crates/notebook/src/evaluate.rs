//! Runs the cells of a document.
//!
//! A cell that gives a result becomes a [`Job`]: what it is set to, and the trace. Equal jobs give
//! equal reports, so a [`Cache`] runs again only what changed; traces are compared by pointer.

use crate::document::{Cell, CellError, Document};
use crate::link::Payload;
use crate::traces::{Shelf, TraceError, resolve};
use netspurt_core::experiments::{Experiment, Inputs, run};
use netspurt_core::report::{Report, RunError};
use netspurt_core::shared::Shared;
use netspurt_core::trace::{Provenance, Trace};
use std::fmt;

/// What a cell asks to be run.
#[derive(Debug, Clone)]
pub struct Job {
    pub setup: Box<dyn Experiment>,
    pub inputs: Inputs,
}

impl PartialEq for Job {
    fn eq(&self, other: &Self) -> bool {
        self.inputs == other.inputs && *self.setup == *other.setup
    }
}

impl Job {
    /// What a cell asks for, looked at so. `None`: its kind gives no result, as a `trace`.
    pub fn of(
        document: &Document,
        cell: &Cell,
        shelf: &Shelf,
        look: Look,
    ) -> Option<Result<Self, CellFailure>> {
        let content = match &cell.content {
            Ok(content) => content,
            Err(_) if cell.kind.is_some_and(|k| k.experiment.is_none()) => return None,
            Err(errors) => return Some(Err(CellFailure::Source(errors.clone()))),
        };
        let experiment = content.experiment()?;
        let trace = match &experiment.trace {
            _ if !experiment.setup.needs_trace() => Ok(None),
            None => Err(CellFailure::NoTrace),
            Some(name) => resolve(name, document, shelf).map(Some).map_err(CellFailure::Trace),
        };
        let Look { slot, row } = look;
        let row = row.filter(|_| experiment.setup.entry().follows_row);
        Some(trace.map(|trace| Self { setup: experiment.setup.clone(), inputs: Inputs { trace, slot, row } }))
    }

    /// The trace it runs on. `None`: it needs none.
    pub fn trace(&self) -> Option<&Shared<Trace>> {
        self.inputs.trace.as_ref()
    }
}

/// Why a cell has no result.
#[derive(Debug, Clone, PartialEq)]
pub enum CellFailure {
    /// What is wrong with its source.
    Source(Vec<CellError>),
    /// No trace is chosen yet.
    NoTrace,
    Trace(TraceError),
    Run(RunError),
}

impl fmt::Display for CellFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(errors) => match errors.as_slice() {
                [] => write!(f, "the cell cannot be read"),
                [one] => one.fmt(f),
                [first, rest @ ..] => write!(f, "{first} (and {} more)", rest.len()),
            },
            Self::NoTrace => write!(f, "no trace is chosen: write trace = \"…\""),
            Self::Trace(e) => e.fmt(f),
            Self::Run(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for CellFailure {}

/// A cell's result.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The cell.
    pub cell: String,
    /// `None`: it did not come so far that something could be run.
    pub job: Option<Job>,
    pub report: Result<Shared<Report>, CellFailure>,
    /// More is still to come: the report is that of a part, or of what the cell was set to before.
    pub is_partial: bool,
}

impl Outcome {
    /// The digest of the result's numbers. `None`: there is no result yet.
    pub fn digest(&self) -> Option<String> {
        if self.is_partial {
            return None;
        }
        self.report.as_ref().ok().map(|r| r.digest())
    }
}

/// The last result of every cell.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    last: Vec<Outcome>,
}

/// What of a cell is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// The slot drawn on top.
    pub slot: usize,
    /// The row of its frame that is picked.
    pub row: Option<usize>,
}

/// What runs the jobs of cells.
pub type Runner<'a> = &'a mut dyn FnMut(&Cell, &Job) -> Result<Ran, RunError>;

/// What came of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    pub report: Shared<Report>,
    /// Whether it has been run to its end.
    pub is_whole: bool,
}

impl Cache {
    /// Runs every cell whose job is not that of its last result. `look` says what of a cell is looked
    /// at. A cell whose job is [`RunError::Working`] keeps the result it had.
    pub fn evaluate(
        &mut self,
        document: &Document,
        opened: &Shelf,
        look: impl Fn(&str) -> Look,
        runner: Runner<'_>,
    ) -> Vec<Outcome> {
        let outcomes: Vec<_> = document
            .cells()
            .filter_map(|cell| Some((cell, Job::of(document, cell, opened, look(&cell.id))?)))
            .map(|(cell, job)| match job {
                Ok(job) => self.run(document, cell, job, runner),
                Err(failure) => {
                    Outcome { cell: cell.id.clone(), job: None, report: Err(failure), is_partial: false }
                }
            })
            .collect();
        self.last.clone_from(&outcomes);
        outcomes
    }

    fn run(&self, document: &Document, cell: &Cell, job: Job, runner: Runner<'_>) -> Outcome {
        let known = |o: &&Outcome| o.job.as_ref() == Some(&job) && !o.is_partial;
        if let Some(last) = self.last.iter().find(known) {
            return Outcome { cell: cell.id.clone(), ..last.clone() };
        }
        let ran = runner(cell, &job);
        // What a cell showed before stays until there is something in its place.
        if ran == Err(RunError::Working)
            && let Some(last) = self.last.iter().find(|o| o.cell == cell.id && o.report.is_ok())
        {
            return Outcome { is_partial: true, ..last.clone() };
        }
        let (is_partial, report) = match ran {
            Ok(Ran { report, is_whole }) => (!is_whole, Ok(report)),
            Err(RunError::Misfit(misfit)) => {
                (false, Err(CellFailure::Source(vec![document.misfit(cell, misfit)])))
            }
            Err(e) => (e == RunError::Working, Err(CellFailure::Run(e))),
        };
        Outcome { cell: cell.id.clone(), job: Some(job), report, is_partial }
    }
}

/// Runs every cell, however long it takes.
pub fn evaluate(document: &Document, shelf: &Shelf) -> Vec<Outcome> {
    Cache::default().evaluate(document, shelf, |_| Look::default(), &mut whole)
}

/// Runs a job to its end.
fn whole(_: &Cell, job: &Job) -> Result<Ran, RunError> {
    let report = Shared::new(run::run(&*job.setup, &job.inputs)?);
    Ok(Ran { report, is_whole: true })
}

/// What a link to the document carries: the text, what is shown of it, and its results' digests.
pub fn payload(document: &Document, outcomes: &[Outcome], view: Vec<(String, String)>) -> Payload {
    let rebuilt = |o: &Outcome| match o.job.as_ref().and_then(Job::trace).map(|t| &t.provenance) {
        Some(Provenance::Rebuilt { generator, .. }) => Some(*generator),
        _ => None,
    };
    Payload {
        text: document.text().to_owned(),
        view,
        digests: outcomes.iter().filter_map(|o| Some((o.cell.clone(), o.digest()?))).collect(),
        generator: outcomes.iter().find_map(rebuilt),
    }
}

/// A cell's digest beside the one recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub cell: String,
    /// `None`: the cell gives no result, or is not there.
    pub digest: Option<String>,
    /// `None`: nothing was recorded for it.
    pub recorded: Option<String>,
    /// `None`: there is nothing to compare with.
    pub same: Option<bool>,
}

/// Compares results with recorded digests, in the order of the document; then what was recorded of
/// cells that are not there.
pub fn check(outcomes: &[Outcome], recorded: &[(String, String)]) -> Vec<Check> {
    let of = |cell: &str| recorded.iter().find(|(c, _)| c == cell).map(|(_, d)| d.clone());
    let here = outcomes.iter().map(|o| {
        let (digest, recorded) = (o.digest(), of(&o.cell));
        let same = recorded.as_ref().map(|r| digest.as_ref() == Some(r));
        Check { cell: o.cell.clone(), digest, recorded, same }
    });
    let gone = recorded.iter().filter(|(c, _)| outcomes.iter().all(|o| o.cell != *c)).map(|(c, d)| Check {
        cell: c.clone(),
        digest: None,
        recorded: Some(d.clone()),
        same: Some(false),
    });
    here.chain(gone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Address, set};

    const TEXT: &str = "\
```netspurt trace office
delay_ms
5
7
```

```netspurt rto a
trace = \"office\"
a = \"mills\"
```

```netspurt rto b
trace = \"rfc889/dcn1-local/FOE\"
a = \"mills\"
```

```netspurt rto empty
a = \"mills\"
```

```netspurt rto none
trace = \"office\"
```

```netspurt rto lost
trace = \"ofice\"
a = \"mills\"
```

```netspurt rto broken
a = 1
```
";

    #[test]
    fn one_bad_cell_never_stops_the_others() {
        let outcomes = evaluate(&Document::parse(TEXT), &Shelf::default());
        let told: Vec<_> = outcomes
            .iter()
            .map(|o| {
                format!(
                    "{}: {}",
                    o.cell,
                    o.report.as_ref().map_or_else(ToString::to_string, |r| r.digest().len().to_string())
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                "a: 19",
                "b: 19",
                "empty: no trace is chosen: write trace = \"…\"",
                "none: there is no estimator to run: give at least one of a, b, c, d",
                "lost: there is no trace called ofice; in this notebook there are office; did you mean office?",
                "broken: line 31: a must be text in quotes",
            ]
        );
    }

    #[test]
    fn only_what_changed_is_run_again() {
        let mut cache = Cache::default();
        let shelf = Shelf::default();
        let before = Document::parse(TEXT);
        let first = cache.evaluate(&before, &shelf, |_| Look::default(), &mut whole);
        let edit = set(&before, &Address::param("a", "a", "g"), "3").unwrap();
        let second = cache.evaluate(&edit.document, &shelf, |_| Look::default(), &mut whole);
        assert_ne!(first[0].report, second[0].report);
        assert_eq!(first[1].report, second[1].report);
        // Titles change no result.
        let titled = set(&edit.document, &Address::key("b", "title"), "x").unwrap();
        let third = cache.evaluate(&titled.document, &shelf, |_| Look::default(), &mut whole);
        assert_eq!((&second[0].report, &second[1].report), (&third[0].report, &third[1].report));
        // Data inside the document is part of the job.
        let longer = crate::edit::set_body(&titled.document, "office", "delay_ms\n5\n7\n8\n").unwrap();
        let fourth = cache.evaluate(&longer.document, &shelf, |_| Look::default(), &mut whole);
        assert_ne!(third[0].report, fourth[0].report);
        assert_eq!(third[1].report, fourth[1].report);
    }

    #[test]
    fn digests_travel_and_are_compared() {
        let document = Document::parse(TEXT);
        let outcomes = evaluate(&document, &Shelf::default());
        let mut payload = payload(&document, &outcomes, Vec::new());
        assert_eq!((payload.digests.len(), payload.generator.is_some()), (2, true));
        let sames = |p: &Payload| check(&outcomes, &p.digests).iter().map(|c| c.same).collect::<Vec<_>>();
        assert_eq!(sames(&payload), [Some(true), Some(true), None, None, None, None]);
        payload.digests[1].1 = "0000-0000-0000-0000".to_owned();
        payload.digests.push(("gone".to_owned(), "1".to_owned()));
        assert_eq!(sames(&payload), [Some(true), Some(false), None, None, None, None, Some(false)]);
    }
}

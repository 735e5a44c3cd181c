//! What the page asks of its worker, and what comes back.

use crate::cells::{self, Source};
use crate::wire;
use netspurt_core::experiments::Inputs;
use netspurt_core::experiments::run::{self, Kept, Work};
use netspurt_core::report::{Report, RunError};
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;
use netspurt_import::BadRows;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// A file, which comes beside the message. The answer is a [`crate::reading::Content`].
    Read { name: String, bad_rows: BadRows },
    /// A trace that later runs are on. There is no answer.
    Trace(#[serde(with = "wire")] Shared<Trace>),
    /// The run of a cell, on the last trace if it is on one. The answers are [`Answer`]s.
    Run { kind: String, body: String, on_trace: bool, slot: usize, row: Option<usize> },
}

/// What has come of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// A part, and how far it is: parts done, of how many.
    Part {
        done: u64,
        total: u64,
        report: Result<Report, RunError>,
    },
    Whole(Result<Report, RunError>),
}

/// Begins the run of a cell. `None`: there is no such kind here, or the body cannot be read.
pub fn begin(kind: &str, body: &str, inputs: &Inputs, kept: &Kept) -> Option<Box<dyn Work>> {
    let content = cells::kind(kind)?.read(&Source { id: "", body }).ok()?;
    Some(run::begin(&*content.experiment()?.setup, inputs, kept))
}

//! What the page asks of its worker, and what comes back. Both travel as octets ([`pack`]), which a
//! browser hands over in one piece; page and worker are of one build, so nothing in them is named.

use crate::cells::{self, Source};
use crate::how::How;
use crate::reading::{Content, Preview};
use crate::wire;
use netspurt_core::experiments::Inputs;
use netspurt_core::experiments::run::{self, Kept, Work};
use netspurt_core::report::{Report, RunError};
use netspurt_core::shared::Shared;
use netspurt_core::trace::{Piece, Trace};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// A file, which comes beside the message, is to be read so. The answers are [`Told`].
    Read { name: String, how: How },
    /// The beginning of a table, which comes beside the message. The answer is [`Told::Preview`].
    Preview { how: How },
    /// What can be opened. The answer is [`Told::Kinds`].
    Kinds,
    /// A part of the trace that comes next. There is no answer.
    Piece(Piece),
    /// A trace that later runs are on; its pieces have come before. There is no answer.
    Trace(#[serde(with = "wire")] Shared<Trace>),
    /// The run of a cell, on the last trace if it is on one. The answers are [`Answer`]s.
    Run { kind: String, body: String, on_trace: bool, slot: usize, row: Option<usize> },
}

/// What the worker tells of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Told {
    /// So many hundredths are read. The content is still to come.
    Percent(u8),
    /// A part of the trace that the content is. The next comes once this is taken.
    Piece(Piece),
    /// Of a trace, the pieces have come before.
    Content(Content),
    Preview(Result<Preview, String>),
    /// The kinds of files that can be opened: what each is called, and what it is.
    Kinds(Vec<(String, String)>),
}

/// What has come of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// A part, and how far it is.
    Part(Progress, Result<Report, RunError>),
    Whole(Result<Report, RunError>),
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Parts done.
    pub done: u64,
    /// Of how many; 0: that is not known.
    pub total: u64,
    /// What the parts are.
    pub counts: String,
    /// How long that took, ms.
    pub elapsed: f64,
}

impl Progress {
    /// How long the rest takes if it goes on like this, s. `None`: nothing is done yet, or
    /// it is not known how much there is to do.
    pub fn left(&self) -> Option<f64> {
        let rest = self.total.saturating_sub(self.done) as f64;
        (self.done > 0 && self.total > 0).then(|| self.elapsed * rest / self.done as f64 / 1000.0)
    }
}

/// Begins the run of a cell. `None`: there is no such kind here, or the body cannot be read.
pub fn begin(kind: &str, body: &str, inputs: &Inputs, kept: &Kept) -> Option<Box<dyn Work>> {
    let content = cells::kind(kind)?.read(&Source { id: "", body }).ok()?;
    Some(run::begin(&*content.experiment()?.setup, inputs, kept))
}

/// A message as octets.
pub fn pack(message: &impl Serialize) -> Result<Vec<u8>, String> {
    postcard::to_allocvec(message).map_err(|e| e.to_string())
}

/// The message that was packed. Fails on octets of another build.
pub fn unpack<T: DeserializeOwned>(octets: &[u8]) -> Result<T, String> {
    postcard::from_bytes(octets).map_err(|e| e.to_string())
}

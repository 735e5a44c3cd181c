//! What the page asks of its worker.

use crate::wire;
use netspurt_core::experiments::{self, Experiment, Worked};
use netspurt_core::rto::{parse_slot, print_slot};
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;
use netspurt_import::BadRows;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// A file, which comes beside the message. The answer is a [`crate::reading::Content`].
    Read { name: String, bad_rows: BadRows },
    /// The work of an experiment. The answers are [`Progress`].
    Work {
        kind: String,
        settings: Settings,
        #[serde(with = "wire::optional")]
        trace: Option<Shared<Trace>>,
    },
}

/// What an experiment is set to, as words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    params: Vec<(String, String)>,
    slots: Vec<Option<String>>,
}

impl Settings {
    pub fn of(setup: &dyn Experiment) -> Self {
        let table = setup.settings();
        let param = |i| (table.spec(i).name.to_owned(), table.spec(i).print(table.value(i)));
        let slots = setup.slots().into_iter().flatten();
        Self {
            params: (0..table.len()).map(param).collect(),
            slots: slots.map(|s| s.as_deref().map(print_slot)).collect(),
        }
    }

    /// The experiment of this kind, set so. `None`: there is no such kind, or a setting it does not
    /// take.
    pub fn setup(&self, kind: &str) -> Option<Box<dyn Experiment>> {
        let mut setup = (experiments::all().iter().find(|e| e.kind == kind)?.make)();
        for (name, text) in &self.params {
            setup.settings_mut().set_text(name, text).ok()?;
        }
        for (to, text) in setup.slots_mut().into_iter().flatten().zip(&self.slots) {
            *to = match text {
                Some(text) => Some(parse_slot(text).ok()?),
                None => None,
            };
        }
        Some(setup)
    }
}

/// [`Worked`] as a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    done: u64,
    total: u64,
    #[serde(with = "serde_bytes")]
    numbers: Vec<u8>,
}

impl From<&Worked> for Progress {
    fn from(w: &Worked) -> Self {
        Self { done: w.done, total: w.total, numbers: wire::octets(&w.numbers) }
    }
}

impl From<&Progress> for Worked {
    fn from(p: &Progress) -> Self {
        Self { done: p.done, total: p.total, numbers: wire::numbers(&p.numbers) }
    }
}

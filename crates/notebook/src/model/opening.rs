//! Links and notebooks that are opened, what comes of bad ones, and traces that cells are given.

use super::{Effect, Model, Msg, Reading, Saved};
use crate::cells::slot_key;
use crate::csv_cell;
use crate::document::Document;
use crate::edit::{self, Address};
use crate::embed::{Placed, place};
use crate::evaluate::check;
use crate::history::Group;
use crate::link::{self, Payload};
use crate::reading::is_link;
use netspurt_core::experiments::Entry;
use netspurt_core::rto::rebuild::GENERATOR;
use netspurt_core::trace::Trace;

/// A link that could not be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkFailure {
    pub what: String,
    pub what_to_do: &'static str,
    /// What could be read of it; unchecked.
    pub readable: Option<String>,
}

/// What a link's recorded digests say of the results here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reproduced {
    /// Every recorded result came out the same, bit for bit. How many.
    All(usize),
    /// These cells differ.
    Differs { cells: Vec<String>, other_generator: bool },
}

/// Traces longer than this are not tried for a link: they cannot fit.
const LONGEST_EMBEDDED: usize = 50_000;

/// The kind of cell that shows printed delay lines.
const LINES: &str = "delay-lines";

impl Model {
    /// Lets a cell run on a trace. A file small enough for a link becomes part of the notebook.
    pub(super) fn choose_trace(&mut self, cell: &str, name: &str) -> Vec<Effect> {
        let group = Group(format!("{cell}.trace, embedded"));
        let mut effects = Vec::new();
        let mut name = name.to_owned();
        let file = self.shelf.find(&name).cloned();
        if let Some(file) = file.filter(|f| f.found.trace.len() <= LONGEST_EMBEDDED) {
            let trace = &file.found.trace;
            if let Some(inside) = embedded(&self.document, trace) {
                name = inside;
            } else {
                let at = self.document.blocks().len();
                // A name that spoils the fence is no reason not to use the file.
                let placed = place(&self.document, at, trace, &file.file, &file.found.sha256);
                if let Ok(Placed::Embedded { edit, name: inside, .. }) = placed {
                    effects.extend(self.edit(Ok(*edit), Some(group.clone())));
                    name = inside;
                }
            }
        }
        effects
            .extend(self.edit(edit::set(&self.document, &Address::key(cell, "trace"), &name), Some(group)));
        self.history.close();
        self.opened = None;
        effects.extend(self.give_an_estimator(cell));
        effects
    }

    /// Shows a trace in a cell that runs on one, or in a new one.
    pub(super) fn show_trace(&mut self, name: &str) -> Vec<Effect> {
        if let Some(cell) = self.trace_target() {
            let mut effects = self.choose_trace(&cell, name);
            effects.push(Effect::Show(super::cell_element(&cell)));
            return effects;
        }
        let at = self.document.blocks().len();
        let mut effects = self.edit_and_reveal(edit::add_cell(&self.document, at, "rto", None, ""));
        if let Some(cell) = self.trace_target() {
            effects.extend(self.choose_trace(&cell, name));
        }
        effects
    }

    /// The cell that a trace chosen in the library goes to: the current one, or the first that runs on
    /// one. `None`: there is none.
    pub fn trace_target(&self) -> Option<String> {
        self.target(|e| e.needs_trace)
    }

    /// The cell that a printed delay line chosen in the library is shown in, likewise.
    pub fn line_target(&self) -> Option<String> {
        self.target(|e| e.kind == LINES)
    }

    fn target(&self, fits: impl Fn(&Entry) -> bool) -> Option<String> {
        let fits = |id: &str| self.experiment(id).is_some_and(|e| fits(e.setup.entry()));
        let current = self.view.current.clone().filter(|id| fits(id));
        current.or_else(|| self.document.cells().map(|c| c.id.clone()).find(|id| fits(id)))
    }

    /// Shows a printed delay line among all of them, in a cell of its own kind.
    pub(super) fn show_line(&mut self, line: usize) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.line_target().is_none() {
            let at = self.document.blocks().len();
            effects.extend(self.edit_and_reveal(edit::add_cell(&self.document, at, LINES, None, "")));
        }
        if let Some(cell) = self.line_target() {
            self.view.current = Some(cell.clone());
            effects.extend(self.apply(Msg::SelectRecord { cell: cell.clone(), record: Some(line) }));
            effects.push(Effect::Show(super::cell_element(&cell)));
        }
        effects
    }

    /// A cell that holds a trace and no estimator gets the one of 1983.
    fn give_an_estimator(&mut self, cell: &str) -> Vec<Effect> {
        let compares =
            |e: &crate::cells::Cell| e.setup.slots().is_some() && e.setup.set_slots().next().is_none();
        let bare = self.experiment(cell).is_some_and(compares);
        if bare {
            self.apply(Msg::Set {
                address: Address::key(cell, slot_key(0)),
                text: "mills".to_owned(),
                live: false,
            })
        } else {
            Vec::new()
        }
    }

    pub(super) fn open_fragment(&mut self, fragment: &str) -> Vec<Effect> {
        if !is_link(fragment) {
            return Vec::new();
        }
        match link::decode(fragment) {
            Ok(payload) => self.open_payload(&payload),
            Err(e) => {
                self.link_failure = Some(LinkFailure {
                    what: e.problem.to_string(),
                    what_to_do: e.problem.what_to_do(),
                    readable: e.readable,
                });
                vec![Effect::ShowTop]
            }
        }
    }

    fn open_payload(&mut self, payload: &Payload) -> Vec<Effect> {
        // The page's own address comes back to it when it is loaded again.
        let mut effects =
            if payload.text == self.document.text() { Vec::new() } else { self.open_text(&payload.text) };
        self.view.take_pairs(&payload.view);
        self.settle();
        self.sent = Some(payload.clone());
        self.reproduce();
        self.link_failure = None;
        if let Some(r) = &self.reproduced {
            effects.push(Effect::Say(r.to_string()));
        }
        effects
    }

    /// Compares a link's results with those here, once all have come that are to come.
    pub(super) fn reproduce(&mut self) {
        if !self.reading.iter().any(Reading::is_restored)
            && !self.is_working()
            && let Some(payload) = self.sent.take()
        {
            self.reproduced = reproduced(self, &payload);
        }
    }

    pub(super) fn open_readable(&mut self) -> Vec<Effect> {
        let Some(text) = self.link_failure.take().and_then(|f| f.readable) else { return Vec::new() };
        self.open_text(&text)
    }

    /// Puts another text on the page. What is on it now has been kept already.
    pub(super) fn open_text(&mut self, text: &str) -> Vec<Effect> {
        self.document = Document::parse(text);
        self.history = crate::history::History::default();
        self.view.forget_document();
        self.refused = None;
        self.reproduced = None;
        self.sent = None;
        self.link_failure = None;
        self.opened = None;
        self.saved = Saved::Nothing;
        self.settle();
        vec![Effect::OtherNotebook, Effect::Say(format!("{} is open", self.title()))]
    }
}

impl std::fmt::Display for Reproduced {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All(1) => write!(f, "Reproduced, bit for bit: the one result is what the sender saw."),
            Self::All(n) => write!(f, "Reproduced, bit for bit: all {n} results are what the sender saw."),
            Self::Differs { cells, other_generator } => {
                write!(f, "Not what the sender saw: {}.", cells.join(", "))?;
                if *other_generator {
                    write!(f, " The link was made with another generator for the runs of 1983.")?;
                }
                Ok(())
            }
        }
    }
}

/// The trace cell that holds these very packets already.
fn embedded(document: &Document, trace: &Trace) -> Option<String> {
    let body = csv_cell::write(trace);
    let same =
        |c: &&crate::document::Cell| c.kind.is_some_and(|k| k.name == "trace") && document.body(c) == body;
    document.cells().find(same).map(|c| c.id.clone())
}

fn reproduced(model: &Model, payload: &Payload) -> Option<Reproduced> {
    let checks = check(&model.outcomes, &payload.digests);
    let compared: Vec<_> = checks.iter().filter_map(|c| Some((c.cell.clone(), c.same?))).collect();
    let cells: Vec<String> =
        compared.iter().filter(|(_, same)| !same).map(|(cell, _)| cell.clone()).collect();
    let other_generator = payload.generator.is_some_and(|g| g != GENERATOR);
    match (compared.len(), cells.is_empty()) {
        (0, _) => None,
        (n, true) => Some(Reproduced::All(n)),
        (_, false) => Some(Reproduced::Differs { cells, other_generator }),
    }
}

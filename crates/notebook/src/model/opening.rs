//! Files, links and notebooks that are opened, and what comes of bad ones.

use super::{Effect, Model, Msg, Saved, rto_of, slot_key};
use crate::csv_cell;
use crate::document::Document;
use crate::edit::{self, Address};
use crate::embed::{Placed, place};
use crate::evaluate::check;
use crate::history::Group;
use crate::link::{self, Payload};
use crate::traces::Opened;
use netspurt_core::digest::sha256_hex;
use netspurt_core::rto::rebuild::GENERATOR;
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;
use netspurt_import::{BadRows, ErrorKind, ImportError, Options, Remedy};

/// A file that could not be read. Its bytes are kept for another try.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFailure {
    pub name: String,
    pub error: ImportError,
    bytes: Vec<u8>,
}

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

impl Model {
    pub(super) fn open_file(&mut self, name: &str, bytes: Vec<u8>) -> Vec<Effect> {
        let text = std::str::from_utf8(&bytes).ok().filter(|t| !t.contains('\0'));
        if let Some(text) = text.filter(|t| has_cell(t)) {
            self.file_failure = None;
            return self.open_text(text);
        }
        if let Some(fragment) = text.and_then(link_in) {
            let fragment = fragment.to_owned();
            return self.open_fragment(&fragment);
        }
        let heading = text.filter(|t| t.trim_start().starts_with("# ")).map(str::to_owned);
        let effects = self.read(name, bytes, BadRows::Ask);
        match heading {
            // What no importer knows and begins with a heading is a notebook without cells. Lines of
            // a log may begin so too, which is why importers are asked first.
            Some(text) if self.file_failure.as_ref().is_some_and(|f| f.error.kind == ErrorKind::Unknown) => {
                self.file_failure = None;
                self.open_text(&text)
            }
            _ => effects,
        }
    }

    pub(super) fn read_again(&mut self, bad_rows: BadRows) -> Vec<Effect> {
        let Some(FileFailure { name, bytes, .. }) = self.file_failure.take() else { return Vec::new() };
        self.read(&name, bytes, bad_rows)
    }

    fn read(&mut self, name: &str, bytes: Vec<u8>, bad_rows: BadRows) -> Vec<Effect> {
        match read(name, &bytes, bad_rows) {
            Ok(opened) => {
                self.file_failure = None;
                let digest = opened.sha256.clone();
                let said = format!("{name} is in the library: {} packets", opened.trace.len());
                self.opened = Some(opened.trace_name());
                self.shelf.put(opened);
                self.view.drawer = true;
                self.settle();
                vec![
                    Effect::KeepFile { digest, name: name.to_owned(), bad_rows, bytes },
                    Effect::Say(said),
                    Effect::ShowTop,
                ]
            }
            Err(error) => {
                self.file_failure = Some(FileFailure { name: name.to_owned(), error, bytes });
                vec![Effect::ShowTop]
            }
        }
    }

    pub(super) fn file_unreadable(&mut self, name: &str, why: &str) -> Vec<Effect> {
        let error = ImportError {
            kind: ErrorKind::Refused,
            what: format!("The browser could not read this file: {why}."),
            place: None,
            remedies: vec![Remedy::OpenAnother],
            others: None,
        };
        self.file_failure = Some(FileFailure { name: name.to_owned(), error, bytes: Vec::new() });
        vec![Effect::ShowTop]
    }

    /// A file kept from an earlier visit goes back on the shelf. One that cannot be read any more is
    /// left where it is.
    pub(super) fn restore_file(&mut self, name: &str, bytes: &[u8], bad_rows: BadRows) -> Vec<Effect> {
        if let Ok(opened) = read(name, bytes, bad_rows) {
            self.shelf.put(opened);
            self.settle();
        }
        Vec::new()
    }

    pub(super) fn forget_file(&mut self, digest: String) -> Vec<Effect> {
        self.shelf.remove(&digest);
        self.opened = None;
        self.settle();
        vec![Effect::ForgetFile { digest }]
    }

    /// Lets a cell run on a trace. A file small enough for a link becomes part of the notebook.
    pub(super) fn choose_trace(&mut self, cell: &str, name: &str) -> Vec<Effect> {
        let group = Group(format!("{cell}.trace, embedded"));
        let mut effects = Vec::new();
        let mut name = name.to_owned();
        let file = self.shelf.opened().iter().find(|o| o.trace_name() == name).cloned();
        if let Some(file) = file.filter(|f| f.trace.len() <= LONGEST_EMBEDDED) {
            if let Some(inside) = embedded(&self.document, &file.trace) {
                name = inside;
            } else {
                let at = self.document.blocks().len();
                // A name that spoils the fence is no reason not to use the file.
                let placed = place(&self.document, at, &file.trace, &file.name, &file.sha256);
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

    /// A cell that holds a trace and no estimator gets the one of 1983.
    fn give_an_estimator(&mut self, cell: &str) -> Vec<Effect> {
        let bare =
            self.document.cell(cell).and_then(rto_of).is_some_and(|r| r.setup.set_slots().next().is_none());
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
        self.reproduced = reproduced(self, payload);
        self.link_failure = None;
        if let Some(r) = &self.reproduced {
            effects.push(Effect::Say(r.to_string()));
        }
        effects
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

fn read(name: &str, bytes: &[u8], bad_rows: BadRows) -> Result<Opened, ImportError> {
    let options = Options { name: name.to_owned(), bad_rows, ..Options::default() };
    let import = netspurt_import::read(bytes, &options)?;
    Ok(Opened { name: name.to_owned(), sha256: sha256_hex(bytes), trace: Shared::new(import.trace) })
}

/// Whether a fence opens a cell somewhere in the text.
fn has_cell(text: &str) -> bool {
    text.lines().any(|l| {
        let word = l.trim_start().trim_start_matches(['`', '~']);
        l.trim_start().len() >= word.len() + 3 && word.trim_start().starts_with("netspurt ")
    })
}

/// The part of a link from `#` on, if the text is a link and nothing else.
fn link_in(text: &str) -> Option<&str> {
    let text = text.trim();
    let fragment = &text[text.find('#')?..];
    (!text.contains(char::is_whitespace) && is_link(fragment)).then_some(fragment)
}

/// The trace cell that holds these very packets already.
fn embedded(document: &Document, trace: &Trace) -> Option<String> {
    let body = csv_cell::write(trace);
    let same =
        |c: &&crate::document::Cell| c.kind.is_some_and(|k| k.name == "trace") && document.body(c) == body;
    document.cells().find(same).map(|c| c.id.clone())
}

/// Whether the part after `#` is meant as a link to a notebook, and not as a place on the page.
fn is_link(fragment: &str) -> bool {
    fragment.trim_start_matches('#').starts_with(|c: char| c.is_ascii_digit())
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

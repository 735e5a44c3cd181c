//! The page's whole state, and the one function that changes it.
//!
//! [`Model::apply`] takes a message and returns effects: what the browser is to do that is not
//! drawing (address, storage, downloads, words for a screen reader). The page turns the state into
//! elements and events into messages, and performs the effects; it decides nothing.

mod examples;
mod files;
mod look;
mod message;
mod opening;
mod sharing;
mod shown;
#[cfg(test)]
mod tests;
mod view;
mod working;

pub use files::{Choosing, FileFailure, FileId, Kept, Reading};
pub use message::{Effect, Go, Msg, Saved};
pub use opening::{LinkFailure, Reproduced};
pub use sharing::{LeftOut, Share};
pub use shown::Shown;
pub use view::{CellView, Dialog, Panel, Theme, View};
pub use working::Working;

use crate::cells;
use crate::document::{Cell, Document};
use crate::edit::{self, Address, Edit, EditError};
use crate::evaluate::{Cache, Job, Look, Outcome};
use crate::history::{Group, History};
use crate::lessons;
use crate::link::Payload;
use crate::traces::Shelf;
use netspurt_core::experiments::SLOTS;
use netspurt_core::params::{Kind, Settings, Value};
use netspurt_core::parts::{Change, Parts};
use netspurt_core::rto;
use working::Workshop;

/// The state.
#[derive(Debug)]
pub struct Model {
    document: Document,
    history: History,
    view: View,
    shelf: Shelf,
    cache: Cache,
    outcomes: Vec<Outcome>,
    workshop: Workshop,
    reading: Vec<Reading>,
    /// The number of the last reading that was asked for.
    tickets: u32,
    /// The files of the traces on the shelf, by their digests.
    held: Vec<(String, FileId)>,
    /// In the order in which they failed.
    file_failures: Vec<FileFailure>,
    choosing: Option<Choosing>,
    /// What can be opened, once someone asked.
    kinds: Vec<(String, String)>,
    link_failure: Option<LinkFailure>,
    /// The name of the trace that was opened last, until it is used or dismissed.
    opened: Option<String>,
    /// A link whose results are still to be compared.
    sent: Option<Payload>,
    reproduced: Option<Reproduced>,
    other_tab: bool,
    saved: Saved,
    /// Why the last edit was refused.
    refused: Option<String>,
}

impl Default for Model {
    /// A first visit: the first lesson, nothing kept.
    fn default() -> Self {
        let text = lessons::lesson(lessons::FIRST).map_or("", |l| l.text);
        let mut model = Self {
            document: Document::parse(text),
            history: History::default(),
            view: View::default(),
            shelf: Shelf::default(),
            cache: Cache::default(),
            outcomes: Vec::new(),
            workshop: Workshop::default(),
            reading: Vec::new(),
            tickets: 0,
            held: Vec::new(),
            file_failures: Vec::new(),
            choosing: None,
            kinds: Vec::new(),
            link_failure: None,
            opened: None,
            sent: None,
            reproduced: None,
            other_tab: false,
            saved: Saved::Nothing,
            refused: None,
        };
        model.settle();
        model
    }
}

impl Model {
    pub fn document(&self) -> &Document {
        &self.document
    }

    pub fn view(&self) -> &View {
        &self.view
    }

    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// The title of the notebook.
    pub fn title(&self) -> &str {
        self.document.title().unwrap_or("Untitled notebook")
    }

    /// What a cell came to. `None` for a cell that has no result of its own, as a trace.
    pub fn outcome(&self, cell: &str) -> Option<&Outcome> {
        self.outcomes.iter().find(|o| o.cell == cell)
    }

    /// A file the reader has opened and that is being read.
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.iter().find(|r| r.is_asked_for())
    }

    /// A file that could not be read, to be told of until it is dismissed; then the next is. Not the one whose
    /// columns are being chosen.
    pub fn file_failure(&self) -> Option<&FileFailure> {
        self.file_failures.get(self.first_failure()?)
    }

    fn first_failure(&self) -> Option<usize> {
        let is_told = |f: &FileFailure| self.choosing.as_ref().is_none_or(|c| !c.is_of(f));
        self.file_failures.iter().position(is_told)
    }

    /// A table whose reading is being corrected.
    pub fn choosing(&self) -> Option<&Choosing> {
        self.choosing.as_ref()
    }

    /// The kinds of files that can be opened: what each is called, and what it is. Empty until
    /// someone asked and was answered.
    pub fn kinds(&self) -> &[(String, String)] {
        &self.kinds
    }

    /// A link that could not be opened.
    pub fn link_failure(&self) -> Option<&LinkFailure> {
        self.link_failure.as_ref()
    }

    /// The file that was opened last, until it is used or dismissed.
    pub fn opened(&self) -> Option<&crate::traces::Opened> {
        self.shelf.find(self.opened.as_ref()?)
    }

    /// What a link's digests said of the results here.
    pub fn reproduced(&self) -> Option<&Reproduced> {
        self.reproduced.as_ref()
    }

    /// Whether another tab has changed the same notebook.
    pub fn other_tab(&self) -> bool {
        self.other_tab
    }

    /// Why the last edit was not made; gone with the next that is.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// Changes the state and says what else is to be done.
    pub fn apply(&mut self, msg: Msg) -> Vec<Effect> {
        let mut effects = self.handle(msg);
        effects.append(&mut self.workshop.asked);
        effects
    }

    fn handle(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Set { address, text, live } => {
                let group = live.then(|| Group(address.to_string()));
                let effects = self.edit(edit::set(&self.document, &address, &text), group);
                if !live {
                    self.history.close();
                }
                effects
            }
            Msg::Step { address, steps } => {
                let Some(text) = self.stepped(&address, steps) else { return Vec::new() };
                self.apply(Msg::Set { address, text, live: true })
            }
            Msg::Select { cell, from, to } => {
                let ends = [from, to].map(|(key, value)| (key, value.round()));
                self.set_numbers(&cell, &ends, "selected")
            }
            Msg::UsePoint { cell, target } => self.use_point(&cell, &target),
            Msg::Unset(address) => self.edit(edit::unset(&self.document, &address), None),
            Msg::Release => {
                self.history.close();
                Vec::new()
            }
            Msg::ResetSlot { cell, slot } => {
                let id = self.slot_rule(&cell, slot).map(rto::Rule::id);
                id.map_or_else(Vec::new, |id| self.set_slot(&cell, slot, id))
            }
            Msg::AddSlot { cell } => self.add_slot(&cell),
            Msg::RemoveSlot { cell, slot } => self.remove_slot(&cell, slot),
            Msg::ChooseEstimator { cell, slot, id } => self.set_slot(&cell, slot, id),
            Msg::ChooseTrace { cell, name } => self.choose_trace(&cell, &name),
            Msg::ShowTrace { name } => self.show_trace(&name),
            Msg::ShowLine { line } => self.show_line(line),
            Msg::AddPart { cell, list } => self.change_parts(&cell, list, Change::Add),
            Msg::RemovePart { cell, list, part } => self.change_parts(&cell, list, Change::Remove { part }),
            Msg::SetBody { cell, body } => self.edit(edit::set_body(&self.document, &cell, &body), None),
            Msg::UseExample { cell, name } => self.use_example(&cell, name),
            Msg::Mark { cell, key, thing, mark } => self.mark(&cell, key, thing, mark),
            Msg::OpenFrom { cell, which } => self.open_from(&cell, which),
            Msg::SetProse { block, text } => {
                let effects = self.edit(edit::set_prose(&self.document, block, &text), None);
                if self.refused.is_none() {
                    self.view.editing = None;
                }
                effects
            }
            Msg::Fix { cell } => self.fix(&cell),
            Msg::AddCell { at, kind } => {
                let fresh = cells::kind(kind).map_or("", |k| k.fresh);
                self.edit_and_reveal(edit::add_cell(&self.document, at, kind, None, fresh))
            }
            Msg::AddProse { at } => {
                let edit = edit::add_prose(&self.document, at, "Write here.\n");
                let end = edit.as_ref().ok().map(|e| e.splice.range.start + e.splice.text.len());
                let mut effects = self.edit(edit, None);
                // Text after text becomes one block with it.
                let of = |end: usize| self.document.blocks().iter().position(|b| end <= b.range().end);
                if let Some(block) = end.and_then(of) {
                    effects.extend(self.apply(Msg::EditProse { block: Some(block) }));
                }
                effects
            }
            Msg::Duplicate { cell } => self.edit_and_reveal(edit::duplicate_cell(&self.document, &cell)),
            Msg::Delete { cell } => self.edit(edit::delete_cell(&self.document, &cell), None),
            Msg::MoveUp { cell } => self.move_cell(&cell, |at| at.checked_sub(1)),
            Msg::MoveDown { cell } => self.move_cell(&cell, |at| Some(at + 2)),
            Msg::Undo => self.step(History::undo),
            Msg::Redo => self.step(History::redo),
            Msg::OpenLesson(id) => lessons::lesson(id).map_or_else(Vec::new, |l| self.open_text(l.text)),
            Msg::NewNotebook => self.open_text("# Untitled notebook\n\n```netspurt rto\n```\n"),
            Msg::RestoreNotebook { text } => {
                let effects = self.open_text(&text);
                self.saved = Saved::Here;
                effects
            }
            Msg::OpenFragment(fragment) => self.open_fragment(&fragment),
            Msg::OpenReadable => self.open_readable(),
            Msg::Saved(outcome) => {
                self.saved = outcome.map_or_else(Saved::Failed, |()| Saved::Here);
                Vec::new()
            }
            Msg::SaveTable { cell } => self.save_table(&cell),
            Msg::SaveMarkdown => self.save_markdown(),
            other => self.work(other),
        }
    }

    /// Takes an edit over, or says why not.
    fn edit(&mut self, edit: Result<Edit, EditError>, group: Option<Group>) -> Vec<Effect> {
        match edit {
            Ok(edit) if edit.splice.is_empty() => {
                self.refused = None;
                Vec::new()
            }
            Ok(edit) => {
                self.refused = None;
                self.reproduced = None;
                self.history.record(self.document.text(), &edit.splice, group);
                self.document = edit.document;
                self.saved = Saved::Pending;
                self.settle();
                vec![Effect::Changed]
            }
            Err(e) => {
                self.refused = Some(e.to_string());
                vec![Effect::Say(e.to_string())]
            }
        }
    }

    fn edit_and_reveal(&mut self, edit: Result<Edit, EditError>) -> Vec<Effect> {
        let cell = edit.as_ref().ok().and_then(|e| e.cell.clone());
        let mut effects = self.edit(edit, None);
        if let Some(cell) = cell {
            self.view.current = Some(cell.clone());
            effects.push(Effect::Focus(cell_element(&cell)));
        }
        effects
    }

    fn step(&mut self, which: impl Fn(&mut History) -> Option<Vec<crate::splice::Splice>>) -> Vec<Effect> {
        let Some(splices) = which(&mut self.history) else { return Vec::new() };
        for splice in &splices {
            self.document = self.document.apply(splice);
        }
        self.refused = None;
        self.view.editing = None;
        self.saved = Saved::Pending;
        self.settle();
        vec![Effect::Changed]
    }

    /// The text of a number moved by so many steps. `None`: the address names no number.
    fn stepped(&self, address: &Address, steps: f64) -> Option<String> {
        let cell = self.experiment(&address.cell)?;
        // What was left to the trace moves from where it was settled.
        let trace = self.outcome(&address.cell).and_then(|o| o.job.as_ref()?.trace());
        let slot = cells::slot(&address.key).unwrap_or_default();
        let setup = trace.map_or_else(|| cell.setup.clone(), |t| cell.setup.settled(t, slot));
        let (settings, name): (&dyn Settings, &str) = match (&address.param, cells::slot(&address.key)) {
            (Some(param), Some(slot)) => (setup.slot(slot)?, param),
            (Some(param), None) => {
                let (parts, part, name) = edit::found_part(&*setup, &address.key, param)?;
                return moved(parts.part(part)?, name, steps);
            }
            _ => (setup.settings(), &address.key),
        };
        moved(settings, name, steps)
    }

    /// How many rows of a cell's result can be looked at.
    fn records(&self, cell: &str) -> Option<usize> {
        let report = self.outcome(cell)?.report.as_ref().ok()?;
        Some(if report.steps > 0 { report.steps } else { report.frame.rows })
    }

    /// Looks at a row; where rows are settings, takes them over.
    fn pick(&mut self, cell: &str, row: Option<usize>) -> Vec<Effect> {
        let report = self.outcome(cell).and_then(|o| o.report.as_ref().ok());
        let sets: Vec<(String, f64)> = row.zip(report).map_or_else(Vec::new, |(row, report)| {
            let numbers = report
                .sets
                .iter()
                .filter_map(|(name, column)| Some((name.to_string(), report.frame.number(row, *column)?)));
            numbers.collect()
        });
        if !sets.is_empty() {
            return self.set_numbers(cell, &sets, "picked");
        }
        self.view.cell_mut(cell).selected = row;
        if self.experiment(cell).is_some_and(|e| e.setup.entry().follows_row) {
            self.settle();
        }
        vec![Effect::Changed]
    }

    /// Sets parameters of a cell in one step of undo.
    fn set_numbers(&mut self, cell: &str, numbers: &[(String, f64)], what: &str) -> Vec<Effect> {
        let group = Some(Group(format!("{cell}, {what}")));
        let mut effects = Vec::new();
        for (key, value) in numbers {
            let address = Address::key(cell, key);
            let Some(text) = self.printed(&address, *value) else { continue };
            effects.extend(self.edit(edit::set(&self.document, &address, &text), group.clone()));
        }
        self.history.close();
        effects
    }

    /// A number as a parameter of a cell prints it.
    fn printed(&self, address: &Address, value: f64) -> Option<String> {
        let settings = self.experiment(&address.cell)?.setup.settings();
        Some(settings.spec(settings.find(&address.key)?).print(Value::Number(value)))
    }

    /// The row that is looked at, or that the settings are.
    fn current_row(&self, cell: &str) -> Option<usize> {
        let report = self.outcome(cell)?.report.as_ref().ok()?;
        if report.sets.is_empty() {
            return self.view.cell(cell).selected;
        }
        let settings = self.experiment(cell)?.setup.settings();
        let is_set = |row: usize| {
            report.sets.iter().all(|(name, column)| {
                let value = settings.find(name).map(|i| settings.value(i));
                value == report.frame.number(row, *column).map(Value::Number)
            })
        };
        (0..report.frame.rows).find(|row| is_set(*row))
    }

    /// A slot of one cell gets the factors another is at.
    fn use_point(&mut self, cell: &str, target: &str) -> Vec<Effect> {
        let text = self.experiment(cell).map(|e| {
            let settings = e.setup.settings();
            let of = |name: &str| {
                let row = settings.find(name)?;
                Some(format!(" {name}={}", settings.spec(row).print(settings.value(row))))
            };
            let parts: String = ["f1", "f2", "g"].into_iter().filter_map(of).collect();
            format!("mills{parts}")
        });
        let slot = self.view.cell(target).slot;
        text.map_or_else(Vec::new, |text| self.set_slot(target, slot, &text))
    }

    fn fix(&mut self, cell: &str) -> Vec<Effect> {
        let fix = self.document.cell(cell).and_then(|c| c.errors().iter().find_map(|e| e.fix.clone()));
        let Some(fix) = fix else { return Vec::new() };
        let document = self.document.apply(&fix.splice);
        self.edit(Ok(Edit { document, splice: fix.splice, cell: None }), None)
    }

    fn move_cell(&mut self, cell: &str, to: impl Fn(usize) -> Option<usize>) -> Vec<Effect> {
        let at = self.document.blocks().iter().position(|b| b.cell().is_some_and(|c| c.id == cell));
        match at.and_then(to) {
            Some(to) if to <= self.document.blocks().len() => {
                self.edit_and_reveal(edit::move_cell(&self.document, cell, to))
            }
            _ => Vec::new(),
        }
    }

    fn set_slot(&mut self, cell: &str, slot: usize, text: &str) -> Vec<Effect> {
        self.edit(edit::set(&self.document, &Address::key(cell, cells::slot_key(slot)), text), None)
    }

    fn add_slot(&mut self, cell: &str) -> Vec<Effect> {
        let Some(setup) = self.experiment(cell).map(|e| &e.setup) else { return Vec::new() };
        if setup.slots().is_none() {
            return Vec::new();
        }
        let Some(free) = (0..SLOTS).find(|&i| setup.slot(i).is_none()) else { return Vec::new() };
        let like = setup.slot(self.view.cell(cell).slot);
        let text = like.map_or_else(|| "mills".to_owned(), rto::print_slot);
        let mut effects = self.set_slot(cell, free, &text);
        effects.extend(self.look(Msg::SelectSlot { cell: cell.to_owned(), slot: free }));
        effects
    }

    fn remove_slot(&mut self, cell: &str, slot: usize) -> Vec<Effect> {
        let mut effects =
            self.edit(edit::unset(&self.document, &Address::key(cell, cells::slot_key(slot))), None);
        let left = self.experiment(cell).and_then(|e| e.setup.set_slots().next().map(|(i, _)| i));
        if let Some(slot) = left {
            effects.extend(self.look(Msg::SelectSlot { cell: cell.to_owned(), slot }));
        }
        effects
    }

    fn experiment(&self, cell: &str) -> Option<&cells::Cell> {
        experiment_of(self.document.cell(cell)?)
    }

    fn slot_rule(&self, cell: &str, slot: usize) -> Option<&dyn rto::Rule> {
        self.experiment(cell)?.setup.slot(slot)
    }

    /// Runs what changed, and mends a view that points at what is gone.
    fn settle(&mut self) {
        let slots: Vec<(String, usize)> = self
            .document
            .cells()
            .filter_map(|c| {
                let setup = &experiment_of(c)?.setup;
                let slot = self.view.cell(&c.id).slot;
                let first = setup.set_slots().next().map_or(0, |(i, _)| i);
                Some((c.id.clone(), if setup.slot(slot).is_some() { slot } else { first }))
            })
            .collect();
        for (cell, slot) in slots {
            if self.view.cell(&cell).slot != slot {
                self.view.cell_mut(&cell).slot = slot;
            }
        }
        if self.view.current.as_ref().is_some_and(|id| self.document.cell(id).is_none()) {
            self.view.current = None;
        }
        let (view, workshop) = (&self.view, &mut self.workshop);
        let look = |id: &str| {
            let view = view.cell(id);
            Look { slot: view.slot, row: view.selected }
        };
        let document = &self.document;
        let mut runner = |cell: &Cell, job: &Job| workshop.run(document, cell, job);
        self.outcomes = self.cache.evaluate(document, &self.shelf, look, &mut runner);
        self.workshop.go_on(|id| document.cell(id).is_some());
        self.read_for_cells();
    }
}

/// A setting's number moved by so many steps, as text. `None`: there is none such, or it is no number.
fn moved(settings: &dyn Settings, name: &str, steps: f64) -> Option<String> {
    let row = settings.find(name)?;
    let spec = settings.spec(row);
    match (spec.kind, settings.value(row)) {
        (Kind::Number(range), Value::Number(v)) => Some(spec.print(Value::Number(range.moved(v, steps)))),
        _ => None,
    }
}

fn experiment_of(cell: &Cell) -> Option<&cells::Cell> {
    cell.content.as_ref().ok()?.experiment()
}

/// The ids of the page's elements that effects put the focus on.
pub const DRAWER_ELEMENT: &str = "drawer";
pub const LIBRARY_ELEMENT: &str = "library";

pub fn cell_element(cell: &str) -> String {
    format!("cell-{cell}")
}

/// The editor of a cell's source.
pub fn source_element(cell: &str) -> String {
    format!("source-{cell}")
}

/// A part in a list of a cell's parts; `None`: what adds one.
pub fn part_element(cell: &str, parts: &dyn Parts, part: Option<usize>) -> String {
    let part = part.map_or_else(|| "add".to_owned(), |i| i.to_string());
    format!("{cell}-{}-{}-{part}", parts.key(), parts.list())
}

pub fn prose_element(block: usize) -> String {
    format!("prose-{block}")
}

/// The editor of a block's prose.
pub fn prose_source_element(block: usize) -> String {
    format!("prose-source-{block}")
}

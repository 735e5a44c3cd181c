//! What a cell shows of the state, compared by pointer where it is large: while it is equal, the cell
//! need not be drawn again.

use super::{CellView, Model, Panel};
use crate::cells::Content;
use crate::document::Cell;
use netspurt_core::report::Report;
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;

/// All that a cell shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    pub cell: String,
    pub is_current: bool,
    view: CellView,
    content: Option<Shared<Content>>,
    /// With another trace it is another.
    report: Option<Shared<Report>>,
    /// The cells there are.
    cells: String,
    /// The traces there are, in the document and on the shelf.
    traces: Vec<(String, Shared<Trace>)>,
    /// Something is wrong, being worked at or being written: the cell is drawn at every change.
    other: Option<Changing>,
}

/// Equal to nothing.
#[derive(Debug, Clone, Copy)]
struct Changing;

impl PartialEq for Changing {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

impl Model {
    /// The traces that cells of the document hold or make, by the cells' ids.
    pub fn traces_inside(&self) -> Vec<(String, Shared<Trace>)> {
        let trace = |c: &Cell| match c.content.as_deref().ok()? {
            Content::Trace(trace) => Some((c.id.clone(), trace.clone())),
            Content::Experiment(e) => Some((c.id.clone(), e.made()?)),
        };
        self.document.cells().filter_map(trace).collect()
    }

    /// What a cell of the document shows.
    pub fn shown(&self, cell: &Cell) -> Shown {
        let view = self.view.cell(&cell.id);
        let outcome = self.outcome(&cell.id);
        let content = cell.content.as_ref().ok().cloned();
        let report = outcome.and_then(|o| o.report.as_ref().ok());
        let is_plain = content.is_some()
            && report.is_some() == outcome.is_some()
            && self.working(&cell.id).is_none_or(|w| !w.is_running())
            && view.panel != Panel::Source;
        let name =
            |c: &Cell| [c.id.as_str(), if c.content.is_ok() { " " } else { "!" }, &c.word, "\n"].concat();
        let mut traces = self.traces_inside();
        for o in self.shelf.opened() {
            traces.push(([&o.trace_name(), "#", &o.name].concat(), o.found.trace.clone()));
        }
        Shown {
            cell: cell.id.clone(),
            is_current: self.view.current.as_ref() == Some(&cell.id),
            view,
            content,
            report: report.cloned(),
            cells: self.document.cells().map(name).collect(),
            traces,
            other: (!is_plain).then_some(Changing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Msg;
    use super::*;
    use crate::edit::Address;

    /// The cells of the first lesson that show something else after a message, or are new.
    fn check(msg: Msg, changed: &[&str]) {
        let mut model = Model::default();
        let shown = |m: &Model| m.document().cells().map(|c| m.shown(c)).collect::<Vec<_>>();
        let before = shown(&model);
        model.apply(msg);
        let after = shown(&model);
        let other = after.iter().filter(|cell| !before.contains(cell)).map(|cell| cell.cell.as_str());
        assert_eq!(other.collect::<Vec<_>>(), changed);
    }

    #[test]
    fn a_step_shows_in_its_own_cell_alone() {
        check(Msg::Step { address: Address::param("foe", "a", "f2"), steps: 1.0 }, &["foe"]);
        check(Msg::Step { address: Address::param("ucl", "a", "g"), steps: -1.0 }, &["ucl"]);
        check(Msg::Release, &[]);
        let renamed = |text: &str| Msg::Set {
            address: Address::key("foe", "title"),
            text: text.to_owned(),
            live: false,
        };
        check(renamed("FOE"), &["foe"]);
    }

    #[test]
    fn what_is_looked_at_and_what_can_be_chosen_show() {
        check(Msg::Focus { cell: Some("ucl".to_owned()) }, &["ucl"]);
        check(Msg::SelectRecord { cell: "foe".to_owned(), record: Some(3) }, &["foe"]);
        check(Msg::ShowPanel { cell: "ucl".to_owned(), panel: Panel::Source }, &["ucl"]);
        check(Msg::SetBody { cell: "foe".to_owned(), body: "a = 1\n".to_owned() }, &["foe", "ucl"]);
        check(Msg::AddCell { at: 0, kind: "trace" }, &["trace-1", "foe", "ucl"]);
    }
}

//! Keys that act on the page as a whole. Sliders, figures, tabs and editors keep their own.

use crate::dom;
use netspurt_notebook::cells::Content;
use netspurt_notebook::model::{Dialog, Model, Msg, Panel, cell_element};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// What a key asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Command {
    Model(Msg),
    /// Show the browser's own picker.
    Open,
}

/// The command of a key press, if it is one here.
pub(crate) fn command(e: &KeyboardEvent, model: &Model, letters: bool) -> Option<Command> {
    let target = e.target().and_then(|t| t.dyn_into::<Element>().ok());
    let typing = target.as_ref().is_some_and(is_text);
    let key = e.key();
    if e.ctrl_key() || e.meta_key() {
        return match key.to_ascii_lowercase().as_str() {
            "z" if typing => None,
            "z" if e.shift_key() => Some(Command::Model(Msg::Redo)),
            "z" => Some(Command::Model(Msg::Undo)),
            "y" if !typing => Some(Command::Model(Msg::Redo)),
            "o" => Some(Command::Open),
            "s" => Some(Command::Model(Msg::SaveMarkdown)),
            _ => None,
        };
    }
    let view = model.view();
    if key == "Escape" && view.drawer {
        return Some(Command::Model(Msg::Drawer(false)));
    }
    if e.alt_key() || typing {
        return None;
    }
    match key.as_str() {
        "l" | "L" if letters => Some(Command::Model(Msg::Drawer(!view.drawer))),
        "?" if letters => Some(Command::Model(Msg::Dialog(Some(Dialog::Keys)))),
        "ArrowDown" | "ArrowUp" if on_page(target.as_ref()) => {
            let cell = neighbour(model, key == "ArrowDown")?;
            dom::focus(&cell_element(&cell));
            Some(Command::Model(Msg::Focus { cell: Some(cell) }))
        }
        "Enter" if on_page(target.as_ref()) => {
            let cell = view.current.clone()?;
            Some(Command::Model(Msg::ShowPanel { cell, panel: Panel::Source }))
        }
        _ => None,
    }
}

/// Whether a key would make the browser open or save the page, or take back what was typed into a field
/// that was left. It must be stopped at once: by the time the page's state has changed the browser has
/// already begun.
pub(crate) fn is_browsers_too(e: &KeyboardEvent) -> bool {
    let undoes = || !e.target().and_then(|t| t.dyn_into::<Element>().ok()).is_some_and(|t| is_text(&t));
    (e.ctrl_key() || e.meta_key())
        && match e.key().as_str() {
            "s" | "S" | "o" | "O" => true,
            "z" | "Z" | "y" | "Y" => undoes(),
            _ => false,
        }
}

/// Whether an element takes text, where letters and undo are its own.
fn is_text(element: &Element) -> bool {
    match element.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => !matches!(element.get_attribute("type").as_deref(), Some("range" | "checkbox" | "radio")),
        _ => false,
    }
}

/// Whether nothing inside a cell has the focus.
fn on_page(element: Option<&Element>) -> bool {
    element.is_none_or(|e| e.tag_name() == "BODY" || e.id().starts_with("cell-") || e.id() == "nb")
}

/// The cell after the current one, or before it.
fn neighbour(model: &Model, down: bool) -> Option<String> {
    let runs =
        |c: &&netspurt_notebook::document::Cell| !matches!(c.content.as_deref(), Ok(Content::Trace(_)));
    let ids: Vec<&str> = model.document().cells().filter(runs).map(|c| c.id.as_str()).collect();
    let at = model.view().current.as_deref().and_then(|id| ids.iter().position(|i| *i == id));
    let next = match (at, down) {
        (None, true) => 0,
        (None, false) => ids.len().checked_sub(1)?,
        (Some(i), true) => i + 1,
        (Some(i), false) => i.checked_sub(1)?,
    };
    ids.get(next).map(|id| (*id).to_owned())
}

//! What the reader looks at: the part of the state that is not the document.
//!
//! The part that matters for showing someone something travels in links, as pairs of words:
//! `foe.slot = b`, `foe.packet = 265`, `foe.zoom = 1000..2000`, `foe.panel = table`.

use crate::cells;
use netspurt_core::number::decimal;

/// How one cell is looked at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CellView {
    /// The slot whose parameters the sliders set, 0 to 3.
    pub slot: usize,
    pub panel: Panel,
    /// The record under the crosshair, by index from 0.
    pub selected: Option<usize>,
    /// The part of the x axis that is shown, in the trace's own unit; `None` is all of it.
    pub zoom: Option<(f64, f64)>,
    /// The part of the figure that is shown where there is room for one, from 0.
    pub part: usize,
}

/// What is open below a cell's figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Panel {
    #[default]
    None,
    Table,
    Source,
}

/// A dialog over the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialog {
    Share,
    Keys,
    /// What can be opened.
    Kinds,
}

/// The theme; `System` follows the reader's system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// The word kept in storage. `None` for the system's.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    pub fn from_word(word: &str) -> Self {
        match word {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }
}

/// The whole page's view.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// The id of the cell that keys act on.
    pub current: Option<String>,
    /// By cell, in the order of their ids.
    cells: Vec<(String, CellView)>,
    pub drawer: bool,
    pub dialog: Option<Dialog>,
    /// The block whose prose is being edited, by index.
    pub editing: Option<usize>,
    pub theme: Theme,
}

impl View {
    /// How the cell of this id is looked at.
    pub fn cell(&self, id: &str) -> CellView {
        self.place(id).map(|at| self.cells[at].1.clone()).unwrap_or_default()
    }

    pub fn cell_mut(&mut self, id: &str) -> &mut CellView {
        let at = self.place(id).unwrap_or_else(|at| {
            self.cells.insert(at, (id.to_owned(), CellView::default()));
            at
        });
        &mut self.cells[at].1
    }

    fn place(&self, id: &str) -> Result<usize, usize> {
        self.cells.binary_search_by(|(known, _)| known.as_str().cmp(id))
    }

    /// Forgets what was looked at in another document.
    pub fn forget_document(&mut self) {
        self.cells.clear();
        self.current = None;
        self.editing = None;
    }

    /// The pairs that travel in a link: only what differs from a first look, in order of cells.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        for (id, v) in &self.cells {
            let mut pair = |key: &str, value: String| pairs.push((format!("{id}.{key}"), value));
            if v.slot != 0 {
                pair("slot", cells::slot_key(v.slot).to_owned());
            }
            match v.panel {
                Panel::None => {}
                Panel::Table => pair("panel", "table".to_owned()),
                Panel::Source => pair("panel", "source".to_owned()),
            }
            if let Some(i) = v.selected {
                pair("packet", (i + 1).to_string());
            }
            if let Some((lo, hi)) = v.zoom {
                pair("zoom", format!("{lo}..{hi}"));
            }
            if v.part != 0 {
                pair("part", (v.part + 1).to_string());
            }
        }
        pairs
    }

    /// Takes over the pairs of a link. What is not understood, as from a later version, is left.
    pub fn take_pairs(&mut self, pairs: &[(String, String)]) {
        for (key, value) in pairs {
            let Some((id, key)) = key.rsplit_once('.') else { continue };
            let view = self.cell_mut(id);
            match key {
                "slot" => view.slot = cells::slot(value).unwrap_or(0),
                "panel" => {
                    view.panel = match value.as_str() {
                        "table" => Panel::Table,
                        "source" => Panel::Source,
                        _ => Panel::None,
                    }
                }
                "packet" => view.selected = place(value),
                "part" => view.part = place(value).unwrap_or(0),
                "zoom" => view.zoom = range(value),
                _ => {}
            }
        }
    }
}

/// A place from 1 as one from 0.
fn place(text: &str) -> Option<usize> {
    text.parse::<usize>().ok()?.checked_sub(1)
}

/// `1000..2000`, both finite and ascending.
fn range(text: &str) -> Option<(f64, f64)> {
    let (lo, hi) = text.split_once("..")?;
    let (lo, hi) = (decimal(lo)?, decimal(hi)?);
    (lo < hi).then_some((lo, hi))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_back() {
        let mut view = View::default();
        *view.cell_mut("foe") =
            CellView { slot: 2, panel: Panel::Table, selected: Some(264), zoom: Some((0.1, 2e4)), part: 1 };
        view.cell_mut("ucl").panel = Panel::Source;
        view.cell_mut("plain");
        let pairs = view.pairs();
        assert_eq!(pairs.len(), 6);
        let mut other = View::default();
        other.take_pairs(&pairs);
        assert_eq!(other.pairs(), pairs);
        assert_eq!(other.cell("foe"), view.cell("foe"));
    }

    #[test]
    fn nonsense_is_left() {
        let mut view = View::default();
        let pair = |k: &str, v: &str| (k.to_owned(), v.to_owned());
        view.take_pairs(&[
            pair("x", "1"),
            pair("a.zoom", "2..1"),
            pair("a.zoom", "nan..1"),
            pair("a.packet", "0"),
            pair("a.new", "x"),
        ]);
        assert_eq!(view.cell("a"), CellView::default());
    }
}

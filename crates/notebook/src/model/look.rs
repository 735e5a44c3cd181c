//! Messages that change only what is looked at.

use super::view::Dialog;
use super::{
    DRAWER_ELEMENT, Effect, Go, LIBRARY_ELEMENT, Model, Msg, Panel, cell_element, prose_element,
    prose_source_element, source_element,
};

impl Model {
    pub(super) fn look(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::SelectSlot { cell, slot } => {
                self.view.cell_mut(&cell).slot = slot;
                self.settle();
            }
            Msg::ShowPanel { cell, panel } => {
                let before = std::mem::replace(&mut self.view.cell_mut(&cell).panel, panel);
                let focus = match (before, panel) {
                    (_, Panel::Source) => Some(source_element(&cell)),
                    (Panel::Source, Panel::None) => Some(cell_element(&cell)),
                    _ => None,
                };
                return [Effect::Changed].into_iter().chain(focus.map(Effect::Focus)).collect();
            }
            Msg::MoveRecord { cell, go } => {
                let Some(last) = self.records(&cell).and_then(|n| n.checked_sub(1)) else {
                    return Vec::new();
                };
                let now = self.current_row(&cell);
                let next = match (go, now) {
                    (Go::First, _) => 0,
                    (Go::Last, _) => last,
                    (Go::By(n), Some(i)) => i.saturating_add_signed(n).min(last),
                    (Go::By(n), None) => {
                        if n > 0 {
                            0
                        } else {
                            last
                        }
                    }
                };
                return self.pick(&cell, Some(next));
            }
            Msg::SelectRecord { cell, record } => return self.pick(&cell, record),
            Msg::Zoom { cell, range } => self.view.cell_mut(&cell).zoom = range,
            Msg::ShowPart { cell, part } => self.view.cell_mut(&cell).part = part,
            Msg::Focus { cell } => {
                self.view.current = cell;
                return Vec::new();
            }
            Msg::EditProse { block } => {
                let before = std::mem::replace(&mut self.view.editing, block);
                let focus = block.map(prose_source_element).or(before.map(prose_element));
                return focus.map(Effect::Focus).into_iter().collect();
            }
            Msg::Drawer(open) => {
                self.view.drawer = open;
                let focus = if open { DRAWER_ELEMENT } else { LIBRARY_ELEMENT };
                return vec![Effect::Focus(focus.to_owned())];
            }
            Msg::OtherTab | Msg::DismissOtherTab => {
                self.other_tab = msg == Msg::OtherTab;
                return Vec::new();
            }
            Msg::Dialog(dialog) => {
                self.view.dialog = dialog;
                if dialog == Some(Dialog::Kinds) && self.kinds.is_empty() {
                    return vec![Effect::Kinds];
                }
                return Vec::new();
            }
            Msg::Theme(theme) => {
                self.view.theme = theme;
                return vec![Effect::Theme(theme)];
            }
            Msg::DismissFailure => {
                self.take_failure();
                return Vec::new();
            }
            Msg::DismissColumns => {
                self.choosing = None;
                return Vec::new();
            }
            Msg::DismissOpened => {
                self.opened = None;
                return Vec::new();
            }
            Msg::DismissLink => {
                self.link_failure = None;
                return Vec::new();
            }
            Msg::DismissReproduced => {
                self.reproduced = None;
                return Vec::new();
            }
            _ => return Vec::new(),
        }
        // What is looked at travels in the address, but is no change of the notebook.
        vec![Effect::Changed]
    }
}

//! A cell that becomes an example, or gives rise to another; things marked one by one, and parts that come
//! and go.

use super::{Effect, Model, part_element};
use crate::edit::{self, Address};
use crate::presets::preset;
use netspurt_core::parts::Change;

impl Model {
    /// A cell becomes an example of its kind, looked at from its beginning.
    pub(super) fn use_example(&mut self, cell: &str, name: &str) -> Vec<Effect> {
        let kind = self.document.cell(cell).and_then(|c| c.kind);
        let Some(preset) = kind.and_then(|k| preset(k.name, name)) else { return Vec::new() };
        let view = self.view.cell_mut(cell);
        (view.selected, view.zoom) = (None, None);
        self.edit(edit::set_body(&self.document, cell, &preset.text()), None)
    }

    /// Something happens to a thing, or how much; 0: nothing.
    pub(super) fn mark(&mut self, cell: &str, key: &str, thing: u32, mark: u32) -> Vec<Effect> {
        let Some(experiment) = self.experiment(cell) else { return Vec::new() };
        let address = Address::key(cell, key);
        let edit = match experiment.setup.marked(key, thing, mark) {
            Some(list) => edit::set(&self.document, &address, &list),
            None => edit::unset(&self.document, &address),
        };
        self.edit(edit, None)
    }

    /// One more in a list of a cell's parts, or one less. The focus goes to what came, or to what adds one.
    pub(super) fn change_parts(&mut self, cell: &str, list: usize, change: Change<'_>) -> Vec<Effect> {
        let mut effects = self.edit(edit::change_parts(&self.document, cell, list, change), None);
        let lists = self.experiment(cell).map_or_else(Vec::new, |e| e.setup.parts());
        if let (Some(parts), Some(Effect::Changed)) = (lists.get(list), effects.first()) {
            let (_, most) = parts.count();
            let newest = || (0..most).rev().find(|i| parts.part(*i).is_some());
            let part = if change == Change::Add { newest() } else { None };
            effects.push(Effect::Focus(part_element(cell, &**parts, part)));
        }
        effects
    }

    /// A cell that goes on from a result comes after the cell it is of.
    pub(super) fn open_from(&mut self, cell: &str, which: usize) -> Vec<Effect> {
        let at = self.document.blocks().iter().position(|b| b.cell().is_some_and(|c| c.id == cell));
        let report = self.outcome(cell).and_then(|o| o.report.as_ref().ok());
        let Some((at, opens)) = at.zip(report.and_then(|r| r.opens.get(which))) else { return Vec::new() };
        let edit = edit::add_cell(&self.document, at + 1, &opens.kind, None, &opens.body);
        self.edit_and_reveal(edit)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Effect, Model, Msg};
    use crate::presets::preset;
    use crate::request::{Answer, begin};
    use netspurt_core::experiments::Inputs;
    use netspurt_core::experiments::run::Kept;
    use netspurt_core::report::Report;

    fn open(text: &str) -> Model {
        let mut model = Model::default();
        model.apply(Msg::RestoreNotebook { text: text.to_owned() });
        model
    }

    fn body(model: &Model, cell: &str) -> String {
        model.document().body(model.document().cell(cell).unwrap()).to_owned()
    }

    /// What the worker makes of a cell.
    fn run(model: &mut Model, kind: &str, cell: &str) -> Report {
        let mut work = begin(kind, &body(model, cell), &Inputs::default(), &Kept::default()).unwrap();
        while !work.is_done() {
            work.step();
        }
        let report = work.report().unwrap();
        // Its number: the first run asked for.
        model.apply(Msg::Worked { ticket: 1, answer: Box::new(Answer::Whole(Ok(report.clone()))) });
        report
    }

    #[test]
    fn an_example_is_one_step_of_undo() {
        let mut model = open("# T\n\n```netspurt imp x\nwindow = 2\n```\n");
        model.apply(Msg::SelectRecord { cell: "x".to_owned(), record: Some(3) });
        model.apply(Msg::UseExample { cell: "x".to_owned(), name: "Table 1" });
        assert_eq!(body(&model, "x"), preset("imp", "Table 1").unwrap().text());
        assert_eq!(model.view().cell("x").selected, None);
        model.apply(Msg::UseExample { cell: "x".to_owned(), name: "Undisturbed" });
        assert_eq!(body(&model, "x"), preset("imp", "Table 1").unwrap().text());
        model.apply(Msg::Undo);
        assert_eq!(body(&model, "x"), "window = 2\n");
    }

    #[test]
    fn messages_are_marked_in_the_source() {
        let mut model = open("```netspurt imp x\nrounds = 5\n```\n");
        let mut check = |key, thing, mark, expected: &str| {
            model.apply(Msg::Mark { cell: "x".to_owned(), key, thing, mark });
            assert_eq!(body(&model, "x"), format!("rounds = 5\n{expected}"));
        };
        check("overtakes", 3, 1, "overtakes = [3]\n");
        check("overtakes", 1, 1, "overtakes = [1, 3]\n");
        check("held-up", 4, 2, "overtakes = [1, 3]\nheld-up = [[4, 2]]\n");
        check("overtakes", 1, 0, "overtakes = [3]\nheld-up = [[4, 2]]\n");
        check("overtakes", 3, 0, "held-up = [[4, 2]]\n");
    }

    #[test]
    fn lines_and_events_come_and_go() {
        let mut model = open("```netspurt imp-flow f\nseed = 2\n```\n");
        let cell = || "f".to_owned();
        let focus = |effects: &[Effect]| match effects {
            [Effect::Changed, Effect::Focus(element)] => element.clone(),
            other => format!("{other:?}"),
        };
        // The lines of A and of B, then the events.
        assert_eq!(focus(&model.apply(Msg::AddPart { cell: cell(), list: 0 })), "f-paths-A-3");
        assert_eq!(focus(&model.apply(Msg::AddPart { cell: cell(), list: 2 })), "f-event--0");
        let event = |name| crate::edit::Address::param("f", "event", name);
        model.apply(Msg::Step { address: event("1-message"), steps: 2.0 });
        let all = "seed = 2\npaths = { A = [50, 50, 50, 50], B = [230.4, 230.4, 50] }\n\n[[event]]\ntype = \"route\"\nmessage = 23\npath = \"B\"\n";
        assert_eq!(body(&model, "f"), all);
        assert_eq!(focus(&model.apply(Msg::RemovePart { cell: cell(), list: 2, part: 0 })), "f-event--add");
        model.apply(Msg::Undo);
        assert_eq!(body(&model, "f"), all);
        assert!(model.apply(Msg::AddPart { cell: cell(), list: 3 }).len() == 1 && model.refused().is_some());
    }

    #[test]
    fn a_deadlock_is_stepped_through_in_a_cell_of_its_own() {
        let mut model =
            open("```netspurt imp-lockup l\nscheme = \"naive\"\nwindow = 2\nbuffers = 1\n```\n\nText.\n");
        let report = run(&mut model, "imp-lockup", "l");
        assert_eq!(report.opens.len(), 1);
        model.apply(Msg::OpenFrom { cell: "l".to_owned(), which: 7 });
        model.apply(Msg::OpenFrom { cell: "l".to_owned(), which: 0 });
        let cells: Vec<_> = model.document().cells().map(|c| c.id.clone()).collect();
        assert_eq!(cells, ["l", "imp-1"]);
        let text = body(&model, "imp-1");
        let stepped = begin("imp", &text, &Inputs::default(), &Kept::default()).unwrap().report().unwrap();
        let deadlock = stepped.numbers.iter().find(|(name, _)| name == "a.deadlock");
        assert_eq!(deadlock.map(|d| d.1), Some(1.0), "{text}");
        assert!(stepped.stops.iter().any(|(name, step)| name == "deadlock" && step + 1 == stepped.steps));
    }
}

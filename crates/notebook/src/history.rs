//! Undo and redo over a whole document, kept as splices.
//!
//! A step is what one press of undo takes back. Changes recorded under one [`Group`] without
//! another between them are one step, so that dragging a slider is: its hundred splices at one
//! place are folded into one as they come. The log holds no text but what was taken out or put in,
//! and forgets its oldest steps beyond [`MAX_BYTES`] and [`MAX_STEPS`].

use crate::splice::Splice;
use std::collections::VecDeque;

/// Steps kept at most.
pub const MAX_STEPS: usize = 1000;
/// Bytes of removed and inserted text kept at most, both directions together. The newest step is
/// kept whatever its size.
pub const MAX_BYTES: usize = 16 << 20;

/// What makes changes one step: the same control, the same gesture. The page picks the numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group(pub String);

/// A splice, and the text it took out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    at: usize,
    removed: String,
    inserted: String,
}

impl Change {
    fn forth(&self) -> Splice {
        Splice::new(self.at..self.at + self.removed.len(), self.inserted.clone())
    }

    fn back(&self) -> Splice {
        Splice::new(self.at..self.at + self.inserted.len(), self.removed.clone())
    }

    fn bytes(&self) -> usize {
        self.removed.len() + self.inserted.len()
    }

    /// Takes a later change into this one, if it lies within what this one inserted, or covers it.
    fn absorb(&mut self, later: &Self) -> bool {
        let mine = self.at..self.at + self.inserted.len();
        let theirs = later.at..later.at + later.removed.len();
        if mine.start <= theirs.start && theirs.end <= mine.end {
            let within = theirs.start - mine.start..theirs.end - mine.start;
            self.inserted.replace_range(within, &later.inserted);
            return true;
        }
        if theirs.start <= mine.start && mine.end <= theirs.end {
            let (head, tail) =
                (&later.removed[..mine.start - theirs.start], &later.removed[mine.end - theirs.start..]);
            self.removed = format!("{head}{}{tail}", self.removed);
            self.at = later.at;
            self.inserted.clone_from(&later.inserted);
            return true;
        }
        false
    }
}

/// One press of undo: changes in the order they were made.
#[derive(Debug, Clone, Default)]
struct Step(Vec<Change>);

impl Step {
    fn bytes(&self) -> usize {
        self.0.iter().map(Change::bytes).sum()
    }
}

/// What can be undone and redone.
#[derive(Debug, Clone, Default)]
pub struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
    /// The group the newest step still takes changes of.
    open: Option<Group>,
    bytes: usize,
}

impl History {
    /// Notes a change: the text before it, and the splice. Everything undone is forgotten.
    pub fn record(&mut self, before: &str, splice: &Splice, group: Option<Group>) {
        if splice.is_empty() || !splice.fits(before) {
            return;
        }
        self.bytes -= self.undone.drain(..).map(|s| s.bytes()).sum::<usize>();
        let change = Change {
            at: splice.range.start,
            removed: before[splice.range.clone()].to_owned(),
            inserted: splice.text.clone(),
        };
        let newest = self.done.back_mut().filter(|_| group.is_some() && group == self.open);
        if let Some(step) = newest {
            self.bytes -= step.bytes();
            if !step.0.last_mut().is_some_and(|last| last.absorb(&change)) {
                step.0.push(change);
            }
            self.bytes += step.bytes();
        } else {
            self.bytes += change.bytes();
            self.done.push_back(Step(vec![change]));
        }
        self.open = group;
        while self.done.len() > 1 && (self.done.len() > MAX_STEPS || self.bytes > MAX_BYTES) {
            self.bytes -= self.done.pop_front().map_or(0, |s| s.bytes());
        }
    }

    /// Ends the open group: the next change begins a step of its own.
    pub fn close(&mut self) {
        self.open = None;
    }

    /// The splices that take the newest step back, to be applied in order. `None`: nothing to undo.
    pub fn undo(&mut self) -> Option<Vec<Splice>> {
        self.open = None;
        let step = self.done.pop_back()?;
        let splices = step.0.iter().rev().map(Change::back).collect();
        self.undone.push(step);
        Some(splices)
    }

    /// The splices that make the step undone last again, in order. `None`: nothing to redo.
    pub fn redo(&mut self) -> Option<Vec<Splice>> {
        self.open = None;
        let step = self.undone.pop()?;
        let splices = step.0.iter().map(Change::forth).collect();
        self.done.push_back(step);
        Some(splices)
    }

    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Bytes of text held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A text with its history.
    struct Sheet {
        text: String,
        history: History,
    }

    impl Sheet {
        fn new(text: &str) -> Self {
            Self { text: text.to_owned(), history: History::default() }
        }

        fn set(&mut self, new: &str, group: Option<&str>) {
            let splice = Splice::between(&self.text, new);
            self.history.record(&self.text, &splice, group.map(|g| Group(g.to_owned())));
            self.text = splice.apply(&self.text);
        }

        fn run(&mut self, splices: Option<Vec<Splice>>) -> bool {
            let Some(splices) = splices else { return false };
            self.text = splices.iter().fold(std::mem::take(&mut self.text), |t, s| s.apply(&t));
            true
        }

        fn undo(&mut self) -> bool {
            let splices = self.history.undo();
            self.run(splices)
        }

        fn redo(&mut self) -> bool {
            let splices = self.history.redo();
            self.run(splices)
        }
    }

    #[test]
    fn a_drag_is_one_step() {
        let mut s = Sheet::new("f1 = 0.50");
        for i in 51..99 {
            s.set(&format!("f1 = 0.{i}"), Some("f1"));
        }
        assert_eq!(s.history.done.len(), 1);
        assert!(s.history.bytes() < 10);
        s.history.close();
        s.set("f1 = 0.10", Some("f1"));
        assert!(s.undo());
        assert_eq!(s.text, "f1 = 0.98");
        assert!(s.undo() && !s.undo());
        assert_eq!(s.text, "f1 = 0.50");
        assert!(s.redo() && s.redo() && !s.redo());
        assert_eq!(s.text, "f1 = 0.10");
    }

    #[test]
    fn a_change_after_undo_forgets_what_was_undone() {
        let mut s = Sheet::new("a");
        s.set("ab", None);
        s.undo();
        s.set("ac", None);
        assert!(!s.history.can_redo());
        assert_eq!(s.history.bytes(), 1);
    }

    #[test]
    fn many_steps_on_a_large_text_cost_little() {
        let mut s = Sheet::new(&"0,64,12.4\n".repeat(400_000));
        for i in 0..2000_usize {
            let splice = Splice::new(7..8, (i % 10).to_string());
            s.history.record(&s.text, &splice, None);
            s.text.replace_range(7..8, &splice.text);
            // Nothing but two letters a step, and no step beyond the last thousand.
            assert!(s.history.bytes() <= 2 * MAX_STEPS);
        }
        assert_eq!(s.history.done.len(), MAX_STEPS);
        let big = "x".repeat(MAX_BYTES);
        s.history.record(&s.text, &Splice::insert(0, big), None);
        assert_eq!((s.history.done.len(), s.history.can_undo()), (1, true));
    }

    proptest! {
        #[test]
        fn undoing_all_and_redoing_all_returns_every_text(
            texts in prop::collection::vec(("[abcé\n]{0,10}", 0_u8..4), 1..12),
        ) {
            let mut s = Sheet::new("start");
            for (text, group) in &texts {
                s.set(text, ["x", "y"].get(usize::from(*group)).copied());
            }
            let last = s.text.clone();
            while s.undo() {}
            prop_assert_eq!(&s.text, "start");
            while s.redo() {}
            prop_assert_eq!(&s.text, &last);
            let held: usize = s.history.done.iter().map(Step::bytes).sum();
            prop_assert_eq!(s.history.bytes(), held);
        }
    }
}

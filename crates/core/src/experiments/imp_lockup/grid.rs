//! The theorem as a table: for each window and number of buffers, whether the scheme locks up, by
//! search.
//!
//! ```text
//! buffers 3 |  0    0   28        the line is B = S(W - 1)
//!         2 |  0 |  4   15
//!         1 |  0 |  2    6
//!              1    2    3  window
//! ```

use crate::figure::{
    Anchor, Axis, Column, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Shape, Ticks,
};
use crate::imp::Scheme;
use crate::imp::lockup::{Search, Setup, Verdict};
use crate::report::{Frame, FrameColumn, Picks, Values, Words};

/// The widest window and the most buffers of the table.
const WINDOW: u32 = 4;
const BUFFERS: u32 = 8;
/// Messages in all windows of the table's widest.
const MESSAGES: u32 = 12;
/// A case with more states is left out: it would take too long for one of many.
const STATES: usize = 120_000;

/// The cases, window by window, each with the least number of buffers first.
#[derive(Debug)]
pub(super) struct Grid {
    setup: Setup,
    windows: u32,
    buffers: u32,
    /// What was found of the cases before this one; `None`: it was given up.
    found: Vec<Option<Verdict>>,
    /// What was found of the setup's own case.
    own: Option<Verdict>,
    search: Option<Search>,
}

impl Grid {
    pub(super) fn new(setup: &Setup) -> Self {
        let windows = (MESSAGES / setup.sources.max(1)).clamp(1, WINDOW);
        // One more than lock up.
        let buffers = (setup.sources * (windows - 1) + 1).clamp(2, BUFFERS);
        Self { setup: setup.clone(), windows, buffers, found: Vec::new(), own: None, search: None }
    }

    fn len(&self) -> usize {
        (self.windows * self.buffers) as usize
    }

    pub(super) fn progress(&self) -> (u64, u64) {
        (self.found.len() as u64, self.len() as u64)
    }

    pub(super) fn is_done(&self) -> bool {
        self.found.len() == self.len()
    }

    /// Window and buffers of a case.
    fn case(&self, number: usize) -> (u32, u32) {
        let number = number as u32;
        (1 + number / self.buffers, 1 + number % self.buffers)
    }

    /// Takes over what was found of the setup's own case.
    pub(super) fn know(&mut self, verdict: Verdict) {
        self.own = Some(verdict);
    }

    /// What is known of a case.
    fn at(&self, window: u32, buffers: u32) -> Option<Verdict> {
        let is_own = (window, buffers) == (self.setup.window, self.setup.buffers);
        let found =
            || self.found.get(((window - 1) * self.buffers + buffers - 1) as usize).copied().flatten();
        self.own.filter(|_| is_own).or_else(found)
    }

    /// Looks at up to `budget` states.
    pub(super) fn step(&mut self, budget: usize) {
        if self.is_done() {
            return;
        }
        let (window, buffers) = self.case(self.found.len());
        let setup = Setup { window, buffers, ..self.setup.clone() };
        if setup == self.setup && self.own.is_some() {
            self.found.push(self.own);
            return;
        }
        let Some(mut search) = self.search.take().or_else(|| Search::new(&setup).ok()) else {
            self.found.push(None);
            return;
        };
        match search.step(budget) {
            Ok(true) => self.found.push(Some(search.verdict())),
            Ok(false) if search.verdict().states <= STATES => self.search = Some(search),
            _ => self.found.push(None),
        }
    }

    /// Cases searched, and those of them that lock up.
    pub(super) fn counts(&self) -> (usize, usize) {
        let known = || self.found.iter().flatten();
        (known().count(), known().filter(|v| v.stuck > 0).count())
    }

    pub(super) fn frame(&self) -> Frame {
        let cases = || (0..self.len()).map(|i| self.case(i));
        let of = |f: fn(&Verdict) -> usize| {
            cases().map(|(w, b)| self.at(w, b).map_or(f64::NAN, |v| f(&v) as f64)).collect()
        };
        let column = |title, values: Vec<f64>| FrameColumn::new(title, "", Values::Numbers(values.into()));
        Frame {
            rows: self.len(),
            columns: vec![
                column("window", cases().map(|(w, _)| f64::from(w)).collect()),
                column("buffers", cases().map(|(_, b)| f64::from(b)).collect()),
                column("states", of(|v| v.states)),
                column("deadlocks", of(|v| v.deadlocks)),
                column("stuck", of(|v| v.stuck)),
            ],
        }
    }

    pub(super) fn picks(&self) -> Picks {
        let (x, y): (Vec<f64>, Vec<f64>) =
            (0..self.len()).map(|i| self.case(i)).map(|(w, b)| (f64::from(w), f64::from(b))).unzip();
        Picks::Points { column: 0, row: 0, x: x.into(), y: y.into() }
    }

    /// Picking a case sets these, from these columns of the frame.
    pub(super) fn sets() -> Vec<(Words, usize)> {
        vec![("window".into(), 0), ("buffers".into(), 1)]
    }

    pub(super) fn figure(&self) -> Figure {
        let (windows, buffers) = (f64::from(self.windows), f64::from(self.buffers));
        let edges = |n: u32| (0..=n).map(|i| f64::from(i) + 0.5).collect::<Vec<f64>>().into();
        let locks = |v: Option<Verdict>| v.map_or(f64::NAN, |v| f64::from(u8::from(v.stuck > 0)));
        let rows = (1..=self.buffers).flat_map(|b| (1..=self.windows).map(move |w| (w, b)));
        let values: Vec<f64> = rows.clone().map(|(w, b)| locks(self.at(w, b))).collect();
        let mut marks = vec![Mark {
            layer: Layer::Ground,
            role: Role::Heat,
            shape: Shape::Cells {
                x: edges(self.windows),
                y: edges(self.buffers),
                values: values.into(),
                range: (0.0, 5.0),
            },
        }];
        for (w, b) in rows {
            let left_out = ((w - 1) * self.buffers + b) as usize <= self.found.len();
            let (text, narrow) = match self.at(w, b) {
                Some(Verdict { deadlocks: 1, .. }) => ("1 deadlock".to_owned(), "1".to_owned()),
                Some(v) if v.deadlocks > 0 => (format!("{} deadlocks", v.deadlocks), v.deadlocks.to_string()),
                Some(v) if v.stuck > 0 => (format!("{} stuck", v.stuck), v.stuck.to_string()),
                Some(_) => ("never".to_owned(), "0".to_owned()),
                None if left_out => ("too many states".to_owned(), "?".to_owned()),
                None => continue,
            };
            let (x, y) = (f64::from(w), f64::from(b));
            let shape = Shape::Text { x, y, text, narrow, anchor: Anchor::Middle, strong: false };
            marks.push(Mark { layer: Layer::Front, role: Role::Ink, shape });
        }
        if self.setup.scheme == Scheme::Naive {
            marks.push(self.bound());
        }
        if self.setup.window <= self.windows && self.setup.buffers <= self.buffers {
            let (x, y) = (f64::from(self.setup.window) - 0.38, f64::from(self.setup.buffers));
            let shape = Shape::Points { x: vec![x].into(), y: vec![y].into(), glyph: Glyph::Ring };
            marks.push(Mark { layer: Layer::Front, role: Role::Ink, shape });
        }
        let whole = |n: u32| Ticks::At((1..=n).map(|i| (f64::from(i), i.to_string())).collect());
        let axis =
            |label: &str, n: u32, most: f64| Axis { ticks: whole(n), ..Axis::new(label, (0.5, most + 0.5)) };
        let tall = 27.0 * buffers;
        Figure {
            columns: vec![Column {
                width: Extent::Share(1.0),
                gap: (44.0, 32.0),
                axis: axis("window W", self.windows, windows),
            }],
            rows: vec![Row {
                height: Extent::Px(tall, tall),
                kind: RowKind::Scale(axis("buffers B", self.buffers, buffers)),
            }],
            panels: vec![Panel { column: 0, row: 0, marks }],
            alt: self.alt(),
        }
    }

    /// Where B = S(W − 1) lies: between what locks up by the theorem and what does not.
    fn bound(&self) -> Mark {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for w in 1..=self.windows {
            let at = f64::from((self.setup.sources * (w - 1)).min(self.buffers)) + 0.5;
            x.extend([f64::from(w) - 0.5, f64::from(w) + 0.5]);
            y.extend([at, at]);
        }
        let shape = Shape::Contour { x: x.into(), y: y.into(), dashed: false };
        Mark { layer: Layer::Front, role: Role::Ink, shape }
    }

    fn alt(&self) -> String {
        let (searched, locked) = self.counts();
        let Setup { scheme, sources, .. } = &self.setup;
        format!(
            "Windows up to {} and up to {} buffers, {sources} sources: {} locks up in {locked} of {searched} cases searched.",
            self.windows,
            self.buffers,
            scheme.name()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imp::lockup::theorem;

    fn searched(scheme: Scheme, sources: u32) -> Grid {
        let mut grid = Grid::new(&Setup { scheme, sources, window: 2, buffers: 1 });
        while !grid.is_done() {
            grid.step(usize::MAX);
        }
        grid
    }

    #[test]
    fn the_table_is_that_of_the_theorem() {
        let grid = searched(Scheme::Naive, 2);
        for (i, verdict) in grid.found.iter().enumerate() {
            let (window, buffers) = grid.case(i);
            let locks = theorem(&Setup { scheme: Scheme::Naive, sources: 2, window, buffers });
            assert_eq!(verdict.map(|v| v.stuck > 0), locks, "W = {window}, B = {buffers}");
        }
        assert_eq!((grid.len(), grid.counts()), (28, (28, 12)));
        assert_eq!(grid.frame().rows, grid.picks().len());
        assert!(grid.figure().alt.ends_with("naive locks up in 12 of 28 cases searched."));
        assert_eq!(searched(Scheme::Current, 1).counts(), (16, 0));
    }

    #[test]
    fn what_is_too_large_is_left_out() {
        let mut grid = Grid::new(&Setup { scheme: Scheme::Modified2, sources: 3, window: 2, buffers: 1 });
        while !grid.is_done() {
            grid.step(5000);
        }
        let (searched, locked) = grid.counts();
        assert!(searched < grid.len() && locked == 0, "{searched}");
    }
}

//! The two costs of every pair: time waited for lost packets against time spent on spurious ones.

use super::figure::{GLYPHS, MAP, glyphs, ground, words};
use super::{Point, Slice, pair};
use crate::figure::{Anchor, Axis, Data, Glyph, Layer, Mark, Panel, Role, Shape, Ticks};

/// Least and greatest of each cost that is shown, ms.
pub(super) struct Costs {
    lost: (f64, f64),
    spurious: (f64, f64),
}

impl Costs {
    /// Room for every pair and for what is always marked; the ring must not move the axes.
    pub(super) fn of(slice: &Slice, points: &[Point]) -> Self {
        let marked = |p: &Point| (p.summary.lost_time, p.summary.rtx_time);
        let pairs = slice.lost_time.iter().copied().zip(slice.rtx_time.iter().copied());
        let known = pairs.filter(|p| !p.0.is_nan());
        let (mut lost, mut most) = ((f64::INFINITY, 0.0_f64), 0.0_f64);
        for (x, y) in known.chain(points.iter().skip(1).map(marked)) {
            lost = (lost.0.min(x), lost.1.max(x));
            most = most.max(y);
        }
        let room = 0.12 * (lost.1 - lost.0).max(0.2 * lost.1);
        let visible = |v: f64| if v > 0.0 { v } else { 1.0 };
        Self {
            lost: ((lost.0 - room).max(0.0), visible(lost.1 + room)),
            spurious: (0.0, visible(1.08 * most)),
        }
    }

    pub(super) fn lost(&self) -> Axis {
        axis("lost time", self.lost)
    }

    pub(super) fn spurious(&self) -> Axis {
        Axis { grid: true, ..axis("spurious time", self.spurious) }
    }

    pub(super) fn panel(&self, slice: &Slice, points: &[Point]) -> Panel {
        let (x, y): (Data, Data) = (slice.lost_time.as_slice().into(), slice.rtx_time.as_slice().into());
        let mut marks = vec![ground(Role::Data, Shape::Points { x, y, glyph: Glyph::Dot })];
        if slice.done == slice.pairs() {
            marks.extend(self.front(slice));
        }
        marks.extend(glyphs(points, |p| (p.summary.lost_time, p.summary.rtx_time)));
        for (i, p) in points.iter().take(GLYPHS.len()).enumerate() {
            let (x, y) = (p.summary.lost_time, p.summary.rtx_time);
            let setting = (Role::Printed, pair(p.f1, p.f2));
            let second = |text: &str| Some((Role::Quiet, text.to_owned()));
            marks.extend(match i {
                0 => {
                    let below = self.label(
                        Anchor::End,
                        (x, y - self.lines(2.4)),
                        (Role::Ink, "this point".to_owned()),
                        None,
                    );
                    below.into_iter().map(|mark| Mark { layer: Layer::Front, ..mark }).collect()
                }
                1 => self.label(Anchor::Start, (x, y + self.lines(1.2)), setting, second("chosen in 1983")),
                _ => self.label(Anchor::End, (x, y), setting, second("usual before")),
            });
        }
        Panel { column: 1, row: MAP, marks }
    }

    /// The front, joined, with its name beside its upper end.
    fn front(&self, slice: &Slice) -> Vec<Mark> {
        let x: Data = slice.front.iter().map(|&i| slice.lost_time[i]).collect();
        let y: Data = slice.front.iter().map(|&i| slice.rtx_time[i]).collect();
        let end = x.first().copied().zip(y.first().copied());
        let line = Shape::Line { x: x.clone(), y: y.clone(), step: false, strong: false, end: String::new() };
        let name = |at| {
            let means = (Role::Quiet, "nothing beats these on both".to_owned());
            self.label(Anchor::Start, at, (Role::Ink, "Pareto front".to_owned()), Some(means))
        };
        let mut marks =
            vec![ground(Role::Ink, line), ground(Role::Ink, Shape::Points { x, y, glyph: Glyph::Spot })];
        marks.extend(end.map(name).unwrap_or_default());
        marks
    }

    /// One or two lines of words beside a point.
    fn label(
        &self,
        anchor: Anchor,
        (x, y): (f64, f64),
        first: (Role, String),
        second: Option<(Role, String)>,
    ) -> Vec<Mark> {
        let aside = 0.03 * (self.lost.1 - self.lost.0);
        let x = if anchor == Anchor::Start { x + aside } else { x - aside };
        let line = |(role, text): (Role, String), y| words(role, &text, (x, y), anchor, role == Role::Ink);
        let mut marks = vec![line(first, y + self.lines(1.0))];
        marks.extend(second.map(|second| line(second, y)));
        marks
    }

    /// So many lines of words, in ms of spurious time.
    fn lines(&self, lines: f64) -> f64 {
        0.042 * lines * (self.spurious.1 - self.spurious.0)
    }
}

fn axis(name: &str, range: (f64, f64)) -> Axis {
    let (unit, symbol) = if range.1 >= 2000.0 { (1000.0, "s") } else { (1.0, "ms") };
    Axis { label_unit: unit, ticks: Ticks::About(5), ..Axis::new(&format!("{name}, {symbol}"), range) }
}

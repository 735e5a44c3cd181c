//! Long lines thinned to what can be seen: the first, lowest, highest and last point of each pixel
//! column.
//!
//! A line through all points of a column covers the pixels between its lowest and its highest, comes
//! in at the first and leaves at the last; so does a line through those four. Points that are not in
//! order of x are grouped by runs that stay within a column.

use crate::layout::Side;
use crate::pen::Point;
use std::ops::Range;

/// Polylines in CSS pixels, broken where the data has a gap wider than a pixel.
pub(crate) fn line(
    x: &[f64],
    y: &[f64],
    across: &Side,
    up: &Side,
    ratio: f64,
    step: bool,
) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    extremes(x, y, across, up, ratio, |run, after_gap| {
        if after_gap || pieces.is_empty() {
            pieces.push(Vec::new());
        }
        let Some(piece) = pieces.last_mut() else { return };
        if !step {
            piece.extend(run.points().map(|(x, y)| (across.pixel(x), up.pixel(y))));
            return;
        }
        // All steps of a column at once, where the first is.
        let x = across.pixel(run.first.1);
        if let Some(&(_, before)) = piece.last() {
            piece.push((x, before));
        }
        piece.extend(run.points().map(|(_, y)| (x, up.pixel(y))));
    });
    pieces.retain(|p| p.len() > 1);
    pieces
}

/// What is kept of a run of points in one pixel column. Numbers in front are indices.
#[derive(Debug, Clone, Copy)]
struct Run {
    first: (usize, f64, f64),
    low: (usize, f64, f64),
    high: (usize, f64, f64),
    last: (usize, f64, f64),
}

impl Run {
    fn new(point: (usize, f64, f64)) -> Self {
        Self { first: point, low: point, high: point, last: point }
    }

    /// In order, each once.
    fn points(&self) -> impl Iterator<Item = Point> {
        let (a, b) = if self.low.0 <= self.high.0 { (self.low, self.high) } else { (self.high, self.low) };
        let all = [self.first, a, b, self.last];
        (0..4).filter(move |&i| i == 0 || all[i].0 != all[i - 1].0).map(move |i| (all[i].1, all[i].2))
    }
}

fn extremes(x: &[f64], y: &[f64], across: &Side, up: &Side, ratio: f64, mut keep: impl FnMut(&Run, bool)) {
    let columns = Columns::new(across, ratio);
    let least = if up.is_log() { 0.0 } else { f64::NEG_INFINITY };
    let mut run: Option<Run> = None;
    let mut column = 0;
    // Values of x known to lie in that column.
    let mut known = 0.0..0.0;
    // The run came after a gap; there was a gap since its last point.
    let (mut after_gap, mut gap) = (false, false);
    for (i, (&x, &y)) in x.iter().zip(y).enumerate() {
        let can_be_drawn = y > least && y < f64::INFINITY;
        if !can_be_drawn {
            gap = true;
            continue;
        }
        let point = (i, x, y);
        if !known.contains(&x) {
            let Some(at) = columns.of(x) else {
                gap = true;
                continue;
            };
            known = columns.values(at);
            if at != column || run.is_none() {
                if let Some(run) = &run {
                    keep(run, after_gap);
                }
                run = Some(Run::new(point));
                (column, after_gap, gap) = (at, gap, false);
                continue;
            }
        }
        let Some(run) = &mut run else { continue };
        gap = false;
        run.last = point;
        if y < run.low.2 {
            run.low = point;
        } else if y > run.high.2 {
            run.high = point;
        }
    }
    if let Some(run) = &run {
        keep(run, after_gap);
    }
}

/// Device pixels across a panel, counted from its left edge; all that lies left of it is one column,
/// all that lies right another.
struct Columns<'a> {
    side: &'a Side,
    ratio: f64,
    count: i32,
}

impl<'a> Columns<'a> {
    fn new(side: &'a Side, ratio: f64) -> Self {
        let count = crate::pen::whole((side.length() * ratio).ceil());
        Self { side, ratio, count }
    }

    fn of(&self, value: f64) -> Option<i32> {
        let pixel = (self.side.pixel(value) - self.side.start) * self.ratio;
        value.is_finite().then_some(())?;
        (!pixel.is_nan()).then(|| crate::pen::whole(pixel.floor() + 0.25).clamp(-1, self.count))
    }

    /// The values whose pixels lie in a column, but for rounding at its edges.
    fn values(&self, column: i32) -> Range<f64> {
        let edge = |c: i32| self.side.value(self.side.start + f64::from(c) / self.ratio);
        let least = if self.side.is_log() { f64::MIN_POSITIVE } else { f64::MIN };
        let low = if column < 0 { least } else { edge(column) };
        let high = if column >= self.count { f64::MAX } else { edge(column + 1) };
        low..high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::layout;
    use netspurt_core::figure::{Axis, Column, Extent, Figure, Row, RowKind, Scale};
    use proptest::prelude::*;

    fn sides(x: (f64, f64), y: (f64, f64), scale: Scale) -> (Side, Side) {
        let axis = |range| Axis { scale, ..Axis::new("", range) };
        let figure = Figure {
            columns: vec![Column { width: Extent::Px(100.0, 100.0), gap: (10.0, 10.0), axis: axis(x) }],
            rows: vec![Row { height: Extent::Px(50.0, 50.0), kind: RowKind::Scale(axis(y)) }],
            ..Figure::default()
        };
        let map = layout(&figure, 200.0, 100.0);
        (map.columns[0], map.rows[0])
    }

    /// Lowest and highest pixel a polyline reaches in each pixel column it has corners in.
    fn reach(pieces: &[Vec<Point>], side: &Side, ratio: f64) -> Vec<(f64, f64)> {
        let count = 100 * crate::pen::whole(ratio).unsigned_abs() as usize;
        let mut reach = vec![(f64::INFINITY, f64::NEG_INFINITY); count];
        for &(x, y) in pieces.iter().flatten() {
            let c = crate::pen::whole(((x - side.start) * ratio).floor());
            if let Some(r) = usize::try_from(c).ok().and_then(|c| reach.get_mut(c)) {
                *r = (r.0.min(y), r.1.max(y));
            }
        }
        reach
    }

    fn check(xs: &[f64], ys: &[f64], scale: Scale, step: bool, ratio: f64) -> Result<(), TestCaseError> {
        let (across, up) = sides((1.0, 101.0), (1.0, 60.0), scale);
        let thinned = line(xs, ys, &across, &up, ratio, step);
        let all: Vec<Point> = xs.iter().zip(ys).map(|(&x, &y)| (across.pixel(x), up.pixel(y))).collect();
        let full = reach(&[all], &across, ratio);
        for (c, (thin, full)) in reach(&thinned, &across, ratio).iter().zip(full).enumerate() {
            if thinned.is_empty() || full.0 > full.1 {
                continue;
            }
            // A step also runs level through the column at the height it came in with.
            prop_assert!(thin.0 <= full.0 + 1e-9 && thin.1 >= full.1 - 1e-9, "column {c}: {thin:?} {full:?}");
            if !step {
                prop_assert!(thin.0 >= full.0 - 1e-9 && thin.1 <= full.1 + 1e-9, "column {c}");
            }
        }
        let columns = 100.0 * ratio + 2.0;
        let most = columns * if step { 8.0 } else { 4.0 };
        prop_assert!(thinned.iter().map(Vec::len).sum::<usize>() as f64 <= most);
        Ok(())
    }

    proptest! {
        #[test]
        fn extremes_of_each_pixel_column_stay(
            mut xs in prop::collection::vec(-20.0..140.0, 0..3000),
            seed in prop::collection::vec(0.5..70.0, 1..50),
            log: bool, step: bool, twice: bool,
        ) {
            xs.sort_by(f64::total_cmp);
            let ys: Vec<f64> = (0..xs.len()).map(|i| seed[i * i % seed.len()] + (i % 7) as f64).collect();
            let scale = if log { Scale::Log10 } else { Scale::Linear };
            if log {
                xs.retain(|x| *x > 0.0);
            }
            check(&xs, &ys, scale, step, if twice { 2.0 } else { 1.0 })?;
        }
    }

    #[test]
    fn sparse_lines_are_kept_as_they_are() {
        let (across, up) = sides((0.0, 100.0), (0.0, 50.0), Scale::Linear);
        let (x, y) = ([0.0, 10.0, 10.2, 40.0], [0.0, 50.0, 25.0, 25.0]);
        let straight = line(&x, &y, &across, &up, 1.0, false);
        let top = up.start;
        let expected = [(10.0, 50.0), (20.0, 0.0), (20.2, 25.0), (50.0, 25.0)];
        assert_eq!(straight.len(), 1);
        for (got, want) in straight[0].iter().zip(expected) {
            assert!((got.0 - want.0).abs() < 1e-9 && (got.1 - top - want.1).abs() < 1e-9, "{got:?}");
        }
        let steps = line(&x, &y, &across, &up, 1.0, true);
        assert_eq!(steps[0].len(), 6);
    }

    #[test]
    fn gaps_break_a_line_only_where_they_can_be_seen() {
        let (across, up) = sides((0.0, 100.0), (0.0, 50.0), Scale::Linear);
        let nan = f64::NAN;
        let x = [0.0, 10.0, 20.0, 30.0, 40.0, 40.1, 40.2, 60.0, f64::INFINITY, 70.0];
        let y = [1.0, 2.0, nan, 3.0, 4.0, nan, 5.0, 6.0, 1.0, 7.0];
        let lengths: Vec<usize> = line(&x, &y, &across, &up, 1.0, false).iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 4]);
        assert!(line(&[nan, nan], &[1.0, 2.0], &across, &up, 1.0, true).is_empty());
        assert!(line(&[], &[], &across, &up, 1.0, true).is_empty());
    }

    #[test]
    fn a_line_that_turns_back_is_followed() {
        let (across, up) = sides((0.0, 100.0), (0.0, 50.0), Scale::Linear);
        let x = [0.0, 50.0, 25.0, 75.0];
        assert_eq!(line(&x, &[0.0, 10.0, 20.0, 30.0], &across, &up, 1.0, false)[0].len(), 4);
    }
}

//! Where the columns and rows of a figure lie, and which value lies at which pixel.
//!
//! Everything is in CSS pixels, y downward, and depends on nothing but the figure and its size: no
//! font is measured.
//!
//! ```text
//!  one-way delay, s                            volleys per 0.2 s    18.5 title
//!       lost  x          xx                    3 lost
//!                                                                   4.5
//!          6 ----------------------------  A   |▬
//!          0 ____________________________      |▬▬▬▬
//!                                                                   4
//!          A  ◇  ◇    ◇                        21 spurious
//!                                                                   4
//!            |_____|_____|_______________
//!            0    100   200   elapsed time, s                       26 foot
//! ```
//!
//! Where columns have y axes of their own ([`RowKind::Apart`]), each has its title above and the name
//! of its x axis on a second line below; in narrow figures they stand one below the other. Small
//! multiples ([`RowKind::Multiples`]) stand in bands, so many beside each other:
//!
//! ```text
//!  one-way delay, ms                                                 18.5 title
//!       ARPANET          MILNET           SATNET                     18.5 their titles
//!    500 ----- / SCORE   ------- / ISIA   ------ / UCL
//!      0 ___ /_________  ___ /__________  ___ /_______
//!        |   |      |    |   |       |    |   |     |                26 foot, 44 below the last
//! ```

use crate::ticks;
use netspurt_core::figure::{Axis, Column, Extent, Figure, NARROW, Row, RowKind, Scale, Ticks};

/// Room for a line of titles; wide and narrow, as all pairs here.
const TITLE: (f64, f64) = (18.5, 20.0);
/// Between titles and a scale, whose top label reaches above it.
const HEADROOM: f64 = 10.0;
/// Between lanes and the scale below them.
const ABOVE: (f64, f64) = (4.5, 6.0);
/// Between a scale and the lanes below it, and between lanes and the axis below.
const SEAM: f64 = 4.0;
/// Ticks, their labels and the name of the axis below the last row.
const FOOT: f64 = 26.0;
/// The same with the name on a line of its own.
const TALL_FOOT: f64 = 44.0;
/// Right of the last column, for letters at the ends of lines and half a tick label.
const MARGIN: f64 = 16.0;
/// Lines are cut this far above a scale, so that one leaving it is seen to leave.
const OVERSHOOT: f64 = 6.0;
/// What a row with a share of 1 gets by [`height`], in wide and in narrow figures.
const MAIN: (f64, f64) = (223.0, 142.0);

/// Where a column or a row lies and what its pixels mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// Left or upper edge.
    pub start: f64,
    /// Right or lower edge.
    pub end: f64,
    kind: Kind,
    range: (f64, f64),
    /// The range as the scale sees it: logarithms, if it is logarithmic.
    ends: (f64, f64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Right(Scale),
    Up(Scale),
    Lane,
}

impl Side {
    fn new(start: f64, end: f64, kind: Kind, range: (f64, f64)) -> Self {
        let mut side = Self { start, end, kind, range, ends: range };
        if side.is_log() {
            side.ends = (libm::log10(range.0), libm::log10(range.1));
        }
        side
    }

    pub(crate) fn is_lane(&self) -> bool {
        self.kind == Kind::Lane
    }

    pub(crate) fn is_log(&self) -> bool {
        matches!(self.kind, Kind::Right(Scale::Log10) | Kind::Up(Scale::Log10))
    }

    /// Least and greatest value.
    pub fn range(&self) -> (f64, f64) {
        self.range
    }

    pub fn length(&self) -> f64 {
        self.end - self.start
    }

    /// The pixel of a value. Values beyond the range lie beyond the edges; a logarithmic scale has no
    /// place (`NaN`) for values of zero and below. On a lane everything lies on the middle line.
    pub fn pixel(&self, value: f64) -> f64 {
        let (lo, hi) = self.ends;
        let v = match self.is_log() {
            true if value > 0.0 => libm::log10(value),
            true => f64::NAN,
            false => value,
        };
        let t = ((v - lo) / (hi - lo)).clamp(-1e6, 1e6);
        match self.kind {
            Kind::Right(_) => self.start + t * self.length(),
            Kind::Up(_) => self.end - t * self.length(),
            Kind::Lane => f64::midpoint(self.start, self.end),
        }
    }

    /// `a` and `b` of a scale where a value's pixel is `a` times the value plus `b`.
    pub(crate) fn straight(&self) -> Option<(f64, f64)> {
        let a = self.length() / (self.ends.1 - self.ends.0);
        match self.kind {
            Kind::Right(Scale::Linear) => Some((a, self.start - a * self.ends.0)),
            Kind::Up(Scale::Linear) => Some((-a, self.end + a * self.ends.0)),
            _ => None,
        }
    }

    /// The value at a pixel.
    pub fn value(&self, pixel: f64) -> f64 {
        let (lo, hi) = self.ends;
        let length = self.length().max(1e-9);
        let t = match self.kind {
            Kind::Right(_) | Kind::Lane => (pixel - self.start) / length,
            Kind::Up(_) => (self.end - pixel) / length,
        };
        let v = lo + t * (hi - lo);
        if self.is_log() { libm::exp10(v) } else { v }
    }

    pub fn contains(&self, pixel: f64) -> bool {
        (self.start..=self.end).contains(&pixel)
    }
}

/// A figure laid out at one size.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map {
    pub width: f64,
    pub height: f64,
    pub columns: Vec<Side>,
    pub rows: Vec<Side>,
    /// Where the ticks below each column begin.
    pub(crate) feet: Vec<f64>,
    /// Column, row and y axis of the panels that have one of their own.
    apart: Vec<(usize, usize, Side)>,
    /// How many columns stand beside each other; the next ones below.
    across: usize,
}

impl Map {
    pub fn is_narrow(&self) -> bool {
        self.width < NARROW
    }

    /// The y axis of a panel. `None` where there is no such panel.
    pub fn up(&self, column: usize, row: usize) -> Option<&Side> {
        let own = self.apart.iter().find(|(c, r, _)| (*c, *r) == (column, row)).map(|(_, _, side)| side);
        let shared = || self.rows.get(row).filter(|_| column < self.across);
        own.or_else(shared).filter(|_| column < self.columns.len())
    }

    /// Column and row under a point, if there are both.
    pub fn panel_at(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let columns = (0..self.columns.len()).filter(|&c| self.columns[c].contains(x));
        let panels = columns.flat_map(|c| (0..self.rows.len()).map(move |r| (c, r)));
        panels.into_iter().find(|&(c, r)| self.up(c, r).is_some_and(|up| up.contains(y)))
    }

    /// Index of the entry nearest to a pixel of a column, among ascending values within its axis; the
    /// first of equals. `None` without such.
    pub fn nearest(&self, column: usize, ascending: &[f64], x: f64) -> Option<usize> {
        let side = self.columns.get(column)?;
        let (lo, hi) = side.range();
        let (first, end) = (ascending.partition_point(|&v| v < lo), ascending.partition_point(|&v| v <= hi));
        let shown = ascending.get(first..end)?;
        let value = side.value(x);
        let right = shown.partition_point(|&v| v < value);
        let away = |i: usize| shown.get(i).map(|&v| (side.pixel(v) - x).abs());
        let found = match (right.checked_sub(1).and_then(away), away(right)) {
            (Some(l), Some(r)) if l <= r => first_of(shown, right - 1),
            (Some(_), None) => first_of(shown, right - 1),
            (_, Some(_)) => right,
            (None, None) => return None,
        };
        Some(first + found)
    }

    /// Index of the point of a row nearest to a pixel, among those in the panel there; the first of
    /// equals. `column` says in which column a point lies. `None` if the pixel lies in no panel of the
    /// row, or there is no point in it.
    pub fn nearest_point(
        &self,
        row: usize,
        column: impl Fn(usize) -> usize,
        x: &[f64],
        y: &[f64],
        at: (f64, f64),
    ) -> Option<usize> {
        let (here, _) = self.panel_at(at.0, at.1).filter(|p| p.1 == row)?;
        let (across, up) = (self.columns.get(here)?, self.up(here, row)?);
        let mut best = (f64::INFINITY, None);
        for (i, (&x, &y)) in x.iter().zip(y).enumerate().filter(|(i, _)| column(*i) == here) {
            let (dx, dy) = (across.pixel(x) - at.0, up.pixel(y) - at.1);
            let away = dx * dx + dy * dy;
            if away < best.0 {
                best = (away, Some(i));
            }
        }
        best.1
    }

    /// Whether a column is the first of those beside each other.
    pub(crate) fn begins_band(&self, column: usize) -> bool {
        column.is_multiple_of(self.across.max(1))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.width < 1.0 || self.height < 1.0 || self.columns.is_empty() || self.rows.is_empty()
    }

    /// The rectangle to which the lines of a panel are cut: a little taller than the panel.
    pub(crate) fn frame(&self, column: usize, row: usize) -> Option<Frame> {
        let (x, y) = (self.columns.get(column)?, self.up(column, row)?);
        Some(Frame { left: x.start, top: y.start - OVERSHOOT, right: x.end, bottom: y.end })
    }
}

fn first_of(ascending: &[f64], i: usize) -> usize {
    ascending.partition_point(|&v| v < ascending[i]).min(i)
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

/// Lays a figure out. A size that is no number or below zero counts as zero.
pub fn layout(figure: &Figure, width: f64, height: f64) -> Map {
    let usable = |v: f64| if v.is_finite() { v.clamp(0.0, 1e6) } else { 0.0 };
    let (width, height) = (usable(width), usable(height));
    let narrow = width < NARROW;

    let across = across(figure, narrow);
    let wrapped = across < figure.columns.len();
    let margin = if figure.columns.last().is_some_and(has_ticks) { MARGIN } else { 0.0 };
    let gaps: Vec<f64> = figure.columns.iter().map(|c| usable(either(c.gap, narrow))).collect();
    let extents: Vec<Extent> = figure.columns.iter().map(|c| c.width).collect();
    let side = |(start, end): (f64, f64), c: &Column| {
        Side::new(start, end, Kind::Right(c.axis.scale), ticks::range(&c.axis))
    };
    // A column that stands alone has all the width there is.
    let extents = if across == 1 && wrapped { vec![Extent::Share(1.0)] } else { extents };
    let places: Vec<(f64, f64)> =
        spans(&extents[..across.min(extents.len())], &gaps[..across.min(gaps.len())], width - margin, narrow)
            .collect();
    let columns: Vec<Side> = places.iter().cycle().zip(&figure.columns).map(|(s, c)| side(*s, c)).collect();

    let gaps = row_gaps(figure, narrow);
    let foot = foot(figure);
    let extents = row_extents(figure, width, height);
    let below = below(figure, &extents, narrow);
    let axis_of = |kind: &RowKind| match kind {
        RowKind::Scale(axis) | RowKind::Multiples { axis, .. } => Some(axis.clone()),
        RowKind::Apart(axes) => Some(axes.first().cloned().unwrap_or_else(|| Axis::new("", (0.0, 1.0)))),
        RowKind::Lane { .. } => None,
    };
    let up = |(start, end): (f64, f64), axis: Option<&Axis>| match axis {
        Some(axis) => Side::new(start, end, Kind::Up(axis.scale), ticks::range(axis)),
        None => Side::new(start, end, Kind::Lane, (0.0, 1.0)),
    };
    let rows: Vec<Side> = spans(&extents, &gaps, height - foot.0 - foot.1 - below, narrow)
        .zip(&figure.rows)
        .map(|(span, r)| up(span, axis_of(&r.kind).as_ref()))
        .collect();

    let mut bottom = rows.last().map_or(0.0, |r| r.end) + foot.0;
    let mut feet = vec![bottom; columns.len()];
    let mut apart = Vec::new();
    for (band, first) in (0..columns.len()).step_by(across.max(1)).enumerate() {
        let here = first..columns.len().min(first + across);
        for (r, (row, side)) in figure.rows.iter().zip(&rows).enumerate() {
            let mut span = (side.start, side.end);
            if here.clone().all(|c| own_axis(row, c).is_none()) {
                continue;
            }
            if band > 0 {
                let start = bottom + inner_foot(figure) + TITLE.1 + HEADROOM;
                span = (start, start + side.length());
                bottom = span.1;
            }
            let own = here.clone().filter_map(|c| Some((c, r, up(span, Some(own_axis(row, c)?)))));
            apart.extend(own);
        }
        feet[here].fill(bottom);
    }
    Map { width, height, columns, rows, feet, apart, across }
}

/// A column's own y axis.
fn own_axis(row: &Row, column: usize) -> Option<&Axis> {
    match &row.kind {
        RowKind::Apart(axes) => axes.get(column),
        RowKind::Multiples { axis, .. } => Some(axis),
        RowKind::Scale(_) | RowKind::Lane { .. } => None,
    }
}

/// How many columns stand beside each other; the next ones stand below.
fn across(figure: &Figure, narrow: bool) -> usize {
    let all = figure.columns.len();
    let wanted = figure.rows.iter().find_map(|r| match r.kind {
        RowKind::Multiples { across, .. } => Some(if narrow { across.1 } else { across.0 }),
        RowKind::Apart(_) if narrow => Some(1),
        _ => None,
    });
    wanted.map_or(all, |n| n.max(1).min(all))
}

/// Whether columns have y axes of their own.
fn is_apart(figure: &Figure) -> bool {
    figure.rows.iter().any(|r| has_own_axes(&r.kind))
}

/// Whether x axes are named on a line of their own: where there is one for each column, and where a
/// figure lists its ticks, none of which should give way to a name.
pub(crate) fn names_below(figure: &Figure) -> bool {
    let listed = |c: &Column| matches!(c.axis.ticks, Ticks::At(_)) && !c.axis.label.is_empty();
    is_apart(figure) || figure.columns.iter().any(listed)
}

fn has_own_axes(kind: &RowKind) -> bool {
    matches!(kind, RowKind::Apart(_) | RowKind::Multiples { .. })
}

/// The heights of rows. Where columns stand below others, rows that are repeated for them have a
/// height of their own, less where they would not fit.
fn row_extents(figure: &Figure, width: f64, height: f64) -> Vec<Extent> {
    let narrow = width < NARROW;
    let mut extents: Vec<Extent> = figure.rows.iter().map(|r| r.height).collect();
    let across = across(figure, narrow);
    if across >= figure.columns.len() {
        return extents;
    }
    let panels: usize = figure.rows.iter().map(|r| bands(figure, r, across).count()).sum();
    let missing = (self::height(figure, width) - height).max(0.0) / panels.max(1) as f64;
    for (extent, row) in extents.iter_mut().zip(&figure.rows) {
        if has_own_axes(&row.kind) {
            let tall = (length(*extent, narrow) - missing).max(0.0);
            *extent = Extent::Px(tall, tall);
        }
    }
    extents
}

/// The first columns of the bands in which a row is repeated.
fn bands(figure: &Figure, row: &Row, across: usize) -> impl Iterator<Item = usize> {
    let all = figure.columns.len();
    let has = move |first: &usize| (*first..all.min(first + across)).any(|c| own_axis(row, c).is_some());
    (0..all).step_by(across.max(1)).filter(has)
}

/// The height of the bands below the first.
fn below(figure: &Figure, extents: &[Extent], narrow: bool) -> f64 {
    let across = across(figure, narrow);
    let band = |extent: &Extent| inner_foot(figure) + TITLE.1 + HEADROOM + length(*extent, narrow);
    let rows = figure.rows.iter().zip(extents);
    rows.map(|(row, extent)| bands(figure, row, across).filter(|c| *c > 0).count() as f64 * band(extent))
        .sum()
}

/// The height at which a row with a share of 1 is as tall as it should be.
pub fn height(figure: &Figure, width: f64) -> f64 {
    let narrow = width < NARROW;
    let extents: Vec<Extent> = figure.rows.iter().map(|r| r.height).collect();
    let rows: f64 = extents.iter().map(|e| length(*e, narrow)).sum();
    let (seam, foot) = foot(figure);
    let below = below(figure, &extents, narrow);
    rows + row_gaps(figure, narrow).iter().sum::<f64>() + seam + foot + below
}

/// What a row is tall by itself.
fn length(extent: Extent, narrow: bool) -> f64 {
    let height = match extent {
        Extent::Px(wide, small) => either((wide, small), narrow),
        Extent::Share(share) => share * either(MAIN, narrow),
    };
    if height.is_finite() { height.max(0.0) } else { 0.0 }
}

/// Where in the room above a row its title's baseline is.
pub(crate) fn title_baseline(figure: &Figure, map: &Map, row: usize) -> f64 {
    if first_scale(figure) == Some(row) {
        12.0
    } else {
        let line = either(TITLE, map.is_narrow());
        let lines =
            if matches!(figure.rows[row].kind, RowKind::Multiples { .. }) { 2.0 * line } else { line };
        map.rows[row].start - lines - HEADROOM + 12.0
    }
}

fn first_scale(figure: &Figure) -> Option<usize> {
    figure.rows.iter().position(|r| matches!(r.kind, RowKind::Scale(_)))
}

/// An axis without ticks is named above, not below.
pub(crate) fn has_ticks(column: &Column) -> bool {
    column.axis.ticks != Ticks::None
}

pub(crate) fn label(axis: &Axis, narrow: bool) -> &str {
    if narrow { &axis.short_label } else { &axis.label }
}

/// Space above each row.
fn row_gaps(figure: &Figure, narrow: bool) -> Vec<f64> {
    let titled = |axis: &Axis| !label(axis, narrow).is_empty();
    let first = first_scale(figure);
    let side_title = figure.columns.iter().any(|c| !has_ticks(c) && titled(&c.axis));
    let y_title = first.is_some_and(|i| matches!(&figure.rows[i].kind, RowKind::Scale(a) if titled(a)));
    let line = either(TITLE, narrow);
    let title = if side_title || y_title { line } else { 0.0 };
    let mut gaps = Vec::with_capacity(figure.rows.len());
    for (i, row) in figure.rows.iter().enumerate() {
        let after_lane = i > 0 && matches!(figure.rows[i - 1].kind, RowKind::Lane { .. });
        gaps.push(match &row.kind {
            RowKind::Lane { .. } if i == 0 => title,
            RowKind::Lane { .. } if after_lane => 0.0,
            RowKind::Lane { .. } => SEAM,
            RowKind::Scale(_) if i == 0 => title + HEADROOM,
            RowKind::Scale(axis) if first != Some(i) && titled(axis) => {
                // The lowest tick label of the row above reaches below it.
                line + HEADROOM + if after_lane { 0.0 } else { SEAM }
            }
            RowKind::Multiples { axis, .. } => line + HEADROOM + if titled(axis) { line } else { 0.0 },
            RowKind::Scale(_) | RowKind::Apart(_) if after_lane => either(ABOVE, narrow),
            RowKind::Apart(axes) if axes.iter().any(titled) => line + HEADROOM,
            RowKind::Scale(_) | RowKind::Apart(_) => HEADROOM,
        });
    }
    gaps
}

/// Space between the last row and the axis, and below that.
fn foot(figure: &Figure) -> (f64, f64) {
    let lane = matches!(figure.rows.last().map(|r| &r.kind), Some(RowKind::Lane { .. }));
    let below = match (figure.columns.iter().any(has_ticks), names_below(figure)) {
        (true, true) => TALL_FOOT,
        (true, false) => FOOT,
        (false, _) => SEAM,
    };
    (if lane { SEAM } else { 0.0 }, below)
}

/// Below a band that is not the last: small multiples name their x axis once.
fn inner_foot(figure: &Figure) -> f64 {
    let multiples = figure.rows.iter().any(|r| matches!(r.kind, RowKind::Multiples { .. }));
    if multiples && figure.columns.iter().any(has_ticks) { FOOT } else { foot(figure).1 }
}

fn either((wide, small): (f64, f64), narrow: bool) -> f64 {
    if narrow { small } else { wide }
}

/// Start and end of each extent within a length.
fn spans(extents: &[Extent], gaps: &[f64], length: f64, narrow: bool) -> impl Iterator<Item = (f64, f64)> {
    let clean = |v: f64| if v.is_finite() { v.max(0.0) } else { 0.0 };
    let (mut fixed, mut shares) = (gaps.iter().sum::<f64>(), 0.0);
    for extent in extents {
        match *extent {
            Extent::Px(wide, small) => fixed += clean(either((wide, small), narrow)),
            Extent::Share(share) => shares += clean(share),
        }
    }
    let each = if shares > 0.0 { (length - fixed).max(0.0) / shares } else { 0.0 };
    let mut at = 0.0;
    extents.iter().zip(gaps).map(move |(extent, gap)| {
        let start = at + gap;
        at = start
            + match *extent {
                Extent::Px(wide, small) => clean(either((wide, small), narrow)),
                Extent::Share(share) => clean(share) * each,
            };
        (start, at)
    })
}

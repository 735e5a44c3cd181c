//! The figure of the `sweep` cell: a map of all pairs, and beside it their two costs.
//!
//! ```text
//!      efficiency
//!      ░▒▓█ .65 .94      F1 = F2
//!  F2 |░░▒▒▓▓△              |•
//!     |▒▒▓▓██□              | ••△
//!     |▒▓▓██◦█   F1         |   ••◦•□  lost time
//! ```

use super::costs::Costs;
use super::{Measure, Point, Slice, Sweep, factor, pair};
use crate::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Shape, Ticks,
    sane,
};
use crate::report::Picks;
use crate::rto::Summary;
use crate::shared::Shared;
use crate::stats::contour::contour;
use crate::trace::Trace;

/// Marks of the three settings, in the order of the readout.
pub(super) const GLYPHS: [Glyph; 3] = [Glyph::Ring, Glyph::Frame, Glyph::Triangle];

/// Grids of more values a side do not show the front on the map.
const MOST_SPOTS: usize = 32;

/// Spurious rates that have a line.
const RATES: [f64; 9] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

/// How much of the map's width and height a rate takes.
const LABEL: (f64, f64) = (0.14, 0.06);

/// Rows of the figure.
const NAME: usize = 0;
const RAMP: usize = 1;
const ENDS: usize = 2;
pub(super) const MAP: usize = 3;

pub(super) fn figure(params: &Sweep, traces: &[Shared<Trace>], slice: &Slice, points: &[Point]) -> Figure {
    let costs = Costs::of(slice, points);
    let square = square(slice.factors.len());
    let heat = Heat::of(params.colour_by, slice);
    let lane = |height: f64| Row {
        height: Extent::Px(height, height),
        kind: RowKind::Lane { label: String::new(), role: Role::Quiet },
    };
    let named = |label: &str, short: &str| Axis {
        label: label.to_owned(),
        short_label: short.to_owned(),
        ..square.clone()
    };
    let (across, up) = (named("F1, delay falling", "F1, delay falling"), named("F2", "F2"));
    Figure {
        columns: vec![
            Column { width: Extent::Share(1.0), gap: (46.0, 46.0), axis: across },
            Column { width: Extent::Share(1.0), gap: (88.0, 46.0), axis: costs.lost() },
        ],
        rows: vec![
            lane(16.0),
            lane(9.0),
            lane(18.0),
            Row { height: Extent::Px(376.0, 300.0), kind: RowKind::Apart(vec![up, costs.spurious()]) },
        ],
        panels: heat
            .legend(slice.factors.len())
            .into_iter()
            .chain([heat.map(slice, points), costs.panel(slice, points)])
            .collect(),
        alt: alt(traces, slice, points),
    }
}

/// Every pair can be picked on the map.
pub(super) fn picks(slice: &Slice) -> Picks {
    let (x, y) = (slice.column(|s, i| s.pair(i).0), slice.column(|s, i| s.pair(i).1));
    Picks::Points { column: 0, row: MAP, x, y }
}

/// The axis of F1 and of F2: quarters, and the last value.
fn square(n: usize) -> Axis {
    let count = n.max(1) as f64;
    let last = (n.max(1) - 1) as f64 / count;
    let ticks = [0.0, 0.25, 0.5, 0.75, last].map(|v| (v, factor(v)));
    let range = (-0.5 / count, last + 0.5 / count);
    Axis { ticks: Ticks::At(ticks.to_vec()), ..Axis::new("", range) }
}

/// What the map shows.
struct Heat<'a> {
    values: &'a [f64],
    /// Least and greatest value.
    range: (f64, f64),
    name: &'static str,
    /// What one unit of the label is in units of the values.
    unit: f64,
}

impl<'a> Heat<'a> {
    fn of(measure: Measure, slice: &'a Slice) -> Self {
        let values = slice.measure(measure);
        let known = || values.iter().copied().filter(|v| v.is_finite());
        let ends = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
        let range = match ends {
            (least, most) if least > most => (0.0, 1.0),
            // All alike: what they are at the low end.
            (least, most) if least == most => (least, least + f64::max(1.0, least)),
            ends => sane(ends),
        };
        let seconds = range.1 >= 2000.0;
        let (name, unit) = match (measure, seconds) {
            (Measure::Efficiency, _) => ("efficiency", 1.0),
            (Measure::SpuriousTime, true) => ("spurious time, s", 1000.0),
            (Measure::SpuriousTime, false) => ("spurious time, ms", 1.0),
            (Measure::LostTime, true) => ("lost time, s", 1000.0),
            (Measure::LostTime, false) => ("lost time, ms", 1.0),
            (Measure::SpuriousRate, _) => ("spurious, % of replies", 0.01),
        };
        Self { values, range, name, unit }
    }

    /// The ramp above the map, with the values at its ends and in its middle.
    fn legend(&self, n: usize) -> [Panel; 3] {
        const CELLS: usize = 60;
        let count = n.max(1) as f64;
        // It covers a little less than half of the map's width.
        let (from, to) = (-0.5 / count, 0.46 - 0.5 / count);
        let at = |t: f64| from + t * (to - from);
        let (lo, hi) = self.range;
        let edges: Data = (0..=CELLS).map(|i| at(i as f64 / CELLS as f64)).collect();
        let values: Data = (0..CELLS).map(|i| lo + (hi - lo) * i as f64 / (CELLS - 1) as f64).collect();
        let ramp = Shape::Cells { x: edges, y: vec![0.0, 1.0].into(), values, range: self.range };
        let middle = f64::midpoint(lo, hi);
        let ends = [(0.0, lo, Anchor::Start), (0.5, middle, Anchor::Middle), (1.0, hi, Anchor::End)];
        let mut marks: Vec<Mark> = ends
            .into_iter()
            .map(|(t, v, anchor)| words(Role::Ink, &short(v / self.unit), (at(t), 0.0), anchor, false))
            .collect();
        marks.push(words(Role::Quiet, "F1 = F2", (1.0 - 0.5 / count, 0.0), Anchor::End, false));
        let panel = |row, marks| Panel { column: 0, row, marks };
        let name = words(Role::Quiet, self.name, (at(0.0), 0.0), Anchor::Start, false);
        [panel(NAME, vec![name]), panel(RAMP, vec![ground(Role::Heat, ramp)]), panel(ENDS, marks)]
    }

    fn map(&self, slice: &Slice, points: &[Point]) -> Panel {
        let n = slice.factors.len();
        let half = 0.5 / n.max(1) as f64;
        let edges: Data = slice.factors.iter().map(|f| f - half).chain([1.0 - half]).collect();
        // Cells go by F2, then by F1; pairs the other way round.
        let turned = |values: &[f64]| -> Data { (0..n * n).map(|i| values[i % n * n + i / n]).collect() };
        let cells =
            Shape::Cells { x: edges.clone(), y: edges, values: turned(self.values), range: self.range };
        let ends: Data = vec![-half, 1.0 - half].into();
        let mut marks = vec![
            ground(Role::Heat, cells),
            ground(Role::Ink, Shape::Contour { x: ends.clone(), y: ends, dashed: true }),
        ];
        marks.extend(rates(slice, &turned(&slice.rate)));
        // Finer, they would hide the map.
        let some = slice.front.len() < slice.pairs();
        if slice.done == slice.pairs() && n <= MOST_SPOTS && some {
            let (x, y): (Vec<f64>, Vec<f64>) = slice.front.iter().map(|&i| slice.pair(i)).unzip();
            marks.push(ground(Role::Ink, Shape::Points { x: x.into(), y: y.into(), glyph: Glyph::Spot }));
        }
        marks.extend(rfc793());
        // Factors beyond the last of the grid are marked at its edge.
        let most = 1.0 - half;
        marks.extend(glyphs(points, |p| (p.f1.min(most), p.f2.min(most))));
        Panel { column: 0, row: MAP, marks }
    }
}

/// "ALPHA is a smoothing factor (e.g., .8 to .9)" (RFC 793, page 41): one factor for both, so a piece of
/// the diagonal.
fn rfc793() -> [Mark; 2] {
    let alpha: Data = vec![0.8, 0.9].into();
    let line = Shape::Line { x: alpha.clone(), y: alpha, step: false, strong: true, end: String::new() };
    [ground(Role::Ink, line), words(Role::Ink, "793", (0.8, 0.8), Anchor::End, true)]
}

/// Lines of equal spurious rate, each with its rate.
fn rates(slice: &Slice, rate: &[f64]) -> Vec<Mark> {
    let known = || rate.iter().copied().filter(|v| v.is_finite());
    let (lo, hi) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let mut marks = Vec::new();
    let mut taken: Vec<(f64, f64)> = Vec::new();
    // The highest five of those there are.
    for &level in RATES.iter().rev().filter(|v| **v > lo && **v < hi).take(5) {
        let (x, y) = contour(&slice.factors, &slice.factors, rate, level);
        // The rate stands on the longest piece: in its middle, or where no other stands yet.
        let mut start = 0;
        let mut longest = 0..0;
        for (i, v) in x.iter().enumerate() {
            if v.is_nan() {
                if i - start > longest.len() {
                    longest = start..i;
                }
                start = i + 1;
            }
        }
        let free = |at: &(f64, f64)| {
            taken.iter().all(|t| (t.0 - at.0).abs() > LABEL.0 || (t.1 - at.1).abs() > LABEL.1)
        };
        let parts = [0.5, 0.25, 0.75, 0.1, 0.9].map(|p| longest.start + (p * longest.len() as f64) as usize);
        let place = parts.map(|i| (x[i], y[i])).into_iter().find(free).filter(|_| longest.len() > 2);
        taken.extend(place);
        let label =
            place.map(|at| words(Role::Ink, &format!("{} %", 100.0 * level), at, Anchor::Middle, false));
        marks.push(ground(Role::Ink, Shape::Contour { x: x.into(), y: y.into(), dashed: false }));
        marks.extend(label);
    }
    marks
}

/// The marks of the settings. The ring moves without the rest.
pub(super) fn glyphs<'a>(
    points: &'a [Point],
    at: impl Fn(&Point) -> (f64, f64) + 'a,
) -> impl Iterator<Item = Mark> + 'a {
    // The ring last, over the others.
    points.iter().zip(GLYPHS).rev().map(move |(p, glyph)| {
        let (x, y) = at(p);
        let layer = if glyph == Glyph::Ring { Layer::Front } else { Layer::Ground };
        Mark { layer, role: Role::Ink, shape: Shape::Points { x: [x].into(), y: [y].into(), glyph } }
    })
}

pub(super) fn ground(role: Role, shape: Shape) -> Mark {
    Mark { layer: Layer::Ground, role, shape }
}

pub(super) fn words(role: Role, text: &str, (x, y): (f64, f64), anchor: Anchor, strong: bool) -> Mark {
    let narrow = text.to_owned();
    ground(role, Shape::Text { x, y, text: text.to_owned(), narrow, anchor, strong })
}

fn short(v: f64) -> String {
    match v.abs() {
        size if size >= 100.0 => format!("{v:.0}"),
        size if size >= 10.0 => format!("{v:.1}"),
        _ => format!("{v:.2}"),
    }
}

fn alt(traces: &[Shared<Trace>], slice: &Slice, points: &[Point]) -> String {
    let over = match traces {
        [one] => one.name.clone(),
        many => format!("{} runs pooled", many.len()),
    };
    let percent = |s: &Summary| s.efficiency.map_or_else(|| "not defined".to_owned(), |e| format!("{e:.3}"));
    let marked: Vec<String> = points
        .iter()
        .take(GLYPHS.len())
        .map(|p| format!("{} for {} ({})", percent(&p.summary), pair(p.f1, p.f2), p.name.to_lowercase()))
        .collect();
    let so_far = if slice.done < slice.pairs() {
        format!(" so far, after {} of {} pairs", slice.done, slice.pairs())
    } else {
        format!(" among {} pairs", slice.pairs())
    };
    let best = points
        .get(GLYPHS.len())
        .map(|p| format!("the highest{so_far} is {} at F1, F2 = {}", percent(&p.summary), pair(p.f1, p.f2)));
    let best = best.unwrap_or_else(|| format!("nothing is known{so_far}"));
    format!("Efficiency over every pair of factors, {over}: {best}; {}.", marked.join(", "))
}

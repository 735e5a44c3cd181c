//! The data: what each mark of a panel looks like.

use crate::arrows::arrows;
use crate::density::{Dots, Places, dots};
use crate::layout::{Frame, Map, Side};
use crate::pen::{Drawn, Pen, Point};
use crate::stroke::{clip, dash as dashes, is_dense};
use crate::surface::Surface;
use crate::theme::{CONTOUR_DASH, DROP_DASH, RULE_DASH, SHADES, Theme, dash};
use crate::thin;
use netspurt_core::figure::{Anchor, Figure, Glyph, Layer, Mark, Panel, Role, RowKind, Shape, Ticks};

/// Draws the marks of one layer: in each panel bars and dots first, then lines, the strong ones last,
/// then glyphs, then words; within these in the figure's order.
pub(crate) fn draw<S: Surface>(
    pen: &mut Pen<'_, S>,
    figure: &Figure,
    map: &Map,
    theme: &Theme,
    layer: Layer,
) -> Drawn<S> {
    for panel in &figure.panels {
        let Some(place) = Place::of(panel, figure, map) else { continue };
        let marks: Vec<&Mark> = panel.marks.iter().filter(|m| m.layer == layer).collect();
        for height in 0..=HIGHEST {
            for mark in marks.iter().filter(|m| rank(&m.shape) == height) {
                mark_of(pen, &place, theme, mark)?;
            }
        }
        end_letters(pen, &place, theme, &marks)?;
    }
    Ok(())
}

/// How much of its colour an arrow has that is still to come.
const FAINT: f64 = 0.34;

/// The rank of what lies above all else.
const HIGHEST: u8 = 4;

fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Band { .. }
        | Shape::Bars { .. }
        | Shape::Cells { .. }
        | Shape::Drops { .. }
        | Shape::Points { glyph: Glyph::Dot, .. } => 0,
        Shape::Line { strong: false, .. } | Shape::Contour { .. } => 1,
        Shape::Line { .. } | Shape::Arrows { .. } => 2,
        Shape::Rule { .. } | Shape::Points { .. } => 3,
        Shape::Text { .. } => HIGHEST,
    }
}

/// A panel and what its pixels mean.
struct Place<'a> {
    map: &'a Map,
    row: usize,
    across: &'a Side,
    up: &'a Side,
    frame: Frame,
    narrow: bool,
    /// Words alone: nothing lies behind them that they must stand out from.
    bare: bool,
}

impl<'a> Place<'a> {
    fn of(panel: &Panel, figure: &Figure, map: &'a Map) -> Option<Self> {
        let untold = |kind: &RowKind| matches!(kind, RowKind::Scale(axis) if axis.ticks == Ticks::None);
        let bare = figure.columns.get(panel.column).is_some_and(|c| c.axis.ticks == Ticks::None)
            && figure.rows.get(panel.row).is_some_and(|r| untold(&r.kind));
        let frame = map.frame(panel.column, panel.row)?;
        let (across, up) = (&map.columns[panel.column], map.up(panel.column, panel.row)?);
        let visible = across.length() >= 1.0 && up.length() >= 1.0;
        visible.then_some(Self { map, row: panel.row, across, up, frame, narrow: map.is_narrow(), bare })
    }

    fn sized(&self, wide: f64, narrow: f64) -> f64 {
        if self.narrow { narrow } else { wide }
    }

    fn point(&self, x: f64, y: f64) -> Point {
        (self.across.pixel(x), self.up.pixel(y))
    }
}

fn mark_of<S: Surface>(pen: &mut Pen<'_, S>, place: &Place<'_>, theme: &Theme, mark: &Mark) -> Drawn<S> {
    let role = mark.role;
    match &mark.shape {
        Shape::Points { x, y, glyph: Glyph::Dot } if !place.up.is_lane() => {
            spots(pen, place, theme, role, x, y)
        }
        Shape::Points { x, y, glyph } => glyphs(pen, place, theme, role, *glyph, x, y),
        Shape::Line { x, y, step, strong, .. } => {
            let line = thin::line(x, y, place.across, place.up, pen.ratio, *step);
            stroke(pen, place, theme, role, &clip(&line, place.frame), *strong)
        }
        Shape::Cells { x, y, values, range } => cells(pen, place, theme, (x, y), values, *range),
        Shape::Contour { x, y, dashed } => contour(pen, place, theme, role, (x, y), *dashed),
        Shape::Band { from, to, along_y } => band(pen, place, theme, role, (*from, *to), *along_y),
        Shape::Arrows { from, to, arrow, faint } => {
            let places = from.0.iter().zip(from.1.iter()).zip(to.0.iter().zip(to.1.iter()));
            let places = places.map(|((&x0, &y0), (&x1, &y1))| [place.point(x0, y0), place.point(x1, y1)]);
            let colour = theme.colour(role).alpha(if *faint { FAINT } else { 1.0 });
            arrows(pen, *arrow, places, place.frame, colour)
        }
        Shape::Bars { edges, lengths, along_y } => bars(pen, place, theme, role, edges, lengths, *along_y),
        Shape::Rule { at, along_y, dashed } => rule(pen, place, theme, role, *at, *along_y, *dashed),
        Shape::Drops { x } => drops(pen, place, theme, role, x),
        Shape::Text { x, y, text, narrow, anchor, strong } => {
            let text = if place.narrow { narrow } else { text };
            let (x, y) = place.point(*x, *y);
            let (w, h) = (place.map.width, place.map.height);
            if !((0.0..=w).contains(&x) && (0.0..=h).contains(&y)) {
                return Ok(());
            }
            let face = theme.words(role, *strong);
            if place.up.is_lane() || place.bare {
                return pen.words(text, (x, y + 4.0), *anchor, face);
            }
            pen.clear_words(text, (x, y + 4.0), *anchor, face, theme.paper)
        }
    }
}

fn spots<S: Surface>(
    pen: &mut Pen<'_, S>,
    place: &Place<'_>,
    theme: &Theme,
    role: Role,
    x: &[f64],
    y: &[f64],
) -> Drawn<S> {
    let colour = theme.colour(role);
    match dots(x, y, place.across, place.up, place.frame, pen.ratio) {
        Dots::Few(points) => {
            let radius = place.sized(1.6, 1.1);
            points.into_iter().try_for_each(|p| pen.disc(p, radius, colour.alpha(1.0)))
        }
        Dots::Many(grid) => pen.mask(grid.corner, grid.width, &grid.alpha, colour),
    }
}

fn glyphs<S: Surface>(
    pen: &mut Pen<'_, S>,
    place: &Place<'_>,
    theme: &Theme,
    role: Role,
    glyph: Glyph,
    x: &[f64],
    y: &[f64],
) -> Drawn<S> {
    let (size, width) = match glyph {
        Glyph::Dot => (place.sized(1.6, 1.1), 1.0),
        Glyph::Cross => (4.0, 2.0),
        Glyph::Diamond => (place.sized(5.0, 3.6), 1.5),
        Glyph::SmallDiamond => (3.2, 1.2),
        Glyph::Square => (4.5, 1.5),
        Glyph::Spot => (place.sized(2.6, 2.2), 1.0),
        Glyph::Ring | Glyph::Frame => (place.sized(8.0, 6.5), 2.0),
        Glyph::Triangle => (place.sized(6.0, 5.0), 2.0),
        Glyph::Disc => (4.0, 1.0),
    };
    // Marks that would hide each other are drawn once; where there are thousands, none covers another.
    let cell = match (x.len() > 2000, place.up.is_lane()) {
        (false, _) => 1.0 / pen.ratio,
        (true, true) => 1.0,
        (true, false) => 2.0 * size,
    };
    let mut places = Places::new(place.frame, cell);
    let points: Vec<Point> = if place.up.is_lane() {
        x.iter().map(|&x| place.point(x, 0.0)).filter(|&p| places.take(p)).collect()
    } else {
        x.iter().zip(y).map(|(&x, &y)| place.point(x, y)).filter(|&p| places.take(p)).collect()
    };
    let colour = theme.colour(role).alpha(1.0);
    let paper = theme.paper.alpha(1.0);
    for &at in &points {
        match glyph {
            Glyph::Diamond | Glyph::Square => pen.polygon(&outline(glyph, at, size)[..4], paper)?,
            Glyph::Spot => pen.disc(at, size + 1.4, paper)?,
            Glyph::Ring => pen.path(&circle(at, size), width + 3.0, paper)?,
            Glyph::Triangle | Glyph::Frame => pen.path(&outline(glyph, at, size), width + 3.0, paper)?,
            Glyph::Dot | Glyph::Cross | Glyph::SmallDiamond | Glyph::Disc => break,
        }
    }
    for &(x, y) in &points {
        match glyph {
            Glyph::Dot | Glyph::Spot | Glyph::Disc => pen.disc((x, y), size, colour)?,
            Glyph::Ring => pen.path(&circle((x, y), size), width, colour)?,
            Glyph::Cross => {
                pen.path(&[(x - size, y - size), (x + size, y + size)], width, colour)?;
                pen.path(&[(x + size, y - size), (x - size, y + size)], width, colour)?;
            }
            _ => pen.path(&outline(glyph, (x, y), size), width, colour)?,
        }
    }
    if glyph == Glyph::Diamond {
        for &at in &points {
            pen.disc(at, place.sized(1.3, 1.0), colour)?;
        }
    }
    Ok(())
}

/// Four corners and the first again; of a triangle the last is there twice.
fn outline(glyph: Glyph, (x, y): Point, r: f64) -> [Point; 5] {
    match glyph {
        Glyph::Square | Glyph::Frame => {
            [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r), (x - r, y - r)]
        }
        Glyph::Triangle => {
            let (top, foot) = ((x, y - r), y + 0.7 * r);
            [top, (x + r, foot), (x - r, foot), top, top]
        }
        _ => [(x, y - r), (x + r, y), (x, y + r), (x - r, y), (x, y - r)],
    }
}

/// A circle as a path: a disc has no edge on every backend.
fn circle((x, y): Point, r: f64) -> Vec<Point> {
    const CORNERS: usize = 32;
    let at = |i: usize| {
        let turn = (i % CORNERS) as f64 / CORNERS as f64 * std::f64::consts::TAU;
        (x + r * libm::cos(turn), y + r * libm::sin(turn))
    };
    (0..=CORNERS).map(at).collect()
}

/// Cells of one colour are drawn one after the other, neighbours in a row as one, so that a picture of
/// many cells stays small.
fn cells<S: Surface>(
    pen: &mut Pen<'_, S>,
    place: &Place<'_>,
    theme: &Theme,
    (x, y): (&[f64], &[f64]),
    values: &[f64],
    (lo, hi): (f64, f64),
) -> Drawn<S> {
    // Whole device pixels, so that no paper shows between cells.
    let ratio = pen.ratio;
    let edges = |side: &Side, values: &[f64]| -> Vec<f64> {
        let edge = |&v: &f64| (side.pixel(v).clamp(side.start, side.end) * ratio).round() / ratio;
        values.iter().map(edge).collect()
    };
    let lane = [place.up.start, place.up.end];
    let (left, top) =
        (edges(place.across, x), if place.up.is_lane() { lane.to_vec() } else { edges(place.up, y) });
    let columns = left.len().saturating_sub(1);
    let known = |edges: &[f64]| edges.iter().all(|v| v.is_finite());
    if columns == 0 || !known(x) || !known(y) || !known(&left) || !known(&top) {
        return Ok(());
    }
    // What is not known yet comes first.
    let shade = |v: f64| {
        let t = ((v - lo) / (hi - lo)).clamp(0.0, 1.0);
        if v.is_finite() && !t.is_nan() { 1 + (t * SHADES as f64).round() as usize } else { 0 }
    };
    let mut rects: Vec<(usize, Point, Point)> = Vec::new();
    for (row, band) in values.chunks_exact(columns).zip(top.windows(2)) {
        let (upper, lower) = (band[0].min(band[1]), band[0].max(band[1]));
        let mut from = 0;
        for run in row.chunk_by(|a, b| shade(*a) == shade(*b)) {
            let to = from + run.len();
            let (a, b) = (left[from].min(left[to]), left[from].max(left[to]));
            rects.push((shade(run[0]), (a, upper), (b, lower)));
            from = to;
        }
    }
    rects.sort_by_key(|r| r.0);
    rects.into_iter().try_for_each(|(shade, from, to)| {
        let colour = shade.checked_sub(1).map_or(theme.well, |s| theme.shade(s));
        pen.rect(from, to, colour.alpha(1.0))
    })
}

fn band<S: Surface>(
    pen: &mut Pen<'_, S>,
    place: &Place<'_>,
    theme: &Theme,
    role: Role,
    (from, to): (f64, f64),
    along_y: bool,
) -> Drawn<S> {
    let (side, other) = if along_y { (place.up, place.across) } else { (place.across, place.up) };
    if !(from.is_finite() && to.is_finite()) {
        return Ok(());
    }
    let edge = |v: f64| side.pixel(v).clamp(side.start, side.end);
    let (a, b) = (edge(from), edge(to));
    let (a, b) = (a.min(b), a.max(b));
    let colour = if role == Role::Quiet { theme.well } else { theme.select };
    let turn = |along: f64, across: f64| if along_y { (across, along) } else { (along, across) };
    pen.rect(turn(a, other.start), turn(b, other.end), colour.alpha(1.0))
}

fn contour<S: Surface>(
    pen: &mut Pen<'_, S>,
    place: &Place<'_>,
    theme: &Theme,
    role: Role,
    (x, y): (&[f64], &[f64]),
    dashed: bool,
) -> Drawn<S> {
    let points: Vec<Point> = x.iter().zip(y).map(|(&x, &y)| place.point(x, y)).collect();
    let known = |p: &Point| p.0.is_finite() && p.1.is_finite();
    let pieces: Vec<Vec<Point>> =
        points.split(|p| !known(p)).filter(|piece| piece.len() > 1).map(<[Point]>::to_vec).collect();
    let pieces = clip(&pieces, place.frame);
    let paper = theme.paper.alpha(0.6);
    pieces.iter().try_for_each(|p| pen.path(p, 3.0, paper))?;
    let pieces = if dashed { dashes(&pieces, CONTOUR_DASH, place.across.length()) } else { pieces };
    let colour = theme.colour(role).alpha(0.8);
    pieces.iter().try_for_each(|p| pen.path(p, 1.0, colour))
}

fn stroke<S: Surface>(
    pen: &mut Pen<'_, S>,
    place: &Place<'_>,
    theme: &Theme,
    role: Role,
    pieces: &[Vec<Point>],
    strong: bool,
) -> Drawn<S> {
    if strong && !is_dense(pieces, place.across.length()) {
        let paper = theme.paper.alpha(0.75);
        pieces.iter().try_for_each(|p| pen.path(p, 4.0, paper))?;
    }
    let width = if strong { 1.9 } else { 1.1 } * place.sized(1.0, 0.75);
    let colour = theme.colour(role).alpha(1.0);
    let pattern = dash(role);
    if pattern.is_empty() {
        return pieces.iter().try_for_each(|p| pen.path(p, width, colour));
    }
    let dashed = dashes(pieces, pattern, place.across.length());
    dashed.iter().try_for_each(|p| pen.path(p, width, colour))
}

fn bars<S: Surface>(
    pen: &mut Pen<'_, S>,
    place: &Place<'_>,
    theme: &Theme,
    role: Role,
    edges: &[f64],
    lengths: &[f64],
    along_y: bool,
) -> Drawn<S> {
    let (along, out) = if along_y { (place.up, place.across) } else { (place.across, place.up) };
    if along.is_lane() || out.is_lane() {
        return Ok(());
    }
    // Upright bars have lines drawn over them.
    let colour = theme.colour(role).alpha(if along_y { 0.75 } else { 0.5 });
    let zero = out.range().0.max(0.0);
    let foot = out.pixel(zero);
    let mut bar = |from: f64, to: f64, tip: f64| {
        if along_y {
            pen.rect((foot + 1.0, from), (tip + 1.0, to), colour)
        } else {
            pen.rect((from, tip), (to, foot), colour)
        }
    };
    // Bars thinner than a pixel are gathered: the longest of each pixel.
    let mut thin: Option<(f64, f64)> = None;
    for (edge, &length) in edges.windows(2).zip(lengths) {
        let (a, b) = (along.pixel(edge[0]), along.pixel(edge[1]));
        let (a, b) = (a.min(b).max(along.start), a.max(b).min(along.end));
        let tip = out.pixel(length).clamp(out.start, out.end);
        if !(length > zero && b > a && tip.is_finite()) {
            continue;
        }
        if b - a >= 1.0 {
            let gap = if b - a > 3.0 { 0.5 } else { 0.0 };
            bar(a + gap, b - gap, tip)?;
            continue;
        }
        let pixel = f64::midpoint(a, b).floor();
        let longer = |x: f64, y: f64| if along_y { x.max(y) } else { x.min(y) };
        match &mut thin {
            Some((at, most)) if at.to_bits() == pixel.to_bits() => *most = longer(*most, tip),
            _ => {
                if let Some((at, most)) = thin.replace((pixel, tip)) {
                    bar(at, at + 1.0, most)?;
                }
            }
        }
    }
    thin.map_or(Ok(()), |(at, most)| bar(at, at + 1.0, most))
}

fn rule<S: Surface>(
    pen: &mut Pen<'_, S>,
    place: &Place<'_>,
    theme: &Theme,
    role: Role,
    at: f64,
    along_y: bool,
    dashed: bool,
) -> Drawn<S> {
    let (side, other) = if along_y { (place.up, place.across) } else { (place.across, place.up) };
    let pixel = side.pixel(at);
    if !(at.is_finite() && side.contains(pixel)) {
        return Ok(());
    }
    let at = pen.crisp(pixel - 0.5);
    let turn = |v: f64| if along_y { (v, at) } else { (at, v) };
    let line = vec![vec![turn(other.start), turn(other.end)]];
    let pieces = if dashed { dashes(&line, RULE_DASH, other.length()) } else { line };
    pieces.iter().try_for_each(|p| pen.path(p, 1.0, theme.colour(role).alpha(1.0)))
}

fn drops<S: Surface>(
    pen: &mut Pen<'_, S>,
    place: &Place<'_>,
    theme: &Theme,
    role: Role,
    x: &[f64],
) -> Drawn<S> {
    let top = if place.up.is_lane() { place.up.pixel(0.0) + 7.0 } else { place.up.start };
    let below = place.map.rows[place.row..].iter().find(|r| !r.is_lane());
    let bottom = below.map_or(place.up.end, |r| r.end);
    let mut places = Places::new(place.frame, 2.0);
    for &x in x {
        let x = place.across.pixel(x);
        if places.take((x, place.up.end)) {
            let colour = theme.colour(role).alpha(0.45);
            for piece in dashes(&[vec![(x, top), (x, bottom)]], DROP_DASH, f64::INFINITY) {
                pen.path(&piece, 1.0, colour)?;
            }
        }
    }
    Ok(())
}

/// How far apart the letters at the ends of lines are.
const LETTERS: f64 = 14.0;

fn end_letters<S: Surface>(
    pen: &mut Pen<'_, S>,
    place: &Place<'_>,
    theme: &Theme,
    marks: &[&Mark],
) -> Drawn<S> {
    // From the top down.
    let mut ends: Vec<(f64, &str, Role)> = Vec::new();
    for mark in marks {
        let Shape::Line { x, y, end, .. } = &mark.shape else { continue };
        let last = x.iter().zip(y.iter()).rev().map(|(_, &y)| y).find(|y| y.is_finite());
        let last = last.map(|y| place.up.pixel(y)).filter(|y| y.is_finite());
        if let Some(y) = last.filter(|_| !end.is_empty()) {
            let at = ends.partition_point(|e| e.0.total_cmp(&y).then(e.1.cmp(end)).is_le());
            ends.insert(at, (y, end, mark.role));
        }
    }
    let mut highest = place.up.start;
    for end in &mut ends {
        end.0 = end.0.max(highest);
        highest = end.0 + LETTERS;
    }
    let mut lowest = place.up.end;
    for end in ends.iter_mut().rev() {
        end.0 = end.0.min(lowest);
        lowest = end.0 - LETTERS;
    }
    for (y, text, role) in ends {
        let at = (place.across.end + 6.0, y + 4.0);
        pen.clear_words(text, at, Anchor::Start, theme.words(role, true), theme.paper)?;
    }
    Ok(())
}

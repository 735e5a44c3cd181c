//! What stands around the data: gridlines, axes, ticks, names of axes and lanes.

use crate::layout::{Map, Side, has_ticks, label, names_below, title_baseline};
use crate::pen::{Drawn, Pen, Point};
use crate::surface::Surface;
use crate::theme::{Rgb, Theme};
use crate::ticks::ticks;
use netspurt_core::figure::{Anchor, Axis, Column, Figure, Role, RowKind, Ticks};

/// About how wide a character of a label is. Labels are not measured; those that might touch are
/// left out.
const CHARACTER: f64 = 6.0;
/// Left of the first column, where tick and lane labels end.
const LABEL_GAP: f64 = 8.0;
/// A column's own y axis is named above, this far left of the panel.
const LABEL_ROOM: f64 = 40.0;
const TITLE_LIFT: f64 = 14.0;
/// How far below the labels a name on a line of its own stands.
const NAME_DROP: f64 = 18.0;

pub(crate) fn draw<S: Surface>(pen: &mut Pen<'_, S>, figure: &Figure, map: &Map, theme: &Theme) -> Drawn<S> {
    for (i, row) in figure.rows.iter().enumerate() {
        match &row.kind {
            RowKind::Scale(axis) => scale_row(pen, figure, map, theme, (i, axis))?,
            RowKind::Multiples { axis, titles, .. } => multiples(pen, figure, map, theme, (i, axis, titles))?,
            RowKind::Apart(axes) => {
                for (c, axis) in axes.iter().enumerate().take(figure.columns.len()) {
                    own_scale(pen, figure, map, theme, (c, i, axis))?;
                }
            }
            RowKind::Lane { label, role } => lane_label(pen, map, theme, i, label, *role)?,
        }
    }
    for (i, column) in figure.columns.iter().enumerate() {
        if has_ticks(column) {
            let named = i + 1 == figure.columns.len() || !is_multiple(figure);
            foot(pen, column, map, theme, (i, names_below(figure), named))?;
        } else {
            let at = (map.columns[i].start, 12.0);
            let face = theme.words(Role::Quiet, false);
            pen.words(label(&column.axis, map.is_narrow()), at, Anchor::Start, face)?;
        }
    }
    Ok(())
}

fn scale_row<S: Surface>(
    pen: &mut Pen<'_, S>,
    figure: &Figure,
    map: &Map,
    theme: &Theme,
    (row, axis): (usize, &Axis),
) -> Drawn<S> {
    let up = &map.rows[row];
    let all = ticks(axis, usize::MAX);
    for (c, (column, across)) in figure.columns.iter().zip(&map.columns).enumerate() {
        // A column of words beside lanes has nothing to measure here.
        if has_ticks(column) || figure.panels.iter().any(|p| (p.column, p.row) == (c, row)) {
            lines(pen, column, across, (up, axis, &all), map.is_narrow(), theme)?;
        }
    }
    labels(pen, up, &all, map.columns[0].start - LABEL_GAP, theme)?;
    let title = label(axis, map.is_narrow());
    pen.words(title, (0.0, title_baseline(figure, map, row)), Anchor::Start, theme.words(Role::Quiet, false))
}

fn is_multiple(figure: &Figure) -> bool {
    figure.rows.iter().any(|r| matches!(r.kind, RowKind::Multiples { .. }))
}

/// Panels with one y axis between them, which is labelled at the first of each band.
fn multiples<S: Surface>(
    pen: &mut Pen<'_, S>,
    figure: &Figure,
    map: &Map,
    theme: &Theme,
    (row, axis, titles): (usize, &Axis, &[String]),
) -> Drawn<S> {
    let all = ticks(axis, usize::MAX);
    for (c, (column, across)) in figure.columns.iter().zip(&map.columns).enumerate() {
        let Some(up) = map.up(c, row) else { continue };
        lines(pen, column, across, (up, axis, &all), map.is_narrow(), theme)?;
        if map.begins_band(c) {
            labels(pen, up, &all, across.start - LABEL_GAP, theme)?;
        }
        let title = titles.get(c).map_or("", String::as_str);
        let at = (across.start, up.start - TITLE_LIFT);
        pen.words(title, at, Anchor::Start, theme.words(Role::Ink, true))?;
    }
    let name = label(axis, map.is_narrow());
    pen.words(name, (0.0, title_baseline(figure, map, row)), Anchor::Start, theme.words(Role::Quiet, false))
}

/// A column's own y axis.
fn own_scale<S: Surface>(
    pen: &mut Pen<'_, S>,
    figure: &Figure,
    map: &Map,
    theme: &Theme,
    (column, row, axis): (usize, usize, &Axis),
) -> Drawn<S> {
    let (Some(up), across) = (map.up(column, row), &map.columns[column]) else { return Ok(()) };
    let all = ticks(axis, usize::MAX);
    lines(pen, &figure.columns[column], across, (up, axis, &all), map.is_narrow(), theme)?;
    labels(pen, up, &all, across.start - LABEL_GAP, theme)?;
    let at = ((across.start - LABEL_ROOM).max(0.0), up.start - TITLE_LIFT);
    pen.words(label(axis, map.is_narrow()), at, Anchor::Start, theme.words(Role::Quiet, false))
}

/// Gridlines and the line at the foot of a panel, or at its left where the column has no ticks.
fn lines<S: Surface>(
    pen: &mut Pen<'_, S>,
    column: &Column,
    across: &Side,
    (up, axis, ticks): (&Side, &Axis, &[(f64, String)]),
    narrow: bool,
    theme: &Theme,
) -> Drawn<S> {
    if column.axis.grid {
        for (v, _) in x_ticks(column, narrow) {
            let x = pen.crisp(across.pixel(v));
            line(pen, (x, up.start), (x, up.end), theme.rule)?;
        }
    }
    if !has_ticks(column) {
        // Words beside words have nothing to measure either.
        if axis.ticks == Ticks::None {
            return Ok(());
        }
        let x = pen.crisp(across.start);
        return line(pen, (x, up.start), (x, up.end), theme.rule2);
    }
    if axis.grid {
        for (v, _) in ticks {
            let y = up.pixel(*v);
            if y < up.end - 0.5 {
                let y = pen.crisp(y);
                line(pen, (across.start, y), (across.end, y), theme.rule)?;
            }
        }
    }
    let y = pen.crisp(up.end);
    line(pen, (across.start, y), (across.end, y), theme.rule2)
}

/// Tick labels that end at x.
fn labels<S: Surface>(
    pen: &mut Pen<'_, S>,
    up: &Side,
    ticks: &[(f64, String)],
    x: f64,
    theme: &Theme,
) -> Drawn<S> {
    let mut last = f64::INFINITY;
    for (v, text) in ticks {
        let y = up.pixel(*v);
        if (last - y).abs() >= 12.0 {
            pen.words(text, (x, y + 4.0), Anchor::End, theme.words(Role::Ink, false))?;
            last = y;
        }
    }
    Ok(())
}

fn lane_label<S: Surface>(
    pen: &mut Pen<'_, S>,
    map: &Map,
    theme: &Theme,
    row: usize,
    label: &str,
    role: Role,
) -> Drawn<S> {
    let face = match role {
        Role::Series(_) | Role::Printed => theme.words(role, false),
        _ => theme.words(Role::Ink, false),
    };
    let at = (map.columns[0].start - LABEL_GAP, map.rows[row].pixel(0.0) + 4.0);
    pen.words(label, at, Anchor::End, face)
}

fn x_ticks(column: &Column, narrow: bool) -> Vec<(f64, String)> {
    let most = match column.axis.ticks {
        Ticks::About(n) if narrow => n.div_ceil(2),
        _ => usize::MAX,
    };
    ticks(&column.axis, most)
}

/// The axis below the last row. Its name ends the line of labels, and labels in its way are left out;
/// or it stands below them.
fn foot<S: Surface>(
    pen: &mut Pen<'_, S>,
    column: &Column,
    map: &Map,
    theme: &Theme,
    (i, below, named): (usize, bool, bool),
) -> Drawn<S> {
    let (across, narrow, axis) = (&map.columns[i], map.is_narrow(), map.feet[i]);
    let y = pen.crisp(axis);
    line(pen, (across.start, y), (across.end, y), theme.rule2)?;
    let name = if named { label(&column.axis, narrow) } else { "" };
    let free = if name.is_empty() || below { f64::INFINITY } else { across.end - breadth(name) - 6.0 };
    let baseline = axis + 17.0;
    let mut end = f64::NEG_INFINITY;
    for (v, text) in x_ticks(column, narrow) {
        let x = across.pixel(v);
        let tick = pen.crisp(x);
        line(pen, (tick, axis), (tick, axis + 4.0), theme.rule2)?;
        let half = breadth(&text) / 2.0;
        if x - half > end + 6.0 && x + half < free {
            pen.words(&text, (x, baseline), Anchor::Middle, theme.words(Role::Ink, false))?;
            end = x + half;
        }
    }
    let at = (across.end, if below { baseline + NAME_DROP } else { baseline });
    pen.words(name, at, Anchor::End, theme.words(Role::Quiet, false))
}

fn breadth(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

fn line<S: Surface>(pen: &mut Pen<'_, S>, from: Point, to: Point, colour: Rgb) -> Drawn<S> {
    pen.path(&[from, to], 1.0, colour.alpha(1.0))
}

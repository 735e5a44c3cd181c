//! What stands around the data: gridlines, axes, ticks, names of axes and lanes.

use crate::layout::{Map, has_ticks, label, title_baseline};
use crate::pen::{Drawn, Pen, Point};
use crate::surface::Surface;
use crate::theme::{Rgb, Theme};
use crate::ticks::ticks;
use netspurt_core::figure::{Anchor, Column, Figure, Role, RowKind};

/// About how wide a character of a label is. Labels are not measured; those that might touch are
/// left out.
const CHARACTER: f64 = 6.0;
/// Left of the first column, where tick and lane labels end.
const LABEL_GAP: f64 = 8.0;

pub(crate) fn draw<S: Surface>(pen: &mut Pen<'_, S>, figure: &Figure, map: &Map, theme: &Theme) -> Drawn<S> {
    for (i, row) in figure.rows.iter().enumerate() {
        match &row.kind {
            RowKind::Scale(_) => scale_row(pen, figure, map, theme, i)?,
            RowKind::Lane { label, role } => lane_label(pen, map, theme, i, label, *role)?,
        }
    }
    for (i, column) in figure.columns.iter().enumerate() {
        if has_ticks(column) {
            foot(pen, column, map, theme, i)?;
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
    row: usize,
) -> Drawn<S> {
    let RowKind::Scale(axis) = &figure.rows[row].kind else { return Ok(()) };
    let up = &map.rows[row];
    let all = ticks(axis, usize::MAX);
    for (column, across) in figure.columns.iter().zip(&map.columns) {
        if column.axis.grid {
            for (v, _) in x_ticks(column, map.is_narrow()) {
                let x = pen.crisp(across.pixel(v));
                line(pen, (x, up.start), (x, up.end), theme.rule)?;
            }
        }
        if !has_ticks(column) {
            let x = pen.crisp(across.start);
            line(pen, (x, up.start), (x, up.end), theme.rule2)?;
            continue;
        }
        if axis.grid {
            for (v, _) in &all {
                let y = up.pixel(*v);
                if y < up.end - 0.5 {
                    let y = pen.crisp(y);
                    line(pen, (across.start, y), (across.end, y), theme.rule)?;
                }
            }
        }
        let y = pen.crisp(up.end);
        line(pen, (across.start, y), (across.end, y), theme.rule2)?;
    }
    let left = map.columns[0].start - LABEL_GAP;
    let mut last = f64::INFINITY;
    for (v, text) in &all {
        let y = up.pixel(*v);
        if (last - y).abs() >= 12.0 {
            pen.words(text, (left, y + 4.0), Anchor::End, theme.words(Role::Ink, false))?;
            last = y;
        }
    }
    let title = label(axis, map.is_narrow());
    pen.words(title, (0.0, title_baseline(figure, map, row)), Anchor::Start, theme.words(Role::Quiet, false))
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
    use netspurt_core::figure::Ticks;
    let most = match column.axis.ticks {
        Ticks::About(n) if narrow => n.div_ceil(2),
        _ => usize::MAX,
    };
    ticks(&column.axis, most)
}

/// The axis below the last row. Its name ends the line of labels; labels in its way are left out.
fn foot<S: Surface>(pen: &mut Pen<'_, S>, column: &Column, map: &Map, theme: &Theme, i: usize) -> Drawn<S> {
    let (across, narrow) = (&map.columns[i], map.is_narrow());
    let y = pen.crisp(map.axis);
    line(pen, (across.start, y), (across.end, y), theme.rule2)?;
    let name = label(&column.axis, narrow);
    let free = if name.is_empty() { f64::INFINITY } else { across.end - breadth(name) - 6.0 };
    let baseline = map.axis + 17.0;
    let mut end = f64::NEG_INFINITY;
    for (v, text) in x_ticks(column, narrow) {
        let x = across.pixel(v);
        let tick = pen.crisp(x);
        line(pen, (tick, map.axis), (tick, map.axis + 4.0), theme.rule2)?;
        let half = breadth(&text) / 2.0;
        if x - half > end + 6.0 && x + half < free {
            pen.words(&text, (x, baseline), Anchor::Middle, theme.words(Role::Ink, false))?;
            end = x + half;
        }
    }
    pen.words(name, (across.end, baseline), Anchor::End, theme.words(Role::Quiet, false))
}

fn breadth(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

fn line<S: Surface>(pen: &mut Pen<'_, S>, from: Point, to: Point, colour: Rgb) -> Drawn<S> {
    pen.path(&[from, to], 1.0, colour.alpha(1.0))
}

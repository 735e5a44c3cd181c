//! A small heat map, and beside it two costs against each other.

use crate::sample::{mark, points, word};
use netspurt_core::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Layer, Panel, Role, Row, RowKind, Shape, Ticks,
};

const SIDE: usize = 4;

pub(crate) fn figure() -> Figure {
    let ticks = |all: &[f64]| Ticks::At(all.iter().map(|v| (*v, v.to_string())).collect());
    let axis = |label: &str, range, ticks| Axis { ticks, ..Axis::new(label, range) };
    let lane = || Row {
        height: Extent::Px(12.0, 12.0),
        kind: RowKind::Lane { label: String::new(), role: Role::Quiet },
    };
    let costs = Axis { grid: true, ..Axis::new("spurious time, s", (0.0, 9.0)) };
    let square = axis("F2", (0.0, 4.0), ticks(&[0.5, 3.5]));
    Figure {
        columns: vec![
            Column {
                width: Extent::Share(1.0),
                gap: (46.0, 46.0),
                axis: axis("F1", (0.0, 4.0), ticks(&[0.5, 3.5])),
            },
            Column {
                width: Extent::Share(1.0),
                gap: (80.0, 46.0),
                axis: Axis::new("lost time, s", (3.0, 9.0)),
            },
        ],
        rows: vec![
            lane(),
            Row { height: Extent::Px(120.0, 100.0), kind: RowKind::Apart(vec![square, costs]) },
        ],
        panels: vec![ramp(), heat(), front()],
        alt: "Sixteen pairs, of which one is not known yet.".into(),
    }
}

fn ramp() -> Panel {
    let (x, values) = ([0.0, 0.5, 1.0, 1.5, 2.0], [0.0, 0.3, 0.6, 1.0]);
    Panel { column: 0, row: 0, marks: vec![cells(&x, &[0.0, 1.0], &values)] }
}

fn heat() -> Panel {
    let edges: Vec<f64> = (0..=SIDE).map(|i| i as f64).collect();
    let value = |i: usize| if i == 15 { f64::NAN } else { (i % SIDE) as f64 / 6.0 + (i / SIDE) as f64 / 6.0 };
    let values: Vec<f64> = (0..SIDE * SIDE).map(value).collect();
    let line = |x: &[f64], y: &[f64], dashed| {
        mark(Layer::Ground, Role::Ink, Shape::Contour { x: x.into(), y: y.into(), dashed })
    };
    let glyph = |x: f64, glyph| points(Layer::Front, Role::Ink, data(&[x]), data(&[2.5]), glyph);
    Panel {
        column: 0,
        row: 1,
        marks: vec![
            cells(&edges, &edges, &values),
            line(&[0.0, 4.0], &[0.0, 4.0], true),
            line(&[0.0, 1.0, f64::NAN, 2.0, 3.0, 9.0], &[1.0, 1.5, 0.0, 2.0, 2.5, 3.0], false),
            glyph(0.5, Glyph::Ring),
            glyph(1.5, Glyph::Frame),
            glyph(2.5, Glyph::Triangle),
            glyph(3.5, Glyph::Spot),
        ],
    }
}

fn front() -> Panel {
    let (x, y) = (data(&[4.0, 5.0, 7.0]), data(&[8.0, 4.0, 2.0]));
    let line = Shape::Line { x: x.clone(), y: y.clone(), step: false, strong: false, end: String::new() };
    Panel {
        column: 1,
        row: 1,
        marks: vec![
            points(Layer::Ground, Role::Data, data(&[5.0, 6.0]), data(&[5.0, 6.0]), Glyph::Dot),
            mark(Layer::Ground, Role::Ink, line),
            points(Layer::Ground, Role::Ink, x, y, Glyph::Spot),
            word("Pareto front", "", true, (5.2, 4.0), Anchor::Start),
        ],
    }
}

fn cells(x: &[f64], y: &[f64], values: &[f64]) -> netspurt_core::figure::Mark {
    let (x, y, values) = (data(x), data(y), data(values));
    mark(Layer::Ground, Role::Heat, Shape::Cells { x, y, values, range: (0.0, 1.0) })
}

fn data(values: &[f64]) -> Data {
    values.into()
}

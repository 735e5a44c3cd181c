//! The figure of the `adapt` cell: delays in steps, timeouts that follow, late packets below.
//!
//! ```text
//!  ms |      ~~~~/‾‾‾      ~~~~ A
//!     |____.´    ....‾\____
//!  A         ◇◇◇            ◇      3 a step up
//! ```

use super::{Bursts, Slot};
use crate::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Shape, Ticks,
};
use crate::trace::Trace;

pub(super) fn figure(bursts: &Bursts, trace: &Trace, slots: &[Slot<'_>], current: usize) -> Figure {
    let lanes = slots.iter().map(|s| Row {
        height: Extent::Px(17.0, 14.0),
        kind: RowKind::Lane { label: s.letter().to_string(), role: Role::Series(s.index) },
    });
    let scale = Row { height: Extent::Share(1.0), kind: RowKind::Scale(delays(bursts)) };
    let mut packets = Axis::new("packet", (1.0, trace.len().max(2) as f64));
    packets.ticks = Ticks::About(6);
    let mut words = Axis::new("", (0.0, 1.0));
    words.ticks = Ticks::None;
    let mut panels = vec![main(bursts, trace, slots, current)];
    for (i, slot) in slots.iter().enumerate() {
        panels.push(late(slot, 1 + i));
        panels.push(count(slot, 1 + i, slot.index == current));
    }
    Figure {
        columns: vec![
            Column { width: Extent::Share(1.0), gap: (40.0, 30.0), axis: packets },
            Column { width: Extent::Px(112.0, 44.0), gap: (30.0, 20.0), axis: words },
        ],
        rows: std::iter::once(scale).chain(lanes).collect(),
        panels,
        alt: alt(bursts, slots),
    }
}

/// Room for a timeout of twice the longer delay.
fn delays(bursts: &Bursts) -> Axis {
    let top = 2.4 * bursts.delay * bursts.step.max(1.0);
    let (unit, name) = if top >= 2000.0 { (1000.0, "s") } else { (1.0, "ms") };
    Axis { label_unit: unit, grid: true, ..Axis::new(&format!("delay, {name}"), (0.0, top)) }
}

/// Packets count from 1.
pub(super) fn numbers(n: usize) -> Data {
    (1..=n).map(|i| i as f64).collect()
}

fn main(bursts: &Bursts, trace: &Trace, slots: &[Slot<'_>], current: usize) -> Panel {
    let x = numbers(trace.len());
    let step = |burst: usize| {
        let at = (burst * bursts.size()) as f64 + 0.5;
        mark(Layer::Ground, Role::Quiet, Shape::Rule { at, along_y: false, dashed: true })
    };
    let mut marks: Vec<Mark> = (1..bursts.count()).map(step).collect();
    let dots = Shape::Points { x: x.clone(), y: trace.delays().clone(), glyph: Glyph::Dot };
    marks.push(mark(Layer::Ground, Role::Data, dots));
    // The current line last, over the others.
    let (on_top, below): (Vec<_>, Vec<_>) = slots.iter().partition(|s| s.index == current);
    for slot in below.into_iter().chain(on_top) {
        let line = Shape::Line {
            x: x.clone(),
            y: slot.timeouts.clone(),
            step: true,
            strong: slot.index == current,
            end: slot.letter().to_string(),
        };
        marks.push(mark(Layer::Front, Role::Series(slot.index), line));
    }
    Panel { column: 0, row: 0, marks }
}

fn late(slot: &Slot<'_>, row: usize) -> Panel {
    let late = slot.late.iter().enumerate().filter(|(_, l)| **l);
    let x: Data = late.map(|(i, _)| (i + 1) as f64).collect();
    let shape = Shape::Points { y: vec![0.0; x.len()].into(), x, glyph: Glyph::SmallDiamond };
    Panel { column: 0, row, marks: vec![mark(Layer::Front, Role::Series(slot.index), shape)] }
}

/// What a step up costs, beside the lane.
fn count(slot: &Slot<'_>, row: usize, strong: bool) -> Panel {
    let n = slot.rtx_up().map_or_else(|| "–".to_owned(), |n| format!("{n:.1}"));
    let text = format!("{n} a step up");
    let shape = Shape::Text { x: 0.0, y: 0.0, text, narrow: n, anchor: Anchor::Start, strong };
    Panel { column: 1, row, marks: vec![mark(Layer::Front, Role::Ink, shape)] }
}

fn mark(layer: Layer, role: Role, shape: Shape) -> Mark {
    Mark { layer, role, shape }
}

fn alt(bursts: &Bursts, slots: &[Slot<'_>]) -> String {
    let each: Vec<String> = slots
        .iter()
        .map(|s| {
            let rtx = s.rtx_up().map_or_else(|| "no".to_owned(), |n| format!("{n:.1}"));
            let settles = s.settles(true).map_or_else(
                || "does not settle within a burst".to_owned(),
                |n| format!("settles after {n:.1}"),
            );
            format!("estimator {} sends {rtx} again too soon and {settles}", s.letter())
        })
        .collect();
    format!(
        "Delays step between {} and {} ms every {} packets, with timeouts that follow: at a step up {}.",
        bursts.delay,
        bursts.delay * bursts.step,
        bursts.size(),
        each.join("; "),
    )
}

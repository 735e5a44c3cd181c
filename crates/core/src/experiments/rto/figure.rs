//! The figure of the `rto` cell: delays, timeouts, late packets, and a histogram on the same axis.
//!
//! ```text
//! lost   ×      ×                 3 lost
//!  6 |      .        ▔▔|          ▬
//!  2 |  ..~~..~~.~..~~~|  A       ▬▬▬▬▬
//! A      ◇   ◇◇                   21 spurious
//! ```

use super::Slot;
use crate::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Scale, Shape,
    Ticks, sane,
};
use crate::stats::histogram::Histogram;
use crate::trace::{Clock, Outcome, Trace};

/// Bins of the histogram at most.
const BINS: usize = 40;

pub(super) fn figure(trace: &Trace, slots: &[Slot<'_>], current: usize) -> Figure {
    let delays = Delays::of(trace, slots);
    let rows = rows(trace, &delays, slots);
    let side = rows.len(); // panels of the side column follow those of the main one
    let mut panels = Vec::with_capacity(2 * side);
    panels.push(lost_lane(trace));
    panels.push(main(trace, slots, current));
    panels.extend(slots.iter().enumerate().map(|(i, s)| late_lane(trace, s, 2 + i)));
    panels.push(Panel {
        column: 1,
        row: 0,
        marks: vec![word(format!("{} lost", trace.count(Outcome::Lost)), "", false)],
    });
    panels.push(histogram(trace, &delays));
    panels.extend(slots.iter().enumerate().map(|(i, s)| {
        let n = s.summary.rtx;
        let marks = vec![word(format!("{n} spurious"), &n.to_string(), s.index == current)];
        Panel { column: 1, row: 2 + i, marks }
    }));
    Figure { columns: columns(trace, &delays), rows, panels, alt: alt(trace, slots) }
}

/// What the delay axis needs to know.
struct Delays {
    /// The top of the axis, ms.
    top: f64,
    /// Milliseconds in a labelled unit, and its name.
    unit: (f64, &'static str),
    histogram: Histogram,
}

impl Delays {
    fn of(trace: &Trace, slots: &[Slot<'_>]) -> Self {
        // Room for the timeouts: they lie above the longest delay where delays vary, at twice the mean
        // where they do not. It depends on the trace alone, so that the axis stands still while a
        // slider moves.
        let top = trace.moments().map(|m| (1.25 * m.max).max(2.5 * m.mean)).filter(|top| *top > 0.0);
        // Without a delay the timeouts are all there is.
        let longest = || slots.iter().flat_map(|s| s.timeouts.iter().copied()).fold(0.0, f64::max);
        let top = top.unwrap_or_else(|| 1.25 * longest());
        let top = sane((0.0, if top > 0.0 { top } else { 1.0 })).1;
        let unit = if top >= 2000.0 { (1000.0, "s") } else { (1.0, "ms") };
        Self { top, unit, histogram: Histogram::from_zero(trace.timed(), top, BINS) }
    }
}

/// Milliseconds in a labelled unit of elapsed time, and its name.
pub(in crate::experiments) fn time_unit(trace: &Trace) -> (f64, &'static str) {
    let span = trace.sent().last().copied().unwrap_or(0.0);
    match span {
        s if s < 5000.0 => (1.0, "ms"),
        s if s < 7.2e6 => (1000.0, "s"),
        s if s < 1.8e8 => (3.6e6, "h"),
        _ => (8.64e7, "days"),
    }
}

fn columns(trace: &Trace, delays: &Delays) -> Vec<Column> {
    let sent = trace.sent();
    let first = sent.iter().copied().fold(f64::INFINITY, f64::min);
    let last = sent.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut time = Axis::new("packet", (first, last));
    time.ticks = Ticks::About(6);
    if trace.clock == Clock::Elapsed {
        let (unit, name) = time_unit(trace);
        time.label = format!("elapsed time, {name}");
        name.clone_into(&mut time.short_label);
        time.label_unit = unit;
    }
    let most = delays.histogram.counts.iter().copied().max().unwrap_or(0).max(1);
    let (unit, name) = delays.unit;
    let mut count =
        Axis::new(&format!("packets per {} {name}", delays.histogram.width / unit), (0.0, most as f64));
    count.short_label = String::new();
    count.ticks = Ticks::None;
    vec![
        Column { width: Extent::Share(1.0), gap: (40.0, 30.0), axis: time },
        Column { width: Extent::Px(112.0, 44.0), gap: (30.0, 20.0), axis: count },
    ]
}

fn rows(trace: &Trace, delays: &Delays, slots: &[Slot<'_>]) -> Vec<Row> {
    let (unit, name) = delays.unit;
    let axis = Axis {
        label: format!("{}, {name}", trace.measure.label()),
        short_label: format!("{}, {name}", trace.measure.label()),
        scale: Scale::Linear,
        range: (0.0, delays.top),
        label_unit: unit,
        ticks: Ticks::About(4),
        grid: true,
    };
    let lane =
        |label: String, role| Row { height: Extent::Px(17.0, 14.0), kind: RowKind::Lane { label, role } };
    let mut rows = vec![
        lane("lost".to_owned(), Role::Ink),
        Row { height: Extent::Share(1.0), kind: RowKind::Scale(axis) },
    ];
    rows.extend(slots.iter().map(|s| lane(s.letter().to_string(), Role::Series(s.index))));
    rows
}

fn main(trace: &Trace, slots: &[Slot<'_>], current: usize) -> Panel {
    let (x, y) = trace.points();
    let mut marks = vec![Mark {
        layer: Layer::Ground,
        role: Role::Data,
        shape: Shape::Points { x, y, glyph: Glyph::Dot },
    }];
    // The current line last, over the others.
    let (on_top, below): (Vec<_>, Vec<_>) = slots.iter().partition(|s| s.index == current);
    for slot in below.into_iter().chain(on_top.iter().copied()) {
        marks.push(Mark {
            layer: Layer::Front,
            role: Role::Series(slot.index),
            shape: Shape::Line {
                x: trace.sent().clone(),
                y: slot.timeouts.clone(),
                step: true,
                strong: slot.index == current,
                end: slot.letter().to_string(),
            },
        });
    }
    for slot in on_top {
        let at = late(slot);
        marks.push(Mark {
            layer: Layer::Front,
            role: Role::Series(slot.index),
            shape: Shape::Points {
                x: at.iter().map(|&i| trace.sent()[i]).collect(),
                y: at.iter().map(|&i| trace.delays()[i]).collect(),
                glyph: Glyph::Diamond,
            },
        });
    }
    Panel { column: 0, row: 1, marks }
}

fn lost_lane(trace: &Trace) -> Panel {
    let lost = |i: &usize| trace.outcomes()[*i] == Outcome::Lost;
    let x: Data = (0..trace.len()).filter(lost).map(|i| trace.sent()[i]).collect();
    let mark = |shape| Mark { layer: Layer::Ground, role: Role::Alarm, shape };
    let crosses = Shape::Points { y: vec![0.0; x.len()].into(), x: x.clone(), glyph: Glyph::Cross };
    Panel { column: 0, row: 0, marks: vec![mark(Shape::Drops { x }), mark(crosses)] }
}

fn late_lane(trace: &Trace, slot: &Slot<'_>, row: usize) -> Panel {
    let x: Data = late(slot).iter().map(|&i| trace.sent()[i]).collect();
    let shape = Shape::Points { y: vec![0.0; x.len()].into(), x, glyph: Glyph::SmallDiamond };
    Panel { column: 0, row, marks: vec![Mark { layer: Layer::Front, role: Role::Series(slot.index), shape }] }
}

fn late(slot: &Slot<'_>) -> Vec<usize> {
    slot.kinds.iter().enumerate().filter(|(_, k)| k.is_rtx()).map(|(i, _)| i).collect()
}

fn histogram(trace: &Trace, delays: &Delays) -> Panel {
    let h = &delays.histogram;
    let ground = |role, shape| Mark { layer: Layer::Ground, role, shape };
    let bars = Shape::Bars {
        edges: h.edges().collect(),
        lengths: h.counts.iter().map(|&c| c as f64).collect(),
        along_y: true,
    };
    let mut marks = vec![ground(Role::Data, bars)];
    if let Some(m) = trace.moments() {
        marks.push(ground(Role::Ink, Shape::Rule { at: m.mean, along_y: true, dashed: false }));
        let most = h.counts.iter().copied().max().unwrap_or(0).max(1) as f64;
        // Above the bars around the mean, where there is room.
        let tall = h.counts.iter().rposition(|&c| c as f64 > 0.3 * most).unwrap_or(0);
        let (unit, name) = delays.unit;
        marks.push(ground(
            Role::Ink,
            Shape::Text {
                x: most,
                y: (h.start + (tall as f64 + 2.2) * h.width).max(m.mean + 1.5 * h.width),
                text: format!("mean {} {name}", short(m.mean / unit)),
                narrow: String::new(),
                anchor: Anchor::End,
                strong: true,
            },
        ));
    }
    Panel { column: 1, row: 1, marks }
}

fn word(text: String, narrow: &str, strong: bool) -> Mark {
    let shape =
        Shape::Text { x: 0.0, y: 0.0, text, narrow: narrow.to_owned(), anchor: Anchor::Start, strong };
    Mark { layer: Layer::Front, role: Role::Ink, shape }
}

fn short(v: f64) -> String {
    match v {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

fn alt(trace: &Trace, slots: &[Slot<'_>]) -> String {
    let lost = trace.count(Outcome::Lost);
    let late: Vec<String> =
        slots.iter().map(|s| format!("estimator {} {}", s.letter(), s.summary.rtx)).collect();
    let lost = if lost == 1 { "1 was lost".to_owned() } else { format!("{lost} were lost") };
    format!(
        "{} of {} packets against time, with how long each estimator would wait: {lost}; late and so sent again too soon: {}.",
        capital(trace.measure.label()),
        trace.len(),
        late.join(", ")
    )
}

fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

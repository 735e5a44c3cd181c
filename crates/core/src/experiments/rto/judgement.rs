//! The judgement of an `rto` cell: what each timeout is worth, and its curve between sending again
//! too soon and waiting too long (Allman and Paxson 1999).

use super::Slot;
use super::readout::three_figures;
use crate::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Scale, Shape,
};
use crate::report::{Frame, FrameColumn, Heading, Picks, Table, TableRow, Values};
use crate::rto::Options;
use crate::rto::judge::{Judgement, judge};
use crate::rto::pareto::{Curve, Point, curve, point};
use crate::rto::slot::describe;
use crate::trace::Trace;

/// One slot, judged.
pub(super) struct Judged<'a> {
    slot: &'a Slot<'a>,
    of: Judgement,
    curve: Curve,
    /// Where the slot's own setting stands. `None` without replies.
    own: Option<Point>,
}

pub(super) fn judged<'a>(trace: &Trace, slots: &'a [Slot<'a>], options: &Options) -> Vec<Judged<'a>> {
    let each = slots.iter().map(|slot| Judged {
        slot,
        of: judge(slot.rule, trace, options),
        curve: curve(slot.rule, trace, options),
        own: point(slot.rule, None, trace, options),
    });
    each.collect()
}

const COLUMNS: [(&str, &str); 9] = [
    ("Spurious", "% of replies"),
    ("95 % interval", "%"),
    ("Wait, mean", "ms"),
    ("half under", "ms"),
    ("95 % under", "ms"),
    ("99 % under", "ms"),
    ("at losses", "ms"),
    ("Wait / delay", "geometric"),
    ("Behind best fixed", "points"),
];

pub(super) fn table(judged: &[Judged<'_>]) -> Table {
    let rows = judged.iter().map(|j| {
        let text = |v: Option<f64>| v.map_or_else(|| "–".to_owned(), three_figures);
        let wait = |pick: fn(&crate::rto::judge::Wait) -> f64| text(j.of.wait.as_ref().map(pick));
        let interval =
            j.of.spurious
                .map(|p| format!("{} to {}", three_figures(100.0 * p.low), three_figures(100.0 * p.high)));
        TableRow {
            head: describe(j.slot.rule).to_string(),
            role: Role::Series(j.slot.index),
            cells: vec![
                text(j.of.spurious.map(|p| 100.0 * p.rate)),
                interval.unwrap_or_else(|| "–".to_owned()),
                wait(|w| w.mean),
                wait(|w| w.p50),
                wait(|w| w.p95),
                wait(|w| w.p99),
                text(j.of.wait_lost.map(|w| w.mean)),
                text(j.of.ratio),
                j.of.regret.map_or_else(|| "–".to_owned(), |r| format!("{r:.1}")),
            ],
        }
    });
    Table {
        caption: "What each timeout is worth".to_owned(),
        head: "Estimator".to_owned(),
        columns: COLUMNS.map(|(title, unit)| Heading::new(title, unit)).to_vec(),
        rows: rows.collect(),
    }
}

/// Every figure of every slot, for the digest.
pub(super) fn numbers(judged: &[Judged<'_>]) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    for j in judged {
        let letter = j.slot.letter().to_ascii_lowercase();
        let wait = j.of.wait.map_or([f64::NAN; 4], |w| [w.mean, w.p50, w.p95, w.p99]);
        for (name, v) in [
            ("wait", wait[0]),
            ("wait.p50", wait[1]),
            ("wait.p95", wait[2]),
            ("wait.p99", wait[3]),
            ("wait.lost", j.of.wait_lost.map_or(f64::NAN, |w| w.mean)),
            ("ratio", j.of.ratio.unwrap_or(f64::NAN)),
            ("regret", j.of.regret.unwrap_or(f64::NAN)),
        ] {
            all.push((format!("{letter}.{name}"), v));
        }
        for (i, p) in j.curve.points.iter().enumerate() {
            all.push((format!("{letter}.curve.{i}.spurious"), p.spurious));
            all.push((format!("{letter}.curve.{i}.wait"), p.wait));
        }
    }
    all
}

/// Percent of replies sent again against mean wait over mean delay, a curve a slot.
pub(super) fn figure(judged: &[Judged<'_>], current: usize) -> Figure {
    let points = || judged.iter().flat_map(|j| j.curve.points.iter().chain(&j.own));
    if points().all(|p| p.wait <= 0.0) {
        return Figure { alt: "Without a delay, waiting cannot be weighed.".to_owned(), ..Figure::default() };
    }
    // A knob at its lowest may wait nothing at all, which has no place on the axis.
    let waits = || points().map(|p| p.wait).filter(|w| *w > 0.0);
    let least = waits().fold(f64::INFINITY, f64::min);
    let most = waits().fold(0.0, f64::max);
    let top = points().map(|p| 100.0 * p.spurious).fold(0.0, f64::max);
    let mut x = Axis::new("mean wait over mean delay", (least / 1.1, most * 1.1));
    x.scale = Scale::Log10;
    "wait / delay".clone_into(&mut x.short_label);
    let mut y =
        Axis::new("sent again too soon, % of replies", (0.0, if top > 0.0 { 1.05 * top } else { 1.0 }));
    y.grid = true;
    // The current curve last, over the others.
    let mut order: Vec<&Judged<'_>> = judged.iter().collect();
    order.sort_by_key(|j| j.slot.index == current);
    let mut marks = Vec::new();
    for j in order {
        let strong = j.slot.index == current;
        let mark = |shape| Mark { layer: Layer::Ground, role: Role::Series(j.slot.index), shape };
        let mut curve: Vec<Point> = j.curve.points.iter().copied().filter(|p| p.wait > 0.0).collect();
        curve.sort_by(|a, b| a.wait.total_cmp(&b.wait));
        let (x, y) = columns(&curve);
        marks.push(mark(Shape::Points { x: x.clone(), y: y.clone(), glyph: Glyph::Dot }));
        marks.push(mark(Shape::Line { x, y, step: false, strong, end: String::new() }));
        if let Some(own) = j.own {
            let (x, y) = columns(&[own]);
            marks.push(mark(Shape::Points { x, y, glyph: Glyph::Diamond }));
        }
    }
    marks.extend(letters(judged, top, libm::log(most / least)));
    Figure {
        columns: vec![Column { width: Extent::Share(1.0), gap: (40.0, 30.0), axis: x }],
        rows: vec![Row { height: Extent::Share(1.2), kind: RowKind::Scale(y) }],
        panels: vec![Panel { column: 0, row: 0, marks }],
        alt: alt(judged),
    }
}

/// The letters beside their diamonds; where settings all but meet, their letters stand together. `top` is
/// the highest rate in percent, `span` the logarithm of the widest ratio of waits.
fn letters(judged: &[Judged<'_>], top: f64, span: f64) -> Vec<Mark> {
    let mut groups: Vec<(Point, Role, String)> = Vec::new();
    for j in judged {
        let Some(own) = j.own.filter(|p| p.wait > 0.0) else { continue };
        let meets = |p: &Point| {
            (100.0 * (p.spurious - own.spurious)).abs() <= 0.05 * top
                && libm::log(p.wait / own.wait).abs() <= 0.04 * span
        };
        match groups.iter_mut().find(|g| meets(&g.0)) {
            Some((_, role, text)) => {
                *text = format!("{text} {}", j.slot.letter());
                *role = Role::Ink;
            }
            None => groups.push((own, Role::Series(j.slot.index), j.slot.letter().to_string())),
        }
    }
    let mark = |(p, role, text): (Point, Role, String)| {
        // A space, so that it clears the diamond.
        let text = format!("\u{2002}{text}");
        let narrow = text.clone();
        let shape = Shape::Text {
            x: p.wait,
            y: 100.0 * p.spurious,
            text,
            narrow,
            anchor: Anchor::Start,
            strong: true,
        };
        Mark { layer: Layer::Ground, role, shape }
    };
    groups.into_iter().map(mark).collect()
}

fn columns(points: &[Point]) -> (Data, Data) {
    (points.iter().map(|p| p.wait).collect(), points.iter().map(|p| 100.0 * p.spurious).collect())
}

fn alt(judged: &[Judged<'_>]) -> String {
    let each: Vec<String> = judged
        .iter()
        .filter_map(|j| {
            let own = j.own?;
            Some(format!(
                "{} sends {} % of the replies again too soon and waits {} times the mean delay",
                j.slot.letter(),
                three_figures(100.0 * own.spurious),
                three_figures(own.wait)
            ))
        })
        .collect();
    format!(
        "As its own knob moves, each estimator trades packets sent again too soon for time waited. {}.",
        each.join("; ")
    )
}

/// Every point of every curve; then where the settings stand.
pub(super) fn frame(judged: &[Judged<'_>]) -> (Frame, Picks) {
    const LETTERS: &[&str] = &["A", "B", "C", "D"];
    let mut slots = Vec::new();
    let (mut knob, mut wait, mut spurious) = (Vec::new(), Vec::new(), Vec::new());
    for j in judged {
        for p in j.curve.points.iter().chain(&j.own) {
            slots.push(u8::try_from(j.slot.index).unwrap_or(0));
            knob.push(p.value.unwrap_or(f64::NAN));
            wait.push(p.wait);
            spurious.push(100.0 * p.spurious);
        }
    }
    let rows = slots.len();
    let (x, y): (Data, Data) = (wait.into(), spurious.into());
    let column = |title: &str, unit, values| FrameColumn::new(title, unit, values);
    let frame = Frame {
        columns: vec![
            column("estimator", "", Values::words(LETTERS, slots.into())),
            column("knob", "", Values::Numbers(knob.into())),
            column("wait over delay", "", Values::Numbers(x.clone())),
            column("spurious", "%", Values::Numbers(y.clone())),
        ],
        rows,
    };
    (frame, Picks::Points { column: 0, row: 0, x, y })
}

/// What the knobs are, for the words below the figure.
pub(super) fn remark(judged: &[Judged<'_>]) -> String {
    if judged.iter().all(|j| j.own.is_none()) {
        return "No reply came, so that sending again too soon cannot be weighed against waiting too long."
            .to_owned();
    }
    let knobs: Vec<String> = judged
        .iter()
        .map(|j| match j.curve.knob {
            Some(name) => format!("{} moves {name}", j.slot.letter()),
            None => format!("{} has no knob", j.slot.letter()),
        })
        .collect();
    format!("Along its curve {}. The diamond is the setting beside.", knobs.join(", "))
}

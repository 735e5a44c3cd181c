//! Figures of the `delay` cell: delays with their lines, and below them what the lines leave.
//!
//! ```text
//! ms  |       .  :  | ~~~~     one line, the knee, the other
//!     | . :~~~~~~   |
//! ms  | ...:.:...:.:.|.:..     residuals on the same lengths, or on the same time
//!     |--------------------
//!      40   octets        256
//! ```

use super::Fitted;
use super::readout::{bps, ms};
use crate::delay::{Segment, knee};
use crate::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Shape, Ticks,
    sane,
};
use crate::report::{Sample, Words};
use crate::rto::printed::Segment as Printed;
use crate::stats::quantile;
use crate::trace::Clock;

/// Lengths worth a tick where lines were printed for 40, 125 and 256 octets.
const OF_1983: [u32; 6] = [40, 80, 125, 160, 200, 256];

pub(super) fn against_length(f: &Fitted<'_>) -> Figure {
    let octets: Data = f.points.octets.clone().into();
    let mut axis = Axis::new("packet length, octets", lengths(f));
    "octets".clone_into(&mut axis.short_label);
    axis.ticks = ticks(f, axis.range);
    let mut above = vec![dots(&octets, &f.points.delays)];
    above.extend(f.lines.segments.iter().enumerate().map(|(i, s)| line(i, s)));
    above.extend(rates(f));
    above.extend(printed(f));
    let mut below = vec![ground(Role::Data, points(&octets, f.residuals)), level()];
    if let Some(at) = f.lines.knee {
        above.extend(parting(f, f64::from(at), top(f)));
        below.push(rule(f64::from(at) + 0.5, Role::Ink));
    }
    figure(f, axis, above, below)
}

fn ticks(f: &Fitted<'_>, (from, to): (f64, f64)) -> Ticks {
    let at = |lengths: &mut dyn Iterator<Item = u32>| {
        Ticks::At(lengths.map(|l| (f64::from(l), l.to_string())).collect())
    };
    let mut of_1983 = OF_1983.into_iter().filter(|l| from <= f64::from(*l) && f64::from(*l) <= to);
    if f.printed.is_some() && of_1983.clone().count() > 2 {
        at(&mut of_1983)
    } else if to - from < 6.0 {
        // Between whole octets there is nothing.
        at(&mut (from.ceil() as u32..=to as u32))
    } else {
        Ticks::About(6)
    }
}

pub(super) fn against_time(f: &Fitted<'_>) -> Figure {
    let trace = f.trace;
    // Without lengths every delay is shown.
    let (x, y, residuals) = if f.points.is_empty() {
        let (x, y) = trace.points();
        (x, y, Data::from([]))
    } else {
        let sent: Data = f.points.records.iter().map(|&i| trace.sent()[i as usize]).collect();
        (sent, f.points.delays.clone().into(), f.residuals.clone())
    };
    let ends =
        |v: &[f64]| v.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
    let mut axis = Axis::new("packet", ends(&x));
    axis.ticks = Ticks::About(6);
    if trace.clock == Clock::Elapsed {
        let (unit, name) = super::super::rto::time_unit(trace);
        axis.label = format!("elapsed time, {name}");
        name.clone_into(&mut axis.short_label);
        axis.label_unit = unit;
    }
    let above = vec![dots(&x, &y)];
    let below = if residuals.is_empty() {
        Vec::new()
    } else {
        vec![ground(Role::Data, points(&x, &residuals)), level()]
    };
    figure(f, axis, above, below)
}

/// What the squares are, where one is seen.
pub(super) fn legend(f: &Fitted<'_>) -> Option<(Sample, Words)> {
    let (from, to) = lengths(f);
    let within =
        |s: &Printed| (from <= s.octets.0 && s.octets.0 <= to) || (from <= s.octets.1 && s.octets.1 <= to);
    let seen = f.printed.is_some_and(|p| crate::delay::printed::segments(p).any(within));
    seen.then(|| (Sample::Glyph(Role::Printed, Glyph::Square), "printed end of a fitted line".into()))
}

/// That delays lie above the top of the figure.
pub(super) fn beyond(f: &Fitted<'_>) -> Option<String> {
    let top = top(f);
    let (n, most) = delays(f).filter(|d| *d > top).fold((0, 0.0_f64), |(n, most), d| (n + 1, most.max(d)));
    let lie = if n == 1 { "delay lies" } else { "delays lie" };
    (n > 0).then(|| format!("{n} {lie} above the figure, the greatest at {} ms.", ms(most)))
}

/// The delays that are shown: without lengths all.
fn delays(f: &Fitted<'_>) -> impl Iterator<Item = f64> {
    f.points.delays.iter().copied().chain(f.trace.timed().filter(|_| f.points.is_empty()))
}

/// One panel over the other; the lower one only if there is something in it.
fn figure(f: &Fitted<'_>, axis: Axis, above: Vec<Mark>, below: Vec<Mark>) -> Figure {
    let label = f.trace.measure.label();
    let mut rows = vec![scale(&format!("{label}, ms"), (0.0, top(f)), 1.4)];
    let mut panels = vec![Panel { column: 0, row: 0, marks: above }];
    if !below.is_empty() {
        rows.push(scale("delay less line, ms", residual_range(f.residuals), 0.6));
        panels.push(Panel { column: 0, row: 1, marks: below });
    }
    let columns = vec![Column { width: Extent::Share(1.0), gap: (40.0, 30.0), axis }];
    Figure { columns, rows, panels, alt: alt(f) }
}

pub(super) fn scale(label: &str, range: (f64, f64), share: f64) -> Row {
    let mut axis = Axis::new(label, range);
    axis.grid = true;
    Row { height: Extent::Share(share), kind: RowKind::Scale(axis) }
}

fn lengths(f: &Fitted<'_>) -> (f64, f64) {
    let of = |s: Option<&Segment>, end: fn(&Segment) -> u32| s.map_or(0.0, |s| f64::from(end(s)));
    let (from, to) =
        (of(f.lines.segments.first(), |s| s.octets.0), of(f.lines.segments.last(), |s| s.octets.1));
    let room = (0.03 * (to - from)).max(1.0);
    (from - room, to + room)
}

/// The top of the delay axis: the greatest delay, but no more than three times the 0.98-quantile, so
/// that one spasm does not press all else flat.
fn top(f: &Fitted<'_>) -> f64 {
    let most = delays(f).fold(0.0, f64::max);
    let usual = quantile::of(delays(f), 0.98).unwrap_or(most);
    let top = (1.05 * most).min(3.0 * usual);
    sane((0.0, if top > 0.0 { top } else { 1.0 })).1
}

fn residual_range(residuals: &[f64]) -> (f64, f64) {
    let at = |p| quantile::of(residuals.iter().copied(), p).unwrap_or(0.0);
    let least = residuals.iter().copied().fold(0.0, f64::min);
    let most = residuals.iter().copied().fold(0.0, f64::max);
    let room = 0.05 * (at(0.98) - at(0.02));
    (least.max(3.0 * at(0.02)) - room, most.min(3.0 * at(0.98)) + room)
}

pub(super) fn ground(role: Role, shape: Shape) -> Mark {
    Mark { layer: Layer::Ground, role, shape }
}

pub(super) fn front(role: Role, shape: Shape) -> Mark {
    Mark { layer: Layer::Front, role, shape }
}

fn points(x: &Data, y: &Data) -> Shape {
    Shape::Points { x: x.clone(), y: y.clone(), glyph: Glyph::Dot }
}

fn dots(x: &Data, y: &[f64]) -> Mark {
    ground(Role::Data, points(x, &y.into()))
}

fn level() -> Mark {
    front(Role::Ink, Shape::Rule { at: 0.0, along_y: true, dashed: false })
}

fn rule(at: f64, role: Role) -> Mark {
    front(role, Shape::Rule { at, along_y: false, dashed: true })
}

/// A segment, from end to end. Without a line it is a thin one at the mean, and at one length a disc.
fn line(i: usize, s: &Segment) -> Mark {
    if s.octets.0 == s.octets.1 {
        let (x, y) = (vec![f64::from(s.octets.0)].into(), vec![s.mean].into());
        return front(Role::Series(i), Shape::Points { x, y, glyph: Glyph::Disc });
    }
    let x = [f64::from(s.octets.0), f64::from(s.octets.1)];
    let y = x.map(|l| s.at(l));
    front(
        Role::Series(i),
        Shape::Line {
            x: x.to_vec().into(),
            y: y.to_vec().into(),
            step: false,
            strong: s.line.is_some(),
            end: String::new(),
        },
    )
}

/// Each line's rate, written over its middle.
fn rates(f: &Fitted<'_>) -> Vec<Mark> {
    let lift = 0.09 * top(f);
    let of = |(i, s): (usize, &Segment)| {
        let middle = f64::midpoint(f64::from(s.octets.0), f64::from(s.octets.1));
        let text = format!("{} bit/s", bps(s.rate()?));
        Some(front(
            Role::Series(i),
            Shape::Text {
                x: middle,
                y: s.at(middle) + lift,
                narrow: text.clone(),
                text,
                anchor: Anchor::Middle,
                strong: true,
            },
        ))
    };
    f.lines.segments.iter().enumerate().filter_map(of).collect()
}

/// The knee with its interval, and what lies on either side of it.
fn parting(f: &Fitted<'_>, at: f64, top: f64) -> Vec<Mark> {
    let mut marks = vec![rule(at + 0.5, Role::Ink)];
    if let Some((from, to)) = f.lines.knee_interval.filter(|(from, to)| from < to) {
        marks.extend([rule(f64::from(from) + 0.5, Role::Quiet), rule(f64::from(to) + 0.5, Role::Quiet)]);
    }
    let word = |text: &str, x, anchor| {
        front(
            Role::Quiet,
            Shape::Text {
                x,
                y: 0.95 * top,
                text: text.to_owned(),
                narrow: String::new(),
                anchor,
                strong: false,
            },
        )
    };
    if f.arpanet && f.lines.knee == Some(knee::ARPANET) {
        marks.push(word("one packet", at - 2.0, Anchor::End));
        marks.push(word("several packets", at + 3.0, Anchor::Start));
    } else {
        marks.push(word(&format!("after {at} octets"), at + 3.0, Anchor::Start));
    }
    marks
}

/// The ends of the printed lines, with their delays.
fn printed(f: &Fitted<'_>) -> Vec<Mark> {
    let Some(printed) = f.printed else { return Vec::new() };
    let mut marks = Vec::new();
    let (from, to) = lengths(f);
    let aside = 0.012 * (to - from);
    for s in crate::delay::printed::segments(printed) {
        let (x, y) = ([s.octets.0, s.octets.1], [s.delay_ms.0, s.delay_ms.1]);
        marks.push(front(
            Role::Printed,
            Shape::Points { x: x.to_vec().into(), y: y.to_vec().into(), glyph: Glyph::Square },
        ));
        for (x, y) in x.into_iter().zip(y) {
            let begins = x == s.octets.0;
            marks.push(front(
                Role::Printed,
                Shape::Text {
                    x: if begins { x + aside } else { x - aside },
                    y: y - 0.07 * top(f),
                    text: y.to_string(),
                    narrow: String::new(),
                    anchor: if begins { Anchor::Start } else { Anchor::End },
                    strong: false,
                },
            ));
        }
    }
    marks
}

fn alt(f: &Fitted<'_>) -> String {
    let words: Vec<String> = f
        .lines
        .segments
        .iter()
        .map(|s| match s.rate() {
            Some(rate) => format!(
                "from {} to {} octets it rises from {} to {} ms, {} bits per second",
                s.octets.0,
                s.octets.1,
                ms(s.at(f64::from(s.octets.0))),
                ms(s.at(f64::from(s.octets.1))),
                bps(rate)
            ),
            None => format!("from {} to {} octets it has no finite rate", s.octets.0, s.octets.1),
        })
        .collect();
    let n = if f.points.is_empty() { f.trace.moments().map_or(0, |m| m.n) } else { f.points.len() };
    match &words[..] {
        [] => format!("Delays of {n} packets against time; no packet has a length."),
        _ => format!("Delay against length for {n} packets: {}.", words.join("; ")),
    }
}

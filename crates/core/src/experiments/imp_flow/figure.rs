//! The figure of the `imp-flow` cell: round trip, throughput and messages in flight against time.
//!
//! ```text
//!          one message overtakes
//! ms   500 |     |:______________:     about 500 msec     - - - the trap, by formula
//!      100 |.....|:              :
//! kbs   30 |‾‾‾‾‾|: everything is :    more than 30 kbs
//!        8 |     |:  sent twice  _:    less than 8 kbs
//! in flight|~~~~~~~~~~~~~~~~~~~~~
//! ```
//!
//! The trapped span is shaded; what RFC 632 printed stands at the right.

use super::three;
use super::trap::{Disturbed, disturbed, trapped};
use crate::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Shape, Ticks,
};
use crate::imp::network::{ClosedForm, Row as Message, Run, Scenario, Window};

pub(super) fn figure(scenario: &Scenario, window: Window, run: &Run, form: Option<ClosedForm>) -> Figure {
    let duration = scenario.setup.duration;
    let seconds = duration >= 5000.0;
    let mut time = Axis::new(if seconds { "time, s" } else { "time, ms" }, (0.0, duration));
    time.label_unit = if seconds { 1000.0 } else { 1.0 };
    time.ticks = Ticks::About(6);
    let rtts = Rtts::of(run);
    let throughput = throughput(scenario, run);
    let flight = in_flight(run, duration);
    let spans = trapped(scenario, run);
    // Where nothing is trapped there is nothing to compare the formula with.
    let trap = form
        .filter(|_| !spans.is_empty())
        .map(|f| (f.trapped_rtt, f.trapped_throughput_kbs, f.trapped_rtt / f.cycle));
    let top = |most: f64, formula: Option<f64>| 1.3 * formula.unwrap_or(0.0).max(most).max(1e-3);
    let most = |of: &[f64]| of.iter().copied().fold(0.0, f64::max);
    let panels = [
        (rtts.marks(), "round trip, ms", most(&rtts.all), trap.map(|t| t.0)),
        (vec![line(&throughput.0, &throughput.1)], "throughput, kbs", most(&throughput.1), trap.map(|t| t.1)),
        (vec![line(&flight.0, &flight.1)], "in flight", most(&flight.1), trap.map(|t| t.2)),
    ];
    let words = Axis { ticks: Ticks::None, ..Axis::new("", (0.0, 1.0)) };
    let mut figure = Figure {
        columns: vec![
            Column { width: Extent::Share(1.0), gap: (44.0, 32.0), axis: time },
            Column { width: Extent::Px(184.0, 0.0), gap: (0.0, 8.0), axis: words },
        ],
        alt: alt(scenario, window, run),
        ..Figure::default()
    };
    for (row, (data, label, most, formula)) in panels.into_iter().enumerate() {
        let top = top(most, formula);
        let mut marks: Vec<Mark> = spans.iter().map(|s| shaded(*s)).collect();
        marks.extend(data);
        marks.extend(PRINTED[row].iter().filter(|(at, _)| *at < top).flat_map(|p| as_printed(*p, duration)));
        marks.extend(formula.into_iter().flat_map(|at| by_formula(at, duration, row == 0)));
        let events = disturbed(scenario, run);
        marks.extend(events.iter().map(|e| Mark {
            layer: Layer::Ground,
            role: Role::Alarm,
            shape: Shape::Rule { at: e.at, along_y: false, dashed: false },
        }));
        match row {
            0 => marks.extend(named(&events, duration, 0.93 * top)),
            1 => marks.extend(spans.iter().filter_map(|s| told(*s, duration, 0.5 * top))),
            _ => {}
        }
        let axis = Axis { grid: true, ..Axis::new(label, (0.0, top)) };
        figure.rows.push(Row {
            height: Extent::Share(if row == 0 { 2.0 } else { 1.0 }),
            kind: RowKind::Scale(axis),
        });
        figure.panels.push(Panel { column: 0, row, marks });
    }
    figure
}

/// What RFC 632 says on page 1 of round trip, throughput and messages in flight: expected, then
/// observed.
const PRINTED: [[(f64, &str); 2]; 3] = [
    [(100.0, "not more than 100 msec"), (500.0, "about 500 msec")],
    [(30.0, "more than 30 kbs"), (8.0, "less than 8 kbs")],
    [(3.0, "3"), (3.5, "3.5")],
];

fn as_printed((at, words): (f64, &str), duration: f64) -> [Mark; 2] {
    let rule = Shape::Rule { at, along_y: true, dashed: true };
    let text = Shape::Text {
        x: 1.01 * duration,
        y: at,
        text: words.to_owned(),
        narrow: String::new(),
        anchor: Anchor::Start,
        strong: false,
    };
    [rule, text].map(|shape| Mark { layer: Layer::Front, role: Role::Printed, shape })
}

fn shaded((from, to): (f64, f64)) -> Mark {
    Mark { layer: Layer::Ground, role: Role::Quiet, shape: Shape::Band { from, to, along_y: false } }
}

/// Words over a trapped span that has room for them.
fn told((from, to): (f64, f64), duration: f64, y: f64) -> Option<Mark> {
    let narrow = if to - from < 0.5 * duration { String::new() } else { "trapped".to_owned() };
    let text = "trapped: everything is sent twice".to_owned();
    let shape =
        Shape::Text { x: f64::midpoint(from, to), y, text, narrow, anchor: Anchor::Middle, strong: true };
    (to - from >= 0.25 * duration).then_some(Mark { layer: Layer::Front, role: Role::Ink, shape })
}

/// What disturbs the flow, each sort named once, where names do not touch.
fn named(events: &[Disturbed], duration: f64, y: f64) -> Vec<Mark> {
    const ROOM: f64 = 0.2;
    let mut marks = Vec::new();
    let (mut said, mut free) = (Vec::new(), f64::NEG_INFINITY);
    for event in events {
        let ends = event.at + ROOM * duration > duration;
        let from = if ends { event.at - ROOM * duration } else { event.at };
        if said.contains(&event.name) || from < free {
            continue;
        }
        said.push(event.name);
        free = from + ROOM * duration;
        let anchor = if ends { Anchor::End } else { Anchor::Start };
        let x = event.at + if ends { -0.006 } else { 0.006 } * duration;
        let (text, narrow) = (event.name.to_owned(), event.name.to_owned());
        let shape = Shape::Text { x, y, text, narrow, anchor, strong: false };
        marks.push(Mark { layer: Layer::Front, role: Role::Ink, shape });
    }
    marks
}

/// Round trips against when the RFNM came, of messages sent once and of those sent again.
struct Rtts {
    once: (Vec<f64>, Vec<f64>),
    again: (Vec<f64>, Vec<f64>),
    all: Vec<f64>,
}

impl Rtts {
    fn of(run: &Run) -> Self {
        let mut new = Self { once: Default::default(), again: Default::default(), all: Vec::new() };
        for row in &run.rows {
            let (Some(at), Some(rtt)) = (row.rfnm_ms(), row.rtt_ms()) else { continue };
            let (x, y) = if row.sendings > 1 { &mut new.again } else { &mut new.once };
            x.push(at);
            y.push(rtt);
            new.all.push(rtt);
        }
        new
    }

    fn marks(&self) -> Vec<Mark> {
        let points = |role, (x, y): &(Vec<f64>, Vec<f64>), glyph| Mark {
            layer: Layer::Ground,
            role,
            shape: Shape::Points { x: x.as_slice().into(), y: y.as_slice().into(), glyph },
        };
        // Sent again is told apart by shape as well.
        vec![
            points(Role::Series(0), &self.once, Glyph::Dot),
            points(Role::Alarm, &self.again, Glyph::SmallDiamond),
        ]
    }
}

/// Lines of more points than this are thinned, each of so many spans of time to its ends and extremes.
const MOST: usize = 20_000;
const SPANS: f64 = 4096.0;

/// The places of those points of a long line that can be seen.
fn seen(x: &[f64], y: &[f64]) -> Vec<usize> {
    let end = x.last().copied().unwrap_or(0.0).max(1e-9);
    let span = |at: f64| (at / end * SPANS) as usize;
    let mut kept = Vec::new();
    let mut from = 0;
    while from < x.len() {
        let now = span(x[from]);
        let to = from + x[from..].partition_point(|at| span(*at) <= now);
        let (mut low, mut high) = (from, from);
        for i in from..to {
            low = if y[i] < y[low] { i } else { low };
            high = if y[i] > y[high] { i } else { high };
        }
        let mut ends = [from, low, high, to - 1];
        ends.sort_unstable();
        kept.extend(ends.iter().enumerate().filter(|(k, i)| *k == 0 || ends[k - 1] != **i).map(|(_, i)| *i));
        from = to;
    }
    kept
}

fn line(x: &[f64], y: &[f64]) -> Mark {
    let (x, y): (Data, Data) = if x.len() > MOST {
        let kept = seen(x, y);
        (kept.iter().map(|i| x[*i]).collect(), kept.iter().map(|i| y[*i]).collect())
    } else {
        (x.into(), y.into())
    };
    let shape = Shape::Line { x, y, step: true, strong: false, end: String::new() };
    Mark { layer: Layer::Ground, role: Role::Series(0), shape }
}

fn by_formula(at: f64, duration: f64, named: bool) -> Vec<Mark> {
    let rule = Shape::Rule { at, along_y: true, dashed: true };
    let mut marks = vec![Mark { layer: Layer::Front, role: Role::Series(1), shape: rule }];
    if named {
        let text = "the trap, by formula".to_owned();
        let narrow = "formula".to_owned();
        let shape =
            Shape::Text { x: duration, y: 1.06 * at, text, narrow, anchor: Anchor::End, strong: false };
        marks.push(Mark { layer: Layer::Front, role: Role::Series(1), shape });
    }
    marks
}

/// The rate at which the last few RFNMs came back, as many as the window holds, between each and the
/// one before it.
fn throughput(scenario: &Scenario, run: &Run) -> (Vec<f64>, Vec<f64>) {
    let window = scenario.setup.window as usize;
    let mut back: Vec<f64> = run.rows.iter().filter_map(Message::rfnm_ms).collect();
    back.sort_by(f64::total_cmp);
    let (mut x, mut kbs) = (Vec::new(), Vec::new());
    for i in window..back.len() {
        let took = back[i] - back[i - window];
        if took > 0.0 {
            x.push(back[i - 1]);
            kbs.push(window as f64 * scenario.setup.message_bits / took);
        }
    }
    x.extend(back.last());
    kbs.extend(kbs.last().copied());
    x.truncate(kbs.len());
    (x, kbs)
}

/// How many messages are in flight, from each time at which that changes.
fn in_flight(run: &Run, duration: f64) -> (Vec<f64>, Vec<f64>) {
    let sent = run.rows.iter().map(|r| (r.first_sent_ms(), 1.0));
    let back = run.rows.iter().filter_map(|r| Some((r.rfnm_ms()?, -1.0)));
    let mut changes: Vec<(f64, f64)> = sent.chain(back).collect();
    changes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut x, mut y, mut now) = (vec![0.0], vec![0.0], 0.0);
    for (at, by) in changes {
        now += by;
        if x.last() == Some(&at) {
            y.pop();
        } else {
            x.push(at);
        }
        y.push(now);
    }
    x.push(duration);
    y.push(now);
    (x, y)
}

fn alt(scenario: &Scenario, window: Window, run: &Run) -> String {
    let s = run.statistics;
    let rtt = s.mean_rtt_ms.map_or("none".to_owned(), |v| format!("{} ms", three(v)));
    format!(
        "Round trip, throughput and messages in flight against time under {}: between {} and {} ms {} kbs, a mean round trip of {rtt}, {} in flight; {} messages were sent again.",
        scenario.setup.scheme.name(),
        window.from_ms,
        window.to_ms,
        three(s.throughput_kbs),
        three(s.mean_in_flight),
        run.retransmitted.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imp::network::run;

    #[test]
    fn a_long_line_keeps_its_ends_and_extremes() {
        let x: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut y = vec![1.0; x.len()];
        (y[54_321], y[54_322]) = (9.0, -9.0);
        let kept = seen(&x, &y);
        assert!(kept.len() < MOST && kept.is_sorted_by(|a, b| a < b), "{}", kept.len());
        assert!([0, 54_321, 54_322, 99_999].iter().all(|i| kept.contains(i)));
    }

    #[test]
    fn what_is_in_flight_adds_up() {
        let scenario = Scenario::default().overtaking(21);
        let window = Window { from_ms: 0.0, to_ms: 10_000.0 };
        let r = run(&scenario, window, false).unwrap();
        let (x, y) = in_flight(&r, 10_000.0);
        let area: f64 = x.windows(2).zip(&y).map(|(x, y)| (x[1] - x[0]) * y).sum();
        assert!((area / 10_000.0 - r.statistics.mean_in_flight).abs() < 1e-9);
        // 38.2 before the trap, 7.8 in it.
        let (x, kbs) = throughput(&scenario, &r);
        let at = |ms: f64| kbs[x.partition_point(|x| *x <= ms) - 1];
        assert_eq!([400.0, 5000.0].map(|ms| (10.0 * at(ms)).round()), [382.0, 78.0]);
        assert_eq!(x.len(), kbs.len());
    }
}

//! The figure of the `imp-flow` cell: round trip, throughput and messages in flight against time.
//!
//! ```text
//! ms   500 |      ________________     - - - the trap, by formula
//!      100 |..../
//! kbs   30 |‾‾‾\_________________
//! in flight|~~~~~~~~~~~~~~~~~~~~~
//! ```

use super::three;
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
    let trap = form.map(|f| (f.trapped_rtt, f.trapped_throughput_kbs, f.trapped_rtt / f.cycle));
    let top = |most: f64, formula: Option<f64>| 1.15 * formula.unwrap_or(0.0).max(most).max(1e-3);
    let most = |of: &[f64]| of.iter().copied().fold(0.0, f64::max);
    let panels = [
        (rtts.marks(), "round trip, ms", most(&rtts.all), trap.map(|t| t.0)),
        (vec![line(&throughput.0, &throughput.1)], "throughput, kbs", most(&throughput.1), trap.map(|t| t.1)),
        (vec![line(&flight.0, &flight.1)], "in flight", most(&flight.1), trap.map(|t| t.2)),
    ];
    let mut figure = Figure {
        columns: vec![Column { width: Extent::Share(1.0), gap: (44.0, 32.0), axis: time }],
        alt: alt(scenario, window, run),
        ..Figure::default()
    };
    for (row, (mut marks, label, most, formula)) in panels.into_iter().enumerate() {
        if let Some(at) = formula {
            marks.extend(by_formula(at, duration, row == 0));
        }
        let axis = Axis { grid: true, ..Axis::new(label, (0.0, top(most, formula))) };
        figure.rows.push(Row {
            height: Extent::Share(if row == 0 { 2.0 } else { 1.0 }),
            kind: RowKind::Scale(axis),
        });
        figure.panels.push(Panel { column: 0, row, marks });
    }
    figure
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

fn line(x: &[f64], y: &[f64]) -> Mark {
    let (x, y): (Data, Data) = (x.into(), y.into());
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

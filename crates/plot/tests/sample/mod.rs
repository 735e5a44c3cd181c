//! A run of 512 packets and the figure of three timeouts over it, to see how figures look.

use netspurt_core::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Shape, Ticks,
};
use std::collections::BTreeSet;

/// Mulberry32.
fn random(mut state: u32) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_add(0x6d2b_79f5);
        let mut t = (state ^ (state >> 15)).wrapping_mul(1 | state);
        t = t.wrapping_add((t ^ (t >> 7)).wrapping_mul(0x3d | t)) ^ t;
        f64::from(t ^ (t >> 14)) / 4_294_967_296.0
    }
}

/// Delays in ms, and which packets are lost.
fn delays(n: usize) -> (Vec<f64>, BTreeSet<usize>) {
    let mut r = random(66);
    let mut delays: Vec<f64> = (0..n)
        .map(|_| {
            let octets = (r() * 257.0).floor().max(40.0);
            420.0 + 4.5 * (octets - 40.0) - libm::log(1.0 - r()) * 360.0
        })
        .collect();
    let below = |n: usize, r: &mut dyn FnMut() -> f64| {
        let at = r() * n as f64;
        (1..n).take_while(|&i| i as f64 <= at).count()
    };
    for _ in 0..10 {
        let at = 20 + below(n - 40, &mut r);
        let len = 1 + below(4, &mut r);
        let height = 3400.0 * (0.5 + r());
        for i in 0..len.min(n - at) {
            delays[at + i] += height * (1.0 - i as f64 / (len as f64 + 1.0)) * (0.8 + 0.4 * r());
        }
    }
    let mut lost = BTreeSet::new();
    while lost.len() < 3 {
        lost.insert(10 + below(n - 20, &mut r));
    }
    let kept: Vec<f64> = (0..n).filter(|i| !lost.contains(i)).map(|i| delays[i]).collect();
    let mean = kept.iter().sum::<f64>() / kept.len() as f64;
    let deviation = (kept.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / kept.len() as f64).sqrt();
    (delays.iter().map(|v| 1150.0 + (v - mean) * 1150.0 * 0.69 / deviation).collect(), lost)
}

/// What one estimator made of the run, by record.
struct Run {
    /// Seconds.
    time: Vec<f64>,
    delay: Vec<f64>,
    timeout: Vec<f64>,
    late: Vec<usize>,
}

#[derive(Clone, Copy)]
enum Estimator {
    Mills { falling: f64, rising: f64, times: f64 },
    Variance,
}

fn run(delays: &[f64], lost: &BTreeSet<usize>, estimator: Estimator) -> Run {
    let mut state: Option<(f64, f64)> = None;
    let mut out = Run { time: vec![], delay: vec![], timeout: vec![], late: vec![] };
    let mut now = 0.0;
    for (i, &delay) in delays.iter().enumerate() {
        let timeout = match (state, estimator) {
            (None, _) => 2.0 * delay,
            (Some((e, _)), Estimator::Mills { times, .. }) => times * e,
            (Some((e, v)), Estimator::Variance) => e + 4.0 * v,
        };
        out.time.push(now / 1000.0);
        out.timeout.push(timeout / 1000.0);
        if lost.contains(&i) {
            out.delay.push(f64::NAN);
            now += timeout;
            continue;
        }
        out.delay.push(delay / 1000.0);
        if delay > timeout {
            out.late.push(i);
        }
        now += delay;
        state = Some(match (state, estimator) {
            (None, _) => (delay, delay / 2.0),
            (Some((e, v)), Estimator::Variance) => {
                (0.875 * e + 0.125 * delay, 0.75 * v + 0.25 * (delay - e).abs())
            }
            (Some((e, v)), Estimator::Mills { falling, rising, .. }) => {
                let f = if delay < e { falling } else { rising };
                (f * e + (1.0 - f) * delay, v)
            }
        });
    }
    out
}

/// `n` packets, at least 64. `second`: the factor while delay rises.
pub(crate) fn figure(n: usize, second: f64) -> Figure {
    let (delays, lost) = delays(n);
    let mills = |falling, rising| Estimator::Mills { falling, rising, times: 2.0 };
    let estimators = [mills(15.0 / 16.0, second), mills(7.0 / 8.0, 7.0 / 8.0), Estimator::Variance];
    let runs = estimators.map(|e| run(&delays, &lost, e));
    let end = |r: &Run| r.time[n - 1] + if r.delay[n - 1].is_finite() { r.delay[n - 1] } else { 0.0 };
    let span = end(&runs[0]);
    // Each run has its own clock; the figure shows them over one another.
    let x: Vec<Data> = runs.iter().map(|r| r.time.iter().map(|t| t / end(r) * span).collect()).collect();

    let known: Vec<f64> = runs[0].delay.iter().copied().filter(|d| d.is_finite()).collect();
    let lost: Data = lost.iter().map(|&i| x[0][i]).collect();
    let mut panels = vec![
        Panel {
            column: 0,
            row: 0,
            marks: vec![
                mark(Layer::Ground, Role::Alarm, Shape::Drops { x: lost.clone() }),
                points(Layer::Ground, Role::Alarm, lost.clone(), lost.clone(), Glyph::Cross),
            ],
        },
        Panel {
            column: 1,
            row: 0,
            marks: vec![word(&format!("{} lost", lost.len()), "", false, (0.0, 0.0), Anchor::Start)],
        },
        main(&runs, &x),
    ];
    let (bars, most) = histogram(&known);
    panels.push(bars);
    for (i, r) in runs.iter().enumerate() {
        let at: Data = r.late.iter().map(|&j| x[i][j]).collect();
        let late = points(Layer::Front, Role::Series(i), at.clone(), at, Glyph::SmallDiamond);
        panels.push(Panel { column: 0, row: 2 + i, marks: vec![late] });
        let count = r.late.len().to_string();
        let words = word(&format!("{count} spurious"), &count, i == 0, (0.0, 0.0), Anchor::Start);
        panels.push(Panel { column: 1, row: 2 + i, marks: vec![words] });
    }
    Figure {
        columns: columns(span, most),
        rows: rows(),
        panels,
        alt: format!("{n} delays and three timeouts; {} packets were lost.", lost.len()),
    }
}

const TOP: f64 = 7.0;
const LETTERS: [&str; 3] = ["A", "B", "C"];

fn columns(span: f64, most: f64) -> Vec<Column> {
    let time = Axis {
        label: "elapsed time, s".into(),
        short_label: "s".into(),
        ticks: Ticks::About(6),
        ..Axis::new("", (0.0, span))
    };
    let count = Axis { label: "volleys per 0.2 s".into(), ticks: Ticks::None, ..Axis::new("", (0.0, most)) };
    vec![
        Column { width: Extent::Share(1.0), gap: (40.0, 30.0), axis: time },
        Column { width: Extent::Px(112.0, 44.0), gap: (30.0, 20.0), axis: count },
    ]
}

fn rows() -> Vec<Row> {
    let lane = |label: &str, role| Row {
        height: Extent::Px(17.0, 14.0),
        kind: RowKind::Lane { label: label.into(), role },
    };
    let delay = Axis { grid: true, ..Axis::new("one-way delay, s", (0.0, TOP)) };
    let mut rows =
        vec![lane("lost", Role::Ink), Row { height: Extent::Share(1.0), kind: RowKind::Scale(delay) }];
    rows.extend(LETTERS.iter().enumerate().map(|(i, letter)| lane(letter, Role::Series(i))));
    rows
}

fn main(runs: &[Run], x: &[Data]) -> Panel {
    let delay: Data = runs[0].delay.as_slice().into();
    let mut marks = vec![points(Layer::Ground, Role::Data, x[0].clone(), delay.clone(), Glyph::Dot)];
    marks.extend(runs.iter().enumerate().map(|(i, r)| {
        let (x, y, end) = (x[i].clone(), r.timeout.as_slice().into(), LETTERS[i].into());
        mark(Layer::Front, Role::Series(i), Shape::Line { x, y, step: true, strong: i == 0, end })
    }));
    let at = |data: &Data| -> Data { runs[0].late.iter().map(|&i| data[i]).collect() };
    marks.push(points(Layer::Front, Role::Series(0), at(&x[0]), at(&delay), Glyph::Diamond));
    Panel { column: 0, row: 1, marks }
}

/// A panel of bars and the length of the longest.
fn histogram(known: &[f64]) -> (Panel, f64) {
    let bins = 35_u32;
    let edge = |i: u32| TOP * f64::from(i) / f64::from(bins);
    let count = |i: u32| known.iter().filter(|d| (edge(i)..edge(i + 1)).contains(d)).count() as f64;
    let lengths: Data = (0..bins).map(count).collect();
    let most = lengths.iter().copied().fold(0.0, f64::max);
    let mode = (0..bins).zip(lengths.iter()).fold((0, 0.0), |m, (i, &n)| if n > m.1 { (i, n) } else { m }).0;
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    let edges = (0..=bins).map(edge).collect();
    let marks = vec![
        mark(Layer::Ground, Role::Data, Shape::Bars { edges, lengths, along_y: true }),
        mark(Layer::Ground, Role::Ink, Shape::Rule { at: mean, along_y: true, dashed: false }),
        word(&format!("mean {mean:.2} s"), "", true, (most, edge(mode) + 1.18), Anchor::End),
    ];
    (Panel { column: 1, row: 1, marks }, most)
}

pub(crate) fn mark(layer: Layer, role: Role, shape: Shape) -> Mark {
    Mark { layer, role, shape }
}

pub(crate) fn points(layer: Layer, role: Role, x: Data, y: Data, glyph: Glyph) -> Mark {
    mark(layer, role, Shape::Points { x, y, glyph })
}

pub(crate) fn word(text: &str, narrow: &str, strong: bool, (x, y): (f64, f64), anchor: Anchor) -> Mark {
    let (text, narrow) = (text.to_owned(), narrow.to_owned());
    mark(Layer::Front, Role::Ink, Shape::Text { x, y, text, narrow, anchor, strong })
}

//! A run of 512 packets and the figure of three timeouts over it, to see how figures look.

use netspurt_core::figure::*;
use std::collections::BTreeSet;

/// Mulberry32.
fn random(mut state: u32) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_add(0x6d2b_79f5);
        let mut t = (state ^ (state >> 15)).wrapping_mul(1 | state);
        t = t.wrapping_add((t ^ (t >> 7)).wrapping_mul(61 | t)) ^ t;
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
    let below = |n: usize, r: &mut dyn FnMut() -> f64| (r() * n as f64).floor() as usize;
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

fn mark(layer: Layer, role: Role, shape: Shape) -> Mark {
    Mark { layer, role, shape }
}

fn word(text: &str, narrow: &str, strong: bool, (x, y): (f64, f64), anchor: Anchor) -> Mark {
    let (text, narrow) = (text.to_owned(), narrow.to_owned());
    mark(Layer::Front, Role::Ink, Shape::Text { x, y, text, narrow, anchor, strong })
}

/// `n` packets, at least 64. `second`: the factor while delay rises.
pub(crate) fn figure(n: usize, second: f64) -> Figure {
    let (delays, lost) = delays(n);
    let mills = |falling, rising| Estimator::Mills { falling, rising, times: 2.0 };
    let estimators = [mills(15.0 / 16.0, second), mills(7.0 / 8.0, 7.0 / 8.0), Estimator::Variance];
    let runs = estimators.map(|e| run(&delays, &lost, e));
    let span = |r: &Run| r.time.last().copied().unwrap_or(0.0) + r.delay.last().copied().unwrap_or(0.0);
    let whole = span(&runs[0]);
    // Each run has its own clock; the figure shows them over one another.
    let x: Vec<Data> = runs.iter().map(|r| r.time.iter().map(|t| t / span(r) * whole).collect()).collect();

    let top = 7.0;
    let bins = 35_usize;
    let mut counts = vec![0.0; bins];
    for d in runs[0].delay.iter().filter(|d| d.is_finite()) {
        counts[((d / top * bins as f64) as usize).min(bins - 1)] += 1.0;
    }
    let most = counts.iter().copied().fold(0.0, f64::max);
    let mode = counts.iter().position(|c| *c == most).unwrap_or(0);
    let known: Vec<f64> = runs[0].delay.iter().copied().filter(|d| d.is_finite()).collect();
    let mean = known.iter().sum::<f64>() / known.len() as f64;

    let time = Axis {
        label: "elapsed time, s".into(),
        short_label: "s".into(),
        ticks: Ticks::About(6),
        ..Axis::new("", (0.0, whole))
    };
    let count = Axis {
        label: "volleys per 0.2 s".into(),
        short_label: String::new(),
        ticks: Ticks::None,
        ..Axis::new("", (0.0, most))
    };
    let delay = Axis { grid: true, ..Axis::new("one-way delay, s", (0.0, top)) };
    let lane = |label: &str, role| Row {
        height: Extent::Px(17.0, 14.0),
        kind: RowKind::Lane { label: label.into(), role },
    };
    let mut rows =
        vec![lane("lost", Role::Ink), Row { height: Extent::Share(1.0), kind: RowKind::Scale(delay) }];

    let lost_x: Data = lost.iter().map(|&i| x[0][i]).collect();
    let lost_y: Data = vec![0.0; lost.len()].into();
    let at = |late: &[usize]| -> (Data, Data) {
        (late.iter().map(|&i| x[0][i]).collect(), late.iter().map(|&i| runs[0].delay[i]).collect())
    };
    let (late_x, late_y) = at(&runs[0].late);
    let mut main = vec![mark(
        Layer::Ground,
        Role::Data,
        Shape::Points { x: x[0].clone(), y: runs[0].delay.as_slice().into(), glyph: Glyph::Dot },
    )];
    let mut panels = vec![
        Panel {
            column: 0,
            row: 0,
            marks: vec![
                mark(Layer::Ground, Role::Alarm, Shape::Drops { x: lost_x.clone() }),
                mark(Layer::Ground, Role::Alarm, Shape::Points { x: lost_x, y: lost_y, glyph: Glyph::Cross }),
            ],
        },
        Panel {
            column: 1,
            row: 0,
            marks: vec![word(&format!("{} lost", lost.len()), "", false, (0.0, 0.0), Anchor::Start)],
        },
    ];
    for (i, r) in runs.iter().enumerate() {
        let letter = ["A", "B", "C"][i];
        let (role, current) = (Role::Series(i), i == 0);
        let y = r.timeout.as_slice().into();
        let line = Shape::Line { x: x[i].clone(), y, step: true, strong: current, end: letter.into() };
        main.push(mark(Layer::Front, role, line));
        rows.push(lane(letter, role));
        let at: Data = r.late.iter().map(|&j| x[i][j]).collect();
        let marks = Shape::Points { y: at.clone(), x: at, glyph: Glyph::SmallDiamond };
        panels.push(Panel { column: 0, row: 2 + i, marks: vec![mark(Layer::Front, role, marks)] });
        let (n, text) = (r.late.len().to_string(), format!("{} spurious", r.late.len()));
        let words = word(&text, &n, current, (0.0, 0.0), Anchor::Start);
        panels.push(Panel { column: 1, row: 2 + i, marks: vec![words] });
    }
    main.push(mark(
        Layer::Front,
        Role::Series(0),
        Shape::Points { x: late_x, y: late_y, glyph: Glyph::Diamond },
    ));
    panels.push(Panel { column: 0, row: 1, marks: main });
    let edges = (0..=bins).map(|i| top * i as f64 / bins as f64).collect();
    let beside = mode as f64 / bins as f64 * top + 1.18;
    panels.push(Panel {
        column: 1,
        row: 1,
        marks: vec![
            mark(Layer::Ground, Role::Data, Shape::Bars { edges, lengths: counts.into(), along_y: true }),
            mark(Layer::Ground, Role::Ink, Shape::Rule { at: mean, along_y: true, dashed: false }),
            word(&format!("mean {mean:.2} s"), "", true, (most, beside), Anchor::End),
        ],
    });
    Figure {
        columns: vec![
            Column { width: Extent::Share(1.0), gap: (40.0, 30.0), axis: time },
            Column { width: Extent::Px(112.0, 44.0), gap: (30.0, 20.0), axis: count },
        ],
        rows,
        panels,
        alt: format!("{n} delays and three timeouts; three packets were lost."),
    }
}

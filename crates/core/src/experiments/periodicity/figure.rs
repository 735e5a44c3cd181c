//! The figure of the `periodicity` cell: the spectrum with what chance reaches, and the
//! autocorrelation with its band.
//!
//! ```text
//!  power                         correlation
//!  |    ◦                        |·
//!  |----/\----- by chance        |-·------- ±1.96/√n
//!  |_/\/  \/\__  period          |__·_·__·_  packets later
//! ```

use super::{CHANCE, Found, Periods, three};
use crate::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Scale, Shape,
    Ticks,
};
use crate::trace::Trace;

pub(super) fn figure(trace: &Trace, found: &Found, periods: &Periods) -> Figure {
    let (shortest, longest) = (periods.period.first(), periods.period.last());
    let range = shortest.zip(longest).map_or((1.0, 10.0), |(a, b)| (*a, *b));
    let period = Axis {
        scale: Scale::Log10,
        ticks: Ticks::About(6),
        ..Axis::new(&format!("period, {}", periods.unit), range)
    };
    let top = periods.power.iter().chain(periods.level.iter()).copied().fold(0.0, f64::max);
    let power = Axis { grid: true, ..Axis::new("power", (0.0, if top > 0.0 { 1.15 * top } else { 1.0 })) };
    let lags = found.auto.len().max(1) as f64;
    let lag = Axis::new("packets later", (0.0, lags + 0.5));
    let (lo, hi) = found.auto.iter().fold((0.0, 0.0), |(lo, hi): (f64, f64), r| (lo.min(*r), hi.max(*r)));
    let room = 1.3 * found.band();
    let correlation =
        Axis { grid: true, ..Axis::new("correlation", (lo.min(-room) * 1.05, hi.max(room) * 1.05)) };
    Figure {
        columns: vec![
            Column { width: Extent::Share(3.0), gap: (46.0, 46.0), axis: period },
            Column { width: Extent::Share(2.0), gap: (88.0, 46.0), axis: lag },
        ],
        rows: vec![Row { height: Extent::Px(240.0, 180.0), kind: RowKind::Apart(vec![power, correlation]) }],
        panels: vec![spectrum(periods), auto(found)],
        alt: alt(trace, found, periods),
    }
}

fn spectrum(periods: &Periods) -> Panel {
    let line = |y: &Data, strong| Shape::Line {
        x: periods.period.clone(),
        y: y.clone(),
        step: false,
        strong,
        end: String::new(),
    };
    let mut marks = vec![
        mark(Role::Quiet, line(&periods.level, false)),
        mark(Role::Series(0), line(&periods.power, true)),
    ];
    let top = periods.level.iter().copied().fold(0.0, f64::max);
    if let Some(x) = periods.period.last() {
        marks.push(words(Role::Quiet, "one in twenty by chance", (*x, 1.05 * top), Anchor::End));
    }
    if let Some(i) = periods.peak {
        let (x, y) = (periods.period[i], periods.power[i]);
        let ring = Shape::Points { x: [x].into(), y: [y].into(), glyph: Glyph::Ring };
        marks.push(mark(Role::Ink, ring));
        // To the side where there is room; the axis is logarithmic.
        let ends = periods.period.first().zip(periods.period.last());
        let (anchor, aside) = match ends {
            Some((a, b)) if x * x > a * b => (Anchor::End, 1.0 / 1.12),
            _ => (Anchor::Start, 1.12),
        };
        marks.push(words(Role::Ink, &format!("{} {}", three(x), periods.unit), (x * aside, y), anchor));
    }
    Panel { column: 0, row: 0, marks }
}

fn auto(found: &Found) -> Panel {
    let x: Data = (1..=found.auto.len()).map(|k| k as f64).collect();
    let y: Data = found.auto.as_slice().into();
    let rule = |at, dashed| mark(Role::Quiet, Shape::Rule { at, along_y: true, dashed });
    let line = Shape::Line { x: x.clone(), y: y.clone(), step: false, strong: false, end: String::new() };
    let marks = vec![
        rule(0.0, false),
        rule(found.band(), true),
        rule(-found.band(), true),
        mark(Role::Series(0), line),
        mark(Role::Series(0), Shape::Points { x, y, glyph: Glyph::Dot }),
    ];
    Panel { column: 1, row: 0, marks }
}

fn mark(role: Role, shape: Shape) -> Mark {
    Mark { layer: Layer::Ground, role, shape }
}

fn words(role: Role, text: &str, (x, y): (f64, f64), anchor: Anchor) -> Mark {
    let narrow = text.to_owned();
    let strong = role == Role::Ink;
    mark(role, Shape::Text { x, y, text: text.to_owned(), narrow, anchor, strong })
}

fn alt(trace: &Trace, found: &Found, periods: &Periods) -> String {
    let period = match (&found.spectrum, periods.peak) {
        (Some(s), Some(i)) => format!(
            "the period that stands out most, {} {}, {} (chance {:.3})",
            three(periods.period[i]),
            periods.unit,
            if s.p <= CHANCE {
                "does so more often than chance has it"
            } else {
                "does so no more than chance has it"
            },
            s.p,
        ),
        _ => "delays do not vary, so there is no period to find".to_owned(),
    };
    let beyond = found.auto.iter().filter(|r| r.abs() > found.band()).count();
    format!(
        "Spectrum and autocorrelation of the delays of {}: {period}; {beyond} of {} lags lie outside the band of chance; spasms of long delays: {}.",
        trace.name,
        found.auto.len(),
        found.spasms.len(),
    )
}

//! The `delay-lines` cell: the printed lines of RFC 889, section 2.1, all 30 of them, as small multiples
//! of the six groups, and what section 2.2 says of them, counted.
//!
//! The row looked at is a line: it is drawn strong, the others faint.

use super::figure::{front, ground};
use super::readout::{bps, four};
use crate::delay::printed::{Recomputed, claims, ratio, recompute, segments};
use crate::experiments::{Entry, Experiment, boxed};
use crate::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Mark, Panel, Role, Row, RowKind, Shape, Ticks,
};
use crate::params::{Param, Params, Settings};
use crate::report::{Frame, FrameColumn, Heading, Picks, Report, Table, TableRow, Values};
use crate::rto::printed::{DelayLine, SECTIONS, Segment, lines};
use crate::tree::Keyed;
use std::cmp::Ordering;

/// What the cell is set to: nothing; all lines are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Setup;

pub(crate) const ENTRY: Entry = Entry {
    kind: "delay-lines",
    title: "Printed delay lines",
    fresh: "",
    needs_trace: false,
    follows_row: true,
    is_wide: false,
    make: boxed::<Setup>,
};

impl Params for Setup {
    const TABLE: &'static [Param<Self>] = &[];
}

impl Keyed for Setup {
    fn settings(&self) -> &dyn Settings {
        self
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        self
    }
}

impl Experiment for Setup {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }
}

/// Small multiples beside each other, in wide figures and in narrow ones.
const ACROSS: (usize, usize) = (3, 2);

/// All lines; `row` is the one looked at, as an index into [`lines`].
pub fn report(row: Option<usize>) -> Report {
    let chosen = row.and_then(|i| lines().get(i));
    Report {
        figure: figure(chosen),
        readout: table(chosen),
        more: vec![claims_table()],
        frame: frame(),
        picks: picks(),
        said: chosen.map(said).into_iter().collect(),
        numbers: numbers(),
        ..Report::default()
    }
}

/// A line in words.
fn said(line: &DelayLine) -> String {
    let end = |s: &Segment| {
        format!("from {} ms at {} octets to {} ms at {}", s.delay_ms.0, s.octets.0, s.delay_ms.1, s.octets.1)
    };
    let parts: Vec<String> = segments(line).map(end).collect();
    format!("{}, {}: {}; {:.2} times.", line.host, line.section.title, parts.join(", then "), ratio(line))
}

fn numbers() -> Vec<(String, f64)> {
    let mut all = Vec::new();
    for line in lines() {
        for (s, name) in segments(line).zip(["short", "long"]) {
            let r = recompute(s);
            let name = format!("{}/{}.{name}", line.section.id, line.host);
            for (what, value) in
                [("printed", s.rate_bps), ("rate", r.rate), ("from", r.interval.0), ("to", r.interval.1)]
            {
                all.push((format!("{name}.{what}"), value));
            }
        }
    }
    for (i, claim) in claims().iter().enumerate() {
        all.push((format!("claim-{}.holds", i + 1), claim.holds as f64));
        all.push((format!("claim-{}.of", i + 1), claim.of as f64));
    }
    all
}

/// The columns of the frame: a row a line.
fn frame() -> Frame {
    let rates = |of: fn(&Segment) -> f64, long: bool| {
        let one = |l: &'static DelayLine| if long { l.long.as_ref() } else { Some(&l.short) };
        Values::Numbers(lines().iter().map(|l| one(l).map_or(f64::NAN, of)).collect())
    };
    let texts = |of: fn(&'static DelayLine) -> &'static str| {
        Values::Texts(lines().iter().map(|l| of(l).to_owned()).collect::<Vec<_>>().into())
    };
    let ends = |of: fn(&DelayLine) -> f64| Values::Numbers(lines().iter().map(of).collect());
    let knee: fn(&DelayLine) -> f64 = |l| if l.long.is_some() { l.short.delay_ms.1 } else { f64::NAN };
    let column = FrameColumn::new;
    let columns = vec![
        column("host", "", texts(|l| l.host)),
        column("group", "", texts(|l| l.section.title)),
        column("at 40", "ms", ends(|l| l.short.delay_ms.0)),
        column("at 125", "ms", ends(knee)),
        column("from 126", "ms", rates(|s| s.delay_ms.0, true)),
        column("at 256", "ms", ends(|l| l.long.unwrap_or(l.short).delay_ms.1)),
        column("rate printed", "bit/s", rates(|s| s.rate_bps, false)),
        column("worked out", "bit/s", rates(|s| recompute(s).rate, false)),
        column("second rate printed", "bit/s", rates(|s| s.rate_bps, true)),
        column("second worked out", "bit/s", rates(|s| recompute(s).rate, true)),
    ];
    Frame { columns, rows: lines().len() }
}

/// A line is picked at its long end.
fn picks() -> Picks {
    let end = |l: &DelayLine| l.long.unwrap_or(l.short);
    Picks::Across {
        columns: lines().iter().map(|l| SECTIONS.iter().position(|s| *s == l.section).unwrap_or(0)).collect(),
        row: 0,
        x: lines().iter().map(|l| end(l).octets.1).collect(),
        y: lines().iter().map(|l| end(l).delay_ms.1).collect(),
    }
}

fn figure(chosen: Option<&DelayLine>) -> Figure {
    let top = 1.04 * lines().iter().flat_map(segments).map(|s| s.delay_ms.1).fold(0.0, f64::max);
    let column = |i: usize| {
        let mut axis = Axis::new("packet length, octets", (30.0, 330.0));
        "octets".clone_into(&mut axis.short_label);
        axis.ticks = Ticks::At([40, 125, 256].map(|l| (f64::from(l), l.to_string())).to_vec());
        let gap = if i == 0 { (40.0, 36.0) } else { (20.0, 14.0) };
        Column { width: Extent::Share(1.0), gap, axis }
    };
    let panels = SECTIONS.iter().enumerate().map(|(column, section)| {
        let group: Vec<&DelayLine> = lines().iter().filter(|l| l.section == *section).collect();
        let mut marks: Vec<Mark> = group.iter().flat_map(|l| small(l, chosen)).collect();
        marks.extend(names(&group, chosen, 0.075 * top));
        Panel { column, row: 0, marks }
    });
    let mut axis = Axis::new("one-way delay, ms", (0.0, top));
    axis.grid = true;
    let titles = SECTIONS.map(|s| s.title.to_owned()).to_vec();
    Figure {
        columns: (0..SECTIONS.len()).map(column).collect(),
        rows: vec![Row {
            height: Extent::Px(210.0, 150.0),
            kind: RowKind::Multiples { axis, titles, across: ACROSS },
        }],
        panels: panels.collect(),
        alt: format!(
            "The 30 printed lines of delay against length in six groups: paths through the ARPANET have two each, with a jump at 126 octets; the others have one.{}",
            chosen.map_or_else(String::new, |l| format!(" {}", said(l)))
        ),
    }
}

/// One row's lines: faint while another is looked at.
fn small(line: &DelayLine, chosen: Option<&DelayLine>) -> Vec<Mark> {
    let is_chosen = chosen == Some(line);
    let mut marks = Vec::new();
    for (i, s) in segments(line).enumerate() {
        let (x, y): (Data, Data) =
            (vec![s.octets.0, s.octets.1].into(), vec![s.delay_ms.0, s.delay_ms.1].into());
        let role = if chosen.is_none() || is_chosen { Role::Series(i) } else { Role::Quiet };
        let shape =
            Shape::Line { x: x.clone(), y: y.clone(), step: false, strong: is_chosen, end: String::new() };
        marks.push(front(role, shape));
        if is_chosen {
            marks.push(front(Role::Printed, Shape::Points { x, y, glyph: Glyph::Square }));
        } else {
            marks.push(ground(Role::Data, Shape::Points { x, y, glyph: Glyph::Dot }));
        }
    }
    marks
}

/// The hosts at the ends of their lines, that of the line looked at first, then from the lowest up;
/// those are left out that would be written over another.
fn names(group: &[&DelayLine], chosen: Option<&DelayLine>, room: f64) -> Vec<Mark> {
    let end = |l: &DelayLine| l.long.unwrap_or(l.short).delay_ms.1;
    let mut order = group.to_vec();
    order.sort_by(|a, b| {
        (Some(*a) != chosen, end(a)).partial_cmp(&(Some(*b) != chosen, end(b))).unwrap_or(Ordering::Equal)
    });
    let mut taken: Vec<f64> = Vec::new();
    order.retain(|l| {
        let free = taken.iter().all(|t| (t - end(l)).abs() >= room);
        if free {
            taken.push(end(l));
        }
        free
    });
    let word = |l: &DelayLine| {
        let strong = Some(l) == chosen;
        let narrow = if strong { l.host.to_owned() } else { String::new() };
        let (x, y) = (264.0, end(l));
        front(
            Role::Printed,
            Shape::Text { x, y, text: l.host.to_owned(), narrow, anchor: Anchor::Start, strong },
        )
    };
    order.into_iter().map(word).collect()
}

/// A row a segment: delays and rate as printed, the rate worked out again with its rounding interval.
pub fn table(chosen: Option<&DelayLine>) -> Table {
    let heading = |title, unit| Heading::new(title, unit);
    let printed = |title, unit| Heading::printed(title, unit);
    let mut rows = Vec::new();
    for line in lines() {
        let of = segments(line).count();
        for (i, s) in segments(line).enumerate() {
            let head = if i == 0 { line.host.to_owned() } else { format!("{}, longer", line.host) };
            let role = if chosen == Some(line) { Role::Series(i) } else { Role::Ink };
            rows.push(TableRow { head, role, cells: cells(line, s, i + 1 == of) });
        }
    }
    Table {
        caption: "RFC 889, section 2.1: the printed lines, and each rate worked out again".to_owned(),
        head: "Host".to_owned(),
        columns: vec![
            printed("Lengths", "octets"),
            printed("Short end", "ms"),
            printed("Long end", "ms"),
            printed("Rate", "bit/s"),
            heading("8000·ΔL/Δd", "bit/s"),
            heading("if ½ ms off", "bit/s"),
            heading("Slope", "ms/octet"),
            heading("256 over 40", "times"),
            printed("Remark", ""),
        ],
        rows,
    }
}

fn cells(line: &DelayLine, s: &Segment, is_last: bool) -> Vec<String> {
    let Recomputed { rate, interval, holds } = recompute(s);
    let within = if holds { "" } else { " (printed rate outside)" };
    vec![
        format!("{} to {}", s.octets.0, s.octets.1),
        s.delay_ms.0.to_string(),
        s.delay_ms.1.to_string(),
        s.rate_bps.to_string(),
        bps(rate),
        format!("{} to {}{within}", bps(interval.0), bps(interval.1)),
        four((s.delay_ms.1 - s.delay_ms.0) / (s.octets.1 - s.octets.0)),
        if is_last { format!("{:.2}", ratio(line)) } else { String::new() },
        if is_last { line.comment.to_owned() } else { String::new() },
    ]
}

/// What the RFC says of the lines, and what was counted.
pub fn claims_table() -> Table {
    let heading = |title, unit| Heading::new(title, unit);
    Table {
        caption: "What RFC 889 says of its lines, and what the lines say".to_owned(),
        head: "Said".to_owned(),
        columns: vec![
            heading("Where", ""),
            heading("Counted", ""),
            heading("Holds for", ""),
            heading("Found", ""),
            heading("Not for", ""),
        ],
        rows: claims()
            .into_iter()
            .map(|c| TableRow {
                role: if c.quote.is_empty() { Role::Ink } else { Role::Quiet },
                head: if c.quote.is_empty() { "(not said)".to_owned() } else { c.quote.to_owned() },
                cells: vec![
                    c.place.to_owned(),
                    c.counted.to_owned(),
                    format!("{} of {}", c.holds, c.of),
                    c.finding,
                    c.others.join(", "),
                ],
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_line_has_its_row_its_mark_and_its_pick() {
        let report = report(None);
        assert_eq!((report.readout.rows.len(), report.frame.rows, report.picks.len()), (49, 30, 30));
        assert!(report.readout.rows.iter().all(|r| r.cells.len() == report.readout.columns.len()));
        let drawn = report.figure.panels.iter().flat_map(|p| &p.marks);
        assert_eq!(drawn.filter(|m| matches!(m.shape, Shape::Line { .. })).count(), 49);
        assert_eq!((report.figure.panels.len(), report.figure.columns.len()), (6, 6));
        assert_eq!(report.numbers.len(), 49 * 4 + 2 * claims().len());
        let score = report.readout.rows.iter().find(|r| r.head == "SCORE").unwrap();
        assert_eq!(&score.cells[..6], ["40 to 125", "184", "318", "5088", "5075", "5037 to 5113"]);
        let printed = report.readout.columns.iter().map(|c| c.printed).collect::<Vec<_>>();
        assert_eq!(printed, [true, true, true, true, false, false, false, false, true]);
    }

    #[test]
    fn the_line_looked_at_stands_out_and_changes_no_number() {
        let at = lines().iter().position(|l| l.host == "SCORE").unwrap();
        let (all, one) = (report(None), report(Some(at)));
        assert_eq!(all.digest(), one.digest());
        assert_eq!(
            one.said,
            [
                "SCORE, ARPANET: from 184 ms at 40 octets to 318 ms at 125, then from 541 ms at 125 octets to 608 ms at 256; 3.30 times."
            ]
        );
        let strong = |r: &Report| {
            let marks = r.figure.panels.iter().flat_map(|p| &p.marks);
            marks.filter(|m| matches!(m.shape, Shape::Line { strong: true, .. })).count()
        };
        assert_eq!((strong(&all), strong(&one)), (0, 2));
        assert_eq!(one.readout.rows.iter().filter(|r| matches!(r.role, Role::Series(_))).count(), 2);
        let Picks::Across { columns, y, .. } = &one.picks else { panic!() };
        assert_eq!((columns[at], y[at]), (1, 608.0));
        assert!(report(Some(99)).said.is_empty());
    }

    #[test]
    fn claims_stand_with_their_counts() {
        let table = claims_table();
        assert_eq!(table.rows.len(), claims().len());
        assert_eq!(table.rows[1].cells[2], "11 of 30");
        assert!(table.rows.iter().all(|r| r.cells.len() == table.columns.len()));
    }
}

//! The printed lines of RFC 889, section 2.1, all 30 of them: six small figures, a table, the claims.

use super::figure::{front, scale};
use super::readout::{bps, four};
use crate::delay::printed::{Recomputed, claims, ratio, recompute, segments};
use crate::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Shape, Ticks,
};
use crate::report::{Heading, Report, Table, TableRow};
use crate::rto::printed::{DelayLine, SECTIONS, Segment, lines};

/// Small multiples of the six groups.
const ACROSS: usize = 3;

/// The report: figure, the table of the lines, and every number of them.
pub fn report() -> Report {
    Report { figure: figure(), readout: table(), numbers: numbers(), ..Report::default() }
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

fn figure() -> Figure {
    let top = 1.04 * lines().iter().flat_map(segments).map(|s| s.delay_ms.1).fold(0.0, f64::max);
    let axis = |first: bool| {
        let mut axis = Axis::new("packet length, octets", (30.0, 330.0));
        "octets".clone_into(&mut axis.short_label);
        axis.ticks = Ticks::At([40, 125, 256].map(|l| (f64::from(l), l.to_string())).to_vec());
        Column { width: Extent::Share(1.0), gap: if first { (40.0, 30.0) } else { (16.0, 8.0) }, axis }
    };
    let rows = SECTIONS.len().div_ceil(ACROSS);
    let panels = SECTIONS.iter().enumerate().map(|(i, section)| {
        let title = Shape::Text {
            x: 36.0,
            y: 0.95 * top,
            text: section.title.to_owned(),
            narrow: section.title.to_owned(),
            anchor: Anchor::Start,
            strong: true,
        };
        let group: Vec<&DelayLine> = lines().iter().filter(|l| l.section == *section).collect();
        let mut marks = vec![Mark { layer: Layer::Ground, role: Role::Ink, shape: title }];
        marks.extend(group.iter().flat_map(|l| small(l)));
        marks.extend(names(&group, 0.08 * top));
        Panel { column: i % ACROSS, row: i / ACROSS, marks }
    });
    Figure {
        columns: (0..ACROSS).map(|i| axis(i == 0)).collect(),
        rows: (0..rows).map(|_| scale("one-way delay, ms", (0.0, top), 0.9)).collect(),
        panels: panels.collect(),
        alt: "The 30 printed lines of delay against length in six groups: paths through the ARPANET have two each, with a jump at 126 octets; the others have one.".to_owned(),
    }
}

/// One row's lines.
fn small(line: &DelayLine) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (i, s) in segments(line).enumerate() {
        let (x, y): (Data, Data) =
            (vec![s.octets.0, s.octets.1].into(), vec![s.delay_ms.0, s.delay_ms.1].into());
        marks.push(front(Role::Printed, Shape::Points { x: x.clone(), y: y.clone(), glyph: Glyph::Square }));
        let line = Shape::Line { x, y, step: false, strong: false, end: String::new() };
        marks.push(front(Role::Series(i), line));
    }
    marks
}

/// The hosts at the ends of their lines, from the lowest up, those left out that would be written over
/// another.
fn names(group: &[&DelayLine], room: f64) -> Vec<Mark> {
    let mut ends: Vec<(f64, &'static str)> =
        group.iter().map(|l| (l.long.unwrap_or(l.short).delay_ms.1, l.host)).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut last = f64::NEG_INFINITY;
    ends.retain(|(at, _)| {
        let free = at - last >= room;
        if free {
            last = *at;
        }
        free
    });
    let word = |(y, host): (f64, &str)| {
        let (text, narrow) = (host.to_owned(), String::new());
        front(Role::Ink, Shape::Text { x: 264.0, y, text, narrow, anchor: Anchor::Start, strong: false })
    };
    ends.into_iter().map(word).collect()
}

/// A row a segment: delays and rate as printed, the rate worked out again with its rounding interval.
pub fn table() -> Table {
    let heading = |title, unit| Heading { title, unit };
    let mut rows = Vec::new();
    for line in lines() {
        let of = segments(line).count();
        for (i, s) in segments(line).enumerate() {
            let head = if i == 0 { line.host.to_owned() } else { format!("{}, longer", line.host) };
            rows.push(TableRow { head, role: Role::Printed, cells: cells(line, s, i + 1 == of) });
        }
    }
    Table {
        caption: "RFC 889, section 2.1: the printed lines, and each rate worked out again".to_owned(),
        head: "Host".to_owned(),
        columns: vec![
            heading("Lengths", "octets"),
            heading("Delay at the short end", "ms"),
            heading("at the long end", "ms"),
            heading("Rate printed", "bit/s"),
            heading("8000·ΔL/Δd", "bit/s"),
            heading("for delays ½ ms off", "bit/s"),
            heading("Slope", "ms/octet"),
            heading("256 over 40 octets", ""),
            heading("Remark", ""),
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
    let heading = |title, unit| Heading { title, unit };
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
                head: if c.quote.is_empty() { "(not said)".to_owned() } else { c.quote.to_owned() },
                role: Role::Printed,
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
    fn every_printed_line_has_its_row_and_its_mark() {
        let report = report();
        assert_eq!(report.readout.rows.len(), 49);
        assert!(report.readout.rows.iter().all(|r| r.cells.len() == report.readout.columns.len()));
        let drawn = report.figure.panels.iter().flat_map(|p| &p.marks);
        assert_eq!(drawn.filter(|m| matches!(m.shape, Shape::Line { .. })).count(), 49);
        assert_eq!((report.figure.panels.len(), report.figure.rows.len()), (6, 2));
        assert_eq!(report.numbers.len(), 49 * 4 + 2 * claims().len());
        let score = report.readout.rows.iter().find(|r| r.head == "SCORE").unwrap();
        assert_eq!(&score.cells[..6], ["40 to 125", "184", "318", "5088", "5075", "5037 to 5113"]);
    }

    #[test]
    fn claims_stand_with_their_counts() {
        let table = claims_table();
        assert_eq!(table.rows.len(), claims().len());
        assert_eq!(table.rows[1].cells[2], "11 of 30");
        assert!(table.rows.iter().all(|r| r.cells.len() == table.columns.len()));
    }
}

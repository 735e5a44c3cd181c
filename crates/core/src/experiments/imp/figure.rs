//! The time-space diagram: the printed table is the diagram, arrows run between its two columns.
//!
//! ```text
//!  1  MSG(i) sent     |──╲             |
//!  2  MSG(i+1) sent   |───╲────────────×  MSG(i+1) arr   rejected
//! ```
//!
//! Time goes downward, a row a line of the table, steps not to scale: row r lies at y = −r. The
//! source stands at x = 0, the destination at x = 1.

use super::Side;
use crate::figure::{
    Anchor, Arrow, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Shape,
    Ticks,
};
use crate::imp::sequence::{Event, Run, columns};
use crate::imp::{Disposition, Pdu, Scheme, Site};

/// Where things stand across: row numbers, the source's entries, the destination's, what becomes of
/// a message; and the panel's sides.
const NUMBERS: f64 = -0.95;
const SOURCE: f64 = -0.85;
const DESTINATION: f64 = 1.06;
const FATE: f64 = 1.62;
const SIDES: (f64, f64) = (-1.1, 2.0);

/// How far an arrow of what has not arrived goes.
const UNDER_WAY: f64 = 0.35;

pub(super) fn figure(sides: &[Side], current: Option<usize>) -> Figure {
    let tables: Vec<_> = sides.iter().map(|s| columns(&s.run)).collect();
    let rows = tables.iter().map(|(lines, _)| lines.len()).max().unwrap_or(0);
    let axis = |range| Axis { ticks: Ticks::None, ..Axis::new("", range) };
    let column = || Column { width: Extent::Share(1.0), gap: (24.0, 8.0), axis: axis(SIDES) };
    let panels = sides.iter().zip(&tables).enumerate().map(|(i, (side, (lines, places)))| {
        let shown = current.map_or(side.run.events.len(), |c| c + 1);
        Panel { column: i, row: 0, marks: marks(side, places, lines.len(), shown) }
    });
    Figure {
        columns: sides.iter().map(|_| column()).collect(),
        rows: vec![Row {
            height: Extent::Share(1.0),
            kind: RowKind::Scale(axis((-(rows as f64) + 0.4, 0.6))),
        }],
        panels: panels.collect(),
        alt: alt(sides),
    }
}

fn marks(side: &Side, places: &[usize], rows: usize, shown: usize) -> Vec<Mark> {
    let y = |event: usize| -(places[event] as f64);
    let mut marks = Vec::new();
    for x in [0.0, 1.0] {
        let ends: Data = vec![0.6, -(rows as f64) + 0.4].into();
        let shape =
            Shape::Line { x: vec![x, x].into(), y: ends, step: false, strong: false, end: String::new() };
        marks.push(Mark { layer: Layer::Ground, role: Role::Quiet, shape });
    }
    arrows(&mut marks, &side.run, &y, shown);
    for row in 0..rows {
        let text = (row + 1).to_string();
        marks.push(word(Role::Quiet, (NUMBERS, -(row as f64)), text, Anchor::End));
    }
    for (i, event) in side.run.events.iter().enumerate() {
        let later = |role| if i < shown { role } else { Role::Quiet };
        // What becomes of a message has a place of its own.
        let entry = event.entry(Scheme::Current).to_string();
        let x = match event.site {
            Site::Source => SOURCE,
            Site::Destination => DESTINATION,
        };
        marks.push(word(later(Role::Ink), (x, y(i)), entry, Anchor::Start));
        let Some(disposition) = event.disposition else {
            if event.is_retransmission() {
                marks.push(word(later(Role::Alarm), (-0.05, y(i)), "again".to_owned(), Anchor::End));
            }
            continue;
        };
        let (role, glyph) = match disposition {
            Disposition::Output => (Role::Ink, Glyph::Dot),
            Disposition::Stored => (Role::Ink, Glyph::Square),
            Disposition::Rejected | Disposition::Dropped => (Role::Alarm, Glyph::Cross),
        };
        let shape = Shape::Points { x: vec![1.0].into(), y: vec![y(i)].into(), glyph };
        marks.push(Mark { layer: Layer::Front, role: later(role), shape });
        let fate = if disposition == Disposition::Output { "to host" } else { disposition.name() };
        marks.push(word(later(role), (FATE, y(i)), fate.to_owned(), Anchor::Start));
    }
    marks
}

/// The kinds of arrow: messages, messages sent again, RFNMs, ALLs.
const KINDS: [(Role, Arrow); 4] = [
    (Role::Series(0), Arrow::Filled),
    (Role::Alarm, Arrow::Double),
    (Role::Series(2), Arrow::Open),
    (Role::Series(1), Arrow::Dashed),
];

fn kind(pdu: Pdu, again: bool) -> usize {
    match (pdu, again) {
        (Pdu::Msg, false) => 0,
        (Pdu::Msg, true) => 1,
        (Pdu::Rfnm, _) => 2,
        (Pdu::All, _) => 3,
    }
}

/// Arrows that begin with an event shown, and those that begin later, kind by kind.
fn arrows(marks: &mut Vec<Mark>, run: &Run, y: &dyn Fn(usize) -> f64, shown: usize) {
    // A PDU's kind, its sending, and its arrival if it has one.
    let arrived = run
        .events
        .iter()
        .enumerate()
        .filter_map(|(i, e)| Some((kind(e.pdu, e.again), e.pdu, e.sent?, Some(i))));
    let under_way = run.flight.iter().map(|f| (kind(f.pdu, f.again), f.pdu, f.sent, None));
    let all: Vec<_> = arrived.chain(under_way).collect();
    for later in [true, false] {
        for (k, (role, arrow)) in KINDS.into_iter().enumerate() {
            let (mut x0, mut y0, mut x1, mut y1) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for &(_, pdu, sent, arrived) in all.iter().filter(|a| a.0 == k && (a.2 >= shown) == later) {
                let (from, to) = if pdu == Pdu::Msg { (0.0, 1.0) } else { (1.0, 0.0) };
                let arrived = arrived.filter(|i| later || *i < shown);
                x0.push(from);
                y0.push(y(sent));
                if let Some(i) = arrived {
                    x1.push(to);
                    y1.push(y(i));
                } else {
                    x1.push(from + (to - from) * UNDER_WAY);
                    y1.push(y(sent) - UNDER_WAY);
                }
            }
            if !x0.is_empty() {
                let shape = Shape::Arrows { from: (x0.into(), y0.into()), to: (x1.into(), y1.into()), arrow };
                let role = if later { Role::Quiet } else { role };
                marks.push(Mark { layer: Layer::Front, role, shape });
            }
        }
    }
}

fn word(role: Role, (x, y): (f64, f64), text: String, anchor: Anchor) -> Mark {
    let shape = Shape::Text { x, y, narrow: text.clone(), text, anchor, strong: false };
    Mark { layer: Layer::Front, role, shape }
}

fn alt(sides: &[Side]) -> String {
    let told: Vec<String> = sides
        .iter()
        .map(|s| {
            let count = |f: fn(&Event) -> bool| s.run.events.iter().filter(|e| f(e)).count();
            let end = if s.run.deadlock { ", and nothing can move any more" } else { "" };
            format!(
                "under {} {} are rejected and {} sent again{end}",
                s.scheme.name(),
                count(Event::is_rejection),
                s.run.retransmitted.len()
            )
        })
        .collect();
    format!("Messages between two IMPs, step by step: {}.", told.join("; "))
}

#[cfg(test)]
mod tests {
    use super::super::sides;
    use super::*;
    use crate::imp::Word;
    use crate::imp::sequence::{Scenario, Setup};

    fn of(current: Option<usize>) -> (Run, Vec<Mark>) {
        let items = vec!["dst MSG 1".parse().unwrap(), "dst MSG 0".parse().unwrap()];
        let setup = Setup { rounds: 2, ..Setup::default() };
        let sides = sides(&Scenario { setup, items, ..Scenario::default() }).unwrap();
        let figure = figure(&sides, current);
        assert_eq!(
            figure.alt,
            "Messages between two IMPs, step by step: under current 4 are rejected and 2 sent again."
        );
        (sides[0].run.clone(), figure.panels[0].marks.clone())
    }

    #[test]
    fn every_pdu_has_an_arrow_and_every_event_a_word() {
        let (run, marks) = of(None);
        let arrows: usize = marks
            .iter()
            .filter_map(|m| if let Shape::Arrows { from, .. } = &m.shape { Some(from.0.len()) } else { None })
            .sum();
        assert_eq!(arrows, run.events.iter().filter(|e| e.word == Word::Sent).count());
        for event in &run.events {
            let entry = event.entry(Scheme::Current).to_string();
            assert!(
                marks.iter().any(|m| matches!(&m.shape, Shape::Text { text, .. } if *text == entry)),
                "{entry}"
            );
        }
    }

    #[test]
    fn what_comes_later_is_quiet() {
        let (_, marks) = of(Some(1));
        let loud = marks.iter().filter(|m| m.role != Role::Quiet);
        // Two entries, and one set of arrows: both messages under way.
        assert_eq!(loud.count(), 3);
    }
}

//! The time-space diagram: the printed table is the diagram, arrows run between its two columns.
//!
//! ```text
//!  1  MSG(i) sent     |──╲             |
//!  2  MSG(i+1) sent   |───╲────────────×  MSG(i+1) arr   rejected
//! ```
//!
//! Time goes downward, a row a line of the table, steps not to scale: row r lies at y = −r. A side has
//! three columns: the source's entries, the arrows from x = 0 to x = 1, the destination's entries.
//!
//! What an RFC prints is set as printed, slips included; what it leaves out and follows is inferred;
//! the rest is computed.

use super::Side;
use crate::figure::{
    Anchor, Arrow, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Shape,
    Ticks,
};
use crate::imp::sequence::{Event, Run, columns};
use crate::imp::{Disposition, Pdu, Scheme, Site, printed};
use crate::report::Sample;

/// The height of a line of the table, CSS pixels.
const LINE: f64 = 17.0;
/// The width of a letter of an entry, wide and narrow.
const LETTER: (f64, f64) = (7.3, 7.2);
/// Left of a source's entry, where row numbers stand; and of a destination's.
const BEFORE: (f64, f64) = (30.0, 19.0);
const AFTER_LINE: (f64, f64) = (14.0, 9.0);
/// Right of an entry: room for `again`, and for what becomes of a message.
const AGAIN: f64 = 40.0;
const FATE: f64 = 98.0;
/// Between sides.
const BETWEEN: f64 = 44.0;

/// How far an arrow of what has not arrived goes.
const UNDER_WAY: f64 = 0.35;

/// A side, laid out: the row of each event, how many rows there are, and what is printed of it.
struct Laid<'a> {
    run: &'a Run,
    rows: usize,
    places: Vec<usize>,
    printed: Option<&'static printed::Table>,
    /// Events before this one have happened.
    shown: usize,
    /// The event looked at.
    current: Option<usize>,
}

pub(super) fn figure(sides: &[Side], current: Option<usize>) -> Figure {
    let laid: Vec<Laid<'_>> = sides
        .iter()
        .map(|side| {
            let (lines, places) = columns(&side.run);
            let last = side.run.events.len().saturating_sub(1);
            Laid {
                run: &side.run,
                rows: lines.len(),
                places,
                printed: side.printed(),
                shown: current.map_or(last, |c| c.min(last)) + 1,
                current: current.map(|c| c.min(last)),
            }
        })
        .collect();
    let rows = laid.iter().map(|l| l.rows).max().unwrap_or(0);
    let letters = letters(&laid);
    let tall = LINE * rows as f64;
    Figure {
        columns: (0..sides.len()).flat_map(|i| widths(i, letters)).collect(),
        rows: vec![Row {
            height: Extent::Px(tall, tall),
            kind: RowKind::Scale(bare((-(rows as f64) + 0.5, 0.5))),
        }],
        panels: laid.iter().enumerate().flat_map(|(i, side)| panels(side, 3 * i, letters)).collect(),
        alt: alt(sides),
    }
}

fn bare(range: (f64, f64)) -> Axis {
    Axis { ticks: Ticks::None, ..Axis::new("", range) }
}

/// The letters of the longest entry.
fn letters(laid: &[Laid<'_>]) -> f64 {
    let entries = laid.iter().flat_map(|l| l.run.events.iter().map(|e| e.entry(Scheme::Current).to_string()));
    entries.map(|e| e.len()).max().unwrap_or(0).max(13) as f64
}

/// The three columns of a side. The first and the last count in pixels of the wide figure.
fn widths(side: usize, letters: f64) -> [Column; 3] {
    let entry = (LETTER.0 * letters, LETTER.1 * letters);
    let left = (BEFORE.0 + entry.0 + AGAIN, BEFORE.1 + entry.1);
    let right = (AFTER_LINE.0 + entry.0 + FATE, AFTER_LINE.1 + entry.1);
    let gap = if side == 0 { 0.0 } else { BETWEEN };
    [
        Column { width: Extent::Px(left.0, left.1), gap: (gap, 0.0), axis: bare((0.0, 1.0)) },
        Column { width: Extent::Share(1.0), gap: (0.0, 0.0), axis: bare((-0.02, 1.02)) },
        Column { width: Extent::Px(right.0, right.1), gap: (0.0, 0.0), axis: bare((0.0, 1.0)) },
    ]
}

fn panels(side: &Laid<'_>, first: usize, letters: f64) -> [Panel; 3] {
    let [source, _, destination] = widths(0, letters).map(|c| match c.width {
        Extent::Px(wide, _) => wide,
        Extent::Share(_) => 1.0,
    });
    let mut marks = [Vec::new(), Vec::new(), Vec::new()];
    if let Some(row) = side.current.and_then(|c| side.places.get(c)) {
        let at = -(*row as f64);
        let shape = Shape::Band { from: at - 0.5, to: at + 0.5, along_y: true };
        for panel in &mut marks {
            panel.push(Mark { layer: Layer::Front, role: Role::Ink, shape: shape.clone() });
        }
    }
    let [left, middle, right] = &mut marks;
    for x in [0.0, 1.0] {
        let ends: Data = vec![0.5, -(side.rows as f64) + 0.5].into();
        let shape =
            Shape::Line { x: vec![x, x].into(), y: ends, step: false, strong: false, end: String::new() };
        middle.push(Mark { layer: Layer::Front, role: Role::Quiet, shape });
    }
    arrows(middle, side);
    for row in 0..side.rows {
        let now = side.current.is_some_and(|c| side.places.get(c) == Some(&row));
        let role = if now { Role::Ink } else { Role::Quiet };
        left.push(words(role, (0.0, -(row as f64)), [(row + 1).to_string(), (row + 1).to_string()], now));
    }
    for (i, event) in side.run.events.iter().enumerate() {
        let is_shown = i < side.shown;
        let y = -(side.places[i] as f64);
        let Entry { text, fate, is_printed } = side.entry(i, event);
        let role = match (is_printed, is_shown) {
            (true, _) => Role::Printed,
            (false, true) => Role::Ink,
            (false, false) => Role::Quiet,
        };
        let strong = is_printed && is_shown;
        match event.site {
            Site::Source => {
                left.push(words(role, (BEFORE.0 / source, y), [text.clone(), text], strong));
                if event.is_retransmission() {
                    let role = if is_shown { Role::Alarm } else { Role::Quiet };
                    let x = 1.0 - (AGAIN - 4.0) / source;
                    left.push(words(role, (x, y), ["again".to_owned(), String::new()], false));
                }
            }
            Site::Destination => {
                right.push(words(role, (AFTER_LINE.0 / destination, y), [text.clone(), text], strong));
            }
        }
        let Some(disposition) = event.disposition else { continue };
        let (role, glyph) = look(disposition);
        let role = if is_shown { role } else { Role::Quiet };
        let shape = Shape::Points { x: vec![1.0].into(), y: vec![y].into(), glyph };
        middle.push(Mark { layer: Layer::Front, role, shape });
        let (role, fate) = match fate {
            Some(printed) => (Role::Printed, printed),
            None if is_printed => (Role::Inferred, said(disposition).to_owned()),
            None => (role, said(disposition).to_owned()),
        };
        let x = 1.0 - (FATE - 10.0) / destination;
        right.push(words(role, (x, y), [fate, String::new()], false));
    }
    let [left, middle, right] = marks;
    [(0, left), (1, middle), (2, right)].map(|(c, marks)| Panel { column: first + c, row: 0, marks })
}

/// What stands in a column for an event.
struct Entry {
    text: String,
    /// What a source prints of what becomes of it.
    fate: Option<String>,
    is_printed: bool,
}

impl Laid<'_> {
    fn entry(&self, index: usize, event: &Event) -> Entry {
        let line = self.printed.and_then(|t| t.lines.get(self.places[index]));
        let text = line.map_or("", |l| match event.site {
            Site::Source => l.source,
            Site::Destination => l.destination,
        });
        if text.is_empty() {
            return Entry { text: event.entry(Scheme::Current).to_string(), fate: None, is_printed: false };
        }
        let (text, fate) = match text.split_once(" (").filter(|(head, _)| head.contains("arr")) {
            Some((head, fate)) => (head, Some(fate.trim_end_matches(')').to_owned())),
            None => (text, None),
        };
        Entry { text: text.to_owned(), fate, is_printed: true }
    }
}

fn look(disposition: Disposition) -> (Role, Glyph) {
    match disposition {
        Disposition::Output => (Role::Ink, Glyph::Disc),
        Disposition::Stored => (Role::Ink, Glyph::Square),
        Disposition::Rejected | Disposition::Dropped => (Role::Alarm, Glyph::Cross),
    }
}

fn said(disposition: Disposition) -> &'static str {
    match disposition {
        Disposition::Output => "to host",
        other => other.name(),
    }
}

/// The kinds of arrow: messages, messages sent again, RFNMs, ALLs.
const KINDS: [(Role, Arrow, &str); 4] = [
    (Role::Series(0), Arrow::Filled, "message"),
    (Role::Alarm, Arrow::Double, "sent again"),
    (Role::Series(2), Arrow::Open, "RFNM"),
    (Role::Series(1), Arrow::Dashed, "ALL"),
];

/// What arrows and marks mean.
pub(super) fn legend() -> Vec<(Sample, &'static str)> {
    let arrows = KINDS.map(|(role, arrow, means)| (Sample::Arrow(role, arrow), means));
    let marks = [Disposition::Rejected, Disposition::Stored, Disposition::Output].map(|d| {
        let (role, glyph) = look(d);
        (Sample::Glyph(role, glyph), said(d))
    });
    arrows.into_iter().chain(marks).collect()
}

fn kind(pdu: Pdu, again: bool) -> usize {
    match (pdu, again) {
        (Pdu::Msg, false) => 0,
        (Pdu::Msg, true) => 1,
        (Pdu::Rfnm, _) => 2,
        (Pdu::All, _) => 3,
    }
}

/// Arrows that begin later, and those that begin with an event shown, kind by kind.
fn arrows(marks: &mut Vec<Mark>, side: &Laid<'_>) {
    let run = side.run;
    let y = |event: usize| -(side.places[event] as f64);
    // A PDU's kind, its sending, and its arrival if it has one.
    let arrived = run
        .events
        .iter()
        .enumerate()
        .filter_map(|(i, e)| Some((kind(e.pdu, e.again), e.pdu, e.sent?, Some(i))));
    let under_way = run.flight.iter().map(|f| (kind(f.pdu, f.again), f.pdu, f.sent, None));
    let all: Vec<_> = arrived.chain(under_way).collect();
    for later in [true, false] {
        for (k, (role, arrow, _)) in KINDS.into_iter().enumerate() {
            let (mut x0, mut y0, mut x1, mut y1) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for &(_, pdu, sent, arrived) in all.iter().filter(|a| a.0 == k && (a.2 >= side.shown) == later) {
                let (from, to) = if pdu == Pdu::Msg { (0.0, 1.0) } else { (1.0, 0.0) };
                let arrived = arrived.filter(|i| later || *i < side.shown);
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
                let (from, to) = ((x0.into(), y0.into()), (x1.into(), y1.into()));
                let shape = Shape::Arrows { from, to, arrow, faint: later };
                marks.push(Mark { layer: Layer::Front, role, shape });
            }
        }
    }
}

fn words(role: Role, (x, y): (f64, f64), [text, narrow]: [String; 2], strong: bool) -> Mark {
    let shape = Shape::Text { x, y, narrow, text, anchor: Anchor::Start, strong };
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
    use crate::imp::sequence::{Disturbances, Scenario, Setup};

    fn of(beside: Option<Scheme>, current: Option<usize>) -> (Vec<Side>, Figure) {
        let setup = Setup { rounds: 5, beside, ..Setup::default() };
        let disturbances = Disturbances { overtakes: vec![1], ..Disturbances::default() };
        let sides = sides(&Scenario { setup, disturbances, ..Scenario::default() }).unwrap();
        let figure = figure(&sides, current);
        (sides, figure)
    }

    fn texts(figure: &Figure, side: usize, role: Role) -> Vec<&str> {
        let panels = figure.panels.iter().filter(|p| p.column / 3 == side);
        let marks = panels.flat_map(|p| &p.marks).filter(|m| m.role == role);
        marks
            .filter_map(|m| if let Shape::Text { text, .. } = &m.shape { Some(text.as_str()) } else { None })
            .collect()
    }

    #[test]
    fn every_pdu_has_an_arrow_and_every_event_a_word() {
        let (sides, figure) = of(None, None);
        let arrows = figure.panels.iter().flat_map(|p| &p.marks).filter_map(|m| match &m.shape {
            Shape::Arrows { from, .. } => Some(from.0.len()),
            _ => None,
        });
        let events = &sides[0].run.events;
        assert_eq!(arrows.sum::<usize>(), events.iter().filter(|e| e.word == Word::Sent).count());
        assert_eq!(texts(&figure, 0, Role::Printed).len(), events.len());
        assert_eq!(
            figure.alt,
            "Messages between two IMPs, step by step: under current 7 are rejected and 5 sent again."
        );
    }

    #[test]
    fn slips_stand_as_printed_and_what_is_left_out_is_inferred() {
        let (_, figure) = of(Some(Scheme::Modified1), None);
        let printed = texts(&figure, 0, Role::Printed);
        assert!(printed.contains(&"ALL(i+4) ent") && printed.contains(&"ALL(i+5)"));
        // Table 1 says nothing of what becomes of a message; Table 2 does.
        assert_eq!(texts(&figure, 0, Role::Inferred)[..2], ["rejected", "to host"]);
        assert!(texts(&figure, 1, Role::Printed).contains(&"HOST output"));
        assert!(texts(&figure, 1, Role::Inferred).is_empty());
        // Table 2 ends sooner than the run.
        assert!(texts(&figure, 1, Role::Ink).contains(&"MSG(i+6) sent"));
    }

    #[test]
    fn what_comes_later_is_faint_and_the_step_shown_is_marked() {
        let (_, figure) = of(None, Some(1));
        let marks: Vec<&Mark> = figure.panels.iter().flat_map(|p| &p.marks).collect();
        let bright = marks.iter().filter(|m| matches!(m.shape, Shape::Arrows { faint: false, .. }));
        // Both messages under way are one set of arrows.
        assert_eq!(bright.count(), 1);
        let strong = marks.iter().filter_map(|m| match &m.shape {
            Shape::Text { text, strong: true, .. } => Some(text.as_str()),
            _ => None,
        });
        assert!(strong.eq(["2", "MSG(i) sent", "MSG(i+1) sent"]));
        let bands = marks.iter().filter(|m| matches!(m.shape, Shape::Band { from: -1.5, to: -0.5, .. }));
        assert_eq!(bands.count(), 3);
    }
}

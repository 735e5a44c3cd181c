//! The `imp` cell: a run of the flow control, stepped; one scheme, or two on the same disturbance.

mod figure;
mod holders;

use super::{Entry, Experiment, boxed};
use crate::figure::Role;
use crate::imp::scheme::Scheme;
use crate::imp::sequence::{Event, Pause, Run, Scenario, columns, narrate};
use crate::imp::{Disposition, Message, Pdu, Relative, Site, Word, printed};
use crate::report::{Frame, FrameColumn, Heading, Part, Report, RunError, Table, TableRow, Values};

pub(super) const ENTRY: Entry = Entry {
    kind: "imp",
    title: "IMP sequence",
    fresh: "scheme = \"current\"\nbeside = \"modified-1\"\nrounds = 5\novertakes = [1]\n",
    needs_trace: false,
    follows_row: true,
    is_wide: true,
    make: boxed::<Scenario>,
};

impl Experiment for Scenario {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }
}

/// A run under one scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    pub scheme: Scheme,
    pub run: Run,
}

impl Side {
    /// The table of RFC 632 that it begins with, line for line. `None`: it is none that is printed.
    fn printed(&self) -> Option<&'static printed::Table> {
        let begins = |t: &&printed::Table| self.run.events.starts_with(&t.run().events);
        printed::tables().iter().filter(|t| t.scheme == self.scheme).find(begins)
    }
}

/// Runs the scenario, and beside it the second scheme if one is named.
pub fn sides(scenario: &Scenario) -> Result<Vec<Side>, RunError> {
    let schemes = [Some(scenario.setup.scheme), scenario.setup.beside];
    let side = |scheme: Scheme| {
        let run = scenario.under(scheme).run().map_err(|e| RunError::Scenario { message: e.to_string() })?;
        Ok(Side { scheme, run })
    };
    schemes.into_iter().flatten().map(side).collect()
}

/// The report of a scenario. `current` is the event shown, by its place; beyond the end, and for
/// `None`, it is the last. It changes the figure and the counts "so far", nothing else.
pub fn run(scenario: &Scenario, current: Option<usize>) -> Result<Report, RunError> {
    let sides = sides(scenario)?;
    Ok(Report {
        numbers: numbers(&sides),
        readout: readout(&sides, current),
        figure: figure::figure(&sides, current),
        parts: parts(&sides, current),
        legend: figure::legend().into_iter().map(|(sample, means)| (sample, means.into())).collect(),
        stops: stops(&sides),
        frame: frame(&sides),
        steps: sides.iter().map(|s| s.run.events.len()).max().unwrap_or(0),
        said: said(&sides, current),
        remarks: remarks(&sides),
        ..Report::default()
    })
}

/// Which events a row of the readout counts.
type Counted = (&'static str, fn(&Event) -> bool);

const COUNTS: [Counted; 4] = [
    ("sent for the first time", |e| e.pdu == Pdu::Msg && e.word == Word::Sent && !e.again),
    ("sent again", Event::is_retransmission),
    ("rejected", Event::is_rejection),
    ("deleted", |e| e.word == Word::Deleted),
];

fn readout(sides: &[Side], current: Option<usize>) -> Table {
    let columns =
        sides.iter().flat_map(|s| ["so far", "at the end"].map(|unit| Heading::new(s.scheme.name(), unit)));
    let rows = COUNTS.iter().map(|(head, is)| {
        let count = |events: &[Event]| events.iter().filter(|e| is(e)).count().to_string();
        let cells = sides.iter().flat_map(|s| {
            let events = &s.run.events;
            let shown = current.map_or(events.len(), |c| (c + 1).min(events.len()));
            [count(&events[..shown]), count(events)]
        });
        TableRow { head: (*head).to_owned(), role: Role::Ink, cells: cells.collect() }
    });
    Table {
        caption: "Messages, so far and at the end".to_owned(),
        head: "Messages".to_owned(),
        columns: columns.collect(),
        rows: rows.collect(),
    }
}

/// The event shown of a side, by its place; its last where none is.
fn shown(side: &Side, current: Option<usize>) -> Option<usize> {
    let last = side.run.events.len().checked_sub(1)?;
    Some(current.map_or(last, |c| c.min(last)))
}

fn said(sides: &[Side], current: Option<usize>) -> Vec<String> {
    let each = sides.iter().filter_map(|s| Some((s, shown(s, current)?)));
    each.map(|(s, at)| format!("{}: {}", s.scheme.name(), narrate(&s.run, s.scheme, at))).collect()
}

/// The head of each side, and what both IMPs hold after the event shown.
fn parts(sides: &[Side], current: Option<usize>) -> Vec<Part> {
    let rows = |side: &Side| sequence_rows(&side.run).max(1) as f64;
    let most = sides.iter().map(rows).fold(1.0, f64::max);
    let part = |side: &Side| Part {
        share: rows(side) / most,
        title: side.scheme.title().to_owned(),
        gist: side.scheme.gist().into(),
        printed: side.printed().map_or("", |t| t.place).into(),
        holders: shown(side, current).map_or_else(Vec::new, |at| holders::holders(side, at)),
    };
    sides.iter().map(part).collect()
}

/// How many rows a run's table has.
fn sequence_rows(run: &Run) -> usize {
    columns(run).0.len()
}

/// Where each side has its first rejection and retransmission, and its deadlock.
fn stops(sides: &[Side]) -> Vec<(String, usize)> {
    const PAUSES: [(&str, Pause); 3] = [
        ("first rejection", Pause::Rejection),
        ("first retransmission", Pause::Retransmission),
        ("deadlock", Pause::Deadlock),
    ];
    let each = PAUSES.iter().flat_map(|(name, pause)| sides.iter().map(move |s| (*name, *pause, s)));
    each.filter_map(|(name, pause, side)| {
        let under = if sides.len() > 1 { format!(", {}", side.scheme.name()) } else { String::new() };
        Some((format!("{name}{under}"), side.run.first(pause)?))
    })
    .collect()
}

/// Counts, and a checksum over every event, so that none can differ unseen.
fn numbers(sides: &[Side]) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    for (side, letter) in sides.iter().zip(["a", "b"]) {
        let mut put = |name: &str, value: f64| all.push((format!("{letter}.{name}"), value));
        let events = &side.run.events;
        put("events", events.len() as f64);
        for (name, is) in COUNTS {
            put(&name.replace(' ', "-"), events.iter().filter(|e| is(e)).count() as f64);
        }
        put("deadlock", f64::from(u8::from(side.run.deadlock)));
        put("checksum", checksum(events));
    }
    all
}

/// FNV-1a over all that an event says, cut to what a number holds exactly.
fn checksum(events: &[Event]) -> f64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for e in events {
        let Message { source, number } = e.message;
        let disposition = e.disposition.map_or(0, |d| d as u64 + 1);
        let kind = [e.site as u64, e.pdu as u64, e.word as u64, disposition, u64::from(e.again)];
        for part in kind.into_iter().chain([e.step as u64, u64::from(source), u64::from(number)]) {
            hash = (hash ^ part).wrapping_mul(0x0100_0000_01b3);
        }
    }
    (hash >> 11) as f64
}

/// Every event of the first side, and then of the second.
fn frame(sides: &[Side]) -> Frame {
    const SIDES: &[&str] = &["a", "b"];
    const SITES: &[&str] = &["src", "dst"];
    const DISPOSITIONS: &[&str] = &["", "output", "stored", "rejected", "dropped"];
    const AGAIN: &[&str] = &["", "again"];
    let events = || sides.iter().flat_map(|s| &s.run.events);
    let numbers = |of: &dyn Fn(&Event) -> f64| Values::Numbers(events().map(of).collect());
    let words = |list, of: &dyn Fn(&Event) -> u8| Values::words(list, events().map(of).collect());
    let column = |title: &str, values| FrameColumn::new(title, "", values);
    let side = sides.iter().enumerate().flat_map(|(i, s)| s.run.events.iter().map(move |_| i as u8));
    let columns = vec![
        column("side", Values::words(SIDES, side.collect())),
        column("step", numbers(&|e| e.step as f64)),
        column("site", words(SITES, &|e| u8::from(e.site == Site::Destination))),
        column("pdu", words(Pdu::NAMES, &|e| e.pdu as u8)),
        column("message", numbers(&|e| f64::from(e.message.number))),
        column("source", numbers(&|e| f64::from(e.message.source))),
        column("word", words(Word::NAMES, &|e| e.word as u8)),
        column("disposition", words(DISPOSITIONS, &|e| e.disposition.map_or(0, |d| d as u8 + 1))),
        column("again", words(AGAIN, &|e| u8::from(e.is_retransmission()))),
    ];
    debug_assert!(Disposition::NAMES.iter().eq(&DISPOSITIONS[1..]));
    Frame { rows: events().count(), columns }
}

fn remarks(sides: &[Side]) -> Vec<String> {
    let mut all = Vec::new();
    for table in sides.iter().filter_map(Side::printed) {
        let slips = table.lines.iter().enumerate().filter(|(_, l)| !l.note.is_empty());
        let slips: Vec<String> = slips.map(|(i, l)| format!("row {}: {}", i + 1, l.note)).collect();
        if !slips.is_empty() {
            all.push(format!("{} is shown as printed, slips included; {}.", table.place, slips.join("; ")));
        }
    }
    if let Some(side) = sides.first().filter(|s| !s.run.idle.is_empty()) {
        let names: Vec<String> = side.run.idle.iter().map(|n| format!("MSG({})", Relative(*n))).collect();
        all.push(format!(
            "What is to disturb {} comes too late or too early: it is not under way in any of the rounds.",
            names.join(", ")
        ));
    }
    for side in sides {
        let Some(last) = side.run.events.len().checked_sub(1) else { continue };
        if side.run.deadlock {
            all.push(format!(
                "Under {} nothing can move any more: nothing is in flight, the host's queue is empty, and messages wait. The last event: {}",
                side.scheme.name(),
                narrate(&side.run, side.scheme, last)
            ));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imp::sequence::{Item, Setup};

    fn scenario(beside: Option<Scheme>) -> Scenario {
        let items = ["dst MSG 1", "dst MSG 0"].map(|t| t.parse::<Item>().unwrap());
        let setup = Setup { rounds: 5, beside, ..Setup::default() };
        Scenario { setup, items: items.to_vec(), ..Scenario::default() }
    }

    #[test]
    fn two_schemes_stand_side_by_side() {
        let report = run(&scenario(Some(Scheme::Modified1)), Some(2)).unwrap();
        let cells: Vec<_> = report.readout.rows.iter().map(|r| r.cells.join(" ")).collect();
        // Three events so far, of both: messages i to i+2 are sent.
        assert_eq!(cells, ["3 9 3 21", "0 5 0 1", "0 7 0 1", "0 0 0 0"]);
        let of = |name: &str| report.numbers.iter().find(|(n, _)| n == name).unwrap().1;
        assert_eq!((of("a.sent-again"), of("b.sent-again"), of("a.deadlock")), (5.0, 1.0, 0.0));
        assert_eq!(report.frame.rows as f64, of("a.events") + of("b.events"));
        assert_eq!(
            (report.frame.text(4, 5), report.frame.text(4, 7)),
            ("0".to_owned(), "rejected".to_owned())
        );
    }

    #[test]
    fn the_event_shown_changes_the_figure_alone() {
        let of = |current| run(&scenario(None), current).unwrap();
        assert_eq!(of(Some(3)).digest(), of(None).digest());
        assert_ne!(of(Some(3)).figure, of(None).figure);
        let last = of(None).steps - 1;
        assert_eq!(of(Some(10_000)).figure, of(Some(last)).figure);
        let mut other = scenario(None);
        other.setup.rounds = 3;
        assert_ne!(run(&other, None).unwrap().digest(), of(None).digest());
    }

    #[test]
    fn a_step_says_what_happens_and_what_is_held() {
        let report = run(&scenario(Some(Scheme::Modified1)), Some(4)).unwrap();
        let events = |name: &str| report.numbers.iter().find(|(n, _)| n == name).unwrap().1;
        assert_eq!(report.steps as f64, events("a.events").max(events("b.events")));
        assert_eq!((report.said.len(), report.parts.len()), (2, 2));
        assert!(
            report.said[0].starts_with("current: MSG(i+1) arrives; the IMP expects i;"),
            "{}",
            report.said[0]
        );
    }

    #[test]
    fn a_deadlock_and_what_cannot_happen_are_said() {
        let mut s = scenario(None);
        s.setup = Setup { scheme: Scheme::Naive, window: 2, sources: 2, buffers: 1, ..s.setup };
        s.items = ["dst MSG 1", "dst MSG 0"].map(|t| t.parse().unwrap()).to_vec();
        assert_eq!(
            run(&s, None).unwrap().remarks,
            [
                "Under naive nothing can move any more: nothing is in flight, the host's queue is empty, and messages wait. The last event: MSG(i+1) of source 1 arrives; the IMP expects i; no buffer is free, so it is discarded and becomes a request for a buffer."
            ]
        );
        s.items.push(Item::Host(None));
        assert!(matches!(run(&s, None), Err(RunError::Scenario { .. })));
    }
}

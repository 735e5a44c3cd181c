//! The `rto` cell: up to four estimators on the same packets.

mod figure;
mod judgement;
mod readout;

pub(super) use figure::time_unit;

use super::{Entry, Experiment, Slots, boxed};
use crate::figure::Data;
use crate::params::{self, Settings, Spec, Value};
use crate::report::{Drag, Frame, FrameColumn, Picks, Report, RunError, Values};
use crate::rto::printed::{self, Run};
use crate::rto::{Kind, Options, Replay, Rule, Summary};
use crate::shared::Shared;
use crate::trace::{Clock, Outcome, Provenance, Trace};
use crate::tree::Keyed;
use std::sync::Arc;

pub(super) const ENTRY: Entry = Entry {
    kind: "rto",
    title: "Retransmission timeout",
    fresh: "trace = \"rfc889/dcn1-local/FOE\"\na = \"mills\"\n",
    needs_trace: true,
    follows_row: false,
    is_wide: false,
    make: boxed::<Setup>,
};

/// What the cell is set to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Setup {
    pub slots: Slots,
    pub options: Options,
    pub show: Show,
}

/// What the figure shows and the readout says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Show {
    /// Every packet, and the columns of RFC 889.
    #[default]
    Packets,
    /// What each timeout is worth.
    Judgement,
}

const SHOW: Spec = Spec::new(
    ("show", "", "show", "The packets one by one, or what each timeout is worth: too soon against too long."),
    params::Kind::Choice(&["packets", "judgement"]),
);

/// The options of the replay, then what is shown.
impl Settings for Setup {
    fn len(&self) -> usize {
        self.options.len() + 1
    }

    fn spec(&self, row: usize) -> &'static Spec {
        if row < self.options.len() { self.options.spec(row) } else { &SHOW }
    }

    fn value(&self, row: usize) -> Value {
        if row < self.options.len() {
            return self.options.value(row);
        }
        Value::Choice(match self.show {
            Show::Packets => "packets",
            Show::Judgement => "judgement",
        })
    }

    fn default_value(&self, row: usize) -> Value {
        if row < self.options.len() { self.options.default_value(row) } else { Value::Choice("packets") }
    }

    fn put(&mut self, row: usize, value: Value) {
        if row < self.options.len() {
            self.options.put(row, value);
        } else {
            self.show = if value == Value::Choice("judgement") { Show::Judgement } else { Show::Packets };
        }
    }

    fn erased(&mut self) -> &mut dyn Settings {
        self
    }
}

impl Experiment for Setup {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn slots(&self) -> Option<&Slots> {
        Some(&self.slots)
    }

    fn slots_mut(&mut self) -> Option<&mut Slots> {
        Some(&mut self.slots)
    }

    fn settled(&self, trace: &Trace, slot: usize) -> Box<dyn Experiment> {
        let mut options = self.options.settled(trace);
        options.karn = options.karn.or(self.slots.get(slot).and_then(Option::as_ref).map(|rule| rule.karn()));
        Box::new(Self { options, ..self.clone() })
    }
}

impl Keyed for Setup {
    fn settings(&self) -> &dyn Settings {
        self
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        self
    }
}

/// One slot's replay.
#[derive(Debug)]
struct Slot<'a> {
    index: usize,
    rule: &'a dyn Rule,
    summary: Summary,
    /// The estimate after the last record; NaN if there is none.
    last: f64,
    timeouts: Data,
    kinds: Vec<Kind>,
}

impl<'a> Slot<'a> {
    fn new(index: usize, rule: &'a dyn Rule, replay: Replay) -> Self {
        let last = replay.estimate.unwrap_or(f64::NAN);
        Self {
            index,
            rule,
            summary: replay.summary,
            last,
            timeouts: replay.timeouts.into(),
            kinds: replay.kinds,
        }
    }

    /// `A` to `D`
    fn letter(&self) -> char {
        char::from(b'A' + u8::try_from(self.index).unwrap_or(0))
    }
}

/// Replays the trace through every slot, and shows what the setting says. `current` is the slot drawn
/// on top; it changes the figure and nothing else.
pub fn run(setup: &Setup, trace: &Shared<Trace>, current: usize) -> Result<Report, RunError> {
    match setup.show {
        Show::Packets => packets(setup, trace, current),
        Show::Judgement => judgement(setup, trace, current),
    }
}

/// Every packet, and the columns of RFC 889.
pub(super) fn packets(setup: &Setup, trace: &Shared<Trace>, current: usize) -> Result<Report, RunError> {
    let slots = replayed(setup, trace)?;
    Ok(Report {
        numbers: numbers(trace, &slots),
        remarks: told(setup, trace, &slots),
        readout: readout::table(&slots, printed_run(trace)),
        figure: figure::figure(trace, &slots, current),
        frame: frame(trace, &slots),
        picks: Picks::Along { x: trace.sent().clone(), y: FRAME_DELAY, lane: 0, scale: 1 },
        drag: Drag::Zoom,
        ..Report::default()
    })
}

/// What each timeout is worth. Every knob's values are replayed for it.
fn judgement(setup: &Setup, trace: &Shared<Trace>, current: usize) -> Result<Report, RunError> {
    let slots = replayed(setup, trace)?;
    let judged = judgement::judged(trace, &slots, &setup.options);
    let mut numbers = numbers(trace, &slots);
    numbers.extend(judgement::numbers(&judged));
    let mut remarks = told(setup, trace, &slots);
    remarks.push(judgement::remark(&judged));
    let (frame, picks) = judgement::frame(&judged);
    Ok(Report {
        numbers,
        remarks,
        readout: judgement::table(&judged),
        figure: judgement::figure(&judged, current),
        frame,
        picks,
        ..Report::default()
    })
}

fn replayed<'a>(setup: &'a Setup, trace: &Trace) -> Result<Vec<Slot<'a>>, RunError> {
    if trace.moments().is_none() && trace.count(Outcome::Lost) == 0 {
        return Err(RunError::NoSamples { trace: trace.name.clone() });
    }
    if let Some(refused) = setup.options.refused(trace) {
        return Err(refused);
    }
    let slots: Vec<Slot<'_>> = (setup as &dyn Experiment)
        .set_slots()
        .map(|(index, rule)| Slot::new(index, rule, rule.replay(trace, &setup.options)))
        .collect();
    if slots.is_empty() { Err(RunError::NoSlots) } else { Ok(slots) }
}

/// What is to be said of the trace, and of timeouts that came to nothing.
fn told(setup: &Setup, trace: &Trace, slots: &[Slot<'_>]) -> Vec<String> {
    let mut all = remarks(trace);
    if setup.options.correct == crate::rto::Correct::Length {
        all.extend(overdone(slots));
    }
    all
}

/// Timeouts that came to nothing because what the length does not explain of a delay was negative.
fn overdone(slots: &[Slot<'_>]) -> impl Iterator<Item = String> {
    let none = |slot: &Slot<'_>| slot.timeouts.iter().filter(|t| **t <= 0.0).count();
    slots.iter().map(move |slot| (slot, none(slot))).filter(|(_, n)| *n > 0).map(|(slot, n)| {
        format!(
            "{}: {n} of {} timeouts come to 0. Without what the line explains, delays lie on both sides of nothing, and this estimator takes what it sees for a delay.",
            slot.letter(),
            slot.timeouts.len()
        )
    })
}

/// The printed row a trace was rebuilt from.
pub fn printed_run(trace: &Trace) -> Option<&'static Run> {
    match &trace.provenance {
        Provenance::Rebuilt { section, run, .. } => printed::find(&format!("rfc889/{section}/{run}")),
        Provenance::Opened { .. } | Provenance::Typed => None,
    }
}

/// Every figure of every slot. What is not defined becomes NaN, which a digest takes as one value.
fn numbers(trace: &Trace, slots: &[Slot<'_>]) -> Vec<(String, f64)> {
    let mut all = vec![("records".to_owned(), trace.len() as f64)];
    for slot in slots {
        let letter = slot.letter().to_ascii_lowercase();
        all.extend(slot.summary.figures().map(|(name, v)| (format!("{letter}.{name}"), v.number())));
        // Hangs on every record, so that no step can differ unseen.
        all.push((format!("{letter}.estimate"), slot.last));
    }
    all
}

/// What the page says of each record and estimator, by [`Kind`].
const VERDICTS: &[&str] = &[
    "sets the estimate",
    "waits",
    "too soon",
    "sends again",
    "no time given",
    "waits",
    "waits, takes no sample",
    "too soon",
    "too soon, takes no sample",
];

/// Columns of [`Report::frame`] before those of the slots.
pub const FRAME_PACKET: usize = 0;
pub const FRAME_SENT: usize = 1;
pub const FRAME_DELAY: usize = 3;
/// The first slot column: for each slot that is set, a timeout and a verdict.
pub const FRAME_SLOTS: usize = 4;

fn frame(trace: &Shared<Trace>, slots: &[Slot<'_>]) -> Frame {
    let unit = match trace.clock {
        Clock::Elapsed => "ms",
        Clock::Index => "",
    };
    let column = |title: &str, unit, values| FrameColumn::new(title, unit, values);
    let of_trace = |read: fn(&Trace, usize) -> f64| Values::Trace(trace.clone(), read);
    let mut columns = vec![
        column("packet", "", of_trace(|_, i| (i + 1) as f64)),
        column("sent", unit, Values::Numbers(trace.sent().clone())),
        column("length", "octets", of_trace(|t, i| t.octets(i).map_or(f64::NAN, f64::from))),
        column(
            "delay",
            "ms",
            of_trace(|t, i| if t.outcomes()[i].is_timed() { t.delays()[i] } else { f64::NAN }),
        ),
    ];
    for slot in slots {
        let letter = slot.letter();
        let verdicts: Arc<[u8]> = slot.kinds.iter().map(|k| *k as u8).collect();
        columns.push(column(&format!("{letter} timeout"), "ms", Values::Numbers(slot.timeouts.clone())));
        columns.push(column(&letter.to_string(), "", Values::words(VERDICTS, verdicts)));
    }
    Frame { columns, rows: trace.len() }
}

pub(super) fn remarks(trace: &Trace) -> Vec<String> {
    let mut all = Vec::from_iter(trace.provenance.rebuilt());
    if let Provenance::Rebuilt { control, exact, .. } = &trace.provenance {
        if *control {
            all.push("A control: fitted as if F = 7/8, G = 2 had printed the row.".to_owned());
        }
        if !exact {
            all.push("With this seed it does not print the whole row again.".to_owned());
        }
    }
    let below = trace.count(Outcome::Below);
    if below > 0 {
        all.push(format!(
            "{below} delays were given only as a bound, such as <1 ms. They enter at the bound."
        ));
    }
    let untimed = trace.count(Outcome::Untimed);
    match untimed {
        0 => {}
        1 => all.push("1 reply came without a time. It is neither tested nor sampled.".to_owned()),
        n => all.push(format!("{n} replies came without a time. They are neither tested nor sampled.")),
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rto::{parse_slot, rebuild};

    fn foe() -> Shared<Trace> {
        Shared::new(rebuild::rebuild(printed::find("rfc889/dcn1-local/FOE").unwrap(), rebuild::SEED))
    }

    fn setup(slots: &[&str]) -> Setup {
        let mut setup = Setup::default();
        for (to, text) in setup.slots.iter_mut().zip(slots) {
            *to = Some(parse_slot(text).unwrap());
        }
        setup
    }

    #[test]
    fn three_estimators_on_one_trace() {
        let setup = setup(&["mills", "mills f1=7/8 f2=7/8", "rfc6298 min=0"]);
        let report = run(&setup, &foe(), 0).unwrap();
        assert_eq!(report.readout.rows.len(), 4);
        assert_eq!(report.frame.columns.len(), FRAME_SLOTS + 6);
        assert_eq!(report.frame.rows, 515);
        assert!(report.remarks[0].starts_with("Rebuilt from the printed summary, seed 66"));
        let of = |name: &str| report.numbers.iter().find(|(n, _)| n == name).unwrap().1;
        assert_eq!((of("records"), of("a.replies"), of("a.lost")), (515.0, 512.0, 3.0));
    }

    #[test]
    fn a_judgement_keeps_the_numbers_and_adds_its_own() {
        let mut setup = setup(&["mills", "hindsight", "rfc6298"]);
        let trace = foe();
        let packets = run(&setup, &trace, 0).unwrap();
        setup.settings_mut().set_text("show", "judgement").unwrap();
        let judged = run(&setup, &trace, 0).unwrap();
        let same = |(a, b): (&(String, f64), &(String, f64))| a.0 == b.0 && a.1.to_bits() == b.1.to_bits();
        assert!(packets.numbers.iter().zip(&judged.numbers).all(same));
        assert!(judged.numbers.len() > packets.numbers.len());
        assert_eq!(judged.readout.rows.len(), 3);
        // The best fixed timeout is not behind itself.
        assert_eq!(judged.readout.rows[1].cells[8], "0.0");
        assert_eq!(judged.frame.rows, judged.picks.len());
        for report in [packets, judged] {
            assert!(report.readout.rows.iter().all(|r| r.cells.len() == report.readout.columns.len()));
        }
    }

    #[test]
    fn the_current_slot_changes_the_figure_alone() {
        let setup = setup(&["mills", "mills g=3"]);
        let trace = foe();
        let (a, b) = (run(&setup, &trace, 0).unwrap(), run(&setup, &trace, 1).unwrap());
        assert_eq!(a.digest(), b.digest());
        assert_ne!(a.figure, b.figure);
        let other = run(&self::setup(&["mills", "mills g=3.0000001"]), &trace, 0).unwrap();
        assert_ne!(a.digest(), other.digest());
    }

    #[test]
    fn what_cannot_run_says_so() {
        assert_eq!(run(&Setup::default(), &foe(), 0), Err(RunError::NoSlots));
        let empty = Shared::new(Trace::from_series("nothing", &[]).unwrap());
        let e = run(&setup(&["mills"]), &empty, 0).unwrap_err();
        assert_eq!(e.to_string(), "nothing holds no packet that was answered or lost");
        let losses = Shared::new(Trace::from_series("losses", &[None, None]).unwrap());
        let report = run(&setup(&["mills"]), &losses, 0).unwrap();
        assert!(report.readout.rows.iter().all(|r| r.cells.iter().all(|c| c != "NaN")));
    }

    #[test]
    fn a_transport_has_one_column_more() {
        let mut setup = setup(&["mills", "rfc6298"]);
        setup.options.replay = crate::rto::Rules::Protocol;
        let report = run(&setup, &foe(), 0).unwrap();
        assert_eq!(report.readout.columns.len(), 9);
        assert!(report.readout.rows.iter().all(|r| r.cells.len() == 9));
        assert!(report.numbers.iter().any(|(n, v)| n == "a.spurious_transmissions" && *v > 0.0));
    }

    #[test]
    fn lengths_that_are_not_there_cannot_be_corrected_for() {
        let mut setup = setup(&["mills"]);
        setup.options.correct = crate::rto::Correct::Length;
        let trace = Shared::new(Trace::from_series("typed", &[Some(1.0), Some(2.0)]).unwrap());
        let e = run(&setup, &trace, 0).unwrap_err();
        assert!(e.to_string().starts_with("typed holds no replies of different lengths"));
        assert!(run(&setup, &foe(), 0).unwrap().remarks.iter().all(|r| !r.contains("come to 0")));
        setup.slots[0] = Some(parse_slot("eifel").unwrap());
        setup.options.replay = crate::rto::Rules::Protocol;
        assert!(
            run(&setup, &foe(), 0).unwrap().remarks.iter().any(|r| r.contains(" of 515 timeouts come to 0."))
        );
    }

    #[test]
    fn verdicts_have_a_word_each() {
        assert_eq!(VERDICTS.len(), Kind::NAMES.len());
    }
}

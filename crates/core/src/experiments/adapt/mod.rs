//! The `adapt` cell: how soon each estimator follows a step in delay.
//!
//! > Future experiments may involve bursts of short packets followed by bursts of longer ones, so that
//! > the speed of adaptation of the algorithm can be directly deterimend. (RFC 889, section 3.2)
//!
//! Each burst after the first is a step: up where packets become long, down where they become short.
//! What a step up costs are packets sent again though only late; a step down costs a timeout that is
//! too long for a while.

mod bursts;
mod figure;

pub use bursts::Bursts;

use super::Slots;
use super::{Entry, Experiment, boxed};
use crate::figure::{Data, Role};
use crate::params::Settings;
use crate::report::{Drag, Frame, FrameColumn, Heading, Picks, Report, RunError, Table, TableRow, Values};
use crate::rto::slot::describe;
use crate::rto::{Options, Rule};
use crate::shared::Shared;
use crate::stats::quantile;
use crate::trace::Trace;
use crate::tree::Keyed;
use std::sync::Arc;

/// What the cell is set to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Adapt {
    pub bursts: Bursts,
    pub slots: Slots,
    pub options: Options,
}

/// A timeout has settled when it is within this share of what it comes to in the end …
const SETTLED: f64 = 0.1;
/// … for so many packets in a row: one that shoots past has not.
const RUN: usize = 8;
/// What it comes to in the end: the median over the later half of a burst this long.
const ENDLESS: usize = 2048;

/// One estimator's way through the bursts.
struct Slot<'a> {
    index: usize,
    rule: &'a dyn Rule,
    timeouts: Data,
    late: Vec<bool>,
    steps: Vec<Step>,
}

/// What one step cost.
struct Step {
    is_up: bool,
    /// Packets of the burst that were sent again though only late.
    rtx: usize,
    /// Packets sent before the timeout had settled. `None`: it never has.
    settled: Option<usize>,
}

impl Slot<'_> {
    fn letter(&self) -> char {
        char::from(b'A' + u8::try_from(self.index).unwrap_or(0))
    }

    fn steps(&self, is_up: bool) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |s| s.is_up == is_up)
    }

    /// Spurious packets a step up costs on average. `None` without steps.
    fn rtx_up(&self) -> Option<f64> {
        mean(self.steps(true).map(|s| s.rtx as f64))
    }

    /// Packets until the timeout has settled, on average over the steps after which it did.
    fn settles(&self, is_up: bool) -> Option<f64> {
        mean(self.steps(is_up).filter_map(|s| s.settled).map(|n| n as f64))
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values.fold((0_u32, 0.0), |(n, sum), v| (n + 1, sum + v));
    (n > 0).then(|| sum / f64::from(n))
}

pub(super) const ENTRY: Entry = Entry {
    kind: "adapt",
    title: "Adaptation",
    fresh: "a = \"mills\"\nb = \"mills f1=7/8 f2=7/8\"\n",
    needs_trace: false,
    follows_row: false,
    is_wide: false,
    make: boxed::<Adapt>,
};

impl Keyed for Adapt {
    fn settings(&self) -> &dyn Settings {
        &self.bursts
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        &mut self.bursts
    }
}

impl Experiment for Adapt {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn slots(&self) -> Option<&Slots> {
        Some(&self.slots)
    }

    fn slots_mut(&mut self) -> Option<&mut Slots> {
        Some(&mut self.slots)
    }
}

/// Sends the bursts past every slot. `current` is the slot drawn on top; it changes the figure and
/// nothing else.
pub fn run(setup: &Adapt, current: usize) -> Result<Report, RunError> {
    let trace = Shared::new(setup.bursts.trace());
    let slots: Vec<Slot<'_>> = setup
        .slots
        .iter()
        .enumerate()
        .filter_map(|(i, s)| Some(Slot::new(i, s.as_deref()?, setup, &trace)))
        .collect();
    if slots.is_empty() {
        return Err(RunError::NoSlots);
    }
    Ok(Report {
        numbers: digested(&trace, &slots),
        readout: readout(&slots),
        figure: figure::figure(&setup.bursts, &trace, &slots, current),
        frame: frame(&trace, &slots),
        picks: Picks::Along { x: figure::numbers(trace.len()), y: 2, lane: 1, scale: 0 },
        drag: Drag::Zoom,
        remarks: vec![format!(
            "The packets are made up, seed {}: {} bursts of {}. A timeout has settled once it is within {} % of what it comes to in an endless burst for {RUN} packets.",
            setup.bursts.seed,
            setup.bursts.count(),
            setup.bursts.size(),
            100.0 * SETTLED,
        )],
        ..Report::default()
    })
}

impl<'a> Slot<'a> {
    fn new(index: usize, rule: &'a dyn Rule, setup: &Adapt, trace: &Trace) -> Self {
        let replay = rule.replay(trace, &setup.options);
        let late: Vec<bool> = trace.delays().iter().zip(&replay.timeouts).map(|(d, t)| d > t).collect();
        let in_the_end = [false, true].map(|is_long| {
            let endless = rule.replay(&setup.bursts.endless(is_long, ENDLESS), &setup.options);
            quantile::of(endless.timeouts.into_iter().skip(ENDLESS / 2), 0.5).unwrap_or(f64::NAN)
        });
        let size = setup.bursts.size();
        let step = |burst: usize| {
            let is_up = Bursts::is_long(burst);
            let range = burst * size..(burst + 1) * size;
            let target = in_the_end[usize::from(is_up)];
            let is_near = |t: &f64| (t - target).abs() <= SETTLED * target;
            let run = RUN.min(size);
            Step {
                is_up,
                rtx: late[range.clone()].iter().filter(|l| **l).count(),
                settled: replay.timeouts[range].windows(run).position(|w| w.iter().all(is_near)),
            }
        };
        let steps = (1..setup.bursts.count()).map(step).collect();
        Self { index, rule, timeouts: replay.timeouts.into(), late, steps }
    }
}

fn readout(slots: &[Slot<'_>]) -> Table {
    let number = |v: Option<f64>| {
        v.map_or_else(|| "–".to_owned(), |v| if v.fract() == 0.0 { v.to_string() } else { format!("{v:.1}") })
    };
    let row = |s: &Slot<'_>| TableRow {
        head: describe(s.rule).to_string(),
        role: Role::Series(s.index),
        cells: vec![
            number(s.steps(true).next().map(|s| s.rtx as f64)),
            number(s.rtx_up()),
            number(s.settles(true)),
            number(s.settles(false)),
        ],
    };
    let heading = |title, unit| Heading::new(title, unit);
    Table {
        caption: "What a step costs".to_owned(),
        head: "Estimator".to_owned(),
        columns: vec![
            heading("First step up", "spurious"),
            heading("A step up", "spurious"),
            heading("Settles up", "packets"),
            heading("Settles down", "packets"),
        ],
        rows: slots.iter().map(row).collect(),
    }
}

const LATE: &[&str] = &["waits", "too soon"];

/// Every packet.
fn frame(trace: &Shared<Trace>, slots: &[Slot<'_>]) -> Frame {
    let column = |title: String, unit, values| FrameColumn::new(&title, unit, values);
    let of_trace = |read: fn(&Trace, usize) -> f64| Values::Trace(trace.clone(), read);
    let mut columns = vec![
        column("packet".to_owned(), "", of_trace(|_, i| (i + 1) as f64)),
        column("length".to_owned(), "octets", of_trace(|t, i| t.octets(i).map_or(f64::NAN, f64::from))),
        column("delay".to_owned(), "ms", of_trace(|t, i| t.delays()[i])),
    ];
    for slot in slots {
        let verdicts: Arc<[u8]> = slot.late.iter().map(|l| u8::from(*l)).collect();
        let letter = slot.letter();
        columns.push(column(format!("{letter} timeout"), "ms", Values::Numbers(slot.timeouts.clone())));
        columns.push(column(letter.to_string(), "", Values::words(LATE, verdicts)));
    }
    Frame { columns, rows: trace.len() }
}

fn digested(trace: &Trace, slots: &[Slot<'_>]) -> Vec<(String, f64)> {
    let mut all = vec![("records".to_owned(), trace.len() as f64)];
    for slot in slots {
        let letter = slot.letter().to_ascii_lowercase();
        for (i, step) in slot.steps.iter().enumerate() {
            let settled = step.settled.map_or(f64::NAN, |n| n as f64);
            all.push((format!("{letter}.{}.rtx", i + 1), step.rtx as f64));
            all.push((format!("{letter}.{}.settled", i + 1), settled));
        }
        // Hangs on every record, so that no step can differ unseen.
        all.push((format!("{letter}.timeout"), slot.timeouts.last().copied().unwrap_or(f64::NAN)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rto::parse_slot;

    fn adapt(bursts: Bursts, slots: &[&str]) -> Adapt {
        let mut setup = Adapt { bursts, ..Adapt::default() };
        for (to, text) in setup.slots.iter_mut().zip(slots) {
            *to = Some(parse_slot(text).unwrap());
        }
        setup
    }

    fn cells(report: &Report, row: usize) -> Vec<&str> {
        report.readout.rows[row].cells.iter().map(String::as_str).collect()
    }

    /// From E = 1 to R = h without noise: packet k meets T = 2(h - (h - 1)·F2^k), and is late while
    /// F2^k > h / 2(h - 1). For h large that is one half: .75^2 = .56 and .75^3 = .42, so three packets;
    /// .875^5 = .51 and .875^6 = .45, so six.
    #[test]
    fn a_large_step_costs_mills_three_retransmissions_and_7_8_six() {
        let bursts = Bursts { step: 50.0, noise: 0.0, bursts: 1.0, ..Bursts::default() };
        let report = run(&adapt(bursts, &["mills", "mills f1=7/8 f2=7/8"]), 0).unwrap();
        assert_eq!((cells(&report, 0)[0], cells(&report, 1)[0]), ("3", "6"));
        let by_hand = |f: f64, h: f64| {
            let late = |k: i32| (0..k).fold(1.0, |p, _| p * f) > h / (2.0 * (h - 1.0));
            (0..100).take_while(|k| late(*k)).count().to_string()
        };
        for step in [2.5, 4.0, 9.0, 30.0] {
            let bursts = Bursts { step, noise: 0.0, bursts: 1.0, ..Bursts::default() };
            let report = run(&adapt(bursts, &["mills", "mills f1=7/8 f2=7/8"]), 0).unwrap();
            assert_eq!(cells(&report, 0)[0], by_hand(0.75, step), "{step}");
            assert_eq!(cells(&report, 1)[0], by_hand(0.875, step), "{step}");
        }
    }

    /// The timeout 2(h - (h - 1)·F2^k) is within a tenth of 2h once (h - 1)·F2^k ≤ h / 10; down,
    /// 2(1 + (h - 1)·F1^k) of 2 once (h - 1)·F1^k ≤ 1 / 10.
    #[test]
    fn settling_follows_the_equation() {
        let h = 10.0;
        let bursts = Bursts { step: h, noise: 0.0, burst: 128.0, bursts: 2.0, ..Bursts::default() };
        let report = run(&adapt(bursts, &["mills"]), 0).unwrap();
        let until = |f: f64, least: f64| {
            let (mut k, mut left) = (0, h - 1.0);
            while left > least {
                (k, left) = (k + 1, left * f);
            }
            k.to_string()
        };
        // 8 packets up, 70 down.
        assert_eq!(cells(&report, 0)[2..], [until(0.75, h / 10.0).as_str(), until(0.9375, 0.1).as_str()]);
        assert_eq!(cells(&report, 0)[2..], ["8", "70"]);
    }

    /// After a step up the variance drives the timeout far above the delay, and past its settled value.
    #[test]
    fn a_timeout_that_shoots_past_has_not_settled() {
        let bursts = Bursts { step: 10.0, noise: 0.0, burst: 256.0, bursts: 2.0, ..Bursts::default() };
        let report = run(&adapt(bursts, &["rfc6298 min=0"]), 0).unwrap();
        let settles: f64 = cells(&report, 0)[2].parse().unwrap();
        assert!(settles > 10.0, "{settles}");
    }

    #[test]
    fn what_never_settles_is_a_dash() {
        // A burst too short for 15/16 to come down in.
        let bursts = Bursts { step: 50.0, noise: 0.0, burst: 8.0, ..Bursts::default() };
        let report = run(&adapt(bursts, &["mills"]), 0).unwrap();
        assert_eq!(cells(&report, 0)[3], "–");
        // Steps up find the estimate still high: only the first costs three.
        assert!(cells(&report, 0)[1].parse::<f64>().unwrap() < 3.0);
    }

    #[test]
    fn no_step_costs_nothing() {
        let bursts = Bursts { step: 1.0, noise: 0.0, ..Bursts::default() };
        let report = run(&adapt(bursts, &["mills", "rfc6298"]), 0).unwrap();
        assert_eq!(cells(&report, 0), ["0", "0", "0", "0"]);
        assert_eq!(cells(&report, 1), ["0", "0", "0", "0"]);
    }

    #[test]
    fn the_current_slot_changes_the_figure_alone() {
        let setup = adapt(Bursts::default(), &["mills", "rfc6298 min=0", "mills g=3"]);
        let (a, b) = (run(&setup, 0).unwrap(), run(&setup, 2).unwrap());
        assert_eq!(a.digest(), b.digest());
        assert_ne!(a.figure, b.figure);
        assert_eq!((a.frame.rows, a.frame.columns.len(), a.readout.rows.len()), (512, 9, 3));
        assert_eq!(run(&Adapt::default(), 0), Err(RunError::NoSlots));
    }

    #[test]
    fn extremes_have_a_report() {
        use crate::params::Settings as _;
        for (name, value) in [
            ("noise", "1"),
            ("step", "1000"),
            ("delay", "0.001"),
            ("delay", "1000000"),
            ("burst", "4"),
            ("bursts", "32"),
            ("short", "65535"),
        ] {
            let mut bursts = Bursts::default();
            bursts.set_text(name, value).unwrap();
            let report = run(&adapt(bursts, &["mills", "rfc6298", "mills g=0"]), 0).unwrap();
            let texts = report.readout.rows.iter().flat_map(|r| &r.cells).chain([&report.figure.alt]);
            assert!(texts.into_iter().all(|t| !t.contains("NaN") && !t.contains("inf")), "{name}");
        }
    }
}

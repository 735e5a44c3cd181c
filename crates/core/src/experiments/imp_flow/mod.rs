//! The `imp-flow` cell: the flow against a clock.

mod figure;
mod trap;

use super::run::Work;
use super::{Entry, Experiment, boxed};
use crate::figure::Role;
use crate::imp::network::{
    ClosedForm, LineUse, Origin, Row, Run, Scenario, ScenarioError, Simulation, Window, closed_form, origin,
    run as simulate,
};
use crate::parts::Parts;
use crate::report::{Frame, FrameColumn, Heading, Report, RunError, Table, TableRow, Values};
use std::cell::Cell;

pub(super) const ENTRY: Entry = Entry {
    kind: "imp-flow",
    title: "IMP throughput",
    fresh: "scheme = \"current\"\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n",
    needs_trace: false,
    follows_row: false,
    is_wide: false,
    make: boxed::<Scenario>,
};

impl Experiment for Scenario {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn note(&self, parameter: &str) -> &'static str {
        match origin(parameter) {
            Origin::Ours => "",
            known => known.name(),
        }
    }

    fn parts(&self) -> Vec<Box<dyn Parts + '_>> {
        self.changeable()
    }
}

/// Things that happen in a step of a long run.
const BUDGET: usize = 50_000;

/// The whole run in steps.
#[derive(Debug)]
pub(super) struct Flowing {
    scenario: Scenario,
    window: Window,
    state: Result<Simulation, ScenarioError>,
    is_over: bool,
    /// How many messages there were when last it was shown.
    shown: Cell<usize>,
}

impl Flowing {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let window = Window { from_ms: 0.0, to_ms: scenario.setup.duration };
        let state = Simulation::new(scenario, window, false);
        Self { scenario: scenario.clone(), window, is_over: state.is_err(), state, shown: Cell::new(0) }
    }
}

impl Work for Flowing {
    fn step(&mut self) {
        if let Ok(simulation) = &mut self.state {
            self.is_over = self.is_over || simulation.step(BUDGET);
        }
    }

    fn progress(&self) -> (u64, u64) {
        let seconds = self.scenario.setup.duration / 1000.0;
        let done = self.state.as_ref().map_or(1.0, Simulation::progress);
        ((done * seconds) as u64, seconds.ceil() as u64)
    }

    fn counts(&self) -> &'static str {
        "seconds"
    }

    fn is_done(&self) -> bool {
        self.is_over
    }

    /// Of a run under way only when it has four times as many messages as last: each time all are
    /// copied.
    fn report(&self) -> Result<Report, RunError> {
        let simulation = self.state.as_ref().map_err(|e| RunError::Scenario { message: e.to_string() })?;
        let messages = simulation.messages();
        if !self.is_over && messages < 4 * self.shown.get() {
            return Err(RunError::Working);
        }
        self.shown.set(messages);
        Ok(report(&self.scenario, self.window, &simulation.clone().finish()))
    }
}

/// The report of a scenario over a window; `None`: over the whole run.
pub fn run(scenario: &Scenario, window: Option<Window>) -> Result<Report, RunError> {
    let refused = |message| RunError::Scenario { message };
    let duration = scenario.setup.duration;
    let window = window.unwrap_or(Window { from_ms: 0.0, to_ms: duration });
    if !(window.from_ms < window.to_ms && window.to_ms <= duration) {
        return Err(refused(format!("the window must lie within the run, from 0 to {duration} ms")));
    }
    let run = simulate(scenario, window, false).map_err(|e| refused(e.to_string()))?;
    Ok(report(scenario, window, &run))
}

/// The report of a run that was simulated elsewhere.
pub fn report(scenario: &Scenario, window: Window, run: &Run) -> Report {
    let form = closed_form(scenario);
    Report {
        numbers: numbers(run),
        readout: readout(scenario, run, form),
        figure: figure::figure(scenario, window, run, form),
        more: vec![lines(scenario, run)],
        frame: frame(run),
        remarks: remarks(scenario, run),
        ..Report::default()
    }
}

const COLUMNS: [(&str, &str); 5] = [
    ("Throughput", "kbs"),
    ("Round trip", "ms"),
    ("In flight", "messages"),
    ("Busiest line", "%"),
    ("Sent again", "messages"),
];

/// What RFC 632 says on page 1 of 1 April 1974, in its words.
const PRINTED: [(&str, [&str; 5]); 2] = [
    ("RFC 632, expected", ["more than 30", "not more than 100", "3", "", ""]),
    ("RFC 632, observed", ["less than 8", "about 500", "3.5", "less than 40", ""]),
];

fn readout(scenario: &Scenario, run: &Run, form: Option<ClosedForm>) -> Table {
    let row = |head: &str, role, cells: [String; 5]| TableRow {
        head: head.to_owned(),
        role,
        cells: cells.to_vec(),
    };
    let printed = PRINTED.map(|(head, cells)| row(head, Role::Printed, cells.map(str::to_owned)));
    let s = run.statistics;
    let computed = [
        three(s.throughput_kbs),
        s.mean_rtt_ms.map_or("–".to_owned(), three),
        three(s.mean_in_flight),
        three(100.0 * s.max_utilization),
        run.retransmitted.len().to_string(),
    ];
    let mut rows = printed.to_vec();
    rows.push(row(scenario.setup.scheme.name(), Role::Series(0), computed));
    if let Some(f) = form {
        let (kbs, rtt) = (f.trapped_throughput_kbs, f.trapped_rtt);
        let in_flight = rtt / f.cycle;
        let cells = [three(kbs), three(rtt), three(in_flight), String::new(), "every message".to_owned()];
        rows.push(row("the trap, by formula", Role::Series(1), cells));
    }
    Table {
        caption: "The flow, beside what was printed of 1 April 1974".to_owned(),
        head: "Flow".to_owned(),
        columns: COLUMNS.map(|(title, unit)| Heading::new(title, unit)).to_vec(),
        rows,
    }
}

/// How busy each line was, in both directions.
fn lines(scenario: &Scenario, run: &Run) -> Table {
    let mut rows = Vec::new();
    for path in &scenario.paths {
        for (line, rate) in path.rates.iter().enumerate() {
            let used = |back: bool| {
                let of = |l: &&LineUse| l.path == path.name && l.line == line && l.back == back;
                run.lines.iter().find(of).map_or(String::new(), |l| three(100.0 * l.utilization))
            };
            rows.push(TableRow {
                head: format!("{}, line {}", path.name, line + 1),
                role: Role::Ink,
                cells: vec![rate.to_string(), used(false), used(true)],
            });
        }
    }
    Table {
        caption: "How busy each line was".to_owned(),
        head: "Line".to_owned(),
        columns: vec![
            Heading::new("Rate", "kbs"),
            Heading::new("Messages", "%"),
            Heading::new("RFNM and ALL", "%"),
        ],
        rows,
    }
}

/// Three significant figures.
fn three(value: f64) -> String {
    let places = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.places$}")
}

fn numbers(run: &Run) -> Vec<(String, f64)> {
    let s = run.statistics;
    let put = |name: &str, value| (name.to_owned(), value);
    let mut all = vec![
        put("messages", run.rows.len() as f64),
        put("retransmitted", run.retransmitted.len() as f64),
        put("throughput-kbs", s.throughput_kbs),
        put("mean-rtt-ms", s.mean_rtt_ms.unwrap_or(f64::NAN)),
        put("mean-in-flight", s.mean_in_flight),
        put("max-utilization", s.max_utilization),
        put("longest-gap-ms", s.longest_gap_ms.unwrap_or(f64::NAN)),
    ];
    for line in &run.lines {
        let way = if line.back { "back" } else { "forth" };
        all.push((format!("{}.{}.{way}", line.path, line.line), line.utilization));
    }
    // Hangs on every message, so that none can differ unseen.
    let mut mixed = 0.0;
    for row in &run.rows {
        mixed = 0.999 * mixed + row.rtt_ms().unwrap_or(0.0) + row.first_sent_ms();
    }
    all.push(put("messages-mixed", mixed));
    all
}

fn frame(run: &Run) -> Frame {
    let column =
        |title, unit, values: Vec<f64>| FrameColumn::new(title, unit, Values::Numbers(values.into()));
    let rows = &run.rows;
    let columns = vec![
        column("message", "", (0..rows.len()).map(|i| i as f64).collect()),
        column("first sent", "ms", rows.iter().map(Row::first_sent_ms).collect()),
        column("rfnm", "ms", rows.iter().map(|r| r.rfnm_ms().unwrap_or(f64::NAN)).collect()),
        column("rtt", "ms", rows.iter().map(|r| r.rtt_ms().unwrap_or(f64::NAN)).collect()),
        column("sendings", "", rows.iter().map(|r| f64::from(r.sendings)).collect()),
    ];
    Frame { columns, rows: rows.len() }
}

fn remarks(scenario: &Scenario, run: &Run) -> Vec<String> {
    let mut all = vec![
        "Message length, timeout, line speeds and window are documented; header, processing, host, turn-round and RFNM-to-ALL times are fitted within historical bounds.".to_owned(),
    ];
    if let Some(gap) = run.statistics.longest_gap_ms {
        let every = scenario.setup.input_every;
        all.push(if every > 0.0 {
            format!(
                "Messages come every {every} ms; the listener's longest gap between two of them is {} ms.",
                three(gap)
            )
        } else {
            format!("The longest silence between two messages at the host: {} ms.", three(gap))
        });
    }
    for i in &run.idle {
        all.push(format!("Event {} hit nothing: what it names was never sent so.", i + 1));
    }
    if run.is_cut {
        all.push("The run was cut: it has more messages than are kept.".to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_and_computed_stand_side_by_side() {
        let window = Some(Window { from_ms: 1000.0, to_ms: 10_000.0 });
        let report = run(&Scenario::default().overtaking(21), window).unwrap();
        let rows: Vec<_> =
            report.readout.rows.iter().map(|r| (r.head.as_str(), r.cells.join(" | "))).collect();
        assert_eq!(
            rows,
            [
                ("RFC 632, expected", "more than 30 | not more than 100 | 3 |  | ".to_owned()),
                ("RFC 632, observed", "less than 8 | about 500 | 3.5 | less than 40 | ".to_owned()),
                ("current", "7.89 | 503 | 3.94 | 36.5 | 74".to_owned()),
                ("the trap, by formula", "7.81 | 504 | 3.94 |  | every message".to_owned()),
            ]
        );
        assert_eq!(report.frame.rows as f64, report.numbers[0].1);
        assert_eq!(report.figure.rows.len(), 3);
        assert!(report.figure.alt.contains("7.89 kbs"), "{}", report.figure.alt);
    }

    #[test]
    fn what_hit_nothing_and_what_does_not_fit_are_said() {
        let report = run(&Scenario::default().overtaking(5000), None).unwrap();
        assert!(report.remarks.last().unwrap().starts_with("Event 1 hit nothing"));
        let late = Some(Window { from_ms: 0.0, to_ms: 20_000.0 });
        let e = run(&Scenario::default(), late).unwrap_err();
        assert_eq!(e.to_string(), "the window must lie within the run, from 0 to 10000 ms");
        let nowhere = Scenario { paths: Vec::new(), ..Scenario::default() };
        assert!(matches!(run(&nowhere, None), Err(RunError::Scenario { .. })));
    }

    #[test]
    fn equal_runs_have_equal_digests() {
        let of = |message| run(&Scenario::default().overtaking(message), None).unwrap().digest();
        assert_eq!(of(21), of(21));
        assert_ne!(of(21), of(22));
    }
}

//! The `imp-lockup` cell: what an exhaustive search found.

use super::{Entry, Experiment, Inputs, Work, Worked, boxed};
use crate::figure::Role;
use crate::imp::lockup::{Search, SearchError, Setup, Verdict, example, theorem};
use crate::imp::sequence::Item;
use crate::imp::{Message, Pdu};
use crate::report::{Frame, FrameColumn, Heading, Report, RunError, Table, TableRow, Values};

pub(super) const ENTRY: Entry = Entry {
    kind: "imp-lockup",
    title: "IMP lock-up",
    fresh: "scheme = \"naive\"\nsources = 2\nwindow = 4\nbuffers = 2\n",
    needs_trace: false,
    follows_row: false,
    make: boxed::<Setup>,
};

impl Experiment for Setup {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn work(&self) -> Option<String> {
        Some(format!("{self:?}"))
    }

    fn run(&self, inputs: &Inputs) -> Result<Report, RunError> {
        let worked = inputs.worked.as_ref().ok_or(RunError::Working)?;
        match worked.numbers[..] {
            [GIVEN_UP, ..] => Err(RunError::Scenario { message: SearchError::TooManyStates.to_string() }),
            [over, states, deadlocks, stuck, ref example @ ..] => {
                let [states, deadlocks, stuck] = [states, deadlocks, stuck].map(|n| n as usize);
                let verdict = Verdict { states, deadlocks, stuck };
                Ok(report(self, verdict, over == OVER, &items(example)))
            }
            _ => Err(RunError::Working),
        }
    }
}

/// The first number of the work: whether the search goes on, is over, or was given up. Then the
/// numbers of a [`Verdict`]; and when it is over the items of an example, four numbers each.
const GOES_ON: f64 = 0.0;
const OVER: f64 = 1.0;
const GIVEN_UP: f64 = 2.0;

/// States looked at in a step.
const BUDGET: usize = 2000;

struct Searching {
    setup: Setup,
    search: Option<Search>,
    example: Vec<f64>,
    state: f64,
}

/// The search, to be done in steps.
pub(super) fn begin(setup: &Setup) -> Option<Box<dyn Work>> {
    let search = Search::new(setup).ok()?;
    Some(Box::new(Searching {
        setup: setup.clone(),
        search: Some(search),
        example: Vec::new(),
        state: GOES_ON,
    }))
}

impl Work for Searching {
    fn step(&mut self) {
        let Some(search) = self.search.as_mut().filter(|_| self.state == GOES_ON) else { return };
        match search.step(BUDGET) {
            Ok(false) => {}
            Ok(true) => {
                let items = example(&self.setup, search).unwrap_or_default();
                self.example = items.into_iter().flat_map(numbers_of).collect();
                self.state = OVER;
            }
            Err(_) => self.state = GIVEN_UP,
        }
    }

    fn is_done(&self) -> bool {
        self.state != GOES_ON
    }

    /// How many states there are is known only at the end: until then one more is still to do.
    fn worked(&self) -> Worked {
        let Verdict { states, deadlocks, stuck } =
            self.search.as_ref().map_or(Verdict { states: 0, deadlocks: 0, stuck: 0 }, Search::verdict);
        let mut numbers = vec![self.state, states as f64, deadlocks as f64, stuck as f64];
        numbers.extend(&self.example);
        let left = u64::from(!self.is_done());
        Worked { done: states as u64, total: states as u64 + left, numbers }
    }
}

/// An item as numbers: what it is, the PDU, message and source. -1 stands for any source.
fn numbers_of(item: Item) -> [f64; 4] {
    match item {
        Item::Arrives(pdu, m) => [0.0, f64::from(pdu as u8), f64::from(m.number), f64::from(m.source)],
        Item::Host(source) => [1.0, 0.0, 0.0, source.map_or(-1.0, f64::from)],
        Item::Pause(source) => [2.0, 0.0, 0.0, f64::from(source)],
        Item::Resume(source) => [3.0, 0.0, 0.0, f64::from(source)],
    }
}

fn items(numbers: &[f64]) -> Vec<Item> {
    let each = numbers.as_chunks().0.iter().map(|&[what, pdu, number, source]| {
        let of = source as u32;
        match what as u8 {
            0 => Item::Arrives(
                [Pdu::Msg, Pdu::Rfnm, Pdu::All][pdu as usize % 3],
                Message { source: of, number: number as u32 },
            ),
            1 => Item::Host((source >= 0.0).then_some(of)),
            2 => Item::Pause(of),
            _ => Item::Resume(of),
        }
    });
    each.collect()
}

/// The report of a search; of one that still goes on, so far.
pub fn report(setup: &Setup, verdict: Verdict, over: bool, example: &[Item]) -> Report {
    Report {
        numbers: numbers(verdict),
        readout: readout(setup, verdict),
        remarks: if over {
            vec![sentence(setup, verdict)]
        } else {
            vec![format!("{} states so far.", verdict.states)]
        },
        frame: frame(example),
        ..Report::default()
    }
}

/// The events that lead to a deadlock, one a row; no rows where there is none.
fn frame(example: &[Item]) -> Frame {
    let texts: Vec<String> = example.iter().map(ToString::to_string).collect();
    Frame {
        rows: texts.len(),
        columns: vec![
            FrameColumn {
                title: "step".to_owned(),
                unit: "",
                values: Values::Numbers((1..=texts.len()).map(|n| n as f64).collect()),
            },
            FrameColumn { title: "event".to_owned(), unit: "", values: Values::Texts(texts.into()) },
        ],
    }
}

fn numbers(verdict: Verdict) -> Vec<(String, f64)> {
    let Verdict { states, deadlocks, stuck } = verdict;
    [("states", states), ("deadlocks", deadlocks), ("stuck", stuck)]
        .map(|(n, v)| (n.to_owned(), v as f64))
        .to_vec()
}

fn readout(setup: &Setup, verdict: Verdict) -> Table {
    const COLUMNS: [&str; 6] = ["Sources", "Window", "Buffers", "States", "Deadlocks", "Stuck"];
    let Setup { scheme, sources, window, buffers } = *setup;
    let counts = [verdict.states, verdict.deadlocks, verdict.stuck].map(|n| n.to_string());
    let cells = [sources, window, buffers].map(|n| n.to_string()).into_iter().chain(counts).collect();
    Table {
        caption: "States that any order of events can lead to".to_owned(),
        head: "Scheme".to_owned(),
        columns: COLUMNS.map(|title| Heading { title, unit: "" }).to_vec(),
        rows: vec![TableRow { head: scheme.name().to_owned(), role: Role::Series(0), cells }],
    }
}

/// What the search says, and beside it the theorem.
fn sentence(setup: &Setup, verdict: Verdict) -> String {
    let Setup { scheme, sources, window, buffers } = *setup;
    let found = match (verdict.deadlocks, verdict.stuck) {
        (0, 0) => "From every state every stream can still advance".to_owned(),
        (0, n) => format!("Nothing comes to a stop, but from {n} states some stream can never advance"),
        (n, _) => format!("In {n} states nothing can move any more"),
    };
    let most = sources.saturating_mul(window.saturating_sub(1));
    let bound = match theorem(setup) {
        Some(true) => format!(
            ": {scheme} locks up exactly when B ≤ S(W − 1), here {buffers} ≤ {most}.",
            scheme = scheme.name()
        ),
        Some(false) if scheme == crate::imp::Scheme::Naive => {
            format!(": naive locks up exactly when B ≤ S(W − 1), here {buffers} > {most}.")
        }
        Some(false) => format!(": {} never locks up.", scheme.name()),
        None => ".".to_owned(),
    };
    found + &bound
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imp::Scheme;
    use crate::imp::sequence;
    use crate::shared::Shared;
    use crate::tree::Keyed as _;

    fn worked(setup: &Setup) -> Result<Report, RunError> {
        let mut work = begin(setup).unwrap();
        assert_eq!(setup.run(&Inputs::default()), Err(RunError::Working));
        while !work.is_done() {
            assert!(!work.worked().is_done());
            work.step();
        }
        setup.run(&Inputs { worked: Some(Shared::new(work.worked())), ..Inputs::default() })
    }

    #[test]
    fn the_example_leads_to_a_deadlock() {
        let setup = Setup { scheme: Scheme::Naive, sources: 2, window: 2, buffers: 1 };
        let report = worked(&setup).unwrap();
        let items: Vec<Item> =
            (0..report.frame.rows).map(|i| report.frame.text(i, 1).parse().unwrap()).collect();
        assert!(!items.is_empty());
        let run = sequence::Setup {
            scheme: setup.scheme,
            sources: setup.sources,
            window: setup.window,
            buffers: setup.buffers,
            host: sequence::Host::Explicit,
            ..sequence::Setup::default()
        };
        let scenario =
            sequence::Scenario { setup: run, items, disturbances: sequence::Disturbances::default() };
        assert!(scenario.run().unwrap().deadlock);
    }

    fn check(scheme: Scheme, buffers: u32, says: &str) {
        let setup = Setup { scheme, sources: 2, window: 2, buffers };
        let report = worked(&setup).unwrap();
        assert_eq!(report.remarks, [says]);
        assert_eq!(report.readout.rows[0].cells[3], report.numbers[0].1.to_string());
    }

    #[test]
    fn search_and_theorem_are_said_together() {
        check(
            Scheme::Naive,
            1,
            "In 2 states nothing can move any more: naive locks up exactly when B ≤ S(W − 1), here 1 ≤ 2.",
        );
        check(
            Scheme::Naive,
            3,
            "From every state every stream can still advance: naive locks up exactly when B ≤ S(W − 1), here 3 > 2.",
        );
        check(
            Scheme::Modified2,
            1,
            "From every state every stream can still advance: modified-2 never locks up.",
        );
        check(Scheme::Modified2Literal, 1, "In 2 states nothing can move any more.");
        let wide = Setup { scheme: Scheme::Naive, sources: 7, window: 4, buffers: 1 };
        assert!(wide.check().is_err() && begin(&wide).is_none());
    }
}

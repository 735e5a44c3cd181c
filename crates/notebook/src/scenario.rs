//! A scenario in a file of its own: the body of a cell, without a notebook around it.

use crate::body::{self, Problem, line_around};
use crate::cells::remark;
use crate::document::line_at;
use crate::nearest::{list, nearest};
use netspurt_core::tree::{Entry, Fits, Keyed, Misfit, Refusal, Value};
use std::fmt;

/// What is wrong with a scenario, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioError {
    /// From 1.
    pub line: usize,
    /// What stands there, as far as it is at fault.
    pub excerpt: String,
    pub message: String,
    /// What would work. Empty where the message says it.
    pub remark: String,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ScenarioError {}

/// Reads a scenario over the settings it finds. All that is wrong, in the order of the text.
pub fn read(text: &str, into: &mut dyn Fits) -> Result<(), Vec<ScenarioError>> {
    let mut problems = match body::read(text) {
        Ok(entries) => set_all(&entries, into),
        Err(unreadable) => unreadable,
    };
    problems.sort_by_key(|p| p.range.start);
    if problems.is_empty() { Ok(()) } else { Err(problems.into_iter().map(|p| place(text, p)).collect()) }
}

/// Sets every entry, and checks how they fit.
fn set_all(entries: &[Entry], into: &mut dyn Fits) -> Vec<Problem> {
    let mut problems = Vec::new();
    for entry in entries {
        problems.extend(set(entry, into));
    }
    if problems.is_empty() {
        problems.extend(into.check().err().map(|m| misfit(entries, m)));
    }
    problems
}

/// How settings do not fit each other, at the entry at fault.
pub(crate) fn misfit(entries: &[Entry], misfit: Misfit) -> Problem {
    let entry = entries.iter().find(|e| e.key == misfit.key);
    let item = match (entry.map(|e| &e.value), misfit.item) {
        (Some(Value::List(items)), Some(i)) => items.get(i).map(|n| n.range.clone()),
        _ => None,
    };
    let range = item.or_else(|| entry.map(|e| e.range.clone())).unwrap_or(0..0);
    Problem { range, message: misfit.message, remark: String::new(), fix: None }
}

/// What stands around an experiment and changes nothing about it.
const WORDS: [&str; 2] = ["title", "caption"];

fn set(entry: &Entry, into: &mut dyn Keyed) -> Vec<Problem> {
    let key = entry.key.as_str();
    if into.keys().contains(&key) {
        return into.set(entry).err().unwrap_or_default().into_iter().map(problem).collect();
    }
    if WORDS.contains(&key) {
        return entry.text().err().into_iter().map(problem).collect();
    }
    let settings = into.settings();
    if settings.find(key).is_none() {
        let names: Vec<&str> =
            (0..settings.len()).map(|i| settings.spec(i).name).chain(into.keys().iter().copied()).collect();
        let there = format!("there are {}", list(names.iter().copied()));
        let meant = nearest(key, names.iter().copied());
        return vec![Problem {
            range: entry.key_range.clone(),
            message: format!("{key} is not a key here; {there}"),
            remark: meant.map_or(there, |m| format!("did you mean {m}?")),
            fix: None,
        }];
    }
    let refusal = match entry.scalar() {
        None => Refusal::new(&entry.range, format!("{key} takes one value")),
        Some(text) => match into.settings_mut().set_text(key, text) {
            Ok(()) => return Vec::new(),
            Err(e) => Refusal { range: entry.range.clone(), message: e.to_string(), param: Some(e) },
        },
    };
    vec![problem(refusal)]
}

pub(crate) fn problem(refusal: Refusal) -> Problem {
    let Refusal { range, message, param } = refusal;
    Problem { range, message, remark: param.as_ref().map(remark).unwrap_or_default(), fix: None }
}

fn place(text: &str, problem: Problem) -> ScenarioError {
    let line = line_at(text, problem.range.start);
    let whole = line_around(text, problem.range.start);
    let excerpt = text.get(problem.range.start..problem.range.end.min(whole.end)).unwrap_or_default();
    ScenarioError { line, excerpt: excerpt.to_owned(), message: problem.message, remark: problem.remark }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netspurt_core::imp::{Scheme, network, sequence};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_text_is_too_odd(
            text in "(arrivals|overtakes|held-up|paths|event|input-ms|window|type|A|kind|hop|\\[|\\]|\\{|\\}| = |, |\\.|\n|-?[0-9]{1,3}|\"(dst MSG 1|route|x)\"){0,14}",
        ) {
            for into in [&mut network::Scenario::default() as &mut dyn Fits, &mut sequence::Scenario::default()] {
                for e in read(&text, into).err().unwrap_or_default() {
                    prop_assert!(e.line <= text.lines().count().max(1) + 1);
                }
            }
        }
    }

    /// What is wrong: line, excerpt, message.
    fn told(text: &str, into: &mut dyn Fits) -> Vec<String> {
        let errors = read(text, into).err().unwrap_or_default();
        errors.iter().map(|e| format!("{} {:?} {}", e.line, e.excerpt, e.message)).collect()
    }

    fn flow(text: &str, expected: &[&str]) {
        assert_eq!(told(text, &mut network::Scenario::default()), expected, "{text}");
    }

    fn sequence(text: &str, expected: &[&str]) {
        assert_eq!(told(text, &mut sequence::Scenario::default()), expected, "{text}");
    }

    #[test]
    fn a_timed_scenario_is_read_however_it_is_written() {
        let of = |text: &str| {
            let mut s = network::Scenario::default();
            read(text, &mut s).unwrap();
            s
        };
        assert_eq!(of(""), network::Scenario::default());
        let written = of(
            "scheme = \"current\"\nwindow = 4\nmessage-bits = 1000.0\ngap-ms = 8\n[paths]\nA = [50, 50, 50]\nB = [230.4, 230.4, 50]\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n",
        );
        assert_eq!(written, network::Scenario::default().overtaking(21));
        let inline = of(
            "paths = { A = [50, 50, 50], B = [230.4, 230.4, 50] }\nevent = [{ type = \"route\", message = 21, path = \"B\", kind = \"MSG\", attempt = 0 }]\n",
        );
        assert_eq!(inline, written);
        let s = of(
            "input-ms = [0, 1.5]\n[[event]]\ntype = \"line-error\"\nmessage = 1\nkind = \"RFNM\"\nhop = 2\n[[event]]\ntype = \"delay\"\nmessage = 0\nms = \"0.2 s\"\n[[event]]\ntype = \"pause\"\nfrom-ms = 1\nto-ms = 2.5\n",
        );
        assert_eq!((s.input, s.disturbances.len()), (Some(vec![0.0, 1.5]), 3));
    }

    #[test]
    fn what_cannot_be_timed_is_refused_in_its_place() {
        flow("window = 0", &["1 \"0\" window must be from 1 to 64, not 0"]);
        flow(
            "\nbuffers = 0\nwindow = 2.5",
            &[
                "2 \"0\" buffers must be from 1 to 1000, not 0",
                "3 \"2.5\" window must be a whole number, not \"2.5\"",
            ],
        );
        flow("gap-ms = -1", &["1 \"-1\" gap-ms must be from 0 to 100000 ms, not -1"]);
        flow("duration-ms = 0", &["1 \"0\" duration-ms must be from 1 to 100000000 ms, not 0"]);
        flow("duration-ms = inf", &["1 \"inf\" duration-ms must be from 1 to 100000000 ms, not inf"]);
        flow("error-rate = 2", &["1 \"2\" error-rate must be from 0 to 1, not 2"]);
        flow("[paths]\nA = []", &["1 \"[paths]\" path A must have from 1 to 32 lines, not 0"]);
        flow("[paths]\nA = [50, 0]", &["2 \"0\" a line's rate must be from 0.1 to 10000000 kbs, not 0"]);
        flow(
            "[paths]\nB = [50]",
            &["1 \"[paths]\" there must be a path A, which messages take unless an event says otherwise"],
        );
        flow("paths = [50]", &["1 \"[50]\" paths takes a table, { … }"]);
        flow("input-ms = [5, -1]", &["1 \"-1\" a ready time must be from 0 to 100000000 ms, not -1"]);
        flow(
            "input-ms = [5, 1]",
            &["1 \"1\" ready times must ascend: item 2 of input-ms comes before the one before it"],
        );
        flow(
            "widow = 4",
            &[
                "1 \"widow\" widow is not a key here; there are scheme, window, buffers, message-bits, header-bits, control-bits, line-error-timeout-ms, prop-ms, proc-ms, host-ms, gap-ms, all-ms and 9 more",
            ],
        );
        flow("title = 1", &["1 \"1\" title must be text in quotes"]);
        flow("window = [4]", &["1 \"[4]\" window takes one value"]);
    }

    #[test]
    fn events_say_what_they_lack() {
        let event = |lines: &str, expected: &str| flow(&format!("[[event]]\n{lines}"), &[expected]);
        event("", "1 \"[[event]]\" an event needs a type, one of route, line-error, delay, pause");
        event(
            "type = \"rout\"",
            "2 \"\\\"rout\\\"\" type must be one of route, line-error, delay, pause, not \"rout\"",
        );
        event("type = \"route\"\nmessage = 1", "1 \"[[event]]\" a route event needs path");
        event(
            "type = \"delay\"\nmessage = 1\nms = 1\nhop = 1",
            "5 \"hop\" hop is not a key of a delay event; there are message, ms, kind, attempt",
        );
        event(
            "type = \"route\"\nmessage = 1\npath = \"C\"",
            "1 \"[[event]]\" event 1: there is no path C; there are A, B",
        );
        event(
            "type = \"line-error\"\nmessage = 1\nhop = 3",
            "1 \"[[event]]\" event 1: hop must be from 0 to 2, not 3",
        );
        event("type = \"line-error\"\nmessage = -1", "3 \"-1\" message must be from 0 to 9999999, not -1");
        event(
            "type = \"line-error\"\nmessage = 1\nkind = \"ACK\"",
            "4 \"\\\"ACK\\\"\" kind must be one of MSG, RFNM, ALL, not \"ACK\"",
        );
        event(
            "type = \"pause\"\nfrom-ms = 9\nto-ms = 8",
            "1 \"[[event]]\" event 1: a pause must end after it begins, not at 8 ms where it begins at 9 ms",
        );
        flow("event = [1]", &["1 \"1\" an event is a table: [[event]], or { type = \"route\", … }"]);
        flow("event = 1", &["1 \"1\" event takes a list, [ … ]"]);
    }

    #[test]
    fn a_sequence_is_read_and_run() {
        let mut s = sequence::Scenario::default();
        read("scheme = \"modified-1\"\nrounds = 2\narrivals = [\"dst MSG 1\", \"dst MSG 0\"]\novertakes = [5]\nheld-up = [[6, 2]]\nline-errors = [7]\ntotal = 9\nbeside = \"current\"\n", &mut s).unwrap();
        assert_eq!((s.items.len(), s.setup.total, s.setup.beside.map(Scheme::name)), (2, 9, Some("current")));
        assert_eq!((s.disturbances.overtakes, s.disturbances.held_up), (vec![5], vec![(6, 2)]));
    }

    #[test]
    fn what_cannot_happen_is_refused_at_its_item() {
        sequence(
            "window = 2\narrivals = [\n  \"dst MSG 0\",\n  \"dst MSG 7\",\n]\n",
            &[
                "4 \"\\\"dst MSG 7\\\"\" item 2, \"dst MSG 7\", cannot happen: that is not in flight; possible are \"dst MSG 1\", \"src RFNM 0\"",
            ],
        );
        sequence(
            "window = 1\nbeside = \"naive\"\narrivals = [\"dst MSG 0\", \"src RFNM 0\", \"dst MSG 1\", \"dst MSG 1\"]",
            &[
                "3 \"\\\"dst MSG 1\\\"\" item 4, \"dst MSG 1\", cannot happen: that is not in flight; possible is \"src RFNM 1\"",
            ],
        );
        let trapped =
            "[\"dst MSG 1\", \"dst MSG 0\", \"dst MSG 2\", \"src ALL 1\", \"dst MSG 1\", \"src ALL 2\"]";
        sequence(
            &format!("window = 3\nbeside = \"modified-1\"\narrivals = {trapped}"),
            &[
                "3 \"\\\"src ALL 2\\\"\" under modified-1: item 6, \"src ALL 2\", cannot happen: that is not in flight; possible are \"src RFNM 0\", \"src RFNM 1\", \"src RFNM 2\"",
            ],
        );
        sequence("arrivals = [1]", &["1 \"1\" an item must be text in quotes"]);
        sequence(
            "arrivals = [\"dst\"]",
            &[
                "1 \"\\\"dst\\\"\" \"dst\" is not an item; there are \"dst MSG 1\", \"src RFNM 0\", \"src ALL 1\", \"dst HOST\", \"src PAUSE\" and \"src RESUME\", each with @1 behind it for source 1",
            ],
        );
        sequence("overtakes = [0]", &["1 \"0\" a message must be from 1 to 1000000000, not 0"]);
        sequence("held-up = [3]", &["1 \"3\" a message and how many rounds it is late, [4, 2]"]);
        sequence(
            "host = \"explict\"",
            &["1 \"\\\"explict\\\"\" host must be one of immediate, explicit, not \"explict\""],
        );
        sequence(
            "window = ",
            &[
                "1 \"window = \" this line cannot be read: string values must be quoted, expected literal string",
            ],
        );
    }
}

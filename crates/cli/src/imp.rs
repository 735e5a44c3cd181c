//! `netspurt imp`: IMP flow control, step by step.

mod answer;

use crate::failure::Failure;
use crate::output::{self, Out};
use crate::scenario;
use crate::table::aligned;
use answer::Answer;
use clap::{Arg, ArgAction, ArgMatches, Command};
use netspurt_core::experiments::imp::{Side, sides};
use netspurt_core::imp::sequence::{Scenario, columns, narrate};
use std::ffi::OsString;

/// What the help says of the keys that are lists.
const LISTS: &str = "      arrivals     What arrives in which order: \"dst MSG 1\", \"src RFNM 0\", \"src ALL 1\", \"dst HOST\",
                   \"src PAUSE\", \"src RESUME\", with @1 behind it for source 1
      overtakes    In the rounds: messages that arrive before their predecessors, [1]
      line-errors  In the rounds: messages that arrive a round late, [4]
      held-up      In the rounds: messages and how many rounds they are late, [[4, 2]]

Message i of RFC 632 is number 0. What the windows allow is sent before the first item.";

pub(crate) fn define() -> Command {
    let form = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
    };
    let command = Command::new("imp")
        .about("Step through IMP flow control as in RFC 632")
        .arg(
            form("json", "Print one JSON object: events, states, what was sent again")
                .conflicts_with("tables"),
        )
        .arg(form("tables", "Print the two columns of RFC 632's tables"));
    scenario::define(command, &Scenario::default(), LISTS)
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let Some(path) = matches.get_one::<OsString>("scenario") else { return Ok(()) };
    let mut scenario = Scenario::default();
    let name = scenario::read(path, &mut scenario)?;
    let sides = sides(&scenario).map_err(|e| Failure::input(e.to_string(), name, "mend its arrivals"))?;
    if matches.get_flag("json") {
        return output::json(out, &Answer::new(&sides));
    }
    for (i, side) in sides.iter().enumerate() {
        if sides.len() > 1 {
            writeln!(out, "{}{}:", if i == 0 { "" } else { "\n" }, side.scheme.name())?;
        }
        let text = if matches.get_flag("tables") { tables(side) } else { told(side) };
        write!(out, "{text}")?;
    }
    Ok(())
}

/// The two columns as the RFC prints them.
fn tables(side: &Side) -> String {
    let (lines, _) = columns(&side.run);
    let entry =
        |i: Option<usize>| i.map_or(String::new(), |i| side.run.events[i].entry(side.scheme).to_string());
    let head = ["SOURCE IMP", "DESTINATION IMP"].map(str::to_owned).to_vec();
    let rows = lines.iter().map(|l| vec![entry(l.source), entry(l.destination)]);
    aligned(&[head, Vec::new()].into_iter().chain(rows).collect::<Vec<_>>(), 2)
}

/// A line an event, with what it is and why; then what was sent again.
fn told(side: &Side) -> String {
    let run = &side.run;
    let rows = run.events.iter().enumerate().map(|(i, e)| {
        let fate = e.disposition.map_or("", netspurt_core::imp::Disposition::name);
        let again = if e.is_retransmission() { "again" } else { fate };
        let event = format!("{} {} {}", e.pdu.name(), e.message.number, e.word.name());
        let words = [e.site.name(), &event, again, &narrate(run, side.scheme, i)].map(str::to_owned);
        [e.step.to_string()].into_iter().chain(words).collect()
    });
    let head = ["step", "at", "event", "", "what happens"].map(str::to_owned).to_vec();
    let mut text = aligned(&[head].into_iter().chain(rows).collect::<Vec<_>>(), 5);
    let again: Vec<String> = run.retransmitted.iter().map(|m| m.number.to_string()).collect();
    text.push_str("\nSent again: ");
    text.push_str(if again.is_empty() { "nothing" } else { "" });
    text.push_str(&again.join(", "));
    text.push('\n');
    if run.deadlock {
        text.push_str("Deadlock: nothing is in flight, and messages wait.\n");
    }
    text
}

//! `netspurt imp-lockup`: whether IMP flow control can lock up, by exhaustive search.

use crate::failure::Failure;
use crate::output::{self, Out};
use crate::rto::flags::{flag, takes};
use crate::table::aligned;
use clap::{Arg, ArgAction, ArgMatches, Command};
use netspurt_core::experiments::imp_lockup::{readout, sentence};
use netspurt_core::imp::lockup::{Setup, example, search};
use netspurt_core::params::Settings as _;
use serde::Serialize;

const ADVICE: &str = "see netspurt imp-lockup --help";

pub(crate) fn define() -> Command {
    let setup = Setup::default();
    let settings = (0..setup.len()).map(|i| {
        let spec = setup.spec(i);
        flag(spec).help(format!("{} {}", spec.help, takes(spec, &setup, i)))
    });
    Command::new("imp-lockup")
        .about("Search IMP flow control for a lock-up, in every order of events")
        .args(settings)
        .arg(Arg::new("json").long("json").help("Print one JSON object").action(ArgAction::SetTrue))
        .after_help("The streams are endless. An example is given as arrivals of a scenario for netspurt imp, with host = \"explicit\".")
}

#[derive(Serialize)]
struct Answer {
    states: usize,
    deadlocks: usize,
    /// States from which some stream can never advance, deadlocks included.
    stuck: usize,
    /// The events that lead to a deadlock; `null` without one.
    example: Option<Vec<String>>,
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let mut setup = Setup::default();
    for i in 0..setup.len() {
        let name = setup.spec(i).name;
        if let Some(value) = matches.get_one::<String>(name) {
            setup
                .set_text(name, value)
                .map_err(|e| Failure::usage(e.to_string(), format!("--{name}"), ADVICE))?;
        }
    }
    let found = search(&setup).map_err(|e| Failure::usage(e.to_string(), "--sources, --window", ADVICE))?;
    let items =
        example(&setup, &found).map(|items| items.iter().map(ToString::to_string).collect::<Vec<_>>());
    let verdict = found.verdict();
    if matches.get_flag("json") {
        let (states, deadlocks, stuck) = (verdict.states, verdict.deadlocks, verdict.stuck);
        return output::json(out, &Answer { states, deadlocks, stuck, example: items });
    }
    let table = readout(&setup, verdict);
    let head = [table.head.clone()].into_iter().chain(table.columns.iter().map(|c| c.title.to_string()));
    let rows = table.rows.iter().map(|row| [row.head.clone()].into_iter().chain(row.cells.clone()).collect());
    write!(out, "{}", aligned(&[head.collect()].into_iter().chain(rows).collect::<Vec<_>>(), 1))?;
    writeln!(out, "{}", sentence(&setup, verdict))?;
    if let Some(items) = items {
        writeln!(out, "For example: {}", items.join(", "))?;
    }
    Ok(())
}

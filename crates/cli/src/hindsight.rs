//! `netspurt hindsight`: the fixed timeout that would have cost least.

use crate::failure::Failure;
use crate::output::{self, Out};
use crate::table::aligned;
use crate::traces;
use clap::{Arg, ArgAction, ArgMatches, Command};
use netspurt_core::report::RunError;
use netspurt_core::rto::estimators::hindsight::best;
use netspurt_core::trace::Outcome;
use serde::Serialize;

pub(crate) fn define() -> Command {
    let command =
        Command::new("hindsight").about("Find the fixed timeout that would have cost a trace least");
    traces::define(command)
        .arg(
            Arg::new("json")
                .long("json")
                .help("Print one JSON object, in full precision")
                .action(ArgAction::SetTrue),
        )
        .after_help(
            "A lost packet costs the timeout, a late one its whole delay. The timeout is 0 or one of the\n\
             delays; of two at one price the smaller.",
        )
}

/// Times in ms.
#[derive(Serialize)]
struct Answer {
    timeout: f64,
    cost: f64,
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let trace = traces::chosen(matches)?;
    if trace.moments().is_none() && trace.count(Outcome::Lost) == 0 {
        let nothing = RunError::NoSamples { trace: trace.name.clone() };
        return Err(Failure::input(nothing.to_string(), trace.name, traces::WITHOUT_SAMPLES));
    }
    let best = best(&trace);
    let answer = Answer { timeout: best.timeout, cost: best.cost };
    if matches.get_flag("json") {
        return output::json(out, &answer);
    }
    let row = |name: &str, ms: f64| vec![name.to_owned(), format!("{ms:.3}"), "ms".to_owned()];
    write!(out, "{}", aligned(&[row("timeout", answer.timeout), row("cost", answer.cost)], 1))?;
    Ok(())
}

//! `netspurt import`: what a file of measurements holds.

mod answer;
pub(crate) mod csv;
mod text;

use crate::failure::Failure;
use crate::output::{self, Out};
use crate::{input, traces};
use answer::Answer;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use netspurt_import::{Choice, formats};
use std::ffi::OsString;

pub(crate) fn define() -> Command {
    let form = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
    };
    Command::new("import")
        .about("Read a trace of any kind and say what it holds")
        .after_long_help(kinds())
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .help("A file, or - for standard input; what it is, is told by its bytes")
                .required(true)
                .value_parser(value_parser!(OsString)),
        )
        .arg(form("json", "Print one JSON object").conflicts_with_all(["csv", "list"]))
        .arg(form("csv", "Print the trace as CSV: t_s,octets,delay_ms; an empty delay is a loss"))
        .arg(form("list", "List the runs, targets, hops, flows or series inside").conflicts_with("csv"))
        .arg(
            Arg::new("part")
                .long("part")
                .value_name("N")
                .help("Read one of what --list shows: its number, or all")
                .conflicts_with("list")
                .value_parser(|text: &str| text.parse::<Choice>()),
        )
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let Some(path) = matches.get_one::<OsString>("file") else { return Ok(()) };
    let choice = matches.get_one::<Choice>("part").copied().unwrap_or_default();
    let input = input::read(path)?;
    let mut all = traces::import(&input, Choice::All)?;
    let chosen = match choice {
        // What is usually read is always there.
        Choice::Usual | Choice::All => all.clone().only(choice).unwrap_or_else(|| all.clone()),
        Choice::One(n) => {
            let mut one = traces::import(&input, choice)?;
            one.parts = one.parts.into_iter().skip(n).take(1).collect();
            all = one.clone();
            one
        }
    };
    if matches.get_flag("json") {
        return output::json(out, &Answer::of(&chosen, &all));
    }
    if matches.get_flag("csv") {
        return Ok(csv::write(&chosen.trace, out)?);
    }
    let text = if matches.get_flag("list") { text::list(&all) } else { text::whole_file(&chosen) };
    Ok(out.write_all(text.as_bytes())?)
}

/// What can be read, a line a kind.
fn kinds() -> String {
    let lines = formats().iter().map(|f| format!("  {}: {}\n", f.id, f.reads));
    "Kinds of files, told by their bytes and opened though packed with gzip:\n".to_owned()
        + &lines.collect::<String>()
}

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
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let Some(path) = matches.get_one::<OsString>("file") else { return Ok(()) };
    let all = traces::import(input::read(path)?, Choice::All)?;
    // What is usually read is always there.
    let usual = all.clone().only(Choice::Usual).unwrap_or_else(|| all.clone());
    if matches.get_flag("json") {
        return output::json(out, &Answer::of(&usual, &all));
    }
    if matches.get_flag("csv") {
        return Ok(csv::write(&usual.trace, out)?);
    }
    let text = if matches.get_flag("list") { text::list(&all) } else { text::whole_file(&usual) };
    Ok(out.write_all(text.as_bytes())?)
}

/// What can be read, a line a kind.
fn kinds() -> String {
    let lines = formats().iter().map(|f| format!("  {}: {}\n", f.id, f.reads));
    "Kinds of files, told by their bytes and opened though packed with gzip:\n".to_owned()
        + &lines.collect::<String>()
}

//! `netspurt open LINK`: the document in a link, byte for byte.

use crate::failure::Failure;
use crate::input;
use crate::output::Out;
use clap::{Arg, ArgAction, ArgMatches, Command};
use netspurt_notebook::link::{LinkError, Payload, Problem, decode};
use std::ffi::OsStr;

pub(crate) fn define() -> Command {
    Command::new("open")
        .about("Print the notebook in a link")
        .arg(
            Arg::new("link")
                .value_name("LINK")
                .help("A whole address, its part from # on, or - for standard input")
                .required(true),
        )
        .arg(
            Arg::new("unchecked")
                .long("unchecked")
                .help("Print what can be read of a link that was cut or changed")
                .action(ArgAction::SetTrue),
        )
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let Some(link) = matches.get_one::<String>("link") else { return Ok(()) };
    let (name, text) = match link.as_str() {
        "-" => input::text(OsStr::new("-"))?,
        link => ("the link".to_owned(), link.to_owned()),
    };
    match decode(text.trim()) {
        Ok(Payload { text, .. }) => Ok(out.write_all(text.as_bytes())?),
        Err(error) => {
            if let Some(text) = error.readable.as_ref().filter(|_| matches.get_flag("unchecked")) {
                out.write_all(text.as_bytes())?;
            }
            Err(refusal(&error, name))
        }
    }
}

/// A link that does not open.
pub(crate) fn refusal(error: &LinkError, name: String) -> Failure {
    let advice = match error.problem {
        // There is no page to reload here.
        Problem::UnknownVersion { .. } => "update netspurt, or ask for the notebook as a file".to_owned(),
        _ => clause(error.problem.what_to_do()),
    };
    let offer = match error.readable {
        Some(_) => "; netspurt open --unchecked prints what can be read of it",
        None => "",
    };
    Failure::input(error.problem.to_string(), name, format!("{advice}{offer}"))
}

/// A sentence as a part of one.
fn clause(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    let first = letters.next().map(|c| c.to_lowercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}

//! Scenario files: the body of a notebook's cell, in a file of its own.

use crate::failure::Failure;
use crate::input;
use crate::rto::flags::takes;
use clap::{Arg, Command, value_parser};
use netspurt_core::tree::Keyed;
use netspurt_notebook::scenario;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;

/// Adds SCENARIO, and tells of the keys of such a file.
pub(crate) fn define(command: Command, of: &dyn Keyed, more: &str) -> Command {
    let file = Arg::new("scenario")
        .value_name("SCENARIO")
        .help("A TOML file, - for standard input; its keys are those of the notebook's cell")
        .required(true)
        .value_parser(value_parser!(OsString));
    command.arg(file).after_help(keys_help(of, more))
}

/// Reads a file over the defaults. Its name, for messages.
pub(crate) fn read(path: &OsStr, into: &mut dyn Keyed) -> Result<String, Failure> {
    let (name, text) = input::text(path)?;
    let Err(errors) = scenario::read(&text, into) else { return Ok(name) };
    let Some(first) = errors.first() else { return Ok(name) };
    let others = match errors.len() {
        1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    let place = match first.excerpt.as_str() {
        "" => format!("{name}, line {}", first.line),
        text => format!("{name}, line {} “{text}”", first.line),
    };
    let advice = if first.remark.is_empty() { "mend the line" } else { &first.remark };
    Err(Failure::input(format!("{}{others}", first.message), place, advice))
}

fn keys_help(of: &dyn Keyed, more: &str) -> String {
    let settings = of.settings();
    let width = (0..settings.len()).map(|i| settings.spec(i).name.len()).max().unwrap_or(0);
    let mut text = "Keys of a scenario:".to_owned();
    for i in 0..settings.len() {
        let spec = settings.spec(i);
        // Writing to a string cannot fail.
        let _ = write!(text, "\n      {:<width$}  {} {}", spec.name, spec.help, takes(spec, settings, i));
    }
    text + "\n" + more
}

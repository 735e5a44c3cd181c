//! A trace named on the command line: a run of 1983, a file, or `-` for standard input; or a series
//! typed in its place.
//!
//! What begins with `rfc889/` is a run, whatever files there are; `./rfc889/…` is the file.

use crate::failure::Failure;
use crate::input::{self, Input};
use crate::series;
use clap::{Arg, ArgGroup, ArgMatches, Command, value_parser};
use netspurt_core::rto::printed;
use netspurt_core::rto::rebuild::{NameError, parse_name, reconstruct};
use netspurt_core::trace::Trace;
use netspurt_import::{BadRows, Choice, Import, ImportError, Options, Remedy};
use std::ffi::{OsStr, OsString};

/// What TRACE stands for, in the help of the commands that take one.
pub(crate) const HELP: &str = "A file, - for standard input, or a run of 1983 such as rfc889/dcn1-local/FOE";

/// Adds TRACE and `--series`, of which one must be given.
pub(crate) fn define(command: Command) -> Command {
    command
        .arg(Arg::new("trace").value_name("TRACE").help(HELP).value_parser(value_parser!(OsString)))
        .arg(
            Arg::new("series")
                .long("series")
                .value_name("MS,MS,…")
                .help("A series typed in, - or nothing for a lost packet: --series=100,100,-,250")
                .allow_hyphen_values(true),
        )
        .group(ArgGroup::new("what").args(["trace", "series"]).required(true))
}

/// The trace that was named or typed in.
pub(crate) fn chosen(matches: &ArgMatches) -> Result<Trace, Failure> {
    match (matches.get_one::<String>("series"), matches.get_one::<OsString>("trace")) {
        (Some(text), _) => series::read(text),
        (None, Some(name)) => read(name),
        // clap has asked for one.
        (None, None) => Err(Failure::usage("a trace is missing", "TRACE", "name one, or type --series")),
    }
}

/// What to say of a trace that holds nothing to replay.
pub(crate) const WITHOUT_SAMPLES: &str = "name a trace with replies or losses";

pub(crate) fn read(name: &OsStr) -> Result<Trace, Failure> {
    match name.to_str().filter(|n| n.starts_with("rfc889/")) {
        Some(name) => run(name),
        None => Ok(import(&input::read(name)?, Choice::Usual)?.trace),
    }
}

/// Reads a file's bytes, whatever they are. A row that cannot be read is left out and noted.
pub(crate) fn import(input: &Input, choice: Choice) -> Result<Import, Failure> {
    let options = Options {
        name: input.name.clone(),
        bad_rows: BadRows::LeaveOut,
        choice,
        decoder: Some(decode),
        ..Options::default()
    };
    netspurt_import::read(&input.bytes, &options).map_err(|e| unreadable(&e, options.name))
}

/// Text of an encoding that has this label.
pub(crate) fn decode(label: &str, bytes: &[u8]) -> Option<String> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes())?;
    Some(encoding.decode_without_bom_handling(bytes).0.into_owned())
}

fn unreadable(error: &ImportError, name: String) -> Failure {
    let place = match &error.place {
        None => name,
        Some(p) => match p.excerpt.get(p.marked).filter(|(_, text)| !text.trim().is_empty()) {
            Some((_, text)) => format!("{name}, line {} “{text}”", p.line),
            None => format!("{name}, line {}", p.line),
        },
    };
    // What the page offers as buttons and a command line does not have, is left out.
    let advice = error.remedies.iter().find_map(|r| match r {
        Remedy::Advice(advice) => Some(advice.as_str()),
        _ => None,
    });
    Failure::input(error.what.trim_end_matches('.'), place, advice.unwrap_or("give another file"))
}

fn run(name: &str) -> Result<Trace, Failure> {
    match parse_name(name) {
        Ok((run, recipe)) => Ok(reconstruct(run, &recipe).trace),
        Err(NameError::NoSuchRun { run }) => Err(no_such_run(&run)),
        Err(e) => Err(Failure::input(e.to_string(), name, "name it as rfc889/dcn1-local/FOE seed=7")),
    }
}

/// RFC 889 prints no run of this name, `rfc889/dcn1-local/FOO`.
pub(crate) fn no_such_run(name: &str) -> Failure {
    let section = name.split('/').nth(1).and_then(|id| printed::SECTIONS.iter().find(|s| s.id == id));
    let there: Vec<&str> = match section {
        Some(s) => printed::runs().iter().filter(|r| r.section == *s).map(|r| r.id).collect(),
        None => printed::SECTIONS.iter().map(|s| s.id).collect(),
    };
    let (what, place) = match section {
        Some(s) => ("RFC 889 prints no run", format!("section {}", s.id)),
        None => ("RFC 889 prints no section as in", "section 3.2".to_owned()),
    };
    Failure::input(format!("{what} {name}"), place, format!("there are {}", there.join(", ")))
}

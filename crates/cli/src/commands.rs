//! The commands, each one entry of a table: its definition and what it does.

use crate::failure::Failure;
use crate::output::{self, Out};
use crate::{
    check, completions, delay, hindsight, imp, imp_flow, imp_lockup, import, link, open, reconstruct, rto,
    serve, stats, sweep,
};
use clap::error::ErrorKind;
use clap::{ArgMatches, Command};
use std::ffi::OsString;

/// A command.
struct Entry {
    /// Its name, help and arguments.
    define: fn() -> Command,
    run: fn(&ArgMatches, Out<'_>) -> Result<(), Failure>,
}

/// In the order of the help.
const COMMANDS: &[Entry] = &[
    Entry { define: import::define, run: import::run },
    Entry { define: rto::define, run: rto::run },
    Entry { define: sweep::define, run: sweep::run },
    Entry { define: hindsight::define, run: hindsight::run },
    Entry { define: reconstruct::define, run: reconstruct::run },
    Entry { define: imp::define, run: imp::run },
    Entry { define: imp_flow::define, run: imp_flow::run },
    Entry { define: imp_lockup::define, run: imp_lockup::run },
    Entry { define: delay::define, run: delay::run },
    Entry { define: stats::define, run: stats::run },
    Entry { define: link::define, run: link::run },
    Entry { define: open::define, run: open::run },
    Entry { define: check::define, run: check::run },
    Entry { define: serve::define, run: serve::run },
    Entry { define: completions::define, run: completions::run },
];

/// The whole command line: help, errors and completions are made of it.
pub(crate) fn define() -> Command {
    Command::new("netspurt")
        .about("Replays, imports, links and checks measurements of packet delay")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .max_term_width(100)
        .after_help("Exit code 0: done; 1: the input is bad; 2: the command line is.")
        .subcommands(COMMANDS.iter().map(|c| (c.define)()))
}

/// Does what the arguments ask.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let matches = match define().try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        Err(error) => return refuse(&error, &arguments),
    };
    let chosen = matches
        .subcommand()
        .and_then(|(name, of)| Some((COMMANDS.iter().find(|c| (c.define)().get_name() == name)?, of)));
    match chosen {
        Some((command, of)) => output::with(|out| (command.run)(of, out)),
        // clap has asked for a command.
        None => Ok(()),
    }
}

/// Prints the help or version that was asked for, or says what is wrong on one line.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> Result<(), Failure> {
    let text = error.render().to_string();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return output::with(|out| Ok(out.write_all(text.as_bytes())?));
    }
    let named = arguments.iter().skip(1).find_map(|a| {
        let definition = COMMANDS.iter().map(|c| (c.define)()).find(|c| a == c.get_name())?;
        Some(format!("netspurt {}", definition.get_name()))
    });
    let command = named.unwrap_or_else(|| "netspurt".to_owned());
    // The first paragraph says what is wrong, one that begins with "tip:" what was probably meant.
    let mut paragraphs = text.split("\n\n").map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "));
    let what = paragraphs.next().unwrap_or_default();
    let what = what.strip_prefix("error: ").unwrap_or(&what).to_owned();
    // How to pass an unknown option as a value is no help to whoever mistyped one.
    let tips = paragraphs.filter_map(|p| Some(p.strip_prefix("tip: ")?.to_owned()));
    let tips = tips.filter(|t| !t.starts_with("to pass "));
    let advice: Vec<String> = tips.chain([format!("see {command} --help")]).collect();
    Err(Failure::usage(what, command, advice.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        define().debug_assert();
    }
}

//! `netspurt completions SHELL`: what a shell needs to complete a command line.

use crate::commands;
use crate::failure::Failure;
use crate::output::Out;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

pub(crate) fn define() -> Command {
    Command::new("completions")
        .about("Print a shell's completions of this command line")
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .help("The shell to write them for")
                .required(true)
                .value_parser(value_parser!(Shell)),
        )
        .after_help("In bash: source <(netspurt completions bash)")
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let Some(&shell) = matches.get_one::<Shell>("shell") else { return Ok(()) };
    // Into memory first: the generator panics where it cannot write.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut commands::define(), "netspurt", &mut text);
    Ok(out.write_all(&text)?)
}

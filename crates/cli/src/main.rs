//! `netspurt`: replay, import, link and check from a terminal, over the same crates as the page.
//!
//! One file a command; [`commands`] is the table of them. Results go to standard output, errors to
//! standard error as `netspurt: <what>: <where>: <what to do>`. Exit code 0: done, 1: the input is
//! bad, 2: the command line is.

mod check;
mod commands;
mod completions;
mod delay;
mod failure;
mod hindsight;
mod imp;
mod imp_flow;
mod imp_lockup;
mod import;
mod input;
mod link;
mod notebooks;
mod open;
mod output;
mod reconstruct;
mod rto;
mod scenario;
mod series;
mod serve;
mod stats;
mod sweep;
mod table;
mod traces;

use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}

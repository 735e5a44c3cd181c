//! Builds, serves, tests and measures the page. `cargo xtask help` lists what it does.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command speaks to who called it")]

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::{Parser, Subcommand};

mod bench;
mod budget;
mod count;
mod fuzz;
mod page;
mod repo;
mod run;
mod steps;
mod tools;
mod wasm;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Builds, serves, tests and measures the page")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the page into dist/ and print its weight
    Build,
    /// Build the page and serve it on this machine
    Serve {
        /// The port to listen on; 0 picks a free one
        #[arg(long, default_value_t = 8889)]
        port: u16,
    },
    /// Format, clippy, native tests and documentation
    Check {
        /// Only the steps of these names
        #[arg(long, value_name = "STEP")]
        only: Vec<String>,
    },
    /// Everything: what `check` does, the page, wasm tests, and the page in a browser
    Test {
        /// Only the steps of these names
        #[arg(long, value_name = "STEP")]
        only: Vec<String>,
    },
    /// Build the page and compare its weight and speed with the budget and with peers
    Bench,
    /// Feed every importer with mutated samples
    Fuzz {
        /// How long each format is fuzzed
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// Only the formats of these ids, or `any`
        #[arg(long, value_name = "ID")]
        only: Vec<String>,
    },
    /// Run one wasm test binary; cargo calls this
    #[command(hide = true, disable_help_flag = true)]
    WasmTestRunner {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Build => build().map(|()| ExitCode::SUCCESS),
        Task::Serve { port } => serve(port).map(|()| ExitCode::SUCCESS),
        Task::Check { only } => steps::run(true, &only),
        Task::Test { only } => steps::run(false, &only),
        Task::Fuzz { seconds, only } => fuzz::fuzz(seconds, &only),
        Task::Bench => bench::bench().map(|()| ExitCode::SUCCESS),
        Task::WasmTestRunner { arguments } => wasm_test_runner(arguments).map(|()| ExitCode::SUCCESS),
    };
    outcome.unwrap_or_else(|error| {
        run::tell(&error);
        ExitCode::FAILURE
    })
}

fn build() -> Result<()> {
    budget::hold(&page::build(|weight| print!("{weight}"))?)
}

fn serve(port: u16) -> Result<()> {
    // Whoever reads the address from standard output wants nothing else there.
    page::build(|weight| eprint!("{weight}"))?;
    let server = netspurt_serve::serve(&repo::dist(), [127, 0, 0, 1].into(), port).map_err(|error| {
        anyhow!("cannot listen on port {port}: {error}\nPick another port with `--port N`, or any free one with `--port 0`.")
    })?;
    println!("{}", server.url());
    Ok(server.wait()?)
}

fn wasm_test_runner(arguments: Vec<OsString>) -> Result<()> {
    tools::node()?;
    let name = OsString::from("wasm-test-runner");
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::iter::once(name).chain(arguments))
}

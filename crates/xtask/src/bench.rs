//! `bench`: the page's weight against its budget, and its speed against named peers. Ratios only.

use std::process::Command;

use anyhow::Result;

use crate::{page, repo, run, tools, wasm};

pub(crate) fn bench() -> Result<()> {
    page::build(|weight| print!("{weight}"))?;
    let core = wasm::for_node("netspurt-js")?;
    tools::node()?;
    println!();
    let mut node = Command::new("node");
    node.arg("bench.mjs").current_dir(repo::browser_tests()).env("NETSPURT_JS", core);
    run::lines(&mut node, |line| println!("{line}"))
}

//! `bench`: the page's weight against its budget, and its speed against named peers. Ratios only.

use std::process::Command;

use anyhow::Result;

use crate::{page, repo, run, tools, wasm};

pub(crate) fn bench() -> Result<()> {
    page::build(|weight| print!("{weight}"))?;
    let core = wasm::for_browser("netspurt-js")?;
    let chrome = tools::chromium()?;
    tools::node_packages()?;
    println!();
    let mut node = Command::new("node");
    node.arg("bench.mjs").current_dir(repo::browser_tests()).env("CHROME", chrome).env("NETSPURT_JS", core);
    run::lines(&mut node, |line| println!("{line}"))?;
    let mut files = Command::new("node");
    files.arg("bench-files.mjs").current_dir(repo::browser_tests());
    files.env("CHROME", tools::chromium()?).env("NETSPURT_DIST", repo::dist());
    run::lines(&mut files, |line| println!("{line}"))
}

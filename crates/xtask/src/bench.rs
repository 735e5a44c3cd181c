//! `bench`: the page's weight against its budget, and its speed against named peers. Ratios only.

use std::process::Command;

use anyhow::Result;

use crate::{page, repo, run, tools};

pub(crate) fn bench() -> Result<()> {
    page::build(|weight| print!("{weight}"))?;
    tools::node()?;
    let mut node = Command::new("node");
    node.arg("bench.mjs").current_dir(repo::browser_tests());
    run::lines(&mut node, |line| println!("{line}"))
}

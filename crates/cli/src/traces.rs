//! A trace named on the command line: a run of 1983.

use crate::failure::Failure;
use netspurt_core::rto::{printed, rebuild};
use netspurt_core::trace::Trace;
use std::ffi::OsStr;

/// What TRACE stands for, in the help of the commands that take one.
pub(crate) const HELP: &str = "A file, - for standard input, or a run of 1983 such as rfc889/dcn1-local/FOE";

pub(crate) fn read(name: &OsStr) -> Result<Trace, Failure> {
    run(&name.to_string_lossy())
}

fn run(name: &str) -> Result<Trace, Failure> {
    if let Some(run) = printed::find(name) {
        return Ok(rebuild::rebuild(run, rebuild::SEED));
    }
    let section = name.split('/').nth(1).and_then(|id| printed::SECTIONS.iter().find(|s| s.id == id));
    let there: Vec<&str> = match section {
        Some(s) => printed::runs().iter().filter(|r| r.section == *s).map(|r| r.id).collect(),
        None => printed::SECTIONS.iter().map(|s| s.id).collect(),
    };
    let (what, place) = match section {
        Some(s) => ("RFC 889 prints no run", format!("section {}", s.id)),
        None => ("RFC 889 prints no section as in", "section 3.2".to_owned()),
    };
    Err(Failure::input(format!("{what} {name}"), place, format!("there are {}", there.join(", "))))
}

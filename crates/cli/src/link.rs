//! `netspurt link NOTEBOOK`: a document as a link, with the digests of its results.

use crate::failure::Failure;
use crate::notebooks;
use crate::output::Out;
use clap::{Arg, ArgMatches, Command, value_parser};
use netspurt_notebook::evaluate::{evaluate, payload};
use netspurt_notebook::link::encode;
use std::ffi::OsString;

pub(crate) fn define() -> Command {
    Command::new("link").about("Print a notebook as a link: what goes after the page's address").arg(
        Arg::new("notebook")
            .value_name("NOTEBOOK")
            .help("A Markdown file, or - for standard input")
            .required(true)
            .value_parser(value_parser!(OsString)),
    )
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let Some(path) = matches.get_one::<OsString>("notebook") else { return Ok(()) };
    let notebook = notebooks::read(path, false)?;
    // The link carries the digests of all results, so that whoever opens it can tell.
    let outcomes = evaluate(&notebook.document, &notebook.shelf);
    let link = encode(&payload(&notebook.document, &outcomes, Vec::new())).map_err(|e| {
        // What and what to do stand in one sentence there.
        let text = e.to_string();
        let (what, advice) = text.split_once(": ").unwrap_or((&text, "send the notebook as a file"));
        Failure::input(what, notebook.name, advice)
    })?;
    writeln!(out, "{}", link.fragment())?;
    Ok(())
}

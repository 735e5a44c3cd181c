//! `netspurt check`: every cell's digest, beside the one a link carries.

use crate::failure::Failure;
use crate::notebooks::{self, Notebook};
use crate::output::{self, Out};
use crate::table::aligned;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use netspurt_core::rto::rebuild::GENERATOR;
use netspurt_notebook::evaluate::{Check, Outcome, check, evaluate};
use serde::Serialize;
use std::ffi::OsString;

pub(crate) fn define() -> Command {
    Command::new("check")
        .about("Run every cell of a notebook and compare its results with those recorded")
        .arg(
            Arg::new("notebook")
                .value_name("NOTEBOOK|LINK")
                .help("A Markdown file, a link, or - for standard input")
                .required(true)
                .value_parser(value_parser!(OsString)),
        )
        .arg(Arg::new("json").long("json").help("Print one JSON object").action(ArgAction::SetTrue))
        .after_help(
            "Exit code 1 if a cell fails or gives other bits than the link records.\n\
             Files that cells name are looked for beside the notebook.",
        )
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let Some(named) = matches.get_one::<OsString>("notebook") else { return Ok(()) };
    let notebook = notebooks::read(named, true)?;
    let cells = cells(&notebook);
    if matches.get_flag("json") {
        output::json(out, &Answer { title: notebook.document.title(), cells: &cells })?;
    } else {
        write!(out, "{}", table(&cells))?;
    }
    verdict(&notebook, &cells)
}

#[derive(Serialize)]
struct Answer<'a> {
    /// `null`: the notebook has none.
    title: Option<&'a str>,
    cells: &'a [Cell],
}

/// One cell that gives a result, or should.
#[derive(Debug, Serialize)]
struct Cell {
    #[serde(rename = "cell")]
    id: String,
    /// The word after `netspurt`; `null` for a cell that is not there.
    kind: Option<String>,
    /// The line it begins on.
    line: Option<usize>,
    /// `null`: there is no result.
    digest: Option<String>,
    /// `null`: the notebook records none.
    recorded: Option<String>,
    /// `null`: there is nothing to compare.
    same: Option<bool>,
    /// Why there is no result.
    error: Option<String>,
}

/// All cells in the order of the document, then those that were recorded and are gone.
fn cells(notebook: &Notebook) -> Vec<Cell> {
    let outcomes = evaluate(&notebook.document, &notebook.shelf);
    let mut checks = check(&outcomes, &notebook.payload.digests);
    let mut cells = Vec::new();
    for cell in notebook.document.cells() {
        let checked = checks.iter().position(|c| c.cell == cell.id).map(|i| checks.remove(i));
        let broken = || cell.errors().first().map(ToString::to_string);
        let error = match outcomes.iter().find(|o| o.cell == cell.id) {
            Some(Outcome { report: Err(failure), .. }) => Some(failure.to_string()),
            Some(_) => None,
            None => broken(),
        };
        // Data that is read without a fault has no result of its own.
        if checked.is_some() || error.is_some() {
            cells.push(Cell {
                kind: Some(cell.word.clone()),
                line: Some(cell.line),
                ..Cell::of(&cell.id, checked, error)
            });
        }
    }
    cells.extend(checks.into_iter().map(|c| {
        let error = Some("there is no such cell".to_owned());
        Cell::of(&c.cell.clone(), Some(c), error)
    }));
    cells
}

impl Cell {
    fn of(id: &str, checked: Option<Check>, error: Option<String>) -> Self {
        let (digest, recorded, same) = checked.map_or((None, None, None), |c| (c.digest, c.recorded, c.same));
        Self { id: id.to_owned(), kind: None, line: None, digest, recorded, same, error }
    }
}

fn table(cells: &[Cell]) -> String {
    let head = ["cell", "kind", "line", "digest", "result"].map(str::to_owned).to_vec();
    let dash = || "-".to_owned();
    let rows = cells.iter().map(|c| {
        let result = match (&c.error, c.same, &c.recorded) {
            (Some(error), ..) => error.clone(),
            (None, Some(true), _) => "reproduced, bit for bit".to_owned(),
            (None, Some(false), Some(recorded)) => format!("differs from the one recorded, {recorded}"),
            (None, ..) => "nothing recorded".to_owned(),
        };
        let line = c.line.map_or_else(dash, |l| l.to_string());
        let [kind, digest] = [&c.kind, &c.digest].map(|v| v.clone().unwrap_or_else(dash));
        vec![c.id.clone(), kind, line, digest, result]
    });
    if cells.is_empty() {
        return "no cell gives a result\n".to_owned();
    }
    aligned(&[head].into_iter().chain(rows).collect::<Vec<_>>(), 5)
}

/// Fails if a cell did, or if its result is another.
fn verdict(notebook: &Notebook, cells: &[Cell]) -> Result<(), Failure> {
    let place = |c: &Cell| match c.line {
        Some(line) => format!("{}, cell {}, line {line}", notebook.name, c.id),
        None => format!("{}, cell {}", notebook.name, c.id),
    };
    if let Some(c) = cells.iter().find(|c| c.error.is_some()) {
        let what = c.error.clone().unwrap_or_default();
        return Err(Failure::input(what, place(c), "mend the cell"));
    }
    let Some(c) = cells.iter().find(|c| c.same == Some(false)) else { return Ok(()) };
    let advice = match notebook.payload.generator {
        Some(made) if made != GENERATOR => {
            format!(
                "it rests on generator {made} and this is {GENERATOR}: check it with the version that made it"
            )
        }
        _ => "check it with the version that made the link".to_owned(),
    };
    let others = match cells.iter().filter(|c| c.same == Some(false)).count() {
        0 | 1 => String::new(),
        2 => " and so does 1 other".to_owned(),
        n => format!(" and so do {} others", n - 1),
    };
    Err(Failure::input(format!("the result differs from the one recorded{others}"), place(c), advice))
}

//! `netspurt reconstruct`: the runs of 1983, rebuilt from what RFC 889 prints of them.

mod answer;
mod claims;

use crate::failure::Failure;
use crate::import::csv;
use crate::output::{self, Out};
use crate::table::aligned;
use crate::traces::no_such_run;
use answer::{Answer, Row};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use netspurt_core::params::{Kind, Settings as _, Spec};
use netspurt_core::rto::printed::{FIGURES, PLACES, Run, cut, find, runs};
use netspurt_core::rto::rebuild::{Noise, Rebuilt, Recipe, reconstruct};

/// The parameter that names the law of delays.
const NOISE: &str = "noise";
const ADVICE: &str = "see netspurt reconstruct --help";

pub(crate) fn define() -> Command {
    let form = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
    };
    let recipe = Recipe::default();
    let settings = (0..recipe.len()).map(|i| {
        let spec = recipe.spec(i);
        let default = spec.print(recipe.default_value(i));
        let arg = flag(spec);
        if spec.name == NOISE {
            // Claims are tried with every law, or with the one that is named.
            return arg.help(format!("{} [default: {default}; with --claims both]", spec.help));
        }
        arg.help(format!("{} [default: {default}]", spec.help)).conflicts_with("claims")
    });
    Command::new("reconstruct")
        .about("Rebuild the runs of 1983 from their printed rows; these are not Mills's data")
        .arg(
            Arg::new("row")
                .value_name("ROW")
                .help("A printed row such as dcn1-local/FOE; all 52 without one")
                .num_args(0..)
                .conflicts_with("claims"),
        )
        .args(settings)
        .arg(form("json", "Print one JSON object").conflicts_with("csv"))
        .arg(form("csv", "Print CSV: of one ROW the trace, t_s,octets,delay_ms, else the rows"))
        .arg(form("claims", "Try what RFC 889 claims in numbers on rebuilt runs and on a control"))
        .arg(
            Arg::new("seeds")
                .long("seeds")
                .value_name("N")
                .help("With --claims: how many seeds to try, from 1 on [default: 10]")
                .requires("claims")
                .value_parser(value_parser!(u64).range(1..=1000)),
        )
}

fn flag(spec: &'static Spec) -> Arg {
    let arg = Arg::new(spec.name).long(spec.name);
    match spec.kind {
        Kind::Choice(choices) => arg.value_parser(PossibleValuesParser::new(choices)),
        Kind::Number(_) | Kind::Flag => arg.value_name("N").allow_hyphen_values(true),
    }
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let (json, csv) = (matches.get_flag("json"), matches.get_flag("csv"));
    if matches.get_flag("claims") {
        let seeds = matches.get_one("seeds").copied().unwrap_or(10);
        let law = matches.contains_id(NOISE).then_some(recipe(matches)?.noise);
        return claims::run(seeds, law.map_or(&Noise::ALL, Noise::alone), json, csv, out);
    }
    let recipe = recipe(matches)?;
    let rows = rows(matches)?;
    if let (true, [run]) = (csv, &rows[..]) {
        return Ok(csv::write(&reconstruct(run, &recipe).trace, out)?);
    }
    let rebuilt: Vec<(&Run, Rebuilt)> = rows.into_iter().map(|r| (r, reconstruct(r, &recipe))).collect();
    if json {
        return output::json(out, &Answer::new(&recipe, &rebuilt));
    }
    if csv {
        let rows = rebuilt.iter().map(|(run, r)| Row::new(run, r).csv());
        let head = format!("section,host_id,{},exact", FIGURES.join(","));
        return Ok([head].into_iter().chain(rows).try_for_each(|line| writeln!(out, "{line}"))?);
    }
    write!(out, "{}", text(&rebuilt))?;
    let inexact = rebuilt.iter().filter(|(_, r)| !r.exact()).count();
    if inexact > 0 {
        writeln!(out, "\n{} of {} rows are printed again.", rebuilt.len() - inexact, rebuilt.len())?;
    }
    Ok(writeln!(out, "\nReconstructions from the printed summary, seed {}, not Mills's data.", recipe.seed)?)
}

fn recipe(matches: &ArgMatches) -> Result<Recipe, Failure> {
    let mut recipe = Recipe::default();
    for i in 0..recipe.len() {
        let name = recipe.spec(i).name;
        if let Some(value) = matches.get_one::<String>(name) {
            recipe
                .set(name, value)
                .map_err(|e| Failure::usage(e.to_string(), format!("--{name}"), ADVICE))?;
        }
    }
    Ok(recipe)
}

/// The rows named, in that order; all of them if none is.
fn rows(matches: &ArgMatches) -> Result<Vec<&'static Run>, Failure> {
    let Some(names) = matches.get_many::<String>("row") else { return Ok(runs().iter().collect()) };
    let row = |name: &String| {
        let name = if name.starts_with("rfc889/") { name.clone() } else { format!("rfc889/{name}") };
        find(&name).ok_or_else(|| no_such_run(&name))
    };
    names.map(row).collect()
}

/// The table as printed, by section, and what is missed.
fn text(rebuilt: &[(&Run, Rebuilt)]) -> String {
    let titles = ["row", "total", "lost", "time", "rtx", "time", "mean", "CoV", "eff", ""];
    let units = ["", "s", "", "s", "", "s", "ms", "", "", ""];
    let mut lines: Vec<Vec<String>> = [titles, units].map(|l| l.map(str::to_owned).to_vec()).to_vec();
    for (run, r) in rebuilt {
        let mut line = vec![format!("{}/{}", run.section.id, run.id)];
        line.extend((0..8).map(|i| cut(r.figures[i], PLACES[i])));
        let missed: Vec<String> = (0..8)
            .filter(|&i| r.misses[i])
            .map(|i| format!("{} printed {}", FIGURES[i], run.printed[i]))
            .collect();
        line.push(if missed.is_empty() { "exact".to_owned() } else { missed.join(", ") });
        lines.push(line);
    }
    aligned(&lines, 1)
}

//! `netspurt stats`: mean, spread, quantiles and a line of a column of numbers.

mod columns;

use crate::failure::Failure;
use crate::output::{self, Out};
use crate::table::aligned;
use clap::{Arg, ArgAction, ArgMatches, Command};
use columns::{Columns, Pair};
use netspurt_core::stats::regression::{Line, fit, fit_through_origin};
use netspurt_core::stats::summary::{QUANTILES, Summary};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use std::ffi::OsString;

pub(crate) fn define() -> Command {
    Command::new("stats")
        .about("Sum up a column of numbers, and fit a line through two")
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .help("A list or table of numbers, a data set of NIST's, any trace, or - for standard input")
                .required(true)
                .value_parser(clap::value_parser!(OsString)),
        )
        .arg(
            Arg::new("regress")
                .long("regress")
                .value_name("Y,X")
                .help("Sum up column Y and fit a line through it against column X; columns go by name or by number from 1 [default: the first against the second, where there are two]"),
        )
        .arg(
            Arg::new("through-origin")
                .long("through-origin")
                .help("Fit the line without an intercept")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("json")
                .long("json")
                .help("Print one JSON object, in full precision")
                .action(ArgAction::SetTrue),
        )
        .after_help(
            "The standard deviation has divisor n − 1, and CoV is it over the mean. p5 is the quantile that 5 % lie below,\n\
             by linear interpolation between the numbers in order. Numbers are taken as they stand, whatever their unit.",
        )
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let Some(name) = matches.get_one::<OsString>("file") else { return Ok(()) };
    let asked = matches.get_one::<String>("regress").map(|text| pair(text)).transpose()?;
    let columns = Columns::read(name)?;
    let pair = columns.pair(asked.as_ref())?;
    let through_origin = matches.get_flag("through-origin");
    let (y_name, values, missing) = columns.numbers(pair.y);
    let Some(summary) = Summary::of(&values) else {
        let what = format!("column {y_name} holds no number");
        return Err(Failure::input(what, &columns.place, "name another column with --regress Y,X"));
    };
    let regression = regression(&columns, pair, asked.is_some(), through_origin)?;
    let answer = Answer { column: y_name, missing, summary, regression };
    if matches.get_flag("json") {
        return output::json(out, &answer);
    }
    write!(out, "{}", answer.text())?;
    Ok(())
}

/// The two names of `--regress`.
fn pair(text: &str) -> Result<(String, String), Failure> {
    match text.split_once(',').map(|(y, x)| (y.trim(), x.trim())) {
        Some((y, x)) if !y.is_empty() && !x.is_empty() && !x.contains(',') => {
            Ok((y.to_owned(), x.to_owned()))
        }
        _ => Err(Failure::usage(
            format!("--regress takes two columns, not {text:?}"),
            "--regress",
            "give them as Y,X: --regress delay_ms,octets",
        )),
    }
}

/// The line. One that was not asked for may be missing.
fn regression(
    columns: &Columns,
    pair: Pair,
    asked: bool,
    through_origin: bool,
) -> Result<Option<Regression>, Failure> {
    let Some(x) = pair.x else {
        return if through_origin {
            let advice = "name two columns with --regress Y,X, or leave --through-origin out";
            Err(Failure::usage(
                "this file has no second column to fit a line against",
                "--through-origin",
                advice,
            ))
        } else {
            Ok(None)
        };
    };
    let (xs, ys) = columns.both(x, pair.y);
    let line = if through_origin { fit_through_origin(&xs, &ys) } else { fit(&xs, &ys) };
    match line {
        Some(line) => {
            let name = |i: usize| columns.names[i].clone();
            Ok(Some(Regression { y: name(pair.y), x: name(x), line, through_origin }))
        }
        None if asked || through_origin => Err(Failure::input(
            format!(
                "no line goes through column {} against {}: it takes two different {1}",
                columns.names[pair.y], columns.names[x]
            ),
            &columns.place,
            "name other columns with --regress Y,X",
        )),
        None => Ok(None),
    }
}

struct Answer {
    column: String,
    missing: usize,
    summary: Summary,
    regression: Option<Regression>,
}

struct Regression {
    y: String,
    x: String,
    line: Line,
    through_origin: bool,
}

impl Answer {
    /// Every figure by the name it has in JSON, counts apart.
    fn figures(&self) -> Vec<(&'static str, Option<f64>)> {
        let s = &self.summary;
        let quantiles = QUANTILES.iter().zip(s.quantiles).map(|((name, _), v)| (*name, Some(v)));
        let first = [
            ("mean", Some(s.mean)),
            ("sd", s.sd),
            ("cov", s.cov),
            ("min", Some(s.min)),
            ("max", Some(s.max)),
        ];
        first.into_iter().chain(quantiles).chain([("lag1_autocorrelation", s.lag1)]).collect()
    }

    fn text(&self) -> String {
        let row = |name: &str, value: String| vec![name.to_owned(), value];
        let shown = |v: Option<f64>| v.map_or_else(|| "-".to_owned(), |v| v.to_string());
        let mut lines = vec![row("column", self.column.clone()), row("n", self.summary.n.to_string())];
        if self.missing > 0 {
            lines.push(row("missing", self.missing.to_string()));
        }
        lines.extend(self.figures().into_iter().map(|(name, v)| row(name, shown(v))));
        let line = self.regression.as_ref().map_or_else(String::new, |r| {
            let lines: Vec<_> = r.figures().into_iter().map(|(name, v)| row(name, shown(v))).collect();
            format!("\n{} against {}\n{}", r.y, r.x, aligned(&lines, 1))
        });
        aligned(&lines, 1) + &line
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("column", &self.column)?;
        map.serialize_entry("n", &self.summary.n)?;
        map.serialize_entry("missing", &self.missing)?;
        for (name, value) in self.figures() {
            map.serialize_entry(name, &value)?;
        }
        if let Some(regression) = &self.regression {
            map.serialize_entry("regression", regression)?;
        }
        map.end()
    }
}

impl Regression {
    /// A line through the origin has no intercept.
    fn figures(&self) -> Vec<(&'static str, Option<f64>)> {
        let l = &self.line;
        let intercept = (!self.through_origin).then_some(l.intercept);
        vec![
            ("slope", Some(l.slope)),
            ("intercept", intercept),
            ("slope_se", l.slope_se),
            ("intercept_se", l.intercept_se),
            ("residual_sd", l.residual_sd),
            ("r2", l.r2),
        ]
    }
}

impl Serialize for Regression {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("y", &self.y)?;
        map.serialize_entry("x", &self.x)?;
        map.serialize_entry("n", &self.line.n)?;
        map.serialize_entry("through_origin", &self.through_origin)?;
        for (name, value) in self.figures() {
            map.serialize_entry(name, &value)?;
        }
        map.end()
    }
}

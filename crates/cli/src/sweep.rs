//! `netspurt sweep`: every F1 with every F2 at every G over a trace, or over several pooled.

use crate::failure::Failure;
use crate::output::{self, Out};
use crate::table::aligned;
use crate::traces;
use clap::{Arg, ArgAction, ArgMatches, Command};
use netspurt_core::params::Settings;
use netspurt_core::report::RunError;
use netspurt_core::rto::estimators::mills::Mills;
use netspurt_core::rto::replay::Figure;
use netspurt_core::rto::sweep::{Axis, Grid, GridError, Numbers, sweep};
use netspurt_core::rto::{Options, Summary};
use netspurt_core::shared::Shared;
use netspurt_core::trace::{Outcome, Trace};
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use std::ffi::OsString;

const ADVICE: &str = "see netspurt sweep --help";

pub(crate) fn define() -> Command {
    let range = |axis: Axis| {
        let spec = axis.spec();
        Arg::new(spec.name)
            .long(spec.name)
            .value_name("LO:HI:N")
            .help(format!("N values from LO to HI, or one value. {}", spec.help))
            .default_value(axis.default_range())
            .allow_hyphen_values(true)
    };
    let form = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
    };
    let value = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("V").help(help).allow_hyphen_values(true)
    };
    let command = Command::new("sweep")
        .about("Replay every pair of smoothing factors over a trace, by the rules of 1983");
    traces::define(command)
        .mut_arg("trace", |trace| {
            let help = format!("{}; several are pooled", trace.get_help().cloned().unwrap_or_default());
            trace.num_args(1..).help(help)
        })
        .args(Axis::ALL.map(range))
        .arg(value("e-cold", "The estimate a trace begins with if its first packet is lost [default: 75 ms]"))
        .arg(value(
            "scale",
            "The estimator sees this many times each delay [default: 2 for one-way delays, else 1]",
        ))
        .arg(form("json", "Print one JSON object, in full precision").conflicts_with("csv"))
        .arg(form("csv", "Print a line a setting, times in ms"))
        .after_help("A number may be written 0.9375, 15/16 or 93.75%.")
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    // The command line is judged before any file is read.
    let grid = grid(matches)?;
    let (mut mills, mut options) = (Mills::default(), Options::default());
    for (name, settings) in [("e-cold", &mut mills as &mut dyn Set), ("scale", &mut options)] {
        if let Some(text) = matches.get_one::<String>(name) {
            settings.set(name, text)?;
        }
    }
    let traces = named(matches)?;
    let numbers = sweep(grid, &traces, mills.e_cold, options.scale);
    if matches.get_flag("json") {
        return output::json(out, &Answer { numbers: &numbers });
    }
    if matches.get_flag("csv") {
        return csv(&numbers, out);
    }
    text(&numbers, &traces, out)
}

/// A parameter set by its flag.
trait Set {
    fn set(&mut self, name: &str, text: &str) -> Result<(), Failure>;
}

impl<S: Settings> Set for S {
    fn set(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        self.set_text(name, text).map_err(|e| Failure::usage(e.to_string(), format!("--{name}"), ADVICE))
    }
}

fn grid(matches: &ArgMatches) -> Result<Grid, Failure> {
    let [f1, f2, g] = Axis::ALL.map(|axis| {
        let name = axis.spec().name;
        let text = matches.get_one::<String>(name).map_or(axis.default_range(), String::as_str);
        axis.parse(text).map_err(|e| refusal(&e, &format!("--{name}")))
    });
    Grid::new(f1?, f2?, g?).map_err(|e| refusal(&e, "--f1, --f2, --g"))
}

fn refusal(error: &GridError, place: &str) -> Failure {
    Failure::usage(error.to_string(), place, ADVICE)
}

/// The traces to sweep over; there is something in at least one.
fn named(matches: &ArgMatches) -> Result<Vec<Shared<Trace>>, Failure> {
    let all = match matches.get_many::<OsString>("trace") {
        Some(names) => names.map(|n| traces::read(n)).collect::<Result<Vec<_>, _>>()?,
        None => vec![traces::chosen(matches)?],
    };
    if all.iter().all(|t| t.moments().is_none() && t.count(Outcome::Lost) == 0) {
        let name = all.first().map(|t| t.name.clone()).unwrap_or_default();
        let nothing = RunError::NoSamples { trace: name.clone() };
        return Err(Failure::input(nothing.to_string(), name, traces::WITHOUT_SAMPLES));
    }
    Ok(all.into_iter().map(Shared::new).collect())
}

/// Every setting with its columns: by F1, then by F2, then by G.
fn points(numbers: &Numbers) -> impl Iterator<Item = ([f64; 3], Summary)> + '_ {
    let grid = numbers.grid();
    let (n2, n3) = (grid.f2().len(), grid.g().len());
    (0..grid.points()).filter_map(move |i| {
        let (f1, f2, g) = (i / n3 / n2, i / n3 % n2, i % n3);
        Some(([grid.f1()[f1], grid.f2()[f2], grid.g()[g]], numbers.at(f1, f2, g)?))
    })
}

/// The axes of the grid, and a point a setting.
struct Answer<'a> {
    numbers: &'a Numbers,
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let grid = self.numbers.grid();
        let mut map = to.serialize_map(None)?;
        for (axis, values) in Axis::ALL.into_iter().zip([grid.f1(), grid.f2(), grid.g()]) {
            map.serialize_entry(axis.spec().name, values)?;
        }
        map.serialize_entry("points", &Points(self.numbers))?;
        map.end()
    }
}

struct Points<'a>(&'a Numbers);

impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut all = to.serialize_seq(Some(self.0.grid().points()))?;
        for (at, summary) in points(self.0) {
            all.serialize_element(&Point { at, summary })?;
        }
        all.end()
    }
}

struct Point {
    at: [f64; 3],
    summary: Summary,
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        for (axis, v) in Axis::ALL.into_iter().zip(self.at) {
            map.serialize_entry(axis.spec().name, &v)?;
        }
        for (name, figure) in self.summary.figures() {
            match figure {
                Figure::Count(n) => map.serialize_entry(name, &n)?,
                Figure::Real(v) => map.serialize_entry(name, &v)?,
            }
        }
        map.end()
    }
}

fn csv(numbers: &Numbers, out: Out<'_>) -> Result<(), Failure> {
    let mut heading: Vec<&str> = Axis::ALL.iter().map(|a| a.spec().name).collect();
    for (i, (at, summary)) in points(numbers).enumerate() {
        if i == 0 {
            heading.extend(summary.figures().map(|(name, _)| name));
            writeln!(out, "{}", heading.join(","))?;
        }
        write!(out, "{},{},{}", at[0], at[1], at[2])?;
        for (_, figure) in summary.figures() {
            match figure {
                Figure::Count(n) => write!(out, ",{n}")?,
                Figure::Real(Some(v)) => write!(out, ",{v}")?,
                Figure::Real(None) => write!(out, ",")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// As many settings as are printed as text.
const LINES: usize = 20;

/// The settings of highest efficiency, the best first.
fn text(numbers: &Numbers, traces: &[Shared<Trace>], out: Out<'_>) -> Result<(), Failure> {
    let mut best: Vec<([f64; 3], Summary)> = points(numbers).collect();
    let efficiency = |s: &Summary| s.efficiency.unwrap_or(0.0);
    best.sort_by(|a, b| efficiency(&b.1).total_cmp(&efficiency(&a.1)));
    let head = ["F1", "F2", "G", "Total", "Lost", "Lost", "Spurious", "Spurious", "Efficiency"];
    let units = ["", "", "", "s", "packets", "s", "packets", "s", ""];
    let rows = best.iter().take(LINES).map(|(at, s)| {
        let setting = Axis::ALL.into_iter().zip(at).map(|(axis, v)| axis.print(*v));
        let seconds = |ms: f64| format!("{:.3}", ms / 1000.0);
        let cells = [
            seconds(s.total),
            s.lost.to_string(),
            seconds(s.lost_time),
            s.rtx.to_string(),
            seconds(s.rtx_time),
            s.efficiency.map_or_else(|| "–".to_owned(), |e| format!("{e:.4}")),
        ];
        setting.chain(cells).collect()
    });
    let lines: Vec<Vec<String>> =
        [head, units].into_iter().map(|l| l.map(str::to_owned).to_vec()).chain(rows).collect();
    write!(out, "{}", aligned(&lines, 0))?;
    let shown = best.len().min(LINES);
    writeln!(out, "The {shown} of {} settings with the highest efficiency. --csv prints all.", best.len())?;
    if traces.len() > 1 {
        writeln!(out, "Pooled over {} traces.", traces.len())?;
    }
    Ok(())
}

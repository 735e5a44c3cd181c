//! `netspurt imp-flow`: IMP flow control against a clock.

mod answer;

use crate::failure::Failure;
use crate::output::{self, Out};
use crate::rto::flags::flag;
use crate::scenario;
use crate::table::aligned;
use answer::Answer;
use clap::{Arg, ArgAction, ArgMatches, Command};
use netspurt_core::experiments::imp_flow::report;
use netspurt_core::imp::network::{READY, Scenario, Window, run as simulate};
use netspurt_core::params::{Spec, Value};
use netspurt_core::report::Table;
use std::ffi::OsString;

/// What the help says of the keys that are lists and tables.
const LISTS: &str = "      input-ms     When each message is ready, in ms, [0, 20, 40]
      paths        The rates of the lines of each path, in kbs: { A = [50, 50, 50], B = [230.4, 230.4, 50] }
      [[event]]    type = \"route\" with message, path; \"line-error\" with message, hop; \"delay\" with message, ms;
                   \"pause\" with from-ms, to-ms. kind (MSG, RFNM, ALL) and attempt (0: the first sending)
                   say what of a message is meant

The defaults are those of 1 April 1974. Message i of RFC 632 is number 0.";

const FROM: Spec = Spec { name: "from-ms", help: "Where the window of the figures begins", ..READY };
const TO: Spec = Spec { name: "to-ms", help: "Where it ends [default: the end of the run]", ..READY };

pub(crate) fn define() -> Command {
    let command = Command::new("imp-flow")
        .about("Time IMP flow control: the trap of RFC 632")
        .arg(
            Arg::new("json")
                .long("json")
                .help("Print one JSON object: messages, the window's figures, every event")
                .action(ArgAction::SetTrue),
        )
        .args([&FROM, &TO].map(|spec| flag(spec).value_name("MS").help(spec.help)));
    scenario::define(command, &Scenario::default(), LISTS)
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    let Some(path) = matches.get_one::<OsString>("scenario") else { return Ok(()) };
    let from = time(matches, &FROM)?;
    let to = time(matches, &TO)?;
    let mut scenario = Scenario::default();
    let name = scenario::read(path, &mut scenario)?;
    let window = window(from, to, scenario.setup.duration)?;
    let json = matches.get_flag("json");
    let run = simulate(&scenario, window, json)
        .map_err(|e| Failure::input(e.to_string(), name, "mend the scenario"))?;
    if json {
        return output::json(out, &Answer::new(window, &run));
    }
    let report = report(&scenario, window, &run);
    write!(out, "{}", readout(&report.readout))?;
    for remark in &report.remarks {
        writeln!(out, "{remark}")?;
    }
    let lines = run.lines.iter().map(|l| {
        let way = if l.back { "RFNM, ALL" } else { "messages" };
        vec![
            format!("path {}, line {}", l.path, l.line + 1),
            way.to_owned(),
            format!("{:.1} %", 100.0 * l.utilization),
        ]
    });
    write!(out, "\n{}", aligned(&lines.collect::<Vec<_>>(), 2))?;
    Ok(())
}

fn time(matches: &ArgMatches, spec: &Spec) -> Result<Option<f64>, Failure> {
    let Some(text) = matches.get_one::<String>(spec.name) else { return Ok(None) };
    match spec.parse(text) {
        Ok(Value::Number(ms)) => Ok(Some(ms)),
        Ok(Value::Flag(_) | Value::Choice(_)) => Ok(None),
        Err(e) => {
            Err(Failure::usage(e.to_string(), format!("--{}", spec.name), "see netspurt imp-flow --help"))
        }
    }
}

fn window(from: Option<f64>, to: Option<f64>, duration: f64) -> Result<Window, Failure> {
    let window = Window { from_ms: from.unwrap_or(0.0), to_ms: to.unwrap_or(duration) };
    if window.to_ms > duration {
        let what = format!("the run ends at {duration} ms");
        return Err(Failure::usage(
            what,
            format!("--to-ms {}", window.to_ms),
            "lengthen duration-ms, or leave it out",
        ));
    }
    if window.from_ms >= window.to_ms {
        let what = format!("a window must end after it begins, and this ends at {} ms", window.to_ms);
        let place = format!("--from-ms {}", window.from_ms);
        return Err(Failure::usage(what, place, format!("give a time from 0 to below {}", window.to_ms)));
    }
    Ok(window)
}

fn readout(table: &Table) -> String {
    let titles = [table.head.clone()].into_iter().chain(table.columns.iter().map(|c| c.title.to_string()));
    let units = [String::new()].into_iter().chain(table.columns.iter().map(|c| c.unit.to_string()));
    let rows = table.rows.iter().map(|row| [row.head.clone()].into_iter().chain(row.cells.clone()).collect());
    aligned(&[titles.collect(), units.collect()].into_iter().chain(rows).collect::<Vec<_>>(), 1)
}

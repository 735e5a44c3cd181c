//! `netspurt delay`: lines through delay against length.

mod answer;

use crate::failure::Failure;
use crate::output::{self, Out};
use crate::rto::flags::{flag, takes};
use crate::table::aligned;
use crate::traces;
use answer::Answer;
use clap::{Arg, ArgAction, ArgMatches, Command};
use netspurt_core::delay::Shortfall;
use netspurt_core::experiments::delay::{Parting, Setup, lines, printed_line, run as experiment};
use netspurt_core::params::Settings;
use netspurt_core::report::Heading;
use netspurt_core::shared::Shared;
use std::ffi::OsString;

/// Settings of the cell that are flags here: those that choose the numbers, not the picture.
const FLAGS: [&str; 7] =
    ["method", "knee-from", "knee-to", "octets-from", "octets-to", "sent-from", "sent-to"];

pub(crate) fn define() -> Command {
    let setup = Setup::default();
    let flags = FLAGS.into_iter().filter_map(|name| {
        let row = setup.find(name)?;
        let spec = setup.spec(row);
        Some(flag(spec).help(format!("{} {}", spec.help, takes(spec, &setup, row))))
    });
    Command::new("delay")
        .about("Fit one line or two through delay against packet length")
        .arg(
            Arg::new("trace")
                .value_name("TRACE")
                .help(traces::HELP)
                .required(true)
                .value_parser(clap::value_parser!(OsString)),
        )
        .arg(
            Arg::new("knee")
                .long("knee")
                .value_name("OCTETS|none|estimate")
                .help("Part two lines after packets of so many octets, fit one, or part them where they fit best [default: 125, for runs of 1983 as printed]"),
        )
        .args(flags)
        .arg(
            Arg::new("json")
                .long("json")
                .help("Print one JSON object, in full precision")
                .action(ArgAction::SetTrue),
        )
        .after_help("Rates are in bits per second, with 95 % intervals; of round trips they are those of both ways together.")
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    // The command line is judged before any file is read.
    let setup = setup(matches)?;
    let Some(name) = matches.get_one::<OsString>("trace") else { return Ok(()) };
    let trace = Shared::new(traces::read(name)?);
    let (points, lines) = lines(&setup, &trace);
    if lines.shortfalls.contains(&Shortfall::NoLengths) {
        return Err(Failure::input(
            "no packet has both a length and a delay, so there is no line to fit",
            &trace.name,
            "name a trace with lengths, widen the selection, or see netspurt stats",
        ));
    }
    let report = experiment(&setup, &trace)
        .map_err(|e| Failure::input(e.to_string(), &trace.name, "name a trace with replies"))?;
    if matches.get_flag("json") {
        let printed = printed_line(&trace);
        return output::json(out, &Answer::new(&trace, &points, &lines, printed, &report.remarks));
    }
    for table in std::iter::once(&report.readout).chain(&report.more) {
        let heads = |of: fn(&Heading) -> &str| table.columns.iter().map(move |c| of(c).to_owned());
        let titles = [table.head.clone()].into_iter().chain(heads(|c| &c.title));
        let units = [String::new()].into_iter().chain(heads(|c| &c.unit));
        let rows =
            table.rows.iter().map(|row| [row.head.clone()].into_iter().chain(row.cells.clone()).collect());
        let text: Vec<Vec<String>> = [titles.collect(), units.collect()].into_iter().chain(rows).collect();
        writeln!(out, "{}", aligned(&text, 1))?;
    }
    for sentence in &report.said {
        writeln!(out, "{sentence}")?;
    }
    for remark in &report.remarks {
        writeln!(out, "{remark}")?;
    }
    Ok(())
}

/// The settings that the flags give.
fn setup(matches: &ArgMatches) -> Result<Setup, Failure> {
    const ADVICE: &str = "see netspurt delay --help";
    let mut setup = Setup::default();
    let mut set = |name: &str, flag: &str, value: &str| {
        let place = format!("--{flag}");
        setup
            .set_text(name, value)
            .map_err(|e| Failure::usage(e.to_string().replace(name, flag), place, ADVICE))
    };
    for name in FLAGS {
        if let Some(value) = matches.get_one::<String>(name) {
            set(name, name, value)?;
        }
    }
    match matches.get_one::<String>("knee").map(String::as_str) {
        None => {}
        Some(word @ ("none" | "estimate")) => set("knee", "knee", word)?,
        Some(octets) if octets.starts_with(|c: char| c.is_ascii_digit()) => {
            set("break-after", "knee", octets)?;
            setup.knee = Parting::Fixed;
        }
        Some(other) => {
            let what = format!("knee must be a number of octets, none or estimate, not {other:?}");
            return Err(Failure::usage(what, "--knee", ADVICE));
        }
    }
    Ok(setup)
}

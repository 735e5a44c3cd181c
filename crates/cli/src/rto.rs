//! `netspurt rto`: replays an estimator over a trace.

mod answer;
pub(crate) mod flags;

use crate::failure::Failure;
use crate::output::{self, Out};
use crate::table::aligned;
use crate::traces;
use answer::Answer;
use clap::{Arg, ArgAction, ArgMatches, Command};
use netspurt_core::experiments::rto::{Setup, run as experiment};
use netspurt_core::report::{RunError, Table};
use netspurt_core::rto::judge::{Judgement, Wait};
use netspurt_core::rto::{Replay, judge};
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;

pub(crate) fn define() -> Command {
    let command = Command::new("rto").about("Replay a retransmission timeout over a trace");
    flags::define(traces::define(command))
        .arg(
            Arg::new("steps")
                .long("steps")
                .help("Show the timeout, the estimate and the outcome of every record")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("json")
                .long("json")
                .help("Print one JSON object, in full precision")
                .action(ArgAction::SetTrue),
        )
}

pub(crate) fn run(matches: &ArgMatches, out: Out<'_>) -> Result<(), Failure> {
    // The command line is judged before any file is read.
    let rule = flags::rule(matches)?;
    let options = flags::options(matches)?;
    let trace = traces::chosen(matches)?;
    let options = options.settled(&trace);
    let replay = rule.replay(&trace, &options);
    // The report refuses a trace without samples; the numbers are the same.
    let setup = Setup { slots: [Some(rule.clone()), None, None, None], options, ..Setup::default() };
    let trace = Shared::new(trace);
    let report = experiment(&setup, &trace, 0).map_err(|e| refusal(&e, &trace.name))?;
    let steps = matches.get_flag("steps");
    let estimates = if steps { rule.estimates(&trace, &setup.options) } else { Vec::new() };
    if matches.get_flag("json") {
        return output::json(
            out,
            &Answer::new(&*rule, &setup.options, &replay, steps.then_some(&estimates[..])),
        );
    }
    write!(out, "{}", readout(&report.readout))?;
    write!(out, "\n{}", judgement(&judge(&*rule, &trace, &setup.options)))?;
    if !rule.choices().is_empty() {
        writeln!(out, "{}", rule.choices())?;
    }
    for remark in &report.remarks {
        writeln!(out, "{remark}")?;
    }
    match trace.notes.len() {
        0 => {}
        1 => writeln!(out, "{} was read with a note: netspurt import shows it.", trace.name)?,
        n => writeln!(out, "{} was read with {n} notes: netspurt import shows them.", trace.name)?,
    }
    if steps {
        write!(out, "\n{}", steps_table(&trace, &replay, &estimates))?;
    }
    Ok(())
}

fn refusal(error: &RunError, trace: &str) -> Failure {
    let advice = match error {
        RunError::NoLengths { .. } => "leave --correct out",
        _ => traces::WITHOUT_SAMPLES,
    };
    Failure::input(error.to_string(), trace, advice)
}

/// The columns of RFC 889; for a run of 1983 the printed row comes first.
fn readout(table: &Table) -> String {
    let titles = [table.head.clone()].into_iter().chain(table.columns.iter().map(|c| c.title.to_owned()));
    let units = [String::new()].into_iter().chain(table.columns.iter().map(|c| c.unit.to_owned()));
    let rows = table.rows.iter().map(|row| [row.head.clone()].into_iter().chain(row.cells.clone()).collect());
    let lines: Vec<Vec<String>> = [titles.collect(), units.collect()].into_iter().chain(rows).collect();
    aligned(&lines, 1)
}

/// How long it waits, and what that is worth.
fn judgement(of: &Judgement) -> String {
    let row = |name: &str, wait: &Wait| {
        let cells = [wait.mean, wait.p50, wait.p95, wait.p99].map(|ms| format!("{ms:.1}"));
        [name.to_owned()].into_iter().chain(cells).collect()
    };
    let head = ["wait, ms", "mean", "p50", "p95", "p99"].map(str::to_owned).to_vec();
    let rows = [of.wait.map(|w| row("every packet", &w)), of.wait_lost.map(|w| row("lost packets", &w))];
    let mut text = aligned(&[Some(head)].into_iter().chain(rows).flatten().collect::<Vec<_>>(), 1);
    let mut say = |sentence: Option<String>| text.extend(sentence.map(|s| s + "\n"));
    say(of.spurious.map(|p| {
        let [rate, low, high] = [p.rate, p.low, p.high].map(|v| 100.0 * v);
        format!("Sent again too soon: {rate:.2} % of the replies, 95 % interval {low:.2} to {high:.2} %.")
    }));
    say(of.ratio.map(|ratio| format!("Timeout over delay: {ratio:.2}, geometric mean.")));
    say(of.regret.map(|points| {
        let than = if points < 0.0 { "more" } else { "less" };
        format!("Efficiency: {:.2} points {than} than with the best fixed timeout.", points.abs())
    }));
    text
}

/// One line a record, to the microsecond.
fn steps_table(trace: &Trace, replay: &Replay, estimates: &[f64]) -> String {
    let head = ["packet", "delay", "timeout", "estimate", "outcome"].map(str::to_owned);
    let time = |ms: f64| if ms.is_nan() { "-".to_owned() } else { format!("{ms:.3}") };
    let rows = (0..trace.len()).map(|i| {
        let delay = if trace.outcomes()[i].is_timed() { trace.delays()[i] } else { f64::NAN };
        let [timeout, estimate] = [replay.timeouts[i], estimates[i]].map(time);
        vec![(i + 1).to_string(), time(delay), timeout, estimate, replay.kinds[i].name().to_owned()]
    });
    aligned(&[head.to_vec()].into_iter().chain(rows).collect::<Vec<_>>(), 0)
}

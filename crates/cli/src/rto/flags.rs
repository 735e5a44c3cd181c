//! The flags that are parameters: loops over the tables of the replay and of every estimator.
//!
//! A name that several estimators share is one flag; what it means and takes is asked of the
//! estimator that was chosen.

use crate::failure::Failure;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgMatches, Command};
use netspurt_core::params::{Kind, Range, Settings, Spec, Unit};
use netspurt_core::rto::estimators::{Entry, all};
use netspurt_core::rto::{Options, Rule, rule as by_id};
use std::ffi::OsStr;
use std::fmt::Write as _;

const ADVICE: &str = "see netspurt rto --help";

/// Adds `--estimator`, the replay's parameters and those of every estimator.
pub(super) fn define(command: Command) -> Command {
    let ids: Vec<&'static str> = all().iter().map(|e| e.id).collect();
    let estimator = Arg::new("estimator")
        .long("estimator")
        .value_name("ID")
        .help(format!("Which estimator to replay [default: {}]", ids[0]))
        .allow_hyphen_values(true)
        .value_parser(Offered(ids));
    let options = Options::default();
    let replay = (0..options.len()).map(|i| {
        let spec = options.spec(i);
        let takes = takes(spec, &options, i);
        // What is left to the trace or the estimator, told.
        let takes = match spec.name {
            "scale" => takes.replace("[default: 1;", "[default: 1, for runs of 1983 2;"),
            "karn" => {
                takes.replace("[default: true;", &format!("[default: true, for {} false;", without_karn()))
            }
            _ => takes,
        };
        flag(spec).help(format!("{} {takes}", spec.help))
    });
    let mut names = Vec::new();
    let rules = all().iter().map(|e| (e.make)()).collect::<Vec<_>>();
    let own = rules.iter().flat_map(|r| (0..r.len()).map(|i| r.spec(i))).filter(|spec| {
        let is_new = !names.contains(&spec.name);
        names.push(spec.name);
        is_new
    });
    // The help shows them estimator by estimator, below.
    let own = own.map(|spec| flag(spec).hide(true));
    command.arg(estimator).args(replay).args(own).after_help(parameters_help())
}

/// The estimators whose sources do without Karn's rule.
fn without_karn() -> String {
    let ids: Vec<&str> = all().iter().filter(|e| !(e.make)().karn()).map(|e| e.id).collect();
    ids.join(", ")
}

/// The estimator that was chosen, with its parameters.
pub(super) fn rule(matches: &ArgMatches) -> Result<Box<dyn Rule>, Failure> {
    let id = matches.get_one::<String>("estimator").map_or(all()[0].id, String::as_str);
    let Some(mut rule) = by_id(id) else {
        let there: Vec<_> = all().iter().map(|e| e.id).collect();
        let what = format!("there is no estimator {id}");
        return Err(Failure::usage(what, "--estimator", format!("there are {}", there.join(", "))));
    };
    for entry in all() {
        let other = (entry.make)();
        for i in 0..other.len() {
            let name = other.spec(i).name;
            let Some(value) = matches.get_one::<String>(name) else { continue };
            if rule.find(name).is_none() {
                return Err(foreign(name, &*rule));
            }
            rule.set_text(name, value)
                .map_err(|e| Failure::usage(e.to_string(), format!("--{name}"), ADVICE))?;
        }
    }
    Ok(rule)
}

/// How to replay.
pub(super) fn options(matches: &ArgMatches) -> Result<Options, Failure> {
    let mut options = Options::default();
    for i in 0..options.len() {
        let name = options.spec(i).name;
        if let Some(value) = matches.get_one::<String>(name) {
            options
                .set_text(name, value)
                .map_err(|e| Failure::usage(e.to_string(), format!("--{name}"), ADVICE))?;
        }
    }
    Ok(options)
}

/// A parameter of another estimator.
fn foreign(name: &str, rule: &dyn Rule) -> Failure {
    let has = |e: &&Entry| (e.make)().find(name).is_some();
    let owners: Vec<_> = all().iter().filter(has).map(|e| e.id).collect();
    let what = format!("{} has no parameter {name}", rule.id());
    Failure::usage(
        what,
        format!("--{name}"),
        format!("{} it; choose with --estimator, or leave it out", has_or_have(&owners)),
    )
}

fn has_or_have(owners: &[&str]) -> String {
    match owners {
        [one] => format!("{one} has"),
        several => format!("{} have", several.join(", ")),
    }
}

/// The flag of a parameter; the tables judge its value.
pub(crate) fn flag(spec: &'static Spec) -> Arg {
    let offered = match spec.kind {
        Kind::Number(_) => Vec::new(),
        Kind::Flag => vec!["true", "false"],
        Kind::Choice(choices) => choices.to_vec(),
    };
    Arg::new(spec.name)
        .long(spec.name)
        .value_name("V")
        .hide_possible_values(true)
        .allow_hyphen_values(true)
        .value_parser(Offered(offered))
}

/// Offers values to a shell's completion and takes any: the tables judge them, and say why not.
#[derive(Debug, Clone)]
struct Offered(Vec<&'static str>);

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        (!self.0.is_empty()).then(|| -> Box<dyn Iterator<Item = PossibleValue>> {
            Box::new(self.0.iter().copied().map(PossibleValue::new))
        })
    }
}

/// Every estimator's parameters, as the end of the help.
fn parameters_help() -> String {
    let mut text = "A number may be written 0.9375, 15/16, 93.75%, 200ms or 0.2s.".to_owned();
    for entry in all() {
        let rule = (entry.make)();
        // Writing to a string cannot fail.
        let _ = write!(text, "\n\nParameters of {} ({}):", rule.id(), rule.source());
        for line in [if rule.is_empty() { "none" } else { "" }, rule.choices()] {
            if !line.is_empty() {
                let _ = write!(text, "\n      {line}");
            }
        }
        let width = (0..rule.len()).map(|i| rule.spec(i).name.len()).max().unwrap_or(0);
        for i in 0..rule.len() {
            let spec = rule.spec(i);
            let _ =
                write!(text, "\n      --{:<width$} <V>  {} {}", spec.name, spec.help, takes(spec, &*rule, i));
        }
    }
    text
}

/// `[default: 15/16, from 0 to 1]`
pub(crate) fn takes(spec: &Spec, of: &dyn Settings, row: usize) -> String {
    let default = spec.print(of.default_value(row));
    let range = match spec.kind {
        Kind::Number(Range { unit: Unit::One | Unit::Count, min, max, .. }) => format!("from {min} to {max}"),
        Kind::Number(Range { unit, min, max, .. }) => format!("from {min} to {max} {}", unit.symbol()),
        Kind::Flag => "true or false".to_owned(),
        Kind::Choice(choices) => format!("one of {}", choices.join(", ")),
    };
    format!("[default: {default}; {range}]")
}

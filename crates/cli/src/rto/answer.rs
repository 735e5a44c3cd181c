//! The JSON of `netspurt rto`.

use netspurt_core::params::{Settings, Value};
use netspurt_core::rto::replay::Figure;
use netspurt_core::rto::{Options, Replay, Rule, Summary};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// Times in ms. The three columns of `--steps` have one entry a record.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    estimator: &'static str,
    replay: String,
    params: Parameters<'a>,
    summary: Figures<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeouts: Option<&'a [f64]>,
    /// `null` before any sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimates: Option<Vec<Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kinds: Option<Vec<&'static str>>,
}

impl<'a> Answer<'a> {
    pub(super) fn new(
        rule: &'a dyn Rule,
        options: &Options,
        replay: &'a Replay,
        estimates: Option<&[f64]>,
    ) -> Self {
        let steps = estimates.is_some();
        let rules = options.find("replay").map(|row| options.spec(row).print(options.value(row)));
        let known = |e: &f64| Some(*e).filter(|e| !e.is_nan());
        Self {
            estimator: rule.id(),
            replay: rules.unwrap_or_default(),
            params: Parameters(rule),
            summary: Figures(&replay.summary),
            timeouts: steps.then_some(&replay.timeouts[..]),
            estimates: estimates.map(|all| all.iter().map(known).collect()),
            kinds: steps.then(|| replay.kinds.iter().map(|k| k.name()).collect()),
        }
    }
}

/// Every parameter by its name, in the order of its table.
struct Parameters<'a>(&'a dyn Rule);

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let rule = self.0;
        let mut map = to.serialize_map(Some(rule.len()))?;
        for i in 0..rule.len() {
            let name = rule.spec(i).name;
            match rule.value(i) {
                Value::Number(v) => map.serialize_entry(name, &v)?,
                Value::Flag(v) => map.serialize_entry(name, &v)?,
                Value::Choice(v) => map.serialize_entry(name, v)?,
            }
        }
        map.end()
    }
}

/// Every figure of the summary by its name.
struct Figures<'a>(&'a Summary);

impl Serialize for Figures<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        for (name, figure) in self.0.figures() {
            match figure {
                Figure::Count(n) => map.serialize_entry(name, &n)?,
                Figure::Real(v) => map.serialize_entry(name, &v)?,
            }
        }
        map.end()
    }
}

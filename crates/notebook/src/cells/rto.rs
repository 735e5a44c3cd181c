//! The body of an `rto` cell.
//!
//! ```toml
//! trace = "rfc889/dcn1-local/FOE"        # which packets
//! title = "FOE, London"                  # above the cell
//! caption = "Dots are delays."           # below the figure
//! a = "mills f1=15/16 f2=3/4 g=2"        # up to four estimators, a to d
//! replay = "1983"                        # and every parameter of the replay
//! ```

use super::{Key, Rto, Source, Takes, meant, remark};
use crate::body::{Entry, Problem, Repair, quote};
use crate::nearest::nearest;
use netspurt_core::experiments::rto::{SLOTS, Setup};
use netspurt_core::params::{Problem as Refusal, Settings};
use netspurt_core::rto::slot::SlotProblem;
use netspurt_core::rto::{Options, all, parse_slot};

const SLOT_KEYS: [&str; SLOTS] = ["a", "b", "c", "d"];

/// Which slot a key names.
pub(crate) fn slot(key: &str) -> Option<usize> {
    SLOT_KEYS.iter().position(|k| *k == key)
}

pub(super) fn keys() -> Vec<Key> {
    let options = Options::default();
    let text = ["title", "caption"].map(|name| Key { name, takes: Takes::Text });
    [Key { name: "trace", takes: Takes::Trace }]
        .into_iter()
        .chain(text)
        .chain(SLOT_KEYS.map(|name| Key { name, takes: Takes::Slot }))
        .chain((0..options.len()).map(|i| {
            let spec = options.spec(i);
            Key { name: spec.name, takes: Takes::Param(spec) }
        }))
        .collect()
}

pub(super) fn read(source: &Source<'_>) -> Result<Rto, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut rto = Rto { trace: None, title: None, caption: None, setup: Setup::default() };
    for entry in source.entries(&keys(), &mut problems) {
        let read = match (entry.key.as_str(), slot(&entry.key)) {
            ("trace", _) => string(&entry).map(|s| rto.trace = Some(s)),
            ("title", _) => string(&entry).map(|s| rto.title = Some(s)),
            ("caption", _) => string(&entry).map(|s| rto.caption = Some(s)),
            (_, Some(i)) => set_slot(source, &entry, &mut rto.setup, i),
            (_, None) => set_option(&entry, &mut rto.setup.options),
        };
        problems.extend(read.err());
    }
    rto.trace = rto.trace.filter(|t| !t.trim().is_empty());
    if problems.is_empty() { Ok(rto) } else { Err(problems) }
}

fn string(entry: &Entry) -> Result<String, Problem> {
    if let Some(s) = entry.string() {
        return Ok(s.to_owned());
    }
    let fix = entry.scalar().map(quote);
    Err(Problem {
        range: entry.range.clone(),
        message: format!("{} must be text in quotes", entry.key),
        remark: "text in quotes".to_owned(),
        fix: fix.map(|text| Repair::new(format!("Use {text}"), entry.range.clone(), text)),
    })
}

fn set_option(entry: &Entry, options: &mut Options) -> Result<(), Problem> {
    let Some(text) = entry.scalar() else {
        return Err(Problem {
            range: entry.range.clone(),
            message: format!("{} takes one value", entry.key),
            remark: "one value".to_owned(),
            fix: None,
        });
    };
    options.set_text(&entry.key, text).map_err(|e| Problem {
        range: entry.range.clone(),
        message: e.to_string(),
        remark: remark(&e),
        fix: meant(&e).map(|v| Repair::new(format!("Use {v}"), entry.range.clone(), quote(&v))),
    })
}

fn set_slot(source: &Source<'_>, entry: &Entry, setup: &mut Setup, index: usize) -> Result<(), Problem> {
    let text = string(entry)?;
    let error = match parse_slot(&text) {
        Ok(rule) => {
            setup.slots[index] = Some(rule);
            return Ok(());
        }
        Err(e) => e,
    };
    let word = &text[error.span.clone()];
    let (remark, instead) = match &error.problem {
        SlotProblem::Param(e) => {
            let instead = meant(e).map(|m| match (&e.problem, word.split_once('=')) {
                // The name is wrong, not the value.
                (Refusal::Unknown { .. }, Some((_, value))) => (m.clone(), format!("{m}={value}")),
                _ => (m.clone(), format!("{}={m}", e.name)),
            });
            (remark(e), instead)
        }
        SlotProblem::NoSuchEstimator { id } => {
            let meant = nearest(id, all().iter().map(|e| e.id));
            let remark = meant.map_or("not an estimator".to_owned(), |m| format!("did you mean {m}?"));
            (remark, meant.map(|m| (m.to_owned(), m.to_owned())))
        }
        SlotProblem::Empty => {
            ("an estimator is missing".to_owned(), Some(("mills".to_owned(), "mills".to_owned())))
        }
        SlotProblem::NotASetting { .. } => ("name=value is expected".to_owned(), None),
        SlotProblem::Twice { .. } => ("set twice".to_owned(), None),
    };
    let range = entry.within(source.body, error.span.clone());
    let fix = instead.map(|(label, word)| {
        let mut whole = text.clone();
        whole.replace_range(error.span.clone(), &word);
        // A content with escapes is written anew; else the word alone changes.
        let text = if entry.verbatim(source.body).is_some() { word } else { quote(&whole) };
        Repair::new(format!("Use {label}"), range.clone(), text)
    });
    Err(Problem { message: format!("{}: {error}", entry.key), remark, range, fix })
}

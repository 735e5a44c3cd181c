//! The JSON of `netspurt import`: the same fields for the whole file and for each target in it.

use netspurt_core::stats::moments::Moments;
use netspurt_core::trace::{Note, Trace};
use netspurt_import::{Counts, Import, Printed};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;
use std::ops::Range;

/// Times in ms; `null` is what the file does not say.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    format: &'static str,
    #[serde(flatten)]
    whole: Measured<'a>,
    targets: Option<Targets<'a>>,
    /// No format that is read has hops or flows.
    hops: Option<()>,
    tcp: Option<()>,
    notes: Vec<Noted<'a>>,
}

/// What was measured of one target, or of all.
#[derive(Serialize)]
pub(super) struct Measured<'a> {
    pub(super) sent: Option<u64>,
    pub(super) received: Option<u64>,
    pub(super) lost: Option<u64>,
    pub(super) duplicates: Option<u64>,
    pub(super) errors: u64,
    pub(super) rtt_count: usize,
    pub(super) rtt_min_ms: Option<f64>,
    pub(super) rtt_mean_ms: Option<f64>,
    pub(super) rtt_max_ms: Option<f64>,
    /// The first reply of each probe, in the order of the file. Bounds stand at their number.
    rtts_ms: Vec<f64>,
    /// The lengths that occur, in octets.
    pub(super) sizes: Option<BTreeSet<u32>>,
    /// How many delays were printed as `<N`.
    pub(super) censored_lt: usize,
    pub(super) replies_without_time: u64,
    pub(super) printed: Option<Summary<'a>>,
}

#[derive(Serialize)]
struct Noted<'a> {
    /// `null` where no one line is meant.
    line: Option<usize>,
    text: &'a str,
}

impl<'a> Answer<'a> {
    pub(super) fn of(import: &'a Import) -> Self {
        let is_named = import.parts.len() > 1 || import.parts.iter().any(|p| !p.name.is_empty());
        Self {
            format: import.format,
            whole: whole(import),
            targets: is_named.then_some(Targets(import)),
            hops: None,
            tcp: None,
            notes: import.trace.notes.iter().map(noted).collect(),
        }
    }
}

fn noted(note: &Note) -> Noted<'_> {
    Noted { line: Some(note.line).filter(|l| *l > 0), text: &note.text }
}

/// What was measured in all.
pub(super) fn whole(import: &Import) -> Measured<'_> {
    let all = 0..import.trace.len();
    measured(import, &all, &import.counts, import.printed.as_ref())
}

/// What was measured of each target, by its name.
pub(super) fn targets(import: &Import) -> impl ExactSizeIterator<Item = (String, Measured<'_>)> {
    import.parts.iter().enumerate().map(|(i, part)| {
        let again = import.parts[..i].iter().filter(|p| p.name == part.name).count();
        let name = match (part.name.as_str(), again) {
            ("", _) => format!("run {}", i + 1),
            (name, 0) => name.to_owned(),
            (name, n) => format!("{name} ({})", n + 1),
        };
        (name, measured(import, &part.records, &part.counts, part.printed.as_ref()))
    })
}

fn measured<'a>(
    import: &'a Import,
    records: &Range<usize>,
    counts: &Counts,
    printed: Option<&'a Printed>,
) -> Measured<'a> {
    let rtts_ms = delays(import, records);
    let moments = Moments::of(rtts_ms.iter().copied());
    // Of a file that holds nothing but its summary, that is what is known.
    let known = |of: fn(&Moments) -> f64, or: fn(&Printed) -> Option<f64>| {
        moments.as_ref().map(of).or_else(|| printed.and_then(or))
    };
    let sizes: BTreeSet<u32> = records.clone().filter_map(|i| import.trace.octets(i)).collect();
    Measured {
        sent: counts.sent,
        received: counts.received,
        lost: counts.lost,
        duplicates: counts.duplicates,
        errors: counts.errors,
        rtt_count: rtts_ms.len(),
        rtt_min_ms: known(|m| m.min, |p| p.min_ms),
        rtt_mean_ms: known(|m| m.mean, |p| p.mean_ms),
        rtt_max_ms: known(|m| m.max, |p| p.max_ms),
        sizes: (!sizes.is_empty()).then_some(sizes),
        censored_lt: counts.censored_lt.len(),
        replies_without_time: counts.replies_without_time,
        printed: printed.map(Summary),
        rtts_ms,
    }
}

/// The delays of these records, in the order in which the replies stand in the file.
fn delays(import: &Import, records: &Range<usize>) -> Vec<f64> {
    let trace: &Trace = &import.trace;
    let delay = |i: usize| trace.outcomes()[i].is_timed().then(|| trace.delays()[i]);
    match &import.arrivals {
        None => records.clone().filter_map(delay).collect(),
        Some(order) => {
            order.iter().map(|&i| i as usize).filter(|i| records.contains(i)).filter_map(delay).collect()
        }
    }
}

struct Targets<'a>(&'a Import);

impl Serialize for Targets<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(targets(self.0))
    }
}

/// The file's own summary: what it says, and nothing else.
pub(super) struct Summary<'a>(&'a Printed);

impl Serialize for Summary<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let p = self.0;
        let counts = [
            ("sent", p.sent),
            ("received", p.received),
            ("lost", p.lost),
            ("duplicates", p.duplicates),
            ("errors", p.errors),
        ];
        let figures = [
            ("loss_pct", p.loss_pct),
            ("rtt_min_ms", p.min_ms),
            ("rtt_mean_ms", p.mean_ms),
            ("rtt_max_ms", p.max_ms),
            ("rtt_deviation_ms", p.deviation_ms),
        ];
        let mut map = to.serialize_map(None)?;
        for (name, n) in counts {
            if let Some(n) = n {
                map.serialize_entry(name, &n)?;
            }
        }
        for (name, v) in figures {
            if let Some(v) = v {
                map.serialize_entry(name, &v)?;
            }
        }
        map.end()
    }
}

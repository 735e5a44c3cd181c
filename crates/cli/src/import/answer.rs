//! The JSON of `netspurt import`: the same fields for the whole file and for each target in it.

use netspurt_core::stats::moments::Moments;
use netspurt_core::trace::{Note, Trace};
use netspurt_import::{Counts, Flow, Import, Part, PartKind, Printed};
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
    hops: Option<Vec<Hop<'a>>>,
    tcp: Option<Vec<Connection<'a>>>,
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

/// A router on the path, or its end.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "the contract's name")]
struct Hop<'a> {
    hop: Option<u32>,
    host: &'a str,
    loss_pct: Option<f64>,
    sent: Option<u64>,
    received: Option<u64>,
    last: Option<f64>,
    avg: Option<f64>,
    best: Option<f64>,
    worst: Option<f64>,
    stdev: Option<f64>,
    rtts_ms: Vec<f64>,
}

/// A TCP connection.
#[derive(Serialize)]
struct Connection<'a> {
    stream: u32,
    a: &'a str,
    b: &'a str,
    packets: u64,
    retransmissions: u64,
    acked_by: Sides<'a>,
}

#[derive(Serialize)]
struct Noted<'a> {
    /// `null` where no one line is meant.
    line: Option<usize>,
    text: &'a str,
}

impl<'a> Answer<'a> {
    /// `usual` is what is read of the file, `all` everything in it.
    pub(super) fn of(usual: &'a Import, all: &'a Import) -> Self {
        let listed: Vec<usize> = (0..all.parts.len()).filter(|i| is_target(&all.parts[*i])).collect();
        let is_named = listed.len() > 1 || listed.iter().any(|i| !all.parts[*i].name.is_empty());
        let places = Places::of(all);
        let hops: Vec<Hop<'_>> =
            all.parts.iter().filter(|p| p.kind == PartKind::Hop).map(|p| hop(all, &places, p)).collect();
        let flows: Vec<Connection<'_>> = all.flows.iter().map(connection).collect();
        Self {
            format: usual.format,
            whole: whole(usual),
            targets: is_named.then_some(Targets(all)),
            hops: (!hops.is_empty()).then_some(hops),
            tcp: (!flows.is_empty()).then_some(flows),
            notes: usual.trace.notes.iter().map(noted).collect(),
        }
    }
}

/// Hops and the sides of TCP connections have lists of their own.
fn is_target(part: &Part) -> bool {
    part.kind != PartKind::Hop && (part.kind != PartKind::Flow || part.usual)
}

fn noted(note: &Note) -> Noted<'_> {
    Noted { line: Some(note.line).filter(|l| *l > 0), text: &note.text }
}

/// What was measured in all.
pub(super) fn whole(import: &Import) -> Measured<'_> {
    let all = 0..import.trace.len();
    measured(import, &Places::of(import), &all, &import.counts, import.printed.as_ref())
}

/// What was measured of each part, by its name.
pub(super) fn parts(import: &Import) -> impl Iterator<Item = (String, &Part, Measured<'_>)> {
    let places = Places::of(import);
    import.names().into_iter().zip(&import.parts).map(move |(name, part)| {
        (name, part, measured(import, &places, &part.records, &part.counts, part.printed.as_ref()))
    })
}

fn hop<'a>(import: &'a Import, places: &Places, part: &'a Part) -> Hop<'a> {
    let m = measured(import, places, &part.records, &part.counts, part.printed.as_ref());
    let printed = part.printed.as_ref();
    let (sent, received) = (m.sent, m.received);
    let share = sent.zip(received).filter(|(sent, _)| *sent > 0);
    let loss = share.map(|(sent, received)| (sent - received) as f64 * 100.0 / sent as f64);
    Hop {
        hop: part.position,
        host: &part.name,
        loss_pct: printed.and_then(|p| p.loss_pct).or(loss),
        sent,
        received,
        last: printed.and_then(|p| p.last_ms).or(m.rtts_ms.last().copied()),
        avg: m.rtt_mean_ms,
        best: m.rtt_min_ms,
        worst: m.rtt_max_ms,
        stdev: printed.and_then(|p| p.deviation_ms),
        rtts_ms: m.rtts_ms,
    }
}

fn connection(flow: &Flow) -> Connection<'_> {
    Connection {
        stream: flow.stream,
        a: &flow.a,
        b: &flow.b,
        packets: flow.packets,
        retransmissions: flow.retransmissions,
        acked_by: Sides(flow),
    }
}

fn measured<'a>(
    import: &'a Import,
    places: &Places,
    records: &Range<usize>,
    counts: &Counts,
    printed: Option<&'a Printed>,
) -> Measured<'a> {
    let rtts_ms = delays(import, places, records);
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

/// Where each record's reply stands among the replies of the file; `None`: in the order of the records.
struct Places(Option<Vec<u32>>);

impl Places {
    fn of(import: &Import) -> Self {
        Self(import.arrivals.as_ref().map(|arrivals| {
            let mut places = vec![u32::MAX; import.trace.len()];
            for (place, record) in (0..).zip(arrivals) {
                places[*record as usize] = place;
            }
            places
        }))
    }
}

/// The delays of these records, in the order in which the replies stand in the file.
fn delays(import: &Import, places: &Places, records: &Range<usize>) -> Vec<f64> {
    let trace: &Trace = &import.trace;
    let mut timed: Vec<usize> = records.clone().filter(|i| trace.outcomes()[*i].is_timed()).collect();
    if let Places(Some(places)) = places {
        timed.sort_unstable_by_key(|i| places[*i]);
    }
    timed.into_iter().map(|i| trace.delays()[i]).collect()
}

struct Targets<'a>(&'a Import);

impl Serialize for Targets<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(parts(self.0).filter(|(_, part, _)| is_target(part)).map(|(name, _, m)| (name, m)))
    }
}

struct Sides<'a>(&'a Flow);

impl Serialize for Sides<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Side {
            n: u64,
            min_ms: f64,
            mean_ms: f64,
            max_ms: f64,
        }
        to.collect_map(
            self.0
                .acked_by
                .iter()
                .map(|a| (&a.by, Side { n: a.n, min_ms: a.min_ms, mean_ms: a.mean_ms, max_ms: a.max_ms })),
        )
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
            ("rtt_last_ms", p.last_ms),
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

//! Parts gathered by formats that tell each probe outright, put together to an import.

use netspurt_core::trace::{Fate, Measure, Provenance, TraceBuilder};

use crate::error::{ErrorKind, ImportError};
use crate::import::{Counts, Flow, Import, Options, Part, PartKind};
use crate::index::{self, Index};
use crate::notes::Notes;
use crate::number::plural;
use crate::printed::Printed;
use crate::times::{UNKNOWN, fill};

/// What a file holds, as far as it was read.
#[derive(Debug)]
pub(crate) struct Gathering {
    format: &'static str,
    pub(crate) parts: Vec<Gathered>,
    pub(crate) notes: Notes,
    /// Send times count from 1970.
    pub(crate) dated: bool,
    pub(crate) measure: Measure,
    /// Delays are listed part by part, though the file mixes them.
    pub(crate) by_part: bool,
    pub(crate) flows: Vec<Flow>,
    /// How many delays were no delays, and the line of the first.
    odd: (u64, usize),
    rank: u32,
    latest: usize,
    index: Index,
    /// Lost probes that no line told of.
    filled: u64,
}

/// One part.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) name: String,
    pub(crate) kind: PartKind,
    pub(crate) position: Option<u32>,
    pub(crate) usual: bool,
    /// Its records are probes: a loss is one of them. Else they are samples of which only those
    /// with a delay are known.
    pub(crate) probes: bool,
    pub(crate) duplicates: u64,
    pub(crate) errors: u64,
    left_out: u64,
    pub(crate) printed: Option<Printed>,
    records: Vec<Record>,
}

#[derive(Debug, Clone, Copy)]
struct Record {
    sent: i64,
    fate: Fate,
    octets: Option<u32>,
    /// When its answer came, among all of the file.
    rank: u32,
}

impl Gathered {
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// Makes an earlier record's fate known.
    pub(crate) fn settle(&mut self, index: usize, fate: Fate, rank: u32) {
        if let Some(record) = self.records.get_mut(index) {
            (record.fate, record.rank) = (fate, rank);
        }
    }

    pub(crate) fn fate(&self, index: usize) -> Option<Fate> {
        self.records.get(index).map(|r| r.fate)
    }

    fn answered(&self) -> u64 {
        self.records.iter().filter(|r| r.fate != Fate::Lost).count() as u64
    }

    /// What is known of it: the records, and where there are none the summary.
    fn counts(&self) -> Counts {
        let mut counts = if !self.probes {
            Counts::default()
        } else if let (Some(p), true) = (&self.printed, self.records.is_empty()) {
            let sent = p.sent.unwrap_or(0);
            let received = p.received.unwrap_or(0).min(sent);
            let counts = Counts::of(sent, received, p.duplicates.unwrap_or(self.duplicates));
            Counts { replies_without_time: received, ..counts }
        } else {
            Counts::of(self.records.len() as u64, self.answered(), self.duplicates)
        };
        counts.errors = self.errors;
        counts.left_out = self.left_out;
        for record in &self.records {
            match record.fate {
                Fate::Below(bound) => counts.censored_lt.push(bound),
                Fate::Untimed => counts.replies_without_time += 1,
                Fate::Reply(_) | Fate::Lost => {}
            }
        }
        counts
    }

    /// Send times, those between filled; `None` where fewer than two are known.
    fn times(&self) -> Option<Vec<i64>> {
        let mut times: Vec<i64> = self.records.iter().map(|r| r.sent).collect();
        fill(&mut times).map(|_| times)
    }
}

/// A delay in ms as a fate. `None`: it is none, being negative, endless or a sentinel.
pub(crate) fn reply(ms: f64) -> Option<Fate> {
    (0.0..4_294_000_000.0).contains(&ms).then_some(Fate::Reply(ms))
}

/// What became of a probe whose answer took so many ms, `None` being none.
#[inline(never)]
pub(crate) fn fate(ms: Option<f64>) -> Fate {
    ms.map_or(Fate::Lost, |ms| reply(ms).unwrap_or(Fate::Untimed))
}

/// No record.
const NONE: u32 = u32::MAX;

impl Gathering {
    #[inline(never)]
    pub(crate) fn new(format: &'static str) -> Self {
        Self {
            format,
            parts: Vec::new(),
            notes: Notes::default(),
            dated: false,
            measure: Measure::RoundTrip,
            by_part: false,
            flows: Vec::new(),
            odd: (0, 0),
            rank: 0,
            latest: 0,
            index: Index::default(),
            filled: 0,
        }
    }

    /// The part of this name, made if need be.
    #[inline(never)]
    pub(crate) fn part(&mut self, name: &str, kind: PartKind) -> usize {
        let is = |p: &Gathered| p.name == name && p.kind == kind;
        if self.parts.get(self.latest).is_some_and(is) {
            return self.latest;
        }
        let hash = index::hash(name.as_bytes());
        if let Some(i) = self.index.find(hash, &|i| self.parts.get(i).is_some_and(is)) {
            self.latest = i;
        } else {
            self.index.add(hash, self.parts.len());
            self.add(name, kind);
        }
        self.latest
    }

    /// A further part, whatever it is called.
    #[inline(never)]
    pub(crate) fn add(&mut self, name: &str, kind: PartKind) -> &mut Gathered {
        self.latest = self.parts.len();
        self.parts.push(Gathered {
            name: name.to_owned(),
            kind,
            position: None,
            usual: true,
            probes: matches!(kind, PartKind::Run | PartKind::Target | PartKind::Hop),
            duplicates: 0,
            errors: 0,
            left_out: 0,
            printed: None,
            records: Vec::new(),
        });
        &mut self.parts[self.latest]
    }

    /// Adds a record. `sent` is in nanoseconds.
    #[inline(never)]
    pub(crate) fn push(&mut self, part: usize, sent: Option<i64>, octets: Option<u32>, fate: Fate) {
        self.rank = self.rank.saturating_add(1);
        let sent = sent.unwrap_or(UNKNOWN);
        self.parts[part].records.push(Record { sent, fate, octets, rank: self.rank });
    }

    /// Adds an answer after `ms`. One that is no delay is left out and counted.
    #[inline(never)]
    pub(crate) fn push_ms(&mut self, part: usize, sent: Option<i64>, octets: Option<u32>, ms: f64) {
        match reply(ms) {
            Some(fate) => self.push(part, sent, octets, fate),
            None => self.leave_out(part, 0),
        }
    }

    /// Makes the fate of the probe of this number known, numbers counting from 0. Probes skipped are
    /// lost until something else is said of them; a second answer is a duplicate. `None` is loss.
    #[inline(never)]
    pub(crate) fn numbered(
        &mut self,
        part: usize,
        seq: u64,
        sent: Option<i64>,
        octets: Option<u32>,
        fate: Option<Fate>,
    ) {
        let have = self.parts[part].records.len() as u64;
        if seq < have {
            let index = usize::try_from(seq).unwrap_or(usize::MAX);
            let rank = self.next_rank();
            let part = &mut self.parts[part];
            match (part.fate(index), fate) {
                (Some(Fate::Lost), Some(fate)) => {
                    part.settle(index, fate, rank);
                    let record = &mut part.records[index];
                    record.octets = octets.or(record.octets);
                    record.sent = sent.unwrap_or(record.sent);
                }
                (Some(_), Some(_)) => part.duplicates += 1,
                _ => {}
            }
            return;
        }
        if !self.fill(part, seq - have, octets) {
            self.notes.push(0, format!("the numbers go on from {have} to {seq}: the gap is not filled"));
        }
        self.push(part, sent, octets, fate.unwrap_or(Fate::Lost));
    }

    /// Adds probes that no line told of, lost. False: they would be too many. There is plenty of room
    /// for any outage, but bounded by what the file holds.
    #[inline(never)]
    pub(crate) fn fill(&mut self, part: usize, probes: u64, octets: Option<u32>) -> bool {
        let told = u64::from(self.rank).saturating_sub(self.filled);
        let fits = self.filled.saturating_add(probes) <= (100_000 + 8 * told).min(4_000_000);
        if fits {
            self.filled += probes;
            (0..probes).for_each(|_| self.push(part, None, octets, Fate::Lost));
        }
        fits
    }

    /// Fills up a part to as many probes as were sent.
    pub(crate) fn fill_to(&mut self, part: usize, sent: u64, octets: Option<u32>) {
        let have = self.parts[part].len() as u64;
        if sent > have && !self.fill(part, sent - have, octets) {
            self.notes.push(0, format!("{sent} were sent, {have} are told of: the others are not added"));
        }
    }

    /// Counts a delay that is none.
    #[inline(never)]
    pub(crate) fn leave_out(&mut self, part: usize, line: usize) {
        self.parts[part].left_out += 1;
        if self.odd.0 == 0 {
            self.odd.1 = line;
        }
        self.odd.0 += 1;
    }

    /// The place of the next answer among all of the file.
    pub(crate) fn next_rank(&mut self) -> u32 {
        self.rank = self.rank.saturating_add(1);
        self.rank
    }

    /// Whether there is anything in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.iter().all(|p| p.records.is_empty() && p.printed.is_none())
    }

    #[inline(never)]
    pub(crate) fn import(mut self, options: &Options) -> Result<Import, ImportError> {
        if self.is_empty() && self.flows.is_empty() {
            let what = "The file has no samples: no delay, no lost probe, no summary.";
            return Err(ImportError::new(ErrorKind::NoSamples, what).advise("measure again"));
        }
        if self.odd.0 > 0 {
            let n = plural(self.odd.0, "number");
            self.notes.push(self.odd.1, format!("left out: {n} that can be no delay, negative or endless"));
        }
        let provenance = Provenance::Opened { format: self.format.to_owned() };
        let mut builder = TraceBuilder::new(&options.name, provenance);
        builder.measure = self.measure;
        builder.reserve(self.parts.iter().map(Gathered::len).sum());
        let mut parts = Vec::with_capacity(self.parts.len());
        // Records by the place of their answers: places are given but once.
        let mut order = vec![NONE; self.rank as usize + 1];
        let mut last_rank = 0;
        let mut in_order = true;
        let mut origin = None;
        for gathered in &mut self.parts {
            let start = builder.len();
            let counts = gathered.counts();
            let times = gathered.times();
            for (i, record) in gathered.records.iter().enumerate() {
                let sent = times.as_ref().map(|times| {
                    let origin = *origin.get_or_insert(times[i]);
                    times[i].saturating_sub(origin) as f64 / 1e6
                });
                if record.fate != Fate::Lost {
                    order[record.rank as usize] = u32::try_from(builder.len()).unwrap_or(NONE);
                    in_order &= record.rank > last_rank;
                    last_rank = record.rank;
                }
                let pushed = builder.push(sent, record.octets, record.fate);
                debug_assert!(pushed.is_ok(), "delays were checked when they were read");
            }
            compare(gathered, &mut self.notes);
            let records = start..builder.len();
            gathered.records = Vec::new();
            parts.push(Part {
                position: gathered.position,
                usual: gathered.usual,
                printed: gathered.printed.take(),
                ..Part::new(std::mem::take(&mut gathered.name), gathered.kind, records, counts)
            });
        }
        order.retain(|i| *i != NONE);
        let mut trace = builder.build();
        trace.notes = self.notes.finish();
        Ok(Import {
            arrivals: (!in_order && !self.by_part).then_some(order),
            // 1980 and later: what counts from the start of a run is no date.
            started_ns: origin.filter(|ns| self.dated && *ns > 315_532_800_000_000_000),
            flows: self.flows,
            ..Import::new(self.format, trace, parts)
        })
    }
}

/// Says where a part's summary and its records disagree.
fn compare(part: &Gathered, notes: &mut Notes) {
    let Some(printed) = &part.printed else { return };
    let of = if part.name.is_empty() { String::new() } else { format!(" of {}", part.name) };
    if part.records.is_empty() {
        return;
    }
    let (sent, received) = (part.records.len() as u64, part.answered());
    if let Some(n) = printed.sent.filter(|n| part.probes && *n != sent) {
        notes.push(0, format!("the summary{of} says {n} sent, the file shows {sent}"));
    }
    if let Some(n) = printed.received.filter(|n| part.probes && *n != received) {
        notes.push(0, format!("the summary{of} says {n} received, the file shows {received}"));
    }
}

//! The `periodicity` cell: spasms of long delays, what they go with, and whether delays have a period.
//!
//! > Glitches did not seem to correlate well with increases in baseline delay, which occurs as the
//! > result of traffic surges, nor did they correlate well with instances of packet loss. I did not
//! > notice any particular periodicity, such as might be expected with regular pinging, for example;
//! > however, I did not process the data specially for that. (RFC 889, section 3.2)
//!
//! Here it is processed. A delay is taken as the logarithm of how many times the line through delays
//! against lengths it is. A glitch stands out from the median of its neighbours (Hampel's filter);
//! glitches that follow each other are one spasm. Periods are sought in the ranks of the residuals, so
//! that a few huge delays weigh no more than others.

mod figure;

use super::rto::remarks;
use super::{Entry, Experiment, boxed};
use crate::figure::{Data, Role};
use crate::params::{Param, Params, Range, Settings, Unit};
use crate::report::{Drag, Frame, FrameColumn, Heading, Picks, Report, RunError, Table, TableRow, Values};
use crate::rto::length::LengthLine;
use crate::shared::Shared;
use crate::stats::correlation::{self, Chance};
use crate::stats::hampel::{self, Local};
use crate::stats::normal;
use crate::stats::spectrum::{Spectrum, spectrum};
use crate::trace::{Clock, Outcome, Provenance, Trace};
use crate::tree::Keyed;
use std::ops;

/// What the cell is set to.
#[derive(Debug, Clone, PartialEq)]
pub struct Periodicity {
    /// Neighbours on either side that a delay is compared with.
    pub window: f64,
    /// How many of their deviations a glitch lies above their median at least.
    pub threshold: f64,
    /// How many times their median it is at least.
    pub height: f64,
    /// Delays between two glitches of one spasm at most.
    pub join: f64,
    /// Lags of the autocorrelation.
    pub lags: f64,
    pub surrogates: f64,
    pub seed: f64,
}

impl Default for Periodicity {
    fn default() -> Self {
        Self {
            window: 10.0,
            threshold: 3.0,
            height: 2.0,
            join: 1.0,
            lags: 64.0,
            surrogates: 199.0,
            seed: 1.0,
        }
    }
}

/// A whole number.
const COUNT: Range =
    Range { unit: Unit::Count, min: 1.0, max: 200.0, slider: (1.0, 50.0), step: 1.0, fractions: false };

impl Params for Periodicity {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("window", "", "neighbours", "So many delays on either side tell what is usual for one."),
            COUNT,
            |p| p.window,
            |p, v| p.window = v,
        ),
        Param::number(
            ("threshold", "", "deviations", "A glitch lies this many deviations above its neighbours."),
            Range { unit: Unit::One, min: 1.0, max: 20.0, slider: (1.0, 10.0), step: 0.5, ..COUNT },
            |p| p.threshold,
            |p, v| p.threshold = v,
        ),
        Param::number(
            ("height", "", "times as long", "A glitch is at least this many times what is usual."),
            Range { unit: Unit::One, min: 1.0, max: 100.0, slider: (1.0, 10.0), step: 0.25, ..COUNT },
            |p| p.height,
            |p, v| p.height = v,
        ),
        Param::number(
            ("join", "", "gap in a spasm", "Glitches with no more delays between them are one spasm."),
            Range { min: 0.0, max: 50.0, slider: (0.0, 10.0), ..COUNT },
            |p| p.join,
            |p, v| p.join = v,
        ),
        Param::number(
            ("lags", "", "lags", "The autocorrelation is shown up to this many packets."),
            Range { max: 1000.0, slider: (8.0, 256.0), ..COUNT },
            |p| p.lags,
            |p, v| p.lags = v,
        ),
        Param::number(
            ("surrogates", "", "surrogates", "The spectrum is compared with so many made-up ones."),
            Range { min: 19.0, max: 999.0, slider: (19.0, 499.0), step: 20.0, ..COUNT },
            |p| p.surrogates,
            |p, v| p.surrogates = v,
        ),
        Param::number(
            ("seed", "", "seed", "The surrogates are drawn from this seed."),
            Range { min: 0.0, max: 999_999.0, slider: (0.0, 99.0), ..COUNT },
            |p| p.seed,
            |p, v| p.seed = v,
        ),
    ];
}

/// Fewer timed replies say nothing.
const LEAST: usize = 16;
/// A spectrum is taken of no more values: of longer traces, of the means of neighbours.
const MOST: usize = 1024;

/// What was found in a trace.
struct Found {
    /// Ranges of timed replies.
    spasms: Vec<ops::Range<usize>>,
    glitches: usize,
    /// Whether spasms come where delays are long anyway, and where packets are lost. `None`: there are
    /// none of either.
    with_baseline: Option<Chance>,
    with_loss: Option<Chance>,
    /// By lag, from 1. Empty if delays do not vary.
    auto: Vec<f64>,
    /// Replies the autocorrelation rests on.
    replies: usize,
    /// `None` if delays do not vary or were sent all at one time.
    spectrum: Option<Spectrum>,
    /// How many replies in a row are one value of the spectrum.
    grouped: usize,
}

pub(super) const ENTRY: Entry = Entry {
    kind: "periodicity",
    title: "Glitches and periods",
    fresh: "trace = \"rfc889/dcn1-local/FOE\"\n",
    needs_trace: true,
    follows_row: false,
    is_wide: false,
    make: boxed::<Periodicity>,
};

impl Keyed for Periodicity {
    fn settings(&self) -> &dyn Settings {
        self
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        self
    }
}

impl Experiment for Periodicity {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }
}

/// Looks for spasms and periods.
pub fn run(params: &Periodicity, trace: &Shared<Trace>) -> Result<Report, RunError> {
    let timed: Vec<usize> = (0..trace.len()).filter(|&i| trace.outcomes()[i].is_timed()).collect();
    if timed.len() < LEAST {
        return Err(RunError::TooFew { trace: trace.name.clone(), found: timed.len(), needed: LEAST });
    }
    let found = Found::of(params, trace, &timed);
    let periods = Periods::of(trace, &found);
    Ok(Report {
        numbers: digested(&found, &periods),
        readout: readout(&found, &periods),
        figure: figure::figure(trace, &found, &periods),
        picks: Picks::Points { column: 0, row: 0, x: periods.period.clone(), y: periods.power.clone() },
        drag: Drag::Nothing,
        frame: frame(&found, &periods),
        remarks: told(params, trace, &found),
        ..Report::default()
    })
}

impl Found {
    fn of(params: &Periodicity, trace: &Trace, timed: &[usize]) -> Self {
        let residuals = residuals(trace, timed);
        let locals = hampel::locals(&residuals, params.window as usize);
        let height = libm::log(params.height);
        let is_glitch =
            |(r, l): (&f64, &Local)| hampel::is_above(*r, l, params.threshold) && r - l.median >= height;
        let glitches: Vec<bool> = residuals.iter().zip(&locals).map(is_glitch).collect();
        let spasms = hampel::runs(&glitches, params.join as usize);
        let mut in_spasm = vec![0.0; timed.len()];
        for range in &spasms {
            in_spasm[range.clone()].fill(1.0);
        }
        let baseline: Vec<f64> = locals.iter().map(|l| l.median).collect();
        let lost = losses_near(trace, timed, params.window as usize);

        let scores = normal::scores(&residuals);
        let grouped = scores.len().div_ceil(MOST);
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        let sent: Vec<f64> = timed.iter().map(|&i| trace.sent()[i]).collect();
        let when: Vec<f64> = sent.chunks(grouped).map(mean).collect();
        let values: Vec<f64> = scores.chunks(grouped).map(mean).collect();
        Self {
            glitches: glitches.iter().filter(|g| **g).count(),
            with_baseline: correlation::by_shifts(&in_spasm, &baseline),
            with_loss: correlation::by_shifts(&in_spasm, &lost),
            auto: correlation::auto(&scores, params.lags as usize),
            replies: scores.len(),
            spectrum: spectrum(&when, &values, params.surrogates as usize, params.seed as u64),
            spasms,
            grouped,
        }
    }

    /// Where 19 of 20 autocorrelations of independent values lie: within ±1.96/√n.
    fn band(&self) -> f64 {
        1.96 / (self.replies as f64).sqrt()
    }
}

/// The logarithm of each timed delay over what its length explains.
fn residuals(trace: &Trace, timed: &[usize]) -> Vec<f64> {
    let line = LengthLine::fit(trace);
    let mean = trace.moments().map_or(1.0, |m| m.mean);
    // A line may fall below zero beyond the lengths it rests on, and a clock may show a delay of zero.
    let least_line = 0.05 * mean.max(f64::MIN_POSITIVE);
    let positive = trace.timed().filter(|d| *d > 0.0).fold(f64::INFINITY, f64::min);
    let least = if positive.is_finite() { 0.5 * positive } else { 1.0 };
    let explained = |i: usize| line.map_or(1.0, |l| l.at(trace.octets(i)).max(least_line));
    timed.iter().map(|&i| libm::log(trace.delays()[i].max(least) / explained(i))).collect()
}

/// For each timed reply how many of the records within `near` of it are lost.
fn losses_near(trace: &Trace, timed: &[usize], near: usize) -> Vec<f64> {
    let mut before = vec![0_u32; trace.len() + 1];
    for (i, outcome) in trace.outcomes().iter().enumerate() {
        before[i + 1] = before[i] + u32::from(*outcome == Outcome::Lost);
    }
    let count = |&i: &usize| {
        let (from, to) = (i.saturating_sub(near), (i + near + 1).min(trace.len()));
        f64::from(before[to] - before[from])
    };
    timed.iter().map(count).collect()
}

/// The spectrum by period, the shortest first, in units a reader knows.
struct Periods {
    /// In `unit`.
    period: Data,
    power: Data,
    level: Data,
    /// Where the period is that stands out most.
    peak: Option<usize>,
    unit: &'static str,
}

impl Periods {
    fn of(trace: &Trace, found: &Found) -> Self {
        let span = trace.sent().last().copied().unwrap_or(0.0);
        let (unit, per) = match trace.clock {
            Clock::Index => ("packets", 1.0),
            Clock::Elapsed if span < 5000.0 => ("ms", 1.0),
            Clock::Elapsed => ("s", 1000.0),
        };
        let Some(s) = &found.spectrum else {
            let none: Data = Data::from(Vec::new());
            return Self { period: none.clone(), power: none.clone(), level: none, peak: None, unit };
        };
        let mut period: Vec<f64> = s.frequencies.iter().map(|f| 1.0 / f / per).collect();
        period.reverse();
        let reversed = |v: &[f64]| -> Data { v.iter().rev().copied().collect() };
        let peak = Some(s.power.len() - 1 - s.peak);
        Self { period: period.into(), power: reversed(&s.power), level: reversed(&s.level), peak, unit }
    }
}

/// What happens by chance in one case of twenty is not taken for more.
const CHANCE: f64 = 0.05;

fn readout(found: &Found, periods: &Periods) -> Table {
    let row = |head: &str, value: String, p: Option<f64>| TableRow {
        head: head.to_owned(),
        role: Role::Ink,
        cells: vec![
            value,
            p.map_or_else(|| "–".to_owned(), |p| format!("{p:.3}")),
            p.map_or("", |p| if p <= CHANCE { "more than chance" } else { "as chance has it" }).to_owned(),
        ],
    };
    let tie = |head: &str, c: &Option<Chance>| {
        row(head, c.map_or_else(|| "–".to_owned(), |c| format!("r = {:.2}", c.r + 0.0)), c.map(|c| c.p))
    };
    let (spasms, glitches) = (found.spasms.len(), found.glitches);
    let plural = |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let period = periods.peak.map(|i| format!("{} {}", three(periods.period[i]), periods.unit));
    let next = found.auto.first().map(|r| format!("r = {r:.2}, chance ±{:.2}", found.band()));
    Table {
        caption: "Spasms and periods".to_owned(),
        head: "What".to_owned(),
        columns: vec![Heading::new("Found", ""), Heading::new("By chance", ""), Heading::new("So", "")],
        rows: vec![
            row(
                "Spasms",
                format!("{}, {}", plural(spasms, "spasm", "spasms"), plural(glitches, "glitch", "glitches")),
                None,
            ),
            tie("Spasms with a high baseline", &found.with_baseline),
            tie("Spasms with loss nearby", &found.with_loss),
            row(
                "Period that stands out most",
                period.unwrap_or_else(|| "–".to_owned()),
                found.spectrum.as_ref().map(|s| s.p),
            ),
            row("One delay with the next", next.unwrap_or_else(|| "–".to_owned()), None),
        ],
    }
}

/// Three significant figures, more for large numbers.
fn three(v: f64) -> String {
    match v {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}

/// The spectrum and the autocorrelation side by side.
fn frame(found: &Found, periods: &Periods) -> Frame {
    let rows = periods.period.len().max(found.auto.len());
    let filled =
        |values: &[f64]| -> Data { (0..rows).map(|i| values.get(i).copied().unwrap_or(f64::NAN)).collect() };
    let column = |title: &str, unit, values: Data| FrameColumn::new(title, unit, Values::Numbers(values));
    let lags: Vec<f64> = (1..=found.auto.len()).map(|k| k as f64).collect();
    Frame {
        columns: vec![
            column("period", periods.unit, filled(&periods.period)),
            column("power", "", filled(&periods.power)),
            column("one in twenty by chance", "", filled(&periods.level)),
            column("lag", "packets", filled(&lags)),
            column("correlation", "", filled(&found.auto)),
        ],
        rows,
    }
}

fn digested(found: &Found, periods: &Periods) -> Vec<(String, f64)> {
    let of = |c: &Option<Chance>| c.map_or([f64::NAN; 2], |c| [c.r, c.p]);
    let ([base_r, base_p], [loss_r, loss_p]) = (of(&found.with_baseline), of(&found.with_loss));
    let spectrum = found.spectrum.as_ref();
    let peak = periods.peak.map_or(f64::NAN, |i| periods.period[i]);
    let fixed = [
        ("replies", found.replies as f64),
        ("spasms", found.spasms.len() as f64),
        ("glitches", found.glitches as f64),
        ("baseline.r", base_r),
        ("baseline.p", base_p),
        ("loss.r", loss_r),
        ("loss.p", loss_p),
        ("period", peak),
        ("period.p", spectrum.map_or(f64::NAN, |s| s.p)),
        ("noise.w", spectrum.map_or(f64::NAN, |s| s.noise.w)),
        ("noise.phi", spectrum.map_or(f64::NAN, |s| s.noise.phi)),
    ];
    let mut all: Vec<(String, f64)> = fixed.into_iter().map(|(name, v)| (name.to_owned(), v)).collect();
    for range in &found.spasms {
        all.push(("spasm.from".to_owned(), range.start as f64));
        all.push(("spasm.to".to_owned(), range.end as f64));
    }
    let series = [("power", &periods.power), ("level", &periods.level)];
    all.extend(series.into_iter().flat_map(|(name, v)| v.iter().map(move |v| (name.to_owned(), *v))));
    all.extend(found.auto.iter().map(|r| ("correlation".to_owned(), *r)));
    all
}

fn told(params: &Periodicity, trace: &Trace, found: &Found) -> Vec<String> {
    let mut all = remarks(trace);
    if matches!(trace.provenance, Provenance::Rebuilt { .. }) {
        all.push(
            "Rebuilt delays hold the spasms and the persistence their generator gave them, and no period: one that is found is chance, as in about one rebuilt run of twenty."
                .to_owned(),
        );
    }
    if let Some(s) = &found.spectrum {
        all.push(format!(
            "Chance is told from {} made-up series, seed {}: {:.0} % of their variance persists, {:.2} of it from one value to the next, as in the trace.",
            params.surrogates,
            params.seed,
            100.0 * s.noise.w,
            s.noise.phi,
        ));
    }
    if found.grouped > 1 {
        all.push(format!(
            "For the spectrum {} packets in a row are one value: shorter periods show in the autocorrelation alone.",
            found.grouped
        ));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Random;
    use crate::rto::{printed, rebuild};
    use crate::trace::{Fate, TraceBuilder};

    fn of<'a>(report: &'a Report, name: &str) -> &'a f64 {
        &report.numbers.iter().find(|(n, _)| n == name).unwrap().1
    }

    /// Delays around 100 ms sent about a second apart, `extra` added by record and send time in s.
    fn trace(n: usize, mut extra: impl FnMut(usize, f64) -> f64) -> Shared<Trace> {
        let mut rng = Random::new(5);
        let mut b = TraceBuilder::new("made", Provenance::Typed);
        let mut now = 0.0;
        for i in 0..n {
            let octets = 40 + (rng.unit() * 200.0) as u32;
            let delay = 100.0 + 0.5 * f64::from(octets) + 10.0 * rng.normal() + extra(i, now / 1000.0);
            b.push(Some(now), Some(octets), Fate::Reply(delay.max(1.0))).unwrap();
            now += 500.0 + 1000.0 * rng.unit();
        }
        Shared::new(b.build())
    }

    #[test]
    fn a_period_is_found_and_noise_has_none() {
        let wave = trace(512, |_, t| 12.0 * libm::sin(std::f64::consts::TAU * t / 30.0));
        let report = run(&Periodicity::default(), &wave).unwrap();
        assert!((of(&report, "period") - 30.0).abs() < 1.0, "{}", of(&report, "period"));
        assert!(*of(&report, "period.p") <= 0.01);
        assert!(report.figure.alt.contains("more often than chance"), "{}", report.figure.alt);
        let noise = run(&Periodicity::default(), &trace(512, |_, _| 0.0)).unwrap();
        assert!(*of(&noise, "period.p") > 0.05);
        assert_eq!(*of(&noise, "spasms"), 0.0);
    }

    #[test]
    fn spasms_are_runs_of_glitches() {
        let spike = |i: usize, _: f64| if [50, 51, 53, 200, 400, 401].contains(&i) { 900.0 } else { 0.0 };
        let t = trace(512, spike);
        let report = run(&Periodicity::default(), &t).unwrap();
        assert_eq!((*of(&report, "spasms"), *of(&report, "glitches")), (3.0, 6.0));
        let apart = run(&Periodicity { join: 0.0, ..Periodicity::default() }, &t).unwrap();
        assert_eq!(*of(&apart, "spasms"), 4.0);
        assert_eq!(report.readout.rows[0].cells[0], "3 spasms, 6 glitches");
        // Nothing was lost.
        assert!(of(&report, "loss.r").is_nan() && report.readout.rows[2].cells[0] == "–");
    }

    #[test]
    fn a_tie_to_loss_is_found() {
        let before = [31, 77, 150, 163, 260, 301, 333, 420, 488, 571];
        let source = trace(600, |i, _| if before.contains(&i) { 900.0 } else { 0.0 });
        let mut b = TraceBuilder::new("lossy", Provenance::Typed);
        for (i, r) in source.records().enumerate() {
            let fate = if i > 0 && before.contains(&(i - 1)) { Fate::Lost } else { r.fate };
            b.push(Some(r.sent), r.octets, fate).unwrap();
        }
        let params = Periodicity { window: 5.0, ..Periodicity::default() };
        let report = run(&params, &Shared::new(b.build())).unwrap();
        assert!(
            *of(&report, "loss.r") > 0.2 && *of(&report, "loss.p") <= 0.05,
            "{:?}",
            report.readout.rows[2]
        );
        assert_eq!(report.readout.rows[2].cells[2], "more than chance");
    }

    #[test]
    fn the_length_line_is_taken_off() {
        // Without it, long packets in step would be a period.
        let mut b = TraceBuilder::new("lengths", Provenance::Typed);
        let mut rng = Random::new(8);
        for i in 0..256_u32 {
            let octets = if i % 16 < 8 { 40 } else { 120 };
            let delay = 2.0 * f64::from(octets) + 3.0 * rng.normal();
            b.push(Some(f64::from(i) * 1000.0), Some(octets), Fate::Reply(delay)).unwrap();
        }
        let report = run(&Periodicity::default(), &Shared::new(b.build())).unwrap();
        assert!(*of(&report, "period.p") > 0.05, "{}", of(&report, "period"));
    }

    #[test]
    fn same_inputs_same_report_and_another_seed_other_surrogates() {
        let foe = Shared::new(rebuild::rebuild(printed::find("rfc889/dcn1-local/FOE").unwrap(), 1));
        let report = |params: &Periodicity| run(params, &foe).unwrap();
        let plain = Periodicity::default();
        let (one, two) = (report(&plain), report(&plain));
        assert_eq!((one.digest(), one.readout, one.frame), (two.digest(), two.readout, two.frame));
        assert_ne!(report(&plain).digest(), report(&Periodicity { seed: 2.0, ..plain }).digest());
        assert!(report(&Periodicity::default()).remarks.iter().any(|r| r.starts_with("Rebuilt delays hold")));
    }

    #[test]
    fn odd_traces_have_a_report_or_a_plain_sentence() {
        let typed = |series: &[Option<f64>]| Shared::new(Trace::from_series("t", series).unwrap());
        let run = |series: &[Option<f64>]| run(&Periodicity::default(), &typed(series));
        for series in [&[Some(7.0); 40][..], &[Some(0.0); 40], &[Some(1e-6); 16], &[Some(3.6e6); 17]] {
            let report = run(series).unwrap();
            let texts = report.readout.rows.iter().flat_map(|r| &r.cells);
            assert!(texts.chain([&report.figure.alt]).all(|t| !t.contains("NaN")), "{}", report.figure.alt);
        }
        let e = run(&[None; 40]).unwrap_err();
        assert_eq!(e.to_string(), "t holds 0 replies with a known delay, and 16 are needed");
        // Zeros among others.
        let mut mixed = vec![Some(0.0); 30];
        mixed.extend((0..30).map(|i| Some(f64::from(i))));
        assert!(run(&mixed).unwrap().numbers.iter().all(|(_, v)| !v.is_infinite()));
    }

    #[test]
    fn long_traces_are_grouped() {
        let report =
            run(&Periodicity { surrogates: 19.0, ..Periodicity::default() }, &trace(5000, |_, _| 0.0));
        let report = report.unwrap();
        assert!(report.remarks.iter().any(|r| r.starts_with("For the spectrum 5 packets")));
        assert_eq!(report.frame.rows, 999);
    }
}

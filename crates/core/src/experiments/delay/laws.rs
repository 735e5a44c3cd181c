//! The histogram of delays with fitted laws, to judge a remark by.
//!
//! "the delay distribution is more-or-less Poissonly distributed about a relatively narrow range with
//! important exceptions. The exceptions are characterized by occasional spasms" (RFC 889, section 3.2).
//!
//! Where lengths vary, they spread delays more than queues do; so the line is taken off first and the
//! line's value at the mean length added again. Spasms can be left out.

use super::figure::{front, ground, scale};
use super::readout::ms;
use super::{Fitted, Setup};
use crate::figure::{Axis, Column, Data, Extent, Figure, Panel, Role, RowKind, Shape};
use crate::report::{Heading, Table, TableRow};
use crate::stats::fit::{Fit, Law, TITLES, fit_all};
use crate::stats::histogram::Histogram;
use crate::stats::moments::Moments;
use crate::stats::quantile;

/// The four laws on the delays of a trace, and what they were fitted to.
#[derive(Debug, Clone, PartialEq)]
pub struct Laws {
    /// In the order of [`TITLES`]; `None` where a law cannot be fitted.
    pub fits: [Option<Fit>; 4],
    pub bins: Histogram,
    /// Delays that were left out as spasms.
    pub left_out: usize,
    /// The length that delays were corrected to, octets. `None`: they are as measured.
    pub corrected_to: Option<f64>,
    /// Of the delays fitted to, ms: a quarter, half, three quarters lie below.
    pub quartiles: (f64, f64, f64),
}

impl Laws {
    /// The law with the least chi-square for its degrees of freedom.
    pub fn best(&self) -> Option<(usize, &Fit)> {
        let per_freedom = |f: &Fit| f.chi_square.map(|c| c.value / c.freedom as f64);
        let judged = self
            .fits
            .iter()
            .enumerate()
            .filter_map(|(i, f)| Some((i, f.as_ref()?, per_freedom(f.as_ref()?)?)));
        judged.min_by(|a, b| a.2.total_cmp(&b.2)).map(|(i, f, _)| (i, f))
    }
}

/// Fits the laws; `None` without delays.
pub(super) fn of(setup: &Setup, f: &Fitted<'_>) -> Option<Laws> {
    let mut corrected_to = None;
    let mut delays: Vec<f64> = if f.points.is_empty() {
        f.trace.timed().collect()
    } else if setup.corrected && f.lines.has_line() {
        let mean = Moments::of(f.points.octets.iter().copied())?.mean;
        let there = f.lines.segment(mean)?.at(mean);
        corrected_to = Some(mean);
        f.residuals.iter().map(|r| r + there).collect()
    } else {
        f.points.delays.clone()
    };
    delays.sort_unstable_by(f64::total_cmp);
    // What rounding leaves of equal delays is no spread.
    if let (Some(&least), Some(&most)) = (delays.first(), delays.last())
        && most - least <= 1e-9 * most.abs()
    {
        delays.fill(least);
    }
    let left_out = (setup.leave_out * delays.len() as f64).floor() as usize;
    delays.truncate(delays.len() - left_out);
    let bins = Histogram::around(&delays)?;
    let at = |p| quantile::of_sorted(&delays, p);
    let quartiles = (at(0.25)?, at(0.5)?, at(0.75)?);
    Some(Laws { fits: fit_all(&delays, &bins), bins, left_out, corrected_to, quartiles })
}

pub(super) fn histogram(
    setup: &Setup,
    f: &Fitted<'_>,
    numbers: &mut Vec<(String, f64)>,
    remarks: &mut Vec<String>,
) -> (Figure, Table, Vec<String>) {
    let Some(laws) = of(setup, f) else { return (Figure::default(), Table::default(), Vec::new()) };
    for (title, fit) in ["exponential", "gamma", "log-normal", "poisson"].into_iter().zip(&laws.fits) {
        let chi = fit.and_then(|f| f.chi_square);
        for (what, value) in [
            ("chi-square", chi.map(|c| c.value)),
            ("freedom", chi.map(|c| c.freedom as f64)),
            ("p", chi.map(|c| c.p)),
            ("distance", fit.and_then(|f| f.distance)),
        ] {
            numbers.push((format!("{title}.{what}"), value.unwrap_or(f64::NAN)));
        }
    }
    if let Some(to) = laws.corrected_to {
        remarks.push(format!("Delays are shown as if every packet had {to:.0} octets, the mean."));
    }
    if laws.left_out > 0 {
        remarks.push(format!("The {} greatest delays are left out of the fits.", laws.left_out));
    }
    let bins = &laws.bins;
    if bins.above > 0 {
        let end = bins.start + bins.counts.len() as f64 * bins.width;
        remarks.push(format!("{} delays lie beyond the figure, above {} ms.", bins.above, ms(end)));
    }
    (figure(&laws, f), table(&laws), verdict(&laws))
}

/// What the fits say to Mills's remark, which has two parts: the law, and how wide it is.
fn verdict(laws: &Laws) -> Vec<String> {
    let p = |i: usize| laws.fits[i].and_then(|f| f.chi_square).map(|c| c.p);
    let names = |of: &[usize]| {
        let words: Vec<String> = of.iter().map(|&i| format!("{} ({})", name(i), p_words(p(i)))).collect();
        words.join(", ")
    };
    let (fits, fails): (Vec<usize>, Vec<usize>) =
        (0..TITLES.len()).filter(|i| p(*i).is_some()).partition(|i| p(*i).is_some_and(|p| p >= LEVEL));
    let mut all = vec!["“The delay distribution is more-or-less Poissonly distributed about a relatively narrow range” (RFC 889, section 3.2).".to_owned()];
    all.push(match p(POISSON) {
        None => "Whether a Poisson law fits cannot be judged here: too few bins hold five delays or more.".to_owned(),
        Some(of_poisson) => {
            let answer = if of_poisson >= LEVEL {
                "Taken at its word, the remark stands: chi-square does not reject a Poisson law of counted steps"
            } else {
                "Taken at its word, the remark does not stand: chi-square rejects a Poisson law of counted steps"
            };
            format!("{answer} ({}).", p_words(Some(of_poisson)))
        }
    });
    if p(EXPONENTIAL).is_some_and(|p| p >= LEVEL) {
        all.push("Taken loosely it does: above a least delay the waits are exponential, as behind arrivals of a Poisson process.".to_owned());
    }
    match (&fits[..], laws.best()) {
        (_, None) => {}
        ([], Some((best, _))) => {
            all.push(format!(
                "Of the four laws none fits at the 5 % level; the {} comes nearest.",
                name(best)
            ));
        }
        (some, Some((best, _))) => all.push(format!(
            "Not rejected at the 5 % level: {}{}. The {} comes nearest.",
            names(some),
            if fails.is_empty() { String::new() } else { format!("; rejected: {}", names(&fails)) },
            name(best)
        )),
    }
    let (low, median, high) = laws.quartiles;
    all.push(format!(
        "The range: half of the delays lie from {} to {} ms, {:.0} % of their median apart.",
        ms(low),
        ms(high),
        100.0 * (high - low) / median.max(f64::MIN_POSITIVE)
    ));
    all
}

/// A law's title within a sentence.
fn name(law: usize) -> String {
    if law == POISSON { TITLES[law].to_owned() } else { TITLES[law].to_lowercase() }
}

/// Where a law counts as rejected.
const LEVEL: f64 = 0.05;

/// Places in [`TITLES`].
const EXPONENTIAL: usize = 0;
const POISSON: usize = 3;

fn p_words(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "p < 0.001".to_owned(),
        Some(p) => format!("p = {p:.3}"),
        None => "not judged".to_owned(),
    }
}

fn figure(laws: &Laws, f: &Fitted<'_>) -> Figure {
    let bins = &laws.bins;
    let all = (bins.counts.iter().sum::<u64>() + bins.above) as f64;
    let end = bins.start + bins.counts.len() as f64 * bins.width;
    let bars = Shape::Bars {
        edges: bins.edges().collect(),
        lengths: bins.counts.iter().map(|c| *c as f64).collect(),
        along_y: false,
    };
    let mut marks = vec![ground(Role::Data, bars)];
    let mut most = bins.counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let best = laws.best().map(|(i, _)| i);
    for (i, fit) in laws.fits.iter().enumerate() {
        let Some(fit) = fit else { continue };
        let (x, y) = curve(&fit.law, bins, end, all);
        most = most.max(y.iter().copied().fold(0.0, f64::max).min(1.5 * most));
        let step = matches!(fit.law, Law::Poisson { .. });
        marks.push(front(
            Role::Series(i),
            Shape::Line { x, y, step, strong: best == Some(i), end: String::new() },
        ));
    }
    let label = f.trace.measure.label();
    let mut axis = Axis::new(&format!("{label}, ms"), (bins.start, end));
    axis.short_label = format!("{label}, ms");
    let row = scale(&format!("packets per {} ms", bins.width), (0.0, 1.05 * most), 1.2);
    debug_assert!(matches!(row.kind, RowKind::Scale(_)));
    let above = match bins.above {
        0 => String::new(),
        n => format!(" {n} lie beyond {end:.0} ms."),
    };
    let nearest = best.map_or(String::new(), |i| format!(" {} comes nearest.", TITLES[i]));
    Figure {
        columns: vec![Column { width: Extent::Share(1.0), gap: (40.0, 30.0), axis }],
        rows: vec![row],
        panels: vec![Panel { column: 0, row: 0, marks }],
        alt: format!("Histogram of {all} delays with four fitted laws.{nearest}{above}"),
    }
}

/// Expected packets per bin: a continuous law's density times a bin's width, at close points; a count
/// over each bin.
fn curve(law: &Law, bins: &Histogram, end: f64, all: f64) -> (Data, Data) {
    let expected = |from: f64, to: f64| all * (law.below(to) - law.below(from));
    if matches!(law, Law::Poisson { .. }) {
        let edges: Data = bins.edges().collect();
        let mut counts: Vec<f64> = edges.windows(2).map(|e| expected(e[0], e[1])).collect();
        counts.extend(counts.last().copied());
        return (edges, counts.into());
    }
    let steps = 24 * bins.counts.len();
    let step = (end - bins.start) / steps as f64;
    let x: Data = (0..=steps).map(|i| bins.start + step * i as f64).collect();
    let y = x.iter().map(|x| expected(x - step / 2.0, x + step / 2.0) * bins.width / step).collect();
    (x, y)
}

fn table(laws: &Laws) -> Table {
    let heading = |title, unit| Heading::new(title, unit);
    let dash = || "–".to_owned();
    let rows = TITLES.iter().zip(&laws.fits).enumerate().map(|(i, (title, fit))| {
        let chi = fit.and_then(|f| f.chi_square);
        TableRow {
            head: (*title).to_owned(),
            role: Role::Series(i),
            cells: vec![
                chi.map_or_else(dash, |c| format!("{:.1}", c.value)),
                chi.map_or_else(dash, |c| c.freedom.to_string()),
                chi.map_or_else(dash, |c| p_value(c.p)),
                fit.and_then(|f| f.distance).map_or_else(dash, |a| format!("{a:.2}")),
                fit.map_or_else(|| "cannot be fitted".to_owned(), |f| parameters(&f.law)),
            ],
        }
    });
    Table {
        caption: "Laws fitted to the delays; p is the chance to fit as badly or worse if the law were true"
            .to_owned(),
        head: "Law".to_owned(),
        columns: vec![
            heading("χ²", ""),
            heading("Degrees of freedom", ""),
            heading("p", ""),
            heading("A²", ""),
            heading("Parameters", ""),
        ],
        rows: rows.collect(),
    }
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

fn parameters(law: &Law) -> String {
    match law {
        Law::Exponential { shift, mean } => format!("from {} ms, mean {} ms above", ms(*shift), ms(*mean)),
        Law::Gamma { shift, shape, scale } => {
            format!("from {} ms, shape {shape:.2}, scale {} ms", ms(*shift), ms(*scale))
        }
        Law::LogNormal { mu, sigma } => format!("median {} ms, σ {sigma:.3}", ms(libm::exp(*mu))),
        Law::Poisson { start, width, mean } => {
            format!("from {} ms, mean {mean:.2} steps of {} ms", ms(*start), ms(*width))
        }
    }
}

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
    let left_out = (setup.leave_out * delays.len() as f64).floor() as usize;
    delays.truncate(delays.len() - left_out);
    let bins = Histogram::around(&delays)?;
    Some(Laws { fits: fit_all(&delays, &bins), bins, left_out, corrected_to })
}

pub(super) fn histogram(
    setup: &Setup,
    f: &Fitted<'_>,
    numbers: &mut Vec<(String, f64)>,
    remarks: &mut Vec<String>,
) -> (Figure, Table) {
    let Some(laws) = of(setup, f) else { return (Figure::default(), Table::default()) };
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
    remarks.extend(verdict(&laws));
    (figure(&laws, f), table(&laws))
}

/// What the fits say to Mills's remark.
fn verdict(laws: &Laws) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(to) = laws.corrected_to {
        all.push(format!("Delays are shown as if every packet had {to:.0} octets, the mean."));
    }
    if laws.left_out > 0 {
        all.push(format!("The {} greatest delays are left out of the fits.", laws.left_out));
    }
    let fitting: Vec<&str> = TITLES
        .iter()
        .zip(&laws.fits)
        .filter(|(_, f)| f.and_then(|f| f.chi_square).is_some_and(|c| c.p >= 0.05))
        .map(|(title, _)| *title)
        .collect();
    let best = laws.best().map(|(i, _)| TITLES[i]);
    all.extend(match (&fitting[..], best) {
        (_, None) => None,
        ([], Some(best)) => {
            Some(format!("No law fits: chi-square rejects each at the 5 % level. {best} comes nearest."))
        }
        (some, Some(best)) => {
            Some(format!("Not rejected at the 5 % level: {}. {best} comes nearest.", some.join(", ")))
        }
    });
    all
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

/// Expected packets per bin: at close points for a continuous law, over each bin for a count.
fn curve(law: &Law, bins: &Histogram, end: f64, all: f64) -> (Data, Data) {
    let half = bins.width / 2.0;
    let expected = |from: f64| all * (law.below(from + bins.width) - law.below(from));
    if matches!(law, Law::Poisson { .. }) {
        let edges: Data = bins.edges().collect();
        let mut counts: Vec<f64> = edges.iter().take(bins.counts.len()).map(|e| expected(*e)).collect();
        counts.extend(counts.last().copied());
        return (edges, counts.into());
    }
    let steps = 4 * bins.counts.len();
    let x: Data = (0..=steps).map(|i| bins.start + (end - bins.start) * i as f64 / steps as f64).collect();
    let y = x.iter().map(|x| expected(x - half)).collect();
    (x, y)
}

fn table(laws: &Laws) -> Table {
    let heading = |title, unit| Heading { title, unit };
    let dash = || "–".to_owned();
    let rows = TITLES.iter().zip(&laws.fits).enumerate().map(|(i, (title, fit))| {
        let chi = fit.and_then(|f| f.chi_square);
        TableRow {
            head: (*title).to_owned(),
            role: Role::Series(i),
            cells: vec![
                fit.map_or_else(|| "cannot be fitted".to_owned(), |f| parameters(&f.law)),
                chi.map_or_else(dash, |c| format!("{:.1}", c.value)),
                chi.map_or_else(dash, |c| c.freedom.to_string()),
                chi.map_or_else(dash, |c| p_value(c.p)),
                fit.and_then(|f| f.distance).map_or_else(dash, |a| format!("{a:.2}")),
            ],
        }
    });
    Table {
        caption: "Laws fitted to the delays; p is the chance to fit as badly or worse if the law were true"
            .to_owned(),
        head: "Law".to_owned(),
        columns: vec![
            heading("Parameters", ""),
            heading("χ²", ""),
            heading("Degrees of freedom", ""),
            heading("p", ""),
            heading("A²", ""),
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

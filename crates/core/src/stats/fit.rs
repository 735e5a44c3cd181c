//! Laws of chance fitted to delays, and how well each fits.
//!
//! "the delay distribution is more-or-less Poissonly distributed about a relatively narrow range"
//! (RFC 889, section 3.2). Candidates are three continuous laws and the Poisson law proper, for delays
//! counted in whole bins. Two figures judge them:
//!
//! - chi-square over the bins of a histogram, those with fewer than five expected put together, with
//!   the bins less one less the fitted parameters as its degrees of freedom. The parameters come from
//!   the numbers and not from the bins, so the true probability is somewhat larger;
//! - A², the distance of Anderson and Darling, for the continuous laws. Its scale depends on law and
//!   sample; between laws on one sample, less is better.

use super::distribution::{chi_square_above, digamma, gamma, normal};
use super::histogram::Histogram;

/// A law and its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// `shift` and then an exponential time of this mean.
    Exponential { shift: f64, mean: f64 },
    /// `shift` and then a gamma time.
    Gamma { shift: f64, shape: f64, scale: f64 },
    /// The logarithm is normal.
    LogNormal { mu: f64, sigma: f64 },
    /// The number of whole bins above `start` is a Poisson count.
    Poisson { start: f64, width: f64, mean: f64 },
}

/// The order of [`fit_all`].
pub const TITLES: [&str; 4] = ["Shifted exponential", "Shifted gamma", "Log-normal", "Poisson on binned counts"];

/// A fitted law with its goodness of fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    pub law: Law,
    /// `None` where too few bins are filled.
    pub chi_square: Option<ChiSquare>,
    /// A² of Anderson and Darling; `None` for Poisson's.
    pub distance: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChiSquare {
    pub value: f64,
    pub freedom: usize,
    /// How often chance alone would fit as badly or worse.
    pub p: f64,
}

/// Fits every law to the numbers, and judges it on the bins of a histogram of the same numbers. An
/// entry is `None` where the law cannot be fitted: fewer than three numbers, no spread, or for the
/// log-normal law a number that is not above 0.
pub fn fit_all(values: &[f64], bins: &Histogram) -> [Option<Fit>; 4] {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let laws = [exponential(&sorted), shifted_gamma(&sorted), log_normal(&sorted), poisson(&sorted, bins)];
    laws.map(|law| {
        let law = law?;
        Some(Fit { law, chi_square: chi_square(&law, bins), distance: law.distance(&sorted) })
    })
}

impl Law {
    /// How much of the law lies below `v`.
    pub fn below(&self, v: f64) -> f64 {
        match *self {
            Self::Exponential { shift, mean } if v > shift => -libm::expm1(-(v - shift) / mean),
            Self::Gamma { shift, shape, scale } if v > shift => gamma(shape, (v - shift) / scale),
            Self::LogNormal { mu, sigma } if v > 0.0 => normal((libm::log(v) - mu) / sigma),
            Self::Poisson { start, width, mean } => {
                // P(count < k) is the part of a gamma law of shape k above the mean.
                let k = ((v - start) / width).ceil();
                if k < 1.0 { 0.0 } else { 1.0 - gamma(k, mean) }
            }
            _ => 0.0,
        }
    }

    /// How many numbers were fitted to get the law.
    fn parameters(&self) -> usize {
        match self {
            Self::Exponential { .. } | Self::LogNormal { .. } => 2,
            Self::Gamma { .. } => 3,
            Self::Poisson { .. } => 1,
        }
    }

    /// A² = −n − (1/n) Σ (2i−1)(ln F(vᵢ) + ln(1 − F(vₙ₊₁₋ᵢ))), on ordered numbers.
    fn distance(&self, sorted: &[f64]) -> Option<f64> {
        if matches!(self, Self::Poisson { .. }) {
            return None;
        }
        const LEAST: f64 = 1e-300;
        let n = sorted.len() as f64;
        let mut sum = 0.0;
        for (i, v) in sorted.iter().enumerate() {
            // Each number is below some and above the others: (2i−1) ln F + (2n+1−2i) ln(1−F).
            let f = self.below(*v);
            let i = i as f64;
            sum += (2.0 * i + 1.0) * libm::log(f.max(LEAST));
            sum += (2.0 * (n - i) - 1.0) * libm::log((1.0 - f).max(f64::EPSILON / 2.0));
        }
        Some(-n - sum / n).filter(|a| a.is_finite())
    }
}

fn mean(v: &[f64]) -> f64 {
    v.iter().sum::<f64>() / v.len() as f64
}

/// Least, mean and greatest of ordered numbers with a spread.
fn spread(sorted: &[f64]) -> Option<(f64, f64, f64)> {
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    (sorted.len() > 2 && most > least).then(|| (least, mean(sorted), most))
}

/// The unbiased estimates of least variance: the least of n numbers lies mean / n above the shift.
fn exponential(sorted: &[f64]) -> Option<Law> {
    let (least, middle, _) = spread(sorted)?;
    let n = sorted.len() as f64;
    let mean = (middle - least) * n / (n - 1.0);
    Some(Law::Exponential { shift: least - mean / n, mean })
}

/// Shape and scale by greatest likelihood for each shift, and the shift for which that is greatest,
/// from the exponential law's down to a range below the least number. (Without an upper end the
/// likelihood has no greatest value: a shift at the least number makes it infinite.)
fn shifted_gamma(sorted: &[f64]) -> Option<Law> {
    const MOST: usize = 4096;
    let (least, _, most) = spread(sorted)?;
    let Law::Exponential { shift: top, .. } = exponential(sorted)? else { return None };
    // Every so manieth of a long column has the same shape.
    let step = sorted.len().div_ceil(MOST);
    let thinned: Vec<f64> = sorted.iter().copied().skip(step / 2).step_by(step).collect();
    let likelihood = |shift: f64| gamma_at(&thinned, shift).map_or(f64::NEG_INFINITY, |(_, _, l)| l);
    // Golden section, on the logarithm of the distance to the least number.
    let at = |t: f64| least - (least - top) * libm::exp(t);
    let end = libm::log((most - least) / (least - top)).max(0.0);
    let golden = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (0.0, end);
    let (mut c, mut d) = (b - golden * (b - a), a + golden * (b - a));
    let (mut at_c, mut at_d) = (likelihood(at(c)), likelihood(at(d)));
    for _ in 0..30 {
        if at_c >= at_d {
            (b, d, at_d) = (d, c, at_c);
            c = b - golden * (b - a);
            at_c = likelihood(at(c));
        } else {
            (a, c, at_c) = (c, d, at_d);
            d = a + golden * (b - a);
            at_d = likelihood(at(d));
        }
    }
    let inside = at(f64::midpoint(a, b));
    let shift = if likelihood(top) >= likelihood(inside) { top } else { inside };
    let (shape, scale, _) = gamma_at(sorted, shift)?;
    Some(Law::Gamma { shift, shape, scale })
}

/// Shape, scale and mean log-likelihood for one shift. The shape solves ln k − ψ(k) = ln x̄ − mean ln x.
fn gamma_at(values: &[f64], shift: f64) -> Option<(f64, f64, f64)> {
    let n = values.len() as f64;
    let mean = values.iter().map(|v| v - shift).sum::<f64>() / n;
    let log_mean = values.iter().map(|v| libm::log(v - shift)).sum::<f64>() / n;
    let gap = libm::log(mean) - log_mean;
    if !gap.is_finite() || gap <= 0.0 {
        return None;
    }
    // ln k − ψ(k) falls from ∞ to 0 and lies between 1/2k and 1/k.
    let (mut lo, mut hi) = (0.5 / gap, 1.0 / gap);
    for _ in 0..60 {
        let k = f64::midpoint(lo, hi);
        if libm::log(k) - digamma(k) > gap {
            lo = k;
        } else {
            hi = k;
        }
    }
    let shape = f64::midpoint(lo, hi);
    let scale = mean / shape;
    let likelihood = (shape - 1.0) * log_mean - shape - shape * libm::log(scale) - libm::lgamma(shape);
    likelihood.is_finite().then_some((shape, scale, likelihood))
}

fn log_normal(sorted: &[f64]) -> Option<Law> {
    let (least, ..) = spread(sorted)?;
    if least <= 0.0 {
        return None;
    }
    let logs: Vec<f64> = sorted.iter().map(|v| libm::log(*v)).collect();
    let mu = mean(&logs);
    let squares: f64 = logs.iter().map(|l| (l - mu) * (l - mu)).sum();
    let sigma = (squares / (logs.len() - 1) as f64).sqrt();
    (sigma > 0.0).then_some(Law::LogNormal { mu, sigma })
}

/// The mean count of whole bins above the first bin.
fn poisson(sorted: &[f64], bins: &Histogram) -> Option<Law> {
    spread(sorted)?;
    let (start, width) = (bins.start, bins.width);
    let mean = sorted.iter().map(|v| ((v - start) / width).floor()).sum::<f64>() / sorted.len() as f64;
    (mean > 0.0 && mean.is_finite()).then_some(Law::Poisson { start, width, mean })
}

/// Chi-square over the bins and the rest above them.
fn chi_square(law: &Law, bins: &Histogram) -> Option<ChiSquare> {
    const FEWEST: f64 = 5.0;
    let all = (bins.counts.iter().sum::<u64>() + bins.above) as f64;
    let mut value = 0.0;
    let mut groups = Vec::new();
    let (mut seen, mut expected, mut from) = (0.0, 0.0, 0.0);
    let last = bins.counts.len();
    for (i, count) in bins.counts.iter().chain([&bins.above]).enumerate() {
        let to = if i == last { 1.0 } else { law.below(bins.start + (i + 1) as f64 * bins.width) };
        seen += *count as f64;
        expected += all * (to - from);
        from = to;
        if expected >= FEWEST {
            groups.push((seen, expected));
            (seen, expected) = (0.0, 0.0);
        }
    }
    // What is left joins the last group.
    let end = groups.last_mut()?;
    *end = (end.0 + seen, end.1 + expected);
    for (seen, expected) in &groups {
        value += (seen - expected) * (seen - expected) / expected;
    }
    let freedom = groups.len().checked_sub(1 + law.parameters()).filter(|f| *f > 0)?;
    Some(ChiSquare { value, freedom, p: chi_square_above(freedom as f64, value) })
}

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
pub const TITLES: [&str; 4] =
    ["Shifted exponential", "Shifted gamma", "Log-normal", "Poisson on binned counts"];

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
                // An edge counts for itself, whatever the division rounds to.
                let k = ((v - start) / width - 1e-9).ceil();
                if k < 1.0 { 0.0 } else { 1.0 - gamma(k, mean) }
            }
            _ => 0.0,
        }
    }

    /// How many numbers were fitted to get the law.
    fn parameters(&self) -> usize {
        match self {
            Self::Exponential { .. } | Self::LogNormal { .. } | Self::Poisson { .. } => 2,
            Self::Gamma { .. } => 3,
        }
    }

    /// A² = −n − (1/n) Σ (2i−1)(ln F(vᵢ) + ln(1 − F(vₙ₊₁₋ᵢ))), on ordered numbers.
    fn distance(&self, sorted: &[f64]) -> Option<f64> {
        if matches!(self, Self::Poisson { .. }) {
            return None;
        }
        let n = sorted.len() as f64;
        let mut sum = 0.0;
        for (i, v) in sorted.iter().enumerate() {
            // Each number is below some and above the others: (2i−1) ln F + (2n+1−2i) ln(1−F).
            let f = self.below(*v);
            let i = i as f64;
            sum += (2.0 * i + 1.0) * libm::log(f.max(f64::MIN_POSITIVE));
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

/// Whole bins counted from an origin at or below the first bin, chosen so that mean and variance agree
/// as nearly as whole bins allow: a Poisson law's are equal.
fn poisson(sorted: &[f64], bins: &Histogram) -> Option<Law> {
    spread(sorted)?;
    let width = bins.width;
    let counts = || sorted.iter().map(|v| ((v - bins.start) / width).floor());
    let n = sorted.len() as f64;
    let mean = counts().sum::<f64>() / n;
    let variance = counts().map(|k| (k - mean) * (k - mean)).sum::<f64>() / (n - 1.0);
    let lower = (variance - mean).round().max(0.0);
    let law = Law::Poisson { start: bins.start - lower * width, width, mean: mean + lower };
    (variance > 0.0 && variance.is_finite()).then_some(law)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Random;

    fn sample(n: usize, draw: impl FnMut(&mut Random) -> f64) -> Vec<f64> {
        seeded(7, n, draw)
    }

    fn seeded(seed: u64, n: usize, mut draw: impl FnMut(&mut Random) -> f64) -> Vec<f64> {
        let mut rng = Random::new(seed);
        (0..n).map(|_| draw(&mut rng)).collect()
    }

    fn fits(values: &[f64]) -> [Option<Fit>; 4] {
        fit_all(values, &Histogram::around(values).unwrap())
    }

    #[track_caller]
    fn near(got: f64, expected: f64, part: f64) {
        assert!((got - expected).abs() <= part * expected.abs(), "{got} {expected}");
    }

    #[test]
    fn an_exponential_worked_by_hand() {
        // Least 2, mean 5: 3 · 3/2 above a shift of 2 − 4.5/3.
        let law = exponential(&[2.0, 4.0, 9.0]).unwrap();
        assert_eq!(law, Law::Exponential { shift: 0.5, mean: 4.5 });
        near(law.below(0.5 + 4.5 * std::f64::consts::LN_2), 0.5, 1e-15);
        // F = 1 − e^(−1/3), 1 − e^(−7/9), 1 − e^(−17/9):
        // A² = −3 − (ln F₁ + 3 ln F₂ + 5 ln F₃ − 5·1/3 − 3·7/9 − 17/9) / 3
        let f = [1.0 / 3.0, 7.0 / 9.0, 17.0 / 9.0_f64].map(|t| libm::log(-libm::expm1(-t)));
        let by_hand = -3.0 - (f[0] + 3.0 * f[1] + 5.0 * f[2] - 53.0 / 9.0) / 3.0;
        near(law.distance(&[2.0, 4.0, 9.0]).unwrap(), by_hand, 1e-12);
    }

    #[test]
    fn each_law_is_found_again_in_what_it_made() {
        let Some(Fit { law: Law::Exponential { shift, mean }, .. }) =
            fits(&sample(20_000, |r| 30.0 + 12.0 * r.exponential()))[0]
        else {
            panic!()
        };
        near(shift, 30.0, 1e-3);
        near(mean, 12.0, 0.02);
        let three = |r: &mut Random| r.exponential() + r.exponential() + r.exponential();
        let Some(Fit { law: Law::Gamma { shift, shape, scale }, .. }) =
            fits(&sample(20_000, |r| 30.0 + 4.0 * three(r)))[1]
        else {
            panic!()
        };
        near(shift, 30.0, 0.01);
        near(shape, 3.0, 0.1);
        near(scale, 4.0, 0.1);
        let Some(Fit { law: Law::LogNormal { mu, sigma }, .. }) =
            fits(&sample(20_000, |r| libm::exp(4.0 + 0.3 * r.normal())))[2]
        else {
            panic!()
        };
        near(mu, 4.0, 0.002);
        near(sigma, 0.3, 0.02);
    }

    /// Knuth's product of uniform variates.
    fn count(r: &mut Random, mean: f64) -> f64 {
        let (mut k, mut product) = (0.0, r.unit());
        while product > libm::exp(-mean) {
            product *= r.unit();
            k += 1.0;
        }
        k
    }

    /// A right law is rejected at 5 % about as often as that, a wrong one always.
    #[test]
    fn the_right_law_is_believed_and_the_wrong_one_is_not() {
        const SEEDS: u64 = 60;
        type Draw = fn(&mut Random) -> f64;
        let cases: [(usize, usize, Draw); 3] = [
            (0, 2, |r| 100.0 + 20.0 * r.exponential()),
            (2, 0, |r| libm::exp(3.0 + 0.5 * r.normal())),
            // In steps of 10 ms above 200.
            (3, 0, |r| 200.0 + 10.0 * count(r, 9.0)),
        ];
        for (right, wrong, draw) in cases {
            let (mut rejected, mut believed) = (0, 0);
            for seed in 0..SEEDS {
                let fits = fits(&seeded(seed, 512, draw));
                let p = |law: usize| fits[law].unwrap().chi_square.unwrap().p;
                rejected += usize::from(p(right) < 0.05);
                believed += usize::from(p(wrong) > 1e-4);
                let distance = |law: usize| fits[law].unwrap().distance.unwrap_or(0.0);
                assert!(distance(right) < distance(wrong));
            }
            // 3 of 60 are expected; 10 or more would come about once in a thousand.
            assert!(rejected < 10 && believed == 0, "{right}: {rejected} {believed}");
        }
    }

    #[test]
    fn poisson_counts_whole_bins() {
        let law = Law::Poisson { start: 10.0, width: 2.0, mean: 1.5 };
        near(law.below(12.0), libm::exp(-1.5), 1e-14);
        near(law.below(14.0), 2.5 * libm::exp(-1.5), 1e-14);
        assert_eq!(law.below(10.0), 0.0);
    }

    #[test]
    fn what_cannot_be_fitted_is_none() {
        let bins = |v: &[f64]| Histogram::around(v);
        assert!(bins(&[]).is_none());
        assert_eq!(fits(&[5.0; 20]), [None; 4]);
        assert_eq!(fits(&[1.0, 2.0]), [None; 4]);
        let with_zero = fits(&[0.0, 1.0, 2.0, 5.0]);
        assert!(with_zero[0].is_some() && with_zero[2].is_none());
        // Too few for chi-square.
        assert_eq!(with_zero[0].unwrap().chi_square, None);
    }
}

//! The figures that sum a column of numbers up.

use super::dd::Dd;
use super::moments::Moments;
use super::quantile::of_sorted;

/// The quantiles of a summary, in per cent, with their names.
pub const QUANTILES: [(&str, f64); 9] = [
    ("p1", 0.01),
    ("p5", 0.05),
    ("p10", 0.10),
    ("p25", 0.25),
    ("p50", 0.50),
    ("p75", 0.75),
    ("p90", 0.90),
    ("p95", 0.95),
    ("p99", 0.99),
];

/// A summary of at least one number.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    pub n: usize,
    pub mean: f64,
    /// Standard deviation with divisor n − 1; `None` for one number.
    pub sd: Option<f64>,
    /// `sd` over mean; `None` without one, or for a mean of 0.
    pub cov: Option<f64>,
    pub min: f64,
    pub max: f64,
    /// In the order of [`QUANTILES`].
    pub quantiles: [f64; QUANTILES.len()],
    /// Autocorrelation of each number with the next: Σ(vᵢ−v̄)(vᵢ₊₁−v̄) over Σ(vᵢ−v̄)². `None` if all
    /// are equal.
    pub lag1: Option<f64>,
}

impl Summary {
    /// `None` for no numbers, or where one is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let Moments { n, mean, squares, min, max } = Moments::of(values.iter().copied())?;
        let sd = (n > 1).then(|| (squares / (n - 1) as f64).sqrt());
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Self {
            n,
            mean,
            sd,
            cov: sd.filter(|_| mean != 0.0).map(|sd| sd / mean),
            min,
            max,
            quantiles: QUANTILES.map(|(_, p)| of_sorted(&sorted, p).unwrap_or(mean)),
            lag1: lag1(values),
        })
    }
}

fn lag1(values: &[f64]) -> Option<f64> {
    let sum = values.iter().fold(Dd::ZERO, |sum, v| sum.plus(Dd::new(*v)));
    let mean = sum.over(Dd::new(values.len() as f64));
    let (mut products, mut squares) = (Dd::ZERO, Dd::ZERO);
    let mut before = None;
    for v in values {
        let d = Dd::new(*v).minus(mean);
        squares = squares.plus(d.times(d));
        if let Some(before) = before.replace(d) {
            products = products.plus(d.times(before));
        }
    }
    (squares.value() > 0.0).then(|| products.over(squares).value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_worked_by_hand() {
        let s = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((s.n, s.mean, s.min, s.max), (8, 5.0, 2.0, 9.0));
        assert_eq!(s.sd, Some((32.0_f64 / 7.0).sqrt()));
        assert_eq!(s.cov, s.sd.map(|sd| sd / 5.0));
        assert_eq!((s.quantiles[4], s.quantiles[5]), (4.5, 5.5));
        // (−3·−1 + 1 + 1 + 0 + 0 + 0 + 2·4) / 32
        assert_eq!(s.lag1, Some(13.0 / 32.0));
    }

    #[test]
    fn what_is_not_defined_is_none() {
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[1.0, f64::NAN]), None);
        let one = Summary::of(&[3.0]).unwrap();
        assert_eq!((one.sd, one.cov, one.lag1, one.quantiles), (None, None, None, [3.0; 9]));
        assert_eq!(Summary::of(&[-1.0, 1.0]).unwrap().cov, None);
    }

    #[test]
    fn names_are_those_of_the_parts() {
        for (name, p) in QUANTILES {
            assert_eq!(name, format!("p{}", (p * 100.0).round()));
        }
    }
}

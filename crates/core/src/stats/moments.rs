//! Mean and spread, by two passes with compensated sums.

/// A sum that keeps what rounding would drop (Neumaier 1974).
#[derive(Debug, Clone, Copy, Default)]
pub struct Sum {
    sum: f64,
    dropped: f64,
}

impl Sum {
    pub fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.dropped +=
            if self.sum.abs() >= value.abs() { (self.sum - sum) + value } else { (value - sum) + self.sum };
        self.sum = sum;
    }

    pub fn value(self) -> f64 {
        self.sum + self.dropped
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut s = Self::default();
        values.into_iter().for_each(|v| s.add(v));
        s
    }
}

/// Mean and spread of at least one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    pub n: usize,
    pub mean: f64,
    /// Sum of squared deviations from the mean.
    pub squares: f64,
    pub min: f64,
    pub max: f64,
}

impl Moments {
    /// `None` for no numbers.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let n = values.clone().count();
        if n == 0 {
            return None;
        }
        let mean = values.clone().collect::<Sum>().value() / n as f64;
        let (mut squares, mut off) = (Sum::default(), Sum::default());
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values {
            let d = v - mean;
            squares.add(d * d);
            off.add(d);
            min = min.min(v);
            max = max.max(v);
        }
        // The mean is rounded; what that adds to the squares is taken off again.
        let squares = (squares.value() - off.value() * off.value() / n as f64).max(0.0);
        Some(Self { n, mean, squares, min, max })
    }

    /// Standard deviation with divisor n, as RFC 889's CoV is read here.
    pub fn population_sd(&self) -> f64 {
        (self.squares / self.n as f64).sqrt()
    }

    /// Coefficient of variation with divisor n; `None` for a mean of 0.
    pub fn cov(&self) -> Option<f64> {
        (self.mean != 0.0).then(|| self.population_sd() / self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_offset_does_not_spoil_the_spread() {
        // As NIST's NumAcc3: 1000000.2, then 1000000.1 and 1000000.3 in turn.
        let values: Vec<f64> = std::iter::once(1_000_000.2)
            .chain((0..1000).map(|i| if i % 2 == 0 { 1_000_000.1 } else { 1_000_000.3 }))
            .collect();
        let m = Moments::of(values.iter().copied()).unwrap();
        let sd = (m.squares / 1000.0).sqrt();
        assert!((m.mean - 1_000_000.2).abs() < 1e-9);
        assert!((sd - 0.1).abs() < 1e-9, "{sd}");
    }

    #[test]
    fn small_cases() {
        assert_eq!(Moments::of(std::iter::empty()), None);
        let m = Moments::of([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter()).unwrap();
        assert_eq!((m.mean, m.population_sd(), m.cov(), m.min, m.max), (5.0, 2.0, Some(0.4), 2.0, 9.0));
        assert_eq!(Moments::of([0.0].into_iter()).unwrap().cov(), None);
    }
}

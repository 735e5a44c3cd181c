//! Seeded variates; the same bits on every machine.

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

/// A stream of variates.
#[derive(Debug, Clone)]
pub struct Random(Pcg64Mcg);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    /// From 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Exponential with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }

    /// Standard normal (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::moments::Moments;

    #[test]
    fn means_and_spreads_are_those_of_the_laws() {
        type Law = (fn(&mut Random) -> f64, f64, f64);
        let laws: [Law; 3] = [
            (Random::unit, 0.5, (1.0_f64 / 12.0).sqrt()),
            (Random::exponential, 1.0, 1.0),
            (Random::normal, 0.0, 1.0),
        ];
        for (draw, mean, sd) in laws {
            let mut rng = Random::new(1);
            let values: Vec<f64> = (0..40_000).map(|_| draw(&mut rng)).collect();
            let m = Moments::of(values.iter().copied()).unwrap();
            // Five standard errors.
            assert!((m.mean - mean).abs() < 5.0 * sd / 200.0, "{m:?}");
            assert!((m.population_sd() - sd).abs() < 0.03 * sd, "{m:?}");
        }
    }

    #[test]
    fn a_seed_is_a_stream() {
        let draws = |seed| {
            let mut rng = Random::new(seed);
            [rng.unit(), rng.normal()]
        };
        assert_eq!(draws(3), draws(3));
        assert_ne!(draws(3), draws(4));
    }
}

//! Seeded variates; the same bits on every machine.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

#[derive(Debug)]
pub(super) struct Random(Pcg64Mcg);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    pub(super) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// From 0 to below 1.
    pub(super) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(super) fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    /// From 0 to below n.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    /// With mean 1.
    pub(super) fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }

    /// What [`exponential`](Self::exponential) gives when it is drawn until it is below `most`; 0
    /// where it cannot be.
    pub(super) fn exponential_below(&mut self, most: f64) -> f64 {
        let below = 1.0 - libm::exp(-most.max(0.0));
        -libm::log(1.0 - below * self.unit())
    }

    /// With mean 0 and standard deviation 1 (Box and Muller 1958).
    pub(super) fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

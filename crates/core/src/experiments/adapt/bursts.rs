//! A made-up trace: bursts of short packets and of long ones in turn.

use crate::params::{Param, Params, Range, Unit};
use crate::rng::Random;
use crate::trace::{Fate, Provenance, Trace, TraceBuilder};

/// What is sent, and how long it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Bursts {
    /// Octets of a packet in a burst of short ones, and in one of long ones.
    pub short: f64,
    pub long: f64,
    /// Packets in a burst.
    pub burst: f64,
    /// Bursts of each sort. The first is of short packets.
    pub bursts: f64,
    /// Delay of a short packet, ms, and how many times that of a long one is: two points of the line.
    pub delay: f64,
    pub step: f64,
    /// Standard deviation of a delay, as a share of it.
    pub noise: f64,
    pub seed: f64,
}

impl Default for Bursts {
    fn default() -> Self {
        Self {
            short: 40.0,
            long: 256.0,
            burst: 64.0,
            bursts: 4.0,
            delay: 100.0,
            step: 10.0,
            noise: 0.05,
            seed: 1.0,
        }
    }
}

const COUNT: Range =
    Range { unit: Unit::Count, min: 1.0, max: 4096.0, slider: (1.0, 256.0), step: 1.0, fractions: false };

const OCTETS: Range = Range { unit: Unit::Octets, max: 65_535.0, slider: (40.0, 1500.0), ..COUNT };

impl Params for Bursts {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("short", "", "short packets", "Length of a packet in the bursts of short ones."),
            OCTETS,
            |p| p.short,
            |p, v| p.short = v,
        ),
        Param::number(
            ("long", "", "long packets", "Length of a packet in the bursts of long ones."),
            OCTETS,
            |p| p.long,
            |p, v| p.long = v,
        ),
        Param::number(
            ("burst", "", "packets a burst", "So many packets of one length are sent in a row."),
            Range { min: 4.0, max: 1024.0, slider: (4.0, 256.0), ..COUNT },
            |p| p.burst,
            |p, v| p.burst = v,
        ),
        Param::number(
            ("bursts", "", "bursts of each", "So many bursts of short packets, and as many of long ones."),
            Range { max: 32.0, slider: (1.0, 16.0), ..COUNT },
            |p| p.bursts,
            |p, v| p.bursts = v,
        ),
        Param::number(
            ("delay", "", "delay of a short one", "The delay of a short packet, without noise."),
            Range { unit: Unit::Milliseconds, min: 0.001, max: 1e6, slider: (1.0, 1000.0), ..COUNT },
            |p| p.delay,
            |p, v| p.delay = v,
        ),
        Param::number(
            ("step", "", "step height", "A long packet takes this many times as long as a short one."),
            Range { unit: Unit::One, max: 1000.0, slider: (1.0, 50.0), step: 0.5, ..COUNT },
            |p| p.step,
            |p, v| p.step = v,
        ),
        Param::number(
            ("noise", "", "noise", "The standard deviation of a delay, as a share of it."),
            Range { unit: Unit::One, min: 0.0, max: 1.0, slider: (0.0, 0.5), step: 0.01, ..COUNT },
            |p| p.noise,
            |p, v| p.noise = v,
        ),
        Param::number(
            ("seed", "", "seed", "The noise is drawn from this seed."),
            Range { min: 0.0, max: 999_999.0, slider: (0.0, 99.0), ..COUNT },
            |p| p.seed,
            |p, v| p.seed = v,
        ),
    ];
}

impl Bursts {
    /// Packets in a burst.
    pub(super) fn size(&self) -> usize {
        self.burst as usize
    }

    /// Bursts of both sorts.
    pub(super) fn count(&self) -> usize {
        2 * self.bursts as usize
    }

    /// Whether a burst is of long packets.
    pub(super) fn is_long(burst: usize) -> bool {
        burst % 2 == 1
    }

    /// The bursts, one after the other.
    pub fn trace(&self) -> Trace {
        let sorts = (0..self.count()).map(|b| (Self::is_long(b), self.size()));
        self.made("bursts", sorts, self.seed)
    }

    /// One endless burst, for what an estimator comes to in the end.
    pub(super) fn endless(&self, is_long: bool, packets: usize) -> Trace {
        self.made("one burst", [(is_long, packets)].into_iter(), self.seed + 0.5)
    }

    fn made(&self, name: &str, bursts: impl Iterator<Item = (bool, usize)>, seed: f64) -> Trace {
        let mut rng = Random::new(seed.to_bits());
        let mut trace = TraceBuilder::new(name, Provenance::Typed);
        for (is_long, packets) in bursts {
            let (octets, line) =
                if is_long { (self.long, self.delay * self.step) } else { (self.short, self.delay) };
            for _ in 0..packets {
                // No packet is faster than a tenth of its line.
                let delay = line * (1.0 + self.noise * rng.normal()).max(0.1);
                // Delays within the table's ranges are finite and not negative, which is all that is asked.
                let pushed = trace.push(None, Some(octets as u32), Fate::Reply(delay));
                debug_assert!(pushed.is_ok());
            }
        }
        trace.build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_take_turns() {
        let b = Bursts { burst: 4.0, bursts: 2.0, noise: 0.0, ..Bursts::default() };
        let t = b.trace();
        let delays: Vec<f64> = t.delays().to_vec();
        assert_eq!(delays, [[100.0; 4], [1000.0; 4], [100.0; 4], [1000.0; 4]].concat());
        assert_eq!((t.octets(0), t.octets(4)), (Some(40), Some(256)));
    }

    #[test]
    fn noise_is_seeded() {
        let delays = |seed| Bursts { seed, ..Bursts::default() }.trace().delays().to_vec();
        assert_eq!(delays(1.0), delays(1.0));
        assert_ne!(delays(1.0), delays(2.0));
        let t = Bursts { noise: 1.0, ..Bursts::default() }.trace();
        assert!(t.delays().iter().all(|d| *d >= 10.0));
    }
}

//! Two laws of what delays do beside the printed line, so that what is found on rebuilt runs can be
//! told from what one law would give.
//!
//! Either way a record's noise is q = base + scale·e, e an exponential variate, over all records of
//! mean 1: "the delay distribution is more-or-less Poissonly distributed about a relatively narrow
//! range with important exceptions" (RFC 889, section 3.2). The exceptions come in spasms.

use super::random::Random;

/// How delays vary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Noise {
    /// e times a log-normal level that wanders (an AR(1) process of its logarithm). Spasms of one to
    /// three packets, each as long as it comes; after it delays fall by a part each.
    #[default]
    Surges,
    /// e behind a queue that other traffic fills and that is never less than empty (Lindley's
    /// recursion with normal steps). In spasms of one to five the first packet waits longest and the
    /// others less and less, as the queue drains; after it delays fall by as much each.
    Queue,
}

impl Noise {
    pub const ALL: [Self; 2] = [Self::Surges, Self::Queue];
    pub(super) const NAMES: &'static [&'static str] = &["surges", "queue"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Just this one, beside [`ALL`](Self::ALL).
    pub fn alone(self) -> &'static [Self] {
        &Self::ALL[self as usize..=self as usize]
    }

    /// Before each record. The more tries were in vain, the wilder.
    pub(super) fn draw(self, n: usize, cov: f64, tries: u32, random: &mut Random) -> Drawn {
        let own: Vec<f64> = (0..n).map(|_| random.exponential()).collect();
        let (base, scale) = match self {
            Self::Surges => (vec![0.0; n], surges(n, cov, tries, random)),
            Self::Queue => queue(n, cov, tries, random),
        };
        let mut drawn = Drawn { own, base, scale };
        let mean = (0..n).map(|i| drawn.q(i)).sum::<f64>() / n as f64;
        for i in 0..n {
            drawn.base[i] /= mean;
            drawn.scale[i] /= mean;
        }
        drawn
    }

    /// At most so many late packets in a row.
    pub(super) fn longest_spasm(self) -> usize {
        match self {
            Self::Surges => 3,
            Self::Queue => 5,
        }
    }

    /// How far beyond the timeout each packet of a spasm is, before the fit scales them all.
    pub(super) fn spasm(self, size: usize, uneven: f64, random: &mut Random) -> Vec<f64> {
        match self {
            Self::Surges => (0..size).map(|_| 1.1 - uneven + uneven * random.exponential()).collect(),
            Self::Queue => {
                let first = 1.1 - uneven + uneven * random.exponential();
                (0..size).map(|i| first * (size - i) as f64 / size as f64).collect()
            }
        }
    }

    /// The next of a tail that begins `from` up to the timeout, by its rate of 0 to 1.
    pub(super) fn falls(self, up: f64, from: f64, rate: f64) -> f64 {
        match self {
            Self::Surges => up * rate,
            Self::Queue => up - from * (1.0 - rate),
        }
    }
}

/// The noise of every record of a try.
#[derive(Debug)]
pub(super) struct Drawn {
    own: Vec<f64>,
    base: Vec<f64>,
    scale: Vec<f64>,
}

impl Drawn {
    pub(super) fn q(&self, i: usize) -> f64 {
        self.base[i] + self.scale[i] * self.own[i]
    }

    /// What is to be expected of it: q where e is 1.
    pub(super) fn level(&self, i: usize) -> f64 {
        self.base[i] + self.scale[i]
    }

    /// e is drawn again.
    pub(super) fn redraw(&mut self, i: usize, random: &mut Random) {
        self.own[i] = random.exponential();
    }

    /// Another q for the record, at most so much where it can be.
    pub(super) fn below(&self, i: usize, most: f64, random: &mut Random) -> f64 {
        self.base[i] + self.scale[i] * random.exponential_below((most - self.base[i]) / self.scale[i])
    }
}

fn surges(n: usize, cov: f64, tries: u32, random: &mut Random) -> Vec<f64> {
    let wildest = 0.8 + 0.02 * f64::from(tries % 60);
    let sd = random.between(0.2, wildest) * (0.5 + 1.2 * cov);
    let keep = random.between(0.85, 0.99);
    let fresh = (1.0 - keep * keep).sqrt();
    let mut level = random.normal();
    (0..n)
        .map(|_| {
            level = keep * level + fresh * random.normal();
            libm::exp(sd * level)
        })
        .collect()
}

/// What waits before each packet, and the packet's own share.
fn queue(n: usize, cov: f64, tries: u32, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    // With steps of standard deviation 1 and this drift the mean wait is about 1 / (2·drift).
    let least = 0.6 / (1.0 + 0.04 * f64::from(tries % 60)) / (0.5 + 1.2 * cov);
    let drift = random.between(least.min(0.6), 1.0);
    let own = random.between(0.3, 1.5);
    let mut waiting: f64 = 0.0;
    let mut next = || {
        waiting = (waiting + random.normal() - drift).max(0.0);
        waiting
    };
    // Some way in, where it no longer knows that it began empty.
    for _ in 0..100 {
        next();
    }
    ((0..n).map(|_| next()).collect(), vec![own; n])
}

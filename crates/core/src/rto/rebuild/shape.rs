//! The delays of one try: what is drawn once, and what the knobs make of it.
//!
//! Delay of a packet of L octets: m·(b(L) + ρ·(q − 1)), at least .4·m·b(L). b is the printed delay
//! line over its mean: the line is the conditional mean, not a floor. q is of mean 1 ([`Noise`]). The
//! packets sent again come in "spasms where one or more packets can be delayed many times the
//! typical value" (section 3.2), R = T·(1 + g·w), each with a tail; or just after a short first
//! record, while the estimate has yet to learn what long packets take.

use super::REPLIES;
use super::noise::{Drawn, Noise};
use super::random::Random;
use super::recipe::Recipe;
use crate::rto::Estimator as _;
use crate::rto::estimators::mills::{Mills, State};
use crate::rto::printed::{Lengths, Run, line_of};

/// No spasm is longer: half of "thirty seconds after transmission" (section 3.1), since delays are
/// one-way.
const LONGEST_MS: f64 = 15_000.0;

/// "uniformly distributed between zero and 256. Lengths less than 40 were rounded up to 40"
/// (section 2.1)
const LENGTHS: (u32, u32) = (40, 256);

/// A record is drawn this many times again, with another length each time but the first. If it is
/// late even so, its try misses the row.
const REDRAWS: usize = 20;

/// Places tried for spasms; the printed rows need far fewer.
const PLACINGS: usize = 2000;
/// Spasms keep this far from the beginning and the end.
const MARGIN: usize = 12;
/// At least so many records lie between two spasms.
const APART: usize = 3;

/// What a run's delays rest on.
#[derive(Debug)]
pub(super) struct Ground {
    lengths: Lengths,
    /// b(L) for every length in octets.
    line: Vec<f64>,
    /// What is to print the row.
    setting: Mills,
    noise: Noise,
    /// The run begins with a loss.
    cold: bool,
}

impl Ground {
    pub(super) fn of(run: &Run, recipe: &Recipe) -> Self {
        // A host without a line, or with one that disagrees with the run's mean, is scaled to the
        // mean all the same: only the shape of the line is taken.
        let mut line: Vec<f64> = match line_of(run) {
            Some(line) => (0..=LENGTHS.1).map(|n| line.at(n.max(LENGTHS.0))).collect(),
            None => vec![1.0; LENGTHS.1 as usize + 1],
        };
        let mean = match run.lengths {
            Lengths::Uniform => line.iter().sum::<f64>() / line.len() as f64,
            Lengths::Constant(n) => line[n.min(LENGTHS.1) as usize],
        };
        for b in &mut line {
            *b /= mean;
        }
        // Losses cheaper than any usual timeout: one before the first reply, as in the RICE-1 row.
        let cold = run.lost == 1 && 1000.0 * run.lost_s < 0.5 * run.mean_ms;
        Self { lengths: run.lengths, line, setting: recipe.as_if.setting(), noise: recipe.noise, cold }
    }

    pub(super) fn cold(&self) -> bool {
        self.cold
    }

    /// A packet's length in octets.
    pub(super) fn length(&self, random: &mut Random) -> u32 {
        match self.lengths {
            Lengths::Uniform => (random.below(LENGTHS.1 as usize + 1) as u32).max(LENGTHS.0),
            Lengths::Constant(n) => n,
        }
    }

    fn at(&self, octets: u32) -> f64 {
        self.line.get(octets as usize).copied().unwrap_or(1.0)
    }

    /// The estimator before the first record.
    pub(super) fn start(&self) -> State {
        self.setting.state(1.0)
    }
}

/// What sets a record apart.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Plain,
    /// Sent again: w, how far beyond the timeout.
    Late(f64),
    /// After a spasm: how far up to the timeout.
    Tail(f64),
}

/// What is turned until the row is met.
#[derive(Debug, Clone, Copy)]
pub(super) struct Knobs {
    /// The scale, ms.
    pub(super) m: f64,
    /// From 0 up: more ρ. From 0 down to −½: less ρ and lower tails; on to −1: a flatter line.
    pub(super) spread: f64,
    /// How far late records are beyond their timeout.
    pub(super) g: f64,
}

/// What is drawn once for a try.
#[derive(Debug)]
pub(super) struct Draw {
    octets: Vec<u32>,
    noise: Drawn,
    parts: Vec<Part>,
    /// ρ at spread 0: a noise too small to need a flatter line for its sake.
    rho: f64,
    /// Where the streams begin from which records are drawn again.
    again: u64,
}

impl Draw {
    /// The more tries were in vain, the wilder the noise.
    pub(super) fn new(run: &Run, ground: &Ground, tries: u32, random: &mut Random) -> Self {
        let octets = (0..REPLIES).map(|_| ground.length(random)).collect();
        let noise = ground.noise.draw(REPLIES, run.cov, tries, random);
        let parts = vec![Part::Plain; REPLIES];
        let mut draw = Self { octets, noise, parts, rho: 0.1 * run.cov, again: random.bits() };
        let begun = draw.begin(run, ground, random);
        draw.spasms(run.rtx as usize - begun, 1 + tries as usize / 4, ground.noise, random);
        draw
    }

    /// Whether a record is meant to be sent again.
    pub(super) fn is_late(&self, i: usize) -> bool {
        matches!(self.parts[i], Part::Late(_))
    }

    /// Sets up the first records. How many of them are late: those after a short first one, or all
    /// that are tested against the cold estimate.
    fn begin(&mut self, run: &Run, ground: &Ground, random: &mut Random) -> usize {
        let most = (run.rtx as usize).min(3);
        // Late delays no longer than a usual timeout must come before the estimate has settled.
        let usual = ground.setting.g * run.mean_ms * (1.0 + 0.5 * run.cov);
        let early = run.rtx > 0 && 1000.0 * run.rtx_s < 1.1 * usual * f64::from(run.rtx);
        let late = match (ground.cold, early) {
            (true, _) => most,
            (false, true) => 1 + random.below(most),
            (false, false) if random.unit() < 0.2 => random.below(most + 1),
            (false, false) => 0,
        };
        let uniform = ground.lengths == Lengths::Uniform;
        let first = usize::from(!ground.cold);
        for i in first..first + late {
            self.parts[i] = Part::Late(random.between(0.1, 1.0));
            if uniform {
                self.octets[i] = self.octets[i].max(LENGTHS.1 - random.below(60) as u32);
            }
        }
        if uniform && late > 0 && !ground.cold {
            self.octets[0] = LENGTHS.0;
        }
        // An ordinary first record, which sets the estimate: short before late ones, else not so
        // short that the next would be late.
        let most = if late > 0 { 0.5 } else { 1.5 };
        for _ in 0..REDRAWS {
            let long = late > 0 || ground.at(self.octets[0]) >= 1.0;
            if long && self.noise.q(0) <= most {
                break;
            }
            if late == 0 {
                self.octets[0] = ground.length(random);
            }
            self.noise.redraw(0, random);
        }
        late
    }

    /// Late records in spasms, each with a tail. A spasm begins at the calmest of so many places.
    fn spasms(&mut self, mut late: usize, places: usize, noise: Noise, random: &mut Random) {
        let (height, uneven) = (random.between(0.0, 0.9), random.unit());
        for _ in 0..PLACINGS {
            if late == 0 {
                break;
            }
            let size = (1 + random.below(noise.longest_spasm())).min(late);
            let mut at = MARGIN + random.below(REPLIES - 2 * MARGIN);
            for _ in 1..places {
                let other = MARGIN + random.below(REPLIES - 2 * MARGIN);
                if self.noise.level(other) < self.noise.level(at) {
                    at = other;
                }
            }
            if (at - APART..at + size + APART).any(|i| self.is_late(i)) {
                continue;
            }
            for (part, w) in self.parts[at..].iter_mut().zip(noise.spasm(size, uneven, random)) {
                *part = Part::Late(w);
            }
            let rate = random.between(0.4, 0.85);
            let from = height * random.unit();
            let mut up = from;
            for part in &mut self.parts[at + size..] {
                if up < 0.02 || matches!(part, Part::Late(_)) {
                    break;
                }
                *part = Part::Tail(up);
                up = noise.falls(up, from, rate);
            }
            late -= size;
        }
    }

    /// Plays the whole run. A record that would be late and must not be is drawn again, not clipped,
    /// from a stream of its own, so that a knob turned a little leaves most records as they were.
    pub(super) fn play(&self, knobs: Knobs, ground: &Ground, out: &mut Delays) {
        let rho = self.rho * (1.0 + knobs.spread.min(0.0)) + knobs.spread.max(0.0);
        let tails = (1.0 + 2.0 * knobs.spread).clamp(0.0, 1.0);
        let slope = (2.0 + 2.0 * knobs.spread).clamp(0.0, 1.0);
        let delay = |octets: u32, q: f64| {
            let b = 1.0 + slope * (ground.at(octets) - 1.0);
            knobs.m * (b + rho * (q - 1.0)).max(0.4 * b)
        };
        let (mut sum, mut squares, mut late) = (0.0, 0.0, 0.0);
        let mut estimator = ground.start();
        for i in 0..REPLIES {
            let t = estimator.timeout();
            let primes = i == 0 && !ground.cold;
            let whole = |ms: f64| {
                let up =
                    if let Part::Tail(up) = self.parts[i] { tails * up * (t - ms).max(0.0) } else { 0.0 };
                (ms + up + 0.5).floor().max(1.0)
            };
            let mut octets = self.octets[i];
            let mut r = whole(delay(octets, self.noise.q(i)));
            if let Part::Late(w) = self.parts[i] {
                // Strictly beyond it, even where that is longer than the longest.
                r = (t * (1.0 + knobs.g * w)).min(LONGEST_MS - 1.0).max(t).floor() + 1.0;
                late += r;
            } else if r > t && !primes {
                let mut random = Random::new(self.again.wrapping_add(i as u64));
                for tries in 0..REDRAWS {
                    if tries > 0 {
                        octets = ground.length(&mut random);
                    }
                    // Below the noise that meets the timeout.
                    let b = 1.0 + slope * (ground.at(octets) - 1.0);
                    let most = (t / knobs.m - b) / rho + 1.0;
                    r = whole(delay(octets, self.noise.below(i, most, &mut random)));
                    if r <= t {
                        break;
                    }
                }
            }
            if primes {
                estimator.prime(r);
            } else {
                estimator.sample(r);
            }
            (out.octets[i], out.ms[i]) = (octets, r);
            sum += r;
            squares += r * r;
        }
        let n = REPLIES as f64;
        (out.sum, out.late) = (sum, late);
        out.cov = (squares / n - (sum / n) * (sum / n)).max(0.0).sqrt() / (sum / n);
    }
}

/// The delays that come of a [`Draw`], whole ms.
#[derive(Debug)]
pub(super) struct Delays {
    pub(super) octets: Vec<u32>,
    pub(super) ms: Vec<f64>,
    pub(super) sum: f64,
    /// The sum of those sent again.
    pub(super) late: f64,
    pub(super) cov: f64,
}

impl Delays {
    pub(super) fn new() -> Self {
        Self { octets: vec![0; REPLIES], ms: vec![0.0; REPLIES], sum: 0.0, late: 0.0, cov: 0.0 }
    }
}

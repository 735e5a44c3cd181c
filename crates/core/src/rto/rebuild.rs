//! A trace rebuilt from a row RFC 889 printed.
//!
//! *Not Mills's data*: his samples were not published. This generator, version 0, meets the printed
//! mean and coefficient of variation and the number of lost packets, and follows the printed delay
//! line. It does not try to print the row's retransmissions and lost time again.
//!
//! Delay of a packet of L octets: m·(b(L) + ρ·(q − 1)), at least .4·m·b(L), where b is the delay
//! line over its mean, q an exponential variate under a slowly wandering log-normal surge, with a
//! few spasms of consecutive long delays. ρ is found by bisection for the CoV, m for the mean; if the
//! line alone varies more than the printed CoV, its slope is shrunk.

use super::printed::{Lengths, Run, line_of};
use crate::stats::moments::Moments;
use crate::trace::{Fate, Measure, Provenance, Trace, TraceBuilder};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The version of this generator, kept with every trace it makes.
pub const GENERATOR: u32 = 0;

/// The seed that is used where none is named.
pub const SEED: u64 = 66;

/// "512 echo/reply cycles" (section 3.1): replies, with the lost packets on top.
const REPLIES: usize = 512;

/// "no ICMP Reply message was received for thirty seconds" (section 3.1)
const LOSS_WAIT_MS: f64 = 30_000.0;

/// Rebuilds a run. The same run and seed give the same trace, bit for bit.
pub fn rebuild(run: &Run, seed: u64) -> Trace {
    let mut rng = Random(Pcg64Mcg::seed_from_u64(seed ^ name_hash(&run.name())));
    let octets: Vec<u32> = (0..REPLIES).map(|_| length(run.lengths, &mut rng)).collect();
    let base = base(run, &octets);
    let q = queueing(&mut rng);
    let delays = fit(run, &base, &q);
    let lost_at = loss_places(run.lost as usize, &mut rng);

    let provenance = Provenance::Rebuilt {
        section: run.section.id.to_owned(),
        run: run.id.to_owned(),
        seed,
        generator: GENERATOR,
    };
    let mut trace = TraceBuilder::new(&run.name(), provenance);
    trace.measure = Measure::OneWay;
    let mut now = 0.0;
    let mut push = |octets, fate| {
        // Rebuilt delays are finite and not negative, which is all that is asked.
        let pushed = trace.push(Some(now), Some(octets), fate);
        debug_assert!(pushed.is_ok());
        now += if let Fate::Reply(d) = fate { 2.0 * d } else { LOSS_WAIT_MS };
    };
    let mut lost_at = lost_at.into_iter().peekable();
    for (i, (&octets, &delay)) in octets.iter().zip(&delays).enumerate() {
        push(octets, Fate::Reply(delay));
        while lost_at.next_if_eq(&i).is_some() {
            push(length(run.lengths, &mut rng), Fate::Lost);
        }
    }
    trace.build()
}

fn length(lengths: Lengths, rng: &mut Random) -> u32 {
    match lengths {
        // "uniformly distributed lengths between 40 and 256": drawn from 0, raised to 40, which
        // fits the printed means of delay.
        Lengths::Uniform => ((rng.unit() * 257.0) as u32).max(40),
        Lengths::Constant(n) => n,
    }
}

/// The delay line over its mean, its slope shrunk where the printed CoV leaves no room for it.
fn base(run: &Run, octets: &[u32]) -> Vec<f64> {
    let Some(line) = line_of(run) else { return vec![1.0; octets.len()] };
    let at: Vec<f64> = octets.iter().map(|&n| line.at(n)).collect();
    let Some(m) = Moments::of(at.iter().copied()) else { return at };
    let cov = m.cov().unwrap_or(0.0);
    let most = 0.9 * run.cov;
    let shrink = if cov > most { most / cov } else { 1.0 };
    at.iter().map(|d| 1.0 + shrink * (d / m.mean - 1.0)).collect()
}

/// What queues add, with mean about 1: exponential under a surge, and spasms.
fn queueing(rng: &mut Random) -> Vec<f64> {
    let mut surge = rng.normal();
    let mut q: Vec<f64> = (0..REPLIES)
        .map(|_| {
            surge = 0.97 * surge + 0.243 * rng.normal();
            libm::exp(0.5 * surge) * rng.exponential()
        })
        .collect();
    for _ in 0..10 {
        let (at, run) = (rng.below(REPLIES), 1 + rng.below(4));
        let height = 4.0 + 6.0 * rng.unit();
        for (k, v) in q.iter_mut().skip(at).take(run).enumerate() {
            *v += height * (1.0 - k as f64 / (run as f64 + 1.0));
        }
    }
    let mean = q.iter().sum::<f64>() / REPLIES as f64;
    q.iter().map(|v| v / mean).collect()
}

/// Whole milliseconds that meet the printed mean and CoV, each taken as the middle of what its cut
/// figure stands for.
fn fit(run: &Run, base: &[f64], q: &[f64]) -> Vec<f64> {
    let (mean, cov) = (run.mean_ms + 0.5, run.cov + 0.005);
    let shape = |rho: f64| -> Vec<f64> {
        base.iter().zip(q).map(|(b, q)| (b + rho * (q - 1.0)).max(0.4 * b)).collect()
    };
    let cov_of = |v: &[f64]| Moments::of(v.iter().copied()).and_then(|m| m.cov()).unwrap_or(0.0);
    let (mut lo, mut hi) = (0.0, 8.0);
    for _ in 0..60 {
        let rho = f64::midpoint(lo, hi);
        if cov_of(&shape(rho)) < cov {
            lo = rho;
        } else {
            hi = rho;
        }
    }
    let shape = shape(lo);
    let own_mean = shape.iter().sum::<f64>() / shape.len() as f64;
    shape.iter().map(|v| (v * mean / own_mean).round().max(1.0)).collect()
}

/// After which replies the lost packets come, in ascending order; never before the first reply.
fn loss_places(lost: usize, rng: &mut Random) -> Vec<usize> {
    let mut at: Vec<usize> = (0..lost).map(|_| rng.below(REPLIES)).collect();
    at.sort_unstable();
    at
}

/// FNV-1a, so that every run has a stream of its own.
fn name_hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// Seeded variates; the same bits on every machine.
struct Random(Pcg64Mcg);

impl Random {
    /// From 0 to below 1.
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }

    /// Box and Muller 1958.
    fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::super::printed::{find, runs};
    use super::*;
    use crate::trace::Outcome;

    #[test]
    fn mean_spread_and_losses_are_the_printed_ones() {
        for run in runs() {
            let t = rebuild(run, SEED);
            let m = t.moments().unwrap();
            assert_eq!((m.n, t.count(Outcome::Lost)), (512, run.lost as usize), "{}", run.name());
            assert!((m.mean - run.mean_ms - 0.5).abs() <= 0.5, "{}: mean {}", run.name(), m.mean);
            // Whole milliseconds leave DCN5's 11 ms little choice.
            let slack = 0.005 + 0.5 / m.mean;
            assert!((m.cov().unwrap() - run.cov - 0.005).abs() <= slack, "{}: {:?}", run.name(), m.cov());
        }
    }

    #[test]
    fn same_seed_same_trace_and_another_seed_another() {
        let foe = find("rfc889/dcn1-local/FOE").unwrap();
        let delays = |seed| rebuild(foe, seed).delays().to_vec();
        assert_eq!(delays(1), delays(1));
        assert_ne!(delays(1), delays(2));
        let digest = {
            let mut d = crate::digest::NumberDigest::default();
            d.numbers(delays(SEED));
            d.finish()
        };
        assert_eq!(
            digest, "84d1-3782-2883-f996",
            "generator {GENERATOR} has changed: old links would show other numbers"
        );
    }

    #[test]
    fn longer_packets_take_longer() {
        let t = rebuild(find("rfc889/dcn1-arpanet/SCORE").unwrap(), SEED);
        let mean = |short: bool| {
            let of = (0..t.len()).filter(|&i| t.octets(i).is_some_and(|n| (n <= 125) == short));
            let v: Vec<f64> = of.map(|i| t.delays()[i]).filter(|d| *d > 0.0).collect();
            v.iter().sum::<f64>() / v.len() as f64
        };
        assert!(mean(false) > 1.5 * mean(true));
    }
}

//! Periods in unevenly spaced numbers, and how much of them is chance.
//!
//! The Lomb–Scargle periodogram (Lomb 1976, Scargle 1982): at each frequency the share of the variance
//! that one sine wave explains. Delays persist, so slow waves are strong by nature, and a test against
//! white noise would find a period in most traces. Here the same is done with surrogates: made-up
//! numbers at the same times, as persistent as the data but without any period. They follow an
//! autoregression of order one seen through white noise, whose autocorrelation w·φ^k is fitted to that
//! of the data.

use crate::rng::Random;
use crate::stats::correlation;

/// Frequencies from 1 over the span to half the mean rate, two to each that are independent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frequencies {
    /// The lowest, in cycles per unit of time.
    pub from: f64,
    pub step: f64,
    pub count: usize,
}

impl Frequencies {
    /// `None` for fewer than 8 times, or if they span nothing.
    pub fn of(times: &[f64]) -> Option<Self> {
        let n = times.len();
        let first = times.iter().copied().fold(f64::INFINITY, f64::min);
        let last = times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let span = (last - first) * n as f64 / (n as f64 - 1.0);
        if n < 8 || span.is_nan() || span <= 0.0 || span.is_infinite() {
            return None;
        }
        let step = 0.5 / span;
        Some(Self { from: 2.0 * step, step, count: n - 1 })
    }

    pub fn iter(self) -> impl Iterator<Item = f64> {
        (0..self.count).map(move |k| self.from + k as f64 * self.step)
    }
}

/// A periodogram beside those of surrogates.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    pub frequencies: Frequencies,
    /// The share of the variance a wave explains, times half the number of values: for white noise
    /// exponential with mean 1.
    pub power: Vec<f64>,
    /// The power that one in twenty surrogates exceeds anywhere: the mean of surrogates and data at
    /// each frequency, times one factor.
    pub level: Vec<f64>,
    /// Which frequency stands out most from that mean.
    pub peak: usize,
    /// The share of surrogates of which some frequency stands out as much; the data count as one.
    pub p: f64,
    pub noise: Noise,
}

/// The spectrum of numbers at the given times, against so many surrogates. `None` if there are fewer
/// than 8, they do not vary, or the times span nothing.
pub fn spectrum(times: &[f64], values: &[f64], surrogates: usize, seed: u64) -> Option<Spectrum> {
    let frequencies = Frequencies::of(times)?;
    let data = standard(values)?;
    let noise = Noise::fit(&correlation::auto(&data, LAGS.min(data.len() / 4)));
    let mut rng = Random::new(seed);
    let n = data.len();
    let made = (0..surrogates.max(1)).filter_map(|_| standard(&noise.series(n, &mut rng)));
    let all: Vec<Vec<f64>> = std::iter::once(data).chain(made).collect();
    let powers = powers(times, &all, frequencies);
    let (power, others) = powers.split_first()?;
    // Of the data as well: were they left out, a surrogate would be measured against a mean that holds
    // it and the data against one that does not, and data without a period would stand out too often.
    let mean: Vec<f64> = (0..frequencies.count)
        .map(|k| powers.iter().map(|p| p[k]).sum::<f64>() / powers.len() as f64)
        .collect();
    let ratio = |p: &[f64], k: usize| p[k] / mean[k].max(f64::MIN_POSITIVE);
    let most = |p: &[f64]| (0..p.len()).map(|k| ratio(p, k)).fold(0.0, f64::max);
    let mut chance: Vec<f64> = others.iter().map(|p| most(p)).collect();
    chance.sort_by(f64::total_cmp);
    let peak = (0..power.len()).reduce(|a, b| if ratio(power, b) > ratio(power, a) { b } else { a })?;
    let as_much = chance.len() - chance.partition_point(|c| *c < ratio(power, peak));
    let factor = chance.get((chance.len() * 19 / 20).min(chance.len() - 1)).copied()?;
    Some(Spectrum {
        frequencies,
        level: mean.iter().map(|m| m * factor).collect(),
        power: power.clone(),
        peak,
        p: (1 + as_much) as f64 / (1 + chance.len()) as f64,
        noise,
    })
}

/// How far the fit of the noise looks.
const LAGS: usize = 24;

/// Persistent noise: an autocorrelation of w·φ^k.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// The share of the variance that persists, from 0 to 1.
    pub w: f64,
    /// How much of it is left one value later.
    pub phi: f64,
}

impl Noise {
    /// The φ, to hundredths, and the w that come closest to an autocorrelation from lag 1 on.
    fn fit(auto: &[f64]) -> Self {
        let mut best = (Self { w: 0.0, phi: 0.0 }, auto.iter().map(|r| r * r).sum::<f64>());
        for hundredths in 1..100 {
            let phi = f64::from(hundredths) / 100.0;
            let powers = || {
                (0..auto.len()).scan(1.0, |p, _| {
                    *p *= phi;
                    Some(*p)
                })
            };
            let (over, under) =
                powers().zip(auto).fold((0.0, 0.0), |(over, under), (p, r)| (over + p * r, under + p * p));
            let w = if under > 0.0 { (over / under).clamp(0.0, 1.0) } else { 0.0 };
            let off = powers().zip(auto).map(|(p, r)| (r - w * p) * (r - w * p)).sum::<f64>();
            if off < best.1 {
                best = (Self { w, phi }, off);
            }
        }
        best.0
    }

    fn series(self, n: usize, rng: &mut Random) -> Vec<f64> {
        let Self { w, phi } = self;
        let (kept, fresh) = (w.sqrt(), (1.0 - w).sqrt());
        let step = (1.0 - phi * phi).sqrt();
        let mut state = rng.normal();
        (0..n)
            .map(|_| {
                let value = kept * state + fresh * rng.normal();
                state = phi * state + step * rng.normal();
                value
            })
            .collect()
    }
}

/// With mean 0 and variance 1. `None` if they do not vary.
fn standard(values: &[f64]) -> Option<Vec<f64>> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
    let sd = variance.sqrt();
    (sd > 0.0 && sd.is_finite()).then(|| values.iter().map(|v| (v - mean) / sd).collect())
}

/// The periodograms of several series at the same times, each with mean 0 and variance 1.
#[inline(never)]
fn powers(times: &[f64], series: &[Vec<f64>], frequencies: Frequencies) -> Vec<Vec<f64>> {
    let first = times.iter().copied().fold(f64::INFINITY, f64::min);
    let turn = |f: f64| -> Vec<(f64, f64)> {
        let angle = |t: &f64| std::f64::consts::TAU * f * (t - first);
        times.iter().map(|t| (libm::cos(angle(t)), libm::sin(angle(t)))).collect()
    };
    // Cosines and sines of one frequency after the other, each from the last by one turn.
    let (mut at, by) = (turn(frequencies.from), turn(frequencies.step));
    let mut powers = vec![Vec::with_capacity(frequencies.count); series.len()];
    for _ in 0..frequencies.count {
        let sum = |f: fn(&(f64, f64)) -> f64| at.iter().map(f).sum::<f64>();
        let (cc, ss, cs) = (sum(|a| a.0 * a.0), sum(|a| a.1 * a.1), sum(|a| a.0 * a.1));
        let det = cc * ss - cs * cs;
        for (values, power) in series.iter().zip(&mut powers) {
            let (mut c, mut s) = (0.0, 0.0);
            for (v, a) in values.iter().zip(&at) {
                c += v * a.0;
                s += v * a.1;
            }
            // Of even times, half the mean rate has cosines alone.
            let explained = if det > 1e-9 * cc * cc.max(ss) {
                (ss * c * c - 2.0 * cs * c * s + cc * s * s) / det
            } else {
                c * c / cc.max(f64::MIN_POSITIVE)
            };
            power.push(0.5 * explained);
        }
        for (a, b) in at.iter_mut().zip(&by) {
            *a = (a.0 * b.0 - a.1 * b.1, a.1 * b.0 + a.0 * b.1);
        }
    }
    powers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uneven times about one unit apart.
    fn times(n: usize, rng: &mut Random) -> Vec<f64> {
        (0..n)
            .scan(0.0, |t, _| {
                *t += rng.unit() * 2.0;
                Some(*t)
            })
            .collect()
    }

    /// Scargle's equation 10, with its offset τ.
    fn literal(times: &[f64], v: &[f64], f: f64) -> f64 {
        let w = std::f64::consts::TAU * f;
        let sum = |g: &dyn Fn(usize) -> f64| (0..v.len()).map(g).sum::<f64>();
        let (sin2, cos2) = (sum(&|i| libm::sin(2.0 * w * times[i])), sum(&|i| libm::cos(2.0 * w * times[i])));
        let tau = libm::atan2(sin2, cos2) / (2.0 * w);
        let c = |i: usize| libm::cos(w * (times[i] - tau));
        let s = |i: usize| libm::sin(w * (times[i] - tau));
        let part = |g: &dyn Fn(usize) -> f64| {
            let over = sum(&|i| v[i] * g(i));
            over * over / sum(&|i| g(i) * g(i))
        };
        0.5 * (part(&c) + part(&s))
    }

    #[test]
    fn the_periodogram_is_scargles() {
        let mut rng = Random::new(7);
        let times = times(60, &mut rng);
        let v = standard(&(0..60).map(|_| rng.normal()).collect::<Vec<_>>()).unwrap();
        let frequencies = Frequencies::of(&times).unwrap();
        let ours = powers(&times, std::slice::from_ref(&v), frequencies).remove(0);
        for (f, p) in frequencies.iter().zip(ours) {
            let other = literal(&times, &v, f);
            assert!((p - other).abs() < 1e-6 * (1.0 + other), "{f}: {p} {other}");
        }
    }

    #[test]
    fn a_wave_in_noise_is_found() {
        let mut rng = Random::new(3);
        let times = times(400, &mut rng);
        let wave = |t: &f64| libm::sin(std::f64::consts::TAU * t / 17.0) + rng.normal();
        let values: Vec<f64> = times.iter().map(wave).collect();
        let s = spectrum(&times, &values, 99, 1).unwrap();
        let period = 1.0 / s.frequencies.iter().nth(s.peak).unwrap();
        assert!((period - 17.0).abs() < 0.5, "{period}");
        assert!(s.p <= 0.01 && s.power[s.peak] > s.level[s.peak], "{}", s.p);
    }

    /// What persists is not taken for a period: in about one of twenty, as it should be.
    #[test]
    fn persistent_noise_rarely_has_a_period() {
        for (w, phi) in [(0.0, 0.0), (1.0, 0.7), (0.4, 0.95)] {
            let mut rng = Random::new(11);
            let fired = (0..60)
                .filter(|_| {
                    let times = times(128, &mut rng);
                    let values = Noise { w, phi }.series(128, &mut rng);
                    spectrum(&times, &values, 39, 5).unwrap().p <= 0.05
                })
                .count();
            assert!(fired <= 9, "{w} {phi}: {fired} of 60");
        }
    }

    #[test]
    fn noise_is_recognised() {
        let mut rng = Random::new(4);
        for (w, phi) in [(1.0, 0.8), (0.5, 0.95)] {
            let series = Noise { w, phi }.series(20_000, &mut rng);
            let fitted = Noise::fit(&correlation::auto(&series, LAGS));
            assert!((fitted.w - w).abs() < 0.06 && (fitted.phi - phi).abs() < 0.03, "{fitted:?}");
        }
        assert_eq!(Noise::fit(&[-0.3, 0.1]), Noise { w: 0.0, phi: 0.0 });
    }

    #[test]
    fn what_has_no_spectrum_says_so() {
        let t: Vec<f64> = (0..20).map(f64::from).collect();
        assert_eq!(spectrum(&t, &[3.0; 20], 9, 1), None);
        assert_eq!(spectrum(&[0.0; 20], &t, 9, 1), None);
        assert_eq!(spectrum(&t[..7], &t[..7], 9, 1), None);
        // Even times: the last frequency is half the rate.
        let v: Vec<f64> = (0..20).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let s = spectrum(&t, &v, 9, 1).unwrap();
        assert_eq!(s.peak, s.frequencies.count - 1);
        assert!(s.power.iter().chain(&s.level).all(|p| p.is_finite()));
    }
}

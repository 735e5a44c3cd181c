//! How two series go together, and one with itself.

/// Pearson's correlation; `None` if a series does not vary.
pub fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    let n = a.len().min(b.len());
    let (a, b) = (centred(&a[..n]), centred(&b[..n]));
    let (aa, bb) = (dot(&a, &a), dot(&b, &b));
    (aa > 0.0 && bb > 0.0).then(|| (dot(&a, &b) / (aa * bb).sqrt()).clamp(-1.0, 1.0))
}

/// A correlation and how often one as strong comes about by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chance {
    pub r: f64,
    /// The share of the ways to shift one series against the other, round its end to its beginning,
    /// that gives a correlation as strong, in either direction. Shifts keep each series' own
    /// persistence, which would make a test for independent numbers fire falsely.
    pub p: f64,
}

/// As many shifts as are tried.
const SHIFTS: usize = 199;

/// `None` if a series does not vary.
pub fn by_shifts(a: &[f64], b: &[f64]) -> Option<Chance> {
    let n = a.len().min(b.len());
    let r = pearson(a, b)?;
    let (a, b) = (centred(&a[..n]), centred(&b[..n]));
    let scale = (dot(&a, &a) * dot(&b, &b)).sqrt();
    let tried = SHIFTS.min(n - 1);
    // Shifts as far apart as can be, none of them zero.
    let as_strong = (1..=tried)
        .filter(|k| {
            let (end, start) = b.split_at(k * n / (tried + 1));
            let shifted = dot(&a[..start.len()], start) + dot(&a[start.len()..], end);
            (shifted / scale).abs() >= r.abs() * (1.0 - 1e-12)
        })
        .count();
    Some(Chance { r, p: (1 + as_strong) as f64 / (1 + tried) as f64 })
}

/// The correlation of a series with itself 1, 2, … `lags` entries later, by the whole series' mean and
/// spread. Empty if it does not vary.
pub fn auto(values: &[f64], lags: usize) -> Vec<f64> {
    let v = centred(values);
    let whole = dot(&v, &v);
    if whole <= 0.0 {
        return Vec::new();
    }
    (1..=lags.min(v.len().saturating_sub(1))).map(|k| dot(&v[k..], &v[..v.len() - k]) / whole).collect()
}

fn centred(v: &[f64]) -> Vec<f64> {
    let mean = v.iter().sum::<f64>() / v.len().max(1) as f64;
    v.iter().map(|x| x - mean).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Random;

    #[test]
    fn small_cases() {
        assert_eq!(pearson(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]), Some(1.0));
        assert_eq!(pearson(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), Some(-1.0));
        assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(pearson(&[], &[]), None);
        // -1, 1, -1, 1: three products of -1 over four of 1, then two of 1.
        assert_eq!(auto(&[0.0, 2.0, 0.0, 2.0], 2), [-0.75, 0.5]);
        assert_eq!(auto(&[5.0; 4], 2), [0.0; 0]);
        assert_eq!(auto(&[], 2), [0.0; 0]);
    }

    #[test]
    fn what_goes_together_is_rarely_chance() {
        let mut rng = Random::new(1);
        let a: Vec<f64> = (0..400).map(|_| rng.normal()).collect();
        let noise: Vec<f64> = a.iter().map(|v| v + rng.normal()).collect();
        let c = by_shifts(&a, &noise).unwrap();
        assert!(c.r > 0.6 && c.p < 0.02, "{c:?}");
        assert_eq!(by_shifts(&[1.0], &[1.0]), None);
    }

    /// Two series that wander by themselves often seem to go together; shifts know that.
    #[test]
    fn persistence_is_not_taken_for_a_tie() {
        let mut rng = Random::new(2);
        let mut wander = || -> Vec<f64> {
            let mut v = 0.0;
            (0..512)
                .map(|_| {
                    v = 0.95 * v + rng.normal();
                    v
                })
                .collect()
        };
        let fired = (0..200).filter(|_| by_shifts(&wander(), &wander()).is_some_and(|c| c.p <= 0.05)).count();
        // 5 % of 200 is 10, give or take 3.
        assert!(fired <= 22, "{fired}");
    }
}

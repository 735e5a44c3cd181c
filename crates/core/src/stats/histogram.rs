//! Counts over bins of one width.

use super::quantile::of_sorted;

/// `counts[i]` numbers lie in `[start + i·width, start + (i + 1)·width)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    pub start: f64,
    pub width: f64,
    pub counts: Vec<u64>,
    /// Numbers above the last bin: counted, not drawn into it.
    pub above: u64,
}

impl Histogram {
    /// Counts numbers from 0 up to `top` in bins of a round width (1, 2 or 5 times a power of
    /// ten), at most `bins` of them.
    pub fn from_zero(values: impl Iterator<Item = f64>, top: f64, bins: usize) -> Self {
        let width = round_up(top.max(f64::MIN_POSITIVE) / bins.max(1) as f64);
        // Twenty 0.1 wide reach 2.0, whatever 2.0 / 0.1 rounds to.
        let n = ((top / width - 1e-9).ceil() as usize).clamp(1, bins.max(1));
        let mut h = Self { start: 0.0, width, counts: vec![0; n], above: 0 };
        for v in values {
            match h.counts.get_mut((v / width) as usize) {
                Some(c) => *c += 1,
                None => h.above += 1,
            }
        }
        h
    }

    /// Bins over the bulk of the numbers: from the least up to the 0.995-quantile, their width that of
    /// Freedman and Diaconis (1981), 2·IQR / ∛n, made round, and no less than [`step`] of the numbers. At
    /// most a hundred or so. Edges lie half a step beside what can occur. `None` for no numbers, or where one is
    /// not finite.
    pub fn around(values: &[f64]) -> Option<Self> {
        const MOST: f64 = 60.0;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let (&least, &most) = (sorted.first()?, sorted.last()?);
        if !(least.is_finite() && most.is_finite()) {
            return None;
        }
        let at = |p| of_sorted(&sorted, p).unwrap_or(least);
        let (top, iqr) = (at(0.995), at(0.75) - at(0.25));
        let step = step(values);
        let width = (2.0 * iqr / libm::cbrt(values.len() as f64)).max((top - least) / MOST).max(step);
        let width = round(width);
        let start = (least / width).floor() * width - step / 2.0;
        let start = if start + width <= least { start + width } else { start };
        let bins = (((top - start) / width).floor() as usize + 1).min(2 * MOST as usize);
        let mut h = Self { start, width, counts: vec![0; bins], above: 0 };
        for v in sorted {
            match h.counts.get_mut(((v - start) / width) as usize) {
                Some(c) => *c += 1,
                None => h.above += 1,
            }
        }
        Some(h)
    }

    /// Bin edges, one more than there are bins.
    pub fn edges(&self) -> impl Iterator<Item = f64> + '_ {
        (0..=self.counts.len()).map(|i| self.start + i as f64 * self.width)
    }
}

/// The step in which numbers were written down: 1, 0.1, 0.01 or 0.001 if all are multiples of it, else 0.
pub fn step(values: &[f64]) -> f64 {
    for (step, times) in [(1.0, 1.0), (0.1, 10.0), (0.01, 100.0), (0.001, 1000.0)] {
        if values
            .iter()
            .all(|v| (v * times - (v * times).round()).abs() <= 1e-9 * (v * times).abs().max(1e-3))
        {
            return step;
        }
    }
    0.0
}

/// The least of 1, 2 and 5 times a power of ten that is not below `value`.
pub fn round_up(value: f64) -> f64 {
    if !value.is_finite() || value <= 0.0 {
        return 1.0;
    }
    let power = libm::pow(10.0, libm::log10(value).floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|v| *v >= value * (1.0 - 1e-12))
        .unwrap_or(value)
}

/// The nearest by ratio of 1, 2 and 5 times a power of ten.
fn round(value: f64) -> f64 {
    let up = round_up(value);
    let down = [2.0, 2.5].into_iter().map(|by| up / by).find(|v| *v <= value && round_up(*v) < up);
    down.filter(|down| value * value <= up * down).unwrap_or(up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bins_have_round_widths() {
        for (value, up) in [(0.17, 0.2), (0.2, 0.2), (3.0, 5.0), (60.0, 100.0), (1e-7, 1e-7)] {
            assert!((round_up(value) - up).abs() < 1e-12 * up, "{value}: {}", round_up(value));
        }
        for (value, near) in
            [(1.4, 1.0), (1.5, 2.0), (3.1, 2.0), (3.2, 5.0), (7.0, 5.0), (7.1, 10.0), (0.2, 0.2)]
        {
            assert!((round(value) - near).abs() < 1e-12 * near, "{value}: {}", round(value));
        }
        let h = Histogram::from_zero([0.0, 0.1, 0.19, 6.9, 7.0, 99.0].into_iter(), 7.0, 35);
        assert_eq!((h.width, h.counts.len(), h.counts[0], h.counts[34], h.above), (0.2, 35, 3, 1, 2));
    }

    #[test]
    fn bins_stand_around_what_can_occur() {
        let h = Histogram::around(&[8.0, 9.0, 9.0, 10.0, 10.0, 10.0, 11.0, 12.0]).unwrap();
        assert_eq!((h.start, h.width, &h.counts[..], h.above), (7.5, 1.0, &[1, 2, 3, 1, 1][..], 0));
        assert_eq!(step(&[0.3, 0.7, 12.1]), 0.1);
        assert_eq!(step(&[std::f64::consts::PI]), 0.0);
        assert_eq!(Histogram::around(&[4.0]).unwrap().counts, [1]);
        assert_eq!(Histogram::around(&[f64::NAN]), None);
    }

    proptest! {
        #[test]
        fn bins_hold_all_but_the_greatest(v in prop::collection::vec(prop_oneof![0.0..1e4_f64, (0..100_u32).prop_map(f64::from)], 1..300)) {
            let h = Histogram::around(&v).unwrap();
            let least = v.iter().copied().fold(f64::INFINITY, f64::min);
            prop_assert!(h.start <= least && least < h.start + h.width, "{h:?}");
            prop_assert_eq!(h.counts.iter().sum::<u64>() + h.above, v.len() as u64);
            prop_assert!(h.above <= 1 + v.len() as u64 / 100 && h.counts.len() <= 121);
        }

        #[test]
        fn every_number_is_counted_once(v in prop::collection::vec(0.0..1e9_f64, 0..200), top in 1e-9..1e9_f64) {
            let n = v.len() as u64;
            let h = Histogram::from_zero(v.into_iter(), top, 40);
            prop_assert!(h.counts.len() <= 40);
            prop_assert_eq!(h.counts.iter().sum::<u64>() + h.above, n);
        }
    }
}

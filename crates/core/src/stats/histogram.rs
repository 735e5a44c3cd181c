//! Counts over bins of one width.

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

    /// Bin edges, one more than there are bins.
    pub fn edges(&self) -> impl Iterator<Item = f64> + '_ {
        (0..=self.counts.len()).map(|i| self.start + i as f64 * self.width)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bins_have_round_widths() {
        for (value, up) in [(0.17, 0.2), (0.2, 0.2), (3.0, 5.0), (60.0, 100.0), (1e-7, 1e-7)] {
            assert!((round_up(value) - up).abs() < 1e-12 * up, "{value}: {}", round_up(value));
        }
        let h = Histogram::from_zero([0.0, 0.1, 0.19, 6.9, 7.0, 99.0].into_iter(), 7.0, 35);
        assert_eq!((h.width, h.counts.len(), h.counts[0], h.counts[34], h.above), (0.2, 35, 3, 1, 2));
    }

    proptest! {
        #[test]
        fn every_number_is_counted_once(v in prop::collection::vec(0.0..1e9_f64, 0..200), top in 1e-9..1e9_f64) {
            let n = v.len() as u64;
            let h = Histogram::from_zero(v.into_iter(), top, 40);
            prop_assert!(h.counts.len() <= 40);
            prop_assert_eq!(h.counts.iter().sum::<u64>() + h.above, n);
        }
    }
}

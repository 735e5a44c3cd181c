//! A rate and how far it may be off.

/// The point of the standard normal law that 2.5 % lie above.
const Z: f64 = 1.959_963_984_540_054;

/// A rate with its 95 % interval, all from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proportion {
    pub rate: f64,
    pub low: f64,
    pub high: f64,
}

impl Proportion {
    /// `count` of `n`, with Wilson's interval (1927): the rates p for which the count lies within 1.96
    /// standard deviations √(p(1-p)n) of pn. It is never empty, not even for a count of 0 or n. `None`
    /// for n = 0.
    pub fn of(count: u64, n: u64) -> Option<Self> {
        if n == 0 {
            return None;
        }
        let (count, n) = (count.min(n) as f64, n as f64);
        let rate = count / n;
        let zz = Z * Z;
        let middle = (count + zz / 2.0) / (n + zz);
        let half = Z / (n + zz) * (count * (n - count) / n + zz / 4.0).sqrt();
        // At the ends the interval reaches them, but for rounding.
        let low = if count == 0.0 { 0.0 } else { (middle - half).max(0.0) };
        let high = if count == n { 1.0 } else { (middle + half).min(1.0) };
        Some(Self { rate, low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cases_from_the_equation() {
        assert_eq!(Proportion::of(0, 0), None);
        let check = |count, n, low: f64, high: f64| {
            let p = Proportion::of(count, n).unwrap();
            assert!((p.low - low).abs() < 5e-5 && (p.high - high).abs() < 5e-5, "{count} of {n}: {p:?}");
        };
        // Newcombe 1998, table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        check(81, 263, 0.2553, 0.3662);
        check(15, 148, 0.0624, 0.1605);
        check(0, 20, 0.0, 0.1611);
        check(1, 29, 0.0061, 0.1718);
        check(20, 20, 0.8389, 1.0);
    }

    proptest! {
        #[test]
        fn both_ends_are_1_96_deviations_away(n in 1_u64..10_000, of in 0.0..=1.0_f64) {
            let count = (of * n as f64) as u64;
            let p = Proportion::of(count, n).unwrap();
            prop_assert!(0.0 <= p.low && p.low <= p.rate && p.rate <= p.high && p.high <= 1.0);
            for end in [p.low, p.high] {
                if end > 0.0 && end < 1.0 {
                    let z = (p.rate - end).abs() / (end * (1.0 - end) / n as f64).sqrt();
                    prop_assert!((z - 1.96).abs() < 1e-3, "{z}");
                }
            }
        }
    }
}

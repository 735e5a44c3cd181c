//! Quantiles by linear interpolation between order statistics (Hyndman and Fan's type 7).

/// The `p`-quantile of numbers in any order; `None` for no numbers. `p` is from 0 to 1.
pub fn of(values: impl Iterator<Item = f64>, p: f64) -> Option<f64> {
    let mut v: Vec<f64> = values.collect();
    let last = v.len().checked_sub(1)?;
    let at = p.clamp(0.0, 1.0) * last as f64;
    let (_, below, rest) = v.select_nth_unstable_by(at as usize, f64::total_cmp);
    let below = *below;
    let above = rest.iter().copied().min_by(f64::total_cmp).unwrap_or(below);
    Some(below + (above - below) * at.fract())
}

/// The same of numbers in ascending order.
pub fn of_sorted(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = p.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (sorted[at as usize], sorted[(at as usize + 1).min(last)]);
    Some(below + (above - below) * at.fract())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_cases() {
        assert_eq!(of(std::iter::empty(), 0.5), None);
        assert_eq!(of([3.0, 1.0, 2.0, 4.0].into_iter(), 0.5), Some(2.5));
        assert_eq!(of([3.0, 1.0, 2.0, 4.0].into_iter(), 0.25), Some(1.75));
    }

    proptest! {
        #[test]
        fn lies_between_least_and_greatest(v in prop::collection::vec(0.0..1e6_f64, 1..50), p in 0.0..=1.0_f64) {
            let mut sorted = v.clone();
            sorted.sort_by(f64::total_cmp);
            let q = of(v.into_iter(), p).unwrap();
            prop_assert_eq!(of_sorted(&sorted, p), Some(q));
            prop_assert!(sorted[0] <= q && q <= sorted[sorted.len() - 1]);
            let at = p * (sorted.len() - 1) as f64;
            prop_assert!(sorted[at.floor() as usize] <= q && q <= sorted[at.ceil() as usize]);
        }
    }
}

//! The Pareto front of two costs: what nothing beats on both.

/// Indices of the points that no other beats: none is as good in both costs and better in one. By
/// `a`, then by `b`; points alike are all on the front. A point with a cost that is not a number is
/// not.
pub fn front(a: &[f64], b: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> =
        (0..a.len().min(b.len())).filter(|&i| !a[i].is_nan() && !b[i].is_nan()).collect();
    order.sort_by(|&i, &j| a[i].total_cmp(&a[j]).then(b[i].total_cmp(&b[j])).then(i.cmp(&j)));
    // The least b of those before, and whose a and b that were.
    let mut best: Option<(f64, f64)> = None;
    order.retain(|&i| match best {
        Some((x, y)) if b[i] > y || (b[i] == y && a[i] > x) => false,
        _ => {
            best = Some((a[i], b[i]));
            true
        }
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_cases() {
        assert_eq!(front(&[], &[]), [0_usize; 0]);
        assert_eq!(front(&[1.0, 2.0, 3.0], &[3.0, 4.0, 1.0]), [0, 2]);
        // Alike, and one that is worse in a alone.
        assert_eq!(front(&[1.0, 1.0, 2.0], &[1.0, 1.0, 1.0]), [0, 1]);
        assert_eq!(front(&[f64::NAN, 1.0], &[0.0, 1.0]), [1]);
    }

    proptest! {
        #[test]
        fn nothing_beats_the_front(points in prop::collection::vec((0_u8..12, 0_u8..12), 0..60)) {
            let (a, b): (Vec<f64>, Vec<f64>) = points.iter().map(|p| (f64::from(p.0), f64::from(p.1))).unzip();
            let beats = |i: usize, j: usize| a[i] <= a[j] && b[i] <= b[j] && (a[i] < a[j] || b[i] < b[j]);
            let mut slow: Vec<usize> = (0..a.len()).filter(|&j| !(0..a.len()).any(|i| beats(i, j))).collect();
            let mut fast = front(&a, &b);
            prop_assert!(fast.windows(2).all(|w| a[w[0]] <= a[w[1]]));
            slow.sort_unstable();
            fast.sort_unstable();
            prop_assert_eq!(slow, fast);
        }
    }
}

//! The standard normal law, and numbers brought to it by their ranks.

/// The number below which a share `p` of the law lies; infinite for 0 and 1, NaN outside.
///
/// Starts from Abramowitz and Stegun's rational approximation (26.2.23, off by at most 4.5e-4) and
/// takes two steps of Newton's method.
pub fn quantile(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    let tail = p.min(1.0 - p);
    if tail == 0.0 {
        return if p == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if tail == 0.5 {
        return 0.0;
    }
    let t = (-2.0 * libm::log(tail)).sqrt();
    let over = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let under = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut x = t - over / under;
    for _ in 0..2 {
        // The share above x is erfc(x/√2)/2, its derivative minus the density.
        let above = 0.5 * libm::erfc(x / std::f64::consts::SQRT_2);
        let density = libm::exp(-0.5 * x * x) / (std::f64::consts::TAU).sqrt();
        x += (above - tail) / density;
    }
    if p < 0.5 { -x } else { x }
}

/// Each number replaced by where its rank would lie in the standard normal law, (rank − 3/8)/(n + 1/4)
/// (Blom 1958). Equal numbers share the mean of their ranks. What is left is order: a few huge values
/// weigh no more than others.
pub fn scores(values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
    let mut scores = vec![0.0; n];
    let mut rank = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = f64::midpoint((rank + 1) as f64, (rank + equal.len()) as f64);
        let score = quantile((mean - 0.375) / (n as f64 + 0.25));
        for &i in equal {
            scores[i] = score;
        }
        rank += equal.len();
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tabled_quantiles() {
        // Abramowitz and Stegun, tables 26.5 and 26.6.
        for (p, x) in [
            (0.5, 0.0),
            (0.75, 0.674_489_750_196_08),
            (0.975, 1.959_963_984_540_05),
            (0.999, 3.090_232_306_167_8),
            (1e-9, -5.997_807_015),
        ] {
            assert!((quantile(p) - x).abs() < 1e-9, "{p}: {}", quantile(p));
        }
        assert_eq!((quantile(0.0), quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(quantile(-0.1).is_nan() && quantile(f64::NAN).is_nan());
    }

    #[test]
    fn scores_follow_ranks_alone() {
        assert_eq!(scores(&[]), [0.0; 0]);
        assert_eq!(scores(&[7.0, 7.0, 7.0]), [0.0; 3]);
        assert_eq!(scores(&[1.0, 2.0, 3.0]), scores(&[-5.0, 0.0, 1e9]));
        let tied = scores(&[2.0, 1.0, 2.0, 3.0]);
        assert!(tied[0] == tied[2] && tied[1] < tied[0] && tied[0] < tied[3]);
    }

    proptest! {
        #[test]
        fn the_quantile_undoes_the_law(x in -6.0..6.0_f64) {
            let p = 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
            prop_assert!((quantile(p) - x).abs() < 1e-6 * (1.0 + x * x), "{}", quantile(p));
        }
    }
}

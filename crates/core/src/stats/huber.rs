//! Huber's line: least squares near the line, least absolute deviations far from it.
//!
//! It solves Σ ψ(r/s)·(1, x) = 0 with ψ(u) = u up to k and ±k beyond, by least squares with weights
//! k·s/|r| (Huber 1964; Holland and Welsch 1977). The scale s is the median of |r| over 0.6745, taken
//! anew in every step, so that s is the standard deviation where errors are normal.

use super::regression::Sums;

/// 95 % as efficient as least squares where errors are normal.
pub const K: f64 = 1.345;

/// Steps after which the line is taken as it is.
const STEPS: usize = 100;

/// A fitted line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Huber {
    pub slope: f64,
    pub intercept: f64,
    /// Standard error of the slope (Huber 1981, equation 6.5 of chapter 7). `None` where no point is
    /// left over, or half of all points lie on the line.
    pub slope_se: Option<f64>,
    /// Points less two.
    pub freedom: usize,
}

/// The line; `None` without two different x, or where numbers overflow.
pub fn fit(x: &[f64], y: &[f64]) -> Option<Huber> {
    let first = Sums::of(x, y).line()?;
    let n = x.len().min(y.len());
    let mut line = (first.slope, first.intercept);
    let residuals =
        |line: (f64, f64)| -> Vec<f64> { x.iter().zip(y).map(|(x, y)| y - line.1 - line.0 * x).collect() };
    let mut r = residuals(line);
    let mut s = scale(&r);
    for _ in 0..STEPS {
        if s <= 0.0 {
            break;
        }
        let Some(next) = weighted(x, y, &r, K * s) else { break };
        r = residuals(next);
        s = scale(&r);
        let span = first.sxx.sqrt();
        let moved =
            (next.0 - line.0).abs() * span + (next.1 - line.1 + (next.0 - line.0) * first.x_mean).abs();
        line = next;
        if moved <= 1e-10 * s {
            break;
        }
    }
    let freedom = n.saturating_sub(2);
    let slope_se = (freedom > 0 && s > 0.0).then(|| standard_error(&r, s, n as f64, first.sxx));
    (line.0.is_finite() && line.1.is_finite()).then_some(Huber {
        slope: line.0,
        intercept: line.1,
        slope_se,
        freedom,
    })
}

fn scale(r: &[f64]) -> f64 {
    const NORMAL_QUARTILE: f64 = 0.674_489_750_196_081_7;
    let mut size: Vec<f64> = r.iter().map(|r| r.abs()).collect();
    let n = size.len();
    if n == 0 {
        return 0.0;
    }
    let hi = *size.select_nth_unstable_by(n / 2, f64::total_cmp).1;
    let lo = *size.select_nth_unstable_by((n - 1) / 2, f64::total_cmp).1;
    f64::midpoint(lo, hi) / NORMAL_QUARTILE
}

/// One least-squares step. Residuals up to `bound` weigh 1.
fn weighted(x: &[f64], y: &[f64], r: &[f64], bound: f64) -> Option<(f64, f64)> {
    let weight = |r: f64| if r.abs() <= bound { 1.0 } else { bound / r.abs() };
    let (mut w_sum, mut wx, mut wy) = (0.0, 0.0, 0.0);
    for ((x, y), r) in x.iter().zip(y).zip(r) {
        let w = weight(*r);
        w_sum += w;
        wx += w * x;
        wy += w * y;
    }
    let (x_mean, y_mean) = (wx / w_sum, wy / w_sum);
    let (mut sxx, mut sxy) = (0.0, 0.0);
    for ((x, y), r) in x.iter().zip(y).zip(r) {
        let w = weight(*r);
        sxx += w * (x - x_mean) * (x - x_mean);
        sxy += w * (x - x_mean) * (y - y_mean);
    }
    let slope = sxy / sxx;
    slope.is_finite().then_some((slope, y_mean - slope * x_mean))
}

/// K² · (Σψ² s² / (n − p)) / (mean ψ′)² / Sxx, with K = 1 + (p/n)·var(ψ′)/(mean ψ′)² and p = 2.
fn standard_error(r: &[f64], s: f64, n: f64, sxx: f64) -> f64 {
    let bound = K * s;
    let inside = r.iter().filter(|r| r.abs() <= bound).count() as f64 / n;
    let squares: f64 = r.iter().map(|r| r.clamp(-bound, bound)).map(|v| v * v).sum();
    let k = 1.0 + 2.0 / n * (1.0 - inside) / inside;
    k * (squares / (n - 2.0)).sqrt() / inside / sxx.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Belgian telephone calls 1950–73 in millions, six years of them minutes by mistake (Rousseeuw and
    /// Leroy 1987, table 2). Venables and Ripley 2002, section 6.5, print the fit.
    #[test]
    fn the_telephone_data_give_the_printed_line() {
        let calls = [
            4.4, 4.7, 4.7, 5.9, 6.6, 7.3, 8.1, 8.8, 10.6, 12.0, 13.5, 14.9, 16.1, 21.2, 119.0, 124.0, 142.0,
            159.0, 182.0, 212.0, 43.0, 24.0, 27.0, 29.0,
        ];
        let years: Vec<f64> = (50..74).map(f64::from).collect();
        let line = fit(&years, &calls).unwrap();
        let near = |got: f64, printed: f64, to: f64| assert!((got - printed).abs() <= to, "{got} {printed}");
        // They stopped at a change of 10⁻⁴ and print a standard error of 26.61.
        near(line.intercept, -102.62, 0.1);
        near(line.slope, 2.04, 0.005);
        near(line.slope_se.unwrap(), 0.43, 0.005);
        // What the line solves, to the last digits.
        let r: Vec<f64> =
            years.iter().zip(&calls).map(|(x, y)| y - line.intercept - line.slope * x).collect();
        let bound = K * scale(&r);
        let psi = |r: &f64| r.clamp(-bound, bound);
        assert!(r.iter().map(psi).sum::<f64>().abs() < 1e-6);
        assert!(r.iter().zip(&years).map(|(r, x)| psi(r) * x).sum::<f64>().abs() < 1e-4);
    }

    #[test]
    fn points_on_a_line_and_too_few_of_them() {
        let on = fit(&[1.0, 2.0, 3.0, 4.0], &[3.0, 5.0, 7.0, 9.0]).unwrap();
        assert!((on.slope - 2.0).abs() < 1e-12 && (on.intercept - 1.0).abs() < 1e-12);
        assert_eq!(fit(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(fit(&[1.0, 2.0], &[1.0, 2.0]).unwrap().slope_se, None);
    }

    proptest! {
        /// Far points pull, but no further for being further.
        #[test]
        fn a_spasm_is_held_by_its_sign(far in 1e4..1e9_f64, at in 0_usize..40) {
            let x: Vec<f64> = (0..40).map(f64::from).collect();
            let near: Vec<f64> = x.iter().map(|x| 3.0 + 2.0 * x + libm::sin(7.0 * x)).collect();
            let with = |height: f64| {
                let mut y = near.clone();
                y[at] += height;
                fit(&x, &y).unwrap()
            };
            let (a, b) = (with(1e4), with(far));
            prop_assert!((a.slope - b.slope).abs() < 1e-6 && (a.slope - 2.0).abs() < 0.1);
        }
    }
}

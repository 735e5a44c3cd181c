//! Distribution functions: normal, Student's t, chi-square, gamma.
//!
//! The incomplete gamma and beta functions are summed as a series or as a continued fraction (modified
//! Lentz), whichever converges: *Digital Library of Mathematical Functions*, 8.7.1, 8.9.2 and 8.17.22.

/// Steps after which a sum or fraction is taken as it is. None that is asked for here needs as many,
/// but for gammas of a shape above some 10 000.
const STEPS: usize = 1000;

/// Standard normal: how much lies below `z`.
pub fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// The regularised lower incomplete gamma function P(a, x): how much of a gamma law of shape `a` and
/// scale 1 lies below `x`. NaN unless `a` is above 0.
pub fn gamma(a: f64, x: f64) -> f64 {
    if a.is_nan() || a <= 0.0 || x.is_nan() {
        return f64::NAN;
    }
    if x <= 0.0 {
        return 0.0;
    }
    if x < a + 1.0 { gamma_series(a, x) } else { 1.0 - gamma_fraction(a, x) }
}

/// The part above: 1 − P, without loss of digits where it is small.
pub fn gamma_above(a: f64, x: f64) -> f64 {
    if a.is_nan() || a <= 0.0 || x.is_nan() {
        return f64::NAN;
    }
    if x <= 0.0 {
        return 1.0;
    }
    if x < a + 1.0 { 1.0 - gamma_series(a, x) } else { gamma_fraction(a, x) }
}

/// x^a e^−x / Γ(a)
fn gamma_front(a: f64, x: f64) -> f64 {
    if x == f64::INFINITY {
        return 0.0;
    }
    libm::exp(a * libm::log(x) - x - libm::lgamma(a))
}

fn gamma_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
    for _ in 0..STEPS {
        n += 1.0;
        term *= x / n;
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    (sum * gamma_front(a, x)).min(1.0)
}

fn gamma_fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let front = gamma_front(a, x);
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / TINY, 1.0 / b);
    let mut h = d;
    for i in 1..STEPS {
        let i = i as f64;
        let an = -i * (i - a);
        b += 2.0;
        d = 1.0 / away(an * d + b, TINY);
        c = away(b + an / c, TINY);
        h *= d * c;
        if (d * c - 1.0).abs() < 1e-16 {
            break;
        }
    }
    if front > 0.0 { (h * front).clamp(0.0, 1.0) } else { 0.0 }
}

/// A divisor that is not 0.
fn away(v: f64, tiny: f64) -> f64 {
    if v.abs() < tiny { tiny } else { v }
}

/// Chi-square with `freedom` degrees: how much lies above `x`.
pub fn chi_square_above(freedom: f64, x: f64) -> f64 {
    gamma_above(freedom / 2.0, x / 2.0)
}

/// The regularised incomplete beta function Iₓ(a, b).
fn beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(b, a, 1.0 - x);
    }
    let front = libm::exp(
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x),
    );
    front * beta_fraction(a, b, x) / a
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0), TINY));
    let mut h = d;
    for m in 1..STEPS {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for step in [even, odd] {
            d = 1.0 / away(1.0 + step * d, TINY);
            c = away(1.0 + step / c, TINY);
            change = d * c;
            h *= change;
        }
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    h
}

/// The distance from 0 that Student's t with `freedom` degrees stays within with this probability:
/// 12.706 for 0.95 and 1. `None` without a degree of freedom.
pub fn t_within(freedom: usize, probability: f64) -> Option<f64> {
    if freedom == 0 || !(0.0..1.0).contains(&probability) {
        return None;
    }
    let f = freedom as f64;
    // P(|t| > x) = I_{f/(f+x²)}(f/2, 1/2)
    let beyond = |x: f64| beta(f / 2.0, 0.5, f / (f + x * x));
    let (mut lo, mut hi) = (0.0, 1.0);
    while beyond(hi) > 1.0 - probability && hi < 1e12 {
        hi *= 2.0;
    }
    for _ in 0..60 {
        let mid = f64::midpoint(lo, hi);
        if beyond(mid) > 1.0 - probability {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    Some(f64::midpoint(lo, hi))
}

/// ψ, the derivative of ln Γ, above 0: recurrence to 10, then the asymptotic series (DLMF 5.11.2).
pub fn digamma(x: f64) -> f64 {
    let (mut x, mut less) = (x, 0.0);
    while x < 10.0 {
        less += 1.0 / x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * (1.0 / 240.0 - y / 132.0))));
    libm::log(x) - 0.5 / x - series - less
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(got: f64, expected: f64) {
        assert!((got - expected).abs() <= 1e-12 * expected.abs().max(1e-3), "{got} {expected}");
    }

    #[test]
    fn closed_forms() {
        check(normal(0.0), 0.5);
        for x in [0.1, 1.0, 3.0, 30.0] {
            // Shape 1 is exponential, shape 2 one more term; chi-square of two degrees as well.
            check(gamma(1.0, x), -libm::expm1(-x));
            check(gamma_above(2.0, x), (1.0 + x) * libm::exp(-x));
            check(chi_square_above(2.0, x), libm::exp(-x / 2.0));
            check(gamma(0.5, x), libm::erf(x.sqrt()));
        }
        // t of one degree is Cauchy's, of two x/√(2+x²).
        check(t_within(1, 0.95).unwrap(), libm::tan(std::f64::consts::PI * 0.475));
        check(t_within(2, 0.9).unwrap(), (2.0 * 0.81 / (1.0 - 0.81_f64)).sqrt());
        assert_eq!((t_within(0, 0.95), t_within(3, 1.0)), (None, None));
    }

    #[test]
    fn points_of_printed_tables() {
        let near = |got: f64, printed: f64| assert!((got - printed).abs() < 0.000_6, "{got} {printed}");
        near(t_within(10, 0.95).unwrap(), 2.228);
        near(t_within(34, 0.95).unwrap(), 2.032);
        near(t_within(510, 0.95).unwrap(), 1.965);
        near(t_within(1_000_000, 0.95).unwrap(), 1.960);
        near(chi_square_above(5.0, 11.070), 0.05);
        near(chi_square_above(30.0, 50.892), 0.01);
        near(normal(1.959_964), 0.975);
        // −γ
        check(digamma(1.0), -0.577_215_664_901_532_9);
        check(digamma(0.5), -1.963_510_026_021_423_5);
    }

    #[test]
    fn odd_arguments_give_an_end_or_nan() {
        assert_eq!((gamma(2.0, -1.0), gamma(2.0, f64::INFINITY), gamma_above(2.0, 0.0)), (0.0, 1.0, 1.0));
        assert!(gamma(0.0, 1.0).is_nan() && gamma_above(f64::NAN, 1.0).is_nan());
        assert!(gamma(20_000.0, 20_000.0) > 0.4);
    }
}

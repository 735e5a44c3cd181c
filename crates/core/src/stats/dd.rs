//! Numbers of twice the precision: the unevaluated sum of two doubles.
//!
//! Every sum and product below keeps what rounding drops (Dekker 1971, Knuth's two-sum). That is about
//! 31 decimal digits, so that a sum of squares can lose half of them to a large mean and still be right
//! to the last bit of the double it becomes.

/// `hi + lo`, with `lo` at most half a unit in the last place of `hi`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dd {
    hi: f64,
    lo: f64,
}

impl Dd {
    pub const ZERO: Self = Self { hi: 0.0, lo: 0.0 };

    pub fn new(value: f64) -> Self {
        Self { hi: value, lo: 0.0 }
    }

    /// `a − b`, exactly.
    pub fn difference(a: f64, b: f64) -> Self {
        let (hi, lo) = two_sum(a, -b);
        Self { hi, lo }
    }

    /// The nearest double.
    pub fn value(self) -> f64 {
        self.hi + self.lo
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let (hi, lo) = two_sum(self.hi, other.hi);
        let (t, u) = two_sum(self.lo, other.lo);
        let (hi, lo) = quick_two_sum(hi, lo + t);
        let (hi, lo) = quick_two_sum(hi, lo + u);
        Self { hi, lo }
    }

    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.plus(Self { hi: -other.hi, lo: -other.lo })
    }

    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let (hi, lo) = two_product(self.hi, other.hi);
        let (hi, lo) = quick_two_sum(hi, lo + (self.hi * other.lo + self.lo * other.hi));
        Self { hi, lo }
    }

    /// Long division, three digits of it. A zero below gives what it gives a double.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let q1 = self.hi / other.hi;
        if !q1.is_finite() {
            return Self::new(q1);
        }
        let r = self.minus(other.times(Self::new(q1)));
        let q2 = r.hi / other.hi;
        let r = r.minus(other.times(Self::new(q2)));
        let q3 = r.hi / other.hi;
        Self::new(q1).plus(Self::new(q2)).plus(Self::new(q3))
    }

    /// The square root of what is above zero; zero for all else.
    #[must_use]
    pub fn sqrt(self) -> Self {
        if self.hi.is_nan() || self.hi <= 0.0 {
            return Self::ZERO;
        }
        let root = self.hi.sqrt();
        // One step of Newton's: root + (self − root²) / 2 root.
        let rest = self.minus(Self::new(root).times(Self::new(root)));
        Self::new(root).plus(Self::new(rest.hi / (2.0 * root)))
    }
}

/// The rounded sum and what rounding dropped.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// The same where `a` is not the smaller.
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

/// The rounded product and what rounding dropped, without a fused multiply-add (Veltkamp's split).
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    (p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2)
}

/// Upper and lower half of the 53 bits.
fn split(a: f64) -> (f64, f64) {
    let t = 134_217_729.0 * a; // 2^27 + 1
    let hi = t - (t - a);
    (hi, a - hi)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dd(hi: f64, lo: f64) -> Dd {
        Dd::new(hi).plus(Dd::new(lo))
    }

    #[test]
    fn what_a_double_drops_is_kept() {
        let tiny = 1e-20;
        assert_eq!(dd(1.0, tiny).minus(Dd::new(1.0)).value(), tiny);
        // (1 + ε)² = 1 + 2ε + ε²
        let x = Dd::new(1.0 + f64::EPSILON);
        let square = x.times(x).minus(dd(1.0, 2.0 * f64::EPSILON));
        assert_eq!(square.value(), f64::EPSILON * f64::EPSILON);
        assert_eq!(Dd::difference(1e16, -1.0).minus(Dd::new(1e16)).value(), 1.0);
    }

    #[test]
    fn a_third_and_the_root_of_two_to_thirty_digits() {
        let third = Dd::new(1.0).over(Dd::new(3.0));
        assert!(third.times(Dd::new(3.0)).minus(Dd::new(1.0)).value().abs() < 1e-31);
        let root = Dd::new(2.0).sqrt();
        assert!(root.times(root).minus(Dd::new(2.0)).value().abs() < 1e-31);
        assert_eq!((Dd::new(-1.0).sqrt().value(), Dd::new(1.0).over(Dd::ZERO).value()), (0.0, f64::INFINITY));
    }

    proptest! {
        /// Integers below 2^100 have an exact reference.
        #[test]
        fn sums_and_products_of_integers_are_exact(a in -(1_i64 << 50)..1_i64 << 50, b in -(1_i64 << 50)..1_i64 << 50) {
            let wide = |v: i64| Dd::new(v as f64);
            let exact = i128::from(a) * i128::from(b) + i128::from(a);
            let got = wide(a).times(wide(b)).plus(wide(a));
            prop_assert_eq!(got.hi as i128 + got.lo as i128, exact);
        }
    }
}

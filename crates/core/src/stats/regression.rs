//! A straight line by least squares, with its standard errors.
//!
//! ```text
//! y = intercept + slope·x,   slope = Sxy / Sxx,   RSS = Syy − Sxy² / Sxx
//! ```
//!
//! S are sums over deviations from the means, added up in [`Dd`]: the line of NIST's data sets is
//! right to as many digits as its input is.

use super::dd::Dd;

/// Sums over points, from which any line is worked out. They can be added: a segment's are those of
/// its lengths.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sums {
    pub n: usize,
    /// What x and y are counted from, so that large means cost no digits.
    origin: (f64, f64),
    x: Dd,
    y: Dd,
    xx: Dd,
    xy: Dd,
    yy: Dd,
}

impl Sums {
    /// No points. Sums that are added must share an origin.
    pub fn new(origin: (f64, f64)) -> Self {
        Self { origin, ..Self::default() }
    }

    pub fn of(x: &[f64], y: &[f64]) -> Self {
        let origin = (x.first().copied().unwrap_or(0.0), y.first().copied().unwrap_or(0.0));
        let mut sums = Self::new(origin);
        x.iter().zip(y).for_each(|(&x, &y)| sums.push(x, y));
        sums
    }

    pub fn push(&mut self, x: f64, y: f64) {
        let (dx, dy) = (Dd::difference(x, self.origin.0), Dd::difference(y, self.origin.1));
        self.n += 1;
        self.x = self.x.plus(dx);
        self.y = self.y.plus(dy);
        self.xx = self.xx.plus(dx.times(dx));
        self.xy = self.xy.plus(dx.times(dy));
        self.yy = self.yy.plus(dy.times(dy));
    }

    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            n: self.n + other.n,
            origin: self.origin,
            x: self.x.plus(other.x),
            y: self.y.plus(other.y),
            xx: self.xx.plus(other.xx),
            xy: self.xy.plus(other.xy),
            yy: self.yy.plus(other.yy),
        }
    }

    /// Takes away points that were put in.
    #[must_use]
    pub fn minus(&self, part: &Self) -> Self {
        Self {
            n: self.n - part.n,
            origin: self.origin,
            x: self.x.minus(part.x),
            y: self.y.minus(part.y),
            xx: self.xx.minus(part.xx),
            xy: self.xy.minus(part.xy),
            yy: self.yy.minus(part.yy),
        }
    }

    /// The mean of y; NaN without points.
    pub fn y_mean(&self) -> f64 {
        self.y.over(Dd::new(self.n as f64)).plus(Dd::new(self.origin.1)).value()
    }

    /// Σ(y−ȳ)²; 0 without points.
    pub fn syy(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.centred()[2].value().max(0.0) }
    }

    /// Σ(x−x̄)², Σ(x−x̄)(y−ȳ), Σ(y−ȳ)².
    fn centred(&self) -> [Dd; 3] {
        let n = Dd::new(self.n as f64);
        let less = |sum: Dd, a: Dd, b: Dd| sum.minus(a.times(b).over(n));
        [less(self.xx, self.x, self.x), less(self.xy, self.x, self.y), less(self.yy, self.y, self.y)]
    }

    /// The residual sum of squares of the line through these points, of the level where all x are
    /// equal; 0 without points.
    pub fn rss(&self) -> f64 {
        if self.n == 0 {
            return 0.0;
        }
        let [xx, xy, yy] = self.centred();
        let explained = if xx.value() > 0.0 { xy.times(xy).over(xx) } else { Dd::ZERO };
        yy.minus(explained).value().max(0.0)
    }

    /// `None` without two different x, or where numbers overflow.
    pub fn line(&self) -> Option<Line> {
        let [xx, xy, yy] = self.centred();
        if self.n < 2 || xx.value() <= 0.0 {
            return None;
        }
        let n = Dd::new(self.n as f64);
        let slope = xy.over(xx);
        let (x0, y0) = (Dd::new(self.origin.0), Dd::new(self.origin.1));
        let (x_mean, y_mean) = (self.x.over(n).plus(x0), self.y.over(n).plus(y0));
        let rss = yy.minus(xy.times(xy).over(xx));
        let freedom = self.n.checked_sub(2).filter(|f| *f > 0);
        let variance = freedom.map(|f| rss.over(Dd::new(f as f64)));
        let at_zero = Dd::new(1.0).over(n).plus(x_mean.times(x_mean).over(xx));
        Line {
            n: self.n,
            slope: slope.value(),
            intercept: y_mean.minus(slope.times(x_mean)).value(),
            slope_se: variance.map(|v| v.over(xx).sqrt().value()),
            intercept_se: variance.map(|v| v.times(at_zero).sqrt().value()),
            residual_sd: variance.map(|v| v.sqrt().value()),
            r2: (yy.value() > 0.0).then(|| Dd::new(1.0).minus(rss.over(yy)).value().clamp(0.0, 1.0)),
            rss: rss.value().max(0.0),
            freedom: freedom.unwrap_or(0),
            x_mean: x_mean.value(),
            sxx: xx.value(),
        }
        .finite()
    }
}

/// A fitted line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    pub n: usize,
    pub slope: f64,
    /// 0 for a line through the origin.
    pub intercept: f64,
    /// Standard errors; `None` where no point is left over to judge by.
    pub slope_se: Option<f64>,
    pub intercept_se: Option<f64>,
    /// √(RSS / degrees of freedom).
    pub residual_sd: Option<f64>,
    /// The part of the variation of y that the line explains: about its mean, or for a line through
    /// the origin about 0, as NIST certifies it. `None` if y does not vary.
    pub r2: Option<f64>,
    /// Residual sum of squares.
    pub rss: f64,
    /// Degrees of freedom: points less coefficients.
    pub freedom: usize,
    pub x_mean: f64,
    /// Σ(x−x̄)².
    pub sxx: f64,
}

impl Line {
    pub fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }

    fn finite(self) -> Option<Self> {
        (self.slope.is_finite() && self.intercept.is_finite() && self.rss.is_finite()).then_some(self)
    }
}

/// The least-squares line through the points; `None` without two different x.
pub fn fit(x: &[f64], y: &[f64]) -> Option<Line> {
    Sums::of(x, y).line()
}

/// The least-squares line through the points and the origin; `None` if every x is 0.
pub fn fit_through_origin(x: &[f64], y: &[f64]) -> Option<Line> {
    let mut sums = Sums::new((0.0, 0.0));
    x.iter().zip(y).for_each(|(&x, &y)| sums.push(x, y));
    let Sums { n, xx, xy, yy, .. } = sums;
    if n == 0 || xx.value() <= 0.0 {
        return None;
    }
    let slope = xy.over(xx);
    let rss = yy.minus(xy.times(slope));
    let freedom = n - 1;
    let variance = (freedom > 0).then(|| rss.over(Dd::new(freedom as f64)));
    Line {
        n,
        slope: slope.value(),
        intercept: 0.0,
        slope_se: variance.map(|v| v.over(xx).sqrt().value()),
        intercept_se: None,
        residual_sd: variance.map(|v| v.sqrt().value()),
        r2: (yy.value() > 0.0).then(|| Dd::new(1.0).minus(rss.over(yy)).value().clamp(0.0, 1.0)),
        rss: rss.value().max(0.0),
        freedom,
        x_mean: sums.x.value() / n as f64,
        sxx: xx.value(),
    }
    .finite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_worked_by_hand() {
        // x̄ = 2, ȳ = 3, Sxx = 2, Sxy = 3, Syy = 14/3: slope 3/2, RSS = 14/3 − 9/2 = 1/6.
        let (x, y) = ([1.0, 2.0, 3.0], [4.0 / 3.0, 10.0 / 3.0, 13.0 / 3.0]);
        let line = fit(&x, &y).unwrap();
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}");
        near(line.slope, 1.5);
        near(line.intercept, 0.0);
        near(line.rss, 1.0 / 6.0);
        near(line.residual_sd.unwrap(), (1.0_f64 / 6.0).sqrt());
        near(line.slope_se.unwrap(), (1.0_f64 / 12.0).sqrt());
        // (1/3 + 4/2) · 1/6
        near(line.intercept_se.unwrap(), (7.0_f64 / 18.0).sqrt());
        near(line.r2.unwrap(), 27.0 / 28.0);
        // NoInt2 of NIST's: 4.5 = Σxy / Σx² = 56/77 below.
        let line = fit_through_origin(&[4.0, 5.0, 6.0], &[3.0, 4.0, 4.0]).unwrap();
        near(line.slope, 56.0 / 77.0);
        near(line.rss, 41.0 - 56.0 * 56.0 / 77.0);
    }

    #[test]
    fn what_has_no_line_gives_none() {
        assert_eq!(fit(&[], &[]), None);
        assert_eq!(fit(&[1.0], &[1.0]), None);
        assert_eq!(fit(&[2.0, 2.0], &[1.0, 3.0]), None);
        assert_eq!(fit(&[1.0, 2.0], &[1e308, -1e308]), None);
        assert_eq!(fit_through_origin(&[0.0], &[1.0]), None);
        let two = fit(&[1.0, 2.0], &[1.0, 3.0]).unwrap();
        assert_eq!((two.slope, two.slope_se, two.residual_sd, two.r2), (2.0, None, None, Some(1.0)));
        assert_eq!(fit(&[1.0, 2.0, 3.0], &[5.0; 3]).unwrap().r2, None);
    }

    proptest! {
        /// Sums of parts are the sums of the whole, and a shift of y shifts the line alone.
        #[test]
        fn sums_can_be_parted_and_shifted(
            points in prop::collection::vec((0.0..2000.0_f64, -1e4..1e4_f64), 3..60),
            at in 0_usize..60,
            shift in -1e6..1e6_f64,
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            let whole = Sums::of(&x, &y);
            let at = at.min(x.len());
            let mut parts = [Sums::new((x[0], y[0])); 2];
            for i in 0..x.len() {
                parts[usize::from(i >= at)].push(x[i], y[i]);
            }
            let joined = parts[0].plus(&parts[1]);
            prop_assert!((joined.rss() - whole.rss()).abs() <= 1e-15 * whole.rss().max(1e-300));
            let rest = joined.minus(&parts[0]);
            prop_assert!((rest.rss() - parts[1].rss()).abs() <= 1e-15 * whole.syy().max(1e-300));
            let line = whole.line().unwrap();
            let shifted: Vec<f64> = y.iter().map(|y| y + shift).collect();
            let other = fit(&x, &shifted).unwrap();
            prop_assert!((other.slope - line.slope).abs() <= 1e-9 * (1.0 + line.slope.abs()));
            // Residuals are orthogonal to x and to 1.
            let r: Vec<f64> = x.iter().zip(&y).map(|(x, y)| y - line.at(*x)).collect();
            let scale = 1e-9 * y.iter().map(|y| y.abs()).sum::<f64>().max(1.0);
            prop_assert!(r.iter().sum::<f64>().abs() <= scale);
            prop_assert!(r.iter().zip(&x).map(|(r, x)| r * x).sum::<f64>().abs() <= 2000.0 * scale);
        }
    }
}

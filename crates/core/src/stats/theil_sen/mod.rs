//! The line of Theil and Sen: its slope is the median of the slopes of all pairs of points.
//!
//! Pairs of equal x have no slope and are left out. With up to 1448 points (2^20 pairs) all slopes are
//! worked out. With more, slopes are counted and not worked out, in n log n (after Matoušek 1991 and
//! Dillencourt, Mount and Netanyahu 1992):
//!
//! - A pair's slope is below t exactly if z = y − t·x falls from its left point to its right one. So
//!   the slopes below t are the inversions of z in the order of x, and a merge sort counts them.
//! - A sample of 2^18 slopes gives two values of t that most likely have the median between them.
//!   Counting says whether they have, and how many slopes lie between.
//! - Sorting from the order at the lower t to that at the upper passes exactly the pairs between. A
//!   few in a row are picked for the next sample, until all that are left can be worked out.
//!
//! The median is that of all pairs, whatever the sample: it decides only how soon. The seed is fixed.

mod search;

/// How many slopes are held at a time, and how they are narrowed down.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// As many are worked out, rather than counted.
    few: u64,
    /// In a sample.
    sample: u64,
    /// How far beside a rank the bracket begins, in standard deviations of a sample's rank.
    wide: f64,
}

const ROOM: Room = Room { few: 1 << 20, sample: 1 << 18, wide: 4.0 };

/// A fitted line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TheilSen {
    pub slope: f64,
    /// The median of y − slope·x.
    pub intercept: f64,
    /// 95 % interval of the slope from Kendall's variance, ties allowed for (Sen 1968). Its ends are
    /// slopes of pairs; with more than 2^20 pairs they are read off the last sample, between counted
    /// ranks, which moves them by less than a hundredth of the interval. `None` for fewer than three
    /// points.
    pub slope_interval: Option<(f64, f64)>,
}

/// The line; `None` without two different x, or where numbers are not finite.
pub fn fit(x: &[f64], y: &[f64]) -> Option<TheilSen> {
    fit_by(x, y, ROOM)
}

fn fit_by(x: &[f64], y: &[f64], room: Room) -> Option<TheilSen> {
    let n = x.len().min(y.len());
    let mut points: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    if points.iter().any(|p| !p.0.is_finite() || !p.1.is_finite()) {
        return None;
    }
    points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let ties_x = tied(points.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len));
    let pairs = pairs(n as u64) - ties_x.pairs;
    if pairs == 0 {
        return None;
    }
    let ranks = Ranks::of(n, pairs, &ties_x, y);
    let [slope, lo, hi] = if pairs <= room.few {
        let mut slopes = all_slopes(&points);
        let middle = ranks.middle_of(&mut slopes, 0);
        [middle, nth(&mut slopes, ranks.ends.0), nth(&mut slopes, ranks.ends.1)]
    } else {
        search::find(&points, pairs, &ranks, room)
    };
    let mut rest: Vec<f64> = points.iter().map(|p| p.1 - slope * p.0).collect();
    let intercept = median(&mut rest);
    if !(slope.is_finite() && intercept.is_finite()) {
        return None;
    }
    let slope_interval = (n > 2).then_some((lo, hi));
    Some(TheilSen { slope, intercept, slope_interval })
}

fn pairs(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

/// Which places in the ordered slopes are asked for, from 0.
#[derive(Debug, Clone, Copy)]
struct Ranks {
    /// The two in the middle: one twice for an odd number.
    middle: (u64, u64),
    /// The ends of the interval.
    ends: (u64, u64),
}

impl Ranks {
    /// N slopes, and Kendall's variance
    /// `(n(n−1)(2n+5) − Σ u(u−1)(2u+5) over ties in x − the same over ties in y) / 18`:
    /// the ends are the (N ∓ 1.96 σ)/2-th slopes (Sen 1968, section 4.3).
    fn of(n: usize, pairs: u64, ties_x: &Ties, y: &[f64]) -> Self {
        const NORMAL_95: f64 = 1.959_963_984_540_054;
        let mut y = y.to_vec();
        y.sort_unstable_by(f64::total_cmp);
        let ties_y = tied(y.chunk_by(|a, b| a == b).map(<[_]>::len));
        let variance = (kendall(n) - ties_x.kendall - ties_y.kendall) / 18.0;
        let reach = NORMAL_95 * variance.max(0.0).sqrt();
        let half = pairs as f64 / 2.0;
        let below = (half - reach / 2.0).round().max(0.0) as u64;
        let above = (half + reach / 2.0).round() as u64;
        Self {
            middle: ((pairs - 1) / 2, pairs / 2),
            ends: (below.min(pairs - 1), above.saturating_sub(1).min(pairs - 1)),
        }
    }

    /// The median, given all slopes but the `below` least, in any order.
    fn middle_of(&self, slopes: &mut [f64], below: u64) -> f64 {
        let (a, b) = self.middle;
        f64::midpoint(nth(slopes, a - below), nth(slopes, b - below))
    }
}

/// The number that has `rank` below it.
fn nth(v: &mut [f64], rank: u64) -> f64 {
    *v.select_nth_unstable_by(rank as usize, f64::total_cmp).1
}

/// n(n−1)(2n+5)
fn kendall(n: usize) -> f64 {
    let n = n as f64;
    n * (n - 1.0) * (2.0 * n + 5.0)
}

struct Ties {
    /// Pairs of equals.
    pairs: u64,
    kendall: f64,
}

fn tied(groups: impl Iterator<Item = usize>) -> Ties {
    groups.fold(Ties { pairs: 0, kendall: 0.0 }, |t, n| Ties {
        pairs: t.pairs + pairs(n as u64),
        kendall: t.kendall + kendall(n),
    })
}

fn median(v: &mut [f64]) -> f64 {
    let n = v.len() as u64;
    f64::midpoint(nth(v, (n - 1) / 2), nth(v, n / 2))
}

type Point = (f64, f64);

fn slope(a: Point, b: Point) -> f64 {
    (b.1 - a.1) / (b.0 - a.0)
}

fn all_slopes(points: &[Point]) -> Vec<f64> {
    let mut slopes = Vec::new();
    for (i, a) in points.iter().enumerate() {
        slopes.extend(points[i + 1..].iter().filter(|b| b.0 > a.0).map(|b| slope(*a, *b)));
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_worked_by_hand() {
        // Slopes 1, 1, 3, 1, 4, 7 of (0,0) (1,1) (2,2) (3,9), in order 1 1 1 3 4 7.
        let line = fit(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 2.0, 9.0]).unwrap();
        // y − 2x: 0, −1, −2, 3
        assert_eq!((line.slope, line.intercept), (2.0, -0.5));
        // Equal x make no pair: slopes 1, 2 and 3.
        let line = fit(&[1.0, 1.0, 2.0, 1.0], &[0.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((line.slope, line.intercept), (2.0, -1.0));
    }

    #[test]
    fn what_has_no_slope_gives_none() {
        assert_eq!(fit(&[], &[]), None);
        assert_eq!(fit(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(fit(&[1.0, 2.0], &[f64::NAN, 2.0]), None);
        assert_eq!(fit(&[1.0, 2.0], &[1.0, 3.0]).unwrap().slope_interval, None);
    }

    /// Sen 1968, the example of section 6: 95 % interval from the 3rd to the 19th slope or so of 21.
    #[test]
    fn the_interval_holds_the_middle_slopes() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.0, 10.0, 12.0, 18.0], [9.0, 15.0, 19.0, 20.0, 45.0, 55.0, 78.0]);
        let line = fit(&x, &y).unwrap();
        assert_eq!(line.slope, 4.0);
        // 7·6·19/18 = 44.33; (21 ∓ 1.96·6.66)/2 = 3.97 and 17.03.
        let mut slopes = all_slopes(&x.into_iter().zip(y).collect::<Vec<_>>());
        slopes.sort_by(f64::total_cmp);
        assert_eq!(line.slope_interval, Some((slopes[4], slopes[16])));
    }

    const ALL: Room = Room { few: u64::MAX, ..ROOM };

    /// Points with many equal x, equal y and outliers, as delays have them.
    fn points() -> impl Strategy<Value = Vec<(f64, f64)>> {
        let x = prop_oneof![Just(40.0), (40..257_u32).prop_map(f64::from), 0.0..2000.0_f64];
        let y = prop_oneof![(0..400_u32).prop_map(f64::from), 0.0..1e4_f64, Just(20.0)];
        let slope = -3..4_i32;
        (slope, prop::collection::vec((x, y), 2..150))
            .prop_map(|(s, v)| v.into_iter().map(|(x, y)| (x, y + f64::from(s) * x)).collect())
    }

    proptest! {
        /// However few slopes may be worked out, and though small samples mislead, counting gives the
        /// median of all.
        #[test]
        fn counting_agrees_with_all_pairs(
            points in points(), few in 1_u64..200, sample in 20_u64..200, wide in 0.1..1.0_f64,
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            let (all, counted) = (fit_by(&x, &y, ALL), fit_by(&x, &y, Room { few, sample, wide }));
            prop_assert_eq!(all.is_some(), counted.is_some());
            if let (Some(a), Some(b)) = (all, counted) {
                prop_assert!((a.slope - b.slope).abs() <= 1e-9 * (1.0 + a.slope.abs()), "{} {}", a.slope, b.slope);
            }
        }

        /// Turning the points by a line turns the fit by it; scaling y scales it.
        #[test]
        fn lines_are_added_and_scaled(points in points(), add in -5..6_i32, times in 1..8_i32) {
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            let (add, times) = (f64::from(add), f64::from(times));
            let other: Vec<f64> = x.iter().zip(&y).map(|(x, y)| times * y + add * x).collect();
            if let (Some(a), Some(b)) = (fit(&x, &y), fit(&x, &other)) {
                let expected = times * a.slope + add;
                prop_assert!((b.slope - expected).abs() <= 1e-9 * (1.0 + expected.abs()));
            }
        }
    }

    /// More pairs than are worked out, of few lengths and whole delays, so that many slopes are equal.
    #[test]
    fn many_points_are_counted_right() {
        let mut state = 1_u64;
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let n = 5000;
        let x: Vec<f64> = (0..n).map(|_| (unit() * 257.0).floor().max(40.0)).collect();
        let y: Vec<f64> =
            x.iter().map(|x| (20.0 + 1.5 * x - 40.0 * libm::log(1.0 - unit())).round()).collect();
        let (all, counted) = (fit_by(&x, &y, ALL).unwrap(), fit(&x, &y).unwrap());
        assert_eq!(all.slope, counted.slope);
        let (a, b) = (all.slope_interval.unwrap(), counted.slope_interval.unwrap());
        let width = a.1 - a.0;
        assert!((a.0 - b.0).abs() < 0.01 * width && (a.1 - b.1).abs() < 0.01 * width, "{a:?} {b:?}");
        assert_eq!(fit(&x, &y), fit(&x, &y));
    }
}

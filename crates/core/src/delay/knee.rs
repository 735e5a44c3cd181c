//! Where one line ends and another begins, and whether two are needed.
//!
//! For every knee on a grid, two lines are fitted apart from each other, a jump allowed between them;
//! the best has the least residual sum of squares S. A knee belongs to the 95 % interval where
//! n·(S(k) − S(best)) / S(best) is at most 7.35 (Hansen 2000, table 1). One line against two is tested by
//!
//! ```text
//! sup-F = ((S(one line) − S(best)) / 3) / (S(best) / (n − 5))
//! ```
//!
//! Two lines with a knee have three parameters more than one line: intercept, slope, knee. As the best
//! knee was searched for, sup-F is larger than a table of F allows for; its own points are in [`POINTS`].

use super::points::{Length, total};

/// Where the lines are parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knee {
    /// One line.
    None,
    /// After packets of this many octets.
    After(u32),
    /// Wherever two lines fit best, on a grid of knees from the one to the other; an end that is that of
    /// [`OWN`] follows the packets.
    Estimate(u32, u32),
}

/// The ARPANET's: 125 octets still go as one packet.
pub const ARPANET: u32 = 125;

/// The grid for packets as RFC 889 has them, of 40 to 256 octets: a tenth is left on either side.
pub const GRID: (u32, u32) = (60, 234);

/// RFC 889's longest packets, octets.
const LONGEST: u32 = 256;

/// Stands for a grid by the packets' own lengths.
pub const OWN: (u32, u32) = (0, 65_535);

/// What sup-F exceeds by chance in one run in ten, twenty, a hundred, where one line is the truth.
pub const POINTS: [(f64, f64); 3] = [(0.90, 3.9), (0.95, 4.7), (0.99, 6.0)];

/// The best knee.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Greatest length on the first line, octets; of equally good knees the least.
    pub knee: u32,
    /// 95 % interval.
    pub interval: (u32, u32),
    /// It is the first or the last of the grid, and the packets could be parted beyond.
    pub at_end: bool,
    /// The interval reaches the first or the last of the grid, and the packets could be parted beyond.
    pub is_open: bool,
    /// Infinite where two lines leave no residuals and one does. `None` for five points or fewer.
    pub sup_f: Option<f64>,
}

/// The grid that is asked for, with an end of [`OWN`] put where the packets have it: [`GRID`] for packets as
/// short as RFC 889's, else so that a tenth of them is left on that side.
pub fn grid(lengths: &[Length], (from, to): (u32, u32)) -> (u32, u32) {
    let own = if lengths.last().is_none_or(|l| l.octets <= LONGEST) { GRID } else { within(lengths) };
    (if from == OWN.0 { own.0 } else { from }, if to == OWN.1 { own.1 } else { to })
}

fn within(lengths: &[Length]) -> (u32, u32) {
    let tenth = total(lengths).n as f64 / 10.0;
    let (mut short, mut long) = (0.0, 0.0);
    let is_reached = |so_far: &mut f64, length: &Length| {
        *so_far += length.sums.n as f64;
        *so_far >= tenth
    };
    let from = lengths.iter().find(|l| is_reached(&mut short, l)).map_or(OWN.0, |l| l.octets);
    // A knee is the longest of the shorter packets: the tenth begins behind it.
    let to = lengths.iter().rev().find(|l| is_reached(&mut long, l)).map_or(OWN.1, |l| l.octets - 1);
    (from, to.max(from))
}

/// Searches a grid of knees; `None` where no knee on it has two lengths on either side.
pub fn search(lengths: &[Length], (from, to): (u32, u32)) -> Option<Found> {
    const INTERVAL_95: f64 = 7.35;
    let all = total(lengths);
    // One entry a stretch of knees that part the packets alike.
    let mut stretches: Vec<(u32, u32, f64)> = Vec::new();
    let mut before = lengths.first()?.sums;
    for i in 1..lengths.len().saturating_sub(1) {
        before = before.plus(&lengths[i].sums);
        let (first, last) = (lengths[i].octets.max(from), (lengths[i + 1].octets - 1).min(to));
        if i + 2 < lengths.len() && first <= last {
            stretches.push((first, last, before.rss() + all.minus(&before).rss()));
        }
    }
    let best = stretches.iter().copied().reduce(|a, b| if b.2 < a.2 { b } else { a })?;
    let n = all.n as f64;
    let most = best.2 * (1.0 + INTERVAL_95 / n);
    let mut inside = stretches.iter().filter(|s| s.2 <= most);
    let first = inside.next().unwrap_or(&best);
    let last = inside.next_back().unwrap_or(first);
    let gain = (all.rss() - best.2).max(0.0);
    let sup_f = (all.n > 5 && all.rss() > 0.0).then(|| gain / 3.0 / (best.2 / (n - 5.0)));
    let shorter = |knee: u32| lengths.partition_point(|l| l.octets <= knee);
    let ends = |first: u32, last: u32| {
        first == from && shorter(first) > 2 || last == to && lengths.len() - shorter(last) > 2
    };
    let (at_end, is_open) = (ends(best.0, best.1), ends(first.0, last.1));
    Some(Found { knee: best.0, interval: (first.0, last.1), at_end, is_open, sup_f })
}

#[cfg(test)]
mod tests {
    use super::super::points::Points;
    use super::*;
    use crate::rng::Random;
    use proptest::prelude::*;

    fn points(lines: impl Fn(f64) -> f64, n: usize, noise: impl Fn(&mut Random) -> f64, seed: u64) -> Points {
        let mut rng = Random::new(seed);
        let mut points = Points::default();
        for i in 0..n {
            let octets = (rng.unit() * 257.0).floor().max(40.0);
            points.octets.push(octets);
            points.delays.push(lines(octets) + noise(&mut rng));
            points.records.push(i as u32);
        }
        points
    }

    fn score(octets: f64) -> f64 {
        // SCORE's printed lines.
        if octets <= 125.0 {
            184.0 + (octets - 40.0) * 134.0 / 85.0
        } else {
            541.0 + (octets - 125.0) * 67.0 / 131.0
        }
    }

    #[test]
    fn two_lines_without_noise_are_parted_where_they_part() {
        let found = search(&points(score, 512, |_| 0.0, 1).lengths(), GRID).unwrap();
        assert_eq!((found.knee, found.interval), (125, (125, 125)));
        assert!(found.sup_f.unwrap() > 1e12);
    }

    /// The residual sum of squares of every knee, worked out anew.
    #[test]
    fn running_sums_give_what_fresh_ones_give() {
        let points = points(score, 200, |r| 80.0 * r.exponential(), 4);
        let found = search(&points.lengths(), GRID).unwrap();
        let rss = |knee: f64| -> f64 {
            [true, false]
                .map(|short| {
                    let side = |v: &[f64]| -> Vec<f64> {
                        (0..v.len()).filter(|&i| (points.octets[i] <= knee) == short).map(|i| v[i]).collect()
                    };
                    crate::stats::regression::fit(&side(&points.octets), &side(&points.delays)).unwrap().rss
                })
                .iter()
                .sum()
        };
        let all: Vec<(u32, f64)> = (GRID.0..=GRID.1).map(|k| (k, rss(f64::from(k)))).collect();
        let best = all.iter().copied().reduce(|a, b| if b.1 < a.1 * (1.0 - 1e-12) { b } else { a }).unwrap();
        assert_eq!(found.knee, best.0);
        let inside = all.iter().filter(|(_, s)| 200.0 * (s - best.1) / best.1 <= 7.35).map(|(k, _)| *k);
        assert_eq!(found.interval, (inside.clone().min().unwrap(), inside.max().unwrap()));
        let one = crate::stats::regression::fit(&points.octets, &points.delays).unwrap().rss;
        let by_hand = (one - best.1) / 3.0 / (best.1 / 195.0);
        assert!((found.sup_f.unwrap() - by_hand).abs() < 1e-9 * by_hand);
    }

    /// The points of sup-F are what they are said to be, for queues like those of 1983: exponential
    /// delays under a surge, lengths drawn from 0 to 256 and raised to 40.
    #[test]
    fn one_line_seldom_looks_like_two() {
        let runs = 400;
        let mut above = [0; 3];
        for seed in 0..runs {
            let queue = |r: &mut Random| 20.0 * libm::exp(0.5 * r.normal()) * r.exponential();
            let found = search(&points(|l| 50.0 + l, 512, queue, seed).lengths(), GRID).unwrap();
            for (count, (_, point)) in above.iter_mut().zip(POINTS) {
                *count += u32::from(found.sup_f.unwrap() > point);
            }
        }
        // 40, 20 and 4 are expected, with a standard deviation of 6, 4.4 and 2.
        assert!((22..=58).contains(&above[0]) && (7..=33).contains(&above[1]) && above[2] <= 10, "{above:?}");
    }

    #[test]
    fn the_interval_holds_the_true_knee() {
        let runs = 100;
        let mut held = 0;
        for seed in 0..runs {
            let noisy = points(|l| if l <= 125.0 { l } else { l + 20.0 }, 512, |r| 20.0 * r.normal(), seed);
            let found = search(&noisy.lengths(), GRID).unwrap();
            held += u32::from((found.interval.0..=found.interval.1).contains(&125));
        }
        assert!(held >= 88, "{held} of 100");
    }

    #[test]
    fn what_has_no_knee_gives_none() {
        let of = |octets: &[f64]| {
            let records = (0..octets.len() as u32).collect();
            let points = Points { octets: octets.to_vec(), delays: octets.to_vec(), records };
            search(&points.lengths(), GRID)
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[40.0, 256.0, 40.0]), None);
        assert_eq!(of(&[40.0, 80.0, 256.0]), None);
        assert_eq!(of(&[40.0, 41.0, 42.0, 43.0]), None);
        let ends = |to| search(&points(score, 512, |_| 0.0, 1).lengths(), (60, to)).unwrap();
        assert_eq!((ends(124).knee, ends(124).at_end, ends(234).at_end), (124, true, false));
        // Between 80 and 200 any knee parts them alike.
        assert_eq!(of(&[40.0, 80.0, 200.0, 256.0]).unwrap().knee, 80);
    }

    #[test]
    fn the_grid_follows_the_packets() {
        let of = |octets: &[f64], asked| {
            let records = (0..octets.len() as u32).collect();
            let points = Points { octets: octets.to_vec(), delays: octets.to_vec(), records };
            grid(&points.lengths(), asked)
        };
        let up_to = |longest: u32| (1..=longest).map(f64::from).collect::<Vec<_>>();
        assert_eq!(of(&up_to(256), OWN), GRID);
        assert_eq!(of(&[], OWN), GRID);
        // Of a thousand lengths a hundred are left on either side.
        assert_eq!(of(&up_to(1000), OWN), (100, 900));
        assert_eq!(of(&up_to(1000), (60, OWN.1)), (60, 900));
        assert_eq!(of(&up_to(1000), (OWN.0, 234)), (100, 234));
        assert_eq!(of(&[1400.0, 64.0, 64.0], OWN), (64, 1399));
        assert_eq!(of(&[1400.0; 3], OWN), (1400, 1400));
    }

    proptest! {
        #[test]
        fn delays_may_be_shifted_and_scaled(seed in 0..1000_u64, shift in 0.0..1e4_f64, times in 1..9_i32) {
            let points = points(score, 120, |r| 40.0 * r.exponential(), seed);
            let mut other = points.clone();
            other.delays.iter_mut().for_each(|d| *d = shift + f64::from(times) * *d);
            let (a, b) = (search(&points.lengths(), GRID).unwrap(), search(&other.lengths(), GRID).unwrap());
            prop_assert_eq!((a.knee, a.interval), (b.knee, b.interval));
            prop_assert!((a.sup_f.unwrap() - b.sup_f.unwrap()).abs() < 1e-6 * a.sup_f.unwrap());
        }
    }
}

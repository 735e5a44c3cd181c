//! The median of more slopes than can be worked out: brackets from samples, made sure by counting.

use super::{Point, Ranks, Room, nth, slope};
use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

/// Two rounds narrow 5·10⁹ slopes to 10⁶; a sample that misleads costs one more.
const ROUNDS: usize = 60;

/// The median slope and the ends of its interval.
pub(super) fn find(points: &[Point], pairs: u64, ranks: &Ranks, room: Room) -> [f64; 3] {
    let mut search = Search::new(points);
    let mut low = Pivot { t: f64::NEG_INFINITY, below: 0, order: (0..points.len() as u32).collect() };
    let mut high = (f64::INFINITY, pairs);
    let mut sample = search.any_slopes(room.sample);
    let mut ends = None;
    let mut wide = room.wide;
    for _ in 0..ROUNDS {
        let before = high.1 - low.below;
        // The first bracket is to hold the ends of the interval as well.
        let wanted = if ends.is_none() { ranks.ends } else { ranks.middle };
        let place = |rank: u64| rank.saturating_sub(low.below) as f64 / (high.1 - low.below) as f64;
        for t in search.around(&mut sample, (place(wanted.0), place(wanted.1)), wide) {
            if t > low.t && t < high.0 {
                let pivot = search.order_at(&low, t);
                if pivot.below <= ranks.middle.0 {
                    low = pivot;
                } else if pivot.below > ranks.middle.1 {
                    high = (t, pivot.below);
                } else {
                    // t lies between the two in the middle.
                    let median = search.beside(&pivot);
                    let (from, to) = ends.unwrap_or((median, median));
                    return [median, from, to];
                }
            }
        }
        let inside = high.1 - low.below;
        let every = if inside <= room.few { 1 } else { inside.div_ceil(room.sample) };
        sample = search.slopes_between(&low, high.0, every);
        let Some(last) = sample.len().checked_sub(1) else { break };
        let (from, to) = *ends.get_or_insert_with(|| {
            let mut at = |rank: u64| {
                let part = rank.saturating_sub(low.below) as f64 / inside as f64;
                nth(&mut sample, ((part * last as f64).round() as u64).min(last as u64))
            };
            (at(ranks.ends.0), at(ranks.ends.1))
        });
        if sample.len() as u64 == inside {
            return [ranks.middle_of(&mut sample, low.below), from, to];
        }
        // Where one slope fills the sample, the bracket closes on it.
        wide = if inside > before / 2 { 0.0 } else { room.wide };
        if low.t.is_finite() && high.0 - low.t <= 4.0 * search.margin(low.t) {
            break;
        }
    }
    // As far as rounding can tell, all that is left is one slope.
    let t = f64::midpoint(low.t, high.0);
    let (from, to) = ends.unwrap_or((t, t));
    [t, from, to]
}

/// A value of t, how many slopes lie below it, and the points in the order of z = y − t·x. Points of
/// the same z stand in the order of x.
struct Pivot {
    t: f64,
    below: u64,
    order: Vec<u32>,
}

struct Search<'a> {
    /// In the order of x; those of equal x in that of y.
    points: &'a [Point],
    /// Greatest |x| and |y|.
    reach: Point,
    rng: Pcg64Mcg,
}

impl<'a> Search<'a> {
    fn new(points: &'a [Point]) -> Self {
        let reach = points.iter().fold((0.0, 0.0), |r: Point, p| (r.0.max(p.0.abs()), r.1.max(p.1.abs())));
        Self { points, reach, rng: Pcg64Mcg::seed_from_u64(889) }
    }

    /// Slopes of points one unit of x apart that are closer than this to t may be counted on its
    /// wrong side, since z is rounded.
    fn margin(&self, t: f64) -> f64 {
        8.0 * f64::EPSILON * (self.reach.1 + t.abs() * self.reach.0)
    }

    /// Values of t a little below the one place in an ordered sample, and a little above the other.
    fn around(&self, sample: &mut [f64], (from, to): (f64, f64), wide: f64) -> [f64; 2] {
        let Some(last) = sample.len().checked_sub(1) else { return [f64::NAN; 2] };
        let n = sample.len() as f64;
        let reach = |p: f64| wide * (p.max(1.0 / n) * (1.0 - p).max(1.0 / n) / n).sqrt();
        let mut at = |p: f64| {
            let rank = (p * n).floor();
            (rank >= 0.0 && rank < n).then(|| nth(sample, (rank as u64).min(last as u64)))
        };
        let low = at(from - reach(from)).map_or(f64::NEG_INFINITY, |t| t - self.margin(t));
        let high = at(to + reach(to)).map_or(f64::INFINITY, |t| t + self.margin(t));
        [low, high]
    }

    /// Slopes of pairs drawn with equal chances.
    fn any_slopes(&mut self, sample: u64) -> Vec<f64> {
        let n = self.points.len() as u64;
        let mut slopes = Vec::with_capacity(sample as usize);
        // Where most x are equal, most pairs have no slope.
        for _ in 0..4 * sample {
            let draw = self.rng.next_u64();
            let [i, j] =
                [draw >> 32, draw & 0xffff_ffff].map(|half| self.points[((half * n) >> 32) as usize]);
            if i.0 != j.0 {
                slopes.push(slope(i, j));
            }
            if slopes.len() as u64 == sample {
                break;
            }
        }
        slopes
    }

    /// Counts the slopes below t, starting from a pivot at or below it.
    fn order_at(&self, from: &Pivot, t: f64) -> Pivot {
        let mut below = from.below;
        let order = self.sort(from, t, |falls, _| below += falls.len() as u64);
        Pivot { t, below, order }
    }

    /// The mean of the nearest slopes below and above a pivot. They are those of neighbours in the
    /// order of z: as t moves, none but neighbours change places.
    fn beside(&self, pivot: &Pivot) -> f64 {
        let (mut below, mut above) = (f64::NEG_INFINITY, f64::INFINITY);
        for pair in pivot.order.windows(2) {
            let [p, q] = [pair[0], pair[1]].map(|i| self.points[i as usize]);
            if p.0 > q.0 {
                below = below.max(slope(p, q));
            } else if p.0 < q.0 {
                above = above.min(slope(p, q));
            }
        }
        f64::midpoint(below, above)
    }

    /// One in `every` of the slopes from a pivot up to below t.
    fn slopes_between(&mut self, from: &Pivot, t: f64, every: u64) -> Vec<f64> {
        let mut rng = self.rng.clone();
        let points = self.points;
        let mut slopes = Vec::new();
        let (mut passed, mut block, mut next) = (0, 0, rng.next_u64() % every);
        self.sort(from, t, |falls, q| {
            while next < passed + falls.len() as u64 {
                let p = falls[(next - passed) as usize];
                slopes.push(slope(points[p.point as usize], points[q.point as usize]));
                block += every;
                next = block + if every == 1 { 0 } else { rng.next_u64() % every };
            }
            passed += falls.len() as u64;
        });
        self.rng = rng;
        slopes
    }

    /// Sorts a pivot's order by z at t. `fell` is told of each point q and those before it whose z is
    /// greater: the pairs whose slopes lie between.
    fn sort(&self, from: &Pivot, t: f64, fell: impl FnMut(&[Z], Z)) -> Vec<u32> {
        let z = |&point: &u32| {
            let (x, y) = self.points[point as usize];
            Z { z: if t.is_finite() { y - t * x } else { -x * t.signum() }, point }
        };
        let mut items: Vec<Z> = from.order.iter().map(z).collect();
        merge_sort(&mut items, fell);
        items.iter().map(|item| item.point).collect()
    }
}

#[derive(Debug, Clone, Copy)]
struct Z {
    z: f64,
    point: u32,
}

/// A stable merge sort, from short runs upwards.
fn merge_sort(items: &mut Vec<Z>, mut fell: impl FnMut(&[Z], Z)) {
    const RUN: usize = 8;
    for run in items.chunks_mut(RUN) {
        for i in 1..run.len() {
            let item = run[i];
            let at = run[..i].iter().rposition(|other| other.z <= item.z).map_or(0, |p| p + 1);
            if at < i {
                fell(&run[at..i], item);
                run[at..=i].rotate_right(1);
            }
        }
    }
    let mut spare = items.clone();
    let mut width = RUN;
    while width < items.len() {
        for (from, to) in items.chunks(2 * width).zip(spare.chunks_mut(2 * width)) {
            let (left, right) = from.split_at(width.min(from.len()));
            merge(left, right, to, &mut fell);
        }
        std::mem::swap(items, &mut spare);
        width *= 2;
    }
}

#[inline]
fn merge(left: &[Z], right: &[Z], to: &mut [Z], fell: &mut impl FnMut(&[Z], Z)) {
    let (mut l, mut r) = (0, 0);
    for slot in to {
        let take_left = r == right.len() || l < left.len() && left[l].z <= right[r].z;
        if take_left {
            *slot = left[l];
            l += 1;
        } else {
            *slot = right[r];
            if l < left.len() {
                fell(&left[l..], right[r]);
            }
            r += 1;
        }
    }
}

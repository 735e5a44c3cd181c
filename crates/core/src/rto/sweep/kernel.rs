//! The replay of 1983 for a group of pairs (F1, F2) at once, each at every G.
//!
//! Lanes hold pairs, records are walked outside them. E does not depend on G, so one E a lane serves
//! all levels of G. A block of records is walked once for E ([`Group::walk`]), then for each level
//! those records are counted that are late at it ([`count`]). Levels ascend, and g·E grows with g and
//! with E, also after rounding: a record that is in time for the least E of the group is in time for
//! all its lanes, at this level and at all that follow, and is looked at no more.
//!
//! Every product is rounded as in [`replay`](super::super::replay) (R > fl(G·E)/scale; R/E > G is not
//! the same) and every sum is taken in the order of time, so each lane is the one-at-a-time replay to
//! the bit.

use crate::trace::Outcome;

/// Pairs in a group.
pub(super) const LANES: usize = 16;
/// Lanes whose sums fit in the registers of a small vector unit.
const HALF: usize = LANES / 2;
/// Records in a block: their E stays in the nearest cache.
const BLOCK: usize = 128;

pub(super) type Lanes = [f64; LANES];

/// A group of pairs, and what it has come to in one trace.
#[derive(Debug, Clone)]
pub(super) struct Group {
    f1: Lanes,
    f2: Lanes,
    e: Lanes,
    /// By level of G.
    pub(super) costs: Vec<Costs>,
    block: Box<Block>,
}

/// Per lane: packets sent again though only late, their delays, time waited for lost packets.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Costs {
    pub(super) rtx: [u64; LANES],
    pub(super) rtx_time: Lanes,
    pub(super) lost_time: Lanes,
}

/// The replies of a block.
#[derive(Debug, Clone)]
struct Block {
    /// E when the record was sent.
    e: [Lanes; BLOCK],
    late: [Late; BLOCK],
}

/// A record that some lane may find late: where it is in the block, its delay, the G·E that is long
/// enough for it ([`enough`]), and its group's least E.
#[derive(Debug, Clone, Copy, Default)]
struct Late {
    at: usize,
    delay: f64,
    enough: f64,
    least: f64,
}

impl Group {
    /// `e` before any reply, as the estimator sees delays.
    pub(super) fn new(f1: Lanes, f2: Lanes, levels: usize, e: f64) -> Self {
        let block = Box::new(Block { e: [[0.0; LANES]; BLOCK], late: [Late::default(); BLOCK] });
        Self { f1, f2, e: [e; LANES], costs: vec![Costs::default(); levels], block }
    }

    /// Begins another trace.
    pub(super) fn restart(&mut self, e: f64) {
        self.e = [e; LANES];
        self.costs.fill(Costs::default());
    }

    /// The first record's delay, as the estimator sees it, sets E and is not tested.
    pub(super) fn prime(&mut self, delay: f64) {
        self.e = [delay; LANES];
    }

    /// Replays records that follow those replayed before. `levels` ascend, as many as there are
    /// [`Group::costs`].
    pub(super) fn replay(&mut self, levels: &[f64], scale: f64, delays: &[f64], outcomes: &[Outcome]) {
        for (delays, outcomes) in delays.chunks(BLOCK).zip(outcomes.chunks(BLOCK)) {
            let mut replies = self.walk(levels, scale, delays, outcomes);
            for (&g, costs) in levels.iter().zip(&mut self.costs) {
                let late = &mut self.block.late[..replies];
                replies = keep_late(late, g);
                if replies == 0 {
                    break;
                }
                count(costs, &self.block.e, &self.block.late[..replies], g);
            }
        }
    }

    /// Walks a block: keeps E before each reply, waits for lost packets. The number of replies.
    #[inline(never)]
    fn walk(&mut self, levels: &[f64], scale: f64, delays: &[f64], outcomes: &[Outcome]) -> usize {
        let (f1, f2) = (self.f1, self.f2);
        let mut e = self.e;
        let Block { e: before, late } = &mut *self.block;
        let mut replies = 0;
        for (&delay, &outcome) in delays.iter().zip(outcomes) {
            if outcome.is_timed() {
                let (Some(before), Some(late)) = (before.get_mut(replies), late.get_mut(replies)) else {
                    break;
                };
                *before = e;
                *late = Late { at: replies, delay, enough: enough(delay, scale), least: least(&e) };
                replies += 1;
                let r = delay * scale;
                for i in 0..LANES {
                    let f = if r < e[i] { f1[i] } else { f2[i] };
                    e[i] = f * e[i] + (1.0 - f) * r;
                }
            } else if outcome == Outcome::Lost {
                wait(&mut self.costs, levels, &e, scale);
            }
        }
        self.e = e;
        replies
    }
}

/// A lost packet costs every lane its timeout.
#[inline(never)]
fn wait(costs: &mut [Costs], levels: &[f64], e: &Lanes, scale: f64) {
    for (&g, costs) in levels.iter().zip(costs) {
        for (cost, e) in costs.lost_time.iter_mut().zip(e) {
            *cost += g * e / scale;
        }
    }
}

/// Moves those to the front that some lane finds late; how many there are.
#[inline(never)]
fn keep_late(late: &mut [Late], g: f64) -> usize {
    let mut kept = 0;
    for i in 0..late.len() {
        let l = late[i];
        late[kept] = l;
        kept += usize::from(g * l.least < l.enough);
    }
    kept
}

/// Counts what each lane finds late at one level. Masks and short loops, one operation each: that is
/// the shape which compilers turn into vector code.
#[inline(never)]
fn count(costs: &mut Costs, e: &[Lanes; BLOCK], late: &[Late], g: f64) {
    for half in [0, HALF] {
        let lanes = half..half + HALF;
        let mut rtx = [0_u64; HALF];
        let mut time = [0.0; HALF];
        rtx.copy_from_slice(&costs.rtx[lanes.clone()]);
        time.copy_from_slice(&costs.rtx_time[lanes.clone()]);
        for &Late { at, delay, enough, .. } in late {
            let e = &e[at % BLOCK];
            let mut masks = [0_u64; HALF];
            for i in 0..HALF {
                masks[i] = if g * e[half + i] < enough { u64::MAX } else { 0 };
            }
            for i in 0..HALF {
                rtx[i] = rtx[i].wrapping_sub(masks[i]);
            }
            for i in 0..HALF {
                time[i] += f64::from_bits(delay.to_bits() & masks[i]);
            }
        }
        costs.rtx[lanes.clone()].copy_from_slice(&rtx);
        costs.rtx_time[lanes].copy_from_slice(&time);
    }
}

/// The least number that over `scale` is no less than a delay: a timeout of G·E/scale is too short for
/// the delay if, and only if, G·E is less than that.
#[inline]
fn enough(delay: f64, scale: f64) -> f64 {
    let product = delay * scale;
    // A power of two changes no digit, but among the very smallest numbers.
    let is_power_of_two = scale.to_bits() << 12 == 0;
    if is_power_of_two && delay.min(product) > f64::MIN_POSITIVE {
        return product;
    }
    nearby(product, delay, scale)
}

#[cold]
#[inline(never)]
fn nearby(mut t: f64, delay: f64, scale: f64) -> f64 {
    while t > 0.0 && t / scale >= delay {
        t = t.next_down();
    }
    while t / scale < delay {
        t = t.next_up();
    }
    t
}

/// By halves, as vector units do it.
#[inline]
fn least(e: &Lanes) -> f64 {
    let mut m = *e;
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            m[i] = if m[i + width] < m[i] { m[i + width] } else { m[i] };
        }
        width /= 2;
    }
    m[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_timeout_is_too_short_exactly_below_what_is_enough(
            delay in prop_oneof![0.0..1e10_f64, 0.0..1e-300_f64, Just(0.0), (0_u64..9).prop_map(f64::from_bits)],
            scale in prop_oneof![0.001..1000.0_f64, (-9..10).prop_map(|k| libm::exp2(f64::from(k)))],
        ) {
            let enough = enough(delay, scale);
            prop_assert!(enough / scale >= delay);
            prop_assert!(enough == 0.0 || enough.next_down() / scale < delay);
        }
    }
}

//! Where the lost packets stand.
//!
//! A loss leaves the estimate alone and costs the timeout in force, so the places can be chosen
//! after the delays are settled: some timeouts, as many as there are losses, with a given sum.

use super::aim::{Window, middle};
use super::random::Random;

/// Swaps before the places are taken as they are.
const SWAPS: usize = 4000;

/// Before which records the losses come, in ascending order; several may come before one. They begin
/// at random and are swapped while that brings the sum nearer. `timeouts` are those before each
/// record and after the last.
pub(super) fn places(timeouts: &[f64], count: usize, lost: Window, random: &mut Random) -> Vec<usize> {
    // Never before the first record, where no timeout is known yet.
    let place = |random: &mut Random| 1 + random.below(timeouts.len() - 1);
    let mut at: Vec<usize> = (0..count).map(|_| place(random)).collect();
    let mut sum: f64 = at.iter().map(|&i| timeouts[i]).sum();
    let middle = middle(lost);
    for _ in 0..SWAPS {
        if count == 0 || sum >= lost.0 && sum < lost.1 {
            break;
        }
        let (which, to) = (random.below(count), place(random));
        let swapped = sum - timeouts[at[which]] + timeouts[to];
        if (swapped - middle).abs() < (sum - middle).abs() {
            at[which] = to;
            sum = swapped;
        }
    }
    at.sort_unstable();
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_met_where_it_can_be() {
        let timeouts: Vec<f64> = (0..=512).map(|i| 100.0 + f64::from(i * 37 % 400)).collect();
        for (count, lost) in [(1, (450.0, 460.0)), (40, (12_000.0, 12_010.0)), (200, (80_000.0, 80_010.0))] {
            let at = places(&timeouts, count, lost, &mut Random::new(1));
            let sum: f64 = at.iter().map(|&i| timeouts[i]).sum();
            assert!(sum >= lost.0 && sum < lost.1, "{count}: {sum}");
            assert!(at.len() == count && at.is_sorted() && at[0] > 0);
        }
        assert!(places(&timeouts, 0, (0.0, 0.0), &mut Random::new(1)).is_empty());
        // Out of reach: as near as may be.
        let at = places(&timeouts, 2, (1e6, 1e6 + 10.0), &mut Random::new(1));
        assert!(at.iter().map(|&i| timeouts[i]).sum::<f64>() > 980.0, "{at:?}");
    }
}

//! What a printed row asks of a trace: the range each cut figure stands for, and a point inside.

use super::REPLIES;
use crate::rto::printed::Run;

/// From the first to before the second.
pub(super) type Window = (f64, f64);

pub(super) fn middle(w: Window) -> f64 {
    f64::midpoint(w.0, w.1)
}

/// Times in ms.
#[derive(Debug)]
pub(super) struct Aim {
    pub(super) cov: Window,
    /// The sum of all delays, to be hit: a whole number.
    pub(super) good: f64,
    /// The sum of the late delays, to be hit: a whole number.
    pub(super) rtx: f64,
    /// What the losses may cost beside just these two.
    pub(super) lost: Window,
}

/// A window's edge is left this far away, so that another order of summing cannot cross it.
const EDGE_MS: f64 = 1e-3;
/// Parts of a window, at whose inner bounds points are tried.
const PARTS: i32 = 16;

impl Aim {
    /// The point farthest from the edges of every window. The figures hang together (total is the
    /// sum of the three times, efficiency a quotient), so the middle of each will not do.
    pub(super) fn of(run: &Run) -> Self {
        let n = REPLIES as f64;
        let good = (n * run.mean_ms, n * (run.mean_ms + 1.0));
        let tenth = |count: u32, s: f64| (1000.0 * s, 1000.0 * s + if count == 0 { 0.0 } else { 100.0 });
        let (rtx, lost) = (tenth(run.rtx, run.rtx_s), tenth(run.lost, run.lost_s));
        let part = |w: Window, i: i32| (w.0 + (w.1 - w.0) * f64::from(i) / f64::from(PARTS)).round();
        let mut aim = Self { cov: (run.cov, run.cov + 0.01), good: 0.0, rtx: 0.0, lost: (0.0, 0.0) };
        let mut widest = f64::NEG_INFINITY;
        for step in 0..(PARTS - 1) * (PARTS - 1) {
            let g = part(good, 1 + step / (PARTS - 1));
            let r = part(rtx, 1 + step % (PARTS - 1));
            let rest = rest(run, g, r);
            let both = (lost.0.max(rest.0) + EDGE_MS, lost.1.min(rest.1) - EDGE_MS);
            // The distance to the nearest edge as a part of the window.
            let room = |v: f64, w: Window, size: f64| (v - w.0).min(w.1 - v) / size;
            let late = if run.rtx == 0 { 1.0 } else { room(r, rtx, 100.0) };
            let after = match run.lost {
                0 => room(0.0, rest, 1000.0),
                _ => (both.1 - both.0) / 200.0,
            };
            let least = room(g, good, n).min(late).min(after);
            if least > widest {
                widest = least;
                (aim.good, aim.rtx, aim.lost) = (g, r, both);
            }
        }
        aim
    }
}

/// What total and efficiency leave to the losses.
fn rest(run: &Run, good: f64, rtx: f64) -> Window {
    let sum = good + rtx;
    let total = (1000.0 * run.total_s - sum, 1000.0 * (run.total_s + 1.0) - sum);
    if run.lost == 0 && run.rtx == 0 {
        // The efficiency is 1 whatever the delays are.
        return total;
    }
    // good / (sum + lost) must be from the printed value to before the next.
    let efficiency = (good / (run.efficiency + 0.01) - sum, good / run.efficiency - sum);
    (total.0.max(efficiency.0), total.1.min(efficiency.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rto::printed::runs;

    #[test]
    fn every_row_leaves_room_around_the_aim() {
        for run in runs() {
            let (aim, name) = (Aim::of(run), run.name());
            let lost = if run.lost == 0 { 0.0 } else { middle(aim.lost) };
            assert!(run.lost == 0 || aim.lost.1 - aim.lost.0 > 20.0, "{name}: {aim:?}");
            let total = aim.good + aim.rtx + lost;
            let cut = |v: f64, unit: f64| (v / unit).floor() * unit;
            assert_eq!(cut(aim.good / 512.0, 1.0), run.mean_ms, "{name}");
            assert_eq!(cut(total / 1000.0, 1.0), run.total_s, "{name}");
            assert!((cut(aim.rtx / 1000.0, 0.1) - run.rtx_s).abs() < 1e-9, "{name}");
            assert!((cut(lost / 1000.0, 0.1) - run.lost_s).abs() < 1e-9, "{name}");
            assert!((cut(aim.good / total, 0.01) - run.efficiency).abs() < 1e-9, "{name}");
        }
    }
}

//! Turns the knobs of one try until its delays print what the row prints of delays.

use super::aim::{Aim, middle};
use super::random::Random;
use super::shape::{Delays, Draw, Ground, Knobs};
use super::{REPLIES, aim::Window};
use crate::rto::Estimator as _;
use crate::rto::printed::Run;

/// Rounds of turning one knob, then the other.
const ROUNDS: usize = 5;
/// Spreads between which the CoV is sought.
const SPREADS: [f64; 9] = [-1.0, -0.5, 0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2];
/// Halvings of a knob's range.
const HALVINGS: usize = 16;
/// This part of a window on either side of its middle is near enough.
const NEAR: f64 = 0.25;
/// Times the scale is set again at the end.
const SCALINGS: usize = 3;
/// Whole milliseconds that are moved at most.
const STEPS: usize = 20_000;

/// The delays of one try. Whether they print the row is for the replay to say.
pub(super) fn fit(run: &Run, ground: &Ground, aim: &Aim, tries: u32, random: &mut Random) -> Delays {
    let draw = Draw::new(run, ground, tries, random);
    let mut out = Delays::new();
    let mut knobs = Knobs { m: run.mean_ms, spread: 0.5 * run.cov, g: 1.0 };
    let tenth: Window = (aim.rtx - 50.0, aim.rtx + 50.0);
    // As a part of all time: that does not hang on the scale.
    let late = (tenth.0 / aim.good, tenth.1 / aim.good);
    let late_off = |d: &Delays| off(d.late / d.sum, late);
    let cov_off = |d: &Delays| off(d.cov, aim.cov);
    play(&draw, &mut knobs, ground, aim, &mut out);
    for _ in 0..ROUNDS {
        if run.rtx > 0 && late_off(&out) != 0.0 {
            halve((0.0, 4.0), &mut |v| {
                knobs.g = v * v * v;
                play(&draw, &mut knobs, ground, aim, &mut out);
                late_off(&out)
            });
        }
        if cov_off(&out) != 0.0 {
            let mut turn = |v| {
                knobs.spread = v;
                play(&draw, &mut knobs, ground, aim, &mut out);
                cov_off(&out)
            };
            // Where too many records are drawn again the CoV falls once more: the first rise counts.
            let Some(up) = (1..SPREADS.len()).find(|&i| turn(SPREADS[i]) >= 0.0) else { break };
            halve((SPREADS[up - 1], SPREADS[up]), &mut turn);
        }
        if cov_off(&out) == 0.0 && (run.rtx == 0 || late_off(&out) == 0.0) {
            break;
        }
    }
    for _ in 0..SCALINGS {
        play(&draw, &mut knobs, ground, aim, &mut out);
    }
    repair(&draw, aim, &mut out, random);
    out
}

/// Plays, and sets the scale for the next time by how far the sum is off. All but the rounding, the
/// longest delay and a cold start are in proportion to the scale, so it soon stands still.
fn play(draw: &Draw, knobs: &mut Knobs, ground: &Ground, aim: &Aim, out: &mut Delays) {
    draw.play(*knobs, ground, out);
    knobs.m *= aim.good / out.sum;
}

/// How far a value is from the middle of its window; 0 if near enough.
fn off(value: f64, window: Window) -> f64 {
    let off = value - middle(window);
    if off.abs() <= NEAR * (window.1 - window.0) { 0.0 } else { off }
}

/// Halves a range until the function, which rises, gives 0.
fn halve((mut lo, mut hi): Window, f: &mut dyn FnMut(f64) -> f64) {
    for _ in 0..HALVINGS {
        let mid = f64::midpoint(lo, hi);
        let off = f(mid);
        if off == 0.0 {
            return;
        }
        if off < 0.0 {
            lo = mid;
        } else {
            hi = mid;
        }
    }
}

/// Moves whole milliseconds until both sums are met: of the late delays, then of all.
fn repair(draw: &Draw, aim: &Aim, out: &mut Delays, random: &mut Random) {
    for late in [true, false] {
        let places: Vec<usize> = (0..REPLIES).filter(|&i| draw.is_late(i) == late).collect();
        if places.is_empty() {
            continue;
        }
        let mut off = if late {
            aim.rtx - places.iter().map(|&i| out.ms[i]).sum::<f64>()
        } else {
            aim.good - out.ms.iter().sum::<f64>()
        };
        let start = random.below(places.len());
        // Every 7th, so that neighbours are not moved together, as long as that meets them all.
        let stride = if places.len().is_multiple_of(7) { 1 } else { 7 };
        for k in 0..STEPS {
            let step = match off {
                0.0 => break,
                o if o > 0.0 => 1.0,
                _ => -1.0,
            };
            let ms = &mut out.ms[places[(start + stride * k) % places.len()]];
            if *ms + step >= 1.0 {
                *ms += step;
                off -= step;
            }
        }
    }
}

/// The timeout in force before each record, and after the last.
pub(super) fn timeouts(ground: &Ground, ms: &[f64]) -> Vec<f64> {
    let mut estimator = ground.start();
    let mut timeouts = Vec::with_capacity(ms.len() + 1);
    for (i, &r) in ms.iter().enumerate() {
        timeouts.push(estimator.timeout());
        if i == 0 && !ground.cold() {
            estimator.prime(r);
        } else {
            estimator.sample(r);
        }
    }
    timeouts.push(estimator.timeout());
    timeouts
}

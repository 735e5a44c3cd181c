//! Round numbers along an axis, and how they are written.

use netspurt_core::figure::{Axis, Scale, Ticks, sane};

/// Ticks of an axis, ascending or as the figure lists them. `About(n)` gives at most `n`, not
/// counting one at the axis' own beginning, in steps of 1, 2 or 5 times a power of ten.
pub(crate) fn ticks(axis: &Axis, most: usize) -> Vec<(f64, String)> {
    let (lo, hi) = range(axis);
    match &axis.ticks {
        Ticks::None => Vec::new(),
        Ticks::At(list) => list.iter().filter(|(v, _)| (lo..=hi).contains(v)).cloned().collect(),
        Ticks::About(n) => {
            let n = (*n).clamp(1, 100).min(most.max(1));
            let unit =
                if axis.label_unit > 0.0 && axis.label_unit.is_finite() { axis.label_unit } else { 1.0 };
            let mut all = match axis.scale {
                Scale::Linear => linear(lo / unit, hi / unit, n),
                Scale::Log10 => decades(lo / unit, hi / unit, n),
            };
            for (v, _) in &mut all {
                *v *= unit;
            }
            all
        }
    }
}

/// The axis' range, mended where it cannot be drawn; above zero on a logarithmic scale.
pub(crate) fn range(axis: &Axis) -> (f64, f64) {
    let (lo, hi) = sane(axis.range);
    match axis.scale {
        Scale::Linear => (lo, hi),
        Scale::Log10 if hi <= 1e-300 => (0.1, 1.0),
        Scale::Log10 => (if lo > 0.0 { lo.max(hi * 1e-18) } else { hi * 1e-3 }, hi),
    }
}

/// A millionth of a step is drawn in the same place.
const NEAR: f64 = 1e-6;

fn linear(lo: f64, hi: f64, n: usize) -> Vec<(f64, String)> {
    let first = exponent((hi - lo) / (n as f64 + 1.0));
    let steps = (first..).flat_map(|e| [1.0, 2.0, 5.0].map(|m| (m, e)));
    for (m, e) in steps.take(9) {
        // Whole multiples of the step within the range. A step and its neighbours are exact.
        let over = |v: f64| if e < 0 { v * ten(-e) / m } else { v / (m * ten(e)) };
        let (from, to) = ((over(lo) - NEAR).ceil(), (over(hi) + NEAR).floor());
        let inner = to - from + if from - over(lo) < NEAR { 0.0 } else { 1.0 };
        if inner <= n as f64 {
            let value = |k: f64| if e < 0 { k * m / ten(-e) } else { k * m * ten(e) };
            let count = whole_count(to - from + 1.0);
            let values: Vec<f64> = (0..count).map(|i| value(from + i as f64)).collect();
            return values.iter().map(|&v| (v, label(v, e, &values))).collect();
        }
    }
    Vec::new()
}

fn decades(lo: f64, hi: f64, n: usize) -> Vec<(f64, String)> {
    let (from, to) = ((libm::log10(lo) - NEAR).ceil(), (libm::log10(hi) + NEAR).floor());
    let count = whole_count(to - from + 1.0);
    if count < 2 {
        return linear(lo, hi, n);
    }
    let stride = count.div_ceil(n + 1);
    (0..count)
        .step_by(stride)
        .map(|i| {
            let e = exponent_of(from + i as f64);
            let v = if e < 0 { 1.0 / ten(-e) } else { ten(e) };
            (v, label(v, e, &[v]))
        })
        .collect()
}

/// A multiple of ten to the `e`, with as many decimals as its fellows; far from one with a power of
/// ten.
fn label(v: f64, e: i32, all: &[f64]) -> String {
    let greatest = all.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let top = exponent(greatest);
    if top >= 9 || e < -6 {
        let scaled = if top < 0 { v * ten(-top) } else { v / ten(top) };
        let power = if top < 0 { format!("e−{}", -top) } else { format!("e{top}") };
        let text = fixed(scaled, top - e);
        return if v == 0.0 { "0".to_owned() } else { text + &power };
    }
    fixed(v, -e)
}

/// With so many decimals, a true minus sign, and thin spaces from 10 000 on.
fn fixed(v: f64, decimals: i32) -> String {
    let decimals = usize::try_from(decimals).unwrap_or(0).min(20);
    let text = format!("{:.decimals$}", v.abs());
    let whole = text.find('.').unwrap_or(text.len());
    let negative = v < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b));
    let mut out = String::from(if negative { "−" } else { "" });
    for (i, c) in text.chars().enumerate() {
        if whole > 4 && i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(c);
    }
    out
}

/// Ten to the power of `e`, exact up to 22.
fn ten(e: i32) -> f64 {
    (0..e).fold(1.0, |p, _| p * 10.0)
}

/// The power of ten at or below `v`.
fn exponent(v: f64) -> i32 {
    if v > 0.0 { exponent_of((libm::log10(v) + 1e-12).floor()) } else { 0 }
}

#[expect(clippy::cast_possible_truncation, reason = "exponents of finite numbers are small")]
fn exponent_of(v: f64) -> i32 {
    v.clamp(-320.0, 320.0) as i32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn whole_count(v: f64) -> usize {
    v.clamp(0.0, 1000.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(range: (f64, f64), scale: Scale, n: usize) -> String {
        let axis = Axis { scale, ticks: Ticks::About(n), ..Axis::new("", range) };
        let all = ticks(&axis, n);
        for (v, _) in &all {
            let (lo, hi) = super::range(&axis);
            assert!(*v >= lo - (hi - lo) * 1e-6 && *v <= hi + (hi - lo) * 1e-6, "{v} beyond {range:?}");
        }
        all.iter().map(|(_, l)| l.as_str()).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn ticks_are_round_and_few() {
        let table = [
            ((0.0, 7.0), 4, "0 | 2 | 4 | 6"),
            ((0.0, 595.2), 6, "0 | 100 | 200 | 300 | 400 | 500"),
            ((0.0, 595.2), 3, "0 | 200 | 400"),
            ((0.0, 900.0), 4, "0 | 200 | 400 | 600 | 800"),
            ((0.0, 1.0), 4, "0.0 | 0.5 | 1.0"),
            ((0.0, 1.0), 5, "0.0 | 0.2 | 0.4 | 0.6 | 0.8 | 1.0"),
            ((0.62, 0.95), 4, "0.7 | 0.8 | 0.9"),
            ((-3.0, 3.0), 4, "−2 | 0 | 2"),
            ((0.0, 30_000.0), 4, "0 | 10\u{2009}000 | 20\u{2009}000 | 30\u{2009}000"),
            ((0.0, 9000.0), 4, "0 | 2000 | 4000 | 6000 | 8000"),
            (
                (1e6, 4e6),
                4,
                "1\u{2009}000\u{2009}000 | 2\u{2009}000\u{2009}000 | 3\u{2009}000\u{2009}000 | 4\u{2009}000\u{2009}000",
            ),
            ((0.0, 4e12), 4, "0 | 1e12 | 2e12 | 3e12 | 4e12"),
            ((0.0, 1e-8), 4, "0 | 0.5e−8 | 1.0e−8"),
            ((3.2, 3.9), 1, "3.5"),
        ];
        for (range, n, expected) in table {
            assert_eq!(written(range, Scale::Linear, n), expected, "{range:?}");
        }
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        let table = [
            ((1e-4, 300.0), 7, "0.0001 | 0.001 | 0.01 | 0.1 | 1 | 10 | 100"),
            ((1e-4, 300.0), 3, "0.0001 | 0.01 | 1 | 100"),
            ((2.0, 30_000.0), 4, "10 | 100 | 1000 | 10\u{2009}000"),
            ((2.0, 9.0), 4, "2 | 4 | 6 | 8"),
            ((0.0, 100.0), 4, "0.1 | 1.0 | 10 | 100"),
            ((-5.0, -1.0), 4, "0.1 | 1"),
        ];
        for (range, n, expected) in table {
            assert_eq!(written(range, Scale::Log10, n).replace("1.0 ", "1 "), expected.replace("1.0 ", "1 "));
        }
    }

    #[test]
    fn any_range_has_ticks_soon() {
        let odd = [0.0, -1.0, 1.0, 1e-320, 1e300, -1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e15];
        for a in odd {
            for b in odd {
                for scale in [Scale::Linear, Scale::Log10] {
                    for n in [0, 1, 4, usize::MAX] {
                        let axis = Axis {
                            scale,
                            ticks: Ticks::About(n),
                            range: (a, b),
                            ..Axis::new("", (0.0, 1.0))
                        };
                        let (lo, hi) = super::range(&axis);
                        assert!(
                            hi > lo && (scale == Scale::Linear || lo > 0.0),
                            "{a} {b} {scale:?}: {lo} {hi}"
                        );
                        assert!(ticks(&axis, n).len() <= 101);
                    }
                }
            }
        }
    }
}

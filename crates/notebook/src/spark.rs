//! A trace at a glance: the path of a small picture, as wide as [`WIDTH`] and as high as [`HEIGHT`].
//!
//! Each column of the picture is a stretch of the trace and shows the lowest and the highest delay
//! in it, from zero at the foot to the highest of all at the top. A stretch without an answer is a gap.

use netspurt_core::trace::Trace;
use std::fmt::Write as _;

pub const WIDTH: usize = 64;
pub const HEIGHT: usize = 18;

/// The path, in the letters of SVG. Empty where no delay is known.
pub fn spark(trace: &Trace) -> String {
    let (n, delays, outcomes) = (trace.len(), trace.delays(), trace.outcomes());
    let columns = n.min(WIDTH);
    let extremes: Vec<(f64, f64)> = (0..columns)
        .map(|column| {
            let stretch = column * n / columns..(column + 1) * n / columns;
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for (delay, outcome) in delays[stretch.clone()].iter().zip(&outcomes[stretch]) {
                if outcome.is_timed() {
                    (low, high) = (low.min(*delay), high.max(*delay));
                }
            }
            (low, high)
        })
        .collect();
    let highest = extremes.iter().fold(0.0, |top: f64, (_, high)| top.max(*high));
    let top = if highest > 0.0 { highest } else { 1.0 };
    // Half a unit is kept free above and below, for the width of the line.
    let height = |ms: f64| HEIGHT as f64 - 0.5 - ms / top * (HEIGHT as f64 - 2.0);
    let mut path = String::new();
    for (column, (low, high)) in extremes.into_iter().enumerate().filter(|(_, (low, high))| low <= high) {
        let x = (column as f64 + 0.5) * WIDTH as f64 / columns as f64;
        // Of one delay there is a dot.
        let (from, to) = (height(low), height(high) - 1.0);
        let _ = write!(path, "M{x:.1} {from:.1}V{to:.1}");
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(series: &[Option<f64>], expected: &str) {
        assert_eq!(spark(&Trace::from_series("t", series).unwrap()), expected);
    }

    #[test]
    fn a_loss_is_a_gap_and_a_column_goes_from_low_to_high() {
        check(&[], "");
        check(&[None, None], "");
        check(&[Some(8.0), None, Some(4.0), Some(0.0)], "M8.0 1.5V0.5M40.0 9.5V8.5M56.0 17.5V16.5");
        let many: Vec<_> = (0..640).map(|i| Some(f64::from(i % 10))).collect();
        let path = spark(&Trace::from_series("t", &many).unwrap());
        assert_eq!(path.matches('M').count(), WIDTH);
        assert!(path.starts_with("M0.5 17.5V0.5M1.5 17.5V0.5"), "{path}");
        check(&[Some(0.0)], "M32.0 17.5V16.5");
    }
}

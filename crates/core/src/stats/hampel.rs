//! Outliers against the median of their neighbours (Hampel 1974).

use super::quantile;

/// What a value is compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Local {
    /// The median of the window around the value.
    pub median: f64,
    /// 1.4826 times the median distance from it: the standard deviation, for normal numbers.
    pub deviation: f64,
}

/// For each value the window of `half` values on either side and itself, less at the ends.
pub fn locals(values: &[f64], half: usize) -> Vec<Local> {
    (0..values.len())
        .map(|i| {
            let from = i.saturating_sub(half);
            let to = (i + half + 1).min(values.len());
            let window = &values[from..to];
            let median = quantile::of(window.iter().copied(), 0.5).unwrap_or(f64::NAN);
            let away = quantile::of(window.iter().map(|v| (v - median).abs()), 0.5).unwrap_or(f64::NAN);
            Local { median, deviation: 1.4826 * away }
        })
        .collect()
}

/// Whether a value lies more than `times` deviations above its neighbours' median. Where more than half
/// the neighbours are equal, anything above them does.
pub fn is_above(value: f64, local: &Local, times: f64) -> bool {
    value - local.median > times * local.deviation
}

/// Runs of values that are marked, as index ranges: two that are at most `join` unmarked values apart
/// are one run.
pub fn runs(marked: &[bool], join: usize) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (i, _) in marked.iter().enumerate().filter(|(_, m)| **m) {
        match runs.last_mut() {
            Some(last) if i - last.end <= join => last.end = i + 1,
            _ => runs.push(i..i + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_stands_out_and_a_step_does_not() {
        let mut v = vec![1.0, 1.1, 0.9, 1.0, 1.05, 9.0, 1.0, 0.95, 1.1, 1.0];
        v.extend([5.0, 5.1, 4.9, 5.03, 5.05, 4.98, 4.95, 5.1, 5.02, 4.97]);
        let above: Vec<usize> = locals(&v, 4)
            .iter()
            .enumerate()
            .filter(|(i, l)| is_above(v[*i], l, 6.0))
            .map(|(i, _)| i)
            .collect();
        // The spike, and not the upper half of the step once it is the majority.
        assert!(above.contains(&5) && above.iter().all(|&i| i == 5 || (9..13).contains(&i)), "{above:?}");
    }

    #[test]
    fn windows_are_cut_at_the_ends() {
        let l = locals(&[1.0, 2.0, 9.0], 1);
        assert_eq!(l.iter().map(|l| l.median).collect::<Vec<_>>(), [1.5, 2.0, 5.5]);
        assert_eq!(locals(&[], 3), []);
        let even = locals(&[4.0; 5], 2);
        assert!(even.iter().all(|l| l.deviation == 0.0 && !is_above(4.0, l, 3.0) && is_above(4.1, l, 3.0)));
    }

    #[test]
    fn runs_join_over_short_gaps() {
        let marked = [true, false, true, false, false, true, true];
        assert_eq!(runs(&marked, 0), [0..1, 2..3, 5..7]);
        assert_eq!(runs(&marked, 1), [0..3, 5..7]);
        assert_eq!(runs(&marked, 2), vec![0..7; 1]);
        assert_eq!(runs(&[false; 3], 2), []);
    }
}

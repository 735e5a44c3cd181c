//! Send times where a file gives only some.

/// Fills the gaps in a column of nanoseconds: records lie evenly between their neighbours, and as
/// far apart as the others on average beyond the first and last. `None`: fewer than two are known.
/// Also says how many were filled.
pub(crate) fn fill(times: &[Option<i64>]) -> Option<(Vec<i64>, u64)> {
    let known: Vec<(usize, i64)> = times.iter().enumerate().filter_map(|(i, t)| Some((i, (*t)?))).collect();
    let missing = (times.len() - known.len()) as u64;
    let (&(first, start), &(last, end)) = (known.first()?, known.last()?);
    if missing == 0 {
        return Some((known.iter().map(|(_, t)| *t).collect(), 0));
    }
    if first == last {
        return None;
    }
    let number = |k: usize| i64::try_from(k).unwrap_or(i64::MAX);
    let step = end.saturating_sub(start) / number(last - first);
    let mut filled = Vec::with_capacity(times.len());
    filled.extend((1..=first).rev().map(|k| start.saturating_sub(step.saturating_mul(number(k)))));
    for pair in known.windows(2) {
        let ((a, from), (b, to)) = (pair[0], pair[1]);
        let (gap, n) = (to.saturating_sub(from), number(b - a));
        // In two parts, as the product with the whole gap might not fit.
        filled.extend((0..n).map(|k| from + gap / n * k + gap % n * k / n));
    }
    filled.extend((0..times.len() - last).map(|k| end.saturating_add(step.saturating_mul(number(k)))));
    Some((filled, missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_evenly() {
        let times = [None, Some(10), None, None, Some(40), None, None];
        assert_eq!(fill(&times), Some((vec![0, 10, 20, 30, 40, 50, 60], 5)));
        assert_eq!(fill(&[Some(5)]), Some((vec![5], 0)));
        assert_eq!(fill(&[Some(5), None]), None);
        assert_eq!(fill(&[]), None);
        let times = [Some(0), None, None, Some(1_796_034_244_814_461_001)];
        let thirds = vec![0, 598_678_081_604_820_333, 1_197_356_163_209_640_667, 1_796_034_244_814_461_001];
        assert_eq!(fill(&times), Some((thirds, 2)));
        assert_eq!(fill(&[Some(10), None, Some(5)]), Some((vec![10, 8, 5], 1)));
        assert!(fill(&[Some(i64::MIN), None, Some(i64::MAX), None]).is_some());
    }
}

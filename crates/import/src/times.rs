//! Send times where a file gives only some.

/// Stands in a column of nanoseconds where the time is not known.
pub(crate) const UNKNOWN: i64 = i64::MIN;

/// Fills the gaps in a column of nanoseconds: records lie evenly between their neighbours, and as
/// far apart as the others on average beyond the first and last. Says how many were filled.
/// `None`: fewer than two are known, and some are not.
pub(crate) fn fill(times: &mut [i64]) -> Option<u64> {
    let known = |t: &i64| *t != UNKNOWN;
    let (first, last) = (times.iter().position(known)?, times.iter().rposition(known)?);
    let missing = times.iter().filter(|t| !known(t)).count() as u64;
    if missing == 0 {
        return Some(0);
    }
    if first == last {
        return None;
    }
    let number = |k: usize| i64::try_from(k).unwrap_or(i64::MAX);
    let (start, end) = (times[first], times[last]);
    let step = end.saturating_sub(start) / number(last - first);
    for (k, t) in times[..first].iter_mut().rev().enumerate() {
        *t = start.saturating_sub(step.saturating_mul(number(k + 1)));
    }
    for (k, t) in times[last + 1..].iter_mut().enumerate() {
        *t = end.saturating_add(step.saturating_mul(number(k + 1)));
    }
    let mut before = first;
    for i in first + 1..=last {
        if times[i] == UNKNOWN {
            continue;
        }
        let (from, n) = (times[before], number(i - before));
        let gap = times[i].saturating_sub(from);
        for (k, t) in (1..n).zip(&mut times[before + 1..i]) {
            // In two parts, as the product with the whole gap might not fit.
            *t = from + gap / n * k + gap % n * k / n;
        }
        before = i;
    }
    Some(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(times: &[Option<i64>], expected: Option<(&[i64], u64)>) {
        let mut times: Vec<i64> = times.iter().map(|t| t.unwrap_or(UNKNOWN)).collect();
        let missing = fill(&mut times);
        assert_eq!(missing.map(|n| (&times[..], n)), expected);
    }

    #[test]
    fn gaps_are_filled_evenly() {
        let times = [None, Some(10), None, None, Some(40), None, None];
        check(&times, Some((&[0, 10, 20, 30, 40, 50, 60], 5)));
        check(&[Some(5)], Some((&[5], 0)));
        check(&[Some(5), None], None);
        check(&[], None);
        let times = [Some(0), None, None, Some(1_796_034_244_814_461_001)];
        let thirds = [0, 598_678_081_604_820_333, 1_197_356_163_209_640_667, 1_796_034_244_814_461_001];
        check(&times, Some((&thirds, 2)));
        check(&[Some(10), None, Some(5)], Some((&[10, 8, 5], 1)));
        let mut far = [i64::MIN + 1, UNKNOWN, i64::MAX, UNKNOWN];
        assert_eq!(fill(&mut far), Some(2));
    }
}

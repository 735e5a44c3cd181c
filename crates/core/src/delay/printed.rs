//! The 30 delay lines RFC 889 prints in section 2.1: their rates worked out again, and what the RFC
//! says of them in section 2.2 held against them.

use super::lines::rate_of;
use crate::rto::printed::{DelayLine, Lengths, Run, Segment, line_of, lines, runs};

/// A rate from the printed delays, bits per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recomputed {
    /// 8000 · ΔL / Δd.
    pub rate: f64,
    /// The same for delays half a millisecond off, or up to one if they were cut: Δd ± 1.
    pub interval: (f64, f64),
    /// The printed rate lies in the interval.
    pub holds: bool,
}

/// Works a printed rate out again.
pub fn recompute(segment: &Segment) -> Recomputed {
    let octets = segment.octets.1 - segment.octets.0;
    let ms = segment.delay_ms.1 - segment.delay_ms.0;
    let interval = (rate_of((ms + 1.0) / octets), rate_of((ms - 1.0) / octets));
    let holds = interval.0 <= segment.rate_bps && segment.rate_bps <= interval.1;
    Recomputed { rate: rate_of(ms / octets), interval, holds }
}

/// The segments of a line, the shorter lengths first.
pub fn segments(line: &DelayLine) -> impl Iterator<Item = &Segment> {
    [Some(&line.short), line.long.as_ref()].into_iter().flatten()
}

/// Delay for the longest packets over that for the shortest.
pub fn ratio(line: &DelayLine) -> f64 {
    longest(line) / line.short.delay_ms.0
}

/// Delay at 256 octets, ms.
fn longest(line: &DelayLine) -> f64 {
    line.long.unwrap_or(line.short).delay_ms.1
}

/// Something that is said of the lines, and what they say.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The RFC's words; empty for what stands nowhere in it.
    pub quote: &'static str,
    /// Where they stand, or what is looked at.
    pub place: &'static str,
    /// How it was counted.
    pub counted: &'static str,
    /// What came out.
    pub finding: String,
    /// The rows for which it holds, of how many.
    pub holds: usize,
    pub of: usize,
    /// Hosts for which it does not hold, or that stand out.
    pub others: Vec<&'static str>,
}

/// What section 2.2 and its neighbours say, counted.
pub fn claims() -> Vec<Claim> {
    vec![rates(), two_to_three(), steeper(), jumps(), satellite(), ballpark(), peaks(), round_trips()]
}

/// Holds each of some rows to a rule.
struct Count {
    holds: usize,
    of: usize,
    others: Vec<&'static str>,
}

fn count<'a>(rows: impl Iterator<Item = &'a DelayLine>, rule: impl Fn(&DelayLine) -> bool) -> Count {
    let mut count = Count { holds: 0, of: 0, others: Vec::new() };
    for row in rows {
        count.of += 1;
        if rule(row) {
            count.holds += 1;
        } else {
            count.others.push(row.host);
        }
    }
    count
}

/// Least and greatest.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)))
}

fn of_section(ids: &'static [&'static str]) -> impl Iterator<Item = &'static DelayLine> + Clone {
    lines().iter().filter(move |l| ids.contains(&l.section.id))
}

fn rates() -> Claim {
    let all: Vec<bool> = lines().iter().flat_map(segments).map(|s| recompute(s).holds).collect();
    let (holds, of) = (all.iter().filter(|holds| **holds).count(), all.len());
    let others = lines().iter().filter(|l| segments(l).any(|s| !recompute(s).holds)).map(|l| l.host);
    Claim {
        quote: "a rate computed on the basis of these delays",
        place: "section 2.1",
        counted: "printed rates within 8000·ΔL/(Δd ± 1 ms)",
        finding: format!("{holds} of {of} printed rates follow from the printed delays."),
        holds,
        of,
        others: others.collect(),
    }
}

fn two_to_three() -> Claim {
    let Count { holds, of, others } = count(lines().iter(), |l| (2.0..=3.0).contains(&ratio(l)));
    let above = lines().iter().filter(|l| ratio(l) > 3.0).count();
    let (lo, hi) = range(lines().iter().map(ratio));
    Claim {
        quote: "with the longest packets showing delays two to three times the shortest",
        place: "section 2.2",
        counted: "rows with delay at 256 octets over delay at 40 from 2 to 3",
        finding: format!(
            "{holds} of {of} rows; {above} lie above 3, {} below 2, from {lo:.2} to {hi:.2}.",
            of - holds - above
        ),
        holds,
        of,
        others,
    }
}

fn steeper() -> Claim {
    let two = lines().iter().filter(|l| l.long.is_some());
    let slope = |s: &Segment| (s.delay_ms.1 - s.delay_ms.0) / (s.octets.1 - s.octets.0);
    let times = |l: &DelayLine| l.long.map_or(f64::NAN, |long| slope(&l.short) / slope(&long));
    let Count { holds, of, others } = count(two.clone(), |l| times(l) > 1.0);
    let (lo, hi) = range(two.map(times));
    Claim {
        quote: "the delay characteristic shows a stonger correlation with length for single-packet messages than for multi-packet messages",
        place: "section 2.2",
        counted: "rows of two lines whose first is the steeper",
        finding: format!(
            "{holds} of {of} rows: the first line is {lo:.1} to {hi:.1} times as steep as the second."
        ),
        holds,
        of,
        others,
    }
}

fn jumps() -> Claim {
    let two = lines().iter().filter(|l| l.long.is_some());
    let jump = |l: &DelayLine| l.long.map_or(f64::NAN, |long| long.delay_ms.0 - l.short.delay_ms.1);
    let Count { holds, of, others } = count(two.clone(), |l| jump(l) > 0.0);
    let (lo, hi) = range(two.map(jump));
    Claim {
        quote: "two distinct characteristics",
        place: "section 2.1",
        counted: "rows of two lines where the second begins above the end of the first",
        finding: format!("{holds} of {of} rows: the 126th octet alone costs {lo:.0} to {hi:.0} ms."),
        holds,
        of,
        others,
    }
}

fn satellite() -> Claim {
    let rows = of_section(&["dcn1-satnet", "nta-satnet"]);
    let Count { holds, of, others } = count(rows.clone(), |l| ratio(l) < 2.0);
    let mut elsewhere: Vec<f64> =
        lines().iter().filter(|l| !rows.clone().any(|r| r == *l)).map(ratio).collect();
    elsewhere.sort_by(f64::total_cmp);
    let middle = elsewhere.get(elsewhere.len() / 2).copied().unwrap_or(f64::NAN);
    let (lo, hi) = range(rows.map(ratio).filter(|r| *r < 2.0));
    Claim {
        quote: "one would expect that delays would not be strongly affected by packet length. This is the case with satellite nets",
        place: "section 2",
        counted: "SATNET rows with delay at 256 octets less than twice that at 40",
        finding: format!(
            "{holds} of {of} rows, {lo:.2} to {hi:.2} times, where the rows of other nets have a median of {middle:.2}. TANUM is reached by its own 9600 bps line."
        ),
        holds,
        of,
        others,
    }
}

fn ballpark() -> Claim {
    let satnet = of_section(&["dcn1-satnet"]);
    let milnet = of_section(&["dcn1-milnet"]);
    let (lo, hi) = range(satnet.clone().map(longest));
    let near = |l: &DelayLine| lo / 2.0 <= longest(l) && longest(l) <= 2.0 * hi;
    let Count { holds, of, others } = count(milnet.clone(), near);
    let (from, to) = range(milnet.clone().map(longest));
    let (short, short_to) = range(milnet.map(|l| l.short.delay_ms.0));
    let (sat, sat_to) = range(satnet.map(|l| l.short.delay_ms.0));
    Claim {
        quote: "the delays (at least for the larger packets) from ARPANET hosts (e.g. DCN1) to MILNET hosts (e.g. ISIA) are in the same ballpark as the delays to SATNET hosts (e.g. UCL)!",
        place: "section 2.2",
        counted: "MILNET rows whose delay at 256 octets is within a factor of two of SATNET's",
        finding: format!(
            "{holds} of {of} rows: {from:.0} to {to:.0} ms at 256 octets against {lo:.0} to {hi:.0}; at 40 octets {short:.0} to {short_to:.0} against {sat:.0} to {sat_to:.0}."
        ),
        holds,
        of,
        others,
    }
}

/// The lines of one host in low and in high traffic.
fn pairs() -> impl Iterator<Item = (&'static DelayLine, &'static DelayLine)> {
    let low = lines().iter().filter(|l| l.host.ends_with("-L"));
    low.filter_map(|low| {
        let base = low.host.strip_suffix("-L")?;
        let high = lines().iter().find(|l| l.host.strip_suffix("-H") == Some(base))?;
        Some((low, high))
    })
}

fn peaks() -> Claim {
    let traffic = |low: &DelayLine, high: &DelayLine| {
        (high.short.delay_ms.0 / low.short.delay_ms.0, longest(high) / longest(low))
    };
    let by_length = |(low, high): (&DelayLine, &DelayLine)| {
        let (at_40, at_256) = traffic(low, high);
        ratio(low).min(ratio(high)) > at_40.max(at_256)
    };
    let of = pairs().count();
    let holds = pairs().filter(|p| by_length(*p)).count();
    let words: Vec<String> = pairs()
        .map(|(low, high)| {
            let name = low.host.trim_end_matches("-L");
            let (at_40, at_256) = traffic(low, high);
            format!(
                "{name}: length {:.2} and {:.2} times, traffic {at_40:.2} at 40 octets and {at_256:.2} at 256.",
                ratio(low),
                ratio(high)
            )
        })
        .collect();
    Claim {
        quote: "comparison shows a greater dependency on packet length than on traffic shift",
        place: "section 2.2",
        counted: "hosts measured in low and high traffic where 40 to 256 octets changes the delay more than low to high traffic",
        finding: format!("{holds} of {of} hosts. {}", words.join(" ")),
        holds,
        of,
        others: pairs().filter(|p| !by_length(*p)).map(|(low, _)| low.host).collect(),
    }
}

/// The mean of a line over the lengths of a run, and the run's printed mean; ms. Lengths were drawn
/// from 0 to 256 and raised to 40.
pub fn means(run: &Run) -> Option<(f64, f64)> {
    let line = line_of(run).filter(|_| run.lengths == Lengths::Uniform)?;
    let sum: f64 = (0..=256_u32).map(|l| line.at(l.max(40))).sum();
    Some((sum / 257.0, run.mean_ms))
}

fn round_trips() -> Claim {
    // A busy run of a host that was measured in low traffic only would be compared with that.
    let own = |run: &&Run| line_of(run).is_some_and(|l| run.busy == l.host.ends_with("-H"));
    let rows: Vec<(&'static str, f64)> = runs()
        .iter()
        .filter(own)
        .filter_map(|r| means(r).map(|(line, printed)| (r.id, line / printed)))
        .collect();
    let like_round_trips: Vec<&'static str> =
        rows.iter().filter(|(_, times)| (1.9..=2.1).contains(times)).map(|r| r.0).collect();
    let agree = rows.iter().filter(|(_, times)| (0.9..=1.1).contains(times)).count();
    let others = rows.iter().filter(|(_, times)| !(0.9..=1.1).contains(times)).map(|r| r.0);
    let words: Vec<String> = rows
        .iter()
        .filter(|(_, times)| !(0.9..=1.1).contains(times))
        .map(|(host, times)| format!("{host} {times:.2} times"))
        .collect();
    Claim {
        quote: "",
        place: "sections 2.1, 3.1",
        counted: "runs whose printed mean is within a tenth of the mean of their host's line",
        finding: format!(
            "{agree} of {} runs; not {}. A line at twice the mean looks like round trips where the run has one-way delays: {}.",
            rows.len(),
            words.join(", "),
            like_round_trips.join(", ")
        ),
        holds: agree,
        of: rows.len(),
        others: others.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(host: &str) -> &'static DelayLine {
        lines().iter().find(|l| l.host == host).unwrap()
    }

    #[test]
    fn a_rate_worked_by_hand() {
        // DCN5: 216 octets in 4 ms, printed 366422.
        let r = recompute(&line("DCN5").short);
        assert_eq!((r.rate, r.interval, r.holds), (432_000.0, (345_600.0, 576_000.0), true));
        let r = recompute(&line("KOREA").long.unwrap());
        assert_eq!((r.rate.round(), r.holds), (19_774.0, true));
        let wrong = Segment { rate_bps: 300_000.0, ..line("DCN5").short };
        assert!(!recompute(&wrong).holds);
    }

    /// Counted by hand from the printed table.
    #[test]
    fn claims_are_counted() {
        let counts: Vec<(usize, usize)> = claims().iter().map(|c| (c.holds, c.of)).collect();
        assert_eq!(counts, [(49, 49), (11, 30), (19, 19), (19, 19), (5, 6), (7, 7), (3, 3), (27, 29)]);
        let others: Vec<_> = claims().into_iter().map(|c| c.others).collect();
        assert_eq!((&others[4][..], &others[7][..]), (&["TANUM"][..], &["FACC", "RICE"][..]));
        assert_eq!(others[1].len(), 19);
    }

    #[test]
    fn findings_carry_the_figures() {
        let all = claims();
        assert!(all[1].finding.contains("12 lie above 3, 7 below 2, from 1.29 to 4.64"));
        assert!(all[3].finding.contains("costs 28 to 1423 ms"), "{}", all[3].finding);
        assert!(
            all[6]
                .finding
                .contains("ISID: length 2.84 and 2.67 times, traffic 2.01 at 40 octets and 1.88 at 256")
        );
        assert!(all[7].finding.ends_with("FACC 1.74 times, RICE 1.99 times. A line at twice the mean looks like round trips where the run has one-way delays: RICE."), "{}", all[7].finding);
    }
}

//! One line through delay against length, or two that part at a knee, fitted apart from each other.
//!
//! Every octet of a packet takes 8 bits over the rate of each link it crosses, so a slope in ms per
//! octet is a rate of 8000 / slope bits per second. A rate's interval is the slope's turned over; where
//! the slope's holds 0 there is no finite rate.

use super::knee::{self, Knee};
use super::points::{Band, Length, Points, total};
use crate::stats::distribution::t_within;
use crate::stats::moments::Sum;
use crate::stats::{huber, regression, theil_sen};
use crate::trace::Trace;
use std::fmt;

/// How a line is fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Least squares. Every spasm pulls at it.
    #[default]
    Ols,
    /// The median slope of all pairs.
    TheilSen,
    /// Least squares near the line, absolute deviations far from it.
    Huber,
    /// Least squares through the least delay in each bin of [`BIN`] octets: what the path takes when
    /// every queue is empty (pathchar, Jacobson 1997).
    MinFilter,
}

/// Width of the minimum filter's bins, octets. They begin at multiples of it.
pub const BIN: u32 = 8;

impl Method {
    /// In the order of the list of choices.
    pub const ALL: [Self; 4] = [Self::Ols, Self::TheilSen, Self::Huber, Self::MinFilter];

    /// As on the command line and in documents.
    pub const NAMES: &'static [&'static str] = &["ols", "theil-sen", "huber", "min-filter"];

    /// As in a list of choices.
    pub const TITLES: &'static [&'static str] =
        &["least squares", "median slope (Theil–Sen)", "Huber’s method", "least delay of each 8 octets"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn title(self) -> &'static str {
        ["least squares", "Theil and Sen's median", "Huber's method", "least delays"][self as usize]
    }

    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }
}

/// One line and how well it fits. Lengths in octets, delays in ms.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// Least and greatest length it stands for: those of the packets, and of the knee.
    pub octets: (u32, u32),
    /// Packets it stands for.
    pub n: usize,
    /// Points the line was put through: packets, or bins of the minimum filter.
    pub fitted: usize,
    /// `None` where all packets are of one length.
    pub line: Option<Line>,
    /// The mean delay.
    pub mean: f64,
    /// 1 − Σr² / Σ(d − d̄)² over all packets; below 0 where the level would fit better. `None` without a
    /// line, or if delays do not vary.
    pub r2: Option<f64>,
    /// √(Σr² / n) over all packets, r counted from the line or else the mean.
    pub rmse: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// ms per octet.
    pub slope: f64,
    /// ms, at length 0.
    pub intercept: f64,
    /// 95 % interval. `None` where no point is left over to judge by.
    pub slope_interval: Option<(f64, f64)>,
}

impl Segment {
    /// Delay for a packet of this many octets: on the line, or the mean where there is none.
    pub fn at(&self, octets: f64) -> f64 {
        self.line.map_or(self.mean, |l| l.intercept + l.slope * octets)
    }

    /// Bits per second. `None` without a line, and where no rate is finite: the slope is not above 0, or
    /// its interval holds 0.
    pub fn rate(&self) -> Option<f64> {
        let line = self.line?;
        let possible = line.slope > 0.0 && line.slope_interval.is_none_or(|(lo, _)| lo > 0.0);
        possible.then(|| rate_of(line.slope))
    }

    /// 95 % interval of the rate, the least first; `None` where there is no rate or no interval of the
    /// slope.
    pub fn rate_interval(&self) -> Option<(f64, f64)> {
        self.rate()?;
        let (lo, hi) = self.line?.slope_interval?;
        Some((rate_of(hi), rate_of(lo)))
    }
}

/// Bits per second that take so many ms per octet.
pub fn rate_of(ms_per_octet: f64) -> f64 {
    8000.0 / ms_per_octet
}

/// The fitted lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    pub method: Method,
    /// One or two in ascending order of length; none if no packet has a length.
    pub segments: Vec<Segment>,
    /// The greatest length on the first of two lines.
    pub knee: Option<u32>,
    /// 95 % interval of a knee that was estimated.
    pub knee_interval: Option<(u32, u32)>,
    /// One line against two, by least squares over the default or the asked-for grid. `None` where no
    /// knee on the grid parts the packets.
    pub sup_f: Option<f64>,
    /// What was asked for and could not be fitted.
    pub shortfalls: Vec<Shortfall>,
}

/// Why something is missing from the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortfall {
    /// No packet has both a length and a delay.
    NoLengths,
    /// All packets have this length.
    OneLength(u32),
    /// Packets have these two lengths, and the knee lies between.
    TwoLengths(u32, u32),
    /// No packet is longer than the knee.
    NoneLonger(u32),
    /// No packet is as short as the knee or shorter.
    NoneShorter(u32),
    /// On one side of the knee all packets have this length.
    OneLengthBeside(u32),
    /// No knee of the grid has two lengths on either side.
    NoKnee(u32, u32),
    /// The best knee is the first or the last of the grid: the knee, and the grid from and to.
    KneeAtEnd(u32, u32, u32),
    /// The interval of the knee reaches the first or the last of the grid: the grid from and to.
    OpenInterval(u32, u32),
    /// Packets from the one to the other length lie in one bin of the minimum filter.
    OneBin(u32, u32),
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLengths => {
                write!(
                    f,
                    "No packet has both a length and a delay: there is no line to draw, only a distribution of delays."
                )
            }
            Self::OneLength(octets) => {
                write!(
                    f,
                    "All packets have {octets} octets: their mean is known, a line through one length is not."
                )
            }
            Self::TwoLengths(a, b) => write!(
                f,
                "Packets have {a} or {b} octets and nothing between: one line joins the two means, and nothing shows whether it is straight."
            ),
            Self::NoneLonger(knee) => write!(f, "No packet is longer than {knee} octets: there is one line."),
            Self::NoneShorter(knee) => {
                write!(f, "No packet has {knee} octets or fewer: there is one line.")
            }
            Self::OneLengthBeside(octets) => write!(
                f,
                "On one side of the knee all packets have {octets} octets: their mean is known, a line is not."
            ),
            Self::OneBin(from, to) => write!(
                f,
                "Packets from {from} to {to} octets lie in one bin of {BIN}: one least delay gives no line, another method may."
            ),
            Self::KneeAtEnd(knee, from, to) => write!(
                f,
                "The best knee, after {knee} octets, is at the end of those tried, from {from} to {to}: a better one may lie beyond."
            ),
            Self::OpenInterval(from, to) => write!(
                f,
                "The interval of the knee ends where the trying did, {from} to {to} octets: it may reach beyond."
            ),
            Self::NoKnee(from, to) => write!(
                f,
                "No knee from {from} to {to} octets has two lengths on either side: there is one line."
            ),
        }
    }
}

impl Lines {
    /// Delay in ms for a packet of this many octets; a line goes on beyond its lengths. `None` if there
    /// are no lines.
    pub fn at(&self, octets: u32) -> Option<f64> {
        self.segment(f64::from(octets)).map(|s| s.at(f64::from(octets)))
    }

    /// Which of the lines a length lies on.
    pub fn segment(&self, octets: f64) -> Option<&Segment> {
        match self.knee {
            Some(knee) if octets > f64::from(knee) => self.segments.last(),
            _ => self.segments.first(),
        }
    }

    /// Delay less line, for each point.
    pub fn residuals(&self, points: &Points) -> Vec<f64> {
        points
            .octets
            .iter()
            .zip(&points.delays)
            .map(|(&octets, delay)| self.segment(octets).map_or(0.0, |s| delay - s.at(octets)))
            .collect()
    }

    /// Whether any segment has a slope.
    pub fn has_line(&self) -> bool {
        self.segments.iter().any(|s| s.line.is_some())
    }
}

/// Fits lines by least squares to all packets of a trace. `None` where no packet has both a length and a
/// delay, or all have one length.
pub fn fit_ols(trace: &Trace, knee: Knee) -> Option<Lines> {
    Some(fit(&Points::of(trace, &Band::default()), knee, Method::Ols)).filter(Lines::has_line)
}

/// Fits lines to points.
pub fn fit(points: &Points, knee: Knee, method: Method) -> Lines {
    let lengths = points.lengths();
    let mut shortfalls = Vec::new();
    let asked = if let Knee::Estimate(from, to) = knee { (from, to) } else { knee::OWN };
    let (from, to) = knee::grid(&lengths, asked);
    let found = knee::search(&lengths, (from, to));
    let estimate = matches!(knee, Knee::Estimate(..));
    let at = match knee {
        Knee::None => None,
        Knee::After(at) => Some(at),
        Knee::Estimate(..) => {
            if found.is_none() && lengths.len() > 1 {
                shortfalls.push(Shortfall::NoKnee(from, to));
            }
            match found {
                Some(found) if found.at_end => {
                    // Of a stretch of knees that part the packets alike, the one at the grid's end.
                    let knee = if found.knee == from { from } else { to };
                    shortfalls.push(Shortfall::KneeAtEnd(knee, from, to));
                }
                Some(found) if found.is_open => shortfalls.push(Shortfall::OpenInterval(from, to)),
                _ => {}
            }
            found.map(|f| f.knee)
        }
    };
    let at = at.filter(|&at| parts(&lengths, at, &mut shortfalls));
    let sides: Vec<&[Length]> = match at {
        None => vec![&lengths],
        Some(at) => {
            let (short, long) = lengths.split_at(lengths.partition_point(|l| l.octets <= at));
            vec![short, long]
        }
    };
    let mut segments: Vec<Segment> = sides.iter().filter_map(|side| segment(points, side, method)).collect();
    if let (Some(at), [short, long]) = (at, &mut segments[..]) {
        short.octets.1 = at;
        long.octets.0 = at + 1;
    }
    for side in sides {
        if let [first, .., last] = side
            && method == Method::MinFilter
            && first.octets / BIN == last.octets / BIN
        {
            shortfalls.push(Shortfall::OneBin(first.octets, last.octets));
        }
    }
    match lengths[..] {
        [] => shortfalls.push(Shortfall::NoLengths),
        [Length { octets, .. }] => shortfalls.push(Shortfall::OneLength(octets)),
        _ => {}
    }
    Lines {
        method,
        segments,
        knee: at,
        knee_interval: found.filter(|_| estimate && at.is_some()).map(|f| f.interval),
        sup_f: found.and_then(|f| f.sup_f),
        shortfalls,
    }
}

/// Whether a knee leaves two lines, or one and a level, rather than one line.
fn parts(lengths: &[Length], at: u32, shortfalls: &mut Vec<Shortfall>) -> bool {
    let short = lengths.partition_point(|l| l.octets <= at);
    match (&lengths[..short], &lengths[short..]) {
        // All one length, or none: that is said elsewhere.
        ([], [] | [_]) | ([_], []) => return false,
        ([], _) => shortfalls.push(Shortfall::NoneShorter(at)),
        (_, []) => shortfalls.push(Shortfall::NoneLonger(at)),
        ([a], [b]) => shortfalls.push(Shortfall::TwoLengths(a.octets, b.octets)),
        ([one], _) | (_, [one]) => {
            shortfalls.push(Shortfall::OneLengthBeside(one.octets));
            return true;
        }
        _ => return true,
    }
    false
}

/// The line through the packets of these lengths; `None` without any.
fn segment(points: &Points, lengths: &[Length], method: Method) -> Option<Segment> {
    let (first, last) = (lengths.first()?, lengths.last()?);
    let octets = (first.octets, last.octets);
    let sums = total(lengths);
    let within = |l: f64| f64::from(octets.0) <= l && l <= f64::from(octets.1);
    let (x, y): (Vec<f64>, Vec<f64>) =
        points.octets.iter().zip(&points.delays).filter(|(l, _)| within(**l)).unzip();
    let (line, fitted) = match method {
        Method::Ols => (sums.line().map(by_least_squares), sums.n),
        Method::TheilSen => (theil_sen::fit(&x, &y).map(by_medians), sums.n),
        Method::Huber => (huber::fit(&x, &y).map(by_huber), sums.n),
        Method::MinFilter => {
            let (x, y) = least(lengths);
            (regression::fit(&x, &y).map(by_least_squares), x.len())
        }
    };
    let mean = sums.y_mean();
    let squares = match (line, method) {
        (Some(_), Method::Ols) | (None, _) => sums.rss(),
        (Some(line), _) => {
            let r = x.iter().zip(&y).map(|(x, y)| y - line.intercept - line.slope * x);
            r.map(|r| r * r).collect::<Sum>().value()
        }
    };
    let syy = sums.syy();
    Some(Segment {
        octets,
        n: sums.n,
        fitted,
        line,
        mean,
        r2: line.filter(|_| syy > 0.0).map(|_| 1.0 - squares / syy),
        rmse: (squares / sums.n as f64).sqrt(),
    })
}

fn interval(slope: f64, se: Option<f64>, freedom: usize) -> Option<(f64, f64)> {
    let reach = t_within(freedom, 0.95)? * se?;
    Some((slope - reach, slope + reach))
}

fn by_least_squares(l: regression::Line) -> Line {
    Line { slope: l.slope, intercept: l.intercept, slope_interval: interval(l.slope, l.slope_se, l.freedom) }
}

fn by_medians(l: theil_sen::TheilSen) -> Line {
    Line { slope: l.slope, intercept: l.intercept, slope_interval: l.slope_interval }
}

fn by_huber(l: huber::Huber) -> Line {
    Line { slope: l.slope, intercept: l.intercept, slope_interval: interval(l.slope, l.slope_se, l.freedom) }
}

/// The least delay of each bin with its length; of equals that of the shorter packet.
fn least(lengths: &[Length]) -> (Vec<f64>, Vec<f64>) {
    lengths
        .chunk_by(|a, b| a.octets / BIN == b.octets / BIN)
        .filter_map(|bin| bin.iter().reduce(|a, b| if b.least < a.least { b } else { a }))
        .map(|l| (f64::from(l.octets), l.least))
        .unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Random;
    use crate::trace::{Fate, Provenance, TraceBuilder};
    use proptest::prelude::*;

    fn points(of: &[(u32, f64)]) -> Points {
        Points {
            octets: of.iter().map(|p| f64::from(p.0)).collect(),
            delays: of.iter().map(|p| p.1).collect(),
            records: (0..of.len() as u32).collect(),
        }
    }

    /// Delays on two lines that part at `knee`, with a queue that is often empty.
    fn on_lines(
        knee: u32,
        (a, b): (f64, f64),
        (c, d): (f64, f64),
        queue: f64,
        n: usize,
        seed: u64,
    ) -> Points {
        let mut rng = Random::new(seed);
        let of: Vec<(u32, f64)> = (0..n)
            .map(|_| {
                let octets = ((rng.unit() * 257.0) as u32).max(40);
                let l = f64::from(octets);
                let line = if octets <= knee { a + b * l } else { c + d * l };
                let wait = if rng.unit() < 0.5 { queue * rng.exponential() } else { 0.0 };
                (octets, line + wait)
            })
            .collect();
        points(&of)
    }

    #[test]
    fn two_lines_worked_by_hand() {
        // 10 + 0.5 L up to 125, 100 + 0.25 L above.
        let p = points(&[(40, 30.0), (100, 60.0), (120, 70.0), (130, 132.5), (200, 150.0), (256, 164.0)]);
        for method in Method::ALL {
            let lines = fit(&p, Knee::After(125), method);
            let [short, long] = &lines.segments[..] else { panic!("{lines:?}") };
            assert_eq!((short.octets, long.octets, short.n, long.n), ((40, 125), (126, 256), 3, 3));
            let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{method:?}: {a} {b}");
            near(short.rate().unwrap(), 16_000.0);
            near(long.rate().unwrap(), 32_000.0);
            near(lines.at(125).unwrap(), 72.5);
            near(lines.at(126).unwrap(), 131.5);
            near(short.rmse, 0.0);
            near(long.r2.unwrap(), 1.0);
            assert!(lines.residuals(&p).iter().all(|r| r.abs() < 1e-9));
            assert_eq!((lines.knee, lines.knee_interval, lines.shortfalls.len()), (Some(125), None, 0));
        }
    }

    #[test]
    fn an_interval_is_turned_over() {
        // Norris's line: slope 1.002 ± 2.032·0.00043.
        let segment = |lo, hi| Segment {
            octets: (40, 256),
            n: 9,
            fitted: 9,
            line: Some(Line { slope: 0.5, intercept: 0.0, slope_interval: Some((lo, hi)) }),
            mean: 0.0,
            r2: None,
            rmse: 0.0,
        };
        assert_eq!(segment(0.4, 0.8).rate_interval(), Some((10_000.0, 20_000.0)));
        assert_eq!(segment(0.4, 0.8).rate(), Some(16_000.0));
        // No finite rate.
        assert_eq!((segment(-0.1, 0.8).rate(), segment(-0.1, 0.8).rate_interval()), (None, None));
        assert_eq!(segment(0.0, 0.8).rate(), None);
    }

    #[test]
    fn lengths_missing_equal_or_two() {
        let check = |of: &[(u32, f64)], knee: Knee, segments: usize, shortfall: &[Shortfall]| {
            let lines = fit(&points(of), knee, Method::Ols);
            assert_eq!((lines.segments.len(), &lines.shortfalls[..]), (segments, shortfall), "{of:?}");
            lines
        };
        let estimate = Knee::Estimate(60, 234);
        for knee in [Knee::None, Knee::After(125), estimate] {
            assert_eq!(check(&[], knee, 0, &[Shortfall::NoLengths]).at(40), None);
            let one = check(&[(64, 1.0), (64, 3.0)], knee, 1, &[Shortfall::OneLength(64)]);
            assert_eq!((one.at(64), one.segments[0].line, one.segments[0].rmse), (Some(2.0), None, 1.0));
        }
        let two = [(40, 10.0), (40, 12.0), (256, 119.0)];
        check(&two, Knee::None, 1, &[]);
        let lines = check(&two, Knee::After(125), 1, &[Shortfall::TwoLengths(40, 256)]);
        assert_eq!((lines.at(40), lines.at(256)), (Some(11.0), Some(119.0)));
        check(&two, estimate, 1, &[Shortfall::NoKnee(60, 234)]);
        check(&[(40, 1.0), (50, 2.0)], Knee::After(125), 1, &[Shortfall::NoneLonger(125)]);
        check(&[(140, 1.0), (150, 2.0)], Knee::After(125), 1, &[Shortfall::NoneShorter(125)]);
        let one_beside = [(40, 1.0), (200, 2.0), (256, 3.0)];
        let lines = check(&one_beside, Knee::After(125), 2, &[Shortfall::OneLengthBeside(40)]);
        assert_eq!((lines.segments[0].line, lines.at(40), lines.has_line()), (None, Some(1.0), true));
    }

    #[test]
    fn the_least_delay_of_a_bin_keeps_its_length() {
        let p = points(&[(40, 9.0), (47, 5.0), (48, 7.0), (50, 6.0), (50, 8.0)]);
        assert_eq!(least(&p.lengths()), (vec![47.0, 50.0], vec![5.0, 6.0]));
        let lines = fit(&p, Knee::None, Method::MinFilter);
        assert_eq!((lines.segments[0].n, lines.segments[0].fitted), (5, 2));
        let one = fit(&points(&[(40, 9.0), (47, 5.0)]), Knee::None, Method::MinFilter);
        assert_eq!((one.has_line(), &one.shortfalls[..]), (false, &[Shortfall::OneBin(40, 47)][..]));
    }

    #[test]
    fn queues_lift_least_squares_but_not_the_least_delays() {
        let p = on_lines(125, (50.0, 1.6), (300.0, 0.4), 60.0, 4000, 1);
        let of = |method| fit(&p, Knee::After(125), method);
        let off = |method| {
            let lines = of(method);
            [40, 125, 126, 256].map(|l| {
                let truth = if l <= 125 { 50.0 + 1.6 * f64::from(l) } else { 300.0 + 0.4 * f64::from(l) };
                lines.at(l).unwrap() - truth
            })
        };
        assert!(off(Method::MinFilter).iter().all(|d| d.abs() < 1.0), "{:?}", off(Method::MinFilter));
        assert!(off(Method::Ols).iter().all(|d| *d > 20.0));
        assert!(off(Method::TheilSen).iter().zip(off(Method::Ols)).all(|(m, o)| *m < o));
    }

    #[test]
    fn intervals_hold_the_true_slope() {
        let mut held = [0; 4];
        for seed in 0..200 {
            let mut rng = Random::new(seed);
            let of: Vec<(u32, f64)> = (0..150)
                .map(|_| {
                    let octets = 40 + (rng.unit() * 217.0) as u32;
                    (octets, 100.0 + 0.8 * f64::from(octets) + 5.0 * rng.normal())
                })
                .collect();
            for (i, method) in Method::ALL.into_iter().enumerate() {
                let lines = fit(&points(&of), Knee::None, method);
                let (lo, hi) = lines.segments[0].line.unwrap().slope_interval.unwrap();
                held[i] += u32::from(lo <= 0.8 && 0.8 <= hi);
            }
        }
        // 190 of 200 are expected, give or take 3.
        assert!(held[..3].iter().all(|h| (179..=198).contains(h)), "{held:?}");
        assert!(held[3] >= 175, "{held:?}");
    }

    #[test]
    fn a_trace_with_lengths_has_lines_and_one_without_has_none() {
        let mut b = TraceBuilder::new("t", Provenance::Typed);
        for octets in [40, 140, 240] {
            b.push(None, Some(octets), Fate::Reply(f64::from(octets))).unwrap();
        }
        let lines = fit_ols(&b.build(), Knee::None).unwrap();
        assert_eq!(lines.at(100), Some(100.0));
        assert_eq!(fit_ols(&Trace::from_series("t", &[Some(1.0), Some(2.0)]).unwrap(), Knee::None), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        /// Lines without noise come back, whatever the method; so do knees.
        #[test]
        fn generated_lines_come_back(
            knee in 70..220_u32,
            first in (0.0..500.0_f64, 0.01..8.0_f64),
            second in (0.0..500.0_f64, 0.01..8.0_f64),
            seed in any::<u64>(),
        ) {
            // Lines that meet at the knee or just after it part at either.
            let jump = |l: f64| (first.0 + first.1 * l - second.0 - second.1 * l).abs();
            prop_assume!(jump(f64::from(knee)) > 1.0 && jump(f64::from(knee) + 1.0) > 1.0);
            let p = on_lines(knee, first, second, 0.0, 300, seed);
            let last_short = p.octets.iter().copied().filter(|l| *l <= f64::from(knee)).fold(0.0, f64::max);
            for method in Method::ALL {
                let lines = fit(&p, Knee::Estimate(60, 234), method);
                prop_assert_eq!(lines.knee, Some(last_short as u32));
                for (segment, (a, b)) in lines.segments.iter().zip([first, second]) {
                    let line = segment.line.unwrap();
                    prop_assert!((line.slope - b).abs() < 1e-9 * (1.0 + b), "{:?} {}", line, b);
                    prop_assert!((line.intercept - a).abs() < 1e-7 * (1.0 + a), "{:?} {}", line, a);
                }
            }
        }

        /// Whatever the packets, there are lines or a word on why there are none.
        #[test]
        fn any_points_are_fitted_or_refused(
            of in prop::collection::vec(
                (prop_oneof![any::<u32>(), 0..300_u32, Just(64)], prop_oneof![0.0..1e12_f64, 0.0..1e-9_f64, Just(0.0)]),
                0..40,
            ),
            knee in prop_oneof![
                Just(Knee::None),
                any::<u32>().prop_map(Knee::After),
                (0..300_u32, 0..300_u32).prop_map(|(a, b)| Knee::Estimate(a, b)),
            ],
        ) {
            let p = points(&of);
            for method in Method::ALL {
                let lines = fit(&p, knee, method);
                prop_assert_eq!(lines.segments.iter().map(|s| s.n).sum::<usize>(), of.len());
                prop_assert!(lines.has_line() || !lines.shortfalls.is_empty());
                prop_assert_eq!(lines.residuals(&p).len(), of.len());
                for s in &lines.segments {
                    prop_assert!(s.octets.0 <= s.octets.1 && s.rmse >= 0.0 && s.r2.is_none_or(|r| r <= 1.0));
                    prop_assert!(s.rate().is_none_or(|r| r > 0.0));
                }
            }
        }

        /// A slope does not depend on when the clock starts or on its unit.
        #[test]
        fn delays_may_be_shifted_and_scaled(seed in any::<u64>(), shift in 0.0..1e4_f64, times in 0.1..10.0_f64) {
            let p = on_lines(125, (50.0, 1.6), (300.0, 0.4), 60.0, 200, seed);
            let mut q = p.clone();
            q.delays.iter_mut().for_each(|d| *d = shift + times * *d);
            for method in Method::ALL {
                let (a, b) = (fit(&p, Knee::After(125), method), fit(&q, Knee::After(125), method));
                for (a, b) in a.segments.iter().zip(&b.segments) {
                    let (a, b) = (a.line.unwrap().slope * times, b.line.unwrap().slope);
                    prop_assert!((a - b).abs() < 1e-6 * (a.abs() + times), "{method:?} {a} {b}");
                }
            }
        }
    }
}

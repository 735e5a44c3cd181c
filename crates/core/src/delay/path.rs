//! A path as a chain of links, and the line it draws through delay against length.
//!
//! Each link stores a message whole before it sends it on. A message of L octets takes
//!
//! ```text
//! delay = Σ propagation + Σ wait + L · Σ 8/rate
//! ```
//!
//! so the slope is the sum of what an octet takes on each link, and the intercept what is left of a
//! message without length. On links that carry packets, as the ARPANET's do, a message of 126 octets or
//! more goes as several packets of up to 125, and each is stored and sent on by itself. While the last
//! packet is on one link, the one before is on the next: an octet more makes only the last packet
//! longer, and costs time only on the links where the end of the message waits for nothing but itself.
//! That is why the second line is flatter. [`Path::terms`] says which links these are.

use super::lines::rate_of;
use crate::params::{Param, ParamError, Params, Range, Settings, Unit};
use crate::parts::{self, Change, Parts, Refused, Written};
use crate::rng::Random;
use crate::trace::{Fate, Measure, Provenance, Trace, TraceBuilder};
use std::fmt;

/// "single-packet messages less than 126 octets in length" (RFC 889, section 2.1)
pub const PACKET: u32 = 125;

/// Bits of the request for buffers and of the ALLOCATE that answers it.
const CONTROL_BITS: f64 = 168.0;

/// More links than any path needs.
const MOST_LINKS: usize = 32;

/// The longest message that is worked out, octets.
pub const LONGEST: u32 = 65_535;

#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Bits per second.
    pub rate: f64,
    /// ms from end to end.
    pub propagation: f64,
    /// The part of the time that others' packets keep the link busy. They have [`PACKET`] octets on
    /// average, exponentially spread; a message that finds the link busy, as this part of them does,
    /// waits an exponential time of mean 8·[`PACKET`]/rate/(1 − load): the queue M/M/1.
    pub load: f64,
    /// Messages go as packets.
    pub packets: bool,
}

impl Default for Link {
    fn default() -> Self {
        Self { rate: 56_000.0, propagation: 0.0, load: 0.0, packets: false }
    }
}

impl Params for Link {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("rate", "", "rate", "How many bits the link carries in a second."),
            Range {
                unit: Unit::BitsPerSecond,
                min: 1.0,
                max: 1e12,
                slider: (1200.0, 60_000.0),
                step: 1200.0,
                fractions: false,
            },
            |p| p.rate,
            |p, v| p.rate = v,
        ),
        Param::number(
            ("prop", "", "propagation", "The time a bit takes from one end of the link to the other."),
            Range {
                unit: Unit::Milliseconds,
                min: 0.0,
                max: 100_000.0,
                slider: (0.0, 300.0),
                step: 1.0,
                fractions: false,
            },
            |p| p.propagation,
            |p, v| p.propagation = v,
        ),
        Param::number(
            ("load", "", "load by others", "The part of the time that packets of others keep the link busy."),
            Range { unit: Unit::One, min: 0.0, max: 0.98, slider: (0.0, 0.95), step: 0.05, fractions: true },
            |p| p.load,
            |p, v| p.load = v,
        ),
        Param::flag(
            ("packets", "", "in packets", "Messages of 126 octets or more go as several packets."),
            |p| p.packets,
            |p, v| p.packets = v,
        ),
    ];
}

impl Link {
    /// ms an octet takes.
    pub fn ms_per_octet(&self) -> f64 {
        8000.0 / self.rate
    }

    /// Mean wait for others' packets, ms.
    pub fn mean_wait(&self) -> f64 {
        self.load * self.busy_wait()
    }

    /// Mean wait of those that wait, ms.
    fn busy_wait(&self) -> f64 {
        f64::from(PACKET) * self.ms_per_octet() / (1.0 - self.load)
    }
}

/// `56k prop=10 load=1/4`
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rate % 1000.0 == 0.0 {
            write!(f, "{}k", self.rate / 1000.0)?;
        } else {
            write!(f, "{}", self.rate)?;
        }
        // The rate stands first, without its name.
        for i in (1..self.len()).filter(|&i| self.value(i) != self.default_value(i)) {
            write!(f, " {}={}", self.spec(i).name, self.spec(i).print(self.value(i)))?;
        }
        Ok(())
    }
}

/// A chain of links.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Path {
    pub links: Vec<Link>,
    /// A message of several packets first asks for buffers to put it together in, and waits for the
    /// answer (RFC 626: "a request for buffer allocation"). The second line then begins with a jump.
    pub reserve: bool,
}

impl Parts for Path {
    fn key(&self) -> &'static str {
        "links"
    }

    fn one(&self) -> &'static str {
        "link"
    }

    fn count(&self) -> (usize, usize) {
        (1, MOST_LINKS)
    }

    fn part(&self, index: usize) -> Option<&dyn Settings> {
        self.links.get(index).map(|l| l as &dyn Settings)
    }

    fn gloss(&self, index: usize) -> String {
        self.links.get(index).map_or_else(String::new, |l| format!("{} bit/s", l.rate))
    }

    fn changed(&self, change: Change<'_>) -> Result<Written, Refused> {
        let mut path = self.clone();
        parts::change(&mut path.links, change, self.count(), |last| last.cloned().unwrap_or_default())?;
        Ok(Written::Text(path.to_string()))
    }
}

/// What is wrong with a path's text.
#[derive(Debug, Clone, PartialEq)]
pub struct PathError {
    /// Which link, from 1.
    pub link: usize,
    pub problem: PathProblem,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PathProblem {
    Empty,
    TooMany,
    /// The first word is no rate.
    Rate(String),
    /// A word without `=` where a setting belongs.
    NotASetting(String),
    Param(ParamError),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            PathProblem::Empty => f.write_str("a path needs a link, such as 9600 or 56k prop=10ms"),
            PathProblem::TooMany => write!(f, "a path has at most {MOST_LINKS} links"),
            PathProblem::Rate(word) => {
                let n = self.link;
                write!(f, "link {n}: a rate is in bits per second, such as 9600, 56k or 1.5M, not {word:?}")
            }
            PathProblem::NotASetting(word) => {
                write!(f, "link {}: {word:?} is not of the form name=value", self.link)
            }
            PathProblem::Param(e) => write!(f, "link {}: {e}", self.link),
        }
    }
}

impl std::error::Error for PathError {}

/// One piece of a message on one link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passage {
    pub link: usize,
    /// Which packet of the message, from 0.
    pub piece: usize,
    pub octets: u32,
    /// When its first bit is sent and its last, ms after the message set out.
    pub start: f64,
    pub end: f64,
    /// Its start waited for the piece before it, not for its own arrival.
    behind: bool,
}

impl Path {
    /// Reads links between commas, each a rate and its settings: `9600, 56k prop=10ms packets=true`.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let fail = |link, problem| Err(PathError { link, problem });
        let mut links = Vec::new();
        for (i, part) in text.split(',').enumerate() {
            let mut words = part.split_whitespace();
            let Some(rate) = words.next() else { return fail(i + 1, PathProblem::Empty) };
            if i == MOST_LINKS {
                return fail(i + 1, PathProblem::TooMany);
            }
            let mut link = Link::default();
            if link.set_text("rate", rate).is_err() {
                return fail(i + 1, PathProblem::Rate(rate.to_owned()));
            }
            for word in words {
                let Some((name, value)) = word.split_once('=') else {
                    return fail(i + 1, PathProblem::NotASetting(word.to_owned()));
                };
                if let Err(e) = link.set_text(name, value) {
                    return fail(i + 1, PathProblem::Param(e));
                }
            }
            links.push(link);
        }
        Ok(Self { links, reserve: false })
    }

    /// Every passage of a message without waiting for others, in the order of links and pieces.
    pub fn passages(&self, octets: u32) -> Vec<Passage> {
        self.schedule(octets.min(LONGEST), |_| 0.0).0
    }

    /// One-way delay in ms of a message of so many octets, up to [`LONGEST`], with every wait for others
    /// at its mean.
    pub fn delay(&self, octets: u32) -> f64 {
        self.schedule(octets.min(LONGEST), |i| self.links[i].mean_wait()).1
    }

    /// On which links an octet more takes time, for a message of so many octets.
    pub fn terms(&self, octets: u32) -> Vec<bool> {
        let passages = self.passages(octets);
        let mut counts = vec![false; self.links.len()];
        // Backwards from the end of the message, along what it waited for.
        let mut at = passages.len().checked_sub(1);
        while let Some(i) = at {
            let p = passages[i];
            let pieces = passages.iter().filter(|q| q.link == p.link).count();
            counts[p.link] |= p.piece + 1 == pieces;
            at = if p.behind {
                Some(i - 1)
            } else {
                // Its own passage of the link before; of the whole message, the last piece's.
                let before = |q: &&Passage| q.link + 1 == p.link;
                let same = passages.iter().filter(before).filter(|q| pieces == 1 || q.piece <= p.piece);
                same.max_by_key(|q| q.piece).and_then(|q| passages.iter().position(|r| r == q))
            };
        }
        counts
    }

    /// Passages and the arrival of the last piece. `wait` is how long the first piece waits for others
    /// on each link.
    fn schedule(&self, octets: u32, mut wait: impl FnMut(usize) -> f64) -> (Vec<Passage>, f64) {
        let mut passages = Vec::new();
        // Octets of each piece and when it is there.
        let mut pieces = vec![(octets, 0.0)];
        for (i, link) in self.links.iter().enumerate() {
            let there = pieces.last().map_or(0.0, |p| p.1);
            if !link.packets {
                // "put together" again.
                pieces = vec![(octets, there)];
            } else if i == 0 || !self.links[i - 1].packets {
                pieces = split(octets).map(|n| (n, there)).collect();
                if self.reserve && pieces.len() > 1 {
                    let asked = there + self.round_trip(i);
                    for piece in &mut pieces {
                        piece.1 = asked;
                    }
                }
            }
            let mut free = f64::NEG_INFINITY;
            for (piece, (octets, ready)) in pieces.iter_mut().enumerate() {
                let ready_at = if piece == 0 { *ready + wait(i) } else { *ready };
                let start = ready_at.max(free);
                let end = start + f64::from(*octets) * link.ms_per_octet();
                passages.push(Passage {
                    link: i,
                    piece,
                    octets: *octets,
                    start,
                    end,
                    behind: free > ready_at,
                });
                free = end;
                *ready = end + link.propagation;
            }
        }
        (passages, pieces.last().map_or(0.0, |p| p.1))
    }

    /// Request and answer over the run of packet links that begins here, ms.
    fn round_trip(&self, first: usize) -> f64 {
        let run = self.links[first..].iter().take_while(|l| l.packets);
        run.map(|l| 2.0 * (CONTROL_BITS * 1000.0 / l.rate + l.propagation)).sum()
    }

    /// The two lines: that of one packet, and the chord from 126 octets to the longest packet of 1983.
    /// The second is `None` where no link carries packets.
    pub fn lines(&self) -> (PathLine, Option<PathLine>) {
        let short = PathLine {
            slope: self.links.iter().map(Link::ms_per_octet).sum(),
            intercept: self.links.iter().map(|l| l.propagation + l.mean_wait()).sum(),
        };
        let (from, to) = (PACKET + 1, 256);
        let long = self.links.iter().any(|l| l.packets).then(|| {
            let slope = (self.delay(to) - self.delay(from)) / f64::from(to - from);
            PathLine { slope, intercept: self.delay(from) - slope * f64::from(from) }
        });
        (short, long)
    }

    /// So many volleys over the path as RFC 889 made them: lengths drawn from 0 to 256 and raised to 40,
    /// one message under way at a time. The same seed gives the same trace, bit for bit.
    pub fn trace(&self, volleys: usize, seed: u64) -> Trace {
        let mut rng = Random::new(seed);
        let mut builder =
            TraceBuilder::new(&format!("a path of {} links", self.links.len()), Provenance::Typed);
        builder.measure = Measure::OneWay;
        builder.note(0, format!("made from the path {self}, seed {seed}; not measured"));
        let mut now = 0.0;
        for _ in 0..volleys {
            let octets = ((rng.unit() * 257.0) as u32).max(40);
            let (_, delay) = self.schedule(octets, |i| {
                let link = &self.links[i];
                if link.load > 0.0 && rng.unit() < link.load {
                    link.busy_wait() * rng.exponential()
                } else {
                    0.0
                }
            });
            let pushed = builder.push(Some(now), Some(octets), Fate::Reply(delay));
            debug_assert!(pushed.is_ok(), "times of links are finite and not negative");
            now += 2.0 * delay;
        }
        builder.build()
    }
}

/// Links between commas.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, link) in self.links.iter().enumerate() {
            write!(f, "{}{link}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// A line that a path draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathLine {
    /// ms per octet.
    pub slope: f64,
    /// ms.
    pub intercept: f64,
}

impl PathLine {
    /// Bits per second.
    pub fn rate(&self) -> f64 {
        rate_of(self.slope)
    }
}

/// Octets of the packets of a message: all full but the last.
fn split(octets: u32) -> impl Iterator<Item = u32> {
    let packets = octets.div_ceil(PACKET).max(1);
    (0..packets).map(move |i| if i + 1 < packets { PACKET } else { octets - i * PACKET })
}

#[cfg(test)]
mod tests {
    use super::super::{Knee, Method, Points, fit, fit_ols};
    use super::*;
    use proptest::prelude::*;

    fn path(text: &str) -> Path {
        Path::parse(text).unwrap()
    }

    #[track_caller]
    fn near(got: f64, expected: f64) {
        assert!((got - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{got} {expected}");
    }

    #[test]
    fn two_links_worked_by_hand() {
        let p = path("9600 prop=2ms, 56k prop=30ms");
        // 100 octets: 83.33 ms and 2, then 14.29 and 30.
        near(p.delay(100), 100.0 / 1.2 + 2.0 + 100.0 / 7.0 + 30.0);
        let (short, long) = p.lines();
        near(short.slope, 1.0 / 1.2 + 1.0 / 7.0);
        near(short.intercept, 32.0);
        assert_eq!(long, None);
        assert_eq!(p.terms(256), [true, true]);
    }

    #[test]
    fn packets_overlap_worked_by_hand() {
        // 8 ms a kilobit: 125 octets take 125 ms on each of two links.
        let p = path("8000 packets=true, 8000 packets=true");
        near(p.delay(125), 250.0);
        // The second packet of 75 octets follows the first: 125 + 125 + 75.
        near(p.delay(200), 325.0);
        assert_eq!((p.terms(100), p.terms(200)), (vec![true, true], vec![false, true]));
        let (short, long) = p.lines();
        near(short.rate(), 4000.0);
        near(long.unwrap().rate(), 8000.0);
        let times: Vec<_> = p.passages(200).iter().map(|p| (p.link, p.piece, p.start, p.end)).collect();
        assert_eq!(
            times,
            [(0, 0, 0.0, 125.0), (0, 1, 125.0, 200.0), (1, 0, 125.0, 250.0), (1, 1, 250.0, 325.0)]
        );
        // A faster link after a slow one waits for the last packet alone.
        let p = path("8000 packets=true, 80k packets=true");
        near(p.delay(200), 125.0 + 75.0 + 7.5);
        assert_eq!(p.terms(200), [true, true]);
        // Put together again before the last link.
        let p = path("8000 packets=true, 8000 packets=true, 16k");
        near(p.delay(200), 325.0 + 100.0);
        assert_eq!(p.terms(200), [false, true, true]);
    }

    #[test]
    fn asking_for_buffers_makes_the_jump() {
        let mut p = path("50k prop=1 packets=true, 50k prop=1 packets=true");
        let before = p.delay(126);
        p.reserve = true;
        near(p.delay(126) - before, 2.0 * (2.0 * 168.0 / 50.0 + 2.0));
        near(p.delay(125), 125.0 * 0.32 + 2.0);
    }

    #[test]
    fn texts_are_read_and_written() {
        for text in ["9600", "56k prop=10 load=1/4", "50k packets=true, 9600 load=0.3"] {
            assert_eq!(path(text).to_string(), text);
        }
        assert_eq!(
            path("1.5M prop=0.01s").links[0],
            Link { rate: 1.5e6, propagation: 10.0, ..Link::default() }
        );
        let check = |text: &str, says: &str| {
            let e = Path::parse(text).unwrap_err().to_string();
            assert!(e.starts_with(says), "{e}");
        };
        check("", "a path needs a link");
        check("9600,", "a path needs a link");
        check("fast", "link 1: a rate is in bits per second, such as 9600, 56k or 1.5M, not \"fast\"");
        check("9600, 0", "link 2: a rate is in bits");
        check("9600 slow", "link 1: \"slow\" is not of the form name=value");
        check("9600 load=1", "link 1: load must be from 0 to 0.98, not 1");
        check("9600 delay=1", "link 1: delay is not a parameter here; there are rate, prop, load, packets");
        check(&["1"; 33].join(","), "a path has at most 32 links");
    }

    #[test]
    fn links_are_changed_one_by_one() {
        let p = path("9600 prop=5, 56k packets=true");
        let check = |change: Change<'_>, expected: Result<&str, &str>| {
            let got = p.changed(change).map_err(|e| e.to_string());
            let expected = expected.map(|text| Written::Text(text.to_owned()));
            assert_eq!(got, expected.map_err(str::to_owned));
        };
        let set = |part, name, text| Change::Set { part, name, text };
        check(set(0, "rate", "4800"), Ok("4800 prop=5, 56k packets=true"));
        check(set(0, "prop", "0"), Ok("9600, 56k packets=true"));
        check(set(1, "load", "1/2"), Ok("9600 prop=5, 56k load=1/2 packets=true"));
        check(Change::Add, Ok("9600 prop=5, 56k packets=true, 56k packets=true"));
        check(Change::Remove { part: 0 }, Ok("56k packets=true"));
        check(set(0, "load", "2"), Err("load must be from 0 to 0.98, not 2"));
        check(set(2, "load", "0"), Err("there is no part 3"));
        check(Change::Remove { part: 2 }, Err("there is no part 3"));
        let one = path("9600").changed(Change::Remove { part: 0 }).unwrap_err();
        assert_eq!(one.to_string(), "there may be from 1 to 32");
    }

    #[test]
    fn a_fit_gives_back_the_sum_of_the_links() {
        let p =
            path("9600 prop=3, 50k packets=true prop=2, 50k packets=true prop=8, 50k packets=true prop=1");
        let lines = fit_ols(&p.trace(512, 1), Knee::After(PACKET)).unwrap();
        let expected: [f64; 2] = [100, 200].map(|octets| {
            let terms = p.terms(octets).into_iter().zip(&p.links);
            terms.filter(|(counts, _)| *counts).map(|(_, l)| l.ms_per_octet()).sum()
        });
        near(expected[0], 8.0 / 9.6 + 3.0 * 0.16);
        near(expected[1], 8.0 / 9.6 + 0.16);
        // Beyond 250 octets a third packet follows; the lines are of up to 250.
        let of = |s: usize| lines.segments[s].line.unwrap().slope;
        near(of(0), expected[0]);
        assert!((of(1) - expected[1]).abs() < 1e-3 * expected[1], "{} {}", of(1), expected[1]);
        near(lines.at(40).unwrap(), p.delay(40));
    }

    #[test]
    fn the_least_delays_of_a_busy_path_give_its_empty_one() {
        let busy = path("9600 load=1/2 prop=3, 56k load=1/2");
        let points = Points::of(&busy.trace(20_000, 3), &super::super::Band::default());
        let lines = fit(&points, Knee::None, Method::MinFilter);
        let line = lines.segments[0].line.unwrap();
        let (short, _) = busy.lines();
        assert!((line.slope - short.slope).abs() < 1e-3 * short.slope, "{line:?} {short:?}");
        assert!((line.intercept - 3.0).abs() < 0.1);
        // And least squares give back the mean wait.
        let ols = fit(&points, Knee::None, Method::Ols).segments[0].line.unwrap();
        assert!((ols.intercept - short.intercept).abs() < 0.1 * short.intercept, "{ols:?} {short:?}");
    }

    proptest! {
        #[test]
        fn any_text_is_a_path_or_an_error(text in "([0-9kM.]{0,4}|[, =]|prop|load|packets|true|ms){0,20}", octets in any::<u32>()) {
            if let Ok(path) = Path::parse(&text) {
                prop_assert_eq!(&Path::parse(&path.to_string()), &Ok(path.clone()));
                prop_assert!(path.delay(octets).is_finite() && path.terms(octets % 2000).len() == path.links.len());
            }
        }

        /// What [`Path::terms`] says is the derivative of the delay.
        #[test]
        fn terms_add_up_to_the_slope(
            links in prop::collection::vec((prop::sample::select(vec![2400.0, 9600.0, 50_000.0, 56_000.0, 230_400.0]), any::<bool>()), 1..7),
            octets in 1..600_u32,
        ) {
            let links = links.into_iter().map(|(rate, packets)| Link { rate, packets, ..Link::default() });
            let path = Path { links: links.collect(), reserve: false };
            let slope = |octets| -> f64 {
                let terms = path.terms(octets).into_iter().zip(&path.links);
                terms.filter(|(counts, _)| *counts).map(|(_, l)| l.ms_per_octet()).sum()
            };
            let step = path.delay(octets + 1) - path.delay(octets);
            // Within an octet the slope may change; then the step lies between.
            let (a, b) = (slope(octets), slope(octets + 1));
            prop_assert!(a.min(b) - 1e-9 <= step && step <= a.max(b) + 1e-9, "{step} {a} {b}");
        }
    }
}

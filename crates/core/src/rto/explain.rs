//! "Why this timeout?": the arithmetic of one record, in the source's own symbols, with the numbers
//! put in.
//!
//! ```text
//! E = F*E + (1 - F)*R     0.75*94 + (1 - 0.75)*151     108.25     RFC 889, 3.3
//! ```
//!
//! An estimator writes its own lines from its state before the record; their results are taken from
//! its state after it, so that an explanation cannot differ from the replay.

use super::estimators::Rule;
use super::replay::{Kind, Options, Sender, View};
use crate::trace::Trace;

/// What happened at one record, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    /// The timeout in force, ms, as in [`Replay::timeouts`](super::Replay::timeouts).
    pub timeout: f64,
    pub kind: Kind,
    pub lines: Vec<Line>,
}

/// One line of arithmetic.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// As the source writes it: `E = F*E + (1 - F)*R`.
    pub rule: &'static str,
    /// The rule's right side with the numbers put in; empty for a rule without numbers.
    pub numbers: String,
    /// `None` for a rule that says something rather than computing it.
    pub result: Option<f64>,
    /// Where the source says so.
    pub section: &'static str,
}

/// Explains a record; `None` where the trace has no such record. Times within the lines are in the
/// source's unit: ms, or microseconds or ticks where the source counts those.
pub fn explain(rule: &dyn Rule, trace: &Trace, options: &Options, record: usize) -> Option<Steps> {
    if record >= trace.len() {
        return None;
    }
    let view = View::new(trace, options, rule);
    let mut estimator = rule.start(&view);
    let mut sender = Sender::new(view, options, rule);
    for i in 0..record {
        sender.step(&mut *estimator, i);
    }
    sender.lines = Some(Lines::default());
    let step = sender.step(&mut *estimator, record);
    let lines = sender.lines.take().unwrap_or_default().0;
    Some(Steps { timeout: step.timeout, kind: step.kind, lines })
}

/// Lines as an estimator writes them.
#[derive(Debug, Default)]
pub struct Lines(Vec<Line>);

impl Lines {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A rule, the values of its symbols and what comes of it.
    pub fn work(
        &mut self,
        section: &'static str,
        rule: &'static str,
        values: &[(&'static str, f64)],
        result: f64,
    ) {
        let numbers = put_in(right_side(rule), values);
        self.0.push(Line { rule, numbers, result: Some(result), section });
    }

    /// A rule that compares: the numbers alone.
    pub fn compare(&mut self, section: &'static str, rule: &'static str, values: &[(&'static str, f64)]) {
        self.0.push(Line { rule, numbers: put_in(rule, values), result: None, section });
    }

    pub fn say(&mut self, section: &'static str, rule: &'static str) {
        self.0.push(Line { rule, numbers: String::new(), result: None, section });
    }
}

/// What stands after `=` or `<-`.
fn right_side(rule: &'static str) -> &'static str {
    [" = ", " <- "].iter().find_map(|sign| rule.split_once(sign)).map_or(rule, |(_, right)| right)
}

/// The rule with a number for each symbol that has one.
fn put_in(rule: &str, values: &[(&'static str, f64)]) -> String {
    let is_symbol = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
    let mut text = String::new();
    let mut rest = rule;
    while let Some(first) = rest.chars().next() {
        let end = if is_symbol(first) {
            rest.find(|c| !is_symbol(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(end);
        match values.iter().find(|(symbol, _)| *symbol == word) {
            Some((_, value)) if *value < 0.0 => {
                text.push('(');
                text.push_str(&figures(*value));
                text.push(')');
            }
            Some((_, value)) => text.push_str(&figures(*value)),
            None => text.push_str(word),
        }
        rest = after;
    }
    text
}

/// A number to six significant figures, whole numbers in full: 0.9375, 0.333333, 108.25, 3600000.
pub fn figures(value: f64) -> String {
    let mut places = 5;
    let mut size = value.abs();
    while size >= 10.0 && places > 0 {
        size /= 10.0;
        places -= 1;
    }
    while size < 1.0 && size > 0.0 && places < 24 {
        size *= 10.0;
        places += 1;
    }
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rto::replay::{Correct, Rules};
    use crate::rto::{all, parse_slot};
    use crate::trace::{Fate, Provenance, TraceBuilder};
    use proptest::prelude::*;

    /// The lines of the last record, with their results.
    #[track_caller]
    fn check(slot: &str, series: &str, options: &Options, expected: &[&str]) {
        let series: Vec<Option<f64>> = series.split(' ').map(|s| s.parse().ok()).collect();
        let trace = Trace::from_series("t", &series).unwrap();
        let rule = parse_slot(slot).unwrap();
        let steps = explain(&*rule, &trace, options, series.len() - 1).unwrap();
        let lines = steps.lines.iter().map(|l| {
            let result = l.result.map(|r| format!(" = {}", figures(r))).unwrap_or_default();
            format!("{}: {}: {}{result}", l.section, l.rule, l.numbers)
        });
        assert_eq!(lines.collect::<Vec<_>>(), expected);
        assert_eq!(explain(&*rule, &trace, options, series.len()), None);
    }

    fn of_1983() -> Options {
        Options::default()
    }

    fn protocol() -> Options {
        Options { replay: Rules::Protocol, ..Options::default() }
    }

    #[test]
    fn mills() {
        check(
            "mills",
            "100",
            &of_1983(),
            &[
                "no reply yet: E = e-cold: 75 = e-cold",
                "RFC 889, 3.3: T = G*E: 2*75 = 150",
                "first reply: E = R: 100 = 100",
            ],
        );
        check(
            "mills",
            "- 151",
            &of_1983(),
            &[
                "no reply yet: E = e-cold: 75 = e-cold",
                "RFC 889, 3.3: T = G*E: 2*75 = 150",
                "too soon: R > T: 151 > 150",
                "RFC 889, 3.3: R >= E: F = F2: 151 >= 75: F = 0.75",
                "RFC 889, 3.3: E = F*E + (1 - F)*R: 0.75*75 + (1 - 0.75)*151 = 94",
            ],
        );
        check(
            "mills",
            "100 60",
            &Options { scale: Some(2.0), ..of_1983() },
            &[
                "RFC 889, 3.3: T = G*E: 2*200 = 400",
                "scale: T = T/scale: 400/2 = 200",
                "in time: R <= T: 60 <= 200",
                "scale: R = R*scale: 60*2 = 120",
                "RFC 889, 3.3: R < E: F = F1: 120 < 200: F = 0.9375",
                "RFC 889, 3.3: E = F*E + (1 - F)*R: 0.9375*200 + (1 - 0.9375)*120 = 195",
            ],
        );
        check(
            "mills",
            "100 -",
            &of_1983(),
            &[
                "RFC 889, 3.3: T = G*E: 2*100 = 200",
                "RFC 889, 3.1: lost: the wait costs T, the estimate stays: ",
            ],
        );
    }

    #[test]
    fn rfc6298() {
        check(
            "rfc6298 min=0",
            "100 180",
            &protocol(),
            &[
                "RFC 6298, 2.3: RTO <- SRTT + max (G, K*RTTVAR): 100 + max (0, 4*50) = 300",
                "RFC 6298, 2.4 and 2.5: RTO <- min(RTO_max, max(RTO_min, RTO)): min(60000, max(0, 300)) = 300",
                "in time: R <= T: 180 <= 300",
                "RFC 6298, 2.3: RTTVAR <- (1 - beta) * RTTVAR + beta * |SRTT - R'|: \
                 (1 - 0.25) * 50 + 0.25 * |100 - 180| = 57.5",
                "RFC 6298, 2.3: SRTT <- (1 - alpha) * SRTT + alpha * R': (1 - 0.125) * 100 + 0.125 * 180 = 110",
            ],
        );
        check(
            "rfc6298",
            "- - 180",
            &protocol(),
            &[
                "RFC 6298, 2.1: RTO <- min(RTO_max, initial): min(60000, 1000) = 1000",
                "back-off: T = min(T_max, T*2^k): min(60000, 1000*2^2) = 4000",
                "in time: R <= T: 180 <= 4000",
                "RFC 6298, 3: RTT samples MUST NOT be made using segments that were retransmitted: ",
            ],
        );
    }

    #[test]
    fn linux() {
        check(
            "linux",
            "100 180 30",
            &of_1983(),
            &[
                "__tcp_set_rto, µs to whole ms: rto = ceil(((srtt >> 3) + rttvar)/1000): \
                 ceil(((880000 >> 3) + 230000)/1000) = 340",
                "in time: R <= T: 30 <= 340",
                "tcp_rtt_estimator, µs: d = m - (srtt >> 3): 30000 - (880000 >> 3) = -80000",
                "tcp_rtt_estimator, µs: srtt = srtt + d: 880000 + (-80000) = 800000",
                "tcp_rtt_estimator, µs: mdev = mdev + ((-d - (mdev >> 2)) >> 3): \
                 230000 + ((-(-80000) - (230000 >> 2)) >> 3) = 232812",
                "tcp_rtt_estimator, µs: mdev_max = max(mdev_max, mdev): max(200000, 232812) = 232812",
                "tcp_rtt_estimator, µs: rttvar = max(rttvar, mdev_max): max(230000, 232812) = 232812",
            ],
        );
    }

    #[test]
    fn numbers_have_six_figures() {
        for (value, text) in [
            (0.0, "0"),
            (1.0 / 3.0, "0.333333"),
            (0.9375, "0.9375"),
            (108.25, "108.25"),
            (12_345.678_9, "12345.7"),
            (3_600_000.0, "3600000"),
            (-0.5, "-0.5"),
            (1e-6, "0.000001"),
            (99.999_99, "100"),
        ] {
            assert_eq!(figures(value), text);
        }
    }

    /// Works out an expression as the sources write them.
    struct Reader<'a>(&'a str);

    impl Reader<'_> {
        fn eat(&mut self, word: &str) -> bool {
            self.0 = self.0.trim_start();
            let rest = self.0.strip_prefix(word);
            self.0 = rest.unwrap_or(self.0);
            rest.is_some()
        }

        fn shift(&mut self) -> f64 {
            let mut v = self.sum();
            loop {
                if self.eat(">>") {
                    v = (v as i64 >> self.sum() as u32) as f64;
                } else if self.eat("<<") {
                    v = ((v as i64) << self.sum() as u32) as f64;
                } else {
                    return v;
                }
            }
        }

        fn sum(&mut self) -> f64 {
            let mut v = self.product();
            loop {
                if self.eat("+") {
                    v += self.product();
                } else if self.eat("-") {
                    v -= self.product();
                } else {
                    return v;
                }
            }
        }

        fn product(&mut self) -> f64 {
            let mut v = self.power();
            loop {
                if self.eat("*") {
                    v *= self.power();
                } else if self.eat("/") {
                    v /= self.power();
                } else {
                    return v;
                }
            }
        }

        fn power(&mut self) -> f64 {
            let v = self.atom();
            if self.eat("^") { libm::pow(v, self.atom()) } else { v }
        }

        fn atom(&mut self) -> f64 {
            if self.eat("-") {
                return -self.atom();
            }
            for (name, two, f) in FUNCTIONS {
                if self.eat(name) {
                    assert!(self.eat("("), "{}", self.0);
                    let a = self.shift();
                    let b = if *two { self.after(",") } else { 0.0 };
                    assert!(self.eat(")"), "{}", self.0);
                    return f(a, b);
                }
            }
            for (open, close) in [("(", ")"), ("|", "|")] {
                if self.eat(open) {
                    let v = self.shift();
                    assert!(self.eat(close), "{}", self.0);
                    return if open == "|" { v.abs() } else { v };
                }
            }
            let end = self.0.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.0.len());
            let (number, rest) = self.0.split_at(end);
            self.0 = rest;
            number.parse().unwrap_or_else(|_| panic!("{number:?} before {rest:?}"))
        }

        fn after(&mut self, word: &str) -> f64 {
            assert!(self.eat(word), "{}", self.0);
            self.shift()
        }
    }

    type Function = (&'static str, bool, fn(f64, f64) -> f64);
    const FUNCTIONS: &[Function] = &[
        ("max", true, f64::max),
        ("min", true, f64::min),
        ("ceil", false, |a, _| a.ceil()),
        ("floor", false, |a, _| a.floor()),
    ];

    fn worked_out(text: &str) -> f64 {
        let mut reader = Reader(text);
        let v = reader.shift();
        assert!(reader.0.trim().is_empty(), "{text}: {}", reader.0);
        v
    }

    proptest! {
        /// Numbers have six figures, so the result has five, of the largest number in the line.
        #[test]
        fn the_numbers_of_every_line_give_its_result(
            series in prop::collection::vec(prop::option::weighted(0.8, 1.0..5000.0_f64), 1..25),
            protocol in any::<bool>(), karn in prop::option::of(any::<bool>()), scale in 0_usize..3, length in any::<bool>(),
        ) {
            let mut b = TraceBuilder::new("t", Provenance::Typed);
            for (i, delay) in series.iter().enumerate() {
                b.push(None, Some(40 + (i as u32 * 7919) % 216), delay.map_or(Fate::Lost, Fate::Reply)).unwrap();
            }
            let trace = b.build();
            let options = Options {
                replay: if protocol { Rules::Protocol } else { Rules::Of1983 },
                karn,
                scale: [None, Some(2.0), Some(0.7)][scale],
                correct: if length { Correct::Length } else { Correct::None },
            };
            for entry in all() {
                let rule = (entry.make)();
                let replay = rule.replay(&trace, &options);
                for i in 0..trace.len() {
                    let steps = explain(&*rule, &trace, &options, i).unwrap();
                    prop_assert_eq!((steps.timeout.to_bits(), steps.kind), (replay.timeouts[i].to_bits(), replay.kinds[i]));
                    // What the last line says of cocoa's next timer is so: it has more ways than others.
                    let rto = steps.lines.last().filter(|l| entry.id == "cocoa" && l.rule.starts_with("RTO"));
                    if let Some(rto) = rto
                        && options.scale.is_none()
                        && !length
                        && let Some(next) = replay.timeouts.get(i + 1)
                    {
                        prop_assert_eq!(rto.result, Some(*next), "{:?}", rto);
                    }
                    for line in steps.lines {
                        let Some(result) = line.result.filter(|_| line.rule.contains(['=', '<'])) else { continue };
                        let largest = line.numbers.split(|c: char| !c.is_ascii_digit() && c != '.')
                            .filter_map(|n| n.parse::<f64>().ok()).fold(result.abs(), f64::max);
                        let found = worked_out(&line.numbers);
                        // Whole ticks and milliseconds may turn on the last figure.
                        let slack = 1e-9 + 1e-4 * largest + if line.numbers.contains("ceil") || line.numbers.contains("floor") { 1.0 } else { 0.0 };
                        prop_assert!((found - result).abs() <= slack, "{}: {line:?}: {found}", entry.id);
                    }
                }
            }
        }
    }
}

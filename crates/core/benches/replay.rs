//! Replays a million records through every estimator and prints nanoseconds a record, and how many
//! times a plain loop's time that is: `cargo bench -p netspurt-core --bench replay`.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark prints what a clock shows")]

use netspurt_core::rto::{Options, Rules, all};
use netspurt_core::trace::{Outcome, Trace};
use std::hint::black_box;
use std::time::Instant;

const RECORDS: usize = 1_000_000;
const ROUNDS: usize = 15;

fn main() {
    let trace = trace();
    let of_1983 = Options::default();
    let protocol = Options { replay: Rules::Protocol, ..Options::default() };
    println!("ns a record, least of {ROUNDS} rounds; in brackets, times the plain loop of mills' rule");
    println!("{:12} {:>16} {:>16} {:>16}", "", "1983, totals", "1983, steps", "protocol, steps");
    for entry in all() {
        let rule = (entry.make)();
        let work: [&dyn Fn() -> f64; 4] = [
            &|| literal(&trace),
            &|| rule.summary(&trace, &of_1983).lost_time,
            &|| rule.replay(&trace, &of_1983).summary.lost_time,
            &|| rule.replay(&trace, &protocol).summary.lost_time,
        ];
        let [plain, rest @ ..] = least(work);
        let cells = rest.map(|ns| format!("{:>16}", format!("{ns:.1} ({:.2})", ns / plain)));
        println!("{:12} {}", rule.id(), cells.join(" "));
    }
}

/// Mills's rule and nothing else, as one would write it at first.
fn literal(trace: &Trace) -> f64 {
    let (mut e, mut good, mut lost, mut rtx) = (75.0, 0.0, 0.0, 0.0);
    for (i, (&r, &outcome)) in trace.delays().iter().zip(trace.outcomes().iter()).enumerate() {
        let timeout = 2.0 * e;
        if outcome == Outcome::Lost {
            lost += timeout;
            continue;
        }
        good += r;
        if i == 0 {
            e = r;
            continue;
        }
        if r > timeout {
            rtx += r;
        }
        let f = if r < e { 15.0 / 16.0 } else { 0.75 };
        e = f * e + (1.0 - f) * r;
    }
    good + lost + rtx
}

/// Nanoseconds a record of each, the least of several rounds in turn.
fn least<const N: usize>(work: [&dyn Fn() -> f64; N]) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for (least, work) in least.iter_mut().zip(work) {
            let start = Instant::now();
            black_box(work());
            *least = least.min(start.elapsed().as_secs_f64() * 1e9 / RECORDS as f64);
        }
    }
    least
}

/// Delays that wander and scatter, one in a hundred lost.
fn trace() -> Trace {
    let mut x = 0x2545_f491_4f6c_dd1d_u64;
    let mut unit = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut surge = 0.0;
    let mut series = Vec::with_capacity(RECORDS);
    for _ in 0..RECORDS {
        surge = 0.98 * surge + unit() - 0.5;
        let delay: f64 = 100.0 + 40.0 * surge + 60.0 * unit() * unit();
        series.push((unit() > 0.01).then_some(delay.max(1.0)));
    }
    Trace::from_series("bench", &series).unwrap_or_else(|e| panic!("{e}"))
}

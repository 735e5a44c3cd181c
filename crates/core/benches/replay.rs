//! Replays a million records through every estimator and prints nanoseconds a record, and the
//! ratio to a plain loop: `cargo bench -p netspurt-core --bench replay`.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark prints what a clock shows")]

use netspurt_core::rto::{Options, all};
use netspurt_core::trace::Trace;
use std::hint::black_box;
use std::time::Instant;

const RECORDS: usize = 1_000_000;
const ROUNDS: usize = 15;

fn main() {
    let trace = trace();
    let o = Options::default();
    for entry in all() {
        let rule = (entry.make)();
        let a = best(|| rule.summary(black_box(&trace), &o).rtx as f64);
        let b = best(|| rule.replay(black_box(&trace), &o).summary.lost_time);
        println!("{:12} summary {a:6.2}  replay {b:6.2}", rule.id());
    }
}

fn trace() -> Trace {
    let mut x = 0x2545_f491_4f6c_dd1d_u64;
    let mut unit = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut surge = 0.0;
    let series: Vec<Option<f64>> = (0..RECORDS)
        .map(|_| {
            surge = 0.98 * surge + unit() - 0.5;
            let d = 100.0 + 40.0 * surge + 60.0 * unit() * unit();
            (unit() > 0.01).then_some(d.max(1.0))
        })
        .collect();
    Trace::from_series("bench", &series).unwrap_or_else(|e| panic!("{e}"))
}

/// Nanoseconds a record, least of several rounds.
fn best(mut work: impl FnMut() -> f64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        black_box(work());
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9 / RECORDS as f64
}

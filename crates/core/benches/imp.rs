//! Times a million messages through the clocked model, and lock-up searches; prints each beside the
//! time of a plain heap of as many timers: `cargo bench -p netspurt-core --bench imp`.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark prints what a clock shows")]

use netspurt_core::imp::Scheme;
use netspurt_core::imp::lockup::{self, search};
use netspurt_core::imp::network::{Scenario, Simulation, Window};
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

const MESSAGES: usize = 1_000_000;
const ROUNDS: usize = 5;

fn main() {
    println!("a million messages over three hops, least of {ROUNDS} rounds");
    for (name, scenario) in [
        ("normal flow", flow(Scheme::Current)),
        ("the trap", flow(Scheme::Current).overtaking(21)),
        ("modified-2, errors at 0.001", with_errors(flow(Scheme::Modified2))),
    ] {
        let mut timers = 0;
        let s = least(|| timers = simulate(&scenario));
        let heap = least(|| heap_of(timers));
        println!(
            "{name:28} {s:.2} s  {:.0} ns a timer, {:.1} times a plain heap's",
            s * 1e9 / timers as f64,
            s / heap
        );
    }
    println!("\nlock-up search, S = 2, W = 4, B = 2");
    for scheme in Scheme::ALL {
        let setup = lockup::Setup { scheme, ..lockup::Setup::default() };
        let mut states = 0;
        let s = least(|| states = search(&setup).map_or(0, |s| s.verdict().states));
        println!(
            "{:28} {:.1} ms  {states} states, {:.0} ns a state",
            scheme.name(),
            s * 1e3,
            s * 1e9 / states as f64
        );
    }
    for (sources, window, buffers) in [(3, 3, 3), (3, 4, 3)] {
        let setup = lockup::Setup { scheme: Scheme::Modified2, sources, window, buffers };
        let started = Instant::now();
        let states = search(&setup).map_or(0, |s| s.verdict().states);
        println!(
            "S = {sources}, W = {window}, B = {buffers}, modified-2   {:.2} s  {states} states",
            started.elapsed().as_secs_f64()
        );
    }
}

/// Until a million messages have come back.
fn flow(scheme: Scheme) -> Scenario {
    let mut s = Scenario::default();
    s.setup.scheme = scheme;
    s.setup.duration = 1e8;
    s
}

fn with_errors(mut s: Scenario) -> Scenario {
    s.setup.error_rate = 0.001;
    s
}

/// How many timers went off.
fn simulate(scenario: &Scenario) -> usize {
    const BATCH: usize = 10_000;
    let Ok(mut simulation) = Simulation::new(scenario, Window { from_ms: 0.0, to_ms: 1e8 }, false) else {
        return 0;
    };
    let mut timers = 0;
    while (simulation.destination().next(0) as usize) < MESSAGES && !simulation.step(BATCH) {
        timers += BATCH;
    }
    black_box(simulation.finish().statistics.throughput_kbs);
    timers
}

/// As many timers through a heap, a dozen at a time.
fn heap_of(timers: usize) -> u64 {
    let mut heap: BinaryHeap<(u64, u64)> = (0..12).map(|i| (u64::MAX - i, i)).collect();
    let mut sum = 0;
    for i in 0..timers as u64 {
        if let Some((at, order)) = heap.pop() {
            sum += order;
            heap.push((at - 1 - (order * 7919) % 1000, i));
        }
    }
    black_box(sum)
}

/// The least time of some rounds, in seconds.
fn least<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        black_box(work());
        least = least.min(started.elapsed().as_secs_f64());
    }
    least
}

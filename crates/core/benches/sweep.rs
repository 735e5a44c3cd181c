//! Times sweeps beside a replay of each setting: `cargo bench -p netspurt-core --bench sweep`.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark prints what a clock shows")]

use netspurt_core::rto::estimators::mills::Mills;
use netspurt_core::rto::sweep::{Grid, sweep};
use netspurt_core::rto::{Options, Rule, printed, rebuild};
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 7;

fn main() {
    let Some(foe) = printed::find("rfc889/dcn1-local/FOE") else { return };
    let foe = Shared::new(rebuild::rebuild(foe, rebuild::SEED));
    println!("F1, F2 and G over FOE, {} records, least of {ROUNDS} rounds", foe.len());
    for (name, factors, levels) in
        [("64 x 64 x 32", 64, 32), ("64 x 64 x 1", 64, 1), ("16 x 16 x 25", 16, 25)]
    {
        compare(name, &foe, factors, levels);
    }
    let long = repeated(&foe, 1_000_000);
    println!("\none sweep over {} records", long.len());
    let started = Instant::now();
    let numbers = sweep(grid(16, 25), &[long], 75.0, None);
    let s = started.elapsed().as_secs_f64();
    println!("16 x 16 x 25  {s:.2} s, {:.2} ns a pair and record", s * 1e9 / 256e6);
    black_box(numbers.pairs_done());
}

fn compare(name: &str, trace: &Shared<Trace>, factors: usize, levels: usize) {
    let options = Options::default();
    let (mut together, mut apart) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        black_box(sweep(grid(factors, levels), std::slice::from_ref(trace), 75.0, None).pairs_done());
        together = together.min(started.elapsed().as_secs_f64());
        let (started, all) = (Instant::now(), grid(factors, levels));
        for &f1 in all.f1() {
            for &f2 in all.f2() {
                for &g in all.g() {
                    let mills: &dyn Rule = &Mills { f1, f2, g, ..Mills::default() };
                    black_box(mills.summary(trace, &options).rtx);
                }
            }
        }
        apart = apart.min(started.elapsed().as_secs_f64());
    }
    let work = (factors * factors * trace.len()) as f64;
    println!(
        "{name:13} {:.2} ms, {:.2} ns a pair and record, {:.1} times as fast as a replay each",
        together * 1e3,
        together * 1e9 / work,
        apart / together
    );
}

fn grid(factors: usize, levels: usize) -> Grid {
    let factor = || (0..factors).map(|i| i as f64 / factors as f64).collect();
    let level = |i: usize| if levels == 1 { 2.0 } else { 1.0 + 3.0 * i as f64 / (levels - 1) as f64 };
    Grid::new(factor(), factor(), (0..levels).map(level).collect()).expect("the values are in range")
}

fn repeated(trace: &Trace, records: usize) -> Shared<Trace> {
    let delay = |i: usize| {
        let i = i % trace.len();
        trace.outcomes()[i].is_timed().then(|| trace.delays()[i])
    };
    let series: Vec<Option<f64>> = (0..records).map(delay).collect();
    Shared::new(Trace::from_series("FOE again and again", &series).expect("delays of a trace"))
}

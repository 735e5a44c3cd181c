//! Every pair of smoothing factors at once: the replay of 1983 of `mills` over a grid of F1, F2, G.
//!
//! A long sweep is done in pieces: [`Sweep::step`] goes on for a while, [`Sweep::numbers`] holds what
//! there is so far. Over several traces the costs are pooled: each point's efficiency is the good
//! time of all traces over the total time of all.

mod grid;
mod kernel;

pub use grid::{Axis, Grid, GridError, MOST_POINTS};

use super::estimators::mills::Mills;
use super::{Options, Rule, Summary};
use crate::shared::Shared;
use crate::stats::moments::Moments;
use crate::trace::Trace;
use kernel::{Costs, Group, LANES};
use std::array::from_fn;

/// Sweeps to the end: see [`Sweep::new`].
pub fn sweep(grid: Grid, traces: &[Shared<Trace>], e_cold: f64, scale: Option<f64>) -> Numbers {
    let mut sweep = Sweep::new(grid, traces, e_cold, scale);
    sweep.step(u64::MAX);
    sweep.numbers
}

/// A sweep under way.
#[derive(Debug)]
pub struct Sweep {
    traces: Vec<Source>,
    /// In ms, in the traces' own unit.
    e_cold: f64,
    /// G ascending, and where each level stands in the grid.
    levels: Vec<f64>,
    order: Vec<usize>,
    /// The pairs being replayed, and the record they have come to.
    group: Option<Group>,
    at: (usize, usize),
    done: u64,
    total: u64,
    numbers: Numbers,
}

#[derive(Debug)]
struct Source {
    trace: Shared<Trace>,
    scale: f64,
}

/// So many records are replayed between two looks at the budget.
const CHUNK: usize = 1 << 14;

impl Sweep {
    /// `e_cold` is E before any reply, ms. The estimator sees `scale` times each delay; `None`: what
    /// fits each trace ([`Options::scale_for`]).
    pub fn new(grid: Grid, traces: &[Shared<Trace>], e_cold: f64, scale: Option<f64>) -> Self {
        let numbers = Numbers::empty(grid, traces, e_cold, scale);
        let options = rules(scale);
        let g = numbers.grid.g();
        let mut order: Vec<usize> = (0..g.len()).collect();
        order.sort_by(|a, b| g[*a].total_cmp(&g[*b]));
        let records: usize = traces.iter().map(|t| t.len()).sum();
        let source = |t: &Shared<Trace>| Source { trace: t.clone(), scale: options.scale_for(t) };
        Self {
            traces: traces.iter().map(source).collect(),
            e_cold,
            levels: order.iter().map(|&k| g[k]).collect(),
            order,
            group: None,
            at: (0, 0),
            done: 0,
            total: numbers.grid.pairs() as u64 * records as u64,
            numbers,
        }
    }

    /// Goes on for about `budget` records, each counted once for every pair; at least some. True
    /// when all is done.
    pub fn step(&mut self, budget: u64) -> bool {
        let end = self.done.saturating_add(budget.max(1));
        while self.numbers.pairs < self.numbers.grid.pairs() {
            if self.done >= end {
                return false;
            }
            self.advance();
        }
        true
    }

    /// Replays a chunk of one trace for one group of pairs, or closes the group.
    fn advance(&mut self) {
        let first = self.numbers.pairs;
        let pairs = LANES.min(self.numbers.grid.pairs() - first);
        let group = self.group.get_or_insert_with(|| {
            // Lanes beyond the last pair repeat it.
            let grid = &self.numbers.grid;
            let lanes: [(usize, usize); LANES] = from_fn(|i| grid.pair(first + i.min(pairs - 1)));
            let (f1, f2) = (lanes.map(|l| grid.f1()[l.0]), lanes.map(|l| grid.f2()[l.1]));
            Group::new(f1, f2, self.levels.len(), 0.0)
        });
        let Some(Source { trace, scale }) = self.traces.get(self.at.0) else {
            self.group = None;
            self.at = (0, 0);
            self.numbers.pairs += pairs;
            return;
        };
        let (delays, outcomes) = (trace.delays(), trace.outcomes());
        let from = self.at.1;
        let to = (from + CHUNK).min(trace.len());
        let mut tested = from;
        if from == 0 {
            group.restart(self.e_cold * scale);
            if outcomes.first().is_some_and(|o| o.is_timed()) {
                group.prime(delays[0] * scale);
                tested = 1;
            }
        }
        group.replay(&self.levels, *scale, &delays[tested..to], &outcomes[tested..to]);
        self.done += (pairs * (to - from)) as u64;
        self.at.1 = to;
        if to == trace.len() {
            for lane in 0..pairs {
                self.numbers.add(first + lane, &group.costs, &self.order, lane);
            }
            self.at = (self.at.0 + 1, 0);
        }
    }

    /// Records replayed so far and in all, each counted once for every pair.
    pub fn progress(&self) -> (u64, u64) {
        (self.done, self.total)
    }

    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Stops here.
    pub fn into_numbers(self) -> Numbers {
        self.numbers
    }
}

/// What a sweep has found, as far as it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    grid: Grid,
    /// What no setting changes.
    common: Summary,
    /// Pairs that are done: the first so many in the order of the sweep.
    pairs: usize,
    rtx: Vec<u32>,
    rtx_time: Vec<f64>,
    lost_time: Vec<f64>,
}

impl Numbers {
    /// Nothing done yet: what a sweep begins with.
    pub fn empty(grid: Grid, traces: &[Shared<Trace>], e_cold: f64, scale: Option<f64>) -> Self {
        let points = grid.points();
        let params = Mills { e_cold, ..Mills::default() };
        Self {
            common: summary(&params, traces, scale),
            pairs: 0,
            rtx: vec![0; points],
            rtx_time: vec![0.0; points],
            lost_time: vec![0.0; points],
            grid,
        }
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How many pairs are done.
    pub fn pairs_done(&self) -> usize {
        self.pairs
    }

    /// The columns of one point, by indices into the grid. `None`: not done yet, or not in the grid.
    pub fn at(&self, f1: usize, f2: usize, g: usize) -> Option<Summary> {
        let grid = &self.grid;
        let is_there = f1 < grid.f1().len() && f2 < grid.f2().len() && g < grid.g().len();
        if !is_there || grid.number(f1, f2) >= self.pairs {
            return None;
        }
        let i = grid.point(f1, f2, g);
        Some(with_costs(&self.common, u64::from(self.rtx[i]), self.rtx_time[i], self.lost_time[i]))
    }

    /// Packets sent again though only late, by point: by F1, then by F2, then by G. Not to be
    /// read where [`Numbers::at`] is `None`.
    pub fn rtx(&self) -> &[u32] {
        &self.rtx
    }

    /// The delays of those packets, ms, in the same order.
    pub fn rtx_time(&self) -> &[f64] {
        &self.rtx_time
    }

    /// Time waited for lost packets, ms, in the same order.
    pub fn lost_time(&self) -> &[f64] {
        &self.lost_time
    }

    /// Adds one lane's costs, level by level, to those of the pair swept as this number.
    fn add(&mut self, number: usize, costs: &[Costs], order: &[usize], lane: usize) {
        let (f1, f2) = self.grid.pair(number);
        let first = self.grid.point(f1, f2, 0);
        for (costs, k) in costs.iter().zip(order) {
            let i = first + k;
            self.rtx[i] += costs.rtx[lane] as u32;
            self.rtx_time[i] += costs.rtx_time[lane];
            self.lost_time[i] += costs.lost_time[lane];
        }
    }
}

/// The columns of one setting over several traces: counts and times added up trace by trace, mean
/// and CoV over all delays. Of one trace it is its own
/// `summary`.
pub fn summary(params: &Mills, traces: &[Shared<Trace>], scale: Option<f64>) -> Summary {
    let options = rules(scale);
    let rule: &dyn Rule = params;
    let mut each = traces.iter().map(|t| rule.summary(t, &options));
    let first = each.next().unwrap_or_default();
    if traces.len() < 2 {
        return first;
    }
    let mut all = each.fold(first, |mut all, s| {
        all.replies += s.replies;
        all.lost += s.lost;
        all.lost_time += s.lost_time;
        all.rtx += s.rtx;
        all.rtx_time += s.rtx_time;
        all.good_time += s.good_time;
        all
    });
    let moments = Moments::of(traces.iter().flat_map(|t| t.timed()));
    all.mean = moments.map(|m| m.mean);
    all.cov = moments.and_then(|m| m.cov());
    with_costs(&all, all.rtx, all.rtx_time, all.lost_time)
}

/// The replay of 1983.
fn rules(scale: Option<f64>) -> Options {
    Options { scale, ..Options::default() }
}

/// The columns that hang on the setting, put in.
fn with_costs(common: &Summary, rtx: u64, rtx_time: f64, lost_time: f64) -> Summary {
    let mut s = common.clone();
    (s.rtx, s.rtx_time, s.lost_time) = (rtx, rtx_time, lost_time);
    s.total = s.good_time + s.lost_time + s.rtx_time;
    s.efficiency = (s.total > 0.0).then(|| s.good_time / s.total);
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Fate, Measure, Provenance, TraceBuilder};
    use proptest::prelude::*;

    fn fate() -> impl Strategy<Value = Fate> {
        prop_oneof![
            10 => (0.0..5000.0_f64).prop_map(Fate::Reply),
            5 => (0_u32..20).prop_map(|ms| Fate::Reply(f64::from(ms) * 100.0)),
            1 => Just(Fate::Reply(0.0)),
            1 => (0.0..5.0_f64).prop_map(Fate::Below),
            2 => Just(Fate::Lost),
            1 => Just(Fate::Untimed),
        ]
    }

    fn trace() -> impl Strategy<Value = Shared<Trace>> {
        (prop::collection::vec(fate(), 0..120), any::<bool>()).prop_map(|(fates, one_way)| {
            let mut b = TraceBuilder::new("t", Provenance::Typed);
            b.measure = if one_way { Measure::OneWay } else { Measure::RoundTrip };
            for fate in fates {
                b.push(None, None, fate).unwrap();
            }
            Shared::new(b.build())
        })
    }

    fn weights() -> impl Strategy<Value = Vec<f64>> {
        let weight = prop_oneof![0.0..=1.0_f64, (0_u32..=16).prop_map(|k| f64::from(k) / 16.0)];
        prop::collection::vec(weight, 1..7)
    }

    fn levels() -> impl Strategy<Value = Vec<f64>> {
        let level = prop_oneof![0.0..4.0_f64, (0_u32..=8).prop_map(|k| f64::from(k) / 2.0)];
        prop::collection::vec(level, 1..6)
    }

    /// Every point of a sweep against a replay of its own.
    fn check(grid: &Grid, traces: &[Shared<Trace>], e_cold: f64, scale: Option<f64>, budget: u64) {
        let mut sweep = Sweep::new(grid.clone(), traces, e_cold, scale);
        let mut steps = 0;
        while !sweep.step(budget) {
            steps += 1;
            assert!(steps < 10_000_000, "a step makes no progress");
        }
        let (done, total) = sweep.progress();
        assert_eq!(done, total);
        for (i, &f1) in grid.f1().iter().enumerate() {
            for (j, &f2) in grid.f2().iter().enumerate() {
                for (k, &g) in grid.g().iter().enumerate() {
                    let params = Mills { f1, f2, g, e_cold, ..Mills::default() };
                    let one = summary(&params, traces, scale);
                    assert_eq!(sweep.numbers().at(i, j, k), Some(one), "{f1} {f2} {g}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn every_point_is_the_replay_of_its_setting_to_the_bit(
            trace in trace(), f1 in weights(), f2 in weights(), g in levels(),
            e_cold in prop_oneof![Just(75.0), 0.0..300.0_f64],
            scale in prop_oneof![Just(None), Just(Some(2.0)), (0.1..10.0_f64).prop_map(Some)],
        ) {
            let grid = Grid::new(f1, f2, g).unwrap();
            check(&grid, &[trace], e_cold, scale, u64::MAX);
        }

        #[test]
        fn pieces_and_pools_change_nothing(
            traces in prop::collection::vec(trace(), 0..4), f1 in weights(), f2 in weights(), g in levels(),
            budget in 1_u64..3000,
        ) {
            let grid = Grid::new(f1, f2, g).unwrap();
            check(&grid, &traces, 75.0, None, budget);
        }
    }

    #[test]
    fn one_trace_is_replayed_as_ever() {
        let t = Shared::new(Trace::from_series("t", &[None, Some(151.0), Some(100.0)]).unwrap());
        let rule: &dyn Rule = &Mills::default();
        let one = rule.summary(&t, &Options::default());
        assert_eq!(summary(&Mills::default(), &[t], None), one);
        assert_eq!(summary(&Mills::default(), &[], None), Summary::default());
    }

    #[test]
    fn pooled_efficiency_is_all_good_time_over_all_time() {
        let of = |series: &[Option<f64>]| Shared::new(Trace::from_series("t", series).unwrap());
        // Good 300, lost 200; then good 1000 and nothing else.
        let traces = [of(&[Some(100.0), None, Some(200.0)]), of(&[Some(1000.0)])];
        let s = summary(&Mills::default(), &traces, None);
        assert_eq!((s.replies, s.lost, s.good_time, s.total), (3, 1, 1300.0, 1500.0));
        assert_eq!(s.efficiency, Some(1300.0 / 1500.0));
        assert_eq!(s.mean, Some(1300.0 / 3.0));
    }

    #[test]
    fn a_trace_longer_than_a_chunk_is_one_trace() {
        let series: Vec<Option<f64>> =
            (0..CHUNK + 100).map(|i| (i % 50 != 7).then_some(((i * i) % 997) as f64)).collect();
        let trace = Shared::new(Trace::from_series("t", &series).unwrap());
        let grid = Grid::new(vec![0.5, 15.0 / 16.0], vec![0.75], vec![3.0, 1.0, 2.0]).unwrap();
        check(&grid, &[trace], 75.0, None, 1);
    }

    #[test]
    fn what_is_done_shows_before_the_end() {
        let trace = Shared::new(Trace::from_series("t", &[Some(1.0); 100]).unwrap());
        let f = || (0..8).map(|i| f64::from(i) / 8.0).collect();
        let mut sweep = Sweep::new(Grid::new(f(), f(), vec![2.0]).unwrap(), &[trace], 75.0, None);
        assert_eq!((sweep.numbers().pairs_done(), sweep.progress()), (0, (0, 6400)));
        assert_eq!(sweep.numbers().at(0, 0, 0), None);
        assert!(!sweep.step(1600));
        assert!(!sweep.step(1));
        let numbers = sweep.into_numbers();
        let done = numbers.pairs_done();
        assert!(done > 0 && done < 64);
        let at = |(f1, f2)| numbers.at(f1, f2, 0);
        let shown = (0..64).filter(|&i| at(numbers.grid().pair(i)).is_some()).count();
        assert!(shown == done && at((0, 0)).is_some());
        assert_eq!((numbers.at(8, 0, 0), numbers.at(0, 8, 0), numbers.at(0, 0, 1)), (None, None, None));
    }
}

//! The JSON of `netspurt reconstruct`.

use netspurt_core::rto::printed::{FIGURES, Run};
use netspurt_core::rto::rebuild::{GENERATOR, Rebuilt, Recipe};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Answer {
    seed: u64,
    /// The setting that is taken to have printed the rows.
    as_if: &'static str,
    /// The law of delays beside the printed line.
    noise: &'static str,
    generator: u32,
    rows: Vec<Row>,
}

impl Answer {
    pub(super) fn new(recipe: &Recipe, rebuilt: &[(&Run, Rebuilt)]) -> Self {
        Self {
            seed: recipe.seed,
            as_if: recipe.as_if.name(),
            noise: recipe.noise.name(),
            generator: GENERATOR,
            rows: rebuilt.iter().map(|(run, r)| Row::new(run, r)).collect(),
        }
    }
}

/// A trace's own figures, cut as printed.
#[derive(Serialize)]
pub(super) struct Row {
    section: &'static str,
    host_id: &'static str,
    total_time_s: f64,
    lost_count: u64,
    lost_time_s: f64,
    rtx_count: u64,
    rtx_time_s: f64,
    mean_ms: f64,
    cov: f64,
    efficiency: f64,
    /// Whether all eight are those of the printed row.
    exact: bool,
    /// Which are not.
    misses: Vec<&'static str>,
}

impl Row {
    pub(super) fn new(run: &Run, rebuilt: &Rebuilt) -> Self {
        let [total_time_s, lost, lost_time_s, rtx, rtx_time_s, mean_ms, cov, efficiency] = rebuilt.figures;
        Self {
            section: run.section.id,
            host_id: run.id,
            total_time_s,
            lost_count: lost as u64,
            lost_time_s,
            rtx_count: rtx as u64,
            rtx_time_s,
            mean_ms,
            cov,
            efficiency,
            exact: rebuilt.exact(),
            misses: (0..8).filter(|&i| rebuilt.misses[i]).map(|i| FIGURES[i]).collect(),
        }
    }

    pub(super) fn csv(&self) -> String {
        let Self { section, host_id, total_time_s, lost_count, lost_time_s, .. } = self;
        let Self { rtx_count, rtx_time_s, mean_ms, cov, efficiency, exact, .. } = self;
        format!(
            "{section},{host_id},{total_time_s},{lost_count},{lost_time_s},{rtx_count},{rtx_time_s},{mean_ms},{cov},{efficiency},{exact}"
        )
    }
}

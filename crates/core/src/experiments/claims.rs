//! The `claims` cell: what RFC 889 claims in section 3, and what the rebuilt runs say.

use super::run::Work;
use super::{Entry, Experiment, boxed};
use crate::params::{Param, Params, Range, Settings, Unit};
use crate::report::{Report, RunError};
use crate::rto::claims::Claims;
use crate::rto::printed::runs;
use crate::rto::rebuild::{GENERATOR, Noise};
use crate::rto::slips::slips_table;
use crate::tree::Keyed;

/// What the cell is set to.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// Every run is rebuilt so many times, from seeds 1, 2, 3 …
    pub seeds: u32,
    pub laws: Laws,
}

/// By which laws delays vary in the rebuilt runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Laws {
    Both,
    One(Noise),
}

impl Laws {
    const NAMES: &'static [&'static str] = &["both", "surges", "queue"];

    fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::One(noise) => noise.name(),
        }
    }

    fn named(name: &str) -> Self {
        Noise::ALL.into_iter().find(|n| n.name() == name).map_or(Self::Both, Self::One)
    }

    fn all(self) -> &'static [Noise] {
        match self {
            Self::Both => &Noise::ALL,
            Self::One(noise) => noise.alone(),
        }
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self { seeds: 10, laws: Laws::Both }
    }
}

const SEEDS: Range =
    Range { unit: Unit::Count, min: 1.0, max: 1000.0, slider: (1.0, 20.0), step: 1.0, fractions: false };

impl Params for Setup {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("seeds", "", "seeds", "Every run is rebuilt this many times, each from another seed."),
            SEEDS,
            |p| f64::from(p.seeds),
            |p, v| p.seeds = v as u32,
        ),
        Param::choice(
            (
                "noise",
                "",
                "delays vary as",
                "The law of delays beside the printed line: surges that come and go, a queue that fills and drains, or both in turn.",
            ),
            Laws::NAMES,
            |p| p.laws.name(),
            |p, v| p.laws = Laws::named(v),
        ),
    ];
}

pub(super) const ENTRY: Entry = Entry {
    kind: "claims",
    title: "Claims of RFC 889",
    fresh: "",
    needs_trace: false,
    follows_row: false,
    is_wide: false,
    make: boxed::<Setup>,
};

impl Keyed for Setup {
    fn settings(&self) -> &dyn Settings {
        self
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        self
    }
}

impl Experiment for Setup {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }
}

/// Runs rebuilt and replayed in a step.
const BUDGET: usize = 4;

/// The claims tried in steps.
pub(super) struct Trying(Claims, bool);

impl Trying {
    pub(super) fn new(setup: &Setup) -> Self {
        Self(Claims::new(u64::from(setup.seeds), setup.laws.all()), false)
    }
}

impl Trying {
    /// Seeds, generator and laws, and how many of the rows came out.
    fn tried(&self) -> String {
        let fits = self.0.fits();
        let of = |control: bool| {
            let rows = || fits.iter().filter(|f| f.1 == control).map(|f| f.2);
            format!("{} of {}", rows().sum::<usize>(), rows().count() * runs().len())
        };
        let seeds = |noise: Noise| fits.iter().filter(|f| f.0 == noise && f.1).count();
        let law = |noise: Noise| match noise {
            Noise::Surges => "delays in surges",
            Noise::Queue => "delays behind a queue",
        };
        let laws: Vec<String> = Noise::ALL
            .into_iter()
            .filter(|&noise| seeds(noise) > 0)
            .map(|noise| format!("seeds 1 to {} with {}", seeds(noise), law(noise)))
            .collect();
        format!(
            "Generator {GENERATOR}, {}: {} rebuilt runs print their row, of the control {}. Median, least and greatest over all of them.",
            laws.join(", "),
            of(false),
            of(true)
        )
    }
}

impl Work for Trying {
    fn step(&mut self) {
        if !self.1 {
            self.1 = self.0.step(BUDGET);
        }
    }

    fn progress(&self) -> (u64, u64) {
        (self.0.done() as u64, self.0.total() as u64)
    }

    fn is_done(&self) -> bool {
        self.1
    }

    fn report(&self) -> Result<Report, RunError> {
        let mut readout = self.0.table();
        let rows = readout
            .rows
            .iter()
            .flat_map(|row| row.cells.iter().map(move |cell| (format!("{}: {cell}", row.cells[0]), 1.0)));
        let numbers = rows.collect();
        // A sentence that several numbers try stands at the first.
        for i in (1..readout.rows.len()).rev() {
            if readout.rows[i].head == readout.rows[i - 1].head {
                readout.rows[i].head.clear();
            }
        }
        Ok(Report {
            numbers,
            remarks: vec![
                "Rebuilt from the printed summary; the samples of 1983 were not published.".to_owned(),
                self.tried(),
                "The control fits the same figures as if F = 7/8 had printed them: what holds there too does not come of the fit.".to_owned(),
            ],
            more: vec![slips_table()],
            readout,
            ..Report::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_come_in_steps() {
        let mut work = Trying::new(&Setup { seeds: 1, ..Setup::default() });
        let total = work.progress().1;
        let mut steps = 0;
        while !work.is_done() {
            work.step();
            steps += 1;
        }
        assert!(steps > 1 && work.progress() == (total, total));
        let report = work.report().unwrap();
        assert!(report.readout.rows.len() > 5 && report.more[0].rows.len() > 3);
    }
}

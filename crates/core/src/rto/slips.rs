//! Where RFC 889 contradicts its own tables, its formula or its sources.

use super::claims::RAISING_F2;
use super::printed::{DelayLine, Lengths, Run, line_of, lines, runs};
use crate::figure::Role;
use crate::report::{Heading, Table, TableRow};

/// A sentence of the RFC that its own tables, formula or sources contradict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slip {
    pub section: &'static str,
    pub quote: &'static str,
    pub found: String,
}

/// Every slip; what can be counted is counted in the printed tables.
pub fn slips() -> Vec<Slip> {
    let slip = |section, quote, found| Slip { section, quote, found };
    let ids = |holds: &dyn Fn(&Run) -> bool| {
        runs().iter().filter(|r| holds(r)).map(|r| r.id).collect::<Vec<_>>().join(", ")
    };
    let lost_of = |id: &str| runs().iter().find(|r| r.id == id).map_or(0, |r| r.lost);
    let (all, in_range) = spans();
    vec![
        slip(
            "2.2",
            "(18 in 512 for ISIA-2)",
            format!(
                "The row with 18 lost packets is {}; ISIA-2 lost {}.",
                ids(&|r| r.lost == 18),
                lost_of("ISIA-2")
            ),
        ),
        slip(
            "2.2",
            "with the longest packets showing delays two to three times the shortest",
            format!("So it is in {in_range} of the {all} printed delay lines."),
        ),
        slip(
            "2.1",
            "RICE 1456 2358 754 3086 3543 2297",
            format!(
                "The line is {} times the mean delays printed for RICE, RICE-1 and RICE-2: they look like round trips.",
                rice().map(|v| format!("{v:.1}")).join(", ")
            ),
        ),
        slip(
            "3.3",
            "suggests values in the range 0.8 to 0.9 for F and 1.5 to 2.0 for G",
            "RFC 793, page 41: \"ALPHA is a smoothing factor (e.g., .8 to .9), and BETA is a delay variance factor (e.g., 1.3 to 2.0).\"".to_owned(),
        ),
        slip(
            "3.3",
            RAISING_F2,
            format!(
                "By the printed formula a greater F2 follows a rise more slowly: after one packet of 5 times the estimate it is {} times as long with F2 = 3/4, {} times with 15/16.",
                0.75 + 0.25 * 5.0,
                0.9375 + 0.0625 * 5.0
            ),
        ),
    ]
}

/// The slips as a table.
pub fn slips_table() -> Table {
    let rows = slips().into_iter().map(|s| TableRow {
        head: s.quote.to_owned(),
        role: Role::Quiet,
        cells: vec![s.section.to_owned(), s.found],
    });
    Table {
        caption: "Slips in RFC 889".to_owned(),
        head: "RFC 889".to_owned(),
        columns: ["section", "found"].map(|title| Heading::new(title, "")).to_vec(),
        rows: rows.collect(),
    }
}

/// How many delay lines there are, and on how many the longest packets take two to three times as
/// long as the shortest.
fn spans() -> (usize, usize) {
    let span = |l: &DelayLine| l.at(256) / l.at(40);
    (lines().len(), lines().iter().filter(|l| (2.0..=3.0).contains(&span(l))).count())
}

/// RICE's delay line over the means of its three runs.
fn rice() -> [f64; 3] {
    ["RICE", "RICE-1", "RICE-2"].map(|id| {
        let run = runs().iter().find(|r| r.id == id);
        let line = run.and_then(line_of);
        let (Some(run), Some(line)) = (run, line) else { return f64::NAN };
        let at = match run.lengths {
            Lengths::Constant(n) => line.at(n),
            // Lengths from 0 to 256, raised to 40.
            Lengths::Uniform => (0..=256).map(|n: u32| line.at(n.max(40))).sum::<f64>() / 257.0,
        };
        at / run.mean_ms
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted_in_the_printed_tables() {
        let found: Vec<String> = slips().into_iter().map(|s| s.found).collect();
        assert_eq!(found[0], "The row with 18 lost packets is ISIA*; ISIA-2 lost 0.");
        assert_eq!(found[1], "So it is in 11 of the 30 printed delay lines.");
        assert!(found[2].starts_with("The line is 2.0, 2.0, 1.8 times"), "{found:?}");
    }
}

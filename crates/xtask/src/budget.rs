//! What the page may weigh, and what it does.

use anyhow::{Result, bail};

use crate::page::compress;

/// One limit on the page's first load.
struct Budget {
    name: &'static str,
    /// What it should come to.
    goal: usize,
    /// What it may not exceed: where the goal is not reached yet, a little above what it is, so that
    /// nothing is added unseen.
    limit: usize,
    measure: fn(&[Weight]) -> usize,
}

const BUDGETS: [Budget; 2] = [
    Budget {
        name: "gzip octets",
        goal: 350_000,
        limit: 583_000,
        measure: |files| files.iter().map(|file| file.gzip).sum(),
    },
    Budget { name: "requests", goal: 10, limit: 10, measure: <[Weight]>::len },
];

/// A file of the page's first load, with what it takes on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Weight {
    name: String,
    plain: usize,
    gzip: usize,
    brotli: usize,
}

impl Weight {
    /// A file without a compressed copy travels as it is.
    pub(crate) fn of(name: &str, bytes: &[u8], copies: &compress::Copies) -> Self {
        let size = |copy: &Option<Vec<u8>>| copy.as_ref().map_or(bytes.len(), Vec::len);
        Self {
            name: name.to_owned(),
            plain: bytes.len(),
            gzip: size(&copies.gzip),
            brotli: size(&copies.brotli),
        }
    }
}

/// The table of weights, a line a file and a line of sums.
pub(crate) fn table(files: &[Weight]) -> String {
    let sum = |size: fn(&Weight) -> usize| files.iter().map(size).sum();
    let total = Weight {
        name: format!("{} requests", files.len()),
        plain: sum(|file| file.plain),
        gzip: sum(|file| file.gzip),
        brotli: sum(|file| file.brotli),
    };
    let width = files.iter().map(|file| file.name.len()).max().unwrap_or(0).max(total.name.len());
    let line = |Weight { name, plain, gzip, brotli }: &Weight| {
        format!("{name:width$} {plain:>9} {gzip:>9} {brotli:>9}\n")
    };
    let heading = format!("{:width$} {:>9} {:>9} {:>9}\n", "first load", "octets", "gzip", "brotli");
    heading + &files.iter().chain([&total]).map(line).collect::<String>()
}

/// The page against each goal, as a line each.
pub(crate) fn ratios(files: &[Weight]) -> String {
    let line = |budget: &Budget| {
        let used = (budget.measure)(files) as f64 / budget.goal as f64;
        let missed = if used > 1.0 { ", the goal: not reached yet" } else { "" };
        format!("{used:.2} of {} {}{missed}\n", budget.goal, budget.name)
    };
    BUDGETS.iter().map(line).collect()
}

/// An error if the page is heavier than it may be.
pub(crate) fn hold(files: &[Weight]) -> Result<()> {
    for Budget { name, limit, measure, .. } in &BUDGETS {
        let used = measure(files);
        if used > *limit {
            bail!(
                "the page's first load takes {used} {name}, and its budget is {limit} (crates/xtask/src/budget.rs)"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(gzip: usize) -> Weight {
        Weight { name: "a.css".to_owned(), plain: 2 * gzip, gzip, brotli: gzip / 2 }
    }

    #[test]
    fn a_page_within_its_budget_passes() {
        assert!(hold(&vec![file(29_000); 10]).is_ok());
        assert_eq!(ratios(&[file(175_000)]), "0.50 of 350000 gzip octets\n0.10 of 10 requests\n");
    }

    #[test]
    fn a_heavy_page_fails() {
        let over = BUDGETS[0].limit + 1;
        let error = hold(&[file(over)]).expect_err("too heavy").to_string();
        assert!(error.starts_with(&format!("the page's first load takes {over} gzip octets")), "{error}");
        assert!(
            ratios(&[file(420_000)]).starts_with("1.20 of 350000 gzip octets, the goal: not reached yet\n")
        );
        assert!(hold(&vec![file(1); 11]).is_err());
    }

    #[test]
    fn the_table_ends_in_sums() {
        let expected = "\
first load    octets      gzip    brotli
a.css             20        10         5
a.css             40        20        10
2 requests        60        30        15
";
        assert_eq!(table(&[file(10), file(20)]), expected);
    }
}

//! `netspurt reconstruct --claims`: what RFC 889 claims, what rebuilt runs say, and its slips.

use crate::failure::{Failure, say};
use crate::output::{self, Out};
use netspurt_core::report::{Table, csv_value};
use netspurt_core::rto::claims::{Claims, Found, Says, Verdict};
use netspurt_core::rto::rebuild::Noise;
use netspurt_core::rto::slips::{Slip, slips, slips_table};
use serde::Serialize;
use std::io::IsTerminal as _;

/// Runs between two words of progress.
const STEP: usize = 104;

pub(super) fn run(
    seeds: u64,
    laws: &'static [Noise],
    json: bool,
    csv: bool,
    out: Out<'_>,
) -> Result<(), Failure> {
    let mut claims = Claims::new(seeds, laws);
    while !claims.step(STEP) {
        if std::io::stderr().is_terminal() {
            say(&format!("{} of {} runs rebuilt", claims.done(), claims.total()));
        }
    }
    if json {
        return output::json(out, &Answer::new(&claims, seeds, laws));
    }
    let tables = [claims.table(), slips_table()];
    if csv {
        // One table a file; the slips have other columns.
        return Ok(out.write_all(as_csv(&tables[0]).as_bytes())?);
    }
    for table in &tables {
        writeln!(out, "{}\n", table.caption)?;
        let mut quote = "";
        for row in &table.rows {
            if row.head != quote {
                writeln!(out, "“{}”", row.head)?;
                quote = &row.head;
            }
            let cells = row.cells.iter().zip(&table.columns).skip(1);
            let cells: Vec<String> = cells.map(|(cell, c)| format!("{} {cell}", c.title)).collect();
            writeln!(out, "  {}: {}", row.cells[0], cells.join("; "))?;
        }
        writeln!(out)?;
    }
    Ok(writeln!(out, "{}", fits(&claims, seeds, laws))?)
}

/// How many rows the traces printed, of those asked of them.
fn fits(claims: &Claims, seeds: u64, laws: &[Noise]) -> String {
    let [own, control] = [false, true].map(|control| fitting(claims, control));
    let all = claims.total() / 2;
    let laws = laws.iter().map(|n| n.name()).collect::<Vec<_>>().join(" and ");
    format!(
        "{seeds} seeds, delays as {laws}: {own} of {all} reconstructions print their row; of the control {control} of {all}."
    )
}

fn fitting(claims: &Claims, control: bool) -> usize {
    claims.fits().iter().filter(|f| f.1 == control).map(|f| f.2).sum()
}

fn as_csv(table: &Table) -> String {
    let head = [table.head.as_str()].into_iter().chain(table.columns.iter().map(|c| &*c.title));
    let rows =
        table.rows.iter().map(|r| [r.head.as_str()].into_iter().chain(r.cells.iter().map(String::as_str)));
    let mut text = head.map(csv_value).collect::<Vec<_>>().join(",") + "\n";
    for row in rows {
        text += &(row.map(csv_value).collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

#[derive(Serialize)]
struct Answer {
    seeds: u64,
    /// The laws of delays: each seed is tried with every one.
    noise: Vec<&'static str>,
    /// Reconstructions that print their row, of 52 a seed and law; and of the control.
    exact: usize,
    exact_control: usize,
    claims: Vec<Claim>,
    slips: Vec<SlipAnswer>,
}

#[derive(Serialize)]
struct Claim {
    section: &'static str,
    quote: &'static str,
    measured: &'static str,
    claimed: String,
    found: Numbers,
    control: Numbers,
}

#[derive(Serialize)]
struct Numbers {
    median: f64,
    min: f64,
    max: f64,
    /// Seeds times laws.
    passes: usize,
    /// `null` where no pass gave a number.
    verdict: Option<&'static str>,
}

#[derive(Serialize)]
struct SlipAnswer {
    section: &'static str,
    quote: &'static str,
    found: String,
}

impl Answer {
    fn new(claims: &Claims, seeds: u64, laws: &[Noise]) -> Self {
        let claim = |r: netspurt_core::rto::claims::Row| Claim {
            section: r.claim.section,
            quote: r.claim.quote,
            measured: r.claim.about,
            claimed: Says::to_string(&r.claim.says),
            found: Numbers::of(&r.found),
            control: Numbers::of(&r.control),
        };
        let slip = |s: Slip| SlipAnswer { section: s.section, quote: s.quote, found: s.found };
        Self {
            seeds,
            noise: laws.iter().map(|n| n.name()).collect(),
            exact: fitting(claims, false),
            exact_control: fitting(claims, true),
            claims: claims.rows().into_iter().map(claim).collect(),
            slips: slips().into_iter().map(slip).collect(),
        }
    }
}

impl Numbers {
    fn of(found: &Found) -> Self {
        Self {
            median: found.median,
            min: found.least,
            max: found.greatest,
            passes: found.passes,
            verdict: found.verdict.map(Verdict::word),
        }
    }
}

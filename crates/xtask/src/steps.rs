//! `check` and `test`: steps in order, each timed, their tests counted, with one closing line.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::count::{self, Count};
use crate::{budget, page, repo, run, tools};

/// A step of `test`; those with `is_quick` are the steps of `check`.
pub(crate) struct Step {
    name: &'static str,
    is_quick: bool,
    /// A step that must have passed before.
    needs: Option<&'static str>,
    run: fn() -> Result<Count>,
}

/// Cheap steps first, so that small mistakes are told early.
static STEPS: [Step; 8] = [
    Step { name: "format", is_quick: true, needs: None, run: format },
    Step { name: "clippy", is_quick: true, needs: None, run: clippy },
    Step { name: "clippy-wasm", is_quick: true, needs: None, run: clippy_wasm },
    Step { name: "native", is_quick: true, needs: None, run: native },
    Step { name: "docs", is_quick: true, needs: None, run: docs },
    Step { name: "wasm", is_quick: false, needs: None, run: wasm },
    Step { name: "page", is_quick: false, needs: None, run: build },
    Step { name: "browser", is_quick: false, needs: Some("page"), run: browser },
];

/// Runs the steps, or those named in `only` and what they need. Every step runs, whatever failed before,
/// unless it needs a step that broke off.
pub(crate) fn run(quick: bool, only: &[String]) -> Result<ExitCode> {
    let chosen = choose(quick, only)?;
    let mut total = Count::default();
    let mut broken = BTreeSet::new();
    let mut summary = Vec::new();
    for step in chosen {
        println!("\n== {} ==", step.name);
        let start = Instant::now();
        let missing = step.needs.filter(|needed| broken.contains(needed));
        let Outcome { count, words, broke } = missing.map_or_else(|| outcome(step), not_run);
        total += count;
        if broke {
            broken.insert(step.name);
        }
        summary.push(format!("{:12} {:6.1} s {words}", step.name, start.elapsed().as_secs_f64()));
    }
    println!("\n{}", summary.join("\n"));
    if only.is_empty() && total == Count::default() {
        println!("no test ran");
        total.failed = 1;
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn choose(quick: bool, only: &[String]) -> Result<Vec<&'static Step>> {
    let known = || STEPS.iter().filter(|step| step.is_quick || !quick);
    let mut names: BTreeSet<&str> = only.iter().map(String::as_str).collect();
    if let Some(name) = names.iter().find(|name| known().all(|step| step.name != **name)) {
        let names = known().map(|step| step.name).collect::<Vec<_>>().join(", ");
        bail!("there is no step `{name}`; the steps are {names}");
    }
    names.extend(
        known().filter(|step| only.iter().any(|name| name == step.name)).filter_map(|step| step.needs),
    );
    Ok(known().filter(|step| only.is_empty() || names.contains(step.name)).collect())
}

/// What came of a step.
struct Outcome {
    count: Count,
    words: String,
    /// It did not get to its end, so what needs it cannot run.
    broke: bool,
}

/// Runs a step. A step that breaks off counts as one failure.
fn outcome(step: &Step) -> Outcome {
    match (step.run)() {
        Ok(count) => {
            let words = match count {
                Count { passed: 0, failed: 0 } => "ok".to_owned(),
                Count { passed, failed: 0 } => format!("{passed} passed"),
                Count { passed, failed } => format!("{passed} passed, {failed} FAILED"),
            };
            Outcome { count, words, broke: false }
        }
        Err(error) => {
            run::tell(&error);
            Outcome { count: Count { passed: 0, failed: 1 }, words: format!("FAILED: {error}"), broke: true }
        }
    }
}

fn not_run(needed: &str) -> Outcome {
    let words = format!("not run, as {needed} failed");
    println!("{words}");
    Outcome { count: Count { passed: 0, failed: 1 }, words, broke: true }
}

fn format() -> Result<Count> {
    quiet(repo::cargo().args(["fmt", "--all", "--check"])).context("`cargo fmt` puts the layout right")
}

fn clippy() -> Result<Count> {
    quiet(repo::cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn clippy_wasm() -> Result<Count> {
    tools::wasm_target()?;
    let packages = repo::packages()?;
    let lint = |targets: &[&str], packages: Vec<&repo::Package>| {
        let names = packages.into_iter().flat_map(|package| ["--package", &package.name]);
        let mut clippy = repo::cargo();
        clippy.args(["clippy", "--target", repo::WASM]).args(targets).args(names);
        quiet(clippy.args(["--", "-D", "warnings"]))
    };
    let count = lint(&["--lib"], repo::wasm_packages(&packages))?;
    let tested: Vec<_> = packages.iter().filter(|package| package.has_wasm_tests).collect();
    // Other packages' tests need not even compile to wasm.
    if tested.is_empty() { Ok(count) } else { lint(&["--tests"], tested) }
}

fn native() -> Result<Count> {
    // Apart, xtask is built with the features it already runs with, and its large dependencies only once.
    let mut count =
        libtest(repo::cargo().args(["test", "--workspace", "--exclude", "xtask", "--no-fail-fast"]))?;
    count += libtest(repo::cargo().args(["test", "--package", "xtask"]))?;
    some(count)
}

fn docs() -> Result<Count> {
    quiet(repo::cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

fn wasm() -> Result<Count> {
    let packages = repo::packages()?;
    let tested: Vec<_> = packages.iter().filter(|package| package.has_wasm_tests).collect();
    if tested.is_empty() {
        println!("no package has wasm tests");
        return Ok(Count::default());
    }
    tools::wasm_target()?;
    tools::node()?;
    let names = tested.into_iter().flat_map(|package| ["--package", &package.name]);
    let mut tests = repo::cargo();
    // Examples in documentation are tested natively.
    tests.args(["test", "--lib", "--tests", "--no-fail-fast", "--target", repo::WASM]).args(names);
    some(libtest(&mut tests)?)
}

/// The budget is the page's one test, so that a heavy page is still tried in a browser.
fn build() -> Result<Count> {
    let weights = page::build(|weight| print!("{weight}"))?;
    Ok(match budget::hold(&weights) {
        Ok(()) => Count { passed: 1, failed: 0 },
        Err(error) => {
            run::tell(&error);
            Count { passed: 0, failed: 1 }
        }
    })
}

fn browser() -> Result<Count> {
    let chrome = tools::chromium()?;
    tools::node_packages()?;
    let server = netspurt_serve::serve(&repo::dist(), [127, 0, 0, 1].into(), 0)?;
    let dir = repo::browser_tests();
    let report = dir.join("test-results/report.json");
    // An old report must not be taken for this one.
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let mut playwright = Command::new("node");
    playwright
        .args(["node_modules/@playwright/test/cli.js", "test"])
        .current_dir(&dir)
        .env("CHROME", chrome)
        .env("NETSPURT_URL", server.url())
        .env("NETSPURT_DIST", repo::dist())
        .env("NETSPURT_REPORT", &report);
    let ended = run::lines(&mut playwright, |line| println!("{line}"));
    server.shutdown()?;
    let count = fs::read_to_string(&report)
        .ok()
        .and_then(|text| count::playwright(&serde_json::from_str(&text).ok()?));
    counted(ended, count.unwrap_or_default()).and_then(some)
}

/// Runs a command that has no tests.
fn quiet(command: &mut Command) -> Result<Count> {
    run::lines(command, |line| println!("{line}")).map(|()| Count::default())
}

/// Runs libtest binaries and adds up what they say.
fn libtest(command: &mut Command) -> Result<Count> {
    let mut total = Count::default();
    let ended = run::lines(command, |line| {
        println!("{line}");
        if let Some(count) = count::libtest(line) {
            total += count;
        }
    });
    counted(ended, total)
}

/// A runner that failed is an error, unless failed tests explain it.
fn counted(ended: Result<()>, count: Count) -> Result<Count> {
    match ended {
        Err(error) if count.failed == 0 => Err(error),
        _ => Ok(count),
    }
}

/// A runner that ran nothing has not tested anything.
fn some(count: Count) -> Result<Count> {
    if count == Count::default() {
        bail!("no test ran");
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(quick: bool, only: &[&str]) -> Vec<&'static str> {
        let only: Vec<_> = only.iter().map(|&name| name.to_owned()).collect();
        choose(quick, &only).unwrap().iter().map(|step| step.name).collect()
    }

    #[test]
    fn a_chosen_step_brings_what_it_needs() {
        assert_eq!(names(false, &[]).len(), STEPS.len());
        assert_eq!(names(true, &[]), ["format", "clippy", "clippy-wasm", "native", "docs"]);
        assert_eq!(names(false, &["browser"]), ["page", "browser"]);
        assert_eq!(names(false, &["docs", "format"]), ["format", "docs"]);
        assert!(choose(true, &["browser".to_owned()]).is_err());
    }

    #[test]
    fn a_failing_runner_counts_though_no_test_failed() {
        let step = |run| Step { name: "step", is_quick: true, needs: None, run };
        let count = |passed, failed| Count { passed, failed };
        assert_eq!(outcome(&step(|| Ok(Count { passed: 3, failed: 0 }))).count, count(3, 0));
        assert_eq!(outcome(&step(|| bail!("broken"))).count, count(0, 1));
        assert_eq!(counted(Ok(()), count(3, 0)).unwrap(), count(3, 0));
        assert_eq!(counted(Err(anyhow::anyhow!("exit 1")), count(3, 1)).unwrap(), count(3, 1));
        assert!(counted(Err(anyhow::anyhow!("exit 1")), count(3, 0)).is_err());
        assert!(some(Count::default()).is_err());
    }
}

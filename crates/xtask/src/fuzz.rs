//! `fuzz`: every importer is fed with mutated samples, each for a while (`tests/fuzz/README.md`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};

use crate::{repo, run, tools};

/// What lets the bytes tell the format, beside the formats themselves.
const ANY: &str = "any";

/// Seeds are small, for the sake of speed.
const LARGEST_SEED: u64 = 1 << 15;

/// Fuzzes each format, or those of these ids, for so many seconds. Goes on after a crash, and fails
/// at the end.
pub(crate) fn fuzz(seconds: u32, only: &[String]) -> Result<ExitCode> {
    tools::cargo_fuzz()?;
    let mut targets: Vec<String> = formats(&[])?.lines().map(str::to_owned).collect();
    targets.push(ANY.to_owned());
    if let Some(unknown) = only.iter().find(|id| !targets.contains(id)) {
        bail!("there is no format `{unknown}`; there are {}", targets.join(", "));
    }
    targets.retain(|id| only.is_empty() || only.contains(id));
    let samples = samples()?;
    run::pass(&mut cargo_fuzz("build")).context("the fuzz targets must build")?;
    let mut broken = Vec::new();
    for id in &targets {
        let corpus = seed(id, &samples)?;
        println!("\n== {id}, {seconds} s ==");
        if let Err(error) = run::lines(&mut one(id, &corpus, seconds), |line| println!("{line}")) {
            run::tell(&error);
            broken.push(id.as_str());
        }
    }
    let (all, bad) = (targets.len(), broken.len());
    println!("\n{} of {all} held for {seconds} s each{}", all - bad, if bad > 0 { ", not:" } else { "" });
    for id in &broken {
        println!("{id}: see tests/fuzz/artifacts");
    }
    Ok(if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn cargo_fuzz(what: &str) -> Command {
    let mut cargo = Command::new("cargo");
    // Only the proxy of rustup knows `+nightly`, and a target folder of the workspace's is none of ours.
    cargo.args(["+nightly", "fuzz", what, "--fuzz-dir"]).arg(home());
    cargo.current_dir(repo::root()).env_remove("CARGO_TARGET_DIR");
    cargo
}

/// One target, run for so long.
fn one(id: &str, corpus: &Path, seconds: u32) -> Command {
    let program = if id == ANY { ANY } else { "format" };
    let mut fuzz = cargo_fuzz("run");
    fuzz.arg(program).arg(corpus).env("NETSPURT_FORMAT", id).arg("--");
    fuzz.arg(format!("-max_total_time={seconds}"));
    fuzz.arg(format!("-artifact_prefix={}/", folder("artifacts").join(id).display()));
    fuzz.args([
        "-timeout=10",
        "-rss_limit_mb=2048",
        "-max_len=65536",
        "-verbosity=0",
        "-print_final_stats=1",
    ]);
    fuzz
}

/// The package of the targets.
fn home() -> PathBuf {
    repo::root().join("tests/fuzz")
}

fn folder(name: &str) -> PathBuf {
    home().join(name)
}

/// Puts the samples of a format into its corpus; of a format without, and for `any`, all of them.
fn seed(id: &str, samples: &[(String, PathBuf)]) -> Result<PathBuf> {
    let corpus = folder("corpus").join(id);
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(folder("artifacts").join(id))?;
    let own = samples.iter().any(|(format, _)| format == id);
    for (_, path) in samples.iter().filter(|(format, _)| format == id || !own) {
        let name = path.file_name().context("a sample has a name")?;
        fs::copy(path, corpus.join(name))?;
    }
    Ok(corpus)
}

/// The samples, each with the id of its format.
fn samples() -> Result<Vec<(String, PathBuf)>> {
    let root = repo::root().join("crates/import/tests/samples");
    let mut files = Vec::new();
    for folder in fs::read_dir(&root)?.filter_map(Result::ok).filter(|f| f.path().is_dir()) {
        let small = |path: &PathBuf| fs::metadata(path).is_ok_and(|m| m.len() <= LARGEST_SEED);
        files.extend(fs::read_dir(folder.path())?.filter_map(Result::ok).map(|f| f.path()).filter(small));
    }
    files.sort();
    let told = formats(&files)?;
    let parsed = told.lines().filter_map(|line| line.split_once('\t'));
    Ok(parsed.map(|(id, path)| (id.to_owned(), PathBuf::from(path))).collect())
}

/// What the example `formats` prints.
fn formats(files: &[PathBuf]) -> Result<String> {
    let mut example = repo::cargo();
    example.args(["run", "--quiet", "--package", "netspurt-import", "--example", "formats", "--"]);
    run::output(example.args(files))
}

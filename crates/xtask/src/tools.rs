//! What a fresh machine lacks: each tool is looked for, installed where that is ours to do, or named.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::{repo, run};

/// The oldest Node.js that Playwright runs on.
const NODE: u32 = 20;

/// Names a Chromium goes by on PATH, then places where it lies on systems that keep it off PATH.
const CHROMIUM: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// Makes sure that rustc can compile to wasm.
pub(crate) fn wasm_target() -> Result<()> {
    let sysroot = run::output(Command::new("rustc").args(["--print", "sysroot"]))?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(repo::WASM).is_dir() {
        return Ok(());
    }
    let mut add = Command::new("rustup");
    run::pass(add.args(["target", "add", repo::WASM])).with_context(|| {
        format!(
            "rustc has no {0} target; `rustup target add {0}`, or your system's package for it, adds one",
            repo::WASM
        )
    })
}

/// Makes sure that there is cargo-fuzz, and the nightly compiler it needs for its sanitizer.
pub(crate) fn cargo_fuzz() -> Result<()> {
    let works = |command: &mut Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if !works(Command::new("cargo").args(["+nightly", "--version"])) {
        run::pass(Command::new("rustup").args(["toolchain", "install", "nightly", "--profile", "minimal"]))
            .context("fuzzing needs a nightly compiler; `rustup toolchain install nightly` adds one")?;
    }
    if !works(Command::new("cargo").args(["fuzz", "--version"])) {
        eprintln!("Installing cargo-fuzz.");
        run::pass(Command::new("cargo").args(["install", "--locked", "cargo-fuzz"]))
            .context("fuzzing needs cargo-fuzz; `cargo install cargo-fuzz` adds it")?;
    }
    Ok(())
}

/// Finds Chromium: in CHROME, on PATH, or by installing it.
pub(crate) fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROME").filter(|named| !named.is_empty()) {
        return on_path(&named.to_string_lossy())
            .with_context(|| format!("CHROME names {}, and there is no such program", named.display()));
    }
    let find = || CHROMIUM.iter().find_map(|name| on_path(name));
    if let Some(found) = find() {
        return Ok(found);
    }
    install(&["chromium"], "a Chromium (or Chrome), or set CHROME to the path of one")?;
    find().context("chromium was installed and is still not on PATH")
}

/// Makes sure that Node.js is there and new enough.
pub(crate) fn node() -> Result<()> {
    if on_path("node").is_none() {
        install(&["nodejs"], &format!("Node.js {NODE} or later"))?;
    }
    let version = run::output(Command::new("node").arg("--version"))?;
    let major =
        version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    match major {
        Some(major) if major >= NODE => Ok(()),
        _ => bail!(
            "Node.js is {}, and {NODE} or later is needed; put a newer `node` first on PATH",
            version.trim()
        ),
    }
}

/// Makes sure that the packages of the browser tests are installed as the lock file says.
pub(crate) fn node_packages() -> Result<()> {
    node()?;
    let dir = repo::browser_tests();
    let lock =
        fs::read_to_string(dir.join("package-lock.json")).context("tests/browser/package-lock.json")?;
    let stamp = dir.join("node_modules/.installed-lock.json");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    if on_path("npm").is_none() {
        install(&["npm"], "npm, which comes with Node.js")?;
    }
    // Chromium is the system's; Playwright must not fetch one of its own.
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(&dir).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    run::pass(npm.args(["ci", "--no-audit", "--no-fund"]))
        .context("the browser tests' packages could not be installed; `npm ci` in tests/browser must pass")?;
    fs::write(stamp, lock)?;
    Ok(())
}

/// Installs packages where we are root on a Debian, else says what is missing.
fn install(packages: &[&str], wanted: &str) -> Result<()> {
    let list = packages.join(" ");
    if !(Path::new("/etc/debian_version").exists() && on_path("apt-get").is_some()) {
        bail!("{list} was not found. Install {wanted}.");
    }
    if run::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0") {
        eprintln!("Installing {list}.");
        let apt_get = |arguments: &[&str]| {
            let mut apt_get = Command::new("apt-get");
            apt_get.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stderr(Stdio::inherit());
            run::pass(&mut apt_get)
        };
        apt_get(&["update", "--quiet"])
            .and_then(|()| {
                apt_get(&[&["install", "--yes", "--quiet", "--no-install-recommends"], packages].concat())
            })
            .with_context(|| format!("{list} could not be installed. Install {wanted}."))
    } else {
        bail!("{list} was not found. Run `sudo apt-get install {list}`, or install {wanted}.");
    }
}

/// The program of this name, or at this path.
fn on_path(name: &str) -> Option<PathBuf> {
    if name.contains(['/', '\\']) {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|dir| {
            [dir.join(name), dir.join(name).with_extension("exe"), dir.join(name).with_extension("cmd")]
        })
        .find(|file| file.is_file())
}

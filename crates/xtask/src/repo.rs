//! Where things lie in the repository, and what its packages say of themselves.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::run;

/// The target of the page.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// The package that is the page.
pub(crate) const PAGE: &str = "netspurt-web";

/// The package that is the program of the page's worker.
pub(crate) const WORKER: &str = "netspurt-worker";

pub(crate) fn root() -> PathBuf {
    // The variable is right even when the folder has moved since xtask was built.
    let crate_dir = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let crate_dir = crate_dir.filter(|dir| dir.ends_with("crates/xtask"));
    let crate_dir = crate_dir.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    crate_dir.ancestors().nth(2).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// The built page.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// The Playwright package.
pub(crate) fn browser_tests() -> PathBuf {
    root().join("tests/browser")
}

/// A cargo command that runs in the root.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// A package of the workspace, as far as a step needs to know it.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Names of the packages it is built from.
    needs: BTreeSet<String>,
    /// Made for JavaScript to load.
    is_cdylib: bool,
    /// Has tests that run as wasm.
    pub(crate) has_wasm_tests: bool,
}

pub(crate) fn packages() -> Result<Vec<Package>> {
    let text = run::output(cargo().args(["metadata", "--format-version=1", "--no-deps"]))?;
    let metadata: Value = serde_json::from_str(&text).context("`cargo metadata` did not print JSON")?;
    Ok(list(&metadata["packages"]).map(package).collect())
}

/// The packages that are compiled to wasm: the page, others made for JavaScript, and all below them.
pub(crate) fn wasm_packages(packages: &[Package]) -> Vec<&Package> {
    let mut names: BTreeSet<&str> = packages
        .iter()
        .filter(|package| package.is_cdylib || package.has_wasm_tests || package.name == PAGE)
        .map(|package| package.name.as_str())
        .collect();
    loop {
        let below = packages.iter().filter(|package| names.contains(package.name.as_str()));
        let grown: BTreeSet<&str> = below
            .flat_map(|package| package.needs.iter().map(String::as_str))
            .chain(names.iter().copied())
            .collect();
        if grown.len() == names.len() {
            return packages.iter().filter(|package| names.contains(package.name.as_str())).collect();
        }
        names = grown;
    }
}

fn package(value: &Value) -> Package {
    let dependencies = || list(&value["dependencies"]);
    Package {
        name: text(&value["name"]),
        needs: dependencies()
            .filter(|dependency| dependency["kind"].is_null())
            .map(|dependency| text(&dependency["name"]))
            .collect(),
        is_cdylib: list(&value["targets"])
            .flat_map(|target| list(&target["crate_types"]))
            .any(|crate_type| crate_type == "cdylib"),
        has_wasm_tests: dependencies().any(|dependency| dependency["name"] == "wasm-bindgen-test"),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wasm_packages_are_the_page_and_all_below() {
        let package = |name: &str, needs: &[&str]| Package {
            name: name.to_owned(),
            needs: needs.iter().map(|&need| need.to_owned()).collect(),
            is_cdylib: name == "js",
            has_wasm_tests: false,
        };
        let packages = [
            package("core", &["libm"]),
            package("notebook", &["core"]),
            package(PAGE, &["notebook", "yew"]),
            package("js", &["core"]),
            package("cli", &["core"]),
        ];
        let names: Vec<_> = wasm_packages(&packages).iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["core", "notebook", PAGE, "js"]);
    }
}

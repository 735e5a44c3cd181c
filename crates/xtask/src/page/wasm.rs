//! The page's program: compiled, then bound to JavaScript.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result};
use serde_json::Value;
use wasm_bindgen_cli_support::Bindgen;

use crate::{repo, run, tools};

/// The page's program. The glue is a classic script, which a worker can import as well.
pub(super) struct Program {
    pub(super) wasm: Vec<u8>,
    pub(super) glue: String,
}

pub(super) fn program() -> Result<Program> {
    tools::wasm_target()?;
    bind(&compile()?).context("wasm-bindgen could not read the page's wasm")
}

fn compile() -> Result<PathBuf> {
    let mut cargo = repo::cargo();
    cargo
        .args([
            "build",
            "--package",
            repo::PAGE,
            "--lib",
            "--target",
            repo::WASM,
            "--profile",
            "wasm-release",
        ])
        .args(["--message-format", "json-render-diagnostics", "--config", &paths_removed()])
        .stderr(Stdio::inherit());
    let mut wasm = None;
    run::lines(&mut cargo, |line| wasm = wasm_of(line).or(wasm.take()))?;
    wasm.with_context(|| {
        format!("{} made no .wasm file; its [lib] needs `crate-type = [\"cdylib\", \"rlib\"]`", repo::PAGE)
    })
}

/// The page's .wasm file, if this line of cargo's messages names it.
fn wasm_of(line: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_page = message["target"]["name"] == repo::PAGE.replace('-', "_");
    let mut files = message["filenames"].as_array().filter(|_| is_page)?.iter().filter_map(Value::as_str);
    files.find(|file| Path::new(file).extension().is_some_and(|ending| ending == "wasm")).map(PathBuf::from)
}

/// A setting that keeps this machine's folders out of panic messages, so that the page is the same
/// whoever builds it.
fn paths_removed() -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let registries = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
    // The last prefix that fits wins.
    let flags: Vec<_> = [(repo::root(), "."), (home, "cargo")]
        .into_iter()
        .chain(registries.map(|registry| (registry.path(), "crates")))
        .map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display()))
        .collect();
    format!("target.{}.rustflags={flags:?}", repo::WASM)
}

fn bind(wasm: &Path) -> Result<Program> {
    let mut output = Bindgen::new()
        .input_path(wasm)
        .no_modules(true)?
        // Without a default path, glue for snippets is left broken.
        .omit_default_module_path(false)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()?;
    Ok(Program { glue: output.js().to_owned(), wasm: output.wasm_mut().emit_wasm() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_artifact_is_read_from_cargos_messages() {
        let check = |line, expected: Option<&str>| assert_eq!(wasm_of(line), expected.map(PathBuf::from));
        check(
            r#"{"target":{"name":"netspurt_web"},"filenames":["/t/a.rlib","/t/a.wasm"]}"#,
            Some("/t/a.wasm"),
        );
        check(r#"{"target":{"name":"netspurt_web"},"filenames":["/t/a.rlib"]}"#, None);
        check(r#"{"target":{"name":"other"},"filenames":["/t/a.wasm"]}"#, None);
        check("not a message", None);
    }
}

//! Programs for JavaScript: compiled, then bound to it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::Value;
use wasm_bindgen_cli_support::Bindgen;

use crate::{repo, run, tools};

mod order;

/// The profile of what is loaded first.
pub(crate) const SMALL: &str = "wasm-page";
/// The profile of what computes.
pub(crate) const FAST: &str = "wasm-release";

/// A program of the page. The glue is a classic script, which a worker can import.
pub(crate) struct Program {
    pub(crate) wasm: Vec<u8>,
    pub(crate) glue: String,
}

/// Builds a package for the page, by a profile of the workspace.
pub(crate) fn for_page(package: &str, profile: &str) -> Result<Program> {
    let mut output = bindgen(&compile(package, profile)?).no_modules(true)?.generate_output()?;
    let mut glue = output.js().to_owned();
    shorten(output.wasm_mut().imports.iter_mut().map(|import| &mut import.name), &mut glue);
    let wasm = order::alike_together(&output.wasm_mut().emit_wasm())?;
    Ok(Program { glue: uncommented(&glue), wasm })
}

/// A script without what stands on lines of its own: comments and empty lines.
fn uncommented(script: &str) -> String {
    let mut is_open = false;
    let code = script.lines().filter(|line| {
        let line = line.trim();
        let begins = is_open || line.starts_with("/*");
        is_open = begins && !line.ends_with("*/");
        !(begins || line.starts_with("//") || line.is_empty())
    });
    code.map(|line| line.to_owned() + "\n").collect()
}

/// Gives what a program imports from its glue short names: the glue's own end in digests, which do not
/// compress. One that does not stand in the glue once, as a key, stays.
fn shorten<'a>(imports: impl Iterator<Item = &'a mut String>, glue: &mut String) {
    for (i, name) in imports.enumerate() {
        let key = format!("{name}:");
        if glue.matches(&key).count() == 1 {
            *name = format!("i{i}");
            *glue = glue.replace(&key, &format!("{name}:"));
        }
    }
}

/// Builds a package for scripts in a browser; returns the folder of its two files.
pub(crate) fn for_browser(package: &str) -> Result<PathBuf> {
    let wasm = compile(package, FAST)?;
    let dir = wasm.with_extension("browser");
    bindgen(&wasm).no_modules(true)?.generate(&dir)?;
    Ok(dir)
}

fn bindgen(wasm: &Path) -> Bindgen {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        // Without a default path, glue for snippets is left broken.
        .omit_default_module_path(false)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen
}

/// Compiles a package; returns the path of its .wasm file.
fn compile(package: &str, profile: &str) -> Result<PathBuf> {
    tools::wasm_target()?;
    let mut cargo = repo::cargo();
    cargo
        .args(["build", "--package", package, "--lib", "--target", repo::WASM, "--profile", profile])
        .args(["--message-format", "json-render-diagnostics", "--config", &paths_removed()]);
    let mut wasm = None;
    run::lines(&mut cargo, |line| wasm = wasm_of(package, line).or(wasm.take()))?;
    wasm.with_context(|| format!("{package} made no .wasm file; its [lib] needs `crate-type = [\"cdylib\"]`"))
}

/// The package's .wasm file, if this line of cargo's messages names it.
fn wasm_of(package: &str, line: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_ours = message["target"]["name"] == package.replace('-', "_");
    let mut files = message["filenames"].as_array().filter(|_| is_ours)?.iter().filter_map(Value::as_str);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_renamed_on_both_sides() {
        let mut imports = ["__wbg_now_1f2e", "gone", "twice"].map(str::to_owned);
        let mut glue = "{ __wbg_now_1f2e: function() {}, twice: 1, twice: 2 }".to_owned();
        shorten(imports.iter_mut(), &mut glue);
        assert_eq!(imports, ["i0", "gone", "twice"]);
        assert_eq!(glue, "{ i0: function() {}, twice: 1, twice: 2 }");
    }

    #[test]
    fn comments_on_lines_of_their_own_are_left_out() {
        let script = "/**\n * Starts. {@link a}\n */\na(); // b\n  // c\n\n/* d */\nb = 'http://c';\n";
        assert_eq!(uncommented(script), "a(); // b\nb = 'http://c';\n");
    }

    #[test]
    fn the_artifact_is_read_from_cargos_messages() {
        let check =
            |line, expected: Option<&str>| assert_eq!(wasm_of(repo::PAGE, line), expected.map(PathBuf::from));
        check(
            r#"{"target":{"name":"netspurt_web"},"filenames":["/t/a.rlib","/t/a.wasm"]}"#,
            Some("/t/a.wasm"),
        );
        check(r#"{"target":{"name":"netspurt_web"},"filenames":["/t/a.rlib"]}"#, None);
        check(r#"{"target":{"name":"other"},"filenames":["/t/a.wasm"]}"#, None);
        check("not a message", None);
    }
}

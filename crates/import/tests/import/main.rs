//! The importers from outside: real files with known counts, and laws that hold for any bytes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod forms;
mod laws;
mod samples;

use std::path::{Path, PathBuf};

/// Every sample file, in the order of their names.
fn sample_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let folders =
        ["captures", "csv", "forms", "gear", "json", "ping", "series", "tools"].map(|f| root.join(f));
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|f| std::fs::read_dir(f).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

//! The page: wasm, glue, styles, fonts and shell into dist/, ready for any static host.
//!
//! Every file but the shell is named by its content, and every address is relative, so that the folder
//! works under any path and is cached for ever. The same sources give the same octets.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, Result};

use crate::budget::{self, Weight};
use crate::{repo, tools, wasm};

pub(crate) mod compress;
mod names;
mod shell;
mod styles;

/// The folder as it will be: names to contents.
#[derive(Debug, Default)]
pub(crate) struct Dist {
    files: BTreeMap<String, Vec<u8>>,
    /// Names of the files that a first visit loads.
    first_load: Vec<String>,
}

/// Builds the page, hands its weight as a table to `show`, and returns it.
pub(crate) fn build(show: fn(&str)) -> Result<Vec<Weight>> {
    let root = repo::root();
    tools::wasm_target()?;
    // Each is one unit of code at the end, which takes one core.
    let (program, worker) = thread::scope(|scope| {
        let worker = scope.spawn(|| wasm::for_page(repo::WORKER, wasm::FAST));
        let program = wasm::for_page(repo::PAGE, wasm::SMALL);
        (program, worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let program = program.context("the page's program could not be built")?;
    let worker = worker.context("the worker's program could not be built")?;
    let shell = fs::read_to_string(root.join("index.html")).context("index.html")?;
    let dist = shell::assemble(&shell, &root, &program, &worker).context("index.html could not be built")?;
    let weights = dist.write(&repo::dist()).context("dist could not be written")?;
    show(&(budget::table(&weights) + &budget::ratios(&weights)));
    Ok(weights)
}

impl Dist {
    /// Adds a file that a first visit loads, under a name made of its content; returns the name.
    fn add_hashed(&mut self, path: &str, bytes: Vec<u8>) -> String {
        let name = self.add_later(path, bytes);
        if !self.first_load.contains(&name) {
            self.first_load.push(name.clone());
        }
        name
    }

    /// Adds a file that is loaded when it is needed, under a name made of its content; returns the name.
    fn add_later(&mut self, path: &str, bytes: Vec<u8>) -> String {
        let name = names::hashed(path, &bytes);
        self.files.insert(name.clone(), bytes);
        name
    }

    /// Adds a file under its own name.
    fn add(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.insert(name.to_owned(), bytes);
    }

    /// Writes the files and their compressed copies into `dir`, emptied first.
    fn write(&self, dir: &Path) -> Result<Vec<Weight>> {
        if dir.exists() {
            fs::remove_dir_all(dir)?;
        }
        let mut weights = BTreeMap::new();
        for ((name, bytes), copies) in self.files.iter().zip(self.copies()) {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().unwrap_or(dir))?;
            let copies = copies?;
            weights.insert(name.as_str(), Weight::of(name, bytes, &copies));
            fs::write(&path, bytes)?;
            for (ending, copy) in [("br", &copies.brotli), ("gz", &copies.gzip)] {
                if let Some(copy) = copy {
                    fs::write(dir.join(format!("{name}.{ending}")), copy)?;
                }
            }
        }
        Ok(self.first_load.iter().filter_map(|name| weights.remove(name.as_str())).collect())
    }

    /// The compressed copies of every file, in their order. The programs take long, each as long as the
    /// other.
    fn copies(&self) -> Vec<Result<compress::Copies>> {
        thread::scope(|scope| {
            let files = self.files.iter();
            let all: Vec<_> =
                files.map(|(name, bytes)| scope.spawn(move || compress::copies(name, bytes))).collect();
            let join = |copies: thread::ScopedJoinHandle<'_, _>| {
                copies.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            all.into_iter().map(join).collect()
        })
    }
}

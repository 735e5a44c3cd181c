//! Reading files and standard input as bytes, within bounds.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read: 2 GB.
const MOST: u64 = 2_000_000_000;

/// A file's bytes and what to call it.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &OsStr) -> Result<Input, Failure> {
    if path == "-" {
        let name = "standard input".to_owned();
        let bytes = bounded(io::stdin().lock(), &name)?;
        return Ok(Input { name, bytes });
    }
    let name = Path::new(path).display().to_string();
    let unreadable = |e: io::Error| {
        Failure::input(plain(&e), &name, "name a file that can be read, or - for standard input")
    };
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(Failure::input("this is a folder", name, "name a file in it"));
    }
    if metadata.len() > MOST {
        return Err(too_large(&name, &format!("{:.1} GB", metadata.len() as f64 / 1e9)));
    }
    let bytes = bounded(file, &name)?;
    Ok(Input { name, bytes })
}

fn bounded(from: impl Read, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    from.take(MOST + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| Failure::input(plain(&e), name, "try again, or copy it elsewhere first"))?;
    if bytes.len() as u64 > MOST {
        return Err(too_large(name, "more than 2 GB"));
    }
    Ok(bytes)
}

fn too_large(name: &str, size: &str) -> Failure {
    Failure::input(
        format!("this is {size}, and a file is held in memory whole, so 2 GB is the most"),
        name,
        "cut it, for example with `head -c 2000000000`",
    )
}

/// The system's reason, without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// Reads a file that must be text.
pub(crate) fn text(path: &OsStr) -> Result<(String, String), Failure> {
    let Input { name, bytes } = read(path)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok((name, text)),
        Err(e) => {
            let place = format!("{name}, byte {}", e.utf8_error().valid_up_to() + 1);
            Err(Failure::input("a notebook is UTF-8 text, and this is not", place, "save it as UTF-8"))
        }
    }
}

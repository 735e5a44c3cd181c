//! A notebook named on the command line: a file, a link, or `-` for either on standard input.
//!
//! What is a file, is read as one. Else it is a link, if it holds one: `…#0:…`, or from the version
//! on. Files that cells name (`file/<name>#<digest>`) are looked for beside the notebook.

use crate::failure::Failure;
use crate::{input, open, traces};
use netspurt_notebook::document::Document;
use netspurt_notebook::how::How;
use netspurt_notebook::link::{Payload, decode};
use netspurt_notebook::reading::{self, Content};
use netspurt_notebook::traces::{Opened, Shelf, parse_file};
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::Path;

/// A notebook and what came with it.
#[derive(Debug)]
pub(crate) struct Notebook {
    /// What to call it in messages.
    pub(crate) name: String,
    pub(crate) document: Document,
    /// Of a link: digests of results, and which generator they rest on.
    pub(crate) payload: Payload,
    /// The files its cells name, as far as they were found.
    pub(crate) shelf: Shelf,
}

/// Reads a notebook, or a link if `links` are taken.
pub(crate) fn read(named: &OsStr, links: bool) -> Result<Notebook, Failure> {
    let link = named.to_str().filter(|text| links && !Path::new(named).exists() && is_link(text));
    if let Some(link) = link {
        return opened("the link".to_owned(), link);
    }
    let (name, text) = input::text(named)?;
    if links && named == "-" && is_link(text.trim()) {
        return opened(name, text.trim());
    }
    let folder = Path::new(named).parent().unwrap_or(Path::new("")).to_owned();
    Ok(Notebook::new(name, Payload { text, ..Payload::default() }, &folder))
}

fn opened(name: String, link: &str) -> Result<Notebook, Failure> {
    match decode(link) {
        Ok(payload) => Ok(Notebook::new(name, payload, Path::new(""))),
        Err(e) => Err(open::refusal(&e, name)),
    }
}

/// Whether this is one line with `#`, or nothing, before a version and a colon.
fn is_link(text: &str) -> bool {
    let fragment = text.split_once('#').map_or(text, |(_, f)| f);
    let after = fragment.trim_start_matches(|c: char| c.is_ascii_digit());
    !text.contains(char::is_whitespace) && after.len() < fragment.len() && after.starts_with(':')
}

impl Notebook {
    fn new(name: String, payload: Payload, folder: &Path) -> Self {
        let document = Document::parse(payload.text.as_str());
        let mut shelf = Shelf::default();
        for (file, how) in files(&document) {
            // A file that cannot be read is missed where a cell asks for it.
            if let Some(trace) = found(&folder.join(&file), &file, how) {
                shelf.put(trace);
            }
        }
        Self { name, document, payload, shelf }
    }
}

/// The files that cells name, and how they are read. No paths: a notebook from elsewhere must not
/// reach far.
fn files(document: &Document) -> Vec<(String, How)> {
    let mut files = Vec::new();
    for content in document.cells().filter_map(|c| c.content.as_ref().ok()) {
        let trace = content.experiment().and_then(|e| e.trace.as_deref());
        let Some((name, _, how)) = trace.and_then(parse_file) else { continue };
        let is_plain = Path::new(name).file_name() == Some(OsStr::new(name));
        let file = (name.to_owned(), how);
        if is_plain && !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// The file as a trace, if there is one.
fn found(path: &Path, name: &str, how: How) -> Option<Opened> {
    let input = input::read(path.as_os_str()).ok()?;
    let go_on = &mut |_| ControlFlow::Continue(());
    match reading::read(name, &input.bytes, reading::sha256_hex, &how, Some(traces::decode), go_on) {
        Content::Trace(found) => Some(Opened::new(name, how, *found)),
        _ => None,
    }
}

//! Finds the trace a cell names.
//!
//! ```text
//! rfc889/<section>/<run>      a run of 1983, rebuilt from what was printed of it; seed=7 and
//!                             as-if=typical may follow
//! lesson/<file>               a trace that ships with the lessons
//! file/<name>#<digest>        a file the reader opened; the beginning of its SHA-256 tells it from
//!                             others of the same name, and words on how it is read may follow:
//!                             part=2, or a table's columns (`how`)
//! <id>                        the trace cell of that id in the same document
//! ```

use crate::cells::Content;
use crate::document::Document;
use crate::how::How;
use crate::nearest::{list, nearest};
use crate::reading::Found;
use netspurt_core::rto::printed::{Run, runs};
use netspurt_core::rto::rebuild::{NameError, parse_name, reconstruct};
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Digits of a digest that a name carries: enough that no two files of one reader share them.
const PREFIX: usize = 12;
/// Fewer tell nothing apart.
const LEAST_PREFIX: usize = 8;
/// Rebuilt runs kept: all 52 and some seeds.
const KEPT: usize = 100;

/// The traces a reader has at hand besides those in the document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shelf {
    opened: Vec<Opened>,
    awaited: Vec<Awaited>,
    /// Ways in which a file that is here cannot be read: its digest, how, and why not.
    unreadable: Vec<(String, How, String)>,
    lessons: Vec<(String, Shared<Trace>)>,
}

/// A trace from a file the reader opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    /// What the reader calls it.
    pub name: String,
    /// The name of the file.
    pub file: String,
    pub how: How,
    pub found: Found,
}

/// A file that is known and still being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Awaited {
    pub name: String,
    /// As in [`Found`].
    pub sha256: String,
}

impl Opened {
    /// A trace as it is called at first: as its file, and the part of it that was chosen.
    pub fn new(file: &str, how: How, found: Found) -> Self {
        let name = match found.part.as_str() {
            "" => file.to_owned(),
            part => format!("{file}: {part}"),
        };
        Self { name, file: file.to_owned(), how, found }
    }

    /// How cells name it: `file/lab-wifi.csv#7c2a41d093be`, and how it was read if not as usual.
    pub fn trace_name(&self) -> String {
        read_so(&self.file, &self.found.sha256, &self.how)
    }
}

/// How cells name a file of this name and digest that is read so.
fn read_so(name: &str, sha256: &str, how: &How) -> String {
    let file = file_name(name, sha256);
    if how.is_usual() { file } else { [&file, " ", how.as_str()].concat() }
}

/// How cells name a file of this name and digest.
pub fn file_name(name: &str, sha256: &str) -> String {
    format!("file/{name}#{}", sha256.get(..PREFIX).unwrap_or(sha256))
}

/// A trace's name as that of a file: the file's name, the beginning of its digest, and how it is
/// read. `None`: it names no file.
pub fn parse_file(name: &str) -> Option<(&str, &str, How)> {
    let file = name.trim().strip_prefix("file/")?;
    let (file, rest) = file.rsplit_once('#').unwrap_or((file, ""));
    let (digest, how) = rest.split_once(' ').unwrap_or((rest, ""));
    Some((file, digest, How::new(how)))
}

impl Shelf {
    /// Puts a trace on the shelf. One of the same file, read in the same way, makes room; other
    /// files of that name stay beside it.
    pub fn put(&mut self, trace: Opened) {
        let digest = &trace.found.sha256;
        self.awaited.retain(|a| a.sha256 != *digest);
        self.unreadable.retain(|(sha256, how, _)| (sha256, how) != (digest, &trace.how));
        let same = |o: &Opened| (&o.file, &o.found.sha256, &o.how) == (&trace.file, digest, &trace.how);
        match self.opened.iter_mut().find(|o| same(o)) {
            Some(before) => *before = trace,
            None => self.opened.push(trace),
        }
    }

    /// Calls a trace something else.
    pub fn rename(&mut self, trace: &str, name: &str) {
        if let Some(opened) = self.opened.iter_mut().find(|o| o.trace_name() == trace) {
            name.clone_into(&mut opened.name);
        }
    }

    /// Cells that name this file say that it is being read.
    pub fn await_file(&mut self, file: Awaited) {
        self.awaited.push(file);
    }

    pub fn await_no_more(&mut self) {
        self.awaited.clear();
    }

    /// Cells that name this file so say why it cannot be read.
    pub fn cannot_read(&mut self, sha256: &str, how: &How, why: &str) {
        self.unreadable.push((sha256.to_owned(), how.clone(), why.to_owned()));
    }

    /// Puts a trace on the shelf that cells name `lesson/<file>`.
    pub fn put_lesson(&mut self, file: &str, trace: Shared<Trace>) {
        self.lessons.retain(|(f, _)| f != file);
        self.lessons.push((file.to_owned(), trace));
    }

    /// Takes a trace off the shelf.
    pub fn remove(&mut self, trace: &str) {
        self.opened.retain(|o| o.trace_name() != trace);
    }

    /// The traces of files, in the order in which they came.
    pub fn opened(&self) -> &[Opened] {
        &self.opened
    }

    /// The trace of this name.
    pub fn find(&self, trace: &str) -> Option<&Opened> {
        self.opened.iter().find(|o| o.trace_name() == trace)
    }

    /// A file that is here, and that a cell wants read in a way in which it was not yet.
    pub fn to_be_read(&self, name: &str) -> Option<(&Opened, How)> {
        let (_, digest, how) = parse_file(name)?;
        let of_file = || self.opened.iter().filter(|o| is_prefix(digest, &o.found.sha256));
        let unreadable = self.unreadable.iter().any(|(sha256, h, _)| is_prefix(digest, sha256) && *h == how);
        let here = of_file().next().filter(|_| !unreadable)?;
        (!of_file().any(|o| o.how == how)).then_some((here, how))
    }
}

fn is_prefix(digest: &str, sha256: &str) -> bool {
    digest.len() >= LEAST_PREFIX && sha256.starts_with(&digest.to_ascii_lowercase())
}

/// Why there is no such trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TraceError {
    /// Neither a cell of the document nor one of the other forms.
    Unknown {
        name: String,
        there_are: Vec<String>,
        meant: Option<String>,
    },
    /// No such run was printed.
    NoSuchRun {
        name: String,
        meant: Option<String>,
    },
    /// What follows a run's name does not say how it is rebuilt.
    NoSuchRecipe {
        name: String,
        why: String,
    },
    NoSuchLesson {
        file: String,
        there_are: Vec<String>,
    },
    /// The cell of this name holds something else.
    NotATrace {
        id: String,
        kind: String,
    },
    /// The trace cell has an error, on this line of the document.
    Broken {
        id: String,
        line: usize,
    },
    /// The reader does not have the file.
    NotOpened {
        file: String,
        digest: String,
    },
    /// The file is known and being read.
    Reading {
        file: String,
    },
    /// The file is here and cannot be read in the way the cell asks for.
    Unreadable {
        file: String,
        why: String,
    },
    /// The reader has another file of the same name.
    OtherFile {
        file: String,
        wanted: String,
        found: String,
    },
    /// The name does not say which file of that name, or too little of it.
    NoDigest {
        file: String,
        meant: Option<String>,
    },
}

impl TraceError {
    /// The name that was probably meant, to be put in place of the one that was found wanting.
    pub fn suggestion(&self) -> Option<&str> {
        match self {
            Self::Unknown { meant, .. } | Self::NoSuchRun { meant, .. } | Self::NoDigest { meant, .. } => {
                meant.as_deref()
            }
            Self::NoSuchRecipe { .. }
            | Self::NoSuchLesson { .. }
            | Self::NotATrace { .. }
            | Self::Broken { .. }
            | Self::NotOpened { .. }
            | Self::Reading { .. }
            | Self::Unreadable { .. }
            | Self::OtherFile { .. } => None,
        }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, there_are, .. } => {
                let names = list(there_are.iter().map(String::as_str));
                write!(f, "there is no trace called {name}; in this notebook there are {names}")
            }
            Self::NoSuchRun { name, .. } => {
                write!(f, "{name} is not a run RFC 889 printed; they are called as rfc889/dcn1-local/FOE")
            }
            Self::NoSuchRecipe { name, why } => {
                write!(f, "{name}: {why}")
            }
            Self::NoSuchLesson { file, there_are } => {
                let names = list(there_are.iter().map(String::as_str));
                write!(f, "lesson/{file} does not come with Netspurt; there are {names}")
            }
            Self::NotATrace { id, kind } => write!(f, "the cell {id} is no trace but of kind {kind}"),
            Self::Broken { id, line } => write!(f, "the trace {id} cannot be read: see line {line}"),
            Self::NotOpened { file, digest } => {
                write!(f, "the file {file} (SHA-256 {digest}…) is not here: open it to see this cell")
            }
            Self::Reading { file } => write!(f, "the file {file} is being read"),
            Self::Unreadable { file, why } => write!(f, "the file {file} cannot be read so: {why}"),
            Self::OtherFile { file, wanted, found } => {
                write!(f, "the file {file} here is another one: SHA-256 {found}…, wanted {wanted}…")
            }
            Self::NoDigest { file, .. } => {
                write!(f, "file/{file} must say which file of that name: file/{file}#, then its SHA-256")
            }
        }?;
        self.suggestion().map_or(Ok(()), |s| write!(f, "; did you mean {s}?"))
    }
}

impl std::error::Error for TraceError {}

/// The trace of this name.
pub fn resolve(name: &str, document: &Document, shelf: &Shelf) -> Result<Shared<Trace>, TraceError> {
    let name = name.trim();
    match name.split_once('/') {
        Some(("rfc889", _)) => rebuilt(name),
        Some(("lesson", file)) => lesson(file, shelf),
        Some(("file", _)) => opened(name, shelf),
        Some(_) => Err(unknown(name, document)),
        None => in_document(name, document),
    }
}

/// A run of 1983. Each is rebuilt once while it is kept.
fn rebuilt(name: &str) -> Result<Shared<Trace>, TraceError> {
    static REBUILT: Mutex<Vec<Shared<Trace>>> = Mutex::new(Vec::new());
    let (run, recipe) = parse_name(name).map_err(|e| match e {
        NameError::NoSuchRun { run } => TraceError::NoSuchRun { meant: nearest_run(&run), name: run },
        e => TraceError::NoSuchRecipe { name: name.to_owned(), why: e.to_string() },
    })?;
    let name = recipe.name(run);
    let mut kept = REBUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept.iter().find(|t| t.name == name) {
        return Ok(found.clone());
    }
    if kept.len() == KEPT {
        kept.remove(0);
    }
    let trace = Shared::new(reconstruct(run, &recipe).trace);
    kept.push(trace.clone());
    Ok(trace)
}

/// A run called nearly so, or of that host.
fn nearest_run(name: &str) -> Option<String> {
    let names: Vec<_> = runs().iter().map(Run::name).collect();
    let host = name.rsplit('/').next().unwrap_or(name);
    let of_host = runs().iter().find(|r| r.id.eq_ignore_ascii_case(host)).map(Run::name);
    of_host.or_else(|| nearest(name, names.iter().map(String::as_str)).map(str::to_owned))
}

fn lesson(file: &str, shelf: &Shelf) -> Result<Shared<Trace>, TraceError> {
    let found = shelf.lessons.iter().find(|(f, _)| f == file);
    found.map(|(_, t)| t.clone()).ok_or_else(|| TraceError::NoSuchLesson {
        file: file.to_owned(),
        there_are: shelf.lessons.iter().map(|(f, _)| f.clone()).collect(),
    })
}

fn opened(name: &str, shelf: &Shelf) -> Result<Shared<Trace>, TraceError> {
    let (file, digest, how) = parse_file(name).unwrap_or((name, "", How::default()));
    let digest = digest.to_ascii_lowercase();
    let called = || shelf.opened.iter().rev().filter(|o| o.file == file);
    if digest.len() < LEAST_PREFIX || !digest.bytes().all(|b| b.is_ascii_hexdigit()) {
        let meant = called().next().map(|o| read_so(file, &o.found.sha256, &how));
        return Err(TraceError::NoDigest { file: file.to_owned(), meant });
    }
    // The digest alone says which file it is; its name may have changed.
    let here = || shelf.opened.iter().rev().filter(|o| o.found.sha256.starts_with(&digest));
    if let Some(opened) = here().find(|o| o.how == how) {
        return Ok(opened.found.trace.clone());
    }
    let file = file.to_owned();
    let failed = shelf.unreadable.iter().find(|(sha256, h, _)| sha256.starts_with(&digest) && *h == how);
    if let Some((_, _, why)) = failed {
        return Err(TraceError::Unreadable { file, why: why.clone() });
    }
    if here().next().is_some() || shelf.awaited.iter().any(|a| a.sha256.starts_with(&digest)) {
        return Err(TraceError::Reading { file });
    }
    Err(match called().next() {
        Some(other) => {
            let sha256 = &other.found.sha256;
            let found = sha256.get(..digest.len().min(64)).unwrap_or(sha256).to_owned();
            TraceError::OtherFile { file, wanted: digest, found }
        }
        None => TraceError::NotOpened { file, digest },
    })
}

fn in_document(name: &str, document: &Document) -> Result<Shared<Trace>, TraceError> {
    let Some(cell) = document.cell(name) else { return Err(unknown(name, document)) };
    match &cell.content {
        Ok(content) => match &**content {
            Content::Trace(trace) => Ok(trace.clone()),
            Content::Experiment(experiment) => experiment
                .made()
                .ok_or_else(|| TraceError::NotATrace { id: name.to_owned(), kind: cell.word.clone() }),
        },
        Err(_) if cell.kind.is_some_and(|k| k.experiment.is_some()) => {
            Err(TraceError::NotATrace { id: name.to_owned(), kind: cell.word.clone() })
        }
        Err(errors) => Err(TraceError::Broken {
            id: name.to_owned(),
            line: errors.first().map_or(cell.line, |e| e.line),
        }),
    }
}

fn unknown(name: &str, document: &Document) -> TraceError {
    let there_are: Vec<_> = document
        .cells()
        .filter(|c| c.kind.is_some_and(|k| k.experiment.is_none()))
        .map(|c| c.id.clone())
        .collect();
    let meant = nearest(name, there_are.iter().map(String::as_str)).map(str::to_owned);
    let meant = meant.or_else(|| nearest_run(name));
    TraceError::Unknown { name: name.to_owned(), there_are, meant }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "```netspurt trace office\ndelay_ms\n5\n```\n```netspurt trace bad\nx\n```\n```netspurt rto foe\n```\n";

    fn shelf() -> Shelf {
        let trace = |name: &str| Shared::new(Trace::from_series(name, &[Some(1.0)]).unwrap());
        let found = |name: &str| Found {
            trace: trace(name),
            sha256: "7c2a41d093be".repeat(6),
            kind: "Table".to_owned(),
            part: String::new(),
            is_table: true,
            inside: Vec::new(),
            count: 1,
            spark: String::new(),
        };
        let mut shelf = Shelf::default();
        shelf.put(Opened::new("lab.csv", How::default(), found("lab")));
        shelf.put(Opened::new("lab.csv", How::new("delay=3:ms sep=comma"), found("third column")));
        shelf.cannot_read(&"7c2a41d093be".repeat(6), &How::new("part=9"), "there are 2");
        shelf.put_lesson("step.csv", trace("step"));
        shelf
    }

    fn check(name: &str, expected: Result<&str, &str>) {
        let found = resolve(name, &Document::parse(TEXT), &shelf());
        let found = found.as_ref().map(|t| t.name.as_str()).map_err(TraceError::to_string);
        assert_eq!(found, expected.map_err(str::to_owned), "{name}");
    }

    #[test]
    fn every_form_is_found() {
        check("office", Ok("office"));
        check("rfc889/dcn1-local/FOE", Ok("rfc889/dcn1-local/FOE"));
        check("lesson/step.csv", Ok("step"));
        check("rfc889/dcn1-local/FOE seed=7", Ok("rfc889/dcn1-local/FOE seed=7"));
        check(" rfc889/dcn1-local/FOE  seed=66 ", Ok("rfc889/dcn1-local/FOE"));
        check("file/lab.csv#7c2a41d093be", Ok("lab"));
        check("file/lab.csv#7C2A41D0", Ok("lab"));
        check("file/renamed.csv#7c2a41d093be", Ok("lab"));
        check("file/lab.csv#7c2a41d093be sep=comma delay=3:ms", Ok("third column"));
    }

    #[test]
    fn every_failure_says_what_there_is() {
        check(
            "ofice",
            Err(
                "there is no trace called ofice; in this notebook there are office and bad; did you mean office?",
            ),
        );
        check("foe", Err("the cell foe is no trace but of kind rto"));
        check("bad", Err("the trace bad cannot be read: see line 6"));
        check(
            "rfc889/dcn1-local/FO",
            Err(
                "rfc889/dcn1-local/FO is not a run RFC 889 printed; they are called as rfc889/dcn1-local/FOE; did you mean rfc889/dcn1-local/FOE?",
            ),
        );
        check(
            "ucl",
            Err(
                "there is no trace called ucl; in this notebook there are office and bad; did you mean rfc889/dcn1-satnet/UCL?",
            ),
        );
        check(
            "rfc889/dcn1-local/FOE seed=x",
            Err("rfc889/dcn1-local/FOE seed=x: seed must be a number such as 0.75 or 3/4, not \"x\""),
        );
        check("lesson/x", Err("lesson/x does not come with Netspurt; there are step.csv"));
        check(
            "file/home.csv#0123456789ab",
            Err("the file home.csv (SHA-256 0123456789ab…) is not here: open it to see this cell"),
        );
        check(
            "file/lab.csv#0123456789ab",
            Err("the file lab.csv here is another one: SHA-256 7c2a41d093be…, wanted 0123456789ab…"),
        );
        check("file/lab.csv#7c2a41d093be part=2", Err("the file lab.csv is being read"));
        check("file/lab.csv#7c2a41d093be part=9", Err("the file lab.csv cannot be read so: there are 2"));
        check(
            "file/lab.csv",
            Err(
                "file/lab.csv must say which file of that name: file/lab.csv#, then its SHA-256; did you mean file/lab.csv#7c2a41d093be?",
            ),
        );
    }

    #[test]
    fn a_run_is_rebuilt_once() {
        let d = Document::parse("");
        let name = "rfc889/dcn1-satnet/UCL";
        let once = |name: &str| resolve(name, &d, &Shelf::default());
        assert_eq!(once(name), once(name));
        // Under whatever spelling.
        assert_eq!(once(name), once(&format!("{name} seed=66")));
        assert_ne!(once(name), once(&format!("{name} as-if=typical")));
    }
}

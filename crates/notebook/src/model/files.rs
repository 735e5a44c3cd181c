//! Files that are opened: what is read of them, and in which way.
//!
//! The page holds a file under a number and reads it in a worker, as often as another part of it or
//! another reading of its table is wanted. What comes of each reading is a trace on the shelf; a
//! cell that names a file in a way in which it was not read yet has it read.

use super::{Effect, Model};
use crate::how::How;
use crate::reading::{Content, Found, Preview};
use crate::traces::{Awaited, Opened};
use netspurt_import::{BadRows, ErrorKind, ImportError, Remedy};

/// A file in the browser's hands, by the number the page gave it. Its bytes never come here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId(pub u32);

/// What the reading of a file is for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Purpose {
    /// The reader opened it.
    Open,
    /// The reader chose a part of it.
    Part,
    /// The reader corrected how its table is read; the trace of this name was read wrongly.
    Correct { before: Option<String> },
    /// It was kept from an earlier visit, its trace under this name, and goes on the shelf without a word.
    Restore { name: String },
    /// A cell names it so.
    Cell,
}

/// A file that is being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    ticket: u32,
    file: FileId,
    pub name: String,
    how: How,
    purpose: Purpose,
    /// Hundredths that are read, once that is known.
    pub percent: Option<u8>,
}

impl Reading {
    /// Whether the reader asked for it just now.
    pub(super) fn is_asked_for(&self) -> bool {
        !self.is_restored() && self.purpose != Purpose::Cell
    }

    pub(super) fn is_restored(&self) -> bool {
        matches!(self.purpose, Purpose::Restore { .. })
    }
}

/// A file that could not be read. The browser holds it for another try.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFailure {
    pub name: String,
    pub error: ImportError,
    file: FileId,
    how: How,
}

/// A table whose reading is being corrected.
#[derive(Debug, Clone, PartialEq)]
pub struct Choosing {
    pub name: String,
    /// `None`: it is still to come.
    pub preview: Option<Result<Preview, String>>,
    /// A choice was made since, and its preview is still to come.
    is_stale: bool,
    ticket: u32,
    file: FileId,
    how: How,
    /// The trace that was read wrongly.
    before: Option<String>,
}

impl Choosing {
    /// Whether this is the file that could not be read.
    pub(super) fn is_of(&self, failure: &FileFailure) -> bool {
        self.file == failure.file
    }
}

/// A trace of a kept file: how it was read, and what the reader calls it.
pub type Kept = (How, String);

impl Model {
    fn ticket(&mut self) -> u32 {
        self.tickets += 1;
        self.tickets
    }

    fn start(&mut self, file: FileId, name: &str, how: How, purpose: Purpose) -> Effect {
        let ticket = self.ticket();
        let name = name.to_owned();
        let reading = Reading { ticket, file, name: name.clone(), how: how.clone(), purpose, percent: None };
        self.reading.push(reading);
        Effect::Read { ticket, file, name, how }
    }

    pub(super) fn open_file(&mut self, file: FileId, name: &str) -> Vec<Effect> {
        self.keep_failures(self.choosing.as_ref().map(|c| c.file), true);
        vec![self.start(file, name, How::default(), Purpose::Open)]
    }

    pub(super) fn read_again(&mut self, rows: BadRows) -> Vec<Effect> {
        let Some(FileFailure { name, file, how, .. }) = self.take_failure() else { return Vec::new() };
        vec![self.start(file, &name, how.with_rows(rows), Purpose::Open)]
    }

    /// Keeps the failures of this file, or of all but it.
    fn keep_failures(&mut self, file: Option<FileId>, keep: bool) {
        self.file_failures.retain(|f| (Some(f.file) == file) == keep);
    }

    pub(super) fn take_failure(&mut self) -> Option<FileFailure> {
        self.first_failure().map(|at| self.file_failures.remove(at))
    }

    /// A file kept from an earlier visit is read again. What names it waits so long.
    pub(super) fn restore_file(
        &mut self,
        file: FileId,
        name: &str,
        sha256: String,
        traces: Vec<Kept>,
    ) -> Vec<Effect> {
        let effects = traces
            .into_iter()
            .map(|(how, called)| self.start(file, name, how, Purpose::Restore { name: called }));
        let effects = effects.collect();
        self.shelf.await_file(Awaited { name: name.to_owned(), sha256 });
        self.settle();
        effects
    }

    /// The reader chose a part of what is in a file, or each of them.
    pub(super) fn add_parts(&mut self, trace: &str, part: Option<usize>) -> Vec<Effect> {
        let Some(opened) = self.shelf.find(trace) else { return Vec::new() };
        let (name, base, sha256) = (opened.file.clone(), opened.how.clone(), &opened.found.sha256);
        let Some(file) = self.held(sha256) else { return Vec::new() };
        let parts = part.map_or(0..opened.found.inside.len(), |i| i..i + 1);
        let there = |how: &How| {
            let same = |o: &Opened| o.how == *how && o.found.sha256 == *sha256;
            self.shelf.opened().iter().any(same)
                || self.reading.iter().any(|r| r.file == file && r.how == *how)
        };
        let wanted: Vec<How> = parts.map(|i| base.of_part(i)).filter(|how| !there(how)).collect();
        wanted.into_iter().map(|how| self.start(file, &name, how, Purpose::Part)).collect()
    }

    pub(super) fn read_progress(&mut self, ticket: u32, percent: u8) -> Vec<Effect> {
        if let Some(reading) = self.reading.iter_mut().find(|r| r.ticket == ticket) {
            reading.percent = Some(percent);
        }
        Vec::new()
    }

    /// What came of a reading. One that is not waited for any more is passed over.
    pub(super) fn file_read(&mut self, ticket: u32, content: Content) -> Vec<Effect> {
        let Some(at) = self.reading.iter().position(|r| r.ticket == ticket) else { return Vec::new() };
        let reading = self.reading.remove(at);
        if !self.reading.iter().any(Reading::is_restored) {
            self.shelf.await_no_more();
        }
        let effects = match content {
            Content::Notebook(text) => self.open_text(&text),
            Content::Link(fragment) => self.open_fragment(&fragment),
            Content::Trace(found) => self.put(reading, *found),
            Content::Failed(error) => self.not_read(reading, error),
        };
        self.reproduce();
        effects
    }

    fn put(&mut self, reading: Reading, found: Found) -> Vec<Effect> {
        let Reading { file, name, how, purpose, .. } = reading;
        let sha256 = found.sha256.clone();
        let mut opened = Opened::new(&name, how, found);
        if let Purpose::Restore { name } = &purpose {
            opened.name.clone_from(name);
        }
        let (reference, packets) = (opened.trace_name(), opened.found.trace.len());
        let is_new = self.shelf.find(&reference).map(|there| opened.name.clone_from(&there.name)).is_none();
        self.held.retain(|(digest, _)| *digest != sha256);
        self.held.push((sha256.clone(), file));
        self.shelf.put(opened);
        if let Purpose::Correct { before: Some(before) } = &purpose
            && *before != reference
            && !self.is_used(before)
        {
            self.shelf.remove(before);
        }
        if is_new && !matches!(purpose, Purpose::Restore { .. }) {
            self.tell_apart(&reference);
        }
        let name = self.shelf.find(&reference).map_or("", |o| &o.name);
        let said = format!("{name} is in the library: {packets} packets");
        self.settle();
        let keep = self.keep_file(&sha256);
        match purpose {
            Purpose::Restore { .. } => Vec::new(),
            Purpose::Cell => keep.into_iter().collect(),
            Purpose::Part => keep.into_iter().chain([Effect::Say(said)]).collect(),
            Purpose::Open | Purpose::Correct { .. } => {
                self.opened = Some(reference);
                self.view.drawer = true;
                keep.into_iter().chain([Effect::Say(said), Effect::ShowTop]).collect()
            }
        }
    }

    /// A trace that is called as another is, is called `x.csv (2)`.
    fn tell_apart(&mut self, trace: &str) {
        let Some(name) = self.shelf.find(trace).map(|o| o.name.clone()) else { return };
        let others = || self.shelf.opened().iter().filter(|o| o.trace_name() != trace);
        let mut called = name.clone();
        for n in 2.. {
            if !others().any(|o| o.name == called) {
                break;
            }
            called = format!("{name} ({n})");
        }
        self.shelf.rename(trace, &called);
    }

    fn not_read(&mut self, reading: Reading, error: ImportError) -> Vec<Effect> {
        let Reading { file, name, how, purpose, .. } = reading;
        match purpose {
            // One kept from an earlier visit that cannot be read any more is left where it is.
            Purpose::Restore { .. } => {}
            Purpose::Cell => {
                let digest = self.held.iter().find(|(_, f)| *f == file).map(|(digest, _)| digest.clone());
                self.shelf.cannot_read(&digest.unwrap_or_default(), &how, &error.what);
            }
            Purpose::Open | Purpose::Part | Purpose::Correct { .. } => {
                self.file_failures.push(FileFailure { name, error, file, how });
                return vec![Effect::ShowTop];
            }
        }
        self.settle();
        Vec::new()
    }

    /// Has files read that cells name in ways in which they were not read yet.
    pub(super) fn read_for_cells(&mut self) {
        let names = self.document.cells().filter_map(super::experiment_of).filter_map(|e| e.trace.as_deref());
        let mut wanted: Vec<(FileId, String, How)> = Vec::new();
        for name in names {
            let Some((opened, how)) = self.shelf.to_be_read(name) else { continue };
            let Some(file) = self.held(&opened.found.sha256) else { continue };
            let same = |f: FileId, h: &How| f == file && *h == how;
            if !self.reading.iter().any(|r| same(r.file, &r.how))
                && !wanted.iter().any(|(f, _, h)| same(*f, h))
            {
                wanted.push((file, opened.file.clone(), how));
            }
        }
        for (file, name, how) in wanted {
            let effect = self.start(file, &name, how, Purpose::Cell);
            self.workshop.asked.push(effect);
        }
    }

    fn is_used(&self, trace: &str) -> bool {
        self.document.cells().filter_map(super::experiment_of).any(|e| e.trace.as_deref() == Some(trace))
    }

    fn held(&self, sha256: &str) -> Option<FileId> {
        self.held.iter().find(|(digest, _)| digest == sha256).map(|(_, file)| *file)
    }

    /// Whether a file is still needed: being read, on the shelf, or held for another try.
    pub fn needs(&self, file: FileId) -> bool {
        self.reading.iter().any(|r| r.file == file)
            || self.held.iter().any(|(_, f)| *f == file)
            || self.file_failures.iter().any(|f| f.file == file)
            || self.choosing.as_ref().is_some_and(|c| c.file == file)
    }

    /// Whether nothing else is being read or looked at than this.
    pub fn is_last_reading(&self, ticket: Option<u32>) -> bool {
        let looks = self.choosing.as_ref().is_some_and(|c| c.preview.is_none());
        !looks && self.reading.iter().all(|r| Some(r.ticket) == ticket)
    }

    pub(super) fn stop_reading(&mut self) -> Vec<Effect> {
        for reading in std::mem::take(&mut self.reading) {
            if reading.purpose == Purpose::Cell {
                self.not_read(reading, broken_off("Its reading was stopped."));
            }
        }
        self.choosing = self.choosing.take().filter(|c| c.preview.is_some());
        self.shelf.await_no_more();
        self.settle();
        vec![Effect::StopReading, Effect::Say("Reading was stopped; nothing has changed".to_owned())]
    }

    /// A reading, or all of them, broke off.
    pub(super) fn read_failed(&mut self, ticket: Option<u32>, why: &str) -> Vec<Effect> {
        let what = format!("The browser could not read this file: {why}.");
        if let Some(choosing) = &mut self.choosing
            && ticket.is_none_or(|t| t == choosing.ticket)
        {
            choosing.preview = Some(Err(what.clone()));
        }
        let tickets =
            self.reading.iter().map(|r| r.ticket).filter(|t| ticket.is_none_or(|ticket| ticket == *t));
        let failed: Vec<u32> = tickets.collect();
        failed.into_iter().flat_map(|t| self.file_read(t, Content::Failed(broken_off(&what)))).collect()
    }

    pub(super) fn rename_trace(&mut self, trace: &str, name: &str) -> Vec<Effect> {
        let name = name.trim();
        if name.is_empty() {
            return Vec::new();
        }
        self.shelf.rename(trace, name);
        let sha256 = self.shelf.find(trace).map(|o| o.found.sha256.clone());
        sha256.and_then(|sha256| self.keep_file(&sha256)).into_iter().collect()
    }

    pub(super) fn forget_trace(&mut self, trace: &str) -> Vec<Effect> {
        let Some(Opened { how, found, .. }) = self.shelf.find(trace).cloned() else { return Vec::new() };
        self.shelf.remove(trace);
        self.choosing = self.choosing.take().filter(|c| c.before.as_deref() != Some(trace));
        if self.opened.as_deref() == Some(trace) {
            self.opened = None;
        }
        let effect = self.keep_file(&found.sha256);
        if effect.is_some() {
            self.shelf.cannot_read(&found.sha256, &how, "it was removed from the library");
        } else {
            self.held.retain(|(digest, _)| *digest != found.sha256);
        }
        self.settle();
        vec![effect.unwrap_or(Effect::ForgetFile { digest: found.sha256 })]
    }

    /// Keeps a file with what is read of it. `None`: nothing is.
    fn keep_file(&self, sha256: &str) -> Option<Effect> {
        let of_file: Vec<&Opened> = self.shelf.opened().iter().filter(|o| o.found.sha256 == sha256).collect();
        let name = of_file.first()?.file.clone();
        let traces = of_file.iter().map(|o| (o.how.clone(), o.name.clone())).collect();
        Some(Effect::KeepFile { digest: sha256.to_owned(), name, traces, file: self.held(sha256)? })
    }

    /// Shows the columns of a table: that of a trace, or of the file that could not be read.
    pub(super) fn choose_columns(&mut self, trace: Option<&str>) -> Vec<Effect> {
        let of_trace = |trace: &str| {
            let opened = self.shelf.find(trace)?;
            Some((opened.file.clone(), self.held(&opened.found.sha256)?, opened.how.clone()))
        };
        let of_failure = || self.file_failure().map(|f| (f.name.clone(), f.file, f.how.clone()));
        let Some((name, file, how)) = trace.map_or_else(of_failure, of_trace) else { return Vec::new() };
        let before = trace.map(str::to_owned);
        self.choosing = Some(Choosing { name, preview: None, is_stale: false, ticket: 0, file, how, before });
        self.preview().into_iter().chain([Effect::ShowTop]).collect()
    }

    /// Another answer to a question about the table.
    pub(super) fn set_reading(&mut self, reading: &str) -> Vec<Effect> {
        if let Some(choosing) = &mut self.choosing {
            choosing.how = choosing.how.with_reading(reading);
            choosing.is_stale = true;
        }
        self.preview().into_iter().collect()
    }

    fn preview(&mut self) -> Option<Effect> {
        let ticket = self.ticket();
        let choosing = self.choosing.as_mut()?;
        choosing.ticket = ticket;
        Some(Effect::Preview { ticket, file: choosing.file, how: choosing.how.clone() })
    }

    pub(super) fn previewed(&mut self, ticket: u32, preview: Result<Preview, String>) -> Vec<Effect> {
        if let Some(choosing) = self.choosing.as_mut().filter(|c| c.ticket == ticket) {
            choosing.preview = Some(preview);
            choosing.is_stale = false;
        }
        Vec::new()
    }

    /// Reads the table as it is shown.
    pub(super) fn read_so(&mut self) -> Vec<Effect> {
        let Some(Choosing { name, preview, is_stale, file, how, before, .. }) = self.choosing.take() else {
            return Vec::new();
        };
        let how = match preview {
            // Who looked at a guess and took it has said so.
            Some(Ok(preview)) if !is_stale => how.with_reading(&preview.reading.replace('?', "")),
            _ => how,
        };
        self.keep_failures(Some(file), false);
        vec![self.start(file, &name, how, Purpose::Correct { before })]
    }
}

fn broken_off(what: &str) -> ImportError {
    ImportError {
        kind: ErrorKind::Refused,
        what: what.to_owned(),
        place: None,
        remedies: vec![Remedy::OpenAnother],
        others: None,
    }
}

#[cfg(test)]
mod tests;

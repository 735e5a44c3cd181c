//! Runs that the page leaves to its worker: asked for when a cell needs one, passed over when it is
//! not wanted any more.
//!
//! The worker does one at a time. A run that has told of its progress is a long one: if another is
//! wanted in its place it is stopped; a short one is waited for.

use super::{Effect, Model, Msg};
use crate::document::{Cell, Document};
use crate::evaluate::{Job, Ran};
use crate::request::{Answer, Progress};
use netspurt_core::experiments::run::at_once;
use netspurt_core::report::RunError;
use netspurt_core::shared::Shared;

/// A cell's run.
#[derive(Debug, Clone, PartialEq)]
pub struct Working {
    /// Empty where the cell does not want it any more.
    cell: String,
    job: Job,
    body: String,
    state: State,
    /// What it has come to.
    ran: Option<Result<Ran, RunError>>,
    /// How far it is, once it has told.
    pub progress: Option<Progress>,
    /// Why the browser broke it off.
    pub failed: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    /// With the worker, under this number.
    Running(u32),
    /// Done, stopped or broken off.
    Ended,
}

impl Working {
    pub fn is_running(&self) -> bool {
        self.state != State::Ended
    }

    /// Whether the reader stopped it.
    pub fn is_cut_short(&self) -> bool {
        self.state == State::Ended
            && self.failed.is_none()
            && !matches!(&self.ran, Some(Err(_) | Ok(Ran { is_whole: true, .. })))
    }
}

/// All runs of a page: the latest of each cell, and the one the worker is at.
#[derive(Debug, Default)]
pub(super) struct Workshop {
    all: Vec<Working>,
    next: u32,
    /// What is to be asked for, gathered while cells are evaluated.
    pub(super) asked: Vec<Effect>,
}

impl Workshop {
    /// Runs a job at once if it is of that kind, else gives what it has come to so far, and sees to
    /// it that it is run.
    pub(super) fn run(&mut self, document: &Document, cell: &Cell, job: &Job) -> Result<Ran, RunError> {
        if let Some(report) = at_once(&*job.setup, &job.inputs) {
            self.pass_over(&cell.id);
            return Ok(Ran { report: Shared::new(report?), is_whole: true });
        }
        if let Some(known) = self.all.iter().find(|w| w.cell == cell.id && w.job == *job) {
            return known.ran.clone().unwrap_or(Err(RunError::Working));
        }
        self.pass_over(&cell.id);
        self.all.push(Working {
            cell: cell.id.clone(),
            job: job.clone(),
            body: document.body(cell).to_owned(),
            state: State::Waiting,
            ran: None,
            progress: None,
            failed: None,
        });
        Err(RunError::Working)
    }

    /// The run a cell had before is not wanted any more.
    fn pass_over(&mut self, cell: &str) {
        let Some(at) = self.all.iter().position(|w| w.cell == cell) else { return };
        let before = self.all.remove(at);
        match before.state {
            State::Running(_) if before.progress.is_some() => self.asked.push(Effect::StopWork),
            State::Running(_) => self.all.push(Working { cell: String::new(), ..before }),
            State::Waiting | State::Ended => {}
        }
    }

    /// Gives the worker the next run, if it has none, and forgets the runs of cells that are gone.
    pub(super) fn go_on(&mut self, is_there: impl Fn(&str) -> bool) {
        self.all.retain(|w| matches!(w.state, State::Running(_)) || is_there(&w.cell));
        if self.all.iter().any(|w| matches!(w.state, State::Running(_))) {
            return;
        }
        let Some(w) = self.all.iter_mut().find(|w| w.state == State::Waiting) else { return };
        self.next += 1;
        w.state = State::Running(self.next);
        self.asked.push(Effect::Work {
            ticket: self.next,
            kind: w.job.setup.entry().kind,
            body: w.body.clone(),
            inputs: w.job.inputs.clone(),
        });
    }
}

impl Model {
    /// Messages of files, and of what the workers do.
    pub(super) fn work(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::OpenFile { file, name } => self.open_file(file, &name),
            Msg::ReadProgress { ticket, percent } => self.read_progress(ticket, percent),
            Msg::FileRead { ticket, content } => self.file_read(ticket, content),
            Msg::AddParts { trace, part } => self.add_parts(&trace, part),
            Msg::ChooseColumns { trace } => self.choose_columns(trace.as_deref()),
            Msg::SetReading(reading) => self.set_reading(&reading),
            Msg::Previewed { ticket, preview } => self.previewed(ticket, preview),
            Msg::ReadSo => self.read_so(),
            Msg::Kinds(kinds) => {
                self.kinds = kinds;
                Vec::new()
            }
            Msg::StopReading => self.stop_reading(),
            Msg::Worked { ticket, answer } => self.worked(ticket, *answer),
            Msg::WorkFailed { ticket, why } => self.work_failed(ticket, &why),
            Msg::StopWork { cell } => self.stop_work(&cell),
            Msg::RunAgain { cell } => self.run_again(&cell),
            Msg::ReadFailed { ticket, why } => self.read_failed(ticket, &why),
            Msg::ReadAgain(bad_rows) => self.read_again(bad_rows),
            Msg::RestoreFile { file, name, sha256, traces } => self.restore_file(file, &name, sha256, traces),
            Msg::RenameTrace { trace, name } => self.rename_trace(&trace, &name),
            Msg::ForgetTrace { trace } => self.forget_trace(&trace),
            other => self.look(other),
        }
    }

    /// The run of a cell, if it is not one that is done at once.
    pub fn working(&self, cell: &str) -> Option<&Working> {
        self.workshop.all.iter().find(|w| w.cell == cell)
    }

    /// Whether some result is still to come.
    pub fn is_working(&self) -> bool {
        self.workshop.all.iter().any(Working::is_running)
    }

    /// What has come of a run. What is not waited for any more is passed over.
    pub(super) fn worked(&mut self, ticket: u32, answer: Answer) -> Vec<Effect> {
        let running = State::Running(ticket);
        let Some(w) = self.workshop.all.iter_mut().find(|w| w.state == running) else { return Vec::new() };
        match answer {
            Answer::Part(progress, report) => {
                w.progress = Some(progress);
                // What it came to last stays until there is more.
                if report != Err(RunError::Working) {
                    w.ran = Some(report.map(|r| Ran { report: Shared::new(r), is_whole: false }));
                }
            }
            Answer::Whole(report) => {
                w.state = State::Ended;
                w.ran = Some(report.map(|r| Ran { report: Shared::new(r), is_whole: true }));
            }
        }
        self.settle();
        self.reproduce();
        Vec::new()
    }

    pub(super) fn work_failed(&mut self, ticket: Option<u32>, why: &str) -> Vec<Effect> {
        for w in &mut self.workshop.all {
            if matches!(w.state, State::Running(n) if ticket.is_none_or(|t| t == n)) {
                w.state = State::Ended;
                w.failed = Some(why.to_owned());
            }
        }
        self.settle();
        Vec::new()
    }

    /// Runs what was stopped from its beginning.
    pub(super) fn run_again(&mut self, cell: &str) -> Vec<Effect> {
        if let Some(w) = self.workshop.all.iter_mut().find(|w| w.cell == cell && w.is_cut_short()) {
            w.state = State::Waiting;
            w.progress = None;
        }
        self.settle();
        Vec::new()
    }

    /// Ends the run of a cell. What it has come to stays.
    pub(super) fn stop_work(&mut self, cell: &str) -> Vec<Effect> {
        let Some(w) = self.workshop.all.iter_mut().find(|w| w.cell == cell && w.is_running()) else {
            return Vec::new();
        };
        let was_running = matches!(w.state, State::Running(_));
        w.state = State::Ended;
        self.settle();
        if was_running { vec![Effect::StopWork] } else { Vec::new() }
    }
}

//! Long work: asked for when a cell needs it, passed over when it is not wanted any more.

use super::{Effect, Model};
use crate::evaluate::Job;
use crate::request::Settings;
use netspurt_core::experiments::Worked;
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;

/// A piece of work for a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Working {
    pub cell: String,
    /// Tells its answers from those of other work.
    ticket: u32,
    /// What is worked out, and on which trace.
    key: String,
    trace: Option<Shared<Trace>>,
    /// What it has come to. `None`: nothing has come yet.
    worked: Option<Shared<Worked>>,
    stopped: bool,
    /// Why it broke off.
    pub failed: Option<String>,
}

impl Working {
    /// Parts done, of how many. `None`: it has ended, or not begun to tell.
    pub fn progress(&self) -> Option<(u64, u64)> {
        let w = self.worked.as_ref()?;
        (!w.is_done() && !self.stopped).then_some((w.done, w.total))
    }

    pub fn is_running(&self) -> bool {
        !self.stopped && self.worked.as_ref().is_none_or(|w| !w.is_done())
    }
}

/// All work of a page.
#[derive(Debug, Default)]
pub(super) struct Workshop {
    all: Vec<Working>,
    next: u32,
    /// What is to be asked for, gathered while cells are evaluated.
    pub(super) asked: Vec<Effect>,
}

impl Workshop {
    /// What a job's work has come to; begins it if it has not begun.
    pub(super) fn look(&mut self, cell: &str, job: &Job) -> Option<Shared<Worked>> {
        let key = job.setup.work()?;
        let same = |w: &&Working| w.cell == cell && w.key == key && w.trace.as_ref() == job.trace();
        if let Some(known) = self.all.iter().find(same) {
            return known.worked.clone();
        }
        if self.all.iter().any(|w| w.cell == cell && w.is_running()) {
            self.asked.push(Effect::StopWork);
            // Stopping ends the worker: what others were having done begins again.
            self.all.retain(|w| !w.is_running());
        }
        self.all.retain(|w| w.cell != cell);
        self.next += 1;
        self.asked.push(Effect::Work {
            ticket: self.next,
            kind: job.setup.entry().kind,
            settings: Settings::of(&*job.setup),
            trace: job.trace().cloned(),
        });
        self.all.push(Working {
            cell: cell.to_owned(),
            ticket: self.next,
            key,
            trace: job.trace().cloned(),
            worked: None,
            stopped: false,
            failed: None,
        });
        None
    }
}

impl Model {
    /// The work of a cell, if it has some.
    pub fn working(&self, cell: &str) -> Option<&Working> {
        self.workshop.all.iter().find(|w| w.cell == cell)
    }

    /// What has come of some work. What is not waited for any more is passed over.
    pub(super) fn worked(&mut self, ticket: u32, worked: Worked) -> Vec<Effect> {
        let Some(w) = self.workshop.all.iter_mut().find(|w| w.ticket == ticket && !w.stopped) else {
            return Vec::new();
        };
        w.worked = Some(Shared::new(worked));
        self.settle();
        Vec::new()
    }

    pub(super) fn work_failed(&mut self, ticket: Option<u32>, why: &str) -> Vec<Effect> {
        for w in &mut self.workshop.all {
            if w.is_running() && ticket.is_none_or(|t| t == w.ticket) {
                w.stopped = true;
                w.failed = Some(why.to_owned());
            }
        }
        Vec::new()
    }

    /// Ends all work that is being done. What it has come to stays.
    pub(super) fn stop_work(&mut self) -> Vec<Effect> {
        for w in &mut self.workshop.all {
            w.stopped |= w.is_running();
        }
        vec![Effect::StopWork]
    }
}

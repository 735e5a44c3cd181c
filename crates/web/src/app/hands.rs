//! The files the page holds, and its two workers: what they are asked, and what they answer.

use super::{App, Event};
use crate::effects::worker::{Heard, Helper};
use netspurt_core::experiments::Inputs;
use netspurt_core::shared::Shared;
use netspurt_core::trace::{Arriving, Trace};
use netspurt_notebook::model::{FileId, Msg};
use netspurt_notebook::reading::Content;
use netspurt_notebook::request::{Request, Told, unpack};
use netspurt_notebook::wire;
use web_sys::Blob;
use yew::prelude::*;

/// A file over this many bytes is not read: a page would run out of memory.
const LARGEST: f64 = 2e9;

/// The reader of a file over this many bytes is not kept.
const LARGE: f64 = 16e6;

#[derive(Default)]
pub(super) struct Hands {
    /// Files that are being read, or may be read again.
    pub(super) files: Vec<(FileId, Blob)>,
    next_file: u32,
    /// Two workers, so that what is stopped in one goes on in the other.
    pub(super) reader: Option<Helper>,
    pub(super) worker: Option<Helper>,
    /// The reader has had a large file, and with it much memory.
    read_large: bool,
    /// The trace that the reader is sending.
    coming: Arriving,
    /// The trace the worker holds.
    pub(super) worker_trace: Option<Shared<Trace>>,
}

impl Hands {
    /// Ends the reader, and with it whatever it does.
    pub(super) fn stop_reader(&mut self) {
        self.reader = None;
        self.coming = Arriving::default();
    }
}

impl App {
    pub(super) fn hold(&mut self, blob: Blob) -> FileId {
        self.hands.next_file += 1;
        let id = FileId(self.hands.next_file);
        self.hands.files.push((id, blob));
        id
    }

    pub(super) fn file(&self, id: FileId) -> Option<Blob> {
        self.hands.files.iter().find(|(held, _)| *held == id).map(|(_, blob)| blob.clone())
    }

    /// Has the worker that reads files do something, with a file or without. Fails to the model.
    pub(super) fn ask_reader(
        &mut self,
        ctx: &Context<Self>,
        ticket: u32,
        request: &Request,
        file: Option<FileId>,
    ) {
        let blob = file.and_then(|file| self.file(file));
        let asked = if file.is_some() && blob.is_none() {
            Err("the page does not hold it any more; open it again".to_owned())
        } else if blob.as_ref().is_some_and(|blob| blob.size() > LARGEST) {
            Err("it is over 2 GB, more than a page can hold; take a part of it".to_owned())
        } else {
            ask(ctx, &mut self.hands.reader, Event::HeardReader, ticket, request, blob.as_ref())
        };
        self.hands.read_large |= blob.is_some_and(|blob| blob.size() > LARGE);
        if let Err(why) = asked {
            ctx.link().send_message(Event::Model(Msg::ReadFailed { ticket: Some(ticket), why }));
        }
    }

    /// Gives the worker a cell to run, and its trace first if the worker has another.
    pub(super) fn run(
        &mut self,
        ctx: &Context<Self>,
        ticket: u32,
        kind: &str,
        body: String,
        inputs: &Inputs,
    ) -> Result<(), String> {
        let mut give = |request| ask(ctx, &mut self.hands.worker, Event::HeardWorker, ticket, &request, None);
        if inputs.trace.is_some() && self.hands.worker_trace != inputs.trace {
            if let Some(trace) = &inputs.trace {
                (0..)
                    .map_while(|i| wire::piece(trace, i))
                    .try_for_each(|piece| give(Request::Piece(piece)))?;
                give(Request::Trace(trace.clone()))?;
            }
            self.hands.worker_trace.clone_from(&inputs.trace);
        }
        let Inputs { slot, row, .. } = *inputs;
        give(Request::Run { kind: kind.to_owned(), body, on_trace: inputs.trace.is_some(), slot, row })
    }

    /// Whether anything has changed that is shown.
    pub(super) fn hear_reader(&mut self, ctx: &Context<Self>, (id, answer): Heard) -> bool {
        if id.is_none() {
            self.hands.stop_reader();
        }
        let msg = match (id, answer) {
            (Some(ticket), Ok(Some(answer))) => match unpack(&answer) {
                Ok(Told::Percent(percent)) => Msg::ReadProgress { ticket, percent },
                Ok(Told::Piece(piece)) => {
                    // What is wrong with it shows itself at the end.
                    let _ = self.hands.coming.put(&piece);
                    if let Some(reader) = &self.hands.reader {
                        reader.take();
                    }
                    return false;
                }
                Ok(Told::Content(content)) => self.come(ticket, content),
                Ok(Told::Preview(preview)) => Msg::Previewed { ticket, preview },
                Ok(Told::Kinds(kinds)) => Msg::Kinds(kinds),
                Err(why) => Msg::ReadFailed { ticket: Some(ticket), why },
            },
            (ticket, Err(why)) => Msg::ReadFailed { ticket, why },
            (_, Ok(_)) => return false,
        };
        self.apply(ctx, msg);
        true
    }

    /// What a file holds, with the columns that came before.
    fn come(&mut self, ticket: u32, mut content: Content) -> Msg {
        // The memory of a worker that has read a large file is let go of.
        let coming = std::mem::take(&mut self.hands.coming);
        if self.hands.read_large && self.model.read().is_last_reading(Some(ticket)) {
            self.hands.reader = None;
        }
        if let Content::Trace(found) = &mut content {
            match coming.finish((*found.trace).clone()) {
                Ok(trace) => found.trace = Shared::new(trace),
                Err(why) => return Msg::ReadFailed { ticket: Some(ticket), why: why.to_string() },
            }
        }
        Msg::FileRead { ticket, content }
    }

    pub(super) fn hear_worker(&mut self, ctx: &Context<Self>, (id, answer): Heard) {
        if id.is_none() {
            self.hands.worker = None;
            self.hands.worker_trace = None;
        }
        let msg = match (id, answer) {
            (Some(ticket), Ok(Some(answer))) => match unpack(&answer) {
                Ok(answer) => Msg::Worked { ticket, answer: Box::new(answer) },
                Err(why) => Msg::WorkFailed { ticket: Some(ticket), why },
            },
            (ticket, Err(why)) => Msg::WorkFailed { ticket, why },
            // That a trace has come is no news.
            (_, Ok(_)) => return,
        };
        self.apply(ctx, msg);
    }
}

/// Asks a worker for something; starts it if it is not there.
fn ask(
    ctx: &Context<App>,
    place: &mut Option<Helper>,
    heard: fn(Heard) -> Event,
    id: u32,
    request: &Request,
    file: Option<&Blob>,
) -> Result<(), String> {
    let helper = match place.take() {
        Some(helper) => Ok(helper),
        None => Helper::start({
            let link = ctx.link().clone();
            move |what| link.send_message(heard(what))
        }),
    };
    let asked = helper.and_then(|helper| place.insert(helper).ask(id, request, file));
    asked.map_err(|_| "it does not let a page start a worker".to_owned())
}

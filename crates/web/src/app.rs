//! The page as one component: it holds the model, shows it, and performs its effects.

use crate::dom::{self, window};
use crate::effects::storage::{self, Kept, StoredFile, StoredNotebook};
use crate::effects::worker::{Heard, Helper};
use crate::effects::{files, settings};
use crate::keys::{self, Command};
use crate::view::Surroundings;
use crate::view::bar::bar;
use crate::view::cell::cell;
use crate::view::dialogs::dialog;
use crate::view::drawer::drawer;
use crate::view::failures::failures;
use crate::view::prose_block::ProseBlock;
use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use netspurt_core::experiments::Inputs;
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;
use netspurt_notebook::cells::kinds;
use netspurt_notebook::document::{Block, Document};
use netspurt_notebook::model::{Effect, FileId, Model, Msg, Saved, Theme};
use netspurt_notebook::request::{Request, Told, unpack};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, ClipboardEvent, DragEvent, File, HtmlInputElement, HtmlSelectElement, KeyboardEvent};
use yew::html::Scope;
use yew::prelude::*;

/// A file over this many bytes is not read: a page would run out of memory.
const LARGEST: f64 = 2e9;

/// The reader of a file over this many bytes is not kept.
const LARGE: f64 = 16e6;

/// No message in octets but a trace is longer.
const SHORT: usize = 1 << 20;

/// How long after a change the address and the stored notebook follow.
const SETTLE_MS: u32 = 400;

pub(crate) enum Event {
    Model(Msg),
    Pick,
    Files(Vec<File>),
    Pasted(String),
    /// Something came from the worker that reads files, or from the one that computes.
    HeardReader(Heard),
    HeardWorker(Heard),
    Key(KeyboardEvent),
    /// A file hangs over the page, or no longer.
    Dragging(bool),
    /// What was kept from earlier visits.
    Restored(Vec<StoredNotebook>, Vec<StoredFile>),
    /// Open a kept notebook by its id.
    Notebook(String),
    Notebooks(Vec<StoredNotebook>),
    Letters(bool),
    Settle,
    /// The page is being left.
    Leave,
    /// The open notebook was kept, changed at this time; or another tab was there first.
    Kept(f64, Kept),
    Hash,
    Fonts,
    SystemTheme,
}

pub(crate) struct App {
    model: Model,
    /// Sends messages to the model. One callback for good: components compare it by pointer.
    on: Callback<Msg>,
    on_open: Callback<MouseEvent>,
    /// The key the open notebook is stored under.
    notebook: String,
    /// When what is stored there was last changed, as far as this page knows.
    known: Option<f64>,
    notebooks: Vec<StoredNotebook>,
    /// Nothing is shown before it is known what was kept.
    ready: bool,
    letters: bool,
    dragging: bool,
    fonts: u32,
    said: String,
    /// The element that gets the focus when the page is drawn.
    focus: Option<String>,
    /// The element that is brought into view when the page is drawn.
    show: Option<String>,
    picker: NodeRef,
    /// Files that are being read, or may be read again.
    files: Vec<(FileId, Blob)>,
    next_file: u32,
    /// Two workers, so that what is stopped in one goes on in the other.
    reader: Option<Helper>,
    worker: Option<Helper>,
    /// The reader has had a large file, and with it much memory.
    read_large: bool,
    /// The trace the worker holds.
    worker_trace: Option<Shared<Trace>>,
    settling: Option<Timeout>,
    _listeners: Vec<EventListener>,
}

impl Component for App {
    type Message = Event;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let mut app = Self {
            model: Model::default(),
            on: ctx.link().callback(Event::Model),
            on_open: ctx.link().callback(|_: MouseEvent| Event::Pick),
            notebook: fresh_id(),
            known: None,
            notebooks: Vec::new(),
            ready: false,
            letters: settings::letters(),
            dragging: false,
            fonts: 0,
            said: String::new(),
            focus: None,
            show: None,
            picker: NodeRef::default(),
            files: Vec::new(),
            next_file: 0,
            reader: None,
            worker: None,
            read_large: false,
            worker_trace: None,
            settling: None,
            _listeners: listeners(ctx.link()),
        };
        app.model.apply(Msg::Theme(settings::theme()));
        let link = ctx.link().clone();
        spawn_local(async move {
            // Forbidden storage is told of at the first change.
            let notebooks = storage::notebooks().await.unwrap_or_default();
            let files = storage::files().await.unwrap_or_default();
            link.send_message(Event::Restored(notebooks, files));
        });
        app
    }

    fn update(&mut self, ctx: &Context<Self>, event: Event) -> bool {
        match event {
            Event::Model(msg) => self.apply(ctx, msg),
            Event::Pick => {
                if let Some(input) = self.picker.cast::<HtmlInputElement>() {
                    input.set_value("");
                    input.click();
                }
                return false;
            }
            Event::Files(list) => {
                self.dragging = false;
                for file in list {
                    let name = file.name();
                    let file = self.hold(file.into());
                    self.apply(ctx, Msg::OpenFile { file, name });
                }
            }
            Event::Pasted(text) => {
                if let Some(blob) = files::of_text(&text) {
                    let file = self.hold(blob);
                    self.apply(ctx, Msg::OpenFile { file, name: "pasted text".to_owned() });
                }
            }
            Event::HeardReader(heard) => self.hear_reader(ctx, heard),
            Event::HeardWorker(heard) => self.hear_worker(ctx, heard),
            Event::Key(e) => match keys::command(&e, &self.model, self.letters) {
                Some(Command::Model(msg)) => {
                    e.prevent_default();
                    self.apply(ctx, msg);
                }
                Some(Command::Open) => {
                    e.prevent_default();
                    ctx.link().send_message(Event::Pick);
                }
                None => return false,
            },
            Event::Dragging(over) => {
                let changed = self.dragging != over;
                self.dragging = over;
                return changed;
            }
            Event::Restored(notebooks, files) => self.restore(ctx, notebooks, files),
            Event::Notebook(id) => {
                if let Some(n) = self.notebooks.iter().find(|n| n.id == id).cloned() {
                    self.apply(ctx, Msg::RestoreNotebook { text: n.text });
                    self.notebook = n.id;
                    self.known = Some(n.changed);
                }
            }
            Event::Notebooks(list) => self.notebooks = list,
            Event::Letters(on) => {
                self.letters = on;
                settings::set_letters(on);
            }
            Event::Settle => {
                self.settle(ctx);
                return false;
            }
            Event::Leave => {
                if self.settling.is_some() && matches!(self.model.saved(), Saved::Pending | Saved::Failed(_))
                {
                    settings::put_left(&self.notebook, self.model.document().text());
                }
                self.settle(ctx);
                return false;
            }
            Event::Kept(changed, Kept::Yes) => {
                self.known = Some(changed);
                self.apply(ctx, Msg::Saved(Ok(())));
            }
            Event::Kept(_, Kept::ChangedElsewhere) => {
                self.notebook = fresh_id();
                self.known = None;
                self.apply(ctx, Msg::OtherTab);
                self.keep(ctx);
            }
            Event::Hash => self.apply(ctx, Msg::OpenFragment(dom::fragment())),
            Event::Fonts => self.fonts += 1,
            Event::SystemTheme => {}
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        if !self.ready {
            return html! {};
        }
        let around = Surroundings { on: self.on.clone(), dark: self.is_dark(), fonts: self.fonts };
        let on_open = self.on_open.clone();
        let on_notebook = ctx.link().callback(Event::Notebook);
        let on_letters = ctx.link().callback(Event::Letters);
        let onchange = ctx.link().callback(|e: yew::Event| {
            let files = e.target_unchecked_into::<HtmlInputElement>().files();
            Event::Files(files.map_or_else(Vec::new, |f| (0..f.length()).filter_map(|i| f.get(i)).collect()))
        });
        html! {
            <>
                <a class="skip" href="#nb">{ "To the notebook" }</a>
                { bar(&self.model, &around, on_open.clone()) }
                <div class="frame">
                    if self.model.view().drawer { { drawer(&self.model, &self.notebooks, &around, &on_notebook, &on_open) } }
                    <main class="nb" id="nb" tabindex="-1">
                        { failures(&self.model, &around, &on_open) }
                        { for self.model.document().blocks().iter().enumerate().map(|(i, b)| self.block(i, b, &around)) }
                        <div class="add row">
                            { add_experiment(self.model.document().blocks().len(), &around) }
                            <button type="button" class="btn line" onclick={around.send(Msg::AddProse { at: self.model.document().blocks().len() })}>{ "Add text" }</button>
                        </div>
                    </main>
                </div>
                { dialog(&self.model, self.letters, &on_letters, &around) }
                if self.dragging { <div class="dropping">{ "Drop it here. It stays on this computer." }</div> }
                <input type="file" multiple=true hidden=true ref={self.picker.clone()} {onchange} aria-label="Open a file" />
                <p class="vh" role="status" aria-live="polite">{ self.said.clone() }</p>
            </>
        }
    }

    fn rendered(&mut self, _ctx: &Context<Self>, _first: bool) {
        if let Some(id) = self.show.take() {
            dom::bring_into_view(&id);
        }
        if let Some(id) = self.focus.take() {
            dom::focus(&id);
        }
        if self.ready {
            dom::set_title(&format!("{} · Netspurt", self.model.title()));
        }
    }
}

impl App {
    fn block(&self, index: usize, block: &Block, around: &Surroundings) -> Html {
        match block {
            Block::Cell(c) => cell(&self.model, c, index + 1, around),
            Block::Prose(p) => {
                let editing = (self.model.view().editing == Some(index))
                    .then(|| self.model.document().source(block).to_owned());
                html! { <ProseBlock key={format!("prose-{index}")} {index} nodes={p.nodes.clone()} {editing} around={around.clone()} /> }
            }
        }
    }

    fn is_dark(&self) -> bool {
        match self.model.view().theme {
            Theme::Light => false,
            Theme::Dark => true,
            Theme::System => dom::prefers_dark(),
        }
    }

    fn apply(&mut self, ctx: &Context<Self>, msg: Msg) {
        // Another notebook takes the place of this one, which is kept first.
        if replaces(&msg) {
            self.settle(ctx);
        }
        for effect in self.model.apply(msg) {
            self.perform(ctx, effect);
        }
        self.files.retain(|(id, _)| self.model.needs(*id));
    }

    fn hold(&mut self, blob: Blob) -> FileId {
        self.next_file += 1;
        let id = FileId(self.next_file);
        self.files.push((id, blob));
        id
    }

    fn file(&self, id: FileId) -> Option<Blob> {
        self.files.iter().find(|(held, _)| *held == id).map(|(_, blob)| blob.clone())
    }

    /// Has the worker that reads files do something, with a file or without. Fails to the model.
    fn ask_reader(&mut self, ctx: &Context<Self>, ticket: u32, request: &Request, file: Option<FileId>) {
        let blob = file.and_then(|file| self.file(file));
        let asked = if file.is_some() && blob.is_none() {
            Err("the page does not hold it any more; open it again".to_owned())
        } else if blob.as_ref().is_some_and(|blob| blob.size() > LARGEST) {
            Err("it is over 2 GB, more than a page can hold; take a part of it".to_owned())
        } else {
            ask(ctx, &mut self.reader, Event::HeardReader, ticket, request, blob.as_ref())
        };
        self.read_large |= blob.is_some_and(|blob| blob.size() > LARGE);
        if let Err(why) = asked {
            ctx.link().send_message(Event::Model(Msg::ReadFailed { ticket: Some(ticket), why }));
        }
    }

    /// Gives the worker a cell to run, and its trace first if the worker has another.
    fn run(
        &mut self,
        ctx: &Context<Self>,
        ticket: u32,
        kind: &str,
        body: String,
        inputs: &Inputs,
    ) -> Result<(), String> {
        let mut give = |request| ask(ctx, &mut self.worker, Event::HeardWorker, ticket, &request, None);
        if inputs.trace.is_some() && self.worker_trace != inputs.trace {
            inputs.trace.clone().map_or(Ok(()), |trace| give(Request::Trace(trace)))?;
            self.worker_trace.clone_from(&inputs.trace);
        }
        let Inputs { slot, row, .. } = *inputs;
        give(Request::Run { kind: kind.to_owned(), body, on_trace: inputs.trace.is_some(), slot, row })
    }

    fn hear_reader(&mut self, ctx: &Context<Self>, (id, answer): Heard) {
        // The memory of a worker that has read a large file is let go of, before the trace needs it. What it
        // tells on the way is short.
        let done = answer.as_ref().is_ok_and(|a| a.as_ref().is_some_and(|a| a.len() > SHORT));
        if done && self.read_large && self.model.is_last_reading(id) {
            self.reader = None;
        }
        if id.is_none() {
            self.reader = None;
        }
        let msg = match (id, answer) {
            (Some(ticket), Ok(Some(answer))) => match unpack(&answer) {
                Ok(Told::Percent(percent)) => Msg::ReadProgress { ticket, percent },
                Ok(Told::Content(content)) => Msg::FileRead { ticket, content },
                Ok(Told::Preview(preview)) => Msg::Previewed { ticket, preview },
                Ok(Told::Kinds(kinds)) => Msg::Kinds(kinds),
                Err(why) => Msg::ReadFailed { ticket: Some(ticket), why },
            },
            (ticket, Err(why)) => Msg::ReadFailed { ticket, why },
            (_, Ok(_)) => return,
        };
        self.apply(ctx, msg);
    }

    fn hear_worker(&mut self, ctx: &Context<Self>, (id, answer): Heard) {
        if id.is_none() {
            self.worker = None;
            self.worker_trace = None;
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

    fn perform(&mut self, ctx: &Context<Self>, effect: Effect) {
        match effect {
            Effect::Changed => {
                let link = ctx.link().clone();
                self.settling = Some(Timeout::new(SETTLE_MS, move || link.send_message(Event::Settle)));
            }
            Effect::OtherNotebook => {
                self.notebook = fresh_id();
                self.known = None;
                self.settling = None;
                dom::replace_fragment("");
                dom::scroll_to_top();
            }
            Effect::Read { ticket, file, name, how } => {
                self.ask_reader(ctx, ticket, &Request::Read { name, how }, Some(file));
            }
            Effect::Preview { ticket, file, how } => {
                self.ask_reader(ctx, ticket, &Request::Preview { how }, Some(file));
            }
            // No reading has this number.
            Effect::Kinds => self.ask_reader(ctx, 0, &Request::Kinds, None),
            Effect::StopReading => self.reader = None,
            Effect::Work { ticket, kind, body, inputs } => {
                if let Err(why) = self.run(ctx, ticket, kind, body, &inputs) {
                    ctx.link().send_message(Event::HeardWorker((Some(ticket), Err(why))));
                }
            }
            Effect::StopWork => {
                self.worker = None;
                self.worker_trace = None;
            }
            Effect::KeepFile { digest, name, traces, file } => {
                let Some(blob) = self.file(file) else { return };
                let file = StoredFile { digest, name, traces, blob };
                let link = ctx.link().clone();
                spawn_local(async move {
                    if let Err(e) = storage::put_file(&file).await {
                        link.send_message(Event::Model(Msg::Saved(Err(e.0))));
                    }
                });
            }
            Effect::ForgetFile { digest } => spawn_local(async move {
                // What cannot be deleted was most likely not kept.
                let _ = storage::delete_file(&digest).await;
            }),
            Effect::Download { name, mime, bytes } => {
                if files::download(&name, mime, &bytes).is_err() {
                    "The browser did not let the file be saved".clone_into(&mut self.said);
                }
            }
            Effect::Theme(theme) => settings::set_theme(theme),
            Effect::Say(text) => self.said = text,
            Effect::Focus(id) => self.focus = Some(id),
            Effect::Show(id) => self.show = Some(id),
            Effect::ShowTop => {
                // On a phone the library lies over what is to be seen.
                if dom::is_phone() {
                    self.model.apply(Msg::Drawer(false));
                }
                dom::scroll_to_top();
            }
        }
    }

    /// Writes the address and keeps the notebook, if it was changed.
    fn settle(&mut self, ctx: &Context<Self>) {
        if self.settling.take().is_none() {
            return;
        }
        match self.model.share().link {
            Ok(link) => dom::replace_fragment(link.fragment()),
            // Too long for an address: an old one would lie.
            Err(_) => dom::replace_fragment(""),
        }
        if matches!(self.model.saved(), Saved::Pending | Saved::Failed(_)) {
            self.keep(ctx);
        }
    }

    /// Keeps the notebook in the browser.
    fn keep(&self, ctx: &Context<Self>) {
        let notebook = StoredNotebook {
            id: self.notebook.clone(),
            title: self.model.title().to_owned(),
            text: self.model.document().text().to_owned(),
            changed: js_sys::Date::now(),
        };
        let (link, known) = (ctx.link().clone(), self.known);
        spawn_local(async move {
            match storage::put_notebook(&notebook, known).await {
                Ok(kept) => link.send_message(Event::Kept(notebook.changed, kept)),
                Err(e) => link.send_message(Event::Model(Msg::Saved(Err(e.0)))),
            }
            if let Ok(list) = storage::notebooks().await {
                link.send_message(Event::Notebooks(list));
            }
        });
    }

    fn restore(&mut self, ctx: &Context<Self>, notebooks: Vec<StoredNotebook>, files: Vec<StoredFile>) {
        self.ready = true;
        for f in files {
            let file = self.hold(f.blob);
            self.apply(ctx, Msg::RestoreFile { file, name: f.name, sha256: f.digest, traces: f.traces });
        }
        let fragment = dom::fragment();
        let left = settings::take_left();
        let was_left = left.is_some();
        self.notebooks = with_left(notebooks, left);
        if fragment.len() > 1 {
            self.apply(ctx, Msg::OpenFragment(fragment.clone()));
            if self.model.link_failure().is_none() {
                dom::replace_fragment(&fragment);
            }
            // The page's own address, loaded again: the notebook goes on under its own key.
            let text = self.model.document().text();
            if let Some(n) = self.notebooks.iter().find(|n| n.text == text) {
                self.notebook.clone_from(&n.id);
                self.known = Some(n.changed);
                if was_left {
                    self.keep(ctx);
                }
                self.model.apply(Msg::Saved(Ok(())));
                return;
            }
            if self.model.link_failure().is_none() {
                return;
            }
        }
        if let Some(last) = self.notebooks.first().cloned() {
            let failure = self.model.link_failure().cloned();
            self.apply(ctx, Msg::RestoreNotebook { text: last.text });
            self.notebook = last.id;
            self.known = Some(last.changed);
            if was_left {
                self.keep(ctx);
            }
            if failure.is_some() {
                self.apply(ctx, Msg::OpenFragment(fragment));
            }
        }
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

/// The notebooks, with the one that was changed just before the page was left as it was then.
fn with_left(mut notebooks: Vec<StoredNotebook>, left: Option<(String, String)>) -> Vec<StoredNotebook> {
    let Some((id, text)) = left else { return notebooks };
    let at = notebooks.iter().position(|n| n.id == id);
    let mut notebook = at.map(|i| notebooks.remove(i)).unwrap_or(StoredNotebook {
        id,
        title: Document::parse(text.as_str()).title().unwrap_or_default().to_owned(),
        text: String::new(),
        changed: 0.0,
    });
    notebook.text = text;
    notebooks.insert(0, notebook);
    notebooks
}

/// Whether a message may put another notebook on the page.
fn replaces(msg: &Msg) -> bool {
    matches!(
        msg,
        Msg::FileRead { .. }
            | Msg::OpenLesson(_)
            | Msg::NewNotebook
            | Msg::RestoreNotebook { .. }
            | Msg::OpenFragment(_)
            | Msg::OpenReadable
    )
}

/// The kinds of experiment, to be chosen from.
fn add_experiment(at: usize, around: &Surroundings) -> Html {
    let onchange = around.on.reform(move |e: yew::Event| {
        let select = e.target_unchecked_into::<HtmlSelectElement>();
        let chosen = select.value();
        // The choice is made once: the field names what it does, not what it did.
        select.set_value("");
        let kind = kinds().iter().find(|k| k.name == chosen).map_or("rto", |k| k.name);
        Msg::AddCell { at, kind }
    });
    html! {
        <span class="sel">
            <select aria-label="Add an experiment" {onchange}>
                <option value="" selected=true>{ "Add an experiment" }</option>
                { for kinds().iter().filter(|k| k.experiment.is_some()).map(|k| html! { <option value={k.name}>{ k.title }</option> }) }
            </select>
        </span>
    }
}

/// A key no other notebook of this browser has.
fn fresh_id() -> String {
    format!("{:.0}-{:.0}", js_sys::Date::now(), js_sys::Math::random() * 1e9)
}

/// Makes something of a browser's event, or leaves it.
type Handle = Box<dyn Fn(&web_sys::Event) -> Option<Event>>;

fn listeners(link: &Scope<App>) -> Vec<EventListener> {
    let Some(window) = window() else { return Vec::new() };
    let mut all = Vec::new();
    let active = EventListenerOptions::enable_prevent_default();
    let mut on = |name: &'static str, handle: Handle| {
        let link = link.clone();
        all.push(EventListener::new_with_options(&window, name, active, move |e| {
            if let Some(event) = handle(e) {
                link.send_message(event);
            }
        }));
    };
    on(
        "keydown",
        Box::new(|e| {
            let e = e.dyn_ref::<KeyboardEvent>()?;
            if keys::would_open_or_save(e) {
                e.prevent_default();
            }
            Some(Event::Key(e.clone()))
        }),
    );
    on(
        "dragover",
        Box::new(|e| {
            e.prevent_default();
            Some(Event::Dragging(true))
        }),
    );
    on(
        "dragleave",
        Box::new(|e| {
            let left = e.dyn_ref::<DragEvent>().is_some_and(|e| e.related_target().is_none());
            left.then_some(Event::Dragging(false))
        }),
    );
    on(
        "drop",
        Box::new(|e| {
            e.prevent_default();
            Some(Event::Files(files::transferred(e.dyn_ref::<DragEvent>()?.data_transfer())))
        }),
    );
    on("paste", Box::new(|e| pasted(e.dyn_ref::<ClipboardEvent>()?)));
    on("hashchange", Box::new(|_| Some(Event::Hash)));
    on("pagehide", Box::new(|_| Some(Event::Leave)));
    // A canvas does not wait for a font as text does: it is drawn again when one has come.
    if let Some(fonts) = window.document().map(|d| d.fonts()) {
        let link = link.clone();
        all.push(EventListener::new(&fonts, "loadingdone", move |_| link.send_message(Event::Fonts)));
    }
    if let Ok(Some(query)) = window.match_media("(prefers-color-scheme: dark)") {
        let link = link.clone();
        all.push(EventListener::new(&query, "change", move |_| link.send_message(Event::SystemTheme)));
    }
    all
}

/// A file or a text that was pasted onto the page, not into a field.
fn pasted(e: &ClipboardEvent) -> Option<Event> {
    let target = e.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    if target.is_some_and(|t| matches!(t.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")) {
        return None;
    }
    let transfer = e.clipboard_data()?;
    let files = files::transferred(Some(transfer.clone()));
    if !files.is_empty() {
        return Some(Event::Files(files));
    }
    let text = transfer.get_data("text/plain").ok().filter(|t| !t.trim().is_empty())?;
    Some(Event::Pasted(text))
}

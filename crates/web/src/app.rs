//! The page as one component: it holds the model, shows it, and performs its effects.

mod hands;
mod listeners;

use crate::dom;
use crate::effects::storage::{self, Kept, StoredFile, StoredNotebook};
use crate::effects::worker::Heard;
use crate::effects::{files, settings};
use crate::keys::{self, Command};
use crate::view::bar::bar;
use crate::view::cell::CellSection;
use crate::view::dialogs::dialog;
use crate::view::drawer::drawer;
use crate::view::failures::failures;
use crate::view::prose_block::ProseBlock;
use crate::view::{Live, Surroundings};
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use hands::Hands;
use listeners::listeners;
use netspurt_notebook::cells::kinds;
use netspurt_notebook::document::{Block, Document};
use netspurt_notebook::model::{Effect, Model, Msg, Saved, Theme};
use netspurt_notebook::request::Request;
use wasm_bindgen_futures::spawn_local;
use web_sys::{File, HtmlInputElement, HtmlSelectElement, KeyboardEvent};
use yew::prelude::*;

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
    model: Live,
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
    /// The theme of the reader's system, light or dark: asked for when it changes, not at every step of a slider.
    system: Theme,
    /// The title of the browser's window.
    title: String,
    /// The element that gets the focus when the page is drawn.
    focus: Option<String>,
    /// Where the focus was before.
    region: Option<String>,
    /// The element that is brought into view when the page is drawn.
    show: Option<String>,
    picker: NodeRef,
    hands: Hands,
    settling: Option<Timeout>,
    _listeners: Vec<EventListener>,
}

impl Component for App {
    type Message = Event;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let app = Self {
            model: Live::default(),
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
            system: system_theme(),
            title: String::new(),
            focus: None,
            region: None,
            show: None,
            picker: NodeRef::default(),
            hands: Hands::default(),
            settling: None,
            _listeners: listeners(ctx.link()),
        };
        app.model.change().apply(Msg::Theme(settings::theme()));
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
        self.region = dom::focused_region();
        match event {
            // It ends a step of undo: nothing looks other than before.
            Event::Model(Msg::Release) => {
                self.apply(ctx, Msg::Release);
                return false;
            }
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
            Event::HeardReader(heard) => return self.hear_reader(ctx, heard),
            Event::HeardWorker(heard) => self.hear_worker(ctx, heard),
            Event::Key(e) => {
                let command = keys::command(&e, &self.model.read(), self.letters);
                match command {
                    Some(Command::Model(msg)) => {
                        e.prevent_default();
                        self.apply(ctx, msg);
                    }
                    Some(Command::Open) => {
                        e.prevent_default();
                        ctx.link().send_message(Event::Pick);
                    }
                    None => return false,
                }
            }
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
                if self.settling.is_some() && self.is_to_be_kept() {
                    settings::put_left(&self.notebook, self.model.read().document().text());
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
            Event::SystemTheme => self.system = system_theme(),
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        if !self.ready {
            return html! {};
        }
        let model = &*self.model.read();
        let around = Surroundings { on: self.on.clone(), dark: self.is_dark(), fonts: self.fonts };
        let end = model.document().blocks().len();
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
                { bar(model, &around, on_open.clone()) }
                <div class="frame">
                    if model.view().drawer { { drawer(model, &self.notebooks, &around, &on_notebook, &on_open) } }
                    <main class="nb" id="nb" tabindex="-1">
                        { failures(model, &around, &on_open) }
                        { for model.document().blocks().iter().enumerate().map(|(i, b)| self.block(model, i, b, &around)) }
                        <div class="add row">
                            { add_experiment(end, &around) }
                            <button type="button" class="btn line" onclick={around.send(Msg::AddProse { at: end })}>{ "Add text" }</button>
                        </div>
                    </main>
                </div>
                { dialog(model, self.letters, &on_letters, &around) }
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
        if let Some(region) = self.region.take() {
            dom::keep_focus_in(&region);
        }
        if self.ready {
            let title = [self.model.read().title(), " · Netspurt"].concat();
            if self.title != title {
                dom::set_title(&title);
                self.title = title;
            }
        }
    }
}

fn system_theme() -> Theme {
    if dom::prefers_dark() { Theme::Dark } else { Theme::Light }
}

impl App {
    fn block(&self, model: &Model, index: usize, block: &Block, around: &Surroundings) -> Html {
        match block {
            Block::Cell(c) => {
                html! { <CellSection key={c.id.clone()} live={self.model.clone()} shown={model.shown(c)} number={index + 1} around={around.clone()} /> }
            }
            Block::Prose(p) => {
                let editing =
                    (model.view().editing == Some(index)).then(|| model.document().source(block).to_owned());
                html! { <ProseBlock key={format!("prose-{index}")} {index} nodes={p.nodes.clone()} {editing} around={around.clone()} /> }
            }
        }
    }

    fn is_dark(&self) -> bool {
        let theme = self.model.read().view().theme;
        Theme::Dark == if theme == Theme::System { self.system } else { theme }
    }

    fn apply(&mut self, ctx: &Context<Self>, msg: Msg) {
        // Another notebook takes the place of this one, which is kept first.
        if replaces(&msg) {
            self.settle(ctx);
        }
        let effects = self.model.change().apply(msg);
        for effect in effects {
            self.perform(ctx, effect);
        }
        self.hands.files.retain(|(id, _)| self.model.read().needs(*id));
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
            Effect::StopReading => self.hands.stop_reader(),
            Effect::Work { ticket, kind, body, inputs } => {
                if let Err(why) = self.run(ctx, ticket, kind, body, &inputs) {
                    ctx.link().send_message(Event::HeardWorker((Some(ticket), Err(why))));
                }
            }
            Effect::StopWork => {
                self.hands.worker = None;
                self.hands.worker_trace = None;
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
                    self.model.change().apply(Msg::Drawer(false));
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
        let link = self.model.read().share().link;
        match link {
            Ok(link) => dom::replace_fragment(link.fragment()),
            // Too long for an address: an old one would lie.
            Err(_) => dom::replace_fragment(""),
        }
        if self.is_to_be_kept() {
            self.keep(ctx);
        }
    }

    /// Whether the notebook differs from what is kept.
    fn is_to_be_kept(&self) -> bool {
        matches!(self.model.read().saved(), Saved::Pending | Saved::Failed(_))
    }

    /// Keeps the notebook in the browser.
    fn keep(&self, ctx: &Context<Self>) {
        let notebook = StoredNotebook {
            id: self.notebook.clone(),
            title: self.model.read().title().to_owned(),
            text: self.model.read().document().text().to_owned(),
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
            if self.model.read().link_failure().is_none() {
                dom::replace_fragment(&fragment);
            }
            // The page's own address, loaded again: the notebook goes on under its own key.
            let is_open = |n: &&StoredNotebook| n.text == self.model.read().document().text();
            if let Some(n) = self.notebooks.iter().find(is_open) {
                self.notebook.clone_from(&n.id);
                self.known = Some(n.changed);
                if was_left {
                    self.keep(ctx);
                }
                self.model.change().apply(Msg::Saved(Ok(())));
                return;
            }
            if self.model.read().link_failure().is_none() {
                return;
            }
        }
        if let Some(last) = self.notebooks.first().cloned() {
            let failure = self.model.read().link_failure().cloned();
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

//! What the page listens to beyond its own elements: keys, files that are dropped or pasted, the
//! address, fonts, the system's theme.

use super::{App, Event};
use crate::dom::window;
use crate::effects::files;
use crate::keys;
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DragEvent, KeyboardEvent};
use yew::html::Scope;

/// Makes something of a browser's event, or leaves it.
type Handle = Box<dyn Fn(&web_sys::Event) -> Option<Event>>;

pub(super) fn listeners(link: &Scope<App>) -> Vec<EventListener> {
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
            if keys::is_browsers_too(e) {
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

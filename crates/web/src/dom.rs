//! The browser's corners that components need: sizes, properties, pointers.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, PointerEvent, ResizeObserver, Window};

pub(crate) fn window() -> Option<Window> {
    web_sys::window()
}

/// Device pixels per CSS pixel; 1 where the browser does not say.
pub(crate) fn pixel_ratio() -> f64 {
    window().map_or(1.0, |w| w.device_pixel_ratio()).clamp(0.5, 8.0)
}

/// Sets custom properties through the CSSOM: the page's policy forbids style attributes.
pub(crate) fn set_properties(element: &HtmlElement, properties: &[(&str, String)]) {
    for (name, value) in properties {
        // Custom properties take any value; there is nothing to do about a browser that refuses.
        let _ = element.style().set_property(name, value);
    }
}

/// Watches an element's size for as long as it is held.
pub(crate) struct SizeWatch {
    observer: ResizeObserver,
    _callback: Closure<dyn FnMut()>,
}

impl Drop for SizeWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Calls back once soon and then at every change of size. `None` where the browser cannot.
pub(crate) fn on_resize(element: &HtmlElement, callback: impl FnMut() + 'static) -> Option<SizeWatch> {
    let callback = Closure::<dyn FnMut()>::new(callback);
    let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok()?;
    observer.observe(element);
    Some(SizeWatch { observer, _callback: callback })
}

/// How far right of and below an element's corner the pointer is, in CSS pixels.
pub(crate) fn offset(element: &HtmlElement, e: &PointerEvent) -> (f64, f64) {
    let corner = element.get_bounding_client_rect();
    (f64::from(e.client_x()) - corner.left(), f64::from(e.client_y()) - corner.top())
}

/// Keeps a drag's events coming when the pointer leaves the element.
pub(crate) fn capture_pointer(element: &HtmlElement, e: &PointerEvent) {
    // Without capture a drag ends at the edge: no more is lost.
    let _ = element.set_pointer_capture(e.pointer_id());
}

/// A number in four figures or so.
pub(crate) fn short(v: f64) -> String {
    let places = match v.abs() {
        a if a >= 1000.0 || v.fract() == 0.0 => 0,
        a if a >= 100.0 => 1,
        a if a >= 1.0 => 2,
        _ => 4,
    };
    format!("{v:.places$}")
}

/// A time in ms with its unit, in three figures or so.
pub(crate) fn duration(ms: f64) -> String {
    match ms {
        v if v >= 100_000.0 => format!("{:.0} s", v / 1000.0),
        v if v >= 1000.0 => format!("{:.2} s", v / 1000.0),
        v if v >= 100.0 => format!("{v:.0} ms"),
        v if v >= 10.0 => format!("{v:.1} ms"),
        v if v >= 0.1 || v == 0.0 => format!("{v:.2} ms"),
        v => format!("{v:.4} ms"),
    }
}

/// A count with thin spaces between groups of three, from five digits on.
pub(crate) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let lead = digits.len() % 3;
    let mut text = digits[..lead].to_owned();
    for group in digits.as_bytes()[lead..].chunks(3) {
        if !text.is_empty() {
            text.push('\u{2009}');
        }
        text.extend(group.iter().map(|b| char::from(*b)));
    }
    text
}

/// The text in lower case: the browser's, whose tables of letters need not be loaded.
pub(crate) fn lower(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

/// A date as the reader writes dates.
pub(crate) fn date(ms: f64) -> String {
    js_sys::Date::new(&JsValue::from_f64(ms)).to_locale_date_string("default", &JsValue::UNDEFINED).into()
}

/// The page's address without what follows `#`.
pub(crate) fn page_address() -> String {
    let href = window().and_then(|w| w.location().href().ok()).unwrap_or_default();
    href.split('#').next().unwrap_or_default().to_owned()
}

/// The part of the address from `#` on; empty if there is none.
pub(crate) fn fragment() -> String {
    window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// Copies text, and says whether it worked: a browser may refuse.
pub(crate) fn copy(text: String, done: impl Fn(bool) + 'static) {
    wasm_bindgen_futures::spawn_local(async move {
        let Some(window) = window() else { return done(false) };
        let clipboard = window.navigator().clipboard();
        // Missing where the page is not served securely.
        if clipboard.is_undefined() {
            return done(false);
        }
        done(wasm_bindgen_futures::JsFuture::from(clipboard.write_text(&text)).await.is_ok());
    });
}

/// Moves the focus to the element of this id.
pub(crate) fn focus(id: &str) {
    if let Some(element) = by_id(id).and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        // An element that cannot take the focus leaves it where it is.
        let _ = element.focus();
    }
}

/// Which of the page's regions has the focus: the library or the notebook.
pub(crate) fn focused_region() -> Option<String> {
    let element = window()?.document()?.active_element()?;
    Some(element.closest("#drawer,#nb").ok()??.id())
}

/// Moves the focus to this region, should it have gone with an element that is there no more.
pub(crate) fn keep_focus_in(region: &str) {
    let lost = || window()?.document()?.active_element().map(|e| e.tag_name() == "BODY");
    if lost() != Some(false)
        && let Some(element) =
            by_id(region).or_else(|| by_id("nb")).and_then(|e| e.dyn_into::<HtmlElement>().ok())
    {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        // What cannot take the focus leaves it where it is.
        let _ = element.focus_with_options(&options);
    }
}

fn by_id(id: &str) -> Option<Element> {
    window()?.document()?.get_element_by_id(id)
}

/// Scrolls so far that the head of an element can be seen.
pub(crate) fn bring_into_view(id: &str) {
    let Some(element) = by_id(id) else { return };
    let height = window().and_then(|w| w.inner_height().ok()?.as_f64()).unwrap_or_default();
    let top = element.get_bounding_client_rect().top();
    if top < 0.0 || top > 0.6 * height {
        element.scroll_into_view();
    }
}

/// Whether the library covers the page.
pub(crate) fn is_phone() -> bool {
    matches("(max-width:759.98px)")
}

/// Whether the reader's system is dark.
pub(crate) fn prefers_dark() -> bool {
    matches("(prefers-color-scheme: dark)")
}

fn matches(query: &str) -> bool {
    window().and_then(|w| w.match_media(query).ok().flatten()).is_some_and(|q| q.matches())
}

pub(crate) fn set_title(title: &str) {
    if let Some(document) = window().and_then(|w| w.document()) {
        document.set_title(title);
    }
}

pub(crate) fn scroll_to_top() {
    if let Some(window) = window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// Changes the part of the address from `#` on, without a step in the browser's history.
pub(crate) fn replace_fragment(fragment: &str) {
    let Some(window) = window() else { return };
    let address = page_address() + fragment;
    // A browser may limit how often; the next change comes soon.
    let _ = window.history().and_then(|h| h.replace_state_with_url(&JsValue::NULL, "", Some(&address)));
}

/// Whether the focus goes from inside an element to somewhere else.
pub(crate) fn leaves(element: &yew::NodeRef, e: &web_sys::FocusEvent) -> bool {
    let to = e.related_target().and_then(|t| t.dyn_into::<web_sys::Node>().ok());
    element.cast::<web_sys::Node>().is_some_and(|element| !element.contains(to.as_ref()))
}

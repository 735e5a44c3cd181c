//! Files in and out: picked, dropped, pasted, and saved.

use crate::dom::window;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, DataTransfer, File, HtmlAnchorElement, Url};

/// The files of a drop or a paste.
pub(crate) fn transferred(transfer: Option<DataTransfer>) -> Vec<File> {
    let files = transfer.and_then(|t| t.files());
    files.map_or_else(Vec::new, |files| (0..files.length()).filter_map(|i| files.get(i)).collect())
}

/// Text that was pasted, as a file.
pub(crate) fn of_text(text: &str) -> Option<Blob> {
    Blob::new_with_str_sequence(&js_sys::Array::of1(&text.into())).ok()
}

/// Lets the reader save bytes as a file.
pub(crate) fn download(name: &str, mime: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let options = BlobPropertyBag::new();
    options.set_type(mime);
    let url =
        Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence_and_options(&parts, &options)?)?;
    let document = window().and_then(|w| w.document()).ok_or(JsValue::NULL)?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into().map_err(JsValue::from)?;
    link.set_href(&url);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&url)
}

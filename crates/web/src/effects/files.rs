//! Files in and out: picked, dropped, pasted, and saved.

use crate::dom::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, BlobPropertyBag, DataTransfer, File, HtmlAnchorElement, Url};

/// A file over this many bytes is not read: the page would run out of memory.
const LARGEST: f64 = 2e9;

/// The files of a drop or a paste.
pub(crate) fn transferred(transfer: Option<DataTransfer>) -> Vec<File> {
    let files = transfer.and_then(|t| t.files());
    files.map_or_else(Vec::new, |files| (0..files.length()).filter_map(|i| files.get(i)).collect())
}

/// Reads a file and hands over its name and bytes, or why it could not be read.
pub(crate) fn read(file: File, done: impl Fn(String, Result<Vec<u8>, String>) + 'static) {
    spawn_local(async move {
        let name = file.name();
        if file.size() > LARGEST {
            done(name, Err("it is over 2 GB, more than a page can hold; take a part of it".to_owned()));
            return;
        }
        let bytes = JsFuture::from(file.array_buffer()).await;
        let bytes = bytes.map(|buffer| js_sys::Uint8Array::new(&buffer).to_vec()).map_err(|e| {
            e.dyn_into::<js_sys::Error>()
                .map_or_else(|_| "it cannot be read".to_owned(), |e| e.message().into())
        });
        done(name, bytes);
    });
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

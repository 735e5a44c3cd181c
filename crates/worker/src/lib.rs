//! Long work beside the page, in a worker: reading files.
//!
//! The worker has a program of its own, so that importers are loaded when the first file is opened,
//! and a file of a hundred megabytes never stops the page. `www/worker.js` hands every message to
//! [`answer`] and posts what comes back; to cancel, the page ends the worker.
#![cfg(target_arch = "wasm32")]

use netspurt_notebook::reading;
use netspurt_notebook::request::Request;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// Does what a [`Request`] asks and gives its answer; for reading, `file` holds the bytes. Fails
/// with the browser's reason where it does not hand them over.
#[wasm_bindgen]
pub async fn answer(request: JsValue, file: Option<Blob>) -> Result<JsValue, JsValue> {
    match serde_wasm_bindgen::from_value(request)? {
        Request::Read { name, bad_rows } => {
            let file = file.ok_or("no file came with the request")?;
            let buffer = JsFuture::from(file.array_buffer()).await?;
            let bytes = js_sys::Uint8Array::new(&buffer).to_vec();
            drop(buffer);
            Ok(serde_wasm_bindgen::to_value(&reading::read(&name, &bytes, bad_rows))?)
        }
    }
}

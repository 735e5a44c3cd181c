//! Long work beside the page, in a worker: reading files, and experiments that take time.
//!
//! The worker has a program of its own, so that importers are loaded when the first file is opened,
//! and a file of a hundred megabytes never stops the page. `www/worker.js` hands every message to
//! [`answer`] and posts what comes back; to cancel, the page ends the worker.
#![cfg(target_arch = "wasm32")]

use js_sys::{Date, Object, Reflect};
use netspurt_core::experiments;
use netspurt_notebook::reading;
use netspurt_notebook::request::{Progress, Request};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, DedicatedWorkerGlobalScope};

/// How often results are shown as they come, in ms.
const SHOW_EVERY: f64 = 120.0;

/// Does what a [`Request`] asks and gives its answer; for reading, `file` holds the bytes. What work
/// comes to on the way is posted with the number of the request. Fails with the browser's reason
/// where it does not hand a file over.
#[wasm_bindgen]
pub async fn answer(id: u32, request: JsValue, file: Option<Blob>) -> Result<JsValue, JsValue> {
    match serde_wasm_bindgen::from_value(request)? {
        Request::Read { name, bad_rows } => {
            let file = file.ok_or("no file came with the request")?;
            let buffer = JsFuture::from(file.array_buffer()).await?;
            let bytes = js_sys::Uint8Array::new(&buffer).to_vec();
            drop(buffer);
            Ok(serde_wasm_bindgen::to_value(&reading::read(&name, &bytes, bad_rows))?)
        }
        Request::Work { kind, settings, trace } => {
            let setup = settings.setup(&kind).ok_or("the page and its worker are not of one version")?;
            let mut work =
                experiments::begin(&*setup, trace.as_ref()).ok_or("there is nothing to work out")?;
            let mut shown = Date::now();
            loop {
                let worked = work.worked();
                if worked.is_done() {
                    return Ok(serde_wasm_bindgen::to_value(&Progress::from(&worked))?);
                }
                while Date::now() - shown < SHOW_EVERY && !work.is_done() {
                    work.step();
                }
                shown = Date::now();
                post(id, &Progress::from(&work.worked()))?;
            }
        }
    }
}

/// Posts what there is so far.
fn post(id: u32, progress: &Progress) -> Result<(), JsValue> {
    let message = Object::new();
    Reflect::set(&message, &"id".into(), &id.into())?;
    Reflect::set(&message, &"answer".into(), &serde_wasm_bindgen::to_value(progress)?)?;
    js_sys::global().unchecked_into::<DedicatedWorkerGlobalScope>().post_message(&message)
}

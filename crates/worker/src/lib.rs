//! Long work beside the page, in a worker: reading files, and experiments that take time.
//!
//! The worker has a program of its own, so that importers are loaded when the first file is opened,
//! and a file of a hundred megabytes never stops the page. `www/worker.js` hands every message to
//! `answer` and posts what comes back; to cancel, the page ends the worker.
#![cfg(target_arch = "wasm32")]

use js_sys::{Date, Object, Promise, Reflect, Uint8Array};
use netspurt_core::digest::hex;
use netspurt_core::experiments::Inputs;
use netspurt_core::experiments::run::Kept;
use netspurt_core::shared::Shared;
use netspurt_core::trace::{Arriving, Trace};
use netspurt_notebook::reading::{self, Content};
use netspurt_notebook::request::{Answer, Progress, Request, Told, begin, pack, unpack};
use netspurt_notebook::wire;
use serde::Serialize;
use std::cell::RefCell;
use std::ops::ControlFlow;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, DedicatedWorkerGlobalScope, ReadableStreamByobReader, TextDecoder};

/// How often results are shown as they come, in ms.
const SHOW_EVERY: f64 = 120.0;

/// So many bytes of a file are looked at for a preview.
const BEGINNING: i32 = 1 << 20;

thread_local! {
    /// A trace that was read, and how many of its pieces the page has.
    static READ: RefCell<Option<(Shared<Trace>, usize)>> = const { RefCell::new(None) };
    /// A trace that is coming.
    static COMING: RefCell<Arriving> = RefCell::default();
    /// The last trace that came.
    static TRACE: RefCell<Option<Shared<Trace>>> = const { RefCell::new(None) };
    /// What runs have kept for later ones.
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Does what a [`Request`] asks and gives its answer; for reading, `file` holds the bytes. What a run
/// comes to on the way is posted with the number of the request. Fails with the browser's reason
/// where it does not hand a file over.
#[wasm_bindgen]
pub async fn answer(id: u32, request: Vec<u8>, file: Option<Blob>) -> Result<JsValue, JsValue> {
    match unpack(&request)? {
        Request::Read { name, how } => {
            let file = file.ok_or("no file came with the request")?;
            let (bytes, sha256) = bytes_and_digest(&file).await?;
            let mut shown = Date::now();
            let mut progress = |share: f64| {
                if Date::now() - shown > SHOW_EVERY {
                    shown = Date::now();
                    // What cannot be told is told by the next.
                    let _ = post(id, &Told::Percent((share * 100.0) as u8));
                }
                ControlFlow::Continue(())
            };
            let mut content =
                reading::read(&name, &bytes, |_| String::new(), &how, Some(decode), &mut progress);
            if let Content::Trace(found) = &mut content {
                found.sha256 = told(sha256).await.unwrap_or_else(|| reading::sha256_hex(&bytes));
            }
            // The pieces need the room.
            drop(bytes);
            if let Content::Trace(found) = &content {
                READ.replace(Some((found.trace.clone(), 0)));
            }
            octets(&Told::Content(content))
        }
        Request::Preview { how } => {
            let file = file.ok_or("no file came with the request")?;
            let beginning = bytes(&file.slice_with_i32_and_i32(0, BEGINNING)?).await?;
            let preview = reading::preview(&beginning, &how, Some(decode));
            octets(&Told::Preview(preview))
        }
        Request::Kinds => octets(&Told::Kinds(reading::kinds())),
        Request::Piece(piece) => {
            COMING.with_borrow_mut(|coming| coming.put(&piece)).map_err(|e| e.to_string())?;
            Ok(JsValue::UNDEFINED)
        }
        Request::Trace(trace) => {
            let trace = COMING.take().finish((*trace).clone()).map_err(|e| e.to_string())?;
            TRACE.replace(Some(Shared::new(trace)));
            Ok(JsValue::UNDEFINED)
        }
        Request::Run { kind, body, on_trace, slot, row } => {
            let trace = if on_trace { TRACE.with_borrow(Clone::clone) } else { None };
            run(id, &kind, &body, &Inputs { trace, slot, row })
        }
    }
}

/// The next piece of the trace that was read last, before the answer is posted. Undefined: there are no more.
#[wasm_bindgen]
pub fn piece() -> Result<JsValue, JsValue> {
    let next = READ.with_borrow_mut(|read| {
        let (trace, number) = read.as_mut()?;
        *number += 1;
        wire::piece(trace, *number - 1)
    });
    if let Some(piece) = next {
        return octets(&Told::Piece(piece));
    }
    READ.take();
    Ok(JsValue::UNDEFINED)
}

fn run(id: u32, kind: &str, body: &str, inputs: &Inputs) -> Result<JsValue, JsValue> {
    let work = KEPT.with_borrow(|kept| begin(kind, body, inputs, kept));
    let mut work = work.ok_or("the page and its worker are not of one version")?;
    let mut shown = Date::now();
    // When the parts that are counted now began.
    let (mut since, (_, mut parts)) = (shown, work.progress());
    while !work.is_done() {
        work.step();
        let now = Date::now();
        if now - shown > SHOW_EVERY {
            let (done, total) = work.progress();
            if total != parts {
                (parts, since) = (total, shown);
            }
            shown = now;
            let progress = Progress { done, total, counts: work.counts().to_owned(), elapsed: now - since };
            post(id, &Answer::Part(progress, work.report()))?;
        }
    }
    KEPT.with_borrow_mut(|kept| work.keep(kept));
    octets(&Answer::Whole(work.report()))
}

#[wasm_bindgen]
extern "C" {
    /// SHA-256 of what is in the buffer, in a worker of its own; of `www/worker.js`.
    #[wasm_bindgen(js_name = digestBeside)]
    fn digest_beside(buffer: JsValue) -> Promise;
}

/// Up to this size a file is fetched as a whole.
const SMALL: f64 = (1 << 25) as f64;

/// How much of a larger one is fetched at a time.
const PIECE: u32 = 1 << 20;

/// A file's bytes and their digest to come. Browsers compute that on the thread that asks: while a small file
/// is read it is taken elsewhere; a larger one would then be held twice.
async fn bytes_and_digest(file: &Blob) -> Result<(Vec<u8>, Option<Promise>), JsValue> {
    if file.size() <= SMALL {
        let buffer = JsFuture::from(file.array_buffer()).await?;
        let bytes = Uint8Array::new(&buffer).to_vec();
        return Ok((bytes, Some(digest_beside(buffer))));
    }
    let bytes = bytes(file).await?;
    let sha256 = digest(&bytes);
    Ok((bytes, sha256))
}

/// A file's bytes, fetched in pieces. What a piece came in takes the next where the browser can do so: else
/// it would hold all of a large file beside the copy made here.
async fn bytes(file: &Blob) -> Result<Vec<u8>, JsValue> {
    let size = file.size();
    // All at once: growing piece by piece, the zeros would be written one by one.
    let mut bytes = vec![0; size as usize];
    let mut rest = &mut bytes[..];
    let mut put = |piece: &Uint8Array| {
        let n = piece.length() as usize;
        let (place, behind) =
            std::mem::take(&mut rest).split_at_mut_checked(n).ok_or("the file has changed")?;
        piece.copy_to(place);
        rest = behind;
        Ok::<usize, JsValue>(rest.len())
    };
    let mut left = size as usize;
    // Not all browsers read files so.
    if let Ok(reader) = ReadableStreamByobReader::new(&file.stream()) {
        let mut into = Uint8Array::new_with_length(PIECE);
        while left > 0 {
            let read = JsFuture::from(reader.read_with_array_buffer_view(&into)).await?;
            let piece: Uint8Array = Reflect::get(&read, &"value".into())?.dyn_into()?;
            if piece.length() == 0 {
                break;
            }
            left = put(&piece)?;
            into = Uint8Array::new(&piece.buffer());
        }
    } else {
        let mut at = 0.0;
        while left > 0 {
            let end = (at + f64::from(PIECE)).min(size);
            let buffer = JsFuture::from(file.slice_with_f64_and_f64(at, end)?.array_buffer()).await?;
            left = put(&Uint8Array::new(&buffer))?;
            at = end;
        }
    }
    if left > 0 { Err("the file has changed".into()) } else { Ok(bytes) }
}

/// SHA-256 as the browser computes it, several times as fast as a program can. `None`: it does so only for
/// pages from a safe place.
fn digest(bytes: &[u8]) -> Option<Promise> {
    let scope = js_sys::global().unchecked_into::<DedicatedWorkerGlobalScope>();
    let subtle = Some(scope.crypto().ok()?.subtle()).filter(|subtle| !subtle.is_undefined())?;
    subtle.digest_with_str_and_u8_array("SHA-256", bytes).ok()
}

/// Its digits. `None`: the browser has given up.
async fn told(digest: Option<Promise>) -> Option<String> {
    let digest = JsFuture::from(digest?).await.ok().filter(JsValue::is_object)?;
    Some(hex(&Uint8Array::new(&digest).to_vec()))
}

/// Text of an encoding the browser knows by this label.
fn decode(label: &str, bytes: &[u8]) -> Option<String> {
    TextDecoder::new_with_label(label).ok()?.decode_with_u8_array(bytes).ok()
}

fn octets(message: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(Uint8Array::from(pack(message)?.as_slice()).into())
}

/// Posts what there is so far.
fn post(id: u32, answer: &impl Serialize) -> Result<(), JsValue> {
    let message = Object::new();
    Reflect::set(&message, &"id".into(), &id.into())?;
    Reflect::set(&message, &"answer".into(), &octets(answer)?)?;
    js_sys::global().unchecked_into::<DedicatedWorkerGlobalScope>().post_message(&message)
}

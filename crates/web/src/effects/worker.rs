//! The worker: started when it is first needed, ended to stop it.
//!
//! It is a classic worker made from a blob, which works where module workers and those from an
//! address do not (`www/worker.js`). An answer comes back with the number of its request; whoever
//! asked decides whether it is still wanted.
//!
//! Every message is `{ id, request, file }`. It is answered, in the order they came, with `{ id, answer }`,
//! long work more than once; or with `{ id, error }` where the browser gave up. A trace comes in pieces
//! before the answer: the next is made when the page has posted `{ taken: true }`, so that they do not heap
//! up. A program that breaks down ends in an `error` event. Digests are taken in a worker of the worker's,
//! whose whole program is one function; `null` says that the browser gives none.

use crate::dom::window;
use js_sys::{Array, Object, Reflect, Uint8Array};
use netspurt_notebook::request::{Request, pack};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, ErrorEvent, MessageEvent, Url, Worker};

/// The addresses of the program where the page's head does not name them.
const UNNAMED: &str = "netspurt-worker.js netspurt-worker_bg.wasm";

/// What comes from the worker: the number of a request and its answer if it has one, or the reason why
/// there is none; without a number, the worker is gone, and with it all it had to do.
pub(crate) type Heard = (Option<u32>, Result<Option<Vec<u8>>, String>);

pub(crate) struct Helper {
    worker: Worker,
    _heard: Closure<dyn FnMut(MessageEvent)>,
    _broken: Closure<dyn FnMut(ErrorEvent)>,
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

impl Helper {
    /// Starts a worker. Fails where the browser has none.
    pub(crate) fn start(heard: impl Fn(Heard) + Clone + 'static) -> Result<Self, JsValue> {
        let worker = Worker::new(&script()?)?;
        let broken = heard.clone();
        let on_message = Closure::<dyn FnMut(_)>::new(move |e: MessageEvent| {
            let part = |key: &str| Reflect::get(&e.data(), &key.into()).unwrap_or_default();
            let id = part("id").as_f64().map(|n| n as u32);
            let answer = || part("answer").dyn_into::<Uint8Array>().ok().map(|octets| octets.to_vec());
            heard((id, part("error").as_string().map_or_else(|| Ok(answer()), Err)));
        });
        let on_error = Closure::<dyn FnMut(_)>::new(move |e: ErrorEvent| {
            let why =
                if e.message().is_empty() { "its program did not load".to_owned() } else { e.message() };
            broken((None, Err(why)));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self { worker, _heard: on_message, _broken: on_error })
    }

    /// Says that a piece of a trace is taken, so that the next may come.
    pub(crate) fn take(&self) {
        let message = Object::new();
        // A worker that is gone sends no more.
        let _ = Reflect::set(&message, &"taken".into(), &true.into());
        let _ = self.worker.post_message(&message);
    }

    pub(crate) fn ask(&self, id: u32, request: &Request, file: Option<&Blob>) -> Result<(), JsValue> {
        let message = Object::new();
        Reflect::set(&message, &"id".into(), &id.into())?;
        let octets = Uint8Array::from(pack(request)?.as_slice());
        Reflect::set(&message, &"request".into(), &octets)?;
        Reflect::set(&message, &"file".into(), &file.into())?;
        self.worker.post_message_with_transfer(&message, &Array::of1(&octets.buffer()))
    }
}

/// The address of the worker's script.
fn script() -> Result<String, JsValue> {
    let document = window().and_then(|w| w.document()).ok_or(JsValue::NULL)?;
    let named = document.query_selector("meta[name=worker]")?.and_then(|m| m.get_attribute("content"));
    let named = named.as_deref().unwrap_or(UNNAMED);
    let base = document.base_uri()?.unwrap_or_default();
    let mut addresses = named.split(' ').map(|name| Url::new_with_base(name, &base));
    let mut address = || addresses.next().unwrap_or(Err(JsValue::NULL)).map(|url| url.href());
    // An address holds no quotation mark that is not escaped.
    let text = format!("importScripts(\"{}\");\nbegin(\"{}\");\n", address()?, address()?);
    let options = BlobPropertyBag::new();
    options.set_type("text/javascript");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options)?;
    Url::create_object_url_with_blob(&blob)
}

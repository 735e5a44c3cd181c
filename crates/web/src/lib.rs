//! The page: the notebook's state as elements, events as messages, and what the browser does for it.
//!
//! All decisions are in [`netspurt_notebook::model`]; all figures are data from the core, drawn by
//! the plot crate. Nothing here computes with measurements.
#![cfg(target_arch = "wasm32")]

mod app;
mod dom;
mod effects;
mod keys;
mod view;

use wasm_bindgen::prelude::*;

/// Starts the page in the element `#app`. Called by the page's script, not on loading the module, so
/// that a worker can load the same module.
#[wasm_bindgen]
pub fn start() {
    let root = dom::window().and_then(|w| w.document()).and_then(|d| d.get_element_by_id("app"));
    if let Some(root) = root {
        yew::Renderer::<app::App>::with_root(root).render();
    }
}

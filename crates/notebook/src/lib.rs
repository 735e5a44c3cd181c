//! Notebooks: Markdown text, the cells in it, links, edits and undo.
//!
//! Nothing here sees a page, a file, a socket or a clock.

mod body;
pub mod cells;
pub mod csv_cell;
pub mod document;
pub mod edit;
pub mod embed;
pub mod evaluate;
mod fence;
pub mod history;
pub mod how;
pub mod lessons;
pub mod link;
pub mod model;
mod nearest;
pub mod presets;
pub mod prose;
pub mod reading;
pub mod request;
pub mod scenario;
pub mod spark;
pub mod splice;
pub mod traces;
pub mod wire;

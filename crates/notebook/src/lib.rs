//! Notebooks: Markdown text, the cells in it, links, edits and undo.
//!
//! Nothing here sees a page, a file, a socket or a clock.

mod body;
pub mod cells;
pub mod csv_cell;
pub mod document;
pub mod edit;
mod fence;
pub mod history;
pub mod link;
mod nearest;
pub mod prose;
pub mod splice;

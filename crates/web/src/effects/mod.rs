//! What the browser does for the page: address, storage, files.

pub(crate) mod files;
pub(crate) mod settings;
pub(crate) mod storage;

//! What the browser does for the page: address, storage, files, the worker.

pub(crate) mod files;
pub(crate) mod settings;
pub(crate) mod storage;
pub(crate) mod worker;

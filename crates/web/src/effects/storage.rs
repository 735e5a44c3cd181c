//! Notebooks and opened files in the browser's own database. Nothing leaves the machine.
//!
//! Two stores: `notebooks`, one entry a notebook, and `files`, the files of opened traces by their
//! digest. Storage may be full or forbidden; every call says so and loses nothing on the page.

use idb::{Database, DatabaseEvent as _, Factory, ObjectStoreParams, TransactionMode};
use netspurt_notebook::model::Kept as Trace;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use web_sys::Blob;

const DATABASE: &str = "netspurt";
const NOTEBOOKS: &str = "notebooks";
const FILES: &str = "files";

/// A notebook as it was last left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredNotebook {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) text: String,
    /// When it was last changed, ms since 1970.
    pub(crate) changed: f64,
}

/// A file the reader opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredFile {
    pub(crate) digest: String,
    pub(crate) name: String,
    /// What the library holds of it.
    pub(crate) traces: Vec<Trace>,
    /// The file itself, which the browser holds.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub(crate) blob: Blob,
}

/// Why storage did not work, in the browser's words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StorageError(pub(crate) String);

impl From<idb::Error> for StorageError {
    fn from(e: idb::Error) -> Self {
        Self(e.to_string())
    }
}

impl From<serde_wasm_bindgen::Error> for StorageError {
    fn from(e: serde_wasm_bindgen::Error) -> Self {
        Self(e.to_string())
    }
}

/// What became of a notebook that was to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Yes,
    /// Another tab has changed it since this one last did: nothing was written.
    ChangedElsewhere,
}

/// Keeps a notebook, if what is stored is still what this page last saw: changed at `known`, or not
/// there at all.
pub(crate) async fn put_notebook(
    notebook: &StoredNotebook,
    known: Option<f64>,
) -> Result<Kept, StorageError> {
    let key = JsValue::from_str(&notebook.id);
    let tx = open().await?.transaction(&[NOTEBOOKS], TransactionMode::ReadWrite)?;
    let store = tx.object_store(NOTEBOOKS)?;
    let stored = store.get(key.clone())?.await?;
    let stored = stored.and_then(|v| serde_wasm_bindgen::from_value::<StoredNotebook>(v).ok());
    if stored.is_some_and(|s| Some(s.changed) != known && s.text != notebook.text) {
        return Ok(Kept::ChangedElsewhere);
    }
    store.put(&serde_wasm_bindgen::to_value(notebook)?, Some(&key))?.await?;
    tx.commit()?.await?;
    Ok(Kept::Yes)
}

pub(crate) async fn put_file(file: &StoredFile) -> Result<(), StorageError> {
    put(FILES, &file.digest, &serde_wasm_bindgen::to_value(file)?).await
}

pub(crate) async fn delete_file(digest: &str) -> Result<(), StorageError> {
    let tx = open().await?.transaction(&[FILES], TransactionMode::ReadWrite)?;
    tx.object_store(FILES)?.delete(JsValue::from_str(digest))?.await?;
    tx.commit()?.await?;
    Ok(())
}

/// All notebooks, the last changed first.
pub(crate) async fn notebooks() -> Result<Vec<StoredNotebook>, StorageError> {
    let mut all: Vec<StoredNotebook> = all(NOTEBOOKS).await?;
    all.sort_by(|a, b| b.changed.total_cmp(&a.changed));
    Ok(all)
}

pub(crate) async fn files() -> Result<Vec<StoredFile>, StorageError> {
    all(FILES).await
}

async fn open() -> Result<Database, StorageError> {
    let mut request = Factory::new()?.open(DATABASE, Some(1))?;
    request.on_upgrade_needed(|event| {
        if let Ok(database) = event.database() {
            for store in [NOTEBOOKS, FILES] {
                // A store that cannot be made shows itself at its first use.
                let _ = database.create_object_store(store, ObjectStoreParams::new());
            }
        }
    });
    Ok(request.await?)
}

async fn put(store: &str, key: &str, value: &JsValue) -> Result<(), StorageError> {
    let tx = open().await?.transaction(&[store], TransactionMode::ReadWrite)?;
    tx.object_store(store)?.put(value, Some(&JsValue::from_str(key)))?.await?;
    tx.commit()?.await?;
    Ok(())
}

/// Every entry of a store that can still be read; one of another shape is passed over.
async fn all<T: for<'de> Deserialize<'de>>(store: &str) -> Result<Vec<T>, StorageError> {
    let tx = open().await?.transaction(&[store], TransactionMode::ReadOnly)?;
    let values = tx.object_store(store)?.get_all(None, None)?.await?;
    Ok(values.into_iter().filter_map(|v| serde_wasm_bindgen::from_value(v).ok()).collect())
}

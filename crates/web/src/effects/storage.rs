//! Notebooks and opened files in the browser's own database. Nothing leaves the machine.
//!
//! Two stores: `notebooks`, one entry a notebook, and `files`, the files of opened traces by their
//! digest. Storage may be full or forbidden; every call says so and loses nothing on the page.

use idb::{Database, DatabaseEvent as _, Factory, ObjectStoreParams, TransactionMode};
use js_sys::{Array, Object, Reflect};
use netspurt_notebook::how::How;
use netspurt_notebook::model::Kept as Trace;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

const DATABASE: &str = "netspurt";
const NOTEBOOKS: &str = "notebooks";
const FILES: &str = "files";

/// A notebook as it was last left.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredNotebook {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) text: String,
    /// When it was last changed, ms since 1970.
    pub(crate) changed: f64,
}

/// A file the reader opened.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredFile {
    pub(crate) digest: String,
    pub(crate) name: String,
    /// What the library holds of it.
    pub(crate) traces: Vec<Trace>,
    /// The file itself, which the browser holds.
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

/// What a store holds, as an object of the browser's.
trait Entry: Sized {
    fn fields(&self) -> Vec<(&'static str, JsValue)>;

    /// `None`: the object is of another shape.
    fn read(field: impl Fn(&str) -> JsValue) -> Option<Self>;

    fn to_object(&self) -> JsValue {
        let object = Object::new();
        for (name, value) in self.fields() {
            // Only a frozen object refuses a field.
            let _ = Reflect::set(&object, &name.into(), &value);
        }
        object.into()
    }

    fn of_object(object: &JsValue) -> Option<Self> {
        Self::read(|name| Reflect::get(object, &name.into()).unwrap_or_default())
    }
}

impl Entry for StoredNotebook {
    fn fields(&self) -> Vec<(&'static str, JsValue)> {
        let Self { id, title, text, changed } = self;
        vec![
            ("id", id.into()),
            ("title", title.into()),
            ("text", text.into()),
            ("changed", (*changed).into()),
        ]
    }

    fn read(field: impl Fn(&str) -> JsValue) -> Option<Self> {
        Some(Self {
            id: field("id").as_string()?,
            title: field("title").as_string()?,
            text: field("text").as_string()?,
            changed: field("changed").as_f64()?,
        })
    }
}

impl Entry for StoredFile {
    fn fields(&self) -> Vec<(&'static str, JsValue)> {
        let Self { digest, name, traces, blob } = self;
        // How each was read, and what it is called, by turns.
        let words = traces.iter().flat_map(|(how, name)| [JsValue::from(how.as_str()), name.into()]);
        let traces: Array = words.collect();
        vec![
            ("digest", digest.into()),
            ("name", name.into()),
            ("traces", traces.into()),
            ("blob", blob.into()),
        ]
    }

    fn read(field: impl Fn(&str) -> JsValue) -> Option<Self> {
        let words: Array = field("traces").dyn_into().ok()?;
        let words: Vec<String> = words.iter().filter_map(|w| w.as_string()).collect();
        let traces = words.as_chunks().0.iter().map(|[how, name]| (How::new(how), name.clone()));
        Some(Self {
            digest: field("digest").as_string()?,
            name: field("name").as_string()?,
            traces: traces.collect(),
            blob: field("blob").dyn_into().ok()?,
        })
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
    let stored = stored.and_then(|v| StoredNotebook::of_object(&v));
    if stored.is_some_and(|s| Some(s.changed) != known && s.text != notebook.text) {
        return Ok(Kept::ChangedElsewhere);
    }
    store.put(&notebook.to_object(), Some(&key))?.await?;
    tx.commit()?.await?;
    Ok(Kept::Yes)
}

pub(crate) async fn put_file(file: &StoredFile) -> Result<(), StorageError> {
    put(FILES, &file.digest, &file.to_object()).await
}

pub(crate) async fn delete_file(digest: &str) -> Result<(), StorageError> {
    let tx = open().await?.transaction(&[FILES], TransactionMode::ReadWrite)?;
    tx.object_store(FILES)?.delete(JsValue::from_str(digest))?.await?;
    tx.commit()?.await?;
    Ok(())
}

/// All notebooks, the last changed first.
pub(crate) async fn notebooks() -> Result<Vec<StoredNotebook>, StorageError> {
    let mut ordered: Vec<StoredNotebook> = Vec::new();
    for notebook in all::<StoredNotebook>(NOTEBOOKS).await? {
        let at = ordered.partition_point(|n| n.changed >= notebook.changed);
        ordered.insert(at, notebook);
    }
    Ok(ordered)
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
async fn all<T: Entry>(store: &str) -> Result<Vec<T>, StorageError> {
    let tx = open().await?.transaction(&[store], TransactionMode::ReadOnly)?;
    let values = tx.object_store(store)?.get_all(None, None)?.await?;
    Ok(values.iter().filter_map(T::of_object).collect())
}

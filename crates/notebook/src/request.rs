//! What the page asks of its worker.

use netspurt_import::BadRows;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// A file, which comes beside the message. The answer is a [`crate::reading::Content`].
    Read { name: String, bad_rows: BadRows },
}

//! Bytes of any kind to a trace and notes.
//!
//! What a file is, is decided by its bytes, never by its name. [`read`] asks each entry of
//! [`formats()`] in turn whether the bytes are its own; what cannot be read comes back as an
//! [`ImportError`] that says what, where and what to do. Nothing here sees a file, a clock or a page.

mod csv;
mod error;
mod formats;
mod import;
mod input;
mod known;
mod magic;
mod notes;
mod number;
mod ping_text;
mod text;
mod times;
mod when;

pub use csv::{Column, Numbers, Reading, Separator, Unit, numbers};
pub use error::{ErrorKind, ImportError, Others, Place, Remedy};
pub use formats::{Format, formats};
pub use import::{BadRows, Counts, Import, Options, Part, Printed};
pub use text::{Encoding, Text, decode};

use input::Input;

/// Reads a trace out of a file's bytes.
pub fn read(bytes: &[u8], options: &Options) -> Result<Import, ImportError> {
    magic::refuse(bytes)?;
    let input = Input::new(bytes);
    let format = formats::find(&input)?;
    (format.read)(&input, options)
}

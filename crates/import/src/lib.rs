//! Bytes of any kind to a trace and notes.
//!
//! What a file is, is decided by its bytes, never by its name. [`read`] asks each entry of
//! [`formats()`] in turn whether the bytes are its own; what cannot be read comes back as an
//! [`ImportError`] that says what, where and what to do. Nothing here sees a file, a clock or a page.
//!
//! A file may hold several things to choose from: [`Import::parts`] lists them, a [`Choice`] picks.
//! How a table was read is a [`Reading`], which can be corrected and handed back; [`preview`] shows
//! its first rows.

mod capture;
mod choice;
mod csv;
mod error;
mod formats;
mod gather;
mod gear;
mod gzip;
mod hops;
mod import;
mod index;
mod input;
mod json;
mod lines;
mod magic;
mod notes;
mod number;
mod ping_text;
mod printed;
mod runs;
mod signs;
mod text;
mod times;
mod tools;
mod when;
mod xml;

pub use choice::Choice;
pub use csv::{Answer, Column, Numbers, Preview, Question, Reading, Separator, Table, Unit, numbers};
pub use error::{ErrorKind, ImportError, Others, Place, Remedy};
pub use formats::{Format, formats};
pub use import::{Acked, BadRows, Counts, Flow, Import, Options, Part, PartKind};
pub use input::Progress;
pub use printed::Printed;
pub use text::{Decoder, Encoding, Text, decode, decode_with};

use netspurt_core::trace::Note;

use error::no_such_part;
use input::Input;

/// Reads a trace out of a file's bytes.
pub fn read(bytes: &[u8], options: &Options) -> Result<Import, ImportError> {
    unpacked(bytes, options, None)
}

/// Reads as [`read`] does, and asks `progress` now and then whether to go on.
pub fn read_with_progress(
    bytes: &[u8],
    options: &Options,
    progress: &mut Progress<'_>,
) -> Result<Import, ImportError> {
    unpacked(bytes, options, Some(progress))
}

/// Reads bytes as a file of this format, whatever they look like: for whoever tests one importer.
/// `None`: there is no format of this id.
pub fn read_as(id: &str, bytes: &[u8], options: &Options) -> Option<Result<Import, ImportError>> {
    let format = formats().iter().find(|f| f.id == id)?;
    Some((format.read)(&Input::new(bytes, options.decoder, None), options))
}

/// The first rows of a table, read as [`Options::reading`] says or as guessed. `None`: this is no
/// table.
pub fn preview(bytes: &[u8], options: &Options, rows: usize) -> Option<Preview> {
    let unpacked = gzip::open(bytes).ok()?;
    let bytes = unpacked.as_ref().map_or(bytes, |u| &u.bytes);
    csv::preview(&Input::new(bytes, options.decoder, None), options.reading.as_ref(), rows)
}

fn unpacked(
    bytes: &[u8],
    options: &Options,
    progress: Option<&mut Progress<'_>>,
) -> Result<Import, ImportError> {
    let Some(inner) = gzip::open(bytes)? else {
        return plain(&Input::new(bytes, options.decoder, progress), options);
    };
    let mut import = plain(&Input::new(&inner.bytes, options.decoder, progress), options)?;
    if !inner.whole {
        let text = "the gzip file is cut or damaged: what stands before that is read".to_owned();
        import.trace.notes.insert(0, Note { line: 0, text });
    }
    Ok(import)
}

fn plain(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    magic::refuse(input.bytes())?;
    let format = formats::find(input, options.reading.is_some())?;
    let import = (format.read)(input, options)?;
    let parts = import.parts.len();
    match options.choice {
        // A table has read the column that was chosen.
        Choice::One(_) if import.table.is_some() => Ok(import),
        choice => import.only(choice).ok_or_else(|| no_such_part(choice, parts)),
    }
}

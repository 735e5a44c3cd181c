//! Where an opened trace goes: into the document, or, too large for a link, to the reader's shelf
//! with its name in the document.

use crate::document::Document;
use crate::edit::{Edit, EditError, add_trace};
use crate::link::{EncodeError, LONGEST, Payload, encode};
use crate::traces::file_name;
use netspurt_core::trace::Trace;

/// Characters of a link kept free for the page's address, the view and the digests.
pub const ROOM: usize = 1000;

/// What became of a trace.
#[derive(Debug, Clone)]
pub enum Placed {
    /// It is a cell of the document now; a link to the document has this many characters.
    Embedded { edit: Box<Edit>, name: String, characters: usize },
    /// It is too large. Cells name it so; the link would have this many characters (`None`: too
    /// many to say).
    Named { name: String, characters: Option<usize> },
}

impl Placed {
    /// How cells name the trace.
    pub fn name(&self) -> &str {
        match self {
            Self::Embedded { name, .. } | Self::Named { name, .. } => name,
        }
    }
}

/// Embeds a trace before block `at`, or at the end, if a link to the document then stays under
/// [`LONGEST`] characters, [`ROOM`] kept free. `file` and `sha256` are those of the file it came in.
pub fn place(
    document: &Document,
    at: usize,
    trace: &Trace,
    file: &str,
    sha256: &str,
) -> Result<Placed, EditError> {
    let edit = add_trace(document, at, trace)?;
    let payload = Payload { text: edit.document.text().to_owned(), ..Payload::default() };
    let characters = match encode(&payload) {
        Ok(link) => Some(link.characters()),
        Err(EncodeError::TooLong { characters }) => Some(characters),
        Err(EncodeError::TooLarge { .. }) => None,
    };
    Ok(match (&edit.cell, characters) {
        (Some(name), Some(characters)) if characters + ROOM < LONGEST => {
            Placed::Embedded { name: name.clone(), edit: Box::new(edit), characters }
        }
        _ => Placed::Named { name: file_name(file, sha256), characters },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_traces_are_embedded_and_large_ones_named() {
        let noise = |n: u32| -> Vec<_> {
            (0..n).map(|i| Some(f64::from(i.wrapping_mul(2_654_435_761) >> 12) / 1000.0)).collect()
        };
        let place = |n| {
            let trace = Trace::from_series("lab.csv", &noise(n)).unwrap();
            place(&Document::parse("# T\n"), 1, &trace, "lab.csv", &"7c".repeat(32)).unwrap()
        };
        let small = place(1000);
        assert!(matches!(&small, Placed::Embedded { characters, .. } if *characters < 4000), "{small:?}");
        assert_eq!(small.name(), "lab");
        let large = place(20_000);
        assert!(matches!(large, Placed::Named { characters: Some(n), .. } if n > LONGEST), "{large:?}");
        assert_eq!(large.name(), "file/lab.csv#7c7c7c7c7c7c");
    }
}

//! A file as the formats see it: bytes, and text once someone asks for it.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::ops::ControlFlow;

use crate::error::{ErrorKind, ImportError};
use crate::text::{Decoder, Text, decode_with};

/// Asked now and then during a long read: how much of the work is done, from 0 to 1, and whether
/// to go on.
pub type Progress<'p> = dyn FnMut(f64) -> ControlFlow<()> + 'p;

pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    decoder: Option<Decoder>,
    text: OnceCell<Text<'a>>,
    progress: RefCell<Option<&'a mut Progress<'a>>>,
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Input of {} bytes", self.bytes.len())
    }
}

impl<'a> Input<'a> {
    pub(crate) fn new(
        bytes: &'a [u8],
        decoder: Option<Decoder>,
        progress: Option<&'a mut Progress<'_>>,
    ) -> Self {
        let progress = progress.map(|p| p as &mut Progress<'a>);
        Self { bytes, decoder, text: OnceCell::new(), progress: RefCell::new(progress) }
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) fn text(&self) -> &Text<'a> {
        self.text.get_or_init(|| decode_with(self.bytes, self.decoder))
    }

    /// The first whole lines, at most 64 KiB of them: enough to tell a format by.
    pub(crate) fn head(&self) -> &[u8] {
        head(self.text().text.as_bytes())
    }

    /// Tells whoever waits how far the reading has come. Readers call it every few thousand records.
    pub(crate) fn progress(&self, done: usize, of: usize) -> Result<(), ImportError> {
        let Some(progress) = &mut *self.progress.borrow_mut() else { return Ok(()) };
        match progress(done as f64 / of.max(1) as f64) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                Err(ImportError::new(ErrorKind::Cancelled, "The reading was cancelled."))
            }
        }
    }
}

pub(crate) fn head(text: &[u8]) -> &[u8] {
    const ENOUGH: usize = 1 << 16;
    if text.len() <= ENOUGH {
        return text;
    }
    let cut = match crate::text::line_start(text, ENOUGH) {
        0 => ENOUGH,
        start => start,
    };
    &text[..cut]
}

//! A file as the formats see it: bytes, and text once someone asks for it.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::ops::ControlFlow;

use crate::error::{ErrorKind, ImportError};
use crate::json::{Value, documents};
use crate::text::{Decoder, Text, decode_with, line_at};

/// Asked now and then during a long read: how much of the work is done, from 0 to 1, and whether
/// to go on.
pub type Progress<'p> = dyn FnMut(f64) -> ControlFlow<()> + 'p;

pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    decoder: Option<Decoder>,
    text: OnceCell<Text<'a>>,
    /// How many values were reached.
    calls: Cell<u32>,
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
        Self { bytes, decoder, text: OnceCell::new(), calls: Cell::new(0), progress: RefCell::new(progress) }
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

    /// Hands each line to `read`, with its number, and tells of the progress.
    #[inline(never)]
    pub(crate) fn each_line<'t>(&'t self, read: &mut dyn FnMut(usize, &'t [u8])) -> Result<(), ImportError> {
        let text = self.text().text.as_bytes();
        let (mut at, mut number) = (0, 0);
        while at < text.len() {
            let line = line_at(text, at);
            at += line.len() + 1;
            number += 1;
            read(number, line);
            if number % 4096 == 0 {
                self.progress(at, text.len())?;
            }
        }
        Ok(())
    }

    /// Hands each document of JSON to `read`, those in an array one by one.
    #[inline(never)]
    pub(crate) fn each_document<'t>(
        &'t self,
        read: &mut dyn FnMut(Value<'t>) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let text = self.text().text.as_bytes();
        for document in documents(text) {
            for value in document.each() {
                read(value)?;
                self.reached(value)?;
            }
        }
        Ok(())
    }

    /// Tells that the reading has come to this value. To be called for every one of many.
    #[inline(never)]
    pub(crate) fn reached(&self, value: Value<'_>) -> Result<(), ImportError> {
        let n = self.calls.get().wrapping_add(1);
        self.calls.set(n);
        if !n.is_multiple_of(1024) {
            return Ok(());
        }
        let text = self.text().text.as_bytes();
        self.progress(value.offset_in(text), text.len())
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

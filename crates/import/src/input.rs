//! A file as the formats see it: bytes, and text once someone asks for it.

use std::cell::OnceCell;

use crate::text::{Text, decode};

#[derive(Debug)]
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    text: OnceCell<Text<'a>>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, text: OnceCell::new() }
    }

    pub(crate) fn text(&self) -> &Text<'a> {
        self.text.get_or_init(|| decode(self.bytes))
    }

    /// The first whole lines, at most 64 KiB of them: enough to tell a format by.
    pub(crate) fn head(&self) -> &[u8] {
        head(self.text().text.as_bytes())
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

//! Standard output: buffered, and never a panic when its reader has left.

use crate::failure::Failure;
use serde::Serialize;
use std::io::{self, Write};

pub(crate) type Out<'a> = &'a mut dyn Write;

/// Runs `write` on standard output and flushes, also when it fails half-way: a check prints its
/// table before it fails.
pub(crate) fn with(write: impl FnOnce(Out<'_>) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let written = write(&mut out);
    let flushed = out.flush().map_err(Failure::from);
    // Else the buffer would be tried again when it is dropped.
    let _ = out.into_parts();
    written.and(flushed)
}

/// One JSON object on one line. Numbers are in their shortest form; NaN and infinities are `null`.
pub(crate) fn json(out: Out<'_>, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

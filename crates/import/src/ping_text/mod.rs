//! What ping prints, on any system, in any language.
//!
//! ```text
//! 64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=22.2 ms      iputils, BSD, macOS, BusyBox, toybox
//! Reply from 192.0.2.1: bytes=32 time=28ms TTL=54              Windows
//! ```
//!
//! Times are milliseconds, with their unit behind them. Lengths are those of the ICMP packet
//! (Windows: of the data alone). Sources: the tools' own (iputils, inetutils, BusyBox, toybox,
//! FreeBSD, OpenBSD), and logs in a dozen languages. Lines are told apart by structure (`line`);
//! words are data and help where structure does not (`phrases`).

mod line;
mod phrases;
#[cfg(test)]
mod tests;

pub(crate) use line::read as read_line;

use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::{self, Dialect};
use crate::runs::Style;

pub(crate) const UNIX: &str = "ping-text";
pub(crate) const WINDOWS: &str = "ping-windows-text";

const ON_UNIX: Dialect = Dialect {
    id: UNIX,
    tool: "ping",
    line: line::read,
    failures: false,
    sentences: true,
    lengths: "the data and the ICMP header of 8 octets",
};
const ON_WINDOWS: Dialect = Dialect { id: WINDOWS, failures: true, lengths: "the data alone", ..ON_UNIX };

/// Whether a line tells that its file is a ping's, and one with sequence numbers.
pub(crate) fn is_unix(line: &[u8]) -> bool {
    line::style(&line::read(line), line) == Some(Style::Numbered)
}

pub(crate) fn is_windows(line: &[u8]) -> bool {
    line::style(&line::read(line), line) == Some(Style::Sequential)
}

pub(crate) fn read_unix(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &ON_UNIX)
}

pub(crate) fn read_windows(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &ON_WINDOWS)
}

//! Flow control between two IMPs in 1974: the trap of RFC 632, stepped, timed and searched.
//!
//! A source IMP numbers single-packet messages and sends as many as its window allows. The
//! destination IMP puts them on its host's queue in order; when the host has taken one, its RFNM
//! ("ready for next message") goes back and the window slides. A message that comes out of order may
//! be discarded and turned into a request for a buffer, whose ALLOCATE asks for it again:
//!
//! ```text
//! source                                    destination
//!   MSG 0 ────────────────╲   ╱────────────▶ MSG 1 out of order: discarded, a request
//!   MSG 1 ─────────────────╳──
//!                         ╱ ╲──────────────▶ MSG 0 in order: to the host
//!         ◀──────────────────────── RFNM 0
//!         ◀──────────────────────── ALL 1    its turn, and a buffer set aside
//!   MSG 1 again ───────────────────────────▶
//! ```
//!
//! [`Source`] and [`Destination`] are one state machine, driven in three ways: by a list of what
//! arrives ([`sequence`]), by a clock ([`network`]), and by search through every order of events
//! ([`lockup`]).
//!
//! Message i of the RFC is number 0.

pub mod destination;
pub mod lockup;
pub mod network;
pub mod printed;
pub mod scheme;
pub mod sequence;
pub mod source;

pub use destination::{Arrival, Destination, Disposition};
pub use scheme::{RejectUntil, Scheme};
pub use source::Source;

use std::fmt;

/// A single-packet message: which source sent it, and its number there, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Message {
    pub source: u32,
    pub number: u32,
}

/// What travels between the IMPs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pdu {
    /// A message.
    Msg,
    /// "Ready for next message": the host has taken a message.
    Rfnm,
    /// ALLOCATE: a buffer is set aside for a message; send it again.
    All,
}

impl Pdu {
    pub const NAMES: &'static [&'static str] = &["MSG", "RFNM", "ALL"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The IMP it is sent to.
    pub fn to(self) -> Site {
        match self {
            Self::Msg => Site::Destination,
            Self::Rfnm | Self::All => Site::Source,
        }
    }
}

/// One of the two IMPs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Site {
    Source,
    Destination,
}

impl Site {
    /// `src` or `dst`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "src",
            Self::Destination => "dst",
        }
    }
}

/// What an event does to a PDU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Word {
    Sent,
    Arrived,
    /// A message held out of order gave its buffer to one in order.
    Deleted,
}

impl Word {
    pub const NAMES: &'static [&'static str] = &["sent", "arr", "deleted"];

    /// As RFC 632's tables write it.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// A message's number as the RFC writes it: `i`, `i+1`.
#[derive(Debug, Clone, Copy)]
pub struct Relative(pub u32);

impl fmt::Display for Relative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("i"),
            n => write!(f, "i+{n}"),
        }
    }
}

/// The numbers `from + b` for each bit b that is set, ascending.
fn numbers(from: u32, bits: u64) -> impl Iterator<Item = u32> + Clone {
    (0..u64::BITS).filter(move |b| bits >> b & 1 == 1).map(move |b| from.saturating_add(b))
}

//! The schemes: what becomes of a single-packet message that arrives out of order.

use crate::params::{Range, Unit, Words};

/// A destination's rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Scheme {
    /// The scheme in use in 1974.
    #[default]
    Current,
    /// The first proposal of RFC 632.
    Modified1,
    /// The second, "deferred rejection".
    Modified2,
    /// The second taken at its word: an ALLOCATE goes to any waiting message as soon as a buffer
    /// frees. It can lock up.
    Modified2Literal,
    /// What RFC 632 warns of on page 4: everything is stored while there is room, and kept.
    Naive,
}

impl Scheme {
    pub const ALL: [Self; 5] =
        [Self::Current, Self::Modified1, Self::Modified2, Self::Modified2Literal, Self::Naive];

    /// In the order of [`Scheme::ALL`].
    pub const NAMES: &'static [&'static str] =
        &["current", "modified-1", "modified-2", "modified-2-literal", "naive"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// `None`: there is no scheme of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// As a heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Current => "Current scheme",
            Self::Modified1 => "First modified scheme",
            Self::Modified2 => "Second modified scheme",
            Self::Modified2Literal => "Second scheme, word for word",
            Self::Naive => "Store all, delete nothing",
        }
    }

    /// What it does with a message that arrives out of order, as the end of a sentence.
    pub fn gist(self) -> &'static str {
        match self {
            Self::Current => "rejects whatever arrives early",
            Self::Modified1 => "stores it, once earlier sizes are known",
            Self::Modified2 => "stores it, and may delete it later",
            Self::Modified2Literal => "as modified-2, but a free buffer goes to whoever waits longest",
            Self::Naive => "stores it, and never lets it go",
        }
    }

    /// Whether a message that arrives out of order is stored. `known`: a copy of every message before
    /// it has arrived. `needed`: buffers for it and for each of those that has none yet.
    pub(super) fn stores(self, known: bool, needed: u32, free: u32) -> bool {
        match self {
            // "it is not accepted by the destination IMP. It is rather treated as a request for the
            // allocation of one reassembly buffer." (page 1)
            Self::Current => false,
            // "reject single-packet messages that arrive out of order only if the buffer
            // requirement(s) of the preceding messages(s) is not known" (page 5)
            Self::Modified1 => known && needed <= free,
            // "Suppose all single-packet messages are initially accepted (or stored)." (page 6)
            Self::Modified2 | Self::Modified2Literal | Self::Naive => free > 0,
        }
    }

    /// Whether storing a message sets buffers aside for those before it.
    pub(super) fn provides(self) -> bool {
        // "As the buffer requirements become known, the necessary number of buffers can be set aside
        // and future single-packet messages can be accepted without the danger of deadlock." (page 5)
        self == Self::Modified1
    }

    /// Whether a message in order may take the buffer of one that is held out of order.
    pub(super) fn displaces(self) -> bool {
        // "any single-packet message, which arrived out of order but was accepted by the destination
        // IMP nevertheless, can be deleted later without the message being lost" (page 6)
        matches!(self, Self::Modified2 | Self::Modified2Literal)
    }

    /// Whether a request waits for its turn, however many buffers are free.
    pub(super) fn grants_in_order(self) -> bool {
        // "The corresponding ALLOCATE is then sent back to the source IMP only after the RFNM for the
        // previous message has been processed." (pages 1 and 2)
        //
        // Of the second proposal page 6 says only "when reassembly buffer space is available". Taken
        // at its word, that lets a message out of order have the last buffer.
        self != Self::Modified2Literal
    }
}

/// Until when the message after another counts as out of order. RFC 632 says it in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RejectUntil {
    /// "the logically preceding message has not yet arrived there" (page 1)
    #[default]
    Arrival,
    /// "the RFNM for the preceding message has not yet been sent" (page 4)
    Rfnm,
}

impl RejectUntil {
    pub const NAMES: &'static [&'static str] = &["arrival", "rfnm"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Arrival, Self::Rfnm].into_iter().find(|r| r.name() == name)
    }
}

/// The most messages a source may have outstanding.
pub const MOST_WINDOW: u32 = 64;
/// "Plenty": more buffers than all windows together can fill.
pub const PLENTY: u32 = 1000;

pub(super) const SCHEME: Words =
    ("scheme", "", "scheme", "What the destination does with a message that arrives out of order.");
pub(super) const REJECT_UNTIL: Words = (
    "reject-until",
    "",
    "out of order until",
    "Whether a message is in order once its predecessor has arrived, or once its RFNM has been sent.",
);
pub(super) const WINDOW: Words =
    ("window", "W", "window", "How many messages a source may have outstanding; four in 1974.");
pub(super) const SOURCES: Words =
    ("sources", "S", "sources", "How many source IMPs send to the destination.");
pub(super) const BUFFERS: Words =
    ("buffers", "B", "buffers", "How many reassembly buffers the destination has.");

pub(super) const fn count(min: f64, max: f64, slider: (f64, f64)) -> Range {
    Range { unit: Unit::Count, min, max, slider, step: 1.0, fractions: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for scheme in Scheme::ALL {
            assert_eq!(Scheme::named(scheme.name()), Some(scheme));
        }
        assert_eq!(Scheme::NAMES.len(), Scheme::ALL.len());
        assert_eq!(Scheme::named("modified"), None);
        assert_eq!(RejectUntil::named("rfnm"), Some(RejectUntil::Rfnm));
    }
}

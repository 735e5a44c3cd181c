//! Links: a whole document in the part of an address that no server sees.
//!
//! ```text
//! link    = "#" version ":" letters
//! letters = base64url without padding, strictly decoded, of
//!           2 octets   length of what follows the check, high octet first
//!           4 octets   check
//!           the packed document (see `link/pack.rs`)
//! check   = the first 4 octets of SHA-256 over version, ":", length, packed document;
//!           shown to people as 7C2A-41D0
//! ```
//!
//! The check covers all that is sent, so a changed letter anywhere is noticed, and one that is
//! missing anywhere. Inflating is bounded: a megabyte of text always, more only up to 256 times the
//! packed octets, 4 MB at most.
//!
//! Version 0 is for links issued before the corpus of links exists; they need not open later.

mod bits;
mod columns;
mod pack;

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// Up to here every mail program and link shortener takes a link whole. In characters of the whole
/// address, as the other limits.
pub const SHORT: usize = 2000;
/// Up to here chat programs do.
pub const CHAT: usize = 4000;
/// Links are never longer: browsers and what stands between them begin to cut.
pub const LONGEST: usize = 32_000;

/// What a link carries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Payload {
    /// The document, letter for letter.
    pub text: String,
    /// What is shown of it: selected record, open tab. Names and values are the page's.
    pub view: Vec<(String, String)>,
    /// Cell ids with the digests of their results.
    pub digests: Vec<(String, String)>,
    /// The version of the generator that rebuilt the runs of 1983 the results rest on. `None`: they
    /// rest on none.
    pub generator: Option<u32>,
}

/// A finished link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    fragment: String,
    check: String,
}

impl Link {
    /// From `#` on: what goes after the page's address.
    pub fn fragment(&self) -> &str {
        &self.fragment
    }

    /// The check as people compare it: `7C2A-41D0`.
    pub fn check(&self) -> &str {
        &self.check
    }

    /// Characters of the fragment, `#` included. The page's address comes on top.
    pub fn characters(&self) -> usize {
        self.fragment.len()
    }
}

/// Why no link was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EncodeError {
    /// The link would have this many characters, more than [`LONGEST`].
    TooLong { characters: usize },
    /// The document itself is longer than a link may unpack to.
    TooLarge { octets: usize },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { characters } => write!(
                f,
                "the link would have {characters} characters, and {LONGEST} is the most that arrives whole: \
                 name a large trace instead of embedding it, or send the notebook as a file"
            ),
            Self::TooLarge { octets } => {
                write!(f, "{octets} octets of text are too many for a link: send the notebook as a file")
            }
        }
    }
}

impl std::error::Error for EncodeError {}

/// A link that does not open, and what could be read all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkError {
    pub problem: Problem,
    /// The document as far as it could be unpacked, unchecked: perhaps cut, perhaps changed.
    /// `None`: nothing of it.
    pub readable: Option<String>,
}

/// What is wrong with a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// No `#`, version and `:` to begin with.
    NotALink,
    /// Made by a version of Netspurt that this one does not know.
    UnknownVersion { version: String },
    /// The end is missing. Characters that came, and that there were if that part came.
    Cut { came: usize, of: Option<usize> },
    /// Some character is not what it was; which one (from 0, at the `#`) if it can be told.
    Changed { at: Option<usize> },
    /// Something was added at the end.
    Extra { added: String },
    /// It unpacks to more than any notebook holds.
    TooLarge,
}

impl Problem {
    /// What the reader can do about it, a sentence.
    pub fn what_to_do(&self) -> &'static str {
        match self {
            Self::NotALink => "Check that the address was copied from # to its end.",
            Self::UnknownVersion { .. } => {
                "Reload the page to get the newest version, or ask for the notebook as a file."
            }
            Self::Cut { .. } => {
                "Copy the link again as a whole, or ask for it in a form that keeps long lines."
            }
            Self::Changed { .. } => "Copy the link again from where it was made.",
            Self::Extra { .. } => "Remove what was added, or copy the link again.",
            Self::TooLarge => "Ask for the notebook as a file.",
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALink => write!(f, "this is not a link to a notebook"),
            Self::UnknownVersion { version } => {
                write!(f, "the link is of version {version}: it was made by a newer Netspurt")
            }
            Self::Cut { came, of: Some(of) } => write!(f, "the link was cut: {came} of {of} characters came"),
            Self::Cut { came, of: None } => write!(f, "the link was cut: only {came} characters came"),
            Self::Changed { at: Some(at) } => write!(f, "character {} of the link was changed", at + 1),
            Self::Changed { at: None } => write!(f, "a character of the link was changed"),
            Self::Extra { added } => write!(f, "something was added to the link's end: {added:?}"),
            Self::TooLarge => write!(f, "the link unpacks to more than a notebook may hold"),
        }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}", self.problem, self.problem.what_to_do())
    }
}

impl std::error::Error for LinkError {}

/// A version of the packed form. Whatever was issued stays here.
struct Version {
    name: &'static str,
    read: fn(&[u8]) -> Result<Payload, pack::Unreadable>,
    salvage: fn(&[u8]) -> Option<String>,
}

const VERSIONS: [Version; 1] = [Version { name: "0", read: pack::read, salvage: pack::salvage }];

/// The version links are made in.
const ISSUED: &str = "0";

/// Octets before the packed document.
const HEADER: usize = 6;

const STRICT: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);
/// For what is left of a cut link.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// Makes a link.
pub fn encode(payload: &Payload) -> Result<Link, EncodeError> {
    let packed = pack::write(payload);
    if payload.text.len() > pack::most(packed.len()) {
        return Err(EncodeError::TooLarge { octets: payload.text.len() });
    }
    let characters = 1 + ISSUED.len() + 1 + letters(packed.len());
    let Some(length) = u16::try_from(packed.len()).ok().filter(|_| characters <= LONGEST) else {
        return Err(EncodeError::TooLong { characters });
    };
    let check = check(ISSUED, length, &packed);
    let octets = [&length.to_be_bytes(), &check[..], &packed].concat();
    Ok(Link { fragment: format!("#{ISSUED}:{}", STRICT.encode(octets)), check: show(check) })
}

/// Opens a link: a whole address, or from `#` or the version on.
pub fn decode(link: &str) -> Result<Payload, LinkError> {
    let fragment = link.split_once('#').map_or(link, |(_, f)| f);
    let fail = |problem| Err(LinkError { problem, readable: None });
    let digits = fragment.len() - fragment.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (version, rest) = fragment.split_at(digits);
    if version.is_empty() {
        return fail(Problem::NotALink);
    }
    let Some(letters) = rest.strip_prefix(':') else {
        let cut = rest.is_empty();
        return fail(if cut { Problem::Cut { came: 1 + digits, of: None } } else { Problem::NotALink });
    };
    if let Some(known) = VERSIONS.iter().find(|v| v.name == version) {
        return open(known, letters);
    }
    // The check covers the version: if it holds for another one, the version was changed.
    match VERSIONS.iter().find_map(|v| open(v, letters).ok()) {
        Some(payload) => {
            Err(LinkError { problem: Problem::Changed { at: Some(1) }, readable: Some(payload.text) })
        }
        None => fail(Problem::UnknownVersion { version: version.to_owned() }),
    }
}

/// The check written in a link, as [`Link::check`] shows it. `None`: not even that came.
pub fn check_of(link: &str) -> Option<String> {
    let letters = link.split_once('#').map_or(link, |(_, f)| f).split_once(':')?.1;
    let octets = LENIENT.decode(letters.get(..8)?).ok()?;
    Some(show(octets[2..].try_into().ok()?))
}

fn open(version: &Version, letters: &str) -> Result<Payload, LinkError> {
    let head = 1 + version.name.len() + 1;
    let foreign = letters.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
    let (letters, added) = letters.split_at(foreign.unwrap_or(letters.len()));
    let received = Received::read(letters);
    let fail =
        |problem| Err(LinkError { problem, readable: received.packed().and_then(|p| (version.salvage)(p)) });
    let Some(length) = received.length() else {
        return fail(match foreign {
            Some(at) => Problem::Changed { at: Some(head + at) },
            None => Problem::Cut { came: head + letters.len(), of: None },
        });
    };
    let whole = self::letters(usize::from(length));
    if letters.len() >= whole && Received::read(&letters[..whole]).is_right(version, length) {
        let rest = &letters[whole..];
        if !rest.is_empty() || !added.is_empty() {
            return fail(Problem::Extra { added: format!("{rest}{added}") });
        }
        return match (version.read)(received.packed().unwrap_or_default()) {
            Ok(payload) => Ok(payload),
            Err(pack::Unreadable::TooLarge) => fail(Problem::TooLarge),
            Err(pack::Unreadable::Malformed) => fail(Problem::Changed { at: None }),
        };
    }
    // The length itself may be what was changed: then the check holds for the true one.
    let true_length = received.packed().and_then(|p| u16::try_from(p.len()).ok());
    let length_changed = true_length.is_some_and(|n| n != length && received.is_right(version, n));
    fail(match foreign {
        Some(at) => Problem::Changed { at: Some(head + at) },
        None if letters.len() < whole && !length_changed => {
            Problem::Cut { came: head + letters.len(), of: Some(head + whole) }
        }
        None => Problem::Changed { at: None },
    })
}

/// Decoded letters, as far as they go.
struct Received {
    octets: Vec<u8>,
    /// Whether the letters are what an encoder writes.
    is_strict: bool,
}

impl Received {
    fn read(letters: &str) -> Self {
        if let Ok(octets) = STRICT.decode(letters) {
            return Self { octets, is_strict: true };
        }
        // One letter alone is less than an octet.
        let whole = letters.len() - usize::from(letters.len() % 4 == 1);
        Self { octets: LENIENT.decode(&letters[..whole]).unwrap_or_default(), is_strict: false }
    }

    /// The length written before the check.
    fn length(&self) -> Option<u16> {
        match self.octets.as_slice() {
            [high, low, ..] if self.octets.len() >= HEADER => Some(u16::from_be_bytes([*high, *low])),
            _ => None,
        }
    }

    fn packed(&self) -> Option<&[u8]> {
        self.octets.get(HEADER..)
    }

    /// Whether the check holds, the length being this.
    fn is_right(&self, version: &Version, length: u16) -> bool {
        let Some(packed) = self.packed().filter(|p| self.is_strict && p.len() == usize::from(length)) else {
            return false;
        };
        self.octets[2..HEADER] == check(version.name, length, packed)
    }
}

/// Letters for so many packed octets.
fn letters(packed: usize) -> usize {
    ((HEADER + packed) * 4).div_ceil(3)
}

fn check(version: &str, length: u16, packed: &[u8]) -> [u8; 4] {
    let mut hash = Sha256::new();
    hash.update(version);
    hash.update(b":");
    hash.update(length.to_be_bytes());
    hash.update(packed);
    let hash = hash.finalize();
    [hash[0], hash[1], hash[2], hash[3]]
}

fn show([a, b, c, d]: [u8; 4]) -> String {
    format!("{a:02X}{b:02X}-{c:02X}{d:02X}")
}

#[cfg(test)]
mod tests;

//! What a link carries, as octets.
//!
//! ```text
//! packed  = raw deflate of head, then the bits of the tables (see [`super::columns`])
//! head    = text places pairs pairs generator
//! text    = string: the document without the rows of its packed traces
//! places  = count, for each: octets of that text since the place before, where rows belong
//! pairs   = count, for each: string string       the view; then cells and their digests
//! generator = number                             0, or one more than the generator's version
//! string  = number of octets, UTF-8
//! number, count = base 128, low digits first, the high bit set on all octets but the last
//! ```
//!
//! The text comes first, so that most of it can be read when the end is missing.

use super::columns::{self, Table};
use super::{Payload, bits};
use crate::document::Document;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

/// Text that is always let out of a link.
const ALWAYS: usize = 1 << 20;
/// Beyond that, octets of text for each octet in the link.
const RATIO: usize = 256;
/// A document in a link is never longer.
pub(super) const MOST: usize = 4 << 20;

/// How much text so many packed octets may hold.
pub(super) fn most(packed: usize) -> usize {
    packed.saturating_mul(RATIO).clamp(ALWAYS, MOST)
}

/// Why packed octets, though whole, were not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    TooLarge,
    Malformed,
}

pub(super) fn write(payload: &Payload) -> Vec<u8> {
    let mut text = String::new();
    let mut places = Vec::new();
    let mut tables = bits::Writer::default();
    let mut at = 0;
    let document = Document::parse(payload.text.as_str());
    for cell in document.cells().filter(|c| c.kind.is_some_and(|k| k.name == "trace")) {
        let body = document.body(cell);
        let Some(heading) = body.find('\n') else { continue };
        let Some(table) = columns::scan(&body[heading + 1..]) else { continue };
        let place = cell.body.start + heading + 1;
        let before = text.len();
        text.push_str(&payload.text[at..place]);
        places.push(text.len() - before);
        at = cell.body.end;
        table.write(&mut tables);
    }
    text.push_str(&payload.text[at..]);

    let mut head = Vec::new();
    string(&mut head, &text);
    number(&mut head, places.len());
    for place in &places {
        number(&mut head, *place);
    }
    for pairs in [&payload.view, &payload.digests] {
        number(&mut head, pairs.len());
        for (a, b) in pairs {
            string(&mut head, a);
            string(&mut head, b);
        }
    }
    number(&mut head, payload.generator.map_or(0, |g| g as usize + 1));

    let mut packed = compress_to_vec(&head, 10);
    packed.extend(tables.finish());
    packed
}

pub(super) fn read(packed: &[u8]) -> Result<Payload, Unreadable> {
    let most = most(packed.len());
    let (head, rest) = match inflate(packed, most) {
        Inflated::Whole(head, used) => (head, &packed[used..]),
        Inflated::Part(_) => return Err(Unreadable::Malformed),
        Inflated::TooLarge => return Err(Unreadable::TooLarge),
    };
    let mut input = Input(&head);
    let payload = input.head(rest, most).ok_or(Unreadable::Malformed)??;
    if input.0.is_empty() { Ok(payload) } else { Err(Unreadable::Malformed) }
}

/// As much of the document as damaged octets still hold. `None`: nothing.
pub(super) fn salvage(packed: &[u8]) -> Option<String> {
    let most = most(packed.len());
    let (head, rest) = match inflate(packed, most) {
        Inflated::Whole(head, used) => (head, &packed[used..]),
        Inflated::Part(head) => (head, &[][..]),
        Inflated::TooLarge => return None,
    };
    let mut input = Input(&head);
    let length = input.number()?;
    let text = input.0.get(..length).unwrap_or(input.0);
    let whole = text.len() == length;
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(e) => std::str::from_utf8(&text[..e.valid_up_to()]).unwrap_or_default(),
    };
    let mut salvaged = text.to_owned();
    if whole {
        input.0 = &input.0[length..];
        let rows = input.places().map(|places| rows(text, &places, rest, most));
        if let Some(Ok((with_rows, _)) | Err((with_rows, _))) = rows {
            salvaged = with_rows;
        }
    }
    (!salvaged.trim().is_empty()).then_some(salvaged)
}

/// The text with the rows of its tables; in the error, those that came.
fn rows(
    text: &str,
    places: &[usize],
    bits: &[u8],
    most: usize,
) -> Result<(String, bool), (String, Unreadable)> {
    let mut r = bits::Reader::new(bits);
    let mut whole = String::new();
    let mut at = 0_usize;
    for place in places {
        let Some(end) = at.checked_add(*place).filter(|e| text.is_char_boundary(*e)) else {
            return Err((text.to_owned(), Unreadable::Malformed));
        };
        whole.push_str(&text[at..end]);
        at = end;
        let room = most.saturating_sub(whole.len());
        match Table::read(&mut r, room) {
            Some((table, true)) => whole.push_str(&table.print()),
            part => {
                whole.push_str(&part.map(|(t, _)| t.print()).unwrap_or_default());
                whole.push_str(&text[at..]);
                return Err((whole, Unreadable::Malformed));
            }
        }
    }
    whole.push_str(&text[at..]);
    let spent = r.is_spent();
    Ok((whole, spent))
}

enum Inflated {
    /// The octets, and how many packed ones they took.
    Whole(Vec<u8>, usize),
    /// What came before the octets ran out or made no sense.
    Part(Vec<u8>),
    TooLarge,
}

fn inflate(packed: &[u8], most: usize) -> Inflated {
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut state = Box::<DecompressorOxide>::default();
    let mut out = vec![0; (packed.len() * 4 + 256).min(most)];
    let (mut read, mut written) = (0, 0);
    loop {
        let (status, r, w) = decompress(&mut state, &packed[read..], &mut out, written, flags);
        read += r;
        written += w;
        match status {
            TINFLStatus::Done => {
                out.truncate(written);
                return Inflated::Whole(out, read);
            }
            TINFLStatus::HasMoreOutput if out.len() < most => out.resize((out.len() * 2).min(most), 0),
            TINFLStatus::HasMoreOutput => return Inflated::TooLarge,
            _ => {
                out.truncate(written);
                return Inflated::Part(out);
            }
        }
    }
}

fn number(out: &mut Vec<u8>, mut n: usize) {
    while n >= 128 {
        out.push((n & 127) as u8 | 128);
        n >>= 7;
    }
    out.push(n as u8);
}

fn string(out: &mut Vec<u8>, s: &str) {
    number(out, s.len());
    out.extend(s.as_bytes());
}

/// What is left of a head.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn number(&mut self) -> Option<usize> {
        let mut n: u64 = 0;
        for shift in (0..).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            n |= u64::from(byte & 127) << shift;
            if byte < 128 {
                break;
            }
            if shift > 28 {
                return None;
            }
        }
        usize::try_from(n).ok()
    }

    fn string(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        let (s, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(s).ok()
    }

    fn places(&mut self) -> Option<Vec<usize>> {
        let count = self.number().filter(|n| *n <= self.0.len())?;
        (0..count).map(|_| self.number()).collect()
    }

    fn pairs(&mut self) -> Option<Vec<(String, String)>> {
        let count = self.number().filter(|n| *n <= self.0.len())?;
        (0..count).map(|_| Some((self.string()?.to_owned(), self.string()?.to_owned()))).collect()
    }

    /// The outer `None`: the head itself makes no sense.
    fn head(&mut self, bits: &[u8], most: usize) -> Option<Result<Payload, Unreadable>> {
        let text = self.string()?;
        let places = self.places()?;
        let text = match rows(text, &places, bits, most) {
            Ok((text, true)) => text,
            Ok((_, false)) => return Some(Err(Unreadable::Malformed)),
            Err((_, e)) => return Some(Err(e)),
        };
        let (view, digests) = (self.pairs()?, self.pairs()?);
        let generator = match self.number()? {
            0 => None,
            n => Some(u32::try_from(n - 1).ok()?),
        };
        Some(Ok(Payload { text, view, digests, generator }))
    }
}

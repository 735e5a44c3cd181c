//! The packets in a capture file.
//!
//! pcap is a header of 24 octets, then for each packet 16 and its bytes; pcapng is blocks, each with
//! its kind and length. Numbers are in the byte order of the machine that wrote them. Sources:
//! draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.

use crate::error::{ErrorKind, ImportError};

/// A packet as it lies in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'a> {
    /// Nanoseconds since 1970.
    pub(super) at: i64,
    /// What kind of frame it is: a number of tcpdump.org's list.
    pub(super) link: i32,
    /// As much of it as was captured.
    pub(super) bytes: &'a [u8],
}

/// How the file ended.
#[derive(Debug, Default)]
pub(super) struct Ended {
    pub(super) whole: bool,
    /// Packets that have no time.
    pub(super) skipped: u64,
}

/// What is done with a packet; also told how far the file was read.
type Each<'f> = dyn FnMut(&Frame<'_>, usize) -> Result<(), ImportError> + 'f;

/// Hands each packet to `each`.
pub(super) fn packets(bytes: &[u8], ng: bool, each: &mut Each<'_>) -> Result<Ended, ImportError> {
    if ng { blocks(bytes, each) } else { records(bytes, each) }
}

/// Numbers in the byte order of a file.
#[derive(Clone, Copy)]
struct Order {
    big: bool,
}

impl Order {
    /// Missing octets count as 0.
    fn word(self, bytes: &[u8], at: usize) -> u32 {
        let octet = |i: usize| bytes.get(at + i).copied().unwrap_or(0);
        let word = [octet(0), octet(1), octet(2), octet(3)];
        if self.big { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
    }

    fn short(self, bytes: &[u8], at: usize) -> usize {
        let octet = |i: usize| bytes.get(at + i).copied().unwrap_or(0);
        let short = [octet(0), octet(1)];
        usize::from(if self.big { u16::from_be_bytes(short) } else { u16::from_le_bytes(short) })
    }
}

/// pcap: a header, then records.
fn records(bytes: &[u8], each: &mut Each<'_>) -> Result<Ended, ImportError> {
    let order = Order { big: bytes.first() == Some(&0xa1) };
    if bytes.len() < 24 {
        return Err(ImportError::new(ErrorKind::Refused, "The capture ends within its header."));
    }
    let unit = if order.word(bytes, 0) == 0xa1b2_3c4d { 1 } else { 1000 };
    // The upper bits say how long the frame check sequence is.
    let link = (order.word(bytes, 20) & 0x0fff_ffff).cast_signed();
    let mut at = 24;
    while let Some(head) = bytes.get(at..at + 16) {
        let length = order.word(head, 8) as usize;
        let Some(data) = bytes.get(at + 16..).and_then(|rest| rest.get(..length)) else { break };
        at += 16 + length;
        let time = i64::from(order.word(head, 0)) * 1_000_000_000 + i64::from(order.word(head, 4)) * unit;
        each(&Frame { at: time, link, bytes: data }, at)?;
    }
    Ok(Ended { whole: at == bytes.len(), skipped: 0 })
}

/// What a pcapng section says of an interface.
#[derive(Debug, Clone, Copy)]
struct Interface {
    link: i32,
    /// Units of time: 10^−n or, with the upper bit, 2^−n of a second.
    resolution: u8,
    /// Seconds to add.
    offset: i64,
}

/// The kinds of blocks that are read (draft-ietf-opsawg-pcapng, section 10.1).
const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;

/// pcapng: blocks, each with its length. What is not needed is skipped.
fn blocks(bytes: &[u8], each: &mut Each<'_>) -> Result<Ended, ImportError> {
    let mut ended = Ended::default();
    let mut interfaces: Vec<Interface> = Vec::new();
    let mut order = Order { big: false };
    let mut at = 0;
    while let Some(head) = bytes.get(at..at + 12) {
        if order.word(head, 0) == SECTION {
            order.big = head[8..12] == [0x1a, 0x2b, 0x3c, 0x4d];
            interfaces.clear();
        }
        // A block ends with its length again.
        let length = order.word(head, 4) as usize;
        let Some(block) = bytes[at..].get(..length).filter(|b| b.len() >= 12) else {
            return Ok(ended);
        };
        let body = &block[8..length - 4];
        at += length;
        match order.word(head, 0) {
            INTERFACE => interfaces.push(interface(order, body)),
            ENHANCED_PACKET => {
                let Some(interface) = interfaces.get(order.word(body, 0) as usize) else { continue };
                let ticks = u64::from(order.word(body, 4)) << 32 | u64::from(order.word(body, 8));
                let time = nanoseconds(ticks, interface.resolution)
                    .saturating_add(interface.offset.saturating_mul(1_000_000_000));
                let Some(data) = body.get(20..) else { continue };
                let length = data.len().min(order.word(body, 12) as usize);
                each(&Frame { at: time, link: interface.link, bytes: &data[..length] }, at)?;
            }
            // A packet and nothing else.
            SIMPLE_PACKET => ended.skipped += 1,
            _ => {}
        }
    }
    ended.whole = at == bytes.len();
    Ok(ended)
}

/// An interface description: its kind of frame, then options, each padded to 32 bits.
fn interface(order: Order, body: &[u8]) -> Interface {
    let mut interface =
        Interface { link: i32::try_from(order.short(body, 0)).unwrap_or(-1), resolution: 6, offset: 0 };
    let mut rest = body.get(8..).unwrap_or_default();
    while let Some(value) = rest.get(4..) {
        let length = order.short(rest, 2);
        match order.short(rest, 0) {
            0 => break,
            // if_tsresol and if_tsoffset (draft-ietf-opsawg-pcapng, section 4.2).
            9 => interface.resolution = value.first().copied().unwrap_or(6),
            14 => {
                let (first, second) = (order.word(value, 0), order.word(value, 4));
                let (high, low) = if order.big { (first, second) } else { (second, first) };
                interface.offset = (u64::from(high) << 32 | u64::from(low)).cast_signed();
            }
            _ => {}
        }
        rest = value.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    interface
}

/// Ticks in nanoseconds, without 128-bit arithmetic.
fn nanoseconds(ticks: u64, resolution: u8) -> i64 {
    let n = u32::from(resolution & 0x7f);
    let ns = if resolution & 0x80 != 0 {
        let n = n.min(63);
        let (seconds, part) = (ticks >> n, ticks & ((1 << n) - 1));
        // A billion takes thirty bits.
        let excess = n.saturating_sub(33);
        let part = ((part >> excess) * 1_000_000_000) >> (n - excess);
        seconds.saturating_mul(1_000_000_000).saturating_add(part)
    } else if n <= 9 {
        ticks.saturating_mul(10_u64.pow(9 - n))
    } else {
        ticks / 10_u64.pow((n - 9).min(19))
    };
    i64::try_from(ns).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn ticks_of_any_length_are_nanoseconds() {
        assert_eq!(nanoseconds(1_796_034_244_123_456, 6), 1_796_034_244_123_456_000);
        assert_eq!(nanoseconds(1_796_034_244_123_456_789, 9), 1_796_034_244_123_456_789);
        assert_eq!(nanoseconds(1_796_034_244_123_456_789, 10), 179_603_424_412_345_678);
        assert_eq!(nanoseconds((5 << 10) + 512, 0x8a), 5_500_000_000);
        assert_eq!(nanoseconds((1 << 60) | (1 << 59), 0x80 | 0x3c), 1_500_000_000);
        assert_eq!(nanoseconds(u64::MAX, 0), i64::MAX);
        for resolution in 0..=255 {
            nanoseconds(u64::MAX, resolution);
        }
    }
}

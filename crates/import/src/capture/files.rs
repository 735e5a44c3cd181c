//! The packets in a capture file, taken out of it by the crate `pcap-parser`.
//!
//! pcap is a header of 24 octets, then for each packet 16 and its bytes; pcapng is blocks, each with
//! its kind and length, in sections with a byte order each. Sources: draft-ietf-opsawg-pcap and
//! draft-ietf-opsawg-pcapng.

use pcap_parser::nom;
use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{
    BOM_MAGIC, EPB_MAGIC, IDB_MAGIC, SHB_MAGIC, SPB_MAGIC, parse_enhancedpacketblock_be,
    parse_enhancedpacketblock_le, parse_interfacedescriptionblock_be, parse_interfacedescriptionblock_le,
    parse_pcap_frame, parse_pcap_frame_be, parse_pcap_frame_modified, parse_pcap_header,
    parse_unknownblock_be, parse_unknownblock_le,
};

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

/// What else was in the file.
#[derive(Debug, Default)]
pub(super) struct Ended {
    pub(super) end: End,
    /// Packets that have no time.
    pub(super) timeless: u64,
    /// Blocks that contradict themselves, and packets of an interface that is not described.
    pub(super) faulty: u64,
}

/// How it ended.
#[derive(Debug, Default)]
pub(super) enum End {
    /// With the last packet.
    #[default]
    Whole,
    /// Within a packet.
    Cut,
    /// What should begin at this byte cannot be: nothing behind it is read.
    Damaged(usize),
}

/// What is done with a packet; also told how far the file was read.
type Each<'f> = dyn FnMut(&Frame<'_>, usize) -> Result<(), ImportError> + 'f;

/// No packet is longer, jumbo frames and offload included: tcpdump and Wireshark hold it so.
const LONGEST: usize = 262_144;
/// Nor is a block of a packet or an interface with all its options.
const LONGEST_BLOCK: usize = 4 * LONGEST;

/// Hands each packet to `each`.
pub(super) fn packets(bytes: &[u8], ng: bool, each: &mut Each<'_>) -> Result<Ended, ImportError> {
    if ng { blocks(bytes, each) } else { records(bytes, each) }
}

/// pcap: a header, then records.
fn records(bytes: &[u8], each: &mut Each<'_>) -> Result<Ended, ImportError> {
    let Ok((mut rest, header)) = parse_pcap_header(bytes) else {
        let error = ImportError::new(ErrorKind::Refused, "The capture ends within its header.");
        return Err(error.advise("copy the whole file"));
    };
    let big = header.is_bigendian();
    let parse = match (header.is_modified_format(), big) {
        (true, _) => parse_pcap_frame_modified,
        (false, true) => parse_pcap_frame_be,
        (false, false) => parse_pcap_frame,
    };
    let unit = if header.is_nanosecond_precision() { 1 } else { 1000 };
    // The upper bits say whether a frame check sequence follows, and how long it is.
    let link = header.network.0 & 0x03ff_ffff;
    let mut ended = Ended::default();
    while !rest.is_empty() {
        let length = word(big, rest, 8) as usize;
        let start = bytes.len() - rest.len();
        let Ok((next, record)) = parse(rest) else {
            ended.end = if length > LONGEST { End::Damaged(start) } else { End::Cut };
            break;
        };
        if length > LONGEST {
            ended.end = End::Damaged(start);
            break;
        }
        rest = next;
        let at = i64::from(record.ts_sec) * 1_000_000_000 + i64::from(record.ts_usec) * unit;
        each(&Frame { at, link, bytes: record.data }, bytes.len() - rest.len())?;
    }
    Ok(ended)
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

/// An older kind of packet, which the crate does not know (draft-ietf-opsawg-pcapng, appendix A).
const OLD_PACKET: u32 = 2;

/// pcapng: blocks, each with its length before and behind it. What is not needed is skipped.
fn blocks(bytes: &[u8], each: &mut Each<'_>) -> Result<Ended, ImportError> {
    let mut ended = Ended::default();
    let mut interfaces: Vec<Option<Interface>> = Vec::new();
    let mut big = false;
    let mut rest = bytes;
    while !rest.is_empty() {
        let start = bytes.len() - rest.len();
        if rest.starts_with(&SHB_MAGIC.to_be_bytes()) {
            big = rest.get(8..12) == Some(&BOM_MAGIC.to_be_bytes());
            if !big && rest.len() >= 12 && word(false, rest, 8) != BOM_MAGIC {
                ended.end = End::Damaged(start);
                break;
            }
            interfaces.clear();
        }
        let parsed = if big { parse_unknownblock_be(rest) } else { parse_unknownblock_le(rest) };
        let (next, any) = match parsed {
            Ok((next, any)) if any.block_len1 == any.block_len2 => (next, any),
            Err(nom::Err::Incomplete(_)) if word(big, rest, 4) as usize <= LONGEST_BLOCK => {
                ended.end = End::Cut;
                break;
            }
            _ => {
                ended.end = End::Damaged(start);
                break;
            }
        };
        let block = &rest[..rest.len() - next.len()];
        rest = next;
        let mut hand = |interface: u32, high: u32, low: u32, data: &[u8]| {
            let Some(Some(interface)) = interfaces.get(interface as usize) else { return Ok(false) };
            let ticks = u64::from(high) << 32 | u64::from(low);
            let at = nanoseconds(ticks, interface.resolution)
                .saturating_add(interface.offset.saturating_mul(1_000_000_000))
                // So that the time between any two fits too.
                .clamp(i64::MIN / 2, i64::MAX / 2);
            each(&Frame { at, link: interface.link, bytes: data }, bytes.len() - next.len()).map(|()| true)
        };
        let read = match if big { any.block_type.swap_bytes() } else { any.block_type } {
            // Its packets are not read, but those of the next one have the next number.
            IDB_MAGIC => {
                let interface = interface(big, block);
                interfaces.push(interface);
                interface.is_some()
            }
            EPB_MAGIC if block.len() <= LONGEST_BLOCK => {
                let parse = if big { parse_enhancedpacketblock_be } else { parse_enhancedpacketblock_le };
                match parse(block) {
                    Ok((_, p)) => hand(p.if_id, p.ts_high, p.ts_low, p.packet_data())?,
                    Err(_) => false,
                }
            }
            EPB_MAGIC => false,
            OLD_PACKET => {
                let data = any.data;
                let interface = word(big, data, 0);
                // Behind the interface stands how many packets were dropped.
                let interface = if big { interface >> 16 } else { interface & 0xffff };
                match data.get(20..).and_then(|packet| packet.get(..word(big, data, 12) as usize)) {
                    Some(packet) => hand(interface, word(big, data, 4), word(big, data, 8), packet)?,
                    None => false,
                }
            }
            // A packet and nothing else.
            SPB_MAGIC => {
                ended.timeless += 1;
                true
            }
            _ => true,
        };
        ended.faulty += u64::from(!read);
    }
    Ok(ended)
}

/// An interface description.
fn interface(big: bool, block: &[u8]) -> Option<Interface> {
    if block.len() > LONGEST_BLOCK {
        return None;
    }
    let parse = if big { parse_interfacedescriptionblock_be } else { parse_interfacedescriptionblock_le };
    let (_, described) = parse(block).ok()?;
    // The crate takes the offset's octets in one order only.
    let offset = described.if_tsoffset;
    Some(Interface {
        link: described.linktype.0,
        resolution: described.if_tsresol,
        offset: if big { offset.swap_bytes() } else { offset },
    })
}

/// A number in the byte order of a file. Missing octets count as 0.
fn word(big: bool, bytes: &[u8], at: usize) -> u32 {
    let word = std::array::from_fn(|i| bytes.get(at + i).copied().unwrap_or(0));
    if big { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
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

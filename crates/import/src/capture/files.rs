//! The packets in a capture file.

use pcap_parser::{
    PcapHeader, parse_enhancedpacketblock_be, parse_enhancedpacketblock_le,
    parse_interfacedescriptionblock_be, parse_interfacedescriptionblock_le, parse_pcap_frame,
    parse_pcap_frame_be, parse_pcap_header,
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

/// pcap: a header, then records.
fn records(bytes: &[u8], each: &mut Each<'_>) -> Result<Ended, ImportError> {
    let Ok((mut rest, header)) = parse_pcap_header(bytes) else {
        return Err(ImportError::new(ErrorKind::Refused, "The capture ends within its header."));
    };
    let frame = if header.is_bigendian() { parse_pcap_frame_be } else { parse_pcap_frame };
    let link = link_of(&header);
    let unit = if header.is_nanosecond_precision() { 1 } else { 1000 };
    while let Ok((next, record)) = frame(rest) {
        let at = i64::from(record.ts_sec) * 1_000_000_000 + i64::from(record.ts_usec) * unit;
        rest = next;
        each(&Frame { at, link, bytes: record.data }, bytes.len() - rest.len())?;
    }
    Ok(Ended { whole: rest.is_empty(), skipped: 0 })
}

/// The upper bits say how long the frame check sequence is.
fn link_of(header: &PcapHeader) -> i32 {
    header.network.0 & 0x0fff_ffff
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

/// pcapng: blocks, each with its length. What is not needed is skipped.
fn blocks(bytes: &[u8], each: &mut Each<'_>) -> Result<Ended, ImportError> {
    const SECTION: u32 = 0x0a0d_0d0a;
    let mut ended = Ended::default();
    let mut interfaces: Vec<Interface> = Vec::new();
    let mut big = false;
    let mut at = 0;
    while let Some(head) = bytes.get(at..at + 12) {
        let word = |i: usize| {
            let b = [head[i], head[i + 1], head[i + 2], head[i + 3]];
            if big { u32::from_be_bytes(b) } else { u32::from_le_bytes(b) }
        };
        let kind = word(0);
        if kind == SECTION {
            big = head[8..12] == [0x1a, 0x2b, 0x3c, 0x4d];
            interfaces.clear();
        }
        let length = [head[4], head[5], head[6], head[7]];
        let length = if big { u32::from_be_bytes(length) } else { u32::from_le_bytes(length) } as usize;
        let Some(block) = bytes.get(at..at.saturating_add(length)).filter(|b| b.len() >= 12) else {
            return Ok(ended);
        };
        at += length;
        match kind {
            1 => {
                let parse =
                    if big { parse_interfacedescriptionblock_be } else { parse_interfacedescriptionblock_le };
                let parsed = parse(block).ok().map(|(_, i)| i);
                interfaces.push(parsed.map_or(Interface { link: -1, resolution: 6, offset: 0 }, |i| {
                    Interface { link: i.linktype.0, resolution: i.if_tsresol, offset: i.if_tsoffset }
                }));
            }
            6 => {
                let parse = if big { parse_enhancedpacketblock_be } else { parse_enhancedpacketblock_le };
                let Ok((_, packet)) = parse(block) else { continue };
                let Some(interface) = interfaces.get(packet.if_id as usize) else { continue };
                let ticks = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
                let time = nanoseconds(ticks, interface.resolution)
                    .saturating_add(interface.offset.saturating_mul(1_000_000_000));
                let length = (packet.caplen as usize).min(packet.data.len());
                each(&Frame { at: time, link: interface.link, bytes: &packet.data[..length] }, at)?;
            }
            // A packet and nothing else.
            3 => ended.skipped += 1,
            _ => {}
        }
    }
    ended.whole = at == bytes.len();
    Ok(ended)
}

/// Ticks in nanoseconds, without 128-bit arithmetic.
fn nanoseconds(ticks: u64, resolution: u8) -> i64 {
    let n = u32::from(resolution & 0x7f);
    let ns = if resolution & 0x80 != 0 {
        let n = n.min(63);
        let (seconds, part) = (ticks >> n, ticks & ((1 << n) - 1));
        // A billion takes thirty bits.
        let excess = n.saturating_sub(33);
        let part = (part >> excess) * 1_000_000_000 >> (n - excess);
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
        assert_eq!(nanoseconds((1 << 60) | (1 << 59), 0x80 | 60), 1_500_000_000);
        assert_eq!(nanoseconds(u64::MAX, 0), i64::MAX);
        for resolution in 0..=255 {
            nanoseconds(u64::MAX, resolution);
        }
    }
}

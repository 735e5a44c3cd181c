//! From a frame to what a packet carries: an ICMP echo or a TCP segment.
//!
//! Ethernet with any number of VLAN tags, PPP over Ethernet, Linux "cooked" captures of both
//! versions, raw IP and loopback; IPv4 and IPv6 with extension headers. Lengths are those the IP
//! header gives, as a capture may have kept only the first bytes.

use std::fmt::Write as _;

/// IPv4 addresses stand in the last four bytes, behind the prefix of mapped addresses.
pub(crate) type Address = [u8; 16];

#[derive(Debug, Clone, Copy)]
pub(super) struct Packet<'a> {
    pub(super) from: Address,
    pub(super) to: Address,
    pub(super) payload: Payload<'a>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Payload<'a> {
    Echo(Echo),
    /// An ICMP error, with the packet it quotes.
    Failed(Quoted<'a>),
    Segment(Segment),
    Other,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Echo {
    pub(super) reply: bool,
    pub(super) id: u16,
    pub(super) seq: u16,
    /// Of the ICMP packet.
    pub(super) octets: u32,
}

/// The beginning of an IP packet in an ICMP error.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quoted<'a>(pub(super) &'a [u8]);

#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub(super) ports: (u16, u16),
    pub(super) seq: u32,
    pub(super) ack: u32,
    pub(super) flags: u8,
    pub(super) window: u16,
    /// Of the data.
    pub(super) octets: u32,
}

impl Segment {
    pub(super) const FIN: u8 = 1;
    pub(super) const SYN: u8 = 2;
    pub(super) const RST: u8 = 4;
    pub(super) const ACK: u8 = 16;

    pub(super) fn has(&self, flags: u8) -> bool {
        self.flags & flags != 0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    Link(i32),
    Damaged,
}

/// What a frame carries.
pub(super) fn packet(link: i32, frame: &[u8]) -> Result<Packet<'_>, Unknown> {
    let of_type = |at: usize, rest: usize| ether(half(frame, at)?, frame.get(rest..)?);
    let found = match link {
        1 => of_type(12, 14),
        // Linux "cooked", versions 1 and 2.
        113 => of_type(14, 16),
        276 => of_type(0, 20),
        // Raw IP, by the numbers of several systems.
        12 | 14 | 101 | 228 | 229 => ip(frame),
        // Loopback: four bytes of the address family.
        0 | 108 => frame.get(4..).and_then(ip),
        9 => ppp(frame),
        link => return Err(Unknown::Link(link)),
    };
    found.ok_or(Unknown::Damaged)
}

/// The number of a kind of frame that is not read, with its name where it is a likely one.
pub(super) fn link_name(link: i32) -> String {
    let name = match link {
        105 | 119 | 127 | 163 | 192 => "802.11, monitor mode",
        187 | 201 | 251 | 256 => "Bluetooth",
        189 | 220 | 249 => "USB",
        195 | 215 | 230 => "802.15.4",
        227 => "CAN",
        239 => "NFLOG",
        147..=162 => "private",
        _ => return link.to_string(),
    };
    format!("{link} ({name})")
}

const OTHER: Packet<'static> = Packet { from: [0; 16], to: [0; 16], payload: Payload::Other };

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let b = bytes.get(at..at + 4)?;
    Some(u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
}

/// What follows an Ethernet type.
fn ether(mut kind: u16, mut rest: &[u8]) -> Option<Packet<'_>> {
    loop {
        match kind {
            0x0800 | 0x86dd => return ip(rest),
            // VLAN tags of three kinds.
            0x8100 | 0x88a8 | 0x9100 => {
                kind = half(rest, 2)?;
                rest = &rest[4..];
            }
            // PPP over Ethernet, its session.
            0x8864 => return ppp(rest.get(6..)?),
            _ => return Some(OTHER),
        }
    }
}

fn ppp(rest: &[u8]) -> Option<Packet<'_>> {
    // An address and a control byte may stand before the protocol.
    let rest = rest.strip_prefix(b"\xff\x03").unwrap_or(rest);
    match half(rest, 0)? {
        0x0021 | 0x0057 => ip(&rest[2..]),
        _ => Some(OTHER),
    }
}

fn ip(bytes: &[u8]) -> Option<Packet<'_>> {
    match bytes.first()? >> 4 {
        4 => ipv4(bytes),
        6 => ipv6(bytes),
        _ => None,
    }
}

fn ipv4(bytes: &[u8]) -> Option<Packet<'_>> {
    let header = usize::from(bytes[0] & 15) * 4;
    let total = usize::from(half(bytes, 2)?);
    let (from, to) = (mapped(bytes.get(12..16)?), mapped(bytes.get(16..20)?));
    // Of a fragmented packet only the first part has the headers. Offload writes a length of 0.
    let fragment = half(bytes, 6)? & 0x1fff != 0;
    let length = if total == 0 { bytes.len() } else { total }.checked_sub(header)?;
    let payload = if fragment { Payload::Other } else { inner(bytes[9], bytes.get(header..)?, length)? };
    Some(Packet { from, to, payload })
}

fn mapped(v4: &[u8]) -> Address {
    let mut address = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0];
    address[12..].copy_from_slice(v4);
    address
}

fn ipv6(bytes: &[u8]) -> Option<Packet<'_>> {
    let mut length = usize::from(half(bytes, 4)?);
    let (mut next, mut at) = (*bytes.get(6)?, 40);
    let (from, to) = (bytes.get(8..24)?.try_into().ok()?, bytes.get(24..40)?.try_into().ok()?);
    if length == 0 {
        length = bytes.len().checked_sub(40)?;
    }
    loop {
        // Hop-by-hop options, routing, destination options; a fragment; an authentication header.
        let size = match next {
            0 | 43 | 60 => 8 + 8 * usize::from(*bytes.get(at + 1)?),
            44 if half(bytes, at + 2)? & 0xfff8 != 0 => {
                return Some(Packet { from, to, payload: Payload::Other });
            }
            44 => 8,
            51 => 8 + 4 * usize::from(*bytes.get(at + 1)?),
            _ => break,
        };
        next = *bytes.get(at)?;
        at += size;
        length = length.checked_sub(size)?;
    }
    Some(Packet { from, to, payload: inner(next, bytes.get(at..)?, length)? })
}

/// What an IP packet carries; `length` is how long it was before it was cut.
fn inner(protocol: u8, bytes: &[u8], length: usize) -> Option<Payload<'_>> {
    let octets = u32::try_from(length).ok()?;
    let echo = |reply| Some(Payload::Echo(Echo { reply, id: half(bytes, 4)?, seq: half(bytes, 6)?, octets }));
    match (protocol, bytes.first()?) {
        (1, 8) | (58, 128) => echo(false),
        (1, 0) | (58, 129) => echo(true),
        (1, 3 | 4 | 11 | 12) | (58, 1..=4) => Some(Payload::Failed(Quoted(bytes.get(8..)?))),
        (6, _) => {
            let header = u32::from(*bytes.get(12)? >> 4) * 4;
            Some(Payload::Segment(Segment {
                ports: (half(bytes, 0)?, half(bytes, 2)?),
                seq: word(bytes, 4)?,
                ack: word(bytes, 8)?,
                flags: *bytes.get(13)?,
                window: half(bytes, 14)?,
                octets: octets.checked_sub(header)?,
            }))
        }
        _ => Some(Payload::Other),
    }
}

impl Quoted<'_> {
    /// The echo request that the error is about.
    pub(super) fn echo(&self) -> Option<(Address, Address, Echo)> {
        match ip(self.0)? {
            Packet { from, to, payload: Payload::Echo(echo) } if !echo.reply => Some((from, to, echo)),
            _ => None,
        }
    }
}

/// An address as it is written. Of IPv6 the longest row of zeros is left out, of rows of one length
/// the first (RFC 5952, section 4.2).
pub(super) fn name(address: &Address) -> String {
    if let [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d] = address {
        return format!("{a}.{b}.{c}.{d}");
    }
    let groups: [u16; 8] = std::array::from_fn(|i| u16::from_be_bytes([address[2 * i], address[2 * i + 1]]));
    let zeros = |from: usize| groups[from..].iter().take_while(|g| **g == 0).count();
    let (mut start, mut length) = (8, 1);
    for i in 0..8 {
        if zeros(i) > length {
            (start, length) = (i, zeros(i));
        }
    }
    let mut out = String::new();
    let mut i = 0;
    while i < 8 {
        if i == start {
            out.push_str("::");
            i += length;
            continue;
        }
        if !out.is_empty() && !out.ends_with(':') {
            out.push(':');
        }
        // Writing to a string cannot fail.
        let _ = write!(out, "{:x}", groups[i]);
        i += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv6Addr;

    #[test]
    fn addresses_are_written_as_everywhere() {
        for text in
            ["::", "::1", "1::", "2001:db8::1:0:0:1", "2001:db8:0:1:1:1:1:1", "1:2:3:4:5:6:7:8", "fe80::1:0"]
        {
            assert_eq!(name(&text.parse::<Ipv6Addr>().unwrap().octets()), text);
        }
        assert_eq!(name(&"::ffff:192.0.2.1".parse::<Ipv6Addr>().unwrap().octets()), "192.0.2.1");
    }
}

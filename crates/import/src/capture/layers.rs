//! From a frame to what a packet carries: an ICMP echo or a TCP segment.
//!
//! Ethernet with VLAN tags and MPLS labels, PPP and PPP over Ethernet, Linux "cooked" captures of both
//! versions, 802.11 that is not encrypted, raw IP and loopback; IPv4 and IPv6 with extension headers;
//! a few tunnels. Lengths are those the IP header gives, as a capture may have kept only the first
//! bytes.

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
    /// What another packet with the same data would have otherwise: the identification of IPv4, or the
    /// checksum. 0: not known.
    pub(super) mark: u16,
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
    Encrypted,
}

/// Tunnels within tunnels: packets deeper within are not looked for.
const DEEPEST: u8 = 3;

/// What a frame carries.
pub(super) fn packet(link: i32, frame: &[u8]) -> Result<Packet<'_>, Unknown> {
    let of_type = |at: usize, rest: usize| ether(half(frame, at)?, frame.get(rest..)?, DEEPEST);
    let found = match link {
        1 => ethernet(frame, DEEPEST),
        // Linux "cooked", versions 1 and 2; Cisco's HDLC.
        113 => of_type(14, 16),
        276 => of_type(0, 20),
        104 => of_type(2, 4),
        // Raw IP, by the numbers of several systems.
        12 | 14 | 101 | 228 | 229 => ip(frame, DEEPEST),
        // Loopback: four bytes of the address family.
        0 | 108 => frame.get(4..).and_then(|rest| ip(rest, DEEPEST)),
        9 | 50 => ppp(frame, DEEPEST),
        // Behind the direction, which may stand in place of the address.
        166 => frame.get(2..).and_then(|rest| ppp(rest, DEEPEST)),
        204 => frame.get(1..).and_then(|rest| ppp(rest, DEEPEST)),
        51 => frame.get(6..).and_then(|rest| ppp(rest, DEEPEST)),
        100 => llc(frame, DEEPEST),
        105 => return wifi(frame),
        // What the radio saw stands before the frame, its length in its third byte.
        127 => return little(frame, 2).and_then(|n| frame.get(n..)).map_or(Err(Unknown::Damaged), wifi),
        239 => nflog(frame),
        258 => return tapped(frame),
        link => return Err(Unknown::Link(link)),
    };
    found.ok_or(Unknown::Damaged)
}

/// The number of a kind of frame that is not read, with its name where it is a likely one.
pub(super) fn link_name(link: i32) -> String {
    let name = match link {
        119 | 163 | 192 => "802.11 with another radio header",
        187 | 201 | 251 | 256 => "Bluetooth",
        189 | 220 | 249 => "USB",
        195 | 215 | 230 => "802.15.4",
        227 => "CAN",
        147..=162 => "private",
        _ => return link.to_string(),
    };
    format!("{link} ({name})")
}

const OTHER: Packet<'static> = Packet { from: [0; 16], to: [0; 16], payload: Payload::Other };

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}

/// In the order of most machines that capture.
fn little(bytes: &[u8], at: usize) -> Option<usize> {
    half(bytes, at).map(|n| usize::from(n.swap_bytes()))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let b = bytes.get(at..at + 4)?;
    Some(u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
}

fn ethernet(frame: &[u8], deep: u8) -> Option<Packet<'_>> {
    ether(half(frame, 12)?, &frame[14..], deep)
}

/// What follows an Ethernet type.
fn ether(mut kind: u16, mut rest: &[u8], deep: u8) -> Option<Packet<'_>> {
    loop {
        match kind {
            0x0800 | 0x86dd => return ip(rest, deep),
            // VLAN tags of three kinds.
            0x8100 | 0x88a8 | 0x9100 => {
                kind = half(rest, 2)?;
                rest = &rest[4..];
            }
            // Labels of MPLS, the last of them marked.
            0x8847 | 0x8848 => {
                let last = rest.chunks_exact(4).position(|label| label[2] & 1 == 1)?;
                return ip(&rest[4 * (last + 1)..], deep);
            }
            // PPP over Ethernet, its session; PPP in GRE.
            0x8864 => return ppp(rest.get(6..)?, deep),
            0x880b => return ppp(rest, deep),
            // Ethernet within something else.
            0x6558 => return ethernet(rest, deep),
            // A length.
            0..0x0600 => return llc(rest, deep),
            _ => return Some(OTHER),
        }
    }
}

/// IEEE 802.2, in as far as an Ethernet type follows.
fn llc(rest: &[u8], deep: u8) -> Option<Packet<'_>> {
    match rest.strip_prefix(b"\xaa\xaa\x03\0\0\0") {
        Some(rest) => ether(half(rest, 0)?, &rest[2..], deep),
        None => Some(OTHER),
    }
}

fn ppp(rest: &[u8], deep: u8) -> Option<Packet<'_>> {
    // An address and a control byte may stand before the protocol, whose first byte may be left out.
    let rest = rest.strip_prefix(b"\xff\x03").unwrap_or(rest);
    match rest {
        [0, 0x21 | 0x57, rest @ ..] | [0x21 | 0x57, rest @ ..] => ip(rest, deep),
        [_, ..] => Some(OTHER),
        [] => None,
    }
}

/// A frame of 802.11. Only those with data, which are not encrypted, are of interest.
fn wifi(frame: &[u8]) -> Result<Packet<'_>, Unknown> {
    let [kind, flags, ..] = *frame else { return Err(Unknown::Damaged) };
    if kind & 0x4c != 0x08 {
        return Ok(OTHER);
    }
    if flags & 0x40 != 0 {
        return Err(Unknown::Encrypted);
    }
    // A fourth address, quality of service, and what may follow that.
    let fourth = if flags & 3 == 3 { 6 } else { 0 };
    let service = match (kind & 0x80 != 0, flags & 0x80 != 0) {
        (true, true) => 6,
        (true, false) => 2,
        (false, _) => 0,
    };
    frame.get(24 + fourth + service..).and_then(|rest| llc(rest, DEEPEST)).ok_or(Unknown::Damaged)
}

/// A message of Linux's packet filter: four bytes, then fields with their length and number, of which
/// the ninth is the packet.
fn nflog(frame: &[u8]) -> Option<Packet<'_>> {
    let mut rest = frame.get(4..)?;
    loop {
        let length = little(rest, 0)?.max(4);
        if little(rest, 2)? == 9 {
            return ip(rest.get(4..length)?, DEEPEST);
        }
        rest = rest.get(length.next_multiple_of(4)..)?;
    }
}

/// A header of macOS's PKTAP: its length, and of which kind the frame behind it is.
fn tapped(frame: &[u8]) -> Result<Packet<'_>, Unknown> {
    let header = |at| word(frame, at).map(u32::swap_bytes);
    let (Some(length), Some(link)) = (header(0), header(8)) else { return Err(Unknown::Damaged) };
    match frame.get(length as usize..) {
        Some(rest) if link < 258 => packet(link.cast_signed(), rest),
        _ => Err(Unknown::Damaged),
    }
}

fn ip(bytes: &[u8], deep: u8) -> Option<Packet<'_>> {
    match bytes.first()? >> 4 {
        4 => ipv4(bytes, deep),
        6 => ipv6(bytes, deep),
        _ => None,
    }
}

fn ipv4(bytes: &[u8], deep: u8) -> Option<Packet<'_>> {
    let header = usize::from(bytes[0] & 15).max(5) * 4;
    let total = usize::from(half(bytes, 2)?);
    let (from, to) = (mapped(bytes.get(12..16)?), mapped(bytes.get(16..20)?));
    // Of a fragmented packet only the first part has the headers. Offload writes a length of 0.
    let fragment = half(bytes, 6)? & 0x1fff != 0;
    let length = if total == 0 { bytes.len() } else { total }.checked_sub(header)?;
    if fragment {
        return Some(Packet { from, to, payload: Payload::Other });
    }
    inside(from, to, bytes[9], bytes.get(header..)?, length, half(bytes, 4)?, deep)
}

fn mapped(v4: &[u8]) -> Address {
    let mut address = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0];
    address[12..].copy_from_slice(v4);
    address
}

fn ipv6(bytes: &[u8], deep: u8) -> Option<Packet<'_>> {
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
    inside(from, to, next, bytes.get(at..)?, length, 0, deep)
}

/// What an IP packet carries, and what a tunnel does: IP in IP, GRE, VXLAN. `length` is how long it
/// was before it was cut, `id` its identification.
fn inside(
    from: Address,
    to: Address,
    protocol: u8,
    bytes: &[u8],
    length: usize,
    id: u16,
    deep: u8,
) -> Option<Packet<'_>> {
    if let Some(deep) = deep.checked_sub(1) {
        match protocol {
            4 | 41 => return ip(bytes, deep),
            47 => return gre(bytes, deep),
            // VXLAN has a port of its own, before that Linux had another (RFC 7348, section 5).
            17 if matches!(half(bytes, 2)?, 4789 | 8472) && *bytes.get(8)? == 8 => {
                return ethernet(bytes.get(16..)?, deep);
            }
            _ => {}
        }
    }
    Some(Packet { from, to, payload: inner(protocol, bytes, length, id)? })
}

/// Generic routing encapsulation: which of its fields are there is said first (RFC 2784, RFC 2890;
/// of version 1 RFC 2637, section 4.1).
fn gre(bytes: &[u8], deep: u8) -> Option<Packet<'_>> {
    let (flags, kind) = (half(bytes, 0)?, half(bytes, 2)?);
    let fields = [0x8000, 0x2000, 0x1000, 0x0080].into_iter().filter(|field| flags & field != 0);
    let rest = bytes.get(4 + 4 * fields.count()..)?;
    match kind {
        // A mirrored frame, numbered if it has a header (draft-foschiano-erspan-03).
        0x88be => ethernet(rest.get(if flags & 0x1000 != 0 { 8 } else { 0 }..)?, deep),
        kind => ether(kind, rest, deep),
    }
}

fn inner(protocol: u8, bytes: &[u8], length: usize, id: u16) -> Option<Payload<'_>> {
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
                mark: if id == 0 { half(bytes, 16).unwrap_or(0) } else { id },
            }))
        }
        _ => Some(Payload::Other),
    }
}

impl Quoted<'_> {
    /// The echo request that the error is about.
    pub(super) fn echo(&self) -> Option<(Address, Address, Echo)> {
        match ip(self.0, 0)? {
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

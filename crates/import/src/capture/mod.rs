//! Packet captures: pcap and pcapng, as tcpdump, Wireshark and dumpcap write them.
//!
//! `files` takes the packets out of a file, `layers` finds the IP packet in a frame and the echo or
//! the segment in it, `echo` pairs requests with replies, `tcp` follows connections. What is read of
//! a capture is its echo pairs; each direction of a connection can be chosen instead. Times are
//! those of the capture, in micro- or nanoseconds. Lengths are those of the ICMP packet, of a segment
//! those of its data.

mod echo;
mod files;
mod layers;
mod tcp;
#[cfg(test)]
mod tests;

use crate::error::{ErrorKind, ImportError};
use crate::gather::Gathering;
use crate::import::{Import, Options};
use crate::index::{self, Index};
use crate::input::Input;
use crate::number::plural;
use files::{End, Ended};
use layers::{Packet, Payload};

pub(crate) const PCAP: &str = "pcap";
pub(crate) const PCAPNG: &str = "pcapng";

/// Micro- and nanoseconds, each in both byte orders, and what Linux's tcpdump wrote around 2000.
pub(crate) const PCAP_MARKS: &[&[u8]] = &[
    b"\xd4\xc3\xb2\xa1",
    b"\xa1\xb2\xc3\xd4",
    b"\x4d\x3c\xb2\xa1",
    b"\xa1\xb2\x3c\x4d",
    b"\x34\xcd\xb2\xa1",
];
pub(crate) const PCAPNG_MARKS: &[&[u8]] = &[b"\x0a\x0d\x0d\x0a"];

/// Both ends of an exchange, and what tells it from others between them: ports or an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    ends: [layers::Address; 2],
    marks: [u16; 2],
}

/// The places of exchanges by their keys.
#[derive(Debug, Default)]
struct Table {
    index: Index,
    keys: Vec<(Key, usize)>,
    /// What was asked for last: packets of one exchange come together.
    last: usize,
}

impl Table {
    fn find(&mut self, key: &Key) -> Option<usize> {
        if self.keys.get(self.last).is_none_or(|(last, _)| last != key) {
            self.last = self.index.find(key.hash(), &|i| self.keys[i].0 == *key)?;
        }
        Some(self.keys[self.last].1)
    }

    /// From now on the key is found at `place`.
    fn set(&mut self, key: Key, place: usize) {
        if self.find(&key).is_some() {
            self.keys[self.last].1 = place;
            return;
        }
        self.last = self.keys.len();
        self.index.add(key.hash(), self.last);
        self.keys.push((key, place));
    }
}

impl Key {
    fn hash(&self) -> u32 {
        let ends = index::hash(self.ends.as_flattened());
        self.marks.iter().fold(ends, |hash, mark| (hash ^ u32::from(*mark)).wrapping_mul(0x9e37_79b1))
    }
}

pub(crate) fn read_pcap(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    read(input, options, PCAP)
}

pub(crate) fn read_pcapng(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    read(input, options, PCAPNG)
}

fn read(input: &Input<'_>, options: &Options, format: &'static str) -> Result<Import, ImportError> {
    let mut g = Gathering::new(format);
    g.dated = true;
    let mut echoes = echo::Echoes::default();
    let mut flows = tcp::Flows::default();
    let mut seen = Seen::default();
    let bytes = input.bytes();
    let ended = files::packets(bytes, format == PCAPNG, &mut |frame, at| {
        seen.packets += 1;
        match layers::packet(frame.link, frame.bytes) {
            Ok(Packet { from, to, payload: Payload::Echo(echo) }) => {
                echoes.add(&mut g, frame.at, from, to, &echo);
            }
            Ok(Packet { payload: Payload::Failed(inner), .. }) => echoes.failed(&mut g, &inner),
            Ok(Packet { from, to, payload: Payload::Segment(segment) }) => {
                flows.add(frame.at, from, to, &segment);
            }
            Ok(_) => {}
            Err(layers::Unknown::Link(link)) => {
                seen.unread += 1;
                seen.link = Some(link);
            }
            Err(layers::Unknown::Damaged) => seen.damaged += 1,
            Err(layers::Unknown::Encrypted) => seen.encrypted += 1,
        }
        if seen.packets % 4096 == 0 { input.progress(at, bytes.len()) } else { Ok(()) }
    })?;
    flows.finish(&mut g);
    if let Some(link) = seen.link {
        let what =
            format!("not read: {} of link type {}", plural(seen.unread, "packet"), layers::link_name(link));
        g.notes.push(0, what);
    }
    for (n, one, what) in [
        (seen.damaged, "packet", "cut within its headers, or damaged"),
        (seen.encrypted, "packet", "encrypted, and not read"),
        (echoes.orphans, "answer", "without a request in the capture, and not used"),
        (
            echoes.backward,
            "answer",
            "earlier than its request, so received without a time: the clock was set back, or `reordercap` puts the packets in order",
        ),
        (
            echoes.copies,
            "request",
            "there twice within a millisecond, as on two interfaces or ports, and counted once",
        ),
        (echoes.beyond, "request", "of so many runs that these are not followed"),
        (ended.timeless, "packet", "without a time, and not used"),
        (ended.faulty, "block", "damaged, or of an interface that is not described, and not read"),
    ] {
        if n > 0 {
            g.notes.push(0, format!("{}: {what}", plural(n, one)));
        }
    }
    match ended.end {
        End::Whole => {}
        End::Cut => g.notes.push(0, "the capture ends within a packet: it was cut"),
        End::Damaged(at) => {
            let n = plural(seen.packets, "packet");
            g.notes.push(0, format!("the capture is damaged at byte {at}: the {n} before that are read"));
        }
    }
    if g.parts.is_empty() && g.flows.is_empty() {
        return Err(nothing(&seen, &ended, echoes.orphans));
    }
    let asked: u64 = g.parts.iter().filter(|p| p.probes).map(|p| p.len() as u64).sum();
    if asked > 0 && !echoes.answered {
        let n = plural(asked, "request");
        g.notes
            .push(0, format!("no answer to any of {n}: the host was silent, or one direction was captured"));
    }
    g.import(options)
}

/// A capture without a time of any kind: why, and what to do.
fn nothing(seen: &Seen, ended: &Ended, orphans: u64) -> ImportError {
    let packets = plural(seen.packets, "packet");
    let (what, advice) = if let Some(link) = seen.link.filter(|_| seen.unread == seen.packets) {
        let link = layers::link_name(link);
        (format!("The capture is of link type {link}, which is not read."), INTERFACE)
    } else if let End::Damaged(at) = ended.end {
        let what = format!("The capture is damaged at byte {at}, behind {packets} without echoes and TCP.");
        (what, "try what `editcap -F pcapng FILE NEW` makes of it")
    } else if seen.encrypted > 0 {
        let n = plural(seen.encrypted, "encrypted packet");
        (format!("The capture has no echoes and no TCP, but {n}."), INTERFACE)
    } else if orphans > 0 {
        let n = plural(orphans, "echo answer");
        (format!("The capture has {n} without the requests, and no TCP."), "capture both directions")
    } else if seen.damaged > 0 && seen.damaged == seen.packets {
        let what = format!("Of the {packets} in the capture, none has whole headers.");
        (what, "capture 128 bytes of each or more, as with `-s 128`")
    } else if seen.packets > 0 {
        let what = format!("The capture of {packets} has no echoes and no TCP.");
        (what, "capture with a filter such as `icmp or icmp6 or tcp`")
    } else if ended.timeless > 0 {
        let what = format!("The capture of {} has no times.", plural(ended.timeless, "packet"));
        (what, "capture with tcpdump or dumpcap")
    } else if ended.faulty > 0 {
        let n = plural(ended.faulty, "block");
        let what = format!("The capture has {n}, damaged or of interfaces that are not described.");
        (what, "write it anew with the tool it is from")
    } else if matches!(ended.end, End::Cut) {
        ("The capture ends before its first packet does.".to_owned(), "copy the whole file")
    } else {
        ("The capture holds no packets.".to_owned(), "capture while a ping or a download runs")
    };
    ImportError::new(ErrorKind::NoSamples, what).advise(advice)
}

const INTERFACE: &str = "capture on an interface that carries IP, without monitor mode";

/// What went by.
#[derive(Default)]
struct Seen {
    packets: u64,
    damaged: u64,
    encrypted: u64,
    /// Packets of a kind of frame that is not read, and the last such kind.
    unread: u64,
    link: Option<i32>,
}

//! Captures written here packet by packet.

use std::ops::ControlFlow;

use crate::{Choice, ErrorKind, Import, Options, PartKind, read, read_with_progress};

/// A file of packets with their times in microseconds.
fn pcap(link: u32, packets: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut out = 0xa1b2_c3d4_u32.to_le_bytes().to_vec();
    out.extend([2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0]);
    out.extend(link.to_le_bytes());
    for (at, packet) in packets {
        let n = u32::try_from(packet.len()).unwrap();
        for word in [u32::try_from(at / 1_000_000).unwrap() + 1_796_034_244, (at % 1_000_000) as u32, n, n] {
            out.extend(word.to_le_bytes());
        }
        out.extend(packet);
    }
    out
}

/// Blocks of pcapng in one byte order.
#[derive(Clone, Copy)]
struct Blocks {
    big: bool,
}

impl Blocks {
    fn words(self, words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|w| if self.big { w.to_be_bytes() } else { w.to_le_bytes() }).collect()
    }

    fn block(self, kind: u32, body: &[u8]) -> Vec<u8> {
        let mut body = body.to_vec();
        body.resize(body.len().next_multiple_of(4), 0);
        let length = u32::try_from(body.len() + 12).unwrap();
        [self.words(&[kind, length]), body, self.words(&[length])].concat()
    }

    fn section(self) -> Vec<u8> {
        let version = if self.big { 0x1_0000 } else { 1 };
        self.block(0x0a0d_0d0a, &self.words(&[0x1a2b_3c4d, version, u32::MAX, u32::MAX]))
    }

    /// `options` are numbers with values of eight octets.
    fn interface(self, link: u32, options: &[(u32, u64)]) -> Vec<u8> {
        let halves = |high: u32, low: u32| if self.big { high << 16 | low } else { low << 16 | high };
        let mut words = vec![halves(link, 0), 0];
        for &(code, value) in options {
            let (high, low) = ((value >> 32) as u32, value as u32);
            // A resolution is one octet.
            let octet = if self.big { low << 24 } else { low };
            match code {
                9 => words.extend([halves(code, 1), octet]),
                _ if self.big => words.extend([halves(code, 8), high, low]),
                _ => words.extend([halves(code, 8), low, high]),
            }
        }
        self.block(1, &self.words(&words))
    }

    fn packet(self, interface: u32, ticks: u64, packet: &[u8]) -> Vec<u8> {
        let n = u32::try_from(packet.len()).unwrap();
        let head = [interface, (ticks >> 32) as u32, ticks as u32, n, n];
        self.block(6, &[&self.words(&head)[..], packet].concat())
    }
}

const LITTLE: Blocks = Blocks { big: false };
const BIG: Blocks = Blocks { big: true };
/// Microseconds since 1970.
const T: u64 = 1_796_034_244_000_000;

fn ipv4(from: u8, to: u8, protocol: u8, payload: &[u8]) -> Vec<u8> {
    let total = u16::try_from(20 + payload.len()).unwrap().to_be_bytes();
    let head = [0x45, 0, total[0], total[1], 0, 0, 0x40, 0, 64, protocol, 0, 0];
    [&head[..], &[192, 0, 2, from, 192, 0, 2, to], payload].concat()
}

fn echo(from: u8, to: u8, kind: u8, seq: u16) -> Vec<u8> {
    let s = seq.to_be_bytes();
    ipv4(from, to, 1, &[&[kind, 0, 0, 0, 0x12, 0x34, s[0], s[1]][..], &[7; 56]].concat())
}

fn segment(from: u8, to: u8, seq: u32, ack: u32, flags: u8, octets: usize) -> Vec<u8> {
    let ports = if from < to { [0x9c, 0x40, 0, 80] } else { [0, 80, 0x9c, 0x40] };
    let head = [&ports[..], &seq.to_be_bytes(), &ack.to_be_bytes(), &[0x50, flags, 4, 0, 0, 0, 0, 0]];
    ipv4(from, to, 6, &[&head.concat()[..], &vec![0; octets]].concat())
}

fn import(bytes: &[u8]) -> Import {
    read(bytes, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn counts(i: &Import) -> (u64, u64, u64, u64) {
    let c = &i.counts;
    (c.sent.unwrap(), c.received.unwrap(), c.duplicates.unwrap(), c.errors)
}

#[test]
fn replies_are_paired_with_their_requests() {
    let file = pcap(
        101,
        &[
            (0, echo(1, 10, 8, 1)),
            (20_000, echo(10, 1, 0, 1)),
            (1_000_000, echo(1, 10, 8, 2)),
            (2_000_000, echo(1, 10, 8, 3)),
            (2_030_000, echo(10, 1, 0, 3)),
            (2_031_000, echo(10, 1, 0, 3)),
            (2_500_000, echo(10, 1, 0, 9)),
        ],
    );
    let i = import(&file);
    assert_eq!(counts(&i), (3, 2, 1, 0));
    assert_eq!(i.delays_in_file_order(), [20.0, 30.0]);
    assert_eq!((i.trace.octets(0), i.started_ns), (Some(64), Some(1_796_034_244_000_000_000)));
    assert_eq!(i.parts[0].name, "192.0.2.10 id 4660");
    assert!(i.trace.notes.iter().any(|n| n.text.contains("without a request")));
}

#[test]
fn numbers_that_come_again_are_other_probes() {
    let mut packets = Vec::new();
    for (k, seq) in [65_535, 0, 65_535, 0].into_iter().enumerate() {
        let at = k as u64 * 1_000_000;
        packets.push((at, echo(1, 10, 8, seq)));
        packets.push((at + 5000, echo(10, 1, 0, seq)));
    }
    assert_eq!(counts(&import(&pcap(101, &packets))), (4, 4, 0, 0));
}

#[test]
fn an_icmp_error_is_no_reply() {
    let request = echo(1, 10, 8, 1);
    let error = ipv4(9, 1, 1, &[&[3, 1, 0, 0, 0, 0, 0, 0][..], &request[..28]].concat());
    let i = import(&pcap(101, &[(0, request), (900, error)]));
    assert_eq!(counts(&i), (1, 0, 0, 1));
}

#[test]
fn packets_are_found_in_any_frame() {
    let both = |wrap: &dyn Fn(&[u8]) -> Vec<u8>| {
        vec![(0, wrap(&echo(1, 10, 8, 1))), (1500, wrap(&echo(10, 1, 0, 1)))]
    };
    let ethernet = |kind: &'static [u8]| move |p: &[u8]| [&[0; 12][..], kind, p].concat();
    let check = |link: u32, packets: &[(u64, Vec<u8>)]| {
        let i = import(&pcap(link, packets));
        assert_eq!((counts(&i), i.delays_in_file_order()), ((1, 1, 0, 0), vec![1.5]));
        // Cut anywhere before the number, the frame is no request.
        let frame = &packets[0].1;
        for end in 0..frame.len() - 57 {
            assert!(read(&pcap(link, &[(0, frame[..end].to_vec())]), &Options::default()).is_err());
        }
    };
    check(1, &both(&ethernet(&[8, 0])));
    check(1, &both(&ethernet(&[0x81, 0, 0, 5, 8, 0])));
    check(1, &both(&ethernet(&[0x88, 0xa8, 0, 5, 0x81, 0, 0, 6, 8, 0])));
    check(1, &both(&ethernet(&[0x88, 0x64, 0x11, 0, 0, 1, 0, 70, 0, 0x21])));
    check(113, &both(&|p| [&[0; 14][..], &[8, 0], p].concat()));
    check(276, &both(&|p| [&[8, 0][..], &[0; 18], p].concat()));
    check(0, &both(&|p| [&[2, 0, 0, 0][..], p].concat()));
    check(12, &both(&|p| p.to_vec()));
    // MPLS with two labels, 802.2, Cisco's HDLC.
    check(1, &both(&ethernet(&[0x88, 0x47, 0, 1, 0, 3, 0, 1, 1, 3])));
    check(1, &both(&ethernet(&[0, 92, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0])));
    check(100, &both(&|p| [&[0xaa, 0xaa, 3, 0, 0, 0, 8, 0][..], p].concat()));
    check(104, &both(&|p| [&[0x0f, 0, 8, 0][..], p].concat()));
    // PPP with and without what may be left out, behind a direction, behind a session.
    check(9, &both(&|p| [&[0x21][..], p].concat()));
    check(50, &both(&|p| [&[0xff, 3, 0, 0x21][..], p].concat()));
    check(166, &both(&|p| [&[1, 3, 0, 0x21][..], p].concat()));
    check(204, &both(&|p| [&[1, 0xff, 3, 0, 0x21][..], p].concat()));
    check(51, &both(&|p| [&[0x11, 0, 0, 1, 0, 86, 0, 0x21][..], p].concat()));
    // 802.11: data; data with quality of service behind a radio header.
    let logical = [0xaa, 0xaa, 3, 0, 0, 0, 8, 0];
    check(105, &both(&|p| [&[8, 1][..], &[0; 22], &logical, p].concat()));
    check(127, &both(&|p| [&[0, 0, 8, 0, 0, 0, 0, 0, 0x88, 1][..], &[0; 24], &logical, p].concat()));
    check(239, &both(&|p| [&[2, 0, 0, 0, 8, 0, 1, 0, 8, 0, 1, 0, 88, 0, 9, 0][..], p].concat()));
    check(258, &both(&|p| [&[12, 0, 0, 0, 1, 0, 0, 0, 12, 0, 0, 0][..], p].concat()));
}

#[test]
fn packets_are_found_in_tunnels_but_not_in_endless_ones() {
    let check = |wrap: &dyn Fn(&[u8]) -> Vec<u8>, found: bool| {
        let file = pcap(101, &[(0, wrap(&echo(1, 10, 8, 1))), (1500, wrap(&echo(10, 1, 0, 1)))]);
        let delays = read(&file, &Options::default()).map(|i| i.delays_in_file_order());
        assert_eq!(delays.ok(), found.then(|| vec![1.5]));
    };
    check(&|p| ipv4(3, 4, 4, p), true);
    check(&|p| ipv4(3, 4, 47, &[&[0, 0, 8, 0][..], p].concat()), true);
    check(&|p| ipv4(3, 4, 47, &[&[0x30, 0, 8, 0, 0, 0, 0, 5, 0, 0, 0, 1][..], p].concat()), true);
    let frame = |p: &[u8]| [&[0; 12][..], &[8, 0], p].concat();
    check(&|p| ipv4(3, 4, 47, &[&[0, 0, 0x65, 0x58][..], &frame(p)].concat()), true);
    let port = [0x9c, 0x40, 0x12, 0xb5, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 9, 0];
    check(&|p| ipv4(3, 4, 17, &[&port[..], &frame(p)].concat()), true);
    check(&|p| (0..3000).fold(p.to_vec(), |p, _| ipv4(3, 4, 4, &p)), false);
}

#[test]
fn both_byte_orders_of_pcapng_and_any_unit_of_time_are_read() {
    let (ask, answer) = (echo(1, 10, 8, 1), echo(10, 1, 0, 1));
    let check = |blocks: Blocks, options: &[(u32, u64)], ticks: [u64; 2], ms: f64| {
        let packets = [blocks.packet(0, ticks[0], &ask), blocks.packet(0, ticks[1], &answer)];
        let file = [blocks.section(), blocks.interface(101, options), packets.concat()].concat();
        let i = import(&file);
        assert_eq!((i.delays_in_file_order(), i.started_ns), (vec![ms], Some(1_796_034_244_000_000_000)));
        assert_eq!(i.trace.notes.len(), 0);
    };
    for blocks in [LITTLE, BIG] {
        check(blocks, &[], [T, T + 250], 0.25);
        check(blocks, &[(9, 9)], [T * 1000, T * 1000 + 250], 0.000_25);
        check(blocks, &[(9, 0x8a)], [(T / 1_000_000) << 10, ((T / 1_000_000) << 10) + 256], 250.0);
        let earlier = (-3600_i64).cast_unsigned();
        check(blocks, &[(14, earlier)], [T + 3_600_000_000, T + 3_600_000_250], 0.25);
    }
}

#[test]
fn sections_and_interfaces_have_their_own_order_and_kind() {
    let frame = [&[0; 12][..], &[8, 0], &echo(10, 1, 0, 1)].concat();
    let mut old = BIG.words(&[1 << 16, (T >> 32) as u32, T as u32 + 2000, 84, 84]);
    old.extend(echo(10, 1, 0, 2));
    let file = [
        LITTLE.section(),
        LITTLE.interface(101, &[]),
        LITTLE.interface(1, &[(9, 9)]),
        LITTLE.packet(0, T, &echo(1, 10, 8, 1)),
        // A name, then a comment of nobody.
        LITTLE.block(4, &[0; 8]),
        LITTLE.packet(1, T * 1000 + 500, &frame),
        BIG.section(),
        BIG.interface(1, &[]),
        BIG.interface(101, &[]),
        BIG.packet(1, T + 1000, &echo(1, 10, 8, 2)),
        // A packet as it was written before 2009.
        BIG.block(2, &old),
        BIG.block(0x0bad, &[0; 9]),
    ];
    let i = import(&file.concat());
    assert_eq!((i.delays_in_file_order(), i.trace.notes.len()), (vec![0.0005, 1.0], 0));
}

#[test]
fn a_bad_block_costs_that_block_and_a_bad_length_what_follows() {
    let good = |seq, at| {
        [LITTLE.packet(0, T + at, &echo(1, 10, 8, seq)), LITTLE.packet(0, T + at + 5, &echo(10, 1, 0, seq))]
            .concat()
    };
    let check = |bad: &[u8], received: u64, note: &str| {
        let begin = [LITTLE.section(), LITTLE.interface(101, &[]), good(1, 0)].concat();
        let i = import(&[&begin[..], bad, &good(2, 9000)].concat());
        assert_eq!(counts(&i), (received, received, 0, 0));
        let notes: Vec<_> = i.trace.notes.iter().map(|n| &n.text[..]).collect();
        assert_eq!(notes, [note]);
    };
    let faulty = "1 block: damaged, or of an interface that is not described, and not read";
    check(&LITTLE.packet(7, T, &[0; 40]), 2, faulty);
    check(&LITTLE.block(6, &LITTLE.words(&[0, 0, 0, 4000, 4000])), 2, faulty);
    check(&LITTLE.block(1, &[1]), 2, faulty);
    check(&LITTLE.block(3, &[0; 44]), 2, "1 packet: without a time, and not used");
    let lost = "the capture is damaged at byte 280: the 2 packets before that are read";
    check(&LITTLE.words(&[6, 0xffff_fffc]), 1, lost);
    check(&LITTLE.words(&[6, 0]), 1, lost);
    check(&LITTLE.words(&[6, 12, 13]), 1, lost);
    check(&LITTLE.words(&[0x0a0d_0d0a, 12, 12]), 1, lost);
}

#[test]
fn a_capture_of_either_kind_may_end_anywhere() {
    let (ask, answer) = (echo(1, 10, 8, 1), echo(10, 1, 0, 1));
    let packets = [LITTLE.packet(0, T, &ask), LITTLE.packet(0, T + 5, &answer)].concat();
    let ng = [LITTLE.section(), LITTLE.interface(101, &[]), packets].concat();
    for whole in [ng, pcap(101, &[(0, ask), (5, answer)])] {
        for end in 4..whole.len() {
            match read(&whole[..end], &Options::default()) {
                Ok(i) => {
                    assert!(counts(&i).1 == 0 && i.trace.notes.iter().any(|n| n.text.contains("request")));
                }
                Err(e) => assert!(matches!(e.kind, ErrorKind::NoSamples | ErrorKind::Refused), "{e}"),
            }
        }
        assert_eq!(counts(&import(&whole)), (1, 1, 0, 0));
    }
}

#[test]
fn the_reading_can_be_stopped() {
    let packets: Vec<_> = (0..9000).map(|i| (i * 10, echo(1, 10, 8, i as u16))).collect();
    let file = pcap(101, &packets);
    let mut told = Vec::new();
    let stopped = read_with_progress(&file, &Options::default(), &mut |done| {
        told.push(done);
        if told.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(stopped.unwrap_err().kind, ErrorKind::Cancelled);
    assert!(told.len() == 2 && (0.4..0.5).contains(&told[0]) && (0.9..0.92).contains(&told[1]), "{told:?}");
}

#[test]
fn what_was_captured_twice_counts_once() {
    let mut packets = Vec::new();
    for seq in 0..3 {
        let at = u64::from(seq) * 1_000_000;
        for (after, packet) in [(0, echo(1, 10, 8, seq)), (9000, echo(10, 1, 0, seq))] {
            packets.extend([(at + after, packet.clone()), (at + after + 30, packet)]);
        }
    }
    let i = import(&pcap(101, &packets));
    assert_eq!((counts(&i), i.delays_in_file_order()), ((3, 3, 0, 0), vec![9.0; 3]));
    let twice = |id: [u8; 2]| {
        let data = |id: u8| {
            let mut p = segment(1, 2, 101, 501, 0x18, 50);
            p[5] = id;
            p
        };
        import(&pcap(101, &[(0, data(id[0])), (40, data(id[1])), (35_000, segment(2, 1, 501, 151, 0x10, 0))]))
    };
    let told = |id| {
        let i = twice(id);
        (i.flows[0].packets, i.flows[0].retransmissions, i.trace.notes.len())
    };
    // The same packet, then another with the same data.
    assert_eq!((told([7, 7]), told([7, 8])), ((2, 0, 2), (3, 1, 3)));
}

#[test]
fn a_group_answers_from_many_addresses() {
    let mut packets = vec![(0, echo(1, 255, 8, 1))];
    packets.extend((20..23).map(|host| (u64::from(host) * 1000, echo(host, 1, 0, 1))));
    let i = import(&pcap(101, &packets));
    assert_eq!((counts(&i), i.delays_in_file_order()), ((1, 1, 2, 0), vec![20.0]));
    assert_eq!(i.parts[0].name, "192.0.2.255 id 4660");
}

#[test]
fn an_answer_before_its_request_is_received() {
    let check = |asked: u64, answered: u64, delays: &[f64], noted: bool| {
        let i = import(&pcap(101, &[(answered, echo(10, 1, 0, 1)), (asked, echo(1, 10, 8, 1))]));
        assert_eq!((counts(&i), &i.delays_in_file_order()[..]), ((1, 1, 0, 0), delays));
        assert_eq!(i.trace.notes.iter().any(|n| n.text.contains("earlier than its request")), noted);
    };
    // Written in the wrong order; at the wrong time.
    check(1000, 3000, &[2.0], false);
    check(3000, 1000, &[], true);
    // An answer long before belongs to another request.
    let i = import(&pcap(101, &[(0, echo(10, 1, 0, 1)), (900_000, echo(1, 10, 8, 1))]));
    assert_eq!(counts(&i), (1, 0, 0, 0));
    // A clock that was set back.
    let i = import(&pcap(101, &[(5_000_000, echo(1, 10, 8, 1)), (20_000, echo(10, 1, 0, 1))]));
    assert_eq!((counts(&i), i.counts.replies_without_time), ((1, 1, 0, 0), 1));
}

#[test]
fn a_flood_leaves_room_for_what_was_answered() {
    let syn = |i: u32| {
        let mut p = segment(1, 2, i, 0, 2, 0);
        p[12..16].copy_from_slice(&(0x0a00_0000 + i).to_be_bytes());
        (u64::from(i), p)
    };
    let mut packets = vec![
        (0, segment(1, 2, 100, 0, 2, 0)),
        (30_000, segment(2, 1, 500, 101, 0x12, 0)),
        (30_010, segment(1, 2, 101, 501, 0x10, 0)),
    ];
    packets.extend((0..(1 << 18) + 50).map(syn));
    packets
        .extend([(900_000, segment(1, 2, 101, 501, 0x18, 50)), (935_000, segment(2, 1, 501, 151, 0x10, 0))]);
    let i = import(&pcap(101, &packets));
    assert_eq!((i.flows.len(), i.flows[0].packets, i.flows[1].stream), (52, 5, 1 << 18));
    assert!(i.trace.notes.iter().any(|n| n.text.starts_with("262143 connections of 262195 that began")));
    let asks = (0..(1_u32 << 17) + 9).map(|i| {
        let mut p = echo(1, 10, 8, 1);
        p[12..16].copy_from_slice(&(0x0a00_0000 + i).to_be_bytes());
        (u64::from(i), p)
    });
    let i = import(&pcap(101, &asks.collect::<Vec<_>>()));
    assert_eq!(i.parts.len(), 1 << 17);
    assert!(i.trace.notes[0].text.starts_with("9 requests: of so many runs"));
}

#[test]
fn an_empty_capture_says_why_and_what_to_do() {
    let check = |file: &[u8], expected: &str| {
        let error = read(file, &Options::default()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    let one = |link, packet: &[u8]| pcap(link, &[(0, packet.to_vec())]);
    check(&pcap(1, &[])[..20], "The capture ends within its header: copy the whole file");
    check(&pcap(1, &[]), "The capture holds no packets: capture while a ping");
    check(&one(1, &[0; 60])[..60], "The capture ends before its first packet does: copy the whole file");
    check(&one(189, &[0; 60]), "The capture is of link type 189 (USB), which is not read: capture on an");
    check(
        &one(105, &[0x08, 0x41, 0, 0]),
        "The capture has no echoes and no TCP, but 1 encrypted packet: cap",
    );
    check(&one(101, &echo(10, 1, 0, 1)), "The capture has 1 echo answer without the requests, and no TCP: ");
    check(
        &one(101, &echo(1, 10, 8, 1)[..15]),
        "Of the 1 packet in the capture, none has whole headers: captu",
    );
    check(
        &one(101, &ipv4(1, 2, 17, &[0; 8])),
        "The capture of 1 packet has no echoes and no TCP: capture with",
    );
    let damaged = [&one(101, &ipv4(1, 2, 17, &[0; 8]))[..], &[0xff; 40]].concat();
    check(&damaged, "The capture is damaged at byte 68, behind 1 packet without echoes and TCP: try what");
    check(
        &[LITTLE.section(), LITTLE.interface(1, &[]), LITTLE.block(3, &[0; 44])].concat(),
        "The capture of 1 packet has no times: capture with tcpdump or dumpcap",
    );
    check(
        &[LITTLE.section(), LITTLE.packet(0, T, &[0; 44])].concat(),
        "The capture has 1 block, damaged or of interfaces that are not described: write it anew",
    );
}

#[test]
fn the_other_byte_order_and_nanoseconds_are_read() {
    let little = pcap(101, &[(0, echo(1, 10, 8, 1)), (7, echo(10, 1, 0, 1))]);
    let mut big = Vec::new();
    let swap = |out: &mut Vec<u8>, bytes: &[u8]| bytes.chunks(4).for_each(|w| out.extend(w.iter().rev()));
    swap(&mut big, &little[..4]);
    big.extend([0, 2, 0, 4]);
    swap(&mut big, &little[8..24]);
    for record in little[24..].chunks(16 + 84) {
        swap(&mut big, &record[..16]);
        big.extend(&record[16..]);
    }
    assert_eq!(import(&big).delays_in_file_order(), [0.007]);
    let mut nano = little;
    nano[..4].copy_from_slice(&0xa1b2_3c4d_u32.to_le_bytes());
    assert_eq!(import(&nano).delays_in_file_order(), [0.000_007]);
}

#[test]
fn a_connection_gives_times_to_its_acknowledgements() {
    let file = pcap(
        101,
        &[
            (0, segment(1, 2, 100, 0, 2, 0)),
            (30_000, segment(2, 1, 500, 101, 0x12, 0)),
            (30_010, segment(1, 2, 101, 501, 0x10, 0)),
            (30_020, segment(1, 2, 101, 501, 0x18, 50)),
            (65_020, segment(2, 1, 501, 151, 0x10, 0)),
            // Sent twice: the acknowledgement may be for either.
            (70_000, segment(1, 2, 151, 501, 0x18, 50)),
            (370_000, segment(1, 2, 151, 501, 0x18, 50)),
            (400_000, segment(2, 1, 501, 201, 0x10, 0)),
        ],
    );
    let i = import(&file);
    assert_eq!((i.trace.len(), i.counts.sent, i.flows.len()), (0, None, 1));
    let flow = &i.flows[0];
    assert_eq!((&flow.a[..], &flow.b[..]), ("192.0.2.1:40000", "192.0.2.2:80"));
    assert_eq!((flow.packets, flow.retransmissions), (8, 1));
    let by = |k: usize| (&flow.acked_by[k].by[..], flow.acked_by[k].n, flow.acked_by[k].max_ms);
    assert_eq!((by(0), by(1)), (("192.0.2.2:80", 3, 330.0), ("192.0.2.1:40000", 1, 0.01)));
    let options = Options { choice: Choice::One(0), ..Options::default() };
    let chosen = read(&file, &options).unwrap();
    assert_eq!((chosen.delays_in_file_order(), chosen.parts[0].kind), (vec![30.0, 35.0], PartKind::Flow));
    assert_eq!(chosen.trace.octets(1), Some(50));
    assert!(read(&file, &Options { choice: Choice::One(2), ..Options::default() }).is_err());
}

#[test]
fn data_that_were_acknowledged_are_a_retransmission_however_late_they_seem() {
    let check = |seq: u32, retransmissions: u64| {
        let file = pcap(
            101,
            &[
                (0, segment(1, 2, 100, 0, 2, 0)),
                (30_000, segment(2, 1, 500, 101, 0x12, 0)),
                (30_010, segment(1, 2, 101, 501, 0x10, 0)),
                // 50 octets are not there, 50 are acknowledged.
                (30_020, segment(1, 2, 151, 501, 0x18, 50)),
                (30_030, segment(1, 2, 251, 501, 0x18, 50)),
                (31_000, segment(2, 1, 501, 201, 0x10, 0)),
                (32_000, segment(1, 2, seq, 501, 0x18, 50)),
            ],
        );
        assert_eq!(import(&file).flows[0].retransmissions, retransmissions);
    };
    check(101, 1);
    check(201, 0);
}

#[test]
fn keep_alives_are_no_retransmissions_and_ports_may_come_again() {
    let file = pcap(
        101,
        &[
            (0, segment(1, 2, 100, 0, 2, 0)),
            (30_000, segment(2, 1, 500, 101, 0x12, 0)),
            (30_010, segment(1, 2, 101, 501, 0x10, 0)),
            (9_000_000, segment(1, 2, 100, 501, 0x10, 0)),
            (18_000_000, segment(1, 2, 100, 501, 0x10, 1)),
            (20_000_000, segment(1, 2, 7000, 0, 2, 0)),
        ],
    );
    let flows = import(&file).flows;
    assert_eq!(flows.iter().map(|f| (f.packets, f.retransmissions)).collect::<Vec<_>>(), [(5, 0), (1, 0)]);
}

#[test]
fn a_capture_may_be_cut_and_hold_only_the_first_bytes() {
    let mut packets = vec![(0, echo(1, 10, 8, 1)), (1500, echo(10, 1, 0, 1))];
    let whole = pcap(101, &packets);
    let i = import(&whole[..whole.len() - 5]);
    assert_eq!(counts(&i), (1, 0, 0, 0));
    assert!(i.trace.notes.iter().any(|n| n.text.contains("it was cut")));
    for (_, p) in &mut packets {
        p.truncate(28);
    }
    let i = import(&pcap(101, &packets));
    assert_eq!((counts(&i), i.trace.octets(0)), ((1, 1, 0, 0), Some(64)));
}

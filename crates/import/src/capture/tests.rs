//! Captures written here packet by packet.

use crate::{Choice, Import, Options, PartKind, read};

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
    };
    check(1, &both(&ethernet(&[8, 0])));
    check(1, &both(&ethernet(&[0x81, 0, 0, 5, 8, 0])));
    check(1, &both(&ethernet(&[0x88, 0xa8, 0, 5, 0x81, 0, 0, 6, 8, 0])));
    check(1, &both(&ethernet(&[0x88, 0x64, 0x11, 0, 0, 1, 0, 70, 0, 0x21])));
    check(113, &both(&|p| [&[0; 14][..], &[8, 0], p].concat()));
    check(276, &both(&|p| [&[8, 0][..], &[0; 18], p].concat()));
    check(0, &both(&|p| [&[2, 0, 0, 0][..], p].concat()));
    check(12, &both(&|p| p.to_vec()));
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

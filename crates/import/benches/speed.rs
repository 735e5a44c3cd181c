//! How fast files are read, and in how much memory: `cargo bench -p netspurt-import`.
//!
//! Each file is made here, by the same rule on every machine. Besides MB/s there are ratios to what
//! needs no understanding (finding the line ends) and to readers of the same bytes by others, which
//! hold on a slower machine too. The largest memory is what is allocated while reading, the trace
//! included and the file itself not, in parts of the file.

#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a bench prints what a clock shows")]
#![expect(unsafe_code, reason = "an allocator that counts")]
#![expect(clippy::unwrap_used, reason = "the files are made here")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use netspurt_import::{Options, read};

/// Octets of each file.
const SIZE: usize = 32_000_000;
const ROUNDS: usize = 7;

fn main() {
    println!("file          MB/s  ns/record  of a scan  of a peer                memory");
    row("ping", &ping(""), None);
    row("ping -D", &ping("[1796034244.814461] "), None);
    row("Windows ping", &windows(), None);
    row(
        "CSV, three",
        &csv(
            |i| {
                format!(
                    "{}.{:06},{},{}.{:03}",
                    1_796_034_244 + i / 5,
                    i % 5 * 200_000,
                    64 + i % 1400,
                    20 + i % 17,
                    i % 1000
                )
            },
            "t_s,octets,rtt_ms",
        ),
        Some(("csv crate", csv_crate)),
    );
    row(
        "CSV, one",
        &csv(|i| format!("{}.{:03}", 20 + i % 17, i * 7 % 1000), "rtt_ms"),
        Some(("csv crate", csv_crate)),
    );
    row("pcap, echo", &pcap(), Some(("pcap-parser", pcap_parser)));
    row("irtt (JSON)", &irtt(), None);
}

/// A reader to compare with, and its name.
type Peer = (&'static str, fn(&[u8]) -> usize);

fn row(name: &str, file: &[u8], peer: Option<Peer>) {
    let options = Options::default();
    let records = read(file, &options).unwrap().trace.len();
    let ours = fastest(|| read(file, &options).unwrap().trace.len());
    let scan = fastest(|| memchr::memchr_iter(b'\n', file).count());
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    black_box(read(file, &options).unwrap());
    let memory = (PEAK.load(Ordering::Relaxed) - before) as f64 / file.len() as f64;
    let peer = peer
        .map_or_else(String::new, |(name, read)| format!("{:.1} ({name})", ours / fastest(|| read(file))));
    println!(
        "{name:<12} {:5.0} {:10.1} {:10.1}  {peer:<24} {memory:.1}",
        file.len() as f64 / 1e6 / ours,
        ours / records as f64 * 1e9,
        ours / scan,
    );
}

/// Seconds of the fastest round.
fn fastest(mut run: impl FnMut() -> usize) -> f64 {
    let round = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

fn ping(stamp: &str) -> Vec<u8> {
    let mut text = "PING 192.0.2.10 (192.0.2.10) 56(84) bytes of data.\n".to_owned();
    let mut i = 1_u32;
    while text.len() < SIZE {
        let (ms, part) = (15 + i % 23, i * 7 % 10);
        writeln!(text, "{stamp}64 bytes from 192.0.2.10: icmp_seq={} ttl=57 time={ms}.{part} ms", i % 65_536)
            .unwrap();
        i += 1 + u32::from(i.is_multiple_of(97));
    }
    text.into_bytes()
}

fn windows() -> Vec<u8> {
    let mut text = "\nPinging 192.0.2.10 with 32 bytes of data:\n".to_owned();
    let mut i = 1_u32;
    while text.len() < SIZE {
        if i.is_multiple_of(97) {
            text.push_str("Request timed out.\n");
        } else {
            writeln!(text, "Reply from 192.0.2.10: bytes=32 time={}ms TTL=57", 15 + i % 23).unwrap();
        }
        i += 1;
    }
    text.into_bytes()
}

fn csv(line: impl Fn(usize) -> String, heading: &str) -> Vec<u8> {
    let mut text = heading.to_owned() + "\n";
    let mut i = 0;
    while text.len() < SIZE {
        text.push_str(&line(i));
        text.push('\n');
        i += 1;
    }
    text.into_bytes()
}

/// Requests and replies of 98 octets each.
fn pcap() -> Vec<u8> {
    let mut out = 0xa1b2_c3d4_u32.to_le_bytes().to_vec();
    out.extend([2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 1, 0, 0, 0]);
    let mut i = 0_u32;
    while out.len() < SIZE {
        for (kind, at, ends) in [(8, 0, [1, 10]), (0, 15_000 + i * 7 % 23_000, [10, 1])] {
            for word in [1_796_034_244 + i / 5, i % 5 * 200_000 + at, 98, 98] {
                out.extend(word.to_le_bytes());
            }
            out.extend([
                2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45, 0, 0, 84, 0, 0, 0x40, 0, 64, 1, 0, 0,
            ]);
            out.extend([192, 0, 2, ends[0], 192, 0, 2, ends[1], kind, 0, 0, 0, 0x12, 0x34]);
            out.extend(u16::try_from(i % 65_536).unwrap().to_be_bytes());
            out.extend([0; 56]);
        }
        i += 1;
    }
    out
}

fn irtt() -> Vec<u8> {
    let mut text =
        "{\"config\":{\"remote_address\":\"192.0.2.10:2112\",\"params\":{\"length\":60}},\"round_trips\":[\n"
            .to_owned();
    let mut i = 0_u64;
    while text.len() < SIZE {
        let sent = 1_796_034_244_000_000_000 + i * 200_000_000;
        let rtt = 15_000_000 + i * 7_919 % 9_000_000;
        let comma = if i > 0 { ",\n" } else { "" };
        write!(
            text,
            "{comma}{{\"seqno\":{i},\"lost\":\"false\",\"timestamps\":{{\"client\":{{\"receive\":{{\"wall\":{},\
             \"monotonic\":{}}},\"send\":{{\"wall\":{sent},\"monotonic\":{}}}}},\"server\":{{}}}},\
             \"delay\":{{\"receive\":{},\"rtt\":{rtt},\"send\":{}}},\"ipdv\":{{}}}}",
            sent + rtt, i * 200_000_000 + rtt, i * 200_000_000, rtt / 2, rtt - rtt / 2,
        )
        .unwrap();
        i += 1;
    }
    text.push_str("]}");
    text.into_bytes()
}

fn csv_crate(file: &[u8]) -> usize {
    let mut rows = csv::ReaderBuilder::new().has_headers(true).from_reader(file);
    let mut row = csv::ByteRecord::new();
    let mut sum = 0.0;
    while rows.read_byte_record(&mut row).unwrap() {
        for field in &row {
            sum += std::str::from_utf8(field).unwrap().parse::<f64>().unwrap();
        }
    }
    black_box(sum) as usize
}

fn pcap_parser(file: &[u8]) -> usize {
    let (mut rest, _) = pcap_parser::parse_pcap_header(file).unwrap();
    let mut n = 0;
    while let Ok((next, frame)) = pcap_parser::parse_pcap_frame(rest) {
        n += frame.data.len();
        rest = next;
    }
    n
}

/// What is allocated, and the most that was.
static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Where it moves, both are there for a while.
        let now = NOW.fetch_add(size, Ordering::Relaxed) + size;
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract of `realloc`.
        let moved = unsafe { System.realloc(pointer, layout, size) };
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        moved
    }
}

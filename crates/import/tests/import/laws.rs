//! Any bytes give a trace or an error, and what is counted adds up.

use std::ops::ControlFlow;

use netspurt_core::trace::Outcome;
use netspurt_import::{
    BadRows, Choice, ErrorKind, Import, Options, Reading, formats, preview, read, read_with_progress,
};
use proptest::prelude::*;

/// What must hold of every import.
fn consistent(i: &Import) {
    let c = &i.counts;
    let records = i.trace.len() as u64;
    let lost = i.trace.count(Outcome::Lost) as u64;
    let summarised = i.parts.iter().any(|p| p.records.is_empty() || p.printed.is_some());
    // Samples that are no probes are not counted as such.
    if let (Some(sent), Some(received)) = (c.sent, c.received) {
        assert!(received <= sent);
        assert_eq!(c.lost, Some(sent - received));
        if i.parts.iter().all(|p| p.counts.sent.is_some()) {
            assert!(summarised || (records, records - lost) == (sent, received));
        }
    }
    assert!(!i.trace.is_empty() || summarised || !i.flows.is_empty(), "without samples there is a summary");
    assert!(formats().iter().any(|f| f.id == i.format), "{}", i.format);
    assert!(i.trace.count(Outcome::Below) <= c.censored_lt.len());
    assert!(i.trace.count(Outcome::Untimed) as u64 <= c.replies_without_time);
    assert!(i.trace.sent().iter().all(|t| t.is_finite()));
    assert!(i.trace.delays().iter().all(|d| d.is_finite() && *d >= 0.0));
    assert_eq!(i.delays_in_file_order().len(), i.timed());
    assert!(i.trace.notes.len() < 1000);
    if let Some(arrivals) = &i.arrivals {
        let mut sorted = arrivals.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), arrivals.len());
        assert!(sorted.last().is_none_or(|i| u64::from(*i) < records));
    }
}

/// What must hold of all parts, and of each alone.
fn parts_are_consistent(bytes: &[u8], all: &Import) {
    let mut at = 0;
    for part in &all.parts {
        assert_eq!(part.records.start, at);
        at = part.records.end;
        if let (Some(sent), Some(received)) = (part.counts.sent, part.counts.received) {
            let outcomes = &all.trace.outcomes()[part.records.clone()];
            let answered = outcomes.iter().filter(|o| **o != Outcome::Lost).count();
            assert!(received <= sent && part.counts.lost == Some(sent - received));
            let shown = (outcomes.len() as u64, answered as u64);
            assert!(part.printed.is_some() || shown == (sent, received), "{shown:?}");
        }
    }
    assert_eq!(at, all.trace.len());
    for n in (0..all.parts.len()).take(4) {
        let options = Options { bad_rows: BadRows::LeaveOut, choice: Choice::One(n), ..Options::default() };
        match read(bytes, &options) {
            Ok(one) => {
                consistent(&one);
                // A table reads the column that is chosen.
                if one.table.is_none() {
                    assert_eq!(one.trace.outcomes()[..], all.trace.outcomes()[all.parts[n].records.clone()]);
                }
            }
            Err(e) => assert!(all.table.is_some(), "{e}"),
        }
    }
    let options = Options { choice: Choice::One(all.parts.len()), ..Options::default() };
    assert_eq!(read(bytes, &options).unwrap_err().kind, ErrorKind::NoSuchPart);
}

fn check(bytes: &[u8]) {
    for bad_rows in [BadRows::Ask, BadRows::Lost, BadRows::LeaveOut] {
        check_with(bytes, bad_rows);
    }
}

fn check_with(bytes: &[u8], bad_rows: BadRows) {
    let options = Options { bad_rows, ..Options::default() };
    match read(bytes, &options) {
        Ok(import) => {
            consistent(&import);
            if bad_rows == BadRows::LeaveOut {
                let all = read(bytes, &Options { choice: Choice::All, ..options.clone() }).unwrap();
                consistent(&all);
                parts_are_consistent(bytes, &all);
                assert!(all.trace.len() < 300_000 + bytes.len(), "gaps are bounded by what the file holds");
            }
            // What was decided about a table reads the same table, from its text too.
            if let Some(table) = &import.table {
                let reading: Reading = table.reading.to_string().parse().unwrap();
                assert_eq!(reading, table.reading);
                let again = read(bytes, &Options { reading: Some(reading), ..options.clone() }).unwrap();
                assert_eq!(again.trace.outcomes(), import.trace.outcomes());
                assert_eq!(again.trace.sent(), import.trace.sent());
                assert_eq!(preview(bytes, &options, 5).map(|p| p.table.names), Some(table.names.clone()));
            }
        }
        Err(e) => {
            let said = e.to_string();
            assert!(!said.is_empty() && !said.contains('\n') && said.len() < 2000, "{said}");
            assert!(e.place.is_none_or(|p| p.excerpt[p.marked].0 == p.line));
        }
    }
}

#[test]
fn every_beginning_of_a_sample_is_read_or_refused() {
    for file in super::sample_files() {
        let bytes = std::fs::read(&file).unwrap();
        // Fewer of large files.
        let cuts = (1_000_000 / bytes.len()).clamp(5, 60);
        for end in (0..bytes.len()).step_by(1 + bytes.len() / cuts) {
            check_with(&bytes[..end], BadRows::LeaveOut);
        }
        // The last bytes hold what ends a document.
        for end in bytes.len().saturating_sub(cuts / 4)..bytes.len() {
            check_with(&bytes[..end], BadRows::LeaveOut);
        }
    }
}

#[test]
fn a_long_reading_tells_how_far_it_is_and_can_be_cancelled() {
    let line =
        |i: u32| format!("64 bytes from 192.0.2.1: icmp_seq={} ttl=57 time=20.{} ms\n", i % 65_536, i % 10);
    let ping: String = (1..20_000).map(line).collect();
    let rows: Vec<String> = (0..20_000).map(|i| format!("{i},20.{}\n", i % 10)).collect();
    let table = rows.concat();
    let object = |i: u32| format!("{{\"resp\":{{\"host\":\"a\",\"seq\":{i},\"rtt\":20.5}}}}\n");
    let json: String = (0..20_000).map(object).collect();
    for text in [ping, table, json] {
        let mut told = Vec::new();
        let mut listen = |share: f64| {
            told.push(share);
            ControlFlow::Continue(())
        };
        read_with_progress(text.as_bytes(), &Options::default(), &mut listen).unwrap();
        assert!(told.len() >= 3 && told.is_sorted(), "{told:?}");
        assert!(told.iter().all(|share| (0.0..=1.0).contains(share)));
        let mut calls = 0;
        let mut cancel = |_| {
            calls += 1;
            ControlFlow::Break(())
        };
        let cancelled = read_with_progress(text.as_bytes(), &Options::default(), &mut cancel).unwrap_err();
        assert_eq!((cancelled.kind, calls), (ErrorKind::Cancelled, 1));
    }
}

/// Lines of many dialects, numbers left open.
const LINES: &[&str] = &[
    "PING a (192.0.2.1) 56(84) bytes of data.",
    "PING a (192.0.2.1): 56 data bytes",
    "64 bytes from 192.0.2.1: icmp_seq=# ttl=57 time=# ms",
    "[10000000#.5] 64 bytes from 192.0.2.1: icmp_seq=# ttl=57 time=#.5 ms (DUP!)",
    "64 bytes from 192.0.2.1: icmp_seq=# ttl=57",
    "64 bytes from ::1: seq=# ttl=57 time<# ms",
    "no answer yet for icmp_seq=#",
    "Request timeout for icmp_seq #",
    "From 192.0.2.9 icmp_seq=# Destination Host Unreachable",
    "--- a ping statistics ---",
    "# packets transmitted, # received, +# errors, #% packet loss, time #ms",
    "# packets transmitted, # packets received, # duplicates, #% packet loss",
    "rtt min/avg/max/mdev = #/#/#/# ms, pipe #",
    "Pinging 192.0.2.1 with 32 bytes of data:",
    "Reply from 192.0.2.1: bytes=# time=#ms TTL=57",
    "Reply from 192.0.2.9: TTL expired in transit.",
    "Request timed out.",
    "Something else",
    "    Packets: Sent = #, Received = #, Lost = # (#% loss),",
    "    Minimum = #ms, Maximum = #ms, Average = #ms",
    "ping: sendmsg: Network is unreachable",
    "",
];

/// Values of tables.
const FIELDS: &[&str] = &[
    "rtt",
    "t_s",
    "seq",
    "octets",
    "lost",
    "time",
    "1",
    "2",
    "3",
    "12.5",
    "0,5",
    "-1",
    "NaN",
    "inf",
    "",
    "*",
    "timeout",
    "abc",
    "1796034244.8",
    "2026-11-30 10:24:04",
    "10:24:05",
    "03/04/2026",
    "4294967295",
    "3600",
    "-0.5",
    "<1 ms",
    "\"",
    "\"a,b\"",
    "1e300",
    "99999999999999999999",
    "ms",
    "[s]",
    "?",
    "\"c\"\"d",
];

#[test]
fn texts_that_were_once_read_two_ways_are_read_one_way() {
    // A row longer than those of figures is no reason for another column.
    check(b"0\n\t<");
}

#[test]
fn runs_that_each_begin_far_on_are_bounded_together() {
    let run = "PING a (192.0.2.1) 56(84) bytes of data.\n64 bytes from 192.0.2.1: icmp_seq=88673 ttl=57 time=1 ms\n";
    check(run.repeat(20).as_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~\n\t;,é]{0,300}") {
        check(text.as_bytes());
    }

    #[test]
    fn any_order_of_lines_adds_up(
        picks in proptest::collection::vec((0..LINES.len(), 0_u32..12), 1..40),
        large in proptest::option::of((0_usize..40, any::<u64>().prop_map(|n| n >> (n % 50)))),
    ) {
        let mut text = String::new();
        for (k, (line, n)) in picks.iter().enumerate() {
            let n = match large {
                Some((at, large)) if k % 40 >= at => large.to_string(),
                _ => n.to_string(),
            };
            text += &LINES[*line].replace('#', &n);
            text.push('\n');
        }
        check(text.as_bytes());
    }

    #[test]
    fn any_table_adds_up(
        width in 1_usize..5,
        picks in proptest::collection::vec(0..FIELDS.len(), 1..60),
        separator in prop::sample::select(vec![",", ";", "\t", " ", "|"]),
    ) {
        let rows = picks.chunks(width).map(|r| r.iter().map(|i| FIELDS[*i]).collect::<Vec<_>>().join(separator));
        check(rows.collect::<Vec<_>>().join("\n").as_bytes());
    }

    /// Pieces of samples in any order: no format trusts what comes after what it knows.
    #[test]
    fn samples_cut_and_joined_are_read_or_refused(
        cuts in proptest::collection::vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0_usize..1500),
            1..4,
        ),
    ) {
        let files = super::sample_files();
        let mut bytes = Vec::new();
        for (pick, start, length) in cuts {
            let file = std::fs::read(&files[pick.index(files.len())]).unwrap();
            // The first piece is a beginning, so that its format is told.
            let start = if bytes.is_empty() { 0 } else { start.index(file.len()) };
            bytes.extend(&file[start..(start + length).min(file.len())]);
        }
        check_with(&bytes, BadRows::LeaveOut);
    }

    #[test]
    fn a_sample_with_a_few_bytes_changed_is_read_or_refused(
        pick in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let files = super::sample_files();
        let mut bytes = std::fs::read(&files[pick.index(files.len())]).unwrap();
        for (at, b) in changes {
            let at = at.index(bytes.len());
            bytes[at] = b;
        }
        check_with(&bytes, BadRows::LeaveOut);
    }
}

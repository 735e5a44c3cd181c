//! Any bytes give a trace or an error, and what is counted adds up.

use netspurt_core::trace::Outcome;
use netspurt_import::{BadRows, Import, Options, read};
use proptest::prelude::*;

/// What must hold of every import.
fn consistent(i: &Import) {
    let c = &i.counts;
    let (sent, received) = (c.sent.unwrap(), c.received.unwrap());
    assert!(received <= sent);
    assert_eq!(c.lost, Some(sent - received));
    let records = i.trace.len() as u64;
    let lost = i.trace.count(Outcome::Lost) as u64;
    assert!(records <= sent && records - lost <= received);
    assert!(!i.trace.is_empty() || i.printed.is_some(), "a trace without samples has a summary");
    let summarised = i.parts.iter().any(|p| p.records.is_empty() || p.printed.is_some());
    assert!(summarised || (records, records - lost) == (sent, received));
    assert_eq!(i.trace.count(Outcome::Below), c.censored_lt.len());
    assert!(i.trace.count(Outcome::Untimed) as u64 <= c.replies_without_time);
    assert!(i.trace.sent().iter().all(|t| t.is_finite()));
    assert!(i.trace.delays().iter().all(|d| d.is_finite() && *d >= 0.0));
    assert_eq!(i.delays_in_file_order().len(), i.timed());
    if let Some(arrivals) = &i.arrivals {
        let mut sorted = arrivals.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), arrivals.len());
        assert!(sorted.last().is_none_or(|i| u64::from(*i) < records));
    }
    let mut at = 0;
    for part in &i.parts {
        assert_eq!(part.records.start, at);
        at = part.records.end;
    }
    assert_eq!(at, i.trace.len());
    assert_eq!(i.parts.iter().filter(|p| p.usual).map(|p| p.counts.sent.unwrap()).sum::<u64>(), sent);
}

fn check(bytes: &[u8]) {
    for bad_rows in [BadRows::Ask, BadRows::Lost, BadRows::LeaveOut] {
        check_with(bytes, bad_rows);
    }
}

fn check_with(bytes: &[u8], bad_rows: BadRows) {
    match read(bytes, &Options { bad_rows, ..Options::default() }) {
        Ok(import) => {
            consistent(&import);
            assert!(import.trace.len() < 300_000 + bytes.len(), "gaps are bounded by what the file holds");
            // What was decided about a table reads the same table.
            if let Some(reading) = import.table.as_ref().map(|t| t.reading.clone()) {
                let options = Options { bad_rows, reading: Some(reading), ..Options::default() };
                let again = read(bytes, &options).unwrap();
                assert_eq!(again.trace.outcomes(), import.trace.outcomes());
                assert_eq!(again.trace.sent(), import.trace.sent());
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
        let step = 1 + bytes.len() / 100;
        for end in (0..bytes.len()).step_by(step) {
            check_with(&bytes[..end], BadRows::LeaveOut);
        }
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
        check(&bytes);
    }
}

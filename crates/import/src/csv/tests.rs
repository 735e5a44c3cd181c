use netspurt_core::trace::{Clock, Fate};

use super::{Column, Reading, Separator, Unit};
use crate::{BadRows, Import, ImportError, Options, Remedy, read};

fn with(text: &str, bad_rows: BadRows) -> Result<Import, ImportError> {
    read(text.as_bytes(), &Options { bad_rows, ..Options::default() })
}

fn import(text: &str) -> Import {
    with(text, BadRows::Ask).unwrap_or_else(|e| panic!("{e}"))
}

/// The records: `sent/octets/delay`, what is not known left out, lost as `-`, a bound as `<1`.
fn records(i: &Import) -> String {
    let one = |k: usize| {
        let r = i.trace.record(k);
        let sent = if i.trace.clock == Clock::Elapsed { format!("{}/", r.sent) } else { String::new() };
        let octets = r.octets.map_or(String::new(), |n| format!("{n}/"));
        let fate = match r.fate {
            Fate::Reply(ms) => ms.to_string(),
            Fate::Below(ms) => format!("<{ms}"),
            Fate::Lost => "-".to_owned(),
            Fate::Untimed => "?".to_owned(),
        };
        sent + &octets + &fate
    };
    assert_eq!(i.counts.sent, Some(i.trace.len() as u64));
    (0..i.trace.len()).map(one).collect::<Vec<_>>().join(" ")
}

fn check(text: &str, expected: &str) {
    assert_eq!(records(&import(text)), expected, "{text}");
}

fn notes(i: &Import) -> String {
    i.trace.notes.iter().map(|n| format!("{} {}", n.line, n.text)).collect::<Vec<_>>().join("\n")
}

#[test]
fn separators_and_headings_are_told_apart() {
    let expected = "0/64/12.4 1000/64/- 2000/40/13";
    check("t_s,octets,delay_ms\n0.0,64,12.4\n1.0,64,\n2.0,40,13\n", expected);
    check("t_s;octets;delay_ms\r\n0,0;64;12,4\r\n1,0;64;\r\n2,0;40;13,0\r\n", expected);
    check("t_s\toctets\tdelay_ms\n0.0\t64\t12.4\n1.0\t64\t\n2.0\t40\t13\n", expected);
    check("t_s|octets|delay_ms\n0.0|64|12.4\n1.0|64|\n2.0|40|13\n", expected);
    check("  t_s  octets delay_ms\n  0.0   64   12.4 \n1.0 64 *\n2.0 40 13\n", expected);
    check("t_s,delay_ms,octets\n0.0,12.4,64\n1.0,,64\n2.0,13,40\n", expected);
    check("sep=;\nt_s;octets;delay_ms\n0.0;64;12.4\n1.0;64;-\n2.0;40;13\n", expected);
    check("Exported by a tool\n\nt_s,octets,delay_ms\n0.0,64,12.4\n1.0,64,lost\n2.0,40,13\n", expected);
    check("\"t_s\",\"octets\",\"delay_ms\"\n\"0.0\",\"64\",\"12.4\"\n1.0,64,NaN\n2.0,40,13\n", expected);
    check("t_s,octets,delay_ms,note\n0.0,64,12.4,a\n1.0,64,-1,\"b, c\"\n2.0,40,13,\n", expected);
}

#[test]
fn without_a_heading_the_values_decide() {
    check("12.4\n13\n\n12.9\n", "12.4 13 12.9");
    check("0.0,12.4\n1.0,13\n2.5,12.9\n", "0/12.4 1000/13 2500/12.9");
    check("0.0,64,12.4\n1.0,40,13\n2.5,64,12.9\n", "0/64/12.4 1000/40/13 2500/64/12.9");
    check("1,12.4\n2,-\n3,12.9\n", "12.4 - 12.9");
    check("64,12.4\n256,33.1\n40,9.9\n", "64/12.4 256/33.1 40/9.9");
    check("2026-11-30 10:24:04,12.4\n2026-11-30 10:24:05,-\n", "0/12.4 1000/-");
    check("timeout\n12.4\n*\n", "- 12.4 -");
    check("22,2\n20,9\n19,1\n", "22.2 20.9 19.1");
    check("rtt\n22,2\n20,9\n", "22.2 20.9");
    check("12.4,13.1,-,12.9\n", "12.4 13.1 - 12.9");
    check("100 200 300", "100 200 300");
}

#[test]
fn epochs_and_dates_are_told_by_their_size_and_form() {
    // Both are 29 March 2021.
    for text in ["1616976024321,15", "1616976024,15"] {
        let i = import(text);
        assert_eq!(records(&i), "0/15");
        assert_eq!(i.started_ns.unwrap() / 1_000_000_000, 1_616_976_024);
    }
    check("1616976024321000,15\n1616976025321000,16\n", "0/15 1000/16");
    check("1616976024321000000,15\n1616976024321000500,16\n", "0/15 0.0005/16");
    check("when,rtt\n30.11.2026 10:24:04,5\n30.11.2026 10:24:05,6\n", "0/5 1000/6");
    check("time,rtt\n11/30/2026 10:24:04 PM,5\n12/1/2026 10:24:04 PM,6\n", "0/5 86400000/6");
    check("time,rtt\n30/11/2026 10:24,5\n1/12/2026 10:24,6\n", "0/5 86400000/6");
    check("time,rtt\n23:59:59.5,5\n00:00:00.5,6\n", "0/5 1000/6");
    check("2026-11-30T10:24:04.5+01:00,5\n2026-11-30T09:24:05.5Z,6\n", "0/5 1000/6");
    check("time_ms,rtt\n0,5\n20,6\n", "0/5 20/6");
    check("elapsed ms,time\n5,0\n7,1\n6,2\n", "0/5 1000/7 2000/6");
    // The newest first.
    check("time,rtt\n10:00:02,7\n10:00:01,6\n10:00:00,5\n", "0/5 1000/6 2000/7");
}

#[test]
fn units_are_read_where_stated_and_guessed_where_not() {
    check("rtt_us\n1500\n1600\n", "1.5 1.6");
    check("RTT (s)\n0.5\n", "500");
    check("latency_ns\n1500000\n", "1.5");
    check("rtt\n12.5 ms\n900 µs\n< 1 ms\n", "12.5 0.9 <1");
    let i = import("latency\n12000\n90000\n");
    assert_eq!(records(&i), "12 90");
    assert!(i.reading.as_ref().unwrap().delay.guessed);
    assert!(notes(&i).contains("delay column “latency” taken as µs: say so if it is not"));
    assert!(notes(&import("latency\n12\n")).contains("taken as ms: say so if it is not"));
    assert!(!notes(&import("latency_ms\n12\n")).contains("say so"));
}

#[test]
fn names_are_known_in_many_forms() {
    check("host,rtt_min,rtt_avg,rtt_max\na,1,2,3\nb,4,5,6\n", "1 4");
    check("seq,ttl,time\n1,57,22.2\n2,57,19.1\n3,57,20\n", "22.2 19.1 20");
    check("avg,rtt\n1,2\n3,4\n", "2 4");
    check("Zeitstempel;Latenz\n2026-01-01 00:00:00;5,5\n2026-01-01 00:00:01;6\n", "0/5.5 1000/6");
    check("время,задержка\n1.5,7\n2.5,8\n", "0/7 1000/8");
    // R writes no name above its row numbers.
    check("t_s rtt_ms\n1 0.0 5\n2 0.5 6\n", "0/5 500/6");
    check("Time (s)  RTT (ms)\n0.0 5\n0.5 6\n", "0/5 500/6");
}

#[test]
fn loss_has_many_marks() {
    for mark in ["NaN", "-1", "*", "timeout", "Request timed out.", "-", "N/A", "lost"] {
        check(&format!("seq,rtt_ms\n1,5\n2,{mark}\n3,6\n"), "5 - 6");
    }
    check("rtt_ms,lost\n5,0\n0,1\n6,0\n", "5 - 6");
    check("rtt_ms,status\n5,ok\n0,timeout\n6,ok\n", "5 - 6");
    check("rtt_ms,received\n5,1\n0,0\n6,1\n", "5 - 6");
    check("seq,rtt_ms\n1,\n2,\n", "- -");
    check("time,rtt_ms\n0,5\n,\n1,\n2,6\n", "0/5 1000/- 2000/6");
}

#[test]
fn what_is_no_delay_is_left_out_and_counted() {
    let i = import("rtt_ms,x\n5,a\n-0.3,b\ninf,c\n-1,d\n4294967295,e\n7,f\n");
    assert_eq!((records(&i), i.counts.left_out), ("5 7".to_owned(), 4));
    insta::assert_snapshot!(notes(&i), @r"
    0 columns not used: x
    4 left out: 1 infinite delay, here first
    3 left out: 2 negative delays, with -1, here first
    6 left out: 1 sentinel (3600, 2^32 − 1 or the like), here first
    ");
    let i = import("rtt_ms\n5\nNaN\n*\n7\n");
    assert_eq!((records(&i), i.counts.left_out), ("5 - 7".to_owned(), 1));
    let i = import("0.17\n3600\n3600\n0.18\n");
    assert_eq!((records(&i), i.counts.left_out), ("170 180".to_owned(), 2));
    assert!(notes(&i).contains("left out: 2 sentinels"));
    assert_eq!(import("0.17, 3600, 3600").counts.left_out, 2);
    check("rtt_ms\n3600\n3500\n3700\n", "3600 3500 3700");
}

#[test]
fn gaps_in_a_column_of_numbers_are_losses_where_no_row_says_so() {
    let i = import("icmp_seq,rtt_ms\n1,5\n2,6\n4,7\n4,9\n5,7\n");
    assert_eq!((records(&i), i.counts.duplicates), ("5 6 - 7 7".to_owned(), Some(1)));
    assert!(notes(&i).contains("lost: 1 number missing from “icmp_seq”"));
    check("icmp_seq,rtt_ms\n1,5\n2,-\n4,7\n", "5 - 7");
    check("seq,rtt_ms\n65534,5\n65535,6\n0,7\n1,8\n", "5 6 7 8");
    // A row that is left out is no gap, and a number past 65 535 no wrap.
    let text = "seq,rtt_ms\n1,5\n2\n3,7\n5,8\n";
    assert_eq!(records(&with(text, BadRows::LeaveOut).unwrap()), "5 7 - 8");
    assert_eq!(records(&with(text, BadRows::Lost).unwrap()), "5 - 7 - 8");
    check("seq,rtt_ms\n1,5\n2,-0.5\n3,7\n", "5 7");
    check("seq,rtt_ms\n99998,5\n99999,6\n100000,7\n3,8\n4,9\n5,9\n", "5 6 7 8 9 9");
    // Numbers that count no probes.
    check("id,rtt_ms\n7,5\n900,6\n3,7\n", "5 6 7");
}

const WIFI: &str = "seq,sent_s,delay_ms\n34,17.002,12.1\n35,17.502,12.8\n36,18.003,14.1\n37,18.504\n38,19.002,13.0\n39,19.502,13.1\n";

#[test]
fn a_row_cut_short_is_asked_about() {
    let e = with(WIFI, BadRows::Ask).unwrap_err();
    assert_eq!(
        e.what,
        "Line 5 has two values where the heading names three. The delay is missing: a lost packet, or a line cut \
         short. Nothing was guessed."
    );
    let place = e.place.as_ref().unwrap();
    let shown: Vec<_> = place.excerpt.iter().map(|(n, t)| format!("{n} {t}")).collect();
    assert_eq!(
        shown,
        ["1 seq,sent_s,delay_ms", "3 35,17.502,12.8", "4 36,18.003,14.1", "5 37,18.504", "6 38,19.002,13.0"]
    );
    assert_eq!((place.line, place.marked, &place.remark[..]), (5, 3, "delay_ms is missing"));
    assert_eq!(e.others.map(|o| (o.fine, o.bad)), Some((5, 0)));
    assert_eq!(
        e.remedies,
        [Remedy::CountAsLost, Remedy::LeaveOut, Remedy::ChooseColumns, Remedy::OpenAnother]
    );
    assert_eq!(
        e.to_string(),
        "Line 5 has two values where the heading names three. The delay is missing: a lost packet, or a line cut \
         short. Nothing was guessed: line 5 “37,18.504”: count it as a lost packet, leave the line out, choose the \
         columns again or open another file"
    );
}

#[test]
fn a_row_cut_short_is_lost_or_left_out_as_told() {
    let i = with(WIFI, BadRows::Lost).unwrap();
    assert_eq!(records(&i), "0/12.1 500/12.8 1001/14.1 1502/- 2000/13 2500/13.1");
    let i = with(WIFI, BadRows::LeaveOut).unwrap();
    assert_eq!((i.counts.sent, i.counts.left_out), (Some(5), 1));
    assert!(notes(&i).contains("5 two values where the heading names three, left out: “37,18.504”"));
}

#[test]
fn other_faults_are_asked_about_too() {
    for (text, expected) in [
        (
            "rtt_ms,octets\n5,64\nabc,64\n",
            "Line 3 has “abc” where a delay should be. Nothing was guessed: line 3 “abc,64”: count",
        ),
        ("5\nabc\n6\n", "Line 2 has “abc” where a delay should be. Nothing was guessed: line 2 “abc”: count"),
        (
            "rtt_ms,octets\n5,64\n6\n7,64\n",
            "Line 3 has one value where the heading names two. octets is missing: a line cut short. Nothing was guessed: line 3 “6”: count",
        ),
        (
            "rtt_ms,octets\n5,64\n6,7,64\n7,64\n",
            "Line 3 has three values where the heading names two. Nothing was guessed: line 3 “6,7,64”: count",
        ),
        (
            "0,5\n1\n2,6\n",
            "Line 2 has one value where the other lines have two. The delay is missing: a lost packet, or a line cut short. Nothing was guessed: line 2 “1”: count",
        ),
    ] {
        let e = with(text, BadRows::Ask).unwrap_err();
        assert!(e.to_string().starts_with(expected), "{e}");
    }
    let e = with("rtt_ms,octets\n5,64\nabc,64\n", BadRows::Ask).unwrap_err();
    assert_eq!(e.place.unwrap().column, Some(1));
}

#[test]
fn a_reading_can_be_shown_changed_and_forced() {
    let text = "a,b,c\n0,5,7000\n1,6,8000\n2,4,9000\n";
    let reading = import(text).reading.unwrap();
    assert_eq!(reading.names, ["a", "b", "c"]);
    let forced = Reading {
        delay: Column { index: 2, unit: Unit::Micros, guessed: false },
        time: Some(Column { index: 0, unit: Unit::Seconds, guessed: false }),
        seq: None,
        octets: Some(1),
        ..reading
    };
    let options = Options { reading: Some(forced.clone()), ..Options::default() };
    let i = read(text.as_bytes(), &options).unwrap();
    assert_eq!(records(&i), "0/5/7 1000/6/8 2000/4/9");
    assert_eq!(i.reading, Some(forced));
    // A column that is not there: every row is short.
    let mut reading = i.reading.unwrap();
    reading.delay.index = 9;
    let options = Options { reading: Some(reading), ..Options::default() };
    assert!(read(text.as_bytes(), &options).is_err());
}

#[test]
fn what_is_no_table_is_refused_with_its_first_line() {
    for text in [
        "Dear reader,\nthis is a letter.\nYours\n",
        "{\"rtt\": 5}\n",
        "[1, 2, 3]",
        "<html></html>",
        "name,city\na,b\nc,d\n",
        "192.0.2.1 : [0], 64 bytes, 39.8 ms (39.8 avg, 0% loss)\n192.0.2.7 : xmt/rcv/%loss = 20/0/100%\n",
        "host a answered 64 times in 14.5 hours\nhost b answered 64 times in 13.5 hours\n",
    ] {
        let e = with(text, BadRows::Ask).unwrap_err();
        assert_eq!(e.kind, crate::ErrorKind::Unknown, "{text}");
    }
    let e = with("\n\nDear reader,\n", BadRows::Ask).unwrap_err();
    assert!(e.to_string().contains("line 3 “Dear reader,”"), "{e}");
}

#[test]
fn blank_and_repeated_lines_do_no_harm() {
    check("# made by x\nt,rtt\n\n0,5\n# pause\n1,6\nt,rtt\n2,7\n,\n", "0/5 1000/6 2000/7");
    check("t,rtt,\n0,5,\n1,6,\n", "0/5 1000/6");
}

#[test]
fn a_separator_is_named() {
    assert_eq!(import("a b\n1 2\n2 3\n3 3\n").reading.unwrap().separator, Separator::Blanks);
}

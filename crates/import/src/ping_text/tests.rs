use netspurt_core::trace::Fate;

use super::read_line;
use crate::lines::Line;
use crate::{Import, Options, read};

/// `sent/received`, duplicates and errors where there are any, then the records: a delay in ms,
/// `<1`, `-` for lost, `?` for answered without a time.
fn summary(import: &Import) -> String {
    let c = &import.counts;
    let mut words = vec![format!("{}/{}", c.sent.unwrap(), c.received.unwrap())];
    assert_eq!(c.lost.unwrap(), c.sent.unwrap() - c.received.unwrap());
    if c.duplicates != Some(0) {
        words.push(format!("{} again", c.duplicates.unwrap()));
    }
    if c.errors != 0 {
        words.push(format!("{} errors", c.errors));
    }
    let fate = |fate| match fate {
        Fate::Reply(ms) => format!(" {ms}"),
        Fate::Below(ms) => format!(" <{ms}"),
        Fate::Lost => " -".to_owned(),
        Fate::Untimed => " ?".to_owned(),
    };
    words.join(" ") + ":" + &import.trace.records().map(|r| fate(r.fate)).collect::<String>()
}

fn import(text: &str) -> Import {
    read(text.as_bytes(), &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn check(text: &str, expected: &str) {
    assert_eq!(summary(&import(text)), expected, "{text}");
}

fn notes(text: &str) -> String {
    let trace = import(text).trace;
    trace.notes.iter().map(|n| format!("{} {}", n.line, n.text)).collect::<Vec<_>>().join("\n")
}

fn check_error(text: &str, expected: &str) {
    let error = read(text.as_bytes(), &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

const LINUX: &str = "PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.\n";
const BSD: &str = "PING 192.0.2.1 (192.0.2.1): 56 data bytes\n";
const WINDOWS: &str = "Pinging 192.0.2.1 with 32 bytes of data:\n";

/// Reply lines of iputils.
fn replies(seqs: &[(u32, &str)]) -> String {
    let line = |(s, t): &(u32, &str)| format!("64 bytes from 192.0.2.1: icmp_seq={s} ttl=57 time={t}\n");
    seqs.iter().map(line).collect::<Vec<_>>().concat()
}

#[test]
fn every_dialect_has_its_reply() {
    for (line, expected) in [
        ("64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=22.2 ms", "22.2"),
        ("64 bytes from a.example (192.0.2.1): icmp_seq=1 ttl=57 time=1866 ms", "1866"),
        ("64 bytes from 192.0.2.1: icmp_req=1 ttl=57 time=0.041 ms", "0.041"),
        ("64 bytes from a (2001:db8::1): icmp_seq=1 ttl=57 time=66.4 ms", "66.4"),
        ("64 bytes from 192.0.2.1: icmp_seq=1 ident=77 ttl=57 time=1.5 ms", "1.5"),
        ("64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time<1 ms", "<1"),
        ("64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=30,406 ms", "30.406"),
        ("64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 (truncated)", "?"),
        ("12 bytes from 192.0.2.1: icmp_seq=1 ttl=57", "?"),
        ("64 Bytes von 192.0.2.1: icmp_seq=1 ttl=57 Zeit=73.7 ms", "73.7"),
        ("64 байт из 192.0.2.1: icmp_seq=1 ttl=57 время=0.5 мс", "0.5"),
        ("64 バイト応答 送信元 192.0.2.1: icmp_seq=1 ttl=57 時間=20.0 ミリ秒", "20"),
        ("64 字节，来自 192.0.2.1: icmp_seq=1 ttl=57 时间=0.4 毫秒", "0.4"),
        ("64 bytes from 192.0.2.1: seq=1 ttl=57 time=54.180 ms", "54.18"),
        ("16 bytes from ::1, icmp_seq=1 hlim=64 time=0.034 ms", "0.034"),
        ("64 bytes from host (192.0.2.1): icmp_seq=1. time=1.5 ms", "1.5"),
        ("64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=250 us", "0.25"),
        ("64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=4294967295 ms", "?"),
        ("64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=-0.2 ms", "?"),
        ("Reply from 192.0.2.1: bytes=32 time=564ms TTL=237", "564"),
        ("Reply from 2001:db8::1: time=28ms ", "28"),
        ("Reply from ::1: time<1ms ", "<1"),
        ("Réponse de 192.0.2.1 : octets=32 temps<1ms TTL=128", "<1"),
        ("Ответ от 192.0.2.1: число байт=32 время=37мс TTL=55", "37"),
        ("192.0.2.1 からの応答: バイト数 =32 時間 =4ms TTL=58", "4"),
        ("Respuesta desde 192.0.2.1: bytes=32 tiempo<1m TTL=115", "<1"),
        ("Odpověď od 192.0.2.1: bajty=32 čas < 1ms TTL=64", "<1"),
        ("来自 192.0.2.1 的回复: 字节=32 时间=37ms TTL=55", "37"),
        ("192.0.2.1의 응답: 바이트=32 시간=31ms TTL=57", "31"),
        ("Vastaus isännältä 192.0.2.1: tavuja=32 aika=37ms TTL=55", "37"),
    ] {
        check(&format!("{line}\n"), &format!("1/1: {expected}"));
    }
}

#[test]
fn a_time_in_an_unknown_code_page_is_told_by_its_place() {
    // CP866, read as if it were Latin-1.
    let line = b"\x8e\xe2\xa2\xa5\xe2 \xae\xe2 192.0.2.1: \xe7\xa8\xe1\xab\xae \xa1\xa0\xa9\xe2=32 \xa2\xe0\xa5\xac\xef=37\xac\xe1 TTL=55\r\n";
    let i = read(line, &Options::default()).unwrap();
    assert_eq!(summary(&i), "1/1: 37");
}

#[test]
fn a_whole_run_in_an_unknown_code_page_is_read() {
    // Code page 932: the marks between numbers are two bytes, none of them known.
    let text = b"8.8.8.8 \x82\xc9 ping 32 \x83o:\r\n\
        8.8.8.8 \x82\xa9: \x83o =32 \x8e\x9e =4ms TTL=58\r\n\
        \x97v\x8b\x81\x82\xaa\x83^\r\n\
        \r\n8.8.8.8 \x82\xcc ping \x93\x9d\x8cv:\r\n\
        \x83p: \x91\x97\x90M = 2\x81A\x8e\xf3\x90M = 1\x81A\x91\xb9\x8e\xb8 = 1 (50% \x82\xcc)\x81A\r\n\
        \x83\x89:\r\n \x8d\xc5 = 4ms\x81A\x8d\xc5 = 4ms\x81A\x95\xbd = 4ms\r\n";
    let i = read(text, &Options::default()).unwrap();
    assert_eq!(summary(&i), "2/1: 4 -");
    let p = i.printed.unwrap();
    assert_eq!((p.sent, p.loss_pct, p.max_ms), (Some(2), Some(50.0), Some(4.0)));
}

#[test]
fn gaps_in_the_numbers_are_lost_probes() {
    check(&(LINUX.to_owned() + &replies(&[(2, "5 ms"), (4, "6 ms")])), "4/2: - 5 - 6");
    check(&(BSD.to_owned() + &replies(&[(1, "5 ms")])), "2/1: - 5");
    check(&replies(&[(7, "5 ms"), (9, "6 ms")]), "3/2: 5 - 6");
    let end = "--- x ping statistics ---\n6 packets transmitted, 2 received, 66% packet loss, time 5ms\n";
    check(&(LINUX.to_owned() + &replies(&[(2, "5 ms"), (4, "6 ms")]) + end), "6/2: - 5 - 6 - -");
    // Without the heading the summary tells where the numbers begin.
    check(&(replies(&[(2, "5 ms"), (5, "6 ms")]) + end), "6/2: - 5 - - 6 -");
}

#[test]
fn numbers_wrap_and_runs_restart() {
    check(&replies(&[(65_534, "1 ms"), (65_535, "2 ms"), (0, "3 ms"), (1, "4 ms")]), "4/4: 1 2 3 4");
    check(&replies(&[(65_535, "1 ms"), (1, "3 ms")]), "3/2: 1 - 3");
    let run = LINUX.to_owned() + &replies(&[(1, "5 ms"), (3, "6 ms")]);
    check(&run.repeat(2), "6/4: 5 - 6 5 - 6");
    // Without headings: the second 1 came sooner than a late reply could.
    check(&replies(&[(1, "5 ms"), (2, "6 ms"), (3, "5 ms"), (1, "5 ms"), (2, "5 ms")]), "5/5: 5 6 5 5 5");
    let singles = replies(&[(1, "5 ms"), (1, "6 ms"), (1, "4 ms")]);
    check(&singles, "3/3: 5 6 4");
    assert_eq!(import(&singles).parts.len(), 1);
    check(&replies(&[(40_000, "5 ms"), (1, "5 ms"), (2, "4 ms")]), "3/3: 5 5 4");
}

#[test]
fn a_second_reply_is_a_duplicate_marked_or_not() {
    let dup = replies(&[(1, "5 ms"), (1, "9 ms (DUP!)"), (2, "6 ms"), (1, "1029 ms (DUP!)")]);
    check(&(LINUX.to_owned() + &dup), "2/2 2 again: 5 6");
    let ten: Vec<_> = [1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10].iter().map(|s| (*s, "5 ms")).collect();
    let end = "\n--- x ping statistics ---\n10 packets transmitted, 11 packets received, -- somebody's printing up packets!\n";
    check(&(LINUX.to_owned() + &replies(&ten) + end), "10/10 1 again: 5 5 5 5 5 5 5 5 5 5");
    let end = "\n--- x ping statistics ---\n10 packets transmitted, 11 received, 0% packet loss\n";
    let text = LINUX.to_owned() + &replies(&ten) + end;
    check(&text, "10/10 1 again: 5 5 5 5 5 5 5 5 5 5");
    assert!(notes(&text).contains("says 11 received, the lines show 10: a second reply"));
}

#[test]
fn a_late_reply_is_received_in_its_place() {
    let text = LINUX.to_owned()
        + "no answer yet for icmp_seq=1\n"
        + &replies(&[(2, "46.1 ms"), (3, "40 ms"), (1, "2866 ms")])
        + "no answer yet for icmp_seq=4\n\n--- 192.0.2.1 ping statistics ---\n"
        + "4 packets transmitted, 3 received, 25% packet loss, time 3ms\n"
        + "rtt min/avg/max/mdev = 40.0/984.0/2866.0/1.0 ms, pipe 2\n";
    check(&text, "4/3: 2866 46.1 40 -");
    let i = import(&text);
    assert_eq!(i.delays_in_file_order(), [46.1, 40.0, 2866.0]);
    assert_eq!(i.printed.unwrap().max_ms, Some(2866.0));
    check(
        "Request timeout for icmp_seq 0\n64 bytes from 192.0.2.1: icmp_seq=0 ttl=5 time=1500.5 ms\n",
        "1/1: 1500.5",
    );
}

#[test]
fn an_error_is_no_reply() {
    let text = LINUX.to_owned()
        + "From 192.0.2.1 icmp_seq=1 Destination Port Unreachable\n\n--- x ping statistics ---\n"
        + "1 packets transmitted, 0 received, +1 errors, 100% packet loss, time 0ms\n";
    check(&text, "1/0 1 errors: -");
    assert_eq!(import(&text).printed.unwrap().errors, Some(1));
    let frag = "From 192.0.2.1 icmp_seq=1 Frag needed and DF set (mtu = 1400)\n";
    check(&(LINUX.to_owned() + frag), "1/0 1 errors: -");
    let redirect = "From 192.0.2.9: icmp_seq=1 Redirect Host(New nexthop: 192.0.2.8)\n";
    check(&(LINUX.to_owned() + redirect + &replies(&[(1, "5 ms")])), "1/1: 5");
    check(&(LINUX.to_owned() + &replies(&[(1, "5 ms (BAD CHECKSUM!)"), (2, "5 ms")])), "2/1 1 errors: - 5");
}

#[test]
fn on_windows_a_line_is_a_probe() {
    let text = WINDOWS.to_owned()
        + "Reply from 192.0.2.1: bytes=32 time=28ms TTL=54\nRequest timed out.\nGeneral failure.\n"
        + "Reply from 192.0.2.254: TTL expired in transit.\nReply from 192.0.2.1: bytes=32 time<1ms TTL=54\n"
        + "\nPing statistics for 192.0.2.1:\n    Packets: Sent = 5, Received = 3, Lost = 2 (40% loss),\n"
        + "Approximate round trip times in milli-seconds:\n    Minimum = 0ms, Maximum = 28ms, Average = 14ms\n";
    check(&text, "5/2 1 errors: 28 - - - <1");
    let i = import(&text);
    assert_eq!((i.format, &i.counts.censored_lt[..]), ("ping-windows-text", &[1.0][..]));
    let p = i.printed.unwrap();
    assert_eq!(
        (p.received, p.loss_pct, p.min_ms, p.mean_ms, p.max_ms),
        (Some(3), Some(40.0), Some(0.0), Some(14.0), Some(28.0))
    );
    assert!(notes(&text).contains("an ICMP error is no reply"));
    check(&"Réponse de 192.0.2.1 : octets=32 temps<1ms TTL=128\n".repeat(4), "4/4: <1 <1 <1 <1");
}

#[test]
fn a_timeout_in_an_unknown_language_is_told_by_its_place() {
    let reply = "Svar fra 192.0.2.1: byte=32 tid=4ms TTL=64\n";
    let text = format!("Pinger 192.0.2.1 med 32 byte data:\n{reply}Det ble tidsavbrudd.\n{reply}");
    check(&text, "3/2: 4 - 4");
    assert!(notes(&text).contains("taken as lost, by place: 1 line like “Det ble tidsavbrudd.”"));
    // What stands apart is the shell's, unless all lines stand so.
    let reply_ = |n: u8| format!("Reply from 192.0.2.1: bytes=32 time={n}ms TTL=55\n");
    for end in
        ["^C\nC:\\Users\\me>\nExit then\n", "PS C:\\> exit\n", "Press any key to continue . . .\n\nGo on\n"]
    {
        check(&(reply_(4) + &reply_(5) + end), "2/2: 4 5");
    }
    let spaced = format!("Pinger 192.0.2.1 med 32 byte data:\n\n{reply}\nDet ble tidsavbrudd.\n\n{reply}\n");
    check(&spaced, "3/2: 4 - 4");
    // The summary leaves no room for it.
    let end = "\nPing-statistikk for 192.0.2.1:\n    Pakker: Sendt = 2, Mottatt = 2, Tapt = 0 (0% tap),\n";
    let text = text + end;
    check(&text, "2/2: 4 4");
    assert!(notes(&text).contains("3 not read: “Det ble tidsavbrudd.”"));
}

#[test]
fn the_summary_counts_and_a_mismatch_is_shown() {
    let end = "\n--- x ping statistics ---\n8 packets transmitted, 8 received, 0% packet loss, time 9ms\n";
    let text = LINUX.to_owned() + &replies(&[(1, "5 ms")]) + end;
    check(&text, "8/8: 5 ? ? ? ? ? ? ?");
    assert!(notes(&text).contains("the summary says 8 received, the lines show 1"));
    let end = "\n--- x ping statistics ---\n8 packets transmitted, 1 received, 87.5% packet loss, time 9ms\n";
    check(&(LINUX.to_owned() + &replies(&[(1, "5 ms")]) + end), "8/1: 5 - - - - - - -");
    let end = "\n--- x ping statistics ---\n2 packets transmitted, 2 received, 0% packet loss, time 9ms\n";
    let text = LINUX.to_owned() + &replies(&[(1, "5 ms"), (2, "5 ms"), (3, "6 ms")]) + end;
    check(&text, "3/3: 5 5 6");
    assert!(notes(&text).contains("the summary says 2 sent, the lines speak of 3"));
    // Loss is computed from the counts; what is printed is kept.
    let end =
        "\n--- x ping statistics ---\n99 packets transmitted, 98 received, 1.0101% packet loss, time 9ms\n";
    let i = import(&(LINUX.to_owned() + end));
    assert_eq!((i.counts.lost, i.printed.unwrap().loss_pct), (Some(1), Some(1.0101)));
}

#[test]
fn a_quiet_run_has_counts_and_no_samples() {
    let end = "\n--- x ping statistics ---\n10 packets transmitted, 8 received, 20% packet loss, time 9ms\n\
               rtt min/avg/max/mdev = 1.0/2.0/3.0/0.5 ms\n";
    let text = LINUX.to_owned() + end;
    check(&text, "10/8:");
    assert!(notes(&text).contains("no samples"));
    // A flood prints dots.
    check(&(LINUX.to_owned() + "...\u{8}\u{8}.E" + end), "10/8:");
    let huge =
        "\n--- x ping statistics ---\n9007199254740991 packets transmitted, 1 received, 0% packet loss\n";
    let one = LINUX.to_owned() + &replies(&[(1, "5 ms")]) + huge;
    let i = import(&one.repeat(2));
    assert!(i.trace.len() < 200_000 && i.counts.sent == Some(18_014_398_509_481_982));
    assert!(import(&(replies(&[(4_000_000_000, "5 ms")]) + huge)).trace.len() < 200_000);
}

#[test]
fn a_file_without_samples_quotes_what_the_tool_reported() {
    check_error(
        "ping: unknown host nowhere.example\n",
        "The file has no samples: ping reported why: line 1 “ping: unknown host nowhere.example”: measure again or open another file",
    );
    check_error(
        "Ping request could not find host nowhere. Please check the name and try again.\r\n",
        "The file has no samples: ping reported why: line 1 “Ping request could not find host nowhere. Please check the name and try again.”: measure again or open another file",
    );
    check_error(
        LINUX,
        "The file has no samples: no reply, no lost probe, no summary: line 1 “PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.”: measure again or open another file",
    );
}

#[test]
fn a_file_may_end_in_the_middle_of_a_line() {
    let start = LINUX.to_owned() + &replies(&[(1, "5 ms")]);
    for (cut, expected) in [
        ("64 bytes from 192.0.2.1: icmp_se", "1/1: 5"),
        ("64 bytes from 192.0.2.1: icmp_seq=1", "1/1: 5"),
        ("64 bytes from 192.0.2.1: icmp_seq=2 ttl=57 ti", "2/2: 5 ?"),
        ("64 bytes from 192.0.2.1: icmp_seq=2 ttl=57 time=2", "2/2: 5 ?"),
        ("64 bytes from 192.0.2.1: icmp_seq=2 ttl=57 time=22.2 m", "2/2: 5 22.2"),
    ] {
        check(&(start.clone() + cut), expected);
    }
    let start = WINDOWS.to_owned() + "Reply from 192.0.2.1: bytes=32 time=28ms TTL=54\r\n";
    check(&(start.clone() + "Reply from 192.0.2.1: bytes=32 ti"), "2/2: 28 ?");
    check(&(start.clone() + "Reply from 192.0.2.1: by"), "1/1: 28");
    check(&(start + "Reply from 192.0.2.9: Destination host unreachable."), "2/1 1 errors: 28 -");
}

#[test]
fn send_times_come_from_the_time_before_the_line() {
    let text = LINUX.to_owned()
        + "[1000000001.020000] 64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=20.0 ms\n"
        + "[1000000001.420000] 64 bytes from 192.0.2.1: icmp_seq=3 ttl=57 time=20.0 ms\n"
        + "\n--- x ping statistics ---\n4 packets transmitted, 2 received, 50% packet loss, time 9ms\n";
    let i = import(&text);
    assert_eq!(i.trace.sent()[..], [0.0, 200.0, 400.0, 600.0]);
    assert_eq!(i.started_ns, Some(1_000_000_001_000_000_000));
    assert!(notes(&text).contains("; those of 2 other probes put between the others"));
    let night = "23:59:59.500 64 bytes from 192.0.2.1: seq=0 ttl=5 time=500 ms\n\
                 00:00:01.500 64 bytes from 192.0.2.1: seq=1 ttl=5 time=500 ms\n";
    let i = import(night);
    assert_eq!((&i.trace.sent()[..], i.started_ns), (&[0.0, 2000.0][..], None));
    // Without times records are counted.
    assert_eq!(import(&replies(&[(1, "1 ms"), (2, "1 ms")])).trace.sent()[..], [0.0, 1.0]);
}

#[test]
fn lengths_are_those_printed_and_a_lost_probe_was_as_long() {
    let i = import(&(LINUX.to_owned() + &replies(&[(2, "5 ms")])));
    assert_eq!((i.trace.octets(0), i.trace.octets(1)), (Some(64), Some(64)));
    let i =
        import(&(WINDOWS.to_owned() + "Request timed out.\nReply from 192.0.2.1: bytes=32 time=1ms TTL=5\n"));
    assert_eq!(i.trace.octets(0), Some(32));
}

#[test]
fn several_runs_are_parts_and_their_counts_are_summed() {
    let end = "\n--- x ping statistics ---\n2 packets transmitted, 1 received, 50% packet loss, time 9ms\n\
               rtt min/avg/max/mdev = 5.0/5.0/5.0/0.0 ms\n\n";
    let one = LINUX.to_owned() + &replies(&[(1, "5 ms")]) + end;
    let i = import(&(one.clone() + &one.replace("192.0.2.1", "192.0.2.7")));
    assert_eq!(summary(&i), "4/2: 5 - 5 -");
    let names: Vec<_> = i.parts.iter().map(|p| (&p.name[..], p.records.clone())).collect();
    assert_eq!(names, [("192.0.2.1", 0..2), ("192.0.2.7", 2..4)]);
    let printed = i.printed.unwrap();
    assert_eq!((printed.sent, printed.loss_pct, printed.mean_ms), (Some(4), None, None));
    assert_eq!(i.parts[0].printed.as_ref().unwrap().mean_ms, Some(5.0));
}

#[test]
fn an_outage_is_a_row_of_losses() {
    let reply = "Reply from 192.0.2.1: bytes=32 time=4ms TTL=64\n";
    let text = format!("{reply}{}{reply}", "Request timed out.\n".repeat(20));
    check(&text, &format!("22/2: 4{} 4", " -".repeat(20)));
}

#[test]
fn a_line_that_cannot_be_read_is_a_note() {
    let text = LINUX.to_owned()
        + "???\n"
        + &replies(&[(1, "5 ms")])
        + "ping: sendmsg: No buffer space\nping: sendmsg: No buffer space\n";
    assert_eq!(
        notes(&text),
        "2 not read: “???”\n\
         4 ping reported 2 times: “ping: sendmsg: No buffer space”\n\
         0 lengths as printed: the data and the ICMP header of 8 octets"
    );
}

#[test]
fn gaps_without_end_take_no_memory_without_end() {
    let leaps: Vec<_> = (0..2000).map(|i| (i * 32_000 % 65_536, "1 ms")).collect();
    let text = replies(&leaps);
    assert!(import(&text).trace.len() < 130_000);
}

#[test]
fn what_stands_before_each_line_of_a_log_is_not_the_tools() {
    for before in [
        "pinger-1  | ",
        "2026-11-30T10:24:05.123Z stdout F ",
        "<13>1 2026-11-30T10:24:05Z h a 12 - - ",
        "[INFO] ",
    ] {
        let lines =
            ["PING box (192.0.2.1): 56 data bytes", "64 bytes from 192.0.2.1: seq=1 ttl=64 time=0.5 ms"];
        let text = lines.map(|line| before.to_owned() + line + "\n").concat();
        check(&text, "2/1: - 0.5");
        let import = import(&text);
        assert_eq!(import.parts[0].name, "box", "{text}");
        assert_eq!(import.trace.octets(1), Some(64), "{text}");
        assert!(!notes(&text).contains("not read"), "{text}");
    }
}

#[test]
fn a_sentence_with_a_time_is_a_reply_only_where_it_says_so() {
    let is_reply = |line: &str| matches!(read_line(line.as_bytes()), Line::Reply(_));
    assert!(is_reply("Reply from 192.0.2.1, 29 bytes in 22.25 ms"));
    assert!(is_reply("Unicast reply from 192.0.2.1 [02:00:5e:00:53:af]  1.234ms"));
    assert!(!is_reply("No answer from 192.0.2.1 after 4000 ms"));
    assert!(!is_reply("Request to 192.0.2.1 timed out after 1000ms"));
    assert!(!is_reply("average for 192.0.2.1 was 22 ms"));
}

#[test]
fn a_start_that_no_line_tells_of_is_noted() {
    let text = "PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.\n64 bytes from 192.0.2.1: icmp_seq=30 ttl=64 time=1.5 ms\n";
    assert_eq!(import(text).counts.lost, Some(29));
    assert!(notes(text).contains("no line tells of the first 29 probes"), "{}", notes(text));
}

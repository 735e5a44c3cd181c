//! Forms of text that tools, loggers and routers print, each with what it says.

use netspurt_core::trace::Fate;
use netspurt_import::{Import, Options, read};

/// `sent/received`, second replies and errors where there are any, then the records: a delay in ms,
/// `<1`, `-` for lost, `?` for answered without a time.
fn summary(import: &Import) -> String {
    let c = &import.counts;
    let mut words = vec![format!("{}/{}", c.sent.unwrap(), c.received.unwrap())];
    for (n, what) in [(c.duplicates.unwrap_or(0), "again"), (c.errors, "errors")] {
        if n > 0 {
            words.push(format!("{n} {what}"));
        }
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
    read(text.as_bytes(), &Options::default()).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Each text is read as it is meant, and all of it.
fn check(forms: &[(&str, &str)]) {
    for (text, expected) in forms {
        let import = import(text);
        assert_eq!(summary(&import), *expected, "{text}");
        let unread: Vec<_> = import.trace.notes.iter().filter(|n| n.text.starts_with("not read")).collect();
        assert!(unread.is_empty(), "{unread:?} {text}");
    }
}

/// A run of iputils whose last probe is known to its summary alone.
const RUN: &[&str] = &[
    "PING a.example (192.0.2.1) 56(84) bytes of data.",
    "64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=5.5 ms",
    "64 bytes from 192.0.2.1: icmp_seq=3 ttl=57 time=6.5 ms",
    "",
    "--- a.example ping statistics ---",
    "4 packets transmitted, 2 received, 50% packet loss, time 3004ms",
    "rtt min/avg/max/mdev = 5.5/6.0/6.5/0.5 ms",
];

#[test]
fn whatever_stands_before_each_line_the_summary_is_read_too() {
    for before in [
        "1796034245 ",
        "1796034245123 ",
        "0.000123 ",
        "10:24:05 ",
        "Nov 30 10:24:05 box ping.sh[12]: ",
        "Nov 30 10:24:05 box pinger: ",
        "2026-11-30 10:24:05,123 - pinger - INFO - ",
        "app-1  | ",
        "app-1  | 2026-11-30T10:24:05.123456789Z ",
        "2026-11-30T10:24:05.123456789Z stdout F ",
        "11-30 10:24:05.123  1234  1250 I ping    : ",
        "lun. 30 nov. 2026 10:24:05 CET ",
        "11/30/2026 10:24:05\u{202f}AM ",
        "[ 4121.123456] ",
        "ping.log:",
        "7:",
        "     7\t",
        "│ ",
    ] {
        let lines: Vec<_> = RUN.iter().map(|line| format!("{before}{line}\n")).collect();
        let text = lines.concat();
        check(&[(&text, "4/2: 5.5 - 6.5 -")]);
        assert_eq!(import(&text).parts[0].name, "a.example", "{text}");
    }
}

#[test]
fn a_summary_may_go_over_several_lines() {
    for end in [
        "Pakete: Gesendet = 2, Empfangen = 2, Verloren = 0\n    (0% Verlust),",
        "Pacchetti: Trasmessi = 2, Ricevuti = 2,\n    Persi = 0 (0% persi),",
        "2 packet(s) transmitted\n2 packet(s) received\n0.00% packet loss",
    ] {
        let text = format!(
            "Pinging 192.0.2.1 with 32 bytes of data:\nReply from 192.0.2.1: bytes=32 time=4ms TTL=57\n\
             Reply from 192.0.2.9: Unreachable.\n\nPing statistics for 192.0.2.1:\n    {end}\n"
        );
        check(&[(&text, "2/1 1 errors: 4 -")]);
        let printed = import(&text).printed.unwrap();
        assert_eq!((printed.sent, printed.received, printed.loss_pct), (Some(2), Some(2), Some(0.0)));
    }
    let go = "PING a (192.0.2.1):\n24 bytes from 192.0.2.1: icmp_seq=0 time=712.5µs\n\n--- a ping statistics ---\n\
              1 packets transmitted, 1 packets received, 0% packet loss\n\
              round-trip min/avg/max/stddev = 712.5µs/1.5ms/2s/0s\n";
    check(&[(go, "1/1: 0.7125")]);
    let printed = import(go).printed.unwrap();
    assert_eq!([printed.min_ms, printed.mean_ms, printed.max_ms], [0.7125, 1.5, 2000.0].map(Some));
}

#[test]
fn pings_in_forms_of_their_own_are_read() {
    check(&[
        // iputils in Finnish and French.
        (
            "192.0.2.1:lta icmp_seq=1 Tavoittamaton kohde\n64 tavua kohteesta 192.0.2.1: icmp_seq=2 ttl=57 aika=5 ms\n",
            "2/1 1 errors: - 5",
        ),
        (
            "PING a (192.0.2.1) 56(84) octets de données.\n\n--- statistiques ping a ---\n4\u{a0}paquets transmis, 0 reçus, 100\u{a0}% paquets perdus\n",
            "4/0:",
        ),
        // Packets recorded their way (-R), or the time (-T).
        (
            "64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=5 ms\nRR: \t198.51.100.7\n\t192.0.2.1\n\nTS: \t37445123 absolute\n\t0\n\t-12 192.0.2.1\n",
            "1/1: 5",
        ),
        (
            "Reply from 192.0.2.1: bytes=32 time=5ms TTL=57\n    Timestamp: 192.0.2.7 : 37445123 ->\n               192.0.2.1 : 37445135\n",
            "1/1: 5",
        ),
        ("Reply from 192.0.2.1, 29 bytes in 22.25ms\nRequest timed out\n", "2/1: 22.25 -"),
        ("ping 'a.example' ... 22ms\nping 'a.example' ... Timeout\n", "2/1: 22 -"),
        ("time=22.2 ms\ntime=21 ms\n", "2/2: 22.2 21"),
        ("54 bytes from 192.0.2.53: seq=1   time=12.5 ms\nRequest timeout for seq 2\n", "2/1: 12.5 -"),
    ]);
}

#[test]
fn tools_are_read_in_their_less_known_forms() {
    check(&[
        (
            "[1796034244.8] 192.0.2.1 : [0], 64 bytes, 12.3 ms (12.3 avg, 0% loss)\n\n192.0.2.1 : 12.3 -\n",
            "2/1: 12.3 -",
        ),
        (
            "HPING a (eth0 192.0.2.1): S set, 40 headers + 0 data bytes\nlen=46 ip=192.0.2.1 ttl=57 DF id=0 tos=0 iplen=44\nsport=80 flags=SA seq=0 win=64240 rtt=22.2 ms\nseq=12 ack=76 sum=3b2a urp=0\n",
            "1/1: 22.2",
        ),
        (
            "SENT (0.0210s) TCP 192.0.2.7:50 > 192.0.2.1:80 S ttl=64 id=5 iplen=40  seq=107\nRCVD (0.0332s) TCP 192.0.2.1:80 > 192.0.2.7:50 SA ttl=57 id=0 iplen=44  seq=2847\nTx time: 1.00100s | Tx bytes/s: 55.94 | Tx pkts/s: 2.00\n",
            "1/1: 12.2",
        ),
        ("2026:11:30 10:24:05 Probing 192.0.2.1:443/tcp - Port is open - time=69.5ms \n", "1/1: 69.5"),
        (
            "TCP roundtrip latency test connected to 192.0.2.1:50\n15 iterations (warmup 5) sending 8192 bytes TCP latency test: 100%\n\nTCP roundtrip latency statistics (post warmup):\n  Sent = 10, Size = 8192, Total Bytes: 81920,\n  Minimum = 0.41ms, Maximum = 0.96ms, Average = 0.54ms\n",
            "10/10:",
        ),
        (
            "Pinging 192.0.2.1 (Packet message \"a\") [Type=8 Code=0] [TTL=255]:\nReply from: 192.0.2.9 seq=1 bytes=64 type=DESTINATION UNREACHABLE time=1.1ms\n\n--- Statistics for 192.0.2.1 ---\n   General: Sent [ 1 ], Received [ 1 ], Lost [ 0 ] (0.00% loss)\n",
            "1/0 1 errors: -",
        ),
        (
            "Destination : a.example\nAddress     : 192.0.2.1\nDisplayAddress : 192.0.2.1\nLatency     : 12\nStatus      : Success\n\nDestination : a.example\nLatency     : 0\nStatus      : TimedOut\n",
            "2/1: 12 -",
        ),
        ("ResponseTime       : 0\nStatusCode         : 0\n", "1/1: <1"),
        (
            "ComputerName           : a.example\nPingSucceeded          : True\nPingReplyDetails (RTT) : 12 ms\n",
            "1/1: 12",
        ),
        ("PingSucceeded          : False\nPingReplyDetails (RTT) : 0 ms\n", "1/0: -"),
        (
            "10:24:05 HPING a (eth0 192.0.2.1): S set, 40 headers + 0 data bytes\n10:24:06 len=46 ip=192.0.2.1 ttl=57 DF id=0 sport=80 flags=SA seq=1 win=64240 rtt=22.2 ms\n",
            "2/1: - 22.2",
        ),
        (
            " 00:00:00.000000 IP 192.0.2.7 > 192.0.2.1: ICMP echo request, id 4, seq 1, length 64\n 00:00:00.020000 IP 192.0.2.1 > 192.0.2.7: ICMP echo reply, id 4, seq 1, length 64\n 00:00:00.980000 IP 192.0.2.7 > 192.0.2.1: ICMP echo request, id 4, seq 2, length 64\n 00:00:00.022000 IP 192.0.2.1 > 192.0.2.7: ICMP echo reply, id 4, seq 2, length 64\n",
            "2/2: 20 22",
        ),
        (
            "10:24:04.1 IP (tos 0x0, ttl 64, id 4, offset 0, flags [DF], proto ICMP (1), length 84)\n    192.0.2.7 > 192.0.2.1: ICMP echo request, id 4, seq 1, length 64\n10:24:04.12 IP (tos 0x0, ttl 57, id 1, offset 0, flags [none], proto ICMP (1), length 84)\n    192.0.2.1 > 192.0.2.7: ICMP echo reply, id 4, seq 1, length 64\n",
            "1/1: 20",
        ),
        (
            "10:24:04.1 02:00:5e:00:53:01 > 02:00:5e:00:53:02, ethertype IPv4 (0x0800), length 98: 192.0.2.7 > 192.0.2.1: ICMP echo request, id 4, seq 1, length 64\n10:24:04.12 02:00:5e:00:53:02 > 02:00:5e:00:53:01, ethertype IPv4 (0x0800), length 98: 192.0.2.1 > 192.0.2.7: ICMP echo reply, id 4, seq 1, length 64\n",
            "1/1: 20",
        ),
    ]);
}

#[test]
fn reports_of_paths_give_the_destination() {
    let pathping = "Hop  RTT    Lost/Sent = Pct  Lost/Sent = Pct  Address\n\
        \x20 0                                           VM [192.0.2.7] \n\
        \x20                               0/ 100 =  0%   |\n\
        \x20 1    1ms     0/ 100 =  0%     0/ 100 =  0%  192.0.2.254 \n\
        \x20 2   12ms     3/ 100 =  3%     0/ 100 =  0%  192.0.2.1 \n";
    let screen = " Host          Loss%   Snt   Last   Avg  Best  Wrst StDev\n\
        \x20 1. _gateway    0.0%    10    1.9   3.8   1.6  15.8   3.6\n\
        \x20 2. (waiting for reply)\n\
        \x20 3. a.example  10.0%    10   12.9  12.0  11.6  25.8   3.6\n";
    for (text, expected) in [(pathping, (100, 97)), (screen, (10, 9))] {
        let import = import(text);
        let counts = (import.counts.sent.unwrap(), import.counts.received.unwrap());
        assert_eq!((counts, import.printed.unwrap().mean_ms), (expected, Some(12.0)), "{text}");
    }
}

#[test]
fn routers_that_print_as_others_do_are_read() {
    check(&[
        (
            "Sending 5 TCP SYN requests to 192.0.2.1 port 443\nfrom 192.0.2.7, timeout is 2 seconds:\n!!!!?\nSuccess rate is 80 percent (4/5), round-trip min/avg/max = 1/2/3 ms\n",
            "5/4 1 errors: ? ? ? ? -",
        ),
        (
            "sending 5,100-byte ICMP echoes to 192.0.2.1,timeout is 2 seconds.\n!!!.!\nSuccess rate is 80 percent(4/5),round-trip min/avg/max= 1/2/3 ms.\n",
            "5/4: ? ? ? - ?",
        ),
        (
            "Sending 3, 16-byte ICMP Echo to 192.0.2.1, timeout 5000 msec, TTL 64\nReply from 192.0.2.1      : bytes=16 time<1ms TTL=64\nReply from 192.0.2.1      : bytes=16 time=2ms TTL=64\nRequest timed out.\nSuccess rate is 66 percent (2/3), round-trip min/avg/max=0/1/2 ms.\n",
            "3/2: <1 2 -",
        ),
        (
            "Ping(ICMP) 192.0.2.1: 2 packets, 8 data bytes, interval 1 second(s).\n16 bytes from 192.0.2.1: icmp_seq=0 ttl=64 time=1.25 ms\n\n--- 192.0.2.1 ping statistics ---\n2 packets transmitted, 1 packets received, 50% loss\n",
            "2/1: 1.25 -",
        ),
        (
            "Reply from 192.0.2.1, time<10ms\nReply from 192.0.2.1, time=20ms\n\n Ping Statistics for 192.0.2.1\n Packets: Sent =2, Received =2, Lost =0\n",
            "2/2: <10 20",
        ),
    ]);
}

#[test]
fn a_column_of_a_table_is_not_taken_for_what_it_is_not() {
    check(&[
        // A count of answers, a state of HTTP, and codes of which 0 is success.
        ("time,received,rtt_ms\n1,5,5\n2,5,6\n3,0,\n4,4,7\n", "4/3: 5 6 - 7"),
        ("seq,status,rtt\n1,200,5\n2,200,6\n3,500,7\n4,0,0\n", "4/3: 5 6 7 -"),
        ("seq,status,rtt\n1,0,5\n2,0,6\n3,11010,0\n4,0,7\n", "4/3: 5 6 - 7"),
        ("time,error,rtt_ms\n1,none,5\n2,none,6\n3,timeout,0\n", "3/2: 5 6 -"),
        // One sequence for several targets.
        ("host,seq,rtt\na,1,5\na,2,6\na,3,7\nb,4,8\na,5,9\nb,6,1\n", "6/6: 5 6 7 9 8 1"),
        // Rows that are no remarks, and one that is.
        ("seq,rtt\n8,9\n9,9\na,9\nb,9\n", "4/4: 9 9 9 9"),
        ("seq,rtt\n1,9\n2,9\nprobe 3,5.5\n4,7\n", "4/4: 9 9 5.5 7"),
        ("seq,rtt\n1,9\n2,9\nAverage,9\n", "2/2: 9 9"),
    ]);
    // Octets that were sent and received are no times.
    let octets = "time,tx_bytes,rx_bytes\n1,100,150\n2,200,260\n3,300,390\n4,420,480\n";
    assert!(read(octets.as_bytes(), &Options::default()).is_err());
}

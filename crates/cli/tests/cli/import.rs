//! `netspurt import`: fields, forms, and everything that is no trace.

use crate::program::{file, netspurt, with_input};
use serde_json::{Value, json};

const PING: &str = "\
PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.
64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time=10.0 ms
64 bytes from 192.0.2.1: icmp_seq=2 ttl=64 time=20.5 ms
64 bytes from 192.0.2.1: icmp_seq=2 ttl=64 time=30.1 ms (DUP!)
64 bytes from 192.0.2.1: icmp_seq=4 ttl=64 time=11.5 ms

--- 192.0.2.1 ping statistics ---
4 packets transmitted, 3 received, +1 duplicates, 25% packet loss, time 3004ms
rtt min/avg/max/mdev = 10.000/18.025/30.100/8.069 ms
";

fn import(name: &str, bytes: &[u8]) -> Value {
    netspurt(&["import", &file(name, bytes), "--json"]).json()
}

#[test]
fn every_field_of_a_ping_log() {
    let r = import("import/ping.txt", PING.as_bytes());
    let counts = json!({
        "format": "ping-text", "sent": 4, "received": 3, "lost": 1, "duplicates": 1, "errors": 0,
        "rtt_count": 3, "rtt_min_ms": 10.0, "rtt_mean_ms": 14.0, "rtt_max_ms": 20.5,
        "rtts_ms": [10.0, 20.5, 11.5], "sizes": [64], "censored_lt": 0, "replies_without_time": 0,
        "hops": null, "tcp": null,
    });
    for (name, value) in counts.as_object().unwrap() {
        assert_eq!(r[name], *value, "{name}");
    }
    let printed = json!({
        "sent": 4, "received": 3, "duplicates": 1, "loss_pct": 25.0,
        "rtt_min_ms": 10.0, "rtt_mean_ms": 18.025, "rtt_max_ms": 30.1, "rtt_deviation_ms": 8.069,
    });
    assert_eq!(r["printed"], printed);
    let target = &r["targets"]["192.0.2.1"];
    assert_eq!((&target["sent"], &target["rtts_ms"]), (&json!(4), &r["rtts_ms"]));
    assert!(r["notes"].as_array().unwrap().iter().all(|n| n["text"].is_string()));
    assert_eq!(with_input(&["import", "-", "--json"], PING.as_bytes()).json(), r);
}

#[test]
fn a_table_with_what_is_known_of_it() {
    let r = import("import/table.csv", b"t_s,octets,delay_ms\n0.0,64,12.4\n1.0,64,\n2.0,80,<1\n");
    assert_eq!((&r["sent"], &r["received"], &r["lost"]), (&json!(3), &json!(2), &json!(1)));
    // A bound stands in the list at its number and is counted apart.
    assert_eq!((&r["rtts_ms"], &r["censored_lt"]), (&json!([12.4, 1.0]), &json!(1)));
    assert_eq!((&r["sizes"], &r["targets"], &r["printed"]), (&json!([64, 80]), &Value::Null, &Value::Null));
}

#[test]
fn the_trace_as_csv_is_read_back_the_same() {
    let text = "t_s,octets,delay_ms\n0,64,12.4\n1,64,\n2.5,80,<1\n";
    let path = file("import/same.csv", text.as_bytes());
    assert_eq!(netspurt(&["import", &path, "--csv"]).text(), text);
    let csv = with_input(&["import", "-", "--csv"], PING.as_bytes());
    assert_eq!(csv.text(), "t_s,octets,delay_ms\n,64,10\n,64,20.5\n,64,\n,64,11.5\n");
    let (one, two) = (import("import/p.txt", PING.as_bytes()), import("import/p.csv", csv.out.as_bytes()));
    for field in ["sent", "received", "lost", "rtt_count", "rtts_ms", "rtt_mean_ms", "sizes"] {
        assert_eq!(one[field], two[field], "{field}");
    }
    // A reply without a time stays one.
    let text = "t_s,octets,delay_ms\n0,16,?\n1,16,12.4\n2,16,\n";
    assert_eq!(netspurt(&["import", &file("import/untimed.csv", text.as_bytes()), "--csv"]).text(), text);
}

#[test]
fn the_list_names_what_is_inside() {
    let two = PING.to_owned() + &PING.replace("192.0.2.1", "192.0.2.7");
    let path = file("import/two.txt", two.as_bytes());
    let list = netspurt(&["import", &path, "--list"]);
    let text = "\
part  inside     sent  received  lost  delays  mean ms
1     192.0.2.1     4         3     1       3   14.000
2     192.0.2.7     4         3     1       3   14.000
";
    assert_eq!(list.text(), text);
    let r = netspurt(&["import", &path, "--json"]).json();
    assert_eq!((&r["sent"], &r["targets"]["192.0.2.7"]["received"]), (&json!(8), &json!(3)));
    // A second run to the same target keeps a name of its own.
    let r = import("import/again.txt", (PING.to_owned() + PING).as_bytes());
    assert_eq!(r["targets"]["192.0.2.1 (2)"]["received"], json!(3));
}

/// What `--part` gives of a file: counts and delays.
#[track_caller]
fn check_part(path: &str, part: &str, expected: &Value) {
    let r = netspurt(&["import", path, "--part", part, "--json"]).json();
    assert_eq!(json!([r["sent"], r["received"], r["rtts_ms"]]), *expected, "{path} --part {part}");
}

#[test]
fn one_of_several_targets_is_chosen() {
    let path = file("import/fping.txt", b"192.0.2.1 : 9.5 - 10.5\n192.0.2.2 : 1.5 1.6 1.7\n");
    check_part(&path, "1", &json!([3, 2, [9.5, 10.5]]));
    check_part(&path, "2", &json!([3, 3, [1.5, 1.6, 1.7]]));
    check_part(&path, "all", &json!([6, 5, [9.5, 10.5, 1.5, 1.6, 1.7]]));
    let csv = netspurt(&["import", &path, "--part", "2", "--csv"]).text().to_owned();
    assert_eq!(csv, "t_s,octets,delay_ms\n,,1.5\n,,1.6\n,,1.7\n");
    let missing = netspurt(&["import", &path, "--part", "3"]);
    assert!(missing.refusal(1).contains("no part 3: there are 2"), "{missing:?}");
    netspurt(&["import", &path, "--part", "first"]).refusal(2);
}

#[test]
fn one_of_several_hops_is_chosen() {
    let text = "traceroute to 192.0.2.9 (192.0.2.9), 30 hops max, 60 byte packets\n \
        1  198.51.100.1 (198.51.100.1)  4.0 ms  3.5 ms *\n 2  192.0.2.9 (192.0.2.9)  9.0 ms  9.5 ms  9.25 ms\n";
    let path = file("import/path.txt", text.as_bytes());
    let whole = netspurt(&["import", &path, "--json"]).json();
    assert_eq!((&whole["sent"], &whole["hops"][0]["host"]), (&json!(3), &json!("198.51.100.1")));
    check_part(&path, "1", &json!([3, 2, [4.0, 3.5]]));
    check_part(&path, "2", &json!([3, 3, [9.0, 9.5, 9.25]]));
    let list = netspurt(&["import", &path, "--list"]).text().to_owned();
    assert!(list.lines().nth(1).is_some_and(|l| l.starts_with("1     1 198.51.100.1")), "{list}");
}

#[test]
fn one_of_several_columns_is_chosen() {
    let path = file("import/hosts.csv", b"t_s,a_ms,b_ms\n0,12.5,4.5\n1,,4.25\n");
    check_part(&path, "1", &json!([2, 1, [12.5]]));
    check_part(&path, "2", &json!([2, 2, [4.5, 4.25]]));
}

#[test]
fn one_of_several_flows_is_chosen() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../import/tests/samples/captures");
    let path = format!("{samples}/tcp_http_short_flows.pcap");
    let whole = netspurt(&["import", &path, "--json"]).json();
    let flows = whole["tcp"].as_array().unwrap();
    assert!(flows.len() > 1, "{whole}");
    // Each side that acknowledges is a part; the times of the first are those told of its flow.
    let list = netspurt(&["import", &path, "--list"]).text().to_owned();
    let part = list.lines().skip(1).find(|l| !l.contains("  0  ")).unwrap();
    let number = part.split_whitespace().next().unwrap();
    let one = netspurt(&["import", &path, "--part", number, "--json"]).json();
    let (n, mean) = (&one["rtt_count"], &one["rtt_mean_ms"]);
    let side = |flow: &Value| flow["acked_by"].as_object().unwrap().values().cloned().collect::<Vec<_>>();
    let told = flows.iter().flat_map(side).any(|s| s["n"] == *n && s["mean_ms"] == *mean);
    assert!(told && n.as_u64() > Some(0), "{one}");
}

#[test]
fn an_estimator_runs_on_a_file() {
    let path = file("import/replay.txt", PING.as_bytes());
    let r = netspurt(&["rto", &path, "--json", "--steps"]).json();
    assert_eq!(r["kinds"], json!(["prime", "rtx", "lost", "ok"]));
    // 2·10, 2·10, then 2·(.75·10 + .25·20.5)
    assert_eq!(r["timeouts"], json!([20.0, 20.0, 25.25, 25.25]));
    assert_eq!(with_input(&["rto", "-", "--json", "--steps"], PING.as_bytes()).json(), r);
}

#[test]
fn a_table_keeps_what_is_a_delay_and_says_what_is_not() {
    let r = import("import/odd.csv", b"t_s,delay_ms\n0,5\n1,NaN\n2,inf\n3,-4\n4,6\n5,oops\n");
    assert_eq!((&r["received"], &r["rtts_ms"]), (&json!(2), &json!([5.0, 6.0])));
    let notes = r["notes"].to_string();
    for word in ["infinite", "negative", "oops"] {
        assert!(notes.contains(word), "{notes}");
    }
    assert!(!r.to_string().contains("NaN"));
}

/// Every file that is no trace, and how its refusal begins.
#[test]
fn what_is_no_trace_is_refused_on_one_line() {
    let check = |name: &str, bytes: &[u8], says: &str| {
        let path = file(name, bytes);
        for words in [&["import", &path, "--json"][..], &["rto", &path, "--json"]] {
            let ran = netspurt(words);
            assert!(ran.refusal(1).starts_with(says), "{ran:?}");
        }
    };
    check("import/empty.txt", b"", "The file is empty: ");
    check("import/zeros.bin", &[0; 100], "The file holds nothing but zeros");
    check("import/picture.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "This is a PNG picture, not a trace: ");
    check(
        "import/sheet.csv",
        b"PK\x03\x04\x14\0\0\0xl/workbook.xml",
        "This is an Excel workbook, not a trace: ",
    );
    check("import/words.txt", b"It was late.\nNobody answered.\n", "This is text, but neither ");
    check(
        "import/words.csv",
        b"time,name\n0,red\n1,green\n2,blue\n",
        "This is a table, but none of its columns looks like delays: ",
    );
    check("import/other.json", b"{\"a\": 1}\n", "This is JSON of a kind that is not known here: ");
    check("import/heading.csv", b"t_s,delay_ms\n", "This table of delays has a heading and no rows: ");
    check(
        "import/negative.csv",
        b"delay_ms\n-1.5\n-2\n",
        "This table has no samples, only 2 negative delays: ",
    );
    check("import/long.csv", &vec![b'1'; 50_000_000], "Line 1 is 50000000 bytes long: ");
    check(
        "import/long.txt",
        &b"64 bytes from 192.0.2.1: icmp_seq=1 ttl=6 time=1 ms ".repeat(1_000_000),
        "Line 1 is 52000000 bytes long: ",
    );
}

#[test]
fn what_cannot_be_read_says_so() {
    assert!(
        netspurt(&["import", "no/such/file"])
            .refusal(1)
            .starts_with("no such file or directory: no/such/file: ")
    );
    assert!(netspurt(&["import", "."]).refusal(1).starts_with("this is a folder: .: "));
    let both = netspurt(&["import", "x", "--csv", "--json"]);
    assert!(both.refusal(2).starts_with("the argument '--csv' cannot be used with '--json'"), "{both:?}");
    netspurt(&["import"]).refusal(2);
    netspurt(&["import", "x", "--cvs"]).refusal(2);
}

#[test]
fn more_than_2_gb_is_refused_before_it_is_read() {
    let path = file("import/huge.csv", b"");
    // Takes no room on the disk.
    std::fs::File::options().write(true).open(&path).unwrap().set_len(2_000_000_001).unwrap();
    assert!(
        netspurt(&["import", &path])
            .refusal(1)
            .starts_with("this is 2.0 GB, and a file is held in memory whole")
    );
}

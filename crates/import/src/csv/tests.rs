mod faults;

use netspurt_core::trace::{Clock, Fate};

use super::{Column, Reading, Separator, Table, Unit};
use crate::{BadRows, Import, ImportError, Options, read};

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
fn columns_of_words_stand_anywhere() {
    let expected = "0/12.4 1500/- 2000/9";
    check("t_s,host,delay_ms\n0,alpha,12.4\n1.5,beta,\n2,alpha,9\n", expected);
    check("0.5,alpha,12.4\n2,beta,\n2.5,alpha,9\n", expected);
    check("host,t_s,if,delay_ms\nalpha,0,eth0,12.4\nbeta,1.5,eth0,-\nbeta,2,wifi,9\n", expected);
    check("alpha,0.5,eth0,12.4\nbeta,2,eth0,-\nbeta,2.5,wifi,9\n", expected);
    check("0.5,192.0.2.1,12.4\n2,192.0.2.1,\n2.5,192.0.2.1,9\n", expected);
    check("0,5;192.168.100.200;12,4\n2;192.168.100.200;-\n2,5;192.168.100.200;9\n", expected);
    check(
        "2026-11-30 10:24:04,alpha,12.4\n2026-11-30 10:24:05.5,beta,-\n2026-11-30 10:24:06,b,9\n",
        expected,
    );
    check("t_s,\"host, name\",delay_ms\n0,\"a, b\",12.4\n1.5,\"c \"\"d\"\"\",\n2,\"e\nf\",9\n", expected);
    check("\"0.5\",\"a, b\",\"12.4\"\n\"2\",\"c\",\"\"\n\"2.5\",\"d\",\"9\"\n", expected);
}

#[test]
fn a_row_of_units_is_no_data() {
    let expected = "0/12 1000/13";
    for text in [
        "t,host,rtt\ns,,ms\n0,a,12\n1,b,13\n",
        "time;rtt\n[s];[us]\n0;12000\n1;13000\n",
        "t\trtt\n(ms)\t(µs)\n0\t12000\n1000\t13000\n",
        "s,ms\n0,12\n1,13\n",
        "ms,s\n12,0\n13,1\n",
    ] {
        let i = import(text);
        assert_eq!(records(&i), expected, "{text}");
        assert!(!notes(&i).contains("say so"), "{}", notes(&i));
        let again = Options { reading: Some(i.table.unwrap().reading), ..Options::default() };
        assert_eq!(records(&read(text.as_bytes(), &again).unwrap()), expected);
    }
    check("rtt\nus\n1200\n1300\n", "1.2 1.3");
    assert_eq!(import("t,rtt\ns,ms\n0,5\n").table.unwrap().names, ["t", "rtt"]);
}

#[test]
fn a_separator_may_end_each_row() {
    let expected = "0/12.4 1000/-";
    check("t_s,delay_ms,\n0,12.4,\n1,*,\n", expected);
    check("t_s,delay_ms\n0,12.4,\n1,*,\n", expected);
    check("t_s;delay_ms\n0,0;12,4;\n1,0;*;\n", expected);
    check("delay_ms\n12.4,\n13,\n", "12.4 13");
    check("0.0,12.4,\n1.0,13,\n2.5,9,\n", "0/12.4 1000/13 2500/9");
    check("12.4,\n13,\n9,\n", "12.4 13 9");
    check("seq,rtt_ms,\n1,12,\n2,,\n3,9,\n", "12 - 9");
    assert_eq!(notes(&import("t_s,delay_ms,\n0,12.4,\n1,*,\n")), "");
    let i = import("t_s,,rtt_ms\n0,x,5\nt_s,,rtt_ms\n1,,6\n");
    assert_eq!(records(&i), "0/5 1000/6");
    assert!(notes(&i).ends_with("column not used: column 2"), "{}", notes(&i));
}

#[test]
fn marks_and_line_ends_do_no_harm() {
    let expected = "0/12.4 1000/13";
    check("\u{feff}t_s,delay_ms\n0,12.4\n1,13\n", expected);
    check("\u{feff}\"t_s\",\"delay_ms\"\r\n0,12.4\r\n1,13", expected);
    check("t_s,delay_ms\r\n0,12.4\r\n1,13\r\n\r\n \r\n\r\n", expected);
    check("t_s,delay_ms\r0,12.4\r1,13\r", expected);
    check("delay_ms\n12.4\n \n13\n\n\n", "12.4 13");
    // A quote that is not closed is a fault of its line alone.
    let i = with("t_s,delay_ms\n0,5\n1,\"6\n2,7\n", BadRows::LeaveOut).unwrap();
    assert_eq!(records(&i), "0/5 2000/7");
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
    assert!(i.table.as_ref().unwrap().reading.delay.guessed);
    assert!(notes(&i).contains("delay column “latency” taken as µs: say so if it is not"));
    assert!(notes(&import("latency\n12\n")).contains("taken as ms: say so if it is not"));
    assert!(!notes(&import("latency_ms\n12\n")).contains("say so"));
}

#[test]
fn names_are_known_in_many_forms() {
    check("host,rtt_min,rtt_avg,rtt_max\na,1,2,3\nb,4,5,6\n", "2 5");
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
    assert_eq!(
        notes(&i),
        "0 column not used: x\n\
         4 left out: 1 infinite delay; here first\n\
         3 left out: 2 negative delays, -1 among them; here first\n\
         6 left out: 1 number that stands for a failure, such as 3600 or 2^32 − 1; here first"
    );
    let i = import("rtt_ms\n5\nNaN\n*\n7\n");
    assert_eq!((records(&i), i.counts.left_out), ("5 - 7".to_owned(), 1));
    let i = import("0.17\n3600\n3600\n0.18\n");
    assert_eq!((records(&i), i.counts.left_out), ("170 180".to_owned(), 2));
    assert!(notes(&i).contains("left out: 2 numbers that stand for a failure"));
    assert_eq!(import("0.17, 3600, 3600").counts.left_out, 2);
    check("rtt_ms\n3600\n3500\n3700\n", "3600 3500 3700");
}

#[test]
fn odd_rows_are_counted_and_only_a_few_quoted() {
    let rows =
        (0..40).map(|i| format!("{i},{}\n", ["5", "NaN", "-2", "inf", "*", "oops", "-Infinity"][i % 7]));
    let i = with(&format!("t_s,delay_ms\n{}", rows.collect::<String>()), BadRows::LeaveOut).unwrap();
    assert_eq!((i.counts.sent, i.counts.received, i.counts.left_out), (Some(12), Some(6), 28));
    assert_eq!(
        notes(&i),
        "7 “oops” is no delay, left out: “5,oops”\n\
         14 “oops” is no delay, left out: “12,oops”\n\
         21 “oops” is no delay, left out: “19,oops”\n\
         0 2 more rows with such faults, left out\n\
         3 left out: 6 delays of NaN, beside other marks of loss; here first\n\
         5 left out: 11 infinite delays; here first\n\
         4 left out: 6 negative delays; here first"
    );
    let twice = "t_s,delay_ms\n0,5\n".repeat(3);
    assert!(notes(&import(&twice)).contains("3 the heading again, 2 times: left out, here first"));
}

#[test]
fn a_question_mark_is_an_answer_without_a_time() {
    let i = import("t_s,octets,delay_ms\n0,64,5\n1,64,?\n2,64,\n");
    assert_eq!(records(&i), "0/64/5 1000/64/? 2000/64/-");
    let c = &i.counts;
    assert_eq!((c.received, c.lost, c.replies_without_time, c.left_out), (Some(2), Some(1), 1, 0));
    check("t_s,delay_ms\n0,?\n1,?\n", "0/? 1000/?");
    check("5\n?\n6\n", "5 ? 6");
    // A row that says it was answered, and not when.
    check("rtt_ms,status\n5,ok\n,ok\n,timeout\n", "5 ? -");
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

#[test]
fn a_reading_can_be_shown_changed_and_forced() {
    let text = "a,b,c\n0,5,7000\n1,6,8000\n2,4,9000\n";
    let Table { reading, names, .. } = import(text).table.unwrap();
    assert_eq!(names, ["a", "b", "c"]);
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
    assert_eq!(i.table.as_ref().unwrap().reading, forced);
    // A column that is not there: every row is short.
    let mut reading = i.table.unwrap().reading;
    reading.delay.index = 9;
    let options = Options { reading: Some(reading), ..Options::default() };
    assert!(read(text.as_bytes(), &options).is_err());
}

#[test]
fn blank_and_repeated_lines_do_no_harm() {
    check("# made by x\nt,rtt\n\n0,5\n# pause\n1,6\nt,rtt\n2,7\n,\n", "0/5 1000/6 2000/7");
    check("t,rtt,\n0,5,\n1,6,\n", "0/5 1000/6");
}

#[test]
fn a_separator_is_named() {
    assert_eq!(import("a b\n1 2\n2 3\n3 3\n").table.unwrap().reading.separator, Separator::Blanks);
}

#[test]
fn a_comma_before_a_unit_is_a_decimal_mark() {
    let text = "sep=;\nTime;rtt\n2026-11-30T10:24:04+02:00;\"12,3 ms\"\n2026-11-30T10:24:05+02:00;12,9 ms\n\
        2026-11-30T10:24:06+02:00;undefined\n";
    let import = read(text.as_bytes(), &Options::default()).unwrap();
    let fates: Vec<_> = import.trace.records().map(|r| r.fate).collect();
    assert_eq!(fates, [Fate::Reply(12.3), Fate::Reply(12.9), Fate::Lost]);
}

#[test]
fn objects_of_json_are_rows() {
    let check = |text: &str, expected: &[Fate]| {
        let import = read(text.as_bytes(), &Options::default()).unwrap();
        let fates: Vec<_> = import.trace.records().map(|r| r.fate).collect();
        assert_eq!(fates, expected, "{text}");
        assert_eq!(import.format, "csv");
    };
    let rows = [Fate::Reply(12.5), Fate::Lost, Fate::Reply(13.0)];
    check(
        "{\"ts\":1796034244,\"rtt_ms\":12.5}\n{\"ts\":1796034245,\"rtt_ms\":null}\n{\"ts\":1796034246,\"rtt_ms\":13}\n",
        &rows,
    );
    // A code of which 0 is success, as PowerShell's ConvertTo-Json writes it.
    check(
        "[{\"Latency\":12.5,\"Status\":0},{\"Latency\":0,\"Status\":11010},{\"Latency\":13,\"Status\":0}]",
        &rows,
    );
    check("[{\"Latency\":12.5,\"Status\":0},{\"Latency\":13,\"Status\":0}]", &[rows[0], rows[2]]);
    check(
        "[{\"latency\":\"\",\"alive\":0},{\"latency\":\"\",\"alive\":0},{\"latency\":13,\"alive\":1}]",
        &[rows[1], rows[1], rows[2]],
    );
    check("[{\"Latency\":12.5,\"ok\":1},{\"Latency\":9,\"ok\":0},{\"Latency\":13,\"ok\":1}]", &rows);
    check("[{\"latency\":12.5,\"status\":200},{\"latency\":13,\"status\":200}]", &[rows[0], rows[2]]);
    let other = "{\"config\":{\"a\":1},\"list\":[{\"id\":1},{\"id\":2}]}";
    assert!(read(other.as_bytes(), &Options::default()).unwrap_err().to_string().contains("JSON of a kind"));
}

#[test]
fn of_several_metrics_the_likeliest_is_read() {
    let point = |metric: &str, t: u32, value: f64| {
        format!(
            "{{\"type\":\"Point\",\"metric\":\"{metric}\",\"data\":{{\"time\":\"10:00:0{t}\",\"value\":{value},\"tags\":{{\"url\":\"a\"}}}}}}\n"
        )
    };
    let metric = "{\"type\":\"Metric\",\"data\":{\"name\":\"vus\",\"type\":\"gauge\"},\"metric\":\"vus\"}\n";
    let mut text = metric.to_owned();
    for t in 0..3 {
        text += &point("vus", t, 10.0);
        text += &point("http_req_duration", t, 12.5 + f64::from(t));
    }
    let i = import(&text);
    assert_eq!(records(&i), "0/12.5 1000/13.5 2000/14.5");
    assert_eq!(i.parts.len(), 2);
    assert!(notes(&i).contains("1 object of another kind"), "{}", notes(&i));
    for (yes, no) in [("ja", "nein"), ("WAHR", "FALSCH"), ("oui", "non"), ("online", "offline")] {
        let text = format!("n,online,rtt_ms\n1,{yes},5\n2,{no},0\n3,{yes},6\n");
        check(&text, "5 - 6");
    }
    check(
        "timestamp,__name__,value\n1,probe_success,1\n1,probe_duration_seconds,0.0123\n2,probe_success,1\n2,probe_duration_seconds,0.0135\n",
        "0/12.3 1000/13.5",
    );
    check(
        "clock;host;key;value\n1;a;icmppingloss;0\n1;a;icmppingsec;0.0123\n2;a;icmppingloss;50\n2;a;icmppingsec;0.0135\n",
        "0/12.3 1000/13.5",
    );
    for up in ["up", "is_up"] {
        check(&format!("time,{up},rtt_ms\n1,true,12.5\n2,false,0\n3,true,13.5\n"), "0/12.5 1000/- 2000/13.5");
    }
    check("n,exit_code,rtt_ms\n1,0,12.5\n2,1,0\n3,0,13.5\n", "12.5 - 13.5");
    // What is lost first is no heading.
    check(
        "[{\"probe\":\"ping\",\"state\":\"down\",\"rtt\":null},{\"probe\":\"ping\",\"state\":\"up\",\"rtt\":12.5}]",
        "- 12.5",
    );
    check(
        "[{\"alive\":true,\"time\":12.5},{\"alive\":false,\"time\":\"unknown\"},{\"alive\":true,\"time\":13.5}]",
        "12.5 - 13.5",
    );
    check("[0.0125, false, 0.0135]", "12.5 - 13.5");
    check("{\"timestamp\":[1,2,3],\"currentRoundTripTime\":[0.012,0.013,0.011]}", "0/12 1000/13 2000/11");
}

#[test]
fn no_answers_at_first_are_no_code_of_success() {
    let text = format!("rtt,alive\n{}5,1\n", ",0\n".repeat(300));
    let import = read(text.as_bytes(), &Options::default()).unwrap();
    assert_eq!((import.counts.lost, import.counts.received), (Some(300), Some(1)));
}

#[test]
fn of_several_delays_the_likeliest_is_read_and_the_others_can_be_chosen() {
    let names = |text: &str| {
        let table = import(text).table.unwrap();
        table.delays.iter().map(|i| table.names[*i].clone()).collect::<Vec<_>>().join(" ")
    };
    let pings = "t_s,loss,median,ping1,ping2\n0,0,5,4,6\n300,2,nan,nan,nan\n600,1,7,7,nan\n";
    check(pings, "0/5 300000/- 600000/7");
    assert_eq!(names(pings), "median ping1 ping2");
    let aggregates = "t_s,min (ms),avg (ms),max (ms)\n0,1,2,3\n1,4,5,6\n";
    check(aggregates, "0/2 1000/5");
    assert_eq!(names(aggregates), "min (ms) avg (ms) max (ms)");
    check("rtt_avg,rtt\n1,2\n3,4\n", "2 4");
}

#[test]
fn an_amount_of_loss_is_no_flag() {
    check("rtt_ms,loss\n5,0\n0,100\n6,20\n", "5 - 6");
    check("rtt_ms,loss %\n5,0%\n,100%\n6,20%\n", "5 - 6");
    check("rtt_ms,state\n5,UP\n0,DOWN\n6,UP\n", "5 - 6");
    check("rtt_ms,timed_out\n5,False\n5000,True\n6,False\n", "5 - 6");
    check("rtt_ms,code\n5,0\n,0\n6,0\n", "5 - 6");
}

#[test]
fn a_word_that_always_stands_for_a_missing_delay_is_a_mark_of_loss() {
    let i = import("rtt_ms\n5\nRTO\n6\nRTO\n");
    assert_eq!(records(&i), "5 - 6 -");
    assert_eq!(notes(&i), "3 “RTO” taken as a mark of loss, 2 times; here first");
    for mark in ["超时", "\u{2013}", "-----", "Zeitüberschreitung", "inf", "9999"] {
        check(&format!("n,rtt_ms\n1,5\n2,{mark}\n3,6\n4,{mark}\n"), "5 - 6 -");
    }
    assert!(with("rtt_ms\n5\nx\n6\ny\n", BadRows::Ask).is_err());
    check("rtt_ms\n9990\n9999\n9999\n", "9990 9999 9999");
}

#[test]
fn sums_and_remarks_are_no_rows() {
    check("n,rtt_ms\n1,5\n2,6\nAverage,5.5\n", "5 6");
    check("time;rtt_ms\n10:00:00;5\n10:00:01;6\n\nMittelwert;5,5\n", "0/5 1000/6");
    let i = import("n|rtt_ms\n1|5\n2|6\n(2 rows)\n");
    assert_eq!(
        (records(&i), &notes(&i)[..]),
        ("5 6".to_owned(), "4 not a packet: 1 line, here first: “(2 rows)”")
    );
    for sum in ["Total,,11", "avg,,5.5", "p95,,6", ",mean,5.5"] {
        check(&format!("host,n,rtt_ms\na,1,5\na,2,6\n{sum}\n"), "5 6");
    }
    // Numbers in hexadecimal and months are words too.
    check("n,rtt_ms\n8,5\n9,6\na,-\nb,timeout\nc,7\n", "5 6 - - 7");
    for month in ["Mrz", "avr", "May", "mai"] {
        let text = format!("time;rtt_ms\n10:00:00;5\n10:00:01;6\n{month} 1 00:00:02;7\n10:00:03;-\n");
        assert_eq!(import(&text).trace.len(), 4, "{month}");
    }
    check("Report\nHost:;a\nDate:;30.11.2026\n\nt [s];rtt [ms]\n0;5,5\n1;6\n", "0/5.5 1000/6");
}

#[test]
fn each_target_has_its_numbers_and_times() {
    let text = "host,seq,t_s,rtt_ms\na,1,0,5\nb,1,0.5,7\na,2,1,6\nb,2,1.5,8\na,4,3,9\n";
    let i = import(text);
    assert_eq!(records(&i), "0/5 1000/6 2000/- 3000/9 500/7 1500/8");
    assert_eq!(i.delays_in_file_order(), [5.0, 7.0, 6.0, 8.0, 9.0]);
    let one = Options { choice: crate::Choice::One(1), ..Options::default() };
    assert_eq!(records(&read(text.as_bytes(), &one).unwrap()), "0/7 1000/8");
    // Probed in step, with the same numbers: the second host's 2 is lost.
    let steps = "host,seq,rtt_ms\na,1,5\nb,1,7\na,2,6\na,3,6\nb,3,8\na,4,6\nb,4,8\n";
    check(steps, "5 6 6 6 7 - 8 8");
    // Numbered as one: whom 4 was sent to is not told.
    let i = import("host,seq,rtt_ms\na,1,5\nb,2,7\na,3,6\nb,5,8\na,6,6\n");
    assert_eq!(records(&i), "5 6 6 7 8");
    assert!(notes(&i).ends_with("0 not counted: 1 number missing from “seq”"));
    // What tells the targets can be told.
    let i = import("host,rtt_ms\na,5\nb,7\na,6\nb,8\n");
    assert_eq!(records(&i), "5 6 7 8");
    let table = i.table.unwrap();
    assert_eq!(table.reading.target, Some(0));
    assert!(i.trace.notes.iter().any(|n| n.text.starts_with("column “host” says whom")));
    let told =
        |target| Options { reading: Some(Reading { target, ..table.reading.clone() }), ..Options::default() };
    let text = b"host,rtt_ms\na,5\nb,7\na,6\nb,8\n";
    assert_eq!(records(&read(text, &told(None)).unwrap()), "5 7 6 8");
    assert_eq!(records(&read(text, &told(Some(0))).unwrap()), "5 6 7 8");
    // Each row its own: nothing to choose from.
    assert_eq!(import("host,rtt_ms\na,5\nb,6\nc,7\n").parts.len(), 1);
    // The newest first.
    check("time,host,rtt\n10:00:01,a,2\n10:00:01,b,4\n10:00:00,a,1\n10:00:00,b,3\n", "0/1 1000/2 0/3 1000/4");
}

#[test]
fn dates_times_and_durations_of_spreadsheets_are_read() {
    check("Date,Time,rtt\n2026-11-30,10:24:04,5\n2026-11-30,10:24:05,6\n", "0/5 1000/6");
    check(
        "time;rtt\n46356,1234567891;5\n46356,1234683632;6\n46356,1234799373;6\n",
        "0/5 1000.002304/6 2000.004352/6",
    );
    check("time,rtt\n10:00 - 10:05,5\n10:05 - 10:10,6\n", "0/5 300000/6");
    for (first, second) in [
        ("20261130 102404", "20261130 102405"),
        ("20261130102404", "20261130102405"),
        ("30. Nov. 2026 10:24:04", "30. Nov. 2026 10:24:05"),
        ("2026. 11. 30. 오전 10:24:04", "2026. 11. 30. 오전 10:24:05"),
    ] {
        check(&format!("time,rtt_ms\n{first},5\n{second},6\n"), "0/5 1000/6");
    }
    // A group of thousands beside a decimal comma.
    for (first, second, delays) in
        [("1.234", "12,5", "1234 12.5"), ("12,5", "1.234", "12.5 1234"), ("1.234", "2.345", "1.234 2.345")]
    {
        check(&format!("n;rtt_ms\n1;{first}\n2;{second}\n"), delays);
    }
    check("n;rtt_us\n1;1.230,50\n2;1.310,00\n", "1.2305 1.31");
    check("n,rtt\n1,0:00:00.0125\n2,\n3,0:00:01.5\n", "12.5 - 1500");
    check("n,rtt\n1,PT0.0125S\n2,PT1.5S\n", "12.5 1500");
    check("n,x\n1,rta=12.5ms\n2,rta=9ms\n", "12.5 9");
    // No tool prints a ms as finely as that.
    check("rtt\n0.01234\n0.01125\n", "12.34 11.25");
    check("rtt\n0.043\n0.041\n", "0.043 0.041");
}

#[test]
fn means_counts_and_hosts_are_told_apart_by_more_than_their_names() {
    check("time,min,avg,max,loss\n10:00,1,2,3,0%\n10:01,2,3,4,20%\n10:02,,,,100%\n", "0/2 60000/3 120000/-");
    check("Ping,Latency,Status\n1,12,Success\n2,0,TimedOut\n3,13,Success\n", "12 - 13");
    check("elapsed_s,latency_s\n0,0.0131\n0.2,0.0123\n0.4,0.0145\n", "0/13.1 200/12.3 400/14.5");
    // A column a host.
    let i = import("time,a.example,b.example\n10:00:00,12.3,20.5\n10:00:01,13.1,\n");
    let names: Vec<_> = i.parts.iter().map(|p| p.name.as_str()).collect();
    assert_eq!((records(&i), names), ("0/12.3 1000/13.1".to_owned(), vec!["a.example", "b.example"]));
}

#[test]
fn a_number_that_is_the_same_in_all_rows_counts_nothing() {
    check("id,rtt_ms\n7,5\n7,6\n7,8\n", "5 6 8");
    check("id,rtt_ms\n7,5\n7,6\n", "5 6");
}

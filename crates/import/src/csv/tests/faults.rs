//! Tables that cannot be read, whole or in rows.

use super::{check, import, notes, records, with};
use crate::csv::Reading;
use crate::{BadRows, Options, Remedy, read};

const WIFI: &str = "seq,sent_s,delay_ms\n34,17.002,12.1\n35,17.502,12.8\n36,18.003,14.1\n37,18.504\n38,19.002,13.0\n39,19.502,13.1\n";

#[test]
fn a_table_without_samples_is_no_trace() {
    for (text, what, place, remark) in [
        ("t_s,delay_ms\n0,-3\n1,-4\n", "only 2 negative delays", (2, "0,-3"), "negative delay"),
        ("delay_ms\ninf\n-inf\n", "only 2 infinite delays", (2, "inf"), "infinite delay"),
        ("delay_ms\n\nNaN\nnan\n", "only 2 delays of NaN", (3, "NaN"), "delay of NaN"),
        (
            "delay_ms\n-4\nNaN\ninf\n-5\n",
            "only 1 delay of NaN, 1 infinite delay and 2 negative delays",
            (2, "-4"),
            "negative delay",
        ),
        (
            "seq,rtt\n1,4294967295\n9,4294967295\n",
            "only 2 numbers that stand for a failure",
            (2, "1,4294967295"),
            "number that stands for a failure",
        ),
        (
            "rtt\n-5\n6,7\n-6\n",
            "only 2 negative delays and 1 row that cannot be read",
            (2, "-5"),
            "negative delay",
        ),
    ] {
        let e = with(text, BadRows::LeaveOut).unwrap_err();
        assert_eq!(e.kind, crate::ErrorKind::NoSamples, "{text}");
        assert_eq!(e.what, format!("This table has no samples, {what}."));
        let p = e.place.unwrap();
        let (line, quoted) = &p.excerpt[p.marked];
        assert_eq!(((*line, &quoted[..]), &p.remark[..]), (place, remark));
    }
    for text in ["delay_ms\n1e999\n1e999\n", "t_s,delay_ms\n0,oops\n1,oops\n", "# x\nhost;rtt\na;b\n\nc;d\n"]
    {
        let e = with(text, BadRows::LeaveOut).unwrap_err();
        assert_eq!(e.what, "This table of delays has no samples: no row has a delay that is a number.");
        let p = e.place.unwrap();
        assert_eq!((p.excerpt[p.marked].0, p.marked > 0), (p.line, true), "{text}");
    }
    // All lost is a measurement.
    check("t_s,delay_ms\n0,-1\n1,-1\n", "0/- 1000/-");
    check("delay_ms\n*\nNaN\n*\n", "- -");
}

#[test]
fn a_heading_without_rows_is_no_trace() {
    for text in [
        "t_s,delay_ms\n",
        "rtt",
        "# by a tool\n\ntime;Latenz (ms);TTL\r\n\r\n",
        "\u{feff}seq\trtt_ms\n",
        "t,rtt\ns,ms\n",
        "seq,delay_ms\n,\n",
    ] {
        let e = with(text, BadRows::Ask).unwrap_err();
        assert_eq!(e.kind, crate::ErrorKind::NoSamples, "{text}");
        assert_eq!(e.what, "This table of delays has a heading and no rows.");
        assert!(!e.place.unwrap().excerpt.is_empty());
    }
    // A reading handed back for a file that has shrunk.
    for (first_line, place) in [(2, Some(2)), (9, None)] {
        let reading = Reading { first_line, ..import("t_s,delay_ms\n0,5\n").table.unwrap().reading };
        let options = Options { reading: Some(reading), ..Options::default() };
        let e = read(b"t_s,delay_ms\n0,5\n", &options).unwrap_err();
        assert_eq!(e.what, "This table of delays has a heading and no rows.");
        assert_eq!(e.place.map(|p| p.line), place);
    }
}

#[test]
fn the_first_rows_may_be_bad() {
    for (text, line) in [
        ("rtt\nx\n5\n6\n", 2),
        ("t,rtt\n0\n1,5\n2,6\n", 2),
        ("host,rtt\na,x\nb,5\nc,6\n", 2),
        ("Made by a tool\nhost,rtt\n\na,x\nb\nc,5\nd,6\n", 4),
    ] {
        assert_eq!(with(text, BadRows::Ask).unwrap_err().place.unwrap().line, line, "{text}");
    }
    check("Latency test\nvalues\n5\n6\n", "5 6");
}

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
fn a_bad_row_is_shown_among_its_neighbours() {
    let lines = |text: &str| {
        let place = with(text, BadRows::Ask).unwrap_err().place.unwrap();
        let mark = |i: usize| if i == place.marked { ">" } else { "" };
        let shown = place.excerpt.iter().enumerate().map(|(i, (n, t))| format!("{}{n} {t}", mark(i)));
        shown.collect::<Vec<_>>().join("|")
    };
    assert_eq!(lines("delay_ms\n5\n6\n7\nx\n8\n9\n"), "1 delay_ms|3 6|4 7|>5 x|6 8");
    assert_eq!(lines("delay_ms\r\n5\r\n6\r\nx\r\n8\r\n"), "1 delay_ms|2 5|3 6|>4 x|5 8");
    assert_eq!(lines("5\n6\n7\n8\nx"), "3 7|4 8|>5 x");
    assert_eq!(lines("t,rtt\n0,5\n1,6\n2,7\n3,x\n"), "1 t,rtt|3 1,6|4 2,7|>5 3,x");
    assert_eq!(lines("rtt\nx\n5\n6\n"), "1 rtt|>2 x|3 5");
    assert_eq!(lines("# a\n\nrtt\n5\n6\n\nx\n7\n"), "3 rtt|5 6|6 |>7 x|8 7");
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
            "Line 3 has one value where the heading names two. The line ends before octets: it may be cut short. Nothing was guessed: line 3 “6”: count",
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
fn what_is_no_table_is_refused_with_its_first_line() {
    for text in [
        "Dear reader,\nthis is a letter.\nYours\n",
        "{\"a\": 5}\n",
        "{\"a\": [\"b\", \"c\"]}",
        "<html></html>",
        "name,city\na,b\nc,d\n",
        "host a answered 64 times in 14.5 hours\nhost b answered 64 times in 13.5 hours\n",
    ] {
        let e = with(text, BadRows::Ask).unwrap_err();
        assert_eq!(e.kind, crate::ErrorKind::Unknown, "{text}");
    }
    let e = with("Dear reader,\n", BadRows::Ask).unwrap_err();
    assert_eq!(
        e.what,
        "This is text, but neither what a tool prints that is known here nor a table of delays."
    );
    assert!(with("{\"a\": 1}", BadRows::Ask).unwrap_err().what.starts_with("This is JSON of a kind "));
    let e = with("\n\n  Dear reader,\n", BadRows::Ask).unwrap_err();
    assert!(e.to_string().contains("line 3 “  Dear reader,”"), "{e}");
}

#[test]
fn a_line_without_end_is_refused() {
    let long = "7".repeat(1 << 21);
    for (text, line) in
        [(long.clone(), 1), (format!("1,{long}"), 1), (format!("seq,rtt\n1,5\n2,{long}\n3,5\n"), 3)]
    {
        let e = with(&text, BadRows::Ask).unwrap_err();
        assert_eq!(e.kind, crate::ErrorKind::TooLong);
        assert!(e.what.starts_with(&format!("Line {line} is 20971")), "{}", e.what);
        assert!(e.what.ends_with(" bytes long: no log and no table has such lines."), "{}", e.what);
        assert!(e.place.unwrap().excerpt.iter().all(|(_, t)| t.len() < 100));
    }
}

#[test]
fn a_table_without_delays_names_its_columns() {
    let text = "name,colour,n\na,red,1\nb,blue,2\nc,red,5\n";
    let error = with(text, BadRows::Ask).unwrap_err();
    assert_eq!(
        error.what,
        "This is a table, but none of its columns looks like delays: “name”, “colour”, “n”."
    );
    assert_eq!(error.remedies[0], Remedy::ChooseColumns);
    // What the reader chooses is read.
    let shown = crate::preview(text.as_bytes(), &Options::default(), 5).unwrap();
    assert_eq!(shown.table.names, ["name", "colour", "n"]);
    let told = Options { reading: Some(shown.table.reading), ..Options::default() };
    assert_eq!(records(&read(text.as_bytes(), &told).unwrap()), "1 2 5");
}

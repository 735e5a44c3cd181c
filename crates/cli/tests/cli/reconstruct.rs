//! `netspurt reconstruct`: rows printed again, traces that can be replayed, claims.

use crate::program::{netspurt, with_input};
use serde_json::{Value, json};

/// The printed table: section, host, …, then the eight figures.
const PRINTED: &str = include_str!("../../../../traces/rfc889_rto.csv");

const FIGURES: [&str; 8] =
    ["total_time_s", "lost_count", "lost_time_s", "rtx_count", "rtx_time_s", "mean_ms", "cov", "efficiency"];

#[test]
fn all_52_rows_are_those_of_the_table() {
    let answer = netspurt(&["reconstruct", "--json"]).json();
    let rows = answer["rows"].as_array().unwrap();
    let printed: Vec<Vec<&str>> = PRINTED.lines().skip(1).map(|l| l.split(',').collect()).collect();
    assert_eq!((rows.len(), printed.len()), (52, 52));
    for (row, printed) in rows.iter().zip(&printed) {
        assert_eq!(row["host_id"], json!(printed[1].replace(' ', "")));
        for (figure, text) in FIGURES.iter().zip(&printed[5..]) {
            assert_eq!(row[figure].as_f64(), text.parse().ok(), "{} {figure}", row["host_id"]);
        }
        assert_eq!((&row["exact"], &row["misses"]), (&json!(true), &json!([])));
    }
    assert_eq!((&rows[7]["section"], &rows[7]["lost_count"]), (&json!("dcn1-local"), &json!(3)));
}

#[test]
fn a_trace_replayed_as_a_file_prints_its_row() {
    for (row, wanted) in [
        ("dcn1-local/FOE", [670.0, 3.0, 7.5, 21.0, 73.3, 1150.0, 0.69, 0.87]),
        ("rfc889/dcn1-telenet/RICE-1", [368.0, 1.0, 0.1, 3.0, 2.3, 715.0, 0.11, 0.99]),
        ("dcn1-arpanet/ISID*", [329.0, 0.0, 0.0, 5.0, 12.9, 619.0, 0.81, 0.96]),
    ] {
        let csv = netspurt(&["reconstruct", row, "--csv"]).text().to_owned();
        assert!(csv.starts_with("t_s,octets,delay_ms\n0,"), "{csv}");
        let s = with_input(&["rto", "-", "--json"], csv.as_bytes()).json()["summary"].clone();
        let cut = |name: &str, unit: f64| (s[name].as_f64().unwrap() / unit + 1e-9).floor();
        let own = [
            cut("total", 1000.0),
            cut("lost", 1.0),
            cut("lost_time", 100.0) / 10.0,
            cut("rtx", 1.0),
            cut("rtx_time", 100.0) / 10.0,
            cut("mean", 1.0),
            cut("cov", 0.01) / 100.0,
            cut("efficiency", 0.01) / 100.0,
        ];
        assert_eq!((own, s["replies"].as_u64()), (wanted, Some(512)), "{row}");
    }
}

#[test]
fn rows_come_as_asked() {
    let two = &["reconstruct", "nta-satnet/UCL", "dcn1-satnet/UCL", "--csv"];
    let csv = netspurt(two).text().to_owned();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], format!("section,host_id,{},exact", FIGURES.join(",")));
    assert_eq!(
        lines[1..],
        [
            "nta-satnet,UCL,612,5,12.6,2,8.5,1154,0.24,0.96,true",
            "dcn1-satnet,UCL,689,9,26.8,0,0,1294,0.21,0.96,true"
        ]
    );
    let text = netspurt(&["reconstruct", "dcn1-local/FOE"]).text().to_owned();
    assert!(text.contains("21  73.3  1150  0.69  0.87  exact"), "{text}");
    assert!(text.ends_with("seed 66, not Mills's data.\n"), "{text}");
}

#[test]
fn another_seed_is_another_trace_with_the_same_figures() {
    let of = |words: &[&str]| netspurt(&[&["reconstruct", "dcn1-local/FOE"], words].concat());
    assert_ne!(of(&["--csv"]).text(), of(&["--csv", "--seed", "7"]).text());
    assert_eq!(of(&["--csv"]).text(), of(&["--csv", "--seed", "66"]).text());
    let seven = of(&["--json", "--seed=7"]).json();
    assert_eq!((&seven["seed"], &seven["rows"]), (&json!(7), &of(&["--json"]).json()["rows"]));
    // The same trace by its name.
    let named = netspurt(&["rto", "rfc889/dcn1-local/FOE seed=7", "--json"]).json();
    let csv = of(&["--csv", "--seed=7"]).text().to_owned();
    assert_eq!(named["summary"], with_input(&["rto", "-", "--json"], csv.as_bytes()).json()["summary"]);
}

#[test]
fn the_control_is_a_switch_and_what_does_not_fit_is_said() {
    let of = |words: &[&str]| {
        netspurt(&[&["reconstruct", "dcn1-arpanet/WASH-2", "--as-if=typical", "--seed=1"], words].concat())
    };
    let answer = of(&["--json"]).json();
    let row = &answer["rows"][0];
    assert_eq!((&answer["as_if"], &row["exact"]), (&json!("typical"), &json!(false)));
    assert!(row["misses"].as_array().unwrap().contains(&json!("lost_time_s")), "{row}");
    assert!(of(&[]).text().contains("lost_time_s printed 9.8"));
    assert!(of(&[]).text().contains("0 of 1 rows are printed again."));
}

#[test]
fn delays_behind_a_queue_print_the_same_row() {
    let of = |noise: &str| netspurt(&["reconstruct", "dcn1-local/FOE", noise, "--json"]).json();
    let [surges, queue] = ["--noise=surges", "--noise=queue"].map(of);
    assert_eq!((&surges["rows"], &queue["noise"]), (&queue["rows"], &json!("queue")));
    let of = |noise: &str| netspurt(&["reconstruct", "dcn1-local/FOE", noise, "--csv"]).text().to_owned();
    assert_ne!(of("--noise=surges"), of("--noise=queue"));
}

#[test]
fn what_is_no_row_and_no_seed_is_refused() {
    let check = |words: &[&str], code, says: &str| {
        let ran = netspurt(&[&["reconstruct"], words].concat());
        assert!(ran.refusal(code).starts_with(says), "{ran:?}");
    };
    check(
        &["dcn1-local/FOO"],
        1,
        "RFC 889 prints no run rfc889/dcn1-local/FOO: section dcn1-local: there are DCN5",
    );
    check(&["FOE"], 1, "RFC 889 prints no section as in rfc889/FOE: section 3.2: there are dcn1-local");
    check(&["--seed", "-1"], 2, "seed must be from 0 to 9007199254740991, not -1: --seed: ");
    check(&["--seed=1.5"], 2, "seed must be a whole number, not 1.5: --seed: ");
    check(&["--as-if", "mine"], 2, "invalid value 'mine' for '--as-if");
    check(&["--json", "--csv"], 2, "the argument '--json' cannot be used with '--csv'");
    check(&["--claims", "dcn1-local/FOE"], 2, "the argument '--claims' cannot be used with '[ROW]...'");
    check(&["--seeds", "3"], 2, "the following required arguments were not provided: --claims");
    let named = netspurt(&["rto", "rfc889/dcn1-local/FOE seed=x"]);
    assert!(named.refusal(1).starts_with("seed must be a number"), "{named:?}");
}

#[test]
fn claims_are_tried_with_one_seed() {
    let answer = netspurt(&["reconstruct", "--claims", "--seeds=1", "--json"]).json();
    assert_eq!((&answer["seeds"], &answer["exact"]), (&json!(1), &json!(104)));
    assert_eq!(answer["noise"], json!(["surges", "queue"]));
    let claims = answer["claims"].as_array().unwrap();
    let of = |measured: &str| claims.iter().find(|c| c["measured"] == json!(measured)).unwrap();
    let facc = of("FACC, points");
    assert_eq!((&facc["found"]["verdict"], &facc["found"]["passes"]), (&json!("holds"), &json!(2)));
    assert!(facc["found"]["median"].as_f64() < Some(0.0));
    let raised = of("sent again with F2 = 15/16, of those with 3/4");
    assert_eq!(raised["found"]["verdict"], json!("reversed"));
    assert!(answer["slips"].as_array().is_some_and(|s| s.len() == 5));
    let queue = netspurt(&["reconstruct", "--claims", "--seeds=1", "--noise=queue", "--json"]).json();
    assert_eq!((&queue["exact"], &queue["noise"]), (&json!(52), &json!(["queue"])));
    let quotes = |of: &Value| of["quote"].as_str().map(str::to_owned);
    let text = netspurt(&["reconstruct", "--claims", "--seeds=1"]).text().to_owned();
    for claim in claims {
        assert!(text.contains(&quotes(claim).unwrap()), "{text}");
    }
}

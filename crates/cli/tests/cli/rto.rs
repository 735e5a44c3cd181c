//! `netspurt rto`, with numbers worked by hand.

use crate::program::netspurt;
use serde_json::{Value, json};

fn rto(words: &[&str]) -> Value {
    netspurt(&[&["rto", "--json"], words].concat()).json()
}

#[test]
fn a_series_worked_by_hand() {
    let r = rto(&["--series=100,100,-,250", "--steps"]);
    assert_eq!((&r["estimator"], &r["replay"]), (&json!("mills"), &json!("1983")));
    assert_eq!(r["timeouts"], json!([200.0, 200.0, 200.0, 200.0]));
    assert_eq!(r["kinds"], json!(["prime", "ok", "lost", "rtx"]));
    // .75·100 + .25·250
    assert_eq!(r["estimates"], json!([100.0, 100.0, 100.0, 137.5]));
    let s = &r["summary"];
    // 450 good, 200 waited, 250 late.
    assert_eq!((&s["replies"], &s["lost"], &s["rtx"]), (&json!(3), &json!(1), &json!(1)));
    assert_eq!((&s["lost_time"], &s["rtx_time"], &s["total"]), (&json!(200.0), &json!(250.0), &json!(900.0)));
    assert_eq!((&s["mean"], &s["efficiency"]), (&json!(150.0), &json!(0.5)));
    assert_eq!(s["spurious_rate"], json!(1.0 / 3.0));
    // √(((100-150)² + (100-150)² + (250-150)²) / 3) / 150
    assert_eq!(s["cov"], json!(5000_f64.sqrt() / 150.0));
}

#[test]
fn a_loss_first_costs_g_times_e_cold_and_has_no_estimate() {
    for series in [&["--series=-,151,100"][..], &["--series", "-,151,100"], &["--series", ",151,100"]] {
        let r = rto(&[series, &["--steps"]].concat());
        assert_eq!(r["timeouts"], json!([150.0, 150.0, 188.0]));
        assert_eq!(r["kinds"], json!(["lost", "rtx", "ok"]));
        assert_eq!(r["estimates"], json!([null, 94.0, 95.5]));
    }
    assert_eq!(rto(&["--series=-", "--e-cold", "80"])["summary"]["lost_time"], json!(160.0));
}

#[test]
fn parameters_come_from_flags_in_every_form() {
    let r = rto(&["--series=100,200", "--f1", "7/8", "--f2=87.5%", "--g", "1.5", "--e-cold=0.2s"]);
    let params = json!({"f1": 0.875, "f2": 0.875, "g": 1.5, "e-cold": 200.0, "backoff": false});
    assert_eq!(r["params"], params);
    assert_eq!(rto(&["--series=1", "--backoff", "true"])["params"]["backoff"], json!(true));
    let r = rto(&["--series=1500,10", "--estimator", "rfc6298", "--steps"]);
    let params = json!({"granularity": 0.0, "min": 1000.0, "max": 60000.0, "initial": 1000.0, "k": 4.0});
    assert_eq!(r["params"], params);
    // 1500 + 4·750
    assert_eq!(r["timeouts"], json!([1000.0, 4500.0]));
    assert_eq!(r["kinds"], json!(["rtx", "ok"]));
    let r = rto(&["--series=100,1", "--estimator=rfc6298", "--min", "0", "--steps"]);
    assert_eq!(r["timeouts"], json!([1000.0, 300.0]));
}

#[test]
fn scale_keeps_every_column_in_the_trace_s_unit() {
    let of = |words: &[&str]| rto(&[&["--series=100,300,-,120", "--steps"], words].concat());
    // The estimator sees round trips of 200: 200 + 4·100, halved.
    let r = of(&["--estimator=rfc6298", "--min=0", "--scale", "2"]);
    assert_eq!(r["timeouts"][1], json!(300.0));
    assert_eq!(r["summary"]["mean"], of(&[])["summary"]["mean"]);
}

#[test]
fn a_run_of_1983_is_named_like_a_path() {
    let r = rto(&["rfc889/dcn1-local/FOE"]);
    assert_eq!((&r["summary"]["replies"], &r["summary"]["lost"]), (&json!(512), &json!(3)));
    // Its delays are one-way: a sender that times round trips sees twice as much.
    let of = |words: &[&str]| {
        rto(&[&["rfc889/dcn1-local/DCN8", "--estimator=rfc6298", "--steps"], words].concat())
    };
    assert_eq!(of(&[]), of(&["--scale=2"]));
    assert_ne!(of(&[]), of(&["--scale=1"]));
}

#[test]
fn what_is_not_known_is_null() {
    let s = rto(&["--series=-,-"])["summary"].clone();
    assert_eq!((&s["replies"], &s["lost"], &s["efficiency"]), (&json!(0), &json!(2), &json!(0.0)));
    assert!(s["mean"].is_null() && s["cov"].is_null() && s["spurious_rate"].is_null());
    let s = rto(&["--series=0,0"])["summary"].clone();
    assert!(s["cov"].is_null() && s["efficiency"].is_null());
    assert_eq!(rto(&["--series=1"]).get("timeouts"), None);
}

#[test]
fn text_stands_in_columns() {
    let text = "\
Estimator                    Total     Lost   Lost  Spurious  Spurious  Mean   CoV  Efficiency
                                 s  packets      s   packets         s    ms
F1 = 15/16, F2 = 3/4, G = 2  0.552        1  0.150         1     0.151   126  0.20        0.45

packet    delay  timeout  estimate  outcome
     1        -  150.000         -     lost
     2  151.000  150.000    94.000      rtx
     3  100.000  188.000    95.500       ok
";
    assert_eq!(netspurt(&["rto", "--series=-,151,100", "--steps"]).text(), text);
    let foe = netspurt(&["rto", "rfc889/dcn1-local/FOE"]);
    let printed = foe.text().lines().nth(2).unwrap();
    assert_eq!(
        printed.split_whitespace().rev().take(8).collect::<Vec<_>>(),
        [".87", ".69", "1150", "73.3", "21", "7.5", "3", "670"]
    );
    assert!(foe.text().contains("The samples of 1983 were not published."));
}

#[test]
fn a_wrong_command_line_is_said_on_one_line() {
    let check = |words: &[&str], says: &str| {
        let ran = netspurt(&[&["rto"], words].concat());
        assert!(ran.refusal(2).starts_with(says), "{ran:?}");
    };
    let one = |word: &str, says: &str| check(&["--series=1", word], says);
    check(&[], "the following required arguments were not provided: <TRACE|--series");
    check(&["x", "--series=1"], "the argument '[TRACE]' cannot be used with '--series");
    one("--f1=2", "f1 must be from 0 to 1, not 2: --f1: ");
    one("--f1=15", "f1 must be from 0 to 1, not 15; did you mean 15/16?: --f1: ");
    one("--f1=NaN", "f1 must be a number such as 0.75 or 3/4, not \"NaN\": --f1: ");
    one("--f1=1ms", "f1 is a pure number; \"1ms\" has a unit: --f1: ");
    check(&["--series=1", "--g", "-1"], "g must be from 0 to 16, not -1: --g: ");
    check(&["--series=1", "--f1", "1", "--f1", "1"], "the argument '--f1 <V>' cannot be used multiple times");
    one("--min=0", "mills has no parameter min: --min: it is one of rfc6298; ");
    check(
        &["--series=1", "--estimator", "rfc6298", "--g=2"],
        "rfc6298 has no parameter g: --g: it is one of mills; ",
    );
    one("--estimator=mill", "there is no estimator mill: --estimator: there are mills, rfc6298");
    one("--backoff=yes", "backoff must be true or false, not \"yes\": --backoff: ");
    one("--replay=1984", "replay must be one of 1983, not \"1984\": --replay: ");
    one("--scale=0", "scale must be from 0.001 to 1000, not 0: --scale: ");
    one("--f3=1", "unexpected argument '--f3' found: netspurt rto: ");
    check(&["--series="], "the series is empty: --series: ");
    check(&["--series=1,x"], "a delay must be a number such as 0.75 or 3/4, not \"x\": --series, item 2: ");
    check(&["--series=1,-5"], "a delay must be from 0 to 10000000000 ms, not -5: --series, item 2: ");
    check(&["--series=inf"], "a delay must be a number such as 0.75 or 3/4, not \"inf\": --series, item 1: ");
}

#[test]
fn a_run_that_was_never_printed_is_bad_input() {
    let check = |name: &str, says: &str| {
        let ran = netspurt(&["rto", name, "--json"]);
        assert!(ran.refusal(1).starts_with(says), "{ran:?}");
    };
    check(
        "rfc889/dcn1-local/FOO",
        "RFC 889 prints no run rfc889/dcn1-local/FOO: section dcn1-local: there are DCN5",
    );
    check("rfc889/FOE", "RFC 889 prints no section as in rfc889/FOE: section 3.2: there are dcn1-local");
}

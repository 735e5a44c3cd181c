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

/// Timeouts of the series by each estimator, and what it made of the records.
#[track_caller]
fn check(words: &[&str], series: &str, timeouts: &Value, kinds: &Value) {
    let series = format!("--series={series}");
    let r = rto(&[words, &[&series, "--steps"]].concat());
    assert_eq!((&r["timeouts"], &r["kinds"]), (timeouts, kinds), "{words:?}");
}

#[test]
fn every_estimator_replays_by_the_rules_of_1983() {
    for (estimator, timeouts, estimates) in [
        // E = .75·100 + .25·180
        ("mills", json!([200.0, 200.0, 240.0]), json!([100.0, 120.0, 120.0])),
        // 2·110 is under a second.
        ("rfc793", json!([3000.0, 1000.0, 1000.0]), json!([100.0, 110.0, 110.0])),
        ("jacobson88", json!([3000.0, 200.0, 225.0]), json!([100.0, 110.0, 110.0])),
        ("rfc6298", json!([1000.0, 1000.0, 1000.0]), json!([100.0, 110.0, 110.0])),
        ("rfc7323", json!([1000.0, 1000.0, 1000.0]), json!([100.0, 110.0, 110.0])),
        ("linux", json!([1000.0, 300.0, 340.0]), json!([100.0, 110.0, 110.0])),
        // srtt = 101, then 3548/32 ticks.
        ("freebsd", json!([1000.0, 503.0, 541.0]), json!([101.0, 110.875, 110.875])),
        ("quic", json!([999.0, 300.0, 340.0]), json!([100.0, 110.0, 110.0])),
        ("coap", json!([2000.0, 2000.0, 2000.0]), json!([null, null, null])),
        // (100 + 200)/2 + 1000; then S = 110, V = 57.5: 170 + 575
        ("cocoa", json!([2000.0, 1150.0, 745.0]), json!([100.0, 110.0, 110.0])),
        // One lost: 100 costs 100 + 180, 180 costs 180, 0 costs 280.
        ("hindsight", json!([180.0, 180.0, 180.0]), json!([null, null, null])),
    ] {
        let r = rto(&["--series=100,180,-", "--steps", "--estimator", estimator]);
        assert_eq!((&r["timeouts"], &r["estimates"]), (&timeouts, &estimates), "{estimator}");
        let first = if estimator == "mills" { "prime" } else { "ok" };
        assert_eq!(r["kinds"], json!([first, "ok", "lost"]), "{estimator}");
        assert_eq!(r["summary"].get("spurious_transmissions"), None);
    }
    // gain 1/4: D = 80 ≥ V = 50: S = 120, V = 57.5: 120 + 230
    check(
        &["--estimator=eifel", "--gain=1/4"],
        "100,180,-",
        &json!([3000.0, 300.0, 350.0]),
        &json!(["ok", "ok", "lost"]),
    );
    // d = .8, B = min(1.6, 1): 2·180
    check(
        &["--estimator=peak-hopper"],
        "100,180,-",
        &json!([3000.0, 175.0, 360.0]),
        &json!(["ok", "rtx", "lost"]),
    );
}

#[test]
fn a_transport_backs_off_and_keeps_karn_s_rule() {
    let series = "100,-,100,2000,100,100";
    let protocol =
        |words: &[&'static str]| [&["--replay=protocol", "--min=0", "--estimator=rfc6298"], words].concat();
    check(
        &protocol(&[]),
        series,
        &json!([1000.0, 300.0, 600.0, 600.0, 2400.0, 250.0]),
        &json!(["sampled", "lost", "ambiguous", "rtx-ambiguous", "sampled", "sampled"]),
    );
    // S = 100, V = 37.5; then 337.5 and 503.125, which 100 takes to 307.8125 and 436.71875.
    check(
        &protocol(&["--karn", "false"]),
        series,
        &json!([1000.0, 300.0, 600.0, 250.0, 2350.0, 2054.6875]),
        &json!(["sampled", "lost", "sampled", "rtx-sampled", "sampled", "sampled"]),
    );
    let s = rto(&[&protocol(&[])[..], &["--series", series]].concat());
    assert_eq!(s["replay"], json!("protocol"));
    let s = &s["summary"];
    // 2000 under timers of 600, 1200 and 2400: two expiries.
    assert_eq!(
        (&s["rtx"], &s["rtx_time"], &s["spurious_transmissions"]),
        (&json!(1), &json!(2000.0), &json!(2))
    );
    assert_eq!((&s["lost_time"], &s["total"]), (&json!(300.0), &json!(4700.0)));
    // Packet numbers make no reply ambiguous, unless that is asked for.
    let kinds = |words: &[&str]| {
        rto(&[&["--series=-,100", "--estimator=quic", "--replay=protocol", "--steps"], words].concat())["kinds"].clone()
    };
    assert_eq!(
        (kinds(&[]), kinds(&["--karn=true"])),
        (json!(["lost", "sampled"]), json!(["lost", "ambiguous"]))
    );
}

#[test]
fn length_can_be_taken_off() {
    let plain = rto(&["rfc889/dcn1-arpanet/WASH", "--steps"]);
    let corrected = rto(&["rfc889/dcn1-arpanet/WASH", "--steps", "--correct=length"]);
    assert_ne!(plain["timeouts"], corrected["timeouts"]);
    let ran = netspurt(&["rto", "--series=1,2", "--correct=length"]);
    assert!(ran.refusal(1).starts_with("the series holds no replies of different lengths, so "), "{ran:?}");
}

#[test]
fn hard_series_give_numbers_or_a_sentence() {
    let lost = vec!["-"; 2000].join(",");
    for series in ["-", "0", "0,0,0", "5,5,5,5", "0.000001,3600000,0.000001", "1,-,-,-,-", &lost] {
        for (estimator, replay) in
            netspurt_core::rto::all().iter().flat_map(|e| [(e.id, "1983"), (e.id, "protocol")])
        {
            let words = ["--series", series, "--estimator", estimator, "--replay", replay, "--steps"];
            let r = rto(&words);
            let finite = |v: &Value| v.as_f64().is_some_and(|t| t.is_finite() && t >= 0.0);
            assert!(r["timeouts"].as_array().unwrap().iter().all(finite), "{estimator} {series}");
            for name in ["lost_time", "rtx_time", "total"] {
                assert!(finite(&r["summary"][name]), "{estimator} {series} {name}");
            }
            netspurt(&[&["rto"], &words[..]].concat()).text();
        }
    }
    for words in [&["--f1=1/4", "--f2=3/4"][..], &["--g=0"], &["--f1=1", "--f2=1"], &["--f1=0", "--f2=0"]] {
        let r = rto(&[&["--series=100,300,-,50,0,900"], words].concat());
        assert!(r["summary"]["total"].as_f64().unwrap() > 0.0, "{words:?}");
    }
}

#[test]
fn hindsight_is_the_cheapest_fixed_timeout() {
    let of = |words: &[&str]| netspurt(&[&["hindsight", "--json"], words].concat()).json();
    assert_eq!(of(&["--series=100,100,-,250"]), json!({"timeout": 250.0, "cost": 250.0}));
    assert_eq!(of(&["--series=100,-,-,-,250"]), json!({"timeout": 0.0, "cost": 350.0}));
    assert_eq!(of(&["--series=-,-"]), json!({"timeout": 0.0, "cost": 0.0}));
    let best = of(&["rfc889/dcn1-local/FOE"]);
    let s = rto(&["rfc889/dcn1-local/FOE", "--estimator=hindsight"])["summary"].clone();
    let cost = s["lost_time"].as_f64().unwrap() + s["rtx_time"].as_f64().unwrap();
    assert!((best["cost"].as_f64().unwrap() - cost).abs() < 1e-6);
    assert_eq!(
        netspurt(&["hindsight", "--series=100,100,-,250"]).text(),
        "timeout  250.000  ms\ncost     250.000  ms\n"
    );
    netspurt(&["hindsight"]).refusal(2);
    netspurt(&["hindsight", "no-such-file"]).refusal(1);
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

wait, ms       mean    p50    p95    p99
every packet  162.7  150.0  184.2  187.2
lost packets  150.0  150.0  150.0  150.0
Sent again too soon: 50.00 % of the replies, 95 % interval 9.45 to 90.55 %.
Timeout over delay: 1.37, geometric mean.
Efficiency: 16.97 points less than with the best fixed timeout.
RFC 889 does not say what E is before any reply: 75 ms are inferred from its RICE-1 row. It has no back-off.

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
    one("--beta=2", "mills has no parameter beta: --beta: rfc793 has it; ");
    one(
        "--min=0",
        "mills has no parameter min: --min: jacobson88, rfc6298, rfc7323, linux, freebsd have it; ",
    );
    check(
        &["--series=1", "--estimator", "rfc6298", "--g=2"],
        "rfc6298 has no parameter g: --g: mills has it; ",
    );
    one("--estimator=mill", "there is no estimator mill: --estimator: there are mills, rfc793, jacobson88, ");
    one("--backoff=yes", "backoff must be true or false, not \"yes\": --backoff: ");
    one("--replay=1984", "replay must be one of 1983, protocol, not \"1984\": --replay: ");
    one("--karn=no", "karn must be true or false, not \"no\": --karn: ");
    one("--correct=size", "correct must be one of none, length, not \"size\": --correct: ");
    one("--scale=0", "scale must be from 0.001 to 1000, not 0: --scale: ");
    one("--f3=1", "unexpected argument '--f3' found: netspurt rto: ");
    check(&["--series="], "the series is empty: --series: ");
    check(&["--series=1,x"], "a delay must be a number such as 0.75 or 3/4, not \"x\": --series, item 2: ");
    check(&["--series=1,-5"], "a delay must be from 0 to 10000000000 ms, not -5: --series, item 2: ");
    check(&["--series=inf"], "a delay must be from 0 to 10000000000 ms, not inf: --series, item 1: ");
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

//! `netspurt delay`, with lines worked by hand.

use crate::program::{file, netspurt, with_input};
use serde_json::{Value, json};

fn delay(words: &[&str]) -> Value {
    netspurt(&[&["delay", "--json"], words].concat()).json()
}

/// 10 + 0.5 L up to 125 octets, 100 + 0.25 L above; the second at 200 octets is a ms late and early.
const TWO: &str = "octets,delay_ms\n40,30\n100,60\n120,70\n130,132.5\n200,151\n200,149\n256,164\n";

#[test]
fn two_lines_worked_by_hand() {
    let r = delay(&[&file("delay/two.csv", TWO.as_bytes())]);
    assert_eq!((&r["method"], &r["packets"], &r["knee"]), (&json!("ols"), &json!(7), &json!(125)));
    let [short, long] = &r["segments"].as_array().unwrap()[..] else { panic!("{r}") };
    assert_eq!((&short["from"], &short["to"], &short["n"]), (&json!(40), &json!(125), &json!(3)));
    assert_eq!((&long["from"], &long["to"], &long["n"]), (&json!(126), &json!(256), &json!(4)));
    let near = |v: &Value, expected: f64| {
        let v = v.as_f64().unwrap();
        assert!((v - expected).abs() < 1e-9 * expected.abs().max(1.0), "{v} {expected}");
    };
    near(&short["slope_ms_per_octet"], 0.5);
    near(&short["intercept_ms"], 10.0);
    near(&short["rate_bps"], 16_000.0);
    near(&short["rmse"], 0.0);
    near(&short["r2"], 1.0);
    near(&long["rate_bps"], 32_000.0);
    // Residuals 1 and −1: √(2/4).
    near(&long["rmse"], 0.5_f64.sqrt());
    // Σ(L − 196.5)² = 7987; s² = 2/2; t of 2 degrees is 4.302653.
    let reach = 4.302_652_729_696_142 / 7987_f64.sqrt();
    near(&long["rate_ci"][0], 8000.0 / (0.25 + reach));
    near(&long["rate_ci"][1], 8000.0 / (0.25 - reach));
    assert!(r["knee_ci"].is_null() && r["printed"].is_null());
}

#[test]
fn one_line_or_a_knee_that_is_looked_for() {
    let path = file("delay/two.csv", TWO.as_bytes());
    let r = delay(&[&path, "--knee", "none"]);
    assert_eq!((r["segments"].as_array().unwrap().len(), &r["knee"]), (1, &Value::Null));
    let r = delay(&[&path, "--knee=estimate"]);
    assert_eq!((&r["knee"], &r["knee_ci"]), (&json!(120), &json!([120, 129])));
    assert!(r["sup_f"].as_f64().unwrap() > 100.0);
    assert_eq!(delay(&[&path, "--knee", "130"])["segments"][1]["from"], json!(131));
    let r = delay(&[&path, "--octets-from", "126", "--knee=none"]);
    assert_eq!((&r["packets"], &r["segments"][0]["from"]), (&json!(4), &json!(130)));
}

#[test]
fn every_method_gives_the_same_line_where_there_is_one() {
    let rows: Vec<String> = (40..=256).map(|l| format!("{l},{}", 20 + 2 * l)).collect();
    let path = file("delay/line.csv", format!("octets,rtt_ms\n{}\n", rows.join("\n")).as_bytes());
    for (method, fitted) in [("ols", 217), ("theil-sen", 217), ("huber", 217), ("min-filter", 28)] {
        let r = delay(&[&path, "--knee=none", "--method", method]);
        let s = &r["segments"][0];
        let rate = s["rate_bps"].as_f64().unwrap();
        assert!((rate - 4000.0).abs() < 1e-6, "{method} {rate}");
        assert_eq!((&s["fitted"], &r["method"]), (&json!(fitted), &json!(method)));
    }
}

#[test]
fn a_run_of_1983_stands_beside_its_printed_row() {
    let r = delay(&["rfc889/dcn1-arpanet/SCORE"]);
    assert_eq!(r["printed"][1]["rate_bps"], json!(15_745.0));
    assert_eq!((r["segments"].as_array().unwrap().len(), &r["knee"]), (2, &json!(125)));
    // One line was printed for paths without the ARPANET.
    assert_eq!(delay(&["rfc889/dcn1-local/FORD1"])["segments"].as_array().unwrap().len(), 1);
    assert_eq!(delay(&["rfc889/dcn1-local/FORD1", "--knee", "125"])["knee"], json!(125));
    let text = netspurt(&["delay", "rfc889/dcn1-arpanet/SCORE"]);
    assert!(text.text().contains("One packet, 40 to 125 octets") && text.text().contains("15745"));
}

#[test]
fn what_cannot_be_fitted_is_null_and_said() {
    let of = |text: &str| {
        let ran = with_input(&["delay", "-", "--json"], text.as_bytes());
        ran.json()
    };
    let r = of("octets,delay_ms\n64,1\n64,3\n");
    let s = &r["segments"][0];
    assert!(s["slope_ms_per_octet"].is_null() && s["rate_bps"].is_null() && s["r2"].is_null());
    assert_eq!((&s["n"], &s["delay_from_ms"], &s["rmse"]), (&json!(2), &json!(2.0), &json!(1.0)));
    assert!(r["remarks"][0].as_str().unwrap().starts_with("All packets have 64 octets"));
    let r = of("octets,delay_ms\n40,10\n40,12\n256,119\n256,119\n");
    assert_eq!(r["segments"].as_array().unwrap().len(), 1);
    assert!(r["remarks"][0].as_str().unwrap().starts_with("Packets have 40 or 256 octets"));
    // Delays that do not grow with length have no finite rate.
    let r = of("octets,delay_ms\n40,10\n60,12\n80,9\n100,11\n");
    assert!(r["segments"][0]["rate_bps"].is_null() && r["segments"][0]["rate_ci"].is_null());
    assert!(r["segments"][0]["slope_ms_per_octet"].is_number());
    let ran = with_input(&["delay", "-"], b"delay_ms\n1\n2\n");
    assert!(ran.refusal(1).starts_with("no packet has both a length and a delay"), "{ran:?}");
}

#[test]
fn a_wrong_command_line_is_said_on_one_line() {
    let check = |words: &[&str], says: &str| {
        let ran = netspurt(&[&["delay"], words].concat());
        assert!(ran.refusal(2).starts_with(says), "{ran:?}");
    };
    check(&[], "the following required arguments were not provided: <TRACE>");
    check(&["x", "--knee", "0"], "knee must be from 1 to 65535 octets, not 0: --knee: ");
    check(
        &["x", "--knee", "near"],
        "knee must be a number of octets, none or estimate, not \"near\": --knee: ",
    );
    check(
        &["x", "--method=lad"],
        "method must be one of ols, theil-sen, huber, min-filter, not \"lad\": --method: ",
    );
    check(&["x", "--octets-to", "-1"], "octets-to must be from 0 to 65535 octets, not -1: --octets-to: ");
    netspurt(&["delay", "no/such/file"]).refusal(1);
}

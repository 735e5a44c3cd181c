//! `netspurt stats`, with NIST's certified values and numbers worked by hand.

use crate::program::{file, netspurt, with_input};
use serde_json::{Value, json};

fn stats(words: &[&str]) -> Value {
    netspurt(&[&["stats", "--json"], words].concat()).json()
}

fn nist(name: &str) -> String {
    format!("{}/../../traces/nist/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Digits that a number shares with a certified one, to the fifteen that NIST gives.
#[track_caller]
fn digits(got: &Value, certified: f64) {
    let got = got.as_f64().unwrap_or(f64::NAN);
    let error = (got - certified).abs() / certified.abs();
    assert!(error < 1e-13, "{got} {certified}");
}

#[test]
fn data_sets_of_nist_s_are_read_as_they_are() {
    let r = stats(&[&nist("Lew.dat")]);
    assert_eq!(
        (&r["n"], &r["min"], &r["max"], &r["column"]),
        (&json!(200), &json!(-579.0), &json!(300.0), &json!("Y"))
    );
    digits(&r["mean"], -177.435);
    digits(&r["sd"], 277.332_168_044_316);
    digits(&r["lag1_autocorrelation"], -0.307_304_800_605_679);
    assert!(r.get("regression").is_none());
    let r = stats(&[&nist("NumAcc1.dat")]);
    assert_eq!((&r["mean"], &r["sd"]), (&json!(10_000_002.0), &json!(1.0)));
    let r = &stats(&[&nist("Norris.dat")])["regression"];
    digits(&r["slope"], 1.002_116_818_020_45);
    digits(&r["intercept"], -0.262_323_073_774_029);
    digits(&r["slope_se"], 0.429_796_848_199_937e-3);
    digits(&r["intercept_se"], 0.232_818_234_301_152);
    digits(&r["residual_sd"], 0.884_796_396_144_373);
    digits(&r["r2"], 0.999_993_745_883_712);
}

#[test]
fn observed_numbers_keep_the_certified_digits() {
    let check = |set: &str, n: u64, certified: [f64; 3]| {
        let r = stats(&[&nist(set)]);
        assert_eq!(r["n"], json!(n), "{set}");
        for (what, certified) in ["mean", "sd", "lag1_autocorrelation"].into_iter().zip(certified) {
            digits(&r[what], certified);
        }
    };
    check("lottery.txt", 218, [518.958_715_596_330, 291.699_727_470_969, -0.120_948_622_967_393]);
    check("mavro.txt", 50, [2.001_856, 0.000_429_123_454_003_053, 0.937_989_183_438_248]);
    check("michelso.txt", 100, [299.852_4, 0.079_010_547_819_051_8, 0.535_199_668_621_283]);
}

#[test]
fn tenths_beside_millions_keep_what_a_double_holds() {
    let check = |first: &str, low: &str, high: &str, sd_off_by: f64| {
        let text: String = std::iter::once(format!("{first}\n"))
            .chain((0..500).map(|_| format!("{low}\n{high}\n")))
            .collect();
        let r = with_input(&["stats", "-", "--json"], text.as_bytes()).json();
        digits(&r["mean"], first.parse().unwrap());
        let of = |what: &str| r[what].as_f64().unwrap();
        assert!((of("sd") / 0.1 - 1.0).abs() < sd_off_by, "{first}: {r}");
        assert!((of("lag1_autocorrelation") / -0.999 - 1.0).abs() < sd_off_by, "{first}: {r}");
    };
    // NIST's NumAcc2, 3 and 4: thirteen, nine and eight digits.
    check("1.2", "1.1", "1.3", 1e-13);
    check("1000000.2", "1000000.1", "1000000.3", 1e-9);
    check("10000000.2", "10000000.1", "10000000.3", 1e-8);
}

#[test]
fn lines_through_the_origin_have_no_intercept() {
    // NIST's NoInt1.
    let rows: Vec<String> = (60..=70).map(|x| format!("{}  {x}", x + 70)).collect();
    let r = stats(&[&file("stats/noint1.txt", rows.join("\n").as_bytes()), "--through-origin"]);
    let r = &r["regression"];
    digits(&r["slope"], 2.074_380_165_289_26);
    digits(&r["slope_se"], 0.016_528_925_619_834_7);
    digits(&r["residual_sd"], 3.567_530_340_063_38);
    digits(&r["r2"], 0.999_365_492_298_663);
    assert!(r["intercept"].is_null() && r["intercept_se"].is_null());
}

#[test]
fn figures_worked_by_hand() {
    let r = with_input(&["stats", "-", "--json"], b"2\n4\n4\n4\n5\n5\n7\n9\n").json();
    let sd = (32.0_f64 / 7.0).sqrt();
    assert_eq!(
        (&r["n"], &r["mean"], &r["sd"], &r["cov"]),
        (&json!(8), &json!(5.0), &json!(sd), &json!(sd / 5.0))
    );
    assert_eq!(
        (&r["p25"], &r["p50"], &r["p75"], &r["p5"]),
        (&json!(4.0), &json!(4.5), &json!(5.5), &json!(2.7))
    );
    let r = with_input(&["stats", "-", "--json"], b"5\n").json();
    assert!(r["sd"].is_null() && r["cov"].is_null() && r["lag1_autocorrelation"].is_null());
}

#[test]
fn columns_are_chosen_by_name_or_number() {
    let path = file("stats/trace.csv", b"t_s,octets,delay_ms\n0,40,10\n1,80,20\n2,120,\n3,160,45\n");
    let r = stats(&[&path]);
    assert_eq!(
        (&r["column"], &r["n"], &r["missing"], &r["mean"]),
        (&json!("delay_ms"), &json!(3), &json!(1), &json!(25.0))
    );
    let named = with_input(&["stats", "-", "--json"], b"x,y\n1,2\n2,4\n3,7\n").json();
    assert_eq!((&named["column"], &named["regression"]["slope"]), (&json!("y"), &json!(2.5)));
    for asked in ["delay_ms,octets", "3,2", "DELAY_MS, 2"] {
        let r = stats(&[&path, "--regress", asked]);
        let line = &r["regression"];
        assert_eq!((&line["y"], &line["x"], &line["n"]), (&json!("delay_ms"), &json!("octets"), &json!(3)));
        // Lengths 40, 80, 160 and delays 10, 20, 45: Sxy = 2200, Sxx = 22400/3.
        assert!((line["slope"].as_f64().unwrap() - 6600.0 / 22_400.0).abs() < 1e-15, "{line}");
    }
}

#[test]
fn any_trace_has_its_delays() {
    let r = stats(&["rfc889/dcn1-local/FOE", "--regress", "delay_ms,octets"]);
    assert_eq!((&r["column"], &r["n"], &r["missing"]), (&json!("delay_ms"), &json!(512), &json!(3)));
    // The line is that of netspurt delay.
    let d = netspurt(&["delay", "rfc889/dcn1-local/FOE", "--knee=none", "--json"]).json();
    let (a, b) = (&r["regression"]["slope"], &d["segments"][0]["slope_ms_per_octet"]);
    assert!((a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-14, "{a} {b}");
    let ping = format!("{}/../../traces/samples/iputils-loss.txt", env!("CARGO_MANIFEST_DIR"));
    let r = stats(&[&ping]);
    assert_eq!((&r["column"], &r["n"], &r["missing"]), (&json!("delay_ms"), &json!(61), &json!(19)));
}

#[test]
fn text_stands_in_columns() {
    let path = file("stats/two.csv", b"y,x\n1,1\n2,2\n3,3\n");
    let ran = netspurt(&["stats", &path]);
    assert!(ran.text().starts_with("column"), "{ran:?}");
    assert!(ran.text().contains("\ny against x\nslope         1\nintercept     0\n"), "{ran:?}");
}

#[test]
fn what_cannot_be_summed_up_says_why() {
    let check = |words: &[&str], input: &str, code: i32, says: &str| {
        let ran = with_input(&[&["stats", "-"], words].concat(), input.as_bytes());
        assert!(ran.refusal(code).starts_with(says), "{ran:?}");
    };
    check(&["--regress", "y"], "1\n", 2, "--regress takes two columns, not \"y\": --regress: ");
    check(
        &["--regress", "y,z"],
        "y,x\n1,2\n",
        2,
        "standard input has no column z: --regress: there are y, x",
    );
    check(&["--through-origin"], "1\n2\n", 2, "this file has no second column");
    check(&["--regress", "y,x"], "y,x\n1,2\n3,2\n", 1, "no line goes through column y against x");
    check(&[], "", 1, "The file is empty");
    check(&[], "words\nand more words\n", 1, "This is text");
    netspurt(&["stats", "no/such/file"]).refusal(1);
    netspurt(&["stats"]).refusal(2);
}

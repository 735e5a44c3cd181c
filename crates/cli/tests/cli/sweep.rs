//! `netspurt sweep`, against `netspurt rto` and by hand.

use crate::program::{file, netspurt};
use serde_json::{Value, json};

fn sweep(words: &[&str]) -> Value {
    netspurt(&[&["sweep", "--json"], words].concat()).json()
}

#[test]
fn every_point_says_what_rto_says() {
    let run = "rfc889/dcn1-local/FOE";
    let s = sweep(&[run, "--f1", "3/4:15/16:2", "--f2", "1/2:3/4:2", "--g", "1.5:2:2"]);
    assert_eq!(s["f1"], json!([0.75, 0.9375]));
    assert_eq!((&s["f2"], &s["g"]), (&json!([0.5, 0.75]), &json!([1.5, 2.0])));
    let points = s["points"].as_array().unwrap();
    assert_eq!(points.len(), 8);
    // By F1, then by F2, then by G.
    assert_eq!(
        (&points[1]["f1"], &points[1]["f2"], &points[1]["g"]),
        (&json!(0.75), &json!(0.5), &json!(2.0))
    );
    for point in points {
        let flag = |name: &str| format!("--{name}={}", point[name]);
        let flags = ["f1", "f2", "g"].map(flag);
        let rto = netspurt(&["rto", "--json", run, &flags[0], &flags[1], &flags[2]]).json();
        let summary = rto["summary"].as_object().unwrap();
        assert!(summary.iter().all(|(name, v)| point[name] == *v), "{point} {rto}");
        assert_eq!(point.as_object().unwrap().len(), summary.len() + 3);
    }
}

#[test]
fn sixteenths_are_swept_unless_told_otherwise() {
    let s = sweep(&["--series=100,200"]);
    assert_eq!((s["f1"].as_array().unwrap().len(), s["f2"].as_array().unwrap().len()), (16, 16));
    assert_eq!((&s["f1"][15], &s["g"]), (&json!(0.9375), &json!([2.0])));
    assert_eq!(s["points"].as_array().unwrap().len(), 256);
}

#[test]
fn start_and_scale_are_as_in_rto() {
    let of = |words: &[&str]| {
        sweep(&[&["--series=-,100", "--f1=1/2", "--f2=1/2"], words].concat())["points"][0].clone()
    };
    assert_eq!(of(&[])["lost_time"], json!(150.0));
    assert_eq!(of(&["--e-cold", "0.2s"])["lost_time"], json!(400.0));
    assert_eq!(of(&["--scale", "2"]), of(&[]));
}

#[test]
fn several_traces_are_pooled() {
    let path = file("pool/a.csv", b"t_s,octets,delay_ms\n0,64,100\n1,64,\n2,64,200\n");
    let p = sweep(&[&path, &path, "--f1=15/16", "--f2=3/4"])["points"][0].clone();
    // Twice 300 good and 200 lost.
    assert_eq!((&p["replies"], &p["lost"], &p["mean"]), (&json!(4), &json!(2), &json!(150.0)));
    assert_eq!((&p["total"], &p["efficiency"]), (&json!(1000.0), &json!(0.6)));
}

#[test]
fn csv_has_a_line_a_setting() {
    let text = "\
f1,f2,g,replies,mean,cov,lost,lost_time,rtx,rtx_time,total,efficiency,spurious_rate
0.9,0.5,2,0,,,1,150,0,0,150,0,
0.9,1,2,0,,,1,150,0,0,150,0,
";
    assert_eq!(netspurt(&["sweep", "--series=-", "--f1=0.9", "--f2=0.5:1:2", "--csv"]).text(), text);
}

#[test]
fn text_shows_the_best() {
    let text = "   F1   F2  G  Total     Lost   Lost  Spurious  Spurious  Efficiency
                   s  packets      s   packets         s
15/16  1/2  2  0.900        1  0.200         1     0.250      0.5000
15/16  3/4  2  0.900        1  0.200         1     0.250      0.5000
The 2 of 2 settings with the highest efficiency. --csv prints all.
";
    let shown = netspurt(&["sweep", "--series=100,100,-,250", "--f1=15/16", "--f2=1/2:3/4:2"]);
    assert_eq!(shown.text(), text);
}

#[test]
fn a_grid_that_cannot_be_is_said_on_one_line() {
    let check = |words: &[&str], says: &str| {
        let ran = netspurt(&[&["sweep", "--series=1"], words].concat());
        assert!(ran.refusal(2).starts_with(says), "{ran:?}");
    };
    check(&["--f1=0:1"], "f1 must be LO:HI:N such as 1/2:1:9, or one value, not \"0:1\": --f1: ");
    check(&["--f2", "0:2:3"], "f2 must be from 0 to 1, not 2: --f2: ");
    check(&["--g", "-1:2:3"], "g must be from 0 to 16, not -1: --g: ");
    check(&["--f1=1:0:3"], "f1 must rise from LO to HI; did you mean 0:1:3?: --f1: ");
    check(&["--f1=0:1:0"], "f1 must have 2 values or more");
    check(
        &["--f1=0:1:1000", "--f2=0:1:1000", "--g=1:4:10"],
        "the grid would have 10000000 points or more, and 1048576 is the most: take fewer values of f1, f2 or g: --f1, --f2, --g: ",
    );
    check(&["--csv", "--json"], "the argument '--csv' cannot be used with '--json'");
    check(&["--e-cold=-1"], "e-cold must be from 0 to 10000000000 ms, not -1: --e-cold: ");
    let ran = netspurt(&["sweep", &file("pool/none.csv", b"t_s,octets,delay_ms\n"), "--json"]);
    ran.refusal(1);
}

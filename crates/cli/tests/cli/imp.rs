//! `netspurt imp`, `imp-flow` and `imp-lockup`.

use crate::program::{netspurt, with_input};
use serde_json::{Value, json};

const TABLE_1: &str = "arrivals = [\"dst MSG 1\", \"dst MSG 0\", \"dst MSG 2\", \"dst MSG 3\", \"src RFNM 0\", \"src ALL 1\", \"dst MSG 4\", \"dst MSG 1\", \"src RFNM 1\"]\n";

fn given(command: &str, scenario: &str, flags: &[&str]) -> Value {
    with_input(&[&[command, "-", "--json"], flags].concat(), scenario.as_bytes()).json()
}

/// `step site word pdu message` and what became of it.
fn told(events: &Value) -> Vec<String> {
    let tell = |e: &Value| {
        let word = |key: &str| e[key].as_str().map(|w| format!(" {w}")).unwrap_or_default();
        let again = if e["again"] == json!(true) { " again" } else { "" };
        format!(
            "{}{}{}{} {}{}{again}",
            e["step"],
            word("site"),
            word("word"),
            word("pdu"),
            e["message"],
            word("disposition")
        )
    };
    events.as_array().into_iter().flatten().map(tell).collect()
}

#[test]
fn table_1_event_by_event() {
    let r = given("imp", TABLE_1, &[]);
    let events = [
        "0 src sent MSG 0",
        "0 src sent MSG 1",
        "0 src sent MSG 2",
        "0 src sent MSG 3",
        "1 dst arr MSG 1 rejected",
        "2 dst arr MSG 0 output",
        "2 dst sent RFNM 0",
        "2 dst sent ALL 1",
        "3 dst arr MSG 2 rejected",
        "4 dst arr MSG 3 rejected",
        "5 src arr RFNM 0",
        "5 src sent MSG 4",
        "6 src arr ALL 1",
        "6 src sent MSG 1 again",
        "7 dst arr MSG 4 rejected",
        "8 dst arr MSG 1 output",
        "8 dst sent RFNM 1",
        "8 dst sent ALL 2",
        "9 src arr RFNM 1",
        "9 src sent MSG 5",
    ];
    assert_eq!(told(&r["events"]), events);
    assert_eq!((&r["retransmitted"], &r["deadlock"]), (&json!([1]), &json!(false)));
    assert_eq!(r["states"].as_array().unwrap().len(), events.len());
    let state = json!({
        "source": {"base": 0, "copies": [0, 1, 2, 3]},
        "destination": {"next": 1, "seen": [1], "held": [], "reserved": [1], "host_queue": [], "pending": [], "rfnm": 0, "free": 999},
    });
    assert_eq!(r["states"][7], state);
}

#[test]
fn tables_stand_in_two_columns() {
    let text = "\
SOURCE IMP     DESTINATION IMP

MSG(i) sent
MSG(i+1) sent
MSG(i+2) sent  MSG(i+1) arr (rejected)
MSG(i+3) sent  MSG(i) arr (HOST output)
               RFNM(i) sent
               ALL(i+1) sent
               MSG(i+2) arr (stored)
";
    let scenario = "scheme = \"modified-1\"\narrivals = [\"dst MSG 1\", \"dst MSG 0\", \"dst MSG 2\"]\n";
    assert_eq!(with_input(&["imp", "-", "--tables"], scenario.as_bytes()).text(), text);
    let told = with_input(&["imp", "-"], TABLE_1.as_bytes());
    assert!(
        told.text()
            .contains("6     src  MSG 1 sent   again     MSG(i+1) is sent again, as ALL(i+1) asked.\n")
    );
    assert!(told.text().ends_with("\nSent again: 1\n"));
}

#[test]
fn several_sources_are_told_apart() {
    let r = given(
        "imp",
        "scheme = \"naive\"\nsources = 2\nwindow = 2\nbuffers = 1\narrivals = [\"dst MSG 1 @1\", \"dst MSG 0\", \"dst MSG 1\", \"dst MSG 0 @1\"]\n",
        &[],
    );
    assert_eq!((&r["deadlock"], &r["retransmitted"]), (&json!(true), &json!([])));
    let last = r["states"].as_array().unwrap().last().unwrap();
    assert_eq!(last["destination"]["held"], json!([[1, 1]]));
    assert_eq!(last["destination"]["pending"], json!([[0, 0], [1, 0], [0, 1]]));
    assert_eq!(last["source"]["base"], json!([0, 0]));
    let both = given("imp", &format!("beside = \"modified-1\"\n{TABLE_1}"), &[]);
    assert_eq!((&both["scheme"], &both["beside"]["scheme"]), (&json!("current"), &json!("modified-1")));
    assert_eq!(both["beside"]["retransmitted"], json!([1]));
}

const APRIL: &str = "[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n";

#[test]
fn the_trap_in_figures() {
    let r = given("imp-flow", APRIL, &["--from-ms", "1000", "--to-ms=7000"]);
    let w = &r["windows"];
    let close = |key: &str, expected: f64| {
        let value = w[key].as_f64().unwrap();
        assert!((value - expected).abs() <= 0.05 * expected, "{key}: {value}");
    };
    close("throughput_kbs", 7.83);
    close("mean_rtt_ms", 504.5);
    close("mean_in_flight", 3.94);
    close("max_utilization", 0.366);
    assert_eq!(w["lines"].as_array().unwrap().len(), 12);
    let m = &r["messages"][24];
    assert_eq!(
        *m,
        json!({"message": 24, "first_sent_ms": 628.56, "rfnm_ms": 1133.04, "rtt_ms": 504.48, "sendings": 2})
    );
    assert_eq!(r["retransmitted"][0], json!(21));
    assert_eq!(
        r["events"][4],
        json!({"t_ms": 73.38, "site": "dst", "pdu": "MSG", "message": 0, "word": "arr", "disposition": "output"})
    );
    let last = r["messages"].as_array().unwrap().last().unwrap();
    assert!(last["rfnm_ms"].is_null() && last["rtt_ms"].is_null());
}

#[test]
fn a_flow_as_text() {
    let ran = with_input(&["imp-flow", "-", "--from-ms=1000"], APRIL.as_bytes());
    assert!(
        ran.text()
            .contains("RFC 632, observed      less than 8          about 500        3.5  less than 40\n")
    );
    assert!(ran.text().contains(
        "\ncurrent                       7.89                503       3.94          36.5             74\n"
    ));
    assert!(ran.text().contains("\npath A, line 1  messages   36.5 %\n"));
}

#[test]
fn lock_up_or_not() {
    let of = |flags: &[&str]| netspurt(&[&["imp-lockup", "--json"], flags].concat()).json();
    let safe = of(&["--scheme", "modified-2", "--sources=2", "--window=4", "--buffers=2"]);
    assert_eq!(safe, json!({"states": 14716, "deadlocks": 0, "stuck": 0, "example": null}));
    let naive = of(&["--scheme=naive", "--sources=2", "--window=4", "--buffers=2"]);
    assert_eq!((&naive["states"], &naive["deadlocks"]), (&json!(20640), &json!(15)));
    // The example is a scenario of its own.
    let scenario = format!(
        "scheme = \"naive\"\nsources = 2\nbuffers = 2\nhost = \"explicit\"\narrivals = {}\n",
        naive["example"]
    );
    assert_eq!(given("imp", &scenario, &[])["deadlock"], json!(true));
    let text = "\
Scheme  Sources  Window  Buffers  States  Deadlocks  Stuck
naive         2       2        1     200          2     32
In 2 states nothing can move any more: naive locks up exactly when B ≤ S(W − 1), here 1 ≤ 2.
For example: ";
    let ran = netspurt(&["imp-lockup", "--scheme", "naive", "--window", "2", "--buffers", "1"]);
    assert!(ran.text().starts_with(text), "{}", ran.text());
}

#[test]
fn what_cannot_be_is_bad_input() {
    let check = |command: &str, scenario: &str, says: &str| {
        let ran = with_input(&[command, "-", "--json"], scenario.as_bytes());
        assert_eq!(ran.refusal(1), says);
    };
    check(
        "imp",
        "window = 2\narrivals = [\n\"dst MSG 7\"]",
        "item 1, \"dst MSG 7\", cannot happen: that is not in flight; possible are \"dst MSG 0\", \"dst MSG 1\": standard input, line 3 “\"dst MSG 7\"”: mend the line",
    );
    check(
        "imp",
        "window = 0",
        "window must be from 1 to 64, not 0: standard input, line 1 “0”: from 1 to 64",
    );
    check(
        "imp-flow",
        "buffers = 0",
        "buffers must be from 1 to 1000, not 0: standard input, line 1 “0”: from 1 to 1000",
    );
    check(
        "imp-flow",
        "[paths]\nA = []\nB = [0]\n",
        "a line's rate must be from 0.1 to 10000000 kbs, not 0: standard input, line 3 “0”: from 0.1 to 10000000 kbs",
    );
    check(
        "imp-flow",
        "gap-ms = -1\nduration-ms = inf",
        "gap-ms must be from 0 to 100000 ms, not -1 (and 1 more): standard input, line 1 “-1”: from 0 to 100000 ms",
    );
    check(
        "imp-flow",
        "widow = 4",
        "widow is not a key here; there are scheme, window, buffers, message-bits, header-bits, control-bits, line-error-timeout-ms, prop-ms, proc-ms, host-ms, gap-ms, all-ms and 9 more: standard input, line 1 “widow”: did you mean window?",
    );
}

#[test]
fn a_wrong_command_line_is_said() {
    let check = |words: &[&str], says: &str| {
        let ran = with_input(words, b"");
        assert!(ran.refusal(2).starts_with(says), "{ran:?}");
    };
    check(&["imp"], "the following required arguments were not provided: <SCENARIO>");
    check(&["imp", "-", "--json", "--tables"], "the argument '--json' cannot be used with '--tables'");
    check(&["imp-flow", "-", "--to-ms", "20000"], "the run ends at 10000 ms: --to-ms 20000: ");
    check(
        &["imp-flow", "-", "--from-ms=500", "--to-ms=500"],
        "a window must end after it begins, and this ends at 500 ms: --from-ms 500: ",
    );
    check(
        &["imp-flow", "-", "--from-ms", "-1"],
        "from-ms must be from 0 to 100000000 ms, not -1: --from-ms: ",
    );
    check(
        &["imp-lockup", "--scheme", "best"],
        "scheme must be one of current, modified-1, modified-2, modified-2-literal, naive, not \"best\": --scheme: ",
    );
    check(&["imp-lockup", "--window=0"], "window must be from 1 to 10, not 0: --window: ");
    check(
        &["imp-lockup", "--window", "9", "--sources", "3"],
        "sources times window must be 21 at most, not 3 times 9: --sources, --window: ",
    );
}

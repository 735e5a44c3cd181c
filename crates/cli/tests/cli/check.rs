//! `netspurt check`: digests, and what is told of cells that fail or differ.

use crate::program::{Ran, file, netspurt, with_input};
use netspurt_core::digest::sha256_hex;
use netspurt_notebook::link::{Payload, decode, encode};
use serde_json::{Value, json};

const DOCUMENT: &str = "\
# Two estimators

```netspurt trace office
t_s,octets,delay_ms
0.0,64,100
1.0,64,100
2.0,64,
3.0,64,250
```

```netspurt rto foe
trace = \"rfc889/dcn1-local/FOE\"
a = \"mills\"
```

```netspurt rto here
trace = \"office\"
a = \"mills\"
```
";

/// The cells a run told of, also one that failed.
fn cells(ran: &Ran) -> Vec<Value> {
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_default();
    answer["cells"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_link_is_reproduced_bit_for_bit() {
    let path = file("check/two.md", DOCUMENT.as_bytes());
    let alone = netspurt(&["check", &path, "--json"]).json();
    assert_eq!(alone["title"], json!("Two estimators"));
    let link = netspurt(&["link", &path]).text().trim_end().to_owned();
    let linked = netspurt(&["check", &link, "--json"]).json();
    for (i, id) in ["foe", "here"].into_iter().enumerate() {
        let (a, b) = (&alone["cells"][i], &linked["cells"][i]);
        assert_eq!((&a["cell"], &a["kind"]), (&json!(id), &json!("rto")));
        assert_eq!((&a["recorded"], &a["same"], &a["error"]), (&Value::Null, &Value::Null, &Value::Null));
        assert_eq!(a["digest"].as_str().unwrap().len(), 19);
        assert_eq!((&b["digest"], &b["recorded"], &b["same"]), (&a["digest"], &a["digest"], &json!(true)));
    }
    assert_eq!(linked["cells"].as_array().unwrap().len(), 2);
    let piped = with_input(&["check", "-", "--json"], format!("https://x.example/{link}\n").as_bytes());
    assert_eq!(piped.json(), linked);
    assert_eq!(with_input(&["check", "-", "--json"], DOCUMENT.as_bytes()).json(), alone);
    assert!(netspurt(&["check", &link]).text().contains("reproduced, bit for bit"));
}

#[test]
fn another_result_than_recorded_fails() {
    let path = file("check/differs.md", DOCUMENT.as_bytes());
    let link = netspurt(&["link", &path]).text().trim_end().to_owned();
    let honest = decode(&link).unwrap();
    let text = honest.text.replace("a = \"mills\"", "a = \"mills g=3\"");
    let forged = encode(&Payload { text, ..honest.clone() }).unwrap();
    let ran = netspurt(&["check", forged.fragment(), "--json"]);
    assert_eq!(ran.code, Some(1));
    let says = "the result differs from the one recorded and so does 1 other: the link, cell foe, line 11: ";
    assert!(ran.complaint().starts_with(says), "{ran:?}");
    assert!(cells(&ran).iter().all(|c| c["same"] == json!(false)));
    // A cell that was recorded and is gone differs, too.
    let text = honest.text.replace("rto here", "rto there");
    let gone = encode(&Payload { text, ..honest }).unwrap();
    let ran = netspurt(&["check", gone.fragment(), "--json"]);
    assert_eq!(ran.code, Some(1));
    let told = cells(&ran);
    assert_eq!(
        (&told[2]["cell"], &told[2]["line"], &told[2]["same"]),
        (&json!("here"), &Value::Null, &json!(false))
    );
}

#[test]
fn a_cell_that_fails_stops_no_other() {
    let text = "\
```netspurt rto a
trace = \"rfc889/dcn1-local/FO\"
a = \"mills\"
```

```netspurt rto b
trace = \"rfc889/dcn1-local/FOE\"
a = \"mills f1=2\"
```

```netspurt rto c
trace = \"rfc889/dcn1-local/FOE\"
a = \"mills\"
```

```netspurt trace d
colour
red
```

```netspurt chart
```
";
    let ran = netspurt(&["check", &file("check/fails.md", text.as_bytes()), "--json"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.complaint().starts_with("rfc889/dcn1-local/FO is not a run RFC 889 printed"), "{ran:?}");
    let told = cells(&ran);
    let errors: Vec<_> = told.iter().map(|c| c["error"].as_str().unwrap_or("")).collect();
    assert!(errors[1].starts_with("line 8: a: f1 must be from 0 to 1, not 2"), "{errors:?}");
    assert_eq!((errors[2], told[2]["digest"].is_string()), ("", true));
    assert!(errors[3].starts_with("line 17: \"colour\" is not a column"), "{errors:?}");
    assert!(errors[4].starts_with("line 21: chart is not a kind of cell"), "{errors:?}");
}

#[test]
fn files_that_cells_name_lie_beside_the_notebook() {
    let data = b"delay_ms\n5\n7\n9\n";
    let text = |name: &str, digest: &str| {
        format!("```netspurt rto lab\ntrace = \"file/{name}#{digest}\"\na = \"mills\"\n```\n")
    };
    let check = |notebook: &str, text: &str| netspurt(&["check", &file(notebook, text.as_bytes()), "--json"]);
    file("check/lab.csv", data);
    let digest = &sha256_hex(data)[..12];
    check("check/lab.md", &text("lab.csv", digest)).json();
    let other = check("check/other.md", &text("lab.csv", "0123456789ab"));
    assert!(other.complaint().contains("wanted 0123456789ab"), "{other:?}");
    let missing = check("check/missing.md", &text("home.csv", digest));
    assert!(missing.complaint().contains("is not here"), "{missing:?}");
    // A notebook from elsewhere names no path.
    let path = check("check/deep/path.md", &text("../lab.csv", digest));
    assert!(path.complaint().contains("is not here"), "{path:?}");
}

#[test]
fn what_is_neither_a_notebook_nor_a_link_says_so() {
    let check = |named: &str, says: &str| {
        let ran = netspurt(&["check", named]);
        assert!(ran.refusal(1).starts_with(says), "{ran:?}");
    };
    check("no/such/file.md", "no such file or directory: no/such/file.md: ");
    check("#0:AAAA", "the link was cut: only 7 characters came: the link: ");
    check("#9:AAAA", "the link is of version 9: ");
    netspurt(&["check"]).refusal(2);
    // A document without cells has nothing that could fail.
    let empty = with_input(&["check", "-", "--json"], b"# T\n").json();
    assert_eq!((&empty["title"], &empty["cells"]), (&json!("T"), &json!([])));
}

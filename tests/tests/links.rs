//! Laws of links: any document comes back, no damage goes unnoticed.

use netspurt_notebook::document::Document;
use netspurt_notebook::link::{Payload, decode, encode};
use proptest::prelude::*;

/// Documents as people write them, and what breaks parsers.
fn document() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[ -~]{0,40}",
        "\\PC{0,20}",
        Just("```netspurt rto foe".to_owned()),
        Just("```netspurt trace office".to_owned()),
        Just("t_s,octets,delay_ms".to_owned()),
        Just("0.5,64,12.25".to_owned()),
        Just("1.5,64,".to_owned()),
        Just("a = \"mills f1=15/16\"".to_owned()),
        Just("```".to_owned()),
        Just("> # | --- |".to_owned()),
        Just(String::new()),
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n")];
    prop::collection::vec((line, end), 0..40)
        .prop_map(|lines| lines.into_iter().map(|(l, e)| l + e).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_document_comes_back_letter_for_letter(text in document()) {
        let document = Document::parse(text.as_str());
        prop_assert_eq!(document.text(), &text);
        let link = encode(&Payload { text: text.clone(), ..Payload::default() }).unwrap();
        prop_assert_eq!(decode(link.fragment()).unwrap().text, text);
    }

    #[test]
    fn a_cut_or_changed_link_never_opens(text in document(), at in 0.0..1.0_f64, letter in "[A-Za-z0-9_-]") {
        let link = encode(&Payload { text, ..Payload::default() }).unwrap();
        let fragment = link.fragment();
        let at = (at * fragment.len() as f64) as usize;
        prop_assert!(decode(&fragment[..at]).is_err());
        let changed = format!("{}{letter}{}", &fragment[..at], &fragment[at + 1..]);
        // Without its `#` a link opens, so a letter in its place would be an address before it.
        if at > 0 && changed != fragment {
            prop_assert!(decode(&changed).is_err(), "{changed}");
        }
    }
}

//! `netspurt link` and `netspurt open`: a document there and back, and links that were damaged.

use crate::program::{file, netspurt, with_input};

const DOCUMENT: &str =
    "# A notebook\r\n\nProse, µ and a tab\t.\n\n```netspurt rto\na = \"mills\"\n```\n\nno end of line";

fn link() -> String {
    let path = file("links/notebook.md", DOCUMENT.as_bytes());
    netspurt(&["link", &path]).text().trim_end().to_owned()
}

#[test]
fn a_document_comes_back_byte_for_byte() {
    let link = link();
    assert!(link.starts_with("#0:") && !link.contains(char::is_whitespace));
    let address = format!("https://netspurt.example/page/{link}");
    for form in [&link, &address, &link[1..]] {
        assert_eq!(netspurt(&["open", form]).text(), DOCUMENT);
        assert_eq!(with_input(&["open", "-"], format!("{form}\n").as_bytes()).text(), DOCUMENT);
    }
    assert_eq!(with_input(&["link", "-"], DOCUMENT.as_bytes()).text().trim_end(), link);
    let empty = with_input(&["link", "-"], b"").text().to_owned();
    assert_eq!(netspurt(&["open", empty.trim_end()]).text(), "");
}

#[test]
fn a_damaged_link_opens_nothing_and_says_what_happened() {
    let link = link();
    let check = |link: &str, says: &str| {
        let ran = netspurt(&["open", link]);
        assert!(ran.refusal(1).starts_with(says), "{ran:?}");
    };
    check(&link[..60], &format!("the link was cut: 60 of {} characters came: the link: copy", link.len()));
    let mut changed = link.clone().into_bytes();
    changed[40] = if changed[40] == b'A' { b'B' } else { b'A' };
    check(&String::from_utf8(changed).unwrap(), "a character of the link was changed: the link: ");
    check(
        "#9:abcdefgh",
        "the link is of version 9: it was made by a newer Netspurt: the link: update netspurt",
    );
    check("#0:", "the link was cut: only ");
    check("hello", "this is not a link to a notebook: the link: ");
    check("", "this is not a link to a notebook: the link: ");
    check(&format!("{link}."), "something was added to the link's end: \".\": the link: ");
}

#[test]
fn what_can_be_read_of_a_cut_link_is_printed_when_asked_for() {
    let link = link();
    let ran = netspurt(&["open", "--unchecked", &link[..link.len() - 8]]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.starts_with("# A notebook\r\n") && ran.complaint().starts_with("the link was cut"),
        "{ran:?}"
    );
}

#[test]
fn what_cannot_be_linked_says_so() {
    let check = |name: &str, bytes: &[u8], says: &str| {
        let ran = netspurt(&["link", &file(name, bytes)]);
        assert!(ran.refusal(1).starts_with(says), "{ran:?}");
    };
    check("links/latin1.md", b"caf\xe9\n", "a notebook is UTF-8 text, and this is not: ");
    let noise: String = (0..40_000_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_string()).collect();
    check("links/large.md", noise.as_bytes(), "the link would have ");
    assert!(
        netspurt(&["link", "no/such/file"])
            .refusal(1)
            .starts_with("no such file or directory: no/such/file: ")
    );
    assert!(netspurt(&["link", "."]).refusal(1).starts_with("this is a folder: .: "));
    netspurt(&["link"]).refusal(2);
    netspurt(&["open"]).refusal(2);
}

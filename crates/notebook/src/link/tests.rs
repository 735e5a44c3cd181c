use super::*;
use proptest::prelude::*;
use std::fmt::Write as _;

const LESSON: &str = include_str!("../../../../www/lessons/3-one-smoothing-factor-or-two.md");

fn text(text: &str) -> Payload {
    Payload { text: text.to_owned(), ..Payload::default() }
}

/// Even numbers in [0, 1) from a seed, the same everywhere.
fn uniform(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    })
}

/// Log-normal delays, median 49 ms, σ .25, at .1 ms.
fn log_normal(n: usize) -> Vec<f64> {
    let mut u = uniform(1);
    std::iter::repeat_with(|| {
        // The sum of twelve even numbers is near enough to a normal one.
        let z = (0..12).map(|_| u.next().unwrap()).sum::<f64>() - 6.0;
        let e = z * 0.25;
        // e^x by its series: no transcendental function, same digits everywhere.
        let exp = (1..30)
            .fold((1.0, 1.0), |(sum, term), k| (sum + term * e / f64::from(k), term * e / f64::from(k)))
            .0;
        49.0 * exp
    })
    .take(n)
    .collect()
}

fn trace_document(heading: &str, row: impl Fn(usize, f64) -> String, n: usize) -> String {
    let mut body = String::new();
    for (i, d) in log_normal(n).into_iter().enumerate() {
        writeln!(body, "{}", row(i, d)).unwrap();
    }
    format!(
        "# Office\n\n```netspurt rto x\ntrace = \"office\"\na = \"mills\"\n```\n\n```netspurt trace office\n{heading}\n{body}```\n"
    )
}

/// The characters of a document's link, after a trip through it.
fn characters(document: &str) -> usize {
    let link = encode(&text(document)).unwrap();
    assert_eq!(decode(link.fragment()).unwrap().text, document);
    link.characters()
}

#[test]
fn a_thousand_delays_are_under_1800_characters() {
    let delays = trace_document("delay_ms", |_, d| format!("{d:.1}"), 1000);
    let regular = trace_document("t_s,octets,delay_ms", |i, d| format!("{i}.0,64,{d:.1}"), 1000);
    let lossy = |i, d| if i % 97 == 5 { format!("{i}.0,64,") } else { format!("{i}.0,64,{d:.1}") };
    let lossy = trace_document("t_s,octets,delay_ms", lossy, 1000);
    for (what, document) in [("delays", delays), ("regular", regular), ("lossy", lossy)] {
        let n = characters(&document);
        assert!(n < 1800, "{what}: {n}");
    }
}

#[test]
fn lengths_worth_knowing() {
    let jitter: Vec<_> = uniform(7).take(2000).collect();
    let irregular = |i: usize, d| {
        format!("{:.3},{:.0},{d:.3}", i as f64 + jitter[2 * i] / 100.0, 40.0 + 216.0 * jitter[2 * i + 1])
    };
    let columns = "t_s,octets,delay_ms";
    let table = [
        ("nothing", String::new()),
        ("no delay", trace_document("delay_ms", |_, _| String::new(), 0)),
        ("1000 delays, 0.1 ms", trace_document("delay_ms", |_, d| format!("{d:.1}"), 1000)),
        ("1000 regular probes, 0.1 ms", trace_document(columns, |i, d| format!("{i}.0,64,{d:.1}"), 1000)),
        ("1000 irregular probes, 1 µs", trace_document(columns, irregular, 1000)),
        ("10000 regular probes, 0.1 ms", trace_document(columns, |i, d| format!("{i}.0,64,{d:.1}"), 10_000)),
    ]
    .map(|(what, document)| {
        format!("{what}: {} octets, {} characters", document.len(), characters(&document))
    });
    insta::assert_snapshot!(table.join("\n"), @r"
    nothing: 0 octets, 18 characters
    no delay: 100 octets, 123 characters
    1000 delays, 0.1 ms: 5101 octets, 1633 characters
    1000 regular probes, 0.1 ms: 14002 octets, 1653 characters
    1000 irregular probes, 1 µs: 18725 octets, 4810 characters
    10000 regular probes, 0.1 ms: 149020 octets, 15351 characters
    ");
}

#[test]
fn everything_travels() {
    let payload = Payload {
        text: LESSON.to_owned(),
        view: vec![("foe.at".to_owned(), "17".to_owned()), (String::new(), "ä".to_owned())],
        digests: vec![("foe".to_owned(), "7c2a-41d0-93be-0f15".to_owned())],
        generator: Some(0),
    };
    let link = encode(&payload).unwrap();
    assert_eq!(decode(&format!("https://example.edu/netspurt/{}", link.fragment())), Ok(payload));
    assert_eq!(check_of(link.fragment()).as_deref(), Some(link.check()));
    assert_eq!(link.check().len(), 9);
}

#[test]
fn what_is_wrong_is_told_apart() {
    let link = encode(&text(LESSON)).unwrap();
    let link = link.fragment();
    let problem = |l: &str| decode(l).unwrap_err().problem;
    assert_eq!(problem(""), Problem::NotALink);
    assert_eq!(problem("#"), Problem::NotALink);
    assert_eq!(problem("#1/one-smoothing-factor?foe.b.f2=5/8"), Problem::NotALink);
    assert_eq!(problem("hello"), Problem::NotALink);
    assert_eq!(problem("#0"), Problem::Cut { came: 2, of: None });
    assert_eq!(problem("#0:abc"), Problem::Cut { came: 6, of: None });
    assert_eq!(problem(&link[..100]), Problem::Cut { came: 100, of: Some(link.len()) });
    assert_eq!(problem("#17:abcdefghijk"), Problem::UnknownVersion { version: "17".to_owned() });
    assert_eq!(problem(&link.replacen("#0", "#1", 1)), Problem::Changed { at: Some(1) });
    assert_eq!(problem(&format!("{link}).")), Problem::Extra { added: ").".to_owned() });
    assert_eq!(problem(&format!("{link}AA")), Problem::Extra { added: "AA".to_owned() });
    assert_eq!(problem(&format!("{}%{}", &link[..50], &link[51..])), Problem::Changed { at: Some(50) });
    assert_eq!(
        decode(&link[..100]).unwrap_err().to_string(),
        format!(
            "the link was cut: 100 of {} characters came. Copy the link again as a whole, or ask for it in a form that keeps long lines.",
            link.len()
        )
    );
}

#[test]
fn a_cut_link_shows_what_came() {
    let document = trace_document("t_s,octets,delay_ms", |i, d| format!("{i}.0,64,{d:.1}"), 1000);
    let link = encode(&text(&document)).unwrap();
    let cut = &link.fragment()[..link.characters() * 2 / 3];
    let readable = decode(cut).unwrap_err().readable.unwrap();
    assert!(readable.len() > document.len() / 2 && readable.ends_with("```\n"));
    assert!(document.starts_with(&readable[..readable.len() - 4]));

    let link = encode(&text(LESSON)).unwrap();
    let readable = decode(&link.fragment()[..link.characters() / 2]).unwrap_err().readable.unwrap();
    assert!(LESSON.starts_with(&readable) && readable.len() > 500);
}

#[test]
fn every_cut_and_every_changed_letter_is_noticed() {
    let document = trace_document("t_s,octets,delay_ms", |i, d| format!("{i}.0,64,{d:.1}"), 30);
    let link = encode(&text(&document)).unwrap();
    let link = link.fragment();
    for end in 0..link.len() {
        assert!(decode(&link[..end]).is_err(), "cut at {end}");
    }
    for at in 1..link.len() {
        for letter in b"A0_-z.Z9a:/ #" {
            if link.as_bytes()[at] != *letter {
                let mut changed = link.as_bytes().to_vec();
                changed[at] = *letter;
                let changed = String::from_utf8(changed).unwrap();
                assert!(decode(&changed).is_err(), "{at} to {}", char::from(*letter));
            }
        }
        let swapped = format!("{}{}", &link[..at], &link[at + 1..]);
        assert!(decode(&swapped).is_err(), "{at} left out");
    }
}

#[test]
fn a_bomb_does_not_go_off() {
    // A head that claims, and unpacks to, far more than so short a link may.
    let bomb = miniz_oxide::deflate::compress_to_vec(&vec![0x80; 20 << 20], 6);
    assert!(bomb.len() < usize::from(u16::MAX));
    let length = u16::try_from(bomb.len()).unwrap();
    let octets = [&length.to_be_bytes()[..], &check("0", length, &bomb), &bomb].concat();
    let link = format!("#0:{}", STRICT.encode(octets));
    assert_eq!(decode(&link).unwrap_err(), LinkError { problem: Problem::TooLarge, readable: None });
    assert!(matches!(encode(&text(&"x".repeat(8 << 20))), Err(EncodeError::TooLarge { .. })));
    let noise: String = uniform(3).take(60_000).map(|u| char::from(b' ' + (u * 94.0) as u8)).collect();
    assert!(
        matches!(encode(&text(&noise)), Err(EncodeError::TooLong { characters }) if characters > LONGEST)
    );
}

fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (-99_999_i64..99_999).prop_map(|n| format!("{}.{}", n / 10, n.abs() % 10)),
        4 => (0_u32..3000).prop_map(|n| n.to_string()),
        2 => Just(String::new()),
        1 => prop::sample::select(vec!["-0.0", "007", "1e9", "<1", "12345678901234567890", "0.00", "99999999999999999", "é", " 1"])
            .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_document_comes_back_letter_for_letter(
        before in "[a-c#`\n é]{0,12}",
        rows in prop::collection::vec(prop::collection::vec(field(), 3), 0..20),
        same in any::<bool>(),
        crlf in any::<bool>(),
        end in prop::sample::select(vec!["\n```\n", "\n```", "", "\n", "\n\n```\n```netspurt trace\ndelay_ms\n1\n```\n"]),
    ) {
        let rows: Vec<_> = rows.iter().map(|r| if same { format!("{},64,{}", r[0].len(), r[1].len()) } else { r.join(",") }).collect();
        let mut document = format!("{before}\n\n```netspurt trace x\nt_s,octets,delay_ms\n{}{end}", rows.join("\n"));
        if crlf {
            document = document.replace('\n', "\r\n");
        }
        let payload = Payload { text: document, generator: Some(3), ..Payload::default() };
        let link = encode(&payload).unwrap();
        prop_assert_eq!(decode(link.fragment()).unwrap(), payload);
    }

    #[test]
    fn any_damage_is_noticed(at in 0.0..1.0_f64, letter in "[A-Za-z0-9_.%-]", cut in any::<bool>()) {
        let link = encode(&text(LESSON)).unwrap();
        let link = link.fragment();
        let at = 1 + (at * (link.len() - 1) as f64) as usize;
        let damaged = if cut { link[..at].to_owned() } else { format!("{}{letter}{}", &link[..at], &link[at + 1..]) };
        prop_assume!(damaged != link);
        prop_assert!(decode(&damaged).is_err());
    }

    #[test]
    fn any_letters_are_read_without_harm(letters in "[A-Za-z0-9_-]{0,200}", version in 0_u8..2) {
        let _ = decode(&format!("#{version}:{letters}"));
        let octets = LENIENT.decode(&letters[..letters.len() / 4 * 4]).unwrap();
        let _ = (pack::read(&octets), pack::salvage(&octets));
    }
}

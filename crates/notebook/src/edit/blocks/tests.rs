use super::*;
use netspurt_core::trace::{Provenance, TraceBuilder};
use proptest::prelude::*;

const SAMPLE: &str = "# T\n\nOne.\n\n```netspurt rto a\n```\n\nTwo.\n\n```netspurt rto\na = \"mills\"\n```\n```netspurt rto\n```\nThree.\n";

/// One letter or word a block: a cell's id, the first word of prose.
fn outline(document: &Document) -> String {
    let name = |b: &Block| match b {
        Block::Cell(c) => c.id.clone(),
        Block::Prose(p) => document.text()[p.range.clone()].split_whitespace().collect::<Vec<_>>().join(" "),
    };
    document.blocks().iter().map(name).collect::<Vec<_>>().join(" | ")
}

fn check(edit: Result<Edit, EditError>, before: &str, expected: &str) -> Document {
    let edit = edit.unwrap();
    assert_eq!(edit.splice.apply(before), edit.document.text());
    assert_eq!(outline(&edit.document), expected, "{}", edit.document.text());
    edit.document
}

#[test]
fn the_sample() {
    assert_eq!(outline(&Document::parse(SAMPLE)), "# T One. | a | Two. | rto-1 | rto-2 | Three.");
}

#[test]
fn cells_are_added_anywhere() {
    let d = Document::parse(SAMPLE);
    let add = |at| add_cell(&d, at, "rto", Some("new"), "a = \"mills\"");
    check(add(0), SAMPLE, "new | # T One. | a | Two. | rto-1 | rto-2 | Three.");
    check(add(4), SAMPLE, "# T One. | a | Two. | rto-1 | new | rto-2 | Three.");
    let last = check(add(6), SAMPLE, "# T One. | a | Two. | rto-1 | rto-2 | Three. | new");
    assert!(last.text().ends_with("\nThree.\n\n```netspurt rto new\na = \"mills\"\n```\n"));
    let edit = add_cell(&d, 1, "rto", None, "").unwrap();
    assert_eq!(edit.cell.as_deref(), Some("rto-3"));
    check(add_cell(&Document::parse(""), 0, "rto", Some("x"), ""), "", "x");
    assert_eq!(add(7).unwrap_err(), EditError::NoSuchBlock { index: 7 });
    assert!(matches!(
        add_cell(&d, 0, "rto", Some("a"), "").unwrap_err(),
        EditError::BadName { taken: true, .. }
    ));
    assert!(matches!(
        add_cell(&d, 0, "rto", Some("a b"), "").unwrap_err(),
        EditError::BadName { taken: false, .. }
    ));
    assert!(matches!(add_cell(&d, 0, "rot", None, "").unwrap_err(), EditError::NoSuchKind { .. }));
}

#[test]
fn a_cell_moves_and_all_keep_their_names() {
    let d = Document::parse(SAMPLE);
    let go = |id, to, expected: &str| check(move_cell(&d, id, to), SAMPLE, expected);
    go("a", 0, "a | # T One. Two. | rto-1 | rto-2 | Three.");
    go("a", 6, "# T One. Two. | rto-1 | rto-2 | Three. | a");
    go("rto-2", 1, "# T One. | rto-2 | a | Two. | rto-1 | Three.");
    go("rto-1", 6, "# T One. | a | Two. | rto-2 | Three. | rto-1");
    go("a", 1, "# T One. | a | Two. | rto-1 | rto-2 | Three.");
    go("a", 2, "# T One. | a | Two. | rto-1 | rto-2 | Three.");
    let nodes = |d: &Document| {
        d.blocks().iter().map(|b| if let Block::Prose(p) = b { p.nodes.len() } else { 0 }).sum::<usize>()
    };
    // Paragraphs that meet stay two.
    assert_eq!(nodes(&go("a", 6, "# T One. Two. | rto-1 | rto-2 | Three. | a")), nodes(&d));
}

#[test]
fn a_cell_goes_and_the_others_keep_their_names() {
    let d = Document::parse(SAMPLE);
    check(delete_cell(&d, "a"), SAMPLE, "# T One. Two. | rto-1 | rto-2 | Three.");
    let after = check(delete_cell(&d, "rto-1"), SAMPLE, "# T One. | a | Two. | rto-2 | Three.");
    assert!(after.text().contains("\n\n```netspurt rto rto-2\n```\nThree.\n"));
    check(delete_cell(&Document::parse("```netspurt rto x\n```"), "x"), "```netspurt rto x\n```", "");
}

#[test]
fn a_copy_stands_below_with_its_own_name() {
    let d = Document::parse(SAMPLE);
    check(duplicate_cell(&d, "a"), SAMPLE, "# T One. | a | a-2 | Two. | rto-1 | rto-2 | Three.");
    check(duplicate_cell(&d, "rto-1"), SAMPLE, "# T One. | a | Two. | rto-1 | rto-3 | rto-2 | Three.");
}

#[test]
fn bodies_and_prose_are_replaced() {
    let d = Document::parse(SAMPLE);
    let e = check(set_body(&d, "a", "x = 1"), SAMPLE, &outline(&d));
    assert!(e.text().contains("```netspurt rto a\nx = 1\n```\n"));
    check(
        set_prose(&d, 2, "Zwei.\n\nUnd mehr."),
        SAMPLE,
        "# T One. | a | Zwei. Und mehr. | rto-1 | rto-2 | Three.",
    );
    check(set_prose(&d, 2, " \n"), SAMPLE, "# T One. | a | rto-1 | rto-2 | Three.");
    check(set_prose(&d, 2, "```netspurt rto n\n```"), SAMPLE, "# T One. | a | n | rto-1 | rto-2 | Three.");
    check(add_prose(&d, 4, "Between."), SAMPLE, "# T One. | a | Two. | rto-1 | Between. | rto-2 | Three.");
}

#[test]
fn what_would_spill_is_refused() {
    let d = Document::parse(SAMPLE);
    for edit in [
        set_body(&d, "a", "```\n# Title"),
        set_body(&d, "a", "x\n```netspurt rto\n"),
        set_prose(&d, 2, "```\nopen"),
        set_prose(&d, 2, "<!-- open"),
        add_prose(&d, 0, "~~~"),
    ] {
        assert_eq!(edit.unwrap_err(), EditError::Spills);
    }
    // After a fence that is not closed there is no place for a cell.
    let open = Document::parse("```netspurt rto a\n");
    assert_eq!(add_cell(&open, 1, "rto", None, "").unwrap_err(), EditError::Spills);
}

#[test]
fn a_trace_becomes_a_cell() {
    let mut b = TraceBuilder::new("logs/Lab WiFi.csv", Provenance::Typed);
    b.push(Some(0.0), Some(64), netspurt_core::trace::Fate::Reply(1.5)).unwrap();
    let d = Document::parse("");
    let edit = add_trace(&d, 0, &b.build()).unwrap();
    assert_eq!(edit.document.text(), "```netspurt trace lab-wifi\nt_s,octets,delay_ms\n0,64,1.5\n```\n");
    assert!(edit.document.cell("lab-wifi").unwrap().content.is_ok());
}

proptest! {
    #[test]
    fn structure_edits_keep_what_they_are_not_about(
        parts in prop::collection::vec(0_usize..6, 0..7), pick in 0_usize..8, to in 0_usize..8, crlf in any::<bool>(),
    ) {
        let parts: Vec<_> = parts.iter().map(|i| {
            ["Words.\n", "\n", "# H\n\n- a\n", "```netspurt rto\na = \"mills\"\n```\n", "~~~netspurt rto b\n~~~\n", "> x\n"][*i]
        }).collect();
        let mut text = parts.concat();
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        let d = Document::parse(text.as_str());
        let ids: Vec<_> = d.cells().map(|c| c.id.clone()).collect();
        let words = |d: &Document| {
            let mut words: Vec<_> = d.blocks().iter().filter_map(|b| if let Block::Prose(p) = b { Some(p) } else { None })
                .flat_map(|p| p.nodes.iter().map(crate::prose::Node::text).collect::<Vec<_>>()).collect();
            words.sort();
            words.concat()
        };
        let at = to % (d.blocks().len() + 1);
        let added = add_cell(&d, at, "rto", None, "x = 1").unwrap();
        prop_assert_eq!(added.splice.apply(&text), added.document.text());
        prop_assert_eq!(words(&added.document), words(&d));
        let removed = delete_cell(&added.document, &added.cell.unwrap()).unwrap();
        prop_assert_eq!(words(&removed.document), words(&d));
        prop_assert_eq!(removed.document.cells().map(|c| c.id.clone()).collect::<Vec<_>>(), ids.clone());
        if let Some(id) = ids.get(pick % ids.len().max(1)) {
            // Ids that are double cannot be moved without being told apart first.
            prop_assume!(d.cells().all(|c| c.errors().is_empty() || c.id_is_written));
            let moved = move_cell(&d, id, at).unwrap();
            prop_assert_eq!(moved.splice.apply(&text), moved.document.text());
            prop_assert_eq!(words(&moved.document), words(&d));
            let mut sorted: Vec<_> = moved.document.cells().map(|c| c.id.clone()).collect();
            let mut before = ids.clone();
            sorted.sort();
            before.sort();
            prop_assert_eq!(sorted, before);
        }
    }
}

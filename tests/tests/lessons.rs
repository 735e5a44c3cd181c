//! The lessons that ship: they are read, they run, they travel.

use netspurt_notebook::document::Document;
use netspurt_notebook::evaluate::{check, evaluate, payload};
use netspurt_notebook::lessons::LESSONS;
use netspurt_notebook::link::{LONGEST, decode, encode};
use netspurt_notebook::traces::Shelf;
use std::fs;
use std::path::Path;

#[test]
fn every_lesson_in_the_folder_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../www/lessons");
    let mut texts = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "md") {
            let text = fs::read_to_string(&path).unwrap();
            assert!(LESSONS.iter().any(|l| l.text == text), "{} is not in the list", path.display());
            texts += 1;
        }
    }
    assert_eq!(texts, LESSONS.len());
}

#[test]
fn every_cell_of_every_lesson_gives_the_same_result_twice() {
    for lesson in LESSONS {
        let document = Document::parse(lesson.text);
        let faults: Vec<_> = document.errors().map(|(cell, e)| format!("{}: {e}", cell.id)).collect();
        assert_eq!(faults, Vec::<String>::new(), "{}", lesson.id);
        let outcomes = evaluate(&document, &Shelf::default());
        assert!(!outcomes.is_empty(), "{} has nothing to run", lesson.id);
        for o in &outcomes {
            assert!(o.report.is_ok(), "{}, {}: {:?}", lesson.id, o.cell, o.report);
        }
        let again = evaluate(&Document::parse(lesson.text), &Shelf::default());
        let digests = |outcomes: &[_]| payload(&document, outcomes, Vec::new()).digests;
        assert_eq!(digests(&outcomes), digests(&again), "{}", lesson.id);
    }
}

#[test]
fn every_lesson_travels_in_a_link_with_its_results() {
    for lesson in LESSONS {
        let document = Document::parse(lesson.text);
        let sent = payload(&document, &evaluate(&document, &Shelf::default()), Vec::new());
        let link = encode(&sent).unwrap();
        assert!(link.characters() < LONGEST, "{}", lesson.id);
        let received = decode(link.fragment()).unwrap();
        assert_eq!(received, sent, "{}", lesson.id);
        let there = evaluate(&Document::parse(received.text), &Shelf::default());
        assert!(check(&there, &received.digests).iter().all(|c| c.same == Some(true)), "{}", lesson.id);
    }
}

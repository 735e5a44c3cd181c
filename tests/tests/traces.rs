//! A trace keeps its bits on its way from a file into a document, through a link, and to a result.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use netspurt_core::rto::{printed, rebuild};
use netspurt_core::shared::Shared;
use netspurt_core::trace::{Fate, Provenance, Trace, TraceBuilder};
use netspurt_import::{Import, Options};
use netspurt_notebook::cells::Content;
use netspurt_notebook::document::Document;
use netspurt_notebook::edit::add_trace;
use netspurt_notebook::evaluate::{Outcome, evaluate};
use netspurt_notebook::how::How;
use netspurt_notebook::link::{Payload, decode, encode};
use netspurt_notebook::reading;
use netspurt_notebook::traces::{Opened, Shelf};
use proptest::prelude::*;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

/// The sample logs, read.
fn samples() -> Vec<(String, Import)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/samples");
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name != "README.md" {
            let options = Options { name: name.clone(), ..Options::default() };
            let import = netspurt_import::read(&fs::read(&path).unwrap(), &options);
            all.push((name.clone(), import.unwrap_or_else(|e| panic!("{name}: {e}"))));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// A sample as a reader opens it.
fn opened(name: &str) -> Opened {
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/samples").join(name)).unwrap();
    let how = How::default();
    let content =
        reading::read(name, &bytes, reading::sha256_hex, &how, None, &mut |_| ControlFlow::Continue(()));
    let reading::Content::Trace(found) = content else { panic!("{name}: {content:?}") };
    Opened { name: name.to_owned(), file: name.to_owned(), how, found: *found }
}

/// The trace after it was put into a document, and that into a link.
fn travelled(trace: &Trace) -> (String, Shared<Trace>) {
    let edit = add_trace(&Document::parse("# T\n"), 1, trace).unwrap();
    let text = edit.document.text().to_owned();
    let link = encode(&Payload { text: text.clone(), ..Payload::default() }).unwrap();
    let received = decode(link.fragment()).unwrap().text;
    assert_eq!(received, text);
    let document = Document::parse(received);
    let id = edit.cell.unwrap();
    let content = document.cell(&id).unwrap().content.clone().unwrap();
    let Content::Trace(there) = &*content else { panic!("{id} is no trace") };
    (id, there.clone())
}

/// Everything an experiment sees.
fn same_records(a: &Trace, b: &Trace) {
    assert_eq!((a.len(), a.clock, a.measure), (b.len(), b.clock, b.measure), "{}", a.name);
    for (i, (x, y)) in a.records().zip(b.records()).enumerate() {
        assert_eq!(x, y, "{}, record {i}", a.name);
        assert_eq!(x.sent.to_bits(), y.sent.to_bits(), "{}, record {i}", a.name);
    }
}

#[test]
fn the_sample_logs_keep_their_bits() {
    let samples = samples();
    assert_eq!(samples.len(), 7);
    for (name, import) in &samples {
        assert!(!import.trace.is_empty(), "{name}");
        same_records(&import.trace, &travelled(&import.trace).1);
    }
}

#[test]
fn a_run_of_1983_keeps_its_bits() {
    for name in ["rfc889/dcn1-local/FOE", "rfc889/nta-satnet/UCL"] {
        let trace = rebuild::rebuild(printed::find(name).unwrap(), rebuild::SEED);
        same_records(&trace, &travelled(&trace).1);
    }
}

#[test]
fn a_file_gives_the_same_result_embedded_and_named() {
    for (name, import) in samples() {
        let edit = add_trace(&Document::parse("# T\n"), 1, &import.trace).unwrap();
        let id = edit.cell.clone().unwrap();
        let mut shelf = Shelf::default();
        let file = opened(&name);
        let named = file.trace_name();
        shelf.put(file);
        let cell = |trace: &str| {
            format!("\n```netspurt rto\ntrace = \"{trace}\"\na = \"mills\"\nb = \"rfc6298 min=0\"\n```\n")
        };
        let text = edit.document.text().to_owned() + &cell(&id) + &cell(&named);
        let outcomes = evaluate(&Document::parse(text), &shelf);
        let digests: Vec<_> = outcomes.iter().map(Outcome::digest).collect();
        assert!(digests.len() == 2 && digests[0].is_some() && digests[0] == digests[1], "{id}: {outcomes:?}");
    }
}

fn fate() -> impl Strategy<Value = Fate> {
    let delay = || prop_oneof![0.0..1e4_f64, (0..100_000_u32).prop_map(|n| f64::from(n) / 1000.0)];
    prop_oneof![
        8 => delay().prop_map(Fate::Reply),
        1 => delay().prop_map(Fate::Below),
        2 => Just(Fate::Lost),
        1 => Just(Fate::Untimed),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_trace_keeps_its_bits(
        records in prop::collection::vec((prop::option::weighted(0.99, 0.0..1e9_f64), prop::option::of(0..65_536_u32), fate()), 1..60)
    ) {
        let mut builder = TraceBuilder::new("any", Provenance::Typed);
        for (sent, octets, fate) in records {
            builder.push(sent, octets, fate).unwrap();
        }
        let trace = builder.build();
        same_records(&trace, &travelled(&trace).1);
    }
}

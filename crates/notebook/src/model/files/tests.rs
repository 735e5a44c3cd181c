use super::*;
use crate::model::Msg;
use crate::reading;
use netspurt_core::digest::sha256_hex;
use std::ops::ControlFlow;

/// Does what the page does: reads and previews until nothing more is asked. What else is asked.
fn perform(model: &mut Model, effects: Vec<Effect>, bytes: &[u8]) -> Vec<Effect> {
    let mut others = Vec::new();
    let mut asked = std::collections::VecDeque::from(effects);
    while let Some(effect) = asked.pop_front() {
        let msg = match effect {
            Effect::Read { ticket, file, name, how } => {
                assert!(model.needs(file));
                let content =
                    reading::read(&name, bytes, sha256_hex, &how, None, &mut |_| ControlFlow::Continue(()));
                Msg::FileRead { ticket, content }
            }
            Effect::Preview { ticket, how, .. } => {
                Msg::Previewed { ticket, preview: reading::preview(bytes, &how, None) }
            }
            other => {
                others.push(other);
                continue;
            }
        };
        asked.extend(model.apply(msg));
    }
    others
}

fn act(model: &mut Model, msg: Msg, bytes: &[u8]) -> Vec<Effect> {
    let effects = model.apply(msg);
    perform(model, effects, bytes)
}

fn open(model: &mut Model, name: &str, bytes: &[u8]) {
    act(model, Msg::OpenFile { file: FileId(4), name: name.to_owned() }, bytes);
}

fn names(model: &Model) -> Vec<&str> {
    model.shelf().opened().iter().map(|o| o.name.as_str()).collect()
}

const TWO: &[u8] = b"10.0.0.1 : 9.5 - 10.5\n10.0.0.2 : 1.5 1.5 1.5\n";

#[test]
fn each_part_of_a_file_can_become_a_trace() {
    let mut model = Model::default();
    open(&mut model, "two.txt", TWO);
    let whole = model.opened().unwrap().trace_name();
    assert_eq!(model.opened().unwrap().found.inside.len(), 2);
    let kept = act(&mut model, Msg::AddParts { trace: whole.clone(), part: Some(1) }, TWO);
    assert!(matches!(&kept[0], Effect::KeepFile { traces, .. } if traces.len() == 2), "{kept:?}");
    // Those that are there are not read again.
    act(&mut model, Msg::AddParts { trace: whole.clone(), part: None }, TWO);
    assert_eq!(names(&model), ["two.txt", "two.txt: 10.0.0.2", "two.txt: 10.0.0.1"]);
    assert_eq!(model.opened().map(Opened::trace_name), Some(whole), "the list stays to choose from");
    assert_eq!(model.shelf().opened()[1].found.trace.delays().to_vec(), [1.5; 3]);
}

#[test]
fn a_cell_gets_the_part_it_names() {
    let mut model = Model::default();
    let digest = &sha256_hex(TWO)[..12];
    let body = |how: &str| format!("trace = \"file/two.txt#{digest}{how}\"\na = \"mills\"\n");
    let of = |body: String| Msg::SetBody { cell: "foe".to_owned(), body };
    model.apply(of(body(" part=2")));
    let failure = |m: &Model| m.outcome("foe").unwrap().report.as_ref().unwrap_err().to_string();
    assert!(failure(&model).contains("open it to see this cell"));
    // The file is opened as a whole; the part that the cell wants follows.
    open(&mut model, "two.txt", TWO);
    let job = model.outcome("foe").unwrap().job.clone().unwrap();
    assert_eq!(job.trace().unwrap().delays().to_vec(), [1.5; 3]);
    assert_eq!(model.reading(), None);
    act(&mut model, of(body(" part=7")), TWO);
    assert!(failure(&model).contains("no part 7"), "{}", failure(&model));
    act(&mut model, of(body("")), TWO);
    assert_eq!(model.outcome("foe").unwrap().job.clone().unwrap().trace().unwrap().len(), 6);
}

const TABLE: &[u8] = b"n,first,second\n1,12.5,100\n2,13.5,101\n3,11,102.5\n";

#[test]
fn columns_are_corrected_and_the_wrong_reading_goes() {
    let mut model = Model::default();
    open(&mut model, "lab.csv", TABLE);
    let wrong = model.opened().unwrap().trace_name();
    act(&mut model, Msg::ChooseColumns { trace: Some(wrong.clone()) }, TABLE);
    let answer = |model: &Model, question: &str, label: &str| {
        let preview = model.choosing().unwrap().preview.clone().unwrap().unwrap();
        let question = preview.questions.into_iter().find(|q| q.label == question).unwrap();
        Msg::SetReading(question.answers.into_iter().find(|(l, _)| l == label).unwrap().1)
    };
    let delay = answer(&model, "Delay", "second");
    act(&mut model, delay, TABLE);
    let unit = answer(&model, "Unit of the delay", "µs");
    act(&mut model, unit, TABLE);
    assert_eq!(
        model.choosing().unwrap().preview.as_ref().unwrap().as_ref().unwrap().read,
        "0.1 ms, 0.101 ms, 0.1025 ms"
    );
    act(&mut model, Msg::ReadSo, TABLE);
    let opened = model.opened().unwrap();
    assert_eq!((model.choosing(), names(&model)), (None, vec!["lab.csv"]));
    assert!(opened.trace_name().contains(" decimal=. delay=3:us heading line=1"), "{}", opened.trace_name());
    assert_eq!(opened.found.trace.delays().to_vec(), [0.1, 0.101, 0.1025]);
    // A link that names it so gets the same from the file alone.
    let named = opened.trace_name();
    let mut other = Model::default();
    other.apply(Msg::SetBody {
        cell: "foe".to_owned(),
        body: format!("trace = \"{named}\"\na = \"mills\"\n"),
    });
    open(&mut other, "lab.csv", TABLE);
    let job = other.outcome("foe").unwrap().job.clone().unwrap();
    assert_eq!(job.trace().unwrap().delays().to_vec(), [0.1, 0.101, 0.1025]);
}

#[test]
fn columns_can_be_chosen_where_a_row_failed() {
    let mut model = Model::default();
    let text = b"seq,delay_ms\n1,12\n2\n3,13\n";
    open(&mut model, "lab.csv", text);
    assert!(model.file_failure().is_some());
    act(&mut model, Msg::ChooseColumns { trace: None }, text);
    assert!(model.file_failure().is_none());
    assert!(model.choosing().unwrap().preview.is_some());
    // Another file does not take the choices away; leaving them, the failure stands as before.
    open(&mut model, "two.txt", TWO);
    assert!(model.choosing().is_some());
    model.apply(Msg::DismissColumns);
    assert!(model.choosing().is_none() && model.file_failure().is_some());
    model.apply(Msg::DismissFailure);
    assert!(model.file_failure().is_none());
}

#[test]
fn a_choice_holds_before_its_preview_is_there_and_goes_with_its_trace() {
    let mut model = Model::default();
    open(&mut model, "lab.csv", TABLE);
    let wrong = model.opened().unwrap().trace_name();
    act(&mut model, Msg::ChooseColumns { trace: Some(wrong.clone()) }, TABLE);
    model.apply(Msg::SetReading("sep=comma decimal=. line=1 heading delay=3:ms".to_owned()));
    act(&mut model, Msg::ReadSo, TABLE);
    assert_eq!(model.opened().unwrap().found.trace.delays().to_vec(), [100.0, 101.0, 102.5]);
    let right = model.opened().unwrap().trace_name();
    act(&mut model, Msg::ChooseColumns { trace: Some(right.clone()) }, TABLE);
    model.apply(Msg::ForgetTrace { trace: right });
    assert!(model.choosing().is_none());
}

#[test]
fn another_file_of_a_name_is_told_apart_and_the_same_file_keeps_its_own() {
    let mut model = Model::default();
    open(&mut model, "lab.csv", b"rtt_ms\n5\n");
    open(&mut model, "lab.csv", b"rtt_ms\n6\n");
    assert_eq!(names(&model), ["lab.csv", "lab.csv (2)"]);
    let first = model.shelf().opened()[0].trace_name();
    model.apply(Msg::RenameTrace { trace: first, name: "at home".to_owned() });
    open(&mut model, "lab.csv", b"rtt_ms\n5\n");
    assert_eq!(names(&model), ["at home", "lab.csv (2)"]);
}

#[test]
fn each_file_that_failed_is_told_of() {
    let mut model = Model::default();
    let effects: Vec<Effect> = [(FileId(1), "a.txt"), (FileId(2), "b.txt")]
        .into_iter()
        .flat_map(|(file, name)| model.apply(Msg::OpenFile { file, name: name.to_owned() }))
        .collect();
    for effect in effects {
        let Effect::Read { ticket, .. } = effect else { panic!("{effect:?}") };
        model.apply(Msg::FileRead { ticket, content: Content::Failed(broken_off("No.")) });
    }
    let names = |m: &Model| m.file_failure().map(|f| f.name.clone());
    assert_eq!(names(&model).as_deref(), Some("a.txt"));
    model.apply(Msg::DismissFailure);
    assert_eq!(names(&model).as_deref(), Some("b.txt"));
    assert!(!model.needs(FileId(1)) && model.needs(FileId(2)));
    model.apply(Msg::DismissFailure);
    assert!(model.file_failure().is_none());
}

#[test]
fn a_trace_is_renamed_and_removed_and_comes_back_as_it_was_left() {
    let mut model = Model::default();
    open(&mut model, "two.txt", TWO);
    let whole = model.opened().unwrap().trace_name();
    act(&mut model, Msg::AddParts { trace: whole.clone(), part: Some(0) }, TWO);
    let rename = Msg::RenameTrace { trace: whole.clone(), name: " at home ".to_owned() };
    let kept = model.apply(rename);
    let [Effect::KeepFile { digest, name, traces, .. }] = &kept[..] else { panic!("{kept:?}") };
    assert_eq!((name.as_str(), names(&model)), ("two.txt", vec!["at home", "two.txt: 10.0.0.1"]));
    assert_eq!(model.opened().map(Opened::trace_name), Some(whole.clone()), "cells still name it so");

    let mut later = Model::default();
    let restore = Msg::RestoreFile {
        file: FileId(9),
        name: name.clone(),
        sha256: digest.clone(),
        traces: traces.clone(),
    };
    act(&mut later, restore, TWO);
    assert_eq!(names(&later), names(&model));

    assert!(matches!(&model.apply(Msg::ForgetTrace { trace: whole })[..], [Effect::KeepFile { .. }]));
    let last = model.shelf().opened()[0].trace_name();
    assert!(matches!(&model.apply(Msg::ForgetTrace { trace: last })[..], [Effect::ForgetFile { .. }]));
    assert!(names(&model).is_empty() && !model.needs(FileId(4)));
}

//! The page's state, without a page.

use super::*;
use crate::link::SHORT;
use crate::reading;
use crate::request::{Answer, Progress, begin};
use netspurt_core::experiments::run::Kept;
use netspurt_import::{BadRows, Remedy};
use std::ops::ControlFlow;

fn set(cell: &str, slot: &str, param: &str, text: &str, live: bool) -> Msg {
    Msg::Set { address: Address::param(cell, slot, param), text: text.to_owned(), live }
}

fn number(model: &Model, cell: &str, name: &str) -> f64 {
    let report = model.outcome(cell).unwrap().report.as_ref().unwrap();
    report.numbers.iter().find(|(n, _)| n == name).unwrap().1
}

fn csv(rows: usize) -> Vec<u8> {
    let row = |i: usize| format!("{i},{i}.5,{}.{}\n", 12 + i % 5, i % 10);
    ("seq,sent_s,delay_ms\n".to_owned() + &(0..rows).map(row).collect::<String>()).into_bytes()
}

fn open(model: &mut Model, name: &str, bytes: &[u8]) -> Vec<Effect> {
    let effects = model.apply(Msg::OpenFile { file: FileId(0), name: name.to_owned() });
    perform(model, &effects, bytes)
}

/// What the page does with an effect that asks for a file to be read.
fn perform(model: &mut Model, effects: &[Effect], bytes: &[u8]) -> Vec<Effect> {
    let [Effect::Read { ticket, file, name, how }] = effects else { panic!("{effects:?}") };
    assert!(model.needs(*file));
    let content =
        reading::read(name, bytes, reading::sha256_hex, how, None, &mut |_| ControlFlow::Continue(()));
    model.apply(Msg::FileRead { ticket: *ticket, content })
}

fn choose_opened(model: &mut Model, cell: &str) {
    let name = model.opened().unwrap().trace_name();
    model.apply(Msg::ChooseTrace { cell: cell.to_owned(), name });
}

#[test]
fn a_first_visit_shows_a_lesson_that_runs() {
    let model = Model::default();
    assert_eq!((model.title(), model.saved()), ("One smoothing factor, or two?", &Saved::Nothing));
    assert!(model.outcomes.iter().all(|o| o.report.is_ok()));
    assert_eq!(number(&model, "foe", "a.lost"), 3.0);
}

/// What the library offers goes to a cell that can show it: the current one, another, or a new one.
#[test]
fn a_choice_in_the_library_finds_its_cell() {
    let mut model = Model::default();
    let shown = |effects: &[Effect]| {
        effects
            .iter()
            .filter_map(|e| match e {
                Effect::Show(id) => Some(id.clone()),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    let ucl = || Msg::ShowTrace { name: "rfc889/dcn1-satnet/UCL".to_owned() };
    assert_eq!(shown(&model.apply(ucl())), ["cell-foe"]);
    assert!(model.document().text().contains("trace = \"rfc889/dcn1-satnet/UCL\""));
    // The lines have a cell of their own, made once.
    let cells = model.document().cells().count();
    for line in [10, 11] {
        assert_eq!(shown(&model.apply(Msg::ShowLine { line })), ["cell-delay-lines-1"]);
        assert_eq!(model.view().cell("delay-lines-1").selected, Some(line));
    }
    assert_eq!(model.document().cells().count(), cells + 1);
    model.apply(Msg::NewNotebook);
    let only = model.document().cells().next().unwrap().id.clone();
    model.apply(Msg::Delete { cell: only });
    model.apply(ucl());
    let cell = model.trace_target().unwrap();
    assert_eq!(model.outcome(&cell).unwrap().report.as_ref().map(|r| r.readout.rows.len()), Ok(2));
}

#[test]
fn the_links_of_a_path_are_changed_one_by_one() {
    let mut model = Model::default();
    let text = "# Way\n\n```netspurt path way\nlinks = \"9600 prop=5, 56k\" # slow, then fast\n```\n";
    model.apply(Msg::RestoreNotebook { text: text.to_owned() });
    let at = |part: usize, name| Address::param("way", "links", &format!("{}-{name}", part + 1));
    let links = |model: &Model| model.document().text().split('"').nth(1).unwrap().to_owned();
    model.apply(Msg::Set { address: at(0, "prop"), text: "7ms".to_owned(), live: false });
    assert_eq!(links(&model), "9600 prop=7, 56k");
    model.apply(Msg::Step { address: at(1, "rate"), steps: -1.0 });
    model.apply(Msg::Step { address: at(1, "rate"), steps: -1.0 });
    assert_eq!(links(&model), "9600 prop=7, 54k");
    model.apply(Msg::Undo);
    assert_eq!(links(&model), "9600 prop=7, 56k");
    model.apply(Msg::AddPart { cell: "way".to_owned(), list: 0 });
    model.apply(Msg::RemovePart { cell: "way".to_owned(), list: 0, part: 0 });
    assert_eq!(links(&model), "56k, 56k");
    assert!(model.document().text().contains("# slow, then fast"));
    model.apply(Msg::Set { address: at(0, "load"), text: "2".to_owned(), live: false });
    assert_eq!(model.refused(), Some("load must be from 0 to 0.98, not 2"));
    model.apply(Msg::RemovePart { cell: "way".to_owned(), list: 0, part: 0 });
    model.apply(Msg::RemovePart { cell: "way".to_owned(), list: 0, part: 0 });
    assert_eq!(model.refused(), Some("there may be from 1 to 32"));
    assert_eq!(links(&model), "56k");
    for strange in ["x-rate", "0-rate", "9-rate", "rate"] {
        let address = Address::param("way", "links", strange);
        model.apply(Msg::Set { address, text: "1".to_owned(), live: false });
        assert!(model.refused().is_some(), "{strange}");
    }
}

#[test]
fn a_drag_is_one_step_of_undo() {
    let mut model = Model::default();
    let before = model.document().text().to_owned();
    let spurious = number(&model, "foe", "a.rtx");
    for k in (8..48).rev() {
        assert_eq!(model.apply(set("foe", "a", "f2", &format!("{k}/64"), true)), [Effect::Changed]);
    }
    model.apply(Msg::Release);
    model.apply(set("foe", "a", "g", "3", false));
    assert!(model.document().text().contains("f2=1/8 g=3"), "{}", model.document().text());
    assert!(number(&model, "foe", "a.rtx") < spurious);
    model.apply(Msg::Undo);
    assert!(model.document().text().contains("f2=1/8 g=2"));
    model.apply(Msg::Undo);
    assert_eq!(model.document().text(), before);
    assert!(!model.can_undo() && model.can_redo());
    model.apply(Msg::Redo);
    model.apply(Msg::Redo);
    assert!(model.document().text().contains("f2=1/8 g=3"));
}

#[test]
fn a_refused_value_changes_nothing_and_says_why() {
    let mut model = Model::default();
    let before = model.document().text().to_owned();
    let effects = model.apply(set("foe", "a", "f1", "2", false));
    assert_eq!(effects, [Effect::Say("f1 must be from 0 to 1, not 2".to_owned())]);
    assert_eq!(
        (model.refused(), model.document().text()),
        (Some("f1 must be from 0 to 1, not 2"), before.as_str())
    );
    assert!(!model.can_undo());
    model.apply(set("foe", "a", "f1", "1/2", false));
    assert_eq!(model.refused(), None);
}

#[test]
fn a_bad_cell_leaves_the_others_running_and_offers_a_fix() {
    let mut model = Model::default();
    model.apply(Msg::SetBody {
        cell: "foe".to_owned(),
        body: "trace = \"rfc889/dcn1-local/FOE\"\na = \"mills f1=15\"\n".to_owned(),
    });
    assert!(model.outcome("foe").unwrap().report.is_err());
    assert!(model.outcome("ucl").unwrap().report.is_ok());
    model.apply(Msg::Fix { cell: "foe".to_owned() });
    assert!(model.document().text().contains("a = \"mills f1=15/16\""));
    assert!(model.outcome("foe").unwrap().report.is_ok());
}

#[test]
fn slots_come_and_go() {
    let mut model = Model::default();
    let foe = || "foe".to_owned();
    model.apply(Msg::AddSlot { cell: foe() });
    assert_eq!((model.view().cell("foe").slot, model.document().text().contains("d = \"mills\"")), (3, true));
    assert_eq!(model.apply(Msg::AddSlot { cell: foe() }), []);
    model.apply(Msg::ChooseEstimator { cell: foe(), slot: 3, id: "rfc6298" });
    assert!(model.document().text().contains("d = \"rfc6298\""));
    model.apply(Msg::RemoveSlot { cell: foe(), slot: 3 });
    assert_eq!(model.view().cell("foe").slot, 0);
    model.apply(Msg::SelectSlot { cell: foe(), slot: 1 });
    model.apply(Msg::ResetSlot { cell: foe(), slot: 1 });
    let rule = model.slot_rule("foe", 1).unwrap();
    assert!((0..rule.len()).all(|i| rule.value(i) == rule.default_value(i)));
}

#[test]
fn a_small_file_becomes_part_of_the_notebook_and_its_link() {
    let mut model = Model::default();
    let effects = open(&mut model, "lab-wifi.csv", &csv(600));
    assert!(
        matches!(&effects[..], [Effect::KeepFile { .. }, Effect::Say(_), Effect::ShowTop]),
        "{effects:?}"
    );
    assert!(model.view().drawer);
    let before = model.document().text().to_owned();
    choose_opened(&mut model, "foe");
    assert!(model.document().text().contains("trace = \"lab-wifi\""));
    assert_eq!(number(&model, "foe", "records"), 600.0);
    // The same file again makes no second cell.
    open(&mut model, "lab-wifi.csv", &csv(600));
    choose_opened(&mut model, "ucl");
    assert_eq!(model.document().text().matches("netspurt trace").count(), 1);
    model.apply(Msg::Undo);
    model.apply(Msg::Undo);
    assert_eq!(model.document().text(), before);
}

#[test]
fn a_link_opens_elsewhere_as_the_very_same() {
    let mut model = Model::default();
    open(&mut model, "lab-wifi.csv", &csv(600));
    choose_opened(&mut model, "foe");
    model.apply(set("foe", "a", "f2", "5/8", false));
    model.apply(Msg::SelectSlot { cell: "foe".to_owned(), slot: 2 });
    model.apply(Msg::SelectRecord { cell: "foe".to_owned(), record: Some(264) });
    let share = model.share();
    let link = share.link.unwrap();
    assert!(share.left_out.is_empty() && link.characters() < 3 * SHORT, "{}", link.characters());

    let mut other = Model::default();
    other.apply(Msg::OpenFragment(link.fragment().to_owned()));
    assert_eq!(other.document(), model.document());
    assert_eq!(other.view().cell("foe"), model.view().cell("foe"));
    assert_eq!(other.reproduced(), Some(&Reproduced::All(2)));
    let digests = |m: &Model| m.outcomes.iter().map(Outcome::digest).collect::<Vec<_>>();
    assert_eq!(digests(&other), digests(&model));
    assert_eq!(other.share().link.unwrap().fragment(), link.fragment());
}

#[test]
fn a_large_file_is_named_and_asked_for() {
    let mut model = Model::default();
    let row = |i: u32| format!("{}\n", f64::from(i.wrapping_mul(2_654_435_761) >> 12) / 1000.0);
    let bytes = "delay_ms\n".to_owned() + &(0..60_000).map(row).collect::<String>();
    open(&mut model, "long.csv", bytes.as_bytes());
    choose_opened(&mut model, "foe");
    assert!(model.document().text().contains("trace = \"file/long.csv#"));
    let share = model.share();
    assert_eq!(share.left_out, [LeftOut { file: "long.csv".to_owned(), packets: Some(60_000) }]);

    let mut other = Model::default();
    other.apply(Msg::OpenFragment(share.link.unwrap().fragment().to_owned()));
    let failure = other.outcome("foe").unwrap().report.as_ref().unwrap_err().to_string();
    assert!(failure.contains("open it to see this cell"), "{failure}");
    open(&mut other, "long.csv", bytes.as_bytes());
    assert!(other.outcome("foe").unwrap().report.is_ok());
}

#[test]
fn a_short_row_is_asked_about_and_nothing_is_guessed() {
    let mut model = Model::default();
    let before = model.document().text().to_owned();
    let text = "seq,sent_s,delay_ms\n0,17.0,12.8\n1,17.5,14.1\n2,18.0\n3,18.5,13.0\n";
    assert_eq!(open(&mut model, "lab-wifi.csv", text.as_bytes()), [Effect::ShowTop]);
    let failure = model.file_failure().unwrap().clone();
    assert_eq!(failure.error.place.as_ref().map(|p| p.line), Some(4));
    assert!(failure.error.remedies.contains(&Remedy::CountAsLost));
    assert!(model.shelf().opened().is_empty() && model.document().text() == before);
    assert!(model.needs(FileId(0)), "it may be read again");
    let effects = model.apply(Msg::ReadAgain(BadRows::Lost));
    perform(&mut model, &effects, text.as_bytes());
    assert!(model.file_failure().is_none());
    let opened = model.opened().unwrap();
    assert_eq!(opened.how.as_str(), "rows=lost");
    let trace = &opened.found.trace;
    assert_eq!((trace.len(), trace.count(netspurt_core::trace::Outcome::Lost)), (4, 1));
}

#[test]
fn what_is_no_file_for_here_changes_nothing() {
    let long = "x".repeat(50_000_000);
    for bytes in [&b""[..], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", long.as_bytes(), b"# only a comment\x00\x01"] {
        let mut model = Model::default();
        let before = model.document().text().to_owned();
        open(&mut model, "odd", bytes);
        assert_eq!(model.document().text(), before);
        assert!(model.file_failure().is_some());
        model.apply(Msg::DismissFailure);
        assert!(model.file_failure().is_none());
    }
}

#[test]
fn a_damaged_link_opens_nothing_by_default() {
    let link = Model::default().share().link.unwrap();
    let fragment = link.fragment();
    let changed = fragment.replace(&fragment[40..41], if &fragment[40..41] == "A" { "B" } else { "A" });
    for (bad, said) in
        [(&fragment[..fragment.len() / 2], "cut"), (changed.as_str(), ""), ("#7:abcd", "version 7")]
    {
        let mut model = Model::default();
        model.apply(set("foe", "a", "g", "3", false));
        let before = model.document().text().to_owned();
        assert_eq!(model.apply(Msg::OpenFragment(bad.to_owned())), [Effect::ShowTop]);
        assert_eq!(model.document().text(), before);
        let failure = model.link_failure().unwrap();
        assert!(failure.what.contains(said), "{}", failure.what);
    }
    let mut model = Model::default();
    model.apply(Msg::OpenFragment("#fn-1".to_owned()));
    assert!(model.link_failure().is_none());
}

#[test]
fn notebooks_open_from_files_and_links_from_text() {
    let mut model = Model::default();
    let effects = open(&mut model, "mine.md", b"# Mine\n\n```netspurt rto x\n```\n");
    assert_eq!((model.title(), effects[0].clone()), ("Mine", Effect::OtherNotebook));
    let link = Model::default().share().link.unwrap();
    let pasted = format!("https://example.edu/netspurt/{}\n", link.fragment());
    open(&mut model, "pasted text", pasted.as_bytes());
    assert_eq!(model.title(), "One smoothing factor, or two?");
}

#[test]
fn cells_are_added_moved_and_deleted_and_undone() {
    let mut model = Model::default();
    let before = model.document().text().to_owned();
    let end = model.document().blocks().len();
    let effects = model.apply(Msg::AddCell { at: end, kind: "rto" });
    assert_eq!(effects, [Effect::Changed, Effect::Focus("cell-rto-1".to_owned())]);
    model.apply(Msg::MoveUp { cell: "rto-1".to_owned() });
    model.apply(Msg::Duplicate { cell: "rto-1".to_owned() });
    model.apply(Msg::Delete { cell: "foe".to_owned() });
    assert!(model.document().cell("foe").is_none() && model.document().cell("rto-2").is_some());
    for _ in 0..4 {
        model.apply(Msg::Undo);
    }
    assert_eq!(model.document().text(), before);
}

#[test]
fn full_storage_is_said_and_the_notebook_stays() {
    let mut model = Model::default();
    model.apply(set("foe", "a", "g", "3", false));
    assert_eq!(model.saved(), &Saved::Pending);
    model.apply(Msg::Saved(Err("QuotaExceededError".to_owned())));
    assert_eq!(model.saved(), &Saved::Failed("QuotaExceededError".to_owned()));
    assert!(model.document().text().contains("g=3"));
    model.apply(Msg::Saved(Ok(())));
    assert_eq!(model.saved(), &Saved::Here);
}

#[test]
fn a_table_is_saved_whole() {
    let model = &mut Model::default();
    let effects = model.apply(Msg::SaveTable { cell: "foe".to_owned() });
    let [Effect::Download { name, bytes, .. }] = &effects[..] else { panic!("a download expected") };
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert_eq!((name.as_str(), text.lines().count()), ("foe.csv", 516));
    assert!(text.starts_with("packet,sent_ms,length_octets,delay_ms,A_timeout_ms,A,B_timeout_ms,B,"));
}

#[test]
fn steps_add_up_however_fast_they_come() {
    let mut model = Model::default();
    let f2 = Address::param("foe", "a", "f2");
    for _ in 0..16 {
        model.apply(Msg::Step { address: f2.clone(), steps: -1.0 });
    }
    assert!(model.document().text().contains("f2=1/2"));
    model.apply(Msg::Step { address: f2, steps: 100.0 });
    assert!(model.document().text().contains("f2=1 "));
    model.apply(Msg::Undo);
    assert!(model.document().text().contains("f2=3/4"));
    model.apply(Msg::Step { address: Address::key("foe", "scale"), steps: -1.0 });
    assert!(model.document().text().contains("scale = 1"), "2 is what one-way delays begin with");

    let go = |go| Msg::MoveRecord { cell: "foe".to_owned(), go };
    for (step, at) in [
        (Go::By(-10), 514),
        (Go::First, 0),
        (Go::By(1), 1),
        (Go::By(-10), 0),
        (Go::By(10), 10),
        (Go::Last, 514),
        (Go::By(1), 514),
    ] {
        model.apply(go(step));
        assert_eq!(model.view().cell("foe").selected, Some(at));
    }
}

#[test]
fn text_added_after_text_is_edited_where_it_stands() {
    let mut model = Model::default();
    let end = model.document().blocks().len();
    let effects = model.apply(Msg::AddProse { at: end });
    assert_eq!(model.view().editing, Some(end - 1));
    assert_eq!(effects[1], Effect::Focus(prose_source_element(end - 1)));
}

#[test]
fn a_file_kept_from_an_earlier_visit_is_waited_for() {
    let row = |i: u32| format!("{}\n", f64::from(i.wrapping_mul(2_654_435_761) >> 12) / 1000.0);
    let bytes = "delay_ms\n".to_owned() + &(0..60_000).map(row).collect::<String>();
    let mut before = Model::default();
    let effects = open(&mut before, "long.csv", bytes.as_bytes());
    let [Effect::KeepFile { digest, traces, .. }, ..] = &effects[..] else { panic!("{effects:?}") };
    choose_opened(&mut before, "foe");
    let link = before.share().link.unwrap();

    let mut model = Model::default();
    let file = FileId(7);
    let restore = Msg::RestoreFile {
        file,
        name: "long.csv".to_owned(),
        sha256: digest.clone(),
        traces: traces.clone(),
    };
    let effects = model.apply(restore);
    model.apply(Msg::OpenFragment(link.fragment().to_owned()));
    let failure = model.outcome("foe").unwrap().report.as_ref().unwrap_err().to_string();
    assert_eq!(failure, "the file long.csv is being read");
    assert_eq!(model.reproduced(), None);
    perform(&mut model, &effects, bytes.as_bytes());
    assert!(model.outcome("foe").unwrap().report.is_ok());
    assert_eq!(model.reproduced(), Some(&Reproduced::All(2)));
    assert_eq!(model.opened(), None, "it is not news");
}

#[test]
fn reading_is_stopped_and_what_comes_later_is_passed_over() {
    let mut model = Model::default();
    let asked = model.apply(Msg::OpenFile { file: FileId(1), name: "a.csv".to_owned() });
    assert_eq!(model.reading().map(|r| r.name.as_str()), Some("a.csv"));
    assert_eq!(model.apply(Msg::StopReading)[0], Effect::StopReading);
    assert_eq!(model.reading(), None);
    let [Effect::Read { ticket, name, how, .. }] = &asked[..] else { panic!("{asked:?}") };
    let content =
        reading::read(name, &csv(3), reading::sha256_hex, how, None, &mut |_| ControlFlow::Continue(()));
    assert_eq!(model.apply(Msg::FileRead { ticket: *ticket, content }), []);
    assert!(!model.needs(FileId(1)));
    assert!(model.shelf().opened().is_empty());
}

/// Does what the worker does, until nothing is asked for any more. How many runs that were.
fn work(model: &mut Model, mut effects: Vec<Effect>) -> usize {
    let mut runs = 0;
    while let Some(at) = effects.iter().position(|e| matches!(e, Effect::Work { .. })) {
        let Effect::Work { ticket, kind, body, inputs } = effects.remove(at) else { return runs };
        let mut work = begin(kind, &body, &inputs, &Kept::default()).unwrap();
        while !work.is_done() {
            work.step();
        }
        runs += 1;
        let answer = Box::new(Answer::Whole(work.report()));
        effects = model.apply(Msg::Worked { ticket, answer });
    }
    runs
}

fn with_cell(kind: &'static str) -> (Model, Vec<Effect>) {
    let mut model = Model::default();
    model.apply(Msg::NewNotebook);
    let at = model.document().blocks().len();
    let effects = model.apply(Msg::AddCell { at, kind });
    (model, effects)
}

#[test]
fn what_is_not_answered_at_once_is_asked_of_the_worker() {
    for kind in cells::kinds().iter().filter(|k| k.experiment.is_some()) {
        let (mut model, effects) = with_cell(kind.name);
        let id = model.document().cells().last().unwrap().id.clone();
        let runs = work(&mut model, effects);
        assert_eq!(runs, usize::from(kind.name != "rto"), "{}", kind.name);
        let outcome = model.outcome(&id).unwrap();
        assert!(outcome.report.is_ok() && !outcome.is_partial, "{}: {:?}", kind.name, outcome.report);
        assert!(!model.is_working());
    }
}

#[test]
fn only_the_latest_setting_is_run_and_old_answers_are_passed_over() {
    let (mut model, effects) = with_cell("delay");
    let set = |text: &str| Msg::Set {
        address: Address::key("delay-1", "break-after"),
        text: text.to_owned(),
        live: true,
    };
    // Three moves while the first run is still under way.
    let asked: Vec<Effect> = ["100", "110", "120"].into_iter().flat_map(|t| model.apply(set(t))).collect();
    assert!(!asked.iter().any(|e| matches!(e, Effect::Work { .. })), "{asked:?}");
    assert_eq!(work(&mut model, effects), 2);
    assert_eq!(number(&model, "delay-1", "knee"), 120.0);
    let answer = || Box::new(Answer::Whole(Err(netspurt_core::report::RunError::Unknown)));
    assert_eq!(model.apply(Msg::Worked { ticket: 1, answer: answer() }), []);
    assert_eq!(number(&model, "delay-1", "knee"), 120.0);
}

#[test]
fn a_long_run_is_stopped_when_another_takes_its_place() {
    let (mut model, effects) = with_cell("imp-lockup");
    let [.., Effect::Work { ticket, .. }] = &effects[..] else { panic!("{effects:?}") };
    let report = Ok(netspurt_core::report::Report::default());
    let progress = Progress { done: 1, total: 2, counts: "cases".to_owned(), elapsed: 3000.0 };
    let answer = Box::new(Answer::Part(progress, report));
    model.apply(Msg::Worked { ticket: *ticket, answer });
    let id = "imp-lockup-1";
    assert_eq!(model.working(id).and_then(|w| w.progress.as_ref()?.left()), Some(3.0));
    assert_eq!(model.outcome(id).unwrap().digest(), None, "a part is no result");
    let set = Msg::Set { address: Address::key(id, "buffers"), text: "3".to_owned(), live: false };
    let effects = model.apply(set);
    assert!(effects.contains(&Effect::StopWork), "{effects:?}");
    assert_eq!(work(&mut model, effects), 1);
    assert!(!model.is_working());
}

#[test]
fn what_is_answered_at_once_takes_the_place_of_a_run() {
    let (mut model, _) = with_cell("rto");
    let id = model.document().cells().last().unwrap().id.clone();
    let show =
        |text: &str| Msg::Set { address: Address::key(&id, "show"), text: text.to_owned(), live: false };
    let asked = model.apply(show("judgement"));
    assert!(model.working(&id).is_some() && model.outcome(&id).unwrap().is_partial);
    assert!(!model.apply(show("packets")).iter().any(|e| matches!(e, Effect::Work { .. })));
    assert!(model.working(&id).is_none() && !model.outcome(&id).unwrap().is_partial);
    let packets = model.outcome(&id).cloned();
    assert_eq!(work(&mut model, asked), 1);
    assert_eq!(model.outcome(&id).cloned(), packets);
    assert!(!model.is_working());
}

#[test]
fn a_stopped_run_keeps_what_it_has_come_to() {
    let (mut model, _) = with_cell("imp-lockup");
    let cell = "imp-lockup-1".to_owned();
    assert!(model.is_working());
    assert_eq!(model.apply(Msg::StopWork { cell: cell.clone() }), [Effect::StopWork]);
    assert!(!model.is_working() && model.apply(Msg::StopWork { cell: cell.clone() }).is_empty());
    assert!(model.working(&cell).is_some_and(Working::is_cut_short));
    let again = model.apply(Msg::RunAgain { cell: cell.clone() });
    assert!(model.is_working() && again.iter().any(|e| matches!(e, Effect::Work { .. })), "{again:?}");
}

#[test]
fn a_point_of_a_map_is_taken_over() {
    let (mut model, effects) = with_cell("sweep");
    work(&mut model, effects);
    let cell = "sweep-1".to_owned();
    // F1 = 1/16, F2 = 2/16: column by column.
    let effects = model.apply(Msg::SelectRecord { cell: cell.clone(), record: Some(18) });
    work(&mut model, effects);
    assert!(model.document().text().contains("f1 = \"1/16\"\nf2 = \"1/8\""), "{}", model.document().text());
    let effects = model.apply(Msg::MoveRecord { cell: cell.clone(), go: Go::By(1) });
    work(&mut model, effects);
    assert!(model.document().text().contains("f2 = \"3/16\""), "{}", model.document().text());
    model.apply(Msg::UsePoint { cell, target: "rto-1".to_owned() });
    assert!(model.document().text().contains("a = \"mills f1=1/16 f2=3/16 g=2\""));
    model.apply(Msg::Undo);
    model.apply(Msg::Undo);
    model.apply(Msg::Undo);
    assert!(!model.document().text().contains("f1 ="), "a pick is one step: {}", model.document().text());
}

#[test]
fn settings_that_cannot_happen_are_told_in_their_place() {
    let mut model = Model::default();
    let text = "# T\n\n```netspurt imp x\narrivals = [\"dst MSG 0\", \"dst MSG 7\"]\n```\n";
    let effects = model.apply(Msg::RestoreNotebook { text: text.to_owned() });
    work(&mut model, effects);
    let failure = model.outcome("x").unwrap().report.as_ref().unwrap_err().to_string();
    assert!(failure.starts_with("line 4: ") && failure.contains("MSG 7"), "{failure}");
}

//! What a file holds: a trace, a notebook, or a link to one.
//!
//! Importers are large and files are long, so the page hands a file to a worker, which holds a
//! program of its own: [`read`] runs there, and its [`Content`] comes back as a message. So does
//! [`preview`], the beginning of a table with what can be corrected in its reading.

use crate::how::How;
use crate::spark::spark;
use crate::wire;
pub use netspurt_core::digest::sha256_hex;
use netspurt_core::shared::Shared;
use netspurt_core::stats::moments::Moments;
use netspurt_core::trace::{Note, Outcome, Trace};
use netspurt_import::{
    self as import, Choice, Counts, Decoder, ErrorKind, Import, ImportError, Options, Part, PartKind,
    Printed, Progress, Remedy, formats,
};
use serde::{Deserialize, Serialize};

/// What a file turned out to hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Content {
    Trace(Box<Found>),
    /// The text of a notebook.
    Notebook(String),
    /// The part of a link from `#` on.
    Link(String),
    Failed(ImportError),
}

/// A trace found in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    #[serde(with = "wire")]
    pub trace: Shared<Trace>,
    /// Of the file's octets, 64 digits in lower case.
    pub sha256: String,
    /// What kind of file it is.
    pub kind: String,
    /// The name of the part that was chosen. Empty: none was.
    pub part: String,
    /// Whether it is a table, whose columns can be chosen.
    pub is_table: bool,
    /// What is inside, up to some hundreds; empty where that is one thing.
    pub inside: Vec<Inside>,
    /// How many things are inside in all.
    pub count: usize,
    /// A small picture of it ([`crate::spark`]).
    pub spark: String,
}

/// One of the things inside a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inside {
    /// `10.0.0.1`, `run 3`
    pub name: String,
    /// A run, target, hop, flow or series.
    pub kind: String,
    /// `20 sent, 3 lost, 20.3 ms on average`; empty where nothing is known.
    pub said: String,
    /// Whether it is part of the file's trace where nothing is chosen.
    pub usual: bool,
}

/// The beginning of a table, and what can be corrected in its reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// How it is read now, in the words of a [`import::Reading`].
    pub reading: String,
    pub questions: Vec<Question>,
    /// The columns: their names, and what each is taken for; empty where for nothing.
    pub columns: Vec<(String, String)>,
    pub rows: Vec<Vec<String>>,
    /// What becomes of the first rows: `12.5 ms, 13 ms, lost`.
    pub read: String,
}

/// One thing to correct: answers are labels and readings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    pub label: String,
    pub answers: Vec<(String, String)>,
    pub chosen: usize,
}

/// No notebook and no link is longer, in octets.
const LONGEST_TEXT: usize = 1 << 24;

/// Reads a file's bytes. Its name is what the trace is called, and decides nothing. Encodings that
/// need large tables are left to `decoder`; `progress` is told how far the reading is. `digest` is what a
/// trace's file is known by, most often [`sha256_hex`].
pub fn read(
    name: &str,
    bytes: &[u8],
    digest: fn(&[u8]) -> String,
    how: &How,
    decoder: Option<Decoder>,
    progress: &mut Progress<'_>,
) -> Content {
    let may_be_text = how.is_usual() && bytes.len() <= LONGEST_TEXT;
    let text = std::str::from_utf8(if may_be_text { bytes } else { b"\0" }).ok();
    let text = text.filter(|t| !t.contains('\0'));
    if let Some(text) = text {
        if has_cell(text) {
            return Content::Notebook(text.to_owned());
        }
        if let Some(fragment) = link_in(text) {
            return Content::Link(fragment.to_owned());
        }
    }
    match found(name, bytes, digest, how, decoder, progress) {
        Ok(found) => Content::Trace(Box::new(found)),
        Err(error) => match text.filter(|t| t.trim_start().starts_with("# ")) {
            // What no importer knows and begins with a heading is a notebook without cells. Lines of
            // a log may begin so too, which is why importers are asked first.
            Some(text) if error.kind == ErrorKind::Unknown => Content::Notebook(text.to_owned()),
            _ => Content::Failed(error),
        },
    }
}

fn found(
    name: &str,
    bytes: &[u8],
    digest: fn(&[u8]) -> String,
    how: &How,
    decoder: Option<Decoder>,
    progress: &mut Progress<'_>,
) -> Result<Found, ImportError> {
    let options = how.options(name, decoder).map_err(|what| refused(&what))?;
    let chosen = options.choice;
    // What is inside is told with its delays, so all of it is read where nothing is chosen.
    let choice = if chosen == Choice::Usual { Choice::All } else { chosen };
    let all = import::read_with_progress(bytes, &Options { choice, ..options }, progress)?;
    let inside = if all.parts.len() > 1 { inside(&all) } else { Vec::new() };
    let count = all.parts.len();
    let part = match chosen {
        Choice::One(i) => inside.get(i).map_or_else(String::new, |p| p.name.clone()),
        Choice::Usual | Choice::All => String::new(),
    };
    let is_table = all.table.is_some();
    let kind = formats().iter().find(|f| f.id == all.format).map_or(all.format, |f| f.title).to_owned();
    let left = if chosen == Choice::Usual { all.only(chosen) } else { Some(all) };
    let mut left = left.ok_or_else(|| refused("There is nothing in it"))?;
    let has_mean = left.printed.as_ref().is_some_and(|p| p.mean_ms.is_some());
    if left.trace.is_empty() || left.timed() == 0 && has_mean {
        let said = counted(&left.counts, None, left.printed.as_ref());
        left.trace.notes.insert(0, Note { line: 0, text: format!("the summary says: {said}") });
    }
    let untimed = left.trace.count(Outcome::Untimed);
    if is_table && untimed > 0 {
        left.trace.notes.push(Note { line: 0, text: format!("answered without a time: {untimed}") });
    }
    let trace = left.trace;
    let spark = spark(&trace);
    let sha256 = digest(bytes);
    Ok(Found { trace: Shared::new(trace), sha256, kind, part, is_table, inside, count, spark })
}

fn refused(what: &str) -> ImportError {
    let remedies = vec![Remedy::ChooseColumns, Remedy::OpenAnother];
    ImportError { kind: ErrorKind::Refused, what: format!("{what}."), place: None, remedies, others: None }
}

/// At most so many things are listed: a capture may hold a hundred thousand flows.
const LISTED: usize = 500;

fn inside(import: &Import) -> Vec<Inside> {
    let one = |(name, part): (String, &Part)| Inside {
        name,
        kind: match part.position {
            Some(n) => format!("{} {n}", part.kind.label()),
            None => part.kind.label().to_owned(),
        },
        said: said(import, part),
        usual: part.usual,
    };
    import.names().into_iter().zip(&import.parts).take(LISTED).map(one).collect()
}

/// What is known of a part in a few words.
fn said(import: &Import, part: &Part) -> String {
    let (delays, outcomes) = (import.trace.delays(), import.trace.outcomes());
    let timed = part.records.clone().filter(|i| outcomes[*i].is_timed()).map(|i| delays[i]);
    let said = counted(&part.counts, Moments::of(timed), part.printed.as_ref());
    if said.is_empty() && part.kind == PartKind::Series { "not read yet".to_owned() } else { said }
}

/// `20 sent, 3 lost, 20.3 ms on average`
fn counted(counts: &Counts, moments: Option<Moments>, printed: Option<&Printed>) -> String {
    let mean = moments.as_ref().map(|m| m.mean).or(printed.and_then(|p| p.mean_ms));
    let mut said = Vec::new();
    match (counts.sent, moments) {
        (Some(sent), _) => {
            let lost = counts.lost.unwrap_or(0);
            let lost = if lost == 0 { "none lost".to_owned() } else { format!("{lost} lost") };
            said.push(format!("{sent} sent, {lost}"));
        }
        (None, Some(m)) => said.push(format!("{} delays", m.n)),
        (None, None) => {}
    }
    said.extend(mean.map(|ms| format!("{} ms on average", short(ms))));
    said.join(", ")
}

/// A time in ms in three figures or so.
fn short(ms: f64) -> String {
    match ms {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// Rows that a preview shows.
const ROWS: usize = 6;

/// The beginning of a table, read so. `beginning` may be cut anywhere. Fails with a sentence.
pub fn preview(beginning: &[u8], how: &How, decoder: Option<Decoder>) -> Result<Preview, String> {
    let mut options = how.options("", decoder)?;
    let no_table = "This is no table: it has no columns.";
    let mut shown = import::preview(beginning, &options, ROWS).ok_or(no_table)?;
    if let (Choice::One(n), None) = (options.choice, &options.reading) {
        // The column that was chosen is the delay.
        let index = shown.table.delays.get(n).copied();
        let mut answers = shown.questions.iter().flat_map(|q| &q.answers).map(|a| &a.reading);
        options.reading = answers.find(|r| Some(r.delay.index) == index).cloned();
        shown = import::preview(beginning, &options, ROWS).ok_or(no_table)?;
    }
    let reading = &shown.table.reading;
    options.bad_rows = import::BadRows::LeaveOut;
    options.reading = Some(reading.clone());
    options.choice = Choice::Usual;
    let read = match import::read(beginning, &options) {
        Ok(import) => first_records(&import.trace),
        Err(error) => error.what,
    };
    let mut columns: Vec<(String, String)> =
        shown.table.names.iter().map(|n| (n.clone(), String::new())).collect();
    let mut take = |index: usize, role: String| {
        if let Some((_, taken)) = columns.get_mut(index) {
            *taken = role;
        }
    };
    for (index, role) in [
        (reading.octets, "length"),
        (reading.seq, "number"),
        (reading.loss, "answered or lost"),
        (reading.target, "whom it was sent to"),
    ] {
        if let Some(index) = index {
            take(index, role.to_owned());
        }
    }
    if let Some(time) = reading.time {
        take(time.index, format!("send time, {}", time.unit.label()));
    }
    take(reading.delay.index, format!("delay, {}", reading.delay.unit.label()));
    let question = |q: import::Question| Question {
        label: q.label.to_owned(),
        answers: q.answers.into_iter().map(|a| (a.label, a.reading.to_string())).collect(),
        chosen: q.chosen,
    };
    Ok(Preview {
        reading: reading.to_string(),
        questions: shown.questions.into_iter().map(question).collect(),
        columns,
        rows: shown.rows,
        read,
    })
}

fn first_records(trace: &Trace) -> String {
    use netspurt_core::trace::Fate;
    let one = |fate: Fate| match fate {
        Fate::Reply(ms) => format!("{ms} ms"),
        Fate::Below(ms) => format!("below {ms} ms"),
        Fate::Lost => "lost".to_owned(),
        Fate::Untimed => "answered".to_owned(),
    };
    let first: Vec<String> = trace.records().take(ROWS).map(|r| one(r.fate)).collect();
    first.join(", ")
}

/// The kinds of files that can be opened, in the order of the alphabet: what each is called, and
/// what it is.
pub fn kinds() -> Vec<(String, String)> {
    let key = |title: &str| title.to_ascii_lowercase();
    let mut kinds: Vec<(String, String)> = Vec::new();
    for format in formats() {
        // A sort of its own would be the largest part of this.
        let place = kinds.partition_point(|(title, _)| key(title) < key(format.title));
        match kinds.get_mut(place).filter(|(title, _)| title == format.title) {
            Some((_, reads)) => reads.extend(["; ", format.reads]),
            None => kinds.insert(place, (format.title.to_owned(), format.reads.to_owned())),
        }
    }
    kinds
}

/// Whether a fence opens a cell somewhere in the text.
fn has_cell(text: &str) -> bool {
    text.lines().any(|l| {
        let word = l.trim_start().trim_start_matches(['`', '~']);
        l.trim_start().len() >= word.len() + 3 && word.trim_start().starts_with("netspurt ")
    })
}

/// The part of a link from `#` on, if the text is a link and nothing else.
fn link_in(text: &str) -> Option<&str> {
    let text = text.trim();
    let fragment = &text[text.find('#')?..];
    (!text.contains(char::is_whitespace) && is_link(fragment)).then_some(fragment)
}

/// Whether the part after `#` is meant as a link to a notebook, and not as a place on the page.
pub(crate) fn is_link(fragment: &str) -> bool {
    fragment.trim_start_matches('#').starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    fn read_so(text: &str, how: &str) -> Content {
        read("lab.csv", text.as_bytes(), sha256_hex, &How::new(how), None, &mut |_| ControlFlow::Continue(()))
    }

    fn found_so(text: &str, how: &str) -> Found {
        match read_so(text, how) {
            Content::Trace(found) => *found,
            other => panic!("{other:?}"),
        }
    }

    const TWO: &str = "10.0.0.1 : 9.5 - 10.5\n10.0.0.2 : 1.5 1.5 1.5\n";

    #[test]
    fn what_is_inside_is_told_and_can_be_chosen() {
        let all = found_so(TWO, "");
        assert_eq!((all.kind.as_str(), all.trace.len(), all.part.as_str()), ("fping", 6, ""));
        let said: Vec<_> = all.inside.iter().map(|p| format!("{} {}: {}", p.kind, p.name, p.said)).collect();
        assert_eq!(
            said,
            [
                "target 10.0.0.1: 3 sent, 1 lost, 10.0 ms on average",
                "target 10.0.0.2: 3 sent, none lost, 1.50 ms on average",
            ]
        );
        let two = found_so(TWO, "part=2");
        assert_eq!((two.part.as_str(), two.trace.delays().to_vec()), ("10.0.0.2", vec![1.5; 3]));
        assert!(matches!(read_so(TWO, "part=3"), Content::Failed(e) if e.kind == ErrorKind::NoSuchPart));
    }

    #[test]
    fn runs_to_one_host_are_told_apart_and_a_long_list_says_so() {
        let run = "PING 10.0.0.1 (10.0.0.1) 56(84) bytes of data.\n64 bytes from 10.0.0.1: icmp_seq=1 ttl=64 time=1.5 ms\n\n";
        let two = found_so(&run.repeat(2), "");
        let names: Vec<_> = two.inside.iter().map(|p| p.name.as_str()).collect();
        assert_eq!((names, two.count), (vec!["10.0.0.1", "10.0.0.1 (2)"], 2));
        let many = found_so(&run.repeat(LISTED + 1), "");
        assert_eq!((many.inside.len(), many.count, many.trace.len()), (LISTED, LISTED + 1, LISTED + 1));
    }

    #[test]
    fn a_summary_without_packets_is_told() {
        let text = "--- a.example ping statistics ---\n20 packets transmitted, 17 received, 15% packet loss, time 19020ms\nrtt min/avg/max/mdev = 9.500/12.300/15.100/1.000 ms\n";
        let found = found_so(text, "");
        assert!(found.trace.is_empty());
        assert_eq!(found.trace.notes[0].text, "the summary says: 20 sent, 3 lost, 12.3 ms on average");
        let columns = found_so("n,rtt_ms,rtt2_ms\n1,5,6\n2,7,8\n", "");
        let said: Vec<_> = columns.inside.iter().map(|p| p.said.as_str()).collect();
        assert_eq!(said, ["2 sent, none lost, 6.00 ms on average", "not read yet"]);
    }

    const TABLE: &str = "seq,t_s,delay\n1,0,12500\n2,1,13000\n3,2,\n";

    #[test]
    fn a_preview_shows_the_columns_and_what_they_give() {
        let p = preview(TABLE.as_bytes(), &How::default(), None).unwrap();
        assert_eq!(p.columns[2], ("delay".to_owned(), "delay, µs".to_owned()));
        assert_eq!(p.columns[1].1, "send time, s");
        assert_eq!(p.read, "12.5 ms, 13 ms, lost");
        assert_eq!(p.rows[2], ["3", "2", ""]);
        // An answer is a reading, and what it gives is shown before anything is read so.
        let unit = p.questions.iter().find(|q| q.label == "Unit of the delay").unwrap();
        let (_, ms) = unit.answers.iter().find(|(label, _)| label == "ms").unwrap();
        let so = How::default().with_reading(ms);
        assert_eq!(preview(TABLE.as_bytes(), &so, None).unwrap().read, "12500 ms, 13000 ms, lost");
        assert_eq!(found_so(TABLE, so.as_str()).trace.delays()[0], 12_500.0);
        assert!(preview(b"Dear reader,\n\nno figures.\n", &How::default(), None).is_err());
    }

    #[test]
    fn words_that_make_no_sense_are_told_of() {
        assert!(matches!(read_so(TABLE, "delay=x"), Content::Failed(e) if e.what.contains("delay=x")));
    }
}

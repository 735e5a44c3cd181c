//! What can be corrected in the reading of a table, as questions with the answers to choose from.
//!
//! Every answer is a whole reading, so that whoever asks need not know what a reading is made of.
//! Where separator, decimal mark, first line or heading change, the columns are guessed anew; a
//! unit that the reader chose is no guess any more.

use super::layout;
use super::{Column, Reading, Separator, Table, Unit};

/// One thing to correct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub label: &'static str,
    pub answers: Vec<Answer>,
    /// The answer that holds now, by index.
    pub chosen: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub label: String,
    /// How the table is read then.
    pub reading: Reading,
}

const SEPARATORS: [(&str, Separator); 5] = [
    ("Commas", Separator::Comma),
    ("Semicolons", Separator::Semicolon),
    ("Tabs", Separator::Tab),
    ("Bars", Separator::Bar),
    ("Blanks", Separator::Blanks),
];

const DELAY_UNITS: [Unit; 4] = [Unit::Seconds, Unit::Millis, Unit::Micros, Unit::Nanos];
const TIME_UNITS: [Unit; 6] =
    [Unit::Seconds, Unit::Millis, Unit::Micros, Unit::Nanos, Unit::Days, Unit::Calendar];

/// Lines that the table may begin on.
const LINES: usize = 24;
/// Columns to choose from.
const COLUMNS: usize = 60;

pub(super) fn questions(head: &[u8], table: &Table) -> Vec<Question> {
    let mut all = layout_questions(head, &table.reading);
    all.extend(delay_questions(head, table));
    all.extend(time_questions(head, table));
    all.extend(other_questions(table));
    all
}

/// How the text is parted, and where the table begins.
fn layout_questions(head: &[u8], now: &Reading) -> Vec<Question> {
    let ask = |label, answers: Vec<(String, Reading)>| {
        let anew = |(label, reading): (String, Reading)| {
            let settled = if reading == *now { reading } else { guessed_anew(head, reading) };
            (label, settled)
        };
        question(label, answers.into_iter().map(anew), now)
    };
    let of = |label: &str, change: &dyn Fn(&mut Reading)| {
        let mut reading = now.clone();
        change(&mut reading);
        (label.to_owned(), reading)
    };
    let first = layout::first_lines(head, LINES.max(now.first_line)).into_iter();
    vec![
        ask(
            "Values are parted by",
            SEPARATORS.iter().map(|(label, separator)| of(label, &|r| r.separator = *separator)).collect(),
        ),
        ask(
            "Decimal mark",
            vec![
                of("Point, as in 12.5", &|r| r.decimal = '.'),
                of("Comma, as in 12,5", &|r| r.decimal = ','),
            ],
        ),
        ask(
            "The table begins with",
            first.map(|(line, text)| of(&format!("Line {line}: {text}"), &|r| r.first_line = line)).collect(),
        ),
        ask(
            "That line",
            vec![
                of("Names the columns", &|r| r.heading = true),
                of("Is a packet already", &|r| r.heading = false),
            ],
        ),
    ]
}

fn guessed_anew(head: &[u8], reading: Reading) -> Reading {
    layout::columns_guessed(head, &reading).unwrap_or(reading)
}

/// Which column is the delay, and of what unit.
fn delay_questions(head: &[u8], table: &Table) -> [Question; 2] {
    let now = &table.reading;
    let delays = columns(table).map(|(index, name)| {
        let other = layout::delay_column_at(head, table, index);
        let delay = if index == now.delay.index { now.delay } else { other };
        (name, freed(Reading { delay, ..now.clone() }))
    });
    let units =
        DELAY_UNITS.map(|unit| unit_answer(unit, now.delay, |delay| Reading { delay, ..now.clone() }));
    [question("Delay", delays, now), question("Unit of the delay", units, now)]
}

/// Which column is the time of sending, of what unit, and how its dates are meant.
fn time_questions(head: &[u8], table: &Table) -> Vec<Question> {
    let now = &table.reading;
    let times = columns(table).map(|(index, name)| {
        let guess = layout::time_column_at(head, table, index);
        let time = now.time.filter(|t| t.index == index).unwrap_or(guess);
        (name, put_to(now, Some(index), |r| r.time = Some(time)))
    });
    let no_time = ("None: packet by packet".to_owned(), Reading { time: None, ..now.clone() });
    let mut all = vec![question("Send time", std::iter::once(no_time).chain(times), now)];
    let Some(time) = now.time else { return all };
    let with = |time| Reading { time: Some(time), ..now.clone() };
    all.push(question("Unit of the time", TIME_UNITS.map(|unit| unit_answer(unit, time, with)), now));
    if time.unit == Unit::Calendar {
        let meant = [(false, "The 3rd of April"), (true, "The 4th of March")];
        let answers =
            meant.map(|(month_first, label)| (label.to_owned(), Reading { month_first, ..now.clone() }));
        all.push(question("A date 3/4 is", answers, now));
    }
    all
}

/// The columns that need not be there.
fn other_questions(table: &Table) -> [Question; 4] {
    type Set = fn(&mut Reading, Option<usize>);
    let now = &table.reading;
    [
        ("Length, in octets", (|r, i| r.octets = i) as Set),
        ("Number of the packet", |r, i| r.seq = i),
        ("Answered or lost", |r, i| r.loss = i),
        ("Whom it was sent to", |r, i| r.target = i),
    ]
    .map(|(label, set)| {
        let none = std::iter::once((None, "None".to_owned()));
        let indices = none.chain(columns(table).map(|(index, name)| (Some(index), name)));
        let answers = indices.map(|(index, name)| (name, put_to(now, index, |r| set(r, index))));
        question(label, answers, now)
    })
}

/// A unit to choose. That which was guessed is marked so until it is chosen.
fn unit_answer(unit: Unit, now: Column, with: impl Fn(Column) -> Reading) -> (String, Reading) {
    let guessed = now.guessed && unit == now.unit;
    let label = if guessed { format!("{}, a guess", unit.label()) } else { unit.label().to_owned() };
    (label, with(Column { unit, guessed, ..now }))
}

fn question(
    label: &'static str,
    answers: impl IntoIterator<Item = (String, Reading)>,
    now: &Reading,
) -> Question {
    let answers: Vec<Answer> =
        answers.into_iter().map(|(label, reading)| Answer { label, reading }).collect();
    let chosen = answers.iter().position(|a| a.reading == *now).unwrap_or(0);
    Question { label, answers, chosen }
}

fn columns(table: &Table) -> impl Iterator<Item = (usize, String)> + '_ {
    table.names.iter().take(COLUMNS).cloned().enumerate()
}

/// A column is one thing at a time: where it becomes the delay, it is nothing else any more.
fn freed(mut reading: Reading) -> Reading {
    let index = reading.delay.index;
    free(&mut reading, index);
    reading
}

/// The reading with a column put to another use; the delay stays the delay.
fn put_to(now: &Reading, index: Option<usize>, set: impl FnOnce(&mut Reading)) -> Reading {
    let mut reading = now.clone();
    if let Some(index) = index {
        free(&mut reading, index);
    }
    set(&mut reading);
    freed(reading)
}

fn free(reading: &mut Reading, index: usize) {
    reading.time = reading.time.filter(|t| t.index != index);
    for other in [&mut reading.octets, &mut reading.seq, &mut reading.loss, &mut reading.target] {
        *other = other.filter(|i| *i != index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Preview, preview};

    fn at_first(text: &str) -> Preview {
        preview(text.as_bytes(), &Options::default(), 5).unwrap()
    }

    /// Gives an answer and looks again.
    fn answer(text: &str, before: &Preview, question: &str, label: &str) -> Preview {
        let question = before.questions.iter().find(|q| q.label == question).unwrap();
        let answer = question.answers.iter().find(|a| a.label.starts_with(label)).unwrap();
        let options = Options { reading: Some(answer.reading.clone()), ..Options::default() };
        let after = preview(text.as_bytes(), &options, 5).unwrap();
        assert_eq!(after.table.reading, answer.reading);
        let again = after.questions.iter().find(|q| q.label == question.label).unwrap();
        assert!(again.answers[again.chosen].label.starts_with(label), "{:?}", again.answers[again.chosen]);
        after
    }

    #[test]
    fn the_answer_that_holds_is_the_chosen_one() {
        let p = at_first("seq,t_s,octets,delay\n1,0,64,12.5\n2,1,64,13.5\n3,2,64,11\n");
        let said: Vec<_> =
            p.questions.iter().map(|q| format!("{}: {}", q.label, q.answers[q.chosen].label)).collect();
        assert_eq!(
            said,
            [
                "Values are parted by: Commas",
                "Decimal mark: Point, as in 12.5",
                "The table begins with: Line 1: seq,t_s,octets,delay",
                "That line: Names the columns",
                "Delay: delay",
                "Unit of the delay: ms, a guess",
                "Send time: t_s",
                "Unit of the time: s",
                "Length, in octets: octets",
                "Number of the packet: seq",
                "Answered or lost: None",
                "Whom it was sent to: None",
            ]
        );
        assert!(p.questions.iter().all(|q| q.answers[q.chosen].reading == p.table.reading));
    }

    #[test]
    fn a_column_is_one_thing_at_a_time() {
        let text = "seq,t_s,octets,delay\n1,0,64,12.5\n2,1,64,13.5\n3,2,64,11\n";
        let p = answer(text, &at_first(text), "Delay", "octets");
        assert_eq!((p.table.reading.delay.index, p.table.reading.octets), (2, None));
        let p = answer(text, &p, "Length, in octets", "seq");
        assert_eq!((p.table.reading.octets, p.table.reading.seq), (Some(0), None));
        let p = answer(text, &p, "Unit of the delay", "s");
        assert_eq!(p.table.reading.delay, Column { index: 2, unit: Unit::Seconds, guessed: false });
        let p = answer(text, &p, "Send time", "None");
        assert_eq!(p.table.reading.time, None);
    }

    #[test]
    fn another_layout_guesses_the_columns_anew() {
        let text = "a note, with a comma\nt;delay_ms\n0;12,5\n1;13,5\n2;11,25\n";
        let first = at_first(text);
        let commas = answer(text, &first, "Values are parted by", "Commas");
        let back = answer(text, &commas, "Values are parted by", "Semicolons");
        let back = answer(text, &back, "The table begins with", "Line 2");
        let back = answer(text, &back, "Decimal mark", "Comma");
        let r = &back.table.reading;
        assert_eq!((r.delay.index, r.delay.unit, r.time.map(|t| t.index)), (1, Unit::Millis, Some(0)));
        assert_eq!(back.rows[0], ["0", "12,5"]);
    }
}

//! A trace as the body of a `trace` cell.
//!
//! ```text
//! t_s,octets,delay_ms       a heading; the columns may be fewer and in any order
//! 0.0,64,12.4               answered after 12.4 ms
//! 1.0,64,                   lost
//! 2.0,64,<1                 answered sooner than 1 ms: the tool printed only the bound
//! 3.0,64,?                  answered, but not said how soon
//! ```
//!
//! `t_s` is the send time in seconds; without it, or with one of them empty, records are counted
//! instead. `octets` may be empty. The delay column is `delay_ms` for round trips, `one_way_ms` for
//! one-way delays. Numbers are plain decimals. Blank lines mean nothing.
//!
//! What a tool printed, or a table with other headings, is opened as a file: choosing it in a cell
//! writes it here in this form.
//!
//! What [`write()`] writes is read to the same bits: seconds are milliseconds with the point
//! moved, never divided. Every column has one number of decimals, so that a link can pack it.

use crate::body::Problem;
use netspurt_core::number::decimal;
use netspurt_core::trace::{Clock, Fate, Measure, Provenance, Trace, TraceBuilder};
use std::ops::Range;

/// Problems told of at most; a thousand bad lines have one cause.
const MOST: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Time,
    Octets,
    Delay(Measure),
}

const COLUMNS: [(&str, Column); 4] = [
    ("t_s", Column::Time),
    ("octets", Column::Octets),
    ("delay_ms", Column::Delay(Measure::RoundTrip)),
    ("one_way_ms", Column::Delay(Measure::OneWay)),
];

/// Reads a body. Problems are in bytes of it.
pub(crate) fn read(name: &str, body: &str) -> Result<Trace, Vec<Problem>> {
    let mut lines = lines(body).filter(|(_, line)| !line.trim().is_empty());
    let Some((start, heading)) = lines.next() else {
        return Err(vec![problem(
            0..0,
            "the trace is empty: a heading such as t_s,octets,delay_ms is missing",
            "",
        )]);
    };
    let columns = columns(start, heading).map_err(|p| vec![p])?;
    let mut builder = TraceBuilder::new(name, Provenance::Typed);
    for column in &columns {
        if let Column::Delay(measure) = column {
            builder.measure = *measure;
        }
    }
    let mut problems = Vec::new();
    for (start, line) in lines {
        if let Err(p) = record(&mut builder, &columns, start, line) {
            problems.push(p);
            if problems.len() == MOST {
                break;
            }
        }
    }
    if problems.is_empty() { Ok(builder.build()) } else { Err(problems) }
}

/// Writes a trace so that its records are read back bit for bit.
pub fn write(trace: &Trace) -> String {
    let has_clock = trace.clock == Clock::Elapsed;
    let lengths = trace.has_lengths() || !has_clock;
    let times: Vec<_> =
        if has_clock { trace.sent().iter().map(|t| seconds(*t)).collect() } else { Vec::new() };
    let delays: Vec<_> = trace.records().map(|r| delay(r.fate)).collect();
    let time_decimals = times.iter().map(|t| decimals(t)).max().unwrap_or(0);
    let delay_decimals = delays.iter().map(|t| decimals(t)).max().unwrap_or(0);

    let delay_name = match trace.measure {
        Measure::RoundTrip => "delay_ms",
        Measure::OneWay => "one_way_ms",
    };
    let heading = [has_clock.then_some("t_s"), lengths.then_some("octets"), Some(delay_name)];
    let mut body = heading.into_iter().flatten().collect::<Vec<_>>().join(",");
    body.push('\n');
    for (i, delay) in delays.iter().enumerate() {
        if has_clock {
            pad(&mut body, &times[i], time_decimals);
            body.push(',');
        }
        if lengths {
            body.push_str(&trace.octets(i).map(|n| n.to_string()).unwrap_or_default());
            body.push(',');
        }
        pad(&mut body, delay, delay_decimals);
        body.push('\n');
    }
    body
}

fn delay(fate: Fate) -> String {
    match fate {
        Fate::Reply(d) => d.to_string(),
        Fate::Below(d) => format!("<{d}"),
        Fate::Lost => String::new(),
        Fate::Untimed => "?".to_owned(),
    }
}

/// Milliseconds as seconds: the point moved by three places.
fn seconds(ms: f64) -> String {
    let text = ms.to_string();
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |t| ("-", t));
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let whole = format!("{whole:0>4}");
    let (s, ms) = whole.split_at(whole.len() - 3);
    let text = format!("{sign}{s}.{ms}{part}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn decimals(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, part)| part.len())
}

/// Writes a number with trailing zeros to make up the decimals; anything else as it is.
fn pad(body: &mut String, text: &str, to: usize) {
    body.push_str(text);
    let have = decimals(text);
    if have < to && text.ends_with(|c: char| c.is_ascii_digit()) {
        if have == 0 {
            body.push('.');
        }
        body.extend(std::iter::repeat_n('0', to - have));
    }
}

/// Lines without their ends, with where they start.
fn lines(body: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    body.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// Fields without the space around them, with their places.
fn fields(start: usize, line: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = start;
    line.split(',').map(move |field| {
        let from = at + (field.len() - field.trim_start().len());
        at += field.len() + 1;
        let field = field.trim();
        (from..from + field.len(), field)
    })
}

fn columns(start: usize, heading: &str) -> Result<Vec<Column>, Problem> {
    let mut columns: Vec<Column> = Vec::new();
    for (range, name) in fields(start, heading) {
        let Some((_, column)) = COLUMNS.iter().find(|(n, _)| *n == name) else {
            let known = "there are t_s, octets and delay_ms";
            return Err(problem(range, &format!("{name:?} is not a column of a trace; {known}"), known));
        };
        let same = |c: &Column| std::mem::discriminant(c) == std::mem::discriminant(column);
        if columns.iter().any(same) {
            return Err(problem(range, &format!("there are two columns for {name}"), "a second one"));
        }
        columns.push(*column);
    }
    if columns.iter().any(|c| matches!(c, Column::Delay(_))) {
        return Ok(columns);
    }
    let range = start..start + heading.len();
    Err(problem(range, "the heading names no column delay_ms", "delay_ms is missing"))
}

fn record(builder: &mut TraceBuilder, columns: &[Column], start: usize, line: &str) -> Result<(), Problem> {
    let whole = start..start + line.len();
    let (mut sent, mut octets, mut fate) = (None, None, Fate::Lost);
    let mut count = 0;
    for (i, (range, field)) in fields(start, line).enumerate() {
        count += 1;
        match columns.get(i) {
            None => {}
            Some(Column::Time | Column::Octets) if field.is_empty() => {}
            Some(Column::Time) => {
                sent = Some(
                    number(&format!("{field}e3"), field).ok_or_else(|| not_a_number(range, "t_s", field))?,
                );
            }
            Some(Column::Octets) => {
                // u32::MAX stands for "not said" in a trace.
                let n = field.parse().ok().filter(|n| *n < u32::MAX);
                octets = Some(n.ok_or_else(|| not_a_number(range, "octets", field))?);
            }
            Some(Column::Delay(_)) => {
                let bound = field.strip_prefix('<').map(str::trim_start);
                fate = match bound.unwrap_or(field) {
                    "" if bound.is_none() => Fate::Lost,
                    "?" if bound.is_none() => Fate::Untimed,
                    text => match (number(text, text), bound) {
                        (Some(d), None) => Fate::Reply(d),
                        (Some(d), Some(_)) => Fate::Below(d),
                        (None, _) => return Err(not_a_number(range, "delay_ms", field)),
                    },
                };
            }
        }
    }
    if count != columns.len() {
        let names: Vec<_> =
            columns.iter().filter_map(|c| COLUMNS.iter().find(|(_, k)| k == c)).map(|(n, _)| *n).collect();
        let remark = match names.get(count) {
            Some(name) => format!("{name} is missing"),
            None => format!("{} values too many", count - columns.len()),
        };
        let message = format!("{count} values where the heading names {}", columns.len());
        return Err(problem(whole, &message, &remark));
    }
    builder.push(sent, octets, fate).map_err(|e| problem(whole, &e.to_string(), "not a delay"))
}

/// A finite plain decimal. `text` is what is read, `shown` what must look like a number.
fn number(text: &str, shown: &str) -> Option<f64> {
    let plain = shown.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
    decimal(text).filter(|_| plain)
}

fn not_a_number(range: Range<usize>, name: &str, field: &str) -> Problem {
    problem(range, &format!("{name} must be a number, not {field:?}"), "not a number")
}

fn problem(range: Range<usize>, message: &str, remark: &str) -> Problem {
    Problem { range, message: message.to_owned(), remark: remark.to_owned(), fix: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_body_is_read() {
        let t =
            read("office", "t_s,octets,delay_ms\r\n0.5,64,12.4\r\n\r\n1.502,64,\r\n2.5,,<1\r\n3,64,?\r\n")
                .unwrap();
        let fates: Vec<_> = t.records().map(|r| r.fate).collect();
        assert_eq!(fates, [Fate::Reply(12.4), Fate::Lost, Fate::Below(1.0), Fate::Untimed]);
        assert_eq!(
            (t.name.as_str(), t.sent()[1], t.octets(0), t.octets(2)),
            ("office", 1002.0, Some(64), None)
        );
        assert_eq!(read("x", "delay_ms\n1\n2\n").unwrap().clock, Clock::Index);
        assert_eq!(read("x", "one_way_ms\n1\n").unwrap().measure, Measure::OneWay);
    }

    #[test]
    fn every_bad_line_is_told_of() {
        let check = |body: &str, expected: &[(&str, &str, &str)]| {
            let problems = read("x", body).unwrap_err();
            let told: Vec<_> = problems
                .iter()
                .map(|p| (&body[p.range.clone()], p.message.as_str(), p.remark.as_str()))
                .collect();
            assert_eq!(told, expected);
        };
        check("", &[("", "the trace is empty: a heading such as t_s,octets,delay_ms is missing", "")]);
        check(
            "t_s,delay_ms\n1\n2,x\n3,4,5\n6,-7\n",
            &[
                ("1", "1 values where the heading names 2", "delay_ms is missing"),
                ("x", "delay_ms must be a number, not \"x\"", "not a number"),
                ("3,4,5", "3 values where the heading names 2", "1 values too many"),
                ("6,-7", "the delay -7 ms is negative", "not a delay"),
            ],
        );
        check(
            "t_s,octets\n",
            &[("t_s,octets", "the heading names no column delay_ms", "delay_ms is missing")],
        );
        check("delay_ms\n1e3\n", &[("1e3", "delay_ms must be a number, not \"1e3\"", "not a number")]);
        assert_eq!(read("x", &format!("delay_ms\n{}", "x\n".repeat(100))).unwrap_err().len(), MOST);
    }

    #[test]
    fn columns_have_one_number_of_decimals() {
        let t = read("x", "t_s,octets,delay_ms\n0,64,12.4\n1.5,64,\n2,64,8\n").unwrap();
        assert_eq!(write(&t), "t_s,octets,delay_ms\n0.0,64,12.4\n1.5,64,\n2.0,64,8.0\n");
        let t = Trace::from_series("x", &[Some(1.0), None]).unwrap();
        assert_eq!(write(&t), "octets,delay_ms\n,1\n,\n");
    }

    #[test]
    fn the_point_moves_by_three() {
        for (ms, s) in [
            (0.0, "0"),
            (5.0, "0.005"),
            (17502.0, "17.502"),
            (-1.5, "-0.0015"),
            (1e21, "1000000000000000000"),
        ] {
            assert_eq!(seconds(ms), s);
        }
    }

    fn fate() -> impl Strategy<Value = Fate> {
        let ms = prop_oneof![
            0.0..1e4_f64,
            (0_u32..100_000).prop_map(|n| f64::from(n) / 10.0),
            Just(1e-9),
            Just(1e17)
        ];
        prop_oneof![
            6 => ms.clone().prop_map(Fate::Reply),
            1 => ms.prop_map(Fate::Below),
            1 => Just(Fate::Lost),
            1 => Just(Fate::Untimed),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_to_the_same_bits(
            rows in prop::collection::vec((prop::option::of(-1e6..1e9_f64), prop::option::of(0_u32..2000), fate()), 0..40),
            timed in any::<bool>(),
        ) {
            let mut b = TraceBuilder::new("t", Provenance::Typed);
            for (i, (sent, octets, fate)) in rows.iter().enumerate() {
                let sent = if timed { sent.or(Some(i as f64 * 0.1)) } else { *sent };
                b.push(sent, *octets, *fate).unwrap();
            }
            let trace = b.build();
            let again = read("t", &write(&trace)).unwrap();
            prop_assert_eq!(again.clock, trace.clock);
            prop_assert_eq!(again.len(), trace.len());
            for (a, b) in again.records().zip(trace.records()) {
                prop_assert_eq!(a.sent.to_bits(), b.sent.to_bits());
                prop_assert_eq!((a.octets, a.fate), (b.octets, b.fate));
            }
        }
    }
}

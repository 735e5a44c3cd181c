//! What stands in another form than plain rows, as plain rows.
//!
//! ```text
//! 12.4, 13.1, -, 12.9                                values in one line
//! {"t":0, "rtt":12.3}                                JSON (`objects`)
//! ping,url=a.example rtt_ms=12.3,ttl=57i 1616976024000000000         InfluxDB's line protocol
//! | t | rtt |                                        tables with lines drawn in them: of databases, Markdown,
//! |---|-----|                                        Org
//! | 0 | 5.5 |
//! sent_at,received_at                                times of sending and of arrival without the delay between
//! ```

use std::borrow::Cow;

use super::objects::{self, row};
use super::rows::{Record, Rows, Spot};
use super::{Reading, Unit, layout, names};
use crate::number;
use crate::text::find;
use crate::when::{self, DAY, Order};

/// A text as rows.
pub(super) struct Rewritten {
    pub(super) rows: String,
    /// The first row is known to be the heading.
    pub(super) headed: bool,
    /// What is to be told of it.
    pub(super) said: Vec<Cow<'static, str>>,
}

/// The text as rows. `None`: it is rows already.
pub(super) fn read(text: &[u8]) -> Option<Rewritten> {
    const SERIES: &str = "one line of several values: read as delays, one after the other";
    const OBJECTS: &str = "JSON: read as the rows of a table, its names as the heading";
    const POINTS: &str =
        "InfluxDB's line protocol: read as the rows of a table, tags and fields as its columns";
    const DRAWN: &str = "lines drawn in the table are left out";
    const UNITS: &str = "a unit behind a number belongs to it";
    const STAMPS: &str = "no column of delays: the delay is the time of arrival less that of sending";
    let mut others = 0;
    let made = (layout::series(text).map(|made| (made, false, SERIES)))
        .or_else(|| {
            let made = objects::table(text)?;
            others = made.others;
            let headed = made.headed();
            Some((made.text, headed, OBJECTS))
        })
        .or_else(|| points(text).map(|made| (made, true, POINTS)))
        .or_else(|| undrawn(text).map(|made| (made, false, DRAWN)))
        .or_else(|| joined(text).map(|made| (made, false, UNITS)));
    let rows = made.as_ref().map_or(text, |(made, ..)| made.as_bytes());
    let headed = made.as_ref().is_some_and(|(_, headed, _)| *headed);
    let with_delays = differences(rows, headed);
    let mut said: Vec<_> = made.iter().map(|(.., how)| Cow::Borrowed(*how)).collect();
    if others > 0 {
        let objects = number::plural(others, "object");
        said.push(Cow::Owned(format!(
            "{objects} of another kind, left out: they lack most of what the others have"
        )));
    }
    if let Some((rows, guessed)) = with_delays {
        said.push(Cow::Borrowed(STAMPS));
        said.extend(guessed.map(|unit| {
            let unit = unit.label();
            Cow::Owned(format!("these times taken as {unit}: name the unit in the heading if it is another"))
        }));
        return Some(Rewritten { rows, headed, said });
    }
    made.map(|(rows, headed, _)| Rewritten { rows, headed, said })
}

/// A point of the line protocol of `InfluxDB`: `measurement,tag=value field=value,field=value time`. A blank
/// or comma that belongs to a name has a backslash before it.
pub(crate) fn is_point(line: &[u8]) -> bool {
    let parts = parted(line, b' ');
    let pairs = |part: &[u8]| parted(part, b',').iter().all(|pair| find(pair, b"=").is_some_and(|at| at > 0));
    match parts[..] {
        [head, fields, time] => {
            let tags = find(head, b",").is_none_or(|at| pairs(&head[at + 1..]));
            tags && pairs(fields) && time.len() > 8 && time.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// The parts of a text between marks, but for those in quotes or behind a backslash.
fn parted(text: &[u8], mark: u8) -> Vec<&[u8]> {
    let (mut parts, mut start, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (i, b) in text.iter().enumerate() {
        if *b == mark && !quoted && !escaped {
            parts.push(&text[start..i]);
            start = i + 1;
        }
        quoted ^= *b == b'"' && !escaped;
        escaped = *b == b'\\' && !escaped;
    }
    parts.push(&text[start..]);
    parts
}

/// The points of a text as rows, if its first line is one.
fn points(text: &[u8]) -> Option<String> {
    let lines =
        || text.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).filter(|l| !l.is_empty() && l[0] != b'#');
    if !is_point(lines().next()?) {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    let mut table = String::new();
    // The names are known when the last line is read.
    for pass in 0..2 {
        if pass == 1 {
            if names.len() > 200 {
                return None;
            }
            row(&mut table, &names);
        }
        for line in lines().filter(|l| is_point(l)) {
            let parts = parted(line, b' ');
            let mut values = vec![String::new(); names.len()];
            let tags = parted(parts[0], b',').into_iter().skip(1);
            let time = [b"time=", parts[2]].concat();
            for pair in tags.chain(parted(parts[1], b',')).chain([&time[..]]) {
                let at = find(pair, b"=").unwrap_or(0);
                let word = |s: &[u8]| String::from_utf8_lossy(s).replace(['\\', '"'], "");
                let (name, mut value) = (word(&pair[..at]), word(&pair[at + 1..]));
                // A whole number ends with i or u.
                let digits = value.trim_end_matches(['i', 'u']);
                if digits.len() < value.len() && digits.parse::<i64>().is_ok() {
                    value.truncate(digits.len());
                }
                match names.iter().position(|n| *n == name) {
                    Some(i) if pass == 1 => values[i] = value,
                    None if pass == 0 && names.len() <= 200 => names.push(name),
                    _ => {}
                }
            }
            if pass == 1 {
                row(&mut table, &values);
            }
        }
    }
    Some(table)
}

/// A sign to draw with.
fn is_line(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{257f}')
}

/// A line that is drawn: dashes and what stands where they cross.
fn is_drawn(line: &str) -> bool {
    let drawn = |c: char| matches!(c, '-' | '=' | '+' | '|' | ':' | ' ' | '\t') || is_line(c);
    line.chars().all(drawn) && ["--", "==", "──", "━━", "══"].iter().any(|dashes| line.contains(dashes))
}

/// Lines that tell the form.
const LOOKED_AT: usize = 40;

/// A table without the lines drawn in it, if there is one below its heading. Each line stays where it is.
fn undrawn(text: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(crate::input::head(text));
    let mut before = "";
    let mut rule = None;
    for line in head.lines().take(LOOKED_AT).map(str::trim).filter(|l| !l.is_empty()) {
        let named = before.chars().any(char::is_alphabetic) || before.contains('|');
        if is_drawn(line) && (named || line.starts_with(|c| c == '+' || is_line(c))) {
            rule = Some(line);
            break;
        }
        before = line;
    }
    let rule = rule?;
    let text = std::str::from_utf8(text).ok()?;
    let mut rows = String::with_capacity(text.len());
    for line in text.lines() {
        let content = line.trim();
        let again = content == rule || content.starts_with(|c| matches!(c, '+' | '|') || is_line(c));
        if !(again && is_drawn(content)) {
            // Bars at the ends part nothing.
            let bar = |c| c == '|' || is_line(c);
            let open = content.strip_prefix(bar);
            let inner = open.map_or(line, |open| open.strip_suffix(bar).unwrap_or(open));
            rows.extend(inner.chars().map(|c| if bar(c) { '|' } else { c }));
        }
        rows.push('\n');
    }
    Some(rows)
}

/// Rows parted by blanks that end with a unit, with the unit at its number: "12.3 ms" is one value.
fn joined(text: &[u8]) -> Option<String> {
    let at_unit = |line: &str| {
        let (row, unit) = line.trim_end().rsplit_once(' ')?;
        let number = row.trim_end().ends_with(|c: char| c.is_ascii_digit());
        (number && names::unit_of(unit.as_bytes()).is_some()).then_some(row.len())
    };
    let head = String::from_utf8_lossy(crate::input::head(text));
    let (mut rows, mut with_unit) = (0, 0);
    for line in head.lines().take(LOOKED_AT).filter(|l| !l.trim().is_empty()) {
        if line.contains([',', ';', '\t', '|']) {
            return None;
        }
        rows += 1;
        with_unit += usize::from(at_unit(line).is_some());
    }
    if rows < 2 || with_unit * 2 < rows {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let mut joined = String::with_capacity(text.len());
    for line in text.lines() {
        let (row, unit) = line.split_at(at_unit(line).unwrap_or(line.len()));
        joined.push_str(if unit.is_empty() { row } else { row.trim_end() });
        joined.push_str(unit.trim());
        joined.push('\n');
    }
    Some(joined)
}

/// A table that has a time of sending and one of arrival and no delay, with the delay as its last column;
/// and the unit of these times, if it was guessed.
fn differences(text: &[u8], headed: bool) -> Option<(String, Option<Unit>)> {
    let reading = layout::stamps(crate::input::head(text), text.len(), headed)?;
    let mut table = String::with_capacity(text.len() + text.len() / 4);
    let mut rows = Rows::new(text, reading.separator, Spot { line: 1, start: 0 });
    let mut record = Record::default();
    let mut at = 0;
    while let Some(spot) = rows.next(&mut record) {
        let end = rows.spot().start.saturating_sub(1).min(text.len());
        table.push_str(std::str::from_utf8(&text[at..end]).ok()?.trim_end_matches('\r'));
        at = end;
        if spot.line >= reading.first_line {
            table.push(char::from(reading.separator.byte()));
            if spot.line == reading.first_line {
                table.push_str("delay_ms");
            } else if let Some(ns) = difference(&record, &reading) {
                let (sign, ns) = (if ns < 0 { "-" } else { "" }, ns.unsigned_abs());
                let (ms, rest) = ((ns / 1_000_000).to_string(), (1_000_000 + ns % 1_000_000).to_string());
                table.push_str(sign);
                table.push_str(&ms);
                table.push(reading.decimal);
                table.push_str(&rest[1..]);
            } else if reading.separator == super::Separator::Blanks {
                table.push('-');
            }
        }
    }
    table.push('\n');
    let guessed = [reading.time?, reading.delay].into_iter().find(|c| c.guessed);
    Some((table, guessed.map(|c| c.unit)))
}

/// Nanoseconds from sending to arrival.
pub(super) fn difference(record: &Record<'_>, reading: &Reading) -> Option<i64> {
    let at = |index: usize, unit: Unit| {
        let field = record.get(index).filter(|f| !f.is_empty())?;
        let decimal = if reading.decimal == ',' { b',' } else { b'.' };
        if unit == Unit::Calendar {
            let order = if reading.month_first { Order::MonthFirst } else { Order::DayFirst };
            return when::whole(field, order).map(|w| (w.ns, w.since));
        }
        let ns = number::nanoseconds(field, decimal, unit.nanoseconds())?;
        Some((ns, when::Since::Epoch))
    };
    let (sent, since) = at(reading.time?.index, reading.time?.unit)?;
    let (arrived, _) = at(reading.delay.index, reading.delay.unit)?;
    let ns = arrived.checked_sub(sent)?;
    // A time of day begins again at midnight.
    let round = if since == when::Since::Midnight && ns < -DAY / 2 { DAY } else { 0 };
    // 0 is no arrival, where others are counted from 1970.
    (arrived != 0 || sent == 0).then_some(ns + round)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let got = read(text.as_bytes()).map(|made| made.rows);
        assert_eq!(got.as_deref(), expected, "{text}");
    }

    #[test]
    fn points_are_rows() {
        check(
            "ping,url=a\\ b rtt_ms=12.3,ttl=57i 1616976024000000000\nping,url=c rtt_ms=5,note=\"x, y\" 1616976025000000000\n",
            Some(
                "url,rtt_ms,ttl,time,note\na b,12.3,57,1616976024000000000,\nc,5,,1616976025000000000,\"x, y\"\n",
            ),
        );
        for other in ["64 bytes from a: icmp_seq=1 time=2 1616976024", "a b=c", "a b=c 12", "a b=,c=1 x"] {
            assert!(!is_point(other.as_bytes()), "{other}");
        }
        assert!(is_point(b"rtt value=12 1616976024"));
    }

    #[test]
    fn drawn_lines_are_left_out() {
        let rows = "\n t | rtt \n\n 0 | 5.5 \n 1 | - \n\n";
        check("+---+-----+\n| t | rtt |\n+---+-----+\n| 0 | 5.5 |\n| 1 | - |\n+---+-----+\n", Some(rows));
        check("┌───┬─────┐\n│ t │ rtt │\n├───┼─────┤\n│ 0 │ 5.5 │\n│ 1 │ - │\n└───┴─────┘\n", Some(rows));
        check(" t | rtt\n---+-----\n 0 | 5.5\n", Some(" t | rtt\n\n 0 | 5.5\n"));
        check("| t | rtt |\n|:--|----:|\n| 0 | --- |\n", Some(" t | rtt \n\n 0 | --- \n"));
        check("rtt\n5\n---\n6\n", None);
        check("t,rtt\n0,---\n", None);
    }

    #[test]
    fn a_unit_belongs_to_its_number() {
        let rows = "10:24:04 12.3ms\n10:24:05 timeout\n10:24:06 9ms\n";
        check("10:24:04 12.3 ms\n10:24:05 timeout\n10:24:06 9 ms\n", Some(rows));
        check("a 5\nb 6 ms\nc 7\n", None);
        check("1;5,5 ms\n2;6,5 ms\n", None);
    }

    #[test]
    fn a_delay_is_the_difference_of_two_times() {
        check(
            "n,sent_at,received_at\n1,10:00:00,10:00:00.0123\n2,10:00:01,10:00:01.02\n3,10:00:02,\n",
            Some(
                "n,sent_at,received_at,delay_ms\n1,10:00:00,10:00:00.0123,12.300000\n2,10:00:01,10:00:01.02,20.000000\n3,10:00:02,,\n",
            ),
        );
        check(
            "tx_ns;rx_ns\n1616976024000000000;1616976024005000000\n1616976025000000000;0\n",
            Some(
                "tx_ns;rx_ns;delay_ms\n1616976024000000000;1616976024005000000;5.000000\n1616976025000000000;0;\n",
            ),
        );
        check("sent_at,received_at,rtt\n10:00:00,10:00:01,5\n", None);
        check("sent,received\n5,5\n5,4\n", None);
        check("sent,rx\n1000,1500\n2000,2600\n3000,3700\n", None);
        let said = |text: &str| read(text.as_bytes()).map(|made| made.said.join(" | "));
        let seconds = said("sent_time,rx_time\n0.5,0.7\n1.5,1.6\n").unwrap_or_default();
        assert!(seconds.contains("these times taken as s:"), "{seconds}");
        assert!(!said("tx_ms,rx_ms\n0,7\n1000,1006\n").unwrap_or_default().contains("taken"));
        check("start,end,n\n0,1,7\n1,2,8\n2,3,7\n", None);
        check("request_ms,response_ms\n2,12\n5,13\n3,11\n", None);
    }
}

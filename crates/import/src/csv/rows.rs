//! The rows of a table, each with its line and first byte.
//!
//! A value may stand in double quotes, and may then hold the separator, line ends and quotes written
//! twice (RFC 4180, section 2). A quote that is not closed before a separator or a line end is an
//! ordinary letter: one stray quote must not swallow the rest of a file.

use std::io::{self, Read};

use csv::{ByteRecord, Reader, ReaderBuilder};
use memchr::memchr;

use super::Separator;
use crate::text::line_at;

/// How far a value in quotes may reach.
const LONGEST_QUOTED: usize = 1 << 16;

impl Separator {
    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Tab => b'\t',
            Self::Semicolon => b';',
            Self::Comma => b',',
            Self::Bar => b'|',
            Self::Blanks => b' ',
        }
    }
}

/// The values of a row, without the blanks around them: where they stand in its line, or, where
/// quotes had to be undone, copies of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Record<'a> {
    line: &'a [u8],
    copies: Vec<u8>,
    /// First byte of each value and the first behind it, in `copies` if there are any.
    spans: Vec<(u32, u32)>,
}

impl<'a> Record<'a> {
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    pub(super) fn get(&self, i: usize) -> Option<&[u8]> {
        let (start, end) = *self.spans.get(i)?;
        let bytes = if self.copies.is_empty() { self.line } else { &self.copies };
        bytes.get(start as usize..end as usize)
    }

    /// The value of a column that the row may lack.
    pub(super) fn field(&self, i: usize) -> &[u8] {
        self.get(i).unwrap_or_default()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|i| self.field(i))
    }

    fn clear(&mut self, line: &'a [u8]) {
        self.line = line;
        self.copies.clear();
        self.spans.clear();
    }

    /// A value from byte `start` of the line to before byte `end`.
    fn push(&mut self, mut start: usize, mut end: usize) {
        while start < end && self.line[start].is_ascii_whitespace() {
            start += 1;
        }
        while end > start && self.line[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        self.spans.push((short(start), short(end)));
    }

    fn push_copy(&mut self, value: &[u8]) {
        let start = self.copies.len();
        self.copies.extend_from_slice(value.trim_ascii());
        self.spans.push((short(start), short(self.copies.len())));
        // So that a row of empty values has copies too.
        self.copies.push(b' ');
    }
}

/// A place in a row: lines are at most a megabyte long.
fn short(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[derive(Debug)]
pub(super) struct Rows<'a> {
    text: &'a [u8],
    separator: Separator,
    /// Where the next line begins.
    at: Spot,
    /// For rows with quotes, made when the first comes.
    quoted: Option<Box<Quoted>>,
}

/// Where a row stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) line: usize,
    pub(super) start: usize,
}

impl<'a> Rows<'a> {
    /// The rows of a file from `at` on, the start of a line.
    pub(super) fn new(text: &'a [u8], separator: Separator, at: Spot) -> Self {
        Self { text, separator, at, quoted: None }
    }

    /// Where the next line begins.
    pub(super) fn spot(&self) -> Spot {
        self.at
    }

    /// Goes on from the start of another line.
    pub(super) fn go_on(&mut self, at: Spot) {
        self.at = at;
    }

    /// Reads the next row into `record`; blank lines and those that begin with `#` are none.
    pub(super) fn next(&mut self, record: &mut Record<'a>) -> Option<Spot> {
        loop {
            let spot = self.at;
            let rest = self.text.get(spot.start..).filter(|r| !r.is_empty())?;
            let line = line_at(rest, 0);
            self.at = Spot { line: spot.line + 1, start: spot.start + line.len() + 1 };
            let content = line.trim_ascii();
            if content.is_empty() || content[0] == b'#' {
                continue;
            }
            record.clear(line);
            let mark = self.separator.byte();
            if self.separator == Separator::Blanks {
                let mut start = 0;
                for end in (0..=line.len()).filter(|i| line.get(*i).is_none_or(u8::is_ascii_whitespace)) {
                    if end > start {
                        record.push(start, end);
                    }
                    start = end + 1;
                }
            } else if memchr(b'"', line).is_some() {
                let quoted = self.quoted.get_or_insert_with(|| Box::new(Quoted::new(mark)));
                let length = quoted.read(rest, mark, record);
                self.at.line += rest[..length].split(|b| *b == b'\n').count() - 1;
                self.at.start = spot.start + length + 1;
            } else {
                let mut start = 0;
                for (end, b) in line.iter().enumerate() {
                    if *b == mark {
                        record.push(start, end);
                        start = end + 1;
                    }
                }
                record.push(start, line.len());
            }
            return Some(spot);
        }
    }
}

/// Rows that have quotes: the csv crate undoes them.
#[derive(Debug)]
struct Quoted {
    reader: Reader<Row>,
    values: ByteRecord,
}

/// One row at a time, for the csv crate's reader.
#[derive(Debug, Default)]
struct Row {
    bytes: Vec<u8>,
    read: usize,
}

impl Read for Row {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n = (&self.bytes[self.read..]).read(to)?;
        self.read += n;
        Ok(n)
    }
}

impl Quoted {
    fn new(mark: u8) -> Self {
        let reader = ReaderBuilder::new()
            .delimiter(mark)
            .has_headers(false)
            .flexible(true)
            .from_reader(Row::default());
        Self { reader, values: ByteRecord::new() }
    }

    /// Reads a row, and returns its length without the line end.
    fn read(&mut self, rest: &[u8], mark: u8, record: &mut Record<'_>) -> usize {
        let row = self.reader.get_mut();
        row.bytes.clear();
        row.read = 0;
        let length = put_quotes_in_place(rest, mark, &mut row.bytes);
        // Reading from memory cannot fail.
        if self.reader.read_byte_record(&mut self.values).unwrap_or(false) {
            self.values.iter().for_each(|value| record.push_copy(value));
        }
        length
    }
}

/// Writes a row with every value in quotes, as RFC 4180 has them, and returns its length in the text
/// without the line end. Blanks around a quoted value are dropped, and a quote that does not close
/// becomes a letter of its value.
fn put_quotes_in_place(rest: &[u8], mark: u8, row: &mut Vec<u8>) -> usize {
    let mut at = 0;
    loop {
        let blanks = rest[at..].iter().take_while(|b| **b == b' ').count();
        let quoted = rest[at + blanks..].strip_prefix(b"\"").and_then(|inner| {
            let inner = &inner[..inner.len().min(LONGEST_QUOTED)];
            Some(&inner[..closing(inner, mark)?])
        });
        let end = at + quoted.map_or(0, |inner| blanks + inner.len() + 2);
        let tail = &rest[end..];
        let tail = &tail[..tail.iter().position(|b| *b == mark || *b == b'\n').unwrap_or(tail.len())];
        row.push(b'"');
        match quoted {
            Some(inner) => row.extend_from_slice(inner),
            None => tail.iter().for_each(|b| row.extend_from_slice(&[*b, b'"'][..=usize::from(*b == b'"')])),
        }
        row.push(b'"');
        at = end + tail.len();
        if rest.get(at) != Some(&mark) {
            row.push(b'\n');
            return at;
        }
        row.push(mark);
        at += 1;
    }
}

/// The length of a value in quotes, if a separator or a line end follows the quote that closes it.
fn closing(inner: &[u8], mark: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr(b'"', &inner[at..])?;
        if inner.get(at + 1) != Some(&b'"') {
            let mut after = inner[at + 1..].iter().filter(|b| !matches!(b, b' ' | b'\r'));
            return after.next().is_none_or(|b| *b == mark || *b == b'\n').then_some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const START: Spot = Spot { line: 1, start: 0 };

    fn check(text: &str, separator: Separator, expected: &[&str]) {
        let mut rows = Rows::new(text.as_bytes(), separator, START);
        let mut record = Record::default();
        let mut got = Vec::new();
        while let Some(spot) = rows.next(&mut record) {
            let fields: Vec<_> = record.iter().map(String::from_utf8_lossy).collect();
            let first = text[spot.start..].chars().next().unwrap();
            got.push(format!("{} {first} {}", spot.line, fields.join("|")));
        }
        assert_eq!(got, expected);
    }

    #[test]
    fn rows_know_their_line_whatever_stands_between() {
        check("a,b\n\n\r\n# x\n1, 2\r\n3\n", Separator::Comma, &["1 a a|b", "5 1 1|2", "6 3 3"]);
        check("\n# x\n\n\"a\nb\";2\n\nc;", Separator::Semicolon, &["4 \" a\nb|2", "7 c c|"]);
        check(" a  b \n\n# x\n1\t2\n", Separator::Blanks, &["1   a|b", "4 1 1|2"]);
        check("\t\n1\t\n\t2\n \n", Separator::Tab, &["2 1 1|", "3 \t |2"]);
        check("", Separator::Comma, &[]);
        check("# only", Separator::Tab, &[]);
    }

    #[test]
    fn quotes_hold_a_value_together_or_are_letters() {
        check("\"a, b\",2\n", Separator::Comma, &["1 \" a, b|2"]);
        check("1, \"c \"\"d\"\" e\" \r\n2,\"\"\n", Separator::Comma, &["1 1 1|c \"d\" e", "2 2 2|"]);
        check("1,\"6\n2,7\n", Separator::Comma, &["1 1 1|\"6", "2 2 2|7"]);
        check("1,\"6\n2,\"7\"\n3,8\n", Separator::Comma, &["1 1 1|\"6", "2 2 2|7", "3 3 3|8"]);
        check("6\" pipe,5\n\"6\" pipe\",5\n", Separator::Comma, &["1 6 6\" pipe|5", "2 \" \"6\" pipe\"|5"]);
        let long = "x".repeat(30_000);
        let rows = [format!("\"{long}\",2\n"), format!("3,\"{long}\"\n"), "\"4\",5\n".to_owned()];
        let expected = [format!("1 \" {long}|2"), format!("2 3 3|{long}"), "3 \" 4|5".to_owned()];
        check(&rows.concat(), Separator::Comma, &expected.each_ref().map(|s| &s[..]));
        let far = format!("1,\"{}\"\n2,3\n", " \n".repeat(LONGEST_QUOTED));
        let mut rows = Rows::new(far.as_bytes(), Separator::Comma, START);
        let mut record = Record::default();
        rows.next(&mut record);
        assert_eq!(record.field(1), b"\"");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        /// Tables with quotes in their places are read as the csv crate reads them.
        #[test]
        fn rows_are_those_of_the_csv_crate(
            fields in proptest::collection::vec("[a-c1-3.]{0,3}|\"([a-c,]|\"\"|\n){0,4}\"", 1..40),
            width in 1_usize..5,
            crlf in any::<bool>(),
        ) {
            let end = if crlf { "\r\n" } else { "\n" };
            let text = fields.chunks(width).map(|row| row.join(",")).collect::<Vec<_>>().join(end);
            let mut theirs = csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(text.as_bytes());
            let trimmed = |fields: Vec<&[u8]>| fields.iter().map(|f| f.trim_ascii().to_vec()).collect::<Vec<_>>();
            let theirs: Vec<_> = theirs.byte_records().map(|r| trimmed(r.unwrap().iter().collect())).collect();
            let mut rows = Rows::new(text.as_bytes(), Separator::Comma, START);
            let mut record = Record::default();
            let mut ours = Vec::new();
            while rows.next(&mut record).is_some() {
                ours.push(trimmed(record.iter().collect()));
            }
            prop_assert_eq!(ours, theirs);
        }
    }
}

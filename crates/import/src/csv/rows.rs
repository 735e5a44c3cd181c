//! The rows of a table, each with its line and first byte.

use csv::{ByteRecord, Reader, ReaderBuilder};
use memchr::memchr;

use super::Separator;

impl Separator {
    fn byte(self) -> u8 {
        match self {
            Self::Tab => b'\t',
            Self::Semicolon => b';',
            Self::Comma => b',',
            Self::Bar => b'|',
            Self::Blanks => b' ',
        }
    }
}

#[derive(Debug)]
pub(super) struct Rows<'a> {
    text: &'a [u8],
    /// Line and byte at which `text` begins in the file.
    line: usize,
    start: usize,
    at: usize,
    inner: Inner<'a>,
}

#[derive(Debug)]
enum Inner<'a> {
    Csv(Box<Reader<&'a [u8]>>),
    Blanks,
}

/// Where a row stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) line: usize,
    pub(super) start: usize,
}

impl<'a> Rows<'a> {
    /// The rows of `file` from the line `line` on, which begins at byte `start`.
    pub(super) fn new(file: &'a [u8], separator: Separator, line: usize, start: usize) -> Self {
        let text = &file[start.min(file.len())..];
        let inner = match separator {
            Separator::Blanks => Inner::Blanks,
            _ => Inner::Csv(Box::new(
                ReaderBuilder::new()
                    .delimiter(separator.byte())
                    .has_headers(false)
                    .flexible(true)
                    .comment(Some(b'#'))
                    .from_reader(text),
            )),
        };
        Self { text, line, start, at: 0, inner }
    }

    /// Reads the next row into `record`; blank lines and those that begin with `#` are none.
    pub(super) fn next(&mut self, record: &mut ByteRecord) -> Option<Spot> {
        match &mut self.inner {
            Inner::Csv(reader) => {
                // Reading from memory cannot fail, and rows may be of any length.
                if !reader.read_byte_record(record).unwrap_or(false) {
                    return None;
                }
                // The reader's position is before the blank lines it skipped.
                let position = record.position()?;
                let mut at = usize::try_from(position.byte()).ok()?;
                let mut line = self.line + usize::try_from(position.line()).ok()? - 1;
                loop {
                    match self.text.get(at) {
                        Some(b'\r') => at += 1,
                        Some(b'\n') => (at, line) = (at + 1, line + 1),
                        Some(b'#') => at += memchr(b'\n', &self.text[at..])?,
                        _ => break,
                    }
                }
                Some(Spot { line, start: self.start + at })
            }
            Inner::Blanks => loop {
                if self.at >= self.text.len() {
                    return None;
                }
                let spot = Spot { line: self.line, start: self.start + self.at };
                let rest = &self.text[self.at..];
                let length = memchr(b'\n', rest).unwrap_or(rest.len());
                self.at += length + 1;
                self.line += 1;
                let content = rest[..length].trim_ascii();
                if !content.is_empty() && content[0] != b'#' {
                    record.clear();
                    content
                        .split(u8::is_ascii_whitespace)
                        .filter(|f| !f.is_empty())
                        .for_each(|f| record.push_field(f));
                    return Some(spot);
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, separator: Separator, expected: &[&str]) {
        let mut rows = Rows::new(text.as_bytes(), separator, 1, 0);
        let mut record = ByteRecord::new();
        let mut got = Vec::new();
        while let Some(spot) = rows.next(&mut record) {
            let fields: Vec<_> = record.iter().map(|f| String::from_utf8_lossy(f.trim_ascii())).collect();
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
        check("", Separator::Comma, &[]);
        check("# only", Separator::Tab, &[]);
    }
}

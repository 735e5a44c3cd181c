//! Bytes to text: the one place where encodings are told apart.
//!
//! UTF-8 and UTF-16 are known by their marks or by their content. Anything else is one of the
//! pages of Windows and DOS, or a two-byte encoding of East Asia, by what the letters spell in
//! each (`guess`). Where nothing fits, each byte is taken for the letter of that number: letters may
//! come out wrong, but figures, punctuation and structure do not.

mod asia;
mod guess;
mod pages;

use std::borrow::Cow;

use memchr::memchr;

pub use asia::Decoder;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    Windows874,
    Windows1250,
    Windows1251,
    Windows1252,
    Windows1253,
    Windows1254,
    Windows1255,
    Windows1256,
    Windows1257,
    Windows1258,
    Koi8R,
    ShiftJis,
    EucJp,
    Gbk,
    Big5,
    EucKr,
    Cp437,
    Cp737,
    Cp850,
    Cp852,
    Cp857,
    Cp862,
    Cp866,
    /// Not known: each byte was taken for the letter of that number.
    Unknown,
}

impl Encoding {
    /// As it is said in a sentence.
    pub fn label(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le | Self::Utf16Be => "UTF-16",
            Self::Windows874 => "Windows 874",
            Self::Windows1250 => "Windows 1250",
            Self::Windows1251 => "Windows 1251",
            Self::Windows1252 => "Windows 1252",
            Self::Windows1253 => "Windows 1253",
            Self::Windows1254 => "Windows 1254",
            Self::Windows1255 => "Windows 1255",
            Self::Windows1256 => "Windows 1256",
            Self::Windows1257 => "Windows 1257",
            Self::Windows1258 => "Windows 1258",
            Self::Koi8R => "KOI8-R",
            Self::ShiftJis => "Shift-JIS",
            Self::EucJp => "EUC-JP",
            Self::Gbk => "GBK",
            Self::Big5 => "Big5",
            Self::EucKr => "EUC-KR",
            Self::Cp437 => "code page 437",
            Self::Cp737 => "code page 737",
            Self::Cp850 => "code page 850",
            Self::Cp852 => "code page 852",
            Self::Cp857 => "code page 857",
            Self::Cp862 => "code page 862",
            Self::Cp866 => "code page 866",
            Self::Unknown => "an encoding that is not known",
        }
    }

    /// As the WHATWG's standard names a two-byte encoding; empty for the others.
    fn web_label(self) -> &'static str {
        match self {
            Self::ShiftJis => "shift_jis",
            Self::EucJp => "euc-jp",
            Self::Gbk => "gbk",
            Self::Big5 => "big5",
            Self::EucKr => "euc-kr",
            _ => "",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Text<'a> {
    /// Without its byte-order mark and without what only a terminal shows.
    pub text: Cow<'a, str>,
    pub encoding: Encoding,
}

pub fn decode(bytes: &[u8]) -> Text<'_> {
    decode_with(bytes, None)
}

/// Decodes with the help of what knows the two-byte encodings of East Asia.
pub fn decode_with(bytes: &[u8], decoder: Option<Decoder>) -> Text<'_> {
    let mut text = by_encoding(bytes, decoder);
    let inner = text.text.as_bytes();
    // Lines that end with CR alone, as on old Macs.
    if memchr(b'\n', inner).is_none() && inner.trim_ascii_end().contains(&b'\r') {
        text.text = text.text.replace('\r', "\n").into();
    }
    // Blanks that do not break, which French and PowerShell put before units.
    for blank in ["\u{a0}", "\u{202f}"] {
        if find(text.text.as_bytes(), blank.as_bytes()).is_some() {
            text.text = text.text.replace(blank, " ").into();
        }
    }
    if memchr(ESCAPE, text.text.as_bytes()).is_some() {
        text.text = without_colours(&text.text).into();
    }
    text
}

const ESCAPE: u8 = 0x1b;

/// Without the sequences that tell a terminal to change colour or to move.
fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(ESCAPE, rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        // "[", parameters, and one letter that ends it (ECMA-48, section 5.4).
        if let Some(sequence) = rest.strip_prefix('[') {
            let end = sequence.bytes().take(32).position(|b| (0x40..0x7f).contains(&b));
            rest = end.map_or(rest, |i| &sequence[i + 1..]);
        }
    }
    out.push_str(rest);
    out
}

fn by_encoding(bytes: &[u8], decoder: Option<Decoder>) -> Text<'_> {
    let utf16 = |bytes, order| Text { text: utf16(bytes, order).into(), encoding: order };
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest, decoder),
        [0xff, 0xfe, rest @ ..] => utf16(rest, Encoding::Utf16Le),
        [0xfe, 0xff, rest @ ..] => utf16(rest, Encoding::Utf16Be),
        _ => match utf16_by_content(bytes) {
            Some(order) => utf16(bytes, order),
            None => utf8(bytes, decoder),
        },
    }
}

fn utf8(bytes: &[u8], decoder: Option<Decoder>) -> Text<'_> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // The file ends inside a character: it was cut, not written in another encoding.
        Err(e) if e.error_len().is_none() && bytes[..e.valid_up_to()].iter().any(|b| *b >= 0x80) => {
            std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return guess::decode(bytes, decoder),
    };
    Text { text: text.into(), encoding: Encoding::Utf8 }
}

fn utf16(bytes: &[u8], order: Encoding) -> String {
    let units = bytes.chunks_exact(2).map(|pair| match order {
        Encoding::Utf16Be => u16::from_be_bytes([pair[0], pair[1]]),
        _ => u16::from_le_bytes([pair[0], pair[1]]),
    });
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// In UTF-16 the digits, spaces and line ends have a zero byte, always on the same side.
fn utf16_by_content(bytes: &[u8]) -> Option<Encoding> {
    let head = &bytes[..bytes.len().min(4096)];
    let pairs = head.len() / 2;
    let (mut even, mut odd) = (0, 0);
    for pair in head.chunks_exact(2) {
        even += usize::from(pair[0] == 0);
        odd += usize::from(pair[1] == 0);
    }
    match (even, odd) {
        (few, n) if n * 8 > pairs && few * 8 < n => Some(Encoding::Utf16Le),
        (n, few) if n * 8 > pairs && few * 8 < n => Some(Encoding::Utf16Be),
        _ => None,
    }
}

/// Where `part` begins in `text`. Lines are short: nothing is worked out beforehand.
pub(crate) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr(*part.first()?, &text[at..])?;
        if text[at..].starts_with(part) {
            return Some(at);
        }
        at += 1;
    }
}

/// What stands behind the first `part` in `text`.
#[inline(never)]
pub(crate) fn behind<'a>(text: &'a [u8], part: &str) -> Option<&'a [u8]> {
    text.get(find(text, part.as_bytes())? + part.len()..)
}

/// What stands behind a beginning.
#[inline(never)]
pub(crate) fn past<'a>(text: &'a [u8], beginning: &str) -> Option<&'a [u8]> {
    text.strip_prefix(beginning.as_bytes())
}

/// The words of a line.
#[derive(Debug, Clone)]
pub(crate) struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    /// What follows the words that were taken.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.0
    }
}

pub(crate) fn words(line: &[u8]) -> Words<'_> {
    Words(line)
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline(never)]
    fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.0.trim_ascii_start();
        let length = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
        let (word, rest) = line.split_at(length);
        self.0 = rest;
        (length > 0).then_some(word)
    }
}

/// What stands before the first blank.
#[inline(never)]
pub(crate) fn first_word(line: &[u8]) -> &[u8] {
    &line[..memchr(b' ', line).unwrap_or(line.len())]
}

/// What stands behind the last blank.
#[inline(never)]
pub(crate) fn last_word(line: &[u8]) -> &[u8] {
    &line[memchr::memrchr(b' ', line).map_or(0, |i| i + 1)..]
}

/// The values of a line between marks, without the blanks around them.
#[derive(Debug, Clone)]
pub(crate) struct Fields<'a> {
    rest: Option<&'a [u8]>,
    mark: u8,
}

pub(crate) fn fields(line: &[u8], mark: u8) -> Fields<'_> {
    Fields { rest: Some(line), mark }
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    #[inline(never)]
    fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.rest?;
        let end = memchr(self.mark, line);
        self.rest = end.map(|i| &line[i + 1..]);
        Some(line[..end.unwrap_or(line.len())].trim_ascii())
    }
}

/// The line that begins at byte `start`, without its end.
pub(crate) fn line_at(text: &[u8], start: usize) -> &[u8] {
    let rest = &text[start..];
    &rest[..memchr(b'\n', rest).unwrap_or(rest.len())]
}

/// Where the line begins in which byte `at` stands.
pub(crate) fn line_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1)
}

/// Whether bytes are no text in any encoding: control characters that no tool prints.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || utf16_by_content(bytes).is_some() {
        return false;
    }
    let head = &bytes[..bytes.len().min(4096)];
    let printed_control =
        |b: &u8| matches!(b, b'\t' | b'\n' | b'\r' | 0x03 | 0x07 | 0x08 | 0x0c | 0x1a | 0x1b);
    let odd = head.iter().filter(|b| **b < 0x20 && !printed_control(b)).count();
    odd * 10 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str, encoding: Encoding) {
        let text = decode(bytes);
        assert_eq!((&*text.text, text.encoding), (expected, encoding));
    }

    #[test]
    fn encodings_are_known_by_mark_or_by_content() {
        check(b"time=1 ms", "time=1 ms", Encoding::Utf8);
        check(b"\xef\xbb\xbfrtt\n", "rtt\n", Encoding::Utf8);
        check(b"\xff\xfem\0s\0\n\0", "ms\n", Encoding::Utf16Le);
        check(b"\xfe\xff\0m\0s\0\n", "ms\n", Encoding::Utf16Be);
        check(b"m\0s\0\n\0", "ms\n", Encoding::Utf16Le);
        check(b"\0m\0s\0\n", "ms\n", Encoding::Utf16Be);
        check("мс".as_bytes(), "мс", Encoding::Utf8);
    }

    #[test]
    fn parts_and_lines_are_found() {
        for (text, part, expected) in
            [("a: b", ": ", Some(1)), ("::: x", ": ", Some(2)), ("ab", "b: ", None), ("", "x", None)]
        {
            assert_eq!(find(text.as_bytes(), part.as_bytes()), expected);
        }
        assert_eq!((line_at(b"a\nbc\nd", 2), line_at(b"a", 1)), (&b"bc"[..], &b""[..]));
        assert_eq!((line_start(b"a\nbc", 3), line_start(b"a\nbc", 1)), (2, 0));
    }

    #[test]
    fn what_is_cut_or_unknown_still_reads() {
        check("ü 64 Byt\u{fc}".as_bytes().split_last().unwrap().1, "ü 64 Byt", Encoding::Utf8);
        check(b"1\r2\r", "1\n2\n", Encoding::Utf8);
        check(b"\x1b[32m64 bytes\x1b[0m\x1b[K \x1b7x", "64 bytes 7x", Encoding::Utf8);
        check(b"\xff\xfem\0\x00\xd8\n\0x", "m\u{fffd}\n", Encoding::Utf16Le);
    }
}

//! Files that are no traces, told by their first bytes, and what to do with each.

use crate::capture;
use crate::error::{ErrorKind, ImportError};
use crate::number::plural;

struct Magic {
    at: usize,
    bytes: &'static [u8],
    what: &'static str,
    /// Empty: there is nothing to do but open another file.
    advice: &'static str,
}

const fn magic(bytes: &'static [u8], what: &'static str, advice: &'static str) -> Magic {
    Magic { at: 0, bytes, what, advice }
}

const PICTURE: &str = "open the figures it was drawn from";
const UNPACK: &str = "unpack it first";
const SHEET: &str = "save the sheet as CSV";
const CONVERT: &str = "convert it with Wireshark's `editcap -F pcapng FILE NEW`";

/// Longer marks before shorter ones that begin alike.
const MAGIC: &[Magic] = &[
    magic(b"\x89PNG\r\n\x1a\n", "a PNG picture", PICTURE),
    magic(b"\xff\xd8\xff", "a JPEG picture", PICTURE),
    magic(b"GIF8", "a GIF picture", PICTURE),
    Magic { at: 8, bytes: b"WEBP", what: "a WebP picture", advice: PICTURE },
    magic(b"%PDF-", "a PDF document", "copy the figures out of it, or ask for them as CSV"),
    magic(b"BZh", "a bzip2 file", UNPACK),
    magic(b"\xfd7zXZ\0", "an xz file", UNPACK),
    magic(b"\x28\xb5\x2f\xfd", "a zstd file", UNPACK),
    magic(b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK),
    magic(b"\x04\x22\x4d\x18", "an lz4 file", UNPACK),
    magic(b"\x1f\x9d", "a file packed by compress", UNPACK),
    magic(b"snoop\0\0\0", "a capture of Sun's snoop", CONVERT),
    magic(b"GMBU", "a capture of Microsoft's Network Monitor", CONVERT),
    magic(b"RTSS", "a capture of Microsoft's Network Monitor", CONVERT),
    magic(b"XCP\0", "a capture of Sniffer for Windows", CONVERT),
    magic(b"TRSNIFF data", "a capture of Sniffer for DOS", CONVERT),
    magic(b"iptrace ", "a capture of AIX's iptrace", CONVERT),
    magic(b"TR\0d\0", "a capture of HP-UX's nettl", CONVERT),
    magic(b"\x7fver\0\0", "a capture of OmniPeek", CONVERT),
    magic(b"ObserverPktBuffe", "a capture of Observer", CONVERT),
    magic(b"\xaa\xaa\xaa\xaa", "a capture of 5View", CONVERT),
    magic(b"\x05VNF", "a capture of Visual Networks", CONVERT),
    magic(b"\x01\x10\x4c\0", "a capture of LANalyzer", CONVERT),
    magic(b"btsnoop\0", "a capture of Bluetooth", ""),
    magic(b"\xa1\xb2\xcd\x34", "a capture of an old, changed tcpdump", CONVERT),
    magic(b"\x1c\0\x01\xac", "a capture of Ixia", CONVERT),
    magic(b"\xac\x01\0\x1c", "a capture of Ixia", CONVERT),
    magic(b"RRD\0", "a round-robin database", "print it with rrdtool dump or rrdtool fetch"),
    magic(b"\x12\x05\x00", "a scamper warts file", "turn it into JSON with sc_warts2json"),
    magic(b"SQLite format 3\0", "an SQLite database", "export the table as CSV"),
    magic(b"PAR1", "a Parquet file", "export the table as CSV"),
    magic(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document", SHEET),
    magic(b"\0asm", "a WebAssembly module", ""),
    magic(b"\x7fELF", "a program", ""),
    magic(b"MZ\x90\0", "a program", ""),
    magic(b"PK\x03\x04", "a zip archive", UNPACK),
    magic(b"# HELP ", "what a Prometheus exporter says of one moment", "open the JSON of a range query"),
    magic(b"PK\x05\x06", "an empty zip archive", ""),
];

/// Names what cannot be a trace: known binary files, empty ones, bytes that are no text.
pub(crate) fn refuse(bytes: &[u8]) -> Result<(), ImportError> {
    if bytes.is_empty() {
        return Err(ImportError::new(ErrorKind::Empty, "The file is empty."));
    }
    if bytes.iter().all(|b| *b == 0) {
        let what = format!("The file holds nothing but zeros: {}.", plural(bytes.len() as u64, "byte"));
        return Err(ImportError::new(ErrorKind::Empty, what));
    }
    if let Some(m) = MAGIC.iter().find(|m| bytes.get(m.at..).is_some_and(|b| b.starts_with(m.bytes))) {
        let (what, advice) = if m.bytes == b"PK\x03\x04" { zip(bytes) } else { (m.what, m.advice) };
        let why = if advice == CONVERT { "which is not read" } else { "not a trace" };
        let error = ImportError::new(ErrorKind::Refused, format!("This is {what}, {why}."));
        return Err(if advice.is_empty() { error } else { error.advise(advice) });
    }
    let capture = capture::PCAP_MARKS.iter().chain(capture::PCAPNG_MARKS);
    if !capture.into_iter().any(|m| bytes.starts_with(m)) && crate::text::is_binary(bytes) {
        if is_erf(bytes) {
            let what = "This is a capture of an Endace card (ERF).";
            return Err(ImportError::new(ErrorKind::Refused, what).advise(CONVERT));
        }
        let what = "This is binary data of a kind that is not known here.";
        let error = ImportError::new(ErrorKind::Refused, what);
        return Err(error
            .advise("convert a capture with Wireshark's `editcap -F pcapng FILE NEW`")
            .advise("export it as text or CSV"));
    }
    Ok(())
}

/// ERF has no mark, but records that follow each other: seconds and their parts, a type, flags, its
/// length, losses, the length of the packet.
fn is_erf(bytes: &[u8]) -> bool {
    let (mut rest, mut last) = (bytes, 0);
    for _ in 0..3 {
        let &[_, _, _, _, a, b, c, d, kind, _, high, low, ..] = rest else { return rest.is_empty() };
        let seconds = u32::from_le_bytes([a, b, c, d]);
        let length = usize::from(u16::from_be_bytes([high, low]));
        let kind = kind & 0x7f;
        // What describes the capture may have no time.
        let timed = seconds >= 1 << 29 || (kind == 27 && seconds == 0);
        if !(1..=48).contains(&kind) || length < 18 || !timed || (seconds < last && seconds > 0) {
            return false;
        }
        last = last.max(seconds);
        let Some(next) = rest.get(length..) else { return false };
        rest = next;
    }
    true
}

/// A spreadsheet is a zip archive; the names of its members stand uncompressed.
fn zip(bytes: &[u8]) -> (&'static str, &'static str) {
    let head = &bytes[..bytes.len().min(1 << 16)];
    let holds = |name: &[u8]| crate::text::find(head, name).is_some();
    if holds(b"xl/") {
        ("an Excel workbook", SHEET)
    } else if holds(b"opendocument.spreadsheet") {
        ("an OpenDocument spreadsheet", SHEET)
    } else if holds(b"word/") {
        ("a Word document", "copy the figures into a text file")
    } else {
        ("a zip archive", UNPACK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        let error = refuse(bytes).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert!(!error.contains('\n'));
    }

    #[test]
    fn each_kind_is_named_with_what_to_do() {
        check(b"", "The file is empty: open another file");
        check(&[0; 9], "The file holds nothing but zeros: 9 bytes: open another");
        check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "This is a PNG picture, not a trace: open the figures");
        check(b"%PDF-1.7\n", "This is a PDF document, not a trace: copy the figures");
        check(
            b"PK\x03\x04\x14\0\0\0xl/workbook.xml",
            "This is an Excel workbook, not a trace: save the sheet",
        );
        check(b"PK\x03\x04\x14\0\0\0a.txt", "This is a zip archive, not a trace: unpack it first");
        check(b"RRD\x000003\0", "This is a round-robin database, not a trace: print it with rrdtool dump");
        check(b"\x12\x05\0\x01\0\0", "This is a scamper warts file, not a trace: turn it into JSON");
        check(
            b"snoop\0\0\0\0\0\0\x02",
            "This is a capture of Sun's snoop, which is not read: convert it with",
        );
        check(
            b"GMBU\0\x02\x01\0",
            "This is a capture of Microsoft's Network Monitor, which is not read: convert",
        );
        let record = |second: u8| [0, 0, 0, 0, second, 0, 0, 0x6a, 2, 4, 0, 18, 0, 0, 0, 60, 0, 0];
        check(
            &[record(1), record(1), record(2)].concat(),
            "This is a capture of an Endace card (ERF): convert",
        );
        check(&[record(2), record(1)].concat(), "This is binary data");
        check(b"SQLite format 3\0\x10", "This is an SQLite database, not a trace: export the table");
        check(b"\x01\x02\x03\xfe\x00\x00\x13\x80\x00\x07", "This is binary data");
    }

    #[test]
    fn text_is_not_refused() {
        for text in [&b"1\n2\n"[..], b"\xef\xbb\xbfrtt\n1\n", b"\xff\xfe1\0\n\0", b"1\x002\x00\n\x00", b"BYE"]
        {
            assert_eq!(refuse(text), Ok(()));
        }
    }
}

//! gzip (RFC 1952): opened wherever it occurs, within bounds.
//!
//! A file may have several members, one after the other, and may have been cut: what could be
//! unpacked is read. The largest ratio and size are bounded, so that a small file cannot fill the
//! memory.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use crate::error::{ErrorKind, ImportError};

const MAGIC: &[u8] = b"\x1f\x8b";
/// The most that is unpacked: 2 GB, as with files that are not packed.
const MOST: usize = 2_000_000_000;
/// Logs shrink by ten, endless equal lines by some hundreds. Small files may be anything.
const MOST_TIMES: usize = 400;
const SMALL: usize = 64 << 20;

/// What is inside, and whether it ended as it should.
#[derive(Debug)]
pub(crate) struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    pub(crate) whole: bool,
}

/// Unpacks a gzip file. `None`: it is none.
pub(crate) fn open(bytes: &[u8]) -> Result<Option<Unpacked>, ImportError> {
    if !bytes.starts_with(MAGIC) {
        return Ok(None);
    }
    let most = bytes.len().saturating_mul(MOST_TIMES).clamp(SMALL, MOST);
    let mut out = Unpacked { bytes: Vec::new(), whole: true };
    // Room that one member did not need is left to the next: there may be a hundred thousand.
    let (mut rest, mut filled) = (bytes, 0);
    while rest.starts_with(MAGIC) {
        let Some(start) = header(rest) else {
            out.whole = false;
            break;
        };
        let (used, ended) = member(&rest[start..], &mut out.bytes, &mut filled, most)?;
        rest = rest.get(start + used + 8..).unwrap_or_default();
        if !ended {
            out.whole = false;
            break;
        }
    }
    out.bytes.truncate(filled);
    if out.bytes.is_empty() {
        let what = if out.whole { "The gzip file holds nothing." } else { "The gzip file is damaged." };
        return Err(ImportError::new(ErrorKind::Empty, what));
    }
    Ok(Some(out))
}

/// The length of a member's header (section 2.3).
fn header(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.get(3)?;
    let mut at = 10;
    if flags & 4 != 0 {
        at += 2 + usize::from(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    }
    // A name and a comment, each ended by a zero.
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += bytes.get(at..)?.iter().position(|b| *b == 0)? + 1;
        }
    }
    at += if flags & 2 != 0 { 2 } else { 0 };
    (at < bytes.len()).then_some(at)
}

/// Unpacks one member behind the bytes that are filled. Says how many bytes it took, and whether it ended.
fn member(
    packed: &[u8],
    out: &mut Vec<u8>,
    filled: &mut usize,
    most: usize,
) -> Result<(usize, bool), ImportError> {
    let mut state = Box::<DecompressorOxide>::default();
    let start = *filled;
    let (mut read, mut written) = (0, 0);
    loop {
        let room = (packed.len() * 4).clamp(1 << 12, 1 << 24);
        if out.len() < start + written + room / 2 {
            if start + written >= most {
                let what = format!("The gzip file unpacks to more than {most} bytes.");
                let error = ImportError::new(ErrorKind::Refused, what);
                return Err(error.advise("unpack it and open a part"));
            }
            out.resize((start + written + room).min(most + (1 << 16)), 0);
        }
        let (status, used, made) = decompress(
            &mut state,
            &packed[read..],
            &mut out[start..],
            written,
            TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
        );
        read += used;
        written += made;
        if status != TINFLStatus::HasMoreOutput {
            *filled += written;
            return Ok((read, status == TINFLStatus::Done));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A member with its text stored and not packed (RFC 1951, section 3.2.4).
    fn stored(text: &[u8]) -> Vec<u8> {
        let length = u16::try_from(text.len()).unwrap();
        let mut out = b"\x1f\x8b\x08\x08\0\0\0\0\0\x03name\0\x01".to_vec();
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(text);
        out.extend([0; 8]);
        out
    }

    #[test]
    fn members_are_unpacked_one_after_the_other() {
        let two = [stored(b"one\n"), stored(b"two\n")].concat();
        let unpacked = open(&two).unwrap().unwrap();
        assert_eq!((&unpacked.bytes[..], unpacked.whole), (&b"one\ntwo\n"[..], true));
        let many = stored(b"a line\n").repeat(5_000);
        assert_eq!(open(&many).unwrap().unwrap().bytes, b"a line\n".repeat(5_000));
        assert!(open(b"text").unwrap().is_none());
    }

    #[test]
    fn what_is_cut_or_damaged_is_said() {
        let whole = stored(b"one\ntwo\n");
        for end in 2..whole.len() {
            if let Ok(unpacked) = open(&whole[..end]) {
                let Unpacked { bytes, whole } = unpacked.unwrap();
                assert!(b"one\ntwo\n".starts_with(&bytes) && (!whole || bytes.len() == 8));
            }
        }
        let damaged = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff";
        assert_eq!(open(damaged).unwrap_err().to_string(), "The gzip file is damaged: open another file");
    }

    #[test]
    fn a_bomb_is_refused() {
        // 300 MB of zeros.
        let packed = miniz_oxide::deflate::compress_to_vec(&vec![0; 300_000_000], 6);
        let bomb = [&b"\x1f\x8b\x08\0\0\0\0\0\0\x03"[..], &packed, &[0; 8]].concat();
        let error = open(&bomb).unwrap_err().to_string();
        assert!(error.starts_with("The gzip file unpacks to more than "), "{error}");
    }
}

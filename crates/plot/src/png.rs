//! The smallest PNG that shows one colour at 256 opacities.

use crate::theme::Rgb;
use miniz_oxide::deflate::compress_to_vec_zlib;

/// A PNG of one byte a pixel: an index into a palette of one colour, its opacity the index.
pub(crate) fn encode(width: usize, alpha: &[u8], colour: Rgb) -> Vec<u8> {
    let width = width.max(1);
    let height = alpha.len() / width;
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let size = |v: usize| u32::try_from(v).unwrap_or(u32::MAX).to_be_bytes();
    let header = [&size(width)[..], &size(height), &[8, 3, 0, 0, 0]].concat();
    chunk(&mut out, *b"IHDR", &header);
    chunk(&mut out, *b"PLTE", &[colour.0, colour.1, colour.2].repeat(256));
    chunk(&mut out, *b"tRNS", &(0..=255).collect::<Vec<u8>>());
    let mut rows = Vec::with_capacity(alpha.len() + height);
    for row in alpha.chunks_exact(width) {
        rows.push(0); // no filter
        rows.extend_from_slice(row);
    }
    chunk(&mut out, *b"IDAT", &compress_to_vec_zlib(&rows, 6));
    chunk(&mut out, *b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    out.extend_from_slice(&u32::try_from(data.len()).unwrap_or(0).to_be_bytes());
    let start = out.len();
    out.extend_from_slice(&kind);
    out.extend_from_slice(data);
    let sum = crc(&out[start..]);
    out.extend_from_slice(&sum.to_be_bytes());
}

/// CRC-32 as in PNG, annex D.
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_carry_their_sums() {
        assert_eq!(crc(b"IEND"), 0xAE42_6082);
        let png = encode(2, &[0, 255, 128, 7], Rgb(1, 2, 3));
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(&png[16..26], [0, 0, 0, 2, 0, 0, 0, 2, 8, 3]);
        assert!(png.ends_with(&[0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xAE, 0x42, 0x60, 0x82]));
    }
}

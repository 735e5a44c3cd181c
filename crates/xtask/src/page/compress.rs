//! Compressed copies, for hosts that send them.

use std::num::NonZeroU64;

use anyhow::Result;

/// The endings of files that compress well. Fonts and pictures are compressed already.
const TEXTUAL: [&str; 9] = ["css", "csv", "html", "js", "json", "md", "svg", "txt", "wasm"];

/// More rounds of gzip would save some fifty octets of half a million.
const ROUNDS: NonZeroU64 = NonZeroU64::new(5).expect("five is not zero");

/// A file's compressed copies; `None` where a copy would save nothing.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    pub(crate) brotli: Option<Vec<u8>>,
    pub(crate) gzip: Option<Vec<u8>>,
}

pub(super) fn copies(name: &str, bytes: &[u8]) -> Result<Copies> {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if !TEXTUAL.contains(&ending) {
        return Ok(Copies::default());
    }
    let smaller = |copy: Vec<u8>| Some(copy).filter(|copy| copy.len() < bytes.len());
    Ok(Copies { brotli: smaller(brotli(bytes)?), gzip: smaller(gzip(bytes)?) })
}

fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut copy = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 24, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut copy, &parameters)?;
    Ok(copy)
}

/// A twentieth smaller than gzip at its usual best. The copy depends on the content alone: it has no name
/// and no time.
fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut copy = Vec::new();
    let options = zopfli::Options { iteration_count: ROUNDS, ..Default::default() };
    zopfli::compress(options, zopfli::Format::Gzip, bytes, &mut copy)?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn copies_unpack_to_the_original() {
        let text = "a line that comes again\n".repeat(200);
        let copies = copies("a.css", text.as_bytes()).unwrap();
        let mut gzip = String::new();
        flate2::read::GzDecoder::new(&copies.gzip.unwrap()[..]).read_to_string(&mut gzip).unwrap();
        let mut brotli = Vec::new();
        brotli::BrotliDecompress(&mut &copies.brotli.unwrap()[..], &mut brotli).unwrap();
        assert_eq!((gzip.as_bytes(), &brotli[..]), (text.as_bytes(), text.as_bytes()));
    }

    #[test]
    fn what_would_not_shrink_has_no_copy() {
        let check = |name, bytes| {
            let copies = copies(name, bytes).unwrap();
            assert!(copies.gzip.is_none() && copies.brotli.is_none(), "{name}");
        };
        check("a.woff2", &[0; 1000]);
        check("a.css", b"a");
        check("LICENSE", &[0; 1000]);
    }
}

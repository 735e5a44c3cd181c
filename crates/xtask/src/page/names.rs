//! Names made of contents: `www/netspurt.css` becomes `netspurt-0123456789.css`.

use std::fmt::Write as _;

use netspurt_serve::HASH_DIGITS;
use sha2::{Digest as _, Sha256};

/// The last part of `path`, with the start of its content's SHA-256 before the extension.
pub(super) fn hashed(path: &str, bytes: &[u8]) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = file.rsplit_once('.').unwrap_or((file, "bin"));
    let mut hash = String::new();
    for byte in &Sha256::digest(bytes)[..HASH_DIGITS / 2] {
        // Writing to a string cannot fail.
        let _ = write!(hash, "{byte:02x}");
    }
    format!("{stem}-{hash}.{extension}")
}

#[cfg(test)]
mod tests {
    use super::hashed;

    #[test]
    fn the_server_knows_a_hashed_name() {
        let name = hashed("www/fonts/stix-two-text-400.woff2", b"abc");
        assert_eq!(name, "stix-two-text-400-ba7816bf8f.woff2");
        assert!(netspurt_serve::is_hashed(&name));
    }
}

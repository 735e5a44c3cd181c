//! Digests: of a result's numbers, bit for bit, and of a file's bytes.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// SHA-256 in hexadecimal, 64 characters.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Collects names and numbers; equal digests mean equal bits.
#[derive(Debug, Clone, Default)]
pub struct NumberDigest(Sha256);

impl NumberDigest {
    pub fn number(&mut self, value: f64) {
        // All NaN are one value here: their payloads differ between machines.
        let bits = if value.is_nan() { u64::MAX } else { value.to_bits() };
        self.0.update(bits.to_le_bytes());
    }

    pub fn numbers(&mut self, values: impl IntoIterator<Item = f64>) {
        values.into_iter().for_each(|v| self.number(v));
    }

    /// A name, with its length, so that names cannot run into each other.
    pub fn text(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    /// The first 8 octets in hexadecimal, in groups of four: `7c2a-41d0-93be-0f15`.
    pub fn finish(self) -> String {
        let hex = hex(&self.0.finalize()[..8]);
        [&hex[..4], &hex[4..8], &hex[8..12], &hex[12..]].join("-")
    }
}

/// Octets in hexadecimal, two lower-case digits each.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut s, b| {
        // Writing to a string cannot fail.
        let _ = write!(s, "{b:02x}");
        s
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_makes_another_digest() {
        let of = |values: &[f64]| {
            let mut d = NumberDigest::default();
            d.numbers(values.iter().copied());
            d.finish()
        };
        assert_ne!(of(&[1.0]), of(&[1.0 + f64::EPSILON]));
        assert_eq!(of(&[f64::NAN]), of(&[-f64::NAN]));
        assert_eq!(of(&[1.0]).len(), 19);
    }

    #[test]
    fn sha256_of_nothing() {
        assert!(sha256_hex(b"").starts_with("e3b0c44298fc1c14"));
    }
}

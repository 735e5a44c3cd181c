//! Whole numbers as bits, most significant first.
//!
//! ```text
//! unsigned  Elias gamma of n + 1: as many zeros as n + 1 has bits after its first, then n + 1
//! signed    0, -1, 1, -2, … as unsigned 0, 1, 2, 3, …
//! rice(k)   n >> k ones and a zero, then the low k bits; from ESCAPE ones on, n itself, unsigned
//! ```

/// So many ones in a row mean that the number follows in full: one spike must not cost a thousand
/// bits.
const ESCAPE: u64 = 20;

#[derive(Debug, Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    /// Bits in the last byte that are taken, 0 where it is full.
    used: u32,
}

impl Writer {
    pub(super) fn bit(&mut self, bit: bool) {
        if self.used == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (7 - self.used);
        }
        self.used = (self.used + 1) % 8;
    }

    /// The low `count` bits of a number.
    pub(super) fn bits(&mut self, value: u64, count: u32) {
        for i in (0..count).rev() {
            self.bit(value >> i & 1 == 1);
        }
    }

    /// A number below 2⁶⁴ − 1.
    pub(super) fn unsigned(&mut self, value: u64) {
        let value = value.saturating_add(1);
        let more = value.ilog2();
        self.bits(0, more);
        self.bits(value, more + 1);
    }

    pub(super) fn signed(&mut self, value: i64) {
        self.unsigned(zigzag(value));
    }

    pub(super) fn rice(&mut self, value: u64, k: u32) {
        let ones = value >> k;
        if ones >= ESCAPE {
            self.bits(u64::MAX, 20);
            self.unsigned(value);
            return;
        }
        for _ in 0..ones {
            self.bit(true);
        }
        self.bit(false);
        self.bits(value, k);
    }

    /// The bits, filled up with zeros to whole octets.
    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// How many bits [`Writer::unsigned`] takes.
fn unsigned_cost(value: u64) -> u64 {
    2 * u64::from(value.saturating_add(1).ilog2()) + 1
}

/// How many bits [`Writer::rice`] takes.
pub(super) fn rice_cost(value: u64, k: u32) -> u64 {
    let ones = value >> k;
    if ones >= ESCAPE { ESCAPE + unsigned_cost(value) } else { ones + 1 + u64::from(k) }
}

pub(super) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

#[derive(Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// `None` wherever the bits have run out, or no writer writes such.
impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn bit(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.at / 8)?;
        let bit = byte >> (7 - self.at % 8) & 1 == 1;
        self.at += 1;
        Some(bit)
    }

    pub(super) fn bits(&mut self, count: u32) -> Option<u64> {
        (0..count).try_fold(0, |value, _| Some(value << 1 | u64::from(self.bit()?)))
    }

    pub(super) fn unsigned(&mut self) -> Option<u64> {
        let mut more = 0;
        while !self.bit()? {
            more += 1;
            if more > 63 {
                return None;
            }
        }
        let low = self.bits(more)?;
        Some((1 << more | low) - 1)
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        self.unsigned().map(unzigzag)
    }

    pub(super) fn rice(&mut self, k: u32) -> Option<u64> {
        let mut ones = 0;
        while self.bit()? {
            ones += 1;
            if ones == ESCAPE {
                return self.unsigned();
            }
        }
        Some(ones << k | self.bits(k)?)
    }

    /// A signed number written as the zigzag of itself by [`Writer::rice`] or [`Writer::bits`].
    pub(super) fn series_value(&mut self, rice: bool, k: u32) -> Option<i64> {
        let value = if rice { self.rice(k) } else { self.bits(k) }?;
        Some(unzigzag(value))
    }

    /// Whether nothing but the filling zeros of the last octet is left.
    pub(super) fn is_spent(&mut self) -> bool {
        self.bytes.len() == self.at.div_ceil(8) && std::iter::from_fn(|| self.bit()).all(|bit| !bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(
            values in prop::collection::vec((any::<i64>(), 0_u32..40, 0_u64..1 << 62), 0..40),
        ) {
            let mut w = Writer::default();
            let mut cost = 0;
            for (signed, k, n) in &values {
                let n = n >> (k % 50);
                w.signed(signed >> 2);
                w.rice(n, *k);
                w.bits(n, 62);
                cost += unsigned_cost(zigzag(signed >> 2)) + rice_cost(n, *k) + 62;
            }
            let bytes = w.finish();
            prop_assert_eq!(bytes.len() as u64, cost.div_ceil(8));
            let mut r = Reader::new(&bytes);
            for (signed, k, n) in &values {
                let n = n >> (k % 50);
                prop_assert_eq!(r.signed(), Some(signed >> 2));
                prop_assert_eq!(r.rice(*k), Some(n));
                prop_assert_eq!(r.bits(62), Some(n));
            }
            prop_assert!(r.is_spent());
        }

        #[test]
        fn any_bits_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..40), k in 0_u32..40) {
            let mut r = Reader::new(&bytes);
            while r.unsigned().is_some() && r.rice(k).is_some() {}
        }
    }
}

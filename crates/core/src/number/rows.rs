//! Rows of plain numbers in a text, read in one pass over its bytes: most rows of most tables.

use super::POWERS;

/// What a column is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Delay,
    Time,
    Octets,
    Seq,
    Nothing,
}

/// How rows are read.
#[derive(Debug)]
pub struct Rows {
    separator: u8,
    decimal: u8,
    uses: Vec<Use>,
    /// Nanoseconds in a unit of the time column, as a power of ten.
    ns: usize,
}

/// The values of a row; of a column that the table lacks 0.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Values {
    /// In the unit of its column, from 0 up.
    delay: f64,
    /// Nanoseconds.
    time: i64,
    octets: u32,
    seq: u64,
}

/// Rows that follow each other, as columns; of those that the table lacks the values are 0.
#[derive(Debug)]
pub struct Batch {
    /// How many rows there are.
    pub rows: usize,
    /// In the unit of their column, from 0 up.
    pub delays: [f64; Self::ROOM],
    /// Nanoseconds.
    pub times: [i64; Self::ROOM],
    pub octets: [u32; Self::ROOM],
    pub seqs: [u64; Self::ROOM],
    /// Where the row behind each begins.
    pub ends: [usize; Self::ROOM],
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            rows: 0,
            delays: [0.0; Self::ROOM],
            times: [0; Self::ROOM],
            octets: [0; Self::ROOM],
            seqs: [0; Self::ROOM],
            ends: [0; Self::ROOM],
        }
    }
}

impl Batch {
    /// How many rows have room.
    pub const ROOM: usize = 256;
}

/// A number without a sign, of at most 18 digits.
struct Number {
    /// Its digits before the decimal mark, and all of them.
    whole: u64,
    digits: u64,
    decimals: usize,
}

impl Rows {
    /// `uses` has one a column, `ns` is how many nanoseconds a unit of time has, as a power of ten. `None`
    /// where there are no columns, or one mark would mean two things, or the power is more than nine.
    pub fn new(separator: u8, decimal: u8, uses: Vec<Use>, ns: usize) -> Option<Self> {
        let fits = separator != decimal && !uses.is_empty() && ns < TENS.len();
        fits.then_some(Self { separator, decimal, uses, ns })
    }

    /// Reads as many rows as there is room for, from the one that begins at `at`. The first that has
    /// something else in it than plain numbers ends it.
    #[inline(never)]
    pub fn read(&self, text: &[u8], mut at: usize, batch: &mut Batch) {
        batch.rows = 0;
        while batch.rows < Batch::ROOM
            && let Some((values, next)) = self.row(text, at)
        {
            batch.delays[batch.rows] = values.delay;
            batch.times[batch.rows] = values.time;
            batch.octets[batch.rows] = values.octets;
            batch.seqs[batch.rows] = values.seq;
            batch.ends[batch.rows] = next;
            batch.rows += 1;
            at = next;
        }
    }

    /// Reads the row that begins at `at`, and says where the next begins. `None`: it has something
    /// else in it than plain numbers, if only a blank.
    #[inline]
    fn row(&self, text: &[u8], mut at: usize) -> Option<(Values, usize)> {
        let mut values = Values::default();
        let last = self.uses.len() - 1;
        for (i, of) in self.uses.iter().enumerate() {
            if *of == Use::Nothing {
                at = self.skip(text, at, i == 0)?;
            } else {
                let (number, end) = self.number(text, at)?;
                at = end;
                match of {
                    // Exact on both sides, so that the quotient is correctly rounded.
                    Use::Delay if number.digits < 1_000_000_000_000_000 => {
                        values.delay = number.digits as f64 / POWERS.get(number.decimals)?;
                    }
                    Use::Delay => return None,
                    Use::Time => values.time = number.nanoseconds(self.ns)?,
                    _ if number.decimals > 0 => return None,
                    Use::Octets => {
                        values.octets = u32::try_from(number.digits).ok().filter(|n| *n < 1_000_000_000)?;
                    }
                    _ => values.seq = number.digits,
                }
            }
            match text.get(at) {
                Some(b) if *b == self.separator && i < last => at += 1,
                None | Some(b'\n') if i == last => {}
                Some(b'\r') if i == last && text.get(at + 1) == Some(&b'\n') => at += 1,
                _ => return None,
            }
        }
        Some((values, at + 1))
    }

    /// The number at `at`, and where it ends.
    #[expect(clippy::inline_always, reason = "it runs for every value of a row")]
    #[inline(always)]
    fn number(&self, text: &[u8], at: usize) -> Option<(Number, usize)> {
        let (whole, mut length) = digits(text, at, 0);
        let (mut all, mut decimals, mut end) = (whole, 0, at + length);
        if length > 0 && text.get(end) == Some(&self.decimal) {
            (all, decimals) = digits(text, end + 1, whole);
            end += 1 + decimals;
            length += decimals;
        }
        (1..=18).contains(&length).then_some((Number { whole, digits: all, decimals }, end))
    }

    /// Where the value at `at` ends, which is of no use.
    #[expect(clippy::inline_always, reason = "it runs for every value of a row")]
    #[inline(always)]
    fn skip(&self, text: &[u8], at: usize, first: bool) -> Option<usize> {
        let rest = text.get(at..)?;
        let ends = |b: &u8| *b == self.separator || matches!(b, b'\n' | b'\r' | b'"');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        // A remark, a blank line, a value that may go on behind its line.
        let odd = first && (length == 0 || matches!(rest[0], b'#' | b' ' | b'\t'));
        (!odd && rest.get(length) != Some(&b'"')).then_some(at + length)
    }
}

/// The digits at `at`, put behind those of `before`, and how many they are. Of more than 18 in all the number
/// is wrong.
#[expect(clippy::inline_always, reason = "it runs for every value of a row")]
#[inline(always)]
fn digits(text: &[u8], mut at: usize, before: u64) -> (u64, usize) {
    let (start, mut number) = (at, before);
    // Eight at a time: the number of eight digits is put together in three steps, from neighbours.
    while let Some(eight) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let values = u64::from_le_bytes(*eight) ^ 0x3030_3030_3030_3030;
        let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
        let n = others.trailing_zeros() as usize / 8;
        if n == 0 {
            return (number, at - start);
        }
        // The digits come last, behind zeros.
        let values = values << (64 - 8 * n);
        let pairs = values.wrapping_mul(10).wrapping_add(values >> 8);
        let low = (pairs & 0xff_0000_00ff).wrapping_mul((1_000_000 << 32) + 100);
        let high = ((pairs >> 16) & 0xff_0000_00ff).wrapping_mul((10_000 << 32) + 1);
        number = number.wrapping_mul(TENS[n]).wrapping_add(low.wrapping_add(high) >> 32);
        at += n;
        if n < 8 {
            return (number, at - start);
        }
    }
    // Near the end of the text.
    while let Some(b @ b'0'..=b'9') = text.get(at) {
        number = number.wrapping_mul(10).wrapping_add(u64::from(b - b'0'));
        at += 1;
    }
    (number, at - start)
}

/// Powers of ten.
const TENS: [u64; 10] =
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

impl Number {
    /// Where one unit is ten to the power of `ns` nanoseconds. What is smaller than one is dropped.
    fn nanoseconds(&self, ns: usize) -> Option<i64> {
        let part = self.digits.checked_sub(self.whole.checked_mul(*TENS.get(self.decimals)?)?)?;
        let part = match ns.checked_sub(self.decimals) {
            Some(power) => part * TENS[power],
            None => part / TENS[self.decimals - ns],
        };
        let whole = self.whole.cast_signed().checked_mul(TENS[ns].cast_signed())?;
        whole.checked_add(part.cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: Option<(f64, i64, u32, u64, usize)>) {
        let uses = vec![Use::Seq, Use::Time, Use::Octets, Use::Delay, Use::Nothing];
        let mut batch = Batch::default();
        Rows::new(b',', b'.', uses, 9).unwrap().read(text.as_bytes(), 0, &mut batch);
        let Batch { rows, delays, times, octets, seqs, ends } = batch;
        let got = (rows > 0).then(|| (delays[0], times[0], octets[0], seqs[0], ends[0]));
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn rows_are_read_up_to_the_first_that_is_not_plain() {
        let mut batch = Batch::default();
        let rows = Rows::new(b';', b',', vec![Use::Delay], 0).unwrap();
        rows.read(b"1,5\n2\n-3\n4\n", 0, &mut batch);
        assert_eq!((batch.rows, &batch.delays[..2], &batch.ends[..2]), (2, &[1.5, 2.0][..], &[4, 6][..]));
        rows.read("7\n".repeat(300).as_bytes(), 0, &mut batch);
        assert_eq!((batch.rows, batch.ends[255]), (256, 512));
        rows.read(b"7", 5, &mut batch);
        assert_eq!(batch.rows, 0);
        for (separator, decimal, uses, ns) in
            [(b',', b',', vec![Use::Delay], 0), (b';', b',', vec![], 0), (b';', b',', vec![Use::Time], 10)]
        {
            assert!(Rows::new(separator, decimal, uses, ns).is_none());
        }
    }

    proptest! {
        #[test]
        fn digits_are_read_eight_at_a_time_as_one_by_one(text in "[0-9]{0,18}([^0-9].{0,12})?", before in 0..10_u64) {
            let length = text.bytes().take_while(u8::is_ascii_digit).count();
            let number = text[..length].bytes().fold(before, |n, b| n.wrapping_mul(10).wrapping_add(u64::from(b - b'0')));
            prop_assert_eq!(digits(text.as_bytes(), 0, before), (number, length));
        }
    }

    #[test]
    fn a_row_of_plain_numbers_is_read_and_any_other_is_not() {
        let expected = (21.5, 1_796_034_244_814_461_000, 64, 7, 32);
        check("7,1796034244.814461,64,21.5,a b\n9", Some(expected));
        check("7,1796034244.814461,64,21.5,a b", Some(expected));
        check("7,1796034244.814461,64,21.5,a b\r\n9", Some((21.5, 1_796_034_244_814_461_000, 64, 7, 33)));
        check("7,0.5,64,0,\n", Some((0.0, 500_000_000, 64, 7, 12)));
        for text in [
            "7,0.5,64,21.5\n",
            "7,0.5,64,21.5,a,b\n",
            "7,0.5,64,,a\n",
            "7,0.5,64,-1,a\n",
            "7,0.5,64,<1,a\n",
            "7,0.5,64,21.5 ms,a\n",
            "7,0.5, 64,21.5,a\n",
            "7.0,0.5,64,21.5,a\n",
            "7,0.5,64,21.5,\"a\n",
            "7,0.5,64,1234567890123456,a\n",
            "7,12345678901234.5,64,1,a\n",
            "7,0.5,64,0.0000000000000001,a\n",
            "7,0.5,4000000000,1,a\n",
            "\n",
            "",
        ] {
            check(text, None);
        }
    }
}

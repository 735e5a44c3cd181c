//! Decimals as text.

pub mod rows;

use lexical_parse_float::FromLexical as _;

/// What a plain decimal says, to the last bit as `str::parse` reads it: digits, with a point, a sign
/// and an exponent at most (`-1.5e3`). `None`: something else, or more than a number holds.
///
/// The standard library's reader would bring a table of ten kilobytes to the page's first load.
pub fn decimal(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
    f64::from_lexical(text.as_bytes()).ok().filter(|v| is_plain && v.is_finite())
}

/// Powers of ten that are exact: one division by one of them rounds correctly.
pub const POWERS: [f64; 16] =
    [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The standard library agrees.
    fn check(text: &str) {
        let expected = text.parse::<f64>().ok().filter(|v| v.is_finite());
        assert_eq!(decimal(text).map(f64::to_bits), expected.map(f64::to_bits), "{text}");
    }

    #[test]
    fn the_standard_reader_agrees_at_the_edges() {
        for text in [
            "",
            "0",
            "-0",
            "+1",
            "1.",
            ".5",
            ".",
            "-",
            "e5",
            "1e",
            "1e+",
            "1e5",
            "1E-5",
            "--1",
            "1 ",
            " 1",
            "1_0",
            "0x1",
            "15/16",
            "007",
            "1e308",
            "1e309",
            "-1e309",
            "1e-400",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "9007199254740993",
            "9007199254740992.5",
            "123456789012345678901234567890",
            "0.1000000000000000055511151231257827021181583404541015625",
        ] {
            check(text);
        }
        assert_eq!(["inf", "NaN", "infinity", "-inf"].map(decimal), [None; 4]);
    }

    proptest! {
        #[test]
        fn the_standard_reader_agrees(text in "[-+]?[0-9]{0,25}[.]?[0-9]{0,25}([eE][-+]?[0-9]{0,3})?") {
            check(&text);
        }

        #[test]
        fn what_was_printed_is_read(value: f64) {
            check(&value.to_string());
            check(&format!("{value:e}"));
        }
    }
}

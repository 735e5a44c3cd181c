//! Which part of a file is read, and how a document writes that down.

use std::fmt;
use std::str::FromStr;

/// Which of the parts inside a file make up its trace. Written `usual`, `all`, or a number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// All targets and runs; of hops the destination; of series the first that was measured; of a
    /// capture its echo pairs.
    #[default]
    Usual,
    All,
    /// The part of this index in [`crate::Import::parts`].
    One(usize),
}

impl Choice {
    pub(crate) fn takes(self, index: usize, usual: bool) -> bool {
        match self {
            Self::Usual => usual,
            Self::All => true,
            Self::One(n) => n == index,
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usual => f.write_str("usual"),
            Self::All => f.write_str("all"),
            Self::One(n) => write!(f, "{}", n.saturating_add(1)),
        }
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "usual" => Ok(Self::Usual),
            "all" => Ok(Self::All),
            _ => match text.parse::<usize>() {
                Ok(n) if n > 0 => Ok(Self::One(n - 1)),
                _ => Err(format!("“{text}” is no choice: write usual, all, or the number of a part")),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_printed_and_parsed() {
        for choice in [Choice::Usual, Choice::All, Choice::One(0), Choice::One(41)] {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        for wrong in ["", "0", "-1", "first"] {
            assert!(wrong.parse::<Choice>().is_err(), "{wrong}");
        }
    }
}

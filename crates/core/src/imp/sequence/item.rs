//! Items of a run: what arrives next, as text.
//!
//! ```text
//! item    = ("dst MSG " number / "src RFNM " number / "src ALL " number
//!           / "dst HOST" / "src PAUSE" / "src RESUME") [" @" source]
//! ```
//!
//! Where no source is named it is 0; the host takes whatever is first in its queue.

use crate::imp::{Message, Pdu};
use std::fmt;

/// One thing that happens to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// A PDU arrives where it was sent to.
    Arrives(Pdu, Message),
    /// The host takes the first message of its queue; of this source, if one is named.
    Host(Option<u32>),
    /// A source sends no new messages until it resumes.
    Pause(u32),
    Resume(u32),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = match *self {
            Self::Arrives(pdu, message) => {
                write!(f, "{} {} {}", pdu.to().name(), pdu.name(), message.number)?;
                message.source
            }
            Self::Host(source) => {
                f.write_str("dst HOST")?;
                return source.map_or(Ok(()), |s| write!(f, " @{s}"));
            }
            Self::Pause(source) => f.write_str("src PAUSE").map(|()| source)?,
            Self::Resume(source) => f.write_str("src RESUME").map(|()| source)?,
        };
        if source == 0 { Ok(()) } else { write!(f, " @{source}") }
    }
}

/// A text that is no item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAnItem {
    pub text: String,
}

impl fmt::Display for NotAnItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is not an item; there are \"dst MSG 1\", \"src RFNM 0\", \"src ALL 1\", \"dst HOST\", \"src PAUSE\" and \"src RESUME\", each with @1 behind it for source 1",
            self.text
        )
    }
}

impl std::error::Error for NotAnItem {}

impl std::str::FromStr for Item {
    type Err = NotAnItem;

    fn from_str(text: &str) -> Result<Self, NotAnItem> {
        read(text).ok_or_else(|| NotAnItem { text: text.to_owned() })
    }
}

fn read(text: &str) -> Option<Item> {
    let (rest, named) = match text.split_once('@') {
        Some((rest, source)) => (rest, Some(number(source.trim())?)),
        None => (text, None),
    };
    let source = named.unwrap_or(0);
    let words: Vec<&str> = rest.split_whitespace().collect();
    let arrives = |pdu, k: &str| Some(Item::Arrives(pdu, Message { source, number: number(k)? }));
    match words.as_slice() {
        ["dst", "MSG", k] => arrives(Pdu::Msg, k),
        ["src", "RFNM", k] => arrives(Pdu::Rfnm, k),
        ["src", "ALL", k] => arrives(Pdu::All, k),
        ["dst", "HOST"] => Some(Item::Host(named)),
        ["src", "PAUSE"] => Some(Item::Pause(source)),
        ["src", "RESUME"] => Some(Item::Resume(source)),
        _ => None,
    }
}

/// Digits alone: no sign.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_and_printed_back() {
        for text in [
            "dst MSG 1",
            "src RFNM 0",
            "src ALL 1 @2",
            "dst HOST",
            "dst HOST @0",
            "dst HOST @1",
            "src PAUSE",
            "src RESUME @1",
        ] {
            assert_eq!(text.parse::<Item>().unwrap().to_string(), text);
        }
        assert_eq!(" dst  MSG 1@0 ".parse::<Item>().unwrap().to_string(), "dst MSG 1");
    }

    #[test]
    fn what_is_no_item_is_refused() {
        for text in [
            "",
            "dst",
            "src MSG 1",
            "dst MSG",
            "dst MSG -1",
            "dst MSG 1 @",
            "dst HOST 1",
            "dst MSG 9999999999",
        ] {
            assert!(text.parse::<Item>().unwrap_err().to_string().starts_with(&format!("{text:?} is not")));
        }
    }
}

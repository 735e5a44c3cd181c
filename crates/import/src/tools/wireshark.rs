//! The packet list of Wireshark: what tshark prints, and what the program exports as text or CSV.
//!
//! ```text
//!     1   0.000000 192.0.2.2 → 192.0.2.10 ICMP 98 Echo (ping) request  id=0x04ca, seq=1/256, ttl=64
//!     2   0.026299 192.0.2.10 → 192.0.2.2 ICMP 98 Echo (ping) reply    id=0x04ca, seq=1/256, ttl=57 (request in 1)
//! "3","1.000899","192.0.2.2","192.0.2.10","ICMP","98","Echo (ping) request  id=0x04ca, seq=2/512, ttl=64"
//! ```
//!
//! Before the text of a packet stand its number, time, source, destination, protocol and length. The
//! time counts from the first packet or is one with a date (`-t ad`), since 1970 (`-t e`) or of day;
//! the length is that of the whole frame. A sequence number stands in both orders of its octets, of
//! which the first is the usual one. Source: Wireshark's ICMP dissectors, and tshark 4's output.

use super::echoes::{Echo, Echoes};
use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::number::{integer, nanoseconds};
use crate::text::{behind, find, words};
use crate::when::{self, Stamps};

pub(crate) const ID: &str = "wireshark-text";

pub(crate) const SIGNS: &[&str] = &["*Echo (ping) re*id=0x*, seq=#*"];

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut echoes = Echoes::new(ID);
    let mut stamps = Stamps::default();
    input.each_line(&mut |_, line| {
        let Some((time, echo)) = echo(line) else { return };
        let since_the_first = || nanoseconds(&time, b'.', 1_000_000_000);
        let at = when::of_any_form(&time).map_or_else(since_the_first, |when| stamps.add(when));
        if let Some(at) = at {
            echoes.add(at, &echo);
        }
    })?;
    let none = "This is Wireshark's list of packets, without times or without ICMP echoes.";
    echoes.import(stamps.dated(), none, options)
}

/// An echo and its time.
fn echo(line: &[u8]) -> Option<(Vec<u8>, Echo<'_>)> {
    let at = find(line, b"Echo (ping) re")?;
    let text = &line[at..];
    let before = line[..at].trim_ascii();
    let cells: Vec<&[u8]> = if before.ends_with(b"\"") {
        before.split(|b| *b == b'"').filter(|cell| !matches!(cell.trim_ascii(), b"" | b"," | b";")).collect()
    } else {
        words(before).filter(|word| !matches!(*word, b"->" | b"\xe2\x86\x92")).collect()
    };
    let [_, time @ .., from, to, _protocol, octets] = &cells[..] else { return None };
    let id = behind(text, "id=0x")?;
    let digits = id.iter().take_while(|b| b.is_ascii_hexdigit()).count().min(8);
    let id =
        id[..digits].iter().fold(0, |id, b| id * 16 + u64::from(char::from(*b).to_digit(16).unwrap_or(0)));
    let (seq, _) = integer(behind(text, "seq=")?)?;
    let octets = integer(octets).and_then(|(n, _)| u32::try_from(n).ok());
    // A date and a time of day are two words.
    let time = time.join(&b' ');
    Some((time, Echo { request: text.starts_with(b"Echo (ping) request"), from, to, id, seq, octets }))
}

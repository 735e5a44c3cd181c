//! What tcpdump prints of ICMP echoes: requests and replies, each with its time.
//!
//! ```text
//! 10:24:04.123456 IP 198.51.100.1 > 192.0.2.10: ICMP echo request, id 4316, seq 1, length 64
//! 10:24:04.143612 IP 192.0.2.10 > 198.51.100.1: ICMP echo reply, id 4316, seq 1, length 64
//! 1796034244.123456 IP6 2001:db8::1 > 2001:db8::a: ICMP6, echo request, seq 1, length 64
//! ```
//!
//! A delay is the difference of two times: of day (`-t` left out), since 1970 (`-tt`), with a date
//! (`-tttt`), since the first packet (`-ttttt`) or the one before (`-ttt`). The length is that of
//! the ICMP packet. Source: tcpdump's code and its test outputs.

use super::echoes::{Echo, Echoes};
use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::content;
use crate::number::integer;
use crate::text::{behind, find};
use crate::when::{Since, Stamps};

pub(crate) const ID: &str = "tcpdump-text";

pub(crate) const SIGNS: &[&str] = &[
    "* > *: ICMP echo re*, id #, seq #, length #*",
    "* > *: *ICMP6, echo re*seq #*",
    "*IP * > *: Flags [*], *",
    "*IP6 * > *: Flags [*], *",
];

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut echoes = Echoes::new(ID);
    let mut stamps = Stamps::default();
    // With -ttt times count from the packet before: they begin with none, and do not grow.
    let (mut last, mut falls, mut steps) = (None, 0_u64, 0_u64);
    input.each_line(&mut |_, raw| {
        if let Some(when) = content(raw).0.filter(|w| w.since == Since::Midnight) {
            falls += u64::from(last.is_some_and(|(first, last)| first == 0 && when.ns < last));
            steps += 1;
            last = Some((last.map_or(when.ns, |(first, _)| first), when.ns));
        }
    })?;
    // One packet may stand before its turn.
    let since_last = falls > 0 && falls * 4 >= steps;
    let mut at = None;
    input.each_line(&mut |_, raw| {
        let (when, line) = content(raw);
        if let Some(when) = when {
            at =
                if since_last { Some(at.unwrap_or(0_i64).saturating_add(when.ns)) } else { stamps.add(when) };
        }
        // With -v the addresses stand on the line behind the time.
        if let (Some(at), Some(echo)) = (at, echo(line)) {
            echoes.add(at, &echo);
        }
    })?;
    let none = "This is what tcpdump prints, without times or without ICMP echoes.";
    echoes.import(stamps.dated(), none, options)
}

fn echo(line: &[u8]) -> Option<Echo<'_>> {
    let at = find(line, b"echo re")?;
    let request = line[at..].starts_with(b"echo request");
    if !request && !line[at..].starts_with(b"echo reply") {
        return None;
    }
    let ends = &line[..at];
    // With -e addresses of the hardware stand before.
    let arrow = ends.windows(3).rposition(|w| w == b" > ")?;
    let from = ends[..arrow].rsplit(|b| *b == b' ').next()?;
    let to = ends[arrow + 3..].split(|b| *b == b' ').next()?.strip_suffix(b":")?;
    let field = |name: &str| integer(behind(&line[at..], name)?).map(|(n, _)| n);
    Some(Echo {
        request,
        from,
        to,
        id: field(" id ").unwrap_or(0),
        seq: field(" seq ")?,
        octets: field(" length ").and_then(|n| u32::try_from(n).ok()),
    })
}

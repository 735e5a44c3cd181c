//! Logs of `ss -ti` (iproute2), one snapshot after the other.
//!
//! ```text
//! == 1796034348.309221995                                  any line with a time before a snapshot
//! ESTAB 0      0      198.51.100.1:32946 198.51.100.2:5201
//!      bbr wscale:10,10 rto:252 rtt:48.092/17.072 ato:40 mss:1448 … minrtt:34.276
//! ```
//!
//! `rtt:` is the kernel's smoothed round-trip time and its variation, in ms: not single packets. A
//! connection has it from its first acknowledgement on. Source: iproute2's code.

use crate::error::ImportError;
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::lines::content;
use crate::number::leading;
use crate::text::{behind, past, words};
use crate::when::{Stamps, of_any_form};

pub(crate) const ID: &str = "ss-text";

pub(crate) const SIGNS: &[&str] =
    &["* rto:#* rtt:#*/#*", "rto:# rtt:#*/#*", "* rtt:#*/#* *cwnd:#*", "ESTAB # # *:* *:*rtt:#*/#*"];

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    let mut stamps = Stamps::default();
    let mut now = None;
    let mut name = String::new();
    input.each_line(&mut |_, raw| {
        let (when, line) = content(raw);
        // "== 1796034348.3", "# 10:24:04", a date alone.
        let marks = line.iter().take_while(|b| matches!(b, b'=' | b'#' | b'-' | b' ')).count();
        let words = &line[marks..];
        if let Some(time) = when.or_else(|| of_any_form(words).filter(|_| words.len() < 48)) {
            now = stamps.add(time);
        }
        if let Some(connection) = ends(line) {
            name = connection;
        }
        if let Some(rest) = behind(line, " rtt:").or_else(|| past(line, "rtt:"))
            && let Some((ms, _)) = leading(rest)
        {
            let part = g.part(&name, PartKind::Flow);
            g.push_ms(part, now, None, ms);
        }
    })?;
    g.dated = stamps.dated();
    g.notes.push(0, "delays are the kernel's smoothed round-trip times at each snapshot, not single packets");
    g.import(options)
}

/// `ESTAB 0 0 198.51.100.1:32946 198.51.100.2:5201`: both ends.
fn ends(line: &[u8]) -> Option<String> {
    let mut words = words(line);
    let has_port = |w: &&[u8]| {
        let at = w.iter().rposition(|b| *b == b':').unwrap_or(0);
        at > 0 && at + 1 < w.len() && w[at + 1..].iter().all(u8::is_ascii_digit)
    };
    let is_queue = |w: &[u8]| w.iter().all(u8::is_ascii_digit);
    // The state may be left out, the queues are not.
    let mut word = words.next()?;
    if !is_queue(word) {
        word = words.next()?;
    }
    let second = words.next()?;
    if !is_queue(word) || !is_queue(second) {
        return None;
    }
    let (a, b) = (words.next().filter(has_port)?, words.next().filter(has_port)?);
    Some(format!("{} {}", String::from_utf8_lossy(a), String::from_utf8_lossy(b)))
}

//! One line of a ping's output, told by its structure.
//!
//! The words of a line are data, in whatever language; what counts is an address, `name=value`
//! pairs, units, and where they stand. A reply is a time near an address, a TTL or a sequence
//! number; an ICMP error is text where the time should be; a sequence number alone is a probe for
//! which no answer came yet.

use memchr::memchr;

use super::address::address;
use super::pairs::{Pair, Pairs, Unit};
use crate::number::{integer, leading};
use crate::text::find;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Time {
    /// Milliseconds.
    Exact(f64),
    /// Less than so many milliseconds.
    Below(f64),
    /// Not printed: the packet was too short for a time stamp.
    Missing,
    /// The line breaks off within the time.
    Cut,
    /// Printed, but no delay: negative, or a sentinel.
    Unusable,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reply {
    pub(super) seq: Option<u32>,
    pub(super) time: Time,
    /// As printed.
    pub(super) octets: Option<u32>,
    /// Marked by the tool as a second reply.
    pub(super) duplicate: bool,
    /// The time stood without a unit and was taken for milliseconds.
    pub(super) unit_guessed: bool,
}

/// The statistics a tool prints at its end.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Counts {
    pub(super) sent: u64,
    pub(super) received: u64,
    pub(super) lost: Option<u64>,
    pub(super) duplicates: Option<u64>,
    pub(super) errors: Option<u64>,
    pub(super) loss_pct: Option<f64>,
    /// Told only by its numbers: believed behind the heading of the statistics.
    pub(super) loose: bool,
    /// "12 packets received" rather than "12 received": of the tools that count from 0.
    pub(super) from_zero: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Times {
    pub(super) min: f64,
    pub(super) mean: f64,
    pub(super) max: f64,
    pub(super) deviation: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Header<'a> {
    pub(super) target: &'a [u8],
    pub(super) windows: bool,
    /// The number the tool gives its first probe, where the form of the line tells it.
    pub(super) first: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Line<'a> {
    Blank,
    Header(Header<'a>),
    Reply(Reply),
    /// No answer to this probe, so far or at all.
    Silence(Option<u32>),
    /// Words that say the same, known from the table of phrases.
    KnownSilence,
    /// An ICMP error, with the number of its probe if the tool prints it.
    Error(Option<u32>),
    /// Text behind an address: on Windows an ICMP error.
    Failure,
    /// `--- host ping statistics ---` and its like.
    Heading,
    Counts(Counts),
    Times(Times),
    /// The tool reports its own trouble.
    Complaint,
    /// The head of a dump of IP fields; the dump is on the next line.
    DumpHead,
    /// Known, and says nothing about a probe.
    Aside,
    Unknown,
}

/// Longer lines are nobody's ping.
const LONGEST: usize = 1024;

/// Reads a line from which time of day and blanks are gone.
pub(super) fn read(line: &[u8]) -> Line<'_> {
    match line {
        [] => return Line::Blank,
        _ if line.len() > LONGEST => return Line::Unknown,
        [b'-', b'-', b'-', ..] => return Line::Heading,
        _ => {}
    }
    if line.starts_with(b"PING: ") {
        return Line::KnownSilence;
    }
    if line.iter().any(|b| matches!(b, b'=' | b'<'))
        && let Some(read) = with_pairs(line)
    {
        return read;
    }
    without_pairs(line)
}

fn with_pairs(line: &[u8]) -> Option<Line<'_>> {
    if let Some(header) = unix_header(line) {
        return Some(Line::Header(header));
    }
    let pairs = Pairs::find(line);
    let seq = pairs.named(&[b"seq", b"icmp_req"]);
    let ttl = pairs.named(&[b"ttl", b"hlim"]);
    let time = time_pair(&pairs, seq, ttl);
    let seq_value = seq.and_then(|i| pairs.list[i].integer());
    // "64 bytes from …" in any language: a number, then a word.
    let length = integer(line).filter(|(_, used)| line.get(*used) == Some(&b' ')).map(|(n, _)| n);
    if let Some(i) = time
        && (seq.is_some() || ttl.is_some() || address(line).is_some())
    {
        let octets = length.or_else(|| {
            let first = pairs.list.first().filter(|p| i > 0 && !p.unit.is_time())?;
            if seq == Some(0) || ttl == Some(0) { None } else { first.integer().map(u64::from) }
        });
        let tail = &line[pairs.list[i].end..];
        if remark(tail, b"(BAD CHECKSUM") {
            return Some(Line::Error(seq_value));
        }
        return Some(Line::Reply(Reply {
            seq: seq_value,
            time: time_value(&pairs.list[i], line),
            octets: octets.and_then(|n| u32::try_from(n).ok()),
            duplicate: remark(tail, b"(DUP"),
            unit_guessed: pairs.list[i].unit == Unit::None,
        }));
    }
    if let Some(i) = seq {
        seq_value?;
        let after = line[pairs.list[i].end..].trim_ascii();
        return Some(match length {
            // The sequence number itself may be cut.
            Some(_) if after.is_empty() && pairs.list[i].end == line.len() => Line::Unknown,
            Some(n) => Line::Reply(Reply {
                seq: seq_value,
                time: if breaks_off(after) { Time::Cut } else { Time::Missing },
                octets: u32::try_from(n).ok(),
                duplicate: remark(after, b"(DUP"),
                unit_guessed: false,
            }),
            None if find(after, b"edirect").is_some() => Line::Aside,
            None if after.is_empty() && address(line).is_none() => Line::Silence(seq_value),
            None => Line::Error(seq_value),
        });
    }
    // Windows, cut: "Reply from 192.0.2.1: bytes=32 ti".
    if let [only] = &pairs.list[..]
        && only.unit == Unit::None
        && line.get(only.end) != Some(&b'/')
        && address(&line[..only.start]).is_some()
        && breaks_off(line)
    {
        let octets = only.integer();
        let time = Time::Cut;
        return Some(Line::Reply(Reply { seq: None, time, octets, duplicate: false, unit_guessed: false }));
    }
    summary_pairs(line, &pairs)
}

/// What iputils adds in brackets behind the time.
fn remark(tail: &[u8], begins: &[u8]) -> bool {
    memchr::memchr_iter(b'(', tail).any(|i| tail[i..].starts_with(begins))
}

/// Which pair is the delay: the one with a unit of time, else the neighbour of the TTL.
fn time_pair(pairs: &Pairs<'_>, seq: Option<usize>, ttl: Option<usize>) -> Option<usize> {
    let free = |i: &usize| Some(*i) != seq && Some(*i) != ttl;
    let with_unit = |i: &usize| free(i) && pairs.list[*i].unit.is_time();
    let mut of_time = (0..pairs.list.len()).filter(with_unit);
    match (of_time.next(), of_time.next()) {
        (Some(one), None) => return Some(one),
        // Minimum, maximum and average.
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    let ttl = ttl?;
    let delay = |i: &usize| free(i) && *i < pairs.list.len() && !pairs.list[*i].is_ident();
    if seq.is_some() {
        Some(ttl + 1).filter(delay)
    } else {
        // Windows: "bytes=32 time=4ms TTL=58".
        ttl.checked_sub(1).filter(delay).filter(|i| *i > 0 || pairs.list[*i].unit == Unit::Other)
    }
}

fn time_value(pair: &Pair<'_>, line: &[u8]) -> Time {
    if pair.unit == Unit::None && line[pair.end..].trim_ascii().is_empty() {
        return Time::Cut;
    }
    let ms = pair.value * pair.unit.in_ms();
    // Old Windows prints 2^32 − 1 and its neighbours where its clock went back.
    if !(0.0..=4_294_000_000.0).contains(&ms) {
        Time::Unusable
    } else if pair.below {
        Time::Below(ms)
    } else {
        Time::Exact(ms)
    }
}

/// `ttl=57 ti`, `ttl=57 time=`: more was to come.
fn breaks_off(after_seq: &[u8]) -> bool {
    let last = after_seq.rsplit(|b| *b == b' ').next().unwrap_or_default();
    !last.is_empty() && !last.last().is_some_and(|b| b.is_ascii_digit() || *b == b')')
}

/// Summaries in pairs: `Sent = 4, Received = 4, Lost = 0 (0%`, `Minimum = 4ms, …`, `rtt … = 1/2/3 ms`.
fn summary_pairs<'a>(line: &'a [u8], pairs: &Pairs<'_>) -> Option<Line<'a>> {
    if let [.., last] = &pairs.list[..]
        && let Some(times) = slashes(line, last.start)
    {
        return Some(Line::Times(times));
    }
    if let [a, b, c] = &pairs.list[..] {
        let percent = percentage(line);
        // In a code page that is not known, a comma between numbers may look like a unit.
        let plain =
            |p: &Pair<'_>| !p.below && (p.unit == Unit::None || percent.is_some() && p.unit == Unit::Other);
        if percent.is_none() && [a, b, c].iter().all(|p| p.unit.is_time() || p.unit == Unit::Other) {
            let ms = |p: &Pair<'_>| p.value * p.unit.in_ms();
            let (min, max, mean) = (ms(a), ms(b), ms(c));
            return Some(Line::Times(Times { min, mean, max, deviation: None }));
        }
        if plain(a) && plain(b) {
            return Some(Line::Counts(Counts {
                sent: u64::from(a.integer()?),
                received: u64::from(b.integer()?),
                lost: Some(u64::from(c.integer()?)),
                loss_pct: percent,
                ..Counts::default()
            }));
        }
    }
    None
}

/// `1.0/2.0/3.0/0.5 ms` from byte `at` on.
fn slashes(line: &[u8], at: usize) -> Option<Times> {
    let rest = line[at..].trim_ascii_start();
    let mut values = [0.0; 4];
    let mut n = 0;
    let mut i = 0;
    while n < 4 {
        // BSD prints a deviation of "nan" for one reply.
        let Some((value, used)) = rest.get(i..).and_then(leading) else { break };
        values[n] = value;
        n += 1;
        i += used;
        if rest.get(i) != Some(&b'/') {
            break;
        }
        i += 1;
    }
    if n < 3 {
        return None;
    }
    let unit = Unit::read(&rest[i..]);
    let ms = |v: f64| if unit.is_time() { v * unit.in_ms() } else { v };
    let [min, mean, max, deviation] = values.map(ms);
    Some(Times { min, mean, max, deviation: (n == 4).then_some(deviation) })
}

fn without_pairs(line: &[u8]) -> Line<'_> {
    if memchr(b'%', line).is_some()
        && let Some(counts) = unix_counts(line)
    {
        return Line::Counts(counts);
    }
    if let Some(header) = unix_header(line).or_else(|| windows_header(line)) {
        return Line::Header(header);
    }
    if let Some(known) = super::phrases::known(line) {
        return known;
    }
    // "Request timeout for icmp_seq 19"
    if let Some(at) = find(line, b"icmp_seq ") {
        let number = integer(&line[at + 9..]).and_then(|(n, _)| u32::try_from(n).ok());
        return number.map_or(Line::Unknown, |n| Line::Silence(Some(n)));
    }
    if line.iter().all(|b| matches!(b, b'.' | b'E' | b'!' | 0x08 | b' ')) {
        // A flood: one dot a probe, wiped out by its answer.
        return Line::Aside;
    }
    let said = after_colon(line);
    if integer(line).is_some_and(|(_, used)| line[used..].starts_with(b" "))
        && find(line, b"bytes from ").is_some()
    {
        return if said { Line::Error(None) } else { Line::Unknown };
    }
    if let Some(found) = address(line) {
        return match () {
            () if line[found.end..].trim_ascii() == b":" || line.ends_with(b":") => Line::Heading,
            () if said => Line::Failure,
            () => Line::Unknown,
        };
    }
    Line::Unknown
}

/// Text behind a colon and a space.
fn after_colon(line: &[u8]) -> bool {
    find(line, b": ").is_some_and(|i| !line[i + 2..].trim_ascii().is_empty())
}

/// `PING host (192.0.2.1) 56(84) bytes of data.`, `PING6(56=40+8+8 bytes) ::1 --> ::1`.
fn unix_header(line: &[u8]) -> Option<Header<'_>> {
    if line.first() != Some(&b'P') {
        return None;
    }
    let rest = line.strip_prefix(b"PING ").or_else(|| {
        // Android's toybox writes "Ping"; so does Windows, but without "56(84)".
        line.strip_prefix(b"Ping ").filter(|r| whole_packet(r))
    });
    let Some(rest) = rest else {
        let rest = line.strip_prefix(b"PING6(")?;
        let target = rest.rsplit(|b| *b == b' ').next().unwrap_or_default();
        return Some(Header { target, windows: false, first: Some(0) });
    };
    let target = rest.split(|b| matches!(b, b' ' | b'(' | b':')).next().unwrap_or_default();
    // iputils counts from 1 and prints "56(84) bytes of data", or "56 data bytes" without a colon
    // for IPv6; BSD, macOS, BusyBox and inetutils count from 0 and print ": 56 data bytes".
    let first = if whole_packet(rest) {
        Some(1)
    } else if find(rest, b"): ").is_some() {
        Some(0)
    } else {
        (find(rest, b" data bytes").is_some() && rest.contains(&b'(')).then_some(1)
    };
    Some(Header { target, windows: false, first })
}

/// `56(84)`: octets of data, and of the whole packet.
fn whole_packet(s: &[u8]) -> bool {
    memchr::memchr_iter(b'(', s).any(|i| {
        i > 0
            && s[i - 1].is_ascii_digit()
            && integer(&s[i + 1..]).is_some_and(|(_, used)| s.get(i + 1 + used) == Some(&b')'))
    })
}

/// An address, then a number, then a colon at the end, in any language.
fn windows_header(line: &[u8]) -> Option<Header<'_>> {
    let english = line.len() > 8 && line[..8].eq_ignore_ascii_case(b"pinging ");
    if !english && !line.ends_with(b":") {
        return None;
    }
    let found = address(line);
    let after = &line[found.clone().map_or(0, |r| r.end)..];
    if !english {
        // The payload's size behind the address, and no number before it.
        let number = |w: &&[u8]| w.first().is_some_and(u8::is_ascii_digit);
        let before = &line[..found.clone()?.start];
        if before.split(|b| *b == b' ').any(|w| number(&w))
            || !after.split(|b| *b == b' ').skip(1).any(|w| number(&w))
        {
            return None;
        }
    }
    // "host [192.0.2.1]": the word before the bracket.
    let target = match found {
        Some(r) if r.start > 1 && line[r.start - 1] == b'[' => {
            line[..r.start - 1].trim_ascii_end().rsplit(|b| *b == b' ').next().unwrap_or_default()
        }
        Some(r) => &line[r],
        None => line[8..].split(|b| *b == b' ').next().unwrap_or_default(),
    };
    Some(Header { target, windows: true, first: None })
}

/// `8 packets transmitted, 0 received, +8 errors, 100% packet loss`, in any language: the first
/// two numbers, and those before a percent sign or marked with a plus.
fn unix_counts(line: &[u8]) -> Option<Counts> {
    let mut numbers = [0_u64; 2];
    let mut n = 0;
    let mut counts = Counts::default();
    let mut i = 0;
    while i < line.len() {
        if !line[i].is_ascii_digit() {
            i += 1;
            continue;
        }
        let (value, used) = leading(&line[i..])?;
        let plus = i > 0 && line[i - 1] == b'+';
        let number = integer(&line[i..]).map(|(n, _)| n);
        let start = i;
        i += used;
        let word = line[i..].trim_ascii_start();
        let word = word.strip_prefix(b"packets ").unwrap_or(word);
        if line.get(i) == Some(&b'%') {
            counts.loss_pct = Some(value);
            break;
        }
        // A number within a word, such as that of a host.
        if start > 0 && (line[start - 1].is_ascii_alphanumeric() || line[start - 1] == b'.') {
            continue;
        }
        if word.starts_with(b"duplicates") {
            counts.duplicates = number;
        } else if word.starts_with(b"errors") {
            counts.errors = number;
        } else if !plus && n < 2 {
            // Larger ones are none, and their sums would not fit.
            numbers[n] = number.filter(|n| *n < 1 << 53)?;
            n += 1;
        }
    }
    [counts.sent, counts.received] = numbers;
    let words = integer(line).and_then(|(_, used)| line[used..].strip_prefix(b" "));
    counts.loose = !words.and_then(<[u8]>::first).is_some_and(|b| b.is_ascii_alphabetic() || *b >= 0x80);
    counts.from_zero = find(line, b" packets received").is_some();
    (n == 2 && counts.loss_pct.is_some()).then_some(counts)
}

fn percentage(line: &[u8]) -> Option<f64> {
    let end = memchr(b'%', line)?;
    let back =
        line[..end].iter().rev().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',')).count();
    leading(&line[end - back..end]).map(|(v, _)| v)
}

impl Line<'_> {
    /// Whether a file that has this line is a ping's output, and of which kind.
    pub(super) fn style(&self, line: &[u8]) -> Option<super::Style> {
        use super::Style::{Unix, Windows};
        let says = |word: &[u8]| find(line, word).is_some();
        match self {
            Line::Header(h) => Some(if h.windows { Windows } else { Unix }),
            Line::Reply(r) if r.seq.is_none() && r.time == Time::Cut => None,
            Line::Reply(r) => Some(if r.seq.is_some() { Unix } else { Windows }),
            Line::Silence(Some(_)) | Line::Error(Some(_)) => says(b"icmp").then_some(Unix),
            Line::Complaint => Some(if line.starts_with(b"Ping") { Windows } else { Unix }),
            Line::KnownSilence => Some(Windows),
            Line::Counts(c) if c.lost.is_some() => c.loss_pct.map(|_| Windows),
            Line::Counts(c) => (!c.loose && says(b"packet")).then_some(Unix),
            _ => None,
        }
    }
}

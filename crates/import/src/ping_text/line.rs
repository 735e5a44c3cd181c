//! One line of a ping's output, told by its structure.
//!
//! The words of a line are data, in whatever language; what counts is an address, `name=value`
//! pairs, units, and where they stand. A reply is a time near an address, a TTL or a sequence
//! number; an ICMP error is text where the time should be; a sequence number alone is a probe for
//! which no answer came yet.

use memchr::memchr;

use super::phrases;
use crate::lines::{Counts, Header, Line, Pair, Pairs, Tally, Times, Unit, address, is_address};
use crate::number::{self, integer, leading};
use crate::runs::{Reply, Spans, Style, Time};
use crate::text::{behind, find, first_word, last_word, past};

/// Longer lines are nobody's ping.
const LONGEST: usize = 1024;

/// Reads a line from which time of day and blanks are gone.
pub(crate) fn read(line: &[u8]) -> Line<'_> {
    match line {
        [] => return Line::Blank,
        _ if line.len() > LONGEST => return Line::Unknown,
        [b'-', b'-', b'-', ..] | [b'-', b'-', b' ', .., b'-', b'-'] => return Line::Heading,
        _ => {}
    }
    if line.starts_with(b"PING: ") {
        return Line::Silence(None);
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
    let seq = pairs.named(phrases::SEQUENCE);
    let ttl = pairs.named(&["ttl", "hlim"]);
    let time = time_pair(&pairs, seq, ttl);
    let seq_value = seq.and_then(|i| pairs.list[i].integer());
    // "64 bytes from …" in any language: a number, then a word.
    let length = integer(line).filter(|(_, used)| line.get(*used) == Some(&b' ')).map(|(n, _)| n);
    let length = length.or_else(|| labelled_length(line));
    // Of "time=22.2 ms" alone someone cut off the rest.
    if let Some(i) = time
        && (seq.is_some() || ttl.is_some() || address(line).is_some() || line.starts_with(b"time"))
    {
        let octets = length.or_else(|| {
            let named = pairs.named(&["bytes", "octets", "len"]).map(|j| &pairs.list[j]);
            let first = pairs.list.first().filter(|p| i > 0 && !p.unit.is_time());
            let first = first.filter(|_| seq != Some(0) && ttl != Some(0));
            named.or(first)?.integer().map(u64::from)
        });
        let pair = &pairs.list[i];
        let tail = &line[pair.end..];
        if remark(tail, b"(BAD CHECKSUM") {
            return Some(Line::Error(seq_value));
        }
        let span = |p: &Pair<'_>| (short(p.start), short(p.end));
        return Some(Line::Reply(Reply {
            unit_guessed: pair.unit == Unit::None,
            spans: Spans { seq: seq.map_or((0, 0), |i| span(&pairs.list[i])), time: span(pair) },
            ..Reply::new(seq_value, time_value(pair, line))
                .octets(octets.and_then(|n| u32::try_from(n).ok()))
                .duplicate(is_marked(tail))
        }));
    }
    if let Some(i) = seq {
        seq_value?;
        let after = line[pairs.list[i].end..].trim_ascii();
        let after = past(after, ".").unwrap_or(after);
        return Some(match length {
            // The sequence number itself may be cut.
            Some(_) if after.is_empty() && pairs.list[i].end == line.len() => Line::Unknown,
            Some(n) => {
                let time = if breaks_off(after) { Time::Cut } else { Time::Missing };
                let reply = Reply::new(seq_value, time).octets(u32::try_from(n).ok());
                Line::Reply(reply.duplicate(is_marked(after)))
            }
            None if find(after, b"edirect").is_some() => Line::Aside,
            // "No answer yet for icmp_seq=3" names no host, in no language; an error does.
            None if address(line).is_none() && !line.starts_with(b"From ") => Line::Silence(seq_value),
            // oping: "echo reply from a (192.0.2.1): icmp_seq=3 timeout"
            None if phrases::is_silence(line) || after == b"timeout" => Line::Silence(seq_value),
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
        return Some(Line::Reply(Reply::new(None, Time::Cut).octets(only.integer())));
    }
    summary_pairs(line, &pairs)
}

/// The length in `pinger-1 | 64 bytes from …`.
fn labelled_length(line: &[u8]) -> Option<u64> {
    let before = &line[..find(line, b" bytes from ")?];
    let digits = before.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    Some(integer(&before[before.len() - digits..])?.0)
}

/// A place in a line; lines are short.
fn short(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(0)
}

/// What iputils adds in brackets behind the time.
fn remark(tail: &[u8], begins: &[u8]) -> bool {
    memchr::memchr_iter(b'(', tail).any(|i| tail[i..].starts_with(begins))
}

/// A word in brackets with an exclamation mark: `(DUP!)` in any language.
fn is_marked(tail: &[u8]) -> bool {
    find(tail, b"!)").is_some() && memchr(b'(', tail).is_some() && !remark(tail, b"(DIFFERENT ADDRESS")
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
    match Time::of(pair.unit.to_ms(pair.value)) {
        Time::Exact(ms) if pair.below => Time::Below(ms),
        time => time,
    }
}

/// `ttl=57 ti`, `ttl=57 time=`: more was to come.
fn breaks_off(after_seq: &[u8]) -> bool {
    let last = last_word(after_seq);
    !last.is_empty() && !last.last().is_some_and(|b| b.is_ascii_digit() || *b == b')')
}

/// Summaries in pairs: `Sent = 4, Received = 4, Lost = 0 (0%`, `Minimum = 4ms, …`, `rtt … = 1/2/3 ms`.
fn summary_pairs<'a>(line: &'a [u8], pairs: &Pairs<'_>) -> Option<Line<'a>> {
    if let [.., last] = &pairs.list[..]
        && let Some(times) = slashes(line, last.start)
    {
        return Some(Line::Times(times));
    }
    let percent = percentage(line);
    let timed = |p: &Pair<'_>| p.unit.is_time() || p.unit == Unit::Other;
    if let [a, b, c, rest @ ..] = &pairs.list[..]
        && rest.len() < 2
        && percent.is_none()
        && pairs.list.iter().all(timed)
    {
        let ms = |p: &Pair<'_>| p.unit.to_ms(p.value);
        // Windows prints the mean last, SR OS in the middle; it is never above the maximum.
        let in_middle = !rest.is_empty() || ms(b) < ms(c) || b.is_named(&["avg"]);
        let (mean, max) = if in_middle { (ms(b), ms(c)) } else { (ms(c), ms(b)) };
        return Some(Line::Times(Times { min: ms(a), mean, max, deviation: rest.first().map(ms) }));
    }
    let whole = |p: &Pair<'_>| p.integer().filter(|_| !p.below && !p.unit.is_time()).map(u64::from);
    match &pairs.list[..] {
        // "Pacchetti: Trasmessi = 4, Ricevuti = 4,"
        [a, b] if line.ends_with(b",") => {
            let tally = Tally { sent: Some(whole(a)?), received: Some(whole(b)?), ..Tally::default() };
            return Some(Line::Tally(tally));
        }
        // "Persi = 0 (0% persi),"
        [a] if percent.is_some() => {
            return Some(Line::Tally(Tally { lost: Some(whole(a)?), loss_pct: percent, ..Tally::default() }));
        }
        _ => {}
    }
    if let [a, b, c] = &pairs.list[..] {
        // In a code page that is not known, a comma between numbers may look like a unit.
        let plain =
            |p: &Pair<'_>| !p.below && (p.unit == Unit::None || percent.is_some() && p.unit == Unit::Other);
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
    let (mut n, mut scaled) = (0, 0);
    let mut i = 0;
    while n < 4 {
        // BSD prints a deviation of "nan" for one reply.
        let Some((value, used)) = rest.get(i..).and_then(leading) else { break };
        values[n] = value;
        n += 1;
        i += used;
        // Go prints each with its unit: "712.3µs/1.02s".
        let unit = memchr(b'/', &rest[i..]).map_or(&[][..], |length| &rest[i..i + length]);
        if !unit.is_empty() && Unit::read(unit).is_time() && !unit.contains(&b' ') {
            values[n - 1] = Unit::read(unit).to_ms(values[n - 1]);
            i += unit.len();
            scaled = n;
        }
        if rest.get(i) != Some(&b'/') {
            break;
        }
        i += 1;
    }
    if n < 3 {
        return None;
    }
    let unit = Unit::read(&rest[i..]);
    values[scaled..].iter_mut().for_each(|v| *v = unit.to_ms(*v));
    let [min, mean, max, deviation] = values;
    Some(Times { min, mean, max, deviation: (n == 4).then_some(deviation) })
}

fn without_pairs(line: &[u8]) -> Line<'_> {
    if (memchr(b'%', line).is_some() || find(line, b"transmitted").is_some())
        && let Some(counts) = statistics(line)
    {
        return Line::Counts(counts);
    }
    // "(0% Verlust)," "33.33% packet loss": behind the counts, on a line of its own.
    if matches!(line[0], b'(' | b'0'..=b'9')
        && memchr(b'%', line).is_some_and(|i| !line[1..i].iter().any(u8::is_ascii_alphabetic))
    {
        return Line::Tally(Tally { loss_pct: percentage(line), ..Tally::default() });
    }
    if let Some(header) = unix_header(line).or_else(|| windows_header(line)) {
        return Line::Header(header);
    }
    if let Some(known) = phrases::known(line) {
        return known;
    }
    // "Request timeout for icmp_seq 19", "Request 19 timed out"
    if let Some(rest) = behind(line, "icmp_seq ").or_else(|| past(line, "Request timeout for seq ")) {
        return number::short(rest).map_or(Line::Unknown, |n| Line::Silence(Some(n)));
    }
    if let Some(n) = past(line, "Request ").and_then(number::short) {
        return Line::Silence(Some(n));
    }
    if line.starts_with(b"ping '") && line.ends_with(b"imeout") {
        return Line::Silence(None);
    }
    if let Some(tally) = tally(line) {
        return tally;
    }
    if line.iter().all(|b| matches!(b, b'.' | b'E' | b'!' | 0x08 | b' ')) {
        // One mark a probe; or a flood: one dot a probe, wiped out by its answer.
        return if line.contains(&b'!') { Line::Marks(line) } else { Line::Aside };
    }
    if let Some(reply) = unpaired(line) {
        return Line::Reply(reply);
    }
    let said = after_colon(line);
    // Times and routes that the packet has recorded.
    let letter = |b: &u8| b.is_ascii_alphabetic() || !b.is_ascii();
    let bare = line.iter().any(u8::is_ascii_digit) && !line.iter().any(letter);
    if integer(line).is_some_and(|(_, used)| line[used..].starts_with(b" "))
        && find(line, b"bytes from ").is_some()
    {
        return if said { Line::Error(None) } else { Line::Unknown };
    }
    if let Some(found) = address(line) {
        let ends = line.ends_with(b":") || line.ends_with("：".as_bytes());
        return match () {
            () if bare => Line::Aside,
            // A route that was recorded.
            () if is_address(line) => Line::Aside,
            // "Ping Statistics for 192.0.2.1"
            () if line.starts_with(b"Ping ") && found.end == line.len() => Line::Heading,
            () if line[found.end..].trim_ascii() == b":" || ends => Line::Heading,
            () if said => Line::Failure,
            () => Line::Unknown,
        };
    }
    if bare { Line::Aside } else { Line::Unknown }
}

/// A reply of which nothing is a pair: `44 bytes from 02:00:5e:00:53:af id 0 time 12.34ms` of l2ping,
/// `Unicast reply from 192.0.2.1 [02:00:5e:00:53:af]  1.234ms` of arping.
fn unpaired(line: &[u8]) -> Option<Reply> {
    let timed = |s: &[u8]| {
        let (value, used) = leading(s)?;
        let unit = Unit::read(&s[used..]);
        unit.is_time().then(|| Time::of(unit.to_ms(value)))
    };
    if let Some((_, used)) = integer(line)
        && let Some(rest) = past(&line[used..], " bytes from ")
    {
        let time = timed(behind(rest, " time ")?)?;
        return Some(Reply::new(behind(rest, " id ").and_then(number::short), time));
    }
    // "ping 'a.example' ... 22ms"
    if line.starts_with(b"ping '") {
        return Some(Reply::new(None, timed(behind(line, "' ... ")?)?));
    }
    // A sentence with an address, and a time as its last word: "Reply from 192.0.2.1, 29 bytes in 22.2ms".
    address(line).filter(|_| !line[0].is_ascii_digit())?;
    let word = last_word(line);
    let mut before = line[..line.len() - word.len()].trim_ascii_end();
    // The unit may be a word of its own.
    if !word[0].is_ascii_digit() {
        before = before[..before.len() - last_word(before).len()].trim_ascii_end();
    }
    // "timed out after 1000 ms" and "on average 22 ms" say something else.
    if last_word(before) != b"in" && !before.ends_with(b"]") {
        return None;
    }
    let number = line[before.len()..].trim_ascii_start();
    let (_, used) = leading(number)?;
    let is_unit = matches!(number[used..].trim_ascii(), b"ms" | b"us" | b"\xc2\xb5s" | b"msec");
    timed(number).filter(|_| is_unit).map(|time| Reply::new(None, time))
}

/// `5 packet(s) transmitted` alone on its line.
fn tally(line: &[u8]) -> Option<Line<'_>> {
    let (n, used) = integer(line).filter(|(n, _)| *n < 1 << 53)?;
    match &line[used..] {
        b" packet(s) transmitted" | b" packets transmitted" => {
            Some(Line::Tally(Tally { sent: Some(n), ..Tally::default() }))
        }
        b" packet(s) received" | b" packets received" => {
            Some(Line::Tally(Tally { received: Some(n), ..Tally::default() }))
        }
        _ => None,
    }
}

/// Text behind a colon and a space.
fn after_colon(line: &[u8]) -> bool {
    behind(line, ": ").is_some_and(|rest| !rest.trim_ascii().is_empty())
}

/// `PING host (192.0.2.1) 56(84) bytes of data.`, `PING6(56=40+8+8 bytes) ::1 --> ::1`.
fn unix_header(line: &[u8]) -> Option<Header<'_>> {
    let known = phrases::HEADING.iter().find_map(|word| line.strip_prefix(word.as_bytes()));
    // Behind what a logger or a container's name put before it.
    let known = known.or_else(|| {
        let at = find(line, b"PING ").filter(|i| *i > 0 && !line[i - 1].is_ascii_alphanumeric())?;
        let rest = &line[at + 5..];
        (whole_packet(rest) || find(rest, b" data bytes").is_some()).then_some(rest)
    });
    // "Ping" stands on Windows too, where there is no "56(84)".
    let rest = known.or_else(|| {
        let at = memchr(b' ', line).filter(|_| !line[0].is_ascii_digit() && whole_packet(line))?;
        Some(&line[at + 1..])
    });
    let Some(rest) = rest else {
        let rest = past(line, "PING6(")?;
        let target = last_word(rest);
        return Some(Header { target, first: Some(0), ..Header::default() });
    };
    let target = rest.split(|b| matches!(b, b' ' | b'(' | b':')).next().unwrap_or_default();
    let inner = rest[target.len()..].trim_ascii_start().strip_prefix(b"(").unwrap_or_default();
    let inner = inner.split(|b| *b == b')').next().unwrap_or_default();
    // iputils counts from 1 and prints "56(84) bytes of data", or "56 data bytes" without a colon
    // for IPv6; BSD, macOS, BusyBox and inetutils count from 0 and print ": 56 data bytes".
    let first = if whole_packet(rest) {
        Some(1)
    } else if find(rest, b"): ").is_some() {
        Some(0)
    } else {
        (find(rest, b" data bytes").is_some() && rest.contains(&b'(')).then_some(1)
    };
    let target = if address(rest).is_some_and(|r| r.start == 0) { &rest[address(rest)?] } else { target };
    Some(Header { target, address: inner, first, ..Header::default() })
}

/// `56(84)`, `56 (84)`: octets of data, and with the headers of ICMP and IPv4 or IPv6.
fn whole_packet(s: &[u8]) -> bool {
    memchr::memchr_iter(b'(', s).any(|i| {
        let before = s[..i].trim_ascii_end();
        let digits = before.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let data = integer(&before[before.len() - digits..]);
        let whole = integer(&s[i + 1..]).filter(|(_, used)| s.get(i + 1 + used) == Some(&b')'));
        matches!((data, whole), (Some((a, _)), Some((b, _))) if b >= a && matches!(b - a, 28 | 48))
    })
}

/// An address, then a number, then a colon at the end, in any language.
fn windows_header(line: &[u8]) -> Option<Header<'_>> {
    let english = line.len() > 8 && line[..8].eq_ignore_ascii_case(b"pinging ");
    if !english && !line.ends_with(b":") && !line.ends_with("：".as_bytes()) {
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
        None => first_word(&line[8..]),
    };
    Some(Header { target, sequential: true, ..Header::default() })
}

/// `8 packets transmitted, 0 received, +8 errors, 100% packet loss`, in any language: the first
/// two numbers, and those beside a percent sign or marked with a plus.
fn statistics(line: &[u8]) -> Option<Counts> {
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
        let before = if i > 0 { line[i - 1] } else { b' ' };
        let number = integer(&line[i..]).map(|(n, _)| n);
        i += used;
        let word = line[i..].trim_ascii_start();
        let word = past(word, "packets ").unwrap_or(word);
        // "66%" and "66 %"; Turkish writes "%66".
        if word.first() == Some(&b'%') || before == b'%' {
            counts.loss_pct = Some(value);
            break;
        }
        // A number within a word, such as that of a host.
        if before.is_ascii_alphanumeric() || before == b'.' {
            continue;
        }
        if word.starts_with(b"duplicates") {
            counts.duplicates = number;
        } else if word.starts_with(b"errors") || word.starts_with(b"bounced") {
            counts.errors = number;
        } else if before != b'+' && n < 2 {
            // Larger ones are none, and their sums would not fit.
            numbers[n] = number.filter(|n| *n < 1 << 53)?;
            n += 1;
        }
    }
    [counts.sent, counts.received] = numbers;
    let words = integer(line).and_then(|(_, used)| line[used..].strip_prefix(b" "));
    counts.loose = !words.and_then(<[u8]>::first).is_some_and(|b| b.is_ascii_alphabetic() || *b >= 0x80);
    counts.first = Some(u32::from(find(line, b" packets received").is_none()));
    (n == 2 && (counts.loss_pct.is_some() || counts.duplicates.is_some())).then_some(counts)
}

/// The number before a percent sign, or behind it.
fn percentage(line: &[u8]) -> Option<f64> {
    let end = memchr(b'%', line)?;
    let before = line[..end].trim_ascii_end();
    let back = before.iter().rev().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',')).count();
    leading(&before[before.len() - back..]).or_else(|| leading(&line[end + 1..])).map(|(v, _)| v)
}

/// Whether a file that has this line is a ping's output, and of which kind.
pub(super) fn style(read: &Line<'_>, line: &[u8]) -> Option<Style> {
    use Style::{Numbered, Sequential};
    let says = |word: &[u8]| find(line, word).is_some();
    match read {
        Line::Header(h) => Some(if h.sequential { Sequential } else { Numbered }),
        Line::Reply(r) if r.seq.is_none() && r.time == Time::Cut => None,
        Line::Reply(r) => Some(if r.seq.is_some() { Numbered } else { Sequential }),
        Line::Silence(Some(_)) | Line::Error(Some(_)) => says(b"icmp").then_some(Numbered),
        Line::Complaint => Some(if line.starts_with(b"Ping") { Sequential } else { Numbered }),
        Line::Silence(None) => Some(Sequential),
        Line::Counts(c) if c.lost.is_some() => c.loss_pct.map(|_| Sequential),
        Line::Counts(c) => (!c.loose && says(b"packet")).then_some(Numbered),
        _ => None,
    }
}

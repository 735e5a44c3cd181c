//! What loggers write before each line: `[1796034244.836661]` (`ping -D`), dates, times of day,
//! syslog's host and process.

use crate::number::nanoseconds;
use crate::text::{past, words};
use crate::when::{DAY, Order, Since, When, at_start};

/// A line without what a logger wrote before it and a terminal into it, and when it was written.
pub(crate) fn content(line: &[u8]) -> (Option<When>, &[u8]) {
    if line.len() > 4096 {
        return (None, line);
    }
    let (when, rest) = split(without_interrupt(line));
    (when, without_interrupt(rest))
}

/// What a terminal shows where someone pressed Control-C.
fn without_interrupt(mut line: &[u8]) -> &[u8] {
    while let Some(after) = past(line, "^C").or_else(|| line.strip_prefix(b"\x03")) {
        line = after.trim_ascii();
    }
    line
}

/// The time before a line, if there is one, and the line without it.
fn split(line: &[u8]) -> (Option<When>, &[u8]) {
    let mut found: Option<When> = None;
    let mut rest = without_container(line.trim_ascii());
    // A logger's time may stand before the tool's own.
    for _ in 0..2 {
        let bracket = rest.first() == Some(&b'[');
        let inner = &rest[usize::from(bracket)..];
        if !begins_like_a_time(inner) {
            break;
        }
        let Some((when, used)) = epoch(inner, bracket).or_else(|| date(inner)) else { break };
        let mut after = &inner[used..];
        if bracket {
            let Some(closed) = past(after, "]") else { break };
            after = closed;
        }
        rest = skip_marks(after);
        if found.is_none_or(|f| f.whole_seconds || when.since == Since::Epoch) {
            found = Some(when);
        }
    }
    if found.is_some() {
        rest = without_process(rest);
    }
    (found, rest)
}

fn begins_like_a_time(s: &[u8]) -> bool {
    match s {
        [b'0'..=b'9', b'0'..=b'9' | b':' | b'.' | b'/', ..] => true,
        // "3 Nov"
        [b'0'..=b'9', b' ', c, ..] => c.is_ascii_uppercase(),
        [b'A' | b'D' | b'F' | b'J' | b'M' | b'N' | b'O' | b'S' | b'T' | b'W', b, c, ..] => {
            b.is_ascii_lowercase() && c.is_ascii_lowercase()
        }
        // "nov. 30"
        [b'a'..=b'z', ..] => s.windows(2).take(6).any(|two| two[0] == b' ' && two[1].is_ascii_digit()),
        _ => false,
    }
}

/// Seconds since 1970, in brackets or bare; or, told by their number of digits, parts of seconds.
fn epoch(s: &[u8], bracket: bool) -> Option<(When, usize)> {
    let used = s.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let point = s[..used].iter().position(|b| *b == b'.');
    let whole = point.unwrap_or(used);
    let ends = if bracket { b']' } else { b' ' };
    let unit = match whole {
        9 | 10 => 1_000_000_000,
        13 => 1_000_000,
        16 => 1000,
        19 => 1,
        _ => return None,
    };
    // Some ping that flooded for long sent as many.
    if s.get(used) != Some(&ends) || !bracket && s[used..].starts_with(b" packet") {
        return None;
    }
    let ns = nanoseconds(&s[..used], b'.', unit)?;
    Some((When { ns, since: Since::Epoch, whole_seconds: point.is_none() && whole < 13, timed: true }, used))
}

fn date(s: &[u8]) -> Option<(When, usize)> {
    let slashed = s.iter().position(|b| !b.is_ascii_digit()).is_some_and(|i| i <= 2 && s[i] == b'/');
    let read = at_start(s, Order::DayFirst).or_else(|| at_start(s, Order::MonthFirst));
    let (when, used) = read.filter(|(w, _)| w.timed)?;
    if slashed {
        // Whether 3/4 is in March or April is not known; the time of day is.
        return Some((When { ns: when.ns.rem_euclid(DAY), since: Since::Midnight, ..when }, used));
    }
    Some((when, used))
}

fn skip_marks(mut s: &[u8]) -> &[u8] {
    loop {
        s = match s {
            // A dash, but not "--- statistics ---".
            [b' ' | b'\t' | b':' | b'|' | b'>' | b',' | b';' | b']', rest @ ..] | [b'-', b' ', rest @ ..] => {
                rest
            }
            [b'-'] => return &[],
            _ => return s,
        };
    }
}

/// `host ping[1234]: `
fn without_process(s: &[u8]) -> &[u8] {
    let mut words = words(s);
    let process = words.nth(1).and_then(|word| word.strip_suffix(b"]:"));
    let open = process.and_then(|p| p.iter().position(|b| *b == b'['));
    match (open, process) {
        (Some(i), Some(p)) if p.len() > i + 1 && p[i + 1..].iter().all(u8::is_ascii_digit) => {
            words.rest().trim_ascii_start()
        }
        _ => s,
    }
}

/// `app-1  | `, as Docker Compose names who wrote a line.
fn without_container(s: &[u8]) -> &[u8] {
    if !s.first().is_some_and(u8::is_ascii_alphabetic) {
        return s;
    }
    let name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let length = s.iter().position(|b| !name(b)).unwrap_or(s.len());
    match s[length..].trim_ascii_start() {
        [b'|'] => &[],
        [b'|', b' ', rest @ ..] => rest.trim_ascii_start(),
        _ => s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, seconds: Option<f64>, rest: &str) {
        let (when, got) = split(line.as_bytes());
        assert_eq!((when.map(|w| w.ns as f64 / 1e9), std::str::from_utf8(got).unwrap()), (seconds, rest));
    }

    #[test]
    fn the_time_before_a_line_is_taken_off() {
        let at = 1_796_034_245.0;
        check("[1796034244.836661] 64 bytes", Some(1_796_034_244.836_661), "64 bytes");
        check("Mon Nov 30 10:24:05 AM UTC 2026: --- x ---", Some(at), "--- x ---");
        check("2026-11-30T10:24:05Z 64 bytes", Some(at), "64 bytes");
        check(
            "2026-11-30 10:24:05.000000 IP 192.0.2.1 > 192.0.2.2: ICMP",
            Some(at),
            "IP 192.0.2.1 > 192.0.2.2: ICMP",
        );
        check("[2026-11-30 10:24:05] - Request timed out.", Some(at), "Request timed out.");
        check("10:24:05 -", Some(37_445.0), "");
        check("10:24:05 | PING x", Some(37_445.0), "PING x");
        check("11/30/2026 10:24:05 AM Reply", Some(37_445.0), "Reply");
        check("30/11/2026 10:24:05 Reply", Some(37_445.0), "Reply");
        check("2026-11-30 10:24:05 [1796034245.5] 64 bytes", Some(at + 0.5), "64 bytes");
        check("1796034245.500 64 bytes", Some(at + 0.5), "64 bytes");
        check("1796034245 64 bytes", Some(at), "64 bytes");
        check("1796034245500 64 bytes", Some(at + 0.5), "64 bytes");
        check("app-1  | 2026-11-30T10:24:05Z 64 bytes", Some(at), "64 bytes");
        check("Nov 30 10:24:05 box run.sh[12]: 64 bytes", Some(334.0 * 86_400.0 + 37_445.0), "64 bytes");
        let new_year = 334.0 * 86_400.0 + 37_445.0;
        check("Nov 30 10:24:05 box ping[12]: 64 bytes", Some(new_year), "64 bytes");
    }

    #[test]
    fn lines_without_a_time_stay_as_they_are() {
        for line in [
            "64 bytes from 192.0.2.1",
            "8.8.8.8 の",
            "2001:db8::1 x",
            "From 192.0.2.1",
            "[x] y",
            "12 packets",
            "1796034245 packets",
            "a.example |-- 64",
        ] {
            check(line, None, line);
        }
    }
}

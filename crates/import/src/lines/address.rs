//! IPv4 and IPv6 addresses inside a line.

use std::ops::Range;

/// The first address in `line`. A time of day is none, though it has colons.
pub(crate) fn address(line: &[u8]) -> Option<Range<usize>> {
    let part = |b: &u8| b.is_ascii_hexdigit() || matches!(b, b'.' | b':');
    let mut i = 0;
    while i < line.len() {
        let Some(start) = line[i..].iter().position(part).map(|n| i + n) else { break };
        let end = line[start..].iter().position(|b| !part(b)).map_or(line.len(), |n| start + n);
        i = end;
        // Within a word, "feed" is no address.
        if start > 0 && line[start - 1].is_ascii_alphanumeric() {
            continue;
        }
        let word = &line[start..end];
        // A port, or a case ending of Finnish, behind a colon.
        let host = word.iter().position(|b| *b == b':').unwrap_or(0);
        if is_v4(&word[..host]) {
            return Some(start..start + host);
        }
        let scoped = line.get(end) == Some(&b'%');
        if !scoped && line.get(end).is_some_and(u8::is_ascii_alphanumeric) {
            continue;
        }
        let trimmed = trim_end(word);
        if is_address(trimmed) {
            let mut end = start + trimmed.len();
            if scoped {
                end += 1 + line[end + 1..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
            }
            return Some(start..end);
        }
    }
    None
}

/// Whether a word is an address and nothing else.
pub(crate) fn is_address(word: &[u8]) -> bool {
    is_v4(word) || is_v6(word)
}

/// Without the punctuation of the sentence: `192.0.2.1:`, `::1.`, but `2001:db8::`.
fn trim_end(mut word: &[u8]) -> &[u8] {
    while let [rest @ .., b'.' | b':'] = word {
        if word.ends_with(b"::") && !word.ends_with(b":::") {
            break;
        }
        word = rest;
    }
    word
}

fn is_v4(word: &[u8]) -> bool {
    let mut parts = 0;
    word.len() <= 15
        && word.split(|b| *b == b'.').all(|p| {
            parts += 1;
            matches!(p.len(), 1..=3) && p.iter().all(u8::is_ascii_digit) && (p.len() < 3 || p <= b"255")
        })
        && parts == 4
}

fn is_v6(word: &[u8]) -> bool {
    let colons = word.split(|b| *b == b':').count() - 1;
    let short = crate::text::find(word, b"::").is_some();
    (colons == 7 || (short && (2..=7).contains(&colons)))
        && word.len() <= 45
        && word.split(|b| *b == b':').all(|p| p.len() <= 4 || is_v4(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_in_sentences_of_any_language() {
        for (line, expected) in [
            ("Reply from 192.0.2.1: x", Some("192.0.2.1")),
            ("8.8.8.8의 응답:", Some("8.8.8.8")),
            ("host [2001:db8::1] x", Some("2001:db8::1")),
            ("from fe80::1%12: time", Some("fe80::1%12")),
            ("Ответ от ::1: x", Some("::1")),
            ("Reply from 2001:db8:0:0:0:0:0:1: x", Some("2001:db8:0:0:0:0:0:1")),
            ("from 192.0.2.1:443 x", Some("192.0.2.1")),
            ("192.0.2.1:lta icmp_seq=4", Some("192.0.2.1")),
            ("at 10:24:05 on deadbeef", None),
            ("1.2.3", None),
            ("1.2.3.4.5", None),
            ("300.1.1.1", None),
            ("Request timed out.", None),
        ] {
            assert_eq!(address(line.as_bytes()).map(|r| &line[r]), expected, "{line}");
        }
    }
}

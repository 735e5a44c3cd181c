//! The words of dates: months, weekdays, the halves of the day, and what stands between them.

pub(super) const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Letters of any language, and the bytes of blanks that do not break.
pub(super) fn is_letter(b: u8) -> bool {
    b.is_ascii_alphabetic() || b >= 128
}

/// The bytes of the blank that a text begins with.
pub(super) fn blank(s: &[u8]) -> Option<usize> {
    ["\u{20}", "\u{a0}", "\u{202f}"].iter().find(|b| s.starts_with(b.as_bytes())).map(|b| b.len())
}

/// The bytes of the word that a text begins with.
pub(super) fn word_length(s: &[u8]) -> usize {
    (0..s.len()).find(|i| !is_letter(s[*i]) || s[*i] >= 128 && blank(&s[*i..]).is_some()).unwrap_or(s.len())
}

/// Whether a text begins with a mark of the hours after noon or of those before it, and how long that is.
/// Some languages have it before the time; `pm`, `p.m.` and `p. m.` stand `behind` it.
pub(super) fn half_of_day(s: &[u8], behind: bool) -> Option<(bool, usize)> {
    const HALVES: [(&str, bool); 6] =
        [("上午", false), ("下午", true), ("午前", false), ("午後", true), ("오전", false), ("오후", true)];
    if let Some((word, afternoon)) = HALVES.iter().find(|(w, _)| s.starts_with(w.as_bytes())) {
        return Some((*afternoon, word.len()));
    }
    let afternoon = match s.first()?.to_ascii_lowercase() {
        b'a' => false,
        b'p' => true,
        _ => return None,
    };
    let at = |i: usize| s.get(i).map(u8::to_ascii_lowercase);
    let letter = 1 + usize::from(at(1) == Some(b'.'));
    let m = letter + if letter > 1 { blank(&s[letter..]).unwrap_or(0) } else { 0 };
    let length = match at(m) {
        Some(b'm') => m + 1 + usize::from(letter > 1 && at(m + 1) == Some(b'.')),
        _ if letter == 1 => 1,
        _ => return None,
    };
    (behind && !at(length).is_some_and(is_letter)).then_some((afternoon, length))
}

/// The month a text begins with, in full or in its first letters: in English or German, and behind a day in
/// other languages.
pub(super) fn month(s: &[u8], behind_day: bool) -> Option<(u64, usize)> {
    const NAMES: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    const OTHERS: &str = "mai5 mrz3 mär3 okt10 dez12";
    const BEHIND_DAY: &str = "ene1 gen1 fév2 fev2 mrt3 avr4 abr4 mei5 mag5 maj5 juin6 giu6 juil7 lug7 ago8 aoû8 \
                              set9 out10 ott10 déc12 dic12 янв1 фев2 мар3 апр4 мая5 июн6 июл7 авг8 сен9 окт10 \
                              ноя11 дек12";
    let length = word_length(s);
    let begins =
        |name: &str| s[..length].get(..name.len()).is_some_and(|w| w.eq_ignore_ascii_case(name.as_bytes()));
    let i = NAMES.iter().position(|n| begins(n)).map(|i| i as u64 + 1);
    let of = |list: &str| {
        list.split_ascii_whitespace().find_map(|entry| {
            let name = entry.trim_end_matches(|c: char| c.is_ascii_digit());
            begins(name).then(|| entry[name.len()..].parse().ok())?
        })
    };
    // French has two months in "jui", which English has not.
    let foreign = if behind_day { of(BEHIND_DAY) } else { None };
    let month = foreign.or(i).or_else(|| of(OTHERS))?;
    Some((month, length))
}

//! Dates and times of day, as tools and spreadsheets write them.
//!
//! `2026-11-30T10:24:04.814+01:00`, `30.11.2026 10:24:04,814`, `11/30/2026 10:24:04 AM`,
//! `Mon Nov 30 10:24:05 AM UTC 2026`, `Nov 30 10:24:05`, `20261130T102404Z`, `10:24:04`; `30-Nov-26`,
//! `lun. 30 nov. 2026`, `30/Nov/2026:10:24:05 +0000`, `2026年11月30日`, `2026. 11. 30. 오후 3:04:05`.
//! A time without a zone is taken for UTC.

mod words;

use words::{WEEKDAYS, blank, half_of_day, is_letter, month, word_length};

const SECOND: i64 = 1_000_000_000;
pub(crate) const DAY: i64 = 86_400 * SECOND;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct When {
    /// Nanoseconds since 1970, or since midnight, or since the start of a year not named.
    pub(crate) ns: i64,
    pub(crate) since: Since,
    /// Printed without decimals.
    pub(crate) whole_seconds: bool,
    /// Not a date alone.
    pub(crate) timed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Since {
    Epoch,
    NewYear,
    Midnight,
}

/// Which comes first in `03/04/2026`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    DayFirst,
    MonthFirst,
}

/// The date and time that stand at the start of `s`, and how many bytes they take. A date alone is
/// its midnight.
pub(crate) fn at_start(s: &[u8], order: Order) -> Option<(When, usize)> {
    let mut r = Reader { s, i: 0, end: 0, order, ..Reader::default() };
    r.tokens();
    let when = r.when()?;
    Some((when, r.end))
}

/// All of `s` as a date or time; of `10:00 - 10:05` the first.
pub(crate) fn whole(s: &[u8], order: Order) -> Option<When> {
    let ends = |used: usize| used == s.len() || s[used..].starts_with(b" - ");
    at_start(s, order).filter(|(_, used)| ends(*used)).map(|(when, _)| when)
}

/// All of `s` as a date, or as seconds since 1970.
pub(crate) fn of_any_form(s: &[u8]) -> Option<When> {
    let s = s.trim_ascii();
    if s.iter().all(|b| b.is_ascii_digit() || *b == b'.') {
        let ns = crate::number::nanoseconds(s, b'.', SECOND).filter(|ns| *ns > 100_000_000 * SECOND)?;
        return Some(When { ns, since: Since::Epoch, whole_seconds: !s.contains(&b'.'), timed: true });
    }
    at_start(s, Order::DayFirst).map(|(when, _)| when)
}

/// The two numbers of `03/04/2026` whose order is in doubt.
pub(crate) fn ambiguous(s: &[u8]) -> Option<(u64, u64)> {
    let (a, i) = crate::number::integer(s)?;
    let (b, j) = crate::number::integer(s.get(i + 1..)?)?;
    let marks = matches!(s[i], b'/' | b'.' | b'-') && s.get(i + 1 + j) == Some(&s[i]);
    (marks && a <= 31 && b <= 31).then_some((a, b))
}

/// Times of one file, made to go on over midnight and New Year.
#[derive(Debug, Default)]
pub(crate) struct Stamps {
    since: Option<Since>,
    last: i64,
    shift: i64,
    whole_seconds: bool,
}

impl Stamps {
    /// The next time, in nanoseconds. `None`: it counts from something else than those before.
    pub(crate) fn add(&mut self, when: When) -> Option<i64> {
        if *self.since.get_or_insert(when.since) != when.since {
            return None;
        }
        let round = match when.since {
            Since::Epoch => 0,
            Since::NewYear => 366 * DAY,
            Since::Midnight => DAY,
        };
        if round > 0 && when.ns + self.shift < self.last - round / 2 {
            self.shift += round;
        }
        self.whole_seconds |= when.whole_seconds;
        self.last = when.ns + self.shift;
        Some(self.last)
    }

    pub(crate) fn any(&self) -> bool {
        self.since.is_some()
    }

    /// The times have a date.
    pub(crate) fn dated(&self) -> bool {
        self.since == Some(Since::Epoch)
    }

    /// Some were printed without decimals.
    pub(crate) fn whole_seconds(&self) -> bool {
        self.whole_seconds
    }
}

/// Words that tools print behind a time of day, and that are no time zones.
const NO_ZONES: &[&str] = &["PING", "HPING", "RTT", "TTL", "IP", "ARP", "ICMP", "DUP"];

#[derive(Debug)]
struct Reader<'a> {
    s: &'a [u8],
    i: usize,
    /// Behind the last token that was understood.
    end: usize,
    order: Order,
    year: Option<i64>,
    month: Option<u64>,
    day: Option<u64>,
    clock: Option<i64>,
    /// In the twelve hours after noon, or before.
    afternoon: Option<bool>,
    zone: i64,
    decimals: bool,
}

impl Default for Reader<'_> {
    fn default() -> Self {
        Self {
            s: &[],
            i: 0,
            end: 0,
            order: Order::DayFirst,
            year: None,
            month: None,
            day: None,
            clock: None,
            afternoon: None,
            zone: 0,
            decimals: false,
        }
    }
}

impl Reader<'_> {
    fn tokens(&mut self) {
        // Twelve tokens are more than any form has.
        for _ in 0..12 {
            self.i = self.past_blanks(self.i);
            while self.i > 0 && self.peek(0) == Some(b',') {
                self.i = self.past_blanks(self.i + 1);
            }
            let understood = match self.peek(0) {
                Some(b'0'..=b'9') => self.digits(),
                Some(b'+' | b'-') => self.offset(),
                Some(b) if is_letter(b) => self.word(),
                _ => false,
            };
            if !understood {
                return;
            }
            self.end = self.i;
        }
    }

    /// Behind the blanks from `at` on, of which browsers write two that do not break.
    fn past_blanks(&self, mut at: usize) -> usize {
        while let Some(blank) = blank(self.s.get(at..).unwrap_or_default()) {
            at += blank;
        }
        at
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.s.get(self.i + ahead).copied()
    }

    fn number(&self, at: usize) -> Option<(u64, usize)> {
        let (n, used) = crate::number::integer(self.s.get(at..)?)?;
        Some((n, at + used))
    }

    fn digits(&mut self) -> bool {
        let Some((n, end)) = self.number(self.i) else { return false };
        let width = end - self.i;
        match self.s.get(end) {
            Some(b':')
                if width == 4 && self.year.is_none() && self.clock.is_none() && self.month.is_none() =>
            {
                self.date(n, width, b':', end)
            }
            Some(b':') if self.clock.is_none() => self.time_of_day(n, end),
            _ if matches!(width, 8 | 14) && self.year.is_none() => self.compact(n, width, end),
            Some(mark @ (b'-' | b'/' | b'.')) if self.year.is_none() && self.month.is_none() => {
                self.date(n, width, *mark, end) || self.named_date(n, end)
            }
            Some(0xe5 | 0xeb) if width == 4 && self.year.is_none() => self.spelt_date(n, end),
            _ if width == 4 && self.month.is_some() && self.year.is_none() && (1700..2262).contains(&n) => {
                self.year = i64::try_from(n).ok();
                self.i = end;
                true
            }
            _ if width <= 2 && self.day.is_none() && (1..=31).contains(&n) => {
                // "30 Nov 2026" or "Nov 30": a month must stand on one side.
                let after = self.s.get(end..).unwrap_or_default();
                if self.month.is_none() && month(after.trim_ascii_start(), true).is_none() {
                    return false;
                }
                self.day = Some(n);
                self.i = end;
                true
            }
            _ => false,
        }
    }

    fn date(&mut self, first: u64, width: usize, mark: u8, end: usize) -> bool {
        // "30. 11. 2026"
        let behind = |end: usize| if mark == b'.' { self.past_blanks(end + 1) } else { end + 1 };
        let Some((second, end)) = self.number(behind(end)) else { return false };
        if self.s.get(end) != Some(&mark) {
            return false;
        }
        let third_at = behind(end);
        let Some((third, end)) = self.number(third_at) else { return false };
        // "192.0.2.1" is an address.
        if self.s.get(end) == Some(&mark) && self.s.get(end + 1).is_some_and(u8::is_ascii_digit) {
            return false;
        }
        let (year, month, day) = match (width, end - third_at, mark) {
            (4, 1..=2, _) => (first, second, third),
            (1..=2, 4, b'/' | b'-') if self.order == Order::MonthFirst => (third, first, second),
            (1..=2, 4, _) => (third, second, first),
            (1..=2, 2, b'/') if self.order == Order::MonthFirst => (2000 + third, first, second),
            (1..=2, 2, b'/' | b'.') => (2000 + third, second, first),
            _ => return false,
        };
        if !self.set(year, month, day) {
            return false;
        }
        self.i = end;
        // "2026. 11. 30."
        if mark == b'.' && self.peek(0) == Some(b'.') {
            self.i += 1;
        }
        // "2026-11-30T10:24:04", and "_" as some loggers write.
        if matches!(self.peek(0), Some(b'T' | b't' | b'_'))
            && self.peek(1).is_some_and(|b| b.is_ascii_digit())
        {
            self.i += 1;
        }
        true
    }

    /// Whether there is such a day.
    fn set(&mut self, year: u64, month: u64, day: u64) -> bool {
        let there = (1700..2262).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        if there {
            (self.year, self.month, self.day) = (i64::try_from(year).ok(), Some(month), Some(day));
        }
        there
    }

    /// `30-Nov-2026`, `30. Nov. 2026`, `30-Nov-26`, `30/Nov/2026:`.
    fn named_date(&mut self, day: u64, end: usize) -> bool {
        let at = self.past_blanks(end + 1);
        let Some((month, length)) = month(self.s.get(at..).unwrap_or_default(), true) else { return false };
        let mut at = at + length;
        at += usize::from(self.s.get(at) == Some(&b'.'));
        if !matches!(self.s.get(at), Some(b'-' | b'/' | b' ')) {
            return false;
        }
        let Some((year, end)) = self.number(at + 1) else { return false };
        let year = match end - at - 1 {
            4 => year,
            2 if self.s[at] != b' ' => 2000 + year,
            _ => return false,
        };
        // Of `30/Nov/2026:10:24:05` the colon is no part of the time.
        self.i = end + usize::from(self.s.get(end) == Some(&b':'));
        self.set(year, month, day)
    }

    /// `2026年11月30日`, `2026년 11월 30일`.
    fn spelt_date(&mut self, year: u64, end: usize) -> bool {
        for [years, months, days] in [["年", "月", "日"], ["년", "월", "일"]] {
            let part = |at: usize, mark: &str| {
                let (n, end) = self.number(self.past_blanks(at))?;
                self.s[end..].starts_with(mark.as_bytes()).then_some((n, end + mark.len()))
            };
            if self.s[end..].starts_with(years.as_bytes())
                && let Some((month, at)) = part(end + years.len(), months)
                && let Some((day, at)) = part(at, days)
            {
                self.i = at;
                return self.set(year, month, day);
            }
        }
        false
    }

    /// `20261130T102404`, `20261130 102404`, `20261130102404`; `20261130` before a time.
    fn compact(&mut self, n: u64, width: usize, end: usize) -> bool {
        let (date, clock, end) = if width == 14 {
            (n / 1_000_000, n % 1_000_000, end)
        } else {
            let Some((clock, clock_end)) = self.number(end + 1) else { return false };
            match (self.s[end], clock_end - end, self.s.get(clock_end)) {
                (b'T' | b'-' | b'_' | b' ', 7, _) => (n, clock, clock_end),
                // The time is read next.
                (b'T' | b'-' | b'_' | b' ', 3, Some(b':')) => {
                    self.i = end + 1;
                    return self.set(n / 10_000, n / 100 % 100, n % 100);
                }
                _ => return false,
            }
        };
        let (h, m, s) = (clock / 10_000, clock / 100 % 100, clock % 100);
        if h > 23 || m > 59 || s > 60 || !self.set(date / 10_000, date / 100 % 100, date % 100) {
            return false;
        }
        self.clock = i64::try_from(h * 3600 + m * 60 + s).ok().map(|s| s * SECOND);
        self.i = end;
        true
    }

    fn time_of_day(&mut self, hour: u64, end: usize) -> bool {
        let start = end + 1;
        let Some((minute, mut end)) = self.number(start).filter(|(_, end)| end - start == 2) else {
            return false;
        };
        let mut second = 0;
        let mut fraction = 0;
        if self.s.get(end) == Some(&b':')
            && let Some((n, after)) = self.number(end + 1)
        {
            (second, end) = (n, after);
            if matches!(self.s.get(end), Some(b'.' | b','))
                && self.s.get(end + 1).is_some_and(u8::is_ascii_digit)
            {
                let digits = self.s[end + 1..].iter().take_while(|b| b.is_ascii_digit());
                let mut scale = SECOND;
                for b in digits {
                    scale /= 10;
                    fraction += i64::from(b - b'0') * scale;
                    end += 1;
                }
                end += 1;
                self.decimals = true;
            }
        }
        if hour > 24 || minute > 59 || second > 60 {
            return false;
        }
        self.clock = i64::try_from(hour * 3600 + minute * 60 + second).ok().map(|s| s * SECOND + fraction);
        self.i = end;
        true
    }

    /// `+01:00`, `-0500`, `+02`, only behind a time.
    fn offset(&mut self) -> bool {
        if self.clock.is_none() {
            return false;
        }
        let Some((n, end)) = self.number(self.i + 1) else { return false };
        let (hours, minutes, end) = match (end - self.i - 1, self.s.get(end)) {
            (4, _) => (n / 100, n % 100, end),
            (2, Some(b':')) => match self.number(end + 1) {
                Some((m, end)) => (n, m, end),
                None => return false,
            },
            (2, _) => (n, 0, end),
            _ => return false,
        };
        if hours > 15 || minutes > 59 {
            return false;
        }
        let seconds = i64::try_from(hours * 3600 + minutes * 60).unwrap_or_default();
        self.zone = if self.s[self.i] == b'-' { -seconds } else { seconds };
        self.i = end;
        true
    }

    fn word(&mut self) -> bool {
        let rest = &self.s[self.i..];
        let length = word_length(rest);
        let word = &rest[..length];
        let is = |w: &str| word.eq_ignore_ascii_case(w.as_bytes());
        if let Some((afternoon, length)) = half_of_day(rest, self.clock.is_some()) {
            self.afternoon = Some(afternoon);
            self.i += length;
            return true;
        }
        let dotted = matches!(rest.get(length), Some(b'.' | b','));
        if (self.month.is_none() || self.day.is_some() && self.year.is_none())
            && let Some((number, _)) = month(rest, self.day.is_some())
        {
            self.month = Some(number);
        } else if WEEKDAYS.iter().any(|d| is(d) || is(&d[..3]))
            || self.i == 0 && dotted && (2..5).contains(&length)
        {
            // Says nothing that the date does not: "Mo., 30.11.2026".
        } else {
            let zone = (1..=5).contains(&length) && word.iter().all(u8::is_ascii_uppercase);
            if !zone || self.clock.is_none() || NO_ZONES.iter().any(|w| is(w)) {
                return false;
            }
        }
        self.i += length;
        // "Nov." and "Mo.,"
        if self.peek(0) == Some(b'.') && self.clock.is_none() {
            self.i += 1;
        }
        true
    }

    fn when(&self) -> Option<When> {
        let whole_seconds = !self.decimals;
        let hours = |clock: i64| clock / (3600 * SECOND);
        let clock = match (self.clock, self.afternoon) {
            (Some(clock), Some(afternoon)) if hours(clock) <= 12 => {
                let shift = i64::from(afternoon) * 12 - i64::from(hours(clock) == 12) * 12;
                Some(clock + shift * 3600 * SECOND)
            }
            (clock, _) => clock,
        };
        let (ns, since) = match (self.year, self.month, self.day) {
            (Some(year), Some(month), Some(day)) => {
                let days = days_from_civil(year, month, day);
                (days * DAY + clock.unwrap_or(0) - self.zone * SECOND, Since::Epoch)
            }
            (None, Some(month), Some(day)) => {
                // 2000 was a leap year: 29 February exists.
                let days = days_from_civil(2000, month, day) - days_from_civil(2000, 1, 1);
                (days * DAY + clock?, Since::NewYear)
            }
            _ => (clock?, Since::Midnight),
        };
        Some(When { ns, since, whole_seconds, timed: clock.is_some() })
    }
}

/// Days since 1 January 1970, by Howard Hinnant's algorithm.
fn days_from_civil(year: i64, month: u64, day: u64) -> i64 {
    let (month, day) = (i64::try_from(month).unwrap_or(1), i64::try_from(day).unwrap_or(1));
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, seconds: f64, rest: &str) {
        let (when, used) = at_start(text.as_bytes(), Order::DayFirst).unwrap();
        assert!((when.ns as f64 / 1e9 - seconds).abs() < 1e-6, "{text}: {when:?}");
        assert_eq!(&text[used..], rest, "{text}");
    }

    #[test]
    fn dates_are_read_in_many_forms() {
        let at = 1_796_034_244.0;
        check("2026-11-30T10:24:04Z", at, "");
        check("2026-11-30 10:24:04.5", at + 0.5, "");
        check("2026-11-30T11:24:04+01:00 x", at, " x");
        check("2026-11-30 05:24:04 -0500", at, "");
        check("2026/11/30 10:24:04", at, "");
        check("30.11.2026 10:24:04,814", at + 0.814, "");
        check("30/11/2026, 10:24:04 AM", at, "");
        check("Mon Nov 30 10:24:04 AM UTC 2026: PING", at, ": PING");
        check("Mon, 30 Nov 2026 10:24:04 GMT", at, "");
        check("20261130T102404Z", at, "");
        check("30.11.2026", at - 37_444.0, "");
        check("10:24:04 PING x", 37_444.0, " PING x");
        check("10:24:04.25", 37_444.25, "");
        check("12:05 am", 300.0, "");
        check("12:05 PM", 43_500.0, "");
        check("Jan 2 00:00:01 host", 86_401.0, " host");
        check("30-Nov-26 10:24:04 x", at, " x");
        check("30/Nov/2026:10:24:04 +0000", at, "");
        check("30. Nov. 2026 10:24:04", at, "");
        check("30. 11. 2026 10:24:04", at, "");
        check("Mo., 30.11.2026, 10:24:04", at, "");
        check("lun. 30 nov. 2026 10:24:04", at, "");
        check("mar. 30 juin 2026 10:24:04", at - 153.0 * 86_400.0, "");
        check("30 juil. 2026 10:24:04", at - 123.0 * 86_400.0, "");
        check("30 ноя. 2026 10:24:04", at, "");
        check("20261130 102404", at, "");
        check("20261130-102404 64", at, " 64");
        check("20261130 10:24:04", at, "");
        check("20261130102404", at, "");
        check("2026年11月30日 10:24:04", at, "");
        check("2026. 11. 30. 오전 10:24:04", at, "");
        check("2026/11/30 下午10:24:04", at + 43_200.0, "");
        check("30/11/2026 10:24:04 p. m.", at + 43_200.0, "");
        check("30/11/2026, 10:24:04\u{202f}PM", at + 43_200.0, "");
        check("30/11/2026 10:24:04\u{a0}a.\u{a0}m.", at, "");
    }

    #[test]
    fn the_order_of_day_and_month_is_told() {
        let us = whole(b"11/30/2026 10:24:04", Order::MonthFirst).unwrap();
        assert_eq!(us.ns, 1_796_034_244 * SECOND);
        assert_eq!(ambiguous(b"03/04/2026 1:00"), Some((3, 4)));
        assert_eq!(ambiguous(b"2026/04/03"), None);
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "64 bytes from",
            "192.0.2.1 x",
            "8.8.8.8",
            "2001:db8::1",
            "25:00:00",
            "12",
            "",
            "Request",
            "2026",
            "PING",
            "5 minutes ago",
            "ago. 5",
            "12 out of 15",
            "20261399102404",
        ] {
            assert_eq!(at_start(text.as_bytes(), Order::DayFirst), None, "{text}");
        }
    }
}

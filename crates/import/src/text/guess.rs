//! Text in one of the many encodings that have no mark: decoded in each, the one that reads best
//! is taken.
//!
//! What reads well is told without a dictionary. Letters stand beside letters of the same script;
//! small letters follow capitals and not the other way round; signs and lines stand between words
//! and not within them. In a language of Latin letters most letters are those of ASCII, in the
//! others hardly any.

use std::borrow::Cow;

use super::pages::PAGES;
use super::{Decoder, Encoding, Text, asia};

/// So much of the text is looked at.
const SAMPLE: usize = 1 << 16;

pub(super) fn decode(bytes: &[u8], decoder: Option<Decoder>) -> Text<'_> {
    let head = &bytes[..bytes.len().min(SAMPLE)];
    let mut best: Option<(i64, Encoding, [char; 128])> = None;
    for (encoding, page) in PAGES {
        let page = page_of(page);
        let score = score(head, &page);
        if score > 0 && best.as_ref().is_none_or(|(s, ..)| score > *s) {
            best = Some((score, *encoding, page));
        }
    }
    // About 3 a letter where all is well.
    let high = head.iter().filter(|b| !b.is_ascii()).count();
    let well = best.as_ref().is_some_and(|(score, ..)| *score >= 2 * i64::try_from(high).unwrap_or(i64::MAX));
    let pairs = asia::told(head).or_else(|| asia::likely(head).filter(|_| !well));
    let (encoding, text) = match (pairs, best) {
        (Some(pairs), _) => {
            let text = decoder.and_then(|decode| decode(pairs.web_label(), bytes));
            (pairs, text.unwrap_or_else(|| asia::undecoded(bytes, pairs)))
        }
        (None, Some((_, encoding, page))) => (encoding, by_page(bytes, &page)),
        (None, None) => (Encoding::Unknown, bytes.iter().map(|b| char::from(*b)).collect()),
    };
    Text { text: Cow::Owned(text), encoding }
}

fn page_of(text: &str) -> [char; 128] {
    let mut page = ['\u{fffd}'; 128];
    let mut at = 0;
    let mut between = false;
    for c in text.chars() {
        if c == '~' {
            between = true;
            continue;
        }
        // All up to this one, or this one.
        let first = if std::mem::take(&mut between) { u32::from(page[at - 1]) + 1 } else { u32::from(c) };
        for letter in first..=u32::from(c) {
            page[at] = char::from_u32(letter).unwrap_or(c);
            at += 1;
        }
    }
    page
}

fn by_page(bytes: &[u8], page: &[char; 128]) -> String {
    let mut out = String::with_capacity(bytes.len() + bytes.len() / 8);
    for b in bytes {
        out.push(if b.is_ascii() { char::from(*b) } else { page[usize::from(b & 0x7f)] });
    }
    out
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Thai,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Small(Script),
    Capital(Script),
    /// Of a script that has but one kind.
    Letter(Script),
    Sign,
    /// A line or a block of a drawing.
    Drawn,
    Nothing,
    Other,
}

impl Class {
    fn script(self) -> Option<Script> {
        match self {
            Self::Small(s) | Self::Capital(s) | Self::Letter(s) => Some(s),
            _ => None,
        }
    }
}

/// Told by ranges: the tables of all scripts would weigh more than the rest of this module.
fn class(c: char) -> Class {
    use Class::{Capital, Drawn, Letter, Nothing, Other, Sign, Small};
    use Script::{Arabic, Cyrillic, Greek, Hebrew, Latin, Thai};
    let n = u32::from(c);
    let even_is_capital = |flip: bool| if (n % 2 == 0) == flip { Small(Latin) } else { Capital(Latin) };
    match c {
        'a'..='z' | 'ß'..='ö' | 'ø'..='ÿ' | 'ơ' | 'ư' => Small(Latin),
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Ÿ' | 'Ơ' | 'Ư' => Capital(Latin),
        'Ĺ'..='ň' | 'Ź'..='ž' => even_is_capital(true),
        'Ā'..='ķ' | 'Ŋ'..='ŷ' | 'Ș'..='ț' => even_is_capital(false),
        'Ά' | 'Έ'..='Ώ' | 'Α'..='Ϋ' => Capital(Greek),
        'ΐ' | 'ά'..='ώ' => Small(Greek),
        'Ѐ'..='Я' | 'Ґ' => Capital(Cyrillic),
        'а'..='џ' | 'ґ' => Small(Cyrillic),
        'א'..='ת' => Letter(Hebrew),
        'ء'..='ي' | 'پ' | 'چ' | 'ژ' | 'گ' | 'ک' | 'ی' => Letter(Arabic),
        'ก'..='ฺ' | 'เ'..='๎' => Letter(Thai),
        '─'..='▟' => Drawn,
        '\u{fffd}' => Nothing,
        '\0'..='\u{7f}' | '\u{a0}' => Other,
        _ => Sign,
    }
}

/// How well the text reads in this page: about 3 for each letter that is not ASCII's.
fn score(bytes: &[u8], page: &[char; 128]) -> i64 {
    let character = |b: u8| if b.is_ascii() { char::from(b) } else { page[usize::from(b & 0x7f)] };
    let classes: [Class; 256] = std::array::from_fn(|b| class(character(u8::try_from(b).unwrap_or(0))));
    let at = |i: Option<usize>| i.and_then(|i| bytes.get(i)).copied();
    let of = |i: Option<usize>| at(i).map_or(Class::Other, |b| classes[usize::from(b)]);
    let mut counts = [0_u32; 128];
    let (mut sum, mut high) = (0, 0);
    for (i, b) in bytes.iter().enumerate().filter(|(_, b)| !b.is_ascii()) {
        high += 1;
        counts[usize::from(b & 0x7f)] += 1;
        let (last, next) = (i.checked_sub(1), Some(i + 1));
        let (before, here, after) = (of(last), classes[usize::from(*b)], of(next));
        let letters = before.script().is_some() || after.script().is_some();
        // The one sign that stands before a letter.
        let micro = character(*b) == 'µ' && before.script().is_none() && at(next) == Some(b's');
        sum += match here {
            _ if micro => 6,
            Class::Nothing => -12,
            Class::Drawn if letters => -6,
            Class::Sign if letters => -3,
            Class::Drawn | Class::Sign | Class::Other => -1,
            Class::Small(s) | Class::Capital(s) | Class::Letter(s) => {
                let foreign = [before, after].iter().filter(|c| c.script().is_some_and(|t| t != s)).count();
                let capital = matches!(here, Class::Capital(_));
                let late = capital && matches!(before, Class::Small(_));
                // Two such letters in a row are rare where most letters are those of ASCII.
                let not_ascii = |i| at(i).is_some_and(|b: u8| !b.is_ascii());
                let row = s == Script::Latin && (not_ascii(last) || not_ascii(next));
                let alone = !letters && s != Script::Cyrillic;
                // No word begins with these; Hebrew has its commonest letter in the place of one.
                let misplaced = before.script().is_none() && matches!(character(*b), 'ъ' | 'ь' | 'ы');
                3 - 4 * i64::try_from(foreign).unwrap_or(0)
                    - 5 * i64::from(late)
                    - 2 * i64::from(row)
                    - 2 * i64::from(alone)
                    - 8 * i64::from(misplaced)
                    - i64::from(capital)
            }
        };
    }
    let spelt = ALPHABETS.iter().map(|letters| {
        let in_it = |i: &usize| letters.contains(small(page[*i]));
        (0..128).filter(in_it).map(|i| i64::from(counts[i])).sum::<i64>()
    });
    let sum = sum + spelt.max().unwrap_or(0);
    if sum > high { sum } else { 0 }
}

/// The letters that languages add to those of ASCII: all of a text are of one language.
const ALPHABETS: &[&str] = &[
    "äöüßå",
    "éèàâçêëîïôûùüœæ",
    "áéíóúñü",
    "áâãàéêíóôõúç",
    "àèéìòù",
    "åäöæøé",
    "ąćęłńóśźż",
    "áčďéěíňóřšťúůýžäĺľôŕ",
    "áéíóöőúüű",
    "ăâîșțşţ",
    "çğıöşüâîi",
    "čćđšž",
    "ąčęėįšųūž",
    "āčēģīķļņšūž",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ",
    "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώ",
    "אבגדהוזחטיכלמנסעפצקרשתךםןףץ",
    "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةأإآءئؤ",
];

/// The small letter, where that takes no table.
fn small(c: char) -> char {
    let n = u32::from(c);
    let small = match class(c) {
        Class::Capital(Script::Latin) if n < 0x100 => n + 32,
        Class::Capital(Script::Latin) => n + 1,
        Class::Capital(Script::Cyrillic) if n < 0x410 => n + 80,
        Class::Capital(Script::Cyrillic | Script::Greek) => n + 32,
        _ => n,
    };
    char::from_u32(small).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each text, written in the encoding, is read as it was meant.
    fn check(encoding: Encoding, texts: &[&str]) {
        let page = page_of(PAGES.iter().find(|(e, _)| *e == encoding).unwrap().1);
        for text in texts {
            let place =
                |c: char| page.iter().position(|p| *p == c).unwrap_or_else(|| panic!("{c} in {text}"));
            let bytes: Vec<u8> = text
                .chars()
                .map(|c| if c.is_ascii() { c as u8 } else { 128 + u8::try_from(place(c)).unwrap() })
                .collect();
            let read = decode(&bytes, None);
            assert_eq!((&*read.text, read.encoding), (*text, encoding));
        }
    }

    #[test]
    fn the_pages_are_those_of_encoding_rs() {
        let mut known = 0;
        for (encoding, page) in PAGES {
            let label = encoding
                .label()
                .to_ascii_lowercase()
                .replace("windows ", "windows-")
                .replace("code page ", "ibm");
            let Some(theirs) = encoding_rs::Encoding::for_label(label.as_bytes()) else { continue };
            known += 1;
            for (byte, ours) in (128..=255).zip(page_of(page)) {
                // The standard fills what Microsoft left free with control characters.
                let theirs = theirs.decode_without_bom_handling(&[byte]).0.into_owned();
                let theirs = theirs.chars().next().filter(|c| !c.is_control()).unwrap_or('\u{fffd}');
                assert_eq!(ours, theirs, "{encoding:?} {byte:#x}");
            }
        }
        assert_eq!(known, 12);
    }

    #[test]
    fn what_windows_prints_is_read_in_its_page() {
        use Encoding::{Cp737, Cp850, Cp852, Cp857, Cp866};
        check(
            Cp850,
            &[
                "Ping wird ausgeführt für 192.0.2.1 mit 32 Bytes Daten:",
                "Zeitüberschreitung der Anforderung.",
                "Réponse de 192.0.2.1 : octets=32 temps=6 ms TTL=53",
                "Délai d'attente de la demande dépassé.",
                "Estadísticas de ping para 192.0.2.1: Mínimo = 14ms, Máximo = 15ms",
                "Begäran gjorde timeout.",
                "Esgotado o tempo limite do pedido. Mínimo = 1ms, Média = 2ms, Estatísticas",
            ],
        );
        check(
            Cp866,
            &[
                "Ответ от 192.0.2.1: число байт=32 время=37мс TTL=55",
                "Превышен интервал ожидания для запроса.",
                "Обмен пакетами с 192.0.2.1 по с 32 байтами данных:",
            ],
        );
        check(
            Cp852,
            &[
                "Odpowiedź z 192.0.2.1: bajtów=32 czas=37ms TTL=55 Upłynął limit czasu żądania.",
                "Vypršel časový limit žádosti. Odpověď od 192.0.2.1: bajty=32 čas < 1ms TTL=64",
                "Válasz 192.0.2.1: bájt=32 idő=37 ms TTL=55 A kérésre nem érkezett válasz a határidőn belül.",
            ],
        );
        check(Cp857, &["192.0.2.1 cevabı: bayt=32 süre=37ms TTL=55 İstek zaman aşımına uğradı."]);
        check(Cp737, &["Απάντηση από 192.0.2.1: byte=32 χρόνος=37ms TTL=55"]);
    }

    #[test]
    fn what_was_saved_on_windows_is_read_in_its_page() {
        use Encoding::{
            Koi8R, Windows874, Windows1250, Windows1251, Windows1252, Windows1253, Windows1254, Windows1255,
            Windows1256,
        };
        check(
            Windows1252,
            &["Größe;Verzögerung", "durée;délai (ms)", "tamaño;latencia máxima", "rtt [µs]", "1;2 µs"],
        );
        check(Windows1251, &["Ответ от 192.0.2.1: число байт=32 время=37мс TTL=55", "время;задержка, мс"]);
        check(Windows1250, &["opóźnienie;czas żądania", "časový limit žádosti vypršel"]);
        check(Windows1253, &["Απάντηση από 192.0.2.1: byte=32 χρόνος=37ms TTL=55"]);
        check(Windows1254, &["192.0.2.1 cevabı: bayt=32 süre=37ms TTL=55 İstek zaman aşımına uğradı."]);
        check(Windows1255, &["תשובה מ 192.0.2.1: בתים=32 זמן=37ms"]);
        check(Windows1256, &["رد من 192.0.2.1: بايت=32 الوقت=37 TTL=55"]);
        check(Windows874, &["ตอบกลับจาก 192.0.2.1: ไบต์=32 เวลา=37"]);
        check(Koi8R, &["Ответ от 192.0.2.1: число байт=32 время=37мс TTL=55"]);
    }

    #[test]
    fn what_reads_nowhere_is_taken_byte_by_byte() {
        let text = decode(b"\xb1\xff\xb2\xdb\xdc 192.0.2.1", None);
        assert_eq!((&*text.text, text.encoding), ("±ÿ²ÛÜ 192.0.2.1", Encoding::Unknown));
    }
}

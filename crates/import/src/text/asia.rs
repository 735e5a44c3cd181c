//! Two-byte encodings of East Asia: told by which bytes stand in pairs, and by the words that
//! files of delays have.
//!
//! Their tables would weigh more than all else here, and each system has them: who calls hands in a
//! [`Decoder`]. Without one every pair is shown as U+FFFD; figures and structure are read all the
//! same.

use super::Encoding;

/// Bytes of an encoding, named as the WHATWG's standard names it, to text. `None`: it does not know
/// the encoding. In a browser that is `TextDecoder`, elsewhere `encoding_rs`.
pub type Decoder = fn(&str, &[u8]) -> Option<String>;

/// The encodings, each with words of four bytes: time, delay, loss, octets, answer, from, number.
const WORDS: &[(Encoding, &[u32])] = &[
    (Encoding::ShiftJis, &[0x8e9e_8ad4, 0x9278_8984, 0x899e_939a, 0x899d_959c, 0x91b9_8eb8]),
    (Encoding::EucJp, &[0xbbfe_b4d6, 0xc3d9_b1e4, 0xb1fe_c5fa]),
    (
        Encoding::Gbk,
        &[
            0xcab1_bce4,
            0xd1d3_b3d9,
            0xb6aa_b0fc,
            0xd7d6_bdda,
            0xc0b4_d7d4,
            0xd0f2_bac5,
            0xcdf9_b7b5,
            0xbbd8_b8b4,
            0xc7eb_c7f3,
        ],
    ),
    (Encoding::Big5, &[0xaec9_b6a1, 0xa9b5_bff0, 0xa65e_c2d0, 0xa6ec_a4b8, 0xad6e_a844, 0xa8d3_a65e]),
    (
        Encoding::EucKr,
        &[
            0xbdc3_b0a3,
            0xc1f6_bfac,
            0xbcd5_bdc7,
            0xc0c0_b4e4,
            0xb9d9_c0cc,
            0xbfd5_bab9,
            0xb9f8_c8a3,
            0xbfe4_c3bb,
            0xb4cf_b4d9,
        ],
    ),
];

/// The encoding whose words the text has, or that is full of kana or of Hangul.
pub(super) fn told(bytes: &[u8]) -> Option<Encoding> {
    let mut best = None;
    for (encoding, words) in WORDS {
        let Some(pairs) = pairs(bytes, *encoding) else { continue };
        let is_word = |w: &[u8]| words.contains(&u32::from_be_bytes([w[0], w[1], w[2], w[3]]));
        let found = bytes.windows(4).filter(|w| !w[0].is_ascii() && is_word(w)).count();
        let full = match encoding {
            Encoding::EucKr => pairs.common >= 8 && pairs.common * 10 >= pairs.all * 9,
            _ => pairs.kana > 1 && pairs.kana * 5 >= pairs.all,
        };
        let found = found + if full { pairs.all / 4 } else { 0 };
        if found > best.map_or(0, |(n, _)| n) {
            best = Some((found, *encoding));
        }
    }
    best.map(|(_, encoding)| encoding)
}

/// The encoding that the text seems to have.
pub(super) fn likely(bytes: &[u8]) -> Option<Encoding> {
    let share = |encoding, tenths| {
        let pairs = pairs(bytes, encoding)?;
        (pairs.all > 0 && pairs.common * 10 >= pairs.all * tenths).then_some(encoding)
    };
    share(Encoding::EucKr, 9)
        .or_else(|| {
            share(Encoding::Big5, 9).filter(|_| pairs(bytes, Encoding::Gbk).is_none_or(|p| p.low > 0))
        })
        .or_else(|| share(Encoding::Gbk, 7))
        .or_else(|| share(Encoding::ShiftJis, 9))
}

/// Without a decoder.
pub(super) fn undecoded(bytes: &[u8], encoding: Encoding) -> String {
    let mut out = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(b) = rest.first() {
        let length = length(rest, encoding).unwrap_or(1);
        out.push(if b.is_ascii() { char::from(*b) } else { char::REPLACEMENT_CHARACTER });
        rest = &rest[length.min(rest.len())..];
    }
    out
}

/// What the pairs of a text are.
#[derive(Debug, Default)]
struct Pairs {
    all: usize,
    kana: usize,
    /// Of the letters that are most in use, and punctuation.
    common: usize,
    /// Those whose second byte is one of ASCII.
    low: usize,
}

/// `None`: the text is not of this encoding.
fn pairs(bytes: &[u8], encoding: Encoding) -> Option<Pairs> {
    let mut pairs = Pairs::default();
    let mut rest = bytes;
    while let Some(lead) = rest.first() {
        let length = length(rest, encoding)?;
        let Some(trail) = rest.get(1).filter(|_| length == 2) else {
            rest = &rest[1..];
            continue;
        };
        pairs.all += 1;
        pairs.low += usize::from(trail.is_ascii());
        let (kana, common) = match encoding {
            Encoding::ShiftJis => (
                *lead == 0x82 && *trail >= 0x9f || *lead == 0x83 && *trail <= 0x96,
                (0x88..=0x98).contains(lead),
            ),
            Encoding::EucJp => (matches!(lead, 0xa4 | 0xa5), (0xb0..=0xcf).contains(lead)),
            // The first level, which is in the order of sounds.
            Encoding::Gbk => (false, (0xb0..=0xd7).contains(lead) && *trail >= 0xa1),
            Encoding::Big5 => (false, (0xa4..=0xc6).contains(lead)),
            // All of Hangul that is in use.
            _ => (false, (0xb0..=0xc8).contains(lead) && *trail >= 0xa1),
        };
        pairs.kana += usize::from(kana);
        pairs.common += usize::from(common || kana || *lead <= 0xa3 && encoding != Encoding::ShiftJis);
        rest = &rest[2..];
    }
    Some(pairs)
}

/// How many bytes the first letter takes. `None`: none begins so.
fn length(text: &[u8], encoding: Encoding) -> Option<usize> {
    let lead = *text.first()?;
    let (leads, low, high) = match encoding {
        _ if lead.is_ascii() => return Some(1),
        // Katakana of half the width.
        Encoding::ShiftJis if (0xa1..=0xdf).contains(&lead) => return Some(1),
        Encoding::ShiftJis => (0x81..=0xfc, 0x40, 0x80),
        Encoding::EucJp if lead == 0x8e => (0x8e..=0x8e, 0xa1, 0xa1),
        // Greek and Cyrillic letters have no place among kana.
        Encoding::EucJp if (0xa6..0xb0).contains(&lead) => return None,
        Encoding::EucJp => (0xa1..=0xf4, 0xa1, 0xa1),
        Encoding::Big5 => (0xa1..=0xf9, 0x40, 0xa1),
        // Microsoft's extension of EUC-KR puts the rest of Hangul where EUC has nothing.
        Encoding::EucKr => (0x81..=0xfe, 0x41, 0x81),
        _ => (0x81..=0xfe, 0x40, 0x80),
    };
    // A text may be cut within its last letter.
    let fits = |trail: u8| (low..0x7f).contains(&trail) || (high..0xff).contains(&trail);
    (leads.contains(&lead) && text.get(1).is_none_or(|t| fits(*t))).then_some(2)
}

#[cfg(test)]
mod tests {
    use super::super::{Encoding, decode_with};

    fn decoder(label: &str, bytes: &[u8]) -> Option<String> {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes())?;
        Some(encoding.decode_without_bom_handling(bytes).0.into_owned())
    }

    /// Each text, written in the encoding, is read as it was meant.
    fn check(encoding: Encoding, texts: &[&str]) {
        let theirs = encoding_rs::Encoding::for_label(encoding.web_label().as_bytes()).unwrap();
        for text in texts {
            let (bytes, _, failed) = theirs.encode(text);
            assert!(!failed, "{text}");
            let read = decode_with(&bytes, Some(decoder));
            assert_eq!((&*read.text, read.encoding), (*text, encoding));
            let blind = decode_with(&bytes, None);
            let ascii = |text: &str| text.chars().filter(char::is_ascii).collect::<String>();
            assert_eq!((ascii(&blind.text), blind.encoding), (ascii(text), encoding));
        }
    }

    #[test]
    fn what_windows_prints_in_east_asia_is_told_apart() {
        check(
            Encoding::ShiftJis,
            &[
                "192.0.2.1 に ping を送信しています 32 バイトのデータ:",
                "192.0.2.1 からの応答: バイト数 =32 時間 =37ms TTL=55",
                "要求がタイムアウトしました。",
                "時間,遅延(ms)\n0,12.5\n",
                "時間=20.0 ミリ秒",
                "番号,往復時間\n1,2\n",
                "64 バイト応答 送信元 192.0.2.1: icmp_seq=1 ttl=57 時間=20.0ミリ秒",
            ],
        );
        check(
            Encoding::Gbk,
            &[
                "正在 Ping 192.0.2.1 具有 32 字节的数据:",
                "来自 192.0.2.1 的回复: 字节=32 时间=37ms TTL=55",
                "请求超时。",
                "无法访问目标主机。",
                "时间,延迟\n0,12.5\n",
                "序号;往返时间（毫秒）\n1;2\n",
            ],
        );
        check(
            Encoding::Big5,
            &[
                "Ping 192.0.2.1 (使用 32 位元組的資料):",
                "回覆自 192.0.2.1: 位元組=32 時間=37ms TTL=55",
                "要求等候逾時。",
                "時間,延遲\n0,12.5\n",
            ],
        );
        check(
            Encoding::EucKr,
            &[
                "Ping 192.0.2.1 32바이트 데이터 사용:",
                "192.0.2.1의 응답: 바이트=32 시간=37ms TTL=55",
                "요청 시간이 만료되었습니다.",
                "대상 호스트에 연결할 수 없습니다.",
                "시간,지연\n0,12.5\n",
            ],
        );
        check(Encoding::EucJp, &["64 バイト応答 送信元 192.0.2.1: icmp_seq=1 ttl=57 時間=20.0ミリ秒"]);
    }
}

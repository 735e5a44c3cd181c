//! What the name of a column says: its role and its unit.

use super::Unit;
use super::rows::Record;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Delay,
    Time,
    Octets,
    Seq,
    /// 1 means lost.
    Loss,
    /// 1 means answered.
    Answered,
    /// Whom the probe was sent to.
    Target,
    /// Known, and of no use here.
    Other,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a finding of its own")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Name {
    pub(super) role: Option<Role>,
    pub(super) unit: Option<Unit>,
    /// How far its delays are from those of single packets: 0 where nothing else is said, more of medians,
    /// of columns that are numbered, of means, of extremes.
    pub(super) rank: u8,
    /// A unit and nothing else.
    pub(super) bare: bool,
    /// When a packet left, rather than when its answer came.
    pub(super) sent: bool,
    /// When its answer came.
    pub(super) arrived: bool,
    /// How long something took, or how long ago all began.
    pub(super) elapsed: bool,
    /// What was measured: delays, and more.
    pub(super) quantity: bool,
}

impl Name {
    /// How far from the delays of single packets something is that is called so: 0 is nearest.
    pub(super) fn likeness(self) -> u8 {
        match self {
            name if name.role == Some(Role::Delay) => name.rank,
            name if name.unit.is_some() => u8::MAX - 1,
            _ => Self::UNLIKE,
        }
    }

    /// Nothing says that it is a delay.
    pub(super) const UNLIKE: u8 = u8::MAX;

    pub(super) fn says_something(self) -> bool {
        self.role.is_some() || self.unit.is_some()
    }
}

/// In the order in which they decide: `packet_size` is a length, `ping_seq` a number. The words of
/// the last three decide only where there is no other.
const ROLES: &[(Role, &[&str])] = &[
    (
        Role::Other,
        &[
            "ttl",
            "hlim",
            "src",
            "hop",
            "port",
            "packets",
            "pkts",
            "speed",
            "download",
            "upload",
            "bandwidth",
            "throughput",
            "coverage",
            "jitter",
        ],
    ),
    (
        Role::Target,
        &[
            "host",
            "hostname",
            "target",
            "addr",
            "address",
            "ip",
            "dst",
            "dest",
            "destination",
            "server",
            "url",
            "instance",
            "endpoint",
            "peer",
            "site",
            "region",
            "location",
            "device",
            "name",
            "series",
            "metric",
            "field",
            "key",
            "item",
            "quantity",
            "measure",
            "variable",
            "ziel",
            "cible",
            "destino",
            "адрес",
            "хост",
            "主机",
            "目标",
        ],
    ),
    (
        Role::Octets,
        &[
            "octets",
            "octet",
            "bytes",
            "byte",
            "size",
            "length",
            "len",
            "payload",
            "größe",
            "groesse",
            "länge",
            "laenge",
            "taille",
            "tamaño",
            "bajty",
            "байт",
            "размер",
            "サイズ",
            "大小",
        ],
    ),
    (
        Role::Seq,
        &[
            "seq", "sequence", "sequenz", "nr", "no", "№", "#", "idx", "index", "id", "icmpseq", "序号",
            "番号", "编号",
        ],
    ),
    (
        Role::Loss,
        &["lost", "loss", "timeout", "timed", "dropped", "drop", "error", "err", "exit", "verloren", "perdu"],
    ),
    (
        Role::Answered,
        &[
            "status",
            "state",
            "outcome",
            "ok",
            "success",
            "answered",
            "alive",
            "reachable",
            "reached",
            "online",
            "responded",
            "erreichbar",
            "erfolg",
            "beantwortet",
            "joignable",
            "répondu",
            "réussi",
            "alcanzable",
            "éxito",
            "статус",
            "状态",
        ],
    ),
    (
        Role::Delay,
        &[
            "rtt",
            "rtts",
            "srtt",
            "delay",
            "delays",
            "latency",
            "latencies",
            "lat",
            "ping",
            "pings",
            "resptime",
            "owd",
            "roundtrip",
            "trip",
            "response",
            "elapsed",
            "duration",
            "laufzeit",
            "verzögerung",
            "verzoegerung",
            "latenz",
            "antwortzeit",
            "dauer",
            "latence",
            "délai",
            "delai",
            "latencia",
            "latência",
            "retardo",
            "retraso",
            "latenza",
            "ritardo",
            "opóźnienie",
            "задержка",
            "延迟",
            "往返时间",
            "延遲",
            "遅延",
            "往復時間",
            "지연",
            "지연시간",
            "响应",
            "响应时间",
            "応答時間",
            "réponse",
            "respuesta",
            "resposta",
            "risposta",
            "vertraging",
            "fördröjning",
            "svarstid",
            "svartid",
            "forsinkelse",
            "viive",
            "gecikme",
            "odezva",
            "zpoždění",
            "késleltetés",
            "затримка",
            "отклик",
            "median",
        ],
    ),
    (
        Role::Time,
        &[
            "time",
            "timestamp",
            "ts",
            "t",
            "date",
            "datetime",
            "epoch",
            "sent",
            "send",
            "when",
            "clock",
            "start",
            "utc",
            "unixtime",
            "unix",
            "zeit",
            "zeitstempel",
            "zeitpunkt",
            "datum",
            "uhrzeit",
            "temps",
            "heure",
            "horodatage",
            "fecha",
            "hora",
            "tiempo",
            "ora",
            "czas",
            "tid",
            "tijd",
            "zaman",
            "čas",
            "время",
            "дата",
            "時刻",
            "日時",
            "时间",
            "時間",
            "시간",
        ],
    ),
    (
        Role::Seq,
        &["n", "i", "num", "number", "nummer", "probe", "packet", "pkt", "row", "slice", "count", "sample"],
    ),
    (Role::Answered, &["received", "recv", "result"]),
    (Role::Delay, &["value", "val", "wert", "valeur", "valor", "значение", "值"]),
];

/// Words of columns that are not single packets', by rank.
const RANKS: [(u8, &[&str]); 3] = [
    (1, &["median", "p50"]),
    (3, &["avg", "average", "mean", "mittelwert", "moyenne", "media", "value"]),
    (
        4,
        &[
            "min",
            "minimum",
            "max",
            "maximum",
            "std",
            "stddev",
            "stdev",
            "mdev",
            "sd",
            "var",
            "deviation",
            "jitter",
            "p90",
            "p95",
            "p99",
            "best",
            "wrst",
            "worst",
            "low",
            "high",
        ],
    ),
];

/// The rank of a column that has a number: one of several.
const NUMBERED: u8 = 2;

/// What curl's times are of: `time_total`, always in seconds.
const CURL: &[&str] =
    &["total", "connect", "namelookup", "appconnect", "pretransfer", "starttransfer", "redirect"];

pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "s" | "sec" | "secs" | "second" | "seconds" | "sekunden" | "с" | "сек" | "秒" => Unit::Seconds,
        "ms" | "msec" | "msecs" | "milli" | "millis" | "millisecond" | "milliseconds" | "millisekunden"
        | "мс" | "毫秒" | "ミリ秒" | "밀리초" => Unit::Millis,
        "us" | "µs" | "μs" | "usec" | "usecs" | "micro" | "micros" | "microsecond" | "microseconds"
        | "мкс" => Unit::Micros,
        "ns" | "nsec" | "nano" | "nanos" | "nanosecond" | "nanoseconds" => Unit::Nanos,
        _ => return None,
    })
}

pub(super) fn read(name: &str) -> Name {
    let words = words(name);
    if let [time, phase] = &words[..]
        && time == "time"
        && CURL.contains(&phase.as_str())
    {
        return Name { role: Some(Role::Delay), unit: Some(Unit::Seconds), ..Name::default() };
    }
    let mut found = Name::default();
    let mut known = Vec::with_capacity(words.len());
    for word in &words {
        let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let time = word.strip_suffix("time").unwrap_or_default();
        if word == "tcprtt" {
            // Of iperf 2.
            (found.unit, found.rank) = (Some(Unit::Micros), 0);
            known.push("rtt");
        } else if word == "icmppingsec" {
            // Of Zabbix.
            found.unit = Some(Unit::Seconds);
            known.push("ping");
        } else if word.ends_with("rtt") {
            known.push("rtt");
        } else if is_delay(stem) && stem.len() < word.len() {
            found.rank = NUMBERED;
            known.push(stem);
        } else if is_delay(time) {
            known.push(time);
        } else if let Some(unit) = unit(word) {
            found.unit = Some(unit);
        } else if let Some((stem, unit)) = glued(word) {
            found.unit = Some(unit);
            known.push(stem);
        } else {
            known.push(word);
        }
    }
    let has = |list: &[&str]| known.iter().any(|w| list.contains(w));
    let mut roles = ROLES.iter().filter(|(_, list)| has(list)).map(|(role, _)| *role);
    found.role = match roles.next() {
        // `server_rtt_ms`: not who answered, but how fast.
        Some(Role::Target) => {
            let figure = roles.find(|role| matches!(role, Role::Delay | Role::Time));
            figure.or(Some(Role::Target).filter(|_| found.unit.is_none()))
        }
        role => role,
    };
    found.rank = RANKS.iter().find(|(_, list)| has(list)).map_or(found.rank, |(rank, _)| *rank);
    found.sent = has(&["sent", "send", "pub", "start", "tx", "request"]);
    found.arrived =
        has(&["received", "receive", "recv", "rcvd", "rx", "arrival", "arrived", "end", "reply", "response"]);
    found.elapsed = has(&["elapsed", "duration", "dauer"]);
    found.quantity =
        name == "__name__" || has(&["metric", "field", "key", "item", "quantity", "measure", "variable"]);
    // Not the way up: `up`, `is_up`.
    if matches!(&known[..], ["up"] | ["is", "up"]) {
        found.role = Some(Role::Answered);
    }
    // Of WebRTC's statistics.
    if words.ends_with(&["round", "trip", "time"].map(str::to_owned)) && name.ends_with("RoundTripTime") {
        found.unit = found.unit.or(Some(Unit::Seconds));
    }
    found.bare = known.is_empty() && found.unit.is_some();
    found
}

/// Whether letters alone name a delay, or its mean.
pub(super) fn is_delay_name(name: &[u8]) -> bool {
    let name = std::str::from_utf8(name).unwrap_or_default();
    name.bytes().all(|b| b.is_ascii_alphabetic()) && (matches!(name, "rta" | "time") || is_delay(name))
}

fn is_delay(word: &str) -> bool {
    word.len() > 2 && ROLES.iter().any(|(role, list)| *role == Role::Delay && list.contains(&word))
}

/// The unit that a field is, bare or in brackets.
pub(super) fn unit_of(field: &[u8]) -> Option<Unit> {
    let bare = match field {
        [b'(', inner @ .., b')'] | [b'[', inner @ .., b']'] => inner,
        _ => field,
    };
    unit(std::str::from_utf8(&bare.to_ascii_lowercase()).ok()?)
}

/// Whether a row gives the units of the columns named above it.
pub(super) fn are_units(row: &Record<'_>) -> bool {
    row.iter().any(|f| unit_of(f).is_some()) && !row.iter().any(|f| f.iter().any(u8::is_ascii_digit))
}

/// `rttms`: a word that is known, with a unit at its end.
fn glued(word: &str) -> Option<(&str, Unit)> {
    let at = word.len().checked_sub(2).filter(|i| word.is_char_boundary(*i))?;
    let (stem, end) = word.split_at(at);
    let known = ROLES.iter().any(|(_, list)| list.contains(&stem)) && stem.len() > 1;
    unit(end).filter(|_| known).map(|unit| (stem, unit))
}

/// `sentTimeMs`, `RTT [ms]`, `pub_time(ms)`: the words in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut lower_before = false;
    for c in name.chars().take(200) {
        let part = is_letter(c) || matches!(c, '#' | '№');
        if (!part || (c.is_ascii_uppercase() && lower_before)) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if part {
            word.push(lower(c));
        }
        lower_before = c.is_ascii_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Letters and digits, roughly: of what is not ASCII all but punctuation.
fn is_letter(c: char) -> bool {
    let sign = |c| matches!(c, '\u{80}'..='´' | '¶'..='¹' | '»'..='¿' | '×' | '÷' | '\u{2000}'..='\u{2bff}');
    let wide = |c| matches!(c, '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{ff00}'..='\u{ff65}' | '\u{fffd}');
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { !sign(c) && !wide(c) }
}

/// The small letter, of the alphabets whose words are known. The tables of all would weigh more
/// than the rest of this module.
fn lower(c: char) -> char {
    match c {
        'À'..='Þ' | 'А'..='Я' => char::from_u32(u32::from(c) + 32).unwrap_or(c),
        _ => c.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, role: Option<Role>, unit: Option<Unit>) {
        let got = read(name);
        assert_eq!((got.role, got.unit), (role, unit), "{name}");
    }

    #[test]
    fn names_tell_role_and_unit() {
        use Role::{Answered, Delay, Loss, Octets, Other, Seq, Target, Time};
        let (s, ms, us) = (Some(Unit::Seconds), Some(Unit::Millis), Some(Unit::Micros));
        check("delay_ms", Some(Delay), ms);
        check("RTT [ms]", Some(Delay), ms);
        check("rttUs", Some(Delay), us);
        check("rttms", Some(Delay), ms);
        check("latency", Some(Delay), None);
        check("Round-trip time (µs)", Some(Delay), us);
        check("ms", None, ms);
        check("sent_s", Some(Time), s);
        check("t_s", Some(Time), s);
        check("pub_time(ms)", Some(Time), ms);
        check("timestamp", Some(Time), None);
        check("Zeit", Some(Time), None);
        check("Größe", Some(Octets), None);
        check("LÄNGE", Some(Octets), None);
        check("Задержка (МС)", Some(Delay), ms);
        check("icmp_seq", Some(Seq), None);
        check("Nr", Some(Seq), None);
        check("slice", Some(Seq), None);
        check("packet_size", Some(Octets), None);
        check("packet_loss", Some(Loss), None);
        check("status", Some(Answered), None);
        check("ttl", Some(Other), None);
        check("n0_n1_s", None, s);
        check("utmX(m)", None, None);
        check("time_total", Some(Delay), s);
        check("time_start", Some(Time), None);
        check("", None, None);
        check("tcprtt", Some(Delay), us);
        check("ping12", Some(Delay), None);
        check("pingtime", Some(Delay), None);
        check("timed_out", Some(Loss), None);
        check("All packets", Some(Other), None);
        check("metric_value", Some(Delay), None);
        check("server_rtt_ms", Some(Delay), ms);
        check("ping to server (ms)", Some(Delay), ms);
        check("server_time", Some(Time), None);
        check("host_ms", None, ms);
        check("host", Some(Target), None);
        let rank = |name: &str| read(name).rank;
        let ranks = ["rtt", "median", "ping1", "avg_rtt", "rtt_min"].map(rank);
        assert_eq!(ranks, [0, 1, 2, 3, 4]);
        assert!(read("rx_time").arrived && !read("tx_time").arrived);
        assert!(read("sent_at").sent);
        assert!(read("[ms]").bare && !read("a_ms").bare);
    }

    #[test]
    fn no_word_has_two_roles() {
        let all: Vec<_> = ROLES.iter().flat_map(|(_, list)| *list).collect();
        for (i, word) in all.iter().enumerate() {
            assert!(!all[..i].contains(word), "{word}");
            assert_eq!(unit(word), None, "{word}");
        }
    }
}

//! Sentences that have no structure to be told by. They help where structure does not: in a run on
//! Windows any sentence among the replies is a probe without one.

use crate::lines::Line;

/// How headings begin.
pub(super) const HEADING: &[&str] = &["PING ", "ПІНГ ", "Ping(ICMP) "];

/// How the name of a sequence number ends; the last is a translation's slip.
pub(super) const SEQUENCE: &[&str] = &["seq", "icmp_req", "sequence", "pořadí", "icmp_sql"];

/// How lines begin that say: no answer. The first of each run of languages is English.
const SILENCE: &[&str] = &[
    "Request timed out",
    "Request Timed Out",
    "Request time out",
    "General failure",
    "Hardware error",
    "Destination host unreachable",
    "Destination net unreachable",
    "Zeitüberschreitung der Anforderung",
    "Allgemeiner Fehler",
    "Délai d'attente de la demande dépassé",
    "Délai d’attente de la demande dépassé",
    "Tiempo de espera agotado para esta solicitud",
    "Error general",
    "Richiesta scaduta",
    "Esgotado o tempo limite do pedido",
    "Time-out bij opdracht",
    "Upłynął limit czasu żądania",
    "Vypršel časový limit žádosti",
    "Begäran gjorde timeout",
    "Pyyntö aikakatkaistiin",
    "Anmodning fik timeout",
    "İstek zaman aşımına uğradı",
    "Превышен интервал ожидания для запроса",
    "要求がタイムアウトしました",
    "请求超时",
    "要求等候逾時",
    "요청 시간이 만료되었습니다",
];

/// How lines begin in which a tool reports that it could not measure.
const COMPLAINTS: &[&str] = &[
    "ping: ",
    "ping6: ",
    "ping4: ",
    "connect: ",
    "Ping request could not find host",
    "Unable to contact IP driver",
    "unknown host",
];

/// How lines begin that say nothing about a probe.
const ASIDES: &[&str] = &[
    "pipe ",
    "PATTERN:",
    "PATTERN: ",
    "WARNING:",
    "Warning: time of day goes back",
    "wrong data byte",
    "#",
    "variance = ",
    "ai->",
    "RTT[ms]:",
    "RR:",
    "TS:",
    "(same route)",
    "Route:",
    "Timestamp:",
    "Unrecorded hops",
    "Control-C",
    "Control-Break",
    "^C",
    "^Z",
    "-- somebody's printing up packets",
];

/// Whether a line begins as those do that say: no answer.
pub(super) fn is_silence(line: &[u8]) -> bool {
    SILENCE.iter().any(|p| line.starts_with(p.as_bytes()))
}

pub(super) fn known(line: &[u8]) -> Option<Line<'_>> {
    let begins = |list: &[&str]| list.iter().any(|p| line.starts_with(p.as_bytes()));
    if begins(COMPLAINTS) {
        Some(Line::Complaint)
    } else if is_silence(line) {
        Some(Line::Silence(None))
    } else if line.starts_with(b"Vr HL TOS") {
        Some(Line::DumpHead)
    } else {
        begins(ASIDES).then_some(Line::Aside)
    }
}

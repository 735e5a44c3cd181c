//! Text that is told by its structure and not read yet, and what to do with each.
//!
//! A pattern is a whole line, blanks around it left out: `*` is anything, `#` is digits, `@` is a
//! count of seconds since 1970, a blank is any number of blanks, and `~` is two or more numbers or
//! dashes up to the end. JSON is told by the names that stand in it.

use crate::error::{ErrorKind, ImportError};
use crate::input::Input;
use crate::text::find;

struct Known {
    what: &'static str,
    marks: Marks,
    advice: &'static str,
}

enum Marks {
    /// One of the first lines is like one of these.
    Lines(&'static [&'static str]),
    /// JSON with all of these in it.
    Json(&'static [&'static str]),
}
use Marks::{Json, Lines};

const TABLE: &str = "write its delays into a CSV file, a row for each packet, and open that";
const PING: &str = "run ping to the same host and open what that prints";

const KNOWN: &[Known] = &[
    Known {
        what: "what fping prints",
        marks: Lines(&[
            "*: [#], # bytes, *ms (*% loss)*",
            "*: [#], timed out (*% loss)",
            "* : duplicate for [#], # bytes, *ms*",
            "* : xmt/rcv/%loss = #/#/#%*",
            "* : ~",
        ]),
        advice: TABLE,
    },
    Known {
        what: "what mtr prints",
        marks: Lines(&[
            "Mtr_Version,*",
            "MTR.#.#*;*;*",
            "HOST: * Loss% Snt *",
            "#.|-- *",
            "h # #.#.#.#",
            "<MTR *",
        ]),
        advice: PING,
    },
    Known { what: "what Trippy prints", marks: Lines(&["Target,TargetIp,Hop,*"]), advice: PING },
    Known {
        what: "what traceroute prints",
        marks: Lines(&["traceroute to *, # hops max*", "Tracing route to *"]),
        advice: PING,
    },
    Known {
        what: "what a Cisco router's ping prints",
        marks: Lines(&["Sending #, #-byte ICMP Echos to *", "Success rate is # percent (#/#)*"]),
        advice: "run ping on a computer and open what that prints",
    },
    Known {
        what: "what a MikroTik router's ping prints",
        marks: Lines(&["*HOST SIZE TTL TIME *"]),
        advice: "write the columns SEQ and TIME into a CSV file and open that",
    },
    Known { what: "what ss -ti prints", marks: Lines(&["* rto:#* rtt:#*/#*"]), advice: TABLE },
    Known { what: "what rrdtool fetch prints", marks: Lines(&["@: ~"]), advice: TABLE },
    Known {
        what: "JSON of a RIPE Atlas measurement",
        marks: Json(&["\"msm_id\"", "\"prb_id\""]),
        advice: "list its delays with jq '.[].result[].rtt' and open that list",
    },
    Known { what: "JSON of fping", marks: Json(&["\"resp\"", "\"rtt\""]), advice: TABLE },
    Known {
        what: "JSON of irtt",
        marks: Json(&["\"irtt\"", "\"protocol\""]),
        advice: "list its delays with jq '.round_trips[].delay.rtt' and open that list, which is in ns",
    },
    Known { what: "JSON of mtr", marks: Json(&["\"mtr\"", "\"hubs\""]), advice: PING },
    Known { what: "JSON of iperf3", marks: Json(&["\"iperf 3"]), advice: TABLE },
    Known { what: "JSON of Flent", marks: Json(&["\"metadata\"", "\"STEP_SIZE\""]), advice: TABLE },
    Known { what: "JSON of qlog", marks: Json(&["qlog"]), advice: TABLE },
];

/// Names what is known and not read.
pub(crate) fn refuse(input: &Input<'_>) -> Result<(), ImportError> {
    let head = input.head();
    let json = is_json(head);
    let told = |known: &&Known| match known.marks {
        Lines(patterns) => first_lines(head).any(|l| patterns.iter().any(|p| matches(p.as_bytes(), l))),
        Json(names) => json && names.iter().all(|n| find(head, n.as_bytes()).is_some()),
    };
    match KNOWN.iter().find(told) {
        Some(known) => {
            let what = format!("This is {}; it is not read yet.", known.what);
            Err(ImportError::new(ErrorKind::Refused, what).advise(known.advice))
        }
        None => Ok(()),
    }
}

/// Whether a text begins as JSON does, or as a sequence of it (RFC 7464).
pub(crate) fn is_json(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    match text.strip_prefix(b"\x1e").unwrap_or(text) {
        [b'{', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'"' | b'}')),
        [b'[', rest @ ..] => {
            matches!(rest.trim_ascii_start().first(), Some(b'{' | b'[' | b'"' | b']' | b'0'..=b'9' | b'-'))
        }
        _ => false,
    }
}

/// Enough lines to tell a tool by, cut to what a pattern needs.
fn first_lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = head.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).filter(|l| !l.is_empty());
    lines.take(30).map(|l| &l[..l.len().min(1000)])
}

fn matches(pattern: &[u8], line: &[u8]) -> bool {
    let run = |s: &[u8], part: fn(&u8) -> bool| s.iter().take_while(|b| part(b)).count();
    let (mut p, mut i) = (0, 0);
    // Where to go on if what follows the last `*` does not fit.
    let mut again = None;
    loop {
        let rest = &line[i..];
        let taken = match pattern.get(p) {
            None if rest.is_empty() => return true,
            None => 0,
            Some(b'*') => {
                p += 1;
                again = Some((p, i + 1));
                continue;
            }
            Some(b'#') => run(rest, u8::is_ascii_digit),
            Some(b'@') => Some(run(rest, u8::is_ascii_digit)).filter(|n| *n > 8).unwrap_or(0),
            Some(b' ') => run(rest, |b| matches!(b, b' ' | b'\t')),
            Some(b'~') => rest.len() * usize::from(are_numbers(rest)),
            Some(b) => usize::from(rest.first() == Some(b)),
        };
        if taken > 0 {
            (p, i) = (p + 1, i + taken);
            continue;
        }
        match again {
            Some((after, next)) if next <= line.len() => {
                (p, i) = (after, next);
                again = Some((after, next + 1));
            }
            _ => return false,
        }
    }
}

fn are_numbers(s: &[u8]) -> bool {
    let number =
        |w: &[u8]| w == b"-" || w == b"nan" || w == b"-nan" || crate::number::whole(w, b'.').is_some();
    let mut n = 0;
    s.split(|b| *b == b' ').filter(|w| !w.is_empty()).all(|w| {
        n += 1;
        number(w)
    }) && n > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let told = refuse(&Input::new(text.as_bytes())).map_err(|e| e.to_string());
        match (&told, expected) {
            (Ok(()), None) => {}
            (Err(e), Some(what)) if e.starts_with(&format!("This is {what}; it is not read yet: ")) => {}
            _ => panic!("{text}: {told:?}"),
        }
    }

    #[test]
    fn a_tool_is_told_by_the_form_of_its_lines() {
        let fping = Some("what fping prints");
        check("192.0.2.1  : [0], 64 bytes, 39.8 ms (39.8 avg, 0% loss)\n", fping);
        check("[1796034244.8] 192.0.2.1 : [0], 84 bytes, 0.54 ms (0.54 avg, 0% loss)\n", fping);
        check("192.0.2.17 : [0], timed out (NaN avg, 100% loss)\n", fping);
        check("192.0.2.11 : duplicate for [1], 64 bytes, 14.5 ms\n", fping);
        check("192.0.2.1  : 37.9 13.2 - 13.3\n192.0.2.17 : - - - -\n", fping);
        check("192.0.2.17 : xmt/rcv/%loss = 20/0/100%\n", fping);
        let mtr = Some("what mtr prints");
        check("Mtr_Version,Start_Time,Status,Host,Hop,Ip,Loss%,Snt, ,Last,Avg,Best,Wrst,StDev,\n", mtr);
        check("MTR.0.92;1796034304;OK;198.51.100.50;1;192.0.2.254;1862\n", mtr);
        check("Start: 2026-11-30T10:24:04+0000\nHOST: vm      Loss%   Snt   Last   Avg\n", mtr);
        check("x 0 33000\nh 0 192.0.2.254\np 0 1234 33000\n", mtr);
        check("Target,TargetIp,Hop,Host,Addr,Loss%,Snt,Recv,Last,\n", Some("what Trippy prints"));
        let traceroute = Some("what traceroute prints");
        check(
            "traceroute to a (192.0.2.9), 30 hops max, 60 byte packets\n 1  192.0.2.1  0.3 ms\n",
            traceroute,
        );
        check("\r\nTracing route to a [192.0.2.9]\r\nover a maximum of 30 hops:\r\n", traceroute);
        let cisco = Some("what a Cisco router's ping prints");
        check(
            "Type escape sequence to abort.\nSending 5, 100-byte ICMP Echos to 192.0.2.1, timeout\n",
            cisco,
        );
        check("!!!!!\nSuccess rate is 100 percent (5/5), round-trip min/avg/max = 1/2/10 ms\n", cisco);
        let mikrotik = Some("what a MikroTik router's ping prints");
        check("  SEQ HOST         SIZE TTL TIME  STATUS\n    0 8.8.8.8        56  64 157ms\n", mikrotik);
        check(
            "ESTAB 0 0 a:1 b:2\n\t bbr wscale:10,10 rto:252 rtt:48.092/17.072 ato:40\n",
            Some("what ss -ti prints"),
        );
        check("         loss  ping1\n\n1796034300: 0.0e+00 1.2e-02\n", Some("what rrdtool fetch prints"));
    }

    #[test]
    fn json_is_told_by_its_names() {
        check("[{\"fw\": 5080, \"msm_id\": 1, \"prb_id\": 7}]", Some("JSON of a RIPE Atlas measurement"));
        check("{\"resp\": {\"host\": \"192.0.2.1\", \"seq\": 0, \"rtt\": 5.12}}\n", Some("JSON of fping"));
        check("{ \"version\": {\"irtt\": \"0.9.0\", \"protocol\": 1}}", Some("JSON of irtt"));
        check("{\"report\": {\"mtr\": {\"src\": \"a\"}, \"hubs\": []}}", Some("JSON of mtr"));
        check("{\n\t\"start\":\t{\"version\":\t\"iperf 3.12\"}}", Some("JSON of iperf3"));
        check(
            "{\"version\": 4, \"metadata\": {\"NAME\": \"ping\", \"STEP_SIZE\": 0.2}}",
            Some("JSON of Flent"),
        );
        check("\x1e{\"qlog_version\": \"0.3\"}\n", Some("JSON of qlog"));
        check("{\"a\": \"msm_id\"}", None);
        check("\"msm_id\",\"prb_id\",\"rtt\"\n1,2,3\n", None);
    }

    #[test]
    fn tables_and_pings_are_not_taken_for_tools() {
        check("Count : 200\nRange : 1 to 5\nt_s,rtt_ms\n0,5\n", None);
        check("1: 12.5\n2: 13.1\n", None);
        check("time : rtt\n0 : 5\n", None);
        check("host,loss%,snt,last\na,0,1,5\n", None);
        check("64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=12 ms\n", None);
        check("", None);
    }

    #[test]
    fn a_pattern_is_a_whole_line() {
        for (pattern, line, expected) in [
            ("a*b", "a-b-b", true),
            ("a*b", "a-b-c", false),
            ("*#:#*", "x12:3 y", true),
            ("# #", "1 \t 22", true),
            ("# #", "1 2 ", false),
            ("@", "12345678", false),
            ("@", "123456789", true),
            ("* : ~", "a : 1.5 - 2", true),
            ("* : ~", "a : 1.5", false),
            ("* : ~", "a : 1 b", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), line.as_bytes()), expected, "{pattern} {line}");
        }
    }
}

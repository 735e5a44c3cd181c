//! The registry: every format that is read, in the order in which they are tried.

use crate::error::{ErrorKind, ImportError, clip, place, refuse_long_lines};
use crate::gear::{cisco, mikrotik};
use crate::import::{Import, Options};
use crate::input::Input;
use crate::signs::{self, Signs};
use crate::tools::{
    arping, atlas, flent, fping, globalping, hping, httping, iperf2, iperf3, irtt, jc, mtr, ndt7, netperf,
    nping, numbered, paping, powerping, powershell, psping, qlog, qperf, scamper, smokeping, sockperf, ss,
    tcpdump, tcping, tcping_json, traceroute, trippy, wireshark,
};
use crate::{capture, csv, ping_text};

/// A kind of file.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Stands in results and in `netspurt import --json`.
    pub id: &'static str,
    pub title: &'static str,
    /// Which files it is, and from which tools.
    pub reads: &'static str,
    pub(crate) signs: Signs,
    pub(crate) read: fn(&Input<'_>, &Options) -> Result<Import, ImportError>,
}

/// Tables come last: almost any file of numbers is one.
const FORMATS: &[Format] = &[
    Format {
        id: capture::PCAP,
        title: "Capture",
        reads: "packet captures of tcpdump, Wireshark and dumpcap (pcap): echoes and TCP",
        signs: Signs::Bytes(capture::PCAP_MARKS),
        read: capture::read_pcap,
    },
    Format {
        id: capture::PCAPNG,
        title: "Capture",
        reads: "packet captures of Wireshark and dumpcap (pcapng): echoes and TCP",
        signs: Signs::Bytes(capture::PCAPNG_MARKS),
        read: capture::read_pcapng,
    },
    Format {
        id: atlas::ID,
        title: "RIPE Atlas",
        reads: "ping and traceroute results of RIPE Atlas (JSON)",
        signs: Signs::Json(&[&["\"msm_id\"", "\"prb_id\""], &["\"prb_id\"", "\"rcvd\""]]),
        read: atlas::read,
    },
    Format {
        id: irtt::ID,
        title: "irtt",
        reads: "what irtt client -o writes (JSON)",
        signs: Signs::Json(&[&["\"irtt\"", "\"protocol\""], &["\"round_trips\""]]),
        read: irtt::read,
    },
    Format {
        id: iperf3::ID,
        title: "iperf3",
        reads: "what iperf3 -J prints (JSON)",
        signs: Signs::Json(&[&["\"iperf 3"], &["\"intervals\"", "\"streams\"", "\"rttvar\""]]),
        read: iperf3::read,
    },
    Format {
        id: flent::ID,
        title: "Flent",
        reads: "data files of Flent (JSON, packed or not)",
        signs: Signs::Json(&[&["\"metadata\"", "\"STEP_SIZE\""], &["\"x_values\"", "\"results\""]]),
        read: flent::read,
    },
    Format {
        id: qlog::ID,
        title: "qlog",
        reads: "logs of QUIC connections (qlog, all generations)",
        signs: Signs::Json(&[&["\"qlog_version\""], &["\"qlog_format\""], &["\"urn:ietf:params:qlog:"]]),
        read: qlog::read,
    },
    Format {
        id: ndt7::ID,
        title: "NDT7",
        reads: "results of M-Lab's NDT7 (JSON)",
        signs: Signs::Json(&[&["\"TCPInfo\""]]),
        read: ndt7::read,
    },
    Format {
        id: scamper::ID,
        title: "scamper",
        reads: "pings and traces of scamper (JSON)",
        signs: Signs::Json(&[
            &["\"ping_sent\""],
            &["\"probe_ttl\"", "\"hops\""],
            &["\"cycle-start\"", "\"list_name\""],
        ]),
        read: scamper::read,
    },
    Format {
        id: globalping::ID,
        title: "Globalping",
        reads: "measurements of Globalping (JSON)",
        signs: Signs::Json(&[&["\"rawOutput\"", "\"results\""]]),
        read: globalping::read,
    },
    Format {
        id: mtr::JSON,
        title: "mtr",
        reads: "reports of mtr -j (JSON)",
        signs: Signs::Json(&[&["\"mtr\"", "\"hubs\""]]),
        read: mtr::read_json,
    },
    Format {
        id: trippy::JSON,
        title: "Trippy",
        reads: "reports of Trippy (JSON)",
        signs: Signs::Json(&[&["\"hops\"", "\"loss_pct\""]]),
        read: trippy::read_json,
    },
    Format {
        id: httping::JSON,
        title: "httping",
        reads: "what httping -M prints (JSON)",
        signs: Signs::Json(&[&["\"connect_ms\"", "\"total_ms\""], &["\"connect_ms\"", "\"start_ts\""]]),
        read: httping::read_json,
    },
    Format {
        id: fping::JSON,
        title: "fping",
        reads: "what fping -J prints (JSON)",
        signs: Signs::Json(&[
            &["\"resp\"", "\"rtt\""],
            &["\"vSum\""],
            &["\"summary\"", "\"xmt\""],
            &["\"timeout\"", "\"seq\""],
        ]),
        read: fping::read_json,
    },
    Format {
        id: tcping_json::ID,
        title: "tcping",
        reads: "what tcping -j prints (JSON)",
        signs: Signs::Json(&[&["\"type\":\"probe\"", "\"port\""], &["\"type\": \"probe\"", "\"port\""]]),
        read: tcping_json::read,
    },
    Format {
        id: jc::ID,
        title: "jc",
        reads: "pings as jc gives them (JSON)",
        signs: Signs::Json(&[
            &["\"packets_transmitted\"", "\"responses\""],
            &["\"time_ms\"", "\"icmp_seq\""],
        ]),
        read: jc::read,
    },
    Format {
        id: mtr::XML,
        title: "mtr",
        reads: "reports of mtr -x (XML)",
        signs: Signs::Xml(&["MTR"]),
        read: mtr::read_xml,
    },
    Format {
        id: smokeping::DUMP,
        title: "SmokePing",
        reads: "dumps of SmokePing's databases (rrdtool dump)",
        signs: Signs::Xml(&["rrd"]),
        read: smokeping::read_dump,
    },
    Format {
        id: fping::TEXT,
        title: "fping",
        reads: "what fping prints with -c, -C, -l, -Q and -e",
        signs: Signs::Lines(fping::SIGNS),
        read: fping::read_text,
    },
    Format {
        id: mtr::CSV,
        title: "mtr",
        reads: "reports of mtr -C (CSV)",
        signs: Signs::Lines(&["Mtr_Version,*", "MTR.#.#*;*;*", "MTR.#.#*,*,*"]),
        read: mtr::read_csv,
    },
    Format {
        id: mtr::REPORT,
        title: "mtr",
        reads: "reports of mtr -r and -w, and of WinMTR",
        signs: Signs::Lines(&[
            "HOST: * Loss% *",
            "Host *Loss% *",
            "#.|-- *",
            "| * - # | # | # | # | # | # | # |",
        ]),
        read: mtr::read_report,
    },
    Format {
        id: mtr::RAW,
        title: "mtr",
        reads: "what mtr -l prints (raw)",
        signs: Signs::Lines(mtr::RAW_SIGNS),
        read: mtr::read_raw,
    },
    Format {
        id: trippy::CSV,
        title: "Trippy",
        reads: "reports of Trippy (CSV)",
        signs: Signs::Lines(&["Target,TargetIp,Hop,*"]),
        read: trippy::read_csv,
    },
    Format {
        id: hping::ID,
        title: "hping",
        reads: "what hping2 and hping3 print",
        signs: Signs::Lines(hping::SIGNS),
        read: hping::read,
    },
    Format {
        id: nping::ID,
        title: "nping",
        reads: "what nping prints",
        signs: Signs::Lines(nping::SIGNS),
        read: nping::read,
    },
    Format {
        id: numbered::IRTT,
        title: "irtt",
        reads: "what irtt client prints",
        signs: Signs::Lines(numbered::IRTT_SIGNS),
        read: numbered::read_irtt,
    },
    Format {
        id: numbered::OWPING,
        title: "owping",
        reads: "one-way delays that owping prints",
        signs: Signs::Lines(numbered::OWPING_SIGNS),
        read: numbered::read_owping,
    },
    Format {
        id: httping::TEXT,
        title: "httping",
        reads: "what httping prints",
        signs: Signs::Lines(httping::SIGNS),
        read: httping::read_text,
    },
    Format {
        id: tcping::ID,
        title: "tcping",
        reads: "what the tools called tcping and tcpping print",
        signs: Signs::Lines(tcping::SIGNS),
        read: tcping::read,
    },
    Format {
        id: psping::ID,
        title: "PsPing",
        reads: "what PsPing prints",
        signs: Signs::Lines(psping::SIGNS),
        read: psping::read,
    },
    Format {
        id: paping::ID,
        title: "paping",
        reads: "what paping prints",
        signs: Signs::Lines(paping::SIGNS),
        read: paping::read,
    },
    Format {
        id: powerping::ID,
        title: "PowerPing",
        reads: "what PowerPing prints",
        signs: Signs::Lines(powerping::SIGNS),
        read: powerping::read,
    },
    Format {
        id: powershell::ID,
        title: "PowerShell",
        reads: "what Test-Connection prints",
        signs: Signs::Lines(powershell::SIGNS),
        read: powershell::read,
    },
    Format {
        id: sockperf::ID,
        title: "sockperf",
        reads: "what sockperf prints, and its full log",
        signs: Signs::Lines(sockperf::SIGNS),
        read: sockperf::read,
    },
    Format {
        id: qperf::ID,
        title: "qperf",
        reads: "what qperf prints of latency tests",
        signs: Signs::Lines(qperf::SIGNS),
        read: qperf::read,
    },
    Format {
        id: netperf::ID,
        title: "netperf",
        reads: "what netperf prints of request/response tests",
        signs: Signs::Lines(netperf::SIGNS),
        read: netperf::read,
    },
    Format {
        id: tcpdump::ID,
        title: "tcpdump",
        reads: "what tcpdump prints of ICMP echoes",
        signs: Signs::Lines(tcpdump::SIGNS),
        read: tcpdump::read,
    },
    Format {
        id: wireshark::ID,
        title: "Wireshark",
        reads: "lists of packets from Wireshark and tshark (text, CSV): echoes",
        signs: Signs::Lines(wireshark::SIGNS),
        read: wireshark::read,
    },
    Format {
        id: ss::ID,
        title: "ss",
        reads: "logs of ss -ti",
        signs: Signs::Lines(ss::SIGNS),
        read: ss::read,
    },
    Format {
        id: smokeping::FETCH,
        title: "SmokePing",
        reads: "what rrdtool fetch prints of SmokePing's databases",
        signs: Signs::Lines(smokeping::SIGNS),
        read: smokeping::read_fetch,
    },
    Format {
        id: cisco::ID,
        title: "Cisco",
        reads: "ping on Cisco IOS, XE, XR, ASA and AireOS",
        signs: Signs::Lines(cisco::SIGNS),
        read: cisco::read,
    },
    Format {
        id: mikrotik::ID,
        title: "MikroTik",
        reads: "ping on MikroTik RouterOS",
        signs: Signs::Lines(mikrotik::SIGNS),
        read: mikrotik::read,
    },
    Format {
        id: csv::POINTS,
        title: "InfluxDB",
        reads: "line protocol of InfluxDB and Telegraf",
        signs: Signs::Line(csv::is_point),
        read: csv::read_points,
    },
    Format {
        id: arping::ID,
        title: "arping",
        reads: "what arping prints",
        signs: Signs::Lines(arping::SIGNS),
        read: arping::read,
    },
    Format {
        id: iperf2::ID,
        title: "iperf 2",
        reads: "what iperf -e prints of TCP at the side that sends",
        signs: Signs::Lines(iperf2::SIGNS),
        read: iperf2::read,
    },
    Format {
        id: traceroute::ID,
        title: "traceroute",
        reads: "what traceroute, tracert and tracepath print, on computers and routers",
        signs: Signs::Line(traceroute::is_path),
        read: traceroute::read,
    },
    Format {
        id: ping_text::WINDOWS,
        title: "Ping on Windows",
        reads: "what ping prints on Windows, in any language",
        signs: Signs::Line(ping_text::is_windows),
        read: ping_text::read_windows,
    },
    Format {
        id: ping_text::UNIX,
        title: "Ping",
        reads: "what ping and oping print on Linux, BSD, macOS, Android, Solaris, and on routers of Arista, Fortinet, Huawei, Juniper, Nokia and Cisco NX-OS, in any language",
        signs: Signs::Line(ping_text::is_unix),
        read: ping_text::read_unix,
    },
    Format {
        id: csv::ID,
        title: "Table",
        reads: "tables of delays: CSV, TSV, semicolons, blanks, objects of JSON",
        signs: Signs::Test(csv::sniff),
        read: csv::read,
    },
];

pub fn formats() -> &'static [Format] {
    FORMATS
}

/// The format of a file: told by its first bytes, by what it is as a whole, or by the first of its
/// lines that any format knows. Tables come last; where its columns are told, it is one (`table`).
pub(crate) fn find(input: &Input<'_>, table: bool) -> Result<&'static Format, ImportError> {
    let (others, tables) = FORMATS.split_at(FORMATS.len() - 1);
    if let Some(format) = others.iter().find(|f| f.signs.tell(input)) {
        return Ok(format);
    }
    let of_line = |line: &[u8]| others.iter().find(|f| f.signs.tell_line(line));
    if let Some(format) = signs::first_lines(input.head()).find_map(of_line) {
        return Ok(format);
    }
    tables.iter().find(|f| table || f.signs.tell(input)).ok_or_else(|| unknown(input))
}

/// Text that no format owns to.
pub(crate) fn unknown(input: &Input<'_>) -> ImportError {
    let text = input.text().text.as_bytes();
    let content = text.trim_ascii_start();
    let what = if signs::is_json(content) {
        "This is JSON of a kind that is not known here.".to_owned()
    } else if content.first() == Some(&b'<') {
        "This is a web page or other XML of a kind that is not known here.".to_owned()
    } else if let Err(error) = refuse_long_lines(text) {
        return error;
    } else if let Some(error) = csv::heading_alone(text).or_else(|| csv::without_delays(input)) {
        return error;
    } else {
        "This is text, but neither what a tool prints that is known here nor a table of delays.".to_owned()
    };
    let error = ImportError::new(ErrorKind::Unknown, what)
        .advise("write the delays into a CSV file, a row for each packet, and open that");
    let start = text.len() - content.len();
    let start = crate::text::line_start(text, start);
    if clip(&text[start..]).is_empty() {
        return error;
    }
    let line = text[..start].split(|b| *b == b'\n').count();
    error.at(place(text, line, start, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_plain() {
        for (i, f) in FORMATS.iter().enumerate() {
            assert!(f.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            assert!(FORMATS[..i].iter().all(|g| g.id != f.id));
            assert!(!f.title.is_empty() && !f.reads.ends_with('.'));
        }
    }
}

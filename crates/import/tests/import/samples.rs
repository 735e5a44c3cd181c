//! Real output of real tools, against counts found without these importers.
#![expect(
    clippy::unreadable_literal,
    clippy::type_complexity,
    reason = "figures stand as they are printed, a row a file"
)]

use netspurt_import::{Choice, Import, Options, PartKind, read};

struct Sample {
    path: &'static str,
    format: &'static str,
    /// Sent, received, duplicates; `None` of samples that are no probes.
    counts: Option<[u64; 3]>,
    /// Of the timed replies; bounds count as their value.
    mean_ms: Option<f64>,
    /// In the order of the file.
    first_ms: &'static [f64],
}

#[rustfmt::skip]
const SAMPLES: &[Sample] = &[
    sample("captures/icmp6_loss.pcapng", "pcapng", [45, 34, 0], Some(23.246_768), &[23.604_596, 22.008_666, 23.452_739]),
    sample("captures/icmp_loss.pcap", "pcap", [119, 87, 0], Some(20.374_299), &[24.983, 46.169, 20.401]),
    sample("captures/icmp_loss_ping.txt", "ping-text", [50, 37, 0], Some(19.875_676), &[19.9, 19.4, 21.2]),
    series("captures/tcp_http_short_flows.pcap", "pcap", None, &[]),
    sample("captures/zeek__5-pings.pcap", "pcap", [5, 5, 0], Some(28.3284), &[26.299, 23.251, 32.342]),
    sample("csv/epoch_s_comma.csv", "csv", [80, 61, 0], Some(20.295_082), &[22.2, 20.9, 20.2]),
    sample("csv/iso_semicolon_decimal_comma.csv", "csv", [80, 61, 0], Some(20.295_082), &[22.2, 20.9, 20.2]),
    sample("csv/one_column.csv", "csv", [61, 61, 0], Some(20.295_082), &[22.2, 20.9, 20.2]),
    sample("forms/arping.txt", "arping-text", [3, 2, 0], Some(1.1105), &[1.234, 0.987]),
    sample("forms/curl.csv", "csv", [4, 4, 0], Some(92.25), &[123.0, 125.0, 0.0]),
    sample("forms/excel_de.csv", "csv", [4, 3, 0], Some(346.0), &[12.4, 13.1, 1012.5]),
    sample("forms/excel_tab__utf16le_bom.txt", "csv", [4, 3, 0], Some(12.8), &[12.4, 13.1, 12.9]),
    sample("forms/fping_l.txt", "fping-text", [5, 4, 0], Some(6.92), &[9.52, 9.72, 4.12]),
    sample("forms/httping_port.txt", "httping-text", [3, 2, 0], Some(11.22), &[12.34, 10.1]),
    sample("forms/huawei.txt", "ping-text", [4, 3, 0], Some(23.333_333), &[30.0, 20.0, 20.0]),
    sample("forms/irtt_text.txt", "irtt-text", [4, 3, 0], Some(7.65), &[10.5, 11.5, 0.95]),
    sample("forms/jc_ping.json", "jc-ping-json", [4, 3, 0], Some(9.6), &[9.5, 9.6, 9.7]),
    sample("forms/l2ping.txt", "ping-text", [2, 2, 0], Some(17.34), &[12.34, 22.34]),
    sample("forms/macos__apple_time.txt", "ping-text", [4, 3, 0], Some(11.452_667), &[11.632, 12.726, 10.0]),
    sample("forms/macos__sweep.txt", "ping-text", [3, 3, 0], Some(1.216_667), &[1.01, 1.22, 1.42]),
    sample("forms/mikrotik_7.txt", "mikrotik-ping-text", [4, 3, 0], Some(11.213), &[11.23, 11.41, 10.999]),
    sample("forms/mtr_wide.txt", "mtr-text", [10, 10, 0], None, &[]),
    series("forms/netperf_columns.txt", "netperf-text", None, &[]),
    sample("forms/owping_v.txt", "owping-text", [4, 3, 0], Some(6.08), &[5.12, 5.22, 7.9]),
    sample("forms/powershell_5.txt", "powershell-text", [2, 2, 0], Some(12.5), &[12.0, 13.0]),
    sample("forms/powershell_7.txt", "powershell-text", [4, 3, 0], Some(12.0), &[12.0, 13.0, 11.0]),
    sample("forms/tracepath.txt", "traceroute-text", [1, 1, 0], Some(11.022), &[11.022]),
    sample("forms/tshark.txt", "wireshark-text", [5, 5, 0], Some(28.3284), &[26.299, 23.251, 32.342]),
    sample("forms/tracert_de__cp850.txt", "traceroute-text", [3, 3, 0], Some(9.333_333), &[9.0, 9.0, 10.0]),
    sample("forms/win_el__cp737.txt", "ping-windows-text", [4, 3, 0], Some(9.0), &[12.0, 1.0, 14.0]),
    sample("forms/win_en__v6.txt", "ping-windows-text", [4, 2, 0], Some(46.0), &[91.0, 1.0]),
    sample("forms/win_fr__cp850.txt", "ping-windows-text", [4, 3, 0], Some(8.666_667), &[12.0, 13.0, 1.0]),
    sample("forms/win_hu__cp852.txt", "ping-windows-text", [4, 3, 0], Some(2.0), &[2.0, 3.0, 1.0]),
    sample("forms/win_ja__sjis.txt", "ping-windows-text", [4, 2, 0], Some(110.5), &[110.0, 111.0]),
    sample("forms/win_ko__euckr.txt", "ping-windows-text", [3, 2, 0], Some(18.0), &[35.0, 1.0]),
    sample("forms/win_pl__utf16le_bom.txt", "ping-windows-text", [4, 3, 0], Some(24.0), &[23.0, 24.0, 25.0]),
    sample("forms/win_tr__cp857.txt", "ping-windows-text", [4, 3, 0], Some(15.0), &[15.0, 16.0, 14.0]),
    sample("forms/wireshark.csv", "wireshark-text", [5, 4, 0], Some(28.111), &[26.299, 23.251, 32.342]),
    sample("forms/winmtr.txt", "mtr-text", [10, 9, 0], None, &[]),
    sample("forms/win_zh__gbk.txt", "ping-windows-text", [4, 3, 0], Some(29.0), &[29.0, 30.0, 28.0]),
    sample("forms/atlas_traceroute.json", "ripe-atlas-json", [3, 2, 0], Some(28.8), &[21.2, 36.4]),
    sample("forms/globalping_mtr.json", "globalping-json", [3, 2, 0], Some(12.05), &[12.3, 11.8]),
    sample("forms/httping.json", "httping-json", [10, 8, 0], Some(16.75), &[12.3, 13.1, 11.8]),
    sample("forms/influx.txt", "influx-text", [10, 8, 0], Some(16.75), &[12.3, 13.1, 11.8]),
    series("forms/iperf2.txt", "iperf2-text", Some(12.4), &[12.3, 13.1, 11.8]),
    series("forms/iperf3_reverse.json", "iperf3-json", Some(12.4), &[12.3, 13.1, 11.8]),
    sample("forms/mysql.txt", "csv", [10, 8, 0], Some(16.75), &[12.3, 13.1, 11.8]),
    sample("forms/prometheus.json", "csv", [10, 10, 0], Some(14.5), &[12.3, 13.1, 11.8]),
    sample("forms/prtg.csv", "csv", [10, 8, 0], Some(16.375), &[12.0, 13.0, 11.0]),
    series("forms/qlog_urn.sqlog", "qlog", Some(16.75), &[12.3, 13.1, 11.8]),
    sample("forms/smokeping.csv", "csv", [10, 8, 0], Some(16.75), &[12.3, 13.1, 11.8]),
    sample("forms/two_hosts.csv", "csv", [20, 16, 0], Some(25.125), &[12.3, 13.1, 11.8]),
    sample("forms/two_times.csv", "csv", [10, 8, 0], Some(16.75), &[12.3, 13.1, 11.8]),
    sample("gear/ntc__cisco_ios_ping.txt", "cisco-ping-text", [5, 5, 0], None, &[]),
    sample("gear/ntc__cisco_ios_ping_source.txt", "cisco-ping-text", [4, 4, 0], None, &[]),
    sample("gear/ntc__mikrotik_routeros_ping_address.txt", "mikrotik-ping-text", [13, 13, 0], Some(86.5), &[157.0, 64.0, 60.0]),
    series("json/aioquic_client.qlog", "qlog", Some(62.599_792), &[53.777_148, 67.136_321, 56.619_165]),
    series("json/flent_small.flent.gz", "flent", Some(20.295_082), &[22.2, 20.9, 20.2]),
    sample("json/fping55_c_small.jsonl", "fping-json", [3, 3, 0], Some(5.13), &[5.12, 5.13, 5.14]),
    series("json/iperf3_tcp.json", "iperf3-json", Some(53.786_875), &[40.324, 53.688, 50.091]),
    sample("json/irtt_short.json", "irtt-json", [50, 49, 0], Some(34.297_224), &[35.411_196, 33.023_142, 37.958_224]),
    sample("json/ripe_atlas_small.json", "ripe-atlas-json", [24, 21, 0], Some(19.890_476), &[21.2, 19.0, 20.7]),
    sample("ping/gen__busybox_dup.txt", "ping-text", [12, 12, 5], Some(14.859), &[54.18, 11.334, 10.961]),
    sample("ping/gen__inetutils_loss.txt", "ping-text", [20, 17, 0], Some(20.759_471), &[19.988, 20.16, 20.452]),
    sample("ping/gen__iputils_D_loss.txt", "ping-text", [80, 61, 0], Some(20.295_082), &[22.2, 20.9, 20.2]),
    sample("ping/gen__iputils_O_late_replies.txt", "ping-text", [30, 28, 0], Some(316.235_714), &[46.1, 40.8, 41.1]),
    sample("ping/gen__iputils_dup_named.txt", "ping-text", [40, 40, 12], Some(11.198), &[17.1, 16.2, 11.1]),
    sample("ping/gen__iputils_host_unreachable.txt", "ping-text", [8, 0, 0], None, &[]),
    sample("ping/gen__iputils_nls_de_DE_10.txt", "ping-text", [12, 8, 0], Some(26.95), &[73.7, 19.2, 20.8]),
    sample("ping/gen__iputils_v6_name.txt", "ping-text", [10, 8, 0], Some(28.9625), &[66.4, 25.9, 22.2]),
    sample("ping/gen__prefix_date_en.txt", "ping-text", [30, 22, 0], Some(19.4), &[18.6, 19.7, 20.2]),
    sample("ping/gping__macos.txt", "ping-text", [31, 7, 0], Some(19.840_429), &[14.621, 33.898, 17.305]),
    sample("ping/gping__windows.txt", "ping-windows-text", [7, 5, 0], Some(112.2), &[101.0, 100.0, 120.0]),
    sample("ping/jc__alpine-linux-3.13__ping-ip.out", "ping-text", [1, 1, 0], Some(1.637), &[1.637]),
    sample("ping/jc__centos-7.7__ping-hostname-O.out", "ping-text", [20, 19, 0], Some(33.668_421), &[29.6, 30.1, 35.5]),
    sample("ping/jc__centos-7.7__ping-ip-O-D.out", "ping-text", [20, 20, 0], Some(0.0482), &[0.041, 0.048, 0.047]),
    sample("ping/jc__centos-7.7__ping-ip-dup.out", "ping-text", [2, 2, 19], Some(0.7235), &[0.586, 0.861]),
    sample("ping/jc__centos-7.7__ping6-ip-O-p.out", "ping-text", [20, 19, 0], Some(33.584_211), &[27.9, 28.4, 36.0]),
    sample("ping/jc__freebsd12__ping-ip.out", "ping-text", [3, 3, 0], Some(0.033), &[0.022, 0.036, 0.041]),
    sample("ping/jc__freebsd12__ping6-ip.out", "ping-text", [3, 3, 0], Some(0.044), &[0.034, 0.053, 0.045]),
    sample("ping/jc__osx-10.14.6__ping-hostname.out", "ping-text", [3, 3, 0], Some(34.67), &[28.042, 34.786, 41.182]),
    sample("ping/jc__osx-10.14.6__ping-ip-unreachable.out", "ping-text", [8, 0, 0], None, &[]),
    sample("ping/jc__ubuntu-22.04__ping-dest-unreachable.out", "ping-text", [3, 0, 0], None, &[]),
    sample("ping/nodeping__linux__en__sample2.txt", "ping-text", [19, 11, 0], Some(73.750_455), &[2.98, 0.89, 0.711]),
    sample("ping/nodeping__macos__en__sample1.txt", "ping-text", [4, 4, 0], Some(4.9595), &[5.371, 4.269, 4.97]),
    sample("ping/nodeping__window__en__sample1.txt", "ping-windows-text", [4, 4, 0], Some(555.25), &[564.0, 555.0, 554.0]),
    sample("ping/nodeping__window__fr__sample2.txt", "ping-windows-text", [4, 4, 0], Some(6.0), &[6.0, 6.0, 6.0]),
    sample("ping/nodeping__window__ja__sample2.txt", "ping-windows-text", [4, 4, 0], Some(4.75), &[4.0, 4.0, 5.0]),
    sample("ping/telegraf__unix_busyBoxPingOutput.txt", "ping-text", [4, 4, 0], Some(17.6115), &[22.559, 15.81, 16.262]),
    sample("ping/telegraf__win_unreachablePingOutput.txt", "ping-windows-text", [4, 0, 0], None, &[]),
    sample("ping/win_de__cp850.txt", "ping-windows-text", [6, 4, 0], Some(61.0), &[14.0, 15.0, 1.0]),
    sample("ping/win_en_t__utf8.txt", "ping-windows-text", [8, 4, 0], Some(769.25), &[28.0, 27.0, 3021.0]),
    sample("ping/win_es__utf16le_bom.txt", "ping-windows-text", [5, 3, 0], Some(10.0), &[14.0, 1.0, 15.0]),
    sample("series/cicv5g__urban_n8_v0_run01.txt", "csv", [1207, 1207, 0], Some(19.313_173), &[32.0, 23.0, 18.0]),
    sample("series/netlatency_seattle_6pairs.csv", "csv", [688, 688, 0], Some(261.656_977), &[170.0, 180.0, 180.0]),
    sample("tools/gen__fping_C.txt", "fping-text", [80, 57, 11], Some(15.351_93), &[37.9, 13.2, 13.7]),
    sample("tools/gen__fping_c.txt", "fping-text", [80, 54, 0], Some(15.264_815), &[39.8, 15.1, 12.8]),
    sample("tools/gen__hping3_syn80.txt", "hping-text", [12, 11, 0], Some(18.527_273), &[18.1, 19.1, 17.5]),
    sample("tools/mtr_csv.csv", "mtr-csv", [15, 15, 0], None, &[]),
    sample("tools/mtr_json.json", "mtr-json", [15, 15, 0], None, &[]),
    series("tools/ss_tin_loop.txt", "ss-text", Some(50.7445), &[48.092, 43.265, 48.092]),
];

const fn sample(
    path: &'static str,
    format: &'static str,
    counts: [u64; 3],
    mean_ms: Option<f64>,
    first_ms: &'static [f64],
) -> Sample {
    Sample { path, format, counts: Some(counts), mean_ms, first_ms }
}

const fn series(
    path: &'static str,
    format: &'static str,
    mean_ms: Option<f64>,
    first_ms: &'static [f64],
) -> Sample {
    Sample { path, format, counts: None, mean_ms, first_ms }
}

/// What a browser decodes by itself.
fn decode(label: &str, bytes: &[u8]) -> Option<String> {
    Some(
        encoding_rs::Encoding::for_label(label.as_bytes())?.decode_without_bom_handling(bytes).0.into_owned(),
    )
}

fn import(path: &str) -> Import {
    let file = format!("{}/tests/samples/{path}", env!("CARGO_MANIFEST_DIR"));
    read(&std::fs::read(file).unwrap(), &Options { decoder: Some(decode), ..Options::default() })
        .unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn counts_and_delays_are_right() {
    for s in SAMPLES {
        let i = import(s.path);
        let c = &i.counts;
        let counts =
            c.sent.zip(c.received).zip(c.duplicates).map(|((sent, back), twice)| [sent, back, twice]);
        assert_eq!((i.format, counts), (s.format, s.counts), "{}", s.path);
        assert_eq!(c.lost, counts.map(|[sent, back, _]| sent - back), "{}", s.path);
        let delays = i.delays_in_file_order();
        // The table has six decimals.
        let first: Vec<f64> =
            delays.iter().take(s.first_ms.len()).map(|ms| (ms * 1e6).round() / 1e6).collect();
        assert_eq!(first, s.first_ms, "{}", s.path);
        let mean = (!delays.is_empty()).then(|| delays.iter().sum::<f64>() / delays.len() as f64);
        assert_eq!(mean.is_some(), s.mean_ms.is_some(), "{}", s.path);
        let apart = mean.unwrap_or(0.0) - s.mean_ms.unwrap_or(0.0);
        assert!(apart.abs() < 1e-6, "{}: mean {mean:?}", s.path);
    }
}

#[test]
fn every_sample_is_in_the_table() {
    assert_eq!(super::sample_files().len(), SAMPLES.len());
}

/// The parts of a sample: name, sent, received, and the mean of what the file shows.
fn check_parts(path: &str, kind: PartKind, expected: &[(&str, u64, u64, Option<f64>)]) {
    let file = format!("{}/tests/samples/{path}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(file).unwrap();
    let all = read(&bytes, &Options { choice: Choice::All, ..Options::default() }).unwrap();
    assert_eq!(all.parts.len(), expected.len(), "{path}");
    for (name, sent, received, mean) in expected {
        let n = all.parts.iter().position(|p| p.name == *name).unwrap();
        let part = &all.parts[n];
        let counts = (part.counts.sent, part.counts.received);
        assert_eq!((&part.name[..], part.kind, counts), (*name, kind, (Some(*sent), Some(*received))));
        // Chosen alone it is the same.
        let one = read(&bytes, &Options { choice: Choice::One(n), ..Options::default() }).unwrap();
        assert_eq!((one.counts.sent, one.counts.received), counts, "{name}");
        assert_eq!(one.trace.outcomes()[..], all.trace.outcomes()[part.records.clone()], "{name}");
        let moments = one.trace.moments().map(|m| m.mean);
        let printed = one.printed.as_ref().and_then(|p| p.mean_ms);
        let got = moments.or(printed);
        assert_eq!(got.is_some(), mean.is_some(), "{name}");
        assert!((got.unwrap_or(0.0) - mean.unwrap_or(0.0)).abs() < 1e-6, "{name}: {got:?}");
    }
    assert!(read(&bytes, &Options { choice: Choice::One(expected.len()), ..Options::default() }).is_err());
}

#[test]
fn targets_and_hops_can_be_chosen() {
    check_parts(
        "tools/gen__fping_C.txt",
        PartKind::Target,
        &[
            ("192.0.2.1", 20, 20, Some(14.79)),
            ("192.0.2.10", 20, 17, Some(19.941176)),
            ("192.0.2.11", 20, 20, Some(12.013)),
            ("192.0.2.17", 20, 0, None),
        ],
    );
    check_parts(
        "tools/gen__fping_c.txt",
        PartKind::Target,
        &[
            ("192.0.2.1", 20, 20, Some(15.47)),
            ("192.0.2.10", 20, 14, Some(21.114286)),
            ("192.0.2.11", 20, 20, Some(10.965)),
            ("192.0.2.17", 20, 0, None),
        ],
    );
    check_parts(
        "tools/mtr_csv.csv",
        PartKind::Hop,
        &[
            ("192.0.2.254", 15, 15, Some(3.76)),
            ("203.0.113.1", 15, 15, Some(7.31)),
            ("203.0.113.5", 15, 8, Some(12.12)),
            ("???", 15, 0, None),
            ("203.0.113.9", 15, 15, Some(19.49)),
            ("198.51.100.50", 15, 15, Some(20.05)),
        ],
    );
    check_parts(
        "tools/mtr_json.json",
        PartKind::Hop,
        &[
            ("192.0.2.254", 15, 15, Some(2.883)),
            ("203.0.113.1", 15, 15, Some(6.532)),
            ("203.0.113.5", 15, 14, Some(12.923)),
            ("???", 15, 0, None),
            ("203.0.113.9", 15, 15, Some(18.404)),
            ("198.51.100.50", 15, 15, Some(23.028)),
        ],
    );
    check_parts(
        "forms/mtr_wide.txt",
        PartKind::Hop,
        &[
            ("_gateway", 10, 10, Some(0.6)),
            ("edge7.b.example", 10, 9, Some(8.5)),
            ("???", 10, 0, None),
            ("a.example", 10, 10, Some(9.7)),
        ],
    );
    check_parts(
        "forms/two_hosts.csv",
        PartKind::Target,
        &[("a", 10, 8, Some(16.75)), ("b", 10, 8, Some(33.5))],
    );
    check_parts(
        "forms/prometheus.json",
        PartKind::Target,
        &[("a", 8, 8, Some(16.75)), ("b", 2, 2, Some(5.5))],
    );
}

/// Stream, packets, retransmissions; who acknowledges, samples, least, mean, greatest in ms.
#[rustfmt::skip]
const FLOWS: &[(u32, u64, u64, &str, u64, f64, f64, f64)] = &[
        (0, 48, 0, "198.51.100.2:80", 3, 33.106, 35.99, 40.885),
        (0, 48, 0, "198.51.100.1:55852", 19, 0.002, 0.015632, 0.05),
        (1, 49, 1, "198.51.100.2:80", 3, 31.881, 115.095333, 277.223),
        (1, 49, 1, "198.51.100.1:55854", 18, 0.002, 0.019778, 0.096),
        (2, 46, 0, "198.51.100.2:80", 3, 36.592, 45.196, 49.831),
        (2, 46, 0, "198.51.100.1:55856", 19, 0.002, 0.125526, 2.21),
        (3, 48, 1, "198.51.100.2:80", 3, 40.045, 40.514, 40.918),
        (3, 48, 1, "198.51.100.1:55870", 13, 0.003, 0.019538, 0.056),
        (4, 41, 0, "198.51.100.2:80", 3, 31.204, 33.442, 34.855),
        (4, 41, 0, "198.51.100.1:55886", 11, 0.004, 0.192, 0.669),
        (5, 48, 0, "198.51.100.2:80", 3, 40.89, 46.272667, 54.156),
        (5, 48, 0, "198.51.100.1:55890", 18, 0.003, 0.110944, 1.769),
        (6, 47, 0, "198.51.100.2:80", 3, 31.849, 38.497333, 44.45),
        (6, 47, 0, "198.51.100.1:55892", 17, 0.002, 0.014176, 0.057),
        (7, 49, 1, "198.51.100.2:80", 3, 33.131, 40.217, 48.678),
        (7, 49, 1, "198.51.100.1:55904", 7, 0.009, 0.239429, 1.553),
        (8, 46, 0, "198.51.100.2:80", 3, 32.195, 33.700333, 34.479),
        (8, 46, 0, "198.51.100.1:55914", 19, 0.002, 0.012737, 0.044),
        (9, 44, 1, "198.51.100.2:80", 3, 34.759, 36.866333, 38.304),
        (9, 44, 1, "198.51.100.1:55916", 10, 0.006, 0.0169, 0.047),
        (10, 44, 0, "198.51.100.2:80", 3, 34.503, 36.021333, 37.723),
        (10, 44, 0, "198.51.100.1:55920", 12, 0.002, 1.9675, 23.402),
        (11, 44, 0, "198.51.100.2:80", 3, 35.727, 38.721, 44.64),
        (11, 44, 0, "198.51.100.1:55936", 14, 0.002, 2.390571, 33.214),
];

/// What Wireshark's `tcp.analysis.ack_rtt` gives: connections, samples, their sum.
#[test]
fn connections_have_the_times_of_wireshark() {
    let i = import("captures/tcp_http_short_flows.pcap");
    let mut got = Vec::new();
    for f in &i.flows {
        for side in &f.acked_by {
            let us = |ms: f64| (ms * 1e6).round() / 1e6;
            let times = (us(side.min_ms), us(side.mean_ms), us(side.max_ms));
            got.push((
                f.stream,
                f.packets,
                f.retransmissions,
                &side.by[..],
                side.n,
                times.0,
                times.1,
                times.2,
            ));
        }
    }
    got.sort_by_key(|row| (row.0, row.3.to_owned()));
    let mut expected = FLOWS.to_vec();
    expected.sort_by_key(|row| (row.0, row.3.to_owned()));
    assert_eq!(got, expected);
}

/// One line a sample: what an importer noticed.
#[test]
fn notes_are_few_and_say_what_matters() {
    let mut out = String::new();
    for s in SAMPLES {
        for n in &import(s.path).trace.notes {
            let line = if n.line > 0 { format!(" {}", n.line) } else { String::new() };
            out = format!("{out}{}{line}: {}\n", s.path, n.text);
        }
    }
    insta::assert_snapshot!(out);
}

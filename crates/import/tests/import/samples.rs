//! Real output of real tools, against counts found without these importers.

use netspurt_import::{Import, Options, read};

struct Sample {
    path: &'static str,
    format: &'static str,
    sent: u64,
    received: u64,
    duplicates: u64,
    /// Of the timed replies; bounds count as their value.
    mean_ms: Option<f64>,
    /// In the order of the file.
    first_ms: &'static [f64],
}

#[rustfmt::skip]
const SAMPLES: &[Sample] = &[
    sample("csv/epoch_s_comma.csv", "csv", [80, 61, 0], Some(20.295_082), &[22.2, 20.9, 20.2]),
    sample("csv/iso_semicolon_decimal_comma.csv", "csv", [80, 61, 0], Some(20.295_082), &[22.2, 20.9, 20.2]),
    sample("csv/one_column.csv", "csv", [61, 61, 0], Some(20.295_082), &[22.2, 20.9, 20.2]),
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
];

const fn sample(
    path: &'static str,
    format: &'static str,
    counts: [u64; 3],
    mean_ms: Option<f64>,
    first_ms: &'static [f64],
) -> Sample {
    let [sent, received, duplicates] = counts;
    Sample { path, format, sent, received, duplicates, mean_ms, first_ms }
}

fn import(path: &str) -> Import {
    let file = format!("{}/tests/samples/{path}", env!("CARGO_MANIFEST_DIR"));
    read(&std::fs::read(file).unwrap(), &Options::default()).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn counts_and_delays_are_right() {
    for s in SAMPLES {
        let i = import(s.path);
        let c = &i.counts;
        let counts = (i.format, c.sent, c.received, c.duplicates);
        assert_eq!(counts, (s.format, Some(s.sent), Some(s.received), Some(s.duplicates)), "{}", s.path);
        assert_eq!(i.trace.len() as u64, s.sent, "{}", s.path);
        let delays = i.delays_in_file_order();
        assert_eq!(&delays[..s.first_ms.len()], s.first_ms, "{}", s.path);
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

//! The 52 runs RFC 889 prints in section 3.2, and the 30 delay lines of section 2.1 they rest on.
//!
//! The tables are compiled in from `traces/`. A run is named `rfc889/<section>/<run>`, as
//! `rfc889/dcn1-local/FOE`; UCL stands in two sections, so a host id alone would not do.

use super::replay::Summary;
use crate::number::decimal;
use std::sync::LazyLock;

const RTO: &str = include_str!("../../../../traces/rfc889_rto.csv");
const LINES: &str = include_str!("../../../../traces/rfc889_delay_vs_length.csv");
const HOSTS: &str = include_str!("../../../../traces/rfc889_hosts.csv");

/// A section of the printed table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// As in trace names.
    pub id: &'static str,
    /// Two or three words for a list.
    pub title: &'static str,
    /// How the table's heading begins.
    heading: &'static str,
}

/// In the order printed.
pub const SECTIONS: [Section; 6] = [
    Section { id: "dcn1-local", title: "Nearby local nets", heading: "DCN1 to nearby" },
    Section { id: "dcn1-arpanet", title: "ARPANET", heading: "DCN1 to ARPANET" },
    Section { id: "dcn1-milnet", title: "MILNET and MINET", heading: "DCN1 to MILNET" },
    Section { id: "dcn1-telenet", title: "TELENET", heading: "DCN1 to TELENET" },
    Section { id: "dcn1-satnet", title: "SATNET", heading: "DCN1 to SATNET" },
    Section { id: "nta-satnet", title: "From NTA to SATNET", heading: "NTA to SATNET" },
];

/// Packet lengths of a run, in octets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    /// "uniformly distributed lengths between 40 and 256"
    Uniform,
    /// Suffix -1 or -2: all of one length.
    Constant(u32),
}

/// The columns of the table, in the order printed.
pub const FIGURES: [&str; 8] =
    ["total_time_s", "lost_count", "lost_time_s", "rtx_count", "rtx_time_s", "mean_ms", "cov", "efficiency"];

/// Decimals of the columns.
pub const PLACES: [usize; 8] = [0, 0, 1, 0, 1, 0, 2, 2];

/// A printed row. Numbers are cut, not rounded: totals to seconds, times to tenths, the mean to
/// milliseconds, CoV and efficiency to hundredths.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub section: Section,
    /// As printed, `ISID*` without its space.
    pub id: &'static str,
    pub base_host: &'static str,
    pub lengths: Lengths,
    /// Marked `*`: made in a busy period.
    pub busy: bool,
    pub total_s: f64,
    pub lost: u32,
    pub lost_s: f64,
    pub rtx: u32,
    pub rtx_s: f64,
    pub mean_ms: f64,
    pub cov: f64,
    pub efficiency: f64,
    /// The eight figures as the RFC prints them, total to efficiency: `.87`, `1`.
    pub printed: [&'static str; 8],
}

impl Run {
    /// `rfc889/dcn1-local/FOE`
    pub fn name(&self) -> String {
        format!("rfc889/{}/{}", self.section.id, self.id)
    }

    /// The eight figures as numbers, in the order of [`FIGURES`].
    pub fn figures(&self) -> [f64; 8] {
        let (lost, rtx) = (f64::from(self.lost), f64::from(self.rtx));
        [self.total_s, lost, self.lost_s, rtx, self.rtx_s, self.mean_ms, self.cov, self.efficiency]
    }
}

/// A replay's figures in the table's units, in the order of [`FIGURES`]. `None` where one is not
/// defined.
pub fn columns(s: &Summary) -> [Option<f64>; 8] {
    [
        Some(s.total / 1000.0),
        Some(s.lost as f64),
        Some(s.lost_time / 1000.0),
        Some(s.rtx as f64),
        Some(s.rtx_time / 1000.0),
        s.mean,
        s.cov,
        s.efficiency,
    ]
}

/// A replay's figures cut as the table was, in the order of [`FIGURES`]. NaN where one is not
/// defined.
pub fn figures(s: &Summary) -> [f64; 8] {
    let columns = columns(s);
    std::array::from_fn(|i| columns[i].and_then(|v| decimal(&cut(v, PLACES[i]))).unwrap_or(f64::NAN))
}

/// Cuts, never rounds: so the printed table was made, and an efficiency below one never shows as 1.
pub fn cut(value: f64, places: usize) -> String {
    // Rust prints the shortest digits that give the same bits, so cutting them is exact: 0.29 does
    // not become 0.28 by way of 28.999….
    let text = value.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    match places {
        0 => whole.to_owned(),
        n => format!("{whole}.{fraction:0<n$.n$}"),
    }
}

/// A printed delay line: one-way delay at the ends of one segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    pub octets: (f64, f64),
    pub delay_ms: (f64, f64),
    /// Bits per second, as printed beside the delays.
    pub rate_bps: f64,
}

impl Segment {
    fn at(&self, octets: f64) -> f64 {
        let (l, d) = (self.octets, self.delay_ms);
        d.0 + (d.1 - d.0) * (octets - l.0) / (l.1 - l.0)
    }
}

/// Delay against length as section 2.1 prints it: one segment, or two with a jump between 125 and
/// 126 octets.
#[derive(Debug, Clone, PartialEq)]
pub struct DelayLine {
    pub section: Section,
    pub host: &'static str,
    pub short: Segment,
    pub long: Option<Segment>,
    /// "low-traffic period"
    pub comment: &'static str,
}

impl DelayLine {
    /// One-way delay in ms for a packet of this many octets.
    pub fn at(&self, octets: u32) -> f64 {
        let octets = f64::from(octets);
        match self.long {
            Some(long) if octets > self.short.octets.1 => long.at(octets),
            _ => self.short.at(octets),
        }
    }
}

/// All 52 rows, in the order printed.
pub fn runs() -> &'static [Run] {
    static RUNS: LazyLock<Vec<Run>> = LazyLock::new(|| rows(RTO).filter_map(|r| run(&r)).collect());
    &RUNS
}

/// The row of this name, `rfc889/dcn1-local/FOE`.
pub fn find(name: &str) -> Option<&'static Run> {
    let mut parts = name.split('/');
    let (head, section, id) = (parts.next()?, parts.next()?, parts.next()?);
    let row = runs().iter().find(|r| r.section.id == section && r.id == id)?;
    (head == "rfc889" && parts.next().is_none()).then_some(row)
}

/// All 30 delay lines, in the order printed.
pub fn lines() -> &'static [DelayLine] {
    static ALL: LazyLock<Vec<DelayLine>> = LazyLock::new(|| rows(LINES).filter_map(|r| line(&r)).collect());
    &ALL
}

/// The delay line a run rests on: its host's own, or of the host's two that of the same traffic
/// (`-L` low, `-H` high). `None` if none was printed.
pub fn line_of(run: &Run) -> Option<&'static DelayLine> {
    let suffixes = if run.busy { ["", "-H", "-L"] } else { ["", "-L", "-H"] };
    suffixes.iter().find_map(|s| {
        lines().iter().find(|l| l.section == run.section && l.host.strip_prefix(run.base_host) == Some(*s))
    })
}

/// A host as the RFC's index lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Host {
    /// `128.5.0.15`
    pub address: &'static str,
    /// The name the Network Information Center gave it.
    pub nic_name: &'static str,
}

/// The host of a run or a delay line: `FOE`, `ISID-L`. `None` if the index does not list it.
pub fn host(section: Section, id: &str) -> Option<Host> {
    static ALL: LazyLock<Vec<Vec<&'static str>>> = LazyLock::new(|| rows(HOSTS).collect());
    let of = |id: &str| {
        let named = || ALL.iter().filter(|r| r.get(1) == Some(&id));
        // NTA's runs to UCL are in a section of their own, UCL in the index of another.
        let row = named().find(|r| self::section(r[0]) == Some(section)).or_else(|| named().next())?;
        Some(Host { address: row.get(2)?, nic_name: row.get(3)? })
    };
    of(id).or_else(|| of(id.strip_suffix("-L").or_else(|| id.strip_suffix("-H"))?))
}

/// The rows below the heading. No field that is read is quoted; a test holds the tables to it.
fn rows(csv: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    csv.lines().skip(1).map(|l| l.splitn(COLUMNS, ',').collect())
}

/// The most columns a table has. What follows the last comma is a remark and may hold commas.
const COLUMNS: usize = 13;

fn section(heading: &str) -> Option<Section> {
    SECTIONS.into_iter().find(|s| heading.starts_with(s.heading))
}

fn run(r: &[&'static str]) -> Option<Run> {
    let [heading, host, base_host, lengths, busy, figures @ ..] = r else { return None };
    let figures: [&'static str; 8] = figures.try_into().ok()?;
    let number = |i: usize| decimal(figures[i]);
    let count = |i: usize| figures[i].parse::<u32>().ok();
    Some(Run {
        section: section(heading)?,
        id: RUN_IDS.iter().find(|(with_space, _)| with_space == host).map_or(host, |(_, id)| id),
        base_host,
        lengths: match lengths.parse() {
            Ok(octets) => Lengths::Constant(octets),
            Err(_) => Lengths::Uniform,
        },
        busy: *busy == "true",
        total_s: number(0)?,
        lost: count(1)?,
        lost_s: number(2)?,
        rtx: count(3)?,
        rtx_s: number(4)?,
        mean_ms: number(5)?,
        cov: number(6)?,
        efficiency: number(7)?,
        // The RFC prints no nought before the point.
        printed: figures.map(|f| if f.starts_with("0.") { &f[1..] } else { f }),
    })
}

/// Ids printed with a space before the star.
const RUN_IDS: [(&str, &str); 2] = [("ISID *", "ISID*"), ("ISIA *", "ISIA*")];

fn line(r: &[&'static str]) -> Option<DelayLine> {
    let number = |i: usize| decimal(r.get(i)?);
    let segment = |l: usize, d: usize| {
        let (octets, delay_ms) = ((number(l)?, number(l + 1)?), (number(d)?, number(d + 1)?));
        Some(Segment { octets, delay_ms, rate_bps: number(d + 2)? })
    };
    Some(DelayLine {
        section: section(r.first()?)?,
        host: r.get(1)?,
        short: segment(2, 6)?,
        long: segment(4, 9),
        comment: r.get(12)?.trim_matches('"'),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_are_read() {
        assert_eq!((runs().len(), lines().len()), (52, 30));
        // Only the remark that ends a delay line may be quoted.
        let quoted =
            |t: &'static str, columns| rows(t).any(|r| r.iter().take(columns).any(|f| f.contains('"')));
        assert!(!quoted(RTO, 13) && !quoted(LINES, 12) && !quoted(HOSTS, 4));
        let foe = find("rfc889/dcn1-local/FOE").unwrap();
        assert_eq!(foe.printed, ["670", "3", "7.5", "21", "73.3", "1150", ".69", ".87"]);
        assert_eq!(foe.name(), "rfc889/dcn1-local/FOE");
        let foe = Host { address: "128.5.0.15", nic_name: "FORD-FOE" };
        assert_eq!(host(SECTIONS[0], "FOE"), Some(foe));
        // Every run's host and every line's is in the index.
        for (section, id) in runs().iter().map(|r| (r.section, r.base_host)) {
            assert!(host(section, id).is_some(), "{id}");
        }
        for line in lines() {
            assert!(host(line.section, line.host).is_some(), "{}", line.host);
        }
        assert_eq!(find("rfc889/dcn1-arpanet/ISID*").map(|r| r.busy), Some(true));
        assert_eq!(find("rfc889/dcn1-local/FO"), None);
        assert_eq!(find("rfc889/dcn1-local/FOE/x"), None);
    }

    #[test]
    fn figures_are_cut_not_rounded() {
        for (value, places, text) in [
            (0.999_9, 2, "0.99"),
            (0.29, 2, "0.29"),
            (1.0, 2, "1.00"),
            (669.9, 0, "669"),
            (7.68, 1, "7.6"),
            (1e-7, 1, "0.0"),
        ] {
            assert_eq!(cut(value, places), text);
        }
        let s = Summary {
            mean: Some(1150.9),
            cov: Some(0.699_9),
            lost: 3,
            lost_time: 7599.9,
            rtx: 21,
            rtx_time: 73_300.0,
            total: 670_999.9,
            efficiency: Some(0.87),
            ..Summary::default()
        };
        assert_eq!(figures(&s), find("rfc889/dcn1-local/FOE").unwrap().figures());
        assert!(figures(&Summary::default())[5].is_nan());
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<String> = runs().iter().map(Run::name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 52);
    }

    /// The reading of the table that the replay rests on: 512 replies, every column cut.
    #[test]
    fn every_printed_row_adds_up() {
        for r in runs() {
            // A cut figure stands for [v, v + unit).
            let good = (512.0 * r.mean_ms / 1000.0, 512.0 * (r.mean_ms + 1.0) / 1000.0);
            let cut = |v: f64| (v, if v == 0.0 { 0.0 } else { v + 0.1 });
            let (lost, rtx) = (cut(r.lost_s), cut(r.rtx_s));
            let total = (good.0 + lost.0 + rtx.0, good.1 + lost.1 + rtx.1);
            assert!(total.0 < r.total_s + 1.0 && r.total_s <= total.1, "{}: {total:?}", r.name());
            let efficiency = (good.0 / total.1, good.1 / total.0);
            assert!(efficiency.0 < r.efficiency + 0.01 && r.efficiency <= efficiency.1, "{}", r.name());
        }
    }

    #[test]
    fn lines_are_found_by_host_and_traffic() {
        let host = |name: &str| line_of(find(name).unwrap()).map(|l| l.host);
        assert_eq!(host("rfc889/dcn1-local/FOE-2"), Some("FOE"));
        assert_eq!(host("rfc889/dcn1-arpanet/ISID"), Some("ISID-L"));
        assert_eq!(host("rfc889/dcn1-arpanet/ISID*"), Some("ISID-H"));
        let score = lines().iter().find(|l| l.host == "SCORE").unwrap();
        assert_eq!([40, 125, 256].map(|l| score.at(l)), [184.0, 318.0, 608.0]);
        assert_eq!((score.short.rate_bps, score.long.map(|l| l.rate_bps)), (5088.0, Some(15_745.0)));
        let korea = lines().iter().find(|l| l.host == "KOREA").unwrap();
        assert_eq!(korea.comment, "a long, long way off");
        assert!((score.at(126) - 541.0).abs() < 1.0);
    }
}

//! The path builder: what each link adds, how packets overlap, and a trace the cell can fit back.
//!
//! ```text
//! receiver  |        ╱╱ ╱╱
//! node      |     ╱╱ ╱╱       each packet leaves a node between two strokes: first bit, last bit
//! sender    |__╱╱_╱╱_______
//!            0        ms
//! ```

use super::figure::{front, ground};
use super::readout::{bps, four, ms};
use crate::delay::path::{LONGEST, Link, PACKET, Passage, Path, PathError, PathLine};
use crate::experiments::{Entry, Experiment, boxed};
use crate::figure::{Anchor, Axis, Column, Extent, Figure, Mark, Panel, Role, Row, RowKind, Shape, Ticks};
use crate::params::{Param, Params, Range, Settings, Unit};
use crate::report::{Heading, Report, Table, TableRow};
use crate::trace::Trace;
use crate::tree::{self, Keyed, Refusal};

/// What is asked of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// Length of the message that is followed through the path, octets.
    pub octets: u32,
    /// A message of several packets asks for buffers first.
    pub reserve: bool,
    /// Messages in the generated trace.
    pub volleys: u32,
    pub seed: u64,
}

impl Default for Setup {
    fn default() -> Self {
        // "512 of these volleys" (section 2.1)
        Self { octets: 256, reserve: false, volleys: 512, seed: 1 }
    }
}

/// The cell: a chain of links, and what is asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// One link after the other, as [`Path::parse`] reads them.
    pub links: String,
    pub setup: Setup,
}

impl Default for Cell {
    fn default() -> Self {
        Self { links: "9600 prop=5ms, 56k".to_owned(), setup: Setup::default() }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    kind: "path",
    title: "Path",
    fresh: "links = \"9600 prop=5ms, 56k\"\n",
    needs_trace: false,
    follows_row: false,
    is_wide: false,
    make: boxed::<Cell>,
};

impl Keyed for Cell {
    fn settings(&self) -> &dyn Settings {
        &self.setup
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        &mut self.setup
    }

    fn keys(&self) -> &'static [&'static str] {
        &["links"]
    }

    fn set(&mut self, entry: &tree::Entry) -> Result<(), Vec<Refusal>> {
        let text = entry.text().map_err(|e| vec![e])?;
        Path::parse(text).map_err(|e| vec![Refusal::new(&entry.range, e.to_string())])?;
        text.clone_into(&mut self.links);
        Ok(())
    }
}

impl Experiment for Cell {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }
}

const COUNT: Range =
    Range { unit: Unit::One, min: 1.0, max: 1e6, slider: (1.0, 2000.0), step: 1.0, fractions: false };

impl Params for Setup {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            ("octets", "L", "message length", "The message that is followed through the path."),
            Range { unit: Unit::Octets, max: LONGEST as f64, slider: (40.0, 512.0), ..COUNT },
            |p| f64::from(p.octets),
            |p, v| p.octets = v as u32,
        ),
        Param::flag(
            (
                "reserve",
                "",
                "asks for buffers",
                "A message of several packets waits a round trip for the buffers to put it together in.",
            ),
            |p| p.reserve,
            |p, v| p.reserve = v,
        ),
        Param::number(
            ("volleys", "", "volleys", "How many messages the generated trace holds."),
            COUNT,
            |p| f64::from(p.volleys),
            |p, v| p.volleys = v as u32,
        ),
        Param::number(
            ("seed", "", "seed", "Chooses the lengths and waits of the generated trace."),
            Range { min: 0.0, max: 9e15, slider: (0.0, 100.0), ..COUNT },
            |p| p.seed as f64,
            |p, v| p.seed = v as u64,
        ),
    ];
}

/// The path of a text with the setup's switches.
fn path(setup: &Setup, links: &str) -> Result<Path, PathError> {
    let mut path = Path::parse(links)?;
    path.reserve = setup.reserve;
    Ok(path)
}

/// The generated trace.
pub fn trace(setup: &Setup, links: &str) -> Result<Trace, PathError> {
    Ok(path(setup, links)?.trace(setup.volleys as usize, setup.seed))
}

/// The terms of slope and intercept link by link, and the message on its way.
pub fn run(setup: &Setup, links: &str) -> Result<Report, PathError> {
    let path = path(setup, links)?;
    Ok(Report {
        figure: figure(setup, &path),
        readout: table(setup, &path),
        numbers: numbers(setup, &path),
        remarks: remarks(setup, &path),
        ..Report::default()
    })
}

fn numbers(setup: &Setup, path: &Path) -> Vec<(String, f64)> {
    let (short, long) = path.lines();
    let mut all = Vec::new();
    for (name, line) in [("short", Some(short)), ("long", long)] {
        for (what, of) in [("slope", (|l| l.slope) as fn(PathLine) -> f64), ("intercept", |l| l.intercept)] {
            all.push((format!("{name}.{what}"), line.map_or(f64::NAN, of)));
        }
    }
    all.extend([40, PACKET, PACKET + 1, 256].map(|l| (format!("delay.{l}"), path.delay(l))));
    all.push((format!("delay.{}", setup.octets), path.delay(setup.octets)));
    all
}

/// A link a row, then the sums. The column of the followed message has a term only where an octet more
/// takes time.
fn table(setup: &Setup, path: &Path) -> Table {
    let heading = |title, unit| Heading::new(title, unit);
    let short = path.terms(1);
    let followed = path.terms(setup.octets);
    let term = |counts: &[bool], i: usize| {
        if counts[i] { four(path.links[i].ms_per_octet()) } else { "–".to_owned() }
    };
    let mut rows: Vec<TableRow> = path
        .links
        .iter()
        .enumerate()
        .map(|(i, l)| TableRow {
            head: format!("Link {}", i + 1),
            role: Role::Ink,
            cells: vec![
                bps(l.rate),
                if l.packets { "packets" } else { "whole" }.to_owned(),
                term(&short, i),
                term(&followed, i),
                ms(l.propagation),
                ms(l.mean_wait()),
            ],
        })
        .collect();
    let slope = |counts: &[bool]| -> f64 {
        counts.iter().zip(&path.links).filter(|(c, _)| **c).map(|(_, l)| l.ms_per_octet()).sum()
    };
    let sum = |of: fn(&Link) -> f64| path.links.iter().map(of).sum::<f64>();
    let (a, b) = (slope(&short), slope(&followed));
    rows.push(TableRow {
        head: "Sum".to_owned(),
        role: Role::Series(0),
        cells: vec![
            String::new(),
            String::new(),
            four(a),
            four(b),
            ms(sum(|l| l.propagation)),
            ms(sum(Link::mean_wait)),
        ],
    });
    rows.push(TableRow {
        head: "Rate".to_owned(),
        role: Role::Series(0),
        cells: vec![
            String::new(),
            String::new(),
            format!("{} bit/s", bps(8000.0 / a)),
            format!("{} bit/s", bps(8000.0 / b)),
            String::new(),
            String::new(),
        ],
    });
    Table {
        caption: format!(
            "What an octet costs on each link, in one packet and in a message of {} octets",
            setup.octets
        ),
        head: "Link".to_owned(),
        columns: vec![
            heading("Rate", "bit/s"),
            heading("Messages go", ""),
            heading("8/rate, one packet", "ms/octet"),
            heading("8/rate, this message", "ms/octet"),
            heading("Propagation", "ms"),
            heading("Mean wait", "ms"),
        ],
        rows,
    }
}

fn remarks(setup: &Setup, path: &Path) -> Vec<String> {
    let (short, long) = path.lines();
    let mut all = vec![format!(
        "One packet: {} ms + {} ms an octet, {} bit/s.",
        ms(short.intercept),
        four(short.slope),
        bps(short.rate())
    )];
    let Some(long) = long else { return all };
    let counts = path.terms(setup.octets).into_iter().filter(|c| *c).count();
    all.push(format!(
        "From {} octets up packets overlap: the second line has {} bit/s, and it begins {} ms higher than the first ends.",
        PACKET + 1,
        bps(long.rate()),
        ms(path.delay(PACKET + 1) - path.delay(PACKET))
    ));
    if setup.octets > PACKET {
        all.push(format!(
            "In a message of {} octets one more takes time on {counts} of {} links: on the others the last packet waits behind the one before, however long it is.",
            setup.octets,
            path.links.len()
        ));
    }
    all
}

/// The message on its way, node over node, and below it one of a single packet.
fn figure(setup: &Setup, path: &Path) -> Figure {
    let shown = [setup.octets, PACKET.min(setup.octets)];
    let shown = if setup.octets > PACKET { &shown[..] } else { &shown[..1] };
    let nodes = path.links.len() as f64;
    let end = shown.iter().flat_map(|o| path.passages(*o)).map(|p| arrival(path, &p).1).fold(0.0, f64::max);
    let mut axis = Axis::new("time since the message set out, ms", (0.0, 1.02 * end));
    "ms".clone_into(&mut axis.short_label);
    axis.ticks = Ticks::About(6);
    let rows = shown.iter().map(|octets| {
        let mut y = Axis::new(&format!("{octets} octets"), (-0.1, nodes + 0.1));
        let name = |i: usize| match i {
            0 => "sender".to_owned(),
            i if i == path.links.len() => "receiver".to_owned(),
            i => i.to_string(),
        };
        y.ticks = Ticks::At((0..=path.links.len()).map(|i| (i as f64, name(i))).collect());
        y.grid = true;
        Row { height: Extent::Share(0.9), kind: RowKind::Scale(y) }
    });
    let panels = shown.iter().enumerate().map(|(row, octets)| {
        let passages = path.passages(*octets);
        let mut marks: Vec<Mark> = passages.iter().flat_map(|p| strokes(path, p)).collect();
        let arrived = passages.last().map_or(0.0, |p| arrival(path, p).1);
        marks.push(ground(
            Role::Ink,
            Shape::Text {
                x: arrived,
                y: nodes - 0.35,
                text: format!("{} ms", ms(arrived)),
                narrow: String::new(),
                anchor: Anchor::End,
                strong: true,
            },
        ));
        Panel { column: 0, row, marks }
    });
    let packets = path.passages(setup.octets).iter().map(|p| p.piece + 1).max().unwrap_or(1);
    Figure {
        columns: vec![Column { width: Extent::Share(1.0), gap: (64.0, 56.0), axis }],
        rows: rows.collect(),
        panels: panels.collect(),
        alt: format!(
            "A message of {} octets crosses {} links as {packets} {}, in {} ms without waiting for others.",
            setup.octets,
            path.links.len(),
            if packets == 1 { "packet" } else { "packets" },
            ms(path.passages(setup.octets).last().map_or(0.0, |p| arrival(path, p).1))
        ),
    }
}

/// When the first and the last bit reach the far end.
fn arrival(path: &Path, p: &Passage) -> (f64, f64) {
    let propagation = path.links[p.link].propagation;
    (p.start + propagation, p.end + propagation)
}

/// A packet on a link: the way of its first bit, of its last, and the time it takes to be sent.
fn strokes(path: &Path, p: &Passage) -> [Mark; 3] {
    let (near, far) = (p.link as f64, p.link as f64 + 1.0);
    let (first, last) = arrival(path, p);
    let stroke = |x: [f64; 2], y: [f64; 2], strong| {
        front(
            Role::Series(p.piece % 4),
            Shape::Line {
                x: x.to_vec().into(),
                y: y.to_vec().into(),
                step: false,
                strong,
                end: String::new(),
            },
        )
    };
    [
        stroke([p.start, first], [near, far], false),
        stroke([p.end, last], [near, far], false),
        stroke([p.start, p.end], [near, near], true),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINKS: &str = "9600 prop=2ms, 50k packets=true, 50k packets=true load=1/2";

    #[test]
    fn terms_stand_link_by_link() {
        let report = run(&Setup::default(), LINKS).unwrap();
        let column = |i: usize| report.readout.rows.iter().map(|r| r.cells[i].clone()).collect::<Vec<_>>();
        assert_eq!(column(2), ["0.8333", "0.1600", "0.1600", "1.153", "6936 bit/s"]);
        // 256 octets: two full packets and 6 octets, which wait behind them on the second link.
        assert_eq!(column(3), ["0.8333", "–", "0.1600", "0.9933", "8054 bit/s"]);
        assert_eq!(column(5)[2], "20.0");
        assert_eq!(report.figure.rows.len(), 2);
        assert!(report.remarks[1].starts_with("From 126 octets up packets overlap"));
    }

    #[test]
    fn switches_reach_path_and_trace() {
        let asks = Setup { reserve: true, ..Setup::default() };
        let of = |setup: &Setup| run(setup, LINKS).unwrap().digest();
        assert_ne!(of(&asks), of(&Setup::default()));
        let trace = |seed| trace(&Setup { seed, volleys: 20, ..Setup::default() }, LINKS).unwrap();
        assert_eq!((trace(1).len(), trace(1).delays()), (20, trace(1).delays()));
        assert_ne!(trace(1).delays(), trace(2).delays());
    }

    #[test]
    fn a_path_that_is_none_says_so() {
        let e = run(&Setup::default(), "56k, slow").unwrap_err().to_string();
        assert_eq!(e, "link 2: a rate is in bits per second, such as 9600, 56k or 1.5M, not \"slow\"");
    }
}

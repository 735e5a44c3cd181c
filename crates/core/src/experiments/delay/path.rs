//! The path builder: what each link adds, how packets overlap, and a trace the cell can fit back.
//!
//! ```text
//! receiver  |        ╱╱ ╱╱
//! node      |     ╱╱ ╱╱       each packet leaves a node between two strokes: first bit, last bit
//! sender    |__╱╱_╱╱_______
//!            0        ms
//! ```

use super::figure::front;
use super::readout::{bps, four, ms};
use super::sums;
use crate::delay::path::{LONGEST, Link, PACKET, Passage, Path, PathLine};
use crate::experiments::{Entry, Experiment, boxed};
use crate::figure::{
    Anchor, Axis, Column, Data, Extent, Figure, Glyph, Mark, Panel, Role, Row, RowKind, Shape, Ticks,
};
use crate::params::{Param, Params, Range, Settings, Unit};
use crate::parts::Parts;
use crate::report::{Frame, FrameColumn, Heading, Report, Table, TableRow, Values};
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
    /// One link after the other.
    pub links: Path,
    pub setup: Setup,
}

impl Default for Cell {
    fn default() -> Self {
        let slow = Link { rate: 9600.0, propagation: 5.0, ..Link::default() };
        let links = Path { links: vec![slow, Link::default()], reserve: false };
        Self { links, setup: Setup::default() }
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
        self.links = Path::parse(text).map_err(|e| vec![Refusal::new(&entry.range, e.to_string())])?;
        Ok(())
    }
}

impl Experiment for Cell {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn parts(&self) -> Vec<Box<dyn Parts + '_>> {
        vec![Box::new(self.links.clone())]
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

impl Cell {
    /// The path with the setup's switches.
    fn path(&self) -> Path {
        Path { reserve: self.setup.reserve, ..self.links.clone() }
    }

    /// The generated trace.
    pub fn trace(&self) -> Trace {
        self.path().trace(self.setup.volleys as usize, self.setup.seed)
    }
}

/// The terms of slope and intercept link by link, and the message on its way.
pub fn run(cell: &Cell) -> Report {
    let (setup, path) = (&cell.setup, &cell.path());
    Report {
        figure: figure(setup, path),
        below: vec![sums::figure(setup, path)],
        readout: table(setup, path),
        more: vec![lengths(setup, path)],
        frame: frame(setup, path),
        said: said(setup, path),
        numbers: numbers(setup, path),
        remarks: vec![format!(
            "A cell of delay and length can name this one as its trace: {} messages, made from seed {}.",
            setup.volleys, setup.seed
        )],
        ..Report::default()
    }
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

/// What messages of several lengths take: the ends of the two lines, and the one followed.
fn lengths(setup: &Setup, path: &Path) -> Table {
    let mut all = vec![40, PACKET, PACKET + 1, 256];
    if !all.contains(&setup.octets) {
        all.push(setup.octets);
    }
    let row = |octets: u32| {
        let packets = path.passages(octets).iter().map(|p| p.piece + 1).max().unwrap_or(1);
        let empty = path.passages(octets).last().map_or(0.0, |p| arrival(path, p).1);
        TableRow {
            head: format!("{octets} octets"),
            role: if octets == setup.octets { Role::Series(0) } else { Role::Ink },
            cells: vec![packets.to_string(), ms(empty), ms(path.delay(octets))],
        }
    };
    let heading = |title, unit| Heading::new(title, unit);
    Table {
        caption: "What a message takes from end to end".to_owned(),
        head: "Message".to_owned(),
        columns: vec![
            heading("Packets at most", ""),
            heading("On empty links", "ms"),
            heading("With the mean waits", "ms"),
        ],
        rows: all.into_iter().map(row).collect(),
    }
}

/// The slopes as sums, term by term, and why the second is flatter.
fn said(setup: &Setup, path: &Path) -> Vec<String> {
    let (short, long) = path.lines();
    let sum = |counts: &[bool]| {
        let links = || counts.iter().zip(&path.links).filter(|(c, _)| **c).map(|(_, l)| l);
        let of = |term: fn(&Link) -> String| links().map(term).collect::<Vec<_>>().join(" + ");
        let slope: f64 = links().map(Link::ms_per_octet).sum();
        let rates = of(|l| format!("8000/{}", l.rate));
        let terms = of(|l| four(l.ms_per_octet()));
        let equal = if links().count() > 1 { format!(" = {}", four(slope)) } else { String::new() };
        format!("{rates} = {terms}{equal} ms an octet, {} bit/s", bps(8000.0 / slope))
    };
    let mut all = vec![format!(
        "One packet, 40 to {PACKET} octets: {}; and {} ms whatever its length.",
        sum(&path.terms(1)),
        ms(short.intercept)
    )];
    let Some(long) = long else { return all };
    let counts = path.terms(setup.octets);
    if setup.octets > PACKET && counts != path.terms(1) {
        let behind: Vec<String> =
            counts.iter().enumerate().filter(|(_, c)| !**c).map(|(i, _)| (i + 1).to_string()).collect();
        all.push(format!(
            "A message of {} octets: {}. On {} the last packet waits behind the one before, however long it is: packets overlap, and the line is flatter.",
            setup.octets,
            sum(&counts),
            links(&behind)
        ));
    }
    all.push(format!(
        "From {} to 256 octets the line has {} bit/s, and begins {} ms above the end of the first.",
        PACKET + 1,
        bps(long.rate()),
        ms(path.delay(PACKET + 1) - path.delay(PACKET))
    ));
    all
}

/// `link 2`, `links 2, 3 and 4`
fn links(numbers: &[String]) -> String {
    match numbers {
        [all @ .., last] if !all.is_empty() => format!("links {} and {last}", all.join(", ")),
        _ => format!("link {}", numbers.concat()),
    }
}

/// Every packet of the followed message on every link.
fn frame(setup: &Setup, path: &Path) -> Frame {
    let passages = path.passages(setup.octets);
    let column = |title: &str, unit, of: &dyn Fn(&Passage) -> f64| {
        FrameColumn::new(title, unit, Values::Numbers(passages.iter().map(of).collect()))
    };
    let columns = vec![
        column("link", "", &|p| p.link as f64 + 1.0),
        column("packet", "", &|p| p.piece as f64 + 1.0),
        column("length", "octets", &|p| f64::from(p.octets)),
        column("first bit sent", "ms", &|p| p.start),
        column("last bit sent", "ms", &|p| p.end),
        column("first bit there", "ms", &|p| arrival(path, p).0),
        column("last bit there", "ms", &|p| arrival(path, p).1),
    ];
    Frame { columns, rows: passages.len() }
}

/// The chain of links, beside it the message on its way, node over node, and below one of a single
/// packet.
fn figure(setup: &Setup, path: &Path) -> Figure {
    let shown = [setup.octets, PACKET.min(setup.octets)];
    let shown = if setup.octets > PACKET { &shown[..] } else { &shown[..1] };
    let nodes = path.links.len() as f64;
    let end = shown.iter().flat_map(|o| path.passages(*o)).map(|p| arrival(path, &p).1).fold(0.0, f64::max);
    let mut axis = Axis::new("time, ms", (0.0, 1.02 * end));
    "ms".clone_into(&mut axis.short_label);
    axis.ticks = Ticks::About(6);
    let tall = (34.0 * nodes).max(190.0);
    // Half a line of words, in links.
    let half_line = 8.0 * (nodes + 0.2) / tall;
    let rows = shown.iter().map(|octets| {
        // Over the receiver there is room for a line of words.
        let mut y =
            Axis::new(&format!("a message of {octets} octets"), (-0.1, nodes + 0.1 + 2.0 * half_line));
        y.short_label = format!("{octets} octets");
        let name = |i: usize| match i {
            0 => "sender".to_owned(),
            i if i == path.links.len() => "receiver".to_owned(),
            i => i.to_string(),
        };
        y.ticks = Ticks::At((0..=path.links.len()).map(|i| (i as f64, name(i))).collect());
        y.grid = true;
        Row { height: Extent::Px(tall, 0.7 * tall), kind: RowKind::Scale(y) }
    });
    let panels = shown.iter().enumerate().flat_map(|(row, octets)| {
        let passages = path.passages(*octets);
        let mut marks: Vec<Mark> = passages.iter().flat_map(|p| strokes(path, p)).collect();
        let arrived = passages.last().map_or(0.0, |p| arrival(path, p).1);
        let there = format!("{} ms", ms(arrived));
        marks.push(words(Role::Ink, (arrived, nodes + 1.2 * half_line), Anchor::End, true, (&there, "")));
        let chain = chain(path, half_line, row == 0);
        [Panel { column: 0, row, marks: chain }, Panel { column: 1, row, marks }]
    });
    let packets = path.passages(setup.octets).iter().map(|p| p.piece + 1).max().unwrap_or(1);
    let mut beside = Axis::new("", (0.0, 1.0));
    beside.ticks = Ticks::None;
    Figure {
        columns: vec![
            Column { width: Extent::Px(150.0, 40.0), gap: (64.0, 56.0), axis: beside },
            Column { width: Extent::Share(1.0), gap: (12.0, 8.0), axis },
        ],
        rows: rows.collect(),
        panels: panels.collect(),
        alt: format!(
            "A path of {} links: {}. A message of {} octets crosses it as {packets} {}, in {} ms without waiting for others.",
            path.links.len(),
            path.links.iter().map(|l| format!("{} bit/s", l.rate)).collect::<Vec<_>>().join(", then "),
            setup.octets,
            if packets == 1 { "packet" } else { "packets" },
            ms(path.passages(setup.octets).last().map_or(0.0, |p| arrival(path, p).1))
        ),
    }
}

/// Nodes one over the other, the links between, and what each is like.
fn chain(path: &Path, half_line: f64, in_words: bool) -> Vec<Mark> {
    let nodes: Data = (0..=path.links.len()).map(|i| i as f64).collect();
    let along: Data = nodes.iter().map(|_| 0.0).collect();
    let line =
        Shape::Line { x: along.clone(), y: nodes.clone(), step: false, strong: true, end: String::new() };
    let mut marks = vec![
        front(Role::Quiet, line),
        front(Role::Printed, Shape::Points { x: along, y: nodes, glyph: Glyph::Square }),
    ];
    for (i, link) in path.links.iter().enumerate().filter(|_| in_words) {
        let middle = i as f64 + 0.5;
        let rate = format!("{} bit/s", bps(link.rate));
        let more = more_of(link);
        let lift = if more.is_empty() { 0.0 } else { half_line };
        marks.push(words(Role::Ink, (0.12, middle + lift), Anchor::Start, true, (&rate, &short(link.rate))));
        if !more.is_empty() {
            marks.push(words(Role::Quiet, (0.12, middle - lift), Anchor::Start, false, (&more, "")));
        }
    }
    marks
}

/// What a link has besides its rate.
fn more_of(link: &Link) -> String {
    let parts = [
        (link.propagation > 0.0).then(|| format!("{} ms", ms(link.propagation))),
        (link.load > 0.0).then(|| format!("{:.0} % busy", 100.0 * link.load)),
        link.packets.then(|| "in packets".to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `9600`, `56k`
fn short(rate: f64) -> String {
    if rate % 1000.0 == 0.0 { format!("{}k", rate / 1000.0) } else { rate.to_string() }
}

/// Words, and those for narrow figures.
fn words(role: Role, (x, y): (f64, f64), anchor: Anchor, strong: bool, (text, narrow): (&str, &str)) -> Mark {
    front(role, Shape::Text { x, y, text: text.to_owned(), narrow: narrow.to_owned(), anchor, strong })
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
    use crate::report::Drag;

    fn cell(setup: Setup) -> Cell {
        let links = Path::parse("9600 prop=2ms, 50k packets=true, 50k packets=true load=1/2").unwrap();
        Cell { links, setup }
    }

    #[test]
    fn terms_stand_link_by_link() {
        let report = run(&cell(Setup::default()));
        let column = |i: usize| report.readout.rows.iter().map(|r| r.cells[i].clone()).collect::<Vec<_>>();
        assert_eq!(column(2), ["0.8333", "0.1600", "0.1600", "1.153", "6936 bit/s"]);
        // 256 octets: two full packets and 6 octets, which wait behind them on the second link.
        assert_eq!(column(3), ["0.8333", "–", "0.1600", "0.9933", "8054 bit/s"]);
        assert_eq!(column(5)[2], "20.0");
        assert_eq!(
            report.said[0],
            "One packet, 40 to 125 octets: 8000/9600 + 8000/50000 + 8000/50000 = 0.8333 + 0.1600 + 0.1600 = 1.153 ms an octet, 6936 bit/s; and 22.0 ms whatever its length."
        );
        assert!(report.said[1].starts_with("A message of 256 octets: 8000/9600 + 8000/50000 = 0.8333 + 0.1600 = 0.9933 ms an octet, 8054 bit/s. On link 2 the last packet waits"));
        assert!(report.said[2].starts_with("From 126 to 256 octets"));
        assert_eq!((report.figure.rows.len(), report.figure.columns.len()), (2, 2));
        assert_eq!((report.shown(0), report.shown(1)), (&report.figure, &report.below[0]));
        assert_eq!((report.picks.len(), report.drag.clone(), report.steps), (0, Drag::Nothing, 0));
        // Three packets on two links, the message whole on the first.
        assert_eq!(report.frame.rows, 7);
        assert_eq!(report.more[0].rows.len(), 4);
    }

    #[test]
    fn one_packet_has_one_line_and_one_picture() {
        let report = run(&cell(Setup { octets: 100, ..Setup::default() }));
        assert_eq!((report.figure.rows.len(), report.more[0].rows.len(), report.said.len()), (1, 5, 2));
        let plain = run(&Cell::default());
        assert_eq!(
            plain.said,
            [
                "One packet, 40 to 125 octets: 8000/9600 + 8000/56000 = 0.8333 + 0.1429 = 0.9762 ms an octet, 8195 bit/s; and 5.00 ms whatever its length."
            ]
        );
    }

    #[test]
    fn switches_reach_path_and_trace() {
        let asks = Setup { reserve: true, ..Setup::default() };
        let of = |setup: Setup| run(&cell(setup)).digest();
        assert_ne!(of(asks), of(Setup::default()));
        let trace = |seed| cell(Setup { seed, volleys: 20, ..Setup::default() }).trace();
        assert_eq!((trace(1).len(), trace(1).delays()), (20, trace(1).delays()));
        assert_ne!(trace(1).delays(), trace(2).delays());
    }
}

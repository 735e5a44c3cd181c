//! The line a path draws through delay against length, link upon link.
//!
//! ```text
//! ms |             |   ~~~~~~  link 2  0.1429
//!    |      ~~~~~~ | ~~   ...  link 1  0.8333
//!    |~~~~~~ ..... | ...
//!    |_____________|_________
//!    0            125     256   octets
//! ```
//!
//! Every line stands for the path up to the end of one link, the strong ones for all of it: what an
//! octet costs on a link is how much steeper its line is than the one below.

use super::figure::{front, scale};
use super::path::Setup;
use super::readout::{bps, four};
use crate::delay::path::{Link, PACKET, Path};
use crate::figure::{Anchor, Axis, Column, Extent, Figure, Mark, Panel, Role, Row, Shape, Ticks};

/// Longer messages than this are not drawn: the lines go on as they are.
const LONGEST_DRAWN: u32 = 1024;

/// More terms than this are counted and not written out.
const WRITTEN_OUT: usize = 4;

/// Delays up to the end of each link, and of all.
pub(super) fn figure(setup: &Setup, path: &Path) -> Figure {
    let last = setup.octets.clamp(256, LONGEST_DRAWN);
    // Above the lines there is room for words.
    let top = 1.3 * (0..=last).map(|octets| path.delay(octets)).fold(0.0, f64::max);
    let mut axis = Axis::new("message length, octets", (0.0, 1.18 * f64::from(last)));
    "octets".clone_into(&mut axis.short_label);
    let ends = [0, 40, PACKET, 256, last];
    let ticks = ends.iter().enumerate().filter(|(i, at)| ends.iter().position(|e| e == *at) == Some(*i));
    axis.ticks = Ticks::At(ticks.map(|(_, at)| (f64::from(*at), at.to_string())).collect());
    let mut marks: Vec<Mark> = (1..=path.links.len()).flat_map(|links| up_to(path, links, last)).collect();
    marks.extend(ends_of_links(path, last, 0.05 * top));
    marks.extend(slopes(path, last, top));
    let row = Row { height: Extent::Px(300.0, 220.0), ..scale("delay, ms", (0.0, top), 1.0) };
    Figure {
        columns: vec![Column { width: Extent::Share(1.0), gap: (40.0, 30.0), axis }],
        rows: vec![row],
        panels: vec![Panel { column: 0, row: 0, marks }],
        alt: alt(path),
    }
}

/// The path up to the end of so many links.
fn beginning(path: &Path, links: usize) -> Path {
    Path { links: path.links[..links].to_vec(), ..path.clone() }
}

fn in_packets(path: &Path) -> bool {
    path.links.iter().any(|l| l.packets)
}

/// The line of the first so many links, in two where packets are.
fn up_to(path: &Path, links: usize, last: u32) -> Vec<Mark> {
    let part = beginning(path, links);
    let is_all = links == path.links.len();
    let mut marks = Vec::new();
    let mut from = 0;
    while from <= last {
        let to = if from == 0 && in_packets(&part) { PACKET } else { last };
        let x = (from..=to).map(f64::from).collect();
        let y = (from..=to).map(|octets| part.delay(octets)).collect();
        let role = if is_all { Role::Series(usize::from(from > 0)) } else { Role::Quiet };
        marks.push(front(role, Shape::Line { x, y, step: false, strong: is_all, end: String::new() }));
        from = to + 1;
    }
    marks
}

/// What an octet more costs on each link, at the ends of their lines. Left out is what would be written
/// over another, from the last link down.
fn ends_of_links(path: &Path, last: u32, room: f64) -> Vec<Mark> {
    let counts = path.terms(last);
    let mut above = f64::INFINITY;
    let mut marks = Vec::new();
    for links in (1..=path.links.len()).rev() {
        let y = beginning(path, links).delay(last);
        if above - y < room {
            continue;
        }
        above = y;
        let link = &path.links[links - 1];
        let term = if counts[links - 1] { four(link.ms_per_octet()) } else { "waits".to_owned() };
        marks.push(words(
            Role::Quiet,
            (1.015 * f64::from(last), y),
            &format!("link {links}: {term}"),
            &links.to_string(),
            false,
        ));
    }
    marks
}

/// Over each line the sum that is its slope; and between them the knee.
fn slopes(path: &Path, last: u32, top: f64) -> Vec<Mark> {
    let knee = f64::from(PACKET);
    let aside = 0.012 * f64::from(last);
    let mut at = vec![(0, aside, "one packet", path.terms(1))];
    let mut marks = Vec::new();
    if in_packets(path) {
        marks.push(front(Role::Ink, Shape::Rule { at: knee + 0.5, along_y: false, dashed: true }));
        at.push((1, knee + aside, "several packets", path.terms(last)));
    }
    for (series, x, what, counts) in at {
        if in_packets(path) {
            marks.push(words(Role::Quiet, (x, 0.96 * top), what, "", false));
        }
        let (long, short) = sum(path, &counts);
        // The first sum has the width of one packet.
        let text = if series == 0 && last > 2 * 256 { &short } else { &long };
        marks.push(words(Role::Series(series), (x, 0.87 * top), text, &short, true));
    }
    marks
}

fn words(role: Role, (x, y): (f64, f64), text: &str, narrow: &str, strong: bool) -> Mark {
    let (text, narrow) = (text.to_owned(), narrow.to_owned());
    front(role, Shape::Text { x, y, text, narrow, anchor: Anchor::Start, strong })
}

/// `0.8333 + 0.1429 = 0.9762 ms/octet`, and the sum alone.
fn sum(path: &Path, counts: &[bool]) -> (String, String) {
    let links = || counts.iter().zip(&path.links).filter(|(c, _)| **c).map(|(_, l)| l);
    let all = format!("{} ms/octet", four(links().map(Link::ms_per_octet).sum()));
    let long = match links().count() {
        0 | 1 => all.clone(),
        2..=WRITTEN_OUT => {
            let terms: Vec<String> = links().map(|l| four(l.ms_per_octet())).collect();
            format!("{} = {all}", terms.join(" + "))
        }
        n => format!("{n} terms, {all}"),
    };
    (long, all)
}

fn alt(path: &Path) -> String {
    let (short, long) = path.lines();
    let long = long.map_or_else(String::new, |long| {
        format!(
            ", then a jump of {:.0} ms, and from 126 to 256 octets {} bits per second",
            path.delay(PACKET + 1) - path.delay(PACKET),
            bps(long.rate())
        )
    });
    format!(
        "Delay against length, link upon link: {} bits per second for one packet{long}.",
        bps(short.rate())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, octets: u32) -> Figure {
        figure(&Setup { octets, ..Setup::default() }, &Path::parse(text).unwrap())
    }

    fn marks(figure: &Figure) -> &[Mark] {
        &figure.panels[0].marks
    }

    fn said(figure: &Figure) -> Vec<String> {
        let text = |m: &Mark| if let Shape::Text { text, .. } = &m.shape { Some(text.clone()) } else { None };
        marks(figure).iter().filter_map(text).collect()
    }

    #[test]
    fn each_line_is_steeper_by_its_link() {
        let figure = drawn("9600 prop=5, 56k", 256);
        let lines: Vec<_> = marks(&figure)
            .iter()
            .filter_map(|m| if let Shape::Line { x, y, .. } = &m.shape { Some((x, y)) } else { None })
            .collect();
        assert_eq!(lines.len(), 2);
        for ((x, y), slope) in lines.iter().zip([8.0 / 9.6, 8.0 / 9.6 + 8.0 / 56.0]) {
            assert_eq!((x[0], x[256], y[0]), (0.0, 256.0, 5.0));
            assert!((y[256] - 5.0 - 256.0 * slope).abs() < 1e-9);
        }
        assert_eq!(said(&figure), ["link 2: 0.1429", "link 1: 0.8333", "0.8333 + 0.1429 = 0.9762 ms/octet"]);
    }

    #[test]
    fn packets_part_the_line() {
        let figure = drawn("9600, 50k packets=true, 50k packets=true", 256);
        let strong = marks(&figure).iter().filter(|m| matches!(m.shape, Shape::Line { strong: true, .. }));
        assert_eq!(strong.map(|m| m.role).collect::<Vec<_>>(), [0, 1].map(Role::Series));
        assert!(said(&figure).iter().any(|s| s == "0.8333 + 0.1600 + 0.1600 = 1.153 ms/octet"));
        assert!(said(&figure).iter().any(|s| s == "0.8333 + 0.1600 = 0.9933 ms/octet"));
        assert!(figure.alt.contains("then a jump"), "{}", figure.alt);
    }

    #[test]
    fn any_path_is_drawn_in_bounds() {
        for (text, octets) in
            [("1", 65_535), ("1000000000000", 1), (&["9600 packets=true"; 32].join(","), 2000)]
        {
            let figure = drawn(text, octets);
            let sums = said(&figure);
            assert!(sums.iter().any(|s| s.ends_with("ms/octet")), "{sums:?}");
            assert!(marks(&figure).iter().all(
                |m| !matches!(&m.shape, Shape::Line { x, y, .. } if x.len() != y.len() || x.len() > 1025)
            ));
        }
    }
}

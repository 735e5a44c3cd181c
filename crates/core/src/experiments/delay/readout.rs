//! The readout: each line's delays at its ends and its rate, the printed ones beside them; and how well
//! the lines fit.

use super::{Fitted, summary};
use crate::delay::{Lines, Segment, knee};
use crate::figure::Role;
use crate::report::{Heading, Table, TableRow};
use crate::rto::printed::{DelayLine, Segment as Printed};

pub(super) fn lines(f: &Fitted<'_>) -> Table {
    if f.lines.segments.is_empty() {
        return no_lines(f);
    }
    let printed = f.printed.filter(|p| alike(p, f.lines));
    let heading = |title, unit| Heading::new(title, unit);
    let mut columns = vec![heading("Short end", "ms"), heading("Long end", "ms"), heading("Rate", "bit/s")];
    if printed.is_some() {
        columns = columns.into_iter().flat_map(|c| [c, Heading::printed("printed", "")]).collect();
        columns.push(heading("Rate less printed", "%"));
    }
    columns.push(heading("95 % of the rate", "bit/s"));
    let rows = f.lines.segments.iter().enumerate().map(|(i, s)| TableRow {
        head: head(f, s),
        role: Role::Series(i),
        cells: cells(
            s,
            printed.and_then(|p| if i == 0 { Some(&p.short) } else { p.long.as_ref() }),
            printed.is_some(),
        ),
    });
    let rows = rows.collect();
    Table { caption: "The lines at their ends".to_owned(), head: "Line".to_owned(), columns, rows }
}

/// How well the lines fit; nothing where there is none.
pub(super) fn goodness(f: &Fitted<'_>) -> Option<Table> {
    let dash = || "–".to_owned();
    let row = |(i, s): (usize, &Segment)| TableRow {
        head: head(f, s),
        role: Role::Series(i),
        cells: vec![
            s.line.map_or_else(dash, |l| four(l.slope)),
            s.line
                .and_then(|l| l.slope_interval)
                .map_or_else(dash, |(lo, hi)| format!("{} to {}", four(lo), four(hi))),
            s.n.to_string(),
            s.fitted.to_string(),
            s.r2.map_or_else(dash, |r| minus(&format!("{r:.3}"))),
            ms(s.rmse),
        ],
    };
    let rows: Vec<TableRow> = f.lines.segments.iter().enumerate().map(row).collect();
    let heading = |title, unit| Heading::new(title, unit);
    (!rows.is_empty()).then(|| Table {
        caption: "How well the lines fit".to_owned(),
        head: "Line".to_owned(),
        columns: vec![
            heading("Slope", "ms/octet"),
            heading("95 % of the slope", "ms/octet"),
            heading("Packets", ""),
            heading("Points fitted", ""),
            heading("R²", ""),
            heading("RMSE", "ms"),
        ],
        rows,
    })
}

/// Whether fit and printed row have as many lines, so that they can stand beside each other.
fn alike(printed: &DelayLine, lines: &Lines) -> bool {
    let fitted = lines.segments.iter().filter(|s| s.line.is_some()).count();
    fitted == crate::delay::printed::segments(printed).count() && fitted == lines.segments.len()
}

/// "One packet, 40 to 125" at the ARPANET's knee, else the lengths alone.
fn head(f: &Fitted<'_>, s: &Segment) -> String {
    let (from, to) = s.octets;
    let kind = match f.lines.knee.filter(|_| f.arpanet) {
        Some(knee::ARPANET) if from <= knee::ARPANET => "One packet, ",
        Some(knee::ARPANET) => "Several packets, ",
        _ => "",
    };
    if from == to { format!("{kind}{from} octets") } else { format!("{kind}{from} to {to} octets") }
}

fn cells(s: &Segment, printed: Option<&Printed>, beside: bool) -> Vec<String> {
    // Beside a printed line, at the lengths it was printed for.
    let ends = printed.map_or((f64::from(s.octets.0), f64::from(s.octets.1)), |p| p.octets);
    let rate = match (s.line, s.rate()) {
        (None, _) => "–".to_owned(),
        (Some(_), None) => "no finite rate".to_owned(),
        (Some(_), Some(rate)) => bps(rate),
    };
    let mut cells = vec![ms(s.at(ends.0)), ms(s.at(ends.1)), rate];
    if beside {
        let of = |text: Option<String>| text.unwrap_or_default();
        let columns = [
            printed.map(|p| p.delay_ms.0.to_string()),
            printed.map(|p| p.delay_ms.1.to_string()),
            printed.map(|p| p.rate_bps.to_string()),
        ];
        cells = cells.into_iter().zip(columns).flat_map(|(c, p)| [c, of(p)]).collect();
        cells.push(of(s.rate().zip(printed).map(|(rate, p)| percent(rate, p.rate_bps))));
    }
    let interval = s.rate_interval().map(|(lo, hi)| format!("{} to {}", bps(lo), bps(hi)));
    cells.push(interval.unwrap_or_else(|| "–".to_owned()));
    cells
}

/// How far one number lies above another, or below: `+2.4`, `−2.4`.
fn percent(of: f64, than: f64) -> String {
    let by = 100.0 * (of - than) / than;
    format!("{}{:.1}", if by < 0.0 { '−' } else { '+' }, by.abs())
}

/// What the lines say beyond their numbers: method, knee, one line against two.
pub(super) fn said(f: &Fitted<'_>) -> Vec<String> {
    let lines = f.lines;
    if !lines.has_line() {
        return Vec::new();
    }
    let knee = match (lines.knee, lines.knee_interval) {
        (Some(at), Some((from, to))) => {
            format!(", the knee after {at} octets where they fit best, 95 % interval {from} to {to}")
        }
        (Some(at), None) => format!(", parted after {at} octets"),
        (None, _) => String::new(),
    };
    let levels = lines.segments.iter().any(|s| s.line.is_none());
    let what = match lines.segments.len() {
        0 | 1 => "One line",
        _ if levels => "A line and a level",
        _ => "Two lines",
    };
    let of_one = lines.sup_f.map_or_else(String::new, |f| {
        let words = against_two(f);
        let (first, rest) = words.split_at(1);
        format!(" {}{rest}.", first.to_uppercase())
    });
    vec![format!("{what} by {}{knee}.{of_one}", lines.method.title())]
}

/// One line against two, in words.
pub(crate) fn against_two(sup_f: f64) -> String {
    let value = match sup_f {
        f if f >= 1e6 => "over a million".to_owned(),
        f if f >= 100.0 => format!("{f:.0}"),
        f => format!("{f:.1}"),
    };
    let passed = knee::POINTS.iter().rev().find(|(_, point)| sup_f > *point);
    match passed {
        Some((level, point)) => {
            format!("two lines beat one: sup-F {value}, above its {:.0} % point {point}", level * 100.0)
        }
        None => format!("one line will do: sup-F {value}, below its 90 % point {}", knee::POINTS[0].1),
    }
}

/// What can be said without a length.
fn no_lines(f: &Fitted<'_>) -> Table {
    let columns = ["Packets", "Mean", "Standard deviation", "Least", "Median", "Greatest"];
    let cells = summary(f.trace, f.points).map_or_else(Vec::new, |s| {
        let sd = s.sd.map_or("–".to_owned(), ms);
        vec![s.n.to_string(), ms(s.mean), sd, ms(s.min), ms(s.quantiles[4]), ms(s.max)]
    });
    Table {
        caption: "Delays, without lengths".to_owned(),
        head: "Packets".to_owned(),
        columns: columns
            .map(|title| Heading::new(title, if title == "Packets" { "" } else { "ms" }))
            .to_vec(),
        rows: vec![TableRow { head: "All".to_owned(), role: Role::Series(0), cells }],
    }
}

/// Milliseconds as a reader wants them.
pub(super) fn ms(v: f64) -> String {
    let places = match v.abs() {
        a if a >= 100.0 || a == 0.0 => 0,
        a if a >= 10.0 => 1,
        a if a >= 1.0 => 2,
        _ => 3,
    };
    minus(&format!("{v:.places$}"))
}

/// A number with the sign for less instead of a hyphen.
fn minus(number: &str) -> String {
    number.replace('-', "−")
}

/// Bits per second: whole numbers, four significant figures from 10 000 up.
pub(super) fn bps(v: f64) -> String {
    if v < 10_000.0 {
        return format!("{v:.0}");
    }
    let unit = libm::pow(10.0, libm::log10(v).floor() - 3.0);
    format!("{:.0}", (v / unit).round() * unit)
}

/// Four significant figures.
pub(super) fn four(v: f64) -> String {
    if v == 0.0 || !v.is_finite() {
        return "0".to_owned();
    }
    let places = (3.0 - libm::log10(v.abs()).floor()).clamp(0.0, 9.0) as usize;
    minus(&format!("{v:.places$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        for (v, text) in [
            (1234.4, "1234"),
            (12.34, "12.3"),
            (1.234, "1.23"),
            (0.1234, "0.123"),
            (0.0, "0"),
            (-55.5, "−55.5"),
        ] {
            assert_eq!(ms(v), text);
        }
        for (v, text) in [(4663.4, "4663"), (366_422.0, "366400"), (15_745.6, "15750"), (2.5, "2")] {
            assert_eq!(bps(v), text);
        }
        for (v, text) in [(1.576_47, "1.576"), (-0.001_234_56, "−0.001235"), (12_345.6, "12346"), (0.0, "0")]
        {
            assert_eq!(four(v), text);
        }
    }

    #[test]
    fn sup_f_is_said_in_words() {
        assert_eq!(against_two(2.0), "one line will do: sup-F 2.0, below its 90 % point 3.9");
        assert_eq!(against_two(5.0), "two lines beat one: sup-F 5.0, above its 95 % point 4.7");
        assert_eq!(
            against_two(f64::INFINITY),
            "two lines beat one: sup-F over a million, above its 99 % point 6"
        );
        assert_eq!(against_two(912.3), "two lines beat one: sup-F 912, above its 99 % point 6");
    }
}

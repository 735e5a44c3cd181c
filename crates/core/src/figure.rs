//! A figure as data: a grid of panels that share axes, filled with marks.
//!
//! Columns share an x axis and rows a y axis, so that a histogram beside a time series lies on the
//! same delays and a lane of diamonds below it on the same time. Marks have roles, not colours: a
//! theme gives each role its colour, dash and shape. Titles, legends and readouts are not part of a
//! figure; they are text around it.
//!
//! ```text
//!              column 0: time            column 1: count
//! row 0  lost  × ×        ×             "3 lost"
//! row 1  ms    ....:.:..~~~~            ▬▬▬▬
//! row 2  A     ◇    ◇ ◇                 "21 spurious"
//! ```
//!
//! Long columns are shared by pointer ([`Data`]): a million records are not copied to be drawn.

use crate::octets;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A column of numbers, shared with whoever else needs it. Entries that are not finite are not drawn.
pub type Data = Arc<[f64]>;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Figure {
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    pub panels: Vec<Panel>,
    /// One sentence that states the result, for those who do not see the figure.
    pub alt: String,
}

/// How much room a column or row gets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Extent {
    /// CSS pixels; the second number is for figures narrower than [`NARROW`].
    Px(f64, f64),
    /// A share of what is left.
    Share(f64),
}

/// Figures narrower than this many CSS pixels use their narrow sizes, fewer ticks, short labels.
pub const NARROW: f64 = 560.0;

/// Figures narrower than this many CSS pixels have no room for parts side by side
/// ([`crate::report::Report::parts`]).
pub const ABREAST: f64 = 900.0;

impl Figure {
    /// One of so many parts that have as many columns each, from 0; past the last, the last. `share` is
    /// how much of the rows' height it takes, from the top.
    #[must_use]
    pub fn only(&self, part: usize, of: usize, share: f64) -> Self {
        let each = self.columns.len() / of.max(1);
        let first = each * part.min(of.saturating_sub(1));
        let columns = first..first + each;
        let panels = self.panels.iter().filter(|p| columns.contains(&p.column));
        let mut rows = self.rows.clone();
        for row in &mut rows {
            if let (Extent::Px(wide, narrow), RowKind::Scale(axis)) = (&mut row.height, &mut row.kind) {
                (*wide, *narrow) = (share * *wide, share * *narrow);
                let (lo, hi) = axis.range;
                axis.range = sane((hi - share * (hi - lo), hi));
            }
        }
        Self {
            rows,
            columns: self.columns[columns.clone()].to_vec(),
            panels: panels.map(|p| Panel { column: p.column - first, ..p.clone() }).collect(),
            ..self.clone()
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    pub width: Extent,
    /// Space kept free left of the column, wide and narrow, in CSS pixels.
    pub gap: (f64, f64),
    pub axis: Axis,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub height: Extent,
    pub kind: RowKind,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RowKind {
    /// A numeric y axis.
    Scale(Axis),
    /// A lane: marks sit on its middle line, whatever their y.
    Lane { label: String, role: Role },
    /// A y axis for each column, where columns have nothing in common but their height. In narrow
    /// figures such columns stand one below the other, and lanes have marks in the first alone. Axes
    /// are named on a line of their own, so that every tick keeps its label.
    Apart(Vec<Axis>),
    /// Small multiples: every column has this y axis, and a title of its own above. So many stand beside
    /// each other, in wide figures and in narrow ones, the next ones below; the x axis is named once.
    Multiples { axis: Axis, titles: Vec<String>, across: (usize, usize) },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Quantity and unit, as written above or at the end of the axis.
    pub label: String,
    /// The same in a few letters, for narrow figures.
    pub short_label: String,
    pub scale: Scale,
    /// Least and greatest value shown. Always finite and some way apart: see [`Axis::new`].
    pub range: (f64, f64),
    /// What one unit of the labels is in units of the data: 1000 where milliseconds are labelled in
    /// seconds. Tick values and their labels are round in the label's unit.
    pub label_unit: f64,
    pub ticks: Ticks,
    /// Draw a line across the panel at each tick.
    pub grid: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scale {
    Linear,
    Log10,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ticks {
    /// Round numbers, about this many.
    About(usize),
    At(Vec<(f64, String)>),
    None,
}

impl Axis {
    /// A linear axis. A range that is infinite, not a number, reversed or empty is mended, since
    /// drawing libraries hang or panic on such.
    pub fn new(label: &str, range: (f64, f64)) -> Self {
        Self {
            label: label.to_owned(),
            short_label: label.to_owned(),
            scale: Scale::Linear,
            range: sane(range),
            label_unit: 1.0,
            ticks: Ticks::About(4),
            grid: false,
        }
    }
}

/// A range that can be drawn: finite, ascending, wide enough for two different pixels.
pub fn sane((lo, hi): (f64, f64)) -> (f64, f64) {
    const FAR: f64 = 1e15;
    let finite = |v: f64, or: f64| if v.is_nan() { or } else { v.clamp(-FAR, FAR) };
    let (lo, hi) = (finite(lo, 0.0), finite(hi, 1.0));
    let (lo, hi) = if lo <= hi { (lo, hi) } else { (hi, lo) };
    let least = 1e-9 * lo.abs().max(hi.abs()).max(1e-6);
    if hi - lo < least { (lo - least.max(0.5), hi + least.max(0.5)) } else { (lo, hi) }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    pub column: usize,
    pub row: usize,
    pub marks: Vec<Mark>,
}

/// Which part of a drawing a mark belongs to, so that a page can keep what did not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Layer {
    /// The trace itself: changes with the trace.
    Ground,
    /// What the parameters say about it: changes with every move of a slider.
    Front,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    pub layer: Layer,
    pub role: Role,
    pub shape: Shape,
}

/// Who a mark speaks for. The theme decides how that looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// The four series A to D, from 0.
    Series(usize),
    /// Measured delays.
    Data,
    /// Lost packets, rejected messages.
    Alarm,
    /// Values a source printed.
    Printed,
    /// Lines and words of the figure itself.
    Ink,
    Quiet,
    /// What a source leaves out and follows from it.
    Inferred,
    /// Cells of a heat map: a ramp instead of one colour.
    Heat,
}

impl Role {
    /// `A` to `D`.
    pub fn letter(self) -> Option<char> {
        match self {
            Self::Series(i) => "ABCD".chars().nth(i),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// One glyph a point.
    Points {
        #[serde(with = "octets")]
        x: Data,
        #[serde(with = "octets")]
        y: Data,
        glyph: Glyph,
    },
    /// A line through the points; `step` holds a value until the next point. Values beyond the
    /// axis are clipped, not flattened. `end` is written where the line ends.
    Line {
        #[serde(with = "octets")]
        x: Data,
        #[serde(with = "octets")]
        y: Data,
        step: bool,
        strong: bool,
        end: String,
    },
    /// Bars from zero: `lengths[i]` over `edges[i]` to `edges[i + 1]`. `along_y`: the edges lie on
    /// the y axis and bars grow to the right.
    Bars {
        #[serde(with = "octets")]
        edges: Data,
        #[serde(with = "octets")]
        lengths: Data,
        along_y: bool,
    },
    /// A rectangle a value, row by row from the least y: `values[i]` over `x[i % n]` to `x[i % n + 1]`,
    /// n of them in a row. Colours run from one end of `range` to the other; a value that is not finite
    /// is not known yet.
    Cells {
        #[serde(with = "octets")]
        x: Data,
        #[serde(with = "octets")]
        y: Data,
        #[serde(with = "octets")]
        values: Data,
        range: (f64, f64),
    },
    /// A thin line that can be seen on cells of any colour. An entry that is not finite ends a piece.
    Contour {
        #[serde(with = "octets")]
        x: Data,
        #[serde(with = "octets")]
        y: Data,
        dashed: bool,
    },
    /// A thin line across the panel at one value of x or of y.
    Rule { at: f64, along_y: bool, dashed: bool },
    /// Everything of the panel between two values of x or of y: what is looked at, or for
    /// [`Role::Quiet`] what is told apart from the rest.
    Band { from: f64, to: f64, along_y: bool },
    /// Faint dashed lines down the whole column at these x, from the mark's own row to the bottom
    /// of the scale row below it.
    Drops {
        #[serde(with = "octets")]
        x: Data,
    },
    /// Arrows from one point each to another. `faint`: what is still to come.
    Arrows {
        #[serde(with = "octets::pair")]
        from: (Data, Data),
        #[serde(with = "octets::pair")]
        to: (Data, Data),
        arrow: Arrow,
        faint: bool,
    },
    /// Words at a point, in data coordinates; in a lane y does not matter. `narrow` replaces them in
    /// narrow figures, where empty means nothing is written.
    Text { x: f64, y: f64, text: String, narrow: String, anchor: Anchor, strong: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Glyph {
    Dot,
    Cross,
    /// An open diamond with a point in it.
    Diamond,
    /// A small open diamond, for lanes.
    SmallDiamond,
    /// An open square: a printed value.
    Square,
    /// These four can be seen on cells of any colour. A dot.
    Spot,
    /// A circle around what is pointed at.
    Ring,
    Triangle,
    /// A square around what it marks.
    Frame,
    /// A disc as large as the other marks.
    Disc,
}

/// How an arrow is drawn: kinds are told apart by more than colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arrow {
    /// A plain stroke and a filled head.
    Filled,
    /// A double stroke and a filled head.
    Double,
    /// A thin stroke and an open head.
    Open,
    /// A dashed stroke and a diamond for a head.
    Dashed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_range_becomes_one_that_can_be_drawn() {
        let inf = f64::INFINITY;
        for (lo, hi) in [
            (0.0, 0.0),
            (f64::NAN, f64::NAN),
            (-inf, inf),
            (3.0, 1.0),
            (1.0, 1.0 + f64::EPSILON),
            (0.0, 5e-324),
            (1e300, 2e300),
            (0.0, 1e-6),
        ] {
            let (a, b) = sane((lo, hi));
            assert!(a.is_finite() && b.is_finite() && b > a, "{lo} {hi} gave {a} {b}");
            let mid = f64::midpoint(a, b);
            assert!(a < mid && mid < b);
        }
        assert_eq!(sane((0.0, 7.0)), (0.0, 7.0));
    }

    #[test]
    fn parts_stand_alone() {
        let column = |label: &str| Column {
            width: Extent::Share(1.0),
            gap: (0.0, 0.0),
            axis: Axis::new(label, (0.0, 1.0)),
        };
        let panel = |column| Panel { column, row: 0, marks: Vec::new() };
        let figure = Figure {
            columns: ["a", "b", "c", "d"].map(column).to_vec(),
            panels: [0, 1, 2, 3].map(panel).to_vec(),
            rows: vec![Row {
                height: Extent::Px(10.0, 8.0),
                kind: RowKind::Scale(Axis::new("", (-10.0, 0.0))),
            }],
            ..Figure::default()
        };
        let check = |part, labels: [&str; 2]| {
            let only = figure.only(part, 2, 0.5);
            assert!(only.columns.iter().map(|c| c.axis.label.as_str()).eq(labels));
            assert!(only.panels.iter().map(|p| p.column).eq([0, 1]));
            assert!(
                matches!(&only.rows[0], Row { height: Extent::Px(5.0, 4.0), kind: RowKind::Scale(a) } if a.range == (-5.0, 0.0))
            );
        };
        check(0, ["a", "b"]);
        check(1, ["c", "d"]);
        check(9, ["c", "d"]);
        assert_eq!(figure.only(0, 1, 1.0), figure);
        assert_eq!(figure.only(0, 9, 1.0).columns, []);
    }
}

//! What an experiment returns: numbers, tables, a figure, all as data.

use crate::digest::NumberDigest;
use crate::figure::{Arrow, Data, Figure, Glyph, Role};
use crate::octets;
use crate::shared::Shared;
use crate::trace::Trace;
use crate::tree::Misfit;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Words that are most often written in the source.
pub type Words = Cow<'static, str>;

/// A result. Two runs with the same inputs give the same report, bit for bit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Report {
    pub figure: Figure,
    /// Further figures, below the first. A report that has some is not picked, dragged or stepped.
    pub below: Vec<Figure>,
    /// The readout beside the figure.
    pub readout: Table,
    /// Further small tables.
    pub more: Vec<Table>,
    /// Tables to look up, folded away.
    pub asides: Vec<Table>,
    /// Every record with its results: the figure's numbers as a table.
    pub frame: Frame,
    /// How many steps the figure can be gone through in; 0 for one that is not stepped. The row looked
    /// at is the step shown, the last where none is.
    pub steps: usize,
    /// What the figure says, in sentences; of one that is stepped, what happens at the step shown.
    pub said: Vec<String>,
    /// Steps worth stopping at, in a few words each, by their place from 0.
    pub stops: Vec<(String, usize)>,
    /// What stands side by side in the figure, with what is above each. Each has as many of the
    /// figure's columns; where there is no room they are shown one at a time. Empty: the figure is one.
    pub parts: Vec<Part>,
    /// What the figure's marks and arrows mean, where their labels do not say it.
    pub legend: Vec<(Sample, Words)>,
    /// Cells that go on from this result.
    pub opens: Vec<Opens>,
    /// Which places of the figure are rows of the frame.
    pub picks: Picks,
    /// What picking a row sets: parameters, each to the number in a column of the frame. Empty: the row
    /// is looked at, and nothing is set.
    pub sets: Vec<(Words, usize)>,
    /// What dragging along the first column's axis means.
    pub drag: Drag,
    /// Every number of the result by name, in a fixed order: what the digest covers.
    pub numbers: Vec<(String, f64)>,
    /// What a reader must know of how the numbers came about.
    pub remarks: Vec<String>,
}

impl Report {
    /// One of the figures: the first is 0, past the last the first again.
    pub fn shown(&self, which: usize) -> &Figure {
        which.checked_sub(1).and_then(|i| self.below.get(i)).unwrap_or(&self.figure)
    }

    /// A digest over the names and bits of all numbers.
    pub fn digest(&self) -> String {
        let mut d = NumberDigest::default();
        for (name, value) in &self.numbers {
            d.text(name);
            d.number(*value);
        }
        d.finish()
    }
}

/// A part of a figure that stands beside another, and its head.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Part {
    pub title: String,
    /// The title in a few words more.
    pub gist: Words,
    /// Where a source prints it; empty where none does.
    pub printed: Words,
    /// How much of the figure's height it takes, from the top: 1 is all.
    pub share: f64,
    /// Who holds what, at the step shown.
    pub holders: Vec<Holder>,
}

/// Someone who holds things, and what.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Holder {
    pub name: String,
    pub holds: Vec<(Words, Vec<Chip>)>,
}

/// A thing held: its name, and what is with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chip {
    /// Empty for a free place.
    pub name: String,
    pub state: ChipState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChipState {
    Plain,
    /// Nothing is there.
    Free,
    /// Nothing is there, and the place is kept for it.
    Kept,
    Stored,
    /// On its way out.
    Leaving,
}

/// A mark or an arrow of a figure, by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sample {
    Arrow(Role, Arrow),
    Glyph(Role, Glyph),
}

/// A cell that goes on from a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opens {
    /// What a button for it says.
    pub label: String,
    /// The kind of cell.
    pub kind: Words,
    /// What its body says.
    pub body: String,
}

/// What dragging over a figure does.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Drag {
    #[default]
    Nothing,
    /// Shows that part of the axis alone.
    Zoom,
    /// Sets these two parameters to the ends of the part, in the axis's own unit.
    Select { from: Words, to: Words },
}

/// Where the rows of a frame lie in a figure, so that a pointer or an arrow key can pick one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub enum Picks {
    /// Nothing can be picked.
    #[default]
    None,
    /// Row `i` lies at `x[i]` of the figure's first column, `x` ascending; its height in row `scale`
    /// is the number in column `y` of the frame, and where there is none it lies in the lane `lane`.
    Along {
        #[serde(with = "octets")]
        x: Data,
        y: usize,
        lane: usize,
        scale: usize,
    },
    /// Row `i` lies at a point of one panel.
    Points {
        column: usize,
        row: usize,
        #[serde(with = "octets")]
        x: Data,
        #[serde(with = "octets")]
        y: Data,
    },
    /// Row `i` lies at a point of the panel in column `columns[i]`.
    Across {
        columns: Vec<usize>,
        row: usize,
        #[serde(with = "octets")]
        x: Data,
        #[serde(with = "octets")]
        y: Data,
    },
}

impl Picks {
    /// How many rows can be picked.
    pub fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Along { x, .. } | Self::Points { x, .. } | Self::Across { x, .. } => x.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A small table of results.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Table {
    pub caption: String,
    /// What the row heads are.
    pub head: String,
    pub columns: Vec<Heading>,
    pub rows: Vec<TableRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    pub title: Words,
    /// Empty where there is none.
    pub unit: Words,
    /// What a source printed stands below, as printed.
    pub printed: bool,
}

impl Heading {
    pub const fn new(title: &'static str, unit: &'static str) -> Self {
        Self { title: Cow::Borrowed(title), unit: Cow::Borrowed(unit), printed: false }
    }

    /// Heads what a source printed.
    pub const fn printed(title: &'static str, unit: &'static str) -> Self {
        Self { title: Cow::Borrowed(title), unit: Cow::Borrowed(unit), printed: true }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableRow {
    pub head: String,
    /// The series the row belongs to.
    pub role: Role,
    pub cells: Vec<String>,
}

/// A long table held as columns; rows are written when they are shown.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Frame {
    pub columns: Vec<FrameColumn>,
    pub rows: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrameColumn {
    pub title: String,
    /// Empty where there is none.
    pub unit: Words,
    pub values: Values,
}

impl FrameColumn {
    pub fn new(title: &str, unit: &'static str, values: Values) -> Self {
        Self { title: title.to_owned(), unit: Cow::Borrowed(unit), values }
    }
}

/// Where a column's cells come from. NaN is an empty cell.
///
/// As a message a column read off a trace is the numbers themselves.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "Sent", into = "Sent")]
pub enum Values {
    Numbers(Data),
    /// Read off the trace when they are shown.
    Trace(Shared<Trace>, fn(&Trace, usize) -> f64),
    /// Words by index into a list.
    Words(Cow<'static, [Words]>, Arc<[u8]>),
    Texts(Arc<[String]>),
}

impl Values {
    pub fn words(list: &[&'static str], indices: Arc<[u8]>) -> Self {
        Self::Words(list.iter().map(|w| Cow::Borrowed(*w)).collect(), indices)
    }
}

/// [`Values`] as a message.
#[derive(Serialize, Deserialize)]
enum Sent {
    Numbers(#[serde(with = "octets")] Data),
    Words(Vec<Words>, #[serde(with = "serde_bytes")] Vec<u8>),
    Texts(Vec<String>),
}

impl From<Values> for Sent {
    fn from(values: Values) -> Self {
        match values {
            Values::Numbers(data) => Self::Numbers(data),
            Values::Trace(trace, read) => Self::Numbers((0..trace.len()).map(|i| read(&trace, i)).collect()),
            Values::Words(words, indices) => Self::Words(words.into_owned(), indices.to_vec()),
            Values::Texts(texts) => Self::Texts(texts.to_vec()),
        }
    }
}

impl From<Sent> for Values {
    fn from(sent: Sent) -> Self {
        match sent {
            Sent::Numbers(data) => Self::Numbers(data),
            Sent::Words(words, indices) => Self::Words(words.into(), indices.into()),
            Sent::Texts(texts) => Self::Texts(texts.into()),
        }
    }
}

impl PartialEq for Values {
    /// Numbers are compared by bits, so that an empty cell equals itself; traces by pointer. What is
    /// read off a trace is the same in one column always.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Numbers(a), Self::Numbers(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.to_bits() == b.to_bits())
            }
            (Self::Trace(a, _), Self::Trace(b, _)) => a == b,
            (Self::Words(w, a), Self::Words(v, b)) => w == v && a == b,
            (Self::Texts(a), Self::Texts(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(d) => write!(f, "Numbers({})", d.len()),
            Self::Trace(t, _) => write!(f, "Trace({})", t.len()),
            Self::Words(w, d) => write!(f, "Words({w:?}, {})", d.len()),
            Self::Texts(t) => write!(f, "Texts({})", t.len()),
        }
    }
}

impl Frame {
    /// A cell's text in full precision; empty where there is no value.
    pub fn text(&self, row: usize, column: usize) -> String {
        match self.columns.get(column).map(|c| &c.values) {
            Some(Values::Words(words, v)) => {
                v.get(row).and_then(|i| words.get(usize::from(*i))).map(Cow::to_string).unwrap_or_default()
            }
            Some(Values::Texts(t)) => t.get(row).cloned().unwrap_or_default(),
            _ => self.number(row, column).map(|v| v.to_string()).unwrap_or_default(),
        }
    }

    /// The whole table as CSV, headed by titles and units: `delay_ms`.
    pub fn csv(&self) -> String {
        let heading = |c: &FrameColumn| {
            let title = c.title.replace(' ', "_");
            if c.unit.is_empty() { title } else { format!("{title}_{}", c.unit) }
        };
        let heading = self.columns.iter().map(|c| csv_value(&heading(c)).into_owned());
        let mut text = heading.collect::<Vec<_>>().join(",") + "\n";
        for row in 0..self.rows {
            for column in 0..self.columns.len() {
                if column > 0 {
                    text.push(',');
                }
                text.push_str(&csv_value(&self.text(row, column)));
            }
            text.push('\n');
        }
        text
    }

    /// The number in a cell, if it holds one.
    pub fn number(&self, row: usize, column: usize) -> Option<f64> {
        let value = match &self.columns.get(column)?.values {
            Values::Numbers(v) => v.get(row).copied(),
            Values::Trace(trace, read) => (row < trace.len()).then(|| read(trace, row)),
            Values::Words(..) | Values::Texts(_) => None,
        };
        value.filter(|v| !v.is_nan())
    }
}

/// A value as it stands in CSV: in quotes where it holds a comma, a quote or a line end (RFC 4180, section 2).
///
/// ```
/// use netspurt_core::report::csv_value;
///
/// assert_eq!(csv_value("at night"), "at night");
/// assert_eq!(csv_value("6\" pipe, new"), "\"6\"\" pipe, new\"");
/// ```
pub fn csv_value(value: &str) -> Cow<'_, str> {
    if value.contains([',', '"', '\n', '\r']) {
        Cow::Owned(["\"", &value.replace('"', "\"\""), "\""].concat())
    } else {
        Cow::Borrowed(value)
    }
}

/// Why an experiment did not run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RunError {
    /// The trace has nothing the experiment could work on.
    NoSamples { trace: String },
    /// No packet of the trace has a known delay.
    NoDelays { trace: String },
    /// No estimator is set.
    NoSlots,
    /// There are too few replies with a known delay.
    TooFew { trace: String, found: usize, needed: usize },
    /// It runs on a trace, and was given none.
    NoTrace,
    /// It is being run elsewhere, and nothing has come yet.
    Working,
    /// Its kind is not known where it was to be run.
    Unknown,
    /// Delays cannot be corrected for length: the packets have none, or all have one.
    NoLengths { trace: String },
    /// What it is set to cannot happen.
    Scenario { message: String },
    /// Its settings do not fit each other.
    Misfit(Misfit),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSamples { trace } => write!(f, "{trace} holds no packet that was answered or lost"),
            Self::Unknown => write!(f, "this kind of experiment is not known here"),
            Self::TooFew { trace, found, needed } => {
                write!(f, "{trace} holds {found} replies with a known delay, and {needed} are needed")
            }
            Self::Working => write!(f, "this is still being worked out"),
            Self::NoTrace => write!(f, "no trace is chosen"),
            Self::NoLengths { trace } => {
                write!(
                    f,
                    "{trace} holds no replies of different lengths, so correct = \"length\" has no line to take off"
                )
            }
            Self::Misfit(misfit) => misfit.fmt(f),
            Self::Scenario { message } => f.write_str(message),
            Self::NoDelays { trace } => write!(f, "{trace} holds no packet whose delay is known"),
            Self::NoSlots => write!(f, "there is no estimator to run: give at least one of a, b, c, d"),
        }
    }
}

impl std::error::Error for RunError {}

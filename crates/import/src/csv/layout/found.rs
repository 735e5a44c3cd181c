//! Where the heading and the rows of a table are, and what stands in its columns.

use super::super::Column;
use super::super::cell::{self, Cell};
use super::super::columns::{Stats, tell_apart};
use super::super::names;
use super::super::rows::{Record, Spot};
use super::super::units::delay_column;
use super::{Row, TITLE, usual_width};
use crate::error::clip;
use crate::when::{self, Order};

/// Where heading and rows of a table are.
pub(super) struct Found<'a> {
    pub(super) heading: Option<Spot>,
    pub(super) names: Vec<String>,
    /// The row below the heading, where it holds units.
    units: Option<&'a Record<'a>>,
    pub(super) data: &'a [Row<'a>],
    pub(super) width: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Has a number or a date.
    Figures,
    /// Has nothing but marks in place of delays.
    Marks,
    Words,
}

fn kind(row: &Record<'_>, decimal: u8) -> Kind {
    let mut kind = Kind::Marks;
    for field in row.iter() {
        match cell::read(field, decimal) {
            Cell::Lost | Cell::Untimed => {}
            Cell::Unreadable if when::whole(field, Order::DayFirst).is_none() => kind = Kind::Words,
            _ => return Kind::Figures,
        }
    }
    kind
}

impl<'a> Found<'a> {
    pub(super) fn find(rows: &'a [Row<'a>], decimal: u8) -> Option<Self> {
        let kinds: Vec<Kind> = rows.iter().map(|r| kind(&r.1, decimal)).collect();
        let figures = |from: usize| (from..rows.len()).filter(|i| kinds[*i] == Kind::Figures);
        let widths = |from: usize| figures(from).map(|i| rows[i].1.len()).collect::<Vec<_>>();
        let usual = usual_width(&widths(0))?;
        let is = |i: usize, kind| kinds[i] == kind && rows[i].1.len() == usual;
        let mut start = figures(0).find(|i| is(*i, Kind::Figures))?;
        while start > 0 && is(start - 1, Kind::Marks) {
            start -= 1;
        }
        let data = &rows[start..];
        let alike = (start..rows.len()).filter(|i| is(*i, Kind::Figures) || is(*i, Kind::Marks)).count();
        if alike * 2 < data.len() {
            return None;
        }
        let words = |i: &usize| kinds[*i] == Kind::Words;
        // The nearest row above that names something, else the nearest if it is words.
        let says = (0..start).rev().filter(words).find(|i| {
            let row = &rows[*i].1;
            let near = i + 1 == start || row.len() == usual && (usual > 1 || !row.field(0).contains(&b' '));
            near && row.iter().any(|f| names::read(&clip(f)).says_something())
        });
        // Figures above the names of columns are part of a title: "Date;30.11.2026".
        let below = (start..rows.len().min(start + TITLE)).find(|i| {
            let named = |f: &[u8]| names::read(&clip(f)).role == Some(names::Role::Delay);
            !says.is_some_and(|i| rows[i].1.iter().any(named))
                && words(i)
                && usual_width(&widths(i + 1)) == Some(usual)
                && rows[*i].1.len() == usual
                && rows[*i].1.iter().any(named)
        });
        let (start, says) = below.map_or((start, says), |i| (i + 1, Some(i)));
        let data = &rows[start..];
        let mut heading = says.or(start.checked_sub(1).filter(words));
        let mut units = None;
        if let Some(i) = heading.filter(|i| *i > 0 && words(&(i - 1)))
            && names::are_units(&rows[i].1)
            && rows[i].1.len() == rows[i - 1].1.len()
        {
            (heading, units) = (Some(i - 1), Some(&rows[i].1));
        }
        let heading = heading.map(|i| &rows[i]);
        Some(Self::named(heading, units, data, usual))
    }

    /// A table whose first row is the heading.
    pub(super) fn headed(rows: &'a [Row<'a>], decimal: u8) -> Option<Self> {
        let (heading, data) = rows.split_first()?;
        let figures = data.iter().any(|r| kind(&r.1, decimal) == Kind::Figures);
        figures.then(|| Self::named(Some(heading), None, data, heading.1.len()))
    }

    /// A table that begins with these rows, whatever they hold.
    pub(super) fn told(rows: &'a [Row<'a>], heading: bool, decimal: u8) -> Self {
        let (heading, data) = match rows.split_first() {
            Some((first, rest)) if heading => (Some(first), rest),
            _ => (None, rows),
        };
        let (units, data) = match data.split_first() {
            Some((first, rest)) if heading.is_some() && names::are_units(&first.1) => (Some(&first.1), rest),
            _ => (None, data),
        };
        // Rows of figures say how many columns there are, as where the table was found; else any.
        let widths = |all: bool| -> Vec<usize> {
            let counts = |r: &&Row<'_>| all || kind(&r.1, decimal) == Kind::Figures;
            data.iter().filter(counts).map(|r| r.1.len()).collect()
        };
        let usual = usual_width(&widths(false)).or_else(|| usual_width(&widths(true)));
        let usual = usual.or(heading.map(|h| h.1.len())).unwrap_or(1);
        Self::named(heading, units, data, usual)
    }

    /// The columns of the usual width, with the names that the heading gives them.
    fn named(
        heading: Option<&Row<'_>>,
        units: Option<&'a Record<'a>>,
        data: &'a [Row<'a>],
        usual: usize,
    ) -> Self {
        let mut names: Vec<String> = heading.map(|r| r.1.iter().map(clip).collect()).unwrap_or_default();
        // A row may end with its separator.
        let mut width = usual;
        while width > 1
            && names.get(width - 1).is_none_or(String::is_empty)
            && data.iter().all(|r| r.1.field(width - 1).is_empty())
        {
            width -= 1;
        }
        rejoin_units(&mut names, width);
        while names.len() > width && names.last().is_some_and(String::is_empty) {
            names.pop();
        }
        // R writes no name above the numbers of its rows.
        if names.len() + 1 == width && width > 1 {
            names.insert(0, "row".to_owned());
        }
        let heading = heading.map(|r| r.0).filter(|_| names.len() >= width);
        names.truncate(width);
        if heading.is_none() {
            names = vec![String::new(); width];
        }
        for (i, name) in names.iter_mut().enumerate().filter(|(_, n)| n.is_empty()) {
            *name = super::super::unnamed(i);
        }
        Self { heading, names, units, data, width }
    }

    pub(super) fn stats(&self, decimal: u8, month_first: bool) -> Vec<Stats> {
        let column = |i| Stats::of(self.data.iter().map(|r| r.1.field(i)), decimal, month_first);
        (0..self.width).map(column).collect()
    }

    /// The column of delays where another says what each row measured: its unit is that of the likeliest.
    pub(super) fn of_quantity(&self, column: usize, delay: Column, decimal: u8) -> Column {
        let names = || self.data.iter().map(|r| r.1.field(column));
        let Some(likeliest) = names().min_by_key(|f| names::read(&clip(f)).likeness()) else { return delay };
        let name = names::read(&clip(likeliest));
        let rows = self.data.iter().filter(|r| r.1.field(column) == likeliest);
        let stats = Stats::of(rows.map(|r| r.1.field(delay.index)), decimal, false);
        if delay.guessed { delay_column(delay.index, name, &stats) } else { delay }
    }

    /// What the names say, of columns that hold this.
    pub(super) fn read_names(&self, stats: &[Stats]) -> Vec<names::Name> {
        let mut read = vec![names::Name::default(); self.width];
        if self.heading.is_some() {
            for (i, name) in read.iter_mut().enumerate() {
                *name = names::read(&self.names[i]);
                let below = self.units.and_then(|r| names::unit_of(r.field(i)));
                name.unit = name.unit.or(below);
            }
        }
        tell_apart(&mut read, stats);
        read
    }
}

/// "RTT (ms)" parted at its blank: one name again.
fn rejoin_units(names: &mut Vec<String>, width: usize) {
    let mut i = 1;
    while i < names.len() && names.len() > width {
        if names[i].starts_with(['(', '[']) {
            let unit = names.remove(i);
            names[i - 1] = format!("{} {unit}", names[i - 1]);
        } else {
            i += 1;
        }
    }
}

/// Whether dates put the month first: as some date shows, else as slashes are most often meant.
pub(super) fn month_first(table: &Found<'_>) -> bool {
    let mut slashes = false;
    for field in table.data.iter().flat_map(|r| r.1.iter()) {
        if let Some((a, b)) = when::ambiguous(field) {
            if a > 12 || b > 12 {
                return b > 12;
            }
            slashes |= field.contains(&b'/');
        }
    }
    slashes
}

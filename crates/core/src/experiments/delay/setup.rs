//! What the `delay` cell is set to: what is shown, where the lines part, how they are fitted, and which
//! packets are looked at.

use super::printed_line;
use crate::delay::{Band, Knee, Method, knee};
use crate::params::{Param, Params, Range, Unit};
use crate::trace::Trace;

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Show {
    /// Delays and residuals against length.
    #[default]
    Length,
    /// Delays and residuals against time.
    Time,
    /// How delays are distributed, with fitted laws.
    Histogram,
}

impl Show {
    const NAMES: &'static [&'static str] = &["length", "time", "histogram"];
    const TITLES: &'static [&'static str] = &["against length", "against time", "as a histogram"];
}

/// Where a knee is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parting {
    /// As printed for a run of 1983, else fixed.
    #[default]
    Auto,
    /// After [`Setup::break_after`] octets.
    Fixed,
    /// Nowhere: one line.
    None,
    /// Wherever two lines fit best.
    Estimate,
}

impl Parting {
    pub const NAMES: &'static [&'static str] = &["auto", "fixed", "none", "estimate"];
    const TITLES: &'static [&'static str] =
        &["as RFC 889 has them", "two, parted at a length", "one", "two, parted where they fit best"];
}

/// What the cell is set to.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    pub show: Show,
    pub knee: Parting,
    /// The greatest length on the first line, octets, where the knee is fixed.
    pub break_after: u32,
    /// Knees that are tried where it is estimated; an end of [`knee::OWN`] follows the packets.
    pub grid: (u32, u32),
    pub method: Method,
    pub band: Band,
    /// The histogram is of delays as if all packets had their mean length.
    pub corrected: bool,
    /// The part of the greatest delays that the laws are not fitted to.
    pub leave_out: f64,
}

/// A selection up to here holds all longer packets as well, octets.
const LONG: f64 = 65_535.0;

/// A selection up to here holds all later packets as well, ms.
const FAR: f64 = 1e9;

impl Default for Setup {
    fn default() -> Self {
        Self {
            show: Show::Length,
            knee: Parting::Auto,
            break_after: knee::ARPANET,
            grid: knee::OWN,
            method: Method::Ols,
            band: Band { octets: (0.0, LONG), sent: (0.0, FAR) },
            corrected: true,
            leave_out: 0.0,
        }
    }
}

const OCTETS: Range =
    Range { unit: Unit::Octets, min: 0.0, max: LONG, slider: (0.0, 1500.0), step: 1.0, fractions: false };

const KNEES: Range = Range { min: 1.0, max: 65_535.0, slider: (40.0, 256.0), ..OCTETS };

/// Where a knee is looked for: in the packets of today as well.
const GRID: Range = Range { min: 0.0, slider: (40.0, 1500.0), ..KNEES };

const TIME: Range = Range {
    unit: Unit::Milliseconds,
    min: 0.0,
    max: FAR,
    slider: (0.0, 1.2e6),
    step: 1000.0,
    fractions: false,
};

fn index_of(names: &[&str], name: &str) -> usize {
    names.iter().position(|n| *n == name).unwrap_or(0)
}

impl Params for Setup {
    const TABLE: &'static [Param<Self>] = &[
        Param::<Self>::choice(
            ("show", "", "shown", "What is drawn: delays against length, against time, or their histogram."),
            Show::NAMES,
            |p| Show::NAMES[p.show as usize],
            |p, v| p.show = [Show::Length, Show::Time, Show::Histogram][index_of(Show::NAMES, v)],
        )
        .titled(Show::TITLES),
        Param::<Self>::choice(
            (
                "knee",
                "",
                "lines to fit",
                "One line, or two that part at a fixed or an estimated length; auto does as RFC 889 did for its runs and fixes it for others.",
            ),
            Parting::NAMES,
            |p| Parting::NAMES[p.knee as usize],
            |p, v| {
                p.knee = [Parting::Auto, Parting::Fixed, Parting::None, Parting::Estimate]
                    [index_of(Parting::NAMES, v)];
            },
        )
        .titled(Parting::TITLES),
        Param::number(
            (
                "break-after",
                "",
                "break after",
                "The longest packet on the first of two lines, where the knee is fixed.",
            ),
            KNEES,
            |p| f64::from(p.break_after),
            |p, v| p.break_after = v as u32,
        ),
        Param::<Self>::number(
            (
                "knee-from",
                "",
                "knees from",
                "The least knee that is tried where it is estimated; auto is 60 for packets of up to 256 octets, else leaves a tenth of the packets below.",
            ),
            GRID,
            |p| f64::from(p.grid.0),
            |p, v| p.grid.0 = v as u32,
        )
        .named(&[(knee::OWN.0 as f64, "auto")]),
        Param::<Self>::number(
            (
                "knee-to",
                "",
                "knees to",
                "The greatest knee that is tried where it is estimated; auto is 234 for packets of up to 256 octets, else leaves a tenth of the packets above.",
            ),
            GRID,
            |p| f64::from(p.grid.1),
            |p, v| p.grid.1 = v as u32,
        )
        .named(&[(knee::OWN.1 as f64, "auto")]),
        Param::<Self>::choice(
            ("method", "", "method", "How a line is fitted."),
            Method::NAMES,
            |p| p.method.name(),
            |p, v| p.method = Method::of(v).unwrap_or_default(),
        )
        .titled(Method::TITLES),
        Param::flag(
            (
                "corrected",
                "",
                "at one length",
                "The histogram is of delays as if all packets had the mean length: the line is taken off and added there.",
            ),
            |p| p.corrected,
            |p, v| p.corrected = v,
        ),
        Param::number(
            (
                "leave-out",
                "",
                "spasms left out",
                "The part of the greatest delays that the laws are not fitted to.",
            ),
            Range { unit: Unit::One, min: 0.0, max: 0.5, slider: (0.0, 0.1), step: 0.005, fractions: false },
            |p| p.leave_out,
            |p, v| p.leave_out = v,
        ),
        Param::<Self>::number(
            ("octets-from", "", "lengths from", "Shorter packets are left out."),
            OCTETS,
            |p| p.band.octets.0,
            |p, v| p.band.octets.0 = v,
        )
        .folded(),
        Param::<Self>::number(
            ("octets-to", "", "lengths to", "Longer packets are left out."),
            OCTETS,
            |p| p.band.octets.1,
            |p, v| p.band.octets.1 = v,
        )
        .named(&[(LONG, "longest")])
        .folded(),
        Param::<Self>::number(
            (
                "sent-from",
                "",
                "sent from",
                "Packets sent before are left out; where a trace has no times, its packets count from 0.",
            ),
            TIME,
            |p| p.band.sent.0,
            |p, v| p.band.sent.0 = v,
        )
        .folded(),
        Param::<Self>::number(
            ("sent-to", "", "sent to", "Packets sent later are left out."),
            TIME,
            |p| p.band.sent.1,
            |p, v| p.band.sent.1 = v,
        )
        .named(&[(FAR, "end")])
        .folded(),
    ];

    fn matters(&self, name: &str) -> bool {
        match name {
            "break-after" => matches!(self.knee, Parting::Auto | Parting::Fixed),
            "knee-from" | "knee-to" => self.knee == Parting::Estimate,
            "corrected" | "leave-out" => self.show == Show::Histogram,
            _ => true,
        }
    }
}

impl Setup {
    /// Which packets are looked at: an end that is set to its greatest value is none.
    pub(super) fn selection(&self) -> Band {
        let open = |(from, to): (f64, f64), end: f64| (from, if to < end { to } else { f64::INFINITY });
        let from = |(from, to): (f64, f64)| (if from > 0.0 { from } else { f64::NEG_INFINITY }, to);
        Band { octets: open(self.band.octets, LONG), sent: from(open(self.band.sent, FAR)) }
    }

    /// Where the lines of a trace part.
    pub fn knee_for(&self, trace: &Trace) -> Knee {
        match (self.knee, printed_line(trace)) {
            (Parting::None, _) => Knee::None,
            (Parting::Estimate, _) => Knee::Estimate(self.grid.0, self.grid.1),
            (Parting::Auto, Some(line)) if line.long.is_none() => Knee::None,
            (Parting::Auto | Parting::Fixed, _) => Knee::After(self.break_after),
        }
    }
}

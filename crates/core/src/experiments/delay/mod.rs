//! The `delay` cell: delay against length, the lines through it, and what the lines leave.
//!
//! One run, shown in one of three ways: against length, against time, or as a histogram with fitted
//! laws. The lines and their numbers are the same in all three.

mod figure;
pub mod laws;
pub mod path;
pub mod printed;
mod readout;

use super::{Entry, Experiment, boxed};
use crate::delay::{Band, Knee, Lines, Method, Points, fit, knee};
use crate::figure::Data;
use crate::params::{Param, Params, Range, Settings, Unit};
use crate::report::{Drag, Frame, FrameColumn, Picks, Report, RunError, Values};
use crate::rto::printed::{DelayLine, line_of};
use crate::shared::Shared;
use crate::stats::summary::Summary;
use crate::trace::{Clock, Measure, Outcome, Trace};
use crate::tree::Keyed;

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
}

/// What the cell is set to.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    pub show: Show,
    pub knee: Parting,
    /// The greatest length on the first line, octets, where the knee is fixed.
    pub break_after: u32,
    /// Knees that are tried where it is estimated.
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
            grid: knee::GRID,
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
        Param::choice(
            ("show", "", "shown", "What is drawn: delays against length, against time, or their histogram."),
            Show::NAMES,
            |p| Show::NAMES[p.show as usize],
            |p, v| p.show = [Show::Length, Show::Time, Show::Histogram][index_of(Show::NAMES, v)],
        ),
        Param::choice(
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
        ),
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
        Param::choice(
            ("method", "", "method", "How a line is fitted."),
            Method::NAMES,
            |p| p.method.name(),
            |p, v| p.method = Method::of(v).unwrap_or_default(),
        ),
        Param::number(
            ("knee-from", "", "knees from", "The least knee that is tried where it is estimated."),
            KNEES,
            |p| f64::from(p.grid.0),
            |p, v| p.grid.0 = v as u32,
        ),
        Param::number(
            ("knee-to", "", "knees to", "The greatest knee that is tried where it is estimated."),
            KNEES,
            |p| f64::from(p.grid.1),
            |p, v| p.grid.1 = v as u32,
        ),
        Param::number(
            ("octets-from", "", "lengths from", "Shorter packets are left out."),
            OCTETS,
            |p| p.band.octets.0,
            |p, v| p.band.octets.0 = v,
        ),
        Param::number(
            ("octets-to", "", "lengths to", "Longer packets are left out."),
            OCTETS,
            |p| p.band.octets.1,
            |p, v| p.band.octets.1 = v,
        ),
        Param::number(
            (
                "sent-from",
                "",
                "sent from",
                "Packets sent before are left out; where a trace has no times, its packets count from 0.",
            ),
            TIME,
            |p| p.band.sent.0,
            |p, v| p.band.sent.0 = v,
        ),
        Param::number(
            ("sent-to", "", "sent to", "Packets sent later are left out."),
            TIME,
            |p| p.band.sent.1,
            |p, v| p.band.sent.1 = v,
        ),
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
    ];
}

impl Setup {
    /// Which packets are looked at: an end that is set to its greatest value is none.
    fn selection(&self) -> Band {
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

/// The line RFC 889 prints for the host of a run that a trace was rebuilt from.
pub fn printed_line(trace: &Trace) -> Option<&'static DelayLine> {
    super::rto::printed_run(trace).and_then(line_of)
}

/// A trace with its lines: what figures and tables are made of.
struct Fitted<'a> {
    trace: &'a Trace,
    points: &'a Points,
    lines: &'a Lines,
    residuals: &'a Data,
    printed: Option<&'static DelayLine>,
}

pub(super) const ENTRY: Entry = Entry {
    kind: "delay",
    title: "Delay and length",
    fresh: "trace = \"rfc889/dcn1-arpanet/SCORE\"\n",
    needs_trace: true,
    follows_row: false,
    is_wide: false,
    make: boxed::<Setup>,
};

impl Keyed for Setup {
    fn settings(&self) -> &dyn Settings {
        self
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        self
    }
}

impl Experiment for Setup {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }
}

/// Fits the lines to the packets in the band.
pub fn lines(setup: &Setup, trace: &Trace) -> (Points, Lines) {
    let points = Points::of(trace, &setup.selection());
    let lines = fit(&points, setup.knee_for(trace), setup.method);
    (points, lines)
}

/// Runs the cell. A trace without lengths gives its delays against time and their distribution, and says
/// that there are no lines.
pub fn run(setup: &Setup, trace: &Shared<Trace>) -> Result<Report, RunError> {
    if trace.moments().is_none() {
        return Err(RunError::NoDelays { trace: trace.name.clone() });
    }
    let (points, lines) = lines(setup, trace);
    let residuals: Data = lines.residuals(&points).into();
    let printed = printed_line(trace);
    let f = Fitted { trace, points: &points, lines: &lines, residuals: &residuals, printed };
    let mut numbers = numbers(&f);
    let mut remarks = remarks(&f);
    let show = if setup.show == Show::Length && points.is_empty() { Show::Time } else { setup.show };
    let x: Data = match show {
        Show::Length => (0..trace.len()).map(|i| trace.octets(i).map_or(f64::NAN, f64::from)).collect(),
        Show::Time | Show::Histogram => trace.sent().clone(),
    };
    let timed = |i: usize| if trace.outcomes()[i].is_timed() { trace.delays()[i] } else { f64::NAN };
    let picks = Picks::Points { column: 0, row: 0, x, y: (0..trace.len()).map(timed).collect() };
    let (picks, drag) = match show {
        Show::Length => (picks, Drag::Select { from: "octets-from".into(), to: "octets-to".into() }),
        Show::Time => (picks, Drag::Select { from: "sent-from".into(), to: "sent-to".into() }),
        Show::Histogram => (Picks::None, Drag::Nothing),
    };
    let (figure, readout, said) = match show {
        Show::Length => (figure::against_length(&f), readout::lines(&f), readout::said(&f)),
        Show::Time => (figure::against_time(&f), readout::lines(&f), readout::said(&f)),
        Show::Histogram => laws::histogram(setup, &f, &mut numbers, &mut remarks),
    };
    let more = readout::goodness(&f).filter(|_| show != Show::Histogram);
    Ok(Report {
        figure,
        readout,
        more: more.into_iter().collect(),
        said,
        frame: frame(trace, &f),
        numbers,
        remarks,
        picks,
        drag,
        ..Report::default()
    })
}

/// Every figure of the fit. What is not defined is NaN.
fn numbers(f: &Fitted<'_>) -> Vec<(String, f64)> {
    let lines = f.lines;
    let or_nan = |v: Option<f64>| v.unwrap_or(f64::NAN);
    let knee = |v: Option<u32>| or_nan(v.map(f64::from));
    let mut all = vec![
        ("records".to_owned(), f.trace.len() as f64),
        ("packets".to_owned(), f.points.len() as f64),
        ("knee".to_owned(), knee(lines.knee)),
        ("knee.from".to_owned(), knee(lines.knee_interval.map(|i| i.0))),
        ("knee.to".to_owned(), knee(lines.knee_interval.map(|i| i.1))),
        ("sup-f".to_owned(), or_nan(lines.sup_f)),
    ];
    for (i, s) in lines.segments.iter().enumerate() {
        let name = ["short", "long"][i.min(1)];
        let slope = s.line.and_then(|l| l.slope_interval);
        let rate = s.rate_interval();
        for (what, value) in [
            ("from", f64::from(s.octets.0)),
            ("to", f64::from(s.octets.1)),
            ("packets", s.n as f64),
            ("fitted", s.fitted as f64),
            ("slope", or_nan(s.line.map(|l| l.slope))),
            ("slope.from", or_nan(slope.map(|i| i.0))),
            ("slope.to", or_nan(slope.map(|i| i.1))),
            ("intercept", or_nan(s.line.map(|l| l.intercept))),
            ("rate", or_nan(s.rate())),
            ("rate.from", or_nan(rate.map(|i| i.0))),
            ("rate.to", or_nan(rate.map(|i| i.1))),
            ("mean", s.mean),
            ("r2", or_nan(s.r2)),
            ("rmse", s.rmse),
        ] {
            all.push((format!("{name}.{what}"), value));
        }
    }
    all
}

/// Columns of [`Report::frame`].
pub const FRAME_LENGTH: usize = 2;
pub const FRAME_DELAY: usize = 3;
pub const FRAME_RESIDUAL: usize = 4;

fn frame(trace: &Shared<Trace>, f: &Fitted<'_>) -> Frame {
    let unit = match trace.clock {
        Clock::Elapsed => "ms",
        Clock::Index => "",
    };
    // Packets outside the band have no residual.
    let mut residuals = vec![f64::NAN; trace.len()];
    for (&record, &residual) in f.points.records.iter().zip(f.residuals.iter()) {
        residuals[record as usize] = residual;
    }
    let column = |title: &str, unit, values| FrameColumn::new(title, unit, values);
    let of_trace = |read: fn(&Trace, usize) -> f64| Values::Trace(trace.clone(), read);
    let columns = vec![
        column("packet", "", of_trace(|_, i| (i + 1) as f64)),
        column("sent", unit, Values::Numbers(trace.sent().clone())),
        column("length", "octets", of_trace(|t, i| t.octets(i).map_or(f64::NAN, f64::from))),
        column(
            "delay",
            "ms",
            of_trace(|t, i| if t.outcomes()[i].is_timed() { t.delays()[i] } else { f64::NAN }),
        ),
        column("off the line", "ms", Values::Numbers(residuals.into())),
    ];
    Frame { columns, rows: trace.len() }
}

fn remarks(f: &Fitted<'_>) -> Vec<String> {
    let trace = f.trace;
    let mut all: Vec<String> = f.lines.shortfalls.iter().map(ToString::to_string).collect();
    all.extend(trace.provenance.rebuilt());
    if trace.measure == Measure::RoundTrip && f.lines.has_line() {
        all.push(
            "Delays are round trips: an octet is counted on its way there and back, and the rate is that of both ways together."
                .to_owned(),
        );
    }
    let timed = trace.moments().map_or(0, |m| m.n);
    let left = timed - f.points.len();
    if left > 0 && !f.points.is_empty() {
        all.push(format!("{left} of {timed} delays are left out: their packets lie outside the selection or have no length."));
    }
    let below = f.points.records.iter().filter(|&&i| trace.outcomes()[i as usize] == Outcome::Below).count();
    if below > 0 {
        all.push(format!(
            "{below} delays were given only as a bound, such as <1 ms. They enter at the bound."
        ));
    }
    all
}

/// Mean, spread and quantiles of the delays looked at: of all, where no packet has a length.
pub(crate) fn summary(trace: &Trace, points: &Points) -> Option<Summary> {
    if points.is_empty() {
        Summary::of(&trace.timed().collect::<Vec<_>>())
    } else {
        Summary::of(&points.delays)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Shape;
    use crate::params::Settings;
    use crate::rto::{printed, rebuild};
    use crate::trace::Provenance;
    use crate::trace::{Fate, TraceBuilder};

    fn run_of_1983(name: &str) -> Shared<Trace> {
        Shared::new(rebuild::rebuild(printed::find(name).unwrap(), rebuild::SEED))
    }

    fn trace(of: &[(Option<u32>, f64)]) -> Shared<Trace> {
        let mut b = TraceBuilder::new("t", Provenance::Typed);
        for &(octets, delay) in of {
            b.push(None, octets, Fate::Reply(delay)).unwrap();
        }
        Shared::new(b.build())
    }

    fn with(settings: &[(&str, &str)]) -> Setup {
        let mut setup = Setup::default();
        for (name, value) in settings {
            setup.set_text(name, value).unwrap();
        }
        setup
    }

    fn number(report: &Report, name: &str) -> f64 {
        report.numbers.iter().find(|(n, _)| n == name).unwrap().1
    }

    #[test]
    fn a_run_through_the_arpanet_has_two_lines_beside_the_printed_ones() {
        let report = run(&Setup::default(), &run_of_1983("rfc889/dcn1-arpanet/SCORE")).unwrap();
        assert_eq!(report.readout.rows.len(), 2);
        assert_eq!(report.readout.rows[0].head, "One packet, 40 to 125 octets");
        assert_eq!(report.readout.columns[1].title, "printed");
        assert_eq!([1, 3, 5].map(|i| &report.readout.rows[1].cells[i][..]), ["541", "608", "15745"]);
        assert_eq!((number(&report, "records"), number(&report, "knee")), (512.0, 125.0));
        assert!(number(&report, "sup-f") > 6.0);
        assert!(report.readout.rows.iter().all(|r| r.cells.len() == report.readout.columns.len()));
        let squares = report.figure.panels[0].marks.iter().filter(|m| m.role == crate::figure::Role::Printed);
        assert_eq!(squares.filter(|m| matches!(m.shape, Shape::Points { .. })).count(), 2);
    }

    #[test]
    fn auto_does_as_the_rfc_did() {
        let local = run_of_1983("rfc889/dcn1-local/FORD1");
        assert_eq!(Setup::default().knee_for(&local), Knee::None);
        assert_eq!(with(&[("knee", "fixed")]).knee_for(&local), Knee::After(125));
        let other = trace(&[(Some(40), 1.0)]);
        assert_eq!(Setup::default().knee_for(&other), Knee::After(125));
        assert_eq!(with(&[("break-after", "99")]).knee_for(&other), Knee::After(99));
        let estimate = with(&[("knee", "estimate"), ("knee-to", "200")]);
        assert_eq!(estimate.knee_for(&other), Knee::Estimate(60, 200));
    }

    #[test]
    fn what_is_shown_does_not_change_the_lines() {
        let score = run_of_1983("rfc889/dcn1-arpanet/SCORE");
        let of = |show| run(&with(&[("show", show)]), &score).unwrap();
        let (length, time, histogram) = (of("length"), of("time"), of("histogram"));
        assert_eq!(length.digest(), time.digest());
        assert_ne!(length.figure, time.figure);
        let first =
            Report { numbers: histogram.numbers[..length.numbers.len()].to_vec(), ..Report::default() };
        assert_eq!(first.digest(), length.digest());
        assert!(histogram.numbers.iter().any(|(n, _)| n == "poisson.p"));
        assert_eq!(histogram.readout.rows.len(), 4);
    }

    #[test]
    fn a_selection_has_its_own_statistics() {
        let score = run_of_1983("rfc889/dcn1-arpanet/SCORE");
        let report = run(&with(&[("octets-from", "126")]), &score).unwrap();
        assert_eq!(report.readout.rows.len(), 1);
        assert!(report.remarks[0].starts_with("No packet has 125 octets or fewer"));
        assert!(report.remarks.iter().any(|r| r.contains("are left out")));
        let kept = number(&report, "packets");
        let residuals = (0..report.frame.rows).filter(|&i| report.frame.number(i, FRAME_RESIDUAL).is_some());
        assert!(kept < 512.0 && residuals.count() as f64 == kept);
        let early = run(&with(&[("sent-to", "60s")]), &score).unwrap();
        assert!(number(&early, "packets") < 150.0);
    }

    #[test]
    fn lengths_that_give_no_line_show_what_they_can() {
        let check = |of: &[(Option<u32>, f64)], rows: usize, says: &str| {
            for show in ["length", "time", "histogram"] {
                let report = run(&with(&[("show", show)]), &trace(of)).unwrap();
                assert!(report.remarks[0].starts_with(says), "{:?}", report.remarks);
                assert!(!report.figure.panels.is_empty() && !report.readout.rows.is_empty());
            }
            let report = run(&Setup::default(), &trace(of)).unwrap();
            assert_eq!(report.readout.rows.len(), rows);
            report
        };
        let none = check(&[(None, 1.0), (None, 3.0)], 1, "No packet has both a length and a delay");
        assert_eq!(none.readout.rows[0].cells[..2], ["2", "2.00"]);
        check(&[(Some(64), 1.0), (Some(64), 3.0)], 1, "All packets have 64 octets");
        check(&[(Some(40), 1.0), (Some(40), 2.0), (Some(256), 9.0)], 1, "Packets have 40 or 256 octets");
        let nothing = Shared::new(Trace::from_series("nothing", &[None]).unwrap());
        let e = run(&Setup::default(), &nothing).unwrap_err();
        assert_eq!(e.to_string(), "nothing holds no packet whose delay is known");
    }

    #[test]
    fn a_constant_delay_has_no_finite_rate_and_no_law() {
        let flat: Vec<_> = (40..100).map(|l| (Some(l), 7.0)).collect();
        let report = run(&with(&[("knee", "none")]), &trace(&flat)).unwrap();
        assert_eq!(report.readout.rows[0].cells[2], "no finite rate");
        let report = run(&with(&[("show", "histogram")]), &trace(&flat)).unwrap();
        assert!(report.readout.rows.iter().all(|r| r.cells[0] == "cannot be fitted"));
    }

    #[test]
    fn the_table_of_settings_is_in_order() {
        let mut setup = Setup::default();
        let mut names = Vec::new();
        for i in 0..setup.len() {
            let spec = setup.spec(i);
            assert!(spec.help.ends_with('.') && !names.contains(&spec.name), "{}", spec.name);
            names.push(spec.name);
            assert_eq!(spec.parse(&spec.print(setup.value(i))), Ok(setup.value(i)), "{}", spec.name);
            let other = match spec.kind {
                crate::params::Kind::Number(r) => spec
                    .check(if setup.value(i) == crate::params::Value::Number(r.min) { r.max } else { r.min }),
                crate::params::Kind::Flag => spec.parse("false"),
                crate::params::Kind::Choice(c) => spec.parse(c[c.len() - 1]),
            };
            let other = other.unwrap();
            assert_ne!(other, setup.value(i), "{}", spec.name);
            setup.put(i, other);
            assert_eq!(setup.value(i), other, "{}", spec.name);
        }
    }
}

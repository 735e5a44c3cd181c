//! The `delay` cell: delay against length, the lines through it, and what the lines leave.
//!
//! One run, shown in one of three ways: against length, against time, or as a histogram with fitted
//! laws. The lines and their numbers are the same in all three.

mod figure;
pub mod laws;
pub mod path;
pub mod printed;
mod readout;
mod setup;
mod sums;

pub use setup::{Parting, Setup, Show};

use super::{Entry, Experiment, boxed};
use crate::delay::{Lines, Points, fit};
use crate::figure::Data;
use crate::params::Settings;
use crate::report::{Drag, Frame, FrameColumn, Picks, Report, RunError, Values};
use crate::rto::printed::{DelayLine, line_of};
use crate::shared::Shared;
use crate::stats::summary::Summary;
use crate::trace::{Clock, Measure, Outcome, Provenance, Trace};
use crate::tree::Keyed;

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
    /// Messages went over the ARPANET, where 125 octets still go as one packet: in a run of 1983, or on
    /// a path that was built here.
    arpanet: bool,
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
    let arpanet = match trace.provenance {
        Provenance::Rebuilt { .. } => true,
        Provenance::Typed => trace.measure == Measure::OneWay,
        Provenance::Opened { .. } => false,
    };
    let f = Fitted { trace, points: &points, lines: &lines, residuals: &residuals, printed, arpanet };
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
    if show != Show::Histogram {
        remarks.extend(figure::beyond(&f));
    }
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
        legend: figure::legend(&f).filter(|_| show == Show::Length).into_iter().collect(),
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
    use crate::delay::Knee;
    use crate::figure::{Glyph, Mark, Shape, Ticks};
    use crate::params::Params;
    use crate::rto::{printed, rebuild};
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
        assert_eq!(estimate.knee_for(&other), Knee::Estimate(0, 200));
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
    fn delays_above_the_figure_are_told() {
        let spasms: Vec<_> =
            (0..400).map(|i| (Some(40 + i % 200), if i == 7 { 9000.0 } else { 100.0 })).collect();
        let says = |show, of: &Shared<Trace>| run(&with(&[("show", show)]), of).unwrap().remarks.concat();
        assert!(
            says("length", &trace(&spasms))
                .contains("1 delay lies above the figure, the greatest at 9000 ms.")
        );
        assert!(says("time", &trace(&spasms)).contains("lies above"));
        assert!(!says("length", &trace(&spasms[8..])).contains("above the figure"));
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
        // The ticks of 1983 give way where too few of them are seen, and so do the squares.
        let part = run(&with(&[("octets-from", "82"), ("octets-to", "103")]), &score).unwrap();
        assert_eq!((&part.figure.columns[0].axis.ticks, part.legend.len()), (&Ticks::About(6), 0));
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
        let one = check(&[(Some(64), 1.0), (Some(64), 3.0)], 1, "All packets have 64 octets");
        let mean = |m: &Mark| matches!(&m.shape, Shape::Points { x, y, glyph: Glyph::Disc } if x[..] == [64.0] && y[..] == [2.0]);
        assert!(one.figure.panels[0].marks.iter().any(mean));
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
        assert!(report.readout.rows.iter().all(|r| r.cells.last().unwrap() == "cannot be fitted"));
        // On a line of their own: what rounding leaves is no spread.
        let line: Vec<_> = (40..100).map(|l| (Some(l), 0.1 + 0.3 * f64::from(l))).collect();
        let report = run(&with(&[("show", "histogram")]), &trace(&line)).unwrap();
        assert!(report.readout.rows.iter().all(|r| r.cells.last().unwrap() == "cannot be fitted"));
    }

    #[test]
    fn what_changes_nothing_is_not_asked_for() {
        let check = |set: &[(&str, &str)], expected: [bool; 3]| {
            let setup = with(set);
            let rows = ["break-after", "knee-to", "leave-out"].map(|n| setup.find(n).unwrap());
            assert_eq!(rows.map(|row| Settings::matters(&setup, row)), expected, "{set:?}");
        };
        check(&[], [true, false, false]);
        check(&[("knee", "none")], [false, false, false]);
        check(&[("knee", "estimate"), ("show", "histogram")], [false, true, true]);
        for row in (0..Setup::TABLE.len()).map(|row| Setup::default().spec(row)) {
            if let crate::params::Kind::Choice(all) = row.kind {
                assert_eq!(row.titles.len(), all.len(), "{}", row.name);
            }
        }
    }

    #[test]
    fn packets_are_spoken_of_where_they_were() {
        let heads = |trace: &Shared<Trace>| {
            run(&with(&[("knee", "fixed")]), trace).unwrap().readout.rows[0].head.clone()
        };
        assert_eq!(heads(&run_of_1983("rfc889/dcn1-arpanet/SCORE")), "One packet, 40 to 125 octets");
        let mine: Vec<_> = (40..300).map(|l| (Some(l), f64::from(l))).collect();
        assert_eq!(heads(&trace(&mine)), "40 to 125 octets");
    }

    #[test]
    fn a_knee_at_the_end_of_its_grid_is_said() {
        let delay = |l: u32| f64::from(l) + if l > 576 { 100.0 } else { 0.0 };
        let far: Vec<_> = (40..1000).map(|l| (Some(l), delay(l))).collect();
        let says = |from: &str, to: &str| {
            let set = [("knee", "estimate"), ("knee-from", from), ("knee-to", to)];
            run(&with(&set), &trace(&far)).unwrap().remarks
        };
        assert_eq!(
            says("60", "234")[0],
            "The best knee, after 234 octets, is at the end of those tried, from 60 to 234: a better one may lie beyond."
        );
        for (from, to) in [("60", "900"), ("auto", "auto")] {
            assert!(says(from, to).iter().all(|r| !r.contains("at the end")), "{from} to {to}");
        }
        let estimate = lines(&with(&[("knee", "estimate")]), &trace(&far)).1;
        assert_eq!((estimate.knee, estimate.knee_interval), (Some(576), Some((576, 576))));
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

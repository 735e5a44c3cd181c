//! The `sweep` cell: every pair of smoothing factors over the same packets.
//!
//! The cell shows one level of G out of a sweep that holds several, so that moving G costs no new
//! sweep. A sweep still under way can be shown: pairs that are not done are not drawn.

mod costs;
mod figure;
mod running;
mod settings;

pub use running::Kept;
pub(super) use running::Sweeping;
pub use settings::{Measure, Over, Steps, Sweep};

use super::rto::{printed_run, remarks};
use super::{Entry, Experiment, boxed};
use crate::figure::{Data, Role};
use crate::params::{Settings, fraction};
use crate::report::{Drag, Frame, FrameColumn, Heading, Report, RunError, Table, TableRow, Values};
use crate::rto::Summary;
use crate::rto::estimators::mills::Mills;
use crate::rto::explain::figures;
use crate::rto::printed::cut;
use crate::rto::sweep::{Numbers, summary};
use crate::shared::Shared;
use crate::stats::front::front;
use crate::trace::{Outcome, Provenance, Trace};
use crate::tree::Keyed;
use std::sync::Arc;

/// One level of G: a column an entry a pair, by F1, then by F2. NaN: not done.
struct Slice {
    factors: Vec<f64>,
    lost_time: Vec<f64>,
    rtx: Vec<f64>,
    rtx_time: Vec<f64>,
    efficiency: Vec<f64>,
    rate: Vec<f64>,
    /// Pairs whose lost and spurious time no other pair beats.
    front: Vec<usize>,
    done: usize,
}

impl Slice {
    fn of(params: &Sweep, numbers: &Numbers) -> Self {
        let grid = numbers.grid();
        let n = grid.f2().len();
        let level = grid.g().iter().position(|g| *g == params.g);
        let at = |pair: usize| numbers.at(pair / n, pair % n, level?);
        let all: Vec<Option<Summary>> = (0..grid.pairs()).map(at).collect();
        let column = |read: fn(&Summary) -> Option<f64>| -> Vec<f64> {
            all.iter().map(|s| s.as_ref().and_then(read).unwrap_or(f64::NAN)).collect()
        };
        let lost_time = column(|s| Some(s.lost_time));
        let rtx_time = column(|s| Some(s.rtx_time));
        Self {
            factors: grid.f1().to_vec(),
            front: front(&lost_time, &rtx_time),
            lost_time,
            rtx: column(|s| Some(s.rtx as f64)),
            rtx_time,
            efficiency: column(|s| s.efficiency),
            rate: column(Summary::spurious_rate),
            done: all.iter().flatten().count(),
        }
    }

    fn pairs(&self) -> usize {
        self.rtx.len()
    }

    /// F1 and F2 of a pair.
    fn pair(&self, pair: usize) -> (f64, f64) {
        let n = self.factors.len().max(1);
        (self.factors[pair / n], self.factors[pair % n])
    }

    fn measure(&self, measure: Measure) -> &[f64] {
        match measure {
            Measure::Efficiency => &self.efficiency,
            Measure::SpuriousTime => &self.rtx_time,
            Measure::LostTime => &self.lost_time,
            Measure::SpuriousRate => &self.rate,
        }
    }

    /// The pair of highest efficiency among those done; the first of equals.
    fn best(&self) -> Option<usize> {
        let known = (0..self.pairs()).filter(|&i| !self.efficiency[i].is_nan());
        known.reduce(|best, i| if self.efficiency[i] > self.efficiency[best] { i } else { best })
    }

    fn column(&self, f: impl Fn(&Self, usize) -> f64) -> Data {
        (0..self.pairs()).map(|i| f(self, i)).collect()
    }
}

/// What a row of the readout and a mark of the figure stand for.
struct Point {
    /// The mark it has in the figure.
    sign: char,
    name: String,
    f1: f64,
    f2: f64,
    summary: Summary,
}

pub(super) const ENTRY: Entry = Entry {
    kind: "sweep",
    title: "Sweep",
    fresh: "trace = \"rfc889/dcn1-local/FOE\"\n",
    needs_trace: true,
    follows_row: false,
    is_wide: false,
    make: boxed::<Sweep>,
};

impl Keyed for Sweep {
    fn settings(&self) -> &dyn Settings {
        self
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        self
    }
}

impl Experiment for Sweep {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn subject(&self) -> Option<&'static str> {
        (self.over == Over::AllRuns).then_some("All 52 runs of 1983")
    }
}

/// Reads a report off a sweep over the same traces, which may still be under way. `traces` holds one
/// trace, or all that are pooled.
pub fn report(params: &Sweep, traces: &[Shared<Trace>], numbers: &Numbers) -> Result<Report, RunError> {
    let is_empty = |t: &Shared<Trace>| t.moments().is_none() && t.count(Outcome::Lost) == 0;
    if traces.iter().all(is_empty) {
        let trace = traces.first().map_or_else(|| "the list of runs".to_owned(), |t| t.name.clone());
        return Err(RunError::NoSamples { trace });
    }
    let slice = Slice::of(params, numbers);
    let points = points(params, traces, &slice);
    Ok(Report {
        readout: readout(params, traces, &points),
        figure: figure::figure(params, traces, &slice, &points),
        picks: figure::picks(&slice),
        sets: vec![("f1".into(), 0), ("f2".into(), 1)],
        drag: Drag::Nothing,
        frame: frame(&slice),
        numbers: digested(params, &slice, &points),
        remarks: told(traces),
        ..Report::default()
    })
}

/// The settings that are marked, then the best of the sweep, if anything is known yet.
fn points(params: &Sweep, traces: &[Shared<Trace>], slice: &Slice) -> Vec<Point> {
    let of = |sign: char, name: String, f1: f64, f2: f64| {
        let mills = Mills { f1, f2, g: params.g, e_cold: params.e_cold, ..Mills::default() };
        Point { sign, name, f1, f2, summary: summary(&mills, traces, None) }
    };
    let so_far = if slice.done < slice.pairs() { " so far" } else { "" };
    let best = slice.best().map(|i| {
        let (f1, f2) = slice.pair(i);
        of('•', format!("Highest efficiency{so_far}"), f1, f2)
    });
    let signs = ['○', '□', '△'].into_iter().zip(params.marked());
    signs.map(|(sign, s)| of(sign, s.name.to_owned(), s.f1, s.f2)).chain(best).collect()
}

fn readout(params: &Sweep, traces: &[Shared<Trace>], points: &[Point]) -> Table {
    let heading = |title, unit| Heading::new(title, unit);
    let row = |p: &Point| {
        let s = &p.summary;
        let efficiency = s.efficiency.map_or_else(|| "–".to_owned(), |e| cut(e, 2));
        TableRow {
            head: format!("{} {}, {}", p.sign, p.name, pair(p.f1, p.f2)),
            role: Role::Ink,
            cells: vec![
                seconds(s.lost_time, traces),
                s.rtx.to_string(),
                seconds(s.rtx_time, traces),
                efficiency,
            ],
        }
    };
    Table {
        caption: format!("Four pairs of factors at G = {}", params.g),
        head: "F1, F2".to_owned(),
        columns: vec![
            heading("Lost time", "s"),
            heading("Spurious", "packets"),
            heading("Spurious", "s"),
            heading("Efficiency", ""),
        ],
        rows: points.iter().map(row).collect(),
    }
}

/// Cut to tenths, as RFC 889 prints times, for its runs; to the millisecond for others.
fn seconds(ms: f64, traces: &[Shared<Trace>]) -> String {
    let is_printed = traces.iter().any(|t| printed_run(t).is_some());
    cut(ms / 1000.0, if is_printed { 1 } else { 3 })
}

/// `15/16, 3/4`
fn pair(f1: f64, f2: f64) -> String {
    format!("{}, {}", factor(f1), factor(f2))
}

fn factor(f: f64) -> String {
    fraction(f).unwrap_or_else(|| figures(f))
}

const ON_FRONT: &[&str] = &["", "yes"];

/// Every pair.
fn frame(slice: &Slice) -> Frame {
    let column = |title: &str, unit, values: Data| FrameColumn::new(title, unit, Values::Numbers(values));
    let mut on_front = vec![0_u8; slice.pairs()];
    for &i in &slice.front {
        on_front[i] = 1;
    }
    let on_front: Arc<[u8]> = on_front.into();
    Frame {
        columns: vec![
            column("F1", "", slice.column(|s, i| s.pair(i).0)),
            column("F2", "", slice.column(|s, i| s.pair(i).1)),
            column("lost time", "ms", slice.column(|s, i| s.lost_time[i])),
            column("spurious", "packets", slice.column(|s, i| s.rtx[i])),
            column("spurious time", "ms", slice.column(|s, i| s.rtx_time[i])),
            column("efficiency", "", slice.column(|s, i| s.efficiency[i])),
            column("spurious rate", "", slice.column(|s, i| s.rate[i])),
            FrameColumn::new("on the front", "", Values::words(ON_FRONT, on_front)),
        ],
        rows: slice.pairs(),
    }
}

/// Every figure of the four settings, and what each pair costs.
fn digested(params: &Sweep, slice: &Slice, points: &[Point]) -> Vec<(String, f64)> {
    let mut all = vec![("g".to_owned(), params.g), ("pairs".to_owned(), slice.done as f64)];
    for (letter, p) in ["this", "chosen", "usual", "best"].into_iter().zip(points) {
        all.extend([(format!("{letter}.f1"), p.f1), (format!("{letter}.f2"), p.f2)]);
        all.extend(p.summary.figures().map(|(name, v)| (format!("{letter}.{name}"), v.number())));
    }
    for i in 0..slice.pairs() {
        let (f1, f2) = slice.pair(i);
        let name = pair(f1, f2);
        all.push((format!("{name} lost_time"), slice.lost_time[i]));
        all.push((format!("{name} rtx"), slice.rtx[i]));
        all.push((format!("{name} rtx_time"), slice.rtx_time[i]));
    }
    all
}

/// Of one trace what every cell says; of several what is true of all. A rebuilt run owes its delays to
/// the setting that printed its row.
fn told(traces: &[Shared<Trace>]) -> Vec<String> {
    let mut all = traces.first().map(|t| remarks(t)).unwrap_or_default();
    if traces.len() > 1 {
        all.truncate(1);
        all.push(format!("{} runs pooled: the good time of all over the total time of all.", traces.len()));
    }
    let fitted = |control: bool| {
        let is = |p: &Provenance| matches!(p, Provenance::Rebuilt { control: c, .. } if *c == control);
        traces.iter().any(|t| is(&t.provenance))
    };
    if fitted(false) {
        all.push(
            "Rebuilt runs are fitted to what 15/16, 3/4 printed, and so favour it over 7/8. The control is fitted as if 7/8 had printed the same."
                .to_owned(),
        );
    }
    if fitted(true) {
        all.push(
            "The control is fitted as if 7/8 had printed the row, and so favours settings like that."
                .to_owned(),
        );
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rto::{printed, rebuild, sweep as sweeps};

    fn foe() -> Shared<Trace> {
        Shared::new(rebuild::rebuild(printed::find("rfc889/dcn1-local/FOE").unwrap(), rebuild::SEED))
    }

    fn run(params: &Sweep, traces: &[Shared<Trace>]) -> Report {
        let numbers = sweeps::sweep(params.grid().unwrap(), traces, params.e_cold, None);
        report(params, traces, &numbers).unwrap()
    }

    #[test]
    fn four_rows_say_what_the_replay_says() {
        let trace = foe();
        let report = run(&Sweep::default(), std::slice::from_ref(&trace));
        let heads: Vec<&str> = report.readout.rows.iter().map(|r| r.head.as_str()).collect();
        assert_eq!(
            heads[..3],
            ["○ This point, 13/16, 1/2", "□ Chosen in 1983, 15/16, 3/4", "△ Usual before, 7/8, 7/8"]
        );
        assert!(heads[3].starts_with("• Highest efficiency, 15/16, "));
        let of = |name: &str| report.numbers.iter().find(|(n, _)| n == name).unwrap().1;
        let chosen = summary(&Mills::default(), &[trace], None);
        assert_eq!(
            (of("chosen.rtx"), of("chosen.efficiency")),
            (chosen.rtx as f64, chosen.efficiency.unwrap())
        );
        assert_eq!(of("15/16, 3/4 rtx_time"), chosen.rtx_time);
        assert_eq!((of("pairs"), report.frame.rows), (256.0, 256));
        assert!(of("best.efficiency") >= of("this.efficiency"));
        assert!(report.remarks[0].starts_with("Rebuilt from the printed summary"));
    }

    #[test]
    fn colours_and_the_ring_change_no_pair() {
        let traces = [foe()];
        let plain = run(&Sweep::default(), &traces);
        let other = run(&Sweep { colour_by: Measure::LostTime, ..Sweep::default() }, &traces);
        assert_eq!(plain.digest(), other.digest());
        // A line's gaps are NaN, which equals nothing, so figures are compared as text.
        let drawn = |report: &Report| format!("{:?}", report.figure);
        assert_eq!(drawn(&plain), drawn(&run(&Sweep::default(), &traces)));
        assert_ne!(drawn(&plain), drawn(&other));
        let ring = run(&Sweep { f1: 0.25, ..Sweep::default() }, &traces);
        assert_eq!(plain.frame, ring.frame);
        assert_ne!(plain.digest(), ring.digest());
    }

    #[test]
    fn a_level_between_those_of_the_slider_is_swept_too() {
        let params = Sweep { g: 2.03, ..Sweep::default() };
        let grid = params.grid().unwrap();
        assert_eq!((grid.g().len(), params.is_covered_by(&grid)), (26, true));
        let plain = Sweep::default();
        assert!(plain.is_covered_by(&grid) && !params.is_covered_by(&plain.grid().unwrap()));
        assert!(!Sweep { steps: Steps::SixtyFourths, ..Sweep::default() }.is_covered_by(&grid));
        assert!(Sweep { g: f64::NAN, ..Sweep::default() }.grid().is_err());
        // A level that was not swept is like a sweep that has not begun.
        let traces = [foe()];
        let numbers = sweeps::sweep(plain.grid().unwrap(), &traces, 75.0, None);
        let report = report(&params, &traces, &numbers).unwrap();
        assert_eq!((report.readout.rows.len(), report.frame.text(0, 2).as_str()), (3, ""));
    }

    #[test]
    fn a_sweep_under_way_shows_what_is_done() {
        let (params, traces) = (Sweep::default(), [foe()]);
        let mut sweep = sweeps::Sweep::new(params.grid().unwrap(), &traces, 75.0, None);
        sweep.step(60_000);
        let done = sweep.numbers().pairs_done();
        assert!(done > 0 && done < 256);
        let report = report(&params, &traces, sweep.numbers()).unwrap();
        assert!(report.readout.rows[3].head.starts_with("• Highest efficiency so far, "));
        let known = (0..256).filter(|&i| report.frame.number(i, 3).is_some()).count();
        assert_eq!(known, done);
        assert!(report.figure.alt.contains("so far"));
    }

    #[test]
    fn the_first_estimate_counts_where_the_first_packet_is_lost() {
        let traces = [Shared::new(Trace::from_series("t", &[None, Some(100.0), Some(90.0)]).unwrap())];
        let lost_time = |e_cold| {
            let report = run(&Sweep { e_cold, ..Sweep::default() }, &traces);
            report.numbers.iter().find(|(n, _)| n == "chosen.lost_time").unwrap().1
        };
        // A loss costs G times the estimate (RFC 889, section 3.2).
        assert_eq!((lost_time(75.0), lost_time(20.0)), (150.0, 40.0));
    }

    #[test]
    fn runs_are_pooled() {
        let one = foe();
        let two =
            Shared::new(rebuild::rebuild(printed::find("rfc889/dcn1-local/DCN8").unwrap(), rebuild::SEED));
        let report = run(&Sweep { over: Over::AllRuns, ..Sweep::default() }, &[one, two]);
        let of = |name: &str| report.numbers.iter().find(|(n, _)| n == name).unwrap().1;
        assert_eq!(of("chosen.replies"), 1024.0);
        assert_eq!(report.remarks.len(), 3);
        assert!(report.remarks[2].starts_with("Rebuilt runs are fitted to what 15/16, 3/4 printed"));
    }

    #[test]
    fn odd_traces_have_a_report_without_nan() {
        let of = |series: &[Option<f64>]| [Shared::new(Trace::from_series("t", series).unwrap())];
        for series in [&[None, None][..], &[Some(0.0), Some(0.0)], &[Some(5.0)], &[Some(7.0); 40]] {
            let report = run(&Sweep::default(), &of(series));
            assert!(report.readout.rows.iter().all(|r| r.cells.iter().all(|c| !c.contains("NaN"))));
            assert!(!report.figure.alt.contains("NaN"), "{}", report.figure.alt);
        }
        let none = of(&[]);
        let params = Sweep::default();
        let numbers = sweeps::sweep(params.grid().unwrap(), &none, 75.0, None);
        let error = report(&params, &none, &numbers).unwrap_err();
        assert_eq!(error.to_string(), "t holds no packet that was answered or lost");
    }

    #[test]
    fn the_table_is_in_order() {
        let mut params = Sweep::default();
        for (name, value) in [("colour-by", "lost-time"), ("steps", "sixty-fourths"), ("over", "all-runs")] {
            params.set_text(name, value).unwrap();
        }
        let words = (params.colour_by, params.steps, params.over);
        assert_eq!(words, (Measure::LostTime, Steps::SixtyFourths, Over::AllRuns));
        assert_eq!(
            params.set_text("steps", "tenths").unwrap_err().to_string(),
            "steps must be one of sixteenths, thirty-seconds, sixty-fourths, not \"tenths\""
        );
    }
}

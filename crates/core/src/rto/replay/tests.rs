//! Both replays, by hand and by law.

use super::*;
use crate::rto::estimators::{all, mills::Mills, rfc6298::Rfc6298};
use crate::rto::length::LengthLine;
use crate::trace::{Fate, Measure};
use proptest::prelude::*;

fn trace(series: &[Option<f64>]) -> Trace {
    Trace::from_series("t", series).unwrap()
}

fn replay(rule: &dyn Rule, trace: &Trace, options: &Options) -> Replay {
    rule.replay(trace, options)
}

fn estimates(rule: &dyn Rule, trace: &Trace) -> Vec<f64> {
    rule.estimates(trace, &Options::default())
}

fn scaled(scale: f64) -> Options {
    Options { scale: Some(scale), ..Options::default() }
}

fn mills(series: &[Option<f64>]) -> Replay {
    replay(&Mills::default(), &trace(series), &Options::default())
}

#[test]
fn the_first_reply_primes_and_is_not_tested() {
    let series = [Some(100.0), Some(100.0), None, Some(250.0)];
    let r = mills(&series);
    assert_eq!(r.kinds, [Kind::Prime, Kind::Ok, Kind::Lost, Kind::Rtx]);
    assert_eq!(r.timeouts, [200.0, 200.0, 200.0, 200.0]);
    // .75·100 + .25·250
    assert_eq!(estimates(&Mills::default(), &trace(&series)), [100.0, 100.0, 100.0, 137.5]);
    assert_eq!(r.estimate, Some(137.5));
    let s = r.summary;
    assert_eq!((s.replies, s.lost, s.lost_time, s.rtx, s.rtx_time), (3, 1, 200.0, 1, 250.0));
    assert_eq!((s.good_time, s.total, s.efficiency), (450.0, 900.0, Some(0.5)));
    assert_eq!((s.mean, s.spurious_rate()), (Some(150.0), Some(1.0 / 3.0)));
}

#[test]
fn a_loss_first_costs_g_times_e_cold_and_all_later_records_are_tested() {
    let r = mills(&[None, Some(151.0), Some(100.0)]);
    assert_eq!(r.kinds, [Kind::Lost, Kind::Rtx, Kind::Ok]);
    // 2·75, 2·75, then 2·(.75·75 + .25·151)
    assert_eq!(r.timeouts, [150.0, 150.0, 188.0]);
    assert!(estimates(&Mills::default(), &trace(&[None]))[0].is_nan());
}

#[test]
fn late_means_strictly_later_than_the_timeout() {
    assert_eq!(mills(&[Some(100.0), Some(200.0)]).kinds, [Kind::Prime, Kind::Ok]);
    assert_eq!(mills(&[Some(100.0), Some(200.000_001)]).kinds, [Kind::Prime, Kind::Rtx]);
    // G·E of nothing is nothing: any delay is late, none is not.
    assert_eq!(mills(&[Some(0.0), Some(0.0), Some(1.0)]).kinds, [Kind::Prime, Kind::Ok, Kind::Rtx]);
}

#[test]
fn other_estimators_meet_record_0_with_their_initial_timeout() {
    let r = replay(&Rfc6298::default(), &trace(&[Some(1500.0), Some(10.0)]), &Options::default());
    assert_eq!(r.kinds, [Kind::Rtx, Kind::Ok]);
    assert_eq!(r.timeouts, [1000.0, 4500.0]);
}

#[test]
fn scale_shows_the_estimator_round_trips_and_keeps_the_columns() {
    let series = [Some(100.0), Some(300.0), None, Some(120.0)];
    let rule = Rfc6298 { min: 0.0, ..Rfc6298::default() };
    let one = replay(&rule, &trace(&series.map(|d| d.map(|d| 2.0 * d))), &Options::default());
    let two = replay(&rule, &trace(&series), &scaled(2.0));
    assert_eq!(one.kinds, two.kinds);
    assert_eq!(two.timeouts, one.timeouts.iter().map(|t| t / 2.0).collect::<Vec<_>>());
    // Mills's estimator is linear in the delays, and e-cold is in the trace's own unit.
    let m = |o: &Options| replay(&Mills::default(), &trace(&series), o);
    assert_eq!(m(&scaled(2.0)), m(&Options::default()));
    let cold = |scale| replay(&Mills::default(), &trace(&[None, Some(80.0)]), &scaled(scale));
    assert_eq!((cold(2.0).timeouts, cold(1.0).summary.lost_time), (vec![150.0, 150.0], 150.0));
}

#[test]
fn one_way_delays_are_doubled_for_the_estimator_unless_told_otherwise() {
    let mut b = crate::trace::TraceBuilder::new("t", crate::trace::Provenance::Typed);
    b.measure = Measure::OneWay;
    let one_way = b.build();
    let round = trace(&[]);
    let of = |scale| Options { scale, ..Options::default() };
    assert_eq!((of(None).scale_for(&one_way), of(None).scale_for(&round)), (2.0, 1.0));
    assert_eq!((of(Some(1.0)).scale_for(&one_way), of(None).settled(&one_way)), (1.0, of(Some(2.0))));
}

#[test]
fn nothing_comes_of_nothing() {
    let s = mills(&[]).summary;
    assert_eq!(s, Summary::default());
    let s = mills(&[None, None]).summary;
    assert_eq!((s.mean, s.cov, s.lost_time, s.efficiency), (None, None, 300.0, Some(0.0)));
    let s = mills(&[Some(0.0), Some(0.0)]).summary;
    assert_eq!((s.mean, s.cov, s.efficiency), (Some(0.0), None, None));
}

#[test]
fn a_transport_counts_expiries_while_a_late_reply_is_awaited() {
    let protocol = Options { replay: Rules::Protocol, ..Options::default() };
    let of = |slot: &str, series: &[Option<f64>]| {
        crate::rto::parse_slot(slot).unwrap().replay(&trace(series), &protocol).summary
    };
    // Sent at 0, again at 1000, 3000 and 7000; the next would be at 15000.
    let s = of("rfc6298", &[Some(8000.0)]);
    assert_eq!((s.rtx, s.rtx_time, s.spurious_transmissions), (1, 8000.0, Some(3)));
    assert_eq!((s.good_time, s.total, s.efficiency), (8000.0, 16_000.0, Some(0.5)));
    // A reply at the very moment of an expiry is in time for it.
    assert_eq!(of("rfc6298", &[Some(7000.0)]).spurious_transmissions, Some(2));
    // A fixed timer of 1: sixty-four is the most.
    assert_eq!(of("mills g=1 e-cold=1", &[Some(64.0)]).spurious_transmissions, Some(63));
    assert_eq!(of("mills g=1 e-cold=1", &[Some(1e6)]).spurious_transmissions, Some(64));
    // A timer of 0 counts once, doubled or not; no delay is not longer than that.
    for slot in ["mills g=0", "mills g=0 backoff=true", "rfc6298 max=0"] {
        assert_eq!(of(slot, &[Some(5.0), Some(0.0), None]).spurious_transmissions, Some(1));
    }
    assert_eq!(mills(&[Some(1.0)]).summary.spurious_transmissions, None);
}

#[test]
fn a_reply_without_a_time_ends_a_message_and_gives_no_sample() {
    let mut b = crate::trace::TraceBuilder::new("t", crate::trace::Provenance::Typed);
    for fate in [Fate::Lost, Fate::Untimed, Fate::Reply(50.0), Fate::Reply(50.0)] {
        b.push(None, None, fate).unwrap();
    }
    let protocol = Options { replay: Rules::Protocol, ..Options::default() };
    let r = replay(&Rfc6298::default(), &b.build(), &protocol);
    assert_eq!(r.kinds, [Kind::Lost, Kind::Untimed, Kind::Sampled, Kind::Sampled]);
    assert_eq!(r.timeouts, [1000.0, 2000.0, 2000.0, 1000.0]);
    assert_eq!((r.summary.replies, r.summary.good_time), (2, 100.0));
}

#[test]
fn a_million_losses_saturate() {
    let lost = trace(&vec![None; 1_000_000]);
    for entry in all() {
        for replay in [Rules::Of1983, Rules::Protocol] {
            let options = Options { replay, ..Options::default() };
            let mut rule = (entry.make)();
            if let Some(row) = rule.find("backoff") {
                rule.put(row, crate::params::Value::Flag(true));
            }
            let r = rule.replay(&lost, &options);
            let most = r.timeouts.iter().copied().fold(0.0, f64::max);
            assert!(most <= 1000.0 * f64::from(1 << 30), "{}: {most}", entry.id);
            assert!(r.summary.total.is_finite() && r.summary.lost == 1_000_000);
        }
    }
}

#[test]
fn length_is_taken_off_and_added_back() {
    let mut b = crate::trace::TraceBuilder::new("t", crate::trace::Provenance::Typed);
    // Delays are 20 + L, but for the last.
    for (octets, delay) in [(40, 60.0), (60, 80.0), (100, 120.0), (40, 60.0), (40, 130.0)] {
        b.push(None, Some(octets), Fate::Reply(delay)).unwrap();
    }
    b.push(None, Some(100), Fate::Lost).unwrap();
    let t = b.build();
    let line = LengthLine::fit(&t).unwrap();
    let options = Options { correct: Correct::Length, ..Options::default() };
    let r = replay(&Mills::default(), &t, &options);
    let above = 60.0 - line.at(Some(40));
    // Primed with what is above the line, which is negative here: G·E + line.
    assert_eq!((r.kinds[0], r.timeouts[0]), (Kind::Prime, 2.0 * above + line.at(Some(40))));
    assert_eq!(r.timeouts[1], 2.0 * above + line.at(Some(60)));
    assert_eq!(options.refused(&t), None);
    let none = trace(&[Some(1.0)]);
    assert_eq!(
        options.refused(&none).unwrap().to_string(),
        "t holds no replies of different lengths, so correct = \"length\" has no line to take off"
    );
    assert_eq!(Options::default().refused(&none), None);
}

/// Series with losses and delays from nothing to an hour.
fn series() -> impl Strategy<Value = Vec<Option<f64>>> {
    let delay = prop_oneof![
        8 => 0.0..5000.0_f64,
        1 => Just(0.0),
        1 => Just(1e-6),
        1 => Just(3.6e6),
        1 => (0_u32..5).prop_map(|n| f64::from(n) * 100.0),
    ];
    prop::collection::vec(prop::option::weighted(0.8, delay), 0..120)
}

/// Any settings within the tables' ranges, mostly at the ends.
fn settle(rule: &mut dyn Rule, at: &[f64]) {
    use crate::params::{Kind as Sort, Value};
    for row in 0..rule.len() {
        let at = at[row % at.len()];
        let value = match rule.spec(row).kind {
            Sort::Number(_) if at < 0.5 => continue,
            Sort::Number(range) if at < 0.6 => Value::Number(range.min),
            Sort::Number(range) if at < 0.7 => Value::Number(range.max),
            Sort::Number(range) => {
                Value::Number(range.slider.0 + (at - 0.7) / 0.3 * (range.slider.1 - range.slider.0))
            }
            Sort::Flag => Value::Flag(at < 0.5),
            Sort::Choice(choices) => Value::Choice(choices[0]),
        };
        rule.put(row, value);
    }
}

fn options() -> impl Strategy<Value = Options> {
    (any::<bool>(), prop::option::of(any::<bool>()), 0_usize..4, any::<bool>()).prop_map(
        |(protocol, karn, scale, length)| Options {
            replay: if protocol { Rules::Protocol } else { Rules::Of1983 },
            karn,
            scale: [None, Some(2.0), Some(0.7), Some(1000.0)][scale],
            correct: if length { Correct::Length } else { Correct::None },
        },
    )
}

fn with_lengths(series: &[Option<f64>]) -> Trace {
    let mut b = crate::trace::TraceBuilder::new("t", crate::trace::Provenance::Typed);
    for (i, delay) in series.iter().enumerate() {
        let octets = 40 + (i as u32 * 7919) % 216;
        b.push(None, Some(octets), delay.map_or(Fate::Lost, Fate::Reply)).unwrap();
    }
    b.build()
}

proptest! {
    #[test]
    fn everything_stays_finite_and_adds_up(series in series(), options in options(),
                                           at in prop::collection::vec(0.0..1.0_f64, 7)) {
        let t = with_lengths(&series);
        for entry in all() {
            let mut rule = (entry.make)();
            settle(&mut *rule, &at);
            let r = rule.replay(&t, &options);
            let s = &r.summary;
            for (i, timeout) in r.timeouts.iter().enumerate() {
                prop_assert!(timeout.is_finite() && *timeout >= 0.0, "{rule:?} {i}: {timeout}");
            }
            prop_assert_eq!(s.replies + s.lost, series.len() as u64);
            prop_assert_eq!(s.rtx, r.kinds.iter().filter(|k| k.is_rtx()).count() as u64);
            prop_assert_eq!(s.total, s.good_time + s.lost_time + s.rtx_time);
            prop_assert!(s.total.is_finite() && s.efficiency.is_none_or(|e| (0.0..=1.0).contains(&e)));
            let spurious = s.spurious_transmissions;
            prop_assert_eq!(spurious.is_some(), options.replay == Rules::Protocol);
            prop_assert!(spurious.is_none_or(|n| s.rtx <= n && n <= 64 * s.rtx));
            prop_assert_eq!(s, &rule.summary(&t, &options));
            let estimates = rule.estimates(&t, &options);
            prop_assert!(estimates.iter().all(|e| !e.is_infinite()));
            let known = estimates.iter().map(|e| !e.is_nan());
            prop_assert!(known.is_sorted(), "an estimate is never forgotten");
            prop_assert_eq!(r.estimate, estimates.last().copied().filter(|e| !e.is_nan()));
            // Late is later than the timeout, and nothing else is.
            for (i, kind) in r.kinds.iter().enumerate() {
                let late = t.outcomes()[i].is_timed() && t.delays()[i] > r.timeouts[i];
                prop_assert_eq!(kind.is_rtx(), late && *kind != Kind::Prime);
            }
        }
    }

    #[test]
    fn the_fast_loop_gives_the_bits_of_the_definition(series in series(), f1 in 0.0..=1.0_f64, f2 in 0.0..=1.0_f64,
                                                      g in 0.0..4.0_f64, scale in 0_usize..3) {
        let t = trace(&series);
        let rule: &dyn Rule = &Mills { f1, f2, g, ..Mills::default() };
        let options = Options { scale: [None, Some(2.0), Some(0.25)][scale], ..Options::default() };
        let view = || View::new(&t, &options, rule);
        let (mut timeouts, mut kinds) = (vec![0.0; t.len()], vec![Kind::Ok; t.len()]);
        let fast = rule.fast(&view(), &mut Keep::Steps(&mut timeouts, &mut kinds));
        let (mut slow_timeouts, mut slow_kinds) = (vec![0.0; t.len()], vec![Kind::Ok; t.len()]);
        let slow = step_by_step(rule, view(), &options, &mut Keep::Steps(&mut slow_timeouts, &mut slow_kinds));
        prop_assert_eq!(fast, Some(slow));
        prop_assert_eq!((timeouts, kinds), (slow_timeouts, slow_kinds));
        let (mut estimates, mut slow_estimates) = (vec![0.0; t.len()], vec![0.0; t.len()]);
        rule.fast(&view(), &mut Keep::Estimates(&mut estimates));
        step_by_step(rule, view(), &options, &mut Keep::Estimates(&mut slow_estimates));
        let bits = |v: &[f64]| v.iter().map(|e| e.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&estimates), bits(&slow_estimates));
        // Dividing by 3 is not multiplying by a third: no fast loop.
        let options = Options { scale: Some(3.0), ..Options::default() };
        prop_assert_eq!(rule.fast(&View::new(&t, &options, rule), &mut Keep::Nothing), None);
    }
}

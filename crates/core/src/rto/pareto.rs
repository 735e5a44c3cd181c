//! Sending again too soon against waiting too long, as an estimator's own knob moves (Allman and
//! Paxson, "On Estimating End-to-End Network Path Properties", 1999).

use super::estimators::Rule;
use super::judge::mean;
use super::replay::Options;
use crate::params::Value;
use crate::trace::Trace;

/// One estimator's curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The parameter that moves; `None` for an estimator that has no such parameter and so one point.
    pub knob: Option<&'static str>,
    /// In the order of the knob's values. Empty for a trace without replies.
    pub points: Vec<Point>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The knob's value; `None` without a knob.
    pub value: Option<f64>,
    /// Late replies among all.
    pub spurious: f64,
    /// Mean timeout over mean delay.
    pub wait: f64,
}

/// The estimator's curve: its other parameters stay, its knob takes the values it names.
pub fn curve(rule: &dyn Rule, trace: &Trace, options: &Options) -> Curve {
    let knob = rule.knob().and_then(|knob| Some((knob, rule.find(knob.name)?)));
    let points = match knob {
        None => point(rule, None, trace, options).into_iter().collect(),
        Some((knob, row)) => {
            let mut rule = rule.clone_box();
            let mut at = |&value: &f64| {
                rule.put(row, Value::Number(value));
                point(&*rule, Some(value), trace, options)
            };
            knob.values.iter().filter_map(&mut at).collect()
        }
    };
    Curve { knob: knob.map(|(knob, _)| knob.name), points }
}

/// Where the estimator stands; `None` without replies, or if they took no time.
pub fn point(rule: &dyn Rule, value: Option<f64>, trace: &Trace, options: &Options) -> Option<Point> {
    let replay = rule.replay(trace, options);
    let delay = replay.summary.mean.filter(|m| *m > 0.0)?;
    Some(Point { value, spurious: replay.summary.spurious_rate()?, wait: mean(&replay.timeouts)? / delay })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rto::{all, parse_slot};

    fn of(slot: &str, series: &[Option<f64>]) -> Curve {
        curve(&*parse_slot(slot).unwrap(), &Trace::from_series("t", series).unwrap(), &Options::default())
    }

    #[test]
    fn a_case_worked_by_hand() {
        let curve = of("mills f1=1 f2=1", &[Some(100.0), None, Some(250.0), Some(400.0)]);
        // E stays 100, the mean delay is 250: a wait of G·100/250.
        assert_eq!(curve.knob, Some("g"));
        let at = |value| curve.points.iter().find(|p| p.value == Some(value)).unwrap();
        assert_eq!((at(2.0).spurious, at(2.0).wait), (2.0 / 3.0, 0.8));
        assert_eq!((at(3.0).spurious, at(3.0).wait), (1.0 / 3.0, 1.2));
        assert_eq!((at(4.0).spurious, at(4.0).wait), (0.0, 1.6));
    }

    #[test]
    fn an_estimator_without_a_knob_is_a_point() {
        let curve = of("hindsight", &[Some(100.0), Some(300.0)]);
        assert_eq!(curve.points, [Point { value: None, spurious: 0.0, wait: 1.5 }]);
        assert!(of("hindsight", &[None]).points.is_empty() && of("mills", &[Some(0.0)]).points.is_empty());
    }

    #[test]
    fn every_knob_is_a_parameter_and_its_values_are_allowed() {
        for entry in all() {
            let rule = (entry.make)();
            let Some(knob) = rule.knob() else { continue };
            let row = rule.find(knob.name).unwrap();
            for value in knob.values {
                assert_eq!(rule.spec(row).check(*value), Ok(Value::Number(*value)), "{}", entry.id);
            }
            let default = rule.value(row);
            assert!(knob.values.iter().any(|v| Value::Number(*v) == default), "{}", entry.id);
        }
    }

    #[test]
    fn turning_a_knob_trades_one_for_the_other() {
        let mut x = 1_u64;
        let series: Vec<_> = (0..400)
            .map(|i| {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let noise = (x >> 33) as f64 / (1_u64 << 31) as f64;
                (i % 37 != 5).then_some(50.0 + 400.0 * noise * noise * noise)
            })
            .collect();
        for slot in
            ["mills", "rfc793 lbound=0", "jacobson88", "rfc6298 min=0", "rfc7323 min=0 flight=8", "linux"]
        {
            let points = of(slot, &series).points;
            assert!(points.len() > 5);
            for pair in points.windows(2) {
                assert!(
                    pair[0].wait <= pair[1].wait && pair[0].spurious >= pair[1].spurious,
                    "{slot}: {pair:?}"
                );
            }
            let ends = (points[0], points[points.len() - 1]);
            assert!(ends.0.wait < ends.1.wait && ends.0.spurious > ends.1.spurious, "{slot}");
        }
    }
}

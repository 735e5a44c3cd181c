//! `rfc7323`: RFC 6298 with its history kept when every segment gives a sample (RFC 7323, Appendix G).
//!
//! > ExpectedSamples = ceiling(FlightSize / (SMSS * 2))
//! > alpha' = alpha / ExpectedSamples
//! > beta' = beta / ExpectedSamples

use super::rfc6298::{self, ALPHA, BETA, K_VALUES, Rfc6298};
use super::rows::{COUNT, GRANULARITY, INITIAL, K, LONG_TIME, MAX, MIN, SHORT_TIME, TIME, TIMES};
use super::{EstimatorParams, Knob};
use crate::params::{Param, Params};
use crate::rto::replay::View;

#[derive(Debug, Clone, PartialEq)]
pub struct Rfc7323 {
    /// Segments in flight: `FlightSize / SMSS`.
    pub flight: f64,
    pub rfc6298: Rfc6298,
}

impl Default for Rfc7323 {
    fn default() -> Self {
        Self { flight: 1.0, rfc6298: Rfc6298::default() }
    }
}

impl Params for Rfc7323 {
    const TABLE: &'static [Param<Self>] = &[
        Param::number(
            (
                "flight",
                "",
                "segments in flight",
                "The weights of a sample are divided by half as many, rounded up.",
            ),
            COUNT,
            |p| p.flight,
            |p, v| p.flight = v,
        ),
        Param::number(MIN, TIME, |p| p.rfc6298.min, |p, v| p.rfc6298.min = v),
        Param::number(K, TIMES, |p| p.rfc6298.k, |p, v| p.rfc6298.k = v),
        Param::number(GRANULARITY, SHORT_TIME, |p| p.rfc6298.granularity, |p, v| p.rfc6298.granularity = v),
        Param::number(MAX, LONG_TIME, |p| p.rfc6298.max, |p, v| p.rfc6298.max = v),
        Param::number(INITIAL, TIME, |p| p.rfc6298.initial, |p, v| p.rfc6298.initial = v),
    ];
}

impl EstimatorParams for Rfc7323 {
    type State = rfc6298::State;
    const ID: &'static str = "rfc7323";
    const TITLE: &'static str = "RFC 7323";
    const SOURCE: &'static str = "RFC 7323, Appendix G";
    const KNOB: Option<Knob> = K_VALUES;

    fn start(&self, _view: &View<'_>) -> rfc6298::State {
        let expected_samples = (self.flight / 2.0).ceil();
        rfc6298::State::new(self.rfc6298.clone(), ALPHA / expected_samples, BETA / expected_samples)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::started;
    use super::super::{Estimator as _, rfc6298::Rfc6298};
    use super::*;

    fn after(flight: f64) -> (f64, Option<f64>) {
        let mut s = started(&Rfc7323 { flight, rfc6298: Rfc6298 { min: 0.0, ..Rfc6298::default() } });
        s.sample(100.0);
        s.sample(180.0);
        (s.timeout(), s.estimate())
    }

    #[test]
    fn weights_are_divided_by_half_the_flight_rounded_up() {
        // As RFC 6298: V = 57.5, S = 110.
        assert_eq!((after(1.0), after(2.0)), ((340.0, Some(110.0)), (340.0, Some(110.0))));
        // n = 2: V = 7/8·50 + 1/8·80 = 53.75, S = 15/16·100 + 1/16·180 = 105
        assert_eq!((after(3.0), after(4.0)), ((320.0, Some(105.0)), (320.0, Some(105.0))));
    }
}

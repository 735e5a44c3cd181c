//! `quic` beside the estimator of a QUIC that carries traffic: `s2n-quic-core`, to .01 ms.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use netspurt_core::rto::{Options, Rules, parse_slot};
use netspurt_core::trace::Trace;
use proptest::prelude::*;
use s2n_quic_core::packet::number::PacketNumberSpace;
use s2n_quic_core::recovery::RttEstimator;
use s2n_quic_core::time::clock::{Clock as _, NoopClock};
use s2n_quic_core::transport::parameters::MaxAckDelay;
use std::time::Duration;

/// It counts whole microseconds and rounds downwards in several places.
const SLACK_MS: f64 = 0.01;

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// Both over the same delays, in microseconds: at every packet the timeout, and the mean after it.
#[track_caller]
fn check(micros: &[u64], max_ack_delay: u64) {
    let series: Vec<Option<f64>> = micros.iter().map(|us| Some(*us as f64 / 1000.0)).collect();
    let trace = Trace::from_series("t", &series).unwrap();
    let rule = parse_slot(&format!("quic max-ack-delay={max_ack_delay}")).unwrap();
    let replay = rule.replay(&trace, &Options::default());
    let estimates = rule.estimates(&trace, &Options::default());

    let mut theirs = RttEstimator::default();
    theirs.on_max_ack_delay(MaxAckDelay::try_from(Duration::from_millis(max_ack_delay)).unwrap());
    for (i, us) in micros.iter().enumerate() {
        let timeout = ms(theirs.pto_period(1, PacketNumberSpace::ApplicationData));
        assert!(
            (replay.timeouts[i] - timeout).abs() <= SLACK_MS,
            "{i}: {} and {timeout}",
            replay.timeouts[i]
        );
        let sample = Duration::from_micros(*us);
        // Acknowledged at once, once the handshake was confirmed.
        let now = NoopClock.get_time();
        theirs.update_rtt(Duration::ZERO, sample, now, true, PacketNumberSpace::ApplicationData);
        let mean = ms(theirs.smoothed_rtt());
        assert!((estimates[i] - mean).abs() <= SLACK_MS, "{i}: {} and {mean}", estimates[i]);
    }
}

#[test]
fn a_delay_that_steps_and_one_that_stays() {
    check(&[350_000, 350_000, 350_000, 900_000, 900_000, 900_000, 350_000], 0);
    check(&[50_000; 200], 25);
    check(&[1, 1, 1, 3_600_000_000, 1, 1], 25);
}

#[test]
fn back_off_doubles_the_whole() {
    let series = [Some(100.0), Some(180.0), None, None, None];
    let trace = Trace::from_series("t", &series).unwrap();
    let protocol = Options { replay: Rules::Protocol, ..Options::default() };
    let replay = parse_slot("quic max-ack-delay=25").unwrap().replay(&trace, &protocol);
    let mut theirs = RttEstimator::default();
    theirs.on_max_ack_delay(MaxAckDelay::try_from(Duration::from_millis(25)).unwrap());
    for delay in [100, 180] {
        let (sample, now) = (Duration::from_millis(delay), NoopClock.get_time());
        theirs.update_rtt(Duration::ZERO, sample, now, true, PacketNumberSpace::ApplicationData);
    }
    for (i, backoff) in [(2, 1), (3, 2), (4, 4)] {
        let timeout = ms(theirs.pto_period(backoff, PacketNumberSpace::ApplicationData));
        assert!(
            (replay.timeouts[i] - timeout).abs() <= SLACK_MS,
            "{i}: {} and {timeout}",
            replay.timeouts[i]
        );
    }
}

proptest! {
    #[test]
    fn any_delays(micros in prop::collection::vec(prop_oneof![1_u64..5_000_000, 40_000_u64..60_000], 1..200),
                  max_ack_delay in 0_u64..100) {
        check(&micros, max_ack_delay);
    }
}

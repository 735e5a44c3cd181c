//! The replay of 1983 as one tight loop, for an estimator whose update is a few instructions.
//!
//! It gives the bits of [`Sender`](super::Sender), which is the definition. It holds for a scale that
//! is a power of two, where multiplying by its inverse and dividing by it are the same.

use super::{Keep, Kind, Totals, View};
use crate::rto::estimators::Estimator;
use crate::trace::Outcome;
use std::iter;

/// Replays an uncorrected view; `None` where this loop would not give the same bits.
pub fn replay<E: Estimator>(estimator: E, view: &View<'_>, keep: &mut Keep<'_>) -> Option<Totals> {
    let power_of_two = view.scale.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - 1;
    if view.line.is_some() || !power_of_two {
        return None;
    }
    Some(match keep {
        Keep::Nothing => run(estimator, view, iter::repeat(())),
        Keep::Steps(timeouts, kinds) => run(estimator, view, timeouts.iter_mut().zip(kinds.iter_mut())),
        Keep::Estimates(estimates) => run(estimator, view, estimates.iter_mut().map(Estimate)),
    })
}

/// Where what is kept of one step goes.
trait Place {
    fn put(self, timeout: f64, kind: Kind, estimate: impl FnOnce() -> Option<f64>);
}

impl Place for () {
    #[inline]
    fn put(self, _: f64, _: Kind, _: impl FnOnce() -> Option<f64>) {}
}

impl Place for (&mut f64, &mut Kind) {
    #[inline]
    fn put(self, timeout: f64, kind: Kind, _: impl FnOnce() -> Option<f64>) {
        (*self.0, *self.1) = (timeout, kind);
    }
}

struct Estimate<'a>(&'a mut f64);

impl Place for Estimate<'_> {
    #[inline]
    fn put(self, _: f64, _: Kind, estimate: impl FnOnce() -> Option<f64>) {
        *self.0 = estimate().unwrap_or(f64::NAN);
    }
}

#[inline(never)]
fn run<E: Estimator, I: Iterator<Item: Place>>(mut estimator: E, view: &View<'_>, places: I) -> Totals {
    let up = view.scale;
    let down = 1.0 / up;
    let mut t = Totals::default();
    let mut first = true;
    let records = view.trace.delays().iter().zip(view.trace.outcomes().iter());
    for ((&r, &outcome), place) in records.zip(places) {
        let mut timeout = estimator.timeout() * down;
        let kind = match outcome {
            Outcome::Lost => {
                t.lost += 1;
                t.lost_time += timeout;
                Kind::Lost
            }
            Outcome::Untimed => Kind::Untimed,
            Outcome::Reply | Outcome::Below => {
                t.good_time += r;
                if first && estimator.prime(r * up) {
                    timeout = estimator.timeout() * down;
                    Kind::Prime
                } else {
                    let late = r > timeout;
                    if late {
                        t.rtx += 1;
                        t.rtx_time += r;
                    }
                    estimator.sample(r * up);
                    if late { Kind::Rtx } else { Kind::Ok }
                }
            }
        };
        first = false;
        place.put(timeout, kind, || estimator.estimate().map(|e| e * down));
    }
    t.estimate = estimator.estimate().map(|e| e * down);
    t
}

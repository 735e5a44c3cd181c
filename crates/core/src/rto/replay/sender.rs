//! A sender of one packet at a time, record by record: the definition of both replays.

use super::{Kind, Options, Rules, View};
use crate::rto::estimators::{Answer, Estimator, Rule};
use crate::rto::explain::Lines;
use crate::trace::Outcome;

/// The most expiries that are counted while one late reply is awaited.
const MOST_EXPIRIES: u32 = 64;

/// What came of one record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// In force when the record was sent, ms.
    pub timeout: f64,
    pub kind: Kind,
    /// How often the timer ran out although the reply was on its way.
    pub spurious: u32,
}

/// What a sender knows besides the estimate.
#[derive(Debug)]
pub struct Sender<'a> {
    view: View<'a>,
    rules: Rules,
    karn: bool,
    /// How often back-off has doubled the timeout.
    doublings: u32,
    /// Since the first sending of the message that is out; 0 after a reply.
    elapsed: f64,
    /// Since then.
    expiries: u32,
    /// Whether the record before was lost.
    again: bool,
    /// Where every step is explained; `None`: nowhere.
    pub lines: Option<Lines>,
}

impl<'a> Sender<'a> {
    pub fn new(view: View<'a>, options: &Options, rule: &dyn Rule) -> Self {
        let karn = options.karn.unwrap_or(rule.karn());
        let rules = options.replay;
        Self { view, rules, karn, doublings: 0, elapsed: 0.0, expiries: 0, again: false, lines: None }
    }

    pub fn view(&self) -> &View<'a> {
        &self.view
    }

    /// Sends record i and waits for its fate. Records must be taken in order.
    pub fn step(&mut self, estimator: &mut dyn Estimator, i: usize) -> Step {
        let timeout = self.timeout(estimator, i);
        if self.lines.is_some() {
            self.explain_timeout(estimator, i, timeout);
        }
        match self.rules {
            Rules::Of1983 => self.step_1983(estimator, i, timeout),
            Rules::Protocol => self.step_protocol(estimator, i, timeout),
        }
    }

    fn step_1983(&mut self, estimator: &mut dyn Estimator, i: usize, timeout: f64) -> Step {
        let step = |timeout, kind| Step { timeout, kind, spurious: 0 };
        match self.view.trace.outcomes()[i] {
            Outcome::Lost => {
                self.say("RFC 889, 3.1", "lost: the wait costs T, the estimate stays");
                step(timeout, Kind::Lost)
            }
            Outcome::Untimed => {
                self.say("", UNTIMED);
                step(timeout, Kind::Untimed)
            }
            Outcome::Reply | Outcome::Below => {
                let r = self.view.trace.delays()[i];
                let seen = self.view.up(i, r);
                if i == 0 && estimator.prime(seen) {
                    if let Some(to) = &mut self.lines {
                        estimator.explain_prime(seen, to);
                    }
                    return step(self.timeout(estimator, i), Kind::Prime);
                }
                if let Some(to) = &mut self.lines {
                    explain_reply(&self.view, i, timeout, to);
                    estimator.explain_sample(seen, to);
                }
                estimator.sample(seen);
                step(timeout, if r > timeout { Kind::Rtx } else { Kind::Ok })
            }
        }
    }

    fn step_protocol(&mut self, estimator: &mut dyn Estimator, i: usize, timeout: f64) -> Step {
        let outcome = self.view.trace.outcomes()[i];
        if outcome == Outcome::Lost {
            estimator.expire(&mut self.doublings);
            let backs_off = self.lines.is_some() && self.timeout(estimator, i) > timeout;
            self.say(
                "",
                if backs_off {
                    "lost: the wait costs T, and the timer backs off"
                } else {
                    "lost: the wait costs T"
                },
            );
            self.expiries = self.expiries.saturating_add(1);
            self.elapsed += timeout;
            self.again = true;
            return Step { timeout, kind: Kind::Lost, spurious: 0 };
        }
        let r = self.view.trace.delays()[i];
        let late = outcome.is_timed() && r > timeout;
        let spurious = if late { self.expire_until(estimator, i, r, timeout) } else { 0 };
        self.expiries = self.expiries.saturating_add(spurious);
        let answer = self.answer(i, late);
        if outcome.is_timed() {
            if let Some(to) = &mut self.lines {
                explain_reply(&self.view, i, timeout, to);
                if late {
                    to.compare(
                        "expiries",
                        "sent again n times before the reply",
                        &[("n", f64::from(spurious))],
                    );
                }
                estimator.explain_answer(&answer, to);
            }
        } else {
            self.say("", UNTIMED);
        }
        let sampled = estimator.answer(&answer, &mut self.doublings);
        self.elapsed = 0.0;
        self.expiries = 0;
        self.again = false;
        let kind = match (outcome, late, sampled) {
            (Outcome::Untimed, ..) => Kind::Untimed,
            (_, false, true) => Kind::Sampled,
            (_, false, false) => Kind::Ambiguous,
            (_, true, true) => Kind::RtxSampled,
            (_, true, false) => Kind::RtxAmbiguous,
        };
        Step { timeout, kind, spurious }
    }

    /// The timer runs out until the reply is there; how often. A timer of 0 runs out once.
    fn expire_until(&mut self, estimator: &mut dyn Estimator, i: usize, r: f64, mut timeout: f64) -> u32 {
        let mut t = timeout;
        let mut expiries = 0;
        while r > t && expiries < MOST_EXPIRIES {
            let before = (self.doublings, timeout);
            estimator.expire(&mut self.doublings);
            expiries += 1;
            timeout = self.timeout(estimator, i);
            if timeout <= 0.0 {
                break;
            }
            t += timeout;
            if (self.doublings, timeout) == before {
                // An expiry that changes nothing is followed by others like it.
                return (expiries + equal_steps(r, t, timeout)).min(MOST_EXPIRIES);
            }
        }
        expiries
    }

    /// The reply to record i. It is ambiguous if the record before was lost, as it may be to that one,
    /// or if it is late, as the packet has been sent again.
    ///
    /// > RTT samples MUST NOT be made using segments that were retransmitted (and thus for which it is
    /// > ambiguous whether the reply was for the first instance of the packet or a later instance)
    /// > (RFC 6298, section 3)
    fn answer(&self, i: usize, late: bool) -> Answer {
        let ambiguous = self.again || late;
        let r = self.view.trace.delays()[i];
        let timed = self.view.trace.outcomes()[i].is_timed();
        Answer {
            sample: (timed && !(self.karn && ambiguous)).then(|| self.view.up(i, r)),
            since_first: timed.then(|| self.view.up(i, self.elapsed + r)),
            expiries: self.expiries,
        }
    }

    /// In force for record i, back-off included, in the trace's unit. Where a length line makes it
    /// negative it is 0.
    fn timeout(&self, estimator: &dyn Estimator, i: usize) -> f64 {
        let timeout = self.view.down(i, self.backed_off(estimator));
        debug_assert!(!timeout.is_nan(), "record {i}");
        timeout.max(0.0)
    }

    /// min(max, base * 2^k); the base is not above max either.
    fn backed_off(&self, estimator: &dyn Estimator) -> f64 {
        let base = estimator.timeout();
        if self.doublings == 0 {
            return base;
        }
        (base * f64::from(1_u32 << self.doublings.min(31))).min(estimator.max())
    }
}

/// How often `timeout` must be added to t until r is not greater, as far as that matters. A sender that
/// never backs off may run out dozens of times at every packet, so this is a division unless it is a
/// close call.
fn equal_steps(r: f64, mut t: f64, timeout: f64) -> u32 {
    let most = f64::from(MOST_EXPIRIES);
    let steps = (r - t) / timeout;
    if steps <= 0.0 {
        return 0;
    }
    // Sums of so few terms are off by less than this many steps.
    if steps > most || (steps - steps.round()).abs() > 1e-9 {
        return steps.ceil().min(most) as u32;
    }
    let mut n = 0;
    while r > t && n < MOST_EXPIRIES {
        t += timeout;
        n += 1;
    }
    n
}

const UNTIMED: &str = "answered, but not said when: nothing is tested";

/// What a step says of itself.
impl Sender<'_> {
    fn say(&mut self, section: &'static str, rule: &'static str) {
        if let Some(to) = &mut self.lines {
            to.say(section, rule);
        }
    }

    /// The estimator's account, then back-off, scale and length.
    fn explain_timeout(&mut self, estimator: &dyn Estimator, i: usize, timeout: f64) {
        let backed_off = self.backed_off(estimator);
        let line = self.view.line_at(i);
        let Some(to) = &mut self.lines else { return };
        estimator.explain_timeout(to);
        if self.doublings > 0 {
            let k = f64::from(self.doublings);
            let values = [("T", estimator.timeout()), ("k", k), ("T_max", estimator.max())];
            let rule = if estimator.max().is_finite() { "T = min(T_max, T*2^k)" } else { "T = T*2^k" };
            to.work("back-off", rule, &values, backed_off);
        }
        let values = [("T", backed_off), ("scale", self.view.scale), ("line", line)];
        if self.view.line.is_some() {
            to.work("the packet's length", "T = max(0, T/scale + line)", &values, timeout);
        } else if self.view.scale != 1.0 {
            to.work("scale", "T = T/scale", &values, timeout);
        }
    }
}

/// The test of a reply, then length and scale.
fn explain_reply(view: &View<'_>, i: usize, timeout: f64, to: &mut Lines) {
    let r = view.trace.delays()[i];
    let seen = view.up(i, r);
    let (says, rule) = if r > timeout { ("too soon", "R > T") } else { ("in time", "R <= T") };
    to.compare(says, rule, &[("R", r), ("T", timeout)]);
    let values = [("R", r), ("scale", view.scale), ("line", view.line_at(i))];
    if view.line.is_some() {
        to.work("the packet's length", "R = (R - line)*scale", &values, seen);
    } else if view.scale != 1.0 {
        to.work("scale", "R = R*scale", &values, seen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equal_steps_are_counted_as_if_added_one_by_one(r in 0.0..1e4_f64, timeout in 1e-3..500.0_f64, tenths in any::<bool>()) {
            // Tenths do not add up to whole numbers: close calls.
            let (r, timeout) = if tenths { ((r / 100.0).round() / 10.0, 0.1) } else { (r, timeout) };
            let (mut t, mut n) = (timeout, 0);
            while r > t && n < MOST_EXPIRIES {
                t += timeout;
                n += 1;
            }
            prop_assert_eq!(equal_steps(r, timeout, timeout), n);
        }
    }
}

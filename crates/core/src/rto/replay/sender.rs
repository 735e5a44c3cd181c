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
}

impl<'a> Sender<'a> {
    pub fn new(view: View<'a>, options: &Options, rule: &dyn Rule) -> Self {
        let karn = options.karn.unwrap_or(rule.karn());
        Self { view, rules: options.replay, karn, doublings: 0, elapsed: 0.0, expiries: 0, again: false }
    }

    pub fn view(&self) -> &View<'a> {
        &self.view
    }

    /// Sends record i and waits for its fate. Records must be taken in order.
    pub fn step(&mut self, estimator: &mut dyn Estimator, i: usize) -> Step {
        match self.rules {
            Rules::Of1983 => self.step_1983(estimator, i),
            Rules::Protocol => self.step_protocol(estimator, i),
        }
    }

    fn step_1983(&self, estimator: &mut dyn Estimator, i: usize) -> Step {
        let step = |timeout, kind| Step { timeout, kind, spurious: 0 };
        let timeout = self.timeout(estimator, i);
        match self.view.trace.outcomes()[i] {
            Outcome::Lost => step(timeout, Kind::Lost),
            Outcome::Untimed => step(timeout, Kind::Untimed),
            Outcome::Reply | Outcome::Below => {
                let r = self.view.trace.delays()[i];
                let seen = self.view.up(i, r);
                if i == 0 && estimator.prime(seen) {
                    return step(self.timeout(estimator, i), Kind::Prime);
                }
                estimator.sample(seen);
                step(timeout, if r > timeout { Kind::Rtx } else { Kind::Ok })
            }
        }
    }

    fn step_protocol(&mut self, estimator: &mut dyn Estimator, i: usize) -> Step {
        let timeout = self.timeout(estimator, i);
        let outcome = self.view.trace.outcomes()[i];
        if outcome == Outcome::Lost {
            estimator.expire(&mut self.doublings);
            self.expiries = self.expiries.saturating_add(1);
            self.elapsed += timeout;
            self.again = true;
            return Step { timeout, kind: Kind::Lost, spurious: 0 };
        }
        let r = self.view.trace.delays()[i];
        let late = outcome.is_timed() && r > timeout;
        let spurious = if late { self.expire_until(estimator, i, r, timeout) } else { 0 };
        self.expiries = self.expiries.saturating_add(spurious);
        let sampled = estimator.answer(&self.answer(i, late), &mut self.doublings);
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
    fn expire_until(&mut self, estimator: &mut dyn Estimator, i: usize, r: f64, timeout: f64) -> u32 {
        let mut t = timeout;
        let mut expiries = 0;
        while r > t && expiries < MOST_EXPIRIES {
            estimator.expire(&mut self.doublings);
            expiries += 1;
            let timeout = self.timeout(estimator, i);
            if timeout <= 0.0 {
                break;
            }
            t += timeout;
        }
        expiries
    }

    /// The reply to record i. "The reply is ambiguous": it may be to an earlier sending if the record
    /// before was lost, and the sender has sent again if it is late (RFC 6298, section 3).
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

    /// What [`Sender::step`] would do with record i, after the estimator's own account of its timeout.
    pub fn explain(&self, estimator: &dyn Estimator, i: usize, to: &mut Lines) {
        let base = estimator.timeout();
        let backed_off = self.backed_off(estimator);
        if self.doublings > 0 {
            let values = [("T", base), ("k", f64::from(self.doublings)), ("T_max", estimator.max())];
            let rule = if estimator.max().is_finite() { "T = min(T_max, T*2^k)" } else { "T = T*2^k" };
            to.work("back-off", rule, &values, backed_off);
        }
        let timeout = self.timeout(estimator, i);
        let line = self.view.line_at(i);
        let values = [("T", backed_off), ("scale", self.view.scale), ("line", line)];
        if self.view.line.is_some() {
            to.work("the packet's length", "T = max(0, T/scale + line)", &values, timeout);
        } else if self.view.scale != 1.0 {
            to.work("scale", "T = T/scale", &values, timeout);
        }
        let outcome = self.view.trace.outcomes()[i];
        match (outcome, self.rules) {
            (Outcome::Untimed, _) => return to.say("", "answered, but not said when: nothing is tested"),
            (Outcome::Lost, Rules::Of1983) => {
                return to.say("RFC 889, 3.1", "lost: the wait costs T, the estimate stays");
            }
            (Outcome::Lost, Rules::Protocol) => {
                return to.say("", "lost: the wait costs T, and the timer backs off");
            }
            _ => {}
        }
        let r = self.view.trace.delays()[i];
        let seen = self.view.up(i, r);
        if self.rules == Rules::Of1983 && i == 0 && estimator.explain_prime(seen, to) {
            return;
        }
        let late = r > timeout;
        let rule = if late { "R > T" } else { "R <= T" };
        to.compare(if late { "too soon" } else { "in time" }, rule, &[("R", r), ("T", timeout)]);
        let values = [("R", r), ("scale", self.view.scale), ("line", line)];
        if self.view.line.is_some() {
            to.work("the packet's length", "R = (R - line)*scale", &values, seen);
        } else if self.view.scale != 1.0 {
            to.work("scale", "R = R*scale", &values, seen);
        }
        match self.rules {
            Rules::Of1983 => estimator.explain_sample(seen, to),
            Rules::Protocol => estimator.explain_answer(&self.answer(i, late), to),
        }
    }
}

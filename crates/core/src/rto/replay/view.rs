//! A trace as an estimator sees it: scaled, and corrected for length where that is asked.

use super::{Correct, Options};
use crate::rto::estimators::Rule;
use crate::rto::length::LengthLine;
use crate::trace::{Outcome, Trace};

/// The estimator sees up = scale·(R − line) for a delay R, and waits down = T/scale + line.
#[derive(Debug)]
pub struct View<'a> {
    pub trace: &'a Trace,
    pub scale: f64,
    pub line: Option<LengthLine>,
}

impl<'a> View<'a> {
    /// A correction that the trace gives no line for is none: [`Options::refused`] says so.
    pub fn new(trace: &'a Trace, options: &Options, rule: &dyn Rule) -> Self {
        let line = match options.correct {
            Correct::None => None,
            Correct::Length => LengthLine::fit(trace),
        };
        let scale = if rule.unscaled() { 1.0 } else { options.scale_for(trace) };
        Self { trace, scale, line }
    }

    /// What the packet's length is said to cost, ms; 0 without a correction.
    pub fn line_at(&self, i: usize) -> f64 {
        self.line.as_ref().map_or(0.0, |line| line.at(self.trace.octets(i)))
    }

    /// A delay of record i in the estimator's unit.
    #[inline]
    pub fn up(&self, i: usize, delay: f64) -> f64 {
        match self.line {
            None => delay * self.scale,
            Some(_) => (delay - self.line_at(i)) * self.scale,
        }
    }

    /// The estimator's time in the trace's unit, for record i.
    #[inline]
    pub fn down(&self, i: usize, time: f64) -> f64 {
        match self.line {
            None => time / self.scale,
            Some(_) => time / self.scale + self.line_at(i),
        }
    }

    /// Of each timed reply: what the estimator sees, and the delay itself.
    pub fn timed(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let timed = |i: &usize| self.trace.outcomes()[*i].is_timed();
        (0..self.trace.len()).filter(timed).map(|i| {
            let delay = self.trace.delays()[i];
            (self.up(i, delay), delay)
        })
    }

    pub fn lost(&self) -> usize {
        self.trace.count(Outcome::Lost)
    }
}

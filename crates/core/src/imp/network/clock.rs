//! Simulated time, and the list of what is to happen when.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Microseconds since the start of the run.
pub(super) type Micros = u64;

/// A duration in ms as whole microseconds, the nearest.
pub(super) fn micros(ms: f64) -> Micros {
    (ms * 1000.0).round() as Micros
}

pub(super) fn millis(t: Micros) -> f64 {
    t as f64 / 1000.0
}

/// What is to happen, in order of time; at the same time in the order it was put here.
#[derive(Debug, Clone)]
pub(super) struct Clock<T> {
    heap: BinaryHeap<Reverse<Entry<T>>>,
    /// How many entries there have been: the tie-break.
    count: u64,
    now: Micros,
}

#[derive(Debug, Clone)]
struct Entry<T> {
    at: Micros,
    order: u64,
    what: T,
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.order).cmp(&(other.at, other.order))
    }
}

impl<T> Clock<T> {
    pub(super) fn new() -> Self {
        Self { heap: BinaryHeap::new(), count: 0, now: 0 }
    }

    pub(super) fn now(&self) -> Micros {
        self.now
    }

    pub(super) fn at(&mut self, at: Micros, what: T) {
        debug_assert!(at >= self.now, "time never goes back");
        self.heap.push(Reverse(Entry { at, order: self.count, what }));
        self.count += 1;
    }

    pub(super) fn after(&mut self, delay: Micros, what: T) {
        self.at(self.now.saturating_add(delay), what);
    }

    /// Goes on to the next thing before `end`. `None`: there is none, and it is `end`.
    pub(super) fn next(&mut self, end: Micros) -> Option<T> {
        match self.heap.peek() {
            Some(Reverse(entry)) if entry.at < end => {}
            _ => {
                self.now = end;
                return None;
            }
        }
        let Reverse(entry) = self.heap.pop()?;
        self.now = entry.at;
        Some(entry.what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_keep_their_order() {
        let mut clock = Clock::new();
        for (at, what) in [(5, 'c'), (3, 'a'), (5, 'd'), (3, 'b'), (9, 'e')] {
            clock.at(at, what);
        }
        let all: String = std::iter::from_fn(|| clock.next(9)).collect();
        assert_eq!((all.as_str(), clock.now()), ("abcd", 9));
    }

    #[test]
    fn times_are_rounded_once() {
        assert_eq!((micros(23.36), micros(0.0005), micros(0.0004)), (23_360, 1, 0));
        assert_eq!(millis(micros(504.48)), 504.48);
    }
}

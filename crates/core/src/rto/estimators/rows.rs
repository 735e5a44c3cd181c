//! Ranges and wordings that several tables share.

use crate::params::{Range, Unit, Words};

/// A share of something, 0 to 1.
pub(super) const WEIGHT: Range =
    Range { unit: Unit::One, min: 0.0, max: 1.0, slider: (0.0, 1.0), step: 1.0 / 64.0, fractions: true };

/// How many times something.
pub(super) const TIMES: Range =
    Range { unit: Unit::One, min: 0.0, max: 16.0, slider: (0.0, 8.0), step: 0.25, fractions: false };

/// A count of at least one.
pub(super) const COUNT: Range =
    Range { unit: Unit::One, min: 1.0, max: 1e6, slider: (1.0, 64.0), step: 1.0, fractions: false };

pub(crate) const TIME: Range = Range {
    unit: Unit::Milliseconds,
    min: 0.0,
    max: 1e10,
    slider: (0.0, 3000.0),
    step: 10.0,
    fractions: false,
};

pub(super) const LONG_TIME: Range = Range { slider: (0.0, 240_000.0), step: 1000.0, ..TIME };

pub(super) const SHORT_TIME: Range = Range { slider: (0.0, 500.0), ..TIME };

pub(super) const MIN: Words = ("min", "", "least timeout", "The timeout is never shorter than this.");

pub(super) const MAX: Words = ("max", "", "greatest timeout", "The timeout is never longer than this.");

pub(super) const INITIAL: Words =
    ("initial", "", "first timeout", "The timeout before any delay has been measured.");

pub(super) const K: Words =
    ("k", "K", "variations above", "The timeout lies this many times the variation above the mean.");

pub(super) const GRANULARITY: Words =
    ("granularity", "", "clock granularity", "The least amount the timeout lies above the mean.");

pub(super) const TICK: Words =
    ("tick", "", "clock tick", "The timeout lies at least two of these above the last delay.");

pub(super) const BACKOFF: Words =
    ("backoff", "", "back-off", "Double the timeout after each expiry, which the replay of 1983 never does.");

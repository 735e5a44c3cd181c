//! In what unit a column counts: told by its name and values, or guessed.

use super::columns::Stats;
use super::names::Name;
use super::{Column, Unit};

/// A column of delays, as its name and its values tell it.
pub(super) fn delay_column(index: usize, name: Name, stats: &Stats) -> Column {
    let clock = stats.durations().then_some(Unit::Seconds);
    if let Some(unit) = name.unit.or(stats.unit).or(clock) {
        return Column { index, unit, guessed: false };
    }
    // Where the file does not say, ordinary delays lie between a microsecond and five seconds.
    let unit = match stats.median {
        m if m >= 5e6 => Unit::Nanos,
        m if m >= 5e3 => Unit::Micros,
        m if m < 60.0 && stats.hours > 0 => Unit::Seconds,
        // No tool prints a ms as finely as that.
        m if m < 1.0 && stats.fine => Unit::Seconds,
        _ => Unit::Millis,
    };
    Column { index, unit, guessed: true }
}

/// A column of times, as its name and its values tell it.
pub(super) fn time_column(index: usize, name: Name, stats: &Stats) -> Column {
    if stats.dates > stats.numbers {
        return Column { index, unit: Unit::Calendar, guessed: false };
    }
    if let Some(unit) = epoch(stats.median) {
        return Column { index, unit, guessed: false };
    }
    if let Some(unit) = name.unit {
        return Column { index, unit, guessed: false };
    }
    // A spreadsheet's days since 1900, of the years from 1982.
    if (30_000.0..80_000.0).contains(&stats.median) && stats.fine && stats.step < 0.05 {
        return Column { index, unit: Unit::Days, guessed: true };
    }
    let unit = match stats.step {
        s if !stats.integers || s < 50.0 => Unit::Seconds,
        s if s < 5e4 => Unit::Millis,
        s if s < 5e7 => Unit::Micros,
        _ => Unit::Nanos,
    };
    Column { index, unit, guessed: true }
}

/// The unit of a count since 1970, told by its size: between 1980 and 2100.
pub(super) fn epoch(value: f64) -> Option<Unit> {
    let within = |unit: f64| (315_532_800.0 * unit..4_102_444_800.0 * unit).contains(&value);
    match () {
        () if within(1.0) => Some(Unit::Seconds),
        () if within(1e3) => Some(Unit::Millis),
        () if within(1e6) => Some(Unit::Micros),
        () if within(1e9) => Some(Unit::Nanos),
        () => None,
    }
}

//! Whether a table's rows may be plain numbers, which are read faster.

use netspurt_core::number::rows::{Batch, Rows, Use};

use super::{Reading, Separator, Unit, cell};

/// Reads rows of plain numbers. `None`: the table has something else in every row.
pub(super) fn rows(reading: &Reading, width: usize) -> Option<Rows> {
    let calendar = reading.time.is_some_and(|c| c.unit == Unit::Calendar);
    if reading.separator == Separator::Blanks || reading.loss.is_some() || calendar {
        return None;
    }
    let mut uses = vec![Use::Nothing; width];
    let columns = [
        (Some(reading.delay.index), Use::Delay),
        (reading.time.map(|c| c.index), Use::Time),
        (reading.octets, Use::Octets),
        (reading.seq, Use::Seq),
    ];
    for (column, of) in columns.into_iter().filter_map(|(c, u)| Some((c?, u))) {
        let place = uses.get_mut(column).filter(|u| **u == Use::Nothing)?;
        *place = of;
    }
    let decimal = if reading.decimal == ',' { b',' } else { b'.' };
    let unit = reading.time.map_or(1, |c| c.unit.nanoseconds());
    let power = (0..10).find(|power| 10_i64.pow(*power) == unit)?;
    Rows::new(reading.separator.byte(), decimal, uses, power as usize)
}

/// The rows before the first whose delay may be a mark, and is to be read as one.
pub(super) fn unmarked(batch: &Batch) -> usize {
    let is_mark = |delay: &f64| *delay == 3600.0 || cell::is_sentinel(*delay);
    batch.delays[..batch.rows].iter().position(is_mark).unwrap_or(batch.rows)
}

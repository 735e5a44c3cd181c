//! A trace as CSV: `t_s,octets,delay_ms`, an empty delay for a lost packet, `<1` for a bound, `?`
//! for a reply without a time. What the trace does not say is empty.

use crate::output::Out;
use netspurt_core::trace::{Clock, Fate, Trace};
use std::io;

pub(crate) fn write(trace: &Trace, out: Out<'_>) -> io::Result<()> {
    writeln!(out, "t_s,octets,delay_ms")?;
    for record in trace.records() {
        if trace.clock == Clock::Elapsed {
            write!(out, "{}", record.sent / 1000.0)?;
        }
        write!(out, ",")?;
        if let Some(octets) = record.octets {
            write!(out, "{octets}")?;
        }
        match record.fate {
            Fate::Reply(delay) => writeln!(out, ",{delay}")?,
            Fate::Below(bound) => writeln!(out, ",<{bound}")?,
            Fate::Lost => writeln!(out, ",")?,
            Fate::Untimed => writeln!(out, ",?")?,
        }
    }
    Ok(())
}

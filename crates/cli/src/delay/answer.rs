//! The JSON of `netspurt delay`.

use netspurt_core::delay::printed::segments;
use netspurt_core::delay::{Lines, Points, Segment};
use netspurt_core::rto::printed::DelayLine;
use netspurt_core::trace::Trace;
use serde::Serialize;

/// Delays in ms, lengths in octets, rates in bits per second; intervals of 95 %.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    trace: &'a str,
    method: &'static str,
    /// Packets with a length and a delay, in the selection.
    packets: usize,
    segments: Vec<OneLine>,
    /// The greatest length on the first of two lines; `null` for one line.
    knee: Option<u32>,
    /// `null` unless the knee was estimated.
    knee_ci: Option<(u32, u32)>,
    /// One line against two; `null` where no knee parts the packets.
    sup_f: Option<f64>,
    /// The lines RFC 889 prints for this run; `null` for other traces.
    printed: Option<Vec<Printed>>,
    remarks: &'a [String],
}

#[derive(Serialize)]
struct OneLine {
    from: u32,
    to: u32,
    /// `null`, as all that follows from it: all packets are of one length.
    slope_ms_per_octet: Option<f64>,
    slope_ci: Option<(f64, f64)>,
    intercept_ms: Option<f64>,
    /// `null` where no rate is finite.
    rate_bps: Option<f64>,
    rate_ci: Option<(f64, f64)>,
    /// At `from` and at `to`.
    delay_from_ms: f64,
    delay_to_ms: f64,
    r2: Option<f64>,
    /// √(Σr² / n), ms.
    rmse: f64,
    n: usize,
    /// Points the line was put through: packets, or bins of the minimum filter.
    fitted: usize,
}

#[derive(Serialize)]
struct Printed {
    from: f64,
    to: f64,
    delay_from_ms: f64,
    delay_to_ms: f64,
    rate_bps: f64,
}

impl<'a> Answer<'a> {
    pub(super) fn new(
        trace: &'a Trace,
        points: &Points,
        lines: &Lines,
        printed: Option<&DelayLine>,
        remarks: &'a [String],
    ) -> Self {
        let printed = printed.map(|line| {
            segments(line)
                .map(|s| Printed {
                    from: s.octets.0,
                    to: s.octets.1,
                    delay_from_ms: s.delay_ms.0,
                    delay_to_ms: s.delay_ms.1,
                    rate_bps: s.rate_bps,
                })
                .collect()
        });
        Self {
            trace: &trace.name,
            method: lines.method.name(),
            packets: points.len(),
            segments: lines.segments.iter().map(one_line).collect(),
            knee: lines.knee,
            knee_ci: lines.knee_interval,
            sup_f: lines.sup_f,
            printed,
            remarks,
        }
    }
}

fn one_line(s: &Segment) -> OneLine {
    OneLine {
        from: s.octets.0,
        to: s.octets.1,
        slope_ms_per_octet: s.line.map(|l| l.slope),
        slope_ci: s.line.and_then(|l| l.slope_interval),
        intercept_ms: s.line.map(|l| l.intercept),
        rate_bps: s.rate(),
        rate_ci: s.rate_interval(),
        delay_from_ms: s.at(f64::from(s.octets.0)),
        delay_to_ms: s.at(f64::from(s.octets.1)),
        r2: s.r2,
        rmse: s.rmse,
        n: s.n,
        fitted: s.fitted,
    }
}

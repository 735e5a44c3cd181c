//! What a run comes to over a window of time.

use super::clock::{Micros, micros, millis};
use super::simulation::Run;

/// From a time until before another, ms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    pub from_ms: f64,
    pub to_ms: f64,
}

impl Window {
    pub(super) fn micros(self) -> (Micros, Micros) {
        let from = micros(self.from_ms);
        (from, micros(self.to_ms).max(from))
    }

    /// As much of it as there was until a run ended early.
    pub(super) fn until(self, end: Micros) -> Self {
        Self { to_ms: self.to_ms.min(millis(end)), ..self }
    }
}

/// The figures of RFC 632, page 1, and a few more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// Bits of messages, without headers, whose RFNM came back within the window, over its length.
    pub throughput_kbs: f64,
    /// Of those messages; `None` if there are none.
    pub mean_rtt_ms: Option<f64>,
    /// Messages that were sent and whose RFNM had not come back, on average.
    pub mean_in_flight: f64,
    /// Of the line that was busiest, as a fraction.
    pub max_utilization: f64,
    /// The longest time between two messages that the host took within the window: the silence that
    /// a listener hears. `None`: it took fewer than two.
    pub longest_gap_ms: Option<f64>,
}

impl Statistics {
    pub(super) const NONE: Self = Self {
        throughput_kbs: 0.0,
        mean_rtt_ms: None,
        mean_in_flight: 0.0,
        max_utilization: 0.0,
        longest_gap_ms: None,
    };

    pub(super) fn of(run: &Run, window: Window, message_bits: f64) -> Self {
        let (from, to) = window.micros();
        let length = to - from;
        let within = |t: &Option<Micros>| t.is_some_and(|t| (from..to).contains(&t));
        let (mut count, mut rtt, mut flight) = (0_u64, 0_u64, 0_u64);
        let (mut gap, mut before) = (None, None);
        for row in &run.rows {
            if within(&row.rfnm) {
                count += 1;
                rtt += row.rfnm.unwrap_or(0) - row.first_sent;
            }
            let (begin, end) = (row.first_sent.max(from), row.rfnm.unwrap_or(Micros::MAX).min(to));
            flight += end.saturating_sub(begin);
            if within(&row.taken) {
                let gap_now = before.zip(row.taken).map(|(b, t): (Micros, Micros)| t - b);
                gap = gap.max(gap_now);
                before = row.taken;
            }
        }
        let per = |sum: f64| if length == 0 { 0.0 } else { sum / length as f64 };
        Self {
            throughput_kbs: per(count as f64 * message_bits * 1000.0),
            mean_rtt_ms: (count > 0).then(|| rtt as f64 / count as f64 / 1000.0),
            mean_in_flight: per(flight as f64),
            max_utilization: run.lines.iter().map(|l| l.utilization).fold(0.0, f64::max),
            longest_gap_ms: gap.map(millis),
        }
    }
}

//! The trap in a formula.
//!
//! With T the time of a message on the slowest line, gap the source's turn-round, lag the time from
//! an RFNM to its ALL, and RTT₀ the undisturbed round trip, every message of the trapped flow takes a
//! cycle of
//!
//! ```text
//! C = RTT₀ + gap + T    if lag < gap + T: the new message goes first, and the one sent again waits for it
//! C = RTT₀ + lag        else
//! ```
//!
//! so that the throughput is the message's bits over C, and the round trip W·C − gap with a window of
//! W: a message is sent `gap` after the RFNM of the one W before it.

use super::scenario::{Scenario, USUAL};

/// The trapped flow under `current`, computed. Times in ms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosedForm {
    /// Round trip of one message in an idle network.
    pub rtt0: f64,
    pub cycle: f64,
    pub trapped_rtt: f64,
    pub trapped_throughput_kbs: f64,
}

/// `None` where the formula does not hold: it needs gap < lag, gap < T, host < T and a window above 1.
pub fn closed_form(scenario: &Scenario) -> Option<ClosedForm> {
    let s = &scenario.setup;
    let rates = &scenario.paths.iter().find(|p| p.name == USUAL)?.rates;
    let over = |bits: f64| rates.iter().map(|kbs| bits / kbs).sum::<f64>();
    let bits = s.message_bits + s.header_bits;
    let slowest = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let t = bits / slowest;
    let hops = rates.len() as f64;
    let rtt0 = over(bits) + s.host + over(s.control_bits) + 2.0 * hops * (s.prop + s.proc);
    if !(s.gap < s.all && s.gap < t && s.host < t && s.window > 1) {
        return None;
    }
    let cycle = if s.all < s.gap + t { rtt0 + s.gap + t } else { rtt0 + s.all };
    Some(ClosedForm {
        rtt0,
        cycle,
        trapped_rtt: f64::from(s.window) * cycle - s.gap,
        trapped_throughput_kbs: s.message_bits / cycle,
    })
}

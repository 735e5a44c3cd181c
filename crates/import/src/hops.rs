//! The hops of a path, as traceroute, mtr and their like report them.
//!
//! What is read of a path is its destination: the last hop that replied. A router on the way may
//! answer late or not at all without losing a packet of anyone's.

use netspurt_core::trace::Fate;

use crate::gather::Gathering;
use crate::import::PartKind;
use crate::printed::Printed;

/// One hop.
#[derive(Debug, Default)]
pub(crate) struct Hop {
    /// How far along the path, from 1.
    pub(crate) position: u32,
    /// Empty or `???` where no one replied.
    pub(crate) host: String,
    /// What the tool says of it.
    pub(crate) printed: Printed,
    /// Each probe, where the tool shows them.
    pub(crate) fates: Vec<Fate>,
    pub(crate) octets: Option<u32>,
}

impl Hop {
    pub(crate) fn replied(&self) -> bool {
        self.fates.iter().any(|f| *f != Fate::Lost) || self.printed.received.is_some_and(|n| n > 0)
    }

    /// Works out how many came back from how many were sent and a loss in percent. A silent hop has
    /// no delays, though tools print 0.
    fn settle(&mut self) {
        let p = &mut self.printed;
        if let (Some(sent), None, Some(loss)) = (p.sent, p.received, p.loss_pct) {
            let lost = (sent as f64 * loss.clamp(0.0, 100.0) / 100.0).round() as u64;
            p.received = Some(sent - lost.min(sent));
        }
        if p.received == Some(0) {
            *p = Printed { sent: p.sent, received: p.received, loss_pct: p.loss_pct, ..Printed::default() };
        }
        p.lost = p.sent.zip(p.received).map(|(sent, received)| sent.saturating_sub(received));
    }
}

/// Adds the hops of one path. The last that replied is what is usually read; where the destination
/// is heard at several distances, as probes are sent beyond it, the first of these.
#[inline(never)]
pub(crate) fn add(gathering: &mut Gathering, mut hops: Vec<Hop>) {
    hops.iter_mut().for_each(Hop::settle);
    let last = hops.iter().rposition(Hop::replied);
    let destination = last.map(|last| {
        let same = |h: &Hop| h.host == hops[last].host && !is_silent(&h.host) && h.replied();
        hops[..last].iter().rev().take_while(|h| same(h)).count().abs_diff(last)
    });
    for (i, hop) in hops.into_iter().enumerate() {
        let host = if hop.host.is_empty() { "???" } else { &hop.host };
        let part = gathering.add(host, PartKind::Hop);
        part.position = Some(hop.position);
        part.usual = destination.map_or(i == 0, |d| d == i);
        part.printed = (hop.printed != Printed::default()).then_some(hop.printed);
        let part = gathering.parts.len() - 1;
        for fate in hop.fates {
            gathering.push(part, None, hop.octets, fate);
        }
    }
}

pub(crate) fn is_silent(host: &str) -> bool {
    matches!(host, "" | "???" | "*" | "-" | "no reply")
}

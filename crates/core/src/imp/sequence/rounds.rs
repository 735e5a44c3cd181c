//! How a run goes on by itself: in rounds. In each, every message in flight arrives, in the order
//! sent; then every RFNM and ALL, in the order sent.
//!
//! So Tables 1 and 2 of RFC 632 both follow from one disturbance, message 1 overtaking message 0. A
//! line error holds a message up for one round: 125 ms is about a round trip.

use super::{Host, Item, Sequence};
use crate::imp::Pdu;

/// What a reader may do to the messages of source 0, at their first sending. Each list holds message
/// numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Disturbances {
    /// Arrive just before their predecessors.
    pub overtakes: Vec<u32>,
    /// Arrive a round later.
    pub line_errors: Vec<u32>,
    /// Arrive so many rounds later: pairs of a message and its rounds.
    pub held_up: Vec<(u32, u32)>,
}

impl Disturbances {
    /// How many rounds a message is late.
    fn lateness(&self, number: u32) -> u32 {
        let errors = self.line_errors.iter().filter(|k| **k == number).count() as u32;
        self.held_up.iter().filter(|(k, _)| *k == number).fold(errors, |all, (_, n)| all.saturating_add(*n))
    }
}

/// Goes on for so many rounds, or until there are too many items.
pub(super) fn go_on(sequence: &mut Sequence, rounds: u32, disturbances: &Disturbances) {
    let mut done = Done::default();
    play(sequence, rounds, disturbances, &mut done);
    let arrived: Vec<u32> =
        done.late.iter().map(|(sent, _)| sequence.run.events[*sent].message.number).collect();
    let held_up = disturbances.held_up.iter().map(|(k, _)| k);
    let late = disturbances.line_errors.iter().chain(held_up).filter(|k| !arrived.contains(k));
    let early = disturbances.overtakes.iter().filter(|k| !done.overtook.contains(k));
    let mut idle: Vec<u32> = early.chain(late).copied().collect();
    idle.sort_unstable();
    idle.dedup();
    sequence.run.idle = idle;
}

/// What has come of the disturbances.
#[derive(Debug, Default)]
struct Done {
    /// Messages as they were first under way: the event that sent it, and the round in which it will
    /// arrive.
    late: Vec<(usize, u32)>,
    overtook: Vec<u32>,
}

fn play(sequence: &mut Sequence, rounds: u32, disturbances: &Disturbances, done: &mut Done) {
    for round in 0..rounds {
        let arriving = messages(sequence, round, disturbances, done);
        // What is in flight is refused only where there are too many items.
        if arriving.into_iter().any(|item| sequence.apply(item).is_err()) {
            return;
        }
        while sequence.host == Host::Explicit && sequence.now.destination.host_queue().len() > 0 {
            if sequence.apply(Item::Host(None)).is_err() {
                return;
            }
        }
        let back = sequence.run.flight.iter().filter(|f| f.pdu != Pdu::Msg);
        let back: Vec<Item> = back.map(|f| Item::Arrives(f.pdu, f.message)).collect();
        if back.into_iter().any(|item| sequence.apply(item).is_err()) {
            return;
        }
    }
}

/// The messages that arrive in a round.
fn messages(sequence: &Sequence, round: u32, disturbances: &Disturbances, done: &mut Done) -> Vec<Item> {
    let late = &mut done.late;
    let mut arriving = Vec::new();
    for f in sequence.run.flight.iter().filter(|f| f.pdu == Pdu::Msg) {
        let is_disturbed = f.message.source == 0 && !f.again;
        if is_disturbed && late.iter().all(|(sent, _)| *sent != f.sent) {
            late.push((f.sent, round.saturating_add(disturbances.lateness(f.message.number))));
        }
        if late.iter().any(|(sent, until)| *sent == f.sent && *until > round) {
            continue;
        }
        arriving.push((f.message, is_disturbed));
    }
    for number in &disturbances.overtakes {
        let at = |k: u32| arriving.iter().position(|(m, disturbed)| *disturbed && m.number == k);
        let (Some(mine), Some(before)) = (at(*number), number.checked_sub(1).and_then(at)) else { continue };
        if before < mine {
            let message = arriving.remove(mine);
            arriving.insert(before, message);
            done.overtook.push(*number);
        }
    }
    arriving.into_iter().map(|(m, _)| Item::Arrives(Pdu::Msg, m)).collect()
}

//! Echo requests and the replies to them, of ICMP and `ICMPv6`.
//!
//! A run is what shares both ends and the identifier. A reply belongs to the last request of its
//! number; a second one is a duplicate.

use netspurt_core::trace::Fate;

use super::layers::{Address, Echo, Quoted, name};
use super::{Key, Table};
use crate::gather::{Gathering, reply};
use crate::import::PartKind;

#[derive(Debug, Default)]
pub(super) struct Echoes {
    /// Runs by their ends and identifier.
    table: Table,
    runs: Vec<Run>,
    /// Replies without a request.
    pub(super) orphans: u64,
}

/// Requests, in the order in which they were sent.
#[derive(Debug, Default)]
struct Run {
    numbers: Vec<u16>,
    /// Nanoseconds since 1970.
    sent: Vec<i64>,
}

impl Echoes {
    pub(super) fn add(&mut self, g: &mut Gathering, at: i64, from: Address, to: Address, echo: &Echo) {
        let (a, b) = if echo.reply { (to, from) } else { (from, to) };
        let key = Key { ends: [a, b], marks: [echo.id, 0] };
        let run = self.table.find(&key);
        if echo.reply {
            let found = run.and_then(|run| Some((run, self.runs[run].find(echo.seq)?)));
            let Some((run, index)) = found else {
                self.orphans += 1;
                return;
            };
            let rank = g.next_rank();
            let fate = reply((at - self.runs[run].sent[index]) as f64 / 1e6).unwrap_or(Fate::Untimed);
            match g.parts[run].fate(index) {
                Some(Fate::Lost) => g.parts[run].settle(index, fate, rank),
                _ => g.parts[run].duplicates += 1,
            }
            return;
        }
        let run = run.unwrap_or_else(|| {
            g.add(&format!("{} id {}", name(&to), echo.id), PartKind::Run);
            self.table.set(key, self.runs.len());
            self.runs.push(Run::default());
            self.runs.len() - 1
        });
        self.runs[run].numbers.push(echo.seq);
        self.runs[run].sent.push(at);
        g.push(run, Some(at), Some(echo.octets), Fate::Lost);
    }

    /// An ICMP error that quotes a request: its probe stays lost.
    pub(super) fn failed(&mut self, g: &mut Gathering, quoted: &Quoted<'_>) {
        let Some((from, to, echo)) = quoted.echo() else { return };
        if let Some(run) = self.table.find(&Key { ends: [from, to], marks: [echo.id, 0] }) {
            g.parts[run].errors += 1;
        }
    }
}

impl Run {
    /// The last request of this number. It stands where counting back from the last finds it, or not
    /// far from there; else it is looked for among the last few thousand.
    fn find(&self, seq: u16) -> Option<usize> {
        let last = self.numbers.len() - 1;
        let back = usize::from(self.numbers[last].wrapping_sub(seq));
        if let Some(i) = last.checked_sub(back).filter(|i| self.numbers[*i] == seq) {
            return Some(i);
        }
        let first = last.saturating_sub(4096);
        self.numbers[first..].iter().rposition(|n| *n == seq).map(|i| first + i)
    }
}

//! Echo requests and the replies to them, of ICMP and ICMPv6.
//!
//! A run is what shares both ends and the identifier. A reply belongs to the last request of its
//! number; a second one is a duplicate.

use netspurt_core::trace::Fate;

use super::Table;
use super::layers::{Address, Echo, Quoted, name};
use crate::gather::{Gathering, reply};
use crate::import::PartKind;

#[derive(Debug, Default)]
pub(super) struct Echoes {
    /// Runs by their ends and identifier, and the last request by run and number. A number takes 16
    /// bits: what is above tells the two apart.
    table: Table,
    /// When each request was sent, by run.
    sent: Vec<Vec<i64>>,
    /// Replies without a request.
    pub(super) orphans: u64,
}

/// Stands in a key for "the run itself".
const RUN: u32 = 1 << 16;

impl Echoes {
    pub(super) fn add(&mut self, g: &mut Gathering, at: i64, from: Address, to: Address, echo: &Echo) {
        let (a, b) = if echo.reply { (to, from) } else { (from, to) };
        let id = u32::from(echo.id);
        let run = self.table.get(&(a, b, id, RUN)).copied();
        let request = (a, b, id, u32::from(echo.seq));
        if echo.reply {
            let Some((run, index)) = run.zip(self.table.get(&request).copied()) else {
                self.orphans += 1;
                return;
            };
            let (run, index) = (run as usize, index as usize);
            let rank = g.next_rank();
            let fate = reply((at - self.sent[run][index]) as f64 / 1e6).unwrap_or(Fate::Untimed);
            match g.parts[run].fate(index) {
                Some(Fate::Lost) => g.parts[run].settle(index, fate, rank),
                _ => g.parts[run].duplicates += 1,
            }
            return;
        }
        let run = run.map_or_else(
            || {
                g.add(&format!("{} id {id}", name(&to)), PartKind::Run);
                let run = u32::try_from(g.parts.len() - 1).unwrap_or(u32::MAX);
                self.table.insert((a, b, id, RUN), run);
                self.sent.push(Vec::new());
                run as usize
            },
            |run| run as usize,
        );
        let index = u32::try_from(self.sent[run].len()).unwrap_or(u32::MAX);
        self.table.insert(request, index);
        self.sent[run].push(at);
        g.push(run, Some(at), Some(echo.octets), Fate::Lost);
    }

    /// An ICMP error that quotes a request: its probe stays lost.
    pub(super) fn failed(&mut self, g: &mut Gathering, quoted: &Quoted<'_>) {
        let Some((from, to, echo)) = quoted.echo() else { return };
        if let Some(run) = self.table.get(&(from, to, u32::from(echo.id), RUN)) {
            g.parts[*run as usize].errors += 1;
        }
    }
}

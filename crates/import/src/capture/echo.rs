//! Echo requests and the replies to them, of ICMP and `ICMPv6`.
//!
//! A run is what shares both ends and the identifier. A reply belongs to the last request of its
//! number; a second one is a duplicate. Who asks many at once, a group or a whole network, is answered
//! from other addresses: there the asking end and the identifier are enough.
//!
//! A capture on several interfaces at once holds a packet more than once: a request with the number of
//! the one before it, within a millisecond, is that again, and so are replies in such a run. A reply
//! may stand before its request, where packets were written out of order or two captures were merged.

use std::collections::VecDeque;

use netspurt_core::trace::Fate;

use super::layers::{Address, Echo, Quoted, name};
use super::{Key, Table};
use crate::gather::{Gathering, reply};
use crate::import::PartKind;

/// Nanoseconds within which a packet that comes again is the same one.
const COPY: i64 = 1_000_000;
/// How far before its request a reply may stand, in nanoseconds and in replies without one.
const EARLY: i64 = 100_000_000;
const MOST_EARLY: usize = 64;
/// No more runs are followed: each costs some hundred octets, and requests may be a flood.
const MOST_RUNS: usize = 1 << 17;

#[derive(Debug, Default)]
pub(super) struct Echoes {
    /// Runs by their ends and identifier.
    table: Table,
    runs: Vec<Run>,
    /// Replies whose request has not come yet: whose, which, when.
    early: VecDeque<(Key, u16, i64)>,
    /// Any request was.
    pub(super) answered: bool,
    /// Replies without a request.
    pub(super) orphans: u64,
    /// Replies that are earlier than their requests.
    pub(super) backward: u64,
    /// Requests that stand in the capture again.
    pub(super) copies: u64,
    /// Requests of runs that are not followed.
    pub(super) beyond: u64,
}

/// Requests, in the order in which they were sent.
#[derive(Debug, Default)]
struct Run {
    numbers: Vec<u16>,
    /// Nanoseconds since 1970.
    sent: Vec<i64>,
    /// Some of its packets stand in the capture more than once.
    copied: bool,
    /// When a reply came last.
    answered: i64,
}

impl Echoes {
    pub(super) fn add(&mut self, g: &mut Gathering, at: i64, from: Address, to: Address, echo: &Echo) {
        if echo.reply {
            self.answer(g, at, from, to, echo);
        } else {
            self.ask(g, at, from, to, echo);
        }
    }

    fn ask(&mut self, g: &mut Gathering, at: i64, from: Address, to: Address, echo: &Echo) {
        let key = Key { ends: [from, to], marks: [echo.id, 0] };
        let run = match self.table.find(&key) {
            Some(run) => run,
            None if self.runs.len() >= MOST_RUNS => {
                self.beyond += 1;
                return;
            }
            None => {
                g.add(&format!("{} id {}", name(&to), echo.id), PartKind::Run);
                self.table.set(key, self.runs.len());
                if is_group(&to) {
                    self.table.set(anyone(from, echo.id), self.runs.len());
                }
                self.runs.push(Run::default());
                self.runs.len() - 1
            }
        };
        let asked = &mut self.runs[run];
        if asked.numbers.last() == Some(&echo.seq)
            && asked.sent.last().is_some_and(|sent| (0..COPY).contains(&(at - sent)))
        {
            asked.copied = true;
            self.copies += 1;
            return;
        }
        asked.numbers.push(echo.seq);
        asked.sent.push(at);
        g.push(run, Some(at), Some(echo.octets), Fate::Lost);
        if self.early.is_empty() {
            return;
        }
        self.early.retain(|(.., came)| at.saturating_sub(*came) < EARLY);
        if let Some(i) = self.early.iter().position(|(whose, seq, _)| *whose == key && *seq == echo.seq)
            && let Some((.., came)) = self.early.remove(i)
        {
            self.orphans -= 1;
            self.settle(g, run, self.runs[run].numbers.len() - 1, came);
        }
    }

    fn answer(&mut self, g: &mut Gathering, at: i64, from: Address, to: Address, echo: &Echo) {
        let key = Key { ends: [to, from], marks: [echo.id, 0] };
        let run = self.table.find(&key).or_else(|| self.table.find(&anyone(to, echo.id)));
        if let Some(run) = run
            && let Some(index) = self.runs[run].find(echo.seq)
        {
            self.settle(g, run, index, at);
            return;
        }
        self.orphans += 1;
        if self.early.len() >= MOST_EARLY {
            self.early.pop_front();
        }
        self.early.push_back((key, echo.seq, at));
    }

    /// A reply came to a request of a run.
    fn settle(&mut self, g: &mut Gathering, run: usize, index: usize, at: i64) {
        let asked = &mut self.runs[run];
        let rank = g.next_rank();
        self.answered = true;
        if g.parts[run].fate(index) == Some(Fate::Lost) {
            let after = at - asked.sent[index];
            self.backward += u64::from(after < 0);
            g.parts[run].settle(index, reply(after as f64 / 1e6).unwrap_or(Fate::Untimed), rank);
        } else if !asked.copied || at - asked.answered >= COPY {
            g.parts[run].duplicates += 1;
        }
        asked.answered = at;
    }

    /// An ICMP error that quotes a request: its probe stays lost.
    pub(super) fn failed(&mut self, g: &mut Gathering, quoted: &Quoted<'_>) {
        let Some((from, to, echo)) = quoted.echo() else { return };
        if let Some(run) = self.table.find(&Key { ends: [from, to], marks: [echo.id, 0] }) {
            g.parts[run].errors += 1;
        }
    }
}

/// The run of who asked many at once.
fn anyone(from: Address, id: u16) -> Key {
    Key { ends: [from, [0; 16]], marks: [id, 1] }
}

/// Whether many may answer: to multicast, and to what most networks have for broadcast.
fn is_group(to: &Address) -> bool {
    match to {
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, first, .., last] => {
            (224..240).contains(first) || *last == 255
        }
        [first, ..] => *first == 0xff,
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

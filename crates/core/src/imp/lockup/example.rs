//! A run that locks up, for the stepper.

use super::machine::Machine;
use super::{Phase, Search, Setup};
use crate::imp::sequence::Item;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// More states of the machine than this are not looked at.
const MOST: usize = 100_000;

/// A shortest list of items that leads the machine to a deadlock, with an explicit host. `None`:
/// there is none, it was not found, or the search is not over.
///
/// A* with the abstract distances, which are never too long: queues without order allow all that the
/// machine's do.
pub fn example(setup: &Setup, search: &Search) -> Option<Vec<Item>> {
    if search.phase != Phase::Done || search.verdict().deadlocks == 0 {
        return None;
    }
    let distances = search.graph.distances();
    let distance = |m: &Machine| search.graph.find(m.state()).map_or(u32::MAX, |n| distances[n]);
    let start = Machine::new(setup);
    // A machine, the one before it, what happened between them, and how many steps there were.
    let mut seen = BTreeSet::from([start.key()]);
    let mut queue = BinaryHeap::from([Reverse((distance(&start), 0_u32, 0_usize))]);
    let mut found: Vec<(Machine, usize, Option<Item>, u32)> = vec![(start, 0, None, 0)];
    while let Some(Reverse((_, left, at))) = queue.pop() {
        let machine = found[at].0.clone();
        let steps = found[at].3;
        let possible: Vec<Item> = machine.possible().collect();
        if possible.is_empty() {
            return Some(way(&found, at));
        }
        debug_assert!(left < u32::MAX);
        for item in possible {
            let mut next = machine.clone();
            next.apply(item);
            let left = distance(&next);
            if left == u32::MAX || found.len() == MOST || !seen.insert(next.key()) {
                continue;
            }
            queue.push(Reverse((steps + 1 + left, left, found.len())));
            found.push((next, at, Some(item), steps + 1));
        }
    }
    None
}

fn way(found: &[(Machine, usize, Option<Item>, u32)], mut at: usize) -> Vec<Item> {
    let mut items = Vec::new();
    while let (_, before, Some(item), _) = &found[at] {
        items.push(*item);
        at = *before;
    }
    items.reverse();
    items
}

//! States found, and the steps between them.

use super::states::State;

/// States by number, in the order they were found, with the steps from each.
#[derive(Debug)]
pub(super) struct Graph {
    sources: usize,
    states: Vec<State>,
    /// A hash table of state numbers, one more than each; 0 is free. Its length is a power of two.
    slots: Vec<u32>,
    /// Where the steps of each state that was looked at begin.
    starts: Vec<u32>,
    /// The state a step leads to, and below that in three bits the source whose window slides.
    steps: Vec<u32>,
    /// States looked at that nothing leads out of.
    deadlocks: usize,
    /// For each state, the sources that can still advance from it, a bit each.
    live: Vec<u8>,
    /// A pass over the states, backwards: how many are left of it, and whether it changed something.
    pass: (usize, bool),
}

/// In the three bits of a step: no window slides.
const NONE: u32 = 7;

impl Graph {
    pub(super) fn new(sources: usize) -> Self {
        Self {
            sources,
            states: Vec::new(),
            slots: vec![0; 1 << 10],
            starts: Vec::new(),
            steps: Vec::new(),
            deadlocks: 0,
            live: Vec::new(),
            pass: (0, true),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn state(&self, number: usize) -> State {
        self.states[number]
    }

    /// The number of a state that was found; `None`: it was not.
    pub(super) fn find(&self, state: State) -> Option<usize> {
        let number = self.slots[self.slot(state)];
        number.checked_sub(1).map(|n| n as usize)
    }

    pub(super) fn find_or_add(&mut self, state: State) -> usize {
        let slot = self.slot(state);
        if let Some(number) = self.slots[slot].checked_sub(1) {
            return number as usize;
        }
        self.states.push(state);
        self.slots[slot] = self.states.len() as u32;
        if self.states.len() * 2 > self.slots.len() {
            self.slots = vec![0; self.slots.len() * 2];
            for number in 0..self.states.len() {
                let slot = self.slot(self.states[number]);
                self.slots[slot] = number as u32 + 1;
            }
        }
        self.states.len() - 1
    }

    /// The slot that holds a state, or where it belongs.
    fn slot(&self, state: State) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing: the high bits of the product depend on all bits of the state.
        let mut slot = (state.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while let Some(number) = self.slots[slot].checked_sub(1) {
            if self.states[number as usize] == state {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Begins with the steps of the next state.
    pub(super) fn begin(&mut self) {
        self.starts.push(self.steps.len() as u32);
    }

    /// Ends them.
    pub(super) fn end(&mut self) {
        let none = self.starts.last().is_some_and(|start| *start as usize == self.steps.len());
        self.deadlocks += usize::from(none);
    }

    pub(super) fn add_step(&mut self, next: State, advanced: Option<usize>) {
        let number = self.find_or_add(next) as u32;
        self.steps.push(number << 3 | advanced.map_or(NONE, |s| s as u32));
    }

    #[cfg(test)]
    pub(super) fn has_step(&self, from: usize, to: usize, advanced: Option<u32>) -> bool {
        self.steps(from).any(|step| step == (to, advanced))
    }

    /// Where the steps of a state lead: states, and the source whose window slides, if one does.
    fn steps(&self, number: usize) -> impl Iterator<Item = (usize, Option<u32>)> + '_ {
        let start = self.starts.get(number).map_or(self.steps.len(), |s| *s as usize);
        let end = self.starts.get(number + 1).map_or(self.steps.len(), |s| *s as usize);
        self.steps[start..end].iter().map(|e| ((e >> 3) as usize, Some(e & 7).filter(|s| *s != NONE)))
    }

    pub(super) fn deadlocks(&self) -> usize {
        self.deadlocks
    }

    /// Looks at one more state to see which sources can advance from it; backwards, as most steps lead
    /// to states found later, and as often as something changes. Whether all is known.
    pub(super) fn judge(&mut self) -> bool {
        self.live.resize(self.states.len(), 0);
        if self.pass.0 == 0 {
            if !self.pass.1 {
                return true;
            }
            self.pass = (self.states.len(), false);
        }
        self.pass.0 -= 1;
        let number = self.pass.0;
        let can = self.steps(number).fold(0, |can, (next, advanced)| {
            can | self.live[next] | advanced.map_or(0, |source| 1 << source)
        });
        if can != self.live[number] {
            self.live[number] = can;
            self.pass.1 = true;
        }
        false
    }

    /// States from which some source cannot advance, once all is known.
    pub(super) fn stuck(&self) -> usize {
        let all = ((1_u32 << self.sources) - 1) as u8;
        self.live.iter().filter(|can| **can != all).count()
    }

    /// For each state the least number of steps to a deadlock; `u32::MAX` where none is reached.
    pub(super) fn distances(&self) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.states.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for number in (0..self.states.len()).rev() {
                let mut steps = self.steps(number).peekable();
                let least = match steps.peek() {
                    None => 0,
                    Some(_) => steps.map(|(next, _)| distances[next].saturating_add(1)).min().unwrap_or(0),
                };
                if least < distances[number] {
                    distances[number] = least;
                    changed = true;
                }
            }
        }
        distances
    }
}

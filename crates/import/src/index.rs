//! Finding by its name or key what was seen before.

/// Indices by hash, for a list that is kept elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Hash and index; as many as a power of two, a quarter of them free.
    slots: Vec<(u32, u32)>,
    used: usize,
}

const FREE: u32 = u32::MAX;

impl Index {
    /// The index that has this hash and for which `is` holds.
    #[inline(never)]
    pub(crate) fn find(&self, hash: u32, is: &dyn Fn(usize) -> bool) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let (known, index) = self.slots[at];
            if index == FREE {
                return None;
            }
            if known == hash && is(index as usize) {
                return Some(index as usize);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds an index that is not found yet.
    #[inline(never)]
    pub(crate) fn add(&mut self, hash: u32, index: usize) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            let larger = vec![(0, FREE); (self.slots.len() * 2).max(16)];
            for (hash, index) in std::mem::replace(&mut self.slots, larger) {
                if index != FREE {
                    self.put(hash, index);
                }
            }
        }
        self.put(hash, u32::try_from(index).unwrap_or(FREE - 1));
        self.used += 1;
    }

    fn put(&mut self, hash: u32, index: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != FREE {
            at = (at + 1) & mask;
        }
        self.slots[at] = (hash, index);
    }
}

/// FNV-1a (Fowler, Noll and Vo), its halves folded as low bits are the ones that count.
#[inline(never)]
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    let step = |hash: u64, b: &u8| (hash ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_found_and_nothing_else() {
        let mut index = Index::default();
        let names: Vec<String> = (0..5000).map(|i| format!("host {i}")).collect();
        for (i, name) in names.iter().enumerate() {
            let h = hash(name.as_bytes());
            assert_eq!(index.find(h, &|i| names[i] == *name), None);
            index.add(h, i);
        }
        for (i, name) in names.iter().enumerate() {
            assert_eq!(index.find(hash(name.as_bytes()), &|i| names[i] == *name), Some(i));
        }
        assert_eq!(index.find(hash(b"another"), &|i| names[i] == "another"), None);
        // One hash for all.
        let mut index = Index::default();
        (0..100).for_each(|i| index.add(7, i));
        assert_eq!((index.find(7, &|i| i == 93), index.find(7, &|_| false)), (Some(93), None));
    }
}

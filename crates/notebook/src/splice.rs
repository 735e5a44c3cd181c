//! A splice: the one form in which a text changes.

use std::ops::Range;

/// Bytes of a text to be replaced by others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// What goes, in bytes of the text before.
    pub range: Range<usize>,
    /// What comes in its place.
    pub text: String,
}

impl Splice {
    pub fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    /// Puts text in before the byte `at`.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::new(at..at, text)
    }

    pub fn delete(range: Range<usize>) -> Self {
        Self::new(range, "")
    }

    /// What turns `old` into `new`, without what they begin and end with alike.
    pub fn between(old: &str, new: &str) -> Self {
        let head = common(old.bytes().zip(new.bytes()));
        let head = (0..=head).rev().find(|&i| old.is_char_boundary(i)).unwrap_or(0);
        let (old_rest, new_rest) = (&old[head..], &new[head..]);
        let tail = common(old_rest.bytes().rev().zip(new_rest.bytes().rev()));
        let tail = (0..=tail).rev().find(|&i| old_rest.is_char_boundary(old_rest.len() - i)).unwrap_or(0);
        Self::new(head..old.len() - tail, &new_rest[..new_rest.len() - tail])
    }

    /// One splice that does what several do. They are in order, do not overlap, and all count
    /// bytes of the text before.
    pub(crate) fn merge(before: &str, splices: &[Self]) -> Self {
        let (Some(first), Some(last)) = (splices.first(), splices.last()) else {
            return Self::insert(0, "");
        };
        let mut text = String::new();
        let mut at = first.range.start;
        for s in splices {
            text.push_str(&before[at..s.range.start]);
            text.push_str(&s.text);
            at = s.range.end;
        }
        Self::new(first.range.start..last.range.end, text)
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty() && self.text.is_empty()
    }

    /// Whether the range lies in the text, on the borders of letters.
    pub fn fits(&self, text: &str) -> bool {
        text.get(self.range.clone()).is_some()
    }

    /// The text after. A splice that does not [fit](Self::fits) changes nothing.
    pub fn apply(&self, before: &str) -> String {
        let (Some(head), Some(tail)) = (before.get(..self.range.start), before.get(self.range.end..)) else {
            return before.to_owned();
        };
        let mut after = String::with_capacity(head.len() + self.text.len() + tail.len());
        after.push_str(head);
        after.push_str(&self.text);
        after.push_str(tail);
        after
    }

    /// What takes the change back, given the text before it.
    #[must_use]
    pub fn inverse(&self, before: &str) -> Self {
        let removed = before.get(self.range.clone()).unwrap_or_default();
        Self::new(self.range.start..self.range.start + self.text.len(), removed)
    }
}

/// How many pairs at the beginning are equal.
fn common(pairs: impl Iterator<Item = (u8, u8)>) -> usize {
    pairs.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_difference_stops_at_whole_letters() {
        // é and è share their first byte.
        let s = Splice::between("né", "nè");
        assert_eq!((s.range.clone(), s.text.as_str()), (1..3, "è"));
        // ¢ and £ differ in the last byte, ¢ and á share none.
        assert_eq!(Splice::between("a¢", "á¢").range, 0..1);
    }

    #[test]
    fn several_become_one() {
        let before = "abcdefgh";
        let s =
            Splice::merge(before, &[Splice::new(1..2, "BB"), Splice::delete(4..5), Splice::insert(6, "!")]);
        assert_eq!(s.apply(before), "aBBcdf!gh");
        assert_eq!(s.range, 1..6);
    }

    proptest! {
        #[test]
        fn a_difference_applied_is_the_new_text_and_its_inverse_the_old(
            old in "[aé¢ß\n]{0,12}", new in "[aé¢ß\n]{0,12}",
        ) {
            let s = Splice::between(&old, &new);
            prop_assert!(s.fits(&old));
            prop_assert_eq!(s.apply(&old), new.clone());
            prop_assert_eq!(s.inverse(&old).apply(&new), old);
        }
    }
}

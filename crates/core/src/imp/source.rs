//! The source IMP's side of one stream of messages.
//!
//! Message n may be sent while n < `base` + window, where `base` is the lowest number without an
//! RFNM. A copy of each message is kept until its RFNM comes.

use super::numbers;

/// What a source knows. Message numbers count from 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    window: u32,
    /// Messages in all.
    total: u32,
    base: u32,
    next: u32,
    /// Bit b: the RFNM of `base + b` has come. Bit 0 is never set.
    acknowledged: u64,
    paused: bool,
}

impl Source {
    /// Nothing is sent yet. A window is from 1 to 64; beyond that the nearest is taken.
    pub fn new(window: u32, total: u32) -> Self {
        let window = window.clamp(1, super::scheme::MOST_WINDOW);
        Self { window, total, base: 0, next: 0, acknowledged: 0, paused: false }
    }

    /// Sends the next message, if the window allows it. "Currently there is a limit of four messages
    /// that can simultaneously be in transmission between any pair of source and destination IMPs."
    /// (RFC 626, page 1)
    pub fn send(&mut self) -> Option<u32> {
        let number = self.next;
        if self.paused || number >= self.total || number - self.base >= self.window {
            return None;
        }
        self.next += 1;
        Some(number)
    }

    /// An RFNM arrives: the copy is dropped and the window slides.
    pub fn rfnm(&mut self, number: u32) {
        if !self.has_copy(number) {
            return;
        }
        self.acknowledged |= 1 << (number - self.base);
        let slid = self.acknowledged.trailing_ones();
        self.base += slid;
        self.acknowledged = self.acknowledged.checked_shr(slid).unwrap_or(0);
    }

    /// Whether an ALLOCATE makes the source send this message again: "the source IMPs keep a copy of
    /// all single-packet messages for which a RFNM has not yet been received" (page 6).
    pub fn has_copy(&self, number: u32) -> bool {
        (self.base..self.next).contains(&number) && self.acknowledged >> (number - self.base) & 1 == 0
    }

    /// Stops or goes on sending new messages. Retransmissions go on.
    pub fn pause(&mut self, paused: bool) {
        self.paused = paused;
    }

    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The lowest number without an RFNM.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// The lowest number never sent.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// The numbers of the copies held, ascending.
    pub fn copies(&self) -> impl Iterator<Item = u32> + Clone {
        let sent = self.next - self.base;
        numbers(self.base, !self.acknowledged & 1_u64.checked_shl(sent).map_or(u64::MAX, |b| b - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(source: &mut Source) -> Vec<u32> {
        std::iter::from_fn(|| source.send()).collect()
    }

    #[test]
    fn the_window_slides_over_what_was_acknowledged() {
        let mut s = Source::new(4, 100);
        assert_eq!(sent(&mut s), [0, 1, 2, 3]);
        s.rfnm(1);
        assert_eq!((sent(&mut s), s.base()), (vec![], 0));
        assert_eq!(s.copies().collect::<Vec<_>>(), [0, 2, 3]);
        s.rfnm(0);
        assert_eq!((sent(&mut s), s.base()), (vec![4, 5], 2));
        assert!(!s.has_copy(1) && s.has_copy(2) && s.has_copy(5) && !s.has_copy(6));
    }

    #[test]
    fn the_widest_window_slides_whole() {
        let mut s = Source::new(64, 70);
        assert_eq!(sent(&mut s).len(), 64);
        (0..64).for_each(|k| s.rfnm(k));
        assert_eq!((s.base(), sent(&mut s)), (64, vec![64, 65, 66, 67, 68, 69]));
        // Ends with the total, and an RFNM that is not awaited changes nothing.
        s.rfnm(3);
        s.rfnm(70);
        (64..70).for_each(|k| s.rfnm(k));
        assert_eq!((s.base(), s.copies().count(), s.send()), (70, 0, None));
    }

    #[test]
    fn a_pause_holds_new_messages() {
        let mut s = Source::new(2, 9);
        s.pause(true);
        assert_eq!(s.send(), None);
        s.pause(false);
        assert_eq!(sent(&mut s), [0, 1]);
    }
}

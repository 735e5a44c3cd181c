//! The fast path: a line that is the one before it, but for the number and the time.

use crate::number::{integer, leading};
use crate::runs::{Reply, Time};

/// A line that was read, cut at what changes from line to line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Template<'a> {
    before: &'a [u8],
    between: &'a [u8],
    after: &'a [u8],
    numbered: bool,
    reply: Reply,
}

impl<'a> Template<'a> {
    /// `None`: the line has no time, or does not say where its parts stand.
    pub(super) fn of(line: &'a [u8], reply: &Reply) -> Option<Self> {
        let at = |span: (u16, u16)| (usize::from(span.0), usize::from(span.1));
        let ((s0, s1), (t0, t1)) = (at(reply.spans.seq), at(reply.spans.time));
        let plain = matches!(reply.time, Time::Exact(_)) && !reply.duplicate && t1 > t0 && s1 <= t0;
        if !plain || reply.unit_guessed || reply.seq.is_some() != (s1 > s0) {
            return None;
        }
        // Where the unit is another, the number is not the time.
        if Time::Exact(leading(line.get(t0..)?)?.0) != reply.time {
            return None;
        }
        let (before, between) = (line.get(..s0)?, line.get(s1..t0)?);
        Some(Self { before, between, after: line.get(t1..)?, numbered: s1 > s0, reply: *reply })
    }

    /// Reads a line of the same form.
    pub(super) fn read(&self, line: &[u8]) -> Option<Reply> {
        let mut rest = line.strip_prefix(self.before)?;
        let mut reply = self.reply;
        if self.numbered {
            let (seq, used) = integer(rest)?;
            reply.seq = Some(u32::try_from(seq).ok()?);
            rest = &rest[used..];
        }
        rest = rest.strip_prefix(self.between)?;
        let (ms, used) = leading(rest)?;
        if &rest[used..] != self.after {
            return None;
        }
        reply.time = Time::of(ms);
        Some(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::Spans;

    fn check(first: &str, seq: (u16, u16), time: (u16, u16), next: &str, expected: Option<(u32, f64)>) {
        let ms = leading(&first.as_bytes()[usize::from(time.0)..]).unwrap().0;
        let number = (seq.1 > seq.0).then_some(1);
        let reply = Reply { spans: Spans { seq, time }, ..Reply::new(number, Time::Exact(ms)) };
        let read = Template::of(first.as_bytes(), &reply).unwrap().read(next.as_bytes());
        let got = read.map(|r| match r.time {
            Time::Exact(ms) => (r.seq.unwrap_or(0), ms),
            other => panic!("{other:?}"),
        });
        assert_eq!(got, expected, "{next}");
    }

    #[test]
    fn a_line_like_the_one_before_is_read_at_once() {
        let first = "seq=1 ttl=9 time=20.5 ms";
        let like = |next, expected| check(first, (4, 5), (17, 21), next, expected);
        like("seq=22 ttl=9 time=7 ms", Some((22, 7.0)));
        like("seq=22 ttl=9 time=7.25 ms", Some((22, 7.25)));
        like("seq=22 ttl=8 time=7 ms", None);
        like("seq=22 ttl=9 time=7 ms (DUP!)", None);
        like("seq=22 ttl=9 time=7 us", None);
        like("seq=99999999999 ttl=9 time=7 ms", None);
        check("time=4ms TTL=58", (0, 0), (5, 6), "time=17ms TTL=58", Some((0, 17.0)));
    }

    #[test]
    fn what_is_no_plain_reply_is_no_template() {
        let line = b"seq=1 time=20.5 us";
        let spans = Spans { seq: (4, 5), time: (11, 15) };
        let reply = Reply { spans, ..Reply::new(Some(1), Time::Exact(0.0205)) };
        assert!(Template::of(line, &reply).is_none());
        assert!(Template::of(line, &reply.duplicate(true)).is_none());
        assert!(Template::of(line, &Reply { time: Time::Missing, ..reply }).is_none());
    }
}

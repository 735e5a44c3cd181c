//! Echo requests and replies that stand in a file as lines, each with its time, made into round trips.

use netspurt_core::trace::Fate;

use crate::error::{ErrorKind, ImportError};
use crate::gather::{Gathering, reply};
use crate::import::{Import, Options, PartKind};

/// One line: an ICMP echo request or its reply.
pub(super) struct Echo<'a> {
    pub(super) request: bool,
    pub(super) from: &'a [u8],
    pub(super) to: &'a [u8],
    pub(super) id: u64,
    pub(super) seq: u64,
    pub(super) octets: Option<u32>,
}

/// A request and where it is kept.
struct Request<'a> {
    part: usize,
    index: usize,
    at: i64,
    ends: (&'a [u8], &'a [u8]),
    id: u64,
    seq: u64,
}

/// What the lines read so far come to.
pub(super) struct Echoes<'a> {
    g: Gathering,
    requests: Vec<Request<'a>>,
    orphans: u64,
}

impl<'a> Echoes<'a> {
    pub(super) fn new(format: &'static str) -> Self {
        Self { g: Gathering::new(format), requests: Vec::new(), orphans: 0 }
    }

    /// The next echo, seen at so many nanoseconds.
    pub(super) fn add(&mut self, at: i64, echo: &Echo<'a>) {
        let g = &mut self.g;
        if echo.request {
            let name = format!("{} id {}", String::from_utf8_lossy(echo.to), echo.id);
            let part = g.part(&name, PartKind::Run);
            self.requests.push(Request {
                part,
                index: g.parts[part].len(),
                at,
                ends: (echo.from, echo.to),
                id: echo.id,
                seq: echo.seq,
            });
            g.push(part, Some(at), echo.octets, Fate::Lost);
        } else {
            // Numbers come again: the last of them is meant.
            let recent = self.requests.iter().rev().take(4096);
            let is =
                |r: &&Request<'_>| r.seq == echo.seq && r.id == echo.id && r.ends == (echo.to, echo.from);
            let Some(request) = { recent }.find(is) else {
                self.orphans += 1;
                return;
            };
            let rank = g.next_rank();
            let fate = reply((at - request.at) as f64 / 1e6).unwrap_or(Fate::Untimed);
            let part = &mut g.parts[request.part];
            match part.fate(request.index) {
                Some(Fate::Lost) => part.settle(request.index, fate, rank),
                _ => part.duplicates += 1,
            }
        }
    }

    /// The round trips. `missing` is said where there is no request; `dated`: the times have a date.
    pub(super) fn import(
        mut self,
        dated: bool,
        missing: &str,
        options: &Options,
    ) -> Result<Import, ImportError> {
        if self.orphans > 0 {
            let text = format!("not used: {} replies whose requests are not in the file", self.orphans);
            self.g.notes.push(0, text);
        }
        self.g.dated = dated;
        if self.g.is_empty() {
            let error = ImportError::new(ErrorKind::NoSamples, missing);
            return Err(error.advise("open the capture itself"));
        }
        self.g.import(options)
    }
}

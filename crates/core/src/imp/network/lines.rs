//! Lines: in each direction one server, with RFNM and ALL ahead of data.

use super::clock::{Micros, micros};
use super::scenario::{Path, Scenario};
use crate::imp::Pdu;
use std::collections::VecDeque;

/// A packet, by its place in the simulation's list.
pub(super) type PacketId = u32;

/// How long a line was sending within the window of the run.
#[derive(Debug, Clone, PartialEq)]
pub struct LineUse {
    pub path: String,
    /// Which line of the path, from 0 at the source.
    pub line: usize,
    /// Towards the source: the direction of RFNM and ALL.
    pub back: bool,
    /// Time spent sending, as a share of the window.
    pub utilization: f64,
}

/// Every line of every path, in both directions.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    servers: Vec<Server>,
    /// Of each path: its first server and how many lines it has.
    paths: Vec<(usize, usize)>,
}

#[derive(Debug, Clone)]
struct Server {
    data_time: Micros,
    control_time: Micros,
    control: VecDeque<PacketId>,
    data: VecDeque<PacketId>,
    is_sending: bool,
    busy: Micros,
}

impl Lines {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let setup = &scenario.setup;
        let mut servers = Vec::new();
        let mut paths = Vec::new();
        for path in &scenario.paths {
            paths.push((servers.len(), path.rates.len()));
            for &kbs in &path.rates {
                // No sending takes no time: the clock always goes on.
                let time = |bits: f64| micros(bits / kbs).max(1);
                let server = Server {
                    data_time: time(setup.message_bits + setup.header_bits),
                    control_time: time(setup.control_bits),
                    control: VecDeque::new(),
                    data: VecDeque::new(),
                    is_sending: false,
                    busy: 0,
                };
                servers.extend([server.clone(), server]);
            }
        }
        Self { servers, paths }
    }

    /// How many lines a path has.
    pub(super) fn hops(&self, path: usize) -> usize {
        self.paths[path].1
    }

    /// Which server a PDU needs on a hop of its way: RFNM and ALL travel the path backwards.
    pub(super) fn server(&self, path: usize, hop: usize, pdu: Pdu) -> usize {
        let (first, hops) = self.paths[path];
        match pdu {
            Pdu::Msg => first + 2 * hop,
            Pdu::Rfnm | Pdu::All => first + 2 * (hops - 1 - hop) + 1,
        }
    }

    pub(super) fn enqueue(&mut self, server: usize, packet: PacketId, pdu: Pdu) {
        let server = &mut self.servers[server];
        match pdu {
            Pdu::Msg => server.data.push_back(packet),
            Pdu::Rfnm | Pdu::All => server.control.push_back(packet),
        }
    }

    /// Begins to send what is first, if the line is idle: which packet, and how long that takes.
    /// `counted` says how much of a time from now on falls into the window.
    pub(super) fn begin(
        &mut self,
        server: usize,
        counted: impl FnOnce(Micros) -> Micros,
    ) -> Option<(PacketId, Micros)> {
        let server = &mut self.servers[server];
        if server.is_sending {
            return None;
        }
        let (packet, time) = match server.control.pop_front() {
            Some(packet) => (packet, server.control_time),
            None => (server.data.pop_front()?, server.data_time),
        };
        server.is_sending = true;
        server.busy += counted(time);
        Some((packet, time))
    }

    pub(super) fn end(&mut self, server: usize) {
        self.servers[server].is_sending = false;
    }

    /// What each line did in a window so many microseconds long.
    pub(super) fn uses(&self, paths: &[Path], window: Micros) -> Vec<LineUse> {
        let mut uses = Vec::with_capacity(self.servers.len());
        for (path, (first, hops)) in paths.iter().zip(&self.paths) {
            for line in 0..*hops {
                for back in [false, true] {
                    let busy = self.servers[first + 2 * line + usize::from(back)].busy;
                    let utilization = if window == 0 { 0.0 } else { busy as f64 / window as f64 };
                    uses.push(LineUse { path: path.name.clone(), line, back, utilization });
                }
            }
        }
        uses
    }
}

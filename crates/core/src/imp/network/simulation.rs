//! The simulation itself, a step at a time.

use super::clock::{Clock, Micros, micros, millis};
use super::lines::{LineUse, Lines, PacketId};
use super::scenario::{Disturbance, Scenario, ScenarioError, Target, USUAL};
use super::window::{Statistics, Window};
use crate::imp::{Destination, Disposition, Message, Pdu, Site, Source, Word};
use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

/// No run sends more messages.
pub const MOST_MESSAGES: u32 = 10_000_000;

/// No log keeps more events.
pub const MOST_EVENTS: usize = 5_000_000;

/// A run, as far as it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// One a message, from number 0 on.
    pub rows: Vec<Row>,
    /// What was sent again, in order.
    pub retransmitted: Vec<u32>,
    /// Every event, where a log is kept.
    pub events: Vec<Event>,
    /// How much each line was used within the window.
    pub lines: Vec<LineUse>,
    pub statistics: Statistics,
    /// Disturbances that hit nothing, by their place in the scenario.
    pub idle: Vec<usize>,
    /// Messages on lines when the run ended.
    pub under_way: usize,
    /// The destination when the run ended.
    pub destination: Destination,
    /// Events were left out of the log, or messages not sent, as there were too many.
    pub is_cut: bool,
}

/// What became of a message. Times in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    pub first_sent: Micros,
    /// `None`: the host has not taken it.
    pub taken: Option<Micros>,
    /// `None`: its RFNM has not come back.
    pub rfnm: Option<Micros>,
    pub sendings: u32,
    alls: u32,
}

impl Row {
    pub fn first_sent_ms(&self) -> f64 {
        millis(self.first_sent)
    }

    /// `None`: its RFNM has not come back.
    pub fn rfnm_ms(&self) -> Option<f64> {
        self.rfnm.map(millis)
    }

    /// `None`: its RFNM has not come back.
    pub fn rtt_ms(&self) -> Option<f64> {
        self.rfnm.map(|t| millis(t - self.first_sent))
    }
}

/// Something sent, arrived or deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Microseconds since the start.
    pub at: Micros,
    pub site: Site,
    pub pdu: Pdu,
    pub message: u32,
    pub word: Word,
    /// Of a message that arrives; `None` for all else.
    pub disposition: Option<Disposition>,
    /// A message sent again, or the arrival of one.
    pub again: bool,
}

impl Event {
    pub fn ms(&self) -> f64 {
        millis(self.at)
    }
}

/// A run under way.
#[derive(Debug, Clone)]
pub struct Simulation {
    scenario: Scenario,
    window: Window,
    /// Messages that are kept.
    most: usize,
    usual: usize,
    durations: Durations,
    clock: Clock<Timer>,
    source: Source,
    /// New messages below this number may be sent: the window as of the last turn-round.
    open: u32,
    /// Pauses in force.
    pauses: u32,
    destination: Destination,
    host_is_busy: bool,
    lines: Lines,
    packets: Vec<Packet>,
    unused: Vec<PacketId>,
    /// The disturbances that hit a message, ordered by its number; which of all have hit.
    targets: Vec<(Target, usize)>,
    hit: Vec<bool>,
    random: Pcg64Mcg,
    rows: Vec<Row>,
    retransmitted: Vec<u32>,
    log: Option<Vec<Event>>,
    is_cut: bool,
}

/// The setup's times on the clock.
#[derive(Debug, Clone, Copy)]
struct Durations {
    end: Micros,
    hop: Micros,
    line_error: Micros,
    host: Micros,
    gap: Micros,
    all: Micros,
    retx: Micros,
}

/// A copy of a PDU on its way.
#[derive(Debug, Clone, Copy)]
struct Packet {
    pdu: Pdu,
    message: u32,
    attempt: u32,
    path: usize,
    /// Lines behind it.
    hop: usize,
}

/// What the clock brings.
#[derive(Debug, Clone, Copy)]
enum Timer {
    /// A packet is put on its line's queue.
    Queue(PacketId),
    /// A line has sent a packet.
    Sent {
        server: usize,
        packet: PacketId,
    },
    /// A packet is at the end of its line.
    Arrived(PacketId),
    /// The host has taken a message.
    Host,
    /// An ALL leaves.
    All(u32),
    /// A message is sent again.
    Again(u32),
    /// The source has turned round after an RFNM.
    TurnRound,
    /// A message is ready.
    Ready(u32),
    Pause,
    Resume,
}

impl Simulation {
    /// `window`: over which time the figures are taken. `log`: keep every event.
    pub fn new(scenario: &Scenario, window: Window, log: bool) -> Result<Self, ScenarioError> {
        Self::with_room(scenario, window, log, MOST_MESSAGES)
    }

    /// One that ends with so many messages.
    pub(super) fn with_room(
        scenario: &Scenario,
        window: Window,
        log: bool,
        most: u32,
    ) -> Result<Self, ScenarioError> {
        scenario.check()?;
        let setup = &scenario.setup;
        let total = scenario.input.as_ref().map_or(most, |t| (t.len() as u32).min(most));
        let mut targets: Vec<(Target, usize)> = Vec::new();
        for (i, disturbance) in scenario.disturbances.iter().enumerate() {
            targets.extend(disturbance.target().map(|t| (t, i)));
        }
        targets.sort_by_key(|(t, _)| t.message);
        let mut new = Self {
            window,
            most: most as usize,
            usual: scenario.paths.iter().position(|p| p.name == USUAL).unwrap_or(0),
            durations: Durations {
                end: micros(setup.duration),
                hop: micros(setup.prop).saturating_add(micros(setup.proc)),
                line_error: micros(setup.line_error_timeout),
                host: micros(setup.host),
                gap: micros(setup.gap),
                all: micros(setup.all),
                retx: micros(setup.retx),
            },
            clock: Clock::new(),
            source: Source::new(setup.window, total),
            open: setup.window,
            pauses: 0,
            destination: Destination::new(setup.scheme, setup.reject_until, 1, setup.buffers),
            host_is_busy: false,
            lines: Lines::new(scenario),
            packets: Vec::new(),
            unused: Vec::new(),
            targets,
            hit: vec![false; scenario.disturbances.len()],
            random: Pcg64Mcg::seed_from_u64(setup.seed as u64),
            rows: Vec::new(),
            retransmitted: Vec::new(),
            log: log.then(Vec::new),
            is_cut: false,
            scenario: scenario.clone(),
        };
        new.begin();
        Ok(new)
    }

    /// Does up to `budget` things. Whether the run is over.
    pub fn step(&mut self, budget: usize) -> bool {
        for _ in 0..budget {
            if self.is_full() {
                return true;
            }
            let Some(timer) = self.clock.next(self.durations.end) else { return true };
            self.happen(timer);
        }
        false
    }

    /// Whether it has as many messages as are kept, and goes no further.
    fn is_full(&self) -> bool {
        self.rows.len() == self.most
    }

    /// How far the run is, of its duration: from 0 to 1.
    pub fn progress(&self) -> f64 {
        self.clock.now() as f64 / self.durations.end.max(1) as f64
    }

    /// How many messages have been sent.
    pub fn messages(&self) -> usize {
        self.rows.len()
    }

    /// The destination now.
    pub fn destination(&self) -> &Destination {
        &self.destination
    }

    /// What has come of it so far.
    pub fn finish(self) -> Run {
        let is_full = self.is_full();
        let window = if is_full { self.window.until(self.clock.now()) } else { self.window };
        let (from, to) = window.micros();
        let is_message = |p: &Packet| p.pdu == Pdu::Msg;
        let idle = (0..self.hit.len()).filter(|i| !self.hit[*i]).collect();
        let unused_messages = self.unused.iter().filter(|i| is_message(&self.packets[**i as usize])).count();
        let mut run = Run {
            under_way: self.packets.iter().filter(|p| is_message(p)).count() - unused_messages,
            lines: self.lines.uses(&self.scenario.paths, to - from),
            is_cut: self.is_cut || is_full,
            rows: self.rows,
            retransmitted: self.retransmitted,
            events: self.log.unwrap_or_default(),
            // Made of the run, below.
            statistics: Statistics::NONE,
            idle,
            destination: self.destination,
        };
        run.statistics = Statistics::of(&run, window, self.scenario.setup.message_bits);
        run
    }

    /// Puts what is known beforehand on the clock: pauses first, so that one from the start holds the
    /// first messages.
    fn begin(&mut self) {
        for (i, disturbance) in self.scenario.disturbances.iter().enumerate() {
            if let Disturbance::Pause { from_ms, to_ms } = disturbance {
                self.hit[i] = true;
                self.clock.at(micros(*from_ms), Timer::Pause);
                self.clock.at(micros(*to_ms), Timer::Resume);
            }
        }
        if self.is_always_ready() {
            self.clock.at(0, Timer::TurnRound);
        } else {
            self.announce(0);
        }
    }

    fn happen(&mut self, timer: Timer) {
        match timer {
            Timer::Queue(packet) => self.queue(packet),
            Timer::Sent { server, packet } => self.sent(server, packet),
            Timer::Arrived(packet) => self.arrived(packet),
            Timer::Host => self.host_takes(),
            Timer::All(message) => self.all_leaves(message),
            Timer::Again(message) => self.again(message),
            Timer::TurnRound => {
                self.open = self.source.base().saturating_add(self.scenario.setup.window);
                self.send();
            }
            Timer::Ready(message) => {
                self.announce(message + 1);
                self.send();
            }
            Timer::Pause => self.pauses += 1,
            Timer::Resume => {
                self.pauses -= 1;
                self.send();
            }
        }
    }

    fn is_always_ready(&self) -> bool {
        self.scenario.input.is_none() && self.scenario.setup.input_every == 0.0
    }

    /// When a message is ready; `None`: there is no such message.
    fn ready(&self, message: u32) -> Option<Micros> {
        match &self.scenario.input {
            Some(times) => times.get(message as usize).map(|t| micros(*t)),
            None => Some(micros(f64::from(message) * self.scenario.setup.input_every)),
        }
    }

    fn announce(&mut self, message: u32) {
        if let Some(at) = self.ready(message).filter(|at| *at < self.durations.end) {
            self.clock.at(at, Timer::Ready(message));
        }
    }

    /// Sends new messages as far as the window allows and they are ready.
    fn send(&mut self) {
        while self.pauses == 0
            && self.source.next() < self.open
            && (self.is_always_ready()
                || self.ready(self.source.next()).is_some_and(|t| t <= self.clock.now()))
            && let Some(message) = self.source.send()
        {
            let first_sent = self.clock.now();
            self.rows.push(Row { first_sent, taken: None, rfnm: None, sendings: 1, alls: 0 });
            self.launch(Pdu::Msg, message, 0);
        }
    }

    /// "the source IMPs keep a copy of all single-packet messages for which a RFNM has not yet been
    /// received" (page 6): it is sent again at once.
    fn again(&mut self, message: u32) {
        if !self.source.has_copy(message) {
            return;
        }
        let row = &mut self.rows[message as usize];
        let attempt = row.sendings;
        row.sendings += 1;
        self.retransmitted.push(message);
        self.launch(Pdu::Msg, message, attempt);
    }

    fn all_leaves(&mut self, message: u32) {
        let row = &mut self.rows[message as usize];
        let attempt = row.alls;
        row.alls += 1;
        self.launch(Pdu::All, message, attempt);
    }

    /// Puts a PDU on its way.
    fn launch(&mut self, pdu: Pdu, message: u32, attempt: u32) {
        let (mut path, mut delay) = (self.usual, None::<Micros>);
        for i in self.hits(Target { message, kind: pdu, attempt }) {
            match &self.scenario.disturbances[i] {
                Disturbance::Route { path: name, .. } => {
                    path = self.scenario.paths.iter().position(|p| p.name == *name).unwrap_or(path);
                }
                Disturbance::Delay { ms, .. } => delay = Some(delay.unwrap_or(0).saturating_add(micros(*ms))),
                Disturbance::LineError { .. } | Disturbance::Pause { .. } => continue,
            }
            self.hit[i] = true;
        }
        let packet = Packet { pdu, message, attempt, path, hop: 0 };
        let id = if let Some(id) = self.unused.pop() {
            self.packets[id as usize] = packet;
            id
        } else {
            self.packets.push(packet);
            self.packets.len() as PacketId - 1
        };
        let from = if pdu == Pdu::Msg { Site::Source } else { Site::Destination };
        self.note(from, packet, Word::Sent, None);
        match delay {
            None => self.queue(id),
            Some(delay) => self.clock.after(delay, Timer::Queue(id)),
        }
    }

    /// The disturbances of one sending of one PDU, by their place in the scenario.
    fn hits(&self, target: Target) -> Vec<usize> {
        if self.targets.is_empty() {
            return Vec::new();
        }
        let first = self.targets.partition_point(|(t, _)| t.message < target.message);
        let same = self.targets[first..].iter().take_while(|(t, _)| t.message == target.message);
        same.filter(|(t, _)| *t == target).map(|(_, i)| *i).collect()
    }

    fn queue(&mut self, id: PacketId) {
        let Packet { pdu, path, hop, .. } = self.packets[id as usize];
        let server = self.lines.server(path, hop, pdu);
        self.lines.enqueue(server, id, pdu);
        self.serve(server);
    }

    fn serve(&mut self, server: usize) {
        let now = self.clock.now();
        let (from, to) = self.window.micros();
        let counted = |time: Micros| now.saturating_add(time).min(to).saturating_sub(now.max(from));
        if let Some((packet, time)) = self.lines.begin(server, counted) {
            self.clock.after(time, Timer::Sent { server, packet });
        }
    }

    fn sent(&mut self, server: usize, id: PacketId) {
        self.lines.end(server);
        if self.is_hit(id) {
            self.clock.after(self.durations.line_error, Timer::Queue(id));
        } else {
            self.clock.after(self.durations.hop, Timer::Arrived(id));
        }
        self.serve(server);
    }

    /// Whether a line error hits the sending that has just ended.
    fn is_hit(&mut self, id: PacketId) -> bool {
        let Packet { pdu, message, attempt, hop, .. } = self.packets[id as usize];
        for i in self.hits(Target { message, kind: pdu, attempt }) {
            let here = matches!(&self.scenario.disturbances[i],
                Disturbance::LineError { hop: on, .. } if *on as usize == hop);
            if here && !self.hit[i] {
                self.hit[i] = true;
                return true;
            }
        }
        let rate = self.scenario.setup.error_rate;
        pdu == Pdu::Msg && rate > 0.0 && {
            let unit = (self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            unit < rate
        }
    }

    fn arrived(&mut self, id: PacketId) {
        let packet = &mut self.packets[id as usize];
        packet.hop += 1;
        let packet = *packet;
        if packet.hop < self.lines.hops(packet.path) {
            self.queue(id);
            return;
        }
        self.unused.push(id);
        match packet.pdu {
            Pdu::Msg => self.message_arrives(packet),
            Pdu::Rfnm => {
                self.note(Site::Source, packet, Word::Arrived, None);
                self.source.rfnm(packet.message);
                self.rows[packet.message as usize].rfnm = Some(self.clock.now());
                self.clock.after(self.durations.gap, Timer::TurnRound);
            }
            Pdu::All => {
                self.note(Site::Source, packet, Word::Arrived, None);
                match self.durations.retx {
                    0 => self.again(packet.message),
                    retx => self.clock.after(retx, Timer::Again(packet.message)),
                }
            }
        }
    }

    fn message_arrives(&mut self, packet: Packet) {
        let arrival = self.destination.arrive(Message { source: 0, number: packet.message });
        self.note(Site::Destination, packet, Word::Arrived, Some(arrival.disposition));
        if let Some(deleted) = arrival.deleted {
            let deleted = Packet { message: deleted.number, attempt: 0, ..packet };
            self.note(Site::Destination, deleted, Word::Deleted, None);
        }
        self.serve_host();
        self.grant();
    }

    fn serve_host(&mut self) {
        if !self.host_is_busy && self.destination.host_queue().len() > 0 {
            self.host_is_busy = true;
            self.clock.after(self.durations.host, Timer::Host);
        }
    }

    fn host_takes(&mut self) {
        self.host_is_busy = false;
        let Some(Message { number, .. }) = self.destination.host_takes() else { return };
        self.rows[number as usize].taken = Some(self.clock.now());
        self.launch(Pdu::Rfnm, number, 0);
        self.grant();
        self.serve_host();
    }

    fn grant(&mut self) {
        while let Some(message) = self.destination.grant() {
            self.clock.after(self.durations.all, Timer::All(message.number));
        }
    }

    fn note(&mut self, site: Site, packet: Packet, word: Word, disposition: Option<Disposition>) {
        let Some(log) = &mut self.log else { return };
        if log.len() == MOST_EVENTS {
            self.is_cut = true;
            return;
        }
        let Packet { pdu, message, attempt, .. } = packet;
        let again = pdu == Pdu::Msg && attempt > 0;
        log.push(Event { at: self.clock.now(), site, pdu, message, word, disposition, again });
    }
}

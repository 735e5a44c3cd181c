//! One thing that goes otherwise than usual, as a document writes it and a form shows it: what happens, and
//! the settings of that.

use super::read::TYPES;
use super::scenario::{Disturbance, MOST_LINES, Path, Target, USUAL};
use super::setup::time;
use super::simulation::MOST_MESSAGES;
use crate::imp::Pdu;
use crate::imp::scheme::count;
use crate::params::{self, Kind, Settings, Spec};
use crate::tree::{Entry, Refusal, Value};

const TYPE: Spec = Spec::new(
    ("type", "", "what happens", "Another path, a line error, a delay, or a pause of the source."),
    Kind::Choice(&["route", "line-error", "delay", "pause"]),
);
const MESSAGE: Spec = Spec::new(
    ("message", "", "message", "The number of the message, from 0."),
    Kind::Number(count(0.0, MOST_MESSAGES as f64 - 1.0, (0.0, 100.0))),
);
const KIND: Spec =
    Spec::new(("kind", "", "of it", "The message itself, its RFNM or its ALL."), Kind::Choice(Pdu::NAMES));
const ATTEMPT: Spec = Spec::new(
    ("attempt", "", "sending", "0: the first sending; 1: the first time it is sent again."),
    Kind::Number(count(0.0, 1000.0, (0.0, 3.0))),
);
const HOP: Spec = Spec::new(
    ("hop", "", "hop", "Which line it is hit on, from 0, along the path as travelled."),
    Kind::Number(count(0.0, MOST_LINES as f64 - 1.0, (0.0, 3.0))),
);
const MS: Spec = Spec::new(
    ("ms", "", "held up", "How long it is held up before its first line."),
    Kind::Number(time(1e8, 1000.0, 1.0)),
);
const FROM: Spec = Spec::new(
    ("from-ms", "", "from", "When the source stops sending new messages."),
    Kind::Number(time(1e8, 10_000.0, 10.0)),
);
const TO: Spec =
    Spec::new(("to-ms", "", "until", "When it goes on."), Kind::Number(time(1e8, 10_000.0, 10.0)));

/// The names of paths that can be chosen between; a path of another name is given in the source.
const NAMES: &[&str] = &["A", "B", "C", "D", "E", "F"];

/// The choice between so many paths.
static PATHS: [Spec; NAMES.len() + 1] =
    [paths(0), paths(1), paths(2), paths(3), paths(4), paths(5), paths(6)];

const fn paths(many: usize) -> Spec {
    Spec::new(("path", "", "path", "Which path it takes."), Kind::Choice(NAMES.split_at(many).0))
}

/// What happens, with a value for every setting of every type, so that none is lost while a reader tries
/// another type.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Happening {
    /// The row of [`TYPES`].
    of: usize,
    target: Target,
    path: String,
    hop: u32,
    ms: f64,
    from: f64,
    to: f64,
    /// How many paths a reader can choose between.
    choices: usize,
}

impl Happening {
    /// What a reader begins with: the overtaking of 1 April 1974.
    pub(super) fn first(paths: &[Path]) -> Self {
        let named = paths.iter().zip(NAMES).all(|(path, name)| path.name == *name);
        let choices = if named && paths.len() <= NAMES.len() { paths.len() } else { 0 };
        let path = paths.iter().find(|p| p.name != USUAL).map_or(USUAL, |p| p.name.as_str()).to_owned();
        let target = Target { message: 21, kind: Pdu::Msg, attempt: 0 };
        Self { of: 0, target, path, hop: 0, ms: 400.0, from: 3000.0, to: 3400.0, choices }
    }

    pub(super) fn new(disturbance: &Disturbance, paths: &[Path]) -> Self {
        let mut one = Self::first(paths);
        one.target = disturbance.target().unwrap_or(one.target);
        match disturbance {
            Disturbance::Route { path, .. } => (one.of, one.path) = (0, path.clone()),
            Disturbance::LineError { hop, .. } => (one.of, one.hop) = (1, *hop),
            Disturbance::Delay { ms, .. } => (one.of, one.ms) = (2, *ms),
            Disturbance::Pause { from_ms, to_ms } => (one.of, one.from, one.to) = (3, *from_ms, *to_ms),
        }
        one
    }

    /// One of a row of [`TYPES`], to be read.
    pub(super) fn of_type(of: usize) -> Self {
        Self { of, ..Self::first(&[]) }
    }

    /// Takes a key of a document's table over.
    pub(super) fn read(&mut self, entry: &Entry) -> Result<(), Refusal> {
        if entry.key == "path" {
            entry.text()?.clone_into(&mut self.path);
            return Ok(());
        }
        let spec = spec(&entry.key);
        let refuse = |message: String, param| Refusal { range: entry.range.clone(), message, param };
        let text = entry.scalar().ok_or_else(|| refuse(format!("{} takes one value", spec.name), None))?;
        let value = spec.parse(text).map_err(|e| refuse(e.to_string(), Some(e)))?;
        self.set(spec.name, value);
        Ok(())
    }

    pub(super) fn disturbance(self) -> Disturbance {
        let Self { target, path, hop, ms, from, to, .. } = self;
        match self.of {
            0 => Disturbance::Route { target, path },
            1 => Disturbance::LineError { target, hop },
            2 => Disturbance::Delay { target, ms },
            _ => Disturbance::Pause { from_ms: from, to_ms: to },
        }
    }

    /// The same of the next message.
    pub(super) fn next(&self) -> Self {
        let mut one = self.clone();
        one.target.message = (one.target.message + 1).min(MOST_MESSAGES - 1);
        one
    }

    /// `MSG 21 over B`
    pub(super) fn gloss(&self) -> String {
        let Target { message, kind, .. } = self.target;
        let of = format!("{} {message}", kind.name());
        match self.of {
            0 => format!("{of} over {}", self.path),
            1 => format!("{of}, line error"),
            2 => format!("{of} held up {} ms", self.ms),
            _ => format!("pause from {} to {} ms", self.from, self.to),
        }
    }

    /// As a document writes it: what is needed, and of the rest what is not as usual.
    pub(super) fn table(&self) -> Vec<(&'static str, Value)> {
        let (_, needed, more) = TYPES[self.of];
        let usual = Target { message: self.target.message, kind: Pdu::Msg, attempt: 0 };
        let usual = Self { target: usual, hop: 0, ..self.clone() };
        let more = more.iter().filter(|name| self.text(name) != usual.text(name));
        let names = ["type"].into_iter().chain(needed.iter().chain(more).copied());
        names.map(|name| (name, self.text(name))).collect()
    }

    fn text(&self, name: &str) -> Value {
        match self.value_of(name) {
            _ if name == "path" => Value::Text(self.path.clone()),
            params::Value::Choice(word) => Value::Text(word.to_owned()),
            params::Value::Number(n) => Value::Bare(n.to_string()),
            params::Value::Flag(b) => Value::Bare(b.to_string()),
        }
    }

    fn value_of(&self, name: &str) -> params::Value {
        let of = |n: u32| params::Value::Number(f64::from(n));
        match name {
            "type" => params::Value::Choice(TYPES[self.of].0),
            "message" => of(self.target.message),
            "kind" => params::Value::Choice(self.target.kind.name()),
            "attempt" => of(self.target.attempt),
            "path" => params::Value::Choice(NAMES.iter().find(|n| **n == self.path).copied().unwrap_or("")),
            "hop" => of(self.hop),
            "ms" => params::Value::Number(self.ms),
            "from-ms" => params::Value::Number(self.from),
            _ => params::Value::Number(self.to),
        }
    }

    fn set(&mut self, name: &str, value: params::Value) {
        match (name, value) {
            ("type", params::Value::Choice(w)) => {
                self.of = TYPES.iter().position(|(name, ..)| *name == w).unwrap_or(self.of);
            }
            ("kind", params::Value::Choice(w)) => {
                let all = [Pdu::Msg, Pdu::Rfnm, Pdu::All];
                self.target.kind = all.into_iter().find(|p| p.name() == w).unwrap_or(self.target.kind);
            }
            ("path", params::Value::Choice(w)) => w.clone_into(&mut self.path),
            ("message", params::Value::Number(n)) => self.target.message = n as u32,
            ("attempt", params::Value::Number(n)) => self.target.attempt = n as u32,
            ("hop", params::Value::Number(n)) => self.hop = n as u32,
            ("ms", params::Value::Number(n)) => self.ms = n,
            ("from-ms", params::Value::Number(n)) => self.from = n,
            ("to-ms", params::Value::Number(n)) => self.to = n,
            _ => {}
        }
    }

    /// The settings of the type, by name.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let (_, needed, more) = TYPES[self.of];
        let can_choose = self.choices > 1;
        let all = needed.iter().chain(more).copied();
        ["type"].into_iter().chain(all.filter(move |name| *name != "path" || can_choose))
    }

    fn name(&self, row: usize) -> &'static str {
        self.names().nth(row).unwrap_or("type")
    }
}

impl Settings for Happening {
    fn len(&self) -> usize {
        self.names().count()
    }

    fn spec(&self, row: usize) -> &'static Spec {
        match self.name(row) {
            "path" => &PATHS[self.choices],
            name => spec(name),
        }
    }

    fn value(&self, row: usize) -> params::Value {
        self.value_of(self.name(row))
    }

    fn default_value(&self, row: usize) -> params::Value {
        let first = Self::of_type(self.of);
        match self.name(row) {
            "path" => self.value(row),
            name => first.value_of(name),
        }
    }

    fn put(&mut self, row: usize, value: params::Value) {
        self.set(self.name(row), value);
    }

    fn erased(&mut self) -> &mut dyn Settings {
        self
    }
}

fn spec(name: &str) -> &'static Spec {
    match name {
        "message" => &MESSAGE,
        "kind" => &KIND,
        "attempt" => &ATTEMPT,
        "hop" => &HOP,
        "ms" => &MS,
        "from-ms" => &FROM,
        "to-ms" => &TO,
        _ => &TYPE,
    }
}

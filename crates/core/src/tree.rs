//! Values as a document writes them, with the place of every part: what settings are read from that
//! are more than one number each, such as a list of events.
//!
//! A document's text is taken apart elsewhere; here are the parts, and how one is read.

use crate::params::{self, ParamError, Settings, Spec};
use crate::report::Words;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// A key and what it is set to. Places are bytes of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub key: String,
    pub key_range: Range<usize>,
    /// Of the value; of the heading, where the value is a table with one.
    pub range: Range<usize>,
    pub value: Value,
    /// Written under a heading of its own, `[key]` or `[[key]]`.
    pub headed: bool,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub range: Range<usize>,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Text(String),
    /// A number or a flag, as it would be typed.
    Bare(String),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// A date, and what else a document may hold that no setting takes.
    Other,
}

impl Value {
    /// A string's content, a number or a flag as it would be typed.
    pub fn scalar(&self) -> Option<&str> {
        match self {
            Self::Text(s) | Self::Bare(s) => Some(s),
            Self::List(_) | Self::Table(_) | Self::Other => None,
        }
    }

    /// A string's content.
    pub fn string(&self) -> Option<&str> {
        match self {
            Self::Text(s) => Some(s),
            _ => None,
        }
    }
}

impl Entry {
    pub fn scalar(&self) -> Option<&str> {
        self.value.scalar()
    }

    pub fn string(&self) -> Option<&str> {
        self.value.string()
    }

    /// Where in the text the bytes `part` of a string's content stand: the whole value where the
    /// content is written with escapes.
    pub fn within(&self, text: &str, part: Range<usize>) -> Range<usize> {
        match self.verbatim(text) {
            Some(start) => start + part.start..start + part.end,
            None => self.range.clone(),
        }
    }

    /// Where a string's content begins in the text, if it stands there letter for letter.
    pub fn verbatim(&self, text: &str) -> Option<usize> {
        let content = self.string()?;
        let raw = text.get(self.range.clone())?;
        let inner = raw.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
        (inner == content).then_some(self.range.start + 1)
    }

    /// The items of a list.
    pub fn list(&self) -> Result<&[Node], Refusal> {
        match &self.value {
            Value::List(items) => Ok(items),
            _ => Err(Refusal::new(&self.range, format!("{} takes a list, [ … ]", self.key))),
        }
    }

    /// The entries of a table.
    pub fn table(&self) -> Result<&[Self], Refusal> {
        match &self.value {
            Value::Table(entries) => Ok(entries),
            _ => Err(Refusal::new(&self.range, format!("{} takes a table, {{ … }}", self.key))),
        }
    }

    pub fn number(&self, spec: &Spec) -> Result<f64, Refusal> {
        number(&self.value, &self.range, spec)
    }

    pub fn text(&self) -> Result<&str, Refusal> {
        self.string().ok_or_else(|| Refusal::new(&self.range, format!("{} must be text in quotes", self.key)))
    }
}

impl Node {
    pub fn number(&self, spec: &Spec) -> Result<f64, Refusal> {
        number(&self.value, &self.range, spec)
    }

    pub fn refuse(&self, message: impl fmt::Display) -> Refusal {
        Refusal::new(&self.range, message.to_string())
    }
}

fn number(value: &Value, range: &Range<usize>, spec: &Spec) -> Result<f64, Refusal> {
    let Some(text) = value.scalar() else {
        return Err(Refusal::new(range, format!("{} takes one number", spec.name)));
    };
    match spec.parse(text) {
        Ok(params::Value::Number(n)) => Ok(n),
        Ok(_) => Err(Refusal::new(range, format!("{} takes a number", spec.name))),
        Err(e) => Err(Refusal { range: range.clone(), message: e.to_string(), param: Some(e) }),
    }
}

/// A part that was not taken: where it stands, and what would have been.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    pub range: Range<usize>,
    pub message: String,
    /// Where it is a single value that a table refused.
    pub param: Option<ParamError>,
}

impl Refusal {
    pub fn new(range: &Range<usize>, message: String) -> Self {
        Self { range: range.clone(), message, param: None }
    }
}

/// A key whose list says of each of many things whether something happens to it, or how much:
/// `overtakes = [1, 5]`, `held-up = [[4, 2]]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marking {
    pub key: &'static str,
    /// Two or three words.
    pub gloss: &'static str,
    /// One sentence.
    pub help: &'static str,
    /// The things it can say something of, first and last; what is marked beyond the last stays as it
    /// is.
    pub things: (u32, u32),
    /// The most it says of one; 1 where it says only yes or no.
    pub most: u32,
}

/// Settings in a table, and beside them some that are lists or tables themselves.
pub trait Keyed {
    fn settings(&self) -> &dyn Settings;
    fn settings_mut(&mut self) -> &mut dyn Settings;

    /// The keys that are not in the table, in the order they are written.
    fn keys(&self) -> &'static [&'static str] {
        &[]
    }

    /// Those of them that mark things one by one.
    fn markings(&self) -> &'static [Marking] {
        &[]
    }

    /// What a thing is called.
    fn thing(&self, thing: u32) -> String {
        thing.to_string()
    }

    /// How much a key says of a thing; 0: nothing.
    fn mark(&self, _key: &str, _thing: u32) -> u32 {
        0
    }

    /// The key's list with a thing marked so, as a document writes it. `None`: it is empty.
    fn marked(&self, _key: &str, _thing: u32, _mark: u32) -> Option<String> {
        None
    }

    /// Sets one of them. What is refused changes nothing.
    fn set(&mut self, entry: &Entry) -> Result<(), Vec<Refusal>> {
        Err(vec![Refusal::new(&entry.key_range, format!("{} is not a key here", entry.key))])
    }
}

/// Settings that may contradict each other.
pub trait Fits: Keyed {
    /// Whether all settings fit each other. May run what is set.
    fn check(&self) -> Result<(), Misfit>;
}

/// Settings that do not fit each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misfit {
    /// The key at fault.
    pub key: Words,
    /// Which item of its list, from 0; `None` where it is not one item's fault.
    pub item: Option<usize>,
    pub message: String,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misfit {}

/// Reads every item of a list, or tells of each that is refused.
pub fn each<T>(
    items: &[Node],
    mut read: impl FnMut(&Node) -> Result<T, Refusal>,
) -> Result<Vec<T>, Vec<Refusal>> {
    let (mut read_ones, mut refused) = (Vec::with_capacity(items.len()), Vec::new());
    for item in items {
        match read(item) {
            Ok(one) => read_ones.push(one),
            Err(e) => refused.push(e),
        }
    }
    if refused.is_empty() { Ok(read_ones) } else { Err(refused) }
}

//! A sequence scenario: parameters, items, disturbances; and its keys that are lists.
//!
//! ```toml
//! arrivals = ["dst MSG 1", "dst MSG 0"]   # what arrives in which order
//! rounds = 4                              # then the run goes on by itself, where
//! overtakes = [5]                         # these arrive before their predecessors,
//! line-errors = [7]                       # these a round late,
//! held-up = [[9, 3]]                      # and these so many rounds late
//! ```

use super::{Disturbances, ENDLESS, Impossible, Item, MOST_ITEMS, Run, Setup, run};
use crate::imp::scheme::count;
use crate::imp::{Relative, Scheme};
use crate::params::{Kind, Settings, Spec};
use crate::tree::{Entry, Fits, Keyed, Marking, Misfit, Node, Refusal, Value, each};

/// All that a sequence run needs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scenario {
    pub setup: Setup,
    pub items: Vec<Item>,
    pub disturbances: Disturbances,
}

impl Scenario {
    pub fn run(&self) -> Result<Run, Impossible> {
        run(&self.setup, &self.items, &self.disturbances)
    }

    /// The same under another scheme. What follows from the items may differ, so that one of them may
    /// be impossible.
    #[must_use]
    pub fn under(&self, scheme: Scheme) -> Self {
        Self { setup: Setup { scheme, ..self.setup.clone() }, ..self.clone() }
    }
}

impl Keyed for Scenario {
    fn settings(&self) -> &dyn Settings {
        &self.setup
    }

    fn settings_mut(&mut self) -> &mut dyn Settings {
        &mut self.setup
    }

    fn keys(&self) -> &'static [&'static str] {
        &["arrivals", "overtakes", "line-errors", "held-up"]
    }

    fn markings(&self) -> &'static [Marking] {
        &MARKINGS
    }

    /// `i+1`
    fn thing(&self, thing: u32) -> String {
        Relative(thing).to_string()
    }

    fn mark(&self, key: &str, thing: u32) -> u32 {
        self.disturbances.marks(key).iter().filter(|(n, _)| *n == thing).map(|(_, mark)| mark).sum()
    }

    fn marked(&self, key: &str, thing: u32, mark: u32) -> Option<String> {
        let mut marks = self.disturbances.marks(key);
        marks.retain(|(n, _)| *n != thing);
        let at = marks.partition_point(|(n, _)| *n < thing);
        if mark > 0 {
            marks.insert(at, (thing, mark));
        }
        let item = |(n, mark): &(u32, u32)| match key {
            "held-up" => format!("[{n}, {mark}]"),
            _ => n.to_string(),
        };
        let items: Vec<String> = marks.iter().map(item).collect();
        (!items.is_empty()).then(|| format!("[{}]", items.join(", ")))
    }

    fn set(&mut self, entry: &Entry) -> Result<(), Vec<Refusal>> {
        let items = entry.list().map_err(|e| vec![e])?;
        if items.len() > MOST_ITEMS {
            let message = format!("{} takes {MOST_ITEMS} items at most, not {}", entry.key, items.len());
            return Err(vec![Refusal::new(&entry.range, message)]);
        }
        match entry.key.as_str() {
            "arrivals" => self.items = each(items, item)?,
            "overtakes" => self.disturbances.overtakes = each(items, |n| message(n, 1))?,
            "line-errors" => self.disturbances.line_errors = each(items, |n| message(n, 0))?,
            _ => self.disturbances.held_up = each(items, pair)?,
        }
        Ok(())
    }
}

/// Messages a page offers to disturb: up to i+11.
const LAST: u32 = 11;

const MARKINGS: [Marking; 3] = [
    Marking {
        key: "overtakes",
        gloss: "overtakes",
        help: "Arrives just before its predecessor.",
        things: (1, LAST),
        most: 1,
    },
    Marking {
        key: "line-errors",
        gloss: "line error",
        help: "Is hit by a line error, and arrives a round later.",
        things: (0, LAST),
        most: 1,
    },
    Marking {
        key: "held-up",
        gloss: "held up",
        help: "Arrives so many rounds later.",
        things: (0, LAST),
        most: 3,
    },
];

impl Disturbances {
    /// What a key says of messages: each with its rounds, or with 1.
    fn marks(&self, key: &str) -> Vec<(u32, u32)> {
        match key {
            "overtakes" => self.overtakes.iter().map(|n| (*n, 1)).collect(),
            "line-errors" => self.line_errors.iter().map(|n| (*n, 1)).collect(),
            _ => self.held_up.clone(),
        }
    }
}

impl Fits for Scenario {
    fn check(&self) -> Result<(), Misfit> {
        let misfit = |e: &Impossible, under: &str| Misfit {
            key: "arrivals".into(),
            item: Some(e.step - 1),
            message: format!("{under}{e}"),
        };
        self.run().map_err(|e| misfit(&e, ""))?;
        if let Some(scheme) = self.setup.beside {
            self.under(scheme).run().map_err(|e| misfit(&e, &format!("under {}: ", scheme.name())))?;
        }
        Ok(())
    }
}

fn item(node: &Node) -> Result<Item, Refusal> {
    let text = node.value.string().ok_or_else(|| node.refuse("an item must be text in quotes"))?;
    text.parse().map_err(|e| node.refuse(e))
}

/// A message's number, from `least` on.
fn message(node: &Node, least: u32) -> Result<u32, Refusal> {
    Ok(node.number(&whole("a message", f64::from(least), f64::from(ENDLESS)))? as u32)
}

fn pair(node: &Node) -> Result<(u32, u32), Refusal> {
    match &node.value {
        Value::List(two) => match two.as_slice() {
            [number, rounds] => {
                Ok((message(number, 0)?, rounds.number(&whole("rounds", 0.0, 100.0))? as u32))
            }
            _ => Err(node.refuse("a message and how many rounds it is late, [4, 2]")),
        },
        _ => Err(node.refuse("a message and how many rounds it is late, [4, 2]")),
    }
}

const fn whole(name: &'static str, min: f64, max: f64) -> Spec {
    Spec::new((name, "", "", ""), Kind::Number(count(min, max, (0.0, 20.0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_marked_one_by_one() {
        let disturbances =
            Disturbances { overtakes: vec![5], line_errors: Vec::new(), held_up: vec![(4, 2)] };
        let s = Scenario { disturbances, ..Scenario::default() };
        let check = |key, thing, mark, expected: Option<&str>| {
            assert_eq!(s.marked(key, thing, mark).as_deref(), expected, "{key} {thing} {mark}");
        };
        check("overtakes", 1, 1, Some("[1, 5]"));
        check("overtakes", 5, 0, None);
        check("line-errors", 3, 1, Some("[3]"));
        check("held-up", 4, 3, Some("[[4, 3]]"));
        check("held-up", 9, 1, Some("[[4, 2], [9, 1]]"));
        assert_eq!((s.mark("held-up", 4), s.mark("held-up", 5), s.thing(4).as_str()), (2, 0, "i+4"));
    }
}

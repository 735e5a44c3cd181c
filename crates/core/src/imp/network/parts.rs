//! What a reader adds, changes and removes one by one: the lines of each path, and what disturbs the flow.

use super::happening::Happening;
use super::scenario::{MOST_LINES, Path, Scenario};
use super::setup::RATE;
use crate::params::{Settings, Spec, Value};
use crate::parts::{self, Change, Parts, Refused, Written};

impl Scenario {
    /// The lines of each path, then what disturbs the flow.
    pub fn changeable(&self) -> Vec<Box<dyn Parts + '_>> {
        let lines = |path: &Path| {
            path.rates.iter().enumerate().map(|(i, rate)| Line::new(*rate, &path.name, i)).collect()
        };
        let happening = self.disturbances.iter().map(|d| Happening::new(d, &self.paths)).collect();
        let mut all: Vec<Box<dyn Parts + '_>> = Vec::new();
        for path in &self.paths {
            all.push(Box::new(Lines { paths: &self.paths, name: &path.name, all: lines(path) }));
        }
        all.push(Box::new(Happenings { paths: &self.paths, happening }));
        all
    }
}

/// A line of a path, kbs.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    rate: f64,
    /// What it was in 1974.
    usual: f64,
}

impl Line {
    /// The line at this place of a path; beyond the paths of 1974 a usual one of the ARPANET.
    fn new(rate: f64, path: &str, place: usize) -> Self {
        let paths = Scenario::default().paths;
        let usual = paths.iter().find(|p| p.name == path).and_then(|p| p.rates.get(place)).copied();
        Self { rate, usual: usual.unwrap_or(50.0) }
    }
}

const LINE: Spec = Spec { name: "rate", ..RATE };

impl Settings for Line {
    fn len(&self) -> usize {
        1
    }

    fn spec(&self, _row: usize) -> &'static Spec {
        &LINE
    }

    fn value(&self, _row: usize) -> Value {
        Value::Number(self.rate)
    }

    fn default_value(&self, _row: usize) -> Value {
        Value::Number(self.usual)
    }

    fn put(&mut self, _row: usize, value: Value) {
        if let Value::Number(rate) = value {
            self.rate = rate;
        }
    }

    fn erased(&mut self) -> &mut dyn Settings {
        self
    }
}

/// The lines of one path.
struct Lines<'a> {
    paths: &'a [Path],
    name: &'a str,
    all: Vec<Line>,
}

impl Parts for Lines<'_> {
    fn key(&self) -> &'static str {
        "paths"
    }

    fn list(&self) -> &str {
        self.name
    }

    fn title(&self) -> String {
        format!("path {}", self.name)
    }

    fn one(&self) -> &'static str {
        "line"
    }

    fn count(&self) -> (usize, usize) {
        (1, MOST_LINES)
    }

    fn part(&self, index: usize) -> Option<&dyn Settings> {
        self.all.get(index).map(|l| l as &dyn Settings)
    }

    fn gloss(&self, index: usize) -> String {
        self.all.get(index).map_or_else(String::new, |l| l.rate.to_string())
    }

    fn changed(&self, change: Change<'_>) -> Result<Written, Refused> {
        let mut lines = self.all.clone();
        let more = |last: Option<&Line>| Line::new(last.map_or(50.0, |l| l.rate), self.name, self.all.len());
        parts::change(&mut lines, change, self.count(), more)?;
        let items: Vec<String> = lines.iter().map(|l| l.rate.to_string()).collect();
        let path = |path: &Path| {
            let rates: Vec<String> = path.rates.iter().map(f64::to_string).collect();
            let rates = if path.name == self.name { &items } else { &rates };
            format!("{} = [{}]", path.name, rates.join(", "))
        };
        let table: Vec<String> = self.paths.iter().map(path).collect();
        Ok(Written::Numbers { items, table: format!("{{ {} }}", table.join(", ")) })
    }
}

/// What disturbs the flow.
struct Happenings<'a> {
    paths: &'a [Path],
    happening: Vec<Happening>,
}

/// More than a form can show.
const MOST: usize = 1000;

impl Parts for Happenings<'_> {
    fn key(&self) -> &'static str {
        "event"
    }

    fn one(&self) -> &'static str {
        "event"
    }

    fn count(&self) -> (usize, usize) {
        (0, MOST)
    }

    fn part(&self, index: usize) -> Option<&dyn Settings> {
        self.happening.get(index).map(|h| h as &dyn Settings)
    }

    fn gloss(&self, index: usize) -> String {
        self.happening.get(index).map_or_else(String::new, Happening::gloss)
    }

    fn changed(&self, change: Change<'_>) -> Result<Written, Refused> {
        let mut all = self.happening.clone();
        let more =
            |last: Option<&Happening>| last.map_or_else(|| Happening::first(self.paths), Happening::next);
        parts::change(&mut all, change, self.count(), more)?;
        Ok(Written::Tables(all.iter().map(Happening::table).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imp::network::Disturbance;

    /// What the last list says after each change, one part a line.
    fn check(scenario: &Scenario, change: Change<'_>, expected: &str) {
        let parts = scenario.changeable();
        let said = match parts.last().unwrap().changed(change) {
            Ok(Written::Tables(tables)) => {
                let pair = |(name, value): &(&str, crate::tree::Value)| {
                    format!("{name} {}", value.scalar().unwrap_or_default())
                };
                let table = |t: &Vec<_>| t.iter().map(pair).collect::<Vec<_>>().join(", ");
                tables.iter().map(table).collect::<Vec<_>>().join("; ")
            }
            Ok(other) => format!("{other:?}"),
            Err(e) => e.to_string(),
        };
        assert_eq!(said, expected);
    }

    #[test]
    fn what_disturbs_is_added_changed_and_removed() {
        let none = Scenario::default();
        let one = Scenario::default().overtaking(21);
        let set = |name, text| Change::Set { part: 0, name, text };
        check(&none, Change::Add, "type route, message 21, path B");
        check(&one, Change::Add, "type route, message 21, path B; type route, message 22, path B");
        check(&one, set("attempt", "1"), "type route, message 21, path B, attempt 1");
        check(&one, set("path", "A"), "type route, message 21, path A");
        check(&one, set("type", "line-error"), "type line-error, message 21");
        check(&one, set("type", "delay"), "type delay, message 21, ms 400");
        check(&one, set("type", "pause"), "type pause, from-ms 3000, to-ms 3400");
        check(&one, Change::Remove { part: 0 }, "");
        check(&one, Change::Remove { part: 1 }, "there is no part 2");
        check(&one, set("message", "-1"), "message must be from 0 to 9999999, not -1");
        check(&one, set("path", "C"), "path must be one of A, B, not \"C\"");
        check(
            &one,
            set("hop", "1"),
            "hop is not a parameter here; there are type, message, path, kind, attempt",
        );
    }

    #[test]
    fn a_path_of_another_name_is_kept() {
        let mut s = Scenario::default().overtaking(21);
        s.paths[1].name = "the long way".to_owned();
        s.disturbances = vec![Disturbance::Route {
            target: s.disturbances[0].target().unwrap(),
            path: "the long way".to_owned(),
        }];
        check(
            &s,
            Change::Set { part: 0, name: "message", text: "3" },
            "type route, message 3, path the long way",
        );
        let parts = s.changeable();
        assert_eq!(parts[2].part(0).unwrap().find("path"), None);
        assert_eq!(parts[2].gloss(0), "MSG 21 over the long way");
    }

    #[test]
    fn the_lines_of_each_path_are_changed() {
        let scenario = Scenario::default();
        let parts = scenario.changeable();
        let of = |list: usize, change| match parts[list].changed(change) {
            Ok(Written::Numbers { items, table }) => format!("{} {table}", items.len()),
            Ok(other) => format!("{other:?}"),
            Err(e) => e.to_string(),
        };
        assert_eq!(of(0, Change::Add), "4 { A = [50, 50, 50, 50], B = [230.4, 230.4, 50] }");
        assert_eq!(of(1, Change::Remove { part: 2 }), "2 { A = [50, 50, 50], B = [230.4, 230.4] }");
        let set = |text| Change::Set { part: 1, name: "rate", text };
        assert_eq!(of(0, set("9.6")), "3 { A = [50, 9.6, 50], B = [230.4, 230.4, 50] }");
        assert_eq!(of(0, set("0")), "rate must be from 0.1 to 10000000 kbs, not 0");
        assert_eq!(parts[1].part(0).unwrap().default_value(0), Value::Number(230.4));
        assert_eq!((parts[0].title(), parts[1].gloss(0)), ("path A".to_owned(), "230.4".to_owned()));
    }
}

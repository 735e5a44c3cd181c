//! Sets and removes values in a cell's TOML, at their places.

use super::{Address, Edit, EditError, cell_of, newline, print_of, prints};
use crate::body::{self, Entry, line_around, quote};
use crate::cells::{Key, Kind, Takes};
use crate::document::{Cell, Document};
use crate::splice::Splice;
use netspurt_core::params::{ParamError, Problem, Spec, Value};
use netspurt_core::rto::slot::SlotProblem;
use netspurt_core::rto::{Rule, SlotError, parse_slot, rule};
use std::ops::Range;

/// Sets a parameter, a slot or a text from what a reader typed: `5/8`, `200ms`, `mills g=3`.
///
/// A value is checked first and written in its usual form. Only what differs from the default is
/// written: a parameter that comes to it again loses its word, and a key its line, unless a comment
/// stands there.
pub fn set(document: &Document, address: &Address, text: &str) -> Result<Edit, EditError> {
    let place = Place::find(document, address)?;
    let splice = match (&address.param, place.key.takes) {
        (Some(param), Takes::Slot) => place.slot_param(param, text)?,
        (Some(param), Takes::Parts) => place.set_part(param, text)?,
        (Some(_), _) => return Err(place.no_such_key(address)),
        (None, Takes::Slot) => {
            parse_slot(text).map_err(EditError::Slot)?;
            place.write(&place.quoted(text))
        }
        (None, Takes::Text | Takes::Trace) => place.write(&place.quoted(text)),
        (None, Takes::Param(spec)) => place.option(spec, text)?,
        (None, Takes::Parts) if is_one_value(text.trim()) => place.write(text.trim()),
        (None, Takes::Parts) => return Err(EditError::NotAValue { text: text.to_owned() }),
    };
    place.finish(splice)
}

/// Sets a key to TOML text such as `"mills"` or `2`, whatever it means: what is wrong with it is
/// told at the cell.
pub fn set_value(document: &Document, cell: &str, key: &str, toml: &str) -> Result<Edit, EditError> {
    let place = Place::find(document, &Address::key(cell, key))?;
    let toml = toml.trim();
    if !is_one_value(toml) {
        return Err(EditError::NotAValue { text: toml.to_owned() });
    }
    place.finish(place.write(toml))
}

/// Removes what [`set`] has written: a parameter's word, or a key with its line. What is not there
/// needs no removing.
pub fn unset(document: &Document, address: &Address) -> Result<Edit, EditError> {
    let place = Place::find(document, address)?;
    let splice = match (&address.param, place.key.takes) {
        (Some(param), Takes::Slot) => place.without_slot_param(param)?,
        (Some(_), _) => return Err(place.no_such_key(address)),
        (None, _) => place.without_line(),
    };
    place.finish(splice)
}

/// Whether a text is one TOML value and nothing else.
fn is_one_value(toml: &str) -> bool {
    let body = format!("k = {toml}");
    body::read(&body).is_ok_and(|e| matches!(e.as_slice(), [e] if e.key == "k" && e.range == (4..body.len())))
}

/// Where a key of a cell stands, or would.
pub(super) struct Place<'a> {
    pub(super) document: &'a Document,
    pub(super) cell: &'a Cell,
    kind: &'static Kind,
    pub(super) key: Key,
    pub(super) body: &'a str,
    entries: Vec<Entry>,
}

impl<'a> Place<'a> {
    pub(super) fn find(document: &'a Document, address: &Address) -> Result<Self, EditError> {
        let cell = cell_of(document, &address.cell)?;
        let kind = cell.kind.ok_or_else(|| EditError::NoSuchKind { word: cell.word.clone() })?;
        let Some(key) = kind.key(&address.key) else { return Err(no_such_key(kind, &address.key)) };
        let body = document.body(cell);
        let entries = body::read(body).map_err(|problems| {
            let first = problems.into_iter().next();
            EditError::Unreadable {
                cell: cell.id.clone(),
                line: document.line_at(cell.body.start + first.as_ref().map_or(0, |p| p.range.start)),
                message: first.map_or_else(String::new, |p| p.message),
            }
        })?;
        Ok(Self { document, cell, kind, key, body, entries })
    }

    pub(super) fn no_such_key(&self, address: &Address) -> EditError {
        let param = address.param.as_deref().unwrap_or_default();
        no_such_key(self.kind, &format!("{}.{param}", address.key))
    }

    pub(super) fn entry(&self) -> Option<&Entry> {
        self.entries.iter().find(|e| e.key == self.key.name)
    }

    /// The key's line, from its first letter to its end, in bytes of the body.
    fn lines(&self, entry: &Entry) -> Range<usize> {
        let start = line_around(self.body, entry.key_range.start).start;
        let end = line_around(self.body, entry.range.end).end;
        let next = self.body[end..].find('\n').map_or(self.body.len(), |i| end + i + 1);
        start..next
    }

    /// Puts TOML where the value stands, or a new line where the key belongs: after the last key
    /// that comes before it in the kind's table.
    pub(super) fn write(&self, toml: &str) -> Splice {
        if let Some(entry) = self.entry() {
            let same = self.body.get(entry.range.clone()) == Some(toml);
            return if same { nothing(entry) } else { Splice::new(entry.range.clone(), toml) };
        }
        let order: Vec<_> = self.kind.keys().iter().map(|k| k.name).collect();
        let rank = |name: &str| order.iter().position(|k| *k == name);
        let values = || self.entries.iter().filter(|e| !e.headed);
        let before = values().filter(|e| rank(&e.key) < rank(self.key.name)).max_by_key(|e| rank(&e.key));
        let at = match (before, self.entries.first()) {
            (Some(entry), _) => self.lines(entry).end,
            (None, Some(first)) => self.lines(first).start,
            (None, None) => self.body.len(),
        };
        let newline = newline(self.document.text());
        let lead = if at == 0 || self.body[..at].ends_with('\n') { "" } else { newline };
        Splice::insert(at, format!("{lead}{} = {toml}{newline}", self.key.name))
    }

    /// A string in the quotes the value has now, if it can stand in them.
    pub(super) fn quoted(&self, text: &str) -> String {
        let single = self.entry().and_then(|e| self.body.get(e.range.clone())).is_some_and(|raw| {
            raw.starts_with('\'')
                && !raw.starts_with("'''")
                && !text.contains(|c: char| c == '\'' || c.is_control())
        });
        if single { format!("'{text}'") } else { quote(text) }
    }

    fn option(&self, spec: &Spec, text: &str) -> Result<Splice, EditError> {
        let value = spec.parse(text).map_err(EditError::Param)?;
        if let Some(entry) = self.entry()
            && entry.scalar().is_some_and(|now| spec.parse(now) == Ok(value))
        {
            return Ok(nothing(entry));
        }
        if !spec.open && self.default(spec) == Some(value) {
            match self.entry() {
                None => return Ok(Splice::insert(0, "")),
                Some(entry) if self.is_alone(entry) => return Ok(self.without_line()),
                Some(_) => {}
            }
        }
        let printed = spec.print(value);
        let bare =
            body::read(&format!("k = {printed}")).is_ok_and(|e| e.iter().all(|e| e.string().is_none()));
        Ok(self.write(&if bare { printed } else { self.quoted(&printed) }))
    }

    /// A parameter's default. `None`: the cell cannot be read, or it is none of its own.
    fn default(&self, spec: &Spec) -> Option<Value> {
        let settings = self.cell.content.as_deref().ok()?.experiment()?.setup.settings();
        Some(settings.default_value(settings.find(spec.name)?))
    }

    /// Whether a value is all that stands on its line beside its key.
    fn is_alone(&self, entry: &Entry) -> bool {
        let line = self.lines(entry);
        let around = [line.start..entry.key_range.start, entry.range.end..line.end];
        around.into_iter().all(|part| self.body.get(part).is_some_and(|text| text.trim().is_empty()))
    }

    /// The slot's value and the estimator its first word names.
    fn slot(&self) -> Result<(&Entry, &str, Box<dyn Rule>), EditError> {
        let empty = || EditError::EmptySlot { cell: self.cell.id.clone(), slot: self.key.name.to_owned() };
        let entry = self.entry().ok_or_else(empty)?;
        let text = entry.string().ok_or_else(empty)?;
        let id = text.split_whitespace().next().ok_or_else(empty)?;
        let rule = rule(id).ok_or_else(|| {
            let start = text.find(id).unwrap_or(0);
            EditError::Slot(SlotError {
                span: start..start + id.len(),
                problem: SlotProblem::NoSuchEstimator { id: id.to_owned() },
            })
        })?;
        Ok((entry, text, rule))
    }

    fn slot_param(&self, name: &str, value: &str) -> Result<Splice, EditError> {
        let (entry, text, rule) = self.slot()?;
        let row = row(&*rule, name)?;
        let spec = rule.spec(row);
        let value = spec.parse(value).map_err(EditError::Param)?;
        let Some(word) = setting(text, name) else {
            if value == rule.default_value(row) {
                return Ok(nothing(entry));
            }
            let end = text.trim_end().len();
            return Ok(self.within(entry, text, end..end, &format!(" {name}={}", spec.print(value))));
        };
        let now = word.start + name.len() + 1..word.end;
        if spec.parse(&text[now.clone()]) == Ok(value) {
            return Ok(nothing(entry));
        }
        if value == rule.default_value(row) {
            return self.without_slot_param(name);
        }
        Ok(self.within(entry, text, now, &spec.print(value)))
    }

    fn without_slot_param(&self, name: &str) -> Result<Splice, EditError> {
        let (entry, text, rule) = self.slot()?;
        row(&*rule, name)?;
        let Some(word) = setting(text, name) else { return Ok(nothing(entry)) };
        let start = text[..word.start].trim_end().len();
        Ok(self.within(entry, text, start..word.end, ""))
    }

    /// Replaces a part of a string's content. If the content is written with escapes, the whole
    /// string is written anew.
    fn within(&self, entry: &Entry, content: &str, part: Range<usize>, new: &str) -> Splice {
        if entry.verbatim(self.body).is_some() {
            return Splice::new(entry.within(self.body, part), new);
        }
        let mut content = content.to_owned();
        content.replace_range(part, new);
        Splice::new(entry.range.clone(), quote(&content))
    }

    fn without_line(&self) -> Splice {
        self.entry().map_or_else(|| Splice::insert(0, ""), |entry| Splice::delete(self.lines(entry)))
    }

    /// Makes the change, given in bytes of the body, if it changes this cell alone.
    pub(super) fn finish(&self, splice: Splice) -> Result<Edit, EditError> {
        let moved = self.cell.body.start + splice.range.start..self.cell.body.start + splice.range.end;
        let body = splice.apply(self.body);
        let splice = Splice::new(moved, splice.text);
        let cell = Some(self.cell.id.clone());
        if splice.is_empty() {
            return Ok(Edit { document: self.document.clone(), splice, cell });
        }
        let document = self.document.apply(&splice);
        let expected = self.document.cells().map(|c| match print_of(self.document, c) {
            (word, id, _) if std::ptr::eq(c, self.cell) => (word, id, body.as_str()),
            other => other,
        });
        if !prints(&document).into_iter().eq(expected) {
            return Err(EditError::Spills);
        }
        Ok(Edit { document, splice, cell })
    }
}

/// A splice that changes nothing.
fn nothing(entry: &Entry) -> Splice {
    Splice::insert(entry.range.start, "")
}

fn no_such_key(kind: &Kind, key: &str) -> EditError {
    EditError::NoSuchKey { key: key.to_owned(), there_are: kind.keys().iter().map(|k| k.name).collect() }
}

fn row(rule: &dyn Rule, name: &str) -> Result<usize, EditError> {
    rule.find(name).ok_or_else(|| {
        let known = (0..rule.len()).map(|i| rule.spec(i).name).collect();
        EditError::Param(ParamError { name: name.to_owned(), problem: Problem::Unknown { known } })
    })
}

/// The word `name=…` of a slot, in bytes of its text.
fn setting(text: &str, name: &str) -> Option<Range<usize>> {
    let base = text.as_ptr() as usize;
    text.split_whitespace().skip(1).find_map(|word| {
        let start = word.as_ptr() as usize - base;
        word.strip_prefix(name)?.starts_with('=').then_some(start..start + word.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use netspurt_core::params::Kind as ParamKind;
    use proptest::prelude::*;

    const SAMPLE: &str = "\
# T

```netspurt rto foe
# the packets
trace = \"rfc889/dcn1-local/FOE\"   # of 1983
a = 'mills   f1=15/16 f2=3/4' # Mills
b = \"mills\\u0020g=2\"

replay = \"1983\"
```

```netspurt rto bare
```
";

    /// The body of `foe` after an edit of `address`, or the error.
    fn after(text: &str, address: &str, value: Option<&str>) -> String {
        let document = Document::parse(text);
        let address = Address::parse(address).unwrap();
        let edit = match value {
            Some(v) => set(&document, &address, v),
            None => unset(&document, &address),
        };
        match edit {
            Ok(edit) => {
                assert_eq!(edit.splice.apply(text), edit.document.text());
                edit.document.body(edit.document.cell(&address.cell).unwrap()).to_owned()
            }
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn only_what_differs_from_the_default_is_written() {
        let check = |values: &[(&str, &str)], expected: &str| {
            let mut document = Document::parse(SAMPLE);
            let before = document.body(document.cell("foe").unwrap()).to_owned();
            for (address, value) in values {
                document = set(&document, &Address::parse(address).unwrap(), value).unwrap().document;
            }
            let after = document.body(document.cell("foe").unwrap());
            let gone: Vec<&str> = before.lines().filter(|l| after.lines().all(|a| a != *l)).collect();
            let new: Vec<&str> = after.lines().filter(|l| before.lines().all(|b| b != *l)).collect();
            assert_eq!([gone, new].concat().join("|"), expected);
        };
        check(&[("foe.replay", "protocol"), ("foe.replay", "1983")], "replay = \"1983\"");
        check(&[("foe.show", "judgement"), ("foe.show", "packets")], "");
        let a = "a = 'mills   f1=15/16 f2=3/4' # Mills";
        check(&[("foe.a.f1", "7/8"), ("foe.a.f1", "15/16")], &format!("{a}|a = 'mills f2=3/4' # Mills"));
        // What it is without a value hangs on the trace: 1 must be written to be meant.
        check(&[("foe.scale", "2"), ("foe.scale", "1")], "scale = 1");
        check(&[("foe.karn", "false"), ("foe.karn", "true")], "karn = true");
    }

    /// Checks the one line that changes, or the error.
    fn check(address: &str, value: Option<&str>, expected: &str) {
        let before = Document::parse(SAMPLE);
        let cell = Address::parse(address).unwrap().cell;
        let before: Vec<_> =
            before.cell(&cell).map_or(Vec::new(), |c| before.body(c).lines().map(str::to_owned).collect());
        let after = after(SAMPLE, address, value);
        let changed: Vec<_> = after.lines().filter(|l| !before.iter().any(|b| b == l)).collect();
        assert_eq!(changed.join("|"), expected, "{address}");
    }

    #[test]
    fn one_word_of_a_slot_changes() {
        check("foe.a.f1", Some("0.875"), "a = 'mills   f1=7/8 f2=3/4' # Mills");
        check("foe.a.f1", Some("93.75%"), "");
        check("foe.a.g", Some("3"), "a = 'mills   f1=15/16 f2=3/4 g=3' # Mills");
        check("foe.a.g", Some("2"), "");
        check("foe.a.e-cold", Some("0.1 s"), "a = 'mills   f1=15/16 f2=3/4 e-cold=100' # Mills");
        check("foe.a.f2", None, "a = 'mills   f1=15/16' # Mills");
        check("foe.a.g", None, "");
        check("foe.b.g", Some("3"), "b = \"mills g=3\"");
    }

    #[test]
    fn keys_are_set_where_they_stand_or_belong() {
        check("foe.trace", Some("office"), "trace = \"office\"   # of 1983");
        check("foe.a", Some("rfc6298 min=0"), "a = 'rfc6298 min=0' # Mills");
        check("foe.scale", Some("2"), "scale = 2");
        check("foe.scale", Some("5/2"), "scale = 2.5");
        check("foe.scale", Some("1"), "scale = 1");
        assert!(
            after(SAMPLE, "foe.title", Some("a \"b\"")).contains("# of 1983\ntitle = \"a \\\"b\\\"\"\na = ")
        );
        assert!(after(SAMPLE, "foe.c", Some("mills")).contains("g=2\"\nc = \"mills\"\n\nreplay"));
        assert_eq!(after(SAMPLE, "bare.d", Some("mills")), "d = \"mills\"\n");
        assert!(!after(SAMPLE, "foe.trace", None).contains("1983\"   #"));
        assert_eq!(after(&SAMPLE.replace('\n', "\r\n"), "bare.d", Some("mills")), "d = \"mills\"\r\n");
    }

    #[test]
    fn what_cannot_be_set_is_said() {
        check("fo.a", Some("mills"), "there is no cell called fo; there are foe and bare; did you mean foe?");
        check("foe.a.f1", Some("15"), "f1 must be from 0 to 1, not 15; did you mean 15/16?");
        check("foe.a.x", Some("1"), "x is not a parameter here; there are f1, f2, g, e-cold, backoff");
        check("foe.d.f1", Some("1"), "foe has no estimator d to set");
        check(
            "foe.title.f1",
            Some("1"),
            "title.f1 is not a key here; there are trace, title, caption, a, b, c, d, replay, karn, scale, correct and show",
        );
        check("foe.replay", Some("1984"), "replay must be one of 1983, protocol, not \"1984\"");
        check(
            "foe.c",
            Some("mill"),
            "mill is not an estimator here; there are mills, rfc793, jacobson88, rfc6298, rfc7323, linux, freebsd, \
             eifel, peak-hopper, quic, coap, cocoa, hindsight",
        );
        let broken = "```netspurt rto x\n\na = mills\n```\n";
        assert_eq!(
            after(broken, "x.b", Some("mills")),
            "x cannot be changed before line 3 is mended: mills must stand in quotes"
        );
    }

    #[test]
    fn raw_values_are_one_value() {
        let d = Document::parse(SAMPLE);
        for bad in ["", "1\nb = 2", "1 # c", "mills", "\"a", "\"\"\"\n```\n\"\"\""] {
            assert!(set_value(&d, "foe", "c", bad).is_err(), "{bad}");
        }
        let edit = set_value(&d, "foe", "c", " [1, 2] ").unwrap();
        assert!(edit.document.text().contains("\nc = [1, 2]\n"));
        assert!(edit.document.cell("foe").unwrap().content.is_err());
        assert!(edit.document.cell("bare").unwrap().content.is_ok());
    }

    /// The value of a parameter as the document now has it.
    fn value_of(document: &Document, slot: usize, name: &str) -> Option<Value> {
        let content = document.cell("foe")?.content.as_ref().ok()?;
        let rule = content.experiment()?.setup.slot(slot)?;
        Some(rule.value(rule.find(name)?))
    }

    proptest! {
        #[test]
        fn what_is_set_is_read_back_and_the_rest_is_untouched(
            steps in prop::collection::vec((0_usize..5, 0.0..=1.0_f64, any::<bool>(), 0_usize..2), 1..8),
        ) {
            let mut document = Document::parse(SAMPLE);
            for (row, at, remove, slot) in steps {
                let rule = rule("mills").unwrap();
                let spec = rule.spec(row);
                let address = Address::param("foe", ["a", "b"][slot], spec.name);
                let value = match spec.kind {
                    ParamKind::Number(r) => Value::Number(r.slider.0 + at * (r.slider.1 - r.slider.0)),
                    ParamKind::Flag => Value::Flag(at < 0.5),
                    ParamKind::Choice(c) => Value::Choice(c[0]),
                };
                let edit = if remove {
                    unset(&document, &address).unwrap()
                } else {
                    set(&document, &address, &spec.print(value)).unwrap()
                };
                let expected = if remove { rule.default_value(row) } else { value };
                prop_assert_eq!(value_of(&edit.document, slot, spec.name), Some(expected));
                prop_assert_eq!(edit.splice.apply(document.text()), edit.document.text());
                // Nothing but the slot's line changes.
                let mark = ["a =", "b ="][slot];
                let others = |d: &Document| -> Vec<String> {
                    d.text().lines().filter(|l| !l.starts_with(mark)).map(str::to_owned).collect()
                };
                prop_assert_eq!(others(&document), others(&edit.document));
                document = edit.document;
            }
        }

        #[test]
        fn any_text_can_be_a_title(title in any::<String>()) {
            let document = Document::parse(SAMPLE);
            let edit = set(&document, &Address::key("foe", "title"), &title).unwrap();
            let content = edit.document.cell("foe").unwrap().content.clone().unwrap();
            prop_assert_eq!(content.title(), Some(title.as_str()));
            let back = unset(&edit.document, &Address::key("foe", "title")).unwrap();
            prop_assert_eq!(back.document.text(), SAMPLE);
        }
    }
}

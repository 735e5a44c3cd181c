//! A notebook: a Markdown text, and the cells and prose found in it.
//!
//! The text is the truth. [`Document::parse`] takes any text, keeps it as it is, and finds
//!
//! - cells: top-level fenced blocks whose info string begins with `netspurt`. The next word is the
//!   kind ([`crate::cells`]), the one after it the id by which links and other cells name the cell.
//!   Where no id is written, one is made up: `rto-1` for the first `rto` cell without an id, or the
//!   next free name like it;
//! - prose: what stands between cells ([`crate::prose`]).
//!
//! The first heading is the title. What is wrong with a cell is told in its place, and the other
//! cells are read as if nothing had happened: also when a fence is not closed, the next line that
//! opens a cell begins one.

mod errors;
mod inside;
mod scan;

pub use errors::{CellError, Fix};

use crate::body;
use crate::cells::{Content, Kind};
use crate::prose::{Node, is_heading};
use crate::scenario;
use crate::splice::Splice;
use netspurt_core::shared::Shared;
use netspurt_core::tree::Misfit;
use std::ops::Range;
use std::sync::Arc;

/// A text and what was found in it. Cheap to clone. Equal if the texts are.
#[derive(Debug, Clone)]
pub struct Document {
    text: Arc<str>,
    blocks: Arc<[Block]>,
    title: Option<String>,
}

/// A part of a document. Blank lines between blocks belong to none.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    Prose(Prose),
    Cell(Cell),
}

impl Block {
    /// Bytes of the document, whole lines.
    pub fn range(&self) -> Range<usize> {
        match self {
            Self::Prose(p) => p.range.clone(),
            Self::Cell(c) => c.range.clone(),
        }
    }

    pub fn cell(&self) -> Option<&Cell> {
        match self {
            Self::Cell(c) => Some(c),
            Self::Prose(_) => None,
        }
    }
}

/// What stands between two cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Prose {
    /// Bytes of the document, whole lines, no blank ones at the ends.
    pub range: Range<usize>,
    /// The line of the document it begins on, from 1.
    pub line: usize,
    /// Empty if there is nothing to show, as for link definitions alone.
    pub nodes: Shared<Vec<Node>>,
}

/// A fenced block that comes alive.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Written, or made up: unique in the document.
    pub id: String,
    /// Whether this id is the one written in the fence.
    pub id_is_written: bool,
    /// The kind's word as written, empty if it is missing.
    pub word: String,
    /// `None`: a word that is not a kind.
    pub kind: Option<&'static Kind>,
    /// Bytes of the document from the opening to the closing fence, whole lines.
    pub range: Range<usize>,
    /// Bytes of the document between the fences.
    pub body: Range<usize>,
    /// The line of the opening fence in the document, from 1.
    pub line: usize,
    /// What the cell says, or everything that is wrong with it.
    pub content: Result<Shared<Content>, Vec<CellError>>,
    /// Where in the document an id may be written.
    pub(crate) after_kind: usize,
}

impl Cell {
    /// What is wrong with it; empty if nothing is.
    pub fn errors(&self) -> &[CellError] {
        self.content.as_ref().err().map_or(&[], Vec::as_slice)
    }
}

impl Document {
    /// Reads a text. Never fails; what is wrong is told at the cells.
    pub fn parse(text: impl Into<Arc<str>>) -> Self {
        Self::read(text.into(), None)
    }

    /// Reads a changed text and keeps what did not change: contents and prose that are the same as
    /// before are the same pointers, so that only what changed is run and drawn again.
    #[must_use]
    pub fn parse_again(&self, text: impl Into<Arc<str>>) -> Self {
        Self::read(text.into(), Some(self))
    }

    fn read(text: Arc<str>, before: Option<&Self>) -> Self {
        let scan::Scan { fences, nodes } = scan::scan(&text);
        let title = nodes
            .iter()
            .find(|(_, n)| is_heading(n))
            .map(|(_, n)| n.text().trim().to_owned())
            .filter(|t| !t.is_empty());
        let blocks = scan::blocks(&text, fences, nodes, before).into();
        Self { text, blocks, title }
    }

    /// The text, letter for letter.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The first heading. `None`: there is none, or it is empty.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Cells and prose in the order of the text.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub fn cells(&self) -> impl DoubleEndedIterator<Item = &Cell> + Clone {
        self.blocks.iter().filter_map(Block::cell)
    }

    /// The cell of this id.
    pub fn cell(&self, id: &str) -> Option<&Cell> {
        self.cells().find(|c| c.id == id)
    }

    /// Everything that is wrong, in the order of the text.
    pub fn errors(&self) -> impl Iterator<Item = (&Cell, &CellError)> {
        self.cells().flat_map(|c| c.errors().iter().map(move |e| (c, e)))
    }

    /// The cell's body as it is written.
    pub fn body(&self, cell: &Cell) -> &str {
        self.text.get(cell.body.clone()).unwrap_or_default()
    }

    /// The whole block as it is written, fences included.
    pub fn source(&self, block: &Block) -> &str {
        self.text.get(block.range()).unwrap_or_default()
    }

    /// The document after a splice. One that does not fit changes nothing.
    #[must_use]
    pub fn apply(&self, splice: &Splice) -> Self {
        self.with_one_cell_read(splice).unwrap_or_else(|| self.parse_again(splice.apply(&self.text)))
    }

    /// Where in a cell its settings do not fit each other.
    pub(crate) fn misfit(&self, cell: &Cell, misfit: Misfit) -> CellError {
        let entries = body::read(self.body(cell)).unwrap_or_default();
        let problem = scenario::misfit(&entries, misfit);
        CellError::place(&self.text, (cell.range.start, cell.line), problem, cell.body.start)
    }

    /// The line a byte lies on, from 1.
    pub fn line_at(&self, byte: usize) -> usize {
        line_at(&self.text, byte)
    }
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.text, &other.text) || self.text == other.text
    }
}

impl Eq for Document {}

/// The line a byte lies on, from 1.
pub(crate) fn line_at(text: &str, byte: usize) -> usize {
    1 + text.as_bytes()[..byte.min(text.len())].split(|&b| b == b'\n').skip(1).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Content;
    use crate::nearest::list;
    use proptest::prelude::*;

    const SAMPLE: &str = "\
# One factor, or two?

How long?

```netspurt rto foe
trace = \"rfc889/dcn1-local/FOE\"
a = \"mills f1=15/16\"
replay = \"1983\"
```

Then *this*.

```netspurt trace office
t_s,octets,delay_ms
0.0,64,12.4
1.0,64,
```
";

    /// `kind id line` of every cell.
    fn cells(document: &Document) -> Vec<String> {
        document.cells().map(|c| format!("{} {} {}", c.word, c.id, c.line)).collect()
    }

    /// `line "what" message / remark / fix` of everything that is wrong.
    fn errors(document: &Document) -> Vec<String> {
        document
            .errors()
            .map(|(_, e)| {
                let what = &document.text()[e.range.clone()];
                let fix = e.fix.as_ref().map_or_else(String::new, |f| f.label.clone());
                format!("{} {what:?} {} / {} / {fix}", e.line, e.message, e.remark)
            })
            .collect()
    }

    fn check(text: &str, expected_cells: &[&str], expected_errors: &[&str]) {
        let document = Document::parse(text);
        assert_eq!(cells(&document), expected_cells);
        assert_eq!(errors(&document), expected_errors);
    }

    #[test]
    fn cells_and_prose_are_found() {
        let d = Document::parse(SAMPLE);
        assert_eq!(d.title(), Some("One factor, or two?"));
        assert_eq!(d.blocks().len(), 4);
        check(SAMPLE, &["rto foe 5", "trace office 13"], &[]);
        let Block::Prose(p) = &d.blocks()[2] else { panic!("prose expected") };
        assert_eq!((&d.text()[p.range.clone()], p.line), ("Then *this*.\n", 11));
        let Ok(content) = &d.cell("foe").unwrap().content else { panic!("content expected") };
        let Content::Experiment(rto) = &**content else { panic!("an rto cell expected") };
        assert_eq!(rto.trace.as_deref(), Some("rfc889/dcn1-local/FOE"));
        assert_eq!(rto.setup.set_slots().count(), 1);
        let Ok(content) = &d.cell("office").unwrap().content else { panic!("content expected") };
        let Content::Trace(trace) = &**content else { panic!("a trace expected") };
        assert_eq!((trace.name.as_str(), trace.len()), ("office", 2));
    }

    #[test]
    fn line_ends_marks_and_spaces_do_not_matter() {
        check(&SAMPLE.replace('\n', "\r\n"), &["rto foe 5", "trace office 13"], &[]);
        check(&format!("\u{feff}{SAMPLE}"), &["rto foe 5", "trace office 13"], &[]);
        assert_eq!(Document::parse(format!("\u{feff}{SAMPLE}")).title(), Some("One factor, or two?"));
        check("text\n   ~~~~  netspurt   rto  x \n  a = 'mills'\n~~~~~\n", &["rto x 2"], &[]);
    }

    #[test]
    fn only_fences_of_the_top_level_are_cells() {
        check("> ```netspurt rto\n> ```\n\n- ```netspurt rto\n  ```\n\n    ```netspurt rto\n", &[], &[]);
        check("```netspurts rto\n```\n\n````\n```netspurt rto\n```\n````\n", &[], &[]);
    }

    #[test]
    fn ids_are_made_up_where_they_are_missing() {
        let rto = |id: &str| format!("```netspurt rto{id}\n```\n");
        let text = [rto(""), rto(" rto-2"), rto(" x"), rto(""), rto("")].concat();
        check(&text, &["rto rto-1 1", "rto rto-2 3", "rto x 5", "rto rto-2-2 7", "rto rto-3 9"], &[]);
    }

    #[test]
    fn what_is_wrong_is_told_in_its_place() {
        let one = |body: &str, expected: &str| {
            check(&format!("x\n\n```netspurt rto foe\n{body}\n```\n"), &["rto foe 3"], &[expected]);
        };
        one(
            "# note\na = \"mills f1=15\"",
            "5 \"f1=15\" a: f1 must be from 0 to 1, not 15; did you mean 15/16? / from 0 to 1; did you mean 15/16? / Use 15/16",
        );
        one(
            "a = \"mils\"",
            "4 \"mils\" a: mils is not an estimator here; there are mills, rfc793, jacobson88, rfc6298, rfc7323, linux, \
             freebsd, eifel, peak-hopper, quic, coap, cocoa, hindsight / did you mean mills? / Use mills",
        );
        one("a = 3", "4 \"3\" a must be text in quotes / text in quotes / Use \"3\"");
        one(
            "capton = \"x\"",
            "4 \"capton\" capton is not a key here; there are trace, title, caption, a, b, c, d, replay, karn, scale, correct and show / did you mean caption? / Use caption",
        );
        one(
            "scale = \"x\"",
            "4 \"\\\"x\\\"\" scale must be a number such as 0.75 or 3/4, not \"x\" / a number such as 0.75 or 3/4 / ",
        );
        one("a = mills", "4 \"mills\" mills must stand in quotes / write \"mills\" / Use \"mills\"");
        one(
            "a = \"mills\"\na = 'mills'",
            "5 \"a\" this line cannot be read: duplicate key / duplicate key / ",
        );
    }

    #[test]
    fn bad_fences_are_told_of_and_the_rest_works() {
        let there = format!("there are {}", list(crate::cells::kinds().iter().map(|k| k.name)));
        check(
            "```netspurt rot x\n```\n\n```netspurt\n```\n\n```netspurt rto y\n```\n",
            &["rot x 1", " cell-1 4", "rto y 7"],
            &[
                &format!("1 \"rot\" rot is not a kind of cell here; {there} / did you mean rto? / Use rto"),
                &format!("4 \"netspurt\" the kind of cell is missing; {there} / a kind is missing / "),
            ],
        );
        check(
            "```netspurt rto x\n```\n```netspurt rto x\n```\n",
            &["rto x 1", "rto x-2 3"],
            &["3 \"x\" there is another cell called x, on line 1 / x is taken / Call it x-2"],
        );
        check(
            "```netspurt rto x y\n```\n```netspurt rto a.b\n```\n",
            &["rto x 1", "rto rto-1 3"],
            &[
                "1 \"y\" one name is enough for a cell / one name is enough / Remove y",
                "3 \"a.b\" a cell's name is made of letters, digits, - and _, not \"a.b\" / letters, digits, - and _ / Call it a-b",
            ],
        );
    }

    #[test]
    fn an_open_fence_ends_where_the_next_cell_begins() {
        let text = "```netspurt rto x\na = \"mills\"\n\nText.\n\n```netspurt rto y\na = \"mills\"\n```\n";
        let d = Document::parse(text);
        check(
            text,
            &["rto x 1", "rto y 6"],
            &[
                "1 \"```netspurt rto x\" the cell is not closed: a line ``` is missing / not closed / Close it after line 2",
            ],
        );
        assert!(d.cell("y").unwrap().content.is_ok());
        let (_, error) = d.errors().next().unwrap();
        let fixed = d.apply(&error.fix.as_ref().unwrap().splice);
        assert_eq!((errors(&fixed).len(), fixed.blocks().len()), (0, 3));
        check(
            "```netspurt rto x",
            &["rto x 1"],
            &[
                "1 \"```netspurt rto x\" the cell is not closed: a line ``` is missing / not closed / Close it after line 1",
            ],
        );
    }

    #[test]
    fn every_offered_fix_mends_its_line() {
        for text in [
            "```netspurt rto\na = \"mills f1=15\"\n```",
            "```netspurt rto\na = \"mills\\u0020f1=15\"\n```",
            "```netspurt rto\na = \"mills ff1=3/4\"\n```",
            "```netspurt rto\na = \"\"\n```",
            "```netspurt rto\nb = 'mils'\n```",
            "```netspurt rto\ncapton = \"x\"\n```",
            "```netspurt rto\nreplay = \"1984\"\n```",
            "```netspurt rto\nscale = 1/2\n```",
            "```netspurt rot\n```",
            "```netspurt rto a.b\n```",
            "```netspurt rto",
            "```netspurt rto x\n```\n```netspurt rto x\n```",
        ] {
            let d = Document::parse(text);
            let (_, error) = d.errors().next().unwrap();
            let fix = error.fix.as_ref().unwrap_or_else(|| panic!("no fix for {text}: {error:?}"));
            let fixed = d.apply(&fix.splice);
            assert_eq!(errors(&fixed), Vec::<String>::new(), "{}", fixed.text());
        }
    }

    #[test]
    fn what_did_not_change_keeps_its_pointer() {
        let d = Document::parse(SAMPLE);
        let again = d.parse_again(SAMPLE.replace("15/16", "7/8"));
        assert_ne!(d.cell("foe").unwrap().content, again.cell("foe").unwrap().content);
        assert_eq!(d.cell("office").unwrap().content, again.cell("office").unwrap().content);
        let nodes = |d: &Document, i: usize| match &d.blocks()[i] {
            Block::Prose(p) => p.nodes.clone(),
            Block::Cell(_) => panic!("prose expected"),
        };
        assert_eq!(nodes(&d, 2), nodes(&again, 2));
    }

    proptest! {
        #[test]
        fn any_text_is_kept_and_its_parts_lie_in_order(
            text in "([a#*>\\-`~= \t\r\n\"é]|```|```netspurt rto( x)?\n|a = \"mills\"\n|~~~netspurt trace\n|delay_ms\n){0,24}",
        ) {
            let d = Document::parse(text.as_str());
            prop_assert_eq!(d.text(), text.as_str());
            let mut end = 0;
            for block in d.blocks() {
                let range = block.range();
                prop_assert!(end <= range.start && range.start <= range.end && range.end <= text.len());
                let blank = text.get(end..range.start).is_some_and(|gap| gap.trim().is_empty());
                prop_assert!(blank);
                prop_assert!(text.get(range.clone()).is_some());
                end = range.end;
                if let Some(cell) = block.cell() {
                    prop_assert!(text.get(cell.body.clone()).is_some());
                }
            }
            prop_assert!(text[end..].trim().is_empty());
            let mut ids: Vec<_> = d.cells().map(|c| c.id.clone()).collect();
            ids.sort();
            ids.dedup();
            prop_assert_eq!(ids.len(), d.cells().count());
            for (_, e) in d.errors() {
                prop_assert!(text.get(e.range.clone()).is_some());
                if let Some(fix) = &e.fix {
                    prop_assert!(fix.splice.fits(&text));
                }
            }
        }
    }
}

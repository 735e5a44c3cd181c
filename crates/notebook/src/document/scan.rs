//! Finds the cells and the prose in a text.

use super::{Block, Cell, CellError, Document, Prose, line_at};
use crate::body::{Problem, Repair, line_around};
use crate::cells::{Kind, Source, kind, kinds, unknown_name};
use crate::fence::{Opening, is_id, opening};
use crate::nearest::{free_name, list};
use crate::prose::{Builder, Node};
use netspurt_core::shared::Shared;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What one pass over the Markdown finds.
pub(super) struct Scan {
    pub(super) fences: Vec<Fence>,
    /// Top-level prose with its places.
    pub(super) nodes: Vec<(Range<usize>, Node)>,
}

/// A cell's fences, in bytes of the text.
pub(super) struct Fence {
    opening: Opening,
    range: Range<usize>,
    body: Range<usize>,
    closed: bool,
}

pub(super) fn scan(text: &str) -> Scan {
    // A byte order mark would hide a heading.
    let skip = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let mut builder = Builder::default();
    let mut fences = Vec::new();
    let mut in_cell = false;
    for (event, range) in Parser::new_ext(&text[skip..], options).into_offset_iter() {
        let range = range.start + skip..range.end + skip;
        if in_cell {
            // Nothing but text stands in a code block.
            in_cell = !matches!(event, Event::End(_));
            continue;
        }
        if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) = &event
            && builder.at_top()
            && opening(text, line_around(text, range.start)).is_some()
        {
            in_cell = true;
            fences.extend(fences_in(text, range));
            continue;
        }
        builder.event(event, range);
    }
    Scan { fences, nodes: builder.finish() }
}

/// The cells in one code block: one, and where its fence is not closed, those it swallowed.
fn fences_in(text: &str, block: Range<usize>) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut at = line_around(text, block.start).start;
    while at < block.end {
        let line = line_around(text, at);
        let next = text[line.end..].find('\n').map_or(text.len(), |i| line.end + i + 1);
        match (opening(text, line.clone()), fences.last_mut()) {
            (Some(o), Some(last)) if o.letter != last.opening.letter || o.count < last.opening.count => {
                last.range.end = next;
                last.body.end = next;
            }
            (Some(opening), _) => {
                fences.push(Fence { opening, range: line.start..next, body: next..next, closed: false });
            }
            (None, Some(last)) => {
                last.range.end = next;
                last.closed = last.opening.is_closed_by(text, line);
                if !last.closed {
                    last.body.end = next;
                }
            }
            (None, None) => return Vec::new(),
        }
        at = next;
    }
    fences
}

/// Cells and what is between them.
pub(super) fn blocks(
    text: &str,
    fences: Vec<Fence>,
    nodes: Vec<(Range<usize>, Node)>,
    before: Option<&Document>,
) -> Vec<Block> {
    let mut names = Names::of(text, &fences);
    let mut nodes = nodes.into_iter().peekable();
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut blocks = Vec::new();
    let mut at = 0;
    let mut prose = |range: Range<usize>, lines: &mut Lines<'_>, blocks: &mut Vec<Block>| {
        let mut here = Vec::new();
        while let Some((_, node)) = nodes.next_if(|(place, _)| place.start < range.end) {
            here.push(node);
        }
        if let Some(range) = trim(text, range) {
            let line = lines.at(range.start);
            blocks.push(Block::Prose(Prose { range, line, nodes: reuse_prose(before, here) }));
        }
    };
    for fence in fences {
        prose(at..fence.range.start, &mut lines, &mut blocks);
        at = fence.range.end;
        let line = lines.at(fence.range.start);
        blocks.push(Block::Cell(cell(text, &fence, line, &mut names, before)));
    }
    prose(at..text.len(), &mut lines, &mut blocks);
    blocks
}

/// A range without the blank lines at its ends; the last line's end stays. `None`: all is blank.
fn trim(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = &text[range.clone()];
    let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let first = range.start + part.find(|c| !blank(c))?;
    let last = range.start + part.trim_end_matches(blank).len();
    // A mark before the first line is not part of it.
    let start = text[..first]
        .rfind(['\n', '\u{feff}'])
        .map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8));
    let end = text[last..range.end].find('\n').map_or(range.end, |i| last + i + 1);
    Some(start.max(range.start)..end)
}

/// Counts lines on the way through a text.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of a byte not before the last one asked for.
    fn at(&mut self, byte: usize) -> usize {
        self.line += line_at(&self.text[self.at..], byte - self.at) - 1;
        self.at = byte;
        self.line
    }
}

fn reuse_prose(before: Option<&Document>, nodes: Vec<Node>) -> Shared<Vec<Node>> {
    let same = before.iter().flat_map(|d| d.blocks()).find_map(|b| match b {
        Block::Prose(p) if *p.nodes == nodes => Some(p.nodes.clone()),
        _ => None,
    });
    same.unwrap_or_else(|| Shared::new(nodes))
}

/// Gives every cell an id of its own.
struct Names {
    /// Ids written in the document.
    written: BTreeSet<String>,
    /// Ids given so far, with the lines of their cells.
    given: BTreeMap<String, usize>,
    /// How many cells of each word had to be named so far.
    made_up: BTreeMap<String, usize>,
}

impl Names {
    fn of(text: &str, fences: &[Fence]) -> Self {
        let mut written = BTreeSet::new();
        for fence in fences {
            if let Some(word) = fence.opening.words.get(1).map(|w| &text[w.clone()]).filter(|w| is_id(w)) {
                written.insert(word.to_owned());
            }
        }
        Self { written, given: BTreeMap::new(), made_up: BTreeMap::new() }
    }

    fn is_free(&self, id: &str) -> bool {
        !self.written.contains(id) && !self.given.contains_key(id)
    }

    /// The line of the cell that has this id already.
    fn taken(&self, id: &str) -> Option<usize> {
        self.given.get(id).copied()
    }

    /// `base` if nobody has it, else `base-2` and so on.
    fn free_like(&self, base: &str) -> String {
        free_name(base, |id| self.is_free(id))
    }

    fn make_up(&mut self, word: &str) -> String {
        let word = if is_id(word) { word } else { "cell" };
        let n = self.made_up.entry(word.to_owned()).or_default();
        *n += 1;
        let n = *n;
        self.free_like(&format!("{word}-{n}"))
    }
}

fn cell(text: &str, fence: &Fence, line: usize, names: &mut Names, before: Option<&Document>) -> Cell {
    let word = fence.opening.words.first().map_or("", |w| &text[w.clone()]);
    let mut problems = Vec::new();
    let kind = read_kind(text, fence, word, &mut problems);
    let (id, id_is_written) = read_id(text, fence, word, names, &mut problems);
    names.given.insert(id.clone(), line);
    if !fence.closed {
        problems.push(unclosed(text, fence, line));
    }
    let body = fence.body.clone();
    let start = (fence.range.start, line);
    let mut errors: Vec<_> = problems.into_iter().map(|p| CellError::place(text, start, p, 0)).collect();
    let after_kind = fence.opening.words.first().map_or(fence.opening.after, |w| w.end);
    let content = match kind {
        // An open cell has swallowed what follows; complaints about that would help nobody.
        Some(kind) if fence.closed => {
            let source = Source { id: &id, body: &text[body.clone()] };
            match reuse_content(before, kind, &source).map_or_else(|| kind.read(&source).map(Shared::new), Ok)
            {
                Ok(content) => Some(content),
                Err(problems) => {
                    for problem in problems {
                        let error = CellError::place(text, start, problem, body.start);
                        let at = errors.partition_point(|e| e.range.start <= error.range.start);
                        errors.insert(at, error);
                    }
                    None
                }
            }
        }
        _ => None,
    };
    let content = content.filter(|_| errors.is_empty()).ok_or(errors);
    Cell {
        id,
        id_is_written,
        word: word.to_owned(),
        kind,
        range: fence.range.clone(),
        body,
        line,
        content,
        after_kind,
    }
}

/// What a cell with the same body said before.
fn reuse_content(
    before: Option<&Document>,
    kind: &Kind,
    source: &Source<'_>,
) -> Option<Shared<crate::cells::Content>> {
    let before = before?;
    let cell = before.cell(source.id)?;
    let same = cell.kind.is_some_and(|k| std::ptr::eq(k, kind)) && before.body(cell) == source.body;
    cell.content.as_ref().ok().filter(|_| same).cloned()
}

fn read_kind(text: &str, fence: &Fence, word: &str, problems: &mut Vec<Problem>) -> Option<&'static Kind> {
    let names = kinds().iter().map(|k| k.name);
    let found = kind(word);
    match fence.opening.words.first() {
        None => problems.push(Problem {
            range: fence.opening.after - "netspurt".len()..fence.opening.after,
            message: format!("the kind of cell is missing; there are {}", list(names.clone())),
            remark: "a kind is missing".to_owned(),
            fix: None,
        }),
        Some(range) if found.is_none() => {
            problems.push(unknown_name(&text[range.clone()], range, "a kind of cell", names));
        }
        Some(_) => {}
    }
    found
}

fn read_id(
    text: &str,
    fence: &Fence,
    word: &str,
    names: &mut Names,
    problems: &mut Vec<Problem>,
) -> (String, bool) {
    if let (Some(first), Some(last)) = (fence.opening.words.get(2), fence.opening.words.last()) {
        let range = first.start..last.end;
        let extra = &text[range.clone()];
        let id_end = fence.opening.words[1].end;
        problems.push(Problem {
            message: "one name is enough for a cell".to_owned(),
            remark: "one name is enough".to_owned(),
            fix: Some(Repair::new(format!("Remove {extra}"), id_end..range.end, String::new())),
            range,
        });
    }
    let Some(range) = fence.opening.words.get(1) else { return (names.make_up(word), false) };
    let id = &text[range.clone()];
    let rename = |to: &str| Some(Repair::new(format!("Call it {to}"), range.clone(), to.to_owned()));
    if !is_id(id) {
        let near: String =
            id.chars().map(|c| if is_id(c.encode_utf8(&mut [0; 4])) { c } else { '-' }).collect();
        problems.push(Problem {
            range: range.clone(),
            message: format!("a cell's name is made of letters, digits, - and _, not {id:?}"),
            remark: "letters, digits, - and _".to_owned(),
            fix: rename(&names.free_like(&near)),
        });
        return (names.make_up(word), false);
    }
    let Some(line) = names.taken(id) else { return (id.to_owned(), true) };
    let free = names.free_like(id);
    problems.push(Problem {
        range: range.clone(),
        message: format!("there is another cell called {id}, on line {line}"),
        remark: format!("{id} is taken"),
        fix: rename(&free),
    });
    (free, false)
}

/// A fence that is not closed; it would most likely end before the first blank line.
fn unclosed(text: &str, fence: &Fence, line: usize) -> Problem {
    let opening = line_around(text, fence.range.start);
    let mut end = fence.body.start;
    for line in text[fence.body.clone()].split_inclusive('\n') {
        if line.trim().is_empty() {
            break;
        }
        end += line.len();
    }
    let closing = fence.opening.closing();
    let newline = if text[fence.range.clone()].contains("\r\n") { "\r\n" } else { "\n" };
    let lead = if text[..end].ends_with('\n') { "" } else { newline };
    let last = line + line_at(&text[fence.range.start..], end - fence.range.start)
        - 1
        - usize::from(lead.is_empty());
    Problem {
        range: opening,
        message: format!("the cell is not closed: a line {closing} is missing"),
        remark: "not closed".to_owned(),
        fix: Some(Repair::new(
            format!("Close it after line {last}"),
            end..end,
            format!("{lead}{closing}{newline}"),
        )),
    }
}

//! Adds, moves, copies, deletes cells, and replaces what stands in a block.

use super::{Edit, EditError, cell_of, newline, print_of, prints, with_newlines};
use crate::cells::kind;
use crate::csv_cell;
use crate::document::{Block, Cell, Document};
use crate::fence::is_id;
use crate::nearest::free_name;
use crate::splice::Splice;
use netspurt_core::trace::Trace;
use std::ops::Range;

/// Replaces what stands between a cell's fences.
pub fn set_body(document: &Document, id: &str, body: &str) -> Result<Edit, EditError> {
    let cell = cell_of(document, id)?;
    let newline = newline(document.text());
    let mut body = with_newlines(body, newline);
    if !body.is_empty() && !body.ends_with('\n') {
        body.push_str(newline);
    }
    let splice = Splice::new(cell.body.clone(), body);
    let after = document.apply(&splice);
    let expected = document.cells().map(|c| match print_of(document, c) {
        (word, id, _) if std::ptr::eq(c, cell) => (word, id, splice.text.as_str()),
        other => other,
    });
    if !prints(&after).into_iter().eq(expected) {
        return Err(EditError::Spills);
    }
    Ok(Edit { document: after, splice, cell: Some(id.to_owned()) })
}

/// Replaces the prose in block `index`. The new text may hold cells of its own; blank text removes
/// the block.
pub fn set_prose(document: &Document, index: usize, text: &str) -> Result<Edit, EditError> {
    let Some(Block::Prose(prose)) = document.blocks().get(index) else {
        return Err(EditError::NoSuchBlock { index });
    };
    let range = if text.trim().is_empty() { to_next(document, index) } else { prose.range.clone() };
    let splice = patch(document, range, &[text]);
    let before = document.blocks()[..index].iter().filter(|b| b.cell().is_some()).count();
    finish_around(document, splice, before, before)
}

/// Puts prose before block `at`, or at the end.
pub fn add_prose(document: &Document, at: usize, text: &str) -> Result<Edit, EditError> {
    let place = place(document, at)?;
    let before = document.blocks()[..at].iter().filter(|b| b.cell().is_some()).count();
    finish_around(document, patch(document, place..place, &[text]), before, before)
}

/// Puts a cell before block `at`, or at the end. Without an id it gets one of its own, written in
/// its fence; [`Edit::cell`] says which.
pub fn add_cell(
    document: &Document,
    at: usize,
    word: &str,
    id: Option<&str>,
    body: &str,
) -> Result<Edit, EditError> {
    if kind(word).is_none() {
        return Err(EditError::NoSuchKind { word: word.to_owned() });
    }
    let id = match id {
        Some(id) => {
            let taken = document.cell(id).is_some();
            if taken || !is_id(id) {
                return Err(EditError::BadName { name: id.to_owned(), taken });
            }
            id.to_owned()
        }
        None => numbered(document, word, 1),
    };
    let place = place(document, at)?;
    let before = document.blocks()[..at].iter().filter(|b| b.cell().is_some()).count();
    let newline = newline(document.text());
    let mut body = with_newlines(body, newline);
    if !body.is_empty() && !body.ends_with('\n') {
        body.push_str(newline);
    }
    let fence = fence_for(&body);
    let source = format!("{fence}netspurt {word} {id}{newline}{body}{fence}{newline}");
    let splice = patch(document, place..place, &[&source]);
    let edit = finish_around(document, splice, before, before)?;
    match edit.document.cell(&id) {
        Some(cell) if edit.document.body(cell) == body => Ok(Edit { cell: Some(id), ..edit }),
        _ => Err(EditError::Spills),
    }
}

/// Puts a trace into the document as a cell named after it, before block `at` or at the end.
pub fn add_trace(document: &Document, at: usize, trace: &Trace) -> Result<Edit, EditError> {
    let id = free_name(&slug(&trace.name), |id| document.cell(id).is_none());
    add_cell(document, at, "trace", Some(&id), &csv_cell::write(trace))
}

/// Puts a copy right after a cell, under a name of its own.
pub fn duplicate_cell(document: &Document, id: &str) -> Result<Edit, EditError> {
    let cell = cell_of(document, id)?;
    let at = index_of(document, cell) + 1;
    let (base, n) = match id.rsplit_once('-').and_then(|(base, n)| Some((base, n.parse::<usize>().ok()?))) {
        Some((base, n)) if !base.is_empty() => (base, n),
        _ => (id, 1),
    };
    let copy = numbered(document, base, n.saturating_add(1));
    add_cell(document, at, &cell.word, Some(&copy), document.body(cell))
}

/// Removes a cell. Others keep their names.
pub fn delete_cell(document: &Document, id: &str) -> Result<Edit, EditError> {
    let named = with_names(document, cell_of(document, id)?);
    let cell = cell_of(&named, id)?;
    let splice = patch(&named, to_next(&named, index_of(&named, cell)), &[]);
    let after = named.apply(&splice);
    let expected = named.cells().filter(|c| c.id != id).map(|c| print_of(&named, c));
    if !prints(&after).into_iter().eq(expected) {
        return Err(EditError::Spills);
    }
    Ok(edit_between(document, after, None))
}

/// Moves a cell before what is now block `before`, or to the end. Others keep their names.
pub fn move_cell(document: &Document, id: &str, before: usize) -> Result<Edit, EditError> {
    cell_of(document, id)?;
    place(document, before)?;
    let named = with_names(document, cell_of(document, id)?);
    let blocks = named.blocks();
    let cell = cell_of(&named, id)?;
    let from = index_of(&named, cell);
    if before == from || before == from + 1 {
        let splice = Splice::insert(cell.range.start, "");
        return Ok(Edit { document: document.clone(), splice, cell: Some(id.to_owned()) });
    }
    let text = named.text();
    let moved = &text[cell.range.clone()];
    let splice = if before < from {
        let start = blocks[before].range().start;
        patch(&named, start..cell.range.end, &[moved, &text[start..cell.range.start]])
    } else {
        let end = blocks[before - 1].range().end;
        patch(&named, cell.range.start..end, &[&text[cell.range.end..end], moved])
    };
    let after = named.apply(&splice);
    let mut expected: Vec<_> = named.cells().filter(|c| c.id != id).map(|c| print_of(&named, c)).collect();
    let place = blocks[..before].iter().filter_map(Block::cell).filter(|c| c.id != id).count();
    expected.insert(place, print_of(&named, cell));
    if prints(&after) != expected {
        return Err(EditError::Spills);
    }
    Ok(edit_between(document, after, Some(id.to_owned())))
}

fn edit_between(before: &Document, after: Document, cell: Option<String>) -> Edit {
    Edit { splice: Splice::between(before.text(), after.text()), document: after, cell }
}

/// Makes a change that must leave the first `head` cells and the last ones, from `tail` on, alone.
fn finish_around(document: &Document, splice: Splice, head: usize, tail: usize) -> Result<Edit, EditError> {
    let after = document.apply(&splice);
    let (old, new) = (prints(document), prints(&after));
    let kept = new.len() >= old.len() && new.starts_with(&old[..head]) && new.ends_with(&old[tail..]);
    if !kept {
        return Err(EditError::Spills);
    }
    Ok(Edit { document: after, splice, cell: None })
}

/// The document with the made-up names written out that would change if this cell went elsewhere.
fn with_names(document: &Document, cell: &Cell) -> Document {
    if cell.id_is_written || cell.word.is_empty() {
        return document.clone();
    }
    let names: Vec<_> = document
        .cells()
        .filter(|c| c.word == cell.word && !c.id_is_written && c.errors().iter().all(|e| e.line != c.line))
        .map(|c| Splice::insert(c.after_kind, format!(" {}", c.id)))
        .collect();
    document.apply(&Splice::merge(document.text(), &names))
}

fn index_of(document: &Document, cell: &Cell) -> usize {
    document.blocks().iter().position(|b| b.range() == cell.range).unwrap_or(0)
}

/// The byte before which a new block `at` begins.
fn place(document: &Document, at: usize) -> Result<usize, EditError> {
    match document.blocks().get(at) {
        Some(block) => Ok(block.range().start),
        None if at == document.blocks().len() => Ok(document.text().len()),
        None => Err(EditError::NoSuchBlock { index: at }),
    }
}

/// A block and the blank lines after it.
fn to_next(document: &Document, index: usize) -> Range<usize> {
    let range = document.blocks()[index].range();
    let next = document.blocks().get(index + 1).map_or(document.text().len(), |b| b.range().start);
    range.start..next
}

/// Replaces a range by pieces, with a blank line between all that meet there.
fn patch(document: &Document, range: Range<usize>, pieces: &[&str]) -> Splice {
    let newline = newline(document.text());
    let (before, after) = (&document.text()[..range.start], &document.text()[range.end..]);
    let pieces: Vec<_> = pieces
        .iter()
        .map(|p| p.trim_end().trim_start_matches(['\n', '\r']))
        .filter(|p| !p.trim().is_empty())
        .map(|p| with_newlines(p, newline) + newline)
        .collect();
    let start = before.trim_matches(|c: char| c == '\u{feff}' || c.is_whitespace()).is_empty();
    let end = after.trim().is_empty();
    let gap = before.trim_end_matches([' ', '\t']);
    let is_apart = start
        || gap.strip_suffix('\n').is_some_and(|g| g.trim_end_matches([' ', '\t', '\r']).ends_with('\n'));
    let lead = match () {
        () if is_apart || (pieces.is_empty() && end) => String::new(),
        () if gap.ends_with('\n') => newline.to_owned(),
        () => newline.repeat(2),
    };
    let first_line = after.split('\n').next().unwrap_or_default();
    let trail = if pieces.is_empty() || end || first_line.trim().is_empty() { "" } else { newline };
    Splice::new(range, format!("{lead}{}{trail}", pieces.join(newline)))
}

/// A fence longer than any in the body.
fn fence_for(body: &str) -> String {
    let longest = body.lines().map(str::trim_start).map(|l| l.len() - l.trim_start_matches('`').len()).max();
    "`".repeat(longest.map_or(3, |n| (n + 1).max(3)))
}

/// The first of `base-from`, `base-(from + 1)` and so on that no cell has.
fn numbered(document: &Document, base: &str, from: usize) -> String {
    // One of so many names is free.
    (0..=document.blocks().len())
        .map(|n| format!("{base}-{}", from.saturating_add(n)))
        .find(|id| document.cell(id).is_none())
        .unwrap_or_default()
}

/// A file's name as a cell's: `Lab WiFi.csv` becomes `lab-wifi`. Other letters than a to z keep their case.
fn slug(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut slug = String::new();
    for c in stem.to_ascii_lowercase().chars() {
        if c.is_alphanumeric() || c == '_' {
            slug.push(c);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "trace".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests;

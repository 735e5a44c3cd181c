//! A change inside one cell: the rest of the text need not be read again.

use super::{Block, Document};
use crate::cells::Source;
use crate::splice::Splice;
use netspurt_core::shared::Shared;
use std::ops::Range;

impl Document {
    /// The document after a splice inside the body of one cell: that cell is read again, what follows
    /// moves along. `None`: the whole text must be read, since the splice may open or close a fence, or
    /// something is wrong with a cell, before or after.
    pub(super) fn with_one_cell_read(&self, splice: &Splice) -> Option<Self> {
        let is_in = |body: &Range<usize>| body.start <= splice.range.start && splice.range.end <= body.end;
        let at = self.blocks.iter().position(|b| b.cell().is_some_and(|c| is_in(&c.body)))?;
        // What is wrong is told with its place, which would move.
        if !splice.fits(&self.text) || self.cells().any(|c| c.content.is_err()) {
            return None;
        }
        let text = splice.apply(&self.text);
        let moved = |byte: usize| byte - splice.range.len() + splice.text.len();
        let lines = |text: &str| text.bytes().filter(|b| *b == b'\n').count();
        let (gone, come) = (lines(self.text.get(splice.range.clone())?), lines(&splice.text));
        let mut blocks = self.blocks.to_vec();
        let (before, after) = blocks.split_at_mut(at + 1);
        let Some(Block::Cell(cell)) = before.last_mut() else { return None };
        cell.body.end = moved(cell.body.end);
        cell.range.end = moved(cell.range.end);
        let body = text.get(cell.body.clone())?;
        let start = splice.range.start - cell.body.start;
        if !keeps_fences(body, start..start + splice.text.len()) {
            return None;
        }
        let content = cell.kind?.read(&Source { id: &cell.id, body }).ok()?;
        cell.content = Ok(Shared::new(content));
        for block in after {
            let (ranges, line) = match block {
                Block::Prose(p) => (vec![&mut p.range], &mut p.line),
                Block::Cell(c) => {
                    c.after_kind = moved(c.after_kind);
                    (vec![&mut c.range, &mut c.body], &mut c.line)
                }
            };
            *line = *line - gone + come;
            for range in ranges {
                *range = moved(range.start)..moved(range.end);
            }
        }
        Some(Self { text: text.into(), blocks: blocks.into(), title: self.title.clone() })
    }
}

/// Whether the lines that changed are surely no fences, and the body still ends with its line.
fn keeps_fences(body: &str, changed: Range<usize>) -> bool {
    let start = body[..changed.start].rfind('\n').map_or(0, |i| i + 1);
    let end = body[changed.end..].find('\n').map_or(body.len(), |i| changed.end + i);
    let is_plain = |line: &str| !line.contains('\r') && !line.trim_start().starts_with(['`', '~']);
    (body.is_empty() || body.ends_with('\n')) && body[start..end].split('\n').all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "\
# One

```netspurt rto foe
a = \"mills g=2\"

```

Text.

```netspurt trace office
delay_ms
5
```

```netspurt rto
trace = \"office\"
```
Last.
";

    /// Checks that a document after a splice is as if it were read anew; returns whether it was read in
    /// part.
    fn check(text: &str, splice: &Splice) -> bool {
        let before = Document::parse(text);
        let (after, anew) = (before.apply(splice), Document::parse(splice.apply(text)));
        let told = |d: &Document| format!("{:?} {:?} {:?}", d.text, d.title, d.blocks);
        assert_eq!(told(&after), told(&anew));
        before.with_one_cell_read(splice).is_some()
    }

    #[test]
    fn a_value_is_read_in_its_cell() {
        let set = |old: &str, new: &str| {
            let at = TEXT.find(old).unwrap();
            check(TEXT, &Splice::new(at..at + old.len(), new))
        };
        assert!(set("g=2", "g=2.25"));
        assert!(set("a = \"mills g=2\"", "trace = \"office\"\na = \"mills\""));
        assert!(set("5\n", "5\n6\n7\n"));
        assert!(set("a = \"mills g=2\"\n", ""));
        // What opens, closes or breaks something is read with the whole text.
        assert!(!set("g=2\"\n", "g=2\"\n```\n"));
        assert!(!set("5\n", "5"));
        assert!(!set("g=2", "g=-2"));
        assert!(!set("a = \"mills g=2\"\n\n```\n", ""));
        assert!(!set("Text.", "Other text."));
    }

    proptest! {
        #[test]
        fn after_any_splice_it_is_as_if_read_anew(
            from in 0..TEXT.len(), length in 0_usize..12,
            new in "([ag=2\\.\"\r\n`~ 5]|```|a = \"mills\"\n){0,4}",
        ) {
            check(TEXT, &Splice::new(from..(from + length).min(TEXT.len()), new));
        }
    }
}

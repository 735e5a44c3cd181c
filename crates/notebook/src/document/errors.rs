//! What is wrong with a cell, and where.

use super::line_at;
use crate::body::Problem;
use crate::splice::Splice;
use std::fmt;
use std::ops::Range;

/// Something wrong with a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellError {
    /// The line of the document, from 1.
    pub line: usize,
    /// The line of the cell, its opening fence being 1.
    pub cell_line: usize,
    /// What is at fault, in bytes of the document.
    pub range: Range<usize>,
    /// A sentence.
    pub message: String,
    /// A few words to stand beside the line: `from 0 to 1; did you mean 15/16?`
    pub remark: String,
    /// A change that would mend it. `None`: only the author can know.
    pub fix: Option<Fix>,
}

/// A change that would mend an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What a button says: `Use 15/16`.
    pub label: String,
    pub splice: Splice,
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for CellError {}

impl CellError {
    /// Moves a problem by `offset` bytes to its place in the text. The cell begins at byte and line
    /// `start`.
    pub(super) fn place(text: &str, start: (usize, usize), problem: Problem, offset: usize) -> Self {
        let moved = |r: Range<usize>| r.start + offset..r.end + offset;
        let range = moved(problem.range);
        let cell_line = line_at(&text[start.0..], range.start - start.0);
        Self {
            line: start.1 + cell_line - 1,
            cell_line,
            range,
            message: problem.message,
            remark: problem.remark,
            fix: problem
                .fix
                .map(|f| Fix { label: f.label.into(), splice: Splice::new(moved(f.range), f.text) }),
        }
    }
}

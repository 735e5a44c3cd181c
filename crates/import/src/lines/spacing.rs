//! How the lines of probes stand to each other, and what stands apart from them: the shell's, mostly.

use crate::text::past;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Lines {
    /// The lines of probes follow each other.
    #[default]
    Close,
    /// They have blank lines between them.
    Spaced,
    /// What comes is none of them, until one comes that is.
    Apart,
}

#[derive(Debug, Default)]
pub(super) struct Spacing {
    /// This line is blank, and the one before it.
    blank: bool,
    after_blank: bool,
    lines: Lines,
}

impl Spacing {
    /// Another line.
    pub(super) fn line(&mut self, content: &[u8]) {
        self.after_blank = std::mem::replace(&mut self.blank, content.is_empty());
    }

    /// A run begins.
    pub(super) fn heading(&mut self) {
        self.lines = Lines::Close;
    }

    /// This line is of a probe: others may stand as it does.
    pub(super) fn belongs(&mut self) {
        let spaced = self.after_blank || self.lines == Lines::Spaced;
        self.lines = if spaced { Lines::Spaced } else { Lines::Close };
    }

    /// Whether this line, which is not understood, can be of no probe. `begun`: the run has some.
    pub(super) fn stands_apart(&mut self, content: &[u8], begun: bool) -> bool {
        if is_prompt(content) || self.after_blank && self.lines == Lines::Close && begun {
            self.lines = Lines::Apart;
        }
        self.lines == Lines::Apart
    }
}

/// `C:\>`, `PS C:\Users\me> exit`
fn is_prompt(line: &[u8]) -> bool {
    let path = past(line, "PS ").unwrap_or(line);
    matches!(path, [drive, b':', b'\\', ..] if drive.is_ascii_alphabetic()) && path.contains(&b'>')
}

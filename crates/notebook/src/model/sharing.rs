//! The link that holds the notebook, and what it leaves out.

use super::{Effect, Model};
use crate::evaluate::payload;
use crate::link::{EncodeError, Link, encode};
use crate::traces::{parse_file, resolve};

/// What sharing came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    pub link: Result<Link, EncodeError>,
    pub left_out: Vec<LeftOut>,
}

/// A file the notebook uses that is not in its link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub file: String,
    /// How many packets it holds. `None`: it is not here either.
    pub packets: Option<usize>,
}

impl Model {
    /// The link to what is on the page.
    pub fn share(&self) -> Share {
        let link = encode(&payload(&self.document, &self.outcomes, self.view.pairs()));
        Share { link, left_out: self.left_out() }
    }

    fn left_out(&self) -> Vec<LeftOut> {
        let mut all: Vec<LeftOut> = Vec::new();
        for trace in self.document.cells().filter_map(super::experiment_of).filter_map(|r| r.trace.as_deref())
        {
            let Some((file, ..)) = parse_file(trace) else { continue };
            if all.iter().all(|l| l.file != file) {
                let here = resolve(trace, &self.document, &self.shelf).ok();
                all.push(LeftOut { file: file.to_owned(), packets: here.map(|t| t.len()) });
            }
        }
        all
    }

    pub(super) fn save_table(&self, cell: &str) -> Vec<Effect> {
        let Some(Ok(report)) = self.outcome(cell).map(|o| o.report.as_ref()) else { return Vec::new() };
        let bytes = report.frame.csv().into_bytes();
        vec![Effect::Download { name: format!("{cell}.csv"), mime: "text/csv", bytes }]
    }

    pub(super) fn save_markdown(&self) -> Vec<Effect> {
        let name = format!("{}.md", file_name(self.title()));
        let bytes = self.document.text().as_bytes().to_vec();
        vec![Effect::Download { name, mime: "text/markdown", bytes }]
    }
}

/// A title as a file name: letters and digits, others as one hyphen. A to Z become lower case.
fn file_name(title: &str) -> String {
    let title = title.to_ascii_lowercase();
    let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    if words.is_empty() { "notebook".to_owned() } else { words.join("-") }
}

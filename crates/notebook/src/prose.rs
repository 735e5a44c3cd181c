//! Prose as a small tree, for a page to turn into elements.
//!
//! `CommonMark` with tables and footnotes. The tree is closed: there is no way to say a style, a
//! script, or an address other than those [`safe_href`] lets through. Raw HTML stays text, an image
//! becomes its alternative text. Two forms have a meaning of their own here:
//!
//! - a block quotation of code blocks and a last paragraph is a [`Node::Source`]: what a source
//!   printed, letter for letter, and where;
//! - a paragraph in italics right after the first heading is the [byline](Tag::Byline).

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Tag as Mark};
use std::collections::BTreeMap;
use std::ops::Range;

/// A part of the prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    Element {
        tag: Tag,
        children: Vec<Self>,
    },
    Text(String),
    /// A quotation of what a source printed: the printed blocks, and the citation.
    Source {
        printed: Vec<String>,
        citation: Vec<Self>,
    },
}

/// What an element is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tag {
    /// Level 1 to 6.
    Heading(u8),
    Paragraph,
    /// The italic paragraph right after the first heading, without its italics.
    Byline,
    Quote,
    /// Its only child is text.
    CodeBlock,
    List,
    /// Counts from this number.
    Ordered(u64),
    Item,
    Table,
    TableHead,
    TableRow,
    TableCell(Align),
    Rule,
    Emphasis,
    Strong,
    /// Its only child is text.
    Code,
    /// Goes to an address that [`safe_href`] lets through.
    Link {
        href: String,
    },
    /// A line break that was asked for.
    Break,
    /// A raised number that points to the [footnote](Tag::Footnote) of the same number.
    FootnoteMark(usize),
    /// A note where it was written. Numbers count from 1 in the order of first mention.
    Footnote(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    None,
    Left,
    Center,
    Right,
}

impl Node {
    /// The words alone.
    pub fn text(&self) -> String {
        match self {
            Self::Text(t) => t.clone(),
            Self::Element { tag: Tag::Break, .. } => " ".to_owned(),
            Self::Element { children, .. } => children.iter().map(Self::text).collect(),
            Self::Source { printed, citation } => {
                let mut text = printed.join("\n");
                text.push('\n');
                text.extend(citation.iter().map(Self::text));
                text
            }
        }
    }
}

/// The address, if a link may go there: `http`, `https`, a fragment, or a relative path.
///
/// Browsers drop control characters and take `\` for `/`, so an address with any of these is
/// refused, as are other schemes and `//host`.
pub fn safe_href(href: &str) -> Option<&str> {
    let href = href.trim();
    if href.is_empty() || href.starts_with("//") || href.contains(|c: char| c.is_control() || c == '\\') {
        return None;
    }
    match href.split_once(':') {
        Some((scheme, _)) if !scheme.contains(['/', '?', '#']) => {
            matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https").then_some(href)
        }
        _ => Some(href),
    }
}

/// Elements nested deeper than this are taken apart, so that walking the tree is safe.
const DEEPEST: usize = 48;

/// What is being put together.
struct Open {
    /// `None`: only the children count (images, links to nowhere, what lies too deep).
    tag: Option<Tag>,
    start: usize,
    children: Vec<Node>,
}

/// Takes a parser's events and keeps the top-level nodes with their places.
#[derive(Default)]
pub(crate) struct Builder {
    open: Vec<Open>,
    done: Vec<(Range<usize>, Node)>,
    alignments: Vec<Alignment>,
    /// In the head of a table, the column the next cell lies in.
    column: usize,
    footnotes: BTreeMap<String, usize>,
}

impl Builder {
    /// Whether the next event is at the top level.
    pub(crate) fn at_top(&self) -> bool {
        self.open.is_empty()
    }

    pub(crate) fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(mark) => {
                let tag = self.tag(mark).filter(|_| self.open.len() < DEEPEST);
                self.open.push(Open { tag, start: range.start, children: Vec::new() });
            }
            Event::End(_) => self.close(range.end),
            Event::Text(t) | Event::Html(t) | Event::InlineHtml(t) => self.text(&t, range),
            Event::Code(t) => {
                self.push(element(Tag::Code, vec![Node::Text(t.into_string())]), range);
            }
            Event::SoftBreak => self.text(" ", range),
            Event::HardBreak => self.push(element(Tag::Break, Vec::new()), range),
            Event::Rule => self.push(element(Tag::Rule, Vec::new()), range),
            Event::FootnoteReference(label) => {
                let number = self.footnote(&label);
                self.push(element(Tag::FootnoteMark(number), Vec::new()), range);
            }
            // Extensions that are not switched on.
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::TaskListMarker(_) => {}
        }
    }

    /// The top-level nodes in order, the byline found.
    pub(crate) fn finish(mut self) -> Vec<(Range<usize>, Node)> {
        let title = self.done.iter().position(|(_, n)| is_heading(n));
        if let Some((_, Node::Element { tag: tag @ Tag::Paragraph, children })) =
            title.and_then(|i| self.done.get_mut(i + 1))
            && let [Node::Element { tag: Tag::Emphasis, children: words }] = children.as_mut_slice()
        {
            *tag = Tag::Byline;
            *children = std::mem::take(words);
        }
        self.done
    }

    fn tag(&mut self, mark: Mark<'_>) -> Option<Tag> {
        Some(match mark {
            Mark::Paragraph | Mark::HtmlBlock => Tag::Paragraph,
            Mark::Heading { level, .. } => Tag::Heading(depth(level)),
            Mark::BlockQuote(_) => Tag::Quote,
            Mark::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => Tag::CodeBlock,
            Mark::List(None) => Tag::List,
            Mark::List(Some(first)) => Tag::Ordered(first),
            Mark::Item => Tag::Item,
            Mark::Table(alignments) => {
                self.alignments = alignments;
                Tag::Table
            }
            Mark::TableHead => {
                self.column = 0;
                Tag::TableHead
            }
            Mark::TableRow => {
                self.column = 0;
                Tag::TableRow
            }
            Mark::TableCell => {
                let align = self.alignments.get(self.column).copied().unwrap_or(Alignment::None);
                self.column += 1;
                Tag::TableCell(match align {
                    Alignment::None => Align::None,
                    Alignment::Left => Align::Left,
                    Alignment::Center => Align::Center,
                    Alignment::Right => Align::Right,
                })
            }
            Mark::Emphasis => Tag::Emphasis,
            Mark::Strong => Tag::Strong,
            Mark::Link { dest_url, .. } => Tag::Link { href: safe_href(&dest_url)?.to_owned() },
            Mark::FootnoteDefinition(label) => Tag::Footnote(self.footnote(&label)),
            _ => return None,
        })
    }

    fn footnote(&mut self, label: &str) -> usize {
        let next = self.footnotes.len() + 1;
        *self.footnotes.entry(label.to_owned()).or_insert(next)
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        let siblings = match self.open.last_mut() {
            Some(open) => &mut open.children,
            None => return self.push(Node::Text(text.to_owned()), range),
        };
        match siblings.last_mut() {
            Some(Node::Text(t)) => t.push_str(text),
            _ => siblings.push(Node::Text(text.to_owned())),
        }
    }

    fn push(&mut self, node: Node, range: Range<usize>) {
        match self.open.last_mut() {
            Some(open) => open.children.push(node),
            None => self.done.push((range, node)),
        }
    }

    fn close(&mut self, end: usize) {
        let Some(Open { tag, start, mut children }) = self.open.pop() else { return };
        match tag {
            Some(Tag::CodeBlock) => {
                let mut code: String = children.iter().map(Node::text).collect();
                code.truncate(code.trim_end_matches(['\n', '\r']).len());
                self.push(element(Tag::CodeBlock, vec![Node::Text(code)]), start..end);
            }
            Some(Tag::Quote) => {
                let node = source(&mut children).unwrap_or_else(|| element(Tag::Quote, children));
                self.push(node, start..end);
            }
            Some(tag) => self.push(element(tag, children), start..end),
            None => {
                for child in children {
                    match child {
                        Node::Text(t) => self.text(&t, start..end),
                        other => self.push(other, start..end),
                    }
                }
            }
        }
    }
}

fn element(tag: Tag, children: Vec<Node>) -> Node {
    Node::Element { tag, children }
}

pub(crate) fn is_heading(node: &Node) -> bool {
    matches!(node, Node::Element { tag: Tag::Heading(_), .. })
}

/// A quotation's children, if they are code blocks and a last paragraph; taken out of the list.
fn source(children: &mut Vec<Node>) -> Option<Node> {
    let (Node::Element { tag: Tag::Paragraph, .. }, blocks @ [_, ..]) = children.split_last()? else {
        return None;
    };
    let printed = blocks
        .iter()
        .map(|b| matches!(b, Node::Element { tag: Tag::CodeBlock, .. }).then(|| b.text()))
        .collect::<Option<Vec<_>>>()?;
    let Some(Node::Element { children: citation, .. }) = children.pop() else { return None };
    Some(Node::Source { printed, citation })
}

fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Document};
    use std::fmt::Write as _;

    /// The tree in one line: `p(one em(two))`.
    fn show(node: &Node) -> String {
        match node {
            Node::Text(t) => format!("{t:?}"),
            Node::Source { printed, citation } => {
                format!("source({printed:?} {})", citation.iter().map(show).collect::<String>())
            }
            Node::Element { tag, children } => {
                let mut s = format!("{tag:?}").to_lowercase();
                if !children.is_empty() {
                    let children: Vec<_> = children.iter().map(show).collect();
                    write!(s, "[{}]", children.join(" ")).unwrap();
                }
                s
            }
        }
    }

    fn check(markdown: &str, expected: &str) {
        let document = Document::parse(markdown);
        let nodes = document.blocks().iter().flat_map(|b| match b {
            Block::Prose(p) => p.nodes.to_vec(),
            Block::Cell(_) => Vec::new(),
        });
        assert_eq!(nodes.map(|n| show(&n)).collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn the_usual_forms() {
        check(
            "a *b* **c** `d`\ne\\\nf",
            r#"paragraph["a " emphasis["b"] " " strong["c"] " " code["d"] " e" break "f"]"#,
        );
        check("- a\n- b\n\n3. c", r#"list[item["a"] item["b"]] ordered(3)[item["c"]]"#);
        check("    code\n", r#"codeblock["code"]"#);
        check("***", "rule");
        check(
            "| a | b |\n|---|--:|\n| 1 | 2 |",
            r#"table[tablehead[tablecell(none)["a"] tablecell(right)["b"]] tablerow[tablecell(none)["1"] tablecell(right)["2"]]]"#,
        );
    }

    #[test]
    fn footnotes_are_numbered_as_mentioned() {
        check(
            "a[^x] b[^y] c[^x]\n\n[^y]: why\n\n[^x]: ex",
            r#"paragraph["a" footnotemark(1) " b" footnotemark(2) " c" footnotemark(1)] footnote(2)[paragraph["why"]] footnote(1)[paragraph["ex"]]"#,
        );
    }

    #[test]
    fn html_is_text_and_an_image_its_words() {
        check("<b>x</b>", r#"paragraph["<b>x</b>"]"#);
        check("<script>\nalert(1)\n</script>", r#"paragraph["<script>\nalert(1)\n</script>"]"#);
        check("![a *b*](javascript:x)", r#"paragraph["a " emphasis["b"]]"#);
    }

    #[test]
    fn links_go_nowhere_odd() {
        for good in ["http://a", "HTTPS://a", "#2/x", "a/b.md", "./a:b", "?q=a:b", "a"] {
            assert_eq!(safe_href(good), Some(good));
        }
        for bad in [
            "javascript:x",
            "JavaScript:x",
            "java\tscript:x",
            " data:x",
            "//host",
            "\\\\host",
            "/\\host",
            "mailto:a",
            "",
        ] {
            assert_eq!(safe_href(bad), None, "{bad}");
        }
        check("[a](javascript:x) [b](c)", r#"paragraph["a " link { href: "c" }["b"]]"#);
    }

    #[test]
    fn a_printed_quotation_is_a_source() {
        check(
            "> ```\n> E = F*E\n> ```\n>\n> ```\n> x\n> ```\n>\n> RFC 889, *1983*",
            r#"source(["E = F*E", "x"] "RFC 889, "emphasis["1983"])"#,
        );
        check("> a\n>\n> b", r#"quote[paragraph["a"] paragraph["b"]]"#);
        check("> RFC 889", r#"quote[paragraph["RFC 889"]]"#);
    }

    #[test]
    fn italics_after_the_first_heading_are_the_byline() {
        check("# T\n\n*by me*\n\n*not*", r#"heading(1)["T"] byline["by me"] paragraph[emphasis["not"]]"#);
        check("# T\n\n*by* me", r#"heading(1)["T"] paragraph[emphasis["by"] " me"]"#);
    }

    #[test]
    fn nesting_has_an_end() {
        let deep = format!("{}x", "> ".repeat(5000));
        let document = Document::parse(deep);
        let Block::Prose(p) = &document.blocks()[0] else { panic!("prose expected") };
        assert_eq!(p.nodes[0].text(), "x");
        assert!(show(&p.nodes[0]).matches("quote").count() <= DEEPEST);
    }
}

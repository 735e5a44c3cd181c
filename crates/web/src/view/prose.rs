//! Prose to elements. A letter with a digit in italics is a variable: *F1*.

use super::parts::{value, variable};
use netspurt_notebook::prose::{Align, Node, Tag};
use yew::prelude::*;

/// A run of prose: the text, and beside it what sources printed.
pub(crate) fn text(nodes: &[Node]) -> Html {
    nodes.iter().filter(|n| !matches!(n, Node::Source { .. })).map(node).collect()
}

/// The quotations of sources among these nodes, for the left column; `None` if there are none.
pub(crate) fn sources(nodes: &[Node]) -> Option<Html> {
    let found: Vec<Html> = nodes
        .iter()
        .filter_map(|n| match n {
            Node::Source { printed, citation } => Some(html! {
                <blockquote>
                    { for printed.iter().map(|p| html! { <pre>{ p.clone() }</pre> }) }
                    <cite>{ children(citation) }</cite>
                </blockquote>
            }),
            _ => None,
        })
        .collect();
    (!found.is_empty()).then(|| found.into_iter().collect())
}

fn children(nodes: &[Node]) -> Html {
    nodes.iter().map(node).collect()
}

fn node(n: &Node) -> Html {
    match n {
        Node::Text(t) => fractions(t),
        Node::Source { .. } => html! {},
        Node::Element { tag, children: inner } => element(tag, inner),
    }
}

fn element(tag: &Tag, inner: &[Node]) -> Html {
    let kids = || children(inner);
    let plain = || inner.iter().map(Node::text).collect::<String>();
    match tag {
        Tag::Heading(1) => html! { <h1>{ kids() }</h1> },
        Tag::Heading(2) => html! { <h2>{ kids() }</h2> },
        Tag::Heading(_) => html! { <h3>{ kids() }</h3> },
        Tag::Paragraph => html! { <p>{ kids() }</p> },
        Tag::Byline => html! { <p class="by">{ kids() }</p> },
        Tag::Quote => html! { <blockquote>{ kids() }</blockquote> },
        Tag::CodeBlock => html! { <pre tabindex="0"><code>{ plain() }</code></pre> },
        Tag::List => html! { <ul>{ kids() }</ul> },
        Tag::Ordered(start) => html! { <ol start={start.to_string()}>{ kids() }</ol> },
        Tag::Item => html! { <li>{ kids() }</li> },
        Tag::Table => table(inner),
        // Rows and cells outside a table do not occur; their words are kept all the same.
        Tag::TableHead | Tag::TableRow | Tag::TableCell(_) => kids(),
        Tag::Rule => html! { <hr /> },
        Tag::Emphasis => match symbol(&plain()) {
            Some(s) => variable(s),
            None => html! { <em>{ kids() }</em> },
        },
        Tag::Strong => html! { <strong>{ kids() }</strong> },
        Tag::Code => html! { <code>{ plain() }</code> },
        Tag::Link { href } => html! { <a href={href.clone()} rel="noreferrer">{ kids() }</a> },
        Tag::Break => html! { <br /> },
        Tag::FootnoteMark(n) => {
            html! { <sup><a href={format!("#fn-{n}")} id={format!("fr-{n}")}>{ n }</a></sup> }
        }
        Tag::Footnote(n) => html! {
            <aside class="footnotes" id={format!("fn-{n}")}><sup>{ n }</sup>{ kids() }</aside>
        },
    }
}

fn table(rows: &[Node]) -> Html {
    let cells = |row: &[Node], head: bool| {
        row.iter()
            .filter_map(|cell| match cell {
                Node::Element { tag: Tag::TableCell(align), children: inner } => Some((align, inner)),
                _ => None,
            })
            .map(|(align, inner)| {
                let class = match align {
                    Align::Right => Some("r"),
                    Align::Center => Some("m"),
                    Align::None | Align::Left => None,
                };
                if head {
                    html! { <th scope="col" {class}>{ children(inner) }</th> }
                } else {
                    html! { <td {class}>{ children(inner) }</td> }
                }
            })
            .collect::<Html>()
    };
    let of = |wanted: Tag| {
        rows.iter().filter_map(move |row| match row {
            Node::Element { tag, children: inner } if *tag == wanted => Some(inner),
            _ => None,
        })
    };
    html! {
        <table>
            <thead>{ for of(Tag::TableHead).map(|r| html! { <tr>{ cells(r, true) }</tr> }) }</thead>
            <tbody>{ for of(Tag::TableRow).map(|r| html! { <tr>{ cells(r, false) }</tr> }) }</tbody>
        </table>
    }
}

/// A single letter, or a letter with digits: what prose writes in italics for a variable.
fn symbol(text: &str) -> Option<&str> {
    let (first, rest) = text.split_at_checked(1)?;
    let is_symbol =
        first.chars().all(|c| c.is_ascii_alphabetic()) && rest.chars().all(|c| c.is_ascii_digit());
    is_symbol.then_some(text)
}

/// Sets 15/16 in running text as a fraction.
fn fractions(text: &str) -> Html {
    let is_fraction = |word: &str| {
        word.split_once('/').is_some_and(|(a, b)| {
            !a.is_empty()
                && !b.is_empty()
                && a.len() <= 2
                && b.len() <= 2
                && (a.to_owned() + b).bytes().all(|c| c.is_ascii_digit())
        })
    };
    let mut out = Vec::new();
    let mut plain = String::new();
    for word in text.split_inclusive(|c: char| !(c.is_ascii_digit() || c == '/')) {
        let end = word.trim_end_matches(|c: char| !(c.is_ascii_digit() || c == '/')).len();
        let (candidate, tail) = word.split_at(end);
        if is_fraction(candidate) {
            out.push(html! { { std::mem::take(&mut plain) } });
            out.push(value(candidate));
        } else {
            plain.push_str(candidate);
        }
        plain.push_str(tail);
    }
    out.push(html! { { plain } });
    out.into_iter().collect()
}

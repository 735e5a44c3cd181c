//! A block of prose: the text right, what sources printed left, an editor in place.

use super::Surroundings;
use super::parts::button;
use super::prose;
use super::source::Editor;
use netspurt_core::shared::Shared;
use netspurt_notebook::model::{Msg, prose_element, prose_source_element};
use netspurt_notebook::prose::{Node, Tag};
use yew::prelude::*;

#[derive(Debug, Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) index: usize,
    pub(crate) nodes: Shared<Vec<Node>>,
    /// The Markdown, while it is being edited.
    pub(crate) editing: Option<String>,
    pub(crate) around: Surroundings,
}

#[component]
pub(crate) fn ProseBlock(props: &Props) -> Html {
    let index = props.index;
    let around = &props.around;
    if let Some(text) = &props.editing {
        let on_apply = around.on.reform(move |text| Msg::SetProse { block: index, text });
        let on_close = around.send(Msg::EditProse { block: None });
        return html! {
            <section class="cell prose">
                <Editor id={prose_source_element(index)} label="Text in Markdown" text={text.clone()} words=true {on_apply} {on_close} />
            </section>
        };
    }
    let edit = around.send(Msg::EditProse { block: Some(index) });
    sections(&props.nodes)
        .enumerate()
        .map(|(i, nodes)| {
            let lead = nodes.iter().any(|n| matches!(n, Node::Element { tag: Tag::Heading(1), .. }));
            let sources = prose::sources(nodes);
            html! {
                <section class="cell prose" id={(i == 0).then(|| prose_element(index))} tabindex="-1">
                    <div class="text">{ prose::text(nodes) }</div>
                    if let Some(sources) = sources {
                        <aside class={classes!("side", lead.then_some("lead"))} aria-label="What the source printed">{ sources }</aside>
                    }
                    if i == 0 { <div class="acts edit-prose">{ button(None, "Edit text", "small", edit.clone()) }</div> }
                </section>
            }
        })
        .collect()
}

/// Nodes from one heading of the second level to the next, so that a quotation stands beside its text.
fn sections(nodes: &[Node]) -> impl Iterator<Item = &[Node]> {
    let starts = nodes
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(_, n)| matches!(n, Node::Element { tag: Tag::Heading(2), .. }))
        .map(|(i, _)| i);
    let mut cuts: Vec<usize> = std::iter::once(0).chain(starts).collect();
    cuts.push(nodes.len());
    (0..cuts.len() - 1).map(move |i| &nodes[cuts[i]..cuts[i + 1]])
}

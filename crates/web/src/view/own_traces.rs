//! The library's traces from files: each with its kind, counts and a small picture, and what can be
//! done with it.

use super::Surroundings;
use super::drawer::{Entry, Group, choose, current_trace};
use super::opened::{inside, notes};
use super::parts::button;
use super::trace_names;
use netspurt_notebook::model::{Model, Msg};
use netspurt_notebook::spark::{HEIGHT, WIDTH};
use netspurt_notebook::traces::Opened;
use web_sys::HtmlInputElement;
use yew::prelude::*;

pub(super) fn own_traces(model: &Model, around: &Surroundings) -> Group {
    let current = current_trace(model);
    let entries: Vec<Entry> = model
        .shelf()
        .opened()
        .iter()
        .map(|opened| {
            let is_current = current.as_deref() == Some(opened.trace_name().as_str());
            let words = [opened.name.as_str(), &opened.file, &opened.found.kind].join(" ");
            Entry { words: crate::dom::lower(&words), html: row(model, opened, is_current, around) }
        })
        .collect();
    Group {
        title: "Your traces",
        open: !entries.is_empty(),
        columns: None,
        parts: vec![("", entries)],
        none: "None yet. What ping prints, or a table of delays, can be opened.",
    }
}

fn row(model: &Model, opened: &Opened, is_current: bool, around: &Surroundings) -> Html {
    let reference = opened.trace_name();
    let found = &opened.found;
    html! {
        <li class="file" key={reference.clone()}>
            <button type="button" aria-current={is_current.then_some("true")} onclick={choose(around, Msg::ShowTrace { name: reference.clone() })}>
                <span>{ opened.name.clone() }</span>
                <svg class="spark" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} aria-hidden="true"><path d={found.spark.clone()} /></svg>
                <small>{ &found.kind }{ ", " }{ trace_names::counts(&found.trace) }</small>
            </button>
            <details class="about">
                <summary aria-label={["About ", &opened.name].concat()} title="About this trace">{ "⋯" }</summary>
                <div>
                    <Name trace={reference.clone()} name={opened.name.clone()} on={around.on.clone()} />
                    if opened.name != opened.file { <p class="hint">{ "From the file " }{ &opened.file }</p> }
                    { notes(&found.trace.notes) }
                    { inside(model, opened, false, around) }
                    <div class="row">
                        if found.is_table {
                            { button(None, "Choose the columns again", "line small", around.send(Msg::ChooseColumns { trace: Some(reference.clone()) })) }
                        }
                        <button type="button" class="btn line small" aria-label={["Remove ", &opened.name].concat()}
                            onclick={around.send(Msg::ForgetTrace { trace: reference.clone() })}>{ "Remove" }</button>
                    </div>
                </div>
            </details>
        </li>
    }
}

#[derive(Debug, Clone, PartialEq, Properties)]
struct NameProps {
    trace: String,
    name: String,
    on: Callback<Msg>,
}

/// The name, which is kept when the field is left. A component of its own, so that what happens elsewhere
/// on the page does not undo what is being typed.
#[component]
fn Name(props: &NameProps) -> Html {
    let trace = props.trace.clone();
    let onchange = props.on.reform(move |e: Event| Msg::RenameTrace {
        trace: trace.clone(),
        name: e.target_unchecked_into::<HtmlInputElement>().value(),
    });
    // Typing is not a command.
    let onkeydown = Callback::from(|e: KeyboardEvent| e.stop_propagation());
    html! {
        <label class="field">{ "Name" }<input type="text" value={props.name.clone()} {onchange} {onkeydown} /></label>
    }
}

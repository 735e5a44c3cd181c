//! What was opened: where it can be seen, what was noticed, and what else is inside.

use super::Surroundings;
use super::parts::button;
use super::trace_names;
use netspurt_core::trace::Note;
use netspurt_notebook::model::{Model, Msg};
use netspurt_notebook::traces::Opened;
use yew::prelude::*;

/// The file that was opened last.
pub(crate) fn just_opened(model: &Model, opened: &Opened, around: &Surroundings) -> Html {
    let name = opened.trace_name();
    let found = &opened.found;
    // A summary has nothing to show.
    let shown = if found.trace.is_empty() { 0 } else { 4 };
    let cells = model
        .document()
        .cells()
        .filter(|c| c.kind.is_some_and(|k| k.experiment.is_some_and(|e| e.needs_trace)) && c.content.is_ok())
        .take(shown)
        .map(|c| {
            let msg = Msg::ChooseTrace { cell: c.id.clone(), name: name.clone() };
            button(None, &["Show it in ", &c.id].concat(), "line", around.send(msg))
        });
    html! {
        <section class="note opened" role="status" aria-label="Opened">
            <p><b>{ opened.name.clone() }</b>{ " is in the library: " }{ trace_names::counts(&found.trace) }
                { ". " }{ &found.kind }{ ". It stays on this computer." }</p>
            { notes(&found.trace.notes) }
            { inside(model, opened, true, around) }
            <div class="row">
                { for cells }
                if found.is_table {
                    { button(None, "Choose the columns again", "line", around.send(Msg::ChooseColumns { trace: Some(name.clone()) })) }
                }
                { button(None, "Done", "", around.send(Msg::DismissOpened)) }
            </div>
        </section>
    }
}

/// What an importer noticed: the first at once, all on demand.
pub(crate) fn notes(notes: &[Note]) -> Html {
    const FIRST: usize = 4;
    let one = |n: &Note| {
        html! { <li>if n.line > 0 { <b>{ "Line " }{ n.line }{ ": " }</b> }{ n.text.clone() }</li> }
    };
    if notes.is_empty() {
        return html! {};
    }
    html! {
        <>
            <ul class="notes">{ for notes.iter().take(FIRST).map(one) }</ul>
            if notes.len() > FIRST {
                <details class="more">
                    <summary>{ notes.len() - FIRST }{ " more that was noticed" }</summary>
                    <ul class="notes">{ for notes.iter().skip(FIRST).map(one) }</ul>
                </details>
            }
        </>
    }
}

/// The runs, targets, hops, flows or series of a file, each to become a trace of its own. `open`: the
/// list is shown at once.
pub(crate) fn inside(model: &Model, opened: &Opened, open: bool, around: &Surroundings) -> Html {
    let parts = &opened.found.inside;
    if parts.is_empty() || !opened.found.part.is_empty() {
        return html! {};
    }
    let trace = opened.trace_name();
    let add = |part: Option<usize>| around.send(Msg::AddParts { trace: trace.clone(), part });
    let is_there = |i: usize| {
        let how = opened.how.of_part(i);
        model.shelf().opened().iter().any(|o| o.how == how && o.found.sha256 == opened.found.sha256)
    };
    let missing = (0..parts.len()).filter(|i| !is_there(*i)).count();
    html! {
        <details class="inside" {open}>
            <summary>
                { opened.found.count }{ " things are inside. " }
                if parts.len() < opened.found.count { { "The first " }{ parts.len() }{ " are listed. " } }
                { "Choose one, or all" }
            </summary>
            <div class="scroll" tabindex="0" role="group" aria-label="What is inside">
                <table>
                    <tbody>{ for parts.iter().enumerate().map(|(i, part)| html! {
                        <tr>
                            <th scope="row">{ &part.name }<small>{ &part.kind }</small></th>
                            <td>{ &part.said }</td>
                            <td>
                                if is_there(i) { { "In the library" } }
                                else {
                                    <button type="button" class="btn line small" aria-label={["Add ", &part.name].concat()} onclick={add(Some(i))}>{ "Add" }</button>
                                }
                            </td>
                        </tr>
                    }) }</tbody>
                </table>
            </div>
            if missing > 1 { { button(None, "Add all, each as a trace", "line small", add(None)) } }
        </details>
    }
}

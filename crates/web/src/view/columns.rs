//! A table before it is read: its first rows, and what can be corrected in how they are taken.

use super::Surroundings;
use super::failures::panel;
use super::parts::button;
use netspurt_notebook::model::{Choosing, Msg};
use netspurt_notebook::reading::{Preview, Question};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

pub(crate) fn columns(choosing: &Choosing, around: &Surroundings, on_open: &Callback<MouseEvent>) -> Html {
    let inner = match &choosing.preview {
        None => html! { <p class="hint" role="status">{ "Looking at its first lines …" }</p> },
        Some(Err(why)) => html! {
            <div class="what"><h3>{ "What" }</h3><div>
                <p>{ why }</p>
                <div class="row">{ button(None, "Open another file", "main", on_open.clone()) }</div>
            </div></div>
        },
        Some(Ok(preview)) => form(preview, around),
    };
    let title = [&choosing.name, ": how its columns are read"].concat();
    panel("region", "Table", title, around.send(Msg::DismissColumns), inner)
}

fn form(preview: &Preview, around: &Surroundings) -> Html {
    html! {
        <div class="what">
            <div class="ctl">{ for preview.questions.iter().enumerate().map(|(i, q)| question(i, q, around)) }</div>
            <div>
                <div class="scroll" tabindex="0" role="group" aria-label="The first rows">
                    <table class="preview">
                        <caption class="vh">{ "The first rows, and what each column is taken for" }</caption>
                        <thead><tr>{ for preview.columns.iter().map(|(name, role)| html! {
                            <th scope="col" class={(!role.is_empty()).then_some("used")}>{ name }<small>{ if role.is_empty() { "not used" } else { role } }</small></th>
                        }) }</tr></thead>
                        <tbody>{ for preview.rows.iter().map(|row| html! {
                            <tr>{ for row.iter().enumerate().map(|(i, value)| html! {
                                <td class={preview.columns.get(i).is_some_and(|c| !c.1.is_empty()).then_some("used")}>{ value }</td>
                            }) }</tr>
                        }) }</tbody>
                    </table>
                </div>
                <p class="hint" role="status">{ "The first packets: " }{ &preview.read }</p>
                <div class="row">
                    { button(None, "Read it so", "main", around.send(Msg::ReadSo)) }
                    { button(None, "Leave it as it was", "line", around.send(Msg::DismissColumns)) }
                </div>
                <p class="hint">{ "A link reads the file so too. Cells that show it keep what they have." }</p>
            </div>
        </div>
    }
}

fn question(index: usize, question: &Question, around: &Surroundings) -> Html {
    let id = format!("column-question-{index}");
    let onchange = {
        let answers = question.answers.clone();
        around.on.reform(move |e: Event| {
            let at = e.target_unchecked_into::<HtmlSelectElement>().selected_index();
            let answer = usize::try_from(at).ok().and_then(|at| answers.get(at));
            Msg::SetReading(answer.map(|(_, reading)| reading.clone()).unwrap_or_default())
        })
    };
    html! {
        <div class="field">
            <label for={id.clone()}>{ &question.label }</label>
            <span class="sel"><select {id} {onchange}>{ for question.answers.iter().enumerate().map(|(i, (label, _))| html! {
                <option selected={i == question.chosen}>{ label }</option>
            }) }</select></span>
        </div>
    }
}

//! What happens to each of many things, a row a key, a button a thing.

use super::Surroundings;
use super::parts::capital;
use netspurt_core::experiments::Experiment;
use netspurt_core::tree::Marking;
use netspurt_notebook::model::Msg;
use yew::prelude::*;

pub(crate) fn marks(cell: &str, setup: &dyn Experiment, around: &Surroundings) -> Html {
    let markings = setup.markings();
    let Some(last) = markings.iter().map(|m| m.things.1).max() else { return html! {} };
    let first = markings.iter().map(|m| m.things.0).min().unwrap_or(0);
    let is_set = |m: &Marking| (m.things.0..=m.things.1).any(|n| setup.mark(m.key, n) > 0);
    let row = |m: &'static Marking| {
        html! {
            <tr>
                <th scope="row" title={m.help}>{ capital(m.gloss) }</th>
                { for (first..=last).map(|n| html! { <td>{ one(cell, setup, m, n, around) }</td> }) }
            </tr>
        }
    };
    html! {
        <details class="marks all" open={markings.iter().any(is_set)}>
            <summary>{ "Disturb messages" }</summary>
            <div class="scroll" tabindex="0" role="group" aria-label="Disturb messages">
                <table>
                    <thead><tr>
                        <th scope="col">{ "Message" }</th>
                        { for (first..=last).map(|n| html! { <th scope="col">{ setup.thing(n) }</th> }) }
                    </tr></thead>
                    <tbody>{ for markings.iter().map(row) }</tbody>
                </table>
            </div>
        </details>
    }
}

fn one(cell: &str, setup: &dyn Experiment, m: &'static Marking, n: u32, around: &Surroundings) -> Html {
    if n < m.things.0 {
        return html! {};
    }
    let mark = setup.mark(m.key, n);
    let next = if mark >= m.most { 0 } else { mark + 1 };
    let thing = setup.thing(n);
    let much = if m.most > 1 { format!(": {mark}") } else { String::new() };
    let shown = match (mark, m.most) {
        (0, _) => String::new(),
        (_, 1) => "×".to_owned(),
        (n, _) => n.to_string(),
    };
    html! {
        <button type="button" aria-pressed={(mark > 0).to_string()} aria-label={format!("{thing} {}{much}", m.gloss)}
            onclick={around.send(Msg::Mark { cell: cell.to_owned(), key: m.key, thing: n, mark: next })}>{ shown }</button>
    }
}

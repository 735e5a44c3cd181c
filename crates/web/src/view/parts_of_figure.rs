//! What stands above the parts of a figure that lie side by side: their heads, who holds what, and
//! where there is room for one alone, which one is shown.

use super::Surroundings;
use netspurt_core::report::{Chip, ChipState, Holder, Part};
use netspurt_notebook::model::Msg;
use yew::prelude::*;

pub(crate) fn heads(cell: &str, parts: &[Part], shown: usize, around: &Surroundings) -> Html {
    let shown = shown.min(parts.len().saturating_sub(1));
    html! {
        <>
            if parts.len() > 1 {
                <div class="switch" role="group" aria-label="Shown">
                    { for parts.iter().enumerate().map(|(i, part)| html! {
                        <button type="button" aria-pressed={(i == shown).to_string()}
                            onclick={around.send(Msg::ShowPart { cell: cell.to_owned(), part: i })}>{ part.title.clone() }</button>
                    }) }
                </div>
            }
            <div class="heads">
                { for parts.iter().enumerate().map(|(i, part)| html! {
                    <div class={classes!("head", (i == shown).then_some("is-shown"))}>
                        <p class="of"><b>{ part.title.clone() }</b>{ " " }<em>{ part.gist.to_string() }</em>{ " " }<span>{ part.printed.to_string() }</span></p>
                        { for part.holders.iter().map(holder) }
                    </div>
                }) }
            </div>
        </>
    }
}

fn holder(holder: &Holder) -> Html {
    html! {
        <p class="holds">
            <b>{ holder.name.clone() }</b>{ " " }
            { for holder.holds.iter().map(|(what, chips)| html! {
                <span>{ what.to_string() }{ " " }
                    if chips.is_empty() { <i>{ "none" }</i> }
                    { for chips.iter().map(chip) }
                </span>
            }) }
        </p>
    }
}

fn chip(chip: &Chip) -> Html {
    let (class, means) = match chip.state {
        ChipState::Plain => ("", ""),
        ChipState::Free if chip.name.is_empty() => ("free", "free"),
        ChipState::Free => ("free", ""),
        ChipState::Kept => ("kept", " set aside"),
        ChipState::Stored => ("stored", " stored"),
        ChipState::Leaving => ("leaving", " to host"),
    };
    html! { <span class={classes!("chip", class)} title={means.trim_start()}>{ chip.name.clone() }<span class="vh">{ means }{ " " }</span></span> }
}

//! Examples of a kind of cell: a list above a wide figure, buttons elsewhere. Choosing one is an edit.

use super::Surroundings;
use netspurt_notebook::document::Cell;
use netspurt_notebook::model::{Model, Msg};
use netspurt_notebook::presets::{self, Group, Preset};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

const GROUPS: [Group; 3] = [Group::Printed, Group::Experiment, Group::NotToTheLetter];

/// Those of a cell's kind, group by group, and which of them the cell is.
fn of(model: &Model, cell: &Cell) -> (Vec<(Group, Vec<&'static Preset>)>, Option<&'static Preset>) {
    let kind = cell.kind.map_or("", |k| k.name);
    let group = |g: Group| (g, presets::presets(kind).filter(|p| p.group == g).collect::<Vec<_>>());
    let groups = GROUPS.map(group).into_iter().filter(|(_, all)| !all.is_empty()).collect();
    (groups, presets::chosen(kind, model.document().body(cell)))
}

/// A list to choose from; nothing where there are none.
pub(crate) fn list(model: &Model, cell: &Cell, around: &Surroundings) -> Html {
    let (groups, chosen) = of(model, cell);
    if groups.is_empty() {
        return html! {};
    }
    let id = format!("{}-example", cell.id);
    let onchange = {
        let (on, cell) = (around.on.clone(), cell.id.clone());
        let all: Vec<&'static Preset> = groups.iter().flat_map(|(_, all)| all.clone()).collect();
        Callback::from(move |e: Event| {
            let value = e.target_unchecked_into::<HtmlSelectElement>().value();
            if let Some(p) = all.iter().find(|p| p.name == value) {
                on.emit(Msg::UseExample { cell: cell.clone(), name: p.name });
            }
        })
    };
    let option = |p: &&'static Preset| {
        html! { <option value={p.name} selected={chosen == Some(*p)}>{ p.name }</option> }
    };
    html! {
        <div class="field">
            <label for={id.clone()}>{ "Example" }</label>
            <span class="sel"><select {id} {onchange}>
                if chosen.is_none() { <option value="" selected=true>{ "Choose one" }</option> }
                { for groups.iter().map(|(group, all)| html! {
                    <optgroup label={group.title()}>{ for all.iter().map(option) }</optgroup>
                }) }
            </select></span>
        </div>
    }
}

/// A row of buttons a group; nothing where there are none.
pub(crate) fn buttons(model: &Model, cell: &Cell, around: &Surroundings) -> Html {
    let (groups, chosen) = of(model, cell);
    let button = |p: &&'static Preset| {
        html! {
            <button type="button" class="btn small line" aria-pressed={(chosen == Some(*p)).to_string()} title={p.sentence}
                onclick={around.send(Msg::UseExample { cell: cell.id.clone(), name: p.name })}>{ p.name }</button>
        }
    };
    html! {
        { for groups.iter().map(|(group, all)| html! {
            <div class="examples" role="group" aria-label={group.title()}>
                <span class="lab">{ group.title() }</span>
                <span class="row">{ for all.iter().map(button) }</span>
            </div>
        }) }
    }
}

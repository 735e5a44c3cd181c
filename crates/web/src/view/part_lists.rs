//! The parts an experiment is made of, one below the other, each with its settings; a list with a name is
//! folded under it.

use super::Surroundings;
use super::controls::parameter;
use super::icons::Icon;
use super::parts::{capital, icon_button};
use netspurt_core::experiments::Experiment;
use netspurt_core::params::Settings;
use netspurt_core::parts::Parts;
use netspurt_notebook::edit::Address;
use netspurt_notebook::model::{Msg, part_element};
use yew::prelude::*;

pub(super) fn part_lists(cell: &str, setup: &dyn Experiment, around: &Surroundings) -> Html {
    let lists = setup.parts();
    if lists.is_empty() {
        return html! {};
    }
    html! {
        <div class="params">
            { for lists.iter().enumerate().map(|(i, parts)| list(cell, i, &**parts, setup.note(parts.key()), around)) }
        </div>
    }
}

fn list(cell: &str, index: usize, parts: &dyn Parts, origin: &'static str, around: &Surroundings) -> Html {
    let (one, title) = (parts.one(), parts.title());
    let all: Vec<&dyn Settings> = (0..).map_while(|i| parts.part(i)).collect();
    let (least, most) = parts.count();
    let of =
        |preposition: &str| if title.is_empty() { String::new() } else { format!(" {preposition} {title}") };
    let remove = |part: usize| around.send(Msg::RemovePart { cell: cell.to_owned(), list: index, part });
    let fields = |part: usize, settings: &dyn Settings| {
        let address = |row: usize| Address::part(cell, parts, part, settings.spec(row).name);
        let id = part_element(cell, parts, Some(part));
        let name = format!("{one} {}", part + 1);
        let label = format!("Remove {name}{}", of("of"));
        let rows = (0..settings.len()).map(|row| parameter(settings, row, address(row), "", around));
        if settings.len() == 1 {
            return html! {
                <div class="part one" key={part} {id} role="group" tabindex="-1" aria-label={capital(&name) + &of("of")}>
                    <span class="row lab">{ capital(&name) }
                        if all.len() > least { { icon_button(Icon::Close, &label, "", "small", false, remove(part)) } }
                    </span>
                    { for rows }
                </div>
            };
        }
        html! {
            <details class="part" key={part}>
                <summary {id}>{ capital(&name) }<small>{ parts.gloss(part) }</small></summary>
                { for rows }
                if all.len() > least {
                    <button type="button" class="btn small out" onclick={remove(part)}>{ Icon::Close.html() }{ label }</button>
                }
            </details>
        }
    };
    let article = if one.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    let content = html! {
        <>
            { for all.iter().enumerate().map(|(i, settings)| fields(i, *settings)) }
            if all.len() < most {
                <button type="button" class="btn small out" id={part_element(cell, parts, None)}
                    onclick={around.send(Msg::AddPart { cell: cell.to_owned(), list: index })}>
                    { Icon::Plus.html() }{ format!("Add {article} {one}{}", of("to")) }
                </button>
            }
        </>
    };
    if title.is_empty() {
        return content;
    }
    let glosses: Vec<String> = (0..all.len()).map(|i| parts.gloss(i)).collect();
    html! {
        <details class="part" key={title.clone()}>
            <summary>{ capital(&title) }<small>{ glosses.join(", ") }</small>
                if !origin.is_empty() { <small class="from">{ origin }</small> }
            </summary>
            { content }
        </details>
    }
}

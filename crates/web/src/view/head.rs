//! A cell's head: its number and kind left, its title and actions right.

use super::Surroundings;
use super::icons::Icon;
use crate::dom;
use netspurt_notebook::edit::Address;
use netspurt_notebook::model::{Msg, Panel};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Debug, Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) cell: String,
    pub(crate) number: usize,
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    /// Whether the title can be changed here, and the numbers shown.
    pub(crate) runs: bool,
    pub(crate) panel: Panel,
    pub(crate) around: Surroundings,
}

#[component]
pub(crate) fn Head(props: &Props) -> Html {
    let renaming = use_state(|| false);
    let menu = use_state(|| false);
    let field = use_node_ref();
    let cell = || props.cell.clone();
    let around = &props.around;

    use_effect_with((field.clone(), *renaming), |(field, renaming)| {
        if let Some(field) = field.cast::<HtmlInputElement>().filter(|_| *renaming) {
            // Where the browser does not focus, a click does.
            let _ = field.focus();
            field.select();
        }
    });
    let toggle = |panel: Panel| {
        let next = if props.panel == panel { Panel::None } else { panel };
        around.send(Msg::ShowPanel { cell: cell(), panel: next })
    };
    let rename = {
        let (renaming, menu) = (renaming.clone(), menu.clone());
        Callback::from(move |_: MouseEvent| {
            menu.set(false);
            renaming.set(true);
        })
    };
    let finish = {
        let (on, cell, renaming) = (around.on.clone(), cell(), renaming.clone());
        Callback::from(move |text: Option<String>| {
            renaming.set(false);
            if let Some(text) = text {
                on.emit(Msg::Set { address: Address::key(&cell, "title"), text, live: false });
            }
        })
    };
    let onkeydown = {
        let finish = finish.clone();
        Callback::from(move |e: KeyboardEvent| {
            e.stop_propagation();
            match e.key().as_str() {
                "Enter" => finish.emit(Some(e.target_unchecked_into::<HtmlInputElement>().value())),
                "Escape" => finish.emit(None),
                _ => {}
            }
        })
    };
    let onblur = {
        let (finish, renaming) = (finish.clone(), renaming.clone());
        Callback::from(move |e: FocusEvent| {
            if *renaming {
                finish.emit(Some(e.target_unchecked_into::<HtmlInputElement>().value()));
            }
        })
    };
    let close_menu = {
        let menu = menu.clone();
        Callback::from(move |e: KeyboardEvent| {
            if e.key() == "Escape" && *menu {
                e.stop_propagation();
                menu.set(false);
            }
        })
    };
    let item = |label: &str, onclick: Callback<MouseEvent>| {
        let menu = menu.clone();
        let onclick = Callback::from(move |e: MouseEvent| {
            menu.set(false);
            onclick.emit(e);
        });
        html! { <li><button type="button" class="btn" {onclick}>{ label.to_owned() }</button></li> }
    };
    let onmenu = {
        let menu = menu.clone();
        Callback::from(move |_: MouseEvent| menu.set(!*menu))
    };
    let pop = use_node_ref();
    let onfocusout = {
        let (menu, pop) = (menu.clone(), pop.clone());
        Callback::from(move |e: FocusEvent| {
            if dom::leaves(&pop, &e) {
                menu.set(false);
            }
        })
    };
    let pressed = |panel: Panel| (props.panel == panel).to_string();
    let heading = format!("{}-title", props.cell);

    html! {
        <header>
            <span class="no"><b>{ props.number }</b>{ props.kind }</span>
            <div class="tt">
                if *renaming {
                    <input ref={field} class="rename" value={props.title.clone()} aria-label={format!("Title of cell {}", props.number)} {onkeydown} {onblur} />
                } else {
                    <h2 id={heading} ondblclick={props.runs.then(|| rename.clone())}>{ props.title.clone() }</h2>
                }
                <div class="acts">
                    if props.runs {
                        <button type="button" class="btn small" aria-pressed={pressed(Panel::Table)} onclick={toggle(Panel::Table)}>
                            { Icon::Table.html() }{ "Table" }
                        </button>
                    }
                    <button type="button" class="btn small" aria-pressed={pressed(Panel::Source)} onclick={toggle(Panel::Source)}>
                        { Icon::Code.html() }{ "Source" }
                    </button>
                    <div class="pop" ref={pop} onkeydown={close_menu} {onfocusout}>
                        <button type="button" class="btn small icon" aria-label={format!("More actions for cell {}", props.number)}
                            aria-expanded={menu.to_string()} onclick={onmenu}>{ Icon::More.html() }</button>
                        if *menu {
                            <ul class="menu">
                                if props.runs {
                                    { item("Rename", rename) }
                                    { item("Table", toggle(Panel::Table)) }
                                    { item("Save the table as CSV", around.send(Msg::SaveTable { cell: cell() })) }
                                }
                                { item("Source", toggle(Panel::Source)) }
                                { item("Duplicate", around.send(Msg::Duplicate { cell: cell() })) }
                                { item("Move up", around.send(Msg::MoveUp { cell: cell() })) }
                                { item("Move down", around.send(Msg::MoveDown { cell: cell() })) }
                                { item("Delete this cell", around.send(Msg::Delete { cell: cell() })) }
                            </ul>
                        }
                    </div>
                </div>
            </div>
        </header>
    }
}

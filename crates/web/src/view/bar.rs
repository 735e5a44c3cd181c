//! The bar at the top: library, title, lessons, open, share, export, undo, theme, keys.

use super::Surroundings;
use super::icons::{Icon, mark};
use super::parts::{button, icon_button};
use crate::dom;
use netspurt_notebook::model::{DRAWER_ELEMENT, Dialog, LIBRARY_ELEMENT, Model, Msg, Saved, Theme};
use yew::prelude::*;

pub(crate) fn bar(model: &Model, around: &Surroundings, on_open: Callback<MouseEvent>) -> Html {
    let drawer = model.view().drawer;
    let share = around.send(Msg::Dialog(Some(Dialog::Share)));
    let lessons = around.send(Msg::Drawer(!drawer));
    html! {
        <header class="bar">
            <button type="button" class="btn" id={LIBRARY_ELEMENT} aria-expanded={drawer.to_string()} aria-controls={drawer.then_some(DRAWER_ELEMENT)}
                aria-label="Library" title="Library (L)" onclick={around.send(Msg::Drawer(!drawer))}>
                { Icon::Menu.html() }<span class="big">{ "Library" }</span>
            </button>
            <span class="mark">{ mark() }<span>{ "Netspurt" }</span></span>
            <div class="doc">
                <b title={model.title().to_owned()}>{ model.title().to_owned() }</b>
                <span role="status">{ saved(model.saved()) }</span>
            </div>
            <span class="sp"></span>
            { button(Some(Icon::Lessons), "Lessons", "big opt", lessons) }
            { button(Some(Icon::Open), "Open", "big", on_open.clone()) }
            { button(Some(Icon::Share), "Share", "big", share.clone()) }
            { icon_button(Icon::Share, "Share", "", "only-s", false, share) }
            { button(Some(Icon::Export), "Export", "big opt", around.send(Msg::SaveMarkdown)) }
            <span class="sep big"></span>
            { icon_button(Icon::Undo, "Undo", "Ctrl+Z", "big", !model.can_undo(), around.send(Msg::Undo)) }
            { icon_button(Icon::Redo, "Redo", "Ctrl+Shift+Z", "big", !model.can_redo(), around.send(Msg::Redo)) }
            <span class="sep big opt"></span>
            { icon_button(Icon::Theme, theme_label(model.view().theme), "", "big opt", false, around.send(Msg::Theme(other(model.view().theme, around.dark)))) }
            { icon_button(Icon::Help, "Keys", "?", "big opt", false, around.send(Msg::Dialog(Some(Dialog::Keys)))) }
            <More can_undo={model.can_undo()} can_redo={model.can_redo()} theme={model.view().theme}
                around={around.clone()} {on_open} />
        </header>
    }
}

fn saved(saved: &Saved) -> String {
    match saved {
        Saved::Nothing => "Nothing to save yet".to_owned(),
        Saved::Pending => "Saving".to_owned(),
        Saved::Here => "Saved in this browser".to_owned(),
        Saved::Failed(_) => "Not saved: export to keep it".to_owned(),
    }
}

/// The theme a press leads to: the one that is not shown now.
fn other(theme: Theme, dark: bool) -> Theme {
    match (theme, dark) {
        (_, true) => Theme::Light,
        (_, false) => Theme::Dark,
    }
}

fn theme_label(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "Theme: as the system",
        Theme::Light => "Theme: light",
        Theme::Dark => "Theme: dark",
    }
}

#[derive(Debug, Clone, PartialEq, Properties)]
struct MoreProps {
    can_undo: bool,
    can_redo: bool,
    theme: Theme,
    around: Surroundings,
    on_open: Callback<MouseEvent>,
}

/// What does not fit into a narrow bar.
#[component]
fn More(props: &MoreProps) -> Html {
    let open = use_state(|| false);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let around = &props.around;
    let item = |icon, label: &str, class, disabled, onclick: Callback<MouseEvent>| {
        let open = open.clone();
        let onclick = Callback::from(move |e: MouseEvent| {
            open.set(false);
            onclick.emit(e);
        });
        html! {
            <li class={class}>
                <button type="button" class="btn" {disabled} {onclick}>{ Icon::html(icon) }{ label.to_owned() }</button>
            </li>
        }
    };
    let onkeydown = {
        let open = open.clone();
        Callback::from(move |e: KeyboardEvent| {
            if e.key() == "Escape" && *open {
                e.stop_propagation();
                open.set(false);
            }
        })
    };
    let pop = use_node_ref();
    let onfocusout = {
        let (open, pop) = (open.clone(), pop.clone());
        Callback::from(move |e: FocusEvent| {
            if dom::leaves(&pop, &e) {
                open.set(false);
            }
        })
    };
    html! {
        <div class="pop only-m" ref={pop} {onkeydown} {onfocusout}>
            <button type="button" class="btn icon" aria-label="More" aria-expanded={open.to_string()} onclick={toggle}>
                { Icon::More.html() }
            </button>
            if *open {
                <ul class="menu">
                    { item(Icon::Open, "Open", "only-s", false, props.on_open.clone()) }
                    { item(Icon::Undo, "Undo", "only-s", !props.can_undo, around.send(Msg::Undo)) }
                    { item(Icon::Redo, "Redo", "only-s", !props.can_redo, around.send(Msg::Redo)) }
                    { item(Icon::Lessons, "Lessons", "", false, around.send(Msg::Drawer(true))) }
                    { item(Icon::Export, "Export", "", false, around.send(Msg::SaveMarkdown)) }
                    { item(Icon::Theme, "Other theme", "", false, around.send(Msg::Theme(other(props.theme, around.dark)))) }
                    { item(Icon::Help, "Keys", "", false, around.send(Msg::Dialog(Some(Dialog::Keys)))) }
                </ul>
            }
        </div>
    }
}

//! Dialogs: sharing, the keys, and what can be opened.

use super::Surroundings;
use super::icons::Icon;
use super::parts::{button, icon_button};
use crate::dom;
use netspurt_notebook::link;
use netspurt_notebook::model::{Dialog, LeftOut, Model, Msg, Share as Shared};
use web_sys::{HtmlDialogElement, HtmlInputElement};
use yew::prelude::*;

#[derive(Debug, Clone, PartialEq, Properties)]
struct FrameProps {
    title: &'static str,
    around: Surroundings,
    children: Html,
}

/// The browser's own dialog: it keeps the focus, and Esc closes it.
#[component]
fn DialogFrame(props: &FrameProps) -> Html {
    let dialog = use_node_ref();
    use_effect_with(dialog.clone(), |dialog| {
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>().filter(|d| !d.open()) {
            // A browser without modal dialogs shows it all the same.
            if dialog.show_modal().is_err() {
                dialog.set_open(true);
            }
        }
    });
    // Closed by us it gives the focus back before it goes, and the page knows before the next key comes:
    // the browser tells of closing a moment later.
    let close = {
        let (dialog, on) = (dialog.clone(), props.around.on.clone());
        Callback::from(move |()| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
            on.emit(Msg::Dialog(None));
        })
    };
    let oncancel = close.reform(|_: Event| ());
    let onkeydown = Callback::from(|e: KeyboardEvent| e.stop_propagation());
    html! {
        <dialog class="dlg" ref={dialog} aria-labelledby="dialog-title" {oncancel} onclose={props.around.send(Msg::Dialog(None))} {onkeydown}>
            <header><h2 id="dialog-title">{ props.title }</h2>{ icon_button(Icon::Close, "Close", "Esc", "", false, close.reform(|_: MouseEvent| ())) }</header>
            { props.children.clone() }
        </dialog>
    }
}

pub(crate) fn dialog(
    model: &Model,
    letters: bool,
    on_letters: &Callback<bool>,
    around: &Surroundings,
) -> Html {
    match model.view().dialog {
        None => html! {},
        Some(Dialog::Share) => html! {
            <DialogFrame key="share" title="Share this notebook" around={around.clone()}>
                <Share shared={model.share()} around={around.clone()} />
            </DialogFrame>
        },
        Some(Dialog::Keys) => html! {
            <DialogFrame key="keys" title="Keys" around={around.clone()}>{ keys(letters, on_letters) }</DialogFrame>
        },
        Some(Dialog::Kinds) => html! {
            <DialogFrame key="kinds" title="What can be opened" around={around.clone()}>{ kinds(model.kinds()) }</DialogFrame>
        },
    }
}

fn kinds(kinds: &[(String, String)]) -> Html {
    html! {
        <>
            <p class="gap">{ "A file is known by what is in it, not by its name, and may be packed with gzip. It is read on this computer and sent nowhere." }</p>
            if kinds.is_empty() { <p class="hint" role="status">{ "Asking the importers …" }</p> }
            <ul class="kinds">{ for kinds.iter().map(|(title, reads)| html! { <li><b>{ title }</b>{ ": " }{ reads }</li> }) }</ul>
        </>
    }
}

#[derive(Debug, Clone, PartialEq, Properties)]
struct ShareProps {
    shared: Shared,
    around: Surroundings,
}

#[component]
fn Share(props: &ShareProps) -> Html {
    let copied = use_state(|| false);
    let field = use_node_ref();
    let shared = &props.shared;
    let link = match &shared.link {
        Ok(link) => link,
        Err(e) => {
            return html! {
                <>
                    <p class="gap">{ format!("There is no link: {e}.") }</p>
                    <footer>{ button(Some(Icon::Export), "Save the notebook as a file", "main", props.around.send(Msg::SaveMarkdown)) }</footer>
                </>
            };
        }
    };
    let address = dom::page_address() + link.fragment();
    let copy = {
        let (address, copied, field) = (address.clone(), copied.clone(), field.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(field) = field.cast::<HtmlInputElement>() {
                field.select();
            }
            let copied = copied.clone();
            dom::copy(address.clone(), move |done| copied.set(done));
        })
    };
    let said = match address.chars().count() {
        n if n <= link::SHORT => "short enough for mail and most chat",
        n if n <= link::CHAT => "too long for some mail programs, short enough for chat",
        _ => "too long for mail and most chat: send it as a file, or put it on a page",
    };
    html! {
        <>
            <p>{ "The link is the notebook. All of it sits after the #, so no server receives it." }</p>
            <div class="linkbox">
                <input ref={field} readonly=true value={address.clone()} aria-label="Link" />
                <button type="button" class="btn main" onclick={copy}>{ Icon::Copy.html() }{ if *copied { "Copied" } else { "Copy link" } }</button>
            </div>
            <div class="linkmeta">
                <span>{ format!("{} characters: {said}", dom::grouped(address.chars().count())) }</span>
                <span>{ "Check " }<span class="printed">{ link.check().to_owned() }</span></span>
            </div>
            { for shared.left_out.iter().map(left_out) }
            if !shared.left_out.is_empty() {
                <div class="row">{ button(Some(Icon::Export), "Save the notebook as a file", "line", props.around.send(Msg::SaveMarkdown)) }</div>
            }
            <p class="end">
                { "Same link, same figures: seeds and the version of the generator travel with it, and a digest of every result. \
                   If what opens is not bit for bit what you see, the reader is told which cell differs." }
            </p>
        </>
    }
}

fn left_out(l: &LeftOut) -> Html {
    let why = match l.packets {
        Some(n) => format!("Its {} packets are too many for a link.", dom::grouped(n)),
        None => "It is not open here either.".to_owned(),
    };
    html! {
        <div class="note B gap">
            <p><b>{ format!("{} is not in the link.", l.file) }</b>{ format!(" {why} Readers will be asked for the file: send it along, or fewer packets.") }</p>
        </div>
    }
}

/// Keys and what they do.
const KEYS: &[(&str, &[(&str, &str)])] = &[
    (
        "Notebook",
        &[
            ("Up, Down", "the cell before, the cell after"),
            ("Enter", "edit the current cell's source"),
            ("Esc", "leave, then close what is open"),
            ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo"),
            ("Ctrl+O", "open a file"),
            ("Ctrl+S", "save as a file"),
            ("L", "library"),
            ("?", "these keys"),
        ],
    ),
    (
        "Sliders",
        &[
            ("Arrows", "one step, with Shift ten"),
            ("Home, End", "least, greatest"),
            ("Delete", "back to the default"),
        ],
    ),
    (
        "Figures",
        &[
            ("Left, Right", "the packet before, the packet after, with Shift ten"),
            ("Home, End", "first packet, last packet"),
            ("+ and −", "show less of the time, more"),
            ("0 or double-click", "show all"),
        ],
    ),
];

fn keys(letters: bool, on_letters: &Callback<bool>) -> Html {
    let onchange = on_letters.reform(|e: Event| e.target_unchecked_into::<HtmlInputElement>().checked());
    html! {
        <>
            { for KEYS.iter().map(|(caption, rows)| html! {
                <table class="keys">
                    <caption>{ *caption }</caption>
                    <tbody>{ for rows.iter().map(|(key, does)| html! {
                        <tr><th scope="row">{ for key.split(", ").enumerate().map(|(i, k)| html! { <>if i > 0 { { " " } }<kbd>{ k }</kbd></> }) }</th><td>{ *does }</td></tr>
                    }) }</tbody>
                </table>
            }) }
            <label class="radio gap"><input type="checkbox" checked={letters} {onchange} />
                <span>{ "Single letters are commands" }<small>{ "Turn this off if you speak to your computer." }</small></span>
            </label>
        </>
    }
}

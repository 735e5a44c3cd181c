//! What did not work, in place: what, where, what to do.

use super::Surroundings;
use super::columns::columns;
use super::icons::Icon;
use super::opened::just_opened;
use super::parts::{button, capital, icon_button};
use netspurt_import::{BadRows, ErrorKind, Place, Remedy};
use netspurt_notebook::model::{FileFailure, LinkFailure, Model, Msg, Reproduced, Saved};
use yew::prelude::*;

/// Everything to be told of above the notebook.
pub(crate) fn failures(model: &Model, around: &Surroundings, on_open: &Callback<MouseEvent>) -> Html {
    html! {
        <>
            { model.link_failure().map(|f| link(f, around)) }
            if let Some(reading) = model.reading() {
                <div class="note" role="status">
                    <p><b>{ format!("Reading {} …", reading.name) }</b></p>
                    if let Some(percent) = reading.percent {
                        <p class="progress"><progress max="100" value={percent.to_string()} aria-label="How much is read"></progress>{ " " }{ percent }{ " %" }</p>
                    }
                    { button(None, "Stop", "small out", around.send(Msg::StopReading)) }
                </div>
            }
            { model.file_failure().map(|f| file(f, around, on_open)) }
            { model.opened().map(|o| just_opened(model, o, around)) }
            { model.choosing().map(|c| columns(c, around, on_open)) }
            if let Some(text) = model.refused() {
                <div class="note X refused" role="alert"><p>{ capital(text) }{ ". Nothing was changed." }</p></div>
            }
            if let Some(reproduced) = model.reproduced() {
                <div class={classes!("note", if matches!(reproduced, Reproduced::All(_)) { "C" } else { "X" })} role="status">
                    <p>{ reproduced.to_string() }</p>
                    { button(None, "Done", "small out", around.send(Msg::DismissReproduced)) }
                </div>
            }
            if model.other_tab() {
                <div class="note B" role="status">
                    <p><b>{ "Another tab has changed this notebook. " }</b>{ "What is here is kept beside it, as a notebook of its own: both are in the library." }</p>
                    { button(None, "Done", "small out", around.send(Msg::DismissOtherTab)) }
                </div>
            }
            if let Saved::Failed(why) = model.saved() {
                <div class="note B" role="status">
                    <p><b>{ "This notebook is not saved. " }</b>{ format!("The browser's storage is full or forbidden ({why}). What is on the page stays there; save it as a file to keep it.") }</p>
                    { button(None, "Save the notebook as a file", "small out", around.send(Msg::SaveMarkdown)) }
                </div>
            }
        </>
    }
}

/// Something that is to be settled before the notebook goes on. `role`: `alert`, or `region` for what
/// the reader asked for.
pub(super) fn panel(
    role: &'static str,
    kind: &str,
    title: String,
    dismiss: Callback<MouseEvent>,
    inner: Html,
) -> Html {
    html! {
        <section class="cell exp failure" {role} aria-label={title.clone()}>
            <header>
                <span class="no">if role == "alert" { { Icon::Warn.class("i warn") }{ " " } }{ kind.to_owned() }</span>
                <div class="tt">
                    <h2>{ title }</h2>
                    <div class="acts">{ icon_button(Icon::Close, "Dismiss", "", "small", false, dismiss) }</div>
                </div>
            </header>
            { inner }
        </section>
    }
}

fn row(heading: &str, inner: Html) -> Html {
    html! { <div class="what"><h3>{ heading.to_owned() }</h3><div>{ inner }</div></div> }
}

fn file(failure: &FileFailure, around: &Surroundings, on_open: &Callback<MouseEvent>) -> Html {
    let error = &failure.error;
    let at_line = matches!(error.kind, ErrorKind::BadRow | ErrorKind::TooLong);
    let title = match error.place.as_ref().filter(|_| at_line) {
        Some(place) => format!("{}: line {} cannot be read", failure.name, place.line),
        None => format!("{} cannot be read", failure.name),
    };
    let advice = error.remedies.iter().filter_map(|r| match r {
        Remedy::Advice(text) => Some(html! { <p>{ format!("{}.", capital(text)) }</p> }),
        _ => None,
    });
    let buttons = error.remedies.iter().enumerate().filter_map(|(i, r)| {
        let class = if i == 0 { "main" } else { "line" };
        let line = error.place.as_ref().map_or(0, |p| p.line);
        match r {
            Remedy::CountAsLost => Some(button(
                None,
                "Count it as a lost packet",
                class,
                around.send(Msg::ReadAgain(BadRows::Lost)),
            )),
            Remedy::LeaveOut => {
                let label = format!("Leave line {line} out");
                Some(button(None, &label, class, around.send(Msg::ReadAgain(BadRows::LeaveOut))))
            }
            Remedy::OpenAnother => Some(button(None, "Open another file", class, on_open.clone())),
            Remedy::ChooseColumns => {
                let msg = Msg::ChooseColumns { trace: None };
                let chosen = error.kind == ErrorKind::BadRow;
                let label = if chosen { "Choose the columns again" } else { "Choose the columns" };
                Some(button(None, label, class, around.send(msg)))
            }
            Remedy::Advice(_) => None,
        }
    });
    let others = error.others.map(|o| match (o.fine, o.bad) {
        (fine, 0) => format!("The other {fine} lines are fine. "),
        (fine, bad) => format!("Other lines: {fine} fine, {bad} with the same fault, treated alike. "),
    });
    let inner = html! {
        <>
            { row("What", html! { <p>{ error.what.clone() }</p> }) }
            if let Some(place) = &error.place { { row("Where", quoted(&failure.name, place)) } }
            { row("What to do", html! {
                <>
                    { for advice }
                    <div class="row">{ for buttons }</div>
                    <p class="hint">{ others.unwrap_or_default() }{ "Your notebook has not changed." }</p>
                </>
            }) }
        </>
    };
    panel("alert", "File not opened yet", title, around.send(Msg::DismissFailure), inner)
}

/// The line at fault among its neighbours; ⋮ where lines are left out.
fn quoted(name: &str, place: &Place) -> Html {
    let mut before = 0;
    let lines = place.excerpt.iter().enumerate().map(|(i, (number, text))| {
        let gap = before > 0 && *number > before + 1;
        before = *number;
        let line = if i == place.marked {
            let remark = if place.remark.is_empty() {
                String::new()
            } else {
                format!("         ← {}", place.remark)
            };
            html! { <><span class="bad">{ format!("{number:>4}  {text}{remark}") }</span>{ "\n" }</> }
        } else {
            html! { <><span class="n">{ format!("{number:>4}  ") }</span>{ format!("{text}\n") }</> }
        };
        html! { <>if gap { <span class="n">{ "   ⋮\n" }</span> }{ line }</> }
    });
    html! { <pre class="src" tabindex="0" aria-label={format!("Lines of {name}")}>{ for lines }</pre> }
}

fn link(failure: &LinkFailure, around: &Surroundings) -> Html {
    let inner = html! {
        <>
            { row("What", html! { <p>{ capital(&failure.what) }{ "." }</p> }) }
            { row("What to do", html! {
                <>
                    <p>{ failure.what_to_do }</p>
                    <div class="row">
                        if failure.readable.is_some() {
                            { button(None, "Open what could be read", "line", around.send(Msg::OpenReadable)) }
                        }
                        { button(None, "Stay here", "main", around.send(Msg::DismissLink)) }
                    </div>
                    <p class="hint">{ "Nothing was opened. The notebook below is the one that was here." }</p>
                </>
            }) }
        </>
    };
    panel(
        "alert",
        "Link not opened",
        "This link cannot be opened as it is".to_owned(),
        around.send(Msg::DismissLink),
        inner,
    )
}

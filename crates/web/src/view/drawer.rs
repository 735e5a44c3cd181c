//! The library: lessons, the reader's notebooks and traces, the runs of 1983.

use super::Surroundings;
use super::icons::Icon;
use super::own_traces::own_traces;
use super::parts::icon_button;
use super::trace_names;
use crate::effects::storage::StoredNotebook;
use netspurt_core::rto::printed::{Host, SECTIONS, host, lines, runs};
use netspurt_notebook::lessons::LESSONS;
use netspurt_notebook::model::{DRAWER_ELEMENT, Dialog, Model, Msg};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// A line of the library, and what a search looks at.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    /// Empty for lines that are found by their head alone.
    pub(super) words: String,
    pub(super) html: Html,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) open: bool,
    /// Printed above the lines; none for lines of another form.
    pub(super) columns: Option<[&'static str; 4]>,
    pub(super) parts: Vec<(&'static str, Vec<Entry>)>,
    /// Said where there is nothing.
    pub(super) none: &'static str,
}

pub(crate) fn drawer(
    model: &Model,
    notebooks: &[StoredNotebook],
    around: &Surroundings,
    on_notebook: &Callback<String>,
    on_open: &Callback<MouseEvent>,
) -> Html {
    let groups = vec![
        lessons(around),
        own_notebooks(notebooks, around, on_notebook),
        own_traces(model, around),
        of_1983(model, around),
        delay_lines(model, around),
    ];
    html! { <Library {groups} around={around.clone()} on_open={on_open.clone()} /> }
}

#[derive(Debug, Clone, PartialEq, Properties)]
struct Props {
    groups: Vec<Group>,
    around: Surroundings,
    on_open: Callback<MouseEvent>,
}

#[component]
fn Library(props: &Props) -> Html {
    let wanted = use_state(String::new);
    let oninput = {
        let wanted = wanted.clone();
        Callback::from(move |e: InputEvent| wanted.set(e.target_unchecked_into::<HtmlInputElement>().value()))
    };
    // Typing is not a command.
    let onkeydown = Callback::from(|e: KeyboardEvent| {
        if e.key() != "Escape" {
            e.stop_propagation();
        }
    });
    let search = crate::dom::lower(wanted.trim());
    html! {
        <nav class="drawer" id={DRAWER_ELEMENT} aria-label="Library" tabindex="-1">
            <div class="head"><h2>{ "Library" }</h2>
                { icon_button(Icon::Close, "Close library", "Esc", "", false, props.around.send(Msg::Drawer(false))) }
            </div>
            <label class="find">{ Icon::Find.html() }<span class="vh">{ "Find in the library" }</span>
                <input type="search" placeholder="Find a host, lesson or trace" {oninput} {onkeydown} />
            </label>
            <div class={classes!("lists", (!search.is_empty()).then_some("found"))}>{ for props.groups.iter().map(|g| group(g, &search)) }</div>
            <div class="drop">{ "Drop a CSV or ping log here, or choose " }
                <button type="button" class="link" onclick={props.on_open.clone()}>{ "Open" }</button>
                { ". It stays on this computer. " }
                <button type="button" class="link" onclick={props.around.send(Msg::Dialog(Some(Dialog::Kinds)))}>{ "What can be opened?" }</button>
            </div>
        </nav>
    }
}

fn group(group: &Group, search: &str) -> Html {
    let parts: Vec<(&str, Vec<&Entry>)> = group
        .parts
        .iter()
        .map(|(title, entries)| {
            (*title, entries.iter().filter(|e| search.is_empty() || e.words.contains(search)).collect())
        })
        .collect();
    let count: usize = parts.iter().map(|(_, e)| e.len()).sum();
    if count == 0 && !search.is_empty() {
        return html! {};
    }
    html! {
        <details key={group.title} open={group.open || !search.is_empty()}>
            <summary>{ group.title }<span>{ count }</span></summary>
            if count == 0 { <p class="none">{ group.none }</p> }
            if let Some(columns) = group.columns.filter(|_| count > 0) {
                <div class="colh" aria-hidden="true">{ for columns.iter().map(|c| html! { <span>{ *c }</span> }) }</div>
            }
            { for parts.into_iter().filter(|(_, e)| !e.is_empty()).map(|(title, entries)| html! {
                <>
                    if !title.is_empty() { <h3 class="sub">{ title }</h3> }
                    <ul>{ for entries.into_iter().map(|e| e.html.clone()) }</ul>
                </>
            }) }
        </details>
    }
}

fn lessons(around: &Surroundings) -> Group {
    let entries = LESSONS
        .iter()
        .map(|l| Entry {
            words: crate::dom::lower(&format!("{} {}", l.title, l.gloss)),
            html: html! {
                <li><button type="button" onclick={around.send(Msg::OpenLesson(l.id))}>
                    <span>{ format!("{}  {}", l.number, l.title) }</span><em>{ format!("{} min", l.minutes) }</em>
                    <small>{ l.gloss }</small>
                </button></li>
            },
        })
        .collect();
    Group { title: "Lessons", open: true, columns: None, parts: vec![("", entries)], none: "" }
}

fn own_notebooks(
    notebooks: &[StoredNotebook],
    around: &Surroundings,
    on_notebook: &Callback<String>,
) -> Group {
    let fresh = Entry {
        words: String::new(),
        html: html! {
            <li><button type="button" onclick={around.send(Msg::NewNotebook)}><span>{ "Empty notebook" }</span><em>{ "new" }</em></button></li>
        },
    };
    let kept = notebooks.iter().map(|n| {
        let id = n.id.clone();
        let onclick = on_notebook.reform(move |_: MouseEvent| id.clone());
        Entry {
            words: crate::dom::lower(&n.title),
            html: html! { <li><button type="button" {onclick}><span>{ n.title.clone() }</span><em>{ crate::dom::date(n.changed) }</em></button></li> },
        }
    });
    let entries = kept.chain(std::iter::once(fresh)).collect();
    Group { title: "Your notebooks", open: false, columns: None, parts: vec![("", entries)], none: "" }
}

fn of_1983(model: &Model, around: &Surroundings) -> Group {
    let current = current_trace(model);
    let parts = SECTIONS
        .iter()
        .map(|section| {
            let entries = runs().iter().filter(|r| r.section == *section).map(|run| {
                let name = run.name();
                let is_current = current.as_deref() == Some(name.as_str());
                let octets = trace_names::octets(run);
                let printed = [run.printed[5], run.printed[7]];
                let place = host(run.section, run.base_host);
                of_host(
                    (section.title, run.id, place),
                    is_current,
                    (octets, printed),
                    choose(around, Msg::ShowTrace { name }),
                )
            });
            (section.title, entries.collect())
        })
        .collect();
    let columns = Some(["Host", "Octets", "Mean, ms", "Eff."]);
    Group { title: "The 1983 runs", open: true, columns, parts, none: "" }
}

fn delay_lines(model: &Model, around: &Surroundings) -> Group {
    let current = model.line_target().and_then(|cell| model.view().cell(&cell).selected);
    let parts = SECTIONS
        .iter()
        .map(|section| {
            let entries =
                lines().iter().enumerate().filter(|(_, l)| l.section == *section).map(|(i, line)| {
                    let ends = [line.short.delay_ms.0, line.long.unwrap_or(line.short).delay_ms.1]
                        .map(|ms| ms.to_string());
                    let place = host(line.section, line.host);
                    let many = if line.long.is_some() { "two lines" } else { "one line" };
                    let printed = ends.each_ref().map(String::as_str);
                    of_host(
                        (section.title, line.host, place),
                        current == Some(i),
                        (many.to_owned(), printed),
                        choose(around, Msg::ShowLine { line: i }),
                    )
                });
            (section.title, entries.collect())
        })
        .collect();
    let columns = Some(["Host", "", "40, ms", "256"]);
    Group { title: "The 1983 delay lines", open: false, columns, parts, none: "" }
}

/// A line of a printed table: the host, a word on it, two printed figures. Where the host was found in
/// the index is told of the current line and of those a search has found.
fn of_host(
    (section, id, place): (&str, &'static str, Option<Host>),
    is_current: bool,
    (word, printed): (String, [&str; 2]),
    onclick: Callback<MouseEvent>,
) -> Entry {
    let place = place.map_or_else(String::new, |h| format!("{}, {}", h.nic_name, h.address));
    Entry {
        words: crate::dom::lower(&format!("{id} {place} {section}")),
        html: html! {
            <li class="run">
                <button type="button" aria-current={is_current.then_some("true")} title={place.clone()} {onclick}>
                    <b>{ id }</b><small>{ word }</small>
                    { for printed.iter().map(|p| html! { <em class="printed">{ (*p).to_owned() }</em> }) }
                    <small class="where">{ place }</small>
                </button>
            </li>
        },
    }
}

pub(super) fn current_trace(model: &Model) -> Option<String> {
    let cell = model.trace_target()?;
    model.document().cell(&cell)?.content.as_deref().ok()?.experiment()?.trace.clone()
}

/// Does what a line of the library offers; where the library covers the page, it closes first.
pub(super) fn choose(around: &Surroundings, msg: Msg) -> Callback<MouseEvent> {
    let on = around.on.clone();
    Callback::from(move |_| {
        if crate::dom::is_phone() {
            on.emit(Msg::Drawer(false));
        }
        on.emit(msg.clone());
    })
}

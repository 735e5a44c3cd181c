//! The apparatus of a cell: which trace, which estimators, their parameters and the cell's own.

use super::Surroundings;
use super::examples;
use super::icons::Icon;
use super::marks::marks;
use super::part_lists::part_lists;
use super::parts::{capital, letter, swatch};
use super::slider::Slider;
use super::trace_names;
use netspurt_core::experiments::{Experiment, SLOTS};
use netspurt_core::params::{Kind, Settings, Spec, Value};
use netspurt_core::report::Report;
use netspurt_core::rto::printed::{Run, SECTIONS, runs};
use netspurt_core::rto::rebuild::{Recipe, parse_name};
use netspurt_core::rto::{self, Rule};
use netspurt_core::trace::Trace;
use netspurt_notebook::cells::{Cell, slot_key};
use netspurt_notebook::edit::Address;
use netspurt_notebook::model::{Model, Msg};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Parameters shown before `More`: an estimator's, and a cell's own.
const FIRST: usize = 3;
const OWN_FIRST: usize = 5;
const WIDE_FIRST: usize = 6;

pub(crate) fn controls(
    model: &Model,
    id: &str,
    cell: &Cell,
    result: Option<(&Report, Option<&Trace>)>,
    around: &Surroundings,
) -> Html {
    // What was left to the trace is shown as it was settled.
    let trace = result.and_then(|(_, t)| t);
    let remark = trace.and_then(|t| t.provenance.rebuilt());
    let slot = model.view().cell(id).slot;
    let setup = trace.map_or_else(|| cell.setup.clone(), |t| cell.setup.settled(t, slot));
    let settings = setup.settings();
    let own = |i: usize| {
        if !settings.matters(i) {
            return html! {};
        }
        let name = settings.spec(i).name;
        parameter(settings, i, Address::key(id, name), setup.note(name), around)
    };
    let is_wide = setup.entry().is_wide;
    html! {
        <>
            if is_wide { { model.document().cell(id).map(|c| examples::list(model, c, around)) } }
            if setup.needs_trace() { { trace_field(model, id, cell, remark, around) } }
            if setup.slots().is_some() {
                { tabs(id, &*setup, slot, around) }
                { setup.slot(slot).map(|rule| parameters(id, &*setup, slot, rule, trace, around)) }
            } else {
                { own_parameters(settings, if is_wide { WIDE_FIRST } else { OWN_FIRST }, own) }
            }
            { part_lists(id, &*setup, around) }
            { marks(id, &*setup, around) }
        </>
    }
}

/// The cell's own parameters. From the first that says so on they are folded away, or where none does
/// the later ones, unless one of them is set.
fn own_parameters(settings: &dyn Settings, first: usize, own: impl Fn(usize) -> Html) -> Html {
    let all = settings.len();
    let first = (0..all).find(|&i| settings.spec(i).folded).unwrap_or(first).min(all);
    let open = (first..all).any(|i| settings.value(i) != settings.default_value(i));
    html! {
        <div class="params">
            { for (0..first).map(&own) }
            if first < all {
                <details {open}>
                    <summary>{ "More" }</summary>
                    <div class="more">{ for (first..all).map(&own) }</div>
                </details>
            }
        </div>
    }
}

/// What a cell can be run on besides the runs of 1983: names and labels.
type Traces = Vec<(String, String)>;

fn trace_field(
    model: &Model,
    id: &str,
    experiment: &Cell,
    remark: Option<String>,
    around: &Surroundings,
) -> Html {
    let label = |name: &str, trace: &Trace| [name, ", ", &trace_names::counts(trace)].concat();
    let inside: Traces =
        model.traces_inside().into_iter().map(|(id, t)| (id.clone(), label(&id, &t))).collect();
    let opened = model.shelf().opened().iter();
    let files: Traces = opened.map(|f| (f.trace_name(), label(&f.name, &f.found.trace))).collect();
    let named = experiment.trace.clone().unwrap_or_default();
    let is_cell = model.document().cell(&named).is_some();
    html! { <TraceField cell={id.to_owned()} {named} {is_cell} {inside} {files} {remark} around={around.clone()} /> }
}

#[derive(Debug, Clone, PartialEq, Properties)]
struct TraceProps {
    cell: String,
    /// The trace's name as the cell has it; empty: none is chosen.
    named: String,
    /// Whether that is the name of a cell.
    is_cell: bool,
    inside: Traces,
    files: Traces,
    remark: Option<String>,
    around: Surroundings,
}

/// A list of all traces: long, and the same at every step of a slider.
#[component]
fn TraceField(props: &TraceProps) -> Html {
    let TraceProps { cell, named, is_cell, inside, files, remark, around } = props;
    let id = [cell, "-trace"].concat();
    let rebuilt = parse_name(named).ok();
    // Under whatever recipe, it is the run that is chosen.
    let run_name = rebuilt.as_ref().map(|(run, _)| run.name());
    let chosen = run_name.as_deref().unwrap_or(named);
    let onchange = {
        let cell = cell.clone();
        around.on.reform(move |e: Event| Msg::ChooseTrace {
            cell: cell.clone(),
            name: e.target_unchecked_into::<HtmlSelectElement>().value(),
        })
    };
    let option = |name: &str, label: &str| {
        html! { <option value={name.to_owned()} selected={name == chosen}>{ label.to_owned() }</option> }
    };
    let listed = |title: &'static str, all: &Traces| {
        html! {
            if !all.is_empty() { <optgroup label={title}>{ for all.iter().map(|(name, label)| option(name, label)) }</optgroup> }
        }
    };
    let known = chosen.is_empty()
        || rto::printed::find(chosen).is_some()
        || *is_cell
        || files.iter().any(|(name, _)| name == chosen);
    html! {
        <div class="field">
            <label for={id.clone()}>{ "Trace" }</label>
            <span class="sel">
                <select {id} {onchange}>
                    if chosen.is_empty() { <option value="" selected=true>{ "Choose a trace" }</option> }
                    if !known { { option(chosen, chosen) } }
                    { listed("In this notebook", inside) }
                    { listed("Your files", files) }
                    { for SECTIONS.iter().map(|section| html! {
                        <optgroup label={["1983: ", section.title].concat()}>
                            { for runs().iter().filter(|r| r.section == *section).map(|r| option(&r.name(), &trace_names::run(r))) }
                        </optgroup>
                    }) }
                </select>
            </span>
            if let Some(remark) = remark { <p class="hint">{ remark.clone() }</p> }
            if let Some((run, recipe)) = rebuilt { { recipe_fields(cell, run, &recipe, around) } }
        </div>
    }
}

/// With which seed a run of 1983 is rebuilt, and as if which setting had printed it: both are part of
/// the trace's name.
fn recipe_fields(cell: &str, run: &'static Run, recipe: &Recipe, around: &Surroundings) -> Html {
    let on = {
        let (cell, recipe) = (cell.to_owned(), recipe.clone());
        around.on.reform(move |msg: Msg| {
            let (row, text, live) = match msg {
                Msg::Set { address, text, live } => (address.key, text, live),
                Msg::Step { address, steps } => {
                    let seed = (recipe.seed as f64 + steps).max(0.0);
                    (address.key, seed.to_string(), true)
                }
                other => return other,
            };
            let mut recipe = recipe.clone();
            // A seed that is refused leaves the one there is.
            let _ = recipe.set(&row, &text);
            Msg::Set { address: Address::key(&cell, "trace"), text: recipe.name(run), live }
        })
    };
    let around = Surroundings { on, ..around.clone() };
    html! {
        <details class="recipe" open={*recipe != Recipe::default()}>
            <summary>{ "Rebuild it otherwise" }</summary>
            { for (0..recipe.len()).map(|i| parameter(recipe, i, Address::key(cell, recipe.spec(i).name), "", &around)) }
        </details>
    }
}

fn tabs(cell: &str, setup: &dyn Experiment, slot: usize, around: &Surroundings) -> Html {
    let set: Vec<usize> = setup.set_slots().map(|(i, _)| i).collect();
    let onkeydown = {
        let (on, cell, set) = (around.on.clone(), cell.to_owned(), set.clone());
        Callback::from(move |e: KeyboardEvent| {
            let at = set.iter().position(|s| *s == slot).unwrap_or(0);
            let next = match e.key().as_str() {
                "ArrowRight" => (at + 1) % set.len(),
                "ArrowLeft" => (at + set.len() - 1) % set.len(),
                "Home" => 0,
                "End" => set.len() - 1,
                _ => return,
            };
            e.prevent_default();
            e.stop_propagation();
            crate::dom::focus(&format!("{cell}-tab-{}", set[next]));
            on.emit(Msg::SelectSlot { cell: cell.clone(), slot: set[next] });
        })
    };
    html! {
        <div class="tabrow">
            <div class="tabs" role="tablist" aria-label="Estimators" {onkeydown}>
                { for set.iter().map(|&i| {
                    let selected = i == slot;
                    html! {
                        <button type="button" role="tab" id={format!("{cell}-tab-{i}")} aria-selected={selected.to_string()}
                            aria-controls={format!("{cell}-params")} tabindex={if selected { "0" } else { "-1" }}
                            onclick={around.send(Msg::SelectSlot { cell: cell.to_owned(), slot: i })}>
                            { swatch(i) }{ letter(i) }
                        </button>
                    }
                }) }
            </div>
            <button type="button" class="btn small icon" aria-label="Add an estimator" title="Add an estimator"
                disabled={set.len() == SLOTS} onclick={around.send(Msg::AddSlot { cell: cell.to_owned() })}>
                { Icon::Plus.html() }
            </button>
        </div>
    }
}

fn parameters(
    cell: &str,
    setup: &dyn Experiment,
    slot: usize,
    rule: &dyn Rule,
    trace: Option<&Trace>,
    around: &Surroundings,
) -> Html {
    let options = setup.settings();
    // What an option comes to on this trace where it is not set.
    let unset = (setup.entry().make)();
    let unset = trace.map_or_else(|| unset.clone(), |t| unset.settled(t, slot));
    let option = |i: usize| {
        let address = Address::key(cell, options.spec(i).name);
        control(options.spec(i), options.value(i), unset.settings().value(i), address, "", around)
    };
    let numbers: Vec<usize> =
        (0..rule.len()).filter(|&i| matches!(rule.spec(i).kind, Kind::Number(_))).collect();
    let (first, later) = numbers.split_at(FIRST.min(numbers.len()));
    let at_defaults = (0..rule.len()).all(|i| rule.value(i) == rule.default_value(i));
    let reset = if rule.id() == "mills" { "Values of 1983" } else { "Usual values" };
    let of_slot = |i: usize| Address::param(cell, slot_key(slot), rule.spec(i).name);
    let open = later.iter().any(|&i| rule.value(i) != rule.default_value(i));
    html! {
        <div class="params" id={format!("{cell}-params")} role="tabpanel" aria-labelledby={format!("{cell}-tab-{slot}")}>
            { for first.iter().map(|&i| parameter(rule, i, of_slot(i), "", around)) }
            <button type="button" class="btn small out" disabled={at_defaults}
                onclick={around.send(Msg::ResetSlot { cell: cell.to_owned(), slot })}>
                { Icon::Reset.html() }{ reset }
            </button>
            <details {open}>
                <summary>{ "More" }</summary>
                { estimator_field(cell, slot, rule, around) }
                { for later.iter().map(|&i| parameter(rule, i, of_slot(i), "", around)) }
                { for (0..rule.len()).filter(|i| !numbers.contains(i)).map(|i| parameter(rule, i, of_slot(i), "", around)) }
                { for (0..options.len()).map(option) }
                if setup.set_slots().count() > 1 {
                    <button type="button" class="btn small out" onclick={around.send(Msg::RemoveSlot { cell: cell.to_owned(), slot })}>
                        { Icon::Close.html() }{ format!("Remove {}", letter(slot)) }
                    </button>
                }
            </details>
        </div>
    }
}

fn estimator_field(cell: &str, slot: usize, rule: &dyn Rule, around: &Surroundings) -> Html {
    let id = format!("{cell}-estimator");
    let onchange = {
        let cell = cell.to_owned();
        around.on.reform(move |e: Event| {
            let chosen = e.target_unchecked_into::<HtmlSelectElement>().value();
            let id = rto::all().iter().map(|e| e.id).find(|id| *id == chosen).unwrap_or("mills");
            Msg::ChooseEstimator { cell: cell.clone(), slot, id }
        })
    };
    html! {
        <div class="field">
            <label for={id.clone()}>{ format!("Estimator {}", letter(slot)) }</label>
            <span class="sel">
                <select {id} {onchange}>
                    { for rto::all().iter().map(|e| html! {
                        <option value={e.id} selected={e.id == rule.id()}>{ e.title }</option>
                    }) }
                </select>
            </span>
            <p class="hint">{ rule.source() }</p>
            if !rule.choices().is_empty() { <p class="hint">{ rule.choices() }</p> }
        </div>
    }
}

pub(super) fn parameter<S: Settings + ?Sized>(
    settings: &S,
    row: usize,
    address: Address,
    origin: &'static str,
    around: &Surroundings,
) -> Html {
    control(settings.spec(row), settings.value(row), settings.default_value(row), address, origin, around)
}

/// The control that a parameter's kind asks for.
fn control(
    spec: &'static Spec,
    value: Value,
    default: Value,
    address: Address,
    origin: &'static str,
    around: &Surroundings,
) -> Html {
    let id = format!("p-{}", address.to_string().replace('.', "-"));
    match (spec.kind, value, default) {
        (Kind::Number(_), Value::Number(value), Value::Number(default)) => {
            html! { <Slider key={id} {address} {spec} {value} {default} {origin} on={around.on.clone()} /> }
        }
        (Kind::Flag, Value::Flag(set), _) => flag(id, spec, set, address, around),
        (Kind::Choice(choices), Value::Choice(chosen), _) if choices.len() > 1 => {
            let onchange = around.on.reform(move |e: Event| Msg::Set {
                address: address.clone(),
                text: e.target_unchecked_into::<HtmlSelectElement>().value(),
                live: false,
            });
            html! {
                <div class="field" title={spec.help}>
                    <label for={id.clone()}>{ capital(spec.gloss) }if !origin.is_empty() { <small class="from">{ origin }</small> }</label>
                    <span class="sel"><select {id} {onchange}>
                        { for choices.iter().enumerate().map(|(i, c)| html! { <option value={*c} selected={*c == chosen}>{ spec.title(i).replace('-', " ") }</option> }) }
                    </select></span>
                </div>
            }
        }
        // A choice of one is no choice.
        _ => html! {},
    }
}

fn flag(id: String, spec: &'static Spec, set: bool, address: Address, around: &Surroundings) -> Html {
    let onchange = around.on.reform(move |e: Event| Msg::Set {
        address: address.clone(),
        text: e.target_unchecked_into::<HtmlInputElement>().checked().to_string(),
        live: false,
    });
    html! {
        <label class="radio" title={spec.help}>
            <input type="checkbox" {id} checked={set} {onchange} /><span>{ capital(spec.gloss) }</span>
        </label>
    }
}

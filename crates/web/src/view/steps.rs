//! The transport of a figure that is gone through in steps: first, back, play, forward, last, a slider,
//! and where to stop. What happens at the step is said below; space plays from anywhere inside.

use super::icons::Icon;
use super::parts::icon_button;
use gloo_timers::callback::Timeout;
use netspurt_notebook::model::{Go, Msg};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

#[derive(Debug, Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) cell: String,
    pub(crate) steps: usize,
    /// From 0; `None` shows the last.
    pub(crate) step: Option<usize>,
    pub(crate) said: Vec<String>,
    /// Steps worth stopping at, by name and place.
    pub(crate) stops: Vec<(String, usize)>,
    /// What the marks mean, beside the transport.
    pub(crate) legend: Html,
    /// The figure.
    pub(crate) children: Children,
    pub(crate) on: Callback<Msg>,
}

/// How long a step stands while it plays, ms.
const STEP_MS: u32 = 700;

#[component]
pub(crate) fn Steps(props: &Props) -> Html {
    let playing = use_state(|| false);
    let stop = use_state(|| None::<String>);
    let last = props.steps.saturating_sub(1);
    let at = props.step.unwrap_or(last).min(last);
    // Beyond the stop it plays on to the end.
    let chosen = props.stops.iter().find(|(name, _)| Some(name) == stop.as_ref());
    let until = chosen.map_or(last, |(_, step)| *step).min(last);
    let until = if at > until { last } else { until };
    let go = |go: Go| {
        let (on, cell, playing) = (props.on.clone(), props.cell.clone(), playing.clone());
        Callback::from(move |_: MouseEvent| {
            playing.set(false);
            on.emit(Msg::MoveRecord { cell: cell.clone(), go });
        })
    };
    let toggle = {
        let (on, cell, playing) = (props.on.clone(), props.cell.clone(), playing.clone());
        Callback::from(move |()| {
            // From the end it plays anew.
            if !*playing && at == until {
                on.emit(Msg::MoveRecord { cell: cell.clone(), go: Go::First });
            }
            playing.set(!*playing);
        })
    };
    let play = toggle.reform(|_: MouseEvent| ());
    let onkeydown = Callback::from(move |e: KeyboardEvent| {
        // What is pressed or written in keeps its own space.
        let on_control = e
            .target()
            .and_then(|t| t.dyn_into::<Element>().ok())
            .is_some_and(|t| matches!(t.tag_name().as_str(), "BUTTON" | "SELECT" | "SUMMARY" | "TEXTAREA"));
        if e.key() == " " && !on_control {
            e.prevent_default();
            toggle.emit(());
        }
    });
    let onchange = {
        let stop = stop.clone();
        Callback::from(move |e: Event| {
            let name = e.target_unchecked_into::<HtmlSelectElement>().value();
            stop.set((!name.is_empty()).then_some(name));
        })
    };
    let oninput = {
        let (on, cell) = (props.on.clone(), props.cell.clone());
        Callback::from(move |e: InputEvent| {
            let value = e.target_unchecked_into::<HtmlInputElement>().value_as_number();
            on.emit(Msg::SelectRecord { cell: cell.clone(), record: Some((value - 1.0).max(0.0) as usize) });
        })
    };
    use_effect_with((*playing, at, until), {
        let (on, cell, playing) = (props.on.clone(), props.cell.clone(), playing.clone());
        move |(is_playing, at, until)| {
            if *is_playing && at == until {
                playing.set(false);
            }
            let next = (*is_playing && at < until)
                .then(|| Timeout::new(STEP_MS, move || on.emit(Msg::MoveRecord { cell, go: Go::By(1) })));
            move || drop(next)
        }
    });
    let (icon, label) = if *playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    html! {
        <div class="steps" {onkeydown}>
            <div class="row transport">
                { icon_button(Icon::First, "First step", "", "line", at == 0, go(Go::First)) }
                { icon_button(Icon::Back, "Step back", "", "line", at == 0, go(Go::By(-1))) }
                { icon_button(icon, label, "", "line", false, play) }
                { icon_button(Icon::Forward, "Step forward", "", "line", at == last, go(Go::By(1))) }
                { icon_button(Icon::Last, "Last step", "", "line", at == last, go(Go::Last)) }
                <input type="range" min="1" max={props.steps.to_string()} step="1" value={(at + 1).to_string()}
                    aria-label="Step" {oninput} />
                <span class="at">{ format!("Step {} of {}", at + 1, props.steps) }</span>
                if !props.stops.is_empty() {
                    <label class="until">{ "Play to" }
                        <span class="sel"><select {onchange}>
                            <option value="" selected={stop.is_none()}>{ "the end" }</option>
                            { for props.stops.iter().map(|(name, _)| html! {
                                <option value={name.clone()} selected={Some(name) == stop.as_ref()}>{ name.clone() }</option>
                            }) }
                        </select></span>
                    </label>
                }
                { props.legend.clone() }
            </div>
            <div class="said" aria-live="polite">{ for props.said.iter().map(|s| html! { <p>{ s.clone() }</p> }) }</div>
            { props.children.clone() }
        </div>
    }
}

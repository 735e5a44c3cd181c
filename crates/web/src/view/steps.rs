//! The transport of a figure that is gone through in steps: first, back, play, forward, last, and a
//! slider. What happens at the step is said below.

use super::icons::Icon;
use super::parts::icon_button;
use gloo_timers::callback::Timeout;
use netspurt_notebook::model::{Go, Msg};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Debug, Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) cell: String,
    pub(crate) steps: usize,
    /// From 0; `None` shows the last.
    pub(crate) step: Option<usize>,
    pub(crate) said: Vec<String>,
    pub(crate) on: Callback<Msg>,
}

/// How long a step stands while it plays, ms.
const STEP_MS: u32 = 700;

#[component]
pub(crate) fn Steps(props: &Props) -> Html {
    let playing = use_state(|| false);
    let last = props.steps.saturating_sub(1);
    let at = props.step.unwrap_or(last).min(last);
    let go = |go: Go| {
        let (on, cell, playing) = (props.on.clone(), props.cell.clone(), playing.clone());
        Callback::from(move |_: MouseEvent| {
            playing.set(false);
            on.emit(Msg::MoveRecord { cell: cell.clone(), go });
        })
    };
    let play = {
        let (on, cell, playing) = (props.on.clone(), props.cell.clone(), playing.clone());
        Callback::from(move |_: MouseEvent| {
            // From the end it plays anew.
            if !*playing && at == last {
                on.emit(Msg::MoveRecord { cell: cell.clone(), go: Go::First });
            }
            playing.set(!*playing);
        })
    };
    let oninput = {
        let (on, cell) = (props.on.clone(), props.cell.clone());
        Callback::from(move |e: InputEvent| {
            let value = e.target_unchecked_into::<HtmlInputElement>().value_as_number();
            on.emit(Msg::SelectRecord { cell: cell.clone(), record: Some((value - 1.0).max(0.0) as usize) });
        })
    };
    use_effect_with((*playing, at), {
        let (on, cell, playing) = (props.on.clone(), props.cell.clone(), playing.clone());
        move |(is_playing, at)| {
            if *is_playing && *at == last {
                playing.set(false);
            }
            let next = (*is_playing && *at < last)
                .then(|| Timeout::new(STEP_MS, move || on.emit(Msg::MoveRecord { cell, go: Go::By(1) })));
            move || drop(next)
        }
    });
    let (icon, label) = if *playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    html! {
        <div class="steps">
            <div class="row">
                { icon_button(Icon::First, "First step", "", "line", at == 0, go(Go::First)) }
                { icon_button(Icon::Back, "Step back", "", "line", at == 0, go(Go::By(-1))) }
                { icon_button(icon, label, "", "line", false, play) }
                { icon_button(Icon::Forward, "Step forward", "", "line", at == last, go(Go::By(1))) }
                { icon_button(Icon::Last, "Last step", "", "line", at == last, go(Go::Last)) }
                <input type="range" min="1" max={props.steps.to_string()} step="1" value={(at + 1).to_string()}
                    aria-label="Step" {oninput} />
                <span class="at">{ format!("Step {} of {}", at + 1, props.steps) }</span>
            </div>
            <div class="said" aria-live="polite">{ for props.said.iter().map(|s| html! { <p>{ s.clone() }</p> }) }</div>
        </div>
    }
}

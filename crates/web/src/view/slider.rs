//! A slider with its variable, gloss, fraction, field, notch at the default, and reset.
//!
//! Everything comes from the parameter's table row. Dragging sends live values, letting go a release:
//! one step of undo. A value the table refuses is said in place and sent to nobody.

use super::icons::Icon;
use super::parts::{capital, fraction_of, variable};
use netspurt_core::params::{Kind, Range, Spec, Value};
use netspurt_notebook::edit::Address;
use netspurt_notebook::model::Msg;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

#[derive(Debug, Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) address: Address,
    pub(crate) spec: &'static Spec,
    pub(crate) value: f64,
    pub(crate) default: f64,
    /// Where the value comes from; empty: not said.
    pub(crate) origin: &'static str,
    pub(crate) on: Callback<Msg>,
}

#[component]
pub(crate) fn Slider(props: &Props) -> Html {
    let Kind::Number(range) = props.spec.kind else { return html! {} };
    let spec = props.spec;
    let id = format!("p-{}", props.address.to_string().replace('.', "-"));
    // Sends a value, `live` while it is still being moved.
    let send = {
        let (on, address) = (props.on.clone(), props.address.clone());
        move |text: String, live: bool| on.emit(Msg::Set { address: address.clone(), text, live })
    };
    let refused = use_state(|| None::<String>);
    let track = use_node_ref();
    let field = use_node_ref();

    // Custom properties go through the CSSOM: a style attribute would break the page's policy.
    use_effect_with((track.clone(), props.value, props.default), move |(track, value, default)| {
        if let Some(track) = track.cast::<HtmlElement>() {
            // A property that cannot be set leaves the notch where it was.
            let _ = track.style().set_property("--fill", &part(range, *value).to_string());
            let _ = track.style().set_property("--def", &part(range, *default).to_string());
        }
    });
    // The field shows what holds, unless someone is typing in it or it holds a refused text.
    use_effect_with((field.clone(), props.value, refused.is_some()), {
        let shown = spec_number(spec, props.value);
        move |(field, _, refused)| {
            if let Some(field) = field.cast::<HtmlInputElement>().filter(|_| !refused) {
                field.set_value(&shown);
            }
        }
    });

    let oninput = {
        let (send, refused) = (send.clone(), refused.clone());
        Callback::from(move |e: InputEvent| {
            refused.set(None);
            send(spec_text(spec, slider_value(range, &e)), true);
        })
    };
    let release = {
        let on = props.on.clone();
        Callback::from(move |_: Event| on.emit(Msg::Release))
    };
    let onkeydown = {
        let (send, on, address, default) =
            (send.clone(), props.on.clone(), props.address.clone(), props.default);
        Callback::from(move |e: KeyboardEvent| {
            // Steps are told to the model, not counted here: keys may come faster than the page is drawn.
            let ten = if e.shift_key() { 10.0 } else { 1.0 };
            let step = |steps: f64| on.emit(Msg::Step { address: address.clone(), steps });
            match e.key().as_str() {
                "Delete" | "Backspace" => send(spec_text(spec, default), true),
                "ArrowRight" | "ArrowUp" => step(ten),
                "ArrowLeft" | "ArrowDown" => step(-ten),
                "Home" => send(spec_text(spec, range.slider.0), true),
                "End" => send(spec_text(spec, range.slider.1), true),
                _ => return,
            }
            e.prevent_default();
            e.stop_propagation();
        })
    };
    let onkeyup = {
        let on = props.on.clone();
        Callback::from(move |_: KeyboardEvent| on.emit(Msg::Release))
    };
    let onchange = {
        let (send, refused) = (send.clone(), refused.clone());
        Callback::from(move |e: Event| {
            let text = e.target_unchecked_into::<HtmlInputElement>().value();
            match spec.parse(&text) {
                Ok(_) => {
                    refused.set(None);
                    send(text.trim().to_owned(), false);
                }
                Err(error) => refused.set(Some(error.to_string())),
            }
        })
    };
    let reset = {
        let (default, refused) = (props.default, refused.clone());
        Callback::from(move |_: MouseEvent| {
            refused.set(None);
            send(spec_text(spec, default), false);
        })
    };
    let at_default = props.value == props.default && refused.is_none();
    let name = if spec.symbol.is_empty() { spec.gloss } else { spec.symbol };
    let default = spec_text(spec, props.default);
    let unit = range.unit.symbol();
    let hint = format!("{id}-hint");

    html! {
        <div class="sl">
            <label class="nm" for={id.clone()} title={spec.help}>
                if spec.symbol.is_empty() { { capital(spec.gloss) } } else { { variable(spec.symbol) }<small>{ spec.gloss }</small> }
                if !props.origin.is_empty() { <small class="from">{ props.origin }</small> }
            </label>
            <span class="val">
                if range.fractions { <span class="frac" aria-hidden="true">{ fraction_of(props.value) }</span> }
                <input ref={field} class={classes!("num", (range.max > WIDE).then_some("wide"))} type="text" inputmode="decimal" autocomplete="off"
                    aria-label={format!("{name}, value")} aria-invalid={refused.is_some().then_some("true")}
                    aria-describedby={refused.is_some().then(|| hint.clone())} {onchange} />
                if !unit.is_empty() { <span>{ unit }</span> }
            </span>
            <span class="tr">
                <span class="tk" ref={track}>
                    <input type="range" id={id.clone()} min="0" max="1000000" step="1"
                        value={(part(range, props.value) * 1e6).round().to_string()}
                        aria-valuetext={value_text(spec, props.value)}
                        {oninput} onchange={release} {onkeydown} {onkeyup} />
                    <i></i>
                </span>
                <button class="reset" type="button" hidden={at_default} onclick={reset}
                    aria-label={format!("Reset {name} to {default}")} title={format!("Reset to {default}")}>
                    { Icon::Reset.html() }
                </button>
            </span>
            if let Some(text) = refused.as_ref() { <p class="hint wrong" id={hint} role="alert">{ text.clone() }</p> }
        </div>
    }
}

/// Numbers up to here fit a field of the usual width.
const WIDE: f64 = 1e7;

/// Where a value lies on the track, 0 to 1.
fn part(range: Range, value: f64) -> f64 {
    ((value - range.slider.0) / (range.slider.1 - range.slider.0)).clamp(0.0, 1.0)
}

/// The value under the thumb, on a whole step.
fn slider_value(range: Range, e: &InputEvent) -> f64 {
    let at = e
        .target()
        .and_then(|t| t.dyn_into::<HtmlInputElement>().ok())
        .map_or(0.0, |input| input.value_as_number() / 1e6);
    range.on_step(range.slider.0 + at * (range.slider.1 - range.slider.0))
}

fn spec_text(spec: &Spec, number: f64) -> String {
    spec.print(Value::Number(number))
}

/// The field's text: a decimal; the fraction stands beside it.
fn spec_number(spec: &Spec, number: f64) -> String {
    match spec.kind {
        Kind::Number(Range { fractions: true, .. }) => number.to_string(),
        _ => spec_text(spec, number),
    }
}

/// What a screen reader says of the slider.
fn value_text(spec: &Spec, number: f64) -> String {
    let (text, decimal) = (spec_text(spec, number), number.to_string());
    let unit = match spec.kind {
        Kind::Number(range) => range.unit.symbol(),
        _ => "",
    };
    let text = if text == decimal { text } else { format!("{text}, {decimal}") };
    format!("{text} {unit}").trim_end().to_owned()
}

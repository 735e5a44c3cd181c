//! An editor for a stretch of the notebook's text, with what is wrong below it.

use super::parts::button;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

#[derive(Debug, Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The id of the field, by which it gets the focus.
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) text: String,
    /// Prose is set in the serif, sources in the typewriter face.
    #[prop_or_default]
    pub(crate) words: bool,
    /// What is wrong with the text as it stands; `line` counts from 1 in the text.
    #[prop_or_default]
    pub(crate) errors: Vec<(usize, String)>,
    pub(crate) on_apply: Callback<String>,
    pub(crate) on_close: Callback<()>,
}

#[component]
pub(crate) fn Editor(props: &Props) -> Html {
    let field = use_node_ref();
    // A change from elsewhere, such as undo, shows in the field.
    use_effect_with((field.clone(), props.text.clone()), |(field, text)| {
        if let Some(field) = field.cast::<HtmlTextAreaElement>() {
            field.set_value(text);
        }
    });
    let apply = {
        let (field, on_apply) = (field.clone(), props.on_apply.clone());
        Callback::from(move |(): ()| {
            if let Some(field) = field.cast::<HtmlTextAreaElement>() {
                on_apply.emit(field.value());
            }
        })
    };
    let onkeydown = {
        let (apply, on_close) = (apply.clone(), props.on_close.clone());
        Callback::from(move |e: KeyboardEvent| {
            // What is typed here belongs to the text; commands with Ctrl are the page's.
            if !(e.ctrl_key() || e.meta_key()) {
                e.stop_propagation();
            }
            match e.key().as_str() {
                "Escape" => on_close.emit(()),
                "Enter" if e.ctrl_key() || e.meta_key() => apply.emit(()),
                _ => {}
            }
        })
    };
    let wrong = !props.errors.is_empty();
    html! {
        <div class="edit">
            <textarea ref={field} id={props.id.clone()} class={classes!("src", props.words.then_some("words"))} spellcheck={props.words.to_string()}
                aria-label={props.label.clone()} aria-invalid={wrong.then_some("true")} rows={rows(&props.text)} {onkeydown} />
            { for props.errors.iter().map(|(line, text)| html! {
                <p class="bad" role="alert">{ format!("line {line}: {text}") }</p>
            }) }
            <div class="row">
                { button(None, "Apply", "main", apply.reform(|_: MouseEvent| ())) }
                { button(None, "Close", "line", props.on_close.reform(|_: MouseEvent| ())) }
                <span class="hint">{ "Ctrl+Enter applies, Esc closes." }</span>
            </div>
        </div>
    }
}

/// As many rows as the text has, within reason.
fn rows(text: &str) -> String {
    text.lines().count().clamp(4, 24).to_string()
}

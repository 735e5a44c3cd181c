//! Small pieces used everywhere: buttons, line samples, variables and fractions.

use super::icons::Icon;
use netspurt_core::params::fraction;
use netspurt_core::rto::slot::Description;
use yew::prelude::*;

/// A button with an icon and words.
pub(crate) fn button(
    icon: Option<Icon>,
    label: &str,
    class: &'static str,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button type="button" class={classes!("btn", class)} {onclick}>
            { icon.map(Icon::html) }{ label.to_owned() }
        </button>
    }
}

/// A button that shows its icon alone; `label` is its name, `key` the key that does the same.
pub(crate) fn icon_button(
    icon: Icon,
    label: &str,
    key: &str,
    class: &'static str,
    disabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    let title = if key.is_empty() { label.to_owned() } else { format!("{label} ({key})") };
    html! {
        <button type="button" class={classes!("btn", "icon", class)} {disabled} {onclick}
            aria-label={label.to_owned()} {title}>
            { icon.html() }
        </button>
    }
}

/// `A` to `D`, also the class that gives a series its colour.
pub(crate) fn letter(slot: usize) -> &'static str {
    ["A", "B", "C", "D"].get(slot).copied().unwrap_or("D")
}

/// A sample of a series' line.
pub(crate) fn swatch(slot: usize) -> Html {
    html! {
        <svg class={classes!("sw", letter(slot))} viewBox="0 0 24 8" aria-hidden="true">
            <path class="ln" d="M0 4H24" />
        </svg>
    }
}

/// A variable as the source writes it, its digits as a subscript: F1.
pub(crate) fn variable(symbol: &str) -> Html {
    let at = symbol.find(|c: char| c.is_ascii_digit()).unwrap_or(symbol.len());
    let (letter, index) = symbol.split_at(at);
    html! {
        <span class="var">{ letter.to_owned() }if !index.is_empty() { <sub>{ index.to_owned() }</sub> }</span>
    }
}

/// A value; a fraction is set as one.
pub(crate) fn value(text: &str) -> Html {
    if text.contains('/') {
        html! { <span class="frac">{ text.to_owned() }</span> }
    } else {
        html! { { text.to_owned() } }
    }
}

/// `F1 = 15/16, F2 = 3/4, G = 2`
pub(crate) fn description(d: &Description) -> Html {
    let title = d.title.map(|t| html! { { t } });
    let settings = d.settings.iter().map(|s| {
        if s.is_symbol {
            html! { <>{ variable(&s.name) }{ " = " }{ value(&s.value) }</> }
        } else {
            html! { <>{ s.name.clone() }{ " " }{ value(&s.value) }</> }
        }
    });
    title
        .into_iter()
        .chain(settings)
        .enumerate()
        .map(|(i, part)| {
            if i == 0 {
                part
            } else {
                html! { <>{ ", " }{ part }</> }
            }
        })
        .collect()
}

/// A number as a fraction where it is one, for the place beside its field.
pub(crate) fn fraction_of(number: f64) -> Html {
    fraction(number).map_or_else(|| html! {}, |f| value(&f))
}

/// With a capital letter first.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_ascii_uppercase().to_string()).unwrap_or_default() + chars.as_str()
}

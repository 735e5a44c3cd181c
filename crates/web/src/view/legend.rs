//! What the marks and arrows of a figure mean: small drawings as the figure's own.

use netspurt_core::figure::{Arrow, Glyph, Role};
use netspurt_core::report::{Sample, Words};
use yew::prelude::*;

pub(crate) fn legend(all: &[(Sample, Words)]) -> Html {
    html! {
        <div class="keyrow" role="group" aria-label="Key">
            { for all.iter().map(|(sample, means)| html! { <span class={class(*sample)}>{ drawing(*sample) }{ means.to_string() }</span> }) }
        </div>
    }
}

fn class(sample: Sample) -> &'static str {
    match sample {
        Sample::Arrow(role, _) | Sample::Glyph(role, _) => match role {
            Role::Series(slot) => super::parts::letter(slot),
            Role::Alarm => "X",
            _ => "",
        },
    }
}

fn drawing(sample: Sample) -> Html {
    const HEAD: &str = "M44 6l-8-3.5v7z";
    match sample {
        Sample::Arrow(_, arrow) => html! {
            <svg class="arrow" viewBox="0 0 44 12" aria-hidden="true">
                { match arrow {
                    Arrow::Filled => html! { <><path class="mk" d="M0 6H37" /><path class="mf" d={HEAD} /></> },
                    Arrow::Double => html! { <><path class="mk" d="M0 4.4H37M0 7.6H37" /><path class="mf" d={HEAD} /></> },
                    Arrow::Open => html! { <path class="mk" d="M44 6H0M8 2.5L0 6l8 3.5" /> },
                    Arrow::Dashed => html! { <><path class="mk dash" d="M44 6H8" /><path class="mf" d="M4 2l4 4-4 4-4-4z" /></> },
                } }
            </svg>
        },
        Sample::Glyph(_, glyph) => html! {
            <svg class="glyph" viewBox="0 0 12 12" aria-hidden="true">
                { match glyph {
                    Glyph::Cross => html! { <path class="mk" d="M2 2l8 8M10 2l-8 8" /> },
                    Glyph::Square | Glyph::Frame => html! { <path class="mk" d="M2 2h8v8H2z" /> },
                    Glyph::Diamond | Glyph::SmallDiamond => html! { <path class="mk" d="M6 1l5 5-5 5-5-5z" /> },
                    Glyph::Triangle => html! { <path class="mk" d="M6 1l5 9H1z" /> },
                    Glyph::Ring => html! { <circle class="mk" cx="6" cy="6" r="4.5" /> },
                    Glyph::Dot | Glyph::Spot | Glyph::Disc => html! { <circle class="mf" cx="6" cy="6" r="4" /> },
                } }
            </svg>
        },
    }
}

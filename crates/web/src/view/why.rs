//! "Why this timeout?": the arithmetic of the picked packet in the source's own symbols.

use super::parts::letter;
use crate::dom;
use netspurt_core::experiments::run::explain;
use netspurt_core::rto::Kind;
use netspurt_core::rto::explain::{Line, Steps};
use netspurt_notebook::evaluate::Job;
use yew::prelude::*;

#[derive(Debug, Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) job: Job,
    pub(crate) row: usize,
}

#[component]
pub(crate) fn Why(props: &Props) -> Html {
    // A replay up to the packet: not for every move of the pointer.
    let steps = use_memo(props.clone(), |p| explain(&*p.job.setup, &p.job.inputs, p.row));
    let Some(steps) = &*steps else { return html! {} };
    let slot = props.job.inputs.slot;
    html! {
        <section class="why" tabindex="0" aria-label="Why this timeout?">
            <h3>{ "Why did " }<b class={letter(slot)}>{ letter(slot) }</b>{ format!(" wait {} for packet {}?", dom::duration(steps.timeout), props.row + 1) }</h3>
            <table>
                <caption class="vh">{ "The arithmetic of this packet" }</caption>
                <thead class="vh"><tr><th scope="col">{ "Rule" }</th><th scope="col">{ "With the numbers" }</th><th scope="col">{ "Result" }</th><th scope="col">{ "Source" }</th></tr></thead>
                <tbody>{ for steps.lines.iter().map(line) }</tbody>
            </table>
            <p class="hint">{ outcome(steps) }</p>
        </section>
    }
}

fn line(line: &Line) -> Html {
    html! {
        <tr>
            <td class="rule">{ line.rule }</td>
            <td>{ line.numbers.clone() }</td>
            <td>{ line.result.map(|r| format!("= {}", netspurt_core::rto::explain::figures(r))) }</td>
            <td class="from">{ line.section }</td>
        </tr>
    }
}

fn outcome(steps: &Steps) -> &'static str {
    match steps.kind {
        Kind::Prime => "The first reply set the estimate and was not tested.",
        Kind::Lost => "The packet was lost: the whole timeout was waited for nothing.",
        Kind::Untimed => "The reply came without a time: it was neither tested nor sampled.",
        Kind::Ok | Kind::Sampled => "The reply came in time, and its delay was sampled.",
        Kind::Ambiguous => "The reply came in time, but may belong to an earlier sending: it gave no sample.",
        Kind::Rtx | Kind::RtxSampled => {
            "The reply came after the timeout: sent again too soon. Its delay was sampled all the same."
        }
        Kind::RtxAmbiguous => {
            "The reply came after the timeout: sent again too soon, and its delay gave no sample."
        }
    }
}

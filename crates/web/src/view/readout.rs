//! The readout table: the legend of the figure as well. On a phone it turns on its side.

use super::parts::{description, letter, swatch};
use netspurt_core::experiments::{Experiment, SLOTS};
use netspurt_core::figure::Role;
use netspurt_core::report::{Heading, Table, TableRow};
use netspurt_core::rto::slot::describe;
use yew::prelude::*;

pub(crate) fn readout(table: &Table, setup: &dyn Experiment, current: usize) -> Html {
    html! {
        <>
            <div class="wide-only scroll" tabindex="0" role="group" aria-label={table.caption.clone()}>{ upright(table, setup, current) }</div>
            <div class="only-s scroll" tabindex="0" role="group" aria-label={table.caption.clone()}>{ sideways(table, current) }</div>
        </>
    }
}

/// A table to look up, folded away.
pub(crate) fn aside(table: &Table, setup: &dyn Experiment) -> Html {
    html! {
        <details class="aside">
            <summary>{ table.caption.clone() }</summary>
            <div class="scroll" tabindex="0" role="group" aria-label={table.caption.clone()}>{ upright(table, setup, SLOTS) }</div>
        </details>
    }
}

fn upright(table: &Table, setup: &dyn Experiment, current: usize) -> Html {
    let heading = |h: &Heading| {
        html! { <th scope="col">{ h.title.to_string() }if !h.unit.is_empty() { { "," }<br />{ h.unit.to_string() } }</th> }
    };
    html! {
        <table class="ro">
            <caption class="vh">{ table.caption.clone() }</caption>
            <thead><tr><th scope="col">{ table.head.clone() }</th>{ for table.columns.iter().map(heading) }</tr></thead>
            <tbody>
                { for table.rows.iter().map(|row| html! {
                    <tr class={row_class(row.role, current)}>
                        <th scope="row">{ head(row, setup) }</th>
                        { for row.cells.iter().map(|c| html! { <td>{ c.clone() }</td> }) }
                    </tr>
                }) }
            </tbody>
        </table>
    }
}

fn sideways(table: &Table, current: usize) -> Html {
    let short = |row: &TableRow| match row.role {
        Role::Series(slot) => html! { <>{ swatch(slot) }{ letter(slot) }</> },
        Role::Printed => html! { { "printed" } },
        _ => html! { { row.head.clone() } },
    };
    html! {
        <table class="ro">
            <caption class="vh">{ table.caption.clone() }</caption>
            <thead><tr><th scope="col">{ "Readout" }</th>
                { for table.rows.iter().map(|row| html! { <th scope="col">{ short(row) }</th> }) }
            </tr></thead>
            <tbody>
                { for table.columns.iter().enumerate().map(|(i, h)| html! {
                    <tr>
                        <th scope="row">{ h.title.to_string() }{ " " }<small>{ h.unit.to_string() }</small></th>
                        { for table.rows.iter().map(|row| html! {
                            <td class={row_class(row.role, current)}>{ row.cells.get(i).cloned().unwrap_or_default() }</td>
                        }) }
                    </tr>
                }) }
            </tbody>
        </table>
    }
}

fn head(row: &TableRow, setup: &dyn Experiment) -> Html {
    match row.role {
        Role::Series(slot) if setup.slots().is_none() => {
            html! { <>{ swatch(slot) }<span class="let">{ row.head.clone() }</span></> }
        }
        Role::Series(slot) => {
            let name = setup.slot(slot).map(describe);
            html! { <>{ swatch(slot) }<span class="let">{ letter(slot) }</span>{ name.as_ref().map(description) }</> }
        }
        _ => html! { { row.head.clone() } },
    }
}

/// The class of a row, or of a cell where rows have become columns.
fn row_class(role: Role, current: usize) -> Option<&'static str> {
    match role {
        Role::Printed => Some("pr"),
        // The head is quoted, the cells are not.
        Role::Quiet => Some("quoted"),
        Role::Series(slot) if slot == current => Some("on"),
        _ => None,
    }
}

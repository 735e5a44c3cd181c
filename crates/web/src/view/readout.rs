//! The readout table: the legend of the figure as well. On a phone it turns on its side, or where its
//! heads are too many or too long for that, its rows stand one below the other.

use super::parts::{description, letter, swatch};
use netspurt_core::experiments::{Experiment, SLOTS};
use netspurt_core::figure::Role;
use netspurt_core::report::{Heading, Table, TableRow};
use netspurt_core::rto::slot::describe;
use yew::prelude::*;

/// Tables of more rows than this keep their form on a phone, unless the rows are estimators.
const FEW: usize = 3;

/// Longer tables scroll under their heads.
const LONG: usize = 20;

/// Columns with cells longer than this hold sentences: they are broken into lines.
const SENTENCE: usize = 45;

/// Characters across a phone.
const PHONE: usize = 46;

/// What becomes of a table on a phone.
enum Form {
    /// Its rows are columns.
    Turned,
    /// Its rows stand one below the other.
    Stacked,
    AsIs,
}

/// Whether the heads of rows are sentences.
fn is_quoted(table: &Table) -> bool {
    table.rows.iter().any(|r| r.role == Role::Quiet)
}

/// Whether a phone would cut it off.
fn is_wide(table: &Table) -> bool {
    let longest = |texts: &mut dyn Iterator<Item = &str>| texts.map(|t| t.chars().count()).max().unwrap_or(0);
    let heads = longest(&mut table.rows.iter().map(|r| r.head.as_str()));
    let column = |(i, h): (usize, &Heading)| {
        let words = longest(&mut h.title.split(' '));
        let cells = longest(&mut table.rows.iter().filter_map(|r| r.cells.get(i)).map(String::as_str));
        words.max(cells) + 2
    };
    heads + table.columns.iter().enumerate().map(column).sum::<usize>() > PHONE
}

pub(crate) fn readout(table: &Table, setup: &dyn Experiment, current: usize) -> Html {
    let form = if is_quoted(table) {
        Form::Stacked
    } else if setup.slots().is_some() || table.rows.len() <= FEW {
        Form::Turned
    } else if table.rows.len() <= LONG && is_wide(table) {
        Form::Stacked
    } else {
        Form::AsIs
    };
    let class = classes!(
        "wide-only",
        "scroll",
        matches!(form, Form::AsIs).then_some("as-is"),
        (table.rows.len() > LONG).then_some("long")
    );
    html! {
        <>
            <div {class} tabindex="0" role="group" aria-label={table.caption.clone()}>{ upright(table, setup, current) }</div>
            { match form {
                Form::Turned => sideways(table, setup, current),
                Form::Stacked => stacked(table, setup, current),
                Form::AsIs => html! {},
            } }
        </>
    }
}

fn stacked(table: &Table, setup: &dyn Experiment, current: usize) -> Html {
    html! {
        <div class="only-s stack" role="group" aria-label={table.caption.clone()}>
            { for table.rows.iter().map(|row| html! {
                <dl class={row_class(row.role, current)}>
                    if !row.head.is_empty() { <dt>{ head(row, setup) }</dt> }
                    { for table.columns.iter().zip(&row.cells).filter(|(_, cell)| !cell.is_empty()).map(|(h, cell)| html! {
                        <dd><span>{ h.title.to_string() }{ " " }<small>{ h.unit.to_string() }</small></span><span>{ cell.clone() }</span></dd>
                    }) }
                </dl>
            }) }
        </div>
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
    let holds_words =
        |i: usize| table.rows.iter().any(|r| r.cells.get(i).is_some_and(|c| c.len() > SENTENCE));
    let words: Vec<bool> = (0..table.columns.len()).map(holds_words).collect();
    let class = |i: usize| words[i].then_some("words");
    let heading = |(i, h): (usize, &Heading)| {
        html! { <th scope="col" class={class(i)}>{ h.title.to_string() }if !h.unit.is_empty() { { "," }<br />{ h.unit.to_string() } }</th> }
    };
    html! {
        <table class={classes!("ro", is_quoted(table).then_some("words"), words.contains(&true).then_some("top"))}>
            <caption class="vh">{ table.caption.clone() }</caption>
            <thead><tr><th scope="col">{ table.head.clone() }</th>{ for table.columns.iter().enumerate().map(heading) }</tr></thead>
            <tbody>
                { for table.rows.iter().map(|row| html! {
                    <tr class={row_class(row.role, current)}>
                        <th scope="row">{ head(row, setup) }</th>
                        { for row.cells.iter().zip(&table.columns).enumerate().map(|(i, (c, h))| html! {
                            <td class={classes!(class(i), h.printed.then_some("pr"))}>{ c.clone() }</td>
                        }) }
                    </tr>
                }) }
            </tbody>
        </table>
    }
}

fn sideways(table: &Table, setup: &dyn Experiment, current: usize) -> Html {
    let short = |row: &TableRow| match row.role {
        Role::Series(slot) if setup.slots().is_some() => html! { <>{ swatch(slot) }{ letter(slot) }</> },
        Role::Series(slot) => html! { <>{ swatch(slot) }{ row.head.clone() }</> },
        Role::Printed => html! { { "printed" } },
        _ => html! { { row.head.clone() } },
    };
    html! {
        <div class="only-s scroll" tabindex="0" role="group" aria-label={table.caption.clone()}>
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
                            <td class={classes!(row_class(row.role, current), h.printed.then_some("pr"))}>{ row.cells.get(i).cloned().unwrap_or_default() }</td>
                        }) }
                    </tr>
                }) }
            </tbody>
        </table>
        </div>
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

//! The figure's numbers as a table: the first rows and a count, the rest by export.

use netspurt_core::number::decimal;
use netspurt_core::report::Frame;
use yew::prelude::*;

/// Rows shown at most (the design's limit); an export holds them all.
const ROWS: usize = 200;

pub(crate) fn data_table(frame: &Frame, selected: Option<usize>, on_export: &Callback<MouseEvent>) -> Html {
    // The selected record is always among the rows shown.
    let start = selected
        .filter(|s| *s >= ROWS)
        .map_or(0, |s| s.saturating_sub(ROWS / 2).min(frame.rows.saturating_sub(ROWS)));
    let end = frame.rows.min(start + ROWS);
    html! {
        <>
            <div class="data" tabindex="0" role="region" aria-label="The figure's numbers">
                <table>
                    <caption class="vh">{ "Every packet with its delay and what each estimator made of it" }</caption>
                    <thead><tr>
                        { for frame.columns.iter().map(|c| html! {
                            <th scope="col">{ c.title.clone() }if !c.unit.is_empty() { { "," }<br />{ c.unit.to_string() } }</th>
                        }) }
                    </tr></thead>
                    <tbody>
                        { for (start..end).map(|row| html! {
                            <tr class={(selected == Some(row)).then_some("on")}>
                                <th scope="row">{ frame.text(row, 0) }</th>
                                { for (1..frame.columns.len()).map(|column| html! { <td>{ short(&frame.text(row, column)) }</td> }) }
                            </tr>
                        }) }
                    </tbody>
                </table>
            </div>
            <p class="hint">
                { format!("Rows {} to {} of {}. ", start + usize::from(end > 0), end, frame.rows) }
                <button type="button" class="btn small out" onclick={on_export}>{ "Save all rows as CSV" }</button>
            </p>
        </>
    }
}

/// At most three decimals on the page; the export keeps every digit.
fn short(text: &str) -> String {
    match text.split_once('.') {
        Some((whole, fraction)) if fraction.len() > 3 && !fraction.contains('e') => {
            decimal(text).map_or_else(|| format!("{whole}.{fraction}"), |v| format!("{v:.3}"))
        }
        _ => text.to_owned(),
    }
}

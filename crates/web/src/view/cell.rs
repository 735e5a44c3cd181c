//! One cell of the notebook: its apparatus, its figure and readouts, or what keeps it from running.

use super::controls::controls;
use super::examples;
use super::figure::FigureView;
use super::head::Head;
use super::legend::legend;
use super::parts::{button, capital};
use super::parts_of_figure::heads;
use super::readout::{aside, readout};
use super::source::Editor;
use super::steps::Steps;
use super::table::data_table;
use super::trace_names;
use super::why::Why;
use super::{Live, Surroundings};
use netspurt_core::report::{Picks, Report, RunError};
use netspurt_core::shared::Shared;
use netspurt_core::trace::Trace;
use netspurt_notebook::cells::{self, Content};
use netspurt_notebook::document::{Cell, CellError};
use netspurt_notebook::evaluate::CellFailure;
use netspurt_notebook::model::{Model, Msg, Panel, Shown, Working, cell_element, source_element};
use netspurt_notebook::request::Progress;
use yew::prelude::*;

#[derive(Debug, Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) live: Live,
    /// It is drawn again when this differs.
    pub(crate) shown: Shown,
    pub(crate) number: usize,
    pub(crate) around: Surroundings,
}

#[component]
pub(crate) fn CellSection(props: &Props) -> Html {
    let (model, around, number) = (&*props.live.read(), &props.around, props.number);
    let current = props.shown.is_current;
    let Some(cell) = model.document().cell(&props.shown.cell) else { return html! {} };
    let onfocus = {
        let (on, id) = (around.on.clone(), cell.id.clone());
        Callback::from(move |_: FocusEvent| on.emit(Msg::Focus { cell: Some(id.clone()) }))
    };
    let onpointerdown = {
        let (on, id) = (around.on.clone(), cell.id.clone());
        Callback::from(move |_: PointerEvent| on.emit(Msg::Focus { cell: Some(id.clone()) }))
    };
    let inner = match cell.content.as_deref() {
        Ok(Content::Experiment(experiment)) => running(model, cell, experiment, number, around),
        Ok(Content::Trace(trace)) => trace_cell(model, cell, trace, number, around),
        Err(errors) => broken(model, cell, errors, number, around),
    };
    html! {
        <section id={cell_element(&cell.id)} class={classes!("cell", "exp", current.then_some("is-current"))}
            tabindex="-1" aria-labelledby={format!("{}-title", cell.id)} onfocusin={onfocus} {onpointerdown}>
            { inner }
        </section>
    }
}

fn head(model: &Model, cell: &Cell, number: usize, title: String, runs: bool, around: &Surroundings) -> Html {
    let kind = cell.kind.map_or("Unknown cell", |k| k.title);
    let panel = model.view().cell(&cell.id).panel;
    html! { <Head cell={cell.id.clone()} {number} {kind} {title} {runs} {panel} around={around.clone()} /> }
}

fn running(
    model: &Model,
    cell: &Cell,
    experiment: &cells::Cell,
    number: usize,
    around: &Surroundings,
) -> Html {
    let outcome = model.outcome(&cell.id);
    let report = outcome.and_then(|o| Some((o.report.as_ref().ok()?, o.job.as_ref()?.trace())));
    let named = || match (experiment.setup.subject(), &experiment.trace) {
        (Some(subject), _) => subject.to_owned(),
        (None, Some(trace)) => trace.clone(),
        (None, None) => experiment.setup.entry().title.to_owned(),
    };
    let title = experiment.title.clone().unwrap_or_else(named);
    let is_wide = experiment.setup.entry().is_wide;
    html! {
        <>
            { head(model, cell, number, title, true, around) }
            <div class={classes!("ctl", is_wide.then_some("wide"))}>
                { controls(model, &cell.id, experiment, report.map(|(r, t)| (&**r, t.map(|t| &**t))), around) }
                // Always a child, if an empty one: the controls before it keep their focus.
                { model.working(&cell.id).map_or_else(|| html! {}, |w| working(w, &cell.id, around)) }
                if report.is_some_and(|(r, _)| r.sets.iter().any(|(name, _)| name == "f1")) { { use_point(model, &cell.id, around) } }
            </div>
            if let Some((report, trace)) = report {
                { record(model, cell, experiment, report, trace, number, around) }
            } else if let Some(failure) = outcome.and_then(|o| o.report.as_ref().err()) {
                { cannot_run(model, cell, failure, around) }
            }
        </>
    }
}

fn record(
    model: &Model,
    cell: &Cell,
    experiment: &cells::Cell,
    report: &Shared<Report>,
    trace: Option<&Shared<Trace>>,
    number: usize,
    around: &Surroundings,
) -> Html {
    let view = model.view().cell(&cell.id);
    let slots: Vec<usize> = experiment.setup.set_slots().map(|(i, _)| i).collect();
    let job = || model.outcome(&cell.id).and_then(|o| o.job.clone());
    let along = matches!(report.picks, Picks::Along { .. });
    // Where nothing moves beneath it, a figure need not stay in view.
    let is_set = experiment.setup.slots().is_some() || !experiment.setup.settings().is_empty();
    let picked = view.selected.filter(|_| along).and_then(|row| Some((job()?, row)));
    let setup = &*experiment.setup;
    let is_wide = setup.entry().is_wide;
    // It stands where the trace is chosen.
    let said = trace.and_then(|t| t.provenance.rebuilt());
    let drawn = |which: usize| {
        html! {
            <FigureView cell={cell.id.clone()} report={report.clone()} {which} trace={trace.cloned()} slots={slots.clone()} selected={view.selected}
                zoom={view.zoom} part={view.part} dark={around.dark} fonts={around.fonts} on={around.on.clone()} />
        }
    };
    let figure = html! {
        <>
            if !report.parts.is_empty() { { heads(&cell.id, &report.parts, view.part, around) } }
            if !report.figure.panels.is_empty() {
                <div class={(is_set && !is_wide).then_some("stick")}>
                    { drawn(0) }
                </div>
            }
        </>
    };
    let legend = if report.legend.is_empty() {
        html! {}
    } else {
        legend(&report.legend)
    };
    html! {
        <div class={classes!("body", is_wide.then_some("wide"))}>
            if !is_wide { { examples::buttons(model, cell, around) } }
            if report.steps > 0 {
                <Steps cell={cell.id.clone()} steps={report.steps} step={view.selected} said={report.said.clone()}
                    stops={report.stops.clone()} {legend} on={around.on.clone()}>{ figure }</Steps>
            } else {
                { legend }{ figure }
            }
            <div class="after">
                { picked.map(|(job, row)| html! { <Why {job} {row} /> }) }
                if report.steps == 0 && !report.said.is_empty() {
                    <div class="said">{ for report.said.iter().map(|s| html! { <p>{ s.clone() }</p> }) }</div>
                }
                { for (1..=report.below.len()).map(drawn) }
                { readout(&report.readout, setup, view.slot) }
                { for report.opens.iter().enumerate().map(|(which, o)| html! {
                    <div class="row gap-top">
                        { button(None, &o.label, "line", around.send(Msg::OpenFrom { cell: cell.id.clone(), which })) }
                    </div>
                }) }
                { for report.more.iter().map(|t| readout(t, setup, view.slot)) }
                { for report.asides.iter().map(|t| aside(t, setup)) }
                if let Some(caption) = &experiment.caption {
                    <p class="cap"><b>{ format!("Figure {number}. ") }</b>{ caption.clone() }</p>
                }
                { for report.remarks.iter().filter(|r| said.as_ref() != Some(r)).map(|r| html! { <p class="hint">{ r.clone() }</p> }) }
                if view.zoom.is_some() {
                    <p class="hint">{ "Part of the trace is shown. " }
                        { button(None, "Show all of it", "small", around.send(Msg::Zoom { cell: cell.id.clone(), range: None })) }
                    </p>
                }
                if view.panel == Panel::Table {
                    { data_table(&report.frame, view.selected, &around.send(Msg::SaveTable { cell: cell.id.clone() })) }
                }
                if view.panel == Panel::Source { { editor(model, cell, around) } }
            </div>
        </div>
    }
}

/// Takes the point of a map over into the cells that replay one setting.
fn use_point(model: &Model, cell: &str, around: &Surroundings) -> Html {
    let compares = |c: &&Cell| {
        let setup = c.content.as_deref().ok().and_then(|c| c.experiment()).map(|e| &e.setup);
        setup.is_some_and(|s| s.entry().kind == "rto")
    };
    let targets = model.document().cells().filter(compares).take(3);
    html! {
        <>
            { for targets.map(|c| button(None, &format!("Use this point in {}", c.id), "line", around.send(Msg::UsePoint { cell: cell.to_owned(), target: c.id.clone() }))) }
            <p class="hint">{ "Arrow keys move the ring. Shift moves it four steps." }</p>
        </>
    }
}

/// How far a cell's run has come, once it takes long; nothing when it is over.
fn working(working: &Working, cell: &str, around: &Surroundings) -> Html {
    if let Some(why) = &working.failed {
        return html! { <p class="say" role="status"><b>{ "This could not be run to the end. " }</b>{ format!("The browser says: {why}.") }</p> };
    }
    if working.is_cut_short() {
        return html! {
            <div class="working" role="status">
                <span>{ "Stopped before the end" }</span>
                { button(None, "Run to the end", "small out", around.send(Msg::RunAgain { cell: cell.to_owned() })) }
            </div>
        };
    }
    let Some(progress) = working.progress.as_ref().filter(|_| working.is_running()) else { return html! {} };
    let Progress { done, total, counts, .. } = progress;
    let is_known = *total > 0;
    // Large parts are counted, small ones are a share of the whole.
    let so_far = match *total {
        0 => format!("{done} {counts} so far"),
        total if total < 10_000 || counts == "seconds" => format!("{done} of {total} {counts} done"),
        total => format!("{} % done", 100 * done / total),
    };
    let left = match progress.left() {
        Some(s) if s < 1.0 => ", less than a second left".to_owned(),
        Some(s) => format!(", about {s:.0} s left"),
        None => String::new(),
    };
    html! {
        <div class="working" role="status">
            <span>{ so_far }{ left }</span>
            <progress value={is_known.then(|| done.to_string())} max={is_known.then(|| total.to_string())} aria-label="Progress"></progress>
            { button(None, "Stop here", "small out", around.send(Msg::StopWork { cell: cell.to_owned() })) }
        </div>
    }
}

/// What keeps a cell from running, and the way out if there is one.
fn cannot_run(model: &Model, cell: &Cell, failure: &CellFailure, around: &Surroundings) -> Html {
    let meant = match failure {
        CellFailure::Trace(e) => e.suggestion(),
        _ => None,
    };
    let missing = matches!(failure, CellFailure::NoTrace);
    html! {
        <div class="body">
            if matches!(failure, CellFailure::Run(RunError::Working)) {
                <div class="figure empty"></div>
            } else if missing {
                <div class="figure empty"><p class="ask">{ "Choose a trace" }</p></div>
            } else {
                <p class="say" role="status"><b>{ sentence(&failure.to_string()) }</b>{ " The rest of the notebook runs as before." }</p>
            }
            if let Some(name) = meant {
                <div class="row">
                    { button(None, &format!("Use {name}"), "line", around.send(Msg::ChooseTrace { cell: cell.id.clone(), name: name.to_owned() })) }
                </div>
            }
            if model.view().cell(&cell.id).panel == Panel::Source { { editor(model, cell, around) } }
        </div>
    }
}

fn trace_cell(model: &Model, cell: &Cell, trace: &Trace, number: usize, around: &Surroundings) -> Html {
    let mean =
        trace.moments().map_or_else(String::new, |m| format!(", mean {}", crate::dom::duration(m.mean)));
    html! {
        <>
            { head(model, cell, number, cell.id.clone(), false, around) }
            <div class="body">
                <p class="say">{ trace_names::counts(trace) }{ mean }{ ". The data stands in this notebook and travels with its link." }</p>
                if model.view().cell(&cell.id).panel == Panel::Source { { editor(model, cell, around) } }
            </div>
        </>
    }
}

fn broken(model: &Model, cell: &Cell, errors: &[CellError], number: usize, around: &Surroundings) -> Html {
    let open = model.view().cell(&cell.id).panel == Panel::Source;
    let first = errors.first();
    let fix = first.and_then(|e| e.fix.as_ref());
    html! {
        <>
            { head(model, cell, number, "This cell cannot run yet".to_owned(), false, around) }
            <div class="body" role="alert">
                if let Some(e) = first {
                    <p class="say"><b>{ sentence(&e.message) }</b>{ format!(" It stands on line {} of the notebook. The rest of the notebook runs as before.", e.line) }</p>
                }
                if open {
                    { editor(model, cell, around) }
                } else {
                    { quoted(model, cell, errors) }
                    <div class="row gap-top">
                        if let Some(fix) = fix { { button(None, &fix.label, "line", around.send(Msg::Fix { cell: cell.id.clone() })) } }
                        { button(None, "Edit the source", "", around.send(Msg::ShowPanel { cell: cell.id.clone(), panel: Panel::Source })) }
                    </div>
                }
            </div>
        </>
    }
}

/// The cell's source with the lines at fault marked; a long one around its first fault.
fn quoted(model: &Model, cell: &Cell, errors: &[CellError]) -> Html {
    const AROUND: usize = 6;
    let source = model.document().text().get(cell.range.clone()).unwrap_or_default();
    let first = errors.first().map_or(1, |e| e.cell_line);
    let lines =
        source.lines().enumerate().map(|(i, l)| (i + 1, l)).filter(|(n, _)| n.abs_diff(first) <= AROUND);
    html! {
        <pre class="src" tabindex="0">
            { for lines.map(|(n, line)| {
                let line: String = line.chars().take(200).collect();
                match errors.iter().find(|e| e.cell_line == n) {
                    Some(e) => html! { <><span class="bad">{ format!("{line:<32} ← {}", e.remark) }</span>{ "\n" }</> },
                    None => html! { { format!("{line}\n") } },
                }
            }) }
        </pre>
    }
}

fn editor(model: &Model, cell: &Cell, around: &Surroundings) -> Html {
    let id = cell.id.clone();
    let on_apply = around.on.reform(move |body| Msg::SetBody { cell: id.clone(), body });
    let on_close = around.send(Msg::ShowPanel { cell: cell.id.clone(), panel: Panel::None });
    // The fence is line 1 of the cell; the body begins on line 2.
    let errors: Vec<(usize, String)> =
        cell.errors().iter().map(|e| (e.cell_line.saturating_sub(1).max(1), e.message.clone())).collect();
    let text = model.document().body(cell).to_owned();
    html! { <Editor id={source_element(&cell.id)} label={format!("Source of cell {}", cell.id)} {text} {errors} {on_apply} {on_close} /> }
}

/// A message as a sentence. One that begins with a name, as in `a: …` or `lab.csv holds …`, keeps its
/// small letter.
fn sentence(message: &str) -> String {
    let word = message.split(' ').next().unwrap_or_default();
    let is_plain = word.bytes().all(|b| b.is_ascii_alphabetic());
    let stop = if message.ends_with(['?', '.']) { "" } else { "." };
    (if is_plain { capital(message) } else { message.to_owned() }) + stop
}

//! A figure on canvases: the ground below, what the parameters say above, the crosshair over both.
//!
//! The ground is drawn anew only when it, the zoom, the size or the theme changed; a moving slider
//! redraws the front alone. The pointer's crosshair is this component's own; a row picked by click
//! or arrow keys belongs to the page's state, so that a link can show it.

use super::parts::letter;
use crate::dom;
use netspurt_core::experiments::rto::{FRAME_DELAY, FRAME_SENT, FRAME_SLOTS};
use netspurt_core::figure::{ABREAST, Figure, Layer};
use netspurt_core::report::{Drag, Frame, Picks, Report};
use netspurt_core::shared::Shared;
use netspurt_core::trace::{Clock, Measure, Trace};
use netspurt_notebook::model::{Go, Msg};
use netspurt_plot::{Layers, Map, Theme};
use web_sys::{HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

#[derive(Debug, Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) cell: String,
    pub(crate) report: Shared<Report>,
    /// Which of its figures: the first is 0.
    pub(crate) which: usize,
    /// The trace whose records the figure shows, where it shows one.
    pub(crate) trace: Option<Shared<Trace>>,
    /// Slots in the order of the lanes.
    pub(crate) slots: Vec<usize>,
    pub(crate) selected: Option<usize>,
    pub(crate) zoom: Option<(f64, f64)>,
    /// The part that is shown where there is room for one.
    pub(crate) part: usize,
    pub(crate) dark: bool,
    /// Counts up when fonts have arrived: text on a canvas is drawn once.
    pub(crate) fonts: u32,
    pub(crate) on: Callback<Msg>,
}

/// A pointer that moved less than this many pixels has clicked, not dragged.
const CLICK: f64 = 6.0;

/// What the ground canvas shows; drawn again when it differs.
type Ground = (Same, Vec<usize>, Option<(f64, f64)>, Option<usize>, (f64, f64), f64, bool, u32);

/// Figures with the same ground: those of one trace, or of one report.
#[derive(PartialEq)]
enum Same {
    Trace(Shared<Trace>),
    Report(Shared<Report>),
}

#[component]
pub(crate) fn FigureView(props: &Props) -> Html {
    let frame = use_node_ref();
    let (ground, front) = (use_node_ref(), use_node_ref());
    let drawn = use_mut_ref(|| None::<Ground>);
    let size = use_state(|| (0.0, 0.0));
    let hover = use_state(|| None::<usize>);
    let drag = use_state(|| None::<(f64, f64)>);
    let ratio = dom::pixel_ratio();

    let only = (props.report.parts.len() > 1 && size.0 > 0.0 && size.0 < ABREAST).then_some(props.part);
    let figure = use_memo((props.report.clone(), props.zoom, only), |(report, zoom, only)| {
        let figure = zoomed(report.shown(props.which), *zoom);
        match only {
            Some(part) => {
                let part = (*part).min(report.parts.len() - 1);
                figure.only(part, report.parts.len(), report.parts[part].share)
            }
            None => figure,
        }
    });

    use_effect_with(frame.clone(), {
        let size = size.clone();
        move |frame| {
            let watch = frame.cast::<HtmlElement>().and_then(|element| {
                dom::on_resize(&element.clone(), move || {
                    size.set((f64::from(element.client_width()), f64::from(element.client_height())));
                })
            });
            move || drop(watch)
        }
    });

    use_effect_with((frame.clone(), netspurt_plot::height(&figure, size.0).to_bits()), |(frame, height)| {
        if let Some(frame) = frame.cast::<HtmlElement>() {
            dom::set_properties(&frame, &[("--h", format!("{}px", f64::from_bits(*height)))]);
        }
    });

    use_effect_with(
        (props.report.clone(), props.zoom, only, *size, ratio.to_bits(), props.dark, props.fonts),
        {
            let (ground, front, props, figure) =
                (ground.clone(), front.clone(), props.clone(), figure.clone());
            move |(_, _, _, size, ..)| {
                let theme = if props.dark { Theme::dark() } else { Theme::light() };
                let draw = |canvas: &NodeRef, layers| {
                    if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                        // A canvas that cannot be drawn on stays empty; the table holds the numbers.
                        let _ = netspurt_plot::canvas(&figure, &canvas, *size, ratio, theme, layers);
                    }
                };
                let same = match (&props.trace, &props.report.picks) {
                    (Some(trace), Picks::Along { .. }) => Same::Trace(trace.clone()),
                    _ => Same::Report(props.report.clone()),
                };
                let key: Ground =
                    (same, props.slots.clone(), props.zoom, only, *size, ratio, props.dark, props.fonts);
                if drawn.borrow().as_ref() != Some(&key) {
                    draw(&ground, Layers::only(Layer::Ground));
                    drawn.replace(Some(key));
                }
                draw(&front, Layers::only(Layer::Front));
            }
        },
    );

    let map = netspurt_plot::layout(&figure, size.0, size.1);
    let point = hover.or(props.selected).filter(|i| *i < props.report.picks.len());
    let place = point.and_then(|i| place(&map, &props.report, i));

    use_effect_with((frame.clone(), place, *size), |(frame, place, size)| {
        if let (Some(frame), Some((x, y))) = (frame.cast::<HtmlElement>(), place) {
            let box_x = if *x > 0.62 * size.0 { x - 190.0 } else { x + 14.0 };
            let px = |v: f64| format!("{v:.1}px");
            dom::set_properties(
                &frame,
                &[("--cx", px(*x)), ("--cy", px(*y)), ("--x", px(box_x.max(0.0))), ("--y", px(46.0))],
            );
        }
    });
    use_effect_with((frame.clone(), *drag), |(frame, drag)| {
        if let (Some(frame), Some((a, b))) = (frame.cast::<HtmlElement>(), drag) {
            let px = |v: f64| format!("{v:.1}px");
            dom::set_properties(&frame, &[("--from", px(a.min(*b))), ("--wide", px((a - b).abs()))]);
        }
    });

    // Where the pointer is: the events themselves name the page's root, at which Yew listens.
    let place_of = {
        let frame = frame.clone();
        move |e: &PointerEvent| frame.cast::<HtmlElement>().map_or((0.0, 0.0), |frame| dom::offset(&frame, e))
    };
    let drags = props.report.drag != Drag::Nothing;
    let onpointermove = {
        let (map, report, hover, drag) = (map.clone(), props.report.clone(), hover.clone(), drag.clone());
        let place_of = place_of.clone();
        Callback::from(move |e: PointerEvent| {
            let at = place_of(&e);
            match *drag {
                Some((from, _)) if drags => drag.set(Some((from, at.0))),
                _ => hover.set(nearest(&map, &report.picks, at)),
            }
        })
    };
    let onpointerdown = {
        let (drag, frame, place_of) = (drag.clone(), frame.clone(), place_of.clone());
        Callback::from(move |e: PointerEvent| {
            if e.pointer_type() == "mouse" && e.button() == 0 {
                let (x, _) = place_of(&e);
                drag.set(Some((x, x)));
                if let Some(frame) = frame.cast::<HtmlElement>() {
                    dom::capture_pointer(&frame, &e);
                }
            }
        })
    };
    let onpointerup = {
        let (map, report, drag, hover) = (map.clone(), props.report.clone(), drag.clone(), hover.clone());
        let (on, cell) = (props.on.clone(), props.cell.clone());
        Callback::from(move |e: PointerEvent| {
            let (x, y) = place_of(&e);
            let from = drag.map_or(x, |d| d.0);
            drag.set(None);
            if !drags || (x - from).abs() < CLICK {
                on.emit(Msg::SelectRecord {
                    cell: cell.clone(),
                    record: nearest(&map, &report.picks, (x, y)),
                });
            } else if let Some(side) = map.columns.first() {
                let (lo, hi) = (side.value(from.min(x)), side.value(from.max(x)));
                let range = side.range();
                hover.set(None);
                let (lo, hi) = (lo.max(range.0), hi.min(range.1));
                on.emit(match &report.drag {
                    Drag::Select { from, to } => Msg::Select {
                        cell: cell.clone(),
                        from: (from.to_string(), lo),
                        to: (to.to_string(), hi),
                    },
                    Drag::Zoom | Drag::Nothing => Msg::Zoom { cell: cell.clone(), range: Some((lo, hi)) },
                });
            }
        })
    };
    let onpointerleave = {
        let hover = hover.clone();
        Callback::from(move |_: PointerEvent| hover.set(None))
    };
    let ondblclick = {
        let (on, cell) = (props.on.clone(), props.cell.clone());
        Callback::from(move |_: MouseEvent| on.emit(Msg::Zoom { cell: cell.clone(), range: None }))
    };
    let onkeydown = {
        let (on, zoom, hover) = (props.on.clone(), props.zoom, hover.clone());
        let (full, current, report) =
            (time_range(props.report.shown(props.which)), point, props.report.clone());
        let cell = props.cell.clone();
        Callback::from(move |e: KeyboardEvent| {
            if e.ctrl_key() || e.meta_key() || e.alt_key() {
                return;
            }
            let Some(gesture) = keyed(&e.key(), e.shift_key(), &report, current, zoom, full) else {
                return;
            };
            e.prevent_default();
            e.stop_propagation();
            hover.set(None);
            on.emit(gesture(cell.clone()));
        })
    };

    html! {
        <>
            <div class="figure" ref={frame} tabindex="0" role="group" aria-roledescription="figure"
                aria-label={figure.alt.clone()}
                {onpointermove} {onpointerdown} {onpointerup} {onpointerleave} {ondblclick} {onkeydown}>
                <canvas ref={ground} aria-hidden="true" />
                <canvas ref={front} aria-hidden="true" />
                if drag.is_some_and(|(a, b)| drags && (a - b).abs() >= CLICK) { <i class="band"></i> }
                if let (Some(i), Some(_)) = (point, place) {
                    if !matches!(props.report.picks, Picks::Across { .. }) { <i class="cx"></i><i class="cy"></i> }
                    <i class="ring"></i>
                    { over(&told(props, i), &props.slots) }
                }
            </div>
            <p class="vh" aria-live="polite">
                { props.selected.filter(|i| hover.is_none() && *i < props.report.picks.len()).map(|i| said(&told(props, i))) }
            </p>
        </>
    }
}

/// What a key asks of the figure of a cell.
type Gesture = Box<dyn FnOnce(String) -> Msg>;

/// What a key does to the crosshair or the zoom. Steps are told to the model, not counted here: keys
/// may come faster than the page is drawn.
fn keyed(
    key: &str,
    shift: bool,
    report: &Report,
    current: Option<usize>,
    zoom: Option<(f64, f64)>,
    full: (f64, f64),
) -> Option<Gesture> {
    let step = if shift { 10 } else { 1 };
    let go = |go: Go| -> Option<Gesture> { Some(Box::new(move |cell| Msg::MoveRecord { cell, go })) };
    let show = |range| -> Option<Gesture> { Some(Box::new(move |cell| Msg::Zoom { cell, range })) };
    let along = match &report.picks {
        Picks::None if report.steps == 0 => return None,
        Picks::Along { x, .. } => Some(x),
        Picks::None | Picks::Points { .. } | Picks::Across { .. } => None,
    };
    let around = |factor: f64| {
        let (lo, hi) = zoom.unwrap_or(full);
        let at = current.and_then(|i| along?.get(i).copied());
        let middle = at.unwrap_or_else(|| f64::midpoint(lo, hi)).clamp(lo, hi);
        let (lo, hi) = (middle - (middle - lo) * factor, middle + (hi - middle) * factor);
        let zoom = (lo.max(full.0), hi.min(full.1));
        show((zoom != full).then_some(zoom))
    };
    // Rows that are the points of a grid lie column by column.
    let across = match &report.picks {
        Picks::Points { x, .. } if report.sets.len() == 2 => {
            let column = x.iter().position(|v| Some(v) != x.first()).unwrap_or(x.len());
            isize::try_from(column).unwrap_or(1)
        }
        _ => 1,
    };
    let step = if across > 1 && shift { 4 } else { step };
    match key {
        "ArrowRight" => go(Go::By(across * step)),
        "ArrowLeft" => go(Go::By(-across * step)),
        "ArrowUp" if across > 1 => go(Go::By(step)),
        "ArrowDown" if across > 1 => go(Go::By(-step)),
        "Home" => go(Go::First),
        "End" => go(Go::Last),
        "Escape" if current.is_some() => Some(Box::new(|cell| Msg::SelectRecord { cell, record: None })),
        "+" | "=" if along.is_some() => around(0.5),
        "-" if along.is_some() => around(2.0),
        "0" if along.is_some() => show(None),
        _ => None,
    }
}

/// The figure with another part of its time axis.
fn zoomed(figure: &Figure, zoom: Option<(f64, f64)>) -> Figure {
    let mut figure = figure.clone();
    if let (Some(column), Some(zoom)) = (figure.columns.first_mut(), zoom) {
        column.axis.range = netspurt_core::figure::sane(zoom);
    }
    figure
}

fn time_range(figure: &Figure) -> (f64, f64) {
    figure.columns.first().map_or((0.0, 1.0), |c| c.axis.range)
}

/// The row to pick at a point of the figure.
fn nearest(map: &Map, picks: &Picks, at: (f64, f64)) -> Option<usize> {
    match picks {
        Picks::None => None,
        Picks::Along { x, .. } => {
            let side = map.columns.first()?;
            (at.0 >= side.start - 8.0 && at.0 <= side.end + 8.0).then(|| map.nearest(0, x, at.0)).flatten()
        }
        Picks::Points { column, row, x, y } => map.nearest_point(*row, |_| *column, x, y, at),
        Picks::Across { columns, row, x, y } => {
            map.nearest_point(*row, |i| columns.get(i).copied().unwrap_or_default(), x, y, at)
        }
    }
}

/// Where a row lies.
fn place(map: &Map, report: &Report, i: usize) -> Option<(f64, f64)> {
    match &report.picks {
        Picks::None => None,
        Picks::Along { x, y, lane, scale } => {
            let column = map.columns.first()?;
            let (lane, scale) = (map.rows.get(*lane)?, map.rows.get(*scale)?);
            let x = column.pixel(*x.get(i)?);
            let y = match report.frame.number(i, *y) {
                Some(y) => scale.pixel(y).max(scale.start),
                None => f64::midpoint(lane.start, lane.end),
            };
            column.contains(x).then_some((x, y))
        }
        Picks::Points { column, row, x, y } => point(map, (*column, *row), (*x.get(i)?, *y.get(i)?)),
        Picks::Across { columns, row, x, y } => {
            point(map, (*columns.get(i)?, *row), (*x.get(i)?, *y.get(i)?))
        }
    }
}

/// Where a point of a panel lies. `None` beyond its edges.
fn point(map: &Map, (column, row): (usize, usize), (x, y): (f64, f64)) -> Option<(f64, f64)> {
    let (across, up) = (map.columns.get(column)?, map.up(column, row)?);
    let (x, y) = (across.pixel(x), up.pixel(y));
    (across.contains(x) && up.contains(y)).then_some((x, y))
}

/// What the crosshair says of a row.
struct Told {
    head: String,
    value: String,
    /// A slot, its value and verdict; or a name and its value.
    lines: Vec<(Option<usize>, String, String)>,
}

/// Times from here on are told in seconds, ms.
const LATE: f64 = 10_000.0;

fn told(props: &Props, i: usize) -> Told {
    let frame = &props.report.frame;
    match &props.trace {
        Some(trace) if matches!(props.report.picks, Picks::Along { .. }) => {
            let (head, value) = packet_and_delay(frame, trace, i);
            let lines = props.slots.iter().enumerate().map(|(k, slot)| {
                let (timeout, verdict) = slot_words(frame, i, k);
                (Some(*slot), timeout, verdict)
            });
            Told { head, value, lines: lines.collect() }
        }
        _ => {
            let cell = |c: usize| {
                let column = &frame.columns[c];
                let text = match frame.number(i, c) {
                    // Seconds, where milliseconds would be many digits.
                    Some(ms) if column.unit == "ms" && ms >= LATE => dom::duration(ms),
                    Some(v) => format!("{} {}", dom::short(v), column.unit).replace('-', "−"),
                    None => frame.text(i, c),
                };
                (column.title.clone(), text.trim_end().to_owned())
            };
            let mut cells = (0..frame.columns.len()).map(cell).filter(|(_, text)| !text.is_empty());
            let (head, value) = cells.next().unwrap_or_default();
            Told { head, value, lines: cells.map(|(name, text)| (None, name, text)).collect() }
        }
    }
}

/// The crosshair's box.
fn over(told: &Told, slots: &[usize]) -> Html {
    html! {
        <div class="over" aria-hidden="true">
            <p><span>{ told.head.clone() }</span><b>{ told.value.clone() }</b></p>
            <table><tbody>
                { for told.lines.iter().map(|(slot, first, second)| {
                    let series = slot.filter(|s| slots.contains(s));
                    html! {
                        <tr class={series.map(letter)}>
                            if let Some(slot) = series { <th scope="row">{ letter(slot) }</th> }
                            <td>{ first.clone() }</td>
                            <td>if second == "too soon" { <b>{ second.clone() }</b> } else { { second.clone() } }</td>
                        </tr>
                    }
                }) }
            </tbody></table>
        </div>
    }
}

fn said(told: &Told) -> String {
    let lines = told.lines.iter().map(|(slot, first, second)| match slot {
        Some(slot) => format!("{} {first}, {second}", letter(*slot)),
        None => format!("{first} {second}"),
    });
    std::iter::once(format!("{}: {}", told.head, told.value)).chain(lines).collect::<Vec<_>>().join("; ")
}

fn packet_and_delay(frame: &Frame, trace: &Trace, i: usize) -> (String, String) {
    let kind = if trace.measure == Measure::OneWay { "volley" } else { "packet" };
    let sent = frame.number(i, FRAME_SENT).unwrap_or_default();
    let packet = match trace.clock {
        Clock::Elapsed => format!("{kind} {}, {}", i + 1, dom::duration(sent)),
        Clock::Index => format!("{kind} {}", i + 1),
    };
    (packet, frame.number(i, FRAME_DELAY).map_or_else(|| missing(trace, i).to_owned(), dom::duration))
}

fn missing(trace: &Trace, i: usize) -> &'static str {
    match trace.outcomes()[i] {
        netspurt_core::trace::Outcome::Lost => "lost",
        _ => "no time given",
    }
}

fn slot_words(frame: &Frame, i: usize, k: usize) -> (String, String) {
    let column = FRAME_SLOTS + 2 * k;
    (frame.number(i, column).map_or_else(String::new, dom::duration), frame.text(i, column + 1))
}

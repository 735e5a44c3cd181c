//! A figure on canvases: the trace below, what the parameters say above, the crosshair over both.
//!
//! The ground is drawn anew only when the trace, the zoom, the size or the theme changed; a moving
//! slider redraws the front alone. The pointer's crosshair is this component's own; a record picked
//! by click or arrow keys belongs to the page's state, so that a link can show it.

use super::parts::letter;
use crate::dom;
use netspurt_core::experiments::rto::{FRAME_DELAY, FRAME_SENT, FRAME_SLOTS};
use netspurt_core::figure::{Data, Figure, Layer};
use netspurt_core::report::{Frame, Report};
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
    pub(crate) trace: Shared<Trace>,
    /// Slots in the order of the lanes.
    pub(crate) slots: Vec<usize>,
    pub(crate) selected: Option<usize>,
    pub(crate) zoom: Option<(f64, f64)>,
    pub(crate) dark: bool,
    /// Counts up when fonts have arrived: text on a canvas is drawn once.
    pub(crate) fonts: u32,
    pub(crate) on: Callback<Msg>,
}

/// A pointer that moved less than this many pixels has clicked, not dragged.
const CLICK: f64 = 6.0;

/// What the ground canvas shows; drawn again when it differs.
type Ground = (Shared<Trace>, Vec<usize>, Option<(f64, f64)>, (f64, f64), f64, bool, u32);

#[component]
pub(crate) fn FigureView(props: &Props) -> Html {
    let frame = use_node_ref();
    let (ground, front) = (use_node_ref(), use_node_ref());
    let drawn = use_mut_ref(|| None::<Ground>);
    let size = use_state(|| (0.0, 0.0));
    let hover = use_state(|| None::<usize>);
    let drag = use_state(|| None::<(f64, f64)>);
    let ratio = dom::pixel_ratio();

    let figure = use_memo((props.report.clone(), props.zoom), |(report, zoom)| zoomed(&report.figure, *zoom));

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

    use_effect_with((props.report.clone(), props.zoom, *size, ratio.to_bits(), props.dark, props.fonts), {
        let (ground, front, props, figure) = (ground.clone(), front.clone(), props.clone(), figure.clone());
        move |(_, _, size, ..)| {
            let theme = if props.dark { Theme::dark() } else { Theme::light() };
            let draw = |canvas: &NodeRef, layers| {
                if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                    // A canvas that cannot be drawn on stays empty; the table holds the numbers.
                    let _ = netspurt_plot::canvas(&figure, &canvas, *size, ratio, theme, layers);
                }
            };
            let key: Ground =
                (props.trace.clone(), props.slots.clone(), props.zoom, *size, ratio, props.dark, props.fonts);
            if drawn.borrow().as_ref() != Some(&key) {
                draw(&ground, Layers::only(Layer::Ground));
                drawn.replace(Some(key));
            }
            draw(&front, Layers::only(Layer::Front));
        }
    });

    let map = netspurt_plot::layout(&figure, size.0, size.1);
    let point = hover.or(props.selected).filter(|i| *i < props.trace.len());
    let place = point.and_then(|i| place(&map, &props.trace, i));

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
        move |e: &PointerEvent| frame.cast::<HtmlElement>().map_or(0.0, |frame| dom::offset(&frame, e))
    };
    let at = |map: &Map, trace: &Shared<Trace>, x: f64| nearest(map, trace.sent(), x);
    let onpointermove = {
        let (map, trace, hover, drag) = (map.clone(), props.trace.clone(), hover.clone(), drag.clone());
        let place_of = place_of.clone();
        Callback::from(move |e: PointerEvent| {
            let x = place_of(&e);
            if let Some((from, _)) = *drag {
                drag.set(Some((from, x)));
            } else {
                hover.set(at(&map, &trace, x));
            }
        })
    };
    let onpointerdown = {
        let (drag, frame, place_of) = (drag.clone(), frame.clone(), place_of.clone());
        Callback::from(move |e: PointerEvent| {
            if e.pointer_type() == "mouse" && e.button() == 0 {
                let x = place_of(&e);
                drag.set(Some((x, x)));
                if let Some(frame) = frame.cast::<HtmlElement>() {
                    dom::capture_pointer(&frame, &e);
                }
            }
        })
    };
    let onpointerup = {
        let (map, trace, drag, hover) = (map.clone(), props.trace.clone(), drag.clone(), hover.clone());
        let (on, cell) = (props.on.clone(), props.cell.clone());
        Callback::from(move |e: PointerEvent| {
            let x = place_of(&e);
            let from = drag.map_or(x, |d| d.0);
            drag.set(None);
            if (x - from).abs() < CLICK {
                on.emit(Msg::SelectRecord { cell: cell.clone(), record: at(&map, &trace, x) });
            } else if let Some(side) = map.columns.first() {
                let (lo, hi) = (side.value(from.min(x)), side.value(from.max(x)));
                let range = side.range();
                hover.set(None);
                let range = Some((lo.max(range.0), hi.min(range.1)));
                on.emit(Msg::Zoom { cell: cell.clone(), range });
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
        let (full, current, trace) = (time_range(&props.report.figure), point, props.trace.clone());
        let cell = props.cell.clone();
        Callback::from(move |e: KeyboardEvent| {
            if e.ctrl_key() || e.meta_key() || e.alt_key() {
                return;
            }
            let Some(gesture) = keyed(&e.key(), e.shift_key(), &trace, current, zoom, full) else {
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
                aria-label={props.report.figure.alt.clone()}
                {onpointermove} {onpointerdown} {onpointerup} {onpointerleave} {ondblclick} {onkeydown}>
                <canvas ref={ground} aria-hidden="true" />
                <canvas ref={front} aria-hidden="true" />
                if drag.is_some_and(|(a, b)| (a - b).abs() >= CLICK) { <i class="band"></i> }
                if let (Some(i), Some(_)) = (point, place) {
                    <i class="cx"></i><i class="cy"></i><i class="ring"></i>
                    { over(&props.report.frame, &props.trace, &props.slots, i) }
                }
            </div>
            <p class="vh" aria-live="polite">
                { props.selected.filter(|_| hover.is_none()).map(|i| said(&props.report.frame, &props.trace, &props.slots, i)) }
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
    trace: &Trace,
    current: Option<usize>,
    zoom: Option<(f64, f64)>,
    full: (f64, f64),
) -> Option<Gesture> {
    let step = if shift { 10 } else { 1 };
    let go = |go: Go| -> Option<Gesture> { Some(Box::new(move |cell| Msg::MoveRecord { cell, go })) };
    let show = |range| -> Option<Gesture> { Some(Box::new(move |cell| Msg::Zoom { cell, range })) };
    let around = |factor: f64| {
        let (lo, hi) = zoom.unwrap_or(full);
        let middle = current.map_or(f64::midpoint(lo, hi), |i| trace.sent()[i]).clamp(lo, hi);
        let (lo, hi) = (middle - (middle - lo) * factor, middle + (hi - middle) * factor);
        let zoom = (lo.max(full.0), hi.min(full.1));
        show((zoom != full).then_some(zoom))
    };
    match key {
        "ArrowRight" => go(Go::By(step)),
        "ArrowLeft" => go(Go::By(-step)),
        "Home" => go(Go::First),
        "End" => go(Go::Last),
        "Escape" if current.is_some() => Some(Box::new(|cell| Msg::SelectRecord { cell, record: None })),
        "+" | "=" => around(0.5),
        "-" => around(2.0),
        "0" => show(None),
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

fn nearest(map: &Map, sent: &Data, x: f64) -> Option<usize> {
    let side = map.columns.first()?;
    (x >= side.start - 8.0 && x <= side.end + 8.0).then(|| map.nearest(0, sent, x)).flatten()
}

/// Where a record lies: at its delay, or in the lane of lost packets.
fn place(map: &Map, trace: &Trace, i: usize) -> Option<(f64, f64)> {
    let x = map.columns.first()?.pixel(trace.sent()[i]);
    let (lane, scale) = (map.rows.first()?, map.rows.get(1)?);
    let y = if trace.outcomes()[i].is_timed() {
        scale.pixel(trace.delays()[i]).max(scale.start)
    } else {
        f64::midpoint(lane.start, lane.end)
    };
    map.columns.first()?.contains(x).then_some((x, y))
}

/// The crosshair's box: the packet, its delay, each estimator's timeout and verdict.
fn over(frame: &Frame, trace: &Trace, slots: &[usize], i: usize) -> Html {
    let (packet, delay) = packet_and_delay(frame, trace, i);
    html! {
        <div class="over" aria-hidden="true">
            <p><span>{ packet }</span><b>{ delay }</b></p>
            <table><tbody>
                { for slots.iter().enumerate().map(|(k, slot)| {
                    let (timeout, verdict) = slot_words(frame, i, k);
                    html! {
                        <tr class={letter(*slot)}>
                            <th scope="row">{ letter(*slot) }</th><td>{ timeout }</td>
                            <td>if verdict == "too soon" { <b>{ verdict }</b> } else { { verdict } }</td>
                        </tr>
                    }
                }) }
            </tbody></table>
        </div>
    }
}

fn said(frame: &Frame, trace: &Trace, slots: &[usize], i: usize) -> String {
    let (packet, delay) = packet_and_delay(frame, trace, i);
    let verdicts = slots.iter().enumerate().map(|(k, slot)| {
        let (timeout, verdict) = slot_words(frame, i, k);
        format!("{} {timeout}, {verdict}", letter(*slot))
    });
    std::iter::once(format!("{packet}: {delay}")).chain(verdicts).collect::<Vec<_>>().join("; ")
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

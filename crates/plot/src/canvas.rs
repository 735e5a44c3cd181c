//! A figure on an HTML canvas.
//!
//! The backend of plotters-canvas, and over it what a figure needs besides. It counts in eighths of a
//! device pixel, so that thin lines and small discs keep their size. It can show an image, and words
//! with an edge. And it is fast: lines and discs that follow in one style are painted together, but
//! not all of them, since browsers take more than twice as long for a path of twice the length; and
//! level and upright lines, steps among them, are painted as rectangles, which takes a fifth of the
//! time of strokes.

use crate::layout::{Map, layout};
use crate::surface::{Mask, Surface};
use crate::theme::{Rgb, Theme};
use crate::{Layers, Options, draw};
use netspurt_core::figure::Figure;
use plotters::drawing::{DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};
use plotters_canvas::CanvasBackend;
use std::f64::consts::TAU;
use std::fmt;
use wasm_bindgen::{Clamped, JsCast as _, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Units in a device pixel.
const FINENESS: u32 = 8;
/// A path is painted when it has so many corners.
const ENOUGH: usize = 64;

/// Draws a figure, or some layers of it, on a canvas, over nothing: what the canvas showed is gone,
/// and where the figure draws nothing the canvas is clear.
///
/// `size` is in CSS pixels, to which the page's style must set the element; `ratio` is how many device
/// pixels each has. An empty size draws nothing.
pub fn canvas(
    figure: &Figure,
    element: &HtmlCanvasElement,
    size: (f64, f64),
    ratio: f64,
    theme: &Theme,
    layers: Layers,
) -> Result<Map, CanvasError> {
    let device = |v: f64| crate::pen::whole((v * ratio).clamp(0.0, 16384.0)).unsigned_abs();
    let (width, height) = (device(size.0), device(size.1));
    if (element.width(), element.height()) != (width, height) {
        element.set_width(width);
        element.set_height(height);
    }
    if width == 0 || height == 0 {
        return Ok(layout(figure, size.0, size.1));
    }
    let context = context_of(element)?;
    context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)?;
    context.clear_rect(0.0, 0.0, f64::from(width), f64::from(height));
    let unit = 1.0 / f64::from(FINENESS);
    context.set_transform(unit, 0.0, 0.0, unit, 0.0, 0.0)?;
    context.set_line_join("round");
    context.set_text_baseline("alphabetic");

    let backend = CanvasBackend::with_canvas_object(element.clone()).ok_or(JsValue::from("no 2d context"))?;
    let surface = Canvas {
        backend,
        element: element.clone(),
        context,
        size: (width * FINENESS, height * FINENESS),
        open: None,
        corners: 0,
        points: Vec::new(),
        halo: None,
        font: String::new(),
    };
    let area = surface.into_drawing_area();
    let map = draw(figure, &area, theme, &Options { ratio, layers })?;
    area.present()?;
    Ok(map)
}

fn context_of(element: &HtmlCanvasElement) -> Result<CanvasRenderingContext2d, JsValue> {
    element.get_context("2d")?.and_then(|c| c.dyn_into().ok()).ok_or_else(|| "no 2d context".into())
}

struct Canvas {
    /// Draws rectangles.
    backend: CanvasBackend,
    element: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
    open: Option<Open>,
    /// Corners of the open path so far.
    corners: usize,
    /// Of the path being drawn; kept for its room.
    points: Vec<BackendCoord>,
    halo: Option<(Rgb, u32)>,
    /// The context's font, which is dear to set.
    font: String,
}

/// A path still growing, of one style.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Open {
    paint: Paint,
    rgb: (u8, u8, u8),
    alpha: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paint {
    Stroke(u32),
    Fill,
    /// Not a path: rectangles painted one by one.
    Rects,
}

type Painted = Result<(), DrawingErrorKind<CanvasError>>;

impl Canvas {
    /// Goes on with the open path, or paints it and begins one of this style.
    fn open(&mut self, paint: Paint, colour: BackendColor) {
        let next = Open { paint, rgb: colour.rgb, alpha: colour.alpha };
        if self.open != Some(next) {
            self.close();
            self.open = Some(next);
            let css = css(colour);
            if let Paint::Stroke(width) = paint {
                self.context.set_stroke_style_str(&css);
                self.context.set_line_width(f64::from(width));
            } else {
                self.context.set_fill_style_str(&css);
            }
            self.context.begin_path();
            self.corners = 0;
        } else if self.corners > ENOUGH {
            self.paint();
        }
    }

    fn close(&mut self) {
        self.paint();
        self.open = None;
    }

    /// Paints what there is of the open path.
    fn paint(&mut self) {
        match self.open {
            Some(Open { paint: Paint::Stroke(_), .. }) if self.corners > 0 => self.context.stroke(),
            Some(Open { paint: Paint::Fill, .. }) if self.corners > 0 => self.context.fill(),
            _ => return,
        }
        self.context.begin_path();
        self.corners = 0;
    }

    /// Adds a closed shape to the open path.
    fn shape(&mut self, points: &[BackendCoord]) {
        self.polyline(points);
        self.context.close_path();
    }

    /// Adds an open line to the open path, which may be painted in parts.
    fn line(&mut self, points: &[BackendCoord]) {
        let mut start = 0;
        while start + 1 < points.len() {
            let end = points.len().min(start + ENOUGH);
            self.polyline(&points[start..end]);
            if end == points.len() {
                return;
            }
            self.paint();
            // The next part begins with the last segment again, so that the two are joined.
            start = end - 2;
        }
    }

    fn polyline(&mut self, points: &[BackendCoord]) {
        self.corners += points.len();
        let mut points = points.iter().map(|&(x, y)| (f64::from(x), f64::from(y)));
        if let Some((x, y)) = points.next() {
            self.context.move_to(x, y);
        }
        for (x, y) in points {
            self.context.line_to(x, y);
        }
    }

    /// A line along the axes: a rectangle for each straight stretch, corners filled.
    fn rects(&self, points: &[BackendCoord], width: u32) {
        let width = f64::from(width);
        let half = width / 2.0;
        let mut i = 0;
        while i + 1 < points.len() {
            // To and fro on one level or upright is one stretch.
            let level = points[i].1 == points[i + 1].1;
            let along = |p: BackendCoord| if level { p.0 } else { p.1 };
            let fixed = if level { points[i].1 } else { points[i].0 };
            let mut end = i + 1;
            let (mut low, mut high) = (along(points[i]), along(points[i]));
            while let Some(&p) = points.get(end).filter(|p| if level { p.1 == fixed } else { p.0 == fixed }) {
                (low, high) = (low.min(along(p)), high.max(along(p)));
                end += 1;
            }
            let (low, high, fixed) = (f64::from(low), f64::from(high), f64::from(fixed));
            let inner = i > 0 && end < points.len();
            // Upright stretches that nearly touch cover the level one between them.
            if !(level && inner && high - low <= width) {
                let reach = |corner: bool| if corner { half } else { 0.0 };
                let (mut before, mut after) = (reach(i > 0), reach(end < points.len()));
                if along(points[i]) > along(points[end - 1]) {
                    (before, after) = (after, before);
                }
                let (from, length) = (low - before, high - low + before + after);
                if level {
                    self.context.fill_rect(from, fixed - half, length, width);
                } else {
                    self.context.fill_rect(fixed - half, from, width, length);
                }
            }
            i = end - 1;
        }
    }
}

impl DrawingBackend for Canvas {
    type ErrorType = CanvasError;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Painted {
        Ok(())
    }

    fn present(&mut self) -> Painted {
        self.close();
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Painted {
        self.close();
        self.backend.draw_pixel(at, colour).map_err(foreign)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Painted {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Painted {
        let mut points = std::mem::take(&mut self.points);
        points.clear();
        points.extend(path);
        let (width, colour) = (style.stroke_width(), style.color());
        // Where rectangles overlap, a veil would be thicker.
        let along_axes =
            colour.alpha >= 1.0 && points.windows(2).all(|p| p[0].0 == p[1].0 || p[0].1 == p[1].1);
        if points.len() > 1 && along_axes {
            self.open(Paint::Rects, colour);
            self.rects(&points, width);
        } else {
            self.open(Paint::Stroke(width), colour);
            match points.split_last() {
                Some((last, shape)) if shape.len() > 2 && shape.first() == Some(last) => self.shape(shape),
                _ => self.line(&points),
            }
        }
        self.points = points;
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Painted {
        self.close();
        self.backend.draw_rect((left, top), (right, bottom), style, fill).map_err(foreign)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Painted {
        self.open(Paint::Fill, style.color());
        let points: Vec<BackendCoord> = path.into_iter().collect();
        self.shape(&points);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Painted {
        self.open(if fill { Paint::Fill } else { Paint::Stroke(style.stroke_width()) }, style.color());
        self.corners += 8;
        let (x, y, radius) = (f64::from(x), f64::from(y), f64::from(radius));
        self.context.move_to(x + radius, y);
        self.context.arc(x, y, radius, 0.0, TAU).map_err(failed)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Painted {
        self.close();
        let (x, y) = (f64::from(x), f64::from(y));
        let weight = match style.style() {
            FontStyle::Bold => "600",
            FontStyle::Italic => "italic 400",
            _ => "400",
        };
        let font = format!("{weight} {}px {}", style.size(), style.family().as_str());
        if font != self.font {
            self.context.set_font(&font);
            self.font = font;
        }
        self.context.set_text_align(match style.anchor().h_pos {
            HPos::Left => "left",
            HPos::Center => "center",
            HPos::Right => "right",
        });
        if let Some((paper, width)) = self.halo {
            self.context.set_stroke_style_str(&css(paper.alpha(1.0)));
            self.context.set_line_width(f64::from(width));
            self.context.stroke_text(text, x, y).map_err(failed)?;
        }
        self.context.set_fill_style_str(&css(style.color()));
        self.context.fill_text(text, x, y).map_err(failed)
    }
}

impl Surface for Canvas {
    fn fineness(&self) -> u32 {
        FINENESS
    }

    fn halo(&mut self, edge: Option<(Rgb, u32)>) {
        self.halo = edge;
    }

    /// `putImageData` would replace what is below, so the image goes on a canvas of its own, which is
    /// then drawn on this one.
    fn mask(&mut self, mask: &Mask<'_>) -> Painted {
        self.close();
        let size = |v: usize| u32::try_from(v).unwrap_or(0);
        let (w, h) = (size(mask.width), size(mask.alpha.len() / mask.width.max(1)));
        if w == 0 || h == 0 {
            return Ok(());
        }
        let Rgb(r, g, b) = mask.colour;
        let pixels: Vec<u8> = mask.alpha.iter().flat_map(|&a| [r, g, b, a]).collect();
        let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(&pixels), w, h).map_err(failed)?;
        let document = self.element.owner_document().ok_or_else(|| failed("no document".into()))?;
        let canvas = document.create_element("canvas").map_err(failed)?;
        let canvas: HtmlCanvasElement = canvas.dyn_into().map_err(|_| failed("not a canvas".into()))?;
        canvas.set_width(w);
        canvas.set_height(h);
        let context = context_of(&canvas).map_err(failed)?;
        context.put_image_data(&image, 0.0, 0.0).map_err(failed)?;
        self.context.set_image_smoothing_enabled(false);
        let unit = f64::from(FINENESS);
        self.context
            .draw_image_with_html_canvas_element_and_dw_and_dh(
                &canvas,
                f64::from(mask.at.0),
                f64::from(mask.at.1),
                f64::from(w) * unit,
                f64::from(h) * unit,
            )
            .map_err(failed)
    }
}

fn css(BackendColor { alpha, rgb: (r, g, b) }: BackendColor) -> String {
    format!("rgba({r},{g},{b},{alpha})")
}

/// What the browser said when it could not draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanvasError(String);

impl fmt::Display for CanvasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the canvas cannot be drawn on: {}", self.0)
    }
}

impl std::error::Error for CanvasError {}

impl From<JsValue> for CanvasError {
    fn from(value: JsValue) -> Self {
        Self(value.as_string().unwrap_or_else(|| format!("{value:?}")))
    }
}

impl From<DrawingAreaErrorKind<Self>> for CanvasError {
    fn from(error: DrawingAreaErrorKind<Self>) -> Self {
        match error {
            DrawingAreaErrorKind::BackendError(DrawingErrorKind::DrawingError(error)) => error,
            other => Self(other.to_string()),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err asks for")]
fn foreign(
    error: DrawingErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>,
) -> DrawingErrorKind<CanvasError> {
    DrawingErrorKind::DrawingError(CanvasError(error.to_string()))
}

fn failed(value: JsValue) -> DrawingErrorKind<CanvasError> {
    DrawingErrorKind::DrawingError(value.into())
}

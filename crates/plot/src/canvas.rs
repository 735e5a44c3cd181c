//! A figure on an HTML canvas.
//!
//! A backend of our own, for three reasons: it counts in eighths of a device pixel, so that thin lines
//! and small discs keep their size; it fills and strokes what follows in one style at once, where one
//! call for each of thousands of dots would take longer than all else; and it can show an image.

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
use std::f64::consts::TAU;
use std::fmt;
use wasm_bindgen::{Clamped, JsCast as _, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

/// Units in a device pixel.
const FINENESS: u32 = 8;

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

    let surface = Canvas {
        element: element.clone(),
        context,
        size: (width * FINENESS, height * FINENESS),
        open: None,
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
    element: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
    open: Option<Open>,
    halo: Option<(Rgb, u32)>,
    /// The context's font, which is dear to set.
    font: String,
}

/// A path still growing, of one style.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Open {
    /// Of a stroke; a fill has none.
    width: Option<u32>,
    rgb: (u8, u8, u8),
    alpha: f64,
}

type Painted = Result<(), DrawingErrorKind<CanvasError>>;

impl Canvas {
    /// Goes on with the open path, or paints it and begins one of this style.
    fn open(&mut self, width: Option<u32>, colour: BackendColor) {
        let next = Open { width, rgb: colour.rgb, alpha: colour.alpha };
        if self.open == Some(next) {
            return;
        }
        self.close();
        self.open = Some(next);
        let paint = css(colour);
        match width {
            Some(width) => {
                self.context.set_stroke_style_str(&paint);
                self.context.set_line_width(f64::from(width));
            }
            None => self.context.set_fill_style_str(&paint),
        }
        self.context.begin_path();
    }

    fn close(&mut self) {
        match self.open.take() {
            Some(Open { width: Some(_), .. }) => self.context.stroke(),
            Some(_) => self.context.fill(),
            None => {}
        }
    }

    fn corners(&self, path: impl IntoIterator<Item = BackendCoord>, close: bool) {
        let mut path = path.into_iter().peekable();
        let Some(start) = path.next() else { return };
        self.context.move_to(f64::from(start.0), f64::from(start.1));
        let mut shut = close;
        while let Some(next) = path.next() {
            if next == start && path.peek().is_none() {
                shut = true;
            } else {
                self.context.line_to(f64::from(next.0), f64::from(next.1));
            }
        }
        if shut {
            self.context.close_path();
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
        self.draw_rect(at, (at.0 + 1, at.1 + 1), &colour, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Painted {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Painted {
        self.open(Some(style.stroke_width()), style.color());
        self.corners(path, false);
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Painted {
        self.open((!fill).then_some(style.stroke_width()), style.color());
        let (w, h) = (f64::from(right) - f64::from(left), f64::from(bottom) - f64::from(top));
        self.context.rect(f64::from(left), f64::from(top), w, h);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Painted {
        self.open(None, style.color());
        self.corners(path, true);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Painted {
        self.open((!fill).then_some(style.stroke_width()), style.color());
        let (x, y, radius) = (f64::from(x), f64::from(y), f64::from(radius));
        self.context.move_to(x + radius, y);
        self.context.arc(x, y, radius, 0.0, TAU).map_err(failed)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Painted {
        self.close();
        let (x, y) = (f64::from(x), f64::from(y));
        let weight = if matches!(style.style(), FontStyle::Bold) { 600 } else { 400 };
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

fn failed(value: JsValue) -> DrawingErrorKind<CanvasError> {
    DrawingErrorKind::DrawingError(value.into())
}

//! Figures drawn on any plotters backend.
//!
//! [`layout`](layout()) says where the panels of a figure lie, [`draw`] draws them. A canvas and an
//! SVG come from the same calls, so they agree to the pixel. Nothing measures text: gaps and rows
//! have the sizes the figure gives them, and labels that might touch are left out.
//!
//! Drawing costs what the screen can show, not what the data holds: lines are thinned to the extremes
//! of each pixel column, thousands of dots become one image, marks that hide each other are drawn
//! once.

mod arrows;
#[cfg(target_arch = "wasm32")]
mod canvas;
mod density;
mod frame;
mod layout;
mod marks;
mod pen;
mod png;
mod stroke;
mod surface;
mod svg;
mod theme;
mod thin;
mod ticks;

#[cfg(target_arch = "wasm32")]
pub use canvas::{CanvasError, canvas};
pub use layout::{Map, Side, height, layout};
pub use surface::{Mask, Surface};
pub use svg::svg;
pub use theme::{Rgb, Theme};

use netspurt_core::figure::{Figure, Layer};
use pen::{Drawn, Pen};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Drawable, PointCollection};
use plotters_backend::BackendCoord;
use std::cell::RefCell;
use std::iter;

/// How a figure is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Device pixels in a CSS pixel.
    pub ratio: f64,
    pub layers: Layers,
}

/// Which part of a figure is drawn. A page that keeps the ground on a canvas of its own draws only
/// the front when a parameter moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layers {
    #[default]
    All,
    /// Axes, gridlines and labels, and the marks of [`Layer::Ground`].
    Ground,
    /// The marks of [`Layer::Front`].
    Front,
}

impl Layers {
    pub fn only(layer: Layer) -> Self {
        match layer {
            Layer::Ground => Self::Ground,
            Layer::Front => Self::Front,
        }
    }

    fn has(self, layer: Layer) -> bool {
        self == Self::All || self == Self::only(layer)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { ratio: 1.0, layers: Layers::All }
    }
}

/// Draws a figure over a whole area, which must be clear, and says where everything lies.
///
/// An area smaller than a CSS pixel, or a figure without columns or rows, draws nothing.
pub fn draw<S: Surface>(
    figure: &Figure,
    area: &DrawingArea<S, Shift>,
    theme: &Theme,
    options: &Options,
) -> Result<Map, DrawingAreaErrorKind<S::ErrorType>> {
    let ratio = if options.ratio.is_finite() { options.ratio.clamp(0.1, 16.0) } else { 1.0 };
    let picture = Picture { figure, theme, ratio, layers: options.layers, map: RefCell::default() };
    area.draw(&picture)?;
    Ok(picture.map.into_inner())
}

/// The whole figure as one element, so that it meets the backend itself and its size in units.
struct Picture<'a> {
    figure: &'a Figure,
    theme: &'a Theme,
    ratio: f64,
    layers: Layers,
    map: RefCell<Map>,
}

impl<'a> PointCollection<'a, BackendCoord> for &'a Picture<'_> {
    type Point = BackendCoord;
    type IntoIter = iter::Once<BackendCoord>;

    fn point_iter(self) -> Self::IntoIter {
        iter::once((0, 0))
    }
}

impl<S: Surface> Drawable<S> for Picture<'_> {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, mut pos: I, to: &mut S, (w, h): (u32, u32)) -> Drawn<S> {
        let (figure, theme) = (self.figure, self.theme);
        let unit = self.ratio * f64::from(to.fineness());
        let map = layout(figure, f64::from(w) / unit, f64::from(h) / unit);
        if !map.is_empty() {
            let mut pen = Pen { to, origin: pos.next().unwrap_or_default(), ratio: self.ratio, unit };
            if self.layers.has(Layer::Ground) {
                frame::draw(&mut pen, figure, &map, theme)?;
                marks::draw(&mut pen, figure, &map, theme, Layer::Ground)?;
            }
            if self.layers.has(Layer::Front) {
                marks::draw(&mut pen, figure, &map, theme, Layer::Front)?;
            }
        }
        self.map.replace(map);
        Ok(())
    }
}

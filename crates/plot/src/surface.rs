//! What a figure asks of a backend beyond plotters' own trait.
//!
//! Every backend of plotters becomes a surface by an empty `impl`. The canvas and the SVG writer of
//! this crate do better: they take coordinates finer than a pixel, put paper round words, and show a
//! million dots as one image.

use crate::theme::Rgb;
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};

/// A backend of plotters on which a figure can be drawn.
pub trait Surface: DrawingBackend {
    /// Units of the backend in one device pixel. Coordinates, radii and widths are whole numbers of
    /// units, so a backend that can draw between pixels answers more than 1.
    fn fineness(&self) -> u32 {
        1
    }

    /// Words drawn from now on have an edge of this colour and width, in units, around them.
    fn halo(&mut self, _edge: Option<(Rgb, u32)>) {}

    /// Lays one colour over the pixels of a rectangle, each as densely as its entry says.
    fn mask(&mut self, mask: &Mask<'_>) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        let unit = i32::try_from(self.fineness()).unwrap_or(1);
        for (row, line) in (0..).zip(mask.alpha.chunks(mask.width.max(1))) {
            let y = mask.at.1 + row * unit;
            // Sixteen shades, so that neighbours merge into one rectangle.
            let mut x = mask.at.0;
            for run in line.chunk_by(|a, b| a >> 4 == b >> 4) {
                let end = x + unit * i32::try_from(run.len()).unwrap_or(0);
                let alpha = run[0] >> 4;
                if alpha > 0 {
                    let colour = mask.colour.alpha(f64::from(alpha) / 15.0);
                    self.draw_rect((x, y), (end, y + unit), &colour, true)?;
                }
                x = end;
            }
        }
        Ok(())
    }
}

/// A rectangle of device pixels in one colour.
#[derive(Debug, Clone, Copy)]
pub struct Mask<'a> {
    /// The upper left corner, in units of the backend.
    pub at: BackendCoord,
    /// Device pixels in a row.
    pub width: usize,
    /// One entry a pixel, row by row from the top: 0 is clear, 255 opaque.
    pub alpha: &'a [u8],
    pub colour: Rgb,
}

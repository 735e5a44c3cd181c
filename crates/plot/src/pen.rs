//! Drawing in CSS pixels on a backend that counts in whole units.

use crate::surface::{Mask, Surface};
use crate::theme::{Rgb, Type};
use netspurt_core::figure::Anchor;
use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind, FontFamily, FontStyle,
};
use std::fmt;

/// A place in CSS pixels, y downward.
pub(crate) type Point = (f64, f64);

pub(crate) type Drawn<S> = Result<(), DrawingErrorKind<<S as plotters_backend::DrawingBackend>::ErrorType>>;

pub(crate) struct Pen<'a, S> {
    pub(crate) to: &'a mut S,
    /// Where the figure's own corner lies on the backend, in units.
    pub(crate) origin: BackendCoord,
    /// Device pixels in a CSS pixel.
    pub(crate) ratio: f64,
    /// Units in a CSS pixel.
    pub(crate) unit: f64,
}

impl<S: Surface> Pen<'_, S> {
    fn at(&self, (x, y): Point) -> BackendCoord {
        (self.origin.0 + whole(x * self.unit), self.origin.1 + whole(y * self.unit))
    }

    /// At least one unit: a thin line is still a line.
    fn length(&self, v: f64) -> u32 {
        whole(v * self.unit).max(1).unsigned_abs()
    }

    /// A line of one CSS pixel begins here to fill whole device pixels.
    pub(crate) fn crisp(&self, v: f64) -> f64 {
        (v * self.ratio).round() / self.ratio + 0.5
    }

    pub(crate) fn path(&mut self, points: &[Point], width: f64, colour: BackendColor) -> Drawn<S> {
        let stroke = Stroke { colour, width: self.length(width) };
        let (origin, unit) = (self.origin, self.unit);
        let at = |&(x, y): &Point| (origin.0 + whole(x * unit), origin.1 + whole(y * unit));
        self.to.draw_path(points.iter().map(at), &stroke)
    }

    pub(crate) fn polygon(&mut self, points: &[Point], colour: BackendColor) -> Drawn<S> {
        let (origin, unit) = (self.origin, self.unit);
        let at = |&(x, y): &Point| (origin.0 + whole(x * unit), origin.1 + whole(y * unit));
        self.to.fill_polygon(points.iter().map(at), &colour)
    }

    pub(crate) fn rect(&mut self, from: Point, to: Point, colour: BackendColor) -> Drawn<S> {
        let (from, to) = (self.at(from), self.at(to));
        if from.0 >= to.0 || from.1 >= to.1 {
            return Ok(());
        }
        self.to.draw_rect(from, to, &colour, true)
    }

    pub(crate) fn disc(&mut self, centre: Point, radius: f64, colour: BackendColor) -> Drawn<S> {
        let (centre, radius) = (self.at(centre), self.length(radius));
        self.to.draw_circle(centre, radius, &colour, true)
    }

    /// Words whose baseline runs through a point.
    pub(crate) fn words(&mut self, text: &str, at: Point, anchor: Anchor, face: Type) -> Drawn<S> {
        if text.is_empty() {
            return Ok(());
        }
        let words = Words { face, size: face.size * self.unit, anchor };
        let at = self.at(at);
        self.to.draw_text(text, &words, at)
    }

    /// The same, with an edge of paper so that they can be read over lines.
    pub(crate) fn clear_words(
        &mut self,
        text: &str,
        at: Point,
        anchor: Anchor,
        face: Type,
        paper: Rgb,
    ) -> Drawn<S> {
        self.to.halo(Some((paper, self.length(4.0))));
        let drawn = self.words(text, at, anchor, face);
        self.to.halo(None);
        drawn
    }

    /// `corner` is in device pixels from the figure's own corner.
    pub(crate) fn mask(&mut self, corner: (i32, i32), width: usize, alpha: &[u8], colour: Rgb) -> Drawn<S> {
        let fine = i32::try_from(self.to.fineness()).unwrap_or(1);
        let at = (self.origin.0 + corner.0 * fine, self.origin.1 + corner.1 * fine);
        self.to.mask(&Mask { at, width, alpha, colour })
    }
}

/// The nearest whole number, near enough to the figure that sums of a few do not overflow.
#[expect(clippy::cast_possible_truncation, reason = "clamped; not a number becomes 0")]
pub(crate) fn whole(v: f64) -> i32 {
    v.round().clamp(-1e8, 1e8) as i32
}

struct Stroke {
    colour: BackendColor,
    width: u32,
}

impl BackendStyle for Stroke {
    fn color(&self) -> BackendColor {
        self.colour
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

/// Text that refuses to be measured: the layout of a figure does not depend on a reader's fonts.
/// `VPos::Bottom` stands for the baseline.
struct Words {
    face: Type,
    size: f64,
    anchor: Anchor,
}

#[derive(Debug)]
struct NotMeasured;

impl fmt::Display for NotMeasured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("figures do not measure text")
    }
}

impl std::error::Error for NotMeasured {}

impl BackendTextStyle for Words {
    type FontError = NotMeasured;

    fn color(&self) -> BackendColor {
        self.face.colour.alpha(1.0)
    }

    fn size(&self) -> f64 {
        self.size
    }

    fn style(&self) -> FontStyle {
        match (self.face.bold, self.face.italic) {
            (true, _) => FontStyle::Bold,
            (false, true) => FontStyle::Italic,
            (false, false) => FontStyle::Normal,
        }
    }

    fn anchor(&self) -> Pos {
        let h_pos = match self.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        Pos::new(h_pos, VPos::Bottom)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(self.face.family)
    }

    fn layout_box(&self, _: &str) -> Result<((i32, i32), (i32, i32)), NotMeasured> {
        Err(NotMeasured)
    }

    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _: &str,
        _: BackendCoord,
        _: F,
    ) -> Result<Result<(), E>, NotMeasured> {
        Err(NotMeasured)
    }
}

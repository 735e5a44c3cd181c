//! A figure as SVG.
//!
//! The picture is drawn eight units to the pixel in a viewBox, since backends count in whole units.
//! What follows in one style is written as one element.

use crate::layout::Map;
use crate::png;
use crate::surface::{Mask, Surface};
use crate::theme::{MONO, Rgb, SANS, Theme};
use crate::{Layers, Options, draw};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use netspurt_core::figure::Figure;
use plotters::drawing::IntoDrawingArea as _;
use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};
use std::convert::Infallible;
use std::fmt::Write as _;

/// Device pixels an exported picture is made for, in a CSS pixel.
const RATIO: f64 = 2.0;
/// Units in such a pixel.
const FINENESS: u32 = 4;

/// A whole figure on its paper, to be saved or put in a page. `width` and `height` are CSS pixels;
/// the picture can be shown at any size. Its title is the figure's text alternative.
pub fn svg(figure: &Figure, width: f64, height: f64, theme: &Theme) -> String {
    let unit = RATIO * f64::from(FINENESS);
    let size = |v: f64| crate::pen::whole(v.clamp(0.0, 1e5) * unit).unsigned_abs();
    let (w, h) = (size(width), size(height));
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {w} {h}\" font-family=\"{SANS}\" fill=\"none\" stroke-linejoin=\"round\">",
        f64::from(w) / unit,
        f64::from(h) / unit,
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(&figure.alt));
    let _ = writeln!(out, "<path fill=\"{}\" d=\"M0 0H{w}V{h}H0z\"/>", hex(theme.paper));
    if w > 0 && h > 0 {
        let area = Svg { out: &mut out, size: (w, h), open: None, halo: None }.into_drawing_area();
        let options = Options { ratio: RATIO, layers: Layers::All };
        // Writing to a string does not fail.
        let _: Result<Map, _> = draw(figure, &area, theme, &options);
        let _ = area.present();
    }
    out.push_str("</svg>\n");
    out
}

struct Svg<'a> {
    out: &'a mut String,
    size: (u32, u32),
    open: Option<Open>,
    halo: Option<(Rgb, u32)>,
}

/// An element still being written, of one style.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Open {
    kind: Kind,
    rgb: (u8, u8, u8),
    alpha: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stroke(u32),
    Fill,
    /// Rectangles, whose edges must not let the paper between neighbours through at any size.
    Rects,
    Discs,
}

type Written = Result<(), DrawingErrorKind<Infallible>>;

impl Svg<'_> {
    /// Goes on with the open element, or closes it and opens one of this style.
    fn open(&mut self, kind: Kind, colour: BackendColor) {
        let next = Open { kind, rgb: colour.rgb, alpha: colour.alpha };
        if self.open == Some(next) {
            return;
        }
        self.close();
        self.open = Some(next);
        let (r, g, b) = colour.rgb;
        let paint = hex(Rgb(r, g, b));
        let _ = match kind {
            Kind::Stroke(width) => write!(self.out, "<path stroke=\"{paint}\" stroke-width=\"{width}\""),
            Kind::Fill => write!(self.out, "<path fill=\"{paint}\""),
            Kind::Rects => write!(self.out, "<path shape-rendering=\"crispEdges\" fill=\"{paint}\""),
            Kind::Discs => write!(self.out, "<g fill=\"{paint}\""),
        };
        if colour.alpha < 1.0 {
            let _ = write!(self.out, " opacity=\"{}\"", (colour.alpha * 1000.0).round() / 1000.0);
        }
        self.out.push_str(if kind == Kind::Discs { ">\n" } else { " d=\"" });
    }

    fn close(&mut self) {
        match self.open.take().map(|o| o.kind) {
            Some(Kind::Discs) => self.out.push_str("</g>\n"),
            Some(_) => self.out.push_str("\"/>\n"),
            None => {}
        }
    }

    fn corners(&mut self, path: impl IntoIterator<Item = BackendCoord>, close: bool) {
        let mut path = path.into_iter().peekable();
        let Some(start) = path.next() else { return };
        let _ = write!(self.out, "M{} {}", start.0, start.1);
        let mut last = start;
        while let Some(next) = path.next() {
            let _ = match (next.0 == last.0, next.1 == last.1) {
                (true, true) => Ok(()),
                _ if next == start && path.peek().is_none() => write!(self.out, "z"),
                (true, false) => write!(self.out, "V{}", next.1),
                (false, true) => write!(self.out, "H{}", next.0),
                (false, false) => write!(self.out, "L{} {}", next.0, next.1),
            };
            last = next;
        }
        if close {
            self.out.push('z');
        }
    }
}

impl DrawingBackend for Svg<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Written {
        Ok(())
    }

    fn present(&mut self) -> Written {
        self.close();
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Written {
        self.draw_rect(at, (at.0 + 1, at.1 + 1), &colour, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Written {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Written {
        self.open(Kind::Stroke(style.stroke_width()), style.color());
        self.corners(path, false);
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Written {
        self.open(if fill { Kind::Rects } else { Kind::Stroke(style.stroke_width()) }, style.color());
        self.corners([(left, top), (right, top), (right, bottom), (left, bottom)], true);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Written {
        self.open(Kind::Fill, style.color());
        self.corners(path, true);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Written {
        if fill {
            self.open(Kind::Discs, style.color());
            let _ = writeln!(self.out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
        } else {
            self.open(Kind::Stroke(style.stroke_width()), style.color());
            let d = 2 * radius;
            let left = i64::from(x) - i64::from(radius);
            let _ =
                write!(self.out, "M{left} {y}a{radius} {radius} 0 1 0 {d} 0a{radius} {radius} 0 1 0-{d} 0z");
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Written {
        self.close();
        let BackendColor { alpha, rgb: (r, g, b) } = style.color();
        let size = (style.size() * 10.0).round() / 10.0;
        let _ =
            write!(self.out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{}\"", hex(Rgb(r, g, b)));
        match style.anchor().h_pos {
            HPos::Left => {}
            HPos::Center => self.out.push_str(" text-anchor=\"middle\""),
            HPos::Right => self.out.push_str(" text-anchor=\"end\""),
        }
        match style.style() {
            FontStyle::Bold => self.out.push_str(" font-weight=\"600\""),
            FontStyle::Italic => self.out.push_str(" font-style=\"italic\""),
            _ => {}
        }
        if style.family().as_str() == MONO {
            let _ = write!(self.out, " font-family=\"{MONO}\"");
        }
        if alpha < 1.0 {
            let _ = write!(self.out, " opacity=\"{alpha}\"");
        }
        if let Some((paper, width)) = self.halo {
            let paper = hex(paper);
            let _ = write!(self.out, " paint-order=\"stroke\" stroke=\"{paper}\" stroke-width=\"{width}\"");
        }
        let _ = writeln!(self.out, ">{}</text>", escaped(text));
        Ok(())
    }
}

impl Surface for Svg<'_> {
    fn fineness(&self) -> u32 {
        FINENESS
    }

    fn halo(&mut self, edge: Option<(Rgb, u32)>) {
        self.halo = edge;
    }

    fn mask(&mut self, mask: &Mask<'_>) -> Written {
        self.close();
        let (w, h) = (mask.width, mask.alpha.len() / mask.width.max(1));
        let unit = FINENESS as usize;
        let _ = writeln!(
            self.out,
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" href=\"data:image/png;base64,{}\"/>",
            mask.at.0,
            mask.at.1,
            w * unit,
            h * unit,
            STANDARD.encode(png::encode(w, mask.alpha, mask.colour)),
        );
        Ok(())
    }
}

fn hex(Rgb(r, g, b): Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Text as XML content; control characters, which XML cannot hold, as spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

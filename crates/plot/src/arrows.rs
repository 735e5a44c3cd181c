//! Arrows between points: four kinds, told apart by stroke and head.

use crate::layout::Frame;
use crate::pen::{Drawn, Pen, Point};
use crate::stroke::dash as dashes;
use crate::surface::Surface;
use netspurt_core::figure::Arrow;
use plotters_backend::BackendColor;

/// Length of a head and half its width, CSS pixels.
const HEAD: (f64, f64) = (8.0, 3.2);

/// How far the strokes of a double arrow lie from its middle.
const APART: f64 = 1.6;

/// Those that begin and end within the frame.
pub(crate) fn arrows<S: Surface>(
    pen: &mut Pen<'_, S>,
    arrow: Arrow,
    places: impl Iterator<Item = [Point; 2]>,
    frame: Frame,
    colour: BackendColor,
) -> Drawn<S> {
    let inside =
        |(x, y): Point| (frame.left..=frame.right).contains(&x) && (frame.top..=frame.bottom).contains(&y);
    for [from, to] in places.filter(|ends| ends.iter().all(|p| inside(*p))) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = libm::hypot(dx, dy);
        if length < 1.0 {
            continue;
        }
        let (dx, dy) = (dx / length, dy / length);
        // Along the arrow back from its tip, and to the side.
        let at = |back: f64, side: f64| (to.0 - back * dx - side * dy, to.1 - back * dy + side * dx);
        let head = HEAD.0.min(length / 2.0);
        let wing = HEAD.1;
        match arrow {
            Arrow::Filled => {
                pen.path(&[from, at(head, 0.0)], 1.4, colour)?;
                pen.polygon(&[to, at(head, wing), at(head, -wing)], colour)?;
            }
            Arrow::Double => {
                for side in [-APART, APART] {
                    pen.path(&[at(length, side), at(head, side)], 1.1, colour)?;
                }
                pen.polygon(&[to, at(head, wing), at(head, -wing)], colour)?;
            }
            Arrow::Open => {
                pen.path(&[from, to], 1.0, colour)?;
                pen.path(&[at(head, wing), to, at(head, -wing)], 1.0, colour)?;
            }
            Arrow::Dashed => {
                for piece in dashes(&[vec![from, at(head, 0.0)]], &[5.0, 4.0], f64::INFINITY) {
                    pen.path(&piece, 1.2, colour)?;
                }
                let middle = head / 2.0;
                pen.polygon(&[to, at(middle, wing), at(head, 0.0), at(middle, -wing)], colour)?;
            }
        }
    }
    Ok(())
}

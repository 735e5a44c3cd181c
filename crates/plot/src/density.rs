//! Many dots as one image: how many fall on each device pixel.
//!
//! The more dots a pixel has, the denser it is, by the logarithm of their number: one alone can still
//! be seen beside thousands. Each dot also darkens its four neighbours by half, so that it has the
//! size of a small disc.

use crate::layout::{Frame, Side};
use crate::pen::{Point, whole};

/// More dots than this in a panel are drawn as an image.
pub(crate) const MANY: usize = 5000;

pub(crate) enum Dots {
    /// Where each lies, in CSS pixels.
    Few(Vec<Point>),
    Many(Grid),
}

pub(crate) struct Grid {
    /// Upper left corner in device pixels.
    pub(crate) corner: (i32, i32),
    pub(crate) width: usize,
    pub(crate) alpha: Vec<u8>,
}

/// Sorts out the dots within a frame.
pub(crate) fn dots(x: &[f64], y: &[f64], across: &Side, up: &Side, frame: Frame, ratio: f64) -> Dots {
    let lies = |(&x, &y): (&f64, &f64)| {
        let (x, y) = (across.pixel(x), up.pixel(y));
        // Also false where there is no number.
        (x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom).then_some((x, y))
    };
    let all = || x.iter().zip(y).filter_map(lies);
    let few: Vec<Point> = all().take(MANY + 1).collect();
    if few.len() <= MANY {
        return Dots::Few(few);
    }
    let corner = (whole((frame.left * ratio).floor()), whole((frame.top * ratio).floor()));
    let size =
        |from: i32, to: f64| usize::try_from(whole((to * ratio).ceil()) - from + 1).unwrap_or(1).min(8192);
    let (width, height) = (size(corner.0, frame.right), size(corner.1, frame.bottom));
    let mut counts = vec![0_u32; width * height];
    let (left, top) = (f64::from(corner.0), f64::from(corner.1));
    for (x, y) in all() {
        let at = pixel(y * ratio - top) * width + pixel(x * ratio - left);
        if let Some(count) = counts.get_mut(at) {
            *count = count.saturating_add(2);
        }
    }
    Dots::Many(Grid { corner, width, alpha: shade(&counts, width) })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the frame")]
fn pixel(v: f64) -> usize {
    v as usize
}

/// Twice the dots of each pixel in, opacity out.
fn shade(counts: &[u32], width: usize) -> Vec<u8> {
    const ALONE: f64 = 0.45;
    let most = counts.iter().copied().max().unwrap_or(0);
    let scale = (1.0 - ALONE) / libm::log(f64::from(most).max(4.0) / 2.0);
    let opacity = |twice: u32| match twice {
        0 => 0,
        1 => level(0.5 * ALONE),
        n => level(ALONE + scale * libm::log(f64::from(n) / 2.0)),
    };
    let table: Vec<u8> = (0..4096.min(most + 1)).map(opacity).collect();
    let blank = vec![0; width];
    let mut alpha = Vec::with_capacity(counts.len());
    for (row, line) in counts.chunks_exact(width).enumerate() {
        let near =
            |row: Option<usize>| row.and_then(|r| counts.get(r * width..(r + 1) * width)).unwrap_or(&blank);
        let (above, below) = (near(row.checked_sub(1)), near(Some(row + 1)));
        for x in 0..width {
            let left = if x > 0 { line[x - 1] } else { 0 };
            let right = if x + 1 < width { line[x + 1] } else { 0 };
            let beside = left.max(right).max(above[x]).max(below[x]) / 2;
            let n = line[x].max(beside);
            alpha.push(table.get(n as usize).copied().unwrap_or_else(|| opacity(n)));
        }
    }
    alpha
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn level(v: f64) -> u8 {
    (v * 255.0).round().clamp(0.0, 255.0) as u8
}

/// Places taken, to draw only one of many marks that would cover each other.
pub(crate) struct Places {
    taken: Vec<u64>,
    left: f64,
    top: f64,
    per_pixel: f64,
    width: usize,
    height: usize,
}

impl Places {
    /// Cells of `cell` CSS pixels, on both axes, over a frame.
    pub(crate) fn new(frame: Frame, cell: f64) -> Self {
        let size = |v: f64| pixel((v / cell).ceil().clamp(0.0, 16384.0)) + 2;
        let (width, height) = (size(frame.right - frame.left), size(frame.bottom - frame.top));
        Self {
            taken: vec![0; (width * height).div_ceil(64)],
            left: frame.left,
            top: frame.top,
            per_pixel: 1.0 / cell,
            width,
            height,
        }
    }

    /// Whether the place was free until now. `false` outside the frame.
    pub(crate) fn take(&mut self, (x, y): Point) -> bool {
        let (x, y) = ((x - self.left) * self.per_pixel, (y - self.top) * self.per_pixel);
        if !(x >= 0.0 && y >= 0.0) {
            return false;
        }
        let (x, y) = (pixel(x), pixel(y));
        if x >= self.width || y >= self.height {
            return false;
        }
        let at = y * self.width + x;
        let free = self.taken[at / 64] & (1 << (at % 64)) == 0;
        self.taken[at / 64] |= 1 << (at % 64);
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lonely_dot_is_seen_beside_thousands() {
        let (width, height) = (9, 5);
        let mut counts = vec![0; width * height];
        counts[2 * width + 1] = 2;
        counts[2 * width + 6] = 2 * 10_000;
        let alpha = shade(&counts, width);
        let at = |x: usize, y: usize| alpha[y * width + x];
        assert_eq!((at(1, 2), at(6, 2)), (level(0.45), 255));
        assert_eq!(at(1, 1), level(0.225));
        assert!(at(6, 1) > at(1, 2) && at(6, 1) < 255);
        assert_eq!((at(3, 2), at(8, 4)), (0, 0));
    }

    #[test]
    fn a_place_is_taken_once() {
        let mut places = Places::new(Frame { left: 10.0, top: 0.0, right: 20.0, bottom: 5.0 }, 0.5);
        assert!(places.take((10.1, 1.0)));
        assert!(!places.take((10.2, 1.1)));
        assert!(places.take((10.6, 1.0)));
        assert!(!places.take((9.0, 1.0)) && !places.take((f64::NAN, 1.0)) && !places.take((1e9, 1.0)));
    }
}

//! Many dots as one image: how many fall on each device pixel.
//!
//! The more dots a pixel has, the denser it is, by the logarithm of their number: one alone can still
//! be seen beside thousands.

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
    let inside = |&(x, y): &Point| {
        // Also false where there is no number.
        x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom
    };
    let all = x.iter().zip(y).map(|(&x, &y)| (across.pixel(x), up.pixel(y)));
    let few: Vec<Point> = all.clone().filter(inside).take(MANY + 1).collect();
    if few.len() <= MANY {
        return Dots::Few(few);
    }
    let corner = (whole((frame.left * ratio).floor()), whole((frame.top * ratio).floor()));
    let size =
        |from: i32, to: f64| usize::try_from(whole((to * ratio).ceil()) - from + 1).unwrap_or(1).min(8192);
    let (width, height) = (size(corner.0, frame.right), size(corner.1, frame.bottom));
    let mut counts = vec![0_u16; width * height];
    let (left, top) = (f64::from(corner.0), f64::from(corner.1));
    let mut count = |(x, y): Point| {
        if inside(&(x, y)) {
            let at = pixel(y * ratio - top) * width + pixel(x * ratio - left);
            if let Some(count) = counts.get_mut(at) {
                *count = count.saturating_add(1);
            }
        }
    };
    match (across.straight(), up.straight()) {
        (Some((a, b)), Some((c, d))) => x.iter().zip(y).for_each(|(x, y)| count((a * x + b, c * y + d))),
        _ => all.for_each(count),
    }
    Dots::Many(Grid { corner, width, alpha: shade(&mut counts, width, ratio) })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the frame")]
fn pixel(v: f64) -> usize {
    v as usize
}

/// Dots of each pixel in, opacity out. Each dot has the size of a small disc.
fn shade(counts: &mut Vec<u16>, width: usize, ratio: f64) -> Vec<u8> {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    // The more there are in one place, the fainter is one alone.
    let alone = (0.95 - 0.1 * libm::log(f64::from(most))).max(0.35);
    let scale = if most > 1 { (1.0 - alone) / libm::log(f64::from(most)) } else { 0.0 };
    let opacity = |n: u16| if n == 0 { 0.0 } else { alone + scale * libm::log(f64::from(n)) };
    let table: Vec<u8> = (0..=most).map(|n| level(opacity(n))).collect();
    for _ in 1..whole(ratio) {
        *counts = spread(counts, width, Ord::max);
    }
    let alpha: Vec<u8> = counts.iter().map(|&n| table.get(usize::from(n)).copied().unwrap_or(255)).collect();
    spread(&alpha, width, |own, beside| own.max(beside / 2))
}

/// Each entry joined with the greatest of its four neighbours.
fn spread<T: Copy + Ord + Default>(grid: &[T], width: usize, join: impl Fn(T, T) -> T) -> Vec<T> {
    let blank = vec![T::default(); width];
    let mut beside = blank.clone();
    let mut out = Vec::with_capacity(grid.len());
    let rows: Vec<&[T]> = grid.chunks_exact(width).collect();
    for (i, row) in rows.iter().enumerate() {
        let near = |i: Option<usize>| i.and_then(|i| rows.get(i).copied()).unwrap_or(&blank);
        let vertical = near(i.checked_sub(1)).iter().zip(near(Some(i + 1)));
        beside.iter_mut().zip(vertical).for_each(|(to, (&above, &below))| *to = above.max(below));
        beside.iter_mut().zip(&row[1..]).for_each(|(to, &right)| *to = right.max(*to));
        beside[1..].iter_mut().zip(*row).for_each(|(to, &left)| *to = left.max(*to));
        out.extend(row.iter().zip(&beside).map(|(&own, &beside)| join(own, beside)));
    }
    out
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
        counts[2 * width + 1] = 1;
        counts[2 * width + 6] = 10_000;
        let alpha = shade(&mut counts.clone(), width, 1.0);
        let at = |x: usize, y: usize| alpha[y * width + x];
        assert_eq!((at(1, 2), at(1, 1), at(6, 2), at(6, 1)), (level(0.35), level(0.35) / 2, 255, 127));
        assert_eq!((at(3, 2), at(8, 4)), (0, 0));
        let fine = shade(&mut counts, width, 2.0);
        assert_eq!((fine[width + 6], fine[6]), (255, 127));
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

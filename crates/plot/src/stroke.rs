//! Polylines cut to a rectangle and into dashes.

use crate::layout::Frame;
use crate::pen::Point;

/// The parts of polylines within a rectangle.
pub(crate) fn clip(pieces: &[Vec<Point>], frame: Frame) -> Vec<Vec<Point>> {
    let mut out: Vec<Vec<Point>> = Vec::new();
    for piece in pieces {
        // Whether the last point written is where the next segment starts.
        let mut open = false;
        for pair in piece.windows(2) {
            let Some((from, to)) = within(pair[0], pair[1], frame) else {
                open = false;
                continue;
            };
            match out.last_mut().filter(|_| open) {
                Some(last) => last.push(to),
                None => out.push(vec![from, to]),
            }
            open = to == pair[1];
        }
    }
    out
}

/// The part of a segment within a rectangle (Liang and Barsky).
fn within(a: Point, b: Point, frame: Frame) -> Option<(Point, Point)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    let edges =
        [(-dx, a.0 - frame.left), (dx, frame.right - a.0), (-dy, a.1 - frame.top), (dy, frame.bottom - a.1)];
    for (toward, room) in edges {
        if toward == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if toward < 0.0 {
            enter = enter.max(room / toward);
        } else {
            leave = leave.min(room / toward);
        }
    }
    let at = |t: f64| (a.0 + t * dx, a.1 + t * dy);
    (enter <= leave)
        .then(|| (if enter > 0.0 { at(enter) } else { a }, if leave < 1.0 { at(leave) } else { b }))
}

/// Cuts polylines into dashes. Lines so long that they would be a cloud of dashes are measured by
/// their way across alone.
pub(crate) fn dash(pieces: &[Vec<Point>], pattern: &[f64], width: f64) -> Vec<Vec<Point>> {
    let dense = is_dense(pieces, width);
    let mut out = Vec::new();
    for piece in pieces {
        cut(piece, pattern, dense, &mut out);
    }
    out
}

/// Whether polylines go up and down so much that they fill an area, `width` wide.
pub(crate) fn is_dense(pieces: &[Vec<Point>], width: f64) -> bool {
    pieces.iter().map(|p| length(p)).sum::<f64>() > 24.0 * width
}

fn length(piece: &[Point]) -> f64 {
    piece.windows(2).map(|p| (p[1].0 - p[0].0).abs() + (p[1].1 - p[0].1).abs()).sum()
}

fn cut(piece: &[Point], pattern: &[f64], across_only: bool, out: &mut Vec<Vec<Point>>) {
    let (mut index, mut left) = (0, pattern.first().copied().unwrap_or(f64::INFINITY));
    let mut dash: Vec<Point> = piece.first().copied().into_iter().collect();
    for pair in piece.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let whole = if across_only { dx.abs() } else { (dx * dx + dy * dy).sqrt() };
        let mut done = 0.0;
        while whole - done > left {
            done += left;
            let at = (a.0 + dx * done / whole, a.1 + dy * done / whole);
            if index % 2 == 0 {
                dash.push(at);
                out.push(std::mem::take(&mut dash));
            } else {
                dash = vec![at];
            }
            index = (index + 1) % pattern.len();
            left = pattern[index].max(0.25);
        }
        left -= whole - done;
        if index % 2 == 0 {
            dash.push(b);
        }
    }
    if dash.len() > 1 {
        out.push(dash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 };

    #[test]
    fn lines_are_cut_at_the_edges_not_flattened() {
        let line = vec![(1.0, 5.0), (2.0, -5.0), (3.0, 5.0), (20.0, 5.0), (20.0, 50.0)];
        let parts = clip(&[line], FRAME);
        let expected = [vec![(1.0, 5.0), (1.5, 0.0)], vec![(2.5, 0.0), (3.0, 5.0), (10.0, 5.0)]];
        assert_eq!(parts, expected);
        let beyond = vec![(-5.0, 1.0), (-5.0, 9.0), (-1e9, 1e9)];
        assert!(clip(&[beyond], FRAME).is_empty());
        let far = clip(&[vec![(-1e9, 5.0), (1e9, 5.0)]], FRAME);
        assert!(far[0][0].0.abs() < 1e-6 && (far[0][1].0 - 10.0).abs() < 1e-6, "{far:?}");
    }

    #[test]
    fn dashes_follow_the_line_round_corners() {
        let line = vec![(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)];
        let parts = dash(&[line], &[3.0, 2.0], 100.0);
        assert_eq!(parts, [vec![(0.0, 0.0), (3.0, 0.0)], vec![(4.0, 1.0), (4.0, 4.0)]]);
        let corner = dash(&[vec![(0.0, 0.0), (2.0, 0.0), (2.0, 4.0)]], &[3.0, 2.0], 100.0);
        assert_eq!(corner, [vec![(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)], vec![(2.0, 3.0), (2.0, 4.0)]]);
    }

    #[test]
    fn the_number_of_dashes_is_bounded() {
        let zigzag: Vec<Point> =
            (0..4000).map(|i| (f64::from(i) / 4.0, if i % 2 == 0 { 0.0 } else { 200.0 })).collect();
        let parts = dash(&[zigzag], &[1.5, 2.0], 1000.0);
        assert!(parts.len() < 300, "{}", parts.len());
    }
}

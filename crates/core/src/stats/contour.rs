//! Lines along which values on a grid have one level (marching squares).

/// The level lines through values at the crossings of a grid, `values[j * x.len() + i]` at
/// (`x[i]`, `y[j]`), as x and y of polylines that NaN parts. A square with a value that is not finite
/// has no line through it.
pub fn contour(x: &[f64], y: &[f64], values: &[f64], level: f64) -> (Vec<f64>, Vec<f64>) {
    let grid = Grid { x, y, values, level };
    let mut links = grid.links();
    let (mut across, mut up) = (Vec::new(), Vec::new());
    // Lines with ends first; what is left then are rings.
    for ends in [1, 2] {
        for start in 0..links.len() {
            if links[start].iter().flatten().count() != ends {
                continue;
            }
            let mut at = start;
            loop {
                let (px, py) = grid.point(at);
                across.push(px);
                up.push(py);
                let Some(next) = links[at].iter_mut().find_map(Option::take) else { break };
                if let Some(back) = links[next].iter_mut().find(|l| **l == Some(at)) {
                    *back = None;
                }
                at = next;
            }
            across.push(f64::NAN);
            up.push(f64::NAN);
        }
    }
    (across, up)
}

struct Grid<'a> {
    x: &'a [f64],
    y: &'a [f64],
    values: &'a [f64],
    level: f64,
}

impl Grid<'_> {
    /// For each edge of the grid the edges a line goes on to: edge 2·k is that from crossing k to the
    /// right, 2·k + 1 that from k upward.
    fn links(&self) -> Vec<[Option<usize>; 2]> {
        let n = self.x.len();
        let mut links = vec![[None; 2]; 2 * n * self.y.len()];
        let mut link = |a: usize, b: usize| {
            for (from, to) in [(a, b), (b, a)] {
                if let Some(free) = links[from].iter_mut().find(|l| l.is_none()) {
                    *free = Some(to);
                }
            }
        };
        for j in 1..self.y.len() {
            for i in 1..n {
                let lower = (j - 1) * n + i - 1;
                let [a, b, c, d] = [lower, lower + 1, lower + n + 1, lower + n].map(|k| self.value(k));
                if !(a + b + c + d).is_finite() {
                    continue;
                }
                let (bottom, right, top, left) =
                    (2 * lower, 2 * (lower + 1) + 1, 2 * (lower + n), 2 * lower + 1);
                let high = |v: f64| v >= self.level;
                let middle = high((a + b + c + d) / 4.0);
                match [a, b, c, d].map(high) {
                    [false, false, false, false] | [true, true, true, true] => {}
                    [p, q, r, s] if p == q && r == s => link(left, right),
                    [p, q, r, s] if p == s && q == r => link(bottom, top),
                    // Two opposite corners: the middle says which of them belong together.
                    [p, q, r, s] if p == r && q == s => {
                        if p == middle {
                            link(bottom, right);
                            link(left, top);
                        } else {
                            link(bottom, left);
                            link(right, top);
                        }
                    }
                    [p, q, r, s] if q == r && r == s && p != q => link(bottom, left),
                    [p, q, r, s] if p == r && r == s && q != p => link(bottom, right),
                    [p, q, r, s] if p == q && q == s && r != p => link(right, top),
                    _ => link(left, top),
                }
            }
        }
        links
    }

    fn value(&self, k: usize) -> f64 {
        self.values.get(k).copied().unwrap_or(f64::NAN)
    }

    /// Where the line crosses an edge.
    fn point(&self, edge: usize) -> (f64, f64) {
        let n = self.x.len();
        let k = edge / 2;
        let (i, j) = (k % n, k / n);
        let along_x = edge.is_multiple_of(2);
        let (a, b) = (self.value(k), self.value(if along_x { k + 1 } else { k + n }));
        let t = ((self.level - a) / (b - a)).clamp(0.0, 1.0);
        let between = |v: &[f64], i: usize| v[i] + t * (v[i + 1] - v[i]);
        if along_x { (between(self.x, i), self.y[j]) } else { (self.x[i], between(self.y, j)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Polylines as text, to two places.
    fn lines(x: &[f64], y: &[f64], values: &[f64], level: f64) -> Vec<Vec<(f64, f64)>> {
        let (a, b) = contour(x, y, values, level);
        let points: Vec<(f64, f64)> = a.into_iter().zip(b).collect();
        points.split(|p| p.0.is_nan()).filter(|l| !l.is_empty()).map(<[_]>::to_vec).collect()
    }

    #[test]
    fn a_slope_has_one_line_across() {
        let values = [0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 0.0, 1.0, 2.0];
        let found = lines(&[0.0, 1.0, 2.0], &[0.0, 10.0, 20.0], &values, 1.5);
        assert_eq!(found, [[(1.5, 0.0), (1.5, 10.0), (1.5, 20.0)]]);
        assert!(lines(&[0.0, 1.0, 2.0], &[0.0, 10.0, 20.0], &values, 5.0).is_empty());
    }

    #[test]
    fn a_peak_has_a_ring() {
        let values = [0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0];
        let found = lines(&[0.0, 1.0, 2.0], &[0.0, 1.0, 2.0], &values, 1.0);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].first(), found[0].last());
        assert_eq!(found[0].len(), 5);
    }

    #[test]
    fn a_saddle_has_two_lines() {
        let found = lines(&[0.0, 1.0], &[0.0, 1.0], &[1.0, 0.0, 0.0, 1.0], 0.6);
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn what_is_not_known_has_no_line() {
        let values = [0.0, 1.0, f64::NAN, 0.0, 1.0, 2.0];
        assert_eq!(lines(&[0.0, 1.0, 2.0], &[0.0, 1.0], &values, 0.5), [[(0.5, 0.0), (0.5, 1.0)]]);
        assert!(lines(&[0.0, 1.0, 2.0], &[0.0, 1.0], &values, 1.5).is_empty());
        for (n, m) in [(0, 0), (1, 1), (1, 3), (3, 0)] {
            assert!(lines(&vec![0.0; n], &vec![0.0; m], &vec![1.0; n * m], 0.5).is_empty());
        }
    }

    proptest! {
        #[test]
        fn lines_part_the_high_from_the_low(values in prop::collection::vec(-1.0..1.0_f64, 42)) {
            let (x, y): (Vec<f64>, Vec<f64>) = ((0..7).map(f64::from).collect(), (0..6).map(f64::from).collect());
            let found = lines(&x, &y, &values, 0.0);
            // Each edge between a high and a low crossing is crossed once, no other is.
            let high = |i: usize, j: usize| values[j * 7 + i] >= 0.0;
            let mut edges = 0;
            for j in 0..6 {
                for i in 0..7 {
                    edges += usize::from(i < 6 && high(i, j) != high(i + 1, j));
                    edges += usize::from(j < 5 && high(i, j) != high(i, j + 1));
                }
            }
            let points: usize = found.iter().map(|l| l.len() - usize::from(l.len() > 2 && l.first() == l.last())).sum();
            prop_assert_eq!(points, edges);
            // A line stays within a square from one point to the next.
            for pair in found.iter().flat_map(|l| l.windows(2)) {
                prop_assert!((pair[0].0 - pair[1].0).abs() <= 1.0 && (pair[0].1 - pair[1].1).abs() <= 1.0);
            }
        }
    }
}

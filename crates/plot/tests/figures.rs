//! Whole figures: how they lie, how they look, what they cost, and what they bear.

mod heat;
mod sample;

use netspurt_core::figure::{
    Anchor, Arrow, Axis, Column, Data, Extent, Figure, Glyph, Layer, Mark, Panel, Role, Row, RowKind, Scale,
    Shape, Ticks,
};
use netspurt_plot::{Layers, Map, Mask, Options, Surface, Theme, draw, height, layout, svg};
use plotters::drawing::IntoDrawingArea as _;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use proptest::prelude::*;
use std::convert::Infallible;

/// What drawing a figure asked of the backend.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Cost {
    calls: usize,
    corners: usize,
    masks: usize,
    words: Vec<String>,
}

/// Counts calls, refuses coordinates far outside, and panics when asked to measure text.
struct Counter<'a> {
    cost: &'a mut Cost,
    size: (u32, u32),
    blit: bool,
}

type Counted = Result<(), DrawingErrorKind<Infallible>>;

impl Counter<'_> {
    #[expect(clippy::unnecessary_wraps, reason = "what every method of a backend returns")]
    fn count(&mut self, points: impl IntoIterator<Item = BackendCoord>) -> Counted {
        self.cost.calls += 1;
        let (w, h) = (i64::from(self.size.0), i64::from(self.size.1));
        for (x, y) in points {
            self.cost.corners += 1;
            let (x, y) = (i64::from(x), i64::from(y));
            assert!(x >= -w - 200 && y >= -h - 200 && x <= 2 * w + 200 && y <= 2 * h + 200, "{x} {y}");
        }
        Ok(())
    }
}

impl DrawingBackend for Counter<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Counted {
        Ok(())
    }

    fn present(&mut self) -> Counted {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, _: BackendColor) -> Counted {
        self.count([at])
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, _: &S) -> Counted {
        self.count([from, to])
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        _: &S,
        _: bool,
    ) -> Counted {
        self.count([from, to])
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        _: &S,
    ) -> Counted {
        self.count(path)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        _: &S,
    ) -> Counted {
        self.count(path)
    }

    fn draw_circle<S: BackendStyle>(&mut self, at: BackendCoord, _: u32, _: &S, _: bool) -> Counted {
        self.count([at])
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, _: &S, at: BackendCoord) -> Counted {
        self.cost.words.push(text.to_owned());
        self.count([at])
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        _: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        panic!("measured {text:?}");
    }
}

impl Surface for Counter<'_> {
    fn mask(&mut self, mask: &Mask<'_>) -> Counted {
        assert_eq!(mask.alpha.len() % mask.width, 0);
        self.cost.masks += 1;
        if self.blit { self.count([mask.at]) } else { Plain(self).mask(mask) }
    }
}

/// A surface with nothing of its own.
struct Plain<'a, 'b>(&'a mut Counter<'b>);

impl DrawingBackend for Plain<'_, '_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.0.size
    }

    fn ensure_prepared(&mut self) -> Counted {
        Ok(())
    }

    fn present(&mut self) -> Counted {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, _: BackendColor) -> Counted {
        self.0.count([at])
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        _: &S,
        _: bool,
    ) -> Counted {
        self.0.count([from, to])
    }
}

impl Surface for Plain<'_, '_> {}

fn cost(figure: &Figure, size: (u32, u32), ratio: f64, layers: Layers) -> (Map, Cost) {
    let mut cost = Cost::default();
    let area = Counter { cost: &mut cost, size, blit: true }.into_drawing_area();
    let map =
        draw(figure, &area, Theme::light(), &Options { ratio, layers }).expect("counting does not fail");
    drop(area);
    (map, cost)
}

#[test]
fn a_small_figure_looks_like_this() {
    let figure = sample::figure(64, 0.75);
    let width = 600.0;
    insta::assert_snapshot!(svg(&figure, width, height(&figure, width), Theme::light()));
}

#[test]
fn a_heat_map_looks_like_this() {
    let figure = heat::figure();
    insta::assert_snapshot!(svg(&figure, 600.0, height(&figure, 600.0), Theme::light()));
}

#[test]
fn columns_with_axes_of_their_own_stand_side_by_side_or_one_below_the_other() {
    let figure = heat::figure();
    let wide = layout(&figure, 600.0, height(&figure, 600.0));
    let (left, right) = (wide.up(0, 1).unwrap(), wide.up(1, 1).unwrap());
    assert_eq!((left.start, left.end), (right.start, right.end));
    assert_eq!((left.range(), right.range()), ((0.0, 4.0), (0.0, 9.0)));
    assert_eq!(left.length(), 120.0);
    assert!(wide.columns[0].end < wide.columns[1].start);

    let narrow = layout(&figure, 358.0, height(&figure, 358.0));
    let (first, second) = (narrow.up(0, 1).unwrap(), narrow.up(1, 1).unwrap());
    assert_eq!((first.length(), second.length()), (100.0, 100.0));
    assert!(second.start > first.end + 44.0 && second.end + 44.0 <= narrow.height + 1e-9);
    assert_eq!(narrow.columns[0].start, narrow.columns[1].start);
    // Lanes belong to the first column.
    assert!(narrow.up(0, 0).is_some() && narrow.up(1, 0).is_none() && narrow.up(2, 1).is_none());
    let middle = |side: &netspurt_plot::Side| f64::midpoint(side.start, side.end);
    let x = middle(&narrow.columns[0]);
    assert_eq!(narrow.panel_at(x, middle(first)), Some((0, 1)));
    assert_eq!(narrow.panel_at(x, middle(second)), Some((1, 1)));
    assert_eq!(narrow.panel_at(x, first.end + 20.0), None);
    for map in [&wide, &narrow] {
        let up = map.up(1, 1).unwrap();
        assert!((up.value(up.pixel(3.3)) - 3.3).abs() < 1e-9);
    }
}

#[test]
fn rows_and_columns_lie_where_they_should() {
    let figure = sample::figure(64, 0.75);
    let rounded = |v: f64| (v * 10.0).round() / 10.0;
    let spans = |width: f64| {
        let map = layout(&figure, width, height(&figure, width));
        let span = |s: &netspurt_plot::Side| (rounded(s.start), rounded(s.end));
        let columns: Vec<_> = map.columns.iter().map(span).collect();
        (map.height, columns, map.rows.iter().map(span).collect::<Vec<_>>())
    };
    assert_eq!(
        spans(904.0),
        (
            348.0,
            vec![(40.0, 762.0), (792.0, 904.0)],
            vec![(18.5, 35.5), (40.0, 263.0), (267.0, 284.0), (284.0, 301.0), (301.0, 318.0)]
        )
    );
    assert_eq!(
        spans(358.0),
        (
            258.0,
            vec![(30.0, 294.0), (314.0, 358.0)],
            vec![(20.0, 34.0), (40.0, 182.0), (186.0, 200.0), (200.0, 214.0), (214.0, 228.0)]
        )
    );
}

#[test]
fn values_and_pixels_agree() {
    let figure = sample::figure(64, 0.75);
    let map = layout(&figure, 904.0, 348.0);
    let (time, delay) = (&map.columns[0], &map.rows[1]);
    assert!((delay.pixel(0.0) - 263.0).abs() < 1e-9 && (delay.pixel(7.0) - 40.0).abs() < 1e-9);
    assert!((delay.value(delay.pixel(3.3)) - 3.3).abs() < 1e-9);
    assert!((time.value(time.pixel(12.0)) - 12.0).abs() < 1e-9);
    assert!((map.rows[0].pixel(99.0) - 27.0).abs() < 1e-9, "lanes have one line");
    assert_eq!(map.panel_at(100.0, 100.0), Some((0, 1)));
    assert_eq!(map.panel_at(800.0, 300.0), Some((1, 3)));
    assert_eq!(map.panel_at(770.0, 100.0), None);
}

#[test]
fn the_nearest_record_is_found() {
    let figure = sample::figure(64, 0.75);
    let map = layout(&figure, 904.0, 348.0);
    let at = |v: f64| map.columns[0].pixel(v);
    let x = [1.0, 2.0, 2.0, 5.0];
    let nearest = |v: f64| map.nearest(0, &x, at(v));
    assert_eq!(
        [nearest(1.4), nearest(1.6), nearest(3.0), nearest(3.6)],
        [Some(0), Some(1), Some(1), Some(3)]
    );
    assert_eq!([nearest(-1e9), nearest(1e9), nearest(2.0)], [Some(0), Some(3), Some(1)]);
    assert_eq!(map.nearest(0, &[], 100.0), None);
    assert_eq!(map.nearest(7, &x, 100.0), None);
}

#[test]
fn words_are_chosen_by_width() {
    let figure = sample::figure(64, 0.75);
    let words = |w: u32, h| cost(&figure, (w, h), 1.0, Layers::All).1.words;
    let wide = words(904, 348);
    for word in ["one-way delay, s", "elapsed time, s", "volleys per 0.2 s", "3 lost", "lost", "A", "6"] {
        assert!(wide.contains(&word.to_owned()), "{word} in {wide:?}");
    }
    assert!(wide.iter().any(|w| w.ends_with(" spurious")) && wide.iter().any(|w| w.starts_with("mean ")));
    let narrow = words(358, 258);
    assert!(narrow.contains(&"s".to_owned()) && narrow.contains(&"one-way delay, s".to_owned()));
    assert!(!narrow.iter().any(|w| w.contains("spurious") || w.contains("mean") || w.contains("volleys")));
}

#[test]
fn the_layers_together_are_the_figure() {
    let figure = sample::figure(64, 0.75);
    let count = |layers| cost(&figure, (904, 348), 1.0, layers).1;
    let (ground, front, all) = (count(Layers::Ground), count(Layers::Front), count(Layers::All));
    assert_eq!(ground.calls + front.calls, all.calls);
    assert!(front.words.contains(&"A".to_owned()) && !front.words.contains(&"lost".to_owned()));
    assert_eq!(Layers::only(Layer::Front), Layers::Front);
}

#[test]
fn a_million_records_cost_no_more_than_ten_thousand() {
    let at = |n| {
        let figure = sample::figure(n, 0.75);
        cost(&figure, (1808, 696), 2.0, Layers::All).1
    };
    let (few, many) = (at(10_000), at(1_000_000));
    assert!(many.calls < 8000, "{many:?}");
    assert!(many.corners < 3 * few.corners, "{} {}", few.corners, many.corners);
    assert_eq!((few.masks, many.masks), (1, 1));
}

#[test]
fn a_backend_without_images_gets_rectangles() {
    let figure = sample::figure(20_000, 0.75);
    let mut cost = Cost::default();
    let area = Counter { cost: &mut cost, size: (904, 348), blit: false }.into_drawing_area();
    draw(&figure, &area, Theme::dark(), &Options::default()).unwrap();
    drop(area);
    assert!(cost.masks == 1 && cost.calls > 5000 && cost.calls < 200_000, "{}", cost.calls);
}

/// Every shape there is, with the same numbers in each.
fn shapes(a: &Data, b: &Data) -> Vec<Shape> {
    let (x, y) = (a.clone(), b.clone());
    let one = a.first().copied().unwrap_or(f64::NAN);
    let mut all = vec![
        Shape::Bars { edges: x.clone(), lengths: y.clone(), along_y: true },
        Shape::Bars { edges: y.clone(), lengths: x.clone(), along_y: false },
        Shape::Rule { at: one, along_y: true, dashed: true },
        Shape::Rule { at: one, along_y: false, dashed: false },
        Shape::Drops { x: x.clone() },
    ];
    all.push(Shape::Cells { x: x.clone(), y: x.clone(), values: y.clone(), range: (one, 1.0) });
    for dashed in [true, false] {
        all.push(Shape::Contour { x: x.clone(), y: y.clone(), dashed });
    }
    let plain = [Glyph::Dot, Glyph::Cross, Glyph::Diamond, Glyph::SmallDiamond, Glyph::Square, Glyph::Disc];
    let edged = [Glyph::Spot, Glyph::Ring, Glyph::Triangle, Glyph::Frame];
    for glyph in plain.into_iter().chain(edged) {
        all.push(Shape::Points { x: x.clone(), y: y.clone(), glyph });
    }
    for (step, strong) in [(true, true), (false, false)] {
        all.push(Shape::Line { x: x.clone(), y: y.clone(), step, strong, end: "A".into() });
    }
    for arrow in [Arrow::Filled, Arrow::Double, Arrow::Open, Arrow::Dashed] {
        let (from, to) = ((x.clone(), y.clone()), (y.clone(), x.clone()));
        all.push(Shape::Arrows { from, to, arrow, faint: arrow == Arrow::Open });
    }
    for along_y in [true, false] {
        all.push(Shape::Band { from: one, to: -one, along_y });
    }
    for anchor in [Anchor::Start, Anchor::Middle, Anchor::End] {
        let (text, narrow) = ("a & <b>".to_owned(), String::new());
        all.push(Shape::Text { x: one, y: one, text, narrow, anchor, strong: true });
    }
    all
}

fn with(shapes: Vec<Shape>, range: (f64, f64), scale: Scale) -> Figure {
    let axis = |ticks| Axis { range, scale, ticks, grid: true, ..Axis::new("value", (0.0, 1.0)) };
    let roles = [Role::Series(1), Role::Series(2), Role::Series(3), Role::Data, Role::Printed];
    let marks: Vec<Mark> = shapes
        .into_iter()
        .zip(roles.into_iter().cycle())
        .map(|(shape, role)| Mark { layer: Layer::Ground, role, shape })
        .collect();
    let row = |kind| Row { height: Extent::Share(1.0), kind };
    let lane = || row(RowKind::Lane { label: "lane".into(), role: Role::Series(0) });
    let panel = |column, row| Panel { column, row, marks: marks.clone() };
    Figure {
        columns: vec![
            Column { width: Extent::Share(1.0), gap: (40.0, 30.0), axis: axis(Ticks::About(5)) },
            Column { width: Extent::Px(50.0, f64::NAN), gap: (f64::INFINITY, -3.0), axis: axis(Ticks::None) },
        ],
        rows: vec![lane(), row(RowKind::Scale(axis(Ticks::About(4)))), lane()],
        panels: vec![panel(0, 0), panel(0, 1), panel(0, 2), panel(1, 1), panel(9, 9)],
        alt: "a\u{0}b".into(),
    }
}

/// The same with a fourth row, in which so many columns have y axes of their own.
fn apart(mut figure: Figure, own: usize) -> Figure {
    let RowKind::Scale(axis) = &figure.rows[1].kind else { return figure };
    let kind = RowKind::Apart(vec![axis.clone(); own]);
    figure.rows.push(Row { height: Extent::Share(1.0), kind });
    for column in 0..2 {
        let marks = figure.panels[0].marks.clone();
        figure.panels.push(Panel { column, row: 3, marks });
    }
    figure
}

/// Small multiples: six columns with one y axis, three or two beside each other.
fn multiples() -> Figure {
    let axis =
        |label: &str| Axis { ticks: Ticks::At(vec![(0.5, "half".into())]), ..Axis::new(label, (0.0, 1.0)) };
    let titles: Vec<String> = (0..6).map(|i| format!("title {i}")).collect();
    let gap = |i: usize| if i == 0 { (40.0, 30.0) } else { (20.0, 10.0) };
    let column = |i| Column { width: Extent::Share(1.0), gap: gap(i), axis: axis("across") };
    let dot = Shape::Points { x: [0.5].as_slice().into(), y: [0.5].as_slice().into(), glyph: Glyph::Dot };
    let mark = Mark { layer: Layer::Ground, role: Role::Data, shape: dot };
    Figure {
        columns: (0..6).map(column).collect(),
        rows: vec![Row {
            height: Extent::Px(200.0, 100.0),
            kind: RowKind::Multiples { axis: axis("up"), titles, across: (3, 2) },
        }],
        panels: (0..6).map(|column| Panel { column, row: 0, marks: vec![mark.clone()] }).collect(),
        alt: String::new(),
    }
}

#[test]
fn small_multiples_stand_in_bands() {
    let figure = multiples();
    for (width, across, tall) in [(900.0, 3, 200.0), (400.0, 2, 100.0)] {
        let map = layout(&figure, width, height(&figure, width));
        for c in 0..6 {
            let (here, up) = (map.columns[c], map.up(c, 0).unwrap());
            assert!((up.length() - tall).abs() < 1e-9 && here.end <= width && up.end < map.height, "{c}");
            let (first, above) =
                (map.columns[c % across], (c >= across).then(|| map.up(c - across, 0).unwrap()));
            assert_eq!((here.start, here.end), (first.start, first.end), "{c}");
            assert!(above.is_none_or(|a| a.end < up.start), "{c}");
            // Each panel's dot is found in its own panel alone.
            let at = (here.pixel(0.5), up.pixel(0.5));
            assert_eq!(map.panel_at(at.0, at.1), Some((c, 0)));
            assert_eq!(map.nearest_point(0, |i| i, &[0.5; 6], &[0.5; 6], at), Some(c));
        }
        let words = cost(&figure, (width as u32, map.height as u32), 1.0, Layers::All).1.words;
        let count = |word: &str| words.iter().filter(|w| *w == word).count();
        assert_eq!((count("across"), count("up"), count("title 5")), (1, 1, 1));
        // Below every panel, and left of every band.
        assert_eq!(count("half"), 6 + 6 / across);
    }
}

#[test]
fn shapes_without_data_draw_nothing_and_do_no_harm() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let bare = cost(&apart(with(vec![], (0.0, 1.0), Scale::Linear), 2), (700, 300), 1.0, Layers::All).1.calls;
    for data in [&[][..], &[nan], &[inf], &[-inf, nan, inf], &[nan; 9], &[inf; 9]] {
        let data: Data = data.into();
        for scale in [Scale::Linear, Scale::Log10] {
            let figure = apart(with(shapes(&data, &data), (0.0, 1.0), scale), 2);
            let drawn = cost(&figure, (700, 300), 1.0, Layers::All).1;
            if scale == Scale::Linear {
                assert_eq!(drawn.calls, bare, "{data:?}");
            }
            assert!(svg(&figure, 700.0, 300.0, Theme::dark()).ends_with("</svg>\n"));
        }
    }
}

proptest! {
    #[test]
    fn no_numbers_do_harm(
        data in prop::collection::vec(prop_oneof![any::<f64>(), -2.0..2.0, Just(f64::NAN)], 0..40),
        range in (any::<f64>(), any::<f64>()),
        log: bool, narrow: bool, own in 0..4_usize,
        ratio in prop_oneof![0.5..4.0, Just(0.0), Just(f64::NAN), Just(f64::INFINITY)],
    ) {
        let a: Data = data.iter().copied().collect();
        let b: Data = data.iter().rev().copied().collect();
        let figure = with(shapes(&a, &b), range, if log { Scale::Log10 } else { Scale::Linear });
        let figure = apart(figure, own);
        let size = if narrow { (300, 200) } else { (900, 350) };
        let drawn = cost(&figure, size, ratio, Layers::All).1;
        prop_assert!(drawn.calls < 100_000);
    }
}

#[test]
fn no_room_is_no_figure() {
    let figure = sample::figure(64, 0.75);
    for size in [(0, 0), (0, 100), (100, 0), (1, 1), (90, 40)] {
        cost(&figure, size, 1.0, Layers::All);
    }
    assert_eq!(cost(&Figure::default(), (900, 300), 1.0, Layers::All).1, Cost::default());
    for (w, h) in [(0.0, 0.0), (f64::NAN, 100.0), (-5.0, f64::INFINITY), (0.01, 1e300)] {
        assert!(svg(&figure, w, h, Theme::light()).starts_with("<svg "));
    }
    assert!(height(&Figure::default(), f64::NAN).is_finite());
}

#[test]
fn letters_at_the_ends_of_lines_stand_apart() {
    let line = |i: usize, y: f64| {
        let (x, y) = ([0.0, 1.0].as_slice().into(), [0.5, y].as_slice().into());
        let shape = Shape::Line { x, y, step: false, strong: false, end: "ABCD"[i..=i].to_owned() };
        Mark { layer: Layer::Front, role: Role::Series(i), shape }
    };
    let mut figure = with(vec![], (0.0, 1.0), Scale::Linear);
    figure.panels = vec![Panel {
        column: 0,
        row: 1,
        marks: vec![line(0, 0.01), line(1, 7.0), line(2, -9.0), line(3, 8.0)],
    }];
    let text = svg(&figure, 700.0, 400.0, Theme::light());
    let y = |letter: &str| -> f64 {
        let line = text.lines().find(|l| l.ends_with(&format!(">{letter}</text>"))).unwrap();
        line.split("y=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let [a, b, c, d] = ["A", "B", "C", "D"].map(y);
    // From the top: D and B left the scale above, D further; A and C, which left it below.
    let least = 14.0 * 8.0 - 1.0;
    assert!(b - d >= least && a - b >= least && c - a >= least, "{a} {b} {c} {d}");
}

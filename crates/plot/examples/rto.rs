//! Writes a figure of three timeouts as SVG: `rto out.svg [width] [packets] [dark]`.

#[path = "../tests/sample/mod.rs"]
mod sample;

use netspurt_plot::{Theme, height, svg};

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, or: f64| args.get(i).and_then(|v| v.parse().ok()).unwrap_or(or);
    let figure = sample::figure(number(2, 512.0) as usize, 0.75);
    let width = number(1, 872.0);
    let theme = if args.iter().any(|a| a == "dark") { Theme::dark() } else { Theme::light() };
    let file = args.first().map_or("rto.svg", |a| a.as_str());
    std::fs::write(file, svg(&figure, width, height(&figure, width), theme))
}

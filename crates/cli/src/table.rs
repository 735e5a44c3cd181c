//! Tables as aligned text: heads to the left, figures to the right.

use std::fmt::Write as _;

/// Lines of cells as text, columns two spaces apart. The first `heads` columns are aligned to the
/// left, all others to the right. No line ends in a space.
pub(crate) fn aligned(lines: &[Vec<String>], heads: usize) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|i| lines.iter().filter_map(|l| l.get(i)).map(|c| c.chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in lines {
        let mut row = String::new();
        for (i, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let gap = if i == 0 { "" } else { "  " };
            // Writing to a string cannot fail.
            let _ = if i < heads {
                write!(row, "{gap}{cell:<width$}")
            } else {
                write!(row, "{gap}{cell:>width$}")
            };
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_stand_left_and_figures_right() {
        let lines = [["", "Lost"], ["µ", "3"], ["mills", ""]].map(|l| l.map(str::to_owned).to_vec());
        assert_eq!(aligned(&lines, 1), "       Lost\nµ         3\nmills\n");
    }
}

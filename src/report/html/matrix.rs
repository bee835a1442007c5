//! Moves between standings as a matrix: a row where domains stood, a column where they stand, and in
//! each cell a square whose area is their number.

use super::picture::{Anchor, Picture, WIDTH};

/// Where the cells begin: room for the names of rows.
const LEFT: f64 = 140.0;
/// Room for the names of columns, in two levels.
const TOP: f64 = 46.0;
/// Height of a row.
const HEIGHT: f64 = 42.0;
/// Widest that a column is.
const WIDEST: f64 = 96.0;
/// Side of the largest square.
const LARGEST: f64 = 36.0;
/// Side of the smallest.
const SMALLEST: f64 = 5.0;

/// A matrix of moves between the named standings; `class` colours a move.
pub(in crate::report) fn matrix(
    names: &[String],
    counts: &[Vec<u64>],
    class: impl Fn(usize, usize) -> &'static str,
    description: &str,
) -> String {
    let width = ((WIDTH - LEFT - 8.0) / names.len().max(1) as f64).min(WIDEST);
    let largest = counts.iter().flatten().copied().max().unwrap_or_default().max(1) as f64;
    let bottom = TOP + names.len() as f64 * HEIGHT;
    let mut picture = Picture::new(bottom + 4.0);
    let end = LEFT + width * names.len() as f64;
    for (at, name) in names.iter().enumerate() {
        let (x, y) = (LEFT + at as f64 * width, TOP + at as f64 * HEIGHT);
        picture.line("grid", (LEFT, y), (end, y));
        picture.line("grid", (x, TOP), (x, bottom));
        // Two levels, so that a long name has the room of two columns.
        let level = if at % 2 == 0 { TOP - 9.0 } else { TOP - 28.0 };
        picture.label(Anchor::Middle, x + width / 2.0, level, 2.0 * width - 8.0, name);
        picture.label(Anchor::End, LEFT - 10.0, y + HEIGHT / 2.0 + 4.5, LEFT - 12.0, name);
    }
    picture.line("grid", (LEFT, bottom), (end, bottom));
    picture.line("grid", (end, TOP), (end, bottom));
    for (from, row) in counts.iter().enumerate() {
        for (to, n) in row.iter().enumerate().filter(|(_, n)| **n > 0) {
            let (x, y) = (LEFT + (to as f64 + 0.5) * width, TOP + (from as f64 + 0.5) * HEIGHT);
            let side = (LARGEST * (*n as f64 / largest).sqrt()).max(SMALLEST);
            let title = format!("{} → {}: {n}", names[from], names[to]);
            picture.bar(class(from, to), x - side / 2.0, y - side / 2.0, side, side, &title);
            picture.label(Anchor::Middle, x, y + 4.5, width - 4.0, &n.to_string());
        }
    }
    picture.finish(description)
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, matrix};

    #[test]
    fn a_square_has_the_area_of_its_number_and_nothing_has_none() {
        let names = ["open".to_owned(), "closed".to_owned()];
        let class = |from: usize, to: usize| if from == to { "same" } else { "closed" };
        let svg = matrix(&names, &[vec![40, 10], vec![0, 0]], class, "two moves");
        assert_eq!(svg.matches("<rect").count(), 2);
        for side in [LARGEST, LARGEST / 2.0] {
            assert!(svg.contains(&format!("width=\"{side:.1}\"")), "{side}: {svg}");
        }
        assert!(svg.contains("<title>open → closed: 10</title>"), "{svg}");
    }
}

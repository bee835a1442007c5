//! The shapes of picture that the report draws: rates with their intervals, counts as bars, and
//! shares that add up.

use super::picture::{Anchor, Picture, ROW, WIDTH};
use super::scale::Scale;
use crate::report::numbers::{counts, percent};
use crate::stats::{Bounds, Rate};

/// Where the plot begins: room for labels before it.
const LEFT: f64 = 196.0;
/// Room for values behind the plot.
const RIGHT: f64 = 176.0;
/// Width of the plot.
const PLOT: f64 = WIDTH - LEFT - RIGHT;
/// Room for the axis below it.
const AXIS: f64 = 24.0;

/// One row of a picture of rates.
pub(in crate::report) struct RateRow<'a> {
    /// What it is the rate of.
    pub(in crate::report) label: &'a str,
    /// The rate.
    pub(in crate::report) rate: Rate,
    /// What it can at worst be, where that is drawn.
    pub(in crate::report) worst: Option<Bounds>,
    /// Whether it is the one that the others are set against.
    pub(in crate::report) is_reference: bool,
}

/// Rates as dots with their 95 % intervals, and worst-case bounds as a band behind them.
pub(in crate::report) fn rates(rows: &[RateRow<'_>], description: &str) -> String {
    let ends = rows.iter().flat_map(|row| {
        let worst = row.worst.and_then(Bounds::high);
        [row.rate.interval().map(|(_, high)| high), worst]
    });
    let scale = Scale::up_to(ends.flatten().fold(0.0, f64::max));
    let bottom = rows.len() as f64 * ROW;
    let mut picture = Picture::new(bottom + AXIS);
    draw(&scale, &mut picture, bottom);
    if let Some(share) = rows.iter().find(|row| row.is_reference).and_then(|row| row.rate.share()) {
        let x = place(&scale, share);
        picture.line("reference", (x, 0.0), (x, bottom));
    }
    for (at, row) in rows.iter().enumerate() {
        let middle = (at as f64 + 0.5) * ROW;
        picture.label(Anchor::End, LEFT - 10.0, middle + 4.5, LEFT - 12.0, row.label);
        if let Some((low, high)) = row.worst.and_then(|worst| worst.low().zip(worst.high())) {
            let (from, to) = (place(&scale, low), place(&scale, high));
            let title = format!("worst case {} to {}", percent(Some(low)), percent(Some(high)));
            picture.bar("worst", from, middle - 6.0, to - from, 12.0, &title);
        }
        if let Some((low, high)) = row.rate.interval() {
            picture.line("interval", (place(&scale, low), middle), (place(&scale, high), middle));
        }
        if let Some(share) = row.rate.share() {
            let class = if row.is_reference { "dot baseline" } else { "dot" };
            picture.dot(class, place(&scale, share), middle);
        }
        let value = format!("{} ({})", percent(row.rate.share()), counts(row.rate));
        picture.label(Anchor::Start, LEFT + PLOT + 12.0, middle + 4.5, RIGHT - 12.0, &value);
    }
    picture.finish(description)
}

/// One row of a picture of counts.
pub(in crate::report) struct CountRow<'a> {
    /// What is counted.
    pub(in crate::report) label: &'a str,
    /// How many.
    pub(in crate::report) n: u64,
    /// Class of its bar.
    pub(in crate::report) class: &'a str,
}

/// Counts as bars of one scale, each with its share of the largest whole.
pub(in crate::report) fn bars(rows: &[CountRow<'_>], of: u64, description: &str) -> String {
    let mut picture = Picture::new(rows.len() as f64 * ROW);
    let unit = PLOT / of.max(1) as f64;
    for (place, row) in rows.iter().enumerate() {
        let top = place as f64 * ROW;
        let value = format!("{} ({})", row.n, percent(Rate::new(row.n, of).share()));
        picture.label(Anchor::End, LEFT - 10.0, top + 17.5, LEFT - 12.0, row.label);
        picture.bar(row.class, LEFT, top + 4.0, row.n as f64 * unit, ROW - 8.0, &value);
        picture.label(Anchor::Start, LEFT + PLOT + 12.0, top + 17.5, RIGHT - 12.0, &value);
    }
    picture.finish(description)
}

/// One row of parts that add up.
pub(in crate::report) struct PartsRow<'a> {
    /// What is parted.
    pub(in crate::report) label: String,
    /// The parts: their names, their numbers, the classes of their bars.
    pub(in crate::report) parts: Vec<(&'a str, u64, String)>,
}

/// Parts as bars end to end; each row is as long as the plot, or as its sum where `is_absolute`.
pub(in crate::report) fn parts(
    rows: &[PartsRow<'_>],
    is_absolute: bool,
    description: &str,
) -> String {
    let sum = |row: &PartsRow<'_>| row.parts.iter().map(|(_, n, _)| n).sum::<u64>();
    let largest = rows.iter().map(sum).max().unwrap_or_default();
    let mut picture = Picture::new(rows.len() as f64 * ROW);
    for (place, row) in rows.iter().enumerate() {
        let top = place as f64 * ROW;
        let of = sum(row);
        let unit = PLOT / (if is_absolute { largest } else { of }).max(1) as f64;
        picture.label(Anchor::End, LEFT - 10.0, top + 17.5, LEFT - 12.0, &row.label);
        let mut x = LEFT;
        for (name, n, class) in row.parts.iter().filter(|(_, n, _)| *n > 0) {
            let width = *n as f64 * unit;
            let title = format!("{name}: {n} of {of}, {}", percent(Rate::new(*n, of).share()));
            picture.bar(class, x, top + 4.0, width, ROW - 8.0, &title);
            x += width;
        }
        let value = format!("n = {of}");
        picture.label(Anchor::Start, LEFT + PLOT + 12.0, top + 17.5, RIGHT - 12.0, &value);
    }
    picture.finish(description)
}

/// Where a share lies on the plot's axis.
fn place(scale: &Scale, share: f64) -> f64 {
    LEFT + PLOT * scale.part(share)
}

/// Draws an axis: its steps and their numbers.
fn draw(scale: &Scale, picture: &mut Picture, bottom: f64) {
    for share in scale.steps() {
        let x = place(scale, share);
        picture.line("grid", (x, 0.0), (x, bottom));
        picture.label(Anchor::Middle, x, bottom + 17.0, 44.0, &format!("{:.0} %", 100.0 * share));
    }
}

#[cfg(test)]
mod tests {
    use super::{RateRow, rates};
    use crate::stats::Rate;

    #[test]
    fn a_rate_of_nothing_has_a_row_and_no_dot() {
        let row = |rate| RateRow { label: "a", rate, worst: None, is_reference: false };
        let svg = rates(&[row(Rate::new(1, 4)), row(Rate::default())], "two");
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(svg.contains("– (0/0)"), "{svg}");
    }
}

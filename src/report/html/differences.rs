//! Differences about a line of no change, each with its 95 % interval.

use super::picture::{Anchor, Picture, ROW, WIDTH};
use super::scale::Scale;

/// Where the plot begins: room for labels before it.
const LEFT: f64 = 206.0;
/// Room for values behind the plot.
const RIGHT: f64 = 196.0;
/// Half the width of the plot.
const HALF: f64 = (WIDTH - LEFT - RIGHT) / 2.0;
/// Where no change stands.
const NONE: f64 = LEFT + HALF;
/// Room for the axis below it.
const AXIS: f64 = 24.0;

/// One difference.
pub(in crate::report) struct DifferenceRow {
    /// What differs.
    pub(in crate::report) label: String,
    /// By how much, as a share.
    pub(in crate::report) value: Option<f64>,
    /// Its interval, where it has one.
    pub(in crate::report) interval: Option<(f64, f64)>,
    /// The same in words.
    pub(in crate::report) written: String,
    /// Whether it is the baseline's.
    pub(in crate::report) is_reference: bool,
}

/// Differences as dots with their intervals; the axis is in percentage points.
pub(in crate::report) fn differences(rows: &[DifferenceRow], description: &str) -> String {
    let ends = rows.iter().flat_map(|row| {
        let (low, high) = row.interval.unzip();
        [row.value, low, high]
    });
    let scale = Scale::up_to(ends.flatten().map(f64::abs).fold(0.0, f64::max));
    let place = |share: f64| NONE + HALF * scale.part(share);
    let bottom = rows.len() as f64 * ROW;
    let mut picture = Picture::new(bottom + AXIS);
    for (at, share) in scale.steps().enumerate() {
        for share in [share, -share].into_iter().take(if at == 0 { 1 } else { 2 }) {
            let class = if at == 0 { "zero" } else { "grid" };
            picture.line(class, (place(share), 0.0), (place(share), bottom));
            let text = if at == 0 { "0".to_owned() } else { format!("{:+.0}", 100.0 * share) };
            picture.label(Anchor::Middle, place(share), bottom + 17.0, 40.0, &text);
        }
    }
    for (at, row) in rows.iter().enumerate() {
        let middle = (at as f64 + 0.5) * ROW;
        picture.label(Anchor::End, LEFT - 10.0, middle + 4.5, LEFT - 12.0, &row.label);
        if let Some((low, high)) = row.interval {
            picture.line("interval", (place(low), middle), (place(high), middle));
        }
        if let Some(value) = row.value {
            let class = if row.is_reference { "dot baseline" } else { "dot" };
            picture.titled_dot(class, place(value), middle, &row.written);
        }
        let room = RIGHT - 12.0;
        picture.label(Anchor::Start, WIDTH - room, middle + 4.5, room, &row.written);
    }
    picture.finish(description)
}

#[cfg(test)]
mod tests {
    use super::{DifferenceRow, NONE, differences};

    #[test]
    fn no_change_stands_in_the_middle_and_what_is_not_known_has_no_dot() {
        let row = |value: Option<f64>| DifferenceRow {
            label: "a".to_owned(),
            value,
            interval: value.map(|value| (value - 0.02, value + 0.02)),
            written: "so".to_owned(),
            is_reference: false,
        };
        let svg = differences(&[row(Some(0.0)), row(Some(-0.1)), row(None)], "three");
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains(&format!("cx=\"{NONE:.1}\"")), "{svg}");
        assert_eq!(svg.matches(">0</text>").count(), 1, "one zero");
        assert!(svg.contains(">+15</text>") && svg.contains(">-15</text>"), "{svg}");
    }
}

//! Rates of several samples in one row each, a mark a sample: told apart by shape as well as colour.

use super::picture::{Anchor, Mark, Picture, ROW, WIDTH};
use super::scale::Scale;
use crate::report::numbers::{counts, percent};
use crate::stats::Rate;

/// Where the plot begins: room for labels before it.
const LEFT: f64 = 206.0;
/// Room behind the plot.
const RIGHT: f64 = 30.0;
/// Width of the plot.
const PLOT: f64 = WIDTH - LEFT - RIGHT;
/// Room for the names of the samples above it.
const TOP: f64 = 30.0;
/// Room for the axis below it.
const AXIS: f64 = 24.0;

/// Most samples that can be told apart in one row.
pub(in crate::report) const SAMPLES_MOST: usize = Mark::ALL.len();

/// One row: what is a rate of, and it in each sample.
pub(in crate::report) struct MarksRow {
    /// What it is a rate of.
    pub(in crate::report) label: String,
    /// It in each sample.
    pub(in crate::report) rates: Vec<Rate>,
}

/// Rates as marks on one axis; `names` are those of the samples, in the order of each row's rates.
pub(in crate::report) fn marks(names: &[&str], rows: &[MarksRow], description: &str) -> String {
    let shares = rows.iter().flat_map(|row| &row.rates).filter_map(|rate| rate.share());
    let scale = Scale::up_to(shares.fold(0.0, f64::max));
    let place = |share: f64| LEFT + PLOT * scale.part(share);
    let bottom = TOP + rows.len() as f64 * ROW;
    let mut picture = Picture::new(bottom + AXIS);
    for share in scale.steps() {
        picture.line("grid", (place(share), TOP), (place(share), bottom));
        let text = format!("{:.0} %", 100.0 * share);
        picture.label(Anchor::Middle, place(share), bottom + 17.0, 44.0, &text);
    }
    let room = PLOT / names.len().max(1) as f64;
    for ((at, name), mark) in names.iter().enumerate().zip(Mark::ALL) {
        let x = LEFT + at as f64 * room;
        picture.mark(mark, x + 6.0, 12.0, name);
        picture.label(Anchor::Start, x + 16.0, 16.5, room - 24.0, name);
    }
    for (at, row) in rows.iter().enumerate() {
        let middle = TOP + (at as f64 + 0.5) * ROW;
        picture.label(Anchor::End, LEFT - 10.0, middle + 4.5, LEFT - 12.0, &row.label);
        for ((rate, mark), name) in row.rates.iter().zip(Mark::ALL).zip(names) {
            if let Some(share) = rate.share() {
                let title = format!("{name}: {} ({})", percent(rate.share()), counts(*rate));
                picture.mark(mark, place(share), middle, &title);
            }
        }
    }
    picture.finish(description)
}

#[cfg(test)]
mod tests {
    use super::{MarksRow, marks};
    use crate::stats::Rate;

    #[test]
    fn every_sample_has_a_mark_of_its_own_in_each_row_and_in_the_key() {
        let rates = vec![Rate::new(1, 4), Rate::new(2, 4), Rate::default()];
        let rows = [MarksRow { label: "GPTBot".to_owned(), rates }];
        let svg = marks(&["us", "gb", "au"], &rows, "three");
        for (class, times) in [("first", 2), ("second", 2), ("third", 1)] {
            assert_eq!(svg.matches(&format!("class=\"mark {class}\"")).count(), times, "{class}");
        }
        assert!(svg.contains("<title>us: 25.0 % (1/4)</title>"), "{svg}");
    }
}

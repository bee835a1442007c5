//! Numbers as a reader meets them, the same in every output.
//!
//! A percentage has one decimal, a p value says below what it lies when it is very small, and what
//! has no value is a dash. Nothing is computed here beyond rounding.

use crate::stats::{Bounds, Difference, Rate, Stratified};
use crate::summary::PairedRate;

/// What stands where there is no number.
pub(super) const NONE: &str = "–";

/// A share as a percentage: `42.2 %`.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or(NONE.to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// The counts of a rate: `261/619`.
pub(super) fn counts(rate: Rate) -> String {
    format!("{}/{}", rate.n, rate.of)
}

/// Two ends as percentages: `38.3–46.1 %`.
pub(super) fn range(ends: Option<(f64, f64)>) -> String {
    ends.map_or(NONE.to_owned(), |(low, high)| format!("{:.1}–{:.1} %", 100.0 * low, 100.0 * high))
}

/// Worst-case bounds as percentages.
pub(super) fn bounds(bounds: Bounds) -> String {
    range(bounds.low().zip(bounds.high()))
}

/// A rate with all that belongs to it: `261/619, 42.2 % [38.3–46.1 %]`.
pub(super) fn rate(rate: Rate) -> String {
    if rate.of == 0 {
        return counts(rate);
    }
    format!("{}, {} [{}]", counts(rate), percent(rate.share()), range(rate.interval()))
}

/// A weighted share with its interval: `9.8 % [8.0–12.0 %]`.
pub(super) fn weighted(estimate: Option<Stratified>) -> String {
    let Some(estimate) = estimate else { return NONE.to_owned() };
    let share = percent(Some(estimate.share));
    match estimate.interval() {
        Some(ends) => format!("{share} [{}]", range(Some(ends))),
        None => share,
    }
}

/// A difference of shares in percentage points: `+1.8 [+0.6 to +3.1]`.
pub(super) fn points(difference: Option<Difference>) -> String {
    difference.map_or(NONE.to_owned(), |difference| {
        let [value, low, high] = [difference.value, difference.low, difference.high].map(signed);
        format!("{value} [{low} to {high}]")
    })
}

/// A rate with an llms.txt beside the rate without one: its name, with a mark where an expected count
/// is small, both rates, their difference, p, and p adjusted.
pub(super) fn paired_cells(paired: &PairedRate, mark: &str) -> [String; 6] {
    let compared = &paired.compared;
    let cell = |rate: Rate| format!("{} ({})", counts(rate), percent(rate.share()));
    let small = if compared.has_small_cells { format!(" {mark}") } else { String::new() };
    [
        format!("{}{small}", paired.rate),
        cell(compared.second),
        cell(compared.first),
        points(compared.difference),
        p_value(compared.p),
        p_value(paired.p_holm),
    ]
}

/// A share in percentage points with its sign.
pub(super) fn signed(share: f64) -> String {
    let points = (1_000.0 * share).round() / 10.0;
    // Adding zero turns a negative zero into a plain one.
    format!("{:+.1}", points + 0.0)
}

/// A p value: `0.165`, `< 0.001`.
pub(super) fn p_value(p: Option<f64>) -> String {
    match p {
        None => NONE.to_owned(),
        Some(p) if p < 0.001 => "< 0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
    }
}

/// A p value in a sentence: `p = 0.165`, `p < 0.001`.
pub(super) fn p_equation(p: Option<f64>) -> String {
    match p_value(p) {
        bound if bound.starts_with('<') => format!("p {bound}"),
        value => format!("p = {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{bounds, p_equation, p_value, percent, points, rate, signed};
    use crate::stats::{Bounds, Difference, Rate};

    #[test]
    fn numbers_are_rounded_for_the_eye_and_keep_their_counts() {
        assert_eq!(rate(Rate::new(261, 619)), "261/619, 42.2 % [38.3–46.1 %]");
        assert_eq!((rate(Rate::default()), percent(None)), ("0/0".to_owned(), "–".to_owned()));
        assert_eq!(bounds(Bounds { n: 73, unobserved: 123, of: 808 }), "9.0–24.3 %");
        let difference = Difference { value: 0.018, low: 0.006, high: 0.0314 };
        assert_eq!(points(Some(difference)), "+1.8 [+0.6 to +3.1]");
        assert_eq!((signed(-0.0001), signed(-0.15)), ("+0.0".to_owned(), "-15.0".to_owned()));
        assert_eq!(p_value(Some(0.165_4)), "0.165");
        assert_eq!(p_value(Some(0.000_999)), "< 0.001");
        assert_eq!(p_equation(Some(0.000_999)), "p < 0.001");
        assert_eq!(p_equation(Some(0.04)), "p = 0.040");
    }
}

//! p values of several tests on one question, adjusted for their number.
//!
//! S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
//! Statistics 6 (1979), 65–70: the chance of any false finding stays below the level, whatever the
//! tests have to do with one another. Y. Benjamini, Y. Hochberg, "Controlling the false discovery
//! rate", Journal of the Royal Statistical Society B 57 (1995), 289–300.

/// Holm's adjusted p values, in the order given.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let order = by_size(values);
    let mut adjusted = vec![0.0; values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &at) in order.iter().enumerate() {
        largest = largest.max(values[at] * (values.len() - rank) as f64).min(1.0);
        adjusted[at] = largest;
    }
    adjusted
}

/// Benjamini and Hochberg's adjusted p values, in the order given.
pub fn benjamini_hochberg(values: &[f64]) -> Vec<f64> {
    let order = by_size(values);
    let mut adjusted = vec![0.0; values.len()];
    let mut smallest: f64 = 1.0;
    for (rank, &at) in order.iter().enumerate().rev() {
        smallest = smallest.min(values[at] * values.len() as f64 / (rank + 1) as f64);
        adjusted[at] = smallest;
    }
    adjusted
}

/// Positions by rising value.
fn by_size(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    order
}

#[cfg(test)]
mod tests {
    use super::{benjamini_hochberg, holm};

    /// The fifteen p values of Benjamini and Hochberg's example, turned about.
    fn published() -> Vec<f64> {
        let mut values = vec![
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0,
        ];
        values.reverse();
        values
    }

    #[test]
    fn the_published_example_is_adjusted_as_published() {
        let (holm, hochberg) = (holm(&published()), benjamini_hochberg(&published()));
        let rejected = |adjusted: &[f64]| adjusted.iter().filter(|p| **p <= 0.05).count();
        assert_eq!((rejected(&holm), rejected(&hochberg)), (3, 4));
        let nth = |adjusted: &[f64], rank: usize| adjusted[15 - rank];
        for (found, expected) in [
            (nth(&hochberg, 4), 0.035_625),
            (nth(&hochberg, 6), 0.063_857_1),
            (nth(&holm, 3), 0.0247),
            (nth(&holm, 6), 0.2780),
        ] {
            assert!((found - expected).abs() < 5e-8, "{found} {expected}");
        }
    }

    #[test]
    fn one_test_is_not_adjusted_and_none_gives_none() {
        assert_eq!((holm(&[0.03]), benjamini_hochberg(&[0.03])), (vec![0.03], vec![0.03]));
        assert!(holm(&[]).is_empty() && benjamini_hochberg(&[]).is_empty());
    }
}

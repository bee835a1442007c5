//! Whether changes between several classes go both ways alike.
//!
//! A. H. Bowker, "A test for symmetry in contingency tables", Journal of the American Statistical
//! Association 43 (1948), 572–574. Pairs of classes between which nothing moved give no degree of
//! freedom.

use serde::{Deserialize, Serialize};

use super::distribution::chi_squared_p;
use super::written;

/// The test of a square table of counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Symmetry {
    /// Bowker's chi-squared.
    #[serde(serialize_with = "written::result")]
    pub chi_squared: f64,
    /// Its degrees of freedom: the pairs of classes between which something moved.
    pub freedom: usize,
    /// Its p value.
    #[serde(serialize_with = "written::result")]
    pub p: f64,
}

impl Symmetry {
    /// Tests a square table, a row a class the first time, a column a class the second time;
    /// `None` where nothing moved.
    pub fn of(table: &[Vec<u64>]) -> Option<Self> {
        let (mut chi_squared, mut freedom) = (0.0, 0);
        for (one, row) in table.iter().enumerate() {
            for (other, &there) in row.iter().enumerate().skip(one + 1) {
                let back = table.get(other)?.get(one).copied()?;
                if there + back > 0 {
                    let surplus = there as f64 - back as f64;
                    chi_squared += surplus * surplus / (there + back) as f64;
                    freedom += 1;
                }
            }
        }
        Some(Self { chi_squared, freedom, p: chi_squared_p(chi_squared, freedom)? })
    }
}

#[cfg(test)]
mod tests {
    use super::Symmetry;

    #[test]
    fn the_test_is_bowkers() {
        // Agreement of couples, 4 by 4: R's vcd, after Hout, Duncan and Sobel (1987).
        let couples = [[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]];
        let test = Symmetry::of(&couples.map(|row| row.to_vec())).expect("something moved");
        assert!((test.chi_squared - 3.8778).abs() < 5e-5, "{test:?}");
        assert_eq!(test.freedom, 6);
        assert!((test.p - 0.6932).abs() < 5e-5, "{test:?}");
    }

    #[test]
    fn where_nothing_moved_there_is_no_test() {
        assert_eq!(Symmetry::of(&[vec![3, 0], vec![0, 4]]), None);
    }
}

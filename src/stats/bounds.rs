//! What a rate can at worst be, once domains that were not observed are counted either way.
//!
//! C. F. Manski, "Anatomy of the selection problem", Journal of Human Resources 24 (1989), 343–360:
//! without an assumption on who does not answer, the rate lies in [x/S, (x+u)/S] and nowhere
//! narrower.

use serde::{Deserialize, Serialize};

use super::written;

/// Bounds that hold whatever the unobserved would have shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Written", from = "Written")]
pub struct Bounds {
    /// How many were seen to hold.
    pub n: u64,
    /// How many could not be observed.
    pub unobserved: u64,
    /// Of how many, the unobserved among them.
    pub of: u64,
}

/// Bounds as they are written: with both ends, which follow from the counts.
#[derive(Serialize, Deserialize)]
struct Written {
    n: u64,
    unobserved: u64,
    of: u64,
    #[serde(serialize_with = "written::maybe_share")]
    low: Option<f64>,
    #[serde(serialize_with = "written::maybe_share")]
    high: Option<f64>,
}

impl Bounds {
    /// The lower bound: none of the unobserved holds; `None` of nothing.
    pub fn low(self) -> Option<f64> {
        (self.of > 0).then(|| self.n as f64 / self.of as f64)
    }

    /// The upper bound: all of the unobserved hold; `None` of nothing.
    pub fn high(self) -> Option<f64> {
        (self.of > 0).then(|| (self.n + self.unobserved) as f64 / self.of as f64)
    }
}

impl From<Bounds> for Written {
    fn from(bounds: Bounds) -> Self {
        let Bounds { n, unobserved, of } = bounds;
        Self { n, unobserved, of, low: bounds.low(), high: bounds.high() }
    }
}

impl From<Written> for Bounds {
    fn from(written: Written) -> Self {
        Self { n: written.n, unobserved: written.unobserved, of: written.of }
    }
}

#[cfg(test)]
mod tests {
    use super::Bounds;

    #[test]
    fn the_bounds_are_manskis() {
        // Exit from homelessness: 21 of 64 interviewed of 106 sampled, printed as .20 and .59.
        let homeless = Bounds { n: 21, unobserved: 42, of: 106 };
        assert!(homeless.low().is_some_and(|low| (low - 0.198).abs() < 5e-4));
        assert!(homeless.high().is_some_and(|high| (high - 0.594).abs() < 5e-4));
        let study = Bounds { n: 73, unobserved: 123, of: 808 };
        assert!(study.low().is_some_and(|low| (low - 0.0903).abs() < 5e-5));
        assert!(study.high().is_some_and(|high| (high - 0.2426).abs() < 5e-5));
    }

    #[test]
    fn nothing_has_no_bounds() {
        assert_eq!((Bounds::default().low(), Bounds::default().high()), (None, None));
    }
}

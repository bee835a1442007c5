//! A proportion with its Wilson score interval.
//!
//! E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of
//! the American Statistical Association 22 (1927), 209–212; without continuity correction.

use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};

/// The 97.5 % point of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A count of a denominator. A rate is never held without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// How many.
    pub n: u64,
    /// Of how many.
    pub of: u64,
}

impl Rate {
    /// `n` of `of`.
    pub fn new(n: u64, of: u64) -> Self {
        Self { n, of }
    }

    /// The share, from 0 to 1; `None` of nothing.
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.n as f64 / self.of as f64)
    }

    /// The Wilson 95 % interval, from 0 to 1; `None` of nothing.
    pub fn interval(self) -> Option<(f64, f64)> {
        let share = self.share()?;
        let of = self.of as f64;
        let spread = Z * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt();
        let centre = share + Z * Z / (2.0 * of);
        let scale = 1.0 + Z * Z / of;
        // The bounds at 0 and at `of` are exact; the formula would leave a rounding error there.
        let low = if self.n == 0 { 0.0 } else { (centre - spread) / scale };
        let high = if self.n == self.of { 1.0 } else { (centre + spread) / scale };
        Some((low, high))
    }
}

impl Serialize for Rate {
    /// Writes counts, share and interval; shares are rounded to a millionth, beyond which no count
    /// of domains can mean anything.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rounded = |value: f64| (value * 1e6).round() / 1e6;
        let mut fields = serializer.serialize_struct("Rate", 5)?;
        fields.serialize_field("n", &self.n)?;
        fields.serialize_field("of", &self.of)?;
        fields.serialize_field("share", &self.share().map(rounded))?;
        fields.serialize_field("low", &self.interval().map(|(low, _)| rounded(low)))?;
        fields.serialize_field("high", &self.interval().map(|(_, high)| rounded(high)))?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;

    /// Percentages to one decimal.
    fn percent(rate: Rate) -> (f64, f64, f64) {
        let tenth = |value: f64| (value * 1_000.0).round() / 10.0;
        let (low, high) = rate.interval().expect("of something");
        (tenth(rate.share().expect("of something")), tenth(low), tenth(high))
    }

    #[test]
    fn the_interval_is_wilsons() {
        for (n, of, expected) in [
            (261, 619, (42.2, 38.3, 46.1)),
            (133, 314, (42.4, 37.0, 47.9)),
            (58, 174, (33.3, 26.8, 40.6)),
            (660, 1_643, (40.2, 37.8, 42.6)),
            (284, 1_894, (15.0, 13.5, 16.7)),
            (0, 20, (0.0, 0.0, 16.1)),
            (20, 20, (100.0, 83.9, 100.0)),
        ] {
            assert_eq!(percent(Rate::new(n, of)), expected, "{n}/{of}");
        }
    }

    #[test]
    fn nothing_has_no_rate() {
        assert_eq!((Rate::new(0, 0).share(), Rate::new(0, 0).interval()), (None, None));
    }

    #[test]
    fn a_rate_is_written_with_its_denominator() {
        let json = serde_json::to_string(&Rate::new(1, 3)).expect("plain numbers");
        assert_eq!(json, r#"{"n":1,"of":3,"share":0.333333,"low":0.061492,"high":0.79234}"#);
    }
}

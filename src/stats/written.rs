//! How numbers are written to files: shares to a millionth, beyond which no count of domains can
//! mean anything; test results to six digits that count, since a p value may be very small.

use serde::Serializer;

/// A share, or a difference of shares, to a millionth.
fn to_millionth(value: f64) -> f64 {
    // Adding zero turns a negative zero into a plain one.
    (value * 1e6).round() / 1e6 + 0.0
}

/// Writes a share to a millionth.
pub fn share<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(to_millionth(*value))
}

/// Writes a share that may be missing.
pub fn maybe_share<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.serialize_some(&to_millionth(*value)),
        None => serializer.serialize_none(),
    }
}

/// Writes a test's result to six digits that count.
pub fn result<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(to_six_digits(*value))
}

/// Writes a test's result that may be missing.
pub fn maybe_result<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.serialize_some(&to_six_digits(*value)),
        None => serializer.serialize_none(),
    }
}

/// A number to six digits that count.
fn to_six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::{to_millionth, to_six_digits};

    #[test]
    fn what_is_written_is_rounded() {
        assert_eq!(to_millionth(1.0 / 3.0), 0.333333);
        assert!(to_millionth(-1e-9).is_sign_positive());
        assert_eq!(to_six_digits(4.115_049_2e-5), 4.11505e-5);
        assert_eq!(to_six_digits(1.0), 1.0);
        assert_eq!(to_six_digits(0.0), 0.0);
    }
}

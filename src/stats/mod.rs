//! Denominators, rates and intervals.
//!
//! Pure arithmetic on counts, each function with its reference and worked values as tests. Rounding
//! for the eye is for `report`.

mod agreement;
mod rate;

pub use agreement::Agreement;
pub use rate::Rate;

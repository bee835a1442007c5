//! Rates, intervals, comparisons, tests.
//!
//! Pure arithmetic on counts, each method with its reference and published worked values as tests;
//! distribution functions come from `statrs`. Every interval is at 95 %, every p value two-sided.
//! Rounding for the eye is for `report`; what is written to files is rounded here, so that the last
//! digits of a platform's arithmetic never show.

mod adjustment;
mod agreement;
mod bounds;
mod difference;
mod distribution;
mod homogeneity;
mod pairs;
mod panel;
mod rate;
mod stratified;
mod symmetry;
pub mod written;

pub use adjustment::{benjamini_hochberg, holm};
pub use agreement::Agreement;
pub use bounds::Bounds;
pub use difference::{Difference, TwoRates, cohens_h};
pub use homogeneity::{Armitage, Homogeneity};
pub use pairs::Pairs;
pub use panel::{Panel, PanelTrend};
pub use rate::Rate;
pub use stratified::{Cell, Stratified, standardised_difference};
pub use symmetry::Symmetry;

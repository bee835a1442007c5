//! The distribution functions that intervals and tests stand on.

use statrs::distribution::{
    Beta, Binomial, ChiSquared, ContinuousCDF as _, Discrete as _, DiscreteCDF as _, Normal,
    StudentsT,
};

/// The 97.5 % point of the standard normal distribution.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// What lies below an interval at 95 %, and above it.
const TAIL: f64 = 0.025;

/// The two-sided p value of a standard normal deviate.
pub(super) fn normal_p(z: f64) -> f64 {
    (2.0 * Normal::standard().sf(z.abs())).min(1.0)
}

/// The p value of a chi-squared statistic; `None` without a degree of freedom.
pub(super) fn chi_squared_p(statistic: f64, freedom: usize) -> Option<f64> {
    (freedom > 0).then_some(())?;
    Some(ChiSquared::new(freedom as f64).ok()?.sf(statistic))
}

/// The two-sided mid-p value of `fewer` heads among `tosses` of a fair coin; 1 of no tosses.
pub(super) fn fair_coin_mid_p(fewer: u64, tosses: u64) -> f64 {
    let Some(coin) = fair_coin(tosses) else { return 1.0 };
    (2.0 * coin.cdf(fewer) - coin.pmf(fewer)).min(1.0)
}

/// The two-sided exact p value of `fewer` heads among `tosses` of a fair coin; 1 of no tosses.
pub(super) fn fair_coin_p(fewer: u64, tosses: u64) -> f64 {
    fair_coin(tosses).map_or(1.0, |coin| (2.0 * coin.cdf(fewer)).min(1.0))
}

/// So many tosses of a fair coin; `None` of none.
fn fair_coin(tosses: u64) -> Option<Binomial> {
    (tosses > 0).then(|| Binomial::new(0.5, tosses).ok()).flatten()
}

/// The 95 % interval of `x` of `n` by quantiles of the beta distribution; neither need be whole.
pub(super) fn beta_interval(x: f64, n: f64) -> Option<(f64, f64)> {
    let quantile = |a: f64, b: f64, at: f64| Some(Beta::new(a, b).ok()?.inverse_cdf(at));
    let low = if x <= 0.0 { 0.0 } else { quantile(x, n - x + 1.0, TAIL)? };
    let high = if x >= n { 1.0 } else { quantile(x + 1.0, n - x, 1.0 - TAIL)? };
    Some((low, high))
}

/// The 97.5 % point of Student's distribution.
pub(super) fn students_point(freedom: f64) -> Option<f64> {
    Some(StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(1.0 - TAIL))
}

//! The only caller of `now()`.
//!
//! Time measured here goes to deadlines, the progress bar, the timing table and the manifest's
//! `occasion`; it never reaches a result file.

#![allow(clippy::disallowed_methods, reason = "this is the door that the others must use")]

use std::time::{Duration, Instant};

/// A point on the monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Instant);

impl Moment {
    /// This moment.
    pub fn now() -> Self {
        Self(Instant::now())
    }

    /// Time since this moment.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    /// Whole milliseconds since this moment.
    pub fn elapsed_ms(self) -> u64 {
        self.elapsed().as_millis() as u64
    }
}

/// The present second in UTC, as `2026-06-17T09:30:00Z` (RFC 3339).
pub fn utc_now() -> String {
    utc_of(jiff::Timestamp::now().as_second())
}

/// A second since 1970 in UTC, written alike; empty where no calendar reaches it.
pub fn utc_of(second: i64) -> String {
    jiff::Timestamp::from_second(second).map(|second| second.to_string()).unwrap_or_default()
}

/// The present millisecond in UTC, as `2026-06-17T09:30:00.125Z` (RFC 3339).
pub fn utc_now_ms() -> String {
    let now = jiff::Timestamp::now().as_millisecond();
    let second = jiff::Timestamp::from_second(now.div_euclid(1_000)).map(|at| at.to_string());
    let second = second.unwrap_or_default();
    format!("{}.{:03}Z", second.trim_end_matches('Z'), now.rem_euclid(1_000))
}

/// The present day in UTC, as `2026-06-17`.
pub fn utc_today() -> String {
    utc_now().chars().take(10).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_present_is_written_as_rfc_3339_in_utc() {
        let now = super::utc_now();
        assert_eq!((now.len(), &now[10..11], &now[19..]), (20, "T", "Z"));
        let precise = super::utc_now_ms();
        assert_eq!((precise.len(), &precise[19..20], &precise[23..]), (24, ".", "Z"));
        assert!(now.starts_with(&super::utc_today()) || super::utc_today().as_str() > &now[..10]);
    }
}

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

/// Whole seconds from now to an HTTP date (RFC 9110, 5.6.7), none for one that has passed; `None`
/// where it is no date.
pub fn seconds_until(http_date: &str) -> Option<u64> {
    seconds_off(http_date).map(|off_s| u64::try_from(off_s).unwrap_or(0))
}

/// By how many seconds an HTTP date lies in the future, or below zero in the past; `None` where it is
/// no date.
pub fn seconds_off(http_date: &str) -> Option<i64> {
    let date = jiff::fmt::rfc2822::parse(http_date).ok()?.timestamp().as_second();
    Some(date - jiff::Timestamp::now().as_second())
}

/// The offsets of a zone from its data (RFC 9636): the one before the first change, and the changes
/// until 2100, each a moment in seconds since 1970 and the seconds by which local time is before UTC.
pub fn zone_changes(name: &str, data: &[u8]) -> Option<(i64, Vec<(i64, i64)>)> {
    let zone = jiff::tz::TimeZone::tzif(name, data).ok()?;
    let begin = jiff::Timestamp::from_second(0).ok()?;
    let end = jiff::Timestamp::from_second(4_102_444_800).ok()?;
    let first = i64::from(zone.to_offset(begin).seconds());
    let following = zone.following(begin).take_while(|change| change.timestamp() < end);
    let changes = following
        .map(|change| (change.timestamp().as_second(), i64::from(change.offset().seconds())));
    Some((first, changes.collect()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_date_is_as_far_as_it_says_and_a_past_one_is_now() {
        assert_eq!(super::seconds_until("Sun, 06 Nov 1994 08:49:37 GMT"), Some(0));
        assert!(super::seconds_until("Sat, 06 Nov 2094 08:49:37 GMT").is_some_and(|s| s > 1 << 30));
        assert_eq!(super::seconds_until("2094-11-06T08:49:37Z"), None);
    }

    #[test]
    fn the_present_is_written_as_rfc_3339_in_utc() {
        let now = super::utc_now();
        assert_eq!((now.len(), &now[10..11], &now[19..]), (20, "T", "Z"));
        let precise = super::utc_now_ms();
        assert_eq!((precise.len(), &precise[19..20], &precise[23..]), (24, ".", "Z"));
        assert!(now.starts_with(&super::utc_today()) || super::utc_today().as_str() > &now[..10]);
    }
}

//! A moment to the second, in UTC, or a day, as files write them (RFC 3339, always `Z`).
//!
//! It is read and compared, never asked of a clock.

use std::fmt;

/// Seconds of a day.
const DAY: i64 = 86_400;
/// Days of four hundred years, after which the calendar repeats.
const CYCLE: i64 = 146_097;
/// Days before each month of a common year.
const BEFORE_MONTH: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/// A moment, in seconds since 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp(i64);

impl Stamp {
    /// The moment so many seconds after the beginning of 1970.
    pub fn from_unix(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Seconds since the beginning of 1970.
    pub fn unix(self) -> i64 {
        self.0
    }

    /// Reads `2026-09-02` (its first second) or `2026-09-02T14:41:05Z`, from 1970 on.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_at_checked(10)?;
        let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
        let first = Self::of_day(year, month, day)?;
        let seconds = match time {
            "" => 0,
            time => seconds_of(time)?,
        };
        Some(Self(first.0 + seconds))
    }

    /// The first second of a day that the calendar has, from 1970 to 9999.
    pub fn of_day(year: i64, month: i64, day: i64) -> Option<Self> {
        let length = match month {
            2 => 28 + i64::from(is_leap(year)),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let is_day = (1970..=9999).contains(&year) && (1..=length).contains(&day);
        is_day.then(|| Self((days_before(year) + day_of_year(year, month, day)) * DAY))
    }
}

/// Whether a text is a day, as `2026-11-30`, that the calendar has, from 1970 on.
pub fn is_day(text: &str) -> bool {
    text.len() == 10 && Stamp::parse(text).is_some()
}

/// The seconds of `T14:41:05Z`.
fn seconds_of(time: &str) -> Option<i64> {
    let time = time.strip_prefix('T')?.strip_suffix('Z')?;
    let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
    let is_time = hour < 24 && minute < 60 && second < 60;
    is_time.then_some(hour * 3600 + minute * 60 + second)
}

/// Three numbers of these widths.
fn numbers(text: &str, separator: char, widths: [usize; 3]) -> Option<[i64; 3]> {
    let mut found = [0; 3];
    let mut parts = text.split(separator);
    for (number, width) in found.iter_mut().zip(widths) {
        let digits = parts.next()?;
        if digits.len() != width || !digits.bytes().all(|octet| octet.is_ascii_digit()) {
            return None;
        }
        *number = digits.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days from the beginning of 1970 to the beginning of a year.
fn days_before(year: i64) -> i64 {
    let past = year - 1;
    // 477 leap days lie before 1970.
    365 * (year - 1970) + past / 4 - past / 100 + past / 400 - 477
}

/// Days from the beginning of a year to a day of it.
fn day_of_year(year: i64, month: i64, day: i64) -> i64 {
    let before = BEFORE_MONTH[month as usize - 1];
    before + i64::from(month > 2 && is_leap(year)) + day - 1
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, seconds) = (self.0.div_euclid(DAY), self.0.rem_euclid(DAY));
        let (cycles, days) = (days.div_euclid(CYCLE), days.rem_euclid(CYCLE));
        let mut year = 1970 + days / 366;
        while days_before(year + 1) <= days {
            year += 1;
        }
        let rest = days - days_before(year);
        let month = (1..=12).rev().find(|&month| day_of_year(year, month, 1) <= rest).unwrap_or(1);
        let day = rest - day_of_year(year, month, 1) + 1;
        write!(f, "{:04}-{month:02}-{day:02}", year + 400 * cycles)?;
        // The alternate form is the date alone.
        if f.alternate() {
            return Ok(());
        }
        write!(f, "T{:02}:{:02}:{:02}Z", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::{Stamp, is_day};

    #[test]
    fn a_moment_reads_back_as_it_was_written() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2024-12-31T00:00:00Z", 1_735_603_200),
            ("2026-09-02T14:41:05Z", 1_788_360_065),
            ("2100-03-01T00:00:00Z", 4_107_542_400),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] {
            let stamp = Stamp::parse(text).unwrap();
            assert_eq!((stamp.unix(), stamp.to_string().as_str()), (seconds, text));
        }
        assert_eq!(Stamp::parse("2026-09-02"), Stamp::parse("2026-09-02T00:00:00Z"));
        assert_eq!(Stamp::from_unix(-1).to_string(), "1969-12-31T23:59:59Z");
        assert_eq!(format!("{:#}", Stamp::from_unix(i64::from(i32::MAX))), "2038-01-19");
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let days: Vec<String> =
            (0..150_000).map(|day| format!("{:#}", Stamp::from_unix(day * 86_400))).collect();
        for (day, text) in (0..).zip(&days) {
            assert_eq!(Stamp::parse(text).unwrap().unix(), day * 86_400, "{text}");
        }
        assert!(days.is_sorted());
    }

    #[test]
    fn what_is_no_moment_is_not_read() {
        for text in [
            "",
            "2026-9-02",
            "2026-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-09-00",
            "1969-12-31",
            "2026-09-02T14:41:05",
            "2026-09-02T14:41:05+01:00",
            "2026-09-02T24:00:00Z",
            "2026-09-02 14:41:05Z",
            "+026-09-02",
            "2026-09-0é",
        ] {
            assert_eq!(Stamp::parse(text), None, "{text}");
            assert!(!is_day(text), "{text}");
        }
        assert!(is_day("2026-11-30") && !is_day("2026-11-30T00:00:00Z"));
        assert!(!is_day("2026-99-99") && !is_day("today"));
    }
}

//! The times that logs write, as seconds in UTC.
//!
//! `25/Oct/2026:02:30:00 +0200` (Apache, nginx), RFC 3339 and its kin, and seconds, milliseconds,
//! microseconds or nanoseconds since 1970. Fractions are cut off. A time without an offset is read in
//! the zone that the caller states.

use crate::stamp::Stamp;

use super::zone::Zone;

/// A moment as a log tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// Seconds since 1970 in UTC.
    pub at_s: i64,
    /// Minutes by which the log's clock is before UTC; none where the text does not say.
    pub offset_minutes: Option<i16>,
    /// The later moment that it may be too, where clocks that were put back showed it twice.
    pub again_s: Option<i64>,
}

const MONTHS: [&[u8; 3]; 12] = [
    b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec",
];

/// Octets of `25/Oct/2026:02:30:00`.
const CLOCK_OCTETS: usize = 20;

/// Octets of `25/Oct/2026:02:30:00 +0200`.
pub(super) const STAMP_OCTETS: usize = 26;

/// The last stamp and what it meant: lines of one second, and of one minute, stand together.
#[derive(Clone, Debug)]
pub(super) struct StampCache {
    octets: [u8; STAMP_OCTETS],
    told: Option<Told>,
}

impl StampCache {
    /// A cache that knows nothing.
    pub(super) fn new() -> Self {
        Self { octets: [0; STAMP_OCTETS], told: None }
    }

    /// The moment of a stamp, which is in a zone if it has no offset.
    #[inline]
    pub(super) fn read(&mut self, stamp: &[u8; STAMP_OCTETS], zone: &Zone) -> Option<Told> {
        if *stamp != self.octets {
            self.told = self.told_within_minute(stamp).or_else(|| common(stamp, zone));
            self.octets = *stamp;
        }
        self.told
    }

    /// The moment of a stamp that differs from the last one by its second alone.
    fn told_within_minute(&self, stamp: &[u8; STAMP_OCTETS]) -> Option<Told> {
        let told = self.told.filter(|told| told.offset_minutes.is_some())?;
        let (minute, offset) = (..CLOCK_OCTETS - 2, CLOCK_OCTETS..);
        if stamp[minute] != self.octets[minute] || stamp[offset.clone()] != self.octets[offset] {
            return None;
        }
        let second = |stamp: &[u8; STAMP_OCTETS]| {
            number(&stamp[CLOCK_OCTETS - 2..CLOCK_OCTETS]).filter(|second| *second < 60)
        };
        Some(Told { at_s: told.at_s + second(stamp)? - second(&self.octets)?, ..told })
    }
}

/// Reads a time in any of the known forms.
pub(super) fn any(text: &[u8], zone: &Zone) -> Option<Told> {
    let text = text.trim_ascii();
    match text {
        [_, _, b'/', ..] | [_, b'/', ..] => common(text, zone),
        [a, b, c, d, b'-' | b'/', ..]
            if [a, b, c, d].iter().all(|octet| octet.is_ascii_digit()) =>
        {
            iso(text, zone)
        }
        _ => epoch(text),
    }
}

/// Reads `25/Oct/2026:02:30:00 +0200`, with a fraction, or without an offset.
pub(super) fn common(text: &[u8], zone: &Zone) -> Option<Told> {
    let clock = text.get(..CLOCK_OCTETS)?;
    let &[_, _, b'/', m1, m2, m3, b'/', _, _, _, _, b':', _, _, b':', _, _, b':', _, _] = clock
    else {
        return None;
    };
    let month = MONTHS.iter().position(|month| **month == [m1, m2, m3])?;
    let date = [number(&clock[7..11])?, month as i64 + 1, number(&clock[0..2])?];
    let time = [number(&clock[12..14])?, number(&clock[15..17])?, number(&clock[18..20])?];
    told(date, time, without_fraction(&text[CLOCK_OCTETS..]), zone)
}

/// Reads `2026-10-25T02:30:00.123+02:00` and its kin: a blank for the T, no offset, `+0200`.
pub(super) fn iso(text: &[u8], zone: &Zone) -> Option<Told> {
    let date = text.get(..10)?;
    let is_dated = matches!((date[4], date[7]), (b'-', b'-') | (b'/', b'/'));
    if !is_dated {
        return None;
    }
    let date = [number(&date[..4])?, number(&date[5..7])?, number(&date[8..10])?];
    let rest = match &text[10..] {
        [] => return told(date, [0; 3], b"", zone),
        [b'T' | b't' | b' ' | b'_', rest @ ..] => rest,
        _ => return None,
    };
    let clock = rest.get(..8)?;
    if clock[2] != b':' || clock[5] != b':' {
        return None;
    }
    let time = [number(&clock[..2])?, number(&clock[3..5])?, number(&clock[6..8])?];
    told(date, time, without_fraction(&rest[8..]), zone)
}

/// Reads seconds, milliseconds, microseconds or nanoseconds since 1970, by their size.
pub(super) fn epoch(text: &[u8]) -> Option<Told> {
    let whole = text.split(|&octet| octet == b'.').next()?;
    if whole.is_empty() || whole.len() > 19 {
        return None;
    }
    let mut value = number(whole)?;
    // Eleven digits of seconds would be the year 5138.
    while value >= 100_000_000_000 {
        value /= 1_000;
    }
    (value >= 100_000_000).then_some(Told { at_s: value, offset_minutes: Some(0), again_s: None })
}

/// What follows a fraction of a second.
fn without_fraction(rest: &[u8]) -> &[u8] {
    match rest {
        [b'.' | b',', digits @ ..] => {
            let end = digits.iter().position(|octet| !octet.is_ascii_digit());
            &digits[end.unwrap_or(digits.len())..]
        }
        rest => rest,
    }
}

/// The moment of a date and a time of day, with what says the offset.
fn told(date: [i64; 3], time: [i64; 3], offset: &[u8], zone: &Zone) -> Option<Told> {
    let [hour, minute, second] = time;
    // A leap second is the first second of the next minute.
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let day = Stamp::of_day(date[0], date[1], date[2])?;
    let local = day.unix() + hour * 3_600 + minute * 60 + second;
    match offset_of(offset.trim_ascii())? {
        Some(minutes) => {
            let at_s = local - i64::from(minutes) * 60;
            Some(Told { at_s, offset_minutes: Some(minutes), again_s: None })
        }
        None => {
            let (at_s, again_s) = (zone.utc_of(local), zone.again(local));
            Some(Told { at_s, offset_minutes: None, again_s })
        }
    }
}

/// An offset in minutes; `Some(None)` where nothing is said, `None` where it is no offset.
pub(super) fn offset_of(text: &[u8]) -> Option<Option<i16>> {
    let (sign, digits) = match text {
        [] => return Some(None),
        b"Z" | b"z" | b"UTC" | b"GMT" => return Some(Some(0)),
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits {
        [h1, h2, m1, m2] | [h1, h2, b':', m1, m2] => (number(&[*h1, *h2])?, number(&[*m1, *m2])?),
        [h1, h2] => (number(&[*h1, *h2])?, 0),
        _ => return None,
    };
    let is_offset = hours <= 15 && minutes < 60;
    is_offset.then_some(Some(sign * (hours * 60 + minutes) as i16))
}

/// A number of decimal digits.
#[inline]
fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0_i64, |value, octet| {
        let digit = octet.wrapping_sub(b'0');
        (digit < 10).then(|| value.wrapping_mul(10).wrapping_add(i64::from(digit)))
    })
}

#[cfg(test)]
mod tests {
    use super::{StampCache, any};
    use crate::logs::zone::Zone;
    use crate::stamp::Stamp;

    #[test]
    fn every_form_of_one_moment_is_that_moment() {
        let expected = Stamp::parse("2026-10-25T00:30:00Z").unwrap().unix();
        for text in [
            "25/Oct/2026:02:30:00 +0200",
            "25/Oct/2026:01:30:00 +0100",
            "25/Oct/2026:00:30:00.123",
            "24/Oct/2026:19:30:00 -0500",
            "2026-10-25T02:30:00+02:00",
            "2026-10-25T00:30:00Z",
            "2026-10-25T00:30:00.123456789Z",
            "2026-10-25 00:30:00",
            "2026-10-25 00:30:00.363",
            "2026-10-25T04:00:00.1+0330",
            "1792888200",
            "1792888200.123",
            "1792888200123",
            "1792888200123456",
            "1792888200123456789",
        ] {
            let told = any(text.as_bytes(), &Zone::UTC).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(told.at_s, expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_not_read() {
        for text in [
            "",
            "-",
            "99/Foo/2026:25:61:61 +0200",
            "31/Feb/2026:00:00:00 +0000",
            "25/Oct/2026:24:00:00 +0000",
            "25/Oct/2026:02:30:00 +9900",
            "25/Oct/2026:02:30:00 summer",
            "2026-13-01T00:00:00Z",
            "2026-10-25T00:30",
            "12345",
            "1792888200x",
        ] {
            assert_eq!(any(text.as_bytes(), &Zone::UTC), None, "{text}");
        }
    }

    #[test]
    fn a_stamp_is_read_again_when_its_octets_change() {
        let mut cache = StampCache::new();
        let mut read = |text: &[u8; 26]| cache.read(text, &Zone::UTC).map(|told| told.at_s);
        assert_eq!(read(&[0; 26]), None);
        let first = read(b"25/Oct/2026:02:59:59 +0200").unwrap();
        assert_eq!(read(b"25/Oct/2026:02:59:59 +0200"), Some(first));
        assert_eq!(read(b"25/Oct/2026:02:00:00 +0100"), Some(first + 1));
        assert_eq!(read(b"99/Foo/2026:25:61:61 +0200"), None);
        assert_eq!(read(b"25/Oct/2026:02:59:59 +0200"), Some(first));
        assert_eq!(read(b"25/Oct/2026:02:59:03 +0200"), Some(first - 56));
        assert_eq!(read(b"25/Oct/2026:02:59:60 +0200"), Some(first + 1));
        assert_eq!(read(b"25/Oct/2026:02:59:61 +0200"), None);
        assert_eq!(read(b"25/Oct/2026:02:59:04 +0200"), Some(first - 55));
        assert_eq!(read(b"25/Oct/2026:02:59:x4 +0200"), None);
        assert_eq!(read(b"25/Oct/2026:02:59:04 +0300"), Some(first - 55 - 3_600));
    }

    #[test]
    fn every_second_of_a_day_is_the_one_after_the_last() {
        let mut cache = StampCache::new();
        let first = Stamp::parse("2026-10-25T00:00:00Z").unwrap().unix();
        for second in 0..86_400 {
            let (hour, minute) = (second / 3_600, second / 60 % 60);
            let text = format!("25/Oct/2026:{hour:02}:{minute:02}:{:02} +0000", second % 60);
            let told = cache.read(text.as_bytes().as_array().unwrap(), &Zone::UTC);
            assert_eq!(told.map(|told| told.at_s), Some(first + second), "{text}");
        }
    }
}

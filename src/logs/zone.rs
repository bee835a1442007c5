//! The zone in which a log without offsets was written: how far local time is from UTC, and when
//! that changed.

/// A change of the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The moment from which the offset holds, in seconds since 1970 in UTC.
    pub at_s: i64,
    /// Seconds by which local time is before UTC from then on.
    pub offset_s: i64,
}

/// A zone's offsets over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// The offset before the first change, in seconds.
    first_s: i64,
    changes: Vec<Change>,
}

impl Zone {
    /// UTC itself.
    pub const UTC: Self = Self { first_s: 0, changes: Vec::new() };

    /// A zone of one offset for ever, in seconds.
    pub fn fixed(offset_s: i64) -> Self {
        Self { first_s: offset_s, changes: Vec::new() }
    }

    /// A zone with changes, in order of time, and the offset before the first, in seconds.
    pub fn with_changes(first_s: i64, changes: Vec<Change>) -> Self {
        Self { first_s, changes }
    }

    /// The seconds of an offset as people write it: `+02:00`, `-0500`, `UTC`; none where it is none.
    pub fn offset_s(text: &str) -> Option<i64> {
        let minutes = super::moment::offset_of(text.as_bytes())??;
        Some(i64::from(minutes) * 60)
    }

    /// The moment of a local time. An hour that happens twice is taken for its first time, one that
    /// never happens for the time that clocks not yet put forward would show.
    pub fn utc_of(&self, local_s: i64) -> i64 {
        let mut offset_s = self.first_s;
        for change in &self.changes {
            // Until the change the old offset holds; what reads so already then is taken for it.
            if local_s - offset_s < change.at_s {
                break;
            }
            offset_s = change.offset_s;
        }
        local_s - offset_s
    }

    /// The later moment of a local time that happens twice; none where it happens once.
    pub fn again(&self, local_s: i64) -> Option<i64> {
        let mut offset_s = self.first_s;
        self.changes.iter().find_map(|change| {
            let before_s = std::mem::replace(&mut offset_s, change.offset_s);
            let repeats =
                local_s - before_s < change.at_s && local_s - change.offset_s >= change.at_s;
            repeats.then_some(local_s - change.offset_s)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Zone};
    use crate::stamp::Stamp;

    fn at(text: &str) -> i64 {
        Stamp::parse(text).unwrap().unix()
    }

    #[test]
    fn local_time_follows_the_changes_of_its_zone() {
        let berlin = Zone::with_changes(
            3_600,
            vec![
                Change { at_s: at("2026-03-29T01:00:00Z"), offset_s: 7_200 },
                Change { at_s: at("2026-10-25T01:00:00Z"), offset_s: 3_600 },
            ],
        );
        for (local, utc, happens_again) in [
            ("2026-01-01T12:00:00Z", "2026-01-01T11:00:00Z", false),
            ("2026-03-29T01:59:59Z", "2026-03-29T00:59:59Z", false),
            ("2026-03-29T03:00:00Z", "2026-03-29T01:00:00Z", false),
            ("2026-07-01T12:00:00Z", "2026-07-01T10:00:00Z", false),
            ("2026-10-25T02:30:00Z", "2026-10-25T00:30:00Z", true),
            ("2026-10-25T03:00:00Z", "2026-10-25T02:00:00Z", false),
        ] {
            assert_eq!(berlin.utc_of(at(local)), at(utc), "{local}");
            let again = happens_again.then(|| at(utc) + 3_600);
            assert_eq!(berlin.again(at(local)), again, "{local}");
        }
        assert_eq!(Zone::fixed(-18_000).utc_of(at("2026-01-01")), at("2026-01-01T05:00:00Z"));
    }
}

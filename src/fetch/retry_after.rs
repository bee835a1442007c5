//! How long a site asks to be left alone (RFC 9110, 10.2.3).

use crate::clock;
use crate::observation::Answer;

/// The seconds of a refusal's Retry-After, given as a number or as a date; none where it gives none
/// that can be read. Of several the longest counts.
pub(super) fn seconds(answer: &Answer) -> Option<u64> {
    if answer.status < 400 {
        return None;
    }
    answer.fields_named("retry-after").filter_map(|value| read(value.trim())).max()
}

/// Reads a value.
fn read(value: &str) -> Option<u64> {
    if !value.is_empty() && value.bytes().all(|octet| octet.is_ascii_digit()) {
        // A number that no integer holds is a long time too.
        return Some(value.parse().unwrap_or(u64::MAX));
    }
    clock::seconds_until(value)
}

#[cfg(test)]
mod tests {
    use super::seconds;
    use crate::observation::{Answer, Field};

    fn answer(status: u16, values: &[&str]) -> Answer {
        let field =
            |value: &&str| Field { name: "retry-after".into(), value: value.as_bytes().to_vec() };
        let fields = values.iter().map(field).collect();
        Answer { status, fields, raw_body: vec![], body: vec![], truncated: false }
    }

    #[test]
    fn a_refusal_may_name_a_number_or_a_date() {
        for (status, values, expected) in [
            (503, &["120"][..], Some(120)),
            (429, &[" 7 "], Some(7)),
            (429, &["1", "30", "x"], Some(30)),
            (503, &["0"], Some(0)),
            (503, &["99999999999999999999999"], Some(u64::MAX)),
            (503, &["Wed, 21 Oct 2015 07:28:00 GMT"], Some(0)),
            (503, &["-5"], None),
            (503, &["soon"], None),
            (503, &[""], None),
            (503, &[], None),
            (200, &["120"], None),
        ] {
            assert_eq!(seconds(&answer(status, values)), expected, "{status} {values:?}");
        }
        let far = seconds(&answer(503, &["Tue, 31 Dec 2999 23:59:59 GMT"])).expect("a date");
        assert!(far > 10_000_000_000, "{far}");
    }
}

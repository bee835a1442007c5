//! Response fields by which a site says what machines may use its content for.
//!
//! `Content-Signal` is Cloudflare's (2025), `Content-Usage` the draft of the IETF's AI Preferences
//! working group, `TDM-Reservation` and `TDM-Policy` the TDM Reservation Protocol of a W3C community
//! group, after article 4 of directive (EU) 2019/790. They are recorded as they were sent and change
//! no class: what they mean for a crawler is left to the law.

/// The fields, in lower case and in order.
const FIELDS: [&str; 4] = ["content-signal", "content-usage", "tdm-policy", "tdm-reservation"];

/// Characters of a value that are kept.
const VALUE_CHARACTERS: usize = 200;

/// The usage fields of an answer as `name: value`, in the order of the names and then as sent. A
/// semicolon in a value is written as a comma, since semicolons part the entries of a list.
///
/// Fields are (name, value) in any case.
pub fn usage(fields: &[(&str, &str)]) -> Vec<String> {
    let named = |name: &'static str| {
        let fields = fields.iter().filter(move |(given, _)| given.eq_ignore_ascii_case(name));
        fields.map(move |(_, value)| {
            let value: String = value.trim().chars().take(VALUE_CHARACTERS).collect();
            format!("{name}: {}", value.replace(';', ","))
        })
    };
    FIELDS.into_iter().flat_map(named).collect()
}

/// The name of a usage field as [`usage`] writes it.
pub fn usage_name(written: &str) -> Option<&'static str> {
    let (name, _) = written.split_once(':')?;
    FIELDS.into_iter().find(|known| *known == name)
}

#[cfg(test)]
mod tests {
    use super::{usage, usage_name};

    #[test]
    fn usage_fields_are_told_as_they_were_sent_in_order() {
        let fields = [
            ("TDM-Reservation", "1"),
            ("Server", "a"),
            ("content-signal", " search=yes, ai-train=no "),
            ("Content-Usage", "train-ai=n;search=y"),
            ("tdm-policy", "https://a.test/policy.json"),
            ("Content-Signal", "ai-input=no"),
            ("x-content-usage", "train-ai=n"),
        ];
        let told = usage(&fields);
        let expected = [
            "content-signal: search=yes, ai-train=no",
            "content-signal: ai-input=no",
            "content-usage: train-ai=n,search=y",
            "tdm-policy: https://a.test/policy.json",
            "tdm-reservation: 1",
        ];
        assert_eq!(told, expected);
        assert!(told.iter().all(|written| usage_name(written).is_some()));
        assert_eq!(usage_name("x-content-usage: a"), None);
        let long = "a".repeat(10_000);
        assert_eq!(usage(&[("tdm-policy", &long)])[0].len(), "tdm-policy: ".len() + 200);
    }
}

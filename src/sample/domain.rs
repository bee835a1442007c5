//! A host name in its one canonical form.
//!
//! What has one obvious canonical form is brought to it (case, a trailing dot, the user of an
//! address, an internationalised name by UTS #46); everything else is no name. Who owns a name is
//! for `suffix`.

use std::fmt;

/// A host name in canonical form: lower case, A-labels, no trailing dot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domain(String);

impl Domain {
    /// Reads a name as a person may write it; `Err` is (message, hint).
    pub fn parse(written: &str) -> Result<Self, (String, &'static str)> {
        const BARE: &str = "write the host name alone, as in example.com";
        let quoted = |what: &str| format!("{what}: {written:?}");
        if written.is_empty() {
            return Err(("domain is empty".into(), BARE));
        }
        if written.contains("://") {
            return Err((quoted("domain has a scheme"), BARE));
        }
        if written.contains(['/', '\\', '?', '#']) {
            return Err((quoted("domain has a path"), BARE));
        }
        // What stands before the @ of an address is no part of the host that is asked.
        let host = match written.split_once('@') {
            Some((user, host)) if !user.is_empty() => host,
            _ => written,
        };
        if host.contains('@') {
            return Err((quoted("domain is not one address"), BARE));
        }
        if written.contains(':') {
            return Err((quoted("domain has a port or is an IPv6 address"), BARE));
        }
        if written.contains(char::is_whitespace) {
            return Err((quoted("domain has a space"), "remove the space"));
        }
        let ascii = idna::domain_to_ascii(host)
            .map_err(|_| (quoted("domain is not a valid name"), "see UTS #46 for what is valid"))?;
        let name = ascii.strip_suffix('.').unwrap_or(&ascii);
        match fault_of(name) {
            Some((what, hint)) => Err((quoted(what), hint)),
            None => Ok(Self(name.to_owned())),
        }
    }

    /// The canonical name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name with its A-labels decoded, where it has any.
    pub fn unicode(&self) -> Option<String> {
        let (decoded, _) = idna::domain_to_unicode(&self.0);
        (decoded != self.0).then_some(decoded)
    }
}

/// What keeps a lower-case ASCII name from being a host name (RFC 1035, 2.3.4; underscores stand).
fn fault_of(name: &str) -> Option<(&'static str, &'static str)> {
    let labels: Vec<&str> = name.split('.').collect();
    let allowed = |octet: u8| octet.is_ascii_alphanumeric() || octet == b'-' || octet == b'_';
    if name.len() > 253 {
        return Some(("domain is longer than 253 octets", "no such name can be asked"));
    }
    if labels.iter().any(|label| label.is_empty()) {
        return Some(("domain has an empty label", "remove the doubled or leading dot"));
    }
    if labels.iter().any(|label| label.len() > 63) {
        return Some(("domain has a label longer than 63 octets", "no such name can be asked"));
    }
    if !name.bytes().all(|octet| allowed(octet) || octet == b'.') {
        return Some((
            "domain has a character that no host name has",
            "use letters, digits, - _ .",
        ));
    }
    if labels.iter().any(|label| label.starts_with('-') || label.ends_with('-')) {
        return Some(("domain has a label that begins or ends with -", "check the spelling"));
    }
    if labels.len() < 2 {
        return Some(("domain has no dot", "name a host under a public suffix, as example.com"));
    }
    if labels.last().is_some_and(|label| label.bytes().all(|octet| octet.is_ascii_digit())) {
        return Some(("domain is an IP address", "a sample lists names, not addresses"));
    }
    None
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Domain;

    #[test]
    fn a_name_too_long_is_refused() {
        assert!(Domain::parse(&format!("{}.test", "a".repeat(64))).is_err());
        assert!(Domain::parse(&"a.".repeat(130)).is_err());
    }

    #[test]
    fn a_labels_are_decoded_to_be_shown() {
        let unicode = |name: &str| Domain::parse(name).expect("a name").unicode();
        assert_eq!(unicode("BÜCHER.example").as_deref(), Some("bücher.example"));
        assert_eq!(unicode("books.example"), None);
    }
}

//! What a server's certificate says of itself (RFC 5280): until when it is valid, and who signed it.
//!
//! Told beside a result and never judged here: what makes a certificate believed is for the TLS
//! library.

use x509_parser::prelude::{FromDer as _, X509Certificate};

use crate::clock;

/// Characters of an issuer's name that are kept: the name comes from the peer.
const ISSUER_CHARACTERS: usize = 200;

/// A certificate's own account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The second after which it is no longer valid, in UTC (RFC 3339).
    pub expires: String,
    /// The distinguished name of its issuer.
    pub issuer: String,
}

impl Certificate {
    /// Reads a certificate in DER; `None` where it is none.
    pub(super) fn of(der: &[u8]) -> Option<Self> {
        let (_, certificate) = X509Certificate::from_der(der).ok()?;
        let issuer = certificate.issuer().to_string();
        Some(Self {
            expires: clock::utc_of(certificate.validity().not_after.timestamp()),
            issuer: issuer.chars().filter(|c| !c.is_control()).take(ISSUER_CHARACTERS).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, DnType, KeyPair, date_time_ymd};

    use super::{Certificate, ISSUER_CHARACTERS};

    fn signed_by(name: &str) -> Certificate {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::new(vec!["a.test".to_owned()]).unwrap();
        parameters.distinguished_name = rcgen::DistinguishedName::new();
        parameters.distinguished_name.push(DnType::CommonName, name);
        parameters.not_after = date_time_ymd(2031, 2, 3);
        Certificate::of(parameters.self_signed(&key).unwrap().der()).unwrap()
    }

    #[test]
    fn a_certificate_says_until_when_and_by_whom() {
        let expected = Certificate {
            expires: "2031-02-03T00:00:00Z".to_owned(),
            issuer: "CN=An Authority".to_owned(),
        };
        assert_eq!(signed_by("An Authority"), expected);
        assert_eq!(Certificate::of(b"no certificate"), None);
    }

    #[test]
    fn an_issuer_is_bounded_and_holds_no_control_characters() {
        let issuer = signed_by(&format!("a\n\u{1b}[2J{}", "b".repeat(500))).issuer;
        assert_eq!(issuer.chars().count(), ISSUER_CHARACTERS);
        assert!(!issuer.contains(char::is_control), "{issuer:?}");
    }
}

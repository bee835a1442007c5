//! The keys by which domains are drawn.

use crate::digest::Digest;
use crate::sample::Domain;
use crate::seed::Seed;

/// What gives each domain its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// A stream of the seed and the domain.
    Seed(Seed),
    /// The SHA-256 of this text and the domain after it: `sha256sum` and `sort` repeat such a draw.
    Salt(String),
}

impl Keys {
    /// The key of a domain: the smaller, the earlier it is drawn.
    pub fn of(&self, domain: &Domain) -> u64 {
        match self {
            Self::Seed(seed) => seed.draw_key(domain),
            Self::Salt(salt) => {
                let digest = Digest::of(format!("{salt}{domain}").as_bytes());
                digest.octets().iter().take(8).fold(0, |key, octet| key << 8 | u64::from(*octet))
            }
        }
    }

    /// What the key is, in words.
    pub(super) fn in_words(&self) -> String {
        match self {
            Self::Seed(seed) => format!("draw key of the seed {}", seed.0),
            Self::Salt(salt) => format!("SHA-256 of the text {salt:?} with the domain after it"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Keys;
    use crate::sample::Domain;
    use crate::seed::Seed;

    #[test]
    fn the_keys_never_change() {
        let domain = Domain::parse("example.test").expect("a name");
        assert_eq!(Keys::Seed(Seed(42)).of(&domain), 16_004_665_949_512_720_181);
        // printf 'salt|example.test' | sha256sum
        assert_eq!(Keys::Salt("salt|".into()).of(&domain), 4_830_703_278_752_375_837);
    }
}

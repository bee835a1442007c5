//! SHA-256 (FIPS 180-4) as a value that prints as 64 hex digits.
//!
//! The only caller of the `sha2` crate. What is digested, and where the figure is written, is for
//! its users to decide.

use std::fmt;

use sha2::Digest as _;

/// The SHA-256 of some octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Digests octets that are at hand whole.
    pub fn of(octets: &[u8]) -> Self {
        Self(sha2::Sha256::digest(octets).into())
    }

    /// The 32 octets themselves.
    pub fn octets(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first twelve hex digits: enough to tell two apart on a screen, never enough to cite.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }

    /// Reads 64 hex digits of either case.
    pub fn from_hex(text: &str) -> Option<Self> {
        let mut octets = [0; 32];
        if text.len() != 64 || !text.bytes().all(|octet| octet.is_ascii_hexdigit()) {
            return None;
        }
        for (octet, pair) in octets.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *octet = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(octets))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|octet| write!(f, "{octet:02x}"))
    }
}

/// Digests octets that arrive in pieces.
#[derive(Clone, Default)]
pub struct Hasher(sha2::Sha256);

impl Hasher {
    /// Nothing digested yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next piece.
    pub fn update(&mut self, octets: &[u8]) {
        self.0.update(octets);
    }

    /// The digest of all pieces.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, Hasher};

    #[test]
    fn the_digest_of_abc_is_the_one_of_fips_180_4() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").to_string(), expected);
        let mut pieces = Hasher::new();
        pieces.update(b"a");
        pieces.update(b"bc");
        assert_eq!(pieces.finish().to_string(), expected);
        assert_eq!(Digest::from_hex(expected), Some(Digest::of(b"abc")));
    }

    #[test]
    fn hex_of_another_length_or_alphabet_is_refused() {
        assert_eq!(Digest::from_hex("ba78"), None);
        assert_eq!(Digest::from_hex(&"zz".repeat(32)), None);
        assert_eq!(Digest::from_hex(&"+1".repeat(32)), None);
    }
}

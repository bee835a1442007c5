//! Labelled streams of pseudo-random numbers, order keys, draw keys and control paths.
//!
//! One stream per label, never one shared stream: what is drawn for a domain does not depend on who
//! was asked before. A stream is ChaCha20 (the 20-round, 64-bit-counter form of `rand_chacha`)
//! keyed by a SHA-256 over its label and parts; the derivation is written down octet by octet in
//! METHODOLOGY.md and pinned by the tests below.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::digest::{Digest, Hasher};
use crate::sample::Domain;

/// The seed of a run, as given on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub u64);

/// A stream of numbers that depends on its label and parts alone.
pub struct Stream(ChaCha20Rng);

impl Stream {
    /// Opens the stream of a label and its parts.
    ///
    /// The key is SHA-256 of the label and each part, each preceded by its length as eight octets,
    /// least significant first, so that no two lists of parts run together.
    pub fn new(label: &str, parts: &[&[u8]]) -> Self {
        Self(ChaCha20Rng::from_seed(*key(label, parts).octets()))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, each equally likely (multiply and shift, biased draws rejected).
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a bound of zero leaves nothing to draw");
        let rejected = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(bound);
            if wide as u64 >= rejected {
                return (wide >> 64) as u64;
            }
        }
    }
}

/// The key of a labelled stream.
fn key(label: &str, parts: &[&[u8]]) -> Digest {
    let mut hasher = Hasher::new();
    for part in std::iter::once(&label.as_bytes()).chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finish()
}

impl Seed {
    /// The seed of one attempt, logged in the manifest.
    pub fn of_attempt(self, attempt: u32) -> Digest {
        key("scanner attempt", &[&self.0.to_le_bytes(), &attempt.to_le_bytes()])
    }

    /// A domain's place in the order of an attempt: domains are asked by rising key, ties by name.
    pub fn order_key(self, attempt: u32, domain: &Domain) -> u64 {
        let attempt_seed = self.of_attempt(attempt);
        let parts: [&[u8]; 2] = [attempt_seed.octets(), domain.as_str().as_bytes()];
        Stream::new("scanner order", &parts).next_u64()
    }

    /// A domain's place in the order of a draw: domains are drawn by rising key, ties by name.
    pub fn draw_key(self, domain: &Domain) -> u64 {
        let parts: [&[u8]; 2] = [&self.0.to_le_bytes(), domain.as_str().as_bytes()];
        Stream::new("scanner draw", &parts).next_u64()
    }

    /// A path that cannot exist on a domain: 128 bits of its own stream, in hex, ending in `.txt`.
    ///
    /// The same in every attempt, so that it is logged once and can be asked again by anyone.
    pub fn control_path(self, domain: &Domain) -> String {
        let parts: [&[u8]; 2] = [&self.0.to_le_bytes(), domain.as_str().as_bytes()];
        let mut stream = Stream::new("scanner control", &parts);
        format!("/{:016x}{:016x}.txt", stream.next_u64(), stream.next_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::{Seed, Stream};
    use crate::sample::Domain;

    #[test]
    fn the_derivation_never_changes() {
        let domain = Domain::parse("example.test").expect("a name");
        let pinned = (
            Seed(42).of_attempt(1).to_string(),
            Seed(42).order_key(1, &domain),
            Seed(42).control_path(&domain),
        );
        let expected = (
            "5aab1125574e2c0fefe355fd0f0abd6941f40b16c5cb2d9b2a532df85cc2f7c8".to_owned(),
            6_428_691_029_203_210_060,
            "/0625d2bcc659cf03c4aaed3df10881d5.txt".to_owned(),
        );
        assert_eq!(pinned, expected);
    }

    #[test]
    fn parts_never_run_together() {
        let first = |parts: &[&[u8]]| Stream::new("label", parts).next_u64();
        assert_ne!(first(&[b"ab", b"c"]), first(&[b"a", b"bc"]));
        assert_ne!(first(&[b"ab"]), first(&[b"ab", b""]));
    }

    #[test]
    fn every_number_below_a_bound_is_drawn_and_none_above() {
        let mut stream = Stream::new("label", &[]);
        let mut seen = [0; 6];
        for _ in 0..6_000 {
            seen[stream.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (800..1_200).contains(count)), "{seen:?}");
    }
}

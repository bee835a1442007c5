//! A manifest read back from a run's folder.
//!
//! It is read leniently, so that a later version reads an earlier one's runs: what only tells where
//! a run came from may be missing, and limits are numbers by name. Whether a run can be continued or
//! repeated with the instrument at hand is for the caller to compare.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de};

use super::{AttemptCounts, Excluded, FORMAT, Occasion, Source, Status};
use crate::digest::Digest;
use crate::observation::Kept;
use crate::refusal::Refusal;
use crate::words::Word as _;

/// What a run's manifest says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Recorded {
    /// How far the run is.
    #[serde(deserialize_with = "status")]
    pub status: Status,
    /// Why it is off the method, or on a fixture internet.
    pub marks: Vec<String>,
    /// The instrument.
    pub instrument: RecordedInstrument,
    /// One figure for version, library and limits.
    #[serde(deserialize_with = "digest")]
    pub instrument_sha256: Digest,
    /// The sample.
    pub sample: RecordedSample,
    /// The run's seed.
    pub seed: u64,
    /// The user-agent header sent.
    pub user_agent: String,
    /// Whom a site may write to.
    pub contact: Option<String>,
    /// The header fields of every request, in the order of sending.
    #[serde(default)]
    pub request_headers: Vec<(String, String)>,
    /// Whose certificates are believed.
    #[serde(default)]
    pub roots: String,
    /// Which address families are asked, in order.
    pub address_family: String,
    /// The fixture internet asked instead of the real one, as named on the command line.
    pub world: Option<String>,
    /// How much of what was seen is kept as evidence; a manifest that does not say so is of a version
    /// that kept none.
    #[serde(default = "no_evidence", deserialize_with = "kept")]
    pub evidence: Kept,
    /// The opt-out list, where there was one.
    #[serde(default)]
    pub exclusions: Option<Excluded>,
    /// The archives that were read instead of asking anybody.
    #[serde(default)]
    pub source: Option<Source>,
    /// The attempts that closed.
    pub attempts: Vec<AttemptCounts>,
    /// Digests of the result files.
    #[serde(deserialize_with = "digests")]
    pub files: BTreeMap<String, Digest>,
    /// One figure for all result files, where the run is complete.
    #[serde(default, deserialize_with = "optional_digest")]
    pub results_sha256: Option<Digest>,
    /// What differs between two runs of the same thing.
    pub occasion: Occasion,
}

/// The measuring instrument, as a manifest says it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RecordedInstrument {
    /// The method it implements.
    pub method: String,
    /// The version of the program.
    pub version: String,
    /// Name of the pattern library.
    pub library: String,
    /// `draft` or `frozen`.
    pub library_status: String,
    /// Digest of the pattern library.
    #[serde(deserialize_with = "digest")]
    pub library_sha256: Digest,
    /// The limits in force, by name.
    pub limits: BTreeMap<String, u64>,
}

/// The sample, as a manifest says it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RecordedSample {
    /// Its name.
    pub name: String,
    /// Its domains.
    pub n: u64,
    /// The digest of its file's octets.
    #[serde(deserialize_with = "digest")]
    pub sha256: Digest,
}

impl Recorded {
    /// Reads a manifest.
    pub fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        const HINT: &str = "a manifest is written by scanner run alone";
        let refused = |error: serde_json::Error| {
            Refusal::of(file, format!("not a manifest: {error}"), HINT).at(error.line() as u64)
        };
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        let head: Head = serde_json::from_str(text).map_err(refused)?;
        if head.format != FORMAT {
            let message = format!("its format is {:?}, and {FORMAT:?} is read here", head.format);
            return Err(Refusal::of(file, message, HINT));
        }
        serde_json::from_str(text).map_err(refused)
    }
}

/// Reads a status by its word.
fn status<'de, D: Deserializer<'de>>(from: D) -> Result<Status, D::Error> {
    let word = String::deserialize(from)?;
    Status::from_word(&word).ok_or_else(|| de::Error::custom(format!("no status is {word:?}")))
}

/// Reads how much is kept by its word.
fn kept<'de, D: Deserializer<'de>>(from: D) -> Result<Kept, D::Error> {
    let word = String::deserialize(from)?;
    Kept::from_word(&word).ok_or_else(|| de::Error::custom(format!("nothing is kept by {word:?}")))
}

/// What a version kept that did not say so.
fn no_evidence() -> Kept {
    Kept::None
}

/// Reads a digest of 64 hex digits.
fn digest<'de, D: Deserializer<'de>>(from: D) -> Result<Digest, D::Error> {
    of_hex(&String::deserialize(from)?)
}

/// Reads a digest, where there is one.
fn optional_digest<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Digest>, D::Error> {
    Option::<String>::deserialize(from)?.as_deref().map(of_hex).transpose()
}

/// Reads digests by name.
fn digests<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Digest>, D::Error> {
    let named = BTreeMap::<String, String>::deserialize(from)?;
    named.into_iter().map(|(name, hex)| Ok((name, of_hex(&hex)?))).collect()
}

/// The digest that hex digits write.
fn of_hex<E: de::Error>(hex: &str) -> Result<Digest, E> {
    Digest::from_hex(hex).ok_or_else(|| E::custom(format!("no SHA-256 is {hex:?}")))
}

#[cfg(test)]
mod tests {
    use super::Recorded;
    use crate::digest::Digest;
    use crate::limits::Limits;
    use crate::manifest::{AttemptCounts, Instrument, Manifest, Occasion, Request, Status};
    use crate::observation::Kept;
    use crate::sample::Sample;

    /// A manifest's text.
    fn written(status: Status) -> String {
        let sample = Sample::parse("s.csv", b"domain\na.test\n", None).expect("a sample");
        let instrument = Instrument {
            method: "C01".to_owned(),
            library: "l".to_owned(),
            library_status: "draft".to_owned(),
            library_sha256: Digest::of(b"library"),
            limits: Limits::METHOD,
        };
        let request = Request {
            seed: u64::MAX,
            user_agent: "our-study/2".to_owned(),
            contact: None,
            headers: vec![("accept".to_owned(), "*/*".to_owned())],
            roots: "nobody".to_owned(),
            address_family: "ipv4",
            world: None,
            exclusions: None,
            source: None,
            evidence: Kept::Policy,
        };
        let manifest = Manifest {
            status,
            marks: vec!["modified: x".to_owned()],
            instrument: &instrument,
            sample: &sample,
            request: &request,
            attempts: vec![AttemptCounts::new(1, Digest::of(b"seed"))],
            files: [("attempt-1.csv".to_owned(), Digest::of(b"rows"))].into(),
            occasion: Occasion { concurrency: 3, ..Occasion::default() },
        };
        manifest.to_json()
    }

    #[test]
    fn a_manifest_reads_back_as_it_was_written() {
        let recorded = Recorded::parse("manifest.json", &written(Status::Complete)).expect("good");
        assert_eq!((recorded.status, recorded.seed), (Status::Complete, u64::MAX));
        assert_eq!(recorded.instrument.library_sha256, Digest::of(b"library"));
        assert_eq!(recorded.instrument.limits["attempts"], 3);
        assert_eq!((recorded.sample.n, recorded.evidence), (1, Kept::Policy));
        assert_eq!(recorded.files["attempt-1.csv"], Digest::of(b"rows"));
        assert_eq!((recorded.attempts[0].attempt, recorded.occasion.concurrency), (1, 3));
        let lines = format!("{}  attempt-1.csv\n", Digest::of(b"rows"));
        assert_eq!(recorded.results_sha256, Some(Digest::of(lines.as_bytes())));
        let running = Recorded::parse("manifest.json", &written(Status::Running)).expect("good");
        assert_eq!(running.results_sha256, None);
    }

    #[test]
    fn what_is_no_manifest_is_refused_with_its_line() {
        let good = written(Status::Running);
        for (text, expected) in [
            (String::new(), "m.json:1: not a manifest: EOF"),
            (good.replace("scanner run 1", "scanner run 9"), "m.json: its format is"),
            (good.replace("running", "walking"), "no status is \"walking\""),
            (good.replace(&Digest::of(b"rows").to_string(), "12"), "no SHA-256 is \"12\""),
            (good.replace("\"seed\": 18446744073709551615", "\"seed\": -1"), "invalid value"),
        ] {
            let refusal = Recorded::parse("m.json", &text).expect_err(expected).to_string();
            assert!(refusal.contains(expected), "{expected}: {refusal}");
        }
    }
}

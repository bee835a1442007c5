//! Observation → classification: a pure function of the facts and the frozen library.
//!
//! Nothing here fetches; nothing that fetches judges. Each layer has its own file: `access`
//! (policy against infrastructure), `policy` (crawlers, paths, classes), `homepage` (directives and
//! signals), `guidance` (llms.txt) and `review` (what a person should look at).

mod access;
mod adapt;
mod guidance;
mod homepage;
mod policy;
mod review;

pub use access::{Access, FailureMode, Infrastructure, InfrastructureOutcome, PolicyState};
pub use homepage::{Homepage, PageState};
pub use policy::{AccessClass, CrawlerVerdict, GroupVerdict, JudgedPath, PathVerdicts, Policy};
pub use review::{Review, ReviewKind};

use crate::digest::Digest;
use crate::library::Library;
use crate::limits::ROBOTS_OCTETS;
use crate::llms::Guidance;
use crate::observation::Observation;
use crate::robots::{Dialect, Readings, Robots};

/// All that one observation means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classification {
    /// Where the domain stands in the access layer.
    pub access: Access,
    /// Whether robots.txt was answered with a bot-challenge page, whatever the status.
    pub is_challenge: bool,
    /// What the document is, where one was read.
    pub document: Option<Document>,
    /// What the policy means; present exactly where one was observed.
    pub policy: Option<Policy>,
    /// The domain's class as other dialects of robots.txt give it.
    pub other_dialects: OtherDialects,
    /// What the homepage says.
    pub homepage: Homepage,
    /// What llms.txt is.
    pub guidance: Guidance,
    /// Whether the exchange for robots.txt ended at another site.
    pub is_off_site: bool,
    /// What a person should look at before publication.
    pub review: Vec<Review>,
}

/// The access class of a domain in the dialects beside `c01`, where a policy was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherDialects {
    /// As google/robotstxt reads the file.
    pub google: Option<AccessClass>,
    /// As RFC 9309 reads it, without leniency.
    pub strict: Option<AccessClass>,
}

/// A robots.txt that was read, as a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Octets read, up to the limit and before the cut back to the last whole line.
    pub octets: u64,
    /// Digest of these octets.
    pub digest: Digest,
    /// Whether the document was longer than the limit.
    pub truncated: bool,
    /// How many issues the engine reports.
    pub issues: u64,
}

/// Judges one observation.
pub fn classify(observation: &Observation, library: &Library) -> Classification {
    let access = access::access(observation, library);
    let answer = observation.robots.answer();
    let is_challenge = answer.is_some_and(|answer| access::is_challenge(answer, library));
    let octets = governing_octets(observation, &access);
    let readings = octets.map(Readings::new);
    let document = match (octets, &readings, &access) {
        (Some(octets), Some(read), Access::Policy(PolicyState::File | PolicyState::Empty)) => {
            Some(describe(read.of(Dialect::C01), octets))
        }
        _ => None,
    };
    let mut paths = PathVerdicts::new(library);
    let mut policy_in = |dialect: Dialect| {
        readings.as_ref().map(|read| Policy::of(read.of(dialect), library, &mut paths))
    };
    let policy = policy_in(Dialect::C01);
    let other_dialects = OtherDialects {
        google: policy_in(Dialect::Google).map(|policy| policy.class()),
        strict: policy_in(Dialect::Strict).map(|policy| policy.class()),
    };
    let homepage = homepage::read(observation, document.is_some(), library);
    let guidance = guidance::read(observation, library);
    let mut classification = Classification {
        access,
        is_challenge,
        document,
        policy,
        other_dialects,
        homepage,
        guidance,
        is_off_site: review::is_off_site(&observation.robots),
        review: Vec::new(),
    };
    classification.review = review::of(observation, &classification);
    classification
}

/// The octets of the document that governs: none where no policy was observed, an empty document
/// where the site has no robots file.
fn governing_octets<'a>(observation: &'a Observation, access: &Access) -> Option<&'a [u8]> {
    match access {
        Access::Policy(PolicyState::File | PolicyState::Empty) => {
            observation.robots.answer().map(|answer| &*answer.body)
        }
        Access::Policy(PolicyState::Absent | PolicyState::Soft404) => Some(b""),
        Access::Infrastructure(_) | Access::NotCaptured | Access::Excluded => None,
    }
}

/// What a document is, whatever it says.
fn describe(robots: &Robots, body: &[u8]) -> Document {
    let read = &body[..body.len().min(ROBOTS_OCTETS)];
    Document {
        octets: read.len() as u64,
        digest: Digest::of(read),
        truncated: robots.truncated(),
        issues: robots.issues().len() as u64,
    }
}

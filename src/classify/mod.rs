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
pub use policy::{AccessClass, CrawlerVerdict, GroupVerdict, JudgedPath, Policy};
pub use review::{Review, ReviewKind};

use crate::digest::Digest;
use crate::library::Library;
use crate::limits::ROBOTS_OCTETS;
use crate::llms::Guidance;
use crate::observation::Observation;
use crate::robots::{self, Robots};

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
    /// What the homepage says.
    pub homepage: Homepage,
    /// What llms.txt is.
    pub guidance: Guidance,
    /// Whether the exchange for robots.txt ended at another site.
    pub is_off_site: bool,
    /// What a person should look at before publication.
    pub review: Vec<Review>,
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
    let robots = governing_document(observation, &access);
    let document = match (&robots, &access) {
        (Some(robots), Access::Policy(PolicyState::File | PolicyState::Empty)) => {
            answer.map(|answer| describe(robots, &answer.body))
        }
        _ => None,
    };
    let policy = robots.as_ref().map(|robots| Policy::of(robots, library));
    let homepage = homepage::read(observation, document.is_some(), library);
    let guidance = guidance::read(observation, library);
    let mut classification = Classification {
        access,
        is_challenge,
        document,
        policy,
        homepage,
        guidance,
        is_off_site: review::is_off_site(&observation.robots),
        review: Vec::new(),
    };
    classification.review = review::of(observation, &classification);
    classification
}

/// The document that governs: none where no policy was observed, an empty one where the site has
/// no robots file.
fn governing_document(observation: &Observation, access: &Access) -> Option<Robots> {
    match access {
        Access::Policy(PolicyState::File | PolicyState::Empty) => {
            observation.robots.answer().map(|answer| robots::parse(&answer.body))
        }
        Access::Policy(PolicyState::Absent | PolicyState::Soft404) => Some(robots::parse(b"")),
        Access::Infrastructure(_) | Access::NotCaptured => None,
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

//! What a run keeps of its observations, as records of a standard archive, and how they come back.
//!
//! The evidence of one domain in one attempt is a run of records, begun anew by each domain: its
//! requests and responses in the order of asking, redirects included, and a `metadata` record for
//! what ended otherwise. Three fields of ours say whose each record is: `Scanner-Domain`,
//! `Scanner-Attempt` and `Scanner-Request`; any other reader may pass over them.
//!
//! A response is written down from what the HTTP client handed over: names of fields in lower case,
//! no reason phrase, no transfer coding (its field is `x-crawl-transfer-encoding` then), the content
//! coding as it came. Of an answer that redirects the body is not read, which `WARC-Truncated` says,
//! as it does of a body that was cut at its limit. A body that repeats an earlier one of the same
//! domain and attempt is a `revisit`: evidence is read domain by domain, and may be cut back to any
//! of them, so that no record may lean on another domain's.

mod index;
mod keep;
mod recall;

pub use index::{Block, Evidence};
pub use keep::{Circumstance, Keeper, Origin, Warcinfo};
pub use recall::{Recalled, recall};

/// The name of a run's evidence.
pub const FILE: &str = "evidence.warc.gz";

/// Whose a record is.
const DOMAIN: &str = "Scanner-Domain";
/// The attempt in which it was observed.
const ATTEMPT: &str = "Scanner-Attempt";
/// The step that it belongs to.
const REQUEST: &str = "Scanner-Request";

/// How an exchange ended that has no answer, as its `metadata` record says it.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Ending {
    /// No usable answer.
    Failed {
        /// The mode's word.
        mode: String,
        /// The operation's word.
        operation: String,
        /// The finer cause.
        cause: String,
        /// Whether an octet of an HTTP answer had arrived.
        answered: bool,
    },
    /// It was not asked.
    NotAttempted,
    /// It was not asked, since the site told us not to.
    SelfDisallowed,
    /// It was not asked, since the opt-out list names the host or its network.
    Excluded,
    /// The archive holds no answer.
    NotCaptured,
}

#[cfg(test)]
mod tests;

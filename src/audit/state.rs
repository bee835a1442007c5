//! What an answer to the request for robots.txt is treated as.
//!
//! The audit advises a site's owner, so that a refusal or a fault is something to mend here, where
//! the study would only count it. RFC 9309, 2.3.1 reads a refusal as open and a fault as closed.

use crate::closed_list;
use crate::library::Signals;
use crate::observation::{Answer, Exchange, Outcome, TransportMode};
use crate::page;
use crate::robots::{self, Target};

closed_list! {
    /// What the answer is treated as.
    pub enum RobotsState {
        /// A 2xx with a body: the file.
        File = "file",
        /// 404 or 410: there is no file, and all is allowed.
        Missing = "robots_missing",
        /// 401, 403 or another 4xx: a refusal.
        Refused = "robots_refused",
        /// 429 or 5xx: unreachable, all is disallowed.
        Unreachable = "robots_unreachable",
        /// No answer.
        Failed = "fetch_failed",
        /// Redirects that do not arrive.
        TooManyRedirects = "too_many_redirects",
        /// A 2xx without a body.
        Empty = "empty_response",
        /// A 2xx that is a page to keep robots out.
        Challenge = "challenge",
    }
}

impl RobotsState {
    /// What an exchange is treated as.
    pub fn of(exchange: &Exchange, signals: &Signals) -> Self {
        match &exchange.outcome {
            Outcome::Answered(answer) => Self::of_answer(answer, signals),
            Outcome::Failed(failure) if failure.mode == TransportMode::RedirectLoop => {
                Self::TooManyRedirects
            }
            _ => Self::Failed,
        }
    }

    /// What an answer is treated as.
    fn of_answer(answer: &Answer, signals: &Signals) -> Self {
        match answer.status {
            200..=299 if is_challenge(answer, signals) => Self::Challenge,
            200..=299 if answer.body.is_empty() => Self::Empty,
            200..=299 => Self::File,
            404 | 410 => Self::Missing,
            429 | 500.. => Self::Unreachable,
            400..=499 => Self::Refused,
            // A redirect that leads nowhere, or a status that no final answer has.
            _ => Self::Failed,
        }
    }

    /// Whether the body is parsed.
    pub fn is_parsed(self) -> bool {
        matches!(self, Self::File | Self::Unreachable)
    }

    /// Whether what was parsed is what crawlers go by.
    pub fn is_in_force(self) -> bool {
        matches!(self, Self::File | Self::Missing)
    }

    /// Whether the page may be asked for, if the rules allow it.
    pub fn lets_ask(self) -> bool {
        matches!(self, Self::File | Self::Missing)
    }

    /// Whether the audit failed for want of a document.
    pub fn is_error(self) -> bool {
        !matches!(self, Self::File | Self::Missing | Self::Unreachable)
    }
}

/// Whether an answer is a page to keep robots out.
pub(super) fn is_challenge(answer: &Answer, signals: &Signals) -> bool {
    let fields = super::subject::pairs(&answer.fields);
    let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    page::challenge(signals, &fields, &answer.body).is_some()
}

/// Whether a robots.txt lets a product token ask for a URL of its origin.
pub fn permits(octets: &[u8], token: &str, url: &str) -> bool {
    robots::parse(octets).governing(token).decide(&Target::new(url.as_bytes())).allowed
}

#[cfg(test)]
mod tests {
    use super::RobotsState;
    use crate::library::Library;
    use crate::observation::{Answer, Exchange, Failure, Operation, Outcome, TransportMode};

    fn answered(status: u16, body: &[u8]) -> Outcome {
        let body = body.to_vec();
        let raw_body = body.clone();
        Outcome::Answered(Answer { status, fields: Vec::new(), raw_body, body, truncated: false })
    }

    fn failed(mode: TransportMode) -> Outcome {
        let (operation, cause) = (Operation::Request, "x".to_owned());
        Outcome::Failed(Failure { mode, operation, cause, answered: false })
    }

    #[test]
    fn each_answer_is_treated_as_the_table_says() {
        let signals = Library::embedded().unwrap().signals;
        let challenge = b"<title>Just a moment...</title><form id='challenge-form'>";
        for (outcome, state, is_parsed, lets_ask, is_error) in [
            (answered(200, b"User-agent: *"), RobotsState::File, true, true, false),
            (answered(206, b"x"), RobotsState::File, true, true, false),
            (answered(404, b"x"), RobotsState::Missing, false, true, false),
            (answered(410, b""), RobotsState::Missing, false, true, false),
            (answered(401, b"x"), RobotsState::Refused, false, false, true),
            (answered(403, b"x"), RobotsState::Refused, false, false, true),
            (answered(451, b"x"), RobotsState::Refused, false, false, true),
            (answered(429, b"x"), RobotsState::Unreachable, true, false, false),
            (answered(503, b"x"), RobotsState::Unreachable, true, false, false),
            (answered(200, b""), RobotsState::Empty, false, false, true),
            (answered(200, challenge), RobotsState::Challenge, false, false, true),
            (answered(304, b""), RobotsState::Failed, false, false, true),
            (failed(TransportMode::Reset), RobotsState::Failed, false, false, true),
            (
                failed(TransportMode::RedirectLoop),
                RobotsState::TooManyRedirects,
                false,
                false,
                true,
            ),
        ] {
            let exchange = Exchange::unasked("https://a.test/robots.txt".to_owned(), outcome);
            let found = RobotsState::of(&exchange, &signals);
            assert_eq!(found, state, "{:?}", exchange.outcome);
            let facts = (found.is_parsed(), found.lets_ask(), found.is_error());
            assert_eq!(facts, (is_parsed, lets_ask, is_error), "{state}");
        }
    }
}

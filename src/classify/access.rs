//! The access layer: two layers, never mixed.
//!
//! Policy and infrastructure are two types, so that a rate cannot be computed over the wrong
//! denominator. RFC 9309, 2.3.1 reads a refusal as open and a server error as closed; C01 calls
//! neither a policy.

use crate::closed_list;
use crate::control::{self, Likeness};
use crate::html::{looks_like_html, without_mark};
use crate::library::Library;
use crate::observation::{
    Answer, Exchange, Failure, Observation, Operation, Outcome, TransportMode,
};
use crate::page;

use super::adapt::{self, Fields};

closed_list! {
    /// Why no policy was read: the method's closed list and its declared overflow.
    pub enum FailureMode {
        /// The name has no usable address, or its servers do not say.
        Dns = "dns",
        /// No TCP connection.
        Connect = "connect",
        /// Silence past a deadline.
        Timeout = "timeout",
        /// The peer broke off.
        Reset = "reset",
        /// The TLS handshake failed.
        Tls = "tls",
        /// Redirects that do not arrive.
        RedirectLoop = "redirect_loop",
        /// Status 401.
        Http401 = "http_401",
        /// Status 403.
        Http403 = "http_403",
        /// Status 429.
        Http429 = "http_429",
        /// Overflow: any other 4xx but 404 and 410.
        Http4xx = "http_4xx",
        /// Status 5xx.
        Http5xx = "http_5xx",
        /// Overflow: a 2xx answer that is a bot-challenge page.
        Challenge = "challenge",
        /// Overflow: a 2xx HTML page that is not the site's answer to everything.
        NotRobots = "not_robots",
        /// Overflow: an answer that is not HTTP, or cannot be decoded.
        Protocol = "protocol",
        /// Overflow: anything else; a count above zero is shown loudly.
        Other = "other",
    }
}

closed_list! {
    /// What a domain on the policy layer answered for robots.txt.
    pub enum PolicyState {
        /// A document.
        File = "file",
        /// A document without any text.
        Empty = "empty",
        /// 404 or 410: no robots file, open by default.
        Absent = "absent",
        /// The page that the site gives for every path: treated as absent.
        Soft404 = "soft_404",
    }
}

closed_list! {
    /// The two infrastructure outcomes.
    pub enum InfrastructureOutcome {
        /// The site answered and refused.
        AccessDenied = "access_denied",
        /// No policy could be read.
        Unscannable = "unscannable",
    }
}

/// Where a domain stands in the access layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// A policy was observed.
    Policy(PolicyState),
    /// None was, and why.
    Infrastructure(Infrastructure),
    /// The archive holds no capture: outside every denominator.
    NotCaptured,
    /// The opt-out list names the host or its network: outside every denominator.
    Excluded,
}

/// Why no policy was observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Infrastructure {
    /// The mode, from the closed list.
    pub mode: FailureMode,
    /// What was being done, for a failure of the transport.
    pub operation: Option<Operation>,
    /// A finer cause.
    pub cause: String,
    /// Whether an archive's lack of a control leaves the HTML answer undecided.
    pub undecided: bool,
}

/// Judges the robots.txt exchange, with the control's help where the answer is HTML.
pub(super) fn access(observation: &Observation, library: &Library) -> Access {
    match &observation.robots.outcome {
        Outcome::Answered(answer) => answered(observation, answer, library),
        Outcome::Failed(failure) => Access::Infrastructure(transport(failure)),
        Outcome::NotCaptured => Access::NotCaptured,
        Outcome::Excluded => Access::Excluded,
        // The first request of a domain is always made: these two arise only when a domain's time
        // was used up before it began.
        Outcome::NotAttempted | Outcome::SelfDisallowed => {
            Access::Infrastructure(infrastructure(FailureMode::Timeout, "not_attempted"))
        }
    }
}

/// Judges a status and, where it is 2xx, the body.
fn answered(observation: &Observation, answer: &Answer, library: &Library) -> Access {
    let status = answer.status;
    let mode = match status {
        200..=299 => return body(observation, answer, library),
        404 | 410 => return Access::Policy(PolicyState::Absent),
        401 => FailureMode::Http401,
        403 => FailureMode::Http403,
        429 => FailureMode::Http429,
        400..=499 => FailureMode::Http4xx,
        500..=599 => FailureMode::Http5xx,
        _ => FailureMode::Other,
    };
    Access::Infrastructure(infrastructure(mode, &format!("status_{status}")))
}

/// Judges the body of a 2xx answer: by its octets, never by its content-type.
fn body(observation: &Observation, answer: &Answer, library: &Library) -> Access {
    if is_challenge(answer, library) {
        return Access::Infrastructure(infrastructure(FailureMode::Challenge, "challenge_page"));
    }
    if !looks_like_html(&answer.body) {
        let blank = without_mark(&answer.body).iter().all(u8::is_ascii_whitespace);
        return Access::Policy(if blank { PolicyState::Empty } else { PolicyState::File });
    }
    match &observation.control.outcome {
        Outcome::NotCaptured => {
            let undecided = infrastructure(FailureMode::NotRobots, "html_without_control");
            Access::Infrastructure(Infrastructure { undecided: true, ..undecided })
        }
        control => match soft_404(&observation.robots, &observation.control, library) {
            Some(_) => Access::Policy(PolicyState::Soft404),
            None => {
                let is_answered = matches!(control, Outcome::Answered(_));
                let cause = if is_answered { "html" } else { "html_control_unanswered" };
                Access::Infrastructure(infrastructure(FailureMode::NotRobots, cause))
            }
        },
    }
}

/// How an answer resembles the control's, if the control answered 200 at all.
fn soft_404(exchange: &Exchange, control: &Exchange, library: &Library) -> Option<Likeness> {
    let control = adapt::page(control)?;
    let other = adapt::page(exchange)?;
    control::likeness(&library.guidance, &control, &other)
}

/// Whether an answer is a bot-challenge page, whatever its status.
pub(super) fn is_challenge(answer: &Answer, library: &Library) -> bool {
    let fields = Fields::of(answer);
    page::challenge(&library.signals, &fields.pairs(), &answer.body).is_some()
}

/// A failure of the transport under the name of its mode.
fn transport(failure: &Failure) -> Infrastructure {
    let mode = match failure.mode {
        TransportMode::Dns => FailureMode::Dns,
        TransportMode::Connect => FailureMode::Connect,
        TransportMode::Timeout => FailureMode::Timeout,
        TransportMode::Reset => FailureMode::Reset,
        TransportMode::Tls => FailureMode::Tls,
        TransportMode::RedirectLoop => FailureMode::RedirectLoop,
        TransportMode::Protocol => FailureMode::Protocol,
        TransportMode::Other => FailureMode::Other,
    };
    Infrastructure { operation: Some(failure.operation), ..infrastructure(mode, &failure.cause) }
}

/// A failure that a status or a body names.
fn infrastructure(mode: FailureMode, cause: &str) -> Infrastructure {
    Infrastructure { mode, operation: None, cause: cause.to_owned(), undecided: false }
}

impl Infrastructure {
    /// Whether the site refused, or could not be scanned.
    pub fn outcome(&self) -> InfrastructureOutcome {
        match self.mode {
            FailureMode::Http401
            | FailureMode::Http403
            | FailureMode::Http429
            | FailureMode::Http4xx
            | FailureMode::Challenge => InfrastructureOutcome::AccessDenied,
            FailureMode::Dns
            | FailureMode::Connect
            | FailureMode::Timeout
            | FailureMode::Reset
            | FailureMode::Tls
            | FailureMode::RedirectLoop
            | FailureMode::Http5xx
            | FailureMode::NotRobots
            | FailureMode::Protocol
            | FailureMode::Other => InfrastructureOutcome::Unscannable,
        }
    }
}

//! What the homepage says: robots directives, CMS and CDN signals.
//!
//! Secondary signals: they never change the access layer, and robots.txt is primary.

use crate::closed_list;
use crate::library::Library;
use crate::observation::{Answer, Observation, Outcome};
use crate::page;

use super::access;
use super::adapt::Fields;

closed_list! {
    /// How the homepage was observed.
    pub enum PageState {
        /// A 2xx answer that is not a challenge.
        Observed = "observed",
        /// Another status, or a challenge page.
        Refused = "refused",
        /// No usable answer.
        Failed = "failed",
        /// Not asked, since the host had failed or its time was used up.
        NotAttempted = "not_attempted",
        /// Not asked, since robots.txt names our token and disallows it.
        SelfDisallowed = "self_disallowed",
        /// The archive has no capture.
        NotCaptured = "not_captured",
        /// Not asked, since the opt-out list names the host or its network.
        Excluded = "excluded",
    }
}

/// The homepage, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Homepage {
    /// How it was observed.
    pub state: PageState,
    /// The status it answered with.
    pub status: Option<u16>,
    /// The directives in force for everyone and for named crawlers, in a stable short form.
    pub directives: String,
    /// Its fields that say what machines may use it for, as `name: value`.
    pub usage: Vec<String>,
    /// Content management systems that show.
    pub cms: Vec<String>,
    /// Delivery networks that show.
    pub cdn: Vec<String>,
}

/// Reads the homepage, and a robots.txt that was read as a policy for the signals that show there.
pub(super) fn read(observation: &Observation, reads_robots: bool, library: &Library) -> Homepage {
    let answer = observation.homepage.answer();
    let state = match &observation.homepage.outcome {
        Outcome::Answered(answer) => answered(answer, library),
        Outcome::Failed(_) => PageState::Failed,
        Outcome::NotAttempted => PageState::NotAttempted,
        Outcome::SelfDisallowed => PageState::SelfDisallowed,
        Outcome::NotCaptured => PageState::NotCaptured,
        Outcome::Excluded => PageState::Excluded,
    };
    let mut homepage = Homepage {
        state,
        status: answer.map(|answer| answer.status),
        directives: String::new(),
        usage: Vec::new(),
        cms: Vec::new(),
        cdn: Vec::new(),
    };
    if let Some(answer) = answer {
        // A refusal is not the page, but it often shows whose network refused.
        let fields = Fields::of(answer);
        let robots = observation.robots.answer().filter(|_| reads_robots);
        let robots = robots.map(|answer| &*answer.body).unwrap_or_default();
        let detected = page::signals(&library.signals, &fields.pairs(), &answer.body, robots);
        if state == PageState::Observed {
            homepage.directives = directives(&fields, answer, library);
            homepage.usage = page::usage(&fields.pairs());
        }
        homepage.cms = detected.cms;
        homepage.cdn = detected.cdn;
    }
    homepage
}

/// The directives in force: those for everyone first, then those for crawlers of the list.
fn directives(fields: &Fields<'_>, answer: &Answer, library: &Library) -> String {
    let agents: Vec<&str> = library.crawlers.iter().map(|crawler| crawler.token.as_str()).collect();
    let directives = page::directives(&fields.pairs(), &answer.body, &agents);
    let everyone = page::effective(&directives, None);
    let named = agents.iter().filter_map(|agent| {
        let effective = page::effective(&directives, Some(agent));
        (effective != everyone).then(|| format!("{agent}: {effective}"))
    });
    let lists = std::iter::once(everyone.clone()).filter(|list| !list.is_empty()).chain(named);
    lists.collect::<Vec<_>>().join("; ")
}

/// Whether an answer is the page itself.
fn answered(answer: &Answer, library: &Library) -> PageState {
    let is_page = matches!(answer.status, 200..=299) && !access::is_challenge(answer, library);
    if is_page { PageState::Observed } else { PageState::Refused }
}

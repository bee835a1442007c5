//! What the page says of itself: robots metas and X-Robots-Tag fields, what they come to for each
//! whom they address, and where they contradict each other.

use std::collections::BTreeSet;

use crate::page::{Directive, DirectiveSource, directives, effective};

use super::context::Knowledge;
use super::state::is_challenge;
use super::subject::{Probe, Subject, pairs};

/// A directive, as it was read.
pub type PageDirective = Directive;

/// What was read of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageReading {
    /// Whether a whole page was read, so that no directive means none.
    pub was_read: bool,
    /// Whether more was answered than is read.
    pub is_truncated: bool,
    /// Whether a page that keeps robots out was answered.
    pub is_challenge: bool,
    /// Every directive: the page's metas first, then the header's fields.
    pub directives: Vec<PageDirective>,
    /// What they come to: for everybody first, then for each agent that is addressed, by name.
    pub effective: Vec<Effective>,
    /// Pairs that contradict each other, such as `index` and `noindex`.
    pub conflicts: Vec<(PageDirective, PageDirective)>,
}

/// What directives come to for somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effective {
    /// For whom; none for everybody.
    pub agent: Option<String>,
    /// Whether the page may be indexed.
    pub is_indexable: bool,
    /// Whether its links may be followed.
    pub is_followable: bool,
    /// Every restriction, in a short form.
    pub restrictions: String,
    /// Directives of metas that address them.
    pub from_meta: usize,
    /// Directives of fields that address them.
    pub from_header: usize,
}

/// Directives that say the opposite of each other.
const OPPOSITES: [(&str, &str); 4] =
    [("index", "noindex"), ("follow", "nofollow"), ("all", "none"), ("archive", "noarchive")];

impl PageReading {
    /// Reads the page: only a whole answer of 2xx that is not there to keep robots out.
    pub(super) fn of(subject: &Subject, knowledge: Knowledge) -> Self {
        let mut reading = Self::default();
        let Probe::Asked(exchange) = &subject.page else { return reading };
        let Some(answer) = exchange.answer() else { return reading };
        reading.is_truncated = answer.truncated;
        reading.is_challenge = is_challenge(answer, knowledge.signals);
        if reading.is_challenge || subject.page.whole_answer().is_none() {
            return reading;
        }
        let fields = pairs(&answer.fields);
        let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        let crawlers = knowledge.registry.map_or(&[][..], |registry| &registry.crawlers);
        let agents: Vec<&str> = crawlers.iter().map(|crawler| crawler.token.as_str()).collect();
        reading.was_read = true;
        reading.directives = directives(&fields, &answer.body, &agents);
        reading.effective = effects(&reading.directives);
        reading.conflicts = conflicts(&reading.directives);
        reading
    }

    /// What the directives come to for everybody.
    pub fn for_all(&self) -> Option<&Effective> {
        self.effective.first()
    }
}

/// What directives come to for everybody, and for each agent that is addressed.
fn effects(directives: &[Directive]) -> Vec<Effective> {
    let named: BTreeSet<&str> = directives.iter().filter_map(|it| it.agent.as_deref()).collect();
    let agents = std::iter::once(None).chain(named.into_iter().map(Some));
    agents
        .map(|agent| {
            let restrictions = effective(directives, agent);
            let has = |word: &str| restrictions.split(',').any(|part| part == word);
            let count = |source: DirectiveSource| {
                let addressed = directives.iter().filter(|directive| {
                    directive.source == source
                        && directive.agent.as_deref().is_none_or(|theirs| agent == Some(theirs))
                });
                addressed.count()
            };
            Effective {
                agent: agent.map(str::to_owned),
                is_indexable: !has("noindex"),
                is_followable: !has("nofollow"),
                from_meta: count(DirectiveSource::Meta),
                from_header: count(DirectiveSource::Header),
                restrictions,
            }
        })
        .collect()
}

/// Pairs that say the opposite to the same agent.
fn conflicts(directives: &[Directive]) -> Vec<(Directive, Directive)> {
    let mut conflicts = Vec::new();
    for (place, one) in directives.iter().enumerate() {
        for other in &directives[place + 1..] {
            let are_opposite = OPPOSITES.iter().any(|(yes, no)| {
                (one.value == *yes && other.value == *no)
                    || (one.value == *no && other.value == *yes)
            });
            if are_opposite && one.agent == other.agent {
                conflicts.push((one.clone(), other.clone()));
            }
        }
    }
    conflicts
}

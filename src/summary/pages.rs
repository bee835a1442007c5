//! What homepages say and show: robots directives, CMS and delivery networks by access class.
//!
//! Secondary signals: no rate of the access layer depends on them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::ClassCounts;
use crate::classify::PageState;
use crate::page;
use crate::record::{DomainRow, Layer, List};
use crate::stats::Rate;
use crate::words::Word as _;

/// Homepages in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// Domains by how their homepage was observed.
    pub states: BTreeMap<String, u64>,
    /// Of the observed homepages: say a robots directive for everyone or for a crawler of the list.
    pub with_directive: Rate,
    /// Of the observed homepages: say one that is for named crawlers of the list.
    pub for_named_crawlers: Rate,
    /// Of the observed homepages: say this to everyone, by directive.
    pub directives: BTreeMap<String, Rate>,
    /// Of the observed homepages: send this field on what machines may use them for, by field.
    pub usage_fields: BTreeMap<String, Rate>,
    /// Domains whose homepage gave any answer, so that signals could show.
    pub answered: u64,
    /// Content management systems, the commonest first.
    pub cms: Vec<Signal>,
    /// Delivery networks and hosts, the commonest first.
    pub cdn: Vec<Signal>,
}

/// The domains that show one system; a domain may show several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// Its name; none for the domains that answered and show none.
    pub name: Option<String>,
    /// Domains that show it.
    pub domains: u64,
    /// Those of them with an observed policy, by access class.
    pub classes: ClassCounts,
    /// Of those with an observed policy: blocked.
    pub blocked: Rate,
    /// Those of them that denied access to robots.txt.
    pub access_denied: u64,
    /// Those of them that were unscannable.
    pub unscannable: u64,
}

/// Counts while domains stream by.
#[derive(Default)]
pub(super) struct PageCounter {
    states: BTreeMap<String, u64>,
    observed: u64,
    with_directive: u64,
    for_named: u64,
    directives: BTreeMap<String, u64>,
    usage_fields: BTreeMap<String, u64>,
    answered: u64,
    cms: BTreeMap<Option<String>, Signal>,
    cdn: BTreeMap<Option<String>, Signal>,
}

impl PageCounter {
    /// Counts a row.
    pub(super) fn count(&mut self, row: &DomainRow) {
        if row.layer == Layer::Outside {
            return;
        }
        *self.states.entry(row.page_state.word().to_owned()).or_default() += 1;
        if row.page_state == PageState::Observed {
            self.directives(&row.page_directives);
            self.usage(&row.page_usage);
        }
        if row.page_status.is_some() {
            self.answered += 1;
            count_signals(&mut self.cms, &row.cms, row);
            count_signals(&mut self.cdn, &row.cdn, row);
        }
    }

    /// Counts the directives of an observed homepage: those for everyone stand first, then those
    /// of each crawler for which another list holds.
    fn directives(&mut self, said: &str) {
        self.observed += 1;
        self.with_directive += u64::from(!said.is_empty());
        let mut is_for_named = false;
        for list in said.split("; ").filter(|list| !list.is_empty()) {
            if list.contains(": ") {
                is_for_named = true;
                continue;
            }
            for name in list.split(',').filter_map(page::directive_name) {
                *self.directives.entry(name.to_owned()).or_default() += 1;
            }
        }
        self.for_named += u64::from(is_for_named);
    }

    /// Counts the usage fields of an observed homepage, each name once.
    fn usage(&mut self, sent: &List) {
        let names: BTreeSet<&str> =
            sent.0.iter().filter_map(|field| page::usage_name(field)).collect();
        for name in names {
            *self.usage_fields.entry(name.to_owned()).or_default() += 1;
        }
    }

    /// The numbers.
    pub(super) fn finish(self) -> Pages {
        let of_observed = |n| Rate::new(n, self.observed);
        let rates = |counts: BTreeMap<String, u64>| {
            counts.into_iter().map(|(name, n)| (name, of_observed(n))).collect()
        };
        Pages {
            states: self.states,
            with_directive: of_observed(self.with_directive),
            for_named_crawlers: of_observed(self.for_named),
            directives: rates(self.directives),
            usage_fields: rates(self.usage_fields),
            answered: self.answered,
            cms: in_order(self.cms),
            cdn: in_order(self.cdn),
        }
    }
}

/// Counts the systems that a domain shows, or that it shows none.
fn count_signals(signals: &mut BTreeMap<Option<String>, Signal>, shown: &List, row: &DomainRow) {
    let names = shown.0.iter().cloned().map(Some);
    let none = shown.0.is_empty().then_some(None);
    for name in names.chain(none) {
        let signal = signals.entry(name).or_default();
        signal.domains += 1;
        match row.layer {
            Layer::Policy => {
                signal.classes.count(row.access_class);
                signal.blocked.count(row.access_class.is_some_and(|class| class.is_blocked()));
            }
            Layer::AccessDenied => signal.access_denied += 1,
            Layer::Unscannable => signal.unscannable += 1,
            Layer::Outside => {}
        }
    }
}

/// The commonest system first, ties by name; the domains without one last.
fn in_order(signals: BTreeMap<Option<String>, Signal>) -> Vec<Signal> {
    let named = signals.into_iter().map(|(name, signal)| Signal { name, ..signal });
    let mut signals: Vec<Signal> = named.collect();
    signals.sort_by_key(|signal| (signal.name.is_none(), std::cmp::Reverse(signal.domains)));
    signals
}

#[cfg(test)]
mod tests {
    use super::PageCounter;
    use crate::record::List;
    use crate::stats::Rate;

    #[test]
    fn directives_for_everyone_are_told_from_those_for_named_crawlers() {
        let mut counter = PageCounter::default();
        for said in [
            "noindex,nofollow",
            "max-image-preview:standard; GPTBot: noindex",
            "unavailable_after:wed, 3 dec 2025 13:09:53 gmt",
            "Googlebot: ",
            "",
        ] {
            counter.directives(said);
        }
        counter.usage(&List(vec!["tdm-reservation: 1".into(), "tdm-reservation: 0".into()]));
        let pages = counter.finish();
        assert_eq!(pages.usage_fields["tdm-reservation"], Rate::new(1, 5));
        assert_eq!(pages.with_directive, Rate::new(4, 5));
        assert_eq!(pages.for_named_crawlers, Rate::new(2, 5));
        let said: Vec<_> = pages.directives.iter().map(|(name, rate)| (&**name, rate.n)).collect();
        let expected =
            [("max-image-preview", 1), ("nofollow", 1), ("noindex", 1), ("unavailable_after", 1)];
        assert_eq!(said, expected);
    }
}

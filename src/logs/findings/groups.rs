//! What was found of several crawlers together, and of one as a row.

use std::collections::BTreeMap;

use super::{ClaimedRow, CrawlerFindings, GroupFindings};

impl From<&CrawlerFindings> for ClaimedRow {
    fn from(of: &CrawlerFindings) -> Self {
        Self {
            token: of.token.clone(),
            operator: of.operator.clone(),
            purpose: of.purpose.clone(),
            stance: of.stance.clone(),
            claims: of.claims,
            genuine: of.genuine,
            sibling: of.sibling,
            adjacent: of.adjacent,
            impersonated: of.impersonated,
            unverifiable: of.unverifiable,
            allowed: of.allowed,
            disallowed: of.disallowed,
            no_version: of.no_version,
            ambiguous: of.ambiguous,
            no_target: of.no_target,
            violations: of.violations,
            informed: of.informed,
            excused: of.excused,
            non_productive: of.non_productive,
            octets: of.octets,
            targets: of.targets,
            targets_estimated: of.targets_estimated,
            robots_fetches: of.robots_fetches,
            first_genuine: of.first_genuine.clone(),
            last_genuine: of.last_genuine.clone(),
            first_claim: of.first_claim.clone(),
            last_claim: of.last_claim.clone(),
            mixed_headers: of.mixed_headers,
            from_untrusted_edges: of.from_untrusted_edges,
            gaps_certainly_too_short: of.crawl_delay.map(|gaps| gaps.certain),
            gaps_possibly_too_short: of.crawl_delay.map(|gaps| gaps.possible),
        }
    }
}

impl GroupFindings {
    /// Groups crawlers by a name, the most claims first.
    pub(super) fn by(
        crawlers: &[CrawlerFindings],
        name: impl Fn(&CrawlerFindings) -> String,
    ) -> Vec<Self> {
        let mut groups: BTreeMap<String, Self> = BTreeMap::new();
        for of in crawlers {
            let name = name(of);
            let none = || Self { name: name.clone(), ..Self::default() };
            groups.entry(name.clone()).or_insert_with(none).add(of);
        }
        let mut groups: Vec<Self> = groups.into_values().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.claims));
        groups
    }

    fn add(&mut self, of: &CrawlerFindings) {
        self.crawlers += 1;
        for (sum, count) in [
            (&mut self.claims, of.claims),
            (&mut self.genuine, of.genuine),
            (&mut self.sibling, of.sibling),
            (&mut self.adjacent, of.adjacent),
            (&mut self.impersonated, of.impersonated),
            (&mut self.unverifiable, of.unverifiable),
            (&mut self.allowed, of.allowed),
            (&mut self.disallowed, of.disallowed),
            (&mut self.violations, of.violations),
            (&mut self.informed, of.informed),
            (&mut self.non_productive, of.non_productive),
            (&mut self.robots_fetches, of.robots_fetches),
            (&mut self.octets, of.octets),
        ] {
            *sum += count;
        }
        // Stamps of one form stand in the order of time.
        let first = [self.first_claim.take(), of.first_claim.clone()];
        self.first_claim = first.into_iter().flatten().min();
        self.last_claim = self.last_claim.take().max(of.last_claim.clone());
    }
}

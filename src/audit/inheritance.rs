//! What a crawler's own group leaves open: it replaces the rules of `*` and adds to nothing.

use std::collections::BTreeMap;

use crate::registry::{Purpose, Stance};
use crate::robots::Rule;
use crate::words::counted;

use super::Check;
use super::blanket::listed;
use super::context::{Context, Visitor};
use super::finding::{Evidence, Finding, Kind, Status};
use super::reach::{Reach, closing};

pub(super) const CHECK: Check = Check {
    name: "inheritance",
    about: "Whether a crawler's own group leaves open what the rules for `*` close, and whether a \
            crawler's rules are spread over several groups.",
    kinds: &[&NOT_INHERITED, &SPLIT],
    needs_rules: true,
    run,
};

const NOT_INHERITED: Kind = Kind {
    id: "group-not-inherited",
    statuses: &[Status::Notice],
    title: "A crawler's own group opens what is closed to all others",
    when: "A crawler with a group of its own may fetch paths that the `*` group closes, and its \
           group does not close the whole site. Crawlers of advertising and link previews, to \
           which sites open everything on purpose, do not count.",
    intent: "Either the crawler is meant to see more than others, or the rules of `*` were thought \
             to apply to it too.",
    impact: "A crawler obeys its own group alone: none of the rules of `*` apply to it.",
    fix: "If the rules of `*` are meant for it too, repeat them in its group, or give both one \
          group with two User-agent lines.",
};

const SPLIT: Kind = Kind {
    id: "group-split",
    statuses: &[Status::Notice],
    title: "The rules of one crawler stand in several groups",
    when: "Two or more groups name the same token, or `*`, and do not hold the same rules.",
    intent: "One set of rules, written in several places.",
    impact: "By RFC 9309 they count as one group. Some crawlers read the first or the last alone.",
    fix: "Put all rules of a crawler into one group.",
};

/// Rules of `*` that are held against a group; a longer list is held as far as this.
const RULES_COMPARED: usize = 400;

fn run(context: &Context, findings: &mut Vec<Finding>) {
    not_inherited(context, findings);
    split(context, findings);
}

/// Crawlers whose own groups leave open what `*` closes.
fn not_inherited(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let wildcard = robots.governing("*");
    if context.wildcard.reach != Reach::Partly {
        return;
    }
    let closed: Vec<&Rule> = closing(wildcard.rules()).take(RULES_COMPARED).collect();
    let mut by_group: BTreeMap<Vec<u32>, (Vec<&Visitor>, Vec<&Rule>)> = BTreeMap::new();
    for visitor in context.named().filter(|visitor| is_meant(visitor)) {
        let own = context.governing(visitor);
        if let Some((visitors, _)) = by_group.get_mut(&own.group_lines) {
            visitors.push(visitor);
            continue;
        }
        let kept: Vec<&Rule> = closing(own.rules()).take(RULES_COMPARED).collect();
        let is_open = |rule: &&Rule| !kept.iter().any(|own| own.pattern.covers(&rule.pattern));
        let opened: Vec<&Rule> = closed.iter().copied().filter(is_open).collect();
        if !opened.is_empty() {
            by_group.insert(own.group_lines, (vec![visitor], opened));
        }
    }
    if by_group.is_empty() {
        return;
    }
    let visitors: Vec<&Visitor> =
        by_group.values().flat_map(|(visitors, _)| visitors.iter().copied()).collect();
    let names: Vec<&str> = visitors.iter().map(|visitor| visitor.token.as_str()).collect();
    let most = by_group.values().map(|(_, opened)| opened.len()).max().unwrap_or(0);
    let up_to = if by_group.len() > 1 { "up to " } else { "" };
    let summary = format!(
        "{} may fetch what {up_to}{} of `*` {} to others.",
        listed(&names),
        counted(most, "rule"),
        if most == 1 { "closes" } else { "close" }
    );
    let widest = by_group.values().max_by_key(|(_, opened)| opened.len());
    let evidence = widest.into_iter().flat_map(|(_, opened)| opened.iter());
    let mut evidence: Vec<Evidence> = evidence.map(|rule| Evidence::rule(robots, rule)).collect();
    evidence.sort_by_key(|piece| piece.line);
    let details = visitors.iter().map(|visitor| context.detail(visitor)).collect();
    findings.push(Finding::of(&NOT_INHERITED, summary).about(details).shown_by(evidence));
}

/// Whether a crawler's own group counts here: it does not close the site, and is not one of those
/// to which everything is opened on purpose.
fn is_meant(visitor: &Visitor) -> bool {
    let is_apart = visitor.crawler.is_some_and(|crawler| crawler.stance == Stance::OwnGroupOnly)
        || matches!(visitor.purpose, Some(Purpose::Advertising | Purpose::SocialPreview));
    !is_apart && !visitor.standing.is_closed()
}

/// Tokens whose rules stand in several groups.
fn split(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let tokens = context.named().map(|visitor| visitor.token.as_str()).chain(["*"]);
    let mut evidence = Vec::new();
    let mut names = Vec::new();
    for token in tokens {
        let lines = robots.governing(token).group_lines;
        let mut groups: Vec<_> = robots
            .groups()
            .iter()
            .filter(|group| group.agents.iter().any(|agent| lines.contains(&agent.line)))
            .collect();
        if groups.len() < 2 || (token != "*" && lines.is_empty()) {
            continue;
        }
        let rules = |group: &&crate::robots::Group| -> Vec<(bool, String)> {
            let said = group.rules.iter().filter(|rule| rule.pattern.can_match());
            said.map(|rule| (rule.allow, rule.pattern.as_text().to_owned())).collect()
        };
        groups.dedup_by_key(|group| rules(group));
        if groups.len() < 2 {
            continue;
        }
        names.push(format!("{token} (in {} groups)", groups.len()));
        evidence.extend(lines.iter().map(|&number| {
            Evidence::line(robots, number, robots.line(number).map(|line| line.value))
        }));
    }
    if !names.is_empty() {
        let summary = format!("{}.", listed(&names));
        findings.push(Finding::of(&SPLIT, summary).shown_by(evidence));
    }
}

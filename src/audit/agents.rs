//! The names in user-agent records: misspelled ones, ones that nobody answers to any more, and ones
//! whose bearers pass robots.txt by.

use crate::registry::{Crawler, Operator, Placement, Purpose, Registry, Stance};
use crate::robots::Robots;
use crate::words::nearest;

use super::Check;
use super::blanket::listed;
use super::context::{Context, Visitor};
use super::finding::{Evidence, Finding, Kind, Status};
use super::reach::Standing;

pub(super) const CHECK: Check = Check {
    name: "agents",
    about: "Whether the names in user-agent records are ones that crawlers answer to, and obey.",
    kinds: &[&MISSPELLED, &OPERATOR, &RETIRED, &PASSES_BY],
    needs_rules: true,
    run,
};

const MISSPELLED: Kind = Kind {
    id: "agent-misspelled",
    statuses: &[Status::Warning],
    title: "A user-agent record names a crawler almost",
    when: "A name that no list knows is a slip away from one that the registry knows, and the file \
           does not name that one.",
    intent: "The crawler with the similar name.",
    impact: "A crawler answers to its whole name alone: the rules below are for nobody, and the \
             crawler that was meant follows the group of `*`.",
    fix: "Correct the name.",
};

const OPERATOR: Kind = Kind {
    id: "agent-names-operator",
    statuses: &[Status::Notice],
    title: "A user-agent record names a company, and none of its crawlers",
    when: "The whole value of a user-agent record is the name of an operator and no crawler's that a \
           list knows, its group closes the whole site, the operator's crawlers search, answer or \
           train, and the file names none of them.",
    intent: "All crawlers of that company.",
    impact: "A crawler answers to its own name: the operator's crawlers that are known follow their own \
             groups, or that of `*`.",
    fix: "Name each crawler of the company that is meant.",
};

const RETIRED: Kind = Kind {
    id: "agent-retired",
    statuses: &[Status::Warning, Status::Info],
    title: "A user-agent record names a token that its operator has given up",
    when: "The file names a token that its operator no longer documents. It is a warning where every \
           present crawler of the operator stands otherwise than the old name.",
    intent: "The operator's crawlers as they were once called.",
    impact: "Nothing visits under the old name: the operator's present crawlers follow their own \
             groups, or that of `*`.",
    fix: "Name the operator's present crawlers; the old line may stay beside them.",
};

const PASSES_BY: Kind = Kind {
    id: "agent-passes-by",
    statuses: &[Status::Info],
    title: "A closed crawler need not obey robots.txt",
    when: "The file names a crawler and closes the site to it, and its operator documents that it \
           may pass robots.txt by, or others report that it does.",
    intent: "To keep the crawler out.",
    impact: "The rule states the owner's wish and may not be followed.",
    fix: "To keep such a client out for certain, refuse its requests at the server or the delivery \
          network.",
};

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let Some(registry) = context.knowledge.registry else { return };
    misspelled(context, registry, findings);
    companies(context, registry, findings);
    retired(context, findings);
    passes_by(context, findings);
}

/// The user-agent records that name a token, as evidence.
fn naming(robots: &Robots, token: &str) -> Vec<Evidence> {
    let agents = robots.groups().iter().flat_map(|group| &group.agents);
    let is_it = |written: &[u8]| written.eq_ignore_ascii_case(token.as_bytes());
    agents
        .filter(|agent| is_it(robots.octets(agent.token)) || is_it(robots.octets(agent.value)))
        .map(|agent| Evidence::line(robots, agent.line, Some(agent.value)))
        .collect()
}

/// Names that are nearly those of known crawlers.
fn misspelled(context: &Context, registry: &Registry, findings: &mut Vec<Finding>) {
    let mut evidence = Vec::new();
    let mut slips = Vec::new();
    for visitor in context.named().filter(|visitor| visitor.crawler.is_none()) {
        let token = visitor.token.as_str();
        if registry.agents_named(token).next().is_some() {
            continue;
        }
        let Some(meant) = meant_by(token, registry) else { continue };
        if context.crawler(meant).is_some_and(|known| known.is_named) {
            continue;
        }
        slips.push(format!("{token} (did you mean {meant}?)"));
        let noted = naming(context.robots(), token);
        let noted = noted.into_iter().map(|piece| piece.noting(format!("did you mean {meant}?")));
        evidence.extend(noted);
    }
    if !slips.is_empty() {
        let summary = format!("No known crawler answers to {}.", listed(&slips));
        findings.push(Finding::of(&MISSPELLED, summary).shown_by(evidence));
    }
}

/// Names of operators where those of crawlers belong.
fn companies(context: &Context, registry: &Registry, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let agents = robots.groups().iter().flat_map(|group| &group.agents);
    let (mut evidence, mut words) = (Vec::new(), Vec::new());
    for agent in agents {
        let Ok(value) = std::str::from_utf8(robots.octets(agent.value)) else { continue };
        let Some(operator) = company(value, registry) else { continue };
        if !Standing::of(&robots.governing(value)).is_closed() {
            continue;
        }
        let theirs = |visitor: &&Visitor| {
            visitor.crawler.is_some_and(|crawler| crawler.operator == operator.id)
        };
        if context.named().any(|visitor| theirs(&visitor)) {
            continue;
        }
        let tokens: Vec<&str> =
            context.crawlers.iter().filter(theirs).map(|it| it.token.as_str()).collect();
        if tokens.is_empty() {
            continue;
        }
        let told = format!("{} runs {}", operator.name, listed(&tokens));
        if !words.contains(&told) {
            words.push(told);
        }
        evidence.push(Evidence::line(robots, agent.line, Some(agent.value)));
    }
    if !words.is_empty() {
        let summary = format!("{}.", words.join("; "));
        findings.push(Finding::of(&OPERATOR, summary).shown_by(evidence));
    }
}

/// The operator whose name a value is, where it is no name of a crawler or agent.
fn company<'a>(value: &str, registry: &'a Registry) -> Option<&'a Operator> {
    let written = bare(value);
    let is_it =
        |operator: &&Operator| bare(&operator.name) == written || bare(&operator.id) == written;
    let operator = registry.operators.iter().find(is_it)?;
    let mut theirs = registry.crawlers.iter().filter(|crawler| crawler.operator == operator.id);
    // A name of two words is found by its first (RFC 9309, 2.2.1 lets no blank into a token).
    let is_named_so = |crawler: &Crawler| {
        let first = crawler.token.split(' ').next().unwrap_or_default();
        first.eq_ignore_ascii_case(value)
    };
    let is_sought = |crawler: &Crawler| {
        let purpose = crawler.purpose;
        purpose.is_some_and(|purpose| purpose == Purpose::Search || purpose.is_ai())
    };
    if theirs.clone().any(is_named_so) || !theirs.any(is_sought) {
        return None;
    }
    (registry.place(value) == Placement::Unknown).then_some(operator)
}

/// The letters and digits of a name, in lower case.
fn bare(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Shorter names are near each other by chance.
const LETTERS_LEAST: usize = 6;

/// The crawler that the author of an unknown name may have meant: the same letters and digits, or
/// one slip in a name that is long enough for it to be one.
fn meant_by<'a>(token: &str, registry: &'a Registry) -> Option<&'a str> {
    let written = bare(token);
    let known = || registry.crawlers.iter().map(|crawler| crawler.token.as_str());
    if written.len() < LETTERS_LEAST {
        return None;
    }
    if let Some(same) = known().find(|name| bare(name) == written) {
        return Some(same);
    }
    let names: Vec<(&str, String)> = known().map(|name| (name, bare(name))).collect();
    let near = nearest(&written, names.iter().map(|(_, bare)| bare.as_str()))?;
    let (name, meant) = names.iter().find(|(_, bare)| bare == near)?;
    is_one_slip(&written, meant).then_some(name)
}

/// Whether two texts differ by one letter that was put in or left out, or by two swapped ones.
///
/// One letter instead of another is no slip here: crawlers have names as near as that.
fn is_one_slip(written: &str, meant: &str) -> bool {
    let (a, b) = (written.as_bytes(), meant.as_bytes());
    if a[0] != b[0] || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let same = a.iter().zip(b).take_while(|(left, right)| left == right).count();
    let (rest, other) = (&a[same..], &b[same..]);
    match rest.len().cmp(&other.len()) {
        std::cmp::Ordering::Less => rest == &other[1..],
        // A short name with a letter more is a name of its own.
        std::cmp::Ordering::Greater => b.len() > LETTERS_LEAST && &rest[1..] == other,
        std::cmp::Ordering::Equal => {
            rest.len() >= 2 && (rest[0], rest[1]) == (other[1], other[0]) && rest[2..] == other[2..]
        }
    }
}

/// Tokens that their operators have given up.
fn retired(context: &Context, findings: &mut Vec<Finding>) {
    let is_retired = |visitor: &&Visitor| {
        visitor
            .crawler
            .is_some_and(|crawler| crawler.stance == Stance::NoStance && !crawler.is_control_only())
    };
    let old: Vec<&Visitor> = context.named().filter(is_retired).collect();
    if old.is_empty() {
        return;
    }
    let names = |visitors: &[&Visitor]| -> Vec<String> {
        visitors.iter().map(|visitor| visitor.token.clone()).collect()
    };
    let astray: Vec<&Visitor> =
        old.iter().copied().filter(|visitor| is_astray(context, visitor)).collect();
    let (finding, told) = if astray.is_empty() {
        let summary = format!("No longer in use: {}.", listed(&names(&old)));
        (Finding::of(&RETIRED, summary).graded(Status::Info).mended_by(""), old)
    } else {
        let present: Vec<&Visitor> = astray.iter().flat_map(|it| present(context, it)).collect();
        let mut told = std::collections::BTreeSet::new();
        let present: Vec<String> =
            names(&present).into_iter().filter(|name| told.insert(name.clone())).collect();
        let summary = format!(
            "{} {} {}, and every present crawler of the operator stands otherwise: {}.",
            listed(&names(&astray)),
            if astray.len() == 1 { "is" } else { "are" },
            if astray[0].standing.is_closed() { "closed out" } else { "let in" },
            listed(&present)
        );
        (Finding::of(&RETIRED, summary), astray)
    };
    let evidence: Vec<Evidence> =
        told.iter().flat_map(|visitor| naming(context.robots(), &visitor.token)).collect();
    let details = told.iter().map(|visitor| context.detail(visitor)).collect();
    findings.push(finding.about(details).shown_by(evidence));
}

/// The present crawlers of an old token's operator.
fn present<'v, 'a>(context: &'v Context<'a>, old: &Visitor) -> Vec<&'v Visitor<'a>> {
    let operator = old.crawler.map(|crawler| crawler.operator.as_str());
    let is_present = |other: &&Visitor| {
        other.crawler.is_some_and(|known| {
            Some(known.operator.as_str()) == operator && known.stance != Stance::NoStance
        })
    };
    context.crawlers.iter().filter(is_present).collect()
}

/// Whether an old token stands otherwise than every present crawler of its operator: whoever rules
/// one of them alike has thought of them.
fn is_astray(context: &Context, old: &Visitor) -> bool {
    let present = present(context, old);
    let is_alike = |other: &&Visitor| other.standing.is_closed() == old.standing.is_closed();
    !present.is_empty() && !present.iter().any(is_alike)
}

/// Closed crawlers that may pass robots.txt by.
fn passes_by(context: &Context, findings: &mut Vec<Finding>) {
    let may_pass_by = |visitor: &&Visitor| {
        visitor.standing.is_closed()
            && visitor
                .crawler
                .is_some_and(|crawler| matches!(crawler.stance, Stance::Ignores | Stance::Disputed))
    };
    let visitors: Vec<&Visitor> = context.named().filter(may_pass_by).collect();
    if visitors.is_empty() {
        return;
    }
    let words = |visitor: &&Visitor| {
        let stance = visitor.crawler.map_or(Stance::Silent, |crawler| crawler.stance);
        let why = if stance == Stance::Disputed { "disputed" } else { "documented" };
        format!("{} ({why})", visitor.token)
    };
    let names: Vec<String> = visitors.iter().map(words).collect();
    let evidence: Vec<Evidence> =
        visitors.iter().flat_map(|visitor| naming(context.robots(), &visitor.token)).collect();
    let details = visitors.iter().map(|visitor| context.detail(visitor)).collect();
    let summary = format!("These may fetch the site all the same: {}.", listed(&names));
    findings.push(Finding::of(&PASSES_BY, summary).about(details).shown_by(evidence));
}

#[cfg(test)]
mod tests {
    use super::{is_one_slip, meant_by};
    use crate::registry::Registry;

    #[test]
    fn a_near_name_is_a_slip_and_a_far_one_another_crawler() {
        let registry = Registry::embedded().unwrap();
        for (token, meant) in [
            ("GPT-Bot", Some("GPTBot")),
            ("GTPBot", Some("GPTBot")),
            ("ClaudBot", Some("ClaudeBot")),
            ("Google_InspectionTool", Some("Google-InspectionTool")),
            ("Goolgebot", Some("Googlebot")),
            ("GPT", None),
            ("YourBot", None),
            ("CatBot", None),
            ("SemrushBot-SA", None),
            ("Roverbot", None),
            ("Snapbot", None),
            ("ChatGPT", None),
        ] {
            assert_eq!(meant_by(token, &registry), meant, "{token}");
        }
        assert!(is_one_slip("claudebots", "claudebot") && !is_one_slip("gptbots", "gptbot"));
    }
}

//! One operator's crawlers contradicting each other.
//!
//! Training takes content and gives nothing back, a user-triggered fetch or an AI search answers a
//! reader with the site's own words and a link. To close the second and leave the first open is
//! hardly what anybody means.

use crate::registry::{Purpose, Stance};

use super::Check;
use super::blanket::listed;
use super::context::{Context, Visitor};
use super::finding::{Evidence, Finding, Kind, Status};

pub(super) const CHECK: Check = Check {
    name: "coherence",
    about: "Whether one operator's crawlers are ruled against each other.",
    kinds: &[&COHERENCE],
    needs_rules: true,
    run,
};

const COHERENCE: Kind = Kind {
    id: "crawler-coherence",
    statuses: &[Status::Warning],
    title: "One operator may train on the site but not answer readers from it",
    when: "A crawler of an operator that fetches for a person, or for AI search, is closed, and all \
           its training crawlers are open.",
    intent: "Most often the owner wanted to keep the operator out as a whole, and named one of its \
             crawlers.",
    impact: "The site's text may enter the operator's models, while readers who ask its assistant \
             get no answer from the site and no link to it.",
    fix: "Decide about training and about answers apart: close the training crawler, open the \
          others, or name all of them in one group.",
};

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let Some(registry) = context.knowledge.registry else { return };
    for operator in &registry.operators {
        let of_operator = |visitor: &&Visitor| {
            visitor.crawler.is_some_and(|crawler| {
                crawler.operator == operator.id && crawler.stance != Stance::NoStance
            })
        };
        let visitors: Vec<&Visitor> = context.crawlers.iter().filter(of_operator).collect();
        let with = |purposes: &[Purpose], is_closed: bool| -> Vec<&Visitor> {
            let fits = |visitor: &&&Visitor| {
                visitor.purpose.is_some_and(|purpose| purposes.contains(&purpose))
                    && visitor.standing.is_closed() == is_closed
            };
            visitors.iter().filter(fits).copied().collect()
        };
        // Whoever closes one training crawler of an operator has thought of training.
        if !with(&[Purpose::Training], true).is_empty() {
            continue;
        }
        let training = with(&[Purpose::Training], false);
        let answering = with(&[Purpose::UserTriggered, Purpose::AiSearch], true);
        if training.is_empty() || answering.is_empty() {
            continue;
        }
        findings.push(contradiction(context, &operator.name, &training, &answering));
    }
}

/// The finding about an operator.
fn contradiction(
    context: &Context,
    operator: &str,
    training: &[&Visitor],
    answering: &[&Visitor],
) -> Finding {
    let names = |visitors: &[&Visitor]| -> Vec<String> {
        visitors.iter().map(|visitor| visitor.token.clone()).collect()
    };
    let (open, closed) = (names(training), names(answering));
    let summary = format!(
        "{operator} may train on the site ({}), but may not answer from it ({}).",
        listed(&open),
        listed(&closed)
    );
    let groups = open.iter().map(|token| format!("User-agent: {token}\n")).collect::<String>();
    let fix = format!(
        "To keep the content out of training and in answers, give the training crawler a group of \
         its own and take {} out of the closed one:\n{groups}Disallow: /",
        listed(&closed)
    );
    let lines: std::collections::BTreeSet<u32> =
        answering.iter().filter_map(|visitor| visitor.standing.line).collect();
    let evidence = lines.iter().map(|&line| Evidence::line(context.robots(), line, None));
    let all = training.iter().chain(answering);
    let details = all.map(|visitor| context.detail(visitor)).collect();
    Finding::of(&COHERENCE, summary).mended_by(fix).about(details).shown_by(evidence)
}
